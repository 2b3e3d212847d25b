"""The decision: the one place where a label is made.

Two logistic regressions over the network's probabilities and the checks, fitted by
``scripts/fit_decision.py``: is the claim supported, and if it is not, is it contradicted? Each
premise gets a score for either side; the best premise of a side speaks for it, beside what all
premises have of the claim.
"""

import hashlib
import json
import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from veracite.engine.errors import InputError
from veracite.engine.judge.checks import CHECKS, Beside
from veracite.engine.judge.premises import Candidate, Premises
from veracite.engine.judge.sameness import apart
from veracite.engine.judge.tuning import Tuning
from veracite.engine.judge.verbatim import cannot_support
from veracite.engine.types import Label, Scores

Floats = NDArray[np.float64]

VERBATIM = 0.98
"""The probability of a claim that stands word for word in the library. Chosen, not fitted."""
SURE = {Label.SUPPORTED: 0.6, Label.CONTRADICTED: 0.67}
"""A claim is called so from this probability on. Chosen on the first strangers' set; 0.67
and not 0.65 knowing same_subject.json, too (8 of its 91 false ones for 9)."""
_BARRED = 0.3
"""What a premise says for its side at most that has the claim's words without stating them, or
tells of another subject, time or case."""
_DENIES = 0.5
"""A premise of this probability seems to deny the claim, whatever sets the two apart."""
_SEVERAL = 3
"""Premises whose mean says whether a side rests on more than one of them."""
_PLAIN = 0.8
"""A side of this probability is plain."""
_LEAST = 0.003
"""Probabilities nearer to 0 and 1 have the log odds of this one."""

VETOES = {
    "verbatim": "the claim stands in the library as a sentence of its own",
    "not stated": "a sentence has the claim's words and only quotes, plans or denies them, or has "
    "them of somebody else",
    "something else": "a sentence that seems to deny the claim is about another subject, time or "
    "case",
}
"""What no weight can say: these decide, or keep a premise from deciding."""
PREMISE = (
    "network supported",
    "network contradicted",
    *(check.id for check in CHECKS),
)
"""What is known of a claim beside one premise, in order."""
CLAIM = (
    "similarity",
    "supported by more",
    "contradicted by more",
)
"""What is known of a claim beside all of its premises, in order."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What the network and the checks say of a claim, premise by premise."""

    premises: Premises
    probabilities: NDArray[np.float32]
    """Of each premise (supported, neutral, contradicted)."""
    beside: Floats
    """Of each premise the values of ``PREMISE``."""
    whole: Floats
    """The values of ``CLAIM``."""

    @classmethod
    def of(cls, premises: Premises, probabilities: NDArray[np.float32]) -> "Reading":
        """Measure what the decision goes by."""
        claim, terms = premises.claim, premises.terms
        rows = []
        for premise, (supported, _, contradicted) in zip(
            premises.premises, probabilities, strict=True
        ):
            beside = Beside(claim, terms, premise)
            checks = (check.value(beside) for check in CHECKS)
            rows.append([log_odds(supported), log_odds(contradicted), *checks])
        most = np.sort(probabilities, axis=0)[-_SEVERAL:].mean(axis=0)
        whole = [
            max((i.cosine for i in premises.evidence if i.cosine is not None), default=0.5),
            log_odds(most[0]),
            log_odds(most[2]),
        ]
        return cls(premises, probabilities, np.array(rows), np.array(whole))

    @property
    def sides(self) -> tuple[Floats, Floats]:
        """The bare probabilities that each premise supports and contradicts the claim."""
        rows = self.probabilities.astype(np.float64)
        return rows[:, 0], rows[:, 2]

    def cannot_support(self, asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Of the premises asked about, those that have of the claim what they do not state."""
        claim = self.premises.claim
        return np.array(
            [bool(ask) and cannot_support(claim, self.nearest(at)) for at, ask in enumerate(asked)]
        )

    def cannot_contradict(self, asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Of the premises asked about, those that tell of another subject, time or case."""
        return np.array([bool(ask) and self.apart(at) is not None for at, ask in enumerate(asked)])

    def apart(self, place: int) -> str | None:
        """Why a premise does not contradict the claim; None if nothing sets them apart."""
        return apart(self.premises.claim, self.nearest(place))

    def nearest(self, place: int) -> Candidate:
        """The sentence of a premise that has most of the claim."""
        terms = self.premises.terms
        candidates = self.premises.premises[place].candidates
        return max(candidates, key=lambda c: terms.share(terms.found(c.text)))

    def place_of(self, candidate: Candidate) -> int:
        """The premise that a sentence is best read in."""
        own = [
            place
            for place, premise in enumerate(self.premises.premises)
            if any(c.sentence is candidate.sentence for c in premise.candidates)
        ]
        return min(own, key=lambda place: len(self.premises.premises[place].text), default=0)


@dataclass(frozen=True)
class Side:
    """One logistic regression: of what supports a claim, or of what contradicts it."""

    premise: Floats
    """Weight of each value of ``PREMISE``."""
    claim: Floats
    """Weight of each value of ``CLAIM``."""
    intercept: float

    def probabilities(self, reading: Reading) -> Floats:
        """The probability of the side by each premise."""
        scores = reading.beside @ self.premise + reading.whole @ self.claim + self.intercept
        found: Floats = 1 / (1 + np.exp(-scores))
        return found


Placed = tuple[tuple[int, float], ...]
"""Places of premises with the probability that each of them gives to its side, best first."""


@dataclass(frozen=True)
class Decided:
    """A label and what it rests on."""

    label: Label
    probability: float
    """That the label is right; of *uncertain* that of the likeliest reading."""
    scores: Scores
    supporting: Placed
    """The premises that support the claim by themselves."""
    contradicting: Placed
    verbatim: Candidate | None = None
    """The sentence that says the claim word for word."""
    apart: int | None = None
    """The place of a premise that seems to deny the claim and tells of something else."""

    @property
    def disputed(self) -> bool:
        """Whether the library plainly says both."""
        return self.label is Label.UNCERTAIN and all(
            side and side[0][1] >= _PLAIN for side in (self.supporting, self.contradicting)
        )


@dataclass(frozen=True)
class Decision:
    """The fitted weights and bars."""

    support: Side
    contradiction: Side
    id: str
    """Name and the start of the file's SHA-256."""
    left_out: frozenset[str] = frozenset()
    """Checks that are passed over, to see what they are worth."""

    def without(self, checks: Collection[str]) -> "Decision":
        """The decision with some of its checks passed over.

        Args:
            checks: Ids of ``CHECKS`` or of ``VETOES``.

        Raises:
            InputError: There is no such check.
        """
        known = {check.id for check in CHECKS} | VETOES.keys()
        for check in checks:
            if check not in known:
                raise InputError(
                    f"There is no check named {check!r}.",
                    f"The checks are {', '.join(sorted(known))}.",
                )
        if not checks:
            return self
        kept = np.array([name not in checks for name in PREMISE])
        return replace(
            self,
            support=replace(self.support, premise=self.support.premise * kept),
            contradiction=replace(self.contradiction, premise=self.contradiction.premise * kept),
            id=f"{self.id} without {', '.join(sorted(checks))}",
            left_out=frozenset(checks),
        )

    def decide(
        self,
        reading: Reading,
        uncertain_below: float,
        *,
        tuning: Tuning | None = None,
        verbatim: Candidate | None = None,
        scores: Scores | None = None,
    ) -> Decided:
        """The label of a claim; nothing changes it afterwards.

        Args:
            reading: What the network and the checks say.
            uncertain_below: A leading reading less probable than this is *uncertain*.
            tuning: A person's own calibration.
            verbatim: The sentence that says the claim word for word, if there is one.
            scores: Of another judge, in the place of the fitted ones; the premises then say what
                that judge says of them.
        """
        supported, contradicted = self._sides(reading) if scores is None else reading.sides
        held, against = float(supported.max()), float(contradicted.max())
        supporting, contradicting = _placed(supported), _placed(contradicted)
        if scores is None:
            scores = Scores(held, (1 - held) * (1 - against), (1 - held) * against)
        if "verbatim" in self.left_out:
            verbatim = None
        if verbatim is not None:
            scores = Scores(VERBATIM, 1 - VERBATIM, 0.0)
            place = reading.place_of(verbatim)
            supporting = ((place, VERBATIM), *(one for one in supporting if one[0] != place))
        elif tuning is not None:
            scores = tuning.apply(scores)
        label, probability = label_of(scores, uncertain_below)
        if label is Label.SUPPORTED and tuning and probability < tuning.supported_from:
            label = Label.UNCERTAIN
        if (
            verbatim is None
            and supporting
            and contradicting
            and _differ(reading, supporting, contradicting)
        ):
            label, probability = Label.UNCERTAIN, max(scores.supported, scores.contradicted)
        denies = int(reading.probabilities[:, 2].argmax())
        is_apart = (
            label in (Label.NOT_FOUND, Label.UNCERTAIN)
            and reading.probabilities[denies, 2] >= _DENIES
            and reading.apart(denies) is not None
        )
        decided = Decided(label, probability, scores, supporting, contradicting, verbatim)
        return replace(decided, apart=denies) if is_apart else decided

    def _sides(self, reading: Reading) -> tuple[Floats, Floats]:
        """What each premise says for the claim and against it, as probabilities."""
        supports = self.support.probabilities(reading)
        denies = self.contradiction.probabilities(reading)
        if "not stated" not in self.left_out:
            barred = reading.cannot_support(supports >= _BARRED)
            supports = np.where(barred, np.minimum(supports, _BARRED), supports)
        if "something else" not in self.left_out:
            barred = reading.cannot_contradict(denies >= _BARRED)
            denies = np.where(barred, np.minimum(denies, _BARRED), denies)
        return supports, denies


def label_of(scores: Scores, uncertain_below: float) -> tuple[Label, float]:
    """The label of three scores, and the probability that it is right.

    Args:
        scores: Of the claim.
        uncertain_below: A leading reading less probable than this is *uncertain*; the probability
            then is the leading reading's. What is supported or contradicted has to be as probable
            as ``SURE`` says besides.
    """
    readings = (
        (scores.supported, Label.SUPPORTED),
        (scores.neutral, Label.NOT_FOUND),
        (scores.contradicted, Label.CONTRADICTED),
    )
    probability, label = max(readings, key=lambda reading: reading[0])
    least = max(uncertain_below, SURE.get(label, 0.0))
    return (label if probability >= least else Label.UNCERTAIN), probability


def _placed(probabilities: Floats) -> Placed:
    """The premises that a side rests on: the best one, and further ones likelier than not."""
    order = np.argsort(-probabilities, kind="stable").tolist()
    return tuple(
        (place, float(probabilities[place])) for place in order if probabilities[place] >= 0.5
    ) or ((order[0], float(probabilities[order[0]])),)


def _differ(reading: Reading, supporting: Placed, contradicting: Placed) -> bool:
    """Whether two sentences that have nothing in common plainly say the opposite."""
    (one, held), (other, against) = supporting[0], contradicting[0]
    if min(held, against) < _PLAIN:
        return False
    mine, theirs = (
        {c.sentence.text for c in reading.premises.premises[place].candidates}
        for place in (one, other)
    )
    return not mine & theirs


def log_odds(probability: float) -> float:
    """Of a probability, those near 0 and 1 taken for ``_LEAST`` from it."""
    sure = min(max(float(probability), _LEAST), 1 - _LEAST)
    return math.log(sure / (1 - sure))


@lru_cache(maxsize=1)
def bundled_decision() -> Decision:
    """The decision that ships with the package."""
    raw = resources.files("veracite.engine.judge").joinpath("decision.json").read_bytes()
    data = json.loads(raw)

    def side(name: str) -> Side:
        given = data[name]
        return Side(
            np.array([given["premise"][key] for key in PREMISE]),
            np.array([given["claim"][key] for key in CLAIM]),
            float(given["intercept"]),
        )

    return Decision(
        side("support"),
        side("contradiction"),
        f"decision-{data['version']} {hashlib.sha256(raw).hexdigest()[:12]}",
    )
