"""What is shown where nothing answers: the sentences of the library nearest to the question."""

from collections.abc import Sequence
from dataclasses import replace

from veracite.engine.facts.names import names
from veracite.engine.judge.citations import RawText, quotation
from veracite.engine.methods.base import Steps, Tools
from veracite.engine.types import Answer, Citation
from veracite.engine.wording.overlap import content_words, coverage
from veracite.index.documents import Evidence, Sentence

_MOST = 3
_LOOKED_AT = 12


def nearest(answer: Answer, tools: Tools) -> Steps[Answer]:
    """The answer with a sentence of each of the passages nearest to its question; none twice.

    Where documents name what the question names, only theirs.
    """
    found = yield from tools.search(
        answer.question, "question", k=_LOOKED_AT, mode=tools.checking.search.mode
    )
    judge = tools.checking.first
    asked = content_words(answer.question)
    quotes: dict[str, Citation] = {}
    for item in _naming(answer.question, found, judge.raw_text):
        if sentences := judge.sentences(item.passage):
            best = max(sentences, key=lambda one: coverage(asked, _stems(one)))
            near = min(1.0, max(0.0, item.cosine or 0.0))
            quote = quotation(item.passage, best, "nearest", near, judge.raw_text)
            quotes.setdefault(best.text, quote)
    return replace(answer, nearest=tuple(quotes.values())[:_MOST])


def _naming(question: str, found: Sequence[Evidence], raw_text: RawText) -> Sequence[Evidence]:
    """The passages of the documents that hold most of a question's names; all if none holds any."""
    asked = {name.text.casefold().removesuffix("'s").removesuffix("’s") for name in names(question)}
    documents = {item.passage.document for item in found}
    held = {
        document: sum(name in text for name in asked)
        for document in documents
        if (text := raw_text(document).casefold())
    }
    most = max(held.values(), default=0)
    return [item for item in found if held.get(item.passage.document, 0) == most]


def _stems(sentence: Sentence) -> frozenset[str]:
    return frozenset(word.stem for word in content_words(sentence.text))
