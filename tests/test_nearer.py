"""Whatever is seen in whatever order: a commit brings the state nearer, once for each table.

The tables are random, from other moments of the hand, and contradictory.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware.follow.differences import difference
from firmware.follow.findings import Explanation
from firmware.follow.looking import Looking
from firmware.follow.verdicts import Ways
from rules.cards import Card
from rules.game import Game
from rules.games import find_game
from rules.match import Match
from rules.start import Level, Start
from tests.draws import examples, mostly_nightly
from tests.lost import Table
from tests.play import play_hand, start_for
from tests.resuming import layout_of, perturbed
from tests.soak import Job, games

LOOKS = 12
"""Number of looks, at five per second: longer than it takes to ask, shorter than to give up a
hand."""
ASKED = 2
"""Number of tables shown in one case, one after the other and then again."""


def _game(name: str) -> Game:  # type: ignore[type-arg]
    settings = Job(name, 0, "none").settings()
    return find_game(name.partition("/")[0], settings.house_rules)


SLOW = ("panguingue", "mille", "chinese-poker")
QUICK = [name for name in games()[::2] if name not in SLOW]


@pytest.mark.parametrize("name", mostly_nightly(games(), *QUICK))
@given(seed=st.integers(0, 2**16))
@example(seed=54610)
@examples(1)
def test_a_commit_brings_the_state_nearer_to_whatever_is_seen(name: str, seed: int) -> None:
    dice, game = random.Random(seed), _game(name)
    states = play_hand(game, start_for(game, level=Level.NONE), dice)
    pack = list(game.deck(states[0].start))
    moments = [layout_of(dice.choice(states)) for _ in range(ASKED)]
    tables = [dice.choice((one, perturbed(one, pack, dice))) for one in moments]
    table = Table(Match(game, states[0].start), tables[0])
    for layout in (*tables, *tables):  # again, as if the camera were in doubt
        table.show(layout)
        commits = table.commits(LOOKS)
        assert all(one.after < one.before for one in commits)
        # Missing hidden cards may have been picked up: they are explained later than the rest.
        explained = Counter(place for one in commits for place in one.places)
        assert all(one.places for one in commits)
        assert not explained or max(explained.values()) == 1


def test_what_does_not_bring_the_state_nearer_is_not_committed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    states = play_hand(find_game("rams"), start_for(find_game("rams")), random.Random(1))
    table = Table(Match(states[0].game, states[0].start), layout_of(states[0]))

    def useless(self: Looking, ways: Ways) -> object:
        return self._commit(Explanation((), self._state), ways[0][0])

    monkeypatch.setattr(Looking, "_meaning", useless)
    assert table.commits(LOOKS) == []


def test_differences_come_in_the_same_order_in_every_run() -> None:
    """The order of a set of names depends on the run; which explanation comes first must not."""
    state = find_game("panguingue").open(Start(seats=(1, 2, 3, 4), dealer=1))
    melds = [name for name in state.spots if "meld" in name]
    seen = {name: (Card.parse("2H"),) for name in melds}
    for watched in (melds, melds[::-1], sorted(melds, key=lambda name: name[::-1])):
        assert list(difference(state, seen, watched).came) == melds
