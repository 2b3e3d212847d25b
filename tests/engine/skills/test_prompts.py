"""Prompt files: what ships, what a user may change, and what is wrong with a file."""

from pathlib import Path

import pytest

from veracite.engine.errors import SettingsError
from veracite.engine.skills.prompts import KINDS, Prompts

PLACE = "{passages}"
MINE = """
skill = "judge"
source = "me"
version = 3

[[message]]
role = "user"
content = "{passages} {claim} Yes?"

[options]
supported = "yes"
neutral = "no"
"""


def load(folder: Path, name: str, text: str) -> Prompts:
    (folder / name).write_text(text, encoding="utf-8")
    return Prompts.load(folder)


def test_every_skill_has_a_prompt_of_ours_and_the_papers_stand_beside_them() -> None:
    prompts = Prompts.load()
    assert {p.skill for p in prompts.all() if p.source == "Veracite"} == set(KINDS)
    papers = {p.source.split(",")[0] for p in prompts.all()} - {"Veracite"}
    assert papers == {"CEG", "REFEED", "LLatrieval", "VTG", "ALCE (Gao et al."}
    assert "Nonfactual" in str(prompts.choose("judge", ["ceg"]).messages)


def test_skills_that_read_passages_begin_alike_so_that_they_are_read_once() -> None:
    """Judging alone, which an answer does passage by passage, has instructions of its own."""
    begin = {
        tuple(part for turn in prompt.messages[:2] for part in (turn.role, turn.content))
        for prompt in Prompts.load().all()
        if prompt.source == "Veracite" and PLACE in str(prompt.messages) and prompt.skill != "judge"
    }
    assert len(begin) > 10
    assert {(first, text, role) for first, text, role, _ in begin} == {
        ("system", next(iter(begin))[1], "user")
    }
    for _, _, _, content in begin:
        assert content.strip().removeprefix("{demonstrations}").startswith(PLACE)


def test_an_id_says_name_version_and_content(tmp_path: Path) -> None:
    shipped = Prompts.load().named["judge.veracite"]
    mine = load(tmp_path, "judge.veracite.toml", MINE).named["judge.veracite"]
    assert shipped.id.startswith("judge.veracite/2@")
    assert mine.id.startswith("judge.veracite/3@")
    assert mine.file == str(tmp_path / "judge.veracite.toml")
    changed = load(tmp_path, "judge.veracite.toml", MINE.replace("Yes?", "No?"))
    assert changed.named["judge.veracite"].id.split("@")[0] == mine.id.split("@")[0]
    assert changed.named["judge.veracite"].id != mine.id


def test_a_users_file_adds_a_wording(tmp_path: Path) -> None:
    prompts = load(tmp_path, "judge.mine.toml", MINE)
    assert prompts.choose("judge", ["mine"]).words == ("yes", "no")
    assert prompts.choose("judge").name == "judge.veracite"
    assert "mine" in prompts.wordings()


def test_a_file_of_demonstrations_fills_its_place(tmp_path: Path) -> None:
    question = {"question": "When?"}
    none = Prompts.load().named["draft_short.refeed"]
    shots = "Question: Who?\nThe answer is Anna"
    some = load(tmp_path, "draft_short.refeed.demonstrations.txt", shots + "\n\n").named[none.name]
    asked = "Question: When?\nThe answer is"
    assert none.render(question)[0].parts == (asked,)
    assert some.render(question)[0].parts == (f"{shots}\n\n{asked}",)
    assert some.id != none.id


@pytest.mark.parametrize(
    ("changed", "to", "message"),
    [
        ('source = "me"', 'source = "me', "cannot be used: Illegal"),
        ("version = 3", 'version = "3"', r"Expected `int`, got `str` - at `\$.version`"),
        ('skill = "judge"', 'skill = "juge"', "unknown skill, 'juge'.*Did you mean judge"),
        ('skill = "judge"', 'skill = "cite"', "has the skill cite.*Name the file cite.WORDING"),
        ("{passages}", "", r"lacks \{passages\}"),
        ("{passages}", "{passages} {passages}", "twice"),
        ("{claim}", "{claim} {clam}", "unknown placeholder, 'clam'.*Did you mean claim"),
        ('role = "user"', 'role = "system"', "does not end with a message of the user"),
        ('neutral = "no"', 'maybe = "no"', "unknown option, 'maybe'"),
        ('neutral = "no"', 'neutral = "yes"', "at least two options"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, changed: str, to: str, message: str) -> None:
    assert changed in MINE
    with pytest.raises(SettingsError, match=message) as caught:
        load(tmp_path, "judge.mine.toml", MINE.replace(changed, to))
    assert str(tmp_path / "judge.mine.toml") in caught.value.message
    assert caught.value.advice.endswith(".")


def test_demonstrations_for_no_prompt_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="belongs to no prompt"):
        load(tmp_path, "judge.mine.demonstrations.txt", "Question: ...")
