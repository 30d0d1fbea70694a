"""What a table shows: each fact of the state is on the page and in the terminal, in every game."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

from firmware.console.access import Access
from firmware.console.picture import Artist, Players
from firmware.display.compose import snapshot
from firmware.display.pads import Pad
from firmware.display.prompts import Prompt
from firmware.display.snapshot import Snapshot
from firmware.display.terminal import View
from firmware.display.terminal_table import table_text
from firmware.settings.settings import Settings
from firmware.store.ledger import CAMERA, Step
from firmware.texts import Texts
from rules.games import GAMES, find_game
from rules.match import Match
from rules.phrases import Phrase
from rules.state import State
from tests import browsing
from tests.browsing import PHONE, SCREEN, TABLET, Page
from tests.console_desk import Served
from tests.draws import mostly_nightly
from tests.every_game import some
from tests.play import play_hand, start_for
from tests.touches import settings_of

NAMES = {1: "Anna", 2: "Bruno", 3: "Carla"}
SIZES = ((52, 14), (130, 40))
LANGUAGES = ("en", "it")
ONE_LANGUAGE = pytest.mark.parametrize(
    ("name", "language"),
    mostly_nightly(
        product(sorted(GAMES), LANGUAGES), *zip(sorted(GAMES), cycle(LANGUAGES), strict=False)
    ),
)
"""Each game in one language in turn, and in both in a nightly run."""


def second_hand(name: str, seed: int = 3) -> Iterator[tuple[Match, State]]:
    """Moments of a second hand, when there is something on the score sheet."""
    game = find_game(name)
    match = Match(game, start_for(game))
    for act in play_hand(game, match.hand.start, random.Random(seed))[-1].acts:
        match.play(act)
    states = play_hand(game, match.hand.start, random.Random(seed + 1))
    done = 0
    for state in some(states[:-1]):
        for act in state.acts[done:]:
            match.play(act)
        done = len(state.acts)
        yield match, match.state


def shown(match: Match, language: str) -> Snapshot:
    prompt = Prompt(Phrase("turn.nothing"), "")
    texts = Texts.load(language, strict=True)
    return snapshot(match, prompt, texts, None, None, pad=Pad(), time=0.0)


def plain(text: str) -> str:
    """The text without line breaks, blanks, and the signs between words."""
    return re.sub(r"\s+", " ", text)


@ONE_LANGUAGE
def test_the_snapshot_states_everything_that_applies(name: str, language: str) -> None:
    texts = Texts.load(language, strict=True)
    for match, state in second_hand(name):
        now = shown(match, language)
        said = {*now.facts, *now.match}
        assert {texts.say(one) for one in state.game.facts(state.public())} <= said
        assert {texts.say(one) for one in state.game.match_facts(state)} <= said
        assert (now.dealer, now.banker) == (state.start.dealer, state.start.banker)
        assert dict(now.bets) == dict(state.game.bets(state))
        assert now.awaited == state.turn.seats
        if state.start.scores or state.settlement.scores:
            assert {seat for seat, _ in now.points} == set(state.start.seats)


@ONE_LANGUAGE
def test_the_terminal_shows_everything_that_applies(name: str, language: str) -> None:
    texts = Texts.load(language, strict=True)
    for match, _ in second_hand(name):
        now = shown(match, language)
        for size in SIZES:
            felt = table_text(now, size, texts, NAMES).plain
            rows = felt.split("\n")
            assert len(rows) == size[1]
            assert all(Text(row).cell_len == size[0] for row in rows)
            check_seats(now, felt, texts)
            assert not re.search("\N{MULTIPLICATION SIGN}(?![0-9])", felt)  # nothing is cut off
        news = plain(View(None, language)._news(now, 26, 12).plain)  # type: ignore[arg-type]
        assert all(plain(fact) in news for fact in (*now.facts, *now.match))


def check_seats(now: Snapshot, felt: str, texts: Texts) -> None:
    view = texts.words["view"]
    for seat in now.seats:
        assert texts.seat(seat) in felt
        assert NAMES.get(seat, "") in felt
        points, bet = dict(now.points).get(seat), dict(now.bets).get(seat)
        assert points is None or f"{points} {view['points-short']}" in felt
        assert bet is None or f"●{bet}" in felt
    for role, holder in ((view["banker"], now.banker), (view["dealer"], now.dealer)):
        assert holder is None or role in felt
    assert all(f"▶ {texts.seat(seat)}" in felt for seat in now.awaited)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_page_is_sent_everything_that_applies(name: str) -> None:
    artist = Artist.of(Settings.from_mapping({"table": {"game": name}}))
    for match, state in second_hand(name):
        now = shown(match, "en")
        told = artist.picture(now, Players(NAMES, {}))
        assert told["facts"] == [*now.facts, *now.match]
        for one in told["seats"]:
            seat = one["seat"]
            assert one["player"] == NAMES.get(seat, "")
            assert one["bet"] == dict(now.bets).get(seat)
            assert one["score"] == dict(now.points).get(seat)
            team = next((team for team in state.game.teams(state) if seat in team), None)
            partners = [other["seat"] for other in told["seats"] if other["team"] == one["team"]]
            assert team is None or tuple(partners) == team


# In a browser.


@browsing.wanted
@pytest.mark.parametrize(
    "name", mostly_nightly(("belote", "pineapple", "ziginette"), "pineapple", "ziginette")
)
def test_felt_and_big_view_show_it(name: str, chromium: Any, tmp_path: Path) -> None:
    with Served(tmp_path, settings_of(name)) as served:
        game, start = find_game(name), served.desk.ask(lambda felt: felt.loop.state.start)
        states = play_hand(game, start, random.Random(3))
        felt_play(served, states[round(len(states) * 0.6)])
        served.access.name_seat(1, "Anna")
        page: Page[Served] = Page(chromium, served)
        page.size(TABLET)
        page.sign_in(served.pins.dealer)
        check_page(page, served)
        page.size(SCREEN)
        page.go("watch")
        page.one(".watch-view .felt")
        check_page(page, served)
        assert page.complaints() == []


def felt_play(served: Served, state: State) -> None:
    """Bring a table there, with no camera to object."""
    served.desk.ask(lambda felt: setattr(felt, "look", lambda *_: None))
    steps = [Step(act.observed()) for act in state.acts]

    def take(felt: Any) -> None:
        for step in steps:
            felt.loop.ledger.take([step], CAMERA)

    served.desk.ask(take)


def check_page(page: Page[Served], served: Served) -> None:
    now = served.desk.snapshot()
    for fact in (*now.facts, *now.match):
        page.says(fact)
    page.says("Anna", ".felt")
    for seat, chips in now.bets:
        bets = [one.text for one in page.all(".felt .bet")]
        assert str(chips) in bets, seat
    squares = len(page.all(".felt .seat rect.badge"))
    assert squares == (len(now.teams[1]) if now.teams else 0)


# Nothing that only a keyboard could enter.


def typed(page: Page[Served], text: str) -> None:
    for letter in text:
        page.touch(f'.typing-key[data-type="{letter.upper()}"]')


@browsing.wanted
def test_limits_and_names_by_touch(chromium: Any, tmp_path: Path) -> None:
    with Served(tmp_path, settings_of("ziginette"), access=Access(tmp_path / "access")) as served:
        page: Page[Served] = Page(chromium, served)
        page.size(PHONE)
        page.sign_in(served.pins.dealer)
        # The usual limits are one touch, and others are keyed in.
        page.go("setup")
        page.touch('.limits-choice[data-limits="2 4"]')
        assert [page.one(f"#{name}").get_property("value") for name in ("least", "greatest")] == [
            "2", "4",
        ]  # fmt: skip
        page.touch("#greatest")
        page.touch('.typing-key[data-type="rub"]')
        typed(page, "75")
        page.touch("#begin")
        page.until(lambda: served.wanted, "what was chosen")
        page.one(".felt")
        assert served.wanted[0].limits == (2, 75)
        # The dealer names a player, and the name appears at the seat.
        page.go("players")
        page.touch('[data-key="name 2"]')
        typed(page, "zoe")
        page.touch("#name-done")
        page.says("Zoe", ".seat-codes")
        page.go()
        page.says("Zoe", ".felt")
        assert Access(tmp_path / "access").names == {2: "Zoe"}
        # A player's own telephone has the same keys.
        page.driver.delete_all_cookies()
        page.driver.get("about:blank")
        page.go(f"sit/3-{served.console.site.seating.code(3)}")
        page.one("#player-name")
        typed(page, "ada")
        page.touch(".player-name .primary")
        page.says("Ada", ".player-who")
        assert page.complaints() == []
