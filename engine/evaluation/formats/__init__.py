"""Upstream files as an evaluation's items, recognised by what their first row holds."""

from veracite.engine.evaluation.formats.loading import load
from veracite.engine.evaluation.formats.reading import LoadOptions
from veracite.engine.evaluation.formats.recognition import formats_of

__all__ = ["LoadOptions", "formats_of", "load"]
