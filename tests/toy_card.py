"""What the toy game is."""

from sandtable.core.ruleset import Space, SystemCard

__all__ = ["CARD"]

CARD = SystemCard(
    id="toy",
    title="Patrols",
    rulebook="The Book of Patrols",
    version=1,
    package="tests.toy",
    pack="toy",
    players=2,
    hidden=True,
    chance=True,
    simultaneous=True,
    space=Space.POINTS,
)
