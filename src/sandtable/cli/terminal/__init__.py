"""Playing in the terminal: the map, the questions, and what happens, as text."""
