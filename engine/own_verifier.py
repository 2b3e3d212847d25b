"""A verifier of one's own in the place of the bundled one, on the bundled one's scale.

The decision was fitted to what the bundled verifier says. Another's log odds are put on its scale:
on the items of the exam (``veracite.engine.exam``) a line is fitted to those of either
verifier (Platt 1999), and what makes the same probability on both lines counts the same. So
premises, checks, bars and citations stay as they are.

What comes of it is kept under the SHA-256 of the network, and holds as long as its other files, the
bundled verifier and the decision are the same.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from veracite.engine.exam_outcome import FOLDER, Reader
from veracite.engine.judge.decision import bundled_decision
from veracite.models.bundled import bundled_id, stored_verifier
from veracite.models.errors import ModelError
from veracite.models.store import read_manifest
from veracite.models.verifier import Scale, Verifier


@dataclass(frozen=True, slots=True)
class Fit:
    """What came of the exam of a verifier."""

    labels: tuple[str, ...]
    """Which of ``LABELS`` its numbers mean, in their order."""
    by: tuple[str, ...]
    """What it holds for, as ``conditions``."""
    scale: Scale
    own: Reader
    bundled: Reader
    """Both by the decision."""

    def __str__(self) -> str:
        """Such as ``AUC 0.83 (0.78 to 0.88), the bundled verifier 0.88 (0.84 to 0.92)``."""
        told = f"AUC {self.own.auc}, the bundled verifier {self.bundled.auc}"
        if self.scale.contradicted[0]:
            return told
        return f"{told}; it does not tell contradicted claims, so it calls none contradicted"


def opened(folder: Path, threads: int | None = None) -> Verifier:
    """The verifier in a folder of the store, as it was fitted.

    Raises:
        ModelError: It is missing or damaged, or has taken no exam that holds.
    """
    fit = fit_of(folder)
    if fit is None:
        raise ModelError(
            f"The judge {folder.name} has taken no exam that holds for this version of Veracite.",
            f"`veracite models use {folder.name} --as judge` gives it one; `veracite models use "
            "--none verifier` goes back to the bundled verifier.",
        )
    return stored_verifier(folder, fit.labels, fit.scale, threads)


def fit_of(folder: Path) -> Fit | None:
    """What came of the exam of the verifier in a folder; None where nothing holds.

    Raises:
        ModelError: Nothing tells what the folder holds.
    """
    with suppress(OSError, ValueError, RecursionError):
        kept = place_of(folder).read_bytes()
        fit = msgspec.json.decode(kept, type=Fit)
        return fit if fit.by == conditions(folder) else None
    return None


def place_of(folder: Path) -> Path:
    """The file of what came of the exam of the verifier in a folder."""
    return folder.parent / FOLDER / f"{read_manifest(folder).files[0].sha256}.json"


def conditions(folder: Path) -> tuple[str, ...]:
    """What a fit holds for: the bundled verifier, the decision, and the files of the folder."""
    files = (file.sha256 for file in read_manifest(folder).files)
    return bundled_id("verifier"), bundled_decision().id, *files
