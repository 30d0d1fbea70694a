"""The book: the hands in the journal are the ones that the loop followed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from firmware.console.book import Book
from firmware.console.history import History
from firmware.console.picture import Artist
from firmware.store.journal import Journal
from hardware.press import Button
from rules.records import parse_record
from rules.start import Level
from tests.console_desk import PicturedFelt, drawn, settings_for


@pytest.fixture
def felt(tmp_path: Path) -> PicturedFelt:
    journal = Journal(tmp_path / "a.journal")
    return PicturedFelt("ziginette", journal=journal, level=Level.AMOUNTS)


@pytest.fixture
def book(felt: PicturedFelt, tmp_path: Path) -> Book:
    assert felt.loop.match.hands
    return Book(tmp_path / "a.journal")


def same(book: Book, felt: PicturedFelt) -> None:
    """Check that the book has the loop's hands, and knows where each act came from."""
    book.follow()
    match = felt.loop.match
    assert [hand.acts for hand in book.hands] == [hand.acts for hand in match.hands]
    for hand in book.hands:
        steps = book.steps(hand)
        assert [step.after for step in steps[-1:]] == ([hand.state.public()] if steps else [])
        for step in steps:
            assert step.mark is not None
            assert step.mark.implied <= (step.act.verb == "close")
            seen = step.mark.by == "camera" and not step.mark.implied and step.act.cards
            assert bool(step.mark.crops) >= bool(seen), step.act


@pytest.mark.parametrize("seed", [1, 3])
def test_the_book_follows_whatever_is_done(seed: int, felt: PicturedFelt, book: Book) -> None:
    dice = Random(seed)
    pack = list(dict.fromkeys(map(str, felt.loop.state.game.deck(felt.loop.state.start))))
    for _ in range(25):
        match dice.randrange(6):
            case 0 | 1 | 2:
                spot = "banker" if not felt.cards["banker"] and felt.acts() else "board"
                felt.lay(spot, pack[dice.randrange(len(pack))], seconds=2.0)
            case 3:
                felt.hold(Button.FIX)
            case 4:
                felt.press(Button.FIX)
                felt.press(Button.OK)
            case _:
                felt.type(dice.choice(["2 bet 5 QS", "misdeal", "close", "shuffle", "clear"]))
                if not felt.loop.state.acts:
                    felt.sweep()
        same(book, felt)


def test_pictures_belong_to_the_cards_that_they_show(felt: PicturedFelt, book: Book) -> None:
    felt.cards["board"] += ["QS", "5D"]
    felt.cards["banker"] += ["7C"]
    felt.look()
    book.follow()
    history = History(book, Artist.of(settings_for("ziginette")))
    for number, (card, label) in enumerate(
        [("QS", "Queen of spades"), ("5D", "Five of diamonds"), ("7C", "Seven of clubs")], 1
    ):
        why = history.why(book.hands[0], number)
        assert why is not None
        (picture,) = why["pictures"]
        assert picture["label"] == label
        assert book.crop(picture["crop"]) == drawn(card)


def test_a_new_match_in_the_journal_is_a_new_book(felt: PicturedFelt, book: Book) -> None:
    felt.lay("board", "QS")
    same(book, felt)
    journal = felt.loop.ledger.journal
    other = PicturedFelt("seven-and-a-half", journal=journal)
    same(book, other)


def test_the_record_of_all_hands_is_the_loop_s(felt: PicturedFelt, book: Book) -> None:
    felt.lay("board", "QS", "5D")
    felt.lay("banker", "7C")
    felt.type("2 bet 5 QS")
    felt.lay("board", "7H")
    felt.sweep()
    felt.lay("board", "2S")
    book.follow()
    again = parse_record(book.record(book.hands)).match
    assert [hand.acts for hand in again.hands] == [hand.acts for hand in felt.loop.match.hands]
    assert again.settlements[0].net == felt.loop.match.settlements[0].net
