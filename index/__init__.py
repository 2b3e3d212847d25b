"""The library: files become blocks, blocks become passages, passages become evidence."""
