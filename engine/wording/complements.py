"""A premise that denies in a claim's own words: "forbidden" where it says "not allowed".

A small network takes a "not" that only one side has for a contradiction. What means the same with
it and without is written alike before it is read; quotes and explanations keep the document's own
words.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from veracite.engine.wording.contrasts import is_denied
from veracite.engine.wording.overlap import stem

__all__ = ["denied_alike"]

_COMPLEMENTS = tuple(
    (tuple(one.split()), tuple(other.split()))
    for one, other in (
        ("allowed permitted", "forbidden prohibited banned"),
        ("open", "closed shut"),
        ("alive", "dead"),
        ("present", "absent"),
        ("true", "false untrue"),
        ("safe", "unsafe dangerous"),
        ("compulsory mandatory obligatory", "voluntary optional"),
        ("included", "excluded"),
        ("legal lawful", "illegal unlawful"),
    )
)
"""Of each line: who is not the one is the other, and nothing is between; so no large and small."""
_PREFIXED = re.compile(
    r"un(?P<un>[a-z]{3,})"
    r"|(?:in|im|il|ir|non-?)(?P<other>[a-z]{2,}(?:[ai]ble|[ae]nt|[aei]te|[ae]ct|ure|id|al|ive|ar))"
)
_NO_COMPLEMENTS = frozenset(
    """unlike invaluable indifferent impassive inhabitable inflammable inhabitant
    uncovered undone undressed unearthed unfolded unhooked uninstalled unleashed unloaded unlocked
    unmasked unpacked unplugged unrolled unscrewed unsealed untied unveiled unwrapped""".split()
)
"""What turns back, as "unloaded", is another thing than what was never done."""
_BE = r"(?:is|are|was|were|be|been|being|remain(?:s|ed)?|stay(?:s|ed)?)"
_BEFORE = re.compile(
    rf"\b(?P<be>{_BE}) (?:(?P<no>not|no longer) )?(?:now |also |still )?"
    r"(?P<much>(?:strictly|expressly|absolutely|completely) )?$"
)
_WORD = re.compile(r"[a-z][a-z-]*")

_PHRASES = tuple(
    tuple(re.compile(rf"\b(?:{one})\b") for one in line)
    for line in (
        ("costs? nothing", "(?:is|are|was|were) free(?: of charge)?(?! (?:from|to|of))"),
        ("never married", "(?:remained|stayed) (?:unmarried|single)"),
        ("(?:does|do|did)(?: not|n['’]t) open", "(?:is|are|was|were) (?:closed|shut)"),
        ("(?:does|do|did)(?: not|n['’]t) agree", "disagree[ds]?"),
        ("did(?: not|n['’]t) pass", "failed(?= (?:the|his|her|their)\\b)"),
        ("did(?: not|n['’]t) attend", "(?:was|were) (?:absent|missing) from"),
    )
)
"""Of each line, what stands for one another as it is."""
_IMPLIED = tuple(
    (re.compile(rf"\b(?:{told})\b"), re.compile(rf"\b(?:{said})\b"))
    for told, said in (
        (
            "(?:allowed|permitted) (?:every|any)where (?:but|except|other than)(?: in| for)?",
            "(?:not (?:allowed|permitted)|forbidden|prohibited|banned) in",
        ),
        ("open (?:daily|every day) (?:but|except)(?: on| for)?", "(?:not open|closed|shut) on"),
        (
            "sent (?:his|her|their) apologies (?:for|to)",
            "did(?: not|n['’]t) attend|(?:was|were) (?:absent|missing) from",
        ),
    )
)
"""What a premise has, and what a claim may say for it; not the other way round."""

_VERB = r"(?P<verb>[a-z]{3,})"
_REST = r"(?P<rest>\b[^,;.:]*?)"
_STOPPED = re.compile(
    r"\b(?:(?:has|have|had) )?(?:stop(?:s|ped)?|cease[sd]?|quits?|g(?:ave|iven|ives?) up) "
    r"(?P<verb>[a-z]{3,}ing)\b"
)
_NO_LONGER = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )(?<!\bto )(?<!\bcan )(?<!\bcould )"
    rf"(?<!\bmay )(?<!\bwill )(?<!\bwould )\bno longer {_VERB}(?P<rest>\b[^,;.:]*)"
)
_ANY_MORE = re.compile(
    rf"\b(?P<not>(?:does|do|did)(?: not|n['’]t)) {_VERB}{_REST} any ?(?:more|longer)\b"
)

_TIME = r"(?P<time>(?:[A-Z\d]\w* ){0,2}(?:\d{4}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day))"
_LATER = re.compile(rf"\b(?:(?P<be>was|were)|did)(?: not|n['’]t) {_VERB}{_REST} until {_TIME}\b")
_NOT_UNTIL = re.compile(rf"\bnot until {_TIME}\b")
_AT = r"(?P<at>(?:only )?(?:in|on|at))"


def denied_alike(claim: str, premise: str) -> str:
    """The premise with what it denies in other words than the claim as the claim writes it."""
    for pattern, own in _ways(claim):
        premise = pattern.sub(own, premise)
    return _until(claim, _ended(claim, premise))


@lru_cache(maxsize=32)
def _ways(claim: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """All of a claim's, found once for all its premises."""
    return (*_phrases(claim), *_complements(claim))


def _complements(claim: str) -> Iterator[tuple[re.Pattern[str], str]]:
    """What to look for in a premise, and what the claim has for it."""
    for match in _WORD.finditer(claim):
        word, before = match.group(), _BEFORE.search(claim[: match.start()])
        if before is None:
            continue
        if before["no"] == "no longer":  # says more than that it is forbidden
            continue
        if before["no"]:  # the claim has "is not allowed", a premise "is forbidden"
            opposite = () if f"un{word}" in _NO_COMPLEMENTS else (f"un{word}",)
            for other in (*_others(word), *opposite):
                yield re.compile(rf"\b({_BE} (?:\w+ly )?){other}\b"), rf"\1not {word}"
            continue
        own = f"{before['much'] or ''}{word}"
        for other in _others(word):  # the claim has "is forbidden", a premise "is not allowed"
            yield re.compile(rf"\b(?:has|have|had) not been {other}\b"), f"{before['be']} {own}"
            yield re.compile(rf"\b(is|are|was|were)n['’]t {other}\b"), rf"\1 {own}"
            yield re.compile(rf"\b(?:not|no longer) {other}\b"), own


def _others(word: str) -> tuple[str, ...]:
    """The words that say the opposite of a word and leave nothing between."""
    for pair in _COMPLEMENTS:
        for own, other in (pair, pair[::-1]):
            if word in own:
                return other
    prefixed = _PREFIXED.fullmatch(word)
    if prefixed is None or word in _NO_COMPLEMENTS:
        return ()
    return (prefixed["un"] or prefixed["other"],)


def _phrases(claim: str) -> Iterator[tuple[re.Pattern[str], str]]:
    """The same for whole phrases."""
    for line in _PHRASES:
        own = next((found for one in line if (found := one.search(claim))), None)
        if own is not None:
            yield from ((one, own.group()) for one in line if one is not own.re)
    for told, said in _IMPLIED:
        if own := said.search(claim):
            yield told, own.group()


def _ended(claim: str, premise: str) -> str:
    """What is no longer done: has stopped being done, is not done any more."""
    if stopped := _STOPPED.search(claim):
        own, last = stopped.group(), ""
    elif more := _ANY_MORE.search(claim):
        stopped, own, last = more, f"{more['not']} {more['verb']}", " any more"
    elif longer := _NO_LONGER.search(claim):
        stopped, own, last = longer, f"no longer {longer['verb']}", ""
    else:
        return premise

    def alike(match: re.Match[str]) -> str:
        same = stem(match["verb"]) == stem(stopped["verb"])
        return f"{own}{match['rest']}{last}" if same else match.group()

    return _NO_LONGER.sub(alike, _ANY_MORE.sub(alike, premise))


def _until(claim: str, premise: str) -> str:
    """What was done in a year, where one side says that it was not until then."""
    if own := _LATER.search(claim):
        return _not_before(own, premise)
    if is_denied(claim):
        return premise

    def at(match: re.Match[str]) -> str | None:
        year = match["time"].split()[-1]
        said = re.search(rf"\b{_AT} (?:\w+ ){{0,2}}{year}\b", claim)
        return f"{said['at']} {match['time']}" if said else None

    def done(match: re.Match[str]) -> str:
        when, verbs = at(match), (w.group() for w in _WORD.finditer(claim))
        verb = next((verb for verb in verbs if stem(verb) == stem(match["verb"])), None)
        if when is None or verb is None:
            return match.group()
        plain = f"{match['be']} {match['verb']}" if match["be"] else verb
        return f"{plain}{match['rest']} {when}"

    premise = _LATER.sub(done, premise)
    return _NOT_UNTIL.sub(lambda match: at(match) or match.group(), premise)


def _not_before(own: re.Match[str], premise: str) -> str:
    """A premise that says when something was done, as "was not done until then"."""
    if is_denied(premise):
        return premise
    did = own.group()[: own.start("rest") - own.start()]
    be = f"{own['be']} " if own["be"] else ""
    for verb in (word.group() for word in _WORD.finditer(premise)):
        if stem(verb) == stem(own["verb"]):
            told = re.compile(rf"\b{be}{verb}{_REST} {_AT} {re.escape(own['time'])}\b")
            premise = told.sub(lambda match: f"{did}{match['rest']} until {own['time']}", premise)
    return premise
