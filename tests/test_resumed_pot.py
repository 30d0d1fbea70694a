"""The pot of a resumed hand: counted by the dealer, won like any other, or left for the next."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from textwrap import dedent

import pytest

from rules.acts import Act, Verb
from rules.errors import ActError
from rules.games import GAMES, find_game
from rules.match import Hand, Match
from rules.records import parse_record, print_match
from rules.settlement import POT
from rules.start import Level
from rules.state import State
from tests.play import play_hand, start_for
from tests.resuming import layout_of

POTTED = sorted(name for name, game in GAMES.items() if game().potted)


def resumed(name: str, *, pot: int = 25, level: Level = Level.AMOUNTS) -> Match:
    """A hand for a pot that earlier hands have left, resumed after half of its deal."""
    game = find_game(name)
    match = Match(game, start_for(game, level, pot=pot))
    for state in play_hand(game, match.hand.start, random.Random(name))[1:]:
        if state.acts[-1].verb is Verb.DEAL and state.game.phase(state) == "dealing":
            break
    for one in state.acts:
        match.play(one)
    match.play(Act(Verb.RESUME, numbers=(len(state.acts),), layout=layout_of(state)))
    return match


@pytest.mark.parametrize("name", POTTED)
def test_the_pot_of_a_resumed_hand_is_what_the_dealer_has_counted(name: str) -> None:
    """Bets went unseen; the act is printed, parsed, replayed and undone like any other."""
    match = resumed(name)
    recorded = match.state.game.pot(match.state)
    match.play(Act.parse(f"pot {recorded + 7}"))
    assert match.state.game.pot(match.state) == recorded + 7
    assert [fact["amount"] for fact in match.state.game.facts(match.state)
            if fact.id == "facts.pot"] == [recorded + 7]  # fmt: skip
    assert not match.state.open_violations
    again = parse_record(print_match(match))
    assert again.match.state == match.state
    match.play(Act.parse(f"pot {recorded + 9}"))
    assert match.state.game.pot(match.state) == recorded + 9, "the last count stands"
    match.undo()
    match.undo()
    assert match.state.game.pot(match.state) == recorded
    assert match.state == parse_record(print_match(match)).match.state


def won_hand(name: str) -> list[State]:
    """Every moment of a hand in which somebody takes the pot; in Paiute that of its document."""
    game, end = find_game(name), Act(Verb.CLEAR)
    if name == "paiute":
        example = parse_record(dedent((game_doc(name)).split("::\n")[1].split("\n\nVerbs")[0]))
        start = example.match.hands[0].start.having(pot=25)
        lines = [act for act in example.match.hands[0].acts if act != end]
        return [Hand(game, start, lines[:count]).state for count in range(len(lines) + 1)]
    for seed in range(20):
        states = play_hand(game, start_for(game, seats=2, pot=25), random.Random(seed))
        if any(one.payer == POT for one in states[-1].settlement.payments):
            return [state for state in states if not state.over]
    pytest.fail("nobody wins")


def game_doc(name: str) -> str:
    return sys.modules[GAMES[name].__module__].__doc__ or ""


@pytest.mark.parametrize("name", POTTED)
def test_a_counted_pot_is_won_like_any_other(name: str) -> None:
    game, states = find_game(name), won_hand(name)
    won = [any(one.payer == POT for one in state.settlement.payments) for state in states]
    before, act = states[won.index(True) - 1], states[won.index(True)].acts[-1]
    after = before.play(Act(Verb.RESUME, numbers=(len(before.acts),), layout=layout_of(before)))
    after = after.play(Act(Verb.POT, numbers=(game.pot(before) + 12,)))
    done, plain = after.play(act), before.play(act)
    taken, plainly = (-state.settlement.net[POT] + game.pot(state) for state in (done, plain))
    assert taken - plainly == 12, "so much more has been won or stays in the pot"
    with pytest.raises(ActError, match="has been paid out"):
        done.play(Act.parse("pot 99"))


@pytest.mark.parametrize("name", POTTED)
def test_a_pot_that_nobody_has_won_stays_for_the_next_hand(name: str) -> None:
    """Given up in the middle, the hand leaves the pot to whatever the players agree on."""
    match = resumed(name)
    antes = match.state.settlement.net.get(POT, 0)
    match.play(Act.parse("clear"))
    assert match.hand.start.pot == 25 + antes
    match.play(Act.parse("pot 0"))
    assert match.hand.start.pot == 0, "the players have shared it"
    assert parse_record(print_match(match)).match.hand.start.pot == 0
    match.undo()
    assert match.hand.start.pot == 25 + antes


@pytest.mark.parametrize(
    ("name", "lines", "says"),
    [
        ("guts", ("ante", "pot 30"), "was not resumed"),
        ("guts", ("resume 0", "pot"), "expected one amount"),
        ("pineapple", ("ante", "resume 1", "pot 1"), "at least the 2 chips that were bet"),
        ("ziginette", ("resume 0", "pot 30"), "no pot"),
    ],
)
def test_a_pot_that_the_dealer_cannot_count_is_refused(
    name: str, lines: Sequence[str], says: str
) -> None:
    game = find_game(name)
    match = Match(game, start_for(game))
    *before, last = lines
    for line in before:
        match.play(Act.parse(line))
    with pytest.raises(ActError, match=says):
        match.play(Act.parse(last))


@pytest.mark.parametrize("level", [Level.NONE, Level.WHO])
def test_no_pot_is_counted_where_chips_are_not(level: Level) -> None:
    match = resumed("pineapple", pot=0, level=level)
    with pytest.raises(ActError, match="no pot whose chips are counted"):
        match.play(Act.parse("pot 30"))
