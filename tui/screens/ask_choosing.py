"""Who answers: the methods, the language model and the documents."""

from collections.abc import Sequence
from functools import partial

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.tui import conversation_methods as methods
from veracite.tui.conversation import Choice
from veracite.tui.conversation_methods import ChangesModel, Offer
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
            prompt = prompts.for_model(self._engine.model, self._model_entered)
            self.app.push_screen(prompt, self._go_on)

    def action_documents(self) -> None:
        """Ask for the documents that answer."""
        prompt = prompts.for_documents(self.against, self._documents_entered)
        self.app.push_screen(prompt, self._go_on)

    def _go_on(self, _: None) -> None:
        """What is typed after a choice is a question."""
        self.input.focus()

    async def _find_best(self) -> None:
        try:
            offers = await apart(partial(methods.offers, self._paths, self._model))
            self._best = (await apart(partial(methods.best, self._paths, self._model)),)
        except USER_ERRORS as error:
            self._complain(error)
        else:
            self._forget_unknown(offers)
        self._say_who_answers()

    def _forget_unknown(self, offers: Sequence[Offer]) -> None:
        """What was chosen in an earlier version may be gone in this one."""
        known = {one.choice for offer in offers for one in (offer, *offer.presets)}
        gone = [choice.title for choice in self.chosen if choice not in known]
        if gone:
            self.chosen = tuple(choice for choice in self.chosen if choice in known)
            answers = " and ".join(choice.title for choice in self.choices)
            self.notify(
                f"There is no method {' or '.join(map(neutralise, gone))}. Now {answers} answers; "
                "Ctrl+T chooses another one.",
                severity="warning",
                markup=False,
            )

    async def _documents_entered(self, against: Against) -> None:
        await apart(partial(self._engine.require, against))
        self.against = against

    async def _model_entered(self, file: str | None) -> None:
        assert isinstance(self._engine, ChangesModel)
        self._engine.use_model(file)
        await self._find_best()

    def _pick(
        self, title: str, current: Sequence[Choice], without: str | None, chosen: prompts.Take
    ) -> None:
        def answered(choices: Chosen | None) -> None:
            self._go_on(None)
            chosen(choices)

        async def ask() -> None:
            try:
                offers = await apart(partial(methods.offers, self._paths, self._model))
            except USER_ERRORS as error:
                self._complain(error)
                return
            for answers in self.choices[:1] if without else ():
                offers = methods.without(offers, answers, "answers already")
            if self.is_current:  # the user may have gone elsewhere meanwhile
                picker = MethodPicker(title, offers, next(iter(current), None), without)
                self.app.push_screen(picker, answered)

        self.run_worker(ask())

    def _choose(self, choices: tuple[Choice, ...]) -> None:
        self.chosen = () if choices == self._best else tuple(dict.fromkeys(choices))
        self._say_who_answers()
