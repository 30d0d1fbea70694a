"""Tribello followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.tribello import Tribello
from rules.start import Start
from rules.state import State
from tests.play import start_for
from tests.refereed_tricks import Trick
from tests.refereeing import Deal, match_refereed, seeded

ORDER = "AKQJT98765432"


@dataclass
class Referee:
    """The phase, trumps, the exchange with the widow and the tricks."""

    game: Tribello
    start: Start
    deal: Deal = field(init=False)
    cut: bool = False
    """Whether the card that was cut still lies there."""
    trump: str = ""
    hands: dict[int, list[Card]] = field(default_factory=dict)
    widow: list[Card] = field(default_factory=list)
    drawing: bool = False
    """Whether the player who exchanges has begun to draw."""
    exchanged: int = 0
    """How many have exchanged."""
    trick: Trick = field(default_factory=lambda: Trick(ORDER))
    leader: int = 0
    gathering: bool = False
    won: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.leader = self.start.dealer
        self.order = [self.dealer, *self.start.following(self.dealer)]
        self.number = int(self.start.note("deal", "1"))
        self.part = (self.number - 1) // 3
        self.deal = Deal(Counter(dict.fromkeys([*map(str, self.order), "widow"], 13)))
        self.hands = {seat: [] for seat in self.order}

    @property
    def exchanging(self) -> int | None:
        return self.order[self.exchanged] if self.exchanged < 3 and self.widow else None

    @property
    def naming(self) -> bool:
        unnamed = self.part == 1 and not self.trump
        return unnamed and (self.game.name_trump == "before" or self.exchanging is None)

    @property
    def over(self) -> bool:
        return self.won.total() == 13

    @property
    def player(self) -> int | None:
        ring = [self.leader, *self.start.following(self.leader)]
        played = {seat for seat, _ in self.trick.plays}
        return next((seat for seat in ring if seat not in played), None)

    def allows(self, act: Act) -> bool | None:
        if self.over:
            return act.verb is Verb.CLEAR or (None if act.verb is Verb.GATHER else False)
        if self.part == 0 and not self.trump:
            cut = act.verb is Verb.DEAL and act.spot == "cut" and not act.down
            return cut and len(act.cards) == 1
        if self.cut:
            return act.verb is Verb.SHUFFLE
        if not self.deal.done:
            return self.deal.allows(act)
        if self.naming:
            return act.verb is Verb.DECLARE and act.seat == self.dealer
        if self.exchanging is not None:
            return self.exchange(act, self.exchanging)
        if self.gathering:
            return act.verb is Verb.GATHER or (None if act.verb is Verb.PLAY else False)
        if not self.playable(act):
            return False
        suited = self.trick.suited(self.hands[act.seat or 0])
        return not suited or act.card in suited

    def exchange(self, act: Act, seat: int) -> bool:
        """Any number of cards up to those left in the widow, and then as many from it."""
        hand = self.hands[seat]
        due = 13 - len(hand)
        if act.seat != seat:
            return False
        if act.verb is Verb.DISCARD:
            fits = act.down and not Counter(act.cards) - Counter(hand)
            return fits and not self.drawing and len(act.cards) + due <= len(self.widow)
        if act.verb is Verb.DRAW:
            fits = act.spot == "widow" and act.down and len(act.cards) <= due
            return fits and not Counter(act.cards) - Counter(self.widow[-due:])
        return act.verb is Verb.PASS and due == 0

    def playable(self, act: Act) -> bool:
        ready = act.verb is Verb.PLAY and act.seat == self.player and not act.down
        return ready and len(act.cards) == 1 and act.card in self.hands[act.seat or 0]

    def stands(self, act: Act) -> bool:
        ready = self.deal.done and not (self.naming or self.gathering or self.over)
        return ready and self.exchanging is None and self.playable(act)

    def see(self, act: Act) -> None:
        seat = act.seat or 0
        match act.verb:
            case Verb.DEAL if act.spot == "cut":
                self.cut, self.trump = True, str(act.card.suit)
            case Verb.SHUFFLE:
                self.cut = False
            case Verb.DEAL:
                self.deal.see(act)
                to = self.widow if act.spot == "widow" else self.hands[int(act.spot or "")]
                to.extend(act.cards)
            case Verb.DECLARE:
                self.trump = act.words[0][0].upper()
            case Verb.DISCARD:
                for card in act.cards:
                    self.hands[seat].remove(card)
            case Verb.DRAW:
                self.hands[seat] += act.cards
                for card in act.cards:
                    self.widow.remove(card)
                self.drawing = len(self.hands[seat]) < 13
                self.exchanged += not self.drawing
            case Verb.PASS:
                self.exchanged += 1
            case Verb.GATHER:
                self.gathering = False
            case Verb.PLAY:
                self.plays(act.card, seat)

    def plays(self, card: Card, seat: int) -> None:
        self.trick.trump = self.trump
        self.trick.plays.append((seat, card))
        self.hands[seat].remove(card)
        if self.player is None:
            self.leader = self.trick.winner
            self.won[self.leader] += 1
            self.trick, self.gathering = Trick(ORDER), True

    def result(self) -> dict[int, int]:
        sign, contracts = (-1, (3, 4, 6)) if self.part == 3 else (1, (6, 4, 3))
        pairs = zip(self.order, contracts, strict=True)
        return {seat: sign * (self.won[seat] - contract) for seat, contract in pairs}

    def following(self) -> dict[str, Any]:
        totals = Counter(dict(self.start.scores))
        for seat, points in self.result().items():
            totals[seat] += points
        last = self.number == 12
        return {
            "dealer": self.start.after(self.dealer),
            "scores": () if last else tuple(sorted(totals.items())),
            "notes": (("deal", "1" if last else str(self.number + 1)),),
        }


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two deals somewhere in a match."""
    dice = random.Random(f"tribello {seed}")
    game = Tribello(name_trump=dice.choice(("before", "after")))
    start = start_for(game, seats=3)
    number = dice.randint(1, 12)
    start = start.having(dealer=dice.randint(1, 3), notes=(("deal", str(number)),))
    return match_refereed(game, start, lambda start: Referee(game, start), seed)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """Which phase of a match the hand belonged to."""
    yield f"phase {referee.part + 1}"


@pytest.mark.parametrize("seeds", seeded(3, 100), ids=str)
def test_trumps_exchange_tricks_and_scores_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) == 4 or len(seeds) < 100
