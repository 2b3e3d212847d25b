"""The first load of a model file in a child process."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest
import tiny_gguf
from stored import put

from veracite.models import trial
from veracite.models.errors import Cancelled, ModelError
from veracite.models.store import Store


def require_trial(path: Path, verified: Path) -> str:
    return trial.require_trial(path, verified, Event())


@pytest.fixture
def no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child cannot be started any more."""
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory, tiny_model: Path) -> Path:
    """A folder that remembers the tiny model; not to be written to."""
    folder = tmp_path_factory.mktemp("tried") / "cache" / "models"
    require_trial(tiny_model, folder)
    return folder


@pytest.fixture
def verified(tried: Path, tmp_path: Path) -> Path:
    return shutil.copytree(tried, tmp_path / "verified")


@pytest.mark.usefixtures("no_child")
def test_a_file_is_tried_once(tiny_model: Path, verified: Path, tmp_path: Path) -> None:
    sha256 = hashlib.sha256(tiny_model.read_bytes()).hexdigest()
    assert require_trial(tiny_model, verified) == sha256
    copy = Path(shutil.copy(tiny_model, tmp_path / "copy.gguf"))
    assert require_trial(copy, verified) == sha256


@pytest.mark.usefixtures("no_child")
def test_a_path_may_have_any_bytes(tiny_model: Path, verified: Path, tmp_path: Path) -> None:
    odd = Path(shutil.copy(tiny_model, os.fsdecode(os.fsencode(tmp_path) + b"/b\xe9.gguf")))
    sha256 = require_trial(odd, verified)
    assert [trial.known_sha256(path, verified) for path in (odd, tiny_model)] == [sha256, sha256]


@pytest.mark.usefixtures("no_child")
def test_a_file_in_its_place_is_tried(tiny_model: Path, verified: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(tiny_model, tmp_path / "copy.gguf"))
    require_trial(path, verified)
    path.write_bytes(path.read_bytes()[:-4] + bytes(4))
    with pytest.raises(ModelError, match="No process can be started to try the model"):
        require_trial(path, verified)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"a": 5}'])
def test_a_damaged_memory_is_none(
    tiny_model: Path, tmp_path: Path, content: str, no_child: None
) -> None:
    (tmp_path / "tried_models.json").write_text(content)
    with pytest.raises(ModelError, match="No process can be started"):
        require_trial(tiny_model, tmp_path)


def test_a_child_that_hangs_is_ended_by_the_system() -> None:
    code = "from veracite.models.trial import _limit\n_limit(1, 2**30)\nwhile True: pass"
    run = subprocess.run([sys.executable, "-c", code], check=False)
    assert run.returncode == -signal.SIGXCPU


def test_a_hostile_chat_template_takes_no_more_than_its_share(tmp_path: Path) -> None:
    """In one conversation only, it writes a text of three gigabytes."""
    bomb = "{% if messages|length == 4 %}{{ ' ' * (messages|length * 750000000) }}{% endif %}"
    path = tiny_gguf.make(tmp_path / "bomb.gguf", template=bomb + tiny_gguf.CHATML)
    with pytest.raises(ModelError, match="takes more memory to load than it should"):
        require_trial(path, tmp_path / "verified")
    assert not (tmp_path / "verified").exists()


@pytest.mark.parametrize("script", ["", "echo $$ > {pid}.new; mv {pid}.new {pid}; exec sleep 600"])
def test_it_ends_when_it_is_told_to(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    """While it hashes the file, or while the child is at work, which does not outlive it."""
    pid = tmp_path / "pid"
    child = tmp_path / "child"
    child.write_text(f"#!/bin/sh\n{script.format(pid=pid)}\n")
    child.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(child))

    class Set(Event):
        """Is set as soon as the child runs, or from the beginning."""

        def is_set(self) -> bool:
            return not script or pid.exists()

    with pytest.raises(Cancelled):
        trial.require_trial(tiny_model, tmp_path / "verified", Set())
    assert not (tmp_path / "verified").exists()
    if script:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)
    assert pid.exists() is bool(script)


def test_code_beside_the_documents_is_not_run(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("import os; os._exit(9)")
    (tmp_path / "veracite").mkdir()
    monkeypatch.chdir(tmp_path)
    assert require_trial(tiny_model, tmp_path / "verified")
    assert json.loads((tmp_path / "verified" / "tried_models.json").read_bytes())
    assert os.listdir(tmp_path / "veracite") == []


def test_a_changed_model_is_not_loaded(tiny_model: Path, verified: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "models")
    put(store, "tiny", {"tiny.gguf": tiny_model.read_bytes()})
    weights, link = store.place("tiny"), tmp_path / "link.gguf"
    link.symlink_to(weights)
    before, content = require_trial(weights, verified), weights.read_bytes()
    assert before == store.get("tiny").files[0].sha256
    weights.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    for path in (weights, weights, link):
        with pytest.raises(ModelError, match=r"was damaged or changed.* `veracite models remove"):
            require_trial(path, verified)
    weights.write_bytes(content)
    assert require_trial(weights, verified) == before


@pytest.mark.parametrize("said", ["no", "{}", "[]"])
@pytest.mark.usefixtures("no_child")
def test_a_manifest_of_another_application_says_nothing(
    tiny_model: Path, verified: Path, tmp_path: Path, said: str
) -> None:
    (tmp_path / "manifest.json").write_text(said)
    assert require_trial(Path(shutil.copy(tiny_model, tmp_path / "made.gguf")), verified)
