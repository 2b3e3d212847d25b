"""The Ask view: a conversation with the documents."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import Input

from veracite.engine.conversations import Asked, Conversations
from veracite.engine.errors import USER_ERRORS
from veracite.engine.libraries import Against, Documents
from veracite.engine.paths import Paths
from veracite.engine.settings import Config, load
from veracite.tui.conversation import Answering, Conversation, Turn
from veracite.tui.keys import bindings
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens import prompts
from veracite.tui.screens.method_picker import MethodPicker, Offer, offered_methods
from veracite.tui.screens.view import View
from veracite.tui.service import described
from veracite.tui.widgets.answer import (
    AnswerView,
    AskInput,
    ConversationView,
    ExchangeView,
    ask_subject,
)
from veracite.tui.worker import Latest, Runner, apart


@dataclass
class Work:
    """What is at work: there is one at a time."""

    conversation: Conversation
    """Which the question belongs to."""
    turn: Turn
    """The question, with an answer for each method."""
    against: Against
    view: ExchangeView
    """Where the answers are shown."""
    place: int = 0
    """Which of them is at work."""
    stopping: bool = False
    """Whether the user has had enough."""

    @property
    def answering(self) -> Answering:
        """The answer at work."""
        return self.turn.answers[self.place]


class AskScreen(View):
    """Questions at the bottom, the conversation above.

    Args:
        engine: Does the work.
        turn: Held while it works.
        against: The documents to begin with.
        paths: Where conversations are kept and the settings of methods are found.
        chosen: The methods that answer; none is the best one.
    """

    BINDINGS = bindings("ask")

    class Stale(Latest):
        """What is shown of the answer at work is out of date."""

    def __init__(
        self,
        engine: LocalEngine,
        turn: threading.Lock,
        against: Against,
        paths: Paths,
        chosen: tuple[str, ...] = (),
    ) -> None:
        super().__init__("ask", engine.cancel, turn)
        self.conversation = Conversation()
        self.against = against
        """The documents that answer the next question."""
        self.chosen = chosen
        """The methods that the user chose, one or two; none leaves it to us."""
        self._best: tuple[str, ...] = ()
        """The one that answers then; none until it is known."""
        self._engine = engine
        self._paths = paths
        self._kept = Conversations(paths.conversations)
        self._keeping = asyncio.Lock()
        self._work: Work | None = None
        self.answers = ConversationView()
        self.input = AskInput()

    def body(self) -> ComposeResult:
        """What was said, and below it where questions are written."""
        yield self.answers
        yield self.status
        yield self.input

    def on_mount(self) -> None:
        """Be ready for a question."""
        self.input.focus()

    def on_screen_resume(self) -> None:
        """Another view may have made the library that is meant, or chosen another model."""
        self.run_worker(self._find_best())

    @property
    def choices(self) -> tuple[str, ...]:
        """The methods that answer; none until it is known which is best."""
        return self.chosen or self._best

    def go_by(self, against: Against) -> None:
        """Have these documents answer from the next question on."""
        self.against = against
        self.warned.clear()
        self._say_who_answers()

    def _say_who_answers(self) -> None:
        documents = self._engine.described(self.against)
        self.top.about(ask_subject(self.choices, documents, self._engine.model))

    # What the user asks for

    @on(Input.Submitted, "#question")
    async def _ask(self, event: Input.Submitted) -> None:
        question = event.value.strip()
        if not self.is_free():
            return
        if not question:
            self.notify("There is no question yet: type one.")
        elif self.choices or await self._find_best():
            methods = self.choices
            documents, said = Documents.of(self.against), described(self.against)
            meant = self.conversation.meant(question)
            asked = Asked(question, said, documents, methods, meant if meant != question else "")
            turn = Turn(asked, tuple(map(Answering, methods)))
            self.conversation.turns.append(turn)
            if self.input.value == event.value:  # one may have typed on while methods were read
                self.input.clear()
            self.input.remember(self.conversation.questions)
            view = self.answers.add(turn)
            self._next(Work(self.conversation, turn, self.against, view))

    def action_back(self) -> None:
        """Stop: what is verified stays; otherwise back to the question."""
        work = self._work
        if work is None:
            self.status.say("")
            self.input.focus()
            return
        self.status.say("Stopping …")
        if work.answering.begun and not work.stopping:
            self._engine.cancel()  # the method ends with what it has verified
        else:
            self.runner.stop()
        work.stopping = True

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
        if answer := self._answer():
            answer.focus_quotes()

    def _answer(self) -> AnswerView | None:
        """The answer that the user is in, else the newest; told if there is none."""
        if self.answers.current is None:
            self.notify("There is no answer yet: ask something first.")
        return self.answers.current

    # What happens

    def _next(self, work: Work) -> None:
        """Let the next method answer."""
        self._work = work
        work.view.show()
        method, asked = work.answering.title, work.turn.asked
        ask = partial(self._engine.ask, asked.meant or asked.question, work.against, method)
        self.begin("An answer is being worked on.", ask)

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        if work := self._work:
            self.status.follow(message.event)
            self.warn(work.answering.take(message.event))
            self.post_message(self.Stale())

    @on(Stale)
    def _update(self) -> None:
        if self._work:
            self._work.view.show()

    @on(Runner.Failed)
    def _failed(self, message: Runner.Failed) -> None:
        if work := self._work:
            work.answering.failure = (message.message, message.advice)

    @on(Runner.Ended)
    def _ended(self, message: Runner.Ended) -> None:
        work = self._work
        if work is None:
            return
        work.answering.over = True
        if not (work.stopping or message.stopped) and work.answering is not work.turn.answers[-1]:
            work.place += 1
            self._next(work)
            return
        for answering in work.turn.answers:
            answering.over = True
        self._work, self.at_work = None, ""
        self.status.say("")
        work.view.show()
        if work.turn.answered:
            self.run_worker(self._keep(work.conversation, work.turn))

    # Who answers

    def action_method(self) -> None:
        """Ask which method answers."""

        def chosen(method: str) -> None:
            self._choose(method, *self.choices[1:])

        self._pick("Which method answers?", self.choices[:1], chosen)

    def action_compare(self) -> None:
        """Ask for a second method, which answers each question too."""

        def chosen(method: str) -> None:
            self._choose(*self.choices[:1], *([method] if method else []))

        none = Offer("", "None: one answer")
        self._pick("Compare with which method?", self.choices[1:], chosen, none)

    def action_documents(self) -> None:
        """Ask for the documents that answer."""

        def chosen(documents: Documents | None) -> None:
            self.input.focus()  # what is typed after a choice is a question
            if documents:
                self.go_by(documents.against)

        prompt = prompts.for_documents("Answer from", self.against, self._engine.require)
        self.app.push_screen(prompt, chosen)

    def _config(self) -> Config:
        return load(self._paths, {"model": self._engine.model})

    async def _find_best(self) -> bool:
        """Find out which method answers where none was chosen; False, and told, if none can."""
        self._best = ()
        with self.telling():
            best, *_ = await apart(lambda: offered_methods(self._config()))
            self._best = (best.method,)
        self._say_who_answers()
        return bool(self._best)

    @work
    async def _pick(
        self, title: str, current: tuple[str, ...], chosen: Callable[[str], None], *none: Offer
    ) -> None:
        """Ask for a method."""

        def answered(method: str | None) -> None:
            self.input.focus()
            if method is not None:
                chosen(method)

        with self.telling():
            offers = await apart(lambda: offered_methods(self._config()))
            if self.is_current:  # the user may have gone elsewhere meanwhile
                self.app.push_screen(MethodPicker(title, [*none, *offers], *current), answered)

    def _choose(self, *methods: str) -> None:
        self.chosen = () if methods == self._best else tuple(dict.fromkeys(methods))
        self._say_who_answers()

    # Whole conversations

    def action_new(self) -> None:
        """Begin a new conversation; the one before is kept."""
        self._show(Conversation())

    def action_export(self) -> None:
        """Write the conversation to a file."""
        if reports := self.conversation.reports:
            self.ask(prompts.for_conversation(reports), self.tell_written)
        else:
            self.notify("There is no answer yet: ask something first.")

    async def _keep(self, conversation: Conversation, turn: Turn) -> None:
        async with self._keeping:  # one after the other: the first one names the file
            with self.telling():
                add = partial(self._kept.add, turn.exchange(), conversation.path)
                conversation.path = await apart(add)

    @work
    async def action_past(self) -> None:
        """Choose among the conversations that are kept."""
        kept = await apart(self._kept.listed)
        if self.is_current:  # the user may have gone elsewhere meanwhile
            self.ask(prompts.PastConversations(self._kept, kept), self._reopen)

    @work
    async def _reopen(self, path: Path) -> None:
        with self.telling():
            exchanges = await apart(partial(self._kept.read, path))
            self._show(Conversation(exchanges, path))
            if documents := self.conversation.documents:
                await self._take_up(documents.against)

    async def _take_up(self, against: Against) -> None:
        """Go on with the documents of the conversation, where they are still there."""
        try:
            await apart(partial(self._engine.require, against))
        except USER_ERRORS:
            instead = f"The next question goes to {described(self.against)}; "
            self.notify(
                f"The documents of this conversation are gone: {described(against)}. "
                f"{instead if self.against != against else ''}Ctrl+L chooses others.",
                severity="warning",
            )
        else:
            self.go_by(against)

    def _show(self, conversation: Conversation) -> None:
        """Go to another conversation."""
        self.runner.stop()
        self.conversation = conversation
        self.answers.show(conversation)
        self.input.remember(conversation.questions)
        self.input.focus()
