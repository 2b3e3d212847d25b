"""Which sentences documents could confirm or refute at all.

The words that tell are in ``veracite.engine.claims.phrases``. For precision, a sentence is set
aside only if its form says clearly that it states no fact. Reported speech ("Smith thinks that
..."), superlatives ("the largest") and hedged findings ("X may cause Y") are statements of fact.
"""

import re

from veracite.engine.claims import phrases
from veracite.engine.wording.lists import PRONOUNS, VERB_ENDING, VERBS

GREETING = "a phrase of courtesy"
FRAGMENT = "a fragment without a statement"

_URL = re.compile(r"(?:https?://|www\.)\S+")
_YEAR = re.compile(r"\(?\b(?:1[5-9]|20)\d\d[a-z]?\b\)?")
_PAGES = re.compile(r"\bpp?\. ?\d|\d+ ?\(\d+\)|\bvol\. ?\d|\b\d{1,4}[–-]\d{1,4}\b|\b[Ee]ds?\.")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def why_not_checkable(sentence: str) -> str | None:
    """Why a sentence states no fact that a document could confirm, in a few words; else None.

    Args:
        sentence: Cleaned, without markup.
    """
    core = sentence[match.end() :] if (match := phrases.LEAD.match(sentence)) else sentence
    if not _WORD.search(_URL.sub("", sentence)):
        return "a link" if _URL.search(sentence) else FRAGMENT
    if sentence.rstrip(" )*_").endswith("?"):
        return "a question"
    for pattern, reason in _BY_START:
        if pattern.match(sentence) or pattern.match(core):
            return reason
    opinion = (
        phrases.OPINION_WHOLE.fullmatch(core)
        or phrases.OPINION_ANYWHERE.search(sentence)
        or phrases.OPINION_PRAISE.match(sentence)
    )
    return "an opinion" if opinion else None


_BY_START = (
    (phrases.GREETING_STARTS, GREETING),
    (phrases.META_STARTS, "about the text itself"),
    (phrases.OPINION_STARTS, "an opinion"),
    (phrases.INTENTION_STARTS, "an intention"),
    (phrases.COMMAND_STARTS, "an instruction"),
)


def is_fragment(text: str) -> bool:
    """True if a text is no sentence: no full stop, and no finite verb that the rules can see."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if text.rstrip("\"'”’)").endswith((".", "!", "?", "…")) and len(words) > 2:
        return False
    if len(words) > 14 or (len(words) > 1 and words[0] in PRONOUNS):
        return False
    # A participle need not make a sentence, but it may: in doubt, it is checked.
    return not any(word in VERBS or VERB_ENDING.match(word) for word in words[1:])


def is_reference(text: str) -> bool:
    """True for an entry of a bibliography: several of its usual signs together."""
    signs = (
        bool(_URL.search(text) or re.search(r"\bdoi\b|\barXiv\b|\bISBN\b", text, re.IGNORECASE)),
        bool(_YEAR.search(text)),
        bool(re.search(r"\bet al\b|\b[A-Z][\w'’-]+, (?:[A-Z]\.[ -]?){1,3}", text)),
        bool(_PAGES.search(text)),
        bool(re.search(r"\b(?:Press|Journal|Proceedings|Proc\.|Retrieved|Accessed|Publish)", text)),
    )
    return sum(signs) >= 3


def names_source(note: str) -> bool:
    """True for a footnote that says where something stands, and nothing about it."""
    bare = _URL.sub("", note).rstrip(" .!\"'”’)")
    return is_reference(note) or is_fragment(bare) or not _WORD.search(bare)


def as_statement(item: str) -> bool:
    """True if a list item names a property and its value: "Founded: 1990"."""
    match = re.fullmatch(r"((?:[^:.!?()]|\([^:.!?()]*\)){2,40}): (\S.*)", item)
    return (
        match is not None
        and any(map(str.isalnum, match.group(2)))
        and not _URL.match(match.group(2))
    )


def introduces_facts(lead_in: str) -> bool:
    """True if a sentence ending in ":" asserts something of each item of the list after it."""
    # "In summary, the report found:" itself says nothing yet; its items do.
    lead_in = phrases.LEAD.sub("", lead_in, count=1)
    if is_fragment(lead_in) or why_not_checkable(lead_in) is not None:
        return False
    return re.match(r"to (?!date\b)|follow|steps?\b|how to\b", lead_in, re.IGNORECASE) is None
