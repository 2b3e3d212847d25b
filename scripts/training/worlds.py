"""Invented passages in which several parties do several things, and claims about who did what.

All words of a false claim stand in its passage; only who did what to what is mixed up.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from scripts.training.edits import capital
from scripts.training.pairs import CONTRADICTED, NEUTRAL, NOT_SUPPORTED, SUPPORTED, Pair
from scripts.training.world_scenes import SCENES, Deed, World, done, party, past
from scripts.training.world_words import ACTS, ANIMALS, CLASSES, DEEDS, FILLERS, OBJECTS, TOWNS


def _world(rng: random.Random) -> World:
    scenes = rng.choice((1, 1, 1, 2, 2, 3))
    who = list(dict.fromkeys(party(rng) for _ in range(2 * scenes + 6)))[: 2 * scenes]
    what, verbs = rng.sample(OBJECTS, 2 * scenes), rng.sample(DEEDS[:-2], 2 * scenes)
    w = World(who, what, verbs, rng.sample(range(1890, 2021), 3), rng.sample(TOWNS, 2))
    for n in range(scenes):
        a, b, o, p = w.who[2 * n], w.who[2 * n + 1], w.what[2 * n], w.what[2 * n + 1]
        v, u = w.verbs[2 * n], w.verbs[2 * n + 1]
        told = rng.choice(SCENES).play(w, a, b, o, p, v, u)
        if a[0].isupper():
            told = told.replace(f"{a}, which", f"{a}, who").replace("unlike " + a + ", which", a)
        w.text.append(capital(told))
    for _ in range(rng.choice((0, 0, 1, 2))):
        w.text.insert(rng.randint(0, len(w.text)), rng.choice(FILLERS))
    return w


def _said(deed: Deed, rng: random.Random, denials: float) -> tuple[str, bool]:
    """Return a claim that says or (in a share ``denials``) denies a deed, and whether it does."""
    who, verb, what = deed
    way = 0.22 * rng.random() if rng.random() < denials else rng.uniform(0.22, 1.0)
    article = "the" if way < 0.8 else ("an" if what[0] in "aeiouX" else "a")
    if way < 0.15:
        return capital(f"{who} did not {verb} the {what}"), True
    if way < 0.22:
        return capital(f"the {what} was not {done(verb)} by {who}"), True
    if way < 0.45:
        return capital(f"the {what} was {done(verb)} by {who}"), False
    if way < 0.55:
        return capital(f"it was {who} that {past(verb)} the {what}"), False
    return capital(f"{who} {past(verb)} {article} {what}"), False


def _label(deed: Deed, w: World, denied: bool) -> int:
    if deed in w.true:
        return CONTRADICTED if denied else SUPPORTED
    if deed in w.false:
        return SUPPORTED if denied else CONTRADICTED
    return NEUTRAL if denied else NOT_SUPPORTED


def deeds_of(rng: random.Random) -> Iterator[Pair]:
    """Yield balanced claims about one invented passage."""
    w = _world(rng)
    shown = " ".join(w.text)
    every = [(a, v, o) for a in w.who for v in w.verbs for o in w.what]
    mixed = [d for d in every if d not in w.true and d not in w.false]
    near = [
        d for d in mixed if any(sum(x == y for x, y in zip(d, t, strict=True)) == 2 for t in w.true)
    ]
    for pool in (sorted(w.true), sorted(w.true), sorted(w.false), near, near):
        if pool:
            deed = rng.choice(pool)
            denials = 0.55 if deed in w.false else 0.13
            claim, denied = _said(deed, rng, denials)
            yield Pair("world_deeds", shown, claim, _label(deed, w, denied))
    true = sorted(w.true)
    if len(true) > 1:
        (a, v, o), (b, u, p) = rng.sample(true, 2)
        wrong = rng.random() < 0.5
        if wrong:
            a, b = b, a
        if a != b and o == p:
            claim = capital(f"{b} {past(u)} a {p} that was {done(v)} by {a}")
            yield Pair("world_two", shown, claim, NOT_SUPPORTED if wrong else SUPPORTED)
        elif a != b:
            claim = capital(f"{a} {past(v)} the {o} and {b} {past(u)} the {p}")
            yield Pair("world_two", shown, claim, NOT_SUPPORTED if wrong else SUPPORTED)


def kinds_of(rng: random.Random) -> Iterator[Pair]:
    """Yield claims about which animals are what and do what, from one invented sentence or two."""
    x, y, z = rng.sample(ANIMALS, 3)
    one, other = rng.sample(CLASSES, 2)
    act, second = rng.sample(ACTS, 2)
    way = rng.randrange(4)
    text = (
        f"{x} are {one} that {act} {y} and {second} {z}.",
        f"Unlike {x}, which are {one}, {y} are {other} that {act} {z}.",
        f"{x}, which {act} {y}, are {one}; {z} {second} them.",
        f"{y} are often found near {x}, the {one} that {act} {z}.",
    )[way]
    true = (
        {(x, "are", one), (x, act, y), (x, second, z)},
        {(x, "are", one), (y, "are", other), (y, act, z)},
        {(x, "are", one), (x, act, y), (z, second, x)},
        {(x, "are", one), (x, act, z)},
    )[way]
    parties = [x, y, z]
    mixed = [(a, v, b) for a in parties for v in (act, second) for b in parties if a != b]
    mixed += [(a, "are", c) for a in parties for c in (one, other)]
    mixed = [d for d in mixed if d not in true and all(w in text.lower() for w in d)]
    shown = capital(text)
    for deed, label in (
        (rng.choice(sorted(true)), SUPPORTED),
        (rng.choice(mixed), NOT_SUPPORTED),
    ):
        yield Pair("world_kinds", shown, capital(" ".join(deed)), label)
