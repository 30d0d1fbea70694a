"""What a hidden pile shows: its top card, and what lay below once that is gone."""

from __future__ import annotations

from dataclasses import replace

from firmware.follow.deciding import IRREGULAR_AFTER_S, LOST_AFTER_S
from firmware.follow.piles import Piles
from rules.acts import Verb
from rules.cards import Card, Deck
from rules.games import find_game
from rules.spots import Laid, Shape, Spot, Table
from rules.start import Level, Start
from rules.state import State
from tests.felt import Felt, lying
from vision.sightings import Lying, Seen


def moved(one: Lying, by: float) -> Lying:
    return replace(one, outline=tuple((x + by, y + by / 2) for x, y in one.outline))


def test_a_copy_that_comes_onto_a_pile_has_another_position_than_the_card_below_it() -> None:
    """With packs shuffled together, a four of spades may come to light, or come onto the pile."""
    state: State = find_game("three-thirteen").open(Start(seats=(1, 2), dealer=1))
    four, eight = lying("4S", 0), lying("8S", 0)

    def fresh(*tops: Lying) -> bool:
        piles = Piles()
        for number, top in enumerate(tops):
            piles.see(state, Seen({"discards": (top,)}, frozenset(), (), 0.2 * number))
        return "discards" in piles.fresh

    assert not fresh(four, eight)
    assert not fresh(four, eight, four)
    assert not fresh(four, moved(eight, 5.0), moved(four, 0.5))
    assert fresh(four, eight, moved(four, 6.0))


def mille_pile() -> Felt:
    """Mille: the king of spades lies on the two of hearts, and player 1 is next."""
    felt = Felt("mille", seats=2)
    felt.lay("discards", "2H")
    felt.cards["discards"] = ["KS"]
    felt.look()
    assert felt.acts()[-1] == "2 discard KS"
    return felt


def test_a_meld_waits_until_the_hand_has_left_the_pile_that_it_may_come_from() -> None:
    felt = mille_pile()
    before = felt.acts()
    felt.busy.add("discards")
    felt.lay("1.meld-k", "KS", "KS", "KH")
    assert felt.acts() == before  # drawn from the stock, or the pile taken?
    felt.look(4 * IRREGULAR_AFTER_S)
    assert felt.acts() == before
    felt.busy.clear()
    felt.cards["discards"] = []
    felt.look()
    assert felt.acts()[len(before) :] == ["1 meld KS KS KH"]


def test_a_meld_that_only_the_hidden_pile_explains_waits_for_it() -> None:
    felt = mille_pile()
    before = felt.acts()
    felt.busy.add("discards")
    felt.cards["1.meld-k"] = ["KS", "KS", "KD"]  # two packs have no third king of spades
    felt.look(4 * IRREGULAR_AFTER_S)
    assert felt.acts() == before
    assert not felt.rules_broken


def test_a_meld_from_the_stock_is_recognised_by_the_pile_still_there() -> None:
    felt = mille_pile()
    felt.busy.add("discards")
    felt.lay("1.meld-k", "KS", "KD", "KH")
    felt.busy.clear()
    felt.look()
    assert felt.acts()[-2:] == ["1 draw stock ??", "1 meld KS KD KH"]


def test_a_card_that_comes_to_light_on_a_pile_was_not_laid_there() -> None:
    felt = mille_pile()
    before = felt.acts()
    felt.cards["discards"] = ["2H"]  # the king is off, the rest of the pile not yet
    felt.lay("1.meld-k", "KS", "KS", "KH")
    assert felt.acts() == before
    felt.cards["discards"] = []
    felt.look()
    assert felt.acts()[len(before) :] == ["1 meld KS KS KH"]


def test_in_an_untidy_pile_nothing_that_lay_below_counts_as_new() -> None:
    """Eight, ace, six: with the eight off, the ace and a corner of the six are visible."""
    felt = mille_pile()
    felt.loop.type("1 draw stock ??")
    six, ace, eight = lying("6C", 0), moved(lying("AS", 0), 9.0), moved(lying("8C", 0), 3.0)

    def look(*cards: Lying) -> None:
        for _ in range(2):
            felt.time += 1.0
            spots = {**felt.seen().spots, "discards": cards}
            felt.loop.see(Seen(spots, frozenset(), (), felt.time))

    look(six)
    look(ace, six)
    felt.loop.type("2 draw stock ??")
    look(eight)
    assert felt.acts()[-1].endswith("discard 8C")
    before = felt.acts()
    look(ace, six)
    assert felt.acts() == before


def test_a_pile_shows_its_top_card_and_a_hand_its_open_cards() -> None:
    cards = tuple(Laid(Card.parse(text), up) for text, up in (("QS", True), ("5D", False)))
    table = Table({"pile": cards, "2": cards})
    assert [str(c) for c in Spot("pile", shape=Shape.PILE).shows(table)] == ["??"]
    assert Spot("cards", 2, held=True).shows(table) == ()
    assert [str(c) for c in Spot("cards", 2, held=True, opens=True).shows(table)] == ["QS"]


def test_a_card_that_comes_to_light_while_the_table_is_cleared_is_no_slip() -> None:
    """A pile of discards is picked up by the handful, and what lay in it shows for a moment."""
    felt = Felt("pineapple", level=Level.NONE)
    for spot in ("2", "3", "1"):
        felt.lay(spot, "??")
    for line in ("2 fold", "3 fold"):
        felt.type(line)
    assert [one.verb for one in felt.loop.state.turn if one.required] == [Verb.CLEAR]
    before = felt.acts()
    felt.cards["board"], felt.busy = ["QH"], {"2"}
    felt.look(2 * LOST_AFTER_S)
    assert felt.acts() == before
    assert felt.loop.question is None


def test_a_card_that_comes_to_light_while_a_pile_is_turned_over_is_no_slip() -> None:
    """The stock was out, and of the discards that were gathered a seven lay open for seconds."""
    felt = Felt("paiute", seats=5, level=Level.NONE)
    cards = iter(Deck.standard().cards)

    def due() -> set[Verb]:
        return {one.verb for one in felt.loop.state.turn if one.required}

    for _ in range(200):
        turn = felt.loop.state.turn
        if due() == {Verb.SHUFFLE}:
            break
        seat = next((one.seats[0] for one in turn if one.seats), 0)
        spots = {spot for one in turn for spot in one.spots}
        deal = next((one for one in turn if one.verb is Verb.DEAL), None)
        if deal is not None:
            hidden = sorted(spots)[0].isdigit()
            felt.type(
                f"deal {sorted(spots)[0]} {' '.join(['??'] * deal.pick) if hidden else next(cards)}"
            )
        elif Verb.DISCARD in due():
            felt.type(f"{seat} discard {next(cards)}")
        else:
            felt.type(f"{seat} draw stock ??")
    assert due() == {Verb.SHUFFLE}
    before = felt.acts()
    felt.cards["discards"], felt.busy = ["7D"], {""}
    felt.look(2 * LOST_AFTER_S)
    assert felt.acts() == before
    assert felt.loop.question is None


def test_a_discard_that_was_taken_at_once_came_although_a_hand_hid_the_lay_off_before_it() -> None:
    felt = Felt("oklahoma-rummy", seats=4)
    backs = " ".join(["??"] * 13)
    felt.type(*(f"deal {seat} {backs}" for seat in (2, 3, 4, 1)), "deal discards 2C")
    felt.type("2 meld 8C TC 2C", "2 declare as 9C", "2 discard 7S")
    felt.type("3 draw stock ??", "3 meld 2S 6D 6H", "3 declare as 6S")
    felt.cards |= {"2.meld-1": ["8C", "TC", "2C"], "3.meld-1": ["2S", "6D", "6H"]}
    felt.cards["discards"] = ["7S"]
    felt.look(1.0)
    felt.busy = {"3.meld-1"}
    felt.cards["3.meld-1"].append("6S")
    felt.cards["discards"] = ["KS"]
    felt.look(0.8)
    felt.cards["discards"] = ["7S"]
    felt.look()
    felt.busy = {"4.meld-1"}
    felt.look(0.6)
    assert felt.acts()[-1] == "3 lay 3.meld-1 6S"
    felt.busy = set()
    felt.cards["4.meld-1"] = ["KS", "2H", "2H"]
    felt.look(0.6)
    felt.cards["discards"].clear()
    felt.look(2.0)
    assert felt.acts()[-2:] == ["3 discard KS", "4 meld KS 2H 2H"]
