"""A real browser for tests: Chromium with its driver.

Debian's packages are chromium-driver and chromium-headless-shell, the same Chromium without its
user interface, which takes half the processor time; chromium is used if that is missing.

With ``MAZZIERE_SHOTS`` set to a folder, screenshots are saved there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

import cv2
import numpy as np
import pytest

from tests.console_desk import PATIENCE_S

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

from selenium.common.exceptions import (  # noqa: E402
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

# Debian's command for the shell starts another process, which outlives the command.
HERE = os.pathsep.join(("/usr/lib/chromium", os.environ.get("PATH", os.defpath)))
CHROMIUM = shutil.which("chromium-headless-shell", path=HERE) or shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
wanted = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="no chromium with its driver on this machine"
)
PHONE, TABLET, SCREEN = (390, 844), (1180, 820), (1920, 1080)
SWITCHES = (
    "--headless=new",
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--lang=en-GB",
    "--disable-background-networking",
    "--in-process-gpu",
    "--force-prefers-reduced-motion",  # without a GPU an animation costs as much as a page
)
SHOTS = os.environ.get("MAZZIERE_SHOTS")


@contextmanager
def browser() -> Iterator[Any]:
    """A browser without a page."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for switch in SWITCHES:
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


class Pool:
    """Browsers that stay open from test to test, as starting one takes seconds.

    Called with a number, it returns that many of them, each without a page, a cookie or a screen
    size of its own, as if it had just been started.
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._open: list[Any] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def __call__(self, count: int) -> list[Any]:
        while len(self._open) < count:
            self._open.append(self._stack.enter_context(browser()))
        for driver in self._open[:count]:
            _renew(driver)
        return self._open[:count]


def _renew(driver: Any) -> None:
    """Clear all traces of an earlier test."""
    driver.get("about:blank")
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.get_log("browser")


def scanned(element: Any) -> str:
    """The text that a telephone reads from a code shown on a page.

    Of 757 addresses OpenCV reads all but one in a given size, and each in one of these.
    """
    data = np.frombuffer(element.screenshot_as_png, np.uint8)
    code = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    sizes = (cv2.resize(code, None, fx=size, fy=size) for size in (1.0, 2.0, 1.5, 3.0))
    texts = (str(cv2.QRCodeDetector().detectAndDecode(one)[0]) for one in sizes)
    return next((text for text in texts if text), "")


class Site(Protocol):
    """Something served at an address."""

    @property
    def url(self) -> str: ...


S = TypeVar("S", bound=Site)


@dataclass
class Page(Generic[S]):
    """One browser showing one site. Everything waits for conditions, nothing for fixed times."""

    driver: Any
    served: S

    def size(self, size: tuple[int, int], sharp: float = 1.0) -> None:
        """Change the screen to `size` with `sharp` device pixels per pixel of the page."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": sharp, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def go(self, view: str = "") -> None:
        self.driver.get(f"{self.served.url}#/{view}")

    def until(self, wanted: Callable[[], Any], what: str = "") -> Any:
        ignored = (NoSuchElementException, StaleElementReferenceException)
        wait = WebDriverWait(self.driver, PATIENCE_S, 0.05, ignored)
        return wait.until(lambda _: wanted(), what)

    def one(self, selector: str) -> Any:
        """The element, once it is there."""
        return self.until(lambda: self.driver.find_element(By.CSS_SELECTOR, selector), selector)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def touch(self, selector: str) -> None:
        """Touch an element in its middle as soon as it can be touched."""

        def touched() -> bool:
            try:
                self.driver.find_element(By.CSS_SELECTOR, selector).click()
            except (ElementClickInterceptedException, ElementNotInteractableException):
                # Something moves or has just come: look again.
                return False
            return True

        self.until(touched, f"touch {selector}")

    def says(self, text: str, selector: str = "body") -> None:
        """Wait until the text is visible."""
        self.until(
            lambda: text in self.driver.find_element(By.CSS_SELECTOR, selector).text,
            f"{text!r} in {selector}",
        )

    def sign_in(self, pin: str, sees: str = ".felt") -> None:
        self.go()
        self.one("#pin").send_keys(pin, Keys.ENTER)
        self.one(sees)

    def cards(self, spot: str) -> list[str]:
        """The cards drawn at a spot."""
        found = self.all(f'.card[data-spot="{spot}"]')
        return [card.get_dom_attribute("data-card") for card in found]

    def shows(self, spot: str, *cards: str) -> None:
        """Wait until these cards are drawn at a spot."""
        self.until(lambda: self.cards(spot) == list(cards), f"{cards} at {spot}")

    def shot(self, name: str) -> None:
        """Save a screenshot of the page, if somebody wants to look."""
        if SHOTS:
            Path(SHOTS, f"{name}.png").write_bytes(self.driver.get_screenshot_as_png())

    def complaints(self) -> list[str]:
        """Errors that the browser logged, besides responses that refuse something."""
        entries = [entry["message"] for entry in self.driver.get_log("browser")]
        return [e for e in entries if "Failed to load resource" not in e and "WebSocket" not in e]


@contextmanager
def fresh_page(driver: Any, served: S, size: tuple[int, int]) -> Iterator[Page[S]]:
    """A page that nobody has signed in to; in the end the browser must have had no complaint."""
    driver.delete_all_cookies()
    page = Page(driver, served)
    page.size(size)
    yield page
    assert page.complaints() == []
    driver.get("about:blank")
