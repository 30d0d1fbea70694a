"""Latin decks that nobody taught: signs counted, courts asked about, nothing read wrongly."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.commands.parser import DRAWN_DECKS
from firmware.settings.settings import Settings
from firmware.table.known_decks import known_deck, texts_of
from rules.cards import BACK, JOKER, RANKS, SUITS, Card, parse_cards
from tests.latin_decks import COURTS, SIGNS, trial
from vision.decide.answers import LONE_JOKER, among_strangers
from vision.decide.latin import ALSO, FINE, LATIN, LatinDeck, doubted
from vision.decide.profiles import Known
from vision.decide.trouble import FOREIGN, foreign
from vision.picture.geometry import Box, Floats, Frame
from vision.read.held_signs import held
from vision.read.index_classifier import FACES
from vision.read.sign_count import Counted, counted
from vision.scene.italian import drawn as of_pattern
from vision.scene.portraits import portraits
from vision.scene.regional import Kind, RegionalDeck
from vision.sightings import SURE, Sighting, offered

DECK = RegionalDeck(Kind.SPANISH, seed=3)


def shown(card: Card, deck: RegionalDeck = DECK) -> tuple[Frame, Box]:
    """A card by itself, from above."""
    _, frame, _ = next(portraits(deck, card, 3.0))
    return frame, Box(0, 0, frame.shape[1], frame.shape[0])


def sure_of(card: Card, chance: float = 0.99) -> LatinDeck:
    """A deck whose network sees the same card in everything."""

    def network(faces: NDArray[np.uint8]) -> tuple[Floats, ...]:
        rank = np.zeros((len(faces), 15), np.float32)
        suit = np.zeros((len(faces), 5), np.float32)
        rank[:, RANKS.index(card.rank)] = np.log(chance / (1 - chance) * 14)
        suit[:, SUITS.index(card.suit)] = 20
        return rank, suit

    return LatinDeck(network)


def told(deck: LatinDeck, card: Card, drawn: RegionalDeck = DECK) -> Sighting | None:
    """What the deck makes of a card by itself."""
    known: Known = deck.sightings(*shown(card, drawn))
    everything: list[Sighting | None] = [*known.sightings, *(one for _, one in known.strange)]
    assert len(everything) == 1
    return everything[0]


@pytest.mark.parametrize("name", ["4D", "6D", "6H", "5H", "6S", "4C"])
def test_separate_signs_are_counted(name: str) -> None:
    card = Card.parse(name)
    for kind in (Kind.ITALIAN, Kind.TAROT, Kind.NEAPOLITAN, Kind.PIACENTINE):
        face = np.ascontiguousarray(RegionalDeck(kind).face(card, 3.0)[..., :3])
        assert counted(face).alike == RANKS.index(card.rank) + 1


def test_crossing_signs_are_left_to_the_network() -> None:
    page = of_pattern("bergamasque", Card.parse("6S"), (192, 320))
    assert not counted(page).any


def test_a_card_is_read_if_network_and_count_agree_and_asked_about_if_not() -> None:
    four, five = parse_cards("4D 5D")
    deck = RegionalDeck(Kind.SPANISH, seed=1)
    agreeing, differing = (told(sure_of(one, 0.9), four, deck) for one in (four, five))
    assert agreeing is not None
    assert differing is not None
    assert (agreeing.card, agreeing.doubtful, differing.doubtful) == (four, False, True)


@pytest.mark.parametrize("rank", "JQK")
def test_a_court_is_always_a_question(rank: str) -> None:
    card = Card.parse(f"{rank}S")
    seen = told(sure_of(card), card)
    assert seen is not None
    assert seen.doubtful
    assert seen.candidates[0][0] == card


@pytest.mark.parametrize(
    ("name", "certain", "sure"),
    [("AH", 0.96, False), ("AH", 0.98, True), ("AD", 0.96, True), ("2H", 0.96, True)],
)
def test_a_vessel_that_may_be_a_figure_is_asked_about(
    name: str, certain: float, sure: bool
) -> None:
    shown = np.zeros(len(FACES), np.float32)
    shown[FACES.index(Card.parse(name))] = certain
    assert (float(doubted(shown, Counted(1, 1)).max()) >= SURE) is sure


@pytest.mark.parametrize(
    ("places", "aside"), [((), False), ((16,), True), ((80,), True), ((16, 80), False)]
)
def test_a_sign_on_one_side_is_a_figure_s_and_not_on_an_ace(
    places: tuple[int, ...], *, aside: bool
) -> None:
    face = np.full((144, 96, 3), 245, np.uint8)
    cv2.ellipse(face, (48, 80), (22, 40), 0, 0, 360, (40, 160, 200), -1)
    for x in places:
        cv2.ellipse(face, (x, 24), (6, 12), 0, 0, 360, (40, 160, 60), -1)
    signs = counted(face)
    shown = np.zeros(len(FACES), np.float32)
    shown[FACES.index(Card.parse("AH"))] = 0.999
    assert signs.aside is aside
    assert (float(doubted(shown, signs).max()) >= SURE) is not aside


@pytest.mark.parametrize(
    ("signs", "sure"),
    [(Counted(6, 6), True), (Counted(4, 4), False), (Counted(1, 1), False)],
)
def test_a_card_needs_to_be_clearer_if_its_signs_are_not_counted(
    signs: Counted, *, sure: bool
) -> None:
    shown = np.zeros(len(FACES), np.float32)
    shown[FACES.index(Card.parse("6H"))] = 0.92
    assert (float(doubted(shown, signs).max()) >= SURE) is sure


def test_a_doubtful_card_may_be_a_back() -> None:
    known = sure_of(Card.parse("KH")).sightings(*shown(BACK))
    assert not known.sightings
    assert len(known.strange) == 1


def test_what_lies_between_equal_clubs_is_not_a_club_while_a_coin_may_be_larger() -> None:
    for text, sure in (("7C", False), ("7D", True), ("7H", True)):
        opinion = np.zeros(53, np.float32)
        opinion[FACES.index(Card.parse(text))] = 0.99
        assert (float(doubted(opinion, Counted(6, 7)).max()) >= SURE) == sure


def test_the_count_confirms_and_does_not_overrule() -> None:
    opinion = np.zeros(53, np.float32)
    opinion[FACES.index(Card.parse("5C"))], opinion[FACES.index(Card.parse("6C"))] = 0.7, 0.3
    confirmed, overruled = (doubted(opinion, Counted(count, count)) for count in (5, 6))
    assert float(confirmed.max()) >= SURE > float(overruled.max())


@pytest.mark.parametrize(("alike", "sure"), [(4, True), (6, True), (8, False)])
def test_signs_that_touch_are_counted_as_fewer_and_never_as_more(alike: int, sure: bool) -> None:
    """Three of seven cups in a row are one thing: the network's seven stands, if it is certain."""
    opinion = np.zeros(53, np.float32)
    opinion[FACES.index(Card.parse("7H"))] = 0.99
    opinion[FACES.index(Card.parse("8H"))] = 0.01
    assert (float(doubted(opinion, Counted(alike, alike)).max()) >= SURE) == sure


def test_where_signs_are_alike_is_no_figure() -> None:
    opinion = np.zeros(53, np.float32)
    opinion[FACES.index(Card.parse("5S"))], opinion[FACES.index(Card.parse("QS"))] = 0.6, 0.4
    assert float(doubted(opinion, Counted(5, 5)).max()) >= SURE


def test_no_probability_grows_beyond_one() -> None:
    opinion = np.full(53, 0.1 / 52, np.float32)
    opinion[FACES.index(Card.parse("3C"))] = 0.9
    for card in ("3C", "KC"):
        changed = opinion.copy()
        changed[FACES.index(Card.parse(card))] = 0.9
        total = float(doubted(changed, counted(np.zeros((96, 64, 3), np.uint8))).sum())
        assert total <= float(changed.sum()) + 1e-5


@pytest.mark.parametrize(("cards", "least"), [(SIGNS, 8), (COURTS, 0)], ids=["signs", "courts"])
def test_a_drawn_spanish_deck_is_read_with_no_wrong_answer(
    cards: tuple[Card, ...], least: int
) -> None:
    score, _ = trial(DECK, cards, LatinDeck.load(), 1)
    assert score.wrong == 0
    assert score.right >= least + 4  # four are face down


@pytest.mark.parametrize("name", ["JD", "KD", "QH", "KS", "JC"])
def test_a_figure_like_no_other_is_asked_about_as_a_court_of_the_suit_beside_it(name: str) -> None:
    card = Card.parse(name)
    seen = told(LatinDeck.load(), card, RegionalDeck(Kind.ITALIAN, seed=403))
    assert seen is not None
    assert seen.doubtful
    assert card in [one for one, _ in offered(seen.candidates)]


def test_a_face_without_a_sign_on_one_side_holds_none() -> None:
    for name, many in (("AH", 0), ("QS", 1)):
        face = RegionalDeck(Kind.ITALIAN).face(Card.parse(name), 3.0)[..., :3]
        assert len(held(np.ascontiguousarray(cv2.resize(face, FINE)))) == many


def test_a_slim_deck_that_is_not_set_is_told_to_be_another() -> None:
    score, told_as_other = trial(RegionalDeck(Kind.BRESCIAN), COURTS, None, 2)
    assert told_as_other
    assert score.wrong == 0


@pytest.mark.parametrize("name", [LATIN, *ALSO])
def test_it_goes_by_names_in_both_languages(name: str) -> None:
    assert isinstance(known_deck(name), LatinDeck)
    assert texts_of(Settings(language="it", deck=name)).card(Card.parse("QH")) == "cavallo di coppe"


def test_the_demonstration_draws_a_spanish_deck_and_one_of_any_maker() -> None:
    assert {"spanish", "latin"} <= set(DRAWN_DECKS)


def test_a_joker_among_cards_of_another_deck_is_one_of_their_figures() -> None:
    square = ((0.0, 0.0), (5.0, 0.0), (5.0, 8.0), (0.0, 8.0))
    joker = Sighting(JOKER, 0.97, ((JOKER, 0.97),), square, (2.5, 4.0), 0.0)
    faces = [np.zeros((4, 2), np.float32)] * FOREIGN
    assert foreign(lambda: faces, [joker], ()) == ("foreign",)
    assert [one.confidence for one in among_strangers([joker])] == [LONE_JOKER]
