"""Bots in processes of their own, and what they are asked."""
