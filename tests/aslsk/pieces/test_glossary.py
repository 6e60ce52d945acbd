"""The glossary of the kit explains every abbreviation on its counters, whether or not a game comes to it."""

from sandtable import catalog
from sandtable.core.content.glossary import read_glossary
from sandtable.systems.aslsk.pieces.armament import Ammo, Mount, TargetType
from sandtable.systems.aslsk.pieces.vehicle import Shock, VehicleGun


def test_ammunition_mounts_weapons_and_checks_are_explained() -> None:
    terms = {term.term for term in read_glossary(catalog.library("aslsk3"))}
    written = {str(word) for kinds in (Ammo, Mount, TargetType, VehicleGun, Shock) for word in kinds}
    wanted = {word for word in written if len(word) > 1 and word.isupper() and word.isalpha()}
    assert len(wanted) > 15
    assert wanted - terms == set()
    assert {"CA", "LLMC", "LLTC", "PAATC", "SFF", "STUN", "TCA", "VCA"} <= terms
