"""The simulated dealer and the loop, with a tracker that knows the truth."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from firmware.errors import UsageError
from firmware.journal import Journal
from firmware.ledger import Ledger
from firmware.rehearsal import Plan, Rehearsal, demo
from firmware.rehearsal_judge import alike, unmatched
from firmware.rehearsal_report import HandReport, transcript
from firmware.rehearsal_slips import SLIPS
from rules.acts import Act
from rules.cards import Card, Suit
from rules.games import GAMES
from rules.records import parse_record, print_hand
from tests.rehearsing import TruthfulWatcher, reports_of, settings_of
from vision.geometry import Point
from vision.sightings import Lying

EVERY = pytest.mark.parametrize("game", GAMES)


def _acts(*lines: str) -> list[Act]:
    return [Act.parse(line) for line in lines]


def _text(reports: list[HandReport]) -> str:
    return "\n".join(line for report in reports for line in transcript(report))


@EVERY
@pytest.mark.parametrize("level", ["none", "who", "amounts"])
def test_clean_hands_are_followed_without_a_press(game: str, level: str) -> None:
    reports = reports_of(game, hands=3, level=level, seed=11)
    assert [list(report.differences) for report in reports] == [[], [], []]
    assert sum(report.counts.presses for report in reports) == 0
    assert not any(report.wrong for report in reports)


@EVERY
def test_every_hand_dealt_is_a_lawful_record(game: str) -> None:
    for report in reports_of(game, hands=2, seed=12):
        replayed = parse_record(print_hand(report.hand)).match.hands[0].state
        assert not replayed.violations
        assert replayed.settlement == report.hand.state.settlement
        assert sum(replayed.settlement.net.values()) == 0


@EVERY
def test_the_same_seed_plays_the_same(game: str) -> None:
    first, again, other = (_text(reports_of(game, hands=1, seed=seed)) for seed in (5, 5, 6))
    assert first == again
    assert first != other


@EVERY
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_reported_ruled_on_and_replayed(game: str, slip: str) -> None:
    reports = reports_of(game, hands=3, seed=21, slips=(slip,))
    told = [line for report in reports for line in report.slips]
    # A game without such an act has no such slip.
    assert all("NOT" not in line for line in told)
    assert not any(report.differences for report in reports)
    for report in reports:
        rulings = [violation.ruling for violation in report.hand.state.violations]
        assert len(rulings) >= len(report.slips)
        assert None not in rulings


@EVERY
def test_some_slip_of_each_kind_is_found(game: str) -> None:
    told = "".join(
        line
        for report in reports_of(game, hands=6, seed=3, slips=tuple(SLIPS))
        for line in report.slips
    )
    assert all(f"{name}:" in told for name in ("out-of-turn", "double-card", "over-limit"))


@EVERY
def test_a_card_taken_for_another_is_counted_and_put_right(game: str) -> None:
    """Sixes are read as other sixes: nobody sees it but the judge and the dealer at the screen."""
    wrong = {Card.parse("6D"): Card.parse("7D"), Card.parse("3C"): Card.parse("5C")}
    reports = reports_of(game, hands=3, seed=8, misreads=wrong)
    assert sum(len(report.wrong) for report in reports) > 0
    assert sum(report.counts.corrections for report in reports) > 0


@EVERY
def test_a_doubtful_card_is_asked_about_only_where_it_matters(game: str) -> None:
    six, other = Card.parse("6D"), Card.parse("5D")
    reports = reports_of(game, hands=4, seed=8, doubts={six: other})
    assert not any(report.differences for report in reports)
    assert not any(report.wrong for report in reports)


def test_demo_says_by_its_status_whether_it_was_faithful() -> None:
    out = io.StringIO()
    status = demo(
        settings_of(None), hands=1, headless=True, seed=2, watches=TruthfulWatcher, out=out
    )
    assert status == 0
    assert out.getvalue().rstrip().endswith("followed = dealt: yes")

    class Blind(TruthfulWatcher):
        """Takes every card for a joker."""

        def _read(self, card: Card, place: Point) -> Lying:
            return super()._read(Card.parse("JOKER"), place)

    status = demo(settings_of(None), hands=1, headless=True, seed=2, watches=Blind, out=out)
    assert status == 1


def test_the_journal_of_a_demo_holds_what_was_followed(tmp_path: Path) -> None:
    file = tmp_path / "demo.journal"
    demo(
        settings_of(None),
        hands=1,
        headless=True,
        seed=4,
        journal=file,
        watches=TruthfulWatcher,
        out=io.StringIO(),
    )
    report = reports_of(None, hands=1, seed=4)[0]
    with Journal(file) as journal:
        hand = Ledger.resumed(journal, now=lambda: 0.0).match.hands[0]
    assert unmatched([act.observed() for act in report.hand.acts], hand.acts) == ([], [])


def test_an_unknown_slip_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no slip 'trip'; there are out-of-turn"):
        Plan.of(settings_of(None), slips=("trip",))


def test_the_dealer_learns_nothing_but_by_lamps_and_screen() -> None:
    """Hidden cards never reach the screen, whatever the world knows."""
    for game in GAMES:
        rehearsal = Rehearsal(Plan.of(settings_of(game), seed=2), watches=TruthfulWatcher)
        for _ in range(300):
            rehearsal.step()
            hidden = {str(laid.card) for _, laid in rehearsal.world.state.table if not laid.up} - {
                str(laid.card) for _, laid in rehearsal.world.state.table if laid.up
            }
            shown = {card for _, cards in rehearsal.screen().table for card in cards}
            assert not hidden & shown
        rehearsal.close()


def test_acts_agree_whatever_the_order_of_their_cards() -> None:
    take, turned = _acts("take board QS QD", "take board QD QS")
    assert alike(take, turned)
    part = take.with_cards([Card(card.rank, Suit.UNKNOWN) for card in take.cards])
    assert alike(take, part)
    assert not alike(*_acts("deal board QS", "deal banker QS"))
    assert not alike(*_acts("deal 2 QS", "deal 2 ??"))


def test_a_missed_act_and_an_invented_one_are_told() -> None:
    dealt = _acts("deal board QS", "deal board 5D", "close")
    followed = _acts("deal board 5D", "deal board 6D", "close")
    missed, invented = unmatched(dealt, followed)
    assert (list(map(str, missed)), list(map(str, invented))) == (
        ["deal board QS"],
        ["deal board 6D"],
    )
