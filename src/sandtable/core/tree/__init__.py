"""The tree of possible answers: nodes, slots, and what may be combined. Import it from ``core.decision``."""
