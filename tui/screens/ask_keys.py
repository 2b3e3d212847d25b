"""The keys of the Ask room; each can be given another one by its id (see the config's [keys])."""

from textual.binding import Binding

from veracite.tui.screens.help_key import HELP

__all__ = ["ANSWER_KEYS", "ASK_KEYS", "QUESTION_KEYS", "SOURCE_KEYS"]

ASK_KEYS = [
    HELP,
    Binding(
        "escape",
        "back",
        "Stop",
        show=False,
        tooltip="stop the answer, keeping what is verified; otherwise back to the question",
        id="ask.back",
    ),
    Binding("ctrl+t", "method", "Method", tooltip="choose the method", id="ask.method"),
    Binding(
        "ctrl+g", "compare", "Compare", tooltip="set a second method beside it", id="ask.compare"
    ),
    Binding(
        "f7",
        "model",
        "Model",
        key_display="F7",
        tooltip="choose the language model",
        id="ask.model",
    ),
    Binding("ctrl+l", "documents", "Library", tooltip="choose the documents", id="ask.documents"),
    Binding("ctrl+o", "past", "Past", tooltip="past conversations", id="ask.past"),
    Binding("ctrl+s", "export", "Export", tooltip="write Markdown or HTML", id="ask.export"),
    Binding(
        "f8",
        "trace",
        "Trace",
        key_display="F8",
        tooltip="how the answer came about",
        id="ask.trace",
    ),
    Binding("ctrl+n", "new", "New", show=False, tooltip="begin a new conversation", id="ask.new"),
    Binding(
        "ctrl+y",
        "copy",
        "Copy answer",
        show=False,
        tooltip="copy the newest answer with its citations as Markdown",
        id="ask.copy",
    ),
    Binding(
        "ctrl+up",
        "into_answers",
        "To the quotes",
        show=False,
        tooltip="go to the newest answer's quotes",
        id="ask.quotes",
    ),
    Binding("pageup", "scroll(-1)", "Up", show=False, tooltip="scroll back", id="ask.scroll-back"),
    Binding("pagedown", "scroll(1)", "Down", show=False, tooltip="scroll on", id="ask.scroll-on"),
]

ANSWER_KEYS = [
    Binding(
        "y",
        "copy",
        "Copy answer",
        tooltip="copy this answer with its citations as Markdown",
        id="answer.copy",
    )
]

SOURCE_KEYS = [
    Binding(
        "enter,space",
        "unfold",
        "Quote",
        key_display="⏎",
        tooltip="show the quote in its passage, or hide it",
        id="source.unfold",
    ),
    Binding(
        "o",
        "open",
        "Open file",
        tooltip="open the quoted file in the system's viewer",
        id="source.open",
    ),
    Binding("down,j", "app.focus_next", "Next", show=False, tooltip="next quote"),
    Binding("up,k", "app.focus_previous", "Previous", show=False, tooltip="previous quote"),
]

QUESTION_KEYS = [
    Binding("up", "recall(-1)", "Earlier", show=False, tooltip="bring back an earlier question"),
    Binding("down", "recall(1)", "Later", show=False, tooltip="go on to a later question"),
]
