"""What was computed before saves time and changes nothing, not even the last bit."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import tiny_gguf

from veracite.models.chat import Message
from veracite.models.generator import Asked, Chunk, Context, Generator, chunks
from veracite.models.llama import Logits, Model

CHUNK = 8

PASSAGES = (
    "The Harrow mill burned down in 1904, and it was never rebuilt.",
    "Bees sleep at night. A hive holds up to 60,000 bees.",
    "Bees sleep",
)
CLAIMS = ("The mill burned.", "Bees never sleep.", "B", "The mill burned. It was rebuilt.")
OPTIONS = ("yes", "no", "not mentioned")


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Iterator[Model]:
    opened = Model(tiny_model, context=512, chunk=CHUNK, threads=1, gpu_layers=0)
    yield opened
    opened.close()


def fresh(model: Model) -> Generator:
    """A generator that knows nothing of what its model computed before."""
    return Generator(model, tiny_gguf.CHATML, "tiny@0")


def judging(passage: str, claim: str) -> Asked:
    user = Message("user", ("Passage: ", passage, f"\nClaim: {claim}"))
    return (Message("system", ("Judge the claim.",)), user), OPTIONS


def asked() -> list[Asked]:
    return [judging(passage, claim) for claim in CLAIMS for passage in PASSAGES]


def cold(model: Model, prompt: Sequence[Chunk]) -> Logits:
    logits, reused = Context(model).prefill(prompt)
    assert reused == 0
    return logits


def test_prompts_after_one_another_give_the_logits_of_cold_runs(model: Model) -> None:
    """Between them tokens are written, singly, which the next prompt often goes on with."""
    draw = random.Random(0)
    pool = [tuple(draw.choices(range(3, 300), k=length)) for length in (13, 8, 2, 1)]
    prompts = []
    for _ in range(60):
        segments = draw.choices(pool, weights=(4, 2, 1, 1), k=draw.randint(2, 6))
        prompts.append((chunks(segments, CHUNK), draw.choice(pool)[:4]))
    expected = [cold(model, prompt) for prompt, _ in prompts]
    warm, saved = Context(model), 0
    for (prompt, written), logits in zip(prompts, expected, strict=True):
        before = warm.computed
        found, reused = warm.prefill(prompt)
        assert np.array_equal(found, logits)
        assert reused + warm.computed - before == sum(map(len, prompt))
        saved += reused
        for token in written:
            warm.append((token,))
    assert saved > 300


def test_what_questions_begin_with_is_computed_once(model: Model) -> None:
    generator = fresh(model)
    questions = asked()
    random.Random(2).shuffle(questions)
    prompts = [generator._prompt(messages, room=1) for messages, _ in questions]
    beginnings = {prompt[:length] for prompt in prompts for length in range(1, len(prompt) + 1)}
    options = sum(len(generator._chat.reply(option)) - 1 for option in OPTIONS)
    costs = [choice.cost for _, choice in generator.choose_all(questions)]
    assert sum(cost.prefilled for cost in costs) == (
        sum(len(beginning[-1]) for beginning in beginnings) + options * len(questions)
    )
    assert sum(cost.prefilled - options + cost.reused for cost in costs) == sum(
        generator.count(messages) for messages, _ in questions
    )
