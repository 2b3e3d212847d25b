"""Evaluation: labelled sets in, predictions, figures and their uncertainty out."""
