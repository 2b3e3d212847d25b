"""An input for a path that Tab completes, with what fits listed below it."""

import os
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList

from veracite.engine.display import neutralise
from veracite.tui.keys import bindings

_MOST = 200
"""Entries that are listed; who has more types another letter."""


class PathInput(Vertical):
    """Posts ``Chosen`` when Enter is pressed in the input or on an entry that is a file.

    Args:
        existing: Whether the path must be there: Enter then takes the only completion of another.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("path")

    class Chosen(Message):
        """A path was entered; nothing says that it exists."""

        def __init__(self, value: str) -> None:
            super().__init__()
            self.value = value

    def __init__(
        self, value: str, placeholder: str, folders_only: bool, existing: bool = False
    ) -> None:
        super().__init__()
        self._existing = existing
        self._value = value
        self._placeholder = placeholder
        self._folders_only = folders_only
        self._matches: list[str] = []

    def compose(self) -> ComposeResult:
        """The input above, its completions below."""
        yield Input(self._value, placeholder=self._placeholder)
        yield OptionList()

    def on_mount(self) -> None:
        """List what there is before anything is typed."""
        self._list(self._value)

    def action_complete(self) -> None:
        """Write out what all completions have in common."""
        entry = self.query_one(Input)
        self._list(entry.value)  # what was typed last may not have been told yet
        common = os.path.commonprefix(self._matches)  # noqa: RUF071 (characters are meant)
        if len(common) > len(entry.value) or (len(self._matches) == 1 and common):
            entry.value = common
            entry.cursor_position = len(common)
        entry.focus()

    def action_into_list(self) -> None:
        """Go to the completions."""
        options = self.query_one(OptionList)
        if self._matches and not options.has_focus:
            options.focus()
            options.highlighted = 0

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._list(event.input.value)  # more may have been typed since

    def _list(self, value: str) -> None:
        self._matches = completions(value, self._folders_only)
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Content(_name(match)) for match in self._matches])

    @on(OptionList.OptionSelected)
    def _take(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        match = self._matches[event.option_index]
        entry = self.query_one(Input)
        entry.value = match
        entry.cursor_position = len(match)
        entry.focus()
        if not match.endswith(os.sep):
            self.post_message(self.Chosen(match))

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        event.stop()
        value = event.value
        meant = os.sep in value or not self._folders_only  # else it may be the name of a library
        if self._existing and value and meant and not os.path.exists(os.path.expanduser(value)):
            matches = completions(value, self._folders_only)
            value = matches[0] if len(matches) == 1 else value
        self.post_message(self.Chosen(value))


def completions(value: str, folders_only: bool) -> list[str]:
    """What begins like this, folders first; hidden entries only where a dot was typed."""
    folder, begin = os.path.split(value)
    try:
        with os.scandir(os.path.expanduser(folder or ".")) as entries:
            found = [
                (not entry.is_dir(), entry.name)
                for entry in entries
                if entry.name.startswith(begin) and (begin or not entry.name.startswith("."))
            ]
    except (OSError, ValueError):
        return []
    return [
        os.path.join(folder, name) + ("" if is_file else os.sep)
        for is_file, name in sorted(found)
        if not (is_file and folders_only)
    ][:_MOST]


def _name(match: str) -> str:
    """The last part of a path, harmless."""
    trimmed = match.rstrip(os.sep)
    return neutralise(os.path.basename(trimmed)) + match[len(trimmed) :]
