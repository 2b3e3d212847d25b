"""A result as one page of HTML with plots, which needs nothing else and runs nothing.

The page has no script and forbids any; its one style sheet is allowed by its hash. Everything from
the data is neutralised and escaped by the template's autoescape.
"""

import base64
import hashlib
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from veracite.engine.evaluation import phrases, plots, record
from veracite.engine.evaluation.report_page import PAGE
from veracite.engine.evaluation.results import Mistake, Result

__all__ = ["MOST_MISTAKES", "render"]

MOST_MISTAKES = 50
"""Of each method, the ones it was surest of."""

_MOST_GROUPS = 200

_STYLES = (
    Path(__file__).parents[1] / "report" / "style.css",
    Path(__file__).with_name("report.css"),
)


def render(result: Result) -> str:
    """The result as a self-contained page; the same result gives the same bytes."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    from veracite.engine.display import neutralise
    from veracite.engine.evaluation.predicting import METHODS

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["plain"] = neutralise
    style = "".join(path.read_text(encoding="utf-8") for path in _STYLES)
    drawn = {kind: plots.plot(result, kind) for kind in plots.TITLES}
    asked = {curve.kind for curve in result.curves}
    in_sets = [
        m.method for m in result.methods if any(m.method in s.figures for s in result.subsets)
    ]
    return environment.from_string(PAGE).render(
        result=result,
        phrases=phrases,
        facts=record.facts(result.record),
        names=phrases.figure_names(result),
        in_sets=in_sets,
        does=METHODS[result.task],
        set_figures=list(
            dict.fromkeys(f.name for each in result.subsets for f in each.figures.values())
        ),
        leads=[(method.method, each) for method in result.methods for each in method.compared],
        # The browser hashes what stands between the tags, to the letter.
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        asked=asked,
        plots={kind: Markup(svg) for kind, svg in drawn.items() if svg},
        undrawn=[
            title for kind, title in plots.TITLES.items() if kind in asked and not drawn[kind]
        ],
        titles=plots.TITLES,
        bins=[(c.method, plots.drawable(c)) for c in result.curves if c.kind == "reliability"],
        mistakes=_surest(result.mistakes, [method.method for method in result.methods]),
        most_mistakes=MOST_MISTAKES,
        most_groups=_MOST_GROUPS,
    )


def _surest(
    mistakes: Iterable[Mistake], methods: list[str]
) -> list[tuple[str, int, list[Mistake]]]:
    """For each method, how many mistakes there are and those it was surest of."""
    known = {method: place for place, method in enumerate(methods)}
    ordered = sorted(
        mistakes,
        key=lambda m: (known.get(m.method, len(known)), m.method, -m.confidence, m.item),
    )
    held = [(method, list(own)) for method, own in groupby(ordered, key=lambda m: m.method)]
    return [(method, len(own), own[:MOST_MISTAKES]) for method, own in held]
