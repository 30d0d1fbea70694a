"""Mille followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import floor
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.mille import Mille
from rules.start import Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import Deal, match_refereed, seeded


def value(card: Card) -> int:
    """The table under Scoring."""
    if str(card) in ("QS", "JD"):
        return 100 if str(card) == "QS" else 50
    rank = str(card.rank)
    return {"A": 15, "2": 20}.get(rank, 10 if rank in "TJQK" else 5)


def two(card: Card) -> bool:
    return str(card.rank) == "2"


@dataclass
class Referee:
    """Both hands, all melds by their rank, the pile and whose turn it is."""

    game: Mille
    start: Start
    deal: Deal = field(init=False)
    hands: dict[int, list[Card]] = field(default_factory=dict)
    melds: dict[tuple[int, str], list[Card]] = field(default_factory=dict)
    pile: list[Card] = field(default_factory=list)
    stock: int = 104
    turn: int = 0
    drawn: bool = False
    turns: int = 0
    idle: int = 0
    """Turns since somebody has melded."""
    renewed: bool = False
    """Whether the stock has been renewed since."""
    ended: bool = False
    out: int | None = None
    shown: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        (self.turn,) = self.start.following(self.dealer)
        self.deal = Deal(Counter({str(seat): 15 for seat in self.start.seats}), "discards")
        self.hands = {seat: [] for seat in self.start.seats}

    def allows(self, act: Act) -> bool | None:
        if not self.deal.done:
            return self.deal.allows(act)
        seat = act.seat
        if self.ended:
            return self.finishes(act)
        if act.verb is Verb.SHUFFLE:
            return not self.drawn and not self.stock and len(self.pile) > 1
        if act.verb is Verb.END:
            return not self.drawn and not self.stock and len(self.pile) < 2
        if seat != self.turn or seat is None or act.verb in (Verb.SHOW, Verb.CLEAR):
            return False
        if act.verb is Verb.DRAW:
            return not self.drawn and self.may_draw(act)
        if act.verb is Verb.MELD and not self.drawn:
            return self.takes(act)
        if not self.drawn or act.down or Counter(act.cards) - Counter(self.hands[seat]):
            return False
        if act.verb is Verb.DISCARD:
            return len(act.cards) == 1
        if act.verb is Verb.LAY:
            return self.lays(act, act.spot or "")
        return act.verb is Verb.MELD and self.forms(act)

    def finishes(self, act: Act) -> bool:
        left = [seat for seat in self.hands if self.hands[seat] and seat not in self.shown]
        if act.verb is Verb.SHOW and act.seat in left:
            return Counter(act.cards) == Counter(self.hands[act.seat])
        return act.verb is Verb.CLEAR and not left

    def may_draw(self, act: Act) -> bool:
        if act.spot == "stock":
            return self.stock > 0 and act.down and len(act.cards) == 1
        first = self.game.first_two and self.turns == 0 and not self.melds
        upcard = act.spot == "discards" and [*act.cards] == self.pile[-1:]
        return first and upcard and two(act.cards[0]) and not act.down

    def takes(self, act: Act) -> bool:
        """Melding the upcard with two or more natural cards of its rank."""
        if not self.pile or self.pile[-1] not in act.cards or act.down or two(self.pile[-1]):
            return False
        rest = list(act.cards)
        rest.remove(self.pile[-1])
        naturals = [card for card in rest if not two(card)]
        if Counter(rest) - Counter(self.hands[self.turn]) or len(naturals) < 2:
            return False
        return {card.rank for card in naturals} == {self.pile[-1].rank}

    def forms(self, act: Act) -> bool | None:
        """Three or more of a rank, with twos among them or twos alone."""
        naturals = [card for card in act.cards if not two(card)]
        if len({card.rank for card in naturals}) > 1:
            return False
        before = self.melds.get((self.turn, str(naturals[0].rank) if naturals else "2"), [])
        if len(act.cards) < 3:
            return None if before else False
        fewest = self.game.naturals if len(naturals) < len(act.cards) else 0
        known = len(naturals) + sum(not two(card) for card in before)
        return not naturals or known >= fewest

    def lays(self, act: Act, spot: str) -> bool | None:
        owner, _, place = spot.partition(".")
        rank = place[-1:].upper()
        if owner != str(self.turn):
            return False
        if any(str(card.rank) != rank and not two(card) for card in act.cards):
            return False
        return (self.turn, rank) in self.melds or (None if len(act.cards) > 2 else False)

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.DEAL:
                self.deal.see(act)
                self.stock -= len(act.cards)
                to = self.pile if act.spot == "discards" else self.hands[int(act.spot or "")]
                to.extend(act.cards)
            case Verb.SHUFFLE:
                self.stock, self.pile, self.renewed = len(self.pile) - 1, self.pile[-1:], True
            case Verb.END:
                self.ended = True
            case _ if act.seat is not None:
                self.acted(act, act.seat)

    def acted(self, act: Act, seat: int) -> None:
        hand = self.hands[seat]
        match act.verb:
            case Verb.SHOW:
                self.shown.add(seat)
                return
            case Verb.DRAW if act.spot == "stock":
                self.stock, self.drawn = self.stock - 1, True
                hand += act.cards
            case Verb.DRAW:
                hand.append(self.pile.pop())
                self.drawn = True
            case Verb.DISCARD:
                hand.remove(act.card)
                self.pile.append(act.card)
                (self.turn,) = self.start.following(seat)
                self.drawn, self.turns, self.idle = False, self.turns + 1, self.idle + 1
                if self.renewed and not self.stock and self.idle >= 6:
                    self.ended = True  # both draw their own discards for ever
            case Verb.MELD | Verb.LAY:
                if not self.drawn:
                    hand += self.pile
                    self.pile, self.drawn = [], True
                self.idle, self.renewed = 0, False
                ranks = {str(card.rank) for card in act.cards} - {"2"}
                place = (act.spot or "")[-1:].upper() or next(iter(ranks), "2")
                self.melds.setdefault((seat, place), []).extend(act.cards)
                for card in act.cards:
                    hand.remove(card)
        if not hand and act.verb is not Verb.DRAW:
            self.ended, self.out = True, seat

    def points(self, seat: int) -> tuple[int, int]:
        """The score of the hand, and the naturals in it."""
        own = {rank: cards for (one, rank), cards in self.melds.items() if one == seat}
        used = any(two(card) for rank, cards in own.items() if rank != "2" for card in cards)
        clean = bool(own) and not used and (self.game.no_twos == "all" or seat == self.out)
        sum_, naturals = 0, int(clean)
        for rank, cards in own.items():
            whole = rank != "2" and len(cards) == 8 and not any(map(two, cards))
            naturals += whole
            sum_ += sum(map(value, cards)) * (2 if whole else 1) * (2 if clean else 1)
        return sum_ - sum(map(value, self.hands[seat])), naturals

    def totals(self) -> dict[int, int]:
        before = dict(self.start.scores)
        return {seat: before.get(seat, 0) + self.points(seat)[0] for seat in self.hands}

    @property
    def winner(self) -> int | None:
        totals = self.totals()
        best = [seat for seat in totals if totals[seat] == max(totals.values())]
        return best[0] if len(best) == 1 and totals[best[0]] >= 1200 else None

    def marks(self, kind: str, seat: int) -> int:
        """How often a player has had a natural or a chapeau in this game."""
        before = dict(pair.split(":") for pair in self.start.note(kind).split())
        points, naturals = self.points(seat)
        return int(before.get(str(seat), 0)) + (naturals if kind == "naturals" else points < 0)

    def result(self) -> dict[int, int]:
        if self.winner is None:
            return {seat: self.points(seat)[0] for seat in self.hands}
        (loser,) = self.start.following(self.winner)
        assert self.start.limits is not None
        less, totals = self.start.limits[0], self.totals()
        more = 3 * less
        due = more * (1 + self.marks("naturals", self.winner) + self.marks("chapeaux", loser))
        rounded = {seat: floor(score / 100 + 0.5) for seat, score in totals.items()}
        due += less * (rounded[self.winner] - rounded[loser])
        judged = self.points(loser)[0] if self.game.double_skunk == "hand" else totals[loser]
        due *= 3 if judged < 0 else 2 if totals[loser] < 600 else 1
        return {self.winner: due, loser: -due}

    def following(self) -> dict[str, Any]:
        (heir,) = self.start.following(self.dealer)
        notes = {
            kind: " ".join(f"{seat}:{self.marks(kind, seat)}" for seat in self.hands)
            for kind in ("chapeaux", "naturals")
            if any(self.marks(kind, seat) for seat in self.hands)
        }
        if self.winner is not None:
            return {"dealer": heir, "scores": (), "notes": ()}
        return {
            "dealer": heir,
            "scores": tuple(sorted(self.totals().items())),
            "notes": tuple(sorted(notes.items())),
        }


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands, early or late in a game."""
    dice = random.Random(f"mille {seed}")
    game = Mille(
        first_two=dice.random() < 0.4,
        naturals=dice.choice((1, 1, 2)),
        no_twos=dice.choice(("all", "out")),
        double_skunk=dice.choice(("hand", "score")),
    )
    start = start_for(game, seats=2).having(
        dealer=dice.choice((1, 2)),
        limits=dice.choice([(1, 3), (2, 6)]),
        scores=tuple((seat, dice.choice((-100, 0, 450, 900, 1100))) for seat in (1, 2)),
        notes=dice.choice(((), (("chapeaux", "1:0 2:2"), ("naturals", "1:1 2:0")))),
    )
    return match_refereed(game, start, lambda start: Referee(game, start), seed)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield "won" if referee.winner else "on"
    yield "ended" if referee.out is None else "out"
    for seat in (1, 2):
        yield from ["natural"] * referee.points(seat)[1]
        yield from ["chapeau"] * (referee.points(seat)[0] < 0)
    if any(act.verb is Verb.SHUFFLE for act in last.acts):
        yield "shuffled"


@pytest.mark.parametrize("seeds", seeded(2, 60), ids=str)
def test_turns_melds_the_pile_and_the_stakes_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 6 or len(seeds) < 60


@pytest.mark.slow
def test_a_hand_in_which_both_draw_their_own_discards_for_ever_ends() -> None:
    """One player lacks what the other holds, and each upcard would take two naturals."""
    ends = [referee.out for referee, _ in hands(60017)]
    assert None in ends
