"""The phases of a turn (3.1-3.8), each from its first question to its last."""
