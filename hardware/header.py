"""The 40-pin header that every Raspberry Pi since the B+ carries.

From the Raspberry Pi documentation ("GPIO and the 40-pin header"): what each pin carries, which
GPIOs a bus claims, and the level the pins are pulled to while the board starts.
"""

from __future__ import annotations

_LAYOUT = """
3V3 5V  GPIO2 5V  GPIO3 GND  GPIO4 GPIO14  GND GPIO15
GPIO17 GPIO18  GPIO27 GND  GPIO22 GPIO23  3V3 GPIO24  GPIO10 GND
GPIO9 GPIO25  GPIO11 GPIO8  GND GPIO7  GPIO0 GPIO1  GPIO5 GND
GPIO6 GPIO12  GPIO13 GND  GPIO19 GPIO16  GPIO26 GPIO20  GND GPIO21
"""

PINS: tuple[str, ...] = tuple(_LAYOUT.split())
"""What each physical pin carries; pin 1 comes first."""

BUSES: dict[str, tuple[int, ...]] = {
    "id": (0, 1),
    "i2c": (2, 3),
    "uart": (14, 15),
    "spi": (7, 8, 9, 10, 11),
    "i2s": (18, 19, 20, 21),
}
"""The GPIOs (BCM numbers) that a bus claims; ``id`` is ID_SD and ID_SC, the HAT's own memory."""

HIGHEST_GPIO = 27
"""The highest BCM number on the header."""

RESTS_HIGH = range(9)
"""The GPIOs pulled up while the board starts; a lamp on one of them glows until it is claimed."""


def physical(gpio: int) -> int:
    """The physical pin (1 to 40) of a BCM number.

    >>> physical(5), physical(26)
    (29, 37)
    """
    return PINS.index(f"GPIO{gpio}") + 1


def bus_of(gpio: int) -> str | None:
    """The name of the bus that may claim this GPIO, if any.

    >>> bus_of(14), bus_of(26)
    ('uart', None)
    """
    return next((bus for bus, pins in BUSES.items() if gpio in pins), None)
