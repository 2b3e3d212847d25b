"""Whether an installation does what it is for: everything on data of its own, without a network."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from veracite.engine.diagnosis.doctor import offline_guard
from veracite.engine.diagnosis.finding import Finding, tried
from veracite.engine.diagnosis.models import language_runtime
from veracite.engine.errors import CheckError
from veracite.engine.events import Finished
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label, Report
from veracite.engine.version import __version__
from veracite.engine.workbench import Workbench

_DOCUMENT = """\
# The Harrow mill

The Harrow mill burned down in 1904. It was never rebuilt.

Its owner was Anna Berg, who had bought it from her uncle in 1889.
"""
_TEXT = {
    "The Harrow mill burned down in 1904.": Label.SUPPORTED,
    "The Harrow mill burned down in 1911.": Label.CONTRADICTED,
    "The mayor of Lisbon collects postage stamps from Peru.": Label.NOT_FOUND,
}
_NAMES = ("encoder", "verifier")
_ADVICE = "Install veracite again, or run `veracite doctor` to see what is wrong."


def self_test() -> Iterator[Finding]:
    """Tries the models' files, each model, a whole check and the runtime of language models."""
    yield Finding("veracite", "ok", __version__)
    yield tried("model files", _files)
    yield tried("encoding", _encoding)
    yield tried("judging", _judging)
    yield tried("checking", _checking)
    yield language_runtime()
    yield offline_guard()


def _files() -> str:
    from veracite.models.bundled import BUNDLED
    from veracite.models.onnx import read_manifest, read_verified

    told = []
    for name in _NAMES:
        manifest = read_manifest(BUNDLED / f"{name}.json", name)
        read_verified(BUNDLED / manifest.file, manifest.sha256, name)
        read_verified(BUNDLED / manifest.tokenizer, manifest.tokenizer_sha256, name)
        told.append(f"{manifest.file} is {manifest.id}")
    return f"{', '.join(told)}; every SHA-256 is right"


def _encoding() -> str:
    from veracite.models.bundled import bundled_encoder

    encoder = bundled_encoder()
    try:
        asleep, same, other = encoder.encode(
            ["The cat sleeps all day.", "A cat is asleep.", "Shares fell on Friday."]
        )
    finally:
        encoder.close()
    near, far = float(asleep @ same), float(asleep @ other)
    if near < far + 0.2:
        raise CheckError(f"Sentences alike compare at {near:.2f}, others at {far:.2f}.", _ADVICE)
    return f"sentences alike compare at {near:.2f}, others at {far:.2f}"


def _judging() -> str:
    from veracite.models.bundled import bundled_verifier

    verifier = bundled_verifier()
    try:
        pairs = [
            ("The mill burned down in 1904.", f"The mill burned in {y}.") for y in (1904, 1911)
        ]
        (supported, _, _), (_, _, contradicted) = verifier.score(pairs)
    finally:
        verifier.close()
    told = f"a supported claim {supported:.2f}, a contradicted one {contradicted:.2f}"
    if min(supported, contradicted) < 0.5:
        raise CheckError(f"The verifier gives {told}.", _ADVICE)
    return told


def _checking() -> str:
    with tempfile.TemporaryDirectory(prefix="veracite-") as home:
        report = _report(Path(home))
    found = {v.claim.statement: v.label for v in report.verdicts}
    told = ", ".join(label.value for label in found.values())
    if found != _TEXT:
        raise CheckError(f"A text was found {told or 'empty'}, which is wrong.", _ADVICE)
    return f"three claims were found {told}, as they should be"


def _report(home: Path) -> Report:
    documents = home / "documents"
    documents.mkdir()
    (documents / "mill.md").write_text(_DOCUMENT, encoding="utf-8")
    paths = Paths(home / "data", home / "cache", home / "config.toml")
    with Workbench(CheckSettings(), paths) as bench:
        for event in bench.check("\n\n".join(_TEXT), against=(documents,)):
            if isinstance(event, Finished):
                return event.report
    raise CheckError("The check of a text came to no end.", _ADVICE)
