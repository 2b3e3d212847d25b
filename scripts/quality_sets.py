"""What ``measure_quality.py`` measures: each set, its command, and whether it trained the network.

In the commands DATA is the folder that data/README.md describes, HELD what
``scripts/training/untrained.py`` writes from it, RUNS where results are kept.
"""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["json", "text", "speed"]
"""What a command prints."""

PREPARE = "python -m scripts.training.untrained --data DATA --out HELD"
"""Writes the parts of the training sets that did not train the verifier."""

NOT_TRAINED = "Not trained on."
TRAINED = (
    "Part of this set trained the network. These rows are of the other part, chosen by a hash, "
    "which the network has not seen."
)


@dataclass(frozen=True)
class Entry:
    """A set and how it is measured."""

    name: str
    title: str
    command: str
    limit: int | None = None
    """Items drawn at random (``veracite eval --limit``)."""
    kind: Kind = "json"
    trained: str = NOT_TRAINED


_ATTRIBUTE = "veracite eval attribute --data"
_WIKIBIO = "DATA/eval/wikibio/wikibio_gpt3_000-118.jsonl.gz"
_FELM = "DATA/eval/felm/felm_wk_even.jsonl.gz"
_NQ = "DATA/eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz"

ENTRIES = (
    Entry(
        "wikibio",
        "WikiBio GPT-3, all reference articles as one library",
        f"veracite eval detect --data {_WIKIBIO} --collection all",
    ),
    Entry(
        "felm",
        "FELM world knowledge with CEG's passages",
        f"veracite eval detect --data {_FELM} --data DATA/eval/felm/ceg_felm_top10_even.jsonl.gz",
    ),
    Entry(
        "wikiretr",
        "WikiRetr-GPT3, the claims that people judged",
        f"{_ATTRIBUTE} DATA/eval/wikiretr/wikiretr-gpt3-subset-chinese.json.gz",
    ),
    Entry(
        "attributionbench",
        "AttributionBench (development)",
        f"{_ATTRIBUTE} HELD/attributionbench.jsonl",
        400,
    ),
    Entry(
        "begin",
        "BEGIN (development)",
        f"{_ATTRIBUTE} DATA/eval/begin/begin_dev_cmu.tsv.gz --data "
        "DATA/eval/begin/begin_dev_tc.tsv.gz --data DATA/eval/begin/begin_dev_wow.tsv.gz",
        400,
    ),
    Entry(
        "wice",
        "WiCE, claims against whole pages (held-out part)",
        f"{_ATTRIBUTE} HELD/wice.jsonl",
        trained=TRAINED,
    ),
    Entry(
        "summedits",
        "SummEdits (held-out part)",
        f"{_ATTRIBUTE} HELD/summedits.jsonl",
        300,
    ),
    Entry(
        "contract-nli",
        "ContractNLI, hypotheses against whole contracts (held-out part)",
        f"{_ATTRIBUTE} HELD/contract_nli.json",
        trained=TRAINED,
    ),
    Entry(
        "foolmetwice",
        "Fool Me Twice with gold evidence (held-out part)",
        f"{_ATTRIBUTE} HELD/foolmetwice.jsonl",
        300,
        trained=TRAINED,
    ),
    Entry(
        "halueval",
        "HaluEval QA, which of two answers is right",
        "veracite eval choose --data DATA/eval/halueval/qa_0-499.jsonl.gz",
        150,
    ),
    Entry(
        "scifact",
        "SciFact, finding the abstract that a claim cites",
        "veracite eval retrieve --data DATA/eval/scifact/scifact.zip",
    ),
    Entry(
        "nq-retrieve",
        "NQ-open, finding the gold passage",
        f"veracite eval retrieve --data {_NQ}",
        300,
    ),
    Entry(
        "nq-answer",
        "NQ-open, answering from the gold passage by quoting",
        f"veracite eval answer --data {_NQ}",
        150,
    ),
    Entry(
        "changed-facts",
        "Changed facts: numbers, dates, names and negations",
        "python scripts/changed_facts.py",
    ),
    Entry(
        "same-subject",
        "Claims about the subject of a sentence at another time or in another case",
        "python scripts/measure_strangers.py --sets tests/data --json",
    ),
    Entry(
        "strangers",
        "Strangers' claims about strangers' documents",
        "python scripts/measure_strangers.py --sets scripts/strangers --json",
    ),
    Entry(
        "blind-one",
        "A blind set",
        "python scripts/measure_strangers.py --sets scripts/blind/one --json",
    ),
    Entry(
        "blind-two",
        "A blind set that was run once",
        "python scripts/measure_strangers.py --sets scripts/blind/two --json",
    ),
    Entry(
        "claims",
        "Claims: segmentation, coreference, checkworthiness",
        f"python scripts/measure_claims.py --wikibio {_WIKIBIO} --felm {_FELM} "
        "--checkworthiness DATA/train/factcheck_gpt/subtask2_claim_checkworthiness.jsonl",
        kind="text",
    ),
    Entry(
        "speed",
        "Speed, and what each option costs",
        f"python scripts/measure_speed.py --data {_WIKIBIO} --limit 40 --pairs 96 --rounds 5 "
        "--option-rounds 1",
        kind="speed",
    ),
)
