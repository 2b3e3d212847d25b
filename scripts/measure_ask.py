"""Measures answers without a language model: does the gold answer stand in them, how long are they?

    python scripts/measure_ask.py --data DATA [--set nq_oracle] [--limit N] [--cache FOLDER]

Every question is asked of one library of all its set's passages. An answer counts if a gold answer
stands in it (STR-EM: word for word after SQuAD's normalisation). Every question is asked once more
with its own article taken away, when the right answer is none.
"""

import argparse
import hashlib
import random
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veracite.engine.claims.citation_marks import without_marks
from veracite.engine.evaluation.bootstrap import bootstrap, mcnemar, mean
from veracite.engine.evaluation.figures import str_em
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Question
from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.predict import this_machine
from veracite.engine.skills.base import Draft
from veracite.engine.skills.extractive import ExtractiveSkills
from veracite.index.documents import Passage
from veracite.index.embeddings import encoder_text
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.sentences import sentence_spans

SETS = {
    "nq_oracle": ("eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz",),
    "qed": ("eval/qed/qed-dev.jsonlines.gz",),
}
OURS = "extractive answer"
K = 6
"""Passages that an answer is made from."""
DEEPER = 12
"""Passages that are looked at where an article is taken away."""


class KeptEncoder:
    """The bundled encoder; vectors are kept in a file, so that every text is encoded once.

    Args:
        models: Opens the encoder when it is needed.
        file: An .npz; None keeps nothing.
    """

    def __init__(self, models: Models, file: Path | None) -> None:
        self._models = models
        self._file = file
        self._known: dict[str, NDArray[np.float32]] = {}
        if file is not None and file.exists():
            with np.load(file) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))

    @property
    def id(self) -> str:
        """The encoder's."""
        return self._models.encoder.id

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of the texts, shape (len(texts), dimension)."""
        keys = [hashlib.sha256(f"{self.id} {text}".encode()).hexdigest() for text in texts]
        new = {k: t for k, t in zip(keys, texts, strict=True) if k not in self._known}
        if new:
            vectors = self._models.encoder.encode(list(new.values()))
            self._known.update(zip(new, vectors, strict=True))
        return np.stack([self._known[key] for key in keys])

    def save(self) -> None:
        """Write what is known."""
        if self._file is not None:
            keys, vectors = np.array(list(self._known)), np.stack(list(self._known.values()))
            np.savez(self._file, keys=keys, vectors=vectors)


class Asking:
    """One library of all a set's passages, and every way to answer from it."""

    def __init__(
        self,
        questions: Sequence[Question],
        encoder: KeptEncoder,
        models: Models,
        *,
        titled: bool = True,
    ) -> None:
        sources = {source.id: source for question in questions for source in question.sources}
        self._titles = {source.id: source.title for source in sources.values()}
        texts = [Text(s.id, s.text, s.title if titled else None) for s in sources.values()]
        self.library = MemoryLibrary(texts, Vectors(encoder.encode))
        self._encoder = encoder
        judge = replace(models.judge(0.6), sentences=self.library.sentences)
        self._skills = ExtractiveSkills(encoder, judge, search=lambda query: ())
        self._single = MemoryLibrary(
            [
                Text(f"{text.path} {span.start}", text.text[span.start : span.end], text.title)
                for text in texts
                for span in sentence_spans(text.text)
            ],
            vectors=None,
        )
        """Every sentence as a document."""

    def answers(self, question: Question) -> dict[str, str]:
        """What each way says, without citation marks; nothing where it says nothing."""
        passages = self.found(question, own=True)
        top = [sentence.text for sentence in self.library.sentences(passages[0])]
        near = self._most_similar(question.text, passages)
        (found,) = self._single.search_many([question.text], k=3, mode="lexical")
        common = [item.passage.text for item in found]
        return {
            OURS: self._said(question.text, passages),
            "top passage, whole": " ".join(top),
            "top passage, first three sentences": " ".join(top[:3]),
            "most similar sentence": near[0],
            "three most similar sentences": " ".join(near[:3]),
            "best sentence by BM25": " ".join(common[:1]),
            "three best sentences by BM25": " ".join(common),
        }

    def without_article(self, question: Question) -> str:
        """What the skills say of a library that lacks the question's own article."""
        return self._said(question.text, self.found(question, own=False))

    def found(self, question: Question, *, own: bool) -> list[Passage]:
        """The passages for a question, best first; without its own article's unless ``own``."""
        (found,) = self.library.search_many([question.text], k=DEEPER)
        passages = [item.passage for item in found]
        return [p for p in passages if own or not self.is_own(question, p)][:K]

    def is_own(self, question: Question, passage: Passage) -> bool:
        """Whether a passage is of the article that a question was asked about."""
        path = passage.document.path
        return any(
            path == source.id or (source.title and self._titles[path] == source.title)
            for source in question.sources
        )

    def _said(self, question: str, passages: Sequence[Passage]) -> str:
        steps = self._skills.answer(question, passages)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                drafts: tuple[Draft, ...] = end.value
                return without_marks(drafts[0].text) if drafts else ""

    def _most_similar(self, question: str, passages: Sequence[Passage]) -> list[str]:
        texts = [
            (encoder_text(passage.heading, sentence.text), sentence.text)
            for passage in passages
            for sentence in self.library.sentences(passage)
        ]
        vectors = self._encoder.encode([question, *(headed for headed, _ in texts)])
        order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")
        return [texts[place][1] for place in order]


def main() -> int:
    """Measures every set that is asked for and prints its table."""
    given = _options()
    models = Models(threads=given.threads)
    machine = this_machine()
    print(f"`{shlex.join(['python', *sys.argv])}`, {datetime.now(UTC).date()}, {machine['cpu']}, "
          f"{machine['cores']} cores, {machine['system']}, Python {machine['python']}; "
          f"{models.encoder.id}")  # fmt: skip
    for name in given.sets or SETS:
        questions = _questions(given.data, name)
        cache = given.cache and given.cache / f"{name}.npz"
        encoder = KeptEncoder(models, cache)
        asking = Asking(questions, encoder, models, titled=not given.untitled)
        asked = _drawn(questions, given.limit)
        said = [asking.answers(question) for question in asked]
        apart = [asking.without_article(question) for question in asked]
        encoder.save()
        print(f"\n{name}: {len(asked)} of {len(questions)} questions\n")
        print("\n".join(_table(asked, said)))
        answered = np.mean([bool(one[OURS]) for one in said])
        print(f"\nAnswered: {answered:.1%}; with the article taken away, where no answer is right: "
              f"{np.mean([bool(text) for text in apart]):.1%}.")  # fmt: skip
    models.close()
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", dest="sets", action="append", choices=SETS)
    parser.add_argument("--limit", type=int, help="questions of each set, drawn at random")
    parser.add_argument("--untitled", action="store_true", help="take the articles' titles away")
    parser.add_argument("--cache", type=Path, help="a folder that keeps what was encoded")
    parser.add_argument("--threads", type=int)
    return parser.parse_args()


def _questions(data: Path, name: str) -> list[Question]:
    loaded = load("answer", tuple(data / file for file in SETS[name]))
    return [item for item in loaded.items if isinstance(item, Question)]


def _drawn(questions: Sequence[Question], limit: int | None) -> Sequence[Question]:
    if limit is None or limit >= len(questions):
        return questions
    return random.Random(0).sample(questions, limit)


def _table(asked: Sequence[Question], said: Sequence[dict[str, str]]) -> list[str]:
    lines = [
        "| | gold answer in it | p beside ours | in it, where ours answers | words of an answer |",
        "|---|---|---|---|---|",
    ]
    ids = [question.id for question in asked]
    ours = _hits(asked, [one[OURS] for one in said])
    answered = np.array([bool(one[OURS]) for one in said])
    for way in said[0]:
        texts = [one[way] for one in said]
        hits = _hits(asked, texts)
        share = bootstrap(mean(hits), ids)
        p = "" if way == OURS else f"{mcnemar(ours, hits):.2g}"
        words = np.mean([len(text.split()) for text in texts if text])
        lines.append(
            f"| {way} | {share.estimate:.1%} ({share.low:.1%} to {share.high:.1%}) | {p} "
            f"| {hits[answered].mean():.1%} | {words:.0f} |"
        )
    return lines


def _hits(asked: Sequence[Question], texts: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([str_em(t, q.answers) == 1 for q, t in zip(asked, texts, strict=True)])


if __name__ == "__main__":
    sys.exit(main())
