"""What the page looks like, light and dark: contrast by WCAG 2 AA, and targets of 44 pixels.

Every visible text is checked in a real browser: its own colour against whatever is beneath its
middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.console.access import Access
from tests import browsing
from tests.browsing import PHONE, TABLET, Page
from tests.console_desk import Served, settings_for
from tests.draws import mostly_nightly

pytestmark = browsing.wanted
TEXT, LARGE = 4.5, 3.0
"""Minimum contrast of text, and of text from 24 px or bold text from 18.66 px: WCAG 2.2, 1.4.3."""
TARGET = 44.0
"""Minimum width and height of a target, in pixels: WCAG 2.2, 2.5.5."""
VIEWS = ("", "hands", "evening", "watch", "sign", "health", "players", "setup", "access",
         "calibrate")  # fmt: skip

LOOK = """
const colour = (text) => {
  const found = text.match(/[\\d.]+/g)?.map(Number);
  return found && found.length >= 3 ? { rgb: found.slice(0, 3), alpha: found[3] ?? 1 } : null;
};
const light = (rgb) => {
  const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = rgb.map((one) => linear(one / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (one, other) => {
  const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
};
const under = (x, y, node) => {
  for (const one of document.elementsFromPoint(x, y)) {
    if (one === node && node.ownerSVGElement) continue;
    const style = getComputedStyle(one);
    const shape = one.ownerSVGElement && !["text", "tspan", "g"].includes(one.tagName);
    if (one.tagName === "IMG") return null;
    const own = colour(shape ? style.fill : style.backgroundColor);
    if (own && own.alpha > 0.9) return own.rgb;
  }
  return colour(getComputedStyle(document.body).backgroundColor).rgb;
};
const faint = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let text = walker.nextNode(); text; text = walker.nextNode()) {
  const node = text.parentElement;
  if (!text.data.trim()) continue;
  if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
  if (node.closest(":disabled, noscript, script, style, [aria-hidden=true]")) continue;
  const range = document.createRange();
  range.selectNodeContents(text);
  node.scrollIntoView({ block: "center", inline: "center" });
  const box = range.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  if (box.width < 2 || x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
  if (!document.elementsFromPoint(x, y).includes(node)) continue; // covered, or cut off
  const style = getComputedStyle(node);
  const ink = colour(node.ownerSVGElement ? style.fill : style.color);
  const rimmed = node.ownerSVGElement && style.paintOrder.startsWith("stroke");
  const ground = rimmed ? colour(style.stroke).rgb : under(x, y, node);
  if (!ink || !ground) continue;
  const size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
  const wanted = size >= 24 || (bold && size >= 18.66) ? arguments[1] : arguments[0];
  const found = ratio(ink.rgb, ground);
  const says = `${text.data.trim().slice(0, 30)}: ${found.toFixed(2)} of ${wanted}`;
  if (found < wanted - 0.005) faint.push(`${says} (${ink.rgb} on ${ground})`);
}
return faint;
"""
SMALL = """
const small = [];
for (const one of document.querySelectorAll("button, a, input, select, summary")) {
  if (!one.checkVisibility({ visibilityProperty: true }) || one.closest("svg, .skip")) continue;
  if (one.matches("input[type=checkbox]") && one.closest("label")) continue; // the label is touched
  const box = one.getBoundingClientRect();
  const sentence = one.tagName === "A" && one.parentElement.tagName === "P"; // in running text
  const least = Math.min(box.width, box.height);
  if (box.width > 0 && !sentence && least < arguments[0] - 0.5)
    small.push(`${one.outerHTML.slice(0, 80)}: ${least.toFixed(0)}`);
}
return small;
"""


@pytest.fixture
def page(chromium: Any, tmp_path: Path) -> Iterator[Page[Served]]:
    settings = settings_for("ziginette")
    with Served(tmp_path, settings, access=Access(tmp_path / "access")) as served:
        chromium.delete_all_cookies()
        chromium.get("about:blank")
        one = Page(chromium, served)
        yield one
        one.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def themed(page: Page[Served], theme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": theme},
                {"name": "prefers-reduced-motion", "value": "reduce"}]  # fmt: skip
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def looked_at(page: Page[Served], name: str) -> dict[str, list[str]]:
    page.shot(name)
    faint = page.driver.execute_script(LOOK, TEXT, LARGE)
    return {f"{name} faint": faint} if faint else {}


def views(page: Page[Served], name: str) -> Iterator[str]:
    """Every view, once it is there, during a hand with a warning, calls and bets."""
    desk = page.served.desk
    page.go()
    page.one("#pin")
    yield f"{name}-login"
    page.sign_in(page.served.pins.dealer)
    if not desk.acts():
        desk.lay("board", "QS", "5D")
        desk.lay("banker", "7C")
        desk.type("2 bet 5 QS")
        desk.type("3 bet 10 5D")
        desk.lay("board", "QD")
    page.until(lambda: page.all(".call"), "a call")
    for view in VIEWS:
        page.go(view)
        page.one("#main > *")
        page.until(lambda: page.all("#main h1, .watch-view .felt"), view)
        yield f"{name}-{view or 'table'}"
    page.go()
    page.touch('.card[data-card="5D"]')
    page.one("dialog[open] .choices")
    yield f"{name}-card"


@pytest.mark.parametrize(
    ("size", "device", "theme"),
    mostly_nightly(
        [
            (PHONE, "phone", "dark"),
            (PHONE, "phone", "light"),
            (TABLET, "tablet", "dark"),
            (TABLET, "tablet", "light"),
        ],
        (PHONE, "phone", "dark"),
        (TABLET, "tablet", "light"),
    ),
)
def test_every_text_contrasts_with_its_background(
    page: Page[Served], theme: str, size: tuple[int, int], device: str
) -> None:
    page.size(size)
    themed(page, theme)
    faint: dict[str, list[str]] = {}
    for name in views(page, f"looks-{device}-{theme}"):
        faint |= looked_at(page, name)
    assert faint == {}


def test_every_target_is_44_pixels_wide_and_high(page: Page[Served]) -> None:
    page.size(PHONE)
    small: dict[str, list[str]] = {}
    for name in views(page, "targets"):
        found = page.driver.execute_script(SMALL, TARGET)
        small |= {name: found} if found else {}
    assert small == {}


def test_faint_or_small_elements_are_found(page: Page[Served]) -> None:
    """Checks both checks: a grey word, and a button of 30 pixels."""
    page.go()
    page.one("#pin")
    page.driver.execute_script(
        "const add = (tag, text, style) => { const one = document.createElement(tag);"
        "one.textContent = text; Object.assign(one.style, style);"
        "document.body.prepend(one); };"
        "add('p', 'faint', { color: '#777', background: '#666' });"
        "add('button', 'small', { minHeight: 0, height: '30px' });"
    )
    assert any("faint" in one for one in page.driver.execute_script(LOOK, TEXT, LARGE))
    assert any("small" in one for one in page.driver.execute_script(SMALL, TARGET))
