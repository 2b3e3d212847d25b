"""Every key of the app in one table, and those that a person chooses instead in ``[keys]``.

Bindings, footer, help (F1) and command palette are made from it. Each key with an id can be given
another one in the config file.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from textual.actions import parse
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.keys import REPLACED_KEYS, Keys, key_to_character
from textual.screen import Screen

from veracite.engine.errors import SettingsError
from veracite.engine.settings import no_such
from veracite.engine.types import Label


@dataclass(frozen=True, slots=True)
class Key:
    """A row of the table."""

    key: str
    """One or several, separated by commas; none for what only the command palette offers."""
    action: str
    name: str
    """In the footer."""
    about: str = ""
    """In the help and in the command palette; without it, the help shows the name."""
    id: str | None = None
    """In the config file's table ``[keys]``."""
    shown: bool = False
    """Whether the footer shows it."""
    display: str | None = None
    """How the footer writes the key."""
    first: bool = False
    """Whether it works before what has the focus takes the key."""
    command: str = ""
    """In the command palette."""

    @property
    def binding(self) -> Binding:
        """As Textual has it."""
        return Binding(
            self.key,
            self.action,
            self.name,
            show=self.shown,
            key_display=self.display,
            priority=self.first,
            tooltip=self.about,
            id=self.id,
        )


@dataclass(frozen=True, slots=True)
class View:
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

# fmt: off
_HELP = Key("f1", "app.help", "Help", "these keys", shown=True)
_CANCEL = Key("escape", "dismiss(None)", "Cancel", shown=True)
_BUTTONS = (
    Key("left", "app.focus_previous", ""),
    Key("right", "app.focus_next", ""),
)

KEYS: Mapping[str, tuple[Key, ...]] = {
    "everywhere": (
        Key("f1", "help", "Help", "these keys", "help", shown=True, first=True),
        # F6 and F7 mean something in Textual's text fields.
        *(Key(v.key, f"view('{v.name}')", v.title, v.about, f"room.{v.name}", first=True)
          for v in VIEWS),
        Key("f9", "log", "Log", "what was said, and what broke", "log"),
        Key("ctrl+q", "quit", "Quit", "quit", "quit", first=True),
    ),
    "check": (
        Key("f5,ctrl+r", "check", "Check", "check the text; only what changed is judged anew",
            "check.check", shown=True, display="F5", command="Check the text"),
        _HELP,
        Key("escape", "back", "Back", "stop the check; from the editor back to the verdicts",
            "check.back", command="Stop"),
        Key("n", "finding(True)", "Next", "go to the next finding", "check.next",
            shown=True, display="n/p", command="Next finding"),
        Key("p", "finding(False)", "Previous", "go to the previous finding", "check.previous",
            command="Previous finding"),
        Key("ctrl+down", "finding(True)", "Next finding",
            "go to the next finding, also while editing", "check.next-editing"),
        Key("ctrl+up", "finding(False)", "Previous finding",
            "go to the previous finding, also while editing", "check.previous-editing"),
        Key("enter", "passage", "Passage", "read the pages around the quote", "check.passage",
            command="Passage"),
        Key("space", "more", "More evidence", "scroll the evidence on", "check.more"),
        Key("less_than_sign", "grow(5)", "Larger evidence",
            "more room for the evidence (or drag the border)", "check.grow",
            command="More room for the evidence"),
        Key("greater_than_sign", "grow(-5)", "Larger text", "more room for the text",
            "check.shrink", command="More room for the text"),
        Key("e", "edit", "Edit", "edit the text at this claim", "check.edit", shown=True,
            command="Edit"),
        Key("f", "fix", "Fix", "propose changes to what is unsupported", "check.fix", shown=True,
            command="Fix"),
        Key("y", "copy", "Copy", "copy the claim with its citations as Markdown", "check.copy",
            command="Copy claim"),
        Key("v", "override", "Your verdict", "override the verdict, or take that back",
            "check.override", command="Your verdict"),
        Key("x", "export", "Export", "write the report to a file", "check.export",
            command="Export"),
        Key("o", "open_document", "Open document", "open the quoted file in the system's viewer",
            "check.open-document", command="Open document"),
        Key("slash,ctrl+f", "find", "Find", "find words in the text", "check.find", display="/",
            command="Find"),
        # Those that lead away from the editor go before it: what is typed next is not the text's.
        Key("ctrl+n", "new", "New text", "begin a new text", "check.new", first=True,
            command="New text"),
        Key("ctrl+o", "open", "Open", "open a text, PDF, DOCX or HTML file", "check.open",
            shown=True, first=True, command="Open"),
        Key("ctrl+s", "save", "Save", "save the text", "check.save", shown=True, first=True,
            command="Save"),
        Key("ctrl+l", "documents", "Library", "choose the documents to check against",
            "check.documents", shown=True, first=True, command="Documents"),
        Key("f8", "outcome", "Report", "counts, documents that failed and why", "check.report",
            shown=True, display="F8", command="Report"),
    ),
    "reader": (
        Key("right,j", "screen.claim(True)", "Next claim",
            "next claim; or point with the mouse", "check.next-claim"),
        Key("left,k", "screen.claim(False)", "Previous claim", "previous claim",
            "check.previous-claim"),
        *(Key(str(number), f"screen.only('{label}')", f"Only {label}",
              f"look only at what is {label.replace('_', ' ')}; again: at all",
              f"check.only-{label.replace('_', '-')}", command=f"Only {label.replace('_', ' ')}")
          for number, label in enumerate(Label, start=1)),
        Key("0", "screen.only('')", "All claims", "look at all claims", command="All claims"),
    ),
    "find": (
        Key("escape", "close", "Close", shown=True),
        Key("down", "step(True)", "Next place", shown=True, first=True, display="⏎"),
        Key("up", "step(False)", "Previous place", shown=True, first=True),
    ),
    "ask": (
        _HELP,
        Key("escape", "back", "Stop",
            "stop the answer, keeping what is verified; otherwise back to the question",
            "ask.back"),
        Key("ctrl+t", "method", "Method", "choose the method", "ask.method", shown=True,
            command="Method"),
        Key("ctrl+g", "compare", "Compare", "set a second method beside it", "ask.compare",
            shown=True, command="Compare"),
        Key("f7", "model", "Model", "choose the language model", "ask.model", shown=True,
            display="F7", command="Model"),
        Key("ctrl+l", "documents", "Library", "choose the documents", "ask.documents", shown=True,
            command="Library"),
        Key("ctrl+o", "past", "Past", "past conversations", "ask.past", shown=True,
            command="Past conversations"),
        Key("ctrl+s", "export", "Export", "write Markdown or HTML", "ask.export", shown=True,
            command="Export"),
        Key("f8", "trace", "Trace", "how the answer came about", "ask.trace", shown=True,
            display="F8", command="Trace"),
        Key("ctrl+n", "new", "New", "begin a new conversation", "ask.new",
            command="New conversation"),
        Key("ctrl+y", "copy", "Copy answer",
            "copy the newest answer with its citations as Markdown", "ask.copy",
            command="Copy answer"),
        Key("ctrl+up", "into_answers", "To the quotes", "go to the newest answer's quotes",
            "ask.quotes"),
        Key("pageup", "scroll(-1)", "Up", "scroll back", "ask.scroll-back"),
        Key("pagedown", "scroll(1)", "Down", "scroll on", "ask.scroll-on"),
    ),
    "answer": (
        Key("y", "copy", "Copy answer", "copy this answer with its citations as Markdown",
            "answer.copy", shown=True),
    ),
    "source": (
        Key("enter,space", "unfold", "Quote", "show the quote in its passage, or hide it",
            "source.unfold", shown=True, display="⏎"),
        Key("o", "open", "Open file", "open the quoted file in the system's viewer",
            "source.open", shown=True),
        Key("down,j", "app.focus_next", "Next", "next quote"),
        Key("up,k", "app.focus_previous", "Previous", "previous quote"),
    ),
    "question": (
        Key("up", "recall(-1)", "Earlier", "bring back an earlier question"),
        Key("down", "recall(1)", "Later", "go on to a later question"),
    ),
    "library": (
        _HELP,
        Key("escape", "back", "Back",
            "from the hits to the search and to the libraries; there it stops a sync",
            "library.back"),
        Key("slash", "search", "Search", "search the library while you type", "library.search",
            shown=True, display="/", command="Search"),
        Key("ctrl+f", "search", "Search"),
        Key("ctrl+t", "ranking", "Ranking", "look at the hits of hybrid, BM25 or dense search",
            "library.ranking", shown=True, command="Ranking"),
        Key("a", "add", "Add", "add a folder or a file to the library", "library.add", shown=True,
            command="Add"),
        Key("n", "new", "New", "make a library with a name of its own", "library.new", shown=True,
            command="New library"),
        Key("s", "sync", "Sync", "read what is new or changed in the library's sources",
            "library.sync", shown=True, command="Sync"),
        Key("f5", "sync", "Sync"),
        Key("r", "sources", "Sources",
            "go to the sources, where r takes one out of the library", "library.sources",
            shown=True, command="Sources"),
        Key("u", "use", "Use", "use the library in Check and Ask", "library.use", shown=True,
            command="Use"),
        Key("d", "delete", "Delete", "delete the library's index, not its documents",
            "library.delete", shown=True, command="Delete library"),
        Key("", "stop", "Stop", "stop the sync", command="Stop"),
        Key("", "encode_anew", "Encode anew", "go on, where the encoder was changed",
            command="Encode anew"),
    ),
    "sources": (
        Key("r", "remove", "Remove source", "have the library forget this source",
            "library.remove", shown=True),
        Key("delete", "remove", "Remove source"),
    ),
    "hits": (
        Key("enter", "select", "Read on", "read on around the passage", shown=True, display="⏎"),
        Key("o", "open", "Open file", "open the file in the system's viewer", shown=True),
        Key("j", "cursor_down", "Next"),
        Key("k", "cursor_up", "Previous"),
    ),
    "models": (
        _HELP,
        Key("escape", "stop", "Stop",
            "stop what is being done; a download goes on later where it stopped", "models.stop",
            command="Stop"),
        Key("u", "use", "Use", "use the model, or no longer use it", "models.use", shown=True,
            command="Use"),
        Key("p", "pull", "Download", "download the model", "models.pull", shown=True,
            command="Download"),
        Key("a", "pull_other", "Another", "download any other model of the hub by its name",
            "models.pull-other", shown=True, command="Download another model"),
        Key("i", "bring", "Import",
            "import a GGUF file, an encoder's folder or a bundle; no network is needed",
            "models.import", shown=True, command="Import"),
        Key("e", "export", "Export", "write the model into a bundle for another machine",
            "models.export", shown=True, command="Export"),
        Key("v", "verify", "Verify", "compare the model's files with the hashes that are known",
            "models.verify", shown=True, command="Verify"),
        Key("d", "remove", "Remove", "remove the model", "models.remove", shown=True,
            command="Remove"),
        Key("delete", "remove", "Remove"),
        Key("f5", "refresh_list", "Refresh", "look again what there is", "models.refresh",
            command="Refresh"),
        Key("less_than_sign", "grow(5)", "Larger details",
            "more room for the details; or drag the border", "models.grow"),
        Key("greater_than_sign", "grow(-5)", "Larger list", "more room for the list",
            "models.shrink"),
        Key("", "use_none", "Use none", "only what is part of Veracite", command="Use none"),
        Key("", "export_all", "Export all", "into one bundle", command="Export all models"),
        Key("", "verify_all", "Verify all", "every stored file", command="Verify all models"),
    ),
    "model": (
        Key("enter", "screen.details", "Details", "show the model's files and their hashes",
            "models.details", command="Details"),
    ),
    "fix": (
        Key("a", "answer(True)", "Accept", id="fix.accept", shown=True),
        Key("r", "answer(False)", "Refuse", id="fix.refuse", shown=True),
        Key("A", "accept_all", "Accept all", id="fix.accept-all", shown=True),
        Key("s", "unfold", "What stays", id="fix.what-stays", shown=True),
        Key("enter", "apply", "Change the text", id="fix.apply", shown=True, first=True),
        Key("escape", "leave", "Leave it as it is", id="fix.leave", shown=True),
    ),
    "override": (
        _CANCEL,
        Key("ctrl+t", "take_back", "Take back", id="override.take-back", shown=True),
    ),
    "info": (Key("escape,q,enter,f1,f8,f9", "dismiss", "Close", shown=True, display="esc"),),
    "passage": (
        Key("escape,q,enter", "dismiss", "Close", shown=True, display="esc"),
        Key("n,right", "turn(1)", "Next", shown=True),
        Key("p,left", "turn(-1)", "Previous", shown=True),
        Key("o", "open", "Open the file", shown=True),
    ),
    "quote": (Key("y", "copy", "Copy claim and citations", shown=True),),
    "prompt": (_CANCEL,),
    "path": (
        Key("tab", "complete", "Complete", shown=True, first=True),
        Key("down", "into_list", "Matches"),
    ),
    "confirm": (
        Key("escape,n", "dismiss(False)", "Cancel", shown=True),
        Key("y", "dismiss(True)", "Yes", shown=True),
        *_BUTTONS,
    ),
    "unsaved": (
        Key("escape,c", "dismiss(None)", "Cancel", shown=True),
        Key("s", "dismiss('save')", "Save", shown=True),
        Key("d", "dismiss('discard')", "Discard", shown=True),
        *_BUTTONS,
    ),
    "past": (
        Key("escape", "leave", "Cancel", shown=True),
        Key("d,delete", "delete", "Delete", shown=True),
    ),
    "picker": (
        Key("up", "screen.move('cursor_up')", "Up"),
        Key("down", "screen.move('cursor_down')", "Down"),
        Key("pageup", "screen.move('page_up')", "Page up"),
        Key("pagedown", "screen.move('page_down')", "Page down"),
        Key("right", "screen.unfold(True)", "Presets"),
        Key("left", "screen.unfold(False)", "Fold"),
    ),
}
"""By where the keys work, which is a widget or a screen."""
# fmt: on

_TOGETHER: Mapping[str, tuple[str, ...]] = {
    "check": ("check", "reader"),
    "ask": ("ask", "answer", "source", "question"),
    "library": ("library",),
    "models": ("models", "model"),
    "fix": ("fix",),
    "override": ("override",),
    "sources": ("sources",),
}
"""What can have the focus at once; there no two actions may have the same key."""


def bindings(place: str) -> list[BindingType]:
    """The keys of a place, for its class's ``BINDINGS``."""
    return [each.binding for each in KEYS[place] if each.key]


def commands(screen: Screen[object], view: str) -> Iterator[SystemCommand]:
    """What the command palette offers in a view."""
    for each in (key for place in _TOGETHER[view] for key in KEYS[place] if key.command):
        _, name, arguments = parse(each.action)
        about = f"{each.about[:1].upper()}{each.about[1:]}"
        action = partial(getattr(screen, f"action_{name}"), *arguments)
        yield SystemCommand(each.command, about, action)


_MODIFIERS = {"ctrl", "shift", "alt", "meta", "super", "hyper"}


def markdown() -> str:
    """The keys that can be given others, as a table for the documentation."""
    rows = ["| id in `[keys]` | key | what it does |", "|---|---|---|"]
    for each in (key for place in KEYS.values() for key in place if key.id):
        keys = ", ".join(f"`{key}`" for key in _split(each.key))
        about = each.about or f"{each.name[:1].lower()}{each.name[1:]}"
        rows.append(f"| `{each.id}` | {keys} | {about} |")
    return "\n".join(rows) + "\n"


def identifiers() -> list[str]:
    """What stands to the left in ``[keys]``, such as ``check.next``."""
    return sorted({each.id for table in KEYS.values() for each in table if each.id})


def require_usable(keymap: Mapping[str, str], config: Path) -> None:
    """Find out before the app opens what could not be pressed.

    Raises:
        SettingsError: There is no such action or key, or two actions would have the same key.
    """
    if not keymap:
        return
    known = identifiers()
    for name, keys in keymap.items():
        if name not in known:
            raise no_such(f"action in [keys] of {config}", name, known)
        for key in _split(keys):
            if not _is_key(key):
                raise SettingsError(
                    f"There is no key {key!r}, which [keys] of {config} gives to {name}.",
                    'Write it as in "ctrl+g", "f7", "shift+left" or "?".',
                )
    palette = Key(App.COMMAND_PALETTE_BINDING, "command_palette", "command palette")
    for places in [(), *_TOGETHER.values()]:
        held = (key for place in ("everywhere", *places) for key in KEYS[place] if key.key)
        _require_apart([palette, *held], keymap, config)


def _require_apart(bindings: list[Key], keymap: Mapping[str, str], config: Path) -> None:
    """Raises SettingsError where a key that was chosen is another action's too."""
    for binding in bindings:
        if binding.id is None or binding.id not in keymap:
            continue
        for other in bindings:
            if other.action == binding.action or other.action.endswith(f".{binding.action}"):
                continue
            theirs = keymap.get(other.id or "", other.key)
            for key in {*_names(keymap[binding.id])} & {*_names(theirs)}:
                said = other.id or other.name
                raise SettingsError(
                    f"The key {key!r} would do two things, {binding.id} and {said}.",
                    f"Give one of them another key in [keys] of {config}.",
                )


def _split(keys: str) -> list[str]:
    return [key.strip() for key in keys.split(",")]


def _names(keys: str) -> Iterator[str]:
    """Each key under the one name that Textual has for it: ``question_mark`` for ``?``."""
    for binding in Binding.make_bindings([(",".join(_split(keys)), "none", "")]):
        yield binding.key


def _is_key(key: str) -> bool:
    *modifiers, name = key.split("+") if key != "+" else ["+"]
    if not {*modifiers} <= _MODIFIERS or len({*modifiers}) < len(modifiers):
        return False
    if len(name) == 1:
        return name.isprintable()
    known = {*REPLACED_KEYS, *(each.value for each in Keys)}
    if name in known or key_to_character(name) is not None:
        return True
    with suppress(KeyError):
        return bool(unicodedata.lookup(name.replace("_", " ")))
    return False
