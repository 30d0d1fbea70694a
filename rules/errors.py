"""What can be wrong with what the rules are given.

Each of these is somebody's input; a broken promise inside the engine is an `AssertionError`.
"""


class RulesError(Exception):
    """Anything that the rules refuse."""


class CardError(RulesError, ValueError):
    """A text that names no card."""


class ActError(RulesError, ValueError):
    """An act without meaning here: no such seat, spot, card or amount, or a text that is no act."""


class SecretError(RulesError, ValueError):
    """A secret rule that says nothing; the message names the word."""


class RecordError(RulesError, ValueError):
    """A record that cannot be read; the message names the line."""


class StartError(RulesError, ValueError):
    """A hand or a match that cannot be set up so: seats, limits, stacks or house rules."""


class UnknownGameError(RulesError, LookupError):
    """A game that is not in the register."""


class NothingToUndoError(RulesError, IndexError):
    """Undo at the very beginning of a match."""
