"""Models and libraries in one file, for machines that no network leads to."""
