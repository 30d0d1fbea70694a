"""The soak: its log, what it makes of it, and the habits that it injects."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from firmware.errors import UsageError
from firmware.rehearsal.handling import HABITS, MANNERS, NONE, Manner
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.slips import SLIPS
from tests import soak, soak_report
from tests.draws import mostly_nightly
from tests.rehearsing import TruthfulWatcher, settings_of
from tests.soak import HERE, Job, Outcome

ONCE_LOST = (
    Job("paiute", 611236, "sloppy", 1),
    Job("paiute", 10, "sloppy"),
    Job("mille", 7132, "brisk", 1),
    Job("oklahoma-rummy", 13, "sloppy", 1),
    Job("panguingue", 8204, "neat"),
    Job("panguingue", 8205, "sloppy", 1),
    Job("panguingue", 8300, "brisk", 1),
    Job("panguingue", 76002, "sloppy", 1),
    Job("panguingue", 76003, "sloppy", 1),
    Job("pineapple", 76006, "sloppy"),
    Job("pineapple", 76007, "sloppy"),
    Job("pineapple/crazy", 76007, "sloppy"),
    Job("seven-and-a-half", 76005, "sloppy"),
)
"""Hands that were once not followed as they were dealt, each for a different cause."""


@pytest.mark.parametrize("job", mostly_nightly(ONCE_LOST, ONCE_LOST[0]), ids=str)
def test_what_was_lost_once_is_followed(job: Job) -> None:
    outcome = Outcome.of(job, "code")
    assert outcome.good, "\n".join(soak.told(outcome))


def test_an_interrupted_run_resumes_where_its_log_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "soak.jsonl"
    line = ["--games", "ace-deuce-jack,guts", "--seeds", "1", "--handling", "none", "--hands", "1"]
    soak.main([*line, "--shard", "1/2", "--log", str(log)])
    assert [one.job.game for one in soak.logged(log)] == ["ace-deuce-jack"]
    with log.open("a") as file:
        file.write('{"version": "half a li')  # the power went
    log.write_text(log.read_text() + "\n")
    soak.main([*line, "--log", str(log)])
    assert [one.job.game for one in soak.logged(log)] == ["ace-deuce-jack", "guts"]
    assert "1 jobs to do, 1 done before" in capsys.readouterr().out
    assert soak.main(["--report", "--log", str(log)]) == 0
    assert "all, none" in capsys.readouterr().out


def test_each_habit_and_each_slip_is_injected_into_each_game() -> None:
    options = soak.parsed(["--inject", "--games", "guts,soko", "--seeds", "3"])
    jobs = soak.jobs_of(options)
    assert {job.game for job in jobs} == {"guts", "soko"}
    assert len(jobs) == 2 * (len(HABITS) + len(SLIPS))
    assert {job.way for job in jobs} >= {"thrown", "slip double-card"}


def test_pictures_come_from_a_webcam_and_truthful_eyes_have_no_camera() -> None:
    line = ["--games", "guts", "--seeds", "3", "--handling", "brisk"]
    (job,) = soak.jobs_of(soak.parsed([*line, "--pictures"]))
    assert job.sensor == "webcam"
    assert job.command.endswith("--pictures --sensor webcam --show")
    assert soak.jobs_of(soak.parsed(line))[0].sensor == "clean"


def test_a_line_of_the_log_says_everything_about_an_outcome() -> None:
    outcome = Outcome.of(Job("ace-deuce-jack", 3, "sloppy", 1), "code")
    assert outcome.played == 1
    assert Outcome.parse(outcome.line()) == outcome


def test_a_crash_is_a_failure_with_its_cause() -> None:
    outcome = Outcome.of(Job("no-such-game", 3, "neat", 1), "code")
    assert not outcome.good
    assert "no-such-game" in outcome.error
    assert str(HERE) not in outcome.error


def test_the_table_of_games_says_what_was_followed_and_from_which_seeds() -> None:
    outcome = Outcome.of(Job("ace-deuce-jack", 3, NONE, 1), "code")
    jobs = [Job("ace-deuce-jack", seed, "neat", 1) for seed in (0, 1, 2, 31)]
    table = list(soak_report.table_of_games([replace(outcome, job=job) for job in jobs]))
    row = next(line for line in table if "ace-deuce-jack" in line)
    assert "| 4 of 4 | not tried | not tried |" in row
    assert "| 4 of 4 (seeds 0 to 2, 31) | - | - |" in table[-1]


QUICK = [habit for habit in HABITS if habit not in ("tossed-up", "together", "squared-hand")]
"""Habits that one of the games soon has occasion for; the others take a second each."""


@pytest.mark.parametrize("habit", mostly_nightly(HABITS, *QUICK))
def test_each_requested_habit_is_shown_in_some_game(habit: str) -> None:
    """Shown at least once, sooner or later, in some game: not each has occasion for it."""
    games = "soko", "panguingue", "ziginette", "pai-gow-poker"
    for steps, game in product((100, 900), games):
        plan = Plan.of(settings_of(game), seed=2, handling=habit)
        rehearsal = Rehearsal(plan, watches=TruthfulWatcher)
        manner = rehearsal.world.manner
        for _ in range(steps):
            if manner.done[habit]:
                return
            rehearsal.step()
        rehearsal.close()
    pytest.fail(f"{habit} was never seen")


def test_a_manner_without_a_habit_shows_the_others_as_before() -> None:
    whole = Manner.of("sloppy", 4)
    part = Manner.of("sloppy", 4, without=frozenset({"thrown"}))
    both = [[one.does(habit) for one in (whole, part)] for habit in ("slid", "thrown") * 50]
    assert all(one == other for one, other in both[::2])
    assert any(one for one, _ in both[1::2])
    assert not any(other for _, other in both[1::2])


def test_a_sloppy_table_shows_at_least_as_much_as_a_brisk_one_and_that_as_a_neat_one() -> None:
    for habit in HABITS.values():
        assert habit.neat <= habit.brisk or habit.says.startswith("a card is pushed")
        assert habit.brisk <= habit.sloppy


def test_an_unknown_handling_is_refused_with_a_list_of_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no handling 'rough'; there are neat, brisk, sloppy"):
        Plan.of(settings_of("guts"), handling="rough")
    assert MANNERS == ("neat", "brisk", "sloppy")


def test_the_matrix_says_of_each_kind_what_became_of_it_and_what_it_cost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = Outcome.of(Job("ace-deuce-jack", 3, NONE, 1), "code")
    thrown = replace(plain.job, handling="thrown")
    slip = replace(plain.job, slips=("double-card",))
    told = "double-card: deal board 4C -> warned: deck.double, let stand"
    found = [
        replace(plain, job=thrown, handled={"thrown": 2}),
        replace(plain, job=replace(thrown, game="soko"), handled={}),
        replace(plain, job=replace(thrown, game="guts"), handled={"thrown": 1}, settled=0),
        replace(plain, job=slip, slips=(told,), counts=replace(plain.counts, presses=2)),
    ]
    log = tmp_path / "soak.jsonl"
    log.write_text("".join(one.line() + "\n" for one in found))
    assert soak.main(["--matrix", "--log", str(log)]) == 1
    rows = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines()}
    assert rows["ace-deuce-jack"][1:] == ["ok", "ok", "2"]
    assert rows["soko"][1] == "-"
    assert rows["guts"][1] == "LOST"
    assert rows["thrown"][1:] == ["2", "3", "1", "0", "0"]
    assert rows["slip"][-3:] == ["1", "of", "1"]
