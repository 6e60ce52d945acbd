"""Packs and files: what the shelf holds, files that people bring, and games taken up from logs."""
