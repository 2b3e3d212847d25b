"""``veracite doctor`` tries what a check needs and says what to do about the rest."""

import json
import shutil
from pathlib import Path

import pytest
import tiny_gguf
from command_line import Commands

from veracite.engine import diagnosis
from veracite.models import bundled


@pytest.fixture
def veracite(tmp_path: Path) -> Commands:
    return Commands(tmp_path)


def states(out: str) -> dict[str, str]:
    return {finding["name"]: finding["state"] for finding in json.loads(out)["findings"]}


def test_on_a_sound_machine_everything_that_is_needed_works(veracite: Commands) -> None:
    ran = veracite("doctor", "--json")
    assert (ran.code, ran.err) == (0, "")
    found = states(ran.out)
    assert found.pop("llama-cpp-python") in ("ok", "optional")
    assert {"packages", "settings", "encoder", "verifier", "sentences"} <= set(found)
    assert found.pop("offline guard") == "ok"
    assert set(found.values()) == {"ok"}


def test_the_doctor_sees_variables_that_mean_nothing(veracite: Commands) -> None:
    findings = json.loads(veracite("doctor", "--json", environ={"VERACITE_KK": "2"}).out)
    settings = next(f for f in findings["findings"] if f["name"] == "settings")
    assert "VERACITE_KK is not known" in settings["detail"]


def test_a_model_that_is_set_is_asked_something(veracite: Commands, tmp_path: Path) -> None:
    model = tiny_gguf.make(tmp_path / "tiny.gguf")
    environ = {"VERACITE_MODEL": str(model), "VERACITE_THREADS": "1"}
    said = {
        f["name"]: f
        for f in json.loads(veracite("doctor", "--json", environ=environ).out)["findings"]
    }
    assert said["language model"]["state"] == "ok"
    assert said["language model"]["detail"].startswith("tiny@")
    assert "built for " in said["llama-cpp-python"]["detail"]
    model.write_bytes(model.read_bytes()[:-100])
    ran = veracite("doctor", environ=environ)
    assert ran.code == 3
    assert "broken    language model" in ran.out


def test_what_is_broken_is_named_with_what_to_do(veracite: Commands, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file is in the way")
    (tmp_path / "config.toml").write_text("[check]\ntreshold = 1\n")
    ran = veracite("doctor")
    assert ran.code == 3
    lines = ran.out.splitlines()
    assert [line.split()[1] for line in lines if line.startswith("broken")] == ["settings", "cache"]
    assert "Did you mean threshold?" in ran.out
    assert max(map(len, lines)) <= 80
    found = states(veracite("doctor", "--json").out)
    assert (found["cache folder"], found["data folder"]) == ("broken", "ok")


def test_the_self_test_needs_nothing_of_the_user_and_touches_nothing(
    veracite: Commands, tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text("[check]\nmodel = 'gone.gguf'\n")
    before = sorted(tmp_path.rglob("*"))
    ran = veracite("doctor", "--self-test", "--json")
    assert (ran.code, ran.err) == (0, "")
    found = states(ran.out)
    assert found.pop("llama-cpp-python") in ("ok", "optional")
    assert {"model files", "encoding", "judging", "checking"} <= set(found)
    assert set(found.values()) == {"ok"}
    assert sorted(tmp_path.rglob("*")) == before


def test_the_self_test_sees_damaged_models(
    veracite: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = Path(shutil.copytree(bundled.BUNDLED, tmp_path / "bundled"))
    content = bytearray((damaged / "verifier.onnx").read_bytes())
    content[-1] ^= 1
    (damaged / "verifier.onnx").write_bytes(content)
    monkeypatch.setattr(bundled, "BUNDLED", damaged)
    ran = veracite("doctor", "--self-test")
    assert ran.code == 3
    assert "broken    model files" in ran.out


def test_the_self_test_sees_wrong_verdicts(
    veracite: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "_DOCUMENT", "The Harrow mill burned down in 1911.\n")
    ran = veracite("doctor", "--self-test")
    assert ran.code == 3
    assert "broken    checking" in ran.out
    assert "contradicted, supported, not_found, which is wrong" in " ".join(ran.out.split())
