"""The whole face as a second opinion: on drawn cards, squeezed, small or without a clear index."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.cards import BACK, JOKER, Card
from vision.decide.card_classifier import CardClassifier, second_opinion
from vision.join.joined import Joined
from vision.network import WEIGHTS, Network
from vision.picture.geometry import Floats
from vision.read.index_classifier import FACES
from vision.reader import CardReader
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render, truth
from vision.scene.view import View
from vision.sightings import SURE

VIEW = View.above((640, 360), px_per_mm=1.6)
READER = CardClassifier(Network(WEIGHTS / "face.onnx", ("rank", "suit")))


def shown(card: str, turn: float = 0.0, style: int = 0) -> tuple[np.ndarray, Floats]:
    item = CardItem(DrawnDeck(drawn_styles()[style]), Card.parse(card), Pose(0, 0, turn))
    rng = np.random.default_rng(0)
    picture = render([item], Surface(), VIEW, Light(brightness=0.9), Lens(), rng=rng)
    (seen,) = truth([item], VIEW)
    return np.asarray(picture, np.uint8), np.asarray(seen.outline, np.float32)


@pytest.mark.parametrize("name", ["2S", "2C", "5D", "5H", "8S", "TC", "9D"])
def test_pips_identify_the_card(name: str) -> None:
    for turn in (0.0, 160.0):
        frame, corners = shown(name, turn)
        faces, nothing = READER.read(frame, [corners])
        assert FACES[int(faces[0].argmax())] == Card.parse(name)
        assert nothing[0] < 0.3


def test_backs_bare_felt_and_cards_lying_across_are_not_faces() -> None:
    frame, corners = shown("??")
    felt = corners + np.float32(180)
    across_frame, across = shown("8S")
    assert READER.read(frame, [corners])[1][0] > 0.5
    assert READER.read(frame, [felt * np.float32(0.4)])[1][0] > 0.5
    assert READER.read(across_frame, [np.roll(across, 1, axis=0)])[1][0] > 0.5


def test_no_faces_need_no_network() -> None:
    faces, nothing = READER.read(np.zeros((9, 9, 3), np.uint8), [])
    assert faces.shape == (0, len(FACES))
    assert nothing.shape == (0,)


def opinion(**chances: float) -> Floats:
    faces = np.zeros(len(FACES), np.float32)
    for name, chance in chances.items():
        faces[FACES.index(Card.parse(name.removeprefix("c")))] = chance
    return faces


def joined(faces: Floats) -> Joined:
    corners = np.array([(0, 0), (60, 0), (60, 90), (0, 90)], np.float32)
    return Joined((0,), faces, corners, np.array([0, -1], np.float32))


def best(card: Joined) -> tuple[str, float]:
    number = int(card.faces.argmax())
    return str(FACES[number]), float(card.faces[number])


def test_a_face_decides_between_the_candidates_of_an_unclear_index() -> None:
    unclear = joined(opinion(c2C=0.55, c2S=0.4))
    assert best(second_opinion(unclear, opinion(c2S=0.95), 0.05))[0] == "2S"
    name, chance = best(second_opinion(unclear, opinion(c2C=0.95), 0.05))
    assert name == "2C"
    assert chance > 0.9


def test_a_face_at_most_puts_a_clear_index_in_doubt() -> None:
    clear = joined(opinion(cKH=0.99))
    name, chance = best(second_opinion(clear, opinion(cKD=0.95), 0.05))
    assert name == "KH"
    assert chance < 0.99
    assert second_opinion(clear, opinion(cKD=0.1), 0.9) is clear


@pytest.mark.parametrize(
    ("index", "face"), [("TH", "QH"), ("8D", "JD"), ("AC", "JC"), ("KS", "AS"), ("QD", "9D")]
)
def test_a_letter_of_another_alphabet_is_asked_about(index: str, face: str) -> None:
    """An H looks like a ten, a B like an eight, and an E, an ace's in Sweden, like a king."""
    clear = joined(opinion(**{f"c{index}": 0.9999}))
    name, chance = best(second_opinion(clear, opinion(**{f"c{face}": 0.99}), 0.01))
    assert chance < SURE
    assert name in (index, face)


@pytest.mark.parametrize(
    ("index", "agreement", "asked"),
    [("AD", None, True), ("AC", None, True), ("AS", None, False), ("AD", 0.99, False)],
)
def test_an_ace_with_the_maker_s_ornament_is_not_told_by_a_single_index(
    index: str, agreement: float | None, asked: bool
) -> None:
    """On a photograph with glare on the card, the ace of spades was read as one of diamonds."""
    card = replace(joined(opinion(**{f"c{index}": 0.98})), agreement=agreement)
    name, chance = best(second_opinion(card, opinion(cJOKER=0.97), 0.03))
    assert (name, chance < SURE) == (index, asked)


def test_an_index_that_is_less_sure_than_the_pips_decides_nothing() -> None:
    """A ten of a dealt deck looked like a seven by its index."""
    seven = joined(opinion(c7C=0.99, cTC=0.005))
    assert best(second_opinion(seven, opinion(cTC=0.998), 0.0))[1] < SURE
    sure = joined(opinion(c7C=0.9999))
    assert best(second_opinion(sure, opinion(cTC=0.998), 0.0))[0] == "7C"
    jack = joined(opinion(cJC=0.99))
    assert best(second_opinion(jack, opinion(cKC=0.998), 0.0))[0] == "JC"


def test_which_court_figure_it_is_puts_no_clear_index_in_doubt() -> None:
    """On photographs, four of a hundred courts look more like another one."""
    clear = joined(opinion(cJD=0.9999))
    assert best(second_opinion(clear, opinion(cKD=0.9, cJD=0.09), 0.01))[1] >= SURE


def test_large_signs_tell_the_suit_better_than_a_small_one() -> None:
    """Clubs with a small sign so thin that it was read as a spade at both ends, for certain."""
    clear = joined(opinion(c3S=0.9999))
    name, chance = best(second_opinion(clear, opinion(c3C=0.999, c2C=0.001), 0.0))
    assert name == "3C"
    assert chance >= SURE
    jack = joined(opinion(cJS=0.9999))
    assert best(second_opinion(jack, opinion(cJC=0.999), 0.0))[0] == "JS"


@pytest.mark.parametrize(
    ("index", "face", "asked"),
    [
        # A W of a deck with strange letters, read as a king and as a ten.
        ("KS", {"cQS": 0.935, "cJS": 0.03, "cKS": 0.004}, True),
        ("TH", {"cJH": 0.58, "cQH": 0.18, "cKH": 0.12, "c9H": 0.1}, True),
        ("JOKER", {"cJD": 0.21, "cQD": 0.18, "cJC": 0.16, "cQC": 0.14, "JOKER": 0.1}, True),
        # An ace of clubs with a small sign so thin that it was read as a spade.
        ("AS", {"cAC": 0.9, "cAS": 0.009}, True),
        # The least that a photographed face gave a right answer.
        ("JD", {"cKD": 0.908, "cJD": 0.038}, False),
        ("AC", {"JOKER": 0.62, "cAC": 0.03, "cKC": 0.3}, False),
        # Of a covered face only the suit shows.
        ("KH", {f"c{rank}H": 0.077 for rank in "A23456789TJQK"}, False),
    ],
)
def test_an_answer_that_its_face_contradicts_is_asked_about(
    index: str, face: dict[str, float], asked: bool
) -> None:
    clear = joined(opinion(**{f"c{index}": 0.9999}))
    name, chance = best(second_opinion(clear, opinion(**face), 0.0))
    assert name == index
    assert (chance < SURE) == asked


def test_an_ace_with_a_chip_on_it_is_no_joker() -> None:
    """A chip in the middle of an ace of hearts looked like a jester's figure, at 0.99."""
    clear = joined(opinion(cAH=0.9999))
    assert best(second_opinion(clear, opinion(JOKER=0.99), 0.01))[1] >= SURE


def test_a_joker_does_not_take_the_ornate_ace() -> None:
    ace = joined(opinion(cAS=0.9))
    assert best(second_opinion(ace, opinion(JOKER=0.9), 0.1))[0] == "AS"
    assert JOKER in FACES


def test_a_card_squeezed_to_a_square_is_one_card() -> None:
    frame, _ = shown("7D")
    wide = np.asarray(cv2.resize(frame[80:280, 200:440], (512, 300)), np.uint8)
    cards = CardReader().read(wide).cards
    assert [card for card in cards if card != BACK] == [Card.parse("7D")]


def test_a_face_with_another_card_on_it_has_no_say() -> None:
    deck = DrawnDeck(drawn_styles()[0])
    laid = [CardItem(deck, Card.parse(name), Pose(x, 0, 0)) for name, x in (("AS", -9), ("KD", 9))]
    picture = np.asarray(
        render(laid, Surface(), VIEW, Light(), Lens(), rng=np.random.default_rng(0)), np.uint8
    )
    survey = CardReader(index_height=17 * 1.6).survey(picture)
    assert set(survey.reading.cards) == {Card.parse("AS"), Card.parse("KD")}
    corners = [np.mean(opinion[0], axis=0) for opinion in survey.glances[0].opinions.values()]
    assert not any(abs(x - (320 - 9 * 1.6)) < 8 for x, _ in corners)


def test_a_card_of_a_column_that_lies_askew_has_no_say_with_its_covered_face() -> None:
    """An ace of diamonds under one of spades looked like hearts, and was asked about."""
    deck = DrawnDeck(drawn_styles()[0])
    laid = [("AD", 0, -33, 0), ("AD", 0, -5, -4), ("AS", -3, 22, 2)]
    items = [CardItem(deck, Card.parse(name), Pose(x, y, turn)) for name, x, y, turn in laid]
    rng = np.random.default_rng(0)
    picture = np.asarray(render(items, Surface(), VIEW, Light(), Lens(), rng=rng), np.uint8)
    survey = CardReader(index_height=17 * 1.6).survey(picture)
    assert sorted(map(str, survey.reading.cards)) == ["AD", "AD", "AS"]
    assert len(survey.glances[0].opinions) == 1
