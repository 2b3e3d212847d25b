"""A result survives being written as JSON; a run's record tells everything but who and where."""

import json
import math
import platform
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from veracite.engine.errors import InputError
from veracite.engine.evaluation import fingerprints
from veracite.engine.evaluation.fingerprints import code_digest, data_files
from veracite.engine.evaluation.record import (
    LIBRARIES,
    Machine,
    facts,
    identity,
    library_versions,
    record,
    this_machine,
)
from veracite.engine.evaluation.results import (
    Comparison,
    Curve,
    DataFile,
    Figure,
    MethodResult,
    Mistake,
    Part,
    Result,
    Subset,
    Unavailable,
)
from veracite.engine.evaluation.results_json import SCHEMA, as_json, from_json

RESULT = Result(
    task="attribute",
    format="tiny",
    files=(DataFile("tiny.jsonl", "ab" * 32, 120),),
    label_map={"yes": True, "partly": False, "no": False},
    items=4,
    positives=0.25,
    methods=(
        MethodResult(
            method="veracite",
            figures=(Figure("balanced accuracy", 0.75, 0.5, 1.0), Figure("ROC-AUC", None)),
            n=2,
            problems=1,
            seconds_per_item=0.03,
            threshold=0.4,
            threshold_from="first half of the groups",
            compared=(Comparison("overlap", "balanced accuracy", 0.1, -0.1, 0.3, 0.5),),
        ),
        MethodResult("overlap", (Figure("balanced accuracy", 0.65, note="of words"),), 2),
        MethodResult("always", (), 2, trivial=True),
    ),
    parts=(
        Part("thresholds", "first half of the groups", ("a", "b"), 2, 0.0),
        Part("results", "second half of the groups", ("c",), 2, 0.5),
    ),
    curves=(
        Curve("roc", "veracite", ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0)), Figure("ROC-AUC", 1.0)),
        Curve("reliability", "veracite", ((0.2, 0.1, 7.0), (0.8, None, 0.0))),
    ),
    subsets=(Subset("one", 2, None, {"veracite": Figure("balanced accuracy", 0.7)}),),
    mistakes=(Mistake("c1", "veracite", "It rained.", "no", "supported", 0.9, 0.8),),
    notes=("1 row could not be read.",),
    unavailable=(Unavailable("MAUVE", "needs a model"),),
    differences=("[0] is a wrong citation.",),
    record={"seed": 7, "settings": {"k": 6, "limit": None}, "models": ["m@1"]},
)
"""Every field is set somewhere."""


def through_json(result: Result) -> Result:
    return from_json(json.loads(json.dumps(as_json(result), allow_nan=False)))


def changed(**fields: object) -> Any:
    return {**json.loads(json.dumps(as_json(RESULT))), **fields}


def keys(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return [(key, keys(item)) for key, item in value.items()]
    return [keys(item) for item in value] if isinstance(value, list) else []


def test_a_result_comes_back_from_json_as_it_was() -> None:
    assert through_json(RESULT) == RESULT


def test_the_schema_comes_first() -> None:
    assert next(iter(as_json(RESULT).items())) == ("schema", "veracite.evaluation/1")


def test_mappings_have_one_order_however_they_were_filled() -> None:
    other = replace(
        RESULT,
        label_map=dict(reversed([*RESULT.label_map.items()])),
        record=dict(reversed([*RESULT.record.items()])),
    )
    assert json.dumps(as_json(other)) == json.dumps(as_json(RESULT))
    assert keys(as_json(other)) == keys(as_json(RESULT))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float64("nan"), None])
def test_what_is_not_finite_is_null(value: float | None) -> None:
    result = replace(RESULT, positives=value)
    assert as_json(result)["positives"] is None
    assert through_json(result).positives is None


def test_floats_have_six_decimals_and_no_negative_zero() -> None:
    half: Any = np.float32(0.5)
    three: Any = np.int64(3)
    method = MethodResult("m", (Figure("f", 0.12345678, -1e-9, half),), three)
    (written,) = as_json(replace(RESULT, methods=(method,)))["methods"]
    (figure,) = written["figures"]
    assert [figure["value"], str(figure["low"]), figure["high"]] == [0.123457, "0.0", 0.5]
    assert (written["n"], type(written["n"])) == (3, int)


def test_fields_of_a_later_version_are_passed_over() -> None:
    assert from_json(changed(later=1)) == RESULT


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], SCHEMA),
        (None, SCHEMA),
        (changed(schema="veracite.report/1"), SCHEMA),
        (changed(task="guess"), "result.task is 'guess'"),
        (changed(items="4"), "result.items is '4'"),
        (changed(items=True), "result.items is True"),
        (changed(positives="many"), "result.positives is 'many'"),
        (changed(methods={}), "result.methods is {}"),
        (changed(methods=[{"method": "m"}]), "result.methods[0] has no figures"),
        (changed(curves=[{"kind": "roc"}]), "result.curves[0] has no method"),
        (changed(label_map={"yes": 1}), "result.label_map.yes is 1"),
        (changed(files=["tiny.jsonl"]), "result.files[0] has no name"),
    ],
)
def test_what_is_no_result_is_refused_with_the_place(value: object, said: str) -> None:
    with pytest.raises(InputError) as refused:
        from_json(value)
    assert said in refused.value.message
    assert "veracite eval --json" in refused.value.advice


def test_the_base_rate_is_that_of_the_part_for_results() -> None:
    assert RESULT.base_rate == 0.5
    assert replace(RESULT, parts=()).base_rate == 0.25


def test_figures_are_found_by_name() -> None:
    assert RESULT.methods[0].figure("balanced accuracy") == Figure(
        "balanced accuracy", 0.75, 0.5, 1.0
    )
    assert RESULT.methods[0].figure("accuracy") is None


MACHINE = Machine("A CPU", 2, "x86_64", "Linux", "3.11.7")


def recorded(**changes: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "command": ["/home/ada/bin/veracite", "eval", "detect"],
        "files": [DataFile("a.json", "cd" * 32, 9)],
        "models": ["verifier@12"],
        "settings": {"k": 6},
        "seed": 7,
        "machine": MACHINE,
        "libraries": {"tantivy": "1", "numpy": None},
        "clock": lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    }
    return record(**{**given, **changes})


def test_a_record_is_a_function_of_what_it_is_given() -> None:
    assert json.dumps(recorded()) == json.dumps(recorded())
    assert recorded()["data"] == [{"name": "a.json", "sha256": "cd" * 32, "bytes": 9}]
    assert recorded()["machine"]["cpu"] == "A CPU"


def test_the_start_is_in_utc() -> None:
    east = timezone(timedelta(hours=5))
    late = recorded(clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=east))
    assert late["started"] == "2026-01-01T22:04:05Z"


def test_no_folder_is_recorded() -> None:
    made = recorded(
        command=[
            "/home/ada/bin/veracite",
            "--data",
            "/home/ada/a.json",
            "--report=/home/ada/r.html",
            "--data=~ada/c.json",
            "ada/b.json",
            "../ada/x=1.json",
            "--seed",
            "7",
        ],
        settings={"file": Path("/home/ada/d.json"), "all": ["/home/ada/e"], "in": {"f": "~ada/f"}},
        models=["/home/ada/m.gguf"],
    )
    assert "ada" not in json.dumps(made)
    assert made["command"] == (
        "veracite --data a.json --report=r.html --data=c.json b.json x=1.json --seed 7"
    )
    assert made["settings"] == {"all": ["e"], "file": "d.json", "in": {"f": "f"}}
    assert made["models"] == ["m.gguf"]


def test_names_with_a_slash_that_are_no_folders_stay() -> None:
    made = recorded(command=["--label", "no/partly=false"], models=["hub/model@1"])
    assert made["command"] == "--label no/partly=false"
    assert made["models"] == ["hub/model@1"]


def test_the_identity_is_what_predictions_depend_on() -> None:
    elsewhere = recorded(
        command=["other"],
        machine=replace(MACHINE, cpu="B"),
        clock=lambda: datetime(2027, 1, 1, tzinfo=UTC),
    )
    assert identity(elsewhere) == identity(recorded())
    for change in (
        {"seed": 8},
        {"models": ["verifier@13"]},
        {"settings": {"k": 5}},
        {"files": [DataFile("a.json", "ce" * 32, 9)]},
        {"libraries": {"tantivy": "2"}},
    ):
        assert identity(recorded(**change)) != identity(recorded())


def test_facts_are_told_in_one_order_for_people() -> None:
    told = facts(recorded(settings={"k": 6, "fast": True, "limit": None}))
    assert facts(dict(reversed(recorded().items()))) == facts(recorded())
    assert ("settings", "fast true, k 6, limit none") in told
    assert ("libraries", "numpy none, tantivy 1") in told
    assert "data" not in dict(told)
    assert facts({"further": 1, "seed": 7}) == [("seed", "7"), ("further", "1")]


def test_files_are_named_without_their_folder_and_hashed(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_bytes(b"{}")
    corpus = tmp_path / "beir"
    (corpus / "qrels").mkdir(parents=True)
    (corpus / "qrels" / "test.tsv").write_bytes(b"q\td\t1\n")
    (corpus / "corpus.jsonl").write_bytes(b"")
    (corpus / "LICENSE").write_bytes(b"free")
    assert data_files([tmp_path / "one.json", corpus]) == (
        DataFile("one.json", sha256(b"{}").hexdigest(), 2),
        DataFile("beir/corpus.jsonl", sha256(b"").hexdigest(), 0),
        DataFile("beir/qrels/test.tsv", sha256(b"q\td\t1\n").hexdigest(), 6),
    )


def test_other_code_has_another_digest_unless_it_only_shows(tmp_path: Path) -> None:
    def changed(name: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{path.read_text() if path.exists() else ''}#")
        return code_digest(tmp_path)

    seen = [changed(name) for name in (
        "engine/judging/verify.py", "engine/judging/verify.py", "engine/judging/decision.json",
        "index/readers/pdf.py", "models/onnx.py", "engine/words.py",
        "engine/evaluation/statements.py", "engine/evaluation/formats/detect.py",
    )]  # fmt: skip
    assert len({*seen}) == len(seen)
    assert changed("engine/evaluation/table.py") == seen[-1]
    assert changed("tui/app.py") == seen[-1]
    (tmp_path / "models/onnx.py").rename(tmp_path / "models/other.py")
    assert code_digest(tmp_path) not in seen


def test_the_code_that_is_looked_for_is_there() -> None:
    root = Path(fingerprints.__file__).parents[2]
    assert [p for p in fingerprints._PREDICTING if not any(root.glob(p))] == []
    assert recorded()["code"] == code_digest()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.json cannot be read"):
        data_files([tmp_path / "absent.json"])


def test_the_machine_is_told_without_its_name(tmp_path: Path) -> None:
    cpu_info = tmp_path / "cpuinfo"
    cpu_info.write_text("processor\t: 0\nmodel name\t: Some CPU: 3 GHz\nflags\t: a\n")
    machine = this_machine(cpu_info)
    assert machine.cpu == "Some CPU: 3 GHz"
    assert machine.cores >= 1
    assert machine.python == platform.python_version()
    assert this_machine(tmp_path / "absent").cpu


def test_library_versions_name_what_is_installed() -> None:
    versions = library_versions((*LIBRARIES, "no-such-library"))
    assert versions["numpy"] == np.__version__
    assert versions.pop("no-such-library") is None
    assert all(versions.values())
