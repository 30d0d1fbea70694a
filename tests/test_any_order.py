"""What a rule document leaves open stays open: portions, orders, repeated words.

Each test is named after the sentence that it is about.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.acts import Act
from rules.cards import parse_cards
from rules.errors import ActError
from rules.game import AnyGame
from rules.games import GAMES
from rules.games.big_three import BigThree
from rules.games.chinese_poker import ChinesePoker
from rules.games.democracy import Democracy
from rules.games.eleusis import Eleusis
from rules.games.fipsen import Fipsen
from rules.games.guts import Guts
from rules.games.mille import Mille
from rules.games.oklahoma_rummy import OklahomaRummy
from rules.games.open_face_chinese_poker import OpenFaceChinesePoker
from rules.games.pai_gow_poker import PaiGowPoker
from rules.games.panguingue import Panguingue
from rules.games.pif_paf import PifPaf
from rules.games.pineapple import Pineapple
from rules.games.rams import Rams
from rules.games.seven_and_a_half import SevenAndAHalf
from rules.games.three_thirteen import ThreeThirteen, ThreeThirteenState, hand_size
from rules.games.tribello import Tribello
from rules.melds.spreads import SpreadState
from rules.start import Level, Start
from rules.state import State
from tests.play import play_hand, start_for


def after(state: State, lines: str) -> State:
    """The state after these acts, none of which may be flagged."""
    for line in filter(None, map(str.strip, lines.splitlines())):
        state = state.play(Act.parse(line))
        assert not state.violations, (line, state.violations)
    return state


def opened(game: AnyGame, **more: Any) -> State:
    state: State = game.open(start_for(game, **more))
    return state


def backs(count: int) -> str:
    return " ".join(["??"] * count)


DEALT: dict[type[AnyGame], tuple[int, tuple[str, ...]]] = {
    PifPaf: (9, ()),
    Mille: (15, ()),
    OklahomaRummy: (13, ()),
    ThreeThirteen: (3, ()),
    Eleusis: (14, ()),
    Rams: (5, ("widow",)),
    Tribello: (13, ("widow",)),
    Democracy: (5, ("pool",)),
    BigThree: (16, ()),
}
"""How many cards each player gets in the games whose document says no more, and what else is
dealt."""


@pytest.mark.parametrize("kind", DEALT, ids=lambda kind: kind.name)
def test_deal_so_many_cards_to_each_player(kind: type[AnyGame]) -> None:
    """One card at a time, round by round from the dealer's left, is a deal like any other."""
    size, besides = DEALT[kind]
    more: dict[str, Any] = {"notes": (("deal", "4"),)} if kind is Tribello else {}
    state = opened(kind(), level=Level.NONE, **more)
    if state.phase == "ante":
        state = after(state, f"{state.start.dealer} ante")
    ring = (*state.start.following(state.dealer), state.dealer)
    players = [str(seat) for seat in ring if kind is not Eleusis or seat != state.dealer]
    for _ in range(size):
        state = after(state, "\n".join(f"deal {spot} ??" for spot in (*players, *besides)))
    assert all(len(state.table.at(spot)) == size for spot in (*players, *besides))


@pytest.mark.parametrize("order", ["1 2 3", "3 1 2", "3 2 1"])
@pytest.mark.parametrize("level", [Level.AMOUNTS, Level.WHO])
def test_deal_one_card_to_each_active_player_including_the_dealer(level: Level, order: str) -> None:
    bets = "2 bet 5\n3 bet 5" if level is Level.AMOUNTS else "2 bet\n3 bet"
    state = after(opened(SevenAndAHalf(), level=level), f"{bets}\nclose")
    state = after(state, "\n".join(f"deal {seat} ??" for seat in order.split()))
    assert (state.phase, state.turn.seats) == ("playing", (2,))
    late = opened(SevenAndAHalf(), level=level, seats=4)
    assert after(late, f"{bets}\nclose").play(Act.parse("deal 4 ??")).violations


def test_a_batch_of_three_cards_to_each_player() -> None:
    """If the document gives the portions, they are required."""
    state = opened(Fipsen())
    assert state.play(Act.parse("deal 3 ??")).violations


def exchanging() -> State:
    state = opened(Tribello(), notes=(("deal", "7"),))
    hands = "\n".join(f"deal {spot} {backs(13)}" for spot in ("2", "3", "1", "widow"))
    return after(state, hands)


def test_discarding_any_number_of_cards_that_they_wish_and_drawing_the_same_number() -> None:
    state = after(exchanging(), "1 discard ?? ?? ??\n1 discard ??\n1 draw widow ?? ??")
    assert state.phase == "exchange"
    assert state.play(Act.parse("1 discard ??")).violations
    state = after(state, "1 draw widow ?? ??\n2 discard ?? ??\n2 draw widow ?? ??\n3 pass")
    assert state.phase == "playing"


BATCHES = "\n".join(
    (
        *(f"deal {seat} {backs(3)}" for seat in (2, 3, 4, 1)),
        f"deal skat {backs(2)}",
        *(f"deal {seat} {backs(2)}" for seat in (2, 3, 4, 1)),
        f"deal rest {backs(3)}",
    )
)


def contract(bid: str) -> State:
    return after(opened(Fipsen()), f"{BATCHES}\n2 bid {bid}\n3 pass\n4 pass\n1 pass")


def test_declare_one_or_more_of_the_following_modifiers() -> None:
    """In any order."""
    assert contract("3 durch ruten hand").phase == "playing"


def test_draw_both_the_skat_and_the_three_undealt_cards() -> None:
    """In either order, and the five discards bit by bit."""
    drawn = "2 draw rest ?? ??\n2 draw skat ?? ??\n2 draw rest ??"
    state = after(contract("kieker"), f"{drawn}\n2 discard ?? ?? ??\n2 discard ?? ??")
    assert state.phase == "naming"


def test_they_may_surrender_before_game_play_starts() -> None:
    """Even after trumps were named."""
    drawn = f"2 draw skat {backs(2)}\n2 draw rest {backs(3)}\n2 discard {backs(5)}"
    state = after(contract("kieker"), f"{drawn}\n2 declare hearts\n2 fold")
    assert [(one.seat, one.points) for one in state.points] == [(2, -5)]


def test_if_the_player_made_a_ruten_bid_this_must_be_diamonds() -> None:
    """It may be announced, too."""
    assert after(contract("3 hand ruten"), "2 declare diamonds").phase == "playing"


TRICKS = "2 play AS\n3 play 7S\n4 play 8S\n1 play 9S\ngather\n2 play AH\n3 play 7H\n4 play 8H"


@pytest.mark.parametrize("said", ["stand", "declare durch"])
def test_they_have_the_option_to_call_an_immediate_end_to_game_play(said: str) -> None:
    """Even while the trick that made the contract is still on the table."""
    state = after(contract("2 hand"), f"2 declare clubs\n{TRICKS}\n1 play 9H\n2 {said}\ngather")
    assert (state.phase == "scored") is (said == "stand")


def test_picks_up_the_widow_and_adds_it_to_their_hand() -> None:
    deal = "\n".join(f"deal {seat} {backs(16)}" for seat in (1, 2, 3))
    state = after(opened(BigThree()), f"{deal}\ndeal widow {backs(4)}\n2 bid 3")
    state = after(state, "2 draw widow ??\n2 draw widow ?? ??")
    assert state.phase == "widow"
    assert after(state, "2 draw widow ??").phase == "playing"


def test_each_player_declares_in_or_out() -> None:
    """A player who has said "out" may throw the cards away at any time."""
    deal = "\n".join(f"deal {seat} ?? ??" for seat in (2, 3, 4, 1))
    state = after(opened(Guts()), f"ante\n{deal}\n2 declare out\n3 declare in\n2 fold\n4 fold")
    state = after(state, "1 declare out\n3 show AS AH\n1 fold")
    assert state.phase == "paying"


def test_they_are_not_required_to_show_their_hole_cards_to_anyone() -> None:
    """But they may."""
    state = after(opened(Pineapple(), level=Level.NONE), "deal 2 ?? ?? ??\ndeal 3 ?? ?? ??")
    state = after(
        state, "deal 4 ?? ?? ??\ndeal 1 ?? ?? ??\n2 fold\n3 fold\n4 fold\n1 show AS KD QH"
    )
    assert state.phase == "paying"


def test_they_turn_their_five_cards_face_up_and_split_them_any_way_they_wish() -> None:
    state = opened(OpenFaceChinesePoker(), seats=2)
    state = after(state, f"deal 2 {backs(5)}\ndeal 1 {backs(5)}")
    split = "2 lay 2.back AS AD KC\n2 show 7D 2H\n2 lay 2.front 7D 2H"
    assert after(state, split).phase == "turning-up"


def test_declare_and_reveal_the_natural_prior_to_the_other_hands_being_exposed() -> None:
    """Six pairs may be noticed once the rows are set."""
    pairs = "AS AH KS KH QS QH JS JH TS TH 9S 9H 2D"
    others = "2C 3C 4C 5C 6C 7C 8C 2S 3S 4S 5S 6S 7S"
    dealt = "\n".join(f"deal {seat} {_down(cards)}" for seat, cards in ((2, pairs), (1, others)))
    state = after(opened(ChinesePoker(), seats=2), dealt)
    state = after(state, f"{_set(2, pairs)}{_set(1, others)}2 declare six-pair\nclose")
    back, middle, front = _rows(pairs)
    shown = f"turn 2.back {back}\nturn 2.middle {middle}\nturn 2.front {front}"
    assert after(state, f"{shown}\nclose").settlement.net == {2: 3, 1: -3}
    early = after(opened(ChinesePoker(), seats=2), dealt)
    early = after(early, f"{_set(2, pairs)}2 declare six-pair\n{_set(1, others)}close")
    assert after(early, f"{shown}\nclose").settlement.net == {2: 3, 1: -3}
    begun = after(opened(ChinesePoker(), seats=2), dealt)
    begun = after(begun, f"2 lay 2.back {_down(back)}\n2 declare six-pair\n{_set(1, others)}close")
    shown = f"turn 2.back {back}\n2 show {middle} {front}"
    assert after(begun, f"{shown}\nclose").settlement.net == {2: 3, 1: -3}


def _rows(cards: str) -> tuple[str, str, str]:
    words = cards.split()
    return " ".join(words[:5]), " ".join(words[5:10]), " ".join(words[10:])


def _down(cards: str) -> str:
    return " ".join(f"({card})" for card in cards.split())


def _set(seat: int, cards: str) -> str:
    back, middle, front = map(_down, _rows(cards))
    rows = f"{seat} lay {seat}.back {back}\n{seat} lay {seat}.middle {middle}\n"
    return f"{rows}{seat} lay {seat}.front {front}\n"


def test_the_following_hands_go_to_the_other_players() -> None:
    """The dice decide to whom; nobody waits for a neighbour to pick theirs up."""
    state = opened(PaiGowPoker(formal_deal=True), level=Level.NONE, seats=3)
    hands = [spot for spot in state.spots if spot.startswith("hand")]
    for _ in range(7):
        state = after(state, "\n".join(f"deal {hand} ??" for hand in hands))
    for wrong in ("bid 2", "bid 19", "bid 3 4"):
        with pytest.raises(ActError, match="the total of three dice, from 3 to 18"):
            state.play(Act.parse(wrong))
    state = after(state, "bid 3")
    taken = [f"move {hand} {seat} {backs(7)}" for hand, seat in reversed(state.untaken)]  # type: ignore[attr-defined]
    assert after(state, "\n".join(taken)).phase == "setting"


def test_the_player_is_dealt_two_cards_to_add_to_their_hand() -> None:
    deal = "\n".join(f"deal {seat} {backs(14)}" for seat in (2, 3, 4))
    state = after(opened(Eleusis()), f"declare own\n{deal}\ndeal main 7S\n2 play 8H\njudge wrong")
    assert after(state, "deal 2 ??\ndeal 2 ??").turn.awaited[0].seats == (3,)


def test_they_may_expose_their_hand_and_call_no_play() -> None:
    deal = "\n".join(f"deal {seat} {backs(14)}" for seat in (2, 3, 4))
    state = after(opened(Eleusis()), f"declare own\n{deal}\ndeal main 7S\n2 declare no-play")
    state = after(state, "2 show 8H\n2 show 9H TH\n2 show JH QH KH AH 2H 3H 4H 5H 6H 7H 8D")
    assert state.phase == "judging"


def test_a_third_and_possibly_fourth_deck_handy() -> None:
    """Eight players with fourteen cards each need more than two packs."""
    game = Eleusis(packs=2)
    assert len(game.deck(start_for(game, seats=9))) == 3 * 52
    assert len(game.deck(start_for(game, seats=4))) == 2 * 52


def melding(
    hand: str, upcard: str, game: Panguingue | None = None, others: dict[str, str] | None = None
) -> SpreadState:
    """A state in which seat 4 begins with `hand`, `others` hold theirs, and `upcard` is face up."""
    game = game or Panguingue()
    start: Start = start_for(game, level=Level.NONE)
    held = {spot: parse_cards(cards) for spot, cards in {"4": hand, **(others or {})}.items()}
    deck = list(game.deck(start))
    for card in (*(card for cards in held.values() for card in cards), *parse_cards(upcard)):
        deck.remove(card)
    random.Random(hand).shuffle(deck)
    state: State = game.open(start)
    while state.phase != "drawing":
        one = state.turn.awaited[0]
        if one.verb != "deal":
            state = state.play(one.fill())
            continue
        spot = one.spots[0]
        if not one.down:
            cards = parse_cards(upcard)
        elif spot in held:
            have = len(state.table.at(spot))
            cards = held[spot][have : have + one.pick]
        else:
            cards = tuple(deck.pop() for _ in range(one.pick))
        state = state.play(one.fill(cards))
    assert isinstance(state, SpreadState)
    assert state.actor == 4
    return state


@pytest.mark.parametrize("meld", ["7H 6H 5H", "5H 6H 7H"])
def test_if_a_player_draws_from_the_stock_they_may_either_meld_it_or_discard_it(meld: str) -> None:
    """The seven is drawn; that the hand's five is on the discards too changes nothing."""
    hand = "6H 5H AC 2D 4S KS JC QD 3C 7D"
    state = melding(hand, upcard="5H")
    state = after(state, f"4 meld {meld}")  # type: ignore[assignment]
    assert [str(card) for card in state.upcards] == ["5H"]
    assert len(state.hand(4)) == 8


def test_when_a_player_has_formed_their_entire_hand_into_melds_they_may_go_out() -> None:
    """Two aces are less than an eight, and yet all is melded once the eight is discarded."""
    game = ThreeThirteen()
    state = game.open(start_for(game, notes=(("cards", "6"),)))
    assert isinstance(state, ThreeThirteenState)
    assert hand_size(state.start) == 6
    hand = parse_cards("AC AD 8C 6D TC JC QC")
    assert [str(card) for card in state.finishing(hand)] == ["8C"]


def refusal(state: State, line: str) -> str:
    """Why an act cannot be played; empty if it can."""
    try:
        state.play(Act.parse(line))
    except ActError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", sorted(GAMES))
def test_an_act_that_names_no_card_is_refused_in_one_line(name: str) -> None:
    """Or it is treated like any other act: nothing else may happen."""
    game = GAMES[name]()
    for state in play_hand(game, start_for(game), random.Random(5))[:60]:
        if state.over:
            continue
        for verb in sorted(game.vocabulary):
            for line in (f"2 {verb}", f"2 {verb} discards", f"2 {verb} 2", f"{verb} discards"):
                assert "\n" not in refusal(state, line), line


def test_if_only_a_turned_card_may_be_taken_its_equal_comes_from_the_stock() -> None:
    """In this house a king discarded from a hand may not be taken; one from the stock may."""
    state = melding(
        "6H 5H KH 2D 4S KS JC QD 3C 7D",
        upcard="2S",
        game=Panguingue(upcard="stock"),
        others={"3": "KC KD AC 2C 4H 6S JD QC 3D 7S"},
    )
    state = after(state, "4 meld 7H 6H 5H\n4 discard KH\n3 meld KH KC KD")  # type: ignore[assignment]
    assert [str(card) for card in state.upcards] == ["KH"]


ANTEING = [Guts(), Pineapple(forced="ante"), PifPaf(), Panguingue(), GAMES["anaconda"]()]
ANTEING += [GAMES["soko"](), GAMES["paiute"]()]


@pytest.mark.parametrize("level", [Level.AMOUNTS, Level.WHO])
@pytest.mark.parametrize("game", ANTEING, ids=lambda game: str(game.name))
def test_all_players_ante(game: AnyGame, level: Level) -> None:
    """At once, as the dealer says, or each by name; nobody's chips are in before all are."""
    state = opened(game, seats=3, level=level)
    at_once, waiting = after(state, "ante"), after(state, "2 ante\n3 ante")
    one_by_one = after(waiting, "1 ante")
    assert one_by_one.settlement == at_once.settlement
    assert one_by_one.turn.awaited == at_once.turn.awaited
    assert after(waiting, "ante").turn.awaited == at_once.turn.awaited
    assert waiting.turn.awaited == state.turn.awaited
    assert waiting.play(Act.parse("2 ante")).violations, "nobody antes twice"
