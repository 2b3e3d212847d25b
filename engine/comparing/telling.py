"""Whether a sentence is one: forms, addresses and lists of sources tell nothing."""

import re

from veracite.engine.wording.overlap import words

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


def tells(text: str, heading: str | None) -> bool:
    """Whether it is a sentence at all: no table run together, address or entry of references.

    Args:
        text: What is taken for a sentence.
        heading: Above it.
    """
    addresses = sum(len(found.group()) for found in _ADDRESS.finditer(text))
    if 2 * addresses > len(text) or _REFERENCE.fullmatch(text):
        return False
    if _REFERENCES.search(heading or ""):
        return False
    found = words(text)
    if len(found) < _RUN_TOGETHER:
        return True
    joining = sum(not word.weight for word in found) / len(found)
    naming = sum(word.weight > 1 for word in found) / len(found)
    return joining >= _JOINING or naming <= _NAMING
