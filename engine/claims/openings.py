"""How a sentence opens: what stands in front of its subject, and an "it" that stands for none."""

import re

from veracite.engine.wording.phrases import any_of

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
)
_CONNECTIVE = re.compile(
    any_of(
        "and but so then also however later afterwards? thereafter meanwhile today eventually"
        " finally moreover furthermore additionally subsequently since_then by_then"
    )
    + r"\b,? |"
    + any_of(
        "yes no well currently initially originally overall therefore thus similarly likewise"
        " nevertheless nonetheless consequently instead sadly unfortunately"
    )
    + ", ",
    re.IGNORECASE,
)
_ADVERBIAL = re.compile(
    any_of(
        "in on at by after before during since from until as for with under between when while"
        " throughout upon despite unlike besides following because(?=_of) due(?=_to) outside inside"
        " within across around near among beyond alongside led born raised founded based released"
        " along(?=_with) prior(?=_to) based(?=_on) contrary(?=_to) according(?=_to)"
    )
    + r"\b[^,;:.]{1,60}, ",
    re.IGNORECASE,
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
# A date needs no comma: "On 30 November 2007 a Cessna 152 ...".
_DATE = re.compile(
    r"(?:in|on|by|since|during|around|until|from) (?:(?:early|late|mid|the)[ -])*"
    rf"(?:(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:{_DAY} )?{_MONTH}(?: {_DAY}\b)?"
    r"(?:,? (?:of )?\d{4})?|\d{4}s?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day),? "
    r"(?=(?:an?|the|he|she|it|they|his|her|its|their|this)\b|(?-i:[A-Z]))",
    re.IGNORECASE,
)
# "It" that stands for nothing: "It's important to note that the pilot ...".
EXPLETIVE = re.compile(
    r"it(?: is| was|['’]s| has been| should be| must be) (?:also |\w+ly )?"
    + any_of(
        """important worth noteworthy notable known believed estimated thought said reported claimed
        likely unlikely clear possible true noted accepted assumed argued alleged"""
    )
    + r"(?: (?:to [a-z]+|noting|mentioning|remembering))?,? that ",
    re.IGNORECASE,
)
# "It" that stands for what comes later: "It is illegal to ...", "It was Bell who ...".
IMPERSONAL = re.compile(
    r"it(?:['’]s| "
    + any_of("is was has_been had_been would_be will_be can_be may_be became remains")
    + rf")(?: {any_of('also now still not often considered been [a-z]+ly')})* (?:"
    + any_of(
        """illegal legal unlawful lawful possible impossible important essential necessary crucial
        vital common rare unusual customary advisable best better wise worth unclear unknown
        uncertain clear disrespectful impolite rude (?:their|our|your|his|her|the)_(?:duty|job|aim)
        (?:their|our|your|his|her|the)_responsibility"""
    )
    + r"\b(?: for [^.,;]{1,40}?)?"
    r"(?: to (?!(?:the|an?|his|her|its|their|all|both|most|many|some|any)\b)"
    r"| (?:that|whether|if|how|when|why|who|[a-z]+ing)\b)"
    r"|(?-i:[A-Z])[\w .'’-]{1,40} (?:who|that)\b"
    r"|(?:only|not until|until|in|at|on|because|through) [^.;]{1,60} that\b)"
    r"|it (?:takes|took|would take) [^.,;]{1,40} to\b",
    re.IGNORECASE,
)


def main_clause(sentence: str) -> str:
    """The sentence from its subject on: "In 1990, however, he ..." without what stands in front."""
    for _ in range(3):
        lead = (
            _CONNECTIVE.match(sentence)
            or EXPLETIVE.match(sentence)
            or _DATE.match(sentence)
            or _ADVERBIAL.match(sentence)
        )
        if lead is None:
            break
        sentence = sentence[lead.end() :]
    return sentence
