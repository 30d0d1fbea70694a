"""Panguingue followed by a referee who knows the document's sentences alone."""

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
from rules.games.panguingue import Panguingue
from rules.start import Direction, Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import match_refereed, seeded

ORDER = "A234567JQK"
VALLE = "357"
Cards = tuple[Card, ...]


def rope(cards: Cards) -> bool:
    places = sorted(ORDER.index(str(card.rank)) for card in cards)
    row = places == list(range(places[0], places[0] + len(places)))
    return row and len({card.suit for card in cards}) == 1


def meld(cards: Cards) -> bool:
    """Whether the cards may be laid as a new meld."""
    if len(cards) < 3:
        return False
    ranks, suits = {str(card.rank) for card in cards}, {card.suit for card in cards}
    if len(ranks) > 1:
        return rope(cards)
    return len(suits) in (1, len(cards)) or ranks <= set("AK")


def stays(cards: Cards) -> bool:
    """Whether they may lie there as a meld that has grown: suits of a mixed one may repeat."""
    one_rank = len({card.rank for card in cards}) == 1
    return meld(cards) or (one_rank and len({card.suit for card in cards}) > 2)


def condition(cards: Cards) -> int:
    """The chips that each opponent pays for it."""
    ranks, suits = {str(card.rank) for card in cards}, {str(card.suit) for card in cards}
    spades = 2 if suits == {"S"} else 1
    if not stays(cards):
        return 0
    if len(ranks) > 1:
        return spades * sum(set(end) <= ranks for end in ("A23", "JQK"))
    valle = ranks <= set(VALLE)
    return int(valle) if len(suits) > 1 else spades * (2 if valle else 1)


@dataclass
class Referee:
    """The hands, the melds, the pile, whose turn it is and what has been paid."""

    game: Panguingue
    start: Start
    deals: list[str] = field(default_factory=list)
    """Where the next cards go, in order; the upcard last."""
    hands: dict[int, list[Card]] = field(default_factory=dict)
    melds: dict[str, Cards] = field(default_factory=dict)
    live: list[int] = field(default_factory=list)
    pile: list[Card] = field(default_factory=list)
    stock: int = 0
    turn: int = 0
    begun: bool = False
    anted: bool = False
    drawn: bool = False
    turned: Card | None = None
    """The card drawn, until it is melded or discarded."""
    source: str = ""
    fresh: bool = True
    """Whether the upcard was turned from the stock."""
    forced: bool = False
    open_meld: str = ""
    """A place where borrowed cards wait for the rest of their meld."""
    net: Counter[int] = field(default_factory=Counter)
    winner: int | None = None

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        self.live = [*self.start.following(self.dealer, Direction.RIGHT), self.dealer]
        self.deals = [str(seat) for _ in range(5) for seat in self.live for _ in range(2)]
        self.deals.append("discards")
        self.hands = {seat: [] for seat in self.live}
        self.stock = 40 * self.game.packs
        self.turn = self.live[0]
        self.anted = self.start.level is not Level.AMOUNTS

    def after(self, seat: int) -> int:
        ring = self.start.following(seat, Direction.RIGHT)
        return next(other for other in ring if other in self.live)

    def own(self, seat: int) -> dict[str, Cards]:
        return {name: cards for name, cards in self.melds.items() if name.startswith(f"{seat}.")}

    def melded(self, seat: int) -> int:
        return sum(map(len, self.own(seat).values()))

    def takable(self) -> bool:
        return bool(self.pile) and (self.fresh or self.game.upcard == "any")

    def usable(self, card: Card) -> bool:
        """Whether the player in turn can meld `card` at once."""
        hand = self.hands[self.turn]
        if any(stays((*cards, card)) for cards in self.own(self.turn).values()):
            return True
        if any(meld((card, *two)) for two in combinations(hand, 2)):
            return True
        for cards in self.own(self.turn).values():
            for size in (1, 2):
                for lent in set(combinations(cards, size)):
                    rest = tuple((Counter(cards) - Counter(lent)).elements())
                    more = combinations(hand, 2 - size)
                    if stays(rest) and any(meld((card, *lent, *one)) for one in more):
                        return True
        return False

    def allows(self, act: Act) -> bool | None:
        if self.winner is not None:
            return act.verb is Verb.CLEAR or (None if act.verb is Verb.PAY else False)
        if not self.anted:
            return act.verb is Verb.ANTE and act.amount in (None, self.ante)
        if act.verb is Verb.PAY:
            return None
        if self.deals:
            return self.dealing(act)
        if act.verb is Verb.FOLD:
            return not self.begun and act.seat in self.live
        if act.verb is Verb.SHUFFLE:
            needed = not self.drawn and not self.stock and len(self.pile) > 1
            return None if needed and self.forced else needed
        if act.verb is Verb.DECLARE:
            other = act.seat in self.live and act.seat != self.turn and not self.drawn
            return other and self.takable() and not self.forced and self.usable(self.pile[-1])
        if act.seat != self.turn or act.verb in (Verb.DEAL, Verb.CLEAR, Verb.ANTE):
            return False
        return self.drawing(act) if not self.drawn else self.playing(act)

    @property
    def ante(self) -> int:
        return self.start.limits[0] if self.start.limits else 1

    def dealing(self, act: Act) -> bool | None:
        if act.verb is not Verb.DEAL:
            return False
        if act.spot != self.deals[0] or act.down is (act.spot == "discards"):
            return None if act.down and act.spot != "discards" else False
        portion = 2 - len(self.hands[int(act.spot)]) % 2 if act.down else 1
        return len(act.cards) <= portion

    def drawing(self, act: Act) -> bool | None:
        if act.verb is not Verb.DRAW:
            return None  # straight from the pile: what was drawn shows in what is done with it
        if act.down or len(act.cards) != 1:
            return False
        if act.spot == "stock":
            return self.stock > 0 and not self.forced
        upcard = act.spot == "discards" and self.takable() and act.card == self.pile[-1]
        return upcard and (self.usable(act.card) or None)

    def playing(self, act: Act) -> bool | None:
        hand = self.hands[self.turn]
        held = Counter([*hand, *([self.turned] if self.turned else [])])
        if act.verb is Verb.MOVE:
            return None if self.open_meld else self.borrows(act)
        if act.verb not in (Verb.MELD, Verb.LAY, Verb.DISCARD):
            return False
        if act.down or Counter(act.cards) - held:
            return False
        match act.verb:
            case Verb.MELD if not self.open_meld:
                return meld(act.cards) and (self.free() is not None or None)
            case Verb.LAY if act.spot in self.own(self.turn):
                assert act.spot is not None
                grown = (*self.melds[act.spot], *act.cards)
                if self.open_meld:
                    return act.spot == self.open_meld and (
                        meld(grown) or (None if len(grown) < 3 else False)
                    )
                return stays(grown)
            case Verb.DISCARD if not self.open_meld:
                return len(act.cards) == 1 and self.throws(act.card, hand)
        return False

    def borrows(self, act: Act) -> bool | None:
        source = self.own(self.turn).get(act.spot or "")
        if (
            source is None
            or act.to != self.free()
            or act.down
            or Counter(act.cards) - Counter(source)
        ):
            return False
        rest = tuple((Counter(source) - Counter(act.cards)).elements())
        if not stays(rest):
            return False
        return meld(act.cards) if len(act.cards) > 2 else None

    def throws(self, card: Card, hand: list[Card]) -> bool | None:
        if self.turned is None:
            return card in hand
        if self.source == "discards":
            return False  # it has to be melded
        if card == self.turned:
            return True
        follower = self.after(self.turn)
        kept = self.melded(follower) == 10 and any(
            stays((*cards, self.turned)) for cards in self.own(follower).values()
        )
        return kept and card in hand

    def free(self) -> str | None:
        names = (f"{self.turn}.meld-{number}" for number in range(1, 5))
        return next((name for name in names if name not in self.melds), None)

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.ANTE:
                self.anted = True
                for seat in self.live:
                    self.pays(seat, 0, self.ante)
            case Verb.DEAL:
                del self.deals[: len(act.cards)]
                self.stock -= len(act.cards)
                to = self.pile if act.spot == "discards" else self.hands[int(act.spot or "")]
                to.extend(act.cards)
            case Verb.FOLD if act.seat is not None:
                self.pays(act.seat, 0, 2)
                self.live.remove(act.seat)
                if act.seat == self.turn:
                    self.turn, self.forced = self.live[0], False
                if len(self.live) == 1:
                    self.wins(self.live[0])
            case Verb.SHUFFLE:
                self.stock, self.pile = len(self.pile) - 1, self.pile[-1:]
            case Verb.DECLARE:
                self.forced = True
            case Verb.DRAW | Verb.MELD | Verb.LAY | Verb.MOVE | Verb.DISCARD:
                self.acted(act)

    def acted(self, act: Act) -> None:
        if not self.drawn:
            self.draws(act)
        if act.verb is Verb.DRAW:
            return
        if act.verb is Verb.DISCARD:
            self.discards(act.card)
            return
        seat = self.turn
        if act.verb is Verb.MOVE:
            self.lends(act, seat)
        else:
            place = act.spot or self.free() or ""
            before = self.melds.get(place, ())
            self.melds[place] = (*before, *act.cards)
            for card in act.cards:
                if card == self.turned:
                    self.turned = None
                else:
                    self.hands[seat].remove(card)
            self.open_meld = "" if len(self.melds[place]) > 2 else place
            if not self.open_meld:
                self.laid(seat, before, self.melds[place], len(act.cards))
        if self.melded(seat) >= 11 and not self.open_meld:
            self.wins(seat)

    def draws(self, act: Act) -> None:
        """Note what is drawn, by itself or in what is done with it."""
        self.drawn = self.begun = True
        upcard = self.pile[-1] if self.pile else None
        rest = Counter(act.cards) - Counter([upcard] if upcard in act.cards else [])
        straight = act.verb in (Verb.MELD, Verb.LAY) and upcard in act.cards
        if act.spot == "discards" or (straight and not rest - Counter(self.hands[self.turn])):
            self.turned, self.source = self.pile.pop(), "discards"
        else:
            lacking = Counter(act.cards) - Counter(self.hands[self.turn])
            single = act.verb in (Verb.DRAW, Verb.DISCARD)
            self.turned = act.card if single else next(iter(lacking))
            self.stock, self.source = self.stock - 1, "stock"

    def discards(self, card: Card) -> None:
        self.fresh = card == self.turned and self.source == "stock"
        hand = self.hands[self.turn]
        if card != self.turned:
            hand.remove(card)
            hand += [self.turned] if self.turned else []
        self.pile.append(card)
        self.turned, self.drawn, self.forced = None, False, False
        self.turn = self.after(self.turn)

    def lends(self, act: Act, seat: int) -> None:
        """Borrowing, which may make conditions of what is taken and of what is left."""
        source = act.spot or ""
        before = self.melds[source]
        rest = list(before)
        for card in act.cards:
            rest.remove(card)
        self.melds[source], self.melds[act.to or ""] = tuple(rest), act.cards
        self.open_meld = "" if len(act.cards) > 2 else act.to or ""
        made = condition(tuple(rest)) - condition(before)
        if not self.open_meld:
            made += condition(act.cards)
        self.charge(seat, max(0, made))

    def laid(self, seat: int, before: Cards, now: Cards, added: int) -> None:
        """What is paid for a new condition, and again for each card added to one."""
        old = condition(before) if len(before) > 2 else 0
        new, due = condition(now), max(0, condition(now) - old)
        ropes = len({card.rank for card in now}) > 1
        if self.game.added_pays and (self.game.rope_pays or not ropes):
            due += min(old, new) * added
        self.charge(seat, due)

    def charge(self, seat: int, chips: int) -> None:
        for other in self.live:
            if other != seat:
                self.pays(other, seat, chips)

    def pays(self, payer: int, payee: int, chips: int) -> None:
        self.net[payer] -= chips
        self.net[payee] += chips

    def wins(self, seat: int) -> None:
        self.winner = seat
        self.pays(0, seat, self.net[0] + self.start.pot)
        self.charge(seat, 1 + sum(map(condition, self.own(seat).values())))

    def result(self) -> Counter[int]:
        return self.net

    def following(self) -> dict[str, Any]:
        return {"dealer": self.start.after(self.dealer, Direction.RIGHT), "pot": 0}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands at a random table."""
    dice = random.Random(f"panguingue {seed}")
    game = Panguingue(
        packs=dice.choice((5, 8, 11)) if seed % 3 else 5,
        added_pays=dice.random() < 0.7,
        rope_pays=dice.random() < 0.7,
        upcard=dice.choice(("any", "any", "stock")),
    )
    start = start_for(game, seats=dice.choice((2, 3, 4, 6, 9, 15)))
    start = start.having(dealer=dice.choice(start.seats), limits=dice.choice([(1, 20), (3, 3)]))
    return match_refereed(game, start, lambda start: Referee(game, start), seed)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield "dropped" if len(referee.live) == 1 else "out"
    yield from {str(act.verb) for act in last.acts if act.verb in (Verb.MOVE, Verb.SHUFFLE)}
    yield from {act.words[0] for act in last.acts if act.verb is Verb.DECLARE}


@pytest.mark.parametrize("seeds", seeded(1, 40), ids=str)
def test_turns_melds_conditions_and_the_pot_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 4 or len(seeds) < 40
