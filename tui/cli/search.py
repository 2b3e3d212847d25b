"""``veracite search``: the passages of documents that are nearest to some words."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.display import neutralise
from veracite.engine.errors import InputError
from veracite.engine.libraries import Libraries, documents
from veracite.engine.report.phrases import NameFile, counted
from veracite.index.days import changed
from veracite.index.documents import Evidence, Passage
from veracite.index.retrieval import Mode
from veracite.index.sources import chosen
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.library import opened_library, up_to_date
from veracite.tui.cli.session import Session
from veracite.tui.console import ExitCode, UsageError
from veracite.tui.service import namer

if TYPE_CHECKING:
    from veracite.index.library import Library

_SCHEMA = "veracite.search/1"
_WAYS: dict[str, Mode] = {"both": "hybrid", "words": "lexical", "meaning": "dense"}
_PLACES = 6
"""Of what says the same, so many places are shown."""
_DEEPER = 20
"""How many times as many passages are looked at, at first, where only some files are wanted."""
_SAME = 0.9
"""The share of their words that passages have in common which say nearly the same."""


@dataclass
class Hit:
    """A passage that was found, and every place of it."""

    evidence: Evidence
    words: set[str]
    places: list[Passage]
    """Those that were asked for; at least one."""


@click.command
@click.argument("words", nargs=-1)
@options.against
@click.option(
    "--by",
    "way",
    type=click.Choice([*_WAYS]),
    default="both",
    show_default=True,
    help="Rank by the words, by the meaning, or by both.",
)
@options.number("Passages that are shown, at most.")
@click.option(
    "--only",
    "globs",
    multiple=True,
    metavar="GLOB",
    help="Only files that fit, such as '*.pdf' or 'notes/*', as in .gitignore (repeatable).",
)
@click.option("--type", "types", metavar="TYPES", help="Only files of these types: pdf,docx.")
@click.option(
    "--since",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Only files that were changed on this day or later, such as 2024-12-31.",
)
@options.work
def search(
    session: Session,
    /,
    words: tuple[str, ...],
    against: tuple[str, ...],
    way: str,
    number: int,
    globs: tuple[str, ...],
    types: str | None,
    day: datetime | None,
) -> int:
    """Find the passages of documents that are nearest to WORDS.

    Titles, headings, names of files and the days on which they were changed (such as 2024-12-31)
    are searched too. What says the same in several places is shown once, with all of them. Exit
    code 0 means that something was found, 1 that nothing was.
    """
    query = " ".join(words).strip()
    if not query:
        raise UsageError("Nothing is searched for.", "Write some words after search.")
    meant = documents(against, Libraries(session.paths))
    with opened_library(session, meant) as opened:
        up_to_date(opened, session.quiet)
        if not opened.status().documents:
            raise InputError(
                "There is nothing to search: no document could be read.",
                f"See `{shlex.join(['veracite', 'library', 'status', *against])}` for the reasons.",
            )
        named = (one.strip().lstrip(".").lower() for one in (types or "").split(",") if one)
        endings, chooses = tuple(f".{one}" for one in named), chosen(globs, opened.sources)
        there = [document.path.lower() for document in opened.documents()] if types else []
        why = ""
        if types and not any(path.endswith(endings) for path in there):
            known = sorted({Path(path).suffix.lstrip(".") or "none" for path in there})
            why = f" No document is of the type {types}; those there are: {', '.join(known)}."

        def fits(passage: Passage) -> bool:
            path = passage.document.path
            is_young = day is None or changed(path) >= day.timestamp()
            return is_young and path.lower().endswith(endings or "") and chooses(path)

        wanted = number * _DEEPER if globs or types or day else number
        while True:
            found = opened.search(query, k=wanted, mode=_WAYS[way], names=way != "meaning")
            hits = _folded(opened, found, fits)[:number]
            if len(hits) == number or len(found) < wanted:
                break
            wanted *= _DEEPER
    facts = {"schema": _SCHEMA, "query": query, "by": way, "hits": [*map(_facts, hits)]}
    output.write_facts(session, facts, _lines(hits, namer(meant), why))
    return ExitCode.OK if hits else ExitCode.FINDINGS


def _folded(
    opened: "Library", found: Sequence[Evidence], fits: Callable[[Passage], bool]
) -> list[Hit]:
    """What was found, each with all the places of these or nearly the same words."""
    folded: list[Hit] = []
    for evidence in found:
        if not (places := [place for place in opened.copies(evidence.passage) if fits(place)]):
            continue
        words = set(evidence.passage.text.lower().split())
        for hit in folded:
            if len(words & hit.words) >= _SAME * len(words | hit.words):
                hit.places += places
                break
        else:
            folded.append(Hit(evidence, words, places))
    return folded


def _place(passage: Passage) -> dict[str, Any]:
    where = {"file": passage.document.path, "page": passage.page}
    return where | {"start": passage.start, "end": passage.end}


def _facts(found: Hit) -> dict[str, Any]:
    hit, passage = found.evidence, found.places[0]
    return {
        **_place(passage),
        "also": [_place(place) for place in found.places[1:]],
        "title": passage.document.title,
        "heading": passage.heading,
        "text": passage.text,
        "score": round(hit.score, 4),
        "cosine": None if hit.cosine is None else round(hit.cosine, 4),
        "bm25": None if hit.bm25 is None else round(hit.bm25, 4),
    }


def _lines(hits: Sequence[Hit], name: NameFile, why: str) -> Iterator[str]:
    look = console.Look.of(sys.stdout)
    if not hits:
        yield f"Nothing was found.{why}"
    for number, hit in enumerate(hits, start=1):
        passage = hit.places[0]
        for place in hit.places[:_PLACES]:
            page = "" if place.page is None else f", page {place.page}"
            where = f"{name(place.document.path)}{page}, characters {place.start}-{place.end}"
            mark = f"{number}. " if place is passage else "   also "
            yield from look.lines(f"{mark}{neutralise(where)}", hanging="   ")
        if (more := len(hit.places) - _PLACES) > 0:
            yield f"   and in {counted(more, 'other place')}; --json lists them"
        for text in filter(None, (passage.heading, passage.text)):
            yield from look.lines(text, indent="   ")
        yield ""
