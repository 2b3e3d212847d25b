"""What a language model writes, against the same model driven by hand."""

import gc
import threading
from collections.abc import Iterator
from math import exp, log
from pathlib import Path

import llama_cpp
import numpy as np
import pytest
import tiny_gguf
from writing import generate, pieces

from veracite.models.chat import Message
from veracite.models.errors import ModelError
from veracite.models.generator import Generator, Sampling
from veracite.models.llama import Model

QUESTION = "Which year did the mill burn down?"
PROMPT = f"<|im_start|>user\n{QUESTION}<|im_end|>\n<|im_start|>assistant\n"
MESSAGES = [Message("user", (QUESTION,))]
CONTEXT = 256


@pytest.fixture(scope="module")
def generator(tiny_model: Path) -> Iterator[Generator]:
    model = Model(tiny_model, context=CONTEXT, chunk=64, threads=1, gpu_layers=0)
    with Generator(model, tiny_gguf.CHATML, "tiny@0") as opened:
        yield opened


def literal(text: str) -> str:
    """A grammar that leaves the model one text to write."""
    return 'root ::= "' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def test_greedy_takes_the_most_probable_token_each_time(
    generator: Generator, tiny_model: Path
) -> None:
    llama = llama_cpp.Llama(
        str(tiny_model),
        n_ctx=CONTEXT,
        n_threads=1,
        n_threads_batch=1,
        logits_all=True,
        flash_attn=True,
        verbose=False,
    )
    next_tokens = llama.tokenize(PROMPT.encode(), add_bos=False, special=True)
    written, logprobs = [], []
    for _ in range(15):
        llama.eval(next_tokens)
        logits = np.array(llama.scores[llama.n_tokens - 1], dtype=np.float64)
        written.append(int(logits.argmax()))
        logprobs.append(logits.max() - log(np.exp(logits - logits.max()).sum()) - logits.max())
        next_tokens = written[-1:]
    text = llama.detokenize(written).decode("utf-8", "replace")
    llama.close()
    generation = generate(generator, MESSAGES, limit=15)
    assert generation.text == text
    assert generation.logprobs == pytest.approx(logprobs)
    assert generation.cost.generated == 15
    mean = sum(map(exp, logprobs)) / 15
    assert generation.mean_probability == pytest.approx(mean)
    assert generation.mean_logprob == pytest.approx(sum(logprobs) / 15)


def test_a_character_of_several_tokens_is_shown_whole(generator: Generator) -> None:
    text = "Łódź, 東京, Αθήνα: 🎉!"
    for seed in range(6):
        stream = generator.stream(
            MESSAGES, limit=100, sampling=Sampling(1.0, seed=seed), grammar=literal(text)
        )
        shown, generation = pieces(stream)
        assert "".join(shown) == generation.text == text
        assert not any("\ufffd" in piece for piece in shown)


def test_a_prompt_that_does_not_fit_is_refused(generator: Generator) -> None:
    long = [Message("user", ("bees " * CONTEXT,))]
    for call in (
        lambda: generate(generator, long, limit=1),
        lambda: generator.choose(long, ["yes"]),
    ):
        with pytest.raises(ModelError, match=r"takes .* tokens, and .* holds 256") as caught:
            call()
        assert "--context" in caught.value.advice


def test_threads_get_what_they_would_get_alone(generator: Generator) -> None:
    seeds = range(6)
    settings = [Sampling(1.0, 1.0, seed) for seed in seeds]
    alone = [generate(generator, MESSAGES, limit=10, sampling=one).text for one in settings]
    alone_choice = generator.choose(MESSAGES, ["yes", "no"]).probabilities
    found: dict[int, str] = {}
    choices = []

    def work(seed: int) -> None:
        found[seed] = generate(generator, MESSAGES, limit=10, sampling=settings[seed]).text
        choices.append(generator.choose(MESSAGES, ["yes", "no"]).probabilities)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed] for seed in seeds] == alone
    assert choices == [alone_choice] * len(seeds)


@pytest.mark.parametrize("how", ["close", "forget"])
def test_an_abandoned_stream_lets_others_have_their_turn(generator: Generator, how: str) -> None:
    stream = generator.stream(MESSAGES, limit=20)
    next(stream)
    waiting = threading.Thread(target=lambda: generator.choose(MESSAGES, ["yes"]), daemon=True)
    waiting.start()
    assert waiting.is_alive()
    if how == "close":
        stream.close()
    else:
        del stream
        gc.collect()
    waiting.join(60)
    assert not waiting.is_alive()
