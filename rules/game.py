"""A game: its rules, with the house rules chosen.

A game file reads like its rule sheet: a frozen dataclass whose fields are the house rules, with the
spots, the turns and the effect of each act. See ``ADDING-A-GAME.md`` in this folder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from rules.acts import Act, Verb
from rules.cards import Card, Deck
from rules.chips import BettingPlace, Stake
from rules.errors import ActError, StartError
from rules.phrases import Phrase
from rules.settlement import POT, Settlement
from rules.spots import GONE, Move, Spot, Table, Trace
from rules.start import Direction, Sighted, Start, pairs

if TYPE_CHECKING:
    from rules.secret import Secrecy
    from rules.state import State
    from rules.turn import Turn

S = TypeVar("S", bound="State")


def house_rule(
    default: Any, says: str, *, choices: Sequence[object] = (), least: int | None = None
) -> Any:
    """A field of a game that the house may set, to one of `choices` or to a number from `least`."""
    metadata = {"says": says, "choices": tuple(choices), "least": least}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class HouseRule:
    """A house rule as it is shown: its name, meaning, value and allowed values."""

    name: str
    says: str
    value: bool | int | str
    choices: tuple[bool | int | str, ...]

    @property
    def text(self) -> str:
        """The value as written in records: yes, no, a number or a word."""
        return (
            {True: "yes", False: "no"}[self.value]
            if isinstance(self.value, bool)
            else str(self.value)
        )


@dataclass(frozen=True)
class Game(ABC, Generic[S]):
    """The rules of one game with its house rules chosen; frozen, and shared by all its hands."""

    name: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()
    """Other names of the game, which commands and records also accept."""
    players: ClassVar[range]
    """The possible numbers of players."""
    direction: ClassVar[Direction] = Direction.LEFT
    vocabulary: ClassVar[frozenset[Verb]]
    """The verbs that this game uses in addition to those that every game knows."""
    variants: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    """Named presets of house rules."""
    banked: ClassVar[bool] = False
    """Whether one seat holds the bank."""
    goal: ClassVar[int | None] = None
    """The points that win a match; None if points do not."""
    dealt: ClassVar[bool] = False
    """Whether one seat deals, so that a start has to name it."""
    carries: ClassVar[frozenset[Verb]] = frozenset()
    """The verbs whose trace the game defines itself, replacing the common trace or none."""

    def __post_init__(self) -> None:
        faults = [*self._choice_faults(), *self._least_faults(), *self.rule_faults()]
        if faults:
            raise StartError(f"{self.name}: " + "; ".join(faults))

    def _least_faults(self) -> Iterator[str]:
        for one in fields(self):
            least, value = one.metadata["least"], getattr(self, one.name)
            if least is not None and value < least:
                yield f"house rule {one.name} is at least {least}, got {value}"

    def _choice_faults(self) -> Iterator[str]:
        for rule in self.house_rules():
            if rule.choices and rule.value not in rule.choices:
                allowed = ", ".join(map(str, _shortened(rule.choices)))
                yield f"house rule {rule.name} is one of {allowed}, got {rule.value}"

    def rule_faults(self) -> Iterator[str]:
        """What is wrong with this combination of house rules, in words."""
        return iter(())

    def house_rules(self) -> tuple[HouseRule, ...]:
        """All house rules with their values, in the order of the rule sheet."""
        return tuple(
            HouseRule(f.name, f.metadata["says"], getattr(self, f.name), f.metadata["choices"])
            for f in fields(self)
        )

    @property
    def variant(self) -> str:
        """The most specific preset that the house rules match; empty if there is none."""
        fits = (
            name
            for name, preset in self.variants.items()
            if all(getattr(self, rule) == value for rule, value in preset.items())
        )
        return max(fits, key=lambda name: len(self.variants[name]), default="")

    @classmethod
    def preset(cls, variant: str) -> Mapping[str, object]:
        """The house rules of a variant; raises `StartError` if the game has no such variant."""
        if variant and variant not in cls.variants:
            has = ", ".join(cls.variants) or "none"
            raise StartError(f"{cls.name} has no variant {variant!r}; it has {has}")
        return cls.variants[variant] if variant else {}

    @classmethod
    def with_rules(cls, texts: Mapping[str, str], variant: str = "") -> Self:
        """The game with house rules given as text, overriding its defaults or those of a variant.

        Raises `StartError` for a house rule or a variant that it does not have.
        """
        chosen = dict(cls.preset(variant))
        known = {f.name: f for f in fields(cls)}
        for name in texts:
            if name not in known:
                has = ", ".join(known) or "none"
                raise StartError(f"{cls.name} has no house rule {name!r}; it has {has}")
        chosen |= {name: _value(cls.name, known[name], text) for name, text in texts.items()}
        return cls(**chosen)

    # What a game must define.

    @abstractmethod
    def deck(self, start: Start) -> Deck:
        """The cards that the hand is played with."""

    @abstractmethod
    def spots(self, start: Start) -> tuple[Spot, ...]:
        """The places where the cards of this hand lie."""

    @abstractmethod
    def open(self, start: Start) -> S:
        """The state before the first act; raises `StartError` for a start that is not allowed."""

    @abstractmethod
    def turn(self, state: S) -> Turn:
        """What the table waits for in `state`."""

    @abstractmethod
    def effect(self, state: S, act: Act) -> S:
        """The effect of `act` beyond moving its cards, which has already happened in `state`."""

    # What a game may override.

    def phase(self, state: S) -> str:
        """The stage of the hand, as the rule sheet calls it."""
        return ""

    def verify(self, state: S, act: Act) -> None:
        """Raise `ActError` if `act` has no meaning in this game."""

    def route(self, state: S, act: Act) -> tuple[str, str]:
        """The spots that the cards of a player's act go from and to."""
        raise ActError(f"{self.name} moves no cards by {act.verb}")

    def trace(self, state: S, act: Act) -> Trace:
        """What `act` does to the cards on the table; a player who folds gives up all cards."""
        if act.verb is Verb.FOLD:
            owned = {name for name, spot in state.spots.items() if spot.owner == act.seat}
            lying = ((name, laid) for name, laid in state.table if act.seat and name in owned)
            return tuple(Move(laid.card, name, GONE, laid.up) for name, laid in lying)
        source, target = self.route(state, act)
        return tuple(Move(card, source, target, not act.down) for card in act.cards)

    def contained(self, state: S, act: Act) -> Act | None:
        """The act that `act` contains, as both are one movement of the hand.

        For example, a card thrown straight from the stock onto the discards was drawn. None if
        there is none, or if the table does not tell which.
        """
        return None

    def conceals(self, state: S, act: Act) -> str | None:
        """The rule that a legal-looking `act` breaks out of sight, judged with all cards known.

        On a table record it is found later, when the cards come to light.
        """
        return None

    def resumed(self, state: S, seat: int | None) -> S:
        """`state` resumed from the table as it is, with whatever the cards show worked out.

        `seat` is the next to act, if that was stated.
        """
        return state

    def caught_up(self, state: S, before: Table) -> S:
        """`state`, just resumed, with what was laid unseen since the table was as `before` paid.

        For games in which cards are paid for as they are laid down.
        """
        return state

    def concluded(self, state: S) -> S:
        """`state` settled, if the cards leave nothing to be done.

        Called after each act, and when the hand is resumed from the table as it is: that may show
        what ends it.
        """
        return state

    def secrecy(self, state: S) -> Secrecy | None:
        """The state of a secret rule that the device may keep; None for games without one."""
        return None

    def slip(self, state: S, act: Act, fault: str) -> str:
        """The rule that `act` breaks in `state`; `fault` is what the turn calls it.

        A game may name the violation more precisely, as its dealers would. The name is empty, and
        nothing is flagged, if the act corrects something on the table that is still open.
        """
        return fault

    def home(self, state: S, spot: str, cards: tuple[Card, ...]) -> str:
        """The spot at which `cards` count that were laid at an empty `spot`.

        It may be another one if these may lie `anywhere` (see `Spot`).
        """
        return spot

    def anteing(self, state: S) -> tuple[int, ...]:
        """Who antes, in games in which all players do."""
        return state.start.seats

    def betting_places(self, start: Start) -> tuple[BettingPlace, ...]:
        """Where chips are placed in this hand; empty if the game is not played for chips."""
        return ()

    def stakes_lying(self, state: S) -> Iterator[Stake]:
        """The chips on the table according to the acts that stand, with what they are due."""
        return iter(())

    def withdrawn(self, state: S, act: Act) -> S:
        """`state` after chips of a bet were taken back; by default they still count."""
        return state

    @property
    def potted(self) -> bool:
        """Whether the players put antes into a pot that they play for."""
        return Verb.ANTE in self.vocabulary

    def pot(self, state: S) -> int:
        """The chips that are played for, with all bets; only if amounts are tracked."""
        return state.carried + self.settlement(state).net.get(POT, 0)

    def facts(self, state: S) -> Iterator[Phrase]:
        """What everybody may know about this hand: trumps, a contract, the pot.

        It is asked about what the table shows, and reveals nothing that the table hides.
        """
        if pot := self.pot(state):
            yield Phrase.of("facts.pot", amount=pot)

    def match_facts(self, state: S) -> Iterator[Phrase]:
        """What the match is played for, and its progress: teams, the goal, the deal's number."""
        for team in self.teams(state):
            yield Phrase.of("facts.team", seats=team)
        if self.goal is not None:
            yield Phrase.of("facts.goal", points=self.goal)
        if (deal := self.deal_of(state)) is not None:
            yield Phrase.of("facts.deal", number=deal[0], count=deal[1])

    def teams(self, state: S) -> tuple[tuple[int, ...], ...]:
        """Who plays together in every hand of the match; empty if everybody plays alone."""
        return ()

    def deal_of(self, state: S) -> tuple[int, int] | None:
        """The number of this deal in the match, and of all deals; None if they are not counted."""
        return None

    def bets(self, state: S) -> Mapping[int, int]:
        """The chips in front of each seat as a bet, if amounts are tracked."""
        return {}

    def unjudged(self, state: S, number: int) -> bool:
        """Whether judging act `number` takes a secret that this record hides.

        The dealer's ruling on it is then accepted as it is.
        """
        return False

    def veiled(self, state: S) -> S:
        """`state`, whose face-down cards are already hidden, without the game's other secrets."""
        return state

    def settlement(self, state: S) -> Settlement:
        """Who owes whom in this hand so far."""
        return Settlement() if state.void else Settlement(state.payments, state.points)

    def shuffled(self, state: S) -> bool:
        """Whether the cards go back into the deck when the hand is over."""
        return True

    def follow(self, state: S) -> Start:
        """The start of the next hand, derived from a finished one.

        What nobody has taken out of the pot stays there, also if a resumed hand was given up; bets
        that had not gone into the pot by then are the players' own again.
        """
        start, settlement = state.start, self.settlement(state)
        net, scores = settlement.net, dict(state.start.scores)
        cards = sorted((laid.view for _, laid in state.table), key=str)
        out = [Sighted(card, start.hand) for card in cards]
        return replace(
            start,
            hand=start.hand + 1,
            stacks=pairs({seat: chips + net.get(seat, 0) for seat, chips in start.stacks}),
            scores=pairs(scores | {s: scores.get(s, 0) + n for s, n in settlement.scores.items()}),
            shoe=() if self.shuffled(state) else (*start.shoe, *out),
            limits=state.limits,
            pot=start.pot if state.void or not self.potted else Game.pot(self, state),
        )

    def adjusted(self, start: Start, before: Start) -> Start:
        """The `start` that an act between hands made from `before`, with its notes updated.

        A game that carries something over for a seat checks here who has left and who holds the
        bank.
        """
        return start

    def check_start(self, start: Start) -> None:
        """Raise `StartError` unless the number of players fits and banker or dealer is named."""
        if len(start.seats) not in self.players:
            least, most = self.players.start, self.players.stop - 1
            count = f"exactly {least}" if least == most else f"{least} to {most}"
            raise StartError(f"{self.name} is for {count} players, got {len(start.seats)}")
        if self.banked and start.banker is None:
            raise StartError(f"{self.name} needs a banker: name the seat that holds the bank")
        if self.dealt and start.dealer is None:
            raise StartError(f"{self.name} needs a dealer: name the seat that deals")


def _shortened(choices: Sequence[Any]) -> list[Any]:
    if len(choices) > 6 and all(isinstance(choice, int) for choice in choices):
        return [f"{min(choices)} to {max(choices)}"]
    return [{True: "yes", False: "no"}.get(c, c) if isinstance(c, bool) else c for c in choices]


def _value(game: str, known: Field[Any], text: str) -> bool | int | str:
    if isinstance(known.default, bool):
        if text not in ("yes", "no"):
            raise StartError(f"{game}: house rule {known.name} is yes or no, got {text!r}")
        return text == "yes"
    if isinstance(known.default, int):
        if not text.isdecimal():
            raise StartError(f"{game}: house rule {known.name} is a number, got {text!r}")
        return int(text)
    return text


AnyGame: TypeAlias = Game[Any]
"""A game with states of any kind."""
