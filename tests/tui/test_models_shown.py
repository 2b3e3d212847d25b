"""``veracite models list`` and ``show``: readable whatever lies about, and all that is known."""

import json
from pathlib import Path

import pytest
import tiny_gguf
from command_line import Commands

from veracite.models.store.manifest import entry_of


@pytest.fixture
def veracite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "LLAMA_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return Commands(tmp_path)


def test_a_damaged_file_widens_no_other_row(veracite: Commands, tmp_path: Path) -> None:
    theirs = tmp_path / ".lmstudio" / "models" / "someone"
    theirs.mkdir(parents=True)
    whole = tiny_gguf.make(theirs / "whole-F32.gguf").read_bytes()
    (theirs / f"{'interrupted-' * 4}.gguf").write_bytes(whole[:2000])
    lines = veracite("models", "list").out.splitlines()
    (sound,) = (line for line in lines if "whole-F32" in line)
    assert sound.startswith("  lm-studio/whole-F32  generator  F32  ")
    (broken,) = (line for line in lines if "interrupted" in line)
    assert "interrupted-  cannot be used: ~/.lmstudio/models/someone/interrupted" in broken
    assert "is damaged" in broken


def test_what_can_be_pulled_is_shown_with_its_file_hash_and_revision(veracite: Commands) -> None:
    entry = entry_of("qwen3-1.7b")
    (file,) = entry.files
    shown = veracite("models", "show", "qwen3-1.7b").out
    assert f"{file.path}  {file.size:,} bytes  sha256 {file.sha256}\n" in shown
    assert str(entry.revision) in shown
    assert "State       Not here yet\n" in shown
    facts = json.loads(veracite("models", "show", "qwen3-1.7b", "--json").out)
    assert (facts["state"], facts["files"][0]["sha256"]) == ("known", file.sha256)
    unstated = veracite("models", "show", "sup-simcse-bert-base").out.splitlines()
    assert "Licence     none stated" in unstated
