"""What ``measure_quality.py`` measures: each set, its command, and whether it trained the model.

In the commands DATA is the folder that data/README.md describes, HELD what
``scripts/training/untrained.py`` writes from it, RUNS where results are kept.
"""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["eval", "facts", "claims", "speed"]

PREPARE = "python -m scripts.training.untrained --data DATA --out HELD"
"""Writes the parts of the training sets that did not train the verifier."""

NOT_TRAINED = "Not trained on."
HELD_OUT = (
    "Part of this set trained the model. These rows are of the other part, chosen by a hash, which "
    "the verifier has not seen. The half that thresholds come from also helped to fit the "
    "decision's weights, and some of all rows its temperature, one number."
)


@dataclass(frozen=True)
class Entry:
    """A set and how it is measured."""

    name: str
    title: str
    command: str
    limit: int | None = None
    """Items drawn at random (``veracite eval --limit``)."""
    kind: Kind = "eval"
    trained: str = NOT_TRAINED
    counts: bool = False
    """Whether it is one of the sets that the mean of the goal is over."""
    remark: str = ""

    @property
    def was_trained_on(self) -> bool:
        """Whether another part of the set trained the model."""
        return self.trained == HELD_OUT


_ATTRIBUTE = "veracite eval attribute --data"
_WIKIBIO = "DATA/eval/wikibio/wikibio_gpt3_000-118.jsonl.gz"
_FELM = "DATA/eval/felm/felm_wk_even.jsonl.gz"
_NQ = "DATA/eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz"

ENTRIES = (
    Entry(
        "wikibio",
        "WikiBio GPT-3, all reference articles as one library",
        f"veracite eval detect --data {_WIKIBIO} --collection all",
        remark="The goal's set; CEG has 0.776 with GPT-3.5 and 64 M passages.",
    ),
    Entry(
        "wikibio-each",
        "WikiBio GPT-3, each text against its own article",
        f"veracite eval detect --data {_WIKIBIO} --collection each",
    ),
    Entry(
        "felm",
        "FELM world knowledge with CEG's passages",
        f"veracite eval detect --data {_FELM} --data DATA/eval/felm/ceg_felm_top10_even.jsonl.gz",
        remark="CEG has 0.597 with ChatGPT and 0.699 with GPT-4 on the whole set.",
    ),
    Entry(
        "wikiretr",
        "WikiRetr-GPT3, the claims that people judged",
        f"{_ATTRIBUTE} DATA/eval/wikiretr/wikiretr-gpt3-subset-chinese.json.gz",
        counts=True,
        remark="Ten of the hundred claims are not supported: the intervals are wide.",
    ),
    Entry(
        "attributionbench",
        "AttributionBench (development)",
        f"{_ATTRIBUTE} HELD/attributionbench.jsonl",
        counts=True,
        remark="Claims of its ExpertQA part also stand in ExpertQA, most of which trained the "
        "model; those are left out, so what remains was not trained on.",
    ),
    Entry(
        "begin",
        "BEGIN (development)",
        f"{_ATTRIBUTE} DATA/eval/begin/begin_dev_cmu.tsv.gz --data "
        "DATA/eval/begin/begin_dev_tc.tsv.gz --data DATA/eval/begin/begin_dev_wow.tsv.gz",
        counts=True,
    ),
    Entry(
        "aggrefact",
        "AggreFact, validation workbook",
        f"{_ATTRIBUTE} DATA/train/aggrefact/AggreFact-Unified-val.xlsx",
        100,
        remark="The workbook lists errors: all but three of its summaries are inconsistent. Only "
        "the share of them that is called supported says anything; it is in no mean.",
    ),
    Entry(
        "wice",
        "WiCE, claims against whole pages (held-out part)",
        f"{_ATTRIBUTE} HELD/wice.jsonl",
        trained=HELD_OUT,
        counts=True,
    ),
    Entry(
        "summedits",
        "SummEdits (held-out part)",
        f"{_ATTRIBUTE} HELD/summedits.jsonl",
        trained=HELD_OUT,
        counts=True,
    ),
    Entry(
        "contract-nli",
        "ContractNLI, hypotheses against whole contracts (held-out part)",
        f"{_ATTRIBUTE} HELD/contract_nli.json",
        trained=HELD_OUT,
        counts=True,
    ),
    Entry(
        "foolmetwice",
        "Fool Me Twice with gold evidence (held-out part)",
        f"{_ATTRIBUTE} HELD/foolmetwice.jsonl",
        trained=HELD_OUT,
        counts=True,
    ),
    Entry(
        "halueval",
        "HaluEval QA, which of two answers is right",
        "veracite eval choose --data DATA/eval/halueval/qa_0-499.jsonl.gz",
        150,
        remark="Picking the shorter answer is nearly always right here.",
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
        kind="facts",
        trained="Not trained on; no rule that made it is shared with the training.",
    ),
    Entry(
        "claims",
        "Claims: segmentation, coreference, checkworthiness",
        f"python scripts/measure_claims.py --wikibio {_WIKIBIO} --felm {_FELM} "
        "--checkworthiness DATA/train/factcheck_gpt/subtask2_claim_checkworthiness.jsonl",
        kind="claims",
        trained="Rules were developed on the other half of each set.",
    ),
    Entry(
        "speed",
        "Speed, and what each option costs",
        f"python scripts/measure_speed.py --data {_WIKIBIO} --limit 80 --pairs 96 --rounds 15 "
        "--option-rounds 1",
        kind="speed",
    ),
)
