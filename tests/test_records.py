"""Hands written down from the rule sheets' own cases, with their settlements."""

from __future__ import annotations

import inspect
import itertools
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rules.errors import RecordError
from rules.games import GAMES, find_game
from rules.records import Record, parse_record

FOLDER = Path(__file__).parent / "records"
RECORDS = sorted(FOLDER.glob("*/*.txt"))
by_file = pytest.mark.parametrize(
    "path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}"
)


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@cache
def settlements(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "settlements.toml").read_text())


def told(path: Path) -> dict[str, Any]:
    """What the table next to the records says about this one."""
    entry: dict[str, Any] = settlements(path.parent)[path.stem]
    return entry


def by_seat(hands: list[dict[str, int]]) -> list[dict[int, int]]:
    return [{int(seat): number for seat, number in hand.items()} for hand in hands]


@cache
def read(path: Path) -> Record:
    return parse_record(path.read_text())


def docstring_record(game: str) -> str:
    """The example in the docstring of a game's module."""
    doc = inspect.getdoc(inspect.getmodule(GAMES[game])) or ""
    lines = doc[doc.index("[Game") :].splitlines()
    body = [line.removeprefix("    ") for line in lines]
    end = next(i for i, line in enumerate(lines) if line and not line.startswith(("[", "    ")))
    return "\n".join(body[:end]).strip() + "\n"


def test_every_record_has_its_settlement_written_down() -> None:
    for folder in {path.parent for path in RECORDS}:
        table = tomllib.loads((folder / "settlements.toml").read_text())
        assert set(table) == {path.stem for path in folder.glob("*.txt")}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_at_least_six_records(game: str) -> None:
    assert len([path for path in RECORDS if path.parent.name == game]) >= 6


@by_file
def test_a_record_settles_as_the_rule_sheet_says(path: Path) -> None:
    hands = [hand for hand in read(path).match.hands if hand.acts]
    expected = told(path)
    assert hands[0].state.over
    assert [hand.state.settlement.net for hand in hands] == by_seat(expected["net"])
    if "scores" in expected:
        assert [hand.state.settlement.scores for hand in hands] == by_seat(expected["scores"])
    if "who" in expected:
        payments = hands[0].state.payments
        said = [[p.payer or 0, p.payee or 0, int(p.rate)] for p in payments]
        assert said == expected["who"]


@by_file
def test_a_record_has_the_violations_it_claims_and_no_open_one(path: Path) -> None:
    hands = read(path).match.hands
    ruled = [[v.rule, str(v.ruling)] for hand in hands for v in hand.state.violations]
    assert ruled == told(path).get("ruled", [])


@by_file
def test_each_hand_of_a_record_starts_as_the_one_before_ended(path: Path) -> None:
    hands = read(path).match.hands
    for before, hand in itertools.pairwise(hands):
        assert hand.start == before.next_start()


@by_file
def test_a_record_prints_as_it_was_read_except_for_comments(path: Path) -> None:
    record = read(path)
    again = parse_record(record.record())
    assert again.record() == record.record()
    plain = re.sub(r"[ \t]*#.*", "", path.read_text())
    assert [line for line in record.record().splitlines() if line] == [
        line for line in plain.splitlines() if line
    ]


@pytest.mark.parametrize(
    ("game", "variant"), [(game, one) for game in sorted(GAMES) for one in GAMES[game].variants]
)
def test_a_header_may_name_a_variant_and_change_its_house_rules(game: str, variant: str) -> None:
    head = f'[Game "{game}"]\n[Variant "{variant}"]\n[Seats "4"]\n[Dealer "1"]\n'
    chosen = parse_record(head + "\nmisdeal\n")
    preset = GAMES[game].variants[variant]
    rules = {rule.name: rule.value for rule in chosen.match.hand.game.house_rules()}
    assert rules.items() >= preset.items()
    assert f'[Variant "{variant}"]' in chosen.record()
    assert parse_record(chosen.record()).match.hand.game == chosen.match.hand.game
    plain = head.replace(f'[Variant "{variant}"]\n', "")
    said = "".join(
        f'[HouseRule "{rule.name} {rule.text}"]\n'
        for rule in chosen.match.hand.game.house_rules()
        if rule.name in preset
    )
    assert parse_record(plain + said + "\nmisdeal\n").record() == chosen.record()


def test_a_variant_that_the_game_does_not_have_is_refused() -> None:
    text = '[Game "soko"]\n[Variant "crazy"]\n[Seats "3"]\n[Dealer "1"]\n'
    with pytest.raises(RecordError, match="line 1: soko has no variant 'crazy'; it has none"):
        parse_record(text)
    with pytest.raises(RecordError, match="it has crazy, crazy-hi-lo"):
        parse_record(text.replace("soko", "pineapple").replace("crazy", "mad"))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_example_of_a_game_s_docstring_replays_without_a_fault(game: str) -> None:
    """For long hands it shows the beginning."""
    text = docstring_record(game)
    record = parse_record(text)
    hand = record.match.hands[0]
    assert hand.acts
    assert not hand.state.violations
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
        ('[Game "ziginette"]\n[Seats "900"]\n[Banker "1"]\n', "expected seats from 1 to 22"),
        ('[Game "ziginette"]\n[Seats "3"]\n[Banker "4"]\n', "the banker must sit at one of"),
        ('[Game "ziginette"]\n[Seats "3"]\n', "needs a banker"),
        ('[Game "belote"]\n[Seats "4"]\n', "needs a dealer"),
        ('[Game "panguingue"]\n[Seats "4"]\n', "needs a dealer"),
        ('[Game "oklahoma-rummy"]\n[Seats "4"]\n', "needs a dealer"),
        (
            '[Game "ziginette"]\n[Seats "3"]\n[Banker "1"]\n[Limits "0 5"]\n',
            "a minimum of at least",
        ),
        ('[Game "ziginette"]\n[Seats "3"]\n[Banker "1"]\n[Limits "5"]\n', "line 4: [Limits] is"),
        (
            '[Game "ziginette"]\n[Seats "3"]\n[Banker "1"]\n[HouseRule "cut much"]\n',
            "house rule cut is a number, got 'much'",
        ),
        (
            '[Game "guts"]\n[Seats "3"]\n[HouseRule "maximum 5"]\n[Seats "4"]\n',
            "line 4: [Seats] is '4', and '3' before",
        ),
        (
            '[Game "guts"]\n[Seats "3"]\n[HouseRule "maximum 5"]\n[HouseRule "maximum 9"]\n',
            "line 4: [HouseRule] is 'maximum 9', and 'maximum 5' before",
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


def test_a_tag_may_have_a_hash_between_its_quotes() -> None:
    text = (
        '[Game "ziginette"]\n[Place "Club #3"]  # upstairs\n[Seats "3"]\n[Banker "1"]\n\nend # no'
    )
    again = parse_record(text).record()
    assert '[Place "Club #3"]\n' in again
    assert parse_record(again).record() == again


def test_tags_unknown_to_the_rules_are_kept() -> None:
    text = (FOLDER / "ziginette" / "playette.txt").read_text()
    dated = text.replace('[Seats "3"]', '[Date "2026-11-21"]\n[Seats "3"]')
    record = parse_record(dated)
    assert record.extra == (("Date", "2026-11-21"),)
    assert '[Date "2026-11-21"]' in record.record()


def test_a_header_without_acts_leaves_nothing_to_the_next_hand() -> None:
    """A pot of 25 announced for a hand that nobody played is no pot of the next one."""
    empty = '[Game "guts"]\n[Event "An evening"]\n[Seats "3"]\n[Dealer "1"]\n[Pot "25"]\n\n'
    record = parse_record(f'{empty}[Game "guts"]\n[Seats "4"]\n\nante\n')
    assert record.match.hands[0].start.pot == 0
    assert record.match.hands[0].start.dealer is None
    assert record.extra == (("Event", "An evening"),)


def test_a_byte_order_mark_before_the_first_tag_is_no_part_of_it() -> None:
    text = (FOLDER / "ziginette" / "playette.txt").read_text()
    assert parse_record("\ufeff" + text).record() == parse_record(text).record()


def test_a_later_hand_that_names_no_game_keeps_the_house_rules_of_the_one_before() -> None:
    """An ante of five stays five; a rule that the later header states is changed."""
    head, again = '[Game "guts"]\n', '[Seats "3"]\n[Dealer "1"]\n'
    chosen = '[HouseRule "ante_chips 5"]\n'
    text = f"{head}{chosen}{again}\nmisdeal\nclear\n"
    first, second = parse_record(f"{text}{again}\nante\n").match.hands
    assert second.game == first.game
    assert second.state.settlement.net == {0: 15, 1: -5, 2: -5, 3: -5}
    changed = '[HouseRule "all_out best-pays"]\n'
    _, third = parse_record(f"{text}{changed}{again}\nante\n").match.hands
    chosen_rules = {rule.name: rule.text for rule in third.game.house_rules()}
    assert chosen_rules.items() >= {"ante_chips": "5", "all_out": "best-pays"}.items()
    _, named = parse_record(f"{text}{head}{again}\nante\n").match.hands
    assert named.game == find_game("guts")


@pytest.mark.parametrize("note", ["", "x", "-1", "1:", "1:x", "3.5", "9" * 30])
@pytest.mark.parametrize(
    ("name", "key", "seats", "seat"),
    [
        ("ace-deuce-jack", "hands-held", 3, "Banker"),
        ("mille", "naturals", 2, "Dealer"),
        ("mille", "chapeaux", 2, "Dealer"),
        ("belote", "carried", 4, "Dealer"),
        ("eleusis", "dealt", 3, "Dealer"),
        ("fipsen", "deal", 4, "Dealer"),
        ("tribello", "deal", 3, "Dealer"),
        ("three-thirteen", "cards", 3, "Dealer"),
    ],
)
def test_what_an_earlier_hand_noted_is_a_number_or_refused_in_one_line(
    name: str, key: str, seats: int, seat: str, note: str
) -> None:
    tags = (("Game", name), ("Seats", seats), (seat, 1), ("Note", f"{key} {note}"))
    text = "\n".join(f'[{tag} "{value}"]' for tag, value in tags)
    if name == "mille" and not note:
        assert parse_record(text).match.hand.start.note(key) == "", "nobody has any yet"
        return
    with pytest.raises(RecordError, match=rf"^line 1: the note {key} [^\n]+, got '") as caught:
        parse_record(text)
    assert note in str(caught.value)
