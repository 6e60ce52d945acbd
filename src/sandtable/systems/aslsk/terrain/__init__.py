"""The ground (1.1) and lines of sight over it (3.2.1): kinds, roads, boards of VASL, one line and many at once."""
