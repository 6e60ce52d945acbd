"""The rulebooks. Each system reads like its book and knows nothing of the others."""

__all__ = ["SHIPPED"]

SHIPPED = {
    "panzer-na": "sandtable.systems.panzer.hex.system:PANZER_NA_BASIC",
    "mbt": "sandtable.systems.panzer.hex.system:MBT_BASIC",
    "aslsk3": "sandtable.systems.aslsk.system:ASLSK3",
    "panzer-mini": "sandtable.systems.panzer.mini.system:PANZER_MINIATURES",
    "goss": "sandtable.systems.goss.system:GOSS",
}
"""The systems of this package by id, and where each is; others come by entry points. The first is the default."""
