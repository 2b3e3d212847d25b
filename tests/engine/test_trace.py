"""A trace holds everything that happened, and is read back as it was."""

import json
from typing import get_args

import pytest
from happened import EVENTS
from reports import HOSTILE, report, verdict

from veracite.engine.errors import InputError
from veracite.engine.events import Event, Finished
from veracite.engine.trace import SCHEMA, Entry, Gap, line, read
from veracite.engine.types import Label


def written(*events: Event) -> list[str]:
    """A trace with half a second from one event to the next."""
    return [line(Entry(n / 2, event), first=n == 1) for n, event in enumerate(events, start=1)]


def test_every_kind_of_event_comes_back_as_it_was() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(Event))
    lines = [json.loads(line) for line in written(*EVENTS)]
    assert [line["event"] for line in lines] == [type(event).__name__ for event in EVENTS]
    assert [line.get("schema") for line in lines] == [SCHEMA] + [None] * (len(lines) - 1)
    entries = list(read(written(*EVENTS), "the trace"))
    assert entries == [Entry(n / 2, event) for n, event in enumerate(EVENTS, start=1)]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_comes_back_and_is_harmless_in_the_file(text: str) -> None:
    event = Finished(report(verdict(text, Label.NOT_FOUND, source=text), source=text))
    (told,) = written(event)
    assert told[:-1].isprintable()
    assert list(read([told], "the trace")) == [Entry(0.5, event)]


def test_lines_that_cannot_be_read_are_gaps_and_the_rest_is_read() -> None:
    lines = written(*EVENTS)
    lines[0] = "\x00 no JSON \ufffd\n"
    lines[2] = '["no event"]\n'
    lines[3] = '{"event": "Exploded", "at": 1}\n'
    lines[5] = '{"event": "Synced", "at": 1, "documents": "many"}\n'
    lines[6] = '{"event": "Opening", "at": 1, "file": "tiny.gguf"}\n'
    lines[-1] = lines[-1][:90]
    found = list(read(lines, "the trace"))
    assert [(item.line, item.reason) for item in found if isinstance(item, Gap)] == [
        (1, "it is no JSON"),
        (3, "it is no event"),
        (4, "it is no event that this version knows"),
        (6, "Expected `int`, got `str` - at `$.documents`"),
        (7, "Object missing required field `first_time`"),
        (len(EVENTS), "it is cut off"),
    ]
    events = [item.event for item in found if isinstance(item, Entry)]
    assert events == [e for n, e in enumerate(EVENTS) if n not in (0, 2, 3, 5, 6, len(EVENTS) - 1)]


def test_what_a_later_version_adds_is_left_out() -> None:
    (told,) = written(EVENTS[0])
    later = json.dumps(json.loads(told) | {"new": [1]})
    assert list(read([later], "the trace")) == [Entry(0.5, EVENTS[0])]


@pytest.mark.parametrize(
    "lines",
    [[], ["\n"], ["%PDF-1.7\n", "\x00\ufffd\n"], ['{"schema": "veracite.report/1"}'], ["["]],
)
def test_a_file_without_a_single_event_or_of_another_version_is_no_trace(lines: list[str]) -> None:
    with pytest.raises(InputError, match=r"mine\.txt is no trace"):
        list(read(lines, "mine.txt"))
    (told,) = written(EVENTS[0])
    with pytest.raises(InputError, match=r"veracite\.trace/2"):
        list(read([told.replace(SCHEMA, "veracite.trace/2")], "mine.jsonl"))
