"""The commands, from `mazziere games` to `mazziere selftest`.

Whatever is wrong with what was asked for is one line on standard error, and exit status 2.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from firmware.errors import UsageError

PROGRAM = "mazziere"
BAD_INPUT, UNFAITHFUL, INTERRUPTED = 2, 1, 130
"""Exit statuses: what was asked for cannot be; what was checked is not as it should be; and what
shells report for a program that was interrupted."""
_PACKAGES = frozenset({"rules", "vision", "hardware", "firmware"})
ALL = "all"
"""The value of ``--slips`` without names."""
_CAMERA = {"source": "camera", "deck": "deck"}
"""The camera's settings that options change."""
_MQTT = ("broker", "user", "password_file", "topic", "tls", "ca_file")
"""The options that name a broker."""
_LEVELS = ("none", "who", "amounts")
NOWHERE = "off"
"""The value of ``--console`` that switches it off."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, without the program's name; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.command(options))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing more may be written to it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if not _ours(error):
            raise
        return _fail(error)


def _ours(error: Exception) -> bool:
    """Whether it is a typed error of this program; their packages need not be imported for it."""
    return type(error).__module__.partition(".")[0] in _PACKAGES


def _fail(error: Exception) -> int:
    print(f"{PROGRAM}: {' '.join(str(error).split())}", file=sys.stderr)
    return BAD_INPUT


# The commands.


def _games(options: argparse.Namespace) -> int:
    from firmware.reports import game_lines, game_report, games_lines  # noqa: PLC0415
    from rules.games import GAMES  # noqa: PLC0415

    names = [options.game] if options.game else list(GAMES)
    if options.json:
        _print_json([game_report(name) for name in names])
    else:
        _print_lines(game_lines(options.game) if options.game else games_lines())
    return 0


def _replay(options: argparse.Namespace) -> int:
    from firmware.reports import replay_lines, replay_report  # noqa: PLC0415
    from firmware.texts import Texts  # noqa: PLC0415

    texts = Texts.load(options.language)

    def replay(path: str) -> None:
        report = replay_report(path, texts)
        _print_json(report) if options.json else _print_lines(replay_lines(report))

    return _each(options.records, replay)


def _read(options: argparse.Namespace) -> int:
    import cv2  # noqa: PLC0415 - slow to load, as is all of vision

    from firmware.reports import Pictures, photo_line, photo_report  # noqa: PLC0415
    from vision.draw import annotate  # noqa: PLC0415
    from vision.photos import photos_in, read_photo  # noqa: PLC0415
    from vision.reader import CardReader  # noqa: PLC0415

    pictures = Pictures(Path(options.pictures)) if options.pictures else None
    profile = _profile(options.deck)
    reader = cache(lambda: CardReader(profile=profile, threads=os.cpu_count() or 1))

    def read(path: str) -> None:
        photo = read_photo(path)
        reading = reader().read(photo)
        report = photo_report(path, reading)
        _print_json(report) if options.json else print(photo_line(report), flush=True)
        if pictures is not None:
            copy = pictures.path_for(path)
            if not cv2.imwrite(str(copy), annotate(photo, reading)):
                raise UsageError(f"{copy}: the picture cannot be written")

    def named(path: str) -> Iterable[str]:
        return map(str, photos_in(path)) if Path(path).is_dir() else [path]

    return _each([photo for path in options.photos for photo in named(path)], read)


def _profile(name: str | None) -> Any:
    from firmware.teaching import taught  # noqa: PLC0415

    return taught(name) if name else None


def _check_deck(options: argparse.Namespace) -> int:
    from firmware.decks import check_deck, lines  # noqa: PLC0415 - loads the reader

    found = check_deck(options)
    _print_json(found) if options.json else _print_lines(lines(found))
    return 0 if found["whole"] else UNFAITHFUL


def _teach(options: argparse.Namespace) -> int:
    from firmware.teaching import teach  # noqa: PLC0415 - loads the reader

    found = teach(options)
    if options.json:
        _print_json(found)
    else:
        print(f"{found['name']}: {len(found['cards'])} cards learned, kept in {found['file']}")
        print(f"most alike: {' and '.join(found['most_alike'])} ({found['agreement']:.2f})")
    return 0


def _each(paths: Iterable[str], do: Callable[[str], None]) -> int:
    """Do it for each; what is wrong with one does not keep the others from their turn."""
    status = 0
    for path in paths:
        try:
            do(path)
        except Exception as error:
            if not _ours(error):
                raise
            status = _fail(error)
    return status


def _demo(options: argparse.Namespace) -> int:
    from rules.games import GAMES  # noqa: PLC0415

    options.game = options.game or next(iter(GAMES))
    settings = _settings(options)
    from firmware.rehearsal import demo  # noqa: PLC0415 - loads reader and drawing

    names = [name for name in options.slips.split(",") if name]
    return demo(
        settings,
        hands=options.hands,
        seed=options.seed,
        headless=options.headless,
        slips=names == [ALL] or names,
        pictures=Path(options.pictures) if options.pictures else None,
        journal=Path(options.journal) if options.journal else None,
    )


def _run(options: argparse.Namespace) -> int:
    settings = _settings(options)
    settings.rules()
    from firmware.service import run  # noqa: PLC0415 - loads the reader

    file = Path(options.settings) if options.settings else None
    return run(settings, in_lines=options.plain, file=file)


def _calibrate(options: argparse.Namespace) -> int:
    settings = _settings(options)
    from firmware.calibrating import command, lines, report  # noqa: PLC0415 - loads the reader

    found = command(options, settings)
    if found is None:
        return 0
    _print_json(report(found)) if options.json else _print_lines(lines(found))
    return 0 if found.good else UNFAITHFUL


def _pins(options: argparse.Namespace) -> int:
    settings = _settings(options)
    from firmware.console.joining import new_pins  # noqa: PLC0415 - loads the server

    _print_lines(new_pins(settings, Path(options.sheet) if options.sheet else None))
    return 0


def _secret(options: argparse.Namespace) -> int:
    settings = _settings(options)
    from firmware.confiding import command, lines  # noqa: PLC0415

    found = command(options, settings)
    _print_json(found) if options.json else _print_lines(lines(found))
    return 0


def _floor(options: argparse.Namespace) -> int:
    settings = _settings(options)
    from firmware.floor.site import floor  # noqa: PLC0415 - loads the server

    file = Path(settings.access)
    return floor(
        settings,
        access=file.with_name(f"floor-{file.name}"),
        listen=options.listen,
        new_pins=options.new_pins,
    )


def _verify(options: argparse.Namespace) -> int:
    from firmware.journal import Journal  # noqa: PLC0415

    path = options.journal or _settings(options).journal
    with Journal(path, create=False) as journal:
        verdict = journal.verify(options.head)
    if options.json:
        fields = ("entries", "vouched", "head", "whole", "number", "fault")
        found = {name: getattr(verdict, name) for name in fields}
        _print_json({"file": str(path), **found, "text": str(verdict)})
    else:
        print(f"{path}: {verdict}")
        print(f"head: {verdict.head}")
    return 0 if verdict.whole else UNFAITHFUL


def _selftest(options: argparse.Namespace) -> int:
    settings = _settings(options)
    from hardware.camera import find_camera  # noqa: PLC0415 - loads OpenCV and gpiozero
    from hardware.selftest import Check, Verdict, run_checks  # noqa: PLC0415
    from hardware.voice import Voice  # noqa: PLC0415
    from hardware.wiring import Wiring  # noqa: PLC0415

    def tell(check: Check) -> None:
        found = {"name": check.name, "verdict": str(check.verdict), "detail": check.detail}
        _print_json(found) if options.json else print(check, flush=True)

    checks = run_checks(
        Wiring.from_mapping(settings.wiring),
        camera=find_camera(settings.camera),
        voice=Voice(settings.language),
        folder=Path(settings.journal).parent,
    )
    failed = False
    for check in checks:
        tell(check)
        failed |= check.verdict is Verdict.FAIL
    return UNFAITHFUL if failed else 0


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False), flush=True)


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


# Options that change the settings.


def _settings(options: argparse.Namespace) -> Any:
    """The settings of the file, if one is named, with the command line's on top."""
    from firmware.settings import Settings, read_table  # noqa: PLC0415

    table = read_table(options.settings) if options.settings else {}
    where = options.settings or "options"
    return Settings.from_mapping(_merged(table, _chosen(options)), where)


def _merged(table: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(table)
    for key, value in chosen.items():
        old = merged.get(key)
        merged[key] = (
            {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
        )
    return merged


def _chosen(options: argparse.Namespace) -> dict[str, Any]:
    """What the command line says, in the form of a settings file."""
    given = vars(options)
    names = ("game", "seats", "limits", "level", "dealer", "banker")
    table = {name: given[name] for name in names if given.get(name) is not None}
    chosen: dict[str, Any] = {"table": table} if table else {}
    camera = {key: given[name] for key, name in _CAMERA.items() if given.get(name) is not None}
    if camera:
        chosen["camera"] = camera
    broker = {name: given[name] for name in _MQTT if given.get(name) is not None}
    if broker:
        chosen["mqtt"] = broker
    if given.get("console") is not None:
        chosen["console"] = _console(given["console"])
    if given.get("language") is not None:
        chosen["language"] = given["language"]
    if given.get("house_rule"):
        chosen["house_rules"] = dict(map(_house_rule, given["house_rule"]))
    return chosen


def _console(text: str) -> dict[str, Any]:
    """Where to serve the console, or that it is not to be served."""
    if text == NOWHERE:
        return {"on": False}
    return {"on": True, "listen": text} if text else {"on": True}


def _house_rule(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise UsageError(f"--house-rule wants NAME=VALUE, got {text!r}")
    return name.strip(), value.strip()


def _number(text: str) -> int:
    if not text.strip().lstrip("-").isdecimal():
        raise argparse.ArgumentTypeError(f"a whole number expected, got {text!r}")
    return int(text)


def _count(text: str) -> int:
    if _number(text) < 1:
        raise argparse.ArgumentTypeError(f"a number of at least 1 expected, got {text!r}")
    return int(text)


def _numbers(text: str) -> list[int]:
    return [_number(word) for word in text.replace(",", " ").split()]


def _size(text: str) -> tuple[float, float]:
    wide, _, high = text.lower().partition("x")
    if not (wide.strip().isdecimal() and high.strip().isdecimal()):
        raise argparse.ArgumentTypeError(f"a width and a height as 1200x675 expected, got {text!r}")
    return float(wide), float(high)


def _seats(text: str) -> int | list[int]:
    """A number of seats, or a list of the seats taken."""
    seats = _numbers(text)
    return seats[0] if len(seats) == 1 else seats


# The command line.


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(PROGRAM, description="A dealer's companion for real card tables.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    _add_games(commands)
    _add_replay(commands)
    _add_read(commands)
    _add_check_deck(commands)
    _add_teach(commands)
    _add_demo(commands)
    _add_run(commands)
    _add_calibrate(commands)
    _add_pins(commands)
    _add_secret(commands)
    _add_floor(commands)
    _add_verify(commands)
    _add_selftest(commands)
    return parser


def _command(
    commands: Any, name: str, command: Callable[[argparse.Namespace], int], says: str, example: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=says,
        description=says,
        epilog=f"example: {PROGRAM} {name} {example}".rstrip(),
    )
    parser.set_defaults(command=command)
    return parser


def _add_games(commands: Any) -> None:
    parser = _command(commands, "games", _games, "List the games and their house rules.", "--json")
    parser.add_argument("game", nargs="?", metavar="GAME", help="only this one, with house rules")
    _add_json(parser)


def _add_replay(commands: Any) -> None:
    says = "Replay records and tell who pays whom, and what was irregular."
    parser = _command(commands, "replay", _replay, says, "evening.txt --json")
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a file of acts, one a line")
    parser.add_argument("--language", default="en", metavar="LANGUAGE", help="en or it")
    _add_json(parser)


def _add_read(commands: Any) -> None:
    says = "Read the cards in photographs."
    parser = _command(commands, "read", _read, says, "table.jpg --json --pictures out")
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a photograph, or a folder")
    parser.add_argument("--pictures", metavar="FOLDER", help="write annotated copies there")
    parser.add_argument("--deck", metavar="NAME", help="a deck that was taught")
    _add_json(parser)


def _add_check_deck(commands: Any) -> None:
    says = "Tell whether a deck is whole: what is missing, double or foreign."
    parser = _command(commands, "check-deck", _check_deck, says, "spread.jpg")
    parser.add_argument(
        "photos", nargs="*", metavar="PHOTO", help="photographs, each of other cards of the deck"
    )
    parser.add_argument("--again", action="store_true", help="the photographs show the same cards")
    parser.add_argument(
        "--live", action="store_true", help="deal the deck through under the camera"
    )
    parser.add_argument("--camera", metavar="SOURCE", help="as for run; default: pi")
    parser.add_argument("--game", metavar="GAME", help="whose deck; default: 52 cards")
    parser.add_argument("--seats", type=_count, metavar="N", help="players, where the deck differs")
    parser.add_argument("--jokers", type=_number, metavar="N", help="how many belong to the deck")
    _add_json(parser)


def _add_teach(commands: Any) -> None:
    says = "Learn an unusual deck by showing it once; --deck NAME reads it from then on."
    parser = _command(commands, "teach", _teach, says, "piacentine rows.jpg --italian")
    parser.add_argument("name", metavar="NAME", help="what to call the deck")
    parser.add_argument(
        "photos", nargs="*", metavar="PHOTO", help="the cards apart, row by row in their order"
    )
    parser.add_argument("--live", action="store_true", help="show each card under the camera")
    parser.add_argument("--camera", metavar="SOURCE", help="as for run; default: pi")
    parser.add_argument("--italian", action="store_true", help="forty cards, by Italian names")
    parser.add_argument("--order", metavar="CARDS", help='which are shown: "AC 2C 3C …"')
    parser.add_argument("--game", metavar="GAME", help="whose deck, in its order; default: 52")
    parser.add_argument("--seats", type=_count, metavar="N", help="players, where the deck differs")
    _add_json(parser)


def _add_demo(commands: Any) -> None:
    says = "Run the whole appliance on a simulated table."
    parser = _command(commands, "demo", _demo, says, "--hands 3 --seed 7 --headless")
    parser.add_argument("--hands", type=_count, default=3, metavar="N", help="how many; default 3")
    parser.add_argument("--seed", type=_number, default=0, metavar="S", help="what chance does")
    parser.add_argument("--headless", action="store_true", help="no view: print the transcript")
    parser.add_argument(
        "--slips", nargs="?", const=ALL, default="", metavar="NAMES", help="mistakes to make"
    )
    parser.add_argument("--pictures", metavar="FOLDER", help="keep what the camera saw there")
    parser.add_argument("--journal", metavar="FILE", help="keep the journal there")
    _add_table(parser)


def _add_run(commands: Any) -> None:
    says = "Follow a real table with the camera and the panel."
    parser = _command(commands, "run", _run, says, "--camera 0 --seats 5")
    parser.add_argument(
        "--camera", metavar="SOURCE", help="pi, a device, a film, or a folder of photographs"
    )
    parser.add_argument("--deck", metavar="NAME", help="a deck that was taught")
    parser.add_argument("--plain", action="store_true", help="plain lines instead of the live view")
    _add_table(parser)


def _add_calibrate(commands: Any) -> None:
    says = "Find the table, judge light and focus, and keep that in the settings."
    example = "--settings my.toml --picture table.png"
    parser = _command(commands, "calibrate", _calibrate, says, example)
    parser.add_argument("--camera", metavar="SOURCE", help="as for run")
    parser.add_argument("--picture", metavar="FILE", help="the view with the spots drawn in")
    parser.add_argument("--size", type=_size, metavar="WxH", help="the watched area in mm")
    parser.add_argument("--markers", metavar="FILE", help="write markers to print, as SVG")
    parser.add_argument("--sign", metavar="FILE", help="write a sign with limits and house rules")
    parser.add_argument("--print-only", action="store_true", help="only write those two")
    _add_json(parser)
    _add_table(parser)


def _add_pins(commands: Any) -> None:
    says = "Make new PINs for the console, and a sheet to print; every device is signed out."
    parser = _command(commands, "pins", _pins, says, "--sheet pins.html")
    parser.add_argument("--sheet", metavar="FILE", help="write address, QR code and PINs there")
    parser.add_argument("--language", metavar="LANGUAGE", help="en or it")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")


def _add_secret(commands: Any) -> None:
    says = "Try a secret rule, or tell it to the device in private before the hand."
    parser = _command(commands, "secret", _secret, says, '"two from last" --after "5H 7S"')
    parser.add_argument(
        "rule", nargs="*", metavar="RULE", help="its words; -: typed unseen; none: list the presets"
    )
    parser.add_argument("--preset", metavar="NAME", help="one of the rules that are listed")
    parser.add_argument(
        "--after", default="5H", metavar="CARDS", help='try it behind these; default: "5H"'
    )
    parser.add_argument("--keep", action="store_true", help="for the next hand that wants a rule")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")
    _add_json(parser)


def _add_floor(commands: Any) -> None:
    says = "Serve a page that shows all tables that a broker tells of."
    example = "--broker 192.168.1.5 --user floor --password-file mqtt.password"
    parser = _command(commands, "floor", _floor, says, example)
    parser.add_argument("--broker", metavar="HOST:PORT", help="the MQTT broker; port 1883")
    parser.add_argument("--user", metavar="NAME", help="who logs in there")
    parser.add_argument("--password-file", metavar="FILE", help="a file with the password only")
    parser.add_argument("--topic", metavar="TOPIC", help="default: mazziere")
    parser.add_argument("--tls", action="store_true", default=None, help="the broker speaks TLS")
    parser.add_argument("--ca-file", metavar="FILE", help="a certificate of one's own for that")
    parser.add_argument("--listen", default="", metavar="HOST:PORT", help="default: port 8081")
    parser.add_argument("--new-pins", action="store_true", help="make new PINs and tell them")
    parser.add_argument("--language", metavar="LANGUAGE", help="en or it")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")


def _add_verify(commands: Any) -> None:
    says = "Look for any change in a journal."
    parser = _command(commands, "verify", _verify, says, "mazziere.journal --head 3f9a…")
    parser.add_argument("journal", nargs="?", metavar="JOURNAL", help="default: the settings' one")
    parser.add_argument("--head", metavar="HASH", help="a head noted earlier, 16 digits or more")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")
    _add_json(parser)


def _add_selftest(commands: Any) -> None:
    says = "Check the board, the panel, the voice and the camera."
    parser = _command(commands, "selftest", _selftest, says, "--camera 0")
    parser.add_argument("--camera", metavar="SOURCE", help="as for run")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")
    _add_json(parser)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for machines")


def _add_table(parser: argparse.ArgumentParser) -> None:
    """What is played, and by whom."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="as `mazziere games` names it")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")
    parser.add_argument("--seats", type=_seats, metavar="N", help='how many, or which: "1 2 5"')
    parser.add_argument("--dealer", type=_number, metavar="SEAT", help="who deals first")
    parser.add_argument("--banker", type=_number, metavar="SEAT", help="who holds the bank first")
    parser.add_argument("--limits", type=_numbers, metavar='"MIN MAX"', help="of a bet")
    parser.add_argument(
        "--console",
        nargs="?",
        const="",
        metavar="HOST:PORT",
        help=f"serve the page there; {NOWHERE}: nowhere; default: every address, port 8080",
    )
    parser.add_argument("--level", choices=_LEVELS, help="how much of the bets is kept")
    parser.add_argument("--language", metavar="LANGUAGE", help="en or it")
    parser.add_argument(
        "--house-rule", action="append", metavar="NAME=VALUE", help="as `games GAME` lists them"
    )
