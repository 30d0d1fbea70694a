from __future__ import annotations

from itertools import combinations
from math import atan2, cos, degrees, radians, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.table.layout import Layout, seat_points
from firmware.table.packing import CHIP_MM
from firmware.table.place import CARD_MM, VIEW_MM, Place, Point
from firmware.table.places import Places
from rules.games import GAMES
from rules.spots import Face, Shape, Spot
from rules.start import Start
from tests.play import CHIP_GAMES, start_for

INDEX_MM = 18.0
"""Width of a card's index with its margin, across the card."""


def card_corners(cell: tuple[float, float, float]) -> list[Point]:
    x, y, angle = cell
    turn, (width, height) = radians(angle), CARD_MM
    return [
        (
            x + across * width / 2 * cos(turn) - down * height / 2 * sin(turn),
            y + across * width / 2 * sin(turn) + down * height / 2 * cos(turn),
        )
        for across, down in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def apart(one: Place, other: Place) -> bool:
    left, top, right, bottom = one.bounds
    left2, top2, right2, bottom2 = other.bounds
    slack = 0.01
    return (
        right <= left2 + slack
        or right2 <= left + slack
        or bottom <= top2 + slack
        or bottom2 <= top + slack
    )


def check(layout: Layout, spots: list[Spot]) -> None:
    """Check what must be true of every layout."""
    width, height = layout.size
    piles = [pile for pile in (layout.deck, layout.gone) if pile is not None]
    everything = [*layout.places.values(), *piles]
    for place in everything:
        left, top, right, bottom = place.bounds
        assert left >= 0 <= top
        assert right <= width
        assert bottom <= height
        for cell in place.cells:
            assert all(left <= x <= right and top <= y <= bottom for x, y in card_corners(cell))
    for one, other in combinations(everything, 2):
        assert apart(one, other), (one, other)
    laid = {spot.name for spot in spots if spot.in_sight}
    assert laid == set(layout.places) | set(layout.keyed)
    assert not set(layout.places) & set(layout.keyed)


def visible_strip(place: Place) -> float:
    """The least that the next card in its row leaves visible of a card, in mm."""
    steps = [
        ((x2 - x) ** 2 + (y2 - y) ** 2) ** 0.5
        for (x, y, _), (x2, y2, _) in zip(place.cells, place.cells[1:], strict=False)
    ]
    return min(steps, default=CARD_MM[0])


SHAPES = st.sampled_from([Shape.ROW, Shape.FAN, Shape.AREA])


@given(
    seats=st.integers(2, 10),
    own=st.lists(st.tuples(st.integers(1, 13), SHAPES), max_size=3),
    common=st.lists(st.tuples(st.integers(1, 40), SHAPES), max_size=3),
    at_seat=st.booleans(),
)
@settings(max_examples=30, deadline=None)
def test_nothing_overlaps_and_everything_is_in_view(
    seats: int,
    own: list[tuple[int, Shape]],
    common: list[tuple[int, Shape]],
    at_seat: bool,
) -> None:
    spots = [Spot(f"common-{n}", None, count, how) for n, (count, how) in enumerate(common)]
    spots += [
        Spot(f"own-{n}", seat, count, how)
        for seat in range(1, seats + 1)
        for n, (count, how) in enumerate(own)
    ]
    layout = Layout.for_game(spots, range(1, seats + 1), dealer_at=seats if at_seat else None)
    check(layout, spots)
    for spot in spots:
        if spot.name in layout.places:
            place = layout.places[spot.name]
            assert len(place.cells) == spot.capacity
            assert visible_strip(place) >= INDEX_MM


@pytest.mark.parametrize("capacity", [*range(1, 14), 18, 26, 33, 40, 52])
def test_a_row_of_any_length_fits_when_it_is_alone(capacity: int) -> None:
    spots = [Spot("board", None, capacity)]
    layout = Layout.for_game(spots, (1, 2))
    check(layout, spots)
    assert not layout.keyed


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_full_table_of_any_size_has_room_for_a_small_hand_each_and_a_board(seats: int) -> None:
    spots = [Spot("board", capacity=5)]
    spots += [Spot("cards", seat, 2, face=Face.DOWN) for seat in range(1, seats + 1)]
    layout = Layout.for_game(spots, range(1, seats + 1))
    check(layout, spots)
    assert not layout.keyed
    assert layout.deck is not None


def test_what_does_not_fit_is_named_with_a_reason() -> None:
    spots = [Spot("melds", seat, 40) for seat in range(1, 11)]
    layout = Layout.for_game(spots, range(1, 11))
    check(layout, spots)
    assert layout.keyed
    name, reason = next(iter(layout.keyed.items()))
    assert (reason.id, reason["capacity"]) == ("layout.no-room", 40)
    assert name == f"{reason['seat']}.melds"


def test_cards_held_in_a_hand_have_no_place() -> None:
    layout = Layout.for_game([Spot("cards", 1, 7, held=True), Spot("trick", None, 4)], (1, 2))
    assert set(layout.places) == {"trick"}
    assert not layout.keyed


def test_a_pile_is_on_one_point_and_backs_are_side_by_side() -> None:
    spots = [Spot("discard", None, 30, Shape.PILE), Spot("cards", 1, 5, face=Face.DOWN)]
    layout = Layout.for_game(spots, (1, 2))
    assert len({layout.places["discard"].cell(n) for n in range(30)}) == 1
    assert visible_strip(layout.places["1"]) >= CARD_MM[0]


def test_a_hand_that_may_lie_face_down_keeps_its_backs_apart_if_there_is_room() -> None:
    spots = [Spot("cards", 1, 7, face=Face.EITHER), Spot("two", 1, 2), Spot("five", 1, 5)]
    assert visible_strip(Layout.for_game(spots, range(1, 5)).places["1"]) >= CARD_MM[0]
    long = [Spot("cards", 1, 30, face=Face.EITHER), Spot("row", 2, 30, face=Face.EITHER)]
    layout = Layout.for_game(long, range(1, 5))
    check(layout, long)
    assert not layout.keyed


@pytest.mark.parametrize("count", range(2, 11))
@pytest.mark.parametrize("dealer_sits", [False, True])
def test_seats_go_clockwise_from_the_dealer_s_left(count: int, dealer_sits: bool) -> None:
    points = seat_points(count, dealer_at=count if dealer_sits else None)
    width, height = VIEW_MM
    turns = []
    for seat in range(1, count + 1):
        x, y = points[seat][0] - width / 2, points[seat][1] - height / 2
        # From straight down (the dealer), clockwise as the picture shows it.
        turns.append(degrees(atan2(-x / width, y / height)) % 360)
    if dealer_sits:
        assert turns.pop() == pytest.approx(0)
    assert turns == sorted(turns)
    assert 0 < turns[0] <= 180


def test_a_seat_keeps_its_place_when_a_neighbour_leaves() -> None:
    spots = [Spot("cards", seat, 2) for seat in (1, 3, 6)]
    layout = Layout.for_game(spots, (1, 3, 6), around=6)
    assert layout.seats[3] == seat_points(6)[3]
    check(layout, spots)


def test_cards_face_the_owner_in_front_of_whom_they_lie() -> None:
    spots = [Spot("cards", seat, 3) for seat in range(1, 6)]
    layout = Layout.for_game(spots, range(1, 6), dealer_at=5)
    width, height = layout.size
    assert {name: place.angle for name, place in layout.places.items()} == {
        "1": 90.0, "2": 180.0, "3": 180.0, "4": 270.0, "5": 0.0,
    }  # fmt: skip
    for name, place in layout.places.items():
        # A card's upper edge points from its owner into the table.
        x, y, angle = place.cells[1]
        seat_x, seat_y = layout.seats[int(name)]
        towards = (width / 2 - seat_x) * sin(radians(angle)) - (height / 2 - seat_y) * cos(
            radians(angle)
        )
        assert towards > 0
        own = (x - seat_x) ** 2 + (y - seat_y) ** 2
        assert all(own <= (x - a) ** 2 + (y - b) ** 2 for a, b in layout.seats.values())


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_has_a_layout_for_its_smallest_table(name: str) -> None:
    game = GAMES[name]()
    seats = tuple(range(1, game.players.start + 1))
    spots = list(game.spots(Start(seats=seats, dealer=1, banker=1, limits=(1, 20))))
    layout = Layout.for_game(spots, seats)
    check(layout, spots)
    assert not layout.keyed


@pytest.mark.parametrize("game", CHIP_GAMES)
@pytest.mark.parametrize("count", [2, 4, 6])
def test_chips_have_room_in_front_of_every_seat_and_away_from_the_cards(
    game: str, count: int
) -> None:
    kind = GAMES[game]
    start = start_for(kind(), seats=count)
    state = kind().open(start)
    layout = Places(chips=True).layout(state)
    assert not layout.keyed
    places = kind().betting_places(start)
    assert set(layout.bets) == {place.name for place in places}
    own = [layout.bets[place.name] for place in places if not place.beside]
    for one, other in combinations([*layout.places.values(), *own], 2):
        assert apart(one, other), (one, other)
    assert not Places().layout(state).bets


def test_chips_have_room_around_each_card_that_carries_bets() -> None:
    start = Start(seats=(1, 2, 3, 4), banker=1, limits=(1, 20))
    layout = Places(chips=True).layout(GAMES["ziginette"]().open(start))
    cells = layout.places["board"].cells
    for (x, y, _), (u, v, _) in combinations(cells, 2):
        across, down = abs(x - u) - CARD_MM[0], abs(y - v) - CARD_MM[1]
        assert max(across, down) >= 2 * CHIP_MM - 1e-6
