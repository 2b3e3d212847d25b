"""Train the sentence splitter's parameters with NLTK's own Punkt trainer.

    python -m scripts.train_punkt --data DIR/train

DIR holds the plain texts: ``wikitext2/{valid,test}.txt.gz``, ``wiki_passages_flashrag/
sample_data.jsonl.gz`` and ``wiki_science_pages/*.json.gz`` (Wikipedia, CC BY-SA). The result is the
four sets of ``PunktParameters`` as sorted JSON, so the same texts give the same file.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from nltk.tokenize.punkt import PunktTrainer

from scripts.training.pairs import options, read_rows, read_text

REPO = Path(__file__).resolve().parents[1]

_MASK = "Unk"  # what stands for wikitext's "<unk>"

_UNTOKENISE = [
    (re.compile(r" @([-,.])@ "), r"\1"),  # wikitext writes "two @-@ part", "1 @,@ 000"
    (re.compile(r" ([.,;:!?%)\]}])"), r"\1"),
    (re.compile(r"([(\[{$£]) "), r"\1"),
    (re.compile(r" ('(?:s|re|ve|ll|d|m)|n't)\b"), r"\1"),
    (re.compile(r'" ([^"\n]*?) "'), r'"\1"'),
    (re.compile(r"(?<=\w) '(?= )"), "'"),
    (re.compile(r" ([–—/]) "), r"\1"),
    (re.compile(r"<unk>"), _MASK),
]


def wikitext(folder: Path) -> Iterator[str]:
    """The articles' paragraphs with the tokeniser's spaces taken back; headings are left out."""
    for path in sorted(folder.glob("*.txt.gz")):
        for paragraph in map(str.strip, read_text(path).splitlines()):
            if paragraph and not paragraph.startswith("="):
                for pattern, replacement in _UNTOKENISE:
                    paragraph = pattern.sub(replacement, paragraph)
                yield paragraph


def _is_plausible_abbreviation(word: str) -> bool:
    """Few texts make Punkt take rare words for abbreviations: "wax", "cod", "xxvi".

    Initials are left to Punkt's own rule for them, the well-known rest to index/sentences.py.
    """
    inner = re.fullmatch(r"[a-z]+(\.[a-z]+)+", word) is not None
    return inner or re.fullmatch(r"[bcdfghjklmnpqrstvwxz]{2,4}", word) is not None


def main() -> None:
    given = options(__doc__, "--data", out=REPO / "index" / "punkt.json")
    data: Path = given.data
    found = sorted(data.glob("wiki_passages_flashrag/*.jsonl.gz"))
    rows = (row for path in found for row in read_rows(path))
    pages = map(read_text, sorted(data.glob("wiki_science_pages/*.json.gz")))
    texts = [
        *wikitext(data / "wikitext2"),
        *(row["contents"].partition("\n")[2] for row in rows),  # the first line is the title
        *(page["text"] for text in pages for page in json.loads(text)),
    ]
    trainer = PunktTrainer()
    trainer.INCLUDE_ALL_COLLOCS = True
    trainer.train("\n\n".join(texts), finalize=True)
    parameters = trainer.get_params()
    # The orthographic context of a word seen once is noise and two thirds of the file.
    counts = Counter(word for text in texts for word in re.findall(r"[^\W\d_]+", text.lower()))
    context = {
        word: flags for word, flags in sorted(parameters.ortho_context.items()) if counts[word] >= 3
    }
    abbreviations = sorted(filter(_is_plausible_abbreviation, parameters.abbrev_types))
    stored = {
        "about": "Punkt parameters, trained by scripts/train_punkt.py on Wikipedia text (CC BY-SA)",
        "abbrev_types": abbreviations,
        "collocations": sorted(map(list, parameters.collocations)),
        "sent_starters": sorted(word for word in parameters.sent_starters if word != _MASK.lower()),
        "ortho_context": context,
    }
    given.out.write_text(
        json.dumps(stored, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8"
    )
    print({name: len(value) for name, value in stored.items()})


if __name__ == "__main__":
    main()
