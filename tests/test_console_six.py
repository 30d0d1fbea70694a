"""Six browsers at one table: the dealer, four players with their telephones, and a guest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.console.access import Access
from firmware.settings.settings import Settings
from rules.cards import BACK
from tests import browsing
from tests.browsing import PHONE, TABLET
from tests.browsing import Page as AnyPage
from tests.console_desk import Served

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

pytestmark = browsing.wanted
Page = AnyPage[Served]
PLAYERS = ("Anna", "Bruno", "Carla", "Dario")
OFFLINE = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
ONLINE = {**OFFLINE, "offline": False, "downloadThroughput": -1, "uploadThroughput": -1}


@pytest.fixture
def six(browsers: Callable[[int], list[Any]]) -> list[Any]:
    return browsers(6)


class SixAtATable:
    """A table of four with everybody signed in, and no camera."""

    def __init__(self, served: Served, drivers: list[Any]) -> None:
        self.served = served
        served.desk.ask(lambda felt: setattr(felt, "look", lambda *_: None))
        self.dealer, self.guest, *players = (Page(driver, served) for driver in drivers)
        self.players = dict(zip((1, 2, 3, 4), players, strict=True))
        self.dealer.size(TABLET)
        self.dealer.sign_in(served.pins.dealer)
        self.guest.size(PHONE)
        self.guest.sign_in(served.pins.viewer)
        for seat, page in self.players.items():
            page.size(PHONE)
            self.scan(page, seat)
            page.one("#player-name").send_keys(PLAYERS[seat - 1], Keys.ENTER)
            page.one(".player-view")

    def scan(self, page: Page, seat: int) -> None:
        page.go(f"sit/{seat}-{self.served.console.site.seating.code(seat)}")

    def says(self, seat: int, *labels: str) -> None:
        """Touch keys on a player's own telephone, and wait until the act is in the record."""
        before = len(self.served.desk.acts())
        for label in labels:
            self.players[seat].touch(f'.pad [data-key="pad {label}"]')
        self.dealer.until(lambda: len(self.served.desk.acts()) > before, f"{seat} {labels}")

    def deals(self, *lines: str) -> None:
        def tell(felt: Any) -> None:
            felt.type(*lines)

        self.served.desk.ask(tell)

    def complaints(self) -> list[str]:
        pages = [self.dealer, self.guest, *self.players.values()]
        # A page that is cut off logs complaints about that.
        return [one for page in pages for one in page.complaints() if "ERR_INTERNET" not in one]


def seated(tmp_path: Path, game: str, **table: Any) -> Served:
    settings = Settings.from_mapping({"table": {"game": game, "seats": 4, "dealer": 1, **table}})
    return Served(tmp_path, settings, access=Access(tmp_path / "access"))


@pytest.mark.slow
def test_a_round_of_pineapple_by_the_players_alone(six: list[Any], tmp_path: Path) -> None:
    with seated(tmp_path, "pineapple", limits=[1, 20]) as served:
        table = SixAtATable(served, six)
        table.dealer.says("Anna", ".felt")
        while served.desk.snapshot().phase != "betting":
            table.deals(dealt(served))
        first = served.desk.snapshot().awaited[0]
        table.players[first].says("Your turn", ".player-turn")
        table.players[first].shot("player-pineapple")
        waiting = next(seat for seat in table.players if seat != first)
        table.players[waiting].says("Not your turn", ".player-turn")
        assert table.players[waiting].all(".pad-key") == []
        assert table.guest.all(".pad-key") == []
        for _ in range(4):
            seat = served.desk.snapshot().awaited[0]
            table.says(seat, said(table, seat))
            table.dealer.says(f"{PLAYERS[seat - 1]}: Seat {seat}", "#line")
        acts = served.desk.acts()[-4:]
        assert {act.split()[1] for act in acts} <= {"call", "check"}
        table.dealer.shot("dealer-players")
        assert all(cards_seen(page) == set() for page in table.players.values())
        assert table.complaints() == []


def dealt(served: Served) -> str:
    """The dealer's next acts: cards nobody sees, and antes."""
    state = served.desk.ask(lambda felt: felt.loop.state)
    one = next(one for one in state.turn.awaited if one.required)
    assert one.seats == () or one.verb == "ante", f"{one}"
    if not one.pick:
        return str(one.fill())
    return str(one.fill([BACK] * one.pick))


def said(table: SixAtATable, seat: int) -> str:
    page = table.players[seat]
    key = page.one('.pad-key[data-line$=" call"], .pad-key[data-line$=" check"]')
    name: str = key.get_dom_attribute("data-key")
    return name.removeprefix("pad ")


def cards_seen(page: Page) -> set[str]:
    faces = {card.get_dom_attribute("data-card") for card in page.all(".card[data-card]")}
    return faces - {"??"}


BELOTE = (
    *(f"deal {seat} ?? ?? ??" for seat in (2, 3, 4, 1)),
    *(f"deal {seat} ?? ??" for seat in (2, 3, 4, 1)),
    "deal board 9H",
)


@pytest.mark.slow  # a round of Pineapple keeps as many browsers in step
def test_an_auction_of_belote_with_mishaps(six: list[Any], tmp_path: Path) -> None:
    with seated(tmp_path, "belote") as served:
        table = SixAtATable(served, six)
        table.deals(*BELOTE)
        table.says(2, "Seat 2 passes")
        table.players[3].says("Your turn", ".player-turn")
        # Carla's telephone loses the network; the dealer says it for her, and it comes back.
        carla = table.players[3]
        carla.driver.execute_cdp_cmd("Network.enable", {})
        carla.driver.execute_cdp_cmd("Network.emulateNetworkConditions", OFFLINE)
        cut(served, 3)
        carla.says("The connection to the table is lost.", "#line")
        table.dealer.touch('.pad [data-key="pad Seat 3 passes"]')
        carla.driver.execute_cdp_cmd("Network.emulateNetworkConditions", ONLINE)
        carla.says("Not your turn", ".player-turn")
        table.says(4, "Seat 4 passes")
        table.says(1, "Seat 1 passes")
        # Bruno takes a second telephone: the guest's.
        table.scan(table.guest, 2)
        table.guest.says("Bruno sits here already", ".sit")
        table.guest.shot("player-taken")
        table.guest.touch("#sit-too")
        table.guest.says("Your turn", ".player-turn")
        table.dealer.until(lambda: served.console.site.players.telephones.get(2) == 2)
        table.players[2] = table.guest
        table.says(2, "Seat 2 passes")
        # Dario changes to seat 3, and Carla leaves it for seat 4.
        table.scan(table.players[4], 3)
        table.players[4].touch("#sit-too")
        table.players[4].says("Dario", ".player-who")
        table.scan(table.players[3], 4)
        table.players[3].says("Carla", ".player-who")
        table.players[3], table.players[4] = table.players[4], table.players[3]
        table.players[3].says("Your turn", ".player-turn")
        table.players[3].shot("player-belote")
        table.says(3, "Seat 3 bids clubs")
        assert served.desk.acts()[-1] == "3 bid clubs"
        faces = {card for page in table.players.values() for card in cards_seen(page)}
        assert faces <= {"9H"}
        table.complaints()


def cut(served: Served, seat: int) -> None:
    """Cut the network between a telephone and the table."""
    for page in list(served.console.site.hub.pages):
        if page.session.seat == seat:
            page.abort()


def code_is_read(page: Page, seat: int) -> bool:
    """Whether a telephone can read the seat's address from its code, if a code is shown."""
    shown = page.driver.find_element(By.CSS_SELECTOR, f'[data-seat="{seat}"]')
    url = shown.get_dom_attribute("data-url")
    return bool(url) and browsing.scanned(shown.find_element(By.CSS_SELECTOR, "svg")) == url


@pytest.mark.slow
def test_a_seat_s_code_is_scanned_from_the_dealer_s_page(six: list[Any], tmp_path: Path) -> None:
    with seated(tmp_path, "belote") as served:
        table = SixAtATable(served, six)
        table.dealer.go("players")
        table.dealer.says("Dario", ".seat-codes")
        table.dealer.shot("players")
        table.dealer.until(lambda: code_is_read(table.dealer, 4), "the code of seat 4 is read")
        table.dealer.touch('[data-seat="4"] .free')
        table.players[4].one("#pin")
        table.dealer.touch("#telephones")
        table.players[2].says("switched telephones off", ".player-turn")
        table.dealer.touch("#telephones.primary")  # once the dealer's page knows it, too
        table.players[2].until(lambda: "off" not in table.players[2].one(".player-turn").text)
