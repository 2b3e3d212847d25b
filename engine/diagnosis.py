"""What works on this machine, found out by trying it; ``veracite doctor`` prints it."""

import importlib.metadata
import importlib.util
import platform
import re
import socket
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from veracite.engine import settings
from veracite.engine.errors import USER_ERRORS, EngineError, OfflineError
from veracite.engine.paths import Paths, private_folder
from veracite.engine.version import __version__
from veracite.models.errors import ModelError

__all__ = ["Finding", "State", "diagnose", "language_runtime", "offline_guard", "tried"]

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
    yield Finding("veracite", "ok", __version__)
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.platform()}")
    yield _packages()
    yield tried("settings", lambda: _settings(paths))
    yield tried("data folder", lambda: _writable(paths.data))
    yield tried("cache folder", lambda: _writable(paths.cache))
    yield tried("sentences", _sentences)
    yield tried("encoder", _encoder)
    yield tried("verifier", _verifier)
    yield language_runtime()
    yield from _language_model(paths)
    yield offline_guard()


def tried(name: str, attempt: Callable[[], str]) -> Finding:
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
            "Install Veracite anew: `make demo` in its clone, or `sh install.sh` in its kit.",
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
        return Finding(
            "packages",
            "broken",
            f"missing: {', '.join(missing)}",
            f"Install them: pip install {' '.join(missing)}",
        )
    return Finding("packages", "ok", ", ".join(versions))


def _settings(paths: Paths) -> str:
    settings.load(paths)
    found = str(paths.config) if paths.config.exists() else f"defaults (no {paths.config})"
    return "; ".join([found, *settings.unknown_variables()])


def _writable(folder: Path) -> str:
    with tempfile.TemporaryFile(dir=private_folder(folder)) as file:
        file.write(b"veracite")
    return str(folder)


def _sentences() -> str:
    from veracite.engine.claims import segment

    claims = segment("Dr. Berg came at noon. She left at 4 p.m. on Friday.")
    return f"two sentences were cut into {len(claims)}"


def _encoder() -> str:
    from veracite.models.bundled import bundled_encoder

    encoder = bundled_encoder()
    try:
        one, other = encoder.encode(["The cat sleeps all day.", "A cat is asleep."])
        return f"{encoder.id}, verified; two sentences compared at {float(one @ other):.2f}"
    finally:
        encoder.close()


def _verifier() -> str:
    from veracite.models.bundled import bundled_verifier

    verifier = bundled_verifier()
    try:
        supported = float(verifier.score([("The cat sleeps all day.", "The cat sleeps.")])[0, 0])
        return f"{verifier.id}, verified; a supported sentence scored {supported:.2f}"
    finally:
        verifier.close()


def language_runtime() -> Finding:
    """Whether GGUF models can be run, and what on."""
    if importlib.util.find_spec("llama_cpp") is None:
        return Finding(
            "llama-cpp-python",
            "optional",
            "not installed: no GGUF models",
            "To add it (it compiles for some minutes): pip install '.[llm]' in Veracite's clone.",
        )
    from veracite.models.build import build

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
    except EngineError:  # told under "settings"
        return
    if check.model is not None:
        yield tried("language model", partial(_asked, check, Path(check.model), paths))


def _asked(check: settings.CheckSettings, path: Path, paths: Paths) -> str:
    from veracite.models.generator import Generator, Message

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


def offline_guard() -> Finding:
    """Whether this process is kept off the network."""
    try:
        socket.socket(socket.AF_INET).close()
    except OfflineError:
        return Finding("offline guard", "ok", "network sockets are refused")
    return Finding(
        "offline guard",
        "broken",
        "this process could open a network socket",
        "Start Veracite by its command, `veracite`.",
    )
