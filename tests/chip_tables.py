"""Rehearse tables played with chips: ``python -m tests.chip_tables --seeds 0:20``.

Each job is one rehearsal with eyes that know where cards and chips are: what was followed is
compared with what was dealt, and what people had to say or key in is counted. With `--unsure` a
share of the stacks is reported only as a range. With `--pictures` the card and chip readers look at
drawn pictures instead, which takes ten seconds of processor time per hand. `--slips` makes each
chip slip once. With `--planted` the slips of each game are made at each seed, and each line of a
table shows what was reported of one.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import cache

from firmware.rehearsal.chip_set import SETS
from firmware.rehearsal.handling import NONE
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.report import HandReport, closing, transcript
from firmware.rehearsal.staking import CHIP_SLIPS
from firmware.settings.settings import Settings
from rules.acts import Verb
from tests.play import CHIP_GAMES
from tests.rehearsing import TruthfulWatcher

BANKED_SLIPS = tuple(name for name in CHIP_SLIPS if name != "short-ante")
PLANTED = {
    "ziginette": BANKED_SLIPS,
    "seven-and-a-half": BANKED_SLIPS,
    "pai-gow-poker": BANKED_SLIPS,
    "guts": ("short-ante",),
}
"""What can go wrong with chips in each game played against a bank or for a pot."""
WORDS = frozenset({Verb.PASS, Verb.DECLARE, Verb.END})
"""What is said even at a table with chips: no chip shows it."""
PLANTED_HANDS = 8
"""Hands in which the slips can be made: some wait for a bet that fits."""


@cache
def played(
    game: str,
    *,
    hands: int,
    seed: int,
    level: str = "amounts",
    handling: str = NONE,
    unsure: float = 0.0,
    slips: tuple[str, ...] = (),
    pictures: bool = False,
    chips: str = "drawn",
) -> tuple[HandReport, ...]:
    """Hands with chips, followed by truthful eyes or from `pictures`; tests share them."""
    table = {"game": game, "level": level, "chips": chips}
    plan = Plan.of(
        Settings.from_mapping({"table": table}),
        seed=seed,
        handling=handling,
        unsure=unsure,
        slips=slips,
    )
    rehearsal = Rehearsal(plan) if pictures else Rehearsal(plan, watches=TruthfulWatcher)
    try:
        return tuple(rehearsal.play(hands))
    finally:
        rehearsal.close()


def planted(seeds: range) -> int:
    """Make each game's slips and print a table of the reports; return how many went unreported."""
    missed = 0
    print("| game | seed | slip | reported |\n|---|---|---|---|")
    for game, slips in PLANTED.items():
        for seed in seeds:
            reports = played(game, hands=PLANTED_HANDS, seed=seed, slips=slips)
            made = [line.split(": ", 2) for report in reports for line in report.slips]
            for name, warned, said in made:
                told = said if warned == "warned" else "nothing"
                missed += warned != "warned"
                print(f"| {game} | {seed} | {name} | {told} |", flush=True)
            missed += len(slips) - len(made)
            missed += not all(report.settled for report in reports)
    print(f"{missed} not made, not reported, or not settled as dealt")
    return missed


def asked(reports: Sequence[HandReport]) -> str:
    """How many bets there were, and how often somebody had to answer, say or type something."""
    acts = [act for report in reports for act in report.hand.state.acts]
    bets = sum(act.verb in (Verb.BET, Verb.CALL, Verb.RAISE) for act in acts)
    words = sum(act.verb in WORDS for act in acts)
    counts = [report.counts for report in reports]
    said = max(0, sum(one.said + one.typed for one in counts) - words)
    return f"{bets} bets, {sum(one.answers for one in counts)} questions, {said} said or typed"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the tables and print a line for each; the status is 1 if any was not followed."""
    parser = ArgumentParser(prog="python -m tests.chip_tables", description=__doc__)
    parser.add_argument("--games", default=",".join(CHIP_GAMES))
    parser.add_argument("--seeds", default="0:5")
    parser.add_argument("--hands", type=int, default=20)
    parser.add_argument("--level", default="amounts")
    parser.add_argument("--handling", default=NONE)
    parser.add_argument("--unsure", type=float, default=0.0)
    parser.add_argument("--slips", default="")
    parser.add_argument("--set", default="drawn", choices=SETS, help="the chips on the table")
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--planted", action="store_true")
    options = parser.parse_args(arguments)
    first, _, last = options.seeds.partition(":")
    seeds = range(int(first), int(last or int(first) + 1))
    if options.planted:
        return 1 if planted(seeds) else 0
    bad = 0
    for game in options.games.split(","):
        for seed in seeds:
            reports = played(
                game,
                hands=options.hands,
                seed=seed,
                level=options.level,
                handling=options.handling,
                unsure=options.unsure,
                slips=tuple(name for name in options.slips.split(",") if name),
                pictures=options.pictures,
                chips=options.set,
            )
            print(f"{game} {seed}: {closing(reports)}; {asked(reports)}", flush=True)
            for report in reports:
                if options.show and not report.faithful:
                    print("\n".join(transcript(report)), flush=True)
                for slip in report.slips:
                    print(f"  {slip}", flush=True)
            bad += not all(report.faithful for report in reports)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
