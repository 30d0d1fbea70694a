"""What a rehearsal reports: a transcript of every hand, and the totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware.rehearsal.attention import Counts
from firmware.texts import Texts
from firmware.texts.plain import native, spoken
from rules.match import Hand
from rules.settlement import Settlement


@dataclass(frozen=True, kw_only=True)
class HandReport:
    """How one hand was followed."""

    hand: Hand
    """The hand as it was dealt."""
    counts: Counts
    implied: frozenset[int]
    """The positions (from 0) of the acts that nobody said or keyed."""
    wrong: tuple[str, ...]
    """Acts with a misread card."""
    differences: tuple[str, ...]
    slips: tuple[str, ...]
    settled: bool
    """Whether it came to the settlement that was dealt."""
    invented: tuple[str, ...]
    """Acts that stand in what was followed but never happened."""
    handled: Mapping[str, int]
    """How often people showed each habit."""
    seconds: float
    """Duration of the hand at the table."""

    @property
    def faithful(self) -> bool:
        """Whether what was followed is what was dealt."""
        return not self.differences


def transcript(report: HandReport) -> Iterator[str]:
    """One hand in lines: its acts as the world knows them, and what it took to follow them."""
    hand = report.hand
    bank = f", seat {hand.start.banker} holds the bank" if hand.start.banker else ""
    implied = f"   ({native('implied')})"
    yield f"hand {hand.start.hand}{bank}"
    for place, act in enumerate(hand.state.acts):
        yield f"  {act}{implied if place in report.implied else ''}"
    yield from (f"  = {line}" for line in _settled(hand.state.settlement))
    yield from (f"  slip: {slip}" for slip in report.slips)
    yield from (f"  WRONG CARD: {wrong}" for wrong in report.wrong)
    yield from (f"  DIFFERS: {difference}" for difference in report.differences)
    yield f"  {summed(report.counts, len(report.wrong))}, {report.seconds:.0f} s at the table"
    yield ""


def _settled(settlement: Settlement) -> Iterator[str]:
    """What each seat wins, loses or scores; if no amounts are kept, who pays whom."""
    sums = _by_seat(settlement.sums)
    texts = Texts.load(spoken())
    owed = [texts.payment(payment) for payment in settlement.payments]
    yield from [sums] if sums else owed or [native("no amounts")]


def _by_seat(sums: Mapping[int, int]) -> str:
    return ", ".join(native(f"seat {seat} {sum_:+}") for seat, sum_ in sums.items() if seat)


def summed(counts: Counts, wrong: int) -> str:
    """Counts on one line."""
    said = (
        f"presses {counts.presses}, answers {counts.answers}, corrections {counts.corrections}, "
        f"said {counts.said}, typed {counts.typed}, wrong commits {wrong}"
    )
    said += f", taken as it lies {counts.resumed}" if counts.resumed else ""
    return said + (f", never followed {counts.unheeded}" if counts.unheeded else "")


def closing(reports: Sequence[HandReport]) -> str:
    """The last line of a transcript, preceded by each seat's total if there were several hands."""
    counts = sum((report.counts for report in reports), Counts())
    wrong = sum(len(report.wrong) for report in reports)
    faithful = bool(reports) and all(report.faithful for report in reports)
    hands = f"{len(reports)} hand{'s' * (len(reports) != 1)}"
    last = f"{hands}: {summed(counts, wrong)}; followed = dealt: {'yes' if faithful else 'NO'}"
    total: Counter[int] = Counter()
    for report in reports:
        total.update(report.hand.state.settlement.sums)
    sums = _by_seat(dict(sorted(total.items()))) if len(reports) > 1 else ""
    return f"{native(f'total: {sums}')}\n{native(last)}" if sums else native(last)
