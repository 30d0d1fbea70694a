"""Several readings of the same cards: what they agree on, and what is asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.cards import BACK, Card, Deck
from tests.knowing import LEFT, Candidates, Table, card, looked_at, lying, names, sighted
from vision.scene.items import Pose
from vision.sightings import Sighting
from vision.track.consensus import Vote, vote
from vision.track.settling import only_peeps


@pytest.fixture
def table() -> Table:
    return looked_at()


def test_one_wrong_reading_of_four_is_outvoted_or_asked_about(table: Table) -> None:
    table.reader.errors = [{}] * table.reader.reads + [{"7D": ((Card.parse("2D"), 0.97),)}]
    (lying,) = table.show([card("7D", LEFT)], frames=30).spots["left"]
    assert lying.candidates[0][0] == Card.parse("7D")
    assert lying.doubtful or lying.card == Card.parse("7D")


def test_a_reading_that_never_agrees_stays_a_question(table: Table) -> None:
    seven, two = Card.parse("7D"), Card.parse("2D")
    turns: list[dict[str, Candidates]] = [{"7D": ((answer, 0.97),)} for answer in (seven, two)]
    table.reader.errors = [dict[str, Candidates]()] * table.reader.reads + turns * 10
    lying = table.show([card("7D", LEFT)], frames=30).spots["left"][0]
    assert lying.doubtful
    assert {candidate for candidate, _ in lying.candidates} == {seven, two}


def test_the_deck_settles_doubt_but_never_makes_a_foreign_card_fit() -> None:
    eight, seven, six = (Card.parse(name) for name in ("8D", "7D", "6D"))
    for candidates, expected, doubtful in (
        (((seven, 0.8), (eight, 0.18)), ("7D",), False),
        (((eight, 0.6), (seven, 0.35)), ("7D", "8D"), True),
        (((eight, 0.95), (six, 0.03)), ("6D", "8D"), True),
        (((eight, 0.978), (six, 0.002)), ("8D", "6D"), True),
        (((eight, 0.978),), ("8D",), True),
        (((eight, 0.997), (six, 0.002)), ("8D", "6D"), False),
    ):
        table = Table(deck=Deck.italian())
        table.reader.errors = [{"6D": candidates}] * 200
        lying = table.show([card("6D", LEFT)], frames=30).spots["left"][0]
        told = [one for one, _ in lying.candidates]
        assert (told[: len(expected)], lying.doubtful) == ([*map(Card.parse, expected)], doubtful)


def test_a_card_at_rest_is_asked_about_while_another_of_the_deck_may_be_it() -> None:
    clubs, spades, eight = (Card.parse(name) for name in ("AC", "AS", "8S"))
    for candidates, doubtful in (
        (((spades, 0.95), (clubs, 0.04)), True),
        (((spades, 0.98), (clubs, 0.02)), False),
        (((spades, 0.95), (eight, 0.04)), False),
    ):
        table = Table(deck=Deck.italian())
        table.reader.errors = [{"AS": candidates}] * 200
        lying = table.show([card("AS", LEFT)], frames=30).spots["left"][0]
        assert (lying.candidates[0][0], lying.doubtful) == (spades, doubtful)


def test_doubt_about_what_lies_there_holds_up_nothing_that_was_laid_on_it(table: Table) -> None:
    """An ace half under others read less clearly than before, and the next card was drawn first."""
    ace = card("AC", LEFT)
    table.show([ace], frames=12)
    doubted: dict[str, Candidates] = {"AC": ((Card.parse("AC"), 0.8), (Card.parse("AS"), 0.1))}
    table.reader.errors = [dict[str, Candidates]()] * table.reader.reads + [doubted] * 20
    seen = table.show([ace, card("4S", Pose(-150, 20))], frames=4)
    assert (names(seen, "left"), seen.busy) == (["AC", "4S"], frozenset())
    assert not seen.spots["left"][0].doubtful


def sightings(*sure: float) -> list[list[Sighting]]:
    """As many readings of a five of diamonds, each with such a confidence."""
    return [[sighted(lying("5D", 300, sure=p))] for p in sure]


def test_one_spoilt_reading_of_many_does_not_make_a_card_doubtful() -> None:
    """A hand that has not quite left spoils the first reading, and no later one mends a mean."""
    assert not vote(sightings(0.59, 0.999, 0.999)).clear
    six = vote(sightings(0.59, *[0.999] * 5))
    assert six.clear
    assert six.lying[0].confidence > 0.99
    assert vote([[], *sightings(*[0.999] * 5)]).clear
    assert not vote(sightings(*[0.59] * 3, *[0.999] * 3)).clear


def test_a_card_of_which_both_ends_are_read_in_most_pictures_is_whole() -> None:
    whole = [replace(one, whole=True) for (one,) in sightings(*[0.999] * 3)]
    assert vote([[one] for one in whole]).lying[0].whole
    assert not vote([[whole[0]], *sightings(0.999, 0.999)]).lying[0].whole


def test_what_peeps_out_under_a_card_in_full_view_does_not_hold_that_up() -> None:
    """Nothing more of it will come to light; a doubtful card beside it is worth further looks."""
    over, low = replace(lying("KH", 300), whole=True), lying("KC", 320, 250, sure=0.5)
    assert only_peeps(Vote((over, low), clear=False))
    assert not only_peeps(Vote((over, lying("KC", 460, sure=0.5)), clear=False))
    assert not only_peeps(Vote((replace(over, whole=False), low), clear=False))
    assert not only_peeps(Vote((over,), clear=False))


def test_what_is_seen_now_and_then_under_a_card_in_full_view_does_not_hold_that_up() -> None:
    """Half a four was read in some pictures only, and the next card was drawn meanwhile."""
    over, low = replace(lying("QS", 300), whole=True), lying("4S", 270, 290, sure=0.94)
    top, half = sighted(over), sighted(low)
    result = vote([[top], [top, half], [top]] * 2)
    assert not result.clear
    assert [one.card for one in result.flickering] == [low.card]
    assert only_peeps(result)
    assert not only_peeps(vote([[], [top, half], [top]] * 2))


def test_a_card_that_is_seen_now_and_then_takes_no_place_of_its_neighbour() -> None:
    """Two nines beside a seven on a pile were each seen in some readings, and it seemed a nine."""
    top = sighted(lying("7S", 994, 520, sure=0.998))
    low = sighted(lying("9D", 971, 528, sure=0.9995))
    half = sighted(lying("9S", 998, 542, sure=0.7))
    shown = [[top], [top, low], [top, half], [top, half], [top, low], [top, half], [top, half]]
    (seven,) = (one for one in vote(shown).lying if one.card == top.card)
    assert not seven.doubtful


def back(y: float, sure: float) -> Sighting:
    corners = ((10.0, y), (150.0, y), (150.0, y + 100.0), (10.0, y + 100.0))
    return Sighting(BACK, sure, ((BACK, sure),), corners, (80.0, y + 50.0), 0.0)


def test_the_backs_of_a_heap_are_as_many_as_the_surer_readings_say() -> None:
    """Two backs half over each other were three in every second reading, none of them certain."""
    two = [back(45.0, 0.95), back(0.0, 0.95)]
    three = [back(45.0, 0.67), back(12.0, 0.67), back(2.0, 0.67)]
    alone = back(200.0, 0.95)
    for turns in ([two, three] * 3, [three, two] * 3):
        result = vote([[*some, alone] for some in turns])
        assert len(result.lying) == 3
        assert not result.clear
        assert not result.same
    sure = [replace(one, confidence=0.95, candidates=((BACK, 0.95),)) for one in three]
    assert len(vote([[*some, alone] for some in [two, sure, sure] * 2]).lying) == 4
    assert vote([[*two, alone]] * 4).clear


def test_a_back_is_certain_if_most_readings_say_so() -> None:
    """Beside a resting hand three cards of four were counted, with doubt in four looks of five; the
    fifth made the mean certain, and nobody looked again once the hand was gone."""
    doubted = [[back(0.0, 0.67)]] * 4
    assert vote([*doubted, [back(0.0, 0.95)]]).lying[0].doubtful
    assert vote([*doubted[:2], *[[back(0.0, 0.95)]] * 2]).lying[0].doubtful
    assert not vote([*doubted[:2], *[[back(0.0, 0.95)]] * 3]).lying[0].doubtful


def test_backs_side_by_side_are_counted_each_for_itself() -> None:
    """One that a hand hides in some readings takes none of its neighbours with it."""
    row = [back(0.0, 0.95), back(103.0, 0.95)]
    result = vote([row, row, row[:1], row])
    assert len(result.lying) == 2
    assert not result.clear


def test_a_card_lies_where_most_readings_see_it() -> None:
    """Of three readings the second was off by a third of a card, and it alone counted."""
    (one,) = vote([[back(712.0, 0.95)], [back(683.0, 0.95)], [back(711.0, 0.95)]]).lying
    assert one.outline[0][1] in (711.0, 712.0)
