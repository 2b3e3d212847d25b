"""What takes long in the Models room: downloads, bundles, and verifying files."""

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import cast

from textual import on

from veracite.engine.display import neutralise
from veracite.engine.events import Event
from veracite.tui.desk_events import Asks, Doing, Moved, Told, Work
from veracite.tui.screens.library_prompts import Confirmation
from veracite.tui.screens.models_base import ModelsBase
from veracite.tui.screens.models_prompts import AddressPrompt, for_export, for_import
from veracite.tui.worker import Runner

__all__ = ["TransferActions"]


class TransferActions(ModelsBase):
    """The part of the Models room that reads and writes whole models, one thing at a time."""

    def action_pull(self) -> None:
        """Download the highlighted model, or go on with it."""
        model = self._highlighted_model()
        if model is None:
            return
        if model.state not in ("known", "partial"):
            self.notify(f"{neutralise(model.name)} is here already.", markup=False)
        elif (address := self._desk.address(model)) is not None:
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
        self.app.push_screen(for_import(found), self._bring)

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

    # The ways to get there

    def _ask_address(self, reason: str = "") -> None:
        def entered(address: str | None) -> None:
            if address:
                self._pull(address)

        self.app.push_screen(AddressPrompt(reason), entered)

    def _pull(self, address: str, *, agreed: bool = False) -> None:
        self._begin(
            f"{address} is being downloaded.",
            partial(self._desk.pull, address, agreed=agreed),
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
            self._begin(f"{path.name} is being imported.", partial(self._desk.bring, path))

    def _export(self, names: tuple[str, ...]) -> None:
        def entered(path: Path | None) -> None:
            if path is not None:
                self._begin("A bundle is being written.", partial(self._desk.export, names, path))

        if names:
            self.app.push_screen(for_export(names[0] if len(names) == 1 else "models"), entered)

    def _verify(self, names: tuple[str, ...]) -> None:
        if names:
            self._begin("Files are being verified.", partial(self._desk.verify, names))

    def _names(self) -> tuple[str, ...]:
        """All models of the store."""
        names = tuple(model.name for model in self.models if model.state == "stored")
        if not names:
            self.notify("There is no model in the store: p downloads one, i imports one.")
        return names

    def _begin(
        self, what: str, work: Callable[[], Work], when_stopped: str = "Nothing was changed."
    ) -> None:
        """Begin something that takes long, unless something else is being done."""
        if self.at_work:
            self.notify(f"{neutralise(self.at_work)} Escape stops it.", markup=False)
            return
        self.at_work, self._when_stopped = what, when_stopped
        self.status.begin()
        # The runner takes any events; what it knows by name are the engine's.
        self.runner.start(cast("Callable[[], Generator[Event, None, None]]", work))

    # What happens

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        match cast("Asks | Doing | Moved | Told", message.event):
            case Moved() as moved:
                self.status.follow(moved)
            case Doing(words):
                self.status.say(words)
            case Told(words, good, arrived):
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
