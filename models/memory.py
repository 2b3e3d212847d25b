"""Whether a language model fits into the memory, reckoned from its header before it is loaded."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from veracite.models.errors import ModelError
from veracite.models.gguf import MAX_ROWS
from veracite.models.gguf_header import Header

__all__ = ["Need", "available_memory", "gpu_layers_that_fit", "needed", "require_memory"]

_CHUNK = 512
"""Tokens that are decoded at once, at most."""

_RUNTIME = 64 * 2**20
"""Bytes that llama.cpp takes for itself and for the vocabulary."""

_GPU_MARGIN = 2**30
"""Bytes of a GPU that are left alone, as llama.cpp itself does when it fits a model."""

_SHORTEST_CONTEXT = 2048
"""Tokens; less leaves no room for passages."""

_CGROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Need:
    """What a loaded model takes of the main memory, in bytes."""

    weights: int
    cache: int
    """Keys and values of the tokens in the context, two bytes a number."""
    compute: int
    """What one decoding needs beside them, and the runtime."""

    @property
    def total(self) -> int:
        return self.weights + self.cache + self.compute


def needed(header: Header, context: int, gpu_layers: int = 0) -> Need:
    """The main memory for a context of so many tokens with so many layers on a GPU."""
    # The output is moved first, but it may be the embedding's matrix too, which stays.
    blocks = header.blocks - min(max(gpu_layers - 1, 0), header.blocks)
    return Need(
        weights=header.tensor_bytes - sum(header.block_bytes[blocks:]),
        cache=sum(_cache(header)[:blocks]) * context,
        compute=_compute(header, context) + _RUNTIME,
    )


def require_memory(header: Header, context: int, gpu_layers: int = 0) -> None:
    """Nothing, if the model fits into the memory that is free now.

    Raises:
        ModelError: it does not; the advice says which context would, if any.
    """
    need, free = needed(header, context, gpu_layers), available_memory()
    if need.total <= free:
        return
    raise ModelError(
        f"The model {header.name} needs {_size(need.total)} of memory with a context of "
        f"{context:,} tokens, and {_size(free)} are free.",
        *_advice(header, free, gpu_layers),
    )


def gpu_layers_that_fit(header: Header, context: int, free: int) -> int:
    """How many layers to keep on a GPU with ``free`` bytes: as many as fit, 0 if none does.

    llama.cpp moves the output first, then the blocks from the last to the first.
    """
    room = free - _GPU_MARGIN - _compute(header, context) - header.output_bytes
    if room < 0:
        return 0
    layers = 1
    for weights, cache in zip(reversed(header.block_bytes), reversed(_cache(header)), strict=True):
        room -= weights + cache * context
        if room < 0:
            break
        layers += 1
    return layers


def available_memory() -> int:
    """Bytes that can be used without swapping, within the limits of the control groups.

    Outside Linux, where the free part is not told without more ado, all that is built in.
    """
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        told = dict(line.split(":", 1) for line in lines)
        free = int(told["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([free, *_left_by_groups()])


def _left_by_groups() -> Iterator[int]:
    """What each control group around this process still allows (version 2 of them)."""
    try:
        own = Path("/proc/self/cgroup").read_text(encoding="utf-8").rpartition("0::/")[2].strip()
    except OSError:
        return
    folder = _CGROUPS / own
    for group in (folder, *folder.parents):
        if not group.is_relative_to(_CGROUPS):
            return
        try:
            limit = int((group / "memory.max").read_text(encoding="ascii"))
            used = int((group / "memory.current").read_text(encoding="ascii"))
            detail = (group / "memory.stat").read_text(encoding="ascii").splitlines()
        except (OSError, ValueError):  # no limit, or none that is told
            continue
        reclaimable = sum(int(line.split()[1]) for line in detail if line.startswith("inactive_f"))
        yield max(0, limit - used + reclaimable)


def _cache(header: Header) -> tuple[int, ...]:
    """Bytes of each block for each token of the context."""
    numbers = header.key_length + header.value_length
    return tuple(2 * heads * numbers for heads in header.kv_heads)


def _compute(header: Header, context: int) -> int:
    """At most what llama.cpp reserves for one decoding: mask, activations, logits."""
    tokens = _CHUNK + MAX_ROWS
    mask = 2 * tokens * context
    activations = 4 * tokens * (2 * header.feed_forward + 9 * header.embedding)
    return mask + activations + 4 * MAX_ROWS * header.vocabulary


def _advice(header: Header, free: int, gpu_layers: int) -> tuple[str, ...]:
    """What to do, and what kind of failure that makes it."""
    fixed = needed(header, 0, gpu_layers).total
    fitting = (free - fixed) // (needed(header, 1, gpu_layers).total - fixed)
    context = min(fitting, header.context_length) // 1024 * 1024
    if context >= _SHORTEST_CONTEXT:
        return f"Use --context {context} or less.", "context too large"
    bits = 8 * header.tensor_bytes / max(1, header.parameters)
    if bits > 5:
        return ("Use a smaller quantisation of it, such as Q4_K_M, or a smaller model.",)
    return ("Use a smaller model, or close other programs.",)


def _size(count: int) -> str:
    return f"{count / 1e9:,.1f} GB"
