"""The sentences of an answer that VTG writes one by one."""

from collections.abc import Sequence

from veracite.engine.claims.citation_marks import without_marks
from veracite.engine.methods.statements import claims_of
from veracite.engine.types import Claim
from veracite.engine.wording.overlap import content_words

_CLOSING = "\"'”’)"
_ENDS = (".", "!", "?", "…", ":")


def plain(said: str) -> str:
    """A sentence as an answer has it: without citation marks and line breaks."""
    return " ".join(without_marks(said).split())


def continued(text: str, sentence: str) -> str:
    """An answer with a sentence more; one that was left open in front of it gets its full stop."""
    if not text:
        return sentence
    closed = text.rstrip(_CLOSING).endswith(_ENDS)
    return f"{text}{'' if closed else '.'} {sentence}"


def next_claim_of(question: str, text: str, sentence: str) -> Claim | None:
    """What a sentence states behind the text that it follows; None if it has no words.

    Its span is its place in the text. A sentence that is cut or joined to the one before it when
    the whole is segmented is one claim all the same, as it stands.
    """
    whole = continued(text, sentence)
    start = len(whole) - len(sentence)
    claims = [claim for claim in claims_of(question, whole) if claim.end > start]
    if len(claims) == 1 and claims[0].start >= start:
        return claims[0]
    return Claim(sentence, start, len(whole), sentence, sentence) if claims else None


def repeats(sentence: str, before: Sequence[str]) -> bool:
    """Whether one of the sentences before has all the words of a sentence that carry weight."""
    own = _stems(sentence)
    return any(own <= _stems(one) for one in before)


def _stems(sentence: str) -> set[str]:
    return {word.stem for word in content_words(sentence)}
