"""Checks claims that somebody wrote about documents that no rule and no training has seen.

    python scripts/measure_strangers.py [--sets scripts/blind/one] [--json]

``scripts/strangers`` has documents such as people keep (minutes, a lease, a manual, letters) and
ten claims about each, written in November 2026 before anything was run on them, many to trip it
up: 130 for verifier-6 and judge-17 (``first``), which were known when the decision was fitted anew,
and 120 after that (``second``), to which the rules on denials owe something; 200 (``third``) that
judge-35 was chosen by, beside ``first``. A claim's label is *supported*, *contradicted* or
*neither* by all the documents of its set. Rules that are made knowing them make the figures say
less: write further ones then. ``scripts/blind`` has twelve such further sets, 120 claims each,
labelled alike by a second reader (``seven`` by its writer, who read it twice): whoever runs one of
them while still choosing anything has used it up, so each is run only when a network and its
decision are final; ``three`` was written beside verifier-9 and first run on it, ``four`` beside
judge-29, ``five`` beside judge-30, ``six`` beside judge-32, ``seven`` beside judge-34, ``eight``
beside judge-35, ``nine`` beside judge-40, ``ten`` and ``eleven`` beside judge-43
and judge-44, ``twelve`` beside judge-45.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from update_docs import output_of

FOLDER = Path(__file__).with_name("strangers")
LABELS = ("supported", "contradicted", "neither")
VERDICTS = ("supported", "contradicted", "not_found", "uncertain", "not_checkable")


def verdicts(claims: list[str], documents: Path) -> dict[str, str]:
    """The label that ``veracite check`` gives to each claim, each a paragraph of one text."""
    with tempfile.TemporaryDirectory() as scratch:
        draft = Path(scratch) / "claims.txt"
        draft.write_text("\n\n".join(claims) + "\n", encoding="utf-8")
        command = ["veracite", "check", str(draft), "--against", str(documents)]
        printed = output_of([*command, "--json", "--quiet", "--fail-on", "none"])
    return {one["text"]: one["label"] for one in json.loads(printed)["claims"]}


def sets(folder: Path) -> Iterator[tuple[str, list[dict[str, str]], Path]]:
    """Each set's name, its claims with their labels, and the folder of its documents.

    A set is a folder with ``claims.jsonl`` and ``documents``, or ``same_subject.json``, whose
    claims are false or, where they say why not, of something else.
    """
    if (folder / "same_subject.json").exists():
        held = json.loads((folder / "same_subject.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as scratch:
            for document in held["documents"]:
                (Path(scratch) / document["name"]).write_text(document["text"], encoding="utf-8")
            rows = [
                {"claim": c["claim"], "label": "neither" if "not" in c else "contradicted"}
                for c in held["claims"]
            ]
            yield "same_subject", rows, Path(scratch)
        return
    for one in [folder] if (folder / "claims.jsonl").exists() else sorted(folder.iterdir()):
        lines = (one / "claims.jsonl").read_text(encoding="utf-8").splitlines()
        yield one.name, [json.loads(line) for line in lines], one / "documents"


def counted(rows: list[dict[str, str]], documents: Path) -> dict[str, dict[str, int]]:
    """How often each label was given to the claims, by what they are in truth."""
    found = verdicts([row["claim"] for row in rows], documents)
    counts = Counter((row["label"], found[row["claim"]]) for row in rows)
    return {label: {v: counts[label, v] for v in VERDICTS} for label in LABELS}


def told(name: str, counts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """The counts as a table, and how many were called so rightly."""
    yield f"{name:14s}" + "".join(f"{verdict:>15s}" for verdict in VERDICTS)
    for label in LABELS:
        yield f"{label:14s}" + "".join(f"{counts[label][verdict]:15d}" for verdict in VERDICTS)
    for verdict in VERDICTS[:2]:
        called = sum(counts[label][verdict] for label in LABELS)
        yield f"called {verdict}: {counts[verdict][verdict]} of {called} rightly"


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=Path, default=FOLDER, help="a set, or a folder of sets")
    parser.add_argument("--json", action="store_true", dest="as_json")
    given = parser.parse_args()
    every = {name: counted(rows, documents) for name, rows, documents in sets(given.sets)}
    if given.as_json:
        print(json.dumps(every, indent=1))
        return
    for name, counts in every.items():
        print("\n".join(told(name, counts)), end="\n\n")


if __name__ == "__main__":
    main()
