"""Methods with settings, as they are named."""

from dataclasses import dataclass

import pytest

from veracite.engine.errors import SettingsError
from veracite.engine.evaluation import answers as module
from veracite.engine.evaluation.answers import variants
from veracite.engine.methods.base import Method, Steps, Tools
from veracite.engine.settings import setting
from veracite.engine.types import Answer


@dataclass(frozen=True)
class Settings:
    """Of a method that does nothing."""

    k: int = setting(5, "Passages.", within=(1, 50))
    reasoning: bool = setting(False, "Think first.")


def _say_nothing(question: str, _tools: Tools, _settings: Settings) -> Steps[Answer]:
    yield from ()
    return Answer(question, "", ())


@pytest.fixture(autouse=True)
def method(monkeypatch: pytest.MonkeyPatch) -> Method:
    """A method with a preset, in the place of all others."""
    own = Method("read", "reads", Settings, _say_nothing, {"alce": {"k": 3, "reasoning": "yes"}})
    monkeypatch.setattr(module, "CATALOGUE", (own,))
    return own


def test_settings_and_presets_follow_after_colons_and_the_last_one_wins(method: Method) -> None:
    names = ("read", "read:k=2", "read:alce", "read:alce:k=9")
    found = variants(names)
    assert [one.name for one in found] == list(names)
    assert all(one.method is method for one in found)
    assert [one.settings for one in found] == [
        Settings(),
        Settings(k=2),
        Settings(k=3, reasoning=True),
        Settings(k=9, reasoning=True),
    ]


def test_each_once_and_the_plain_ones_left_out() -> None:
    assert [one.name for one in variants(("given", "read", "read"))] == ["read"]


@pytest.mark.parametrize(
    ("name", "message", "advice"),
    [
        (
            "red",
            "no method named 'red'",
            "Did you mean read? Valid: read, given, top-passage, top-sentences.",
        ),
        ("read:alse", "no preset of read named 'alse'", "Did you mean alce?"),
        ("read:K=2", "no setting of this method named 'K'", "k, reasoning"),
        ("read:k=two", "k is 'two'", "Give a whole number"),
        ("read:k=0", "k is 0", "The nearest valid value is 1."),
    ],
)
def test_what_there_is_not_is_said_with_what_there_is(name: str, message: str, advice: str) -> None:
    with pytest.raises(SettingsError, match=message) as refused:
        variants((name,))
    assert advice in refused.value.advice
