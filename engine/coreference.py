"""Who "she" is: the context that a sentence needs before it can be searched for.

No resolution of every pronoun, only the one that matters to retrieval: a sentence that speaks of
its subject by a pronoun or "the company" gets the subject of the section in front. A sentence that
names its subject goes alone: a heading in front of it only leads the search away.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from veracite.engine.phrases import VERBS, any_of

__all__ = ["Context", "is_dependent", "leading_name"]

_MAX_HEADING_WORDS = 8
_MAX_LEAD_IN = 200


_CONNECTIVE = re.compile(
    any_of(
        "and but so then also however later afterwards? thereafter meanwhile today eventually"
        " finally moreover furthermore additionally subsequently since_then by_then"
    )
    + r"\b,? ",
    re.IGNORECASE,
)
_ADVERBIAL = re.compile(
    any_of(
        "in on at by after before during since from until as for with under between when while"
        " according(?=_to) despite"
    )
    + r"\b[^,;:.]{1,60}, ",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    any_of("he she it they his her its their this these those that both") + r"\b", re.IGNORECASE
)
# "The company" stands for a name. "The film industry" does not, but a name too many in the query
# costs little.
_ROLE = re.compile(
    "(?:the|this|that) (?:former|latter|"
    + any_of(
        """company firm corporation author writer artist singer band group team club film movie book
        novel album song series show game city town village country state region river mountain
        island school university college museum church building bridge organi[sz]ation institution
        agency project product device drug disease virus species animal plant method model system
        study report paper law act treaty war battle party couple pair actor actress player
        politician scientist physicist composer painter poet director president king queen bank
        newspaper magazine journal website software language"""
    )
    + r")\b",
    re.IGNORECASE,
)

_PART = r"(?:[A-Z][\w'’.&-]*|[A-Z]\.)"
_JOIN = r"(?: (?:of|the|de|da|di|du|van|von|der|den|la|le|and|&|al|bin|ibn|for|in))"
_MORE = rf"(?:{_JOIN}{{0,2}} {_PART}|(?: \d[\d.]*)(?![\w,])){{0,6}}"
_NAME = re.compile(rf"(?:The |A |An )?(?P<name>{_PART}{_MORE})")
# "The director, Dr Ada Brown, also": no list, as "the bank, Unite, and the council" is.
_APPOSITION = re.compile(
    r"(?i:the|this|that|its|their|our|my) (?P<role>(?:[a-z][\w-]* ){0,3}[a-z][\w-]*),"
    rf" (?:[Tt]he )?(?P<name>{_PART}{_MORE})(?=,(?! (?:and|or)\b)| \()"
)
# Capitalised only because they open the sentence.
_NO_NAMES = frozenset(
    """he she it they we you i this that these those there here the a an his her its their our my
    your in on at by for from with to of as if when while where who what which how why after
    before during since until although though because and but or so then however also thus
    therefore moreover furthermore additionally today later meanwhile finally first second
    third many most some several few all both each every no one two three four five six seven
    eight nine ten another other such according among between under over about both its not
    only despite unlike like more less is are was were do does did please note yes there's
    it's he's she's overall""".split()
)  # fmt: skip
_GENERIC = re.compile(
    any_of(
        r"""introduction background overview summary conclusions? discussion results? methods?
        abstract history notes? contents about details? facts? key_(?:facts|points|findings)
        (?:section|part|chapter)_\d+ references? see_also findings analysis preface appendix draft
        untitled readme faq early_life life career biography personal_life legacy education works?
        death reception"""
    ),
    re.IGNORECASE,
)


def _main_clause(sentence: str) -> str:
    """The sentence from its subject on: "In 1990, however, he ..." without what stands in front."""
    for _ in range(3):
        lead = _CONNECTIVE.match(sentence) or _ADVERBIAL.match(sentence)
        if lead is None:
            break
        sentence = sentence[lead.end() :]
    return sentence


def is_dependent(sentence: str) -> bool:
    """True if a sentence speaks of its subject by a pronoun or a role ("the company").

    A role that a name goes with ("the director, Ada Brown,", "the novel Dune") needs no other.
    """
    clause = _main_clause(sentence)
    if _name_with_role(clause):
        return False
    return any(pattern.match(text) for pattern in (_PRONOUN, _ROLE) for text in (sentence, clause))


def leading_name(sentence: str) -> str | None:
    """The proper name that a sentence starts with, its subject; None if it starts otherwise."""
    rest = _main_clause(sentence).lstrip("\"'“‘(")
    match = _name_with_role(rest) or _NAME.match(rest)
    if match is None:
        return None
    name = re.sub(r"['’]s$", "", match.group("name").rstrip(".,'’"))
    if name.split()[0].lower() in _NO_NAMES:
        return None
    following = rest[match.end() :]
    # One capitalised word may be any noun; it is a name if it looks like one in itself.
    single = " " not in name and not re.search(r"[A-Z0-9].*[A-Z0-9]", name)
    if single and not re.match(r"(?:['’]s)?,? (?:\(|is|was|has|had|were|are)|,|\s\(", following):
        return None
    return name


def _name_with_role(clause: str) -> re.Match[str] | None:
    """The name in "the director, Ada Brown," or "the novel Dune", if a clause starts so."""
    apposition = _APPOSITION.match(clause)
    if apposition and VERBS.isdisjoint(apposition.group("role").split()):
        return apposition
    role = _ROLE.match(clause)
    if role and role.group().split()[-1].islower() and clause.startswith(" ", role.end()):
        return _NAME.match(clause, role.end() + 1)
    return None


@dataclass(slots=True)
class Context:
    """What a reader knows when coming to the next sentence."""

    headings: list[str] = field(default_factory=list)
    """Above the sentence, outermost first; empty strings for levels left out."""
    subject: str | None = None
    """Last proper name that a sentence of this section was about."""
    lead_ins: dict[int, str] = field(default_factory=dict)
    """The last sentence ending in ":", by how many lists it stands in."""

    def enter(self, heading: str, level: int) -> None:
        """A new section starts: its subject is not yet known, its heading is."""
        del self.headings[level - 1 :]
        self.headings += [""] * (level - 1 - len(self.headings)) + [heading]
        self.subject = None
        self.lead_ins.clear()

    def leave_lists(self, depth: int) -> None:
        """A block that stands in ``depth`` lists starts: what introduced deeper lists is over."""
        for deeper in [key for key in self.lead_ins if key >= depth]:
            del self.lead_ins[deeper]

    def lead_in(self, depth: int) -> str | None:
        """The sentence ending in ":" that introduces an item standing in ``depth`` lists."""
        return self.lead_ins.get(max((key for key in self.lead_ins if key < depth), default=-1))

    def query(self, statement: str, *, item_depth: int = 0) -> str:
        """The statement with its context in front; then remember what it is about.

        Args:
            item_depth: For a list item, in how many lists it stands; 0 for a sentence.
        """
        name = leading_name(statement)
        if item_depth and (lead_in := self.lead_in(item_depth)) is not None:
            return _join(lead_in[-_MAX_LEAD_IN:], statement)
        prefix = None
        if name is None and is_dependent(statement):
            prefix = self._topic()
        elif item_depth:
            prefix = self._heading()
        if name is not None and not item_depth:
            self.subject = name
        return _join(prefix, statement)

    def _topic(self) -> str | None:
        return self.subject or self._heading() or self._named(reversed(self.headings))

    def _heading(self) -> str | None:
        """The nearest heading if it is short and says what the section is about."""
        return self._named(self.headings[-1:]) or self._named(reversed(self.headings[:-1]))

    @staticmethod
    def _named(headings: Iterable[str]) -> str | None:
        for heading in headings:
            words = heading.split()
            if 0 < len(words) <= _MAX_HEADING_WORDS and not _GENERIC.fullmatch(
                heading.strip(" :.")
            ):
                return heading.rstrip(" :.")
        return None


def _join(prefix: str | None, statement: str) -> str:
    if not prefix or prefix.casefold() in statement.casefold():
        return statement
    return f"{prefix.rstrip(' :')}: {statement}"
