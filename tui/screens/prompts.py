"""Questions in a small box: for a path, a name, a yes or no."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import ClassVar, Generic, Literal, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.button import ButtonVariant

from veracite.engine.conversations import Conversations, Kept
from veracite.engine.display import neutralise
from veracite.engine.errors import InputError
from veracite.engine.libraries import Documents
from veracite.engine.types import Label, Report, Verdict
from veracite.tui.keys import bindings
from veracite.tui.service import (
    Against,
    against_from,
    local_time,
    namer,
    short_path,
    written,
)
from veracite.tui.texts import Draft, free_name, read_draft, save_draft_as
from veracite.tui.themes import named_label
from veracite.tui.widgets.path_input import PathInput
from veracite.tui.worker import Runner, apart

Result = TypeVar("Result")
Answer = Literal["save", "discard"]


class Prompt(ModalScreen[Result | None]):
    """Ends with what ``accept`` made of the input, or None if the user cancels.

    Args:
        title: What is asked for.
        hint: What may be entered.
        accept: Takes what was entered, beside the screen. Where it raises an error for the user,
            that is shown and the prompt stays.
        value: What stands in the input at first.
        folders_only: Whether only folders complete a path.
        reason: Why it is asked, where that is not plain.
        path: Whether it is a path, which Tab completes.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("prompt")

    def __init__(
        self,
        title: str,
        hint: str,
        accept: Callable[[str], Result],
        *,
        value: str = "",
        placeholder: str = "",
        folders_only: bool = False,
        reason: str = "",
        path: bool = True,
    ) -> None:
        super().__init__()
        self._title = title
        self._hint = hint
        self._accept = accept
        self._input = (
            PathInput(value, placeholder, folders_only)
            if path
            else Input(value, placeholder=placeholder)
        )
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

    @on(Input.Submitted)
    def _choose(self) -> None:
        self._say("One moment …", error=False)
        self.run_worker(self._try(self._input.value), exclusive=True)

    async def _try(self, value: str) -> None:
        try:
            result = await apart(partial(self._accept, value.strip()))
        except Exception as error:  # whatever it was, the text on the screen must survive it
            failed = Runner.Failed.of(error)
            self._say(f"{failed.message} {failed.advice}", error=True)
        else:
            self.dismiss(result)

    def _say(self, message: str, *, error: bool) -> None:
        self._said.display = True
        self._said.set_class(error, "-error")
        self._said.update(Content(neutralise(message)))


class _Buttons(ModalScreen[Result | None], Generic[Result]):
    """A small box with a button for each answer."""

    def __init__(
        self,
        title: str,
        question: str,
        buttons: Mapping[str, tuple[Result, ButtonVariant]],
        hint: str,
    ) -> None:
        super().__init__()
        self._title = title
        self._question = question
        self._buttons = buttons
        self._hint = hint

    def compose(self) -> ComposeResult:
        """The question, the buttons, and their keys."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            yield Static(Content(neutralise(self._question)))
            with Horizontal(classes="answers"):
                for words, (_, variant) in self._buttons.items():
                    yield Button(words, variant=variant, compact=True)
            yield Static(self._hint, markup=False, classes="hint")

    @on(Button.Pressed)
    def _answer(self, event: Button.Pressed) -> None:
        self.dismiss(self._buttons[str(event.button.label)][0])


class Confirmation(_Buttons[bool]):
    """Ends with True for a yes; the harmless button is first.

    Args:
        title: What is about to happen.
        question: What becomes of what.
        yes: The button's words.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("confirm")

    def __init__(self, title: str, question: str, yes: str) -> None:
        buttons: dict[str, tuple[bool, ButtonVariant]] = {
            "Cancel": (False, "default"),
            yes: (True, "error"),
        }
        super().__init__(title, question, buttons, f"y: {yes.lower()}, Esc cancels.")


class UnsavedPrompt(_Buttons[Answer | None]):
    """Ends with what becomes of unsaved edits; None: the user stays.

    Args:
        name: Of the text.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("unsaved")

    def __init__(self, name: str) -> None:
        buttons: dict[str, tuple[Answer | None, ButtonVariant]] = {
            "Save": ("save", "primary"),
            "Discard": ("discard", "default"),
            "Cancel": (None, "default"),
        }
        question = f"What you changed in {name} is not saved."
        super().__init__("Unsaved edits", question, buttons, "s saves, d discards, Esc cancels.")


# The Check view


def read_entered(value: str) -> Draft:
    """The text at a path as it was entered; see ``veracite.tui.texts.read_draft``."""
    return read_draft(named_path(value))


def for_text(draft: Draft | None) -> Prompt[Draft]:
    """Which file to read; the folder of the text that is open is the first place to look."""
    return Prompt(
        "Open a text",
        "A text, Markdown, PDF, DOCX or HTML file. Tab completes, Enter opens, Esc cancels.",
        read_entered,
        value=f"{draft.path.parent}{os.sep}" if draft else "",
    )


def for_saving(text: str, old: Draft | None = None, reason: str = "") -> Prompt[Draft]:
    """Where a text is written to.

    Args:
        old: The text that was opened; its file keeps its name.
        reason: Why.
    """
    return _for_file(
        "Save the text",
        "A name that ends in .md or .txt. Tab completes, Enter saves, Esc cancels.",
        lambda path: save_draft_as(path, text),
        free_name(old) if old else "",
        reason,
    )


def for_report(report: Report, against: Against) -> Prompt[Path]:
    """Where a report is written to, whose verdicts rest on these documents."""
    return _for_file(
        "Save the report",
        "A name that ends in .html, .md, .json or .txt. Tab completes, Enter saves, Esc cancels.",
        lambda path: export_report(report, path, against),
        report_name(report),
    )


def for_documents(
    title: str, against: Against, require: Callable[[Against], None]
) -> Prompt[Documents]:
    """Which documents to go by.

    Args:
        against: Those of now.
        require: Raises an error for the user where they are not there.
    """

    def entered(value: str) -> Documents:
        chosen = against_from(value)
        require(chosen)
        return Documents.of(chosen)

    return Prompt(
        title,
        "A folder, a file or the name of a library; empty: the default library. "
        "Tab completes, Enter accepts, Esc cancels.",
        entered,
        value=written(against),
        placeholder="the default library",
        folders_only=True,
    )


# The Ask view


def for_model(model: str | None) -> Prompt[str]:
    """Which language model writes; ends with its file, or with nothing for none.

    Args:
        model: That of now.
    """

    def entered(value: str) -> str:
        path = _absolute(value) if value else None
        if path and not path.is_file():
            raise InputError(f"There is no file {path}.", "Name a GGUF file, or none.")
        return str(path or "")

    return Prompt(
        "Language model",
        "A GGUF file; empty: none, the bundled models answer with sentences of the documents. "
        "Tab completes, Enter accepts, Esc cancels.",
        entered,
        value=model or "",
        placeholder="none",
    )


def for_conversation(question: str, reports: Sequence[Report]) -> Prompt[Path]:
    """Where answers are written to, by default a file named after the first question."""
    return _for_file(
        "Export the conversation",
        "A name that ends in .md or .html. Tab completes, Enter writes, Esc cancels.",
        lambda path: export_conversation(reports, path),
        conversation_name(question),
    )


# The Library view


def for_source(name: str, add: Callable[[str, Path], None]) -> Prompt[str]:
    """Which file or folder a library is to follow; ends with the library's name.

    Args:
        name: Of the library.
        add: May raise an error for the user.
    """

    def entered(value: str) -> str:
        add(name, _existing(value))
        return name

    return Prompt(
        f"Add to the library {name}",
        "A folder or a file, which stays where it is. Tab completes, Enter adds, Esc cancels.",
        entered,
    )


def for_library(require: Callable[[str], None]) -> Prompt[str]:
    """The name of a new library; ``require`` raises an error for the user unless it can be that."""

    def entered(value: str) -> str:
        require(value)
        return value

    return Prompt(
        "New library",
        "Letters, digits, dots, hyphens and underscores. Enter goes on to its documents, "
        "Esc cancels.",
        entered,
        placeholder="its name",
        path=False,
    )


# The Models view


def for_address(reason: str = "") -> Prompt[str]:
    """How a model is called on the hub; empty where nothing was entered."""
    return Prompt(
        "Download another model",
        "OWNER/REPOSITORY/FILE.gguf for a language model, OWNER/REPOSITORY for an encoder. "
        "Enter downloads, Esc cancels.",
        str,
        placeholder="OWNER/REPOSITORY/FILE.gguf",
        reason=reason,
        path=False,
    )


def for_model_import(path: Path | None = None) -> Prompt[Path]:
    """What is imported; ``path`` stands in the input at first."""
    return Prompt(
        "Import a model",
        "A GGUF file, an encoder's folder as on Hugging Face, or a bundle. "
        "Tab completes, Enter imports, Esc cancels.",
        _existing,
        value=str(path) if path else "",
    )


def _for_file(
    title: str,
    hint: str,
    write: Callable[[Path], Result],
    value: Path | str,
    reason: str = "",
) -> Prompt[Result]:
    """Where something is written to; a file of that name is replaced on a second Enter."""
    replaceable: set[Path] = set()

    def entered(value: str) -> Result:
        path = named_path(value)
        if path.is_file() and path not in replaceable:
            replaceable.add(path)
            raise InputError(f"There is a file {short_path(path)}.", "Enter again replaces it.")
        return write(path)

    return Prompt(title, hint, entered, value=str(value), reason=reason)


def named_path(value: str) -> Path:
    """Raises InputError where nothing was entered."""
    if not value:
        raise InputError("No file is named.", "Type its path, or press Esc.")
    return Path(os.path.expanduser(value))


def _absolute(value: str) -> Path:
    return Path(os.path.abspath(named_path(value)))


def _existing(value: str) -> Path:
    """Raises InputError where there is no such file or folder."""
    path = _absolute(value)
    if not path.exists():
        raise InputError(f"There is no file or folder {path}.", "Check the spelling.")
    return path


@dataclass(frozen=True, slots=True)
class Said:
    """What a person said about a claim."""

    label: Label | None
    """None takes back what was said before."""
    note: str = ""


class OverridePrompt(ModalScreen[Said | None]):
    """Ends with what was said, or None if the user thought better of it.

    Args:
        verdict: As it stands.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("override")

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self._verdict = verdict
        self._labels = OptionList(*map(named_label, Label), compact=True)
        note = verdict.override.note if verdict.override else ""
        self._note = Input(note, placeholder="Why: the note stands in the report")
        self._said = Static(id="said")
        self._said.display = False

    def compose(self) -> ComposeResult:
        """The claim, the five labels, the note."""
        with Vertical(classes="box") as box:
            box.border_title = "Your verdict"
            yield Static(Content(neutralise(self._verdict.claim.statement)), classes="claim")
            yield self._labels
            yield self._note
            yield self._said
            back = "  Ctrl+T takes it back." if self._verdict.override else ""
            yield Static(
                f"Up and Down choose, Enter goes on and accepts, Esc cancels.{back}",
                markup=False,
                classes="hint",
            )

    def on_mount(self) -> None:
        """Begin at the label that holds."""
        self._labels.highlighted = list(Label).index(self._verdict.label)
        self._labels.focus()

    def action_take_back(self) -> None:
        """Let the check's verdict stand again."""
        if self._verdict.override:
            self.dismiss(Said(None))

    @on(OptionList.OptionSelected)
    def _chosen(self) -> None:
        self._note.focus()

    @on(Input.Submitted)
    def _accept(self) -> None:
        number, note = self._labels.highlighted, self._note.value.strip()
        if not note:
            self._said.update("Say why in a few words.")
            self._said.display = True
            self._note.focus()
        elif number is not None:
            self.dismiss(Said(list(Label)[number], note))


class PastConversations(ModalScreen[Path | None]):
    """Ends with the file of the conversation to open, or None.

    Args:
        conversations: Where they are kept.
        kept: What there is.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("past")

    def __init__(self, conversations: Conversations, kept: Sequence[Kept]) -> None:
        super().__init__()
        self._conversations = conversations
        self._kept = list(kept)
        self._list = OptionList(*map(_line, self._kept))
        self._hint = Static(markup=False, classes="hint")

    def compose(self) -> ComposeResult:
        """A list in a box, the newest first."""
        with Vertical(classes="box") as box:
            box.border_title = "Past conversations"
            yield self._list
            yield self._hint

    def on_mount(self) -> None:
        """Say what can be done."""
        none = "No conversation is kept yet: each is, from its first answer on. Esc leaves."
        self._hint.update("Enter opens, d deletes, Esc leaves." if self._kept else none)

    @property
    def said(self) -> str:
        """What stands below the list."""
        return str(self._hint.content)

    def action_delete(self) -> None:
        """Delete the conversation that is highlighted, once that was confirmed."""
        place = self._list.highlighted
        if place is not None:
            question = "The conversation is deleted for good."
            prompt = Confirmation("Delete a conversation", question, "Delete")
            self.app.push_screen(prompt, partial(self._delete, place))

    def _delete(self, place: int, agreed: bool | None) -> None:
        if agreed:
            try:
                self._conversations.delete(self._kept[place].path)
            except InputError as error:
                self._hint.update(neutralise(f"{error.message} {error.advice}"))
            else:
                self._kept.pop(place)
                self._list.remove_option_at_index(place)
                self.on_mount()

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._kept[event.option_index].path)


def _line(kept: Kept) -> Content:
    if kept.first is None:
        return Content.styled(f"{neutralise(kept.path.name)} cannot be read", "$text-error")
    return Content.assemble(
        (f"{_when(kept.first.when)}  ", "$muted"), neutralise(kept.first.question)
    )


def _when(iso: str) -> str:
    """In the time of this place, as ``2026-01-31 17:45``."""
    try:
        return local_time(datetime.fromisoformat(iso))
    except (ValueError, OverflowError):
        return neutralise(iso)


def _export(path: Path, suffixes: Sequence[str], write: Callable[[str], None]) -> Path:
    """Write to a file of this name, whose end says in which format.

    Args:
        suffixes: The ends that there are.
        write: Is given the format.

    Raises:
        InputError: It cannot be written there, or the name's end means no format.
    """
    from veracite.tui.cli.output import choose_format
    from veracite.tui.console import OutputError, UsageError

    if path.suffix.lower() not in suffixes:
        message = f"Nothing is written as {path.suffix or 'a file without a suffix'}."
        raise InputError(message, f"The name may end in {', '.join(suffixes)}.")
    try:
        write(choose_format(None, False, path))
    except (OutputError, UsageError) as error:
        raise InputError(error.message, error.advice) from error
    return path


def export_report(report: Report, path: Path, against: Against) -> Path:
    """Write a report as HTML, Markdown, JSON or text, readable by its owner alone.

    Args:
        against: What the verdicts rest on; documents are named beginning there.

    Raises:
        InputError: It cannot be written there, or the name's end means no format.
    """
    from veracite.tui.cli import output

    def write(kind: str) -> None:
        output.require_place(path, report.path or "-")
        output.send(report, kind, path, namer(against))

    return _export(path, (".html", ".md", ".json", ".txt"), write)


def report_name(report: Report) -> Path:
    """A name for a report, beside its text where that has a file."""
    if report.path is None:
        return Path("report.html")
    text = Path(report.path)
    return text.with_name(f"{text.stem}.report.html")


_BODY = re.compile(r"(?<=<body>\n).*(?=</body>)", re.DOTALL)
_PLACES = re.compile(r'(id="|href="#)(?=source-|claim-)')
"""Of our own template alone: from a document no quotation mark stands bare in a page."""
_LONGEST_NAME = 60
"""Characters."""


def export_conversation(reports: Sequence[Report], path: Path) -> Path:
    """Write the answers to a file, in the format that its name says.

    Raises:
        InputError: It cannot be written, or its name says no format.
    """
    from veracite.engine.report import html, markdown
    from veracite.tui.cli.output import deliver

    def write(kind: str) -> None:
        if kind == "html":
            pages = [_apart(html.render(report), number) for number, report in enumerate(reports)]
            bodies = [found[0] for page in pages if (found := _BODY.search(page))]
            text = _BODY.sub(lambda _: "<hr>\n".join(bodies), pages[0])
        else:
            text = "\n---\n\n".join(map(markdown.render, reports))
        deliver(text, path, data=True)

    return _export(path, (".html", ".md"), write)


def conversation_name(question: str) -> Path:
    """A name for a conversation, made of the words of its first question."""
    words = re.findall(r"\w+", question.casefold())
    while len("-".join(words)) > _LONGEST_NAME:
        words.pop()
    return Path(f"{'-'.join(words) or 'conversation'}.html")


def _apart(page: str, number: int) -> str:
    """The page with its places so named that another answer's are told from them."""
    return _PLACES.sub(lambda found: f"{found[0]}answer-{number}-", page)
