"""Deal cards on the simulated table and decide them over time: ``python -m tests.dealt_table``.

Each seed is a table with its own light, camera height and deck, on which a drawn hand deals several
hands of cards and sweeps them up again; the real reader and tracker follow. A shard is one seed.
The log keeps one line per shard, marked with the weights; an interrupted run resumes where its log
ends, and lines of other weights no longer count. Several processes may share the shards (``--shard
0/2`` and ``--shard 1/2``).

By default the decks are the table's own, on which, among others, the networks were trained;
``--decks validation`` takes decks that training never saw (`vision.training` says what that needs).
Some of these have letters of no country, which nobody could tell from the pictures: their courts
and aces are to be asked about, so they are counted apart.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, lgamma, log
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from firmware.eye import tracker_of
from firmware.rehearsal.gestures import Piece
from firmware.rehearsal.setting import AREA, Setting, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import BACK, Card, Deck
from tests.commands import run
from vision.network import weights_mark
from vision.picture.geometry import Polygon
from vision.picture.plane import Plane
from vision.read.alphabets import Alphabet
from vision.scene.faces import CardArt
from vision.scene.items import Pose
from vision.scene.light import Light
from vision.sightings import Lying
from vision.track.tracker import Tracker

if TYPE_CHECKING:
    from vision.training.shelf import Shelf

HANDS, PLACES = 8, 10
"""Hands per shard, and cards per hand."""
FRAME_S = 0.2
PATIENCE = 60
"""Looks after which a hand is taken as it is, settled or not."""
LIGHTS = (
    ("day", 1.0, (1.0, 1.0, 1.0)),
    ("warm", 0.8, (0.68, 0.88, 1.0)),
    ("dim", 0.35, (0.8, 0.92, 1.0)),
    ("cool", 0.9, (1.0, 0.95, 0.85)),
)
"""Name, relative brightness and colour cast (blue, green, red) of each light."""

NO_COUNTRY = "no country"
"""The kind of a deck's letters that are in no `Alphabet`."""

DOUBTING_S = 3.0
"""Time for which a missing card is waited for once all is quiet: what is in doubt is reported one
to two seconds later. A choice."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of the dealt cards: committed rightly or wrongly, asked about, or missed.

    `false` counts cards reported where none was dealt, summed over hands.
    """

    dealt: int = 0
    right: int = 0
    wrong: int = 0
    asked: int = 0
    missed: int = 0
    false: int = 0
    hands: int = 0

    def __add__(self, other: Tally) -> Tally:
        pairs = zip(self.values, other.values, strict=True)
        return Tally(*(one + another for one, another in pairs))

    @property
    def values(self) -> tuple[int, ...]:
        """All counts in order."""
        return (
            self.dealt, self.right, self.wrong, self.asked, self.missed, self.false, self.hands
        )  # fmt: skip


def poses(rng: np.random.Generator) -> list[Pose]:
    """Places for one hand of cards, clear of each other."""
    wide, high = AREA
    return [
        Pose(
            wide * (0.14 + 0.18 * (number % 5)) + float(rng.normal(0, 8)),
            high * (0.3 + 0.42 * (number // 5)) + float(rng.normal(0, 8)),
            float(rng.normal(0, 12)),
        )
        for number in range(PLACES)
    ]


def place_of(seed: int, shelf: Shelf | None = None) -> Setting:
    """The table of one seed in its light, with a deck from the `shelf` if one is given."""
    name, share, cast = LIGHTS[seed % len(LIGHTS)]
    place = setting(seed)
    light = replace(place.light, brightness=place.light.brightness * share, tint=cast)
    assert isinstance(light, Light), name
    if shelf is not None:
        # A shelf that remembers no decks made for other seeds, so that the order of seeds does not
        # matter.
        alone = replace(shelf, _made=[])
        place = replace(place, deck=alone.deck(np.random.default_rng((seed, 78))).art)
    return replace(place, light=light)


def letters_of(deck: CardArt) -> str:
    """Whose letters a deck has: the value of an `Alphabet`, or `NO_COUNTRY`."""
    letters = dict(getattr(deck, "letters", {}))
    for one in Alphabet:
        if all(one.ranks.get(letter) is rank for rank, letter in letters.items()):
            return one.value
    return NO_COUNTRY


def dealt(seed: int, shelf: Shelf | None = None) -> Tally:
    """One shard: some hands on one table, with a deck from the `shelf` if one is given."""
    rng = np.random.default_rng((seed, 77))
    table = Tabletop(place_of(seed, shelf), seed=seed)
    plane = Plane(table.matrix)
    wide, high = AREA
    board = Polygon(plane.outline([(0, 0), (wide, 0), (wide, high), (0, high)]))
    tracker = tracker_of({"board": board}, plane, Deck.standard())
    now, total = 1.0, Tally()
    for _ in range(HANDS):
        cards = [Deck.standard().cards[int(p)] for p in rng.permutation(52)[:PLACES]]
        cards = [BACK if rng.random() < 0.1 else card for card in cards]
        pieces = [
            (_piece(table, card), pose, "") for card, pose in zip(cards, poses(rng), strict=True)
        ]
        now = _rested(table, tracker, table.deal(pieces, now=now))
        seen, until = _seen(table, tracker, now), now + DOUBTING_S
        while sum(map(len, seen)) < len(cards) and now < until:
            now += FRAME_S
            seen = _seen(table, tracker, now)
        total += compared(cards, [one for spot in seen for one in spot])
        now = _rested(table, tracker, table.take(table.resting, now=now + FRAME_S))
        left = [one for spot in _seen(table, tracker, now) for one in spot]
        total += Tally(false=sum(not one.doubtful for one in left))
    return total


def _piece(table: Tabletop, card: Card) -> Piece:
    up = card != BACK
    return table.piece(card if up else Card.parse("AS"), up=up)


def _rested(table: Tabletop, tracker: Tracker, now: float) -> float:
    """Look until everything is quiet; return that time."""
    for _ in range(PATIENCE):
        now += FRAME_S
        if not tracker.update(table.frame(now), now).busy and not table.moving(now):
            return now
    return now


def _seen(table: Tabletop, tracker: Tracker, now: float) -> list[tuple[Lying, ...]]:
    return list(tracker.update(table.frame(now + FRAME_S), now + FRAME_S).spots.values())


def compared(cards: Sequence[Card], lying: Sequence[Lying]) -> Tally:
    """Compare a hand as dealt with what was decided."""
    rest, committed = Counter(cards), Counter(one.card for one in lying if not one.doubtful)
    right, extra = (rest & committed).total(), committed - rest
    rest -= committed
    asked = 0
    for one in lying:
        meant = next((card for card, _ in one.candidates if rest[card]), None)
        if one.doubtful and meant is not None:
            rest[meant] -= 1
            asked += 1
    # A wrong card stands in for a dealt one; any beyond the number dealt are false events.
    wrong = min(extra.total(), rest.total())
    return Tally(
        len(cards), right, wrong, asked, rest.total() - wrong, extra.total() - wrong, hands=1
    )


def bound(count: int, trials: int, level: float = 0.95) -> float:
    """The upper end of the one-sided exact confidence interval for a share of `count` in `trials`.

    >>> round(bound(0, 20_000) * 5_000, 2)
    0.75
    """
    low, high = count / max(trials, 1), 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(count, trials, middle) > 1 - level else (low, middle)
    return high


def _at_most(count: int, trials: int, share: float) -> float:
    """The probability of at most `count` successes in independent trials."""
    if not 0 < share < 1:
        return float(share <= 0)
    return sum(
        exp(
            lgamma(trials + 1) - lgamma(k + 1) - lgamma(trials - k + 1)
            + k * log(share) + (trials - k) * log(1 - share)
        )
        for k in range(count + 1)
    )  # fmt: skip


def told(total: Tally) -> str:
    """A few lines with the figures and their confidence bounds."""
    lines = [
        f"{total.dealt} cards in {total.hands} hands: {total.right} right, {total.wrong} wrong, "
        f"{total.asked} asked, {total.missed} not seen, {total.false} false events"
    ]
    for name, count, trials in (
        ("wrong commits", total.wrong, total.dealt),
        ("asked", total.asked, total.dealt),
        ("false events a hand", total.false, total.hands),
    ):
        share = bound(count, trials)
        lines.append(f"{name}: at most 1 in {1 / share:.0f} (upper end of 95 %)")
    return "\n".join(lines)


def by_kind(tallies: Mapping[int, Tally], shelf: Shelf | None) -> str:
    """The figures of each seed, told apart by whether its deck has the letters of a country."""
    kinds = defaultdict[bool, Tally](Tally)
    for seed, tally in tallies.items():
        kinds[letters_of(place_of(seed, shelf).deck) == NO_COUNTRY] += tally
    names = {False: "letters of some country", True: "letters of no country"}
    return "\n".join(f"== {names[kind]}\n{told(kinds[kind])}" for kind in sorted(kinds))


def main(arguments: Sequence[str] | None = None) -> int:
    """Deal the cards asked for and print figures with bounds; status 1 if too many may be wrong."""
    parser = ArgumentParser(prog="python -m tests.dealt_table", description=__doc__)
    parser.add_argument("--cards", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument(
        "--shard", default="0/1", metavar="N/OF", help="share of the seeds to work on"
    )
    parser.add_argument("--decks", choices=("own", "validation"), default="own")
    parser.add_argument("--log", type=Path, default=Path("dealt_table.jsonl"))
    options = parser.parse_args(arguments)
    mine, of = (int(word) for word in options.shard.split("/"))
    done: dict[int, Tally] = {}
    weights = weights_mark()
    if options.log.exists():
        rows = map(json.loads, options.log.read_text("utf-8").splitlines())
        kind = {"weights": weights, "decks": options.decks}
        done = {row["seed"]: Tally(*row["tally"]) for row in rows if kind.items() <= row.items()}
    shelf = None
    if options.decks == "validation":
        from vision.training.shelf import Shelf  # noqa: PLC0415 - needs Pillow

        shelf = Shelf.open(validation=True)
    seeds = range(options.first, options.first - (-options.cards // (HANDS * PLACES)))
    done = {seed: tally for seed, tally in done.items() if seed in seeds}
    for seed in seeds:
        if seed % of != mine or seed in done:
            continue
        done[seed] = dealt(seed, shelf)
        line = json.dumps(
            {
                "seed": seed, "tally": done[seed].values, "weights": weights,
                "decks": options.decks,
            }
        )  # fmt: skip
        with options.log.open("a", encoding="utf-8") as log_file:
            log_file.write(line + "\n")
    total = sum(done.values(), Tally())
    print(f"{told(total)}\n{by_kind(done, shelf)}")
    return 0 if bound(total.wrong, total.dealt) <= 1 / 5_000 else 1


if __name__ == "__main__":
    run(main)
