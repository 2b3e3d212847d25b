"""Asks for one path."""

from collections.abc import Awaitable, Callable
from typing import ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.tui.widgets.path_input import PathInput

__all__ = ["PathPrompt"]

Result = TypeVar("Result")


class PathPrompt(ModalScreen[Result | None]):
    """Ends with what ``accept`` made of the path, or None if the user thought better of it.

    Args:
        title: What is asked for.
        hint: What may be entered.
        accept: Takes what was entered. Where it raises an error for the user, that is shown and
            the prompt stays.
        value: What stands in the input at first.
        reason: Why it is asked, where that is not plain.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Cancel")]

    def __init__(
        self,
        title: str,
        hint: str,
        accept: Callable[[str], Awaitable[Result]],
        *,
        value: str = "",
        placeholder: str = "",
        folders_only: bool = False,
        reason: str = "",
    ) -> None:
        super().__init__()
        self._title = title
        self._hint = hint
        self._accept = accept
        self._input = PathInput(value, placeholder, folders_only)
        self._said = Static(Content(neutralise(reason)), id="said")
        self._said.display = bool(reason)

    def compose(self) -> ComposeResult:
        """A small box."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            yield self._input
            yield self._said
            yield Static(self._hint, markup=False, classes="hint")

    @property
    def said(self) -> str:
        """What stands below the input."""
        return str(self._said.content)

    @on(PathInput.Chosen)
    def _choose(self, event: PathInput.Chosen) -> None:
        self._say("One moment …", error=False)
        self.run_worker(self._try(event.value), exclusive=True)

    async def _try(self, value: str) -> None:
        try:
            result = await self._accept(value.strip())
        except USER_ERRORS as error:
            self._say(f"{error.message} {error.advice}", error=True)
        except Exception as error:  # whatever it was, the text on the screen must survive it
            self._say(f"That failed unexpectedly ({type(error).__name__}: {error}).", error=True)
        else:
            self.dismiss(result)

    def _say(self, message: str, *, error: bool) -> None:
        self._said.display = True
        self._said.set_class(error, "-error")
        self._said.update(Content(neutralise(message)))
