"""Poker at a table: a hand as a course of steps, with betting, a pot and a showdown.

A poker game lists its steps (deal three cards each, bet, discard one, …) and defines what a hand is
worth; stepping through them, folding, all-in, the pots and their winners are handled here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

from rules.acts import Act, Verb
from rules.cards import Deck
from rules.chips import POT_PLACE, BettingPlace, Stake, with_pot
from rules.errors import ActError
from rules.frozen import replace
from rules.game import Game
from rules.phrases import Phrase
from rules.poker.betting import Stakes
from rules.poker.hands import Low, Strength
from rules.poker.pots import Pot, layered, split
from rules.poker.streets import BURN, PokerState, Step
from rules.settlement import POT
from rules.showing import willing
from rules.spots import DECK, GONE
from rules.start import LIMIT_MOST, Level, Start
from rules.state import CLEARING
from rules.turn import FROM_DECK, Awaited, Turn
from rules.verifying import need_seat

PACK = Deck.standard()
BETTING = frozenset({Verb.CHECK, Verb.BET, Verb.CALL, Verb.RAISE, Verb.FOLD})
"""The verbs of a betting round."""
POKER = BETTING | {Verb.LIMITS, Verb.ANTE, Verb.CLOSE, Verb.DEAL, Verb.SHOW}
"""The verbs shared by all poker games."""
Worth = Strength | Low | tuple[int, ...]
LIMITS = Awaited(Verb.LIMITS, Phrase("turn.stakes"), numbers=(1, LIMIT_MOST))
S = TypeVar("S", bound=PokerState)


@dataclass(frozen=True, slots=True)
class Contest:
    """One way to win a pot: its reason, and what each hand is worth in it."""

    reason: str
    worth: Mapping[int, Worth]

    def winners(self, among: tuple[int, ...]) -> tuple[int, ...]:
        """The best of `among`, in order; empty if none of them is in this contest."""
        best = max((self.worth[seat] for seat in among if seat in self.worth), default=None)
        return tuple(s for s in among if s in self.worth and self.worth[s] == best)


@dataclass(frozen=True)
class PokerGame(Game[S], Generic[S]):
    """Base class of poker games."""

    state_type: ClassVar[type[Any]] = PokerState
    odd_chips: ClassVar[str] = "first"
    """Where the odd chips of a split go: to the `first` winner from the dealer's left, or they
    `stay` in the pot."""

    # What a poker game must define.

    @abstractmethod
    def course(self) -> tuple[Step, ...]:
        """The steps of a hand, in order."""

    @abstractmethod
    def stakes(self, state: S, number: int) -> Stakes:
        """What may be bet in round `number`."""

    @abstractmethod
    def contests(self, state: S) -> tuple[Contest, ...]:
        """The contests that the pot is split between; with two, each gets half."""

    # What a poker game may override.

    def action(self, state: S, number: int) -> tuple[int, ...]:
        """The seats in round `number`, in order of action, starting after any blinds."""
        if not state.blinds:
            return state.live
        big = list(state.blinds)[-1]
        return tuple(s for s in (*state.start.following(big), big) if s in state.live)

    def bring_in(self, state: S, number: int) -> int:
        """The amount that the first player of round `number` has to bet."""
        return 0

    def opening(self, state: S, number: int) -> S:
        """The state with what a dealer calls when round `number` opens."""
        return state

    def posts(self, state: S) -> tuple[dict[int, int], dict[int, int]]:
        """What each seat antes, and the blinds that are posted, the big one last."""
        return {}, {}

    def blinds_known(self, state: S) -> bool:
        """Whether the table has said how large the blinds are: they follow from the limits."""
        return state.limits is not None

    def acted(self, state: S, act: Act) -> S:
        """The consequences of an act beyond the general ones of poker."""
        return state

    def deck(self, start: Start) -> Deck:
        """Fifty-two cards."""
        return PACK

    def betting_places(self, start: Start) -> tuple[BettingPlace, ...]:
        """Bets are placed in front of the seats, and go into the pot from there."""
        return with_pot(start.seats)

    def stakes_lying(self, state: S) -> Iterator[Stake]:
        """The pot as it was when the round began, and the bets made since in front of the seats."""
        if state.pot is None or state.settled:
            return
        bets = state.round.bets if state.round is not None else state.blinds
        yield Stake(POT_PLACE, state.carried + sum(state.put.values()))
        yield from (Stake(f"{seat}.bet", chips, seat) for seat, chips in bets.items() if chips)

    def open(self, start: Start) -> S:
        """Start with everybody in who has chips."""
        self.check_start(start)
        state: S = self.state_type(game=self, start=start, limits=start.limits)
        live = tuple(
            seat for seat in state.order if start.stack(seat) is None or in_play(start, seat)
        )
        state = replace(state, live=live)
        if start.level is Level.WHO:
            blinds = _in_steps(self.posts(state)[1], known=self.blinds_known(state))
            state = replace(state, blinds=blinds)
        return self._advanced(self.course()[0].begin(state))

    def phase(self, state: S) -> str:
        """Limits, the step's own name, or paying."""
        if state.settled:
            return "paying"
        return "limits" if stakes_wanted(state) else self.course()[state.step].phase

    def turn(self, state: S) -> Turn:
        """What is awaited in each step."""
        if state.settled:
            return Turn((CLEARING,), tuple(willing(state)))
        return Turn((LIMITS,)) if stakes_wanted(state) else self.course()[state.step].turn(state)

    def anteing(self, state: S) -> tuple[int, ...]:
        """Everybody who has chips."""
        return state.live

    def route(self, state: S, act: Act) -> tuple[str, str]:
        """Burnt cards come off the deck; discards come from a player's own cards."""
        if act.verb is Verb.BURN:
            return DECK, BURN
        return str(act.seat), GONE

    def verify(self, state: S, act: Act) -> None:
        """A bet needs a seat; cards that count must show both rank and suit."""
        need_seat(act, *BETTING, Verb.DISCARD)
        if act.verb in BETTING - {Verb.FOLD} and state.start.level is Level.NONE:
            raise ActError(f"'{act}': this hand tracks no bets (its level is {state.start.level})")
        verify_known(act)

    def slip(self, state: S, act: Act, fault: str) -> str:
        """An impossible bet, as a poker table calls it, or cards dealt before their time."""
        if act.verb in BETTING and act.seat is not None:
            return _betting_slip(state, act, fault)
        if act.verb not in FROM_DECK:
            return fault
        match self.phase(state):
            case "betting":
                return "poker.betting-open"
            case "discarding":
                return "poker.discards-first"
            case "burning" if act.verb is Verb.DEAL:
                return "poker.no-burn"
            case "dealing" if act.verb is Verb.BURN and state.table.at(BURN):
                return "poker.burnt"
        return fault

    def effect(self, state: S, act: Act) -> S:
        """Apply the act's consequences, and go on as far as the hand does."""
        if state.settled:
            return state
        return self._advanced(self._done(state, act))

    def resumed(self, state: S, seat: int | None) -> S:
        """Resume the course from the first step that the cards show to be undone."""
        return state if state.settled else self._advanced(state)

    def _done(self, state: S, act: Act) -> S:
        match act.verb:
            case Verb.LIMITS:
                return replace(state, limits=(act.numbers[0], act.numbers[1]))
            case Verb.ANTE:
                return self._posted(state)
            case Verb.CLOSE:
                return replace(state, closed=True)
            case Verb.FOLD:
                return _folded(state, act.seat)
            case Verb.CHECK | Verb.CALL | Verb.BET | Verb.RAISE:
                return _wagered(state, act)
        return self.acted(state, act)

    def _posted(self, state: S) -> S:
        if state.posted or state.limits is None or state.start.level is not Level.AMOUNTS:
            return state
        antes, blinds = self.posts(state)
        put = {seat: _at_most(state.start, seat, chips) for seat, chips in antes.items()}
        posted = {
            s: _at_most(state.start, s, chips + put.get(s, 0)) - put.get(s, 0)
            for s, chips in blinds.items()
        }
        big = max(blinds.values(), default=0)
        return replace(state, posted=True, put=put, blinds=posted, big=big)

    def pot(self, state: S) -> int:
        """The chips that are played for, also while they lie in front of the players."""
        return super().pot(state) if state.settled else state.pot or 0

    def facts(self, state: S) -> Iterator[Phrase]:
        """The pot with all bets, the bet in front of each player, and the amount to call."""
        pot = None if state.settled else state.pot
        if pot:
            yield Phrase.of("facts.pot", amount=pot)
        for seat, chips in self.bets(state).items():
            yield Phrase.of("facts.bet", seat=seat, amount=chips)

    def bets(self, state: S) -> Mapping[int, int]:
        """The bets of this round, while they are in front of the players."""
        if state.round is None or state.settled or not state.pot:
            return {}
        return {seat: chips for seat, chips in sorted(state.round.bets.items()) if chips}

    def _advanced(self, state: S) -> S:
        """Advance past all steps that are done."""
        course = self.course()
        while not state.settled and not stakes_wanted(state):
            if len(state.live) <= 1:
                return self._awarded(course[state.step].end(state))
            if not course[state.step].done(state):
                break
            state = course[state.step].end(state)
            if state.step + 1 == len(course):
                return self._awarded(state)
            state = replace(state, step=state.step + 1, served=frozenset())
            state = course[state.step].begin(state)
        return state

    # Who wins.

    def _awarded(self, state: S) -> S:
        """Pay out the pot, to the last player in or to the best hands."""
        state = replace(state, settled=True)
        if not state.live or not (state.pot or not self._counted(state)):
            return state
        if len(state.live) == 1:
            state = state.call("poker.uncontested", seat=state.live[0])
        contests = self._contests(state)
        for one in contests:
            state = _called(state, one)
        if not self._counted(state):
            return self._awarded_rates(state, contests)
        if state.blinds:  # nobody came to bet
            state = replace(state, put=Counter(state.put) + Counter(state.blinds), blinds={})
        pots = layered(state.put, state.live, state.carried)
        back = dict(pots.returned)
        for seat in state.order:
            if chips := state.put.get(seat, 0) - back.get(seat, 0):
                state = state.pay(seat, POT, chips, "poker.bet")
        for pot in pots.pots:
            state = self._won(state, pot, contests)
        return state

    def _contests(self, state: S) -> tuple[Contest, ...]:
        if len(state.live) > 1:
            return self.contests(state)
        return (Contest("uncontested", {state.live[0]: ()}),)

    def _counted(self, state: S) -> bool:
        return state.start.level is Level.AMOUNTS

    def _awarded_rates(self, state: S, contests: tuple[Contest, ...]) -> S:
        won = [(one, one.winners(state.live)) for one in contests]
        won = [(one, winners) for one, winners in won if winners]
        for one, winners in won:
            rate = Fraction(1, len(won) * len(winners))
            for seat in winners:
                state = state.pay(POT, seat, None, f"poker.{one.reason}", rate=rate)
        return state

    def _won(self, state: S, pot: Pot, contests: tuple[Contest, ...]) -> S:
        won = [(one, one.winners(pot.seats)) for one in contests]
        won = [(one, winners) for one, winners in won if winners]
        amount = pot.amount or 0
        for place, (one, winners) in enumerate(won):
            part = self.part(amount, place, len(won))
            state = self._shared(state, part, one, winners)
        return state

    def part(self, amount: int, place: int, parts: int) -> int:
        """The share of contest number `place` of `parts`; odd chips go to the first."""
        share, odd = divmod(amount, parts)
        return share + (odd if place == 0 and self.odd_chips != "stay" else 0)

    def _shared(self, state: S, amount: int, one: Contest, winners: tuple[int, ...]) -> S:
        odd = amount % len(winners) if self.odd_chips == "stay" else 0
        parts = split(amount - odd, self.first_served(state, winners))
        for seat in winners:
            if parts[seat]:
                state = state.pay(POT, seat, parts[seat], f"poker.{one.reason}")
        return state

    def first_served(self, state: S, winners: tuple[int, ...]) -> tuple[int, ...]:
        """The winners in the order in which they get odd chips."""
        return winners

    def follow(self, state: S) -> Start:
        """Pass the deal to the left."""
        start = super().follow(state)
        if state.void:
            return start
        dealer = start.after(start.dealing_seat)
        return replace(start, dealer=dealer)


def in_play(start: Start, seat: int) -> bool:
    """Whether `seat` has chips, or chips are not counted."""
    stack = start.stack(seat)
    return stack is None or stack > 0


def _in_steps(blinds: Mapping[int, int], *, known: bool) -> dict[int, int]:
    """Blinds in a hand whose chips are not counted: who acts first and who owes follows from them.

    A raise is one step; the small blind is less than the big one, unless both are known as alike.
    """
    big, last = max(blinds.values(), default=0), next(reversed(blinds), None)
    return {s: 2 if s == last or (known and chips == big) else 1 for s, chips in blinds.items()}


def _at_most(start: Start, seat: int, chips: int) -> int:
    stack = start.stack(seat)
    return chips if stack is None else min(chips, stack)


def stakes_wanted(state: PokerState) -> bool:
    """Whether the limits must be announced first."""
    return state.limits is None and state.start.level is Level.AMOUNTS


def verify_known(act: Act) -> None:
    """Raise `ActError` for a face-up card that counts and is not fully known."""
    if act.down or act.verb not in (Verb.DEAL, Verb.SHOW, Verb.TURN):
        return
    for card in act.cards:
        if not card.known:
            raise ActError(f"'{act}': {card} counts; expected rank and suit, such as QS")


def _folded(state: S, seat: int | None) -> S:
    if seat not in state.live or len(state.live) == 1:
        return state
    live = tuple(other for other in state.live if other != seat)
    round_ = state.round.folded(seat) if state.round else None
    return replace(state, live=live, round=round_).call("poker.folds", seat=seat)


def _wagered(state: S, act: Act) -> S:
    """A check, call, bet or raise; outside a betting round it changes nothing."""
    round_, seat = state.round, act.seat
    if round_ is None or seat is None:
        return state
    if act.verb is Verb.CHECK:
        return state if round_.to_call(seat) > 0 else replace(state, round=round_.checked(seat))
    if act.verb is Verb.CALL:
        return replace(state, round=round_.called(seat))
    amount = act.amount if state.start.level is Level.AMOUNTS else round_.high + 1
    return replace(state, round=round_.raised_to(seat, amount or 0))


def _betting_slip(state: PokerState, act: Act, fault: str) -> str:
    """The rule broken by an announcement or by chips in a betting round."""
    round_, seat, amount = state.round, act.seat or 0, act.amount or 0
    if round_ is None:
        return fault if state.start.level is Level.NONE else "poker.no-round"
    if seat != round_.actor:
        return "out-of-turn"
    if round_.bring_in and act.verb is not Verb.BET:
        return "poker.bring-in"
    match act.verb:
        case Verb.CHECK:
            return "poker.owes"
        case Verb.CALL:
            return "poker.nothing-to-call"
        case Verb.BET if round_.high:
            return "poker.bet-stands"
        case Verb.RAISE if not round_.high:
            return "poker.no-bet"
    stack = state.start.stack(seat)
    if stack is not None and amount > stack - state.put.get(seat, 0):
        return "bets.stack"
    if round_.raising(seat) is None:
        return "poker.capped" if round_.capped else "poker.no-raise"
    return fault


def _called(state: S, one: Contest) -> S:
    """Call the best hands as a dealer would."""
    for seat in one.winners(state.live):
        worth = one.worth[seat]
        if isinstance(worth, Strength) and worth.ranks:
            first, second = (*worth.cards, None, None)[:2]
            values = {"first": first, "second": second, "cards": worth.cards}
            state = state.call(f"poker.{worth.kind.slug}", seat=seat, **values)
        elif isinstance(worth, Low):
            state = state.call("poker.low", seat=seat, cards=worth.cards)
    return state
