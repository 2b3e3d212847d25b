"""Settings: flag > environment > config file > default, and every mistake is named."""

import json
import re
from pathlib import Path

import pytest

from veracite.engine.errors import SettingsError
from veracite.engine.methods.catalogue import configured
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings, Config, declared, load, unknown_variables
from veracite.engine.types import Label


def write(paths: Paths, text: str) -> None:
    paths.config.write_text(text, encoding="utf-8")


def test_flag_beats_environment_beats_file_beats_default(paths: Paths) -> None:
    write(paths, '[check]\nk = 3\nretrieval = "lexical"\nthreshold = 0.2\n')
    environ = {"VERACITE_K": "4", "VERACITE_RETRIEVAL": "dense"}
    found = load(paths, {"k": "5"}, environ).check
    assert (found.k, found.retrieval, found.threshold, found.markdown) == (5, "dense", 0.2, True)


SET: dict[str, object] = {
    "k": 2,
    "threshold": -0.5,
    "retrieval": "dense",
    "uncertain_below": 0.7,
    "markdown": False,
    "threads": 3,
    "model": "/models/m.gguf",
    "judge": "gguf",
    "judge_by": "reasoning",
    "joint": True,
    "screen": False,
    "gpu_layers": 0,
    "context": 4096,
    "include": ("*.pdf", "notes/"),
    "exclude": ("*.log",),
    "prefer": "newest",
    "reader_memory": 2048,
}


def test_each_setting_can_stand_in_the_file_and_in_the_environment(paths: Paths) -> None:
    assert {*SET, "calibration"} == set(declared(CheckSettings))
    expected = Config(CheckSettings(**SET), (Label.CONTRADICTED, Label.NOT_FOUND))  # type: ignore[arg-type]
    environ = {f"VERACITE_{name.upper()}": str(value).upper() for name, value in SET.items()}
    environ |= {"VERACITE_INCLUDE": "*.pdf, notes/", "VERACITE_EXCLUDE": "*.log"}
    environ |= {"VERACITE_FAIL_ON": "not-found, contradicted", "VERACITE_MODEL": "/models/m.gguf"}
    assert load(paths, {}, environ) == expected
    lines = [f"{name} = {json.dumps(value)}" for name, value in SET.items()]
    write(paths, "\n".join(["[check]", *lines, 'fail_on = ["contradicted", "not_found"]']))
    assert load(paths, {}, {}) == expected


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("k", "six", "k is 'six'. Give a whole number"),
        ("threshold", "high", "Give a number"),
        ("markdown", "maybe", "Give true or false"),
        ("k", "0", "k is 0, which is not between 1 and 50. The nearest valid value is 1"),
        ("threshold", "7", "threshold is 7.0, which is not between -1.0 and 1.0."),
        ("retrieval", "dens", "is 'dens', which is not one of its values. Did you mean dense"),
        ("fail_on", "contradictd", "there is no label named 'contradictd'. Did you mean contradi"),
    ],
)
def test_a_wrong_value_names_its_place(paths: Paths, name: str, value: str, says: str) -> None:
    flag = "-k" if name == "k" else f"--{name.replace('_', '-')}"
    variable = f"VERACITE_{name.upper()}"
    for place, flags, environ in ((flag, {name: value}, {}), (variable, {}, {variable: value})):
        with pytest.raises(SettingsError) as caught:
            load(paths, flags, environ)
        assert place in caught.value.message
        assert says in f"{caught.value.message} {caught.value.advice}".replace(place, name)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[check]\ntreshold = 0.3", r"'treshold'.*Did you mean threshold\?"),
        ("[check\nk = 1", r"cannot be read \(Expected.*line 1"),
        ("[chek]\nk = 1", "'chek'"),
        ("[check]\nk = true", "k in "),
    ],
)
def test_a_broken_config_file_is_explained(paths: Paths, text: str, says: str) -> None:
    write(paths, text)
    with pytest.raises(SettingsError, match=says) as caught:
        load(paths, {}, {})
    assert str(paths.config) in caught.value.message


def test_a_config_file_that_is_there_is_read_and_one_that_is_named_must_exist(paths: Paths) -> None:
    environ = {"VERACITE_CONFIG": str(paths.config)}
    with pytest.raises(SettingsError, match="which VERACITE_CONFIG names"):
        load(paths, {}, environ)
    paths.config.mkdir()
    with pytest.raises(SettingsError, match="cannot be read"):
        load(paths, {}, {})


def test_variables_that_mean_nothing_are_told() -> None:
    known = ("K", "FAIL_ON", "UNCERTAIN_BELOW", "CONFIG", "DATA_DIR", "CACHE_DIR", "DEBUG")
    environ = {f"VERACITE_{name}": "1" for name in known} | {"PATH": "/bin", "_VERACITE_X": "1"}
    assert unknown_variables(environ) == ()
    assert unknown_variables(environ | {"VERACITE_TRESHOLD": "1", "VERACITE_ZZ": "1"}) == (
        "The environment variable VERACITE_TRESHOLD is not known to Veracite. "
        "Did you mean VERACITE_THRESHOLD?",
        "The environment variable VERACITE_ZZ is not known to Veracite. Did you mean VERACITE_K?",
    )


ROOT = Path(__file__).resolve().parents[2]
PAGES = "\n".join(
    page.read_text("utf-8") for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
)


def test_every_variable_that_the_pages_name_is_read() -> None:
    named = set(re.findall(r"VERACITE_[A-Z_]*[A-Z]", PAGES))
    assert {"VERACITE_K", "VERACITE_CONFIG"} <= named
    assert unknown_variables(dict.fromkeys(named, "1")) == ()


def test_every_key_of_a_config_file_that_the_pages_name_is_read(paths: Paths) -> None:
    files = re.findall(r"```toml\n(.*?)```", PAGES, re.DOTALL)
    assert any("[check]" in file for file in files)
    for file in files:
        write(paths, file)
        configured(["vtg"], load(paths, {}, {}))


def test_a_model_that_is_set_judges_nothing_where_the_bundled_verifier_is_to(paths: Paths) -> None:
    environ = {"VERACITE_MODEL": "m.gguf", "VERACITE_CALIBRATION": "c"}
    assert load(paths, {"judge": "bundled"}, environ).check.judged_by == "bundled"
