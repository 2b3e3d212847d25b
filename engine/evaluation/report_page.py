"""The page that ``report_html`` fills, as a Jinja template; it escapes what is put into it."""

__all__ = ["PAGE"]

PAGE = """\
{% macro cell(figure) %}
{% if figure %}
{% set value, _, bounds = phrases.measured(figure).partition(" ") %}
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
<p><strong>{{ phrases.extent(result) }}.</strong></p>
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
<td>{{ phrases.duration(method.seconds_per_item) }}</td>
</tr>
{% endfor %}
</tbody>
</table>
</div>
<ul class="aside">
{% for text in phrases.thresholds(result) + phrases.footnotes(result) %}
<li>{{ text | plain }}</li>
{% endfor %}
{% for method in result.methods if method.method in does %}
<li><bdi>{{ method.method }}</bdi>: {{ does[method.method] | replace("`", "") }}</li>
{% endfor %}
{% for missing in result.unavailable %}
<li>Not available: {{ missing.name | plain }} ({{ missing.reason | plain }})</li>
{% endfor %}
</ul>
{% if result.differences %}
<details>
<summary>How figures are counted otherwise than by the papers' scripts</summary>
<ul class="aside">
{% for difference in result.differences %}
<li>{{ difference | plain }}</li>
{% endfor %}
</ul>
</details>
{% endif %}
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
<td>{{ lead.figure | plain }}</td><td>{{ phrases.lead(lead) }}</td>
<td>{% if lead.p_mcnemar is not none %}{{ phrases.p_value(lead.p_mcnemar) }}{% endif %}</td></tr>
{% endfor %}
</tbody>
</table>
</div>
</section>
{% endif %}

{% if result.subsets %}
<section>
<h2>By set</h2>
<p class="aside">{{ set_figures | join(", ") | plain }}, with 95 % intervals; thresholds are
those of all sets together.</p>
<div class="wide">
<table>
{{ head(["Set", "Items", "True"] + in_sets) }}
<tbody>
{% for subset in result.subsets %}
<tr><th scope="row"><bdi>{{ subset.name | plain }}</bdi></th>
<td>{{ "{:,}".format(subset.items) }}</td><td>{{ phrases.share(subset.positives) }}</td>
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
<tr><th scope="row"><bdi>{{ method | plain }}</bdi></th><td>{{ phrases.number(given) }}</td>
<td>{{ phrases.number(share) }}</td><td>{{ "{:,.0f}".format(count) }}</td></tr>
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
{{ head(["Question", "Right", "Chosen", "Lead of the right one"] if result.task == "choose"
        else ["Claim", "In the set", "Given", "Score"]) }}
<tbody>
{% for mistake in surest %}
<tr><td dir="auto">{{ mistake.text | plain }}\
 <span class="aside"><bdi>{{ mistake.item | plain }}</bdi></span></td>
<td><bdi>{{ mistake.expected | plain }}</bdi></td>
<td><bdi>{{ mistake.given | replace("_", " ") | plain }}</bdi></td>
<td>{{ phrases.number(mistake.score) }}</td></tr>
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
<dt>Labels</dt><dd>{{ phrases.labels(result) | plain }}</dd>
{% endif %}
{% for part in result.parts %}
<dt>For {{ part.use | plain }}</dt><dd>{{ phrases.part(part).partition(": ")[2] | plain }}
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
