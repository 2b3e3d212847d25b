"""Questions about one paragraph for ``answer``: QED and SQuAD."""

from collections.abc import Iterator

from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    maybe_text,
    nested,
    objects,
    own_id,
    shape,
    source,
    strings,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.open_qa import aliases
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Question, Source

__all__ = ["PARAGRAPH_QA"]


def _qed(row: Row, reading: Reading) -> Iterator[Question]:
    """QED in its two shapes: a question of NQ with the paragraph that answers it.

    Spans that an annotator marked together are one answer, joined by commas.
    """
    fields = row.fields
    if "original_nq_answers" in fields:
        marked = fields["original_nq_answers"]
        spans = [objects({"spans": s}, "spans") for s in marked] if isinstance(marked, list) else []
        answers = [", ".join(text(span, "string") for span in own) for own in spans]
        for answer in objects(nested(fields, "annotation"), "answer") if _explained(fields) else ():
            answers.append(text(nested(answer, "paragraph_reference"), "string"))
    else:
        answers = [", ".join(strings(fields, "answer_text"))]
    paragraph = source(text(fields, "paragraph_text"), maybe_text(fields, "title_text"))
    yield Question(
        id=own_id(row, "example_id"),
        text=text(fields, "question_text"),
        answers=aliases(answers),
        sources=(paragraph,),
        gold=(paragraph.id,),
    )


def _explained(fields: Fields) -> bool:
    return "answer" in nested(fields, "annotation")


def _squad(row: Row, reading: Reading) -> Iterator[Question]:
    """SQuAD and XQuAD: an article's paragraphs, each with its questions."""
    title = maybe_text(row.fields, "title")
    for paragraph in objects(row.fields, "paragraphs"):
        context = source(text(paragraph, "context"), title and title.replace("_", " "))
        for asked in objects(paragraph, "qas"):
            try:
                yield _asked(asked, context)
            except Fault as fault:
                reading.leave_out(row, str(fault))


def _asked(asked: Fields, context: Source) -> Question:
    if asked.get("is_impossible") is True:
        raise Fault("questions that the paragraph does not answer")
    return Question(
        id=text(asked, "id"),
        text=text(asked, "question"),
        answers=aliases(text(answer, "text") for answer in objects(asked, "answers")),
        sources=(context,),
        gold=(context.id,),
    )


PARAGRAPH_QA = (
    Format(
        "qed",
        "QED: question_text, paragraph_text",
        shape("question_text", "paragraph_text"),
        by_row(_qed),
    ),
    Format(
        "squad", "SQuAD, XQuAD: paragraphs with qas", shape("paragraphs", "title"), by_row(_squad)
    ),
)
