"""Verifiers as transformers publishes them, of random weights: they give what it computes.

For development only: torch and transformers are needed, which no extra but ``train`` brings.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from veracite.models.bundled import stored_verifier
from veracite.models.conversion import convert
from veracite.models.verifier import LABELS, Pair, meant_by

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

PAIRS: Sequence[Pair] = [
    ("The mill burned down in 1904. It was never rebuilt.", "The mill burned."),
    ("Bees sleep at night.", "A hive holds up to 60,000 bees, of which one is the queen."),
    ("The mill burned.", "The mill burned."),
]
SMALL: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "vocab_size": 400,
    "max_position_embeddings": 80,
    "initializer_range": 0.5,
}
TWO = ("entailment", "not_entailment")
THREE = ("contradiction", "neutral", "entailment")


def tokenizer(first: str, last: str, between: int, claim_type: int) -> Tokenizer:
    """Byte pairs with a family's special tokens around a text and between two."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=SMALL["vocab_size"],
        special_tokens=["<pad>", first, last],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator([text for pair in PAIRS for text in pair], trainer)
    claim = f"$B:{claim_type} {last}:{claim_type}"
    made.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {' '.join([last] * between)} {claim}",
        special_tokens=[(name, made.token_to_id(name)) for name in (first, last)],
    )
    return made


FAMILIES: dict[str, tuple[Tokenizer, dict[str, Any], Sequence[str]]] = {
    "deberta-v2": (
        tokenizer("[CLS]", "[SEP]", 1, 1),
        {
            "type_vocab_size": 0,
            "relative_attention": True,
            "position_buckets": 16,
            "pos_att_type": ["p2c", "c2p"],
            "share_att_key": True,
            "norm_rel_ebd": "layer_norm",
            "position_biased_input": False,
        },
        ("input_ids", "attention_mask"),
    ),
    "roberta": (
        tokenizer("<s>", "</s>", 2, 0),
        {"type_vocab_size": 1, "pad_token_id": 0},
        ("input_ids", "attention_mask"),
    ),
    "bert": (
        tokenizer("[CLS]", "[SEP]", 1, 1),
        {"type_vocab_size": 2},
        ("input_ids", "attention_mask", "token_type_ids"),
    ),
}


@pytest.mark.parametrize("names", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.filterwarnings("ignore")
def test_a_published_verifier_judges_as_transformers_does(
    family: str, names: Sequence[str], tmp_path: Path
) -> None:
    made, more, inputs = FAMILIES[family]
    config = transformers.AutoConfig.for_model(
        family, **SMALL, **more, id2label=dict(enumerate(names)), num_labels=len(names)
    )
    torch.manual_seed(3)
    network = transformers.AutoModelForSequenceClassification.from_config(config).eval()
    folder, out = tmp_path / "folder", tmp_path / "out"
    for place in (folder / "onnx", out):
        place.mkdir(parents=True)
    config.architectures = [type(network).__name__]
    config.save_pretrained(folder)
    made.save(str(folder / "tokenizer.json"))
    encoded = [made.encode(*pair) for pair in PAIRS]
    batches = [
        {
            "input_ids": torch.tensor([one.ids]),
            "attention_mask": torch.tensor([one.attention_mask]),
            "token_type_ids": torch.tensor([one.type_ids]),
        }
        for one in encoded
    ]
    given = [{name: batch[name] for name in inputs} for batch in batches]
    torch.onnx.export(
        network,
        tuple(given[0].values()),
        folder / "onnx" / "model.onnx",
        input_names=list(inputs),
        output_names=["logits"],
        dynamic_axes={name: {0: "batch", 1: "tokens"} for name in inputs},
        dynamo=False,
    )
    with torch.no_grad():
        logits = np.concatenate([network(**batch).logits.numpy() for batch in given])
    shares = np.exp(logits.astype(np.float64))
    shares /= shares.sum(axis=1, keepdims=True)
    meant = meant_by(names)
    assert meant is not None
    columns = [meant.index(label) if label in meant else None for label in LABELS]
    expected = [[0.0 if at is None else row[at] for at in columns] for row in shares]
    manifest = convert(folder, out, "theirs", "Apache-2.0")
    assert manifest.details["labels"] == list(names)
    assert manifest.max_length == SMALL["max_position_embeddings"] - 2
    verifier = stored_verifier(out, meant)
    together = verifier.score(PAIRS)
    np.testing.assert_allclose(together, expected, atol=1e-4)
    assert np.ptp(together, axis=0).max() > 0.01, "the pairs are told from each other"
    for number, pair in enumerate(PAIRS):
        assert verifier.score([pair])[0].tobytes() == together[number].tobytes()
    verifier.close()
