"""Whatever a language model writes, every method ends, and says of nothing that it is supported
but of what the documents say."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from asking import run, tools
from scripted_generator import ScriptedGenerator

from veracite.engine.events import Asked
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.fix import FixSettings, fix
from veracite.engine.methods.running import ask
from veracite.engine.settings import METHOD_NAMES
from veracite.engine.skills.prompted import PromptedSkills
from veracite.engine.skills.prompts import Prompts
from veracite.engine.types import Label
from veracite.models.generator import Stream

BURNED = "The mill burned down in 1904."
LIBRARY = [BURNED, "Anna Berg owned the mill. She had bought it in 1889."]
REPLIES: dict[str, Callable[[str], str]] = {
    "nothing": lambda asked: "",
    "spaces": lambda asked: " \n ",
    "a thought alone": lambda asked: "<think>The mill burned, so",
    "an empty thought": lambda asked: "<think>\n\n</think>\n\n",
    "another language": lambda asked: "Die Mühle verkaufte 1911 ihr Dach. 水车在1911年卖掉了。 [1]",
    "the prompt": lambda asked: asked,
    "no end": lambda asked: "and then the mill sold its roof [1] " * 4000,
    "no sentence": lambda asked: "[1][1][1] {}]} <|im_end|> ```",
}


EMPTY = ("nothing", "spaces", "a thought alone", "an empty thought")


@dataclass
class Stubborn(ScriptedGenerator):
    """Says the same to whatever it is asked, and prefers no option."""

    says: Callable[[str], str] = str

    def stream(self, messages, *, limit, **given) -> Stream:  # type: ignore[no-untyped-def]
        written = self.says("".join(messages[-1].parts))
        self.replies = [written] * (len(self.calls) + 1)
        return (yield from super().stream(messages, limit=limit, **given))


def stubborn(kind: str) -> PromptedSkills:
    """The skills of a model that writes a reply of this kind, and prefers no option."""
    model = Stubborn(says=REPLIES[kind], preferring=lambda asked, options: [1.0] * len(options))
    return PromptedSkills(model, Prompts.load())


@pytest.mark.parametrize("preset", ["summ", "snippet", "rerank", "hyde", *METHOD_NAMES])
@pytest.mark.parametrize("kind", REPLIES)
def test_a_useless_reply_ends_in_an_answer_or_in_why_there_is_none(
    tmp_path: Path, preset: str, kind: str
) -> None:
    chosen = named(preset if preset in METHOD_NAMES else "retrieve-read")
    settings = chosen.settings(**chosen.presets.get(preset, {}))
    with tools(stubborn(kind), LIBRARY, tmp_path) as (given, _):
        asked = ask(chosen, "When did the mill burn?", given, settings, lambda: False)
        (answer, complete), _ = run(asked)
    assert complete
    assert answer
    if kind in EMPTY:
        assert answer.problem
    elif answer.problem:
        assert not answer.verdicts
    for verdict in answer.verdicts:
        claim = verdict.claim
        assert answer.text[claim.start : claim.end] == claim.text
        assert verdict.label is not Label.SUPPORTED or claim.statement in " ".join(LIBRARY)


def test_a_model_that_is_not_asked_is_not_blamed(tmp_path: Path) -> None:
    chosen = named("retrieve-read")
    with tools(stubborn("nothing"), LIBRARY, tmp_path) as (given, _):
        asked = ask(chosen, "Who flew N2698G?", given, chosen.settings(), lambda: False)
        (answer, _), events = run(asked)
    assert answer
    assert (answer.text, answer.problem) == ("", None)
    assert not any(isinstance(event, Asked) for event in events)


@pytest.mark.parametrize("kind", REPLIES)
def test_a_useless_reply_mends_nothing(tmp_path: Path, kind: str) -> None:
    text = f"Anna Berg bought the mill in 1890. {BURNED}"
    with tools(stubborn(kind), LIBRARY, tmp_path) as (given, _):
        mended, _ = run(fix(text, given, FixSettings()))
    assert mended is not None
    assert mended.complete
    assert mended.fix.text == text
    assert [change.kept for change in mended.fix.changes] == [False]
