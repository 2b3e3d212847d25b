"""The words that tell what kind of thing is said, and plain measures of words in common."""
