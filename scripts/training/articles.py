"""Articles as titled sentences: the ground from which pairs are generated.

Sources: QED (Natural Questions over Wikipedia, CC BY-SA 3.0), XQuAD English (CC BY-SA 4.0),
WikiText-2 validation and test (CC BY-SA 3.0), FlashRAG's Wikipedia passages (CC BY-SA 3.0).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from scripts.training.pairs import detokenise, read_lines, read_text

_ABBREVIATIONS = "".join(
    rf"(?<!\b{word}\.)" for word in "Mr Mrs Dr St vs Jr Sr No c [A-Z] Lt Gen Col Mt Inc".split()
)
_BOUNDARY = re.compile(_ABBREVIATIONS + r"(?<=[.!?])[\"\u201d')]?\s+(?=[\"\u201c(]?[A-Z0-9])")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answer and the sentence that answers it."""

    text: str
    answer: str
    sentence: int


@dataclass(frozen=True, slots=True)
class Article:
    """A passage's sentences under a title, and the questions that it answers."""

    set: str
    title: str
    section: str
    sentences: tuple[str, ...]
    questions: tuple[Question, ...] = ()

    @property
    def heading(self) -> str:
        """The title, and the section where there is one."""
        return f"{self.title} > {self.section}" if self.section else self.title


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


def _qed(data: Path) -> Iterator[Article]:
    for path in sorted((data / "train" / "qed").glob("*.jsonlines.gz")):
        for line in read_lines(path):
            row = json.loads(line)
            raw, starts = row["paragraph_text"], [*row["sentence_starts"], None]
            pieces = pairwise(starts)
            sentences = tuple(detokenise(raw[a:b]) for a, b in pieces)
            questions: list[Question] = []
            if len(row["answer_text"]) == 1 and row["answer_spans"]:
                at = row["answer_spans"][0][0]
                index = sum(1 for s in row["sentence_starts"] if s <= at) - 1
                answer = detokenise(row["answer_text"][0])
                questions.append(Question(row["question_text"], answer, max(0, index)))
            yield Article("qed", row["title_text"], "", sentences, tuple(questions))


def _xquad(data: Path) -> Iterator[Article]:
    for entry in json.loads(read_text(data / "train" / "xquad" / "xquad.en.json.gz"))["data"]:
        for paragraph in entry["paragraphs"]:
            text = paragraph["context"]
            sentences = split_sentences(text)
            questions: list[Question] = []
            for asked in paragraph["qas"]:
                answer = asked["answers"][0]
                place, index = 0, 0
                for i, sentence in enumerate(sentences):
                    place = text.find(sentence, place)
                    if place <= answer["answer_start"]:
                        index = i
                questions.append(Question(asked["question"], answer["text"], index))
            title = entry["title"].replace("_", " ")
            yield Article("xquad", title, "", tuple(sentences), tuple(questions))


def _wikitext(data: Path) -> Iterator[Article]:
    title, section = "", ""
    for name in ("valid", "test"):
        for raw in read_lines(data / "train" / "wikitext2" / f"{name}.txt.gz"):
            line = raw.strip()
            heading = re.fullmatch(r"((?:= )+)(.+?)((?: =)+)", line)
            if heading:
                name_of = detokenise(heading[2])
                if heading[1] == "= ":
                    title, section = name_of, ""
                else:
                    section = name_of
                continue
            sentences = [s for s in split_sentences(detokenise(line)) if "<unk>" not in s]
            if "<unk>" in title:
                continue
            for group in cut(sentences):
                if len(group) > 1:
                    yield Article("wikitext2", title, section, tuple(group))


def _flashrag(data: Path) -> Iterator[Article]:
    path = data / "train" / "wiki_passages_flashrag" / "sample_data.jsonl.gz"
    for line in read_lines(path):
        title, _, text = json.loads(line)["contents"].partition("\n")
        title = title.strip('"')
        sentences = split_sentences(text.replace('""', '"'))
        if text.startswith(title) and sentences:
            sentences[0] = sentences[0].removeprefix(title).strip() or sentences[0]
        else:
            sentences = sentences[1:]
        if len(sentences) > 2:
            yield Article("wiki_passages", title, "", tuple(sentences[:-1]))


def articles(data: Path) -> list[Article]:
    """Return every source passage of 2 or more usable sentences, once per distinct text."""
    seen: dict[str, Article] = {}
    for source in (_qed, _xquad, _wikitext, _flashrag):
        for article in source(data):
            usable = [s for s in article.sentences if 4 <= len(s.split()) <= 70]
            key = article.sentences[0][:120] if article.sentences else ""
            if not usable:
                continue
            if key in seen and article.questions:
                old = seen[key]
                both = (*old.questions, *article.questions)
                seen[key] = Article(old.set, old.title, old.section, old.sentences, both)
            else:
                seen.setdefault(key, article)
    return list(seen.values())
