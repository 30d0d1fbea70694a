"""Fipsen followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.fipsen import Fipsen
from rules.start import Start
from rules.state import State
from tests.play import start_for
from tests.refereed_tricks import Trick
from tests.refereeing import Portions, match_refereed, seeded

ORDER = "AKQJT987"
SUITS = ("clubs", "diamonds", "hearts", "spades")


def worth(act: Act) -> Fraction:
    """What a bid is worth in the auction."""
    if act.words == ("kieker",):
        return Fraction(9, 2)
    assert act.amount is not None
    doubled = {*act.words, *(("durch",) if act.amount == 5 else ())}
    return Fraction(act.amount * 2 ** len(doubled))


@dataclass
class Referee:
    """The auction, the contract, the hands and the tricks."""

    game: Fipsen
    start: Start
    deal: Portions = field(init=False)
    hands: dict[int, list[Card]] = field(default_factory=dict)
    stock: dict[str, list[Card]] = field(default_factory=dict)
    pair: list[int] = field(default_factory=list)
    """The two who bid, the earlier one first, and those who come in later."""
    high: Act | None = None
    drawn: bool = False
    trump: str = ""
    trick: Trick = field(default_factory=lambda: Trick(ORDER))
    leader: int = 0
    won: Counter[int] = field(default_factory=Counter)
    gathering: bool = False
    playing_on: bool = False
    score: int | None = None
    """What the declarer has scored."""

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        self.order = [*self.start.following(self.dealer), self.dealer]
        self.pair, self.leader = self.order.copy(), self.order[0]
        each = [str(seat) for seat in self.order]
        portions = [(seat, 3, True) for seat in each] + [("skat", 2, True)]
        portions += [(seat, 2, True) for seat in each] + [("rest", 3, True)]
        self.deal = Portions(portions)
        self.hands = {seat: [] for seat in self.order}
        self.stock = {"skat": [], "rest": []}

    @property
    def bidder(self) -> int | None:
        """Who speaks: the one of two who has not the highest bid."""
        if not self.pair or (self.high is not None and len(self.pair) == 1):
            return None
        if self.high is not None and self.high.seat == self.pair[0]:
            return self.pair[1]
        return self.pair[0]

    @property
    def declarer(self) -> int | None:
        return self.high.seat if self.high is not None and self.bidder is None else None

    def bid(self, *words: str) -> bool:
        return self.high is not None and any(word in self.high.words for word in words)

    @property
    def number(self) -> int:
        assert self.high is not None
        return 5 if self.bid("kieker") else self.high.amount or 0

    @property
    def durch(self) -> bool:
        return self.number == 5 or self.bid("durch")

    @property
    def made(self) -> bool:
        return self.won[self.declarer or 0] >= (5 if self.durch else self.number)

    @property
    def deciding(self) -> bool:
        """Whether the declarer may end the hand, or play on for all tricks."""
        whole = not self.trick.plays and self.won.total() > 0
        return whole and self.made and not self.durch and not self.playing_on

    @property
    def drawable(self) -> list[str]:
        """Where the declarer takes up cards."""
        if self.drawn or self.bid("hand"):
            return []
        return ["skat", "rest"] if self.bid("kieker") else ["skat"]

    @property
    def over(self) -> bool:
        return self.score is not None or not self.pair

    @property
    def player(self) -> int | None:
        ring = [self.leader, *self.start.following(self.leader)]
        played = {seat for seat, _ in self.trick.plays}
        return next((seat for seat in ring if seat not in played), None)

    def allows(self, act: Act) -> bool | None:
        if self.over:
            return act.verb is Verb.CLEAR or (None if act.verb is Verb.GATHER else False)
        if self.deal.due:
            return self.deal.allows(act)
        if self.bidder is not None:
            return self.bids(act, self.bidder)
        if act.verb in (Verb.PLAY, Verb.GATHER) or self.won.total() or self.trick.plays:
            return self.tricks(act)
        return act.seat == self.declarer and self.preparing(act)

    def bids(self, act: Act, seat: int) -> bool:
        if act.seat != seat or act.verb not in (Verb.BID, Verb.PASS):
            return False
        if act.verb is Verb.PASS:
            return True
        if act.words == ("kieker",):
            barred = "KQJA" if self.game.ace_is_face else "KQJ"
            if any(str(card.rank) in barred for card in self.hands[seat]):
                return False
        elif act.amount is None or not 2 <= act.amount <= 5:
            return False
        if self.high is None:
            return True
        holds = seat == self.pair[0] and worth(act) == worth(self.high)
        return holds or worth(act) > worth(self.high)

    def preparing(self, act: Act) -> bool | None:
        """Taking up cards, discarding, naming trumps, or giving up a Kieker."""
        hand = self.hands[self.declarer or 0]
        lying = [spot for spot in self.drawable if self.stock[spot]]
        if act.verb is Verb.FOLD:
            return self.bid("kieker") and (None if lying else True)
        if lying:
            cards = Counter(self.stock.get(act.spot or "", []))
            fits = act.spot in lying and act.down and not Counter(act.cards) - cards
            return act.verb is Verb.DRAW and fits
        if len(hand) > 5:
            fits = act.down and not Counter(act.cards) - Counter(hand)
            return act.verb is Verb.DISCARD and fits and len(act.cards) <= len(hand) - 5
        if act.verb is not Verb.DECLARE or act.words[0] not in SUITS:
            return False
        if self.bid("ruten"):
            return None if act.words[0] == "diamonds" else False
        return not self.trump

    def tricks(self, act: Act) -> bool | None:
        seat = act.seat
        if act.verb in (Verb.STAND, Verb.DECLARE):
            fits = act.verb is Verb.STAND or act.words == ("durch",)
            return self.deciding and seat == self.declarer and fits
        if act.verb is Verb.GATHER:
            return self.gathering
        if act.verb is not Verb.PLAY or not self.playable(act):
            return False
        if self.gathering:
            return None
        suited = self.trick.suited(self.hands[seat or 0])
        return not suited or act.card in suited

    def playable(self, act: Act) -> bool:
        """Whether a card of the hand is played in turn."""
        ready = bool(self.trump) or self.bid("ruten")
        full = len(self.hands[self.declarer or 0]) <= 5 and not any(
            self.stock[spot] for spot in self.drawable
        )
        if (
            not ready
            or not full
            or act.seat != self.player
            or (self.deciding and not self.gathering)
        ):
            return False
        return len(act.cards) == 1 and not act.down and act.card in self.hands[act.seat or 0]

    def stands(self, act: Act) -> bool:
        dealt = not self.deal.due and self.declarer is not None and not self.over
        return dealt and act.verb is Verb.PLAY and not self.gathering and self.playable(act)

    def see(self, act: Act) -> None:
        hand = self.hands.get(act.seat or 0, [])
        match act.verb:
            case Verb.DEAL:
                self.deal.see(act)
                spot = act.spot or ""
                to = self.stock[spot] if spot in self.stock else self.hands[int(spot)]
                to.extend(act.cards)
            case Verb.BID:
                self.high = act
            case Verb.PASS if act.seat is not None:
                self.pair.remove(act.seat)
            case Verb.DRAW:
                hand += act.cards
                for card in act.cards:
                    self.stock[act.spot or ""].remove(card)
                self.drawn = not any(self.stock[spot] for spot in self.drawable)
            case Verb.DISCARD:
                for card in act.cards:
                    hand.remove(card)
            case Verb.DECLARE if act.words == ("durch",):
                self.playing_on = True
            case Verb.DECLARE:
                self.trump = act.words[0][0].upper()
            case Verb.FOLD:
                self.score = -5
            case Verb.STAND:
                self.ends()
            case Verb.GATHER:
                self.gathering = False
            case Verb.PLAY if act.seat is not None:
                self.plays(act.card, act.seat)

    def plays(self, card: Card, seat: int) -> None:
        self.trick.trump = "D" if self.bid("ruten") else self.trump
        self.trick.plays.append((seat, card))
        self.hands[seat].remove(card)
        if self.player is not None:
            return
        self.leader = self.trick.winner
        self.won[self.leader] += 1
        self.trick, self.gathering = Trick(ORDER), True
        lost = self.won.total() - self.won[self.declarer or 0]
        failed = lost > (0 if self.durch else 5 - self.number)
        broken = self.playing_on and self.leader != self.declarer
        if failed or broken or self.won.total() == 5:
            self.ends(broken=broken)

    def ends(self, *, broken: bool = False) -> None:
        assert self.high is not None
        value = 10 if self.bid("kieker") else int(worth(self.high))
        late = self.trump == "D" and not self.bid("ruten")
        if late and (self.game.kieker_ruten or not self.bid("kieker")):
            value *= 2
        value *= 2 if self.playing_on else 1
        self.score = value if self.made and not broken else -2 * value

    def result(self) -> dict[int, int]:
        return {self.declarer: self.score} if self.declarer and self.score is not None else {}

    def following(self) -> dict[str, Any]:
        number = int(self.start.note("deal", "1"))
        totals = Counter(dict(self.start.scores))
        for seat, points in self.result().items():
            totals[seat] += points
        if self.score is None:
            return {"dealer": self.dealer, "scores": self.start.scores}
        last = number == self.game.deals
        return {
            "dealer": self.start.after(self.dealer),
            "scores": () if last else tuple(sorted((s, n) for s, n in totals.items())),
            "notes": (("deal", "1" if last else str(number + 1)),),
        }


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Four deals somewhere in a match."""
    dice = random.Random(f"fipsen {seed}")
    game = Fipsen(
        ace_is_face=dice.random() < 0.3,
        kieker_ruten=dice.random() < 0.3,
        deals=dice.choice((2, 8, 8)),
    )
    start = start_for(game).having(dealer=dice.randint(1, 4), notes=(("deal", "1"),))
    temper = (None, modest, kieker)[seed % 3]
    return match_refereed(
        game, start, lambda start: Referee(game, start), seed, hands=4, temper=temper
    )


def modest(act: Act, _: State) -> bool:
    """Players who bid two or three at most."""
    return act.verb is not Verb.BID or (act.amount in (2, 3) and len(act.words) < 2)


def kieker(act: Act, _: State) -> bool:
    """Players who are fond of a Kieker."""
    return act.words == ("kieker",) or act.verb in (Verb.PASS, Verb.DECLARE, Verb.STAND, Verb.DRAW)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    if referee.high is None:
        yield "all passed"
        return
    yield "made" if (referee.score or 0) > 0 else "failed"
    yield from (word for word in ("kieker", "hand", "ruten", "durch") if referee.bid(word))
    if referee.playing_on:
        yield "played on"
    if referee.score == -5:
        yield "given up"


@pytest.mark.parametrize("seeds", seeded(4, 200), ids=str)
def test_bids_tricks_and_scores_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 8 or len(seeds) < 200
