"""Sandtable, a rules-enforcing engine for tabletop wargames.

The package itself imports nothing heavy: take what you need from `sandtable.core`, `sandtable.geo`,
`sandtable.systems` and the layers above them.
"""

from typing import TYPE_CHECKING

__all__ = ["__version__"]

if TYPE_CHECKING:
    __version__: str


def __getattr__(name: str) -> str:
    """The version, looked up when somebody asks: reading a package's records takes longer than the rest of a start."""
    if name == "__version__":
        from importlib.metadata import version

        return version("sandtable")
    raise AttributeError(name)
