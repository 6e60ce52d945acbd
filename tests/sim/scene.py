"""A short scenario and quick settings to play it with."""

from pathlib import Path

from sandtable.sim.match import Loss, Record
from sandtable.sim.setting import Setting, read_setting

SHORT = str(Path(__file__).parent.parent / "golden" / "panzer-na.yaml")
"""Two and two at the saddle: five turns, some ten milliseconds a random game."""


def quick(*bots: str) -> Setting:
    """The short scenario, between random bots unless others are named."""
    return read_setting(SHORT, bots or ("random",))


def made(game: int, winner: str, first: int, second: int, *losses: Loss, ending: str = "time is up") -> Record:
    """A record of red against blue that nobody played: with two parts of red's and blue's points."""
    return Record(
        game=game,
        seats=("red", "blue"),
        winner=winner,
        ending=ending,
        scores={"red": first, "blue": second},
        parts={"red": {"hill": 10, "kills": first - 10}, "blue": {"kills": second}},
        turns=2,
        decisions=4,
        leads=[0, first - second],
        losses=list(losses),
    )
