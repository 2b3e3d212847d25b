"""What ``measure_answers.py`` measures: sets of questions, methods, and methods without a part.

In the commands DATA is the folder that data/README.md describes.
"""

from dataclasses import dataclass

__all__ = ["ABLATIONS", "FIRST", "GOAL", "METHODS", "SETS", "QuestionSet"]

GOAL = 0.55
"""Share of questions whose gold answer is to stand in the cited answer, on ``goal`` sets."""


@dataclass(frozen=True)
class QuestionSet:
    """A set and its files."""

    name: str
    title: str
    data: tuple[str, ...]
    goal: bool = False
    """Whether ``GOAL`` is set for it."""


SETS = (
    QuestionSet(
        "nq_oracle",
        "NQ-open, the gold passages of all questions as one library",
        ("DATA/eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz",),
        goal=True,
    ),
    QuestionSet(
        "qed",
        "QED (development), the paragraphs of all questions as one library",
        ("DATA/eval/qed/qed-dev.jsonlines.gz",),
        goal=True,
    ),
    QuestionSet(
        "hotpotqa",
        "HotpotQA, the paragraphs of all questions as one library",
        ("DATA/eval/hotpotqa/hotpot_dev_distractor_subset.json.gz",),
    ),
    QuestionSet(
        "quotesum",
        "QuoteSum (development), the sources of all questions as one library",
        ("DATA/eval/quotesum/dev.jsonl.gz",),
    ),
    QuestionSet(
        "multihop",
        "MuSiQue, the paragraphs of all questions as one library",
        ("DATA/eval/multihop/musique_train.json.gz",),
    ),
)

FIRST = "retrieve-read"
"""Whose lead over every other method is measured."""

METHODS = (
    FIRST,
    "ceg",
    "refeed",
    "llatrieval",
    "vtg",
    "closed-book",
    "hyde",
    "vanilla",
    "summ",
    "snippet",
    "rerank",
)

ABLATIONS = (
    "ceg:threshold=false",
    "ceg:regenerate=false",
    "ceg:keep=last",
    "refeed:samples=1",
    "refeed:feedback=false",
    "refeed:ensemble=none",
    "llatrieval:progressive=false",
    "llatrieval:verify=none",
    "llatrieval:update=false",
    "llatrieval:missing=question",
    "llatrieval:verify=score",
    "vtg:verifier=false",
    "vtg:memory=false",
    "vtg:simplifier=false",
    "vtg:diverse=false",
)
"""Not ``ceg:retrieve=false`` and chain of thought, which need a language model."""
