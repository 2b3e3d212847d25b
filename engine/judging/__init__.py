"""From claims to verdicts: evidence, the decision, what it quotes and why."""
