"""The version, a literal: looking it up in the metadata costs several interpreter starts."""

__version__ = "0.8.6"
