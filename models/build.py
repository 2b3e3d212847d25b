"""What the installed llama.cpp was built for, and the GPUs that it finds."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version

from veracite.models.gguf import library

__all__ = ["Build", "build", "gpu_memory"]

_GPU_KINDS = (1, 2)
"""ggml_backend_dev_type: a GPU with its own memory, one that shares the processor's."""


@dataclass(frozen=True, slots=True)
class Build:
    """What the installed llama.cpp was built for."""

    version: str
    """Of llama-cpp-python."""
    instructions: tuple[str, ...]
    """Instruction sets and libraries, by llama.cpp's names: AVX2, FMA, ..."""
    gpu: bool
    """Whether it can use GPUs of some make."""
    gpus: tuple[str, ...]
    """Those that are here."""


def build() -> Build:
    """The installed llama.cpp.

    Raises:
        ModelError: there is none, or it cannot be loaded.
    """
    llama = library()
    facts = llama.llama_print_system_info().decode("utf-8", "replace").replace(":", "|")
    return Build(
        version=version("llama-cpp-python"),
        instructions=tuple(
            fact.split("=")[0].strip() for fact in facts.split("|") if fact.strip().endswith("= 1")
        ),
        gpu=llama.llama_supports_gpu_offload(),
        gpus=tuple(name for name, _ in _gpus()),
    )


def gpu_memory() -> int:
    """Free bytes of all GPUs that llama.cpp can use; 0 where it was built for none.

    Raises:
        ModelError: llama-cpp-python is not installed, or cannot be loaded.
    """
    return sum(free for _, free in _gpus())


def _gpus() -> Iterator[tuple[str, int]]:
    """The names of the GPUs, and how many of their bytes are free."""
    llama = library()
    if not llama.llama_supports_gpu_offload():
        return
    # llama.cpp's own handle leads to the libraries that it is linked with.
    libggml = llama._lib
    device_at, name = libggml.ggml_backend_dev_get, libggml.ggml_backend_dev_description
    device_at.restype, name.restype = ctypes.c_void_p, ctypes.c_char_p
    libggml.ggml_backend_dev_count.restype = ctypes.c_size_t
    for number in range(libggml.ggml_backend_dev_count()):
        device = ctypes.c_void_p(device_at(ctypes.c_size_t(number)))
        if libggml.ggml_backend_dev_type(device) in _GPU_KINDS:
            free, total = ctypes.c_size_t(), ctypes.c_size_t()
            libggml.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
            yield name(device).decode("utf-8", "replace"), free.value
