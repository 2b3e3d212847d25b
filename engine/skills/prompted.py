"""The skills of a language model: every one a prompt, its reply bounded by a grammar or options.

Passages are fitted to what the model can read; a reply that cannot be used is asked for once more.
Each call of the model yields ``Asked``, each piece of a streamed reply ``Streamed``, passages that
did not fit ``Shortened``, a reply that cannot be used ``Unusable``.
"""

import operator
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from veracite.engine.events import Asked, Shortened, Steps, Streamed, Unusable
from veracite.engine.skills import replies
from veracite.engine.skills.base import DEFAULT_WRITING, Draft, MissingStyle, Sufficiency, Writing
from veracite.engine.skills.prompts import USUAL_LIMIT, Field, Prompt, Prompts
from veracite.engine.skills.replies import UnusableReply
from veracite.engine.types import Claim, Judgement, Scores, Task
from veracite.index.documents import Passage
from veracite.index.sentences import sentence_spans
from veracite.models.chat import Message
from veracite.models.errors import ModelError
from veracite.models.generator import Cost, Generation, Generator, Sampling

T = TypeVar("T")

_ATTEMPTS = 2
_AGAIN = "Your last reply could not be used: {}. Reply again, in exactly the form asked for."
_IGNORED = "it names passages that do not exist ({}), which was ignored"
_MARGIN = 96
"""Tokens kept free for asking again, for the call to conclude, and for the longest option."""
_CHARACTERS_PER_TOKEN = 6
"""More than tokens have on average, so that a grammar does not cut a reply before its limit."""
_CLAIM, _SHORTENED, _MISSING, _QUERY = 500, 800, 600, 160
"""Most characters of a claim, of a passage made shorter, of a question or a pseudo passage that
stands for what is missing, and of a query."""
_TOO_LONG = "the claim and its passage are too long for the model, so it was not asked"


def fit(
    tokens: Callable[[Sequence[Passage]], int], passages: Sequence[Passage], room: int
) -> tuple[Passage, ...] | None:
    """As many passages as there is room for, in their order, the last one cut at the end of a
    sentence if need be; None if there is no room even without them.

    Passages come best first, so the last ones go first, and whole sentences.

    Args:
        tokens: The length of the prompt with these passages, in tokens; more passages are longer.
        room: How long it may be, in tokens.
    """
    if tokens(passages) <= room:
        return tuple(passages)
    whole = bisect_right(range(len(passages)), room, key=lambda n: tokens(passages[:n])) - 1
    if whole < 0:
        return None
    kept, cut = tuple(passages[:whole]), passages[whole]
    beginnings = [
        replace(cut, text=cut.text[: sentence.end]) for sentence in sentence_spans(cut.text)
    ]
    fitting = bisect_right(beginnings, room, key=lambda one: tokens((*kept, one)))
    return (*kept, beginnings[fitting - 1]) if fitting else kept


@dataclass(frozen=True, slots=True)
class _Request:
    """What a model is asked for."""

    prompt: Prompt
    fields: Mapping[str, Field]
    passages: Sequence[Passage] = ()
    reasoned: bool = False
    """Whether it thinks first, where the prompt has words for that."""

    @property
    def thinks(self) -> bool:
        """Whether it does think first."""
        reasoning = self.prompt.reasoning
        return reasoning is not None and (self.reasoned or reasoning.always)

    def messages(self, *added: str) -> tuple[Message, ...]:
        """The prompt, with these lines after what is asked."""
        messages = list(self.prompt.render(self.fields, self.passages))
        asked = max(n for n, message in enumerate(messages) if message.role == "user")
        lines = [f"\n{line}" for line in added if line]
        messages[asked] = replace(messages[asked], parts=(*messages[asked].parts, *lines))
        return tuple(messages)


@dataclass(frozen=True, slots=True)
class PromptedSkills:
    """``Skills`` on a language model.

    Raises:
        SettingsError: There is no such wording.
    """

    writer: Generator
    """The model."""
    prompts: Prompts
    """What it is told."""
    wordings: Sequence[str] = ()
    """Whose prompts to prefer, such as ("vtg",); skills they lack use ours."""
    judge_reasons: bool = False
    """Whether judging thinks first, rather than choose at once."""
    rewords: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        self.prompt("judge")

    @property
    def id(self) -> str:
        """The model, after the name of these skills."""
        return f"prompted {self.writer.id}"

    def prompt(self, skill: str) -> Prompt:
        """The prompt in use for one of ``veracite.engine.skills.prompts.KINDS``."""
        return self.prompts.choose(skill, self.wordings)

    def answer(
        self, question: str, passages: Sequence[Passage] = (), writing: Writing = DEFAULT_WRITING
    ) -> Steps[tuple[Draft, ...]]:
        """One greedy answer or several sampled ones; an empty draft where no reply can
        be used."""
        skill = "draft_short" if writing.style == "short" else "draft"
        prompt = self.prompt(f"answer_{writing.style}" if passages else skill)
        request = _Request(prompt, {"question": question}, passages, writing.reasoning)
        if writing.samples == 1:
            return ((yield from self._draft(request, writing)),)
        drafts: list[Draft] = []
        for seed in range(writing.samples):
            sampling = Sampling(writing.temperature, writing.top_p, seed)
            drafts.append((yield from self._draft(request, writing, sampling)))
        return tuple(drafts)

    def refine(
        self, question: str, answers: Sequence[str], passages: Sequence[Passage], writing: Writing
    ) -> Steps[Draft]:
        """A new short answer; the first of the old ones where no reply can be used."""
        fields = {"question": question, "answers": tuple(answers)}
        request = _Request(self.prompt("refine"), fields, passages, writing.reasoning)
        draft = yield from self._draft(request, replace(writing, style="short"))
        return draft if draft.text or not answers else Draft(answers[0])

    def revise(
        self,
        text: str,
        wrong: Sequence[Claim],
        passages: Sequence[Passage],
        question: str | None = None,
    ) -> Steps[Draft]:
        """The corrected text; the text as it was where no reply can be used."""
        claims = tuple(claim.statement for claim in wrong)
        fields: dict[str, Field] = {"question": question or "", "text": text, "claims": claims}
        request = _Request(self.prompt("revise" if question else "fix"), fields, passages)
        read = partial(replies.answer, given=text)
        draft = yield from self._draft(request, Writing("plain"), read=read)
        return draft if draft.text else Draft(text)

    def judge(self, tasks: Sequence[Task], *, joint: bool = False) -> Steps[tuple[Judgement, ...]]:
        """One judgement for each task, by the probabilities of options (CEG, section 3.3).

        What does not fit into the model's context is left out. Prompts go to the model in
        passage-major order, so that a passage that several claims share is read once: all together
        where options alone are scored, one by one where the model thinks first. A verdict depends
        on its own prompt alone.
        """
        cases: list[tuple[tuple[int, int], _Request]] = []
        for index, task in enumerate(tasks):
            groups: list[tuple[Passage, ...]] = [(passage,) for passage in task.passages]
            if joint and len(groups) > 1:
                groups.append(task.passages)  # behind the last place
            for place, group in enumerate(groups):
                fields = {"claim": task.claim.hypothesis, "question": "(none)"}
                request = _Request(self.prompt("judge"), fields, group, self.judge_reasons)
                fitting = yield from self._fitted(request, 0)
                if fitting is None:
                    yield Unusable("judge", _TOO_LONG, "", 1)
                else:
                    cases.append(((index, place), fitting))
        scores: dict[tuple[int, int], Scores] = {}
        batches = [cases]
        if any(request.thinks for _, request in cases):
            cases.sort(key=lambda case: [message.parts for message in case[1].messages()])
            batches = [[case] for case in cases]
        for batch in batches:
            asked = []
            for _, request in batch:
                asked.append((request.prompt, (yield from self._considered(request))))
            said = yield from self._chosen(asked, len(scores), len(cases))
            for place, (key, _) in enumerate(batch):
                scores[key] = Scores(*map(said[place].get, _MEANINGS, [0.0] * 3))
        shown = {key: request.passages[0].text for key, request in cases}
        found = []
        for index, task in enumerate(tasks):
            count = len(task.passages)
            alone = tuple(scores.get((index, place)) for place in range(count))
            together = scores.get((index, count if count > 1 else 0))
            cut = {
                place: read
                for place, passage in enumerate(task.passages)
                if (read := shown.get((index, place), "")) != passage.text
            }
            found.append(Judgement(alone, together if joint else None, cut))
        return tuple(found)

    def select(self, question: str, passages: Sequence[Passage], k: int) -> Steps[tuple[int, ...]]:
        """At most k places; the first k, which hold what was selected before, where no reply can
        be used."""
        if len(passages) <= k:
            return tuple(range(len(passages)))
        request = _Request(self.prompt("select"), {"question": question, "k": k}, passages)
        named = yield from self._places(request, replies.numbers_grammar, k)
        return tuple(range(k)) if named is None else named

    def sufficient(
        self, question: str, passages: Sequence[Passage], tau: float | None = None
    ) -> Steps[Sufficiency]:
        """Yes or no by the likelier option, or a score as the mean of 0..10 over their
        probabilities; no passages never suffice."""
        if not passages:
            return Sufficiency(sufficient=False, score=0.0)
        prompt = self.prompt("sufficient" if tau is None else "sufficient_score")
        request = _Request(prompt, {"question": question}, passages)
        fitting = yield from self._fitted(request, 0)
        if fitting is None:
            raise self._too_long(prompt.skill)
        messages = yield from self._considered(fitting)
        [said] = (yield from self._chosen([(prompt, messages)])).values()
        if tau is None:
            return Sufficiency(said["yes"] > 0.5, said["yes"])
        score = sum(int(points) * probability for points, probability in said.items())
        return Sufficiency(score >= tau, score)

    def missing(
        self, question: str, passages: Sequence[Passage], style: MissingStyle = "passage"
    ) -> Steps[str]:
        """A query for what is missing; the question where no reply can be used."""
        request = _Request(self.prompt(f"missing_{style}"), {"question": question}, passages)
        written = yield from self._line(request, replies.line, _MISSING)
        return written[0] if written else question

    def next_claim(
        self, question: str, passages: Sequence[Passage], so_far: Sequence[str]
    ) -> Steps[Draft | None]:
        """The next sentence; None at the end, which repeating a sentence is too."""
        fields = {"question": question, "so_far": " ".join(so_far)}

        def read(reply: str, _: int) -> tuple[str | None, tuple[int, ...]]:
            if (said := replies.sentence(reply)) is None and not so_far:
                raise UnusableReply("it is empty")
            return said, ()

        written = yield from self._write(
            _Request(self.prompt("next_claim"), fields, passages),
            read,
            grammar=lambda _: replies.line_grammar(_CLAIM, goes_on=True),
            streamed=True,
        )
        claim = written[0] if written else None
        return None if claim is None or claim in so_far else Draft(claim)

    def cite(self, claim: str, passages: Sequence[Passage], most: int) -> Steps[tuple[int, ...]]:
        """One to ``most`` places of the passages that a claim rests on; none where no reply can be
        used."""
        if len(passages) < 2:
            return tuple(range(len(passages)))
        request = _Request(self.prompt("cite"), {"claim": claim, "most": most}, passages)
        return (yield from self._places(request, replies.citations_grammar, most)) or ()

    def queries(
        self,
        question: str,
        passages: Sequence[Passage],
        so_far: Sequence[str],
        claim: str,
        count: int,
    ) -> Steps[tuple[str, ...]]:
        """At most ``count`` queries for evidence on a claim; the claim where no reply can be
        used."""
        said: dict[str, Field] = {"question": question, "claim": claim, "count": count}
        said["so_far"] = " ".join(so_far)
        written = yield from self._write(
            _Request(self.prompt("queries"), said, passages),
            lambda reply, _: (replies.lines(reply, count), ()),
            grammar=lambda _: replies.line_grammar(_QUERY, most=count),
        )
        return written[0] if written else (claim,)

    def summarise(self, question: str, passage: Passage) -> Steps[str | None]:
        """What the passage says on the question, in at most 50 words or so."""
        return self._shortened("summarise", question, passage)

    def extract(self, question: str, passage: Passage) -> Steps[str | None]:
        """The useful span of the passage."""
        return self._shortened("extract", question, passage)

    def _shortened(self, skill: str, question: str, passage: Passage) -> Steps[str | None]:
        """What matters of a passage; None if nothing does, all of it if no reply can be read."""
        request = _Request(self.prompt(skill), {"question": question}, (passage,))
        written = yield from self._line(request, replies.relevant_line, _SHORTENED)
        return written[0] if written else passage.text

    def _line(
        self, request: _Request, parse: Callable[[str], T], characters: int
    ) -> Steps[tuple[T, Generation] | None]:
        return self._write(
            request,
            lambda reply, _: (parse(reply), ()),
            grammar=lambda _: replies.line_grammar(characters),
        )

    def _places(
        self, request: _Request, grammar: Callable[[int, int], str], most: int
    ) -> Steps[tuple[int, ...] | None]:
        """The places of passages that a reply names; None if it names none, twice."""
        written = yield from self._write(
            request,
            replies.numbers,
            grammar=lambda passages: grammar(passages, most),
            limit=replies.most_characters(len(request.passages), most),
        )
        return written[0][:most] if written else None

    def _draft(
        self,
        request: _Request,
        writing: Writing,
        sampling: Sampling | None = None,
        read: Callable[[str], str] = replies.answer,
    ) -> Steps[Draft]:
        """What the model wrote; an empty draft if it could not be used.

        Args:
            sampling: None streams one greedy answer.
            read: Reads one that cites nothing.
        """
        short = writing.style == "short"

        def parse(reply: str, passages: int) -> tuple[str, tuple[int, ...]]:
            if short:
                return replies.short(reply), ()
            cites = writing.style == "cited" and passages
            return replies.cited(reply, passages) if cites else (read(reply), ())

        limit = (writing.tokens if short else None) or request.prompt.limit or USUAL_LIMIT
        one_line = replies.line_grammar(limit * _CHARACTERS_PER_TOKEN)
        written = yield from self._write(
            request,
            parse,
            grammar=(lambda _: one_line) if short else None,
            limit=limit,
            sampling=sampling,
            streamed=sampling is None,
        )
        if written is None:
            return Draft("")
        said, generation = written
        return Draft(said, generation.mean_probability, generation.mean_logprob)

    def _write(
        self,
        request: _Request,
        parse: Callable[[str, int], tuple[T, Sequence[int]]],
        *,
        grammar: Callable[[int], str] | None = None,
        limit: int | None = None,
        sampling: Sampling | None = None,
        streamed: bool = False,
    ) -> Steps[tuple[T, Generation] | None]:
        """A reply, read, and how it was written; None if it could not be used, twice.

        Args:
            parse: The reply and the number of passages it was given to a value and to the numbers
                in it that no passage has, or ``UnusableReply``.
            grammar: The number of passages to the grammar of the reply.
            limit: Most tokens; by default the prompt's.

        Raises:
            ModelError: The prompt does not fit, however short its passages are cut.
        """
        limit = limit or request.prompt.limit or USUAL_LIMIT
        fitting = yield from self._fitted(request, limit)
        if fitting is None:
            raise self._too_long(request.prompt.skill)
        count = len(fitting.passages)
        rules = grammar(count) if grammar else None
        added: tuple[str, ...] = ()
        for attempt in range(1, _ATTEMPTS + 1):
            messages = yield from self._considered(fitting, *added)
            generation = yield from self._generate(
                request.prompt, messages, limit, sampling or Sampling(), rules, streamed
            )
            is_cut = rules is None and generation.cost.generated >= self._bounded(limit)
            reply = replies.finished(generation.text) if is_cut else generation.text
            try:
                value, ignored = parse(reply, count)
            except UnusableReply as error:
                yield Unusable(request.prompt.skill, str(error), generation.text, attempt)
                added = (_AGAIN.format(error),)
                continue
            if ignored:
                reason = _IGNORED.format(", ".join(map(str, ignored)))
                yield Unusable(request.prompt.skill, reason, generation.text, attempt)
            return value, generation
        return None

    def _fitted(self, request: _Request, limit: int) -> Steps[_Request | None]:
        """With the passages that leave room for a reply; None if there is none for any."""
        reasoning = request.prompt.reasoning
        thoughts = reasoning.limit if reasoning and request.thinks else 0
        room = self.writer.context - self._bounded(limit) - self._bounded(thoughts) - _MARGIN
        found = fit(
            lambda passages: self.writer.count(replace(request, passages=passages).messages()),
            request.passages,
            room,
        )
        if found is None:
            return None
        whole = sum(map(operator.eq, found, request.passages))
        if short := request.passages[whole:]:
            ids = tuple(passage.id for passage in short)
            trimmed = len(found) - whole
            yield Shortened(request.prompt.skill, len(short) - trimmed, trimmed, ids)
        return replace(request, passages=found) if found or not request.passages else None

    def _considered(self, request: _Request, *added: str) -> Steps[tuple[Message, ...]]:
        """The prompt; where the model thinks first, with its thoughts and the call to conclude."""
        reasoning = request.prompt.reasoning
        if reasoning is None or not request.thinks:
            return request.messages(*added)
        messages = request.messages(*added, reasoning.ask.strip())
        thoughts = yield from self._generate(
            request.prompt, messages, reasoning.limit, Sampling(), None, streamed=False
        )
        return (
            *messages,
            Message("assistant", (thoughts.text.strip() or "…",)),
            Message("user", (reasoning.conclude.strip(),)),
        )

    def _chosen(
        self, asked: Sequence[tuple[Prompt, Sequence[Message]]], done: int = 0, total: int = 1
    ) -> Steps[dict[int, dict[str, float]]]:
        """The probabilities of what the options mean, of each prompt by its place.

        Args:
            done: How many of ``total`` were asked before.
        """
        found: dict[int, dict[str, float]] = {}
        pairs = [(messages, prompt.words) for prompt, messages in asked]
        for place, choice in self.writer.choose_all(pairs) if pairs else ():
            prompt, messages = asked[place]
            found[place] = dict(zip(prompt.options, choice.probabilities, strict=True))
            yield replace(
                _asked(prompt, messages, choice.cost),
                options=dict(zip(prompt.words, choice.probabilities, strict=True)),
                done=done + len(found),
                total=total,
            )
        return found

    def _generate(
        self,
        prompt: Prompt,
        messages: Sequence[Message],
        limit: int,
        sampling: Sampling,
        grammar: str | None,
        streamed: bool,
    ) -> Steps[Generation]:
        pieces = self.writer.stream(
            messages, limit=self._bounded(limit), sampling=sampling, grammar=grammar
        )
        with closing(pieces):
            while True:
                try:
                    piece = next(pieces)
                except StopIteration as end:
                    generation: Generation = end.value
                    break
                if streamed:
                    yield Streamed(piece)
        yield replace(_asked(prompt, messages, generation.cost), reply=generation.text)
        return generation

    def _bounded(self, limit: int) -> int:
        """A limit of tokens, never more than a third of what the model can hold."""
        return min(limit, self.writer.context // 3)

    def _too_long(self, skill: str) -> ModelError:
        """The error for a prompt that does not fit, however short its passages are cut."""
        return ModelError(
            f"The prompt for {skill} is longer than the {self.writer.context} tokens that "
            f"{self.writer.id} can read here, however short its passages are cut.",
            "Shorten the text or the question, or open the model with a larger --context.",
            "context too small",
        )


_MEANINGS = ("supported", "neutral", "contradicted")
"""Of the options of judging; one that a prompt has no option for (CEG's "neutral") has 0."""


def _asked(prompt: Prompt, messages: Sequence[Message], cost: Cost) -> Asked:
    counts = (cost.prefilled, cost.reused, cost.generated, cost.seconds)
    return Asked(prompt.skill, prompt.id, *counts, messages=tuple(messages))
