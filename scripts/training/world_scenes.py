"""The scenes of invented passages: who does what to what, told in different ways."""

from __future__ import annotations

import random
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
    town = f"{rng.choice(TOWNS)} " if rng.random() < 0.4 else ""
    return f"the {town}{rng.choice(HEADS)}"


def past(verb: str) -> str:
    """Return a verb's past form."""
    return FORMS[verb][0]


def done(verb: str) -> str:
    """Return a verb's participle."""
    return FORMS[verb][1]


@dataclass(frozen=True, slots=True)
class Scene:
    """How two parties, two objects and two verbs are told of, and what follows from it.

    Deeds are written ``"avo buo"``: a did v to o, b did u to o.
    """

    telling: str
    true: str = ""
    false: str = ""

    def play(self, w: World, a: str, b: str, o: str, p: str, v: str, u: str) -> str:
        """Note the deeds and return the sentence."""
        cast = {"a": a, "b": b, "o": o, "p": p, "v": v, "u": u}
        for known, deeds in ((w.true, self.true), (w.false, self.false)):
            known |= {(cast[who], cast[verb], cast[what]) for who, verb, what in deeds.split()}
        return self.telling.format(
            **cast,
            v_past=past(v),
            v_done=done(v),
            v_ing=gerund(v),
            u_past=past(u),
            u_done=done(u),
            year=w.years[0],
        )


SCENES = (
    Scene("{a} {v_past} the {o} that {b} had {u_done}", "avo buo"),
    Scene("the {o} was {v_done} by {a} and later {u_done} by {b}", "avo buo"),
    Scene("{a} {v_past} the {o}, while {b} {u_past} the {p} in {year}", "avo bup"),
    Scene("at the request of {a}, {b} {v_past} the {o} and {u_past} the {p}", "bvo bup"),
    Scene("{a}, having {u_done} the {p}, asked {b} to {v} the {o}", "aup"),
    Scene("{a}, which had {u_done} the {p}, blamed {b} for {v_ing} the {o}", "bvo aup"),
    Scene("{a} refused to {v} the {o}, which {b} had {u_done} in {year}", "buo", "avo"),
    Scene("unlike {a}, which only {u_past} the {p}, {b} {v_past} the {o}", "bvo aup", "avo"),
    Scene("{a} considered {v_ing} the {o} of {b} but {u_past} the {p} instead", "aup", "avo"),
    Scene(
        "{a} plans to {v} the {o} as soon as the money is found; {b} {u_past} the {p} long ago",
        "bup",
    ),
    Scene("before {a} {v_past} the {o} in {year}, {b} had {u_done} it", "avo buo"),
    Scene("neither {a} nor {b} {v_past} the {o}, but {a} {u_past} the {p}", "aup", "avo bvo"),
    Scene("{a} talked about whether to {v} the {o} near the {p} that {b} {u_past}", "bup"),
)
