"""``veracite ask --compare``: methods on one question, one below the other."""

import json
import re
from pathlib import Path

import pytest
from command_line import Commands
from ctrl_c import signalling
from mill import TRUE

from veracite.engine.events import Event
from veracite.engine.methods.events import Began

ASKED = "When did the Harrow mill burn down?"
PAIR = "retrieve-read,closed-book"


@pytest.fixture
def veracite(kept: Commands) -> Commands:
    """For what changes no settings."""
    return kept


@pytest.fixture
def documents(kept_documents: Path) -> Path:
    return kept_documents


def test_methods_stand_below_each_other_with_what_they_cost(
    veracite: Commands, documents: Path
) -> None:
    ran = veracite("ask", ASKED, "-a", documents, "--compare", f"{PAIR},retrieve-read")
    assert ran.code == 0
    assert ran.err == "The method retrieve-read is named more than once; it is run once.\n"
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines.count(f"{TRUE} [1]") == 2
    assert lines.index("retrieve-read") < lines.index("closed-book")
    sources = [line for line in lines if re.match(r"\[\d+\] documents/", line)]
    assert [source[:4] for source in sources] == [f"[{n}] " for n in range(1, len(sources) + 1)]
    assert ran.out.count(f"“{TRUE}”") == 1, "a quote that both rest on"
    figures = {line[:20].strip(): line[20:].split() for line in lines if line[20:].split()}
    assert figures["searches to write"] == ["1", "0"]
    assert "model calls" not in figures  # no method has a language model
    assert figures["sentences"][0] != "0"
    assert "documents read" in lines[-1]


def test_interrupted_between_two_methods_the_first_one_is_told(
    veracite: Commands, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Event] = []

    def second(event: Event) -> bool:
        seen.append(event)
        return isinstance(event, Began) and event.method == "closed-book"

    signalling(monkeypatch, second)
    ran = veracite("ask", ASKED, "-a", documents, "--compare", f"{PAIR},hyde", "--json")
    assert second(seen[-1]), "nothing happens after the signal"
    made = json.loads(ran.out)
    assert ran.code == 130
    assert made["complete"] is False
    assert [one["method"] for one in made["methods"]] == ["retrieve-read"]
    assert made["methods"][0]["report"]["complete"] is True
    told = veracite("ask", ASKED, "-a", documents, "--compare", PAIR)
    assert told.code == 130
    assert "Interrupted before every method had finished." in told.out


def test_one_method_without_an_answer_is_a_finding(
    veracite: Commands, documents: Path, tmp_path: Path
) -> None:
    output = tmp_path / "compared.json"
    ran = veracite("ask", "Who won?", "-a", documents, "--compare", PAIR, "-o", output)
    assert (ran.code, ran.out) == (1, "")
    assert json.loads(output.read_text())["schema"] == "veracite.comparison/1"


@pytest.mark.parametrize(
    ("suffix", "begins"), [("md", f"# {ASKED}\n"), ("html", "<!doctype html>")]
)
def test_a_comparison_is_written_to_be_kept(
    veracite: Commands, documents: Path, tmp_path: Path, suffix: str, begins: str
) -> None:
    output = tmp_path / f"compared.{suffix}"
    ran = veracite("ask", ASKED, "-a", documents, "--compare", PAIR, "-o", output)
    assert (ran.code, ran.out) == (0, "")
    written = output.read_text("utf-8")
    assert written.startswith(begins)
    assert written.index("retrieve-read") < written.index("closed-book")
    printed = veracite("ask", ASKED, "-a", documents, "--compare", PAIR, "--format", suffix)
    assert printed.out.startswith(begins)
