"""What a command reports, whether it is printed in lines or as JSON."""

from __future__ import annotations

from typing import Any, TypeAlias

Report: TypeAlias = dict[str, Any]
"""Values as JSON has them, by their names."""
