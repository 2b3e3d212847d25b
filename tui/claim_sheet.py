"""What the pane beside the text says about one claim; texts only, no widgets."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from textual.content import Content

from veracite.engine.display import neutralise
from veracite.engine.report import beside, phrases
from veracite.engine.report.beside import Snippet
from veracite.engine.report.phrases import percent
from veracite.engine.words import Citation, Label, Relation, Verdict
from veracite.engine.wrap import shorten
from veracite.tui.labels import COLOURS, PENDING, RELATIONS, STATES
from veracite.tui.quotes import cut, find_quote, window

__all__ = ["Comparison", "Quotation", "comparisons", "pending", "quotation", "verdict_head"]

_ESCAPE = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4})")
_LONGEST_BESIDE = 240
"""Columns, of a quote that stands beside another."""
_LONGEST, _KEPT = 1_000, 400
"""Characters of a quote that is shown whole, and those that are kept of a longer one."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts that stand side by side."""

    left: Content
    right: Content
    title: Content | None = None


@dataclass(frozen=True, slots=True)
class Quotation:
    """A citation as it is shown."""

    head: Content
    """How it bears on the claim, and where it stands."""
    passage: Content
    """The passage, the quoted sentence standing out."""
    relation: Relation


def pending() -> Content:
    """For a claim whose verdict has not arrived."""
    return Content.assemble((f"{PENDING} Not judged yet", "bold"))


def verdict_head(verdict: Verdict) -> Content:
    """The label, how sure, why, and which of the claim's words its quotes have."""
    label = verdict.label
    word = phrases.LABEL_WORDS[label].capitalize()
    sure = "" if label is Label.NOT_CHECKABLE else f"  {phrases.aside(verdict)}"
    return Content.assemble(
        (f"{phrases.SYMBOLS[label]} {word}", f"bold {COLOURS[label]}"),
        (sure, "$muted"),
        *_override(verdict),
        f"\n{neutralise(verdict.explanation)}",
        *_words(verdict),
    )


def _override(verdict: Verdict) -> Iterator[str | tuple[str, str]]:
    if said := phrases.override(verdict):
        yield ("\nOverridden by you: ", "bold")
        yield said


def _words(verdict: Verdict) -> Iterator[Content]:
    """A line for what agrees, one for what differs unless that stands side by side, and so on."""
    paired = bool(beside.pairs(verdict))
    for state, items in beside.summary(_without_escapes(verdict)):
        if state != "conflict" or not paired:
            symbol, colour = STATES[state]
            word = f"{symbol} {beside.STATE_WORDS[state]}:"
            yield Content.assemble("\n", (word, colour), f" {neutralise(items)}")


def _without_escapes(verdict: Verdict) -> Verdict:
    """No part of an escape counts as a word: the editor puts them, such as ``\\u202e``, in the
    place of characters that a terminal would obey."""
    statement = _ESCAPE.sub("", verdict.claim.statement)
    return replace(verdict, claim=replace(verdict.claim, statement=statement))


def comparisons(verdict: Verdict) -> list[Comparison]:
    """What conflicts, claim and document side by side, and how the library disagrees."""
    found = [
        Comparison(_snippet(pair.claim), _snippet(pair.document)) for pair in beside.pairs(verdict)
    ]
    if found:
        found.insert(0, Comparison(*(Content.styled(says, "$muted") for says in beside.COLUMNS)))
    if sides := beside.sides(verdict):
        title = Content.styled(beside.SPLIT, f"bold {COLOURS[Label.UNCERTAIN]}")
        found.append(Comparison(_side(sides[0]), _side(sides[1]), title))
    return found


def quotation(citation: Citation, claim: str, lead: int | None = None) -> Quotation:
    """A citation: its relation, file, page and heading, and the passage around the quote; of a very
    long quote, what it has in common with the claim.

    Args:
        lead: About how many characters of the passage are kept before the quote; None: all.
    """
    near = citation.relation == "nearest"
    sure = f"similarity {citation.probability:.2f}" if near else percent(citation.probability)
    heading = phrases.heading(citation)
    head = Content.assemble(
        _relation(citation),
        (f"  {sure}  ", "$muted"),
        _place(citation),
        (f"\n{heading}" if heading else "", "$muted"),
    )
    return Quotation(head, _passage(citation, claim, lead), citation.relation)


def _passage(citation: Citation, claim: str, lead: int | None) -> Content:
    """The quote is looked for as it was read: its characters may show more than the passage's."""
    context = citation.context
    found = find_quote(context, citation.quote)
    if found is None:
        quote = neutralise(_window(citation.quote, claim))
        passage = neutralise(_window(context, claim), lines=True)
        return Content.assemble((quote, "bold underline"), f"\n\n{passage}")
    start, end = found
    before, quote, after = (
        neutralise(part, lines=True)
        for part in (context[:start], _window(context[start:end], claim), context[end:])
    )
    return Content.assemble(
        (_last_words(before, lead), "$muted"), (quote, "bold underline"), (after, "$muted")
    )


def _window(text: str, claim: str) -> str:
    start, end = window(text, claim, _LONGEST, _KEPT)
    before, after = cut(text, start, end)
    return f"{before}{text[start:end]}{after}"


def _relation(citation: Citation) -> tuple[str, str]:
    symbol, colour = RELATIONS[citation.relation]
    return f"{symbol} {phrases.RELATION_WORDS[citation.relation].capitalize()}", colour


def _place(citation: Citation) -> tuple[str, str]:
    return phrases.file_and_page(citation, phrases.base_name), "bold"


def _snippet(snippet: Snippet) -> Content:
    return Content.assemble(
        (neutralise(snippet.before), "$muted"),
        (neutralise(snippet.part), f"bold {COLOURS[Label.CONTRADICTED]}"),
        (neutralise(snippet.after), "$muted"),
    )


def _side(citations: Sequence[Citation]) -> Content:
    """The quotes of one side, each with its place."""
    return Content("\n").join(
        Content.assemble(_relation(each), "  ", _place(each), f"\n“{_short(each.quote)}”")
        for each in citations
    )


def _short(quote: str) -> str:
    return shorten(neutralise(quote[:_LONGEST]), _LONGEST_BESIDE, " …")


def _last_words(text: str, most: int | None) -> str:
    """The end of a text, from a word on."""
    if most is None or len(text) <= most:
        return text
    return f"… {text[-most:].partition(' ')[2]}"
