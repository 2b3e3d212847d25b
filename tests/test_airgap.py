"""The air-gap kit: made here, installed where there is neither a network nor a compiler."""

import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import checkpoints
import pytest
import tiny_gguf
import wheels
from command_line import Commands, process
from confined import without_network

ROOT = Path(__file__).resolve().parents[1]
AIRGAP = ROOT / "scripts" / "airgap"
DRAFT, LIBRARY = ROOT / "tests/samples/draft.md", ROOT / "tests/samples/library"
WHEEL = "wheels/veracite-0-py3-none-any.whl"
KINDS = ("library", "machine-learning-model")
LLM = importlib.util.find_spec("llama_cpp") is not None


@dataclass(frozen=True)
class Island:
    """A machine that has Python, a shell and nothing else."""

    home: Path
    alone: Sequence[str]
    """The command that takes the network away."""

    def __call__(self, *command: object) -> "subprocess.CompletedProcess[str]":
        environ = {"HOME": str(self.home), "PATH": str(self.home / "bin"), "LANG": "C.UTF-8"}
        return process(*self.alone, *command, env=environ, cwd=self.home)


def island(home: Path, alone: Sequence[str]) -> Island:
    (home / "bin").mkdir(parents=True)
    python = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info[1]}"
    (home / "bin" / "python3").symlink_to(python.resolve())
    (home / "bin" / "sh").symlink_to("/bin/sh")
    # Found by us, since the island's own PATH has nothing of the kind.
    return Island(home, [shutil.which(alone[0]) or alone[0], *alone[1:]] if alone else [])


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What ``make bundle`` writes, from the packages that are installed here."""
    home = tmp_path_factory.mktemp("connected")
    (house := home / "house").mkdir()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = project["dependencies"] + extras["eval"] + (extras["llm"] if LLM else [])
    for name in ("setuptools", *wheels.closure(needed)):
        wheels.repack(name, house)
    veracite = Commands(home)
    checkpoints.write_folder(home / "small")
    for model in (tiny_gguf.make(home / "tiny.gguf"), home / "small"):
        assert veracite("models", "import", model).code == 0
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PIP_")},
        **veracite.environ,
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(house),
        "KIT_PYTHON": sys.executable,
        "MODELS": "tiny small",
        "LLM": "yes" if LLM else "no",
        "OUT": str(home / "kit"),
    }
    made = process(ROOT / "scripts" / "bundle.sh", env=environ)
    assert made.returncode == 0, made.stderr
    yield home / "kit"
    shutil.rmtree(home)  # half a gigabyte


@pytest.mark.long  # a minute and a half on slow cores
def test_the_demo_runs_without_network_and_compiler(kit: Path, tmp_path: Path) -> None:
    machine = island(tmp_path / "island", without_network())
    networks = machine("python3", "-c", "import socket; print(socket.if_nameindex())")
    assert networks.stdout == "[(1, 'lo')]\n"
    assert not [
        name
        for name in ("cc", "c++", "gcc", "clang")
        if shutil.which(name, path=machine.home / "bin")
    ]
    installed = machine("sh", kit / "install.sh")
    assert installed.returncode == 0, installed.stderr
    assert "broken" not in installed.stdout
    veracite = machine.home / "veracite" / "bin" / "veracite"
    listed = json.loads(machine(veracite, "models", "list", "--json").stdout)["models"]
    assert {m["name"] for m in listed if m["state"] == "stored"} == {"small", "tiny"}
    assert machine(veracite.parent / "python", "-c", "import sklearn, scipy").returncode == 0
    checked = machine(veracite, "check", DRAFT, "--against", LIBRARY, "--json")
    assert checked.returncode == 1, checked.stderr
    (tmp_path / "here").mkdir()
    here = Commands(tmp_path / "here")("check", DRAFT, "--against", LIBRARY, "--json")
    assert checked.stdout == here.out
    shutil.rmtree(machine.home)  # half a gigabyte


def test_a_kit_holds_wheels_and_no_sources_and_says_what_is_in_it(kit: Path) -> None:
    """Where it is installed here, also the runtime of language models, which compiles long."""
    assert {path.suffix for path in (kit / "wheels").iterdir()} == {".whl"}
    assert bool([*kit.glob("wheels/llama_cpp_python-*")]) == LLM
    extras = "[eval,llm]" if LLM else "[eval]"
    assert json.loads((kit / "kit.json").read_text())["install"].endswith(extras)
    lines = (kit / "SHA256SUMS").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    there = {path.relative_to(kit).as_posix() for path in kit.rglob("*") if path.is_file()}
    assert listed.keys() == there - {"SHA256SUMS"}
    assert {"LICENSE", "NOTICE", "models/models.veracite"} <= listed.keys()
    bill = json.loads((kit / "sbom.cdx.json").read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    kinds = {kind: [c for c in bill["components"] if c["type"] == kind] for kind in KINDS}
    told = {component["hashes"][0]["content"] for component in bill["components"]}
    assert {listed[name] for name in listed if name.startswith(("wheels/", "models/"))} <= told
    assert [c["name"] for c in kinds["library"] if not c["licenses"]] == []
    assert len(kinds["machine-learning-model"]) >= 2
    for name in ("numpy", "onnxruntime", "pypdfium2", "veracite"):
        assert [*kit.glob(f"licences/{name}-*/*")]
    assert [*kit.glob("licences/pypdfium2-*/*freetype*")]


@pytest.mark.long
def test_the_same_sources_make_the_same_wheel(tmp_path: Path) -> None:
    made: list[tuple[str, bytes]] = []
    environ = {**os.environ, "KIT_PYTHON": sys.executable, "OUT": "made"}
    environ |= {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "no"}
    for umask, time in (("022", 10**9), ("077", 11 * 10**8)):
        source = tmp_path / umask
        for held in ("src", "engine", "index", "models", "tui", "docs", "scripts"):
            shutil.copytree(ROOT / held, source / held, symlinks=True)
        for held in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "NOTICE"):
            shutil.copyfile(ROOT / held, source / held)
        for number, path in enumerate(path for path in source.rglob("*") if path.is_file()):
            path.chmod(
                0o777 & ~int(umask, 8) if os.access(path, os.X_OK) else 0o644 & ~int(umask, 8)
            )
            os.utime(path, (time, time + number))
        done = process("bash", "-c", f"umask {umask}; exec {source}/scripts/wheel.sh", env=environ)
        assert done.returncode == 0, done.stderr
        (wheel,) = (source / "made").glob("*.whl")
        made.append((wheel.name, wheel.read_bytes()))
    assert made[0] == made[1]


@pytest.fixture
def small_kit(tmp_path: Path) -> Path:
    """A kit whose only wheel is none."""
    kit = tmp_path / "kit"
    (kit / "wheels").mkdir(parents=True)
    (kit / WHEEL).write_bytes(b"no wheel")
    for name in ("install.sh", "install.py", "README.txt"):
        shutil.copy(AIRGAP / name, kit)
    seal(kit)
    return kit


def seal(kit: Path) -> None:
    (kit / "SHA256SUMS").unlink(missing_ok=True)
    subprocess.run([sys.executable, AIRGAP / "seal.py", kit, ""], check=True)


def refused(kit: Path, tmp_path: Path, *arguments: object) -> str:
    """What a kit says that is not installed, and leaves nothing."""
    machine = island(tmp_path / "island", [])
    ran = machine("sh", kit / "install.sh", *arguments)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert not (machine.home / "veracite").exists()
    return ran.stderr


def says(**others: object) -> Callable[[Path], object]:
    """Something else about what the kit is for."""

    def change(kit: Path) -> None:
        about = json.loads((kit / "kit.json").read_text())
        (kit / "kit.json").write_text(json.dumps(about | others))

    return change


def link(kit: Path) -> None:
    """The same bytes, elsewhere."""
    (kit / "README.txt").rename(kit.parent / "elsewhere")
    (kit / "README.txt").symlink_to(kit.parent / "elsewhere")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda kit: (kit / WHEEL).write_bytes(b"another"), "is not what it was"),
        (lambda kit: (kit / WHEEL).unlink(), "is missing"),
        (lambda kit: (kit / "wheels" / "more-1-py3-none-any.whl").touch(), "does not belong to"),
        (lambda kit: (kit / "kit.json").unlink(), "No such file"),
        (link, "README.txt is not what it was"),
        (says(python=[3, 99]), "This kit is for Python 3.99, and this is Python 3."),
        (says(machine="pdp11"), "on pdp11, and this is"),
        (lambda kit: None, "did not succeed"),  # pip cannot install it
    ],
)
def test_what_is_no_kit_for_here_or_was_changed_is_not_installed(
    change: Callable[[Path], object], problem: str, small_kit: Path, tmp_path: Path
) -> None:
    change(small_kit)
    assert problem in refused(small_kit, tmp_path)


@pytest.mark.skipif(not platform.libc_ver()[1], reason="this system does not name its C library")
def test_a_kit_for_another_c_library_says_so(small_kit: Path, tmp_path: Path) -> None:
    name, version = platform.libc_ver()
    house = small_kit / "wheels"
    (house / "b-1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl").touch()
    (house / "c-1-cp311-cp311-manylinux_2_99_x86_64.whl").touch()
    seal(small_kit)
    told = f"needs the C library {name} 2.99 or newer, and this machine has {name} {version}."
    assert told in refused(small_kit, tmp_path)
    (house / "c-1-cp311-cp311-manylinux_2_99_x86_64.whl").unlink()
    seal(small_kit)
    about = json.loads((small_kit / "kit.json").read_text())
    assert (about["libc"], about["libc_version"]) == (name, [2, 17])
    shutil.rmtree(tmp_path / "island")
    says(libc="other")(small_kit)
    assert "needs the C library other 2.17" in refused(small_kit, tmp_path)


def test_a_folder_of_something_else_is_left_alone(small_kit: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    assert "is there already" in refused(small_kit, tmp_path, tmp_path / "mine")
    assert (tmp_path / "mine" / "letter").read_text() == "dear"


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"OUT": str(ROOT)}, "is there already"),
        ({"LLM": "maybe"}, "LLM is yes or no"),
        ({"MODELS": "none-of-these"}, "There is no model named 'none-of-these'"),
    ],
)
def test_bundling_says_what_failed(settings: dict[str, str], problem: str, tmp_path: Path) -> None:
    environ = {**Commands(tmp_path).environ, "KIT_PYTHON": sys.executable}
    environ |= {"OUT": str(tmp_path / "out" / "kit"), **settings}
    made = process(ROOT / "scripts" / "bundle.sh", env={**os.environ, **environ})
    assert made.returncode == 1
    assert problem in made.stderr
    assert not list(tmp_path.glob("out/*"))
    assert not list(tmp_path.glob("out/.*"))
