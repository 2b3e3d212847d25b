"""A choice is the softmax of the model's logits, reckoned here by other means."""

from collections.abc import Callable, Iterator, Sequence
from math import prod
from pathlib import Path

import llama_cpp
import numpy as np
import pytest
import tiny_gguf

from veracite.models.chat import Message
from veracite.models.generator import Generator
from veracite.models.llama import Model

QUESTION = "Which year did the mill burn down?"
PROMPT = f"<|im_start|>user\n{QUESTION}<|im_end|>\n<|im_start|>assistant\n"
MESSAGES = [Message("user", (QUESTION,))]
END = "<|im_end|>"

ByHand = Callable[[str], float]


@pytest.fixture(scope="module")
def generator(tiny_model: Path) -> Iterator[Generator]:
    model = Model(tiny_model, context=256, chunk=64, threads=1, gpu_layers=0)
    with Generator(model, tiny_gguf.CHATML, "tiny@0") as opened:
        yield opened


@pytest.fixture(scope="module")
def by_hand(tiny_model: Path) -> Iterator[ByHand]:
    """The probability of a text behind the prompt, from llama-cpp-python's own class."""
    # In the same steps and with the same attention, so that the numbers are the same.
    llama = llama_cpp.Llama(
        str(tiny_model),
        n_ctx=256,
        n_threads=1,
        n_threads_batch=1,
        logits_all=True,
        flash_attn=True,
        verbose=False,
    )

    def tokens(text: str) -> list[int]:
        return llama.tokenize(text.encode(), add_bos=False, special=True)

    def probability(text: str) -> float:
        prompt, reply = tokens(PROMPT), tokens(text)
        llama.n_tokens = 0
        llama.eval(prompt)
        llama.eval(reply[:-1])
        logits = np.array(llama.scores[: len(prompt) + len(reply) - 1], dtype=np.float64)
        rows = np.exp(logits - logits.max(axis=1, keepdims=True))
        rows /= rows.sum(axis=1, keepdims=True)
        return prod(
            float(rows[len(prompt) - 1 + place, token]) for place, token in enumerate(reply)
        )

    yield probability
    llama.close()


def shares(probabilities: Sequence[float]) -> list[float]:
    return [each / sum(probabilities) for each in probabilities]


def scored(generator: Generator, options: Sequence[str]) -> tuple[float, ...]:
    return generator.choose(MESSAGES, options).probabilities


@pytest.mark.parametrize(
    "options",
    [
        ("y", "n", "?", "the"),
        ("Yes", "No", "not mentioned at all"),
        (" supported", "supported", "Москва", "東京"),
        ("1904, when the mill burned down, as the passage says " * 3, "B"),
    ],
)
def test_options_have_the_probability_of_their_tokens(
    generator: Generator, by_hand: ByHand, options: Sequence[str]
) -> None:
    expected = [by_hand(option) for option in options]
    assert scored(generator, options) == pytest.approx(shares(expected), rel=1e-4)


def test_options_that_begin_another_are_scored_to_the_end_of_the_turn(
    generator: Generator, by_hand: ByHand
) -> None:
    options = ("1", "19", "No")
    expected = [by_hand(option + END) for option in options]
    assert scored(generator, options) == pytest.approx(shares(expected), rel=1e-4)


def test_an_empty_option_is_an_empty_reply(generator: Generator, by_hand: ByHand) -> None:
    expected = [by_hand(END), by_hand("No" + END)]
    assert scored(generator, ("", "No")) == pytest.approx(shares(expected), rel=1e-4)
