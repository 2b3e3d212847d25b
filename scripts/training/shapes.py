"""The shapes in which a premise reaches the verifier: a passage, a sentence, sentences joined."""

from __future__ import annotations

import random
import re

from scripts.training.documents import Example
from scripts.training.pairs import JOINT, NEUTRAL, NOT_SUPPORTED, SUPPORTED, Pair, headed
from scripts.training.subjects import Generated, subject
from scripts.training.synthesis import Maker


def _needs_heading(made: Generated) -> bool:
    """Tell whether a true claim's subject is named only by the heading."""
    if made.label != SUPPORTED and made.kind != "false":
        return False
    name = subject(made.article.title).split(" ")[-1].lower()
    shown = " ".join(made.article.sentences[k] for k in made.needed).lower()
    return name in made.claim.lower() and name not in shown


def window(made: Generated, words: int = 115) -> list[str]:
    """Return the article's sentences around what is needed, without what is hidden."""
    kept = [(k, s) for k, s in enumerate(made.article.sentences) if k not in made.hidden]
    anchor = made.needed or made.hidden or (0,)
    order = sorted(kept, key=lambda item: min(abs(item[0] - a) for a in anchor))
    chosen: list[tuple[int, str]] = []
    size = 0
    for k, sentence in order:
        size += len(sentence.split())
        if size > words and k not in made.needed and chosen:
            break
        chosen.append((k, sentence))
    return [s for _, s in sorted(chosen)]


def premise(made: Generated, maker: Maker, i: int, rng: random.Random) -> str | None:
    """Render a generated claim's premise in one of the shapes."""
    article = made.article
    shown = window(made)
    if not shown:
        return None
    heading = article.heading if rng.random() < 0.55 or _needs_heading(made) else ""
    way = rng.random()
    if way < 0.55:
        return headed(heading, " ".join(shown))
    if way < 0.75:
        if len(made.needed) == 1:
            return headed(heading, article.sentences[made.needed[0]])
        if not made.needed:
            return headed(heading, rng.choice(shown))
    needed = [article.sentences[k] for k in made.needed]
    rest = [s for s in shown if s not in needed]
    foreign = [s for s in maker.other(i).sentences if len(s.split()) < 45]
    extra = rng.sample(rest, min(len(rest), rng.randint(0, 3)))
    extra += rng.sample(foreign, min(len(foreign), rng.randint(0, 2)))
    joined = needed + extra
    if not joined:
        joined = rest[:2]
    rng.shuffle(joined)
    if heading:
        own = set(article.sentences)
        joined = [headed(heading, s) if s in own else s for s in joined]
    return JOINT.join(joined) if joined else None


def best_sentences(example: Example, count: int) -> list[str]:
    """Return the sentences with most of the claim's words, in the order of the text."""
    words = set(re.findall(r"\w{3,}", example.claim.lower()))
    every = [s for _, group in example.passages for s in group]
    ranked = sorted(
        range(len(every)),
        key=lambda i: -len(words & set(re.findall(r"\w{3,}", every[i].lower()))),
    )
    return [every[i] for i in sorted(ranked[:count])]


def document_premises(example: Example, rng: random.Random) -> list[tuple[str, int]]:
    """Render an upstream example's premises, each with the label that holds for it."""
    made: list[tuple[str, int]] = []
    passages = example.passages
    if example.alone:
        for (heading, sentences), label in zip(passages, example.alone, strict=True):
            if label is not None:
                shown = heading if rng.random() < 0.7 else ""
                made.append((headed(shown, " ".join(sentences)), label))
    elif len(passages) == 1:
        heading, sentences = passages[0]
        shown = heading if rng.random() < 0.6 else ""
        made.append((headed(shown, " ".join(sentences)), example.label))
    elif example.label in (NEUTRAL, NOT_SUPPORTED) and passages:
        heading, sentences = rng.choice(passages)
        made.append((headed(heading, " ".join(sentences)), example.label))
    if example.evidence and (rng.random() < 0.7 or not made):
        own = list(example.evidence)
        every = [s for _, group in passages for s in group if s not in own]
        extra = rng.sample(every, min(len(every), rng.randint(0, 3)))
        joined = own + extra
        if example.set != "contract_nli":
            rng.shuffle(joined)
        made.append((JOINT.join(joined)[:1500], example.label))
    if len(passages) > 1 and not example.evidence and len(passages) < 9:
        made.append((JOINT.join(best_sentences(example, rng.randint(4, 6))), example.label))
    return made


def renderings(example: Example, rng: random.Random) -> list[Pair]:
    """Return up to four pairs of an upstream claim and differently rendered documents."""
    shown: dict[str, int] = {}
    for _ in range(1 if example.set == "contract_nli" else 3):
        shown.update(document_premises(example, rng))
    if 1 < len(example.passages) < 12 and not example.alone:
        for count in rng.sample((2, 3, 5, 7), 2):
            text = JOINT.join(best_sentences(example, count))
            if example.label or not example.evidence:
                shown[text[:1500]] = example.label
    for heading, sentences in example.passages:
        if example.evidence and set(example.evidence) <= set(sentences):
            shown[headed(heading, " ".join(sentences))] = example.label
    chosen = rng.sample(sorted(shown.items()), min(4, len(shown)))
    return [Pair(example.set, premise, example.claim, label) for premise, label in chosen]
