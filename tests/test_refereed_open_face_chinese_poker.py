"""Open-Face Chinese Poker followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.open_face_chinese_poker import OpenFaceChinesePoker
from rules.start import Start
from rules.state import State
from tests.play import start_for
from tests.refereed_rows import ROWS, Strength, out_of_order, worth
from tests.refereeing import match_refereed, seeded

BACK = {4: 2, 5: 4, 6: 6, 7: 10, 8: 15}
"""The royalties of the back row by kind of hand; a royal flush 25."""
QUEENS = (1, (10,))


@dataclass
class Referee:
    """The rows, whose turn it is, and who plays in fantasyland."""

    game: OpenFaceChinesePoker
    start: Start
    hands: dict[int, list[Card]] = field(default_factory=dict)
    """Cards that are not set yet."""
    dealt: Counter[int] = field(default_factory=Counter)
    rows: dict[str, list[Card]] = field(default_factory=dict)
    up: Counter[str] = field(default_factory=Counter)
    """How many of the first five, or of a row set face down, are face up."""
    first: bool = True
    """Whether the first cards are still being dealt."""

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        self.order = [*self.start.following(self.dealer), self.dealer]
        self.hands = {seat: [] for seat in self.order}
        self.rows = {f"{seat}.{row}": [] for seat in self.order for row in ROWS}
        self.dream = [int(word) for word in self.start.note("fantasyland").split()]

    def wanted(self, seat: int) -> int:
        return 13 if seat in self.dream and all(self.dealt[s] >= 5 for s in self.order) else 5

    def placed(self, seat: int) -> int:
        return sum(len(self.rows[f"{seat}.{row}"]) for row in ROWS)

    @property
    def dreaming(self) -> list[int]:
        """Who still sets thirteen cards."""
        return [seat for seat in self.dream if self.hands[seat]]

    @property
    def turn(self) -> int | None:
        """Who sets the first five, and then who gets a card."""
        others = [seat for seat in self.order if seat not in self.dream]
        setting = [seat for seat in others if self.hands[seat]]
        if setting:
            return setting[0]
        waiting = [seat for seat in others if self.placed(seat) < 13]
        return min(waiting, key=self.placed, default=None)

    @property
    def over(self) -> bool:
        if self.first or self.dreaming or self.turn is not None:
            return False
        spots = [f"{seat}.{row}" for seat in self.dream for row in ROWS]
        return all(self.up[spot] == len(self.rows[spot]) for spot in spots)

    def allows(self, act: Act) -> bool | None:
        if self.over:
            return act.verb is Verb.CLEAR
        if self.first:
            name = act.spot or ""
            seat = int(name) if name.isdecimal() else 0
            if act.verb is not Verb.DEAL or seat not in self.hands or not act.down:
                return False
            return self.dealt[seat] + len(act.cards) <= self.wanted(seat)
        if act.verb is Verb.LAY and act.seat in self.dream:
            return act.down and self.fits(act)
        if act.verb is Verb.TURN and not self.dreaming and self.turn is None:
            spot = act.spot or ""
            mine = spot in self.rows and int(spot[0]) in self.dream and not act.down
            left = len(self.rows.get(spot, [])) - self.up[spot]
            fits = mine and not Counter(act.cards) - Counter(self.rows.get(spot, []))
            return fits and len(act.cards) <= left and (self.up[spot] == 0 or None)
        return self.sets(act)

    def sets(self, act: Act) -> bool | None:
        """The turn of a player who sets cards face up."""
        seat = self.turn
        if seat is None:
            return False
        if not self.hands[seat]:
            spot = act.spot or ""
            own = spot in self.rows and spot.startswith(f"{seat}.")
            room = own and len(self.rows[spot]) < ROWS[spot.split(".")[1]]
            return act.verb is Verb.DEAL and room and len(act.cards) == 1 and not act.down
        if act.verb is Verb.SHOW:
            if act.seat != seat or act.down or Counter(act.cards) - Counter(self.hands[seat]):
                return False
            hidden = self.up[str(seat)] == 0 and len(self.hands[seat]) == 5
            return True if hidden and len(act.cards) == 5 else None  # how many at once is open
        return act.verb is Verb.LAY and act.seat == seat and not act.down and self.fits(act)

    def fits(self, act: Act) -> bool:
        """Whether cards of the hand go to a row of their player that has room."""
        row = self.rows.get(act.spot or "")
        if row is None or not str(act.spot).startswith(f"{act.seat}."):
            return False
        room = ROWS[str(act.spot).split(".")[1]] - len(row)
        held = Counter(self.hands[act.seat or 0])
        return 0 < len(act.cards) <= room and not Counter(act.cards) - held

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        seat, spot = act.seat or 0, act.spot or ""
        match act.verb:
            case Verb.DEAL if self.first:
                self.hands[int(spot)] += act.cards
                self.dealt[int(spot)] += len(act.cards)
                five = all(self.dealt[one] >= 5 for one in self.order)
                self.first = not (five and all(self.dealt[one] == 13 for one in self.dream))
            case Verb.DEAL:
                self.rows[spot] += act.cards
            case Verb.SHOW:
                self.up[str(seat)] += len(act.cards)
            case Verb.TURN:
                self.up[spot] += len(act.cards)
            case Verb.LAY:
                self.rows[spot] += act.cards
                for card in act.cards:
                    self.hands[seat].remove(card)

    def worths(self, seat: int) -> list[Strength]:
        return [worth(self.rows[f"{seat}.{row}"]) for row in ROWS]

    def foul(self, seat: int) -> bool:
        return out_of_order(self.worths(seat), strict=self.game.strict_order)

    def royalties(self, seat: int) -> int:
        if self.foul(seat):
            return 0
        front, middle, back = self.worths(seat)
        standard, points = self.game.trips == "standard", 0
        if front[0] == 3:
            points += 10 + front[1][0] if standard else 20
        elif front[0] == 1:
            points += max(0, front[1][0] - 3)  # a pair of sixes is one, of aces nine
        for hand, times in ((middle, 2), (back, 1)):
            royal = hand == (8, (12,))
            points += times * (25 if royal else BACK.get(hand[0], 0))
        return points + (2 if standard and middle[0] == 3 else 0)

    def between(self, one: int, other: int) -> int:
        points = self.royalties(one) - self.royalties(other)
        fouls = self.foul(one), self.foul(other)
        if any(fouls):
            return points + 6 * (fouls[1] - fouls[0])
        pairs = list(zip(self.worths(one), self.worths(other), strict=True))
        won, lost = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
        return points + won - lost + 3 * ((won == 3) - (lost == 3))

    def result(self) -> Counter[int]:
        net = Counter[int]()
        units = dict(word.split(":") for word in self.start.note("units").split())
        for one, other in combinations(self.start.seats, 2):
            chips = self.between(one, other) * int(units.get(f"{one}-{other}", self.game.unit))
            net[one] += chips
            net[other] -= chips
        return net

    def heads_for_fantasyland(self, seat: int) -> bool:
        front, middle, back = self.worths(seat)
        if self.foul(seat):
            return False
        if seat in self.dream:
            return front[0] == 3 or middle[0] >= 6 or back[0] >= 7
        return front >= QUEENS

    def following(self) -> dict[str, Any]:
        heading = [seat for seat in self.start.seats if self.heads_for_fantasyland(seat)]
        notes = dict(self.start.notes)
        notes.pop("fantasyland", None)
        if heading:
            notes["fantasyland"] = " ".join(map(str, heading))
        dealer = self.dealer if heading else self.start.after(self.dealer)
        return {"dealer": dealer, "notes": tuple(sorted(notes.items()))}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Three hands at a random table."""
    dice = random.Random(f"open face {seed}")
    game = OpenFaceChinesePoker(
        unit=dice.choice((1, 4)),
        trips=dice.choice(("flat", "standard")),
        strict_order=dice.random() < 0.3,
    )
    start = start_for(game, seats=dice.randint(2, 4))
    notes = {"units": "1-2:7"} if dice.random() < 0.4 else {}
    if dice.random() < 0.4:
        notes["fantasyland"] = str(dice.choice(start.seats))
    start = start.having(dealer=dice.choice(start.seats), notes=tuple(sorted(notes.items())))
    table = Table()
    return match_refereed(
        game,
        start,
        lambda start: Referee(game, start),
        seed,
        hands=3,
        temper=table.temper,
        front=table.front,
    )


class Table:
    """A table at which all are dealt the cards for the rows that they have in mind."""

    def __init__(self) -> None:
        self.meant: dict[Card, tuple[int, str]] = {}

    def front(self, dice: random.Random, start: Start) -> list[Card]:
        """Cards in the order in which they are dealt: five each, eight in fantasyland, the rest."""
        deck = [Card.parse(f"{rank}{suit}") for rank in "23456789TJQKA" for suit in "CDHS"]
        dice.shuffle(deck)
        assert start.dealer is not None
        order = [*start.following(start.dealer), start.dealer]
        dream = start.note("fantasyland").split()
        own = {seat: [deck.pop() for _ in range(13)] for seat in order}
        self.meant = {}
        for seat, cards in own.items():
            self.set(seat, cards)
            dice.shuffle(cards)
        first = [card for seat in order for card in own[seat][:5]]
        rest = [seat for seat in order if str(seat) not in dream]
        more = [card for seat in order if seat not in rest for card in own[seat][5:]]
        return first + more + [own[seat][5 + turn] for turn in range(8) for seat in rest]

    def set(self, seat: int, cards: list[Card]) -> None:
        """Queens or better in front if stronger rows are left; or else the best at the back."""
        sets = (three for three in combinations(cards, 3) if worth([*three]) >= QUEENS)
        back: tuple[Card, ...] = max(combinations(cards, 5), key=lambda five: worth([*five]))
        left = [card for card in cards if card not in back]
        middle: tuple[Card, ...] = max(combinations(left, 5), key=lambda five: worth([*five]))
        rows = tuple(card for card in left if card not in middle), middle, back
        for front in list(sets)[:3]:
            left = [card for card in cards if card not in front]
            back = max(combinations(left, 5), key=lambda five: worth([*five]))
            middle = tuple(card for card in left if card not in back)
            if worth([*front]) <= worth([*middle]) <= worth([*back]):
                rows = front, middle, back
        for name, row in zip(ROWS, rows, strict=True):
            self.meant.update(dict.fromkeys(row, (seat, name)))

    def temper(self, act: Act, state: State) -> bool:
        """Cards go where they are meant to."""
        seat, _, row = (act.spot or "").partition(".")
        if act.verb is Verb.DEAL and not row:
            return all(self.meant[card][0] == int(seat) for card in act.cards)
        placed = act.verb is Verb.LAY or (act.verb is Verb.DEAL and bool(row))
        return not placed or all(self.meant[card][1] == row for card in act.cards)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    for seat in referee.order:
        yield "foul" if referee.foul(seat) else "set"
        yield from ["royal"] if referee.royalties(seat) else []
        yield from ["heading"] if referee.heads_for_fantasyland(seat) else []
    yield from ("dream" for _ in referee.dream)


@pytest.mark.parametrize("seeds", seeded(1, 100), ids=str)
def test_turns_royalties_and_fantasyland_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) == 5 or len(seeds) < 100
