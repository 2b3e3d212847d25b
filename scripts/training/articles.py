"""Wikipedia's passages as titled sentences: the ground from which pairs are generated.

Sources: QED (Natural Questions over Wikipedia, CC BY-SA 3.0), XQuAD English (CC BY-SA 4.0),
WikiText-2 validation and test (CC BY-SA 3.0), FlashRAG's Wikipedia passages (CC BY-SA 3.0).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from scripts.training.pairs import detokenise, read_lines, read_rows, read_text

_ABBREVIATIONS = "".join(
    rf"(?<!\b{word}\.)" for word in "Mr Mrs Dr St vs Jr Sr No c [A-Z] Lt Gen Col Mt Inc".split()
)
_BOUNDARY = re.compile(_ABBREVIATIONS + r"(?<=[.!?])[\"\u201d')]?\s+(?=[\"\u201c(]?[A-Z0-9])")


@dataclass(frozen=True, slots=True)
class Article:
    """A passage's sentences under a title."""

    title: str
    heading: str
    """The title, and the section where there is one."""
    sentences: tuple[str, ...]

    def around(self, k: int, words: int = 80) -> str:
        """Return sentence ``k`` with its neighbours, about ``words`` words."""
        chosen: list[int] = []
        size = 0
        for j in sorted(range(len(self.sentences)), key=lambda j: (abs(j - k), j)):
            size += len(self.sentences[j].split())
            if chosen and size > words:
                break
            chosen.append(j)
        return " ".join(self.sentences[j] for j in sorted(chosen))


def split_sentences(text: str) -> list[str]:
    """Split a text into sentences by punctuation (good enough for training pairs)."""
    return [part.strip() for part in _BOUNDARY.split(text.strip()) if part.strip()]


def cut(sentences: list[str], words: int = 100) -> list[list[str]]:
    """Group sentences into passages of about ``words`` words."""
    groups: list[list[str]] = []
    size = 0
    for sentence in sentences:
        n = len(sentence.split())
        if not groups or size + n > words * 1.2:
            groups.append([])
            size = 0
        groups[-1].append(sentence)
        size += n
    return groups


def qed_sentences(row: dict[str, Any]) -> tuple[str, ...]:
    """Return the sentences of the paragraph in a row of QED."""
    spans = pairwise((*row["sentence_starts"], None))
    return tuple(detokenise(row["paragraph_text"][a:b]) for a, b in spans)


def _qed(train: Path) -> Iterator[Article]:
    for path in sorted((train / "qed").glob("*.jsonlines.gz")):
        for row in read_rows(path):
            yield Article(row["title_text"], row["title_text"], qed_sentences(row))


def xquad(train: Path) -> Iterator[tuple[str, tuple[str, ...], list[dict[str, Any]]]]:
    """Yield the title, the sentences and the questions of each paragraph of XQuAD."""
    for entry in json.loads(read_text(train / "xquad" / "xquad.en.json.gz"))["data"]:
        title = entry["title"].replace("_", " ")
        for paragraph in entry["paragraphs"]:
            yield title, tuple(split_sentences(paragraph["context"])), paragraph["qas"]


def _xquad(train: Path) -> Iterator[Article]:
    return (Article(title, title, sentences) for title, sentences, _ in xquad(train))


def _wikitext(train: Path) -> Iterator[Article]:
    title, heading = "", ""
    for name in ("valid", "test"):
        for line in map(str.strip, read_lines(train / "wikitext2" / f"{name}.txt.gz")):
            if found := re.fullmatch(r"((?:= )+)(.+?)(?: =)+", line):
                title = detokenise(found[2]) if found[1] == "= " else title
                heading = title if found[1] == "= " else f"{title} > {detokenise(found[2])}"
            elif "<unk>" not in title:
                sentences = [s for s in split_sentences(detokenise(line)) if "<unk>" not in s]
                for group in cut(sentences):
                    if len(group) > 1:
                        yield Article(title, heading, tuple(group))


def _flashrag(train: Path) -> Iterator[Article]:
    for row in read_rows(train / "wiki_passages_flashrag" / "sample_data.jsonl.gz"):
        title, _, text = row["contents"].partition("\n")
        # The first and the last sentence are cut off somewhere.
        sentences = split_sentences(text.replace('""', '"'))[1:-1]
        if len(sentences) > 1:
            yield Article(title.strip('"'), title.strip('"'), tuple(sentences))


def articles(data: Path) -> list[Article]:
    """Return every source passage with a usable sentence, once per distinct text."""
    seen: dict[str, Article] = {}
    for source in (_qed, _xquad, _wikitext, _flashrag):
        for article in source(data / "train"):
            if any(4 <= len(s.split()) <= 70 for s in article.sentences):
                seen.setdefault(article.sentences[0][:120], article)
    return list(seen.values())
