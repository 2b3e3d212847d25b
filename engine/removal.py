"""A sentence taken out of a text together with what it would leave behind."""

import re

from veracite.index.documents import Span

_MARKERS = re.compile(r"[\s>|*+•_~-]*(?:\(?\d{1,3}[.)]\s)?(?:\[[ xX]\]\s)?[\s|*_~-]*")
"""What may stand before the only sentence of a line: of a list, a quotation, a table."""


def removal(text: str, start: int, end: int) -> Span:
    """The span to cut so that ``text[start:end]`` is gone without a trace.

    Its lines, and one of the empty lines around them, if nothing else stands there; else the
    sentence and the blanks on one side of it.
    """
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end) + 1 or len(text)
    after = text[end:last]
    if _MARKERS.fullmatch(text[first:start]) and not any(map(str.isalnum, after)):
        empty = re.compile(r"[ \t]*\r?\n").match(text, last)
        if empty and (first == 0 or re.search(r"\n[ \t]*\r?\n\Z", text[:first])):
            last = empty.end()
        return Span(first, last)
    blanks = len(after) - len(after.lstrip(" \t"))
    if blanks:
        return Span(start, end + blanks)
    return Span(first + len(text[first:start].rstrip()), end)
