"""Small networks as ONNX whose answers can be foretold."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def counting_network() -> bytes:
    """A cross-encoder whose logits are logarithms of (tokens of type 0, of type 1, one)."""
    nodes = [
        helper.make_node("Mul", ["token_type_ids", "attention_mask"], ["second"]),
        helper.make_node("Sub", ["attention_mask", "second"], ["first"]),
        helper.make_node("ReduceSum", ["first", "axis"], ["premise"], keepdims=1),
        helper.make_node("ReduceSum", ["second", "axis"], ["claim"], keepdims=1),
        helper.make_node("Sign", ["claim"], ["one"]),
        # The ids take part so that the network has the inputs of a real one.
        helper.make_node("ReduceMax", ["input_ids"], ["largest"], axes=[1], keepdims=1),
        helper.make_node("Sign", ["largest"], ["also_one"]),
        helper.make_node("Mul", ["one", "also_one"], ["last"]),
        helper.make_node("Concat", ["premise", "claim", "last"], ["counts"], axis=1),
        helper.make_node("Cast", ["counts"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Log", ["floats"], ["logits"]),
    ]
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        nodes,
        "counting",
        [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])],
        [numpy_helper.from_array(np.array([1], dtype=np.int64), "axis")],
    )
    return as_bytes(graph)


def doubling_network(turns: int) -> bytes:
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go_on"], ["still"]),
            helper.make_node("Add", ["so_far", "so_far"], ["more"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("turn", TensorProto.INT64, []),
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("so_far", TensorProto.INT64, [1, 1]),
        ],
        [
            helper.make_tensor_value_info("still", TensorProto.BOOL, []),
            helper.make_tensor_value_info("more", TensorProto.INT64, [1, 1]),
        ],
    )
    graph = helper.make_graph(
        [helper.make_node("Loop", ["turns", "", "input_ids"], ["sum"], body=body)],
        "doubling",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, 1])],
        [helper.make_tensor_value_info("sum", TensorProto.INT64, [1, 1])],
        [numpy_helper.from_array(np.array(turns, dtype=np.int64), "turns")],
    )
    return as_bytes(graph)


def as_bytes(graph: onnx.GraphProto) -> bytes:
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


def lonely_network() -> bytes:
    """An encoder that tells how many texts it is given: none has the same vector in company."""
    nodes = [
        helper.make_node("Shape", ["input_ids"], ["rows"], start=0, end=1),
        helper.make_node("Add", ["input_ids", "rows"], ["sum"]),
        helper.make_node("Cast", ["sum"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["floats", "axis"], ["ids"]),
        helper.make_node("Mul", ["ids", "weights"], ["products"]),
        helper.make_node("Sin", ["products"], ["last_hidden_state"]),
    ]
    graph = helper.make_graph(
        nodes,
        "lonely",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])],
        [
            helper.make_tensor_value_info(
                "last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", 4]
            )
        ],
        [
            numpy_helper.from_array(np.array([2], dtype=np.int64), "axis"),
            numpy_helper.from_array(np.array([1, 2, 3, 5], dtype=np.float32), "weights"),
        ],
    )
    return as_bytes(graph)
