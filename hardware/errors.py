"""What can go wrong with the devices, told apart by whose mistake it is.

Every error of this package is a `HardwareError`, and each is a standard exception too, so that
code that knows nothing of this package can still tell a time-out from a missing file.
"""

from __future__ import annotations


class HardwareError(Exception):
    """Something is wrong with a device, its wiring or its driver."""


class WiringError(HardwareError, ValueError):
    """The wiring table contradicts itself or the board; `faults` lists all that is wrong."""

    def __init__(self, faults: tuple[str, ...], where: str) -> None:
        super().__init__(f"{where}: " + "; ".join(faults))
        self.faults = faults


class PanelError(HardwareError, OSError):
    """The pins of the buttons, lamps or buzzer cannot be driven."""


class CameraError(HardwareError, OSError):
    """A picture source cannot be opened or has stopped giving pictures."""


class CameraMissingError(CameraError):
    """There is no such file, folder, device or driver."""


class CameraTimeoutError(CameraError, TimeoutError):
    """No picture came within the time allowed; the source may be opened afresh."""


class CameraStuckError(CameraError):
    """The source cannot be opened again, as a capture that hangs in its driver still holds it.

    It has done so for `stuck_s` seconds. Only the end of the process takes it from the capture.
    """

    def __init__(self, message: str, stuck_s: float) -> None:
        super().__init__(message)
        self.stuck_s = stuck_s


class EndOfPicturesError(CameraError, EOFError):
    """A folder or a film has given its last picture."""


class PictureError(CameraError, ValueError):
    """A picture cannot be decoded: its file is damaged or its format is not known."""
