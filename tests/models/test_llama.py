"""The door to llama.cpp: tokens in, logits out, errors in words, and silence."""

import subprocess
import sys
from pathlib import Path

import pytest
import tiny_gguf

from veracite.models.errors import ModelError
from veracite.models.llama import Model, build, gpu_memory, library

BEGIN, START, END = range(3)


@pytest.mark.parametrize("text", ["", "Bees sleep.", " a\n\n b ", "Łódź 東京 🎉\x00\x1f", "\udcff"])
def test_a_text_is_the_pieces_of_its_tokens(model: Model, text: str) -> None:
    pieces = b"".join(map(model.piece, model.tokenise(text)))
    assert pieces == text.encode("utf-8", "replace")


def test_a_closed_model_says_so(tiny_model: Path) -> None:
    model = Model(tiny_model, context=256, chunk=64, threads=1, gpu_layers=0)
    grammar = model.grammar('root ::= "a"')
    model.close()
    model.close()
    model.resume()
    for call in (
        lambda: model.tokenise("a"),
        lambda: model.piece(5),
        lambda: model.ends(5),
        lambda: model.decode([5], 0, 1),
        lambda: model.forget(0),
        lambda: model.grammar('root ::= "a"'),
        lambda: grammar.allows(5),
        lambda: grammar.accept(5),
    ):
        with pytest.raises(ModelError, match="was closed"):
            call()


TALK = """
import sys, threading
from contextlib import suppress
from pathlib import Path
from veracite.models.errors import Cancelled
from veracite.models.llama import Model
model = Model(Path(sys.argv[1]), context=1024, chunk=512, threads=1, gpu_layers=0,
              verbose=sys.argv[2] == "loud")
grammar = model.grammar('root ::= "a"')
model.decode([5, 6, 7], 0, 1)
def work():
    with suppress(Cancelled):
        while True:
            model.decode(range(512), 3, 0)
            started.set()
            model.forget(3)
started = threading.Event()
threading.Thread(target=work, daemon=True).start()
started.wait()
print("leaving")
"""


@pytest.mark.parametrize("how", ["quiet", "loud"])
def test_the_log_can_be_shown_and_leaving_is_no_crash(tmp_path: Path, how: str) -> None:
    """With the model open, a grammar alive and a thread that decodes; the log quotes the file."""
    template = f"\x1b]0;hostile\x07\x9b1m{tiny_gguf.CHATML}"
    path = tiny_gguf.make(tmp_path / "tiny.gguf", context=1024, template=template)
    command = [sys.executable, "-c", TALK, str(path), how]
    left = subprocess.run(command, capture_output=True, text=True, check=False)
    assert left.returncode == 0
    assert left.stdout == "leaving\n"
    assert ("llama_model_loader" in left.stderr) == (how == "loud")
    assert bool(left.stderr) == ("hostile" in left.stderr) == (how == "loud")
    assert not {"\x1b", "\x07", "\x9b"} & set(left.stderr)


def test_a_missing_runtime_says_install(monkeypatch: pytest.MonkeyPatch, tiny_model: Path) -> None:
    library.cache_clear()
    monkeypatch.setitem(sys.modules, "llama_cpp.llama_cpp", None)
    for call in (
        lambda: Model(tiny_model, context=256, chunk=64, threads=1, gpu_layers=0),
        build,
        gpu_memory,
    ):
        with pytest.raises(ModelError, match="is not installed") as caught:
            call()
        assert "pip install '.[llm]'" in caught.value.advice
