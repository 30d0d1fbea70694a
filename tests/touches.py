"""Count the touches of a hand on the dealer's page, in every game, without players' telephones.

python -m tests.touches [--games NAME,NAME] [--seed N]

Honest hands are played: what the camera sees costs nothing, nor does what the next card makes
certain; whatever must be said is touched in a real browser, key by key, as a dealer would.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.display.pads import SAID, Key
from firmware.settings.settings import Settings
from firmware.store.ledger import CAMERA, Step
from firmware.texts import capital
from rules.acts import Act, Verb
from rules.games import GAMES, find_game
from tests import browsing
from tests.browsing import PHONE, Page
from tests.console_desk import Served
from tests.play import play_hand

SECRET = 20
"""Arguments with more letters than this are seals or rules, which are entered on their own page."""


@dataclass(frozen=True)
class Touched:
    """The touches that a hand took."""

    game: str
    acts: int
    said: int
    touches: int
    told: int
    """Secret rules, which are chosen on a page of their own."""

    def __str__(self) -> str:
        per = self.touches / self.said if self.said else 0.0
        return f"{self.game:26} {self.acts:5} {self.said:5} {self.touches:8} {per:6.2f}"


class Fingers:
    """A dealer's fingers on their page: touches what is said, and counts."""

    def __init__(self, served: Served, page: Page[Served]) -> None:
        self.served = served
        self.page = page
        self.touches = 0
        served.desk.ask(lambda felt: setattr(felt, "look", lambda *_: None))

    def sees(self, *acts: Act) -> None:
        """Take in acts that the camera has seen, or that what came next made certain."""
        self.served.desk.ask(lambda felt: felt.loop.ledger.take([Step(a) for a in acts], CAMERA))

    def say(self, act: Act) -> int:
        """Touch the keys for an act; return the number of touches."""
        before, line = self.touches, str(act)
        count = len(self.served.desk.acts())
        path = self._path(line)
        for label in path[:-1]:
            self._touch(f'.pad [data-key="pad {capital(label)}"]')
        self._last(path[-1], act, line)
        self._until_said(count)
        return self.touches - before

    def _path(self, line: str) -> list[str]:
        """The labels of the keys that lead to a line; the last is the line or its amounts'."""
        snapshot = self.served.desk.snapshot()
        found = list(_paths(snapshot.pad.keys, line))
        assert found, f"{line} is not on any key of {snapshot.game}, {snapshot.phase}"
        return min(found, key=len)

    def _last(self, label: str, act: Act, line: str) -> None:
        if not label.startswith("amount "):
            self._touch(f'.pad [data-line="{line}"]')
            if self.page.all(f'.pad .sure[data-line="{line}"]'):
                self._touch(f'.pad [data-line="{line}"]')
            return
        self._touch(f'.pad [data-key="pad {capital(label.removeprefix("amount "))}"]')
        if self.page.all(f'.pad [data-line="{line}"]'):
            self._touch(f'.pad [data-line="{line}"]')
            return
        self._touch(".any-amount summary")
        for digit in str(act.numbers[-1]):
            self.touches += 1
            next(key for key in self.page.all(".digit") if key.text == digit).click()
        self._touch(".keypad .primary")

    def _touch(self, selector: str) -> None:
        self.touches += 1
        self.page.touch(selector)

    def _until_said(self, count: int) -> None:
        def said() -> bool:
            snapshot = self.served.desk.snapshot()
            return snapshot.count > count or snapshot.hand > 1

        self.page.until(said, "what was said is in the record")
        shown = self.served.desk.snapshot()
        self.page.until(
            lambda: self.page.all(f'.table-view[data-moment="{shown.hand} {shown.count}"]'),
            "the page shows it",
        )


def _paths(keys: Sequence[Key], line: str) -> Iterator[list[str]]:
    for key in keys:
        if key.line == line:
            yield [line]
        if key.amounts is not None:
            before, _, after = key.amounts.line.partition("{amount}")
            number = line[len(before) : len(line) - len(after)]
            fits = line.startswith(before) and line.endswith(after) and number.isdecimal()
            if fits and key.amounts.least <= int(number) <= key.amounts.most:
                yield [f"amount {key.label}"]
        yield from ([key.label, *rest] for rest in _paths(key.keys, line))


def settings_of(game: str, **table: Any) -> Settings:
    """The usual table of a game."""
    limits = {"limits": [1, 20]}
    own = {"game": game, **limits, **table}
    return Settings.from_mapping({"table": own})


def hand_of(game: str, driver: Any, seed: int, acts: Sequence[Act] | None = None) -> Touched:
    """Play a hand through the page."""
    with tempfile.TemporaryDirectory() as folder, Served(Path(folder), settings_of(game)) as served:
        driver.get("about:blank")
        driver.delete_all_cookies()
        page = Page(driver, served)
        page.size(PHONE)
        fingers = Fingers(served, page)
        page.sign_in(served.pins.dealer)
        state = served.desk.ask(lambda felt: felt.loop.state)
        if acts is None:
            acts = play_hand(find_game(game), state.start, random.Random(seed))[-1].acts
        said = told = 0
        for act in (one.observed() for one in acts):
            state = served.desk.ask(lambda felt: felt.loop.state)
            if is_said(state, act):
                said += 1
                fingers.say(act)
            else:
                told += any(len(word) > SECRET for word in act.words)
                fingers.sees(act)
        return Touched(game, len(acts), said, fingers.touches, told)


def is_said(state: Any, act: Act) -> bool:
    """Whether somebody must say it: nothing on the table shows it or makes it certain."""
    if act.verb not in SAID or any(len(word) > SECRET for word in act.words):
        return False
    if act.verb in (Verb.LIMITS,):
        return True
    return not (act.seat is None and act == state.turn.due)


HEAD = f"{'game':26} {'acts':>5} {'said':>5} {'touches':>8} {'each':>6}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.touches", description=__doc__)
    parser.add_argument("--games", default=",".join(sorted(GAMES)))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    print(HEAD, flush=True)
    with browsing.browser() as driver:
        for game in options.games.split(","):
            print(hand_of(game, driver, options.seed), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
