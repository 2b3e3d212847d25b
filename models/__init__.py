"""The sentence encoder and the verifier (ONNX), and the files they live in."""
