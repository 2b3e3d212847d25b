"""What an evaluation is carried out with."""

from dataclasses import asdict, dataclass

from veracite.engine.evaluation.evidence import Scope
from veracite.engine.settings import Retrieval
from veracite.models.encoder import Encoder

__all__ = ["Predicting"]


@dataclass(frozen=True, slots=True)
class Predicting:
    """What predictions depend on besides data and models."""

    scope: Scope = "each"
    """Whose documents an item is judged by: its own, or all items' as one library."""
    k: int = 6
    threshold: float | None = None
    """CEG's t; None takes the encoder's own."""
    retrieval: Retrieval = "hybrid"
    uncertain_below: float = 0.6
    against_contradiction: bool = False
    """Score statements by how little they are contradicted (FELM's reading of nonfactual)."""
    seed: int = 0

    def as_mapping(self) -> dict[str, object]:
        """Field names to values, for the record."""
        return asdict(self)

    def threshold_of(self, encoder: Encoder) -> float:
        """CEG's t: as set, or the encoder's own."""
        return encoder.threshold if self.threshold is None else self.threshold
