"""Belote followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.belote import Belote
from rules.start import Direction, Start
from rules.state import State
from tests.play import start_for
from tests.refereed_tricks import Trick
from tests.refereeing import Deal, Portions, match_refereed, seeded

PLAIN, TRUMPS, RUN = "ATKQJ987", "J9ATKQ87", "789TJQKA"
FOURS = "J9ATKQ"
"""The ranks of four of a kind, the highest first."""
LENGTHS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
Rank = tuple[int, ...]


@dataclass
class Referee:
    """The bids, the hands, the declarations and the tricks."""

    game: Belote
    start: Start
    deal: Portions = field(init=False)
    fill: Deal | None = None
    hands: dict[int, list[Card]] = field(default_factory=dict)
    upcard: Card | None = None
    bids: int = 0
    taker: int | None = None
    trump: str = ""
    declared: list[tuple[Rank, int, int, set[Card]]] = field(default_factory=list)
    """How high each ranks, who made it, its points and its cards."""
    spoken: int = 0
    royal: int | None = None
    """Who held king and queen of trumps."""
    trick: Trick = field(init=False)
    leader: int = 0
    gathering: bool = False
    taken: Counter[int] = field(default_factory=Counter)
    """Points in tricks by side: 0 for the even places at the table, 1 for the others."""
    won: Counter[int] = field(default_factory=Counter)
    over: bool = False

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        self.order = [*self.start.following(self.dealer, self.game.direction), self.dealer]
        self.leader = self.order[0]
        each = [str(seat) for seat in self.order]
        portions = [(seat, count, True) for count in (3, 2) for seat in each]
        self.deal = Portions([*portions, ("board", 1, False)])
        self.hands = {seat: [] for seat in self.order}
        self.trick = Trick(PLAIN)

    def side(self, seat: int) -> int:
        return self.start.seats.index(seat) % 2

    @property
    def declaring(self) -> bool:
        return self.game.declarations == "all" and self.spoken < 4

    @property
    def player(self) -> int | None:
        ring = [self.leader, *self.start.following(self.leader, self.game.direction)]
        played = {seat for seat, _ in self.trick.plays}
        return next((seat for seat in ring if seat not in played), None)

    def allows(self, act: Act) -> bool | None:
        if act.verb is Verb.SHOW or act.words in (("belote",), ("rebelote",)):
            return None
        if self.over:
            return act.verb is Verb.CLEAR or (None if act.verb is Verb.GATHER else False)
        if self.deal.due:
            return self.deal.allows(act)
        if self.taker is None:
            return self.bidding(act)
        if self.fill is None:
            fits = act.spot == "board" and act.cards == (self.upcard,) and not act.down
            return act.verb is Verb.DRAW and act.seat == self.taker and fits
        if not self.fill.done:
            return self.fill.allows(act)
        if self.declaring:
            seat = self.order[self.spoken]
            if act.seat != seat or act.verb not in (Verb.DECLARE, Verb.PASS):
                return False
            return act.verb is Verb.PASS or self.holds(act, seat)
        if self.gathering:
            return act.verb is Verb.GATHER or (None if act.verb is Verb.PLAY else False)
        return self.playable(act) and act.card in self.duty(act.seat or 0)

    def bidding(self, act: Act) -> bool:
        if act.seat != self.order[self.bids % 4] or act.verb not in (Verb.PASS, Verb.BID):
            return False
        assert self.upcard is not None
        offered = str(self.upcard.suit)
        return act.verb is Verb.PASS or (act.words[0][0].upper() == offered) is (self.bids < 4)

    def holds(self, act: Act, seat: int) -> bool | None:
        if act.words == ("four-of-a-kind",) and str(act.card.rank) in "78":
            return False
        _, _, cards = self.combination(act)
        if act.words[0].startswith("run") and len(cards) < LENGTHS[act.words[0][7:]]:
            return False
        if any(cards & other for _, _, _, other in self.declared):
            return None  # the document does not say whether a card counts twice
        return cards <= set(self.hands[seat])

    def combination(self, act: Act) -> tuple[Rank, int, set[Card]]:
        """How high a declaration ranks, what it scores, and its cards."""
        card = act.card
        if act.words == ("four-of-a-kind",):
            rank = str(card.rank)
            cards = {Card.parse(f"{rank}{suit}") for suit in "CDHS"}
            return (9, -FOURS.index(rank)), {"J": 200, "9": 150}.get(rank, 100), cards
        length = LENGTHS[act.words[0].removeprefix("run-of-")]
        top = RUN.index(str(card.rank))
        ranks = RUN[max(0, top - length + 1) : top + 1]
        cards = {Card.parse(f"{rank}{card.suit}") for rank in ranks}
        points = {3: 20, 4: 50}.get(length, 100)
        return (0, length, top, str(card.suit) == self.trump), points, cards

    def playable(self, act: Act) -> bool:
        ready = act.verb is Verb.PLAY and act.seat == self.player and not act.down
        return ready and len(act.cards) == 1 and act.card in self.hands[act.seat or 0]

    def duty(self, seat: int) -> list[Card]:
        """The cards that may be played."""
        hand, trick = self.hands[seat], self.trick
        if not trick.plays:
            return hand
        friendly = self.side(trick.winner) == self.side(seat)
        suited = trick.suited(hand)
        if suited and not trick.trump_led:
            return suited
        if suited:
            free = friendly and not self.game.overtrump_partner_led
            return suited if free else trick.winning(suited) or suited
        trumps = [card for card in hand if trick.is_trump(card)]
        return hand if friendly else trick.winning(trumps) or trumps or hand

    def stands(self, act: Act) -> bool:
        ready = self.fill is not None and self.fill.done and not self.declaring
        return ready and not (self.over or self.gathering) and self.playable(act)

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.DEAL if self.deal.due:
                self.deal.see(act)
                if act.spot == "board":
                    self.upcard = act.card
                else:
                    self.hands[int(act.spot or "")] += act.cards
            case Verb.DEAL if self.fill is not None:
                self.fill.see(act)
                self.hands[int(act.spot or "")] += act.cards
                self.hold()
            case Verb.BID:
                self.taker, self.trump = act.seat, act.words[0][0].upper()
                self.trick = self.fresh()
            case Verb.PASS if self.taker is None:
                self.bids += 1
                self.over = self.bids == 8
            case Verb.PASS:
                self.spoken += 1
            case Verb.DRAW:
                self.hands[self.taker or 0] += act.cards
                more = {str(seat): 3 - (seat == self.taker) for seat in self.order}
                self.fill = Deal(Counter(more))
            case Verb.DECLARE if act.cards and act.seat is not None:
                rank, points, cards = self.combination(act)
                self.declared.append((rank, act.seat, points, cards))
            case Verb.GATHER:
                self.gathering = False
            case Verb.PLAY if act.seat is not None:
                self.plays(act.card, act.seat)

    def fresh(self) -> Trick:
        return Trick(PLAIN, self.trump, TRUMPS)

    def hold(self) -> None:
        """Note who has king and queen of trumps."""
        pair = {Card.parse(f"K{self.trump}"), Card.parse(f"Q{self.trump}")}
        holders = [seat for seat, hand in self.hands.items() if pair <= set(hand)]
        self.royal = holders[0] if holders else None

    def value(self, card: Card) -> int:
        rank, trump = str(card.rank), str(card.suit) == self.trump
        if rank in "J9":
            return {"J": 20, "9": 14}[rank] if trump else 2 * (rank == "J")
        return {"A": 11, "T": 10, "K": 4, "Q": 3}.get(rank, 0)

    def plays(self, card: Card, seat: int) -> None:
        self.trick.plays.append((seat, card))
        self.hands[seat].remove(card)
        if self.player is not None:
            return
        self.leader = self.trick.winner
        side = self.side(self.leader)
        self.won[side] += 1
        self.taken[side] += sum(self.value(one) for _, one in self.trick.plays)
        self.trick, self.gathering = self.fresh(), True
        if not self.hands[seat]:
            self.over = True
            self.taken[side] += 10

    def declarations(self) -> Counter[int]:
        """The points of the side with the highest declaration."""
        if self.game.declarations != "all" or not self.declared:
            return Counter()
        best = max(self.declared, key=lambda one: (one[0], -self.order.index(one[1])))
        side = self.side(best[1])
        return Counter({side: sum(one[2] for one in self.declared if self.side(one[1]) == side)})

    def royals(self) -> Counter[int]:
        named = self.royal is not None and self.game.declarations != "none"
        return Counter({self.side(self.royal or 0): 20} if named else {})

    def outcome(self) -> tuple[Counter[int], int]:
        """Each side's score, and what is held over for the next winners."""
        assert self.taker is not None
        side, other = self.side(self.taker), 1 - self.side(self.taker)
        extra, royals, tricks = self.declarations(), self.royals(), Counter(self.taken)
        for one in (0, 1):
            if not self.won[one]:
                tricks[1 - one] = 252
                if one == other:
                    extra[one] = 0  # nobody's
        if self.game.contract == "all":
            mine, theirs = (
                tricks[one] + (extra[one] if self.won[one] else 0) + royals[one]
                for one in (side, other)
            )
        else:
            mine, theirs = tricks[side], tricks[other]
        carried = 0
        if mine == theirs and self.game.litige:
            carried = self.rounded(tricks, side) + extra[side]
            score = Counter({other: self.rounded(tricks, other) + extra[other]})
            return score + royals, carried
        if mine > theirs:
            return Counter(
                {one: self.rounded(tricks, one) + extra[one] for one in (side, other)}
            ) + royals, carried
        all_ = 250 if not self.won[side] else 160
        if self.game.belote_lost:
            royals = Counter({other: royals.total()})
        return Counter({other: all_ + extra.total()}) + royals, carried

    def rounded(self, tricks: Counter[int], side: int) -> int:
        """To the nearest ten, five down; the lower side has what is left of 160."""
        mine, theirs = tricks[side], tricks[1 - side]
        nearest = (mine + 4) // 10 * 10
        if self.game.rounding == "alone" or mine >= theirs or mine + theirs == 252:
            return nearest
        return 160 - (theirs + 4) // 10 * 10

    def result(self) -> dict[int, int]:
        if self.taker is None:
            return {}
        score, _ = self.outcome()
        score[self.winners] += self.held if self.winners >= 0 else 0
        return {seat: score[self.side(seat)] for seat in self.order}

    @property
    def held(self) -> int:
        return int(self.start.note("carried", "0"))

    @property
    def winners(self) -> int:
        """The side that won the contract; below zero in a tie that is put off."""
        assert self.taker is not None
        score, carried = self.outcome()
        side = self.side(self.taker)
        if carried:
            return -1
        return side if score[side] > 20 or self.won[1 - side] == 0 else 1 - side

    def following(self) -> dict[str, Any]:
        totals = Counter(dict(self.start.scores))
        for seat, points in self.result().items():
            totals[seat] += points
        won = any(points >= 1000 for points in totals.values())
        scores = () if won else tuple(sorted(totals.items()))
        if not self.result():
            scores = self.start.scores
        return {"dealer": self.start.after(self.dealer, self.game.direction), "scores": scores}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Three hands somewhere in a match."""
    dice = random.Random(f"belote {seed}")
    game = Belote(
        direction=dice.choice((Direction.LEFT, Direction.RIGHT)),
        declarations=dice.choice(("all", "all", "belote", "none")),
        overtrump_partner_led=dice.random() < 0.3,
        litige=dice.random() < 0.5,
        contract=dice.choice(("tricks", "tricks", "all")),
        belote_lost=dice.random() < 0.3,
        rounding=dice.choice(("sum", "alone")),
        both_reach=dice.choice(("tie", "highest")),
    )
    pair = dice.choice(((0, 0), (300, 640), (900, 950)))
    start = start_for(game).having(
        dealer=dice.randint(1, 4), scores=tuple((seat, pair[seat % 2]) for seat in range(1, 5))
    )
    return match_refereed(
        game, start, lambda start: Referee(game, start), seed, hands=3, temper=talkative
    )


def talkative(act: Act, _: State) -> bool:
    """Players who take, and declare what they have."""
    return act.verb not in (Verb.PASS, Verb.SHOW)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    if referee.taker is None:
        yield "thrown in"
        return
    yield "made" if referee.winners == referee.side(referee.taker) else "failed"
    yield from ("declared" for _ in referee.declared)
    if referee.royal is not None:
        yield "belote"
    if 8 in referee.won.values():
        yield "capot"


@pytest.mark.parametrize("seeds", seeded(2, 100), ids=str)
def test_bids_declarations_duties_and_scores_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 4 or len(seeds) < 100
