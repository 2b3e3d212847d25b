"""Questions in a small box: for a path, a name, a yes or no."""

import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal, TypeVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS, InputError
from veracite.engine.words import Report
from veracite.tui.export import conversation_name, export_conversation, export_report, report_name
from veracite.tui.keys import bindings
from veracite.tui.screens.method_picker import Chosen
from veracite.tui.service import Against, against_from, short_path, written
from veracite.tui.texts import Draft, free_name, read_draft, save_draft_as
from veracite.tui.widgets.path_input import PathInput
from veracite.tui.worker import apart

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

    BINDINGS: ClassVar[list[BindingType]] = bindings("prompt")

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


async def read_entered(value: str) -> Draft:
    """The text at a path as it was entered; see ``veracite.tui.texts.read``."""
    return await apart(partial(read_draft, named_path(value)))


def ask_for_text(app: App[None], draft: Draft | None, opened: Callable[[Draft], None]) -> None:
    """Ask for a file and read it.

    Args:
        draft: The text that is open; its folder is the first place to look.
        opened: Called with the new text, unless the user thinks better of it.
    """
    prompt = PathPrompt(
        "Open a text",
        "A text, Markdown, PDF, DOCX or HTML file. Tab completes, Enter opens, Esc cancels.",
        read_entered,
        value=f"{draft.path.parent}{os.sep}" if draft else "",
    )
    app.push_screen(prompt, lambda draft: opened(draft) if draft else None)


def ask_where(
    app: App[None],
    text: str,
    saved: Callable[[Draft], None],
    *,
    old: Draft | None = None,
    reason: str = "",
) -> None:
    """Ask for a name and write the text there; a file of that name is replaced on a second Enter.

    Args:
        saved: Called with the text in its new file, unless the user thinks better of it.
        old: The text that was opened; its file keeps its name.
        reason: Why.
    """
    replaceable: set[Path] = set()

    async def write(value: str) -> Draft:
        path = named_path(value)
        require_second_enter(path, replaceable)
        return save_draft_as(path, text)

    prompt = PathPrompt(
        "Save the text",
        "A name that ends in .md or .txt. Tab completes, Enter saves, Esc cancels.",
        write,
        value=str(free_name(old)) if old else "",
        reason=reason,
    )
    app.push_screen(prompt, lambda draft: saved(draft) if draft else None)


def ask_where_report(
    app: App[None], report: Report, against: Against, written: Callable[[Path], None]
) -> None:
    """Ask for a name and write a report there; a file of that name is replaced on a second Enter.

    Args:
        against: What its verdicts rest on.
        written: Called with the file, unless the user thinks better of it.
    """
    replaceable: set[Path] = set()

    async def write(value: str) -> Path:
        path = named_path(value)
        require_second_enter(path, replaceable)
        return await apart(partial(export_report, report, path, against))

    prompt = PathPrompt(
        "Save the report",
        "A name that ends in .html, .md, .json or .txt. Tab completes, Enter saves, Esc cancels.",
        write,
        value=str(report_name(report)),
    )
    app.push_screen(prompt, lambda path: written(path) if path else None)


def require_second_enter(path: Path, replaceable: set[Path]) -> None:
    """Raises InputError the first time that the name of a file is entered."""
    if path.is_file() and path not in replaceable:
        replaceable.add(path)
        raise InputError(f"There is a file {short_path(path)}.", "Enter again replaces it.")


def named_path(value: str) -> Path:
    """Raises InputError where nothing was entered."""
    if not value:
        raise InputError("No file is named.", "Type its path, or press Esc.")
    return Path(os.path.expanduser(value))


def for_source(name: str, add: Callable[[str, Path], None]) -> PathPrompt[str]:
    """Which file or folder a library is to follow; ends with the library's name.

    Args:
        name: Of the library.
        add: Called beside the screen; may raise an error for the user.
    """

    async def entered(value: str) -> str:
        if not value:
            raise InputError("Nothing is named.", "Type the path of a folder or a file.")
        path = Path(os.path.abspath(os.path.expanduser(value)))
        if not path.exists():
            raise InputError(f"There is no file or folder {path}.", "Check the spelling.")
        await apart(partial(add, name, path))
        return name

    return PathPrompt(
        f"Add to the library {name}",
        "A folder or a file, which stays where it is. Tab completes, Enter adds, Esc cancels.",
        entered,
    )


class NamePrompt(ModalScreen[str | None]):
    """Ends with a name, or None if the user thought better of it.

    Args:
        require: Raises an error for the user unless this can be the name.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("prompt")

    def __init__(self, require: Callable[[str], None]) -> None:
        super().__init__()
        self._require = require
        self._said = Static(id="said", classes="-error")
        self._said.display = False

    def compose(self) -> ComposeResult:
        """A small box."""
        with Vertical(classes="box") as box:
            box.border_title = "New library"
            yield Input(placeholder="its name")
            yield self._said
            yield Static(
                "Letters, digits, dots, hyphens and underscores. Enter goes on to its documents, "
                "Esc cancels.",
                markup=False,
                classes="hint",
            )

    @on(Input.Submitted)
    def _enter(self, event: Input.Submitted) -> None:
        name = event.value.strip()
        try:
            self._require(name)
        except USER_ERRORS as error:
            self._said.update(Content(neutralise(f"{error.message} {error.advice}")))
            self._said.display = True
        else:
            self.dismiss(name)


class Confirmation(ModalScreen[bool]):
    """Ends with True for a yes.

    Args:
        title: What is about to happen.
        question: What becomes of what.
        yes: The button's words.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("confirm")

    def __init__(self, title: str, question: str, yes: str) -> None:
        super().__init__()
        self._title = title
        self._question = question
        self._yes = yes

    def compose(self) -> ComposeResult:
        """A small box with two buttons; the harmless one is first."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            yield Static(Content(neutralise(self._question)))
            with Horizontal(classes="answers"):
                yield Button("Cancel", id="cancel", compact=True)
                yield Button(self._yes, id="yes", variant="error", compact=True)
            hint = f"y: {self._yes.lower()}, Esc cancels."
            yield Static(hint, markup=False, classes="hint")

    @on(Button.Pressed)
    def _answer(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")


class AddressPrompt(ModalScreen[str | None]):
    """Ends with how a model of the hub is called there, or None.

    Args:
        reason: Why it is asked, where that is not plain.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("prompt")

    def __init__(self, reason: str = "") -> None:
        super().__init__()
        self._reason = Content(neutralise(reason))

    def compose(self) -> ComposeResult:
        """A small box with an input."""
        with Vertical(classes="box") as box:
            box.border_title = "Download another model"
            yield Input(placeholder="OWNER/REPOSITORY/FILE.gguf")
            if self._reason.plain:
                yield Static(self._reason, id="said")
            yield Static(
                "OWNER/REPOSITORY/FILE.gguf for a language model, OWNER/REPOSITORY for an "
                "encoder. Enter downloads, Esc cancels.",
                markup=False,
                classes="hint",
            )

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)


def for_model_import(path: Path | None = None) -> PathPrompt[Path]:
    """What is imported.

    Args:
        path: That stands in the input at first.
    """

    async def entered(value: str) -> Path:
        chosen = _absolute(value)
        if not chosen.exists():
            raise InputError(f"There is no file or folder {chosen}.", "Check the spelling.")
        return chosen

    return PathPrompt(
        "Import a model",
        "A GGUF file, an encoder's folder as on Hugging Face, or a bundle. "
        "Tab completes, Enter imports, Esc cancels.",
        entered,
        value=str(path) if path else "",
    )


def for_bundle(name: str) -> PathPrompt[Path]:
    """Which file the bundle is written to; one of that name is replaced on a second Enter."""
    replaceable: set[Path] = set()

    async def entered(value: str) -> Path:
        path = _absolute(value)
        if path.is_dir():
            raise InputError(f"{path} is a folder.", "Name a file in it.")
        if path.is_file() and path not in replaceable:
            replaceable.add(path)
            raise InputError(f"There is a file {path}.", "Enter again replaces it.")
        return path

    return PathPrompt(
        "Export into a bundle",
        "The file to be written, on a stick for another machine. "
        "Tab completes, Enter writes, Esc cancels.",
        entered,
        value=f"{name}.veracite",
    )


def _absolute(value: str) -> Path:
    if not value:
        raise InputError("No file is named.", "Type its path, or press Esc.")
    return Path(os.path.abspath(os.path.expanduser(value)))


Take = Callable[[Chosen | None], None]


def for_documents(against: Against, take: Callable[[Against], Awaitable[None]]) -> PathPrompt[None]:
    """Which documents answer.

    Args:
        against: Those of now.
        take: May raise an error for the user.
    """

    async def entered(value: str) -> None:
        await take(against_from(value))

    return PathPrompt(
        "Answer from",
        "A folder, a file or the name of a library; empty: the default library. "
        "Tab completes, Enter accepts, Esc cancels.",
        entered,
        value=written(against),
        placeholder="the default library",
        folders_only=True,
    )


def for_model(model: str | None, take: Callable[[str | None], Awaitable[None]]) -> PathPrompt[None]:
    """Which language model writes.

    Args:
        model: That of now.
        take: May raise an error for the user.
    """

    async def entered(value: str) -> None:
        path = Path(os.path.abspath(os.path.expanduser(value))) if value else None
        if path and not path.is_file():
            raise InputError(f"There is no file {path}.", "Name a GGUF file, or none.")
        await take(str(path) if path else None)

    return PathPrompt(
        "Language model",
        "A GGUF file; empty: none, the bundled models answer with sentences of the documents. "
        "Tab completes, Enter accepts, Esc cancels.",
        entered,
        value=model or "",
        placeholder="none",
    )


def for_conversation(question: str, reports: Sequence[Report]) -> PathPrompt[Path]:
    """Where the answers are written to; a file of that name is replaced on a second Enter.

    Args:
        question: The first one, which the file can be named after.
        reports: Of the answers.
    """
    replaceable: set[Path] = set()

    async def entered(value: str) -> Path:
        path = named_path(value)
        require_second_enter(path, replaceable)
        await apart(partial(export_conversation, reports, path))
        return path

    return PathPrompt(
        "Export the conversation",
        "A name that ends in .md or .html. Tab completes, Enter writes, Esc cancels.",
        entered,
        value=str(conversation_name(question)),
    )


Answer = Literal["save", "discard"]


class UnsavedPrompt(ModalScreen[Answer | None]):
    """Ends with the answer; None: neither, the user stays.

    Args:
        name: Of the text.
        key: That led here; pressed again it discards.
        display: The key as a person writes it.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("unsaved")

    def __init__(self, name: str, key: str, display: str) -> None:
        super().__init__()
        self._title = name
        self.key = key
        self._display = display

    def compose(self) -> ComposeResult:
        """A small box with three buttons."""
        with Vertical(classes="box") as box:
            box.border_title = "Unsaved edits"
            yield Static(f"What you changed in {self._title} is not saved.", markup=False)
            with Horizontal(classes="answers"):
                yield Button("Save", id="save", variant="primary", compact=True)
                yield Button("Discard", id="discard", compact=True)
                yield Button("Cancel", id="cancel", compact=True)
            hint = "s saves, d discards, Esc cancels."
            again = f" {self._display} again discards." if self._display else ""
            yield Static(hint + again, markup=False, classes="hint")

    def on_key(self, event: events.Key) -> None:
        """The key that led here, pressed again."""
        if event.key == self.key:
            event.stop()
            self.dismiss("discard")

    @on(Button.Pressed)
    def _answer(self, event: Button.Pressed) -> None:
        answers: dict[str | None, Answer] = {"save": "save", "discard": "discard"}
        self.dismiss(answers.get(event.button.id))
