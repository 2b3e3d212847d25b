"""The words of an evaluation: what is judged, chosen, looked for or answered, and what came out."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

from veracite.engine.methods.cost import Cost
from veracite.engine.settings import Retrieval

Task = Literal["detect", "attribute", "choose", "retrieve", "answer"]
Scope = Literal["each", "all"]
"""Whether an item is judged by its own documents or by all items' documents as one library."""


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
    about: str | None = None
    """The text's title or question, where the set has one."""
    part: str = ""
    """The set it comes from, where a file holds several."""
    samples: tuple[str, ...] = ()
    """Other answers of the model that wrote the text, where the set has them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A question with a right and a wrong answer (``choose``)."""

    id: str
    question: str
    right: str
    wrong: str
    sources: tuple[Source, ...]


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
    """One group of aliases for each thing asked: one for NQ, several for ASQA and QAMPARI."""
    sources: tuple[Source, ...]
    gold: tuple[str, ...] = ()
    """Ids of the sources that hold the answer, where the set says so."""
    long: tuple[str, ...] = ()
    """Reference answers of a sentence or more."""
    output: str | None = None
    """An answer that the file brings along, with marks such as [1][2]."""


Item = Statement | Choice | Query | Question


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
    left_out: tuple[str, ...] = ()
    """Of the notes, those on rows that could not be read."""
    unmet_labels: tuple[str, ...] = ()
    """Labels that were given a meaning and that no row has."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one method said of one item."""

    item: str
    method: str
    score: float | None
    """Of being true: the higher, the more so. None where the method gives none."""
    label: str | None
    """The product's own label (one of the five), or what was chosen, or None."""
    seconds: float
    """Time that the item took; its share, where several went together."""
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
class Predicting:
    """What predictions depend on besides data and models."""

    scope: Scope = "each"
    k: int | None = None
    """Passages that an item is judged or answered by; None as ``check`` and ``ask`` have it."""
    threshold: float | None = None
    """CEG's t; None takes the encoder's own."""
    retrieval: Retrieval = "hybrid"
    uncertain_below: float = 0.6
    against_contradiction: bool = False
    """Score statements by how little they are contradicted (FELM's reading of nonfactual)."""
    seed: int = 0

    def as_mapping(self) -> dict[str, object]:
        """Field names to values, for the record."""
        return asdict(self)

    def threshold_of(self, encoders: float) -> float:
        """CEG's t: as set, or the encoder's own."""
        return encoders if self.threshold is None else self.threshold
