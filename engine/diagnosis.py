"""What works on this machine, found out by trying it: ``veracite doctor`` and its self-test."""

import importlib.metadata
import importlib.util
import os
import platform
import re
import shlex
import socket
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from veracite.engine import settings
from veracite.engine.errors import USER_ERRORS, CheckError, EngineError, OfflineError
from veracite.engine.paths import Paths
from veracite.engine.types import Label
from veracite.engine.version import __version__
from veracite.models.errors import ModelError
from veracite.models.files import private_folder

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

_ATTEMPTS: dict[str, Callable[[], object]] = {
    "TCP": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close(),
    "TCP over IPv6": lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM).close(),
    "UDP": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
    "looking up a name": lambda: socket.getaddrinfo("example.org", 443),
    "asking whose an address is": lambda: socket.gethostbyaddr("127.0.0.1"),
}

State = Literal["ok", "optional", "broken"]
"""``optional``: missing, and everything but the feature it names works without it."""


_X86 = {"x86_64", "AMD64"}
"""How processors are called whose instructions for many numbers at once start with AVX2."""


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
        yield from _tried("encoder", lambda: _verified(models.open_encoder()))
        yield from _tried("reranker", lambda: _verified(models.open_reranker()))
        yield from _tried("verifier", lambda: _verified(models.open_verifier()))
    yield from _tried("checking", lambda: _checking(paths))
    yield _language_runtime()
    yield from _tried("language model", lambda: _language_model(paths, environ))
    yield from _exam(paths, environ)
    yield guard()


def self_test() -> Iterator[Finding]:
    """Tries the same with nothing of the user's."""
    with tempfile.TemporaryDirectory(prefix="veracite-") as scratch:
        yield from diagnose(_paths_in(Path(scratch)), {})


def _paths_in(home: Path) -> Paths:
    return Paths(home / "data", home / "cache", home / "config.toml")


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


def _verified(model: "Encoder | Reranker | Verifier | None") -> str | None:
    """What was opened; its files had the hashes that they must have."""
    return None if model is None else f"{model.id}, verified"


def _checking(paths: Paths) -> str:
    """A whole check of a small text by a document of our own, with the models in use."""
    from veracite.engine.events import Finished
    from veracite.engine.workbench import Workbench

    with tempfile.TemporaryDirectory(prefix="veracite-") as scratch:
        document, own = Path(scratch) / "mill.md", _paths_in(Path(scratch))
        document.write_text(_DOCUMENT, encoding="utf-8")
        own.models = paths.models
        with Workbench(settings.CheckSettings(), own) as bench:
            *_, last = bench.check("\n\n".join(_TEXT), against=(document,))
    assert isinstance(last, Finished)
    found = {v.claim.statement: v.label for v in last.report.verdicts}
    told = ", ".join(label.value for label in found.values())
    if found != _TEXT:
        raise CheckError(
            f"A text was found {told or 'empty'}, which is wrong.",
            "Install Veracite again, and report this if that does not help.",
        )
    return f"three claims were found {told}, as they should be"


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
    told = f"{built.version}, built for {instructions}; {gpu}"
    if not built.gpu and platform.machine() in _X86 and "AVX2" not in built.instructions:
        return Finding(
            "llama-cpp-python",
            "optional",
            f"{told}: language models are many times slower so",
            "Build it for this processor: CMAKE_ARGS=-DGGML_NATIVE=ON pip install "
            "--force-reinstall --no-cache-dir llama-cpp-python",
        )
    return Finding("llama-cpp-python", "ok", told)


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


def _exam(paths: Paths, environ: Mapping[str, str]) -> Iterator[Finding]:
    """What the judgement of the GGUF model that is set is worth; nothing if none is."""
    from veracite.engine.exam import tested
    from veracite.engine.exam_outcome import name_in_store

    with suppress(*USER_ERRORS):  # told under "settings" and "language model"
        if (model := settings.load(paths, environ=environ).check.model) is None:
            return
        if (outcome := tested(Path(model), paths)) is not None:
            yield Finding("exam", "ok", f"{outcome.model}: {outcome}")
            return
        told = f"{Path(model).name} took none that holds now"
        named = name_in_store(Path(model), paths) or shlex.quote(model)
        yield Finding("exam", "optional", told, f"To test it: veracite models test {named}")


def guard() -> Finding:
    """Whether this process is kept off the network."""
    reached = []
    for name, attempt in _ATTEMPTS.items():
        try:
            attempt()
        except OfflineError:
            continue
        except OSError:
            pass
        reached.append(name)
    if reached:
        told = f"this process is not kept from {', '.join(reached)}"
        return Finding("offline guard", "broken", told, "Start Veracite by its command.")
    return Finding("offline guard", "ok", f"refused: {', '.join(_ATTEMPTS)}")
