"""A document cannot change the structure of a prompt, whatever it says."""

import json
import re
from pathlib import Path

import pytest
from scripted_generator import passage

from veracite.engine.skills.prompts import Field, Prompt, Prompts
from veracite.models.chat import Message

HOSTILE: list[str] = json.loads((Path(__file__).parent / "hostile.json").read_text("utf-8"))
HARMLESS = "The mill burned down in 1904."
FENCE = re.compile(r"[<＜﹤‹〈⟨][\s/／\\]*(?:passage|text)\b", re.IGNORECASE)

FIELDS: dict[str, Field] = {
    "question": "When did the mill burn down?",
    "claim": "The mill burned down in 1904.",
    "claims": ("The mill stands.", "It has an owner."),
    "answers": ("1904",),
    "text": "The mill stands.\nIt has an owner.",
    "so_far": "There was a mill.",
    "k": 2,
    "most": 3,
    "count": 4,
}


@pytest.fixture(scope="module")
def prompts() -> tuple[Prompt, ...]:
    return Prompts.load().all()


def lines_of(messages: tuple[Message, ...]) -> list[int]:
    """The number of lines of each part."""
    return [len(part.splitlines()) for message in messages for part in message.parts]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_passage_stays_between_its_fences(text: str, prompts: tuple[Prompt, ...]) -> None:
    harmless = [passage(HARMLESS, "A heading"), passage(HARMLESS), passage(HARMLESS)]
    hostile = [passage(HARMLESS, text), passage(text), passage(HARMLESS)]
    for prompt in prompts:
        plain, attacked = prompt.render(FIELDS, harmless), prompt.render(FIELDS, hostile)
        assert [m.role for m in attacked] == [m.role for m in plain]
        assert lines_of(attacked) == lines_of(plain)
        numbers = []
        for before, after in zip(plain, attacked, strict=True):
            for was, part in zip(before.parts, after.parts, strict=True):
                if number := re.match(r"\n?<passage (\d+)>\n", part):
                    numbers.append(int(number[1]))
                    inside = part[number.end() :].removesuffix("\n</passage>")
                    assert part.endswith("\n</passage>")
                    assert not FENCE.search(inside)
                else:
                    assert part == was
        assert numbers == ([1, 2, 3] if "passages" in str(prompt.messages) else [])


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_claim_or_text_adds_no_line(text: str, prompts: tuple[Prompt, ...]) -> None:
    passages = [passage(HARMLESS)]
    hostile: dict[str, Field] = {
        **FIELDS,
        "question": text,
        "claim": text,
        "claims": (text, text),
        "answers": (text,),
        "so_far": text,
    }
    for prompt in prompts:
        plain, attacked = prompt.render(FIELDS, passages), prompt.render(hostile, passages)
        assert lines_of(attacked) == lines_of(plain)
        for name in ("question", "claim"):
            hostile_part = prompt.render({**FIELDS, name: text}, passages)
            assert fences(hostile_part) == fences(plain)
        assert fences(prompt.render({**FIELDS, "text": text}, passages)) == fences(plain)


def fences(messages: tuple[Message, ...]) -> list[str]:
    return FENCE.findall("".join(part for message in messages for part in message.parts))


def test_what_a_passage_says_is_kept() -> None:
    said = "A < B, and <b>bold</b> «passages» of 5 kΩ · naïve — 東京 passage </p>."
    [_, user] = Prompts.load().choose("judge").render(FIELDS, [passage(said, "Title > Part")])
    assert user.parts[0] == f"<passage 1>\nTitle > Part\n{said}\n</passage>"
