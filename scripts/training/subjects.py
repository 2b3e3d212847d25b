"""What a generated claim is, and the claims about an article's questions and its person."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.training import biography, falsehoods
from scripts.training.articles import Article
from scripts.training.pairs import CONTRADICTED, NEUTRAL, NOT_SUPPORTED, SUPPORTED
from scripts.training.questions import kind, statement


@dataclass(frozen=True, slots=True)
class Generated:
    """A claim about an article: what it needs, what the premise must not show, and its label."""

    kind: str
    claim: str
    article: Article
    needed: tuple[int, ...]
    hidden: tuple[int, ...]
    label: int


def subject(title: str) -> str:
    """Return a title without what stands in brackets."""
    return re.sub(r"\s*\([^)]*\)", "", title).strip()


def lowered(text: str) -> str:
    """Begin with a small letter where the first word is a common one."""
    first = text.split(" ", 1)[0]
    common = (
        "The A An He She It They His Her Its In This On At After During Their There These For As By"
    ).split()
    return text[0].lower() + text[1:] if first in common else text


def asked(
    article: Article, answers: dict[str, list[str]], rng: random.Random
) -> Iterator[Generated]:
    """Generate the answers to an article's questions, right and wrong, as claims."""
    for question in article.questions[:3]:
        claim = statement(question.text, question.answer)
        k = question.sentence
        if not claim or k >= len(article.sentences):
            continue
        yield Generated("answer", claim, article, (k,), (), SUPPORTED)
        if len(article.sentences) > 2:
            yield Generated("answer_hidden", claim, article, (), (k,), NEUTRAL)
        like = answers[kind(question.answer)]
        wrong = rng.choice(like)
        if kind(question.answer) == "date" and rng.random() < 0.5:
            wrong = falsehoods.other_year(question.answer, rng) or wrong
        false = statement(question.text, wrong)
        if false and wrong.lower() not in " ".join(article.sentences).lower():
            label = NOT_SUPPORTED if kind(question.answer) == "other" else CONTRADICTED
            yield Generated("answer_wrong", false, article, (k,), (), label)


def life(article: Article, rng: random.Random) -> Iterator[Generated]:
    """Generate claims about the life of the person that an article is about."""
    name = subject(article.title)
    if not re.fullmatch(r"(?:[A-Z][\w'.-]+ ?){2,4}", name):
        return
    if biography.IS_A.search(article.sentences[0]):
        made = biography.stated(name, article.sentences, rng)
        for claim, label in rng.sample(made, min(5, len(made))):
            yield Generated("stated", claim, article, (0,), (), label)
    text = " ".join(article.sentences)
    for claim, label in biography.invented(name, text, rng):
        if rng.random() < 0.4:
            claim = biography.pronoun(text) + claim.removeprefix(name)
        claim = claim.replace("He's work", "His work").replace("She's work", "Her work")
        yield Generated("invented", claim, article, (), (), label)
