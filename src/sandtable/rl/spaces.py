"""The space of what learners see, in Gymnasium's terms."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from sandtable.rl.arrays import CHOICE
from sandtable.rl.table import LearnersTable

__all__ = ["seen_space"]


def seen_space(table: LearnersTable) -> spaces.Dict:
    """The space of what :meth:`LearnersTable.sees` gives."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-1.0, 1.0, (table.eye.size,), dtype=np.float32),
            "choices": spaces.Box(-1.0, 1.0, (table.width, CHOICE), dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (table.width,), dtype=np.int8),
        }
    )
