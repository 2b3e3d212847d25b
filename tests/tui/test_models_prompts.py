"""``veracite models prompts`` shows what models are asked, and whose files take whose place."""

import json
from pathlib import Path

import pytest
from command_line import Commands


@pytest.fixture
def veracite(tmp_path: Path) -> Commands:
    return Commands(tmp_path)


def test_every_prompt_is_listed_with_who_worded_it(veracite: Commands) -> None:
    listed = veracite("models", "prompts")
    assert (listed.code, listed.err) == (0, "")
    prompts = json.loads(veracite("models", "prompts", "--json").out)["prompts"]
    assert [line.split()[0] for line in listed.out.splitlines()] == [p["id"] for p in prompts]
    by_name = {prompt["name"]: prompt for prompt in prompts}
    assert by_name["judge.veracite"]["source"] == "Veracite"
    assert by_name["judge.ceg"]["source"].startswith("CEG")
    assert "{passages}" in by_name["judge.veracite"]["messages"][-1]["content"]


def test_a_prompt_is_printed_as_a_file_that_can_take_its_place(
    veracite: Commands, tmp_path: Path
) -> None:
    ours = veracite("models", "prompts", "judge.veracite").out
    own = tmp_path / "prompts" / "judge.veracite.toml"
    own.parent.mkdir()
    own.write_text(ours.replace('source = "Veracite"', 'source = "me"'))
    assert veracite("models", "prompts", "judge.veracite").out == own.read_text()
    (shown,) = json.loads(veracite("models", "prompts", "judge.veracite", "--json").out)["prompts"]
    assert (shown["source"], shown["file"]) == ("me", str(own))
    assert veracite("models", "prompts", shown["id"]).out == own.read_text()
    assert f"me ({own})" in veracite("models", "prompts").out


def test_a_shell_can_write_it_there_itself(veracite: Commands, tmp_path: Path) -> None:
    """Before the command runs, its shell has made the file, empty."""
    listed = veracite("models", "prompts").out
    ours = veracite("models", "prompts", "judge.veracite").out
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "judge.veracite.toml").touch()
    assert veracite("models", "prompts", "judge.veracite").out == ours
    assert veracite("models", "prompts").out == listed


def test_an_unknown_prompt_and_a_broken_file_are_named(veracite: Commands, tmp_path: Path) -> None:
    ran = veracite("models", "prompts", "judge.veracit")
    assert (ran.code, ran.out) == (2, "")
    assert "Did you mean judge.veracite?" in ran.err
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "judge.mine.toml").write_text("skill = \n")
    ran = veracite("models", "prompts")
    assert (ran.code, ran.out) == (2, "")
    assert "judge.mine.toml cannot be used" in ran.err
