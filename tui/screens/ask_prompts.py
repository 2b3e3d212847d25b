"""What the Ask room asks a path for: documents, a language model, a file to export to."""

import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from veracite.engine.errors import InputError
from veracite.engine.words import Report
from veracite.tui.conversation_export import export, suggestion
from veracite.tui.documents import against_from, written
from veracite.tui.engine import Against
from veracite.tui.screens.ask_methods import Chosen
from veracite.tui.screens.files import named, require_second_enter
from veracite.tui.screens.path_prompt import PathPrompt
from veracite.tui.worker import apart

__all__ = ["Take", "for_documents", "for_export", "for_model"]

Take = Callable[[Chosen | None], None]


def for_documents(against: Against, take: Callable[[Against], Awaitable[None]]) -> PathPrompt[None]:
    """Which documents answer.

    Args:
        against: Those of now.
        take: May raise an error for the user.
    """

    async def entered(value: str) -> None:
        await take(against_from(value))

    return PathPrompt(
        "Answer from",
        "A folder, a file or the name of a library; empty: the default library. "
        "Tab completes, Enter accepts, Esc cancels.",
        entered,
        value=written(against),
        placeholder="the default library",
        folders_only=True,
    )


def for_model(model: str | None, take: Callable[[str | None], Awaitable[None]]) -> PathPrompt[None]:
    """Which language model writes.

    Args:
        model: That of now.
        take: May raise an error for the user.
    """

    async def entered(value: str) -> None:
        path = Path(os.path.abspath(os.path.expanduser(value))) if value else None
        if path and not path.is_file():
            raise InputError(f"There is no file {path}.", "Name a GGUF file, or none.")
        await take(str(path) if path else None)

    return PathPrompt(
        "Language model",
        "A GGUF file; empty: none, the bundled models answer with sentences of the documents. "
        "Tab completes, Enter accepts, Esc cancels.",
        entered,
        value=model or "",
        placeholder="none",
    )


def for_export(question: str, reports: Sequence[Report]) -> PathPrompt[Path]:
    """Where the answers are written to; a file of that name is replaced on a second Enter.

    Args:
        question: The first one, which the file can be named after.
        reports: Of the answers.
    """
    replaceable: set[Path] = set()

    async def entered(value: str) -> Path:
        path = named(value)
        require_second_enter(path, replaceable)
        await apart(partial(export, reports, path))
        return path

    return PathPrompt(
        "Export the conversation",
        "A name that ends in .md or .html. Tab completes, Enter writes, Esc cancels.",
        entered,
        value=str(suggestion(question)),
    )
