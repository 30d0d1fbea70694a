"""Record once what is seen of a hand, and follow it again in seconds.

``python -m tests.looks record FILE --games mille --seeds 3 --pictures`` plays a hand as
`tests.soak` does and keeps everything that reaches the loop: what the tracker saw in each picture,
and each press and line of the dealer. ``python -m tests.looks replay FILE`` feeds that to a fresh
loop without any pictures and prints, side by side, what was dealt, what was seen and what was made
of it. The presses are those of the recording: once the loop follows differently, they may no longer
fit.
"""

from __future__ import annotations

import gzip
import pickle
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from firmware.follow.loop import Loop
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import HAND_MOST_S
from firmware.rehearsal.secret import Salts
from firmware.store.ledger import Ledger
from firmware.store.safe import Safe
from firmware.texts import Texts
from hardware.rig import ManualClock
from rules.match import Match
from tests.soak import Job
from vision.scene.sensor import SENSORS
from vision.sightings import Seen

INPUTS = ("see", "tick", "button", "type", "keep")
"""The calls through which a rehearsal reaches the loop."""
KEPT_EVERY = 300
"""Number of pictures after which the file is saved, so that an interruption loses little."""


@dataclass(frozen=True, slots=True)
class Event:
    """A call of one of the loop's methods, or (``dealt``) an act at the real table."""

    time: float
    verb: str
    arguments: tuple[object, ...] = ()
    options: tuple[tuple[str, object], ...] = ()


@dataclass(slots=True)
class Recording:
    """Everything given to a loop during a rehearsal, and the acts that it ended with."""

    job: Job
    events: list[Event] = field(default_factory=list)
    followed: tuple[str, ...] = ()
    """The acts that the loop had at the end of the last hand."""

    def save(self, path: Path) -> None:
        """Save it, compressed."""
        with gzip.open(path, "wb", compresslevel=3) as file:
            pickle.dump(self, file)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load a recording; raises `TypeError` if the file holds something else."""
        with gzip.open(path, "rb") as file:
            found = pickle.load(file)
        if not isinstance(found, cls):
            raise TypeError(f"expected a recording of looks in {path}: got {type(found).__name__}")
        return found


class Recorder:
    """Plays a job and notes what reaches the loop."""

    def __init__(self, job: Job) -> None:
        self.rehearsal = job.rehearsal()
        self.recording = Recording(job)
        self._dealt = (0, 0)
        for name in INPUTS:
            setattr(self.rehearsal.loop, name, self._noting(name))

    def _noting(self, name: str) -> Callable[..., None]:
        inner, events = getattr(self.rehearsal.loop, name), self.recording.events

        def noted(*arguments: object, **options: object) -> None:
            # A picture's crops cannot be kept, and explaining acts does not need them.
            kept = arguments[:1] if name == "see" else arguments
            now = self.rehearsal.clock.now
            events.append(Event(now, name, kept, tuple(options.items())))
            inner(*arguments, **options)

        return noted

    def play(self, path: Path, *, wrong: int) -> Recording:
        """Play its hands until this many wrong commits, and save them to a file."""
        rehearsal, recording, number = self.rehearsal, self.recording, 0
        while self._goes_on(wrong):
            rehearsal.step()
            self._note_dealt()
            number += 1
            if number % KEPT_EVERY == 0:
                recording.save(path)
        recording.followed = tuple(str(act) for act in rehearsal.loop.state.acts)
        recording.save(path)
        rehearsal.close()
        return recording

    def _goes_on(self, wrong: int) -> bool:
        rehearsal, hands = self.rehearsal, self.recording.job.hands
        if rehearsal.clock.now > hands * HAND_MOST_S or len(rehearsal.judge.wrong) >= wrong:
            return False
        if rehearsal.world.state.start.hand <= hands:
            return True
        return rehearsal.loop.state.start.hand <= hands and not rehearsal.world.state.acts

    def _note_dealt(self) -> None:
        state, (hand, known) = self.rehearsal.world.state, self._dealt
        new = state.acts[known:] if state.start.hand == hand else state.acts
        now = self.rehearsal.clock.now
        self.recording.events += [Event(now, "dealt", (str(act),)) for act in new]
        self._dealt = state.start.hand, len(state.acts)


class Replay:
    """A fresh loop to which a recording is fed."""

    def __init__(self, recording: Recording) -> None:
        self._recording, job = recording, recording.job
        plan = Plan.of(job.settings(), seed=job.seed, handling=job.handling)
        self.clock = ManualClock()
        match, safe = Match(plan.game, plan.start), Safe(salts=Salts(plan.seed))
        self.loop = Loop(Ledger(match, None, now=self.clock, safe=safe), Texts.load())
        self._known: tuple[int, tuple[str, ...]] = (0, ())
        self._shown: dict[str, list[str]] = {}
        self._asked: list[str] = []

    def lines(self) -> Iterator[str]:
        """What was dealt, seen, pressed, asked and followed, in order of time."""
        for event in self._recording.events:
            self.clock.now = event.time
            for line in self._given(event):
                yield f"{event.time:7.1f} {line}"

    @property
    def followed(self) -> tuple[str, ...]:
        """The acts that the loop has now."""
        return tuple(str(act) for act in self.loop.state.acts)

    def _given(self, event: Event) -> Iterator[str]:
        if event.verb == "dealt":
            yield f"dealt      {event.arguments[0]}"
            return
        if event.verb == "see" and isinstance(event.arguments[0], Seen):
            yield from self._told(event.arguments[0])
        elif event.verb != "tick":
            yield f"  {event.verb:8} {event.arguments[0]}"
        getattr(self.loop, event.verb)(*event.arguments, **dict(event.options))
        self.loop.effects()
        yield from self._taken()

    def _told(self, seen: Seen) -> Iterator[str]:
        """The settled spots that show something new."""
        for spot, cards in seen.spots.items():
            names = [f"{one.card}{'~' * one.doubtful}" for one in cards]
            if spot not in seen.busy and names != self._shown.get(spot, []):
                self._shown[spot] = names
                yield f"      seen {spot or 'beside'}: {' '.join(names) or 'nothing'}"

    def _taken(self) -> Iterator[str]:
        """The acts taken in or undone, and new questions."""
        hand, acts = self.loop.state.start.hand, self.followed
        before, had = self._known
        if before != hand:
            had = ()
        same = next((n for n, (a, b) in enumerate(zip(acts, had, strict=False)) if a != b), None)
        same = min(len(acts), len(had)) if same is None else same
        yield from (f"    undone   {act}" for act in had[same:])
        yield from (f"    followed {act}" for act in acts[same:])
        self._known = hand, acts
        question = self.loop.question
        options = [", ".join(map(str, one.acts)) for one in question.options] if question else []
        if options and options != self._asked:
            yield f"    asked    {' | '.join(options)}"
        self._asked = options


def parsed(arguments: Sequence[str] | None) -> Namespace:
    """The parsed arguments: what to record, or what to replay."""
    parser = ArgumentParser(prog="python -m tests.looks", description=__doc__)
    what = parser.add_subparsers(dest="what", required=True)
    record = what.add_parser("record", help="play a hand and record what is seen of it")
    record.add_argument("file", type=Path)
    record.add_argument("--games", required=True, help="one game, with a variant after a slash")
    record.add_argument("--seeds", type=int, required=True, help="one seed")
    record.add_argument("--handling", default="brisk")
    record.add_argument("--hands", type=int, default=1)
    record.add_argument("--pictures", action="store_true", help="read the camera's pictures")
    record.add_argument("--sensor", choices=sorted(SENSORS), default="webcam")
    record.add_argument("--wrong", type=int, default=6, help="stop after this many wrong commits")
    replay = what.add_parser("replay", help="follow a recorded hand again")
    replay.add_argument("file", type=Path)
    replay.add_argument("--since", type=float, default=0.0, help="print only from this second on")
    replay.add_argument("--until", type=float, default=float("inf"))
    return parser.parse_args(arguments)


def _record(options: Namespace) -> int:
    job = Job(
        options.games,
        options.seeds,
        options.handling,
        options.hands,
        options.pictures,
        sensor=options.sensor,
    )
    recorder = Recorder(job)
    recorder.play(options.file, wrong=options.wrong)
    wrong = recorder.rehearsal.judge.wrong
    print(f"{options.file}: {len(recorder.recording.events)} events, {len(wrong)} wrong commits")
    for line in wrong:
        print(f"  {line}")
    return 0


def _replay(options: Namespace) -> int:
    """Replay a recording; exit status 1 if other acts were followed than when it was recorded."""
    recording = Recording.load(options.file)
    replay = Replay(recording)
    for line in replay.lines():
        time = float(line[:7])
        if options.since <= time <= options.until:
            print(line)
    same = replay.followed == recording.followed
    print(
        f"{len(replay.followed)} acts, "
        f"{'as' if same else 'different from those'} when it was recorded"
    )
    return 0 if same else 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Record or replay."""
    options = parsed(arguments)
    return _record(options) if options.what == "record" else _replay(options)


if __name__ == "__main__":
    # Pickle names classes by their module, which must be this one and not `__main__`.
    from tests.looks import main as run

    sys.exit(run())
