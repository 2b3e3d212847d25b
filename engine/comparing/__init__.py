"""A claim beside a sentence: what the verifier says, and whether they tell of the same thing."""
