"""The bundled models, as an evaluation uses them."""

from veracite.engine.decision import bundled_decision
from veracite.engine.verify import Judge
from veracite.models.bundled import bundled_encoder, bundled_verifier
from veracite.models.encoder import Encoder
from veracite.models.entailment import Verifier

__all__ = ["Models"]


class Models:
    """The bundled models, opened when first used."""

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads
        self._encoder: Encoder | None = None
        self._verifier: Verifier | None = None

    @property
    def encoder(self) -> Encoder:
        """The sentence encoder."""
        if self._encoder is None:
            self._encoder = bundled_encoder(threads=self._threads)
        return self._encoder

    @property
    def verifier(self) -> Verifier:
        """The verifier."""
        if self._verifier is None:
            self._verifier = bundled_verifier(threads=self._threads)
        return self._verifier

    @property
    def ids(self) -> tuple[str, ...]:
        """Everything that a prediction depends on besides data and settings."""
        return self.encoder.id, self.judge(0.0).id

    def judge(self, uncertain_below: float) -> Judge:
        """The product's judge, which can quote from nothing yet."""
        return Judge(
            self.verifier,
            bundled_decision(),
            uncertain_below,
            sentences=lambda passage: (),
            raw_text=lambda document: "",
        )

    def close(self) -> None:
        """Lets go of them."""
        for model in (self._encoder, self._verifier):
            if model is not None:
                model.close()
        self._encoder = self._verifier = None
