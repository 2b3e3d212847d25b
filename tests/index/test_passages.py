"""Passages hold the whole document in order, 100 words each, and their sentences are exact."""

from hypothesis import given, settings
from hypothesis import strategies as st

from veracite.index.cleaning import clean
from veracite.index.documents import Block, BlockKind, Extraction
from veracite.index.passages import MOST_WORDS, cut, sentences


def extraction(blocks: list[tuple[BlockKind, str, int]], title: str | None = None) -> Extraction:
    parts, found, length = [], [], 0
    for kind, text, level in blocks:
        found.append(Block(kind, length, length + len(text), level))
        parts.append(text)
        length += len(text) + 2
    return Extraction("\n\n".join(parts), tuple(found), "plain/1", title)


def sentence(words: int) -> str:
    return f"The {' '.join(['word'] * (words - 1))}."


def test_passages_are_cut_between_sentences_near_100_words() -> None:
    document = extraction([("paragraph", " ".join([sentence(12)] * 60), 0)])
    passages = cut(document)
    assert all(85 <= len(passage.text.split()) <= 115 for passage in passages[:-1])
    assert all(passage.text.endswith("word.") for passage in passages)
    assert all(passage.text.startswith("The ") for passage in passages)


def test_small_blocks_of_a_section_are_joined_and_headings_are_never_crossed() -> None:
    document = extraction([
        ("heading", "Report", 1), ("paragraph", sentence(10), 0), ("list_item", sentence(8), 0),
        ("heading", "Costs", 2), ("heading", "In 1990", 3), ("table", "Oil | 3", 0),
        ("heading", "Staff", 2), ("paragraph", sentence(5), 0),
    ], title="report")  # fmt: skip
    found = [(passage.heading, len(passage.text.split())) for passage in cut(document)]
    assert found == [("report", 18), ("report > Costs > In 1990", 3), ("report > Staff", 5)]


def test_a_long_sentence_is_cut_at_a_clause_or_else_at_a_word() -> None:
    clauses = ", ".join(["one two three four five six seven eight nine ten"] * 40) + "."
    passages = cut(extraction([("paragraph", clauses, 0)]))
    assert len(passages) > 2
    assert all(len(passage.text.split()) <= MOST_WORDS for passage in passages)
    assert all(passage.text.endswith((",", ".")) for passage in passages)
    words = cut(extraction([("paragraph", "word " * 1000, 0)]))
    assert all(len(passage.text.split()) <= MOST_WORDS for passage in words)


def test_a_table_of_contents_is_no_evidence_and_a_list_of_prices_is() -> None:
    entries = [f"Chapter {page} ........ {page}" for page in (1, 4, 4, 9, 12, 30)]
    prices = [f"Plan {price} . . . . . {price}" for price in (1, 9, 4, 12, 3)]
    texts = ["Contents", "\n".join(entries[:4]), "Of the piers", *entries[4:]]
    texts += ["It is dry.", *prices]
    passages = cut(extraction([("paragraph", text, 0) for text in texts]))
    assert [passage.text for passage in passages] == ["Contents", " ".join(texts[-6:])]


def test_sentences_of_a_passage_are_verbatim_and_know_their_page() -> None:
    text = "Dr. Smith came in informa-\ntion.[1] He left\nat 5 p.m. on Jan. 5."
    found = sentences(Extraction(text, (), "pdf/1", pages=(0, 40)), 0, len(text))
    assert [(s.text, s.page, text[s.start : s.end]) for s in found] == [
        ("Dr. Smith came in information.", 1, "Dr. Smith came in informa-\ntion.[1]"),
        ("He left at 5 p.m. on Jan. 5.", 1, "He left\nat 5 p.m. on Jan. 5."),
    ]


WORDS = st.sampled_from(
    "The report cost 3.5 million. Dr. U.S. (see) [1] and, no! Why? well- **b**".split()
)
BLOCK = st.tuples(
    st.sampled_from(["paragraph", "list_item", "table", "code", "heading"]),
    st.lists(WORDS, min_size=1, max_size=200).map(" ".join),
    st.integers(1, 3),
)


@settings(max_examples=50)
@given(st.lists(BLOCK, min_size=1, max_size=8))
def test_passages_cover_every_block_with_whole_sentences_in_order(
    blocks: list[tuple[BlockKind, str, int]],
) -> None:
    document = extraction(blocks)
    passages = cut(document)
    position = 0
    covered = bytearray(len(document.text))
    for passage in passages:
        assert position <= passage.start < passage.end
        position = passage.end
        covered[passage.start : passage.end] = b"\1" * (passage.end - passage.start)
        assert passage.text == clean(document.text[passage.start : passage.end]).text
        found = sentences(document, passage.start, passage.end)
        assert (found[0].start, found[-1].end) == (passage.start, passage.end)
        assert all(clean(document.text[s.start : s.end]).text == s.text for s in found)
    for block in document.blocks:
        held = [bool(covered[at]) for at in range(block.start, block.end)]
        if block.kind == "heading":
            assert not any(held)
        else:
            blank = [document.text[at].isspace() for at in range(block.start, block.end)]
            assert all(h or b for h, b in zip(held, blank, strict=True))
