"""The skills without a language model: quotes, chosen and judged by the bundled models."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from veracite.engine.events import Steps, Streamed
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.premises import passage_premise
from veracite.engine.skills.base import DEFAULT_WRITING, Draft, MissingStyle, Sufficiency, Writing
from veracite.engine.skills.extractive import answering
from veracite.engine.skills.extractive.answering import BAR, probability, rank_parts
from veracite.engine.skills.extractive.questions import Question
from veracite.engine.skills.extractive.ranking import Ranker
from veracite.engine.skills.extractive.revising import revise, verdicts
from veracite.engine.types import Claim
from veracite.engine.wording.names import names
from veracite.engine.wording.overlap import content_words, coverage, stems
from veracite.index.documents import Passage
from veracite.index.embeddings import encoder_text
from veracite.models.encoder import Encoder

_SUMMARY = 50
"""Words of a summary, at most (ALCE)."""
_SUPPORTS = 0.5
"""Passages that support a claim at least this probably are cited for it."""


@dataclass(frozen=True)
class ExtractiveSkills:
    """``Skills`` on the bundled models alone.

    What is written is quoted from passages, word for word or with a name for a pronoun, a detail
    for one of its kind. The same question and passages always give the same.
    """

    encoder: Encoder
    """Tells how near sentences are to a question."""
    judge: Judge
    """Judges claims, and knows the sentences of the library's passages."""
    search: Callable[[str], Sequence[Passage]]
    """The passages for a query, best first: what an answer without passages is made of."""

    rewords: bool = field(default=False, init=False)

    @cached_property
    def _ranker(self) -> Ranker:
        return Ranker(self.encoder, self.judge.sentences, self.judge.verifier.score)

    @property
    def id(self) -> str:
        """The models, after the name of these skills."""
        return f"extractive {self.encoder.id}, {self.judge.id}"

    def answer(
        self, question: str, passages: Sequence[Passage] = (), writing: Writing = DEFAULT_WRITING
    ) -> Steps[tuple[Draft, ...]]:
        """The quotes that are likeliest to answer; none where none is likely to.

        Of several samples each is led by the next likeliest quote, if there is one.

        Args:
            passages: None are looked up with the question, and are not cited.
        """
        if not passages:
            passages = self.search(question)
            writing = replace(writing, style="short" if writing.style == "short" else "plain")
        found = answering.drafts(rank_parts(self._ranker, question, passages), writing)
        if writing.samples == 1:
            yield from (Streamed(draft.text) for draft in found)
        return found

    def refine(
        self, question: str, answers: Sequence[str], passages: Sequence[Passage], writing: Writing
    ) -> Steps[Draft]:
        """The short answer from the passages; the first of the old ones where they have none."""
        found: tuple[Draft, ...] = ()
        if passages:
            short = replace(writing, style="short", samples=1)
            found = yield from self.answer(question, passages, short)
        if found:
            return found[0]
        return Draft(answers[0] if answers else "")

    def revise(
        self,
        text: str,
        wrong: Sequence[Claim],
        passages: Sequence[Passage],
        question: str | None = None,
    ) -> Steps[Draft]:
        """The text with a detail of a quote, in each wrong claim, for that which it contradicts, or
        with the quote for the claim.

        A claim for which there is neither is left out. If nothing is left, the question is
        answered anew, where there is one.
        """
        revised = revise(self.judge, text, wrong, passages)
        if revised or question is None or not passages:
            yield Streamed(revised)
            return Draft(revised)
        found = yield from self.answer(question, passages, Writing("plain"))
        return found[0] if found else Draft("")

    def select(self, question: str, passages: Sequence[Passage], k: int) -> Steps[tuple[int, ...]]:
        """Those near the question that together cover most of it.

        Greedy: each next one by its similarity and by the share of the question that it alone
        adds; those without a sentence that could be quoted (bibliographies, menus) are the last.
        """
        yield from ()
        telling = {quote.place for quote in self._ranker.quotes(passages)}
        asked = Question(question).words
        texts = [encoder_text(passage.heading, passage.text) for passage in passages]
        near = self._ranker.similarities(question, texts)
        said = [stems(passage_premise(passage)) for passage in passages]
        chosen: list[int] = []
        covered: frozenset[str] = frozenset()
        rest = list(range(len(passages)))
        while rest and len(chosen) < k:
            before = coverage(asked, covered)
            gains = {place: coverage(asked, covered | said[place]) - before for place in rest}
            best = max(rest, key=lambda place: (place in telling, near[place] + gains[place]))
            rest.remove(best)
            chosen.append(best)
            covered |= said[best]
        return tuple(chosen)

    def sufficient(
        self, question: str, passages: Sequence[Passage], tau: float | None = None
    ) -> Steps[Sufficiency]:
        """By the probability that they hold an answer; as a score, ten times of it."""
        yield from ()
        likely = probability(rank_parts(self._ranker, question, passages))
        if tau is not None:
            return Sufficiency(10 * likely >= tau, 10 * likely)
        return Sufficiency(likely >= BAR, likely)

    def missing(
        self, question: str, passages: Sequence[Passage], style: MissingStyle = "passage"
    ) -> Steps[str]:
        """The question's words that no passage has; its words alone if all are said.

        Of several questions in one, those that nothing answers yet. As a question it is the
        question with the words that are lacking once more, so that they weigh more; as a passage
        it is led by the heading of the best one, as the sentence looked for may be.
        """
        yield from ()
        if not passages:
            return question
        rankings = rank_parts(self._ranker, question, passages)
        if len(rankings) > 1:
            open_parts = [one.question.text for one in rankings if probability([one]) < BAR]
            return " ".join(open_parts or [question])
        asked = rankings[0].question.words
        there = stems("\n".join(map(passage_premise, passages)))
        lacking = [word.text for word in asked if word.stem not in there]
        if not lacking:
            return " ".join(word.text for word in asked)
        lead = question if style == "question" else (passages[0].heading or "").split(" > ")[0]
        return " ".join([lead, *lacking]).strip()

    def next_claim(
        self, question: str, passages: Sequence[Passage], so_far: Sequence[str]
    ) -> Steps[Draft | None]:
        """The likeliest quote that is not yet said; None where ``answer`` would end."""
        draft = answering.next_quote(rank_parts(self._ranker, question, passages), so_far)
        if draft is not None:
            yield Streamed(draft.text)
        return draft

    def cite(self, claim: str, passages: Sequence[Passage], most: int) -> Steps[tuple[int, ...]]:
        """The passage that supports the claim most, or the fewest that do together, those that
        support it most alone; none if they do not."""
        yield from ()
        quoted = [place for place, passage in enumerate(passages) if claim in passage.text]
        if quoted:
            return (quoted[0],)
        alone = self._support(claim, [[place] for place in range(len(passages))], passages)
        order = sorted(range(len(passages)), key=lambda place: -alone[place])
        if order and alone[order[0]] >= _SUPPORTS:
            return (order[0],)
        for count in range(2, min(most, len(order)) + 1):
            if self._support(claim, [order[:count]], passages)[0] >= _SUPPORTS:
                return tuple(order[:count])
        return ()

    def _support(
        self, claim: str, groups: Sequence[Sequence[int]], passages: Sequence[Passage]
    ) -> list[float]:
        """How probably the passages of each group, by their places, support a claim."""
        said = Claim(claim, 0, len(claim), claim, claim)
        asked = [(said, [passages[place] for place in group]) for group in groups]
        return [v.scores.supported if v.scores else 0.0 for v in verdicts(self.judge, asked)]

    def queries(
        self,
        question: str,
        passages: Sequence[Passage],
        so_far: Sequence[str],
        claim: str,
        count: int,
    ) -> Steps[tuple[str, ...]]:
        """The claim as it stands, with the question's words, its names alone, its words alone, and
        the question."""
        yield from ()
        said = content_words(claim)
        known = {word.stem for word in said}
        lacking = [word.text for word in content_words(question) if word.stem not in known]
        named = [name.text for name in names(claim, opening=True)]
        figures = [word.text for word in said if word.text[0].isdigit()]
        found = (
            claim,
            " ".join([claim, *lacking]),
            " ".join([*named, *figures]),
            " ".join(word.text for word in said),
            question,
        )
        return tuple(dict.fromkeys(filter(None, found)))[:count]

    def summarise(self, question: str, passage: Passage) -> Steps[str | None]:
        """The sentences likeliest to answer, in order, at most 50 words."""
        yield from ()
        ranking = self._ranker.rank(question, [passage])
        if ranking.answered < BAR:
            return None
        chosen: list[int] = []
        room = _SUMMARY
        for place in ranking.order:
            length = len(ranking.quotes[place].text.split())
            if length <= room:
                chosen.append(place)
                room -= length
        if not chosen:  # every sentence is too long
            return " ".join(ranking.quotes[ranking.order[0]].text.split()[:_SUMMARY])
        return " ".join(ranking.quotes[place].text for place in sorted(chosen))

    def extract(self, question: str, passage: Passage) -> Steps[str | None]:
        """The sentence likeliest to answer."""
        yield from ()
        ranking = self._ranker.rank(question, [passage])
        return None if ranking.answered < BAR else ranking.quotes[ranking.order[0]].text
