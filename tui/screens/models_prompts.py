"""What the Models room asks: paths, and the name of a model of the hub."""

import os
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from veracite.engine.display import neutralise
from veracite.engine.errors import InputError
from veracite.tui.screens.path_prompt import PathPrompt

__all__ = ["AddressPrompt", "for_export", "for_import"]


class AddressPrompt(ModalScreen[str | None]):
    """Ends with how a model of the hub is called there, or None.

    Args:
        reason: Why it is asked, where that is not plain.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Cancel")]

    def __init__(self, reason: str = "") -> None:
        super().__init__()
        self._reason = Content(neutralise(reason))

    def compose(self) -> ComposeResult:
        """A small box with an input."""
        with Vertical(classes="box") as box:
            box.border_title = "Download another model"
            yield Input(placeholder="OWNER/REPOSITORY/FILE.gguf")
            if self._reason.plain:
                yield Static(self._reason, id="said")
            yield Static(
                "OWNER/REPOSITORY/FILE.gguf for a language model, OWNER/REPOSITORY for an "
                "encoder. Enter downloads, Esc cancels.",
                markup=False,
                classes="hint",
            )

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)


def for_import(path: Path | None = None) -> PathPrompt[Path]:
    """What is imported.

    Args:
        path: That stands in the input at first.
    """

    async def entered(value: str) -> Path:
        chosen = _path(value)
        if not chosen.exists():
            raise InputError(f"There is no file or folder {chosen}.", "Check the spelling.")
        return chosen

    return PathPrompt(
        "Import a model",
        "A GGUF file, an encoder's folder as on Hugging Face, or a bundle. "
        "Tab completes, Enter imports, Esc cancels.",
        entered,
        value=str(path) if path else "",
    )


def for_export(name: str) -> PathPrompt[Path]:
    """Which file the bundle is written to; one of that name is replaced on a second Enter."""
    replaceable: set[Path] = set()

    async def entered(value: str) -> Path:
        path = _path(value)
        if path.is_dir():
            raise InputError(f"{path} is a folder.", "Name a file in it.")
        if path.is_file() and path not in replaceable:
            replaceable.add(path)
            raise InputError(f"There is a file {path}.", "Enter again replaces it.")
        return path

    return PathPrompt(
        "Export into a bundle",
        "The file to be written, on a stick for another machine. "
        "Tab completes, Enter writes, Esc cancels.",
        entered,
        value=f"{name}.veracite",
    )


def _path(value: str) -> Path:
    if not value:
        raise InputError("No file is named.", "Type its path, or press Esc.")
    return Path(os.path.abspath(os.path.expanduser(value)))
