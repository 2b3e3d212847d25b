"""How a text comes into the Check room, and how it is kept."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from veracite.engine.errors import USER_ERRORS, InputError
from veracite.tui import texts
from veracite.tui.documents import short_path
from veracite.tui.kept import Reading
from veracite.tui.screens import files
from veracite.tui.screens.check_base import CheckBase
from veracite.tui.screens.unsaved_prompt import Answer, UnsavedPrompt
from veracite.tui.texts import Draft

__all__ = ["TextActions"]


class TextActions(CheckBase):
    """The part of the Check room that is about the text's file."""

    @property
    def path(self) -> Path | None:
        """The file of the text, also before it is opened."""
        return self.state.draft.path if self.state.draft else self._to_open

    @property
    def reading(self) -> Reading:
        """How the text is left now."""
        path, before, findings = self.path, self.resume, self.state.findings
        text = str(path.absolute()) if path else None
        if self._to_open:
            return replace(before or Reading(), text=text)
        if before:
            place = self.text.place if before.place >= 0 else before.place
            return replace(before, text=text, place=place)
        judged = bool(findings and findings.verdicts)
        return Reading(text, self.text.place, self.state.only, judged)

    def action_new(self) -> None:
        """Empty the editor; undoing brings the text back."""
        self.leave("ctrl+n", "Ctrl+N", self._begin_new)

    def action_open(self) -> None:
        """Ask for a file with a text."""
        self.leave("ctrl+o", "Ctrl+O", self._ask_for_text)

    def action_save(self) -> None:
        """Write the text to its file, or ask for one."""
        draft = self.state.draft
        if not self.edited and (draft is None or draft.form):
            self.notify("Nothing has changed." if draft else "There is no text yet.")
        else:
            self._save(lambda: None)

    def leave(self, key: str, display: str, then: Callable[[], object]) -> None:
        """Do what takes the text away; with unsaved edits ask first.

        Args:
            key: That was pressed for it.
            display: The key as a person writes it.
            then: Done at once, or when the edits are saved or given up.
        """

        def answered(answer: Answer | None) -> None:
            if answer == "save":
                self._save(then)
            elif answer == "discard":
                then()

        if self.edited:
            self.app.push_screen(UnsavedPrompt(self.state.name, key, display), answered)
        else:
            then()

    def _ask_for_text(self) -> None:
        files.ask_for_text(self.app, self.state.draft, self._show)

    async def _open_first(self, path: Path) -> None:
        try:
            draft = await files.read(str(path))
        except USER_ERRORS as error:
            self._to_open = None
            self._complain(f"{error.message} {error.advice}")
            self._say_what_is_open()
        else:
            if self._to_open:  # else another text was asked for meanwhile
                self._to_open = None
                self.leave("", "", partial(self._show_first, draft))  # one may have begun to write

    def _show_first(self, draft: Draft) -> None:
        """As it was left, except for the verdicts: to have them, documents are looked through."""
        before, then = self.resume, self._once_open
        self._show(draft)
        if before:
            self.resume = before
            self.text.edit(max(0, before.place))
        if then:
            then()
        elif before and before.judged:
            self.status.say(f"{draft.refusal} F5 shows the verdicts again.".strip())

    def _show(self, draft: Draft) -> None:
        self._begin_anew(draft)
        self.text.load(draft.text)
        self._say_what_is_open()
        self._update()

    def _place_again(self) -> int:
        """Where to look once there are verdicts; -1: at none of them."""
        before, self.resume = self.resume, None
        if before and before.judged:
            self.state.only = before.only
            return self.text.place if before.place >= 0 else -1
        return self.text.place if self.state.findings else -1

    def _begin_new(self) -> None:
        self._begin_anew(None)
        self.text.edit(0)
        self.text.editor.clear()
        self._update()

    def _begin_anew(self, draft: Draft | None) -> None:
        self.runner.stop()
        if self.state.running:
            stopped = f"The check of {self.state.name} was stopped"
            self.notify(f"{stopped}; what was judged is remembered.", markup=False)
        self._to_open = self._once_open = None
        self.state.begin_anew(draft)
        self.resume = None
        self.status.say("")

    def _save(self, then: Callable[[], object]) -> None:
        """Write the text over its file, or ask for another name; then go on."""

        def saved(draft: Draft) -> None:
            self.state.draft = draft
            self.notify(f"Saved {short_path(draft.path.absolute())}.", markup=False)
            self._update()
            then()

        text, draft = self.text.editor.text, self.state.draft
        if draft is None:
            files.ask_where(self.app, text, saved)
            return
        try:
            again = texts.save(draft, text)
        except InputError as error:
            reason = f"{error.message} {error.advice}"
            if draft.form:
                self._complain(reason)
            files.ask_where(self.app, text, saved, old=draft, reason=reason)
        else:
            saved(again)
