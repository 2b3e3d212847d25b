"""The decision: the one place where labels are made.

Two logistic regressions over the network's probabilities and the checks, fitted by
``scripts/fit_decision.py``: is the claim supported, and is it contradicted? Each premise gets a
score for either side; the best premise of a side speaks for it, beside what all premises have of
the claim. What supports a claim is taken off what contradicts it: better uncertain than false. A
language model that has taken its exam (``veracite.engine.exam``) has a say besides: its log odds,
by the weight that the exam gave it.
"""

import hashlib
import json
import math
from collections.abc import Collection
from dataclasses import astuple, dataclass, replace
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.engine.errors import InputError
from veracite.engine.judge.checks import CHECKS, FEATURES, NOT_STATED, SOMETHING_ELSE, VERBATIM
from veracite.engine.judge.precedence import Precedence
from veracite.engine.judge.premises import Candidate, Premises
from veracite.engine.judge.tuning import Tuning
from veracite.engine.types import Claim, Label, Scores

Floats = NDArray[np.float64]

WORD_FOR_WORD = 0.98
"""The probability of a claim that stands word for word in the library. Chosen, not fitted."""
_BARRED = 0.3
"""What a premise says for the claim at most that has its words without stating them."""
_DENIES = 0.2
"""From this probability on it is asked whether a premise tells of something else."""
SURE = 0.92
"""From this one on a denial stands unasked."""
_SEVERAL = 3
"""Premises whose mean says whether more than one of them supports the claim."""
_HARDLY = 0.1
"""A premise is quoted in the place of a longer one that is likelier by less,"""
_MOST = 2 / 3
"""if it has this share of what that one has of the claim."""
PLAIN = 0.5
"""A side of this probability is plain: it disputes the other one, and is quoted beside it."""
_CHANCE = 0.5
"""Behind its question the verifier cannot tell "1904" from another year of the same passage: of 120
questions of NQ whose passage holds another thing of the kind that is asked, it prefers the right
one to 53 %."""
OF_SIDES = (Label.SUPPORTED, Label.CONTRADICTED)
_LEAST = 0.003
"""Probabilities nearer to 0 and 1 have the log odds of this one."""

PREMISE = ("network supported", "network contradicted", *(check.id for check in FEATURES))
"""What is known of a claim beside one premise, in order."""
CLAIM = ("similarity", "supported by more", "supported alone", "contradicted alone")
"""What is known of a claim beside all of its premises, in order."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What the network and the checks say of a claim, premise by premise."""

    premises: Premises
    probabilities: NDArray[np.float32]
    """Of each premise (supported, neutral, contradicted)."""
    apart: tuple[str | None, ...]
    """Of each premise why it does not contradict the claim, though it seems to."""
    beside: Floats
    """Of each premise the values of ``PREMISE``."""
    whole: Floats
    """The values of ``CLAIM``."""
    say: Floats
    """What a language model adds to the log odds of each side, shape (premises, 2)."""

    @classmethod
    def of(
        cls, premises: Premises, probabilities: NDArray[np.float32], *, barring: bool = True
    ) -> "Reading":
        """Measure what the decision goes by.

        Args:
            barring: Whether what tells of something else denies nothing.
        """
        against = probabilities[:, 2]
        asked = barring & (against >= _DENIES) & (against < SURE)
        why = tuple(
            SOMETHING_ELSE.value(premises, premise) if ask else None
            for premise, ask in zip(premises.premises, asked, strict=True)
        )
        believed = probabilities.copy()
        believed[[told is not None for told in why], 2] = 0.0
        rows = []
        for premise, (supported, _, contradicted) in zip(premises.premises, believed, strict=True):
            checks = (check.value(premises, premise) for check in FEATURES)
            rows.append([log_odds(supported), log_odds(contradicted), *checks])
        most = np.sort(believed[:, 0])[-_SEVERAL:].mean()
        near = max((i.cosine for i in premises.evidence if i.cosine is not None), default=0.5)
        alone = believed[[one.kind == "sentence" for one in premises.premises]].max(axis=0)
        whole = np.array([near, *map(log_odds, (most, alone[0], alone[2]))])
        return cls(premises, probabilities, why, np.array(rows), whole, np.zeros((len(rows), 2)))

    def cannot_support(self, asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Of the premises asked about, those that have of the claim what they do not state."""
        both = zip(asked, self.premises.premises, strict=True)
        return np.array([bool(a) and NOT_STATED.value(self.premises, one) for a, one in both])

    @cached_property
    def verbatim(self) -> Candidate | None:
        """The sentence that says the claim word for word, if there is one."""
        return next((c for c in self.premises.candidates if VERBATIM.value(self.premises, c)), None)

    @property
    def elsewhere(self) -> int | None:
        """The place of the premise that most seems to deny the claim, if it tells of something
        else."""
        place = int(self.probabilities[:, 2].argmax())
        return None if self.apart[place] is None else place

    def nearest(self, place: int) -> Candidate:
        """The sentence of a premise that has most of the claim."""
        return self.premises.nearest(self.premises.premises[place])

    def place_of(self, candidate: Candidate) -> int:
        """The premise that a sentence is best read in."""
        read = [
            (len(premise.text), place)
            for place, premise in enumerate(self.premises.premises)
            if any(c.sentence is candidate.sentence for c in premise.candidates)
        ]
        return min(read, default=(0, 0))[1]


@dataclass(frozen=True)
class Side:
    """One logistic regression: of what supports a claim, or of what contradicts it."""

    premise: Floats
    """Weight of each value of ``PREMISE``."""
    claim: Floats
    """Weight of each value of ``CLAIM``."""
    intercept: float

    def probabilities(self, reading: Reading, say: Floats) -> Floats:
        """The probability of the side by each premise; ``say`` is added to their log odds."""
        scores = reading.beside @ self.premise + reading.whole @ self.claim + self.intercept
        return 1 / (1 + np.exp(-scores - say))


@dataclass(frozen=True, slots=True)
class Say:
    """How a language model's log odds of one side are counted."""

    weight: float = 0.0
    centre: float = 0.0
    """Log odds that speak for neither."""

    def of(self, log_odds: Floats) -> Floats:
        """What is added to the verifier's log odds, of any shape; nothing where these are nan."""
        return np.nan_to_num(self.weight * (log_odds - self.centre))


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
    preferred: str = ""
    """The rule that decided between documents that disagree."""

    @property
    def disputed(self) -> bool:
        """Whether the library plainly says both."""
        least = min(self.supporting[0][1], self.contradicting[0][1])
        return self.label is Label.UNCERTAIN and least >= PLAIN


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
            checks: Ids of ``CHECKS``.

        Raises:
            InputError: There is no such check.
        """
        known = {check.id for check in CHECKS}
        if unknown := [check for check in checks if check not in known]:
            advice = f"The checks are {', '.join(sorted(known))}."
            raise InputError(f"There is no check named {unknown[0]!r}.", advice)
        if not checks:
            return self
        kept = np.array([name not in checks for name in PREMISE])
        sides = [replace(s, premise=s.premise * kept) for s in (self.support, self.contradiction)]
        name = f"{self.id} without {', '.join(sorted(checks))}"
        return Decision(sides[0], sides[1], name, frozenset(checks))

    def decide(
        self,
        reading: Reading,
        uncertain_below: float,
        *,
        tuning: Tuning | None = None,
        scores: Scores | None = None,
        precedence: Precedence | None = None,
    ) -> Decided:
        """The label of a claim.

        Args:
            reading: What the network and the checks say.
            uncertain_below: A leading reading less probable than this is *uncertain*.
            tuning: A person's own calibration.
            scores: Of another judge, in the place of the fitted ones; the premises then say what
                that judge says of them.
            precedence: Which of documents that disagree decides.
        """
        if SOMETHING_ELSE.id in self.left_out:
            plain = Reading.of(reading.premises, reading.probabilities, barring=False)
            reading = replace(plain, say=reading.say)
        bare = reading.probabilities.astype(np.float64).T
        supported, contradicted = self.sides(reading) if scores is None else (bare[0], bare[2])
        held, against = float(supported.max()), float(contradicted.max())
        supporting, contradicting = _placed(supported, bare[0]), _placed(contradicted, bare[2])
        if scores is None:
            scores = Scores(held, (1 - held) * (1 - against), (1 - held) * against)
        verbatim = None if VERBATIM.id in self.left_out else reading.verbatim
        if verbatim is not None:
            scores = Scores(WORD_FOR_WORD, 1 - WORD_FOR_WORD, 0.0)
            place = reading.place_of(verbatim)
            supporting = ((place, WORD_FOR_WORD), *(o for o in supporting if o[0] != place))
        elif tuning is not None:
            scores = tuning.apply(scores)
        sides, told, led = [supporting, contradicting], "", None
        if differ := _differ(reading, supporting, contradicting):
            places = ([place for place, sure in side if sure >= PLAIN] for side in sides)
            nearest = ([reading.nearest(place).passage for place in side] for side in places)
            if chosen := precedence and precedence.between(
                *(map(precedence.files, passages) for passages in nearest)
            ):
                side, place = sides[chosen.side], chosen.place
                sides[chosen.side] = (side[place], *side[:place], *side[place + 1 :])
                told, led = chosen.told, (OF_SIDES[chosen.side], side[place][1])
        label, probability = label_of(
            reading.premises.claim,
            scores,
            uncertain_below=uncertain_below,
            supported_from=tuning.supported_from if tuning else 0.0,
            differ=differ and verbatim is None,
            led=led,
        )
        if not told and verbatim is None:
            sides = [_shortest_first(reading, side) for side in sides]
        return Decided(label, probability, scores, sides[0], sides[1], verbatim, told)

    def sides(self, reading: Reading) -> tuple[Floats, Floats]:
        """What each premise says for the claim and against it, as probabilities."""
        supports = self.support.probabilities(reading, reading.say[:, 0])
        denies = self.contradiction.probabilities(reading, reading.say[:, 1])
        if NOT_STATED.id not in self.left_out:
            barred = reading.cannot_support(supports >= _BARRED)
            supports = np.where(barred, np.minimum(supports, _BARRED), supports)
        return supports, denies


def label_of(
    claim: Claim,
    scores: Scores | None = None,
    *,
    uncertain_below: float = 0.0,
    supported_from: float = 0.0,
    differ: bool = False,
    led: tuple[Label, float] | None = None,
    few_words: bool = False,
) -> tuple[Label, float]:
    """The label of a claim, and the probability that it is right; no other function makes one.

    Args:
        claim: What is judged.
        scores: None where there was nothing to read.
        uncertain_below: A leading reading less probable than this is *uncertain*; the probability
            then is the leading reading's.
        supported_from: The same for *supported* alone.
        differ: Whether documents plainly say both.
        led: The label, and its probability, of the document that then decides.
        few_words: Whether it is a few words behind their question that seem to be supported.
    """
    if few_words:
        return Label.UNCERTAIN, _CHANCE
    if scores is None:
        return (Label.NOT_FOUND if claim.not_checkable is None else Label.NOT_CHECKABLE), 1.0
    if led is not None:
        return led
    if differ:
        return Label.UNCERTAIN, max(scores.supported, scores.contradicted)
    labels = (Label.SUPPORTED, Label.NOT_FOUND, Label.CONTRADICTED)
    probability, label = max(zip(astuple(scores), labels, strict=True), key=lambda one: one[0])
    least = max(uncertain_below, supported_from if label is Label.SUPPORTED else 0.0)
    return (Label.UNCERTAIN if probability < least else label), probability


def of_both(supported: float, contradicted: float) -> Scores:
    """The scores of a sentence that its citations support and another passage denies: half of what
    both claim is each's.

    Args:
        supported: How probably its citations support it.
        contradicted: How probably the other passage denies it.
    """
    held = supported * (1 - contradicted / 2)
    against = contradicted * (1 - supported / 2)
    return Scores(round(held, 4), round(1 - held - against, 4), round(against, 4))


def _placed(probabilities: Floats, read: Floats) -> Placed:
    """The premises that a side rests on: the best one, and further ones that the network, too,
    reads so; what all premises have of the claim makes one likelier that it does not."""
    order, sure = np.argsort(-probabilities, kind="stable"), np.minimum(probabilities, read)
    places = [at for at in order.tolist() if at == order[0] or sure[at] >= PLAIN]
    return tuple((place, float(probabilities[place])) for place in places)


def _shortest_first(reading: Reading, placed: Placed) -> Placed:
    """The premises of a side, led by the one of fewest sentences among those that are hardly less
    likely than the best and have most of what it has of the claim: the rest may be beside the
    point."""
    terms, premises = reading.premises.terms, reading.premises.premises
    has = {place: terms.share(terms.found(premises[place].text)) for place, _ in placed}
    best, sure = placed[0]
    least, most = max(sure - _HARDLY, PLAIN), _MOST * has[best]
    near = [one for one in placed if one[1] >= least and has[one[0]] >= most] or placed[:1]
    lead = min(near, key=lambda one: len(premises[one[0]].candidates))
    return lead, *(one for one in placed if one != lead)


def _differ(reading: Reading, supporting: Placed, contradicting: Placed) -> bool:
    """Whether two sentences that have nothing in common plainly say the opposite."""
    best = (supporting[0], contradicting[0])
    read = [reading.premises.premises[place].candidates for place, _ in best]
    mine, theirs = ({c.sentence.text for c in candidates} for candidates in read)
    return min(sure for _, sure in best) >= PLAIN and not mine & theirs


def log_odds(probability: float) -> float:
    """Of a probability, those near 0 and 1 taken for ``_LEAST`` from it."""
    sure = min(max(float(probability), _LEAST), 1 - _LEAST)
    return math.log(sure / (1 - sure))


@lru_cache(maxsize=1)
def bundled_decision() -> Decision:
    """The decision that ships with the package."""
    raw = resources.files("veracite.engine.judge").joinpath("decision.json").read_bytes()
    data, values = json.loads(raw), {"premise": PREMISE, "claim": CLAIM}

    def side(fitted: dict[str, Any]) -> Side:
        one, whole = (np.array([fitted[of][key] for key in keys]) for of, keys in values.items())
        return Side(one, whole, fitted["intercept"])

    name = f"decision-{data['version']} {hashlib.sha256(raw).hexdigest()[:12]}"
    return Decision(side(data["support"]), side(data["contradiction"]), name)
