"""Text to sentences: NLTK's Punkt with parameters that ship with the package.

The parameters in ``punkt.json`` come from ``scripts/train_punkt.py``; the abbreviations below are
added by hand, because a corpus that fits a package does not hold them all. Punkt decides about
every full stop by its neighbours only, so a text may be split piece by piece.
"""

import json
import re
from bisect import bisect_left
from collections import defaultdict
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import TYPE_CHECKING

from veracite.index.documents import Span

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

__all__ = ["sentence_spans"]

_ABBREVIATIONS = frozenset(
    "a.d a.m adm al app approx apr arr art arts assn asst aug ave avg b.a b.c b.c.e b.sc blvd"
    " bros c.e ca capt cf ch chap cit cmdr co col corp d.c d.phil dec deg dep dept dist dr e.g"
    " e.u ed eds eg elev eq eqs esq est et.al etc excl ext feb fig figs ft gen gov govt hon hrs"
    " i.e ibid ie inc incl intl jan jr jul jun lb lbs ll.b ll.d llc lt ltd m.a m.d m.sc maj mar"
    " max messrs mgr min mins mph mr mrs ms mt natl nos nov oct op oz p.m par para ph.d plc pp"
    " prof r.n rd ref refs reg rep repr resp rev sec secs sen sep sept sgt sr st tel temp temps"
    " trans u.k u.n u.s u.s.a univ viz vol vols vs yds yrs".split()
)
_NEVER_LAST = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:Drs?|Mr|Mrs|Ms|Messrs|Prof|Profs|Gen|Capt|Col|Lt|Sgt|Maj|Cmdr|Adm|Sen|Rep"
    r"|Gov|Rev|Hon|Mt|[Vv]s|[Cc]f|e\.\s?g|i\.\s?e|[Vv]iz|[Cc]a|[Aa]pprox)\.$"
)
_BEFORE_A_NUMBER = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:[Nn]os?|[Ff]igs?|[Ee]qs?|[Ss]ecs?|[Vv]ols?|[Pp]p?|[Cc]h(?:ap)?|[Aa]rts?"
    r"|[Pp]ars?|[Aa]pp|[Rr]efs?|[Cc]|[Cc]ir|[Ee]st|[Tt]el|[Ee]xt|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?"
    r"|Oct|Nov|Dec|[Vv]|[Rr]eg|[Dd]ep|[Aa]rr|[Tt]emps?|[Mm]ax|[Mm]in|[Aa]vg|[Ii]ncl|[Ee]xcl|[Dd]ist|hr"
    r"|[Ee]lev)\.$"
)
_INCHES = re.compile(r"\d[ \t\xa0-]?in\.$")
_AFTER_INCHES = re.compile(r"[\da-z×]|Hg\b|H2O\b|W\.?[CG]\b")
"""What goes on after inches; anything else after "in." begins a sentence."""
_NEW_SENTENCE = re.compile(
    r"(?:"
    r"(?:\b[AaPp]\.\s?[Mm]|\d[\s-]?(?:hrs?|mins?|secs?|lbs?|oz|ft|yds?|yrs?|mph))\.[)\]\"'”’]{0,3}"
    r"\s{1,9}(?=(?:Mrs?|Ms|Messrs|Drs?|Prof|Rev|Gen|Capt|Col|Lt|Sgt|Maj|Adm|Sen|Rep|Gov)\.)"
    r"|\b(?:etc|Inc|Ltd|Corp|Co|Bros|Ph\.D|(?:[A-Z]\.){1,4}[A-Z])\.[)\]\"'”’]{0,3}"
    r"\s{1,9}(?=(?:Mrs?|Ms|Drs?)\.)"
    r")"
)
"""An abbreviation that may end a sentence, before a title: Punkt takes both for one name."""
_BEFORE_A_NAME = re.compile(r"(?:^|[\s(\[\"'“‘])(?:St|v|al)\.$")
_INITIAL = re.compile(r"(?:^|[\s(\[\"'“‘.-])[A-Z]\.$")
_STARTERS = frozenset(
    "a according after all although an and another as at because before but by during for"
    " from furthermore he her his how however i if in it its later many meanwhile moreover"
    " most my no on one our she since some that the their then there therefore these they this"
    " those though thus today two we what when where while who why with you".split()
)

_PARAGRAPH_BREAK = re.compile(r"(?:\r\n?|\n)[^\S\r\n]*(?:\r\n?|\n)\s*")
_MARKS = re.compile(r"(?<=[.!?…\"')\]”’»])(?:\[[^\[\]\s]{1,12}(?:, ?[^\[\]\s]{1,6}){0,9}\])+")
_LEADERS = re.compile(r"(?:\.[ \t]){3,}\.?|\.{5,}|(?:[-_=*~]){5,}")
_IDEOGRAPHIC_STOP = re.compile(r"[。！？]+[”’」』）]*")
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)\]]+(?:\d{1,3}\.)*")
_PARENTHESIS = re.compile(r"[()]")
_WORD = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*")

_WINDOW = 20_000
"""Characters given to Punkt at once; some of its patterns are not linear on hostile text."""
_LONGEST_ASIDE = 200
"""Characters between two parentheses that belong together; within them no sentence ends."""


def sentence_spans(text: str) -> list[Span]:
    """The sentences of a text as spans of exactly that text.

    Spans are in order, do not overlap, carry no whitespace at their ends and together cover all
    text that is not blank. A blank line always ends a sentence, a single line break never does.
    A pair of parentheses with up to 200 characters is never cut.
    """
    spans: list[Span] = []
    position = 0
    for match in _PARAGRAPH_BREAK.finditer(text):
        _split(text, position, match.start(), spans)
        position = match.end()
    _split(text, position, len(text), spans)
    return spans


def _split(text: str, start: int, end: int, spans: list[Span]) -> None:
    """Append the sentences of one paragraph, window by window."""
    asides = _asides(text, start, end)
    while start < end:
        stop = min(end, start + _WINDOW)
        found = _joined(text, _window(text, start, stop), asides)
        if stop < end:
            # The last one may go on beyond the window.
            if len(found) > 1:
                found.pop()
                spans += found
                start = found[-1].end
            else:
                cut = max(text.rfind(" ", start, stop), text.rfind("\n", start, stop))
                cut = cut if cut > start else stop
                spans += [Span(found[0].start, cut)] if found and found[0].start < cut else []
                start = cut
        else:
            spans += found
            start = end


def _window(text: str, start: int, end: int) -> list[Span]:
    """Punkt's sentences of ``text[start:end]``, with citation marks after the stop included."""
    raw = text[start:end]
    shadow = raw.replace("\n", " ").replace("\r", " ").replace("\t", " ")
    shadow = _LEADERS.sub(_blank, _MARKS.sub(_blank, shadow))
    borders = [begin for begin, stop in _punkt().span_tokenize(shadow) if begin < stop]
    ends = (_IDEOGRAPHIC_STOP, _NEW_SENTENCE)
    borders = sorted({0, *borders[1:], *(m.end() for end in ends for m in end.finditer(raw))})
    spans = []
    for begin, stop in zip(borders, [*borders[1:], len(raw)], strict=True):
        stripped = raw[begin:stop].strip()
        if stripped:
            first = begin + raw[begin:stop].index(stripped[0])
            spans.append(Span(start + first, start + first + len(stripped)))
    return spans


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _asides(text: str, start: int, end: int) -> list[Span]:
    """The outermost pairs of parentheses that are short enough to be an aside, in order."""
    opened: list[int] = []
    found: list[Span] = []
    for match in _PARENTHESIS.finditer(text, start, end):
        if match.group() == "(":
            opened.append(match.start())
        elif opened:
            aside = Span(opened.pop(), match.end())
            if aside.end - aside.start <= _LONGEST_ASIDE:
                while found and found[-1].start > aside.start:
                    found.pop()
                found.append(aside)
    return found


def _is_within(asides: list[Span], before: Span, after: Span) -> bool:
    """Whether the break between two sentences lies within one of the asides."""
    place = bisect_left(asides, before.end, key=attrgetter("start"))
    return place > 0 and asides[place - 1].end > after.start


def _joined(text: str, spans: list[Span], asides: list[Span]) -> list[Span]:
    """Take back the breaks that Punkt makes and a reader would not."""
    result: list[Span] = []
    for span in spans:
        if result and (
            _is_within(asides, result[-1], span) or _belongs_together(text, result[-1], span)
        ):
            result[-1] = Span(result[-1].start, span.end)
        else:
            result.append(span)
    return result


def _belongs_together(text: str, before: Span, after: Span) -> bool:
    tail = text[max(before.start, before.end - 24) : before.end]
    first = text[after.start]
    if before.end - before.start < 12 and _ENUMERATOR.fullmatch(text, before.start, before.end):
        return True
    if _NEVER_LAST.search(tail):
        return True
    if _INCHES.search(tail) and _AFTER_INCHES.match(text, after.start):
        return True
    if first.isdigit():
        return bool(_BEFORE_A_NUMBER.search(tail))
    if first in ",;:)]}" or (first in "–—-" and tail[-1] not in ".!?"):
        return True
    word = _WORD.search(text, after.start, after.end)
    if not word:
        return False
    if first.islower():
        # Where a writer uses capitals, a small letter goes on with the sentence: "Stop!" he said.
        return word.group().islower() and _is_capitalised(text, before)
    if _BEFORE_A_NAME.search(tail):
        return word.group().casefold() not in _STARTERS
    if not _INITIAL.search(tail) or word.group().casefold() in _STARTERS:
        return False
    # "at 5 P.M. Mr. Lee"
    return not _NEW_SENTENCE.search(text, max(before.start, before.end - 12), after.start + 8)


def _is_capitalised(text: str, span: Span) -> bool:
    word = _WORD.search(text, span.start, span.end)
    return word is not None and not word.group()[0].islower()


@cache
def _punkt() -> "PunktSentenceTokenizer":
    # The submodule only: the whole of nltk takes half a second to import.
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    stored = json.loads(files("veracite.index").joinpath("punkt.json").read_text("utf-8"))
    parameters = PunktParameters()
    parameters.abbrev_types = set(stored["abbrev_types"]) | _ABBREVIATIONS
    parameters.collocations = {(first, second) for first, second in stored["collocations"]}
    parameters.sent_starters = set(stored["sent_starters"]) | _STARTERS
    parameters.ortho_context = defaultdict(int, stored["ortho_context"])
    return PunktSentenceTokenizer(parameters)
