"""Installs Veracite from the kit in which this file lies, without network or compiler.

    sh install.sh [FOLDER]

Checks the hashes of the whole kit first. If something fails, what was installed is removed again.
"""

from __future__ import annotations  # so that an older Python can say that it is too old

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

KIT = Path(__file__).resolve().parent
SUMS = "SHA256SUMS"


class Failure(Exception):
    """Says what happened and what to do about it."""


def main(arguments: list[str]) -> int:
    """Install into the folder that is named, by default ~/veracite; returns the exit code."""
    try:
        about = json.loads((KIT / "kit.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        say(f"Error: The kit is damaged: kit.json: {error}. Copy the whole kit again.")
        return 3
    if arguments == ["--fits"]:
        return 0 if misfit(about) is None else 1
    target = Path(arguments[0] if arguments else Path.home() / "veracite").absolute()
    try:
        if reason := misfit(about):
            raise Failure(reason)
        check_hashes()
        new = not target.exists()
        if not new and not (target / "pyvenv.cfg").is_file():
            raise Failure(f"{target} is there already. Name another folder: sh install.sh FOLDER")
        try:
            install(target, about["install"])
        except BaseException:
            if new:
                shutil.rmtree(target, ignore_errors=True)
            raise
    except Failure as failure:
        say(f"Error: {failure}")
        return 3
    say(f"Veracite is in {target}. Begin with: {target / 'bin' / 'veracite'} --help")
    return 0


def misfit(about: dict[str, Any]) -> str | None:
    """Why the kit cannot be installed with this Python on this machine, if it cannot."""
    wanted = ".".join(map(str, about["python"]))
    if list(sys.version_info[:2]) != about["python"]:
        return (
            f"This kit is for Python {wanted}, and this is Python {platform.python_version()}. "
            f"Install Python {wanted} and run PYTHON=/path/to/python{wanted} sh install.sh"
        )
    if [platform.system(), platform.machine()] != [about["system"], about["machine"]]:
        return (
            f"This kit is for {about['system']} on {about['machine']}, and this is "
            f"{platform.system()} on {platform.machine()}. Have one made on such a machine."
        )
    name, version = platform.libc_ver()
    here = [int(part) for part in re.findall(r"\d+", version)]
    if name != about["libc"] or (here and here < about["libc_version"]):
        wanted = ".".join(map(str, about["libc_version"]))
        return (
            f"This kit needs the C library {about['libc'] or 'of another system'} {wanted} or "
            f"newer, and this machine has {name or 'another one'} {version}".rstrip()
            + ". Have one made on a machine with the same system as this one."
        )
    return None


def check_hashes() -> None:
    """Compare everything in the kit with its list of SHA-256.

    Raises:
        Failure: Something is missing, changed, or not in the list.
    """
    say("Checking the kit ...")
    lines = (KIT / SUMS).read_text(encoding="utf-8").splitlines()
    listed = {name: sha256 for sha256, _, name in (line.partition("  ") for line in lines)}
    there = {path.relative_to(KIT).as_posix() for path in KIT.rglob("*") if not path.is_dir()}
    there.discard(SUMS)
    for name in sorted(listed.keys() | there):
        if name not in there:
            problem = "is missing"
        elif name not in listed:
            problem = "does not belong to the kit"
        elif sha256_of(KIT / name) != listed[name]:
            problem = "is not what it was"
        else:
            continue
        raise Failure(f"The kit is damaged: {name} {problem}. Copy the whole kit again.")


def sha256_of(path: Path) -> str | None:
    """Of a file's bytes; of a link, whatever it leads to is none of the kit's."""
    if path.is_symlink():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def install(target: Path, wheel: str) -> None:
    """Make a virtual environment and put everything into it.

    Raises:
        Failure: A step does not succeed.
    """
    say(f"Installing into {target} ...")
    if not (target / "pyvenv.cfg").is_file():
        step([sys.executable, "-m", "venv", target], "Is Python's venv installed (python3-venv)?")
    python = target / "bin" / "python"
    pip = [str(python), "-I", "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    options = ["--no-index", "--only-binary=:all:", "--no-cache-dir", "--upgrade"]
    step(
        [*pip, *options, "--find-links", KIT / "wheels", f"{KIT}/{wheel}"],
        "Is there room on the disk? Then copy the kit again.",
    )
    veracite = target / "bin" / "veracite"
    for bundle in sorted((KIT / "models").glob("*.veracite")):
        step([veracite, "models", "import", bundle], "Mend what stands above, then run this again.")
    say("Letting it check a small text ...")
    step([veracite, "doctor", "--self-test"], "Please report what stands above.")


def step(command: list[str | Path], advice: str) -> None:
    """Run a command, with pip's own settings and the network's left out.

    Raises:
        Failure: It does not succeed.
    """
    environ = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "PYTHON")) and not name.lower().endswith("_proxy")
    }
    environ["PIP_CONFIG_FILE"] = os.devnull
    if subprocess.run([str(part) for part in command], env=environ).returncode:
        raise Failure(
            f"{Path(command[0]).name} did not succeed; its message stands above. {advice}"
        )


def say(text: str) -> None:
    """Tell the user."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
