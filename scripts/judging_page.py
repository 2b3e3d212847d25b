"""The page of judging's speed, from what ``measure_judging.py`` timed.

It holds no path of a machine and no text of the data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from measured_with import measured_with
from results_tables import table

__all__ = ["HERE", "Floor", "Given", "Rounds", "Took", "Way", "page"]

HERE = "here"

_GOALS = (("one word", 0.5), ("reasoning", 0.25))
"""The most that judging here may take of another way's time and prefilled tokens."""

_INTRODUCTION = """\
Written by `python scripts/measure_judging.py --text TEXT --against FOLDER`; do not edit it by hand.
Its head says what each way does. *Here* and the cascade contain the verifier's time. Shares are
medians over the rounds, each of one round's own times; a way that was gone through once is held
against the same round. Time of the cores does not count other work on the machine, but two threads'
waiting for each other, which it makes longer.
"""


class Took(NamedTuple):
    """Seconds on the clock, and of the cores: the second do not count other work on the machine,
    but with several threads their waiting for each other."""

    clock: float
    cores: float


@dataclass(frozen=True)
class Way:
    """What judging all claims in one way took."""

    name: str
    took: Took
    prefilled: int
    """Tokens computed of the prompts."""
    generated: int


Rounds = Sequence[Mapping[str, Way]]
"""What each round measured, by the ways' names; ``HERE`` in every one."""


@dataclass(frozen=True)
class Given:
    """What was judged, and where."""

    command: str
    date: str
    machine: str
    claims: str
    """How many of which text, with how many passages."""
    verifier: Took
    models: tuple[str, ...]
    """The ids of the bundled models."""


@dataclass(frozen=True)
class Floor:
    """What reading each passage once would take."""

    tokens: int
    """Of the distinct passages that the model is shown."""
    found: int
    """Of all distinct passages that were found for the claims."""
    speed: float
    """Tokens a second in one long prompt."""

    @property
    def seconds(self) -> float:
        return self.tokens / self.speed


def page(given: Given, rounds: Rounds, floor: Floor) -> str:
    """The page, in Markdown, written when all was just timed."""
    names = list(dict.fromkeys(name for turn in rounds for name in turn))
    columns = ["way", "rounds", "seconds", "of cores", "prefilled", "generated"]
    shares = ["here / way, time", "cores", "tokens"]
    goals = [row for name, goal in _GOALS if name in names for row in _goal(rounds, name, goal)]
    return "\n".join(
        [
            "# Judging with a GGUF model\n",
            _INTRODUCTION,
            f"`{given.command}`  \n{given.date}, {given.machine}.\n",
            measured_with(given.models, given.models),
            f"{given.claims}\n",
            "## The goal\n",
            table(["against", "of", "at most", "here", "met"], goals),
            "## All ways\n",
            table([*columns, *shares], [_row(rounds, name) for name in names]),
            "## The floor\n",
            _distance(given, rounds, floor),
            "",
        ]
    )


def _goal(rounds: Rounds, name: str, goal: float) -> list[list[str]]:
    """What one way is compared by."""
    kinds = ("wall time", "time of the cores", "prefilled tokens")
    return [
        [name, kind, f"{goal:.2f}", f"{share:.3f}", "yes" if share <= goal else "no"]
        for kind, share in zip(kinds, _shares(rounds, name), strict=True)
    ]


def _row(rounds: Rounds, name: str) -> list[str]:
    ways = [turn[name] for turn in rounds if name in turn]
    shares = [f"{share:.2f}" for share in _shares(rounds, name)] if ways[0].prefilled else [""] * 3
    return [
        name,
        str(len(ways)),
        f"{median(way.took.clock for way in ways):.1f}",
        f"{median(way.took.cores for way in ways):.1f}",
        f"{ways[0].prefilled:,}",
        f"{ways[0].generated:,}",
        *shares,
    ]


def _shares(rounds: Rounds, name: str) -> tuple[float, float, float]:
    """Judging here by another way: time, time of the cores, prefilled tokens."""
    pairs = [(turn[HERE], turn[name]) for turn in rounds if name in turn]
    return (
        median(here.took.clock / way.took.clock for here, way in pairs),
        median(here.took.cores / way.took.cores for here, way in pairs),
        median(here.prefilled / way.prefilled for here, way in pairs),
    )


def _distance(given: Given, rounds: Rounds, floor: Floor) -> str:
    heres = [turn[HERE] for turn in rounds]
    clock = median(way.took.clock for way in heres)
    return (
        f"The distinct passages that the model is shown have {floor.tokens:,} tokens (all that "
        f"were found {floor.found:,}); at {floor.speed:.0f} tokens a second in one long prompt "
        f"they take {floor.seconds:.1f} s. Here: {heres[0].prefilled / floor.tokens:.2f} times "
        f"the tokens and {clock / floor.seconds:.2f} times the seconds, of which the verifier has "
        f"{given.verifier.clock:.1f} ({given.verifier.cores:.1f} of cores)."
    )
