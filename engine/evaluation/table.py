"""A result as plain text for a terminal. Colour is the caller's: each line says what it is."""

from collections.abc import Iterator

from veracite.engine.evaluation import phrases
from veracite.engine.evaluation.columns import Line, Row, shorten, table, wrapped
from veracite.engine.evaluation.results import Comparison, DataFile, Figure, Result

__all__ = ["lines", "render"]

_NARROWEST, _WIDEST = 80, 200
_LONGEST_IN_PAIR = 20
_MOST_FILES = 6


def render(result: Result, width: int = 80) -> str:
    """The result as text of at most ``width`` columns, which is kept within 80 to 200."""
    return "\n".join(line.text for line in lines(result, width)) + "\n"


def lines(result: Result, width: int = 80) -> Iterator[Line]:
    """The lines of ``render``, without line breaks."""
    width = max(_NARROWEST, min(width, _WIDEST))
    yield from wrapped(phrases.headline(result), width, "title")
    for text in _data(result.files):
        yield from wrapped(f"Data: {text}", width)
    if result.label_map:
        yield from wrapped(f"Labels: {phrases.labels(result)}", width)
    for each in result.parts:
        yield from wrapped(f"For {phrases.part(each)}", width)
    yield from _methods(result, width)
    cut_offs = phrases.thresholds(result)
    if cut_offs:
        yield Line("", "text")
    for text in cut_offs:
        yield from wrapped(text, width)
    yield from _leads(result, width)
    yield from _subsets(result, width)
    yield from _below(result, width)


def _data(files: tuple[DataFile, ...]) -> Iterator[str]:
    shown = files if len(files) <= _MOST_FILES else files[: _MOST_FILES - 1]
    yield from map(phrases.data, shown)
    if len(shown) < len(files):
        yield f"{len(files) - len(shown):,} more files (--report and --json list them)"


def _methods(result: Result, width: int) -> Iterator[Line]:
    names = phrases.figure_names(result)
    of_results = [part.items for part in result.parts if part.use == "results"]
    usual = of_results[0] if of_results else result.items
    counted = any(method.n != usual for method in result.methods)
    rows = [Row(("Method", *(["Items"] if counted else []), *names, "ms per item"), "columns")]
    for each in result.methods:
        cells = (
            shorten(each.method) + ("*" if each.trivial else ""),
            *([f"{each.n:,}"] if counted else []),
            *(_figure(each.figure(name)) for name in names),
            phrases.duration(each.seconds_per_item),
        )
        rows.append(Row(cells, "trivial" if each.trivial else "row"))
    last = len(rows[0].cells) - 1
    yield from table("", rows, width, right={1, last} if counted else {last})
    if any(method.trivial for method in result.methods):
        yield Line("* understands nothing; it shows what a figure is worth", "note")


def _leads(result: Result, width: int) -> Iterator[Line]:
    """A table for each figure that methods are compared in."""
    of_figure: dict[str, list[tuple[str, Comparison]]] = {}
    for method in result.methods:
        for each in method.compared:
            of_figure.setdefault(each.figure, []).append((method.method, each))
    for figure, pairs in of_figure.items():
        tested = any(each.p_mcnemar is not None for _, each in pairs)
        rows = [Row(("Method", "Lead", *(["McNemar"] if tested else [])), "columns")]
        for leading, each in pairs:
            names = [shorten(name, _LONGEST_IN_PAIR) for name in (leading, each.other)]
            both = " over ".join(names)
            p = [phrases.p_value(each.p_mcnemar)] if tested else []
            rows.append(Row((both, phrases.lead(each), *p)))
        test = " and McNemar's exact test" if tested else ""
        yield from table(f"Leads in {figure}, with 95 % intervals{test}", rows, width)


def _subsets(result: Result, width: int) -> Iterator[Line]:
    held = [m.method for m in result.methods if any(m.method in s.figures for s in result.subsets)]
    rows = [
        Row(
            (
                shorten(each.name),
                f"{each.items:,}",
                phrases.share(each.positives),
                *(_value(each.figures.get(method)) for method in held),
            )
        )
        for each in result.subsets
    ]
    figures = {f.name: None for each in result.subsets for f in each.figures.values()}
    names = Row(("Set", "Items", "True", *map(shorten, held)), "columns")
    yield from table(f"By set: {', '.join(figures)}", [names, *rows], width, right={1, 2})


def _below(result: Result, width: int) -> Iterator[Line]:
    notes = [f"Note: {text}" for text in (*phrases.footnotes(result), *result.notes)]
    if result.differences:
        ways = f"{len(result.differences)} ways (--report and --json list them)"
        notes.append(f"Note: figures are counted otherwise than by the papers' scripts in {ways}")
    if result.unavailable:
        notes.append(f"Not available: {phrases.unavailable(result)}")
    if notes:
        yield Line("", "text")
    for text in notes:
        yield from wrapped(text, width, "note")


def _figure(figure: Figure | None) -> str:
    return "" if figure is None else phrases.measured(figure)


def _value(figure: Figure | None) -> str:
    return "" if figure is None else phrases.number(figure.value)
