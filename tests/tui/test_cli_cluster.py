"""``veracite library build`` and ``--ray``: what they refuse, and one real cluster."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from command_line import Commands, process
from mill import DRAFT, TRUE

from veracite.engine import libraries, offline
from veracite.engine.errors import InputError
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.local_engine import LocalLibraries

_THERE = all(map(find_spec, ("lance", "ray")))
_needs = pytest.mark.skipif(not _THERE, reason="the extra `cluster` is not installed")


def free_port() -> int:
    """A port that nothing listens on."""
    with offline.lifted(), socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return int(unused.getsockname()[1])


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is not installed."""
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)


@pytest.mark.usefixtures("without")
def test_without_the_extra_it_is_said_what_to_install(veracite: Commands, paths: Paths) -> None:
    libraries.Libraries(paths).register("news", "s3://bucket/news")
    for command in (
        ("library", "build", "news", "--ray", "127.0.0.1:1", veracite.documents),
        ("check", veracite.draft, "--against", "news"),
        ("check", "--jsonl", veracite.draft, "--against", "news", "--ray", "127.0.0.1:1"),
    ):
        veracite(*command).fails(3, "pip install 'veracite[cluster]'")


def test_what_cannot_be_given_to_a_cluster_is_refused(veracite: Commands) -> None:
    veracite("check", veracite.draft, "--ray", "127.0.0.1:1").fails(2, "--jsonl")
    asked = ("check", "--jsonl", veracite.draft, "--ray", "127.0.0.1:1")
    veracite(*asked, "-a", veracite.documents).fails(2, "library build")
    veracite(*asked, "--trace", veracite.home / "trace").fails(2, "--trace")


def test_the_name_of_a_library_of_this_machine_is_not_taken(
    veracite: Commands, paths: Paths
) -> None:
    veracite("library", "add", veracite.documents, "--name", "news")
    with pytest.raises(InputError, match="another name"):
        libraries.Libraries(paths).register("news", "s3://bucket/news")


@pytest.mark.parametrize("command", [("sync", "news"), ("export", "news", "-o", "bundle")])
def test_what_only_a_build_can_do_is_said_and_not_left_out_in_silence(
    veracite: Commands, paths: Paths, command: tuple[str, ...]
) -> None:
    libraries.Libraries(paths).register("news", "/shared/news")
    veracite("library", *command).fails(3, "several machines share", "library build news")
    with pytest.raises(InputError, match="library build news"):
        list(LocalLibraries(CheckSettings(), paths).sync("news"))


@pytest.mark.parametrize("damage", ['{"addr', "[]", '{"version": 1}', "\x00"])
def test_a_place_that_cannot_be_read_can_be_given_up(
    veracite: Commands, paths: Paths, damage: str
) -> None:
    libraries.Libraries(paths).register("news", "/shared/news")
    (paths.libraries / "news" / "cluster.json").write_text(damage)
    veracite("check", veracite.draft, "--against", "news").fails(3, "is damaged", "library remove")
    assert veracite("library", "remove", "news", "--yes").code == 0
    assert "news" not in veracite("library", "list").out


@_needs
def test_an_address_that_is_none_or_does_not_answer_is_told(veracite: Commands) -> None:
    build = ("library", "build", "news", "--storage", veracite.home / "shared", veracite.documents)
    veracite(*build).fails(2, "--ray ADDRESS")
    veracite(*build, "--ray", "auto").fails(3, "no address of a Ray cluster")
    port = free_port()
    veracite(*build, "--ray", f"127.0.0.1:{port}").fails(3, "Nothing answers")
    other = ("library", "build", "other")
    veracite(*other).fails(3, "--storage")
    veracite(*other, "--storage", veracite.home / "no").fails(3, "could not be read")


@pytest.fixture(scope="module")
def head() -> Iterator[str]:
    """The address of a cluster of this machine alone, with one processor."""
    ray, port = Path(sys.executable).with_name("ray"), free_port()
    with TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:  # a short path
        started = subprocess.Popen(
            [
                *(ray, "start", "--head", "--block", f"--port={port}", "--include-dashboard=false"),
                *("--num-cpus=1", "--object-store-memory=80000000", f"--temp-dir={folder}"),
            ],
            env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        next(line for line in started.stdout or () if "Ray runtime started" in line)
        yield f"127.0.0.1:{port}"
        started.terminate()
        started.communicate()


@_needs
@pytest.mark.long
def test_a_cluster_builds_and_judges_as_one_machine_does(veracite: Commands, head: str) -> None:
    command = [sys.executable, "-m", "veracite.tui"]
    here = {**os.environ, **veracite.environ}
    (veracite.documents / "broken.pdf").write_bytes(b"%PDF-1.4 no more")
    build = [*command, "library", "build", "news", "--ray", head, "--json"]
    place = ["--storage", veracite.home / "shared", veracite.documents]
    for more in (place, []):  # the second time nothing is to be read
        done = process(*build, *more, env=here)
        told = json.loads(done.stdout)
        assert (done.returncode, told["documents"], len(told["failed"])) == (0, 2, 1), done.stderr
        assert told["passages"] == told["embedded"] > 0
    alone = json.loads(veracite("check", "--json", veracite.draft, "-a", veracite.documents).out)
    shared = json.loads(veracite("check", "--json", veracite.draft, "-a", "news").out)
    assert shared["settings"].pop("dataset") == told["dataset"]
    assert shared == alone
    many = veracite.home / "many.jsonl"
    lines = [json.dumps({"id": number, "text": text}) for number, text in enumerate((DRAFT, TRUE))]
    many.write_text("\n".join([*lines, "no"]))
    spread = process(*command, "check", "--jsonl", many, "-a", "news", "--ray", head, env=here)
    one = veracite("check", "--jsonl", many, "-a", "news")
    assert (spread.returncode, spread.stdout) == (one.code, one.out)
    assert spread.stdout.count("\n") == 3
    veracite("library", "remove", "news", "--yes")
    assert process(*command, "library", "build", "again", *place[:2], env=here).returncode == 0
    assert "again: 2 documents" in veracite("library", "list").out
