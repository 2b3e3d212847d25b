"""What a sentence speaks of, and what it says of it: split at the main verb, by form alone.

Everything before the main verb counts as the topic, an opening "In Oberau" included; names behind
it are what is said. No parser: where no verb is found, the first name is the topic.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from veracite.engine.facts.names import Name, names
from veracite.engine.wording.lists import listed
from veracite.engine.wording.name_kinds import NO_NAMES, PEOPLE, THINGS
from veracite.engine.wording.overlap import Word, stem, words
from veracite.engine.wording.phrases import VERB_ENDING, VERBS

_BEFORE_NOUNS = frozenset(listed("before nouns"))
_RELATIVES = frozenset(listed("relatives"))
_THING = re.compile(r"(?:.*,\s)?(?:the|an?)\s([a-z][\w-]*)\s$", re.IGNORECASE)
_ROLE = re.compile(f"{PEOPLE}|{THINGS}")
_ONCE = frozenset(listed("once"))
"""Past forms of verbs of what happens to a thing once: another date for it is another answer."""
_REACH = 3
"""Words from the main verb on among which its participle stands."""
_REFERENCES = frozenset(listed("references"))
_CLAUSE = re.compile(
    r"; |: |, (?=(?:and|but|while|whereas|although|though|which|who|where)\b)"
    r"| (?=(?:but|whereas)\b)"
)
_PARTICIPLE = re.compile(r"(?:[A-Z][a-z]+ed|Set|Born|Built|Made|Known|Written|Led|Held|Chosen)\s")


@dataclass(frozen=True, slots=True)
class Topic:
    """What a sentence speaks of."""

    names: tuple[Name, ...]
    """Before the main verb."""
    others: tuple[Name, ...]
    """Behind it: what is said."""
    end: int
    """Where the main verb starts."""
    things: frozenset[str]
    """Stems of the common words before it."""
    verbs: frozenset[str]
    """Stems of the main verb's words, without "is" and "has"."""
    refers: bool
    """Whether "it", "her" or "the company" stands in the names' place, or they open a clause."""


def all_names(text: str) -> tuple[Name, ...]:
    """The names of a text, a lone capitalised word at its beginning among them if it acts so."""
    return tuple(name for name in names(text, opening=True) if _is_name(name, text))


@lru_cache(1024)
def topic_of(text: str) -> Topic:
    """What a sentence speaks of and which names it goes on to."""
    found = all_names(text)
    verb = _main_verb(text)
    end = verb.start if verb else found[0].end if found else 0
    before = [word for word in words(text) if word.end <= end]
    lowered = {word.text.lower() for word in before}
    return Topic(
        tuple(n for n in found if n.start < end),
        tuple(n for n in found if n.start >= end),
        end,
        frozenset(word.stem for word in before if word.text.islower() and word.weight),
        frozenset(word.stem for word in _verb_group(text, end) if word.weight),
        bool(lowered & _REFERENCES)
        or (not any(n.start < end for n in found) and any(map(_ROLE.fullmatch, lowered)))
        or _PARTICIPLE.match(text) is not None,
    )


def main_clause(text: str, stems: frozenset[str]) -> str:
    """The clause of a sentence that has most of these stems; the first of equals."""
    clauses = [part for part in _CLAUSE.split(text) if part and part.strip()]
    return max(clauses, key=lambda part: len({w.stem for w in words(part)} & stems), default=text)


def happens_once(text: str) -> bool:
    """Whether a sentence tells of what happens to a thing only once, such as its founding."""
    verb = _main_verb(text)
    return verb is not None and any(w.text in _ONCE for w in _verb_group(text, verb.start))


def other_thing(subject: str, claim: str) -> str | None:
    """What "the dam", before a main verb, names that a claim does not speak of.

    Of "the company", "the yard" beside "shipyard", and pronouns nobody can tell: None.
    """
    match = _THING.match(subject)
    if match is None or _ROLE.fullmatch(match[1]):
        return None
    thing = stem(match[1].lower())
    if any(word.stem.endswith(thing) or thing.endswith(word.stem) for word in words(claim)):
        return None
    return f"“{match[1]}”"


def _verb_group(text: str, start: int) -> list[Word]:
    """The main verb and the participle that goes with it."""
    group = [word for word in words(text) if word.start >= start][:_REACH]
    kept: list[Word] = []
    for word in group:
        if not word.text.islower():
            break
        verbal = word.text in VERBS or VERB_ENDING.match(word.text) or word.text in _ONCE
        if not kept or verbal or word.text.endswith("ing"):
            kept.append(word)
    return kept


def _is_name(name: Name, text: str) -> bool:
    """Of a lone capitalised word at the beginning: whether it looks like a name."""
    if name.start > 0 and text[: name.start].strip(" \"'“‘("):
        return True
    if " " in name.text:
        return True
    if name.text.lower() in NO_NAMES or re.match(
        r"(?:No|Any|Every|Some)(?:body|thing|one)", name.text
    ):
        return False
    following = text[name.end :]
    return bool(re.match(r"['’]s\b|,? \d|,? (?:[A-Z]|\()", following)) or _verb_follows(following)


def _verb_follows(following: str) -> bool:
    match = re.match(r"\s(?:\w+ly |also |never |not )?([a-z]+)\b", following)
    if match is None:
        return False
    word = match[1]
    return word in VERBS or bool(VERB_ENDING.match(word)) or _ends_in_s(word)


def _ends_in_s(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _main_verb(text: str) -> Word | None:
    """The first finite verb outside a relative clause."""
    found = words(text)
    in_relative = False
    for i in range(1, len(found)):
        word, before = found[i].text, found[i - 1].text.lower()
        if before in _RELATIVES:
            in_relative = True
        joined = text[found[i].start - 1] == "-"
        if not word.islower() or joined or before in _BEFORE_NOUNS - _RELATIVES:
            continue
        if word in VERBS or VERB_ENDING.match(word) or (_ends_in_s(word) and _acts(found, i)):
            if in_relative:
                in_relative = False
                continue
            return found[i]
    return None


def _acts(found: tuple[Word, ...], i: int) -> bool:
    """Whether a word in -s is a verb rather than a plural: what follows it tells."""
    if i + 1 >= len(found):
        return False
    following = found[i + 1].text
    determined = following.lower() in _BEFORE_NOUNS and following.lower() not in ("of", "and", "or")
    before = found[i - 1].text
    return (determined or following[0].isupper() or following[0].isdigit()) or (
        before[0].isupper() and following.islower() and following not in VERBS
    )
