"""A card of the same rank is laid exactly on another: the index tells, and a passing hand does not.

On the shrunken picture, the pips of clubs and spades are the same specks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from rules.cards import Card
from tests.knowing import LEFT, SPOTS, VIEW, KnowingReader, Table, card, names
from vision import Box, Frame, Tracker
from vision.find.asked import Asked
from vision.find.discs import Discs
from vision.find.finder import Indices
from vision.read.index_classifier import FACES
from vision.reader import Survey
from vision.scene.items import Item, Pose, chip_item, hand_item
from vision.scene.render import truth
from vision.track import as_before, in_view, prints
from vision.track import tracker as tracking


class Indexed(KnowingReader):
    """The same reader with the indices of the cards in its glances.

    Of the cards in `taken_for`, the index alone looks like another card's.
    """

    taken_for: Mapping[str, str] = {}

    def survey(
        self,
        frame: Frame,
        *,
        regions: Sequence[Box] | None = None,
        scales: Sequence[float] | None = None,
        small: Frame | None = None,
        asked: Asked | None = None,
        discs: Discs | None = None,
    ) -> Survey:
        survey = super().survey(frame, regions=regions, asked=asked)
        glance = survey.glances[0]
        cards = [one for one in truth(self.items, VIEW) if one.card.known]
        seen = [(c.card, i) for c in cards for i in c.indices if i.visible > 0.9]
        indices = Indices(
            np.array([(i.x, i.y) for _, i in seen], np.float32).reshape(-1, 2),
            np.array([i.up for _, i in seen], np.float32).reshape(-1, 2),
            np.array([i.height for _, i in seen], np.float32),
            np.ones(len(seen), np.float32),
        )
        faces = np.array([[face == self._shown(c) for face in FACES] for c, _ in seen], np.float32)
        blur = np.zeros(len(seen), np.float32)
        shown = replace(
            glance, indices=indices, faces=faces.reshape(-1, len(FACES)), blur=blur,
            strange=blur > 0,
        )  # fmt: skip
        whole = {c.outline for c in cards if all(i.visible > 0.9 for i in c.indices)}
        sightings = tuple(
            replace(one, whole=one.outline in whole) for one in survey.reading.sightings
        )
        reading = replace(survey.reading, sightings=sightings)
        return replace(survey, reading=reading, glances=(shown,))

    def _shown(self, face: Card) -> Card:
        return Card.parse(self.taken_for.get(str(face), str(face)))


@pytest.fixture
def table() -> Table:
    table = Table()
    table.reader = Indexed()
    table.tracker = Tracker(table.reader, SPOTS)
    table.show([], frames=12)
    return table


def handled(table: Table, before: Sequence[Item], after: Sequence[Item]) -> list[str]:
    """What lies there once a hand has come over the cards, changed them, and left again."""
    for x in (-500, -350, LEFT.x):
        table.show(before, [hand_item(x, 20)])
    for x in (LEFT.x + 40, -350, -500):
        table.show(after, [hand_item(x, 20)])
    seen = table.show(after, frames=8)
    assert not seen.busy
    return names(seen, "left")


def test_a_card_laid_exactly_on_another_of_its_rank_is_read_by_its_index(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A third smaller than a webcam shows them, the two suits have 0.985 in common.
    monkeypatch.setattr(prints, "ALIKE", 0.99)
    clubs, spades = card("4C", LEFT), card("4S", LEFT)
    table.show([clubs], frames=12)
    assert handled(table, [clubs], [clubs, spades]) == ["4S"]
    monkeypatch.setattr(tracking, "reprinted", lambda *_: None)
    assert handled(table, [clubs, spades], [clubs]) == ["4S"], "the pips hardly differ"


def test_a_card_laid_exactly_on_another_is_read_though_only_a_chip_beside_it_is_noticed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What settles beside it makes the whole spot look as it should, except for the index."""
    monkeypatch.setattr(prints, "ALIKE", 0.99)
    clubs, spades = card("4C", LEFT), card("4S", LEFT)
    table.show([clubs], frames=12)
    chip = chip_item(LEFT.x + 70, LEFT.y, (40, 40, 200))
    assert handled(table, [clubs], [clubs, spades, chip]) == ["4S"]


def test_a_hand_that_passes_over_an_index_changes_no_print(table: Table) -> None:
    four = card("4C", LEFT)
    table.show([four], frames=12)
    reads = table.reader.reads
    assert handled(table, [four], [four]) == ["4C"]
    assert table.reader.reads == reads


@pytest.mark.parametrize("taken_for", [{}, {"JC": "8C"}])
def test_an_index_that_still_shows_unchanged_is_no_other_card(
    table: Table, taken_for: dict[str, str]
) -> None:
    """A king comes over the middle of a jack, whose B is then read as an 8."""
    assert isinstance(table.reader, Indexed)
    table.reader.taken_for = taken_for
    jack, king = card("JC", LEFT), card("KH", Pose(LEFT.x, LEFT.y, 30.0))
    table.show([jack], frames=12)
    eight = ((Card.parse("8C"), 0.997),)
    table.reader.errors = [{} for _ in range(table.reader.reads)] + [{"JC": eight}] * 40
    assert sorted(handled(table, [jack], [jack, king])) == ["JC", "KH"]
    ten = card("TH", Pose(LEFT.x, LEFT.y, -30.0))
    assert "8C" not in handled(table, [jack, king], [jack, king, ten])


@pytest.mark.parametrize(("in_view", "read_as"), [(prints.IN_VIEW, "TC"), (0.9, "KC")])
def test_part_of_an_index_that_still_shows_unchanged_is_no_other_card(
    table: Table, monkeypatch: pytest.MonkeyPatch, in_view: float, read_as: str
) -> None:
    """A jack comes over the middle of a ten's index, the rest of which is read as a king's."""
    monkeypatch.setattr(prints, "IN_VIEW", in_view)
    monkeypatch.setattr(as_before, "STRIP", 0.0)  # else that nothing changed tells as well
    ten, jack = card("TC", LEFT), card("JS", Pose(LEFT.x - 8.8, LEFT.y, LEFT.angle))
    table.show([ten], frames=12)
    assert isinstance(table.reader, Indexed)
    table.reader.taken_for, king = {"TC": "KC"}, ((Card.parse("KC"), 0.99),)
    table.reader.errors = [{} for _ in range(table.reader.reads)] + [{"TC": king}] * 40
    assert sorted(handled(table, [ten], [ten, jack])) == sorted(["JS", read_as])


def test_a_print_that_peeps_out_beside_an_index_is_no_misread_index(table: Table) -> None:
    """A seven is laid on a five, slightly turned: one index of the five shows beside its own."""
    five, seven = card("5D", LEFT), card("7C", Pose(LEFT.x - 4.5, LEFT.y - 1, LEFT.angle + 5.5))
    table.show([five], frames=12)
    assert "7C" in handled(table, [five], [five, seven])


def test_a_card_in_full_view_is_not_the_one_below_though_one_index_hardly_changed(
    table: Table,
) -> None:
    """A five of clubs is laid on one of spades, a little turned around the index of both."""
    spades, clubs = card("5S", LEFT), card("5C", Pose(LEFT.x - 1.1, LEFT.y + 0.9, LEFT.angle + 2))
    table.show([spades], frames=12)
    assert handled(table, [spades], [spades, clubs]) == ["5C"]


def test_a_card_in_full_view_that_both_its_indices_tell_is_what_they_say(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A jack of spades is drawn from one of clubs, squared up: a webcam shows neither index as
    another print, in four colours either."""
    spades, clubs = card("JS", LEFT), card("JC", LEFT)
    table.show([clubs, spades], frames=12)
    monkeypatch.setattr(prints, "ALIKE", 0.0)
    assert handled(table, [clubs, spades], [clubs]) == ["JC"]


def test_a_known_card_that_is_read_with_less_confidence_is_still_there(table: Table) -> None:
    """The topmost card of a messy pile is drawn, and the jack under the next one is in doubt."""
    assert isinstance(table.reader, Indexed)
    jack, nine = card("JH", LEFT), card("9C", Pose(LEFT.x + 17, LEFT.y + 5, 4.0))
    top = card("9D", Pose(LEFT.x + 34, LEFT.y, -3.0))
    table.show([jack], frames=12)
    table.show([jack, nine], frames=12)
    assert sorted(names(table.show([jack, nine, top], frames=12), "left")) == ["9C", "9D", "JH"]
    doubted = ((Card.parse("JH"), 0.89),)
    table.reader.errors = [{} for _ in range(table.reader.reads)] + [{"JH": doubted}] * 60
    assert sorted(handled(table, [jack, nine, top], [jack, nine])) == ["9C", "JH"]


@pytest.mark.parametrize("blank", [prints.BLANK, 0.0])
def test_a_card_drawn_out_from_between_others_is_gone_though_paper_replaces_paper(
    table: Table, monkeypatch: pytest.MonkeyPatch, blank: float
) -> None:
    monkeypatch.setattr(prints, "BLANK", blank)
    monkeypatch.setattr(in_view, "WIPED", 0.9)  # on a smaller picture the strokes are but a shade
    meld = [
        card(name, Pose(LEFT.x + 20.0 * n, LEFT.y)) for n, name in enumerate(("AH", "AC", "AD"))
    ]
    for laid in (1, 2, 3):
        table.show(meld[:laid], frames=12)
    left = handled(table, meld, [meld[0], meld[2]])
    assert sorted(left) == (["AD", "AH"] if blank else ["AC", "AD", "AH"])
