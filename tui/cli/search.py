"""``veracite search``: the passages of documents that are nearest to some words."""

import fnmatch
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from veracite.engine.errors import InputError
from veracite.engine.libraries import Libraries
from veracite.engine.report.phrases import NameFile
from veracite.index.documents import Evidence
from veracite.index.retrieval import Mode
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.library import opened_library, up_to_date
from veracite.tui.cli.root import Session
from veracite.tui.cli.running import documents
from veracite.tui.console import ExitCode, UsageError
from veracite.tui.service import namer

_SCHEMA = "veracite.search/1"
_WAYS: dict[str, Mode] = {"both": "hybrid", "words": "lexical", "meaning": "dense"}
_DEEPER = 20
"""How many times as many passages are looked at where only some files are wanted."""


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
@click.option(
    "--number",
    "-n",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    help="Passages that are shown, at most.",
)
@click.option(
    "--only",
    "globs",
    multiple=True,
    metavar="GLOB",
    help="Only files whose name or path fits, such as '*.pdf' (repeatable).",
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
    as_json: bool,
    quiet: bool,
) -> int:
    """Find the passages of documents that are nearest to WORDS.

    Exit code 0 means that something was found, 1 that nothing was.
    """
    query = " ".join(words).strip()
    if not query:
        raise UsageError("Nothing is searched for.", "Write some words after search.")
    meant = documents(against, Libraries(session.paths))
    with opened_library(session, meant) as opened:
        up_to_date(opened, quiet)
        if not opened.status().documents:
            raise InputError(
                "There is nothing to search: no document could be read.",
                "See `veracite library status` for the reasons.",
            )
        wanted = number * _DEEPER if globs else number
        found = opened.search(query, k=wanted, mode=_WAYS[way])
    hits = [hit for hit in found if _fits(hit, globs)][:number]
    facts = {"schema": _SCHEMA, "query": query, "by": way, "hits": [*map(_facts, hits)]}
    output.write_facts(facts, as_json, _lines(hits, namer(meant)))
    return ExitCode.OK if hits else ExitCode.FINDINGS


def _fits(hit: Evidence, globs: Sequence[str]) -> bool:
    path = hit.passage.document.path
    names = (path, os.path.basename(path))
    return not globs or any(fnmatch.fnmatch(name, glob) for name in names for glob in globs)


def _facts(hit: Evidence) -> dict[str, Any]:
    passage = hit.passage
    return {
        "file": passage.document.path,
        "page": passage.page,
        "start": passage.start,
        "end": passage.end,
        "heading": passage.heading,
        "text": passage.text,
        "score": round(hit.score, 4),
        "cosine": None if hit.cosine is None else round(hit.cosine, 4),
        "bm25": None if hit.bm25 is None else round(hit.bm25, 4),
    }


def _lines(hits: Sequence[Evidence], name: NameFile) -> Iterator[str]:
    look = console.Look.of(sys.stdout)
    if not hits:
        yield "Nothing was found."
    for number, hit in enumerate(hits, start=1):
        passage = hit.passage
        page = "" if passage.page is None else f", page {passage.page}"
        file = name(passage.document.path)
        place = f"{number}. {file}{page}, characters {passage.start}-{passage.end}"
        yield from look.lines(place, hanging="   ")
        for text in filter(None, (passage.heading, passage.text)):
            yield from look.lines(text, indent="   ")
        yield ""
