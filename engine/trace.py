"""Events as JSON lines, for ``--trace``."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from veracite.engine.events import Event
from veracite.engine.report.json import safe_json

__all__ = ["line"]


def line(event: Event) -> str:
    """An event as one line of JSON: its name under ``event``, then its fields."""
    return safe_json({"event": type(event).__name__, **_plain(event)}) + "\n"


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
