"""Claims judged without documents, by what a language model knows (CEG, section 5.3.1)."""

from collections.abc import Sequence

from veracite.engine.errors import SettingsError
from veracite.engine.events import Judged
from veracite.engine.judge.judge import not_checkable
from veracite.engine.methods.base import Steps, Tools
from veracite.engine.methods.lookups import LookedUp
from veracite.engine.skills.base import Task
from veracite.engine.types import Claim, Label, Scores, Verdict


def judged_by_knowledge(
    question: str, claims: Sequence[Claim], tools: Tools
) -> Steps[tuple[tuple[LookedUp, ...], tuple[Label, ...]]]:
    """What the model takes each claim to be, without documents (CEG, Table 13).

    No verdict says supported or contradicted, for there is nothing to quote.

    Returns:
        Each claim's verdict, and the label that the model's opinion comes to.

    Raises:
        SettingsError: The skills know nothing without documents.
    """
    asked = [claim for claim in claims if claim.not_checkable is None]
    judged = yield from tools.skills.judge([Task(one, (), question) for one in asked], joint=True)
    if asked and not any(judgement.joint for judgement in judged):
        raise SettingsError(
            "The skills in use cannot judge without documents.",
            "Name a language model with --model FILE.gguf, or leave retrieve at true.",
        )
    scores = iter(judgement.joint for judgement in judged)
    found, labels = [], []
    for index, claim in enumerate(claims):
        if claim.not_checkable is not None:
            verdict, label = not_checkable(claim), Label.NOT_CHECKABLE
        else:
            verdict, label = _taken(claim, next(scores), tools.skills.id)
        yield Judged(index, verdict, cached=False, done=index + 1, total=len(claims))
        found.append(LookedUp(verdict, ()))
        labels.append(label)
    return tuple(found), tuple(labels)


def _taken(claim: Claim, scores: Scores | None, judge: str) -> tuple[Verdict, Label]:
    """An uncertain verdict, and what the model takes the claim to be."""
    said, label = "did not say whether it takes this to be true", Label.UNCERTAIN
    if scores is not None:
        opinions = (
            (scores.supported, Label.SUPPORTED, "takes this to be true"),
            (scores.neutral, Label.NOT_FOUND, "does not know whether this is true"),
            (scores.contradicted, Label.CONTRADICTED, "takes this to be false"),
        )
        _, label, said = max(opinions, key=lambda opinion: opinion[0])
    told = f"No document was looked up; the language model {said}."
    return Verdict(claim, Label.UNCERTAIN, 1.0, scores, judge, told), label
