"""Checks what a text says against the documents on your own machine, claim by claim, offline."""
