"""Cause random faults, one by one: ``python -m tests.faults --faults 10000 --log FILE``.

Each fault has a number, which decides what goes wrong and when. The log has one line per fault; run
again with the same log, the command resumes after its last line. The exit status is 1 if an
acknowledged act was lost, a chain broke, anything hung for `HANG_S`, or a fault went unreported.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from firmware.display.effects import Speech
from firmware.errors import JournalError
from firmware.follow.loop import Loop
from firmware.store.journal import Journal
from firmware.store.ledger import CHANGES, Ledger
from firmware.texts import Texts
from hardware.press import Button, Freed, Pressed, Stuck, Touched
from hardware.rig import ManualClock, PanelRig
from rules.phrases import Phrase
from rules.records import print_match
from tests.felt import Felt
from vision.sightings import Seen

HANG_S = 10.0
"""The longest that anything may take, on a machine that is not overloaded."""
HAND = ("QS", "5D", "7C", "3D", "AC", "4H")
KILLS = 3
"""How often the process that writes a journal is killed in a row."""
TEXTS = Texts.load("en", strict=True)


class FaultError(AssertionError):
    """A fault that did harm."""


def expect(good: bool, what: str) -> None:
    """Raise `FaultError` unless `good`."""
    if not good:
        raise FaultError(what)


def table(journal: Journal, now: Callable[[], float] = time.time) -> Felt:
    """A table and a loop that resumes from the journal, with the real sentences."""
    felt = Felt("ziginette", journal=None if len(journal) else journal)
    ledger = Ledger.resumed(journal, now=now) if len(journal) else felt.loop.ledger
    ledger.now = now
    felt.loop = Loop(ledger, TEXTS)
    for spot, laid in felt.loop.state.table:
        if spot in felt.cards:  # what has left is nowhere
            felt.cards[spot].append(str(laid.card))
    felt.look()
    return felt


def dealt(felt: Felt, dice: Random) -> None:
    """Deal one more card, or clear the table once the hand is complete."""
    lies = sum(len(cards) for cards in felt.cards.values())
    if lies >= len(HAND):
        felt.loop.type("misdeal")
        felt.sweep()
        felt.loop.type("clear")
    else:
        spot = "banker" if lies == 2 else "board"
        felt.lay(spot, HAND[lies], seconds=dice.choice((0.2, 0.4)))


def lines(journal: Journal) -> list[str]:
    """Every stored act and undo, in order."""
    stored = (entry for entry in journal.entries() if entry.kind in CHANGES)
    return [str(entry.payload.get("line", entry.kind)) for entry in stored]


def whole(path: Path, acknowledged: int, head: str | None = None) -> None:
    """Check that the journal holds what was acknowledged, in an unbroken chain, and can be resumed.

    The `head` noted with the last acknowledgement vouches for every entry before it, word by word.
    """
    with Journal(path) as journal:
        verdict = journal.verify(head or journal.head)
        expect(verdict.whole, f"the chain is broken: {verdict}")
        expect(
            verdict.vouched >= acknowledged,
            f"{verdict.vouched} of {acknowledged} entries are unchanged",
        )
        before = len(lines(journal))
        felt = table(journal)
        felt.loop.type("limits 1 9") if not felt.loop.state.acts else felt.loop.type("misdeal")
        expect(len(lines(journal)) > before, "the match cannot be resumed")


# Power.


def kill(folder: Path, dice: Random) -> str:
    """Kill a process that stores at a random moment, three times with the same journal."""
    path, count, head = folder / "j", 0, None
    for _ in range(KILLS):
        heard, told = os.pipe()
        child = os.fork()
        if not child:
            _deal_until_killed(path, told, dice)
        os.close(told)
        time.sleep(dice.uniform(0.0, 0.15))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        said = os.read(heard, 1 << 20).split(b"\n")[:-1]
        os.close(heard)
        if said:
            count, head = int(said[-1].split()[0]), said[-1].split()[1].decode()
        whole(path, count, head)
        dice.random()  # the child's dice are its own
    return "resumed"


def _deal_until_killed(path: Path, told: int, dice: Random) -> None:
    try:
        with Journal(path) as journal:
            # The log is moved into the file at every turn, as usual, or never.
            pages = dice.choice((1, 8, 256, 0))
            journal._file.base.execute(f"PRAGMA wal_autocheckpoint = {pages}")
            felt = table(journal)
            while True:
                dealt(felt, dice)
                os.write(told, b"%d %s\n" % (len(journal), journal.head.encode()))
    finally:
        os._exit(1)


def power_cut(folder: Path, dice: Random) -> str:
    """An arbitrary part of what was not synced reaches the disk, and its bytes may be wrong."""
    path = folder / "j"
    with Journal(path) as journal:
        felt = table(journal)
        for _ in range(dice.randint(1, 9)):
            dealt(felt, dice)
        count, head = len(journal), journal.head
        moved = dice.random() < 0.5
        if moved:  # as after some eighty acts: the log restarts
            journal._file.base.execute("PRAGMA wal_checkpoint(PASSIVE)")
        shutil.copy(path, folder / "cut")
        before = (folder / "j-wal").read_bytes()
        dealt(felt, dice)
        after = (folder / "j-wal").read_bytes()
    begun = 0 if moved else len(before)
    expect(after[:begun] == before[:begun], "what was synced is written again")
    end = dice.randint(begun, len(after))
    late = bytearray(after[begun:end])
    for _ in range(dice.randint(0, 3) if late else 0):
        late[dice.randrange(len(late))] ^= 1 << dice.randrange(8)
    (folder / "cut-wal").write_bytes(before[:begun] + late + before[end:])
    whole(folder / "cut", count, head)
    return "resumed"


def damaged(folder: Path, dice: Random) -> str:
    """A byte of old data goes bad: it must be found, and never read as if it were intact."""
    path = folder / "j"
    with Journal(path) as journal:
        felt = table(journal)
        for _ in range(9):
            dealt(felt, dice)
        head, written = journal.head, lines(journal)
    data = bytearray(path.read_bytes())
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)
    try:
        with Journal.judging(path) as journal:
            if not journal.verify(head).whole:
                return "the chain is broken"
            expect(lines(journal) == written, "acts have changed unnoticed")
    except JournalError as error:
        return f"{error}"
    return "nothing lost"


def full_disk(folder: Path, dice: Random) -> str:
    """The disk fills up after some bytes, and later has room again."""
    heard, told = os.pipe()
    child = os.fork()
    if not child:
        _deal_until_full(folder / "j", told, dice)
    os.close(told)
    ready, _, _ = select.select([heard], [], [], HANG_S)
    answer = os.read(heard, 4096).decode() if ready else ""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(heard)
    count, _, said = answer.partition(" ")
    expect("Cannot save" in said, f"the dealer was told {answer!r}")
    whole(folder / "j", int(count))
    return said


def _deal_until_full(path: Path, told: int, dice: Random) -> None:
    try:
        with Journal(path) as journal:
            felt = table(journal)
            most = (path.parent / "j-wal").stat().st_size + dice.randint(1, 40_000)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
            while not felt.loop.failure:
                dealt(felt, dice)
            os.write(told, f"{len(journal)} {felt.loop.prompt.sentence}".encode())
            time.sleep(HANG_S)
    finally:
        os._exit(1)


def failing_writes(folder: Path, dice: Random) -> str:
    """A write fails now and then: it is reported, the hand goes on, and all is stored later."""
    with Journal(folder / "j") as journal:
        felt = table(journal)
        real = journal.append_all
        said, luck = "", 0.6

        def flaky(drafts: Any) -> Any:
            if dice.random() >= luck:
                raise JournalError(f"{journal.path}: the journal cannot be written: no luck")
            return real(drafts)

        journal.append_all = flaky  # type: ignore[method-assign]
        for _ in range(16):
            undoes = dice.random() < 0.25
            felt.hold(Button.FIX) if undoes else dealt(felt, dice)
            if felt.loop.failure:
                told = felt.loop.prompt
                expect(told.lamps["hold"] == "fast", "no lamp warns")
                said = said or felt.loop.prompt.sentence
                expect("Cannot save" in said, f"the dealer was told {said!r}")
            else:
                expect(followed(felt.loop.ledger) == stored(journal), "they are at odds")
        luck = 1.0
        felt.look(3.0)
        expect(not felt.loop.failure, "what waited is not stored")
        expect(followed(felt.loop.ledger) == stored(journal), "the journal lacks what waited")
        count = len(journal)
    whole(folder / "j", count)
    return said or "no write failed"


def followed(ledger: Ledger) -> str:
    """The match in memory as text, with how far an undo reaches."""
    return f"{print_match(ledger.match)}{ledger.taken}"


def stored(journal: Journal) -> str:
    """The same as a fresh start would find it."""
    return followed(Ledger.resumed(journal, now=time.time))


# The camera.


def blind(folder: Path, dice: Random) -> str:
    """Unplug, cover, defocus or move the camera, or turn off the lights; then let it see again."""
    trouble = dice.choice(("camera", "moved", "dark", "covered", "blur", "glare"))
    with Journal(folder / "j") as journal:
        felt = table(journal)
        for _ in range(dice.randint(1, 5)):
            dealt(felt, dice)
        count, shown = len(lines(journal)), felt.loop.state.table
        nothing = trouble == "camera"
        for _ in range(dice.randint(12, 60)):
            felt.time += 0.2
            spots = {} if nothing else felt.seen().spots
            busy = frozenset(felt.cards)
            felt.loop.see(Seen(spots, busy, (trouble,), felt.time))
        said = felt.loop.prompt.sentence
        expect(said == TEXTS.say(Phrase(f"trouble.{trouble}")), f"the dealer was told {said!r}")
        expect(felt.loop.state.table == shown, "cards have moved that nobody saw")
        expect(len(lines(journal)) == count, "acts were made up")
        felt.look(1.0)
        dealt(felt, dice)
        expect(len(lines(journal)) > count, "the table is no longer followed")
    return said


# The panel.


def bouncing(folder: Path, dice: Random) -> str:
    """A contact bounces: one press must stay one press."""
    clock = ManualClock()
    with PanelRig(clock=clock) as rig:
        bounces = sorted(dice.uniform(0.0, 0.006) for _ in range(2 * dice.randint(1, 6)))
        rig.press(dice.choice(list(Button)), dice.uniform(0.06, 1.5), bounces=bounces)
        events = rig.advance(3.0)
    kinds = [type(event) for event in events]
    expect(kinds == [Touched, Pressed], f"one press became {kinds}")
    return "one press"


def stuck(folder: Path, dice: Random) -> str:
    """A button stays down: it is reported, and the other two still work."""
    bad, good = dice.sample(list(Button), 2)
    clock, said = ManualClock(), ""
    with Journal(folder / "j") as journal, PanelRig(clock=clock) as rig:
        felt = table(journal)
        rig.down(bad)
        events = list(rig.advance(dice.uniform(31, 60)))
        expect(any(isinstance(event, Stuck) for event in events), "nobody noticed")
        rig.press(good)
        events += rig.advance(1.0)
        expect(
            any(isinstance(e, Pressed) and e.button is good for e in events),
            "the others do not work",
        )
        rig.up(bad)
        events += rig.advance(1.0)
        expect(isinstance(events[-1], Freed), "it does not work after it was freed")
        for event in events:
            felt.loop.button(event)
            spoken = [one.sentence for one in felt.loop.effects() if isinstance(one, Speech)]
            said = next((one for one in spoken if "stuck" in one), said)
    expect(bool(said), "the dealer was told nothing")
    return said


def storm(folder: Path, dice: Random) -> str:
    """A thousand presses a minute on all buttons while cards are dealt."""
    clock = ManualClock()
    with Journal(folder / "j") as journal, PanelRig(clock=clock) as rig:
        felt = table(journal)
        pressed = 0
        for _ in range(40):
            rig.press(dice.choice(list(Button)), 0.03)
            for event in rig.advance(0.06):
                pressed += isinstance(event, Pressed)
                felt.loop.button(event)
            if dice.random() < 0.2:
                dealt(felt, dice)
        expect(pressed == 40, f"{pressed} of 40 presses were heard")
        felt.loop.held, felt.loop.question = False, None
        acts = [str(act) for hand in felt.loop.match.hands for act in hand.acts]
        again = Ledger.resumed(journal, now=time.time).match
        told = [str(act) for hand in again.hands for act in hand.acts]
        expect(acts == told, "the loop and the journal are at odds")
        expect(journal.verify(journal.head).whole, "the chain is broken")
    return "every press was heard"


# Time.


def clock_jumps(folder: Path, dice: Random) -> str:
    """The time of day jumps back and forth by years."""
    years = [dice.uniform(-20, 20) * 3.2e7 for _ in range(40)]
    with Journal(folder / "j") as journal:
        felt = table(journal, now=lambda: 1.7e9 + dice.choice(years))
        for _ in range(8):
            dealt(felt, dice)
            journal.expire_crops(1.7e9 + dice.choice(years))
        count = len(journal)
    whole(folder / "j", count)
    return "nobody noticed"


Fault = Callable[[Path, Random], str]
FAULTS: tuple[tuple[Fault, int], ...] = (
    (kill, 15),
    (power_cut, 30),
    (damaged, 10),
    (full_disk, 5),
    (failing_writes, 10),
    (blind, 12),
    (bouncing, 6),
    (stuck, 4),
    (storm, 3),
    (clock_jumps, 5),
)
"""What may go wrong, and how many of a hundred faults are of each kind."""


def happen(number: int, fault: Fault | None = None) -> dict[str, Any]:
    """Cause fault `number` in a folder of its own; return how it went."""
    dice = Random(number)
    kinds, shares = zip(*FAULTS, strict=True)
    chosen = fault or dice.choices(kinds, shares)[0]
    begun = time.monotonic()
    with TemporaryDirectory() as folder:
        try:
            told, harm = chosen(Path(folder), dice), ""
        except Exception as error:  # the next fault is tried all the same
            told, harm = "", f"{type(error).__name__}: {error}"
    seconds = round(time.monotonic() - begun, 3)
    if seconds > HANG_S and not harm:
        harm = f"took {seconds} s"
    kind = chosen.__name__
    return {"fault": number, "kind": kind, "told": told, "harm": harm, "seconds": seconds}


def main(arguments: Sequence[str] | None = None) -> int:
    """Resume the log until it holds the given number of faults."""
    parser = argparse.ArgumentParser("python -m tests.faults", description=__doc__)
    parser.add_argument("--faults", type=int, default=10_000)
    parser.add_argument("--kind", choices=[fault.__name__ for fault, _ in FAULTS])
    parser.add_argument("--log", type=Path, required=True)
    options = parser.parse_args(arguments)
    done = _so_far(options.log)
    only = next((fault for fault, _ in FAULTS if fault.__name__ == options.kind), None)
    with options.log.open("a") as log:
        for number in range(len(done), options.faults):
            done.append(happen(number, only))
            log.write(json.dumps(done[-1]) + "\n")
            log.flush()
    kinds = Counter(one["kind"] for one in done)
    harm = [one for one in done if one["harm"]]
    print(f"{len(done)} faults: {', '.join(f'{kinds[k]} {k}' for k in sorted(kinds))}")
    print(f"longest {max((one['seconds'] for one in done), default=0)} s; harm done: {len(harm)}")
    for one in harm[:20]:
        print(f"  fault {one['fault']}, {one['kind']}: {one['harm']}")
    return int(bool(harm))


def _so_far(log: Path) -> list[dict[str, Any]]:
    """The faults in the log; one whose line was cut off is repeated."""
    if not log.exists():
        return []
    done = []
    with suppress(ValueError):
        for line in log.read_text().splitlines():
            done.append(json.loads(line))
    log.write_text("".join(json.dumps(one) + "\n" for one in done))
    return done


if __name__ == "__main__":
    sys.exit(main())
