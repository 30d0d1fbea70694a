"""Parsing a secret rule: from tokens to their meaning."""

from __future__ import annotations

from rules.errors import SecretError
from rules.wording.meaning import (
    CARD,
    LAST,
    NAMES,
    Alike,
    All,
    Anything,
    Apart,
    Compare,
    Condition,
    Cycle,
    Either,
    If,
    Is,
    Not,
    Number,
    Parity,
    Pattern,
    Runs,
    Steps,
    Term,
    Value,
    joined,
)
from rules.wording.numbers import COMPARED, SUBJECTS, Numbers, Places
from rules.wording.words import Token, tokens


def read(text: str) -> Condition:
    """Parse a text; raises `SecretError` pointing at the word that does not fit."""
    _, found = tokens(text)
    reader = _Reader(found, len(text.split()))
    rule = reader.rule()
    reader.end()
    return rule


class _Reader(Numbers):
    """Reads tokens from left to right."""

    # The rule and its parts.

    def rule(self) -> Condition:
        self.take("play")
        if not self.take("if"):
            return self.chain()
        condition = self.chain()
        if not self.sees("then", "comma", "play", "and", "or") or self.kind() in ("and", "or"):
            self.fail()
        while self.take("then", "comma", "play"):
            pass
        then = self.rule()
        self.take("comma")
        if self.take("vice-versa"):
            return self.reversed(condition, then)
        if self.sees("else") or (self.kind() == "and" and self.kind(1) == "if"):
            self.next()
            while self.take("comma", "play"):
                pass
            return If(condition, then, self.rule())
        if self.kind() == "if":  # if …, if …: one after the other
            return If(condition, then, self.rule())
        return If(condition, then)

    def reversed(self, condition: Condition, then: Condition) -> Condition:
        """Add the rule with the two conditions swapped, for "and vice versa"."""
        if not (isinstance(condition, Is) and isinstance(then, Is)):
            self.wanted = {}
            self.place -= 1
            self.fail()
        back = If(Is(condition.place, then.kind), Is(then.place, condition.kind))
        return If(condition, then, back)

    def chain(self) -> Condition:
        """Conditions with or between them; and binds more tightly."""
        parts = [self.together()]
        while self.kind() == "or" and self.take("or"):
            parts.append(self.together())
        return joined(Either, parts)

    def together(self) -> Condition:
        parts = [self.single()]
        while self.kind() == "and" and self.kind(1) != "if" and self.take("and"):
            parts.append(self.single())
        return joined(All, parts)

    def single(self) -> Condition:
        self.take("play")
        if self.take("not"):
            return Not(self.single())
        if self.take("open"):
            inner = self.rule()
            self.want("close")
            return inner
        if self.take("any"):
            return Anything()
        if self.take("cycle"):
            return Cycle(self.kinds())
        if self.take("pattern"):
            return Pattern(self.kinds())
        if self.take("runs"):
            return self.runs()
        if self.take("alternate"):
            return self.alternate()
        if self.kind() == "number" and self.kind(1) == "cards":
            return self.long_runs()
        return self.clause()

    # Rings and runs.

    def kinds(self) -> tuple[str, ...]:
        """Two or more properties."""
        found = [self.property()]
        self.take("comma", "and")
        found.append(self.property())
        while self.kind() in ("comma", "and", "prop", "rank", "number"):
            if not self.take("comma", "and"):
                found.append(self.property())
        return tuple(found)

    def property(self) -> str:
        token = self.want("prop", "rank", "number")
        if token.kind == "prop":
            return str(token.value)
        return self.name(token)

    def name(self, token: Token) -> str:
        """The rank that a number stands for."""
        number = int(token.value)
        if not 1 <= number <= len(NAMES):
            self.place -= 1
            self.wanted = {"rank": None}
            self.fail()
        return NAMES[number - 1]

    def alternate(self) -> Condition:
        if (found := self.take("attr")) is not None:
            return Alike(CARD, str(found.value), False, LAST)
        return Cycle(self.kinds())

    def runs(self) -> Condition:
        lengths = [int(self.want("number").value)]
        while self.kind() == "number":
            lengths.append(int(self.next().value))
        self.want("of")
        return Runs(tuple(lengths), self.attribute())

    def long_runs(self) -> Condition:
        """Two cards of the same color, then three of the other color, and so on."""
        lengths, attribute = [], ""
        while self.kind() == "number":
            lengths.append(int(self.next().value))
            self.take("cards")
            self.want("of")
            self.want("same", "other")
            attribute = self.attribute()
            while self.take("comma", "then", "and", "play"):
                pass
        self.take("soon")
        return Runs(tuple(lengths), attribute)

    def attribute(self) -> str:
        return str(self.want("attr").value)

    # Clauses: what is true of a card, several cards or a number.

    def clause(self) -> Condition:
        """A subject and its predicates; without a subject, those of the card to be played."""
        start = self.place
        swapped = self.kind() == "attr" and self.kind(1) in ("same", "other")
        if not swapped and self.sees(
            "place", "group", "sum", "difference", "remainder", "number", "rank", "attr"
        ):
            subject = self.subject()
            if subject is not None:
                return self.said_of(subject)
            self.place = start
            self.wanted = {"place": None, "group": None, "sum": None, "difference": None}
        return self.said_of((CARD,))

    def subject(self) -> Places | Term | None:
        """The words before `is`; None if there is no subject here."""
        if self.kind() == "group":
            places = self.places()
            self.want("is")
            return places
        number = self.kind() in ("number", "rank")
        try:
            term = self.term()
        except SecretError:
            if not number:
                raise
            return None
        if self.kind() == "leaves":
            return term
        if self.kind() in (*COMPARED, "equal") and not number:
            return (term.place,) if isinstance(term, Value) else term
        if self.kind() == "differs":
            return (term.place,) if isinstance(term, Value) else None
        if not self.sees("is"):
            return None if number else self.fail()
        self.next()
        return (term.place,) if isinstance(term, Value) else term

    def said_of(self, subject: Places | Term) -> Condition:
        """The predicates of one subject, with and and or between them."""
        parts = [self.said_together(subject)]
        while self.kind() == "or" and not self.new_clause() and self.take("or"):
            parts.append(self.said_together(subject))
        return joined(Either, parts)

    def said_together(self, subject: Places | Term) -> Condition:
        parts = [self.predicate(subject)]
        while self.kind() == "and" and not self.new_clause() and self.take("and"):
            parts.append(self.predicate(subject))
        return joined(All, parts)

    def new_clause(self) -> bool:
        """Whether a new subject comes after the next and or or."""
        start, wanted = self.place, dict(self.wanted)
        self.place += 1
        try:
            return self._begins_clause()
        finally:
            self.place, self.wanted = start, wanted

    def _begins_clause(self) -> bool:
        while self.kind() in ("not", "open"):
            self.place += 1
        if self.kind() in ("if", "cycle", "pattern", "runs", "alternate", "any", "play"):
            return True
        if self.kind() == "number" and self.kind(1) == "cards":
            return True
        try:
            return self.kind() in SUBJECTS and self.subject() is not None
        except SecretError:
            return False

    def predicate(self, subject: Places | Term) -> Condition:
        if self.take("not"):
            return Not(self.predicate(subject))
        if self.kind() == "open" and self.take("open"):
            inner = self.said_of(subject)
            self.want("close")
            return inner
        if isinstance(subject, Term):
            return self.of_number(subject)
        each: list[Condition] = []
        start = self.place
        for place in subject:
            self.place = start
            each.append(self.of_card(place, subject))
        said = [one for one in dict.fromkeys(each) if one != Anything()]
        return joined(All, said) if said else Anything()

    def of_number(self, term: Term) -> Condition:
        """The predicate of a number: odd or even, or a comparison with another."""
        if self.kind() == "leaves":
            self.fail()
        if self.sees("prop") and self.tokens[self.place].value in ("odd", "even", "prime"):
            return Parity(term, str(self.next().value))
        return self.compared(term) or self.equal(term)

    def equal(self, term: Term) -> Condition:
        self.take("equal")
        two = self.term()
        return self.or_more(term, two) or Compare(term, "equal", two)

    def of_card(self, place: int, subject: Places) -> Condition:
        if (found := self.take("prop")) is not None:
            return Is(place, str(found.value))
        swapped = self.kind() == "attr" and self.kind(1) in ("same", "other")
        if swapped or self.sees("same", "other"):
            return self.likeness(place, subject)
        if self.kind() == "differs" or self.kind() == "within":
            return self.away(place)
        steps = self.steps(place)
        if steps is not None:
            return steps
        found_order = self.compared(Value(place))
        if found_order is not None:
            return found_order
        if self.sees("rank", "number"):
            token = self.next()
            name = self.name(token)
            return self.or_more(Value(place), Number(int(token.value))) or Is(place, name)
        return self.fail()

    def likeness(self, place: int, subject: Places) -> Condition:
        """The same suit as another card, or a different one; several are compared to each other."""
        before = self.take("attr")
        same = self.next().kind == "same"
        attribute = str(before.value) if before else self.attribute()
        if self.kind() in ("as", "from") and self.take("as", "from"):
            if self.take("attr"):
                self.take("of", "as")
            others = tuple(other for other in self.places() if other != place)
        elif len(subject) > 1:
            others = tuple(other for other in subject if other > place)
        elif place == CARD:
            others = (LAST,)
        else:
            self.sees("as")
            self.fail()
        parts: list[Condition] = [Alike(place, attribute, same, other) for other in others]
        return joined(All, parts) if parts else Anything()

    def away(self, place: int) -> Condition:
        """Within three of the last, or differs from it by two."""
        if self.next().kind == "within":
            most = int(self.want("number").value)
            return Apart(place, tuple(range(most + 1)), self.other(place, "of", "from", "as"))
        if self.take("from"):
            other = int(self.want("place").value)
            self.want("by")
            return Apart(place, self.bounded(self.numbers(), ""), other)
        numbers = self.bounded(self.numbers(), "")
        return Apart(place, numbers, self.other(place, "from", "as"))

    def steps(self, place: int) -> Condition | None:
        """A number of steps from, above or below another card; None if nothing like that comes."""
        start = self.place
        bound = self.take("at-least", "at-most")
        if not self.sees("number", "rank"):
            self.place = start
            return None
        before = self.place
        numbers = self.numbers()
        if self.kind() in ("from", "apart"):
            apart = self.bounded(numbers, bound.kind if bound else "")
            told = self.next().kind == "from" or self.take("from") is not None
            other = int(self.want("place").value) if told else self.reference(place)
            return Apart(place, apart, other)
        if self.kind() in ("above", "below") and len(numbers) >= 1:
            return self.up_or_down(place, before, bound.kind if bound else "")
        self.place = start
        return None

    def up_or_down(self, place: int, before: int, bound: str) -> Condition:
        """Two higher than the last, or two lower, or one of several such steps."""
        self.place = before
        found: list[int] = []
        while True:
            numbers = self.bounded(self.numbers(), bound)
            sign = 1 if self.want("above", "below").kind == "above" else -1
            found += [sign * number for number in numbers]
            more = self.kind() == "or" and self.kind(1) == "number"
            if not (more and self.kind(2) in ("above", "below")):
                break
            self.next()
        self.take("as", "from")
        other = self.reference(place)
        return Steps(place, tuple(found), other, around=self.take("around") is not None)

    def bounded(self, numbers: tuple[int, ...], bound: str) -> tuple[int, ...]:
        """The numbers that a bound allows: "at least three" means three to twelve."""
        if max(numbers) >= len(NAMES):  # no two cards are this far apart
            self.place = next(n for n, t in enumerate(self.tokens) if t.value == max(numbers))
            self.wanted = {"steps": None}
            self.fail()
        if bound == "at-least":
            return tuple(range(max(numbers), len(NAMES)))
        if bound == "at-most":
            return tuple(range(min(numbers) + 1))
        return numbers

    def other(self, place: int, *words: str) -> int:
        return int(self.want("place").value) if self.take(*words) else self.reference(place)

    def reference(self, place: int) -> int:
        """The card that another is compared to; the last one by default for the card played."""
        if (found := self.take("place")) is not None:
            return int(found.value)
        if place != CARD:
            self.fail()
        return LAST
