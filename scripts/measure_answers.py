"""Prints how many questions are answered without a language model, and how many are refused.

    python -m scripts.measure_answers --data DATA [--skip 300] [--limit 150] [--verifier FOLDER]

Questions of NQ-open and of QED's development part are asked of all paragraphs of their set as one
library: as they are; of the other set's library; where the sentences that have the answer are
passed over. The first are answered where the gold answer
stands in the quotes (at most three sentences), the others ought to be refused. One line for each
bar; the one in use is ``answering.BAR``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scripts.training.pairs import options
from veracite.engine.evaluation.figures import str_em
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Question
from veracite.engine.skills.base import Writing
from veracite.engine.skills.extractive.answering import BAR, drafts, rank_parts
from veracite.engine.skills.extractive.quotes import Quote
from veracite.engine.skills.extractive.ranking import Ranker
from veracite.index.documents import Passage
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.models.bundled import BUNDLED, bundled_encoder, bundled_verifier

SETS = {
    "NQ": "eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz",
    "QED": "eval/qed/qed-dev.jsonlines.gz",
}
BARS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6)
K = 6
KINDS = ("as it is", "asked of others", "only what answers taken away")
Outcome = tuple[float, bool]
"""How likely the answer is to the ranker, and whether it has the gold answer."""


@dataclass(frozen=True, kw_only=True)
class _Silent(Ranker):
    """Passes over every sentence that has the answer: the passages are on it and do not say it."""

    question: Question

    def quotes(self, passages: Sequence[Passage]) -> tuple[Quote, ...]:
        found = super().quotes(passages)
        return tuple(q for q in found if str_em(q.text, self.question.answers) < 1)


def main() -> None:
    """Reads, asks and prints."""
    given = options(__doc__, "--data", skip=0, limit=150, verifier=BUNDLED)
    encoder, score = bundled_encoder(), bundled_verifier(folder=given.verifier).score
    vectors = Vectors(encoder.encode)
    some = slice(given.skip, given.skip + given.limit)
    asked = {name: _questions(given.data / path)[some] for name, path in SETS.items()}
    libraries = {name: _library(questions, vectors) for name, questions in asked.items()}
    rankers = {name: Ranker(encoder, one.sentences, score) for name, one in libraries.items()}
    for name, other in (("NQ", "QED"), ("QED", "NQ")):
        outcomes: dict[str, list[Outcome]] = {kind: [] for kind in KINDS}
        for question in asked[name]:
            found = _found(libraries[name], question)
            elsewhere = _found(libraries[other], question)
            silent = _Silent(encoder, libraries[name].sentences, score, question=question)
            by, read = (rankers[name], rankers[other], silent), (found, elsewhere, found)
            for kind, ranker, passages in zip(KINDS, by, read, strict=True):
                outcomes[kind].append(_outcome(ranker, question, passages))
        _print(name, outcomes)


def _questions(path: Path) -> list[Question]:
    return [item for item in load("answer", [path]).items if isinstance(item, Question)]


def _library(questions: Sequence[Question], vectors: Vectors) -> MemoryLibrary:
    sources = {source.id: source for question in questions for source in question.sources}
    return MemoryLibrary([Text(s.id, s.text, s.title) for s in sources.values()], vectors)


def _found(library: MemoryLibrary, question: Question) -> list[Passage]:
    (found,) = library.search_many([question.text], k=K)
    return [item.passage for item in found]


def _outcome(ranker: Ranker, question: Question, passages: Sequence[Passage]) -> Outcome:
    answers = drafts(rank_parts(ranker, question.text, passages), Writing("plain"), bar=0.0)
    if not answers:
        return 0.0, False
    return answers[0].probability or 0.0, str_em(answers[0].text, question.answers) == 1


def _print(name: str, outcomes: dict[str, list[Outcome]]) -> None:
    print(f"{name}: {len(outcomes[KINDS[0]])} questions")
    print("   bar  answered  rightly  refused: " + ", ".join(KINDS[1:]))
    for bar in BARS:
        own = outcomes[KINDS[0]]
        answered = np.mean([likely >= bar for likely, _ in own])
        rightly = np.mean([likely >= bar and right for likely, right in own])
        refused = [np.mean([likely < bar for likely, _ in outcomes[k]]) for k in KINDS[1:]]
        mark = "*" if bar == BAR else " "
        shares = "  ".join(f"{share:.3f}" for share in refused)
        print(f"  {bar:.2f}{mark}    {answered:.3f}    {rightly:.3f}  {shares}", flush=True)


if __name__ == "__main__":
    main()
