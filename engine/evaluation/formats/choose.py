"""Sets for ``choose``: a right and a wrong answer to the same question."""

from collections.abc import Iterator

from veracite.engine.evaluation.formats.fields import (
    Fault,
    documents,
    own_id,
    shape,
    source,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Choice, Source

__all__ = ["CHOOSE"]


def _halueval(row: Row, reading: Reading) -> Iterator[Choice]:
    """HaluEval's questions, with the knowledge that both answers were written from."""
    yield _choice(row, documents(text(row.fields, "knowledge")))


def _ceg_cases(row: Row, reading: Reading) -> Iterator[Choice]:
    """CEG's cases: HaluEval's questions with the passages that CEG retrieved for its reasoning."""
    yield _choice(row, _passages(row.fields.get("ret_knowledges")))


def _choice(row: Row, sources: tuple[Source, ...]) -> Choice:
    return Choice(
        id=own_id(row, "id"),
        question=text(row.fields, "question"),
        right=text(row.fields, "right_answer"),
        wrong=text(row.fields, "hallucinated_answer"),
        sources=sources,
    )


def _passages(retrieved: object) -> tuple[Source, ...]:
    """The passages of all segments, each once; the text begins with the title."""
    found: dict[str, Source] = {}
    for passage in retrieved if isinstance(retrieved, list) else ():
        if not isinstance(passage, list) or len(passage) != 3:
            raise Fault("a passage that is not number, text and title")
        number, content, title = map(str, passage)
        body = content.removeprefix(title).lstrip()
        found.setdefault(number, source(body or content, title, number))
    return tuple(found.values())


_HALUEVAL = ("knowledge", "question", "right_answer", "hallucinated_answer")

CHOOSE = (
    Format(
        "ceg-cases",
        "CEG's regeneration cases: HaluEval QA with ret_knowledges",
        shape(*_HALUEVAL, "ret_knowledges"),
        by_row(_ceg_cases),
        notes=("The documents are the passages that CEG retrieved, not HaluEval's knowledge.",),
    ),
    Format(
        "halueval",
        "HaluEval QA: knowledge, question, right_answer, hallucinated_answer",
        shape(*_HALUEVAL, without=("ret_knowledges",)),
        by_row(_halueval),
    ),
)
