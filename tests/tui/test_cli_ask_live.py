"""What is seen while an answer is written: the draft, and sentences as soon as they are settled."""

import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

from reports import citation, report, verdict

from veracite.engine.events import Event, Judged, Streamed
from veracite.engine.report.phrases import base_name
from veracite.engine.types import Answer, Label, Report
from veracite.tui.cli.ask_output import Answered, Display, Growing
from veracite.tui.progress import Progress

TEXT = "The mill burned. Bees hum. It rains."
VERDICTS = (
    verdict("The mill burned.", Label.SUPPORTED, citation("It burned."), source=TEXT),
    verdict("Bees hum.", Label.NOT_FOUND, citation("Hives.", "nearest", start=9), source=TEXT),
    verdict("It rains.", Label.SUPPORTED, citation("Rain fell.", start=50), source=TEXT),
)


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True

    def written(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode()


@contextmanager
def terminal() -> Iterator[Terminal]:
    """Standard output and error on a terminal of 40 columns."""
    made = Terminal(io.BytesIO(), encoding="utf-8")
    environ = {"TERM": "xterm", "NO_COLOR": "", "FORCE_COLOR": "", "COLUMNS": "40", "LINES": "24"}
    with patch.multiple(sys, stdout=made, stderr=made), patch.dict("os.environ", environ):
        yield made


def screen(written: str) -> list[str]:
    """The lines that stay on a terminal that obeys what it is told here."""
    lines, row, column = [""], 0, 0
    rest = written
    while rest:
        if rest.startswith("\x1b["):
            end = next(i for i, c in enumerate(rest) if c.isalpha())
            code, rest = rest[2 : end + 1], rest[end + 1 :]
            if code == "K":
                lines[row] = lines[row][:column]
            elif code == "J":
                lines[row:] = [lines[row][:column]]
            elif code.endswith("A"):
                row -= int(code[:-1])
                assert row >= 0
            else:
                assert code.endswith("m")
            continue
        character, rest = rest[0], rest[1:]
        if character == "\n":
            row, column = row + 1, 0
            lines += [""] * (row == len(lines))
        elif character == "\r":
            column = 0
        else:
            lines[row] = lines[row][:column] + character + lines[row][column + 1 :]
            column += 1
            assert column < 40, "a line that the terminal would break"
    return lines


def shown(events: Iterable[Event], **options: bool) -> Progress:
    ticks = iter(range(1000))
    progress = Progress(quiet=False, clock=lambda: float(next(ticks)), **options)
    for event in events:
        progress.update(event)
    return progress


def test_a_draft_is_shown_while_it_is_written_and_then_taken_away() -> None:
    with terminal() as shown_on:
        words = "The mill burned down in the year 1904 and nobody\x1b[2J rebuilt it".split()
        progress = shown((Streamed(f"{word} ") for word in words), drafts=True)
        judged = Judged(0, VERDICTS[0], False, 1, 2)
        progress.update(judged)
        assert screen(shown_on.written()) == [
            "A draft, not verified yet:",
            "  The mill burned down in the year 1904",
            "  and nobody\\x1b[2J rebuilt it",
            "judging 1/2",
        ]
        progress.update(Streamed("Anew."))
        assert screen(shown_on.written())[:2] == ["A draft, not verified yet:", "  Anew."]
        progress.clear()
        assert screen(shown_on.written()) == [""]
        progress.update(judged)
        assert screen(shown_on.written()) == ["judging 1/2"]


def test_of_a_long_draft_the_end_is_shown() -> None:
    with terminal() as shown_on:
        shown([Streamed(f"Sentence number {n} is here. ") for n in range(99)], drafts=True)
        lines = screen(shown_on.written())
        assert len(lines) < 12
        assert "98" in " ".join(lines)


def test_no_draft_is_shown_where_nobody_asks_for_it() -> None:
    with terminal() as shown_on:
        shown([Streamed("Perhaps.")])
        assert shown_on.written() == ""


def answered(count: int, **changes: object) -> Report:
    answer = replace(Answer("What burned?", TEXT, VERDICTS[:count]), **changes)  # type: ignore[arg-type]
    return replace(report(*answer.verdicts, source=TEXT), method="vtg", answer=answer)


def growing() -> Growing:
    return Growing(Display("text", None, False, False, base_name))


def test_sentences_are_written_as_they_are_settled_and_none_twice() -> None:
    with terminal() as shown_on:
        grows = growing()
        for count in (1, 2, 2):
            made = answered(count).answer
            assert made is not None
            grows.take(made)
        before = shown_on.written()
        assert "The mill burned. [1]\n" in before
        assert "? not found (93 %): Bees hum." in before
        assert "It rains." not in before
        last = answered(3, rounds=4)
        grows.finish(last)
        whole = shown_on.written()
        assert whole.startswith(before)
        Answered(last, None).show(Display("text", None, False, False, base_name))
        assert shown_on.written()[len(whole) :] == whole


def test_that_it_may_be_no_answer_is_written_above_the_sentences_and_once() -> None:
    with terminal() as shown_on:
        grows = growing()
        for count in (1, 2, 3):
            made = answered(count, probability=0.6).answer
            assert made is not None
            grows.take(made)
        before = shown_on.written()
        hedge = "Perhaps this answers the question (60 %)."
        assert 0 < before.index("Perhaps") < before.index("The mill burned.")
        last = answered(3, probability=0.6, rounds=4)
        grows.finish(last)
        whole = shown_on.written()
        assert " ".join(whole.split()).count(hedge[:30]) == 1
        Answered(last, None).show(Display("text", None, False, False, base_name))
        assert shown_on.written()[len(whole) :] == whole


def test_what_is_known_only_at_the_end_is_still_said() -> None:
    with terminal() as shown_on:
        grows = growing()
        made = answered(2, probability=0.6).answer
        assert made is not None
        grows.take(made)
        grows.finish(answered(3, probability=0.6, unanswered=("who paid?",)))
        ending = shown_on.written().partition("It rains.")[2]
        assert "Perhaps this answers the rest" in " ".join(ending.split())


def test_an_answer_that_was_changed_after_all_is_written_anew() -> None:
    with terminal() as shown_on:
        grows = growing()
        made = answered(2).answer
        assert made is not None
        grows.take(made)
        before = shown_on.written()
        grows.finish(answered(1))
        assert "The mill burned. [1]\n" in shown_on.written()[len(before) :]


def test_without_an_answer_nothing_is_written_before_the_end() -> None:
    with terminal() as shown_on:
        grows = growing()
        none = answered(0, text="")
        assert none.answer is not None
        grows.take(none.answer)
        assert shown_on.written() == ""
        grows.finish(none)
        assert "No answer was found" in shown_on.written()
