"""``veracite ask``: an answer from the documents, on the bundled models."""

import json
import re
import signal
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tiny_gguf
from command_line import Commands
from mill import TRUE
from reports import HOSTILE, citation, report, verdict

from veracite.engine.display import neutralise, width_of
from veracite.engine.events import Event
from veracite.engine.methods.catalogue import METHODS
from veracite.engine.methods.events import Began, Searched, Settled
from veracite.engine.report.answers import NO_ANSWER
from veracite.engine.report.phrases import base_name
from veracite.engine.types import Answer, Label, Report
from veracite.tui.console import Look
from veracite.tui.progress import Progress
from veracite.tui.text_report import render

ASKED = "When did the Harrow mill burn down?"
NOWHERE = "What does the mayor of Lisbon collect?"
PAIR = "retrieve-read,closed-book"


@pytest.fixture
def veracite(kept: Commands) -> Commands:
    """For what changes no settings; others take ``fresh`` and ``own`` documents."""
    return kept


@pytest.fixture
def documents(kept_documents: Path) -> Path:
    return kept_documents


def valid(out: str) -> dict[str, Any]:
    """The report, if it keeps to the schema."""
    made: dict[str, Any] = json.loads(out)
    schema = files("veracite.engine.report").joinpath("report-1.schema.json").read_text("utf-8")
    jsonschema.Draft202012Validator(json.loads(schema)).validate(made)
    return made


def signalling(
    monkeypatch: pytest.MonkeyPatch, at: Callable[[Event], bool], times: int = 1
) -> None:
    """Ctrl-C while such an event is shown."""
    update = Progress.update

    def updating(self: Progress, event: Any) -> None:
        update(self, event)
        for _ in range(times if at(event) else 0):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "update", updating)


def test_an_answer_ends_in_the_quotes_that_it_rests_on(veracite: Commands, documents: Path) -> None:
    ran = veracite("ask", *ASKED.split(), "--against", documents)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{ASKED}\n\n{TRUE} [1]\n")
    assert re.search(
        rf"\[1\] documents/mill\.md, characters \d+-\d+\n    “{re.escape(TRUE)}”\n", ran.out
    )
    assert "answers the question" in ran.out


def test_no_answer_is_said_beside_what_stands_nearest(veracite: Commands, documents: Path) -> None:
    ran = veracite("ask", NOWHERE, "--against", documents)
    assert (ran.code, ran.err) == (1, "")
    assert "No answer was found in the documents." in ran.out
    assert re.search(r"Nearest to the question in the documents:\ndocuments/\S+, char", ran.out)
    assert veracite("ask", NOWHERE, "-a", documents, "--fail-on", "none").code == 0


def test_the_report_names_the_method_and_its_settings(
    fresh: Commands, own: Path, tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text(
        '[ask]\nmethod = "retrieve-read"\n[retrieve-read]\nk = 2\n'
    )
    trace = tmp_path / "trace.jsonl"
    ran = fresh(
        *("ask", "-", "-a", own, "--json", "--trace", trace),
        *("--set", "retrieval=lexical"),
        stdin=f"{ASKED}\n".encode(),
    )
    made = valid(ran.out)
    assert (made["question"], made["method"], made["complete"]) == (ASKED, "retrieve-read", True)
    assert made["settings"]["retrieve-read.k"] == 2
    assert made["settings"]["retrieve-read.retrieval"] == "lexical"
    assert made["answer"]["sentences"][0]["supported_by"] == [1]
    told = [json.loads(line).get("event") for line in trace.read_text().splitlines()]
    own_events = ["Began", "Searched", "Settled"]
    assert [name for name in told if name in own_events] == own_events
    again = fresh("ask", ASKED, "-a", own, "--json", "--set", "retrieval=lexical")
    assert again.out == ran.out


@pytest.mark.parametrize(
    ("arguments", "message", "advice"),
    [
        ((), "No question is asked.", "after ask"),
        ((" ",), "The question is empty.", "Ask something."),
        (
            ("x", "--method", "retrieve"),
            "no method named 'retrieve'",
            "Did you mean retrieve-read?",
        ),
        (("x", "--set", "kk=3"), "no setting of this method named 'kk'", "Valid: k,"),
        (("x", "--set", "k=nine"), "k is 'nine'", "Give a whole number"),
        (("x", "--preset", "table-9"), "retrieve-read", "Valid:"),
        (("x", "--skills", "prompt"), "--skills is 'prompt'", "Did you mean prompted?"),
        (("x", "--skills", "prompted"), "no", "--model FILE.gguf"),
        (("x", "--compare", ","), "No method is named to compare.", "--compare"),
        (("x", "--compare", "vtg", "--method", "vtg"), "exclude each other", "--compare"),
        (("--list-methods", "--method", "retrieve"), "no method named", "Did you mean"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(
    veracite: Commands, documents: Path, arguments: tuple[str, ...], message: str, advice: str
) -> None:
    ran = veracite("ask", *arguments, "-a", documents)
    assert ran.out == ""
    assert ran.code == 2
    assert message in ran.err.splitlines()[0]
    assert advice in ran.err
    assert "Traceback" not in ran.err


def test_the_methods_are_listed_with_their_settings_and_presets(veracite: Commands) -> None:
    ran = veracite("ask", "--list-methods")
    assert (ran.code, ran.err) == (0, "")
    for method in METHODS:
        assert re.search(rf"(?m)^{method.name}  +\S", ran.out)
        one = veracite("ask", "--list-methods", "--method", method.name).out
        made = json.loads(veracite("ask", "--list-methods", "-m", method.name, "--json").out)
        (facts,) = made["methods"]
        assert {setting["name"] for setting in facts["settings"]} == set(
            re.findall(r"(?m)^  (\w+) = ", one)
        )
        assert [name for name in (*method.presets, *facts["presets"]) if name not in one] == []


@pytest.mark.parametrize("kind", ["text", "json", "md", "html"])
@pytest.mark.parametrize(("question", "at"), [(ASKED, Searched), (NOWHERE, Settled)])
def test_interrupted_before_anything_is_verified_nothing_else_is_told(
    fresh: Commands,
    own: Path,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    at: type[Event],
    kind: str,
) -> None:
    signalling(monkeypatch, lambda event: isinstance(event, at))
    ran = fresh("ask", question, "-a", own, "--format", kind)
    assert (ran.code, ran.out, ran.err) == (130, "", "Interrupted before anything was verified.\n")


def test_interrupted_what_was_verified_is_told(
    fresh: Commands, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signalling(monkeypatch, lambda event: isinstance(event, Settled))
    ran = fresh("ask", ASKED, "-a", own)
    assert (ran.code, ran.err) == (130, "")
    assert f"{TRUE} [1]\n" in ran.out
    assert "Interrupted: this is what was verified until then." in ran.out
    made = valid(fresh("ask", ASKED, "-a", own, "--json").out)
    assert made["complete"] is False


def test_the_second_interrupt_ends_at_once(
    fresh: Commands, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signalling(monkeypatch, lambda event: isinstance(event, Settled), times=2)
    ran = fresh("ask", ASKED, "-a", own)
    assert (ran.code, ran.out) == (130, "")


GERMAN = "In welchem Jahr ist die alte Mühle von Harrow denn abgebrannt?"
UNREAD = "The question is in German, which the bundled models do not read"


def test_a_question_in_another_language_is_said_to_be_so_before_the_answer(
    veracite: Commands, documents: Path
) -> None:
    for kind in ("text", "md", "html"):
        told = veracite("ask", GERMAN, "-a", documents, "--format", kind).out
        assert told.count(UNREAD) == 1
        assert told.index(UNREAD) < told.index(NO_ANSWER)
    (note, *_) = valid(veracite("ask", GERMAN, "-a", documents, "--json").out)["notes"]
    assert note.startswith(UNREAD)
    pair = veracite("ask", GERMAN, "-a", documents, "--compare", PAIR).out
    assert pair.count("The question is in") == 1


def test_a_language_model_writes_and_what_it_writes_is_judged(
    fresh: Commands, own: Path, tmp_path: Path
) -> None:
    model = tiny_gguf.make(tmp_path / "tiny.gguf", context=2048)
    fresh.environ["VERACITE_THREADS"] = "1"
    common = ("ask", ASKED, "-a", own, "--model", model, "--fail-on", "none", "--json")
    made = valid(fresh(*common, "--judge", "bundled").out)
    assert any(name.startswith("tiny@") for name in made["models"])
    assert not any("tiny@" in claim["judge"] for claim in made["claims"])
    for skills, wrote in ((("--skills", "extractive"), False), ((), True)):
        (told,) = json.loads(fresh(*common, "--compare", "retrieve-read", *skills).out)["methods"]
        assert (told["cost"]["calls"] > 0, told["cost"]["generated"] > 0) == (wrote, wrote)
        assert told["report"]["answer"]["text"].startswith(TRUE) != wrote


def test_methods_stand_below_each_other_with_what_they_cost(
    veracite: Commands, documents: Path
) -> None:
    ran = veracite("ask", ASKED, "-a", documents, "--compare", f"{PAIR},retrieve-read")
    assert (ran.code, ran.err) == (0, "")
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
    assert "documents read" in lines[-1]


def test_interrupted_between_two_methods_the_first_one_is_told(
    veracite: Commands, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Event] = []

    def second(event: Event) -> bool:
        seen.append(event)
        return isinstance(event, Began) and event.method == "closed-book"

    signalling(monkeypatch, second)
    ran = veracite("ask", ASKED, "-a", documents, "--compare", f"{PAIR},vtg", "--json")
    assert second(seen[-1]), "nothing happens after the signal"
    made = json.loads(ran.out)
    assert ran.code == 130
    assert made["complete"] is False
    assert [one["method"] for one in made["methods"]] == ["retrieve-read"]
    assert made["methods"][0]["report"]["complete"] is True
    told = veracite("ask", ASKED, "-a", documents, "--compare", PAIR)
    assert told.code == 130
    assert "Interrupted before every method had finished." in told.out


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


PLAIN = Look(colour=False, unicode=True, width=80)
TEXT = "The mill burned. It was rebuilt. Bees hum in spring."
NEAR = tuple(citation(f"Hive {n}.", "nearest", start=n, end=n + 7) for n in range(200, 203))
VERDICTS = (
    verdict("The mill burned.", Label.SUPPORTED, citation("It burned."), source=TEXT),
    verdict("It was rebuilt.", Label.CONTRADICTED, citation("No.", "contradicts"), source=TEXT),
    verdict("Bees hum in spring.", Label.NOT_FOUND, *NEAR, source=TEXT),
)


def answered(**changes: object) -> Report:
    answer = replace(Answer("What burned?", TEXT, VERDICTS), **changes)  # type: ignore[arg-type]
    return replace(report(*answer.verdicts, source=TEXT), method="vtg", answer=answer)


def test_only_what_is_supported_stands_without_a_mark() -> None:
    lines = render(answered(), PLAIN, base_name).splitlines()
    assert lines[2:6] == [
        "The mill burned. [1]",
        "✗ contradicted (93 %): It was rebuilt. (contradicted by [2])",
        "  The quoted sentence says so.",
        "? not found (93 %): Bees hum in spring. (nearest: [3])",
    ]
    assert "[1] mill.pdf, page 3, characters 120-130" in lines
    assert "    “It burned.”" in lines
    assert "3 sentences: 1 supported, 1 contradicted, 1 not found." in lines
    assert "[4] " not in "\n".join(lines)
    verbose = render(answered(), PLAIN, base_name, verbose=True)
    assert "(nearest: [3][4][5])" in verbose
    assert verbose.count("The quoted sentence says so.") == 3


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=list(HOSTILE))
def test_nothing_of_a_document_or_question_is_obeyed(hostile: str) -> None:
    quote = citation(hostile, context=hostile, file=f"/{hostile}".replace("\x00", ""))
    claim = replace(VERDICTS[0].claim, statement=hostile)
    own = replace(VERDICTS[2], claim=claim, explanation=hostile, citations=(quote,))
    made = answered(question=hostile, verdicts=(own, own), nearest=(quote,))
    written = render(made, PLAIN, base_name, verbose=True)
    assert neutralise(written, lines=True) == written


@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    look = Look(colour=False, unicode=False, width=width)
    written = render(answered(nearest=NEAR, probability=0.3), look, base_name)
    assert max(map(width_of, written.splitlines())) <= width
    assert written.isascii()
    assert "x contradicted" in written
