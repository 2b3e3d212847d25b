"""The words that every report for people uses."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from veracite.engine.display import neutralise
from veracite.engine.failures import Unread, by_reason, shortfall
from veracite.engine.methods.cost import Cost
from veracite.engine.types import Citation, Label, Relation, Report, Verdict

NameFile = Callable[[str], str]
"""The path of a document to the name a reader is shown, not neutralised."""

LABEL_WORDS = {label: label.value.replace("_", " ") for label in Label}

SYMBOLS = dict(zip(Label, "✓✗?~·", strict=True))

MEANINGS = {
    Label.SUPPORTED: "A document says so; the quote is shown.",
    Label.CONTRADICTED: "A document says otherwise; the quote is shown.",
    Label.NOT_FOUND: "The documents say nothing about it; the nearest sentences are shown.",
    Label.UNCERTAIN: "Something was found, but it does not settle the matter: read for yourself.",
    Label.NOT_CHECKABLE: "Nothing that documents could confirm.",
}
"""What each label says of a claim, for readers who see it for the first time."""

RELATION_WORDS: dict[Relation, str] = {
    "supports": "supports it",
    "contradicts": "contradicts it",
    "nearest": "nearest",
}

STANDARD_INPUT = "standard input"
_LONGEST_HEADING = 80


def base_name(file: str) -> str:
    """A document's name without its folders."""
    return Path(file).name


def title(report: Report) -> str:
    """What the text of a report is called, not neutralised."""
    return STANDARD_INPUT if report.path is None else base_name(report.path)


def labelled(label: Label) -> str:
    """Such as ``✓ supported``."""
    return f"{SYMBOLS[label]} {LABEL_WORDS[label]}"


def counted(number: int, noun: str, nouns: str | None = None) -> str:
    """Such as ``1 claim`` and ``2,000 claims``."""
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def percent(probability: float) -> str:
    """A probability as whole per cent; 100 % is kept for certainty.

    It is taken as JSON has it, so that a report that comes from there reads the same.
    """
    probability = round(probability, 4)
    return "99 %" if 0.995 <= probability < 1 else f"{probability:.0%}".replace("%", " %")


def aside(verdict: Verdict) -> str:
    """What stands behind the label: how likely it is right, or why nothing was judged.

    For *uncertain*, also what leads: ``leans to supported, 59 %``.
    """
    if verdict.override is not None:
        return "overridden by hand"
    if verdict.claim.not_checkable is not None:
        return neutralise(verdict.claim.not_checkable)
    if verdict.label is Label.UNCERTAIN and verdict.scores is not None:
        scores = verdict.scores
        ways = {
            Label.SUPPORTED: scores.supported,
            Label.CONTRADICTED: scores.contradicted,
            Label.NOT_FOUND: scores.neutral,
        }
        leader = LABEL_WORDS[max(ways, key=ways.__getitem__)]
        return f"leans to {leader}, {percent(verdict.probability)}"
    return percent(verdict.probability)


def override(verdict: Verdict) -> str | None:
    """Why a person overrode a verdict and what it was, neutralised; None if nobody did."""
    if verdict.override is None:
        return None
    judged = LABEL_WORDS[verdict.judged]
    sure = "" if verdict.judged is Label.NOT_CHECKABLE else f", {percent(verdict.probability)}"
    return f"{neutralise(verdict.override.note)} (The check said: {judged}{sure}.)"


def chosen(report: Report, only: Collection[Label] | None) -> list[tuple[int, Verdict]]:
    """The verdicts with one of these labels (None: all), each with its claim's number from 1."""
    numbered = enumerate(report.verdicts, start=1)
    return [(number, v) for number, v in numbered if only is None or v.label in only]


def left_out(report: Report, only: Collection[Label] | None) -> str | None:
    """Such as ``Shown: 3 of 37 claims, those contradicted or uncertain``; None if all are."""
    if only is None:
        return None
    words = [LABEL_WORDS[label] for label in Label if label in only]
    which = f", those {' or '.join(words)}" if words else ""
    return f"Shown: {len(chosen(report, only))} of {counted(len(report.verdicts), 'claim')}{which}"


def place(citation: Citation, name: NameFile) -> str:
    """Where a quote stands: file, page or cells, and characters, neutralised; and, where documents
    disagree, when the file was changed."""
    changed = f"; changed on {neutralise(citation.changed)}" if citation.changed else ""
    where = f"{file_and_page(citation, name)}, characters {citation.start}-{citation.end}"
    return f"{where}{changed}"


def file_and_page(citation: Citation, name: NameFile) -> str:
    """The file of a quote and its page, if it has pages, or sheet and cells; neutralised."""
    page = f", page {citation.page}" if citation.page is not None else ""
    if citation.cells:
        page = f", sheet {citation.sheet}" if citation.sheet else ""
        page += f", {citation.cells}"
    return neutralise(f"{name(citation.file)}{page}")


def heading(citation: Citation) -> str:
    """The headings above a quote, neutralised; of a long path its end, which says most."""
    path = neutralise(citation.heading or "")
    if len(path) <= _LONGEST_HEADING:
        return path
    end = path[1 - _LONGEST_HEADING :]
    return "…" + (end.partition(" ")[2] or end)


def claims_by_label(report: Report) -> str:
    """Such as ``5 claims: 3 supported, 1 contradicted, 1 not found``; of an answer, sentences."""
    total = counted(len(report.verdicts), "claim" if report.answer is None else "sentence")
    parts = [f"{count} {LABEL_WORDS[label]}" for label, count in report.counts.items() if count]
    counts = f"{total}: {', '.join(parts)}" if parts else total
    by_hand = sum(verdict.override is not None for verdict in report.verdicts)
    return f"{counts} ({by_hand} overridden by hand)" if by_hand else counts


def coverage(report: Report) -> dict[str, int | float]:
    """How far a check reaches: claims that documents could settle, and those that they do; the
    share of the text's letters and digits that stand in claims; the documents that are quoted."""
    inside = sum(map(str.isalnum, "".join(verdict.claim.text for verdict in report.verdicts)))
    whole = sum(map(str.isalnum, report.source))
    return {
        "checkable": len(report.verdicts) - report.counts[Label.NOT_CHECKABLE],
        "settled": report.counts[Label.SUPPORTED] + report.counts[Label.CONTRADICTED],
        "text": round(min(1.0, inside / whole), 4) if whole else 0.0,
        "quoted_documents": len(quoted_documents(report)),
    }


def covered(report: Report) -> str:
    """The same, in sentences."""
    found = coverage(report)
    documents = counted(int(found["quoted_documents"]), "document is", "documents are")
    return (
        f"{found['settled']:,} of {counted(int(found['checkable']), 'checkable claim')} settled "
        f"(supported or contradicted). The claims hold {percent(found['text'])} of the text. "
        f"{documents} quoted."
    )


def quoted_documents(report: Report) -> dict[str, str]:
    """The SHA-256 of each document that is quoted, in the order of the claims."""
    nearest = report.answer.nearest if report.answer else ()
    quotes = [citation for verdict in report.verdicts for citation in verdict.citations]
    return {citation.file: citation.document_sha256 for citation in (*quotes, *nearest)}


def documents(report: Report) -> str:
    """Such as ``12 documents read, 1 could not be read``; the latter is never left out."""
    read = f"{counted(report.documents_read, 'document')} read"
    return f"{read}{shortfall(report.failed) or ', none failed'}{other_kinds(report.others)}"


def other_kinds(others: Sequence[str]) -> str:
    """Such as ``, 15 of other kinds``; nothing where there are no such files."""
    return f", {len(others):,} of other kinds" if others else ""


def unread(report: Report) -> tuple[Unread, ...]:
    """The files that were not read, by reason."""
    return by_reason(report.failed, report.others)


NOT_LOOKED_UP = "Nothing was looked up in these files."
"""What a list of unread files means for a report."""
LISTED = "`veracite library status`, with the same folders or name, lists what was not read."
"""Where those are listed that a report has no room for."""


def spent(cost: Cost) -> str:
    """Such as ``1.2 s, 4 searches, 5 verdicts, 3 model calls (1,200 tokens)``."""
    said = [
        f"{cost.seconds:.1f} s",
        counted(cost.searches, "search", "searches"),
        counted(cost.judged, "verdict"),
    ]
    if cost.calls:
        tokens = cost.prefilled + cost.generated
        said.append(f"{counted(cost.calls, 'model call')} ({tokens:,} tokens)")
    return ", ".join(said)


def facts(report: Report) -> list[tuple[str, str]]:
    """What a reader needs in order to repeat the check, as names and values."""
    return [
        ("Veracite", report.version),
        *([("Method", report.method)] if report.method else []),
        ("Text, SHA-256", report.sha256),
        ("Models", ", ".join(report.models) or "none"),
        ("Readers", ", ".join(sorted(report.extractors.values())) or "none"),
        *((key, _value(value)) for key, value in sorted(report.settings.items())),
    ]


def _value(value: str | int | float | bool | None) -> str:
    return "chosen by Veracite" if value is None else str(value).lower()
