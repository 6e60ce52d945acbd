"""Sandtable, a rules-enforcing engine for tabletop wargames.

The package itself imports nothing heavy: take what you need from `sandtable.core`, `sandtable.geo`,
`sandtable.systems` and the layers above them.
"""

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("sandtable")
