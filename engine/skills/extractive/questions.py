"""What a question asks for: its words, and the kind of thing that could answer it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from veracite.engine.claims.phrases import QUESTION_WORDS
from veracite.engine.wording.lists import any_of, listed, one_of
from veracite.engine.wording.names import Name, names
from veracite.engine.wording.overlap import Word, content_words
from veracite.engine.wording.quantities import Kind as QuantityKind
from veracite.engine.wording.quantities import Quantity, extract

Kind = Literal["date", "number", "name"]
Stretch = Name | Quantity
"""A part of a sentence that could answer a question."""

_DATE = re.compile(
    r"\A(?:(?!\b(?:who|whom|whose|what|which|where|why|how)\b).)*?\bwhen\b"
    r"|\b(?:what|which|in what|in which) (?:\w+ )?(?:year|date|day|month|century|decade)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bnumber of\b"
    r"|\bhow (?:many|much|old|long|far|tall|big|large|high|deep|fast|heavy|wide|often)\b"
    r"|\b(?:what|which) (?:\w+ )?(?:number|percent(?:age)?|population|age|price|cost|size|length"
    r"|height|distance|temperature|amount|rate)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b(?:who|whose|whom|where)\b|\b(?:what|which) (?:\w+ ){0,2}?"
    + one_of("names asked for")
    + r"\b",
    re.IGNORECASE,
)
_ASKING = (
    r"(?:(?:in|on|at|by|for|from|to|with|of) )?(?:who|whom|whose|what|which|when|where|why|how)\b"
)
_AND = re.compile(rf"(?:,? and |[;?] (?:and )?)(?={_ASKING})", re.IGNORECASE)
"""What stands between two questions in one."""
_MORE, _MOST = one_of("comparatives"), any_of(listed("comparatives") + listed("superlatives"))
_CAPITAL = r"[^\W_a-z\u00df-\u00ff]"
_THING = (
    rf"(?:[Tt]he )?(?!\d){_CAPITAL}[\w'’.-]*"
    rf"(?> (?:(?:of|the|de|du|la|le|van|von|der|den|&) )*{_CAPITAL}[\w'’.-]*)*+"
)
"""A name, of which nothing is given back."""
_EITHER = (
    rf"(?P<asked>(?i:which|who|whose) (?:of )?)(?P<one>{_THING}),? (?:and|or) (?P<other>{_THING})"
    rf"(?P<rest> (?:[a-z].*)?\b{_MOST}\b.*)",
    rf"(?P<asked>[A-Z]\w+ )(?P<one>{_THING}),? or (?P<other>{_THING})"
    rf"(?P<rest> (?:[a-z].*)?\b{_MOST}\b.*)",
    rf"(?P<asked>(?:Is|Are|Was|Were|Do|Does|Did|Has|Have|Had) )(?P<one>{_THING})"
    rf"(?P<rest> [^A-Z]*\b{_MORE}(?: [^A-Z ]+)?) than (?P<other>{_THING})",
    rf"(?P<asked>(?i:(?=.*\b{_MOST}\b[^,:]*[,:] ).*\b(?:which|who|whose|what)\b[^,:]*[,:] ))"
    r"(?P<one>[^,]+?),? or (?P<other>[^,]+?)(?P<rest>)",
    r"(?P<asked>(?i:.*\b(?:which|who|whose)\b[^,:]*, ))(?P<one>[^,]+?) or (?P<other>[^,]+?)"
    rf"(?P<rest>, [^,]*\b{_MOST}\b[^,]*)",
    rf"(?P<asked>(?i:.*(?<!\bthe )\b{_MORE}\b.* (?P<by>in|on|at|during|under|after|before) ))"
    r"(?P<one>.+?) or (?:(?P=by) |(?=[A-Z\d]))(?P<other>.+?)(?P<rest>)",
)
"""How a question names two things that it compares."""
_NO_THING = re.compile(rf"{one_of('no things')}\b|.*(?:\b(?:or|than)\b|[\"“”()])", re.IGNORECASE)
_ASKED_WITH_VERB = re.compile(
    r"(?:how )?\w+ (?:is|are|was|were|does|do|did|has|have|had|can|may|must|will) ", re.IGNORECASE
)
_PRONOUN = re.compile(r"\b(?:it|he|she|they|him|them)\b|\b(?P<of>its|his|her|their)\b")
_PERSON = re.compile(r"\b(?:he|she|him|her|his)\b")
_LED = re.compile(r"\A\W*(?:(?:and|but|so|then|also)\b,? )+", re.IGNORECASE)
_THING_ALONE = re.compile(
    rf"(?i:(?:(?:and|but|or) )?(?:(?:what|how) about )?)(?P<thing>{_THING})\W*"
)
_VERB = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|will|would|should)\b"
_OPENS = re.compile(rf"(?:{_VERB}|which|what|whose) ", re.IGNORECASE)
"""What opens a question and is no part of the name behind it: "Was Hale Mill built?"."""
_ASKED_BEHIND = re.compile(rf" {_VERB}.*|['’](?:s|re) .*", re.IGNORECASE)
"""Of a question what stands behind its question words."""
_MEANT = re.compile(
    r"(?P<of>\b(?:its|his|their|her(?! *\W*$)))\b|\b(?:it|he|she|they|him|them|her)\b", re.I
)
"""A pronoun that means what is spoken of."""
_CLAUSE = re.compile(
    r"(?:.*\b)?(?:if|whether)\b|\w.*\b(?:when|before|after|that|who|which)\b", re.I
)
"""What keeps a pronoun behind it from meaning anything before its own question."""
_ADDED = re.compile(r".*? \((.+\?)\)")
_NO_CONTENT = ("many", "much")
"""What asks how great something is, beside function words."""
_QUANTITIES: dict[Kind, frozenset[QuantityKind]] = {
    "date": frozenset({"date", "time"}),
    "number": frozenset({"number", "percent", "money"}),
}


@dataclass(frozen=True)
class Question:
    """A question, read by rules: NQ's and people's are often neither capitalised nor complete."""

    text: str
    asked: str | None = None
    """Its own words, where the text has those of the question before it, too."""

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words that carry weight."""
        return tuple(w for w in content_words(self.text) if w.text.lower() not in _NO_CONTENT)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its words."""
        return frozenset(word.stem for word in self.words)

    @cached_property
    def kind(self) -> Kind | None:
        """Of what would answer it, by what asks first; None where its form does not tell."""
        patterns: dict[Kind, re.Pattern[str]] = {"number": _NUMBER, "date": _DATE, "name": _NAME}
        found = {
            kind: match.start()
            for kind, pattern in patterns.items()
            if (match := pattern.search(self.text))
        }
        return min(found, key=found.__getitem__, default=None)

    @property
    def asks_who(self) -> bool:
        """Whether a person answers it."""
        return re.search(r"\bwho(?:m|se)?\b", self.text, re.IGNORECASE) is not None

    @property
    def asks_why(self) -> bool:
        """Whether a cause answers it."""
        return re.match(r"\W*(?:and )?why\b", self.text, re.IGNORECASE) is not None

    @cached_property
    def parts(self) -> tuple["Question", ...]:
        """What it asks one after the other; itself if it asks one thing."""
        first, *others = _AND.split(self.text)
        is_asked = QUESTION_WORDS.match(first) or re.match(_ASKING, first, re.IGNORECASE)
        if not is_asked or not others:
            return (self,)
        if Question(first).asks_who and any(map(_PERSON.search, others)):
            return (self,)  # who is meant is what answers the first one
        return (Question(first), *(_completed(one, first) for one in others))

    @cached_property
    def sides(self) -> tuple["Question", ...]:
        """What it asks of each of two things that it compares; none where it compares none."""
        forms = (re.fullmatch(form, self.text.strip(" ?!.")) for form in _EITHER)
        form = next(filter(None, forms), None)
        if form is None or len(self.parts) > 1:
            return ()
        asked, rest, each = form["asked"], form["rest"], (form["one"], form["other"])
        is_amount = " than " in self.text and len(extract(form["other"])) > 0
        if is_amount or " or " in rest or any(map(_NO_THING.match, each)):
            return ()
        return tuple(Question(f"{asked}{one}{rest}?") for one in each)

    def is_told_of(self, stems: frozenset[str]) -> bool:
        """Whether a text of these words has what sets the things apart that it compares."""
        one, other = (side.stems for side in self.sides)
        return bool(one - other and other - one) and one ^ other <= stems

    def answers(self, sentence: str) -> Sequence[Stretch]:
        """The stretches of a sentence that are of this kind and not said by the question."""
        if self.kind is None:
            return ()
        if self.kind == "name":
            return [name for name in names(sentence) if not name.stems <= self.stems]
        asked, kinds = self.text.casefold(), _QUANTITIES[self.kind]
        return [
            figure
            for figure in extract(sentence)
            if figure.kind in kinds and figure.text.casefold() not in asked
        ]


def _completed(part: str, first: str) -> Question:
    """A later question with what the first one is about, where it leaves that out."""
    if names(part):
        return Question(part)
    name = next((name.text for name in names(first)), None)
    if name and _PRONOUN.search(part):
        named = _PRONOUN.sub(lambda match: f"{name}'s" if match["of"] else name, part, count=1)
        return Question(named)
    own = Question(part).words
    is_whole = own and _ASKED_WITH_VERB.match(part) and not _PRONOUN.search(part)
    if len(own) > 1 or is_whole:
        return Question(part)
    lent = " ".join(word.text for word in Question(first).words)  # "and in which year?"
    return Question(f"{part.rstrip('?')} {lent}", part)


def follow_up(text: str, earlier: str, answer: str = "") -> str:
    """A question as it is meant behind another one: "And who built it?" behind "When was Hale Mill
    built?". One that seems to leave nothing out is itself.

    Args:
        text: As it is asked.
        earlier: The question before it, as it was meant.
        answer: To that question. Where it asked who, "she" and "they" are the first whom this
            names.
    """
    if added := _ADDED.fullmatch(earlier):
        earlier = added[1]
    said = _LED.sub("", text)
    known = [name.text for name in names(_OPENS.sub("", earlier, count=1))]
    thing = _THING_ALONE.fullmatch(text)
    if thing and known and thing[0].strip(" ?!.") != thing["thing"]:
        return earlier.replace(known[0], thing["thing"], 1)
    pronoun, own, rest = _MEANT.search(said), Question(said).words, _ASKED_BEHIND.search(earlier)
    if names(said) or (pronoun and _CLAUSE.match(said, 0, pronoun.start())):
        return text
    whole, behind = said[:1].upper() + said[1:], f"({earlier.rstrip(' ?')}?)"
    if pronoun:
        if Question(earlier).asks_who and pronoun[0].lower() not in ("it", "its"):
            known = [name.text for name in names(answer) if name.text not in earlier]
        elif pronoun[0].lower().startswith("the"):
            return text
        if not known:
            return f"{whole} {behind}"
        name = f"{known[0]}'s" if pronoun["of"] else known[0]
        return f"{whole[: pronoun.start()]}{name}{whole[pronoun.end() :]}"
    asks = re.match(_ASKING, said, re.IGNORECASE)
    if not asks or len(own) > 1 or _ASKED_BEHIND.search(said):
        return text
    return f"{whole} {behind}" if own or not rest else f"{whole.rstrip(' ?!.')}{rest[0]}"
