"""ALCE's sets: questions whose answers cite documents, with or without an answer to judge."""

from collections.abc import Iterator

from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    documents,
    maybe_text,
    objects,
    own_id,
    shape,
    strings,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.open_qa import aliases
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Question

__all__ = ["ALCE"]

_Groups = tuple[tuple[str, ...], ...]


def _question(row: Row, reading: Reading, answers: _Groups, long: tuple[str, ...]) -> Question:
    """A document that ``answers_found`` says holds an answer is gold (ALCE's oracle files)."""
    fields = row.fields
    passages = objects(fields, "docs") if fields.get("docs") else ()
    passages = passages[: reading.options.documents]
    sources = documents(list(passages), identified="id")
    output = fields.get("output")
    return Question(
        id=own_id(row, "sample_id", "id", "qid"),
        text=text(fields, "question"),
        answers=answers,
        sources=sources,
        gold=tuple(s.id for s, passage in zip(sources, passages, strict=True) if _holds(passage)),
        long=long,
        output=output if isinstance(output, str) else None,
    )


def _holds(passage: Fields) -> bool:
    found = passage.get("answers_found")
    return isinstance(found, list) and any(found)


def _asqa(row: Row, reading: Reading) -> Iterator[Question]:
    pairs = objects(row.fields, "qa_pairs")
    answers = tuple(aliases(strings(pair, "short_answers"))[0] for pair in pairs)
    if not answers:
        raise Fault("no qa_pairs")
    yield _question(row, reading, answers, _long_answers(row.fields))


def _long_answers(fields: Fields) -> tuple[str, ...]:
    """The annotators' long answers; ALCE's files keep one of them as ``answer`` as well."""
    annotations = objects(fields, "annotations") if fields.get("annotations") else ()
    found = (maybe_text(one, "long_answer") for one in annotations)
    return tuple(one for one in found if one) or _answer(fields)


def _answer(fields: Fields) -> tuple[str, ...]:
    found = maybe_text(fields, "answer")
    return (found,) if found else ()


def _qampari(row: Row, reading: Reading) -> Iterator[Question]:
    groups = row.fields.get("answers")
    if not isinstance(groups, list) or not groups:
        raise Fault("no answers")
    answers = tuple(aliases(strings({"answers": own}, "answers"))[0] for own in groups)
    yield _question(row, reading, answers, ())


def _eli5(row: Row, reading: Reading) -> Iterator[Question]:
    """The three claims of the reference answer are to be entailed, not to be found as strings."""
    claims = tuple((claim,) for claim in strings(row.fields, "claims"))
    yield _question(row, reading, claims, _answer(row.fields))


def _is_qampari(fields: Fields) -> bool:
    groups = fields.get("answers")
    nested = isinstance(groups, list) and bool(groups) and isinstance(groups[0], list)
    return nested and "question" in fields and "qa_pairs" not in fields


ALCE = (
    Format(
        "asqa",
        "ASQA in ALCE's format: question, qa_pairs, docs; an output to judge, if there is one",
        shape("question", "qa_pairs"),
        by_row(_asqa),
    ),
    Format(
        "qampari",
        "QAMPARI in ALCE's format: question, answers (lists of aliases), docs, output if any",
        _is_qampari,
        by_row(_qampari),
    ),
    Format(
        "eli5",
        "ELI5 in ALCE's format: question, claims, docs, output if any",
        shape("question", "claims", "answer"),
        by_row(_eli5),
        notes=("The answers are claims that an answer must entail; do not look for their words.",),
    ),
)
