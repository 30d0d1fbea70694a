"""What can be wrong with the input of the rules.

Each of these is caused by input; a broken promise inside the engine is an `AssertionError`.
"""


class RulesError(Exception):
    """Anything that the rules refuse."""


class CardError(RulesError, ValueError):
    """A text that does not name a card."""


class ActError(RulesError, ValueError):
    """An act without meaning here: no such seat, spot, card or amount, or a text without an act."""


class SecretError(RulesError, ValueError):
    """A secret rule that cannot be read; the message names the word."""


class RecordError(RulesError, ValueError):
    """A record that cannot be read; the message names the line."""


class StartError(RulesError, ValueError):
    """A hand or a match that cannot be set up this way: seats, limits, stacks or house rules."""


class UnknownGameError(RulesError, LookupError):
    """A game that is not in the register."""


class NothingToUndoError(RulesError, IndexError):
    """Undo at the very beginning of a match."""
