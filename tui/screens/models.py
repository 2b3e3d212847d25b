"""The Models room: what is here, what fits, what is in use and for what."""

from collections.abc import Callable, Iterable
from functools import partial

from textual import on
from textual.app import SystemCommand
from textual.content import Content
from textual.widgets import OptionList

from veracite.engine.errors import USER_ERRORS
from veracite.models.files import size_in_words
from veracite.tui.advice import advice
from veracite.tui.screens import models_sheets as sheets
from veracite.tui.screens.library_prompts import Confirmation
from veracite.tui.screens.models_transfers import TransferActions
from veracite.tui.screens.sheet import SheetScreen
from veracite.tui.worker import apart

__all__ = ["ModelsScreen"]


class ModelsScreen(TransferActions):
    """The Models room; see ``ModelsBase``."""

    def on_mount(self) -> None:
        """Look what there is."""
        self.list.focus()
        self.call_after_refresh(self.action_refresh_list)

    def on_unmount(self) -> None:
        """Stop what is running; nobody waits for it."""
        self.runner.stop()

    def commands(self) -> Iterable[SystemCommand]:
        """What the command palette offers here."""
        yield SystemCommand("Use", "Use the model, or no longer", self.action_use)
        yield SystemCommand("Use none", "Only what is part of Veracite", self.action_use_none)
        yield SystemCommand("Details", "The model's files and hashes", self.action_details)
        yield SystemCommand("Download", "The model, from the hub", self.action_pull)
        yield SystemCommand(
            "Download another model", "By its name on the hub", self.action_pull_other
        )
        yield SystemCommand("Import", "A file, a folder or a bundle", self.action_bring)
        yield SystemCommand("Export", "The model, into a bundle", self.action_export)
        yield SystemCommand("Export all models", "Into one bundle", self.action_export_all)
        yield SystemCommand("Verify", "The model's files", self.action_verify)
        yield SystemCommand("Verify all models", "Every stored file", self.action_verify_all)
        yield SystemCommand("Remove", "The model, from the store", self.action_remove)
        yield SystemCommand("Refresh", "Look again what there is", self.action_refresh_list)
        yield SystemCommand("Stop", "What is being done here", self.action_stop)

    # What the user asks for

    def action_use(self) -> None:
        """Use the highlighted model; one that is in use already no longer."""
        model = self._highlighted_model()
        if model is None:
            return
        if model.in_use and model.state == "bundled":
            self.notify(f"{model.name} is in use already.", markup=False)
        elif model.in_use:
            self._change(partial(self._desk.use_none, model.kind), f"{model.name} is not used now.")
        else:
            self._change(partial(self._desk.use, model), f"{model.name} is used from now on.")

    def action_use_none(self) -> None:
        """Go back to the models that are part of Veracite."""
        self._change(self._desk.use_none, "Only what is part of Veracite is used.")

    def action_remove(self) -> None:
        """Remove the highlighted model, after a yes."""
        model = self._highlighted_model()
        if model is None or (model.state != "partial" and not self._stored("removed")):
            return
        size = f" {size_in_words(model.size)} on the disk are freed." if model.size else ""

        def answered(yes: bool | None) -> None:
            if yes:
                self._change(partial(self._desk.remove, model), f"{model.name} is removed.")

        prompt = Confirmation("Remove a model", f"Remove {model.name} for good?{size}", "Remove")
        self.app.push_screen(prompt, answered)

    def action_details(self) -> None:
        """Show everything about the highlighted model, its files too."""
        model = self._highlighted_model()
        if model is None:
            return
        files = Content("")
        try:
            if manifest := self._desk.manifest(model):
                files = sheets.files(manifest)
        except USER_ERRORS as error:
            self._complain(error.message, advice(error))
        about = partial(sheets.about, model, self.free)
        laid_out = partial(sheets.with_files, about, files)
        self.app.push_screen(SheetScreen("Model", laid_out))

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
