"""Forms of common verbs: base, past, participle."""

from __future__ import annotations

_IRREGULAR = (
    "write wrote written|give gave given|take took taken|win won won|build built built|"
    "make made made|lead led led|hold held held|buy bought bought|sell sold sold|"
    "lose lost lost|teach taught taught|begin began begun|sing sang sung|draw drew drawn|"
    "find found found|leave left left|send sent sent|break broke broken|meet met met|"
    "become became become|come came come|go went gone|get got got|run ran run|fall fell fallen|"
    "rise rose risen|grow grew grown|fight fought fought|see saw seen|know knew known|"
    "keep kept kept|steal stole stolen|choose chose chosen|drive drove driven|eat ate eaten|"
    "beat beat beaten|tell told told|speak spoke spoken|lie lay lain|stand stood stood|"
    "spend spent spent|say said said|bring brought brought|wear wore worn|bear bore borne|"
    "catch caught caught|shoot shot shot|sink sank sunk|feel felt felt|think thought thought|"
    "lend lent lent|throw threw thrown"
)
_REGULAR = (
    "found establish create design direct produce release publish record perform defeat "
    "discover invent develop introduce open close acquire purchase receive join attend support "
    "oppose play portray marry visit capture destroy destroyed reject accept sign launch own "
    "compose paint edit translate order repair borrow praise criticise inspect examine "
    "demolish restore replace study describe deliver import export insure photograph "
    "discuss donate inherit finance survey cancel serve work live move start end die appear "
    "return contain include consist use require provide cover reach allow remain reveal call "
    "name consider follow feature earn score star debut premiere retire graduate expand cause "
    "believe help operate control represent defend abandon adopt announce award complete "
    "construct convert elect employ establish form host invade kill lease manage nominate "
    "occupy organise purchase reform rename rule save settle share sponsor surround train "
    "unite attack conquer cross enter inspire influence invite install rescue"
)


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    if verb in ("star", "cancel", "permit"):
        return verb + verb[-1] + "ed"
    return verb + "ed"


FORMS: dict[str, tuple[str, str]] = {}
"""Base form to (past, participle)."""
for _entry in _IRREGULAR.split("|"):
    _base, _was, _done = _entry.split()
    FORMS[_base] = (_was, _done)
for _base in _REGULAR.split():
    if not _base.endswith("ed"):
        FORMS[_base] = (_past(_base), _past(_base))
BASE: dict[str, str] = {was: base for base, (was, _) in FORMS.items()}
"""Past form to base form."""
PARTICIPLE: dict[str, str] = {done: base for base, (_, done) in FORMS.items()}
"""Participle to base form."""


def gerund(base: str) -> str:
    """Return the form in -ing."""
    if base in ("run", "get", "win", "begin", "star", "cancel"):
        return base + base[-1] + "ing"
    if base == "lie":
        return "lying"
    return (base[:-1] if base.endswith("e") and not base.endswith("ee") else base) + "ing"
