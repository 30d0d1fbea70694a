"""Wiring diagram to solder from, as text and as SVG (``python -m hardware.diagram``).

Every lamp has a resistor of its own. From a 3.3 V pin through 330 Ω, a red, amber or green LED
(about 2.0 V) takes 4 mA, which is bright at a table and far below a pin's 16 mA; ten seat lamps get
680 Ω and 2 mA each, so that all lamps together stay at about 32 mA of the 50 mA that the whole
header may supply. White and blue LEDs need 3 V and would stay dim: choose others. An active buzzer
takes 30 mA, more than a pin may supply, so an NPN transistor switches it from 5 V; its base gets
2.6 mA through 1 kΩ, and a diode absorbs the coil's kick. Buttons connect their pin to ground
against the Pi's own pull-up (about 50 kΩ); 1 kΩ in series costs nothing there (pressed, the pin
sees 0.06 V) and saves the pin if it is ever driven as an output by mistake.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from hardware.header import PINS, physical
from hardware.wiring import Wiring

LAMP_OHM, SEAT_OHM, BUTTON_OHM, BASE_OHM = 330, 680, 1000, 1000
GROUND_PIN, SUPPLY_PIN = 39, 4
"""The box's ground pin, next to the buttons, and the buzzer's 5 V pin."""

# Red is 5 V and black is ground, as everybody expects.
_BUTTON_COLOURS = {"ok": "white", "fix": "yellow", "hold": "violet"}
_LAMP_COLOURS = {"ok": "green", "fix": "orange", "hold": "blue"}
_LEDS = {"ok": "green", "fix": "amber", "hold": "red"}


@dataclass(frozen=True, slots=True)
class Lead:
    """One wire from the header: what it is for, its pin, its colour and the parts along it."""

    use: str
    pin: int
    colour: str
    way: str

    @property
    def what(self) -> str:
        """The use in words, as ``OK button``."""
        first, _, rest = self.use.replace("_", " ").partition(" ")
        return f"{first.upper() if first in _LEDS else first} {rest}".strip()


def leads(wiring: Wiring) -> tuple[Lead, ...]:
    """Every wire of the box, in order of physical pin."""
    wires = [_lead(wiring, use, gpio) for use, gpio in wiring.pins().items()]
    wires.append(Lead("ground", GROUND_PIN, "black", "common ground of the box"))
    if wiring.buzzer is not None:
        wires.append(Lead("buzzer supply", SUPPLY_PIN, "red", "5 V to the buzzer's +"))
    return tuple(sorted(wires, key=lambda lead: lead.pin))


def _lead(wiring: Wiring, use: str, gpio: int) -> Lead:
    pin = physical(gpio)
    name, _, kind = use.partition("_")
    if kind == "button":
        rail = "ground" if wiring.buttons_active_low else "3.3 V"
        return Lead(use, pin, _BUTTON_COLOURS[name], f"{BUTTON_OHM} Ω, push button, {rail}")
    if use == "buzzer":
        return Lead(use, pin, "grey", f"{BASE_OHM} Ω, base of an NPN transistor (2N2222, BC337)")
    rail = "anode to 3.3 V" if wiring.lamps_active_low else "cathode to ground"
    if name in _LEDS:
        return Lead(use, pin, _LAMP_COLOURS[name], f"{LAMP_OHM} Ω, {_LEDS[name]} LED, {rail}")
    return Lead(use, pin, "brown", f"{SEAT_OHM} Ω, LED, {rail}")


def table(wiring: Wiring) -> str:
    """One line per wire: physical pin, pin name, colour, use and the parts along it.

    >>> print(table(Wiring(buzzer=None)).splitlines()[1])
     29  GPIO5   white   OK button    1000 Ω, push button, ground
    """
    rows = [(str(w.pin), PINS[w.pin - 1], w.colour, w.what, w.way) for w in leads(wiring)]
    rows.insert(0, ("pin", "is", "wire", "for", "by way of"))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return "\n".join(
        f"{row[0]:>{widths[0]}}  {row[1]:{widths[1]}}  {row[2]:{widths[2]}}  "
        f"{row[3]:{widths[3]}}  {row[4]}".rstrip()
        for row in rows
    )


def diagram(wiring: Wiring) -> str:
    """The header seen from above, pin 1 at the top left, with what each pin connects to.

    >>> print(diagram(Wiring()).splitlines()[14])
       OK button  GPIO5 29 | 30 GND
    """
    used = {lead.pin: lead.what for lead in leads(wiring)}
    lines = []
    for odd in range(1, 40, 2):
        left, right = used.get(odd, ""), used.get(odd + 1, "")
        lines.append(
            f"{left:>12} {PINS[odd - 1]:>6} {odd:2} | {odd + 1:<2} {PINS[odd]:6} {right}".rstrip()
        )
    return "\n".join(lines)


# The picture

_PITCH, _TOP, _WIDTH = 30, 56, 1060
_ODD_X, _EVEN_X = 512, 548
_INKS = {
    "white": "#ffffff",
    "yellow": "#e8b800",
    "red": "#d23c3c",
    "green": "#2f9e57",
    "blue": "#3b74c9",
    "grey": "#8b8f96",
    "orange": "#e8833a",
    "violet": "#8a55c4",
    "brown": "#7d5436",
    "black": "#22252a",
}
_LED_INKS = {"green LED": "#38c172", "amber LED": "#f0a020", "red LED": "#e04545"}
_STYLE = (
    "text{font:13px 'DejaVu Sans',Arial,sans-serif;fill:#22252a}"
    ".small{font-size:11px;fill:#555b63}.pin{font-size:10px;fill:#fff}.head{font-size:18px;"
    "font-weight:bold}.part{fill:#fff;stroke:#22252a;stroke-width:1.6}"
    ".wire{fill:none;stroke-width:3.4}"
    ".rim{fill:none;stroke:#22252a;stroke-width:5}.line{fill:none;stroke:#22252a;stroke-width:1.6}"
)


def svg(wiring: Wiring) -> str:
    """The wiring as an SVG picture: the header in the middle, each wire with its parts."""
    height = _TOP + 20 * _PITCH + 176
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img" aria-label="Wiring of the panel">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#f6f5f1"/>',
        '<text x="24" y="32" class="head">Panel to header</text>',
        '<text x="530" y="28" text-anchor="middle" class="small">pin 1 at the top left, '
        "seen from above; the board's edge is on the right</text>",
        *_header(),
    ]
    for lead in leads(wiring):
        parts.extend(_drawn(lead))
    parts.extend(_notes(height))
    parts.extend(_buzzer(wiring, height))
    return "\n".join([*parts, "</svg>", ""])


def _row_y(pin: int) -> int:
    return _TOP + (pin - 1) // 2 * _PITCH + _PITCH // 2


def _header() -> Iterator[str]:
    yield (
        f'<rect x="{_ODD_X - 20}" y="{_TOP - 4}" width="{_EVEN_X - _ODD_X + 40}" '
        f'height="{20 * _PITCH + 8}" rx="6" fill="#2b2e33"/>'
    )
    for pin, name in enumerate(PINS, 1):
        x, y = (_ODD_X if pin % 2 else _EVEN_X), _row_y(pin)
        shape = (
            f'<rect x="{x - 10}" y="{y - 10}" width="20" height="20"'
            if pin == 1
            else f'<circle cx="{x}" cy="{y}" r="10"'
        )
        yield f'{shape} fill="{_pin_ink(name)}"/>'
        yield f'<text x="{x}" y="{y + 4}" text-anchor="middle" class="pin">{pin}</text>'


def _pin_ink(name: str) -> str:
    return {"GND": "#50555c", "3V3": "#b5562d", "5V": "#b0332f"}.get(name, "#6f7a55")


def _drawn(lead: Lead) -> Iterator[str]:
    side = -1 if lead.pin % 2 else 1
    x, y = (_ODD_X if side < 0 else _EVEN_X), _row_y(lead.pin)
    start = x + side * 12
    end = x + side * (186 if lead.use == "ground" else 200)
    path = f'd="M{start} {y}H{end}"'
    if lead.colour == "white":
        yield f'<path class="rim" {path}/>'
    yield f'<path class="wire" stroke="{_INKS[lead.colour]}" {path}/>'
    yield from _name(lead, x + side * 26, y, side)
    if lead.use == "ground":
        yield from _ground(end, y, side)
    yield from _parts(lead, x + side * 100, y, side)
    anchor = "end" if side < 0 else "start"
    yield (
        f'<text x="{x + side * 216}" y="{y + 5}" text-anchor="{anchor}">'
        f"<tspan font-weight='bold'>{escape(lead.what)}</tspan>"
        f'<tspan class="small" dx="8">{escape(_short(lead))}</tspan></text>'
    )


def _name(lead: Lead, x: int, y: int, side: int) -> Iterator[str]:
    anchor = "end" if side < 0 else "start"
    name = PINS[lead.pin - 1]
    yield f'<text x="{x}" y="{y - 5}" text-anchor="{anchor}" class="small">{name}</text>'


def _parts(lead: Lead, x: int, y: int, side: int) -> Iterator[str]:
    if "Ω" not in lead.way:
        return
    ohm = lead.way.partition(" Ω")[0]
    yield f'<rect class="part" x="{x - 22}" y="{y - 8}" width="44" height="16" rx="2"/>'
    yield f'<text x="{x}" y="{y + 4}" text-anchor="middle" class="small">{ohm} Ω</text>'
    part_x = x + side * 58
    if "LED" in lead.way:
        ink = next((ink for led, ink in _LED_INKS.items() if led in lead.way), "#f4f4f0")
        flow = -side if "anode" in lead.way else side  # the arrow points where current flows
        yield (
            f'<path class="part" style="fill:{ink}" d="M{part_x - flow * 9} {y - 9}v18'
            f'l{flow * 16} -9zM{part_x + flow * 8} {y - 9}v18"/>'
        )
    elif "button" in lead.way:
        yield f'<rect x="{part_x - 15}" y="{y - 6}" width="30" height="12" fill="#f6f5f1"/>'
        yield (
            f'<path class="part" d="M{part_x - 14} {y}h4M{part_x + 10} {y}h4M{part_x - 11} {y - 7}'
            f'h22M{part_x} {y - 7}v-5"/>'
        )
    else:
        yield f'<circle class="part" cx="{part_x}" cy="{y}" r="16"/>'
        yield f'<text x="{part_x}" y="{y + 4}" text-anchor="middle" class="small">NPN</text>'


def _ground(x: int, y: int, side: int) -> Iterator[str]:
    bars = "".join(
        f"M{x + side * gap} {y - half}v{2 * half}" for gap, half in ((0, 11), (5, 7), (10, 3))
    )
    yield f'<path class="wire" style="stroke-width:2.4" stroke="#22252a" d="{bars}"/>'


def _short(lead: Lead) -> str:
    """The parts along the wire, except those that the picture already shows."""
    if lead.use == "buzzer":
        return "as drawn below"
    if "Ω" not in lead.way:
        return lead.way
    return "to " + lead.way.rpartition("to " if " to " in lead.way else ", ")[2]


def _notes(height: int) -> Iterator[str]:
    notes = (
        "LED: current flows the way its arrow points, in at the long leg and out at the short one.",
        "Red, amber or green LEDs: white and blue ones stay dim at 3.3 V.",
        "Buzzer: an active one for 5 V. The diode's ring points towards 5 V.",
        "Never join 5 V to a GPIO: these pins tolerate 3.3 V only. Wire with the power off.",
    )
    for line, note in enumerate(notes):
        yield f'<text x="24" y="{height - 98 + 22 * line}" class="small">{escape(note)}</text>'


_BUZZER = """\
<g transform="translate(640 {y})">
<path class="line" d="M150 6v14M150 56v22l-24 14M126 98l24 12v16M126 80v32M126 96h-30M52 96h-40"/>
<path class="line" d="M150 12h58v16M208 50v20h-58M138 126h24M143 131h14M147 136h6"/>
<path class="line" d="M198 28h20M208 28l-10 18h20z"/><path d="M150 110l-9 -1 5 -7z"/>
<rect class="part" x="128" y="20" width="44" height="36" rx="4"/>
<rect class="part" x="52" y="88" width="44" height="16" rx="2"/>
<text x="150" y="43" text-anchor="middle" class="small">buzzer</text>
<text x="74" y="100" text-anchor="middle" class="small">{ohm} Ω</text>
<text x="6" y="100" text-anchor="end">{gpio}, pin {pin}</text>
<text x="140" y="12" text-anchor="end">5 V, pin {supply}</text>
<text x="226" y="42" class="small">1N4148</text>
<text x="160" y="100" class="small">NPN, 2N2222 or BC337</text>
<text x="168" y="134" class="small">ground</text></g>"""


def _buzzer(wiring: Wiring, height: int) -> Iterator[str]:
    """The buzzer's transistor circuit: the one part that is more than a wire."""
    if wiring.buzzer is not None:
        yield _BUZZER.format(
            y=height - 156,
            ohm=BASE_OHM,
            gpio=f"GPIO{wiring.buzzer}",
            pin=physical(wiring.buzzer),
            supply=SUPPLY_PIN,
        )


def main(arguments: list[str]) -> int:
    """Print the SVG, or with ``--text`` diagram and table, for a wiring file or the default box."""
    files = [argument for argument in arguments if not argument.startswith("--")]
    wiring = Wiring.load(files[0]) if files else Wiring()
    if "--text" in arguments:
        print(diagram(wiring), table(wiring), sep="\n\n")
    else:
        print(svg(wiring), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
