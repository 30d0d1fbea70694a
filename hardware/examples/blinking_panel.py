"""A panel on simulated pins: ``python hardware/examples/blinking_panel.py``.

The OK lamp blinks slowly until OK is pressed, then stays lit. On a Pi, `hardware.panel.Panel`
takes the same calls.
"""

from __future__ import annotations

from hardware.lamps import Lamp, Pattern
from hardware.press import Button, Pressed
from hardware.rig import PanelRig


def main() -> None:
    """Wait two seconds, press the button, and watch for another half second."""
    with PanelRig() as rig:
        rig.panel.show({Lamp.OK: Pattern.SLOW})
        rig.advance(2.0)
        print("waiting:", rig.lamps()[Lamp.OK].value)
        rig.press(Button.OK)
        pressed = any(isinstance(event, Pressed) for event in rig.advance(0.5))
        rig.panel.show({Lamp.OK: Pattern.STEADY})
        rig.advance(1.0)
        print("pressed:" if pressed else "not pressed:", rig.lamps()[Lamp.OK].value)


if __name__ == "__main__":
    main()
