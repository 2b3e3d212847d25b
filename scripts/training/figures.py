"""Edits of figures, units, dates, names and negations, and equal ways of writing figures."""

from __future__ import annotations

import random
import re
from itertools import pairwise

from scripts.training.falsehoods import names
from scripts.training.lexicon import MONTHS, ORDINALS
from scripts.training.verbs import BASE

_MONTH = "|".join(MONTHS)
_FIGURE = re.compile(r"(?<![\w.,$/-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w-]|[.,]\d)")
_YEAR = re.compile(r"1[0-9]\d\d|20[0-2]\d")
_UNITS = (
    "km miles metres|miles kilometres|metres feet|meters feet|feet metres inches|inches feet|"
    "million billion thousand|billion million trillion|thousand million|days weeks months|"
    "weeks days months|months years weeks|years months decades|hours minutes days|"
    "minutes hours seconds|seconds minutes|pounds tons dollars|dollars pounds euros|"
    "kilograms tonnes|kg g|tons pounds|acres hectares|centuries decades|decades centuries years|"
    "kilometres miles metres|kilometers miles|degrees percent|percent degrees"
)
_UNIT = {row.split()[0]: row.split()[1:] for row in _UNITS.split("|")}
_NOT_UN = (
    "able/unable known/unknown likely/unlikely successful/unsuccessful married/unmarried "
    "published/unpublished usual/unusual common/uncommon complete/incomplete possible/impossible "
    "legal/illegal dependent/independent regular/irregular official/unofficial popular/unpopular "
    "certain/uncertain available/unavailable familiar/unfamiliar happy/unhappy visible/invisible "
    "direct/indirect formal/informal clear/unclear changed/unchanged finished/unfinished "
    "related/unrelated important/unimportant"
)
_UN: dict[str, str] = {}
for _two in _NOT_UN.split():
    _a, _b = _two.split("/")
    _UN[_a], _UN[_b] = _b, _a


def _replaced(text: str, match: re.Match[str], new: str, group: int = 0) -> str:
    return text[: match.start(group)] + new + text[match.end(group) :]


def figures_exchanged(text: str, rng: random.Random) -> str | None:
    """Exchange two figures of one sort within a sentence, unless they only stand in a list."""
    found = list(_FIGURE.finditer(text))
    for first, second in pairwise(found):
        between = text[first.end() : second.start()]
        same_sort = bool(_YEAR.fullmatch(first[1])) == bool(_YEAR.fullmatch(second[1]))
        listed = re.fullmatch(r"(?:,? (?:and|or|to) |, |\s*[\u2013/]\s*)", between)
        if same_sort and not listed and first[1] != second[1] and len(between.split()) >= 2:
            return text[: first.start()] + second[1] + between + first[1] + text[second.end() :]
    return None


def other_unit(text: str, rng: random.Random) -> str | None:
    """Change the unit after a figure."""
    for match in re.finditer(r"(?<=\d) ([a-z]+)\b", text):
        if match[1] in _UNIT:
            return _replaced(text, match, rng.choice(_UNIT[match[1]]), 1)
    return None


def other_percent(text: str, rng: random.Random) -> str | None:
    """Change a percentage."""
    found = re.search(r"(?<![\d.])(\d{1,2})(?:\.\d+)?(?: ?%| per ?cent)", text)
    if not found:
        return None
    value = int(found[1])
    new = rng.choice([v for v in (value + 3, value + 11, value * 2, value // 2, 100 - value) if v])
    return None if new == value or new > 100 else _replaced(text, found, str(new), 1)


def other_ordinal(text: str, rng: random.Random) -> str | None:
    """Change an ordinal in figures or in words."""
    if found := re.search(r"\b(\d{1,2})(st|nd|rd|th)\b", text):
        value = int(found[1])
        new = max(1, value + rng.choice((-3, -2, -1, 1, 2, 4)))
        return None if new == value else _replaced(text, found, ordinal(new))
    places = [m for m in re.finditer(r"\b[a-z]+\b", text) if m.group() in ORDINALS]
    places = [m for m in places if m.group() != "second" or text[m.end() : m.end() + 2] != "s "]
    if not places:
        return None
    match = rng.choice(places)
    return _replaced(text, match, rng.choice([o for o in ORDINALS if o != match.group()]))


def ordinal(value: int) -> str:
    """Return '3rd' for 3."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{'th' if 10 < value % 100 < 14 else ending}"


def names_exchanged(text: str, rng: random.Random) -> str | None:
    """Exchange two names within a sentence whose roles differ."""
    found = [n for n in dict.fromkeys(names(text)) if text.count(n) == 1]
    for first, second in pairwise(found):
        a, b = text.index(first), text.index(second)
        between = text[a + len(first) : b]
        apart = re.search(r"[a-z]{3}", between) and not re.search(
            r"\b(?:with|between|married|met|versus|vs|near|who|also|known|called|cousin|named)\b"
            r"|[()\"]",
            between,
        )
        if apart and not re.fullmatch(r"[, ]*(?:and|or|[\w ]{0,12}and the)? ?", between):
            tail = text[b + len(second) :]
            return text[:a] + second + between + first + tail
    return None


def negated_variously(text: str, rng: random.Random) -> str | None:
    """Insert or remove a negation in one of its many forms."""
    for old, new in rng.sample(_REMOVED, len(_REMOVED)):
        if re.search(old, text):
            return re.sub(old, new, text, count=1)
    words = [m for m in re.finditer(r"\b[a-z]+\b", text) if m.group() in _UN]
    if words and rng.random() < 0.6:
        match = rng.choice(words)
        changed = _replaced(text, match, _UN[match.group()])
        return re.sub(rf"\b([Aa])n? (?={_UN[match.group()]})", _article, changed)
    for match in re.finditer(
        r"(?<=[a-z\d)] )(\w+)(?= (?:the|a|an|his|her|its|in|to|from)\b)", text
    ):
        base = BASE.get(match[1])
        before = text[: match.start()].rsplit(None, 1)[-1]
        if base and before.lower() not in _NOT_BEFORE and not before.endswith("ly"):
            new = rng.choice(("did not {}", "never {}d", "failed to {}", "did not {}", "never {}"))
            new = f"never {match[1]}" if "never" in new else new.format(base)
            return _replaced(text, match, new)
    for old, new in rng.sample(_INSERTED, len(_INSERTED)):
        if re.search(old, text):
            return re.sub(old, new, text, count=1)
    return None


def _article(match: re.Match[str]) -> str:
    vowel = match.string[match.end() : match.end() + 1] in "aeiou"
    return match[1] + ("n " if vowel else " ")


_NOT_BEFORE = set(
    "is was are were be been being has had have which that who and or by of to the a an as not "
    "never also when where while he's it's his her its their from in on at for with".split()
)
_REMOVED = (
    (r" (?:not|never)\b(?! only)", ""),
    (r"\bno longer\b", "still"),
    (r"\bwithout\b", "with"),
    (r"\b[Ff]ew\b", "many"),
    (r"\bfailed to\b", "managed to"),
    (r"\bunable to\b", "able to"),
    (r"\bneither (.{3,30}) nor\b", r"both \1 and"),
    (r"\brefused to\b", "agreed to"),
)
_INSERTED = (
    (r"\b(is|was|are|were|has|had|can|could|will|would|must|should)\b(?! not)", r"\1 not"),
    (r"\b(is|was|are|were|has|had|can|could|will|would)\b(?! not)", r"\1 never"),
    (r"\b(is|was|are|were)\b(?! not)", r"\1 no longer"),
    (r"\b[Mm]any\b", "few"),
    (r"\bwith (?=a\b)", "without "),
    (r"^(?:All|Most|Many|Several) (?=[a-z])", "No "),
    (r"\bhas a\b", "has no"),
    (r"\bhad a\b", "had no"),
    (r"\bthere (was|were|is|are) (?:an? |some |several |many )?", r"there \1 no "),
)
CHANGES = (
    figures_exchanged,
    other_unit,
    other_percent,
    other_ordinal,
    negated_variously,
)
"""Edits that make a sentence false (names_exchanged only makes it unsupported)."""
