"""CEG: an answer is drafted, verified sentence by sentence, and written anew where it is wrong.

Li et al. 2024, "Citation-Enhanced Generation for LLM-based Chatbots".
"""

from dataclasses import dataclass, replace
from typing import Literal

from veracite.engine.events import Chosen, Drafted, DraftKind, Segmented, Settled
from veracite.engine.methods import base
from veracite.engine.methods.answers import read, unanswered
from veracite.engine.methods.base import LookedUp, Method, Steps, Tools, unsupported_labels
from veracite.engine.settings import Retrieval, setting
from veracite.engine.skills.base import Draft, Writing
from veracite.engine.types import Answer, Label

Keep = Literal["best", "last"]


@dataclass(frozen=True, slots=True)
class CegSettings:
    """Of CEG."""

    k: int = setting(6, "Passages per claim (CEG, Table 1: 6; Table 2: 4).", within=(1, 50))
    t: float | None = setting(
        None,
        "Cosine under which a passage is dropped, the first one never (CEG, section 3.2: 0.5 of "
        "SimCSE; none takes what belongs to the encoder, -1 drops nothing).",
        within=(-1.0, 1.0),
    )
    T: int = setting(1, "Regenerations, at most (CEG, section 3.4; Table 17: 1).", within=(0, 20))
    keep: Keep = setting(
        "best", "Which answer is kept: the better supported, or the last one (the paper's)."
    )
    retrieval: Retrieval = setting("dense", "Where passages are looked for (CEG, section 3.2).")
    nonfactual: str = setting(
        "contradicted,not_found,uncertain",
        "Labels that count as nonfactual (CEG, section 3.3; FELM's and HaluEval's: contradicted).",
    )
    passages: int = setting(
        10, "Passages that an answer is regenerated from, at most (CEG gives all).", within=(1, 100)
    )

    def __post_init__(self) -> None:
        unsupported_labels("nonfactual", self.nonfactual)


@dataclass(frozen=True, slots=True)
class _Round:
    """An answer, verified."""

    answer: Answer
    found: tuple[LookedUp, ...]
    """Of each claim, in order."""

    @property
    def standing(self) -> tuple[float, int, float]:
        """How well it is supported: the higher the better."""
        labels = [one.label for one in self.answer.verdicts]
        checked = [label for label in labels if label is not Label.NOT_CHECKABLE]
        supported = [one.scores.supported for one in self.answer.verdicts if one.scores]
        return (
            checked.count(Label.SUPPORTED) / max(1, len(checked)),
            -checked.count(Label.CONTRADICTED),
            sum(supported) / max(1, len(supported)),
        )


def ceg(question: str, tools: Tools, settings: CegSettings) -> Steps[Answer]:
    """Drafts without documents, then verifies and regenerates until nothing is nonfactual.

    A round is one answer, verified. Regeneration goes on from the answer before, kept or not.
    """
    drafts = yield from tools.skills.answer(question, writing=Writing("plain"))
    draft = drafts[0] if drafts else Draft("")
    best: _Round | None = None
    seen: set[str] = set()
    for number in range(1, settings.T + 2):
        kind: DraftKind = "first" if number == 1 else "revised"
        yield Drafted(draft.text, kind, number, draft.mean_probability)
        current = yield from _verified(question, draft, number, tools, settings)
        best = yield from _chosen(best, current, number, settings.keep)
        if best is not None:
            yield Settled(best.answer)
        if current is None or number > settings.T:
            break
        seen.add(current.answer.text)
        draft = yield from _regenerated(question, current, tools, settings)
        if draft.text in seen:
            break
    return best.answer if best is not None else (yield from unanswered(question))


def _verified(
    question: str, draft: Draft, number: int, tools: Tools, settings: CegSettings
) -> Steps[_Round | None]:
    """The draft with a verdict for each claim; None if it says nothing."""
    written = read(question, draft.text)
    if not written.claims:
        return None
    yield Segmented(written.claims)
    own = tools.checking.search
    t = own.threshold if settings.t is None else settings.t
    search = replace(own, k=settings.k, mode=settings.retrieval, threshold=t)
    found = yield from tools.look_up(written.claims, search)
    verdicts = tuple(one.verdict for one in found)
    answer = Answer(question, written.text, verdicts, number, probability=draft.probability)
    return _Round(answer, found)


def _chosen(
    best: _Round | None, current: _Round | None, number: int, keep: Keep
) -> Steps[_Round | None]:
    """The round that is kept; an empty answer never is, if there is another."""
    if best is None or current is None:
        return current or best
    goes_on = keep == "last" or current.standing > best.standing
    kept, rejected = (current, best) if goes_on else (best, current)
    reason = "The last answer is kept." if keep == "last" else "It is better supported."
    if not goes_on:
        reason = "The new answer is not better supported."
    yield Chosen(kept.answer.text, rejected.answer.text, reason, number)
    return replace(kept, answer=replace(kept.answer, rounds=number))


def _regenerated(
    question: str, current: _Round, tools: Tools, settings: CegSettings
) -> Steps[Draft]:
    """The next answer (CEG, section 3.4); the same one if nothing in it is nonfactual.

    A model that only repeats the answer is asked again, by the passages alone: small ones copy what
    they are to correct.
    """
    labels = unsupported_labels("nonfactual", settings.nonfactual)
    wrong = [one for one in current.found if one.verdict.label in labels]
    if not wrong:
        return Draft(current.answer.text)
    claims = [one.verdict.claim for one in wrong]
    passages = base.passages_of(wrong, settings.passages)
    draft = yield from tools.skills.revise(current.answer.text, claims, passages, question)
    if draft.text == current.answer.text and passages:
        anew = yield from tools.skills.answer(question, passages, Writing("plain"))
        draft = anew[0] if anew else draft
    return draft


_FELM = {"k": 4, "nonfactual": "contradicted", "T": 0}

CEG = Method(
    "ceg",
    "drafts an answer, verifies each sentence, and regenerates what no document supports",
    CegSettings,
    ceg,
    {
        "wikibio-table1": {"k": 6, "T": 0},
        "felm-table2": _FELM,
        "halueval-table3": {"T": 1, "nonfactual": "contradicted", "keep": "last"},
        "felm-table4-without-threshold": {**_FELM, "t": -1.0},
    },
)
