"""Cancelling stops a call at once, wherever it is, and leaves no trace."""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import tiny_gguf
from writing import generate

from veracite.models.chat import Message
from veracite.models.errors import Cancelled
from veracite.models.generator import Generator
from veracite.models.llama import Logits, Model

CHUNK = 16
LONG = [Message("user", ("The mill burned down in 1904. " * 40,))]
OPTIONS = ("yes", "no")


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Iterator[Model]:
    opened = Model(tiny_model, context=512, chunk=CHUNK, threads=1, gpu_layers=0)
    yield opened
    opened.close()


@pytest.fixture
def generator(model: Model) -> Generator:
    return Generator(model, tiny_gguf.CHATML, "tiny@0")


class Gate:
    """Holds the model up just before it decodes for the ``number``-th time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, model: Model, number: int) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()
        self.decodings = 0
        decode = model.decode

        def watched(tokens: Sequence[int], position: int, rows: int) -> Logits:
            self.decodings += 1
            if self.decodings == number:
                self.reached.set()
                self.opened.wait()
            return decode(tokens, position, rows)

        monkeypatch.setattr(model, "decode", watched)


def in_thread(call: Callable[[], object]) -> tuple[threading.Thread, list[str]]:
    """A call, begun; what became of it is in the list when the thread has ended."""
    outcome: list[str] = []

    def work() -> None:
        try:
            call()
            outcome.append("done")
        except Cancelled:
            outcome.append("cancelled")

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread, outcome


@pytest.mark.parametrize("what", ["choose", "generate"])
def test_a_long_prefill_stops_in_the_middle(
    monkeypatch: pytest.MonkeyPatch, model: Model, generator: Generator, what: str
) -> None:
    expected = Generator(model, tiny_gguf.CHATML, "tiny@0").choose(LONG, OPTIONS).probabilities
    chunks = -(-generator.count(LONG) // CHUNK)
    assert chunks > 15
    gate = Gate(monkeypatch, model, 4)
    call = {
        "choose": lambda: generator.choose(LONG, OPTIONS),
        "generate": lambda: generate(generator, LONG, limit=5),
    }[what]
    thread, outcome = in_thread(call)
    assert gate.reached.wait(60)
    generator.cancel()
    gate.opened.set()
    thread.join(60)
    assert outcome == ["cancelled"]
    assert gate.decodings == 4
    again = generator.choose(LONG, OPTIONS)
    assert again.probabilities == expected
    assert again.cost.reused == 3 * CHUNK


def test_a_running_call_stops_whenever_it_is_told_to(tmp_path: Path) -> None:
    """No gate here: 16,000 tokens in chunks of 512, and another thread that cancels."""
    path = tiny_gguf.make(tmp_path / "long.gguf", context=16_384, layers=4)
    model = Model(path, context=16_384, chunk=512, threads=1, gpu_layers=0)
    with Generator(model, tiny_gguf.CHATML, "long@0") as generator:
        words = [Message("user", ("bees " * (15_000 // len(model.tokenise("bees "))),))]
        thread, outcome = in_thread(lambda: generator.choose(words, OPTIONS))
        while thread.is_alive():
            generator.cancel()
            thread.join(0.05)
        assert outcome == ["cancelled"]
        assert generator._held.computed < generator.count(words) / 2
