"""``veracite eval`` from the command line to table, JSON and page, with the real models."""

import hashlib
import json
import stat
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_line import Commands, Ran
from labelled import QUESTIONS, STATEMENTS, Rows, write_beir, write_rows
from lxml import html
from mill import write_documents

from veracite.engine import models
from veracite.engine.evaluation import predict
from veracite.engine.evaluation.items import Prediction, Result
from veracite.engine.evaluation.predict import Run
from veracite.models.encoder import Encoder
from veracite.models.verifier import Verifier


@pytest.fixture(autouse=True)
def _shared_models(encoder: Encoder, verifier: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundled models, opened once for all tests."""
    monkeypatch.setattr(models, "bundled_encoder", lambda *_, **__: encoder)
    monkeypatch.setattr(models, "bundled_verifier", lambda *_, **__: verifier)
    monkeypatch.setattr(models.OpenModels, "close", lambda _: None)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs are kept below it from one test to the next."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def veracite(home: Path) -> Commands:
    return Commands(home)


@pytest.fixture(scope="module")
def statements(home: Path) -> Path:
    return write_rows(home / "statements.jsonl", STATEMENTS)


def result_of(ran: Ran) -> Result:
    assert ran.code == 0, ran.err
    return msgspec.convert(json.loads(ran.out), Result)


def value(result: Result, method: str, figure: str) -> float | None:
    (row,) = (row for row in result.methods if row.method == method)
    found = row.figure(figure)
    assert found is not None
    return found.value


def folder_of(ran: Ran) -> Path:
    """Where the command says that the run is kept."""
    assert ran.code == 0, ran.err
    (line,) = ran.err.splitlines()
    return Path(line.removeprefix("Every prediction: ")).parent


def test_verdicts_are_right_and_the_same_again_as_table_and_page_without_a_model(
    veracite: Commands, statements: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("eval", "detect", "-d", statements)
    first = veracite(*command, "--json")
    result = result_of(first)
    assert (result.task, result.format, result.items) == ("detect", "generic", 20)
    assert [part.items for part in result.parts] == [8, 12]
    assert result.parts[1].groups == ("school", "bees", "lighthouse")
    assert (value(result, "veracite", "AUC-ROC") or 0) >= 0.9
    assert value(result, "veracite as shipped", "false supported") == 0
    assert value(result, "always true", "balanced accuracy") == 0.5
    assert result.label_map == {"true": True, "false": False}
    assert len(result.record["models"]) == 2

    def refuse(*_: object) -> None:
        raise AssertionError("a model was asked")

    monkeypatch.setattr(Encoder, "encode", refuse)
    monkeypatch.setattr(Verifier, "stream", refuse)
    page = home / "page" / "report.html"
    page.parent.mkdir()
    assert veracite(*command, "--json", "--report", page).out == first.out
    tree = html.fromstring(page.read_bytes())
    assert len(tree.xpath("//figure/img")) == 3
    assert not tree.xpath("//script")
    assert "veracite as shipped" in tree.text_content()
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert [*page.parent.iterdir()] == [page]

    table = veracite(*command)
    lines = table.out.splitlines()
    assert lines[0] == "detect on generic: 20 items, 50.0 % of them true"
    assert max(map(len, lines)) <= 80
    names = next(line for line in lines if line.startswith("Method"))
    rows = [line.partition("  ")[0] for line in lines[lines.index(names) + 1 :][:8]]
    assert rows == [row.method for row in result.methods]
    assert folder_of(table).parent == home / "data" / "evaluations"
    assert (folder_of(table) / "predictions.jsonl").exists()


@pytest.mark.parametrize(("task", "rows"), [("detect", STATEMENTS), ("answer", QUESTIONS)])
def test_an_interrupted_run_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str, rows: list[dict[str, object]]
) -> None:
    data = write_rows(tmp_path / "rows.jsonl", rows)
    command = ("eval", task, "-d", data, "--json")
    for name in ("whole", "parted"):
        (tmp_path / name).mkdir()
    whole, parted = (Commands(tmp_path / name) for name in ("whole", "parted"))
    size = max(1, len(rows) // 4)
    monkeypatch.setattr(predict, "_SIZES", {task: size})
    keep = Run.add

    def stop_at_the_second(self: Run, made: Prediction) -> None:
        items = {item for item, _ in self.done}
        if len(items) == size and made.item not in items:
            raise KeyboardInterrupt
        keep(self, made)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "add", stop_at_the_second)
        stopped = parted(*command)
    assert (stopped.code, stopped.out) == (130, "")
    (folder,) = (parted.home / "data" / "evaluations").iterdir()
    before = (folder / "predictions.jsonl").read_bytes()
    done = len({json.loads(line)["item"] for line in before.splitlines()})
    assert 0 < done < len(rows)
    assert "Interrupted. What was finished is kept" in stopped.err

    assert parted(*command).out == whole(*command).out
    after = (folder / "predictions.jsonl").read_bytes()
    assert after.startswith(before[: before.rindex(b"\n") + 1]), "what was done is not done again"


def test_other_settings_are_another_run(veracite: Commands, statements: Path) -> None:
    ways = ("", "--seed 7", "--limit 6", "-k 2", "--collection all")
    ran = (veracite("eval", "detect", "-d", statements, *way.split()) for way in ways)
    assert len({*map(folder_of, ran)}) == len(ways)


def test_a_check_can_be_passed_over(veracite: Commands, statements: Path) -> None:
    command = ("eval", "detect", "-d", statements, "--json")
    ran = veracite(*command), veracite(*command, "--without-check", "words left over")
    with_it, without_it = map(result_of, ran)
    assert value(with_it, "verifier", "AUC-ROC") == value(without_it, "verifier", "AUC-ROC")
    assert "without words left over" in without_it.record["models"][1]
    assert with_it.methods != without_it.methods
    veracite(*command, "--without-check", "word").fails(3, "There is no check named 'word'.")


def test_documents_are_retrieved_and_indexed_once_for_all_runs(
    veracite: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("eval", "retrieve", "-d", write_beir(tmp_path / "tiny"), "--json")
    first = result_of(veracite(*command, "--limit", "2"))
    asked: list[int] = []
    encode = Encoder.encode

    def count(self: Encoder, texts: Sequence[str]) -> object:
        asked.append(len(texts))
        return encode(self, texts)

    monkeypatch.setattr(Encoder, "encode", count)
    result = result_of(veracite(*command, "--seed", "9"))
    assert (first.items, result.items) == (2, 3)
    assert sum(asked) <= 2 * 3, "queries, and no document"
    assert value(result, "hybrid", "nDCG@10") == 1.0
    assert value(result, "lexical", "recall@1") == 1.0
    assert [file["name"] for file in result.record["data"]] == [
        "tiny/corpus.jsonl", "tiny/qrels/test.tsv", "tiny/queries.jsonl",
    ]  # fmt: skip


def test_methods_stand_beside_the_plain_answers(veracite: Commands, tmp_path: Path) -> None:
    data = write_rows(tmp_path / "questions.jsonl", QUESTIONS)
    named = ("-m", "retrieve-read, retrieve-read:k=2:reasoning=no")
    result = result_of(veracite("eval", "answer", "-d", data, *named, "--json"))
    rows = [row.method for row in result.methods]
    asked = ["retrieve-read", "retrieve-read:k=2:reasoning=no"]
    assert rows == [*asked, "given", "top-passage", "top-sentences"]
    assert value(result, asked[0], "support") == 1.0
    assert result.methods[0].figure("model calls") is None
    assert {(c.other, c.figure) for c in result.methods[0].compared} == {
        (other, figure) for other in rows[1:] for figure in ("STR-EM", "cited STR-EM")
    }
    for told in ("MAUVE", '"[1, 2]"'):
        assert any(told in note for note in result.notes)
    wrong = veracite("eval", "answer", "-d", data, "-m", "retrieve-red")
    wrong.fails(2, "Did you mean retrieve-read?")


ROW = '{"text": "A is B.", "label": "true", "evidence": "A is B."}\n'


@pytest.mark.parametrize(
    ("content", "arguments", "code", "message"),
    [
        (None, "", 2, "No data is named. Name the set's files with --data FILE."),
        (ROW * 4, "--label true", 2, "--label 'true' does not say"),
        (ROW * 4, "--report {}/no/r.html", 2, "no does not exist. Create it first."),
        (ROW * 4, "--report /proc/r.html", 3, "cannot be written"),
        (ROW * 4, "--report {}/r.pdf", 2, "r.pdf' does not end in .html"),
        (ROW * 4, "--limit 1", 3, "One item is too few"),
        (ROW * 4, "-m selfcheck-nli", 3, "by others that the same model wrote"),
        (ROW + "no\n", "", 3, "others. 1 left out, no JSON object (d.jsonl line 2). Give more"),
        ("", "", 3, "d.jsonl has no row that can be read. Check what the file holds."),
        (ROW[:30], "", 3, "d.jsonl is neither valid JSON"),
        (ROW.replace("true", "per haps"), "", 3, "--label 'per haps=true' (or =false)"),
    ],
)
def test_what_cannot_be_done_is_said_with_what_to_do(
    veracite: Commands, tmp_path: Path, content: str | None, arguments: str, code: int, message: str
) -> None:
    texts = {} if content is None else {"d.jsonl": content}
    data = ["-d", write_documents(tmp_path, texts) / "d.jsonl"] if texts else []
    ran = veracite("eval", "detect", *data, *arguments.format(tmp_path).split())
    ran.fails(code, "Error: ", message)
    assert len(ran.err.splitlines()) == 2


def test_a_report_does_not_overwrite_the_data(veracite: Commands, tmp_path: Path) -> None:
    data = write_documents(tmp_path, {"d.html": ROW * 4}) / "d.html"
    ran = veracite("eval", "detect", "-d", data, "--report", data)
    assert (ran.code, data.read_text()) == (2, ROW * 4)
    assert "would overwrite" in ran.err


def test_several_files_may_follow_one_flag(veracite: Commands, tmp_path: Path) -> None:
    texts = {f"{name}.jsonl": ROW.replace("A", name) * 2 for name in ("X", "Y")}
    one, two = map(write_documents(tmp_path, texts).joinpath, texts)
    for named in (("--data", one, "--data", two), ("--data", one, two)):
        result = result_of(veracite("eval", "detect", *named, "--json"))
        assert [file["name"] for file in result.record["data"]] == ["X.jsonl", "Y.jsonl"]
        assert result.items == 4


def test_questions_that_nothing_can_answer_are_refused(veracite: Commands, tmp_path: Path) -> None:
    rows = [{"question": f"Who led school {n}?", "answer": ["Voss"]} for n in range(3)]
    ran = veracite("eval", "answer", "-d", write_rows(tmp_path / "bare.jsonl", rows))
    ran.fails(3, "none of the questions comes with", "Give a set that brings passages, or")


def test_without_the_extra_it_says_what_to_type(
    veracite: Commands, statements: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("veracite.tui.cli.evaluate"), "find_spec", lambda name: None)
    for task in ("detect", "answer", "calibrate"):
        veracite("eval", task, "-d", statements).fails(2, "with: pip install 'veracite[eval]'")
        assert veracite("eval", task, "--help").code == 0


# ``veracite eval calibrate``, and ``veracite check`` with what it wrote

TOWNS = """Arden Belford Corwen Dalby Elstow Farnley Garth Hexley Ilford Jarrow Kelby Larne Marden
Norby Oxley Pelham Quorn Ripley Selby Tarrant Upton Varden Welby Yarrow""".split()


def towns() -> list[Mapping[str, object]]:
    """Two texts for each town, one of whose years is wrong."""
    return [
        {
            "text": f"The town hall of {town} was built in {built + wrong}.",
            "label": "not supported" if wrong else "supported",
            "group": town,
            "evidence": f"The town hall of {town} was built in {built} by local masons.",
        }
        for built, town in zip(range(1801, 2000, 7), TOWNS, strict=False)
        for wrong in (0, 1)
    ]


@pytest.fixture(scope="module")
def data(home: Path) -> Path:
    return write_rows(home / "towns.jsonl", towns())


@pytest.fixture(scope="module")
def calibration(home: Path, data: Path) -> Path:
    """What the command writes for these rows."""
    path = home / "towns.json"
    ran = Commands(home)("eval", "calibrate", "-d", data, "-o", path, "-q")
    assert (ran.code, ran.err) == (0, "")
    return path


def check(veracite: Commands, *options: object) -> dict[str, Any]:
    """Of a sentence that a document says in more words, and of a wrong one."""
    fact = {"mill.txt": "The mill at Sutton was built in 1850 by local masons.\n"}
    folder = write_documents(veracite.home / "documents", fact)
    text = b"The mill at Sutton was built in 1850. The mill at Sutton was built in 1851."
    ran = veracite("check", "-", "-a", folder, "--json", *options, stdin=text)
    made: dict[str, Any] = json.loads(ran.out)
    return made


def test_the_same_rows_fit_the_same(veracite: Commands, data: Path, calibration: Path) -> None:
    held = json.loads(calibration.read_text())
    assert held["schema"] == "veracite.calibration/1"
    assert (held["rows"], held["held_out"]["rows"]) == (48, 24)
    assert held["supported_from"] == 0.5
    assert [file["name"] for file in held["record"]["data"]] == ["towns.jsonl"]
    assert str(calibration.parent) not in calibration.read_text()
    assert stat.S_IMODE(calibration.stat().st_mode) == 0o600
    printed = json.loads(veracite("eval", "calibrate", "-d", data, "--json", "-q").out)
    for part in ("calibration", "held_out"):
        assert printed[part] == held[part]
    told = veracite("eval", "calibrate", data, "-q").out
    assert told.endswith("Nothing was written; --output FILE.json keeps it.\n")


def test_a_check_obeys_a_calibration(veracite: Commands, tmp_path: Path, calibration: Path) -> None:
    held = json.loads(calibration.read_text())

    def bent(slope: float, intercept: float, least: float) -> dict[str, Any]:
        curve = {"calibration": {"slope": slope, "intercept": intercept}, "supported_from": least}
        path = tmp_path / "bent.json"
        path.write_text(json.dumps({**held, **curve}))
        return check(veracite, "--calibration", path)

    plain, flat, strict = check(veracite), bent(0.0, 1.0, 0.6), bent(1.0, 0.0, 1.0)
    assert plain["settings"]["calibration"] is None
    assert plain["claims"][0]["label"] == "supported"
    assert plain["claims"][0]["probability"] > 0.8
    for claim in flat["claims"]:
        assert claim["scores"]["supported"] == pytest.approx(0.7311, abs=1e-4)
        assert claim["probability"] == pytest.approx(0.7311, abs=1e-4)
        assert sum(claim["scores"].values()) == pytest.approx(1, abs=2e-4)
    assert len(flat["settings"]["calibration"]) == 12
    assert flat["settings"]["calibration"] in flat["claims"][0]["judge"]
    assert strict["claims"][0]["label"] == "uncertain", "supported only from where the file says"
    assert strict["claims"][0]["scores"] == plain["claims"][0]["scores"]
    assert strict["claims"][1] == {**plain["claims"][1], "judge": strict["claims"][1]["judge"]}
    again = check(veracite)
    assert again["claims"] == plain["claims"], "what is remembered knows its calibration"


def test_a_hopeless_calibration_is_not_written(veracite: Commands, tmp_path: Path) -> None:
    hopeless = [{**row, "evidence": row["text"], "group": str(n)} for n, row in enumerate(towns())]
    data = write_rows(tmp_path / "hopeless.jsonl", hopeless)
    output = tmp_path / "hopeless.json"
    command = ("eval", "calibrate", "-d", data, "--most-wrong", "0.01", "--limit", "46")
    ran = veracite(*command, "-o", output)
    assert ran.code == 1, ran.err
    assert "Better not use it: It tells true from false no better than chance does" in ran.out
    assert ran.out.endswith("Label more rows; --anyway writes it all the same.\n")
    assert not output.exists()
    forced = veracite(*command, "-o", output, "--anyway", "-q")
    assert forced.code == 0
    assert "Better not use it" in forced.out
    assert json.loads(output.read_text())["supported_from"] == 1.0
    assert "No threshold keeps so few wrong: nothing would be called supported." in ran.out


@pytest.mark.parametrize(
    ("rows", "options", "code", "message"),
    [
        (STATEMENTS, "", 3, "A calibration needs 10 true and 10 false rows"),
        ([{**row, "group": "same"} for row in STATEMENTS], "", 3, "All rows belong to one text"),
        (STATEMENTS, "-o /nowhere/c.json", 2, "does not exist. Create it first."),
    ],
)
def test_what_cannot_be_fitted_or_written_is_refused(
    veracite: Commands, tmp_path: Path, rows: Rows, options: str, code: int, message: str
) -> None:
    data = write_rows(tmp_path / "rows.jsonl", rows)
    veracite("eval", "calibrate", "-d", data, "-q", *options.split()).fails(code, message)


def test_what_a_calibration_does_is_measured(
    veracite: Commands, data: Path, calibration: Path, tmp_path: Path
) -> None:
    fitted = json.loads(calibration.read_text())
    levelling = {"slope": 0.0, "intercept": 0.0}
    other = tmp_path / "level.json"
    other.write_text(json.dumps({**fitted, "calibration": levelling}))
    command = ("eval", "detect", "-d", data, "--json")
    plain = result_of(veracite(*command))
    level = result_of(veracite(*command, "--calibration", other))
    assert (value(plain, "veracite", "AUC-ROC") or 0) > 0.5
    assert value(level, "veracite", "AUC-ROC") == 0.5
    assert value(level, "veracite as shipped", "false supported") == 1
    assert value(level, "verifier", "AUC-ROC") == value(plain, "verifier", "AUC-ROC")
    digest = hashlib.sha256(other.read_bytes()).hexdigest()[:12]
    settings = (plain.record["settings"], level.record["settings"])
    assert [s["calibration"] for s in settings] == [None, digest]
