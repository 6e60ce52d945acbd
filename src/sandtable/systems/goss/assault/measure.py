"""13.6-13.8 An assault as numbers: both strengths, the column with its shifts, the DRM, each with its reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.assault.bonuses import (
    ArmourClash,
    ArmourGround,
    armour_bonus,
    integrity_bonus,
    proficiency_bonus,
    reserve_bonus,
    total_drm,
)
from sandtable.systems.goss.assault.eligibility import ferries
from sandtable.systems.goss.assault.frames import Assault
from sandtable.systems.goss.assault.integrity import attacking_integrity, defending_integrity
from sandtable.systems.goss.assault.position import (
    fighter,
    is_armoured_infantry,
    is_commando,
    is_engineer,
    is_mct,
    lacking_infantry,
    rating,
    works_for,
)
from sandtable.systems.goss.assault.shifts import (
    AttackStack,
    ShiftFacts,
    SupportingHex,
    column_shifts,
    engineer_shifts,
    supporting_shifts,
)
from sandtable.systems.goss.assault.strength import (
    Approach,
    Fighter,
    Share,
    attack_share,
    defence_share,
    ground_assault_value,
)
from sandtable.systems.goss.common.as_one import stacks_of
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.harm import living
from sandtable.systems.goss.common.retreat import is_overstacked
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.ground import HexGround
from sandtable.systems.goss.ground.kinds import Population, Water
from sandtable.systems.goss.pieces.card import Kind, Size, Trait
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit, UnitId

__all__ = ["DEFENDED", "SUPPORTED", "Sheet", "measure"]

DEFENDED = "defended"
"""Use: a hex that was assaulted, and supports nobody any more (13.7.4a)."""
SUPPORTED = "supported"
"""Use: a hex that has supported its neighbours against an assault (13.7.4a)."""


class Sheet(msgspec.Struct, frozen=True):
    """An assault before the dice."""

    attack: int
    defence: int
    strengths: tuple[Breakdown, Breakdown]
    shares: tuple[tuple[Share, ...], tuple[Share, ...]]
    """What each unit adds to its side."""
    first: int
    """The column of the ratio, before any shift."""
    column: int
    is_ratio_below: bool
    """The ratio is less than the least of the line (13.10.3)."""
    is_column_below: bool
    """The final column would lie left of the line (13.7.4a)."""
    shifts: Breakdown
    drm: Breakdown
    engineers: tuple[UnitId, ...]
    """Whose skill counted (13.10.3)."""
    supports: tuple[Hex, ...]
    integrity: tuple[UnitId, ...]
    halved: tuple[UnitId, ...]
    """Defenders who used no more than half of their strength (3.5.4)."""


@rule("13.6.0", "13.7.0", "13.8.0")
def measure(context: Context, state: State, assault: Assault) -> Sheet:
    """All that the dice are thrown on."""
    return _Measure(context, state, assault).sheet()


class _Measure:
    """Both sides as they meet."""

    def __init__(self, context: Context, state: State, assault: Assault) -> None:
        self.context, self.state, self.assault = context, state, assault
        self.target = assault.target
        self.attackers = living(state, assault.attackers)
        self.defenders = living(state, assault.defenders)
        self.side, self.enemy = assault.player, context.other(assault.player)
        self.stacks = stacks_of(self.attackers)
        self.fighters: Mapping[UnitId, Fighter] = {
            unit.id: fighter(
                context,
                unit,
                is_attacker=unit.side == self.side,
                stands_off=unit.id in assault.stand_off,
                is_saving=unit.id in assault.spared,
            )
            for unit in (*self.attackers, *self.defenders)
        }
        self.ferried: set[UnitId] = set()
        self.ferrying: set[UnitId] = set()
        self.staying: set[UnitId] = set()
        """Engineers who ferry over a major river: they add nothing (17.2.2)."""
        for hex, stack in self.stacks.items():
            over = crossing(context, state, hex, self.target)
            if over.is_river and not (over.is_major and over.has_bridge):
                ferried, working = ferries(context, stack, is_major=over.is_major)
                self.ferried |= ferried
                self.ferrying |= working
                if over.is_major:
                    self.staying |= working
        self.lacking = lacking_infantry(context, state, self.target, self.attackers, self.defenders)
        self.works = works_for(context, state, self.defenders)

    def _of(self, units: Sequence[Unit]) -> list[Fighter]:
        return [self.fighters[unit.id] for unit in units]

    def _is_waived(self) -> bool:
        """Both sides' AFVs are without infantry: nobody is halved for it (13.6.1d)."""
        return any(unit.id in self.lacking for unit in self.attackers) and any(
            unit.id in self.lacking for unit in self.defenders
        )

    def _attack_shares(self) -> list[Share]:
        waived = self._is_waived()
        shares = []
        for unit in self.attackers:
            if unit.hex is None or unit.id in self.staying:
                continue
            over = crossing(self.context, self.state, unit.hex, self.target)
            approach = Approach(
                water=over.water,
                has_bridge=over.has_bridge,
                is_ferried=unit.id in self.ferried,
                has_marsh=self._ground(unit.hex).is_wet or self._ground(self.target).is_wet,
            )
            arms = waived or unit.id not in self.lacking
            shares.append(attack_share(self.fighters[unit.id], approach, has_combined_arms=arms))
        return shares

    def _defence_shares(self) -> list[Share]:
        waived = self._is_waived()
        fighters = self._of(self.defenders)
        in_marsh = self._ground(self.target).is_wet
        return [
            defence_share(one, fighters, in_marsh=in_marsh, has_combined_arms=waived or one.id not in self.lacking)
            for one in fighters
        ]

    def sheet(self) -> Sheet:
        """All numbers."""
        attack, defence = self._attack_shares(), self._defence_shares()
        values = ground_assault_value(attack), ground_assault_value(defence)
        table = self.context.charts.assault
        odds = table.odds(self.assault.line, *values)
        facts, supports = self._shift_facts()
        shifts = column_shifts(facts)
        final = table.shifted(self.assault.line, odds, shifts.net)
        ours = attacking_integrity(self.context, self.state, self.attackers)
        theirs = defending_integrity(self.context, self.state, self.defenders, self.target)
        reserves = dict(self.assault.reserves)
        drm = total_drm(
            (
                self._proficiency(),
                reserve_bonus(reserves.get(self.side, 0), reserves.get(self.enemy, 0)),
                integrity_bonus(ours.counts, theirs.counts),
                armour_bonus(self._clash()),
            )
        )
        return Sheet(
            *values,
            strengths=(
                self._told("Attack strength", attack, values[0]),
                self._told("Defence strength", defence, values[1]),
            ),
            shares=(tuple(attack), tuple(defence)),
            first=odds.column,
            column=final.column,
            is_ratio_below=odds.is_below,
            is_column_below=final.is_below,
            shifts=shifts,
            drm=drm,
            engineers=self._engineers(facts),
            supports=supports,
            integrity=(*ours.units, *theirs.units),
            halved=tuple(UnitId(share.id) for share in defence if share.reasons),
        )

    def _told(self, title: str, shares: Sequence[Share], value: int) -> Breakdown:
        """A strength by its units."""
        parts = []
        for share in shares:
            reasons = ", ".join(reason.label for reason in share.reasons)
            parts.append(f"{self.context.title(share.id)} {share.text}{f' ({reasons})' if reasons else ''}")
        return Breakdown(title, "13.6.0", (), value, "; ".join(parts))

    # --- shifts ---

    def _shift_facts(self) -> tuple[ShiftFacts, tuple[Hex, ...]]:
        context, state, attackers, defenders = self.context, self.state, self.attackers, self.defenders
        ground = context.ground.at(self.target)
        supports = self._supports()
        modes = {unit.mode for unit in defenders}
        facts = ShiftFacts(
            in_prepared_assault=all(unit.mode is Mode.PREPARED_ASSAULT for unit in attackers),
            defender_markers=max((unit.shifts for unit in defenders), default=0),
            has_defending_reserve=any(unit.in_reserve for unit in defenders),
            is_defender_overstacked=is_overstacked(context, state, (), self.target),
            is_defender_unsupported=context.scenario.side(self.enemy).adv == 0,
            is_defender_extended=any(unit.supply is Supply.EXTENDED for unit in defenders),
            has_defender_in_strat=Mode.STRATEGIC in modes,
            has_defender_in_exploit=Mode.EXPLOIT in modes,
            is_defender_mixed=self._is_mixed(defenders),
            stacks=tuple(self._attack_stack(stack) for stack in self.stacks.values()),
            works=self.works.shifts if self.works is not None else 0,
            is_town=ground.population is Population.TOWN,
            is_city=ground.population is Population.CITY,
            has_defending_engineer=any(self._keeps_town(unit) for unit in defenders),
            on_vantage_point=ground.height is not None,
            attacker_markers=sum(max(unit.shifts for unit in stack) for stack in self.stacks.values()),
            is_attacker_extended=any(unit.supply is Supply.EXTENDED for unit in attackers),
            is_attacker_overstacked=any(is_overstacked(context, state, (), hex) for hex in self.stacks),
            is_night=context.is_night(state),
            is_attacker_mixed=self._is_mixed(attackers),
            supports=tuple(supports.values()),
            is_attacker_in_exploit=any(unit.mode is Mode.EXPLOIT for unit in attackers),
        )
        return facts, tuple(hex for hex, one in supports.items() if supporting_shifts(one))

    @rule("9.9.0", "9.1.0", "9.3.3")
    def _is_mixed(self, units: Sequence[Unit]) -> bool:
        """Whether units are subordinate to more than one HQ (9.9.0); a Fort is where it is."""
        troops = (unit for unit in units if not self.context.card(unit).is_fort)
        return len({self.context.formation_of(unit) for unit in troops}) > 1

    def _attack_stack(self, stack: Sequence[Unit]) -> AttackStack:
        lead = dict(self.assault.leads).get(self.side)
        return AttackStack(
            has_engineer=any(is_engineer(self.context, unit) and unit.id not in self.ferrying for unit in stack),
            has_other=any(self.context.card(unit).kind is not Kind.ENGINEERS for unit in stack),
            is_led_by_commando=any(unit.id == lead and is_commando(self.context, unit) for unit in stack),
        )

    def _engineers(self, facts: ShiftFacts) -> tuple[UnitId, ...]:
        """Engineers whose skill counted, and those who kept a town from it (13.10.3)."""
        found: list[UnitId] = []
        if sum(engineer_shifts(facts)):
            found += [
                unit.id
                for stack, told in zip(self.stacks.values(), facts.stacks, strict=True)
                if told.has_engineer and told.has_other
                for unit in stack
                if is_engineer(self.context, unit) and unit.id not in self.ferrying
            ]
        if (facts.is_town or facts.is_city) and any(stack.parties for stack in facts.stacks):
            found += [unit.id for unit in self.defenders if self._keeps_town(unit)]
        return tuple(found)

    @rule("13.7.4b")
    def _keeps_town(self, unit: Unit) -> bool:
        """Engineers of the defender, tired ones too; out of supply they have lost their skill (ruling B-113)."""
        return self.context.card(unit).kind is Kind.ENGINEERS and unit.supply is not Supply.OUT

    @rule("13.7.4a")
    def _supports(self) -> dict[Hex, SupportingHex]:
        """Hexes of defenders beside the attackers that help (13.7.4a)."""
        found = {}
        beside = {near for hex in self.stacks for near in NEIGHBOURS[hex]} - {self.target}
        for near in sorted(beside):
            units = [unit for unit in self.context.deployment(self.state).at(near) if unit.side == self.enemy]
            used = self.state.has_used(DEFENDED, hex=near) or self.state.has_used(SUPPORTED, hex=near)
            if used or not self._can_support(units):
                continue
            open_attackers = [
                hex
                for hex in self.stacks
                if near in NEIGHBOURS[hex] and not is_mct(self.context, self.state, hex, self.enemy)
            ]
            found[near] = SupportingHex(
                beside_defender=near in NEIGHBOURS[self.target],
                beside_open_attacker=bool(open_attackers),
                is_vantage_point=self.context.ground.at(near).height is not None,
                markers=max(unit.shifts for unit in units),
            )
        return found

    def _can_support(self, units: Sequence[Unit]) -> bool:
        """A step of anybody but HQs; artillery alone only if it is self-propelled or in battery (13.7.4a)."""
        cards = [
            (unit, self.context.card(unit))
            for unit in units
            if size_of(self.context.card(unit), unit.steps) is not Size.Z_STEP
            and not self.context.card(unit).is_headquarters
        ]
        return any(not card.is_artillery or card.has(Trait.SELF_PROPELLED) or unit.in_battery for unit, card in cards)

    # --- DRM ---

    def _proficiency(self) -> Modifier:
        leads = dict(self.assault.leads)
        ours, theirs = leads.get(self.side), leads.get(self.enemy)
        attack = rating(self.context, self.state.units[ours], is_attacker=True) if ours else 0
        defence = rating(self.context, self.state.units[theirs], is_attacker=False) if theirs else 0
        if self.works is not None:
            defence = self.works.rated(defence)
        return proficiency_bonus(attack, defence)

    def _lead_gun(self, side: str) -> Fighter | None:
        lead = dict(self.assault.armour).get(side)
        if not lead or lead in self.assault.stand_off or lead in self.lacking:
            return None
        return self.fighters[lead]

    @rule("13.8.4", "13.8.4a", "13.8.4c", "13.8.4g")
    def _clash(self) -> ArmourClash:
        ours, theirs = self._lead_gun(self.side), self._lead_gun(self.enemy)
        mounted = any(is_armoured_infantry(self.context, unit) for unit in self.defenders)
        return ArmourClash(
            attacker=ours,
            defender=theirs,
            ground=self._armour_ground(ours, theirs),
            is_night=self.context.is_night(self.state),
            attacker_in_open=self._in_open(ours),
            defender_in_open=self._in_open(theirs),
            has_mounted_infantry=mounted,
        )

    def _in_open(self, lead: Fighter | None) -> bool:
        """Whether a lead Arm unit stands in a clear hex without MCT, works included (13.8.4g; ruling B-86)."""
        if lead is None or not lead.arm:
            return False
        unit = self.state.units[UnitId(lead.id)]
        if unit.hex is None or not self._ground(unit.hex).is_clear:
            return False
        return not is_mct(self.context, self.state, unit.hex, self.context.other(unit.side))

    def _armour_ground(self, ours: Fighter | None, theirs: Fighter | None) -> ArmourGround:
        """The row that is best for the defender, by whose guns are better; a stream takes one more (13.8.4a, c, e)."""
        rows = self.context.charts.defences.armour
        features = [one for one in self._ground(self.target).features if one in rows] or ["clear"]
        ours_arm = ours.arm if ours is not None else 0
        theirs_arm = theirs.arm if theirs is not None else 0
        is_theirs = theirs_arm > ours_arm or not (theirs_arm or ours_arm)
        if is_theirs and ours_arm and any(self._is_afv_in_clear(unit) for unit in self.attackers):
            features.append("clear")
        pick = min if is_theirs else max
        row = rows[pick(features, key=lambda one: (rows[one].modifier, -rows[one].most))]
        lead = self.state.units[UnitId(ours.id)].hex if ours is not None else None
        is_stream = lead is not None and crossing(self.context, self.state, lead, self.target).water is Water.STREAM
        return ArmourGround(
            modifier=row.modifier + (self.context.charts.defences.stream if is_stream else 0),
            most=row.most,
            works=self.works.armour if self.works is not None else 0,
        )

    @rule("13.8.4c", "26.0")
    def _is_afv_in_clear(self, unit: Unit) -> bool:
        """Whether AFVs attack out of a clear hex, pure ones or in a hybrid (26.0)."""
        card = self.context.card(unit)
        has_afv = card.has(Trait.PURE_ARMOUR) or card.is_hybrid
        return has_afv and unit.hex is not None and self._ground(unit.hex).is_clear

    def _ground(self, hex: Hex) -> HexGround:
        return self.context.ground_in(self.state).at(hex)
