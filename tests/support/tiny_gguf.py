"""Makes GGUF language models on the spot: random weights, a real tokenizer, a chat template."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from gguf import GGUFWriter, LlamaFileType, TokenType
from numpy.typing import NDArray
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
"""Their token ids are 0, 1 and 2: beginning (and padding), start and end of a turn."""

CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)

TEXT = """\
The Harrow mill burned down in 1904, and it was never rebuilt. Its owner was Anna Berg, who had
bought it from her uncle in 1889 for 1,250 crowns; the town paid for the bridge beside it.
Bees sleep at night. A hive holds up to 60,000 bees, of which one is the queen. The queen lays the
eggs, and the workers gather what the hive eats: nectar, pollen and water.
Mount Everest is 8,849 metres high. It was first climbed on 29 May 1953 by Tenzing Norgay and
Edmund Hillary. The mountain stands on the border between Nepal and China.
Is this claim supported by the passage? Answer yes or no. The claim is supported, contradicted or
not mentioned; it is factual or not factual, true or false, complete or not enough. Yes. No.
Question: which year did the mill burn down? Answer: in 1904 [1]. Passage 1 says so, passage 2 does
not. "I don't know," she said, "whether that's right (we've never looked)."
{"label": "Supported", "reason": "The passage says that the mill burned down in 1904."}
Read the documents between the marks. Write one short sentence for each fact, and name the passage
that it comes from. You are a careful assistant that uses only what the passages say.
Ångström, naïve, café, Zürich, Łódź, Москва, Αθήνα, 東京: names and words from other places.
"""
_HEADS, _KV_HEADS = 4, 2


def make(
    path: Path,
    *,
    seed: int = 0,
    layers: int = 2,
    embedding: int = 64,
    feed_forward: int = 128,
    vocabulary: int | None = None,
    context: int = 512,
    template: str | None = CHATML,
    add_bos: bool = False,
    special: Sequence[str] = (),
) -> Path:
    """Write a language model of the kind llama that says nothing sensible, in the shape asked for.

    Args:
        path: Where to write; an existing file is replaced.
        seed: Of the weights. The tokenizer depends on ``vocabulary`` alone.
        vocabulary: Number of tokens; by default the 256 bytes, the three special tokens and
            at most 253 merges. What the text has no merges for is filled up with tokens that no
            text gives.
        context: The length in tokens that the header names as the model's own.
        template: The chat template, in Jinja; None leaves it out.
        add_bos: Whether every text is to begin with ``<|endoftext|>``.
        special: Further special tokens.
    """
    tokens, merges = byte_pairs(vocabulary)
    tokens += special
    control = {*SPECIAL, *special}
    writer = GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(context)
    writer.add_block_count(layers)
    writer.add_embedding_length(embedding)
    writer.add_feed_forward_length(feed_forward)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_KV_HEADS)
    writer.add_rope_dimension_count(embedding // _HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(
        [TokenType.CONTROL if token in control else TokenType.NORMAL for token in tokens]
    )
    writer.add_token_merges(merges)
    writer.add_bos_token_id(0)
    writer.add_pad_token_id(0)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(add_bos)
    if template is not None:
        writer.add_chat_template(template)
    random = np.random.default_rng(seed)
    kv = embedding // _HEADS * _KV_HEADS
    for name, shape in _shapes(layers, embedding, kv, feed_forward, len(tokens)):
        writer.add_tensor(name, _weights(name, shape, random))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def byte_pairs(vocabulary: int | None) -> tuple[list[str], list[str]]:
    """Tokens by id, the special ones first, and the merges, of a byte-level BPE."""
    size = vocabulary or 512
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXT.splitlines(keepends=True), trainer)
    ids = tokenizer.get_vocab()
    tokens = sorted(ids, key=lambda token: ids[token])
    if vocabulary:
        tokens += [f"~{number}~" for number in range(len(tokens), vocabulary)]
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return tokens, [" ".join(merge) for merge in merges]


def _shapes(
    layers: int, embedding: int, kv: int, feed_forward: int, vocabulary: int
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Names of the tensors of a llama model and their shapes, (outputs, inputs) of a matrix."""
    yield "token_embd.weight", (vocabulary, embedding)
    for layer in range(layers):
        block = f"blk.{layer}"
        yield f"{block}.attn_norm.weight", (embedding,)
        yield f"{block}.attn_q.weight", (embedding, embedding)
        yield f"{block}.attn_k.weight", (kv, embedding)
        yield f"{block}.attn_v.weight", (kv, embedding)
        yield f"{block}.attn_output.weight", (embedding, embedding)
        yield f"{block}.ffn_norm.weight", (embedding,)
        yield f"{block}.ffn_gate.weight", (feed_forward, embedding)
        yield f"{block}.ffn_up.weight", (feed_forward, embedding)
        yield f"{block}.ffn_down.weight", (embedding, feed_forward)
    yield "output_norm.weight", (embedding,)
    yield "output.weight", (vocabulary, embedding)


def _weights(name: str, shape: tuple[int, ...], random: np.random.Generator) -> NDArray[np.float32]:
    """A tensor: norms are ones, matrices keep the size of what they are given.

    The output matrix spreads the logits by some 3, so that no answer is as good as any other.
    """
    if len(shape) == 1:
        return np.ones(shape, dtype=np.float32)
    scale = (3 if name in ("token_embd.weight", "output.weight") else 1) / np.sqrt(shape[1])
    return random.standard_normal(shape, dtype=np.float32) * np.float32(scale)
