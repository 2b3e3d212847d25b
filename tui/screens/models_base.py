"""What the Models room is made of, and how it shows what it knows."""

import threading
from collections.abc import Awaitable, Callable
from functools import cache, partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Static

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.tui.advice import advice
from veracite.tui.screens import models_sheets as sheets
from veracite.tui.screens.models_keys import MODELS_KEYS
from veracite.tui.widgets.fitted import Fitted
from veracite.tui.widgets.models_list import ModelsList
from veracite.tui.widgets.models_status import ModelsStatus
from veracite.tui.widgets.panes import BREAKPOINTS, Panes
from veracite.tui.widgets.room_bar import RoomBar
from veracite.tui.worker import Runner, apart

if TYPE_CHECKING:
    from veracite.models.store.catalogue import Listed
    from veracite.tui.model_desk import ModelDesk

__all__ = ["ModelsBase"]

_Models = tuple["Listed", ...]


class ModelsBase(Screen[None]):
    """All models in a list, and beside it what is known of one.

    Args:
        desk: Makes what does what is asked for here, when it is first needed: that takes longer
            than to draw the screen.
        hand_over: Lets the engine work with what is used now; is called with the models that were
            listed before and with those that are.
    """

    # Textual declares it in a way that mypy takes for an instance's.
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS

    BINDINGS: ClassVar[list[BindingType]] = [*MODELS_KEYS]

    def __init__(
        self,
        desk: Callable[[], "ModelDesk"],
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
        self._made = cache(desk)
        self._hand_over = hand_over
        self.top = RoomBar("models", id="top")
        self.in_use = Static(id="in-use")
        self.list = ModelsList(id="models-list")
        self.about = Fitted(id="model-about")
        self.beside = VerticalScroll(self.about, id="model")
        left = Vertical(self.in_use, self.list, id="models-left")
        self.panes = Panes(left, self.beside, (38, 40), id="panes")
        self.status = ModelsStatus(id="status")

    def compose(self) -> ComposeResult:
        """The list, and what is known of the model that is highlighted."""
        yield self.top
        yield self.panes
        yield self.status
        yield Footer(compact=True, show_command_palette=False)

    @property
    def _desk(self) -> "ModelDesk":
        return self._made()

    def action_refresh_list(self) -> None:
        """Look again what there is."""
        self.run_worker(self._look(), exclusive=True, group="look")

    async def _look(self) -> None:
        try:
            models, free = await apart(lambda: self._desk.listed())
        except USER_ERRORS as error:
            self._complain(error.message, advice(error))
            return
        before, self.models, self.free = self.models, models, free
        self.top.about(sheets.memory(free))
        self.in_use.update(sheets.in_use(models))
        self.list.show(models, free, self._arrived)
        self._arrived = None
        self._show_model()
        if before:
            await self._hand_over(before, models)

    # What is shown

    def _show_model(self) -> None:
        if model := self.list.model:
            self.about.fit(partial(sheets.about, model, self.free))

    def _highlighted_model(self) -> "Listed | None":
        """The highlighted model; told if there is none."""
        if self.list.model is None:
            self.notify("The models are not listed yet; F5 looks again what there is.")
        return self.list.model

    def _stored(self, what: str) -> "Listed | None":
        """The highlighted model, if it is in the store; else it is told that it must be."""
        model = self._highlighted_model()
        if model is not None and model.state != "stored":
            self.notify(sheets.not_stored(model, what), markup=False)
            return None
        return model

    def _tell(self, words: str, good: bool = True) -> None:
        if good or not self.is_current:  # an error is in the line below, to its end
            said = neutralise(words, lines=True)
            self.notify(said, severity="information" if good else "error", markup=False)
        self.status.say(words, error=not good)

    def _complain(self, message: str, advice: str) -> None:
        self._tell(f"{message} {advice}", good=False)
