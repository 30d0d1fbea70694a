"""Where a card lies, measured by its picture: exactly there again, or an equal one beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.knowing import VIEW, card
from tests.whereabouts import measured
from vision.picture.geometry import Frame, corners_apart
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render, truth
from vision.sightings import Lying
from vision.track.whereabouts import Portrait, Whereabouts

KING, HALF = Pose(-20.0, 5.0, 12.0), Pose(10.0, 30.0, 12.0)
READ = np.array(((2.0, -1.0), (-1.5, 2.0), (1.0, 1.0), (-2.0, -1.0)))
"""How far each corner of an outline is read from where it is, in pixels."""


def picture(items: Sequence[CardItem], seed: int) -> Frame:
    rng = np.random.default_rng(seed)
    return render(items, Surface(), VIEW, Light(), Lens(noise=3.0), rng=rng)


def lying(items: Sequence[CardItem], name: str, *, whole: bool = True, off: float = 1.0) -> Lying:
    """A card of the scene, as it is read: with an outline that is a little off."""
    (there,) = (one for one in truth(items, VIEW) if str(one.card) == name)
    a, b, c, d = (
        (float(x), float(y)) for x, y in np.asarray(there.outline, np.float64) + off * READ
    )
    return Lying(there.card, 0.99, ((there.card, 0.99),), (a, b, c, d), whole)


def again(
    first: Sequence[CardItem],
    then: Sequence[CardItem],
    *,
    whole: bool = True,
    twins: bool = False,
) -> Lying:
    """The king, measured when he is seen among `then`, after he was seen among the `first`.

    Of `twins`, the last one that lies there is measured, and the other is not reported.
    """
    where = Whereabouts()
    before = where.measured([lying(first, "KH")], (), picture(first, 1))
    assert before[0].measured
    now = [lying(then[-1:] if twins else then, "KH", whole=whole, off=-1.0)]
    now += [lying(then, str(one.card)) for one in then if str(one.card) != "KH"]
    return where.measured(now, (), picture(then, 2))[0]


def jumped(one: Lying) -> float:
    """How far its place is from where the king lay first, in shorter sides."""
    return corners_apart(lying([card("KH", KING)], "KH").outline, one.outline)


def test_a_card_that_comes_to_light_again_lies_exactly_where_it_lay() -> None:
    one = again([card("KH", KING)], [card("KH", KING)])
    assert one.measured
    assert jumped(one) == 0.0


@pytest.mark.parametrize("away", [0.6, 1.5, 4.0])
def test_an_equal_card_laid_there_lies_as_far_away_as_it_was_laid(away: float) -> None:
    one = again([card("KH", KING)], [card("KH", Pose(KING.x + away, KING.y, KING.angle))])
    assert one.measured
    assert jumped(one) == pytest.approx(away / 63, abs=0.004)


@pytest.mark.parametrize("away", [10.0, 20.0, 45.0])
def test_a_card_is_known_to_have_been_pushed_by_what_shows_where_it_lay(away: float) -> None:
    pushed = card("KH", Pose(KING.x + away, KING.y, KING.angle))
    assert again([card("KH", KING)], [pushed]).displaced
    laid = again([card("KH", KING)], [card("KH", KING), pushed], twins=True)
    assert laid.measured
    assert not laid.displaced


def test_where_too_little_shows_nothing_tells_that_a_card_was_pushed() -> None:
    near = again([card("KH", KING)], [card("KH", Pose(KING.x + 0.6, KING.y, KING.angle))])
    assert not near.displaced


def test_a_card_of_which_another_covers_a_part_is_measured_by_the_rest() -> None:
    one = again([card("KH", KING)], [card("KH", KING), card("4S", HALF)], whole=False)
    assert one.measured
    assert jumped(one) == 0.0


def test_a_card_that_lies_under_it_hides_nothing_of_it_wherever_it_is_read() -> None:
    """Of a five, only a strip was in view, on which a king was read that lay below it."""
    where, nine = Whereabouts(), card("9C", Pose(KING.x + 8, KING.y + 8, 5.0))
    pile = [nine, card("KH", KING)]
    under = lying(pile, "9C", whole=False)
    before = where.measured([lying(pile, "KH"), under], (), picture(pile, 1))
    pile = [*pile, card("4S", Pose(KING.x + 18, KING.y - 2, 12.0))]
    elsewhere = lying([card("9C", KING)], "9C", whole=False)
    now = [lying(pile, "KH", whole=False, off=-3.0), elsewhere, lying(pile, "4S")]
    one = where.measured(now, before, picture(pile, 2))[0]
    assert one.measured
    assert jumped(one) == 0.0


def test_a_card_whose_index_was_read_much_too_large_lies_where_it_lay() -> None:
    """Another was taken off it and one beside it, which covers a half, is still there."""
    where, king, four = Whereabouts(), card("KH", KING), card("4S", HALF)
    (alone,) = where.measured([lying([king], "KH")], (), picture([king], 1))
    x, y = alone.outline[0]
    large = tuple((x + 1.9 * (a - x), y + 1.3 * (b - y)) for a, b in alone.outline)
    read = replace(alone, outline=large, measured=False)
    (one, _) = where.measured([read, lying([four], "4S")], (), picture([king, four], 2))
    assert one.measured
    assert one.outline == alone.outline


def test_where_nothing_fits_the_outline_stays_as_it_was_read() -> None:
    """What is read as the king is another card."""
    where = Whereabouts()
    first, other = [card("KH", KING)], [card("9C", KING)]
    where.measured([lying(first, "KH")], (), picture(first, 1))
    read = lying(first, "KH", off=-1.0)
    (one,) = where.measured([read], (), picture(other, 2))
    assert one == read


def test_an_equal_card_laid_on_a_half_covered_one_is_measured() -> None:
    """The reader's outline says that it lies where the other lay."""
    where, four, king = Whereabouts(), card("4S", HALF), card("KH", KING)
    (alone,) = where.measured([lying([king], "KH")], (), picture([king], 1))
    under = replace(alone, whole=False)
    both = [under, lying([four], "4S")]
    before = where.measured(both, [alone], picture([king, four], 2))
    assert before[0] == under
    bared = where.measured([alone], before, picture([king], 3))
    assert bared[0].outline == alone.outline
    other = card("KH", Pose(KING.x + 1.2, KING.y, KING.angle))
    after = where.measured([alone, before[1]], before, picture([king, four, other], 3))
    assert jumped(after[0]) == pytest.approx(1.2 / 63, abs=0.004)


def test_an_equal_card_beside_it_is_not_measured_as_lying_where_it_lies() -> None:
    """Of two kings in a meld, the picture of the first one fits the first one best."""
    where, beside = Whereabouts(), card("KH", Pose(KING.x + 24, KING.y - 3, KING.angle + 2))
    (first,) = where.measured([lying([card("KH", KING)], "KH")], (), picture([card("KH", KING)], 1))
    second = replace(lying([beside], "KH"), whole=False)
    now = picture([beside, card("KH", KING)], 2)
    one, two = where.measured([first, second], [first], now)
    assert one == first
    assert corners_apart(two.outline, second.outline) < 0.05


def test_a_card_is_not_measured_where_one_that_looks_like_it_lies_over_it() -> None:
    """In gray, the five of clubs fits the five of diamonds that was laid on it askew."""
    where, clubs = Whereabouts(), card("5C", KING)
    (alone,) = where.measured([lying([clubs], "5C")], (), picture([clubs], 1))
    diamonds = card("5D", Pose(KING.x + 2, KING.y - 3, KING.angle + 14))
    both = [clubs, diamonds]
    read = replace(alone, measured=False, outline=tuple((x - 1, y + 1) for x, y in alone.outline))
    _, again = where.measured([lying(both, "5D"), read], (), picture(both, 2))
    assert corners_apart(again.outline, alone.outline) < 0.05


def test_a_card_that_was_there_before_is_not_measured_again() -> None:
    where, first = Whereabouts(), [card("KH", KING)]
    read = lying(first, "KH")
    assert where.measured([read], [read], picture(first, 1)) == (read,)


def test_a_webcam_tells_a_third_of_a_millimetre() -> None:
    found = list(measured(40))
    assert {one.away == 0.0 for one in found} == {True, False}
    assert all(one.told is not None and one.missed < 0.005 for one in found)
    assert all((one.told == 0.0) is (one.away == 0.0) for one in found)


@pytest.mark.parametrize(("away", "there"), [(3.0, True), (7.0, False), (63.0, False)])
def test_a_picture_that_fits_elsewhere_is_not_believed(
    away: float, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fingers beside a strip of an ace: its picture seemed to fit a card's width away.

    A seven's that came to light under a three that was being drawn fitted some millimetres off.
    """
    where, first = Whereabouts(), [card("KH", KING)]
    where.measured([lying(first, "KH")], (), picture(first, 1))
    found = lying([card("KH", Pose(KING.x + away, KING.y, KING.angle))], "KH").outline
    monkeypatch.setattr(Portrait, "moved", lambda *_: found)
    read = lying(first, "KH", off=-1.0)
    (one,) = where.measured([read], (), picture(first, 2))
    assert one.outline == (found if there else read.outline)
