"""Encoders and rerankers as their makers publish them, made into ours, without PyTorch."""
