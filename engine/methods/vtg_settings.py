"""The settings of VTG, and the tables that they stand in."""

from collections.abc import Mapping
from dataclasses import dataclass

from veracite.engine.methods import quoting
from veracite.engine.methods.options import option, require_valid
from veracite.engine.settings import Retrieval
from veracite.engine.skills.base import DEFAULT_WRITING, Writing

WRITTEN = 10
"""Sentences that a language model writes, at most, unless another number is set."""

_Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class VtgSettings:
    """Of VTG; the numbers are those of Table 7 for ASQA."""

    k: int = option(5, "Passages found with the question (VTG, Tables 6 and 7).", within=(1, 50))
    T: int = option(
        3, "Times that a sentence is written anew, at most (VTG, Table 7: 3 or 5).", within=(0, 20)
    )
    M: int = option(2, "Queries for evidence on a sentence (VTG, Table 7: 2 to 4).", within=(1, 20))
    N: int = option(4, "Passages per query (VTG, Table 7: 2 to 4).", within=(1, 50))
    citations: int = option(
        3, "Passages that are cited for a sentence, at most (VTG, appendix E).", within=(1, 20)
    )
    retrieval: Retrieval = option("dense", "Where passages are looked for (VTG: DPR).")
    verifier: bool = option(
        True, "False takes each sentence and its citations as written (VTG, Table 3)."
    )
    memory: bool = option(
        True, "False starts every sentence from the question's passages (VTG, Table 3)."
    )
    simplifier: bool = option(True, "False keeps needless citations (VTG, Table 3).")
    diverse: bool = option(
        True, "False looks for evidence with the sentence itself, one query (VTG, Table 3)."
    )
    sentences: int | None = option(
        None,
        f"Sentences that are written, at most; none takes {WRITTEN} of a language model, and "
        f"{DEFAULT_WRITING.sentences} quotes without one (the paper sets no bound).",
        within=(1, 100),
    )
    remembered: int = option(
        10,
        "Cited passages in long-term memory besides the question's; with these defaults there are "
        "never more than 23 in all, some 2,300 words (the paper sets no bound).",
        within=(0, 200),
    )
    drop_unsupported: bool = option(
        False, "Leave out a sentence that no passage supports (VTG keeps it, and so its doubt)."
    )
    enough: float = quoting.enough()
    bar: float = quoting.bar()

    def __post_init__(self) -> None:
        require_valid(self)

    @property
    def writing(self) -> Writing:
        """What skills are told of these settings."""
        quoted = self.sentences or DEFAULT_WRITING.sentences
        return Writing(sentences=quoted, enough=self.enough, bar=self.bar)


def _values(T: int, M: int, N: int) -> _Values:  # the paper's letters
    return {"k": 5, "T": T, "M": M, "N": N}


_MULTIHOP = _values(T=5, M=4, N=2)

PRESETS: Mapping[str, _Values] = {
    "multihop-table6": _values(T=5, M=2, N=4),
    "asqa-table6": _values(T=2, M=4, N=2),
    "eli5-table6": _values(T=3, M=2, N=2),
    "nq-table6": _values(T=3, M=2, N=3),
    "webq-table6": _values(T=3, M=4, N=2),
    "multihop-table7": _MULTIHOP,
    "asqa-table7": _values(T=3, M=2, N=4),
    "eli5-table7": _values(T=5, M=2, N=4),
    "nq-table7": _values(T=3, M=3, N=3),
    "webq-table7": _values(T=3, M=3, N=3),
    "multihop-table3-without-verifier": {**_MULTIHOP, "verifier": False},
    "multihop-table3-without-memory": {**_MULTIHOP, "memory": False},
    "multihop-table3-without-simplifier": {**_MULTIHOP, "simplifier": False},
    "multihop-table3-without-diverse-queries": {**_MULTIHOP, "diverse": False},
}
"""Table 6 is of Text-Davinci-003, Table 7 of Vicuna-13B; "multihop" is 2WikiMultihopQA."""
