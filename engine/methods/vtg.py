"""VTG: an answer is written sentence by sentence from a memory, each verified before the next.

Sun et al. 2024, "Towards Verifiable Text Generation with Evolving Memory and Self-Reflection".
"""

from dataclasses import replace
from typing import Literal

from veracite.engine.methods.base import Method, Steps, Tools
from veracite.engine.methods.concluding import unanswered
from veracite.engine.methods.events import Attempted, Drafted, Remembered, Settled
from veracite.engine.methods.vtg_memory import Memories
from veracite.engine.methods.vtg_sentences import continued, next_claim_of, plain, repeats
from veracite.engine.methods.vtg_settings import PRESETS, WRITTEN, VtgSettings
from veracite.engine.methods.vtg_simplifier import simplify, strongest
from veracite.engine.types import Answer, Claim, Label, Verdict
from veracite.index.documents import Evidence


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
        return (yield from unanswered(question, tools))
    start = Memories.of(found, settings.remembered)
    yield Remembered(start.long, start.short)
    writing = _Writing(question, tools, settings, start)
    for _ in range(settings.sentences or WRITTEN):
        if not (yield from writing.sentence()):
            break
    if not writing.answer.verdicts:
        return (yield from unanswered(question, tools, rounds=writing.rounds))
    answer = replace(writing.answer, rounds=writing.rounds)
    if answer != writing.answer:
        yield Settled(answer)
    return answer


class _Writing:
    """An answer as it grows.

    Args:
        start: What is remembered before anything is written.
    """

    def __init__(self, question: str, tools: Tools, settings: VtgSettings, start: Memories) -> None:
        self.answer = Answer(question, "", ())
        self.rounds = 1
        self._tools = tools
        self._settings = settings
        self._start = self._memories = start
        self._sentences: list[str] = []
        self._left_out: list[str] = []

    def sentence(self) -> Steps[bool]:
        """Write and settle the next sentence; False at the end of the answer."""
        versions = self._settings.T + 1
        for attempt in range(1, versions + 1):
            text = yield from self._written(attempt)
            claim = next_claim_of(self.answer.question, self.answer.text, text) if text else None
            if claim is None or repeats(text, self._sentences + self._left_out):
                return False
            verdict, cited = yield from self._verified(claim, attempt)
            passed = verdict.label in (Label.SUPPORTED, Label.NOT_CHECKABLE)
            if passed or not self._settings.verifier or attempt == versions:
                break
            yield from self._find_evidence(text, attempt)
        yield from self._settle(text, verdict, cited)
        return True

    def _written(self, attempt: int) -> Steps[str]:
        """What the claim generator says next (VTG, section 2.2)."""
        passages = [item.passage for item in self._memories.all]
        said = yield from self._tools.skills.next_claim(
            self.answer.question, passages, self._sentences, writing=self._settings.writing
        )
        text = plain(said.text if said else "")
        if said and not self._sentences:
            self.answer = replace(self.answer, probability=said.probability)
        if text:
            yield Drafted(text, "sentence", attempt)
        return text

    def _verified(self, claim: Claim, attempt: int) -> Steps[tuple[Verdict, tuple[Evidence, ...]]]:
        """The verdict by the passages cited, else by all of memory; and which it was that support
        the claim (VTG, section 2.3)."""
        if claim.not_checkable is not None:
            (verdict,) = yield from self._tools.judge([claim], [()])
            return verdict, ()
        most, held = self._settings.citations, self._memories.all
        places = yield from self._tools.skills.cite(
            claim.hypothesis, [item.passage for item in held], most=most
        )
        cited = self._memories.at(places, most)
        verdict = yield from self._judged(claim, "citations", cited, attempt)
        if verdict.label is Label.SUPPORTED or not self._settings.verifier:
            return verdict, cited
        return (yield from self._judged(claim, "memory", held, attempt)), held

    def _judged(
        self,
        claim: Claim,
        by: Literal["citations", "memory"],
        evidence: tuple[Evidence, ...],
        attempt: int,
    ) -> Steps[Verdict]:
        (verdict,) = yield from self._tools.judge([claim], [evidence])
        yield Attempted(claim.text, by, evidence, verdict, attempt)
        return verdict

    def _find_evidence(self, text: str, attempt: int) -> Steps[None]:
        """Other passages for short-term memory (VTG, section 2.4)."""
        settings = self._settings
        queries: tuple[str, ...] = (text,)
        if settings.diverse:
            asked = yield from self._tools.skills.queries(
                self.answer.question, self._sentences, text, settings.M
            )
            queries = asked[: settings.M] or queries
        found: list[Evidence] = []
        for query in queries:
            found += yield from self._tools.search(
                query, "claim", k=settings.N, mode=settings.retrieval, number=attempt
            )
        self.rounds += 1
        yield from self._remember(self._memories.with_found(found))

    def _settle(self, text: str, verdict: Verdict, cited: tuple[Evidence, ...]) -> Steps[None]:
        """Write the sentence out, and remember what it cites."""
        settings, memories = self._settings, self._memories
        if verdict.label is Label.SUPPORTED:
            if settings.simplifier:
                verdict, cited = yield from simplify(verdict, cited, self._tools)
            verdict, cited = yield from strongest(verdict, cited, settings.citations, self._tools)
            memories = memories.with_cited(cited)
        yield from self._remember(memories if settings.memory else self._start)
        if settings.drop_unsupported and verdict.label is not Label.SUPPORTED:
            self._left_out.append(text)
            return
        self._sentences.append(text)
        self.answer = replace(
            self.answer,
            text=continued(self.answer.text, text),
            verdicts=(*self.answer.verdicts, verdict),
            rounds=self.rounds,
        )
        yield Settled(self.answer)

    def _remember(self, memories: Memories) -> Steps[None]:
        if memories != self._memories:
            self._memories = memories
            yield Remembered(memories.long, memories.short)


VTG = Method(
    "vtg",
    "writes sentence by sentence from a memory that grows, and verifies each at once",
    VtgSettings,
    vtg,
    PRESETS,
    appends=True,
)
