"""The words of an evaluation: what is judged, looked for or answered, and what came out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from veracite.engine.libraries import Against
from veracite.engine.methods.cost import Cost

Task = Literal["detect", "attribute", "retrieve", "answer"]
_JUDGING = {
    "veracite": "retrieval, verifier, decision, as in `veracite check`",
    "verifier": "the verifier's best premise, nothing else",
    "overlap": "the share of the statement's content words that its documents have",
    "similarity": "the claim's highest cosine similarity to a passage",
    "length": "its characters with a minus: shorter is truer",
}
METHODS: Mapping[Task, Mapping[str, str]] = {
    "detect": _JUDGING,
    "attribute": _JUDGING,
    "retrieve": {
        "hybrid": "BM25 and embeddings, fused, as `veracite check` searches",
        "dense": "the sentence encoder's embeddings alone",
        "lexical": "BM25 alone",
    },
    "answer": {
        "given": "the answer that the file brings along",
        "top-passage": "the best passage, word for word",
        "top-sentences": "the three sentences most similar to the question, word for word",
    },
}
"""Each task's methods with what they do. Questions are answered by ``veracite.engine.methods`` too,
beside which these stand."""
SELFCHECK = "selfcheck-nli"
"""Statements are judged by it, too, where it is asked for: it reads many pairs for each."""

Scope = Literal["each", "all"]
"""Whether an item is judged by its own documents or by all items' documents as one library."""

SCHEMA = "veracite.evaluation/1"

# --- What a set holds -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source:
    """A document that an item comes with, or one of a corpus."""

    id: str
    text: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, claim or summary and what it is to be judged by (``detect``, ``attribute``)."""

    id: str
    group: str
    """What is drawn together in a bootstrap and split together: an article, a document."""
    text: str
    truth: bool
    """Factual, supported or attributable, after the label map."""
    label: str
    """As the set writes it."""
    sources: tuple[Source, ...]
    before: tuple[str, ...] = ()
    """The earlier sentences of the same text, in order."""
    part: str = ""
    """The set it comes from, where a file holds several."""
    samples: tuple[str, ...] = ()
    """Other texts that the same model wrote on the same subject."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for, and which documents of the corpus answer it (``retrieve``)."""

    id: str
    text: str
    relevant: Mapping[str, int]
    """Document id to grade; documents not named are not relevant."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the answers that count, and the documents to answer from (``answer``)."""

    id: str
    text: str
    answers: tuple[tuple[str, ...], ...]
    """One group of aliases for each thing asked: one for NQ, several for ASQA and QAMPARI, none
    where a whole text is asked for."""
    sources: tuple[Source, ...]
    gold: tuple[str, ...] = ()
    """Ids of the sources that hold the answer, where the set says so."""
    output: str | None = None
    """An answer that the file brings along, with marks such as [1][2]."""
    reference: str = ""
    """The text that a long answer is compared with."""


Item = Statement | Query | Question


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file holds, as one task's items."""

    task: Task
    format: str
    items: tuple[Item, ...]
    corpus: tuple[Source, ...] = ()
    """Documents that belong to the set as a whole (``retrieve``)."""
    label_map: Mapping[str, bool] = field(default_factory=dict)
    """The set's labels to true or false, as it was applied: printed with every result."""
    notes: tuple[str, ...] = ()
    """What a reader of the result must know: rows that could not be read, and why."""

    @property
    def sources(self) -> list[Source]:
        """The documents of the set as a whole and of its items, some of them several times."""
        own = [source for item in self.items for source in getattr(item, "sources", ())]
        return [*self.corpus, *own]


# --- What is asked, and what was predicted ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one method said of one item."""

    item: str
    method: str
    score: float | None = None
    """Of being true: the higher, the more so. None where the method gives none."""
    label: str | None = None
    """The product's own label (one of the five), or None."""
    text: str | None = None
    """An answer, with its marks."""
    found: tuple[str, ...] = ()
    """Ids of what was retrieved or cited, best first."""
    cited: tuple[float, float] | None = None
    """Of an answer: its citation recall and precision (ALCE)."""
    problem: str | None = None
    """Why there is no prediction."""
    supported: tuple[int, int] | None = None
    """Of a method's answer: how many of its sentences are supported, and how many it has."""
    cost: Cost | None = None
    """Of a method's answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be evaluated."""

    task: Task
    files: tuple[Path, ...]
    format: str | None = None
    """Of the files; None recognises it."""
    methods: tuple[str, ...] = ()
    """For ``answer`` those that answer, beside the plain ones
    (``veracite.engine.evaluation.answering``); the best one if none is named. For ``detect``
    ``SELFCHECK``, or none."""
    limit: int | None = None
    """Items drawn at random from the seed; None takes all."""
    scope: Scope = "each"
    against: Against = None
    """The documents that decide in place of those that the set brings; None takes those."""
    against_contradiction: bool | None = None
    """Score statements by how little they are contradicted (FELM's reading of nonfactual); None
    goes by the format."""
    seed: int = 0
    label_map: Mapping[str, bool] = field(default_factory=dict)
    """Labels of the set to true or false, instead of the format's own map."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Every method has said what it says of every item."""

    loaded: Loaded
    asked: Asked
    """As it was done: how statements are scored is settled."""
    said: Mapping[str, Mapping[str, Prediction]]
    """By method and item. A question that a method was not asked is missing."""
    record: Mapping[str, Any]
    """From ``veracite.engine.evaluation.predict.record``."""
    run: Path
    """The folder with the record and every prediction."""


# --- What a finished evaluation consists of, whatever its task --------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured number. ``low`` and ``high`` are its 95 % interval; None is "n/a"."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A method's lead over another on the same items."""

    other: str
    figure: str
    difference: float | None
    low: float | None = None
    high: float | None = None
    """The paired 95 % interval of the difference."""
    mcnemar: float | None = None
    """Where items are right or wrong: the p of McNemar's exact test."""


@dataclass(frozen=True, slots=True)
class MethodResult:
    """What one method reached."""

    method: str
    figures: tuple[Figure, ...]
    n: int
    """Items that the figures are of."""
    problems: int = 0
    """Of these, the items without a prediction."""
    threshold: float | None = None
    compared: tuple[Comparison, ...] = ()

    def figure(self, name: str) -> Figure | None:
        """The figure of this name; None if the method has none."""
        return next((figure for figure in self.figures if figure.name == name), None)


@dataclass(frozen=True, slots=True)
class Part:
    """What a share of the groups was for."""

    use: str
    """``thresholds and calibration`` or ``results``."""
    name: str
    """Such as "first half of the groups"."""
    groups: tuple[str, ...]
    items: int
    positives: float | None = None
    """Share of its items that are true, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """An item that the product as shipped got wrong."""

    item: str
    text: str
    expected: str
    """As the set writes it."""
    given: str
    score: float | None


@dataclass(frozen=True, slots=True)
class Result:
    """A finished evaluation."""

    task: Task
    format: str
    label_map: Mapping[str, bool]
    items: int
    positives: float | None = None
    """Share of all items that are true, 0 to 1; None where the task has no such thing."""
    methods: tuple[MethodResult, ...] = ()
    """In the order in which they are printed."""
    parts: tuple[Part, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    """The surest first."""
    notes: tuple[str, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict)
    """As ``Answered.record``."""


def as_json(result: Result) -> dict[str, Any]:
    """The result as JSON values, schema ``veracite.evaluation/1``."""
    return {"schema": SCHEMA, **msgspec.to_builtins(result)}
