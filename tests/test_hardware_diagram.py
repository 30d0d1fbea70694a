"""The wiring diagrams: complete, well formed, and within what the header can supply."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware.diagram import LAMP_OHM, SEAT_OHM, diagram, leads, main, svg, table
from hardware.header import PINS
from hardware.wiring import Wiring

FULL = Wiring(seat_lamps=(17, 27, 22, 23, 24, 4, 10, 9, 11, 8))
BOXES = [Wiring(), FULL, Wiring(buzzer=None, buttons_active_low=False, lamps_active_low=True)]


@pytest.mark.parametrize("wiring", BOXES)
def test_every_wire_is_in_every_picture(wiring: Wiring) -> None:
    pins = {f"GPIO{gpio}" for gpio in wiring.pins().values()}
    assert pins <= set(table(wiring).split())
    assert pins <= set(diagram(wiring).split())
    texts = [element.text for element in ElementTree.fromstring(svg(wiring)).iter() if element.text]
    assert pins <= set(texts)
    for lead in leads(wiring):
        assert lead.what in texts
        assert lead.what in diagram(wiring)


@pytest.mark.parametrize("wiring", BOXES)
def test_grounds_and_supplies_are_where_the_picture_says(wiring: Wiring) -> None:
    uses = [lead.use for lead in leads(wiring)]
    assert "ground" in uses
    assert {*wiring.pins()} <= {*uses}
    for lead in leads(wiring):
        carries = PINS[lead.pin - 1]
        assert carries == {"ground": "GND", "buzzer supply": "5V"}.get(lead.use, carries)
        if lead.use in wiring.pins():
            assert carries == f"GPIO{wiring.pins()[lead.use]}"


def test_lamps_stay_within_what_the_header_supplies() -> None:
    # Raspberry Pi documentation: 16 mA per pin; about 50 mA in all at 3.3 V on the older boards.
    led_volts = 1.8  # the least that a red LED drops: the most for the resistor
    lamp, seat = (3.3 - led_volts) / LAMP_OHM, (3.3 - led_volts) / SEAT_OHM
    assert lamp < 0.016
    assert 3 * lamp + 10 * seat < 0.050


def test_the_same_colour_is_not_used_for_two_panel_wires() -> None:
    colours = [lead.colour for lead in leads(Wiring())]
    assert len(set(colours)) == len(colours)


def test_the_command_prints_either(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--text"]) == 0
    assert "OK button  GPIO5 29 | 30 GND" in capsys.readouterr().out
    box = tmp_path / "box.toml"
    box.write_text("[buttons]\nok = 22\n")
    assert main([str(box)]) == 0
    assert ">GPIO22<" in capsys.readouterr().out


def test_the_picture_in_the_folder_is_what_the_module_draws() -> None:
    root = Path(__file__).parent.parent
    command = [sys.executable, "-m", "hardware.diagram"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert ElementTree.fromstring(done.stdout).tag.endswith("svg")
    assert done.stdout == (root / "hardware" / "wiring.svg").read_text()
