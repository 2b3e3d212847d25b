"""Drafts of real sentences, one to three of which state a wrong fact, for ``measure_fix.py``."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import fact_changes
from fact_changes import Change
from make_changed_facts import fits

from veracite.index.sentences import sentence_spans

TRUE = "true"
"""The kind of a sentence of which no fact was changed."""
MOST_WRONG = 3
"""Wrong claims of a draft."""
_NAME = re.compile(r"(?<=[a-z,] )(?!The )[A-Z][a-z]{2,} [A-Z][a-z]{2,}(?= [a-z]|[.,])")
_DEPENDENT = re.compile(r"(?:He|She|We|You|I|These|Those|There|Such|Both|His|Her|Their|Our)\b")
_SHORTER = (
    (r" \([^()]*\)", ""),
    (r", (?:which|who|where|including|such as|especially|while)\b[^,]*\.$", "."),
    (r", [a-z]+ing [^,]*\.$", "."),
    (r"(?<=[A-Z])(\w+), (?:an?|the) [^,]{3,60}, (?=(?:is|was|has|had|are|were)\b)", r"\1 "),
    (r"^In( [^,]{2,30}), ([A-Z].*)\.$", r"\2 in\1."),
    (r"\b(?:also|further|then|very|particularly|currently|generally|however,) ", ""),
)
_SYNONYMS = {
    "accident": "crash", "according to": "as stated by", "aim": "goal",
    "airplane": "aircraft", "allows": "lets", "approximately": "about", "became": "turned into",
    "began": "started", "beginning": "start", "company": "firm",
    "create": "make", "created": "made", "different": "distinct",
    "difficult": "hard", "due to": "because of", "during": "in the course of",
    "ended": "finished", "found that": "established that", "helps": "aids",
    "important": "significant", "in order to": "to", "killed": "slain", "known as": "called",
    "large": "big", "located": "situated", "main": "chief", "many": "numerous", "may": "might",
    "more than": "over", "multiple": "numerous", "often": "frequently", "people": "persons",
    "provides": "gives", "reported that": "said that", "required": "needed",
    "requires": "needs", "several": "a number of", "showed": "revealed", "shows": "reveals",
    "substantial damage": "heavy damage", "such as": "like", "sustained": "suffered",
    "used": "employed", "usually": "mostly", "within": "inside",
}  # fmt: skip


@dataclass(frozen=True)
class Sentence:
    """One of a draft."""

    kind: str
    """Of the fact that was changed, or ``TRUE``."""
    source: str
    """As its document has it."""
    right: str
    """As it was worded, before a fact was changed."""
    text: str
    """As it stands in the draft."""


def sentences(texts: Sequence[str]) -> list[str]:
    """The documents' sentences that can be claims, each once, in order."""
    found = (
        " ".join(text[span.start : span.end].split())
        for text in texts
        for span in sentence_spans(text)
    )
    return [
        one
        for one in dict.fromkeys(found)
        if fits(one)
        and one.isprintable()
        and not _DEPENDENT.match(one)
        and not re.search(r"\w- ", one)
    ]


def drafts(found: Sequence[str], each: int, rng: random.Random) -> Iterator[list[Sentence]]:
    """As many true sentences as wrong ones, one to three of which stand in a draft.

    Args:
        found: The sentences to draw from.
        each: How many get a wrong fact of each kind.
        rng: Draws them, and what is put in their facts' place.
    """
    persons = sorted({m.group() for one in found for m in _NAME.finditer(one)})
    rest = rng.sample(found, len(found))
    changes: dict[str, Change] = {
        "date": fact_changes.date,
        "name": _other_name(persons),
        "number": fact_changes.number,
        "negation": _denied,
    }
    wrong = [
        one
        for place, (kind, change) in enumerate(changes.items())
        for one in _made(kind, change, rest, range(place, place + each), rng)
    ]
    true = list(_made(TRUE, lambda text, _: text, rest, range(len(wrong)), rng))
    rng.shuffle(wrong)
    while wrong:
        count = rng.randint(1, MOST_WRONG)
        draft = [*wrong[:count], *true[:count]]
        wrong, true = wrong[count:], true[count:]
        yield rng.sample(draft, len(draft))


def _made(
    kind: str, change: Change, rest: list[str], numbers: range, rng: random.Random
) -> Iterator[Sentence]:
    """Sentences of a kind; those of odd numbers are worded otherwise before they are changed.

    Args:
        rest: Sentences that are still free; those taken are removed.
    """
    for number in numbers:
        for source in rest:
            said = _otherwise(source) if number % 2 else source
            text = change(said, rng) if said else None
            if said and text and (kind == TRUE or text not in (said, source)):
                rest.remove(source)
                yield Sentence(kind, source, said, text)
                break


def _denied(text: str, rng: random.Random) -> str | None:
    return fact_changes.negation_removed(text, rng) or fact_changes.negation_inserted(text, rng)


def _otherwise(sentence: str) -> str | None:
    """The same in other words, or less of it; None if no rule applies."""
    said = sentence
    for old, new in _SHORTER:
        said = re.sub(old, new, said, count=1)
    plain = rf"\b({'|'.join(map(re.escape, _SYNONYMS))})\b"
    said = re.sub(plain, lambda match: _SYNONYMS[match[1]], said)
    return said if said != sentence and fits(said) else None


def _other_name(persons: Sequence[str]) -> Change:
    def changed(text: str, rng: random.Random) -> str | None:
        inside = [match.group() for match in _NAME.finditer(text)]
        others = [one for one in persons if not set(one.split()) & set(text.split())]
        if not inside or not others:
            return None
        return text.replace(rng.choice(inside), rng.choice(others))

    return changed
