"""Questions that need several paragraphs: HotpotQA, 2WikiMultihopQA, MuSiQue, IRCoT's samples."""

from collections.abc import Iterator

from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    documents,
    objects,
    own_id,
    sentences,
    shape,
    source,
    strings,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.open_qa import aliases
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Question, Source

__all__ = ["MULTI_HOP"]


def _hotpotqa(row: Row, reading: Reading) -> Iterator[Question]:
    """HotpotQA's and 2Wiki's shape, as the authors and as data hubs write it."""
    sources = _paragraphs(row.fields)
    gold = _supporting(row.fields)
    yield Question(
        id=own_id(row, "_id", "id"),
        text=text(row.fields, "question"),
        answers=aliases(strings(row.fields, "answer")),
        sources=sources,
        gold=tuple(paragraph.id for paragraph in sources if paragraph.title in gold),
    )


def _paragraphs(fields: Fields) -> tuple[Source, ...]:
    context = fields.get("context")
    if not isinstance(context, dict):
        return documents(context)
    titles, texts = strings(context, "title"), context.get("sentences")
    if not isinstance(texts, list) or len(texts) != len(titles):
        raise Fault("titles and sentences that do not match")
    bodies = [sentences(strings({"sentences": own}, "sentences")) for own in texts]
    return tuple(map(source, bodies, titles))


def _supporting(fields: Fields) -> set[str]:
    """Titles of the paragraphs that are needed."""
    facts = fields.get("supporting_facts")
    if isinstance(facts, dict):
        return set(strings(facts, "title"))
    if not isinstance(facts, list):
        raise Fault("no supporting_facts")
    return {
        fact[0] for fact in facts if isinstance(fact, list) and fact and isinstance(fact[0], str)
    }


def _musique(row: Row, reading: Reading) -> Iterator[Question]:
    if row.fields.get("answerable") is False:
        raise Fault("questions that the paragraphs do not answer")
    answers = [text(row.fields, "answer"), *strings(row.fields, "answer_aliases")]
    yield _marked(row, objects(row.fields, "paragraphs"), "id", "question", answers)


def _ircot(row: Row, reading: Reading) -> Iterator[Question]:
    """IRCoT's subsamples of all three sets, with answers as DROP writes them."""
    spans = [s for o in objects(row.fields, "answers_objects") for s in strings(o, "spans")]
    yield _marked(row, objects(row.fields, "contexts"), "question_id", "question_text", spans)


def _marked(
    row: Row, paragraphs: tuple[Fields, ...], named: str, question: str, answers: list[str]
) -> Question:
    """A question whose paragraphs say themselves whether they are needed."""
    sources = documents(list(paragraphs))
    needed = zip(sources, paragraphs, strict=True)
    return Question(
        id=own_id(row, named),
        text=text(row.fields, question),
        answers=aliases(answers),
        sources=sources,
        gold=tuple(s.id for s, paragraph in needed if paragraph.get("is_supporting") is True),
    )


def _context_is_listed(fields: Fields) -> bool:
    return shape("question", "answer", "context", "supporting_facts")(fields)


MULTI_HOP = (
    Format(
        "2wiki",
        "2WikiMultihopQA: question, answer, context, supporting_facts, evidences",
        lambda fields: _context_is_listed(fields) and "evidences" in fields,
        by_row(_hotpotqa),
    ),
    Format(
        "hotpotqa",
        "HotpotQA with its paragraphs: question, answer, context, supporting_facts",
        lambda fields: _context_is_listed(fields) and "evidences" not in fields,
        by_row(_hotpotqa),
    ),
    Format(
        "musique",
        "MuSiQue: question, answer, paragraphs",
        shape("question", "answer", "paragraphs"),
        by_row(_musique),
    ),
    Format(
        "ircot",
        "IRCoT's subsamples: question_text, answers_objects, contexts",
        shape("question_text", "answers_objects", "contexts"),
        by_row(_ircot),
    ),
)
