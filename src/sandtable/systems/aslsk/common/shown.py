"""What is to be seen of facts, in the ways that several of them share."""

from __future__ import annotations

from sandtable.core.showing import Shown
from sandtable.systems.aslsk.pieces.state import Mark

__all__ = ["PHASE", "REPAIRS", "compared", "mark_word", "net"]

PHASE = Shown(kind="phase")
REPAIRS = {"repaired": "repaired", "removed": "gone", "none": "no effect"}


def compared(
    *,
    units: tuple[str, ...] = (),
    firers: tuple[str, ...] = (),
    hex: str = "",
    faces: tuple[int, ...],
    number: int,
    done: bool,
    words: tuple[str, str],
) -> Shown:
    """A roll that must not be higher than a number; ``words`` are for one that is not, and for one that is."""
    return Shown(
        kind="result",
        units=units,
        firers=firers,
        hex=hex,
        faces=faces,
        needed=f"{number} or less",
        rolled=f"{sum(faces)}",
        effect=words[0] if done else words[1],
        came_off=done,
    )


def net(faces: tuple[int, ...], drm: int) -> str:
    """What came of dice, with all that is added."""
    return f"{sum(faces)} {drm:+d} = {sum(faces) + drm}" if drm else f"{sum(faces)}"


def mark_word(mark: Mark) -> str:
    """A fire marker by its name."""
    return mark.value if mark is not Mark.NONE else ""
