"""The kernel: a game is a pure function of its log. It knows no rulebook and no map."""
