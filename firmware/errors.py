"""What can go wrong in the appliance, grouped by who has to deal with it.

Every message is one sentence: what was expected, what came, and where.
"""


class FirmwareError(Exception):
    """Anything that the appliance has to report to a person."""


class JournalError(FirmwareError, OSError):
    """A journal that cannot be opened, read or written, or that is damaged."""


class SafeError(FirmwareError, OSError):
    """A secret rule that cannot be kept; the message never reveals the rule."""


class SettingsError(FirmwareError, ValueError):
    """Settings that cannot be used; the message names the file, the keys and every fault."""


class TextsError(FirmwareError, LookupError):
    """A language, or a sentence in it, that does not exist or cannot be filled in."""


class UsageError(FirmwareError, ValueError):
    """Command-line arguments that cannot be used."""


class ConsoleError(FirmwareError, OSError):
    """A console that cannot listen where it should."""


class BrokerError(FirmwareError, ValueError):
    """A message broker whose settings cannot be used; `faults` lists each of them."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class AccessError(FirmwareError, PermissionError):
    """A PIN that is wrong, or was tried too often."""


class AccessFileError(FirmwareError, OSError):
    """PINs or sessions that cannot be written to disk."""


class MessageError(FirmwareError, ValueError):
    """A message to the console that makes no sense."""
