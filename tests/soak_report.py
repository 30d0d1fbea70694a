"""Tables made from a soak's log: by game and handling, and the README's table of games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from firmware.rehearsal.handling import MANNERS
from rules.games import GAMES
from tests.logs import ROOT
from tests.soak import Job, Outcome

README = ROOT / "README.md"


def newest(found: Iterable[Outcome]) -> list[Outcome]:
    """The last outcome of each job."""
    return list({one.job: one for one in found}.values())


def report(found: Iterable[Outcome]) -> int:
    """Print a table by game and handling, and another by handling; 1 if anything failed."""
    outcomes = newest(found)
    ways = list(dict.fromkeys(one.job.way for one in outcomes))
    head = (
        "jobs",
        "hands",
        "settled",
        "by acts",
        "invented",
        "asked",
        "presses",
        "said",
        "typed",
        "resumed",
        "lost",
    )
    print(f"{'game':32}" + "".join(f"{title:>10}" for title in head))
    for way in ways:
        of_way = [one for one in outcomes if one.job.way == way]
        for game in dict.fromkeys(one.job.game for one in of_way):
            print(_row(f"{game}, {way}", [one for one in of_way if one.job.game == game]))
    for way in ways:
        print(_row(f"all, {way}", [one for one in outcomes if one.job.way == way]))
    versions = Counter(one.version for one in outcomes)
    print("code: " + ", ".join(f"{code} ({count} jobs)" for code, count in versions.items()))
    return 0 if all(one.good for one in outcomes) else 1


def _row(title: str, outcomes: Sequence[Outcome]) -> str:
    hands = sum(one.job.hands for one in outcomes)
    numbers = [
        len(outcomes),
        hands,
        sum(one.settled for one in outcomes),
        sum(one.faithful for one in outcomes),
        sum(len(one.invented) for one in outcomes),
    ]
    each = [
        sum(one.counts.answers + one.counts.corrections for one in outcomes),
        sum(one.counts.presses for one in outcomes),
        sum(one.counts.said for one in outcomes),
        sum(one.counts.typed for one in outcomes),
        sum(one.counts.resumed for one in outcomes),
    ]
    shares = [f"{count / max(hands, 1):.2f}" for count in each]
    lost = sum(one.settled < one.job.hands for one in outcomes)
    made = [line for one in outcomes for line in one.slips]
    warned = sum("-> warned" in line for line in made)
    told = f"  {warned} of {len(made)} slips reported" if made else ""
    return f"{title:32}" + "".join(f"{text:>10}" for text in [*numbers, *shares, lost]) + told


def matrix(found: Iterable[Outcome]) -> int:
    """Print how each habit and each slip fared in each game.

    A cell says how the hand was followed and with how many presses, or ``-`` if there was no
    occasion for it; for a slip it also says whether it was reported. The status is 1 if any failed.
    """
    outcomes = newest(found)
    ways = list(dict.fromkeys(one.job.way for one in outcomes))
    games = list(dict.fromkeys(one.job.game for one in outcomes))
    cells = {(one.job.game, one.job.way): _cell(one) for one in outcomes}
    for number, way in enumerate(ways, 1):
        print(f"{number:2} {way}")
    print(f"{'':24}" + "".join(f"{number:>7}" for number, _ in enumerate(ways, 1)))
    for game in games:
        print(f"{game:24}" + "".join(f"{cells.get((game, way), ''):>7}" for way in ways))
    print(f"{'':26}{'games':>7}{'shown':>7}{'good':>7}{'asked':>7}{'presses':>9}  reported")
    for way in ways:
        print(_kind(way, [one for one in outcomes if one.job.way == way and _shown(one)]))
    return 0 if all(one.good for one in outcomes) else 1


def _shown(one: Outcome) -> int:
    """How often the habit or slip under test occurred."""
    return len(one.slips) if one.job.slips else one.handled.get(one.job.handling, 0)


def _cell(one: Outcome) -> str:
    if not _shown(one):
        return "-" if one.good else "- LOST"
    if one.error or one.settled < one.job.hands:
        return "LOST"
    told = "!" if any("NOT warned" in line for line in one.slips) else ""
    mark = "FALSE" if one.invented else "ok"
    return f"{mark}{told} {one.counts.presses or ''}".strip()


def _kind(way: str, outcomes: Sequence[Outcome]) -> str:
    made = [line for one in outcomes for line in one.slips]
    told = f"{sum('-> warned' in line for line in made)} of {len(made)}" if made else ""
    numbers = [
        len(outcomes),
        sum(map(_shown, outcomes)),
        sum(one.good for one in outcomes),
        sum(one.counts.answers + one.counts.corrections for one in outcomes),
    ]
    presses = sum(one.counts.presses for one in outcomes)
    return f"{way:26}" + "".join(f"{n:>7}" for n in numbers) + f"{presses:>9}  {told}"


def write_readme(found: Iterable[Outcome]) -> int:
    """Write the table of games into the README."""
    text = README.read_text("utf-8")
    table = "\n".join(table_of_games(found))
    pattern = r"\| game \|[^\n]*\n(?:\|[^\n]*\n)+"
    fresh, count = re.subn(pattern, lambda _: table + "\n", text, count=1)
    if not count:
        raise SystemExit(f"{README}: found no table that begins with '| game |'")
    README.write_text(fresh, "utf-8")
    return 0


def table_of_games(found: Iterable[Outcome]) -> Iterator[str]:
    """The README's table: how many hands of each game were followed, by truthful eyes or not.

    Its last row has the sums, and the seeds that were tried in some game.
    """
    outcomes = newest(found)
    columns = [*((way, False) for way in MANNERS), *((way, True) for way in MANNERS[1:])]
    titles = [f"{way}, from pictures" if pictures else way for way, pictures in columns]
    yield f"| game | {' | '.join(titles)} |"
    yield "| --- |" + " --- |" * len(titles)
    tried = [[o for o in outcomes if (o.job.handling, o.job.pictures) == one] for one in columns]
    for game in GAMES:
        shares = (
            _share([one for one in some if one.job.game.partition("/")[0] == game])
            for some in tried
        )
        yield f"| `{game}` | {' | '.join(shares)} |"
    sums = (f"{_share(one)} ({_seeds([o.job for o in one])})" if one else "-" for one in tried)
    yield f"| all | {' | '.join(sums)} |"


def _share(outcomes: Sequence[Outcome]) -> str:
    hands = sum(one.job.hands for one in outcomes)
    settled = sum(one.settled for one in outcomes)
    return f"{settled} of {hands}" if hands else "not tried"


def _seeds(jobs: Sequence[Job]) -> str:
    """The seeds in compact form: ``seeds 0 to 19``.

    >>> _seeds([Job("soko", seed, "neat") for seed in (0, 1, 2, 31)])
    'seeds 0 to 2, 31'
    >>> _seeds([Job("soko", 4, "neat")])
    'seed 4'
    """
    runs: list[list[int]] = []
    for seed in sorted({job.seed for job in jobs}):
        if runs and seed == runs[-1][-1] + 1:
            runs[-1].append(seed)
        else:
            runs.append([seed])
    title = "seeds " if len({job.seed for job in jobs}) > 1 else "seed "
    return title + ", ".join(
        f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs
    )
