"""What the verifier reads: a claim's passages, their best sentences, and these joined.

CEG (section 3.3) judges a claim against all its documents at once. Here each premise keeps its
source, so that a verdict can cite: every passage alone, the sentences nearest to the claim alone,
and one joint premise of the sentences that together cover most of the claim.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from veracite.engine.overlap import Word, content_words, coverage
from veracite.engine.words import Claim
from veracite.index.documents import Evidence, Passage, Sentence

__all__ = ["Candidate", "Premises", "compose", "passage_premise"]

_SENTENCES = 6
"""How many sentences are judged alone."""
_JOINED = 5
"""How many sentences the joint premise holds at most."""
_JOINT = " … "


@dataclass(frozen=True)
class Candidate:
    """A sentence of a retrieved passage that a verdict may quote."""

    passage: Passage
    rank: int
    """Place of its passage among the claim's evidence, from 0."""
    sentence: Sentence

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its own words and its heading's."""
        return frozenset(word.stem for word in content_words(self.premise))

    @cached_property
    def premise(self) -> str:
        """The sentence with its heading in front."""
        return _under(self.passage.heading, self.sentence.text)


@dataclass(frozen=True)
class Premises:
    """All that one claim is judged against."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    candidates: tuple[Candidate, ...]
    """Every sentence of the passages, best lexical coverage of the claim first."""
    judged: tuple[Candidate, ...]
    """Of these, the ones that are judged alone."""
    joined: tuple[Candidate, ...]
    """The ones that stand in the joint premise, in order of evidence and position."""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """(premise, hypothesis): the passages, then the judged sentences, then the joint one."""
        hypothesis = self.claim.hypothesis
        premises = [passage_premise(item.passage) for item in self.evidence]
        premises += [candidate.premise for candidate in self.judged]
        premises.append(joint_premise(self.joined))
        return [(premise, hypothesis) for premise in premises]


def passage_premise(passage: Passage) -> str:
    """A passage as the verifier was trained to read it: its heading in front."""
    return _under(passage.heading, passage.text)


def joint_premise(candidates: Sequence[Candidate]) -> str:
    """Sentences of several passages in one premise; each heading is said once."""
    parts: list[str] = []
    heading: str | None = None
    for candidate in candidates:
        own = candidate.passage.heading
        parts.append(candidate.sentence.text if own == heading else candidate.premise)
        heading = own
    return _JOINT.join(parts)


def _under(heading: str | None, text: str) -> str:
    return f"{heading}: {text}" if heading else text


def compose(
    claim: Claim,
    evidence: Sequence[Evidence],
    sentences: Callable[[Passage], Sequence[Sentence]],
    fits: Callable[[str, str], bool],
) -> Premises:
    """Lays out what a claim is judged against.

    Args:
        claim: What is judged.
        evidence: Its passages, best first.
        sentences: Cuts a passage into its sentences.
        fits: Whether the verifier reads all of a premise beside a claim; the joint premise is
            kept to what does.
    """
    said = content_words(claim.statement)
    found = [
        Candidate(item.passage, rank, sentence)
        for rank, item in enumerate(evidence)
        for sentence in sentences(item.passage) or (_whole(item.passage),)
    ]
    ordered = sorted(found, key=lambda c: (-coverage(said, c.stems), c.rank, c.sentence.start))
    return Premises(
        claim=claim,
        evidence=tuple(evidence),
        candidates=tuple(ordered),
        judged=tuple(ordered[:_SENTENCES]),
        joined=_jointly(said, ordered, lambda premise: fits(premise, claim.hypothesis)),
    )


def _whole(passage: Passage) -> Sentence:
    return Sentence(passage.start, passage.end, passage.page, passage.text)


def _jointly(
    said: Sequence[Word], candidates: Sequence[Candidate], fits: Callable[[str], bool]
) -> tuple[Candidate, ...]:
    """Greedily the sentences that add most to what is covered of the claim."""
    chosen: list[Candidate] = []
    covered: set[str] = set()
    rest = list(candidates)
    while rest and len(chosen) < _JOINED:
        best = max(rest, key=lambda c: coverage(said, c.stems | covered))  # the first of equals
        if chosen and coverage(said, best.stems | covered) <= coverage(said, covered):
            best = rest[0]  # nothing new to cover: the next best on its own
        rest.remove(best)
        if chosen and not fits(joint_premise(_in_order([*chosen, best]))):
            continue
        chosen.append(best)
        covered |= best.stems
    return tuple(_in_order(chosen))


def _in_order(candidates: Sequence[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda c: (c.rank, c.sentence.start))
