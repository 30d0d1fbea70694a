"""Pads: whatever may be said is a button or two away, in every game."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from firmware.display.pads import SAID, Key, Pads, others, pads
from firmware.texts import Texts
from rules.acts import Act, Verb
from rules.games import GAMES, find_game
from rules.match import Hand, Match
from rules.start import Level, Start
from rules.state import State
from tests.every_game import a_hand, some
from tests.play import play_hand, start_for

EVERY_GAME = pytest.mark.parametrize("name", sorted(GAMES))
ENGLISH = Texts.load("en", strict=True)


def lines(keys: tuple[Key, ...], touches: int = 1) -> Iterator[tuple[str, int]]:
    """Each act line of a pad, with the touches that it takes; amounts as offered."""
    for key in keys:
        yield from lines(key.keys, touches + 1)
        if key.amounts is not None:
            for amount in key.amounts.offered:
                yield key.amounts.line.format(amount=amount), touches + 1
        elif key.line:
            yield key.line, touches + key.sure


@EVERY_GAME
def test_what_a_pad_offers_is_legal(name: str) -> None:
    for state in some(a_hand(name, 0)[:-1]):
        public = state.public()
        for line, _ in lines(pads(public, ENGLISH)):
            assert public.allows(Act.parse(line)), f"{state.phase}: {line}"


@EVERY_GAME
def test_whatever_may_be_said_is_on_the_pad(name: str) -> None:
    """Every word said in an honest hand was on the pad, at most four touches away."""
    states = a_hand(name, 1)
    for before, act in zip(states, states[-1].acts, strict=False):
        if any(len(word) > 20 for word in act.words):
            continue  # a seal or a secret rule, which are entered on their own page
        if act.verb not in SAID or (before.turn.due == act.observed() and act.seat is None):
            continue
        offered = dict(lines(pads(before.public(), ENGLISH)))
        if act.numbers and str(act) not in offered:
            ranges = [one.numbers for one in before.turn if one.verb is act.verb and one.numbers]
            assert any(low <= act.numbers[-1] <= high for low, high in ranges)  # on the keypad
        else:
            assert offered[str(act.observed())] <= 4


@EVERY_GAME
def test_every_key_has_exactly_one_use(name: str) -> None:
    def check(keys: tuple[Key, ...]) -> None:
        assert len({key.label for key in keys}) == len(keys)
        for key in keys:
            assert bool(key.line) + bool(key.keys) + (key.amounts is not None) == 1
            check(key.keys)

    for state in some(a_hand(name, 2)[:-1]):
        check(pads(state.public(), ENGLISH))
        check(others(state.public(), ENGLISH))


@EVERY_GAME
def test_a_pad_names_no_hidden_card(name: str) -> None:
    """A record that knows every card makes the same pad as what the table showed."""
    for state in some(a_hand(name, 0)[:-1]):
        seen = Hand(state.game, state.start, [act.observed() for act in state.acts]).state
        assert Pads().of(state, ENGLISH) == Pads().of(seen, ENGLISH)


def opened(name: str, *acts: str, **start: object) -> State:
    game = find_game(name)
    given = {"seats": (1, 2, 3, 4), "level": Level.AMOUNTS, "limits": (1, 20), **start}
    given.setdefault("banker" if game.banked else "dealer", 1)
    state: State = game.open(Start(**given))  # type: ignore[arg-type]
    for line in acts:
        state = state.play(Act.parse(line))
    return state


def test_a_bet_takes_two_touches() -> None:
    state = opened("ziginette", "deal board QS", "deal board 5D", "deal banker 7C")
    told = dict(lines(pads(state, ENGLISH)))
    assert told["2 bet 10 QS"] == 2
    assert told["4 bet 20 5D"] == 2
    bet = next(key for key in pads(state, ENGLISH) if key.amounts)
    assert bet.label == "seat 4 bets on queen of spades", "the game goes round to the right"
    assert bet.amounts is not None
    assert bet.amounts.offered == (1, 2, 3, 5, 10, 20)


def test_limits_are_asked_for_as_keys_if_none_are_known() -> None:
    state = opened("ziginette", limits=None)
    assert ("limits 1 20", 1) in lines(pads(state, ENGLISH))
    assert state.play(Act.parse("limits 1 20")).limits == (1, 20)
    (typed,) = [key.amounts for key in pads(state, ENGLISH) if key.amounts]
    assert max(typed.offered) <= 100  # a limit of a thousand million is nobody's choice


def test_ending_the_hand_is_touched_twice() -> None:
    state = opened("ziginette", "deal board QS", "deal board 5D", "deal banker 7C")
    (end,) = [key for key in pads(state, ENGLISH) if key.line == "end"]
    assert end.sure


def test_a_round_of_passes_and_a_bid_are_one_touch_each() -> None:
    deal = [f"deal {seat} ?? ?? ??" for seat in (2, 3, 4, 1)]
    deal += [f"deal {seat} ?? ??" for seat in (2, 3, 4, 1)]
    passes = [f"{seat} pass" for seat in (2, 3, 4, 1, 2, 3)]
    state, touches = opened("belote", *deal, "deal board 9H"), 0
    for said in (*passes, "4 bid clubs"):
        touches += dict(lines(pads(state.public(), ENGLISH)))[said]
        state = state.play(Act.parse(said))
    assert touches == 7


def test_a_declaration_takes_three_touches() -> None:
    game = find_game("belote")
    hand = play_hand(game, start_for(game), random.Random(3))
    state = next(state for state in hand if state.phase == "declaring")
    told = dict(lines(pads(state.public(), ENGLISH)))
    seat = next(one for one in state.turn).seats[0]
    assert told[f"{seat} declare run-of-three QD"] == 3
    assert told[f"{seat} pass"] == 1


def test_out_of_turn_acts_are_behind_other_and_are_touched_twice() -> None:
    game = find_game("pineapple")
    betting = next(
        state
        for state in play_hand(game, start_for(game), random.Random(3))
        if state.phase == "betting"
    )
    told = dict(lines(others(betting.public(), ENGLISH)))
    waiting = betting.turn.seats[0]
    late = next(seat for seat in betting.start.seats if seat != waiting)
    assert told[f"{late} fold"] == 3  # the seat, the word, and yes
    assert f"{waiting} fold" not in told
    assert Act.parse(f"{late} fold").verb is Verb.FOLD


@pytest.mark.parametrize("name", ["chinese-poker", "open-face-chinese-poker"])
def test_two_players_agree_on_a_unit_by_touches(name: str) -> None:
    """Before a hand, behind *other*: the pair, then the chips; the next hand counts by them."""
    match = Match(GAMES[name](), start_for(GAMES[name](), seats=3))
    unit = next(key for key in others(match.state, ENGLISH) if key.seat is None)
    labels = [key.label for key in unit.keys]
    assert labels == ["Seats 1 and 2", "Seats 1 and 3", "Seats 2 and 3"]
    amounts = unit.keys[1].amounts
    assert amounts is not None
    assert amounts.offered[:3] == (1, 2, 3)
    match.play(Act.parse(amounts.line.format(amount=5)))
    assert match.state.start.note("units") == "1-3:5"
    dealt = match.state.play(Act.parse("deal 2 ??"))
    assert all(key.seat is not None for key in others(dealt, ENGLISH))


def test_the_pot_is_counted_by_touches_between_hands_and_in_a_resumed_one() -> None:
    """Behind *other*, with any amount that it may hold: at least what was bet in this hand."""
    match = Match(GAMES["guts"](), start_for(GAMES["guts"](), seats=3))
    assert counted(match) == (0, ["pot 0"])
    for line in ("pot 20", "deal 2 ??"):
        match.play(Act.parse(line))
    assert counted(match) is None, "it follows from the bets"
    match.play(Act.parse("resume 1"))
    assert counted(match) == (0, ["pot 20", "pot 0"])
    blinds = Match(GAMES["pineapple"](), start_for(GAMES["pineapple"](), seats=3))
    for line in ("ante", "resume 1"):
        blinds.play(Act.parse(line))
    assert counted(blinds) == (2, ["pot 2"])
    uncounted = Match(GAMES["guts"](), start_for(GAMES["guts"](), Level.WHO, seats=3))
    assert counted(uncounted) is None


def counted(match: Match) -> tuple[int, list[str]] | None:
    """The least that the pot may hold, and what is offered; None if it cannot be counted."""
    keys = [key for key in others(match.state.public(), ENGLISH) if key.seat is None]
    if not keys:
        return None
    (amounts,) = [key.amounts for key in keys]
    assert amounts is not None
    for line, _ in lines(tuple(keys)):
        match.verify(Act.parse(line))
    return amounts.least, [line for line, _ in lines(tuple(keys))]
