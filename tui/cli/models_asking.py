"""Asks before something large or final, where a person can answer."""

import sys

import click

from veracite.tui import console
from veracite.tui.console import UsageError

__all__ = ["agreed"]


def agreed(question: str, what: str) -> bool:
    """Whether the user says yes.

    Args:
        what: The same as a noun: ``Downloading 2.0 GB``.

    Raises:
        UsageError: Nobody can be asked, as in a pipe.
    """
    if not (console.is_terminal(sys.stdin) and console.is_terminal(sys.stderr)):
        raise UsageError(f"{what} needs a yes.", "Add --yes to the command.")
    return click.confirm(question, err=True)
