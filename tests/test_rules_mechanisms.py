"""What games with hands, stocks, claims and melds need from the engine, tested on a made-up game.

Two cards each are held and one lies in front of its owner; a player draws, then discards; anybody
may claim a discard; three cards make a meld; one card is passed on. Nothing here is a real game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

import pytest

import rules
from rules.acts import Act, Verb
from rules.cards import Card, Deck, parse_cards
from rules.errors import ActError, StartError
from rules.frozen import replace
from rules.game import AnyGame, Game, house_rule
from rules.games import GAMES, find_game
from rules.match import Hand, Match
from rules.phrases import Phrase
from rules.spots import DECK, Face, Shape, Spot
from rules.start import Start
from rules.state import State
from rules.turn import Awaited, Turn

PACK = Deck.standard()
PILE, STOCK = "pile", "stock"
ENDED = ("deal board QS", "deal board 5D", "deal banker 7C", "end", "clear")
KEYWORD = re.compile(r"(\w+)=")


@dataclass(frozen=True, kw_only=True)
class ToyState(State):
    secret: str = "spades"
    drew: int | None = None


@dataclass(frozen=True)
class Toy(Game[ToyState]):
    name: ClassVar[str] = "toy"
    players: ClassVar[range] = range(2, 5)
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.DEAL, Verb.DRAW, Verb.DISCARD, Verb.MELD, Verb.PASS_CARDS, Verb.SHOW, Verb.DECLARE}
    )

    small: int = house_rule(1, "A number.", choices=(1, 2, 3))
    large: int = house_rule(2, "A number above the small one.", choices=(2, 3, 4))
    free: int = house_rule(5, "Any number that is not negative.", least=0)

    def rule_faults(self) -> Any:
        if self.small >= self.large:
            yield f"small must be below large, got {self.small} and {self.large}"

    def deck(self, start: Start) -> Deck:
        return PACK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        return (
            Spot(PILE, capacity=52, shape=Shape.PILE),
            Spot(STOCK, capacity=52, shape=Shape.PILE, face=Face.DOWN),
            *(Spot("cards", owner=s, capacity=9, shape=Shape.FAN, held=True) for s in start.seats),
            *(Spot("front", owner=s, capacity=1, face=Face.EITHER) for s in start.seats),
            *(Spot("meld-1", owner=s, capacity=4, shape=Shape.FAN) for s in start.seats),
        )

    def open(self, start: Start) -> ToyState:
        self.check_start(start)
        return ToyState(game=self, start=start)

    def turn(self, state: ToyState) -> Turn:
        says = Phrase("turn.draw")
        if not all(state.table.at(f"{seat}.front") for seat in state.start.seats):
            hands = tuple(str(seat) for seat in state.start.seats)
            fronts = tuple(f"{seat}.front" for seat in state.start.seats)
            whole = Awaited(Verb.DEAL, says, spots=hands, pick=2, down=True)
            return Turn((whole, Awaited(Verb.DEAL, says, spots=fronts, pick=1, down=True)))
        others = tuple(seat for seat in state.start.seats if seat != 1)
        hand = state.table.cards("1")
        return Turn(
            (
                Awaited(Verb.DRAW, says, (1,), (STOCK,), pick=1, down=True, from_deck=True),
                Awaited(Verb.DISCARD, says, (1,), pick=1, among=hand),
                Awaited(Verb.MELD, says, (1,), pick=3, among=hand, required=False),
                Awaited(Verb.PASS_CARDS, says, (1,), ("2",), pick=1, among=hand, down=True),
            ),
            (Awaited(Verb.DECLARE, says, others, words=(("claim",),), required=False),),
        )

    def route(self, state: ToyState, act: Act) -> tuple[str, str]:
        own = str(act.seat)
        match act.verb:
            case Verb.DRAW:
                return (DECK if act.spot == STOCK else str(act.spot)), own
            case Verb.DISCARD:
                return own, PILE
            case Verb.MELD:
                return own, f"{own}.meld-1"
            case Verb.PASS_CARDS:
                return own, str(act.spot)
        return super().route(state, act)

    def effect(self, state: ToyState, act: Act) -> ToyState:
        if act.verb is Verb.DISCARD and act.card.rank == "Q":
            since = next((n for n, a in enumerate(state.acts, 1) if a.verb is Verb.DRAW), None)
            return state.flag("toy.late", since=since, seat=act.seat)
        return replace(state, drew=act.seat) if act.verb is Verb.DRAW else state

    def veiled(self, state: ToyState) -> ToyState:
        return replace(state, secret="")


def table(*lines: str) -> ToyState:
    state = Toy().open(Start(seats=(1, 2)))
    for line in lines:
        state = state.play(Act.parse(line))
    return state


DEALT = ("deal 1 (5C) (5D)", "deal 2 (AC) (AD)", "deal 1.front (9H)", "deal 2.front (9S)")


def test_a_card_drawn_from_the_deck_is_listed_as_its_next_one() -> None:
    draw = next(iter(table(*DEALT).turn))
    assert [str(act) for act in draw.acts(parse_cards("5H KC"))] == ["1 draw stock (5H)"]
    state = table(*DEALT, "1 draw stock (5H)")
    assert state.table.cards("1") == parse_cards("5C 5D 5H")
    assert state.remaining == 52 - 7


def test_held_cards_are_known_in_a_world_record_and_hidden_on_the_table() -> None:
    state = table(*DEALT, "1 draw stock ??")
    assert state.public().table.cards("1") == parse_cards("?? ?? ??")
    assert state.public().acts[-1] == Act.parse("1 draw stock ??")


def test_a_play_from_a_hidden_hand_takes_one_of_the_backs_away() -> None:
    lines = [line.replace("(5C) (5D)", "?? ??") for line in DEALT]
    state = table(*lines, "1 discard KS")
    assert not state.violations
    assert state.table.cards("1") == parse_cards("??")
    assert state.table.view(PILE) == parse_cards("KS")


def test_a_card_that_is_not_held_cannot_be_played_if_all_is_known() -> None:
    with pytest.raises(ActError, match="no KS at 1, which holds 5C 5D"):
        table(*DEALT, "1 discard KS")


def test_three_cards_go_to_the_meld_together() -> None:
    state = table(*DEALT, "1 draw stock (5H)", "1 meld 5C 5D 5H")
    assert state.table.view("1.meld-1") == parse_cards("5C 5D 5H")
    assert not state.table.at("1")


def test_cards_are_passed_from_hand_to_hand_unseen() -> None:
    state = table(*DEALT, "1 pass-cards 2 (5C)")
    assert state.table.cards("2") == parse_cards("AC AD 5C")
    assert state.public().table.cards("2") == parse_cards("?? ?? ??")


def test_another_seat_may_interrupt() -> None:
    state = table(*DEALT)
    assert state.allows(Act.parse("2 declare claim"))
    assert not state.allows(Act.parse("1 declare claim"))
    assert state.play(Act.parse("2 declare loudly")).violations[0].rule == "wrong-word"
    assert state.turn.seats == (1,)


def test_cards_are_shown_wherever_they_lie_in_front_of_their_owner() -> None:
    state = table(*DEALT, "2 show AC 9S")
    assert state.table.view("2") == parse_cards("AC ??")
    assert state.table.view("2.front") == parse_cards("9S")
    hidden = [line.replace("(AC) (AD)", "?? ??").replace("(9S)", "??") for line in DEALT]
    seen = table(*hidden, "2 show AC AD 9S")
    assert seen.table.view("2") == parse_cards("AC AD")
    assert seen.table.view("2.front") == parse_cards("9S")


def test_a_spot_of_one_s_own_is_turned_up_by_name() -> None:
    assert table(*DEALT, "turn 2.front 9S").table.view("2.front") == parse_cards("9S")


def test_what_is_found_late_names_the_act_that_broke_the_rule() -> None:
    state = table(*DEALT, "1 draw stock (QH)", "1 discard QH")
    (violation,) = state.violations
    assert (violation.since, violation.found) == (5, 6)
    assert violation.phrase["since"] == 5


def test_a_game_s_own_secret_does_not_reach_the_public() -> None:
    assert table().secret == "spades"
    assert table().public().secret == ""
    assert "spades" not in repr(table(*DEALT).public())


def test_an_irregular_hidden_card_is_not_revealed_in_the_violation() -> None:
    state = table(*DEALT, "2 draw stock (KH)")
    (violation,) = state.violations
    assert violation.rule == "out-of-turn"
    assert violation.cards == parse_cards("??")


def test_a_card_is_counted_when_it_turns_up_and_not_before() -> None:
    hidden = table("deal 1 (5C) (KC)", "deal 2.front 5C")
    assert "deck.double" not in [v.rule for v in hidden.violations]
    shown = hidden.play(Act.parse("1 show 5C"))
    double = next(v for v in shown.violations if v.rule == "deck.double")
    assert dict(double.values) == {"act": 2}


def test_house_rules_that_contradict_each_other_are_refused_together() -> None:
    with pytest.raises(StartError, match="small must be below large, got 3 and 2"):
        Toy(small=3)
    with pytest.raises(StartError, match=r"one of 1, 2, 3, got 9; small must be below large"):
        Toy(small=9)
    with pytest.raises(StartError, match="house rule free is at least 0, got -1"):
        Toy(free=-1)
    assert Toy(free=0).free == 0


@pytest.mark.parametrize("kind", GAMES.values())
def test_no_number_of_a_house_rule_is_negative(kind: type[AnyGame]) -> None:
    """They are chips, raises, deals and packs: none of a game's rules means less than nothing."""
    numbers = [rule.name for rule in kind().house_rules() if type(rule.value) is int]
    for name in numbers:
        with pytest.raises(StartError, match=f"house rule {name} is .*got -1"):
            kind(**{name: -1})


def test_between_hands_people_come_and_go() -> None:
    match = Match(Toy(), Start(seats=(1, 2), stacks=((1, 50), (2, 50))))
    for line in ("join 4 80", "chips 1 25", "dealer 4", "join 3"):
        match.play(Act.parse(line))
    assert len(match.hand.start.seats) == 4
    assert dict(match.hand.start.stacks) == {1: 75, 2: 50, 4: 80}
    match.play(Act.parse("leave 4"))
    assert (4 in match.hand.start.seats, match.hand.start.dealer) == (False, 1)
    match.play(Act.parse("sit-out 2"))
    assert dict(match.hand.start.stacks) == {1: 75, 2: 50}


def test_acts_between_hands_are_undone_last_one_first() -> None:
    match = Match(find_game("ziginette"), Start(seats=(1, 2), banker=1))
    for line in ("limits 1 9", *ENDED, "join 3", "banker 3", "chips 3 40"):
        match.play(Act.parse(line))
    assert match.hand.start.banker == 3
    assert [str(match.undo()) for _ in range(3)] == ["chips 3 40", "banker 3", "join 3"]
    assert match.hand.start.seats == (1, 2)
    assert str(match.undo()) == "clear"


@pytest.mark.parametrize(
    "line", ["join 1", "join 99", "leave 7", "chips 7 10", "banker 9", "limits 9 3", "limits 5"]
)
def test_what_cannot_be_between_two_hands_is_refused(line: str) -> None:
    match = Match(Toy(), Start(seats=(1, 2, 3)))
    before = match.hand.start
    with pytest.raises(ActError):
        match.play(Act.parse(line))
    assert match.hand.start == before


@pytest.mark.parametrize(
    ("game", "seats", "line"),
    [("tribello", (1, 2, 3), "leave 2"), ("rams", (1, 2, 3, 4, 5), "join 6")],
)
def test_what_no_hand_could_follow_is_refused_before_it_is_done(
    game: str, seats: tuple[int, ...], line: str
) -> None:
    match = Match(find_game(game), Start(seats=seats, dealer=1))
    with pytest.raises(ActError, match=f"'{line}': {game} is for .* players, got") as caught:
        match.verify(Act.parse(line))
    with pytest.raises(ActError, match=f"^{re.escape(str(caught.value))}$"):
        match.play(Act.parse(line))


def test_a_hand_is_the_acts_that_stand() -> None:
    hand = Hand(Toy(), Start(seats=(1, 2)), [Act.parse(line) for line in DEALT])
    assert hand.state.table.at("1")[0].card == Card.parse("5C")
    assert hand.undo() == Act.parse(DEALT[-1])
    assert not hand.state.table.at("2.front")


GUIDE = Path(rules.__file__).with_name("ADDING-A-GAME.md").read_text()


def test_the_guide_names_verbs_that_exist() -> None:
    named = re.findall(r"Awaited\(([A-Z_]+)", GUIDE)
    assert len(named) > 30
    assert set(named) <= set(Verb.__members__)


def test_the_guide_gives_the_fields_of_what_is_awaited_in_order() -> None:
    (said,) = re.findall(r"    Awaited\((verb, [^)]*)\)", GUIDE)
    assert re.split(r",\s+", said) == [field.name for field in fields(Awaited)]
    keywords = {
        word for line in re.findall(r"Awaited\(.*", GUIDE) for word in KEYWORD.findall(line)
    }
    assert keywords <= {field.name for field in fields(Awaited)}


def test_the_guide_gives_the_fields_of_a_spot() -> None:
    (said,) = re.findall(r"`Spot\((role.*?)\)`", GUIDE)
    assert re.findall(r"(\w+)(?:=[\w.]+)?(?:, |$)", said) == [field.name for field in fields(Spot)]


def test_the_guide_names_what_a_game_and_a_state_can_do() -> None:
    table = GUIDE[GUIDE.index("| member") : GUIDE.index("`State` is one moment")]
    first = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    members = {name for cell in first for name in re.findall(r"`(\w+)", cell)} - {"house_rule"}
    assert {name for name in members if not hasattr(Toy, name)} == set()
    assert all(hasattr(State, name) for name in re.findall(r"`state\.(\w+)\(", GUIDE))
    assert all(hasattr(Turn, name) for name in re.findall(r"`turn\.(\w+)", GUIDE))
