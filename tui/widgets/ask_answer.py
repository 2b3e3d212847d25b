"""One method's answer: its sentences, its sources, and how it came about."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static
from textual.widgets.collapsible import CollapsibleTitle

from veracite.engine.display import neutralise
from veracite.engine.report.answers import numbered
from veracite.engine.words import Citation
from veracite.tui import conversation_sheets as sheets
from veracite.tui.conversation import Answering
from veracite.tui.conversation_quotes import nearest
from veracite.tui.screens.ask_keys import ANSWER_KEYS
from veracite.tui.widgets.ask_source import Source
from veracite.tui.widgets.ask_trace import Trace

__all__ = ["AnswerText", "AnswerView"]

_Listed = tuple[Citation, int | None]
_HANGING = "  "
_NARROWEST = 10
"""Columns."""


class AnswerText(Static):
    """The sentences, set in behind their symbols; a click on a quote's mark posts ``Cited``."""

    class Cited(Message):
        """A quote is wanted, by its number from 1."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self) -> None:
        super().__init__()
        self._lines: Sequence[Content] = ()
        self._width = 0

    def say(self, lines: Sequence[Content]) -> None:
        """Show these."""
        self._lines = lines
        self._width = self.size.width
        room = (self._width or self.app.size.width) - len(_HANGING)
        self.update(Content("\n").join(_hung(line, room) for line in lines))

    def on_resize(self) -> None:
        """Other lines, where there is another width."""
        if self._width != self.size.width:
            self.say(self._lines)

    @property
    def said(self) -> str:
        """What is shown, however wide."""
        return "\n".join(line.plain for line in self._lines)

    def action_source(self, number: int) -> None:
        """A mark was clicked."""
        self.post_message(self.Cited(number))


class AnswerView(Vertical):
    """Shows an answer as it stands whenever it is told to.

    Args:
        answering: The answer.
        titled: Whether the method is named above it, as where another one stands beside it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*ANSWER_KEYS]

    class Copied(Message):
        """The answer is wanted on the clipboard."""

        def __init__(self, answering: Answering) -> None:
            super().__init__()
            self.answering = answering

    def __init__(self, answering: Answering, *, titled: bool) -> None:
        super().__init__()
        self.answering = answering
        self._title = Static(Content(neutralise(answering.title)), classes="title")
        self._title.display = titled
        self._text = AnswerText()
        self._sources = Vertical(classes="sources")
        self._about = Static(classes="about")
        self.trace = Trace()
        self._listed: list[_Listed] = []

    def compose(self) -> ComposeResult:
        """From what was asked for most to what is asked for least."""
        yield self._title
        yield self._text
        yield self._sources
        yield self._about
        yield self.trace

    def on_mount(self) -> None:
        """As it stands now."""
        self.show()

    def show(self) -> None:
        """Bring everything up to date; what did not change stays as it is."""
        if not self._sources.is_attached:
            return  # on_mount comes next
        answering = self.answering
        self._text.say(sheets.answer(answering))
        self._list()
        self._about.display = answering.report is not None
        if answering.report:
            self._about.update(sheets.about(answering.report))
        self.trace.show(sheets.cost(answering), answering.reply, answering.ending)

    @property
    def said(self) -> str:
        """The sentences and what stands below them."""
        return self._text.said

    @property
    def sources(self) -> Sequence[Source]:
        """The quotes, those with numbers first."""
        return list(self._sources.query(Source))

    def focus_quotes(self) -> None:
        """Go to the first quote; where there is none, to the trace."""
        (self.sources[0] if self.sources else self.trace.query_one(CollapsibleTitle)).focus()

    def action_copy(self) -> None:
        """Copy the answer with its citations."""
        self.post_message(self.Copied(self.answering))

    @on(AnswerText.Cited)
    def _cited(self, event: AnswerText.Cited) -> None:
        event.stop()
        chosen = self.sources[event.number - 1]
        chosen.focus()
        chosen.action_unfold()

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
        new = wanted[len(self._listed) :]
        near = [number for _, number in self._listed].count(None)
        for citation, number in new:
            if number is None and not near:
                self._sources.mount(Static(nearest()))
                near = 1
            self._sources.mount(Source(citation, number, words))
        self._listed = wanted
        self._sources.display = bool(wanted)


def _hung(line: Content, room: int) -> Content:
    """Cut into lines, all but the first set in."""
    return Content(f"\n{_HANGING}").join(line.wrap(max(room, _NARROWEST)))
