"""The way of a GGUF file into the memory: looked at, reckoned, tried, loaded."""

from pathlib import Path
from threading import Event

from veracite.models.build import gpu_memory
from veracite.models.cores import physical_cores
from veracite.models.errors import ModelError
from veracite.models.gguf import Model
from veracite.models.gguf_header import Header, chat_template, read_header
from veracite.models.memory import gpu_layers_that_fit, require_memory
from veracite.models.trial import require_trial

__all__ = ["load"]

_CONTEXT = 8192
_LEAST = 512
"""Tokens; in fewer, a passage, a claim and what is asked of them have no room together."""
_CHUNK = 512
_GPU_CHUNK = 128
"""Tokens. Only the processor can be stopped in the middle of a chunk."""


def load(
    path: Path,
    *,
    context: int | None,
    gpu_layers: int | None,
    threads: int | None,
    verified: Path,
    stop: Event,
    verbose: bool,
) -> tuple[Model, str, str]:
    """The model, its chat template, and its name with the start of the file's SHA-256.

    Arguments and errors are those of ``Generator.open``.
    """
    free = gpu_memory()
    header = read_header(path)
    template = chat_template(header)
    size = _context(header, context)
    layers = gpu_layers_that_fit(header, size, free) if gpu_layers is None else gpu_layers
    if layers and not free:
        raise ModelError(
            "llama.cpp finds no GPU here, or was built without support for it.",
            "Leave out --gpu-layers; veracite doctor shows what it was built for.",
            "no GPU",
        )
    require_memory(header, size, layers)
    sha256 = require_trial(path, verified, stop)
    model = Model(
        path,
        context=size,
        chunk=_GPU_CHUNK if layers else _CHUNK,
        threads=threads or physical_cores(),
        gpu_layers=layers,
        verbose=verbose,
    )
    return model, template, f"{header.name}@{sha256[:12]}"


def _context(header: Header, wanted: int | None) -> int:
    if header.context_length < _LEAST:
        raise ModelError(
            f"The model {header.name} reads {header.context_length:,} tokens at most, which is "
            "too little to show it a passage and a claim.",
            f"Use a model that was trained on a context of {_LEAST} tokens or more.",
        )
    if wanted is None:
        return min(_CONTEXT, header.context_length)
    if not 0 < wanted <= header.context_length:
        raise ModelError(
            f"The model {header.name} cannot have a context of {wanted:,} tokens: it was trained "
            f"on {header.context_length:,}.",
            f"Use --context {header.context_length} or less.",
            "context too large",
        )
    return wanted
