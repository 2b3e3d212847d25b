"""Which language a text is written in, and whether the bundled models read it.

py3langid (naive Bayes over byte n-grams) decides, but only after cheap rules: text made of English
function words is English, and text in another script is not. When in doubt, it is English: a claim
that is wrongly set aside is worse than one that the models find no evidence for.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from veracite.engine.types import Verdict
from veracite.engine.wording.lists import data_of, listed

_NAMES: dict[str, str] = data_of("languages")
"""By their codes."""
_ANOTHER_SCRIPT = "another script"
"""Where the language of what is not written in Latin letters is not clear."""

# Words that English sentences are built with and that other languages do not share: no "in" (also
# German), "is" (Dutch), "on" (Finnish), "at" (Danish), "for" (Norwegian).
_ENGLISH = frozenset(listed("english"))
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_REASON = "written in {}, which the bundled models do not read"
_LONG_ENOUGH = 6
"""Words below which n-grams tell little: short strings and names stay English."""
_SURE = 0.9
_CHARACTERS = 2000
"""The start of a block tells its language; the rest only costs time."""


def of_sentences(sentences: Sequence[str], *, hint: str | None = None) -> list[str | None]:
    """The name of each sentence's language, None for one that the models read.

    One in another script tells for itself; the others, which may be short, tell together.

    Args:
        sentences: Of one block, in order.
        hint: What ``unsupported`` said of the Latin letters around it.
    """
    others = [_is_in_another_script(sentence) for sentence in sentences]
    latin = " ".join(text for text, other in zip(sentences, others, strict=True) if not other)
    language = unsupported(latin, hint=hint) if latin else None
    return [
        unsupported(text) if other else language
        for text, other in zip(sentences, others, strict=True)
    ]


def unsupported(text: str, *, hint: str | None = None) -> str | None:
    """The name of the text's language if it is surely one that the models do not read.

    Args:
        hint: What this function said of the text around it: decides where a text is too short.
    """
    text = text[:_CHARACTERS]
    words = [word.lower() for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH for word in words) / max(1, len(words))
    other = _is_in_another_script(text)
    if not other and len(words) < _LONG_ENOUGH:
        return None if english else hint
    if not other and english >= 0.15:
        return None
    code, probability, of_english = _classify(text)
    if other:
        return _NAMES[code] if probability >= 0.5 and code != "en" else _ANOTHER_SCRIPT
    # Names and titles pull towards their own language; function words pull back.
    sure = probability >= _SURE or (probability >= 0.5 and of_english < 0.0005 and not english)
    if code == "en" or not sure or english >= 0.1 or _mostly_names(text):
        return None
    return _NAMES[code]


def why_unread(language: str | None) -> str | None:
    """Why a sentence in a language cannot be checked; None for one that the models read."""
    return language and _REASON.format(language)


def unread_note(verdicts: Sequence[Verdict]) -> str | None:
    """How much of the text was set aside for its language; None if nothing was."""
    languages = [language for verdict in verdicts if (language := _language(verdict))]
    if not languages:
        return None
    unread = len(languages)
    one = unread == 1
    named = " and ".join(dict.fromkeys(languages))
    outcome = "it was not checked" if one else "they were not checked"
    if nothing_read(verdicts):
        outcome = "nothing was checked"
    sentences = "sentence" if len(verdicts) == 1 else "sentences"
    return (
        f"{unread:,} of {len(verdicts):,} {sentences} {'is' if one else 'are'} in {named}, "
        f"which the bundled models do not read; {outcome}."
    )


def unread_question(question: str) -> str | None:
    """What is to be known of a question in a language that the models do not read, else None."""
    language = unsupported(question)
    return language and (
        f"The question is in {language}, which the bundled models do not read: what they find and "
        "judge may be wrong. Ask in English."
    )


def nothing_read(verdicts: Sequence[Verdict]) -> bool:
    """Whether not one sentence was checked, and a language is a reason for it."""
    checked = any(verdict.claim.not_checkable is None for verdict in verdicts)
    return not checked and any(_language(verdict) for verdict in verdicts)


def _language(verdict: Verdict) -> str | None:
    before, behind = _REASON.split("{}")
    reason = verdict.claim.not_checkable or ""
    is_it = reason.startswith(before) and reason.endswith(behind)
    return reason.removeprefix(before).removesuffix(behind) if is_it else None


def _is_in_another_script(text: str) -> bool:
    """Whether most letters are not Latin ones."""
    letters = [character for character in text if character.isalpha()]
    foreign = [
        character
        for character in letters
        if character > "\u036f" and not "\u1e00" <= character <= "\u1eff"
    ]
    # Two signs of East Asia are a word, two of Greek a formula.
    enough = sum(2 if character >= "\u2e80" else 1 for character in foreign) >= 4
    return enough and 2 * len(foreign) > len(letters)


def _mostly_names(text: str) -> bool:
    """True if most words start with a capital: a list of names, a title."""
    words = _WORD.findall(text)
    return bool(sum(word[0].isupper() for word in words) > 0.6 * len(words))


def _classify(text: str) -> tuple[str, float, float]:
    """The likeliest language's code and probability, and the probability of English."""
    ranking = _identifier().rank(text)
    code, probability = ranking[0]
    return str(code), float(probability), float(dict(ranking)["en"])


@cache
def _identifier() -> Any:
    # Some 0.9 s to load: only drafts that are not plainly English pay for it.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    # Only languages with a name here: English creoles and small dialects draw English names.
    identifier.set_languages(set(_NAMES) & set(identifier.labels))
    return identifier
