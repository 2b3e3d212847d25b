"""VTG: an answer is written sentence by sentence from a memory, each verified before the next.

Sun et al. 2024, "Towards Verifiable Text Generation with Evolving Memory and Self-Reflection".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from veracite.engine.claims.citation_marks import without_marks
from veracite.engine.events import Attempted, Drafted, Remembered, Settled, Simplified
from veracite.engine.methods.answers import claims_of, unanswered
from veracite.engine.methods.base import Method, Steps, Tools, unique
from veracite.engine.settings import Retrieval, setting
from veracite.engine.types import Answer, Claim, Label, Verdict
from veracite.engine.wording.overlap import stems
from veracite.index.documents import Evidence

_CLOSING = "\"'”’) "
_ENDS = (".", "!", "?", "…", ":")


@dataclass(frozen=True, slots=True)
class VtgSettings:
    """Of VTG; the numbers are those of Table 7 for ASQA."""

    k: int = setting(5, "Passages found with the question (VTG, Tables 6 and 7).", within=(1, 50))
    T: int = setting(
        3, "Times that a sentence is written anew, at most (VTG, Table 7: 3 or 5).", within=(0, 20)
    )
    M: int = setting(
        2, "Queries for evidence on a sentence (VTG, Table 7: 2 to 4).", within=(1, 20)
    )
    N: int = setting(4, "Passages per query (VTG, Table 7: 2 to 4).", within=(1, 50))
    citations: int = setting(
        3, "Passages that are named for a sentence, at most (VTG, appendix E).", within=(1, 20)
    )
    retrieval: Retrieval = setting("dense", "Where passages are looked for (VTG: DPR).")
    verifier: bool = setting(
        True, "False takes each sentence and its citations as written (VTG, Table 3)."
    )
    memory: bool = setting(
        True, "False starts every sentence from the question's passages (VTG, Table 3)."
    )
    simplifier: bool = setting(True, "False keeps needless citations (VTG, Table 3).")
    diverse: bool = setting(
        True, "False looks for evidence with the sentence itself, one query (VTG, Table 3)."
    )
    most: int = setting(
        10,
        "Sentences that a language model writes, at most (the paper sets no bound).",
        within=(1, 100),
    )
    drop_unsupported: bool = setting(
        False, "Leave out a sentence that no passage supports (VTG keeps it, and so its doubt)."
    )


@dataclass(frozen=True, slots=True)
class _Memories:
    """The passages that are held, each once."""

    long: tuple[Evidence, ...]
    """Long-term memory: what the question found, then what verified sentences cite."""
    short: tuple[Evidence, ...] = ()
    """Short-term memory: what the evidence finder found last and long-term memory lacks."""

    @property
    def all(self) -> tuple[Evidence, ...]:
        """Both: what is long known stands first, so that a model need not read it anew."""
        return self.long + self.short

    def with_found(self, found: Iterable[Evidence]) -> "_Memories":
        """With other passages in short-term memory (VTG, section 2.4)."""
        return _Memories(self.long, unique((*self.long, *found))[len(self.long) :])

    def with_cited(self, cited: Iterable[Evidence]) -> "_Memories":
        """With the passages that a verified sentence cites in long-term memory (Algorithm 1,
        lines 14 and 19)."""
        return _Memories(unique((*self.long, *cited))).with_found(self.short)


def vtg(question: str, tools: Tools, settings: VtgSettings) -> Steps[Answer]:
    """Writes, cites, verifies and simplifies sentence by sentence (VTG, Algorithm 1).

    A sentence that its citations do not support, nor all passages in memory together, is written
    anew, at most T times, each time with other passages in short-term memory. If none of the
    versions passes, the last one is kept with the verdict that it got.

    - A sentence that repeats one before it ends the answer, as None does, also in place of one
      that did not pass: whoever says nothing new has nothing more to say. It repeats if it has no
      word of weight that the other has not.
    - A question, or what else cannot be checked, is kept as such: it cites nothing, nothing is
      looked for, and it is never written anew. ``drop_unsupported`` leaves it out.
    - Without memory, what was found for a sentence serves its new versions and is forgotten with
      it. Without the verifier, nothing is written anew, and the verdicts change nothing.

    A round is the search with the question and every run of the evidence finder.
    """
    found = yield from tools.search(question, "question", k=settings.k, mode=settings.retrieval)
    if not found:
        return (yield from unanswered(question))
    start = _Memories(unique(found))
    yield Remembered(start.long, start.short)
    writing = _Writing(tools, settings, start, start, Answer(question, "", ()))
    for _ in range(settings.most):
        if not (yield from writing.sentence()):
            break
    if not writing.answer.verdicts:
        return (yield from unanswered(question, writing.rounds))
    answer = replace(writing.answer, rounds=writing.rounds)
    if answer != writing.answer:
        yield Settled(answer)
    return answer


@dataclass(slots=True)
class _Writing:
    """An answer as it grows."""

    tools: Tools
    settings: VtgSettings
    start: _Memories
    """What is remembered before anything is written."""
    memories: _Memories
    answer: Answer
    rounds: int = 1
    sentences: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def sentence(self) -> Steps[bool]:
        """Write and settle the next sentence; False at the end of the answer."""
        versions = self.settings.T + 1
        for attempt in range(1, versions + 1):
            text = yield from self._written(attempt)
            claim = next_claim_of(self.answer.question, self.answer.text, text) if text else None
            if claim is None or repeats(text, self.sentences + self.left_out):
                return False
            verdict, cited = yield from self._verified(claim, attempt)
            passed = verdict.label in (Label.SUPPORTED, Label.NOT_CHECKABLE)
            if passed or not self.settings.verifier or attempt == versions:
                break
            yield from self._find_evidence(text, attempt)
        yield from self._settle(text, verdict, cited)
        return True

    def _written(self, attempt: int) -> Steps[str]:
        """What the claim generator says next (VTG, section 2.2)."""
        passages = [item.passage for item in self.memories.all]
        said = yield from self.tools.skills.next_claim(
            self.answer.question, passages, self.sentences
        )
        text = " ".join(without_marks(said.text).split()) if said else ""
        if said and not self.sentences:
            self.answer = replace(self.answer, probability=said.probability)
        if text:
            yield Drafted(text, "sentence", attempt)
        return text

    def _verified(self, claim: Claim, attempt: int) -> Steps[tuple[Verdict, tuple[Evidence, ...]]]:
        """The verdict by the passages cited, else by all of memory; and which it was that support
        the claim (VTG, section 2.3)."""
        if claim.not_checkable is not None:
            (verdict,) = yield from self.tools.judge([claim], [()])
            return verdict, ()
        most, held = self.settings.citations, self.memories.all
        places = yield from self.tools.skills.cite(
            claim.hypothesis, [item.passage for item in held], most
        )
        cited = unique(held[place] for place in places if 0 <= place < len(held))[:most]
        verdict = yield from self._judged(claim, "citations", cited, attempt)
        if verdict.label is Label.SUPPORTED or not self.settings.verifier:
            return verdict, cited
        return (yield from self._judged(claim, "memory", held, attempt)), held

    def _judged(
        self,
        claim: Claim,
        by: Literal["citations", "memory"],
        evidence: tuple[Evidence, ...],
        attempt: int,
    ) -> Steps[Verdict]:
        (verdict,) = yield from self.tools.judge([claim], [evidence])
        yield Attempted(claim.text, by, evidence, verdict, attempt)
        return verdict

    def _find_evidence(self, text: str, attempt: int) -> Steps[None]:
        """Other passages for short-term memory (VTG, section 2.4)."""
        settings = self.settings
        queries: tuple[str, ...] = (text,)
        if settings.diverse:
            asked = yield from self.tools.skills.queries(
                self.answer.question,
                [item.passage for item in self.memories.all],
                self.sentences,
                text,
                settings.M,
            )
            queries = asked[: settings.M] or queries
        found: list[Evidence] = []
        for query in queries:
            found += yield from self.tools.search(
                query, "claim", k=settings.N, mode=settings.retrieval, number=attempt
            )
        self.rounds += 1
        yield from self._remember(self.memories.with_found(found))

    def _settle(self, text: str, verdict: Verdict, cited: tuple[Evidence, ...]) -> Steps[None]:
        """Write the sentence out, and remember what it cites."""
        settings, memories = self.settings, self.memories
        if verdict.label is Label.SUPPORTED:
            if settings.simplifier:
                verdict, cited = yield from simplified(verdict, cited, self.tools)
            memories = memories.with_cited(cited)
        yield from self._remember(memories if settings.memory else self.start)
        if settings.drop_unsupported and verdict.label is not Label.SUPPORTED:
            self.left_out.append(text)
            return
        self.sentences.append(text)
        self.answer = replace(
            self.answer,
            text=continued(self.answer.text, text),
            verdicts=(*self.answer.verdicts, verdict),
            rounds=self.rounds,
        )
        yield Settled(self.answer)

    def _remember(self, memories: _Memories) -> Steps[None]:
        if memories != self.memories:
            self.memories = memories
            yield Remembered(memories.long, memories.short)


def simplified(
    verdict: Verdict, cited: tuple[Evidence, ...], tools: Tools
) -> Steps[tuple[Verdict, tuple[Evidence, ...]]]:
    """A supported sentence's citations without those it does not need (VTG, section 2.3).

    The weakest goes first: the one that supports the sentence least probably when it is read alone,
    of equals the last. Each is dropped without which the others still support the sentence, until
    none can be. Where single passages support it, this leaves the strongest of them, which is taken
    at once.

    Args:
        verdict: Of the sentence by all of them: supported.
        cited: Each passage once.
        tools: Who judges.

    Returns:
        The verdict by those that are left, and these, in their order.
    """
    if len(cited) <= 1:
        return verdict, cited
    alone = yield from tools.judge([verdict.claim] * len(cited), [(item,) for item in cited])
    strength = [one.scores.supported if one.scores else 0.0 for one in alone]
    kept = sorted(range(len(cited)), key=lambda place: (strength[place], -place))
    enough = [place for place in kept if alone[place].label is Label.SUPPORTED][-1:]
    if enough:
        verdict, kept = alone[enough[0]], enough
    smaller = not enough
    while smaller:  # what was needed may be so no more when another is gone
        smaller = False
        for place in list(kept):
            rest = [other for other in kept if other != place]
            if len(rest) < 2:
                break
            passages = [cited[other] for other in sorted(rest)]
            (again,) = yield from tools.judge([verdict.claim], [passages])
            if again.label is Label.SUPPORTED:
                verdict, kept, smaller = again, rest, True
    left = tuple(cited[place] for place in sorted(kept))
    if len(left) < len(cited):
        dropped = tuple(item for place, item in enumerate(cited) if place not in kept)
        yield Simplified(verdict.claim.text, left, dropped)
    return verdict, left


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
    own, *others = map(stems, (sentence, *before))
    return any(own <= other for other in others)


_MULTIHOP = {"k": 5, "T": 5, "M": 4, "N": 2}

_PRESETS: Mapping[str, Mapping[str, object]] = {
    "multihop-table6": {"k": 5, "T": 5, "M": 2, "N": 4},
    "asqa-table6": {"k": 5, "T": 2, "M": 4, "N": 2},
    "eli5-table6": {"k": 5, "T": 3, "M": 2, "N": 2},
    "nq-table6": {"k": 5, "T": 3, "M": 2, "N": 3},
    "webq-table6": {"k": 5, "T": 3, "M": 4, "N": 2},
    "multihop-table7": _MULTIHOP,
    "asqa-table7": {"k": 5, "T": 3, "M": 2, "N": 4},
    "eli5-table7": {"k": 5, "T": 5, "M": 2, "N": 4},
    "nq-table7": {"k": 5, "T": 3, "M": 3, "N": 3},
    "webq-table7": {"k": 5, "T": 3, "M": 3, "N": 3},
    "multihop-table3-without-verifier": _MULTIHOP | {"verifier": False},
    "multihop-table3-without-memory": _MULTIHOP | {"memory": False},
    "multihop-table3-without-simplifier": _MULTIHOP | {"simplifier": False},
    "multihop-table3-without-diverse-queries": _MULTIHOP | {"diverse": False},
}
"""Table 6 is of Text-Davinci-003, Table 7 of Vicuna-13B; "multihop" is 2WikiMultihopQA."""

VTG = Method(
    "vtg",
    "writes sentence by sentence from a memory that grows, and verifies each at once",
    VtgSettings,
    vtg,
    _PRESETS,
)
