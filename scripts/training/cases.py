"""Claims about the subject of a sentence at another time, in another case or of another name.

What is said of 2009 does not contradict what is claimed of 2014: neutral. Another figure for the
same case is a contradiction, and so is another year for what happens once. Measures are claimed
as bounds ("less than 100 metres" beside 84) and compared.
"""

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


def _measured(rng: random.Random) -> tuple[list[str], str, int]:
    """The measures of two things of a kind, and a claim of a bound, of both or of a third."""
    given = rng.choice(_WORDS["measures"])
    kind, step = rng.choice(given["kinds"]), given["step"]
    mine, other, third = (f"the {town} {kind}" for town in rng.sample(_TOWNS, 3))
    value, second = rng.sample(range(*given["drawn"]), 2)
    lines = [_told(rng.choice(given["says"]), mine, value, "", rng)]
    if rng.random() < 0.7:
        lines.append(_told(rng.choice(given["says"]), other, second, "", rng))
    true, draw = rng.random() < 0.5, rng.random()
    if draw < 0.4:
        a, b = (mine, other) if (value > second) == true else (other, mine)
        if len(lines) == 1 or draw < 0.08:
            a, b, lines = mine, third, lines[:1]
        said = rng.choice((given["more"].format(a=a, b=b), given["less"].format(a=b, b=a)))
        label = NEUTRAL if b == third else SUPPORTED if true else CONTRADICTED
        return lines, capital(said), label
    word, side = rng.choice(given.get("bounds", _WORDS["bounds"]))
    bound, limit = given["bound"].replace("{b}", word), _limit(value, side, true, step, rng)
    if draw < 0.52:
        return lines, _told(bound, third, limit, "", rng), NEUTRAL
    label = SUPPORTED if true else CONTRADICTED
    if draw < 0.62 and side in ("upper", "lower"):
        lines, bound, limit = [_told(bound, mine, limit, "", rng)], given["says"][0], value
        label = NEUTRAL if true else CONTRADICTED
    return lines, _told(bound, mine, limit, "", rng), label


def _limit(value: int, side: str, true: bool, step: int, rng: random.Random) -> int:
    """A round figure that a value keeps to or breaks; such figures lie ``step`` apart."""
    fine = max(1, step // 5)
    above = (value // step + rng.randint(1, 3)) * step
    below = max((value - 1) // step - rng.randint(0, 2), 0) * step or value // 2
    if side == "about":
        return round(value / fine) * fine if true else above + 4 * step
    if side == "close":
        return (value // fine + 1) * fine if true else below
    return above if (side == "upper") == true else below


def cases(count: int, rng: random.Random, measured: float = 0.0) -> Iterator[Pair]:
    """Yield so many pairs; half of the premises have sentences on other subjects as well.

    Args:
        count: How many.
        rng: What chooses.
        measured: How many of them are of measures, for ten of the others.
    """
    others: list[str] = []
    for _ in range(count):
        made = rng.choices((_stated, _once, _limited, _measured), (7, 2, 1, measured))[0]
        lines, claim, label = made(rng)
        said = set(_NAMED.findall(" ".join((*lines, claim))))
        beside = [line for line in others[-40:] if said.isdisjoint(_NAMED.findall(line))]
        others += lines
        if rng.random() < 0.5:
            lines += rng.sample(beside, min(len(beside), rng.randint(1, 4)))
        rng.shuffle(lines)
        joint = JOINT if rng.random() < 0.5 else " "
        heading = rng.choice(("", "", "Annual report", "History"))
        name = "measured" if made is _measured else "cases"
        yield Pair(name, headed(heading, joint.join(lines)), claim, label)
