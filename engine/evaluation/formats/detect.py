"""Sets for ``detect``: sentences of generated texts, each factual or not."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    digest,
    documents,
    label,
    maybe_text,
    nested,
    objects,
    own_id,
    plain_label,
    shape,
    source,
    strings,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.generic import GENERIC
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Item, Source, Statement

__all__ = ["DETECT", "passages_title"]

_PROMPT = "This is a passage from Wikipedia about "
_WIKIBIO_LABELS = {"accurate": True, "minor inaccurate": False, "major inaccurate": False}
_TRUE_FALSE = {"true": True, "false": False}
_Key = tuple[str, str]


def _wikibio(row: Row, reading: Reading) -> Iterator[Statement]:
    """SelfCheckGPT's set: GPT-3's articles, sentence by sentence, and Wikipedia's."""
    said = strings(row.fields, "gpt3_sentences")
    labels = strings(row.fields, "annotation")
    if len(said) != len(labels):
        raise Fault(f"{len(said)} sentences with {len(labels)} labels")
    article = own_id(row, "wiki_bio_test_idx")
    sources = (source(text(row.fields, "wiki_bio_text")),)
    about = maybe_text(row.fields, "question", "concept")
    samples = (
        strings(row.fields, "gpt3_text_samples") if row.fields.get("gpt3_text_samples") else ()
    )
    for place, (sentence, named) in enumerate(zip(said, labels, strict=True), start=1):
        try:
            truth = reading.truth(named)
        except Fault as fault:
            reading.leave_out(row, str(fault))
            continue
        yield Statement(
            id=f"{article}.{place}",
            group=article,
            text=sentence,
            truth=truth,
            label=named,
            sources=sources,
            before=said[: place - 1],
            about=about.removeprefix(_PROMPT) if about else None,
            samples=samples,
        )


def _felm(reading: Reading) -> Iterator[Item]:
    """FELM: responses in segments, true where factual; CEG's passages where they are given."""
    found = dict(reading.beside(_found))
    given = "CEG's passages" if found else "the annotators' references"
    reading.note(f"The documents are {given}.")
    return reading.each(lambda row: _segments(row, reading, found))


def _segments(
    row: Row, reading: Reading, found: Mapping[_Key, tuple[Source, ...]]
) -> Iterator[Statement]:
    segments = strings(row.fields, "segmented_response")
    labels = row.fields.get("labels")
    if not isinstance(labels, list) or len(labels) != len(segments):
        raise Fault(f"{len(segments)} segments without as many labels")
    question = text(row.fields, "prompt")
    group = own_id(row, "index")
    for place, (segment, value) in enumerate(zip(segments, labels, strict=True), start=1):
        named = plain_label(value)
        sources = found.get((question, segment)) if found else _references(row.fields)
        if named is None or sources is None:
            reading.leave_out(row, "no label" if named is None else "no passages for a segment")
            continue
        yield Statement(
            id=f"{group}.{place}",
            group=group,
            text=segment,
            truth=reading.truth(named),
            label=named,
            sources=sources,
            before=segments[: place - 1],
            about=question,
            part=maybe_text(row.fields, "domain") or "",
        )


def _references(fields: Fields) -> tuple[Source, ...]:
    contents = strings(fields, "ref_contents") if fields.get("ref_contents") else ()
    return documents([content for content in contents if content.strip()])


def _ceg_felm(reading: Reading) -> Iterator[Item]:
    """CEG's passages for FELM on their own: one segment a row, those of a question in order."""
    before: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)

    def read(row: Row) -> Iterator[Statement]:
        question, segment = text(row.fields, "question"), text(row.fields, "response")
        named = label(row.fields, "tag")
        earlier = before[question]
        before[question] = (*earlier, segment)
        yield Statement(
            id=row.place,
            group=digest(question),
            text=segment,
            truth=reading.truth(named),
            label=named,
            sources=_retrieved(row.fields),
            before=earlier,
            about=question,
        )

    return reading.each(read)


def _found(row: Row) -> tuple[_Key, tuple[Source, ...]]:
    return (text(row.fields, "question"), text(row.fields, "response")), _retrieved(row.fields)


def _retrieved(fields: Fields) -> tuple[Source, ...]:
    passages = objects(nested(fields, "ress"), "res")
    return tuple(source(text(passage, "content"), passages_title(passage)) for passage in passages)


def passages_title(passage: Fields) -> str | None:
    """CEG's title and section as this program shows headings; None for a passage without."""
    parts = (maybe_text(passage, name) for name in ("title", "session"))
    return " > ".join(part for part in parts if part) or None


_is_ceg_felm = shape("question", "response", "tag", "ress")

DETECT = (
    Format(
        "wikibio",
        "WikiBio GPT-3 (SelfCheckGPT): gpt3_sentences, annotation, wiki_bio_text",
        shape("gpt3_sentences", "annotation", "wiki_bio_text"),
        by_row(_wikibio),
        _WIKIBIO_LABELS,
    ),
    Format(
        "felm",
        "FELM: segmented_response and labels; as a second file CEG's passages, if you have them",
        shape("segmented_response", "labels", "prompt"),
        _felm,
        _TRUE_FALSE,
        beside=_is_ceg_felm,
    ),
    Format(
        "ceg-felm",
        "CEG's passages for FELM alone: response, tag, ress",
        _is_ceg_felm,
        _ceg_felm,
        _TRUE_FALSE,
    ),
    GENERIC,
)
