"""Training and exporting of the bundled verifier."""
