"""Counters as printed and as they stand (1.2): cards, kinds and marks, the frames of open questions, the state."""
