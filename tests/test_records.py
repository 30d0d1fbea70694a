"""Hands written down, from the rule sheets' own cases, with what they settle."""

from __future__ import annotations

import inspect
import itertools
import re
from pathlib import Path

import pytest

from rules.errors import RecordError
from rules.games import GAMES
from rules.records import Record, parse_record

FOLDER = Path(__file__).parent / "records"
RECORDS = sorted(FOLDER.glob("*/*.txt"))
by_file = pytest.mark.parametrize(
    "path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}"
)

NETS: dict[str, list[dict[int, int]]] = {
    "ziginette/playette": [{1: 6, 2: -16, 3: 10}],
    "ziginette/dead-cards": [{1: -5, 2: -5, 3: -19, 4: 29}],
    "ziginette/empty-board": [{1: 12, 2: -10, 3: -2}, {1: 55, 2: -50, 3: -5}, {}],
    "ziginette/house-cut": [{0: 3, 1: -15, 2: -20, 3: -28, 4: 10, 5: 50}],
    "ziginette/new-cards-only": [{1: 0, 2: 6, 3: -6}],
    "ziginette/over-the-limit": [{1: -25, 2: 25}],
    "ziginette/unknown-bets": [{}],
    "ziginette/who-has-bet": [{}],
    "ziginette/long-shoe": [{1: -1, 2: 1}, {1: -20, 2: 20}],
    "seven-and-a-half/two-card-seven-and-a-half": [{1: 5, 2: -5, 3: 20, 4: -20}, {}],
    "seven-and-a-half/wild-king": [{1: -6, 2: -8, 3: 4, 4: 10}],
    "seven-and-a-half/wild-king-natural": [{1: 9, 3: -9}],
    "seven-and-a-half/banker-busts": [{1: 7, 2: 10, 3: -17}],
    "seven-and-a-half/kept-quiet": [{1: 0, 2: -5, 3: 5}],
    "seven-and-a-half/italian-house": [{1: -10, 2: 20, 3: -10}],
    "seven-and-a-half/who-has-bet": [{}],
    "seven-and-a-half/unknown-bets": [{}],
    "seven-and-a-half/misdeal": [{}],
    "seven-and-a-half/corrected-card": [{}],
}
"""What each seat wins in each hand of a record, seat 0 being the house."""

WHO: dict[str, list[tuple[int | None, int | None, int]]] = {
    "ziginette/unknown-bets": [(None, 6, 1), (6, None, 1)],
    "ziginette/who-has-bet": [(1, 3, 1), (3, 5, 1)],
    "seven-and-a-half/who-has-bet": [(4, 1, 1), (1, 2, 2)],
    "seven-and-a-half/unknown-bets": [(2, 3, 1), (1, 2, 1)],
}
"""Who pays whom at which rate, where amounts are not kept."""

RULED: dict[str, list[tuple[str, str]]] = {
    "ziginette/new-cards-only": [("wrong-card", "correct")],
    "ziginette/over-the-limit": [("beyond-limits", "stand")],
    "ziginette/long-shoe": [("deck.double", "correct")],
    "seven-and-a-half/kept-quiet": [("seven.undeclared-bust", "stand")],
    "seven-and-a-half/misdeal": [("wrong-card", "misdeal")],
}
"""The violations that a record holds, and how they were ruled on."""


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def read(path: Path) -> Record:
    return parse_record(path.read_text())


def docstring_record(game: str) -> str:
    """The example in the docstring of a game's module."""
    doc = inspect.getdoc(inspect.getmodule(GAMES[game])) or ""
    lines = doc[doc.index("[Game") :].splitlines()
    body = [line.removeprefix("    ") for line in lines]
    end = next(i for i, line in enumerate(lines) if line and not line.startswith(("[", "    ")))
    return "\n".join(body[:end]).strip() + "\n"


def test_every_record_has_its_settlement_written_here() -> None:
    assert {name(path) for path in RECORDS} == set(NETS)
    assert {path.parent.name for path in RECORDS} == set(GAMES)


@by_file
def test_a_record_settles_as_the_rule_sheet_says(path: Path) -> None:
    match = read(path).match
    hands = [hand for hand in match.hands if hand.acts]
    assert [hand.state.settlement.net for hand in hands] == NETS[name(path)]
    assert hands[0].state.over
    said = [(p.payer, p.payee, int(p.rate)) for p in hands[0].state.payments]
    assert name(path) not in WHO or said == WHO[name(path)]


@by_file
def test_a_record_holds_the_violations_it_tells_of_and_no_open_one(path: Path) -> None:
    hands = read(path).match.hands
    ruled = [(v.rule, str(v.ruling)) for hand in hands for v in hand.state.violations]
    assert ruled == RULED.get(name(path), [])


@by_file
def test_each_hand_of_a_record_starts_as_the_one_before_ended(path: Path) -> None:
    hands = read(path).match.hands
    for before, hand in itertools.pairwise(hands):
        assert hand.start == before.next_start()


@by_file
def test_a_record_prints_as_it_was_read_but_for_comments(path: Path) -> None:
    record = read(path)
    again = parse_record(record.record())
    assert again.record() == record.record()
    plain = re.sub(r"[ \t]*#.*", "", path.read_text())
    assert [line for line in record.record().splitlines() if line] == [
        line for line in plain.splitlines() if line
    ]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_example_of_a_games_docstring_is_a_whole_hand(game: str) -> None:
    text = docstring_record(game)
    record = parse_record(text)
    hand = record.match.hands[0]
    assert hand.state.over
    assert not hand.state.violations
    assert hand.state.settlement.net
    assert record.record() == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: an empty record"),
        ("deal board QS\n", "line 1: an act before any tag"),
        ('[Game "ziginette"\n', "line 1: a tag like"),
        ('[Game "zigginette"]\n[Seats "3"]\n', "line 1: no game 'zigginette'; did you mean"),
        ('[Game "ziginette"]\n', 'line 1: [Seats "…"] expected'),
        ('[Seats "3"]\n\nend\n', 'line 1: [Game "…"] expected'),
        ('[Game "ziginette"]\n[Seats "many"]\n', "line 2: [Seats] is a number of seats"),
        ('[Game "ziginette"]\n[Seats "1"]\n[Banker "1"]\n', "is for 2 to"),
        ('[Game "ziginette"]\n[Seats "900"]\n[Banker "1"]\n', "seats from 1 to 22 expected"),
        ('[Game "ziginette"]\n[Seats "3"]\n[Banker "4"]\n', "the banker must sit at one of"),
        ('[Game "ziginette"]\n[Seats "3"]\n', "wants a banker"),
        (
            '[Game "ziginette"]\n[Seats "3"]\n[Banker "1"]\n[Limits "0 5"]\n',
            "a minimum of at least",
        ),
        ('[Game "ziginette"]\n[Seats "3"]\n[Banker "1"]\n[Limits "5"]\n', "line 4: [Limits] is"),
        (
            '[Game "ziginette"]\n[Seats "3"]\n[Banker "1"]\n[HouseRule "cut much"]\n',
            "house rule cut is a number, got 'much'",
        ),
        ('[Game "ziginette"]\n[Seats "3"]\n[Banker "1"]\n\njump\n', "line 5: 'jump': 'jump' is no"),
        (
            '[Game "ziginette"]\n[Seats "3"]\n[Banker "1"]\n[Limits "1 5"]\n\n# a comment\n'
            "deal board QS\n9 bet 5 QS\n",
            "line 8: '9 bet 5 QS': seat 9 is not in this hand",
        ),
    ],
)
def test_a_malformed_record_says_what_was_expected_and_in_which_line(
    text: str, message: str
) -> None:
    with pytest.raises(RecordError, match=re.escape(message)):
        parse_record(text)


def test_tags_that_the_rules_do_not_know_are_kept() -> None:
    text = (FOLDER / "ziginette" / "playette.txt").read_text()
    dated = text.replace('[Seats "3"]', '[Date "2026-11-21"]\n[Seats "3"]')
    record = parse_record(dated)
    assert record.extra == (("Date", "2026-11-21"),)
    assert '[Date "2026-11-21"]' in record.record()
