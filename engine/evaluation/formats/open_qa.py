"""Open questions with short answers for ``answer``: NQ-open, TriviaQA, WebQuestions, KILT."""

import ast
import re
from collections.abc import Iterable, Iterator

from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    documents,
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
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Question

__all__ = ["OPEN_QA", "PASSAGES", "aliases"]

_LONG = 10
"""Words from which a KILT answer is one of a sentence or more (Wizard of Wikipedia, ELI5)."""

_DESCRIPTION = re.compile(r"\(description (?:\"((?:[^\"\\]|\\.)*)\"|([^\s()]+))\)")
_GOLD = ("isgold", "hasanswer", "has_answer")


def aliases(found: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Answers of which any counts, as the one thing that is asked.

    Raises:
        Fault: There are none.
    """
    distinct = tuple(dict.fromkeys(answer for answer in found if answer.strip()))
    if not distinct:
        raise Fault("no answer")
    return (distinct,)


def _passages(row: Row, reading: Reading) -> Iterator[Question]:
    """DPR's, FiD's and Lost in the Middle's shape; the plain one has no passages.

    Gold is what the set marks as such, else what holds an answer.
    """
    passages = objects(row.fields, "ctxs") if "ctxs" in row.fields else ()
    passages = passages[: reading.options.documents]
    sources = documents(list(passages), identified="id")
    mark = next((name for name in _GOLD if any(name in passage for passage in passages)), None)
    gold = (s.id for s, p in zip(sources, passages, strict=True) if mark and p.get(mark) is True)
    yield Question(
        id=own_id(row, "id", "question_id", "q_uid"),
        text=text(row.fields, "question"),
        answers=aliases(strings(row.fields, "answers" if "answers" in row.fields else "answer")),
        sources=sources,
        gold=tuple(gold),
    )


def _dpr_table(row: Row, reading: Reading) -> Iterator[Question]:
    try:
        found = ast.literal_eval(text(row.fields, "2"))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise Fault("no list of answers") from None
    answers = strings({"answers": found}, "answers")
    yield Question(row.place, text(row.fields, "1"), aliases(answers), ())


def _triviaqa(row: Row, reading: Reading) -> Iterator[Question]:
    """The authors' JSON, whose evidence is in other files."""
    answer = nested(row.fields, "Answer")
    yield Question(
        id=own_id(row, "QuestionId"),
        text=text(row.fields, "Question"),
        answers=aliases([text(answer, "Value"), *strings(answer, "Aliases")]),
        sources=(),
    )


def _triviaqa_rows(row: Row, reading: Reading) -> Iterator[Question]:
    """The data hubs' shape, with the pages' texts."""
    answer = nested(row.fields, "answer")
    found = row.fields.get("entity_pages")
    pages = found if isinstance(found, dict) else {}
    contents = strings(pages, "wiki_context") if pages.get("wiki_context") else ()
    titles = strings(pages, "title") if pages.get("title") else ()
    yield Question(
        id=own_id(row, "question_id"),
        text=text(row.fields, "question"),
        answers=aliases([text(answer, "value"), *strings(answer, "aliases")]),
        sources=tuple(map(source, contents, titles))[: reading.options.documents],
    )


def _webquestions(row: Row, reading: Reading) -> Iterator[Question]:
    """The authors' JSON: answers as ``(list (description "a") (description b))``."""
    found = (
        quoted or bare for quoted, bare in _DESCRIPTION.findall(text(row.fields, "targetValue"))
    )
    answers = aliases(answer.replace('\\"', '"') for answer in found)
    yield Question(row.place, text(row.fields, "utterance"), answers, ())


def _kilt(row: Row, reading: Reading) -> Iterator[Question]:
    """KILT, among it Wizard of Wikipedia: the provenance names pages but has no text."""
    outputs = objects(row.fields, "output")
    answers = aliases(found for one in outputs if (found := maybe_text(one, "answer")))
    yield Question(
        id=own_id(row, "id"),
        text=text(row.fields, "input"),
        answers=answers,
        sources=(),
        long=tuple(answer for answer in answers[0] if len(answer.split()) > _LONG),
    )


def _is_plain(fields: Fields) -> bool:
    """Question and answers, and nothing that makes it another set."""
    answers = fields.get("answers", fields.get("answer"))
    flat = isinstance(answers, str) or (
        isinstance(answers, list) and all(isinstance(one, str) for one in answers)
    )
    others = {"context", "paragraphs", "docs", "claims", "qa_pairs", "knowledge", "label", "ress"}
    return isinstance(fields.get("question"), str) and flat and not fields.keys() & others


PASSAGES = Format(
    "open-qa",
    "NQ-open, TriviaQA, WebQuestions as DPR, FiD and Lost in the Middle have them: "
    "question, answers, ctxs if any",
    _is_plain,
    by_row(_passages),
)
OPEN_QA = (
    PASSAGES,
    Format(
        "dpr-table",
        "DPR's tables without a header: a question and a list of answers",
        shape("1", "2"),
        by_row(_dpr_table),
    ),
    Format(
        "triviaqa",
        "TriviaQA as its authors publish it: Question, Answer",
        shape("Question", "Answer"),
        by_row(_triviaqa),
    ),
    Format(
        "triviaqa-rows",
        "TriviaQA as rows: question, answer with value and aliases, entity_pages",
        lambda fields: shape("question", "answer")(fields) and isinstance(fields["answer"], dict),
        by_row(_triviaqa_rows),
    ),
    Format(
        "webquestions",
        "WebQuestions as its authors publish it: utterance, targetValue",
        shape("utterance", "targetValue"),
        by_row(_webquestions),
    ),
    Format(
        "kilt",
        "KILT, among it Wizard of Wikipedia: input, output",
        shape("input", "output"),
        by_row(_kilt),
    ),
)
