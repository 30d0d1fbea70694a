"""The panel and the voice before the first hand."""

from __future__ import annotations

from collections.abc import Callable

from firmware.lobby.lobby import Lobby
from hardware.lamps import Lamp, Pattern
from hardware.panel import Panel
from hardware.press import Held, Pressed, Timing


class Tending:
    """The panel and the voice of a lobby; called repeatedly, they keep up with what is asked."""

    def __init__(self, lobby: Lobby, panel: Panel, say: Callable[[str], None]) -> None:
        self._lobby, self._panel, self._say = lobby, panel, say
        self._said: tuple[str, str] = ("", "")

    def __call__(self) -> None:
        """Handle presses, light the lamps, and speak what is newly asked or offered."""
        for event in self._panel.poll():
            if isinstance(event, Pressed | Held):
                held = isinstance(event, Held)
                self._lobby.press(event.button.value, Timing().hold_s if held else 0.0)
        shown = self._lobby.snapshot()
        self._panel.show({Lamp(name): Pattern(way) for name, way in shown.lamps.items()})
        asked = (shown.sentence, shown.ok)
        if asked != self._said:
            same = asked[0] == self._said[0]
            self._say(shown.ok if same else " ".join(asked))
            self._said = asked
