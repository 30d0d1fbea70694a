"""An invitation signs one telephone in as the dealer: once, soon, and from a screen only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.console.access import Access
from firmware.console.invitations import LASTS_S, MOST, Invitations
from firmware.console.pins import Role
from firmware.console_link import ConsoleLink
from firmware.errors import AccessError
from tests.console_desk import FeltDesk, Served, settings_for
from tests.console_guests import Room, told

NEAR = "192.168.1.9"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, settings_for("ziginette"), access=Access(tmp_path / "access")) as one:
        yield one


def test_it_opens_one_dealer_s_session_and_no_second_one() -> None:
    access = Access()
    access.renew()
    code = Invitations(access).make()
    session = access.session(Invitations(access).enter(code, NEAR))
    assert session is not None
    assert session.role is Role.DEALER
    with pytest.raises(AccessError):
        Invitations(access).enter(code, NEAR)


def test_it_expires_after_a_quarter_of_an_hour_or_if_the_clock_was_set_back() -> None:
    now = [1e9]
    access = Access(now=lambda: now[0])
    code = Invitations(access).make()
    for moment in (1e9 + LASTS_S, 1e9 - 1):
        now[0] = moment
        with pytest.raises(AccessError):
            Invitations(access).enter(code, NEAR)


def test_few_are_open_at_once_and_the_oldest_gives_way() -> None:
    now = [1e9]
    access = Access(now=lambda: now[0])
    codes = []
    for _ in range(MOST + 1):
        now[0] += 1
        codes.append(Invitations(access).make())
    with pytest.raises(AccessError):
        Invitations(access).enter(codes[0], NEAR)
    for code in codes[1:]:
        Invitations(access).enter(code, NEAR)


def test_new_pins_close_the_open_ones(tmp_path: Path) -> None:
    access = Access(tmp_path / "access")
    access.renew()
    code = Invitations(access).make()
    access.renew()
    with pytest.raises(AccessError):
        Invitations(Access(tmp_path / "access")).enter(code, NEAR)


def test_another_process_knows_it_and_its_file_holds_only_a_hash(tmp_path: Path) -> None:
    access = Access(tmp_path / "access")
    access.renew()
    code = Invitations(access).make()
    assert code not in (tmp_path / "access").read_text()
    assert len(json.loads((tmp_path / "access").read_text())["invited"]) == 1
    Invitations(Access(tmp_path / "access")).enter(code, NEAR)


def test_whoever_scans_it_becomes_the_dealer_whatever_they_were_before(served: Served) -> None:
    async def script(room: Room) -> None:
        guest = await room.viewer()
        assert (await guest.post("invite"))[0] == 403
        dealer = await room.dealer()
        status, shown = await dealer.post("invite")
        assert status == 200
        code = shown["url"].rsplit("/", 1)[1]
        status, me = await guest.post("enter", {"code": code})
        assert (status, me["role"]) == (200, "dealer")
        assert [one.role for one in served.access.sessions] == [Role.DEALER] * 2
        stranger = await room.guest("127.0.0.7")
        assert await stranger.post("enter", {"code": code}) == (403, {"refused": "pin", "says": ""})
        assert (await stranger.get("api/me"))[0] == 401

    told(served, script)


def test_guessing_is_slowed_down_as_with_pins(served: Served) -> None:
    async def script(room: Room) -> None:
        stranger = await room.guest("127.0.0.8")
        statuses = [(await stranger.post("enter", {"code": "a" * 16}))[0] for _ in range(8)]
        assert statuses[0] == 403
        assert statuses[-1] == 429

    told(served, script)


@pytest.mark.parametrize("screen", [True, False])
def test_a_screen_shows_a_link_and_a_log_does_not(
    screen: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: screen, raising=False)
    monkeypatch.delenv("INVOCATION_ID", raising=False)
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    settings = replace(settings_for("ziginette"), console=True, listen="127.0.0.1:0")
    desk = FeltDesk(settings)
    with ConsoleLink(Access(tmp_path / "access")) as link:
        link.stand_beside(desk, settings, None, lambda: None)
        assert ("#/enter/" in link.note) is screen
    desk.stop()
