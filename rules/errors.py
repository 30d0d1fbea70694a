"""What can be wrong with what the rules are given.

Every error here is somebody's input; a broken promise inside the engine is an `AssertionError`.
"""


class RulesError(Exception):
    """Anything that the rules refuse."""


class CardError(RulesError, ValueError):
    """A text that names no card."""
