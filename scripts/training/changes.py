"""Copied sentences with one fact changed: a figure, a date, a name, a word, or a negation.

The changed sentence and the one it was made of are claims beside one another's texts, so that
neither the wording nor the figure by itself says what is true. Some figures and dates are only
written otherwise: supported.
"""

import random
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from scripts.training.articles import Article
from scripts.training.pairs import CONTRADICTED, SUPPORTED, Pair, headed

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
MONTHS, NUMBERS, NATIONALITIES = _WORDS["months"], _WORDS["numbers"], _WORDS["nationalities"]
OTHERS: dict[str, list[str]] = {}
"""What may stand for a word so that its sentence becomes false."""
for _group in (
    MONTHS, NUMBERS, NATIONALITIES, *map(str.split, _WORDS["kinds"]),
    *(two.split("/") for two in _WORDS["opposites"].split()),
):  # fmt: skip
    for _word in _group:
        OTHERS.setdefault(_word, []).extend(w for w in _group if w != _word)
_MONTH = "|".join(MONTHS)
_FIGURE = re.compile(r"(?<![\w.,$/-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w-]|[.,]\d)")
_NEAR = re.compile(r"(?<![\w.,:/-])\d(?:[\d.,:]*\d)?(?![\w-])")
_LOOSE = re.compile(
    r"\b(?:about|around|some|nearly|almost|over|under|more|fewer|less|least|most|roughly)\b"
)
_YEAR = re.compile(r"1[0-9]\d\d|20[0-2]\d")
_CAPITALISED = r"[A-Z][\w\u00c0-\u024f'-]+"
_NAME = re.compile(
    rf"(?<![.\u201c\"] )(?<!^)\b{_CAPITALISED}(?: (?:of |de |van |von )?{_CAPITALISED})*"
)
_DATES = (
    (re.compile(rf"\b(\d{{1,2}}) ({_MONTH}) (\d{{4}})\b"), r"\2 \1, \3"),
    (re.compile(rf"\b({_MONTH}) (\d{{1,2}}), (\d{{4}})\b"), r"\2 \1 \3"),
)
_SMALL = re.compile(rf"(?<![\w,.-])(?:\d\d?|{'|'.join(NUMBERS)}) (?=[a-z]{{3}})")


def capital(text: str) -> str:
    """Begin with a capital and end with a full stop."""
    text = re.sub(r"\s+", " ", text).strip(" ,;:")
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in '.!?"' else text + "."


def names(text: str) -> list[str]:
    """Return the capitalised names inside a sentence, months and nationalities apart."""
    found = (match.group() for match in _NAME.finditer(text))
    return [name for name in found if len(name) > 3 and name not in OTHERS]


def _replaced(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def other_figure(text: str, rng: random.Random) -> str | None:
    """Change a year or another figure."""
    found = list(_FIGURE.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    value = float(match[1].replace(",", ""))
    if _YEAR.fullmatch(match[1]) or value < 30:
        value = abs(value + rng.choice((1, 2, 3, 4, 5, 7, 10, 12, 20)) * rng.choice((-1, 1)))
    else:
        value *= rng.choice((0.5, 0.8, 0.9, 1.1, 1.3, 2))
    shown = f"{value:.1f}" if "." in match[1] else f"{round(value):{',' * (',' in match[1])}}"
    return _replaced(text, match, shown)


def near_figure(text: str, rng: random.Random) -> str | None:
    """Change a figure by a little: by one or two in a late place, or by exchanging two digits."""
    for match in rng.sample(found := [*_NEAR.finditer(text)], len(found)):
        digits = re.sub(r"\D", "", match.group())
        zeros = len(digits) - len(digits.rstrip("0"))
        step = 1 if _YEAR.fullmatch(digits) or rng.random() < 0.3 else 10**zeros
        new = str(int(digits) + rng.choice((-2, -1, -1, 1, 1, 2)) * step).zfill(len(digits))
        if len(digits) > 1 and digits[-1] != digits[-2] and rng.random() < 0.2:
            new = digits[:-2] + digits[-1] + digits[-2]
        if len(new) == len(digits) and new.strip("0") and "-" not in new and new[0] != "0":
            parts = re.split(r"\d", match.group())
            return _replaced(
                text, match, "".join(map("".join, zip(parts, (*new, ""), strict=True)))
            )
    return None


def other_word(text: str, rng: random.Random) -> str | None:
    """Put another month, number, nationality, unit, profession or an opposite for a word."""
    found = [m for m in re.finditer(r"\b[A-Za-z]+\b", text) if m.group() in OTHERS]
    if not found:
        return None
    match = rng.choice(found)
    other = rng.choice(OTHERS[match.group()])
    article = r"\1n " if other[0] in "AEIOUaeiou" else r"\1 "
    return re.sub(rf"\b([Aa])n? (?={other}\b)", article, _replaced(text, match, other))


def negated(text: str, rng: random.Random) -> str | None:
    """Insert a negation, or take one out."""
    inserted = _WORDS["inserted"]
    for old, new in (*_WORDS["removed"], *rng.sample(inserted, len(inserted))):
        if re.search(old, text):
            return re.sub(old, new, text, count=1)
    return None


def other_name(text: str, rng: random.Random, others: Sequence[str]) -> str | None:
    """Replace a name by another with as many words."""
    for name in rng.sample(inside := names(text), len(inside)):
        size = len(name.split())
        fitting = [o for o in others if len(o.split()) == size and o not in text and name not in o]
        if fitting:
            return text.replace(name, rng.choice(fitting), 1)
    return None


def otherwise(text: str, rng: random.Random) -> str | None:
    """Write a date in the other order, or a small number in words or as a figure."""
    for pattern, order in _DATES:
        if pattern.search(text):
            return pattern.sub(order, text)
    for match in _SMALL.finditer(text):
        word = match.group().strip()
        if word in NUMBERS:
            return _replaced(text, match, f"{NUMBERS.index(word) + 2} ")
        if 2 <= int(word) <= 20:
            return _replaced(text, match, f"{NUMBERS[int(word) - 2]} ")
    return None


EDITS: tuple[Callable[[str, random.Random], str | None], ...] = (
    other_figure, near_figure, other_word, other_word, negated,
)  # fmt: skip
"""Some twice: these are tried first more often."""


def changes(pool: Sequence[Article], rng: random.Random) -> Iterator[Pair]:
    """Yield for each article a sentence and its changed version, each as premise and as claim."""
    for article in pool:
        usable = [k for k, s in enumerate(article.sentences) if 6 <= len(s.split()) <= 45]
        if not usable:
            continue
        k = rng.choice(usable)
        old = article.sentences[k]
        if new := otherwise(old, rng):
            yield Pair("equal", _shown(article, k, old, rng), capital(new), SUPPORTED)
        kind = "changed_name"
        others = [n for s in (*article.sentences, *rng.choice(pool).sentences) for n in names(s)]
        new = other_name(old, rng, others) if rng.random() < 0.3 else None
        for edit in () if new else rng.sample(EDITS, len(EDITS)):
            if new := edit(old, rng):
                kind = f"changed_{edit.__name__}"
                break
        if new and new != old:
            given, other = (new, old) if rng.random() < 0.5 else (old, new)
            yield Pair(kind, _shown(article, k, given, rng), capital(given), SUPPORTED)
            yield Pair(kind, _shown(article, k, given, rng), capital(other), CONTRADICTED)


def neighbours(pairs: Iterable[Pair], rng: random.Random) -> Iterator[Pair]:
    """Yield supported pairs whose claim has a figure of the premise, and with one near to it."""
    for pair in pairs:
        stated = {m.group() for m in _NEAR.finditer(pair.premise)}
        exact = pair.label == SUPPORTED and not _LOOSE.search(pair.claim)
        if not exact or not (new := near_figure(pair.claim, rng)):
            continue
        before, after = ({m.group() for m in _NEAR.finditer(c)} for c in (pair.claim, new))
        if before - after <= stated and not (after - before) & stated:
            yield Pair("near_figure", pair.premise, pair.claim, SUPPORTED)
            yield Pair("near_figure", pair.premise, new, CONTRADICTED)


def _shown(article: Article, k: int, sentence: str, rng: random.Random) -> str:
    """Show a sentence in the place of sentence ``k``: alone, with a heading, in its passage."""
    if rng.random() < 0.4:
        return sentence if rng.random() < 0.6 else headed(article.heading, sentence)
    text = article.around(k, rng.choice((40, 60, 80)))
    text = text.replace(article.sentences[k], sentence, 1)
    return headed(article.heading if rng.random() < 0.6 else "", text)
