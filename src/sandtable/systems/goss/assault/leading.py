"""13.8.1, 13.8.2, 13.8.4a Step 6: who leads, by PR and by guns, and which reserves are committed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Opened, unchanged
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.assault.frames import Assault, Leads, Reserves, assault_of
from sandtable.systems.goss.assault.position import fighter, lacking_infantry, rating
from sandtable.systems.goss.assault.steps import StepHandler, UnitsHandler, change_assault
from sandtable.systems.goss.common.as_one import units_as_one
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.facts import ReserveSpent
from sandtable.systems.goss.common.fog import is_hidden, owner_if_hidden
from sandtable.systems.goss.common.handler import Action, Fact, Play
from sandtable.systems.goss.common.harm import living, tire
from sandtable.systems.goss.common.rest import is_resting
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.card import Size
from sandtable.systems.goss.pieces.proficiency import may_lead_attack
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Supply, Unit, UnitId
from sandtable.systems.goss.pieces.z_steps import may_lead

__all__ = [
    "CommitReserves",
    "Lead",
    "LeadsHandler",
    "ReservesCommitted",
    "ReservesHandler",
    "gun_leads",
    "rating_leads",
]

_REACH = 3
"""Hexes from a reserve to the fight (13.8.2)."""
_MOST_RESERVES = 3


class Lead(Action, frozen=True):
    """A unit leads the side; another, or the same, leads its guns."""

    unit: UnitId
    gun: UnitId = UnitId("")

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        guns = f", guns by {context.title(self.gun)}" if self.gun else ""
        return f"{context.title(self.unit)} leads{guns}"


class CommitReserves(Action, frozen=True):
    """Units in Combat Reserve are committed."""

    units: tuple[UnitId, ...] = ()

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"from Combat Reserve: {'; '.join(map(context.title, self.units)) or 'nobody'}"

    def is_secret(self) -> bool:
        """How many they are is declared, not who (13.8.2)."""
        return True


class ReservesCommitted(Fact, frozen=True):
    """A side declares how many units in Combat Reserve take part (13.8.2)."""

    side: Seat
    count: int

    def sentence(self, context: Context) -> str:  # noqa: ARG002
        """Who, and how many."""
        return f"{self.side} commits {self.count} unit{'s' * (self.count > 1)} from Combat Reserve."


def _taking_part(state: State, assault: Assault, seat: str) -> list[Unit]:
    """Those of a side who take part, be it from afar."""
    return living(state, assault.attackers if seat == assault.player else assault.defenders)


def _fighting(state: State, assault: Assault, seat: str) -> list[Unit]:
    """Those of a side who fight and do not stand off."""
    return [unit for unit in _taking_part(state, assault, seat) if unit.id not in assault.stand_off]


def _can_lead(context: Context, unit: Unit, side: Sequence[Unit], *, is_attacker: bool) -> bool:
    card = context.card(unit)
    sizes = [size_of(context.card(one), one.steps) for one in side]
    return may_lead(card, size_of(card, unit.steps), sizes, is_attacking=is_attacker)


@rule("13.8.1")
def rating_leads(context: Context, state: State, assault: Assault, seat: str) -> list[UnitId]:
    """Who may be the lead PR unit, the best first; of units that count as one the battalion, or the lower PR.

    An HQ is a battalion (4.1.1) that may lead the defence.
    """
    is_attacker = seat == assault.player
    units = _fighting(state, assault, seat)
    able = {unit.id: unit for unit in units if _can_lead(context, unit, units, is_attacker=is_attacker)}
    if is_attacker:
        able = {one: unit for one, unit in able.items() if may_lead_attack(context.card(unit))}
    found: list[UnitId] = []
    for group in units_as_one(context, units):
        members = [able[one] for one in group if one in able]
        if not members:
            continue
        host = next((one for one in members if one.id == group[0]), None)
        if host is not None and (context.card(host).size is Size.BATTALION or context.card(host).is_hybrid):
            found.append(host.id)
        else:
            found.append(min(members, key=lambda one: (rating(context, one, is_attacker=is_attacker), one.id)).id)
    return sorted(found, key=lambda one: (-rating(context, able[one], is_attacker=is_attacker), -able[one].steps, one))


@rule("13.8.4", "13.8.4a")
def gun_leads(context: Context, state: State, assault: Assault, seat: str) -> list[UnitId]:
    """Who may lead by Arm or AT factor, the best first; AFVs without their infantry have none (13.8.4, 13.8.4a)."""
    is_attacker = seat == assault.player
    units = _fighting(state, assault, seat)
    sides = living(state, assault.attackers), living(state, assault.defenders)
    lacking = lacking_infantry(context, state, assault.target, *sides)
    guns = [
        (told.arm, told.at, unit.id)
        for unit in units
        for told in [fighter(context, unit, is_attacker=is_attacker)]
        if (told.arm or told.at) and unit.id not in lacking and _can_lead(context, unit, units, is_attacker=is_attacker)
    ]
    return [one for _, _, one in sorted(guns, key=lambda gun: (-gun[0], -gun[1], gun[2]))]


class LeadsHandler(StepHandler[Leads]):
    """13.8.1, 13.8.4a Both leads at once, the attacker's first (ruling B-65)."""

    frame, answers, is_before_dice = Leads, (Lead,), True
    number, title = "13.8.1", "Choose the lead units"

    def options(self, state: State, frame: Leads, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """The best PR first, then the best guns."""
        assault = assault_of(state)
        leads, guns = (find(self.context, state, assault, seat) for find in (rating_leads, gun_leads))
        title = self.context.title

        def below(lead: UnitId) -> Node[Action]:
            if not guns:
                return Leaf(Lead(lead))
            return Pick(
                lambda: (
                    Branch(gun, "unit", f"{title(gun)} leads the guns", Leaf(Lead(lead, gun)), gun) for gun in guns
                )
            )

        return Pick(lambda: (Branch(lead, "unit", f"{title(lead)} leads", below(lead), lead) for lead in leads))

    def take(self, play: Play, frame: Leads, action: Lead) -> None:
        """Note them."""
        assault = assault_of(play.state)
        armour = ((frame.player, action.gun),) if action.gun else ()
        change_assault(play, leads=(*assault.leads, (frame.player, action.unit)), armour=(*assault.armour, *armour))


class ReservesHandler(UnitsHandler[Reserves]):
    """13.8.2 The defender, then the attacker, may commit units in Combat Reserve."""

    frame, answers = Reserves, (CommitReserves,)
    folds = MappingProxyType({ReservesCommitted: unchanged})
    number, title = "13.8.2", "Commit units in Combat Reserve"

    def action(self, units: tuple[UnitId, ...]) -> Action:
        """They are committed."""
        return CommitReserves(units)

    @rule("13.8.2")
    def candidates(self, state: State, assault: Assault, seat: Seat) -> Sequence[UnitId]:
        """Fresh and supplied, under the same HQ as somebody who takes part, and within three hexes of one (13.8.2)."""
        formations = {self.context.formation_of(unit) for unit in _taking_part(state, assault, seat)}
        return [
            unit.id
            for unit in self._at_hand(state, assault, seat)
            if unit.in_reserve
            and not unit.fatigue
            and unit.supply is not Supply.OUT
            and self.context.formation_of(unit) in formations
        ]

    def _reached(self, state: State, starts: Sequence[Hex], seat: Seat) -> Iterator[Hex]:
        """Hexes within three of the fight, around the enemy and not across a major river."""
        deployment = self.context.deployment(state)
        reached, edge = set(starts), list(dict.fromkeys(starts))
        yield from edge
        for _ in range(_REACH):
            further = []
            for hex in edge:
                for near in NEIGHBOURS[hex]:
                    if near in reached or near not in self.context.ground.hexes:
                        continue
                    if deployment.held_by(near, self.context.other(seat)):
                        continue
                    if not crossing(self.context, state, hex, near).is_major:
                        reached.add(near)
                        further.append(near)
            yield from further
            edge = further

    @classmethod
    def ask(cls, context: Context, play: Play, frame: Reserves) -> None:
        """Asked wherever the enemy, too, sees that there may be a reserve: it tells him nothing (ruling B-96)."""
        handler = cls(context)
        if handler.may_have_any(play.state, assault_of(play.state), frame.player):
            play.emit(Opened(frame))

    def question(self, state: State, frame: Reserves) -> Asking:
        """Of the owner, whether he has any or not."""
        return replace(super().question(state, frame), guards=True)

    def may_have_any(self, state: State, assault: Assault, seat: Seat) -> bool:
        """Whether a side has reserves at hand for all that the other knows: the markers, and who lies open (8.4.0)."""
        marked = [unit for unit in self._at_hand(state, assault, seat) if unit.in_reserve]
        able = set(self.candidates(state, assault, seat))
        return any(unit.id in able or is_hidden(self.context, state, unit) for unit in marked)

    def _at_hand(self, state: State, assault: Assault, seat: Seat) -> list[Unit]:
        """Units that are near enough, and not in the fight."""
        places = [unit.hex for unit in _taking_part(state, assault, seat) if unit.hex is not None]
        taking_part = {*assault.attackers, *assault.defenders, *assault.aside}
        near = set(self._reached(state, places, seat))
        return [
            unit
            for unit in state.units.values()
            if unit.side == seat and unit.id not in taking_part and unit.hex in near
        ]

    def plain(self, state: State, assault: Assault, seat: Seat) -> frozenset[UnitId]:
        """As many as may be."""
        return frozenset(self.candidates(state, assault, seat)[:_MOST_RESERVES])

    def judge(self, state: State, assault: Assault, seat: Seat, units: Sequence[UnitId]) -> Refusal | None:  # noqa: ARG002
        """Three at most (13.8.2)."""
        if len(units) <= _MOST_RESERVES:
            return None
        return Refusal("13.8.2", f"{len(units)} units", f"at most {_MOST_RESERVES}")

    @rule("13.8.2", "3.5.4")
    def take(self, play: Play, frame: Reserves, action: CommitReserves) -> None:
        """They lose their markers; in a rest game turn it tires them (3.5.4e)."""
        if not action.units:
            return
        count = len(action.units)
        change_assault(play, reserves=(*assault_of(play.state).reserves, (frame.player, count)))
        play.emit(ReservesCommitted(frame.player, count))
        for one in action.units:
            play.emit(ReserveSpent((one,), owner=owner_if_hidden(self.context, play.state, one)))
        committed = [play.state.units[one] for one in action.units]
        tire(play, self.context, [unit.id for unit in committed if is_resting(self.context, play.state, unit)])
