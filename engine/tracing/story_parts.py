"""What a story is made of: lines for people, and passages that are told by their numbers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from veracite.engine.report import phrases
from veracite.engine.report.phrases import NameFile
from veracite.engine.tracing.trace import LOST
from veracite.engine.types import Citation, Label, Verdict
from veracite.index.documents import Evidence, Passage

_MOST = 5
"""Passages of one search that are listed, unless all are wanted."""

Style = Literal["plain", "heading", "quote", "beginning", "dim", "more", "warning"]
"""A beginning is a quote of which one line is enough; more says how much is not listed."""


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph of a story, not yet cut into lines."""

    text: str
    depth: int = 1
    """How far it is indented: 0 for a heading, 1 for what happened, more for what belongs to it."""
    style: Style = "plain"
    at: float | None = None
    """Seconds since the beginning; None for what belongs to the paragraph before."""
    label: Label | None = None
    """The label that the paragraph is about."""


@dataclass
class Passages:
    """The passages of a story. Each has a number, and its words are shown once.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        whole: Show all passages of a search, and all of their words, not just the first.
    """

    name: NameFile
    whole: bool

    def __post_init__(self) -> None:
        self._numbers: dict[Passage, int] = {}
        self._told: set[Passage] = set()
        self._lists: set[tuple[Passage, ...]] = set()

    def found(self, evidence: Sequence[Evidence]) -> Iterator[Part]:
        """What a search found: the first of many, and a list that comes again by its numbers."""
        passages = tuple(item.passage for item in evidence)
        if passages in self._lists and not self.whole:
            yield Part(f"the same passages: {self._by_number(evidence)}", 2)
            return
        if passages:
            self._lists.add(passages)
        yield from self._shown(evidence)

    def numbers(self, title: str, evidence: Sequence[Evidence]) -> Iterator[Part]:
        """All in one paragraph by their numbers; first the words of those not shown as yet."""
        yield from self._shown([item for item in evidence if item.passage not in self._told])
        yield Part(f"{title}: {self._by_number(evidence)}", 2)

    def _shown(self, evidence: Sequence[Evidence]) -> Iterator[Part]:
        """A paragraph for each, with its scores; its words where it occurs for the first time."""
        first = evidence if self.whole else evidence[:_MOST]
        for item in first:
            passage = item.passage
            if passage == LOST:
                yield Part("a passage whose line in the trace cannot be read", 2, "dim")
                continue
            page = f", page {passage.page}" if passage.page is not None else ""
            file = self.name(passage.document.path)
            yield Part(f"[{self._number(passage)}] {file}{page} ({_scores(item)})", 2)
            if passage not in self._told:
                yield Part(quoted(passage.text), 3, "quote" if self.whole else "beginning")
            self._told.add(passage)
        if more := len(evidence) - len(first):
            yield Part(f"and {counted(more, 'more passage')}", 2, "more")

    def _by_number(self, evidence: Iterable[Evidence]) -> str:
        known = (item.passage for item in evidence if item.passage != LOST)
        return " ".join(f"[{self._number(passage)}]" for passage in known) or "none"

    def _number(self, passage: Passage) -> int:
        return self._numbers.setdefault(passage, len(self._numbers) + 1)


def quoted(text: str) -> str:
    """In quotation marks and on one line."""
    return f"“{' '.join(text.split())}”"


def counted(number: int, noun: str, nouns: str | None = None) -> str:
    """Such as ``1 claim`` and ``2 claims``."""
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def verdict(found: Verdict, *, told: bool = False) -> Iterator[Part]:
    """The label, why, and who said so; the label alone of a verdict that was told before."""
    symbol, word = phrases.SYMBOLS[found.label], phrases.LABEL_WORDS[found.label]
    yield Part(f"{symbol} {word} ({phrases.aside(found)})", 2, label=found.label)
    if told:
        return
    yield Part(found.explanation, 2)
    scores = found.scores
    said = scores and (
        f": supported {scores.supported:.2f}, neutral {scores.neutral:.2f}, "
        f"contradicted {scores.contradicted:.2f}"
    )
    yield Part(f"judged by {found.judge}{said or ''}", 2, "dim")


def sources(citations: Iterable[Citation], name: NameFile) -> Iterator[Part]:
    """Each quote and where it stands."""
    for citation in citations:
        yield Part(quoted(citation.quote), 3, "quote")
        relation = phrases.RELATION_WORDS[citation.relation]
        yield Part(f"{relation}: {phrases.place(citation, name)}", 3, "dim")


def _scores(item: Evidence) -> str:
    said = [f"score {item.score:.4f}"]
    if item.cosine is not None:
        said.append(f"cosine {item.cosine:.2f}")
    if item.bm25 is not None:
        said.append(f"BM25 {item.bm25:.1f}")
    return ", ".join(said)
