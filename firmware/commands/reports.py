"""What commands print: games, replayed records and read photographs, as plain values for JSON.

Nothing heavy is imported before it is needed, so that commands start fast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.errors import UsageError
from firmware.settings.settings import Settings
from firmware.table.reporting import Report
from firmware.texts import Texts
from firmware.texts.plain import spoken
from firmware.texts.words import Words
from rules.cards import BACK, Card
from rules.errors import RecordError, RulesError
from rules.game import AnyGame
from rules.games import GAMES, find_game
from rules.match import Hand, Match
from rules.phrases import Phrase
from rules.records import RECORD_MOST, Record, parse_record
from rules.settlement import POT, Payment
from rules.spots import Spot
from rules.start import SEATS_MOST, Level, Start
from rules.state import State

if TYPE_CHECKING:
    from vision.chips.seen import SeenChips
    from vision.sightings import Reading


# Games.


def game_report(name: str) -> Report:
    """Everything that is known about a game before it is played.

    >>> report = game_report(list(GAMES)[0])
    >>> sum(report["deck"]["of"].values()) == report["deck"]["cards"]
    True
    """
    game = find_game(name)
    least, most = game.players.start, min(game.players.stop - 1, SEATS_MOST)
    start = _start(game, least)
    return {
        "name": game.name,
        "also": list(game.also),
        "players": [least, most],
        "direction": str(game.direction),
        "banked": game.banked,
        "deck": _deck(game, start),
        "variants": {key: dict(preset) for key, preset in game.variants.items()},
        "house_rules": [
            {"name": r.name, "says": r.says, "default": r.value, "choices": _choices(r.choices)}
            for r in game.house_rules()
        ],
        "spots": [_spot(spot) for spot in game.spots(start)],
        "area": _area(game, range(least, most + 1)),
    }


def _start(game: AnyGame, count: int) -> Start:
    return Settings(game=game.name, seats=tuple(range(1, count + 1))).start


def _deck(game: AnyGame, start: Start) -> Report:
    counts = Counter(map(str, game.deck(start)))
    return {"cards": sum(counts.values()), "of": dict(counts)}


def _choices(choices: Sequence[Any]) -> list[Any]:
    """The allowed values; for a long range of numbers, only its two ends."""
    numbers = all(isinstance(choice, int) for choice in choices)
    return [min(choices), "to", max(choices)] if numbers and len(choices) > 6 else list(choices)


def _spot(spot: Spot) -> Report:
    return {
        "name": spot.name,
        "owner": spot.owner,
        "capacity": spot.capacity,
        "shape": str(spot.shape),
        "face": str(spot.face),
        "held": spot.held,
    }


def _area(game: AnyGame, players: Iterable[int]) -> Report:
    """The camera's view, and the number of seats at which all of the game's spots fit in it."""
    from firmware.table.layout import Layout  # noqa: PLC0415 - numpy, which a list needs not
    from firmware.table.place import VIEW_MM  # noqa: PLC0415 - numpy, which a list needs not

    covered, keyed = [], {}
    for count in players:
        start = _start(game, count)
        layout = Layout.for_game(game.spots(start), start.seats)
        if layout.keyed:
            keyed[count] = sorted(layout.keyed)
        else:
            covered.append(count)
    return {"millimetres": list(VIEW_MM), "seats": covered, "keyed": keyed}


def games_lines(names: Iterable[str] = GAMES) -> Iterator[str]:
    """One line per game: its name, number of players, cards and presets."""
    for name in names:
        game = find_game(name)
        least, most = game.players.start, min(game.players.stop - 1, SEATS_MOST)
        players = str(least) if least == most else f"{least}-{most}"
        cards = len(game.deck(_start(game, least)))
        presets = f"  variants: {', '.join(game.variants)}" if game.variants else ""
        presets += f"  also: {', '.join(game.also)}" if game.also else ""
        yield f"{game.name:<24} {players:>5} players  {cards:>3} cards{presets}"


def game_lines(name: str) -> Iterator[str]:
    """A game with its house rules, as lines to read."""
    yield from games_lines([name])
    words = Words.load(spoken())
    for rule in find_game(name).house_rules():
        choices = " ".join(map(str, _choices(rule.choices)))
        yield f"  {rule.name} = {rule.text}{f'  ({choices})' if choices else ''}"
        yield f"      {words.house_rule(name, rule)}"


# Records.


def read_record(path: Path | str) -> Record:
    """The record in a file; raises `RecordError` naming the file and the line."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(RECORD_MOST + 1)  # at most this much, whatever the file is
        return parse_record(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: expected a record as text: {error.reason}") from error
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except RulesError as error:
        raise RecordError(f"{path}: {error}") from error


def replay_report(path: Path | str, texts: Texts) -> Report:
    """What each hand of a record settles, and how the record ends."""
    return match_report(read_record(path).match, texts, str(path))


def match_report(match: Match, texts: Texts, name: str) -> Report:
    """What each hand of a match settles, and how the match stands; `name` titles it."""
    played = [hand for hand in match.hands if hand.acts]
    return {
        "file": name,
        "game": match.hands[0].game.name,
        "hands": [_hand(hand, texts) for hand in played],
        "state": _state(played[-1].state if played else match.state, texts),
    }


def _hand(hand: Hand, texts: Texts) -> Report:
    settlement = hand.state.settlement
    calls = [phrase for state in _states(hand) for phrase in state.calls]
    return {
        "hand": hand.start.hand,
        "over": hand.state.over,
        "level": str(hand.start.level),
        "settlement": {_payer(seat): sum_ for seat, sum_ in settlement.sums.items()},
        "payments": [_payment(payment, texts) for payment in settlement.payments],
        "points": [
            {
                "seat": one.seat,
                "points": one.points,
                "reason": one.reason,
                "text": texts.points(one),
            }
            for one in settlement.points
        ],
        "calls": [phrase.id for phrase in calls],
        "said": [texts.say(phrase) for phrase in calls],
        "violations": [
            {
                "rule": violation.rule,
                "since": violation.since,
                "found": violation.found,
                "seat": violation.seat,
                "cards": [str(card) for card in violation.cards],
                "ruling": str(violation.ruling) if violation.ruling else None,
                "text": texts.violation(violation),
            }
            for violation in hand.state.violations
        ],
    }


def _states(hand: Hand) -> Iterator[State]:
    """The hand's states, one after each act."""
    state = hand.opening()
    for act in hand.acts:
        state = state.play(act)
        yield state


def _payer(seat: int | None) -> str:
    return "pot" if seat == POT else str(seat)


def _payment(payment: Payment, texts: Texts) -> Report:
    return {
        "payer": payment.payer,
        "payee": payment.payee,
        "amount": payment.amount,
        "rate": str(payment.rate),
        "reason": payment.reason,
        "text": texts.payment(payment),
    }


def _state(state: State, texts: Texts) -> Report:
    shown = state.public()
    return {
        "hand": shown.start.hand,
        "phase": shown.phase,
        "over": shown.over,
        "void": shown.void,
        "awaited": [
            {"seats": list(one.seats), "act": str(one.verb), "text": texts.say(one.says)}
            for one in shown.turn.awaited
        ],
        "table": {spot: list(map(str, shown.table.view(spot))) for spot in shown.table.spots},
        "open_violations": len(shown.open_violations),
    }


def replay_lines(report: Report) -> Iterator[str]:
    """A replayed record as lines to read."""
    yield f"{report['file']}: {report['game']}"
    for hand in report["hands"]:
        yield f"  hand {hand['hand']}{'' if hand['over'] else ', not over'}"
        yield from (f"    {due['text']}" for due in (*hand["payments"], *hand["points"]))
        for violation in hand["violations"]:
            yield f"    act {violation['since']}: {violation['text']}"
        kept = hand["level"] == Level.AMOUNTS
        net = _told(hand["settlement"]) or ("nothing" if kept else "bets are not recorded")
        yield f"    net: {net}"
    if len(report["hands"]) > 1:
        total: Counter[str] = Counter()
        for hand in report["hands"]:
            total.update(hand["settlement"])
        if total:
            yield f"total: {_told(dict(sorted(total.items())))}"


def _told(sums: Mapping[str, int]) -> str:
    """What each seat wins or scores, on one line."""
    return ", ".join(f"{seat} {sum_:+}" if sum_ else f"{seat} 0" for seat, sum_ in sums.items())


# Photographs.


def photo_report(
    path: Path | str, reading: Reading, chips: Sequence[SeenChips] | None = None
) -> Report:
    """What was read in a photograph; `chips` only if they were asked for."""
    from firmware.table.taught_chips import chip_report  # noqa: PLC0415 - loads the reader

    asked = {} if chips is None else {"chips": [chip_report(one) for one in chips]}
    return {
        "file": str(path),
        "cards": [_named(card) for card in reading.cards],
        "doubtful": [[_named(card) for card in cards] for cards in reading.doubtful],
        "sightings": [
            {
                "card": _named(sighting.card),
                "confidence": round(sighting.confidence, 3),
                "outline": [[round(x, 1), round(y, 1)] for x, y in sighting.outline],
            }
            for sighting in reading.sightings
        ],
        **asked,
        "trouble": list(reading.trouble),
        "milliseconds": round(reading.milliseconds, 1),
    }


def _named(card: Card) -> str:
    return "BACK" if card == BACK else str(card)


def photo_line(report: Report) -> str:
    """A photograph's reading as one line."""
    doubtful = ", ".join(" or ".join(cards) for cards in report["doubtful"])
    parts = [" ".join(report["cards"]) or "no card"]
    parts += [f"doubtful: {doubtful}"] if doubtful else []
    parts += [f"trouble: {', '.join(report['trouble'])}"] if report["trouble"] else []
    parts += [Texts.load(spoken()).say(Phrase.of("trouble.foreign"))] * (
        "foreign" in report["trouble"]
    )
    return f"{report['file']}: {'; '.join(parts)}"


def photo_lines(report: Report) -> Iterator[str]:
    """A photograph's reading as one line, and a line for each chip or stack."""
    from firmware.table.taught_chips import chip_line  # noqa: PLC0415 - loads the reader

    yield photo_line(report)
    yield from map(chip_line, report.get("chips", ()))


class Pictures:
    """The folder for annotated copies of photographs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{folder}: expected a folder for pictures: {error.strerror}"
            ) from error

    def path_for(self, photo: Path | str) -> Path:
        """An unused file name: the photograph's, with a number added if necessary."""
        stem, number = Path(photo).stem, 1
        path = self.folder / f"{stem}.jpg"
        while path.exists():
            number += 1
            path = self.folder / f"{stem}-{number}.jpg"
        return path
