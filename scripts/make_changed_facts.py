"""Writes tests/changed_facts: copied sentences, half of them with one fact changed.

    python scripts/make_changed_facts.py --python-docs DIR --tz-news FILE --sklearn DIR

``--python-docs`` is the folder of reStructuredText sources (``_sources``) of the documentation of
Python 3.11.2, ``--tz-news`` the ``NEWS`` of the tz database 2025b (also gzipped), ``--sklearn`` the
folder ``sklearn/datasets/descr``. The same sources give the same bytes. Each sentence stands
twice: unchanged (supported), and with one number, date, name or negation changed (contradicted);
its premise is the sentence itself or its paragraph, with a heading or without.
"""

import argparse
import hashlib
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import fact_changes
from fact_changes import Change
from prose_sources import Paragraph, python_docs, sklearn_descriptions, tz_news

OUT = Path(__file__).resolve().parents[1] / "tests" / "changed_facts"
SEED = 20_251_121
EACH = 75
"""Sentences of each kind."""
LEFT_OUT = OUT / "left_out.txt"
"""Ids of pairs that a reader found wrong: the change is no contradiction, or no English."""

_TOLD = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|will|does|did|must|should|now [a-z]+s|[a-z]{3,}ed)\b"
)
_ORDERS = set(
    "Add Fix Correct Improve Model Remove Use See Note Assume Support Change Cite Adjust Say Omit "
    "Make Move Mention Update Do Avoid Allow Rename Clarify Port Replace Include Merge Also For "
    "Return This These That It They Its Here Otherwise If But And So Instead Then However".split()
)


def fits(sentence: str) -> bool:
    """Whether a sentence can be a claim: it tells something, in words, and is complete."""
    words = sentence.split()
    return (
        8 <= len(words) <= 34
        and sentence[0].isupper()
        and sentence.endswith((".", ".)"))
        and words[0].strip(",") not in _ORDERS
        and not re.search(r"[`|<>=\\{}\[\]_*@]|::|https?:|\w\(|\.\.|:$|[.?!] \d\.$", sentence)
        and sentence.count("(") == sentence.count(")")
        and sentence.count('"') % 2 == 0
        and bool(_TOLD.search(sentence))
    )


def premise(paragraph: Paragraph, k: int, rng: random.Random) -> str:
    """The sentence itself or its paragraph up to 110 words, half of them under the heading."""
    shown = paragraph.sentences[k]
    if rng.random() < 0.6:
        first = last = k
        while first > 0 or last < len(paragraph.sentences) - 1:
            first, last = max(0, first - 1), min(len(paragraph.sentences) - 1, last + 1)
            wider = " ".join(paragraph.sentences[first : last + 1])
            if len(wider.split()) > 110:
                break
            shown = wider
    return f"{paragraph.heading}: {shown}" if rng.random() < 0.5 else shown


def pairs(paragraphs: list[Paragraph], left_out: set[str]) -> Iterator[dict[str, str]]:
    """The set's rows: of each kind ``EACH`` sentences, unchanged and changed."""
    rng = random.Random(SEED)
    places = [(p, k) for p in paragraphs for k, s in enumerate(p.sentences) if fits(s)]
    persons = sorted({n for p, k in places for n in fact_changes.names_in(p.sentences[k])})
    kinds: tuple[tuple[str, Change, int], ...] = (
        ("date", fact_changes.date, EACH),
        ("name", fact_changes.name(persons), EACH),
        ("number", fact_changes.number, EACH),
        ("negation", fact_changes.negation_removed, EACH // 2),
        ("negation", fact_changes.negation_inserted, EACH - EACH // 2),
    )
    used: set[str] = set()
    for kind, change, count in kinds:
        rng.shuffle(places)
        per_source: dict[str, int] = {}
        taken = 0
        for paragraph, k in places:
            text = paragraph.sentences[k]
            if taken == count or text in used or per_source.get(paragraph.source, 0) >= 4:
                continue
            own = random.Random(f"{SEED}{kind}{text}")
            changed = change(text, own)
            key = hashlib.sha256(f"{kind}{text}".encode()).hexdigest()[:8]
            if changed is None or changed == text or key in left_out:
                continue
            used.add(text)
            taken += 1
            per_source[paragraph.source] = per_source.get(paragraph.source, 0) + 1
            shown = premise(paragraph, k, own)
            for claim, label in ((text, "supported"), (changed, "contradicted")):
                yield {
                    "id": f"{kind}-{key}-{label[0]}",
                    "kind": kind,
                    "premise": shown,
                    "claim": claim,
                    "label": label,
                    "source": paragraph.source,
                }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python-docs", type=Path, required=True)
    parser.add_argument("--tz-news", type=Path, required=True)
    parser.add_argument("--sklearn", type=Path, required=True)
    given = parser.parse_args()
    paragraphs = [
        *python_docs(given.python_docs),
        *tz_news(given.tz_news),
        *sklearn_descriptions(given.sklearn),
    ]
    left_out = set(LEFT_OUT.read_text("utf-8").split()) if LEFT_OUT.exists() else set()
    rows = [json.dumps(row, ensure_ascii=False) for row in pairs(paragraphs, left_out)]
    OUT.mkdir(exist_ok=True)
    (OUT / "changed_facts.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(rows)} pairs of {len(paragraphs)} paragraphs")


if __name__ == "__main__":
    main()
