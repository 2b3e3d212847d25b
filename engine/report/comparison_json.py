"""Methods on one question as JSON for programs, schema ``veracite.comparison/1``."""

from dataclasses import asdict
from typing import Any

from veracite.engine.report.comparisons import Compared, Comparison
from veracite.engine.report.json import as_json, safe_json
from veracite.engine.version import __version__

SCHEMA = "veracite.comparison/1"


def render(comparison: Comparison) -> str:
    """The comparison as indented JSON with a line break at its end; seconds have three decimals."""
    said = {
        "schema": SCHEMA,
        "veracite": __version__,
        "question": comparison.question,
        "complete": comparison.complete,
        "methods": [_method(one) for one in comparison.compared],
    }
    return safe_json(said, indent=2) + "\n"


def _method(one: Compared) -> dict[str, Any]:
    return {
        "method": one.report.method,
        "sentences": len(one.report.verdicts),
        "supported": None if one.supported is None else round(one.supported, 4),
        "cost": asdict(one.cost) | {"seconds": round(one.cost.seconds, 3)},
        "report": as_json(one.report),
    }
