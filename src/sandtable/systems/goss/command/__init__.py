"""3.5, 9 Command: rest game turns, and which HQ is above whom."""
