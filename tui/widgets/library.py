"""One library: what it holds, the sources it follows, and the files that could not be read."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from textual import work
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.failures import shortfall
from veracite.engine.report.phrases import counted
from veracite.engine.wording.overlap import content_words, words
from veracite.index.documents import Evidence, Passage
from veracite.index.library import SearchKind
from veracite.tui.keys import bindings
from veracite.tui.service import Holding, local_time, short_path
from veracite.tui.themes import bar
from veracite.tui.widgets.evidence import failures_text
from veracite.tui.worker import Runner, apart

_WORDS = 180
"""Characters of a passage in a list."""
_BEFORE = 50
"""Of these, before the first word that was looked for, at most."""
_WELCOME = """\
[b]No library yet[/]
A library follows folders and files, reads them once and finds passages in them. It never touches \
the documents themselves.

[b]a[/]  adds a folder or a file to the default library
[b]n[/]  makes a library with a name of its own"""
_SEARCH: dict[SearchKind, str] = {
    "exact": "words and meaning (every passage is compared)",
    "approximate": "words and meaning (by an index of the nearest)",
    "bm25 only": "words only (BM25)",
}
_DETAILS = """\
$read read[b $text-error]$failed[/], $passages
[$muted]Encoded   [/]$share
[$muted]Search    [/]$search
[$muted]On disk   [/]$size MB of index
[$muted]Last sync [/]$synced"""


def library_summary(holding: Holding, in_use: bool) -> Content:
    """Two lines for the list of libraries."""
    name = Content.assemble((holding.name, "bold"), ("  in use" if in_use else "", "$primary"))
    held = holding.status
    if held is None:
        return Content.assemble(name, "\n", ("cannot be opened", "$text-error"))
    left = held.passages - held.embedded
    return Content.assemble(
        name,
        (f"\n{counted(held.documents, 'document')}", "$muted"),
        (shortfall(held.failed, "failed"), "$text-error"),
        (f", {100 * held.embedded // held.passages} % encoded" if left else "", "$text-warning"),
    )


def details_text(holding: Holding) -> Content:
    """What a library holds, how far it is encoded, and when it was brought up to date."""
    held, note = holding.status, neutralise(holding.note or "")
    if held is None:
        return Content.styled(note, "$text-error")
    passages = counted(held.passages, "passage")
    share = bar(held.embedded, held.passages) + f" {held.embedded:,} of {passages}"
    facts = Content.from_markup(
        _DETAILS,
        read=counted(held.documents, "document"),
        failed=shortfall(held.failed, "could not be"),
        passages=passages,
        share=share if held.passages else "nothing to encode",
        search=_SEARCH[held.search],
        size=f"{held.bytes_on_disk / 1e6:.1f}",
        synced=local_time(held.last_sync),
    )
    return Content.assemble(facts, "\n" if note else "", (note, "$text-warning"))


def source_text(path: Path, holding: Holding) -> Content:
    """One line for a source: its path, and whether it cannot be read here."""
    note = ("", "")
    if holding.status and path in holding.status.elsewhere:
        note = ("  on another machine", "$muted")
    elif path in holding.gone:
        note = ("  cannot be reached: s reads it once it is back, r takes it out", "$text-error")
    return Content.assemble(short_path(path), note)


def hit_text(found: Evidence, query: str) -> Content:
    """A passage in a list: where it stands, its scores, and the place that has the query's words,
    or how it begins."""
    passage = found.passage
    scores = [] if found.cosine is None else [f"meaning {found.cosine:.2f} of 1"]
    scores += [] if found.bm25 is None else [f"words {found.bm25:.1f}"]
    return Content.assemble(
        (f"{found.rank} ", "$muted"),
        (passage_place(passage), "bold"),
        (f"\n{' · '.join(scores)}", "$primary"),
        (f"  {neutralise(passage.heading)}" if passage.heading else "", "$muted"),
        "\n",
        _excerpt(neutralise(passage.text), query),
        "\n",
    )


def passage_place(passage: Passage) -> str:
    """File and page, harmless."""
    page = f", page {passage.page}" if passage.page is not None else ""
    return neutralise(f"{Path(passage.document.path).name}{page}")


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
        self.head = Static(id="held")
        self._title = Static("Sources", classes="title")
        self.sources = Sources()
        self.failures = Static(id="failures")
        super().__init__(self.head, self._title, self.sources, self.failures, id="details")

    def show(self, holding: Holding | None) -> None:
        """Show a library; None where there is none."""
        self._title.display = bool(holding and holding.status)
        self.head.update(details_text(holding) if holding else Content.from_markup(_WELCOME))
        self.sources.show(holding or Holding("", None))
        held = holding.status if holding else None
        unread = held is not None and (held.failed or held.others)
        self.failures.update(failures_text(held.failed, held.others) if held and unread else "")


class HitList(OptionList):
    """The passages that are found, the best first.

    Args:
        search: Looks in a library for words; called beside the screen.
    """

    BINDINGS = bindings("hits")

    def __init__(self, search: Callable[[str, str], tuple[Evidence, ...]]) -> None:
        super().__init__(id="hits")
        self.passages: Sequence[Passage] = ()
        self._search = search
        self._wanted = self._found = ("", "")
        """The library and the words that are looked for, and those whose hits are shown."""
        self._searching = False

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
                found = await apart(partial(self._search, library, query)) if query else ()
            except USER_ERRORS as error:
                self.notify(Runner.Failed.of(error).said, severity="error")
                found = ()
            self._found = wanted
            self._show(found)
        self._searching = False

    def _show(self, found: tuple[Evidence, ...]) -> None:
        self.passages = [item.passage for item in found]
        self.set_options(hit_text(item, self._found[1]) for item in found)
        self.highlighted = 0 if found else None
        by_words = found and all(item.cosine is None for item in found)
        alone = ", by words alone: not everything is encoded yet" if by_words else ""
        self.border_title = Content(f"{counted(len(found), 'passage')}{alone}")
