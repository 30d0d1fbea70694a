"""The keys of the page in a real browser: the three buttons held, and what is said at the table."""

from __future__ import annotations

import pytest

from tests import browsing
from tests.browsing import Page as AnyPage
from tests.console_desk import Served, opened

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys  # noqa: E402

pytestmark = browsing.wanted
Page = AnyPage[Served]


def test_a_button_is_held_by_keyboard_and_by_finger(page: Page) -> None:
    opened(page.served)
    page.sign_in(page.served.pins.dealer)
    page.one("body").send_keys("F")
    page.until(lambda: "Held fix" in page.served.desk.done, "a held key")
    button = page.one("#key-fix")
    actions = webdriver.ActionChains(page.driver).click_and_hold(button)
    actions.perform()
    page.until(lambda: page.served.desk.done.count("Held fix") == 2, "a held finger")
    webdriver.ActionChains(page.driver).release().perform()
    page.until(lambda: len(page.served.desk.acts()) == 3)
    button.send_keys(Keys.ENTER)
    page.until(lambda: "Pressed fix" in page.served.desk.done, "a tap by keyboard")
    page.one(".menu button").click()
    page.until(lambda: any(one.startswith("choose") for one in page.served.desk.done))


def test_a_mouse_that_is_left_behind_lets_go_of_no_key(page: Page) -> None:
    """The page had moved the button from under a mouse at rest while a key held it."""
    opened(page.served)
    page.sign_in(page.served.pins.dealer)
    script = """
        const button = document.querySelector("#key-fix");
        button.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        button.dispatchEvent(new PointerEvent("pointerleave"));
        button.dispatchEvent(new KeyboardEvent("keyup", { key: "Enter", bubbles: true }));
    """
    page.driver.execute_script(script)
    page.until(lambda: "Pressed fix" in page.served.desk.done, "a tap by keyboard")


def test_a_bet_takes_two_touches_and_no_typing(page: Page) -> None:
    page.served.desk.lay("board", "QS", "5D")
    page.served.desk.lay("banker", "7C")
    page.go()
    page.sign_in(page.served.pins.dealer)
    page.touch("[data-key='pad Seat 2 bets on queen of spades']")
    page.touch("[data-line='2 bet 5 QS']")
    page.says("Seat 2 bets 5 on queen of spades", ".acts")


def test_an_amount_that_is_not_offered_is_keyed_in(page: Page) -> None:
    page.served.desk.lay("board", "QS", "5D")
    page.served.desk.lay("banker", "7C")
    page.go()
    page.sign_in(page.served.pins.dealer)
    page.touch("[data-key='pad Seat 3 bets on five of diamonds']")
    page.touch(".any-amount summary")
    for digit in "13":
        next(key for key in page.all(".digit") if key.text == digit).click()
    page.touch(".keypad .primary")
    page.says("Seat 3 bets 13 on five of diamonds", ".acts")


def test_ending_a_hand_from_the_pad_asks_for_confirmation(page: Page) -> None:
    page.served.desk.lay("board", "QS", "5D")
    page.served.desk.lay("banker", "7C")
    page.go()
    page.sign_in(page.served.pins.dealer)
    page.touch("[data-line='end']")
    page.says("Sure? The hand ends", ".pad")
    assert page.served.desk.felt.loop.state.acts[-1].verb != "end"
    page.touch("[data-line='end']")
    page.until(lambda: page.served.desk.felt.loop.match.hands[0].state.acts[-1].verb == "end")


def test_guests_have_no_pad(page: Page) -> None:
    page.served.desk.lay("board", "QS", "5D")
    page.served.desk.lay("banker", "7C")
    page.go()
    page.sign_in(page.served.pins.viewer)
    assert page.all(".pad-key") == []
