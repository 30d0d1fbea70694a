"""Letters of other countries' decks mean ranks only by their alphabet, and are not look-alikes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from firmware.eye import tracker_of
from firmware.rehearsal.deck import lettered
from firmware.rehearsal.setting import AREA, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import RANKS, Card, Deck
from tests.dealt_table import poses
from tests.laid_indices import covered, found, index
from tests.laid_indices import shown as shown_faces
from tests.letters import COUNTRIES, DAMA, answers, prints
from vision.decide.answers import quality
from vision.decide.figures import Figures, recognised
from vision.join.joined import Joined, joined_pair
from vision.picture.geometry import Polygon
from vision.picture.plane import Plane
from vision.read import many_looks
from vision.read.alphabets import LETTERS, OTHER, PLAIN, Alphabet, Letters, meanings
from vision.read.glances import Glance
from vision.read.index_classifier import FACES, Spelling
from vision.read.index_prints import Prints
from vision.reader import CardReader
from vision.scene.faces import DrawnDeck
from vision.sightings import INDEX_MM, SURE


@pytest.mark.parametrize(
    ("alphabet", "second", "examined"),
    [
        (Alphabet.SCANDINAVIAN, 0.0, True),
        (Alphabet.GERMAN, 0.11, False),
        (None, 0.03, True),
        (None, 0.005, False),
    ],
)
def test_a_k_is_examined_where_it_may_be_half_of_a_jack_s_letters(
    alphabet: Alphabet | None, second: float, *, examined: bool
) -> None:
    """In large bold type, the n of a Kn lies outside of what is cut out of the picture."""
    shown = prints(("K", "C"), ("Kn", "C"), ("8", "C"))
    shown.letters[[0, 2], LETTERS.index("Kn")] = second
    assert shown.kings(alphabet).tolist() == [examined, False, False]


@pytest.mark.parametrize(
    ("mean", "card", "sure"), [(0.3, "JC", 0.97), (0.15, "KC", 0.5), (0.05, "KC", 1.0)]
)
def test_a_k_that_an_n_follows_in_many_looks_is_a_jack(mean: float, card: str, sure: float) -> None:
    means = np.zeros((1, len(LETTERS)), np.float32)
    means[0, LETTERS.index("Kn")] = mean
    faces = many_looks.kings_or_jacks(prints(("K", "C")).faces(), means)
    assert float(faces.sum()) == pytest.approx(1)
    assert float(faces[0, FACES.index(Card.parse(card))]) == pytest.approx(sure)


@pytest.mark.parametrize(
    ("read", "letter", "eight", "told"),
    [
        ("8H", 0.10, 0.60, True),
        ("8H", 0.25, 0.40, False),
        ("JH", 0.25, 0.40, False),
        ("JH", 0.60, 0.20, True),
    ],
)
def test_an_eight_or_a_b_between_which_many_looks_waver_is_a_question(
    read: str, letter: float, eight: float, *, told: bool
) -> None:
    """In a narrow bold typeface a jack of diamonds with a B was read as the eight, at 0.99."""
    means = np.zeros((1, len(LETTERS)), np.float32)
    means[0, LETTERS.index("B")] = letter
    faces = 0.99 * prints((read[0], read[1])).faces()
    shown = many_looks.eights_or_jacks(faces, means, np.array([eight], np.float32))
    assert float(shown.sum()) == pytest.approx(0.99)
    assert (float(shown.max()) >= SURE) is told
    assert shown[0, [FACES.index(Card.parse(one)) for one in ("8H", "JH")]].sum() > 0.98


def test_only_unclear_eights_and_jacks_of_a_deck_with_a_b_are_looked_at_again() -> None:
    faces = prints(("8", "C"), ("J", "C"), ("K", "C"), ("8", "C")).faces()
    faces[:3] *= 0.99
    assert many_looks.perhaps_eights(faces).tolist() == [True, True, False, False]
    german, french = Spelling(Alphabet.GERMAN), Spelling(Alphabet.FRENCH)
    english, foreign = prints(("8", "C")), prints(("B", "C"))
    assert german.like_eights(english)
    assert not french.like_eights(english)
    assert Spelling().like_eights(foreign)
    assert not Spelling().like_eights(english)


def test_an_unmistakable_letter_that_other_looks_take_for_a_number_is_a_question() -> None:
    shown, sevens = prints(("T", "C")), prints(("7", "C"), ("A", "C")).faces()
    asked = many_looks.questioned(sevens[:1], shown.letters)
    assert asked.max() < SURE
    assert many_looks.questioned(sevens[1:], shown.letters).max() == 1
    unclear = prints(("T", "C"), sure=0.9)
    assert many_looks.questioned(sevens[:1], unclear.letters).max() == 1


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ((("D", 0.98), ("R", 0.8)), True),
        ((("V", 0.98), ("H", 0.93), ("R", 0.6)), False),
        ((("D", 0.98), ("D", 0.8)), False),
        ((("D", 0.98), (OTHER, 0.8)), False),
        ((("D", 0.98), ("B", 0.93)), False),
    ],
)
def test_an_unclear_letter_beside_a_clear_one_of_its_country_is_understood(
    shown: tuple[tuple[str, float], ...], *, told: bool
) -> None:
    """A B may be an eight, and letters that no country has together tell none."""
    looks = prints(*((letter, "C") for letter, _ in shown))
    for row, (letter, sure) in enumerate(shown):
        looks.letters[row, LETTERS.index(letter)] = sure
    letters = Letters()
    letters.note(looks.shown)
    assert letters.alphabet is None
    assert (letters.beside(looks.unclear) is not None) is told


@pytest.mark.parametrize("alphabet", list(COUNTRIES))
def test_each_country_s_letters_are_read_with_its_alphabet(alphabet: Alphabet) -> None:
    shown = prints(*((letter, "H") for letter in COUNTRIES[alphabet]))
    read = answers(shown.faces(alphabet))
    assert [card for card, _ in read] == ["JH", "QH", "KH", "AH"]
    assert min(sure for _, sure in read) >= SURE


@pytest.mark.parametrize(
    ("letter", "first", "mean", "eight", "card"),
    [
        ("F", 0.9, 0.6, 0.0, "JC"),
        ("R", 0.9, 0.6, 0.0, "KC"),
        ("1", 0.75, 0.45, 0.0, "AC"),
        ("B", 0.95, 0.45, 0.5, "JC"),
        # Not by a first look that is less clear, nor if only some of the others agree.
        ("F", 0.7, 0.6, 0.0, None),
        ("F", 0.9, 0.4, 0.0, None),
        ("1", 0.9, 0.3, 0.0, None),
        # An eight reads so in most poses, too, but as an eight even more often; and so does a W.
        ("B", 0.95, 0.6, 0.75, None),
        ("B", 0.99, 0.6, 0.75, None),
        ("H", 0.9, 0.6, 0.0, None),
        (OTHER, 0.9, 0.6, 0.0, None),
    ],
)
def test_a_letter_that_most_looks_at_one_index_agree_on_is_understood(
    letter: str, first: float, mean: float, eight: float, card: str | None
) -> None:
    shown = prints((letter, "C"), sure=first)
    means = np.zeros((1, len(LETTERS)), np.float32)
    means[0, LETTERS.index(letter)] = mean
    eights = np.array([eight], np.float32)
    faces, clear = Spelling().understood(shown.faces(), means, eights, shown)
    assert clear.tolist() == [card is not None]
    ((name, sure),) = answers(faces)
    assert (name == card and sure >= SURE) if card else sure < SURE
    unknown = Spelling(unknown=True).understood(shown.faces(), means, eights, shown)
    assert not unknown[1].any()


@pytest.mark.parametrize(
    ("rank", "mean", "number"),
    [("7", 0.6, True), ("7", 0.4, False), ("T", 0.75, True), ("T", 0.65, False)]
    + [(rank, 0.76, False) for rank in "AJQK"],
)
def test_what_looks_like_no_known_letter_at_first_is_the_number_that_most_looks_show(
    rank: str, mean: float, *, number: bool
) -> None:
    """A seven with a wavy top is one, but a W that most looks take for a ten is not."""
    means = np.zeros((1, len(RANKS)), np.float32)
    place = [one.value for one in RANKS].index(rank)
    means[0, place] = mean
    best, told = many_looks.numbers(means)
    assert (best.tolist(), told.tolist()) == ([place], [number])


@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_alone_is_a_question_and_not_a_look_alike(letter: str) -> None:
    ((card, sure),) = answers(prints((letter, "C"), sure=0.97).faces())
    assert sure < SURE
    assert card in ("?C", *(f"{rank.value}C" for rank in meanings(letter)))


@pytest.mark.parametrize("letter", LETTERS)
def test_a_very_clear_letter_alone_is_understood_if_it_has_one_meaning(letter: str) -> None:
    """In a fan one index is in sight; a T is a ten there on some decks."""
    ((card, sure),) = answers(prints((letter, "C"), sure=0.99).faces())
    understood = letter in ("1", "B", "D", "E", "Kn", "R", DAMA)
    assert (sure >= SURE) == understood
    assert not understood or card == f"{meanings(letter)[0].value}C"


@pytest.mark.parametrize(
    ("other", "clear", "sure"),
    [("JD", False, True), ("KD", False, False), ("JD", True, True), ("KD", True, True)],
)
def test_a_half_covered_letter_is_no_doubt_about_a_clear_one_that_it_agrees_with(
    other: str, *, clear: bool, sure: bool
) -> None:
    """What its other index shows leaves a card in doubt only if it shows something else."""
    rows = [index(("JD", 300.0, 300.0, 0.0), corner) for corner in (1, -1)]
    indices = found(rows)
    faces = np.concatenate([shown_faces("JD"), shown_faces(other, sure=0.57)])
    strange = np.array([False, not clear])
    nowhere = covered([])
    glance = Glance(indices, faces, np.zeros(2, np.float32), strange, nowhere)
    card = joined_pair(indices, shown_faces("JD", "JD"), 0, 1)
    assert (quality(card, glance) >= SURE) is sure


def test_an_unknown_letter_may_be_each_court_of_its_suit() -> None:
    (row,) = prints((OTHER, "S")).faces(Alphabet.GERMAN)
    likely = {str(FACES[number]) for number in np.argsort(-row)[:3]}
    assert likely == {"JS", "QS", "KS"}
    assert answers(row[None])[0][0] == "?S"


def test_english_letters_stay_what_they_are_on_every_deck() -> None:
    shown = prints(("J", "D"), ("8", "D"), ("T", "D"), ("K", "D"))
    shown.letters[:] = 0.02  # a little of each
    for alphabet in (None, *Alphabet):
        assert [card for card, _ in answers(shown.faces(alphabet))] == ["JD", "8D", "TD", "KD"]


def test_an_english_letter_that_a_deck_lacks_is_as_strange_as_anothers() -> None:
    """Of a deck with letters of no country that was taken for a Dutch one, a W was read as a K."""
    shown = prints(("K", "C"), ("J", "S"), ("A", "D"), ("9", "H"), ("H", "H"), ("B", "D"))
    for alphabet, strange in (
        (Alphabet.DUTCH, [True, True, False, False, False, False]),
        (Alphabet.GERMAN, [False, True, False, False, True, False]),
        (None, [False, False, False, False, True, False]),
    ):
        assert shown.strange(alphabet).tolist() == strange


@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_that_means_the_same_everywhere_need_not_wait_for_a_second(letter: str) -> None:
    """A B is a jack and a D a queen wherever they are printed; an H may be a strange M."""
    plain = letter in PLAIN
    assert prints((letter, "C")).strange(None).tolist() == [not plain]
    assert prints((letter, "C"), sure=0.9).strange(None).all()
    assert not plain or len(meanings(letter)) == 1


def test_a_few_english_letters_are_read_where_somebody_has_told_the_alphabet() -> None:
    shown = prints(("Q", "S"), ("B", "S"), ("H", "S"))
    assert shown.strange(Alphabet.RUSSIAN).tolist() == [True, False, True]
    assert shown.strange(Alphabet.RUSSIAN, "AJQK").tolist() == [False, False, True]


def test_a_network_without_letters_reads_as_always() -> None:
    bare = Prints(prints(("9", "D")).ranks, prints(("9", "D")).suits)
    assert answers(bare.faces(Alphabet.FRENCH)) == [("9D", 1.0)]
    assert Card.parse("9D") == FACES[int(bare.faces().argmax())]


@pytest.mark.parametrize("alphabet", list(COUNTRIES))
def test_a_drawn_deck_with_a_country_s_letters_is_read(alphabet: Alphabet) -> None:
    place = setting(seed=3)
    assert isinstance(place.deck, DrawnDeck)
    place = replace(place, deck=lettered(place.deck, alphabet))
    table = Tabletop(place, seed=3)
    cards = tuple(map(Card.parse, ("JH", "QS", "KD", "AC", "JC", "QD", "KS", "AH")))
    rng = np.random.default_rng(5)
    where = zip(cards, poses(rng), strict=False)
    table.deal([(table.piece(card, up=True), pose, "") for card, pose in where], now=1.0)
    plane = Plane(table.matrix)
    height = INDEX_MM * plane.scale((600.0, 340.0))
    frame = table.frame(20.0)
    for known in (alphabet, None):
        reading = CardReader(index_height=height, known=known).read(frame)
        assert sorted(map(str, reading.cards)) == sorted(map(str, cards))


def test_a_card_in_doubt_is_read_again_when_its_letter_is_understood() -> None:
    place = setting(seed=3)
    assert isinstance(place.deck, DrawnDeck)
    table = Tabletop(replace(place, deck=lettered(place.deck, Alphabet.DUTCH)), seed=3)
    plane, (wide, high) = Plane(table.matrix), AREA
    board = Polygon(plane.outline([(0, 0), (wide, 0), (wide, high), (0, high)]))
    tracker = tracker_of({"board": board}, plane, Deck.standard())
    now, places = 1.0, poses(np.random.default_rng(5))
    for number, name in enumerate(("QH", "JS")):  # V and B: the V alone may be a French jack
        piece = table.piece(Card.parse(name), up=True)
        now = table.deal([(piece, places[number * 3], "")], now=now)
        for _ in range(40):
            now += 0.2
            seen = tracker.update(table.frame(now), now)
    assert sorted(str(one.card) for one in seen.spots["board"]) == ["JS", "QH"]
    assert not any(one.doubtful for one in seen.spots["board"])


def of_card(name: str, chance: float) -> np.ndarray:
    faces = np.zeros(len(FACES), np.float32)
    faces[FACES.index(Card.parse(name))] = chance
    return faces


def figured(
    figures: Figures, ends: tuple[str, str], sure: float, figure: str, shown: float
) -> Joined | None:
    """The card that a picture of one card makes of two strange letters and a figure."""
    faces = np.stack([of_card(one, sure) for one in ends])
    corners = np.array([(0, 0), (60, 0), (60, 90), (0, 90)], np.float32)
    card = Joined((0, 1), faces.mean(axis=0), corners, np.array([0, -1], np.float32), 0.5)
    told = {0: (corners, of_card(figure, shown), 1 - shown)}
    (one,), known = recognised([card], faces, told, np.ones(2, np.bool_), figures)
    return one if known else None


def proven(*names: str) -> Figures:
    """A deck of which these courts were read, each agreeing with its figure."""
    figures = Figures()
    for name in names:
        figures.note(Card.parse(name), agree=True)
    return figures


def test_the_court_that_is_left_is_told_by_its_figure() -> None:
    """On a Polish deck kings and queens are K and D, and a W looks like a K now and then."""
    polish = ("KS", "KH", "QS", "QD")
    known = figured(proven(*polish), ("KC", "JC"), 0.6, "JC", 0.93)
    assert known is not None
    assert FACES[int(known.faces.argmax())] == Card.parse("JC")
    # Not while one letter of two is understood, nor against a clear letter, another figure or suit.
    assert figured(proven(*polish[:2]), ("KC", "JC"), 0.6, "JC", 0.93) is None
    assert figured(proven(*polish), ("KC", "KC"), 0.95, "JC", 0.93) is None
    assert figured(proven(*polish), ("KC", "JC"), 0.6, "KC", 0.93) is None
    assert figured(proven(*polish), ("KC", "JC"), 0.6, "JS", 0.93) is None


def test_figures_tell_nothing_on_a_deck_whose_letters_they_contradict() -> None:
    """A Turkish queen has a K, for girl."""
    turkish = proven("KS", "KH", "QS", "QD")
    turkish.note(Card.parse("KC"), agree=False)
    assert turkish.understood == frozenset()
    assert figured(turkish, ("KC", "JC"), 0.6, "JC", 0.93) is None
