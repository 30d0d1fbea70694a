"""Pai Gow Poker: seven cards set as a hand of five and a hand of two, each against the dealer.

Everybody but the dealer bets. Of seven cards each player sets five and two face down, the five
higher than the two. Then the dealer's cards are exposed and set, and all others shown. Whoever wins
both hands is paid even money, whoever wins one takes the stake back, and whoever wins none loses
it; a tied hand is the dealer's. The joker is an ace, or completes a straight or a flush; five aces
beat a royal flush. The deal passes to the right, so that all deal equally often.

A hand's record (the dealer at seat 1)::

    [Game "pai-gow-poker"]
    [Seats "2"]
    [Banker "1"]
    [Limits "1 20"]

    2 bet 10
    close
    deal 2 (AS) (AD) (KC) (KD) (9H) (5C) (2S)
    deal 1 (QS) (QD) (JC) (8D) (7H) (4C) (3S)
    2 lay 2.two (KC) (KD)
    2 lay 2.five (AS) (AD) (9H) (5C) (2S)
    1 show QS QD JC 8D 7H 4C 3S
    1 lay 1.two JC 8D
    1 lay 1.five QS QD 7H 4C 3S
    turn 2.two KC KD
    turn 2.five AS AD 9H 5C 2S
    clear

Verbs: ``limits``, ``bet AMOUNT``, ``close`` (no more bets), ``deal``, ``bid TOTAL`` (of the three
dice, if seven hands are always dealt), ``move hand-1 SEAT CARDS`` (each takes a hand), ``lay
SEAT.two|SEAT.five CARDS``, ``show`` (the dealer's cards), ``turn``, ``clear``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rules.acts import Act, Verb
from rules.banks.bankgame import BANKING, BankGame, BankState
from rules.banks.banking import CLOSE, LIMITS, limits_wanted, verify_bet
from rules.cards import Card, Deck
from rules.dealing import lacking
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.phrases import Phrase
from rules.poker.hands import ACE_HIGH, Kind, Strength, bug_readings, two_cards
from rules.poker.rows import face_down, hand_spot, last_act
from rules.spots import Face, Shape, Spot
from rules.start import Direction, Level, Start
from rules.state import CLEARING
from rules.turn import Awaited, Turn
from rules.verifying import need_place, need_whole_cards

DECK = Deck.standard(jokers=1)
SEVEN = 7
TWO, FIVE = "two", "five"
SIZES = {TWO: 2, FIVE: 5}
"""The two hands with their sizes, in the order in which they are laid."""
HANDS = tuple(f"hand-{number}" for number in range(1, SEVEN + 1))
"""The hands of a formal deal."""
DICE = (3, 18)
FOUL = "pai-gow.dealer-foul"


@dataclass(frozen=True, kw_only=True)
class PaiGowState(BankState):
    """State of a hand of Pai Gow Poker."""

    dealt: bool = False
    """Whether all hands have been dealt, and taken."""
    dice: int = 0
    """The total of the dice; 0 before the throw."""
    settled: bool = False

    @property
    def order(self) -> tuple[int, ...]:
        """The dealer, then everybody to the right."""
        return (self.banker, *self.start.following(self.banker, Direction.RIGHT))

    @property
    def players(self) -> tuple[int, ...]:
        """The dealer's opponents: whoever has bet, or everybody if bets are unknown."""
        if self.start.level is Level.NONE:
            return self.order[1:]
        return tuple(seat for seat in self.order[1:] if any(b.seat == seat for b in self.bets))

    def part(self, seat: int, name: str) -> tuple[Card, ...]:
        """The cards of one of a player's two hands."""
        return self.table.cards(f"{seat}.{name}")

    def laid(self, seat: int) -> bool:
        """Whether `seat` has set both hands."""
        return all(len(self.part(seat, name)) >= size for name, size in SIZES.items())

    @property
    def untaken(self) -> tuple[tuple[str, int], ...]:
        """After a formal deal, the hands still to be taken, each with its taker."""
        seats = (*self.players, self.banker)
        ring = tuple(seat for seat in self.order if seat in seats)
        first = (self.dice - 1) % len(ring)
        takers = zip(HANDS, ring[first:] + ring[:first], strict=False)
        return tuple((hand, seat) for hand, seat in takers if self.table.at(hand))


@dataclass(frozen=True)
class PaiGowPoker(BankGame[PaiGowState]):
    """Pai Gow Poker with its house rules.

    >>> [rule.name for rule in PaiGowPoker().house_rules()]
    ['formal_deal', 'wheel', 'equal']
    """

    name: ClassVar[str] = "pai-gow-poker"
    players: ClassVar[range] = range(2, 8)
    direction: ClassVar[Direction] = Direction.RIGHT
    vocabulary: ClassVar[frozenset[Verb]] = BANKING | {Verb.DEAL, Verb.BID, Verb.LAY, Verb.SHOW}

    formal_deal: bool = house_rule(
        False, "Seven hands are always dealt, and three dice decide who gets which."
    )
    wheel: str = house_rule(
        "lowest", "Ace to five is the lowest straight, or the second.", choices=("lowest", "second")
    )
    equal: str = house_rule(
        "foul",
        "If five and two are equally high as far as two cards show, that is a foul or allowed.",
        choices=("foul", "allowed"),
    )

    def deck(self, start: Start) -> Deck:
        """Fifty-two cards and a joker."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Two hands for each seat, and the seven of a formal deal."""
        own = (
            spot
            for seat in start.seats
            for spot in (
                replace(hand_spot(seat, SEVEN), held=seat != start.banker, face=Face.EITHER),
                Spot(TWO, owner=seat, capacity=2, face=Face.EITHER),
                Spot(FIVE, owner=seat, capacity=5, face=Face.EITHER),
            )
        )
        dealt = HANDS if self.formal_deal else ()
        piles = (Spot(name, capacity=SEVEN, shape=Shape.PILE, face=Face.DOWN) for name in dealt)
        return (*own, *piles)

    def open(self, start: Start) -> PaiGowState:
        """Start before any bets; if bets are unknown, the deal begins at once."""
        self.check_start(start)
        closed = start.level is Level.NONE
        return PaiGowState(game=self, start=start, limits=start.limits, closed=closed)

    def phase(self, state: PaiGowState) -> str:
        """Limits, betting, dealing, dice, taking, setting, dealer, reveal or paying."""
        if state.settled:
            return "paying"
        if limits_wanted(state):
            return "limits"
        if not state.closed:
            return "betting"
        if not state.players:
            return "paying"
        if not state.dealt:
            return "dealing"
        if self.formal_deal and not state.dice:
            return "dice"
        if self.formal_deal and state.untaken:
            return "taking"
        if not all(state.laid(seat) for seat in state.players):
            return "setting"
        foul = any(v.rule == FOUL and v.open for v in state.violations)
        return "dealer" if foul or not state.laid(state.banker) else "reveal"

    def turn(self, state: PaiGowState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "limits":
                return Turn((LIMITS,))
            case "betting":
                return Turn((*self.placeable(state), CLOSE), together=True)
            case "dealing":
                return Turn(tuple(self._dealing(state)))
            case "dice":
                return Turn((Awaited(Verb.BID, Phrase("pai-gow.turn.dice"), numbers=DICE),))
            case "taking":
                return Turn(tuple(_taking(state)))
            case "setting":
                each = (one for s in state.players for one in _setting(state, s, down=True))
                return Turn(tuple(each), together=True)
            case "dealer":
                return Turn(tuple(_dealer(state)))
            case "reveal":
                return Turn(tuple(_reveals(state)), together=True)
        return Turn((CLEARING,))

    def _dealing(self, state: PaiGowState) -> Iterator[Awaited]:
        """Seven to each in any portions; in a formal deal, one card at a time to seven hands."""
        spots = _lacking(state)
        if self.formal_deal:
            says = Phrase("pai-gow.turn.hands")
            yield Awaited(Verb.DEAL, says, spots=spots, pick=1, down=True)
            return
        for some, missing in lacking(state, spots, SEVEN):
            says, counts = (
                Phrase.of("turn.deal-each", seat=int(some[0]), count=missing),
                (1, missing),
            )
            yield Awaited(Verb.DEAL, says, spots=some, pick=missing, counts=counts, down=True)

    def verify(self, state: PaiGowState, act: Act) -> None:
        """The dealer does not bet; laying needs a seat; face-up cards are known."""
        need_place(act, Verb.LAY)
        if act.verb is Verb.BET:
            verify_bet(state, act)
        dice = len(act.numbers) == 1 and DICE[0] <= act.numbers[0] <= DICE[1]
        if act.verb is Verb.BID and not dice:
            raise ActError(f"'{act}': expected the total of three dice, from 3 to 18")
        need_whole_cards(act)

    def route(self, state: PaiGowState, act: Act) -> tuple[str, str]:
        """Hands are set from the seven cards."""
        return str(act.seat), act.spot or ""

    def effect(self, state: PaiGowState, act: Act) -> PaiGowState:
        """Apply the act's consequences."""
        return state if state.settled else self._done(state, act)

    def concluded(self, state: PaiGowState) -> PaiGowState:
        """Note that the deal is done; compare the hands, once all are face up."""
        if state.settled:
            return state
        if state.closed and state.players and not state.dealt:
            state = replace(state, dealt=not _lacking(state))
        if self.phase(state) != "reveal" or any(True for _ in _reveals(state)):
            return state
        return self._settled(state)

    def _done(self, state: PaiGowState, act: Act) -> PaiGowState:
        match act.verb:
            case Verb.BID:
                return replace(state, dice=act.numbers[0])
            case Verb.LAY if act.seat is not None and state.laid(act.seat):
                return self._laid(state, act.seat)
        return self.betting(state, act)

    def _laid(self, state: PaiGowState, seat: int) -> PaiGowState:
        """Judge the dealer's setting at once; the players' are judged when face up."""
        if seat != state.banker:
            return state
        if not self.fouled(state, seat):
            return state.put_right(FOUL)
        if any(violation.rule == FOUL for violation in state.open_violations):
            return state
        return state.flag("pai-gow.dealer-foul", seat=seat, cards=state.part(seat, TWO))

    def slip(self, state: PaiGowState, act: Act, fault: str) -> str:
        """A bet too early, too late or twice, or hands touched after they were set."""
        owner = state.spots[act.spot].owner if act.spot else act.seat
        exposed = self.phase(state) in ("dealer", "reveal")
        if act.verb in (Verb.LAY, Verb.MOVE) and exposed and owner != state.banker:
            return "pai-gow.touched"
        return self.bet_slip(state, act, fault)

    def conceals(self, state: PaiGowState, act: Act) -> str | None:
        """Whether the hand of two leaves no higher hand of five."""
        if act.verb is not Verb.LAY or act.seat is None or act.spot is None:
            return None
        held, name = list(state.table.cards(str(act.seat))), act.spot.partition(".")[2]
        for card in act.cards:
            held.remove(card)
        other = FIVE if name == TWO else TWO
        sets = {
            name: (*state.part(act.seat, name), *act.cards),
            other: (*state.part(act.seat, other), *held),
        }
        if len(sets[name]) < SIZES[name]:
            return None
        return "pai-gow.foul" if self._low(sets[FIVE], sets[TWO]) else None

    # What it is worth.

    def fouled(self, state: PaiGowState, seat: int) -> bool:
        """Whether the hand of five is not higher than the hand of two."""
        return self._low(state.part(seat, FIVE), state.part(seat, TWO))

    def _low(self, five: tuple[Card, ...], two: tuple[Card, ...]) -> bool:
        if len(five) != SIZES[FIVE] or len(two) != SIZES[TWO]:
            return True
        low, whole = two_cards(two), self.worth(five)
        first = Strength(whole.kind, whole.ranks[: len(low.ranks)])
        return first < low or (first == low and self.equal == "foul")

    def worth(self, five: tuple[Card, ...]) -> Strength:
        """The strength of five cards, with the best reading of the joker.

        >>> from rules.cards import parse_cards
        >>> wheel = parse_cards("AS 2D 3C 4H 5S")
        >>> game = PaiGowPoker(wheel="second")
        >>> game.worth(wheel) > game.worth(parse_cards("KS QD JC TH 9S"))
        True
        """
        readings = bug_readings(five)
        return max(map(self._placed, readings)) if self.wheel == "second" else max(readings)

    def _placed(self, worth: Strength) -> Strength:
        """Rank ace to five as the second straight, moving the straights below it down."""
        if worth.kind not in (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH) or worth.ranks[0] == ACE_HIGH:
            return worth
        top = worth.ranks[0]
        return Strength(worth.kind, (ACE_HIGH - 1,) if top == SIZES[FIVE] else (top - 1,))

    def _settled(self, state: PaiGowState) -> PaiGowState:
        after = replace(state, settled=True)
        for seat in state.players:
            after = self._paid(after, seat)
        return after

    def _paid(self, state: PaiGowState, seat: int) -> PaiGowState:
        """Pay for two hands won, push for one; a tie is the dealer's."""
        banker, stake = state.banker, state.stake(seat)
        cards = (*state.part(seat, FIVE), *state.part(seat, TWO))
        if self.fouled(state, seat):
            since = last_act(state, Verb.LAY, seat)
            after = state.flag("pai-gow.foul", since=since, seat=seat, cards=cards)
            return after.pay(seat, banker, stake, "pai-gow.foul", cards=cards)
        pairs = ((self.worth, FIVE), (two_cards, TWO))
        won = sum(
            worth(state.part(seat, name)) > worth(state.part(banker, name)) for worth, name in pairs
        )
        if won == 0:
            return state.pay(seat, banker, stake, "pai-gow.collect", cards=cards)
        if won == 1:
            return state.call("pai-gow.push", seat=seat)
        return state.pay(banker, seat, stake, "pai-gow.paid", cards=cards)

    def follow(self, state: PaiGowState) -> Start:
        """Pass the deal to the right."""
        start = super().follow(state)
        return start if state.void else replace(start, banker=state.order[1])


def _lacking(state: PaiGowState) -> tuple[str, ...]:
    """Where cards are still to be dealt, fewest first."""
    game = state.game
    formal = isinstance(game, PaiGowPoker) and game.formal_deal
    spots = HANDS if formal else tuple(map(str, (*state.players, state.banker)))
    short = [spot for spot in spots if len(state.table.at(spot)) < SEVEN]
    return tuple(sorted(short, key=lambda spot: len(state.table.at(spot))))


def _taking(state: PaiGowState) -> Iterator[Awaited]:
    """The hands to take, as the dice assigned them; they may be taken in any order."""
    for place, (hand, seat) in enumerate(state.untaken):
        cards = state.table.cards(hand)
        says = Phrase.of("pai-gow.turn.take", seat=seat)
        yield Awaited(Verb.MOVE, says, spots=(hand,), to=(str(seat),), pick=len(cards),
                      counts=(1, len(cards)), among=cards, down=True,
                      required=place == 0)  # fmt: skip


def _setting(state: PaiGowState, seat: int, *, down: bool) -> Iterator[Awaited]:
    """The hands that lack cards, in any order and any portions."""
    cards, says = state.table.cards(str(seat)), Phrase.of("turn.set", seat=seat)
    for name, size in SIZES.items():
        if missing := max(0, size - len(state.part(seat, name))):
            spots, counts = (f"{seat}.{name}",), (1, missing)
            yield Awaited(Verb.LAY, says, (seat,), spots=spots, pick=missing, counts=counts,
                          among=cards, down=down)  # fmt: skip


def _dealer(state: PaiGowState) -> Iterator[Awaited]:
    """Expose and set the dealer's cards for all to see, and set them again after a foul."""
    seat = state.banker
    if hidden := face_down(state, str(seat)):
        yield _exposing(seat, hidden)
        return
    yield from _setting(state, seat, down=False)
    says, foul = Phrase.of("pai-gow.turn.again", seat=seat), state.laid(seat)
    for name in SIZES:
        if cards := state.part(seat, name):
            yield Awaited(Verb.MOVE, says, spots=(f"{seat}.{name}",), to=(str(seat),),
                          pick=len(cards), counts=(1, len(cards)), among=cards,
                          required=foul)  # fmt: skip


def _exposing(seat: int, hidden: tuple[Card, ...]) -> Awaited:
    says = Phrase.of("turn.show", seat=seat)
    counts = (1, len(hidden))
    return Awaited(Verb.SHOW, says, (seat,), pick=len(hidden), counts=counts, among=hidden)


def _reveals(state: PaiGowState) -> Iterator[Awaited]:
    for seat in state.players:
        for name in SIZES:
            spot = f"{seat}.{name}"
            if hidden := face_down(state, spot):
                says = Phrase.of("turn.turn-rows", seat=seat)
                yield Awaited(Verb.TURN, says, spots=(spot,), pick=len(hidden),
                              counts=(1, len(hidden)), among=hidden)  # fmt: skip
