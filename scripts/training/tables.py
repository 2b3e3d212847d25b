"""Tables and lists as premises, with claims about their cells, rows and columns."""

from __future__ import annotations

import random
from collections.abc import Iterator

from scripts.training.lexicon import NATIONALITIES, OCCUPATIONS
from scripts.training.pairs import CONTRADICTED, NEUTRAL, SUPPORTED, Pair
from scripts.training.world_words import FIRST, HEADS, LAST, OBJECTS, TOWNS

_COLUMNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Population": ("count", ("The population of {r} is {v}.", "{r} has {v} inhabitants.")),
    "Founded": ("year", ("{r} was founded in {v}.", "{r} dates from {v}.")),
    "Height": ("metres", ("{r} is {v} high.", "The height of {r} is {v}.")),
    "Price": ("price", ("{r} costs {v}.", "The price of {r} is {v}.")),
    "Stock": ("small", ("There are {v} {r} in stock.", "The stock of {r} is {v}.")),
    "Weight": ("kilos", ("{r} weighs {v}.", "The weight of {r} is {v}.")),
    "Mayor": ("person", ("The mayor of {r} is {v}.", "{v} is the mayor of {r}.")),
    "Director": ("person", ("{v} directs {r}.", "The director of {r} is {v}.")),
    "Opened": ("year", ("{r} opened in {v}.", "{r} has been open since {v}.")),
    "Visitors": ("count", ("{r} had {v} visitors.", "{v} people visited {r}.")),
    "Goals": ("small", ("{r} scored {v} goals.", "{r} has {v} goals.")),
    "Club": ("town", ("{r} plays for {v}.", "The club of {r} is {v}.")),
    "Born": ("year", ("{r} was born in {v}.", "The year of birth of {r} is {v}.")),
    "Occupation": ("job", ("{r} is a {v}.", "{r} works as a {v}.")),
    "Nationality": ("nation", ("{r} is {v}.", "The nationality of {r} is {v}.")),
    "Extension": (
        "small",
        ("The extension of {r} is {v}.", "{r} can be reached at extension {v}."),
    ),
    "Budget": ("budget", ("The budget of {r} is {v}.", "{r} has a budget of {v}.")),
}
_SORTS = {
    "town": ("Population", "Founded", "Mayor", "Visitors"),
    "house": ("Founded", "Director", "Opened", "Visitors", "Budget"),
    "thing": ("Price", "Weight", "Stock", "Height"),
    "person": ("Goals", "Club", "Born", "Occupation", "Nationality", "Extension"),
}
_ORDERED = {
    "Population": ("more inhabitants than", "the largest population", "the smallest population"),
    "Visitors": ("more visitors than", "the most visitors", "the fewest visitors"),
    "Goals": ("more goals than", "the most goals", "the fewest goals"),
    "Budget": ("a larger budget than", "the largest budget", "the smallest budget"),
}


def _value(sort: str, rng: random.Random) -> str:
    if sort == "count":
        return f"{rng.randint(1200, 980_000):,}"
    if sort == "price":
        return f"{rng.randint(3, 4000):,} {rng.choice(('euros', 'dollars', 'pounds'))}"
    if sort == "budget":
        return f"{rng.randint(3, 4000):,} euros"
    simple = {
        "year": lambda: str(rng.randint(1720, 2022)),
        "metres": lambda: f"{rng.randint(2, 320)} m",
        "kilos": lambda: f"{rng.randint(2, 900)} kg",
        "small": lambda: str(rng.randint(2, 480)),
        "person": lambda: f"{rng.choice(FIRST)} {rng.choice(LAST)}",
        "town": lambda: rng.choice(TOWNS),
        "job": lambda: rng.choice(OCCUPATIONS),
        "nation": lambda: rng.choice(NATIONALITIES),
    }
    return simple[sort]()


def _rows(sort: str, count: int, rng: random.Random) -> list[str]:
    if sort == "town":
        return rng.sample(TOWNS, count)
    if sort == "house":
        return [
            f"{t} {h.capitalize()}"
            for t, h in zip(rng.sample(TOWNS, count), rng.sample(HEADS, count), strict=True)
        ]
    if sort == "thing":
        return [t.capitalize() for t in rng.sample(OBJECTS, count)]
    return [
        f"{a} {b}" for a, b in zip(rng.sample(FIRST, count), rng.sample(LAST, count), strict=True)
    ]


def _rendered(
    first: str,
    rows: list[str],
    columns: list[str],
    cells: dict[tuple[str, str], str],
    rng: random.Random,
) -> str:
    """Render a table in one of the ways in which readers and people write it down."""
    way = rng.randrange(6)
    lines: list[str] = []
    if way in (0, 1):
        bar = " | " if way else "; "
        lines = [bar.join((first, *columns))]
        lines += [bar.join((r, *(cells[r, c] for c in columns))) for r in rows]
    elif way == 2:
        lines = [
            "; ".join((f"{first}: {r}", *(f"{c}: {cells[r, c]}" for c in columns))) for r in rows
        ]
    elif way == 3:
        lines = [
            f"- {r}: " + ", ".join(f"{c.lower()} {cells[r, c]}" for c in columns) for r in rows
        ]
    elif way == 4:
        lines = [f"{r} ({', '.join(f'{c.lower()}: {cells[r, c]}' for c in columns)})" for r in rows]
    else:
        lines = [f"{c}: " + "; ".join(f"{r}: {cells[r, c]}" for r in rows) for c in columns]
    return rng.choice((" ", "\n", ". ", " ")).join(lines)


def _claim(column: str, row: str, value: str, sort: str, rng: random.Random) -> str:
    form = rng.choice(_COLUMNS[column][1])
    shown = (
        f"the {row.lower()}"
        if sort == "thing" and "stock" not in form
        else (row.lower() + "s" if sort == "thing" else row)
    )
    if sort == "house":
        shown = f"the {row}"
    text = form.format(r=shown, v=value)
    if value[0] in "aeiouAEIOU":
        text = text.replace(f" a {value}", f" an {value}")
    return text[0].upper() + text[1:]


def tables(rng: random.Random) -> Iterator[Pair]:
    """Yield balanced claims about one invented table."""
    sort = rng.choice(tuple(_SORTS))
    columns = rng.sample(_SORTS[sort], rng.randint(2, min(4, len(_SORTS[sort]))))
    rows = _rows(sort, rng.randint(3, 6), rng)
    absent = rows.pop()
    cells = {(r, c): _value(_COLUMNS[c][0], rng) for r in [*rows, absent] for c in columns}
    first = {"town": "Town", "house": "Institution", "thing": "Item", "person": "Name"}[sort]
    title = (
        f"{rng.choice(TOWNS)} {rng.choice(('register', 'list', 'report', 'overview', 'records'))}"
    )
    heading = rng.choice(
        ("", f"{title}: ", f"{title} > {first}s: ", f"Annex {rng.randint(1, 9)} > {title}: ")
    )
    shown = heading + _rendered(first, rows, columns, cells, rng)
    for kind in rng.sample(
        ("right", "right", "right", "right", "row", "row", "value", "absent", "order", "order"), 4
    ):
        column, (row, other) = rng.choice(columns), rng.sample(rows, 2)
        right, wrong = cells[row, column], cells[other, column]
        if kind == "right":
            yield Pair("table_cell", shown, _claim(column, row, right, sort, rng), SUPPORTED)
        elif kind == "row" and wrong != right:
            yield Pair("table_cell", shown, _claim(column, row, wrong, sort, rng), CONTRADICTED)
        elif kind == "value" and (new := _value(_COLUMNS[column][0], rng)) != right:
            yield Pair("table_cell", shown, _claim(column, row, new, sort, rng), CONTRADICTED)
        elif kind == "absent":
            claim = _claim(column, absent, cells[rng.choice((row, absent)), column], sort, rng)
            yield Pair("table_cell", shown, claim, NEUTRAL)
        elif kind == "order" and column in _ORDERED:
            yield _order(shown, column, rows, cells, sort, rng)


def _order(
    shown: str,
    column: str,
    rows: list[str],
    cells: dict[tuple[str, str], str],
    sort: str,
    rng: random.Random,
) -> Pair:
    """Return a claim that compares rows."""
    size = {r: int("".join(ch for ch in cells[r, column] if ch.isdigit())) for r in rows}
    name = {r: f"the {r}" if sort == "house" else r for r in rows}
    more, most, least = _ORDERED[column]
    a, b = rng.sample(rows, 2)
    way = rng.randrange(3)
    if way == 0:
        text, true = f"{name[a]} has {more} {name[b]}.", size[a] > size[b]
    else:
        best = max(size.values()) if way == 1 else min(size.values())
        if rng.random() < 0.4:
            a = next(r for r in rows if size[r] == best)
        text, true = f"{name[a]} has {most if way == 1 else least}.", size[a] == best
    return Pair(
        "table_order", shown, text[0].upper() + text[1:], SUPPORTED if true else CONTRADICTED
    )
