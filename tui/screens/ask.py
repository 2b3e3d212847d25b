"""The Ask view: a conversation with the documents."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from veracite.engine.conversations import Asked, Conversations
from veracite.engine.errors import USER_ERRORS
from veracite.engine.libraries import Documents
from veracite.engine.paths import Paths
from veracite.tui.conversation import Answering, Choice, Conversation, Turn
from veracite.tui.keys import bindings
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.method_picker import (
    Chosen,
    MethodPicker,
    ask_method,
    best_method,
    offered_methods,
)
from veracite.tui.screens.prompts import (
    PastConversations,
    for_conversation,
    for_documents,
    for_model,
)
from veracite.tui.screens.view import View
from veracite.tui.service import Against, described
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
    choices: tuple[Choice, ...]
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

    BINDINGS: ClassVar[list[BindingType]] = bindings("ask")

    class Stale(Latest):
        """What is shown of the answer at work is out of date."""

    def __init__(
        self,
        engine: LocalEngine,
        turn: threading.Lock,
        against: Against,
        paths: Paths,
        chosen: tuple[Choice, ...] = (),
    ) -> None:
        super().__init__("ask", engine.cancel, turn)
        self.conversation = Conversation()
        self._against = against
        self.chosen = chosen
        """The methods that the user chose, one or two; none leaves it to us."""
        self._best: tuple[Choice, ...] = ()
        """The one that answers then; none until it is known."""
        self._engine = engine
        self._paths = paths
        self._kept = Conversations(paths.conversations)
        self._keeping = asyncio.Lock()
        self._at_work: Work | None = None
        self.answers = ConversationView(id="conversation")
        self.input = AskInput(id="question")

    def body(self) -> ComposeResult:
        """What was said, and below it where questions are written."""
        yield self.answers
        yield self.status
        yield self.input

    def on_screen_resume(self) -> None:
        """Another view may have made the library that is meant."""
        self._say_who_answers()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The methods that answer; none until it is known which is best."""
        return self.chosen or self._best

    @property
    def against(self) -> Against:
        """The documents that answer the next question."""
        return self._against

    @against.setter
    def against(self, against: Against) -> None:
        self._against = against
        self.warned.clear()
        self._say_who_answers()

    def _say_who_answers(self) -> None:
        titles = [choice.title for choice in self.choices]
        documents = self._engine.described(self.against)
        self.top.about(ask_subject(titles, documents, self._engine.model))

    def on_mount(self) -> None:
        """Be ready for a question."""
        self.input.focus()
        self._say_who_answers()
        self.run_worker(self._find_best())

    # What the user asks for

    @on(Input.Submitted, "#question")
    async def _ask(self, event: Input.Submitted) -> None:
        question = event.value.strip()
        if self._at_work:
            self.notify("An answer is being worked on. Escape stops it.")
        elif not question:
            self.notify("There is no question yet: type one.")
        elif self.choices or await self._find_best():
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
        if answer := self._answer():
            answer.focus_quotes()

    def _answer(self) -> AnswerView | None:
        """The answer that the user is in, else the newest; told if there is none."""
        if self.answers.current is None:
            self.notify("There is no answer yet: ask something first.")
        return self.answers.current

    # What happens

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        if work := self._at_work:
            self.status.follow(message.event)
            self.warn(work.answering.take(message.event))
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
        work.answering.over = True
        if not (work.stopping or message.stopped) and work.answering is not work.turn.answers[-1]:
            work.place += 1
            self._next(work)
            return
        for answering in work.turn.answers:
            answering.over = True
        self._at_work = None
        self.status.say("")
        work.view.show()
        if work.turn.answered:
            self.run_worker(self._keep(work.conversation, work.turn))

    @on(Stale)
    def _update(self) -> None:
        if self._at_work:
            self._at_work.view.show()

    def _next(self, work: Work) -> None:
        """Let the next method answer."""
        busy = self.turn.locked()
        self.status.say("Waiting for the work in another view …" if busy else "Starting …")
        work.view.show()
        question, choice = work.turn.asked.question, work.choices[work.place]
        self.runner.start(
            partial(ask_method, self._engine, question, work.against, choice, self._paths)
        )

    # Who answers

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
        if self._at_work:
            self.notify("An answer is being worked on. Escape stops it.")
        else:
            self.app.push_screen(for_model(self._engine.model), self._model_chosen)

    def action_documents(self) -> None:
        """Ask for the documents that answer."""

        def chosen(documents: Documents | None) -> None:
            self.input.focus()  # what is typed after a choice is a question
            if documents:
                self.against = documents.against

        prompt = for_documents("Answer from", self.against, self._engine.require)
        self.app.push_screen(prompt, chosen)

    def _model_chosen(self, file: str | None) -> None:
        self.input.focus()
        if file is not None:
            self._engine.use_model(file or None)
            self.run_worker(self._find_best())

    async def _find_best(self) -> bool:
        """Find out which method answers where none was chosen; False, and told, if none can."""
        self._best = ()
        with self.telling():
            self._best = (await apart(partial(best_method, self._paths, self._engine.model)),)
        self._say_who_answers()
        return bool(self._best)

    def _pick(
        self,
        title: str,
        current: Sequence[Choice],
        without: str | None,
        chosen: Callable[[Chosen | None], None],
    ) -> None:
        def answered(choices: Chosen | None) -> None:
            self.input.focus()
            chosen(choices)

        async def ask() -> None:
            with self.telling():
                answers = next(iter(self.choices), None) if without else None
                offer = partial(offered_methods, self._paths, self._engine.model, answers)
                offers = await apart(offer)
                if self.is_current:  # the user may have gone elsewhere meanwhile
                    picker = MethodPicker(title, offers, next(iter(current), None), without)
                    self.app.push_screen(picker, answered)

        self.run_worker(ask())

    def _choose(self, choices: tuple[Choice, ...]) -> None:
        self.chosen = () if choices == self._best else tuple(dict.fromkeys(choices))
        self._say_who_answers()

    # Whole conversations

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
        first = self.conversation.turns[0].asked.question
        self.app.push_screen(for_conversation(first, reports), self.tell_written)

    async def _keep(self, conversation: Conversation, turn: Turn) -> None:
        async with self._keeping:  # one after the other: the first one names the file
            with self.telling():
                add = partial(self._kept.add, turn.exchange(), conversation.path)
                conversation.path = await apart(add)

    async def _offer_past(self) -> None:
        kept = await apart(self._kept.listed)
        if self.is_current:  # the user may have gone elsewhere meanwhile
            self.app.push_screen(PastConversations(self._kept, kept), self._past_chosen)

    def _past_chosen(self, path: Path | None) -> None:
        if path is not None:
            self.run_worker(self._reopen(path))

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
            self.against = against

    def _show(self, conversation: Conversation) -> None:
        """Go to another conversation."""
        self.runner.stop()
        self.conversation = conversation
        self.answers.show(conversation)
        self.input.remember(conversation.questions)
        self.input.focus()
