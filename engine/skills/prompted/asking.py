"""How every prompted skill asks: fit the passages, write, read the reply, ask once more if need be.

Each call of the model yields ``Asked``, each piece of a streamed reply ``Streamed``, passages that
did not fit ``Shortened``, a reply that cannot be used ``Unusable``.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TypeVar

from veracite.engine.events import Asked, Shortened, Streamed, Unusable
from veracite.engine.skills.base import Steps
from veracite.engine.skills.fitting import fit
from veracite.engine.skills.prompted.request import Request, Written
from veracite.engine.skills.prompted.writer import Writer
from veracite.engine.skills.prompts import Prompt, Prompts
from veracite.engine.skills.replies import UnusableReply
from veracite.index.documents import Passage
from veracite.models.chat import Message
from veracite.models.errors import ModelError
from veracite.models.generator import Choice, Cost, Generation, Sampling

T = TypeVar("T")

ATTEMPTS = 2
_AGAIN = "Your last reply could not be used: {}. Reply again, in exactly the form asked for."
_MARGIN = 96
"""Tokens kept free for asking again, for the call to conclude, and for the longest option."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks one model in one choice of wordings."""

    writer: Writer
    prompts: Prompts
    wordings: tuple[str, ...] = ()
    seed: int = 0
    _chosen: dict[str, Prompt] = field(default_factory=dict, repr=False)

    def prompt(self, skill: str) -> Prompt:
        """The prompt in use for a skill."""
        if skill not in self._chosen:
            self._chosen[skill] = self.prompts.choose(skill, self.wordings)
        return self._chosen[skill]

    def fitted(self, request: Request, limit: int) -> Steps[tuple[Passage, ...] | None]:
        """The passages that leave room for a reply; None if there is none even without them."""
        reasoning = request.prompt.reasoning
        thoughts = reasoning.limit if reasoning and request.thinks else 0
        room = self.writer.context - self.bounded(limit) - self.bounded(thoughts) - _MARGIN
        if not request.passages:
            return () if self.writer.count(request.messages(())) <= room else None
        found = fit(
            lambda passages: self.writer.count(request.messages(passages)), request.passages, room
        )
        if found is None:
            return None
        if found.dropped or found.trimmed:
            short = request.passages[len(found.passages) - found.trimmed :]
            ids = tuple(passage.id for passage in short)
            yield Shortened(request.prompt.skill, found.dropped, found.trimmed, ids)
        return found.passages

    def write(
        self,
        request: Request,
        parse: Callable[[str, int], T],
        *,
        grammar: Callable[[int], str] | None = None,
        limit: int | None = None,
        sampling: Sampling | None = None,
        streamed: bool = False,
    ) -> Steps[Written[T] | None]:
        """A reply, read; None if it could not be used, twice.

        Args:
            parse: The reply and the number of passages it was given to a value, or
                ``UnusableReply``.
            grammar: The number of passages to the grammar of the reply.
            limit: Most tokens; by default the prompt's.

        Raises:
            ModelError: The prompt does not fit, even without passages.
        """
        limit = request.prompt.limit if limit is None else limit
        passages = yield from self.fitted(request, limit)
        if passages is None:
            raise self.too_long(request.prompt.skill)
        rules = grammar(len(passages)) if grammar else None
        added: tuple[str, ...] = ()
        for attempt in range(1, ATTEMPTS + 1):
            messages = yield from self.considered(request, passages, *added)
            generation = yield from self._generate(
                request.prompt, messages, limit, sampling or Sampling(), rules, streamed
            )
            try:
                return Written(parse(generation.text, len(passages)), generation, attempt)
            except UnusableReply as error:
                yield Unusable(request.prompt.skill, error.reason, generation.text, attempt)
                added = (_AGAIN.format(error.reason),)
        return None

    def considered(
        self, request: Request, passages: Sequence[Passage], *added: str
    ) -> Steps[tuple[Message, ...]]:
        """The prompt; where the model thinks first, with its thoughts and the call to conclude."""
        reasoning = request.prompt.reasoning
        if reasoning is None or not request.thinks:
            return request.messages(passages, *added)
        messages = request.messages(passages, *added, reasoning.ask)
        thoughts = yield from self._generate(
            request.prompt, messages, reasoning.limit, Sampling(), None, streamed=False
        )
        return (
            *messages,
            Message("assistant", (thoughts.text.strip() or "…",)),
            Message("user", (reasoning.conclude,)),
        )

    def choose(self, request: Request) -> Steps[Choice]:
        """The probabilities of the prompt's options, in their order.

        Raises:
            ModelError: The prompt does not fit, even without passages.
        """
        passages = yield from self.fitted(request, 0)
        if passages is None:
            raise self.too_long(request.prompt.skill)
        messages = yield from self.considered(request, passages)
        [(_, choice)] = self.writer.choose_all([(messages, request.prompt.words)])
        yield self.chosen(request.prompt, messages, choice)
        return choice

    def chosen(
        self,
        prompt: Prompt,
        messages: Sequence[Message],
        choice: Choice,
        done: int = 1,
        total: int = 1,
    ) -> Asked:
        """The event of one choice, the ``done``-th of ``total`` that were put together."""
        options = dict(zip(prompt.words, choice.probabilities, strict=True))
        asked = self._asked(prompt, messages, choice.cost)
        return replace(asked, options=options, done=done, total=total)

    def _asked(self, prompt: Prompt, messages: Sequence[Message], cost: Cost) -> Asked:
        return Asked(
            skill=prompt.skill,
            prompt=prompt.id,
            prefilled=cost.prefilled,
            reused=cost.reused,
            generated=cost.generated,
            seconds=cost.seconds,
            messages=tuple(messages),
        )

    def bounded(self, limit: int) -> int:
        """A limit of tokens, never more than a third of what the model can hold."""
        return min(limit, self.writer.context // 3)

    def too_long(self, skill: str) -> ModelError:
        """The error for a prompt that does not fit, even without passages."""
        return ModelError(
            f"The prompt for {skill} is longer than the {self.writer.context} tokens that "
            f"{self.writer.id} can read here, even without any passage.",
            "Shorten the text or the question, or open the model with a larger --context.",
            "context too small",
        )

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
            messages,
            limit=self.bounded(limit),
            sampling=sampling,
            grammar=grammar,
            stop=prompt.stop,
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
        yield replace(self._asked(prompt, messages, generation.cost), reply=generation.text)
        return generation
