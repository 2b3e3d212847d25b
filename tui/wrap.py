"""Lines of text that fit a terminal; see ``veracite.engine.wrap``."""

from veracite.engine.wrap import wrap

__all__ = ["wrap"]
