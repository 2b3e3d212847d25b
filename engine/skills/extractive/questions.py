"""What a question asks for: its words, and the kind of thing that could answer it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from veracite.engine.claims.phrases import QUESTION_WORDS
from veracite.engine.wording.lists import one_of
from veracite.engine.wording.names import Name, names
from veracite.engine.wording.overlap import Word, content_words
from veracite.engine.wording.quantities import Kind as QuantityKind
from veracite.engine.wording.quantities import Quantity, extract

Kind = Literal["date", "number", "name"]
Stretch = Name | Quantity
"""A part of a sentence that could answer a question."""

_DATE = re.compile(
    r"\A(?:(?!\b(?:who|what|which|where|why|how)\b).)*?\bwhen\b"
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
_COMPARED = re.compile(r"\b(?:more|less|worse|first|last|\w{2,}(?:er|est))\b", re.IGNORECASE)
_THING = r"(?:the )?[A-Z][\w'’.-]*(?: [A-Z\d][\w'’.-]*)*"
_EITHER = (
    r"(?P<asked>(?i:.*\b(?:which|who|whose|what)\b[^,:]*[,:] ))(?!and )(?P<one>[^,]+?),? or "
    r"(?P<other>[^,]+?)(?P<rest>, [^,]+?)?\W*",
    r"(?P<asked>.+ (?P<by>in|on|at|by|for|from|to|with|of|under) )(?P<one>.+?),? or"
    r" (?:(?P=by) |(?=[A-Z\d]))(?P<other>.+?)(?P<rest>)\W*",
    rf"(?P<asked>\w+ (?:.+? )??(?P<of>(?<=hich )of )?)(?P<one>{_THING}),? (?(of)(?:and|or)|or) "
    rf"(?P<other>{_THING})(?P<rest> .+?)\W*",
    rf"(?P<asked>\w+ )(?P<one>{_THING})(?P<rest> .+) than (?P<other>{_THING})\W*",
)
"""How a question names two things that it compares."""
_ASKED_WITH_VERB = re.compile(
    r"(?:how )?\w+ (?:is|are|was|were|does|do|did|has|have|had|can|may|must|will) ", re.IGNORECASE
)
_PRONOUN = re.compile(r"\b(?:it|he|she|they|him|them)\b|\b(?P<of>its|his|her|their)\b")
_PERSON = re.compile(r"\b(?:he|she|him|her|his)\b")
_NO_CONTENT = frozenset(
    "does having during while because these those there where whose many much".split()
)
"""Function words that their stems do not show to be such."""
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
        return tuple(
            word for word in content_words(self.text) if word.text.lower() not in _NO_CONTENT
        )

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
        forms = (re.fullmatch(form, self.text) for form in _EITHER)
        form = next(filter(None, forms), None)
        if form is None or not _COMPARED.search(self.text) or len(self.parts) > 1:
            return ()
        asked, rest = form["asked"], form["rest"] or ""
        return tuple(Question(f"{asked}{form[one]}{rest}?") for one in ("one", "other"))

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
