"""What works on this machine, found out by trying it; ``veracite doctor`` prints it."""

import importlib.metadata
import platform
import re
import socket
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from veracite.engine import settings
from veracite.engine.diagnosis.finding import Finding, tried
from veracite.engine.diagnosis.models import diagnose_models
from veracite.engine.errors import OfflineError
from veracite.engine.paths import Paths, private_folder
from veracite.engine.version import __version__
from veracite.models.errors import ModelError


def diagnose(paths: Paths) -> Iterator[Finding]:
    """Tries everything that a check needs, one thing after the other."""
    yield Finding("veracite", "ok", __version__)
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.platform()}")
    yield _packages()
    yield tried("settings", lambda: _settings(paths))
    yield tried("data folder", lambda: _writable(paths.data))
    yield tried("cache folder", lambda: _writable(paths.cache))
    yield tried("sentences", _sentences)
    yield from diagnose_models(paths)
    yield offline_guard()


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
    with suppress(ModelError):  # told under "language model"
        settings.load(paths)
    found = str(paths.config) if paths.config.exists() else f"defaults (no {paths.config})"
    return "; ".join([found, *settings.unknown_variables()])


def _writable(folder: Path) -> str:
    with tempfile.TemporaryFile(dir=private_folder(folder)) as file:
        file.write(b"veracite")
    return str(folder)


def _sentences() -> str:
    from veracite.engine.claims.segmentation import segment

    claims = segment("Dr. Berg came at noon. She left at 4 p.m. on Friday.")
    return f"two sentences were cut into {len(claims)}"


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
