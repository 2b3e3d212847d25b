"""Attribution sets for ``attribute``: does the document that a claim is credited to support it?"""

import re
from collections.abc import Iterator

from veracite.engine.evaluation.formats.detect import passages_title
from veracite.engine.evaluation.formats.expertqa import EXPERTQA
from veracite.engine.evaluation.formats.fields import (
    digest,
    label,
    maybe_text,
    nested,
    own_id,
    plain_label,
    shape,
    source,
    strings,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Source, Statement

__all__ = ["ATTRIBUTIONS"]

_BY_CONSTRUCTION = "by construction"
_WIKIRETR_LABELS = {"1": True, "0": False, _BY_CONSTRUCTION: True}
_WICE_LABELS = {"supported": True, "partially supported": False, "not supported": False}
_ATTRIBUTABLE = {
    "attributable": True,
    "not attributable": False,
    "fully attributable": True,
    "not fully attributable": False,
    "generic": False,
}
_WICE_TITLE = "(meta data) TITLE:"
_TITLED = re.compile(r"Title: (?P<title>[^\n]+)\n+(?:Text: )?(?P<text>.+)", re.S)


def _wikiretr(row: Row, reading: Reading) -> Iterator[Statement]:
    """WikiRetr: claims that a model wrote from one passage.

    Where no human judged a claim it counts as supported, because it was written from its passage.
    """
    judged = plain_label(row.fields.get("human_eval"))
    if judged is None:
        reading.note(
            "Claims without a human label count as supported, because they were written from their "
            "passage; where people judged, they found some of them not supported."
        )
    title = maybe_text(row.fields, "title")
    yield Statement(
        id=row.place,
        group=title or row.place,
        text=text(row.fields, "claim"),
        truth=reading.truth(judged or _BY_CONSTRUCTION),
        label=judged or _BY_CONSTRUCTION,
        sources=(source(text(row.fields, "content"), passages_title(row.fields)),),
    )


def _wice(row: Row, reading: Reading) -> Iterator[Statement]:
    """WiCE: a sentence of Wikipedia, or a part of one, against the whole page that it cites."""
    meta = nested(row.fields, "meta")
    named = label(row.fields, "label")
    lines = strings(row.fields, "evidence")
    titles = (
        line.removeprefix(_WICE_TITLE).strip() for line in lines if line.startswith(_WICE_TITLE)
    )
    context = maybe_text(meta, "claim_context")
    article = maybe_text(meta, "claim_title")
    item_id = maybe_text(meta, "id") or row.place
    yield Statement(
        id=item_id,
        group=article or item_id,
        text=text(row.fields, "claim"),
        truth=reading.truth(named),
        label=named,
        sources=(source("\n".join(lines), next(titles, None)),),
        before=(context,) if context else (),
        about=article,
    )


def _attributionbench(row: Row, reading: Reading) -> Iterator[Statement]:
    named = label(row.fields, "attribution_label")
    question = maybe_text(row.fields, "question")
    item_id = own_id(row, "id")
    references = strings(row.fields, "references")
    yield Statement(
        id=item_id,
        group=digest(question) if question else item_id,
        text=text(row.fields, "claim"),
        truth=reading.truth(named),
        label=named,
        sources=tuple(_titled(reference) for reference in references if reference.strip()),
        about=question,
        part=maybe_text(row.fields, "src_dataset") or "",
    )


def _titled(reference: str) -> Source:
    match = _TITLED.fullmatch(reference)
    return source(match["text"], match["title"]) if match else source(reference)


def _begin(row: Row, reading: Reading) -> Iterator[Statement]:
    """BEGIN: a reply in a dialogue against the knowledge that it was to be based on."""
    named = label(row.fields, "begin_label")
    knowledge = text(row.fields, "knowledge")
    parts = (maybe_text(row.fields, name) for name in ("data_source", "model_name"))
    yield Statement(
        id=own_id(row, "id"),
        group=digest(knowledge),
        text=text(row.fields, "response"),
        truth=reading.truth(named),
        label=named,
        sources=(source(knowledge),),
        about=maybe_text(row.fields, "message"),
        part="/".join(part for part in parts if part),
    )


ATTRIBUTIONS = (
    Format(
        "wikiretr",
        "WikiRetr (CEG): claim, title, session, content; human_eval where people judged",
        shape("claim", "title", "session", "content"),
        by_row(_wikiretr),
        _WIKIRETR_LABELS,
    ),
    Format(
        "wice",
        "WiCE: claim, evidence (the whole page), label, meta",
        shape("claim", "evidence", "label", "meta"),
        by_row(_wice),
        _WICE_LABELS,
    ),
    Format(
        "attributionbench",
        "AttributionBench: claim, references, attribution_label",
        shape("claim", "references", "attribution_label"),
        by_row(_attributionbench),
        _ATTRIBUTABLE,
    ),
    EXPERTQA,
    Format(
        "begin",
        "BEGIN (.tsv): knowledge, response, begin_label",
        shape("knowledge", "response", "begin_label"),
        by_row(_begin),
        _ATTRIBUTABLE,
    ),
)
