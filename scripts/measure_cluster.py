"""Prints what a library on shared storage does on three Ray nodes of this machine.

    python scripts/measure_cluster.py same            evidence and labels beside a library on a disk
    python scripts/measure_cluster.py killed TRIES    a node is killed while it builds and judges
    python scripts/measure_cluster.py large PASSAGES  latency, memory, the approximate index

The documents and the draft are those of ``tests/samples``; fifty texts are three sentences each of
both. For ``large`` passages are varied as by ``measure_library``. CPU is of this process.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from itertools import chain, count
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from threading import Timer

import numpy as np
from bench import machine, texts, timed
from measure_library import varied

from veracite.engine import cluster
from veracite.engine.settings import CheckSettings
from veracite.index import building
from veracite.index.cluster import ClusterLibrary
from veracite.index.dataset import PASSAGE, Dataset, Head
from veracite.index.library import Library
from veracite.index.passages import passage_id
from veracite.index.sentences import sentence_spans
from veracite.models.bundled import bundled_encoder

_SAMPLES = Path(__file__).parents[1] / "tests" / "samples"
_HEAD = "127.0.0.1:6397"
_RAY = Path(sys.executable).with_name("ray")
_LIMITS = ("--num-cpus=1", "--object-store-memory=80000000", "--disable-usage-stats", "--block")
Node = subprocess.Popen[bytes]


def row(what: str, figure: object) -> None:
    """A row of the table."""
    print(f"| {what} | {figure} |", flush=True)


def node(*how: str) -> Node:
    """A node of the cluster, once it is up."""
    quiet = {**os.environ, "RAY_worker_niceness": "0"}
    started = subprocess.Popen([_RAY, "start", *how, *_LIMITS], env=quiet, stdout=subprocess.PIPE)
    while started.stdout and b"Ray runtime started" not in started.stdout.readline():
        pass
    return started


def below(pid: int) -> list[int]:
    """A process and all that it started."""
    told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [pid, *(one for child in told.stdout.split() for one in below(int(child)))]


def kill(started: Node) -> None:
    """As a machine that loses its power."""
    for pid in below(started.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    started.wait()


def fifty() -> list[str]:
    """Texts of three sentences."""
    said = []
    for path in (_SAMPLES / "draft.md", *sorted(_SAMPLES.glob("library/**/*.md"))):
        text = path.read_text()
        said += [text[span.start : span.end] for span in sentence_spans(text)]
    return [" ".join(said[at : at + 3]) for at in range(0, len(said), len(said) // 50)][:50]


def built(place: Path, source: Path) -> str:
    """A dataset of a folder, built by the cluster."""
    model = bundled_encoder()
    dataset = Dataset.create(str(place), Head(model.id, model.dimension, 2**30))
    for _ in cluster.build(dataset, _HEAD, CheckSettings(), [source]):
        pass
    return str(place)


def held(address: str) -> list[tuple[str, int]]:
    """Document and place of every passage."""
    return sorted(
        (r["path"], r["start"]) for r in Dataset(address).rows(PASSAGE, ["path", "start"])
    )


def killed(work: Path, tries: int, others: list[Node]) -> None:
    """Lose a node in the middle, so many times while building and while judging."""
    building._FILES, building._COMMIT_SECONDS = 2, 0.5
    for number in range(4):
        copytree(_SAMPLES / "library", work / "source" / str(number))
    address = str(work / "whole")
    took = timed(partial(built, work / "whole", work / "source"))[0]
    judge = partial(cluster.check, address, None, _HEAD, CheckSettings(), fifty())
    wanted, reports, right = held(address), list(judge()), {"building": 0, "judging": 0}
    for number in range(tries):
        for what in right:
            loss = Timer(random.uniform(0.2, 0.8) * took, kill, [others[number % 2]])
            loss.start()
            if what == "building":
                right[what] += held(built(work / str(number), work / "source")) == wanted
            else:
                right[what] += list(judge()) == reports
            loss.join()
            others[number % 2] = node(f"--address={_HEAD}")
        row(f"a node lost, {number + 1} times", f"{right} as without a loss")


def same(work: Path) -> None:
    """Compare with a library on a disk."""
    model, asked, made = bundled_encoder(), fifty(), built(work / "shared", _SAMPLES / "library")
    command = [sys.executable, "-m", "veracite.tui"]
    subprocess.run([*command, "library", "build", "shared", "--storage", made], check=True)
    (work / "many").write_text("\n".join(json.dumps({"text": text}) for text in asked))
    shared = ClusterLibrary(made, encode=model.encode, encoder_id=model.id)
    with Library(work / "disk", encode=model.encode, encoder_id=model.id) as disk:
        disk.add([_SAMPLES / "library"])
        list(disk.sync())
        for mode in ("dense", "lexical", "hybrid", "pooled"):
            mine, theirs = (one.search_many(asked, k=10, mode=mode) for one in (shared, disk))
            row(
                f"{mode}: the same evidence, recall@10", f"{mine == theirs}, {common(mine, theirs)}"
            )
    for retrieval in ("dense", "hybrid"):
        told = []
        for against in ([str(_SAMPLES / "library")], ["shared"], ["shared", "--ray", _HEAD]):
            asks = [*command, "check", "--jsonl", work / "many", "--retrieval", retrieval, "-a"]
            done = subprocess.run([*asks, *against], capture_output=True)
            told.append([json.loads(line)["claims"] for line in done.stdout.splitlines()])
        row(f"{retrieval}: on the cluster as here", told[1] == told[2])
        pairs = [*zip(*(chain.from_iterable(one) for one in told[:2]), strict=True)]
        labels = np.mean([one["label"] == other["label"] for one, other in pairs])
        whole = np.mean([one == other for one, other in pairs])
        row(f"{retrieval}: labels, whole verdicts", f"{labels:.4f}, {whole:.4f} of {len(pairs)}")


def common(mine: object, theirs: object) -> str:
    """The share of what is found for queries that is found for them elsewhere."""
    ids = [[{item.passage.id for item in found} for found in one] for one in (mine, theirs)]  # type: ignore[attr-defined]
    return f"{np.mean([len(a & b) / max(1, len(b)) for a, b in zip(*ids, strict=True)]):.4f}"


def large(work: Path, wanted: int) -> None:
    """Latency, memory, disk, and recall of an approximate index."""
    model, (real, asked), numbers = bundled_encoder(), texts(), count()
    dataset = Dataset.create(str(work / "large"), Head(model.id, model.dimension, 2**30))
    for some, vectors in varied(real, model.encode(real), wanted):
        rows = []
        for text in some:
            path = f"/elsewhere/{next(numbers) // 20}.txt"
            own: dict[str, object] = {"sha256": "0", "extractor": "plain/1"}
            own |= {"file": path, "path": path, "text": text, "id": passage_id(None, text)}
            rows.append({"kind": PASSAGE, "start": 0, "end": len(text), "heading": None, **own})
        dataset.commit(dataset.write(rows, vectors.astype(np.float16)), (), dataset.head)
    queries, found = asked[:60], {}
    for what, make in (("exact", dataset.follow), ("approximate", dataset.index)):
        row(f"index, {what}: seconds, CPU", timed(make))
        library = ClusterLibrary(
            dataset.address, encode=model.encode, encoder_id=model.id, exact=what == "exact"
        )
        for mode in ("dense", "lexical", "hybrid"):
            found[what, mode] = library.search_many(queries, k=10, mode=mode)
            took = [timed(partial(library.search, one, k=10, mode=mode)) for one in queries]
            wall, cpu = 1000 * np.median(took, axis=0)
            row(f"{mode}, {what}", f"{wall:.0f} ms, CPU {cpu:.0f} ms")
    row(
        "recall@10 of the approximate index",
        common(found["approximate", "dense"], found["exact", "dense"]),
    )
    size = sum(path.stat().st_size for path in work.rglob("*") if path.is_file())
    row("disk a passage, with indexes", f"{size / wanted:.0f} bytes")
    row("memory at most", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def main() -> None:
    """Measure in a folder that is removed again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["same", "killed", "large"])
    parser.add_argument("number", type=int, nargs="?", default=1)
    given = parser.parse_args()
    with TemporaryDirectory(prefix="v-") as folder:
        work = Path(folder)
        os.environ |= {f"VERACITE_{one}_DIR": str(work / one) for one in ("DATA", "CACHE")}
        print(f"{machine()}\n\n| what | figure |\n| --- | ---: |", flush=True)
        if given.what == "large":
            return large(work, given.number)
        first = ("--head", "--port=6397", "--include-dashboard=false", f"--temp-dir={work}/ray")
        nodes = [node(*first), *(node(f"--address={_HEAD}") for _ in range(2))]
        others = nodes[1:]
        try:
            same(work) if given.what == "same" else killed(work, given.number, others)
        finally:
            for started in (*others, nodes[0]):
                kill(started)


if __name__ == "__main__":
    main()
