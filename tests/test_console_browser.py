"""The console in a real browser, end to end, with a scripted table and no reader."""

from __future__ import annotations

import re

import pytest

from firmware.console.access import Access
from tests import browsing
from tests.browsing import PHONE, SCREEN, TABLET
from tests.browsing import Page as AnyPage
from tests.console_desk import Served, opened, settings_for
from tests.test_console_evening import played

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

pytestmark = browsing.wanted
Page = AnyPage[Served]


def test_wrong_pins_open_nothing_and_the_right_one_always_does(page: Page) -> None:
    pins = page.served.pins
    wrong = next(pin for pin in ("0" * 10, "1" * 10) if pin != pins.dealer)
    page.go()
    for told in (*["Wrong PIN."] * 4, "Too many wrong PINs. Wait"):
        page.one("#pin").send_keys(wrong, Keys.ENTER)
        page.says(told)
        page.until(lambda: page.one("#pin").get_property("value") == "")
    assert page.all(".felt") == []
    page.shot("pin")
    page.one("#pin").send_keys(pins.dealer, Keys.ENTER)
    page.until(lambda: page.all(".felt"))


def test_a_hand_with_two_corrections_an_undo_and_why(page: Page) -> None:
    desk = page.served.desk
    page.sign_in(page.served.pins.dealer)
    opened(page.served)
    page.shows("board", "QS", "5D")
    page.says("Seat 3 bets 10 on five of diamonds", ".acts")
    # First correction: two touches, the card and what it is.
    page.touch('.card[data-card="5D"]')
    page.one("dialog[open] img")
    page.shot("tablet-correct")
    buttons = page.all("dialog button:not(.close), dialog summary")
    assert [one.text for one in buttons[:1]] == ["It was right"]
    shown = [one for one in page.all("dialog [data-choice]") if one.is_displayed()]
    assert len(shown) == 6
    assert shown[0].get_dom_attribute("data-choice") == "5C"
    page.touch("dialog .was-right")
    page.until(lambda: page.all("dialog[open]") == [])
    page.shows("board", "QS", "5D")
    page.touch('.card[data-card="5D"]')
    page.touch('dialog [data-choice="5C"]')
    page.shows("board", "QS", "5C")
    # Second: it was right after all. Its former value comes first.
    page.touch('.card[data-card="5C"]')
    page.touch('dialog [data-choice="5D"]')
    page.shows("board", "QS", "5D")
    # A missed card: the place, then the card.
    page.driver.execute_script(
        "document.querySelector('[data-key=\"spot board\"]').dispatchEvent("
        "new MouseEvent('click', {bubbles: true}))"
    )
    page.touch('dialog [data-choice="KS"]')
    page.shows("board", "QS", "5D", "KS")
    # Undo asks for confirmation, and takes back the implied close as well.
    page.touch("#undo")
    page.says("King of spades to the board", "#undo")
    page.touch("#undo")
    page.shows("board", "QS", "5D")
    assert desk.acts()[-1] == "3 bet 10 5D"
    # A card that is not in this deck: the rule, the act and its picture.
    desk.ask(lambda felt: felt.lay("board", "TH", seconds=3.0))
    page.one(".sentence.grave")
    page.touch(".prompt .why-button")
    page.says("The game is played without this card.", "dialog")
    page.one("dialog .violation")
    page.one("dialog .crops img")
    page.shot("tablet-why")
    page.one("dialog .close").click()
    # OK lets it stand.
    page.touch("#key-ok")
    page.until(lambda: page.all(".sentence.grave") == [], "the warning goes")
    assert any(act.startswith("rule") for act in desk.acts())


def test_a_hand_is_replayed_by_keyboard(page: Page) -> None:
    desk = page.served.desk
    opened(page.served)
    desk.lay("board", "QD")
    desk.take("board", "QS", "QD")
    desk.lay("board", "7H")
    desk.ask(lambda felt: felt.sweep())
    page.sign_in(page.served.pins.viewer)
    page.go("hands")
    page.says("1 \N{MINUS SIGN}5   2 \N{MINUS SIGN}5   3 +10", ".hand-list")
    page.touch(".hand-row")
    page.says("Before the first act.", ".step-says")
    body = page.one("body")
    for _ in range(3):
        body.send_keys(Keys.ARROW_RIGHT)
    page.says("3/", ".step-says")
    page.shows("board", "QS", "5D")
    page.shows("banker", "7C")
    body.send_keys(Keys.ARROW_LEFT)
    page.shows("banker")
    page.touch("#last")
    page.says("pays 10 chips to seat 3", ".run-back")
    page.shot("run-back")


def test_bets_that_nobody_tracks_are_not_shown_as_none(page: Page) -> None:
    page.served._want(settings_for("ziginette", level="none"))
    desk = page.served.desk
    desk.lay("board", "QS", "5D")
    desk.lay("banker", "7C")
    desk.lay("board", "7H")
    desk.ask(lambda felt: felt.sweep())
    page.sign_in(page.served.pins.viewer)
    page.says("Hand 2", "#bar")
    assert page.all(".score dd") == []
    page.go("hands")
    page.says("bets are not recorded", ".hand-list")
    page.touch(".hand-row")
    page.touch("#last")
    page.says("pays", ".run-back")


def test_what_stays_on_the_table_stays_under_the_finger(page: Page) -> None:
    page.served.desk.lay("board", "QS")
    page.sign_in(page.served.pins.dealer)
    page.shows("board", "QS")
    queen = page.one('.card[data-card="QS"]')
    webdriver.ActionChains(page.driver).click_and_hold(queen).perform()
    page.served.desk.lay("board", "5D")
    page.shows("board", "QS", "5D")
    webdriver.ActionChains(page.driver).release().perform()
    page.says("Queen of spades", "dialog[open]")


def test_the_quiet_view_shows_the_table_and_nothing_to_press(page: Page) -> None:
    opened(page.served)
    page.sign_in(page.served.pins.viewer)
    page.size(SCREEN)
    page.go("watch")
    page.shows("board", "QS", "5D")
    assert [one for one in page.all("button, input") if one.is_displayed()] == []
    page.served.desk.lay("board", "KS")
    page.shows("board", "QS", "5D", "KS")
    page.one(".watch-sentence p")
    page.shot("watch")


def test_a_viewer_sees_no_way_to_write(page: Page) -> None:
    opened(page.served)
    page.sign_in(page.served.pins.viewer)
    for selector in ("#key-ok", "#undo", "#act-line", 'nav a[href="#/setup"]'):
        assert page.all(selector) == [], selector
    page.touch('.card[data-card="QS"]')
    page.one("dialog[open] .why")
    assert page.all("dialog [data-choice]") == []


def test_set_up_of_a_variant_shows_its_house_rules(page: Page) -> None:
    page.sign_in(page.served.pins.dealer)
    page.go("setup")
    page.one("#set-up")
    Select(page.one("#game")).select_by_value("pineapple")
    assert page.one("#rule-discard").get_property("value") == "deal"
    Select(page.one("#variant")).select_by_value("crazy-hi-lo")
    page.until(lambda: page.one("#rule-discard").get_property("value") == "flop")
    assert page.one("#rule-low").get_property("value") == "yes"
    Select(page.one("#rule-odd_chip")).select_by_value("card")
    Select(page.one("#deck")).select_by_visible_text("German: A K D B")
    page.touch("#begin")
    page.until(lambda: bool(page.served.wanted))
    (wanted,) = page.served.wanted
    assert (wanted.variant, dict(wanted.house_rules)) == ("crazy-hi-lo", {"odd_chip": "card"})
    assert wanted.deck == "german"


def test_set_up_in_another_language_and_game(page: Page) -> None:
    page.sign_in(page.served.pins.dealer)
    page.go("setup")
    page.one("#set-up")
    Select(page.one("#game")).select_by_value("seven-and-a-half")
    page.one("#rule-ties")
    page.touch('input[value="4"]')
    page.until(lambda: page.one('input[value="4"]').is_selected())
    Select(page.one("#rule-ties")).select_by_value("banker")
    # Chips are counted only if every amount is tracked.
    assert len(page.all(".stacks input")) == 4
    Select(page.one("#level")).select_by_value("none")
    page.until(lambda: page.all(".stacks") == [])
    assert page.one("#rule-ties").get_property("value") == "banker"
    Select(page.one("#level")).select_by_value("amounts")
    page.one(".stacks")
    Select(page.one("#language")).select_by_value("it")
    for name, value in (("least", "9"), ("greatest", "2")):
        page.one(f"#{name}").clear()
        page.one(f"#{name}").send_keys(value)
    page.touch("#begin")
    page.says("table.limits", "#set-up-says")
    page.one("#greatest").clear()
    page.one("#greatest").send_keys("90")
    page.touch("#begin")
    page.says("Mano 1", "#bar")
    page.says("Sette e mezzo", "#bar")
    wanted = page.served.wanted[-1]
    assert (wanted.seats, wanted.limits) == ((1, 2, 3, 4), (9, 90))
    assert wanted.house_rules == {"ties": "banker"}
    assert page.driver.find_element(By.TAG_NAME, "html").get_dom_attribute("lang") == "it"
    page.go("sign")
    page.says("Puntate da 9 a 90")
    page.says("banco", ".sign")


def test_the_page_comes_back_when_the_server_does(page: Page) -> None:
    page.sign_in(page.served.pins.dealer)
    page.served.desk.lay("board", "QS")
    page.shows("board", "QS")
    page.served.console.stop()
    page.says("The connection to the table is lost.", "#line")
    page.served.access = Access(page.served.access.path)
    page.served.restart()
    page.until(lambda: not page.one("#line").is_displayed(), "the line is back")
    page.served.desk.lay("board", "5D")
    page.shows("board", "QS", "5D")


SLEEPS = """
const seen = Object.getOwnPropertyDescriptor(Document.prototype, "hidden");
const now = Date.now;
const show = (hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};
show(true);
Date.now = () => now() + 60_000;
show(false);
Date.now = now;
Object.defineProperty(document, "hidden", seen);
"""
"""A telephone in a pocket for a minute: its page is hidden and shown again."""


def test_a_telephone_that_slept_opens_a_new_connection_at_once(page: Page) -> None:
    """The old one may be dead without either side having noticed."""
    page.sign_in(page.served.pins.dealer)
    page.served.desk.lay("board", "QS")
    page.shows("board", "QS")
    pages = page.served.console.site.hub.pages
    before = {one.number for one in list(pages)}
    page.driver.execute_script(SLEEPS)
    page.until(lambda: {one.number for one in list(pages)} - before, "a new line")
    page.until(lambda: len(list(pages)) == 1, "the old one is closed")
    page.served.desk.lay("board", "5D")
    page.shows("board", "QS", "5D")


def test_a_screen_reader_finds_names_and_news(page: Page) -> None:
    opened(page.served)
    page.sign_in(page.served.pins.dealer)
    page.shows("board", "QS", "5D")
    assert page.one(".prompt").get_dom_attribute("aria-live") == "assertive"
    tree = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    names = {
        (node.get("role", {}).get("value"), node.get("name", {}).get("value"))
        for node in tree
        if not node.get("ignored")
    }
    assert ("button", "Queen of spades, The board") in names
    assert ("image", "Seat 1, 0, Bank") in names or ("img", "Seat 1, 0, Bank") in names
    unnamed = [role for role, name in names if role in ("button", "link", "textbox") and not name]
    assert unnamed == []
    assert {role for role, _ in names} >= {"main", "navigation", "banner", "status"}


def test_the_code_on_the_sheet_leads_here(page: Page) -> None:
    page.sign_in(page.served.pins.dealer)
    page.go("access")
    page.touch("#renew")
    page.shot("sheet")
    page.until(lambda: browsing.scanned(page.one(".pin svg")) == page.served.url, "it is read")
    text = page.one(".pins").text
    (dealer,) = re.findall(r"PIN ((?:\d+ ?)+)", text)[:1]
    page.driver.delete_all_cookies()
    page.driver.get("about:blank")
    page.sign_in(dealer)


def test_everything_fits_on_a_phone(page: Page) -> None:
    opened(page.served)
    page.size(PHONE)
    page.sign_in(page.served.pins.dealer)
    for view in ("", "hands", "hands/1", "setup", "sign", "health", "access"):
        page.go(view)
        page.one("main h1, main .felt, main form")
        wide = page.driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= PHONE[0], view
        page.shot(f"phone-{view.replace('/', '-') or 'table'}")
    page.go()
    page.shows("board", "QS", "5D")
    # The three buttons are on the first screen, and large enough for a thumb.
    for name in ("ok", "fix", "hold"):
        box = page.one(f"#key-{name}").rect
        assert box["y"] + box["height"] <= PHONE[1]
        assert min(box["width"], box["height"]) >= 44


def test_a_dealer_tries_a_secret_rule_and_seals_it(page: Page) -> None:
    page.served._want(settings_for("eleusis", dealer=1))
    page.sign_in(page.served.pins.dealer)
    page.touch('nav a[href="#/secret"]')
    page.one("#rule").send_keys("If last is purple", Keys.ENTER)
    page.says("'purple' (word 4)", "#secret-says")
    page.touch('.preset[data-key="two-apart"]')
    page.says("8 of 52", "#trial")
    right = {cell.get_dom_attribute("data-card") for cell in page.all("#trial td.right")}
    assert right == {f"{rank}{suit}" for rank in "37" for suit in "CDHS"}
    page.shot("secret")
    page.size(PHONE)
    page.touch("details summary")
    wide = page.driver.execute_script("return document.documentElement.scrollWidth")
    assert wide <= PHONE[0]
    page.shot("phone-secret")
    page.size(TABLET)
    page.touch("#seal")
    page.one(".felt")
    page.until(lambda: page.served.desk.acts()[:1], "the seal")
    assert page.served.desk.acts()[0].startswith("declare seal ")
    page.go("secret")
    page.until(lambda: not page.one("#seal").is_enabled(), "nothing more to seal")
    assert page.one("#rule").get_property("value") == ""


def test_a_viewer_has_no_page_for_secret_rules(page: Page) -> None:
    page.served._want(settings_for("eleusis", dealer=1))
    page.sign_in(page.served.pins.viewer)
    assert page.all('nav a[href="#/secret"]') == []
    page.go("secret")
    page.one(".page .note")
    assert page.all("#rule") == []


def test_the_evening_is_drawn_and_fits_a_phone(page: Page) -> None:
    page.served.desk.ask(lambda felt: setattr(felt, "look", lambda *_: None))
    page.served.desk.ask(lambda felt: played(felt, 12, seed=3))
    page.sign_in(page.served.pins.viewer)
    page.touch('nav a[href="#/evening"]')
    page.says("Best hand", ".evening-seats")
    chart = page.one(".chart")
    page.until(lambda: chart.get_property("naturalWidth") > 0, "the picture")
    assert len(page.all(".evening-hands tbody tr")) == 12
    page.shot("evening")
    page.size(PHONE)
    wide = page.driver.execute_script("return document.documentElement.scrollWidth")
    assert wide <= PHONE[0]
    page.shot("phone-evening")
