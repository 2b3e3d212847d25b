"""Sets for ``detect`` and ``attribute``: labelled sentences, claims and summaries.

Most formats are a map from their fields to those of a statement (:func:`mapped`); where one row
holds several statements, or several files belong together, a function reads it.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from veracite.engine.errors import InputError
from veracite.engine.evaluation.files import Row
from veracite.engine.evaluation.items import Item, Query, Source, Statement
from veracite.engine.evaluation.reading import (
    Fault,
    Fields,
    Format,
    Reading,
    digest,
    documents,
    joined,
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

_Names = str | tuple[str, ...]
_Sources = Callable[[Fields], tuple[Source, ...]]


def mapped(
    *,
    statement: _Names,
    sources: _Sources,
    labelled: _Names = "label",
    identity: _Names | Callable[[Fields], str] = "id",
    group: _Names = (),
    same: _Names = (),
    before: Callable[[Fields], tuple[str, ...]] = lambda fields: (),
    about: _Names = (),
    part: _Names | Callable[[Fields], str] = (),
) -> Callable[[Row, Reading], Iterator[Statement]]:
    """A statement of each row; of several names the first field that holds something counts.

    Args:
        statement: What is judged.
        sources: Its documents.
        labelled: Its label.
        identity: Its id; the row's place where the set has none.
        group: What is split and drawn together.
        same: The field whose text rows of a group share, where no field names the group.
        before: Earlier sentences of the same text.
        about: The title or question.
        part: The set that it comes from.
    """

    def read(row: Row, reading: Reading) -> Iterator[Statement]:
        fields = row.fields
        said, named = text(fields, *_tuple(statement)), label(fields, *_tuple(labelled))
        known = identity(fields) if callable(identity) else own_id(row, *_tuple(identity))
        shared = maybe_text(fields, *_tuple(same))
        found = sources(fields)
        yield Statement(
            id=known,
            group=maybe_text(fields, *_tuple(group)) or (digest(shared) if shared else known),
            text=said,
            truth=reading.truth(named),
            label=named,
            sources=found,
            before=before(fields),
            about=maybe_text(fields, *_tuple(about)),
            part=part(fields) if callable(part) else maybe_text(fields, *_tuple(part)) or "",
        )

    return read


def _tuple(names: _Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else names


def _one(name: str, fault: str | None = None) -> _Sources:
    """The one document that a field holds."""

    def read(fields: Fields) -> tuple[Source, ...]:
        found = maybe_text(fields, name)
        if found is None:
            raise Fault(fault or f"no {name}")
        return (source(found),)

    return read


_summarised = partial(_one, fault="its document is not in the file")

# --- What labels mean -------------------------------------------------------------------------

_TRUE_FALSE = {"true": True, "false": False}
_ONE_ZERO = {"1": True, "0": False}
_BY_CONSTRUCTION = "by construction"
_WIKIBIO_LABELS = {"accurate": True, "minor inaccurate": False, "major inaccurate": False}
_WICE_LABELS = {"supported": True, "partially supported": False, "not supported": False}
_EXPERTQA_LABELS = {"complete": True, "partial": False, "incomplete": False}
_CONTRACT_LABELS = {"entailment": True, "contradiction": False, "notmentioned": False}
_STANCES = {
    "completely support": True,
    "partially support": False,
    "refute": False,
    "irrelevant": False,
}
_ATTRIBUTABLE = {
    "attributable": True,
    "not attributable": False,
    "fully attributable": True,
    "not fully attributable": False,
    "generic": False,
}
_NUMBERS = {"0": True, "1": False, "2": False}
_ENTAILMENT = {
    "entailment": True,
    "neutral": False,
    "contradiction": False,
    "not entailment": False,
    **_NUMBERS,
}
_VERDICTS = {
    **dict.fromkeys(("supports", "supported", "support"), True),
    **dict.fromkeys(("refutes", "refuted", "refute", "contradict", "contradiction"), False),
    **dict.fromkeys(("not enough info", "notenoughinfo", "nei", "neutral", "disputed"), False),
}
_SCIFACT_LABELS = {"support": True, "contradict": False, "refute": False, "not enough info": False}
_COMMON_TRUE = """1|true|yes|supported|supports|support|entailment|entailed|entails|factual|accurate
attributable|fully attributable|faithful|consistent|correct"""
_COMMON_FALSE = """0|false|no|contradicted|contradicts|contradiction|contradict|refuted|refutes
refute|not found|uncertain|not checkable|not supported|unsupported|partially supported|neutral
not entailment|not enough info|not enough information|not enough evidence|nei|notenoughinfo
notmentioned|disputed|nonfactual|non factual|not factual|inaccurate|not attributable
not fully attributable|hallucinated|inconsistent|incorrect"""
_COMMON_LABELS = {
    **dict.fromkeys(re.split(r"[|\n]", _COMMON_TRUE), True),
    **dict.fromkeys(re.split(r"[|\n]", _COMMON_FALSE), False),
}
"""What sets call supported and what they call anything else, among it Veracite's five labels."""

# --- Texts in sentences, each factual or not --------------------------------------------------

_PROMPT = "This is a passage from Wikipedia about "


def _wikibio(row: Row, reading: Reading) -> Iterator[Statement]:
    """SelfCheckGPT's set: GPT-3's articles, sentence by sentence, and Wikipedia's."""
    said = strings(row.fields, "gpt3_sentences")
    labels = strings(row.fields, "annotation")
    if len(said) != len(labels):
        raise Fault(f"{len(said)} sentences with {len(labels)} labels")
    article = own_id(row, "wiki_bio_test_idx")
    sources = (source(text(row.fields, "wiki_bio_text")),)
    about = maybe_text(row.fields, "question", "concept")
    sampled = row.fields.get("gpt3_text_samples")
    samples = strings(row.fields, "gpt3_text_samples") if sampled else ()
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

    def key_and_passages(row: Row) -> tuple[tuple[str, str], tuple[Source, ...]]:
        fields = row.fields
        return (text(fields, "question"), text(fields, "response")), _ceg_passages(fields)

    found = dict(reading.beside(key_and_passages))
    given = "CEG's passages" if found else "the annotators' references"
    reading.note(f"The documents are {given}.")
    return reading.each(lambda row: _segments(row, reading, found))


def _segments(
    row: Row, reading: Reading, found: Mapping[tuple[str, str], tuple[Source, ...]]
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
    earlier: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)

    def before(fields: Fields) -> tuple[str, ...]:
        question = text(fields, "question")
        found = earlier[question]
        earlier[question] = (*found, text(fields, "response"))
        return found

    read = mapped(
        statement="response",
        labelled="tag",
        identity=(),
        same="question",
        about="question",
        sources=_ceg_passages,
        before=before,
    )
    return reading.each(lambda row: read(row, reading))


def _ceg_passages(fields: Fields) -> tuple[Source, ...]:
    passages = objects(nested(fields, "ress"), "res")
    return tuple(source(text(passage, "content"), _ceg_title(passage)) for passage in passages)


def _ceg_title(passage: Fields) -> str | None:
    """CEG's title and section as this program shows headings; None for a passage without."""
    parts = (maybe_text(passage, name) for name in ("title", "session"))
    return " > ".join(part for part in parts if part) or None


# --- Does the document that a claim is credited to support it? --------------------------------

_WICE_TITLE = "(meta data) TITLE:"
_TITLED = re.compile(r"Title: (?P<title>[^\n]+)\n+(?:Text: )?(?P<text>.+)", re.S)
_NUMBERED = re.compile(r"\[\d+\]\s+\S+\s*(?P<text>.*)", re.S)
"""A page as an answer cites it: its number, its address, and what it says."""


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
        sources=(source(text(row.fields, "content"), _ceg_title(row.fields)),),
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
    known = maybe_text(meta, "id") or row.place
    yield Statement(
        id=known,
        group=article or known,
        text=text(row.fields, "claim"),
        truth=reading.truth(named),
        label=named,
        sources=(source("\n".join(lines), next(titles, None)),),
        before=(context,) if context else (),
        about=article,
    )


def _references_titled(fields: Fields) -> tuple[Source, ...]:
    """AttributionBench's references; some begin with a title."""
    given = [one for one in strings(fields, "references") if one.strip()]
    matches = ((_TITLED.fullmatch(one), one) for one in given)
    return tuple(source(m["text"], m["title"]) if m else source(one) for m, one in matches)


def _begin_part(fields: Fields) -> str:
    parts = (maybe_text(fields, name) for name in ("data_source", "model_name"))
    return "/".join(part for part in parts if part)


def _expertqa(row: Row, reading: Reading) -> Iterator[Statement]:
    """ExpertQA: each claim of an answer against the pages that it cites."""
    question = text(row.fields, "question")
    answers = nested(row.fields, "answers")
    if not answers:
        raise Fault("no answer")
    for system in answers:
        earlier: tuple[str, ...] = ()
        for place, claim in enumerate(objects(nested(answers, system), "claims"), start=1):
            said = text(claim, "claim_string")
            try:
                pages, named = _cited_pages(claim), label(claim, "support")
                yield Statement(
                    id=f"{row.place}/{system}/{place}",
                    group=digest(question),
                    text=said,
                    truth=reading.truth(named),
                    label=named,
                    sources=pages,
                    before=earlier,
                    about=question,
                    part=system,
                )
            except Fault as fault:
                reading.leave_out(row, str(fault))
            earlier = (*earlier, said)


def _cited_pages(claim: Fields) -> tuple[Source, ...]:
    evidence = strings(claim, "evidence") if claim.get("evidence") else ()
    if not evidence:
        raise Fault("a claim that cites nothing")
    pages = [match["text"].strip() for match in map(_NUMBERED.fullmatch, evidence) if match]
    if len(pages) < len(evidence) or not all(pages):
        raise Fault("a claim that cites a page without its text")
    return tuple(map(source, pages))


# --- Does a document say what its summary says? -----------------------------------------------


def _aggrefact(reading: Reading) -> Iterator[Item]:
    """AggreFact's table, or its workbook, where a summary stands on a sheet for each error type."""
    seen: set[tuple[str, str]] = set()

    def name(fields: Fields) -> str:
        known = "/".join(str(fields.get(key)) for key in ("dataset", "id", "model_name"))
        summary = known, text(fields, "summary", "summ")
        if summary in seen:
            raise Fault("the same summary again")
        seen.add(summary)
        return known

    read = mapped(
        statement=("summary", "summ"),
        identity=name,
        same="doc",
        part="dataset",
        sources=_summarised("doc"),
    )
    return reading.each(lambda row: read(row, reading))


def _ragtruth(reading: Reading) -> Iterator[Item]:
    """Whole responses: hallucinated if the annotators marked any span."""
    infos = dict(reading.beside(lambda row: (text(row.fields, "source_id"), row.fields)))
    if not infos:
        raise InputError(
            "The responses name their sources by number only.",
            "Give RAGTruth's source_info.jsonl as a second file.",
        )

    def read(row: Row) -> Iterator[Statement]:
        fields = row.fields
        group = text(fields, "source_id")
        if fields.get("quality") not in ("good", None):
            raise Fault(f"its quality is {fields['quality']!r}, which RAGTruth leaves out as well")
        if group not in infos:
            raise Fault("its source is not in source_info.jsonl")
        spans = fields.get("labels")
        if not isinstance(spans, list):
            raise Fault("no labels")
        named = "hallucinated" if spans else "faithful"
        about, document = _information(infos[group])
        yield Statement(
            id=own_id(row, "id"),
            group=group,
            text=text(fields, "response"),
            truth=reading.truth(named),
            label=named,
            sources=(document,),
            about=about,
            part=maybe_text(infos[group], "task_type") or "",
        )

    return reading.each(read)


def _information(fields: Fields) -> tuple[str | None, Source]:
    """The question, where there is one, and what a response was to be written from."""
    given = fields.get("source_info")
    if isinstance(given, str) and given.strip():
        return None, source(given)
    content = nested(fields, "source_info")
    if "passages" in content:
        return maybe_text(content, "question"), source(text(content, "passages"))
    return None, source(json.dumps(content, ensure_ascii=False, indent=1))


# --- Does a premise, or a contract, entail a hypothesis? --------------------------------------

_PREMISES = ("premise", "sentence1")
_HYPOTHESES = ("hypothesis", "sentence2")
_NLI_LABELS = ("gold_label", "label", "entailment")


def _contract_nli(row: Row, reading: Reading) -> Iterator[Statement]:
    """ContractNLI: every contract against every hypothesis."""
    hypotheses = nested(row.fields, "labels")
    for contract in objects(row.fields, "documents"):
        try:
            yield from _contract(contract, hypotheses, reading)
        except Fault as fault:
            reading.leave_out(row, f"contract {contract.get('id')}: {fault}")


def _contract(contract: Fields, hypotheses: Fields, reading: Reading) -> Iterator[Statement]:
    known = text(contract, "id")
    sources = (source(text(contract, "text"), identity=known),)
    for annotated in objects(contract, "annotation_sets")[:1]:
        choices = nested(annotated, "annotations")
        for key in choices:
            named = label(nested(choices, key), "choice")
            yield Statement(
                id=f"{known}/{key}",
                group=known,
                text=text(nested(hypotheses, key), "hypothesis"),
                truth=reading.truth(named),
                label=named,
                sources=sources,
            )


def _nli(row: Row, reading: Reading) -> Iterator[Statement]:
    """SNLI, MNLI and their like; numbers as labels are the ones that these sets use."""
    premise = text(row.fields, *_PREMISES)
    named = label(row.fields, *_NLI_LABELS)
    if named == "-":
        raise Fault("the annotators did not agree (label '-')")
    if named in _NUMBERS:
        reading.note("Of the labels 0 is entailment, 1 neutral, 2 contradiction.")
    yield from mapped(
        statement=_HYPOTHESES,
        labelled=_NLI_LABELS,
        identity=("pairid", "pairID", "id", "index"),
        same=_PREMISES,
        part=("language", "genre"),
        sources=lambda fields: (source(premise),),
    )(row, reading)


def _is_nli(fields: Fields) -> bool:
    kinds = (_PREMISES, _HYPOTHESES, _NLI_LABELS)
    return all(fields.keys() & set(names) for names in kinds) and not (
        fields.keys() & {"claim", "evidence"}
    )


# --- A claim, its evidence, and what the evidence says of it ----------------------------------


def _fever_evidence(fields: Fields) -> tuple[Source, ...]:
    """FEVER's evidence as text: Symmetric, VitaminC, COVID-Fact, HealthVer."""
    sources = documents(fields.get("evidence_sentence") or fields.get("evidence"))
    if not sources:
        raise Fault("no evidence")
    title = maybe_text(fields, "page")
    return tuple(source(s.text, title.replace("_", " ")) for s in sources) if title else sources


def _fever(row: Row, reading: Reading) -> Iterator[Statement]:
    if _names_pages(row.fields):
        raise Fault(
            "its evidence is page names and numbers, FEVER needs its Wikipedia pages as text"
        )
    yield from mapped(
        statement="claim",
        identity=("unique_id", "id"),
        group=("case_id", "page", "gold_source"),
        same="claim",
        about="question",
        sources=_fever_evidence,
    )(row, reading)


def _names_pages(fields: Fields) -> bool:
    """FEVER as first published: annotation, evidence, page and sentence; no text."""
    evidence = fields.get("evidence")
    return "evidence_wiki_url" in fields or (
        isinstance(evidence, list)
        and any(isinstance(one, list) and one and isinstance(one[0], list) for one in evidence)
    )


def _is_fever(fields: Fields) -> bool:
    if not {"claim", "label"} <= fields.keys():
        return False
    if fields.keys() & {"evidence_sentence", "evidence_wiki_url"} or _names_pages(fields):
        return True
    known = str(fields["label"]).replace("_", " ").lower() in _VERDICTS
    return "evidence" in fields and "meta" not in fields and known


def _gold_evidence(fields: Fields) -> tuple[Source, ...]:
    title = maybe_text(fields, "wikipedia_page")
    return tuple(source(text(one, "text"), title) for one in objects(fields, "gold_evidence"))


def _climate_evidence(fields: Fields) -> tuple[Source, ...]:
    """A claim is judged by its five sentences together."""
    return tuple(
        source(text(one, "evidence"), maybe_text(one, "article"))
        for one in objects(fields, "evidences")
    )


# --- SciFact and CitInt: scientific claims against the abstracts that they cite ---------------

_UNNAMED = "NOT_ENOUGH_INFO"
"""For an abstract that is cited without any evidence in it."""
_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.S)

_Cited = tuple[Row, str, dict[str, str | None]]
"""A claim's row and id, and its abstracts to the label of their evidence, None without any."""


def _claims(reading: Reading) -> Iterator[_Cited]:
    """The claims of all rows: tables have a row for each piece of evidence, side by side."""
    last: _Cited | None = None
    for row in reading.rows():
        try:
            found = row, own_id(row, "id"), _abstracts(row.fields)
        except Fault as fault:
            reading.leave_out(row, str(fault))
            continue
        if last is not None and (last[1], last[0].part) == (found[1], row.part):
            last[2].update(found[2])
            continue
        if last is not None:
            yield last
        last = found
    if last is not None:
        yield last


def _abstracts(fields: Fields) -> dict[str, str | None]:
    """As the authors publish them, and as tables of data hubs, with lists as numpy prints them."""
    text(fields, "claim")
    cited = fields.get("cited_doc_ids")
    listed = cited if isinstance(cited, list) else re.findall(r"\d+", str(cited))
    labels: dict[str, str | None] = dict.fromkeys(map(str, listed))
    evidence = fields.get("evidence")
    if "evidence_doc_id" in fields:
        known = maybe_text(fields, "evidence_doc_id")
        evidence = {known: [{"label": fields.get("evidence_label")}]} if known else {}
    for document, found in evidence.items() if isinstance(evidence, Mapping) else ():
        if isinstance(found, list) and found and isinstance(found[0], Mapping):
            labels[document] = label(found[0], "label")
    if not labels:
        raise Fault("it cites no abstract")
    return labels


def _abstract(row: Row) -> Source:
    printed = maybe_text(row.fields, "abstract")
    if printed is None:
        parts = list(strings(row.fields, "abstract"))
    else:
        try:
            parts = [str(ast.literal_eval(one)) for one in _LITERAL.findall(printed)] or [printed]
        except (ValueError, SyntaxError):
            raise Fault("no abstract") from None
    return source(joined(parts), maybe_text(row.fields, "title"), text(row.fields, "doc_id"))


def _scifact_corpus(reading: Reading) -> dict[str, Source]:
    corpus = {abstract.id: abstract for abstract in reading.beside(_abstract)}
    if not corpus:
        raise InputError(
            "The claims name their abstracts by number only.",
            "Give the set's corpus (doc_id, title, abstract) as a second file.",
        )
    return corpus


def _scifact(reading: Reading) -> Iterator[Item]:
    """Every claim against every abstract that it cites."""
    corpus = _scifact_corpus(reading)
    for row, known, labels in _claims(reading):
        part = row.part.stem if len(reading.mains) > 1 else ""
        for document, named in labels.items():
            try:
                if document not in corpus:
                    raise Fault("its abstract is not in the corpus")
                truth = reading.truth(named or _UNNAMED)
            except Fault as fault:
                reading.leave_out(row, str(fault))
                continue
            yield Statement(
                id=f"{known}/{document}",
                group=f"{part}/{known}" if part else known,
                text=text(row.fields, "claim"),
                truth=truth,
                label=named or _UNNAMED,
                sources=(corpus[document],),
                part=part,
            )


def _scifact_queries(reading: Reading) -> Iterator[Item]:
    """Every claim with the abstracts that it cites, as BEIR's SciFact has them."""
    corpus = _scifact_corpus(reading)
    reading.corpus.extend(corpus.values())
    words = {part: set(re.split(r"[\W_]+", part.stem.lower())) for part in reading.mains}
    held = tuple(part for part in reading.mains if words[part] & {"validation", "dev"})
    reading.mains = held or reading.mains
    for row, known, labels in _claims(reading):
        relevant = {document: 1 for document in labels if document in corpus}
        if relevant:
            yield Query(known, text(row.fields, "claim"), relevant)
        else:
            reading.leave_out(row, "its abstracts are not in the corpus")


# --- Any rows of text, label and, if there is any, evidence -----------------------------------

_TEXTS = ("text", "claim", "sentence", "statement", "response")
_EVIDENCE = ("evidence", "documents", "passages", "context", "sources", "document", "doc")


def _any_evidence(fields: Fields) -> tuple[Source, ...]:
    return documents(next((fields[name] for name in _EVIDENCE if fields.get(name)), None))


def _before(fields: Fields) -> tuple[str, ...]:
    try:
        return strings(fields, "before") if fields.get("before") else ()
    except Fault:
        raise Fault("`before` is no list of sentences") from None


GENERIC = Format(
    "generic",
    "any rows of text (or claim), label and, if there is any, evidence (text, texts or documents)",
    lambda fields: "label" in fields and any(isinstance(fields.get(n), str) for n in _TEXTS),
    mapped(
        statement=_TEXTS,
        group="group",
        sources=_any_evidence,
        before=_before,
        about=("about", "question", "title"),
        part=("part", "dataset"),
    ),
    _COMMON_LABELS,
)

_is_ceg_felm = shape("question", "response", "tag", "ress")

DETECT = (
    Format(
        "wikibio",
        "WikiBio GPT-3 (SelfCheckGPT): gpt3_sentences, annotation, wiki_bio_text",
        shape("gpt3_sentences", "annotation", "wiki_bio_text"),
        _wikibio,
        _WIKIBIO_LABELS,
    ),
    Format(
        "felm",
        "FELM: segmented_response and labels; as a second file CEG's passages, if you have them",
        shape("segmented_response", "labels", "prompt"),
        whole=_felm,
        labels=_TRUE_FALSE,
        beside=_is_ceg_felm,
    ),
    Format(
        "ceg-felm",
        "CEG's passages for FELM alone: response, tag, ress",
        _is_ceg_felm,
        whole=_ceg_felm,
        labels=_TRUE_FALSE,
    ),
    GENERIC,
)

_is_claim = shape("claim", "cited_doc_ids")
_is_abstract = shape("doc_id", "abstract")

ATTRIBUTE = (
    Format(
        "wikiretr",
        "WikiRetr (CEG): claim, title, session, content; human_eval where people judged",
        shape("claim", "title", "session", "content"),
        _wikiretr,
        {**_ONE_ZERO, _BY_CONSTRUCTION: True},
    ),
    Format(
        "wice",
        "WiCE: claim, evidence (the whole page), label, meta",
        shape("claim", "evidence", "label", "meta"),
        _wice,
        _WICE_LABELS,
    ),
    Format(
        "attributionbench",
        "AttributionBench: claim, references, attribution_label",
        shape("claim", "references", "attribution_label"),
        mapped(
            statement="claim",
            labelled="attribution_label",
            same="question",
            about="question",
            part="src_dataset",
            sources=_references_titled,
        ),
        _ATTRIBUTABLE,
    ),
    Format(
        "expertqa",
        "ExpertQA: question, answers with claims, evidence and support",
        lambda fields: (
            shape("question", "answers", "metadata")(fields) and isinstance(fields["answers"], dict)
        ),
        _expertqa,
        _EXPERTQA_LABELS,
    ),
    Format(
        "begin",
        "BEGIN (.tsv): knowledge, response, begin_label",
        shape("knowledge", "response", "begin_label"),
        mapped(
            statement="response",
            labelled="begin_label",
            same="knowledge",
            about="message",
            part=_begin_part,
            sources=_one("knowledge"),
        ),
        _ATTRIBUTABLE,
    ),
    Format(
        "aggrefact",
        "AggreFact (.csv or .xlsx): dataset, doc, summary or summ, model_name, label",
        lambda fields: (
            shape("dataset", "model_name", "label")(fields)
            and bool(fields.keys() & {"summary", "summ"})
        ),
        whole=_aggrefact,
        labels=_ONE_ZERO,
    ),
    Format(
        "llm-aggrefact",
        "LLM-AggreFact (.csv or .jsonl): dataset, doc, claim, label",
        shape("dataset", "doc", "claim", "label"),
        mapped(
            statement="claim", identity=(), same="doc", part="dataset", sources=_summarised("doc")
        ),
        _ONE_ZERO,
    ),
    Format(
        "summac",
        "SummaC benchmark: document, claim, label",
        shape("document", "claim", "label"),
        mapped(statement="claim", same="document", part="dataset", sources=_summarised("document")),
        _ONE_ZERO,
    ),
    Format(
        "summedits",
        "SummEdits: doc, summary, label",
        shape("doc", "summary", "label", without=("model_name",)),
        mapped(statement="summary", same="doc", part="domain", sources=_summarised("doc")),
        _ONE_ZERO,
    ),
    Format(
        "ragtruth",
        "RAGTruth: response.jsonl, and source_info.jsonl as the second file",
        shape("response", "labels", "source_id"),
        whole=_ragtruth,
        labels={"faithful": True, "hallucinated": False},
        beside=shape("source_id", "source_info"),
    ),
    Format(
        "contract-nli",
        "ContractNLI: documents with annotations, and labels with hypotheses",
        shape("documents", "labels"),
        _contract_nli,
        _CONTRACT_LABELS,
    ),
    Format(
        "nli",
        "SNLI, MNLI and their like: premise, hypothesis (or sentence1, sentence2) and label",
        _is_nli,
        _nli,
        _ENTAILMENT,
    ),
    Format(
        "foolmetwice",
        "Fool Me Twice: text, label, gold_evidence",
        shape("text", "label", "gold_evidence"),
        mapped(statement="text", group="wikipedia_page", sources=_gold_evidence),
        _VERDICTS,
        notes=("The documents are the gold evidence.",),
    ),
    Format(
        "factcheck-gpt",
        "FactCheck-GPT's stance: claim, evidence, stance",
        shape("claim", "evidence", "stance"),
        mapped(
            statement="claim",
            labelled="stance",
            identity=(),
            same="claim",
            sources=_one("evidence"),
        ),
        _STANCES,
    ),
    Format(
        "climate-fever",
        "Climate-FEVER: claim, claim_label, evidences",
        shape("claim", "claim_label", "evidences"),
        mapped(
            statement="claim",
            labelled="claim_label",
            identity="claim_id",
            sources=_climate_evidence,
        ),
        _VERDICTS,
    ),
    Format(
        "fever",
        "FEVER-like (Symmetric, VitaminC, COVID-Fact, HealthVer): claim, label, evidence as text",
        _is_fever,
        _fever,
        _VERDICTS,
    ),
    Format(
        "scifact",
        "SciFact and CitInt: claim, evidence, cited_doc_ids; the corpus as a second file",
        _is_claim,
        whole=_scifact,
        labels=_SCIFACT_LABELS,
        beside=_is_abstract,
    ),
    GENERIC,
)

SCIFACT_SEARCH = Format(
    "scifact",
    "SciFact: the abstracts that a claim cites; claims and corpus, or their folder or archive",
    _is_claim,
    whole=_scifact_queries,
    beside=_is_abstract,
    notes=(
        "Relevant is what a claim cites; BEIR's test queries are SciFact's validation claims, "
        "which are taken where no split is named.",
    ),
)
