"""Prints what a library on shared storage does on three Ray nodes of this machine.

    python scripts/measure_cluster.py same            evidence and labels beside a library on a disk
    python scripts/measure_cluster.py killed TRIES    a node is killed while it builds and judges
    python scripts/measure_cluster.py scaling ROUNDS  two nodes beside one, in turns
    python scripts/measure_cluster.py large PASSAGES  latency, memory, the approximate index

The documents and the draft are those of ``tests/samples``; fifty texts are three sentences each of
both. For ``large`` passages are varied as by ``measure_library``. CPU is of this process.
"""

import json
import os
import random
import resource
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from functools import partial
from itertools import chain, count, product
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any

import numpy as np
from bench import machine, texts, timed
from measure_library import varied

from veracite.engine import cluster
from veracite.engine.settings import CheckSettings
from veracite.index import building
from veracite.index.cluster import ClusterLibrary
from veracite.index.dataset import PASSAGE, Dataset, Head
from veracite.index.documents import Cut
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
    started = subprocess.Popen([_RAY, "start", *how, *_LIMITS], stdout=subprocess.PIPE)
    next(line for line in started.stdout or () if b"Ray runtime started" in line)
    return started


def below(pid: int) -> list[int]:
    """A process and all that it started."""
    told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [pid, *(one for child in told.stdout.split() for one in below(int(child)))]


def kill(started: Node) -> None:
    """As a machine that loses its power."""
    subprocess.run(["kill", "-9", *map(str, below(started.pid))], stderr=subprocess.DEVNULL)
    started.wait()


def fifty() -> list[str]:
    """Texts of three sentences."""
    read = map(Path.read_text, sorted(_SAMPLES.glob("**/*.md")))
    said = [text[one.start : one.end] for text in read for one in sentence_spans(text)]
    return [" ".join(said[at : at + 3]) for at in range(0, len(said), len(said) // 50)][:50]


def built(place: Path, source: Path) -> str:
    """A dataset of a folder, built by the cluster."""
    model = bundled_encoder()
    dataset = Dataset.create(str(place), Head(model.id, model.dimension, 2**30))
    list(cluster.build(dataset, _HEAD, CheckSettings(), [source]))
    return str(place)


def held(address: str) -> list[tuple[str, int]]:
    """Document and place of every passage."""
    found = Dataset(address).rows(PASSAGE, ["path", "start"])
    return sorted((one["path"], one["start"]) for one in found)


def done(what: str, work: Path, name: object = "whole") -> tuple[list[Any], float]:
    """What building or judging gives, with nothing remembered, and the seconds that it takes."""
    rmtree(os.environ["VERACITE_CACHE_DIR"], ignore_errors=True)
    found, whole = list[Any](), str(work / "whole")
    judged = partial(cluster.check, whole, None, _HEAD, CheckSettings(), fifty())
    make = judged if what == "judging" else lambda: held(built(work / str(name), work / "source"))
    return found, timed(lambda: found.extend(make()))[0]


def killed(work: Path, tries: int, nodes: list[Node]) -> None:
    """Lose a node in the middle, so many times while building and while judging."""
    building._FILES, building._COMMIT_SECONDS = 2, 0.5
    for number in range(4):
        copytree(_SAMPLES / "library", work / "source" / str(number))
    told, wanted = Counter[str](), {what: done(what, work) for what in ("building", "judging")}
    for number, what in product(range(tries), wanted):
        loss = Timer(random.uniform(0.1, 0.5) * wanted[what][1], kill, [nodes[1]])
        loss.start()
        right = done(what, work, number)[0] == wanted[what][0]
        told[f"{what}: {right}" if loss.finished.is_set() else f"{what}: lost too late"] += 1
        loss.join()
        nodes[1:] = [*nodes[2:], node(f"--address={_HEAD}")]
        row(f"a node lost, {number + 1} times: all is there once", dict(told))


def scaling(work: Path, rounds: int, nodes: list[Node]) -> None:
    """Passages and texts a second, by the number of nodes."""
    building._FILES, said = 5, fifty()
    (work / "source").mkdir()
    for number in range(250):
        text = "\n\n".join(f"{one} {number}" for one in said)
        (work / "source" / f"{number}.md").write_text(text)
    done("building", work)
    for number, what, many in product(range(rounds), ("building", "judging"), (2, 1)):
        while len(nodes) > many:
            kill(nodes.pop())
        nodes += [node(f"--address={_HEAD}") for _ in range(many - len(nodes))]
        found, took = done(what, work, f"{number}{many}")
        each = f"{len(found) / took:.2f} a second, {took:.0f} s, load {os.getloadavg()[0]:.1f}"
        row(f"{what}, {many} nodes", each)


def same(work: Path, _: int, nodes: list[Node]) -> None:
    """Compare with a library on a disk."""
    model, asked, made = bundled_encoder(), fifty(), built(work / "shared", _SAMPLES / "library")
    command = [sys.executable, "-m", "veracite.tui"]
    subprocess.run([*command, "library", "build", "shared", "--storage", made], check=True)
    (work / "many").write_text("\n".join(json.dumps({"text": text}) for text in asked))
    shared = ClusterLibrary(made, None, encode=model.encode, encoder_id=model.id)
    with Library(work / "disk", encode=model.encode, encoder_id=model.id) as disk:
        disk.add([_SAMPLES / "library"])
        list(disk.sync())
        for mode in ("dense", "lexical", "hybrid", "pooled"):
            mine, theirs = (one.search_many(asked, k=10, mode=mode) for one in (shared, disk))
            row(f"{mode}: same, recall@10", f"{mine == theirs}, {common(mine, theirs)}")
    for retrieval in ("dense", "hybrid"):
        told = []
        for against in ([str(_SAMPLES / "library")], ["shared"], ["shared", "--ray", _HEAD]):
            asks = [*command, "check", "--jsonl", work / "many", "--retrieval", retrieval, "-a"]
            rmtree(os.environ["VERACITE_CACHE_DIR"], ignore_errors=True)
            said = subprocess.run([*asks, *against], capture_output=True).stdout
            told.append([json.loads(line)["claims"] for line in said.splitlines()])
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
        cuts = (Cut(0, len(text), None, None, text, passage_id(None, text)) for text in some)
        rows = [{"kind": PASSAGE, "path": f"{next(numbers) // 20}", **asdict(cut)} for cut in cuts]
        dataset.commit(dataset.write(rows, vectors.astype(np.float16)), (), dataset.head)
    queries, found = asked[:60], {}
    for what, make in (made := {"exact": dataset.follow, "approximate": dataset.index}).items():
        row(f"index, {what}: seconds, CPU", timed(make))
        library = ClusterLibrary(dataset.address, None, encode=model.encode, encoder_id=model.id)
        for mode in ("dense", "lexical", "hybrid"):
            found[what, mode] = library.search_many(queries, k=10, mode=mode)
            took = [timed(partial(library.search, one, k=10, mode=mode)) for one in queries]
            row(f"{mode}, {what}: ms, CPU", np.round(1000 * np.median(took, axis=0)))
    row("recall@10, approximate", common(*(found[what, "dense"] for what in made)))
    size = sum(path.stat().st_size for path in work.rglob("*") if path.is_file())
    row("disk a passage, with indexes", f"{size / wanted:.0f} bytes")
    row("memory at most", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def main() -> None:
    """Measure in a folder that is removed again."""
    what, number = sys.argv[1], int((*sys.argv, "1")[2])
    with TemporaryDirectory(prefix="v-") as folder:
        work = Path(folder)
        os.environ |= {"RAY_worker_niceness": "0"}
        os.environ |= {f"VERACITE_{one}_DIR": str(work / one) for one in ("DATA", "CACHE")}
        print(f"{machine()}\n\n| what | figure |\n| --- | ---: |", flush=True)
        if what == "large":
            return large(work, number)
        first = ("--head", "--port=6397", "--include-dashboard=false", f"--temp-dir={work}/ray")
        nodes = [node(*first)]
        try:
            nodes += [node(f"--address={_HEAD}") for _ in range(2)]
            globals()[what](work, number, nodes)
        finally:
            for started in reversed(nodes):
                kill(started)


if __name__ == "__main__":
    main()
