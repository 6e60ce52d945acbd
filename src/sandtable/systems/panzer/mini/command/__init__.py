"""6.0, 7.0: orders placed face down, those that are wasted, and who is First Player."""
