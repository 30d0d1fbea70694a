"""The simulated dealer and the loop, with a tracker that knows the truth."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from itertools import combinations, count, cycle, product
from math import dist
from pathlib import Path

import numpy as np
import pytest

from firmware.errors import UsageError
from firmware.rehearsal.demo import demo
from firmware.rehearsal.desk import LiveDesk
from firmware.rehearsal.judge import Judge, alike, unmatched
from firmware.rehearsal.melds import as_named, names_dealt
from firmware.rehearsal.plan import Plan, Watches
from firmware.rehearsal.reach import within_reach
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.report import HandReport, transcript
from firmware.rehearsal.slips import SLIPS
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from rules.acts import Act
from rules.cards import Card, Suit
from rules.games import GAMES
from rules.match import Match
from rules.records import parse_record, print_hand
from rules.spots import GONE, Move
from rules.start import Start
from tests.draws import mostly_nightly
from tests.rehearsing import COVERED_MM, TruthfulWatcher, reports_of, settings_of
from vision.picture.plane import Plane
from vision.scene.items import Pose


def _ziginette(*lines: str) -> Match:
    match = Match(GAMES["ziginette"](), Start(seats=(1, 2, 3), banker=1, limits=(1, 20)))
    for line in lines:
        match.play(Act.parse(line))
    return match


def test_a_card_taken_wrongly_and_put_back_at_once_may_be_told_as_a_slip() -> None:
    dealt = ("deal board QS", "deal board 5D", "deal banker 7C", "end", "clear")
    followed = _ziginette(*dealt[:3], "take board QS", "rule 4 correct", *dealt[3:])
    put_back = [(1, Move(Card.parse("QS"), "board", GONE))]
    assert Judge(_ziginette(*dealt), followed, put_back).differences(1) == []
    assert len(Judge(_ziginette(*dealt), followed).differences(1)) == 3


def test_a_card_laid_in_a_wrong_place_and_moved_at_once_may_be_told_as_a_slip() -> None:
    dealt = ("deal board QS", "deal board 5D", "deal banker 7C", "end", "clear")
    followed = _ziginette(dealt[0], "deal banker 5D", "rule 2 correct", *dealt[1:])
    misplaced = [(1, Move(Card.parse("5D"), GONE, "banker"))]
    assert Judge(_ziginette(*dealt), followed, (), misplaced).differences(1) == []
    assert Judge(_ziginette(*dealt), followed).differences(1)


def test_a_card_seen_where_it_was_misplaced_is_not_misread() -> None:
    dealt, followed = _ziginette("deal board QS"), _ziginette("deal board QS")
    misplaced = [(1, Move(Card.parse("5D"), GONE, "banker"))]
    judges = [Judge(dealt, followed, (), misplaced), Judge(dealt, followed)]
    followed.play(Act.parse("deal banker 5D"))
    followed.play(Act.parse("deal board 7C"))
    for judge in judges:
        judge.watch()
    assert judges[0].wrong == ["hand 1: deal board 7C"]
    assert judges[1].wrong == ["hand 1: deal banker 5D", "hand 1: deal board 7C"]


def _in_the_open(game: str) -> bool:
    """Whether all cards lie on the table: cards held in hands must be typed, not seen."""
    start = settings_of(game).start
    return not any(spot.held for spot in GAMES[game]().spots(start))


OPEN = [game for game in GAMES if _in_the_open(game)]
QUICK = [game for game in OPEN if not game.startswith("open-face")]
TWO = pytest.mark.parametrize("game", OPEN[:2])
"""Cards on a board and cards in front of seats; the rules' own tests cover other differences."""
UNKEPT = ("none", "who")
"""The levels that track less of the money than all of it."""


def _acts(*lines: str) -> list[Act]:
    return [Act.parse(line) for line in lines]


def _text(reports: tuple[HandReport, ...]) -> str:
    return "\n".join(line for report in reports for line in transcript(report))


@pytest.mark.parametrize(
    ("game", "level"),
    mostly_nightly(product(OPEN[:2], UNKEPT), *zip(OPEN[:2], UNKEPT, strict=True)),
)
def test_less_is_known_of_the_money_and_the_cards_are_followed_all_the_same(
    game: str, level: str
) -> None:
    reports = reports_of(game, hands=1, level=level, seed=11)
    assert not reports[0].differences
    assert not reports[0].counts.presses


@pytest.mark.parametrize("game", mostly_nightly(OPEN, *QUICK))
def test_clean_hands_are_followed_without_a_press(game: str) -> None:
    reports = reports_of(game, hands=2, seed=11)
    assert [list(report.differences) for report in reports] == [[], []]
    assert sum(report.counts.presses for report in reports) == 0
    assert not any(report.wrong for report in reports)


@pytest.mark.parametrize("game", mostly_nightly(OPEN, *QUICK))
def test_every_hand_dealt_is_a_lawful_record(game: str) -> None:
    for report in reports_of(game, hands=2, seed=11):  # the hands of the test above
        replayed = parse_record(print_hand(report.hand)).match.hands[0].state
        assert not replayed.violations
        assert replayed.settlement == report.hand.state.settlement
        assert sum(replayed.settlement.net.values()) == 0


@TWO
def test_the_same_seed_plays_the_same(game: str) -> None:
    first, other = (_text(reports_of(game, hands=1, seed=seed)) for seed in (5, 6))
    reports_of.cache_clear()
    assert _text(reports_of(game, hands=1, seed=5)) == first
    assert first != other


@pytest.mark.parametrize(
    ("game", "slip"),
    mostly_nightly(product(OPEN[:2], SLIPS), *zip(cycle(OPEN[:2]), SLIPS, strict=False)),
)
def test_a_slip_is_reported_ruled_on_and_replayed(game: str, slip: str) -> None:
    reports = reports_of(game, hands=2, seed=21, slips=(slip,))
    told = [line for report in reports for line in report.slips]
    # What is never removed or paid by its own act cannot be done wrong.
    assert told or slip in ("wrong-removal", "wrong-payment")
    assert all("-> warned: " in line for line in told)
    assert [list(report.differences) for report in reports] == [[], []]
    for report in reports:
        violations = report.hand.state.violations
        assert len(violations) >= len(report.slips)
        assert not any(violation.open for violation in violations)


@TWO
def test_two_corrections_in_one_hand_stand_together(game: str) -> None:
    slips = ("out-of-turn", "over-limit", "double-card", "wrong-removal")
    reports = reports_of(game, hands=1, seed=5, slips=slips)
    assert len(reports[0].slips) >= 2
    assert not reports[0].differences


@TWO
@pytest.mark.parametrize("seed", [7, 8])
def test_a_misread_card_is_counted_and_corrected(game: str, seed: int) -> None:
    """A six is misread as a seven, for certain: only judge and dealer know, from the screen."""
    six, seven = Card.parse("6D"), Card.parse("7D")
    report = reports_of(game, hands=1, seed=seed, misreads=((six, seven),))[0]
    shown = any(six in act.cards and not act.down for act in report.hand.acts)
    assert bool(report.wrong) == shown
    assert bool(report.counts.corrections) == shown


@TWO
def test_a_doubtful_card_is_asked_about_only_if_it_matters(game: str) -> None:
    doubts = {Card.parse(f"6{suit}"): Card.parse(f"5{suit}") for suit in "CDHS"}
    reports = reports_of(game, hands=2, seed=8, doubts=tuple(doubts.items()))
    assert [list(report.differences) for report in reports] == [[], []]
    assert not any(report.wrong for report in reports)


def test_demo_reports_by_its_status_whether_it_was_faithful(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def played(watches: Watches) -> tuple[int, str]:
        out = io.StringIO()
        status = demo(settings_of(None), hands=1, headless=True, seed=2, watches=watches, out=out)
        return status, out.getvalue().splitlines()[-1].rpartition("; ")[2]

    assert played(TruthfulWatcher) == (0, "followed = dealt: yes")
    # A reader that sees nothing, and a dealer who does not help.
    monkeypatch.setattr("firmware.rehearsal.attention.TRIES", 0)
    assert played(lambda table, _, deck: TruthfulWatcher(table, {}, deck)) == (
        1,
        "followed = dealt: NO",
    )


def test_a_live_table_takes_lines_and_presses_of_a_second_person() -> None:
    rehearsal = Rehearsal(Plan.of(settings_of(None), seed=4), watches=TruthfulWatcher)
    hurry = count()
    story: list[str] = []

    def second_person() -> float:
        """Looks at the table before each picture, in its thread, so that nothing is missed."""
        snapshot = desk.snapshot()
        if "fold" in snapshot.sentence and not story:
            story.append("refused")
            desk.press("hold")
        elif snapshot.lamps["hold"] == "steady" and story == ["refused"]:
            story.append("frozen")
            desk.press("hold")
        elif snapshot.lamps["hold"] == "off" and story[-1:] == ["frozen"]:
            story.append("freed")
        return 10.0 * next(hurry)

    desk = LiveDesk(rehearsal, 1, now=second_person)
    desk.type("7 fold")
    desk.start()
    while desk.running:
        time.sleep(0.01)
    desk.stop()
    rehearsal.close()
    assert story == ["refused", "frozen", "freed"]
    assert [report.faithful for report in desk.reports] == [True]


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


def test_an_unknown_slip_is_refused_with_a_list_of_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no slip 'trip'; there are out-of-turn"):
        Plan.of(settings_of(None), slips=("trip",))


def test_the_dealer_learns_only_from_lamps_and_screen() -> None:
    """Hidden cards never reach the screen, whatever the world knows."""
    for game in OPEN[:2]:
        rehearsal = Rehearsal(Plan.of(settings_of(game), seed=2), watches=TruthfulWatcher)
        for _ in range(150):
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


def test_a_card_drawn_and_shown_later_in_the_same_turn_is_drawn_either_way() -> None:
    """In Pif Paf, a claimed card is shown with the hand before or after the discard."""
    shown_first = _acts("2 draw discards 6S", "2 show 6D 6H 6S", "2 discard 7C")
    shown_last = _acts("2 draw discards 6S", "2 discard 7C", "2 show 6D 6H 6S")
    assert unmatched(shown_first, shown_last) == ([], [])
    missed, invented = unmatched(shown_first, _acts("2 discard 7C", "3 show 6D 6H 6S"))
    assert [str(act) for act in missed] == ["2 show 6D 6H 6S"]
    assert [str(act) for act in invented] == ["3 show 6D 6H 6S"]


def test_cards_are_added_to_a_meld_at_once_or_one_by_one() -> None:
    at_once = _acts("2 lay 2.meld-1 5S 5D", "2 discard KD")
    one_by_one = _acts("2 lay 2.meld-1 5D", "2 lay 2.meld-1 5S", "2 discard KD")
    assert unmatched(at_once, one_by_one) == ([], [])
    missed, invented = unmatched(at_once, _acts("2 lay 2.meld-2 5D 5S", "2 discard KD"))
    assert (len(missed), len(invented)) == (2, 2)
    built = _acts("3 meld JD TD 2C", "3 lay 3.meld-1 9D")
    assert unmatched(built, _acts("3 meld 9D 2C TD JD")) == ([], [])
    missed, invented = unmatched(built, _acts("3 meld 8D 2C TD JD"))
    assert (len(missed), len(invented)) == (2, 1)


def test_melds_laid_in_one_go_may_be_followed_in_any_order() -> None:
    """Of two that a player laid at once, the second settled first: both have the other's number."""
    sixes, run = "4 meld 6C 6S 6D", "4 meld 6S 7S JS"
    dealt = _acts(sixes, run, "1 lay 4.meld-1 6H", "2 lay 4.meld-2 QS")
    followed = _acts(run, sixes, "1 lay 4.meld-2 6H", "2 lay 4.meld-1 QS")
    assert unmatched(dealt, as_named(followed, names_dealt(followed, dealt))) == ([], [])
    wrong = _acts(run, sixes, "1 lay 4.meld-2 6H", "2 lay 4.meld-2 QS")
    missed, invented = unmatched(dealt, as_named(wrong, names_dealt(wrong, dealt)))
    assert (missed, invented) == (_acts("2 lay 4.meld-2 QS"), _acts("2 lay 4.meld-1 QS"))


def test_nobody_moves_a_card_under_an_arm_and_a_resting_hand_deals_later() -> None:
    rehearsal = Rehearsal(Plan.of(settings_of("ziginette"), seed=2), watches=TruthfulWatcher)
    world = rehearsal.world
    while len(world.table.at("board")) < 2:
        rehearsal.step()
    card, other = world.table.at("board")[:2]
    at, now = (card.pose.x, card.pose.y), rehearsal.clock.now + 5.0
    world.table.rest(at, now=now, hold=3.0, shoulder=world.shoulder(2))
    take, leave = _acts(f"take board {card.card}", f"take board {other.card}")
    assert not within_reach(world, take, now + 2.5)
    assert within_reach(world, take, now + 30.0)
    assert within_reach(world, leave, now + 2.5)
    world.table.rest(at, now=now + 40.0, hold=3.0, shoulder=world.shoulder(None))
    assert not within_reach(world, leave, now + 42.5)
    rehearsal.close()


def test_nobody_lays_a_card_where_an_arm_is_just_coming_to_rest() -> None:
    rehearsal = Rehearsal(Plan.of(settings_of("ziginette"), seed=2), watches=TruthfulWatcher)
    world = rehearsal.world
    while not world.table.at("board"):
        rehearsal.step()
    card, now = world.table.at("board")[0], rehearsal.clock.now + 5.0
    at = card.pose.x, card.pose.y
    world.table.rest(at, now=now, hold=3.0, shoulder=world.shoulder(2))
    (take,) = _acts(f"take board {card.card}")
    assert not within_reach(world, take, now)
    rehearsal.close()


def test_what_is_laid_where_the_table_has_no_place_for_it_is_said() -> None:
    """The dealer sees the cards of such an act go elsewhere, and says where they are now."""
    rehearsal = Rehearsal(Plan.of(settings_of("ziginette"), seed=2), watches=TruthfulWatcher)
    world, layout = rehearsal.world, rehearsal.world.layout
    (deal,) = _acts("deal board QS")
    assert not world.lays_unseen(deal)
    places = {name: place for name, place in layout.places.items() if name != "board"}
    world._lay_out = lambda state: replace(layout, places=places)
    assert world.lays_unseen(deal)
    world._lay_out = lambda state: layout
    world.lays_unseen = lambda act: act.spot == "board"  # type: ignore[method-assign]
    typed: list[str] = []
    rehearsal.type = typed.append  # type: ignore[method-assign, assignment]
    while not typed:
        rehearsal.step()
    assert typed[0].startswith("deal board")
    rehearsal.close()


def test_a_card_beyond_a_place_s_capacity_hides_no_index() -> None:
    rehearsal = Rehearsal(Plan.of(settings_of("mille"), seed=2), watches=TruthfulWatcher)
    world = rehearsal.world
    poses: list[Pose] = []
    for _ in range(2 * 8):
        poses.append(world._pose("2.meld-4", poses))
    for one, other in combinations(poses, 2):
        assert dist((one.x, one.y), (other.x, other.y)) > COVERED_MM
    rehearsal.close()


def test_missed_and_invented_acts_are_reported() -> None:
    dealt = _acts("deal board QS", "deal board 5D", "close")
    followed = _acts("deal board 5D", "deal board 6D", "close")
    missed, invented = unmatched(dealt, followed)
    assert (list(map(str, missed)), list(map(str, invented))) == (
        ["deal board QS"],
        ["deal board 6D"],
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pif-paf", "mille", "three-thirteen"])
def test_piles_of_several_packs_are_followed_without_a_press(game: str) -> None:
    """Copies come to lie on a pile that has the same card, yet its hands are cleared."""
    reports = reports_of(game, hands=2, seed=1)
    assert [list(report.differences) for report in reports] == [[], []]
    assert sum(report.counts.presses for report in reports) == 0


@pytest.mark.parametrize("game", ["pai-gow-poker", "seven-and-a-half", "ace-deuce-jack"])
def test_nothing_is_left_where_another_banker_needs_room(game: str) -> None:
    table = {"table": {"game": game, "level": "amounts", "chips": "drawn"}}
    for seed in (121, 131):
        plan = Plan.of(Settings.from_mapping(table), seed=seed, handling="brisk")
        rehearsal = Rehearsal(plan, watches=TruthfulWatcher)
        places, world = plan.places(Plane(rehearsal.table.matrix)), rehearsal.world
        things = [(one.pose.x, one.pose.y) for one in rehearsal.table.clutter]
        rehearsal.close()
        assert len(things) > 6
        for seat in world.state.start.seats:
            start = replace(world.state.start, banker=seat)
            layout = places.layout(world.state.game.open(start))
            middle = np.array(layout.size) / 2
            for place in (*layout.places.values(), *layout.bets.values()):
                low, high = np.reshape(place.bounds, (2, 2))
                beyond = [np.maximum(low - at, at - high).clip(0) for at in middle + things]
                assert min(np.hypot(*one) for one in beyond) > 20, f"{seed}, bank of {seat}"
