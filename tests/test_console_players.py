"""Players' telephones: a seat for whoever scans its code, their own words, no hidden card."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.console.access import Access
from firmware.console.pins import Role
from firmware.console.seating import Seating
from firmware.display.pads import Amounts, Key, offers
from firmware.settings.settings import Settings
from firmware.store.ledger import TYPED, Step
from rules.acts import Act
from rules.games import GAMES, find_game
from tests.console_desk import Served, settings_for
from tests.console_guests import Guest, Room, heard, picture, told
from tests.draws import NIGHTLY, mostly_nightly
from tests.play import play_hand, start_for

STOPS = 8 if NIGHTLY else 4
"""How often a hand is checked on its way."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, settings_for("ziginette"), access=Access(tmp_path / "access")) as one:
        one.desk.lay("board", "QS", "5D")
        one.desk.lay("banker", "7C")
        yield one


def code(served: Served, seat: int) -> str:
    return served.console.site.seating.code(seat)


async def sit(room: Room, seat: int, name: str = "", **more: Any) -> Guest:
    guest = await room.guest()
    status, me = await guest.post("sit", {"seat": seat, "code": code(room.served, seat), **more})
    assert (status, me["role"], me["seat"]) == (200, "player", seat), me
    if name:
        assert (await guest.post("name", {"name": name}))[0] == 200
    return guest


async def says(page: Any, line: str, shown: dict[str, Any]) -> str | None:
    answer = await heard(page, do="say", line=line, hand=shown["hand"], count=shown["count"])
    refused: str | None = answer["refused"]
    return refused


def test_a_seat_s_code_lets_sit_and_say(served: Served) -> None:
    async def script(room: Room) -> None:
        anna = await sit(room, 2, "Anna")
        page = await anna.live()
        shown = await picture(page, lambda p: p["seats"][1]["player"] == "Anna")
        assert shown["seat"] == 2
        assert {key["seat"] for key in shown["pad"]} == {2}
        assert (shown["others"], shown["options"]) == ([], [])
        assert await says(page, "2 bet 5 QS", shown) is None
        await picture(page, lambda p: p["acts"] and p["acts"][-1]["line"] == "2 bet 5 QS")
        assert served.desk.ask(lambda felt: felt.loop.ledger.taken[-1].by) == "player 2"

    told(served, script)


def test_nobody_says_what_belongs_to_another_or_to_the_dealer(served: Served) -> None:
    async def script(room: Room) -> None:
        page = await (await sit(room, 2)).live()
        shown = await picture(page, lambda _: True)
        for line in ("3 bet 5 QS", "close", "deal board KS", "2 bet 50 QS", "2 bet 5 KS", "end",
                     "misdeal", "2 bet 5 QS; close", "2 fold"):  # fmt: skip
            assert await says(page, line, shown) == "not-yours", line
        deeds: tuple[dict[str, Any], ...] = (
            {"do": "press", "button": "ok"},
            {"do": "undo"},
            {"do": "type", "line": "2 bet 5 QS"},
            {"do": "choose", "option": "x"},
        )
        for message in deeds:
            assert (await heard(page, **message))["refused"] == "message"
        assert len(served.desk.acts()) == 3

    told(served, script)


def test_a_word_said_twice_counts_once(served: Served) -> None:
    async def script(room: Room) -> None:
        page = await (await sit(room, 2)).live()
        shown = await picture(page, lambda _: True)
        for _ in range(3):  # a finger that trembles
            await says(page, "2 bet 5 QS", shown)
        await picture(page, lambda p: p["count"] > shown["count"])
        assert served.desk.acts().count("2 bet 5 QS") == 1

    told(served, script)


def test_a_stranger_gets_nothing(served: Served) -> None:
    async def script(room: Room) -> None:
        guest = await room.guest()
        wrong = {"seat": 2, "code": code(served, 3)}
        assert await guest.post("sit", wrong) == (403, {"refused": "pin", "says": ""})
        assert (await guest.get("api/me"))[0] == 401
        for _ in range(6):
            status, _ = await guest.post("sit", wrong)
        assert status == 429  # and a right code still opens
        assert (await guest.post("sit", {"seat": 2, "code": code(served, 2)}))[0] == 200

    told(served, script)


def test_a_seat_that_is_not_in_the_game_is_refused(served: Served) -> None:
    async def script(room: Room) -> None:
        guest = await room.guest()
        status, why = await guest.post("sit", {"seat": 7, "code": code(served, 7)})
        assert (status, why["refused"]) == (403, "no-seat")

    told(served, script)


def test_a_second_telephone_is_asked_for_confirmation_and_may_sit_too(served: Served) -> None:
    async def script(room: Room) -> None:
        first = await (await sit(room, 2, "Anna")).live()
        guest = await room.guest()
        status, why = await guest.post("sit", {"seat": 2, "code": code(served, 2)})
        assert (status, why) == (409, {"refused": "taken", "says": "Anna"})
        second = await (await sit(room, 2, also=True)).live()
        shown = await picture(first, lambda p: p["seats"][1]["telephones"] == 2)
        assert shown["seats"][1]["player"] == "Anna"
        assert await says(second, "2 bet 5 QS", shown) is None
        await picture(first, lambda p: p["count"] > shown["count"])
        await says(first, "2 bet 5 QS", shown)  # already said by the other one
        await heard(first, do="say", line="3 bet 1 QS", hand=1, count=0)
        assert served.desk.acts().count("2 bet 5 QS") == 1

    told(served, script)


def test_a_player_changes_seats_with_their_name(served: Served) -> None:
    async def script(room: Room) -> None:
        anna = await sit(room, 2, "Anna")
        status, me = await anna.post("sit", {"seat": 3, "code": code(served, 3)})
        assert (status, me["seat"], me["name"]) == (200, 3, "Anna")
        shown = await picture(await anna.live(), lambda _: True)
        assert [seat["telephones"] for seat in shown["seats"]] == [0, 0, 1]

    told(served, script)


def test_a_player_comes_back_after_the_connection_was_lost(served: Served) -> None:
    async def script(room: Room) -> None:
        anna = await sit(room, 2, "Anna")
        page = await anna.live()
        await picture(page, lambda _: True)
        await page.close()
        served.desk.type("3 bet 10 5D")
        page = await anna.live()
        shown = await picture(page, lambda p: p["acts"][-1]["line"] == "3 bet 10 5D")
        assert shown["seat"] == 2
        assert (await anna.get("api/me"))[1]["name"] == "Anna"

    told(served, script)


def test_the_dealer_sees_it_switches_it_off_and_frees_a_seat(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        board = await dealer.live()
        anna = await sit(room, 2, "Anna")
        page = await anna.live()
        shown = await picture(page, lambda _: True)
        await says(page, "2 bet 5 QS", shown)
        while True:
            message = json.loads(await board.receive_str())
            if message["kind"] == "said":
                break
        assert (message["seat"], message["name"]) == (2, "Anna")
        assert await dealer.post("telephones", {"on": False}) == (200, {"on": False})
        shown = await picture(page, lambda p: p["speaks"] is False)
        assert shown["pad"] == []
        assert await says(page, "2 bet 5 5D", shown) == "telephones-off"
        other = await room.guest()
        refused = await other.post("sit", {"seat": 3, "code": code(served, 3)})
        assert refused[1]["refused"] == "telephones-off"
        await dealer.post("telephones", {"on": True})
        await dealer.post("free", {"seat": 2})
        assert (await anna.get("api/me"))[0] == 401

    told(served, script)


def test_new_codes_end_the_old_ones(served: Served) -> None:
    async def script(room: Room) -> None:
        anna, old = await sit(room, 2), code(served, 2)
        dealer = await room.dealer()
        assert (await dealer.post("codes"))[0] == 200
        assert (await anna.get("api/me"))[0] == 401
        assert (await anna.post("sit", {"seat": 2, "code": old}))[0] == 403

    told(served, script)


def test_the_dealer_s_own_telephone_stays_the_dealer_s(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        status, why = await dealer.post("sit", {"seat": 2, "code": code(served, 2)})
        assert (status, why["refused"]) == (409, "dealer-sits")
        assert (await dealer.get("api/me"))[1]["role"] == "dealer"

    told(served, script)


def test_the_dealer_sees_whose_telephone_each_session_is(served: Served) -> None:
    async def script(room: Room) -> None:
        await sit(room, 2, "Anna")
        dealer = await room.dealer()
        _, sessions = await dealer.get("api/sessions")
        assert {(one["seat"], one["called"]) for one in sessions} == {(2, "Anna"), (0, "")}

    told(served, script)


def test_players_change_only_what_is_theirs(served: Served) -> None:
    async def script(room: Room) -> None:
        anna, viewer = await sit(room, 2), await room.viewer()
        for path in ("add", "revoke", "pins", "setup", "secret", "telephones", "codes", "free"):
            for guest in (anna, viewer):
                assert (await guest.post(path))[0] == 403, path
        for path in ("seats", "setup", "secret", "sessions", "calibrate/picture"):
            assert (await anna.get(f"api/{path}"))[0] == 403, path
        assert (await viewer.post("name", {"name": "Eva"}))[0] == 400
        for name in ("x" * 17, "a\u202eb", "a\nb"):
            assert (await anna.post("name", {"name": name}))[0] == 400

    told(served, script)


def test_codes_and_seats_outlive_a_restart(tmp_path: Path) -> None:
    access = Access(tmp_path / "access")
    access.renew()
    seating = Seating(access)
    token = seating.sit(3, seating.code(3), (1, 2, 3), "10.0.0.9")
    again = Access(tmp_path / "access")
    session = again.session(token)
    assert session is not None
    assert (session.role, session.seat) == (Role.PLAYER, 3)
    assert Seating(again).code(3) == seating.code(3)


def test_an_amount_is_offered_within_its_bounds() -> None:
    key = Key("bet", amounts=Amounts(2, 20, (2, 20), "2 bet {amount} QS"), seat=2)
    told = ["2 bet 2 QS", "2 bet 20 QS", "2 bet 21 QS", "2 bet 1 QS", "2 bet 5 KS", "3 bet 5 QS"]
    assert [offers((key,), 2, line) for line in told] == [True, True, *[False] * 4]
    assert not offers((key,), 3, "2 bet 5 QS")


# What is sent to pages.


class Told(Served):
    """A table whose acts are typed, without a camera."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir()
        start = start_for(find_game(name))
        limits = {"limits": list(start.limits)} if start.limits else {}
        table = {"game": name, "seats": len(start.seats), **limits}
        super().__init__(folder, Settings.from_mapping({"table": table}))
        self.desk.ask(lambda felt: setattr(felt, "look", lambda *_: None))

    def tell(self, acts: list[Act]) -> None:
        self.desk.ask(lambda felt: felt.loop.ledger.take([Step(act) for act in acts], TYPED))


@pytest.mark.parametrize("name", mostly_nightly(sorted(GAMES), *sorted(GAMES)[1::4]))
def test_no_hidden_card_is_sent(name: str, tmp_path: Path) -> None:
    """A table that knew every card would send players no more than one that sees backs."""
    with Told(tmp_path / "all", name) as knowing, Told(tmp_path / "seen", name) as seeing:
        start = knowing.desk.ask(lambda felt: felt.loop.match.hand.start)
        acts = list(play_hand(find_game(name), start, random.Random(5))[-1].acts)
        step = max(1, -(-len(acts) // STOPS))

        async def whole(room: Room) -> list[Any]:
            heard_all: list[Any] = []
            pages = [await (await sit(room, seat)).live() for seat in start.seats[:2]]
            viewer = await room.viewer()
            pages.append(await viewer.live())
            for done in range(0, len(acts), step):
                part = acts[done : done + step]
                hidden = room.served is seeing
                assert isinstance(room.served, Told)
                room.served.tell([act.observed() if hidden else act for act in part])
                over = done + step >= len(acts)
                wanted = at(2, 0) if over else at(1, done + len(part))
                heard_all += [await picture(page, wanted) for page in pages]
            for path in ("hands", "hands/1", f"why/1/{len(acts)}", "sign"):
                heard_all.append((await viewer.get(f"api/{path}"))[1])
            return heard_all

        found: dict[str, list[Any]] = {}
        for served in (knowing, seeing):

            async def kept(room: Room) -> None:
                journal = room.served.desk.journal
                assert journal is not None
                found[journal.parent.name] = await whole(room)

            told(served, kept)
        for knows, sees in zip(found["all"], found["seen"], strict=True):
            assert differing(knows, sees) == []


def at(hand: int, count: int) -> Callable[[dict[str, Any]], bool]:
    """Whether a picture shows that moment."""
    return lambda shown: (shown["hand"], shown["count"]) == (hand, count)


def differing(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two answers differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [at for key in one for at in differing(one[key], other[key], f"{path}/{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        if path.endswith("/cards"):  # what is known sooner comes in another order
            one, other = (sorted(cards, key=str) for cards in (one, other))
        pairs = enumerate(zip(one, other, strict=True))
        return [at for place, (a, b) in pairs for at in differing(a, b, f"{path}/{place}")]
    return [] if one == other else [f"{path}: {one} | {other}"]
