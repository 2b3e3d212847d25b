"""Which method answers and with which settings: command line > config file > the paper's."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from veracite.engine import settings
from veracite.engine.errors import SettingsError
from veracite.engine.methods import configured as module
from veracite.engine.methods.base import Method
from veracite.engine.methods.baselines import BASELINES, RetrieveReadSettings
from veracite.engine.methods.configured import configured, default_method
from veracite.engine.paths import Paths

PRESETS = {"table-1": {"k": 3}, "table-2": {"k": 4, "reasoning": True}}


@pytest.fixture(autouse=True)
def methods(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two methods with the same settings; only the first has presets."""
    first, second = (
        Method(name, "", RetrieveReadSettings, BASELINES[0].run, presets)
        for name, presets in (("first", PRESETS), ("second", {}))
    )
    monkeypatch.setattr("veracite.engine.methods.catalogue.METHODS", (first, second))
    monkeypatch.setattr(module, "METHODS", (first, second))


def load(
    tmp_path: Path, text: str, environ: dict[str, str] | None = None, **flags: object
) -> settings.Config:
    file = tmp_path / "config.toml"
    file.write_text(text)
    paths = Paths(tmp_path / "data", tmp_path / "cache", file)
    return settings.load(paths, flags, environ or {})


def values(
    config: settings.Config, presets: Sequence[str] = (), sets: Sequence[str] = ()
) -> list[tuple[Any, ...]]:
    both = configured(["first", "second"], config, presets, sets)
    return [(one.settings.k, one.settings.reasoning) for one in both]


FILE = '[first]\npreset = "table-2"\nk = 7\n[second]\nk = 8\n'


@pytest.mark.parametrize(
    ("text", "presets", "sets", "expected"),
    [
        ("", (), (), [(5, False), (5, False)]),
        (FILE, (), (), [(7, True), (8, False)]),
        (FILE, (), ("k=9",), [(9, True), (9, False)]),
        (FILE, (), ("second.k=9", "first.reasoning=no"), [(7, False), (9, False)]),
        (FILE, ("first.table-1",), (), [(3, False), (8, False)]),
        (FILE, ("first.table-1",), ("k=1", "k=2"), [(2, False), (2, False)]),
    ],
)
def test_what_is_nearer_to_the_user_counts(
    tmp_path: Path, text: str, presets: Sequence[str], sets: Sequence[str], expected: object
) -> None:
    assert values(load(tmp_path, text), presets, sets) == expected


@pytest.mark.parametrize(
    ("presets", "sets", "message", "advice"),
    [
        ((), ("k",), "--set 'k' gives no setting a value.", "NAME=VALUE"),
        ((), ("=3",), "--set '=3' gives no setting a value.", "NAME=VALUE"),
        ((), ("reasonning=on",), "There is no setting of this method named", "mean reasoning?"),
        ((), ("k=0",), "k is 0, which is not between 1 and 50.", "nearest valid value is 1"),
        (("table1",), (), "There is no preset of first named 'table1'.", "Did you mean table-1?"),
        (("second.table-1",), (), "The method second has no presets.", "--set"),
    ],
)
def test_what_cannot_be_set_is_said(
    tmp_path: Path, presets: Sequence[str], sets: Sequence[str], message: str, advice: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        values(load(tmp_path, ""), presets, sets)
    assert message in raised.value.message
    assert advice in raised.value.advice


def test_nothing_is_given_to_a_method_that_is_not_asked(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="belongs to the method second, which is not asked"):
        configured(["first"], load(tmp_path, ""), (), ["second.k=3"])


def test_the_config_files_tables_are_checked(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"\[first\] of the config file .* k is 90"):
        configured(["first"], load(tmp_path, "[first]\nk = 90\n"))
    with pytest.raises(SettingsError, match=r"no table in .* named 'fist'\. Did you mean first\?"):
        load(tmp_path, "[fist]\nk = 9\n")
    with pytest.raises(SettingsError, match="first is a value and not a table"):
        load(tmp_path, "first = 3\n")


def test_the_method_is_the_one_that_is_set_or_the_best_for_the_skills(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BEST", {"prompted": "first", "extractive": "second"})
    assert default_method(load(tmp_path, "")) == "second"
    assert default_method(load(tmp_path, "", model="m.gguf")) == "first"
    assert default_method(load(tmp_path, "", model="m.gguf", skills="extractive")) == "second"
    text = '[ask]\nmethod = "second"\nskills = "prompted"\n'
    assert default_method(load(tmp_path, text)) == "second"
    assert load(tmp_path, text).ask.skills == "prompted"
    environ = {"VERACITE_METHOD": "first", "VERACITE_SKILLS": "extractive"}
    assert default_method(load(tmp_path, text, environ)) == "first"
    assert default_method(load(tmp_path, text, environ, method="second")) == "second"
    assert settings.unknown_variables(environ) == ()
    with pytest.raises(SettingsError, match="skills is 'prompt', which is none of its values"):
        load(tmp_path, text, skills="prompt")


def test_a_preset_that_no_method_has_is_not_said_to_be_another_ones() -> None:
    with pytest.raises(SettingsError, match="There is no preset of first named 'table9'"):
        configured(["second"], settings.Config(), ["first.table9"])


def test_a_preset_of_one_method_asks_that_one(tmp_path: Path) -> None:
    config = load(tmp_path, "")
    assert default_method(config, ["first.table-1"]) == "first"
    assert default_method(config, ["table-1"]) == "first", "no other method has it"
    assert default_method(config, ["second.table-1"]) == default_method(config)
    assert default_method(load(tmp_path, "", method="second"), ["first.table-1"]) == "second"


def test_what_is_of_quotes_is_refused_where_a_language_model_writes(tmp_path: Path) -> None:
    own, model = load(tmp_path, ""), load(tmp_path, "", skills="prompted")
    (one,) = configured(["first"], own, (), ["bar=0.7"])
    assert one.settings.bar == 0.7
    for assignment in ("bar=0.7", "first.enough=0.5", "sentences=2"):
        with pytest.raises(SettingsError) as raised:
            configured(["first"], model, (), [assignment])
        assert raised.value.message.startswith(f"{assignment.partition('=')[0]} is of answers")
        assert "--skills extractive" in raised.value.advice
    (one,) = configured(["first"], model, (), ["k=3"])
    assert one.settings.k == 3
