"""Figures, dates, measures and names in a text, and when two of them are the same."""
