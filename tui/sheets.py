"""What the pane beside the text says, and what ``y`` copies; texts only, no widgets."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.content import Content

from veracite.engine.display import neutralise
from veracite.engine.report.phrases import LABEL_WORDS, RELATION_WORDS, SYMBOLS, percent
from veracite.engine.words import Citation, FailedDocument, Label, Relation, Verdict
from veracite.tui.labels import COLOURS, PENDING
from veracite.tui.quotes import find_quote

__all__ = [
    "Quotation",
    "counts",
    "failure",
    "markdown",
    "outcome",
    "overview",
    "pending",
    "place",
    "quotation",
    "verdict_head",
    "welcome",
]

_RELATION_COLOURS: dict[Relation, str] = {
    "supports": COLOURS[Label.SUPPORTED],
    "contradicts": COLOURS[Label.CONTRADICTED],
    "nearest": "$primary",
}


@dataclass(frozen=True, slots=True)
class Quotation:
    """A citation as it is shown."""

    head: Content
    """How it bears on the claim, and where it stands."""
    passage: Content
    """The passage, the quoted sentence standing out."""
    relation: Relation


def verdict_head(verdict: Verdict) -> Content:
    """The label, how sure, and why."""
    label = verdict.label
    sure = "" if label is Label.NOT_CHECKABLE else f"  {percent(verdict.probability)}"
    return Content.assemble(
        (f"{SYMBOLS[label]} {LABEL_WORDS[label].capitalize()}", f"bold {COLOURS[label]}"),
        (sure, "$muted"),
        f"\n{neutralise(verdict.explanation)}",
    )


def quotation(citation: Citation, lead: int | None = None) -> Quotation:
    """A citation: its relation, file, page and heading, and the passage around the quote.

    Args:
        lead: About how many characters of the passage are kept before the quote; None: all.
    """
    near = citation.relation == "nearest"
    word = "Nearest passage" if near else RELATION_WORDS[citation.relation].capitalize()
    sure = f"similarity {citation.probability:.2f}" if near else percent(citation.probability)
    head = Content.assemble(
        (word, _RELATION_COLOURS[citation.relation]),
        (f"  {sure}  ", "$muted"),
        (place(citation), "bold"),
        (f"\n{neutralise(citation.heading)}" if citation.heading else "", "$muted"),
    )
    context, quote = neutralise(citation.context, lines=True), neutralise(citation.quote)
    found = find_quote(context, quote)
    if found is None:
        passage = Content.assemble((quote, "bold underline"), f"\n\n{context}")
    else:
        start, end = found
        passage = Content.assemble(
            (_last_words(context[:start], lead), "$muted"),
            (context[start:end], "bold underline"),
            (context[end:], "$muted"),
        )
    return Quotation(head, passage, citation.relation)


def _last_words(text: str, most: int | None) -> str:
    """The end of a text, from a word on."""
    if most is None or len(text) <= most:
        return text
    return f"… {text[-most:].partition(' ')[2]}"


def place(citation: Citation) -> str:
    """File name and page."""
    name = neutralise(Path(citation.file).name)
    return f"{name}, page {citation.page}" if citation.page is not None else name


def pending() -> Content:
    """For a claim whose verdict has not arrived."""
    return Content.assemble((f"{PENDING} Not judged yet", "bold"))


def counts(found: dict[Label, int]) -> Content:
    """How many claims got each label, one line each."""
    width = max(len(str(number)) for number in found.values())
    lines = [
        Content.assemble(
            (f"{SYMBOLS[label]} ", f"bold {COLOURS[label]}"),
            (f"{number:>{width}} ", "bold" if number else "$muted"),
            (LABEL_WORDS[label], "" if number else "$muted"),
        )
        for label, number in found.items()
    ]
    return Content("\n").join(lines)


def overview(found: dict[Label, int], running: bool) -> Content:
    """For a text whose claims are judged, while none of them is looked at."""
    return Content.assemble(
        ("Claims so far" if running else "Claims", "bold"),
        "\n\n",
        counts(found),
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
    """What went wrong and what to do about it."""
    return Content.assemble(
        ("The check did not finish", "bold $text-error"),
        f"\n{neutralise(message)}\n\n{neutralise(advice)}\n\n",
        ("Ctrl+L chooses the documents, F5 checks again.", "$muted"),
    )


def outcome(
    found: dict[Label, int],
    read: int | None,
    failed: Sequence[FailedDocument],
    notes: Sequence[str],
) -> Content:
    """Everything but the claims: counts, documents read, failures with their reasons, notes."""
    parts = [counts(found)]
    if read is not None:
        parts.append(Content(f"{read:,} {'document' if read == 1 else 'documents'} read"))
    if failed:
        lines = [Content.styled(f"{len(failed):,} could not be read", "bold $text-error")]
        lines += [
            Content.assemble(
                (neutralise(document.file), "bold"), f"\n  {neutralise(document.reason)}"
            )
            for document in failed
        ]
        parts.append(Content("\n").join(lines))
    parts += [Content(neutralise(note)) for note in notes]
    return Content("\n\n").join(parts)


def markdown(verdict: Verdict) -> str:
    """A claim with its verdict and citations, to paste elsewhere."""
    lines = [f"> {neutralise(verdict.claim.statement)}", ""]
    label = LABEL_WORDS[verdict.label].capitalize()
    lines.append(f"**{label}** ({percent(verdict.probability)}): {neutralise(verdict.explanation)}")
    for citation in verdict.citations:
        quote = " ".join(neutralise(citation.quote).split())
        where = neutralise(citation.file)
        if citation.page is not None:
            where += f", page {citation.page}"
        lines += ["", f"- {RELATION_WORDS[citation.relation].capitalize()}: “{quote}” ({where})"]
    return "\n".join(lines) + "\n"


def keys() -> Content:
    """Every key, by what one is doing."""
    return Content("\n").join(
        Content.assemble((f"{key:<14}", "bold"), meaning) if key else Content(meaning)
        for key, meaning in _KEYS
    )


_KEYS = (
    ("F5, Ctrl+R", "check the text; only what changed is judged anew"),
    ("Esc", "stop the check; from the editor back to the verdicts"),
    ("Ctrl+O", "open a text, or a PDF, DOCX or HTML document as a text"),
    ("Ctrl+S", "save the text"),
    ("Ctrl+N", "begin a new text"),
    ("Ctrl+L", "choose the documents to check against"),
    ("F3", "the report: counts, documents that failed and why"),
    ("Ctrl+P", "all commands, themes among them"),
    ("Ctrl+Q", "quit"),
    ("", ""),
    ("n, p", "next, previous finding (editor: Ctrl+Down, Ctrl+Up)"),
    ("→ ←, j k", "next, previous claim; or point with the mouse"),
    ("Space", "scroll the evidence on (or Tab and the arrow keys)"),
    ("e, Enter", "edit the text at this claim"),
    ("y", "copy the claim with its citations as Markdown"),
)
