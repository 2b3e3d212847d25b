"""Replies keep to their grammar."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_gguf
from writing import generate

from veracite.models.chat import Message
from veracite.models.errors import ModelError
from veracite.models.generator import Generator, Sampling
from veracite.models.llama import Model

MESSAGES = [Message("user", ("Which documents say so?",))]

LIST = r"""
root ::= "[" (item (", " item){0,2})? "]"
item ::= number | label | name  # as JSON has them
number ::= [1-9] [0-9]?
label ::= "true" | "false" | "null"
name ::=
  "\"" [ !#-\x5b\x5d-~]{0,5} "\""
"""


@pytest.fixture(scope="module")
def generator(tiny_model: Path) -> Iterator[Generator]:
    model = Model(tiny_model, context=256, chunk=64, threads=1, gpu_layers=0)
    with Generator(model, tiny_gguf.CHATML, "tiny@0") as opened:
        yield opened


def test_replies_of_many_seeds_parse(
    generator: Generator, capfd: pytest.CaptureFixture[str]
) -> None:
    replies = set()
    for seed in range(120):
        sampling = Sampling((1.0, 3.0, 9.0)[seed % 3], (1.0, 0.9)[seed % 2], seed)
        reply = generate(generator, MESSAGES, limit=30, sampling=sampling, grammar=LIST)
        items = json.loads(reply.text)
        assert len(items) <= 3
        assert all(item in (True, False, None) or len(str(item)) <= 5 for item in items)
        replies.add(reply.text)
    assert len(replies) > 40
    assert capfd.readouterr() == ("", "")


def test_drawing_first_and_asking_later_draws_as_the_grammar_would(generator: Generator) -> None:
    """Of two texts, each is drawn as often as it is probable among the two."""
    grammar = 'root ::= "8" | "["'
    probability, _ = generator.choose(MESSAGES, ["8", "["]).probabilities
    texts = [
        generate(generator, MESSAGES, limit=1, sampling=Sampling(1.0, 1.0, seed), grammar=grammar)
        for seed in range(250)
    ]
    share = sum(reply.text == "8" for reply in texts) / 250
    assert 0.02 < probability < 0.98
    assert share == pytest.approx(probability, abs=0.1)


def test_a_grammar_that_nothing_satisfies_is_refused_when_it_comes_to_that(
    generator: Generator,
) -> None:
    with pytest.raises(ModelError, match="has no words for the reply"):
        generate(generator, MESSAGES, limit=5, grammar='root ::= "a" [z-a]')
    assert generate(generator, MESSAGES, limit=5, grammar='root ::= "a"').text == "a"
