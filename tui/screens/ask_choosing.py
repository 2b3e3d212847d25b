"""Who answers: the methods, the language model and the documents."""

from collections.abc import Sequence
from functools import partial

from veracite.engine.errors import USER_ERRORS
from veracite.tui import conversation_methods as methods
from veracite.tui.conversation import Choice
from veracite.tui.conversation_methods import ChangesModel
from veracite.tui.engine import Against
from veracite.tui.screens import ask_prompts as prompts
from veracite.tui.screens.ask_base import AskBase
from veracite.tui.screens.ask_methods import Chosen, MethodPicker
from veracite.tui.worker import apart

__all__ = ["ChoiceActions"]


class ChoiceActions(AskBase):
    """The part of the Ask room that is about who answers."""

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

    async def _find_best(self) -> None:
        try:
            self.choices = (await apart(partial(methods.best, self._paths, self._model)),)
        except USER_ERRORS as error:
            self._complain(error)
        self._say_who_answers()

    async def _documents_entered(self, against: Against) -> None:
        await apart(partial(self._engine.require, against))
        self.against = against

    async def _model_entered(self, file: str | None) -> None:
        assert isinstance(self._engine, ChangesModel)
        self._engine.use_model(file)
        self._say_who_answers()

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
