"""What works on this machine, found out by trying it."""
