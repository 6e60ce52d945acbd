"""Lessons as games with scripted dice."""
