"""Every key of the app in one table, and those that a person chooses instead in ``[keys]``.

Bindings, footer, help (F1) and command palette are made from it. Each key with an id can be given
another one in the config file.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from textual.actions import parse
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.keys import Keys, key_to_character
from textual.screen import Screen

from veracite.engine.errors import SettingsError
from veracite.engine.settings import no_such
from veracite.engine.types import Label

_HELD = frozenset({"alt", "ctrl", "hyper", "meta", "shift", "super"})
_PRESSED = frozenset(key.value.rpartition("+")[2] for key in Keys)
"""Those with a name of their own; the others are called by their sign."""


class View(NamedTuple):
    """One of the app's modes."""

    name: str
    title: str
    key: str
    about: str
    """For the command palette."""


VIEWS = (
    View("check", "Check", "f2", "Check a text claim by claim"),
    View("ask", "Ask", "f3", "Ask questions and get answers with citations"),
    View("library", "Library", "f4", "Collections of documents: add, read, search"),
    View("models", "Models", "f6", "Models: what is here, what fits, what is in use"),
)


def _key(
    keys: str,
    action: str,
    name: str,
    about: str = "",
    id: str | None = None,  # noqa: A002 (Textual's own name for it)
    *,
    shown: bool = False,
    display: str | None = None,
    first: bool = False,
) -> Binding:
    """A row of the table.

    Args:
        keys: One or several, separated by commas.
        name: In the footer and in the command palette.
        about: In the help and in the command palette; without it, the help of a question shows
            the name.
        id: In the config file's table ``[keys]``.
        shown: Whether the footer shows it.
        display: How the footer writes the key.
        first: Whether it works before what has the focus takes the key.
    """
    return Binding(keys, action, name, shown, display, first, about, id)


# fmt: off
_HELP = _key("f1", "app.help", "Help", shown=True)
_CANCEL = _key("escape", "dismiss(None)", "Cancel", shown=True)
_BUTTONS = (
    _key("left", "app.focus_previous", ""),
    _key("right", "app.focus_next", ""),
)

KEYS: Mapping[str, tuple[Binding, ...]] = {
    "everywhere": (
        _key("f1", "help", "Help", "these keys", "help", shown=True, first=True),
        # F6 and F7 mean something in Textual's text fields.
        *(_key(v.key, f"view('{v.name}')", v.title, v.about, f"screen.{v.name}", first=True)
          for v in VIEWS),
        _key("ctrl+q", "quit", "Quit", "quit", "quit", first=True),
    ),
    "check": (
        _key("f5,ctrl+r", "check", "Check", "check the text; only what changed is judged anew",
            "check.check", shown=True),
        _HELP,
        _key("escape", "back", "Stop", "stop the check; from the editor back to the verdicts",
            "check.back"),
        _key("n", "finding(True)", "Next", "go to the next finding", "check.next",
            shown=True, display="n/p"),
        _key("p", "finding(False)", "Previous", "go to the previous finding", "check.previous"),
        _key("ctrl+down", "finding(True)", "Next finding",
            "go to the next finding, also while editing", "check.next-editing"),
        _key("ctrl+up", "finding(False)", "Previous finding",
            "go to the previous finding, also while editing", "check.previous-editing"),
        _key("enter", "passage", "Passage", "read the pages around the quote", "check.passage"),
        _key("space", "more", "More evidence", "scroll the evidence on", "check.more"),
        _key("e", "edit", "Edit", "edit the text at this claim", "check.edit", shown=True),
        _key("f", "fix", "Fix", "propose changes to what is unsupported", "check.fix", shown=True),
        _key("y", "copy", "Copy claim", "copy the claim with its citations as Markdown",
            "check.copy"),
        _key("v", "override", "Your verdict", "override the verdict, or take that back",
            "check.override"),
        _key("x", "export", "Export", "write the report to a file", "check.export"),
        _key("o", "open_document", "Open document", "open the quoted file in the system's viewer",
            "check.open-document"),
        _key("slash,ctrl+f", "find", "Find", "find words in the text", "check.find", display="/"),
        # Those that lead away from the editor go before it: what is typed next is not the text's.
        _key("ctrl+n", "new", "New text", "begin a new text", "check.new", first=True),
        _key("ctrl+o", "open", "Open", "open a text, PDF, HTML or office file", "check.open",
            shown=True, first=True),
        _key("ctrl+s", "save", "Save", "save the text", "check.save", shown=True, first=True),
        _key("ctrl+l", "documents", "Against", "choose the documents to check against",
            "check.documents", shown=True, first=True),
        _key("f8", "outcome", "Report", "counts, documents that failed and why", "check.report",
            shown=True),
    ),
    "reader": (
        _key("right,j", "screen.claim(True)", "Next claim",
            "next claim; or click on it", "check.next-claim"),
        _key("left,k", "screen.claim(False)", "Previous claim", "previous claim",
            "check.previous-claim"),
        _key("home", "screen.edge(False)", "First claim", "first claim", "check.first-claim"),
        _key("end", "screen.edge(True)", "Last claim", "last claim", "check.last-claim"),
        *(_key(str(number), f"screen.only('{label}')", f"Only {label.replace('_', ' ')}",
              f"look only at what is {label.replace('_', ' ')}; again: at all",
              f"check.only-{label.replace('_', '-')}")
          for number, label in enumerate(Label, start=1)),
        _key("0", "screen.only('')", "All claims", "look at all claims", "check.all"),
    ),
    "find": (
        _key("escape", "close", "Close", shown=True),
        _key("down", "step(True)", "Next place", shown=True, first=True, display="⏎"),
        _key("up", "step(False)", "Previous place", shown=True, first=True),
    ),
    "ask": (
        _HELP,
        _key("escape", "back", "Stop",
            "stop the answer, keeping what is verified; otherwise back to the question",
            "ask.back"),
        _key("ctrl+t", "method", "Method", "choose the method", "ask.method", shown=True),
        _key("ctrl+g", "compare", "Compare", "set a second method beside it", "ask.compare",
            shown=True),
        _key("ctrl+l", "documents", "Against", "choose the documents", "ask.documents", shown=True),
        _key("ctrl+o", "past", "Past", "past conversations", "ask.past", shown=True),
        _key("ctrl+s", "export", "Export", "write it as Markdown", "ask.export", shown=True),
        _key("f8", "trace", "Trace", "how the answer came about", "ask.trace", shown=True),
        _key("ctrl+n", "new", "New", "begin a new conversation", "ask.new"),
        _key("ctrl+up", "into_answers", "To the quotes", "go to the newest answer's quotes",
            "ask.quotes"),
        _key("pageup", "scroll(-1)", "Up", "scroll back", "ask.scroll-back"),
        _key("pagedown", "scroll(1)", "Down", "scroll on", "ask.scroll-on"),
    ),
    "answer": (
        _key("y", "copy", "Copy answer", "copy this answer with its citations as Markdown",
            "answer.copy", shown=True),
    ),
    "source": (
        _key("enter,space", "unfold", "Quote", "show the quote in its passage, or hide it",
            "source.unfold", shown=True, display="⏎"),
        _key("o", "open", "Open file", "open the quoted file in the system's viewer",
            "source.open", shown=True),
        _key("down,j", "app.focus_next", "Next", "next quote"),
        _key("up,k", "app.focus_previous", "Previous", "previous quote"),
    ),
    "question": (
        _key("up", "recall(-1)", "Earlier", "bring back an earlier question"),
        _key("down", "recall(1)", "Later", "go on to a later question"),
    ),
    "library": (
        _HELP,
        _key("escape", "back", "Stop",
            "from the hits to the search and to the libraries; there it stops a sync",
            "library.back"),
        _key("slash,ctrl+f", "search", "Search", "search the library while you type",
            "library.search", shown=True, display="/"),
        _key("a", "add", "Add", "add a folder or a file to the library", "library.add", shown=True),
        _key("n", "new", "New", "make a library with a name of its own", "library.new", shown=True),
        _key("s,f5", "sync", "Sync", "read what is new or changed in the library's sources",
            "library.sync", shown=True),
        _key("r", "sources", "Sources",
            "go to the sources, where r takes one out of the library", "library.sources",
            shown=True),
        _key("u", "use", "Use", "use the library in Check and Ask", "library.use", shown=True),
        _key("d", "delete", "Delete", "delete the library's index, not its documents",
            "library.delete", shown=True),
    ),
    "sources": (
        _key("r,delete", "screen.remove_source", "Remove source",
            "have the library forget this source", "library.remove", shown=True),
    ),
    "hits": (
        _key("enter", "select", "Read on", "read on around the passage", shown=True),
        _key("j", "cursor_down", "Next"),
        _key("k", "cursor_up", "Previous"),
    ),
    "models": (
        _HELP,
        _key("escape", "stop", "Stop",
            "stop what is being done; a download goes on later where it stopped", "models.stop"),
        _key("u", "use", "Use", "use the model, or no longer use it", "models.use", shown=True),
        _key("p", "pull", "Download", "download the model", "models.pull", shown=True),
        _key("a", "pull_other", "Another", "download any other model of the hub by its name",
            "models.pull-other", shown=True),
        _key("i", "bring", "Import",
            "import a GGUF file, an encoder's folder or a bundle; no network is needed",
            "models.import", shown=True),
        _key("t", "test", "Test", "have a language model take the exam for its say in verdicts",
            "models.test"),
        _key("v", "verify", "Verify", "compare the model's files with the hashes that are known",
            "models.verify", shown=True),
        _key("d,delete", "remove", "Remove", "remove the model", "models.remove", shown=True),
        _key("f5", "refresh_list", "Refresh", "look again what there is", "models.refresh"),
        _key("0", "use_none", "Use none", "use only what is part of Veracite", "models.use-none"),
    ),
    "fix": (
        _key("a", "answer(True)", "Accept", id="fix.accept", shown=True),
        _key("r", "answer(False)", "Refuse", id="fix.refuse", shown=True),
        _key("A", "accept_all", "Accept all", id="fix.accept-all", shown=True),
        _key("enter", "apply", "Change the text", id="fix.apply", shown=True, first=True),
        _key("escape", "dismiss(None)", "Leave it as it is", id="fix.leave", shown=True),
    ),
    "override": (
        _CANCEL,
        _key("ctrl+t", "take_back", "Take back", id="override.take-back", shown=True),
    ),
    "info": (_key("escape,q,enter,f1,f8", "dismiss", "Close", shown=True),),
    "passage": (
        _key("escape,q,enter", "dismiss", "Close", shown=True),
        _key("n,right", "turn(1)", "Next", shown=True),
        _key("p,left", "turn(-1)", "Previous", shown=True),
        _key("o", "open", "Open the file", shown=True),
    ),
    "prompt": (_CANCEL,),
    "path": (_key("tab", "complete", "Complete", shown=True, first=True),),
    "confirm": (
        _key("escape,n", "dismiss(False)", "Cancel", shown=True),
        _key("y", "dismiss(True)", "Yes", shown=True),
        *_BUTTONS,
    ),
    "unsaved": (
        _key("escape,c", "dismiss(None)", "Cancel", shown=True),
        _key("s", "dismiss('save')", "Save", shown=True),
        _key("d", "dismiss('discard')", "Discard", shown=True),
        *_BUTTONS,
    ),
    "past": (
        _CANCEL,
        _key("d,delete", "delete", "Delete", shown=True),
    ),
}
"""By where the keys work, which is a widget or a screen."""
# fmt: on


def bindings(place: str) -> list[BindingType]:
    """The keys of a place, for its class's ``BINDINGS``."""
    return list(KEYS[place])


def commands(screen: Screen[object], view: str) -> Iterator[SystemCommand]:
    """What the command palette offers in a view: all that has a name of its own in ``[keys]``."""
    for each in (*KEYS[view], *(KEYS["reader"] if view == "check" else ())):
        if each.id:
            _, name, arguments = parse(each.action)
            action = partial(getattr(screen, f"action_{name}"), *arguments)
            yield SystemCommand(
                each.description, f"{each.tooltip[:1].upper()}{each.tooltip[1:]}", action
            )


def require_known(keymap: Mapping[str, str], config: Path) -> None:
    """Find out before the app opens what names no action or no key.

    Raises:
        SettingsError: There is no such action, or no such key.
    """
    known = sorted({each.id for table in KEYS.values() for each in table if each.id})
    for name, keys in keymap.items():
        if name not in known:
            raise no_such(f"action in [keys] of {config}", name, known)
        for key in keys.split(","):
            *held, pressed = key.strip().split("+")
            if not (_HELD.issuperset(held) and (pressed in _PRESSED or key_to_character(pressed))):
                raise SettingsError(
                    f"There is no key {key.strip()!r}, which {config} has for {name} in [keys].",
                    'Write it as "f7", "ctrl+g" or "shift+down".',
                )
