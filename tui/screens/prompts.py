"""Questions in a small box: for a path, a name, a yes or no."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.button import ButtonVariant

from veracite.engine.conversations import Conversations, Kept
from veracite.engine.display import neutralise
from veracite.engine.errors import InputError
from veracite.engine.libraries import Against, Documents
from veracite.engine.types import Label, Report, Verdict
from veracite.tui.keys import bindings
from veracite.tui.service import against_from, local_time, namer, short_path, written
from veracite.tui.texts import Draft, free_name, read_draft, save_draft_as
from veracite.tui.themes import named_label
from veracite.tui.widgets.path_input import PathInput
from veracite.tui.worker import Runner, apart

Result = TypeVar("Result")


class Box(ModalScreen[Result | None]):
    """A small box over the screen; ends with None if the user thinks better of it.

    Args:
        title: What is asked for.
        hint: What may be entered, and the keys.
        asked: What is asked.
        said: Why it is asked, where that is not plain.
        wide: Whether the box needs room.
    """

    def __init__(
        self, title: str, hint: str, *asked: Widget, said: str = "", wide: bool = False
    ) -> None:
        super().__init__()
        self._said = Static(id="said")
        shown = Static(hint, markup=False, classes="hint")
        self._box = Vertical(*asked, self._said, shown, classes="box wide" if wide else "box")
        self._box.border_title = title
        self.say(said)

    def compose(self) -> ComposeResult:
        """What is asked, what was said to the last answer, and the hint."""
        yield self._box

    def say(self, message: str, *, error: bool = False) -> None:
        """Say something below what is asked."""
        self._said.display = bool(message)
        self._said.set_class(error, "-error")
        self._said.update(Content(neutralise(message)))


class Prompt(Box[Result]):
    """Ends with what ``accept`` made of the input.

    Args:
        title: What is asked for.
        hint: What may be entered.
        accept: Takes what was entered, beside the screen. Where it raises an error for the user,
            that is shown and the prompt stays.
        line: Where it is entered.
        reason: Why it is asked, where that is not plain.
    """

    BINDINGS = bindings("prompt")

    def __init__(
        self, title: str, hint: str, accept: Callable[[str], Result], line: Input, reason: str = ""
    ) -> None:
        super().__init__(title, hint, line, said=reason)
        self._accept = accept
        self._input = line

    @on(Input.Submitted)
    def _choose(self) -> None:
        self.say("One moment …")
        self.run_worker(self._try(self._input.value), exclusive=True)

    async def _try(self, value: str) -> None:
        try:
            result = await apart(partial(self._accept, value.strip()))
        except Exception as error:  # whatever it was, the text on the screen must survive it
            self.say(Runner.Failed.of(error).said, error=True)
        else:
            self.dismiss(result)


class _Buttons(Box[Result]):
    """A button for each answer; ``buttons`` has what each ends with, and how it looks."""

    def __init__(
        self,
        title: str,
        question: str,
        hint: str,
        buttons: Mapping[str, tuple[Result | None, ButtonVariant]],
    ) -> None:
        row = (Button(name, variant=how, compact=True) for name, (_, how) in buttons.items())
        asked = Static(Content(neutralise(question)))
        super().__init__(title, hint, asked, Horizontal(*row, classes="answers"))
        self._buttons = buttons

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

    BINDINGS = bindings("confirm")

    def __init__(self, title: str, question: str, yes: str) -> None:
        hint = f"y: {yes.lower()}, Esc cancels."
        super().__init__(
            title, question, hint, {"Cancel": (False, "default"), yes: (True, "error")}
        )


class UnsavedPrompt(_Buttons[str]):
    """Ends with what becomes of unsaved edits, "save" or "discard"; None: the user stays.

    Args:
        name: Of the text.
    """

    BINDINGS = bindings("unsaved")

    def __init__(self, name: str) -> None:
        super().__init__(
            "Unsaved edits",
            f"What you changed in {name} is not saved.",
            "s saves, d discards, Esc cancels.",
            {
                "Save": ("save", "primary"),
                "Discard": ("discard", "default"),
                "Cancel": (None, "default"),
            },
        )


# The Check view


def for_text(draft: Draft | None) -> Prompt[Draft]:
    """Which file to read; the folder of the text that is open is the first place to look."""
    return Prompt(
        "Open a text",
        "A text, PDF, HTML or office file. Tab completes, Enter opens, Esc cancels.",
        lambda value: read_draft(named_path(value)),
        PathInput(f"{draft.path.parent}{os.sep}" if draft else ""),
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
        Path(report.path).with_suffix(".report.html") if report.path else "report.html",
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
        PathInput(written(against), "the default library", folders_only=True, new=True),
    )


# The Ask view


def for_conversation(reports: Sequence[Report]) -> Prompt[Path]:
    """Where answers are written to."""
    return _for_file(
        "Export the conversation",
        "A name that ends in .md. Tab completes, Enter writes, Esc cancels.",
        lambda path: export_conversation(reports, path),
        "conversation.md",
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
        PathInput(),
    )


def for_library(require: Callable[[str], str]) -> Prompt[str]:
    """The name of a new library, which ``require`` gives back if it can be that."""

    return Prompt(
        "New library",
        "Letters, digits, dots, hyphens and underscores. Enter goes on to its documents, "
        "Esc cancels.",
        require,
        Input(placeholder="its name"),
    )


# The Models view


def for_address() -> Prompt[str]:
    """How a model is called on the hub; empty where nothing was entered."""
    return Prompt(
        "Download another model",
        "OWNER/REPOSITORY/FILE.gguf for a language model, OWNER/REPOSITORY for an encoder. "
        "Enter downloads, Esc cancels.",
        str,
        Input(placeholder="OWNER/REPOSITORY/FILE.gguf"),
    )


def for_model_import(path: Path | None = None) -> Prompt[Path]:
    """What is imported; ``path`` stands in the input at first."""
    return Prompt(
        "Import a model",
        "A GGUF file, an encoder's folder as on Hugging Face, or a bundle. "
        "Tab completes, Enter imports, Esc cancels.",
        _existing,
        PathInput(str(path or "")),
    )


def _for_file(
    title: str, hint: str, write: Callable[[Path], Result], value: Path | str, reason: str = ""
) -> Prompt[Result]:
    """Where something is written to; a file of that name is replaced on a second Enter."""
    replaceable: set[Path] = set()

    def entered(value: str) -> Result:
        path = named_path(value)
        if path.is_file() and path not in replaceable:
            replaceable.add(path)
            raise InputError(f"There is a file {short_path(path)}.", "Enter again replaces it.")
        return write(path)

    return Prompt(title, hint, entered, PathInput(str(value), new=True), reason)


def named_path(value: str) -> Path:
    """Raises InputError where nothing was entered."""
    if not value:
        raise InputError("No file is named.", "Type its path, or press Esc.")
    return Path(os.path.expanduser(value))


def _existing(value: str) -> Path:
    """Raises InputError where there is no such file or folder."""
    path = Path(os.path.abspath(named_path(value)))
    if not path.exists():
        raise InputError(f"There is no file or folder {path}.", "Check the spelling.")
    return path


@dataclass(frozen=True, slots=True)
class Said:
    """What a person said about a claim."""

    label: Label | None
    """None takes back what was said before."""
    note: str = ""


class OverridePrompt(Box[Said]):
    """Ends with what was said.

    Args:
        verdict: As it stands.
    """

    BINDINGS = bindings("override")

    def __init__(self, verdict: Verdict) -> None:
        back = "  Ctrl+T takes it back." if verdict.override else ""
        hint = f"Up and Down choose, Enter goes on and accepts, Esc cancels.{back}"
        claim = Static(Content(neutralise(verdict.claim.statement)), classes="claim")
        self._labels = OptionList(*map(named_label, Label), compact=True)
        note = verdict.override.note if verdict.override else ""
        self._note = Input(note, placeholder="Why: the note stands in the report")
        super().__init__("Your verdict", hint, claim, self._labels, self._note)
        self._verdict = verdict

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
            self.say("Say why in a few words.")
            self._note.focus()
        elif number is not None:
            self.dismiss(Said(list(Label)[number], note))


class PastConversations(Box[Path]):
    """Ends with the file of the conversation to open.

    Args:
        conversations: Where they are kept.
        kept: What there is.
    """

    BINDINGS = bindings("past")

    def __init__(self, conversations: Conversations, kept: Sequence[Kept]) -> None:
        none = "" if kept else "No conversation is kept yet: each is, from its first answer on."
        self._list = OptionList(*map(_line, kept))
        hint = "Enter opens, d deletes, Esc leaves."
        super().__init__("Past conversations", hint, self._list, said=none)
        self._conversations = conversations
        self._kept = list(kept)

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
                self.say(str(error), error=True)
            else:
                self._kept.pop(place)
                self._list.remove_option_at_index(place)

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


def _format(path: Path, *suffixes: str) -> str:
    """The format that a file's name says.

    Raises:
        InputError: It says none of those that there are.
    """
    from veracite.tui.cli.output import choose_format

    if path.suffix.lower() not in suffixes:
        message = f"Nothing is written as {path.suffix or 'a file without a suffix'}."
        raise InputError(message, f"The name may end in {', '.join(suffixes)}.")
    return choose_format(None, False, path)


def export_report(report: Report, path: Path, against: Against) -> Path:
    """Write a report as HTML, Markdown, JSON or text, readable by its owner alone.

    Args:
        against: What the verdicts rest on; documents are named beginning there.

    Raises:
        InputError, OutputError, UsageError: It cannot be written there, or the name's end means no
            format.
    """
    from veracite.tui.cli import output

    kind = _format(path, ".html", ".md", ".json", ".txt")
    output.require_place(path, report.path or "-")
    output.send(report, kind, path, namer(against))
    return path


def export_conversation(reports: Sequence[Report], path: Path) -> Path:
    """Write the answers to a file, as Markdown.

    Raises:
        InputError, OutputError: It cannot be written, or its name says another format.
    """
    from veracite.engine.report import markdown
    from veracite.tui.cli.output import write_file

    _format(path, ".md")
    text = "\n---\n\n".join(map(markdown.render, reports))
    write_file(path, text.encode("utf-8", "backslashreplace"))
    return path
