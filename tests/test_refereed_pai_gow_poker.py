"""Pai Gow Poker followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.pai_gow_poker import PaiGowPoker
from rules.start import Direction, Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import match_refereed, seeded

ORDER = "23456789TJQKA"
KINDS = {(1,): 0, (2, 1): 1, (2, 2): 2, (3, 1): 3, (3, 2): 6, (4, 1): 7, (5,): 9}
SIZES = {"two": 2, "five": 5}
Strength = tuple[int, tuple[int, ...]]


def plain(cards: list[str], second: bool) -> Strength:
    """Five cards without a joker, as texts; five aces beat a royal flush."""
    places = sorted((ORDER.index(text[0]) for text in cards), reverse=True)
    counts = sorted(Counter(places).items(), key=lambda one: (one[1], one[0]), reverse=True)
    shape = tuple(count for _, count in counts)[:2]
    kind = KINDS[(1,) if shape[0] == 1 else shape]
    if kind:
        return kind, tuple(place for place, _ in counts)
    flush = len({text[1] for text in cards}) == 1
    wheel = places == [12, 3, 2, 1, 0]
    if wheel or places[0] - places[4] == 4:
        top = 11.5 if wheel and second else 3 if wheel else places[0]
        return (8 if flush else 4), (int(2 * top),)
    return (5 if flush else 0), tuple(places)


def five(cards: list[Card], second: bool) -> Strength:
    """Five cards; a joker is an ace, or completes a straight or a flush."""
    texts = [str(card) for card in cards if str(card) != "JOKER"]
    if len(texts) == 5:
        return plain(texts, second)
    readings = [plain([*texts, "A?"], second)]
    for rank in ORDER:
        for suit in "CDHS":
            if f"{rank}{suit}" not in texts:
                worth = plain([*texts, f"{rank}{suit}"], second)
                readings += [worth] if worth[0] in (4, 5, 8) else []
    return max(readings)


def two(cards: list[Card]) -> Strength:
    places = [12 if str(card) == "JOKER" else ORDER.index(str(card.rank)) for card in cards]
    high, low = sorted(places, reverse=True)
    return (1, (high,)) if high == low else (0, (high, low))


@dataclass
class Referee:
    """The bets, the cards, what has been set, and what lies open."""

    game: PaiGowPoker
    start: Start
    bets: dict[int, int] = field(default_factory=dict)
    closed: bool = False
    piles: dict[str, list[Card]] = field(default_factory=dict)
    """Seven cards of a formal deal, by their places."""
    dice: int = 0
    hands: dict[int, list[Card]] = field(default_factory=dict)
    rows: dict[str, list[Card]] = field(default_factory=dict)
    up: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        assert self.start.banker is not None
        self.banker = self.start.banker
        self.hands = {seat: [] for seat in self.start.seats}
        self.rows = {f"{seat}.{name}": [] for seat in self.hands for name in SIZES}
        if self.game.formal_deal:
            self.piles = {f"hand-{number}": [] for number in range(1, 8)}

    @property
    def players(self) -> list[int]:
        ring = self.start.following(self.banker, Direction.RIGHT)
        return [seat for seat in ring if seat in self.bets]

    def count(self, seat: int) -> int:
        return len(self.hands[seat]) + sum(len(self.rows[f"{seat}.{name}"]) for name in SIZES)

    @property
    def dealt(self) -> bool:
        return all(self.count(seat) == 7 for seat in (*self.players, self.banker))

    def laid(self, seat: int) -> bool:
        return all(len(self.rows[f"{seat}.{name}"]) == size for name, size in SIZES.items())

    @property
    def set_(self) -> bool:
        return self.dealt and all(map(self.laid, self.players))

    @property
    def over(self) -> bool:
        if not self.closed or not self.players:
            return self.closed
        spots = [f"{seat}.{name}" for seat in self.players for name in SIZES]
        shown = all(self.up[spot] == len(self.rows[spot]) for spot in spots)
        return self.set_ and self.laid(self.banker) and not self.foul(self.banker) and shown

    def foul(self, seat: int) -> bool:
        """Whether the five are not higher than the two, as far as two cards show."""
        low, whole = two(self.rows[f"{seat}.two"]), self.worth(seat)
        first = whole[0], whole[1][: len(low[1])]
        return first < low or (first == low and self.game.equal == "foul")

    def worth(self, seat: int) -> Strength:
        return five(self.rows[f"{seat}.five"], self.game.wheel == "second")

    def allows(self, act: Act) -> bool | None:
        if self.over:
            return act.verb is Verb.CLEAR
        if not self.closed:
            return self.betting(act)
        if not self.dealt:
            return self.dealing(act)
        seat, hand = act.seat, self.hands.get(act.seat or 0, [])
        if act.verb is Verb.LAY and not self.set_:
            return seat in self.players and act.down and self.fits(act, hand) and self.keeps(act)
        if act.verb is Verb.SHOW:
            hidden = len(self.hands[self.banker]) - self.up[str(self.banker)]
            fits = seat == self.banker and len(act.cards) <= hidden and not act.down
            return (
                self.set_
                and fits
                and not Counter(act.cards) - Counter(hand)
                and (True if len(act.cards) == 7 else None)
            )
        if not self.set_ or self.up[str(self.banker)] < 7:
            return False
        if act.verb is Verb.LAY:
            right = seat == self.banker and not act.down and self.fits(act, hand)
            return right and self.keeps(act)
        if act.verb is Verb.MOVE:
            return None if str(act.spot).startswith(f"{self.banker}.") else False
        spot = act.spot or ""
        ready = self.laid(self.banker) and act.verb is Verb.TURN and spot in self.rows
        if not ready or spot.startswith(f"{self.banker}.") or act.down:
            return False
        fits = not Counter(act.cards) - Counter(self.rows[spot])
        return fits and (self.up[spot] == 0 if len(act.cards) == len(self.rows[spot]) else None)

    def fits(self, act: Act, hand: list[Card]) -> bool:
        """Whether cards of the hand are laid where there is room for them."""
        row = self.rows.get(act.spot or "")
        if row is None or not str(act.spot).startswith(f"{act.seat}."):
            return False
        room = SIZES[str(act.spot).split(".")[1]] - len(row)
        return 0 < len(act.cards) <= room and not Counter(act.cards) - Counter(hand)

    def keeps(self, act: Act) -> bool | None:
        """Whether the setting can still be right: the five the higher ones."""
        seat = act.seat or 0
        rows = {name: [*self.rows[f"{seat}.{name}"]] for name in SIZES}
        rest = list((Counter(self.hands[seat]) - Counter(act.cards)).elements())
        name = str(act.spot).split(".")[1]
        rows[name] += act.cards
        if len(rows[name]) < SIZES[name]:
            return True
        rows["five" if name == "two" else "two"] += rest
        before, self.rows = self.rows, {f"{seat}.{one}": cards for one, cards in rows.items()}
        foul = self.foul(seat)
        self.rows = before
        return not foul

    def betting(self, act: Act) -> bool | None:
        if act.verb is Verb.CLOSE:
            return bool(self.bets) or None
        if act.verb is Verb.DEAL:
            return None
        assert self.start.limits is not None
        within = self.start.limits[0] <= (act.amount or 0) <= self.start.limits[1]
        return act.verb is Verb.BET and act.seat not in (self.banker, *self.bets) and within

    def dealing(self, act: Act) -> bool | None:
        spot = act.spot or ""
        if not self.piles:
            seat = int(spot) if spot.isdecimal() else 0
            due = seat in (*self.players, self.banker) and act.verb is Verb.DEAL and act.down
            return due and self.count(seat) + len(act.cards) <= 7
        given = sum(map(len, self.piles.values())) + sum(map(self.count, self.hands))
        if given < 49:
            fewest = min(map(len, self.piles.values()))
            pile = self.piles.get(spot)
            one = act.verb is Verb.DEAL and act.down and len(act.cards) == 1
            if not one or pile is None or len(pile) == 7:
                return False
            return len(pile) == fewest or None
        if not self.dice:
            return act.verb is Verb.BID and 3 <= (act.amount or 0) <= 18
        if act.verb is not Verb.MOVE or not self.piles.get(spot) or not act.down:
            return False
        cards = not Counter(act.cards) - Counter(self.piles[spot])
        return cards and act.to == str(self.taker(spot))

    def taker(self, pile: str) -> int | None:
        """Who gets a hand: the dice count from the dealer, counter-clockwise."""
        ring = [self.banker, *self.players]
        place = int(pile[-1]) - 1
        return ring[(self.dice - 1 + place) % len(ring)] if place < len(ring) else None

    def stands(self, act: Act) -> bool:
        """A foul setting stands, and loses."""
        foul = act.verb is Verb.LAY and act.seat in self.players and act.down
        ready = self.closed and self.dealt and not self.set_
        return ready and foul and self.fits(act, self.hands[act.seat or 0])

    def see(self, act: Act) -> None:
        seat, spot = act.seat or 0, act.spot or ""
        match act.verb:
            case Verb.BET:
                self.bets[seat] = act.amount or 0
            case Verb.CLOSE:
                self.closed = True
            case Verb.DEAL:
                (self.piles[spot] if spot in self.piles else self.hands[int(spot)]).extend(
                    act.cards
                )
            case Verb.BID:
                self.dice = act.amount or 0
            case Verb.MOVE:
                source = self.piles[spot] if spot in self.piles else self.rows[spot]
                for card in act.cards:
                    source.remove(card)
                self.hands[int(act.to or "")] += act.cards
            case Verb.LAY:
                self.rows[spot] += act.cards
                for card in act.cards:
                    self.hands[seat].remove(card)
            case Verb.SHOW:
                self.up[str(seat)] += len(act.cards)
            case Verb.TURN:
                self.up[spot] += len(act.cards)

    def result(self) -> Counter[int]:
        net = Counter[int]()
        for seat in self.players:
            pairs = [(self.worth(seat), self.worth(self.banker))]
            pairs.append((two(self.rows[f"{seat}.two"]), two(self.rows[f"{self.banker}.two"])))
            won = 0 if self.foul(seat) else sum(mine > theirs for mine, theirs in pairs)
            net[seat] += (won - 1) * self.bets[seat]
            net[self.banker] -= (won - 1) * self.bets[seat]
        return net

    def following(self) -> dict[str, Any]:
        return {"banker": self.start.after(self.banker, Direction.RIGHT)}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Three hands at a random table."""
    dice = random.Random(f"pai gow {seed}")
    game = PaiGowPoker(
        formal_deal=dice.random() < 0.3,
        wheel=dice.choice(("lowest", "second")),
        equal=dice.choice(("foul", "allowed")),
    )
    start = start_for(game, seats=dice.randint(2, 7))
    start = start.having(banker=dice.choice(start.seats))
    return match_refereed(game, start, lambda start: Referee(game, start), seed, hands=3)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    for seat in referee.players:
        yield "foul" if referee.foul(seat) else "set"
        yield f"kind {referee.worth(seat)[0]}"


@pytest.mark.parametrize("seeds", seeded(2, 100), ids=str)
def test_settings_comparisons_and_the_bank_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 7 or len(seeds) < 100
