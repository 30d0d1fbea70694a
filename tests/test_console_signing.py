"""Whose PIN is checked first, and which ones cost no work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from hashlib import scrypt
from pathlib import Path

import pytest

from firmware.console.access import SESSIONS_MOST, Access
from firmware.console.pins import Pins, Role
from firmware.console.sign_in import GLANCES_EACH
from firmware.console.throttle import FREE, TooManyAttemptsError
from firmware.errors import AccessError
from tests.console_desk import PATIENCE_S, Served, settings_for
from tests.console_guests import Room, told, until

CROWD = 60


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The PINs that were hashed."""
    done = list[str]()

    def counted(pin: bytes, *, salt: bytes, n: int, r: int, p: int) -> bytes:
        done.append(pin.decode())
        return scrypt(pin, salt=salt, n=n, r=r, p=p)

    monkeypatch.setattr("firmware.console.pins.scrypt", counted)
    return done


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    access = Access(tmp_path / "access")
    with Served(tmp_path, settings_for("ziginette"), access=access) as one:
        yield one


def started() -> tuple[Access, Pins]:
    """As after a start: the PINs are from before."""
    access = Access()
    pins = access.renew()
    access.remembered.forget()
    return access, pins


def wrong(access: Access, client: str, times: int = 1, device: str = "", pin: str = "0") -> None:
    for _ in range(times):
        with pytest.raises(AccessError):
            access.login(pin, client, "", device)


def test_the_dealer_s_pin_costs_no_work_once_given_and_any_other_always_does(
    hashes: list[str],
) -> None:
    access, pins = started()
    hashes.clear()
    access.login(pins.dealer, "10.0.0.1")
    assert hashes == [pins.dealer]
    access.login(pins.dealer, "10.0.0.2")
    assert hashes == [pins.dealer]
    access.login(pins.viewer, "10.0.0.2")
    wrong(access, "10.0.0.2")
    access.login(pins.viewer, "10.0.0.2")
    assert hashes == [pins.dealer, pins.viewer, "0", pins.viewer]


def test_new_pins_make_old_ones_and_old_devices_worthless() -> None:
    access = Access()
    pins = access.renew()
    access.login(pins.dealer, "10.0.0.1")
    device = access.devices.make()
    assert access.knows(device)
    access.renew()
    wrong(access, "10.0.0.1", pin=pins.dealer)
    assert not access.knows(device)


def test_pins_made_by_another_process_make_the_old_ones_worthless_at_once(tmp_path: Path) -> None:
    access = Access(tmp_path / "access")
    pins = access.renew()
    access.login(pins.dealer, "10.0.0.1")
    Access(tmp_path / "access").renew()
    access.refresh()
    wrong(access, "10.0.0.1", pin=pins.dealer)


def test_the_guests_pin_does_not_reset_a_guesser_s_count() -> None:
    access = Access()
    pins = access.renew()
    wrong(access, "10.0.0.9", FREE - 1)
    access.login(pins.viewer, "10.0.0.9")
    wrong(access, "10.0.0.9")
    with pytest.raises(TooManyAttemptsError):
        access.login("0", "10.0.0.9")
    access.login(pins.dealer, "10.0.0.9")
    wrong(access, "10.0.0.9")


def test_whoever_took_least_comes_first_and_the_dealer_before_all() -> None:
    access, pins = started()
    device = access.devices.make()
    wrong(access, "10.0.0.8")
    access.login(pins.viewer, "10.0.0.8")
    wrong(access, "10.0.0.9", 7)
    rights = [access.right_of(f"10.0.0.{number}", pin=pins.dealer) for number in (7, 8, 9)]
    assert rights == sorted(set(rights))
    assert access.right_of("10.0.0.9", device) < rights[0]
    wrong(access, "10.0.0.6", FREE, device)  # somebody guesses with it
    assert access.right_of("10.0.0.7", device) == access.right_of("10.0.0.7")
    access.login(pins.dealer, "10.0.0.1")
    assert access.right_of("10.0.0.9", pin=pins.dealer) < access.right_of("10.0.0.9", device) + 1


def test_a_guesser_learns_nothing_faster_than_the_work_allows(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right PIN after several guesses from one address waits for its turn among them."""

    looked_at, real = list[str](), served.access.login

    def login(pin: str, client: str, agent: str = "", device: str = "") -> tuple[str, Role]:
        looked_at.append(f"{client} {pin}")
        return real(pin, client, agent, device)

    monkeypatch.setattr(served.access, "login", login)

    async def script(room: Room) -> None:
        gate, signing = threading.Event(), served.console.site.signing
        held = asyncio.create_task(signing.do(lambda: gate.wait(PATIENCE_S), "", 0))
        guesser, other = await room.guest("127.0.1.1"), await room.guest("127.0.1.2")
        asking = []
        for pin in (*"01234"[:GLANCES_EACH], served.pins.dealer):
            asking.append(asyncio.create_task(guesser.post("login", {"pin": pin})))
            await until(lambda: signing.waiting("127.0.1.1") == len(asking))
        dealer = asyncio.create_task(other.post("login", {"pin": served.pins.dealer}))
        await until(lambda: signing.waiting("127.0.1.2") == 1)
        gate.set()
        assert await held
        statuses = [status for status, _ in await asyncio.gather(dealer, *asking)]
        assert statuses == [200, *[403] * GLANCES_EACH, 200]
        assert looked_at[0] == f"127.0.1.2 {served.pins.dealer}"
        assert looked_at[-1] == f"127.0.1.1 {served.pins.dealer}"  # after all guesses from there

    told(served, script)


def test_after_a_restart_a_known_device_waits_for_nobody_even_next_to_guessers(
    served: Served, hashes: list[str]
) -> None:
    """Of all waiting work, the dealer's is done first."""

    async def script(room: Room) -> None:
        gate = threading.Event()
        dealer = await room.guest("127.0.1.1")
        await dealer.sign_in(served.pins.dealer)
        served.access = Access(served.access.path)
        await asyncio.to_thread(served.restart)
        dealer.session.cookie_jar.clear(lambda one: one.key == "mazziere")
        assert (await dealer.get("api/me"))[0] == 401
        crowd = [await room.guest(f"127.0.1.{1 + n % 20}") for n in range(CROWD)]
        signing = served.console.site.signing
        held = asyncio.create_task(signing.do(lambda: gate.wait(PATIENCE_S), "", 0))
        asking = [asyncio.create_task(one.post("login", {"pin": "0" * 8})) for one in crowd]
        await until(lambda: len(signing) == CROWD)
        before = len(hashes)
        signs = asyncio.create_task(dealer.sign_in(served.pins.dealer))
        await until(lambda: len(signing) == CROWD + 1)
        gate.set()
        await signs
        assert await held
        assert hashes[before] == served.pins.dealer
        late = len(hashes)
        again = await room.guest("127.0.2.1")  # with another telephone: the PIN is known by now
        await again.sign_in(served.pins.dealer)
        assert served.pins.dealer not in hashes[late:]
        await asyncio.gather(*asking)

    told(served, script)


def test_no_number_of_guests_ends_the_dealer_s_session() -> None:
    """Although the dealer has no page open, and signed in before all of them."""
    access = Access()
    token, _ = access.login(access.renew().dealer, "10.0.0.1")
    for number in range(3 * SESSIONS_MOST["viewer"]):
        access.admit(Role.VIEWER, f"10.0.1.{number}")
        access.admit(Role.VIEWER, "10.0.0.1")
        access.admit(Role.PLAYER, "10.0.0.1", seat=1 + number % 4)
    session = access.session(token)
    assert session is not None
    assert session.may_write
