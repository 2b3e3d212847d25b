"""What the command palette offers in the Check room."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SystemCommand

from veracite.engine.report.phrases import LABEL_WORDS

if TYPE_CHECKING:
    from veracite.tui.screens.check import CheckScreen

__all__ = ["commands"]


def commands(screen: "CheckScreen") -> Iterator[SystemCommand]:
    """Every action, by its name."""
    yield SystemCommand("Check the text", "Check the text as it is now", screen.action_check)
    yield SystemCommand("Stop", "Stop the check, or go back", screen.action_back)
    yield SystemCommand("Open", "Open a text", screen.action_open)
    yield SystemCommand("Save", "Write the text to its file", screen.action_save)
    yield SystemCommand("New text", "Empty the editor", screen.action_new)
    yield SystemCommand("Documents", "Choose what to check against", screen.action_documents)
    yield SystemCommand("Edit", "Change the text", screen.action_edit)
    yield SystemCommand("Copy claim", "With its citations, as Markdown", screen.action_copy)
    for title, forward in (("Next", True), ("Previous", False)):
        go = partial(screen.action_finding, forward)
        yield SystemCommand(f"{title} finding", "What needs a look", go)
    yield SystemCommand("Fix", "Propose changes to what no document supports", screen.action_fix)
    yield SystemCommand("Your verdict", "Override a verdict, with a note", screen.action_override)
    yield SystemCommand("Export", "Write the report to a file", screen.action_export)
    yield SystemCommand("Passage", "Read on around the quote", screen.action_passage)
    yield SystemCommand("Open document", "In the system's viewer", screen.action_open_document)
    yield SystemCommand("Find", "Look for words in the text", screen.action_find)
    for label, word in LABEL_WORDS.items():
        yield SystemCommand(
            f"Only {word}", "Look only at these claims", partial(screen.action_only, label)
        )
    yield SystemCommand("All claims", "Look at all of them", partial(screen.action_only, ""))
    yield SystemCommand("More room for the evidence", "", partial(screen.action_grow, 5))
    yield SystemCommand("More room for the text", "", partial(screen.action_grow, -5))
    yield SystemCommand("Report", "Counts, failed documents, notes", screen.action_outcome)
