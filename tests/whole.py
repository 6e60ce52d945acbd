"""How much is tested of what can be had in any amount: a share in `make test`, all of it with ``WHOLE=1``."""

from __future__ import annotations

import os
from typing import TypeVar

__all__ = ["share"]

Amount = TypeVar("Amount")


def share(usual: Amount, *, whole: Amount) -> Amount:
    """The usual amount, or the whole where that is asked for."""
    return whole if os.environ.get("WHOLE") else usual
