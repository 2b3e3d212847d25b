"""What counts as the text of a licence, and what it must not hide."""

from pathlib import Path

import pytest
from stored import manifest_of, put

from veracite.models.store import Store
from veracite.models.store.bringing import licence_named_in, recognised
from veracite.models.store.manifest import StoredFile, state_terms


def test_weights_are_never_a_licence(tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(b"weights")
    weights = StoredFile("licence/tiny.gguf", 7, "0" * 64)
    manifest = manifest_of(tmp_path, "tiny", files=(weights,))
    assert manifest.own_files == (weights,)
    assert not recognised(manifest).pinned


def test_a_notice_is_no_licence(store: Store) -> None:
    put(store, "a", {"a.gguf": b"x", "licence/NOTICE": b"by us"})
    put(store, "b", {"a.gguf": b"x", "licence/LICENSE": b"you may"})
    a, b = (store.get(name).texts for name in "ab")
    assert [file.path for file in (*a, *b)] == ["licence/NOTICE", "licence/LICENSE"]
    assert (state_terms(a), state_terms(b)) == (False, True)


@pytest.mark.parametrize(
    ("head", "named"),
    [
        ("---\nlicense: mit\n---\n", "mit"),
        ("---\nlicense: 'gemma' \n---\n", "gemma"),
        ("---\nlicense: other\n---\n", None),
        ("---\ntags: x\n---\nlicense: mit\n", None),
        ("license: mit\n", None),
    ],
)
def test_the_licence_that_a_page_names_is_read(
    head: str, named: str | None, tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_text(head)
    assert licence_named_in(tmp_path) == named
