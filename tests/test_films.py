"""Real and semi-real films, followed by the whole appliance."""

from __future__ import annotations

from itertools import islice, pairwise
from math import inf
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.acts import Act
from rules.cards import Card
from tests.draws import mostly_nightly
from tests.films.cutting import filmed_hand, photographed, wanted
from tests.films.following import Commit, Following, follow
from tests.films.noise import film, measured
from tests.films.outcome import Job, Outcome, logged, report
from tests.films.real import SOON_S, read, rests
from tests.films.semireal import Lay, Rest, SemiReal, made
from tests.films.sources import FILMS, films, folder

semi_real = pytest.mark.skipif(bool(wanted()), reason=wanted() or "all there")
real = pytest.mark.skipif(folder(FILMS) is None, reason=f"films needed: {FILMS} must name a folder")


FILMED = ["hands_black.avi", "hands_card.mp4"]
HANDS = pytest.mark.parametrize("name", FILMED)
AN_ACE_S = 8.3
"""By then the film of four cards has shown its first one, slid in and pushed under fingers."""
FIRST_S = 0.8
"""Length of such a film that the ordinary run looks at."""


@real
@pytest.mark.parametrize("name", mostly_nightly(FILMED, "hands_card.mp4"))
def test_hands_that_move_other_things_are_no_card_and_no_back(name: str) -> None:
    there = folder(FILMS)
    assert there is not None
    assert read(there / name, FIRST_S) == []


@real
@pytest.mark.slow
@HANDS
def test_hands_that_move_other_things_are_never_read_as_a_card_in_a_whole_film(name: str) -> None:
    there = folder(FILMS)
    assert there is not None
    assert read(there / name) == []


@real
@pytest.mark.slow
@HANDS
def test_hands_over_a_table_of_unknown_size_are_no_card_either(name: str) -> None:
    there = folder(FILMS)
    assert there is not None
    assert read(there / name, calibrated=False) == []


@real
@pytest.mark.parametrize("calibrated", mostly_nightly([True, False], True))
@pytest.mark.parametrize("until_s", mostly_nightly([AN_ACE_S, inf], AN_ACE_S))
def test_the_four_cards_of_a_real_film_are_read_correctly_and_none_is_invented(
    until_s: float, calibrated: bool
) -> None:
    there = folder(FILMS)
    assert there is not None
    path = there / "sueca.mp4"
    due = {card: time_s for card, time_s in rests(path).items() if time_s + SOON_S <= until_s}
    assert list(map(str, due)) == ["AS", "3C", "9S", "6D"][: len(due)]
    found = {one.card: one.time_s for one in read(path, until_s, calibrated=calibrated)}
    assert found.keys() == due.keys()
    assert max(found[card] - due[card] for card in due) <= SOON_S


PICTURES = 40
"""Number of a film's pictures from which its noise is measured."""


def gaps_ms(path: Path) -> list[float]:
    """The times between the pictures of a film."""
    return [1000 * (later - earlier) for (earlier, _), (later, _) in pairwise(film(path))]


@pytest.mark.slow
@real
def test_the_noise_of_real_films_can_be_measured() -> None:
    paths = {path.name: path for path in films()}
    hands = measured(islice(film(paths["hands_black.avi"]), PICTURES))
    assert 0.1 < float(np.median(hands.sigma[64])) < 1.0
    assert float(np.median(hands.gaps)) == pytest.approx(41.7, abs=0.1)
    assert 100 * float((np.array(gaps_ms(paths["sueca.mp4"])) > 50).mean()) > 30


@semi_real
def test_a_photographed_deck_has_every_card_once() -> None:
    deck = photographed()
    assert len(deck) == 52
    assert list(map(str, deck))[:2] == ["KH", "QH"]
    # The five of hearts is red in its middle, the five of clubs is black.
    middles = [
        deck[Card.parse(card)][160:196, 110:144, :3].mean(axis=(0, 1)) for card in ("5H", "5C")
    ]
    assert middles[0][2] > middles[0][1] + 40
    assert max(middles[1]) - min(middles[1]) < 30


@semi_real
def test_a_hand_cut_out_by_its_colour_points_up() -> None:
    picture = filmed_hand().picture
    rows = [int((picture[row, :, 3] > 128).sum()) for row in (12, 150, 600)]
    assert 10 < rows[0] < 40 < rows[1]
    assert rows[2] > 100
    luma = cv2.cvtColor(picture[8:80, :, :3], cv2.COLOR_BGR2YCrCb)[picture[8:80, :, 3] > 200]
    assert 140 < float(np.median(luma[:, 1])) < 175


@pytest.fixture(scope="module")
def ziginette(tmp_path_factory: pytest.TempPathFactory) -> SemiReal:
    return made(tmp_path_factory.mktemp("films"), "ziginette", seed=100)


@semi_real
@pytest.mark.slow
def test_a_semi_real_film_is_followed_completely(ziginette: SemiReal) -> None:
    told = follow(ziginette)
    assert len(ziginette.rests) >= 7
    assert told.missed == []
    assert told.invented == []


@semi_real
@pytest.mark.slow
def test_a_semi_real_film_is_followed_the_same_way_twice(ziginette: SemiReal) -> None:
    first, again = follow(ziginette), follow(ziginette)
    assert first.record == again.record
    assert [c.time_s for c in first.commits] == [c.time_s for c in again.commits]


@semi_real
@pytest.mark.slow
def test_a_stored_film_is_not_made_again(ziginette: SemiReal) -> None:
    written = ziginette.path.stat().st_mtime_ns
    assert made(ziginette.path.parent, "ziginette", seed=100) == ziginette
    assert ziginette.path.stat().st_mtime_ns == written


def test_without_films_and_photographs_it_is_said_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MAZZIERE_PHOTOS", raising=False)
    monkeypatch.delenv("MAZZIERE_FILMS", raising=False)
    assert wanted().startswith("photographs needed: MAZZIERE_PHOTOS must name a folder")


# Judging what was followed.

RECORD = """[Game "ziginette"]
[Seats "3"]
[Banker "1"]
[Amounts "none"]

deal board QS
deal board 5D
deal banker 7C
"""


def _followed(*commits: tuple[float, str]) -> Following:
    """What an appliance might make of a film of three cards, one of which was moved at once."""
    film = SemiReal(
        path=Path("none.avi"),
        game="ziginette",
        seed=0,
        handling="sloppy",
        matrix=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        record=RECORD,
        rests=(
            Rest(1, "deal board QS", 2.0),
            Rest(1, "deal board 5D", 4.0),
            Rest(1, "deal banker 7C", 6.0),
        ),
        said=(),
        lays=(
            Lay(1.0, "banker", ("QS",)),
            Lay(1.8, "banker", ()),
            Lay(2.0, "board", ("QS",)),
            Lay(4.0, "board", ("QS", "5D")),
            Lay(6.0, "banker", ("7C",)),
        ),
    )
    told = [Commit(1, Act.parse(line), "camera", time_s) for time_s, line in commits]
    standing = [(one.hand, one.act) for one in told]
    return Following(film, commits=told, standing=standing)


ALL = ((2.5, "deal board QS"), (4.4, "deal board 5D"), (6.3, "deal banker 7C"))


def test_a_film_that_is_followed_completely_misses_and_invents_nothing() -> None:
    told = _followed(*ALL)
    assert (told.missed, told.invented, told.momentary) == ([], [], [])
    assert told.waits == pytest.approx([0.5, 0.4, 0.3])


def test_an_event_that_is_not_taken_in_is_missed() -> None:
    assert _followed(*ALL[:1], *ALL[2:]).missed == ["4.0 s: deal board 5D"]


@pytest.mark.parametrize(
    "act", ["deal board 6D", "deal board QH", "deal board ??", "take board 5D"]
)
def test_an_act_that_never_happened_is_invented(act: str) -> None:
    assert _followed(*ALL, (6.5, act)).invented == [f"6.5 s: {act}"]


def test_a_card_that_is_dealt_twice_is_invented() -> None:
    assert _followed(*ALL, (8.5, "deal board QS"), (9.9, "close")).invented == [
        "8.5 s: deal board QS",
        "9.9 s: close",
    ]


def test_a_card_that_lay_in_a_wrong_place_for_a_moment_is_not_invented() -> None:
    told = _followed((1.4, "deal banker QS"), *ALL)
    assert told.invented == []
    assert told.momentary == ["1.4 s: deal banker QS"]
    assert _followed((5.5, "deal banker QS"), *ALL).invented == ["5.5 s: deal banker QS"]


def test_what_a_card_implied_that_lay_in_a_wrong_place_is_not_invented_either() -> None:
    told = _followed((1.4, "2 stand"), (1.4, "deal banker QS"), *ALL, (8.0, "1 stand"))
    assert told.momentary == ["1.4 s: deal banker QS", "1.4 s: 2 stand"]
    assert told.invented == ["8.0 s: 1 stand"]


def test_a_log_gives_back_the_outcome_of_each_film(tmp_path: Path) -> None:
    whole = Outcome.of(Job("ziginette", "sloppy", 0), [_followed(*ALL)] * 2, "code")
    lost = Outcome.of(Job("ziginette", "sloppy", 1), [_followed(*ALL[:1])], "code")
    log = tmp_path / "log.jsonl"
    log.write_text(f"{whole.line()}\n{lost.line()}\n{whole.line()[:40]}")
    assert list(logged(log)) == [whole, lost]
    assert (whole.good, lost.good) == (True, False)
    assert list(report([lost, whole]))[-2].startswith(
        "all: 2 films, 1 followed whole; 4 of 6 events, 0 invented; from rest to act: median 0.45 s"
    )


def test_runs_that_differ_only_in_time_are_not_the_same() -> None:
    late = [*ALL[:2], (6.4, "deal banker 7C")]
    job = Job("ziginette", "sloppy", 0)
    assert Outcome.of(job, [_followed(*ALL), _followed(*ALL)], "").same
    assert not Outcome.of(job, [_followed(*ALL), _followed(*late)], "").same
    busy = Outcome.of(Job("ziginette", "sloppy", 0, busy=True), [_followed(*late)], "")
    assert "DIFFERENT" in list(report([Outcome.of(job, [_followed(*ALL)], ""), busy]))[-2]
