"""A verifier of one's own: its exam, what is fitted there, and what is refused."""

from contextlib import closing
from pathlib import Path

import exams
import numpy as np
import onnx
import pytest
from reports import report_of
from strangers import bundled_as

from veracite.engine import exam, own_verifier
from veracite.engine.events import Warned
from veracite.engine.models import OpenModels
from veracite.engine.own_verifier import Fit, fit_of
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label, Report
from veracite.engine.workbench import Workbench
from veracite.models.errors import ModelError
from veracite.models.onnx import Session
from veracite.models.store import Store, bring
from veracite.models.store.catalogue import find, use
from veracite.models.verifier import Scale

TEXT = (
    "The Harrow mill burned down in 1904. The Harrow mill burned down in 1958. Anna Berg bought "
    "the mill from her uncle. The mayor of Lisbon collects postage stamps from Peru. The mill was "
    "rebuilt. A hive holds up to 60,000 bees."
)
SETTINGS = CheckSettings(threads=1)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exam of a few items."""
    exams.shortened(monkeypatch, 5)


def brought(paths: Paths, folder: Path) -> Store:
    store = Store(paths.models)
    list(bring(store, folder))
    return store


def judging(paths: Paths, name: str, labels: str | None = None) -> Fit:
    with closing(OpenModels(SETTINGS, paths)) as models:
        *_, fit = exam.judge_by(Store(paths.models), name, models, labels)
    assert isinstance(fit, Fit)
    return fit


def checked(paths: Paths, documents: Path) -> Report:
    with Workbench(SETTINGS, paths) as bench:
        events = list(bench.check(TEXT, against=(documents,)))
    report = report_of(events)
    assert list(report.notes) == [event.message for event in events if isinstance(event, Warned)]
    return report


def test_the_bundled_network_of_a_stranger_gives_the_same_verdicts(
    paths: Paths, documents: Path, tmp_path: Path
) -> None:
    """Its numbers stand in another order, and nothing is known of its temperature."""
    before = checked(paths, documents)
    names = ("contradiction", "entailment", "neutral")
    store = brought(paths, bundled_as(tmp_path / "theirs", names, (2, 0, 1)))
    with pytest.raises(ModelError, match="takes an exam") as raised:
        use(store, find(store, "theirs"))
    assert "veracite models use theirs --as judge" in raised.value.advice
    fit = judging(paths, "theirs")
    assert fit.own.auc.estimate == pytest.approx(fit.bundled.auc.estimate, abs=0.02)
    after = checked(paths, documents)
    assert len({verdict.label for verdict in before.verdicts}) > 2
    for one, other in zip(before.verdicts, after.verdicts, strict=True):
        assert one.label is other.label
        assert [c.quote for c in one.citations[:1]] == [c.quote for c in other.citations[:1]]
        assert other.probability == pytest.approx(one.probability, abs=0.05)
        assert other.judge.startswith("theirs@")
    assert after.models[1].startswith("theirs@")
    assert ", fitted " in after.models[1]
    assert not before.notes
    assert "judged by theirs in place of the bundled verifier" in after.notes[0]


def test_an_exam_with_clear_labels_holds_until_what_it_was_fitted_to_changes(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = brought(paths, bundled_as(tmp_path / "theirs", ("LABEL_0", "LABEL_1"), (0, 1)))
    for labels in (None, "supported", "neutral,contradicted", "supported,supported", "a,b"):
        with pytest.raises(ModelError, match="LABEL_0, LABEL_1") as raised:
            judging(paths, "theirs", labels)
        assert "--labels" in raised.value.advice
    with pytest.raises(ModelError, match="no better than chance"):
        judging(paths, "theirs", "neutral,supported")
    assert store.chosen("verifier") is None
    fit = judging(paths, "theirs", "entailment,not_entailment")
    assert store.chosen("verifier") == "theirs"
    monkeypatch.setattr(exam, "items", lambda: pytest.fail("a second exam"))
    assert judging(paths, "theirs") == fit == fit_of(store.path("theirs"))
    assert fit.labels == ("supported", "neutral")
    with closing(OpenModels(SETTINGS, paths)) as models:
        pairs = [("The mill burned.", "The mill stands."), ("Bees sleep.", "Bees sleep.")]
        rows = models.open_verifier().score(pairs)
    assert (rows[:, 2] == 0).all(), "what has no number for it contradicts nothing"
    assert rows[1, 0] > rows[0, 0]
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-6)
    monkeypatch.setattr(own_verifier, "bundled_id", lambda kind: "another")
    assert fit_of(store.path("theirs")) is None
    with closing(OpenModels(SETTINGS, paths)) as models, pytest.raises(ModelError, match="no exam"):
        models.open_verifier()
    store.choose("verifier", None)
    with closing(OpenModels(SETTINGS, paths)) as models:
        assert "theirs" not in models.open_verifier().id


def test_a_number_that_tells_no_contradiction_calls_nothing_contradicted(
    paths: Paths, documents: Path, tmp_path: Path
) -> None:
    assert Label.CONTRADICTED in {v.label for v in checked(paths, documents).verdicts}
    names = ("neutral", "entailment", "contradiction")  # two of them in each other's place
    brought(paths, bundled_as(tmp_path / "theirs", names, (2, 0, 1)))
    fit = judging(paths, "theirs")
    assert "it calls none contradicted" in str(fit)
    after = {verdict.label for verdict in checked(paths, documents).verdicts}
    assert Label.SUPPORTED in after
    assert Label.CONTRADICTED not in after


def test_weights_in_a_file_beside_the_network_come_into_it(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = bundled_as(tmp_path / "theirs", ("entailment", "neutral", "contradiction"))
    network = onnx.load(folder / "model.onnx")
    onnx.save(network, folder / "model.onnx", save_as_external_data=True, location="weights")
    store = brought(paths, folder)
    (kept,) = store.path("theirs").glob("*.onnx")
    assert kept.stat().st_size > (folder / "weights").stat().st_size
    monkeypatch.chdir(folder)
    with pytest.raises(ModelError, match="cannot be loaded"):
        Session((folder / "model.onnx").read_bytes(), "theirs")


def test_a_corrected_network_takes_the_exam_again(paths: Paths, tmp_path: Path) -> None:
    names = ("neutral", "entailment", "contradiction")
    store = brought(paths, bundled_as(tmp_path / "theirs", names, (2, 0, 1)))
    wrong = judging(paths, "theirs")
    store.remove("theirs")
    right = ("contradiction", "entailment", "neutral")
    brought(paths, bundled_as(tmp_path / "again" / "theirs", right, (2, 0, 1)))
    assert fit_of(store.path("theirs")) is None
    fit = judging(paths, "theirs")
    assert fit.labels == ("contradicted", "supported", "neutral") != wrong.labels


def test_a_model_of_another_kind_is_no_judge(paths: Paths, model: Path) -> None:
    store = Store(paths.models)
    list(bring(store, model))
    with pytest.raises(ModelError, match="cannot judge in place of the bundled verifier"):
        judging(paths, "tiny")


def test_a_scale_keeps_three_probabilities() -> None:
    scale = Scale((2.0, 3.0), (1.0, 3.0))
    rows = scale.applied(np.array([[0.5, 0.2, 0.3], [0.9, 0.1, 0.0], [1.0, 0.0, 0.0]], np.float32))
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-6)
    assert (rows >= 0).all()
    assert rows[1, 2] == 0
    assert rows[1, 0] == pytest.approx(1 / (1 + np.exp(-(2 * np.log(9) + 3))), abs=1e-6)
