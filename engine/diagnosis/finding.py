"""What came of one thing that was tried."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from veracite.engine.errors import USER_ERRORS

State = Literal["ok", "optional", "broken"]
"""``optional``: missing, and everything but the feature it names works without it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was tried."""

    name: str
    state: State
    detail: str
    advice: str | None = None
    """What to do about it, unless it is ok."""


def tried(name: str, attempt: Callable[[], str]) -> Finding:
    """What an attempt found out, or why it failed."""
    try:
        return Finding(name, "ok", attempt())
    except USER_ERRORS as error:
        return Finding(name, "broken", error.message, error.advice)
    except Exception as error:  # a diagnosis reports whatever it meets
        return Finding(
            name,
            "broken",
            f"{type(error).__name__}: {error}",
            "Install Veracite anew: `make demo` in its clone, or `sh install.sh` in its kit.",
        )
