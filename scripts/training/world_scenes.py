"""The scenes of invented passages: who does what to what, told in different ways."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from scripts.training.verbs import FORMS, gerund
from scripts.training.world_words import FIRST, HEADS, LAST, TOWNS

Deed = tuple[str, str, str]


@dataclass(slots=True)
class World:
    """Parties, objects and deeds of one passage; what happened, and what surely did not."""

    who: list[str]
    what: list[str]
    verbs: list[str]
    years: list[int]
    towns: list[str]
    text: list[str] = field(default_factory=list)
    true: set[Deed] = field(default_factory=set)
    false: set[Deed] = field(default_factory=set)


def party(rng: random.Random) -> str:
    """Return a person or a body."""
    if rng.random() < 0.4:
        return f"{rng.choice(FIRST)} {rng.choice(LAST)}"
    return (
        f"the {rng.choice(TOWNS)} {rng.choice(HEADS)}"
        if rng.random() < 0.4
        else (f"the {rng.choice(HEADS)}")
    )


def past(verb: str) -> str:
    """Return a verb's past form."""
    return FORMS[verb][0]


def done(verb: str) -> str:
    """Return a verb's participle."""
    return FORMS[verb][1]


def _nested(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.true |= {(a, v, o), (b, u, o)}
    return f"{a} {past(v)} the {o} that {b} had {done(u)}"


def _later(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.true |= {(a, v, o), (b, u, o)}
    return f"the {o} was {done(v)} by {a} and later {done(u)} by {b}"


def _while(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.true |= {(a, v, o), (b, u, p)}
    return f"{a} {past(v)} the {o}, while {b} {past(u)} the {p} in {w.years[0]}"


def _request(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.true |= {(b, v, o), (b, u, p)}
    return f"at the request of {a}, {b} {past(v)} the {o} and {past(u)} the {p}"


def _asked(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.true.add((a, u, p))
    return f"{a}, having {done(u)} the {p}, asked {b} to {v} the {o}"


def _blame(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.true |= {(b, v, o), (a, u, p)}
    return f"{a}, which had {done(u)} the {p}, blamed {b} for {gerund(v)} the {o}"


def _refused(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.false.add((a, v, o))
    w.true.add((b, u, o))
    return f"{a} refused to {v} the {o}, which {b} had {done(u)} in {w.years[0]}"


def _unlike(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.false.add((a, v, o))
    w.true |= {(b, v, o), (a, u, p)}
    return f"unlike {a}, which only {past(u)} the {p}, {b} {past(v)} the {o}"


def _instead(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.false.add((a, v, o))
    w.true.add((a, u, p))
    return f"{a} considered {gerund(v)} the {o} of {b} but {past(u)} the {p} instead"


def _plans(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.true.add((b, u, p))
    return f"{a} plans to {v} the {o} as soon as the money is found; {b} {past(u)} the {p} long ago"


def _before(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.true |= {(a, v, o), (b, u, o)}
    return f"before {a} {past(v)} the {o} in {w.years[0]}, {b} had {done(u)} it"


def _neither(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.false |= {(a, v, o), (b, v, o)}
    w.true.add((a, u, p))
    return f"neither {a} nor {b} {past(v)} the {o}, but {a} {past(u)} the {p}"


def _discussed(w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
    w.true.add((b, u, p))
    return f"{a} talked about whether to {v} the {o} near the {p} that {b} {past(u)}"


SCENES: tuple[Callable[[World, str, str, str, str, str, str], str], ...] = (
    _nested, _later, _while, _request, _asked, _blame, _refused, _unlike, _instead, _plans,
    _before, _neither, _discussed,
)  # fmt: skip
