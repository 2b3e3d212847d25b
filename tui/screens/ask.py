"""The Ask room: a conversation with the documents."""

import asyncio
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Input

from veracite.engine.conversations import Asked, Conversations
from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.paths import Paths
from veracite.engine.report import answer_markdown
from veracite.tui import conversation_methods as methods
from veracite.tui import conversation_sheets as sheets
from veracite.tui.conversation import Answering, Choice, Conversation, Turn
from veracite.tui.conversation_methods import ChangesModel
from veracite.tui.conversation_work import Work
from veracite.tui.documents import described
from veracite.tui.engine import Against, Engine
from veracite.tui.screens import ask_prompts as prompts
from veracite.tui.screens.ask_keys import ASK_KEYS
from veracite.tui.screens.ask_methods import Chosen, MethodPicker
from veracite.tui.screens.ask_past import PastConversations
from veracite.tui.screens.passage import open_file
from veracite.tui.widgets.ask_answer import AnswerView
from veracite.tui.widgets.ask_conversation import ConversationView
from veracite.tui.widgets.ask_input import AskInput
from veracite.tui.widgets.ask_source import Source
from veracite.tui.widgets.ask_status import AskStatus
from veracite.tui.widgets.room_bar import RoomBar
from veracite.tui.worker import Runner, apart

__all__ = ["AskScreen"]


class AskScreen(Screen[None]):
    """Questions at the bottom, the conversation above.

    Args:
        engine: Does the work.
        turn: Held while it works.
        against: The documents to begin with.
        paths: Where conversations are kept and the settings of methods are found.
    """

    # Textual declares it in a way that mypy takes for an instance's.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012

    BINDINGS: ClassVar[list[BindingType]] = [*ASK_KEYS]

    class Stale(Message):
        """What is shown of the answer at work is out of date; of several in a row one is enough."""

        def can_replace(self, message: Message) -> bool:
            """Whether this one makes the other superfluous."""
            return isinstance(message, AskScreen.Stale)

    def __init__(
        self, engine: Engine, turn: threading.Lock, against: Against, paths: Paths
    ) -> None:
        super().__init__()
        self.conversation = Conversation()
        self._against = against
        self.choices: tuple[Choice, ...] = ()
        """The methods that answer, one or two; none until it is known which is best."""
        self.runner = Runner(engine.cancel, self.post_message, turn)
        self._engine = engine
        self._turn = turn
        self._paths = paths
        self._kept = Conversations(paths.conversations)
        self._keeping = asyncio.Lock()
        self._at_work: Work | None = None
        self.top = RoomBar("ask", id="top")
        self.answers = ConversationView(id="conversation")
        self.status = AskStatus(id="status")
        self.input = AskInput(id="question")

    def compose(self) -> ComposeResult:
        """What was said, and below it where questions are written."""
        yield self.top
        yield self.answers
        yield self.status
        yield self.input
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Be ready for a question."""
        self.input.focus()
        self._say_who_answers()
        self.run_worker(self._find_best())

    def on_unmount(self) -> None:
        """Stop what is running; nobody waits for it."""
        self.runner.stop()

    @property
    def against(self) -> Against:
        """The documents that answer the next question."""
        return self._against

    @against.setter
    def against(self, against: Against) -> None:
        self._against = against
        self._say_who_answers()

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
        elif not self.choices:
            self.notify("No method is chosen yet. Press Enter again, or Ctrl+T to choose one.")
        else:
            answers = tuple(Answering(choice.title) for choice in self.choices)
            turn = Turn(Asked.now(question, described(self.against)), answers)
            self.conversation.turns.append(turn)
            self.input.clear()
            self.input.remember(self.conversation.questions)
            view = self.answers.add(turn)
            self._at_work = Work(self.conversation, turn, self.choices, self.against, view)
            self._next(self._at_work)

    def action_back(self) -> None:
        """Stop: what is verified stays; otherwise back to the question."""
        work = self._at_work
        if work is None:
            self.input.focus()
            return
        self.status.say("Stopping …")
        if work.answering.begun and not work.stopping:
            self._engine.cancel()  # the method ends with what it has verified
        else:
            self.runner.stop()
        work.stopping = True

    def action_method(self) -> None:
        """Ask which method answers."""

        def chosen(choices: Chosen | None) -> None:
            if choices:
                self._choose(choices + self.choices[1:])

        self._pick("Which method answers?", self.choices[:1], None, chosen)

    def action_compare(self) -> None:
        """Ask for a second method, which answers each question too."""

        def chosen(choices: Chosen | None) -> None:
            if choices is not None:
                self._choose(self.choices[:1] + choices)

        self._pick("Compare with which method?", self.choices[1:], "None: one answer", chosen)

    def action_model(self) -> None:
        """Ask for the language model."""
        if not isinstance(self._engine, ChangesModel):
            self.notify("The model is chosen with --model or in the config file.")
        elif self._at_work:
            self.notify("An answer is being worked on. Escape stops it.")
        else:
            self.app.push_screen(prompts.for_model(self._engine.model, self._model_entered))

    def action_documents(self) -> None:
        """Ask for the documents that answer."""
        self.app.push_screen(prompts.for_documents(self.against, self._documents_entered))

    def action_new(self) -> None:
        """Begin a new conversation; the one before is kept."""
        self._show(Conversation())

    def action_past(self) -> None:
        """Choose among the conversations that are kept."""
        self.run_worker(self._offer_past())

    def action_export(self) -> None:
        """Write the conversation to a file."""
        try:
            reports = self.conversation.reports
        except USER_ERRORS as error:
            self.notify(f"{error.message} {error.advice}")
            return
        self.app.push_screen(prompts.for_export(reports), self._exported)

    def action_copy(self) -> None:
        """Copy the newest answer with its citations, as Markdown."""
        if answer := self.answers.current:
            answer.action_copy()
        else:
            self.notify("There is no answer yet: ask something first.")

    def action_trace(self) -> None:
        """Unfold how the newest answer came about, or the one that one is in; or fold it."""
        if answer := self.answers.current:
            answer.trace.collapsed = not answer.trace.collapsed

    def action_scroll(self, pages: int) -> None:
        """Scroll the conversation."""
        scroll = self.answers.scroll_page_up if pages < 0 else self.answers.scroll_page_down
        scroll()

    def action_into_answers(self) -> None:
        """Go to the newest answer's quotes, or to its trace."""
        self.answers.focus_quotes()

    # What happens

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        if work := self._at_work:
            self.status.follow(message.event)
            for warning in work.answering.take(message.event):
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

    @on(Stale)
    def _update(self) -> None:
        if self._at_work:
            self._at_work.view.show()

    @on(AnswerView.Copied)
    def _copy(self, event: AnswerView.Copied) -> None:
        report = event.answering.report
        if report is None:
            self.notify("This is no complete answer; there is nothing to copy.")
        else:
            self.app.copy_to_clipboard(answer_markdown.render(report))
            self.notify("Copied the answer and its citations.")

    @on(Source.Opened)
    def _open(self, event: Source.Opened) -> None:
        self.run_worker(open_file(self.notify, event.citation.file))

    async def _keep(self, conversation: Conversation, turn: Turn) -> None:
        async with self._keeping:  # one after the other: the first one names the file
            try:
                add = partial(self._kept.add, turn.exchange(), conversation.path)
                conversation.path = await apart(add)
            except USER_ERRORS as error:
                self._complain(error)

    async def _find_best(self) -> None:
        try:
            self.choices = (await apart(partial(methods.best, self._paths, self._model)),)
        except USER_ERRORS as error:
            self._complain(error)
        self._say_who_answers()

    async def _offer_past(self) -> None:
        kept = await apart(self._kept.listed)
        if self.is_current:  # the user may have gone elsewhere meanwhile
            self.app.push_screen(PastConversations(self._kept, kept), self._past_chosen)

    def _past_chosen(self, path: Path | None) -> None:
        if path is not None:
            self.run_worker(self._reopen(path))

    async def _reopen(self, path: Path) -> None:
        try:
            exchanges = await apart(partial(self._kept.read, path))
        except USER_ERRORS as error:
            self._complain(error)
        else:
            self._show(Conversation(exchanges, path))

    async def _documents_entered(self, against: Against) -> None:
        await apart(partial(self._engine.require, against))
        self.against = against

    async def _model_entered(self, file: str | None) -> None:
        assert isinstance(self._engine, ChangesModel)
        self._engine.use_model(file)
        self._say_who_answers()

    def _exported(self, path: Path | None) -> None:
        if path is not None:
            self.notify(f"Wrote {neutralise(str(path))}.", markup=False)

    # What is shown

    @property
    def _model(self) -> str | None:
        return self._engine.model if isinstance(self._engine, ChangesModel) else None

    def _next(self, work: Work) -> None:
        """Let the next method answer."""
        busy = self._turn.locked()
        self.status.say("Waiting for the work in another room …" if busy else "Starting …")
        work.view.show()
        self.runner.start(work.begin(self._engine, self._paths))

    def _pick(
        self, title: str, current: Sequence[Choice], without: str | None, chosen: prompts.Take
    ) -> None:
        async def ask() -> None:
            offers = await apart(methods.offers)
            if self.is_current:  # the user may have gone elsewhere meanwhile
                picker = MethodPicker(title, offers, next(iter(current), None), without)
                self.app.push_screen(picker, chosen)

        self.run_worker(ask())

    def _choose(self, choices: tuple[Choice, ...]) -> None:
        self.choices = tuple(dict.fromkeys(choices))
        self._say_who_answers()

    def _show(self, conversation: Conversation) -> None:
        """Go to another conversation."""
        self.runner.stop()
        self.conversation = conversation
        self.answers.show(conversation)
        self.input.remember(conversation.questions)
        self.input.focus()

    def _say_who_answers(self) -> None:
        titles = [choice.title for choice in self.choices]
        self.top.about(sheets.subject(titles, described(self.against), self._model))

    def _complain(self, error: Exception) -> None:
        self.notify(neutralise(str(error)), severity="error", markup=False)
