"""The judgement: claims, evidence, verdicts, citations and reports."""
