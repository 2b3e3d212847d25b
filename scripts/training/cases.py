"""Claims about the subject of a sentence at another time, in another case or of another name.

What is said of 2009 does not contradict what is claimed of 2014: neutral. Another figure for the
same case is a contradiction, and so is another year for what happens once.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.training.changes import capital
from scripts.training.pairs import CONTRADICTED, JOINT, NEUTRAL, SUPPORTED, Pair, headed

_WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_TOWNS, _KINDS = _WORDS["towns"], _WORDS["kinds"]
_PEOPLE = [f"{first} {last}" for first in _WORDS["first_names"] for last in _WORDS["last_names"]]
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
        frame, drawn = rng.choice(_WORDS["counts"])
    else:
        cases = [*rng.sample(rng.choice(_WORDS["cases"]), 2), "on request"]
        frame, drawn = rng.choice(_WORDS["habits"])
    values: tuple[object, ...] = tuple(rng.sample(range(*drawn), 3))
    says = frame
    if cases[2] != "on request" and rng.random() < 0.3:
        frame, says = rng.choice(_WORDS["posts"]), rng.choice(_WORDS["posts"])
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
    frame, (year, wrong) = rng.choice(_WORDS["once"]), rng.sample(range(1850, 2024), 2)
    lines, draw = [_told(frame, mine, year, "", rng)], rng.random()
    if draw < 0.3:
        return lines, _told(frame, mine, year, "", rng), SUPPORTED
    if draw < 0.7:
        return lines, _told(frame, mine, wrong, "", rng), CONTRADICTED
    return lines, _told(frame, other, rng.choice((year, wrong)), "", rng), NEUTRAL


def _limited(rng: random.Random) -> tuple[list[str], str, int]:
    mine, *_ = _subjects(rng)
    bound, said = rng.choice(_WORDS["room"])
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
