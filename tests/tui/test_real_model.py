"""A real language model through check, ask, fix and every method; what it writes is up to it.

``VERACITE_TEST_MODEL`` names its GGUF file. What holds whatever it writes: the report keeps to its
schema, nothing is called supported without a quote that stands in the document as it is, and what
a method does is in the order of its paper.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Commands
from mill import write_documents
from reports import valid

from veracite.engine.methods.catalogue import METHODS

pytestmark = pytest.mark.long

BUILT = "The Bergen lighthouse was built in 1871 by the engineer Anna Berg."
CAPTAIN = "The last captain of the ferry Solveig was Ingrid Moen."
QUESTION = "Who built the Bergen lighthouse?"
BEGINNINGS = {
    "ceg": ["draft"],
    "refeed": ["draft"],
    "llatrieval": ["sufficient"],
    "vtg": ["next_claim"],
    "closed-book": ["draft"],
    "retrieve-read": ["answer_cited"],
}
"""What each method asks a model for first, of passages that are too few to choose among,"""
GOES_ON = {
    "ceg": ["revise", "answer_plain"],
    "refeed": ["answer_cited"],
    "llatrieval": ["missing_passage", "answer_cited"],
    "vtg": ["cite", "queries"],
}
"""and what it may ask for then."""
FINE = ("supported", "not_checkable")


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    lighthouse = f"{BUILT} It is 31 metres high.\n"
    ferry = f"{CAPTAIN} She founded the museum in Holm in 1970.\n"
    texts = {"lighthouse.txt": lighthouse, "ferry.txt": ferry}
    return write_documents(tmp_path / "documents", texts)


def report(out: str, documents: Path) -> dict[str, Any]:
    """A report that keeps to the schema and quotes what stands there."""
    made = valid(out)
    said = {path.name: path.read_text() for path in documents.iterdir()}
    for claim in made["claims"]:
        quotes = [quote for quote in claim["citations"] if quote["relation"] == "supports"]
        assert bool(quotes) is (claim["label"] == "supported")
        for quote in claim["citations"]:
            text = said[Path(quote["file"]).name]
            assert text[quote["start"] : quote["end"]] == quote["quote"]
    return made


def test_it_judges_a_draft(veracite: Commands, real_model: Path, documents: Path) -> None:
    draft = f"{BUILT} {CAPTAIN.replace('Ingrid Moen', 'Olaf Dahl')}"
    given = ("check", "-", "-a", documents, "--model", real_model, "--judge", "gguf", "--json")
    ran = veracite(*given, stdin=draft.encode())
    made = report(ran.out, documents)
    assert len(made["claims"]) == 2
    assert ran.code == any(claim["label"] != "supported" for claim in made["claims"])


@pytest.mark.parametrize("method", [method.name for method in METHODS])
def test_it_answers_by_every_method(
    veracite: Commands, real_model: Path, documents: Path, tmp_path_factory: Any, method: str
) -> None:
    trace = tmp_path_factory.mktemp("trace") / "trace.jsonl"
    given = ("ask", QUESTION, "-a", documents, "--model", real_model, "--method", method)
    ran = veracite(*given, "--json", "--trace", trace)
    made = report(ran.out, documents)
    assert made["question"] == QUESTION
    events = [json.loads(line) for line in trace.read_text().splitlines()]
    skills = [event["skill"] for event in events if event.get("event") == "Asked"]
    assert skills[:1] == BEGINNINGS[method]
    assert set(skills) <= {*BEGINNINGS[method], *GOES_ON.get(method, ())}
    labels = [claim["label"] for claim in made["claims"]]
    assert ran.code == (not labels or any(label not in FINE for label in labels))


def test_it_mends_what_is_wrong(veracite: Commands, real_model: Path, documents: Path) -> None:
    draft = f"{BUILT.replace('1871', '1911')} {CAPTAIN}"
    given = ("fix", "-", "-a", documents, "--model", real_model, "--json")
    ran = veracite(*given, stdin=draft.encode())
    made = valid(ran.out)
    kept = [change["text"] for change in made["fix"]["changes"] if change["kept"]]
    assert made["fix"]["text"] == (f"{kept[0]} {CAPTAIN}" if kept else draft)
