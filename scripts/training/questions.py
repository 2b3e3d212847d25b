"""Questions beside sentences: *supported* where the sentence answers, *neutral* where it does not.

So the network tells which sentence of a library answers a question, and whether any does. QNLI's
development part (from SQuAD, MIT repository) has such pairs. QED's questions (files 00 to 02, CC
BY-SA 3.0) and XQuAD's (CC BY-SA 4.0) stand beside the sentence that answers, the one of its
paragraph that is likest and does not, the paragraph without it, and the likest sentence of another
article.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.training.articles import qed_sentences, xquad
from scripts.training.pairs import NEUTRAL, SUPPORTED, Pair, detokenise, headed, read_rows
from veracite.engine.wording.overlap import words

_QED = tuple(f"qed/nq-train-{number:02}-qed.jsonlines.gz" for number in (0, 1, 2))
_QNLI = "nli_datasets_csv/qnli_dev.csv.gz"
_TITLED, _AROUND, _TYPED = 0.7, 0.3, 0.5
"""Shares of the sentences under their title, of the answers between their neighbours, and of
questions left as they were typed, in small letters."""
_MOST = 120
"""Words of a paragraph without its answer."""


@dataclass(frozen=True)
class Asked:
    """A question with the paragraph that answers it, sentence by sentence."""

    question: str
    title: str
    answers: tuple[str, ...]
    sentences: tuple[str, ...]

    def holds(self, text: str) -> bool:
        """Whether a text has an answer."""
        return any(answer.casefold() in text.casefold() for answer in self.answers)


def questions(data: Path, rng: random.Random) -> Iterator[Pair]:
    """Yield all pairs."""
    for row in read_rows(data / "train" / _QNLI):
        label = SUPPORTED if row["label"] == "entailment" else NEUTRAL
        yield Pair("qnli", detokenise(row["hypothesis"]), detokenise(row["premise"]), label)
    every = [_asked(row) for file in _QED for row in read_rows(data / "train" / file)]
    every += _xquad(data / "train")
    having = defaultdict(set)
    for number, asked in enumerate(every):
        for word in words(" ".join(asked.sentences)):
            having[word.stem].add(number)
    for asked in every:
        said = asked.question
        if rng.random() > _TYPED:
            said = f"{said[0].upper()}{said[1:]}?"
        for premise, label in _premises(asked, rng):
            title = asked.title if rng.random() < _TITLED else ""
            yield Pair("asked", headed(title, premise), said, label)
        if (other := _likest(asked, every, having)) is not None:
            yield Pair("asked", other, said, NEUTRAL)


def _asked(row: dict[str, Any]) -> Asked:
    answers = tuple(map(detokenise, row["answer_text"]))
    return Asked(detokenise(row["question_text"]), row["title_text"], answers, qed_sentences(row))


def _xquad(train: Path) -> Iterator[Asked]:
    for title, sentences, every in xquad(train):
        for asked in every:
            answers = tuple(answer["text"] for answer in asked["answers"])
            yield Asked(asked["question"].rstrip("? "), title, answers, sentences)


def _premises(asked: Asked, rng: random.Random) -> Iterator[tuple[str, int]]:
    told = [place for place, text in enumerate(asked.sentences) if asked.holds(text)]
    rest = [text for text in asked.sentences if not asked.holds(text)]
    if len(told) == 1:
        (place,) = told
        yield asked.sentences[place], SUPPORTED
        if rng.random() < _AROUND:
            yield " ".join(asked.sentences[max(0, place - 1) : place + 2]), SUPPORTED
    if rest:
        yield _nearest(asked, rest), NEUTRAL
    if len(rest) > 1 and sum(len(text.split()) for text in rest) <= _MOST:
        yield " ".join(rest), NEUTRAL


def _own(asked: Asked) -> set[str]:
    return {word.stem for word in words(asked.question) if word.weight}


def _nearest(asked: Asked, sentences: Iterable[str]) -> str:
    """Return the sentence that shares most words with a question."""
    own = _own(asked)
    return max(sentences, key=lambda text: len(own & {word.stem for word in words(text)}))


def _likest(asked: Asked, every: list[Asked], having: dict[str, set[int]]) -> str | None:
    """Return the sentence of another article that has most of a question's rarer words."""
    own = _own(asked)
    worth: dict[int, float] = defaultdict(float)
    for stem in own:
        for number in having.get(stem, ()):
            worth[number] += 1 / len(having[stem])
    for number in sorted(worth, key=lambda number: -worth[number])[:8]:
        other = every[number]
        if other.title != asked.title and not any(map(asked.holds, other.sentences)):
            return headed(other.title, _nearest(asked, other.sentences))
    return None
