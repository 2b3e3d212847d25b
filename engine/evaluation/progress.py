"""How far an evaluation is."""

from dataclasses import dataclass

__all__ = ["Predicted"]


@dataclass(frozen=True, slots=True)
class Predicted:
    """So many items have their predictions."""

    done: int
    total: int
