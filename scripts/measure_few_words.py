"""Can the verifier tell a right answer of a few words from another thing of the same kind?

    python scripts/measure_few_words.py --data nq-open-oracle.jsonl.gz [--questions 120]

Each question of NQ is put before its gold answer and before another date, number or name of the
gold passage ("When did the mill burn down? 1911"), and the bundled judge reads both beside the
passage. A judge who cannot tell prefers the right one to one half.
"""

import argparse
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Question
from veracite.engine.evaluation.models import Models
from veracite.engine.methods.statements import claims_of
from veracite.engine.skills.extractive.judging import verdicts
from veracite.engine.skills.extractive.questions import Question as Asked
from veracite.engine.words import Verdict
from veracite.index.memory import MemoryLibrary, Text


def main() -> None:
    """Prints how often the right answer is preferred, and the labels of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    questions = [q for q in load("answer", [given.data]).items if isinstance(q, Question)]
    random.Random(given.seed).shuffle(questions)
    models = Models()
    pairs = []
    for question in questions:
        if pair := _judged(models, question):
            pairs.append(pair)
        if len(pairs) == given.questions:
            break
    models.close()
    preferred = sum(_supported(right) > _supported(wrong) for right, wrong in pairs)
    print(f"{len(pairs)} questions; the right answer is preferred to {preferred / len(pairs):.1%}")
    for place, name in enumerate(("right", "other")):
        print(f"{name}: {dict(Counter(pair[place].label.value for pair in pairs))}")


def _judged(models: Models, question: Question) -> tuple[Verdict, Verdict] | None:
    """The verdicts on the right answer and on another; None where the passage has no other."""
    gold = question.answers[0][0]
    (source, *_) = [s for s in question.sources if s.id in question.gold] or question.sources
    library = MemoryLibrary([Text("/passage", source.text, source.title)], None)
    (found,) = library.search_many([question.text], k=1, threshold=None, mode="lexical")
    if not found or gold.lower() not in found[0].passage.text.lower():
        return None
    passage = found[0].passage
    others = [
        stretch.text
        for stretch in Asked(question.text).answers(passage.text)
        if not _overlap(stretch.text.lower(), gold.lower())
    ]
    if not others:
        return None
    claims = [claims_of(question.text, f"{answer}.") for answer in (gold, others[0])]
    if any(len(one) != 1 or one[0].not_checkable for one in claims):
        return None
    judge = replace(models.judge(0.6), sentences=library.sentences, raw_text=library.raw_text)
    right, other = verdicts(judge, [(one[0], (passage,)) for one in claims])
    return right, other


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


def _supported(verdict: Verdict) -> float:
    return verdict.scores.supported if verdict.scores else 0.0


if __name__ == "__main__":
    main()
