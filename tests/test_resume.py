"""A hand resumed: from any state to any table, in every game, and on to a settlement."""

from __future__ import annotations

import random

import pytest

from rules.acts import Act, Layout, Verb
from rules.cards import BACK, Card
from rules.errors import ActError
from rules.frozen import replace
from rules.game import AnyGame
from rules.games import GAMES, find_game
from rules.match import Hand, Match
from rules.records import parse_record, print_match
from rules.spots import DECK, GONE, Laid, Shape, Table
from rules.start import Level, Start
from rules.state import State
from rules.turn import Turn
from tests.draws import NIGHTLY, mostly_nightly
from tests.play import Dealer, play_hand, start_for
from tests.resuming import every_game, layout_of, perturbed, seen_of

HANDS = 60 if NIGHTLY else 3
"""Hands per game."""
ACTS_MOST = 400
SOON = 4
"""Acts within which a hand is often taken up anew, as when a deal's last cards were missed."""


def filled(state: State, dice: random.Random) -> tuple[State, list[Card]]:
    """The state with cards of the deck for the unknown ones, and the rest of the deck."""
    deck = list(state.game.deck(state.start))
    for _, laid in state.table:
        if laid.card in deck:
            deck.remove(laid.card)
    dice.shuffle(deck)

    def known(laid: Laid) -> Laid:
        return Laid(deck.pop(), up=False) if laid.card.hidden and deck else laid

    spots = {name: tuple(map(known, cards)) for name, cards in state.table.spots.items()}
    return replace(state, table=Table(spots)), deck


def played_out(state: State, dice: random.Random) -> State:
    """The hand played to its end; if its rules know no way on, the table is cleared."""
    state, deck = filled(state, dice)
    dealer = Dealer(dice, deck)
    for _ in range(ACTS_MOST):
        if state.over:
            break
        acts = [act for act in state.options(dealer.deck) if _is_play(state, act)]
        act = _one_of(acts, dice) if acts else Act(Verb.CLEAR)
        assert state.allows(act), f"{state.phase}: {state.turn}"
        if all(move.source != DECK or move.card in dealer.deck for move in state.trace(act)):
            dealer.follow(state, act)
        state = state.play(act)
    else:
        state = state.play(Act(Verb.CLEAR))
    return state


def _is_play(state: State, act: Act) -> bool:
    """Whether it continues the hand: giving it up does not."""
    return act.verb is not Verb.CLEAR or any(
        one.verb is Verb.CLEAR and one.required for one in state.turn
    )


def _one_of(acts: list[Act], dice: random.Random) -> Act:
    verb = dice.choice(sorted({act.verb for act in acts}))
    return dice.choice([act for act in acts if act.verb is verb])


def shows(state: State, layout: Layout) -> bool:
    """Whether everything stated is on the table now."""
    for name, cards in layout:
        spot = state.spots[name]
        stated = [card for card in cards if not (spot.held and card.hidden)]
        if spot.shape is Shape.PILE and not spot.held:
            if not set(stated) <= set(state.table.view(name)):
                return False
            stated = stated[-1:]
        if sorted(map(str, stated)) != sorted(map(str, spot.shows(state.table))):
            return False
    return True


@pytest.mark.parametrize(
    "game", mostly_nightly(every_game(), *[*every_game()][::2]), ids=lambda game: game.name
)
def test_from_any_moment_to_any_table_and_on_to_the_settlement(game: AnyGame) -> None:
    for number in range(HANDS):
        dice = random.Random(f"{game}-{number}")
        states = play_hand(game, start_for(game, level=dice.choice(list(Level))), dice)
        known = states if dice.random() < 0.5 else seen_of(states)
        here = dice.randrange(len(states) - 1)
        there = dice.choice(dice.choice((states, states[here + 1 : here + 1 + SOON])))
        layout = layout_of(there)
        if dice.random() < 0.5:
            layout = perturbed(layout, list(game.deck(there.start)), dice)
        act = Act(Verb.RESUME, numbers=(dice.choice((here, dice.randint(0, here))),), layout=layout)
        assert Act.parse(str(act)) == act
        state = known[here].play(act)
        assert shows(state, layout), act
        assert not state.open_violations
        assert state.public().turn.awaited
        over = played_out(state, dice)
        assert over.over
        assert game.follow(over).seats == states[0].start.seats
        assert Hand(game, states[0].start, list(state.acts)).state == state


def opened() -> Match:
    match = Match(find_game("ziginette"), Start(seats=(1, 2, 3), banker=1, level=Level.NONE))
    for line in ("deal board QS", "deal board 5D", "deal banker 7C", "close", "deal board QD"):
        match.play(Act.parse(line))
    return match


def test_the_record_says_that_the_hand_was_resumed() -> None:
    match = opened()
    match.play(Act.parse("resume 5 board 5D KS banker 7C"))
    text = print_match(match)
    assert "resume 5 board 5D KS banker 7C" in text
    again = parse_record(text)
    assert again.record() == text
    assert again.match.state == match.state
    assert match.state.anew
    assert [call.id for call in match.state.calls] == ["call.resumed"]


def test_visible_cards_are_as_stated_and_the_rest_is_out_of_play() -> None:
    match = opened()
    match.play(Act.parse("resume 5 board 5D KS banker 7C"))
    assert {str(card) for card in match.state.table.view("board")} == {"5D", "KS"}
    assert {str(card) for card in match.state.table.cards(GONE)} == {"QS", "QD"}


def test_a_card_that_shows_under_the_top_of_a_pile_is_there_too() -> None:
    match = Match(find_game("democracy"), Start(seats=(1, 2, 3, 4), dealer=1, level=Level.NONE))
    match.play(Act.parse("resume 0 3.won ?? JS"))
    assert match.state.table.view("3.won") == (BACK, Card.parse("JS"))
    match.play(Act.parse("resume 1 3.won 5D ??"))
    assert match.state.table.view("3.won") == (Card.parse("5D"), BACK), "the jack has gone"


def test_what_shows_of_a_pile_next_to_its_top_is_there_too() -> None:
    """The jack has not gone: it lies over the five that shows next to it."""
    match = Match(find_game("three-thirteen"), Start(seats=(1, 2, 3), dealer=1, level=Level.NONE))
    match.play(Act.parse("resume 0 discards 5D JH"))
    match.play(Act.parse("resume 1 discards JH 5D"))
    assert [str(card) for card in match.state.table.view("discards")] == ["5D", "JH"]


def test_it_is_undone_like_any_act() -> None:
    match = opened()
    before = match.state
    match.play(Act.parse("resume 5 board 5D KS banker 7C"))
    match.undo()
    assert match.state == before


def test_everything_else_may_be_as_it_was_at_an_earlier_moment() -> None:
    match = opened()
    match.play(Act.parse("take board 5D"))
    assert match.state.open_violations
    match.play(Act.parse("resume 3 board QS 5D banker 7C"))
    assert not match.state.open_violations
    assert match.state.turn.admits(Act.parse("close"))


def test_a_correction_before_it_leaves_it_standing() -> None:
    match = opened()
    match.play(Act.parse("resume 5 board 5D KS banker 7C"))
    match.correct(2, Act.parse("deal board 5S"))
    assert {str(card) for card in match.state.table.view("board")} == {"5D", "KS"}


def test_a_card_that_came_to_light_has_left_its_hand() -> None:
    game = find_game("three-thirteen")
    state: State = game.open(Start(seats=(1, 2), dealer=1, level=Level.NONE))
    for line in ("deal 2 (5C) (6C) (7C)", "deal 1 (8C) (9C) (TC)", "deal discards KS"):
        state = state.play(Act.parse(line))
    state = state.play(Act.parse("2 resume 3 discards 6C"))
    # Nobody discards without having drawn, and nobody saw which card that was.
    assert [str(card) for card in state.table.cards("2")] == ["5C", "7C", "??"]
    assert state.turn.seats == (2,)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("resume board QS", "number of earlier acts"),
        ("resume 9 board QS", "expected a number of acts from 0 to 5"),
        ("resume 5 pond QS", "no spot pond in sight"),
        ("resume 5 board QS board 5D", "stated twice"),
    ],
)
def test_a_line_without_meaning_is_refused(line: str, says: str) -> None:
    match = opened()
    with pytest.raises(ActError, match=says):
        match.play(Act.parse(line))


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_is_resumed_from_a_cached_moment_as_by_replaying_it(name: str) -> None:
    game = find_game(name)
    states = play_hand(game, start_for(game), random.Random(name))
    now = seen_of(states)[-2]
    for number in (0, len(now.acts) // 2, len(now.acts)):
        act = Act(Verb.RESUME, numbers=(number,), layout=layout_of(states[number]))
        assert now.resumed_from(act, now.moment(number)) == now.play(act)


@pytest.mark.parametrize("name", ["paiute", "pif-paf", "three-thirteen", "mille", "panguingue"])
def test_the_next_player_may_be_named_once_a_discard_went_unseen(name: str) -> None:
    """A player who had drawn and is not named has discarded: the hand is one card smaller.

    In Panguingue the drawn card lies on the table, and goes into the hand if another is discarded.
    """
    game = find_game(name)
    states = play_hand(game, start_for(game), random.Random(5))
    state = next(s for s in states if _discards(s.turn))
    (before,) = state.turn.seats
    held = len(state.table.at(str(before)))
    for seat in set(getattr(state, "live", state.start.seats)) - {before}:
        act = Act(Verb.RESUME, seat, numbers=(len(state.acts),), layout=layout_of(state))
        after = state.play(act)
        assert after.turn.seats == (seat,), seat
        assert not _discards(after.turn)
        assert len(after.table.at(str(before))) == held - (name != "panguingue")


def _discards(turn: Turn) -> bool:
    return any(one.verb is Verb.DISCARD and one.required for one in turn.awaited)


@pytest.mark.parametrize("game", ["pif-paf", "three-thirteen", "paiute"])
def test_hands_that_were_followed_wrongly_are_whole_again_after_resuming(game: str) -> None:
    """Draws that never happened would make every later one a card too many, one missed too few."""
    chosen = find_game(game)
    seats = 1, 2, 3
    for seed in range(20):
        states = play_hand(chosen, start_for(chosen, seats=3), random.Random(seed))
        threw = (one for one in states if one.acts and one.acts[-1].verb is Verb.DISCARD)
        state = next(threw, states[0])
        sizes = {seat: len(state.table.at(str(seat))) for seat in seats}
        if state.acts and len(set(sizes.values())) == 1:  # nobody has folded
            break
    wrong = state.public()
    for line in ("1 draw stock ??", "1 draw stock ??", "2 draw stock ??", "3 discard 9C"):
        wrong = wrong.play(Act.parse(line))
    assert wrong.open_violations
    for seat in seats:
        again = wrong.play(Act.parse(f"{seat} resume {len(wrong.acts)} discards 9C"))
        assert {one: len(again.table.at(str(one))) for one in sizes} == sizes
        assert not again.play(Act.parse(f"{seat} draw stock ??")).open_violations


@pytest.mark.parametrize("name", ["mille", "oklahoma-rummy", "panguingue"])
def test_hands_with_melds_are_whole_again_after_resuming(name: str) -> None:
    """What is on the table, and who took the pile, tells how many cards are left in each hand."""
    game = find_game(name)
    tried = 0
    for seed in range(3):
        for state in seen_of(play_hand(game, start_for(game), random.Random(seed))):
            if not _draws(state.turn) or state.open_violations:
                continue
            tried += 1
            seats = [seat for seat in state.start.seats if state.table.at(str(seat))]
            sizes = {seat: len(state.table.at(str(seat))) for seat in seats}
            wrong = state.public()
            for seat in seats:
                wrong = wrong.play(Act.parse(f"{seat} {MISREAD[name]}"))
            number, layout = (len(wrong.acts),), layout_of(state)
            for named in (None, *state.turn.seats):
                again = wrong.play(Act(Verb.RESUME, named, numbers=number, layout=layout))
                if not _draws(again.turn):
                    continue
                assert {one: len(again.table.at(str(one))) for one in sizes} == sizes
    assert tried > 20


MISREAD = {
    "mille": "draw stock ??",
    "oklahoma-rummy": "draw stock ??",
    "panguingue": "discard 7H",
}
"""What each player is wrongly followed to have done, by game."""


def _draws(turn: Turn) -> bool:
    return any(one.verb is Verb.DRAW and one.required for one in turn.awaited)


def test_whoever_has_set_the_first_five_cards_holds_none_of_them() -> None:
    """A hand is out of sight once it is empty: nothing states that no card is left of it."""
    game = find_game("open-face-chinese-poker")
    state: State = game.open(Start(seats=(1, 2, 3), dealer=1))
    for line in ("deal 2 ?? ?? ?? ?? ??", "deal 3 ?? ?? ?? ?? ??", "deal 1 ?? ?? ?? ?? ??"):
        state = state.play(Act.parse(line))
    state = state.play(Act.parse("resume 3 2.front 4H 2.middle TH 3D 6C 2.back AH"))
    assert [len(state.table.at(str(seat))) for seat in (1, 2, 3)] == [5, 0, 5]
    assert state.turn.seats == (3,)


def test_a_face_down_card_that_nobody_sees_any_more_is_in_its_hand_again() -> None:
    """Four of five backs in a row were seen: the fifth may still be laid, or turned up there."""
    game = find_game("chinese-poker")
    state: State = game.open(Start(seats=(1, 2), dealer=1))
    state = state.play(Act.parse("deal 2" + " ??" * 13)).play(Act.parse("deal 1" + " ??" * 13))
    for seat in (2, 1):
        for row, count in (("front", 3), ("middle", 5), ("back", 5)):
            state = state.play(Act.parse(f"{seat} lay {seat}.{row}" + " ??" * count))
    stated = " ".join(
        f"{seat}.{row}" + " ??" * (count - (seat == 2 and row == "middle"))
        for seat in (2, 1)
        for row, count in (("front", 3), ("middle", 5), ("back", 5))
    )
    again = state.play(Act.parse(f"resume {len(state.acts)} {stated}"))
    assert (len(again.table.at("2")), len(again.table.at("1"))) == (1, 0)
    assert not again.table.at(GONE)
    assert len(again.play(Act.parse("2 lay 2.middle ??")).table.at("2.middle")) == 5
