"""The Models view: what is here, what fits, what is in use and for what."""

import threading
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.widgets import OptionList, Static

from veracite.engine.paths import Paths
from veracite.models.files import size_in_words
from veracite.tui.keys import bindings
from veracite.tui.screens import prompts
from veracite.tui.screens.view import View
from veracite.tui.service import UNTESTED
from veracite.tui.widgets.fitted import Fitted
from veracite.tui.widgets.models_list import ModelsList, memory_text, model_text
from veracite.tui.worker import Runner, Work, apart

if TYPE_CHECKING:
    from veracite.models.store.catalogue import Listed
    from veracite.tui.model_service import ModelService

_Models = tuple["Listed", ...]


class ModelsScreen(View):
    """All models in a list, and beside it what is known of one.

    Args:
        paths: Where the models are kept.
        hand_over: Lets the engine work with what is used now; is called with the models that were
            listed before and with those that are.
    """

    BINDINGS = bindings("models")

    def __init__(
        self, paths: Paths, hand_over: Callable[[_Models, _Models], Awaitable[None]]
    ) -> None:
        super().__init__("models", lambda: self._service.cancel(), threading.Lock())
        self.models: _Models = ()
        self.free = 0
        """Bytes of memory."""
        self.exams: Mapping[str, str] = {}
        """What came of the exams of language models, by their names."""
        self._when_stopped = ""
        """What to say of the work once the user has stopped it."""
        self._arrived: str | None = None
        """The name of a model that is to be highlighted when the list is shown again."""
        self._paths = paths
        self._hand_over = hand_over
        self.list = ModelsList()
        self.about = Fitted(id="model-about")
        self.beside = VerticalScroll(self.about, id="model")

    def body(self) -> ComposeResult:
        """The list, and what is known of the model that is highlighted."""
        yield Container(self.list, Static(id="border"), self.beside, id="panes")
        yield self.status

    @cached_property
    def _service(self) -> "ModelService":
        """Made when it is first needed, which takes longer than to draw the screen."""
        from veracite.tui.model_service import ModelService

        return ModelService(self._paths)

    def on_mount(self) -> None:
        """Look what there is."""
        self.list.focus()
        self.call_after_refresh(self.action_refresh_list)

    @work(exclusive=True, group="look")
    async def action_refresh_list(self) -> None:
        """Look again what there is."""
        with self.telling():
            models, free, exams = await apart(lambda: self._service.listed())
            before, self.models, self.free, self.exams = self.models, models, free, exams
            self.top.about(memory_text(free))
            self.list.show(models, free, self._arrived)
            self._arrived = None
            self._show_model()
            if before:
                await self._hand_over(before, models)

    @on(OptionList.OptionHighlighted, "#models-list")
    def _highlighted(self) -> None:
        self._show_model()
        self.beside.scroll_home(animate=False)

    def _show_model(self) -> None:
        if model := self.list.model:
            self.about.fit(partial(model_text, model, self.free, self.exams.get(model.name)))

    def _highlighted_model(self, *states: str) -> "Listed | None":
        """The highlighted model, if it is in one of these states; told if there is none."""
        model = self.list.model
        if model is None:
            self.notify("The models are not listed yet; F5 looks again what there is.")
        elif states and model.state not in states:
            self.notify(
                f"{model.name} is not in the store: only what is there can be verified or removed."
            )
            return None
        return model

    # What the user asks for

    def action_use(self) -> None:
        """Use the highlighted model; one that is in use already no longer."""
        model = self._highlighted_model()
        if model is None:
            return
        if not model.in_use:
            untested = self.exams.get(model.name) == UNTESTED
            offer = " t gives it the exam without which it has no say." if untested else ""
            told = f"{model.name} is used from now on.{offer}"
            self._change(lambda: self._service.use(model), told)
        elif model.state == "bundled":
            self.notify(f"{model.name} is in use already.")
        else:
            no_longer = f"{model.name} is not used now."
            self._change(lambda: self._service.use_none(model.kind), no_longer)

    def action_use_none(self) -> None:
        """Go back to the models that are part of Veracite."""
        self._change(lambda: self._service.use_none(), "Only what is part of Veracite is used.")

    def action_remove(self) -> None:
        """Remove the highlighted model, after a yes."""
        if model := self._highlighted_model("stored"):
            size = f" {size_in_words(model.size)} on the disk are freed." if model.size else ""
            question = f"Remove {model.name} for good?{size}"
            remove = partial(
                self._change, lambda: self._service.remove(model.name), f"{model.name} is removed."
            )
            self.confirm("Remove a model", question, "Remove", remove)

    @work
    async def _change(self, change: Callable[[], None], told: str) -> None:
        """Change something that is soon done."""
        with self.telling():
            await apart(change)
            self.tell(told)
            self.action_refresh_list()

    # Downloads, bundles, verifying

    def action_pull(self) -> None:
        """Download the highlighted model, or go on with it."""
        model = self._highlighted_model()
        if model is not None and model.state != "known":
            self.notify(f"{model.name} is here already.")
        elif model is not None:
            size = f", {size_in_words(model.size)}" if model.size else ""
            question = f"{model.name} comes from the hub, over the network{size}."
            pull = partial(self._pull, model.name, agreed=True)
            self.confirm("Download a model", question, "Download", pull)

    def action_pull_other(self) -> None:
        """Download a model that the list does not know."""
        self.ask(prompts.for_address(), self._pull)

    def action_bring(self) -> None:
        """Import from a path; an encoder of another application from where it is."""

        def entered(path: Path) -> None:
            self._begin(f"{path.name} is being imported.", lambda: self._service.bring(path))

        model = self.list.model
        found = model.path if model and model.state == "found" else None
        self.ask(prompts.for_model_import(found), entered)

    def action_verify(self) -> None:
        """Check the files of the highlighted model."""
        if model := self._highlighted_model("stored"):
            self._begin("Files are being verified.", lambda: self._service.verify(model.name))

    def action_test(self) -> None:
        """Have the highlighted language model take its exam."""
        model = self._highlighted_model()
        if model is not None and model.name not in self.exams:
            self.notify(f"{model.name} is no language model that is here: only those are tested.")
        elif model is not None:
            self._begin(f"{model.name} takes its exam.", lambda: self._service.test(model))

    def action_stop(self) -> None:
        """Stop what is being done."""
        if self.at_work:
            self.status.say("Stopping …")
            self.runner.stop()

    def _pull(self, address: str, *, agreed: bool = False) -> None:
        self._begin(
            f"{address} is being downloaded.",
            lambda: self._service.pull(address, agreed=agreed),
            "What was downloaded is kept, and the same download goes on with it.",
        )

    def _begin(self, what: str, work: Work, when_stopped: str = "Nothing was changed.") -> None:
        """Begin something that takes long, unless something else is being done."""
        if self.is_free():
            self._when_stopped = when_stopped
            self.begin(what, work)

    # What happens

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        from veracite.tui.model_service import Asks, Told

        match message.event:
            case str(words):
                self.status.say(words)
            case Told(words, arrived):
                self.tell(words)
                self._arrived = arrived
            case Asks(address, question):
                self.status.say("")
                pull = partial(self._pull, address, agreed=True)
                self.confirm("A large download", question, "Download", pull)
            case how_far:
                self.status.follow(how_far)

    @on(Runner.Failed)
    def _failed(self, message: Runner.Failed) -> None:
        self.tell(message.said, error=True)

    @on(Runner.Ended)
    def _ended(self, message: Runner.Ended) -> None:
        self.at_work = ""
        if message.stopped:
            self.status.say(f"Stopped. {self._when_stopped}")
        self.action_refresh_list()
