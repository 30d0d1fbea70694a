"""The steps of a hand of poker: deal, burn, bet, discard, show.

Each knows what it waits for and when it is done; `rules.poker.pokergame` steps through them. If
bets are not recorded, folds are followed and the dealer closes each round; if only the bettors are
recorded, every bet counts one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeVar

from rules.acts import Verb
from rules.dealing import dealing, lacking, next_batch, rounds
from rules.frozen import replace
from rules.phrases import Phrase
from rules.poker.betting import UNCOUNTED, Round, Stakes
from rules.start import Level
from rules.state import State
from rules.turn import Awaited, Turn, anteing

BOARD, BURN = "board", "burn"


class Bettable(Protocol):
    """What a game with betting rounds defines about them."""

    def stakes(self, state: PokerState, number: int) -> Stakes:
        """What may be bet in round `number`."""

    def action(self, state: PokerState, number: int) -> tuple[int, ...]:
        """The seats in round `number`, in order of action."""

    def bring_in(self, state: PokerState, number: int) -> int:
        """The amount that the first player of round `number` has to bet."""

    def opening(self, state: PokerState, number: int) -> Any:
        """The state with what a dealer calls when round `number` opens."""

    def posts(self, state: PokerState) -> tuple[dict[int, int], dict[int, int]]:
        """What each seat antes, and what is posted as blinds."""


@dataclass(frozen=True, kw_only=True)
class PokerState(State):
    """State common to all poker games."""

    step: int = 0
    """The number of the step that the hand has reached."""
    live: tuple[int, ...] = ()
    """The seats that play for the pot, starting at the dealer's left."""
    put: Mapping[int, int] = field(default_factory=dict)
    """What each seat put in before this betting round."""
    blinds: Mapping[int, int] = field(default_factory=dict)
    """What was posted and counts as a bet in the first round."""
    big: int = 0
    """The big blind in full, even if it was posted short."""
    round: Round | None = None
    served: frozenset[int] = frozenset()
    """The seats that are done with the current step, in games that track this."""
    posted: bool = False
    closed: bool = False
    """Whether a round of unrecorded bets has been closed."""
    settled: bool = False

    @property
    def pot(self) -> int | None:
        """All chips in the pot including the current round, or None if they are not counted."""
        if self.start.level is not Level.AMOUNTS:
            return None
        bets = self.round.bets if self.round else self.blinds
        return self.carried + sum(self.put.values()) + sum(bets.values())


S = TypeVar("S", bound=PokerState)


@dataclass(frozen=True)
class Step(ABC):
    """One step of a hand, as in the rule sheet."""

    phase: ClassVar[str]

    def begin(self, state: S) -> S:
        """The state when this step begins."""
        return state

    @abstractmethod
    def done(self, state: PokerState) -> bool:
        """Whether the hand goes on to the next step."""

    @abstractmethod
    def turn(self, state: PokerState) -> Turn:
        """What the table waits for in this step."""

    def end(self, state: S) -> S:
        """The state when the step is done."""
        return state


@dataclass(frozen=True)
class Posting(Step):
    """Antes or blinds, which everybody puts in when the dealer calls for them."""

    phase: ClassVar[str] = "posting"

    def done(self, state: PokerState) -> bool:
        """Whether everything is posted; there is nothing to post if chips are not counted."""
        return state.posted or state.start.level is not Level.AMOUNTS

    def turn(self, state: PokerState) -> Turn:
        """Ask the dealer to confirm that everything is in."""
        game: Bettable = state.game  # type: ignore[assignment]
        antes, blinds = game.posts(state)
        says = "turn.ante" if not blinds else "turn.post" if antes else "turn.blinds"
        turn = anteing(max(antes.values(), default=0), Phrase(says))
        return turn if antes else Turn(turn.awaited)


@dataclass(frozen=True)
class DealEach(Step):
    """Deal cards to every player until each has `cards`, one at a time or in packets."""

    phase: ClassVar[str] = "dealing"
    cards: int
    down: bool = True
    packet: bool = False

    def done(self, state: PokerState) -> bool:
        """Whether nobody needs a card."""
        return not any(True for _ in self._lacking(state))

    def turn(self, state: PokerState) -> Turn:
        """A card for whoever has the fewest; the order is up to the dealer."""
        return Turn(tuple(self._awaited(state)))

    def _awaited(self, state: PokerState) -> Iterator[Awaited]:
        for spots, missing in lacking(state, map(str, self._lacking(state)), self.cards):
            pick = missing if self.packet else 1
            says = Phrase.of("turn.deal-each", seat=int(spots[0]), count=pick)
            counts = (1, missing)
            yield Awaited(Verb.DEAL, says, spots=spots, pick=pick, counts=counts, down=self.down)

    def _lacking(self, state: PokerState) -> Iterator[int]:
        return (seat for seat in state.live if len(state.hand(seat)) < self.cards)


@dataclass(frozen=True)
class DealOut(Step):
    """Deal cards to every player in turn, until each has had `cards`."""

    phase: ClassVar[str] = "dealing"
    cards: int

    def done(self, state: PokerState) -> bool:
        """Whether everybody has been dealt to."""
        return next_batch(state, rounds(state.live, self.cards)) is None

    def turn(self, state: PokerState) -> Turn:
        """The next player's cards."""
        return dealing(state, rounds(state.live, self.cards))


@dataclass(frozen=True)
class Burning(Step):
    """One card off the deck, unseen, until `burnt` cards have been burnt."""

    phase: ClassVar[str] = "burning"
    burnt: int

    def done(self, state: PokerState) -> bool:
        """Whether the card has been burnt."""
        return len(state.table.at(BURN)) >= self.burnt

    def turn(self, state: PokerState) -> Turn:
        """The card to burn."""
        return Turn((Awaited(Verb.BURN, Phrase("turn.burn"), pick=1, down=True),))


@dataclass(frozen=True)
class Boarding(Step):
    """Shared cards, dealt face up in the middle until there are `cards` of them."""

    phase: ClassVar[str] = "dealing"
    cards: int
    name: str

    def done(self, state: PokerState) -> bool:
        """Whether the board has enough cards."""
        return len(state.table.at(BOARD)) >= self.cards

    def turn(self, state: PokerState) -> Turn:
        """The flop, the turn or the river."""
        pick = self.cards - len(state.table.at(BOARD))
        says = Phrase.of(f"turn.street.{self.name}")
        return Turn((Awaited(Verb.DEAL, says, spots=(BOARD,), pick=pick, counts=(1, pick)),))


@dataclass(frozen=True)
class Discarding(Step):
    """Everybody discards at the same time, face down, down to `keep` cards."""

    phase: ClassVar[str] = "discarding"
    keep: int

    def done(self, state: PokerState) -> bool:
        """Whether nobody holds more."""
        return not self.late(state)

    def late(self, state: PokerState) -> tuple[int, ...]:
        """The seats that have not discarded yet."""
        return tuple(seat for seat in state.live if len(state.hand(seat)) > self.keep)

    def turn(self, state: PokerState) -> Turn:
        """The discards, in any order."""
        return Turn(tuple(self._awaited(state, seat) for seat in self.late(state)), together=True)

    def _awaited(self, state: PokerState, seat: int) -> Awaited:
        cards = state.hand(seat)
        pick = len(cards) - self.keep
        says = Phrase.of("turn.discard", seat=seat, count=pick)
        return Awaited(Verb.DISCARD, says, (seat,), pick=pick, counts=(1, pick), among=cards,
                       down=True, rule="poker.exposed")  # fmt: skip


@dataclass(frozen=True)
class Betting(Step):
    """One round of betting; `number` counts them from 0."""

    phase: ClassVar[str] = "betting"
    number: int

    def begin(self, state: S) -> S:
        """Open the round with blinds as bets; the game says who acts first and what may be bet."""
        game: Bettable = state.game  # type: ignore[assignment]
        opened: S = game.opening(state, self.number)
        if state.start.level is Level.NONE:
            return replace(opened, closed=False)
        counted = state.start.level is Level.AMOUNTS
        stakes = game.stakes(state, self.number)
        round_ = Round.begin(
            stakes if counted else replace(UNCOUNTED, raises=stakes.raises),
            game.action(state, self.number),
            purses=_purses(state, stakes.total) if counted else {},
            bets=state.blinds,
            bring_in=game.bring_in(state, self.number),
            floor=state.big if state.blinds and counted else 0,
        )
        return replace(opened, round=round_, blinds={})

    def done(self, state: PokerState) -> bool:
        """Whether everybody has matched, folded or gone all-in."""
        if state.round is None:
            return state.closed
        return state.round.actor is None

    def end(self, state: S) -> S:
        """Put the bets into the pot."""
        if state.round is None:
            return state
        put = dict(state.put)
        for seat, chips in state.round.bets.items():
            put[seat] = put.get(seat, 0) + chips
        return replace(state, put=put, round=None)

    def turn(self, state: PokerState) -> Turn:
        """What the next player may do; if bets are not recorded, who may fold."""
        if state.round is None:
            fold = Awaited(Verb.FOLD, Phrase("turn.folds"), state.live, required=False)
            return Turn((Awaited(Verb.CLOSE, Phrase("turn.round")), fold))
        assert state.round.actor is not None
        return Turn(tuple(_actions(state, state.round, state.round.actor)))


def _purses(state: PokerState, total: int | None) -> dict[int, int]:
    stacks = {seat: state.start.stack(seat) for seat in state.live}
    left = {s: chips - state.put.get(s, 0) for s, chips in stacks.items() if chips is not None}
    if total is None:
        return left
    return {seat: min(total, left.get(seat, total)) for seat in state.live}


def _actions(state: PokerState, round_: Round, seat: int) -> Iterator[Awaited]:
    """What one player may do now; OK stands for the cheapest option."""
    counted = state.start.level is Level.AMOUNTS
    owed, bounds = round_.to_call(seat), round_.raising(seat)
    numbers = bounds if counted else None
    if round_.bring_in:
        says = Phrase.of(
            "turn.bring-in", seat=seat, least=bounds[0] if bounds and counted else None
        )
        yield Awaited(Verb.BET, says, (seat,), numbers=numbers)
        return
    says = Phrase.of("turn.act", seat=seat, owed=owed if counted and owed else None)
    yield Awaited(Verb.CALL if owed else Verb.CHECK, says, (seat,))
    yield Awaited(Verb.FOLD, says, (seat,), required=False)
    if bounds:
        verb = Verb.RAISE if round_.high else Verb.BET
        yield Awaited(verb, says, (seat,), numbers=numbers, required=False)


@dataclass(frozen=True)
class Showdown(Step):
    """Everybody still in turns up all cards."""

    phase: ClassVar[str] = "showdown"

    def done(self, state: PokerState) -> bool:
        """Whether none of their cards is face down."""
        return not any(state.covered(seat) for seat in state.live)

    def turn(self, state: PokerState) -> Turn:
        """The hands, in any order."""
        return Turn(tuple(self._shows(state)), together=True)

    def _shows(self, state: PokerState) -> Iterator[Awaited]:
        for seat in state.live:
            if hidden := state.covered(seat):
                says = Phrase.of("turn.show", seat=seat)
                counts = (1, len(hidden))
                yield Awaited(
                    Verb.SHOW, says, (seat,), pick=len(hidden), counts=counts, among=hidden
                )
