"""VTG's memories: the passages that an answer is written from (VTG, section 2.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from veracite.index.documents import Evidence


@dataclass(frozen=True, slots=True)
class Memories:
    """The passages that are held, each once.

    There are at most as many as the question found, the bound, and the evidence finder's M times N
    together.
    """

    question: tuple[Evidence, ...]
    """Found with the question; never forgotten."""
    bound: int
    """How many cited passages are held besides; the oldest is forgotten first."""
    cited: tuple[Evidence, ...] = ()
    """What verified sentences cite and the question did not find, oldest first."""
    short: tuple[Evidence, ...] = ()
    """Short-term memory: what the evidence finder found last and long-term memory lacks."""

    @classmethod
    def of(cls, found: Iterable[Evidence], bound: int) -> "Memories":
        """What is remembered when nothing is written: the passages found with the question."""
        return cls(_new(found, ()), bound)

    @property
    def long(self) -> tuple[Evidence, ...]:
        """Long-term memory."""
        return self.question + self.cited

    @property
    def all(self) -> tuple[Evidence, ...]:
        """Both: what is long known stands first, so that a model need not read it anew."""
        return self.long + self.short

    def at(self, places: Iterable[int], most: int) -> tuple[Evidence, ...]:
        """The passages at some places of ``all``, each once, at most so many.

        Places that there are not are left out.
        """
        held = self.all
        return _new([held[place] for place in places if 0 <= place < len(held)], ())[:most]

    def with_found(self, found: Iterable[Evidence]) -> "Memories":
        """With other passages in short-term memory (VTG, section 2.4)."""
        return replace(self, short=_new(found, self.long))

    def with_cited(self, cited: Iterable[Evidence]) -> "Memories":
        """With the passages that a verified sentence cites in long-term memory (Algorithm 1,
        lines 14 and 19)."""
        known = self.cited + _new(cited, self.long)
        kept = known[max(0, len(known) - self.bound) :]
        return replace(self, cited=kept, short=_new(self.short, self.question + kept))


def _new(found: Iterable[Evidence], known: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The passages that are not known, each once."""
    seen = {item.passage.id for item in known}
    new: dict[str, Evidence] = {}
    for item in found:
        if item.passage.id not in seen:
            new.setdefault(item.passage.id, item)
    return tuple(new.values())
