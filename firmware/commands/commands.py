"""What each command does with its options.

A command returns its exit status, or raises a typed error if it cannot be carried out.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.commands.choosing import at_hand_with, connected, remembered, settings_of
from firmware.errors import UsageError
from firmware.texts.plain import native, spoken

if TYPE_CHECKING:  # commands load only what they need
    from firmware.settings.settings import Settings
    from hardware.selftest import Check
    from vision.chips.reader import ChipReader
    from vision.reader import KnownDeck

PROGRAM = "mazziere"
BAD_INPUT, UNFAITHFUL, INTERRUPTED = 2, 1, 130
"""Exit statuses: bad input, a failed check, and the one shells use for an interrupted program.
Follows from how shells read them.
"""
_PACKAGES = frozenset({"rules", "vision", "hardware", "firmware"})
ALL = "all"
"""The value of ``--slips`` when no names are given."""
DRAWN_CHIPS = "drawn"
"""The name of the chips of the simulated table."""
LEVELS = ("none", "who", "amounts")


def is_ours(error: Exception) -> bool:
    """Whether `error` is one of our typed errors; their packages need not be imported for this."""
    return type(error).__module__.partition(".")[0] in _PACKAGES


def fail(error: Exception) -> int:
    """Report on one line what is wrong."""
    print(f"{PROGRAM}: {native(' '.join(str(error).split()))}", file=sys.stderr)
    return BAD_INPUT


# The commands.


def games(options: argparse.Namespace) -> int:
    """List the games, or one with its house rules and spots."""
    from firmware.commands.reports import game_lines, game_report, games_lines  # noqa: PLC0415
    from rules.games import GAMES  # noqa: PLC0415

    names = [options.game] if options.game else list(GAMES)
    if options.json:
        _print_json([game_report(name) for name in names])
    else:
        _print_lines(game_lines(options.game) if options.game else games_lines())
    return 0


def replay(options: argparse.Namespace) -> int:
    """Settle a record and report what was irregular in it."""
    from firmware.commands.reports import replay_lines, replay_report  # noqa: PLC0415
    from firmware.texts import Texts  # noqa: PLC0415

    texts = Texts.load(options.language or spoken())

    def replay(path: str) -> None:
        report = replay_report(path, texts)
        _print_json(report) if options.json else _print_lines(replay_lines(report))

    return _each(options.records, replay)


def read(options: argparse.Namespace) -> int:
    """Read the cards in photographs, and the chips of a taught set."""
    import cv2  # noqa: PLC0415 - slow to load, as is all of vision

    from firmware.commands.reports import Pictures, photo_lines, photo_report  # noqa: PLC0415
    from vision.chips.beside_cards import no_chips  # noqa: PLC0415
    from vision.draw import annotate  # noqa: PLC0415
    from vision.picture.photos import photos_in, read_photo  # noqa: PLC0415
    from vision.reader import CardReader  # noqa: PLC0415

    pictures = Pictures(Path(options.pictures)) if options.pictures else None
    deck = _known_deck(options.deck)
    chips = _chip_reader(options.chips)
    reader = cache(lambda: CardReader(known=deck, threads=os.cpu_count() or 1))

    def read(path: str) -> None:
        photo = read_photo(path)
        reading = reader().read(photo)
        seen = chips.beside(photo, reading) if chips else ()
        reading = replace(reading, sightings=no_chips(reading.sightings, seen))
        report = photo_report(path, reading, seen if chips else None)
        _print_json(report) if options.json else _print_lines(photo_lines(report))
        if pictures is not None:
            copy = pictures.path_for(path)
            if not cv2.imwrite(str(copy), annotate(photo, reading, seen)):
                raise UsageError(f"{copy}: the picture cannot be written")

    def named(path: str) -> Iterable[str]:
        return map(str, photos_in(path)) if Path(path).is_dir() else [path]

    return _each([photo for path in options.photos for photo in named(path)], read)


def _known_deck(name: str | None) -> KnownDeck | None:
    from firmware.table.known_decks import known_deck  # noqa: PLC0415

    return known_deck(name) if name else None


def _chip_reader(name: str | None) -> ChipReader | None:
    from firmware.table.taught_chips import known_chips  # noqa: PLC0415
    from vision.chips.reader import ChipReader  # noqa: PLC0415

    return ChipReader(known_chips(name)) if name else None


def check_deck(options: argparse.Namespace) -> int:
    """Report whether a deck is complete."""
    from firmware.table.deck_check import check_deck, lines  # noqa: PLC0415 - loads the reader

    found = check_deck(options)
    _print_json(found) if options.json else _print_lines(lines(found))
    return 0 if found["whole"] else UNFAITHFUL


def teach(options: argparse.Namespace) -> int:
    """Learn an unusual deck, or a set of chips."""
    if options.chips is not None:
        return _teach_chips(options)
    from firmware.table.taught_decks import teach  # noqa: PLC0415 - loads the reader

    found = teach(options)
    if options.json:
        _print_json(found)
    else:
        print(
            native(f"{found['name']}: {len(found['cards'])} cards learned, kept in {found['file']}")
        )
        print(native(f"in this order: {', '.join(found['rows'])}"))
        print(native(f"most alike: {', '.join(found['most_alike'])} ({found['agreement']:.2f})"))
    return 0


def _teach_chips(options: argparse.Namespace) -> int:
    from firmware.table.taught_chips import taught_line, teach_chips  # noqa: PLC0415

    def settings() -> Settings:
        remembered(options)
        return settings_of(options)

    found = teach_chips(options, settings)
    _print_json(found) if options.json else print(native(taught_line(found)))
    return 0


def _each(paths: Iterable[str], do: Callable[[str], None]) -> int:
    """Call `do` for each path; an error in one does not stop the others."""
    status = 0
    for path in paths:
        try:
            do(path)
        except Exception as error:
            if not is_ours(error):
                raise
            status = fail(error)
    return status


def demo(options: argparse.Namespace) -> int:
    """Follow a game on the simulated table."""
    from rules.games import GAMES  # noqa: PLC0415

    options.game = options.game or next(iter(GAMES))
    settings = settings_of(options)
    if options.chips:
        settings = replace(settings, chips=settings.chips or DRAWN_CHIPS)
    from firmware.rehearsal.deck import drawn  # noqa: PLC0415
    from firmware.rehearsal.demo import demo  # noqa: PLC0415 - loads reader and drawing

    names = [name for name in options.slips.split(",") if name]
    return demo(
        settings,
        hands=options.hands,
        seed=options.seed,
        headless=options.headless,
        slips=names == [ALL] or names,
        pictures=Path(options.pictures) if options.pictures else None,
        journal=Path(options.journal) if options.journal else None,
        deck=drawn(options.deck) if options.deck else None,
        handling=options.handling,
        sensor=options.sensor,
    )


def run(options: argparse.Namespace) -> int:
    """Follow a game at a real table; settings changed there are remembered."""
    file = remembered(options)
    settings = connected(settings_of(options), options)
    settings = replace(settings, chips=options.chips or settings.chips)
    if settings.game or not (settings.console or sys.stdin.isatty()):
        settings.rules()
    from firmware.appliance import Pace  # noqa: PLC0415 - loads the reader
    from firmware.commands.ending import Ending  # noqa: PLC0415
    from firmware.service import run  # noqa: PLC0415
    from hardware.finding import found_cameras  # noqa: PLC0415

    return run(
        settings,
        in_lines=options.plain,
        file=file,
        pace=Pace(options.pace),
        anew=options.camera is not None,
        ended=Ending(Path(options.record) if options.record else None),
        finds=None if options.camera else found_cameras,
    )


def calibrate(options: argparse.Namespace) -> int:
    """Find the table in the camera's view and check light and focus."""
    file = remembered(options)
    settings = at_hand_with(settings_of(options, new=True), options)
    from firmware.table.calibration import command, lines, report  # noqa: PLC0415 - loads the reader
    from firmware.table.taught_chips import forget_sizes  # noqa: PLC0415

    found = command(options, settings, file)
    if found is None:
        return 0
    if file is not None:
        forget_sizes()
    _print_json(report(found)) if options.json else _print_lines(lines(found))
    return 0 if found.good else UNFAITHFUL


def pins(options: argparse.Namespace) -> int:
    """Show the PINs, or make new ones."""
    settings = settings_of(options)
    from firmware.console_link import new_pins  # noqa: PLC0415 - loads the server

    _print_lines(new_pins(settings, Path(options.sheet) if options.sheet else None))
    return 0


def secret(options: argparse.Namespace) -> int:
    """Try a secret rule, or keep it for the next hand that needs one."""
    settings = settings_of(options)
    from firmware.commands.secret import command, lines  # noqa: PLC0415

    found = command(options, settings)
    _print_json(found) if options.json else _print_lines(lines(found))
    return 0


def floor(options: argparse.Namespace) -> int:
    """Serve the page that shows all tables on a broker."""
    settings = settings_of(options)
    from firmware.floor.site import floor  # noqa: PLC0415 - loads the server

    file = settings.access_file
    return floor(
        settings,
        access=file.with_name(f"floor-{file.name}"),
        listen=options.listen,
        new_pins=options.new_pins,
    )


def verify(options: argparse.Namespace) -> int:
    """Check whether the journal is unchanged."""
    from firmware.store.journal import Journal  # noqa: PLC0415

    path = options.journal or settings_of(options).journal_file
    with Journal.judging(path) as journal:
        verdict = journal.verify(options.head)
    if options.json:
        fields = ("entries", "vouched", "head", "whole", "number", "fault")
        found = {name: getattr(verdict, name) for name in fields}
        _print_json({"file": str(path), **found, "text": str(verdict)})
    else:
        print(f"{path}: {native(str(verdict))}")
        print(native(f"head: {verdict.head}"))
    return 0 if verdict.whole else UNFAITHFUL


def evening(options: argparse.Namespace) -> int:
    """Report what each seat won in a journal's hands, as a table and a chart."""
    from firmware.commands.evening import command  # noqa: PLC0415 - loads the texts

    _print_lines(command(settings_of(options), options))
    return 0


def selftest(options: argparse.Namespace) -> int:
    """Check the hardware, one part after another."""
    settings = at_hand_with(settings_of(options), options)
    from hardware.camera import find_camera  # noqa: PLC0415 - loads OpenCV and gpiozero
    from hardware.selftest import Verdict, run_checks  # noqa: PLC0415
    from hardware.voice import Voice  # noqa: PLC0415
    from hardware.wiring import Wiring  # noqa: PLC0415

    def tell(check: Check) -> None:
        found = {"name": check.name, "verdict": str(check.verdict), "detail": check.detail}
        _print_json(found) if options.json else print(_checked(check), flush=True)

    checks = run_checks(
        Wiring.from_mapping(settings.wiring),
        camera=find_camera(settings.camera),
        voice=Voice(settings.language),
        folder=settings.journal_file.parent,
    )
    failed = False
    for check in checks:
        tell(check)
        failed |= check.verdict is Verdict.FAIL
    return UNFAITHFUL if failed else 0


def _checked(check: Check) -> str:
    """One line for a check: its verdict, its name, and what was found."""
    name = native(check.name)
    return f"{check.verdict.upper():6} {name}: {native(check.detail)}"


def completion(options: argparse.Namespace) -> int:
    """Print the script for a shell."""
    from firmware.commands.completion import script  # noqa: PLC0415 - needs all games

    print(script(options.parsers), end="")
    return 0


def new_game(options: argparse.Namespace) -> int:
    """Write the skeleton of a new game, or fresh records of an existing one."""
    from firmware.commands.new_game import new_game, recorded  # noqa: PLC0415 - needs all games

    write = recorded if options.records else new_game
    _print_lines(write(options.name, Path(options.source)))
    return 0


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False), flush=True)


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(native(line))
