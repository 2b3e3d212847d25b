"""Which method answers and with which settings: command line > config file > the paper's."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from veracite.engine import settings
from veracite.engine.errors import SettingsError
from veracite.engine.methods.catalogue import BEST, METHODS, configured, default_method
from veracite.engine.paths import Paths

BOTH = ("llatrieval", "retrieve-read")
"""Two that have a k."""


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
    both = configured(BOTH, config, presets, sets)
    return [(one.settings.k, one.settings.retrieval) for one in both]


FILE = '[llatrieval]\npreset = "eli5-table5"\nk = 7\n[retrieve-read]\nk = 8\n'


@pytest.mark.parametrize(
    ("text", "presets", "sets", "expected"),
    [
        ("", (), (), [(5, "hybrid"), (5, "hybrid")]),
        (FILE, (), (), [(7, "lexical"), (8, "hybrid")]),
        (FILE, (), ("k=9",), [(9, "lexical"), (9, "hybrid")]),
        (FILE, (), ("retrieve-read.k=9",), [(7, "lexical"), (9, "hybrid")]),
        (FILE, ("llatrieval.table8-k3",), (), [(3, "dense"), (8, "hybrid")]),
        (FILE, ("llatrieval.table8-k3",), ("k=1", "k=2"), [(2, "dense"), (2, "hybrid")]),
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
        ((), ("retreival=dense",), "There is no setting of this method", "mean retrieval?"),
        ((), ("k=0",), "k is 0, which is not between 1 and 20.", "nearest valid value is 1"),
        ((), ("k=two",), "k is 'two'.", "Give a whole number (the default is 5)."),
        (("table8k3",), (), "no preset of llatrieval named 'table8k3'.", "mean table8-k3?"),
        ((), ("vtg.k=3",), "vtg.k belongs to the method vtg, which is not used here.", "--compare"),
    ],
)
def test_what_cannot_be_set_is_said(
    tmp_path: Path, presets: Sequence[str], sets: Sequence[str], message: str, advice: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        values(load(tmp_path, ""), presets, sets)
    assert message in raised.value.message
    assert advice in raised.value.advice


def test_the_config_files_tables_are_checked(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"\[refeed\] of the config file .* k is 90"):
        configured(["vtg"], load(tmp_path, "[refeed]\nk = 90\n"))
    with pytest.raises(SettingsError, match=r"no table in .* named 'vgt'\. Did you mean vtg\?"):
        load(tmp_path, "[vgt]\nk = 9\n")
    with pytest.raises(SettingsError, match="vtg is a value and not a table"):
        load(tmp_path, "vtg = 3\n")


def test_every_method_has_its_table_and_every_preset_can_be_used() -> None:
    assert tuple(method.name for method in METHODS) == settings.METHOD_NAMES
    for method in METHODS:
        for name, preset in method.presets.items():
            (one,) = configured([method.name], settings.Config(), [name])
            assert asdict(one.settings).items() >= preset.items()


def test_the_method_is_the_one_that_is_set_or_of_the_preset_or_the_best(tmp_path: Path) -> None:
    config = load(tmp_path, "")
    assert default_method(config) == BEST
    assert default_method(config, ["llatrieval.table8-k3"]) == "llatrieval"
    assert default_method(config, ["table8-k3"]) == "llatrieval", "no other method has it"
    text = '[ask]\nmethod = "ceg"\n'
    assert default_method(load(tmp_path, text), ["table8-k3"]) == "ceg"
    environ = {"VERACITE_METHOD": "Refeed"}
    assert default_method(load(tmp_path, text, environ)) == "refeed"
    assert default_method(load(tmp_path, text, environ, method="vtg")) == "vtg"
    with pytest.raises(SettingsError, match="skills is 'prompt', which is not one of its values"):
        load(tmp_path, text, skills="prompt")
