"""Random hands of melds, scored a second time from the rule documents' sentences alone.

What each seat holds and has laid is worked out here from the acts alone: the scorers know neither
the engine's table nor its card values.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from rules.acts import Act, Verb
from rules.cards import SUITS, Card, Rank, Suit, parse_cards
from rules.games import GAMES
from rules.settlement import POT
from rules.state import State
from tests.draws import NIGHTLY, NIGHTLY_TIMES
from tests.play import play_hand, start_for

TIMES = NIGHTLY_TIMES if NIGHTLY else 1
"""How many times as many hands a nightly run scores."""
QUEEN, JACK = Card.parse("QS"), Card.parse("JD")
TWO = Rank.TWO


def last(game: str, seed: int, seats: int = 2, front: Sequence[Card] = (), **start: Any) -> State:
    rules = GAMES[game]()
    dice = random.Random(f"{game} {seed}")
    return play_hand(rules, start_for(rules, seats=seats, **start), dice, front)[-1]


@dataclass
class Table:
    """Hands, melds and discards, updated by the acts."""

    hands: dict[int, Counter[Card]] = field(default_factory=dict)
    melds: dict[str, list[Card]] = field(default_factory=dict)
    pile: list[Card] = field(default_factory=list)
    drawn: bool = False
    named: dict[str, list[Card]] = field(default_factory=dict)
    newest: str = ""

    def own(self, seat: int) -> dict[str, list[Card]]:
        """The melds of one seat, by their places."""
        return {name: cards for name, cards in self.melds.items() if name.startswith(f"{seat}.")}

    def place(self, act: Act, game: str) -> str:
        """Where a meld's cards go: to those of their rank in Mille, or next to the others."""
        if game == "mille":
            rank = next((card.rank for card in act.cards if card.rank is not TWO), TWO)
            return f"{act.seat}.meld-{rank.lower()}"
        return f"{act.seat}.meld-{len(self.own(act.seat or 0)) + 1}"

    def follow(self, act: Act, game: str) -> None:
        """Apply an act."""
        hand = self.hands.setdefault(act.seat or 0, Counter())
        match act.verb:
            case Verb.DEAL if act.spot == "discards":
                self.pile = [act.card]
            case Verb.DEAL:
                self.hands.setdefault(int(act.spot or 0), Counter()).update(act.cards)
            case Verb.DRAW:
                self.drawn = True
                hand.update(act.cards)
                if act.spot == "discards":
                    self.pile.remove(act.card)
            case Verb.MELD | Verb.LAY:
                if not self.drawn:
                    hand.update(self.pile)
                    self.pile, self.drawn = [], True
                self.newest = act.spot or self.place(act, game)
                self.melds.setdefault(self.newest, []).extend(act.cards)
                hand.subtract(act.cards)
            case Verb.DECLARE:
                self.named[self.newest] = list(act.cards)
            case Verb.SHUFFLE:
                self.pile = self.pile[-1:]
            case Verb.DISCARD:
                hand.subtract(act.cards)
                self.pile.append(act.card)
                self.drawn = False
            case Verb.PASS:
                self.drawn = False
            case Verb.SHOW if any(hand[c] < n for c, n in Counter(act.cards).items()):
                raise AssertionError(f"{act}: not in the hand")
            case Verb.SHOW if set(act.cards) == {QUEEN}:
                self.drawn = False


def table_of(state: State) -> Table:
    table = Table()
    for act in state.acts:
        table.follow(act, state.game.name)
        assert all(count >= 0 for hand in table.hands.values() for count in hand.values()), act
    return table


def won(state: State) -> dict[int, int]:
    """Who has won and lost chips."""
    return {seat: chips for seat, chips in state.settlement.net.items() if chips}


def scores(state: State) -> dict[int, int]:
    return {seat: state.settlement.scores.get(seat, 0) for seat in state.start.seats}


# Mille.


def mille_value(card: Card) -> int:
    """Q♠ 100, J♦ 50, aces 15, kings to tens 10, nines to threes 5, twos 20."""
    if card in (QUEEN, JACK):
        return 100 if card == QUEEN else 50
    return {"A": 15, "2": 20}.get(card.rank, 10 if card.rank in "TJQK" else 5)


def mille(table: Table, seat: int) -> tuple[int, int, bool]:
    """The hand's score, the number of naturals, and whether it is a chapeau."""
    melds, left = table.own(seat), table.hands[seat]
    wild = any(c.rank is TWO for name, m in melds.items() if not name.endswith("2") for c in m)
    score, naturals = 0, int(bool(melds) and not wild)
    for cards in melds.values():
        eight = len(cards) == 8 and len({c.rank for c in cards}) == 1 and cards[0].rank is not TWO
        naturals += eight
        score += sum(map(mille_value, cards)) * (2 if eight else 1) * (1 if wild else 2)
    score -= sum(mille_value(card) * count for card, count in left.items())
    return score, naturals, score < 0


def rare(seed: int) -> Sequence[Card]:
    """For every other hand, all eight of a rank and seven of the next, to fill the first hand."""
    ranks = [Rank(LOW[3 + (seed + more) % 10]) for more in range(2)]
    pack = [Card(rank, suit) for rank in ranks for suit in (*SUITS, *SUITS)]
    return pack[:15] if seed % 2 else ()


def test_each_player_scores_all_the_cards_they_have_melded_less_what_is_left() -> None:
    seen: Counter[str] = Counter()
    for seed in range(36 * TIMES):
        dice = random.Random(seed)
        sheet = {1: dice.randint(-200, 1190), 2: dice.randint(300, 1190)}
        marks = {
            kind: [dice.randint(0, 2), dice.randint(0, 2)] for kind in ("naturals", "chapeaux")
        }
        notes = tuple((kind, f"1:{one} 2:{two}") for kind, (one, two) in marks.items())
        state = last(
            "mille", seed, front=rare(seed), limits=(2, 6), scores=tuple(sheet.items()), notes=notes
        )
        table = table_of(state)
        counted = {seat: mille(table, seat) for seat in (1, 2)}
        assert scores(state) == {seat: score for seat, (score, _, _) in counted.items()}
        for seat, (score, naturals, chapeau) in counted.items():
            marks["naturals"][seat - 1] += naturals
            marks["chapeaux"][seat - 1] += chapeau
            sheet[seat] += score
            seen.update({f"{naturals} naturals": 1, "chapeau": chapeau})
        due, times = mille_paid(sheet, marks, scores(state))
        assert won(state) == due
        seen[f"paid {times} times"] += 1
    often = {f"{count} naturals" for count in range(3)} | {
        f"paid {times} times" for times in range(4)
    }
    assert often | {"chapeau"} <= set(+seen), seen


def mille_paid(
    sheet: dict[int, int], marks: dict[str, list[int]], hand: dict[int, int]
) -> tuple[dict[int, int], int]:
    """What the loser pays the winner at stakes of two and six, and how many times over."""
    if max(sheet.values()) < 1200 or sheet[1] == sheet[2]:
        return {}, 0
    loser, winner = sorted(sheet, key=lambda seat: sheet[seat])
    naturals, chapeaux = marks["naturals"][winner - 1], marks["chapeaux"][loser - 1]
    hundreds = [(sheet[seat] + 50) // 100 for seat in (loser, winner)]
    times = 3 if hand[loser] < 0 else 2 if sheet[loser] < 600 else 1
    chips = times * (6 * (1 + naturals + chapeaux) + 2 * (hundreds[1] - hundreds[0]))
    return {winner: chips, loser: -chips}, times


# Oklahoma Rummy.

LOW = "A23456789TJQK"


def oklahoma_value(card: Card) -> int:
    """Q♠ 50, aces 20, kings to eights 10, sevens to threes 5, also for a two that is just a two."""
    if card == QUEEN:
        return 50
    return 20 if card.rank is Rank.ACE else 10 if card.rank in "89TJQK" else 5


def is_meld(cards: Sequence[Card], twos: int) -> bool:
    """Of a kind, or in suit and sequence; the last `twos` cards are what twos stand for."""
    if len({card.rank for card in cards}) == 1:
        return True
    if len({card.suit for card in cards}) > 1 or (twos > 1 and QUEEN in cards[-twos:]):
        return False
    places = sorted(LOW.index(card.rank) for card in cards)
    high = sorted(place or len(LOW) for place in places)
    return any(
        [place - order[0] for place in order] == list(range(len(order))) for order in (places, high)
    )


def oklahoma_meld(cards: Sequence[Card], named: Sequence[Card]) -> int:
    """What a meld is worth if its twos stand for the highest cards possible."""
    naturals = [card for card in cards if card.rank is not TWO]
    twos = len(cards) - len(naturals)
    if not naturals:
        return 25 * twos
    like = {Card(naturals[0].rank, suit) for suit in SUITS}
    like |= {Card(Rank(rank), naturals[0].suit) for rank in LOW}
    best = max(
        (
            sum(map(oklahoma_value, stands))
            for stands in product(sorted(like, key=str), repeat=twos)
            if is_meld([*naturals, *stands], twos) and not Counter(named) - Counter(stands)
        ),
    )
    return sum(map(oklahoma_value, naturals)) + best


def oklahoma(table: Table, seat: int) -> int:
    """Melds and a hundred for going out, or melds less what is left in the hand."""
    melds = sum(oklahoma_meld(m, table.named.get(at, ())) for at, m in table.own(seat).items())
    left = +table.hands[seat]
    against = {QUEEN: 100, **{Card(TWO, suit): 20 for suit in SUITS}}
    held = sum(against.get(card, oklahoma_value(card)) * n for card, n in left.items())
    return melds - held if left else melds + 100


FIRST = "AC AD AH AS KC KD KH KS 9C 9D 9H 9S 5C"
SECOND = "2C 2D 2C QS QS 7H 3D 6C JS TH 4H 8D QD"


def unequal(seed: int) -> Sequence[Card]:
    """For every other hand, a player who will soon be out, plus twos and queens of spades."""
    return parse_cards(f"{FIRST} {SECOND}") if seed % 2 else ()


def test_players_tally_their_melds_and_subtract_what_is_left_in_their_hands() -> None:
    wild = out = left = 0
    for seed, players in product(range(16 if NIGHTLY else 2), range(2, 6)):
        front = unequal(seed)
        state = last("oklahoma-rummy", 10 * seed + players, seats=players, front=front)
        table = table_of(state)
        due = {seat: oklahoma(table, seat) for seat in state.start.seats}
        assert scores(state) == due
        wild += sum(any(c.rank is TWO for c in meld) for meld in table.melds.values())
        out += any(not +hand for seat, hand in table.hands.items() if seat)
        left += any(
            n and card.rank is TWO for hand in table.hands.values() for card, n in hand.items()
        )
    assert wild
    assert out
    assert left


# Panguingue.

SEQUENCES = ({"A", "2", "3"}, {"J", "Q", "K"})


def condition(cards: Sequence[Card]) -> int:
    """What each opponent pays for a meld by the list of conditions."""
    ranks, suits = {str(card.rank) for card in cards}, {card.suit for card in cards}
    spades = suits == {Suit.SPADES}
    if len(cards) < 3:
        return 0
    if len(ranks) > 1:
        return sum(ends <= ranks for ends in SEQUENCES) * (2 if spades else 1)
    if len(suits) > 1:
        return int(ranks <= {"3", "5", "7"})
    return (4 if spades else 2) if ranks <= {"3", "5", "7"} else 2 if spades else 1


@dataclass
class Pan:
    """The melds of a hand and the payments, updated by the acts."""

    seats: tuple[int, ...]
    melds: dict[str, list[Card]] = field(default_factory=dict)
    net: Counter[int] = field(default_factory=Counter)
    conditions: int = 0

    def pay(self, seat: int, chips: int) -> None:
        """Make each opponent pay."""
        for other in self.seats:
            if other != seat and chips:
                self.net[other] -= chips
                self.net[seat] += chips
        self.conditions += bool(chips)

    def free(self, seat: int) -> str:
        names = (f"{seat}.meld-{number}" for number in range(1, 5))
        return next(name for name in names if not self.melds.get(name))

    def follow(self, act: Act) -> None:
        """Apply an act: a new meld is paid, and a card added to a condition pays it again.

        A split meld pays for the conditions that it creates.
        """
        seat = act.seat or 0
        match act.verb:
            case Verb.ANTE:
                self.net.update(dict.fromkeys(self.seats, -1) | {POT: len(self.seats)})
            case Verb.FOLD:
                self.net.update({seat: -2, POT: 2})
                self.seats = tuple(other for other in self.seats if other != seat)
                if len(self.seats) == 1:
                    self.net[self.seats[0]] += self.net.pop(POT)
            case Verb.MELD:
                self.melds[self.free(seat)] = list(act.cards)
                self.pay(seat, condition(act.cards))
            case Verb.MOVE:
                source, target = self.melds[act.spot or ""], act.to or ""
                before = condition(source)
                for card in act.cards:
                    source.remove(card)
                self.melds[target] = list(act.cards)
                # Which half is moved makes no difference: what was not there before is paid.
                self.pay(seat, max(0, condition(act.cards) + condition(source) - before))
            case Verb.LAY:
                meld = self.melds[act.spot or ""]
                for card in act.cards:
                    before = condition(meld)
                    meld.append(card)
                    self.pay(seat, max(condition(meld), before) if condition(meld) else 0)
        if act.verb in (Verb.MELD, Verb.LAY, Verb.MOVE):
            self.out(seat)

    def out(self, seat: int) -> None:
        """Pay the pot, one chip from each, and each condition again."""
        own = [cards for name, cards in self.melds.items() if name.startswith(f"{seat}.")]
        if sum(map(len, own)) == 11:
            self.pay(seat, 1 + sum(map(condition, own)))
            self.net[seat] += self.net.pop(POT)


def pan_hands(count: int) -> Iterator[State]:
    for seed in range(count):
        yield last("panguingue", seed, seats=2 + seed % 5)


def test_each_of_their_opponents_pays_them_for_a_condition_and_again_for_each_card() -> None:
    paid = ended = 0
    for state in pan_hands(14 * TIMES):
        pan = Pan(state.start.seats)
        for act in state.acts:
            pan.follow(act)
        due = {seat: chips for seat, chips in pan.net.items() if chips}
        assert won(state) == due
        paid += pan.conditions
        ended += POT not in pan.net
    assert paid > 20
    assert ended > 7
