"""What the verifier says of one claim, and which sentence says the claim word for word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from veracite.engine.comparing.premises import Candidate, Premises
from veracite.engine.facts.measures import Measure, measures
from veracite.engine.facts.rows import says_row, wording
from veracite.engine.wording.overlap import Word, content_words
from veracite.engine.wording.phrases import PRONOUNS

__all__ = ["Reading", "agreed"]

_SOME_WORDS = 3
"""Words that carry weight, at least, of a claim that can be quoted word for word."""
_LEAST = 1e-6
"""What a probability counts as at least, where several are multiplied."""
_NUMBER = re.compile(r"\(?\d{1,3}[.)]\s+")
"""Of a list's item."""


def agreed(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """One row of what is read of a premise's forms: the normalised geometric mean of theirs.

    Args:
        rows: Probabilities of each form, shape (forms, 3).
    """
    if len(rows) == 1:
        row: NDArray[np.float32] = rows[0]
        return row
    mean = np.exp(np.log(np.maximum(rows, _LEAST).astype(np.float64)).mean(axis=0))
    shares: NDArray[np.float32] = (mean / mean.sum()).astype(np.float32)
    return shares


@dataclass(frozen=True)
class Reading:
    """What the verifier says of one claim, premise by premise."""

    premises: Premises
    probabilities: NDArray[np.float32]
    """One row (supported, neutral, contradicted) for each of ``premises.forms``."""
    pertains: bool = True
    """Whether the documents speak of the claim's subject."""
    off_subject: int = 0
    """Passages found of documents that do not; ``premises`` hold them only if no other was."""

    @property
    def of_passages(self) -> NDArray[np.float32]:
        """The rows of the passages alone."""
        return self.probabilities[: len(self.premises.evidence)]

    @property
    def of_sentences(self) -> NDArray[np.float32]:
        """The rows of the sentences judged alone."""
        return self.probabilities[len(self.premises.evidence) : -1]

    @property
    def jointly(self) -> NDArray[np.float32]:
        """The row of the joint premise."""
        row: NDArray[np.float32] = self.probabilities[-1]
        return row

    @cached_property
    def said(self) -> tuple[Word, ...]:
        """The claim's words that carry weight."""
        return content_words(self.premises.claim.statement)

    @cached_property
    def nearest(self) -> Candidate:
        """The sentence that covers most of the claim."""
        return self.premises.candidates[0]

    @cached_property
    def verbatim(self) -> Candidate | None:
        """A sentence, or a table's row, that says the claim word for word; None if there is none.

        A claim of a few words, or one whose pronoun may mean another, is not said by who uses the
        same words.
        """
        claim = self.premises.claim
        own = wording(claim.statement)
        if len(self.said) < _SOME_WORDS or claim.resolved or own[0] in PRONOUNS:
            return None
        candidates = self.premises.candidates
        said = next((c for c in candidates if self._says(c, own)), None)
        return said or next(filter(None, (self._listed(c, own) for c in candidates)), None)

    def _says(self, candidate: Candidate, own: Sequence[str]) -> bool:
        if wording(candidate.sentence.text) == own:
            return True
        beside = [c.sentence.text for c in self.premises.candidates if c.rank == candidate.rank]
        return says_row(own, candidate.sentence.text, beside)

    def _listed(self, lead: Candidate, own: Sequence[str]) -> Candidate | None:
        """A sentence that ends in a colon together with the items behind it that a claim has."""
        if not lead.sentence.text.endswith(":"):
            return None
        text, last = lead.sentence.text, lead.sentence
        behind = [c.sentence for c in self.premises.candidates if c.rank == lead.rank]
        for item in sorted(behind, key=lambda sentence: sentence.start):
            if item.start <= lead.sentence.start:
                continue
            text, last = f"{text} {_NUMBER.sub('', item.text, count=1)}", item
            said = wording(text)
            if said == own:
                return replace(lead, sentence=replace(lead.sentence, end=last.end, text=text))
            if said != own[: len(said)]:
                return None
        return None

    @cached_property
    def figures(self) -> tuple[Measure, ...]:
        """The claim's numbers and dates."""
        return measures(self.premises.claim.statement)
