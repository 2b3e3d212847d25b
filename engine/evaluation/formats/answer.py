"""Sets for ``answer``: questions, the answers that count, and documents where there are any."""

from veracite.engine.evaluation.formats.alce import ALCE
from veracite.engine.evaluation.formats.multi_hop import MULTI_HOP
from veracite.engine.evaluation.formats.open_qa import OPEN_QA
from veracite.engine.evaluation.formats.paragraph_qa import PARAGRAPH_QA
from veracite.engine.evaluation.formats.quotesum import QUOTESUM

__all__ = ["ANSWER"]

ANSWER = (*ALCE, QUOTESUM, *MULTI_HOP, *PARAGRAPH_QA, *OPEN_QA)
