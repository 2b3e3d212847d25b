"""The registry names models that can be what it says."""

import re
from collections import Counter

import pytest

from veracite.models.errors import ModelError
from veracite.models.files import is_name, stays_inside
from veracite.models.store.manifest import Entry, Wanted, entry_of, registry


def test_every_entry_can_be_pulled_and_kept() -> None:
    entries = registry()
    assert max(Counter(entry.name for entry in entries).values()) == 1
    for entry in entries:
        assert is_name(entry.name)
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", entry.repository)
        assert entry.revision is None or re.fullmatch(r"[0-9a-f]{40}", entry.revision)
        for file in entry.files:
            assert stays_inside(file.path)
            assert file.sha256 is None or (file.size and re.fullmatch(r"[0-9a-f]{64}", file.sha256))
        assert entry.parameters
        assert entry.context
    assert Counter(entry.kind for entry in entries).keys() == {
        "generator",
        "encoder",
        "cross-encoder",
    }
    assert "princeton-nlp/sup-simcse-bert-base-uncased" in {entry.repository for entry in entries}


def test_any_file_of_the_hub_has_an_entry() -> None:
    assert entry_of("someone/Tiny-GGUF/sub/Tiny-1B-Q4_K_M.gguf") == Entry(
        name="tiny-1b-q4_k_m",
        kind="generator",
        repository="someone/Tiny-GGUF",
        files=(Wanted("sub/Tiny-1B-Q4_K_M.gguf"),),
        quantisation="Q4_K_M",
    )
    assert entry_of("BAAI/bge-base-en-v1.5") == Entry(
        "bge-base-en-v1.5", "encoder", "BAAI/bge-base-en-v1.5"
    )
    assert entry_of("qwen3-4b").repository == "Qwen/Qwen3-4B-GGUF"


@pytest.mark.parametrize("name", ["", "qwen", "a/b/c", "a/b/c.bin", "https://x/y/z.gguf", "/a/b"])
def test_what_is_no_model_is_told(name: str) -> None:
    with pytest.raises(ModelError, match="veracite models list"):
        entry_of(name)
