from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from firmware.display.lines import plain, show
from firmware.display.pads import Amounts, Key, Pad
from firmware.display.snapshot import Snapshot
from firmware.display.terminal import View, lamps_text, lit
from firmware.display.terminal_table import card_text, table_text
from firmware.texts import Texts

SNAPSHOT = Snapshot(
    game="a-game",
    hand=3,
    phase="betting",
    sentence="Bets, please.",
    seats=(1, 2, 3, 4, 5, 6),
    banker=1,
    awaited=(2, 5),
    lamps={"ok": "slow", "fix": "off", "hold": "fast"},
    table=(
        ("board", ("QS", "5D", "7C")),
        ("banker", ("KH",)),
        ("2", ("??", "??")),
        ("4.front", ("TD", "6?")),
        ("4.back", ()),
    ),
    busy=frozenset({"board"}),
    acts=("deal board QS", "2 bet 5 QS"),
    calls=("The board is open.",),
    money=((1, -15), (2, 5), (3, 10)),
    warnings=("Wrong card: queen of spades.",),
)
ENGLISH = Texts.load("en")


class StillDesk:
    """A desk that shows what it is told to, and remembers what was done at it."""

    def __init__(self, *snapshots: Snapshot) -> None:
        self.snapshots = list(snapshots)
        self.done: list[object] = []
        self.running = True

    def snapshot(self) -> Snapshot:
        return self.snapshots[0]

    def press(self, button: str, seconds: float = 0.1) -> None:
        self.done.append((button, "held" if seconds >= 2.0 else "pressed"))

    def type(self, line: str, *, sure: bool = False) -> None:
        self.done.append(line)

    def undo(self) -> None:
        self.done.append("undo")

    def choose(self, words: str) -> None:
        self.done.append(("chosen", words))


def tried(
    desk: StillDesk,
    script: Callable[[Pilot[None], View], Awaitable[None]],
    size: tuple[int, int] = (110, 36),
) -> None:
    """Run a script of keys against the live view."""

    async def play() -> None:
        app = View(desk, clock=lambda: 0.0)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            app.draw()
            await pilot.pause()
            await script(pilot, app)

    asyncio.run(play())


def shown(app: View, name: str) -> str:
    return str(app.query_one(f"#{name}", Static).render())


def test_everything_of_the_snapshot_is_on_the_screen() -> None:
    async def script(_: Pilot[None], app: View) -> None:
        table, news = shown(app, "table"), shown(app, "news")
        for text in ("Q♠", "5♦", "7♣", "K♥", "▒▒", "10♦", "6?", "▶ seat 2", "▶ seat 5"):
            assert text in table, text
        for text in ("Wrong card", "The board is open.", "2 bet 5 QS", "seat 3: +10"):
            assert text in news, text
        assert "Bets, please." in shown(app, "prompt")
        assert "A Game" in shown(app, "title")
        lamps = " ".join(shown(app, "lamps").split())
        assert "● OK [o] slow △ FIX [f] off ■ HOLD [h] fast" in lamps

    tried(StillDesk(SNAPSHOT), script)


def test_changes_are_redrawn() -> None:
    desk = StillDesk(SNAPSHOT)

    async def script(pilot: Pilot[None], app: View) -> None:
        options = ("queen of spades", "queen of clubs")
        desk.snapshots = [replace(SNAPSHOT, sentence="Which card?", options=options, table=())]
        app.draw()
        await pilot.pause()
        assert "▸ 1 queen of spades" in shown(app, "prompt")
        assert "Q♠" not in shown(app, "table")

    tried(desk, script)


PAD = Pad(
    keys=(
        Key(
            "seat 2 bets on queen of spades",
            amounts=Amounts(1, 20, (1, 5, 20), "2 bet {amount} QS"),
        ),
        Key("no more bets", line="close"),
        Key("the hand ends", line="end", sure=True),
    ),
    others=(Key("seat 3", keys=(Key("seat 3 folds", line="3 fold", sure=True),)),),
)


def test_number_keys_enter_what_may_be_said() -> None:
    desk = StillDesk(replace(SNAPSHOT, pad=PAD))

    async def script(pilot: Pilot[None], app: View) -> None:
        assert "2 no more bets" in shown(app, "pad")
        await pilot.press("2")
        await pilot.press("1")
        assert "2 5" in shown(app, "pad")
        await pilot.press("2")
        await pilot.press("3")
        assert desk.done == ["close", "2 bet 5 QS"]
        assert "the hand ends?" in shown(app, "pad")
        await pilot.press("3")
        await pilot.press("4", "1", "1", "1")

    tried(desk, script)
    assert desk.done == ["close", "2 bet 5 QS", "end", "3 fold"]


def test_number_keys_choose_options() -> None:
    desk = StillDesk(replace(SNAPSHOT, options=("queen of spades", "queen of clubs"), pad=PAD))

    async def script(pilot: Pilot[None], _: View) -> None:
        await pilot.press("2", "9")

    tried(desk, script)
    assert desk.done == [("chosen", "queen of clubs")]


def test_ctrl_c_leaves() -> None:
    desk, left = StillDesk(SNAPSHOT), []

    async def script(pilot: Pilot[None], app: View) -> None:
        await pilot.press("ctrl+c")
        await pilot.pause()
        left.append(app._exit)

    tried(desk, script)
    assert left == [True]


def test_keys_press_and_hold_the_buttons() -> None:
    desk = StillDesk(SNAPSHOT)

    async def script(pilot: Pilot[None], _: View) -> None:
        await pilot.press("o", "space", "f1", "f", "h", "O", "F", "H", "f6")

    tried(desk, script)
    assert desk.done == [
        ("ok", "pressed"), ("ok", "pressed"), ("ok", "pressed"), ("fix", "pressed"),
        ("hold", "pressed"), ("ok", "held"), ("fix", "held"), ("hold", "held"), ("hold", "held"),
    ]  # fmt: skip


def test_letters_belong_to_the_line_while_one_is_typed() -> None:
    desk = StillDesk(SNAPSHOT)

    async def script(pilot: Pilot[None], app: View) -> None:
        await pilot.press("t", *"5 fold", "enter")
        assert desk.done == ["5 fold"]
        assert app.query_one(Input).value == ""
        await pilot.press("escape", "f")
        assert desk.done == ["5 fold", ("fix", "pressed")]

    tried(desk, script)


def test_the_view_ends_with_the_loop() -> None:
    desk = StillDesk(SNAPSHOT)

    async def script(pilot: Pilot[None], app: View) -> None:
        desk.running = False
        app.draw()
        await pilot.pause()
        assert not app.is_running or app.return_code == 0

    tried(desk, script)


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)])
@pytest.mark.parametrize("count", range(1, 11))
def test_every_seat_is_on_a_felt_of_any_size(size: tuple[int, int], count: int) -> None:
    snapshot = replace(SNAPSHOT, seats=tuple(range(1, count + 1)), table=(), money=(), awaited=())
    lines = table_text(snapshot, size, ENGLISH).plain.split("\n")
    assert [len(line) for line in lines] == [size[0]] * size[1]
    assert all(f"seat {seat} " in "\n".join(lines) for seat in snapshot.seats)


def test_seats_go_clockwise_around_the_felt() -> None:
    snapshot = replace(SNAPSHOT, seats=(1, 2, 3), table=(), money=(), awaited=(), banker=None)
    lines = table_text(snapshot, (60, 15), ENGLISH).plain.split("\n")
    place = {
        seat: (line.index(f"seat {seat}"), row)
        for row, line in enumerate(lines)
        for seat in (1, 2, 3)
        if f"seat {seat}" in line
    }
    assert place[1][0] < 10
    assert place[2][1] == 0
    assert place[3][0] > 45


def test_cards_are_distinguished_by_sign_and_not_by_colour_alone() -> None:
    texts = {card_text(rank + suit).plain for rank in "A23456789TJQK" for suit in "CDHS"}
    assert len(texts) == 52
    assert card_text("QH").style != card_text("QS").style


def test_blinking_lamps_change_as_often_as_they_say() -> None:
    def changes(pattern: str) -> int:
        states = [lit(pattern, tick / 100) for tick in range(201)]
        return sum(one != other for one, other in pairwise(states))

    assert [changes(name) for name in ("off", "steady", "slow", "fast")] == [0, 0, 4, 16]
    dark, bright = (lamps_text({"ok": "slow"}, moment).plain for moment in (0.7, 0.2))
    assert "○ OK" in dark
    assert "● OK" in bright


def test_without_a_terminal_each_new_thing_is_one_line() -> None:
    first = replace(SNAPSHOT, warnings=(), calls=())
    second = replace(first, acts=(*first.acts, "3 bet 2 5D"), calls=("No more bets.",))
    third = replace(second, sentence="Next card.", warnings=("Too dark.",))
    desk = StillDesk(first, first, second, second, third)

    def pause(_: float) -> None:
        desk.snapshots.pop(0)
        desk.running = len(desk.snapshots) > 1

    out = io.StringIO()
    plain(desk, out, pause=pause)
    assert out.getvalue().splitlines() == [
        "a-game, hand 3",
        "  deal board QS",
        "  2 bet 5 QS",
        "> Bets, please.",
        "  3 bet 2 5D",
        "  * No more bets.",
        "  ! Too dark.",
        "> Next card.",
    ]


def test_show_prints_lines_if_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    desk = StillDesk(SNAPSHOT)
    desk.running = False
    show(desk)
    assert "> Bets, please." in capsys.readouterr().out
