"""`mazziere check-deck`: whether a deck is complete.

The deck is shown in photographs or dealt under the camera.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from firmware.errors import UsageError
from firmware.settings.settings import Settings
from firmware.table.cameras import at_hand
from firmware.table.known_decks import known_deck
from firmware.table.reporting import Report
from hardware.camera import find_camera
from hardware.capture import Camera
from rules.cards import Deck
from rules.games import find_game
from vision.decide.inventory import DealtThrough, Inventory, Verdict, of_readings
from vision.picture.geometry import Polygon
from vision.picture.photos import photos_in, read_photo
from vision.reader import CardReader
from vision.sightings import Lying, Reading
from vision.track.tracker import Tracker

EDGE = 0.04
"""Width of the margin, as a share of the picture, through which hands come in and where no card is
dealt. A choice.
"""
FRAME_TIMEOUT_S = 10.0
"""Time without a picture after which a camera counts as not working. A choice."""
Tell = Callable[[Sequence[Lying], int], None]
"""Called whenever new cards are seen, with the total seen so far."""


def deck_of(options: Namespace) -> Deck:
    """The deck that should be complete: a game's, or one of 52."""
    if not options.game:
        return Deck.standard()
    game = find_game(options.game)
    seats = options.seats or game.players.start
    return game.deck(Settings(game=game.name, seats=tuple(range(1, seats + 1))).start)


def check_deck(options: Namespace) -> Report:
    """What is wrong with the deck that was shown, as plain values.

    Raises `UsageError` unless either photographs or a camera is given.
    """
    if bool(options.photos) == bool(options.live):
        raise UsageError("check-deck takes photographs or --live, not both")
    deck = deck_of(options)
    reader = CardReader(known=known_deck(options.deck) if options.deck else None)
    if options.live:
        inventory = dealt_through(find_camera(options.camera or at_hand()), deck, _told, reader)
    else:
        inventory = of_readings(_readings(options.photos, reader), again=options.again)
    return report(inventory.against(deck, jokers=options.jokers), len(deck))


def _readings(paths: Iterable[str], reader: CardReader) -> Iterator[Reading]:
    for path in paths:
        for photo in photos_in(path) if Path(path).is_dir() else (Path(path),):
            yield reader.read(read_photo(photo))


def dealt_through(
    camera: Camera, deck: Deck, tell: Tell, reader: CardReader | None = None
) -> Inventory:
    """The cards dealt under a camera, one after another, until its pictures end or Ctrl-C."""
    dealt = DealtThrough()
    reader = reader or CardReader()
    tracker: Tracker | None = None
    with camera:
        try:
            while True:
                picture = camera.frame(FRAME_TIMEOUT_S)
                if tracker is None:
                    high, wide = picture.image.shape[:2]
                    tracker = Tracker(reader, {"table": _middle(wide, high)}, deck=deck)
                seen = tracker.update(picture.image, picture.time_s)
                if not seen.busy:
                    fresh = dealt.see([card for spot in seen.spots.values() for card in spot])
                    if fresh:
                        tell(fresh, len(dealt.inventory.sure) + len(dealt.inventory.doubtful))
        except (EOFError, KeyboardInterrupt):
            return dealt.inventory


def _middle(width: int, height: int) -> Polygon:
    x, y = EDGE * width, EDGE * height
    return Polygon.rectangle(x, y, width - 2 * x, height - 2 * y)


def _told(fresh: Sequence[Lying], count: int) -> None:
    print(
        f"{count:3}  {' '.join('?' if one.doubtful else str(one.card) for one in fresh)}",
        flush=True,
    )


def report(verdict: Verdict, size: int) -> Report:
    """A verdict as plain values; `size` is the number of cards in the deck.

    >>> report(Verdict(seen=51, missing=Deck.of("T").cards[3:]), 52)["missing"]
    ['TS']
    """
    return {
        "whole": verdict.whole,
        "cards": size,
        "seen": verdict.seen,
        "missing": list(map(str, verdict.missing)),
        "double": list(map(str, verdict.double)),
        "foreign": list(map(str, verdict.foreign)),
        "unclear": [list(map(str, cards)) for cards in verdict.unclear],
        "taken": list(map(str, verdict.taken)),
        "jokers": verdict.jokers,
        "face_down": verdict.face_down,
    }


def lines(found: Report) -> Iterator[str]:
    """The same as lines to read.

    >>> list(lines(report(Verdict(seen=51, missing=Deck.of("T").cards[3:]), 52)))
    ['51 cards seen, 52 in the deck', 'missing: TS']
    """
    yield f"{found['seen']} cards seen, {found['cards']} in the deck"
    for name in ("missing", "double", "foreign"):
        if found[name]:
            yield f"{name}: {' '.join(found[name])}"
    for candidates in found["unclear"]:
        yield f"unclear: {' or '.join(candidates)}"
    if found["taken"]:
        yield f"hard to read, assumed to be the missing ones: {' '.join(found['taken'])}"
    if found["jokers"]:
        yield f"jokers: {found['jokers']}"
    if found["face_down"]:
        yield f"face down: {found['face_down']}"
    if found["whole"]:
        yield "the deck is complete"
