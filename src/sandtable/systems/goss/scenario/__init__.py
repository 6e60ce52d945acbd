"""Scenarios (1.1.0, 2.0, 3.1): drafts as files have them, and what the rules read in them."""
