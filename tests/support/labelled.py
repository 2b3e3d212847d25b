"""Small invented sets with obvious truth, in the formats in which sets are published."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

Rows = Sequence[Mapping[str, object]]

DOCUMENTS = {
    "mill": "The Harrow mill burned down in 1904. It was never rebuilt. Its owner was Anna Berg, "
    "who had bought it from her uncle in 1889.",
    "ferry": "The Lune ferry carried 40 passengers across the river. It sank in 1921 after a "
    "storm. Nobody was hurt. A stone bridge replaced it in 1930.",
    "school": "The school in Arden opened in 1875 with two teachers. Clara Voss led it for thirty "
    "years. Today the building is a museum of clocks.",
    "bees": "Bees sleep at night. A hive holds up to 60,000 bees. The queen lays about 2,000 eggs "
    "a day in early summer.",
    "lighthouse": "The lighthouse at Cape Orn is 31 metres tall. It was painted red in 1950. Its "
    "last keeper, Tomas Riel, retired in 1988.",
}

_STATEMENTS = """
mill + The Harrow mill burned down in 1904.
mill - The Harrow mill burned down in 1911.
mill + Anna Berg bought the mill from her uncle.
mill - The mill's owner sold stamps from Peru.
ferry + The Lune ferry sank after a storm in 1921.
ferry - The Lune ferry carried 90 passengers.
ferry + A stone bridge replaced the ferry in 1930.
ferry - Twelve people drowned when the ferry sank.
school + The school in Arden opened in 1875.
school - The school in Arden is now a hospital for horses.
school + Clara Voss led the school for thirty years.
school - The school in Arden opened with nine teachers.
bees + A hive holds up to 60,000 bees.
bees - Bees never sleep.
bees + The queen lays about 2,000 eggs a day in early summer.
bees - The queen lays about 9 eggs a day in early summer.
lighthouse + The lighthouse at Cape Orn is 31 metres tall.
lighthouse - The lighthouse was painted blue in 1950.
lighthouse + Tomas Riel, the last keeper, retired in 1988.
lighthouse - The lighthouse at Cape Orn is 75 metres tall.
"""
STATEMENTS: Rows = [
    {"group": name, "text": text, "label": sign == "+", "evidence": DOCUMENTS[name]}
    for name, sign, text in (line.split(" ", 2) for line in _STATEMENTS.strip().splitlines())
]
"""Twenty statements about five documents, half of them true; for ``detect`` and ``attribute``."""

QUESTIONS: Rows = [
    {
        "question": "When did the Harrow mill burn down?",
        "qa_pairs": [{"question": "", "short_answers": ["1904"]}],
        "answer": "It burned down in 1904.",
        "output": "The Harrow mill burned down in 1904 [1]. Bees sleep at night [1].",
        "docs": [
            {"id": "d1", "title": "Harrow", "text": DOCUMENTS["mill"]},
            {"id": "d2", "title": "Bees", "text": DOCUMENTS["bees"]},
        ],
    },
    {
        "question": "Who led the school in Arden?",
        "qa_pairs": [{"question": "", "short_answers": ["Clara Voss", "Voss"]}],
        "answer": "Clara Voss led it.",
        "output": "Igor Pell led the school in Arden [2].",
        "docs": [
            {"id": "d3", "title": "Arden", "text": DOCUMENTS["school"]},
            {"id": "d4", "title": "Cape Orn", "text": DOCUMENTS["lighthouse"]},
        ],
    },
]
"""ASQA as ALCE publishes it, with outputs: one right and half cited, one wrong in all."""

QUERIES = {
    "q1": ("burned down mill", "mill"),
    "q2": ("tall lighthouse cape", "lighthouse"),
    "q3": ("insects that live in a hive", "bees"),
}


def write_rows(path: Path, rows: Rows) -> Path:
    """A file with one row a line."""
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")
    return path


def write_beir(folder: Path) -> Path:
    """A folder with corpus, queries and judgements."""
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": name, "title": "", "text": text} for name, text in DOCUMENTS.items()]
    write_rows(folder / "corpus.jsonl", corpus)
    queries = [{"_id": name, "text": text} for name, (text, _) in QUERIES.items()]
    write_rows(folder / "queries.jsonl", queries)
    judged = "".join(f"{name}\t{document}\t1\n" for name, (_, document) in QUERIES.items())
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}")
    return folder
