"""Commands of the lab: many games, matches, fuzzing, perft, reviews."""
