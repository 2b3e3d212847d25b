"""What the folders of SimCSE's models do not say, and CEG relies on.

They come without sentence-transformers' files. SimCSE's own package (princeton-nlp/SimCSE,
simcse/tool.py) takes ``pooler_output`` as the vector; for models that were trained without
supervision its README takes the first token's vector before the pooler.
"""

__all__ = ["ceg_threshold", "simcse_pooling"]

_CEG = "sup-simcse-bert-base-uncased"
"""The encoder that CEG retrieves with."""


def simcse_pooling(name: str) -> str | None:
    """cls, pooler, or None for models that are not SimCSE's, by the model's name."""
    name = _last(name)
    if "simcse" not in name:
        return None
    return "cls" if name.startswith("unsup") else "pooler"


def ceg_threshold(name: str) -> float | None:
    """CEG's t (0.5) for the encoder of its paper, None for others."""
    return 0.5 if _last(name) == _CEG else None


def _last(name: str) -> str:
    return name.lower().rpartition("/")[2]
