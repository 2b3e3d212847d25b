"""Sets for ``retrieve``: queries, a corpus, and which of its documents are relevant."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from veracite.engine.evaluation.formats.beir import BEIR
from veracite.engine.evaluation.formats.fields import maybe_text, shape, source, text
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.multi_hop import MULTI_HOP
from veracite.engine.evaluation.formats.open_qa import PASSAGES
from veracite.engine.evaluation.formats.paragraph_qa import PARAGRAPH_QA
from veracite.engine.evaluation.formats.reading import Format, Reading
from veracite.engine.evaluation.formats.scifact import SCIFACT_SEARCH
from veracite.engine.evaluation.items import Item, Query, Question, Source

__all__ = ["RETRIEVE"]


class _Corpus:
    """Documents by id, and by what they say where only that is known."""

    def __init__(self, documents: Sequence[Source]) -> None:
        self._ids = {document.id for document in documents}
        self._contents = {_squeezed(document): document.id for document in documents}
        self._titles: defaultdict[str | None, list[str]] = defaultdict(list)
        for document in documents:
            self._titles[document.title].append(document.id)

    def find(self, document: Source) -> str | None:
        """The same document's id: the same text, or the only one of that title."""
        if document.id in self._ids:
            return document.id
        same = self._contents.get(_squeezed(document))
        titled = self._titles[document.title] if document.title else []
        return same or (titled[0] if len(titled) == 1 else None)


def _squeezed(document: Source) -> tuple[str | None, str]:
    return document.title, "".join(document.text.split())


def _searchable(form: Format) -> Format:
    """A question set as queries: what holds the answer is to be found among all its documents."""

    def read(reading: Reading) -> Iterator[Item]:
        questions = [item for item in form.read(reading) if isinstance(item, Question)]
        every = {document.id: document for document in reading.beside(_document)}
        if not every:
            every = {s.id: s for question in questions for s in question.sources}
        reading.corpus.extend(every.values())
        corpus = _Corpus(reading.corpus)
        queries = [_query(question, corpus) for question in questions]
        partly = sum(
            len(query.relevant) < len(set(question.gold))
            for query, question in zip(queries, questions, strict=True)
        )
        if partly:
            reading.note(f"{partly:,} of {len(questions):,} need documents that the corpus lacks.")
        without = sum(not query.relevant for query in queries)
        if without:
            reading.note(f"{without:,} left out, no document is marked as their answer's.")
        yield from (query for query in queries if query.relevant)

    return replace(
        form,
        read=read,
        beside=shape("title", "text", without=("_id",)),
    )


def _document(row: Row) -> Source:
    return source(text(row.fields, "text"), maybe_text(row.fields, "title"))


def _query(question: Question, corpus: _Corpus) -> Query:
    gold = [document for document in question.sources if document.id in question.gold]
    found = (corpus.find(document) for document in gold)
    return Query(question.id, question.text, {known: 1 for known in found if known is not None})


_WITH_PASSAGES = replace(PASSAGES, recognise=lambda f: PASSAGES.recognise(f) and "ctxs" in f)
_QUESTIONS = (_WITH_PASSAGES, *PARAGRAPH_QA, *MULTI_HOP)

RETRIEVE = (BEIR, SCIFACT_SEARCH, *(_searchable(form) for form in _QUESTIONS))
