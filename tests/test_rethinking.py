"""A card of a pile that came about differently from what was assumed, found out later."""

from __future__ import annotations

from itertools import islice

import pytest

from firmware.console.book import Pages
from firmware.store.chain import Draft
from firmware.store.journal import Journal
from firmware.store.ledger import CAMERA, PANEL, Ledger
from hardware.press import Button
from tests.heaps import Heap, heap
from tests.test_straight import eleusis

LIKE = 0.006
"""Offset between two equal cards here, in hundreds of pixels: no camera distinguishes it, a
hundredth of a card's width, from exact coincidence."""


def mistaken(journal: Journal | None = None) -> Heap:
    """A copy of the queen was laid on both and mistaken for her come to light; two turns pass."""
    table = heap(("QD", 0.0), ("8S", 0.03), journal=journal)
    table.look(("QD", LIKE))
    table.look(("4C", 0.02))
    assert table.acts()[2:] == ["3 draw discards 8S", "3 discard 4C"]
    return table


def test_a_card_laid_over_its_copy_is_recognised_once_a_later_one_shows_it() -> None:
    table = mistaken()
    table.meld("2", "5H", "5C", "5S")
    table.look(("4C", 0.02), seconds=5.0)
    first = "3 draw stock ??; 3 discard QD; 1 draw stock ??; 1 discard 4C"
    assert table.offered[0] == f"{first}; 2 draw stock ??; 2 show 5H 5C 5S"
    table.press(Button.OK)
    table.look(("4C", 0.02), seconds=2.0)
    assert table.acts()[2:] == ["3 discard QD", "1 discard 4C", "2 show 5H 5C 5S"]
    assert not table.offered


def test_what_was_rethought_is_undone_at_once() -> None:
    table = mistaken()
    table.meld("2", "5H", "5C", "5S")
    table.look(("4C", 0.02), seconds=5.0)
    table.press(Button.OK)
    table.loop.undo()
    assert table.acts() == ["deal discards QD", "2 discard 8S"]


def cut(journal: Journal, entries: int) -> Ledger:
    """What a start makes of the first entries."""
    kept = Journal(":memory:")
    first = islice(journal.entries(), entries)
    kept.append_all([Draft(one.kind, one.payload, one.time) for one in first])
    return Ledger.resumed(kept, now=lambda: 0.0)


def test_a_journal_cut_anywhere_holds_what_was_followed_or_all_that_was_rethought() -> None:
    journal = Journal(":memory:")
    table = mistaken(journal)
    table.meld("2", "5H", "5C", "5S")
    table.look(("4C", 0.02), seconds=5.0)
    stood, before = table.loop.state, len(journal)
    table.press(Button.OK)
    assert table.loop.state.acts != stood.acts
    for entries in range(before, len(journal) + 1):
        ledger = cut(journal, entries)
        assert ledger.match.state in (stood, table.loop.state)
    assert ledger.match.state == table.loop.state
    assert ledger.taken == table.loop.ledger.taken


def test_the_pages_of_a_hand_know_who_said_what_was_rethought() -> None:
    journal = Journal(":memory:")
    table = mistaken(journal)
    table.meld("2", "5H", "5C", "5S")
    table.look(("4C", 0.02), seconds=5.0)
    table.press(Button.OK)
    entry, *later = journal.entries()
    pages = Pages(entry)
    for entry in later:
        pages.take(entry)
    hand = pages.hands[-1]
    by = [mark.by for mark in pages.marks(hand)]
    assert len(by) == len(hand.acts)
    assert dict(zip(map(str, hand.acts), by, strict=True))["2 discard 8S"] == CAMERA
    assert set(by[-2:]) == {PANEL}


def test_a_journal_cut_anywhere_holds_a_card_where_it_was_laid_or_where_it_was_moved_to() -> None:
    journal = Journal(":memory:")
    felt = eleusis(journal)
    felt.lay("main", "6S")
    stood, before = felt.loop.state, len(journal)
    felt.cards["main"].remove("6S")
    felt.lay("played", "6S", seconds=2.0)
    assert felt.acts()[-1] == "2 play 6S"
    for entries in range(before, len(journal) + 1):
        assert cut(journal, entries).match.state in (stood, felt.loop.state)


def test_the_table_may_still_be_taken_as_it_lies() -> None:
    table = mistaken()
    table.meld("2", "5H", "5C", "5S")
    table.look(("4C", 0.02), seconds=5.0)
    assert any(option.startswith("resume") for option in table.offered)


def test_a_slip_is_taken_as_one_even_if_the_hand_may_also_have_gone_differently() -> None:
    """It is offered besides the other explanations, for as long as the table stays so."""
    table = mistaken()
    table.meld("2", "5H", "5C", "5S")
    table.look(("4C", 0.02), seconds=5.0)
    assert table.offered[1] == "deal 2 5H; deal 2 5C; deal 2 5S"
    table.press(Button.FIX)
    table.press(Button.OK)
    assert table.acts()[-3:] == ["deal 2 5H", "deal 2 5C", "deal 2 5S"]


def test_a_card_that_came_to_light_slightly_displaced_is_recognised_the_same_way() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.look(("QD", 0.05))
    table.look(("4C", 0.02))
    assert table.acts()[2:] == ["3 discard QD", "1 discard 4C"]
    table.meld("3", "8S", "8C", "8H")
    table.look(("4C", 0.02), seconds=5.0)
    assert table.offered[0] == "3 draw discards 8S; 3 discard 4C; 3 show 8S 8C 8H"


def test_speaking_in_a_turn_attributed_to_another_reveals_it() -> None:
    table = mistaken()
    table.loop.type("2 draw stock ??", sure=True)
    assert table.offered[0] == (
        "3 draw stock ??; 3 discard QD; 1 draw stock ??; 1 discard 4C; 2 draw stock ??"
    )
    assert table.offered[1] == "2 draw stock ??"
    table.press(Button.OK)
    assert table.acts()[2:] == ["3 discard QD", "1 discard 4C"]
    assert str(table.loop.state.acts[-1]) == "2 draw stock ??"
    assert not table.loop.state.violations


def test_a_player_speaking_out_of_turn_may_insist_on_it() -> None:
    table = mistaken()
    table.loop.type("2 draw stock ??", sure=True)
    table.press(Button.FIX)
    table.press(Button.OK)
    assert table.acts()[2:4] == ["3 draw discards 8S", "3 discard 4C"]
    assert table.loop.state.violations


@pytest.mark.parametrize(
    ("later", "told"),
    [
        (("6S", "7C", "9H"), ["1 discard 6S", "2 discard 7C", "3 discard 9H"]),
        (("9H",), ["deal discards 9H"]),  # by the next player, who cannot have it
        (("6S", "7C", "8H"), ["1 discard 6S", "2 discard 7C", "3 discard 8H"]),
    ],
)
def test_who_lays_the_only_nine_again_had_drawn_it_before_it_was_covered(
    later: tuple[str, ...], told: list[str]
) -> None:
    """A ten was laid before anybody saw the queen below the nine."""
    table = Heap("paiute", seats=4)
    table.meld("wild", "AD")
    for card in ("QS", "9H", "TS", "KD"):
        table.look((card, 0.0))
    assert table.acts()[-3:] == ["2 discard 9H", "3 discard TS", "4 discard KD"]
    for card in later:
        table.look((card, 0.0), seconds=3.0)
    drawn = ["3 draw discards 9H"] if told[-1] == "3 discard 9H" else []
    assert table.acts()[-3 - len(drawn) - len(told) :] == [
        "2 discard 9H", *drawn, "3 discard TS", "4 discard KD", *told,
    ]  # fmt: skip
    assert not table.offered
