"""Whether a sentence is one: forms, titles, addresses and lists of sources tell nothing."""

import re
from collections.abc import Sequence

from veracite.engine.wording.overlap import Word, words
from veracite.engine.wording.phrases import VERBS

__all__ = ["tells"]

_RUN_TOGETHER = 100
"""Words from which on what passes for a sentence may be a table run together,"""
_JOINING = 0.25
"""if fewer of its words than this share are such as "of" and "is","""
_NAMING = 0.5
"""and more of them than this one are capitalised or figures."""
_ADDRESS = re.compile(r"(?:\w+://|www\.)\S+")
_REFERENCE = re.compile(r"\W*(?:[A-Z][\w.'’-]*(?: and | & |,? ))+\(\d{4}[a-z]?: ?\d[\d, –-]*\)\.?")
"""Such as "Orchard (1997:112)."; nothing is said by it."""
_REFERENCES = re.compile(
    r"(?:^|> )(?:\d+\.? )?(?:references|(?:references|notes) > sources|citations|bibliography"
    r"|(?:works|literature) cited|external links|further reading)$",
    re.IGNORECASE,
)
_LETTER_HEAD = re.compile(r"\W*From:\s.{1,200}?\b(?:To|Sent|Date|Subject|Cc):\s", re.DOTALL)
"""Of an electronic letter: who wrote, to whom and when, and its subject."""
_TITLE = 6
"""Words that carry weight, at least, of what is taken for a title,"""
_CAPITALS = 0.75
"""and the share of them that begin with a capital."""
_ENDING = re.compile(r"[.!?:;…\"”')\]|]\s*$|[:|]")


def tells(text: str, heading: str | None) -> bool:
    """Whether it is a sentence at all: no table run together, title, address or reference.

    Args:
        text: What is taken for a sentence.
        heading: Above it.
    """
    addresses = sum(len(found.group()) for found in _ADDRESS.finditer(text))
    if 2 * addresses > len(text) or _REFERENCE.fullmatch(text):
        return False
    if _REFERENCES.search(heading or "") or _is_letter_head(text):
        return False
    found = words(text)
    if _is_title(text, found):
        return False
    if len(found) < _RUN_TOGETHER:
        return True
    joining = sum(not word.weight for word in found) / len(found)
    naming = sum(word.weight > 1 for word in found) / len(found)
    return joining >= _JOINING or naming <= _NAMING


def _is_letter_head(text: str) -> bool:
    """Whether nothing stands behind the subject of an electronic letter."""
    return _LETTER_HEAD.match(text) is not None and not text.rstrip().endswith((".", "!", "?"))


def _is_title(text: str, found: Sequence[Word]) -> bool:
    """Whether capitals tell that it stands above a text, and no verb or sign that it does not."""
    telling = [word for word in found if word.weight and word.text[0].isalpha()]
    if len(telling) < _TITLE or _ENDING.search(text) or any(w.text.lower() in VERBS for w in found):
        return False
    capitals = sum(word.text[0].isupper() for word in telling)
    return capitals >= _CAPITALS * len(telling)
