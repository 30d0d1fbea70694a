"""Eleusis and Eleusis Express: their rule sheet's statements, one by one."""

from __future__ import annotations

import pytest

from rules.acts import Act, Verb
from rules.cards import BACK, Card
from rules.errors import ActError
from rules.games.eleusis import Eleusis
from rules.judging.lines import JudgedState
from rules.match import Hand, Match
from rules.secret import PRESETS, Secrets, seal
from rules.start import Start
from tests.melding import backs, played, rules_of

ALTERNATING = PRESETS["alternating"]
TOLD = seal("test", ALTERNATING)
SECRETS = Secrets().told("test", ALTERNATING)
HIDDEN = seal("hidden", ALTERNATING)
GAME, EXPRESS = Eleusis(), Eleusis(express=True)
START = Start(seats=(1, 2, 3, 4), dealer=4)


def after(*text: str, sealed: str = TOLD, game: Eleusis = GAME) -> JudgedState:
    """The state after a five of hearts as starter and these acts; black cards are right."""
    cards = 12 if game.express else 14
    says = f"declare seal {sealed}" if sealed else "declare own"
    deal = "|".join(f"deal {seat} {backs(cards)}" for seat in (1, 2, 3))
    return played(game, START, says, deal, "deal main 5H", *text, secrets=SECRETS)


def called(state: JudgedState) -> list[str]:
    return [call.id for call in state.calls]


def test_the_dealer_has_no_cards_and_the_players_fourteen() -> None:
    state = after()
    assert [len(state.hand(seat)) for seat in (1, 2, 3, 4)] == [14, 14, 14, 0]
    assert state.actor == 1
    assert [len(after(game=EXPRESS).hand(seat)) for seat in (1, 2, 3)] == [12, 12, 12]


def test_the_device_calls_right_and_wrong_by_the_rule() -> None:
    right, wrong = after("1 play 6S"), after("1 play 6D")
    assert called(right) == ["eleusis.right"]
    assert called(wrong) == ["eleusis.wrong"]
    assert str(right.turn.due) == "judge right"
    assert rules_of(right.play(Act.parse("judge wrong"))) == ["eleusis.judgement"]


def test_right_cards_go_on_the_mainline_and_wrong_ones_to_the_sideline() -> None:
    state = after("1 play 6S|judge right|2 play 7C|judge wrong")
    assert [str(card) for card in state.line] == ["5H", "6S"]
    assert state.lying == (2, 1)
    assert state.owing == ((2, 2),)


def test_a_wrong_string_of_five_costs_ten_cards_and_goes_to_the_sideline_whole() -> None:
    state = after("1 play 6S 7D 8S 9D TD|judge wrong")
    assert state.lying == (1, 5)
    assert state.owing == ((1, 10),)


def test_a_right_string_goes_on_the_line_in_its_order() -> None:
    state = after("1 play 6S 7D 8S|judge right")
    assert [str(card) for card in state.line] == ["5H", "6S", "7D", "8S"]


HAND = "AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AH"


def test_a_hand_without_a_play_is_changed_for_four_cards_fewer() -> None:
    state = after(f"1 declare no-play|1 show {HAND}|judge right")
    assert state.hand(1) == ()
    assert state.owing == ((1, 10),)
    assert not state.violations


def test_the_dealer_plays_from_a_hand_that_had_a_card_and_deals_five() -> None:
    state = after(f"1 declare no-play|1 show {HAND.replace('AH', 'AS')}|judge wrong")
    assert [one.verb for one in state.turn] == [Verb.MOVE]
    state = state.play(Act.parse("move 1 main AS"))
    assert state.owing == ((1, 5),)
    assert [str(card) for card in state.line] == ["5H", "AS"]
    assert not any(laid.up for laid in state.table.at("1"))


def test_no_play_with_four_cards_ends_the_hand() -> None:
    string = "1 play 6S 7D 8S 9D TS JD QS KD AS 2D|judge right"
    text = (string, "2 play 3S|judge right|3 play 4D|judge right|1 declare no-play")
    state = after(*text, "1 show 5D 6D 7D 8H|judge right")
    assert state.ended
    assert not state.violations
    longer = after(*(line.replace(" AS 2D", "") for line in text), "1 show 5D 6D 7D 8H 9H 9D")
    assert not longer.play(Act.parse("judge right")).ended


def test_the_prophet_calls_and_the_dealer_confirms() -> None:
    state = after("1 play 6S|judge right|1 declare prophet|2 play 7D")
    assert called(state) == []
    assert [(one.verb, one.seats) for one in state.turn] == [(Verb.JUDGE, (1,))]
    state = state.play(Act.parse("1 judge right"))
    assert str(state.turn.due) == "judge correct"
    state = state.play(Act.parse("judge correct"))
    assert state.lying == (3, 0)
    assert state.actor == 3


def test_a_false_prophet_takes_five_cards_and_the_player_none() -> None:
    state = after("1 play 6S|judge right|1 declare prophet|2 play 7S|1 judge right|judge false")
    assert state.lying == (2, 1)
    assert state.owing == ((1, 5),)
    assert (state.prophet, state.active) == (None, (1, 2, 3))


def test_nobody_is_prophet_twice_or_with_fewer_than_two_others() -> None:
    false = "1 play 6S|judge right|1 declare prophet|2 play 7S|1 judge right|judge false"
    state = after(false, f"deal 1 {backs(5)}|3 play 7D|judge right|1 play 8S|judge right")
    assert not any("prophet" in str(act) for act in state.options(()))
    three = Start(seats=(1, 2, 3), dealer=3)
    deal = f"deal 1 {backs(14)}|deal 2 {backs(14)}|deal main 5H"
    small = played(GAME, three, f"declare seal {TOLD}", deal, "1 play 6S|judge right")
    assert rules_of(small.play(Act.parse("1 declare prophet")))


LONG = " ".join(
    f"{rank}{suit}" for rank, suit in zip("234567892345678923456789", "SDSD" * 6, strict=True)
)


def up_to(cards: int) -> tuple[str, ...]:
    """A mainline of `cards` cards, including the starter, by strings of thirteen."""
    ring, laid = LONG.split(), 1
    text: list[str] = []
    seats = (1, 2, 3)
    while laid < cards:
        count = min(13, cards - laid)
        start = (laid - 1) % 2
        text.append(f"{seats[len(text) % 3]} play {' '.join(ring[start : start + count])}")
        text.append("judge right")
        laid += count
    return tuple(text)


@pytest.mark.parametrize(("cards", "expelled"), [(39, False), (40, True)])
def test_from_the_fortieth_card_a_wrong_play_expels(cards: int, expelled: bool) -> None:
    """The starter is one of the forty."""
    text = up_to(cards)
    state = after(*text, sealed="")
    assert len(state.line) == cards
    seat = state.actor
    state = state.play(Act.parse(f"{seat} play KD")).play(Act.parse("judge wrong"))
    assert (seat in state.expelled) is expelled
    assert state.owing == ((seat, 2),)  # an expelled player takes the penalty nevertheless


def test_with_a_prophet_thirty_cards_after_the_marker_count() -> None:
    state = after(*up_to(13), "1 declare prophet", sealed="")
    twelve = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"
    for seat, wrong in ((2, twelve), (3, f"{twelve} KC AH")):
        for line in (f"{seat} play {wrong}", "1 judge wrong", "judge correct"):
            state = state.play(Act.parse(line))
        state = state.play(Act.parse(f"deal {seat} {backs(2 * len(wrong.split()))}"))
    assert state.lying[1] == 26
    for line in ("2 play AC 2C 3C 4C", "1 judge wrong", "judge correct", f"deal 2 {backs(8)}"):
        state = state.play(Act.parse(line))
    assert state.expelled == frozenset()  # there were twenty-six
    for line in ("3 play AC", "1 judge wrong", "judge correct"):
        state = state.play(Act.parse(line))
    assert state.expelled == {3}


def test_the_last_player_who_is_not_expelled_plays_on_alone() -> None:
    """Ending the hand: only when all players have been expelled."""
    clubs, hearts = (" ".join(f"{rank}{suit}" for rank in "A23456789TJQK") for suit in "CH")
    text = [
        f"deal 1 {backs(14)}|deal 2 {backs(14)}|deal main 5S|1 play {clubs} KD|judge wrong",
        f"deal 1 {backs(28)}|2 play {hearts}|judge right|1 play {clubs}|judge right",
        f"2 play KD|judge wrong|deal 2 ?? ??|1 play {hearts}|judge right",
        "2 play KD|judge wrong|deal 2 ?? ??|1 play 2S|judge right",
    ]
    state = played(GAME, Start(seats=(1, 2, 3), dealer=3), "declare own", *text)
    assert state.expelled == {2}
    assert (len(state.line), rules_of(state)) == (41, [])
    assert (state.phase, state.actor) == ("playing", 1)
    for line in ("1 play KD", "judge wrong", "deal 1 ?? ??"):
        state = state.play(Act.parse(line))
    assert state.settlement.scores == {1: 1, 2: 0, 3: 1}, "two cards and three"


def test_each_scores_what_the_longest_hand_has_more() -> None:
    """ "thirteen cards had the most, nine cards would score four" """
    state = after("1 play 6S|judge right|2 play 7S 8D 9S 2D 3S|judge right", sealed="")
    state = state.play(Act.parse("3 play 2C 3D 4C 5D 6C 7H 8C 9H TC JH QC KH AC 2H"))
    state = state.play(Act.parse("judge right"))
    assert state.settlement.scores == {1: 0, 2: 4, 3: 13, 4: 13}


def test_the_prophet_has_one_for_each_right_card_and_two_for_each_wrong_one() -> None:
    text = "1 play 6S|judge right|1 declare prophet|2 play 7S|1 judge wrong|judge correct"
    state = after(text, f"deal 2 {backs(2)}", sealed="")
    state = state.play(Act.parse("3 play 2D 3S 4D 5S 6D 7S 8H 9S TH JS QH KS AH 2S"))
    for line in ("1 judge right", "judge correct"):
        state = state.play(Act.parse(line))
    # Hands of 13, 15 and no cards; fourteen right cards and a wrong one after the marker. The
    # dealer gets twice the one card between starter and marker, which is the marker's own.
    assert state.settlement.scores == {1: 2 + 14 + 2, 2: 0, 3: 15, 4: 2}


def test_an_empty_hand_may_be_worth_something() -> None:
    string = "1 play 2C 3D 4C 5D 6C 7H 8C 9H TC JH QC KH AC 2H|judge right"
    state = after(string, sealed="", game=Eleusis(out_bonus=4))
    assert state.settlement.scores == {1: 18, 2: 0, 3: 0, 4: 18}


def test_express_scores_twelve_less_the_cards_and_six_for_the_guess() -> None:
    text = "1 play 6S|judge right|1 declare guess|judge wrong|2 play 7C|judge wrong"
    state = after(text, f"deal 2 {backs(2)}|3 play 7D|judge right|3 declare guess|judge right",
                  sealed="", game=EXPRESS)  # fmt: skip
    assert state.settlement.scores == {1: 1, 2: -1, 3: 1 + 6, 4: 7}


def test_express_takes_one_card_for_no_play_and_two_for_a_wrong_one() -> None:
    hand = " ".join(HAND.split()[:12])
    right = after(f"1 declare no-play|1 show {hand}|judge right", game=EXPRESS)
    assert right.owing == ((1, 11),)
    wrong = after(f"1 declare no-play|1 show {hand.replace('AD', 'AC')}|judge wrong|move 1 main AC",
                  game=EXPRESS)  # fmt: skip
    assert wrong.owing == ((1, 2),)
    assert rules_of(after("1 play 6S 7D", game=EXPRESS))


def test_a_rule_that_was_not_entered_is_checked_when_it_is_revealed() -> None:
    string = "2 play 7D 8C 9D 2C 3D 4C 5D 6C 7H 8C 9H TC JH QC|judge right"
    state = after("1 play 6S|judge wrong", f"deal 1 {backs(2)}", sealed=HIDDEN)
    assert state.violations == ()
    text = string.replace("7D 8C 9D 2C 3D 4C 5D 6C 7H 8C 9H TC JH QC",
                          "8C 9D 2C 3D 4C 5D 6C 7H 8C 9H TC JH QC KD")  # fmt: skip
    for line in (*text.split("|"), f"declare reveal hidden {ALTERNATING}"):
        state = state.play(Act.parse(line))
    (violation,) = state.violations
    assert str(state.acts[violation.since - 1]) == "judge wrong"


def test_a_revealed_rule_that_differs_from_the_seal_is_found() -> None:
    string = "1 play 8C 9D 2C 3D 4C 5D 6C 7H 8C 9H TC JH QC KD|judge right"
    state = after(string, sealed=HIDDEN)
    assert rules_of(state.play(Act.parse("declare reveal hidden two from last"))) == [
        "eleusis.seal"
    ]
    with pytest.raises(ActError, match=r"'purple' \(word 1\)"):
        state.play(Act.parse("declare reveal hidden purple"))


def test_until_it_is_revealed_nothing_shows_more_than_the_seal() -> None:
    state = after("1 play 6S|judge right|1 declare prophet|2 play 7D")
    told = repr(state.public()) + repr(state.public().turn) + "\n".join(map(str, state.acts))
    assert TOLD in told
    assert ALTERNATING not in told
    assert "red" not in told.replace("required", "").replace("expired", "").split()


def test_everybody_deals_once() -> None:
    start = START
    string = "play 8C 9D 2C 3D 4C 5D 6C 7H 8C 9H TC JH QC KD"
    for dealer in (4, 1, 2, 3):
        assert start.dealer == dealer
        others = start.following(dealer)
        deal = "|".join(f"deal {seat} {backs(14)}" for seat in others)
        state = played(GAME, start, "declare own", deal, "deal main 5H",
                       f"{others[0]} {string}|judge right")  # fmt: skip
        over = dealer == 3
        assert any(call.id == "eleusis.match" for call in state.calls) is over
        start = GAME.follow(state.play(Act.parse("clear")))
    assert start.scores == ()


def test_penalties_owed_at_the_end_are_dealt_before_the_scores() -> None:
    """ "they still retain their hand and receive their penalty cards, as normal" """
    state = after(*up_to(40), sealed="")
    for _ in range(3):
        last = state.play(Act.parse(f"{state.actor} play KD")).play(Act.parse("judge wrong"))
        deal = f"deal {state.actor} ?? ??"
        state = last.play(Act.parse(deal))
    assert (last.ended, last.settled) == (True, False)
    assert [str(one.fill(backs_of(one.pick))) for one in last.turn.awaited] == [deal]
    assert state.settled


def backs_of(count: int) -> tuple[Card, ...]:
    return (BACK,) * count


def both_ways(*text: str) -> list[dict[int, int]]:
    """The scores of a hand whose rule is sealed, kept, or never mentioned."""
    deal = "|".join(f"deal {seat} {backs(14)}" for seat in (1, 2, 3))
    found = []
    for says in (f"declare seal {TOLD}|", "declare own|", ""):
        lines = f"{says}{deal}|deal main 5H"
        state = played(GAME, START, lines, *text, secrets=SECRETS)
        if state.sealed:
            state = state.play(Act.parse(f"declare reveal test {ALTERNATING}"))
        assert state.violations == ()
        assert state.settled
        found.append(state.settlement.scores)
    return found


def test_a_hand_is_scored_alike_whether_the_rule_was_entered_or_not() -> None:
    string = "1 play 8S 9D TS JD QS KD AS 2D 3S 4D 5S 6D 7S"
    text = (f"1 play 6S|judge right|2 play 7D 8D|judge wrong|deal 2 {backs(4)}",
            f"3 play 7D|judge right|{string}|judge right")  # fmt: skip
    sealed, kept, untold = both_ways(*text)
    assert sealed == kept == untold == {1: 16, 2: 0, 3: 3, 4: 16}


def test_a_rule_may_be_sealed_or_kept_until_the_first_card_is_played() -> None:
    deal = "|".join(f"deal {seat} {backs(14)}" for seat in (1, 2, 3))
    dealt = played(GAME, START, deal, "deal main 5H")
    assert called(dealt) == ["eleusis.untold"]
    for says in (f"declare seal {TOLD}", "declare own"):
        state = dealt.play(Act.parse(says))
        assert state.violations == ()
        assert state.play(Act.parse("1 play 6S")).violations == ()
    late = dealt.play(Act.parse("1 play 6S")).play(Act.parse(f"declare seal {TOLD}"))
    assert rules_of(late) == ["not-now"]
    assert not late.sealed


def test_a_string_may_have_any_number_of_cards() -> None:
    string = "1 play 6S 7D 8S 9D TS JD QS KD AS 2D 3S 4D 5S 6D 7S 8D"
    state = after(f"1 play 6D|judge wrong|deal 1 {backs(2)}|2 play 6S|judge right",
                  "3 play 7D|judge right", string.replace("6S 7D 8S", "8S"))  # fmt: skip
    assert rules_of(state) == []
    longer = f"1 play 6D|judge wrong|deal 1 {backs(2)}|2 play 6D|judge wrong|deal 2 ?? ??|3 play 6S"
    state = after(f"{longer}|judge right", "1 play 7D 8S 9D TS JD QS KD AS 2D 3S 4D 5S 6D 7S 8D")
    assert rules_of(state) == []
    assert len(state.pending) == 15


def test_express_lets_any_player_guess_after_a_right_card() -> None:
    """ "If a player believes they know the rule of play, they may simply guess it out loud after
    any correct play." """
    state = after("1 play 6S|judge right|3 declare guess|judge wrong|2 declare guess|judge right",
                  game=EXPRESS, sealed="")  # fmt: skip
    assert rules_of(state) == []
    assert state.settlement.scores == {1: 1, 2: 0 + 6, 3: 0, 4: 6}
    own = after("1 play 6S|judge right|3 declare guess", game=Eleusis(express=True, guess="own"))
    assert rules_of(own) == ["out-of-turn"]


def test_a_wrong_guess_costs_nothing_and_does_not_move_the_turn() -> None:
    state = after("1 play 6S|judge right|3 declare guess|judge wrong", game=EXPRESS)
    assert (state.actor, state.owing) == (2, ())
    assert rules_of(state.play(Act.parse("3 declare guess"))) == ["out-of-turn"]  # once a card
    assert rules_of(state.play(Act.parse("2 play 7D"))) == []


def test_nobody_guesses_once_the_next_card_is_laid() -> None:
    state = after("1 play 6S|judge right|2 play 7D|1 declare guess", game=EXPRESS)
    assert rules_of(state) == ["not-now"]


ONE_BY_ONE = ["6S", "7D", "8S", "9D", "TS", "JD", "QS", "KD", "AS", "2D", "3S", "4D"]


def run_down(count: int) -> list[str]:
    """Seat 1 plays `count` right cards; the others, except the last, play wrong ones."""
    text = []
    for rank, card in zip("A23456789TJQ", ONE_BY_ONE[:count], strict=False):
        text += [f"1 play {card}", "judge right"]
        wrong = "H" if card[1] == "D" else "C"
        for seat in (2, 3) if card != ONE_BY_ONE[-1] else ():
            text += [f"{seat} play {rank}{wrong}", "judge wrong", f"deal {seat} ?? ??"]
    return text


@pytest.mark.parametrize("sealed", [TOLD, ""])
def test_the_last_card_of_a_hand_may_be_guessed_about_too(sealed: str) -> None:
    state = after(*run_down(12), game=EXPRESS, sealed=sealed)
    assert state.ended
    state = state.play(Act.parse("3 declare guess")).play(Act.parse("judge right"))
    if sealed:
        state = state.play(Act.parse(f"declare reveal test {ALTERNATING}"))
    assert rules_of(state) == []
    assert state.settlement.scores[1] == 12 + 3
    assert state.settlement.scores[3] - state.settlement.scores[2] == 6


def test_express_no_play_with_one_card_depletes_the_hand() -> None:
    state = after(*run_down(11), "1 declare no-play|1 show 4S|judge right", game=EXPRESS, sealed="")
    assert rules_of(state) == []
    assert state.settlement.scores[1] == 12 + 3


def test_equal_states_are_equal_and_undo_is_replay() -> None:
    """What somebody entered is known only to its holder; the same acts give the same state."""
    acts = [Act.parse(line) for line in
            (f"declare seal {TOLD}", *(f"deal {seat} {backs(14)}" for seat in (1, 2, 3)),
             "deal main 5H", "1 play 6D")]  # fmt: skip
    told, untold = Match(GAME, START, SECRETS), Match(GAME, START)
    for act in acts:
        told.play(act)
        untold.play(act)
    assert [one.words for one in told.state.turn] == [(("wrong",),)]
    assert [one.words for one in untold.state.turn] == [(("right",), ("wrong",))]
    again = Hand(GAME, START, list(acts), secrets=SECRETS)
    assert again.state == told.state
    assert Hand(GAME, START, list(acts)).state == untold.state != told.state
    before = told.state
    told.undo()
    assert told.play(acts[-1]) == before
    untold.confide(SECRETS)
    assert untold.state == told.state


def test_the_public_state_says_what_the_device_calls_and_not_the_rule() -> None:
    state = after("1 play 6D")
    public = state.public()
    assert str(public.turn.due) == "judge wrong"
    assert public.rule is None
    assert ALTERNATING not in repr(state)
