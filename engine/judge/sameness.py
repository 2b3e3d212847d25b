"""Whether a premise can contradict a claim at all: does it speak of the same thing?

A network calls "In 2015 the yard employed 62 people" a contradiction of "In 2019 it employed 40". A
contradiction needs the same subject, time and case, and a statement; and it differs from the claim
in one thing. Where a year and a figure differ, or a name and a denial, the two are of another case.
The rules here only ever acquit: each names what sets the two apart, and where none of them is sure,
the network's word stands.

What is spoken of is split from what is said at the main verb, by form alone. Everything before it
counts as the topic, an opening "In Oberau" included; names behind it are what is said. No parser:
where no verb is found, the first name is the topic.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from veracite.engine.claims.name_kinds import TITLE
from veracite.engine.judge.premises import Premise, Premises
from veracite.engine.judge.weighing import Comparison, conflicting, weigh
from veracite.engine.wording.contrasts import cases_apart, is_denied, opposites
from veracite.engine.wording.lists import VERB_ENDING, VERBS, listed
from veracite.engine.wording.names import Name, codes, in_family, names, stands_in, stated_instead
from veracite.engine.wording.overlap import Word, content_words, words
from veracite.engine.wording.quantities import measures

_GUARDS = frozenset(listed("guards")) - {"if", "unless", "whether"}
"""Words of plans, suppositions and hearsay; a condition need not be of what is said."""
_BEFORE_NOUNS = frozenset(listed("before nouns"))
_IN_S = re.compile(r".{2,}[^uis]s")
"""A verb in the third person, or a plural."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a sentence speaks of."""

    names: tuple[Name, ...]
    """Before the main verb."""
    others: tuple[Name, ...]
    """Behind it: what is said."""
    end: int
    """Where the main verb starts."""


def apart(premises: Premises, premise: Premise) -> str | None:
    """Why a premise that seems to deny a claim is of another subject, time or case, or a plan.

    It is asked of those that the verifier is not sure of.

    Returns:
        A sentence for people ("The nearest passage speaks of 2015, not of 2019."); None if nothing
        sets the two apart.
    """
    nearest = premises.nearest(premise)
    whole = premise.kind in ("sentence", "joint")
    read = " ".join(c.told for c in premise.candidates) if whole else nearest.told
    said, heading = premises.claim.hypothesis, nearest.passage.heading or ""
    sentence, headed = nearest.sentence.text, f"{heading}: {read}"
    compared = weigh(measures(said), measures(read))
    pair = _namesake(said, sentence, heading) or _code(said, read)
    unnamed = next((name for name in names(said) if not stands_in(name, headed)), None)
    differs = _figure_differs(compared) or _denial_differs(said, read)
    if pair is None and (differs or unnamed):
        pair = _case(said, read, headed)
    if pair is not None:
        return f"The nearest passage speaks of {pair[1]}, not of {pair[0]}."
    if differs or unnamed:
        years = (m.quantity.date[0] for m in measures(said))
        nowhere = [y for y in years if y and not re.search(rf"\b{y}\b", premise.around)]
        if nowhere:
            return f"The nearest passage does not say what was so in {nowhere[0]}."
    if differs and unnamed:
        return f"The nearest passage does not speak of {unnamed.text}."
    own, stated = ({w.text.lower() for w in words(text)} for text in (said, sentence))
    if _GUARDS & stated and not _GUARDS & own:
        return "The nearest passage only says what is planned, supposed or told by others."
    lacking = _unsaid(said, sentence, heading)
    return f"“{lacking}” does not appear in the nearest sentence." if lacking else None


def _namesake(said: str, sentence: str, heading: str) -> tuple[str, str] | None:
    """A subject of the claim ("Ana Torres") and one beside it in name only ("Lucia Torres").

    The other must be the sentence's own subject, unless figures differ too: "her sister Lucia
    Torres" is another matter.
    """
    other = topic_of(sentence)
    there = [*names(heading, opening=True), *other.names]
    there += other.others if _figure_differs(weigh(measures(said), measures(sentence))) else ()
    by = {stem for name in there for stem in name.stems}
    by |= {word.stem for word in words(f"{heading} {sentence}")}
    known = {word.stem for word in words(said)}
    for mine, name in product(topic_of(said).names, there):
        for own, their in zip(_distinctive(mine), _distinctive(name), strict=True):
            new, old = their - known, own - by
            if len(own) == len(their) > 1 and own & their and new and old:
                return mine.text, name.text
    return None


def _code(said: str, read: str) -> tuple[str, str] | None:
    """ "Lumen 3" beside "Lumen 2"."""
    found = ((mine, stated_instead(mine, read)) for mine in codes(said))
    return next(((mine.text, other.text) for mine, other in found if other), None)


def _case(said: str, read: str, headed: str) -> tuple[str, str] | None:
    """Another date, or summer and winter."""
    if contrast := cases_apart(said, read):
        return f"“{contrast[0].text}”", f"“{contrast[1].text}”"
    dated = (c for c in weigh(measures(said), measures(headed)) if c.claimed.kind == "date")
    other = ((c.claimed.text, c.stated.text) for c in dated if c.stated and c.outcome == "conflict")
    return next(other, None)


def _figure_differs(compared: tuple[Comparison, ...]) -> bool:
    return any(c.outcome == "conflict" and c.claimed.kind != "date" for c in compared)


def _denial_differs(said: str, read: str) -> bool:
    """Whether one side denies something, or says the opposite of the other."""
    return is_denied(said) != is_denied(read) or bool(opposites(said, read))


def _unsaid(said: str, sentence: str, heading: str) -> str | None:
    """What the claim says of its subject, if the sentence has no word of it, nor its opposite."""
    own, told = topic_of(said), f"{heading}: {sentence}"
    shared = any(stands_in(name, told) for name in own.others)
    if shared or conflicting(said, sentence) or _denial_differs(said, sentence):
        return None
    there = {word.stem for word in words(told)}
    behind = [word for word in content_words(said) if word.start >= own.end]
    predicate = [word for word in behind if word.text.islower()]
    is_known = any(in_family(word.stem, there) for word in predicate)
    return None if is_known or not predicate else predicate[0].text


def _distinctive(name: Name) -> tuple[set[str], set[str]]:
    """The stems that tell a name from others: of all of it, and of what stands before "of"."""
    whole, head = (
        {w.stem for w in words(text) if w.weight and not TITLE.fullmatch(w.text)}
        for text in (name.text, name.text.partition(" of ")[0])
    )
    return whole, head


@lru_cache(1024)
def topic_of(text: str) -> Topic:
    """What a sentence speaks of and which names it goes on to."""
    found = names(text, opening=True)
    verb = _main_verb(text)
    end = verb.start if verb else found[0].end if found else 0
    behind = tuple(n for n in found if n.start >= end)
    return Topic(found[: len(found) - len(behind)], behind, end)


def _main_verb(text: str) -> Word | None:
    """The first finite verb."""
    found = words(text)
    for i in range(1, len(found)):
        word, before = found[i].text, found[i - 1].text.lower()
        joined = text[found[i].start - 1] == "-"
        if not word.islower() or joined or before in _BEFORE_NOUNS:
            continue
        if word in VERBS or VERB_ENDING.match(word) or (_IN_S.fullmatch(word) and _acts(found, i)):
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
