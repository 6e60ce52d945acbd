"""Random games of chess with python-chess."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess

__all__ = ["random_game"]


def random_game(seed: int, bit: int) -> Iterator[int]:
    """Play random legal moves to the end of the game: the number of plies, ``bit`` of them at a time."""
    rng = Random(f"chess {seed}")
    board = chess.Board()
    plies = 0
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
        plies += 1
        if plies == bit:
            yield plies
            plies = 0
    yield plies
