"""Choosing between a right and a wrong answer (HaluEval), in an order drawn from a seed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from veracite.engine.evaluation.evidence import Collection
from veracite.engine.evaluation.items import Choice, Prediction, Statement
from veracite.engine.evaluation.statements import METHODS as MEASURES
from veracite.engine.evaluation.statements import StatementJudge

__all__ = ["METHODS", "ChoiceJudge"]

METHODS = {
    **{name: about for name, about in MEASURES.items() if name != "length"},
    "shorter": "the shorter answer",
    "first": "the answer that comes first",
}

_RIGHT, _WRONG = "right", "wrong"


@dataclass(frozen=True, slots=True)
class ChoiceJudge:
    """Judges "question answer" for both answers and takes the one with the higher score.

    Which of the two comes first is drawn for each item from the seed and the item's id; of equal
    scores the first wins, so a method that cannot tell gets half of them.
    """

    statements: StatementJudge
    seed: int

    def predictions(self, choices: Sequence[Choice], collection: Collection) -> list[Prediction]:
        """What every method chooses. ``collection`` holds each choice's library twice in a row."""
        asked = [_statement(c, answer) for c in choices for answer in (_RIGHT, _WRONG)]
        said = {(p.item, p.method): p for p in self.statements.predictions(asked, collection)}
        return [
            prediction
            for choice in choices
            for prediction in (
                *(self._by_score(choice, method, said) for method in METHODS if method in MEASURES),
                self._taken(choice, "shorter", len(choice.wrong) - len(choice.right), 0.0),
                self._taken(choice, "first", 0.0, 0.0),
            )
        ]

    def _by_score(
        self, choice: Choice, method: str, said: dict[tuple[str, str], Prediction]
    ) -> Prediction:
        right, wrong = (said[f"{choice.id}/{answer}", method] for answer in (_RIGHT, _WRONG))
        margin = (right.score or 0.0) - (wrong.score or 0.0)
        return self._taken(choice, method, margin, right.seconds + wrong.seconds)

    def _taken(self, choice: Choice, method: str, margin: float, seconds: float) -> Prediction:
        if margin == 0:
            right_first = random.Random(f"{self.seed}/{choice.id}").random() < 0.5
            chosen = _RIGHT if right_first else _WRONG
        else:
            chosen = _RIGHT if margin > 0 else _WRONG
        return Prediction(choice.id, method, float(margin), chosen, round(seconds, 6))


def _statement(choice: Choice, answer: str) -> Statement:
    text = choice.right if answer == _RIGHT else choice.wrong
    return Statement(
        id=f"{choice.id}/{answer}",
        group=choice.id,
        text=f"{choice.question} {text}",
        truth=answer == _RIGHT,
        label=answer,
        sources=choice.sources,
    )
