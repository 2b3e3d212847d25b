"""The pane beside the text: what was found about one claim, or how the check stands."""

from collections.abc import Iterator, Sequence

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from veracite.engine.display import neutralise, shorten
from veracite.engine.failures import by_reason
from veracite.engine.report import beside, phrases
from veracite.engine.report.beside import Snippet
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS, counted, percent
from veracite.engine.types import Citation, Label, Verdict
from veracite.index.documents import FailedDocument, lost
from veracite.tui.checking import Mark, State
from veracite.tui.quotes import cut, find_quote, window
from veracite.tui.service import place_of, short_path
from veracite.tui.themes import COLOURS, PENDING, RELATIONS, STATES, named_label

_SPLIT_STYLE = f"bold {COLOURS[Label.UNCERTAIN]}"
_MOST_FAILED = 200
"""Files that are listed."""
_LONGEST_BESIDE = 240
"""Columns, of a quote that stands beside another."""
_LONGEST, _KEPT = 1_000, 400
"""Characters of a quote that is shown whole, and those that are kept of a longer one."""


def check_text(state: State, shown: Mark | None) -> Content:
    """What there is to say while no verdict is looked at."""
    if shown:
        return Content.from_markup("[b]$symbol Not judged yet[/]", symbol=PENDING)
    if state.failure:
        return _failure(*state.failure)
    if state.verdicts:
        return _overview(state)
    if state.running and state.findings and state.findings.early:
        return Content.from_markup(_EARLY)
    return Content.from_markup(_WELCOME) + Content("\n").join(map(named_label, Label))


_EARLY = """\
[b]First verdicts, by words alone[/]
The documents are still being encoded. Every claim is judged again when they are."""
_WELCOME = """\
[b]Verdicts appear here[/]
Every claim of the text is looked up in your documents and marked:

"""


def verdict_head(verdict: Verdict) -> Content:
    """The label, how sure, why, and which of the claim's words its quotes have."""
    label = verdict.label
    said = phrases.override(verdict)
    return Content.assemble(
        (f"{SYMBOLS[label]} {LABEL_WORDS[label].capitalize()}", f"bold {COLOURS[label]}"),
        ("" if label is Label.NOT_CHECKABLE else f"  {phrases.aside(verdict)}", "$muted"),
        ("\nOverridden by you: " if said else "", "bold"),
        said or "",
        f"\n{neutralise(verdict.explanation)}",
        *_words(verdict),
    )


def _words(verdict: Verdict) -> Iterator[Content]:
    """A line for what agrees, one for what is missing, and so on."""
    for state, items in beside.summary(verdict):
        symbol, colour = STATES[state]
        word = f"{symbol} {beside.STATE_WORDS[state]}:"
        yield Content.assemble("\n", (word, colour), f" {neutralise(items)}")


def comparisons(verdict: Verdict) -> "Iterator[SideBySide]":
    """What conflicts, claim and document side by side, and how the library disagrees."""
    if pairs := beside.pairs(verdict):
        yield SideBySide(*(Content.styled(says, "$muted") for says in beside.COLUMNS))
    yield from (SideBySide(_snippet(pair.claim), _snippet(pair.document)) for pair in pairs)
    if sides := beside.sides(verdict):
        title = Content.styled(beside.SPLIT, _SPLIT_STYLE)
        yield SideBySide(_side(sides[0]), _side(sides[1]), title)


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
    if lead is not None and len(before) > lead:
        before = f"… {before[-lead:].partition(' ')[2]}"  # from a word on
    return Content.assemble((before, "$muted"), (quote, "bold underline"), (after, "$muted"))


def _window(text: str, claim: str) -> str:
    start, end = window(text, claim, _LONGEST, _KEPT)
    before, after = cut(text, start, end)
    return f"{before}{text[start:end]}{after}"


def _relation(citation: Citation) -> tuple[str, str]:
    symbol, colour = RELATIONS[citation.relation]
    return f"{symbol} {phrases.RELATION_WORDS[citation.relation].capitalize()}", colour


def _snippet(snippet: Snippet) -> Content:
    return Content.assemble(
        (neutralise(snippet.before), "$muted"),
        (neutralise(snippet.part), f"bold {COLOURS[Label.CONTRADICTED]}"),
        (neutralise(snippet.after), "$muted"),
    )


def _side(citations: Sequence[Citation]) -> Content:
    """The quotes of one side, each with its place."""
    return Content("\n").join(
        Content.assemble(
            _relation(each),
            "  ",
            (place_of(each), "bold"),
            f"\n“{shorten(neutralise(each.quote[:_LONGEST]), _LONGEST_BESIDE, ' …')}”",
        )
        for each in citations
    )


def check_subject(state: State, changed: bool, documents: str) -> Content:
    """Which text is checked against which documents.

    Args:
        changed: Whether the text differs from its file.
        documents: What they are called.
    """
    only = state.only
    return Content.assemble(
        (state.name, "bold"),
        (" (edited)" if changed else "", "$muted"),
        (f"  only {SYMBOLS[only]} {LABEL_WORDS[only]}", f"bold {COLOURS[only]}") if only else "",
        ("  against  ", "$muted"),
        documents,
        ("  not checked yet, F5", "bold $text-warning") if state.is_outdated else "",
    )


def label_counts(found: dict[Label, int], by_hand: int = 0) -> Content:
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


def _overview(state: State) -> Content:
    split = state.disagreements
    return Content.assemble(
        ("Claims so far" if state.running else "Claims", "bold"),
        "\n\n",
        label_counts(state.counts, state.by_hand),
        (f"\n{split}." if split else "", _SPLIT_STYLE),
        ("\n\nn goes to the next finding, ← → from claim to claim.", "$muted"),
    )


def _failure(message: str, advice: str) -> Content:
    """What went wrong and what to do about it, each key once."""
    return Content.from_markup(
        "[b $text-error]The check did not finish[/]\n$message\n\n$advice\n\n"
        "[$muted]${choose}F5 checks again.[/]",
        message=neutralise(message),
        advice=neutralise(advice),
        choose="" if "Ctrl+L" in advice else "Ctrl+L chooses the documents, ",
    )


def outcome_text(state: State) -> Content:
    """Everything but the claims: counts, documents read, failures with their reasons, notes."""
    parts = [label_counts(state.counts, state.by_hand)]
    if state.disagreements:
        parts.append(Content.styled(f"{state.disagreements}.", _SPLIT_STYLE))
    if state.report:
        parts.append(Content(f"{counted(state.report.documents_read, 'document')} read"))
    if state.failed or state.others:
        parts.append(failures_text(state.failed, state.others))
    parts += [Content(neutralise(note)) for note in state.notes]
    return Content("\n\n").join(parts)


def failures_text(failed: Sequence[FailedDocument], others: Sequence[str]) -> Content:
    """The files that were not read, by reason; of very many the first ones."""
    partly = ", or only in part" if lost(failed) < len(failed) else ""
    said = f"{counted(len(failed) + len(others), 'file')} not read{partly}"
    lines = [Content.styled(said, "bold $text-error" if failed else "bold")]
    room = _MOST_FAILED
    for group in by_reason(failed, others):
        lines.append(Content(neutralise(group.said(short_path))))
        shown = group.listed[: max(room, 1)]
        lines += [Content.styled(f"  {short_path(file)}", "bold") for file in shown]
        if (more := len(group.listed) - len(shown)) > 0:
            lines.append(Content(f"  … and {more:,} more"))
        room -= len(shown)
    return Content("\n").join(lines)


class Quote(Vertical):
    """A citation: its relation, file, page and heading, and the passage around the quote; of a very
    long quote, what it has in common with the claim.

    Its class (``-supports``, ``-contradicts``, ``-nearest``) colours the bar beside it.

    Args:
        citation: Has the quote and its passage.
        claim: What it bears on.
        lead: About how many characters of the passage are kept before the quote; None: all.
    """

    def __init__(self, citation: Citation, claim: str, lead: int | None = None) -> None:
        near = citation.relation == "nearest"
        alike = f"similarity {citation.probability:.2f}" if citation.probability else ""
        heading = phrases.heading(citation)
        self.head = Content.assemble(
            _relation(citation),
            (f"  {alike if near else percent(citation.probability)}  ", "$muted"),
            (place_of(citation), "bold"),
            (f"\n{heading}" if heading else "", "$muted"),
        )
        self.passage = _passage(citation, claim, lead)
        super().__init__(
            Static(self.head, classes="place"),
            Static(self.passage, classes="passage"),
            classes=f"-{citation.relation}",
        )


class SideBySide(Vertical):
    """Each takes half of the width, as many lines as it needs."""

    def __init__(self, left: Content, right: Content, title: Content | None = None) -> None:
        beside = Horizontal(Static(left), Static(right, classes="right"))
        super().__init__(
            *([Static(title)] if title else []), beside, classes="-titled" if title else None
        )


_ROOMY = 18
"""Rows from which on whole passages are shown."""
_LINES_OF_QUOTE = 5
"""Rows of a quote that should be seen: its place, and the sentence behind what leads to it."""
_SHORT_LEAD = 60
"""Characters before the quote where they are not."""


class Evidence(VerticalScroll):
    """Shows one thing at a time, from its beginning."""

    def __init__(self) -> None:
        self._head = Static(id="evidence-head")
        super().__init__(self._head, id="evidence")
        self._shown: Content | tuple[Verdict, int | None] | None = None
        """A text, or a verdict and how much of the passages comes before the quotes."""

    def show(self, content: Content) -> None:
        """Show a text and no quotes."""
        if self._shown != content:
            self._shown = content
            self._fill(content)

    def show_verdict(self, verdict: Verdict) -> None:
        """Show a verdict, why, what stands against what, and the passages it rests on; where room
        is scarce, from near the quote on."""
        lead = None if self.size.height >= _ROOMY else _SHORT_LEAD
        if self._shown != (verdict, lead):
            self._shown = (verdict, lead)
            claim = verdict.claim.statement
            quotes = (Quote(each, claim, lead) for each in verdict.citations)
            self._fill(verdict_head(verdict), *comparisons(verdict), *quotes)

    def on_resize(self) -> None:
        """Another height may show more or less of the passages."""
        self.set_class(self.size.height < _ROOMY, "-scarce")
        if isinstance(self._shown, tuple):
            self.show_verdict(self._shown[0])

    def _fill(self, head: Content, *below: Widget) -> None:
        with self.app.batch_update():
            self.query("SideBySide, Quote").remove()
            self._head.update(head)
            self.mount_all(below)
            self.scroll_home(animate=False)
        if self.has_class("-scarce"):
            self.call_after_refresh(self._reveal_quote)

    def _reveal_quote(self) -> None:
        """Scroll to the first quote, beside another or alone, where it would be out of sight."""
        if quotes := self.query("SideBySide, Quote"):
            quote = quotes.first()
            lines = self.size.height - (quote.virtual_region.y - self.scroll_offset.y)
            if lines < _LINES_OF_QUOTE:
                self.scroll_to_widget(quote, top=True, animate=False)
