"""One library: what it holds, the sources it follows, and the files that could not be read."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.report.phrases import counted
from veracite.engine.wording.overlap import content_words, words
from veracite.tui.keys import bindings
from veracite.tui.service import Found, Holding, advice, local_time, short_path
from veracite.tui.widgets.evidence import failures_text
from veracite.tui.worker import apart

if TYPE_CHECKING:
    from veracite.index.documents import Evidence, Passage
    from veracite.index.library import LibraryStatus
    from veracite.index.retrieval import Mode


MODES: Mapping["Mode", str] = {"hybrid": "Hybrid", "lexical": "BM25", "dense": "Dense"}
"""The ways of ranking, the best first, and what they are called."""

_BAR = 16
"""Cells."""
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
        ("Last sync ", "$muted"), local_time(held.last_sync),
        "\n" if note else "", note,
    )  # fmt: skip


def source_text(path: Path, holding: Holding) -> Content:
    """One line for a source: its path, and whether it cannot be read here."""
    note = ("", "")
    if holding.status and path in holding.status.elsewhere:
        note = ("  on another machine", "$muted")
    elif path in holding.gone:
        note = ("  cannot be reached: s reads it once it is back, r takes it out", "$text-error")
    return Content.assemble(short_path(path), note)


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


class Sources(OptionList):
    """The files and folders that a library follows."""

    BINDINGS = bindings("sources")

    def __init__(self) -> None:
        super().__init__(id="sources")
        self._paths: tuple[Path, ...] = ()

    def show(self, holding: Holding) -> None:
        """List them; the one that is highlighted stays so, unless one cannot be reached."""
        sources = holding.status.sources if holding.status else ()
        gone = [number for number, path in enumerate(sources) if path in holding.gone]
        before = self.highlighted if self._paths == sources else None
        self._paths = sources
        self.set_options(source_text(path, holding) for path in sources)
        self.highlighted = before or next(iter([*gone, *range(len(sources))]), None)
        self.display = bool(sources)

    @property
    def current(self) -> Path | None:
        """The one that is highlighted."""
        return None if self.highlighted is None else self._paths[self.highlighted]


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

    def show(self, holding: Holding | None) -> None:
        """Show a library; None where there is none."""
        self.query_one(".title").display = bool(holding and holding.status)
        self.head.update(details_text(holding) if holding else library_welcome())
        self.sources.show(holding or Holding("", None))
        failed = holding.status.failed if holding and holding.status else ()
        self.failures.update(failures_text(failed) if failed else "")


class HitList(OptionList):
    """The hits of one way of ranking, the best first.

    Args:
        mode: The way of ranking.
    """

    BINDINGS = bindings("hits")

    def __init__(self, mode: "Mode") -> None:
        super().__init__(id=f"hits-{mode}")
        self.mode = mode
        self._found: tuple[Evidence, ...] = ()

    def show(self, found: tuple["Evidence", ...], query: str) -> None:
        """List what was found for these words."""
        self._found = found
        self.clear_options()
        self.add_options([hit_text(item, query) for item in found])
        self.highlighted = 0 if found else None
        self.border_title = Content(f"{MODES[self.mode]} {len(found)}")

    def miss(self) -> None:
        """Say that this way of ranking has nothing to go by yet."""
        self.show((), "")
        self.border_title = Content(f"{MODES[self.mode]}: not encoded yet")

    @property
    def passages(self) -> "Sequence[Passage]":
        """Of all the hits."""
        return [item.passage for item in self._found]


class LibraryHits(Horizontal):
    """Every way of ranking; a narrow screen has room for one, ``mode``.

    Args:
        search: Looks in a library for words; called beside the screen.
    """

    def __init__(self, search: Callable[[str, str], Found]) -> None:
        super().__init__(id="hits")
        self._search = search
        self._wanted = self._found = ("", "")
        """The library and the words that are looked for, and those whose hits are shown."""
        self._searching = False
        self._lists: dict[Mode, HitList] = {mode: HitList(mode) for mode in MODES}
        self.mode: Mode = "hybrid"

    def compose(self) -> ComposeResult:
        """One list beside the other."""
        yield from self._lists.values()

    def on_mount(self) -> None:
        """Nothing is found yet."""
        self._show({})
        self._mark()

    def look_for(self, library: str, query: str) -> None:
        """Show what a library has for some words, and nothing for none.

        One search runs at a time; of those that are wanted meanwhile only the last one follows.
        """
        self._wanted = (library, query)
        if not self._searching:
            self._searching = True
            self._follow()

    def look_again(self) -> None:
        """The same words may find something else now."""
        self._found = ("", "")
        self.look_for(*self._wanted)

    @work
    async def _follow(self) -> None:
        while self._wanted != self._found:
            library, query = wanted = self._wanted
            try:
                found = await apart(partial(self._search, library, query)) if query else {}
            except USER_ERRORS as error:
                self.notify(f"{error.message} {advice(error)}", severity="error")
                found = {}
            self._found = wanted
            self._show(found)
        self._searching = False

    @property
    def current(self) -> HitList:
        """The list of the way of ranking that is looked at."""
        return self._lists[self.mode]

    def _show(self, found: Found) -> None:
        for mode, hits in self._lists.items():
            if found and mode not in found:
                hits.miss()
            else:
                hits.show(found.get(mode, ()), self._found[1])

    def turn(self) -> None:
        """Go to the next way of ranking."""
        modes = list(self._lists)
        focused = self.current.has_focus
        self.mode = modes[(modes.index(self.mode) + 1) % len(modes)]
        self._mark()
        if focused:
            self.current.focus()

    def _mark(self) -> None:
        for mode, hits in self._lists.items():
            hits.set_class(mode == self.mode, "-current")
