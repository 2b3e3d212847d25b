"""The bundled models, and a language model if one is named, as an evaluation uses them."""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from veracite.engine.judge.decision import bundled_decision
from veracite.engine.judge.judge import Judge, PairScorer
from veracite.engine.judge.tuning import Tuning, read_tuning
from veracite.engine.paths import Paths
from veracite.models.bundled import bundled_encoder, bundled_verifier
from veracite.models.encoder import Encoder
from veracite.models.verifier import Verifier

if TYPE_CHECKING:
    from veracite.engine.skills.prompted import PromptedSkills
    from veracite.models.generator import Generator

_Asked = TypeVar("_Asked", bound=Hashable)
_MOST = 50_000
"""Texts, or pairs, that are remembered: some 80 MB of vectors."""


class _Memory(Generic[_Asked]):
    """What a model said, for many methods on the same questions.

    A text, or a pair, gets the same numbers to the last bit in whichever batch it is.
    """

    def __init__(self, ask: Callable[[list[_Asked]], NDArray[np.float32]]) -> None:
        self._ask = ask
        self._known: dict[_Asked, NDArray[np.float32]] = {}

    def of(self, asked: Sequence[_Asked]) -> NDArray[np.float32]:
        """A row for each; only what is new is asked."""
        if len(self._known) > _MOST:
            self._known.clear()
        new = [one for one in dict.fromkeys(asked) if one not in self._known]
        if new:
            self._known.update(zip(new, self._ask(new), strict=True))
        return np.stack([self._known[one] for one in asked])


class RememberingEncoder:
    """The encoder, asked for new texts alone."""

    def __init__(self, encoder: Encoder) -> None:
        self.id = encoder.id
        self._memory = _Memory[str](encoder.encode)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of the texts, at least one; shape (len(texts), dimension)."""
        return self._memory.of(texts)


class RememberingVerifier:
    """The verifier, asked for new pairs alone."""

    def __init__(self, verifier: PairScorer) -> None:
        self._verifier = verifier
        self._memory = _Memory[tuple[str, str]](verifier.score)

    @property
    def id(self) -> str:
        """The verifier's."""
        return self._verifier.id

    def fits(self, premise: str, claim: str) -> bool:
        """Whether all of a premise is read beside a claim."""
        return self._verifier.fits(premise, claim)

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Scores of the pairs, at least one, as ``PairScorer`` has them."""
        return self._memory.of(pairs)


class Models:
    """The models, opened when first used.

    Args:
        threads: For each of them; all physical cores by default.
        file: A GGUF file: a language model that writes answers.
        paths: Where prompts are, and what is known of language models.
        calibration: A file of ``veracite eval calibrate`` that verdicts obey.
        without: Checks of the decision that are passed over.
    """

    def __init__(
        self,
        threads: int | None = None,
        *,
        file: Path | None = None,
        paths: Paths | None = None,
        calibration: Path | None = None,
        without: Collection[str] = (),
    ) -> None:
        self._threads = threads
        self._file = file
        self._paths = paths or Paths.resolve()
        self._calibration = calibration
        self._without = without
        self._encoder: Encoder | None = None
        self._remembering: RememberingEncoder | None = None
        self._verifier: Verifier | None = None
        self._generator: Generator | None = None
        self._tuning: Tuning | None = None

    @property
    def encoder(self) -> Encoder:
        """The sentence encoder."""
        if self._encoder is None:
            self._encoder = bundled_encoder(threads=self._threads)
        return self._encoder

    @property
    def remembering(self) -> RememberingEncoder:
        """The same encoder, which encodes nothing twice."""
        if self._remembering is None:
            self._remembering = RememberingEncoder(self.encoder)
        return self._remembering

    @property
    def writer(self) -> "PromptedSkills | None":
        """The language model's skills; None if no file was named.

        Raises:
            ModelError: The file is no language model, or it cannot be loaded.
            SettingsError: One of the user's prompts cannot be used.
        """
        if self._file is None:
            return None
        from veracite.engine.skills.prompted import PromptedSkills
        from veracite.engine.skills.prompts import Prompts
        from veracite.models.generator import Generator

        if self._generator is None:
            self._generator = Generator.open(
                self._file, threads=self._threads, verified=self._paths.verified
            )
        return PromptedSkills(self._generator, Prompts.load(self._paths.prompts))

    @property
    def verifier(self) -> Verifier:
        """The verifier."""
        if self._verifier is None:
            self._verifier = bundled_verifier(threads=self._threads)
        return self._verifier

    @property
    def ids(self) -> tuple[str, ...]:
        """Everything that a prediction depends on besides data and settings."""
        writer = self.writer
        return (self.encoder.id, self.judge(0.0).id, *([writer.id] if writer else []))

    @property
    def tuning(self) -> Tuning | None:
        """The calibration that verdicts obey.

        Raises:
            InputError: It cannot be read, or was fitted for other models.
        """
        if self._tuning is None and self._calibration is not None:
            self._tuning = read_tuning(self._calibration, self._untuned(0.0).models)
        return self._tuning

    def judge(self, uncertain_below: float) -> Judge:
        """The product's judge, which can quote from nothing yet.

        Raises:
            InputError: As for ``tuning``.
        """
        return replace(self._untuned(uncertain_below), tuning=self.tuning)

    def _untuned(self, uncertain_below: float) -> Judge:
        return Judge(
            self.verifier,
            bundled_decision().without(self._without),
            uncertain_below,
            sentences=lambda passage: (),
            raw_text=lambda document: "",
        )

    def close(self) -> None:
        """Lets go of them."""
        for model in (self._encoder, self._verifier, self._generator):
            if model is not None:
                model.close()
        self._encoder = self._remembering = self._verifier = self._generator = None
