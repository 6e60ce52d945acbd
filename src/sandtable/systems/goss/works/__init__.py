"""17 Defensive works: how fortified areas fall, and what becomes of their ruins."""
