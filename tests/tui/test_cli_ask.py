"""``veracite ask``: an answer from the documents, on the bundled models."""

import json
import re
import signal
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
import tiny_gguf
from command_line import Commands, Interrupt
from mill import TRUE
from reports import valid

from veracite.engine.events import Began, Event, Searched, Settled
from veracite.engine.methods.catalogue import METHODS
from veracite.engine.report.answers import NO_ANSWER
from veracite.models import generator
from veracite.models.llama import Logits, Model

ASKED = "When did the Harrow mill burn down?"
NOWHERE = "What does the mayor of Lisbon collect?"
PAIR = "retrieve-read,closed-book"


def test_an_answer_ends_in_the_quotes_that_it_rests_on(kept: Commands) -> None:
    ran = kept("ask", *ASKED.split(), "--against", kept.documents)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{ASKED}\n\n{TRUE} [1]\n")
    assert re.search(
        rf"\[1\] documents/mill\.md, characters \d+-\d+\n    “{re.escape(TRUE)}”\n", ran.out
    )
    assert "answers the question" in ran.out


def test_no_answer_is_said_beside_what_stands_nearest(kept: Commands) -> None:
    ran = kept.ask(NOWHERE)
    assert (ran.code, ran.err) == (1, "")
    assert "No answer was found in the documents." in ran.out
    assert re.search(r"Nearest to the question in the documents:\ndocuments/\S+, char", ran.out)
    assert kept.ask(NOWHERE, "--fail-on", "none").code == 0


def test_the_report_names_the_method_and_its_settings(veracite: Commands, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(
        '[ask]\nmethod = "retrieve-read"\n[retrieve-read]\nk = 2\n'
    )
    trace = tmp_path / "trace.jsonl"
    options = ("--json", "--set", "retrieval=lexical")
    ran = veracite.ask("-", *options, "--trace", trace, stdin=f"{ASKED}\n".encode())
    made = valid(ran.out)
    assert (made["question"], made["method"], made["complete"]) == (ASKED, "retrieve-read", True)
    assert made["settings"]["retrieve-read.k"] == 2
    assert made["settings"]["retrieve-read.retrieval"] == "lexical"
    assert made["answer"]["sentences"][0]["supported_by"] == [1]
    told = [json.loads(line).get("event") for line in trace.read_text().splitlines()]
    own_events = ["Began", "Searched", "Settled"]
    assert [name for name in told if name in own_events] == own_events
    assert veracite.ask(ASKED, *options).out == ran.out


def test_the_methods_are_listed_with_their_settings_and_presets(kept: Commands) -> None:
    ran = kept("ask", "--list-methods")
    assert (ran.code, ran.err) == (0, "")
    for method in METHODS:
        assert re.search(rf"(?m)^{method.name}  +\S", ran.out)
        one = kept("ask", "--list-methods", "--method", method.name).out
        made = json.loads(kept("ask", "--list-methods", "-m", method.name, "--json").out)
        (facts,) = made["methods"]
        assert {setting["name"] for setting in facts["settings"]} == set(
            re.findall(r"(?m)^  (\w+) = ", one)
        )
        assert [name for name in (*method.presets, *facts["presets"]) if name not in one] == []


@pytest.mark.parametrize("kind", ["text", "json", "md", "html"])
def test_interrupted_before_anything_is_verified_nothing_else_is_told(
    veracite: Commands, interrupt: Interrupt, kind: str
) -> None:
    question, at = (ASKED, Searched) if kind in ("text", "md") else (NOWHERE, Settled)
    interrupt(lambda event: isinstance(event, at))
    ran = veracite.ask(question, "--format", kind)
    assert (ran.code, ran.out, ran.err) == (130, "", "Interrupted before anything was verified.\n")


def test_interrupted_what_was_verified_is_told(veracite: Commands, interrupt: Interrupt) -> None:
    interrupt(lambda event: isinstance(event, Settled))
    ran = veracite.ask(ASKED)
    assert (ran.code, ran.err) == (130, "")
    assert f"{TRUE} [1]\n" in ran.out
    assert "Interrupted: this is what was verified until then." in ran.out
    made = valid(veracite.ask(ASKED, "--json").out)
    assert made["complete"] is False


def test_the_second_interrupt_ends_at_once(veracite: Commands, interrupt: Interrupt) -> None:
    interrupt(lambda event: isinstance(event, Settled), times=2)
    ran = veracite.ask(ASKED)
    assert (ran.code, ran.out) == (130, "")


GERMAN = "Wie heißt denn der Bürgermeister der schönen Stadt Lissabon?"
UNREAD = "The question is in German, which the bundled models do not read"


def test_a_question_in_another_language_is_said_to_be_so_before_the_answer(kept: Commands) -> None:
    for kind in ("text", "md", "html"):
        told = kept.ask(GERMAN, "--format", kind).out
        assert told.count(UNREAD) == 1
        assert told.index(UNREAD) < told.index(NO_ANSWER)
    (note, *_) = valid(kept.ask(GERMAN, "--json").out)["notes"]
    assert note.startswith(UNREAD)
    pair = kept.ask(GERMAN, "--compare", PAIR).out
    assert pair.count("The question is in") == 1


def test_what_a_language_model_writes_is_judged(veracite: Commands, tmp_path: Path) -> None:
    model = tiny_gguf.make(tmp_path / "tiny.gguf", context=2048)
    veracite.environ["VERACITE_THREADS"] = "1"
    common = (ASKED, "--model", model, "--fail-on", "none", "--json")
    made = valid(veracite.ask(*common, "--judge", "bundled").out)
    assert any(name.startswith("tiny@") for name in made["models"])
    assert not any("tiny@" in claim["judge"] for claim in made["claims"])
    for skills, wrote in ((("--skills", "extractive"), False), ((), True)):
        ran = veracite.ask(*common, "--compare", "retrieve-read", *skills)
        (told,) = json.loads(ran.out)["methods"]
        assert (told["cost"]["calls"] > 0, told["cost"]["generated"] > 0) == (wrote, wrote)
        assert told["report"]["answer"]["text"].startswith(TRUE) != wrote


def test_ctrl_c_while_a_prompt_is_read_stops_it_and_ends_in_a_sentence(
    veracite: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny_gguf.make(tmp_path / "tiny.gguf", context=2048)
    monkeypatch.setattr(generator, "_CHUNK", 8)
    decode, cancel, read = Model.decode, generator.Generator.cancel, list[int]()
    is_told = threading.Event()

    def interrupted(self: Model, tokens: Sequence[int], *where: int) -> Logits:
        read.append(len(tokens))
        if len(read) == 3:
            signal.raise_signal(signal.SIGINT)
            assert is_told.wait(300)  # another thread tells the model
        return decode(self, tokens, *where)

    def cancelled(self: generator.Generator) -> None:
        cancel(self)
        is_told.set()

    monkeypatch.setattr(Model, "decode", interrupted)
    monkeypatch.setattr(generator.Generator, "cancel", cancelled)
    ran = veracite.ask(ASKED, "--model", model)
    assert (ran.code, read) == (130, [8, 8, 8])
    assert ran.err.splitlines()[-1].startswith("Interrupted")


def test_methods_stand_below_each_other_with_what_they_cost(kept: Commands) -> None:
    ran = kept.ask(ASKED, "--compare", f"{PAIR},retrieve-read")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines.count(f"{TRUE} [1]") == 2
    assert lines.index("retrieve-read") < lines.index("closed-book")
    sources = [line for line in lines if re.match(r"\[\d+\] documents/", line)]
    assert [source[:4] for source in sources] == [f"[{n}] " for n in range(1, len(sources) + 1)]
    assert ran.out.count(f"“{TRUE}”") == 1, "a quote that both rest on"
    figures = {name: cells for name, *cells in (re.split(" {2,}", line) for line in lines)}
    assert figures["searches to write"] == ["1", "0"]
    assert "model calls" not in figures  # no method has a language model
    assert "documents read" in lines[-1]


def test_interrupted_after_a_method_it_is_told(kept: Commands, interrupt: Interrupt) -> None:
    seen: list[Event] = []

    def second(event: Event) -> bool:
        seen.append(event)
        return isinstance(event, Began) and event.method == "closed-book"

    interrupt(second)
    ran = kept.ask(ASKED, "--compare", f"{PAIR},vtg", "--json")
    assert second(seen[-1]), "nothing happens after the signal"
    made = json.loads(ran.out)
    assert ran.code == 130
    assert made["complete"] is False
    assert [one["method"] for one in made["methods"]] == ["retrieve-read"]
    assert made["methods"][0]["report"]["complete"] is True
    told = kept.ask(ASKED, "--compare", PAIR)
    assert told.code == 130
    assert "Interrupted before every method had finished." in told.out


def test_a_question_with_a_registration_is_answered_from_its_report_or_refused(
    veracite: Commands, tmp_path: Path
) -> None:
    causes = {f"N{number}Q": "ice on the wings that nobody had seen" for number in range(300, 420)}
    causes |= {
        "N461TC": "the pilot's improper recovery from a bounced landing",
        "N3070A": "the pilot's failure to see a fence beside the runway",
    }
    for mark, cause in causes.items():
        (tmp_path / f"{mark[1:]}.md").write_text(
            f"# Accident report\n\n## The aircraft\n\n{mark} was registered in 1999.\n\n"
            f"## The cause\n\nThe cause of the accident was {cause}.\n"
        )
    for mark, own in (("N461TC", causes["N461TC"]), ("N3070A", causes["N3070A"]), ("N999XY", None)):
        question = f"What was the cause of the accident of {mark}?"
        ran = veracite("ask", question, "--against", tmp_path, "--json")
        made = json.loads(ran.out)
        told = {one for one in causes.values() if one in made["answer"]["text"]}
        assert told == ({own} if own else set())
        assert bool(made["nearest"]) == (own is None)


def test_a_comparison_of_two_things_quotes_what_stands_on_each(
    veracite: Commands, tmp_path: Path
) -> None:
    (tmp_path / "tarn.txt").write_text("The town gave a feast. Tarn Gate was opened in 1866.")
    for number in range(8):
        told = f"Hale Mill is the {number + 2}nd oldest of those of which the guide tells."
        (tmp_path / f"{number}.txt").write_text(f"{told} Hale Mill was opened in 1860.")
    asked = "Which is older, Hale Mill or"
    both = veracite("ask", f"{asked} Tarn Gate?", "--against", tmp_path, "--json")
    answer = json.loads(both.out)["answer"]["text"]
    assert "Hale Mill was opened in 1860" in answer
    assert "Tarn Gate was opened in 1866" in answer
    half = json.loads(veracite("ask", f"{asked} Loch Bay?", "--against", tmp_path, "--json").out)
    assert half["answer"]["unanswered"] == ["Which is older, Loch Bay?"]


def test_a_part_of_the_question_without_an_answer_makes_the_exit_code_1(
    veracite: Commands, tmp_path: Path
) -> None:
    (tmp_path / "gate.txt").write_text("The Fennel Gate was painted by Ada Roe in 1871.")
    asked = "Who painted the Fennel Gate"
    assert veracite("ask", f"{asked}?", "--against", tmp_path).code == 0
    half = f"{asked}, and how long is the Loch Bay bridge?"
    assert veracite("ask", half, "--against", tmp_path).code == 1
    assert veracite("ask", half, "--against", tmp_path, "--fail-on", "none").code == 0
