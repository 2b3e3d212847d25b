"""What comes from documents and users, made unable to change the structure of a prompt.

A passage stands between ``<passage 1>`` and ``</passage>``, its heading and its text on one line
each, so that a document can add no line to a prompt. Invisible and control characters are taken out
or shown as escapes, and what looks like one of the fences loses its bracket.
"""

import re
from collections.abc import Sequence

from veracite.engine.display import neutralise
from veracite.index.documents import Passage

CLOSING = "</passage>"

_TAG = re.compile(r"[<＜﹤‹〈⟨](?=[\s/／\\]{0,9}(?:(?:passage|text)\b|\Z))", re.IGNORECASE)
"""The bracket of a fence, of what a reader might take for one, or of one that may follow."""


def opening(number: int) -> str:
    """The line before a passage; passages are numbered from 1."""
    return f"<passage {number}>"


def one_line(text: str) -> str:
    """The text on one line, without fences and hidden characters."""
    return " ".join(_TAG.sub("(", neutralise(text)).split())


def block(text: str) -> str:
    """The text with its lines, without fences and hidden characters."""
    return _TAG.sub("(", neutralise(text, lines=True)).strip()


def listed(texts: Sequence[str]) -> str:
    """One line for each text, with a dash before it."""
    return "\n".join(f"- {one_line(text)}" for text in texts)


def fence(passage: Passage, number: int, template: str) -> str:
    """A passage between its fences.

    Args:
        template: How it is written, with {number}, {heading} and {text}; lines that stay empty
            (a passage without a heading) are left out.
    """
    values = {
        "number": str(number),
        "heading": one_line(passage.heading or ""),
        "text": one_line(passage.text),
    }
    written = re.sub(r"\{(number|heading|text)\}", lambda match: values[match[1]], template)
    lines = [line for line in written.splitlines() if line.strip()]
    return "\n".join([opening(number), *lines, CLOSING])
