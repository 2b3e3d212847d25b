"""What a prompt of each skill must hold: its placeholders, and how it is replied to."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Reply = Literal["options", "numbers", "line", "lines", "text"]
"""One of given options; numbers of passages; one line; some lines; any text."""

PASSAGES = "passages"
DEMONSTRATIONS = "demonstrations"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a prompt of one skill must hold."""

    reply: Reply
    needed: tuple[str, ...]
    """Placeholders that must stand in it."""
    allowed: tuple[str, ...] = (DEMONSTRATIONS,)
    """Placeholders that may stand in it besides."""
    options: tuple[str, ...] = ()
    """What its options may mean; the first one and at least one other must be there."""

    @property
    def limited(self) -> bool:
        """Whether the prompt says how many tokens a reply may have."""
        return self.reply not in ("options", "numbers")


_VERDICTS = ("supported", "contradicted", "neutral")
_QUESTION = (DEMONSTRATIONS, "question")

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "draft": Kind("text", ("question",)),
        "draft_short": Kind("line", ("question",)),
        "answer_cited": Kind("text", ("question", PASSAGES)),
        "answer_plain": Kind("text", ("question", PASSAGES)),
        "answer_short": Kind("line", ("question", PASSAGES)),
        "refine": Kind("line", ("question", "answers", PASSAGES)),
        "revise": Kind("text", ("question", "text", "claims", PASSAGES)),
        "fix": Kind("text", ("text", "claims", PASSAGES)),
        "judge": Kind("options", ("claim", PASSAGES), _QUESTION, _VERDICTS),
        "judge_closed": Kind("options", ("claim",), _QUESTION, _VERDICTS),
        "select": Kind("numbers", ("question", "k", PASSAGES)),
        "sufficient": Kind("options", ("question", PASSAGES), options=("yes", "no")),
        "sufficient_score": Kind(
            "options", ("question", PASSAGES), options=tuple(str(score) for score in range(11))
        ),
        "missing_question": Kind("line", ("question", PASSAGES)),
        "missing_passage": Kind("line", ("question", PASSAGES)),
        "next_claim": Kind("line", ("question", "so_far", PASSAGES)),
        "cite": Kind("numbers", ("claim", PASSAGES), (DEMONSTRATIONS, "most")),
        "queries": Kind("lines", ("question", "so_far", "claim", "count")),
        "summarise": Kind("line", ("question", PASSAGES)),
        "extract": Kind("line", ("question", PASSAGES)),
    }
)
"""Every skill that has prompts."""
