"""What the table waits for.

The lamps, the camera's attention, the sentence on the screen and the check of every act are all
derived from a `Turn`. Dealing is a turn like any other, with the camera supplying the chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice

from rules.acts import Act, Verb
from rules.cards import BACK, Card
from rules.frozen import quick
from rules.phrases import Phrase

FROM_DECK = frozenset({Verb.DEAL, Verb.BURN})
"""Acts whose cards are the next ones of the deck, whoever performs them."""
AMOUNTS_SAMPLED = 5
"""Amounts listed to represent a range: both ends and some in between."""
HANDFULS_LISTED = 60
"""Most ways to pick several cards from a hand that are listed."""


@quick(frozen=True, slots=True)
class Awaited:
    """One kind of act that may come now, with what it may consist of.

    >>> bets = Awaited(Verb.BET, seats=(2, 3), numbers=(1, 20), says=Phrase("turn.bet"))
    >>> bets.admits(Act.parse("3 bet 20")), bets.admits(Act.parse("3 bet 21"))
    (True, False)
    >>> bets.fault(Act.parse("3 bet 21"))
    'beyond-limits'
    """

    verb: Verb
    says: Phrase
    """What to say while this is awaited."""
    seats: tuple[int, ...] = ()
    """The seats that may do it; empty for the dealer."""
    spots: tuple[str, ...] = ()
    """The spots, in order of preference; empty if the verb names no spot."""
    to: tuple[str, ...] = ()
    """The target spots of cards that move between spots; empty if the verb names none."""
    pick: int = 0
    """The number of cards that the act names."""
    counts: tuple[int, int] | None = None
    """The fewest and most cards it may name; None for exactly `pick`."""
    among: tuple[Card, ...] | None = None
    """The cards it may name; None for any."""
    handfuls: tuple[tuple[Card, ...], ...] | None = None
    """The selections worth listing; None for all. Others may be admitted too."""
    down: bool = False
    """Whether the cards go face down."""
    numbers: tuple[int, int] | None = None
    """The minimum and maximum amount; None if the act names no amount."""
    from_deck: bool = False
    """Whether the cards are the next ones of the deck, as they always are in dealing and burning.
    """
    words: tuple[tuple[str, ...], ...] = ()
    """The complete lists of words that it may have; empty if it takes none."""
    listed: int = HANDFULS_LISTED
    """The most selections of cards that are listed when acts are listed."""
    required: bool = True
    """Whether the hand cannot go on without it; otherwise it is optional."""
    rule: str = ""
    """The rule broken by an act that differs from this only in its cards, place or amount."""

    def admits(self, act: Act) -> bool:
        """Whether `act` is one of the acts described here."""
        return act.verb is self.verb and self.fault(act) is None

    def fault(self, act: Act) -> str | None:
        """What does not fit about `act`, as the identifier of the rule it breaks."""
        return self.closeness(act)[1]

    def closeness(self, act: Act) -> tuple[int, str | None]:
        """How well `act` fits (higher is better), and the rule that it breaks if it does not."""
        if act.verb is not self.verb:
            return 0, "not-now"
        if (act.seat is None) != (not self.seats) or (self.seats and act.seat not in self.seats):
            return 1, "out-of-turn"
        if (self.spots and act.spot not in self.spots) or (self.to and act.to not in self.to):
            return 2, self.rule or "wrong-place"
        if (cards := self._cards_fault(act)) is not None:
            return 3, self.rule or cards
        if not self._fits_numbers(act.numbers):
            return 4, self.rule or "beyond-limits"
        if self.words and act.words not in self.words:
            return 5, self.rule or "wrong-word"
        return 6, None

    def _cards_fault(self, act: Act) -> str | None:
        fewest, most = self.counts or (self.pick, self.pick)
        if not fewest <= len(act.cards) <= most:
            return "wrong-count" if act.cards and self.pick else "wrong-card"
        if act.cards and act.down is not self.down:
            return "face-up" if self.down else "face-down"
        fits = self.among is None or _drawn_from(act.cards, self.among)
        return None if fits else "wrong-card"

    def _fits_numbers(self, numbers: tuple[int, ...]) -> bool:
        if self.numbers is None:
            return not numbers
        least, greatest = self.numbers
        return bool(numbers) and all(least <= number <= greatest for number in numbers)

    @property
    def spoken(self) -> bool:
        """Whether verb, seat and words say everything, leaving nothing to measure or see."""
        return not self.pick and self.numbers is None

    def fill(
        self,
        cards: Sequence[Card] = (),
        *,
        seat: int | None = None,
        spot: str | None = None,
        to: str | None = None,
        amount: int | None = None,
        words: tuple[str, ...] | None = None,
    ) -> Act:
        """The act with open choices filled in, by default with the first option."""
        return Act(
            self.verb,
            seat if seat is not None else (self.seats[0] if self.seats else None),
            spot=spot or (self.spots[0] if self.spots else None),
            to=to or (self.to[0] if self.to else None),
            cards=tuple(cards),
            down=self.down and bool(cards),
            numbers=self._filled(amount),
            words=words if words is not None else (self.words[0] if self.words else ()),
        )

    def _filled(self, amount: int | None) -> tuple[int, ...]:
        if self.numbers is None:
            return ()
        if self.verb is Verb.LIMITS:
            return (self.numbers[0], amount or self.numbers[1])
        return (self.numbers[0] if amount is None else amount,)

    def acts(self, deck: Sequence[Card] = ()) -> Iterator[Act]:
        """Every act described here, dealing the next cards of `deck`; long ranges are sampled."""
        for seat in self.seats or (None,):
            for spot in self.spots or (None,):
                for cards in self._handfuls(deck):
                    for amount in self._amounts():
                        for words in self.words or ((),):
                            yield self.fill(cards, seat=seat, spot=spot, amount=amount, words=words)

    def _handfuls(self, deck: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
        if self.from_deck or self.verb in FROM_DECK:
            cards = tuple(deck[: self.pick])
            fits = len(cards) == self.pick and (
                self.among is None or _drawn_from(cards, self.among)
            )
            return iter([cards] if fits else [])
        if self.handfuls is not None:
            return iter(self.handfuls)
        if self.among is not None:
            return islice(combinations(self.among, self.pick), self.listed)
        return iter([()] if not self.pick else [])

    def _amounts(self) -> Iterable[int | None]:
        if self.numbers is None:
            return (None,)
        least, greatest = self.numbers
        step = max(1, (greatest - least) // (AMOUNTS_SAMPLED - 1))
        return sorted({*range(least, greatest + 1, step), greatest})


def _drawn_from(cards: Sequence[Card], among: Sequence[Card]) -> bool:
    """Whether `cards` can be picked from `among`, each once; a partly read card stands for one."""
    left = list(among)
    for card in cards:
        if card not in left:
            break
        left.remove(card)
    else:  # nearly always: all of them are fully read
        return True
    left = list(among)
    for card in sorted(cards, key=lambda card: card.hidden + (not card.known)):
        fit = next((other for other in left if other == card), None)
        fit = fit or next((other for other in left if other.covers(card)), None)
        if fit is None:
            return False
        left.remove(fit)
    return True


@quick(frozen=True, slots=True)
class Turn:
    """Everything that may come now: what is awaited, and what may interrupt it.

    `together` means that the first of `awaited` is one simultaneous step: its acts come from
    several seats in any order, which makes no difference. Acts in `also` are accepted but never
    asked for or listed, such as another order of the same deal.
    """

    awaited: tuple[Awaited, ...] = ()
    interrupts: tuple[Awaited, ...] = ()
    together: bool = False
    also: tuple[Awaited, ...] = ()

    def __iter__(self) -> Iterator[Awaited]:
        yield from self.awaited
        yield from self.interrupts

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that must do something, without those that only may."""
        return tuple(sorted({seat for one in self.awaited if one.required for seat in one.seats}))

    def with_interrupt(self, one: Awaited) -> Turn:
        """The turn with one more possible interruption, unless its verb is already there."""
        if any(other.verb is one.verb for other in self):
            return self
        return replace(self, interrupts=(*self.interrupts, one))

    def meant(self, act: Act, owner: int | None) -> Act:
        """`act`, or the show that `owner` owes if the dealer turns up those very cards instead."""
        if owner is None or self.admits(act):
            return act
        shown = replace(act, verb=Verb.SHOW, seat=owner, spot=None)
        return shown if any(one.required and one.admits(shown) for one in self.awaited) else act

    @property
    def due(self) -> Act | None:
        """The one act that OK performs: required, with nothing left open."""
        for one in self.awaited:
            if one.required and len(one.seats) <= 1 and one.spoken and len(one.words) <= 1:
                return one.fill()
        return None

    def admits(self, act: Act) -> bool:
        """Whether `act` may come now."""
        return any(one.admits(act) for one in (*self.awaited, *self.interrupts, *self.also))

    def fault(self, act: Act) -> str | None:
        """The rule that `act` breaks by coming now, or None."""
        if self.admits(act):
            return None
        tried = [one.closeness(act) for one in self]
        return max(tried, key=lambda found: found[0], default=(0, "not-now"))[1]


def anteing(chips: int, says: Phrase, seats: tuple[int, ...] = ()) -> Turn:
    """The turn that waits for antes of `chips` each; whoever says so may also name the amount."""
    asked = Awaited(Verb.ANTE, says, seats)
    return Turn((asked,), also=(replace(asked, numbers=(chips, chips)),))


def backs(count: int) -> tuple[Card, ...]:
    """A number of face-down cards."""
    return (BACK,) * count
