"""Compares the output of ``mazziere read --json`` on two machines; run by ``arm64.sh``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

CONFIDENCE = 0.01
"""Tolerance of probabilities: the networks' float32 sums, made in another order, move an index by a
millionth of a pixel, and so now and then a pixel of its patch by one grey level. On 27 drawn tables
that came to 0.001 at most; different rounding of whole pictures, to 0.06."""
PIXELS = 2.0
"""Tolerance of corners: a contour may gain or lose a point at an edge. On those 27 tables no corner
differed by the tenth of a pixel to which they are reported."""

Answer = dict[str, Any]


def answers(path: Path) -> dict[str, Answer]:
    """The answers to each picture, by its name."""
    told = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {Path(answer["file"]).name: answer for answer in told}


def differences(one: Answer, other: Answer) -> list[str]:
    """Where two answers differ in more than rounding."""
    found = [
        f"{key}: {one[key]} and {other[key]}"
        for key in ("cards", "doubtful", "trouble")
        if one[key] != other[key]
    ]
    if [seen["card"] for seen in one["sightings"]] != [seen["card"] for seen in other["sightings"]]:
        return [*found, "the sightings are of other cards"]
    confidence, corner = furthest(one, other)
    if confidence > CONFIDENCE:
        found.append(f"a confidence differs by {confidence:.3f}")
    if corner > PIXELS:
        found.append(f"a corner differs by {corner:.1f} px")
    return found


def furthest(one: Answer, other: Answer) -> tuple[float, float]:
    """The largest difference of a confidence, and of a corner's coordinate in pixels."""
    pairs = list(zip(one["sightings"], other["sightings"], strict=True))
    confidence = max((abs(a["confidence"] - b["confidence"]) for a, b in pairs), default=0.0)
    corners = [
        abs(p - q)
        for a, b in pairs
        for here, there in zip(a["outline"], b["outline"], strict=True)
        for p, q in zip(here, there, strict=True)
    ]
    return confidence, max(corners, default=0.0)


def main(first: Path, second: Path) -> int:
    """Print one line per picture; return a shell's exit status."""
    here, there = answers(first), answers(second)
    bad = here.keys() ^ there.keys()
    for name in sorted(bad):
        print(f"FAIL {name}: read on one machine only")
    for name in sorted(here.keys() & there.keys()):
        wrong = differences(here[name], there[name])
        confidence, corner = furthest(here[name], there[name]) if not wrong else (0.0, 0.0)
        told = "; ".join(wrong) or (
            f"{' '.join(here[name]['cards'])}; confidences within {confidence:.4f}, "
            f"corners within {corner:.2f} px"
        )
        print(f"{'FAIL' if wrong else 'ok  '} {name}: {told}")
        if wrong:
            bad.add(name)
    return int(bool(bad) or not here)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
