"""Sentence encoders as their makers publish them, made into ours, without PyTorch."""
