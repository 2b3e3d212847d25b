"""What a sentence must have beside a figure or a name to answer some kinds of questions."""

import re

from veracite.engine.wording.phrases import any_of

_LENGTH = (
    r"f(?:oo|ee)?t|inch(?:es)?|yards?|miles?|(?:[cmk]|kilo|centi|milli)?m(?:et(?:er|re)s?)?"
    r"|ly|pc|parsecs?|years?|hours?|minutes?|blocks?|stor(?:e?ys?|ies)|floors?"
)
_FOUNDED = any_of(
    """founded established formed created set started introduced launched released opened"""
)
_BESIDE = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE))
    for asked, told in (
        (
            r"\bhow (?:far|wide|tall|high|deep)\b",
            r"\d[\d,.]*[ -]?(?:±\s?[\d.]+ )?(?:(?:nautical|light|million|billion|thousand)[ -])*"
            rf"(?:{_LENGTH})\b|\d ?[\"″′']",
        ),
        (
            r"\bhow old\b|\b(?:what|which) age\b",
            r"\bage[ds]?\b|\bold\b|\byears?\b|\bturn(?:ed|s|ing)\b|\bbirthday",
        ),
        (
            rf"\b(?:when|where|who|which|what)\b.*\b{_FOUNDED}\b",
            r"\b(?:found|establish|form|creat|sets? up|start|beg[aiu]n|introduc|launch|releas|open"
            r"|debut|unveil|c[ao]me|appear|origin|develop|buil|inaugurat|organi[sz]ed|incorporat"
            r"|invent|publish|issu)",
        ),
        (
            r"\b(?:when|where|which|what)\b.*\bborn\b",
            r"\b(?:born|birth|native)|\bn[ée]e\b|\([^()]*\d{3}",
        ),
        (
            r"\b(?:when|where|which|what)\b.*\b(?:died?|killed)\b",
            r"\b(?:die[ds]?\b|dying|dea[dt]|kill|fatal|pass(?:ed|es) away|murder|execut|shot"
            r"|assassinat)|\([^()]*\d{3}",
        ),
    )
)
"""What is asked, and what a sentence has that answers it: "How old?", "Where was she born?"."""
_MEANING = re.compile(
    r"\W*what (?:is|are|was|were) (?:an? |(?:the )?(?=(?-i:[A-Z])))"
    r"(?P<term>\w[\w'’-]*(?: [\w'’-]+){0,3})\W*\Z"
    r"|\W*what (?:does|do|did) (?:an? |the )?(?P<word>\w[\w'’ -]*?) (?:mean|stand for)\W*\Z",
    re.IGNORECASE,
)
_TOLD = (
    r"(?: \([^()]*\))?,? (?:(?:is|are|was|were) (?:an?|the|any|one|some|what)"
    r"|means?|meant|refers? to|stands? for|denotes?|is short for)\b"
)


def lacks(question: str, sentence: str) -> bool:
    """Whether a sentence has nothing beside its figures and names that would answer a question.

    "Lenovo bought it in 2005" does not tell when Lenovo was founded, nor "Part 91" how old one is.
    """
    return any(asked.search(question) and not told.search(sentence) for asked, told in _BESIDE)


def term_of(question: str) -> str | None:
    """What a question asks the meaning of ("What is SAL?"); None if it asks something else."""
    found = _MEANING.match(question)
    return (found["term"] or found["word"]) if found else None


def tells(sentence: str, term: str) -> bool:
    """Whether a sentence says what something is: "SAL is a language"."""
    return re.search(rf"\b{re.escape(term)}{_TOLD}", sentence, re.IGNORECASE) is not None
