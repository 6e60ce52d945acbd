"""Scenario cards (1.3): what a file says, and what becomes of it once it has been checked."""
