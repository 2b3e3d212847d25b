"""What the Ask room says of answers and of how they came about; texts only, no widgets."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from textual.content import Content

from veracite.engine.display import neutralise
from veracite.engine.methods.cost import Cost
from veracite.engine.report import phrases
from veracite.engine.report.answers import Sentence, doubts_below, hedge, numbered
from veracite.engine.tracing.story import Ending, tell
from veracite.engine.tracing.story_parts import Part, counted
from veracite.engine.tracing.trace import Entry, Gap
from veracite.engine.words import Answer, Label, Report
from veracite.engine.wrap import shorten, width_of, wrap
from veracite.tui.conversation import Answering
from veracite.tui.documents import short_path
from veracite.tui.labels import COLOURS, PENDING

__all__ = ["about", "answer", "cost", "story", "subject", "welcome"]

_DRAFT = "A draft, not verified yet:"
_VERIFYING = "Being verified:"
_STOPPED = "Stopped before anything was verified."
_INTERRUPTED = "Interrupted: this is what was verified until then."
_STYLES = {
    "heading": "bold",
    "beginning": "$muted",
    "dim": "$muted",
    "more": "$muted",
    "warning": "$text-warning",
}
_TIME = "{:6.1f} s  "
_NARROWEST = 20
"""Columns for the words of a story, or for documents and model, however narrow the screen."""
_OF_MODEL = 0.6
"""The share of a model's name, where it and the documents have too little room."""
_DOT = " · "


def subject(methods: Sequence[str], documents: str, model: str | None, room: int) -> Content:
    """Which methods answer, by which documents and with which language model; more briefly where
    that takes more than ``room`` columns."""
    names = " and ".join(methods)
    title, name = (names, "bold"), neutralise(phrases.base_name(model or ""))
    whole = Content.assemble(title, ("  against  ", "$muted"), documents)
    if not name:
        return whole
    whole = Content.assemble(whole, ("  with  ", "$muted"), name)
    if whole.cell_length <= room:
        return whole
    left = max(_NARROWEST, room - width_of(names) - 2 * len(_DOT))
    name = name.removesuffix(".gguf")
    documents = documents.removeprefix("the ")
    documents = _ends(documents, left - min(width_of(name), int(_OF_MODEL * left)))
    name = _ends(name, left - width_of(documents))
    return Content.assemble(title, (_DOT, "$muted"), documents, (_DOT, "$muted"), name)


def _ends(text: str, most: int) -> str:
    """How a text begins and how it ends, in so many columns, or all of it."""
    if width_of(text) <= most:
        return text
    return shorten(text, most - most // 2, "…") + shorten(text[::-1], most // 2, "")[::-1]


def welcome() -> Content:
    """Before anything is asked."""
    return Content.assemble(
        ("Ask your documents", "bold"),
        "\nEvery sentence of an answer is verified and shows the quotes it rests on.\n\n",
        ("Ctrl+L  ", "bold"), "which documents\n",
        ("Ctrl+T  ", "bold"), "which method answers; Ctrl+G sets a second one beside it\n",
        ("Ctrl+O  ", "bold"), "past conversations",
    )  # fmt: skip


def answer(answering: Answering) -> list[Content]:
    """The answer as it stands: verified sentences, what is being verified, what is being written,
    and whatever makes it doubtful."""
    parts: list[Content] = []
    if answering.settled is not None:
        if above := hedge(answering.settled):
            parts.append(Content.styled(above, "bold"))
        parts += [_sentence(sentence) for sentence in numbered(answering.settled).sentences]
    if answering.claims:
        parts.append(Content.styled(_VERIFYING, "bold $muted"))
    for claim in answering.claims:
        verdict = answering.verdicts.get(claim)
        if verdict is None:
            parts.append(Content.styled(f"{PENDING} {neutralise(claim.statement)}", "$muted"))
        else:
            alone = Answer("", claim.text, (verdict,))
            parts.append(_sentence(numbered(alone).sentences[0], marked=False))
    if answering.draft:
        parts.append(Content.styled(_DRAFT, "bold $muted"))
        parts.append(Content.styled(neutralise(answering.draft, lines=True), "$muted"))
    return [*parts, *_ending(answering)]


def about(report: Report) -> Content:
    """What should be known besides the answer: notes, and the documents behind it."""
    lines = [Content(f"Note: {neutralise(note)}") for note in report.notes]
    lines.append(Content.styled(f"{phrases.documents(report)}.", "$muted"))
    lines += [
        Content.styled(f"  {short_path(Path(item.file))}: {neutralise(item.reason)}", "$text-error")
        for item in report.failed
    ]
    return Content("\n").join(lines)


def cost(answering: Answering) -> str:
    """Such as ``vtg: 3 sentences, 2 supported · 1.2 s, 4 searches, 5 verdicts, no model call``."""
    said = [answering.title]
    if report := answering.report:
        supported = report.counts[Label.SUPPORTED]
        sentences = counted(len(report.verdicts), "sentence")
        said.append(f"{sentences}, {supported} supported" if report.verdicts else "no answer")
    if answering.over:
        said.append(_cost(answering.cost))
    return neutralise(" · ".join(said))


def story(entries: Iterable[Entry | Gap], ending: Ending, width: int) -> Content:
    """A trace, one thing after the other.

    Args:
        ending: Said where there is no result.
        width: Of the screen that there is for it, in columns.
    """
    parts = tell(entries, phrases.base_name, ending=ending)
    return Content("\n").join(line for part in parts for line in _part(part, width))


def _part(part: Part, width: int) -> Iterator[Content]:
    time = "" if part.at is None else _TIME.format(part.at)
    room = " " * (len(_TIME.format(0)) + 2 * (part.depth - 1)) if part.depth else ""
    text = part.text
    if part.style == "beginning":
        text = shorten(text, max(width - len(room), _NARROWEST), " …”")
    style = f"bold {COLOURS[part.label]}" if part.label else _STYLES.get(part.style, "")
    for line in wrap(text, max(width, len(room) + _NARROWEST), room):
        yield Content.assemble((time, "$muted"), (line[len(time) :], style))
        time = ""


def _cost(spent: Cost) -> str:
    said = [
        f"{spent.seconds:.1f} s",
        counted(spent.searches, "search", "searches"),
        counted(spent.judged, "verdict"),
    ]
    if spent.calls:
        tokens = spent.prefilled + spent.generated
        said.append(f"{counted(spent.calls, 'model call')} ({tokens:,} tokens)")
    return ", ".join(said)


def _sentence(sentence: Sentence, *, marked: bool = True) -> Content:
    verdict = sentence.verdict
    label, said = verdict.label, neutralise(verdict.claim.statement)
    colour = f"bold {COLOURS[label]}"
    word = "" if sentence.is_fact else f"{phrases.LABEL_WORDS[label].capitalize()} "
    aside = "" if sentence.is_fact else f"({phrases.aside(verdict)}): "
    why = neutralise(sentence.explanation or "")
    return Content.assemble(
        (f"{phrases.SYMBOLS[label]} {word}", colour),
        (aside, "$muted"),
        said,
        *(_marks(sentence) if marked else ()),
        (f"\n{why}" if why and marked else "", "$muted"),
    )


def _marks(sentence: Sentence) -> Iterator[Content]:
    groups = (
        (" ", sentence.supports, ""),
        (" (contradicted by ", sentence.contradicts, ")"),
        (" (nearest: ", sentence.nearest, ")"),
    )
    for before, numbers, after in groups:
        if numbers:
            yield Content.styled(before, "$muted")
            yield from map(_chip, numbers)
            yield Content.styled(after, "$muted")


def _chip(number: int) -> Content:
    """Opens the quote when it is clicked; see ``veracite.tui.widgets.ask_answer``."""
    return Content.styled(f"[{number}]", "bold $primary").stylize(f"@click=source({number})")


def _ending(answering: Answering) -> Iterator[Content]:
    if answering.failure:
        message, advice = map(neutralise, answering.failure)
        yield Content.assemble((f"✗ {message}", "bold $text-error"), f"\n{advice}")
    if answering.report:
        above = hedge(answering.settled) if answering.settled is not None else None
        for doubt in doubts_below(answering.report, above):
            yield Content.styled(doubt, "bold")
    elif answering.over and not answering.failure:
        yield Content.styled(_INTERRUPTED if answering.settled else _STOPPED, "bold")
