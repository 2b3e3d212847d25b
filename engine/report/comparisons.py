"""Methods side by side on one question, for programs: schema ``veracite.comparison/1``."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from veracite.engine.methods.cost import Cost
from veracite.engine.report.json import as_json, safe_json
from veracite.engine.version import __version__
from veracite.engine.words import Label, Report

__all__ = ["SCHEMA", "Compared", "render"]

SCHEMA = "veracite.comparison/1"


@dataclass(frozen=True, slots=True)
class Compared:
    """What a method said, and what that cost."""

    report: Report
    cost: Cost

    @property
    def supported(self) -> float | None:
        """The share of its sentences that is supported; None if there is no answer."""
        total = len(self.report.verdicts)
        return self.report.counts[Label.SUPPORTED] / total if total else None


def render(question: str, compared: Sequence[Compared], *, complete: bool) -> str:
    """The comparison as indented JSON with a line break at its end; seconds have three decimals."""
    return (
        safe_json(
            {
                "schema": SCHEMA,
                "veracite": __version__,
                "question": question,
                "complete": complete,
                "methods": [_method(one) for one in compared],
            },
            indent=2,
        )
        + "\n"
    )


def _method(one: Compared) -> dict[str, Any]:
    return {
        "method": one.report.method,
        "sentences": len(one.report.verdicts),
        "supported": None if one.supported is None else round(one.supported, 4),
        "cost": asdict(one.cost) | {"seconds": round(one.cost.seconds, 3)},
        "report": as_json(one.report),
    }
