"""What the rules have to say, as identifiers with values; `firmware/texts` holds the sentences."""

from __future__ import annotations

from rules.cards import Card
from rules.frozen import quick

Value = int | str | Card | tuple[int, ...] | tuple[Card, ...] | None


@quick(frozen=True, slots=True)
class Phrase:
    """One thing to say: an identifier from the rules and the values that go into its sentence.

    >>> call = Phrase.of("ziginette.match", cards=(Card.parse("QS"),), seat=2)
    >>> call.id, call["seat"]
    ('ziginette.match', 2)
    """

    id: str
    values: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, identifier: str, **values: Value) -> Phrase:
        """The phrase with values given by name."""
        return cls(identifier, tuple(sorted(values.items())))

    def __getitem__(self, name: str) -> Value:
        return dict(self.values)[name]
