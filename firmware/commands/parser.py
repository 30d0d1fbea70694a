"""The command line's grammar: every command, its options and their help."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

from firmware.commands import commands
from firmware.commands.arguments import Parser, count, number, numbers, seats, size
from firmware.commands.choosing import NOWHERE
from firmware.commands.commands import ALL, LEVELS, PROGRAM
from firmware.commands.version import ShowVersion
from firmware.texts.plain import native

DRAWN_DECKS = (
    "italian",
    "neapolitan",
    "piacentine",
    "bergamasque",
    "brescian",
    "spanish",
    "latin",
    "tarot",
    "children",
    "german",
    "french",
    "dutch",
    "scandinavian",
    "russian",
)
"""The decks without corner indices, and those with other countries' letters, that `demo` draws."""
DECK_HELP = (
    "neapolitan, piacentine, bergamasque, brescian, latin (any other with coins, cups, swords and "
    "clubs), a deck you have taught, or the country whose letters are in the corners: english, "
    "german, french, dutch, italian, scandinavian, russian"
)

Parsers: TypeAlias = "argparse._SubParsersAction[Parser]"


def command_line() -> argparse.ArgumentParser:
    """The parser of the whole command line, with its help in the current language."""
    parser = Parser(PROGRAM, description=native("A dealer's companion for real card tables."))
    parser.add_argument(
        "--version",
        action=ShowVersion,
        nargs=0,
        help="show program's version number and exit",
    )
    parsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    _add_games(parsers)
    _add_replay(parsers)
    _add_read(parsers)
    _add_check_deck(parsers)
    _add_teach(parsers)
    _add_demo(parsers)
    _add_run(parsers)
    _add_calibrate(parsers)
    _add_pins(parsers)
    _add_secret(parsers)
    _add_floor(parsers)
    _add_evening(parsers)
    _add_verify(parsers)
    _add_selftest(parsers)
    _add_new_game(parsers)
    _add_completion(parsers)
    for one in (parser, *parsers.choices.values()):
        one.translate()
    return parser


def _command(
    parsers: Parsers,
    name: str,
    command: Callable[[argparse.Namespace], int],
    says: str,
    example: str,
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = parsers.add_parser(
        name,
        help=native(says),
        description=native(says),
        epilog=native(f"example: {PROGRAM} {name} {example}").rstrip(),
    )
    parser.set_defaults(command=command, called=name)
    return parser


def _add_games(parsers: Parsers) -> None:
    says = "List the games and their house rules."
    parser = _command(parsers, "games", commands.games, says, "--json")
    parser.add_argument(
        "game", nargs="?", metavar="GAME", help="show only this game, with its house rules"
    )
    _add_json(parser)


def _add_replay(parsers: Parsers) -> None:
    says = "Replay records: who pays whom, and what was irregular."
    parser = _command(parsers, "replay", commands.replay, says, "evening.txt --json")
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a file of acts, one per line")
    parser.add_argument("--language", metavar="LANGUAGE", help="en or it")
    _add_json(parser)


def _add_read(parsers: Parsers) -> None:
    says = "Read the cards in photographs."
    parser = _command(parsers, "read", commands.read, says, "table.jpg --json --pictures out")
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a photograph, or a folder")
    parser.add_argument(
        "--pictures", metavar="FOLDER", help="write annotated copies to this folder"
    )
    parser.add_argument("--deck", metavar="NAME", help=DECK_HELP)
    parser.add_argument("--chips", metavar="NAME", help="read the chips of this taught set too")
    _add_json(parser)


def _add_check_deck(parsers: Parsers) -> None:
    says = "Check that a deck is complete: nothing missing, doubled or foreign."
    parser = _command(parsers, "check-deck", commands.check_deck, says, "spread.jpg")
    parser.add_argument(
        "photos", nargs="*", metavar="PHOTO", help="photographs, each showing different cards"
    )
    parser.add_argument("--again", action="store_true", help="all photographs show the same cards")
    parser.add_argument("--live", action="store_true", help="deal the whole deck under the camera")
    parser.add_argument("--camera", metavar="SOURCE", help="as for run; default: pi")
    parser.add_argument(
        "--game", metavar="GAME", help="check for this game's deck (default: 52 cards)"
    )
    parser.add_argument(
        "--seats", type=count, metavar="N", help="players, if the deck depends on it"
    )
    parser.add_argument("--jokers", type=number, metavar="N", help="jokers in the deck")
    parser.add_argument("--deck", metavar="NAME", help=DECK_HELP)
    _add_json(parser)


def _add_teach(parsers: Parsers) -> None:
    says = "Learn an unusual deck, or a set of chips; use it with --deck NAME or --chips NAME."
    parser = _command(parsers, "teach", commands.teach, says, "piacentine rows.jpg --italian")
    parser.add_argument("name", metavar="NAME", help="a name for the deck or the set")
    parser.add_argument(
        "photos", nargs="*", metavar="PHOTO", help="the cards laid out in rows, in order"
    )
    parser.add_argument(
        "--chips", metavar="VALUES", help='values of the chips in the photograph: "1 5 25 100"'
    )
    parser.add_argument(
        "--thickness",
        type=float,
        metavar="MM",
        help="a chip's thickness (about 3.3 unless given, and learned from stacks)",
    )
    parser.add_argument(
        "--plaque-thickness",
        type=float,
        metavar="MM",
        help="a plaque's thickness (that of the chips unless given)",
    )
    parser.add_argument(
        "--live",
        action="store_true",
        help="show the cards to the camera one by one, or the chips under the table's camera",
    )
    parser.add_argument("--camera", metavar="SOURCE", help="as for run; default: pi")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")
    parser.add_argument(
        "--italian",
        action="store_true",
        help="a deck of forty with Italian names, its suits in any order",
    )
    parser.add_argument(
        "--order", metavar="CARDS", help='the cards in the order shown: "AC 2C 3C …"'
    )
    parser.add_argument(
        "--game", metavar="GAME", help="this game's deck, in its order (default: 52 cards)"
    )
    parser.add_argument(
        "--seats", type=count, metavar="N", help="players, if the deck depends on it"
    )
    _add_json(parser)


def _add_demo(parsers: Parsers) -> None:
    says = "Run the whole appliance on a simulated table."
    parser = _command(parsers, "demo", commands.demo, says, "--hands 3 --seed 7 --headless")
    parser.add_argument(
        "--hands", type=count, default=3, metavar="N", help="number of hands (default: 3)"
    )
    parser.add_argument(
        "--handling",
        default="brisk",
        metavar="MANNER",
        help="how people handle cards: neat, brisk (default), sloppy or none; or one habit, once",
    )
    parser.add_argument("--seed", type=number, default=0, metavar="S", help="random seed")
    parser.add_argument(
        "--headless", action="store_true", help="print a transcript instead of the live view"
    )
    parser.add_argument(
        "--pictures", metavar="FOLDER", help="save the camera's pictures to this folder"
    )
    _add_things(parser)
    parser.add_argument("--journal", metavar="FILE", help="write the journal to this file")
    _add_table(parser)


def _add_things(parser: argparse.ArgumentParser) -> None:
    """What is simulated besides people: the deck, the camera, the chips, and mistakes."""
    parser.add_argument(
        "--slips",
        nargs="?",
        const=ALL,
        default="",
        metavar="NAMES",
        help="mistakes that the simulated dealer makes",
    )
    parser.add_argument(
        "--deck",
        choices=DRAWN_DECKS,
        help="forty cards without corner indices, or a country's letters in the corners",
    )
    parser.add_argument(
        "--sensor",
        default="webcam",
        metavar="NAME",
        help="the camera: clean, pi, webcam, evening or phone; default: webcam",
    )
    parser.add_argument(
        "--chips",
        action="store_true",
        help="players bet with chips that the camera sees, and say nothing",
    )


def _add_run(parsers: Parsers) -> None:
    says = "Follow a real table with the camera and the panel."
    parser = _command(parsers, "run", commands.run, says, "--camera 0 --seats 5")
    parser.add_argument(
        "--camera", metavar="SOURCE", help="pi, a device, a film, or a folder of photographs"
    )
    parser.add_argument(
        "--pace",
        choices=("fast", "real"),
        default="fast",
        help="speed of a film (default: as fast as possible)",
    )
    parser.add_argument("--record", metavar="FILE", help="write the record to this file")
    parser.add_argument("--deck", metavar="NAME", help=DECK_HELP)
    parser.add_argument("--chips", metavar="NAME", help="bets are laid with this taught set")
    parser.add_argument(
        "--plain", action="store_true", help="print plain lines instead of the live view"
    )
    _add_table(parser)


def _add_calibrate(parsers: Parsers) -> None:
    says = "Find the table, check light and focus, and save the settings."
    example = "--settings my.toml --picture table.png"
    parser = _command(parsers, "calibrate", commands.calibrate, says, example)
    parser.add_argument("--camera", metavar="SOURCE", help="as for run")
    parser.add_argument("--picture", metavar="FILE", help="save the view with the spots drawn in")
    parser.add_argument("--size", type=size, metavar="WxH", help="size of the watched area, in mm")
    parser.add_argument("--markers", metavar="FILE", help="write markers to print, as SVG")
    parser.add_argument("--sign", metavar="FILE", help="write a sign with limits and house rules")
    parser.add_argument(
        "--print-only", action="store_true", help="only write the markers and the sign"
    )
    _add_json(parser)
    _add_table(parser)


def _add_pins(parsers: Parsers) -> None:
    says = "Make new PINs and a sheet to print; everyone is signed out."
    parser = _command(parsers, "pins", commands.pins, says, "--sheet pins.html")
    parser.add_argument(
        "--sheet", metavar="FILE", help="write address, QR code and PINs to this page"
    )
    parser.add_argument("--language", metavar="LANGUAGE", help="en or it")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")


def _add_secret(parsers: Parsers) -> None:
    says = "Try a secret rule, or give it to the device before the hand."
    parser = _command(parsers, "secret", commands.secret, says, '"two from last" --after "5H 7S"')
    parser.add_argument(
        "rule",
        nargs="*",
        metavar="RULE",
        help="the rule in words, or - for a hidden prompt; without it, the presets are listed",
    )
    parser.add_argument("--preset", metavar="NAME", help="one of the presets")
    parser.add_argument(
        "--after", default="5H", metavar="CARDS", help='cards played before (default: "5H")'
    )
    parser.add_argument(
        "--keep", action="store_true", help="save it for the next hand that needs a rule"
    )
    parser.add_argument("--settings", metavar="FILE", help="a settings file")
    _add_json(parser)


def _add_floor(parsers: Parsers) -> None:
    says = "Serve a page that shows every table on a broker."
    example = "--broker 192.168.1.5 --user floor --password-file mqtt.password"
    parser = _command(parsers, "floor", commands.floor, says, example)
    parser.add_argument(
        "--broker", metavar="HOST:PORT", help="the MQTT broker (default port: 1883)"
    )
    parser.add_argument("--user", metavar="NAME", help="user name at the broker")
    parser.add_argument(
        "--password-file", metavar="FILE", help="a file that holds only the password"
    )
    parser.add_argument("--topic", metavar="TOPIC", help="default: mazziere")
    parser.add_argument("--tls", action="store_true", default=None, help="connect with TLS")
    parser.add_argument("--ca-file", metavar="FILE", help="CA certificate to trust")
    parser.add_argument("--listen", default="", metavar="HOST:PORT", help="default: port 8081")
    parser.add_argument("--new-pins", action="store_true", help="make new PINs and show them")
    parser.add_argument("--language", metavar="LANGUAGE", help="en or it")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")


def _add_evening(parsers: Parsers) -> None:
    says = "Report each hand of an evening, list the evenings, or close the one that is open."
    parser = _command(parsers, "evening", commands.evening, says, "2026-11-23 --svg evening.svg")
    parser.add_argument(
        "journal", nargs="?", metavar="EVENING", help="a name from --list, or a journal's file"
    )
    parser.add_argument("--list", action="store_true", help="list the evenings that are kept")
    parser.add_argument("--close", action="store_true", help="close the open evening")
    parser.add_argument("--csv", metavar="FILE", help="write a table, one row per hand")
    parser.add_argument("--svg", metavar="FILE", help="write a chart to this file")
    parser.add_argument("--record", metavar="FILE", help="write the record of all hands")
    parser.add_argument("--language", metavar="LANGUAGE", help="en or it")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")
    _add_json(parser)


def _add_verify(parsers: Parsers) -> None:
    says = "Check a journal for tampering."
    parser = _command(parsers, "verify", commands.verify, says, "mazziere.journal --head 3f9a…")
    parser.add_argument(
        "journal", nargs="?", metavar="JOURNAL", help="default: the one in the settings"
    )
    parser.add_argument("--head", metavar="HASH", help="a head noted earlier, at least 16 digits")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")
    _add_json(parser)


def _add_selftest(parsers: Parsers) -> None:
    says = "Check the board, the panel, the voice and the camera."
    parser = _command(parsers, "selftest", commands.selftest, says, "--camera 0")
    parser.add_argument("--camera", metavar="SOURCE", help="as for run")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")
    _add_json(parser)


def _add_new_game(parsers: Parsers) -> None:
    says = "Write the skeleton of a new game into a checkout of the source."
    parser = _command(parsers, "new-game", commands.new_game, says, "high-card")
    parser.add_argument("name", metavar="NAME", help="small letters and hyphens")
    parser.add_argument("--source", default=".", metavar="FOLDER", help="the checkout (default: .)")
    parser.add_argument(
        "--records", action="store_true", help="only replay six hands of an existing game"
    )


def _add_completion(parsers: Parsers) -> None:
    says = "Print a completion script for bash or zsh: commands, options and games."
    parser = _command(parsers, "completion", commands.completion, says, "> ~/.mazziere-completion")
    parser.set_defaults(parsers=parsers.choices)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_table(parser: argparse.ArgumentParser) -> None:
    """What is played, and by whom."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="a name from `mazziere games`")
    parser.add_argument("--variant", metavar="NAME", help="a variant, as `games GAME` lists them")
    parser.add_argument("--settings", metavar="FILE", help="a settings file")
    parser.add_argument(
        "--seats", type=seats, metavar="N", help='number of seats, or which: "1 2 5"'
    )
    parser.add_argument("--dealer", type=number, metavar="SEAT", help="first dealer")
    parser.add_argument("--banker", type=number, metavar="SEAT", help="first banker")
    parser.add_argument(
        "--limits", type=numbers, metavar='"MIN MAX"', help="smallest and largest bet"
    )
    parser.add_argument(
        "--console",
        nargs="?",
        const="",
        metavar="HOST:PORT",
        help=f"address to serve the page on, or {NOWHERE}; default: every address, port 8080",
    )
    parser.add_argument("--level", choices=LEVELS, help="how closely bets are tracked")
    parser.add_argument("--language", metavar="LANGUAGE", help="en or it")
    parser.add_argument(
        "--house-rule",
        action="append",
        metavar="NAME=VALUE",
        help="a house rule, as `games GAME` lists them",
    )
