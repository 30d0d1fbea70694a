"""A secret rule given to the device: kept apart, used for judging, revealed, and leaked nowhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware.commands.reports import replay_report
from firmware.console.book import Book
from firmware.display.effects import Sound, Speech
from firmware.display.prompts import OFF, SLOW, STEADY
from firmware.errors import SafeError
from firmware.follow.loop import Loop
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from firmware.store.safe import Safe, beside, trial
from firmware.texts import Texts
from hardware.press import Button, Held, Pressed
from rules.acts import Act
from rules.cards import parse_cards
from rules.errors import SecretError
from rules.records import parse_record, print_match
from rules.secret import PRESETS, seal
from tests.felt import Felt, Plain

RULE = PRESETS["alternating"]
BACKS = " ".join(["??"] * 14)
DEAL = tuple(f"deal {seat} {BACKS}" for seat in (2, 3, 4))
STRING = "7H 8S 9H TS JH QS KH AS 2H 3S 4H 5S 6H"


def table(folder: Path) -> Felt:
    """Four seats, the dealer at seat 1, with a journal and a safe."""
    path = folder / "test.journal"
    felt = Felt("eleusis", seats=4, journal=Journal(path))
    felt.loop.ledger.safe = Safe(beside(path))
    return felt


def dealt(folder: Path, rule: str = RULE) -> Felt:
    """The same after a five of hearts as starter."""
    felt = table(folder)
    felt.loop.keep(rule)
    felt.type(*DEAL)
    felt.lay("main", "5H")
    felt.loop.effects()
    return felt


def placed(felt: Felt, spot: str) -> None:
    """Move what was played to one of the lines, without a press."""
    felt.cards[spot] += felt.cards["played"]
    felt.cards["played"] = []
    felt.look(1.0)


def said(felt: Felt) -> tuple[list[str], list[str]]:
    """The calls spoken and the tones since the last time."""
    effects = felt.loop.effects()
    return (
        [one.phrase.id for one in effects if isinstance(one, Speech)],
        [one.name for one in effects if isinstance(one, Sound)],
    )


def over(felt: Felt) -> None:
    """Seat 2 plays a string of all but one card, seat 3 everything: the hand has ended."""
    felt.type("2 play 6S", "judge right", f"3 play {STRING} 7S", "judge right")
    assert felt.loop.state.phase == "revealing"


def everything(folder: Path) -> str:
    """Everything on the disk except the safe."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".secret"]
    assert files
    return "".join(file.read_bytes().decode("latin-1") for file in files)


def test_the_rule_is_kept_apart_and_the_journal_gets_its_seal(tmp_path: Path) -> None:
    felt = table(tmp_path)
    felt.loop.keep("If last is RED then black else red")
    file = tmp_path / "test.journal.secret"
    kept = json.loads(file.read_text())
    assert kept["rule"] == RULE
    assert file.stat().st_mode & 0o777 == 0o600
    assert felt.acts() == [f"declare seal {seal(kept['salt'], RULE)}"]
    assert said(felt) == (["eleusis.sealed"], [])
    assert RULE not in everything(tmp_path)
    assert kept["salt"] not in everything(tmp_path)


def test_two_tables_do_not_seal_the_same_rule_alike() -> None:
    seals = {Safe().tell(RULE) for _ in range(20)}
    assert len(seals) == 20


def test_a_right_card_is_called_by_voice_tone_and_lamp(tmp_path: Path) -> None:
    felt = dealt(tmp_path)
    felt.lay("played", "6S", seconds=1.0)
    assert felt.acts()[-1] == "2 play 6S"
    assert said(felt) == (["eleusis.right"], ["tick"])
    prompt = felt.loop.prompt
    assert prompt.phrase.id == "turn.judged-right"
    assert (prompt.lamps["ok"], prompt.lamps["fix"]) == (SLOW, OFF)
    placed(felt, "main")
    assert felt.acts()[-1] == "judge right"


def test_a_wrong_card_is_called_by_voice_tone_and_lamp(tmp_path: Path) -> None:
    felt = dealt(tmp_path)
    felt.lay("played", "6D", seconds=1.0)
    assert said(felt) == (["eleusis.wrong"], ["error"])
    prompt = felt.loop.prompt
    assert prompt.phrase.id == "turn.judged-wrong"
    assert (prompt.lamps["ok"], prompt.lamps["fix"]) == (SLOW, STEADY)
    felt.press(Button.OK)
    assert felt.acts()[-1] == "judge wrong"
    assert felt.loop.prompt.lamps["fix"] == OFF


def prophesied(folder: Path, played: str) -> Felt:
    felt = dealt(folder)
    felt.type("2 play 6S", "judge right", "2 declare prophet")
    felt.cards["main"].append("6S")
    felt.loop.effects()
    felt.lay("played", played, seconds=1.0)
    return felt


@pytest.mark.parametrize("played", ["7H", "7C"])
def test_while_a_prophet_serves_nothing_is_called_beforehand(tmp_path: Path, played: str) -> None:
    """Whether the card is right or wrong, everything shown and heard is the same."""
    felt = prophesied(tmp_path, played)
    assert felt.acts()[-1] == f"3 play {played}"
    assert said(felt) == ([], [])
    prompt = felt.loop.prompt
    assert prompt.phrase.id == "turn.judged-call"
    assert (prompt.lamps["ok"], prompt.lamps["fix"]) == (SLOW, OFF)
    assert felt.loop.snapshot().calls == ()


@pytest.mark.parametrize(
    ("played", "called", "act", "lamp"),
    [
        ("7H", "eleusis.correct", "judge correct", OFF),
        ("7C", "eleusis.incorrect", "judge false", STEADY),
    ],
)
def test_the_prophet_calls_by_button_and_then_the_device_says_whether_correctly(
    tmp_path: Path, played: str, called: str, act: str, lamp: str
) -> None:
    felt = prophesied(tmp_path, played)
    felt.press(Button.OK)
    assert len(felt.loop.prompt.options) == 2
    felt.press(Button.OK)  # the first is right
    assert felt.acts()[-1] == "2 judge right"
    assert said(felt)[0] == [called]
    assert felt.loop.prompt.lamps["fix"] == lamp
    felt.press(Button.OK)
    assert felt.acts()[-1] == act
    assert (felt.loop.state.prophet is None) is (act == "judge false")  # type: ignore[attr-defined]


def test_a_dealer_who_keeps_the_rule_judges_by_button(tmp_path: Path) -> None:
    felt = table(tmp_path)
    felt.type("declare own", *DEAL)
    felt.lay("main", "5H")
    felt.loop.effects()
    felt.lay("played", "6S", seconds=1.0)
    assert said(felt) == ([], [])
    felt.press(Button.OK)
    felt.press(Button.FIX)
    felt.look(2.0)  # the menu stays while nothing changes on the table
    felt.press(Button.OK)
    assert felt.acts()[-1] == "judge wrong"
    assert felt.loop.question is None


def test_a_dealer_who_deals_without_entering_a_rule_judges_by_hand_and_hears_so_once(
    tmp_path: Path,
) -> None:
    """No rule is sealed that nobody entered: not by turning up the starter either."""
    felt = table(tmp_path)
    felt.press(Button.OK)
    felt.lay("main", "5H")
    assert not any("declare" in line for line in felt.acts())
    spoken = said(felt)[0]
    assert spoken.count("eleusis.untold") == 1
    felt.lay("played", "6S", seconds=1.0)
    felt.type("judge right")
    assert "eleusis.untold" not in said(felt)[0]
    assert not felt.rules_broken


def test_two_tables_in_one_process_know_nothing_of_each_other(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    told = dealt(one)
    sealed = told.acts()[0]
    other = table(two)
    other.type(sealed, *DEAL)
    other.lay("main", "5H")
    other.loop.effects()
    for felt in (told, other):
        felt.lay("played", "6D", seconds=1.0)
    assert said(told)[0] == ["eleusis.wrong"]
    assert said(other)[0] == []
    assert other.loop.state.truth is None  # type: ignore[attr-defined]


def test_ok_reveals_the_rule_at_the_end_and_the_file_is_deleted(tmp_path: Path) -> None:
    felt = dealt(tmp_path)
    over(felt)
    file = beside(tmp_path / "test.journal")
    salt = json.loads(file.read_text())["salt"]
    felt.loop.tick(felt.time + 2.0)  # what was typed has been acknowledged
    assert felt.loop.prompt.lamps["ok"] == SLOW
    said(felt)
    felt.press(Button.OK)
    assert felt.acts()[-1] == f"declare reveal {salt} {RULE}"
    assert "eleusis.revealed" in said(felt)[0]
    assert not felt.rules_broken
    assert felt.loop.state.phase == "scored"
    assert not file.exists()


def restarted(folder: Path) -> Loop:
    """The same device after a power cut: only what is on the disk is left."""
    path = folder / "test.journal"
    ledger = Ledger.resumed(Journal(path), now=lambda: 0.0, safe=Safe(beside(path)))
    return Loop(ledger, Plain())


def test_a_power_cut_before_the_reveal_loses_nothing(tmp_path: Path) -> None:
    felt = dealt(tmp_path)
    felt.type("2 play 6D")
    felt.loop.ledger.journal.close()  # type: ignore[union-attr]
    loop = restarted(tmp_path)
    assert loop.prompt.phrase.id == "turn.judged-wrong"
    for line in ("judge wrong", "deal 2 ?? ??", "3 play 6S", "judge right"):
        loop.type(line)
    loop.type("4 play 7H 8S 9H TS JH QS KH AS 2H 3S 4H 5S 6H 7S")
    loop.ledger.journal.close()  # type: ignore[union-attr]
    loop = restarted(tmp_path)
    loop.type("judge right")
    loop.button(Pressed(Button.OK, 0.0))
    assert str(loop.state.acts[-1]).endswith(RULE)
    assert loop.state.violations == ()
    assert not beside(tmp_path / "test.journal").exists()


def test_a_power_cut_between_keeping_and_sealing_seals_it_after_the_restart(tmp_path: Path) -> None:
    felt = table(tmp_path)
    sealed = felt.loop.ledger.safe.tell(RULE)
    felt.loop.ledger.journal.close()  # type: ignore[union-attr]
    loop = restarted(tmp_path)
    loop.see(felt.seen())
    assert [str(act) for act in loop.state.acts] == [f"declare seal {sealed}"]


def test_after_an_undo_the_rule_is_secret_again_and_a_restart_remembers_it(tmp_path: Path) -> None:
    felt = dealt(tmp_path)
    over(felt)
    felt.press(Button.OK)
    felt.loop.ledger.journal.close()  # type: ignore[union-attr]
    loop = restarted(tmp_path)
    loop.button(Held(Button.FIX, 0.0))
    assert loop.state.phase == "revealing"
    assert beside(tmp_path / "test.journal").exists()
    loop.button(Pressed(Button.OK, 0.0))
    assert loop.state.phase == "scored"


def test_undoing_the_seal_deletes_the_rule(tmp_path: Path) -> None:
    felt = table(tmp_path)
    felt.loop.keep(RULE)
    felt.hold(Button.FIX)
    felt.look(1.0)
    assert felt.acts() == []
    assert not beside(tmp_path / "test.journal").exists()
    felt.loop.keep("two from last")
    assert len(felt.acts()) == 1


def test_a_rule_entered_by_another_program_is_sealed_when_the_hand_needs_it(tmp_path: Path) -> None:
    felt = table(tmp_path)
    felt.look()
    sealed = Safe(beside(tmp_path / "test.journal")).tell("two from last")
    felt.look()
    assert felt.acts() == [f"declare seal {sealed}"]


def test_until_the_reveal_nothing_shows_more_than_the_seal(tmp_path: Path) -> None:
    felt = dealt(tmp_path)
    felt.type("2 play 6S", "judge right", "3 play 7C", "judge wrong")
    loop, texts = felt.loop, Texts.load("en")
    salt = json.loads(beside(tmp_path / "test.journal").read_text())["salt"]
    with Book(tmp_path / "test.journal") as book:
        book.follow()
        record = book.record(book.hands)
        steps = repr(book.steps(book.hands[-1]))
    (tmp_path / "record.txt").write_text(record)
    parts = {
        "disk": everything(tmp_path),
        "record": record,
        "match": print_match(loop.match),
        "steps": steps,
        "snapshot": repr(loop.snapshot()),
        "state": repr(loop.state) + repr(loop.state.turn) + repr(vars(loop.state)),
        "safe": repr(vars(loop.ledger.safe)),
        "replay": json.dumps(replay_report(str(tmp_path / "record.txt"), texts)),
    }
    for name, told in parts.items():
        assert RULE not in told, name
        assert salt not in told, name
        assert "then black" not in told, name
    assert felt.acts()[0].split()[-1] in record


def test_what_was_ruled_on_at_once_replays_with_the_rule_hidden(tmp_path: Path) -> None:
    """A record needs no device that knew the rule, either before or after the reveal."""
    felt = dealt(tmp_path)
    felt.type("2 play 6S", "judge wrong")
    assert list(felt.rules_broken) == ["eleusis.judgement"]
    felt.press(Button.OK)  # let it stand
    assert felt.acts()[-1].startswith("rule ")
    felt.type(f"deal 2 {'?? ' * 2}", f"3 play 6S {STRING}", "judge right")
    before = print_match(felt.loop.match)
    felt.press(Button.OK)
    after = print_match(felt.loop.match)
    known = [(v.rule, v.since, v.ruling) for v in felt.loop.state.violations]
    hidden = parse_record(before).match.state
    assert hidden.violations == ()
    told = parse_record(after).match.state
    assert [(v.rule, v.since, v.ruling) for v in told.violations] == known
    assert told.settlement == felt.loop.state.settlement


def test_a_safe_that_cannot_write_says_so_without_the_rule(tmp_path: Path) -> None:
    safe = Safe(tmp_path / "nowhere" / "test.secret")
    with pytest.raises(SafeError, match="cannot be written") as caught:
        safe.tell(RULE)
    assert RULE not in str(caught.value)
    felt = Felt("eleusis", seats=4)
    felt.loop.ledger.safe = safe
    felt.loop.keep(RULE)
    assert felt.loop.prompt.phrase.id == "secret.refused"
    assert felt.acts() == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"salt": 1}', '{"salt": "a", "rule": "purple"}'])
def test_a_damaged_file_is_no_rule(tmp_path: Path, text: str) -> None:
    felt = table(tmp_path)
    beside(tmp_path / "test.journal").write_text(text)
    felt.look()
    assert felt.acts() == []


def test_a_rule_is_tried_before_it_is_sealed() -> None:
    """The rule sheet: with two apart, on a king only a jack, on an ace only a three."""
    assert {str(card)[0] for card in trial("Two from last", parse_cards("KS")).right} == {"J"}
    assert {str(card)[0] for card in trial("two from last", parse_cards("AS")).right} == {"3"}
    with pytest.raises(SecretError, match=r"'purple' \(word 4\)"):
        trial("if last is purple then black", parse_cards("5H"))


def test_games_without_secret_rules_accept_none() -> None:
    felt = Felt("ziginette")
    felt.loop.keep(RULE)
    felt.look()
    assert felt.acts() == []
    assert felt.loop.snapshot().secret is None


def test_express_judges_by_the_kept_rule_too(tmp_path: Path) -> None:
    felt = Felt("eleusis", seats=3, rules={"express": "yes"})
    felt.loop.keep(RULE)
    felt.type(*(f"deal {seat} {' '.join(['??'] * 12)}" for seat in (2, 3)))
    felt.lay("main", "5H")
    felt.loop.effects()
    felt.lay("played", "6D", seconds=1.0)
    assert said(felt)[0] == ["eleusis.wrong"]
    felt.type("judge wrong", "deal 2 ?? ??")
    felt.cards["side"], felt.cards["played"] = ["6D"], []
    felt.lay("played", "6C", seconds=1.0)
    assert said(felt)[0][-1] == "eleusis.right"
    felt.type("judge right", "3 declare guess", "judge right")
    felt.press(Button.OK)
    assert Act.parse(felt.acts()[-1]).words[0] == "reveal"
