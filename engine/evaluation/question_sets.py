"""Sets for ``answer``, ``choose`` and ``retrieve``: questions, right and wrong answers, queries."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from veracite.engine.errors import InputError
from veracite.engine.evaluation.files import Part, Row, first_row
from veracite.engine.evaluation.items import Choice, Item, Query, Question, Source
from veracite.engine.evaluation.reading import (
    Fault,
    Fields,
    Format,
    Reading,
    documents,
    joined,
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
from veracite.engine.evaluation.statement_sets import SCIFACT_SEARCH

_Groups = tuple[tuple[str, ...], ...]


def _aliases(found: Iterable[str]) -> _Groups:
    """Answers of which any counts, as the one thing that is asked."""
    distinct = tuple(dict.fromkeys(answer for answer in found if answer.strip()))
    if not distinct:
        raise Fault("no answer")
    return (distinct,)


def _passages(fields: Fields, name: str, mark: str | None = None) -> tuple[Source, ...]:
    """The documents of a list of objects; those that the mark is true of, if one is given."""
    given = objects(fields, name) if fields.get(name) else ()
    sources = documents(list(given), identified="id" if name in ("docs", "ctxs") else None)
    if mark is None:
        return sources
    pairs = zip(sources, given, strict=True)
    return tuple(s for s, passage in pairs if passage.get(mark) is True)


def _ids(sources: Iterable[Source]) -> tuple[str, ...]:
    return tuple(source.id for source in sources)


# --- ALCE: questions whose answers cite documents, with or without an answer to judge ---------


def _alce(row: Row, answers: _Groups, long: tuple[str, ...]) -> Question:
    """A document that ``answers_found`` says holds an answer is gold (ALCE's oracle files)."""
    sources = _passages(row.fields, "docs")
    given = objects(row.fields, "docs") if sources else ()
    marks = [passage.get("answers_found") for passage in given]
    holds = [isinstance(mark, list) and any(mark) for mark in marks]
    output = row.fields.get("output")
    return Question(
        id=own_id(row, "sample_id", "id", "qid"),
        text=text(row.fields, "question"),
        answers=answers,
        sources=sources,
        gold=_ids(s for s, gold in zip(sources, holds, strict=True) if gold),
        long=long,
        output=output if isinstance(output, str) else None,
    )


def _asqa(row: Row, reading: Reading) -> Iterator[Question]:
    pairs = objects(row.fields, "qa_pairs")
    answers = tuple(_aliases(strings(pair, "short_answers"))[0] for pair in pairs)
    if not answers:
        raise Fault("no qa_pairs")
    annotated = objects(row.fields, "annotations") if row.fields.get("annotations") else ()
    long = tuple(one for a in annotated if (one := maybe_text(a, "long_answer")))
    yield _alce(row, answers, long or _answer(row.fields))


def _answer(fields: Fields) -> tuple[str, ...]:
    found = maybe_text(fields, "answer")
    return (found,) if found else ()


def _qampari(row: Row, reading: Reading) -> Iterator[Question]:
    groups = row.fields.get("answers")
    if not isinstance(groups, list) or not groups:
        raise Fault("no answers")
    answers = tuple(_aliases(strings({"answers": own}, "answers"))[0] for own in groups)
    yield _alce(row, answers, ())


def _eli5(row: Row, reading: Reading) -> Iterator[Question]:
    """The three claims of the reference answer are to be entailed, not to be found as strings."""
    claims = tuple((claim,) for claim in strings(row.fields, "claims"))
    yield _alce(row, claims, _answer(row.fields))


def _is_qampari(fields: Fields) -> bool:
    groups = fields.get("answers")
    listed = isinstance(groups, list) and bool(groups) and isinstance(groups[0], list)
    return listed and "question" in fields and "qa_pairs" not in fields


_PLACES = range(1, 9)
_QUOTE = re.compile(r"\[\s*\d+\s+(.*?)\s*\]", re.S)
_BEFORE_STOP = re.compile(r"\s+([.,;:!?])")


def _quotesum(reading: Reading) -> Iterator[Item]:
    """QuoteSum: one item for each question, with all the summaries that people wrote for it."""
    found: dict[str, Question] = {}
    for item in reading.each(lambda row: [_summarised(row)]):
        if isinstance(item, Question):
            known = found.get(item.id)
            found[item.id] = replace(known, long=known.long + item.long) if known else item
    return iter(found.values())


def _summarised(row: Row) -> Question:
    fields = row.fields
    places = [place for place in _PLACES if maybe_text(fields, f"source{place}")]
    sources = tuple(
        source(text(fields, f"source{n}"), maybe_text(fields, f"title{n}")) for n in places
    )
    answers = [(text(fields, f"short_ans_{place}"),) for place in places]
    if not answers:
        raise Fault("no source")
    return Question(
        id=own_id(row, "qid"),
        text=text(fields, "question"),
        answers=tuple(dict.fromkeys(answers)),
        sources=sources,
        gold=_ids(sources),
        long=(_BEFORE_STOP.sub(r"\1", _QUOTE.sub(r"\1", text(fields, "summary"))),),
    )


# --- Questions that need several paragraphs ---------------------------------------------------


def _hotpotqa(row: Row, reading: Reading) -> Iterator[Question]:
    """HotpotQA's and 2Wiki's shape, as the authors and as data hubs write it."""
    sources = _paragraphs(row.fields)
    needed = _supporting(row.fields)
    yield Question(
        id=own_id(row, "_id", "id"),
        text=text(row.fields, "question"),
        answers=_aliases(strings(row.fields, "answer")),
        sources=sources,
        gold=_ids(paragraph for paragraph in sources if paragraph.title in needed),
    )


def _paragraphs(fields: Fields) -> tuple[Source, ...]:
    context = fields.get("context")
    if not isinstance(context, dict):
        return documents(context)
    titles, texts = strings(context, "title"), context.get("sentences")
    if not isinstance(texts, list) or len(texts) != len(titles):
        raise Fault("titles and sentences that do not match")
    bodies = [joined(strings({"sentences": own}, "sentences")) for own in texts]
    return tuple(map(source, bodies, titles))


def _supporting(fields: Fields) -> set[str]:
    """Titles of the paragraphs that are needed."""
    facts = fields.get("supporting_facts")
    if isinstance(facts, dict):
        return set(strings(facts, "title"))
    if not isinstance(facts, list):
        raise Fault("no supporting_facts")
    return {
        fact[0] for fact in facts if isinstance(fact, list) and fact and isinstance(fact[0], str)
    }


def _musique(row: Row, reading: Reading) -> Iterator[Question]:
    if row.fields.get("answerable") is False:
        raise Fault("questions that the paragraphs do not answer")
    answers = [text(row.fields, "answer"), *strings(row.fields, "answer_aliases")]
    yield _marked(row, "paragraphs", "id", "question", answers)


def _ircot(row: Row, reading: Reading) -> Iterator[Question]:
    """IRCoT's subsamples of all three sets, with answers as DROP writes them."""
    spans = [s for o in objects(row.fields, "answers_objects") for s in strings(o, "spans")]
    yield _marked(row, "contexts", "question_id", "question_text", spans)


def _marked(row: Row, name: str, known: str, question: str, answers: list[str]) -> Question:
    """A question whose paragraphs say themselves whether they are needed."""
    objects(row.fields, name)
    return Question(
        id=own_id(row, known),
        text=text(row.fields, question),
        answers=_aliases(answers),
        sources=_passages(row.fields, name),
        gold=_ids(_passages(row.fields, name, "is_supporting")),
    )


# --- Questions about one paragraph ------------------------------------------------------------


def _qed(row: Row, reading: Reading) -> Iterator[Question]:
    """QED in its two shapes: a question of NQ with the paragraph that answers it.

    Spans that an annotator marked together are one answer, joined by commas.
    """
    fields = row.fields
    if "original_nq_answers" in fields:
        marked = fields["original_nq_answers"]
        spans = [objects({"spans": s}, "spans") for s in marked] if isinstance(marked, list) else []
        answers = [", ".join(text(span, "string") for span in own) for own in spans]
        annotation = nested(fields, "annotation")
        for answer in objects(annotation, "answer") if "answer" in annotation else ():
            answers.append(text(nested(answer, "paragraph_reference"), "string"))
    else:
        answers = [", ".join(strings(fields, "answer_text"))]
    paragraph = source(text(fields, "paragraph_text"), maybe_text(fields, "title_text"))
    yield Question(
        id=own_id(row, "example_id"),
        text=text(fields, "question_text"),
        answers=_aliases(answers),
        sources=(paragraph,),
        gold=(paragraph.id,),
    )


def _squad(row: Row, reading: Reading) -> Iterator[Question]:
    """SQuAD and XQuAD: an article's paragraphs, each with its questions."""
    title = maybe_text(row.fields, "title")
    for paragraph in objects(row.fields, "paragraphs"):
        context = source(text(paragraph, "context"), title and title.replace("_", " "))
        for asked in objects(paragraph, "qas"):
            try:
                if asked.get("is_impossible") is True:
                    raise Fault("questions that the paragraph does not answer")
                yield Question(
                    id=text(asked, "id"),
                    text=text(asked, "question"),
                    answers=_aliases(text(answer, "text") for answer in objects(asked, "answers")),
                    sources=(context,),
                    gold=(context.id,),
                )
            except Fault as fault:
                reading.leave_out(row, str(fault))


# --- Open questions with short answers --------------------------------------------------------

_LONG = 10
"""Words from which a KILT answer is one of a sentence or more (Wizard of Wikipedia, ELI5)."""
_DESCRIPTION = re.compile(r"\(description (?:\"((?:[^\"\\]|\\.)*)\"|([^\s()]+))\)")
_GOLD = ("isgold", "hasanswer", "has_answer")


def _open_qa(row: Row, reading: Reading) -> Iterator[Question]:
    """DPR's, FiD's and Lost in the Middle's shape; the plain one has no passages.

    Gold is what the set marks as such, else what holds an answer.
    """
    fields = row.fields
    passages = objects(fields, "ctxs") if "ctxs" in fields else ()
    mark = next((name for name in _GOLD if any(name in passage for passage in passages)), None)
    yield Question(
        id=own_id(row, "id", "question_id", "q_uid"),
        text=text(fields, "question"),
        answers=_aliases(strings(fields, "answers" if "answers" in fields else "answer")),
        sources=_passages(fields, "ctxs"),
        gold=_ids(_passages(fields, "ctxs", mark)) if mark else (),
    )


def _dpr_table(row: Row, reading: Reading) -> Iterator[Question]:
    try:
        found = ast.literal_eval(text(row.fields, "2"))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise Fault("no list of answers") from None
    answers = _aliases(strings({"answers": found}, "answers"))
    yield Question(row.place, text(row.fields, "1"), answers, ())


def _triviaqa(row: Row, reading: Reading) -> Iterator[Question]:
    """The authors' JSON, whose evidence is in other files."""
    answer = nested(row.fields, "Answer")
    answers = _aliases([text(answer, "Value"), *strings(answer, "Aliases")])
    yield Question(own_id(row, "QuestionId"), text(row.fields, "Question"), answers, ())


def _triviaqa_rows(row: Row, reading: Reading) -> Iterator[Question]:
    """The data hubs' shape, with the pages' texts."""
    answer = nested(row.fields, "answer")
    found = row.fields.get("entity_pages")
    pages: Mapping[str, object] = found if isinstance(found, dict) else {}
    contents = strings(pages, "wiki_context") if pages.get("wiki_context") else ()
    titles = strings(pages, "title") if pages.get("title") else ()
    yield Question(
        id=own_id(row, "question_id"),
        text=text(row.fields, "question"),
        answers=_aliases([text(answer, "value"), *strings(answer, "aliases")]),
        sources=tuple(map(source, contents, titles)),
    )


def _webquestions(row: Row, reading: Reading) -> Iterator[Question]:
    """The authors' JSON: answers as ``(list (description "a") (description b))``."""
    found = (
        quoted or bare for quoted, bare in _DESCRIPTION.findall(text(row.fields, "targetValue"))
    )
    answers = _aliases(answer.replace('\\"', '"') for answer in found)
    yield Question(row.place, text(row.fields, "utterance"), answers, ())


def _kilt(row: Row, reading: Reading) -> Iterator[Question]:
    """KILT, among it Wizard of Wikipedia: the provenance names pages but has no text."""
    outputs = objects(row.fields, "output")
    answers = _aliases(found for one in outputs if (found := maybe_text(one, "answer")))
    yield Question(
        id=own_id(row, "id"),
        text=text(row.fields, "input"),
        answers=answers,
        sources=(),
        long=tuple(answer for answer in answers[0] if len(answer.split()) > _LONG),
    )


def _is_open_qa(fields: Fields) -> bool:
    """Question and answers, and nothing that makes it another set."""
    answers = fields.get("answers", fields.get("answer"))
    flat = isinstance(answers, str) or (
        isinstance(answers, list) and all(isinstance(one, str) for one in answers)
    )
    others = {"context", "paragraphs", "docs", "claims", "qa_pairs", "knowledge", "label", "ress"}
    return isinstance(fields.get("question"), str) and flat and not fields.keys() & others


_is_multi_hop = shape("question", "answer", "context", "supporting_facts")

_ALCE = (
    Format(
        "asqa",
        "ASQA in ALCE's format: question, qa_pairs, docs; an output to judge, if there is one",
        shape("question", "qa_pairs"),
        _asqa,
    ),
    Format(
        "qampari",
        "QAMPARI in ALCE's format: question, answers (lists of aliases), docs, output if any",
        _is_qampari,
        _qampari,
    ),
    Format(
        "eli5",
        "ELI5 in ALCE's format: question, claims, docs, output if any",
        shape("question", "claims", "answer"),
        _eli5,
        notes=("The answers are claims that an answer must entail; do not look for their words.",),
    ),
    Format(
        "quotesum",
        "QuoteSum: question, source1 to source8, short_ans_1 to short_ans_8, summary",
        shape("question", "summary", "source1", "short_ans_1"),
        whole=_quotesum,
    ),
)
_MULTI_HOP = (
    Format(
        "2wiki",
        "2WikiMultihopQA: question, answer, context, supporting_facts, evidences",
        lambda fields: _is_multi_hop(fields) and "evidences" in fields,
        _hotpotqa,
    ),
    Format(
        "hotpotqa",
        "HotpotQA with its paragraphs: question, answer, context, supporting_facts",
        lambda fields: _is_multi_hop(fields) and "evidences" not in fields,
        _hotpotqa,
    ),
    Format(
        "musique",
        "MuSiQue: question, answer, paragraphs",
        shape("question", "answer", "paragraphs"),
        _musique,
    ),
    Format(
        "ircot",
        "IRCoT's subsamples: question_text, answers_objects, contexts",
        shape("question_text", "answers_objects", "contexts"),
        _ircot,
    ),
)
_PARAGRAPH = (
    Format(
        "qed", "QED: question_text, paragraph_text", shape("question_text", "paragraph_text"), _qed
    ),
    Format("squad", "SQuAD, XQuAD: paragraphs with qas", shape("paragraphs", "title"), _squad),
)
_OPEN_QA = Format(
    "open-qa",
    "NQ-open, TriviaQA, WebQuestions as DPR, FiD and Lost in the Middle have them: "
    "question, answers, ctxs if any",
    _is_open_qa,
    _open_qa,
)

ANSWER = (
    *_ALCE,
    *_MULTI_HOP,
    *_PARAGRAPH,
    _OPEN_QA,
    Format(
        "dpr-table",
        "DPR's tables without a header: a question and a list of answers",
        shape("1", "2"),
        _dpr_table,
    ),
    Format(
        "triviaqa",
        "TriviaQA as its authors publish it: Question, Answer",
        shape("Question", "Answer"),
        _triviaqa,
    ),
    Format(
        "triviaqa-rows",
        "TriviaQA as rows: question, answer with value and aliases, entity_pages",
        lambda fields: shape("question", "answer")(fields) and isinstance(fields["answer"], dict),
        _triviaqa_rows,
    ),
    Format(
        "webquestions",
        "WebQuestions as its authors publish it: utterance, targetValue",
        shape("utterance", "targetValue"),
        _webquestions,
    ),
    Format(
        "kilt", "KILT, among it Wizard of Wikipedia: input, output", shape("input", "output"), _kilt
    ),
)

# --- A right and a wrong answer to the same question ------------------------------------------


def _halueval(row: Row, reading: Reading) -> Iterator[Choice]:
    """HaluEval's questions, with the knowledge that both answers were written from."""
    yield _choice(row, documents(text(row.fields, "knowledge")))


def _ceg_cases(row: Row, reading: Reading) -> Iterator[Choice]:
    """CEG's cases: HaluEval's questions with the passages that CEG retrieved for its reasoning."""
    retrieved = row.fields.get("ret_knowledges")
    found: dict[str, Source] = {}
    for passage in retrieved if isinstance(retrieved, list) else ():
        if not isinstance(passage, list) or len(passage) != 3:
            raise Fault("a passage that is not number, text and title")
        number, content, title = map(str, passage)
        body = content.removeprefix(title).lstrip()
        found.setdefault(number, source(body or content, title, number))
    yield _choice(row, tuple(found.values()))


def _choice(row: Row, sources: tuple[Source, ...]) -> Choice:
    return Choice(
        id=own_id(row, "id"),
        question=text(row.fields, "question"),
        right=text(row.fields, "right_answer"),
        wrong=text(row.fields, "hallucinated_answer"),
        sources=sources,
    )


_HALUEVAL = ("knowledge", "question", "right_answer", "hallucinated_answer")

CHOOSE = (
    Format(
        "ceg-cases",
        "CEG's regeneration cases: HaluEval QA with ret_knowledges",
        shape(*_HALUEVAL, "ret_knowledges"),
        _ceg_cases,
        notes=("The documents are the passages that CEG retrieved, not HaluEval's knowledge.",),
    ),
    Format(
        "halueval",
        "HaluEval QA: knowledge, question, right_answer, hallucinated_answer",
        shape(*_HALUEVAL, without=("ret_knowledges",)),
        _halueval,
    ),
)

# --- BEIR: a corpus, queries, and for each split which documents are relevant to which query --

_is_judgement = shape("query-id", "corpus-id", "score")
_is_document = shape("_id", "title", "text")


def _beir(reading: Reading) -> Iterator[Item]:
    heads = {part: first_row(part) for part in reading.besides}
    judged = [part for part, head in heads.items() if head and _is_judgement(head.fields)]
    corpus = [part for part in reading.besides if part not in judged]
    reading.corpus.extend(reading.beside(_beir_document, corpus))
    if not reading.corpus or not judged:
        missing = "qrels" if reading.corpus else "corpus.jsonl"
        raise InputError(
            f"There is no {missing} beside the queries.",
            "Give the set's folder or archive, or corpus.jsonl, queries.jsonl and qrels/test.tsv.",
        )
    relevant = _relevant(reading, _test_split(judged, reading))

    def query(row: Row) -> Iterator[Query]:
        known = text(row.fields, "_id")
        if known not in relevant:
            raise Fault("no document of this split is relevant to it")
        yield Query(known, text(row.fields, "text"), relevant[known])

    yield from reading.each(query)


def _test_split(judged: Sequence[Part], reading: Reading) -> Part:
    if len(judged) == 1:
        return judged[0]
    for part in judged:
        if part.stem.lower() == "test":
            reading.note("The split is test.")
            return part
    have = ", ".join(part.stem for part in judged)
    raise InputError("The set has no split 'test'.", f"It has {have}; give one of them.")


def _beir_document(row: Row) -> Source:
    """Some sets have documents of a title alone."""
    body = row.fields.get("text")
    if not isinstance(body, str):
        raise Fault("no text")
    return source(body, maybe_text(row.fields, "title"), text(row.fields, "_id"))


def _relevant(reading: Reading, part: Part) -> dict[str, dict[str, int]]:
    known = {document.id for document in reading.corpus}
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)

    def read(row: Row) -> tuple[str, str, int]:
        query, document = text(row.fields, "query-id"), text(row.fields, "corpus-id")
        if document not in known:
            raise Fault("a relevant document that is not in the corpus")
        try:
            return query, document, int(plain_label(row.fields.get("score")) or "")
        except ValueError:
            raise Fault("a score that is no whole number") from None

    for query, document, grade in reading.beside(read, [part]):
        if grade > 0:
            found[query][document] = grade
    return found


# --- Question sets as queries: what holds the answer is to be found among all documents -------


def _searchable(form: Format) -> Format:
    def read(reading: Reading) -> Iterator[Item]:
        questions = [item for item in form.items(reading) if isinstance(item, Question)]
        every = {document.id: document for document in reading.beside(_corpus_document)}
        if not every:
            every = {s.id: s for question in questions for s in question.sources}
        reading.corpus.extend(every.values())
        find = _finder(reading.corpus)
        queries = []
        for question in questions:
            gold = [document for document in question.sources if document.id in question.gold]
            relevant = {known: 1 for known in map(find, gold) if known is not None}
            queries.append(Query(question.id, question.text, relevant))
        partly = sum(
            len(query.relevant) < len(set(question.gold))
            for query, question in zip(queries, questions, strict=True)
        )
        if partly:
            reading.note(f"{partly:,} of {len(questions):,} need documents that the corpus lacks.")
        without = sum(not query.relevant for query in queries)
        if without:
            reading.note(f"{without:,} left out, no document is marked as their answer's.")
        yield from (query for query in queries if query.relevant)

    return replace(form, read=None, whole=read, beside=shape("title", "text", without=("_id",)))


def _corpus_document(row: Row) -> Source:
    return source(text(row.fields, "text"), maybe_text(row.fields, "title"))


def _finder(corpus: Sequence[Source]) -> Callable[[Source], str | None]:
    """Finds a document's id in a corpus: the same text, or the only one of that title."""
    ids = {document.id for document in corpus}
    contents = {_squeezed(document): document.id for document in corpus}
    titled: defaultdict[str | None, list[str]] = defaultdict(list)
    for document in corpus:
        titled[document.title].append(document.id)

    def find(document: Source) -> str | None:
        if document.id in ids:
            return document.id
        same = titled[document.title] if document.title else []
        return contents.get(_squeezed(document)) or (same[0] if len(same) == 1 else None)

    return find


def _squeezed(document: Source) -> tuple[str | None, str]:
    return document.title, "".join(document.text.split())


RETRIEVE = (
    Format(
        "beir",
        "BEIR (folder, archive or files): corpus.jsonl, queries.jsonl, qrels/<split>.tsv",
        shape("_id", "text", without=("title",)),
        whole=_beir,
        beside=lambda fields: _is_judgement(fields) or _is_document(fields),
    ),
    SCIFACT_SEARCH,
    _searchable(replace(_OPEN_QA, recognise=lambda f: _is_open_qa(f) and "ctxs" in f)),
    *map(_searchable, (*_PARAGRAPH, *_MULTI_HOP)),
)
