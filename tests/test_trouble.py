"""What is reported about the pictures: lasting trouble, where it is, and how soon."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from firmware.follow.trouble import MINOR_S, PersistentTrouble, beside
from firmware.texts import Texts, languages
from rules.phrases import Phrase
from tests.felt import faint, lying
from vision.sightings import Seen
from vision.track.tracker import UNSETTLED_S

FRAME_S = 0.1


def seen(
    *trouble: str,
    busy: Iterable[str] = (),
    places: dict[str, str] | None = None,
    stray: Iterable[str] = (),
    board: Iterable[str] = (),
) -> Seen:
    spots = {
        "": tuple(lying(card, place) for place, card in enumerate(stray)),
        "board": tuple(lying(card, place) for place, card in enumerate(board)),
    }
    return Seen(spots, frozenset(busy), trouble, 0.0, places or {})


def told(looks: Iterable[Seen]) -> list[str | None]:
    """What is reported after each of the looks, in English."""
    persistent, texts = PersistentTrouble(), Texts.load("en", strict=True)
    said = []
    for number, look in enumerate(looks):
        persistent.see(look, number * FRAME_S)
        phrase = persistent.told(number * FRAME_S)
        said.append(None if phrase is None else texts.say(phrase))
    return said


def after(said: list[str | None]) -> float:
    """Seconds until anything was reported."""
    return next(number for number, one in enumerate(said) if one is not None) * FRAME_S


def test_what_cannot_settle_is_reported_within_five_seconds_with_its_place() -> None:
    moving = seen("moving", busy=["board"], places={"moving": "board"})
    said = told([moving] * 30)
    assert said[-1] == "Something keeps moving at the board: the cards there cannot be read."
    assert UNSETTLED_S + after(said) < 5.0


def test_a_lucky_run_of_frames_does_not_put_it_off() -> None:
    moving = seen("covered", busy=["board"], places={"covered": "3"})
    said = told(([moving] * 7 + [seen()] * 3) * 4)
    assert said[30] == "Something covers the cards at seat 3."
    assert told([*[moving] * 30, *[seen()] * 10])[-1] is None


def test_alternating_troubles_are_reported_nevertheless() -> None:
    covered, moving = (seen(name, busy=["board"]) for name in ("covered", "moving"))
    assert after(told([covered, moving] * 20)) <= 2.1


def test_trouble_next_to_cards_that_are_read_is_ignored() -> None:
    assert set(told([seen("glare", board=["7D"])] * 40)) == {None}


def test_a_blind_camera_comes_before_everything() -> None:
    said = told([seen("covered", "moved", busy=["board"])] * 30)
    assert said[-1] == "The camera or the table was moved: calibrate again."


def test_cards_outside_every_place_are_reported_for_a_while() -> None:
    stray = seen(stray=["AS", "3C", "9S", "6D"])
    said = told([stray] * 150)
    assert after(said) <= 2.1
    assert said[25] == (
        "4 cards are seen outside their places: calibrate, or move them to their places."
    )
    assert sum(one is not None for one in said) * FRAME_S == pytest.approx(MINOR_S, abs=0.3)
    more = seen(stray=["AS", "3C", "9S", "6D", "7H"])
    assert told([stray] * 150 + [more] * 30)[-1] is not None


def test_a_few_cards_next_to_a_table_in_use_are_ignored() -> None:
    assert beside(seen(stray=["AS"], board=["7D", "QS"])) == 0
    assert beside(seen(stray=["AS"])) == 1
    assert beside(seen(stray=["??", "??"])) == 0
    assert beside(seen(stray=["AS"], busy=[""])) == 0
    assert beside(Seen({"": (faint("7D", 0),)}, frozenset(), (), 0.0)) == 0


@pytest.mark.parametrize("name", ["sways", "assumed"])
def test_what_does_not_keep_cards_from_being_read_is_reported_for_a_while(name: str) -> None:
    said = told([seen(name)] * 150)
    assert after(said) <= 2.1
    assert said[-1] is None


def test_cards_are_not_called_far_while_the_size_is_only_assumed() -> None:
    far = seen("far", "assumed", busy=["board"])
    assert told([far] * 40)[25] == (
        "The size of the table is only assumed: calibrate, or lay a card down."
    )
    assert told([far] * 150)[-1] is None
    assert told([seen("far", busy=["board"])] * 40)[-1] is not None


@pytest.mark.parametrize("language", languages())
def test_every_trouble_has_a_sentence_with_and_without_its_place(language: str) -> None:
    texts = Texts.load(language, strict=True)
    names = [name for name in texts.sentences if name.startswith("trouble.")]
    assert len(names) >= 11
    for name in names:
        plain = texts.say(Phrase.of(name, count=4))
        placed = texts.say(Phrase.of(name, count=4, spot="2.front"))
        assert "[" not in plain + placed
        assert (plain != placed) == ("{spot:place}" in texts.sentences[name])


def test_hands_that_clear_the_table_are_no_trouble() -> None:
    pack = [f"{rank}{suit}" for suit in "CDHS" for rank in "A23456789"]

    def hands(*number: int) -> list[Seen]:
        where = {"moving": "board"}
        return [seen("moving", busy=["board"], places=where, board=pack[:n]) for n in number]

    cleared = [n for n in range(9, 0, -1) for _ in range(20)]
    assert not any(told(hands(*cleared)))
    assert told(hands(*cleared, *[1] * 40))[-1] is not None
    assert after(told(hands(*[9, 8] * 40))) < 5.0  # one card is seen now and then
