"""Several dealers at one table: of what they press at the same time, the first counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.console.access import Access
from firmware.console.at_once import RACE_S, Presses, acts, moment
from firmware.display.snapshot import Snapshot
from tests.console_desk import Served, settings_for
from tests.console_guests import Room, heard, picture, told


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, settings_for("ziginette"), access=Access(tmp_path / "access")) as one:
        one.desk.lay("board", "QS", "5D")
        one.desk.lay("banker", "7C")
        yield one


async def pressed(page: Any, seen: str, **more: Any) -> str | None:
    deed = {"do": "press", "button": "ok", **more}
    refused: str | None = (await heard(page, **deed, seen=seen))["refused"]
    return refused


def test_two_dealers_who_press_ok_at_once_close_the_bets_once(served: Served) -> None:
    async def script(room: Room) -> None:
        pages = [await (await room.dealer()).live() for _ in range(2)]
        shown = [await picture(page, lambda p: p["count"] == 3) for page in pages]
        assert shown[0]["moment"] == shown[1]["moment"] != ""
        answers = [await pressed(page, shown[0]["moment"]) for page in pages]
        assert answers == [None, "changed"]
        await picture(pages[1], lambda p: p["count"] == 4)
        assert served.desk.acts()[-1] == "close"
        assert served.desk.done.count("Pressed ok") == 1

    told(served, script)


def test_two_dealers_who_undo_at_once_take_back_one_act(served: Served) -> None:
    async def script(room: Room) -> None:
        pages = [await (await room.dealer()).live() for _ in range(2)]
        shown = await picture(pages[0], lambda p: p["count"] == 3)
        seen = f"{shown['hand']} {shown['count']}"
        answers = [(await heard(page, do="undo", seen=seen))["refused"] for page in pages]
        assert answers == [None, "changed"]
        held = await pressed(pages[1], seen, button="fix", held=True)
        assert held == "changed", "a held button is an undo as well"

    told(served, script)


def test_a_viewer_or_player_is_not_told_what_ok_answers(served: Served) -> None:
    async def script(room: Room) -> None:
        page = await (await room.viewer()).live()
        assert (await picture(page, lambda _: True))["moment"] == ""

    told(served, script)


def test_what_was_meant_for_another_moment_comes_too_late() -> None:
    now = [0.0]
    presses = Presses(lambda: now[0])
    asked = Snapshot(game="guts", hand=1, phase="", sentence="In or out?", seats=(1, 2), count=4)
    menu = Snapshot(
        game="guts", hand=1, phase="", sentence="In or out?", seats=(1, 2), count=4, options=("in",)
    )
    assert not presses.comes_late(moment(asked), "anna", asked)
    assert presses.comes_late(moment(asked), "bruno", menu), "OK would take what is shown first"
    assert presses.comes_late(moment(asked), "bruno", asked), "both at once"
    assert not presses.comes_late(moment(asked), "anna", asked), "a finger that tries again"
    now[0] = RACE_S
    assert not presses.comes_late(moment(asked), "bruno", asked)
    assert not presses.comes_late("", "bruno", menu), "a page that does not say what it saw"
    assert not presses.comes_late(acts(asked), "bruno", menu), "a held button outlasts a question"
