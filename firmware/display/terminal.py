"""The live view in a terminal: the table, the prompt, the lamps, and keys for the buttons.

Everything is redrawn from a `Snapshot` ten times a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from firmware.display.snapshot import Desk, Snapshot
from firmware.display.terminal_pad import NUMBERS, TerminalPad
from firmware.display.terminal_table import money_texts, table_text
from firmware.texts import DEFAULT, Texts
from firmware.texts.typed import understood
from firmware.texts.words import Words, limits_told
from rules.acts import Act

REFRESH_S = 0.1
"""Interval between redraws: as fast as an eye follows cards, and cheap on a Pi. A choice."""
BLINK_HZ = {"slow": 1.0, "fast": 4.0}
"""Blinks per second, as on the panel's lamps. Follows from `hardware.lamps`."""
BLINK_REFRESH_S = 1 / 16
"""Interval between updates of the lamps: half a phase of the fast blink. A choice."""
PRESS_S, HOLD_S = 0.1, 2.2
"""How long a key presses a button: a tap, and just over the panel's hold time. A choice."""
BUTTONS = ("ok", "fix", "hold")
SHAPES = {"ok": ("○", "●"), "fix": ("△", "▲"), "hold": ("□", "■")}
"""The lamps' shapes, dark and lit: the lamps are told apart by place, shape and label."""
COLOURS = {"ok": "#7ee787", "fix": "#ffd54f", "hold": "#ff8a80"}
OPTIONS_IN_LINES = 4
"""Most options that each get their own line; more would push the table off a screen of 24 rows. A
choice.
"""
ACTS_ROWS = 4
"""Rows next to the table kept for the latest acts and their heading. A choice."""
KEYS = {"ok": "o", "fix": "f", "hold": "h"}


def lit(pattern: str, moment: float) -> bool:
    """Whether a lamp with that pattern is lit at a moment, in seconds.

    >>> lit("slow", 0.0), lit("slow", 0.6), lit("steady", 9.9), lit("off", 0.0)
    (True, False, True, False)
    """
    if pattern in BLINK_HZ:
        return moment * BLINK_HZ[pattern] % 1 < 0.5
    return pattern == "steady"


def lamps_text(
    lamps: Mapping[str, str], moment: float, words: Mapping[str, str] | None = None
) -> Text:
    """The three lamps in a row, each with its shape, its label and the key that presses it.

    `words` names what a lamp does in the user's language, as ``lamp-slow``.
    """
    line = Text()
    for name in BUTTONS:
        pattern = lamps.get(name, "off")
        shape = SHAPES[name][lit(pattern, moment)]
        style = f"bold {COLOURS[name]}" if lit(pattern, moment) else "#777777"
        line.append(f"  {shape} {name.upper()}", style)
        line.append(f" [{KEYS[name]}] ", "#999999")
        line.append(f"{(words or {}).get(f'lamp-{pattern}', pattern):<8}", "#999999")
    return line


class Code(ModalScreen[None]):
    """A code to scan with a telephone, covering everything else until a key is pressed."""

    CSS = "Code { align: center middle; } Code Static { width: auto; background: #000000; }"

    def __init__(self, code: str) -> None:
        super().__init__()
        self._code = code

    def compose(self) -> ComposeResult:
        """Only the code: on 24 rows there is no room for more."""
        yield Static(Text.from_ansi(self._code))

    def on_key(self) -> None:
        """Close it."""
        self.dismiss()


class View(App[None]):
    """The live view of one desk."""

    CSS = """
    Screen { layout: vertical; }
    #title { height: auto; background: #222222; color: #dddddd; padding: 0 1; }
    #middle { height: 1fr; }
    #table { width: 2fr; height: 1fr; }
    #side { width: 1fr; min-width: 26; padding: 0 1; }
    #prompt { height: auto; min-height: 3; max-height: 11; border: heavy #ffd54f; padding: 0 2;
              text-style: bold; content-align: center middle; text-align: center; }
    #pad { height: auto; max-height: 5; padding: 0 1; }
    #lamps { height: 1; text-align: center; }
    #line { height: 3; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(key, f"press('{name}', {seconds})", shown)
            for name, keys in {
                "ok": ("o,space,f1", "O,f4"),
                "fix": ("f,f2", "F,f5"),
                "hold": ("h,f3", "H,f6"),
            }.items()
            for key, seconds, shown in (
                (keys[0], PRESS_S, name.upper()),
                (keys[1], HOLD_S, f"{name.upper()} held"),
            )
        ),
        Binding("u", "undo", "undo"),
        Binding("t,slash", "write", "type"),
        Binding("c", "code", "code"),
        *(Binding(str(number), f"choose({number})", show=False) for number in range(10)),
        Binding("escape", "leave_line", "back"),
        Binding("q", "quit", "quit"),
        Binding("ctrl+c", "quit", "quit", show=False, priority=True),
    ]

    AUTO_FOCUS = ""
    """Keys act as buttons except while a line is being typed."""

    def __init__(
        self,
        desk: Desk,
        language: str = DEFAULT,
        *,
        clock: Callable[[], float] = time.monotonic,
        note: str = "",
        code: Callable[[], str] = lambda: "",
        names: Callable[[], Mapping[int, str]] = dict,
    ) -> None:
        super().__init__()
        self._note = note
        self._code = code
        self._names = names
        self._options = Paged()
        self._desk = desk
        self._clock = clock
        self._texts = Texts.load(language)
        self._titles = Words.load(language)
        self._words = self._texts.words["view"]
        self._pad = TerminalPad(self._words["other"])
        self._shown: dict[str, Text] = {}

    def compose(self) -> ComposeResult:
        """The parts, from top to bottom."""
        yield Static(id="title")
        with Horizontal(id="middle"):
            yield Static(id="table")
            with Vertical(id="side"):
                yield Static(id="news")
        yield Static(id="prompt")
        yield Static(id="pad")
        yield Static(id="lamps")
        yield Input(placeholder=self._words["type"], id="line")

    def on_mount(self) -> None:
        """Start drawing."""
        self.set_interval(REFRESH_S, self.draw)
        self.set_interval(BLINK_REFRESH_S, self._blink)
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Redraw everything from the newest snapshot, or leave once the loop has ended."""
        if not self._desk.running:
            self.exit()
            return
        snapshot = self._desk.snapshot()
        self._set("title", self._title(snapshot))
        for table in self.query("#table").results(Static):
            if table.size.width and table.size.height:
                size = (table.size.width, table.size.height)
                self._set("table", table_text(snapshot, size, self._texts, self._names()))
        for side in self.query("#side").results(Vertical):
            self._set("news", self._news(snapshot, side.size.width - 2, side.size.height))
        self._set("prompt", _prompt_text(snapshot, self._options.of(snapshot.options)))
        asked = bool(snapshot.options)  # one question at a time
        self._set("pad", Text() if asked else self._pad.text(snapshot, self.size.width - 2))
        self._blink()

    def _set(self, name: str, text: Text) -> None:
        """Update a part of the screen if it has changed, to save work on a Pi."""
        # A timer may still fire after the view's parts have been removed.
        for part in self.query(f"#{name}").results(Static):
            if self._shown.get(name) != text:
                part.update(text)
                self._shown[name] = text

    def _blink(self) -> None:
        self._set("lamps", lamps_text(self._desk.snapshot().lamps, self._clock(), self._words))

    def _title(self, snapshot: Snapshot) -> Text:
        hand = f"{self._words['hand']} {snapshot.hand}" if snapshot.hand else ""
        title = self._titles.title(snapshot.game) if snapshot.hand else ""
        phase = self._texts.words["phase"].get(snapshot.phase, snapshot.phase)
        parts = [title, hand, phase, limits_told(snapshot.limits, self._titles)]
        if snapshot.awaited:
            seats = ", ".join(map(str, snapshot.awaited))
            parts.append(f"▶ {self._words['seat']} {seats}")
        line = "  ·  ".join(part for part in parts if part)
        # On its own line: nothing of an address or a PIN is cut off on a narrow screen.
        return Text(f"{line}\n{self._note}" if self._note else line)

    def _news(self, snapshot: Snapshot, width: int, rows: int) -> Text:
        """Warnings first, then the calls, the facts of the hand, the latest acts and the money.

        If there is not enough room, the last are left out; their sums are shown at the seats.
        """
        seat_word = self._words["seat"]
        sums = [f"{seat_word} {seat}: {text}" for seat, text in money_texts(snapshot)]
        points = [f"{seat_word} {seat}: {count}" for seat, count in snapshot.points]
        stands = [*snapshot.facts, *snapshot.match]
        acts = [self._act(line) for line in reversed(snapshot.acts[-8:])]  # newest first
        text = Text()
        for name, style, lines in (
            ("warnings", "bold #ff8a80", snapshot.warnings),
            ("calls", "#7ee787", snapshot.calls),
            ("facts", "#dddddd", flowing(stands, width, rows - ACTS_ROWS)),
            ("acts", "#dddddd", acts),
            ("points", "#dddddd", points),
            ("money", "#dddddd", sums),
        ):
            if lines:
                text.append(f"{self._words[name]}\n", "bold underline")
                text.append("".join(f"{line}\n" for line in lines), style)
        return text

    def _act(self, line: str) -> str:
        """An act as it may be typed: its English record line, or this language's words."""
        return line if self._texts.language == DEFAULT else self._texts.act(Act.parse(line))

    # What a person does.

    def action_press(self, button: str, seconds: float) -> None:
        """Press a button of the panel."""
        self._desk.press(button, seconds)

    def action_choose(self, number: int) -> None:
        """Choose an option, or a key of the pad, by its number."""
        snapshot = self._desk.snapshot()
        if snapshot.options:
            if chosen := self._options.press(snapshot.options, number):
                self._desk.choose(chosen)
        elif line := self._pad.press(snapshot, number):
            self._desk.type(line, sure=self._pad.insisted)
        self.draw()

    def action_undo(self) -> None:
        """Undo the last act."""
        self._desk.undo()

    def action_code(self) -> None:
        """Show a code to scan."""
        if code := self._code():
            self.push_screen(Code(code))

    def action_write(self) -> None:
        """Focus the line for typing acts."""
        self.query_one(Input).focus()

    def action_leave_line(self) -> None:
        """Return to keys as buttons, and to the top of the pad."""
        self._pad.back()
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter the typed line at the desk."""
        if event.value.strip():
            self._desk.type(understood(event.value.strip()))
        event.input.value = ""


def flowing(sentences: Sequence[str], width: int, rows: int) -> Sequence[str]:
    """Sentences on a line each, or run together if there are too few `rows`.

    >>> flowing(["Pot: 5.", "Seat 1 has bet 2."], 30, 4), flowing(["Pot: 5.", "Wild: 4."], 30, 1)
    (['Pot: 5.', 'Seat 1 has bet 2.'], ['Pot: 5. Wild: 4.'])
    """
    lines = sum(-(-len(sentence) // max(1, width)) for sentence in sentences)
    return sentences if lines <= rows else [" ".join(sentences)]


@dataclass
class Paged:
    """Options in pages, one for each number key; 0 turns the page."""

    _options: tuple[str, ...] = ()
    _page: int = 0

    def of(self, options: tuple[str, ...]) -> tuple[str, ...]:
        """The options on the current page."""
        if options != self._options:
            self._options, self._page = options, 0
        return options[self._page * NUMBERS :][:NUMBERS]

    def press(self, options: tuple[str, ...], number: int) -> str:
        """The option with that number, or an empty text if the key turns the page.

        >>> paged = Paged()
        >>> many = tuple("abcdefghijk")
        >>> paged.press(many, 2), paged.press(many, 0), paged.press(many, 2), paged.of(many)
        ('b', '', 'k', ('j', 'k'))
        """
        shown = self.of(options)
        if number == 0:
            self._page = (self._page + 1) % max(1, -(-len(options) // NUMBERS))
        return shown[number - 1] if 1 <= number <= len(shown) else ""


def _prompt_text(snapshot: Snapshot, options: tuple[str, ...]) -> Text:
    """The prompt, and the options that are visible."""
    text = Text(snapshot.sentence, "bold")
    if snapshot.ok and not snapshot.options:
        text.append(f"\nOK: {snapshot.ok}", "#7ee787")
    apart = "\n" if len(snapshot.options) <= OPTIONS_IN_LINES else "   "
    for place, option in enumerate(options):
        first = option == snapshot.options[0]
        text.append(apart if place else "\n")
        text.append(f"{'▸' if first else ' '} {place + 1} {option}", "bold" if first else "#aaaaaa")
    if len(snapshot.options) > NUMBERS:
        text.append(f"{apart}  0 …", "#aaaaaa")
    return text
