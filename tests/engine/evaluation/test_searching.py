"""Documents are found for queries in a library on disk."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from labelled import DOCUMENTS, QUERIES

from veracite.engine.evaluation.items import METHODS, Prediction, Query, Source
from veracite.engine.evaluation.predict import searched, together
from veracite.engine.models import OpenModels
from veracite.index.library import Library

LONG = " ".join(f"Hive number {n} stands beside the road to Arden." for n in range(60))
SOURCES = [*(Source(name, text) for name, text in DOCUMENTS.items()), Source("hives", LONG)]
QUERY_LIST = [Query(name, text, {relevant: 1}) for name, (text, relevant) in QUERIES.items()]


@pytest.fixture(scope="module")
def shared(
    models: OpenModels, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Library, dict[str, str]]]:
    folder = tmp_path_factory.mktemp("library")
    with ExitStack() as opened:
        *_, last = together(SOURCES, folder, models.open_encoder(), opened)
        assert isinstance(last, tuple)
        yield last


@pytest.fixture(scope="module")
def told(shared: tuple[Library, dict[str, str]]) -> dict[tuple[str, str], Prediction]:
    return {(p.item, p.method): p for p in searched(QUERY_LIST, *shared, 0)}


def test_the_relevant_document_comes_first(told: dict[tuple[str, str], Prediction]) -> None:
    assert set(told) == {(q.id, method) for q in QUERY_LIST for method in METHODS["retrieve"]}
    for name, (_, relevant) in QUERIES.items():
        assert told[name, "hybrid"].found[0] == relevant
    assert told["q1", "lexical"].found[0] == "mill"
    assert told["q3", "dense"].found[0] == "bees"


def test_a_document_stands_once_where_its_best_passage_stands(
    shared: tuple[Library, dict[str, str]],
) -> None:
    many, *_ = searched([Query("q", "hive road Arden", {})], *shared, 0)
    assert many.found[0] == "hives", "it has several passages"
    assert len({*many.found}) == len(many.found)
    assert {*many.found} <= {source.id for source in SOURCES}


def test_chance_is_drawn_from_seed_and_query(shared: tuple[Library, dict[str, str]]) -> None:
    def by_chance(seed: int) -> list[tuple[str, ...]]:
        made = searched(QUERY_LIST, *shared, seed)
        return [p.found for p in made if p.method == "random"]

    assert by_chance(0) == by_chance(0) != by_chance(1)
    assert len({*by_chance(0)}) > 1, "each query has an order of its own"
    assert all(sorted(found) == sorted(s.id for s in SOURCES) for found in by_chance(0))
