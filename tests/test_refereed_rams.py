"""Rams followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.rams import Rams
from rules.start import Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereed_tricks import Trick
from tests.refereeing import Deal, match_refereed, seeded

ORDER = "AKQJT987"


@dataclass
class Referee:
    """The pot, who plays, the hands and the tricks."""

    game: Rams
    start: Start
    deal: Deal = field(init=False)
    hands: dict[int, list[Card]] = field(default_factory=dict)
    widow: list[Card] = field(default_factory=list)
    turn_up: Card | None = None
    trump: str = ""
    anted: bool = False
    said: dict[int, str] = field(default_factory=dict)
    """Each player's word: play, out or rams."""
    left_widow: set[int] = field(default_factory=set)
    """Who was asked after Rams whether to take the widow."""
    exchanged: bool = False
    trick: Trick = field(init=False)
    won: Counter[int] = field(default_factory=Counter)
    leader: int | None = None
    gathering: bool = False
    net: Counter[int] = field(default_factory=Counter)
    over: bool = False

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        self.order = [*self.start.following(self.dealer), self.dealer]
        places = [*map(str, self.order), "widow"]
        self.deal = Deal(Counter(dict.fromkeys(places, 5)), "board")
        self.hands = {seat: [] for seat in self.order}
        self.counted = self.start.level is Level.AMOUNTS
        self.anted = self.game.first_dealer_only and self.start.pot > 0
        self.trick = Trick(ORDER)

    @property
    def pot(self) -> int:
        return self.start.pot + self.net[0]

    @property
    def declarer(self) -> int | None:
        return next((seat for seat, word in self.said.items() if word == "rams"), None)

    @property
    def players(self) -> list[int]:
        if self.declarer is not None:
            return self.order
        return [seat for seat in self.order if self.said.get(seat) == "play"]

    @property
    def bidder(self) -> int | None:
        """Who speaks next; after Rams, who may still take the widow."""
        if self.leader is not None:
            return None
        if self.declarer is not None and not (self.widow and self.game.widow_after_rams):
            return None
        asked = {*self.said, *self.left_widow}
        return next((seat for seat in self.order if seat not in asked), None)

    @property
    def exchanging(self) -> bool:
        """Whether the dealer may take the turn-up now, or is about to."""
        if self.exchanged or self.bidder is not None or self.dealer not in self.players:
            return False
        if self.leader is not None:
            return False
        two = self.declarer is None and len(self.players) == 2
        return len(self.hands[self.dealer]) != 5 or two or self.game.turn_up == "always"

    @property
    def player(self) -> int | None:
        """Who plays to the trick."""
        if self.leader is None:
            first = self.players[0]
            if self.declarer is not None and self.game.rams_leads == "declarer":
                first = self.declarer
            return first
        ring = [self.leader, *self.start.following(self.leader)]
        played = {seat for seat, _ in self.trick.plays}
        return next((s for s in ring if s in self.players and s not in played), None)

    def allows(self, act: Act) -> bool | None:
        if self.over:
            return act.verb is Verb.CLEAR or (None if act.verb is Verb.GATHER else False)
        if not self.anted:
            due = act.verb is Verb.ANTE and act.seat == self.dealer
            return due and act.amount in (None, 5)
        if not self.deal.done:
            return self.deal.allows(act)
        if self.gathering:
            return act.verb is Verb.GATHER or (None if act.verb is Verb.PLAY else False)
        if self.bidder is not None:
            return self.bidding(act, self.bidder)
        if self.exchanging:
            return self.exchange(act)
        return act.verb is Verb.PLAY and self.may_play(act)

    def bidding(self, act: Act, seat: int) -> bool | None:
        if act.verb is Verb.PLAY and self.declarer is not None:
            return self.may_play(act)  # nobody waits for the widow to be refused
        if act.seat != seat:
            return False
        if act.verb is Verb.DRAW:
            return act.spot == "widow" and sorted(act.cards, key=str) == self.widow and act.down
        if act.verb is Verb.BID:
            return act.words == ("play",) or self.declarer is None
        if act.verb is not Verb.PASS:
            return False
        if self.declarer is not None:
            return True
        bound = seat == self.dealer and len(self.players) == 1
        return not bound and (self.pot > 5 if self.counted else None)

    def exchange(self, act: Act) -> bool:
        hand = self.hands[self.dealer]
        if act.seat != self.dealer:
            return False
        if act.verb is Verb.DISCARD:
            fits = act.down and len(act.cards) == 1 and act.card in hand
            return fits and (len(hand) == 6 or (self.turn_up is not None and len(hand) == 5))
        if act.verb is Verb.DRAW:
            wanted = act.spot == "board" and act.cards == (self.turn_up,) and not act.down
            return wanted and len(hand) < 6
        return act.verb is Verb.PASS and len(hand) == 5

    def may_play(self, act: Act) -> bool:
        seat = self.player
        if seat is None or act.seat != seat or len(act.cards) != 1 or act.down:
            return False
        hand = self.hands[seat]
        return act.card in hand and act.card in self.duty(hand)

    def duty(self, hand: list[Card]) -> list[Card]:
        """What may be played: win the trick if that is possible in the suit, or with a trump."""
        if not self.trick.plays:
            return hand
        suited = self.trick.suited(hand)
        if suited:
            return suited if self.trick.trumped else self.trick.winning(suited) or suited
        trumps = [card for card in hand if self.trick.is_trump(card)]
        return self.trick.winning(trumps) or trumps or hand

    def stands(self, act: Act) -> bool:
        """Another card of the hand, played in turn, lies there and may win the trick."""
        ready = self.deal.done and self.bidder is None and not (self.exchanging or self.gathering)
        if self.over or not ready or act.verb is not Verb.PLAY or len(act.cards) != 1:
            return False
        return act.seat == self.player and not act.down and act.card in self.hands[act.seat or 0]

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.ANTE:
                self.anted = True
                self.pays(self.dealer, 0, 5)
            case Verb.DEAL:
                self.dealt(act)
            case Verb.BID | Verb.PASS if act.seat is not None:
                self.says(act, act.seat)
            case Verb.DRAW if act.spot == "widow":
                assert act.seat is not None
                self.said[act.seat] = "play"
                self.hands[act.seat], self.widow = [*act.cards], []
            case Verb.DRAW:
                self.hands[self.dealer] += act.cards
                self.turn_up, self.exchanged = None, len(self.hands[self.dealer]) == 5
            case Verb.DISCARD:
                self.hands[self.dealer].remove(act.card)
                self.exchanged = self.turn_up is None
            case Verb.PLAY if act.seat is not None:
                self.plays(act.card, act.seat)
            case Verb.GATHER:
                self.gathering = False
        if not self.over and self.said.keys() >= set(self.order[:-1]):
            self.judge()

    def dealt(self, act: Act) -> None:
        self.deal.see(act)
        if act.spot == "board":
            self.turn_up, self.trump = act.card, str(act.card.suit)
            self.trick = Trick(ORDER, self.trump)
        elif act.spot == "widow":
            self.widow = sorted([*self.widow, *act.cards], key=str)
        else:
            self.hands[int(act.spot or "")] += act.cards

    def says(self, act: Act, seat: int) -> None:
        if self.bidder is None:
            self.exchanged = True  # the dealer leaves the turn-up
        elif self.declarer is not None:
            self.left_widow.add(seat)
        else:
            self.said[seat] = act.words[0] if act.words else "out"

    def plays(self, card: Card, seat: int) -> None:
        if self.leader is None:
            self.leader = seat
        self.trick.plays.append((seat, card))
        self.hands[seat].remove(card)
        if self.player is None:
            self.leader = self.trick.winner
            self.won[self.leader] += 1
            self.trick, self.gathering = Trick(ORDER, self.trump), True
            self.settle()

    def judge(self) -> None:
        """If everybody has passed to the dealer, the player at the right pays."""
        if not self.players:
            self.pays(self.order[-2], self.dealer, 5)
            self.over = True

    def settle(self) -> None:
        tricks, solo = self.won.total(), self.declarer
        lost = solo is not None and self.won[solo] < tricks
        if not lost and tricks < 5:
            return
        self.over, pot = True, self.pot
        if solo is not None:
            self.pays(*((solo, 0) if lost else (0, solo)), pot)
            for other in self.order:
                if other != solo:
                    self.pays(*((solo, other) if lost else (other, solo)), 5)
            return
        for seat in self.players:
            if self.won[seat]:
                self.pays(0, seat, pot // 5 * self.won[seat])
        for seat in self.players:
            if not self.won[seat]:
                self.pays(seat, 0, 5)

    def pays(self, payer: int, payee: int, chips: int) -> None:
        if self.counted:
            self.net[payer] -= chips
            self.net[payee] += chips

    def result(self) -> Counter[int]:
        return self.net

    def following(self) -> dict[str, Any]:
        return {"dealer": self.start.after(self.dealer), "pot": self.pot if self.counted else 0}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Four hands at a random table."""
    dice = random.Random(f"rams {seed}")
    game = Rams(
        first_dealer_only=dice.random() < 0.4,
        turn_up=dice.choice(("one", "one", "always")),
        widow_after_rams=dice.random() < 0.7,
        rams_leads=dice.choice(("left", "left", "declarer")),
    )
    level = dice.choice((Level.AMOUNTS, Level.AMOUNTS, Level.WHO))
    start = start_for(game, level, seats=dice.randint(3, 5))
    pot = dice.choice((0, 0, 5, 20)) if level is Level.AMOUNTS else 0
    start = start.having(dealer=dice.choice(start.seats), pot=pot)
    if level is Level.WHO:
        game = Rams(turn_up=game.turn_up, rams_leads=game.rams_leads)
    temper = bold if seed % 2 else careful
    return match_refereed(
        game, start, lambda start: Referee(game, start), seed, hands=4, temper=temper
    )


def careful(act: Act, _: State) -> bool:
    """Players who never declare Rams."""
    return act.words != ("rams",)


def bold(act: Act, _: State) -> bool:
    """Players who play whenever they can."""
    return act.verb is not Verb.PASS


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    if referee.declarer is not None:
        yield "rams made" if referee.won[referee.declarer] == 5 else "rams lost"
    else:
        yield f"{len(referee.players)} play"
    if any(act.verb is Verb.DRAW and act.spot == "board" for act in last.acts):
        yield "exchanged"


@pytest.mark.parametrize("seeds", seeded(3, 150), ids=str)
def test_bids_tricks_and_the_pot_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 6 or len(seeds) < 150
