"""The Models view: what is here, what fits, what is in use and for what."""

import threading
from collections.abc import Awaitable, Callable, Generator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static

from veracite.engine.errors import USER_ERRORS
from veracite.engine.events import Event
from veracite.models.files import size_in_words
from veracite.tui.keys import bindings
from veracite.tui.screens.info import Fitted, InfoScreen
from veracite.tui.screens.prompts import Confirmation, for_address, for_bundle, for_model_import
from veracite.tui.service import Asks, Doing, ModelTold, ModelWork, Moved, advice
from veracite.tui.widgets.models_list import (
    ModelsList,
    files_text,
    memory_text,
    model_text,
    models_in_use,
    not_stored,
    with_files,
)
from veracite.tui.widgets.panes import BREAKPOINTS, Panes
from veracite.tui.widgets.status_line import StatusLine
from veracite.tui.widgets.view_bar import ViewBar
from veracite.tui.worker import Runner, apart

if TYPE_CHECKING:
    from veracite.models.store.catalogue import Listed
    from veracite.tui.model_service import ModelService

_Models = tuple["Listed", ...]


class ModelsScreen(Screen[None]):
    """All models in a list, and beside it what is known of one.

    Args:
        service: Makes what does what is asked for here, when it is first needed: that takes longer
            than to draw the screen.
        hand_over: Lets the engine work with what is used now; is called with the models that were
            listed before and with those that are.
    """

    # Textual declares it in a way that mypy takes for an instance's.
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS

    BINDINGS: ClassVar[list[BindingType]] = bindings("models")

    def __init__(
        self,
        service: Callable[[], "ModelService"],
        hand_over: Callable[[_Models, _Models], Awaitable[None]],
    ) -> None:
        super().__init__()
        self.models: _Models = ()
        self.free = 0
        """Bytes of memory."""
        self.at_work: str | None = None
        """What is being done, as a sentence; one thing at a time."""
        self._when_stopped = ""
        """What to say of it once the user has stopped it."""
        self._arrived: str | None = None
        """The name of a model that is to be highlighted when the list is shown again."""
        self.runner = Runner(lambda: None, self.post_message, threading.Lock())
        self._made = cache(service)
        self._hand_over = hand_over
        self.top = ViewBar("models", id="top")
        self.in_use = Static(id="in-use")
        self.list = ModelsList(id="models-list")
        self.about = Fitted(id="model-about")
        self.beside = VerticalScroll(self.about, id="model")
        left = Vertical(self.in_use, self.list, id="models-left")
        self.panes = Panes(left, self.beside, (38, 40), id="panes")
        self.status = StatusLine(id="status")

    def compose(self) -> ComposeResult:
        """The list, and what is known of the model that is highlighted."""
        yield self.top
        yield self.panes
        yield self.status
        yield Footer(compact=True, show_command_palette=False)

    @property
    def _service(self) -> "ModelService":
        return self._made()

    def action_refresh_list(self) -> None:
        """Look again what there is."""
        self.run_worker(self._look(), exclusive=True, group="look")

    async def _look(self) -> None:
        try:
            models, free = await apart(lambda: self._service.listed())
        except USER_ERRORS as error:
            self._complain(error.message, advice(error))
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
            self.notify(not_stored(model, what))
            return None
        return model

    def _tell(self, words: str, good: bool = True) -> None:
        if good or not self.is_current:  # an error is in the line below, to its end
            self.notify(words, severity="information" if good else "error")
        self.status.say(words, error=not good)

    def _complain(self, message: str, advice: str) -> None:
        self._tell(f"{message} {advice}", good=False)

    def on_mount(self) -> None:
        """Look what there is."""
        self.list.focus()
        self.call_after_refresh(self.action_refresh_list)

    def on_unmount(self) -> None:
        """Stop what is running; nobody waits for it."""
        self.runner.stop()

    # What the user asks for

    def action_use(self) -> None:
        """Use the highlighted model; one that is in use already no longer."""
        model = self._highlighted_model()
        if model is None:
            return
        if model.in_use and model.state == "bundled":
            self.notify(f"{model.name} is in use already.")
        elif model.in_use:
            self._change(
                partial(self._service.use_none, model.kind), f"{model.name} is not used now."
            )
        else:
            self._change(partial(self._service.use, model), f"{model.name} is used from now on.")

    def action_use_none(self) -> None:
        """Go back to the models that are part of Veracite."""
        self._change(self._service.use_none, "Only what is part of Veracite is used.")

    def action_remove(self) -> None:
        """Remove the highlighted model, after a yes."""
        model = self._highlighted_model()
        if model is None or (model.state != "partial" and not self._stored("removed")):
            return
        size = f" {size_in_words(model.size)} on the disk are freed." if model.size else ""

        def answered(yes: bool | None) -> None:
            if yes:
                self._change(partial(self._service.remove, model), f"{model.name} is removed.")

        prompt = Confirmation("Remove a model", f"Remove {model.name} for good?{size}", "Remove")
        self.app.push_screen(prompt, answered)

    def action_details(self) -> None:
        """Show everything about the highlighted model, its files too."""
        model = self._highlighted_model()
        if model is None:
            return
        files = Content("")
        try:
            if manifest := self._service.manifest(model):
                files = files_text(manifest)
        except USER_ERRORS as error:
            self._complain(error.message, advice(error))
        about = partial(model_text, model, self.free)
        laid_out = partial(with_files, about, files)
        self.app.push_screen(InfoScreen("Model", laid_out))

    def action_grow(self, by: int) -> None:
        """Give what is known of a model so much more of the screen, in per cent."""
        self.panes.grow(by)

    @on(OptionList.OptionHighlighted, "#models-list")
    def _highlighted(self) -> None:
        self._show_model()
        self.beside.scroll_home(animate=False)

    def _change(self, change: Callable[[], None], told: str) -> None:
        """Change something that is soon done."""
        self.run_worker(self._carry_out(change, told))

    async def _carry_out(self, change: Callable[[], None], told: str) -> None:
        try:
            await apart(change)
        except USER_ERRORS as error:
            self._complain(error.message, advice(error))
            return
        self._tell(told)
        self.action_refresh_list()

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
            self._ask_address(f"{model.name} was begun by its name on the hub; enter it again.")

    def action_pull_other(self) -> None:
        """Download a model that the list does not know."""
        self._ask_address()

    def action_bring(self) -> None:
        """Import from a path; an encoder of another application from where it is."""
        model = self.list.model
        found = model.path if model and model.state == "found" else None
        self.app.push_screen(for_model_import(found), self._bring)

    def action_export(self) -> None:
        """Write the highlighted model into a bundle."""
        if model := self._stored("exported"):
            self._export((model.name,))

    def action_export_all(self) -> None:
        """Write every stored model into one bundle."""
        self._export(self._names())

    def action_verify(self) -> None:
        """Check the files of the highlighted model."""
        if model := self._stored("verified"):
            self._verify((model.name,))

    def action_verify_all(self) -> None:
        """Check the files of every stored model."""
        self._verify(self._names())

    def action_stop(self) -> None:
        """Stop what is being done."""
        if self.at_work:
            self.status.say("Stopping …")
            self.runner.stop()

    def _ask_address(self, reason: str = "") -> None:
        def entered(address: str | None) -> None:
            if address:
                self._pull(address)

        self.app.push_screen(for_address(reason), entered)

    def _pull(self, address: str, *, agreed: bool = False) -> None:
        self._begin(
            f"{address} is being downloaded.",
            partial(self._service.pull, address, agreed=agreed),
            "What was downloaded is kept, and p goes on with it.",
        )

    def _confirm(self, asks: Asks) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self._pull(asks.address, agreed=True)

        self.status.say("")
        self.app.push_screen(Confirmation("A large download", asks.question, "Download"), answered)

    def _bring(self, path: Path | None) -> None:
        if path is not None:
            self._begin(f"{path.name} is being imported.", partial(self._service.bring, path))

    def _export(self, names: tuple[str, ...]) -> None:
        def entered(path: Path | None) -> None:
            if path is not None:
                self._begin(
                    "A bundle is being written.", partial(self._service.export, names, path)
                )

        if names:
            self.app.push_screen(for_bundle(names[0] if len(names) == 1 else "models"), entered)

    def _verify(self, names: tuple[str, ...]) -> None:
        if names:
            self._begin("Files are being verified.", partial(self._service.verify, names))

    def _names(self) -> tuple[str, ...]:
        """All models of the store."""
        names = tuple(model.name for model in self.models if model.state == "stored")
        if not names:
            self.notify("There is no model in the store: p downloads one, i imports one.")
        return names

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
        match cast("Asks | Doing | Moved | ModelTold", message.event):
            case Moved() as moved:
                self.status.follow(moved)
            case Doing(words):
                self.status.say(words)
            case ModelTold(words, good, arrived):
                self._tell(words, good)
                self._arrived = arrived
            case Asks() as asks:
                self._confirm(asks)

    @on(Runner.Failed)
    def _failed(self, message: Runner.Failed) -> None:
        self._complain(message.message, message.advice)

    @on(Runner.Ended)
    def _ended(self, message: Runner.Ended) -> None:
        self.at_work = None
        if message.stopped:
            self.status.say(f"Stopped. {self._when_stopped}")
        self.action_refresh_list()
