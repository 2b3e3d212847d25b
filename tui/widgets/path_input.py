"""An input for a path that Tab completes."""

import os

from textual.widgets import Input

from veracite.tui.keys import bindings


class PathInput(Input):
    """One line.

    Args:
        folders_only: Whether only folders complete a path.
        new: Whether it may be a name that no file has, which Enter takes as it stands.
    """

    BINDINGS = bindings("path")

    def __init__(
        self,
        value: str = "",
        placeholder: str = "",
        *,
        folders_only: bool = False,
        new: bool = False,
    ) -> None:
        super().__init__(value, placeholder=placeholder)
        self._folders_only = folders_only
        self._new = new

    async def action_submit(self) -> None:
        """Give what is typed, or else the only path that begins so."""
        found = completions(self.value, self._folders_only) if self.value else []
        exists = self._new or os.path.exists(os.path.expanduser(self.value))
        if len(found) == 1 and not exists:
            self.value = found[0]
        await super().action_submit()

    def action_complete(self) -> None:
        """Write out what all completions have in common."""
        found = completions(self.value, self._folders_only)
        common = os.path.commonprefix(found)  # noqa: RUF071 (characters are meant)
        if len(common) > len(self.value):
            self.value = common
            self.cursor_position = len(common)


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
    ]
