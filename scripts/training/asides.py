"""Harmless asides: words that a writer adds to a sentence without changing what it says."""

from __future__ import annotations

import random
import re

from scripts.training.pairs import Pair
from scripts.training.world_words import ANIMALS

_FRONT = (
    "Of course|As it happens|Interestingly|Interestingly enough|In fact|Overall|Indeed|Notably|"
    "As a matter of fact|Incidentally|Actually|In short|To be clear|Famously|Curiously|"
    "Surprisingly|Remarkably|According to the report|According to the records|"
    "According to the text|According to the article|As the passage says|As is well known|"
    "By the way|Admittedly|Unsurprisingly|In summary|To sum up|As noted above|In addition|"
    "Additionally|Moreover|Furthermore|Also|Likewise|For the record|As far as is known|"
    "In other words|Put simply|Strikingly|Oddly enough|Perhaps unsurprisingly|On top of that|"
    "Importantly|As mentioned|Based on the text|Broadly speaking|Meanwhile"
).split("|")
_THAT = (
    "It is worth noting that|It should be noted that|It turns out that|The records show that|"
    "The report says that|The text states that|It is known that|We know that|It is true that|"
    "Note that|It is interesting that|The article explains that|Sources say that|"
    "Everyone knows that|Keep in mind that|Remember that|The document notes that|"
    "It is a fact that|It is often mentioned that|It bears repeating that|Records confirm that"
).split("|")
_END = (
    "of all places|as it happens|of course|in fact|no less|according to the report|"
    "according to the records|believe it or not|as we know|interestingly enough|as it turns out|"
    "it should be said|as mentioned above|oddly enough|if you like|by the way|"
    "as one might expect|to be precise|of all things|among other things|in any case|"
    "as the text says|I believe|so the article says|as has been noted|you see|after all|"
    "for what it is worth"
).split("|")
_MIDDLE = (
    "of course|as it happens|in fact|interestingly|indeed|notably|as we know|it turns out|"
    "curiously|it is said|famously|as noted|incidentally|by all accounts|according to the records|"
    "as the text says|surprisingly|to be exact"
).split("|")
_SOFT = "actually|indeed|in fact|famously|notably|also".split("|")
_SMALL = set(
    "the a an he she it they his her its in this on at after during their there these for as by "
    "while although when if initially however since from with to despite like another some many "
    "most all each other both two three four one that first early later also because before upon "
    "under until today originally according following throughout within between such no not "
    "eventually finally currently subsequently although though once where who those several "
    "unlike neither hispanic only over about around approximately currently additionally".split()
) | set(ANIMALS)
_CONNECTIVE = re.compile(r"^(?:However|Also|Additionally|Moreover|Thus|Therefore|Furthermore),? ")
_HINGE = re.compile(r"\b(?:is|was|are|were|has|had|can|will)\b(?! (?:not|never|no)\b)")


def softened(text: str) -> str:
    """Begin with a small letter, where the first word is no name, and without a connective."""
    text = _CONNECTIVE.sub("", text) or text
    first = re.match(r"[A-Za-z]+", text)
    common = first and first.group().lower() in _SMALL - {"hispanic"}
    return text[0].lower() + text[1:] if common else text


def _end(text: str, rng: random.Random) -> str | None:
    if text[-1] != "." or '"' in text[-3:]:
        return None
    word = rng.choice(_END)
    return f"{text[:-1]}, {word}." if rng.random() < 0.85 else f"{text[:-1]} ({word})."


def _middle(text: str, rng: random.Random) -> str | None:
    hinge = _HINGE.search(text)
    if hinge is None:
        return None
    if rng.random() < 0.4:
        return f"{text[: hinge.end()]} {rng.choice(_SOFT)}{text[hinge.end() :]}"
    return f"{text[: hinge.end()]}, {rng.choice(_MIDDLE)},{text[hinge.end() :]}"


def aside(text: str, rng: random.Random) -> str | None:
    """Add one aside to a sentence, or return None where none fits."""
    way = rng.random()
    if not text or not text[0].isalnum():
        return None
    if way < 0.35:
        return f"{rng.choice(_FRONT)}, {softened(text)}"
    if way < 0.55:
        return f"{rng.choice(_THAT)} {softened(text)}"
    return _end(text, rng) if way < 0.85 else _middle(text, rng)


def with_asides(pair: Pair, rng: random.Random) -> Pair | None:
    """Add an aside to a pair's claim, seldom two, and sometimes one to its premise."""
    claim = aside(pair.claim, rng)
    if claim and rng.random() < 0.15:
        claim = _end(claim, rng) or claim
    premise = pair.premise
    if rng.random() < 0.2:
        head, colon, text = premise.rpartition(": ") if len(premise) < 900 else ("", "", premise)
        sentences = re.split(r"(?<=[a-z]{2}\.) (?=[A-Z])", text)
        k = rng.randrange(len(sentences))
        sentences[k] = aside(sentences[k], rng) or sentences[k]
        premise = head + colon + " ".join(sentences)
        if rng.random() < 0.4:
            claim = pair.claim
    if not claim or (claim == pair.claim and premise == pair.premise):
        return None
    return Pair(f"aside_{pair.set}", premise, claim, pair.label)
