"""What the page gets about hands and acts: the list, one hand step by step, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from firmware.console.book import Book, Step
from firmware.console.picture import Artist, Values
from firmware.display.prompts import money, turn_phrase
from firmware.texts import capital
from rules.match import Hand, Match
from rules.phrases import Phrase
from rules.start import Level
from rules.state import State
from rules.turn import Turn
from rules.violations import Violation

HANDS_MOST = 50
"""Number of hands listed: a long evening's; the record has all of them. A choice."""


@dataclass(frozen=True)
class History:
    """Puts a book's hands into words."""

    book: Book
    artist: Artist

    # Hands.

    def hands(self) -> list[Values]:
        """The last hands with acts, newest first."""
        played = [hand for hand in self.book.hands[-HANDS_MOST:] if hand.acts]
        return [self._summary(hand) for hand in reversed(played)]

    def _summary(self, hand: Hand) -> Values:
        settlement = hand.state.settlement
        return {
            "hand": hand.start.hand,
            "title": self.artist.words.title(hand.game.name),
            "acts": len(hand.acts),
            "over": hand.state.over,
            "void": hand.state.void,
            "kept": hand.start.level is Level.AMOUNTS,
            "net": [[seat, amount] for seat, amount in settlement.net.items()],
            "scores": [[seat, points] for seat, points in settlement.scores.items()],
            "violations": len(hand.state.violations),
            "began": self.book.began(hand),
        }

    def hand(self, hand: Hand) -> Values:
        """One hand step by step: the table after each act, what was called, what was paid."""
        steps = self.book.steps(hand)
        opening = hand.game.open(hand.start).public()
        texts = self.artist.texts
        settlement = hand.state.public().settlement
        return {
            **self._summary(hand),
            "floor": self.artist.floor(tuple(hand.state.spots.values()), hand.start.seats),
            "seats": [self._seat(hand, seat) for seat in hand.start.seats],
            "steps": [self._moment(opening), *(self._step(step) for step in steps)],
            "settled": [
                *(texts.payment(payment) for payment in settlement.payments),
                *(texts.points(points) for points in settlement.points),
            ],
        }

    def _seat(self, hand: Hand, seat: int) -> Values:
        name = self.artist.texts.seat(seat)
        return {
            "seat": seat,
            "name": capital(name),
            "banker": seat == hand.start.banker,
            "dealer": seat == hand.start.dealer,
            "money": dict(money(_alone(hand))).get(seat) if hand.start.stacks else None,
            "score": dict(hand.start.scores).get(seat),
        }

    def _moment(self, state: State) -> Values:
        table = {name: tuple(map(str, state.table.view(name))) for name in state.spots}
        return {
            "spots": [self.artist.spot(spot, table) for spot in state.spots.values()],
            "awaited": list(state.turn.seats),
        }

    def _step(self, step: Step) -> Values:
        return {**self._moment(step.after), **self._act(step), "calls": self._calls(step)}

    def _act(self, step: Step) -> Values:
        mark, line = step.mark, str(step.act)
        return {
            "number": step.number,
            "line": line,
            "words": self.artist.act(line),
            "by": mark.by if mark else None,
            "implied": bool(mark and mark.implied),
            "time": mark.time if mark else None,
            "was": self.artist.act(mark.was) if mark and mark.was else None,
        }

    def _calls(self, step: Step) -> list[str]:
        return [self.artist.texts.say(call) for call in step.after.calls]

    # Why.

    def why(self, hand: Hand, number: int) -> Values | None:
        """What led to the calls after an act, or to its violations."""
        steps = self.book.steps(hand)
        if not 1 <= number <= len(steps):
            return None
        step, texts = steps[number - 1], self.artist.texts
        paid = step.after.settlement.payments[len(step.before.settlement.payments) :]
        return {
            **self._act(step),
            "hand": hand.start.hand,
            "pictures": self._pictures(steps, step),
            "waited": [texts.say(phrase) for phrase in _waited(step.before.turn)],
            "calls": self._calls(step),
            "paid": [texts.payment(payment) for payment in paid],
            "violations": [
                self._violation(steps, violation)
                for violation in hand.state.public().violations
                if number in (violation.found, violation.since)
            ],
            "house": self._house(hand),
        }

    def _violation(self, steps: Sequence[Step], violation: Violation) -> Values:
        """A violation: the rule in full, and the acts that broke it and revealed it."""
        numbers = dict.fromkeys((violation.since, violation.found))
        acts = [steps[number - 1] for number in numbers if 1 <= number <= len(steps)]
        return {
            "rule": violation.rule,
            "text": self.artist.texts.violation(violation),
            "says": self.artist.words.rule(violation.rule),
            "found": violation.found,
            "ruling": str(violation.ruling) if violation.ruling else None,
            "acts": [{**self._act(act), "pictures": self._pictures(steps, act)} for act in acts],
        }

    def _pictures(self, steps: Sequence[Step], step: Step) -> list[Values]:
        """The pictures taken with the act; only its own if they can be told apart."""
        mark = step.mark
        if mark is None or not mark.crops:
            return []
        group = [one for one in steps if one.mark and one.mark.group == mark.group]
        shown = [(one, card) for one in group if not _implied(one) for card in one.act.cards]
        if len(shown) == len(mark.crops):
            pairs = zip(shown, mark.crops, strict=True)
            return [self._crop(name, card) for (one, card), name in pairs if one is step]
        return [self._crop(name) for name in mark.crops]

    def _crop(self, name: str, card: object = None) -> Values:
        label = self.artist.card(str(card))["label"] if card is not None else ""
        return {"crop": name, "label": label}

    def _house(self, hand: Hand) -> list[Values]:
        words = self.artist.words
        return [
            {"says": words.house_rule(hand.game.name, rule), "value": words.value(rule.value)}
            for rule in hand.game.house_rules()
        ]


def _alone(hand: Hand) -> Match:
    """The hand's start as a match whose money is the stacks it began with."""
    return Match(hand.game, hand.start)


def _implied(step: Step) -> bool:
    return bool(step.mark and step.mark.implied)


def _waited(turn: Turn) -> Iterator[Phrase]:
    """Everything that the table was waiting for, without repetition."""
    said = set()
    for one in turn.awaited:
        phrase = turn_phrase(Turn((one,)))
        if phrase not in said:
            said.add(phrase)
            yield phrase
