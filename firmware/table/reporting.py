"""What a command reports, whether it is printed as lines or as JSON."""

from __future__ import annotations

from typing import Any, TypeAlias

Report: TypeAlias = dict[str, Any]
"""Values by their names, as in JSON."""
