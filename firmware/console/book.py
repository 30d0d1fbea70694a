"""The hands so far as the journal tells them, act by act, with what is known of each act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware.errors import JournalError
from firmware.store.journal import Entry, Journal, Verdict
from firmware.store.ledger import Ledger
from rules.acts import Act
from rules.cards import Card
from rules.match import Hand
from rules.records import print_hand
from rules.state import State


@dataclass(frozen=True)
class Mark:
    """What the journal knows of one act: when (seconds since 1970), and who it came from.

    `crops` are the pictures of what was seen with it, by their hashes; `group` is the entry that
    it came together with; `was` the line that a correction replaced.
    """

    time: float
    by: str
    implied: bool
    group: int
    crops: tuple[str, ...] = ()
    was: str = ""


@dataclass(frozen=True)
class Step:
    """One act of a hand, with the moments before and after it, as the table shows them."""

    number: int
    act: Act
    before: State
    after: State
    mark: Mark | None

    @property
    def laid(self) -> tuple[tuple[Card, str], ...]:
        """The cards that it laid or turned, each with the spot it lies at then."""
        return tuple((move.card, move.target) for move in self.before.trace(self.act))


class Book:
    """A reader of one journal that follows it entry by entry; belongs to one thread.

    What it tells is what the table showed: face-down cards are unknown. Hands are named by their
    numbers.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._journal = Journal.following(path)
        self._ledger: Ledger | None = None
        self._marks: list[list[Mark]] = []
        self._read = 0
        self._steps: tuple[State | None, tuple[Step, ...]] = (None, ())

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Following.

    def follow(self) -> None:
        """Read what was added since."""
        for entry in self._journal.entries(self._read):
            self._take(entry)
            self._read = entry.number

    def _take(self, entry: Entry) -> None:
        if entry.kind == "match":
            self._ledger = Ledger.begun_by(entry, now=lambda: 0.0)
            self._marks = [[] for _ in self._ledger.match.hands]
        elif self._ledger is not None and entry.kind in ("act", "undo", "correct"):
            getattr(self, f"_take_{entry.kind}")(entry, self._ledger)
            self._keep_up(self._ledger)

    def _take_act(self, entry: Entry, ledger: Ledger) -> None:
        match, payload = ledger.match, entry.payload
        place = len(match.hands) - 1
        between = match.is_between(Act.parse(payload["line"]))
        ledger.repeat(entry)
        if between:
            return
        own = self._marks[place]
        group = own[-1].group if payload["with"] and own else entry.number
        mark = Mark(entry.time, payload["by"], payload["implied"], group, entry.crops)
        own.append(mark)
        for earlier, one in enumerate(own):
            if one.group == group:  # the pictures come with the last act of the group
                own[earlier] = replace(one, crops=entry.crops)

    def _take_undo(self, entry: Entry, ledger: Ledger) -> None:
        ledger.repeat(entry)

    def _take_correct(self, entry: Entry, ledger: Ledger) -> None:
        hand, own = ledger.match.hand, self._marks[len(ledger.match.hands) - 1]
        number, before = entry.payload["number"], list(hand.acts)
        ledger.repeat(entry)
        if len(hand.acts) > len(before):
            own.append(Mark(entry.time, "panel", False, entry.number))
        elif len(hand.acts) < len(before):
            del own[number - 1]
        else:
            own[number - 1] = replace(own[number - 1], was=str(before[number - 1].observed()))

    def _keep_up(self, ledger: Ledger) -> None:
        """As many marks as there are acts, in each hand that may have changed."""
        hands = ledger.match.hands
        del self._marks[len(hands) :]
        self._marks += [[] for _ in hands[len(self._marks) :]]
        for place in range(max(0, len(hands) - 2), len(hands)):
            del self._marks[place][len(hands[place].acts) :]

    # Telling.

    @property
    def hands(self) -> Sequence[Hand]:
        """All hands, the one in play last."""
        return self._ledger.match.hands if self._ledger is not None else ()

    def hand(self, number: int) -> Hand | None:
        """The hand of that number."""
        return next((hand for hand in self.hands if hand.start.hand == number), None)

    def began(self, hand: Hand) -> float | None:
        """When its first act came, in seconds since 1970."""
        marks = self._marks[list(map(id, self.hands)).index(id(hand))]
        return marks[0].time if marks else None

    def steps(self, hand: Hand) -> tuple[Step, ...]:
        """The hand act by act; raises `RulesError` only if the journal tells nonsense."""
        if self._steps[0] is not hand.state:
            place = list(map(id, self.hands)).index(id(hand))
            self._steps = (hand.state, tuple(_steps(hand, self._marks[place])))
        return self._steps[1]

    def record(self, hands: Sequence[Hand]) -> str:
        """The acts that stand as text, as the table showed them."""
        played = [hand for hand in hands if hand.acts] or hands[:1]
        return "\n".join(print_hand(_observed(hand)) for hand in played)

    def crop(self, name: str) -> bytes | None:
        """A picture by its hash, unless it has expired."""
        return self._journal.crop(name)

    @property
    def head(self) -> str:
        """The journal's newest hash."""
        return self._journal.head

    def verify(self) -> Verdict:
        """Look through the whole journal for any change."""
        return self._journal.verify()


def _observed(hand: Hand) -> Hand:
    acts = [act.observed() for act in hand.acts]
    return Hand(hand.game, hand.start, acts, list(hand.between))


def _steps(hand: Hand, marks: Sequence[Mark]) -> Iterator[Step]:
    state = hand.game.open(hand.start)
    for place, act in enumerate(hand.acts):
        after = state.play(act)
        mark = marks[place] if place < len(marks) else None
        yield Step(place + 1, act.observed(), state.public(), after.public(), mark)
        state = after


def opened(path: Path | str) -> Book | None:
    """The book of a journal, or None where there is none to read."""
    with suppress(JournalError):
        book = Book(path)
        book.follow()
        return book
    return None
