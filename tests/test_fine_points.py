"""Fine points at which a small slip in the source would go unnoticed elsewhere."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.console.book import Book
from firmware.display.pads import UNBOUNDED, Amounts, Key
from firmware.display.prompts import Option
from firmware.floor.tables import LIST_MOST, clean
from firmware.follow.choices import RANGE_MOST, options_of
from firmware.follow.deciding import IRREGULAR_AFTER_S
from firmware.follow.hypotheses import doubled
from firmware.follow.tops import Top
from firmware.store.journal import Journal
from firmware.store.spare import Spare
from firmware.table.layout import Layout
from firmware.table.place import VIEW_MM
from hardware.films import FilmSource
from rules.acts import Act, Verb
from rules.cards import BACK, Card, Deck, Rank, parse_cards
from rules.errors import ActError
from rules.games import find_game
from rules.games.ace_deuce_jack import AceDeuceJack
from rules.games.guts import FLAVOR, Guts
from rules.match import Hand
from rules.poker.sixes import Called, combination
from rules.start import Start
from rules.violations import Ruling
from tests.console_desk import PicturedFelt
from tests.felt import Felt
from tests.knowing import VIEW, KnowingReader, card
from tests.panguingue import after
from tests.play import play_hand, start_for
from vision.backs.heaps import Explanation
from vision.backs.parts import centred
from vision.decide import card_classifier
from vision.decide.inventory import Inventory
from vision.find import outlines
from vision.find.asked import Asked
from vision.find.discs import Discs
from vision.find.finder import Indices
from vision.join.corners import at_bare_corner
from vision.join.joined import Joined
from vision.picture.geometry import Box, Frame, Polygon
from vision.read.glances import Glance
from vision.read.patches import INDEX, WIDTH, cut
from vision.reader import Survey
from vision.scene.items import Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import Canvas
from vision.sightings import Lying
from vision.track import light
from vision.track.consensus import nearest
from vision.track.surveying import HALF_INDEX
from vision.track.tracker import Tracker

# Rules.


@pytest.mark.parametrize("line", ["turn left ?H", "deal left ?H", "turn left JOKER"])
def test_a_pile_is_turned_up_to_a_card_whose_rank_is_known(line: str) -> None:
    game = AceDeuceJack()
    state = game.open(start_for(game))
    with pytest.raises(ActError, match="the rank counts"):
        state.verify(Act.parse(line))


def test_what_could_not_be_shared_spares_nobody_the_next_ante() -> None:
    game = Guts()
    start = start_for(game, pot=1)
    assert game.open(start).anted
    assert not game.open(start.noting(**{FLAVOR: "yes"})).anted


def test_a_misdeal_is_forgotten_together_with_the_violation_that_it_was_called_for() -> None:
    lines = ["deal board QS", "deal board 5D", "deal banker 7C", "2 bet 50 QS", "rule 4 misdeal"]
    start = Start(seats=(1, 2, 3), banker=1, limits=(1, 20))
    hand = Hand(find_game("ziginette"), start, [Act.parse(line) for line in lines])
    voids = [hand.state.void]
    hand.correct(4, Act.parse("2 bet 5 QS"))
    assert [*voids, hand.state.void] == [True, False]
    assert [violation.ruling for violation in hand.state.violations] == [Ruling.CORRECT]


@pytest.mark.parametrize(
    ("cards", "alike"), [("QC QD QH QS 2D 9C", True), ("QC QD QH 6S 2D 9C", False)]
)
def test_five_of_a_kind_are_four_of_a_rank_and_a_wild_one(cards: str, alike: bool) -> None:
    found = combination(parse_cards(cards), Rank.TWO)
    assert (found is not None and found.kind is Called.FIVE_ALIKE) is alike


def test_a_player_who_pays_owes_no_more_and_the_others_still_do() -> None:
    meld = "3 draw stock 5S|3 meld 5S 5S 5S"
    owed = after(meld).owed
    payer, payee, due = owed[-1]
    assert len(owed) == 2
    assert after(meld, f"{payer} pay {payee} {due}").owed == owed[:-1]


# Firmware.


def opened(option: Option) -> tuple[Option, ...]:
    assert option.opens is not None
    return tuple(option.opens().options)


def test_an_amount_without_a_bound_goes_up_to_a_multiple_of_the_least_one() -> None:
    felt = Felt("ziginette")
    amounts = Amounts(10, UNBOUNDED, (10, 20), "2 bet {amount} QS")
    (option,) = options_of(felt.loop.state, [Key("bet", amounts=amounts, seat=2)])
    *_, other = opened(option)
    *_, last = opened(other)
    assert last.phrase["greatest"] == 10 * RANGE_MOST


def test_nothing_has_happened_only_if_every_top_looks_like_the_pile() -> None:
    felt = Felt("three-thirteen", seats=3)
    state = felt.loop.state
    (shown,) = state.spots["discards"].shows(state.table) or (None,)
    same, other = Top(shown), Top(Card.parse("9H"))
    assert doubled(state, "discards", []) is True
    assert doubled(state, "discards", [same, other]) is False
    assert doubled(state, "discards", [same, replace(other, perhaps=True)]) is (shown is not None)


@pytest.mark.parametrize(("end", "whole"), [("", True), ("{}\n", True), ("{}\n{", False)])
def test_a_line_that_was_cut_short_is_not_continued(tmp_path: Path, end: str, whole: bool) -> None:
    spare = Spare(tmp_path / "journal")
    spare.path.write_text(end)
    assert spare.ends_whole() is whole


def test_lists_that_a_broker_sends_are_cut() -> None:
    told = clean(json.dumps({"status": "waiting", "awaited": [1] * (LIST_MOST + 1)}).encode())
    assert told is not None
    assert told["awaited"] == [1] * LIST_MOST


# Vision.


def test_of_two_nearby_readings_of_one_card_the_one_on_the_other_is_kept() -> None:
    def at(card: str, x: float) -> Lying:
        outline = ((x, 0.0), (x + 10.0, 0.0), (x + 10.0, 14.0), (x, 14.0))
        return Lying(Card.parse(card), 1.0, ((Card.parse(card), 1.0),), outline)

    nearer, alike = at("9H", 1.0), at("QS", 2.0)
    assert nearest([nearer, alike], at("QS", 0.0)) is alike


def test_an_area_is_explained_only_when_nothing_of_it_is_left() -> None:
    assert not Explanation((), 0.0).complete
    laid = (object(),)
    assert Explanation(laid, 0.01).complete  # type: ignore[arg-type]
    assert not Explanation(laid, 0.5).complete  # type: ignore[arg-type]


def test_backs_are_counted_separately_from_the_cards_of_a_deck() -> None:
    deck = Deck(parse_cards("7C 8C"))
    verdict = Inventory((*parse_cards("7C 8C"), BACK, BACK)).against(deck)
    assert verdict.foreign == ()
    assert verdict.seen == 2
    assert verdict.face_down == 2


def test_a_round_outline_is_not_a_card() -> None:
    frame = np.full((720, 1280, 3), 60, np.uint8)
    cv2.ellipse(frame, (400, 360), (90, 130), 0, 0, 360, (240, 240, 240), -1)
    cv2.rectangle(frame, (800, 250), (960, 470), (240, 240, 240), -1)
    found = outlines.outlines(frame)
    assert [round(float(np.mean(corners, axis=0)[0]), -2) for corners in found] == [900.0]


def test_a_nearly_square_spot_reads_left_to_right() -> None:
    square = Polygon(((0, 0), (100, 0), (100, 101), (0, 101)))
    assert square.axis == pytest.approx((1, 0), abs=1e-6)
    tall = Polygon(((0, 0), (100, 0), (100, 120), (0, 120)))
    assert tall.axis == pytest.approx((0, 1), abs=1e-6)


# Hardware.


class Stamped:
    """A film whose pictures have these timestamps, in milliseconds."""

    def __init__(self, *stamps: float) -> None:
        self.stamps, self.number = stamps, 0

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def read(self) -> tuple[bool, np.ndarray]:
        self.number += 1
        return self.number <= len(self.stamps), np.zeros((4, 4, 3), np.uint8)

    def get(self, what: int) -> float:
        stamp = self.stamps[min(self.number, len(self.stamps)) - 1]
        return {cv2.CAP_PROP_POS_MSEC: stamp, cv2.CAP_PROP_FPS: 25.0}.get(what, 0.0)

    def release(self) -> None: ...


def test_pictures_of_a_film_never_have_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = tmp_path / "film.avi"
    film.write_bytes(b"film")
    monkeypatch.setattr(cv2, "VideoCapture", lambda _: Stamped(0, 40, 40, 80.5))
    source = FilmSource(film)
    source.open()
    times = [source.read().time_s for _ in range(4)]
    assert times == pytest.approx([0, 0.04, 0.08, 0.0805])


def upright(members: tuple[int, ...], agreement: float | None = None) -> Joined:
    corners = np.array([(-8, -15), (68, -15), (68, 90), (-8, 90)], np.float32)
    up = np.array([0, -1], np.float32)
    return Joined(members, np.zeros(53, np.float32), corners, up, agreement)


@pytest.mark.parametrize(("turn", "there"), [(0, True), (180, True), (45, False)])
def test_an_index_at_a_bare_corner_stands_as_the_card_does(turn: float, there: bool) -> None:
    ups = [(0, -1), (0, 1), (np.sin(np.radians(turn)), -np.cos(np.radians(turn)))]
    indices = Indices(
        np.array([(0, 0), (60, 75), (60, 0)], np.float32),
        np.array(ups, np.float32),
        np.full(3, 20, np.float32),
        np.ones(3, np.float32),
    )
    assert at_bare_corner(upright((0, 1), 0.9), indices, 2) is there


def test_two_ends_of_one_card_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sure:
        def read(self, *_: object) -> tuple[None, np.ndarray]:
            return None, np.zeros(1, np.float32)

    pair = upright((0, 1))
    monkeypatch.setattr(card_classifier, "paired_ends", lambda *_: [pair])
    opinions = card_classifier.SecondOpinions(np.zeros((9, 9, 3), np.uint8), (), Sure())  # type: ignore[arg-type]
    cards = [upright((0,)), upright((1,)), upright((2,))]
    found = opinions._joined_ends(cards, Indices.none(), np.zeros((0, 53), np.float32))
    assert [one.members for one in found] == [(2,), (0, 1)]


def test_two_clear_readings_that_differ_are_two_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A queen laid over an eight looked like one square card with an index of each."""

    class Sure:
        def read(self, *_: object) -> tuple[None, np.ndarray]:
            return None, np.zeros(1, np.float32)

    def single(number: int, face: int, share: float) -> Joined:
        shown = np.zeros(53, np.float32)
        shown[face] = share
        return replace(upright((number,)), faces=shown)

    monkeypatch.setattr(
        card_classifier, "paired_ends", lambda *_: [replace(upright((0, 1)), agreement=0.0)]
    )
    opinions = card_classifier.SecondOpinions(np.zeros((9, 9, 3), np.uint8), (), Sure())  # type: ignore[arg-type]
    for share, found in ((0.99, 2), (0.6, 1)):
        cards = [single(0, 3, 0.99), single(1, 7, share)]
        none = np.zeros((0, 53), np.float32)
        assert len(opinions._joined_ends(cards, Indices.none(), none)) == found


@pytest.mark.parametrize(("wide", "high"), [(58.0, 104.0), (104.0, 58.0)])
def test_a_card_is_centred_on_its_outline(wide: float, high: float) -> None:
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    sides = np.ptp(centred(corners, (60.0, 100.0)), axis=0)
    assert sides == pytest.approx((60, 100) if wide < high else (100, 60))


def test_a_second_slip_has_to_lie_as_long_as_the_first() -> None:
    felt = Felt("ziginette")
    felt.lay("board", "QS", "5D")
    felt.lay("banker", "7C")
    felt.lay("board", "QD")
    felt.take("board", "5D", seconds=0.8 * IRREGULAR_AFTER_S)
    felt.take("banker", "7C", seconds=0.6 * IRREGULAR_AFTER_S)
    assert felt.rules_broken == []


def test_a_moved_place_stays_within_the_table_on_either_side() -> None:
    game = find_game("ziginette")
    start = start_for(game)
    for far in (-9999.0, 9999.0):
        placed = Layout.for_game(game.spots(start), start.seats, moved={"board": (far, 0.0)})
        left, _, right, _ = placed.places["board"].bounds
        assert left >= 0
        assert right <= VIEW_MM[0]


def test_white_paper_on_a_dark_cloth_is_not_mistaken_for_overexposure() -> None:
    small = np.full((4, 4, 3), 255, np.uint8)
    cloth, paper = np.full((4, 4, 3), 50, np.uint8), np.full((4, 4, 3), 252, np.uint8)
    lit = np.full((4, 3), 1.2, np.float32)
    assert light._without(small, lit, cloth).min() > 200
    assert light._without(small, lit, paper).min() == 252


def test_what_was_shown_in_belote_is_not_asked_for_again() -> None:
    shown = 0
    for seed in range(200):
        game = find_game("belote")
        for state in play_hand(game, start_for(game), random.Random(seed)):
            if not state.acts or state.acts[-1].verb is not Verb.SHOW:
                continue
            shown += 1
            (seat, cards) = state.acts[-1].seat, set(state.acts[-1].cards)
            asked = [one for one in state.turn if one.verb is Verb.SHOW and one.seats == (seat,)]
            assert [one for one in asked if set(one.among or ()) <= cards] == []
        if shown > 3:
            return
    assert shown > 0


def test_a_correction_that_removes_an_act_removes_its_mark_too(tmp_path: Path) -> None:
    felt = PicturedFelt("ziginette", journal=Journal(tmp_path / "a.journal"))
    book = Book(tmp_path / "a.journal")
    felt.lay("board", "QS", "5D")
    felt.type("deal banker 7C")
    felt.loop.ledger.correct(1, None)
    book.follow()
    assert [step.mark.by for step in book.steps(book.hands[0]) if step.mark] == ["camera", "typed"]


@pytest.mark.parametrize("times", [2, 3])
def test_an_index_of_any_size_is_cut_out_centred(times: int) -> None:
    """On a brightness gradient the middle of a patch is as bright as its place in the picture."""
    slope = np.tile(2 * np.arange(120, dtype=np.float32), (120, 1))
    frame = np.repeat(slope[..., None], 3, axis=2).astype(np.uint8)
    index = Indices(
        np.array([[60.0, 60.0]], np.float32),
        np.array([[0.0, -1.0]], np.float32),
        np.array([times * INDEX], np.float32),
        np.ones(1, np.float32),
    )
    (patch,) = cut(frame, index)
    middles = patch[:, WIDTH // 2 - 1 : WIDTH // 2 + 1].astype(float)
    assert middles.mean() == pytest.approx(120, abs=0.3)


class Noting(KnowingReader):
    """Notes what it is asked to read again."""

    def again(
        self,
        frame: Frame,
        glance: Glance,
        changed: Sequence[Box],
        *,
        small: Frame | None = None,
        asked: Asked | None = None,
        discs: Discs | None = None,
    ) -> Survey:
        self.changed = [*changed]
        return super().again(frame, glance, changed, small=small, asked=asked)


def test_the_area_read_again_extends_half_an_index_around_the_change() -> None:
    """So that an index whose edge alone changed is read whole."""

    def width(index_height: float) -> float:
        canvas, reader = Canvas(VIEW, Surface(), Light(), Lens(), seed=3), Noting()
        reader.index_height = index_height
        tracker = Tracker(reader, {"board": Polygon.rectangle(100, 60, 760, 420)})
        lying = [card("7D", Pose(-200, 0))]
        for frame in range(16):
            if frame == 8:
                lying.append(card("QS", Pose(150, 0)))
            canvas.settle(lying)
            reader.items = lying
            tracker.update(canvas.frame([]), 0.1 * frame)
        (box,) = reader.changed
        return box.width

    assert width(30.0) - width(20.0) == pytest.approx(2 * HALF_INDEX * 10, abs=1)
