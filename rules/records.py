"""Records: hands as text, one act a line, like PGN but for card tables.

Header tags, an empty line, then the acts; several hands may follow one another. ``#`` begins a
comment. Acts between two hands come after the last act of the first one. Printing and parsing are
inverse.

    >>> text = '''[Game "ziginette"]
    ... [Seats "3"]
    ... [Banker "1"]
    ... [Limits "1 20"]
    ...
    ... deal board QS
    ... '''
    >>> parse_record(text).record() == text
    True
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rules.acts import Act
from rules.cards import Card
from rules.errors import RecordError, RulesError
from rules.game import AnyGame
from rules.games import find_game
from rules.match import BETWEEN, Hand, Match
from rules.start import SEATS_MOST, Level, Sighted, Start

_TAG = re.compile(r'\[([A-Z][A-Za-z]*) "([^"]*)"\]')
MARK = "\ufeff"
"""What some editors write before the first letter of a text file."""
NOTES = "Note"
RECORD_MOST = 32_000_000
"""Most characters in a record: a hundred thousand hands."""
CORRECTIONS_MOST = 50
"""Most corrections in one hand: each replays it; a hand has two or three at most."""
_MEANINGLESS = (ValueError, LookupError, TypeError, ArithmeticError, RecursionError)
"""What a game raises for notes or sums that it would never have written itself."""
GAME, VARIANT, RULE = "Game", "Variant", "HouseRule"


@dataclass
class Section:
    """One hand as written: its tags and acts, each with its line number."""

    tags: list[tuple[int, str, str]] = field(default_factory=list)
    acts: list[tuple[int, Act]] = field(default_factory=list)

    def names(self, tag: str) -> bool:
        """Whether the header has this tag."""
        return any(one == tag for _, one, _ in self.tags)

    def unplayed(self) -> Section:
        """A new section after a header without acts, of which only foreign tags are kept."""
        known = {GAME, VARIANT, RULE, NOTES, *_TAGS}
        return Section([one for one in self.tags if one[1] not in known])


@dataclass(frozen=True)
class Record:
    """A whole record: the match that was played, and the tags that mean nothing to the rules.

    Such tags (a date, a place) are kept and printed again with the first hand.
    """

    match: Match
    extra: tuple[tuple[str, str], ...] = ()

    def record(self) -> str:
        """The record as text."""
        return print_match(self.match, self.extra)


def parse_record(text: str) -> Record:
    """Read a record; raises `RecordError` naming the line and what was expected there."""
    if len(text) > RECORD_MOST:
        raise RecordError(f"expected a record of up to {RECORD_MOST} characters, got {len(text)}")
    sections = list(_sections(text))
    if not sections:
        raise RecordError('line 1: an empty record; expected a tag such as [Game "ziginette"]')
    extra: list[tuple[str, str]] = []
    hands: list[Hand] = []
    for section in sections:
        try:
            hands.append(_hand(section, extra, hands[-1] if hands else None))
        except RulesError:
            raise
        except _MEANINGLESS as error:
            line = section.tags[0][0] if section.tags else section.acts[0][0]
            raise RecordError(f"line {line}: the hand that starts here cannot be played") from error
    try:
        return Record(Match.of(hands), tuple(extra))
    except RulesError as error:
        raise RecordError(f"no hand can follow the last one: {error}") from error
    except _MEANINGLESS as error:
        raise RecordError("no hand can follow the last one") from error


def _sections(text: str) -> Iterator[Section]:
    section = Section()
    for number, line in enumerate(text.removeprefix(MARK).splitlines(), 1):
        content = _without_comment(line)
        if not content:
            continue
        if content.startswith("["):
            tag, text = _tag(number, content)
            if section.acts:
                yield section
                section = Section()
            elif tag == GAME and section.names(GAME):
                section = section.unplayed()
            section.tags.append((number, tag, text))
        else:
            section.acts.append((number, _act(number, content)))
    if section.tags or section.acts:
        yield section


def _without_comment(line: str) -> str:
    """The line without what follows ``#``, which a tag may have between its quotes."""
    line = line.strip()
    tag = _TAG.match(line)
    end = tag.end() if tag else 0
    return (line[:end] + line[end:].partition("#")[0]).strip()


def _tag(number: int, content: str) -> tuple[str, str]:
    found = _TAG.fullmatch(content)
    if not found:
        raise RecordError(f'line {number}: a tag like [Seats "4"] expected, got {content!r}')
    return found[1], found[2]


def _act(number: int, content: str) -> Act:
    try:
        return Act.parse(content)
    except RulesError as error:
        raise RecordError(f"line {number}: {error}") from error


def _hand(section: Section, extra: list[tuple[str, str]], before: Hand | None) -> Hand:
    if not section.tags:
        raise RecordError(f"line {section.acts[0][0]}: an act before any tag; [Game …] comes first")
    game, start = _header(section.tags, extra, before)
    try:
        hand = Hand(game, start)
    except RulesError as error:
        raise RecordError(f"line {section.tags[0][0]}: {error}") from error
    corrections = [number for number, act in section.acts if "correct" in act.words]
    if len(corrections) > CORRECTIONS_MOST:
        line = corrections[CORRECTIONS_MOST]
        raise RecordError(f"line {line}: expected up to {CORRECTIONS_MOST} corrections in a hand")
    for number, act in section.acts:
        _replay(hand, number, act)
    return hand


def _replay(hand: Hand, number: int, act: Act) -> None:
    try:
        if hand.state.over and act.verb in BETWEEN:
            hand.between.append(act)
            hand.next_start()
        else:
            hand.play(act)
    except RulesError as error:
        raise RecordError(f"line {number}: {error}") from error


def _header(
    tags: list[tuple[int, str, str]], extra: list[tuple[str, str]], before: Hand | None
) -> tuple[AnyGame, Start]:
    _verify_once(tags)
    values: dict[str, Any] = {}
    rules: dict[str, str] = {}
    notes: dict[str, str] = {}
    variant, name, line_of_game = "", "", tags[0][0]
    for number, tag, text in tags:
        if tag == GAME:
            name, line_of_game = text, number
        elif tag == VARIANT:
            variant = text
        elif tag in (RULE, NOTES):
            key, _, value = text.partition(" ")
            (rules if tag == RULE else notes)[key] = value
        elif tag in _TAGS:
            values[_TAGS[tag]] = _value(number, tag, text)
        else:
            extra.append((tag, text))
    if not name and before:  # the same game goes on, as the house plays it
        name = before.game.name
        if not variant:
            rules = {rule.name: rule.text for rule in before.game.house_rules()} | rules
    if not name:
        raise RecordError(f'line {line_of_game}: [Game "…"] expected among the first tags')
    if "seats" not in values:
        raise RecordError(f'line {line_of_game}: [Seats "…"] expected among the tags')
    try:
        start = Start(**values, notes=tuple(sorted(notes.items())))
        return find_game(name, rules, variant), start
    except RulesError as error:
        raise RecordError(f"line {line_of_game}: {error}") from error


def _verify_once(tags: list[tuple[int, str, str]]) -> None:
    """Raise `RecordError` if a header says two things of what can only be one."""
    said: dict[tuple[str, str], str] = {}
    for number, tag, text in tags:
        if tag in (RULE, NOTES):
            key = tag, text.partition(" ")[0]
        elif tag == VARIANT or tag in _TAGS:
            key = tag, ""
        else:
            continue
        if said.setdefault(key, text) != text:
            raise RecordError(f"line {number}: [{tag}] is {text!r}, and {said[key]!r} before")


def _value(number: int, tag: str, text: str) -> Any:
    try:
        return _READERS[tag](text)
    except (ValueError, RulesError):
        raise RecordError(f"line {number}: [{tag}] is {_EXPECTED[tag]}, got {text!r}") from None


def _seats(text: str) -> tuple[int, ...]:
    numbers = tuple(int(word) for word in text.split())
    if len(numbers) != 1:
        return numbers
    return tuple(range(1, numbers[0] + 1)) if numbers[0] <= SEATS_MOST else numbers


def _limits(text: str) -> tuple[int, int]:
    least, greatest = (int(word) for word in text.split())
    return least, greatest


def _by_seat(text: str) -> tuple[tuple[int, int], ...]:
    entries = (word.split(":") for word in text.split())
    return tuple(sorted((int(seat), int(number)) for seat, number in entries))


def _shoe(text: str) -> tuple[Sighted, ...]:
    entries = (word.split("@") for word in text.split())
    return tuple(Sighted(Card.parse(card), int(hand)) for card, hand in entries)


_TAGS = {
    "Seats": "seats",
    "Hand": "hand",
    "Dealer": "dealer",
    "Banker": "banker",
    "Limits": "limits",
    "Amounts": "level",
    "Stacks": "stacks",
    "Pot": "pot",
    "Scores": "scores",
    "Shoe": "shoe",
}
_READERS: dict[str, Any] = {
    "Seats": _seats,
    "Hand": int,
    "Dealer": int,
    "Banker": int,
    "Limits": _limits,
    "Amounts": Level,
    "Stacks": _by_seat,
    "Pot": int,
    "Scores": _by_seat,
    "Shoe": _shoe,
}
_EXPECTED = {
    "Seats": 'a number of seats or a list of them, such as "4" or "1 2 5"',
    "Hand": "a number",
    "Dealer": "a seat",
    "Banker": "a seat",
    "Limits": 'the minimum and maximum bet, such as "1 20"',
    "Amounts": "none, who or amounts",
    "Stacks": 'chips by seat, such as "1:100 2:80"',
    "Pot": "a number of chips",
    "Scores": 'points by seat, such as "1:20 2:0"',
    "Shoe": 'cards with the hand they came in, such as "QS@3 5D@3"',
}


def print_match(match: Match, extra: tuple[tuple[str, str], ...] = ()) -> str:
    """The match as text; a hand without acts is omitted unless it is the only one."""
    played = [hand for hand in match.hands if hand.acts] or match.hands[:1]
    return "\n".join(print_hand(hand, () if place else extra) for place, hand in enumerate(played))


def print_hand(hand: Hand, extra: tuple[tuple[str, str], ...] = ()) -> str:
    """One hand as text that can be replayed alone."""
    variant = hand.game.variant
    named = [(GAME, hand.game.name), *([(VARIANT, variant)] if variant else [])]
    tags = [*named, *extra, *_start_tags(hand.start)]
    usual = type(hand.game)(**hand.game.preset(variant))
    defaults = {rule.name: rule.text for rule in usual.house_rules()}
    chosen = [rule for rule in hand.game.house_rules() if rule.text != defaults[rule.name]]
    tags += [(RULE, f"{rule.name} {rule.text}") for rule in chosen]
    lines = [f'[{tag} "{text}"]' for tag, text in tags]
    return "\n".join([*lines, "", *map(str, hand.acts), *map(str, hand.between)]) + "\n"


def _start_tags(start: Start) -> Iterator[tuple[str, str]]:
    plain = start.seats == tuple(range(1, len(start.seats) + 1)) and len(start.seats) > 1
    yield "Seats", str(len(start.seats)) if plain else " ".join(map(str, start.seats))
    fresh = Start(seats=start.seats)
    for tag, name in list(_TAGS.items())[1:]:
        value = getattr(start, name)
        if value != getattr(fresh, name):
            yield tag, _written(value)
    for key, note in start.notes:
        yield NOTES, f"{key} {note}".rstrip()


def _written(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    return " ".join(_word(entry) for entry in value)


def _word(entry: object) -> str:
    if isinstance(entry, Sighted):
        return f"{entry.card}@{entry.hand}"
    return ":".join(map(str, entry)) if isinstance(entry, tuple) else str(entry)
