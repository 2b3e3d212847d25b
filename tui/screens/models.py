"""The Models view: what is here, what fits, what is in use and for what."""

import threading
from collections.abc import Awaitable, Callable, Generator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import OptionList, Static

from veracite.engine.errors import USER_ERRORS
from veracite.engine.events import Event
from veracite.engine.paths import Paths
from veracite.models.files import size_in_words
from veracite.tui.keys import bindings
from veracite.tui.screens.info import Fitted
from veracite.tui.screens.prompts import Confirmation, for_address, for_model_import
from veracite.tui.screens.view import View
from veracite.tui.service import Asks, ModelTold, ModelWork, Moved, advice
from veracite.tui.widgets.models_list import (
    ModelsList,
    memory_text,
    model_text,
    models_in_use,
)
from veracite.tui.widgets.panes import Panes
from veracite.tui.worker import Runner, apart

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

    BINDINGS: ClassVar[list[BindingType]] = bindings("models")

    def __init__(
        self, paths: Paths, hand_over: Callable[[_Models, _Models], Awaitable[None]]
    ) -> None:
        super().__init__("models", lambda: None, threading.Lock())
        self.models: _Models = ()
        self.free = 0
        """Bytes of memory."""
        self.at_work: str | None = None
        """What is being done, as a sentence; one thing at a time."""
        self._when_stopped = ""
        """What to say of it once the user has stopped it."""
        self._arrived: str | None = None
        """The name of a model that is to be highlighted when the list is shown again."""
        self._paths = paths
        self._hand_over = hand_over
        self.in_use = Static(id="in-use")
        self.list = ModelsList(id="models-list")
        self.about = Fitted(id="model-about")
        self.beside = VerticalScroll(self.about, id="model")
        left = Vertical(self.in_use, self.list, id="models-left")
        self.panes = Panes(left, self.beside, (38, 40), id="panes")

    def body(self) -> ComposeResult:
        """The list, and what is known of the model that is highlighted."""
        yield self.panes
        yield self.status

    @cached_property
    def _service(self) -> "ModelService":
        """Made when it is first needed, which takes longer than to draw the screen."""
        from veracite.tui.model_service import ModelService

        return ModelService(self._paths)

    def action_refresh_list(self) -> None:
        """Look again what there is."""
        self.run_worker(self._look(), exclusive=True, group="look")

    async def _look(self) -> None:
        try:
            models, free = await apart(lambda: self._service.listed())
        except USER_ERRORS as error:
            self._tell(f"{error.message} {advice(error)}", good=False)
            return
        before, self.models, self.free = self.models, models, free
        self.top.about(memory_text(free))
        self.in_use.update(models_in_use(models))
        self.list.show(models, free, self._arrived)
        self._arrived = None
        self._show_model()
        if before:
            await self._hand_over(before, models)

    # What is shown

    def _show_model(self) -> None:
        if model := self.list.model:
            self.about.fit(partial(model_text, model, self.free))

    def _highlighted_model(self) -> "Listed | None":
        """The highlighted model; told if there is none."""
        if self.list.model is None:
            self.notify("The models are not listed yet; F5 looks again what there is.")
        return self.list.model

    def _stored(self, what: str) -> "Listed | None":
        """The highlighted model, if it is in the store; else it is told that it must be."""
        model = self._highlighted_model()
        if model is not None and model.state != "stored":
            self.notify(f"{model.name} is not in the store: only what is there can be {what}.")
            return None
        return model

    def _tell(self, words: str, good: bool = True) -> None:
        if good or not self.is_current:  # an error is in the line below, to its end
            self.notify(words, severity="information" if good else "error")
        self.status.say(words, error=not good)

    def on_mount(self) -> None:
        """Look what there is."""
        self.list.focus()
        self.call_after_refresh(self.action_refresh_list)

    # What the user asks for

    def action_use(self) -> None:
        """Use the highlighted model; one that is in use already no longer."""
        model = self._highlighted_model()
        if model is None:
            return
        if not model.in_use:
            self._change(lambda: self._service.use(model), f"{model.name} is used from now on.")
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
        model = self._highlighted_model()
        if model is None or (model.state != "partial" and not self._stored("removed")):
            return
        size = f" {size_in_words(model.size)} on the disk are freed." if model.size else ""

        def answered(yes: bool | None) -> None:
            if yes:
                removed = f"{model.name} is removed."
                self._change(lambda: self._service.remove(model.name), removed)

        prompt = Confirmation("Remove a model", f"Remove {model.name} for good?{size}", "Remove")
        self.app.push_screen(prompt, answered)

    def action_grow(self, by: int) -> None:
        """Give what is known of a model so much more of the screen, in per cent."""
        self.panes.grow(by)

    @on(OptionList.OptionHighlighted, "#models-list")
    def _highlighted(self) -> None:
        self._show_model()
        self.beside.scroll_home(animate=False)

    def _change(self, change: Callable[[], None], told: str) -> None:
        """Change something that is soon done."""

        async def carry_out() -> None:
            try:
                await apart(change)
            except USER_ERRORS as error:
                self._tell(f"{error.message} {advice(error)}", good=False)
            else:
                self._tell(told)
                self.action_refresh_list()

        self.run_worker(carry_out())

    # Downloads, bundles, verifying

    def action_pull(self) -> None:
        """Download the highlighted model, or go on with it."""
        model = self._highlighted_model()
        if model is None:
            return
        if model.state not in ("known", "partial"):
            self.notify(f"{model.name} is here already.")
        elif (address := self._service.address(model)) is not None:
            self._pull(address)
        else:
            again = f"{model.name} was begun by its name on the hub; enter it again."
            self.action_pull_other(again)

    def action_pull_other(self, reason: str = "") -> None:
        """Download a model that the list does not know."""

        def entered(address: str | None) -> None:
            if address:
                self._pull(address)

        self.app.push_screen(for_address(reason), entered)

    def action_bring(self) -> None:
        """Import from a path; an encoder of another application from where it is."""

        def entered(path: Path | None) -> None:
            if path is not None:
                self._begin(f"{path.name} is being imported.", lambda: self._service.bring(path))

        model = self.list.model
        found = model.path if model and model.state == "found" else None
        self.app.push_screen(for_model_import(found), entered)

    def action_verify(self) -> None:
        """Check the files of the highlighted model."""
        if model := self._stored("verified"):
            self._begin("Files are being verified.", lambda: self._service.verify(model.name))

    def action_stop(self) -> None:
        """Stop what is being done."""
        if self.at_work:
            self.status.say("Stopping …")
            self.runner.stop()

    def _pull(self, address: str, *, agreed: bool = False) -> None:
        self._begin(
            f"{address} is being downloaded.",
            lambda: self._service.pull(address, agreed=agreed),
            "What was downloaded is kept, and p goes on with it.",
        )

    def _begin(
        self, what: str, work: Callable[[], ModelWork], when_stopped: str = "Nothing was changed."
    ) -> None:
        """Begin something that takes long, unless something else is being done."""
        if self.at_work:
            self.notify(f"{self.at_work} Escape stops it.")
            return
        self.at_work, self._when_stopped = what, when_stopped
        self.status.say("Starting …")
        # The runner takes any events; what it knows by name are the engine's.
        self.runner.start(cast("Callable[[], Generator[Event, None, None]]", work))

    # What happens

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        match cast("str | Asks | Moved | ModelTold", message.event):
            case Moved() as moved:
                self.status.follow(moved)
            case ModelTold(words, good, arrived):
                self._tell(words, good)
                self._arrived = arrived
            case Asks(address, question):

                def answered(yes: bool | None) -> None:
                    if yes:
                        self._pull(address, agreed=True)

                self.status.say("")
                prompt = Confirmation("A large download", question, "Download")
                self.app.push_screen(prompt, answered)
            case words:
                self.status.say(words)

    @on(Runner.Failed)
    def _failed(self, message: Runner.Failed) -> None:
        self._tell(f"{message.message} {message.advice}", good=False)

    @on(Runner.Ended)
    def _ended(self, message: Runner.Ended) -> None:
        self.at_work = None
        if message.stopped:
            self.status.say(f"Stopped. {self._when_stopped}")
        self.action_refresh_list()
