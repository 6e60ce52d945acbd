"""Environments for learners: PettingZoo and Gymnasium over the staged options (the extra ``rl``)."""
