"""What each option of a check that costs time brings: balanced accuracy beside milliseconds."""

import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veracite.engine.evaluation.figures import sum_up
from veracite.engine.evaluation.items import Answered, Asked, MethodResult, Predicting, Statement
from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.predict import ask, claims_of

MAIN = "balanced accuracy"
METHODS = {
    "veracite": "Veracite",
    "verifier": "the verifier's best passage alone",
    "similarity": "similarity alone",
    "overlap": "words in common alone",
}


@dataclass(frozen=True)
class Option:
    """One way to run a check."""

    name: str
    settings: Predicting
    threads: int | None = None
    """None takes those that the command names."""
    methods: tuple[str, ...] = ("veracite",)


_AS_SHIPPED = Predicting(scope="all")

OPTIONS = (
    Option("as shipped: 6 passages by words and meaning", _AS_SHIPPED, methods=tuple(METHODS)),
    Option("4 passages", replace(_AS_SHIPPED, k=4)),
    Option("2 passages", replace(_AS_SHIPPED, k=2)),
    Option("1 passage", replace(_AS_SHIPPED, k=1)),
    Option("6 passages by words only", replace(_AS_SHIPPED, retrieval="lexical")),
    Option("as shipped, one thread", _AS_SHIPPED, threads=1),
)


@dataclass(frozen=True)
class Cost:
    """What one method reached and took under one option."""

    option: str
    method: str
    threads: int
    items: int
    accuracy: float
    """Balanced, on the part for results."""
    low: float
    high: float
    milliseconds: tuple[float, ...]
    """For one claim, round by round."""

    @property
    def median(self) -> float:
        """Of the milliseconds."""
        return statistics.median(self.milliseconds)


def costs(data: Path, limit: int, rounds: int, threads: int) -> list[Cost]:
    """Every option in turns, round by round; accuracy is the same in each."""
    opened = {n: Models(n) for n in {o.threads or threads for o in OPTIONS}}
    found: dict[tuple[str, str], Cost] = {}
    try:
        for _ in range(rounds):
            for option in OPTIONS:
                models = opened[option.threads or threads]
                for cost in _run(data, limit, option, option.threads or threads, models):
                    known = found.get((cost.option, cost.method))
                    spent = (*(known.milliseconds if known else ()), *cost.milliseconds)
                    found[cost.option, cost.method] = replace(cost, milliseconds=spent)
    finally:
        for models in opened.values():
            models.close()
    return list(found.values())


def _run(data: Path, limit: int, option: Option, threads: int, models: Models) -> list[Cost]:
    with tempfile.TemporaryDirectory() as folder:
        asked = Asked("detect", (data,), limit=limit, predicting=option.settings)
        answered = [e for e in ask(asked, models, Path(folder)) if isinstance(e, Answered)][-1]
        result = sum_up(answered)
    items = [item for item in answered.loaded.items if isinstance(item, Statement)]
    claims = sum(len(claims_of(item)) for item in items)
    return [
        _cost(option, method, threads, result.methods, answered, claims)
        for method in option.methods
    ]


def _cost(
    option: Option,
    method: str,
    threads: int,
    rows: Sequence[MethodResult],
    answered: Answered,
    claims: int,
) -> Cost:
    figure = next(row for row in rows if row.method == method).figure(MAIN)
    assert figure is not None
    seconds = sum(said.seconds for said in answered.said[method].values())
    return Cost(
        option=option.name,
        method=METHODS[method],
        threads=threads,
        items=len(answered.loaded.items),
        accuracy=figure.value or 0.0,
        low=figure.low or 0.0,
        high=figure.high or 0.0,
        milliseconds=(1000 * seconds / claims,),
    )
