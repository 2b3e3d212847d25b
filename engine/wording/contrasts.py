"""Words that tell one case from another, and words that say the opposite, as plain tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from veracite.engine.wording.overlap import Word, stem, words

_CASES = tuple(
    frozenset(stem(word) for word in line.split())
    for line in (
        "monday tuesday wednesday thursday friday saturday sunday weekday weekend",
        "spring summer autumn winter",
        "morning afternoon evening night",
        "northern southern eastern western north south east west",
        "upper lower middle",
        "left right",
        "front rear back",
        "inner outer",
        "inside outside",
        "old new",
        "indoor outdoor",
        "male female",
        "man woman",
        "boy girl",
        "adult child",
        "export import",
        "domestic foreign",
        "urban rural",
        "public private",
        "daily weekly monthly yearly annual quarterly",
        "today yesterday tomorrow",
    )
)
"""Of one line each: what is said of one is not said of another."""
_CASES_OF = {
    word: tuple(place for place, case in enumerate(_CASES) if word in case)
    for word in frozenset().union(*_CASES)
}
_OPPOSITES = tuple(
    (frozenset(stem(w) for w in one.split()), frozenset(stem(w) for w in other.split()))
    for one, other in (
        ("open opened", "closed shut closes"),
        ("rise rose risen increase increased grow grew gain", "fall fell decrease decreased shrink"
         " shrank decline declined drop dropped"),
        ("win won victory", "lose lost defeat"),
        ("higher high highest", "lower low lowest"),
        ("more most", "fewer less least fewest"),
        ("larger large largest bigger biggest", "smaller small smallest"),
        ("longer longest long", "shorter shortest short"),
        ("older oldest old", "newer newest new younger youngest young"),
        ("faster fastest fast", "slower slowest slow"),
        ("first", "last second third"),
        ("before", "after"),
        ("accept accepted approve approved", "reject rejected refuse refused"),
        ("allow allowed permit permitted", "forbid forbidden ban banned prohibit prohibited"),
        ("begin began start started", "end ended stop stopped"),
        ("alive living", "dead"),
        ("always", "never"),
        ("all every each", "none no"),
        ("present", "absent"),
        ("success succeeded successful", "failure failed unsuccessful"),
        ("safe", "dangerous unsafe"),
        ("true", "false"),
        ("same", "different"),
        ("early earlier earliest", "late later latest"),
        ("wet", "dry"),
        ("hot warm", "cold cool"),
        ("carried passed adopted", "lost defeated rejected"),
        ("enable enabled", "disable disabled"),
        ("include included including", "exclude excluded excluding"),
        ("arrive arrived arrival", "depart departed departure"),
        ("optional voluntary", "compulsory mandatory obligatory"),
        ("free", "pay paid charge charged cost"),
        ("possible", "impossible"),
        ("legal", "illegal"),
        ("maximum", "minimum"),
        ("majority", "minority"),
        ("surplus", "deficit"),
        ("confirm confirmed proved proven", "refute refuted disproved disproven debunked"),
        ("lead led leading", "trail trailed trailing"),
        ("well splendid splendidly excellent", "badly bad poorly poor"),
        ("unanimously unanimous", "against"),
        ("become became elected appointed", "resign resigned stepped retire retired"),
    )
)  # fmt: skip
_OPPOSITE_TO: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
"""Of a stem the group that it is in, and the group that is opposed to that."""
for _one, _other in _OPPOSITES:
    for _here, _against in ((_one, _other), (_other, _one)):
        for _stem in _here:
            _OPPOSITE_TO.setdefault(_stem, []).append((_here, _against))
_NO_DENIAL = re.compile(
    r"\b(?:no|not) (?:more|less|fewer|later|earlier|sooner) than\b|\bnot (?:only|just|merely)\b"
    r"|\bno doubt\b|\b(?:nothing|nowhere|nobody|none) (?:but|else|other than)\b",
    re.IGNORECASE,
)
_NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor without cannot nowhere hardly".split()
)
_DENIAL = re.compile(rf"\b(?:{'|'.join(sorted(_NEGATIONS))})\b|n['’]t\b", re.IGNORECASE)

LIGHT = frozenset(
    """also once almost near nearly more most all one call say now still even already again well
    however itself himself herself themselv themselves own dr mr mrs ms prof sir jr sr ii iii iv vi
    good only much many quite rather really""".split()
)
"""Stems of words that a claim stands or falls without."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A word of one text and the word of another that stands against it."""

    word: Word
    other: Word


def is_negation(word: Word) -> bool:
    """Whether a word denies what it goes with."""
    lowered = word.text.lower().replace("’", "'")
    return lowered in _NEGATIONS or lowered.endswith("n't")


def is_denied(text: str) -> bool:
    """Whether a word denies anything in a text; "no more than" and "not only" deny nothing."""
    return _DENIAL.search(_NO_DENIAL.sub(" ", text)) is not None


def cases_apart(one: str, other: str) -> Contrast | None:
    """The first words that make two texts speak of different cases: winter and summer."""
    mine, theirs = _common(one), _common(other)
    return next(_contrasts(mine, theirs), None) or _with_and_without(mine, theirs)


def opposites(one: str, other: str) -> tuple[Contrast, ...]:
    """Words of which the other text has the opposite and not the word itself."""
    mine, theirs = words(one), words(other)
    own = {word.stem for word in mine}
    there = {word.stem: word for word in reversed(theirs)}
    found = []
    for word in mine:
        if word.stem in there:
            continue
        for here, against in _OPPOSITE_TO.get(word.stem, ()):
            said_against = (against & there.keys()) - own
            if said_against and not here & there.keys():
                other_word = min((there[s] for s in said_against), key=attrgetter("start"))
                found.append(Contrast(word, other_word))
    return tuple(found)


def _common(text: str) -> list[Word]:
    """The words that are no part of a name; the names of days count."""
    return [w for w in words(text) if w.text.islower() or w.stem in _CASES[0]]


def _contrasts(mine: Sequence[Word], theirs: Sequence[Word]) -> Iterator[Contrast]:
    own, there = {w.stem for w in mine}, {w.stem for w in theirs}
    first, other = _by_case(mine), _by_case(theirs)
    for case in sorted(first.keys() & other.keys()):
        if not own & there & _CASES[case]:
            yield Contrast(first[case], other[case])


def _by_case(found: Sequence[Word]) -> dict[int, Word]:
    """The first word of each of ``_CASES``."""
    return {case: word for word in reversed(found) for case in _CASES_OF.get(word.stem, ())}


def _with_and_without(mine: Sequence[Word], theirs: Sequence[Word]) -> Contrast | None:
    for first, second in (("with", "without"), ("without", "with")):
        for i, word in enumerate(mine[:-1]):
            if word.text.lower() != first:
                continue
            for j, other in enumerate(theirs[:-1]):
                if other.text.lower() == second and theirs[j + 1].stem == mine[i + 1].stem:
                    return Contrast(word, other)
    return None
