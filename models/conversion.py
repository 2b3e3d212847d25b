"""A model from a Hugging Face folder into the three files that ours are made of, without PyTorch.

Networks of BERT's and MPNet's kind are built anew from their weights (Devlin et al. 2019, section
3; MPNet, Song et al. 2020, adds a bias for the distance between two tokens). What counts is what
transformers computes. An encoder or verifier of another kind is taken as the ONNX file that its
makers publish, if it has one, and probed: what it takes, how a text's vector comes of what it
gives. It runs singly, since company might change its numbers.

A file of ``torch.save`` (since PyTorch 1.6) is a zip: ``data.pkl`` describes the tensors and
``data/0``, ``data/1``, ... hold their numbers. A pickle is a program that may ask to import and
call anything: here an imported name is an entry in a table of ours, and any other name ends the
reading.

This module, which imports onnx, is imported when something is to be converted.
"""

import hashlib
import io
import json
import pickle
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import zip_longest
from math import prod
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar
from zipfile import ZIP_STORED, ZipFile

import ml_dtypes  # noqa: F401  (teaches numpy, and so safetensors, what bfloat16 is)
import msgspec
import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from veracite.models.bundled import bundled_encoder
from veracite.models.encoder import Encoder, matched_threshold, sample_pairs, sample_vectors
from veracite.models.errors import ModelError
from veracite.models.files import quoted, stays_inside
from veracite.models.onnx import Manifest, Tokenizer, padded_length
from veracite.models.reranker import Reranker
from veracite.models.verifier import LABELS, Verifier

Floats = NDArray[np.float32]
_Array = NDArray[Any]

_MAX_PICKLE = 4 * 2**20
"""Bytes; a thousand tensors take some 200,000."""
_OPSET = 20
"""The first with Gelu."""
_IR_VERSION = 9
_LARGEST = 2**31 - 2**20
"""Bytes; protobuf's limit on one message, less room for the nodes."""
_DISTANT = 128
"""Tokens; MPNet does not tell larger distances from each other."""
_NEVER = float(np.finfo(np.float32).min)
"""Added to the score of what is not to be attended to."""
_WORDS = "embeddings.word_embeddings.weight"
_POSITIONS = "embeddings.position_embeddings.weight"
_SEGMENTS = "embeddings.token_type_embeddings.weight"
_DISTANCES = "encoder.relative_attention_bias.weight"


SEPARATORS = {"bert": 1, "mpnet": 2}
"""By kind of network, the special tokens between the texts of a pair."""
_RENAMED = {
    "attention.attn.q.": "attention.self.query.",
    "attention.attn.k.": "attention.self.key.",
    "attention.attn.v.": "attention.self.value.",
    "attention.attn.o.": "attention.output.dense.",
    "attention.LayerNorm.": "attention.output.LayerNorm.",
    "classifier.dense.": "pooler.dense.",
    "classifier.out_proj.": "classifier.",
}
"""What MPNet's weights are called in transformers: by BERT's names they are looked for."""


@dataclass(frozen=True, slots=True)
class _Configuration:
    """What the weights do not tell about a network, by the names of transformers' config.json."""

    model_type: Literal["bert", "mpnet"]
    num_hidden_layers: Annotated[int, msgspec.Meta(gt=0, le=1024)]
    num_attention_heads: Annotated[int, msgspec.Meta(gt=0, le=1024)]
    hidden_act: Literal["gelu"] = "gelu"
    layer_norm_eps: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 1e-12
    position_embedding_type: Literal["absolute"] = "absolute"


def unsupported(reason: str) -> ModelError:
    """Says that a model, sound as far as is known, is none that can be converted."""
    return ModelError(
        f"This model cannot be converted: {reason}.",
        "Use a sentence encoder, reranker or verifier of the BERT or MPNet kind and of up to 2 GB, "
        "or an encoder or verifier that is published as ONNX.",
    )


# --- The weights ------------------------------------------------------------------------------


class Weights:
    """The arrays of a network by their names, all of which are without the encoder's prefix.

    A checkpoint may hold the encoder inside something larger ("bert.", "0.auto_model." and so on):
    the prefix is whatever stands before the word embeddings. The names of what is outside the
    encoder, such as "classifier", have none. All have the names that BERT's have.

    Args:
        path: A file in the format of safetensors, or of PyTorch.

    Raises:
        ModelError: the file is damaged, or holds no encoder, or several. The methods raise it
            where an array is missing or of another shape than it must have.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        tensors = read_safetensors(path) if path.suffix == ".safetensors" else read_pytorch(path)
        if sum(values.size for values in tensors.values()) * 4 > _LARGEST:
            raise unsupported("it would take more than 2 GB")
        found = [n for n in tensors if n == _WORDS or n.endswith(f".{_WORDS}")]
        if len(found) != 1:
            raise unsupported(f"its weights hold {len(found)} encoders")
        prefix = found[0].removesuffix(_WORDS)
        within = {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}
        self._tensors = tensors | within
        for old, new in _RENAMED.items():
            for name in [name for name in self._tensors if old in name]:
                self._tensors[name.replace(old, new)] = self._tensors.pop(name)

    def array(self, name: str, *shape: int) -> Floats:
        """The numbers of an array that must have this shape, all of them finite.

        A size of -1 may be any but 0.
        """
        values = self._tensors.get(name, np.empty(0))
        fits = (size and wanted in (size, -1) for size, wanted in zip_longest(values.shape, shape))
        if not all(fits):
            raise _broken(self._path, f"{name} is missing, or not of the shape {shape}")
        if values.dtype.name not in ("float32", "float16", "bfloat16"):
            raise unsupported(f"its weights are stored as {values.dtype}")
        floats = np.ascontiguousarray(values, dtype=np.float32)
        if not np.isfinite(floats).all():
            raise _broken(self._path, "they hold values that are no numbers")
        return floats


def _broken(path: Path, reason: str) -> ModelError:
    """Says that weights cannot be what their file says they are."""
    return ModelError(f"The weights {path} are damaged: {reason}.", "Copy or download them again.")


def read_safetensors(path: Path) -> dict[str, _Array]:
    """The tensors of a file by their names; raises ModelError where it cannot be read."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return load_file(path)
    except (SafetensorError, OSError, ValueError, TypeError, KeyError) as error:
        raise _broken(path, f"they cannot be read ({quoted(str(error))})") from error


def read_pytorch(path: Path) -> dict[str, _Array]:
    """The tensors of a file by their names. Nothing in the file is ever run.

    Raises:
        ModelError: the file cannot be read, contradicts itself, or holds anything but tensors.
    """
    try:
        with ZipFile(path) as archive:
            content = _Unpickler(archive).load().items()
    except _Forbidden as error:
        raise ModelError(
            f"The weights {path} were not read: they ask for {quoted(str(error))}, which no "
            "weights need and which may run a program.",
            "Use the model's model.safetensors instead.",
        ) from error
    except Exception as error:  # whatever a contradiction leads to
        raise _broken(path, "they are no file that PyTorch writes, or not all of it") from error
    return {n: v for n, v in content if type(n) is str and isinstance(v, np.ndarray)}


class _Forbidden(Exception):
    """Names what a pickle asked for and must not have."""


def _rebuilt(storage: _Array, offset: int, shape: Any, strides: Any, *_: Any) -> _Array:
    """A tensor: which numbers of a storage, in which order."""
    # numpy sees to it that no tensor reaches beyond its storage; one that repeats its numbers could
    # ask for any amount of memory.
    if prod(shape) > storage.size or min(strides, default=0) < 0:
        raise ValueError("a tensor is larger than its storage, or runs backwards")
    steps = [stride * storage.itemsize for stride in strides]
    return np.ndarray(shape, storage.dtype, storage, offset * storage.itemsize, steps)


class _Unpickler(pickle._Unpickler):
    """Python's own, which keeps its memory in a dictionary, and knows few names.

    An entry that is not compressed takes no more memory than the file.
    """

    names: ClassVar[dict[str, Any]] = {
        "torch.FloatStorage": "float32",
        "torch.HalfStorage": "float16",
        "torch.BFloat16Storage": "bfloat16",
        "torch.LongStorage": "int64",
        "collections.OrderedDict": dict,
        "torch._utils._rebuild_tensor_v2": _rebuilt,
    }

    def __init__(self, archive: ZipFile) -> None:
        infos = archive.infolist()
        self._archive = archive
        self._entries = {info.filename.partition("/")[2]: info for info in infos}
        self._storages: dict[str, _Array] = {}
        plain = all(i.compress_type == ZIP_STORED and not i.flag_bits & 1 for i in infos)
        if len(self._entries) != len(infos) or not plain:
            raise ValueError("it has an entry twice, or one that is compressed")
        if self._entries["data.pkl"].file_size > _MAX_PICKLE:
            raise ValueError("its table of contents is too long")
        super().__init__(io.BytesIO(archive.read(self._entries["data.pkl"])))

    def find_class(self, module: str, name: str) -> Any:
        if f"{module}.{name}" not in self.names:
            raise _Forbidden(f"{module}.{name}")
        return self.names[f"{module}.{name}"]

    def persistent_load(self, pid: Any) -> _Array:
        _, kind, key, _, count = pid
        if key not in self._storages:
            content = self._archive.read(self._entries[f"data/{key}"])
            storage = np.frombuffer(content, np.dtype(kind))
            if storage.size != count:
                raise ValueError("a storage is not of the size that is named")
            self._storages[key] = storage
        return self._storages[key]

    def _ignored(self: Any) -> None:
        """What would change an object: dictionaries of tensors say something beside them so."""
        self.stack.pop()

    dispatch: ClassVar[dict[int, Any]] = {**pickle._Unpickler.dispatch, pickle.BUILD[0]: _ignored}
    # The one instruction that takes as much memory as it says, whatever follows.
    del dispatch[pickle.BYTEARRAY8[0]]


# --- The network ------------------------------------------------------------------------------


class Network:
    """A network that is built anew: its parts are added to a graph one after the other.

    Methods that add a part return its output's name.

    Args:
        weights: Of the network that ``config`` describes.
        config: What config.json says.

    Raises:
        ModelError: it is of another kind, or the weights cannot belong to such a network.
    """

    def __init__(self, weights: Weights, config: dict[str, Any]) -> None:
        try:
            self._configuration = msgspec.convert(config, _Configuration)
        except msgspec.ValidationError as error:
            reason = f"its config.json is none of its kind ({quoted(str(error))})"
            raise unsupported(reason) from error
        self._weights = weights
        self._heads = self._configuration.num_attention_heads
        self._words = weights.array(_WORDS, -1, -1)
        self.vocabulary, self.width = self._words.shape
        self._is_mpnet = self._configuration.model_type == "mpnet"
        # The first two of MPNet's rows belong to padding.
        first = 2 if self._is_mpnet else 0
        self._positions = weights.array(_POSITIONS, -1, self.width)[first:]
        self.tokens = len(self._positions)
        """That a text has at most."""
        if self.width % self._heads or self.tokens < 3:
            raise unsupported("its weights do not fit its config.json")
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def built(self, output: str, note: str, numbers: int = 1) -> bytes:
        """The ONNX file of an encoder: input_ids, attention_mask -> last_hidden_state.

        That of a cross-encoder takes token_type_ids as well and gives scores. The scores of a pair
        are the numbers of its first token. The others get some too: a single row would be
        multiplied by another routine, and rounded differently, than several.

        Args:
            output: "hidden", the vectors of all tokens; "pooler", the same behind the dense layer
                and tanh that BERT has for its first; "score".
            note: Text that the file is to hold, as its description.
            numbers: That a cross-encoder gives a pair: a reranker 1, a verifier one for each label.

        Raises:
            ModelError: weights are missing, damaged or of the wrong shape, or too large; or a
                cross-encoder gives a pair other numbers.
        """
        width, inputs, scores = self.width, ["input_ids", "attention_mask"], output == "score"
        result = self._hidden(pairs=scores)
        if output != "hidden":
            result = self._node("Tanh", self._dense("pooler.dense", result, width, width))
        if scores:
            inputs.append("token_type_ids")
            if (given := len(self._weights.array("classifier.bias", -1))) != numbers:
                raise unsupported(f"it gives a pair {given} numbers, where {numbers} were expected")
            result, width = self._dense("classifier", result, width, numbers), numbers
        rows = ["batch", "tokens"]
        self._nodes.append(helper.make_node("Identity", [result], ["last_hidden_state"]))
        graph = helper.make_graph(
            self._nodes,
            "encoder",
            [helper.make_tensor_value_info(name, TensorProto.INT64, rows) for name in inputs],
            [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*rows, width])],
            self._constants,
        )
        opset = helper.make_opsetid("", _OPSET)
        versions = {"opset_imports": [opset], "ir_version": _IR_VERSION}
        made = helper.make_model(graph, **versions, doc_string=note)
        return bytes(made.SerializeToString())

    def _node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add a node with one output."""
        output = f"{operator}.{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def _constant(self, values: Any) -> str:
        array = np.asarray(values)
        name = f"constant.{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(array, name))
        return name

    def _ints(self, *values: object) -> list[str]:
        return [self._constant(np.array(value, dtype=np.int64)) for value in values]

    def _hidden(self, pairs: bool) -> str:
        tokens = self._node("Shape", "input_ids", start=1, end=2)
        hidden = self._embedded(tokens, pairs)
        # Added to the scores of padding: shape (batch, 1, 1, tokens).
        mask = self._node("Cast", "attention_mask", to=TensorProto.FLOAT)
        padding = self._node("Sub", self._constant(np.float32(1)), mask)
        never = self._node("Mul", padding, self._constant(np.float32(_NEVER)))
        outside = self._node("Unsqueeze", never, *self._ints([1, 2]))
        if self._is_mpnet:
            outside = self._node("Add", outside, self._distance_bias(tokens))
        for layer in range(self._configuration.num_hidden_layers):
            hidden = self._layer(hidden, f"encoder.layer.{layer}", outside)
        return hidden

    def _embedded(self, tokens: str, pairs: bool) -> str:
        """Words, positions and BERT's segments, added and normalised; of one text the first."""
        words = self._node("Gather", self._constant(self._words), "input_ids")
        segments = np.zeros((1, self.width), dtype=np.float32)
        if not self._is_mpnet:
            segments = self._weights.array(_SEGMENTS, -1, self.width)
        # A text of the greatest length may be padded beyond it.
        beyond = padded_length(self.tokens) - self.tokens
        room = np.pad(self._positions + segments[0], ((0, beyond), (0, 0)))
        here = self._node("Slice", self._constant(room), *self._ints([0]), tokens)
        added = self._node("Add", words, here)
        if pairs:
            further = self._constant(segments[[0, min(1, len(segments) - 1)]] - segments[0])
            added = self._node("Add", added, self._node("Gather", further, "token_type_ids"))
        return self._norm("embeddings.LayerNorm", added)

    def _distance_bias(self, tokens: str) -> str:
        """MPNet's relative_attention_bias: shape (heads, tokens, tokens)."""
        table = self._weights.array(_DISTANCES, -1, self._heads)
        furthest = padded_length(self.tokens)
        distances = np.arange(-furthest, furthest + 1)
        by_distance = self._constant(table[buckets(distances, len(table))])
        zero, one, middle = self._ints(0, 1, furthest)
        places = self._node("Range", zero, self._node("Squeeze", tokens), one)
        columns = self._node("Add", places, middle)
        distance = self._node("Sub", columns, self._node("Unsqueeze", places, *self._ints([1])))
        return self._node("Transpose", self._node("Gather", by_distance, distance), perm=[2, 0, 1])

    def _layer(self, hidden: str, place: str, outside: str) -> str:
        width = self.width
        attended = self._attended(hidden, f"{place}.attention.self", outside)
        mixed = self._dense(f"{place}.attention.output.dense", attended, width, width)
        hidden = self._norm(f"{place}.attention.output.LayerNorm", self._node("Add", mixed, hidden))
        inner = len(self._weights.array(f"{place}.intermediate.dense.bias", -1))
        raised = self._dense(f"{place}.intermediate.dense", hidden, width, inner)
        active = self._node("Gelu", raised)
        lowered = self._dense(f"{place}.output.dense", active, inner, width)
        return self._norm(f"{place}.output.LayerNorm", self._node("Add", lowered, hidden))

    def _attended(self, hidden: str, place: str, outside: str) -> str:
        """Scaled dot-product attention; ``outside`` is added to the scores."""
        width, heads = self.width, self._heads
        split, joined = self._ints([0, 0, heads, width // heads], [0, 0, width])

        def headed(part: str, axes: list[int], scale: float = 1) -> str:
            rows = self._dense(f"{place}.{part}", hidden, width, width, scale)
            return self._node("Transpose", self._node("Reshape", rows, split), perm=axes)

        query = headed("query", [0, 2, 1, 3], scale=(width / heads) ** -0.5)
        key = headed("key", [0, 2, 3, 1])
        value = headed("value", [0, 2, 1, 3])
        scores = self._node("Add", self._node("MatMul", query, key), outside)
        mixed = self._node("MatMul", self._node("Softmax", scores, axis=-1), value)
        return self._node("Reshape", self._node("Transpose", mixed, perm=[0, 2, 1, 3]), joined)

    def _dense(self, name: str, rows: str, inputs: int, outputs: int, scale: float = 1) -> str:
        weight = self._weights.array(f"{name}.weight", outputs, inputs) * np.float32(scale)
        bias = self._weights.array(f"{name}.bias", outputs) * np.float32(scale)
        turned = self._constant(np.ascontiguousarray(weight.T))
        return self._node("Add", self._node("MatMul", rows, turned), self._constant(bias))

    def _norm(self, name: str, rows: str) -> str:
        scale = self._constant(self._weights.array(f"{name}.weight", self.width))
        shift = self._constant(self._weights.array(f"{name}.bias", self.width))
        epsilon = self._configuration.layer_norm_eps
        return self._node("LayerNormalization", rows, scale, shift, axis=-1, epsilon=epsilon)


def buckets(distances: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    """The row of MPNet's table for each distance (transformers' relative_position_bucket).

    The second half of the rows is for tokens that come later. The first half of each half is for
    one distance each, the rest for ranges of distances that grow logarithmically up to 128.
    """
    half, exact = rows // 2, rows // 4
    far = np.abs(distances)
    growth = np.log(np.maximum(far, exact).astype(np.float32) / np.float32(exact))
    ranges = exact + (growth / np.float32(np.log(_DISTANT / exact)) * (half - exact)).astype(int)
    ranges = np.minimum(ranges, half - 1)
    return np.where(distances > 0, half, 0) + np.where(far < exact, far, ranges)


# --- The folder -------------------------------------------------------------------------------

_LONGEST = 512
"""Tokens; the index makes no longer passages."""
_CEG = "sup-simcse-bert-base-uncased"
"""The encoder that CEG retrieves with, at t = 0.5."""

_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True)
class _Module:
    """An entry of sentence-transformers' modules.json."""

    type: str
    path: str


@dataclass(frozen=True, slots=True)
class _Source:
    """What a folder holds of a network beside its weights."""

    config: dict[str, Any]
    tokenizer: bytes
    limits: tuple[int, ...]
    """Tokens that it is said to read at most."""
    pooling: str
    """mean, cls or pooler; as sentence-transformers does, the mean where nothing is said."""
    kind: Literal["encoder", "reranker", "verifier"]
    """A network with transformers' head for classification, of which nothing says how vectors come,
    is a reranker if it gives a pair one number, and a verifier if several."""
    labels: Sequence[str]
    """What a verifier calls its numbers, in their order."""


def convert(folder: Path, out: Path, name: str, licence: str) -> Manifest:
    """Write encoder.onnx, tokenizer.json and encoder.json, and return what the last one says.

    Of a cross-encoder, reranker.onnx and reranker.json, or verifier.onnx and verifier.json. Nothing
    that the folder holds is run.

    Args:
        folder: config.json, the tokenizer, and the weights in the format of safetensors, PyTorch or
            ONNX, as published on Hugging Face, with sentence-transformers' files if there are any.
        out: An empty folder. What is in it after an error is of no use.
        name: What the model is to be called; SimCSE's encoders are known by theirs.
        licence: An SPDX expression.

    Raises:
        ModelError: a file is missing or damaged, or describes a model of another kind.
        OSError: ``out`` cannot be written.
    """
    place, pooling = read_modules(folder)
    source = _source(place, pooling, name)
    kind, weights = source.kind, _first(place, "model.safetensors", "pytorch_model.bin")
    if weights and source.config.get("model_type") in SEPARATORS:
        network, facts = _built(source, weights)
    else:
        weights = _first(folder, "onnx/model.onnx", "model.onnx", "onnx/*.onnx")
        if weights is None or kind == "reranker":
            raise unsupported("its folder holds no weights that can be read")
        network, facts = _whole(weights), _published(source)
    said = {
        "name": name,
        "version": "1",
        "file": f"{kind}.onnx",
        "sha256": hashlib.sha256(network).hexdigest(),
        "tokenizer": "tokenizer.json",
        "tokenizer_sha256": hashlib.sha256(source.tokenizer).hexdigest(),
        "licence": licence,
        "origin": f"{name}, converted from {weights.name}",
        **facts,
    }
    if kind == "verifier":
        # It runs singly: what company would change is not known. RoBERTa and its like have one type
        # of tokens, the claim's being that of the premise.
        types = source.config.get("type_vocab_size", 2)
        claim_type = int(type(types) is not int or types > 1)
        said |= {"temperature": 1.0, "rows": 1, "claim_type": claim_type, "labels": source.labels}
        # What its labels mean is asked when it is put to use.
        labels = LABELS[: len(source.labels)]
        _tried(Verifier(network, source.tokenizer, _manifest(said), labels=labels))
    elif kind == "reranker":
        said["separators"] = SEPARATORS[source.config["model_type"]]
        _tried(Reranker(network, source.tokenizer, _manifest(said)))
    else:
        # It opens with any dimension and threshold, and shows then what these are.
        opened = _manifest({"dimension": 0, "threshold": 0, **said})
        found = _tried(Encoder(network, source.tokenizer, opened))
        threshold, told = 0.5, "CEG's own, for this encoder"
        if name.lower().rpartition("/")[2] != _CEG:
            with closing(bundled_encoder()) as known:
                threshold, told = matched_threshold(found, known)
        said |= {"dimension": found.shape[1], "threshold": threshold, "threshold_origin": told}
    (out / f"{kind}.onnx").write_bytes(network)
    (out / "tokenizer.json").write_bytes(source.tokenizer)
    (out / f"{kind}.json").write_bytes(msgspec.json.format(msgspec.json.encode(said)))
    return _manifest(said)


def _whole(path: Path) -> bytes:
    """An ONNX file, with the weights in it that may lie in another one beside it.

    Raises:
        ModelError: it is none, or larger than one file of its format can be.
    """
    import onnx

    try:
        bare, whole = onnx.load(path, load_external_data=False), onnx.load(path)
        if bare.ByteSize() == whole.ByteSize():
            return path.read_bytes()
        made: bytes = whole.SerializeToString()
    except Exception as error:
        raise unsupported(f"its ONNX file cannot be read ({quoted(str(error))})") from error
    return made


def _manifest(said: dict[str, Any]) -> Manifest:
    return msgspec.convert({**said, "details": said}, Manifest)


def _first(folder: Path, *patterns: str) -> Path | None:
    """The first file of a folder that one of the patterns fits, in their order; None if none does.

    Patterns without a star are names.
    """
    found = (path for pattern in patterns for path in folder.glob(pattern))
    return next(filter(Path.is_file, found), None)


def _tried(network: Encoder | Reranker | Verifier) -> Floats:
    """What a network makes of the sample's texts, or of pairs of them; it is closed.

    Raises:
        ModelError: It takes or gives something else than its kind does, or the same for all.
    """
    with closing(network), np.errstate(invalid="ignore"):
        try:
            if isinstance(network, Encoder):
                found = sample_vectors(network)
            else:
                found = network.score(sample_pairs())
        except (KeyError, IndexError, ValueError) as error:
            raise unsupported(
                f"its ONNX file is none of its kind ({quoted(str(error))})"
            ) from error
    if not np.isfinite(found).all() or not (found.std(axis=0) > 0).any():
        raise unsupported("it gives no numbers that tell texts from each other")
    return found


def read_modules(folder: Path) -> tuple[Path, str | None]:
    """Where the network is, and how a text's vector is made of its tokens': mean, cls, or None
    where modules.json does not say.

    Raises:
        ModelError: the vectors are made in another way than by mean or first token.
    """
    if not (folder / "modules.json").exists():
        return folder, None
    transformer, pooling = folder, None
    for module in _read_json(folder / "modules.json", list[_Module]):
        if module.path and ("/" in module.path or not stays_inside(module.path)):
            raise _damaged("modules.json")
        kind = module.type.rpartition(".")[2]
        if kind == "Transformer":
            transformer = folder / module.path
        elif kind == "Pooling":
            pooling = _pooling(_read_json(folder / module.path / "config.json", dict[str, Any]))
        elif kind != "Normalize":  # which ours always are
            raise unsupported(f"it has a part of the kind {quoted(kind)}")
    return transformer, pooling


def _pooling(config: dict[str, Any]) -> str:
    named = {key.removeprefix("pooling_mode_") for key, value in config.items() if value is True}
    named.add(str(config.get("pooling_mode", "")))
    modes = {mode.removesuffix("_tokens").removesuffix("_token") for mode in named}
    found = ", ".join(sorted(modes - {"", "include_prompt"}))
    if found not in ("mean", "cls"):
        raise unsupported(f"its vectors are made by {quoted(found or 'nothing')}")
    return found


def _simcse_pooling(name: str) -> str:
    """How the vectors of a model without sentence-transformers' files are made.

    SimCSE's own package (princeton-nlp/SimCSE, simcse/tool.py) takes ``pooler_output``; for models
    that were trained without supervision its README takes the first token's vector before that.
    """
    name = name.lower().rpartition("/")[2]
    if "simcse" not in name:
        return "mean"
    return "cls" if name.startswith("unsup") else "pooler"


def _source(place: Path, pooling: str | None, name: str) -> _Source:
    """Look into the folder of a network."""
    config = _read_json(place / "config.json", dict[str, Any])
    sentence, settings = (
        _read_json(place / file, dict[str, Any]) if (place / file).exists() else {}
        for file in ("sentence_bert_config.json", "tokenizer_config.json")
    )
    told = (sentence.get("max_seq_length"), settings.get("model_max_length"), _LONGEST)
    classifies = pooling is None and "ForSequenceClassification" in str(config.get("architectures"))
    # Transformers write no names of labels that were given none, and mostly not that they are two.
    count = 1 if config.get("num_labels") == 1 else 2
    named = config.get("id2label", {f"{n}": f"LABEL_{n}" for n in range(count)})
    said = named.items() if classifies and isinstance(named, dict) else ()
    labels = [str(label) for _, label in sorted(said, key=lambda one: (len(one[0]), one[0]))]
    return _Source(
        config,
        tokenizer_definition(place, cased=settings.get("do_lower_case") is False),
        tuple(limit for limit in told if type(limit) is int and limit > 2),
        pooling or _simcse_pooling(name),
        "verifier" if len(labels) > 1 else "reranker" if classifies else "encoder",
        labels,
    )


def _built(source: _Source, path: Path) -> tuple[bytes, dict[str, Any]]:
    """A network that is built anew from its weights, and what is to be known of it.

    Raises:
        ModelError: the weights are damaged, or the network is of another kind.
    """
    network = Network(Weights(path), source.config)
    if Tokenizer(source.tokenizer).largest() >= network.vocabulary:
        raise unsupported("its tokenizer knows more tokens than its weights")
    facts: dict[str, Any] = {"max_length": min(*source.limits, network.tokens)}
    output = "score"
    if source.kind == "encoder":
        output = "pooler" if source.pooling == "pooler" else "hidden"
        facts["pooling"] = "mean" if source.pooling == "mean" else "cls"
    # A model's id is made from this file's hash: who reads otherwise needs another id.
    numbers = max(1, len(source.labels))
    return network.built(output, json.dumps(facts, sort_keys=True), numbers), facts


def _published(source: _Source) -> dict[str, Any]:
    """What is to be known of an encoder or verifier in its makers' own ONNX file.

    Raises:
        ModelError: its vectors are made by a pooler, which that file does not show.
    """
    if source.kind == "encoder" and source.pooling == "pooler":
        raise unsupported("its vectors are made by a pooler, which its ONNX file does not show")
    # Some families leave two positions to padding, and a longer text would end the run.
    positions = source.config.get("max_position_embeddings", _LONGEST + 2)
    limits = (*source.limits, positions - 2 if type(positions) is int else _LONGEST)
    facts: dict[str, Any] = {"max_length": max(3, min(limits))}
    if source.kind == "encoder":
        facts |= {"pooling": source.pooling, "batch": 1}  # what company would change is not known
    return facts


def tokenizer_definition(folder: Path, *, cased: bool = False) -> bytes:
    """What is to be written to tokenizer.json: no truncation, no padding.

    Args:
        folder: Has a tokenizer.json or BERT's vocab.txt, which has one token a line.
        cased: Whether the latter's tokens tell capitals from small letters.

    Raises:
        ModelError: there is no tokenizer, or it is damaged or of another kind.
    """
    import tokenizers

    path = folder / "tokenizer.json"
    try:
        if path.exists():
            tokenizer = tokenizers.Tokenizer.from_buffer(bytes(_read_json(path, msgspec.Raw)))
        else:
            path = folder / "vocab.txt"
            of_bert = tokenizers.BertWordPieceTokenizer(str(path), lowercase=not cased)
            tokenizer = tokenizers.Tokenizer.from_str(of_bert.to_str())
    except Exception as error:
        raise _damaged(path.name) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer.to_str().encode() + b"\n"


def _read_json(path: Path, kind: type[_Kind]) -> _Kind:
    """What is in a JSON file.

    Raises:
        ModelError: there is none, or it holds something else.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(path.name) from error


def _damaged(file: str) -> ModelError:
    return ModelError(
        f"The model's {file} is missing or damaged.",
        "Give the whole folder, as it is published on Hugging Face.",
    )
