"""What is asked about a table before its first hand, and what each answer does to the settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from firmware.display.pads import LIMITS, NO_LIMITS, STEPS
from firmware.settings.settings import Settings, usual_seats
from firmware.texts import languages
from firmware.texts.words import Words, limits_told
from rules.acts import Verb
from rules.errors import RulesError
from rules.game import AnyGame, HouseRule
from rules.games import GAMES, find_game
from rules.start import SEATS_MOST, Level

LISTED_MOST = 9
"""A choice: numbers shown side by side; longer lists are offered in ranges, which split further."""


@dataclass(frozen=True)
class Answer:
    """One option: its words, and what it does to the settings or which question it opens."""

    label: str
    settings: Settings | None = None
    opens: Asked | None = None
    begins: bool = False
    """Whether it confirms the table, so that play begins."""


@dataclass(frozen=True)
class Asked:
    """A question with its answers; `shown` is the one that OK takes."""

    sentence: str
    answers: tuple[Answer, ...]
    shown: int = 0
    camera: bool = False
    """Whether connecting a camera answers it as well."""

    def turned(self) -> Asked:
        """The same question with the next answer in front."""
        return replace(self, shown=(self.shown + 1) % len(self.answers))

    @property
    def labels(self) -> tuple[str, ...]:
        """The answers in words, in their original order."""
        return tuple(answer.label for answer in self.answers)

    @property
    def options(self) -> tuple[str, ...]:
        """The same, beginning with the one that OK takes."""
        return (*self.labels[self.shown :], *self.labels[: self.shown])


def which_game(settings: Settings, words: Words) -> Asked:
    """Ask which game is played; the language can be changed here too."""
    games = tuple(
        Answer(words.title(name), _playing(settings, game)) for name, game in GAMES.items()
    )
    return Asked(words.page["first-game"], (*games, *_other_languages(settings)))


def _playing(settings: Settings, game: type[AnyGame]) -> Settings:
    """The usual table of a game."""
    return replace(settings, game=game.name, seats=usual_seats(game))


def _other_languages(settings: Settings) -> Iterator[Answer]:
    for language in languages():
        if language != settings.language:
            own = Words.load(language).page[f"language-{language}"]
            yield Answer(own, replace(settings, language=language))


def which_table(settings: Settings, words: Words) -> Asked:
    """Show the table as it would be; one touch begins, any other changes something."""
    page, game = words.page, settings.rules()
    answers = [Answer(page["begin"], settings, begins=True)]
    answers.append(_opening(page["seats"], len(settings.seats), _seats(settings, words)))
    if game.variants:
        now = words.title(settings.variant) if settings.variant else page["variant-none"]
        answers.append(_opening(page["variant"], now, _variants(settings, words)))
    answers.append(_opening(page["level"], _kept(settings.level, words), _levels(settings, words)))
    if Verb.LIMITS in game.vocabulary and settings.level is Level.AMOUNTS:
        now = limits_told(settings.limits, words) or page["first-later"]
        answers.append(_opening(page["first-limits"], now, _limits(settings, words)))
    role = page["banker"] if game.banked else page["dealer"]
    answers.append(
        _opening(role, _role(settings, game, words), _roles(settings, game, role, words))
    )
    if game.house_rules():
        changed = str(len(settings.house_rules)) if settings.house_rules else page["variant-none"]
        answers.append(_opening(page["house-rules"], changed, _house(settings, words)))
    title = words.title(game.name)
    return Asked(page["first-table"].format(game=title), tuple(answers))


def _opening(name: str, now: object, opens: Asked) -> Answer:
    return Answer(f"{name.removesuffix('.')}: {now}", opens=opens)


def _seats(settings: Settings, words: Words) -> Asked:
    """Ask how many play, from seat 1 on; the set-up page can leave seats in between empty."""
    game = settings.rules()
    most = min(game.players.stop - 1, SEATS_MOST)
    answers = []
    for count in range(game.players.start, most + 1):
        seats = tuple(range(1, count + 1))
        with_them = _possible(replace(settings, seats=seats, dealer=None, banker=None))
        if with_them is not None:
            answers.append(Answer(str(count), with_them))
    return Asked(words.page["first-seats"], tuple(answers))


def _possible(settings: Settings) -> Settings | None:
    try:
        settings.rules().open(settings.start)
    except RulesError:
        return None
    return settings


def _variants(settings: Settings, words: Words) -> Asked:
    game = settings.rules()
    usual = Answer(words.page["variant-none"], replace(settings, variant=None, house_rules={}))
    answers = [
        Answer(words.title(name), replace(settings, variant=name, house_rules={}))
        for name in game.variants
    ]
    return Asked(words.page["variant"], (usual, *answers))


def _kept(level: Level, words: Words) -> str:
    return words.page[f"level-{level}"]


def _levels(settings: Settings, words: Words) -> Asked:
    answers = [Answer(_kept(one, words), replace(settings, level=one)) for one in reversed(Level)]
    return Asked(words.page["level"], tuple(answers))


def _limits(settings: Settings, words: Words) -> Asked:
    answers = [
        Answer(limits_told(pair, words), replace(settings, limits=pair))
        for pair in (*LIMITS, NO_LIMITS)
    ]
    return Asked(words.page["first-limits"], tuple(answers))


def _role(settings: Settings, game: AnyGame, words: Words) -> str:
    start = settings.start
    seat = (start.banker if game.banked else start.dealer) or start.seats[0]
    return words.page["seat"].format(number=seat)


def _roles(settings: Settings, game: AnyGame, name: str, words: Words) -> Asked:
    def held_by(seat: int) -> Settings:
        return replace(settings, banker=seat) if game.banked else replace(settings, dealer=seat)

    answers = [
        Answer(words.page["seat"].format(number=seat), held_by(seat)) for seat in settings.seats
    ]
    return Asked(name, tuple(answers))


def _house(settings: Settings, words: Words) -> Asked:
    game = settings.rules()
    answers = [
        _opening(
            words.house_rule(game.name, rule),
            words.value(rule.value),
            _values(settings, rule, rule.choices or (0, *STEPS), words),
        )
        for rule in game.house_rules()
    ]
    return Asked(words.page["house-rules"], tuple(answers))


def _values(
    settings: Settings, rule: HouseRule, choices: Sequence[bool | int | str], words: Words
) -> Asked:
    """Ask for a value of a house rule that goes with the others; many numbers come in ranges."""
    sentence = words.house_rule(str(settings.game), rule)
    values = (True, False) if isinstance(rule.value, bool) else choices
    if len(values) > LISTED_MOST:
        step = -(-len(values) // LISTED_MOST)
        parts = [values[first : first + step] for first in range(0, len(values), step)]
        return Asked(sentence, tuple(_range(settings, rule, part, words) for part in parts))
    offered = []
    for value in values:
        text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
        chosen = _with_rule(settings, rule.name, text)
        if chosen is not None:
            offered.append(Answer(words.value(value), chosen))
    return Asked(sentence, tuple(offered))


def _range(
    settings: Settings, rule: HouseRule, part: Sequence[bool | int | str], words: Words
) -> Answer:
    told = words.page["limits-short"].format(least=part[0], greatest=part[-1])
    return Answer(told, opens=_values(settings, rule, part, words))


def _with_rule(settings: Settings, name: str, value: str) -> Settings | None:
    """The settings with another value of a house rule; None if it does not fit the others."""
    usual = find_game(str(settings.game), {}, settings.variant or "").house_rules()
    rules = {one.name: one.text for one in usual} | {**settings.house_rules, name: value}
    unlike = {
        rule.name: rules[rule.name]
        for rule in usual
        if rules.get(rule.name, rule.text) != rule.text
    }
    return _possible(replace(settings, house_rules=unlike))
