"""What can go wrong with the devices, grouped by whose mistake it is.

Every error in this package is a `HardwareError` and also a standard exception, so that code that
knows nothing about this package can still distinguish a time-out from a missing file.
"""

from __future__ import annotations


class HardwareError(Exception):
    """Something is wrong with a device, its wiring or its driver."""


class WiringError(HardwareError, ValueError):
    """The wiring table contradicts itself or the board; `faults` lists everything wrong."""

    def __init__(self, faults: tuple[str, ...], where: str) -> None:
        super().__init__(f"{where}: " + "; ".join(faults))
        self.faults = faults


class PanelError(HardwareError, OSError):
    """The pins of the buttons, lamps or buzzer cannot be driven."""


class CameraError(HardwareError, OSError):
    """A picture source cannot be opened or has stopped delivering pictures."""


class CameraMissingError(CameraError):
    """There is no such file, folder, device or driver."""


class CameraTimeoutError(CameraError, TimeoutError):
    """No picture came in time; the source may be reopened."""


class CameraStuckError(CameraError):
    """The source cannot be reopened because a capture hung in its driver still holds it.

    It has been hung for `stuck_s` seconds. Only ending the process releases the device.
    """

    def __init__(self, message: str, stuck_s: float) -> None:
        super().__init__(message)
        self.stuck_s = stuck_s


class EndOfPicturesError(CameraError, EOFError):
    """A folder or a film has no more pictures."""


class PictureError(CameraError, ValueError):
    """A picture cannot be decoded: the file is damaged or the format is unknown."""
