"""Short answers against references, as SQuAD, KILT, DPR, ASQA and QAMPARI count them.

Wherever several references or aliases are accepted the best one counts.
"""

import re
import string
import sys
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_ROUGE_TOKEN = re.compile(r"[^\W_]+")


def normalise(text: str) -> str:
    """Lower case without punctuation, articles and needless whitespace (SQuAD, KILT).

    On ASCII text exactly what SQuAD's script does, save that an answer of nothing but articles
    and punctuation keeps them: "A" and "!!!" may be right answers, an empty one never is. Beyond
    ASCII, accents in one code point or two are the same, and typographic punctuation goes too.
    """
    lowered = unicodedata.normalize("NFC", text).lower()
    bare = "".join(char for char in lowered if not _is_punctuation(char))
    for form in (_ARTICLES.sub(" ", bare), bare, lowered):
        if words := form.split():
            return " ".join(words)
    return ""


def exact_match(prediction: str, references: Sequence[str]) -> bool:
    """Whether a reference is the prediction, both normalised; an empty one matches nothing."""
    said = normalise(prediction)
    return bool(said) and any(said == normalise(reference) for reference in references)


def token_f1(prediction: str, references: Sequence[str]) -> float:
    """F1 over the normalised tokens as bags (SQuAD)."""
    said = normalise(prediction).split()
    return max((_bag_f1(said, normalise(r).split()) for r in references), default=0.0)


def rouge_l(prediction: str, references: Sequence[str]) -> float:
    """ROUGE-L F-measure without stemming: the longest common subsequence of tokens.

    Tokens are runs of letters and digits in lower case, on ASCII text as in ``rouge-score``.
    """
    said = _ROUGE_TOKEN.findall(prediction.lower())
    written = [_ROUGE_TOKEN.findall(reference.lower()) for reference in references]
    return max((_f1(_common(said, other), len(said), len(other)) for other in written), default=0.0)


def str_em(text: str, answers: Sequence[Sequence[str]]) -> float:
    """STR-EM (ASQA, ALCE): the share of answers one of whose aliases occurs in the text.

    Aliases are found as whole normalised tokens, not as ALCE does inside words ("art" in "party").

    Args:
        text: An answer, without citation marks.
        answers: The aliases of each thing asked; none gives nan.
    """
    spaced = f" {normalise(text)} "
    found = [any(_occurs(normalise(alias), spaced) for alias in aliases) for aliases in answers]
    return _mean(found)


def recall_at_k(answers: Sequence[Sequence[str]], passages: Sequence[str], k: int) -> float:
    """The share of answers that one of the first k passages holds; with one answer 0 or 1 (DPR).

    An alias is held as a span of tokens, as DPR counts: letters, digits and their marks together,
    any other sign alone, in lower case, nothing taken away. No answers give nan.

    Args:
        answers: The aliases of each thing asked.
        passages: Best first.
        k: How many of them count.
    """
    spaced = [f" {_dpr_tokens(passage)} " for passage in passages[:k]]
    return _mean(
        [
            any(_occurs(_dpr_tokens(alias), passage) for alias in aliases for passage in spaced)
            for aliases in answers
        ]
    )


@dataclass(frozen=True, slots=True)
class ListScores:
    """A list of answers against all that there are (QAMPARI, as ALCE counts it)."""

    precision: float
    recall_5: float
    """Five right ones are enough: right answers, at most 5, over all answers, at most 5."""
    f1_5: float


def list_scores(predictions: Sequence[str], answers: Sequence[Sequence[str]]) -> ListScores:
    """Precision and recall of a list; a prediction counts if it equals an alias, normalised.

    As in ALCE a right prediction that is given twice counts twice for precision. No predictions
    score 0; no answers give nan.

    Args:
        predictions: Without citation marks.
        answers: The aliases of each thing asked.
    """
    said = [form for form in map(normalise, predictions) if form]
    forms = [{normalise(alias) for alias in aliases} for aliases in answers]
    right = sum(any(form in aliases for aliases in forms) for form in said)
    hits = sum(not aliases.isdisjoint(said) for aliases in forms)
    precision = right / len(said) if said else 0.0
    recall = min(5, hits) / min(5, len(forms)) if forms else float("nan")
    total = precision + recall
    return ListScores(precision, recall, 2 * precision * recall / total if total != 0 else 0.0)


def _is_punctuation(char: str) -> bool:
    return char in string.punctuation or (
        not char.isascii() and unicodedata.category(char).startswith("P")
    )


def _occurs(span: str, spaced: str) -> bool:
    """Whether a span of tokens occurs in tokens with a space around each."""
    return bool(span) and f" {span} " in spaced


def _dpr_tokens(text: str) -> str:
    """The tokens of DPR's ``SimpleTokenizer``, lower case, with spaces between."""
    tokens = _dpr_token().findall(unicodedata.normalize("NFD", text))
    return " ".join(t for t in tokens if len(t) > 1 or t.isprintable()).lower()


@cache
def _dpr_token() -> re.Pattern[str]:
    """Letters, digits and marks, or one other sign; marks are listed, as ``re`` has no class."""
    signs = map(chr, range(0x300, sys.maxunicode + 1))
    marks = "".join(sign for sign in signs if unicodedata.category(sign).startswith("M"))
    return re.compile(rf"(?:[^\W_]+|[{marks}]+)+|\S")


def _bag_f1(said: Sequence[str], written: Sequence[str]) -> float:
    return _f1((Counter(said) & Counter(written)).total(), len(said), len(written))


def _f1(common: int, said: int, written: int) -> float:
    return 2 * common / (said + written) if common else 0.0


def _mean(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else float("nan")


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence, by bit-parallel rows (Hyyrö 2004).

    Bit i of the row is 0 where the subsequence grows at token i of ``first``.
    """
    places: dict[str, int] = {}
    for i, token in enumerate(first):
        places[token] = places.get(token, 0) | 1 << i
    full = (1 << len(first)) - 1
    row = full
    for token in second:
        matches = row & places.get(token, 0)
        row = ((row + matches) | (row - matches)) & full
    return len(first) - row.bit_count()
