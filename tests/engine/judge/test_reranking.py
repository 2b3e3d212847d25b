"""A reranker that was chosen decides about the order of what a search finds, everywhere."""

from collections.abc import Iterator
from pathlib import Path

import checkpoints
import pytest
from mill import write_documents
from reports import report_of

from veracite.engine.bundles.models import import_path
from veracite.engine.events import Event, Retrieved, Searched
from veracite.engine.methods.catalogue import METHODS
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.workbench import Workbench
from veracite.index.documents import Evidence
from veracite.models.errors import ModelError
from veracite.models.reranker import Reranker, stored_reranker
from veracite.models.store import Store
from veracite.models.store.catalogue import find, use, use_none

TOWNS = ("Harrow", "Marlow", "Lisbon", "Oslo", "Turin", "Ghent", "Quito", "Lagos", "Delft", "Cork")
TEXTS = {town: f"Its mill burned down in {year}." for year, town in enumerate(TOWNS, start=1901)}
QUESTION = "When did the mill burn down?"
CLAIM = "The mill burned down in 1904."
K = 4


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    texts = {f"{town}.md": f"# {town}\n\n{text}\n" for town, text in TEXTS.items()}
    return write_documents(tmp_path / "documents", texts)


@pytest.fixture
def reranker(tmp_path: Path, paths: Paths) -> Iterator[Reranker]:
    """One that is in the store and in use."""
    checkpoints.write_reranker(tmp_path / "tiny-reranker")
    store = Store(paths.models)
    list(import_path(store, tmp_path / "tiny-reranker"))
    use(store, find(store, "tiny-reranker"))
    with_the_same_weights = stored_reranker(store.path("tiny-reranker"))
    yield with_the_same_weights
    with_the_same_weights.close()


def asked(paths: Paths, documents: Path, name: str) -> list[Event]:
    (method,) = (method for method in METHODS if method.name == name)
    with Workbench(CheckSettings(k=K), paths) as bench:
        return list(bench.ask(QUESTION, method, method.settings(k=K), against=(documents,)))


def towns(evidence: tuple[Evidence, ...]) -> list[str]:
    return [Path(item.passage.document.path).stem for item in evidence]


def scores(reranker: Reranker, query: str) -> dict[str, float]:
    """By town, the best first; headings are read, too."""
    pairs = [(query, f"{town}. {text}") for town, text in TEXTS.items()]
    found = zip(TEXTS, reranker.score(pairs).tolist(), strict=True)
    return dict(sorted(found, key=lambda one: -one[1]))


def test_an_answer_is_written_from_the_passages_that_it_puts_first(
    paths: Paths, documents: Path, reranker: Reranker
) -> None:
    events = asked(paths, documents, "retrieve-read")
    found = next(event.evidence for event in events if isinstance(event, Searched))
    expected = scores(reranker, QUESTION)
    assert towns(found) == list(expected)[:K]
    assert [item.score for item in found] == list(expected.values())[:K]
    assert [item.rank for item in found] == [1, 2, 3, 4]
    assert reranker.id in report_of(events).models
    use_none(Store(paths.models))
    events = asked(paths, documents, "retrieve-read")
    before = next(event.evidence for event in events if isinstance(event, Searched))
    assert towns(before) != towns(found)
    assert reranker.id not in report_of(events).models


def test_claims_are_judged_by_the_passages_that_it_puts_first(
    paths: Paths, documents: Path, reranker: Reranker
) -> None:
    with Workbench(CheckSettings(k=K), paths) as bench:
        events = list(bench.check(CLAIM, against=(documents,)))
    (found,) = (event.evidence for event in events if isinstance(event, Retrieved))
    assert towns(found) == list(scores(reranker, CLAIM))[:K]
    assert reranker.id in report_of(events).models


def test_one_that_is_gone_is_told(paths: Paths, documents: Path, reranker: Reranker) -> None:
    (Store(paths.models).path("tiny-reranker") / "reranker.onnx").write_bytes(b"other")
    with pytest.raises(ModelError, match="is damaged"):
        asked(paths, documents, "retrieve-read")
