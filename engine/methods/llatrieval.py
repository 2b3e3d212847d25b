"""LLatrieval: what was found is verified and searched anew before anything is answered."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from veracite.engine.errors import SettingsError
from veracite.engine.events import Assessed, Drafted, QueryKind, Selected, Settled
from veracite.engine.methods.answers import imagined, read_from
from veracite.engine.methods.base import Method, Steps, Tools, merged, unique
from veracite.engine.settings import Retrieval, setting
from veracite.engine.skills.base import MissingStyle
from veracite.engine.types import Answer
from veracite.index.documents import Evidence, Passage


@dataclass(frozen=True, slots=True)
class LlatrievalSettings:
    """Of LLatrieval; "A.1" and so on are its appendix."""

    rounds: int = setting(4, "T: searches, at most (LLatrieval, A.1; Table 2: 1).", within=(1, 10))
    candidates: int = setting(50, "N: passages found in each (LLatrieval, A.1).", within=(1, 200))
    k: int = setting(5, "Passages that are answered from (LLatrieval, A.1).", within=(1, 20))
    window: int = setting(
        20,
        "Passages that are chosen from at once, those held among them (LLatrieval, A.1).",
        within=(2, 100),
    )
    retrieval: Retrieval = setting(
        "hybrid", "Where passages are looked for (LLatrieval: dense, for ELI5 lexical)."
    )
    progressive: bool = setting(
        True, "Choose among what was found; false takes the first k (LLatrieval, Table 2)."
    )
    summaries: bool = setting(
        False, "Choose by summaries, which costs a call for each candidate (LLatrieval, A.1)."
    )
    verify: Literal["classify", "score", "none"] = setting(
        "classify",
        "How it is told whether the passages suffice (LLatrieval, section 3.1); none goes through "
        "all rounds.",
    )
    tau: float = setting(
        5.0,
        "The score, 0 to 10, that suffices (LLatrieval, section 3.1, names none).",
        within=(0, 10),
    )
    missing: MissingStyle = setting(
        "passage", "What is missing is asked for, or imagined as a passage (LLatrieval, Table 1)."
    )
    hypothetical: bool = setting(
        False, "Search first with an answer from memory (HyDE; LLatrieval, A.1, for ELI5)."
    )

    def __post_init__(self) -> None:
        if self.window <= self.k:
            raise SettingsError(
                f"window is {self.window}, which leaves no room beside k = {self.k} passages held.",
                f"The nearest valid value is {self.k + 1}.",
            )


def llatrieval(question: str, tools: Tools, settings: LlatrievalSettings) -> Steps[Answer]:
    """Answers from passages that were verified to suffice (LLatrieval, Algorithm 1).

    Where they do not after the last round, the answer is marked so. A round is a search.
    """
    search = _Search(question, tools, settings)
    yield from search.run()
    answer = yield from read_from(question, search.held, tools)
    answer = replace(answer, rounds=search.rounds, sufficient=search.sufficient)
    yield Settled(answer)
    return answer


@dataclass(slots=True)
class _Search:
    """Searches, selects and verifies until the passages suffice or the rounds are used up."""

    question: str
    tools: Tools
    settings: LlatrievalSettings
    held: tuple[Evidence, ...] = ()
    rounds: int = 0
    sufficient: bool | None = None
    """None if nobody asked."""
    _summaries: dict[str, str | None] = field(default_factory=dict)
    """By the passages' ids; None for an irrelevant one."""

    def run(self) -> Steps[None]:
        """No query is searched twice: it would find nothing new, so the search ends there."""
        settings = self.settings
        rankings: list[tuple[Evidence, ...]] = []
        searched: set[str] = set()
        while self.rounds < settings.rounds:
            query, kind = yield from self._query()
            if query in searched:
                break
            searched.add(query)
            self.rounds += 1
            found = yield from self.tools.search(
                query, kind, k=settings.candidates, mode=settings.retrieval, number=self.rounds
            )
            rankings.append(found)
            if settings.progressive:
                yield from self._select(found)
            else:
                self.held = merged(rankings, settings.k, by="rank", mode=settings.retrieval)
            yield from self._verify()
            # Where nothing was found, the same query would find nothing again.
            if self.sufficient or not self.held:
                break

    def _query(self) -> Steps[tuple[str, QueryKind]]:
        """The question first, then what is missing (section 3.2)."""
        skills, question = self.tools.skills, self.question
        if self.held:
            asked = yield from skills.missing(question, self._passages, self.settings.missing)
            return (asked, "missing") if asked.strip() else (question, "question")
        if self.settings.hypothetical:
            return (yield from imagined(question, self.tools))
        return question, "question"

    def _select(self, candidates: Sequence[Evidence]) -> Steps[None]:
        """Progressive selection: the passages that together answer best, window by window
        (section 3.2).

        Those held so far stand first in each window. A selection that names none of the passages
        shown changes nothing; the first one then takes the best candidates. Irrelevant candidates,
        where summaries tell, are not shown unless all of them are.
        """
        k = self.settings.k
        known = {item.passage.id for item in self.held}
        rest = [item for item in unique(candidates) if item.passage.id not in known]
        if self.settings.summaries:
            rest = yield from self._relevant(rest)
        while rest:
            room = self.settings.window - len(self.held)
            shown, rest = (*self.held, *rest[:room]), rest[room:]
            places = yield from self.tools.skills.select(
                self.question, [self._as_shown(item.passage) for item in shown], k
            )
            there = dict.fromkeys(place for place in places if 0 <= place < len(shown))
            self.held = tuple(shown[place] for place in there)[:k] or self.held or shown[:k]
            yield Selected(shown, self.held, self.rounds)

    def _relevant(self, items: list[Evidence]) -> Steps[list[Evidence]]:
        """The passages whose summaries say something (appendix A.1); all if none does."""
        for item in items:
            passage = item.passage
            if passage.id not in self._summaries:
                summary = yield from self.tools.skills.summarise(self.question, passage)
                self._summaries[passage.id] = summary
                if summary:
                    yield Drafted(summary, "note", self.rounds)
        return [item for item in items if self._summaries[item.passage.id]] or items

    def _as_shown(self, passage: Passage) -> Passage:
        return replace(passage, text=self._summaries.get(passage.id) or passage.text)

    def _verify(self) -> Steps[None]:
        """Whether the passages suffice (section 3.1); no passages never do."""
        mode = self.settings.verify
        if mode == "none":
            return
        self.sufficient = False
        if self.held:
            tau = self.settings.tau if mode == "score" else None
            found = yield from self.tools.skills.sufficient(self.question, self._passages, tau)
            yield Assessed(found.sufficient, found.score, self.rounds)
            self.sufficient = found.sufficient

    @property
    def _passages(self) -> list[Passage]:
        return [item.passage for item in self.held]


_DENSE = {"retrieval": "dense"}
_ELI5 = {"retrieval": "lexical", "hypothetical": True}
_QUESTION = {"missing": "question"}

LLATRIEVAL = Method(
    "llatrieval",
    "searches until what was found suffices, then answers from it",
    LlatrievalSettings,
    llatrieval,
    {
        "asqa-table5": _DENSE,
        "qampari-table5": _DENSE,
        "eli5-table5": _ELI5,
        "asqa-table6": _DENSE | _QUESTION,
        "qampari-table6": _DENSE | _QUESTION,
        "eli5-table6": _ELI5 | _QUESTION,
        "table2-retriever": _DENSE | {"progressive": False, "verify": "none", "rounds": 1},
        "table2-selection": _DENSE | {"verify": "none", "rounds": 1},
        "table2-verification": _DENSE | {"rounds": 1},
        "score-tau5": _DENSE | {"verify": "score", "tau": 5.0},
        "table8-window15": _DENSE | {"window": 15},
        "table8-window25": _DENSE | {"window": 25},
        "table8-window30": _DENSE | {"window": 30},
        "table8-k3": _DENSE | {"k": 3},
        "table8-k7": _DENSE | {"k": 7},
    },
)
