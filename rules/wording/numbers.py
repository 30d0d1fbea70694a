"""Reading the numbers of a secret rule: values of cards, sums, and how they compare."""

from __future__ import annotations

from typing import NoReturn

from rules.wording.cursor import Cursor
from rules.wording.meaning import (
    CARD,
    LAST,
    All,
    Compare,
    Condition,
    Difference,
    Number,
    Remainder,
    Sum,
    Term,
    Value,
    joined,
)
from rules.wording.words import Token

Places = tuple[int, ...]
"""One card, or a group such as the last two."""
LINKS = frozenset({"than", "di", "della", "dell", "a", "alla", "all"})
"""Words that require something to follow."""
MORE = ("above", "below", "plus", "minus")
"""Tokens that may follow `or`, as in seven or higher, sette o più."""
COMPARED = ("above", "below", "at-least", "at-most")
ENDS = frozenset({"", "then", "else", "comma", "and", "or", "close", "play"})
"""What may follow if nothing more is said about a card."""
SUBJECTS = frozenset({"place", "group", "sum", "difference", "remainder", "number", "rank", "attr"})
"""The tokens with which a clause may begin by naming its subject."""


class Numbers(Cursor):
    """Reads numbers, and the cards whose values they are."""

    def numbers(self) -> tuple[int, ...]:
        """One number, or several with or between them."""
        found = [self.spoken()]
        while self.kind() in ("or", "comma") and self.kind(1) in ("number", "rank"):
            if self.kind(2) in ("above", "below") and self.kind(-1) in ("above", "below"):
                break
            self.next()
            found.append(self.spoken())
        return tuple(found)

    def spoken(self) -> int:
        """A number, or a rank as a number."""
        return int(self.want("number", "rank").value)

    def places(self) -> Places:
        """The cards referred to, counted back into the line."""
        token = self.want("place", "group")
        if token.kind == "place":
            return (int(token.value),)
        return tuple(range(1, int(token.value) + 1))

    def compared(self, one: Term) -> Condition | None:
        """Above, below, at least, at most, between, a multiple of; None if no such word comes."""
        if self.take("between"):
            return self.within(one, "and")
        if self.kind() == "from" and self.kind(1) in ("number", "rank"):
            self.next()
            return self.within(one, "as")
        if self.take("multiple"):
            return Compare(Remainder(one, int(self.want("number").value)), "equal", Number(0))
        if self.take("equalor"):
            order = "at-least" if self.want("above", "below").kind == "above" else "at-most"
            return self.to_all(one, order)
        token = self.take("above", "below", "at-least", "at-most")
        if token is None and self.kind() == "equal":
            token = self.next()
        if token is None:
            return None
        order = token.kind
        if order in ("above", "below") and self.take("orequal"):
            order = "at-least" if order == "above" else "at-most"
        linked = token.text.split()[-1] in LINKS
        return self.to_all(one, order, linked=linked)

    def to_all(self, one: Term, order: str, *, linked: bool = False) -> Condition:
        """Compare with a number, a card, or each of several; "higher" alone means than the last."""
        linked = self.take("as") is not None or linked
        if self.kind() == "group":
            parts: list[Condition] = [Compare(one, order, Value(n)) for n in self.places()]
            return joined(All, parts)
        if self.kind() in SUBJECTS:
            return Compare(one, order, self.term())
        self.sees("number", "rank", "place", "group", "sum")
        if one == Value(CARD) and self.kind() in ENDS and not linked:
            return Compare(one, order, Value(LAST))
        return self.fail()

    def within(self, one: Term, between: str) -> Condition:
        """Between two numbers, inclusive."""
        low = self.spoken()
        self.want(between)
        high = self.spoken()
        least, most = sorted((low, high))
        return All((Compare(one, "at-least", Number(least)),
                    Compare(one, "at-most", Number(most))))  # fmt: skip

    def or_more(self, one: Term, two: Term) -> Condition | None:
        """Seven or higher, four or less."""
        more = self.kind() == "or" and self.kind(1) in MORE
        if not more or self.kind(2) not in ENDS:
            return None
        self.next()
        order = "at-least" if self.next().kind in ("above", "plus") else "at-most"
        return Compare(one, order, two)

    def term(self) -> Term:
        """A number, the value of a card, or an expression of these."""
        terms, signs = [self.factor()], [1]
        while (sign := self.take("plus", "minus")) is not None:
            terms.append(self.factor())
            signs.append(1 if sign.kind == "plus" else -1)
        term = terms[0] if len(terms) == 1 else Sum(tuple(terms), tuple(signs))
        if self.kind() != "by":
            return term
        self.next()
        by = int(self.want("number").value)
        if by < 1:
            self.place -= 1
            self.wanted = {"number": None}
            self.fail()
        remainder = Remainder(term, by)
        return self.leaving(remainder)

    def leaving(self, remainder: Remainder) -> Term:
        """Read `leaves` like `is`."""
        if self.kind() == "leaves":
            token = self.tokens[self.place]
            self.tokens[self.place] = Token("is", "", token.text, token.place)
        return remainder

    def factor(self) -> Term:
        """One number of a sum: a card's value, a number, or an expression of these."""
        if self.take("attr") and not self.take("of", "as") and self.kind() in COMPARED:
            return Value(CARD)
        if self.take("sum"):
            self.take("as", "of")
            terms = self.several()
            return Sum(tuple(terms), (1,) * len(terms))
        if self.take("difference"):
            self.take("as", "of", "between")
            one, two = self.pair()
            return Difference(one, two)
        if self.take("remainder"):
            self.take("as", "of")
            term = self.term()
            return term if isinstance(term, Remainder) else self.fail_by()
        if (found := self.take("number", "rank")) is not None:
            return Number(int(found.value))
        return Value(int(self.want("place").value))

    def fail_by(self) -> NoReturn:
        """Raise `SecretError` where an operator was expected."""
        self.sees("by", "plus", "minus")
        self.fail()

    def several(self) -> list[Term]:
        """The terms of a sum: cards, the last two, numbers."""
        found = self.values()
        while self.kind() in ("and", "comma") and self.kind(1) in ("place", "group"):
            self.next()
            found += self.values()
        if len(found) < 2:
            self.sees("and")
            self.fail()
        return found

    def values(self) -> list[Term]:
        """The values of the cards referred to."""
        return [Value(place) for place in self.places()]

    def pair(self) -> tuple[Term, Term]:
        """Two numbers: of two cards named together, or named one by one."""
        first = self.values()
        if len(first) == 2:
            return first[0], first[1]
        self.want("and")
        return first[0], self.values()[0]
