"""Who spots whom on a table (5.1 to 5.4, 5.5.4)."""
