"""Claims beside rows of tables as they are read alone: each cell behind its column's name.

"Ticket: Adult | Price: £7 | Valid for: one day", one row or some, sometimes with the heading and
without the names. Numbers of the claims are written in words now and then.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scripts.training.pairs import (
    CONTRADICTED,
    JOINT,
    NEUTRAL,
    NOT_SUPPORTED,
    SUPPORTED,
    Pair,
    headed,
)

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_PEOPLE = tuple(
    f"{first} {last}"
    for first, last in zip(
        "Ilse Tomas Farah Bruno Wanda Kemal Signe Otis Lida Marek Noor Piers Adaeze Juho".split(),
        "Kranz Obi Lindahl Sarto Peck Yilmaz Rowe Dahl Moreno Zelenka Amin Foss Eze Salmi".split(),
        strict=True,
    )
)
_PLACES = (
    "Arlow", "Benhill", "Corrick", "Dunsmere", "Eskdorf", "Farrowby", "Gellin", "Hartwick",
    "Istrad", "Jorvale", "Kelm", "Lowick",
)  # fmt: skip


def in_words(number: int) -> str:
    """Return a number below a million in words."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        rest = f"-{_ONES[number % 10]}" if number % 10 else ""
        return _TENS[number // 10] + rest
    if number < 1000:
        rest = f" and {in_words(number % 100)}" if number % 100 else ""
        return f"{_ONES[number // 100]} hundred{rest}"
    rest = f" {in_words(number % 1000)}" if number % 1000 else ""
    return f"{in_words(number // 1000)} thousand{rest}"


@dataclass(frozen=True)
class Column:
    """A column: its name, its values, how they are written and what is said of them."""

    name: str
    values: Sequence[str | int]
    cell: str
    says: tuple[str, ...]
    more: str = ""
    most: str = ""
    """Of numbers: how the greater one of two, and the greatest of some, is spoken of."""
    alone: bool = False
    """Whether what one row has no other one may have as well."""


@dataclass(frozen=True)
class Kind:
    """A kind of table: its headings, the column of what its rows are of, and the others."""

    headings: tuple[str, ...]
    of: str
    subjects: tuple[str, ...]
    said: str
    columns: tuple[Column, ...]


KINDS = (
    Kind(
        ("Entrance fees", "Swimming pool > Tickets", "Prices 2022"),
        "Ticket",
        ("Adult", "Child", "Family", "Senior", "Group", "Student"),
        "the {} ticket",
        (
            Column("Price", range(3, 40), "£{}",
                   ("{s} costs {n} pounds.", "{s} is £{v}.", "One pays £{v} for {s}."),
                   "{a} is dearer than {b}.", "{s} is the most expensive of those listed."),
            Column("Valid for", ("one day", "two days", "a week", "a month", "a year"),
                   "{}", ("{s} is valid for {v}.",)),
            Column("Sold at", ("the gate", "the shop", "the town hall", "the kiosk"),
                   "{}", ("{s} is sold at {v}.", "{s} can be bought at {v}.")),
        ),
    ),
    Kind(
        ("Courses in spring", "Evening school > Timetable", "Workshops"),
        "Course",
        ("Pottery", "Bookbinding", "Spanish", "Joinery", "First aid", "Photography", "Weaving"),
        "the {} course",
        (
            Column("Day", _DAYS, "{}", ("{s} is on {v}.", "{s} takes place on {v}s.")),
            Column("Places", range(6, 30), "{}",
                   ("{s} has {n} places.", "There are {v} places in {s}."),
                   "{a} has more places than {b}.", "{s} has the most places of those listed."),
            Column("Fee", range(20, 300, 5), "{} euros",
                   ("{s} costs {n} euros.", "The fee for {s} is {v} euros."),
                   "{a} costs more than {b}.", "{s} has the highest fee of those listed."),
            Column("Tutor", _PEOPLE, "{}", ("{s} is taught by {v}.",
                                                      "{v} teaches {s}.")),
        ),
    ),
    Kind(
        ("Staff", "Parish council > Contacts", "Who is who"),
        "Name",
        _PEOPLE,
        "{}",
        (
            Column("Post", ("treasurer", "clerk", "warden", "caretaker", "secretary",
                                   "librarian", "gardener"), "{}",
                   ("{s} is the {v}.", "{s} works as {v}.", "the {v} is {s}."), alone=True),
            Column("Room", range(1, 60), "{}", ("{s} is in room {v}.",)),
            Column("Since", range(1990, 2022), "{}",
                   ("{s} has been there since {v}.", "{s} joined in {v}."),
                   "{a} joined later than {b}.", "{s} was the last of those listed to join."),
        ),
    ),
    Kind(
        ("Stations of the branch line", "Timetable", "Ferry > Departures"),
        "Stop",
        _PLACES,
        "{}",
        (
            Column("First departure", ("5:40", "6:05", "6:30", "7:10", "7:45"), "{}",
                   ("The first departure from {s} is at {v}.",)),
            Column("Last departure", ("19:20", "20:05", "21:40", "22:15", "23:00"), "{}",
                   ("The last departure from {s} is at {v}.",)),
            Column("Passengers a day", range(40, 4000, 10), "{}",
                   ("{s} has {n} passengers a day.", "{v} passengers a day use {s}."),
                   "{a} has more passengers than {b}.",
                   "{s} has the most passengers of those listed."),
            Column("Shelter", ("yes", "no"), "{}", ("{yes} a shelter at {s}.",)),
        ),
    ),
    Kind(
        ("Rooms", "Conference centre > Halls", "Hire charges"),
        "Room",
        ("Cedar", "Birch", "Maple", "Willow", "Hazel", "Rowan", "Aspen"),
        "the {} room",
        (
            Column("Seats", range(8, 240, 2), "{}",
                   ("{s} has {n} seats.", "{s} seats {v} people."),
                   "{a} has more seats than {b}.", "{s} is the largest of those listed."),
            Column("Half a day", range(30, 400, 10), "{} euros",
                   ("{s} costs {v} euros for half a day.", "Half a day in {s} is {n} euros."),
                   "{a} is dearer than {b}.", "{s} is the dearest of those listed."),
            Column("Projector", ("yes", "no"), "{}", ("{yes} a projector in {s}.",)),
        ),
    ),
)  # fmt: skip


def said(kind: Kind, column: Column, subject: str, value: str | int, rng: random.Random) -> str:
    """Return a sentence that says a cell."""
    words = in_words(value) if isinstance(value, int) and rng.random() < 0.5 else str(value)
    there = "There is" if value == "yes" else "There is not"
    made = rng.choice(column.says).format(
        s=kind.said.format(subject.lower() if kind.said.startswith("the ") else subject),
        v=value, n=words, yes=there,
    )  # fmt: skip
    return made[0].upper() + made[1:]


def rows(count: int, rng: random.Random) -> Iterator[Pair]:
    """Yield so many pairs."""
    for _ in range(count):
        kind = rng.choice(KINDS)
        subjects = rng.sample(kind.subjects, rng.choice((2, 3, 3, 4)))
        columns = rng.sample(kind.columns, rng.randint(2, len(kind.columns)))
        table = {s: {c.name: rng.choice(c.values) for c in columns} for s in subjects[1:]}
        claim, label = _claim(kind, columns, table, subjects[0], rng)
        heading = rng.choice(kind.headings) if rng.random() < 0.5 else ""
        yield Pair("rows", headed(heading, _premise(kind, columns, table, rng)), claim, label)


def _premise(
    kind: Kind, columns: list[Column], table: dict[str, dict[str, str | int]], rng: random.Random
) -> str:
    named = rng.random() < 0.75
    lines = [] if named else [" | ".join([kind.of, *(column.name for column in columns)])]
    for subject, cells in table.items():
        values = [column.cell.format(cells[column.name]) for column in columns]
        if named:
            values = [f"{c.name}: {value}" for c, value in zip(columns, values, strict=True)]
        lines.append(" | ".join([f"{kind.of}: {subject}" if named else subject, *values]))
    return JOINT.join(lines)


def _claim(
    kind: Kind,
    columns: list[Column],
    table: dict[str, dict[str, str | int]],
    stranger: str,
    rng: random.Random,
) -> tuple[str, int]:
    column = rng.choice(columns)
    subject = rng.choice(list(table))
    value = table[subject][column.name]
    values = {own: cells[column.name] for own, cells in table.items()}
    way = rng.random()
    if column.more and way < 0.3 and len(set(values.values())) == len(values) > 1:
        order = sorted(values, key=lambda own: values[own])
        spoken = [kind.said.format(o.lower() if kind.said[:4] == "the " else o) for o in order]
        true = rng.random() < 0.5
        if rng.random() < 0.5:
            text = column.most.format(s=spoken[-1 if true else 0])
        else:
            low, high = sorted(rng.sample(range(len(order)), 2))
            a, b = (high, low) if true else (low, high)
            text = column.more.format(a=spoken[a], b=spoken[b])
        return text[0].upper() + text[1:], SUPPORTED if true else CONTRADICTED
    if way < 0.55:
        return said(kind, column, subject, value, rng), SUPPORTED
    if way < 0.8:
        others = [v for v in values.values() if v != value]
        new = (
            rng.choice(others)
            if others and rng.random() < 0.6
            else rng.choice([v for v in column.values if v != value])
        )
        return said(kind, column, subject, new, rng), CONTRADICTED
    missing = [c for c in kind.columns if c not in columns]
    if missing and rng.random() < 0.4:
        column = rng.choice(missing)
        return said(kind, column, subject, rng.choice(column.values), rng), NEUTRAL
    return said(kind, column, stranger, value, rng), NOT_SUPPORTED if column.alone else NEUTRAL
