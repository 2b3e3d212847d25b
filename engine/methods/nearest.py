"""What is shown where nothing answers: the sentences of the library nearest to the question."""

from dataclasses import replace

from veracite.engine.citations import quotation
from veracite.engine.methods.base import Steps, Tools
from veracite.engine.overlap import content_words, coverage
from veracite.engine.words import Answer, Citation
from veracite.index.documents import Sentence

__all__ = ["nearest"]

_MOST = 3
_LOOKED_AT = 6


def nearest(answer: Answer, tools: Tools) -> Steps[Answer]:
    """The answer with a sentence of each of the passages nearest to its question; none twice."""
    found = yield from tools.search(
        answer.question, "question", k=_LOOKED_AT, mode=tools.checking.search.mode
    )
    judge = tools.checking.first
    asked = content_words(answer.question)
    quotes: dict[str, Citation] = {}
    for item in found:
        if sentences := judge.sentences(item.passage):
            best = max(sentences, key=lambda one: coverage(asked, _stems(one)))
            near = min(1.0, max(0.0, item.cosine or 0.0))
            quote = quotation(item.passage, best, "nearest", near, judge.raw_text)
            quotes.setdefault(best.text, quote)
    return replace(answer, nearest=tuple(quotes.values())[:_MOST])


def _stems(sentence: Sentence) -> frozenset[str]:
    return frozenset(word.stem for word in content_words(sentence.text))
