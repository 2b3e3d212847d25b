"""What works on this machine, found out by trying it: ``veracite doctor`` and its self-test."""

import importlib.metadata
import importlib.util
import platform
import re
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from veracite.engine import settings
from veracite.engine.errors import USER_ERRORS, CheckError, EngineError, OfflineError
from veracite.engine.paths import Paths, private_folder
from veracite.engine.types import Label
from veracite.engine.version import __version__
from veracite.models.errors import ModelError

if TYPE_CHECKING:
    from veracite.models.store import Choices

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
_ADVICE = "Install Veracite again, or run `veracite doctor` to see what is wrong."

State = Literal["ok", "optional", "broken"]
"""``optional``: missing, and everything but the feature it names works without it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was tried."""

    name: str
    state: State
    detail: str
    advice: str | None = None
    """What to do about it, unless it is ok."""


def diagnose(paths: Paths) -> Iterator[Finding]:
    """Tries everything that a check needs, one thing after the other."""
    from veracite.models.store import Choices, Store

    yield Finding("veracite", "ok", __version__)
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.platform()}")
    yield _packages()
    yield _tried("settings", lambda: _settings(paths))
    yield _tried("data folder", lambda: _writable(paths.data))
    yield _tried("cache folder", lambda: _writable(paths.cache))
    chosen = Choices(Store(paths.models))
    yield _tried("encoder", lambda: _encoder(chosen.path("encoder")))
    yield from _reranker(chosen)
    yield _tried("verifier", _verifier)
    yield _language_runtime()
    yield from _language_model(paths)
    yield _offline_guard()


def self_test() -> Iterator[Finding]:
    """Tries the models' files, each model, a whole check and the runtime of language models, on
    data of its own and without a network."""
    yield Finding("veracite", "ok", __version__)
    yield _tried("encoding", _encoder)
    yield _tried("judging", _verifier)
    yield _tried("checking", _checking)
    yield _language_runtime()
    yield _offline_guard()


def _tried(name: str, attempt: Callable[[], str]) -> Finding:
    """What an attempt found out, or why it failed."""
    try:
        return Finding(name, "ok", attempt())
    except USER_ERRORS as error:
        return Finding(name, "broken", error.message, error.advice)
    except Exception as error:  # a diagnosis reports whatever it meets
        return Finding(
            name,
            "broken",
            f"{type(error).__name__}: {error}",
            "Install Veracite again: `make demo` in its clone, or `sh install.sh` in its kit.",
        )


def _packages() -> Finding:
    versions, missing = [], []
    for requirement in importlib.metadata.requires("veracite") or ():
        match = re.match(r"[A-Za-z0-9._-]+", requirement)
        if match is None or "extra ==" in requirement:
            continue
        try:
            versions.append(f"{match[0]} {importlib.metadata.version(match[0])}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(match[0])
    if missing:
        advice = f"Install them: pip install {' '.join(missing)}"
        return Finding("packages", "broken", f"missing: {', '.join(missing)}", advice)
    return Finding("packages", "ok", ", ".join(versions))


def _settings(paths: Paths) -> str:
    with suppress(ModelError):  # told under "language model"
        settings.load(paths)
    found = str(paths.config) if paths.config.exists() else f"defaults (no {paths.config})"
    return "; ".join([found, *settings.unknown_variables()])


def _writable(folder: Path) -> str:
    with tempfile.TemporaryFile(dir=private_folder(folder)) as file:
        file.write(b"veracite")
    return str(folder)


def _encoder(folder: Path | None = None) -> str:
    """Whether an encoder tells what is alike; None tries the bundled one, of which it is known."""
    from veracite.models.bundled import bundled_encoder, stored_encoder

    with closing(stored_encoder(folder) if folder else bundled_encoder()) as encoder:
        asleep, same, other = encoder.encode(
            ["The cat sleeps all day.", "A cat is asleep.", "Shares fell on Friday."]
        )
        near, far = float(asleep @ same), float(asleep @ other)
        told = f"sentences alike compare at {near:.2f}, others at {far:.2f}"
        if folder is None and near < far + 0.2:
            raise CheckError(f"The encoder finds that {told}.", _ADVICE)
        return f"{encoder.id}, verified; {told}"


def _reranker(chosen: "Choices") -> Iterator[Finding]:
    """The reranker, if one was chosen and it can be read which."""

    def scored() -> str:
        from veracite.models.reranker import stored_reranker

        folder = chosen.path("cross-encoder")
        assert folder is not None
        with closing(stored_reranker(folder)) as reranker:
            score = float(reranker.score([("Does the cat sleep?", "The cat sleeps all day.")])[0])
            return f"{reranker.id}, verified; a passage scored {score:.2f}"

    with suppress(ModelError):  # told under "encoder"
        if chosen.name("cross-encoder") is not None:
            yield _tried("reranker", scored)


def _verifier() -> str:
    from veracite.models.bundled import bundled_verifier

    premise = "The mill burned down in 1904."
    with closing(bundled_verifier()) as verifier:
        scores = verifier.score([(premise, f"The mill burned in {y}.") for y in (1904, 1911)])
        (supported, _, _), (_, _, contradicted) = scores
        told = f"a supported claim {supported:.2f}, a contradicted one {contradicted:.2f}"
        if min(supported, contradicted) < 0.5:
            raise CheckError(f"The verifier gives {told}.", _ADVICE)
        return f"{verifier.id}, verified; it gives {told}"


def _language_runtime() -> Finding:
    """Whether GGUF models can be run, and what on."""
    if importlib.util.find_spec("llama_cpp") is None:
        return Finding(
            "llama-cpp-python",
            "optional",
            "not installed: no GGUF models",
            "To add it (it compiles for some minutes): pip install '.[llm]' in Veracite's clone.",
        )
    from veracite.models.llama import build

    try:
        built = build()
    except ModelError as error:
        return Finding("llama-cpp-python", "optional", error.message, error.advice)
    gpu = f"GPUs: {', '.join(built.gpus) or 'none found'}" if built.gpu else "no GPU"
    instructions = ", ".join(built.instructions) or "no special instruction sets"
    return Finding("llama-cpp-python", "ok", f"{built.version}, built for {instructions}; {gpu}")


def _language_model(paths: Paths) -> Iterator[Finding]:
    """The GGUF model that is set, if one is and the settings can be read."""
    try:
        check = settings.load(paths).check
    except ModelError as error:
        yield Finding("language model", "broken", error.message, error.advice)
        return
    except EngineError:  # told under "settings"
        return
    if check.model is not None:
        yield _tried("language model", lambda: _asked(check, Path(str(check.model)), paths))


def _asked(check: settings.CheckSettings, path: Path, paths: Paths) -> str:
    from veracite.models.chat import Message
    from veracite.models.generator import Generator

    question = Message("user", ("The cat sleeps all day. Does the cat sleep?",))
    with Generator.open(
        path,
        context=check.context,
        gpu_layers=check.gpu_layers,
        threads=check.threads,
        verified=paths.verified,
    ) as generator:
        answer = generator.choose([question], ("yes", "no"))
        return (
            f"{generator.id}, {generator.context:,} tokens of context; "
            f"a question was answered, yes at {answer.probabilities[0]:.2f}"
        )


def _offline_guard() -> Finding:
    """Whether this process is kept off the network."""
    try:
        socket.socket(socket.AF_INET).close()
    except OfflineError:
        return Finding("offline guard", "ok", "network sockets are refused")
    told = "this process could open a network socket"
    return Finding("offline guard", "broken", told, "Start Veracite by its command, `veracite`.")


def _checking() -> str:
    from veracite.engine.events import Finished
    from veracite.engine.workbench import Workbench

    with tempfile.TemporaryDirectory(prefix="veracite-") as scratch:
        home = Path(scratch)
        documents = home / "documents"
        documents.mkdir()
        (documents / "mill.md").write_text(_DOCUMENT, encoding="utf-8")
        paths = Paths(home / "data", home / "cache", home / "config.toml")
        with Workbench(settings.CheckSettings(), paths) as bench:
            *_, last = bench.check("\n\n".join(_TEXT), against=(documents,))
    assert isinstance(last, Finished)
    found = {v.claim.statement: v.label for v in last.report.verdicts}
    told = ", ".join(label.value for label in found.values())
    if found != _TEXT:
        raise CheckError(f"A text was found {told or 'empty'}, which is wrong.", _ADVICE)
    return f"three claims were found {told}, as they should be"
