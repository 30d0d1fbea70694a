"""Looking again only at what changed gives the same result as looking at everything."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from firmware.rehearsal.setting import AREA, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import Card, parse_cards
from tests.draws import mostly_nightly
from tests.knowing import looked_at, lying
from tests.lasting import lower_right_index, together, upper_left_index
from vision.find.finder import Areas, Indices
from vision.picture.geometry import Box, Floats, Frame
from vision.picture.plane import Plane
from vision.read.glances import Glance, nothing
from vision.read.index_classifier import FACES
from vision.reader import CardReader
from vision.scene.items import Pose
from vision.track.corners import indices_of
from vision.track.in_view import placed
from vision.track.surveying import _other_ends
from vision.track.zones import Look, Site

ROW = parse_cards("QS 5D 7C AH 2S KD")


def board(seed: int) -> tuple[Tabletop, CardReader, Box]:
    table = Tabletop(setting(seed=seed), seed=seed)
    plane = Plane(table.matrix)
    reader = CardReader(index_height=17.0 * plane.scale((AREA[0] / 2, AREA[1] / 2)))
    return table, reader, Box(0, 0, 1920, 1080)


def around(before: Frame, now: Frame) -> Box:
    rows, columns = np.nonzero(np.abs(before.astype(int) - now).max(axis=2) > 40)
    return Box.around(
        [(float(columns.min()), float(rows.min())), (float(columns.max()), float(rows.max()))],
        margin=16,
    )


@pytest.mark.parametrize("seed", mostly_nightly([1, 2, 5], 5))
def test_a_card_laid_over_a_row_is_read_from_the_changed_part_alone(seed: int) -> None:
    table, reader, whole = board(seed)
    now = 0.0
    for place, card in enumerate(ROW[:-1]):
        now = table.bring(table.piece(card), Pose(300.0 + 26 * place, 300.0), now=now)
    before = table.frame(now + 1)
    first = reader.survey(before, regions=[whole])
    now = table.bring(table.piece(ROW[-1]), Pose(300.0 + 26 * 5, 300.0), now=now + 1)
    after = table.frame(now + 1)
    again = reader.again(after, first.glances[0], [around(before, after)])
    fresh = reader.survey(after, regions=[whole])
    assert Counter(again.reading.cards) == Counter(fresh.reading.cards) == Counter(ROW)
    for one in fresh.reading.sightings:
        twin = min(
            again.reading.sightings,
            key=lambda seen: abs(np.subtract(seen.centre, one.centre)).sum(),
        )
        assert twin.card == one.card
        assert np.allclose(twin.centre, one.centre, atol=8)


def test_what_was_taken_away_is_gone_from_the_look() -> None:
    one = np.ones(2, np.float32)
    indices = Indices(
        np.array([(10.0, 10.0), (80.0, 80.0)], np.float32),
        np.array([(0.0, -1.0), (0.0, -1.0)], np.float32), 20 * one, 0.9 * one,
    )  # fmt: skip
    field = np.ones((25, 25), np.float32)
    box = Box(0, 0, 100, 100)
    faces = np.eye(2, 53, dtype=np.float32)
    glance = Glance(indices, faces, 0.05 * one, one < 0, Areas(field, 0 * field, box, 0.25))
    bare = Glance(
        Indices.none(), np.zeros((0, 53), np.float32), np.zeros(0, np.float32),
        np.zeros(0, np.bool_),
        Areas(np.zeros((15, 15), np.float32), np.zeros((15, 15), np.float32),
              Box(40, 40, 60, 60), 0.25),
    )  # fmt: skip
    left = glance.renewed([(Box(60, 60, 40, 40), bare)])
    assert left.indices.centres.tolist() == [[10.0, 10.0]]
    assert np.array_equal(left.faces, faces[:1])
    assert left.areas.face[:15].all(), "what did not change stays"
    assert not left.areas.face[15:, 15:].any(), "what changed is as it is now"


def test_whole_faces_are_not_read_again_if_nothing_changed() -> None:
    table, reader, whole = board(1)
    now = 0.0
    for place, card in enumerate(ROW[:4]):
        # A card face down hides one of the indices, and much of the face stays visible.
        now = table.bring(table.piece(card), Pose(300.0 + 200 * place, 300.0), now=now)
        now = table.bring(table.piece(card, up=False), Pose(336.0 + 200 * place, 352.0), now=now)
    frame = table.frame(now + 1)
    first = reader.survey(frame, regions=[whole])
    told = dict(first.glances[0].opinions)
    assert len(told) == 4
    corner = Box(1700, 900, 100, 100)
    second = reader.again(frame, first.glances[0], [corner])
    assert dict(second.glances[0].opinions).keys() == told.keys()
    assert all(second.glances[0].opinions[key] is opinion for key, opinion in told.items())
    assert second.reading.cards == first.reading.cards


@pytest.mark.parametrize("apart", [-0.6, -0.2, 0.2, 0.6])
@pytest.mark.parametrize("edge", [40, 60])
def test_an_index_on_the_border_of_what_changed_is_neither_lost_nor_doubled(
    apart: float, edge: int
) -> None:
    def seen(x: float) -> Glance:
        field = np.zeros((25, 25), np.float32)
        one = np.ones(1, np.float32)
        indices = Indices(
            np.array([(x, 50.0)], np.float32), np.array([(0.0, -1.0)], np.float32),
            20 * one, 0.9 * one,
        )  # fmt: skip
        areas = Areas(field, field, Box(0, 0, 100, 100), 0.25)
        return Glance(indices, np.eye(1, 53, dtype=np.float32), 0.05 * one, one < 0, areas)

    box = Box(40, 20, 20, 60)
    old, fresh = seen(edge + apart), seen(edge - apart)
    assert len(old.renewed([(box, fresh)]).indices) == 1


@pytest.mark.parametrize(("found_again", "left"), [(False, ["AC"]), (True, ["2S", "AC"])])
def test_print_beside_a_fresh_index_is_gone_unless_it_is_found_again(
    found_again: bool, left: list[str]
) -> None:
    """An ace laid on a two of the other black suit leaves the two's place as it was, from afar."""

    def seen(places: dict[str, float]) -> Glance:
        field = np.zeros((25, 25), np.float32)
        one = np.ones(len(places), np.float32)
        centres = np.array([(x, 50.0) for x in places.values()], np.float32)
        indices = Indices(centres, np.stack((0 * one, -one), axis=1), 20 * one, 0.9 * one)
        faces = np.eye(53, dtype=np.float32)[[FACES.index(Card.parse(name)) for name in places]]
        areas = Areas(field, field, Box(0, 0, 100, 100), 0.25)
        return Glance(indices, faces, 0.05 * one, one < 0, areas)

    fresh = seen({"AC": 54.5} | ({"2S": 50.5} if found_again else {}))
    renewed = seen({"2S": 50.0}).renewed([(Box(55, 20, 40, 60), fresh)])
    assert sorted(str(FACES[face]) for face in renewed.faces.argmax(axis=1)) == left


def test_a_plain_card_outside_what_changed_stays_and_one_inside_is_as_it_is_now() -> None:
    def outline(x: float) -> Floats:
        return np.asarray([(x, 20), (x + 30, 20), (x + 30, 60), (x, 60)], np.float32)

    def seen(*outlines: Floats) -> Glance:
        field = np.zeros((25, 25), np.float32)
        return replace(nothing(Areas(field, field, Box(0, 0, 100, 100), 0.25)), plain=outlines)

    beside, gone, come = outline(10), outline(60), outline(66)
    # The box cuts into the adjacent card, of which a look at the box shows only a part.
    left = seen(beside, gone).renewed([(Box(35, 0, 65, 100), seen(come, outline(0)))])
    assert [one[0, 0] for one in left.plain] == [10, 66]


def test_of_two_cards_taken_at_once_neither_is_seen_again_by_the_other_s_look() -> None:
    """Each place is read by itself; the other card still belongs to what is known of the rest.

    The place that settles last must not bring the other one's card back.
    """
    table = looked_at()
    tracker, zone = table.tracker, table.tracker._zones[0]
    box, part, scale = zone.box, zone.part, tracker._scale
    places = [(box.x + 40.0, box.y + 40.0), (box.x + box.width - 40.0, box.y + 150.0)]
    bare = nothing(Areas(np.zeros((9, 9), np.float32), np.zeros((9, 9), np.float32), box, 0.25))

    def of(which: list[int]) -> Glance:
        centres = np.array([places[n] for n in which], np.float32).reshape(-1, 2)
        ones, ups = np.ones(len(which), np.float32), np.zeros_like(centres)
        faces = np.eye(2, 53, dtype=np.float32)[which]
        return replace(
            bare,
            indices=Indices(centres, ups, 20 * ones, ones),
            faces=faces,
            blur=ones,
            strange=ones < 0,
        )

    zone.glance = of([0, 1])
    for number, (x, y) in enumerate(places):
        shown = np.zeros(zone.mask.shape, np.uint8)
        across, down = round(x * scale) - part[1].start, round(y * scale) - part[0].start
        shown[max(0, down - 3) : down + 3, max(0, across - 3) : across + 3] = 255
        look = Look(table.canvas.frame(), 0.0, shown, (), (of([1 - number]),))
        tracker._settler.remember(zone, Site.of(shown), look, scale, whole=number == 1)
    assert zone.glance is not None
    assert len(zone.glance.indices) == 0


@pytest.mark.parametrize("covered", [0.9, 0.3])
def test_where_one_index_of_a_card_changed_its_other_one_is_read_again(covered: float) -> None:
    """A two was drawn from a pile: a pip came into view where its upper index had been, too like it
    for a change, and what had been read there before was a two that still lay in the pile."""
    table = looked_at()
    tracker, zone = table.tracker, table.tracker._zones[0]
    scale = tracker._scale
    two = lying("2S", zone.box.x + 80.0, zone.box.y + 90.0)
    zone.lying = (two,)
    zone.glance = together(upper_left_index(two), lower_right_index(two))
    shown = np.zeros(zone.mask.shape, np.uint8)
    _, lower = indices_of(zone, two)
    part, place = placed(zone, scale, lower)
    down = part[0].start + np.flatnonzero(place.any(axis=1))
    changed = down[: max(1, round(covered * len(down)))]
    shown[changed[0] : changed[-1] + 1, part[1]] = 255
    beyond = list(_other_ends(zone, shown, scale))
    assert len(beyond) == (covered > 0.5)
    nothing_there = zone.glance.chosen(np.zeros(2, np.bool_))
    look = Look(table.canvas.frame(), 0.0, shown, (), (nothing_there,), tuple(beyond))
    tracker._settler.remember(zone, Site.of(shown), look, scale, whole=False)
    assert zone.glance is not None
    assert len(zone.glance.indices) == (covered < 0.5)
