"""Chinese Poker followed by a referee who knows the document's sentences alone."""

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
from rules.games.chinese_poker import ChinesePoker
from rules.start import Start
from rules.state import State
from tests.play import start_for
from tests.refereed_rows import ORDER, ROWS, Strength, out_of_order, ranks, run, worth
from tests.refereeing import match_refereed, seeded

NATURALS = ("six-pair", "three-straights", "three-flushes", "dragon")


@dataclass
class Referee:
    """The rows, the naturals, who surrenders, and what each two owe each other."""

    game: ChinesePoker
    start: Start
    hands: dict[int, list[Card]] = field(default_factory=dict)
    rows: dict[str, list[Card]] = field(default_factory=dict)
    up: Counter[str] = field(default_factory=Counter)
    """How many cards of a row, or of a hand, are face up."""
    said: dict[int, str] = field(default_factory=dict)
    surrendered: set[int] = field(default_factory=set)
    closed: int = 0

    def __post_init__(self) -> None:
        self.hands = {seat: [] for seat in self.start.seats}
        self.rows = {f"{seat}.{row}": [] for seat in self.hands for row in ROWS}

    @property
    def dealt(self) -> bool:
        held = {seat: len(cards) for seat, cards in self.hands.items()}
        for spot, cards in self.rows.items():
            held[int(spot[0])] += len(cards)
        return all(count == 13 for count in held.values())

    @property
    def set_(self) -> bool:
        return self.dealt and not any(
            hand
            for seat, hand in self.hands.items()
            if self.said.get(seat) not in ("dragon", "six-pair")
        )

    @property
    def players(self) -> list[int]:
        return [s for s in self.hands if s not in self.said and s not in self.surrendered]

    def natural(self, seat: int, name: str) -> Strength | None:
        """How a natural ranks among naturals, if these cards make it."""
        front, middle, back = (self.rows[f"{seat}.{row}"] for row in ROWS)
        cards = [*self.hands[seat], *front, *middle, *back]
        counts = Counter(card.rank for card in cards)
        whole = [len(row) for row in (front, middle, back)] == [3, 5, 5]
        ties: tuple[Any, ...] | None = None
        if name == "dragon":
            ties = () if len(counts) == 13 else None
        elif name == "six-pair":
            pairs = sorted(
                (ORDER.index(str(rank)) for rank, n in counts.items() for _ in range(n // 2)),
                reverse=True,
            )
            strict = self.game.six_pair == "distinct" and len(set(pairs)) < 6
            odd = self.game.six_pair != "any" and 3 in counts.values()
            ties = tuple(pairs) if len(pairs) == 6 and not strict and not odd else None
        elif whole and name == "three-flushes":
            flushes = all(len({card.suit for card in row}) == 1 for row in (front, middle, back))
            ties = (worth(back), worth(middle), ranks(front)) if flushes else None
        elif whole:
            tops = [run(row, self.game.low_aces) for row in (back, middle, front)]
            ties = (worth(back), worth(middle), tops[2]) if None not in tops else None
        return None if ties is None else (NATURALS.index(name), ties)

    def allows(self, act: Act) -> bool | None:
        seat = act.seat
        if act.verb is Verb.DEAL:
            spot = act.spot or ""
            to = self.hands.get(int(spot) if spot.isdecimal() else 0)
            return not self.dealt and to is not None and act.down and len(act.cards) <= 13 - len(to)
        if not self.dealt:
            return False
        if self.over:
            return {Verb.CLEAR: True, Verb.SHOW: None}.get(act.verb, False)
        if act.verb is Verb.SHOW or act.verb is Verb.TURN:
            return self.turning(act)
        if act.verb is Verb.LAY:
            hand, row = self.hands.get(seat or 0, []), self.rows.get(act.spot or "", [])
            own = act.spot in self.rows and str(act.spot).startswith(f"{seat}.") and act.down
            room = ROWS[str(act.spot).split(".")[1]] - len(row) if own else 0
            fits = not Counter(act.cards) - Counter(hand) and len(act.cards) <= room
            return own and fits and seat not in self.said
        if act.verb is Verb.CLOSE:
            if self.closed == 0:
                return self.set_
            return self.proven and bool(self.players) and self.closed == 1
        if act.verb is not Verb.DECLARE or seat is None or seat in {*self.said, *self.surrendered}:
            return False
        if act.words == ("surrender",):
            early = self.closed == 0 and self.set_
            return None if early else self.closed == 1 and self.proven
        if self.closed:
            return False
        unset = act.words[0] in ("dragon", "six-pair")
        ready = unset or not self.hands[seat]
        return ready and self.natural(seat, act.words[0]) is not None

    @property
    def proven(self) -> bool:
        """Whether all naturals are face up."""
        return all(self.face_up(seat) for seat in self.said)

    def face_up(self, seat: int) -> bool:
        spots = [str(seat), *(f"{seat}.{row}" for row in ROWS)]
        return sum(self.up[spot] for spot in spots) == 13

    def turning(self, act: Act) -> bool | None:
        spot = (act.spot if act.verb is Verb.TURN else None) or str(act.seat)
        seat = int(spot.split(".")[0])
        cards = self.rows.get(spot, []) if "." in spot else self.hands.get(seat, [])
        if act.verb is Verb.SHOW and not self.hands.get(seat):
            return None  # rows are turned by the dealer
        due = seat in self.said or (self.closed == 2 and seat in self.players)
        due = due or (self.closed > 0 and not self.players and seat in self.said)
        fits = not Counter(act.cards) - Counter(cards) and not act.down
        if seat in self.said and self.closed == 0:
            return None
        return (
            due
            and fits
            and self.up[spot] + len(act.cards) <= len(cards)
            and (self.up[spot] == 0 or None)
        )

    @property
    def over(self) -> bool:
        if not self.closed or not self.proven or not self.set_:
            return False
        if self.closed == 1 and self.players:
            return False
        return len(self.players) < 2 or all(self.face_up(seat) for seat in self.players)

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        seat = act.seat or 0
        match act.verb:
            case Verb.DEAL:
                self.hands[int(act.spot or "")] += act.cards
            case Verb.LAY:
                self.rows[act.spot or ""] += act.cards
                for card in act.cards:
                    self.hands[seat].remove(card)
            case Verb.DECLARE if act.words == ("surrender",):
                self.surrendered.add(seat)
            case Verb.DECLARE:
                self.said[seat] = act.words[0]
            case Verb.CLOSE:
                self.closed += 1
            case Verb.SHOW:
                self.up[str(seat)] += len(act.cards)
            case Verb.TURN:
                self.up[act.spot or ""] += len(act.cards)

    def worths(self, seat: int) -> list[Strength]:
        return [worth(self.rows[f"{seat}.{row}"]) for row in ROWS]

    def foul(self, seat: int) -> bool:
        return out_of_order(self.worths(seat), strict=self.game.strict_order)

    def rate(self, place: int, hand: Strength) -> int:
        kind = hand[0]
        if place == 0:
            rare = 3 if kind == 3 else 0
        else:
            rare = {8: 5, 7: 4, 6: 2 if place == 1 else 0}.get(kind, 0)
        return 1 + rare if self.game.rates == "add" else rare or 1

    def compared(self, one: int, other: int) -> int:
        """What `one` wins from `other`, row by row, with the scoop."""
        fouls = self.foul(one), self.foul(other)
        if all(fouls):
            return 0
        if any(fouls):
            sign, winner = (-1, other) if fouls[0] else (1, one)
            rates = sum(self.rate(place, hand) for place, hand in enumerate(self.worths(winner)))
            return sign * (6 if self.game.foul == "six" else rates + 3)
        points, won = 0, Counter[int]()
        pairs = zip(self.worths(one), self.worths(other), strict=True)
        for place, (mine, theirs) in enumerate(pairs):
            if mine != theirs:
                sign = 1 if mine > theirs else -1
                points += sign * self.rate(place, max(mine, theirs))
                won[sign] += 1
        return points + 3 * ((won[1] == 3) - (won[-1] == 3))

    def between(self, one: int, other: int) -> int:
        mine, theirs = (
            self.natural(seat, self.said[seat]) if seat in self.said else None
            for seat in (one, other)
        )
        points = 0
        if mine != theirs:
            first = theirs is None or (mine is not None and mine > theirs)
            points = 13 if self.said[one if first else other] == "dragon" else 3
            points *= 1 if first else -1
        for sign, payer, payee in ((1, other, one), (-1, one, other)):
            spared = payee in self.said and not self.game.surrender_to_naturals
            points += 2 * sign * (payer in self.surrendered and not spared)
        if one in self.players and other in self.players:
            points += self.compared(one, other)
        return points

    def result(self) -> Counter[int]:
        net = Counter[int]()
        units = dict(word.split(":") for word in self.start.note("units").split())
        for one, other in combinations(self.start.seats, 2):
            chips = self.between(one, other) * int(units.get(f"{one}-{other}", self.game.unit))
            net[one] += chips
            net[other] -= chips
        return net

    def following(self) -> dict[str, Any]:
        assert self.start.dealer is not None
        return {"dealer": self.start.after(self.start.dealer), "notes": self.start.notes}


def natural_cards(dice: random.Random, _: Start) -> list[Card]:
    """Thirteen cards that make a natural, in rows if it is set; or nothing."""
    suits, kind = list("CDHS"), dice.choice(("", "", *NATURALS))
    dice.shuffle(suits)
    texts: list[str] = []
    if kind == "dragon":
        texts = [f"{rank}{dice.choice(suits)}" for rank in ORDER]
    elif kind == "six-pair":
        some = dice.sample(ORDER, 7)
        texts = [f"{rank}{suit}" for rank in some[:6] for suit in dice.sample(suits, 2)]
        texts.append(f"{some[6]}{dice.choice(suits)}")
    elif kind == "three-flushes":
        texts = [
            f"{rank}{suit}"
            for suit, size in zip(suits, (5, 5, 3), strict=False)
            for rank in dice.sample(ORDER, size)
        ]
    elif kind == "three-straights":
        for suit, size in zip(suits, (5, 5, 3), strict=False):
            first = dice.randrange(14 - size)
            texts += [f"{rank}{suit}" for rank in ORDER[first : first + size]]
            texts[-1] = f"{texts[-1][0]}{suits[3]}"  # no flush as well
    return [Card.parse(text) for text in texts] if len(set(texts)) == 13 else []


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands at a random table."""
    dice = random.Random(f"chinese {seed}")
    game = ChinesePoker(
        unit=dice.choice((1, 4)),
        rates=dice.choice(("replace", "add")),
        foul=dice.choice(("rows", "six")),
        surrender_to_naturals=dice.random() < 0.6,
        six_pair=dice.choice(("quads", "distinct", "any")),
        low_aces=dice.random() < 0.6,
        strict_order=dice.random() < 0.3,
    )
    start = start_for(game, seats=dice.randint(2, 4))
    notes = (("units", "1-2:7"),) if dice.random() < 0.4 else ()
    start = start.having(dealer=dice.choice(start.seats), notes=notes)
    return match_refereed(
        game, start, lambda start: Referee(game, start), seed, temper=orderly, front=natural_cards
    )


def orderly(act: Act, state: State) -> bool:
    """Players who lay rows that count, and declare naturals."""
    if act.verb is Verb.LAY:
        row = list(act.cards)
        return len({card.suit for card in row}) == 1 or run(row) is not None
    return act.verb is Verb.DECLARE and act.words != ("surrender",)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield from referee.said.values()
    yield from ("surrendered" for _ in referee.surrendered)
    yield from ("foul" if referee.foul(seat) else "set" for seat in referee.players)


@pytest.mark.parametrize("seeds", seeded(4, 200), ids=str)
def test_rows_naturals_and_payments_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 6 or len(seeds) < 200
