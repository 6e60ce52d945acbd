"""The rulebooks. Each system reads like its book and knows nothing of the others."""
