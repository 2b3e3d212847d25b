"""What works on this machine, found out by trying it: ``veracite doctor`` and its self-test."""

import importlib.metadata
import importlib.util
import os
import platform
import re
import socket
import tempfile
from collections.abc import Callable, Iterator, Mapping
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
    from veracite.models.encoder import Encoder
    from veracite.models.reranker import Reranker
    from veracite.models.verifier import Verifier

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


def diagnose(paths: Paths, environ: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    """Tries everything that a check needs, one thing after the other."""
    from veracite.engine.models import OpenModels

    yield Finding("veracite", "ok", __version__)
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.platform()}")
    yield from _tried("packages", _packages)
    yield from _tried("settings", lambda: _settings(paths, environ))
    yield from _tried("data folder", lambda: _writable(paths.data))
    yield from _tried("cache folder", lambda: _writable(paths.cache))
    with closing(OpenModels(settings.CheckSettings(), paths)) as models:
        yield from _tried("encoder", lambda: _encoder(models.open_encoder()))
        yield from _tried("reranker", lambda: _reranker(models.open_reranker()))
        yield from _tried("verifier", lambda: _verifier(models.open_verifier()))
    yield _language_runtime()
    yield from _tried("language model", lambda: _language_model(paths, environ))
    yield _offline_guard()


def self_test() -> Iterator[Finding]:
    """Tries the same and a whole check, on data of its own and with nothing of the user's."""
    with tempfile.TemporaryDirectory(prefix="veracite-") as scratch:
        home = Path(scratch)
        paths = Paths(home / "data", home / "cache", home / "config.toml")
        yield from diagnose(paths, {})
        yield from _tried("checking", lambda: _checking(home, paths))


def _tried(name: str, attempt: Callable[[], str | None]) -> Iterator[Finding]:
    """What an attempt found out, or why it failed; nothing where there is nothing to try."""
    try:
        if (detail := attempt()) is not None:
            yield Finding(name, "ok", detail)
    except USER_ERRORS as error:
        yield Finding(name, "broken", error.message, error.advice)
    except Exception as error:  # a diagnosis reports whatever it meets
        advice = "Install Veracite again: `make demo` in its clone, or `sh install.sh` in its kit."
        yield Finding(name, "broken", f"{type(error).__name__}: {error}", advice)


def _packages() -> str:
    """Those that are needed, with their versions."""
    required = importlib.metadata.requires("veracite") or ()
    names = [re.split(r"[^\w.-]", one)[0] for one in required if "extra ==" not in one]
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)


def _settings(paths: Paths, environ: Mapping[str, str]) -> str:
    with suppress(ModelError):  # told under "language model"
        settings.load(paths, environ=environ)
    found = str(paths.config) if paths.config.exists() else f"defaults (no {paths.config})"
    return "; ".join([found, *settings.unknown_variables(environ)])


def _writable(folder: Path) -> str:
    with tempfile.TemporaryFile(dir=private_folder(folder)) as file:
        file.write(b"veracite")
    return str(folder)


def _encoder(encoder: "Encoder") -> str:
    """How well an encoder tells what is alike; of the bundled one it is known that it does."""
    from veracite.models.bundled import encoder_id

    asleep, same, other = encoder.encode(
        ["The cat sleeps all day.", "A cat is asleep.", "Shares fell on Friday."]
    )
    near, far = float(asleep @ same), float(asleep @ other)
    told = f"sentences alike compare at {near:.2f}, others at {far:.2f}"
    if encoder.id == encoder_id() and near < far + 0.2:
        raise CheckError(f"The encoder finds that {told}.", _ADVICE)
    return f"{encoder.id}, verified; {told}"


def _reranker(reranker: "Reranker | None") -> str | None:
    if reranker is None:
        return None
    score = float(reranker.score([("Does the cat sleep?", "The cat sleeps all day.")])[0])
    return f"{reranker.id}, verified; a passage scored {score:.2f}"


def _verifier(verifier: "Verifier") -> str:
    premise = "The mill burned down in 1904."
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


def _language_model(paths: Paths, environ: Mapping[str, str]) -> str | None:
    """The GGUF model that is set, if one is."""
    from veracite.engine.models import OpenModels
    from veracite.models.chat import Message

    try:
        check = settings.load(paths, environ=environ).check
    except EngineError:  # told under "settings"
        return None
    with closing(OpenModels(check, paths)) as models:
        list(models.open_generator(writes=True))
        if (generator := models.generator) is None:
            return None
        question = Message("user", ("The cat sleeps all day. Does the cat sleep?",))
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


def _checking(home: Path, paths: Paths) -> str:
    from veracite.engine.events import Finished
    from veracite.engine.workbench import Workbench

    document = home / "mill.md"
    document.write_text(_DOCUMENT, encoding="utf-8")
    with Workbench(settings.CheckSettings(), paths) as bench:
        *_, last = bench.check("\n\n".join(_TEXT), against=(document,))
    assert isinstance(last, Finished)
    found = {v.claim.statement: v.label for v in last.report.verdicts}
    told = ", ".join(label.value for label in found.values())
    if found != _TEXT:
        raise CheckError(f"A text was found {told or 'empty'}, which is wrong.", _ADVICE)
    return f"three claims were found {told}, as they should be"
