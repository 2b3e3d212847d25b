"""What happened in a check or an answer: as JSON lines, and as a story for people."""
