"""One library: what it holds, the sources it follows, and the files that could not be read."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static

from veracite.engine.display import neutralise
from veracite.engine.wording.overlap import content_words, words
from veracite.tui.keys import bindings
from veracite.tui.service import Holding, short_path
from veracite.tui.widgets.status_line import counted

if TYPE_CHECKING:
    from veracite.index.documents import Evidence, Passage
    from veracite.index.retrieval import Mode
    from veracite.index.status import LibraryStatus

MODES: Mapping["Mode", str] = {"hybrid": "Hybrid", "lexical": "BM25", "dense": "Dense"}
"""The ways of ranking, the best first, and what they are called."""

_BAR = 16
"""Cells."""
_MOST_FAILED = 200
_WORDS = 180
"""Characters of a passage in a list."""
_BEFORE = 50
"""Of these, before the first word that was looked for, at most."""


def library_subject(name: str | None) -> Content:
    """Which library is looked at."""
    return Content.styled(name or "", "bold")


def library_welcome() -> Content:
    """While there are no libraries."""
    return Content.assemble(
        ("No library yet", "bold"),
        "\nA library follows folders and files, reads them once and finds passages in them. It "
        "never touches the documents themselves.\n\n",
        ("a  ", "bold"), "adds a folder or a file to the default library\n",
        ("n  ", "bold"), "makes a library with a name of its own",
    )  # fmt: skip


def library_summary(holding: "Holding", in_use: bool) -> Content:
    """Two lines for the list of libraries."""
    name = Content.assemble((holding.name, "bold"), ("  in use" if in_use else "", "$primary"))
    held = holding.status
    if held is None:
        return Content.assemble(name, "\n", ("cannot be opened", "$text-error"))
    failed = len(held.failed)
    return Content.assemble(
        name,
        (f"\n{counted(held.documents, 'document')}", "$muted"),
        (f", {failed:,} failed" if failed else "", "$text-error"),
        (_unencoded(held), "$text-warning"),
    )


def details_text(holding: "Holding") -> Content:
    """What a library holds, how far it is encoded, and when it was brought up to date."""
    held = holding.status
    note = Content.styled(
        neutralise(holding.note or ""), "$text-warning" if held else "$text-error"
    )
    if held is None:
        return note
    failed = len(held.failed)
    return Content.assemble(
        f"{counted(held.documents, 'document')} read",
        (f", {failed:,} could not be" if failed else "", "bold $text-error"),
        f", {counted(held.passages, 'passage')}\n",
        ("Encoded   ", "$muted"), _share(held), "\n",
        ("Search    ", "$muted"), _SEARCH[held.search], "\n",
        ("On disk   ", "$muted"), f"{held.bytes_on_disk / 1e6:.1f} MB of index\n",
        ("Last sync ", "$muted"), _local(held.last_sync),
        "\n" if note else "", note,
    )  # fmt: skip


def source_text(path: Path, held: "LibraryStatus", behind: Mapping[Path, int] | None) -> Content:
    """One line for a source: its path, and how far the library is behind it.

    Args:
        behind: Of the sources that can be reached; None while that is not known.
    """
    shown = short_path(path)
    if path in held.elsewhere:
        return Content.assemble(shown, ("  on another machine", "$muted"))
    if behind is None:
        return Content(shown)
    if is_gone(path, held, behind):
        advice = "cannot be reached: s reads it once it is back, r takes it out"
        return Content.assemble(shown, (f"  {advice}", "$text-error"))
    files = behind[path]
    if files:
        return Content.assemble(shown, (f"  {counted(files, 'change')} since", "$text-warning"))
    return Content.assemble(shown, ("  up to date", "$muted"))


def is_gone(path: Path, held: "LibraryStatus", behind: Mapping[Path, int] | None) -> bool:
    """Whether a source of this machine is known to be out of reach."""
    return behind is not None and path not in held.elsewhere and path not in behind


def failures_text(held: "LibraryStatus") -> Content:
    """Every file that could not be read, with the reason."""
    if not held.failed:
        return Content("")
    lines = [Content.styled(f"{len(held.failed):,} could not be read", "bold $text-error")]
    lines += [
        Content.assemble((short_path(Path(file)), "bold"), f"\n  {neutralise(reason)}")
        for file, reason in held.failed[:_MOST_FAILED]
    ]
    if (more := len(held.failed) - _MOST_FAILED) > 0:
        lines.append(Content(f"… and {more:,} more"))
    return Content("\n").join(lines)


def hit_text(found: "Evidence", query: str) -> Content:
    """A passage in a list: where it stands, its scores, and the place that has the query's words,
    or how it begins."""
    passage = found.passage
    return Content.assemble(
        (f"{found.rank} ", "$muted"),
        (passage_place(passage), "bold"),
        (f"\n{_scores(found)}", "$primary"),
        (f"  {neutralise(passage.heading)}" if passage.heading else "", "$muted"),
        "\n",
        _excerpt(neutralise(passage.text), query),
        "\n",
    )


def passage_place(passage: "Passage") -> str:
    """File and page, harmless."""
    page = f", page {passage.page}" if passage.page is not None else ""
    return neutralise(f"{Path(passage.document.path).name}{page}")


_SEARCH = {
    "exact": "words and meaning (every passage is compared)",
    "hnsw": "words and meaning (approximate, HNSW)",
    "bm25 only": "words only (BM25)",
}


def _scores(found: "Evidence") -> str:
    scores = [] if found.cosine is None else [f"meaning {found.cosine:.2f} of 1"]
    scores += [] if found.bm25 is None else [f"words {found.bm25:.1f}"]
    return " · ".join(scores)


def _excerpt(text: str, query: str) -> Content:
    """The stretch of a text where the first of the query's words stands; all of them bold, those
    that say nothing (``the``) only where there are no others."""
    wanted = {word.stem for word in content_words(query) or words(query)}
    places = [(word.start, word.end) for word in words(text) if word.stem in wanted]
    start = text.rfind(" ", 0, max(0, places[0][0] - _BEFORE)) + 1 if places else 0
    end = start + _WORDS
    content = Content(text)
    for place in places:
        content = content.stylize("bold underline", *place)
    return Content.assemble(
        "…" if start else "", content[start:end], "…" if end < len(text) else ""
    )


def _share(held: "LibraryStatus") -> Content:
    if not held.passages:
        return Content("nothing to encode")
    full = _BAR * held.embedded // held.passages
    return Content.assemble(
        ("━" * full, "$primary"),
        ("─" * (_BAR - full), "$muted"),
        f" {held.embedded:,} of {counted(held.passages, 'passage')}",
    )


def _unencoded(held: "LibraryStatus") -> str:
    if held.embedded >= held.passages:
        return ""
    return f", {100 * held.embedded // held.passages} % encoded"


def _local(moment: datetime | None) -> str:
    """A time as clocks here show it."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}" if moment else "never"


class Sources(OptionList):
    """The files and folders that a library follows."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("sources")

    class Removed(Message):
        """The library should follow this one no longer."""

        def __init__(self, path: Path) -> None:
            super().__init__()
            self.path = path

    def __init__(self) -> None:
        super().__init__(id="sources")
        self._paths: tuple[Path, ...] = ()
        self._gone: int | None = None
        """The first that cannot be reached."""

    def show(self, holding: Holding, behind: Mapping[Path, int] | None) -> None:
        """List them; the one that is highlighted stays so."""
        held = holding.status
        place = self.highlighted if held and self._paths == held.sources else 0
        self._paths = held.sources if held else ()
        self.clear_options()
        if held:
            self.add_options([source_text(path, held, behind) for path in self._paths])
            self.highlighted = place if self._paths else None
            gone = (n for n, path in enumerate(self._paths) if is_gone(path, held, behind))
            self._gone = next(gone, None)
        self.display = bool(self._paths)

    def enter(self) -> None:
        """Go there, and first to what cannot be reached."""
        self.focus()
        if self._gone is not None:
            self.highlighted = self._gone

    def action_remove(self) -> None:
        """Ask for the highlighted one to be removed."""
        if self.highlighted is not None:
            self.post_message(self.Removed(self._paths[self.highlighted]))


class LibraryDetails(VerticalScroll):
    """Says everything there is to say about one library."""

    def __init__(self) -> None:
        super().__init__(id="details")
        self.head = Static(id="held")
        self.sources = Sources()
        self.failures = Static(id="failures")

    def compose(self) -> ComposeResult:
        """Counts, sources, failures."""
        yield self.head
        yield Static("Sources", classes="title")
        yield self.sources
        yield self.failures

    def show(self, holding: Holding | None, behind: Mapping[Path, int] | None) -> None:
        """Show a library; None where there is none.

        Args:
            behind: As ``LocalLibraries.behind`` tells it; None while it is not known.
        """
        self.query_one(".title").display = bool(holding and holding.status)
        self.head.update(details_text(holding) if holding else library_welcome())
        self.sources.show(holding or Holding("", None), behind)
        self.failures.update(failures_text(holding.status) if holding and holding.status else "")
