"""Yield sentences of articles and of written premises with one thing changed, or with two.

Beside its own sentence a claim that differs in one thing (a figure, a year, a name, a "not") is
contradicted. One that differs in a year and a figure, in its subject and a figure, or in a season,
speaks of another case; and what is planned or told by others contradicts nothing.
"""

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from scripts.training.articles import articles
from scripts.training.dataset import TITLES
from scripts.training.pairs import CONTRADICTED, NEUTRAL, held_out
from scripts.training.written import HELD_SERIES, SENTENCE, blocks
from veracite.engine.wording.names import Name, names
from veracite.engine.wording.overlap import subject_end
from veracite.engine.wording.quantities import Quantity, extract

EACH = 50
"""Claims of a kind."""
_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_OPENS = re.compile(r"(?:The|An?|In|On|At|By|It|There|Some|Every|Each|All|From|After|Since)\b")
_LEANS = re.compile(r"(?:he|she|it|they|his|her|this|that|these|but|and)\b", re.IGNORECASE)
_IS = re.compile(r" (was|were|is|are|could|can|has been|had been) (?!not\b)")


def moved(data: Path) -> Iterator[tuple[str, str, str, int]]:
    """Yield headings, passages, claims and labels about held-out texts, so many of each kind."""
    rng = random.Random(211)
    pool = list(_pool(data))
    rng.shuffle(pool)
    bank = [name.text for *_, said in pool for name in names(said) if len(name.text) > 3]
    counts: dict[str, int] = {}
    for heading, passage, said in pool:
        kinds = dict(_changes(said, bank, rng))
        open_ones = [kind for kind in kinds if counts.get(kind, 0) < EACH]
        if open_ones:
            kind = rng.choice(open_ones)
            counts[kind] = counts.get(kind, 0) + 1
            stated, claim, label = kinds[kind]
            yield heading, passage.replace(said, stated), claim, label


def altered(text: str, quantity: Quantity, rng: random.Random) -> str:
    """Return a text with other digits in the place of a quantity's."""
    digits = [c for c in quantity.text if c.isdigit()]
    while True:
        new = list(digits)
        for place in rng.sample(range(len(new)), min(len(new), rng.choice((1, 1, 2)))):
            new[place] = rng.choice("123456789")
        if new != digits and (quantity.kind != "date" or new[0] in "12"):
            break
    made = iter(new)
    shown = "".join(next(made) if c.isdigit() else c for c in quantity.text)
    return text[: quantity.start] + shown + text[quantity.end :]


def _pool(data: Path) -> Iterator[tuple[str, str, str]]:
    """Headings, passages and a sentence of each that has a figure."""
    for article in articles(data):
        if held_out(article.title, TITLES):
            for place, said in enumerate(article.sentences):
                if _is_plain(said):
                    around = article.sentences[max(0, place - 1) : place + 2]
                    yield article.heading, " ".join(around), said
    for block in blocks():
        if block.held_out or block.set in HELD_SERIES:
            for said in SENTENCE.split(block.premise):
                if _is_plain(said) and not _LEANS.match(said):
                    yield block.heading, block.premise, said


def _is_plain(said: str) -> bool:
    return bool(6 <= len(said.split()) <= 32 and said.endswith(".") and re.search(r"\d", said))


def _changes(
    said: str, bank: list[str], rng: random.Random
) -> Iterator[tuple[str, tuple[str, str, int]]]:
    """Yield kinds of change, each with the sentence as it is told, the claim and its label."""
    found = [q for q in extract(said) if any(map(str.isdigit, q.text))]
    year = next((q for q in found if q.kind == "date" and q.text == str(q.date[0])), None)
    figure = next((q for q in found if q.kind in ("number", "money", "percent")), None)
    end = subject_end(said)
    every = [name for name in names(said, opening=True) if len(name.text) > 3]
    subject = next((n for n in every if n.start < end and (" " in n.text or n.start)), None)
    other = next((name for name in every if name.start >= end), None)
    denied = _IS.sub(r" \1 not ", said, count=1)
    if other:
        yield "name", (said, _renamed(said, other, bank, rng), CONTRADICTED)
    if denied != said:
        yield "denied", (said, denied, CONTRADICTED)
    if year:
        dated = altered(said, year, rng)
        yield "year", (said, dated, CONTRADICTED)
        if denied != said:
            yield "year, denied", (said, _IS.sub(r" \1 not ", dated, count=1), NEUTRAL)
        if other and other.start > year.end and len(dated) == len(said):
            yield "year, name", (said, _renamed(dated, other, bank, rng), NEUTRAL)
    if figure is None:
        return
    changed = altered(said, figure, rng)
    yield "figure", (said, changed, CONTRADICTED)
    if year and len(changed) == len(said):
        yield "year, figure", (said, altered(changed, year, rng), NEUTRAL)
    if subject and figure.start > subject.end:
        yield "subject, figure", (said, _renamed(changed, subject, bank, rng), NEUTRAL)
    case, another = rng.sample(rng.choice(_WORDS["cases"]), 2)
    told = _within(case, said)
    yield "one case", (told, _within(case, changed), CONTRADICTED)
    yield "another case", (told, _within(another, changed), NEUTRAL)
    yield "plan", (rng.choice(_WORDS["plans"]).format(_lowered(said)), changed, NEUTRAL)


def _renamed(said: str, name: Name, bank: list[str], rng: random.Random) -> str:
    new = [n for n in bank if len(n.split()) == len(name.text.split()) and n not in said]
    return said[: name.start] + rng.choice(new) + said[name.end :]


def _within(case: str, said: str) -> str:
    return f"{case[0].upper()}{case[1:]} {_lowered(said)}"


def _lowered(said: str) -> str:
    return said[0].lower() + said[1:] if _OPENS.match(said) else said
