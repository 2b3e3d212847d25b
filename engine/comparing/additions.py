"""What a claim adds in passing: "The loan, all of which has been repaid, was given by the bank"."""

import re
from collections.abc import Sequence

from veracite.engine.facts.names import in_family
from veracite.engine.wording.contrasts import LIGHT
from veracite.engine.wording.overlap import words

__all__ = ["added_nowhere"]

_BORDER = re.compile(r"[,;:]\s|\s[–—-]\s")
_RELATIVE = re.compile(r"(?:\w+\s(?:of\s)?)?(?:which|whom|whose|who|where)\b", re.IGNORECASE)
_OTHER = re.compile(r"(?:and|but|an?|the|his|her|its|their|\w+(?:ing|ed))\s", re.IGNORECASE)
_SEVERAL = 2
"""Words that say something, at least, of what no "which" opens."""


def added_nowhere(statement: str, texts: Sequence[str]) -> str | None:
    """A clause or apposition of a claim, behind a comma, no word of which stands in some texts.

    Args:
        statement: The claim.
        texts: All that was found for it.
    """
    there = {word.stem for text in texts for word in words(text)}
    for part in _BORDER.split(statement)[1:]:
        telling = [word for word in words(part) if word.weight and word.stem not in LIGHT]
        says = _RELATIVE.match(part) or (_OTHER.match(part) and len(telling) >= _SEVERAL)
        if not says or all(word.text[0].isupper() for word in telling):
            continue
        if not any(in_family(word.stem, there) for word in telling):
            return part.strip(" .")
    return None
