"""A result as one page of HTML with plots, which needs nothing else and runs nothing.

The page has no script and forbids any; its one style sheet is allowed by its hash. Everything from
the data is neutralised and escaped by the template's autoescape.
"""

import base64
import hashlib
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from veracite.engine.evaluation import plots, record, table
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
    names = dict.fromkeys(f.name for method in result.methods for f in method.figures)
    in_sets = [
        m.method for m in result.methods if any(m.method in s.figures for s in result.subsets)
    ]
    return environment.from_string(_PAGE).render(
        result=result,
        table=table,
        facts=record.facts(result.record),
        names=list(names),
        in_sets=in_sets,
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


_PAGE = """\
{% macro cell(figure) %}
{% if figure %}
{% set value, _, bounds = table.measured(figure).partition(" ") %}
{{ value }}{% if bounds %} <span class="aside">{{ bounds }}</span>{% endif %}
{% endif %}
{% endmacro %}
{% macro head(names) %}
<thead><tr>{% for name in names %}<th scope="col">{{ name | plain }}</th>{% endfor %}</tr></thead>
{% endmacro %}
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
style-src 'sha256-{{ style_hash }}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Veracite">
<title>Evaluation: {{ result.task }} on {{ result.format | plain }}</title>
<style>{{ style }}</style>
</head>
<body class="evaluation">
<header>
<h1>Evaluation: {{ result.task }} on <bdi>{{ result.format | plain }}</bdi></h1>
<p><strong>{{ table.extent(result) }}.</strong></p>
{% for note in result.notes %}
<p class="note">{{ note | plain }}</p>
{% endfor %}
</header>

<main>
<section>
<h2>Results</h2>
<p class="aside">In brackets: 95 % intervals. Trivial baselines understand nothing; they show what
a figure is worth.</p>
<div class="wide">
<table>
{{ head(["Method", "Items"] + names + ["ms per item"]) }}
<tbody>
{% for method in result.methods %}
<tr{% if method.trivial %} class="trivial"{% endif %}>
<th scope="row"><bdi>{{ method.method | plain }}</bdi>\
{% if method.trivial %} <span class="aside">trivial</span>{% endif %}</th>
<td>{{ "{:,}".format(method.n) }}</td>
{% for name in names %}
<td>{{ cell(method.figure(name)) }}</td>
{% endfor %}
<td>{{ table.duration(method.seconds_per_item) }}</td>
</tr>
{% endfor %}
</tbody>
</table>
</div>
<ul class="aside">
{% for text in table.thresholds(result) + table.footnotes(result) %}
<li>{{ text | plain }}</li>
{% endfor %}
{% for missing in result.unavailable %}
<li>Not available: {{ missing.name | plain }} ({{ missing.reason | plain }})</li>
{% endfor %}
</ul>
</section>

{% if leads %}
<section>
<h2>Leads</h2>
<p class="aside">On the same items: difference with its paired 95 % interval, and McNemar's exact
test.</p>
<div class="wide">
<table>
{{ head(["Method", "Over", "Figure", "Lead", "McNemar"]) }}
<tbody>
{% for method, lead in leads %}
<tr><th scope="row"><bdi>{{ method | plain }}</bdi></th><td><bdi>{{ lead.other | plain }}</bdi></td>
<td>{{ lead.figure | plain }}</td><td>{{ table.lead(lead) }}</td>
<td>{{ table.p_value(lead.p_mcnemar) }}</td></tr>
{% endfor %}
</tbody>
</table>
</div>
</section>
{% endif %}

{% if result.subsets %}
<section>
<h2>By set</h2>
<div class="wide">
<table>
{{ head(["Set", "Items", "True"] + in_sets) }}
<tbody>
{% for subset in result.subsets %}
<tr><th scope="row"><bdi>{{ subset.name | plain }}</bdi></th>
<td>{{ "{:,}".format(subset.items) }}</td><td>{{ table.share(subset.positives) }}</td>
{% for method in in_sets %}
<td>{{ cell(subset.figures.get(method)) }}</td>
{% endfor %}
</tr>
{% endfor %}
</tbody>
</table>
</div>
</section>
{% endif %}

{% if asked %}
<section>
<h2>Plots</h2>
<div class="plots">
{% for kind, svg in plots.items() %}
<figure>
<figcaption>{{ titles[kind] }}</figcaption>
{{ svg }}
</figure>
{% endfor %}
</div>
{% for title in undrawn %}
<p class="aside">{{ title }}: not drawn, since it is not defined for these items.</p>
{% endfor %}
{% if bins %}
<details>
<summary>The bins of the reliability diagram</summary>
<div class="wide">
<table>
{{ head(["Method", "Mean probability", "Share that is true", "Items"]) }}
<tbody>
{% for method, points in bins %}
{% for given, share, count in points %}
<tr><th scope="row"><bdi>{{ method | plain }}</bdi></th><td>{{ table.number(given) }}</td>
<td>{{ table.number(share) }}</td><td>{{ "{:,.0f}".format(count) }}</td></tr>
{% endfor %}
{% endfor %}
</tbody>
</table>
</div>
</details>
{% endif %}
</section>
{% endif %}

{% for method, total, surest in mistakes %}
<section>
<h2>Where <bdi>{{ method | plain }}</bdi> was most surely wrong</h2>
{% if total > surest | length %}
<p class="aside">The first {{ surest | length }} of {{ "{:,}".format(total) }}.</p>
{% endif %}
<div class="wide">
<table class="mistakes">
{{ head(["Claim", "In the set", "Given", "Score"]) }}
<tbody>
{% for mistake in surest %}
<tr><td dir="auto">{{ mistake.text | plain }}\
 <span class="aside"><bdi>{{ mistake.item | plain }}</bdi></span></td>
<td><bdi>{{ mistake.expected | plain }}</bdi></td><td><bdi>{{ mistake.given | plain }}</bdi></td>
<td>{{ table.number(mistake.score) }}</td></tr>
{% endfor %}
</tbody>
</table>
</div>
</section>
{% endfor %}
</main>

<footer>
<h2>What it was measured on</h2>
<dl>
{% for file in result.files %}
<dt>Data</dt><dd><bdi>{{ file.name | plain }}</bdi>, {{ "{:,}".format(file.bytes) }} bytes, \
SHA-256 <code>{{ file.sha256 | plain }}</code></dd>
{% endfor %}
{% if result.label_map %}
<dt>Labels</dt><dd>{{ table.labels(result) | plain }}</dd>
{% endif %}
{% for part in result.parts %}
<dt>For {{ part.use | plain }}</dt><dd>{{ table.part(part).partition(": ")[2] | plain }}
<details><summary>Its groups</summary><p>{{ part.groups[:most_groups] | join(", ") | plain }}\
{% if part.groups | length > most_groups %}, … (the JSON lists all){% endif %}</p></details></dd>
{% endfor %}
</dl>
{% if facts %}
<h2>How it was measured</h2>
<dl>
{% for fact, value in facts %}
<dt>{{ fact | plain }}</dt><dd>{{ value | plain }}</dd>
{% endfor %}
</dl>
{% endif %}
</footer>
</body>
</html>
"""
