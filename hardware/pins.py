"""Where the pins come from: the Raspberry Pi's own, or simulated ones everywhere else.

>>> pins = simulated_pins()
>>> pins.simulated
True
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from gpiozero.pins.mock import (  # type: ignore[import-untyped]
    MockFactory,
    MockPWMPin,
)

from hardware.errors import PanelError

PI_5 = "c04170"
"""The board that simulated pins imitate: a 4 GB Raspberry Pi 5, by its revision code."""

LGPIO_REMEDY = (
    "install it with 'sudo apt install python3-lgpio', make the virtual environment with "
    "'python3 -m venv --system-site-packages', and remove any pip copy in there with "
    "'pip uninstall lgpio'"
)

_OLDEST_EDGE_S = 5.0  # edges arrive within milliseconds; an older stamp is from another clock

Device: TypeAlias = Any
"""One of gpiozero's devices, which are not typed."""


@dataclass(frozen=True, slots=True)
class Pins:
    """A gpiozero pin factory and what we need to know about it.

    `factory` is any gpiozero ``Factory``; `name` is for messages.
    """

    factory: Any
    simulated: bool
    name: str

    def age_s(self, ticks: float) -> float:
        """How many seconds ago an edge with this time stamp happened.

        Drivers stamp edges with monotonic time or the time of day, depending on their version; a
        stamp that fits neither counts as now. Simulated edges happen now.
        """
        if self.simulated:
            return 0.0
        ages = (self.factory.ticks_diff(self.factory.ticks(), ticks), time.time() - ticks)
        return next((float(age) for age in ages if 0 <= age < _OLDEST_EDGE_S), 0.0)

    def close(self) -> None:
        """Release all pins."""
        self.factory.close()


def on_a_pi(root: Path = Path("/")) -> bool:
    """Whether this machine is a Raspberry Pi, going by its device tree or processor model."""
    return "Raspberry Pi" in model(root)


def model(root: Path = Path("/")) -> str:
    """The board's name as the kernel reports it, or an empty string."""
    tree = _text(root / "proc/device-tree/model").strip("\0\n")
    lines = _text(root / "proc/cpuinfo").splitlines()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("Model"))
    return tree or next(named, "")


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""


def choose_pins(simulate: bool | None = None) -> Pins:
    """The real pins on a Raspberry Pi and simulated ones elsewhere; `simulate` forces either.

    Raises `PanelError` if the real ones are not available.
    """
    if simulate is None:
        simulate = not on_a_pi()
    return simulated_pins() if simulate else real_pins()


def simulated_pins(pin_class: Any = MockPWMPin) -> Pins:
    """Fresh simulated pins; two calls share nothing."""
    return Pins(MockFactory(revision=PI_5, pin_class=pin_class), True, "simulated pins")


def real_pins() -> Pins:
    """The Pi's pins through lgpio; raises `PanelError` with the remedy if not available."""
    fault = lgpio_fault()
    if fault:
        raise PanelError(f"the buttons and lamps need lgpio: {fault}; {LGPIO_REMEDY}")
    _give_lgpio_a_folder()
    try:
        factory = importlib.import_module("gpiozero.pins.lgpio").LGPIOFactory()
    except Exception as error:  # lgpio, gpiozero and the kernel each raise their own exceptions
        raise PanelError(
            f"the GPIO chip cannot be opened: {error}; is the user in the group 'gpio' "
            "('sudo usermod -aG gpio $USER', then log in again)?"
        ) from error
    return Pins(factory, False, f"lgpio, /dev/gpiochip{factory.chip}")


def lgpio_fault() -> str | None:
    """What is wrong with the installed lgpio, or None.

    The package index has a placeholder (0.0.0.2) that imports and does nothing; pip installs it
    wherever there is no build for the interpreter.
    """
    if importlib.util.find_spec("lgpio") is None:
        return "it is not installed"
    _give_lgpio_a_folder()
    try:
        module = importlib.import_module("lgpio")
    except Exception as error:  # a broken extension raises whatever its loader raises
        return f"it cannot be imported ({error})"
    if not hasattr(module, "gpiochip_open"):
        return f"what is installed is an empty placeholder without functions ({module.__file__})"
    return None


def _give_lgpio_a_folder() -> None:
    # lgpio creates a pipe in the working folder, which a service can seldom write to.
    os.environ.setdefault("LG_WD", os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
