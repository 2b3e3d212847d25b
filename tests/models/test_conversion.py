"""A folder from Hugging Face becomes an encoder or a reranker of ours, or is refused in words.

It gives the same hidden states as plain numpy, with its own pooling and threshold; what it says of
its parts is followed where we can, and nothing in a pickle is run.
"""

import io
import json
import os
import pickle
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from checkpoints import (
    FAMILIES,
    LETTERS,
    POSITIONS,
    VOCABULARY,
    Arrays,
    config,
    hidden_states,
    random_weights,
    scores,
    write_folder,
    write_header,
    write_modules,
    write_reranker,
)
from networks import counting_network
from numpy.typing import NDArray
from torch_files import dictionary, tensor, write_archive, write_pytorch

from veracite.models import conversion
from veracite.models.bundled import BUNDLED, stored_verifier
from veracite.models.encoder import Encoder
from veracite.models.errors import ModelError
from veracite.models.onnx import Tokenizer, read_network
from veracite.models.reranker import Reranker, stored_reranker
from veracite.models.verifier import meant_by

CLS, SEP = VOCABULARY.index("[CLS]"), VOCABULARY.index("[SEP]")
TEXTS = ["l a m p", "", " ".join(LETTERS)]


def ids_of(*texts: str, between: int = 1) -> tuple[list[int], list[int]]:
    """The tokens of a text or of a pair, with so many between its two, and their types."""
    ids, types = [CLS], [0]
    for place, text in enumerate(texts):
        apart = between - 1 if place else 0
        types += [0] * apart + [place] * (len(text.split()) + 1)
        ids += [SEP] * apart + [*map(VOCABULARY.index, text.split()), SEP]
    return ids, types


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path / "folder")
    return tmp_path / "folder"


def converted(folder: Path, name: str) -> Path:
    """Another folder, with the model as ours."""
    out = folder.parent / f"out-{len(list(folder.parent.iterdir()))}"
    out.mkdir()
    conversion.convert(folder, out, name, "Apache-2.0")
    return out


def encoder_of(folder: Path, name: str = "small") -> Encoder:
    return Encoder(*read_network(converted(folder, name), "encoder"))


def say(folder: Path, name: str, content: Any) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))


Doubles = NDArray[np.float64]
Pooled = Callable[[Doubles], Doubles]


def apart(encoder: Encoder, pooled: Pooled, hidden: Sequence[Doubles]) -> float:
    """How far the vectors of the texts are, at most, from those of their hidden states."""
    expected = np.array([pooled(states) for states in hidden])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    return float(np.abs(encoder.encode(TEXTS) - expected).max())


@pytest.mark.parametrize(
    ("family", "modules", "name", "pooling"),
    [
        ("bert", None, "small", "mean"),
        ("mpnet", None, "small", "mean"),
        ("mpnet", "cls_token", "sup-simcse", "cls"),
        ("bert", "mean_tokens", "sup-simcse-roberta-base", "mean"),
        ("bert", None, "princeton-nlp/sup-simcse-bert-base-uncased", "pooler"),
        ("bert", None, "x/unsup-simcse-bert-base-uncased", "cls"),
    ],
)
def test_a_vector_is_that_of_plain_numpy_pooled_as_its_makers_mean_it(
    folder: Path, family: str, modules: str | None, name: str, pooling: str
) -> None:
    weights = write_folder(folder, family)
    hidden = [hidden_states(family, weights, ids_of(text)[0]) for text in TEXTS]
    pooled: dict[str, Pooled] = {
        "mean": lambda states: states.mean(axis=0),
        "cls": lambda states: states[0],
        "pooler": lambda states: np.tanh(
            weights["pooler.dense.weight"] @ states[0] + weights["pooler.dense.bias"]
        ),
    }
    if modules:
        write_modules(folder, modules, "Normalize")
    encoder = encoder_of(folder, name)
    assert apart(encoder, pooled[pooling], hidden) < 2e-5
    assert (encoder.manifest.licence, encoder.dimension) == ("Apache-2.0", 32)
    # METHODS: 0.5 belongs to CEG's own encoder, and to no other.
    own = pooling == "pooler"
    assert (encoder.threshold == 0.5) is own
    assert ("1152 pairs" in encoder.manifest.details["threshold_origin"]) is not own


def test_the_shortest_of_the_lengths_counts(folder: Path) -> None:
    say(folder, "tokenizer_config.json", {"model_max_length": 10**30})
    assert encoder_of(folder).manifest.max_length == POSITIONS
    say(folder, "sentence_bert_config.json", {"max_seq_length": 8, "do_lower_case": False})
    within, beyond = encoder_of(folder).encode(["a b c d e f", "a b c d e f g"])
    assert within.tobytes() == beyond.tobytes()


OTHER_NETWORKS: list[tuple[str, object]] = [
    *[("model_type", "t5"), ("hidden_act", "relu"), ("position_embedding_type", "relative_key")],
    *[("num_hidden_layers", 3), ("num_attention_heads", 5), ("layer_norm_eps", "small")],
]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *(("config.json", json.dumps(config("bert") | {k: v})) for k, v in OTHER_NETWORKS),
        *((name, None) for name in ("config.json", "vocab.txt", "model.safetensors")),
        ("vocab.txt", ""),
        ("vocab.txt", "[PAD]\n[SEP]\na\n"),
        ("vocab.txt", "\n".join([*VOCABULARY, "one more", ""])),
        ("tokenizer.json", "{"),
        ("tokenizer.json", '{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}'),
    ],
)
def test_a_file_that_is_missing_or_of_no_use_is_refused_in_words(
    folder: Path, name: str, content: str | None
) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)
    with pytest.raises(ModelError) as caught:
        encoder_of(folder)
    assert caught.value.message.endswith(".")
    assert caught.value.advice.endswith(".")


def test_an_encoder_published_as_onnx_is_taken_as_it_is(folder: Path, sentences: list[str]) -> None:
    said = json.loads((folder / "config.json").read_bytes())
    network = conversion.Network(conversion.Weights(folder / "model.safetensors"), said)
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.onnx").write_bytes(network.built("hidden", note=""))
    (folder / "model.safetensors").unlink()
    said = {"model_type": "distilbert", "max_position_embeddings": POSITIONS}
    say(folder, "config.json", said)
    hidden = [hidden_states("bert", random_weights("bert"), ids_of(text)[0]) for text in TEXTS]
    assert apart(encoder_of(folder), lambda states: states.mean(axis=0), hidden) < 2e-5
    write_modules(folder, "cls_token", "Normalize")
    encoder = encoder_of(folder)
    assert apart(encoder, lambda states: states[0], hidden) < 2e-5
    told = {key: encoder.manifest.details[key] for key in ("batch", "dimension", "max_length")}
    assert told == {"batch": 1, "dimension": 32, "max_length": POSITIONS - 2}
    assert encoder.encode([" ".join(sentences[:9])]).shape == (1, 32)


@pytest.mark.parametrize(
    ("config", "pooling"),
    [
        ({"pooling_mode_cls_token": True, "include_prompt": True}, "cls"),
        ({"pooling_mode": "mean", "embedding_dimension": 384}, "mean"),
        ({"pooling_mode_max_tokens": True}, "'max'"),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}, "'cls, mean"),
        ({}, "'nothing'"),
    ],
)
def test_pooling_in_both_spellings(tmp_path: Path, config: dict[str, object], pooling: str) -> None:
    write_modules(tmp_path, "mean_tokens", "Normalize")
    say(tmp_path, "1_Pooling/config.json", config)
    if "'" not in pooling:
        assert conversion.read_modules(tmp_path) == (tmp_path, pooling)
        return
    with pytest.raises(ModelError, match=f"are made by {pooling}"):
        conversion.read_modules(tmp_path)
    write_modules(tmp_path, "mean_tokens", "Dense")
    with pytest.raises(ModelError, match="a part of the kind 'Dense'"):
        conversion.read_modules(tmp_path)


PATHS = ["../elsewhere", "/etc", "..", ".", "a/../../b", "a\\b", 5]
NO_MODULES = ["{}", "[1]", "[", '[{"type": "Pooling"}]', "[" * 100_000]


@pytest.mark.parametrize(
    "content",
    [*NO_MODULES, *(json.dumps([{"path": path, "type": "Transformer"}]) for path in PATHS)],
)
def test_damaged_modules_or_paths_out_of_the_folder_fail(tmp_path: Path, content: str) -> None:
    (tmp_path / "modules.json").write_text(content)
    with pytest.raises(ModelError, match=r"modules\.json is missing or damaged"):
        conversion.read_modules(tmp_path)


@pytest.mark.parametrize("prefix", ["", "bert.", "0.auto_model."])
def test_both_formats_hold_the_same_network(folder: Path, prefix: str) -> None:
    expected = encoder_of(folder).encode(TEXTS)
    weights = {f"{prefix}{name}": array for name, array in random_weights("bert").items()}
    weights["cls.predictions.bias"] = np.zeros(3, dtype=np.float32)
    write_pytorch(folder / "pytorch_model.bin", weights)
    (folder / "model.safetensors").unlink()
    assert encoder_of(folder).encode(TEXTS).tobytes() == expected.tobytes()


QUERY = "encoder.layer.1.attention.self.query.weight"
PLACES = "embeddings.position_embeddings.weight"

DAMAGES: dict[str, tuple[Callable[[Arrays], object], str]] = {
    "missing": (lambda found: found.pop(QUERY), f"{QUERY} is missing"),
    "shape": (lambda found: found.update({QUERY: found[QUERY][1:]}), "or not of the shape"),
    "undefined": (lambda found: found[QUERY].__setitem__((3, 3), np.nan), "are no numbers"),
    "no words": (lambda found: found.pop("embeddings.word_embeddings.weight"), "hold 0 encoders"),
    "twice": (lambda found: found.update({f"a.{n}": found[n] for n in found}), "hold 2 encoders"),
    "positions": (lambda found: found.update({PLACES: np.ones((2, 32), np.float32)}), "do not fit"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_weights_that_do_not_fit_are_refused(folder: Path, damage: str) -> None:
    change, reason = DAMAGES[damage]
    weights = random_weights("bert")
    change(weights)
    write_folder(folder, "bert", weights)
    with pytest.raises(ModelError, match=reason):
        encoder_of(folder)


PAIRS = [("a b", "c d e f"), ("l m", "l m n o p q r s t"), ("", "z"), ("x y z", "")]


def reranker_of(folder: Path) -> Reranker:
    return stored_reranker(converted(folder, "small"))


@pytest.mark.parametrize("family", FAMILIES)
def test_pairs_are_scored_as_the_family_scores_them(family: str, tmp_path: Path) -> None:
    weights = write_reranker(tmp_path / "folder", family)
    between = 2 if family == "mpnet" else 1
    expected = [scores(family, weights, *ids_of(*pair, between=between))[0] for pair in PAIRS]
    reranker = reranker_of(tmp_path / "folder")
    together = reranker.score(PAIRS)
    np.testing.assert_allclose(together, expected, atol=1e-4)
    for place, pair in enumerate(PAIRS):  # whatever stands beside it
        assert reranker.score([pair]).tobytes() == together[place].tobytes()
        assert reranker.score(PAIRS[place::-1])[0].tobytes() == together[place].tobytes()
    reranker.close()


def test_two_numbers_without_names_are_labels(tmp_path: Path) -> None:
    write_reranker(tmp_path / "folder", numbers=2)
    said = json.loads((converted(tmp_path / "folder", "small") / "verifier.json").read_bytes())
    assert said["labels"] == ["LABEL_0", "LABEL_1"]


def test_pairs_are_judged_as_their_labels_stand(tmp_path: Path) -> None:
    labels = ("contradiction", "entailment", "neutral")
    weights = write_reranker(tmp_path / "folder", numbers=3, labels=labels)
    numbers = np.exp([scores("bert", weights, *ids_of(*pair)) for pair in PAIRS])
    expected = numbers[:, [1, 2, 0]] / numbers.sum(axis=1, keepdims=True)
    meant = meant_by(labels)
    assert meant == ("contradicted", "supported", "neutral")
    verifier = stored_verifier(converted(tmp_path / "folder", "small"), meant)
    together = verifier.score(PAIRS)
    np.testing.assert_allclose(together, expected, atol=1e-5)
    verifier.close()


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        (("ENTAILMENT", "not_entailment"), ("supported", "neutral")),
        (("hallucinated", "consistent"), ("neutral", "supported")),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), ("supported", "contradicted", "neutral")),
        (("LABEL_0", "LABEL_1"), None),
        (("neutral", "contradiction"), None),
        (("supported", "entailment"), None),
        ((), None),
    ],
)
def test_names_of_labels_mean_ours(names: Sequence[str], meant: Sequence[str] | None) -> None:
    assert meant_by(names) == meant


@pytest.mark.parametrize(
    ("inputs", "labels"), [("input_ids, pixels", 3), ("input_ids, attention_mask", 2)]
)
def test_what_judges_no_pairs_is_refused_in_words(tmp_path: Path, inputs: str, labels: int) -> None:
    names = [f"LABEL_{number}" for number in range(labels)]
    write_reranker(tmp_path / "folder", labels=names)
    (tmp_path / "folder" / "model.safetensors").unlink()
    network = onnx.load_from_string(counting_network())
    for given, name in zip(network.graph.input, inputs.split(", "), strict=False):
        for node in network.graph.node:
            node.input[:] = [name if one == given.name else one for one in node.input]
        given.name = name
    onnx.save(network, tmp_path / "folder" / "model.onnx")
    with pytest.raises(ModelError, match="none of its kind") as raised:
        converted(tmp_path / "folder", "small")
    assert "published as ONNX" in raised.value.advice


def test_what_does_not_fit_beside_the_query_is_not_read(tmp_path: Path) -> None:
    write_reranker(tmp_path / "folder")
    reranker = reranker_of(tmp_path / "folder")
    letters = LETTERS + LETTERS
    room = reranker.manifest.max_length - 3 - 2
    within, beyond, shorter = reranker.score(
        [("a b", " ".join(letters[:n])) for n in (room, room + 5, room - 1)]
    )
    assert within == beyond != shorter
    # A query that is longer than anything leaves half of the room to the passage.
    one, other = reranker.score([(" ".join(letters), "a"), (" ".join(letters), "b")])
    assert one != other


def test_a_classifier_of_several_classes_is_no_reranker(tmp_path: Path) -> None:
    write_reranker(tmp_path / "folder", numbers=3, labels=["LABEL_0"])
    with pytest.raises(ModelError, match="gives a pair 3 numbers"):
        reranker_of(tmp_path / "folder")


ODD = ["", "naïve CAFÉ", "日本語 text", "a\x00b\tc", "x" * 120, "[MASK] </s>"]


def test_a_vocabulary_gives_berts_tokens(tmp_path: Path, sentences: list[str]) -> None:
    definition = (BUNDLED / "tokenizer.json").read_bytes()
    words = json.loads(definition)["model"]["vocab"]
    (tmp_path / "vocab.txt").write_text("\n".join([*sorted(words, key=words.get), ""]), "utf-8")
    ours, bundled = Tokenizer(conversion.tokenizer_definition(tmp_path)), Tokenizer(definition)
    for text in [*sentences, *ODD]:
        assert ours.ids(text, 300).tolist() == bundled.ids(text, 300).tolist()
    assert ours.largest() == bundled.largest() == 30521
    cased = Tokenizer(conversion.tokenizer_definition(tmp_path, cased=True))
    assert cased.ids("Paris", 9).tolist() != cased.ids("paris", 9).tolist()
    assert ours.ids("Paris", 9).tolist() == cased.ids("paris", 9).tolist()


SIX = np.arange(6, dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pytorch_model.bin"


def refusal(path: Path) -> ModelError:
    with pytest.raises(ModelError) as caught:
        conversion.read_pytorch(path)
    return caught.value


@pytest.mark.parametrize(
    ("shape", "strides", "offset", "kind", "expected"),
    [
        ((3, 2), (1, 3), 0, "Float", [[0, 3], [1, 4], [2, 5]]),
        ((2,), (3,), 2, "Float", [2, 5]),
        ((), (), 5, "Float", 5),
        ((2, 2), (2, 1), 1, "BFloat16", [[1, 2], [3, 4]]),  # which numpy does not know
    ],
)
def test_a_tensor_may_be_any_view_of_its_storage(
    path: Path, shape: Any, strides: Any, offset: int, kind: str, expected: Any
) -> None:
    halves = (SIX.view(np.uint32) >> 16).astype(np.uint16)
    storage = f"ctorch\n{kind}Storage\n".encode()
    content = dictionary([("a", tensor("0", 6, shape, strides, offset, storage))])
    write_archive(path, content, {"0": (SIX if kind == "Float" else halves).tobytes()})
    assert conversion.read_pytorch(path)["a"].astype(np.float32).tolist() == expected


@pytest.mark.parametrize(
    ("shape", "strides", "offset"),
    [
        *[((7,), (1,), 0), ((2,), (2**40,), 0), ((2**31, 2**31), (0, 0), 0)],
        *[((-1, -6), (1, 1), 0), ((6,), (-1,), 5), ((6,), (1, 1), 0)],
    ],
)
def test_a_tensor_beyond_its_storage(path: Path, shape: Any, strides: Any, offset: int) -> None:
    content = dictionary([("a", tensor("0", 6, shape, strides, offset))])
    write_archive(path, content, {"0": SIX.tobytes()})
    assert "are damaged" in refusal(path).message


def archive(compression: int = zipfile.ZIP_STORED, **files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as made:
        for name, content in files.items():
            made.writestr(f"model/{name.replace('_', '.')}", content)
    return stream.getvalue()


def pickled(content: bytes) -> bytes:
    """Weights of this pickle."""
    files = {"data_pkl": content, "byteorder": b"little", "data/0": SIX.tobytes()}
    return archive(zipfile.ZIP_STORED, **files)


REFUSED = {
    "another zip": archive(readme_md=b"hello"),
    "compressed": archive(zipfile.ZIP_DEFLATED, data_pkl=b"\x80\x02}."),
    "a bomb": archive(data_pkl=b"0" * 5_000_000),
    "before 1.6": pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2),
    "no end": pickled(b"\x80\x02}"),
    "calls a storage": pickled(b"\x80\x02ctorch\nFloatStorage\n)R."),
    "an endless text": pickled(b"\x80\x02X\xff\xff\xff\x7f"),
    "an endless array": pickled(b"\x80\x05\x96\0\0\0\0\0\1\0\0."),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_and_damaged_files_are_refused(path: Path, name: str) -> None:
    path.write_bytes(REFUSED[name])
    assert "no file that PyTorch writes" in refusal(path).message


class Payload:
    """Runs something when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (f"touch {self._mark}",)


@pytest.mark.parametrize("protocol", [0, 5])
@pytest.mark.parametrize("payload", [Payload, Path])
def test_nothing_in_a_pickle_is_run(
    path: Path, tmp_path: Path, payload: Callable[[Path], object], protocol: int
) -> None:
    mark = tmp_path / "ran"
    write_archive(path, pickle.dumps(payload(mark), protocol), {})
    error = refusal(path)
    assert not mark.exists()
    assert "may run a program" in error.message
    assert "model.safetensors" in error.advice


def test_a_name_that_tensors_do_not_need_is_said_harmlessly(path: Path) -> None:
    for module, name in (
        (b"torch._utils", b"_rebuild_tensor_v2.__globals__"),
        (b"builtins", b"getattr"),
        (b"\x1b[31m", b"\a"),
    ):
        write_archive(path, b"\x80\x02c%s\n%s\n." % (module, name), {})
        message = refusal(path).message
        assert ascii(f"{module.decode()}.{name.decode()}") in message
        assert message.isprintable()


@pytest.mark.parametrize(
    "header", [b"{", {"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}}]
)
def test_a_header_that_lies_is_refused(tmp_path: Path, header: Any) -> None:
    path = tmp_path / "model.safetensors"
    write_header(path, header, bytes(8))
    with pytest.raises(ModelError, match="are damaged"):
        conversion.read_safetensors(path)
