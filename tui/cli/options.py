"""Options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["as_json", "quiet"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def as_json(command: _Command) -> _Command:
    """Adds ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def quiet(command: _Command) -> _Command:
    """Adds ``--quiet``."""
    return click.option("--quiet", "-q", is_flag=True, help="No progress and no warnings.")(command)
