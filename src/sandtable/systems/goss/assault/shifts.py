"""13.7 Step 5: the column shifts of both sides.

Each side's shifts are listed with their rules; the column moves by the attacker's less the defender's and stays on the
terrain line (13.7.1, 13.7.2). What the book lists twice counts once (13.7.3h and p; ruling B-5).
"""

from __future__ import annotations

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier

__all__ = ["AttackStack", "ShiftFacts", "SupportingHex", "column_shifts", "engineer_shifts", "supporting_shifts"]

_MOST_MARKERS = 2
"""AS markers that count on either side (11.6.1)."""
_TOWN, _CITY = 3, 4
"""Most shifts of engineers against a town or a city (13.7.4b)."""
_STRAT, _RAW = 2, 2


class AttackStack(msgspec.Struct, frozen=True):
    """What engineers ask of an attacking stack (13.7.4b, 13.7.4c)."""

    has_engineer: bool = False
    """One that may use its skill: not fatigued (14.2.0)."""
    has_other: bool = False
    """Somebody who is no engineer attacks with it."""
    is_led_by_commando: bool = False

    @property
    def parties(self) -> int:
        """Assault parties: engineers with somebody beside them, and commandos who lead."""
        return (self.has_engineer and self.has_other) + self.is_led_by_commando


class SupportingHex(msgspec.Struct, frozen=True):
    """A hex of defenders next to attackers (13.7.4a)."""

    beside_defender: bool
    beside_open_attacker: bool
    """Next to attackers who are not in MCT."""
    is_vantage_point: bool = False
    markers: int = 0
    """AS markers there."""


class ShiftFacts(msgspec.Struct, frozen=True):
    """All that shifts the column."""

    in_prepared_assault: bool = False
    attacker_bonus_period: bool = False
    defender_markers: int = 0
    has_defending_reserve: bool = False
    is_defender_overstacked: bool = False
    is_defender_unsupported: bool = False
    is_after_lull: bool = False
    is_defender_extended: bool = False
    has_defender_in_strat: bool = False
    has_defender_in_exploit: bool = False
    attacker_leader: bool = False
    is_defender_green: bool = False
    """Raw or green."""
    is_defender_mixed: bool = False
    """Subordinate to several HQs (9.9.0)."""
    is_coup_de_main: bool = False
    stacks: tuple[AttackStack, ...] = ()
    works: int = 0
    """Shifts of the defensive works (17.4.1)."""
    is_town: bool = False
    is_city: bool = False
    has_defending_engineer: bool = False
    on_vantage_point: bool = False
    attacker_markers: int = 0
    is_attacker_extended: bool = False
    is_attacker_overstacked: bool = False
    is_night: bool = False
    defender_leader: bool = False
    is_attacker_mixed: bool = False
    is_attacker_green: bool = False
    is_attacker_raw: bool = False
    supports: tuple[SupportingHex, ...] = ()
    defender_bonus_period: bool = False
    from_bridgehead: bool = False
    is_attacker_in_exploit: bool = False


@rule("13.7.4a")
def supporting_shifts(hex: SupportingHex) -> int:
    """What a hex of defenders beside the attackers is worth: one, one more on a vantage point, less its AS markers."""
    if not (hex.beside_defender or hex.beside_open_attacker):
        return 0
    return max(1 + hex.is_vantage_point - hex.markers, 0)


@rule("13.7.4b", "13.7.4c")
def engineer_shifts(facts: ShiftFacts) -> tuple[int, int]:
    """Shifts of assault parties against works, and of those that are left over against a town or city (13.7.4b)."""
    parties = sum(stack.parties for stack in facts.stacks)
    against_works = min(parties, facts.works)
    most = _CITY if facts.is_city else _TOWN if facts.is_town else 0
    if facts.has_defending_engineer:
        most = 0
    return against_works, min(parties - against_works, most)


@rule("13.7.0", "13.7.1", "13.7.3", "13.7.4", "9.9.0", "6.7.0")
def column_shifts(facts: ShiftFacts) -> Breakdown:
    """Shifts to the right for the attacker, to the left for the defender, with the rule of each (13.7.1)."""
    against_works, against_town = engineer_shifts(facts)
    right = (
        (facts.in_prepared_assault, 1, "prepared assault", "5.2.4"),
        (facts.attacker_bonus_period, 1, "attackers in a Maneuver Reserve bonus period", "5.4.4b"),
        (facts.defender_markers, min(facts.defender_markers, _MOST_MARKERS), "AS markers on the defenders", "11.6.1"),
        (facts.has_defending_reserve, 1, "a defender in Combat Reserve", "5.8.0"),
        (facts.is_defender_overstacked, 1, "defenders overstacked", "6.7.0"),
        (facts.is_defender_unsupported, 1, "a defender whose HQ has no ADV", "15.4.3"),
        (facts.is_after_lull, 1, "the attacker has ended a lull", "24.4.0"),
        (facts.is_defender_extended, 1, "a defender on an extended supply path", "15.2.4"),
        (facts.has_defender_in_strat, _STRAT, "a defender in Strat mode", "5.5.6"),
        (facts.has_defender_in_exploit, 1, "a defender in Exploit mode", "5.3.5c"),
        (facts.attacker_leader, 1, "leader", "23.2.1b"),
        (facts.is_defender_green, 1, "a raw or green defender", "4.5.0"),
        (facts.is_defender_mixed, 1, "defenders of several HQs", "9.9.0"),
        (facts.is_coup_de_main, 1, "coup de main", "7.14.4"),
        (against_works, against_works, "engineers against works", "13.7.4b"),
        (
            against_town,
            against_town,
            "engineers against a city" if facts.is_city else "engineers against a town",
            "13.7.4b",
        ),
    )
    supported = sum(supporting_shifts(hex) for hex in facts.supports)
    left = (
        (facts.on_vantage_point, 1, "vantage point", "13.7.4"),
        (facts.attacker_markers, min(facts.attacker_markers, _MOST_MARKERS), "AS markers on the attackers", "11.6.1"),
        (facts.is_attacker_extended, 1, "an attacker on an extended supply path", "15.2.4"),
        (facts.is_attacker_overstacked, 1, "attackers overstacked", "6.7.0"),
        (facts.is_night, 1, "night", "13.7.4"),
        (facts.works, facts.works, "defensive works", "17.4.1"),
        (facts.defender_leader, 1, "leader", "23.2.1b"),
        (facts.is_attacker_mixed, 1, "attackers of several HQs", "9.9.0"),
        (facts.is_attacker_raw, _RAW, "a raw attacker", "4.5.0"),
        (facts.is_attacker_green and not facts.is_attacker_raw, 1, "a green attacker", "4.5.0"),
        (supported, supported, "adjacent defenders", "13.7.4a"),
        (facts.defender_bonus_period, 1, "defenders in a Maneuver Reserve bonus period", "5.4.4b"),
        (facts.from_bridgehead, 1, "supplied from a bridgehead", "15.9.0"),
        (facts.is_attacker_in_exploit, 1, "attackers in Exploit mode", "13.7.4"),
    )
    terms = [Modifier(shifts, label, number) for holds, shifts, label, number in right if holds]
    terms += [Modifier(-shifts, label, number) for holds, shifts, label, number in left if holds]
    return Breakdown("Column shifts", "13.7.0", tuple(terms))
