"""What a language model writes and chooses, against the same model driven by hand.

What was computed before saves time and changes nothing, not even the last bit. Cancelling stops a
call at once, wherever it is, and leaves no trace.
"""

import gc
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import exp, log, prod
from pathlib import Path
from random import Random

import llama_cpp
import numpy as np
import pytest
import tiny_gguf
from numpy.typing import NDArray
from writing import generate, pieces

from veracite.models.chat import Message
from veracite.models.errors import Cancelled, ModelError
from veracite.models.generator import Asked, Chunk, Context, Generator, Sampling, chunks, draw
from veracite.models.llama import Logits, Model

QUESTION = "Which year did the mill burn down?"
PROMPT = f"<|im_start|>user\n{QUESTION}<|im_end|>\n<|im_start|>assistant\n"
MESSAGES = [Message("user", (QUESTION,))]
END = "<|im_end|>"


class ByHand:
    """llama-cpp-python's own class, with the same attention, so that the numbers are the same."""

    def __init__(self, path: Path) -> None:
        self.llama = llama_cpp.Llama(
            str(path),
            n_ctx=256,
            n_threads=1,
            n_threads_batch=1,
            logits_all=True,
            flash_attn=True,
            verbose=False,
        )
        self.prompt = self.tokens(PROMPT)

    def tokens(self, text: str) -> list[int]:
        return self.llama.tokenize(text.encode(), add_bos=False, special=True)

    def read(self, tokens: Sequence[int]) -> NDArray[np.float64]:
        """Logarithms of the probabilities behind the prompt and each of these tokens."""
        self.llama.n_tokens = 0
        self.llama.eval(self.prompt)
        self.llama.eval(tokens)
        logits = np.array(self.llama.scores[: self.llama.n_tokens], dtype=np.float64)
        shifted = logits[len(self.prompt) - 1 :] - logits.max()
        rows: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        return rows

    def shares(self, replies: Sequence[str]) -> list[float]:
        """How probable each reply is, among all of them."""
        found = []
        for said in map(self.tokens, replies):
            rows = np.exp(self.read(said[:-1]))
            found.append(prod(float(rows[place, token]) for place, token in enumerate(said)))
        return [each / sum(found) for each in found]


@pytest.fixture(scope="module")
def by_hand(tiny_model: Path) -> Iterator[ByHand]:
    by_hand = ByHand(tiny_model)
    yield by_hand
    by_hand.llama.close()


def scored(generator: Generator, options: Sequence[str]) -> tuple[float, ...]:
    return generator.choose(MESSAGES, options).probabilities


@pytest.mark.parametrize(
    ("options", "replies"),
    [
        (("y", "n", "?", "the"), None),
        ((" supported", "supported", "Москва", "not mentioned at all"), None),
        (("1904, when the mill burned down, as the passage says " * 3, "B"), None),
        # Where one begins another, all are scored to the end of the turn.
        (("1", "19", "No"), (f"1{END}", f"19{END}", f"No{END}")),
        (("", "No"), (END, f"No{END}")),
    ],
)
def test_options_have_the_probability_of_their_tokens(
    generator: Generator, by_hand: ByHand, options: Sequence[str], replies: Sequence[str] | None
) -> None:
    expected = by_hand.shares(replies or options)
    assert scored(generator, options) == pytest.approx(expected, rel=1e-4)


def test_greedy_takes_the_most_probable_token(generator: Generator, by_hand: ByHand) -> None:
    written: list[int] = []
    logprobs: list[float] = []
    llama = by_hand.llama
    llama.n_tokens, following = 0, by_hand.prompt
    for _ in range(15):
        llama.eval(following)
        logits = np.array(llama.scores[llama.n_tokens - 1], dtype=np.float64)
        written.append(int(logits.argmax()))
        logprobs.append(-log(np.exp(logits - logits.max()).sum()))
        following = written[-1:]
    generation = generate(generator, MESSAGES, limit=15)
    assert generation.text == llama.detokenize(written).decode("utf-8", "replace")
    assert generation.logprobs == pytest.approx(logprobs)
    assert generation.cost.generated == 15
    assert generation.mean_probability == pytest.approx(sum(map(exp, logprobs)) / 15)
    assert generation.mean_logprob == pytest.approx(sum(logprobs) / 15)


def test_a_character_of_several_tokens_is_shown_whole(generator: Generator) -> None:
    text = "Łódź, 東京, Αθήνα: 🎉!"
    for seed in range(6):
        sampling = Sampling(1.0, seed=seed)
        grammar = f'root ::= "{text}"'
        stream = generator.stream(MESSAGES, limit=100, sampling=sampling, grammar=grammar)
        shown, generation = pieces(stream)
        assert "".join(shown) == generation.text == text
        assert not any("\ufffd" in piece for piece in shown)


def test_a_prompt_that_does_not_fit_is_refused(generator: Generator) -> None:
    long = [Message("user", ("bees " * 256,))]
    for call in (
        lambda: generate(generator, long, limit=1),
        lambda: generator.choose(long, ["yes"]),
    ):
        with pytest.raises(ModelError, match=r"takes .* tokens, and .* holds 256") as caught:
            call()
        assert "--context" in caught.value.advice


def test_threads_get_what_they_would_get_alone(generator: Generator) -> None:
    settings = [Sampling(1.0, 1.0, seed) for seed in range(6)]

    def work(sampling: Sampling) -> tuple[str, tuple[float, ...]]:
        text = generate(generator, MESSAGES, limit=10, sampling=sampling).text
        return text, scored(generator, ["yes", "no"])

    alone = {sampling: work(sampling) for sampling in settings}
    with ThreadPoolExecutor() as pool:
        found = dict(zip(settings, pool.map(work, settings), strict=True))
    assert found == alone


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
    waiting.join()  # for as long as a busy machine needs: it hangs where nobody gets a turn


LIST = r"""
root ::= "[" (item (", " item){0,2})? "]"
item ::= number | label | name  # as JSON has them
number ::= [1-9] [0-9]?
label ::= "true" | "false" | "null"
name ::=
  "\"" [ !#-\x5b\x5d-~]{0,5} "\""
"""


def test_replies_keep_to_a_grammar(generator: Generator, capfd: pytest.CaptureFixture[str]) -> None:
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
    probability, _ = scored(generator, ["8", "["])
    texts = [
        generate(generator, MESSAGES, limit=1, sampling=Sampling(1.0, 1.0, seed), grammar=grammar)
        for seed in range(250)
    ]
    share = sum(reply.text == "8" for reply in texts) / 250
    assert 0.02 < probability < 0.98
    assert share == pytest.approx(probability, abs=0.1)


def test_a_grammar_that_nothing_satisfies_is_refused(generator: Generator) -> None:
    with pytest.raises(ModelError, match="cannot write a reply of the form"):
        generate(generator, MESSAGES, limit=5, grammar='root ::= "a" [z-a]')
    assert generate(generator, MESSAGES, limit=5, grammar='root ::= "a"').text == "a"


LOGITS = np.log(np.array([0.05, 0.4, 0.25, 0.3], dtype=np.float32))


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_tokens_are_drawn_as_often_as_they_are_probable(temperature: float) -> None:
    random = Random(0)
    drawn = Counter(draw(LOGITS, Sampling(temperature), random) for _ in range(4_000))
    powers = np.exp(LOGITS / temperature)
    expected = list(powers / powers.sum())
    assert [drawn[token] / 4_000 for token in range(4)] == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize(
    ("top_p", "nucleus"), [(0.3, {1}), (0.41, {1, 3}), (0.71, {1, 2, 3}), (0.96, {0, 1, 2, 3})]
)
def test_the_nucleus_is_the_fewest_tokens_that_reach_top_p(top_p: float, nucleus: set[int]) -> None:
    random = Random(0)
    assert {draw(LOGITS, Sampling(1.0, top_p), random) for _ in range(500)} == nucleus


CHUNK = 8

PASSAGES = (
    "The Harrow mill burned down in 1904, and it was never rebuilt.",
    "Bees sleep at night. A hive holds up to 60,000 bees.",
    "Bees sleep",
)
CLAIMS = ("The mill burned.", "Bees never sleep.", "B", "The mill burned. It was rebuilt.")
OPTIONS = ("yes", "no", "not mentioned")


@pytest.fixture(scope="module")
def chunked(tiny_model: Path) -> Iterator[Model]:
    opened = Model(tiny_model, context=512, chunk=CHUNK, threads=1, gpu_layers=0)
    yield opened
    opened.close()


def fresh(model: Model) -> Generator:
    """A generator that knows nothing of what its model computed before."""
    return Generator(model, tiny_gguf.CHATML, "tiny", "0" * 64)


def asked() -> list[Asked]:
    """Whether each passage bears out each claim."""
    system = Message("system", ("Judge the claim.",))
    every = ((p, f"\nClaim: {claim}") for claim in CLAIMS for p in PASSAGES)
    return [((system, Message("user", ("Passage: ", *parts))), OPTIONS) for parts in every]


def cold(model: Model, prompt: Sequence[Chunk]) -> Logits:
    logits, reused = Context(model).prefill(prompt)
    assert reused == 0
    return logits


def test_prompts_after_one_another_give_the_logits_of_cold_runs(chunked: Model) -> None:
    """Between them tokens are written, singly, which the next prompt often goes on with."""
    chance = Random(0)
    pool = [tuple(chance.choices(range(3, 300), k=length)) for length in (13, 8, 2, 1)]
    prompts = []
    for _ in range(60):
        segments = chance.choices(pool, weights=(4, 2, 1, 1), k=chance.randint(2, 6))
        prompts.append((chunks(segments, CHUNK), chance.choice(pool)[:4]))
    expected = [cold(chunked, prompt) for prompt, _ in prompts]
    warm, saved = Context(chunked), 0
    for (prompt, written), logits in zip(prompts, expected, strict=True):
        before = warm.computed
        found, reused = warm.prefill(prompt)
        assert np.array_equal(found, logits)
        assert reused + warm.computed - before == sum(map(len, prompt))
        saved += reused
        for token in written:
            warm.append((token,))
    assert saved > 300


def test_what_questions_begin_with_is_computed_once(chunked: Model) -> None:
    generator = fresh(chunked)
    questions = asked()
    Random(2).shuffle(questions)
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


LONG = [Message("user", ("The mill burned down in 1904. " * 40,))]


@pytest.mark.parametrize("what", ["choose", "generate"])
def test_a_long_prefill_stops_in_the_middle(
    monkeypatch: pytest.MonkeyPatch, chunked: Model, what: str
) -> None:
    expected = fresh(chunked).choose(LONG, OPTIONS).probabilities
    generator, decode, decoded = fresh(chunked), chunked.decode, []
    assert generator.count(LONG) > 15 * CHUNK

    def watched(tokens: Sequence[int], position: int, rows: int) -> Logits:
        decoded.append(tokens)
        if len(decoded) == 4:
            generator.cancel()
        return decode(tokens, position, rows)

    monkeypatch.setattr(chunked, "decode", watched)
    calls: dict[str, Callable[[], object]] = {
        "choose": lambda: generator.choose(LONG, OPTIONS),
        "generate": lambda: generate(generator, LONG, limit=5),
    }
    with pytest.raises(Cancelled):
        calls[what]()
    assert len(decoded) == 4
    again = generator.choose(LONG, OPTIONS)
    assert again.probabilities == expected
    assert again.cost.reused == 3 * CHUNK
