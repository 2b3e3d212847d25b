"""Which language a text is written in, and whether the bundled models read it.

py3langid (naive Bayes over byte n-grams) decides, but only after cheap rules: text made of English
function words is English, and text in another script is not. When in doubt, it is English: a claim
that is wrongly set aside is worse than one that the models find no evidence for.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

_NAMES = {
    "af": "Afrikaans", "am": "Amharic", "an": "Aragonese", "ar": "Arabic", "as": "Assamese",
    "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali", "br": "Breton",
    "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German",
    "dz": "Dzongkha", "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fo": "Faroese",
    "fr": "French", "ga": "Irish", "gl": "Galician", "gu": "Gujarati", "he": "Hebrew",
    "hi": "Hindi", "hr": "Croatian", "ht": "Haitian Creole", "hu": "Hungarian", "hy": "Armenian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese", "jv": "Javanese",
    "ka": "Georgian", "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "ko": "Korean",
    "ku": "Kurdish", "ky": "Kyrgyz", "la": "Latin", "lb": "Luxembourgish", "lo": "Lao",
    "lt": "Lithuanian", "lv": "Latvian", "mg": "Malagasy", "mk": "Macedonian", "ml": "Malayalam",
    "mn": "Mongolian", "mr": "Marathi", "ms": "Malay", "mt": "Maltese", "nb": "Norwegian",
    "ne": "Nepali", "nl": "Dutch", "nn": "Norwegian", "no": "Norwegian", "oc": "Occitan",
    "or": "Odia", "pa": "Punjabi", "pl": "Polish", "ps": "Pashto", "pt": "Portuguese",
    "qu": "Quechua", "ro": "Romanian", "ru": "Russian", "rw": "Kinyarwanda", "se": "Northern Sami",
    "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian",
    "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai",
    "tl": "Tagalog", "tr": "Turkish", "ug": "Uyghur", "uk": "Ukrainian", "ur": "Urdu",
    "vi": "Vietnamese", "vo": "Volapük", "wa": "Walloon", "xh": "Xhosa", "zh": "Chinese",
    "zu": "Zulu",
}  # fmt: skip

_SCRIPTS = {
    "CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean",
    "THAI": "Thai", "HEBREW": "Hebrew", "GREEK": "Greek", "ARMENIAN": "Armenian",
    "GEORGIAN": "Georgian", "KHMER": "Khmer", "LAO": "Lao", "TAMIL": "Tamil", "TELUGU": "Telugu",
    "KANNADA": "Kannada", "MALAYALAM": "Malayalam", "GUJARATI": "Gujarati", "SINHALA": "Sinhala",
    "MYANMAR": "Burmese", "BENGALI": "Bengali", "ETHIOPIC": "Amharic", "TIBETAN": "Tibetan",
}  # fmt: skip
_SHARED = {
    "CYRILLIC": "Cyrillic script", "ARABIC": "Arabic script", "DEVANAGARI": "Devanagari script",
}  # fmt: skip
"""Scripts of several languages."""

# Words that English sentences are built with and that other languages do not share: no "in" (also
# German), "is" (Dutch), "on" (Finnish), "at" (Danish), "for" (Norwegian).
_ENGLISH = frozenset(
    """the of and are were been has have with from this that these those which who whose their his
    its they he she it by to not but or than then there into about before during between when while
    where also would could should can may might more most other such first both each some many you
    your our my any how what because since until through against without within out up if did does
    after he's it's""".split()
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1dff\u2e80-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+")
_LONG_ENOUGH = 6
"""Words below which n-grams tell little: short strings and names stay English."""
_SURE = 0.9
_CHARACTERS = 2000
"""The start of a block tells its language; the rest only costs time."""


def _detected(text: str) -> str | None:
    """The name of a text's language; None where nothing speaks clearly against English."""
    text = text[:_CHARACTERS]
    if (script := _foreign_script(text)) is not None:
        return _in_script(text, script)
    words, english = _english_share(text)
    if english >= 0.15 or words < _LONG_ENOUGH:
        return None
    code, probability, of_english = _classify(text)
    # Names and titles pull towards their own language; function words pull back.
    sure = probability >= _SURE or (probability >= 0.5 and of_english < 0.0005 and not english)
    if code == "en" or not sure or english >= 0.1 or _mostly_names(text):
        return None
    return _NAMES.get(code, code)


def of_sentences(sentences: Sequence[str], *, hint: str | None = None) -> list[str | None]:
    """The name of each sentence's language, None for one that the models read.

    A sentence in another script tells for itself; the others, which may be short, tell together.

    Args:
        sentences: Of one block, in order.
        hint: What ``unsupported`` said of the Latin letters around it.
    """
    scripts = [_foreign_script(sentence) for sentence in sentences]
    latin = [text for text, script in zip(sentences, scripts, strict=True) if script is None]
    language = unsupported(" ".join(latin), hint=hint) if latin else None
    named = [
        language if script is None else _in_script(text[:_CHARACTERS], script)
        for text, script in zip(sentences, scripts, strict=True)
    ]
    # Chinese characters alone may be Japanese as well: their neighbours tell.
    if "Japanese" in named:
        named = ["Japanese" if name == "Chinese" else name for name in named]
    return named


def latin_only(text: str) -> str:
    """The text without the words of other scripts."""
    return _OTHER_SCRIPT.sub(" ", text)


def unsupported(text: str, *, hint: str | None = None) -> str | None:
    """The name of the text's language if it is surely one that the models do not read.

    Args:
        hint: What this function said of the text around it: decides where a text is too short.
    """
    if (language := _detected(text)) is not None:
        return language
    words, english = _english_share(text[:_CHARACTERS])
    return hint if words < _LONG_ENOUGH and not english else None


def _english_share(text: str) -> tuple[int, float]:
    words = [word.lower() for word in _WORD.findall(text)]
    return len(words), sum(word in _ENGLISH for word in words) / max(1, len(words))


def _foreign_script(text: str) -> str | None:
    """The script that most letters are of, unless that is Latin."""
    letters = [character for character in text if character.isalpha()]
    foreign = [
        character
        for character in letters
        if character > "\u036f" and not "\u1e00" <= character <= "\u1eff"
    ]
    # Two signs of East Asia are a word, two of Greek a formula.
    enough = sum(2 if character >= "\u2e80" else 1 for character in foreign) >= 4
    if not enough or 2 * len(foreign) <= len(letters):
        return None
    scripts = Counter(unicodedata.name(character, "?").split()[0] for character in foreign)
    # Japanese mixes its syllables with Chinese characters: a tenth of them settles it.
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if kana >= 0.1 * len(foreign):
        return "HIRAGANA"
    script = scripts.most_common(1)[0][0]
    return script if script in _SCRIPTS or script in _SHARED else None


def _in_script(text: str, script: str) -> str:
    if script in _SHARED and len(_WORD.findall(text)) >= 4:
        guess, probability, _ = _classify(text)
        if guess != "en" and probability >= 0.5:
            return _NAMES.get(guess, _SHARED[script])
    return _SCRIPTS.get(script) or _SHARED[script]


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
