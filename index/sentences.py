"""Text to sentences: NLTK's Punkt with parameters that ship with the package.

The parameters in ``punkt.json`` come from ``scripts/train_punkt.py``; the abbreviations in
``words.json`` are added by hand, because a corpus that fits a package does not hold them all. Punkt
decides about every full stop by its neighbours only, so a text may be split piece by piece.
"""

import json
import re
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from importlib.util import find_spec, module_from_spec
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from veracite.index.documents import Span

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

_NEVER_LAST = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:Drs?|Mr|Mrs|Ms|Messrs|Prof|Profs|Brig|Gen|Capt|Col|Lt|Sgt|Maj|Cmdr|Cdr|Adm|Sen|Rep"
    r"|Gov|Rev|Hon|Mt|[Vv]s|[Cc]f|e\.\s?g|i\.\s?e|[Vv]iz|[Cc]a|[Aa]pprox)\.$"
)
_BEFORE_A_NUMBER = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:[Nn]os?|[Ff]igs?|[Ee]qs?|[Ss]ec(?:s|ts?)?|[Ss]upp|Cas|Stat|[xl]?[ivx]{2,6}|[Vv]ols?|[Pp]p?|[Cc]h(?:ap)?|[Aa]rts?"
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
_LETTERED = re.compile(
    r"(?:\b(?:War|Serie|Group|Plan|Part|Type|Class|[Vv]itamin|[Hh]epatitis|Grade|Category|Section"
    r"|Schedule|Appendix|Annex|Phase|Act|Title|Division|Level|Terminal|Zone|Factor|Influenza|Option"
    r"|Exhibit|Block|Stage|Tier|Team|Area|Unit|Point|Line|group|plan|part|type|class|grade|category"
    r"|section|phase|stage|level|option|influenza)"
    r"\s[A-Z]|\b(?:King|Queen|Emperor|Empress|Pope|Tsar|Sultan|Prince|Duke) [A-Z][a-z]+\s[IVX])"
    r"\.(?:$|\s{1,9}(?=[A-Z][a-z]))"
)
"""A letter that numbers: "World War I.", "King George V."; it is no initial and may end."""
_INITIAL = re.compile(r"(?:^|[\s(\[\"'“‘.-])[A-Z]\.$")
_INITIAL_AGAIN = re.compile(r"[A-Z]\. (?=[A-Z])")
_OPENERS = (
    r"(?:A|According|Additionally|After|Also|Although|An|And|Another|As|At|Before|But|By|During|For"
    r"|From|Furthermore|He|Her|His|However|I|If|In|It|Its|Many|Moreover|Most|On|One|She|Since|Some"
    r"|That|The|Their|Then|There|These|They|This|Those|To|We|When|While|You)"
)
_RUN_ON = re.compile(
    rf"(?:(?<=[^\W_]{{2}})[.!?][)\]\"”’]{{0,2}}(?={_OPENERS}[ ,])"
    rf"|…[)\]\"”’]{{0,2}}\s{{1,9}}(?={_OPENERS}[ ,])"
    r"|\betc\.[)\]\"”’]{0,2}\s{1,9}(?=[A-Z]))"
)
"""Ends that Punkt does not see: no space after the stop, an ellipsis of one sign, "etc."."""

_PARAGRAPH_BREAK = re.compile(r"(?:\r\n?|\n)[^\S\r\n]*(?:\r\n?|\n)\s*")
_MARKS = re.compile(
    r"(?<=[.!?…\"')\]”’»])(?:\[[^\[\]\s]{1,12}(?:, ?[^\[\]\s]{1,6}){0,9}\]"
    r"(?::\s?\d{1,4}(?:[,–-]\s?\d{1,4}){0,5})?)+"
    r"|(?<=[.!?…\"”’])(?:\(\d{1,3}(?:, ?\d{1,3}){0,9}\)|[⁰¹²³⁴-⁹]+(?:[,–⁻][⁰¹²³⁴-⁹]+){0,9})"
    r"|(?<=[a-z]{3}[.!?])\d{1,2}(?=\s+[A-Z])"
)
"""Marks of notes after a stop: "[1, 2]", "[3]: 210–212" with pages, "(3)", superscripts, bare
digits as in PDF files."""
_LEADERS = re.compile(r"(?:\.[ \t]){3,}\.?|\.{5,}|(?:[-_=*~]){5,}")
_IDEOGRAPHIC_STOP = re.compile(r"[。！？]+[”’」』）]*")
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)\]]+(?:\d{1,3}\.)*")
_PARENTHESIS = re.compile(r"[()]")
_QUOTED = re.compile(
    r"(?<=[a-z,:] )(?:\"[^\s\"][^\"]{0,200}\"|“[^\s“”][^“”]{0,200}”)(?=[,;]|\s[a-z]{2})"
)
"""A quotation in the middle of a sentence that goes on behind it."""
_WORD = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*")

_WINDOW = 20_000
"""Characters given to Punkt at once; some of its patterns are not linear on hostile text."""
_LONGEST_ASIDE = 200
"""Characters between two parentheses that belong together; within them no sentence ends."""


@cache
def data_of(name: str) -> dict[str, Any]:
    """What a JSON file beside this one holds."""
    return dict(json.loads(files("veracite.index").joinpath(name).read_text("utf-8")))


@cache
def words(kind: str) -> frozenset[str]:
    """A list of ``words.json``."""
    return frozenset(data_of("words.json")[kind].split())


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
    ends = (_IDEOGRAPHIC_STOP, _NEW_SENTENCE, _LETTERED, _RUN_ON)
    borders = sorted({0, *borders[1:], *(m.end() for end in ends for m in end.finditer(raw))})
    places = zip(borders, [*borders[1:], len(raw)], strict=True)
    found = (stripped(text, start + begin, start + stop) for begin, stop in places)
    return list(filter(None, found))


def stripped(raw: str, start: int, end: int) -> Span | None:
    """The stretch without white space at its ends; None if nothing is left."""
    text = raw[start:end]
    inner = text.strip()
    if not inner:
        return None
    start += len(text) - len(text.lstrip())
    return Span(start, start + len(inner))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _asides(text: str, start: int, end: int) -> list[Span]:
    """The outermost short pairs of parentheses, and the quotations within a sentence, in order."""
    opened: list[int] = []
    found: list[Span] = []
    for match in _PARENTHESIS.finditer(text, start, end):
        if match.group() == "(":
            opened.append(match.start())
        elif opened:
            aside = Span(opened.pop(), match.end())
            if aside.end - aside.start <= _LONGEST_ASIDE:
                found.append(aside)
    found += [Span(*match.span()) for match in _QUOTED.finditer(text, start, end)]
    return _outermost(found)


def _outermost(spans: list[Span]) -> list[Span]:
    """The spans in order of position, without those that begin within an earlier one."""
    result: list[Span] = []
    for span in sorted(spans, key=attrgetter("start")):
        if not result or span.start >= result[-1].end:
            result.append(span)
    return result


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
    starts = re.split("['’]", word.group().casefold())[0] in words("sentence_starters")
    if first.islower():
        # Where a writer uses capitals, a small letter goes on with the sentence: "Stop!" he said.
        return word.group().islower() and _is_capitalised(text, before)
    if _BEFORE_A_NAME.search(tail):
        return not starts
    if not _INITIAL.search(tail):
        return False
    if _INITIAL_AGAIN.match(text, after.start):
        return True
    if starts or _LETTERED.search(tail):
        return False
    # "at 5 P.M. Mr. Lee"
    return not _NEW_SENTENCE.search(text, max(before.start, before.end - 12), after.start + 8)


def _is_capitalised(text: str, span: Span) -> bool:
    word = _WORD.search(text, span.start, span.end)
    return word is not None and not word.group()[0].islower()


@contextmanager
def _nltk_alone() -> Iterator[None]:
    """Within this a module of NLTK comes without the others.

    NLTK imports all of itself, and of SciPy and scikit-learn where these are installed: a second
    for the twenty-fifth part of it.
    """
    before = set(sys.modules)
    if "nltk" not in before:
        for name in ("nltk", "nltk.tokenize"):
            spec = find_spec(name)
            assert spec is not None
            sys.modules[name] = module_from_spec(spec)  # which does not run it
    yield
    # Whoever imports NLTK later gets the whole of it.
    for name in {name for name in sys.modules if name.startswith("nltk")} - before:
        del sys.modules[name]


@cache
def _punkt() -> "PunktSentenceTokenizer":
    with _nltk_alone():
        from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    stored = data_of("punkt.json")
    parameters = PunktParameters()
    parameters.abbrev_types = set(stored["abbrev_types"]) | words("abbreviations")
    # Two common words that met over a full stop in the training text ("years. For") are no name.
    parameters.collocations = {
        (first, second)
        for first, second in stored["collocations"]
        if len(first) == 1 or "." in first or first in parameters.abbrev_types
    }
    parameters.sent_starters = set(stored["sent_starters"]) | words("sentence_starters")
    parameters.ortho_context = defaultdict(int, stored["ortho_context"])
    return PunktSentenceTokenizer(parameters)
