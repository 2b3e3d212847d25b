"""Progressive selection: passages chosen from candidates window by window (LLatrieval, 3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from veracite.engine.methods.base import Steps, Tools, unique
from veracite.engine.methods.events import Drafted, Selected
from veracite.index.documents import Evidence, Passage


@dataclass(frozen=True, slots=True)
class Selection:
    """Chooses the passages that together answer a question best."""

    question: str
    tools: Tools
    k: int
    """Passages that are kept."""
    window: int
    """Passages that are shown at once, more than k."""
    summarised: bool
    """Whether their summaries are shown (appendix A.1)."""
    _summaries: dict[str, str | None] = field(default_factory=dict)
    """By the passages' ids; None for an irrelevant one."""

    def update(
        self, held: tuple[Evidence, ...], candidates: Sequence[Evidence], number: int
    ) -> Steps[tuple[Evidence, ...]]:
        """The passages held, after all candidates were shown.

        Those held so far stand first in each window. A selection that names none of the passages
        shown changes nothing; the first one then takes the best candidates. Irrelevant candidates,
        where summaries tell, are not shown unless all of them are.

        Args:
            candidates: Best first.
            number: Of the round, from 1.
        """
        known = {item.passage.id for item in held}
        rest = [item for item in unique(candidates) if item.passage.id not in known]
        if self.summarised:
            rest = yield from self._relevant(rest, number)
        while rest:
            room = self.window - len(held)
            shown = (*held, *rest[:room])
            rest = rest[room:]
            places = yield from self.tools.skills.select(
                self.question, [self._as_shown(item.passage) for item in shown], self.k
            )
            there = dict.fromkeys(place for place in places if 0 <= place < len(shown))
            held = tuple(shown[place] for place in there)[: self.k] or held or shown[: self.k]
            yield Selected(shown, held, number)
        return held

    def _relevant(self, items: list[Evidence], number: int) -> Steps[list[Evidence]]:
        for item in items:
            passage = item.passage
            if passage.id not in self._summaries:
                summary = yield from self.tools.skills.summarise(self.question, passage)
                self._summaries[passage.id] = summary
                if summary:
                    yield Drafted(summary, "note", number)
        return [item for item in items if self._summaries[item.passage.id]] or items

    def _as_shown(self, passage: Passage) -> Passage:
        return replace(passage, text=self._summaries.get(passage.id) or passage.text)
