"""Conversations are kept as they were, for their owner only."""

import os
import stat
from pathlib import Path

import pytest
from scripted import Script, citation

from veracite.engine.conversations import Asked, Conversations, Exchange
from veracite.engine.errors import InputError
from veracite.engine.events import Searched
from veracite.engine.libraries import Documents
from veracite.engine.trace import Entry, Gap
from veracite.index.documents import Document, Evidence, Passage

ASKED = Asked("What became of\nthe mill? [b]\x1b[31m", "~/papers", when="2026-01-02T03:04:05+00:00")


@pytest.fixture
def kept(tmp_path: Path) -> Conversations:
    return Conversations(tmp_path / "data" / "conversations")


def exchange(method: str = "vtg", asked: Asked = ASKED) -> Exchange:
    """What a method really yields, with a passage whose words are a quote's context."""
    quote = citation("supports")
    passage = Passage(Document(quote.file, "0" * 64, "text/1"), 0, 9, 3, None, quote.context, "p")
    found = Searched("the mill", "question", (Evidence(passage, 1, 0.5, None, 0.5),), 1)
    events = [found, *Script().ask(asked.question, None, method)]
    return Exchange(asked, (tuple(Entry(float(at), event) for at, event in enumerate(events)),))


def test_a_conversation_is_read_as_it_was_by_its_owner_alone(kept: Conversations) -> None:
    documents = Documents(sources=("/papers", "/mill [1].pdf"))
    then = Asked("And then?", "x", documents, when="2026-01-02T03:05:00+00:00")
    one, other = exchange(), exchange("ceg", then)
    compared = Exchange(ASKED, one.replies + other.replies)
    path = kept.add(one)
    assert kept.add(compared, path) == path
    assert kept.read(path) == (one, compared)
    kept.add(other, path)
    assert kept.read(path)[-1] == other
    assert documents.against == (Path("/papers"), Path("/mill [1].pdf"))
    assert [stat.S_IMODE(p.stat().st_mode) for p in (path, path.parent)] == [0o600, 0o700]


def test_the_one_added_to_last_comes_first_and_a_deleted_one_is_gone(kept: Conversations) -> None:
    assert kept.listed() == ()
    old, new = kept.add(exchange()), kept.add(exchange(asked=Asked("New?", "x", when="now")))
    os.utime(old, ns=(1, 1))
    os.utime(new, ns=(2, 2))
    assert [one.first and one.first.question for one in kept.listed()] == ["New?", ASKED.question]
    kept.delete(new)
    kept.delete(new)
    assert [one.path for one in kept.listed()] == [old]


def test_a_line_that_was_cut_off_costs_no_more_than_itself(kept: Conversations) -> None:
    path = kept.add(exchange())
    path.write_bytes(path.read_bytes()[:-20])
    kept.add(exchange(), path)
    damaged, whole = kept.read(path)
    assert damaged.replies[0][:-1] == whole.replies[0][:-1]
    assert isinstance(damaged.replies[0][-1], Gap)
    assert whole == exchange()


def test_what_is_no_conversation_is_listed_and_explained(kept: Conversations) -> None:
    path = kept.add(exchange())
    for content, reason in (
        ('{"schema": "veracite.conversation/1"', "damaged"),
        ("[1]\n", "no conversation"),
        ('{"schema": "veracite.conversation/9"}\n', "no conversation"),
    ):
        path.write_text(content)
        assert [one.first for one in kept.listed()] == [None]
        with pytest.raises(InputError, match=reason):
            kept.read(path)


def test_a_folder_that_cannot_be_made_is_explained(kept: Conversations, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file is in the way")
    with pytest.raises(InputError, match="cannot be saved"):
        kept.add(exchange())
