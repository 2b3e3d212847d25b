"""Sets for ``attribute``: does a document support a claim?"""

from veracite.engine.evaluation.formats.attributions import ATTRIBUTIONS
from veracite.engine.evaluation.formats.fact_checks import FACT_CHECKS
from veracite.engine.evaluation.formats.generic import GENERIC
from veracite.engine.evaluation.formats.inferences import INFERENCES
from veracite.engine.evaluation.formats.scifact import SCIFACT
from veracite.engine.evaluation.formats.summaries import SUMMARIES

__all__ = ["ATTRIBUTE"]

ATTRIBUTE = (*ATTRIBUTIONS, *SUMMARIES, *INFERENCES, *FACT_CHECKS, SCIFACT, GENERIC)
