"""Letters of other countries' decks mean ranks only by their alphabet, and are not look-alikes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from firmware.eye import tracker_of
from firmware.rehearsal.deck import lettered
from firmware.rehearsal.setting import AREA, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import RANKS, SUITS, Card, Deck, Rank, Suit
from tests.dealt_table import poses
from tests.laid_indices import covered, found, index
from tests.laid_indices import shown as shown_faces
from vision.decide.answers import named, quality, ranked
from vision.decide.figures import Figures, recognised
from vision.find.finder import Indices
from vision.join.joined import Joined, joined_pair
from vision.picture.geometry import Floats, Polygon
from vision.picture.plane import Plane
from vision.read import many_looks
from vision.read.alphabets import LETTERS, OTHER, PLAIN, Alphabet, Letters, meanings
from vision.read.glances import Glance
from vision.read.index_classifier import FACES, OF_FACES, IndexClassifier, Prints, Spelling
from vision.reader import CardReader
from vision.scene.faces import DrawnDeck
from vision.sightings import INDEX_MM, SURE

DAMA = LETTERS[-2]
COUNTRIES = {
    # Jack, queen, king and ace as lettered by these countries' decks.
    Alphabet.GERMAN: ("B", "D", "K", "A"),
    Alphabet.FRENCH: ("V", "D", "R", "1"),
    Alphabet.DUTCH: ("B", "V", "H", "A"),
    Alphabet.ITALIAN: ("F", "D", "R", "1"),
    Alphabet.SCANDINAVIAN: ("Kn", "D", "K", "E"),
    Alphabet.RUSSIAN: ("B", DAMA, "K", "T"),
}


def prints(*shown: tuple[str, str], sure: float = 0.98) -> Prints:
    """The networks' output for letters or ranks with suits, mistaken for their look-alikes."""
    ranks = np.zeros((len(shown), OF_FACES), np.float32)
    suits = np.zeros((len(shown), 5), np.float32)
    letters = np.zeros((len(shown), len(LETTERS)), np.float32)
    alike = {"B": "8", "D": "T", "V": "7", "H": "K", "1": "J"}
    for row, (letter, suit) in enumerate(shown):
        rank = alike.get(letter, letter if letter in list(RANKS) else "A")
        ranks[row, RANKS.index(Rank(rank))] = 1.0
        suits[row, [str(one) for one in SUITS].index(suit)] = 1.0
        if letter in LETTERS:
            letters[row, LETTERS.index(letter)] = sure
    return Prints(ranks, suits, letters)


def answers(faces: Floats) -> list[tuple[str, float]]:
    return [(str(named(ranked(row))), float(row.max())) for row in faces]


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


def seen(shown: str, suits: str = "CDHS") -> Letters:
    """What is remembered after looks at these letters, in these suits in turn."""
    letters = Letters()
    letters.note(
        (letter, Suit(suits[number % len(suits)])) for number, letter in enumerate(shown.split())
    )
    return letters


def test_two_letters_reveal_the_alphabet_if_they_agree_on_one() -> None:
    assert seen("V D").alphabet is Alphabet.FRENCH
    assert seen("V H").alphabet is None  # an M and a W look like these
    assert seen("B V H").alphabet is Alphabet.DUTCH
    assert seen("V H V H V H", "CCDD").alphabet is Alphabet.DUTCH
    assert seen("V H H H H H", "CCDD").alphabet is None
    assert seen("B D").alphabet is Alphabet.GERMAN  # as in Scandinavia: the same ranks
    assert seen("B R").alphabet is None
    assert seen("V V").alphabet is None
    assert prints(("V", "H"), ("R", "S"), ("9", "S")).shown == (
        ("V", Suit.HEARTS),
        ("R", Suit.SPADES),
    )
    assert prints(("V", "H"), ("R", "S"), ("A", "S"), sure=0.7).shown == (("A", Suit.SPADES),)


@pytest.mark.parametrize("alphabet", list(COUNTRIES))
def test_letters_seen_one_at_a_time_reveal_the_alphabet(alphabet: Alphabet) -> None:
    letters = Letters()
    for letter, suit in zip(COUNTRIES[alphabet][:3], "HSC", strict=True):
        letters.note([(letter, Suit(suit))])
    assert letters.alphabet is not None
    assert all(
        letters.alphabet.ranks.get(one) is alphabet.ranks.get(one)
        for one in COUNTRIES[alphabet][:3]
    )


def test_one_letter_read_again_and_again_reveals_nothing() -> None:
    letters = Letters()
    for _ in range(50):
        letters.note([("B", Suit.HEARTS)])
    assert letters.alphabet is None


def test_misread_letters_on_an_english_deck_do_not_make_it_another() -> None:
    letters = seen("J Q K A J Q K A J Q")
    for _ in range(9):
        letters.note([("B", Suit.HEARTS), ("D", Suit.SPADES)])
    assert letters.alphabet is None


@pytest.mark.parametrize(
    ("others", "kings"),
    [("J Q", ["KC"]), ("K K", ["KC"]), ("A A", []), ("B", []), ("", [])],
)
def test_what_looks_like_a_letter_that_no_such_deck_has_is_a_slip(
    others: str, kings: list[str]
) -> None:
    """In a photograph, a king between two others looked like a Dutch one, an H, at 0.91."""
    king = prints(("K", "C"))
    king.letters[0, LETTERS.index("H")] = 0.91
    told = answers(king.weighed(seen(others).odds()).faces())
    assert [card for card, sure in told if sure >= SURE] == kings


def test_a_letter_that_is_clear_is_asked_about_whatever_else_lies_there() -> None:
    assert prints(("H", "C")).weighed(seen("J Q K").odds()).strange(None).all()


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


def test_a_letter_that_a_deck_has_instead_of_its_own_is_understood_once_it_is_seen_twice() -> None:
    assert seen("B T Q B T Q").mixed == {"Q"}
    assert seen("B T Q B T").mixed == set()
    assert seen(f"B T Q B T Q {DAMA}").mixed == set()


def test_letters_of_no_alphabet_leave_every_court_in_doubt() -> None:
    """M, W and N are taken for an H, a K and a V; an English deck soon shows a J and a Q."""
    shown = "H V ? H K A ? V"
    assert seen(shown).strange
    assert seen(shown).alphabet is None
    assert not seen(f"{shown} J J J J Q Q Q Q K K K K").strange
    assert not seen("J Q K A H J Q K A H").strange


def test_a_pinochle_of_letters_fits_no_alphabet() -> None:
    assert seen("B V R F D H T").alphabet is None


def test_a_new_deck_replaces_the_letters_of_the_old_one() -> None:
    letters = Letters()
    for deck, alphabet in (
        ("B D K A", Alphabet.GERMAN),
        ("J Q K A", None),
        ("V D R A", Alphabet.FRENCH),
    ):
        for _ in range(4):
            for letter in deck.split():
                letters.note((letter, suit) for suit in SUITS)
        assert letters.alphabet is alphabet


def test_a_deck_known_to_be_english_shows_no_other_letters() -> None:
    assert looked([("B", "H"), ("D", "S")], Alphabet.ENGLISH) == []


class Shows:
    """A network that shows the same whatever it is given."""

    def __init__(self, shown: Prints) -> None:
        self.shown = shown

    def __call__(self, patches: np.ndarray) -> tuple[Floats, ...]:
        every = np.arange(len(patches)) % len(self.shown.ranks)
        whole = np.concatenate([self.shown.ranks, self.shown.letters], axis=1)
        none = self.shown.letters.sum(axis=1, keepdims=True)
        whole[:, :OF_FACES] *= 1 - none
        logs = (np.log(one + 1e-6) for one in (self.shown.ranks, self.shown.suits, whole))
        return tuple(np.asarray(one[every], np.float32) for one in logs)


def looked(letters: Sequence[tuple[str, str]], alphabet: Alphabet | None = None) -> list[str]:
    """What is read of indices that show these letters, in one picture."""
    places = np.array([(40.0 + 60 * n, 50.0) for n in range(len(letters))], np.float32)
    ups = np.tile(np.array([0.0, -1.0], np.float32), (len(letters), 1))
    flat = np.full(len(letters), 25.0, np.float32)
    indices = Indices(places, ups, flat, np.ones(len(letters), np.float32))
    frame = np.zeros((100, 60 * len(letters) + 60, 3), np.uint8)
    _, faces, _ = IndexClassifier(Shows(prints(*letters)), alphabet).look(frame, indices)
    return [card for card, sure in answers(faces) if sure >= SURE]


def test_one_picture_reveals_its_own_alphabet() -> None:
    assert looked([("B", "H"), ("D", "S")]) == ["JH", "QS"]
    assert looked([("V", "H"), ("R", "S")]) == ["JH", "KS"]
    assert looked([("V", "H"), ("8", "S")]) == ["8S"]
    assert looked([("V", "H"), ("8", "S")], Alphabet.DUTCH) == ["QH", "8S"]


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
