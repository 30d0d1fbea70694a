"""Which country's letters a deck has: what several of them reveal together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rules.cards import SUITS, Suit
from tests.letters import COUNTRIES, DAMA, answers, prints
from vision.find.finder import Indices
from vision.picture.geometry import Floats
from vision.read.alphabets import LETTERS, Alphabet, Letters
from vision.read.index_classifier import IndexClassifier
from vision.read.index_prints import OF_FACES, Prints
from vision.sightings import SURE


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
    return looked_at(prints(*letters), alphabet)


def looked_at(shown: Prints, alphabet: Alphabet | None = None) -> list[str]:
    """What is read of indices that show these `prints`, in one picture."""
    many = len(shown.ranks)
    places = np.array([(40.0 + 60 * n, 50.0) for n in range(many)], np.float32)
    ups = np.tile(np.array([0.0, -1.0], np.float32), (many, 1))
    indices = Indices(places, ups, np.full(many, 25.0, np.float32), np.ones(many, np.float32))
    frame = np.zeros((100, 60 * many + 60, 3), np.uint8)
    _, faces, _ = IndexClassifier(Shows(shown), alphabet).look(frame, indices)
    return [card for card, sure in answers(faces) if sure >= SURE]


def test_one_picture_reveals_its_own_alphabet() -> None:
    assert looked([("B", "H"), ("D", "S")]) == ["JH", "QS"]
    assert looked([("V", "H"), ("R", "S")]) == ["JH", "KS"]
    assert looked([("V", "H"), ("8", "S")]) == ["8S"]
    assert looked([("V", "H"), ("8", "S")], Alphabet.DUTCH) == ["QH", "8S"]
