"""Claims about the subject of a sentence at another time, in another case or of another name.

What is said of 2009 does not contradict what is claimed of 2014: neutral. Another figure for the
same case is a contradiction, and so is another year for what happens once.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from scripts.training.changes import capital
from scripts.training.pairs import CONTRADICTED, JOINT, NEUTRAL, SUPPORTED, Pair, headed

_TOWNS = (
    "Penmouth", "Arvik", "Tolmer", "Harrowgate", "Velden", "Sorrel Bay", "Lindow", "Marsk",
    "Oakhaven", "Trevane", "Ostby", "Calder Point", "Brundale", "Riverton", "Elmsworth", "Bergen",
)  # fmt: skip

_KINDS = (
    "foundry", "creamery", "tannery", "glassworks", "bus company", "cable car", "observatory",
    "choir", "archive", "ski lift", "canteen", "printing house", "sawmill", "swimming bath",
    "funicular", "nursery", "garage", "mill", "aquarium", "boat service", "sugar factory",
    "farm shop", "weather station", "language school", "rowing club", "hostel", "clinic", "depot",
)  # fmt: skip
_PEOPLE = tuple(
    f"{first} {last}"
    for first in "Ada Bruno Clara Dario Edda Felix Greta Hugo Ines Jonas Karin Leo".split()
    for last in "Abt Brandl Corvi Dorn Ehrlich Falk Grund Haller Imhof Jost Kofler Lanz".split()
)
_COUNTS = (
    ("{s} had {v} members", (12, 800)), ("{s} printed {v} leaflets", (90, 9000)),
    ("{s} served {v} guests a day", (20, 900)), ("{s} produced {v} tonnes", (30, 9000)),
    ("{s} carried {v} passengers a day", (90, 9000)), ("{s} earned {v} francs", (400, 90000)),
    ("{s} owned {v} vehicles", (3, 60)), ("{s} took in {v} apprentices", (2, 40)),
    ("a ticket for {s} cost {v} crowns", (2, 60)), ("{s} consumed {v} litres of oil", (200, 9000)),
    ("the debts of {s} came to {v} euros", (300, 90000)),
    ("the rent of {s} was {v} euros", (300, 9000)),
    ("{s} was visited by {v} people", (90, 90000)), ("{s} burned {v} tonnes of coal", (20, 900)),
)  # fmt: skip
_POSTS = (
    "{v} was the director of {s}", "{s} was led by {v}", "{v} was in charge of {s}",
    "{s} was managed by {v}", "{v} ran {s}",
)  # fmt: skip
_HABITS = (
    ("{s} is open until {v} o'clock", (4, 11)), ("{s} costs {v} euros", (3, 70)),
    ("{s} opens at {v} o'clock", (6, 12)), ("entry to {s} is {v} crowns", (3, 70)),
    ("{s} runs every {v} minutes", (5, 60)), ("{s} takes {v} guests at a time", (6, 90)),
    ("{s} is staffed by {v} people", (2, 40)), ("{s} can be hired for {v} hours", (2, 12)),
)  # fmt: skip
_CASES = (
    ("in summer", "in winter", "in spring", "in autumn"),
    ("on weekdays", "on Saturdays", "on Sundays"), ("on Mondays", "on Thursdays", "on Fridays"),
    ("for adults", "for children", "for groups", "for pensioners"),
    ("in the morning", "in the evening"), ("for members", "for visitors", "for schools"),
    ("during term", "in the holidays"), ("with a guide", "without a guide"),
    ("on the upper floor", "on the ground floor"), ("in the north wing", "in the south wing"),
    ("in good weather", "in bad weather"), ("in the high season", "in the low season"),
)  # fmt: skip
_ONCE = (
    "{s} was founded in {v}", "{s} opened in {v}", "{s} was built in {v}", "{s} burned down in {v}",
    "{s} was closed for good in {v}", "{s} was demolished in {v}", "{s} went bankrupt in {v}",
    "{s} was bought by the council in {v}",
)  # fmt: skip
_ROOM = (
    ("{s} holds up to {v} people", "{v} people were at {s} that night"),
    ("at most {v} people may use {s}", "{v} people used {s} that day"),
    ("{s} has to keep at least {v} people on duty", "{v} people were on duty at {s}"),
)

_NAMED = re.compile(rf"{'|'.join(_KINDS)}|[A-Z]\w+ \d\b|{'|'.join(_TOWNS)}")


def _subjects(rng: random.Random) -> list[str]:
    """Subjects of which none is another: of towns, of a kind, or with a number."""
    kinds, towns = rng.sample(_KINDS, 3), rng.sample(_TOWNS, 3)
    way = rng.random()
    if way < 0.35:
        return [f"the {town} {kinds[0]}" for town in towns]
    if way < 0.55:
        return [f"the {kind} in {towns[0]}" for kind in kinds]
    if way < 0.75:
        return [
            f"{rng.choice(('Line', 'Unit', 'Hall', 'Plant'))} {n}"
            for n in rng.sample(range(1, 9), 3)
        ]
    return [f"the {kind} of {town}" for kind, town in zip(kinds, towns, strict=True)]


def _told(frame: str, subject: str, value: object, case: str, rng: random.Random) -> str:
    said = frame.format(s=subject, v=value)
    if not case:
        return capital(said)
    return capital(f"{case}, {said}" if rng.random() < 0.5 else f"{said} {case}")


def _stated(rng: random.Random) -> tuple[list[str], str, int]:
    """A state or habit in one or two cases, and a claim."""
    mine, other, _ = _subjects(rng)
    if rng.random() < 0.55:
        when = ("in", "in", "by", "at the end of")
        cases = [f"{rng.choice(when)} {year}" for year in rng.sample(range(1890, 2024), 3)]
        frame, drawn = rng.choice(_COUNTS)
    else:
        cases = [*rng.sample(rng.choice(_CASES), 2), "on request"]
        frame, drawn = rng.choice(_HABITS)
    values: tuple[object, ...] = tuple(rng.sample(range(*drawn), 3))
    says = frame
    if cases[2] != "on request" and rng.random() < 0.3:
        frame, says = rng.choice(_POSTS), rng.choice(_POSTS)
        values = tuple(rng.sample(_PEOPLE, 3))
    lines = [_told(frame, mine, values[0], cases[0], rng)]
    both = rng.random() < 0.35
    if both:
        lines.append(_told(frame, mine, values[1], cases[1], rng))
    draw = rng.random()
    if draw < 0.27:
        return lines, _told(says, mine, values[0], cases[0], rng), SUPPORTED
    if draw < 0.57:
        wrong = values[1] if both and rng.random() < 0.5 else values[2]
        return lines, _told(says, mine, wrong, cases[0], rng), CONTRADICTED
    if draw < 0.85:
        value = rng.choice((values[2], values[2], values[0]))
        return lines, _told(says, mine, value, cases[2] if both else cases[1], rng), NEUTRAL
    return lines, _told(says, other, rng.choice(values), cases[0], rng), NEUTRAL


def _once(rng: random.Random) -> tuple[list[str], str, int]:
    mine, other, _ = _subjects(rng)
    frame, (year, wrong) = rng.choice(_ONCE), rng.sample(range(1850, 2024), 2)
    lines, draw = [_told(frame, mine, year, "", rng)], rng.random()
    if draw < 0.3:
        return lines, _told(frame, mine, year, "", rng), SUPPORTED
    if draw < 0.7:
        return lines, _told(frame, mine, wrong, "", rng), CONTRADICTED
    return lines, _told(frame, other, rng.choice((year, wrong)), "", rng), NEUTRAL


def _limited(rng: random.Random) -> tuple[list[str], str, int]:
    mine, *_ = _subjects(rng)
    bound, said = rng.choice(_ROOM)
    limit, inside = rng.randrange(20, 400), rng.random() < 0.6
    more = inside == ("least" in bound)
    value = rng.randrange(limit + 5, 3 * limit) if more else rng.randrange(3, limit - 5)
    claim = _told(said, mine, value, "", rng)
    return [_told(bound, mine, limit, "", rng)], claim, NEUTRAL if inside else CONTRADICTED


def cases(count: int, rng: random.Random) -> Iterator[Pair]:
    """Yield so many pairs; half of the premises have sentences on other subjects as well."""
    others: list[str] = []
    for _ in range(count):
        made = rng.choices((_stated, _once, _limited), (7, 2, 1))[0]
        lines, claim, label = made(rng)
        said = set(_NAMED.findall(" ".join((*lines, claim))))
        beside = [line for line in others[-40:] if said.isdisjoint(_NAMED.findall(line))]
        others += lines
        if rng.random() < 0.5:
            lines += rng.sample(beside, min(len(beside), rng.randint(1, 4)))
        rng.shuffle(lines)
        joint = JOINT if rng.random() < 0.5 else " "
        heading = rng.choice(("", "", "Annual report", "History"))
        yield Pair("cases", headed(heading, joint.join(lines)), claim, label)
