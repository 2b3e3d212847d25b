"""The Ask room: a conversation with the documents."""

from collections.abc import Iterable

from textual import on
from textual.app import SystemCommand
from textual.widgets import Input

from veracite.engine.conversations import Asked
from veracite.engine.display import neutralise
from veracite.engine.documents import Documents
from veracite.engine.report import answer_markdown
from veracite.tui.clipboard import copy
from veracite.tui.conversation import Answering, Turn
from veracite.tui.conversation_work import Work
from veracite.tui.documents import described
from veracite.tui.screens.ask_base import AskBase
from veracite.tui.screens.ask_choosing import ChoiceActions
from veracite.tui.screens.ask_keeping import KeepingActions
from veracite.tui.screens.passage import open_file
from veracite.tui.widgets.ask_answer import AnswerView
from veracite.tui.widgets.ask_source import Source
from veracite.tui.worker import Runner

__all__ = ["AskScreen"]


class AskScreen(ChoiceActions, KeepingActions):
    """The Ask room; see ``AskBase``."""

    def on_mount(self) -> None:
        """Be ready for a question."""
        self.input.focus()
        self._say_who_answers()
        self.run_worker(self._prepare())

    def on_unmount(self) -> None:
        """Stop what is running; nobody waits for it."""
        self.runner.stop()

    def commands(self) -> Iterable[SystemCommand]:
        """What the command palette offers here."""
        yield SystemCommand("Method", "Choose the method that answers", self.action_method)
        yield SystemCommand("Compare", "Set a second method beside it", self.action_compare)
        yield SystemCommand("Model", "Choose the language model", self.action_model)
        yield SystemCommand("Library", "Choose the documents that answer", self.action_documents)
        yield SystemCommand("New conversation", "Begin anew", self.action_new)
        yield SystemCommand("Past conversations", "Open or delete one", self.action_past)
        yield SystemCommand("Export", "The conversation, Markdown or HTML", self.action_export)
        yield SystemCommand("Copy answer", "The newest, as Markdown", self.action_copy)
        yield SystemCommand("Trace", "How the answer came about", self.action_trace)

    # What the user asks for

    @on(Input.Submitted, "#question")
    def _ask(self, event: Input.Submitted) -> None:
        question = event.value.strip()
        if self._at_work:
            self.notify("An answer is being worked on. Escape stops it.")
        elif not question:
            self.notify("There is no question yet: type one.")
        elif not self.choices and not self._methods_read:
            self._early = event
            self.status.say("Reading the methods …")
        elif not self.choices:
            self.notify("No method is chosen yet: Ctrl+T chooses one.")
        else:
            titles = tuple(choice.title for choice in self.choices)
            documents, said = Documents.of(self.against), described(self.against)
            turn = Turn(Asked.now(question, said, documents, titles), tuple(map(Answering, titles)))
            self.conversation.turns.append(turn)
            if self.input.value == event.value:  # one may have typed on while methods were read
                self.input.clear()
            self.input.remember(self.conversation.questions)
            view = self.answers.add(turn)
            self._at_work = Work(self.conversation, turn, self.choices, self.against, view)
            self._next(self._at_work)

    def action_back(self) -> None:
        """Stop: what is verified stays; otherwise back to the question."""
        work = self._at_work
        if work is None:
            self._early = None
            self.status.say("")
            self.input.focus()
            return
        self.status.say("Stopping …")
        if work.answering.begun and not work.stopping:
            self._engine.cancel()  # the method ends with what it has verified
        else:
            self.runner.stop()
        work.stopping = True

    def action_copy(self) -> None:
        """Copy the newest answer with its citations, as Markdown."""
        if answer := self._answer():
            answer.action_copy()

    def action_trace(self) -> None:
        """Unfold how the newest answer came about, or the one that one is in; or fold it."""
        if answer := self._answer():
            answer.trace.collapsed = not answer.trace.collapsed

    def action_scroll(self, pages: int) -> None:
        """Scroll the conversation."""
        scroll = self.answers.scroll_page_up if pages < 0 else self.answers.scroll_page_down
        scroll()

    def action_into_answers(self) -> None:
        """Go to the newest answer's quotes, or to its trace."""
        if self._answer():
            self.answers.focus_quotes()

    def _answer(self) -> AnswerView | None:
        """The answer that the user is in, else the newest; told if there is none."""
        if self.answers.current is None:
            self.notify("There is no answer yet: ask something first.")
        return self.answers.current

    # What happens

    async def _prepare(self) -> None:
        """Read the methods; what was asked meanwhile is asked then, once."""
        await self._find_best()
        self._methods_read = True
        early, self._early = self._early, None
        if early:
            self.status.say("")
            self._ask(early)

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        if work := self._at_work:
            self.status.follow(message.event)
            for warning in work.answering.take(message.event):
                if warning not in self._warned:
                    self._warned.add(warning)
                    self.notify(neutralise(warning), severity="warning", markup=False)
            self.post_message(self.Stale())

    @on(Runner.Failed)
    def _failed(self, message: Runner.Failed) -> None:
        if work := self._at_work:
            work.answering.failure = (message.message, message.advice)

    @on(Runner.Ended)
    def _ended(self, message: Runner.Ended) -> None:
        work = self._at_work
        if work is None:
            return
        work.stopping |= message.stopped
        if work.advance():
            self._next(work)
            return
        self._at_work = None
        self.status.say("")
        work.view.show()
        if work.turn.answered:
            self.run_worker(self._keep(work.conversation, work.turn))

    @on(AskBase.Stale)
    def _update(self) -> None:
        if self._at_work:
            self._at_work.view.show()

    @on(AnswerView.Copied)
    def _copy(self, event: AnswerView.Copied) -> None:
        report = event.answering.report
        if report is None:
            self.notify("This is no complete answer; there is nothing to copy.")
        else:
            text = answer_markdown.render(report)
            self.run_worker(copy(self.app, text, "the answer and its citations"))

    @on(Source.Opened)
    def _open(self, event: Source.Opened) -> None:
        self.run_worker(open_file(self.notify, event.citation.file))

    def _next(self, work: Work) -> None:
        """Let the next method answer."""
        busy = self._turn.locked()
        self.status.say("Waiting for the work in another room …" if busy else "Starting …")
        work.view.show()
        self.runner.start(work.begin(self._engine, self._paths))
