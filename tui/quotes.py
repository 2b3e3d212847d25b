"""Finding a verbatim quote in the cleaned passage that it comes from, and what matters in it."""

import unicodedata
from collections import Counter

from veracite.engine.wording.overlap import content_words

_TOGETHER = 300
"""Characters: some lines of a screen."""
_WORD = 40
"""Characters in which a space is looked for, to begin with a whole word."""


def find_quote(context: str, quote: str) -> tuple[int, int] | None:
    """Where the quote stands in its passage: start and end there, None if it does not.

    Cleaning joins lines and hyphenated words and normalises characters, so only letters and digits
    are compared.
    """
    letters, places = _letters(context)
    wanted, _ = _letters(quote)
    at = letters.find(wanted) if wanted else -1
    if at < 0:
        return None
    start, end = places[at], places[at + len(wanted) - 1] + 1
    while end < len(context) and not context[end].isspace() and not context[end].isalnum():
        end += 1  # the full stop and the closing quotation mark belong to the sentence
    return start, end


def window(quote: str, claim: str, longest: int, kept: int) -> tuple[int, int]:
    """What to show of a quote: all of it, or of one that is longer than ``longest`` characters at
    most ``kept``, from shortly before the words that it has in common with the claim; start and end
    there."""
    if len(quote) <= longest:
        return 0, len(quote)
    start, end = _densest(quote, claim, kept - 2 * _WORD)
    start = max(0, start - min(kept // 5, (kept - (end - start)) // 2))
    space = quote.find(" ", start, start + _WORD)
    if start and space >= 0:
        start = space + 1
    return start, min(start + kept, len(quote))


def cut(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands in the place of the text before such a window, and of that behind it."""
    before = "" if start == 0 else "… " if text[start - 1].isspace() else "…"
    after = "" if end == len(text) else " …" if text[end].isspace() else "…"
    return before, after


def deciding(quote: str, claim: str) -> int:
    """Where the words begin that a quote has in common with the claim, most of them together."""
    return _densest(quote, claim, _TOGETHER)[0]


def _densest(quote: str, claim: str, most: int) -> tuple[int, int]:
    """The stretch of at most so many characters that has the most of the claim's words, by weight;
    the beginning, where it has none."""
    weights = {word.stem: word.weight for word in content_words(claim)}
    common = [word for word in content_words(quote) if word.stem in weights]
    there: Counter[str] = Counter()
    best, place, first = 0.0, (0, 0), 0
    for last in common:
        there[last.stem] += 1
        while last.end - common[first].start > most and common[first] is not last:
            there[common[first].stem] -= 1
            first += 1
        weight = sum(weights[stem] for stem, times in there.items() if times)
        if weight > best:
            best, place = weight, (common[first].start, last.end)
    return place


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text in compatible form, and the place of each in the text."""
    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for letter in unicodedata.normalize("NFKC", char):
            if letter.isalnum():
                letters.append(letter)
                places.append(place)
    return "".join(letters), places
