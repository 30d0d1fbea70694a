"""Sentences of the rule documents, played out and paid by figures worked out by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Deck, Rank
from rules.games import GAMES
from rules.settlement import POT
from rules.start import Start
from rules.state import State
from tests.draws import NIGHTLY
from tests.play import play_hand, start_for

Cards = Mapping[int, str]


def table(game: str, *lines: str, variant: str = "", **start: Any) -> State:
    """The state after the acts in `lines`; house rules are given as `rules`."""
    rules = start.pop("rules", {})
    given = {"seats": (1, 2, 3), "dealer": 3, "limits": (2, 4), **start}
    return after(GAMES[game].with_rules(rules, variant).open(Start(**given)), *lines)


def after(state: State, *lines: str) -> State:
    """The state after more acts, none of which is flagged."""
    for line in lines:
        state = state.play(Act.parse(line))
        assert not state.open_violations, line
    return state


def net(state: State) -> dict[int, int]:
    """What each seat has won or lost."""
    return {seat: chips for seat, chips in state.settlement.net.items() if seat != POT}


def down(cards: str) -> str:
    return " ".join(f"({card})" for card in cards.split())


def onward(state: State) -> Start:
    """The start of the next hand."""
    cleared = after(state, "clear")
    assert cleared.over
    following: Start = cleared.game.follow(cleared)
    return following


# Guts.


def guts(hands: Cards, inside: Sequence[int], pot: int = 25, **rules: str) -> State:
    """A hand with `pot` left from before, the last seat dealing."""
    seats = tuple(hands)
    state = table("guts", seats=seats, dealer=seats[-1], pot=pot, rules=rules)
    for card in range(2):
        state = after(state, *(f"deal {s} ({hands[s].split()[card]})" for s in seats))
    state = after(state, *(f"{s} declare in" if s in inside else f"{s} fold" for s in seats))
    return after(state, *(f"{s} show {hands[s]}" for s in inside if len(inside) > 1))


FOUR: Cards = {1: "AS KD", 2: "QC KH", 3: "QS JD", 4: "TS 9D"}


def test_if_the_pot_was_25_each_of_the_three_losers_contributes_25() -> None:
    state = guts(FOUR, (1, 2, 3, 4))
    assert net(state) == {1: 25, 2: -25, 3: -25, 4: -25}
    assert onward(state).pot == 75


def test_tied_winners_split_the_pot_and_the_remainder_stays_as_flavor() -> None:
    state = guts({**FOUR, 2: "AC KH"}, (1, 2, 3, 4))
    assert net(state) == {1: 12, 2: 12, 3: -25, 4: -25}
    assert onward(state).pot == 51
    alone = guts({1: "AS KD", 2: "AC KH"}, (1, 2))
    assert net(alone) == {1: 12, 2: 12}
    assert onward(alone).pot == 1


def test_one_player_who_remained_in_takes_the_pot_uncontested() -> None:
    state = guts(FOUR, (2,))
    assert net(state) == {2: 25}
    assert onward(state).pot == 0
    assert onward(state).dealer == 1


def test_a_pair_of_twos_outranks_ace_and_king() -> None:
    assert net(guts({1: "2S 2D", 2: "AC KH"}, (1, 2), 10)) == {1: 10, 2: -10}


def test_losing_players_add_to_the_pot_until_it_exceeds_the_maximum() -> None:
    assert net(guts(FOUR, (1, 2, 3, 4), maximum="20")) == {1: 25, 2: -20, 3: -20, 4: -20}
    literal = guts(FOUR, (1, 2, 3, 4), maximum="40", literal_cap="yes")
    assert net(literal) == {1: 25, 2: -25, 3: -25}


# Pineapple.


def pineapple(
    hands: Cards, bets: Sequence[str], board: str, variant: str = "", **start: Any
) -> State:
    """A whole hand: `bets` street by street, each player's third card discarded."""
    seats = tuple(hands)
    state = table("pineapple", "ante", variant=variant, seats=seats, **start)
    order = (*state.start.following(state.dealer), state.dealer)
    for card in range(3):
        state = after(state, *(f"deal {seat} ({hands[seat].split()[card]})" for seat in order))
    said, cards = [*bets, "", "", ""], board.split()
    state = _bets(state, said[0])
    for street, shown in enumerate((cards[:3], cards[3:4], cards[4:]), 1):
        if street == (2 if variant else 1):
            state = _thirds(state, hands)
        state = _bets(after(state, "burn ??", f"deal board {' '.join(shown)}"), said[street])
    for one in [one for one in state.turn.awaited if one.verb is Verb.SHOW]:
        seat = one.seats[0]
        state = after(state, f"{seat} show {' '.join(hands[seat].split()[:2])}")
    return state


def _bets(state: State, said: str) -> State:
    return after(state, *(line.strip() for line in said.split(";") if line.strip()))


def _thirds(state: State, hands: Cards) -> State:
    seats = [one.seats[0] for one in state.turn.awaited if one.verb is Verb.DISCARD]
    return after(state, *(f"{seat} discard ({hands[seat].split()[2]})" for seat in seats))


def test_three_who_are_all_in_play_for_a_pot_and_a_side_pot() -> None:
    """30 in the main pot and 40 in the side pot; 70 of seat 3's 100 are called by nobody."""
    hands = {1: "AS AD 2C", 2: "KS KD 3C", 3: "QS QD 4C"}
    state = pineapple(
        hands, ["3 raise 100; 1 call; 2 call"], "2H 7D 9C JS 3H", dealer=3,
        stacks=((1, 10), (2, 30), (3, 100)), rules={"betting": "no-limit"},
    )  # fmt: skip
    assert net(state) == {1: 20, 2: 10, 3: -30}


def test_the_pot_is_split_between_the_best_hand_and_the_best_eight_or_better() -> None:
    """Main pot 21: 11 high, and 10 shared by two equal lows; side pot 20: 10 each."""
    hands = {1: "AS 2D KC", 2: "KS KD QC", 3: "AH 2C QH", 4: "TS TD 9C"}
    bets = ["3 raise 7; 4 fold; 1 call; 2 call", "2 bet 10; 3 call", *["2 check; 3 check"] * 2]
    state = pineapple(
        hands, bets, "3C 5D 8H KH 9S", "crazy-hi-lo", dealer=4, rules={"betting": "no-limit"},
        stacks=((1, 7), (2, 100), (3, 100), (4, 100)),
    )  # fmt: skip
    assert net(state) == {1: -2, 2: 4, 3: -2}


def test_without_a_low_of_eight_or_better_the_best_hand_has_it_all() -> None:
    hands = {1: "AS 2D KC", 2: "KS KD QC", 3: "AH 2C QH", 4: "TS TD 9C"}
    checks = "1 check; 2 check; 3 check; 4 check"
    bets = ["3 call; 4 call; 1 call; 2 check", checks, checks, checks]
    state = pineapple(hands, bets, "JC QD 8H KH 9S", "crazy-hi-lo", dealer=4)
    assert net(state) == {1: -2, 2: -2, 3: -2, 4: 6}  # a straight to the king


# Chinese Poker.

DRAGON = "2C 3D 4H 5S 6C 7D 8H 9S TC JD QH KS AC"
FLUSHES = ("3C 7C 9C", "2S 4S 7S 8S TS", "2H 3H 6H 9H JH")
FULL = ("4C 4D 5H", "AD AH AS QS JS", "KC KD KH QC QD")
POOR = ("5C 2D 6D", "8C 7H 9D TH 3S", "JC 8D TD 5D 6S")
LAID = ("front", "middle", "back")


def laid(seat: int, rows: Sequence[str]) -> list[str]:
    return [f"{seat} lay {seat}.{name} {down(row)}" for name, row in zip(LAID, rows, strict=True)]


def opened(seat: int, rows: Sequence[str]) -> list[str]:
    return [f"turn {seat}.{name} {row}" for name, row in zip(LAID, rows, strict=True)]


def dealt(*hands: str) -> list[str]:
    return [f"deal {seat} {down(hand)}" for seat, hand in enumerate(hands, 1)]


def test_a_natural_is_declared_and_revealed_prior_to_the_other_hands_being_exposed() -> None:
    """The dragon takes 13 from each, the flushes 3 from those without; surrender costs 2 each."""
    deal = dealt(DRAGON, " ".join(FLUSHES), " ".join(FULL), " ".join(POOR))
    state = table("chinese-poker", *deal, seats=(1, 2, 3, 4), dealer=4)
    state = after(state, "1 declare dragon", f"1 show {DRAGON}")
    for seat, rows in ((2, FLUSHES), (3, FULL), (4, POOR)):
        state = after(state, *laid(seat, rows))
    state = after(state, "2 declare three-flushes", *opened(2, FLUSHES), "close")
    state = after(state, "4 declare surrender", "close")
    assert net(state) == {1: 39 + 2, 2: -13 + 6 + 2, 3: -13 - 3 + 2, 4: -13 - 3 - 6}


@pytest.mark.parametrize(
    ("first", "second", "paid"),
    [
        (("9C 9D 9H", "5C 5D 5H 2C 2D", "7C 7D 7H 7S 3C"),
         ("KC QD 4H", "TC TD 8C 6D 3D", "AC AD JH JD 4C"), 3 + 2 + 4 + 3),
        (("KC KD 2H", "3C 3D 3H 3S 4D", "5S 6S 7S 8S 9S"),
         ("9C QD 4H", "TC TD 8C 6D 2C", "AC AD JH JD 4C"), 1 + 4 + 5 + 3),
        (("AC AD KH", "TC 9D 8C 6D 2C", "QC JD 5H 4C 3D"),
         ("9C QD 4H", "TD TH 8H 6H 2H", "AS AH JH JS 4S"), -6),
        (("KC KD 2H", "AC AD 8H 7S 3C", "5S 6S 7D 8S 9S"),
         ("9C QD 4H", "TC TD 8C 6D 2C", "AS QS JS 3S 2S"), 1 + 1 - 1),
    ],
)  # fmt: skip
def test_higher_rates_are_paid_if_the_hand_wins_and_a_scoop_three_more(
    first: Sequence[str], second: Sequence[str], paid: int
) -> None:
    deal = dealt(" ".join(first), " ".join(second))
    state = table("chinese-poker", *deal, seats=(1, 2), dealer=2)
    state = after(state, *laid(1, first), *laid(2, second), "close", "close")
    state = after(state, *opened(1, first), *opened(2, second))
    assert net(state) == {1: paid, 2: -paid}


def test_if_there_are_two_dragons_they_tie() -> None:
    other = "2D 3C 4S 5H 6D 7C 8S 9H TD JC QS KH AD"
    state = table("chinese-poker", *dealt(DRAGON, other), seats=(1, 2), dealer=2)
    state = after(state, "1 declare dragon", f"1 show {DRAGON}", "2 declare dragon", "close")
    assert net(after(state, f"2 show {other}")) == {}


# Open-Face Chinese Poker.


def open_face(rows: Mapping[int, Sequence[str]], dreaming: Sequence[int] = ()) -> State:
    """All hands set, back, middle, front; fantasyland takes longest."""
    seats, note = tuple(rows), (("fantasyland", " ".join(map(str, dreaming))),) if dreaming else ()
    state = table("open-face-chinese-poker", seats=seats, dealer=seats[-1], notes=note)
    state = after(state, *(f"deal {seat} {down(rows[seat][2])}" for seat in seats))
    state = after(
        state, *(f"deal {s} {down(rows[s][1] + ' ' + rows[s][0])}" for s in seats if s in dreaming)
    )
    others = [seat for seat in seats if seat not in dreaming]
    for seat in others:
        state = after(
            state, f"{seat} show {rows[seat][2]}", f"{seat} lay {seat}.back {rows[seat][2]}"
        )
    for place in range(8):
        for seat in others:
            front, middle, _ = (row.split() for row in rows[seat])
            row, card = [*(("middle", c) for c in middle), *(("front", c) for c in front)][place]
            state = after(state, f"deal {seat}.{row} {card}")
    for seat in dreaming:
        state = after(state, *laid(seat, rows[seat]))
    return after(state, *(line for seat in dreaming for line in opened(seat, rows[seat])))


QUEENS = ("QC QD 2H", "3C 3D 3H 4S 4D", "5S 6S 7S 8S 9S")
SIXES = ("6C 6H KH", "TC TD 8C 6D 2C", "AC AD JH JD 4C")
FOUL = ("AC AD KH", "TC 9D 8C 6D 2C", "QC JD 5H 4C 2S")


def test_the_player_scoring_lower_pays_a_unit_per_point_for_the_difference() -> None:
    """Royalties 7, 12 and 15 and a sweep of six, less the six points for the others."""
    state = open_face({1: QUEENS, 2: SIXES})
    """Royalties 7, 12 and 15 and a sweep of six, less the royalty of 1 for the pair of sixes."""
    following = onward(state)
    assert following.note("fantasyland") == "1"
    assert following.dealer == 2, "the deal does not rotate on a fantasyland hand"


def test_a_player_who_fouled_pays_six_and_the_royalties_that_the_opponent_held() -> None:
    state = open_face({1: ("QS QH 2H", *QUEENS[1:]), 2: FOUL})
    assert net(state) == {1: 6 + 34, 2: -40}
    assert onward(state).note("fantasyland") == "1"


def test_the_other_players_play_out_the_hand_the_normal_way_meanwhile() -> None:
    """Quads at the back keep seat 1 in fantasyland; 12 - 2 from seat 2, 6 + 10 from seat 3."""
    rows = {
        1: ("2C 2D 3H", "KC KD 3S 4S 4D", "9S 9H 9D 9C 5S"),
        2: ("6C 6H KH", "TC TD 8C 6D 2H", "AC AD JH JD 4C"),
        3: ("7H 5D 4H", "QC QD TH JC 2S", "AH AS 8D 8H 3C"),
    }
    state = open_face(rows, (1,))
    assert net(state) == {1: 26, 2: -8, 3: -18}
    following = onward(state)
    assert (following.note("fantasyland"), following.dealer) == ("1", 3)


def test_after_a_fantasyland_hand_that_earns_no_other_the_deal_passes_on() -> None:
    rows = {1: ("QC QD 2H", "KC KD 3H 4S 4D", "5S 5H 7S 7C 9S"), 2: SIXES}
    state = open_face(rows, (1,))
    assert net(state) == {1: -7, 2: 7}, "a foul: fours and kings before sevens and fives"
    assert (onward(state).note("fantasyland"), onward(state).dealer) == ("", 1)


# Pif Paf.


def test_should_all_but_one_fold_that_player_takes_the_pot_and_deals_the_next_hand() -> None:
    deal = [f"deal {seat} ??" for _ in range(9) for seat in (1, 2, 3)]
    state = table("pif-paf", "ante", *deal, "1 fold", "2 bet 5", "3 fold", limits=(5, 20))
    assert net(state) == {1: -5, 2: 10, 3: -5}
    assert onward(state).dealer == 2


# Soko.


def test_the_bring_in_is_half_the_least_bet_and_a_pair_in_sight_doubles_the_limits() -> None:
    holes, first = ["deal 1 ??", "deal 2 ??", "deal 3 ??"], ["deal 1 2H", "deal 2 2C", "deal 3 KD"]
    state = table("soko", "ante", *holes, *first, limits=(5, 10))
    assert [(one.seats, one.numbers) for one in state.turn] == [((1,), (2, 10))], "ties by the left"
    state = after(state, "1 bet 2", "2 call", "3 call", "deal 1 2D", "deal 2 KC", "deal 3 QD")
    bets = [one for one in state.turn if one.verb is Verb.BET]
    assert [(one.seats, one.numbers) for one in bets] == [((2,), (10, 20))]


# Ziginette.

BANKER = 1


@pytest.mark.parametrize("seed", range(60))
def test_the_banker_collects_matched_cards_and_pays_every_wager_when_matched(seed: int) -> None:
    """Random hands, scored from the document's sentences alone."""
    dice = random.Random(seed)
    cards = list(Deck.italian())
    dice.shuffle(cards)
    while len({card.rank for card in cards[:3]}) < 3:
        dice.shuffle(cards)
    board, own = [cards[0], cards[1]], cards[2].rank
    state = table("ziginette", *(f"deal board {card}" for card in board), f"deal banker {cards[2]}",
                  banker=BANKER, dealer=None, seats=(1, 2, 3, 4), limits=(1, 50))  # fmt: skip
    staked: dict[Rank, Counter[int]] = {card.rank: Counter() for card in board}
    due: Counter[int] = Counter()
    dead: set[Rank] = set()
    for card in cards[3:]:
        for seat in (2, 3, 4):
            if dice.random() < 0.5 and board:
                on, chips = dice.choice(board), dice.randint(1, 10)
                state = after(state, f"{seat} bet {chips} {on}")
                staked[on.rank][seat] += chips
        state = after(state, "close", f"deal board {card}")
        if card.rank == own:
            for rank in {card.rank for card in board}:
                due.update(staked[rank])
            break
        if card.rank in dead:
            state = after(state, f"take board {card}")
        elif card.rank in staked:
            due.subtract(staked[card.rank])
            other = next(one for one in board if one.rank == card.rank)
            board.remove(other)
            dead.add(card.rank)
            state = after(state, f"take board {other} {card}")
            if not board:
                break
        else:
            board.append(card)
            staked[card.rank] = Counter()
    assert {seat: chips for seat, chips in net(state).items() if seat != BANKER and chips} == {
        seat: chips for seat, chips in due.items() if chips
    }
    assert onward(state).banker == (4 if state.phase == "paying" and board else 1)


# Who deals next.

LEFT, RIGHT = 2, 4
DEALS = {
    "fipsen": {LEFT, 1},
    "open-face-chinese-poker": {LEFT, 1},
    "pai-gow-poker": {RIGHT},
    "panguingue": {RIGHT},
    "ziginette": {RIGHT, 1},
}
"""Seats that may deal, or hold the bank, after seat 1 of four if it is not just the left neighbour:
play goes to the right, or the same seat deals again because all have passed, for fantasyland, or
because the banker deals another hand."""
WINNERS = {"pif-paf", "big-three", "seven-and-a-half"}
"""Games in which it depends on the winner."""


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_deal_goes_on_as_the_document_says(name: str) -> None:
    game = GAMES[name]()
    for seed in range(6 if NIGHTLY else 3):
        last = play_hand(game, start_for(game), random.Random(seed))[-1]
        following = game.follow(last)
        deals = following.banker if game.banked else following.dealer
        assert name in WINNERS or deals in DEALS.get(name, {LEFT})
        if name == "pif-paf":
            assert deals == max(net(last), key=lambda seat: net(last)[seat])


def test_a_player_may_surrender_if_nobody_has_a_natural() -> None:
    deal = dealt(" ".join(FLUSHES), " ".join(FULL))
    state = table("chinese-poker", *deal, seats=(1, 2), dealer=2)
    state = after(state, *laid(1, FLUSHES), *laid(2, FULL), "1 declare surrender")
    assert net(after(state, "close", "close")) == {1: -2, 2: 2}
    proud = after(state.moment(len(state.acts) - 1), "close")
    assert net(after(proud, "1 declare surrender", "close")) == {1: -2, 2: 2}
