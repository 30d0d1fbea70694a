"""Guts followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.guts import Guts
from rules.start import Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import match_refereed, seeded

ORDER = "23456789TJQKA"


@dataclass
class Referee:
    """The pot, the hands, and who is in."""

    game: Guts
    start: Start
    hands: dict[int, list[Card]] = field(default_factory=dict)
    said: dict[int, bool] = field(default_factory=dict)
    """Who has said in (true) or out."""
    shown: Counter[int] = field(default_factory=Counter)
    gone: set[int] = field(default_factory=set)
    """Whose cards lie among the discards."""
    named: set[int] = field(default_factory=set)
    """Whose ante was named by itself."""
    anted: bool = False
    net: Counter[int] = field(default_factory=Counter)
    flavor: bool = False

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        self.order = [*self.start.following(self.dealer), self.dealer]
        self.hands = {seat: [] for seat in self.order}
        self.counted = self.start.level is Level.AMOUNTS
        won = not self.start.pot or self.start.note("flavor") == "yes"
        self.antes = self.counted and (won or self.game.ante_each_deal)
        self.anted = not self.antes

    @property
    def inside(self) -> list[int]:
        return [seat for seat in self.order if self.said.get(seat)]

    @property
    def contenders(self) -> list[int]:
        """Whose hands are compared: everybody's if all are out and the best hand pays."""
        all_out = not self.inside and self.game.all_out == "best-pays"
        return self.order if all_out else self.inside

    @property
    def over(self) -> bool:
        if len(self.said) < len(self.order):
            return False
        return len(self.contenders) < 2 or all(self.shown[seat] == 2 for seat in self.contenders)

    def worth(self, seat: int) -> tuple[bool, int, int]:
        high, low = sorted((ORDER.index(str(c.rank)) for c in self.hands[seat]), reverse=True)
        return high == low, high, low

    def allows(self, act: Act) -> bool | None:
        if not self.anted:
            due = act.verb is Verb.ANTE and act.amount in (None, self.game.ante_chips)
            return due and act.seat not in self.named
        dealt = all(len(hand) == 2 for hand in self.hands.values())
        if not dealt:
            return self.dealing(act)
        keeps = self.game.all_out == "best-pays"
        if act.verb is Verb.FOLD and self.said.get(act.seat or 0) is False and not keeps:
            return act.seat not in self.gone  # the cards of who has said out
        if self.over:
            return {Verb.CLEAR: True, Verb.SHOW: None}.get(act.verb, False)
        if len(self.said) < len(self.order):
            waiting = [seat for seat in self.order if seat not in self.said]
            mine = act.seat in (waiting if self.game.together else waiting[:1])
            if act.verb is Verb.DECLARE:
                return mine
            return act.verb is Verb.FOLD and mine and (None if keeps else True)
        if act.verb is not Verb.SHOW or act.seat not in self.contenders or act.down:
            return False
        left = Counter(self.hands[act.seat])
        return not Counter(act.cards) - left and self.shown[act.seat] + len(act.cards) <= 2

    def dealing(self, act: Act) -> bool | None:
        """Two cards to each player; the document states no order."""
        if act.verb is not Verb.DEAL or not act.down:
            return False
        fewest = min(map(len, self.hands.values()))
        hand = self.hands.get(int(act.spot or "0"), [])
        if len(hand) + len(act.cards) > 2:
            return False
        return True if len(hand) == fewest and len(act.cards) == 1 else None

    def stands(self, act: Act) -> bool:
        """What is said before one's turn is said."""
        dealt = all(len(hand) == 2 for hand in self.hands.values())
        early = act.verb is Verb.DECLARE and act.seat not in self.said
        return self.anted and dealt and early and not self.over

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.ANTE:
                self.named |= {act.seat} if act.seat else set(self.order)
                self.anted = self.named >= set(self.order)
            case Verb.DEAL:
                self.hands[int(act.spot or "")] += act.cards
            case Verb.DECLARE if act.seat is not None:
                self.said[act.seat] = act.words == ("in",)
            case Verb.FOLD if act.seat is not None:
                self.said[act.seat] = False
                self.gone.add(act.seat)
            case Verb.SHOW if act.seat is not None:
                self.shown[act.seat] += len(act.cards)

    def result(self) -> Counter[int]:
        net = Counter[int]()
        if not self.counted:
            return net
        for seat in self.order if self.antes else ():
            net[seat] -= self.game.ante_chips
        pot = self.start.pot - sum(net.values())
        contenders = self.contenders
        best = max((self.worth(seat) for seat in contenders), default=None)
        winners = [seat for seat in contenders if self.worth(seat) == best]
        if not self.inside:
            left, losers = pot, winners  # the best hand pays for staying out
        else:
            left, losers = pot % len(winners), [s for s in contenders if s not in winners]
            for seat in winners:
                net[seat] += pot // len(winners)
        paid = False
        for seat in losers:
            due = pot if not self.game.maximum else min(pot, self.game.maximum)
            if self.game.maximum and self.game.literal_cap:
                due = pot if left <= self.game.maximum else 0
            net[seat] -= due
            left, paid = left + due, True
        self.flavor = bool(self.inside) and not paid and left > 0
        net[0] = -sum(net.values())
        return net

    def following(self) -> dict[str, Any]:
        kept = self.start.pot + self.result()[0] if self.counted else 0
        return {
            "dealer": self.start.after(self.dealer),
            "pot": kept,
            "notes": (("flavor", "yes"),) if self.flavor else (),
        }


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Four hands at a random table."""
    dice = random.Random(f"guts {seed}")
    game = Guts(
        ante_chips=dice.choice((1, 5)),
        maximum=dice.choice((0, 0, 7, 20)),
        literal_cap=dice.random() < 0.5,
        ante_each_deal=dice.random() < 0.3,
        all_out=dice.choice(("stays", "best-pays")),
        together=dice.random() < 0.4,
    )
    level = dice.choice((Level.AMOUNTS, Level.AMOUNTS, Level.WHO))
    start = start_for(game, level, seats=dice.choice((2, 3, 5, 10, 22)))
    pot = dice.choice((0, 0, 25)) if level is Level.AMOUNTS else 0
    start = start.having(dealer=dice.choice(start.seats), pot=pot)
    return match_refereed(game, start, lambda start: Referee(game, start), seed, hands=4)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield f"{min(3, len(referee.inside))} in"
    if referee.flavor:
        yield "flavor"


@pytest.mark.parametrize("seeds", seeded(4, 150), ids=str)
def test_declarations_showdown_and_pot_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 4 or len(seeds) < 150
