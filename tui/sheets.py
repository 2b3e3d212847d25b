"""What the pane beside the text says of a check, the report, and the keys; texts only."""

from collections.abc import Sequence
from pathlib import Path

from textual.content import Content

from veracite.engine.display import neutralise
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS
from veracite.engine.words import FailedDocument, Label
from veracite.tui.documents import short_path
from veracite.tui.labels import COLOURS

__all__ = ["counts", "failure", "outcome", "overview", "subject", "welcome"]

_SPLIT = f"bold {COLOURS[Label.UNCERTAIN]}"


def subject(text: str, changed: bool, documents: str, only: Label | None = None) -> Content:
    """Which text is checked against which documents.

    Args:
        text: Its name.
        changed: Whether it differs from its file.
        documents: What they are called.
        only: The label whose claims alone are looked at.
    """
    shown = f"  only {SYMBOLS[only]} {LABEL_WORDS[only]}" if only else ""
    return Content.assemble(
        (text, "bold"),
        (" (edited)" if changed else "", "$muted"),
        (shown, f"bold {COLOURS[only]}" if only else ""),
        ("  against  ", "$muted"),
        documents,
    )


def counts(found: dict[Label, int], by_hand: int = 0) -> Content:
    """How many claims got each label, one line each, and how many of those a person gave."""
    width = max(len(str(number)) for number in found.values())
    lines = [
        Content.assemble(
            (f"{SYMBOLS[label]} ", f"bold {COLOURS[label]}"),
            (f"{number:>{width}} ", "bold" if number else "$muted"),
            (LABEL_WORDS[label], "" if number else "$muted"),
        )
        for label, number in found.items()
    ]
    if by_hand:
        lines.append(Content.styled(f"{by_hand:,} of them overridden by hand.", "bold"))
    return Content("\n").join(lines)


def overview(found: dict[Label, int], by_hand: int, split: str | None, running: bool) -> Content:
    """For a text whose claims are judged, while none of them is looked at."""
    return Content.assemble(
        ("Claims so far" if running else "Claims", "bold"),
        "\n\n",
        counts(found, by_hand),
        (f"\n{split}." if split else "", _SPLIT),
        ("\n\nn goes to the next finding, ← → from claim to claim.", "$muted"),
    )


def welcome() -> Content:
    """For a text that was not checked yet."""
    legend = Content("\n").join(
        Content.assemble((f"{SYMBOLS[label]} ", f"bold {COLOURS[label]}"), LABEL_WORDS[label])
        for label in Label
    )
    return Content.assemble(
        ("Verdicts appear here", "bold"),
        "\nEvery claim of the text is looked up in your documents and marked:\n\n",
        legend,
    )


def failure(message: str, advice: str) -> Content:
    """What went wrong and what to do about it, each key once."""
    choose = "" if "Ctrl+L" in advice else "Ctrl+L chooses the documents, "
    return Content.assemble(
        ("The check did not finish", "bold $text-error"),
        f"\n{neutralise(message)}\n\n{neutralise(advice)}\n\n",
        (f"{choose}F5 checks again.", "$muted"),
    )


def outcome(
    found: dict[Label, int],
    by_hand: int,
    split: str | None,
    read: int | None,
    failed: Sequence[FailedDocument],
    notes: Sequence[str],
) -> Content:
    """Everything but the claims: counts, documents read, failures with their reasons, notes.

    Args:
        by_hand: How many of the verdicts are a person's.
        split: On how many claims the library disagrees with itself.
    """
    parts = [counts(found, by_hand)]
    if split:
        parts.append(Content.styled(f"{split}.", _SPLIT))
    if read is not None:
        parts.append(Content(f"{read:,} {'document' if read == 1 else 'documents'} read"))
    if failed:
        lines = [Content.styled(f"{len(failed):,} could not be read", "bold $text-error")]
        lines += [
            Content.assemble(
                (short_path(Path(document.file)), "bold"), f"\n  {neutralise(document.reason)}"
            )
            for document in failed
        ]
        parts.append(Content("\n").join(lines))
    parts += [Content(neutralise(note)) for note in notes]
    return Content("\n\n").join(parts)
