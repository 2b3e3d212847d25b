"""Where some words occur in a text."""

import re

__all__ = ["occurrences"]


def occurrences(text: str, wanted: str) -> list[tuple[int, int]]:
    """Start and end of each place, whatever the case and however the words are spaced."""
    words = wanted.split()
    if not words:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)]
