"""Seven and a Half followed by a referee who knows the document's sentences alone."""

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
from rules.games.seven_and_a_half import SevenAndAHalf
from rules.start import Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import match_refereed, seeded

GOAL, WILD = Fraction(15, 2), Card.parse("KD")


@dataclass
class Referee:
    """The bets, everybody's cards and whose turn it is."""

    game: SevenAndAHalf
    start: Start
    bets: dict[int, int] = field(default_factory=dict)
    hands: dict[int, list[Card]] = field(default_factory=dict)
    faced: set[int] = field(default_factory=set)
    """Who has turned up the hole card."""
    stood: set[int] = field(default_factory=set)
    busted: set[int] = field(default_factory=set)
    closed: bool = False
    asked: int | None = None
    """Who has asked for a card."""
    taken: Counter[int] = field(default_factory=Counter)
    left: int = 40
    limits: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        assert self.start.banker is not None
        self.banker, self.limits = self.start.banker, self.start.limits

    def total(self, seat: int) -> Fraction:
        """The best total not above 7½, or else the least one."""
        plain = Fraction(0)
        wild = 0
        for card in self.hands[seat]:
            rank = str(card.rank)
            if card == WILD:
                wild += 1
            elif rank == "A":
                plain += 1
            else:
                plain += Fraction(1, 2) if rank in "JQK" else int(rank)
        if not wild:
            return plain
        numbers = [Fraction(number) for number in range(1, 9)]
        numbers += [Fraction(1, 2)] if self.game.matta_half else []
        sums = [plain + number for number in numbers]
        return max((sum_ for sum_ in sums if sum_ <= GOAL), default=min(sums))

    def natural(self, seat: int) -> bool:
        return len(self.hands[seat]) == 2 and self.total(seat) == GOAL

    def bust(self, seat: int) -> bool:
        return self.total(seat) > GOAL

    @property
    def players(self) -> list[int]:
        """Who has bet, from the banker's left."""
        return [seat for seat in self.start.following(self.banker) if seat in self.bets]

    @property
    def active(self) -> list[int]:
        return [seat for seat in self.players if seat not in self.busted]

    @property
    def acting(self) -> int | None:
        waiting = (seat for seat in self.active if seat not in self.stood)
        return next(waiting, self.banker if self.banker not in self.stood else None)

    @property
    def lying(self) -> int | None:
        """Whose busted hand has to be removed."""
        left = (s for s in self.busted if self.taken[s] < len(self.hands[s]))
        return next(left, None)

    @property
    def done(self) -> bool:
        if not self.closed or not self.bets:
            return self.closed  # nobody plays
        if self.banker not in self.hands or self.lying is not None:
            return False
        faced = self.faced >= {*self.active, self.banker}
        return not self.active or (self.acting is None and faced)

    def allows(self, act: Act) -> bool | None:
        seat = int(act.spot) if act.spot else act.seat
        if not self.closed:
            return self.betting(act)
        if not self.done and len(self.hands) <= len(self.players):
            due = seat in (*self.players, self.banker) and seat not in self.hands
            return act.verb is Verb.DEAL and due and act.down and len(act.cards) == 1
        assert seat is not None or act.verb in (Verb.CLEAR, Verb.CLOSE, Verb.LIMITS)
        if self.lying is not None:
            return self.removing(act)
        if self.done:
            return {Verb.CLEAR: True, Verb.SHOW: None, Verb.TAKE: None}.get(act.verb, False)
        if act.verb is Verb.SHOW and act.seat is not None:
            own = list(act.cards) == self.hands.get(act.seat, [])[:1] and seat not in self.faced
            return own and self.turned(act.seat)
        if seat != self.acting or seat is None:
            return False
        if seat == self.banker:
            return self.banking(act)
        if act.verb is Verb.DEAL:
            return self.asked == seat and not act.down and len(act.cards) == 1
        if self.asked is not None or self.natural(seat) or self.bust(seat):
            return False
        return act.verb is Verb.STAND or (act.verb is Verb.HIT and self.left > 0)

    def betting(self, act: Act) -> bool | None:
        if act.verb is Verb.LIMITS:
            return self.limits is None or None
        if self.limits is None and self.start.level is Level.AMOUNTS:
            return False
        if act.verb is Verb.CLOSE:
            return bool(self.bets) or None
        if act.verb is Verb.DEAL and self.bets:
            return None  # the first card closes the betting
        if act.verb is not Verb.BET or act.seat in (self.banker, *self.bets):
            return False
        if self.start.level is Level.WHO:
            return True
        assert act.amount is not None
        assert act.seat is not None
        assert self.limits is not None
        stack = self.start.stack(act.seat)
        within = self.limits[0] <= act.amount <= self.limits[1]
        return within and (stack is None or act.amount <= stack)

    def removing(self, act: Act) -> bool:
        if act.verb is not Verb.TAKE or act.spot != str(self.lying):
            return False
        assert self.lying is not None
        return not Counter(act.cards) - Counter(self.hands[self.lying])

    def turned(self, seat: int) -> bool:
        """Whether `seat` turns up the hole card now."""
        if self.asked is not None:
            return False
        if self.acting is None:
            return seat in self.active  # everybody shows at the end
        if seat != self.acting:
            return False
        return seat == self.banker or self.natural(seat) or self.bust(seat)

    def banking(self, act: Act) -> bool | None:
        if self.banker not in self.faced:
            return False
        if act.verb is Verb.DEAL:
            return self.left > 0 and not act.down and len(act.cards) == 1
        return None if act.verb is Verb.HIT else act.verb is Verb.STAND

    def stands(self, act: Act) -> bool:
        """A bet that is too high or too low, or one more, lies there like any other."""
        return act.verb is Verb.BET and act.seat != self.banker and not self.closed

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.LIMITS:
                self.limits = act.numbers[0], act.numbers[1]
            case Verb.BET if act.seat is not None:
                self.bets[act.seat] = self.bets.get(act.seat, 0) + (act.amount or 0)
            case Verb.CLOSE:
                self.closed = True
            case Verb.HIT:
                self.asked = act.seat
            case Verb.STAND if act.seat is not None:
                self.stood.add(act.seat)
            case Verb.TAKE if act.spot is not None:
                self.taken[int(act.spot)] += len(act.cards)
            case Verb.SHOW if act.seat is not None and not self.done:
                self.faced.add(act.seat)
                self.judged(act.seat)
            case Verb.DEAL if act.spot is not None:
                seat = int(act.spot)
                self.left -= 1
                self.hands.setdefault(seat, []).append(act.card)
                self.asked = None
                self.judged(seat)

    def judged(self, seat: int) -> None:
        """A face-up hand stands by itself with 7½ in two cards, and is out if it is bust."""
        if seat not in self.faced or seat in self.stood:
            return
        if self.natural(seat) or (self.bust(seat) and seat == self.banker):
            self.stood.add(seat)
        elif self.bust(seat):
            self.busted.add(seat)

    def result(self) -> Counter[int]:
        net = Counter[int]()
        for seat in self.players:
            won = self.rate(seat) * self.bets[seat]
            net[seat] += won
            net[self.banker] -= won
        return net

    def rate(self, seat: int) -> int:
        """How many times their bet the player wins."""
        if seat in self.busted:
            return -1
        if self.bust(self.banker):
            return 2 if self.natural(seat) and self.game.natural_pays_on_bust else 1
        mine, theirs = self.natural(seat), self.natural(self.banker)
        tie = 0 if self.game.ties == "push" else -1
        if mine or theirs:
            return tie if mine and theirs else 2 if mine else -1
        if self.total(seat) == self.total(self.banker):
            return tie
        return 1 if self.total(seat) > self.total(self.banker) else -1

    def following(self) -> dict[str, Any]:
        heirs = [seat for seat in self.active if self.natural(seat)]
        kept = not heirs or self.natural(self.banker)
        return {"banker": self.banker if kept else heirs[0], "limits": self.limits}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Three hands at a random table."""
    dice = random.Random(f"seven {seed}")
    game = SevenAndAHalf(
        matta_half=dice.random() < 0.3,
        ties=dice.choice(("push", "push", "banker")),
        natural_pays_on_bust=dice.random() < 0.7,
    )
    level = dice.choice((Level.AMOUNTS, Level.AMOUNTS, Level.WHO))
    start = start_for(game, level, seats=dice.randint(2, 10))
    more: dict[str, Any] = {"banker": dice.choice(start.seats)}
    if level is Level.AMOUNTS:
        more["limits"] = dice.choice([(1, 20), (2, 5), None])
        if dice.random() < 0.5:
            more["stacks"] = tuple((seat, dice.randint(3, 60)) for seat in start.seats)
    start = start.having(**more)
    return match_refereed(game, start, lambda start: Referee(game, start), seed, hands=3)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    if referee.banker in referee.hands and referee.active:
        yield "banker busts" if referee.bust(referee.banker) else "banker stands"
    yield from ("natural" for seat in referee.active if referee.natural(seat))
    yield from ("wild" for cards in referee.hands.values() if WILD in cards)


@pytest.mark.parametrize("seeds", seeded(4, 200), ids=str)
def test_turns_totals_payments_and_bank_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) == 4 or len(seeds) < 200
