"""One method's answer: its sentences, its sources, and how it came about."""

from collections.abc import Iterator, Sequence
from functools import partial

from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.markup import escape
from textual.widgets import Collapsible, Input, Static
from textual.widgets.collapsible import CollapsibleTitle

from veracite.engine.display import neutralise, shorten
from veracite.engine.report import markdown, phrases
from veracite.engine.report.answers import Sentence, doubts_below, hedge, numbered
from veracite.engine.report.phrases import counted
from veracite.engine.story import Ending, Part, tell
from veracite.engine.trace import Entry, Gap
from veracite.engine.types import Answer, Citation, Label, Report
from veracite.tui.conversation import Answering, Conversation, Turn
from veracite.tui.desktop import copy, show_document
from veracite.tui.keys import bindings
from veracite.tui.service import place_of
from veracite.tui.text_report import story_lines
from veracite.tui.themes import COLOURS, PENDING, RELATIONS
from veracite.tui.widgets.evidence import Quote
from veracite.tui.widgets.fitted import Fitted

_DRAFT = "A draft, not verified yet:"
_VERIFYING = "Being verified:"
_STOPPED = "Stopped before anything was verified."
_INTERRUPTED = "Interrupted: this is what was verified until then."
_STYLES = {
    "heading": "bold",
    "beginning": "$muted",
    "dim": "$muted",
    "warning": "$text-warning",
}
_NOTHING = "Nothing has happened yet."


def ask_subject(methods: Sequence[str], documents: str, model: str | None) -> Content:
    """Which methods answer, by which documents and with which language model."""
    return Content.from_markup(
        "[b]$methods[/][$muted]  against  [/]$documents[$muted]$along[/]$model",
        methods=" and ".join(methods),
        documents=documents,
        along="  with  " if model else "",
        model=neutralise(phrases.base_name(model or "")),
    )


_WELCOME = """\
[b]Ask your documents[/]
Every sentence of an answer is verified and shows the quotes it rests on.

[b]Ctrl+L[/]  which documents
[b]Ctrl+T[/]  which method answers; Ctrl+G sets a second one beside it
[b]Ctrl+O[/]  past conversations"""


def answer_lines(answering: Answering) -> list[Content]:
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
        if verdict := answering.verdicts.get(claim):
            alone = Answer("", claim.text, (verdict,))
            parts.append(_sentence(numbered(alone).sentences[0], marked=False))
        else:
            parts.append(Content.styled(f"{PENDING} {neutralise(claim.statement)}", "$muted"))
    if answering.draft:
        parts.append(Content.styled(_DRAFT, "bold $muted"))
        parts.append(Content.styled(neutralise(answering.draft, lines=True), "$muted"))
    return [*parts, *_ending(answering)]


def answer_notes(report: Report) -> Content:
    """What should be known besides the answer: notes, and the documents behind it."""
    lines = [Content(f"Note: {neutralise(note)}") for note in report.notes]
    lines.append(Content.styled(f"{phrases.documents(report)}.", "$muted"))
    if report.failed or report.others:
        lines.append(Content.styled(phrases.LISTED, "$muted"))
    return Content("\n").join(lines)


def cost_line(answering: Answering) -> str:
    """Such as ``vtg: 3 sentences, 2 supported · 1.2 s, 4 searches, 5 verdicts, no model call``."""
    said = [answering.title]
    if report := answering.report:
        supported = report.counts[Label.SUPPORTED]
        sentences = counted(len(report.verdicts), "sentence")
        said.append(f"{sentences}, {supported} supported" if report.verdicts else "no answer")
    if answering.over:
        said.append(phrases.spent(answering.cost))
    return neutralise(" · ".join(said))


def story_text(entries: Sequence[Entry | Gap], ending: Ending, width: int) -> Content:
    """A trace, one thing after the other.

    Args:
        ending: Said where there is no result.
        width: Of the screen that there is for it, in columns.
    """
    parts = tell(entries, phrases.base_name, ending=ending) if entries else [Part(_NOTHING)]
    lines = []
    for part in parts:
        style = f"bold {COLOURS[part.label]}" if part.label else _STYLES.get(part.style, "")
        told = story_lines(part, width)
        lines += [Content.assemble((time, "$muted"), (words, style)) for time, words in told]
    return Content("\n").join(lines)


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
            for number in numbers:  # opens the quote when it is clicked; see ``AnswerText``
                chip = Content.styled(f"[{number}]", "bold $primary")
                yield chip.stylize(f"@click=source({number})")
            yield Content.styled(after, "$muted")


def _ending(answering: Answering) -> Iterator[Content]:
    if answering.failure:
        message, advice = map(neutralise, answering.failure)
        yield Content.assemble((f"✗ {message}", "bold $text-error"), f"\n{advice}")
    if answering.report:
        yield from (Content.styled(doubt, "bold") for doubt in doubts_below(answering.report))
    elif answering.over and not answering.failure:
        yield Content.styled(_INTERRUPTED if answering.settled else _STOPPED, "bold")


_NEAREST = "Nearest to the question in the documents:"
_BEGINNING = 160
"""Characters of a quote in a list, where it is cut to the width of the screen."""


def source_line(citation: Citation, number: int | None) -> Content:
    """One line for a quote: its number, how it bears on the answer, its place, its beginning."""
    symbol, colour = RELATIONS[citation.relation]
    return Content.assemble(
        _number(number),
        (f"{symbol} ", colour),
        (place_of(citation), "bold"),
        (f"  “{shorten(neutralise(citation.quote), _BEGINNING, ' …')}”", "$muted"),
    )


def _number(number: int | None) -> tuple[str, str]:
    return f"[{number}] " if number else "", "bold $primary"


class Source(Vertical, can_focus=True):
    """A quote in a line, which unfolds into its passage.

    Args:
        citation: The quote.
        number: In the answer, from 1; None for what is only near.
        words: What was asked and answered.
    """

    BINDINGS = bindings("source")

    def __init__(self, citation: Citation, number: int | None, words: str) -> None:
        self._line = Static(source_line(citation, number), classes="line")
        super().__init__(self._line)
        self.citation = citation
        self._words = words
        self._number = number

    def action_unfold(self) -> None:
        """Show the passage, or hide it again."""
        if quotes := self.query(Quote):
            quotes.remove()
            self._line.update(source_line(self.citation, self._number))
        else:
            quote = Quote(self.citation, self._words)
            before = Content.styled(*_number(self._number))
            head = Content("\n" + " " * before.cell_length).join(quote.head.split("\n"))
            self._line.update(before + head)
            self.mount(quote)
            self.call_after_refresh(self.scroll_visible)

    def action_open(self) -> None:
        """Open the document in the system's viewer."""
        self.run_worker(show_document(self.app, self.citation.file))

    def on_click(self) -> None:
        """The same as Enter."""
        self.focus()
        self.action_unfold()


class Trace(Collapsible):
    """The story is told only where it is looked at."""

    def __init__(self) -> None:
        self.story = Fitted()
        self._told_from: tuple[Sequence[Entry | Gap], Ending] = ((), "going on")
        super().__init__(self.story, title="")

    def show(self, answering: Answering) -> None:
        """What it cost, and what the story is told from; told anew where it is looked at."""
        self.title = escape(cost_line(answering))
        self._told_from = (tuple(answering.reply), answering.ending)
        if not self.collapsed:
            self._tell()

    def _watch_collapsed(self, collapsed: bool) -> None:
        if not collapsed:
            self._tell()
        super()._watch_collapsed(collapsed)

    def _tell(self) -> None:
        self.story.fit(partial(story_text, *self._told_from))


_Listed = tuple[Citation, int | None]
_HANGING = "  "
_NARROWEST_ANSWER = 10
"""Columns."""


class AnswerText(Fitted):
    """The sentences, set in behind their symbols; a click on a quote's mark unfolds the quote."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: Sequence[Content] = ()

    def say(self, lines: Sequence[Content]) -> None:
        """Show these."""
        self.lines = lines
        self.fit(partial(_hung_lines, lines))

    def action_source(self, number: int) -> None:
        """A mark was clicked."""
        self.query_ancestor(AnswerView).sources[number - 1].on_click()


class AnswerView(Vertical):
    """Shows an answer as it stands whenever it is told to.

    Args:
        answering: The answer.
        titled: Whether the method is named above it, as where another one stands beside it.
    """

    BINDINGS = bindings("answer")

    def __init__(self, answering: Answering, *, titled: bool) -> None:
        self._title = Static(Content(neutralise(answering.title)), classes="title")
        self.text = AnswerText()
        self._sources = Vertical(classes="sources")
        self._about = Static(classes="about")
        self.trace = Trace()
        # From what was asked for most to what is asked for least.
        super().__init__(self._title, self.text, self._sources, self._about, self.trace)
        self.answering = answering
        self._title.display = titled
        self._listed: list[_Listed] = []

    def on_mount(self) -> None:
        """As it stands now."""
        self.show()

    def show(self) -> None:
        """Bring everything up to date; what did not change stays as it is."""
        if not self._sources.is_attached:
            return  # on_mount comes next
        answering = self.answering
        self.text.say(answer_lines(answering))
        self._list()
        self._about.display = answering.report is not None
        if answering.report:
            self._about.update(answer_notes(answering.report))
        self.trace.show(answering)

    @property
    def sources(self) -> Sequence[Source]:
        """The quotes, those with numbers first."""
        return list(self._sources.query(Source))

    def focus_quotes(self) -> None:
        """Go to the first quote; where there is none, to the trace."""
        (self.sources[0] if self.sources else self.trace.query_one(CollapsibleTitle)).focus()

    def action_copy(self) -> None:
        """Copy the answer with its citations, as Markdown."""
        report = self.answering.report
        if report is None:
            self.notify("This is no complete answer; there is nothing to copy.")
        else:
            text = markdown.render(report)
            self.run_worker(copy(self.app, text, "the answer and its citations"))

    def _list(self) -> None:
        """The quotes of what is settled; an answer that grows leaves the first ones alone."""
        settled = self.answering.settled
        wanted: list[_Listed] = []
        words = ""
        if settled is not None:
            words = f"{settled.question} {settled.text}"
            sources = numbered(settled).sources
            wanted += [(citation, number) for number, citation in enumerate(sources, start=1)]
            wanted += [(citation, None) for citation in settled.nearest]
        if wanted[: len(self._listed)] != self._listed:
            self._sources.remove_children()
            self._listed = []
        for citation, number in wanted[len(self._listed) :]:
            if number is None and all(number for _, number in self._listed):
                self._sources.mount(Static(Content.styled(_NEAREST, "bold")))
            self._sources.mount(Source(citation, number, words))
            self._listed.append((citation, number))
        self._sources.display = bool(wanted)


def _hung_lines(lines: Sequence[Content], width: int) -> Content:
    """Each cut into lines, all but the first set in."""
    room = max(width - len(_HANGING), _NARROWEST_ANSWER)
    return Content("\n").join(Content(f"\n{_HANGING}").join(line.wrap(room)) for line in lines)


class ExchangeView(Vertical):
    """Answers stand beside each other where there is room.

    Args:
        turn: The question and the answers.
    """

    def __init__(self, turn: Turn) -> None:
        compared = len(turn.answers) > 1
        self.answers = [AnswerView(answering, titled=compared) for answering in turn.answers]
        asked = turn.asked
        meant = f"\nUnderstood as: {neutralise(asked.meant)}" if asked.meant else ""
        said = Content.assemble(neutralise(asked.question), (meant, "not bold $muted"))
        question = Static(said, classes="question")
        super().__init__(question, Container(*self.answers, classes="beside"))
        self.turn = turn

    def show(self) -> None:
        """Bring the answers up to date."""
        for answer in self.answers:
            answer.show()


class ConversationView(VerticalScroll):
    """Stays at its end while an answer grows, unless the user has scrolled away."""

    def __init__(self) -> None:
        self._welcome = Static(_WELCOME, id="welcome")
        super().__init__(self._welcome, id="conversation")

    def watch_virtual_size(self) -> None:
        """Keep to the end once there is more than fits; what is less would hang there."""
        overflows = self.virtual_size.height > self.size.height
        if overflows is not self.is_anchored:
            self.anchor(overflows)

    def show(self, conversation: Conversation) -> None:
        """Show another conversation."""
        self.remove_children(ExchangeView)
        self._welcome.display = True
        for turn in conversation.turns:
            self.add(turn)

    def add(self, turn: Turn) -> ExchangeView:
        """Show one more question."""
        self._welcome.display = False
        view = ExchangeView(turn)
        self.mount(view)
        if self.is_anchored:
            self.anchor()
        return view

    @property
    def current(self) -> AnswerView | None:
        """The answer that the user is in, else the newest; None before the first."""
        views = list(self.query(AnswerView))
        inside = [view for view in views if view.has_focus_within]
        return next(reversed(inside or views), None)


class AskInput(Input):
    """One line."""

    BINDINGS = bindings("question")

    def __init__(self) -> None:
        super().__init__(
            placeholder="Ask something. ↑ brings earlier questions back", id="question"
        )
        self._asked: Sequence[str] = ()
        self._place = 0
        self._begun = ""
        """What was being written before an earlier question was brought back."""

    def remember(self, questions: Sequence[str]) -> None:
        """The questions that can be brought back, the last one last."""
        self._asked = questions
        self._place = len(questions)

    def action_recall(self, step: int) -> None:
        """Bring back the question before (behind) the one that is shown."""
        if self._place == len(self._asked):
            self._begun = self.value
        self._place = min(max(self._place + step, 0), len(self._asked))
        self.value = [*self._asked, self._begun][self._place]
        self.cursor_position = len(self.value)
