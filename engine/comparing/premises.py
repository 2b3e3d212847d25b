"""What the verifier reads: a claim's passages, their best sentences, and these joined.

CEG (section 3.3) judges a claim against all its documents at once. Here each premise keeps its
source, so that a verdict can cite: every passage alone, the sentences nearest to the claim alone,
and one joint premise of the sentences that together cover most of the claim.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from veracite.engine.comparing.introductions import introduced
from veracite.engine.comparing.telling import tells
from veracite.engine.facts.rephrasing import in_terms_of
from veracite.engine.facts.rows import under_names
from veracite.engine.facts.short_names import in_full, short_forms
from veracite.engine.wording.complements import denied_alike
from veracite.engine.wording.overlap import Word, content_words, coverage
from veracite.engine.words import Claim
from veracite.index.documents import Document, Evidence, Passage, Sentence

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
    reworded: str | None = None
    """What the sentence says in the claim's own terms, if that is to be read instead."""
    introduced: str | None = None
    """Whom a document without headings is about."""

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its own words and its heading's."""
        return frozenset(word.stem for word in content_words(self.premise))

    @cached_property
    def premise(self) -> str:
        """The sentence as it is read, with its heading in front."""
        return _under(self.heading, self.text)

    @property
    def heading(self) -> str | None:
        """What the sentence is read under."""
        if self.passage.heading or self.introduced is None or self.introduced in self.text:
            return self.passage.heading
        return self.introduced

    @cached_property
    def tells(self) -> bool:
        """Whether it is a sentence at all, no form, address or entry of a list of sources."""
        return tells(self.sentence.text, self.passage.heading)

    @property
    def text(self) -> str:
        """The sentence as it is read."""
        return self.sentence.text if self.reworded is None else self.reworded


@dataclass(frozen=True)
class Premises:
    """All that one claim is judged against."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    candidates: tuple[Candidate, ...]
    """Every sentence of the passages, best lexical coverage of the claim first; what tells nothing
    comes last."""
    judged: tuple[Candidate, ...]
    """Of these, the ones that are judged alone."""
    joined: tuple[Candidate, ...]
    """The ones that stand in the joint premise, in order of evidence and position."""
    passages: tuple[str, ...]
    """The passages as they are read."""

    @property
    def forms(self) -> list[tuple[str, ...]]:
        """The passages, then the judged sentences, then the joint premise, as they are read.

        Sentences are read under their headings and without them: a title says whom "he" means, a
        path of sections turns the verifier's head.
        """
        passages = [(passage,) for passage in self.passages]
        sentences = [(candidate.premise, candidate.text) for candidate in self.judged]
        bare = _JOINT.join(candidate.text for candidate in self.joined)
        forms = [*passages, *sentences, (joint_premise(self.joined), bare)]
        return [tuple(dict.fromkeys(form)) for form in forms]


def passage_premise(passage: Passage) -> str:
    """A passage as the verifier was trained to read it: its heading in front."""
    return _under(passage.heading, passage.text)


def joint_premise(candidates: Sequence[Candidate]) -> str:
    """Sentences of several passages in one premise; each heading is said once."""
    parts: list[str] = []
    heading: str | None = None
    for candidate in candidates:
        own = candidate.heading
        parts.append(candidate.text if own == heading else candidate.premise)
        heading = own
    return _JOINT.join(parts)


def _under(heading: str | None, text: str) -> str:
    return f"{heading}: {text}" if heading else text


def compose(
    claim: Claim,
    evidence: Sequence[Evidence],
    sentences: Callable[[Passage], Sequence[Sentence]],
    fits: Callable[[str, str], bool],
    raw_text: Callable[[Document], str] | None = None,
) -> Premises:
    """Lays out what a claim is judged against.

    Args:
        claim: What is judged.
        evidence: Its passages, best first.
        sentences: Cuts a passage into its sentences.
        fits: Whether the verifier reads all of a premise beside a claim; the joint premise is
            kept to what does.
        raw_text: The text of a document; by it names are read in full.
    """
    said = content_words(claim.statement)
    documents = {item.passage.document for item in evidence} if raw_text else ()
    short = {one: short_forms(claim.hypothesis, raw_text(one)) for one in documents if raw_text}
    about = {one: introduced(raw_text(one)) for one in documents if raw_text}

    def read(text: str, passage: Passage) -> str:
        alike = denied_alike(claim.hypothesis, in_terms_of(claim.hypothesis, text))
        return in_full(short.get(passage.document, ()), alike)

    found = [
        Candidate(
            item.passage,
            rank,
            sentence,
            read(text, item.passage),
            about.get(item.passage.document),
        )
        for rank, item in enumerate(evidence)
        for sentence, text in _as_read(sentences(item.passage) or (_whole(item.passage),))
    ]
    ordered = sorted(
        found, key=lambda c: (not c.tells, -coverage(said, c.stems), c.rank, c.sentence.start)
    )
    telling = [candidate for candidate in ordered if candidate.tells] or ordered
    return Premises(
        claim=claim,
        evidence=tuple(evidence),
        candidates=tuple(ordered),
        judged=tuple(ordered[:_SENTENCES]),
        joined=_jointly(said, telling, lambda premise: fits(premise, claim.hypothesis)),
        passages=tuple(read(passage_premise(i.passage), i.passage) for i in evidence),
    )


def _as_read(sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, str]]:
    """Each sentence with what is read of it: of a table's row, the columns' names too."""
    texts = [sentence.text for sentence in sentences]
    for sentence in sentences:
        yield sentence, under_names(sentence.text, texts)


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
