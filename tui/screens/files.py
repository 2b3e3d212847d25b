"""The questions around a text's file: which to open, where to save, what becomes of edits."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual.app import App

from veracite.engine.errors import InputError
from veracite.engine.words import Report
from veracite.tui import texts
from veracite.tui.documents import short_path
from veracite.tui.engine import Against
from veracite.tui.exporting import export, suggestion
from veracite.tui.screens.path_prompt import PathPrompt
from veracite.tui.texts import Draft
from veracite.tui.worker import apart

__all__ = [
    "ask_for_text",
    "ask_where",
    "ask_where_report",
    "named",
    "read",
    "require_second_enter",
]


async def read(value: str) -> Draft:
    """The text at a path as it was entered; see ``veracite.tui.texts.read``."""
    return await apart(partial(texts.read, named(value)))


def ask_for_text(app: App[None], draft: Draft | None, opened: Callable[[Draft], None]) -> None:
    """Ask for a file and read it.

    Args:
        draft: The text that is open; its folder is the first place to look.
        opened: Called with the new text, unless the user thinks better of it.
    """
    prompt = PathPrompt(
        "Open a text",
        "A text, Markdown, PDF, DOCX or HTML file. Tab completes, Enter opens, Esc cancels.",
        read,
        value=f"{draft.path.parent}{os.sep}" if draft else "",
    )
    app.push_screen(prompt, lambda draft: opened(draft) if draft else None)


def ask_where(
    app: App[None],
    text: str,
    saved: Callable[[Draft], None],
    *,
    old: Draft | None = None,
    reason: str = "",
) -> None:
    """Ask for a name and write the text there; a file of that name is replaced on a second Enter.

    Args:
        saved: Called with the text in its new file, unless the user thinks better of it.
        old: The text that was opened; its file keeps its name.
        reason: Why.
    """
    replaceable: set[Path] = set()

    async def write(value: str) -> Draft:
        path = named(value)
        require_second_enter(path, replaceable)
        return texts.save_as(path, text)

    prompt = PathPrompt(
        "Save the text",
        "A name that ends in .md or .txt. Tab completes, Enter saves, Esc cancels.",
        write,
        value=str(texts.suggestion(old)) if old else "",
        reason=reason,
    )
    app.push_screen(prompt, lambda draft: saved(draft) if draft else None)


def ask_where_report(
    app: App[None], report: Report, against: Against, written: Callable[[Path], None]
) -> None:
    """Ask for a name and write a report there; a file of that name is replaced on a second Enter.

    Args:
        against: What its verdicts rest on.
        written: Called with the file, unless the user thinks better of it.
    """
    replaceable: set[Path] = set()

    async def write(value: str) -> Path:
        path = named(value)
        require_second_enter(path, replaceable)
        return await apart(partial(export, report, path, against))

    prompt = PathPrompt(
        "Save the report",
        "A name that ends in .html, .md, .json or .txt. Tab completes, Enter saves, Esc cancels.",
        write,
        value=str(suggestion(report)),
    )
    app.push_screen(prompt, lambda path: written(path) if path else None)


def require_second_enter(path: Path, replaceable: set[Path]) -> None:
    """Raises InputError the first time that the name of a file is entered."""
    if path.is_file() and path not in replaceable:
        replaceable.add(path)
        raise InputError(f"There is a file {short_path(path)}.", "Enter again replaces it.")


def named(value: str) -> Path:
    """Raises InputError where nothing was entered."""
    if not value:
        raise InputError("No file is named.", "Type its path, or press Esc.")
    return Path(os.path.expanduser(value))
