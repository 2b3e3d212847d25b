"""Finding a verbatim quote in the cleaned passage that it comes from."""

import unicodedata

__all__ = ["find_quote"]


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
