"""Skills: what a method can ask for, whatever answers it."""
