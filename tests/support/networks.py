"""Small networks as ONNX whose answers can be foretold."""

import onnx


def counting_network() -> bytes:
    """A cross-encoder whose logits are logarithms of (tokens of type 0, of type 1, one).

    The ids take part so that the network has the inputs of a real one.
    """
    return _network(
        """
        counting (
            int64[batch, tokens] input_ids,
            int64[batch, tokens] attention_mask,
            int64[batch, tokens] token_type_ids
        ) => (float[batch, 3] logits) <int64[1] axis = {1}> {
            second = Mul (token_type_ids, attention_mask)
            first = Sub (attention_mask, second)
            premise = ReduceSum <keepdims = 1> (first, axis)
            claim = ReduceSum <keepdims = 1> (second, axis)
            one = Sign (claim)
            largest = ReduceMax <axes = [1], keepdims = 1> (input_ids)
            also_one = Sign (largest)
            last = Mul (one, also_one)
            counts = Concat <axis = 1> (premise, claim, last)
            floats = Cast <to = 1> (counts)
            logits = Log (floats)
        }
        """
    )


def doubling_network(turns: int) -> bytes:
    """A network that adds its input to itself so many times."""
    return _network(
        f"""
        doubling (int64[1, 1] input_ids) => (int64[1, 1] sum)
        <int64 turns = {{{turns}}}, bool always = {{1}}> {{
            sum = Loop (turns, always, input_ids) <
                body = repeated (int64 turn, bool go_on, int64[1, 1] so_far)
                    => (bool still, int64[1, 1] more) {{
                    still = Identity (go_on)
                    more = Add (so_far, so_far)
                }}
            >
        }}
        """
    )


def lonely_network() -> bytes:
    """An encoder that tells how many texts it is given: none has the same vector in company."""
    return _network(
        """
        lonely (int64[batch, tokens] input_ids) => (float[batch, tokens, 4] last_hidden_state)
        <int64[1] axis = {2}, float[4] weights = {1, 2, 3, 5}> {
            rows = Shape <start = 0, end = 1> (input_ids)
            sum = Add (input_ids, rows)
            floats = Cast <to = 1> (sum)
            ids = Unsqueeze (floats, axis)
            products = Mul (ids, weights)
            last_hidden_state = Sin (products)
        }
        """
    )


def _network(text: str) -> bytes:
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> {text}')
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content
