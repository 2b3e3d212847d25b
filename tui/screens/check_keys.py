"""The keys of the Check room; each can be given another one by its id (see the config's [keys])."""

from textual.binding import Binding

from veracite.engine.words import Label
from veracite.tui.screens.help_key import HELP

__all__ = ["CHECK_KEYS", "READER_KEYS"]

CHECK_KEYS = [
    Binding(
        "f5,ctrl+r",
        "check",
        "Check",
        key_display="F5",
        tooltip="check the text; only what changed is judged anew",
        id="check.check",
    ),
    HELP,
    Binding(
        "escape",
        "back",
        "Back",
        show=False,
        tooltip="stop the check; from the editor back to the verdicts",
        id="check.back",
    ),
    Binding(
        "n",
        "finding(True)",
        "Next",
        key_display="n/p",
        tooltip="go to the next finding",
        id="check.next",
    ),
    Binding(
        "p",
        "finding(False)",
        "Previous",
        show=False,
        tooltip="go to the previous finding",
        id="check.previous",
    ),
    Binding(
        "ctrl+down",
        "finding(True)",
        "Next finding",
        show=False,
        tooltip="go to the next finding, also while editing",
        id="check.next-editing",
    ),
    Binding(
        "ctrl+up",
        "finding(False)",
        "Previous finding",
        show=False,
        tooltip="go to the previous finding, also while editing",
        id="check.previous-editing",
    ),
    Binding(
        "enter",
        "passage",
        "Passage",
        show=False,
        tooltip="read the pages around the quote",
        id="check.passage",
    ),
    Binding(
        "space",
        "more",
        "More evidence",
        show=False,
        tooltip="scroll the evidence on",
        id="check.more",
    ),
    Binding(
        "less_than_sign",
        "grow(5)",
        "Larger evidence",
        show=False,
        tooltip="more room for the evidence (or drag the border)",
        id="check.grow",
    ),
    Binding(
        "greater_than_sign",
        "grow(-5)",
        "Larger text",
        show=False,
        tooltip="more room for the text",
        id="check.shrink",
    ),
    Binding("e", "edit", "Edit", tooltip="edit the text at this claim", id="check.edit"),
    Binding(
        "f",
        "fix",
        "Fix",
        tooltip="propose changes to what is unsupported",
        id="check.fix",
    ),
    Binding(
        "y",
        "copy",
        "Copy",
        show=False,
        tooltip="copy the claim with its citations as Markdown",
        id="check.copy",
    ),
    Binding(
        "v",
        "override",
        "Your verdict",
        show=False,
        tooltip="override the verdict, or take that back",
        id="check.override",
    ),
    Binding(
        "x",
        "export",
        "Export",
        show=False,
        tooltip="write the report to a file",
        id="check.export",
    ),
    Binding(
        "o",
        "open_document",
        "Open document",
        show=False,
        tooltip="open the quoted file in the system's viewer",
        id="check.open-document",
    ),
    Binding(
        "slash,ctrl+f",
        "find",
        "Find",
        key_display="/",
        show=False,
        tooltip="find words in the text",
        id="check.find",
    ),
    # Those that lead away from the editor go before it: what is typed next is not the text's.
    Binding(
        "ctrl+n",
        "new",
        "New text",
        show=False,
        priority=True,
        tooltip="begin a new text",
        id="check.new",
    ),
    Binding(
        "ctrl+o",
        "open",
        "Open",
        priority=True,
        tooltip="open a text, PDF, DOCX or HTML file",
        id="check.open",
    ),
    Binding("ctrl+s", "save", "Save", priority=True, tooltip="save the text", id="check.save"),
    Binding(
        "ctrl+l",
        "documents",
        "Library",
        priority=True,
        tooltip="choose the documents to check against",
        id="check.documents",
    ),
    Binding(
        "f8",
        "outcome",
        "Report",
        key_display="F8",
        tooltip="counts, documents that failed and why",
        id="check.report",
    ),
]

READER_KEYS = [
    Binding(
        "right,j",
        "screen.claim(True)",
        "Next claim",
        show=False,
        tooltip="next claim; or point with the mouse",
        id="check.next-claim",
    ),
    Binding(
        "left,k",
        "screen.claim(False)",
        "Previous claim",
        show=False,
        tooltip="previous claim",
        id="check.previous-claim",
    ),
    *(
        Binding(
            str(number),
            f"screen.only('{label}')",
            f"Only {label}",
            show=False,
            tooltip=f"look only at what is {label.replace('_', ' ')}; again: at all",
            id=f"check.only-{label.replace('_', '-')}",
        )
        for number, label in enumerate(Label, start=1)
    ),
    Binding("0", "screen.only('')", "All claims", show=False, tooltip="look at all claims"),
]
