"""Changes of one fact in a copied sentence: a number, a date, a name, a negation.

Written for the published test set alone: shares no word list or pattern with ``scripts/training``.
"""

import random
import re
from collections.abc import Callable

Change = Callable[[str, random.Random], str | None]

MONTHS = {
    "January": "April",
    "February": "October",
    "March": "August",
    "April": "November",
    "June": "February",
    "July": "December",
    "August": "May",
    "September": "January",
    "October": "March",
    "November": "July",
    "December": "June",
}
NUMBER_WORDS = {
    "two": "five",
    "three": "six",
    "four": "nine",
    "five": "eight",
    "six": "three",
    "seven": "four",
    "eight": "eleven",
    "nine": "seven",
    "ten": "six",
    "twelve": "twenty",
    "dozen": "hundred",
    "twice": "four times",
    "hundred": "thousand",
    "thousand": "million",
    "million": "billion",
    "half": "a tenth",
}
_NAME = r"[A-Z][a-z]{2,}(?: [A-Z]\.)?(?: (?:van |von |de )?[A-Z][a-z]{2,}(?:-[A-Z][a-z]+)?){1,2}"
_CREDIT = re.compile(
    r"(?:[Cc]ontributed|[Rr]eported|[Ww]ritten|[Ii]mplemented|[Ss]uggested|[Pp]atch(?:es)?|[Dd]esigned|"
    r"[Dd]eveloped|[Cc]reated|[Pp]roposed|[Cc]oined|[Mm]aintained|[Aa]dded|[Bb]uilt|noted|[Ff]ixed|[Tt]hanks)"
    rf"(?: originally| initially)? (?:by|to|from) (?P<name>{_NAME})(?! \(|[\w'-])"
)
_NOT_PERSONS = re.compile(
    r"\b(?:Python|Software|Foundation|Microsystems|The|Core|Labs|Inc|Team|Windows)\b"
)
_FIGURE = re.compile(
    r"(?<![\w.,:/+#&$-])(\d{1,3}(?:,\d{3})+|\d{1,6})(?![\w,:/-]?\d|[\w%/]|-\w|\.\w)"
)
_NUMBERED = re.compile(
    r"(?:PEP|RFC|issue|Issue|bug|section|version|versions|Python|release|Release|ISO|IEEE|chapter|"
    r"page|OS|X|Windows|POSIX|SGI|Tk|Tcl|C|January|February|March|April|May|June|July|August|"
    r"September|October|November|December|(?:Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\.|"
    r"Python \d(?:\.\d+)? (?:and|or)|[Bb]ase)$"
)
_ISO = re.compile(r"\b(1[89]\d\d|20[0-2]\d)-(\d\d)-(\d\d)\b")
_YEAR = re.compile(r"(?<![\w.:/-])(1[89]\d\d|20[0-2]\d)(?![\w/:]|-\d|\.\d)")
_DAY = re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}})\b|\b(\d{{1,2}}) ({'|'.join(MONTHS)})\b")


def _put(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def _denied(text: str, found: re.Match[str]) -> bool:
    """Whether a value is one that the sentence rejects: 'on 5 May, not 4 May'."""
    before = text[: found.start()]
    return bool(re.search(r"\b(?:not|instead of|rather than|than)\b[^;.]{0,40}$", before))


def _labels(text: str, found: re.Match[str]) -> bool:
    """Whether a date only names something or bounds a period: 'the 1982 shift', 'since 1970'."""
    word = text[: found.start()].rstrip().rsplit(" ", 1)[-1]
    if re.fullmatch(
        r"(?:the|The|its|their|since|before|after|until|through|from|to|circa)|.*'s", word
    ):
        return True
    if text[found.end() :].startswith("'s"):
        return True
    capital = word[:1].isupper() and word not in ("In", "On", "By", *MONTHS, "May")
    return capital or not word


def number(text: str, rng: random.Random) -> str | None:
    """Change a quantity that is no year, version, day or label."""
    figures = [
        m
        for m in _FIGURE.finditer(text)
        if not _NUMBERED.search(text[: m.start()].rstrip()) and not _YEAR.fullmatch(m[1])
    ]
    words = [m for m in re.finditer(r"(?<!-)\b[a-z]+\b(?!-)", text) if m.group() in NUMBER_WORDS]
    places = [m for m in (*figures, *words) if not _denied(text, m)]
    if not places or (len(places) == len(words) == 1 and rng.random() < 0.75):
        return None
    found = rng.choice(places)
    if not found.group()[0].isdigit():
        return _put(text, found, NUMBER_WORDS[found.group()])
    value = int(found.group().replace(",", ""))
    new = value + rng.choice((2, 5, 7)) if value < 60 else value * 3 + 10
    return _put(text, found, f"{new:,}" if "," in found.group() else str(new))


def date(text: str, rng: random.Random) -> str | None:
    """Change the year, the month or the day of a date."""
    places = [*_ISO.finditer(text), *_YEAR.finditer(text), *_DAY.finditer(text)]
    places = [m for m in places if not _denied(text, m) and not _labels(text, m)]
    if not places or re.search(r"\bobserved\b|^In \d{4}", text):
        return None
    found = rng.choice(places)
    shown = found.group()
    if found.re is _ISO:
        year, month, day = int(found[1]), int(found[2]), int(found[3])
        new = rng.choice(
            (
                f"{year + rng.choice((-11, -3, 4, 6))}-{found[2]}-{found[3]}",
                f"{found[1]}-{(month + 4) % 12 + 1:02d}-{found[3]}",
                f"{found[1]}-{found[2]}-{(day + 9) % 28 + 1:02d}",
            )
        )
    elif found.re is _YEAR:
        new = str(int(shown) + rng.choice((-20, -8, -3, -1, 1, 5, 9)))
    else:
        month_name, number_of = found[1] or found[4], found[2] or found[3]
        if rng.random() < 0.5:
            new = shown.replace(month_name, MONTHS[month_name])
        else:
            new = shown.replace(number_of, str((int(number_of) + 11) % 28 + 1))
    return _put(text, found, new)


def names_in(text: str) -> list[str]:
    """Names of the persons to whom a sentence gives credit for something."""
    found = [m["name"] for m in _CREDIT.finditer(text)]
    return [n for n in found if not _NOT_PERSONS.search(n)]


def name(persons: list[str]) -> Change:
    """A change that gives the credit to another person.

    Args:
        persons: names to take the other person from.
    """

    def changed(text: str, rng: random.Random) -> str | None:
        inside = names_in(text)
        if not inside:
            return None
        old = rng.choice(inside)
        new = rng.choice([n for n in persons if n not in text and n.split()[-1] not in old])
        return re.sub(rf"\b{re.escape(old)}\b", new, text)

    return changed


_SUBORDINATE = re.compile(
    r"(?:While|When|If|Because|How|What|As|Since|Although|Though|Once|Where|Whether|Unless|Until)\b"
    r"|[^,;]*\b(?:whether|how|why)\b"
)
_DENIALS = (
    (r" (is|are|was|were|will|should|has|have|had|did|do|does|must|can) not\b", r" \1"),
    (r"\b(is|are|was|were|does|do|did|has|have|should)n't\b", r"\1"),
    (r"\bcannot\b", "can"),
    (r"\bno longer ", ""),
    (r"\bnever ", "always "),
    (r"\bunable to\b", "able to"),
)
_ASSERTIONS = (
    (
        r"^([^,;:()]{3,70}? (?:is|are|was|were|can|will|should|must)) (?!not\b|no\b)(?=[a-z])",
        r"\1 not ",
    ),
    (r"^([^,;:()]{3,70}? (?:has|have|had)) (?=been\b|[a-z]+ed\b)", r"\1 not "),
    (r"^([^,;:()]{3,70}?) now (?=[a-z]+s\b)", r"\1 no longer "),
    (r"\balways ", "never "),
)


def negation_removed(text: str, rng: random.Random) -> str | None:
    """Take the one negation out of a sentence."""
    denied = [(old, new) for old, new in _DENIALS if re.search(old, text)]
    if len(denied) == 1 and len(re.findall(denied[0][0], text)) == 1:
        return re.sub(denied[0][0], denied[0][1], text)
    return None


def negation_inserted(text: str, rng: random.Random) -> str | None:
    """Deny a sentence that has no negation, in its main clause."""
    if _SUBORDINATE.match(text) or re.search(
        r"\b(?:not|no|nor|neither|never|without|only|nothing|none)\b|n't", text
    ):
        return None
    for old, new in _ASSERTIONS:
        found = re.search(old, text)
        if found and not re.search(r"\b(?:if|when|that|which|who|where)\b", found.group()):
            return re.sub(old, new, text, count=1)
    return None
