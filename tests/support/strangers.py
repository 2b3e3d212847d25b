"""The bundled verifier as if a stranger had published it."""

import json
from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile

import numpy as np
import onnx
from onnx import helper, numpy_helper

from veracite.models.bundled import BUNDLED


def bundled_as(
    folder: Path, names: Sequence[str], columns: Sequence[int] = (0, 1, 2), **said: object
) -> Path:
    """The folder of a stranger's network: the bundled one, with these of its numbers."""
    folder.mkdir(parents=True)
    network = onnx.load(BUNDLED / "verifier.onnx")
    (output,) = network.graph.output
    own = output.name
    network.graph.initializer.append(numpy_helper.from_array(np.array(columns), "columns"))
    network.graph.node.append(helper.make_node("Gather", [own, "columns"], ["chosen"], axis=1))
    shape = [None, len(columns)]
    network.graph.output[0].CopyFrom(
        helper.make_tensor_value_info("chosen", onnx.TensorProto.FLOAT, shape)
    )
    onnx.save(network, folder / "model.onnx")
    copyfile(BUNDLED / "verifier_tokenizer.json", folder / "tokenizer.json")
    config = {
        "architectures": ["StrangerForSequenceClassification"],
        "model_type": "stranger",
        "max_position_embeddings": 258,
        "id2label": dict(zip("0123", names, strict=False)),
    }
    (folder / "config.json").write_text(json.dumps(config | said))
    return folder
