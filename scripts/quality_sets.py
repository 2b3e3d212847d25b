"""What ``measure_quality.py`` measures: each set, its command, and whether it trained the network.

In the commands DATA is the folder that data/README.md describes, HELD what
``scripts/training/untrained.py`` writes from it, RUNS where results are kept.
"""

from dataclasses import dataclass

PREPARE = "python -m scripts.training.untrained --data DATA --out HELD"
"""Writes the parts of the training sets that did not train the verifier."""


@dataclass(frozen=True)
class Entry:
    """A set and how it is measured."""

    name: str
    command: str
    limit: int | None = None
    """Items drawn at random (``veracite eval --limit``)."""
    trained: bool = False
    """Whether other rows of the set trained the network."""

    @property
    def shown(self) -> str:
        """The command as the page shows it."""
        return self.command + (f" --limit {self.limit}" if self.limit is not None else "")


_ATTRIBUTE = "veracite eval attribute --data"
_WIKIBIO = "DATA/eval/wikibio/wikibio_gpt3_000-118.jsonl.gz"
_FELM = "DATA/eval/felm/felm_wk_even.jsonl.gz"
_NQ = "DATA/eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz"

ENTRIES = (
    Entry("wikibio", f"veracite eval detect --data {_WIKIBIO} --collection all"),
    Entry(
        "felm",
        f"veracite eval detect --data {_FELM} --data DATA/eval/felm/ceg_felm_top10_even.jsonl.gz",
    ),
    Entry("wikiretr", f"{_ATTRIBUTE} DATA/eval/wikiretr/wikiretr-gpt3-subset-chinese.json.gz"),
    Entry("attributionbench", f"{_ATTRIBUTE} HELD/attributionbench.jsonl", 400),
    Entry(
        "begin",
        f"{_ATTRIBUTE} DATA/eval/begin/begin_dev_cmu.tsv.gz --data "
        "DATA/eval/begin/begin_dev_tc.tsv.gz --data DATA/eval/begin/begin_dev_wow.tsv.gz",
        400,
    ),
    Entry("wice", f"{_ATTRIBUTE} HELD/wice.jsonl", trained=True),
    Entry("summedits", f"{_ATTRIBUTE} HELD/summedits.jsonl", 300),
    Entry("contract-nli", f"{_ATTRIBUTE} HELD/contract_nli.json", trained=True),
    Entry("foolmetwice", f"{_ATTRIBUTE} HELD/foolmetwice.jsonl", 300, trained=True),
    Entry("halueval", "veracite eval choose --data DATA/eval/halueval/qa_0-499.jsonl.gz", 150),
    Entry("scifact", "veracite eval retrieve --data DATA/eval/scifact/scifact.zip"),
    Entry("nq-retrieve", f"veracite eval retrieve --data {_NQ}", 300),
    Entry("nq-answer", f"veracite eval answer --data {_NQ}", 150),
    Entry("changed-facts", "python scripts/changed_facts.py"),
    Entry("same-subject", "python scripts/measure_strangers.py --sets tests/data --json"),
    Entry("strangers", "python scripts/measure_strangers.py --sets scripts/strangers --json"),
    Entry("blind-one", "python scripts/measure_strangers.py --sets scripts/blind/one --json"),
    Entry("blind-two", "python scripts/measure_strangers.py --sets scripts/blind/two --json"),
    Entry("speed", f"python -m scripts.measure_speed --data {_WIKIBIO}"),
)
