"""6.6.1.1, 6.6.1.2 Close Assaults and Hand-to-Hand combats that were announced on one target, one after the other.

Each is made from one hex under a primary attacker. Units that move up for it draw overwatch fire before the attack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Branch, Leaf, Node, Pick, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.combat.close_assault import (
    AssaultFacts,
    assault_blast,
    assault_defense,
    assault_factor,
    assault_modifiers,
)
from sandtable.systems.panzer.combat.close_combat import (
    Bout,
    Supporter,
    bout_lost_by_attacker,
    bout_lost_by_defender,
    is_supported,
)
from sandtable.systems.panzer.combat.gp_effects import GpEffect, fives_and_tens
from sandtable.systems.panzer.combat.gp_fire import GpResult, gp_result
from sandtable.systems.panzer.combat.hand_to_hand import Fighters, fight_modifiers
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.facts import LOST, Harm, HarmKind
from sandtable.systems.panzer.frames import CommandReveal, PrimaryChoice
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, MoveIn, NamePrimary
from sandtable.systems.panzer.hex.combat.gp_results import apply_effect, bail_out, lose_vehicle
from sandtable.systems.panzer.hex.combat.overwatch import overwatch_at
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.impact import under_barrages
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.movement.close_attacks import moving_up
from sandtable.systems.panzer.hex.movement.movement_told import explain_step, explain_turn
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.positions import leave_full_cover, leave_position, take_position
from sandtable.systems.panzer.hex.movement.shared_ends import is_among_sharers, refuse_end_apart
from sandtable.systems.panzer.hex.progress import Rate
from sandtable.systems.panzer.hex.state import Charge, CloseAttack, MovingIn, State, Unit
from sandtable.systems.panzer.movement.move_facts import MoveFacts
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.support_cards import AttachmentKind
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Spot, UnitId

__all__ = ["CloseAttackHandler", "MovingInHandler", "PrimaryChoiceHandler"]

_BOOK = ("panzer-na",)
_STAYS, _IN = "stays", "in"
_SUPPORTERS = (UnitClass.SQUAD, UnitClass.HALF_SQUAD)


def _facts(context: Context, unit: Unit) -> MoveFacts:
    facts = context.move_facts(unit)
    assert facts is not None  # noqa: S101 - of the Advanced Game only
    return facts


class CloseAttackHandler(Handler[CloseAttack]):
    """6.6.1.1, 6.6.1.2: announced attacks go on by themselves."""

    frame = CloseAttack

    def advance(self, play: Play, frame: CloseAttack) -> bool:
        """The next attack: its units show themselves, move up under fire, and strike (6.6.1.1)."""
        state = play.state
        target = state.units[frame.target]
        if not frame.charges or not target.in_play:
            play.emit(ev.Closed())
            return True
        charge = frame.charges[0]
        if not frame.led:
            units = [one for other in frame.charges for one in other.units if _is_able(state.units[one])]
            asked = len(units) > 1
            play.emit(ev.Opened(PrimaryChoice(tuple(units))) if asked else ev.Changed(replace(frame, led=True)))
            return True
        if not frame.begun:
            self._begin(play, frame, charge)
            return True
        ready = [one for one in charge.units if _is_ready(state.units[one], charge)]
        facts = _facts(self.context, target)
        if not ready:
            play.emit(ev.Changed(_without_first(frame)))
        elif charge.units[0] not in ready and len(ready) > 1:
            play.emit(ev.Opened(PrimaryChoice(tuple(ready))))
        elif facts.unit_class is not UnitClass.VEHICLE:
            _fight(self.context, play, frame, ready)
        elif frame.moving is None and target.known:
            play.emit(ev.Changed(replace(frame, moving=target.command in MOVING_COMMANDS)))
        elif frame.moving is None:
            play.emit(ev.Opened(CommandReveal(frame.target)))
        else:
            _assault(self.context, play, frame, ready)
        return True

    @rule("6.6.1.1", "6.6.1.2", "6.6.11", editions=_BOOK)
    def _begin(self, play: Play, frame: CloseAttack, charge: Charge) -> None:
        """Commands are turned over and SPOT/MOVE marked; only who moves up draws overwatch fire (6.6.1.1).

        Whoever was suppressed, can no longer move up or would end out of Command Range of those who share his command
        does not attack, and may move later (6.6.11).
        """
        up = []
        for unit_id in charge.units:
            unit = play.state.units[unit_id]
            comes = unit.hex != charge.hex
            if not _is_able(unit) or (comes and moving_up(self.context, play.state, unit, charge.hex) is None):
                continue
            if refuse_end_apart(self.context, play.state, unit, charge.hex) is not None:
                continue
            reveal(play, unit_id)
            play.emit(ev.SpotMarked(unit_id, Spot.MOVE))
            if comes:
                up.append(unit_id)
                _move_up(self.context, play, unit_id, charge.hex)
            play.emit(ev.MoveEnded(unit_id))
        begun = replace(charge, advanced=tuple(up))
        play.emit(ev.Changed(replace(frame, charges=(begun, *frame.charges[1:]), begun=True)))
        up = [one for one in up if play.state.units[one].in_play]
        if up:
            watch = overwatch_at(self.context, play.state, self.context.other(play.state.units[up[0]].side), tuple(up))
            if watch is not None:
                play.emit(ev.Opened(watch))


def _is_able(unit: Unit) -> bool:
    """A unit that is suppressed before it can attack does not attack (6.6.1.1)."""
    return unit.in_play and not unit.markers.is_suppressed


def _is_ready(unit: Unit, charge: Charge) -> bool:
    """Whether it has begun to attack, and can still do so from where the others do."""
    return _is_able(unit) and unit.moved and unit.hex == charge.hex


@rule("6.6.1.1.2", "6.6.1.2.2", editions=_BOOK)
def _has_advanced(charge: Charge, ready: list[UnitId]) -> bool:
    """Whether one of those that attack moved up for it; who was stopped or lost on the way does not count."""
    return any(one in charge.advanced for one in ready)


def _without_first(frame: CloseAttack) -> CloseAttack:
    """The attacks that are left after the first; whether the target moves is asked in each (6.6.1.1.2)."""
    return replace(frame, charges=frame.charges[1:], moving=None, led=False, begun=False)


@rule("6.1.4.2", "6.6.6", "6.6.4.4", editions=_BOOK)
def _move_up(context: Context, play: Play, unit_id: UnitId, to: Hex) -> None:
    """A unit leaves its cover and position for the hex, and Barrages there strike it (6.1.4.2, 6.6.6).

    Motorcycles turn towards it as vehicles do (6.6.4.4).
    """
    unit = play.state.units[unit_id]
    mover = Mover(context, play.state, unit)
    after = moving_up(context, play.state, unit, to)
    assert after is not None  # noqa: S101 - it was checked
    leave_position(play, unit, moves=True)
    leave_full_cover(play, unit)
    if _facts(context, unit).card.motorcycle and after.facing != unit.facing:
        turn = (after.facing - unit.facing + 2) % 6 - 2
        cost = explain_turn(mover, mover.start(), turn, Rate.CROSS_COUNTRY)
        play.emit(ev.UnitTurned(unit_id, after.facing, cost))
    play.emit(ev.UnitMoved(unit_id, to, explain_step(mover, mover.start(), after, Rate.CROSS_COUNTRY)))
    if play.state.missions:
        under_barrages(context, play, unit_id, to, ())
    take_position(context, play, unit_id)


def _has_flamethrower(context: Context, units: list[UnitId]) -> bool:
    attached = (CardId(card) for one in units for card in context.scenario.roster[one].attached)
    cards = (context.shelf.attachments.get(card) for card in attached)
    return any(card is not None and card.kind is AttachmentKind.FLAMETHROWER for card in cards)


def _heights(context: Context, attacker: Unit, target: Unit) -> int:
    """By how much the target is higher."""
    assert attacker.hex is not None  # noqa: S101
    assert target.hex is not None  # noqa: S101
    return context.ground.places[target.hex].level - context.ground.places[attacker.hex].level


def _classes(context: Context, state: State, units: list[UnitId]) -> list[UnitClass]:
    return [_facts(context, state.units[one]).unit_class for one in units]


@rule("6.6.1.1.1", "6.6.1.1.2", "6.6.1.1.3", editions=_BOOK)
def _assault(context: Context, play: Play, frame: CloseAttack, ready: list[UnitId]) -> None:
    """A Close Assault: one roll (100), and what it does to the vehicle (6.6.1.1.1, 6.6.1.1.3).

    On a bailed out vehicle it is Effective without a roll.
    """
    state, tables = play.state, context.tables
    target = state.units[frame.target]
    facts = _assault_facts(context, state, frame, ready)
    card = _facts(context, target).card
    defense = assault_defense(card.gp_defense if isinstance(card.gp_defense, int) else 0)
    factor = assault_factor(tables["close_assault"], facts.attacker)
    modifier = assault_modifiers(facts, tables)
    roll, result = 0, GpResult.EFFECTIVE
    if not target.markers.bailed:
        roll = play.dice.roll(D100, f"{ready[0]} assaults {target.id}").total
        result = gp_result(tables["gp_combat"], factor, defense, roll + modifier.total)
    play.emit(ev.AssaultRolled(target.id, tuple(ready), factor, defense, modifier, roll, result.value))
    if result is GpResult.SUPPRESSED:
        play.emit(ev.UnitSuppressed(target.id, "6.6.1.1.3"))
    elif result is GpResult.EFFECTIVE:
        _harm(context, play, target, facts, roll + modifier.total)
    play.emit(ev.Changed(_without_first(frame)))
    _after(context, play, target, ready)


def _assault_facts(context: Context, state: State, frame: CloseAttack, ready: list[UnitId]) -> AssaultFacts:
    target, charge = state.units[frame.target], frame.charges[0]
    first, *others = _classes(context, state, ready)
    card = _facts(context, target).card
    return AssaultFacts(
        attacker=first,
        grade=context.grade(ready[0]),
        others=tuple(others),
        advanced=_has_advanced(charge, ready),
        dismounted=charge.dismounted,
        unsupported=not _is_supported(context, state, target),
        uphill=_heights(context, state.units[ready[0]], target) > 0,
        flamethrower=_has_flamethrower(context, ready),
        target_type=card.target_type,
        moving=bool(frame.moving),
        suppressed=target.markers.is_suppressed,
        helpless=card.helpless,
    )


@rule("6.6.1.1.2", editions=_BOOK)
def _is_supported(context: Context, state: State, target: Unit) -> bool:
    """Whether a vehicle needs no support where it is, or has that of leg units in its hex (6.6.1.1.2)."""
    assert target.hex is not None  # noqa: S101
    ground = context.ground_at(state)
    place = ground.places[target.hex]
    if not any(row.support for row in (*place.footing, *(ground.terrain[kind] for kind in place.terrain))):
        return True
    here = [one for one in state.units.values() if one.hex == target.hex and one.side == target.side and one.in_play]
    riding = {one.markers.carrier for one in here if _facts(context, one).unit_class in _SUPPORTERS}
    vehicles = sorted(
        one.id
        for one in here
        if _facts(context, one).unit_class is UnitClass.VEHICLE and (one.id == target.id or one.id not in riding)
    )
    supporters = [
        Supporter(facts.unit_class, one.markers.is_mounted, one.markers.carrier == target.id)
        for one in here
        if (facts := _facts(context, one)).unit_class.is_leg
    ]
    return is_supported(vehicles.index(target.id), supporters, context.tables)


@rule("6.6.1.1.3", "6.5.4.5", editions=_BOOK)
def _harm(context: Context, play: Play, target: Unit, facts: AssaultFacts, final: int) -> None:
    """An Effective result: fives and tens, or the vehicle is lost; a bailed out one always is (6.6.1.1.3).

    Passengers of one that is lost try to get away.
    """
    blast = assault_blast(context.tables["close_assault"], facts)
    effect = GpEffect.LOST if target.markers.bailed else fives_and_tens(blast, final)
    if effect is GpEffect.LOST and facts.flamethrower:
        harm: HarmKind | None = lose_vehicle(context, play, target, HarmKind.BU)
    else:
        harm = apply_effect(context, play, target, effect, blast)
    if harm is not None and harm in LOST:
        bail_out(context, play, target.id, [Harm(target.id, harm)], indirect=False)


@rule("6.6.1.2.1", "6.6.1.2.2", "6.6.1.2.3", editions=_BOOK)
def _fight(context: Context, play: Play, frame: CloseAttack, ready: list[UnitId]) -> None:
    """One roll-off of a Hand-to-Hand combat; the combat goes on until a side is gone (6.6.1.2.3)."""
    state, tables, charge = play.state, context.tables, frame.charges[0]
    target = state.units[frame.target]
    classes = _classes(context, state, ready)
    defender = _facts(context, target).unit_class
    attack = fight_modifiers(
        Fighters(
            unit=classes[0],
            grade=context.grade(ready[0]),
            others=tuple(classes[1:]),
            advanced=_has_advanced(charge, ready),
            dismounted=charge.dismounted,
            uphill=_heights(context, state.units[ready[0]], target) > 0,
            flamethrower=_has_flamethrower(context, ready),
        ),
        tables,
    )
    defense = fight_modifiers(
        Fighters(
            unit=defender,
            grade=context.grade(target.id),
            suppressed=target.markers.is_suppressed,
            flamethrower=_has_flamethrower(context, [target.id]),
        ),
        tables,
    )
    rolls = (
        play.dice.roll(D100, f"{ready[0]} fights {target.id}").total,
        play.dice.roll(D100, f"{target.id} fights back").total,
    )
    told = ev.BoutRolled(target.id, tuple(ready), attack, defense, rolls)
    play.emit(told)
    if not told.margin:
        return
    bout = Bout(tuple(classes), defender)
    if told.margin > 0:
        after = bout_lost_by_defender(bout)
        play.emit(ev.UnitEliminated(target.id) if after.defender is None else ev.UnitReduced(target.id))
        if after.is_over:
            play.emit(ev.Changed(_without_first(frame)))
            _after(context, play, target, ready)
        return
    after = bout_lost_by_attacker(bout)
    reduced = len(after.attackers) == len(bout.attackers)
    play.emit(ev.UnitReduced(ready[0]) if reduced else ev.UnitEliminated(ready[0]))
    left = tuple(ready if reduced else ready[1:])
    if left:
        play.emit(ev.Changed(replace(frame, charges=(replace(charge, units=left), *frame.charges[1:]))))
    leaders = _leaders(left, after.attackers, reduced=reduced)
    if len(leaders) > 1:
        play.emit(ev.Opened(PrimaryChoice(leaders)))


@rule("6.6.1.2.3", editions=_BOOK)
def _leaders(left: tuple[UnitId, ...], classes: tuple[UnitClass, ...], *, reduced: bool) -> tuple[UnitId, ...]:
    """Who may lead on: a squad in place of one that was reduced, anybody in place of one that is gone (6.6.1.2.3)."""
    if not reduced:
        return left
    others = zip(left[1:], classes[1:], strict=True)
    return (left[0], *(one for one, kind in others if kind is UnitClass.SQUAD))


@rule("6.6.1.1.3", "6.6.1.2.3", editions=_BOOK)
def _after(context: Context, play: Play, target: Unit, ready: list[UnitId]) -> None:
    """When the target is gone and none of its own is left there, the attackers may move in (6.6.1.1.3, 6.6.1.2.3)."""
    hex = target.hex
    assert hex is not None  # noqa: S101 - as it was before
    if play.state.units[target.id].in_play:
        return
    held = any(unit.hex == hex and unit.side == target.side for unit in play.state.units.values())
    able = tuple(one for one in ready if play.state.units[one].in_play and _can_enter(context, play.state, one, hex))
    if not held and next(_moving_in(context, play.state, able, hex), None) is not None:
        play.emit(ev.Opened(MovingIn(able, hex)))


def _can_enter(context: Context, state: State, unit_id: UnitId, hex: Hex) -> bool:
    return moving_up(context, state, state.units[unit_id], hex) is not None


class PrimaryChoiceHandler(Handler[PrimaryChoice]):
    """6.6.1.1, 6.6.1.2.3: which attack is the next, and who leads it; who leads a Hand-to-Hand combat on."""

    frame = PrimaryChoice
    answers = (NamePrimary,)

    def question(self, state: State, frame: PrimaryChoice) -> Asking:
        """The attackers' owner."""
        return Asking("6.6.1.1", "Name the primary attacker", (state.units[frame.attackers[0]].side,))

    def options(self, state: State, frame: PrimaryChoice, seat: Seat) -> Node[Action]:
        """One of those that are left."""
        return Pick(lambda: [Branch(one, "unit", one, Leaf(NamePrimary(one)), one) for one in frame.attackers])

    def refusal(self, state: State, frame: PrimaryChoice, seat: Seat, action: Action) -> Refusal | None:
        """Somebody else."""
        assert isinstance(action, NamePrimary)  # noqa: S101 - the only answer
        if action.unit not in frame.attackers:
            return Refusal("6.6.1.2.3", f"{action.unit!r} does not attack", f"one of {', '.join(frame.attackers)}")
        return None

    @rule("6.6.1.1", "6.6.1.2", "6.6.1.2.3", editions=_BOOK)
    def apply(self, play: Play, frame: PrimaryChoice, seat: Seat, action: Action) -> None:
        """His attack is the next one, under him: attacks from several hexes are resolved in any order (6.6.1.1)."""
        assert isinstance(action, NamePrimary)  # noqa: S101 - the only answer
        play.emit(ev.Closed())
        attack = play.state.stack[-1]
        assert isinstance(attack, CloseAttack)  # noqa: S101 - it is asked inside one only
        chosen = next(charge for charge in attack.charges if action.unit in charge.units)
        units = (action.unit, *(one for one in chosen.units if one != action.unit))
        others = (charge for charge in attack.charges if charge is not chosen)
        play.emit(ev.Changed(replace(attack, charges=(replace(chosen, units=units), *others), led=True)))


class MovingInHandler(Handler[MovingIn]):
    """6.6.1.1.3, 6.6.1.2.3: any or all of the attackers may take the hex; those who share a command go together."""

    frame = MovingIn
    answers = (MoveIn,)

    def question(self, state: State, frame: MovingIn) -> Asking:
        """The attackers' owner."""
        return Asking("6.6.1.1.3", "Move into the hex?", (state.units[frame.units[0]].side,))

    def options(self, state: State, frame: MovingIn, seat: Seat) -> Node[Action]:
        """Any or all of them, or none."""
        return Pick(lambda: self._ways(state, frame))

    def _ways(self, state: State, frame: MovingIn) -> Iterator[Branch[Action]]:
        yield Branch("stay", "answer", "stay", Leaf(MoveIn()))
        titles = {one: f"{self.context.cards[state.units[one].card].name} {one}" for one in frame.units}
        values, words = (_STAYS, _IN), ("stays", "moves in")
        slots = [Slot(one, "unit", titles[one], values, words=words, plain=_STAYS) for one in frame.units]
        label = self.context.game_map.label(frame.hex)

        def build(chosen: Sequence[str]) -> Action:
            return MoveIn(tuple(unit for unit, value in zip(frame.units, chosen, strict=True) if value == _IN))

        def judge(chosen: Sequence[str]) -> Refusal | None:
            if "" in chosen:
                return None  # who is open may still make the set a legal one
            action = build(chosen)
            if action == MoveIn():
                return Refusal("6.6.1.1.3", "nobody moves in", "choose somebody, or stay")
            return self.refusal(state, frame, state.units[frame.units[0]].side, action)

        yield Branch("in", "answer", "move in", Assign(slots, build, judge=judge), label, is_hex=True)

    def refusal(self, state: State, frame: MovingIn, seat: Seat, action: Action) -> Refusal | None:
        """Units that did not attack, or that would leave those who share their command behind."""
        assert isinstance(action, MoveIn)  # noqa: S101 - the only answer
        stray = [unit for unit in action.units if unit not in frame.units]
        if stray or len(set(action.units)) != len(action.units):
            return Refusal("6.6.1.1.3", f"{', '.join(stray) or 'a unit twice'} may not move in", ", ".join(frame.units))
        return _refuse_moving_in(self.context, state, action.units, frame.hex)

    def apply(self, play: Play, frame: MovingIn, seat: Seat, action: Action) -> None:
        """They are in the hex, and no overwatch is fired at them (6.6.1.1.3).

        One that those who went before keep out stays where it is.
        """
        assert isinstance(action, MoveIn)  # noqa: S101 - the only answer
        play.emit(ev.Closed())
        for unit_id in action.units:
            if _can_enter(self.context, play.state, unit_id, frame.hex):
                _move_up(self.context, play, unit_id, frame.hex)


@rule("6.6.1.1.3", "6.6.11", "6.2.1.1.4", editions=_BOOK)
def _refuse_moving_in(context: Context, state: State, units: Sequence[UnitId], hex: Hex) -> Refusal | None:
    """Why these may not move in together: one of them would lose those who share its command (6.6.11).

    Nobody is kept out by those who are out of Command Range already.
    """
    moved = {one: replace(state.units[one], hex=hex) for one in units}
    after = replace(state, units={**state.units, **moved})
    for unit_id, unit in moved.items():
        before = state.units[unit_id]
        assert before.hex is not None  # noqa: S101 - it has attacked
        refusal = refuse_end_apart(context, after, unit, hex)
        if refusal is not None and is_among_sharers(context, state, before, before.hex):
            return refusal
    return None


def _moving_in(context: Context, state: State, units: tuple[UnitId, ...], hex: Hex) -> Iterator[tuple[UnitId, ...]]:
    """Every set of the attackers that may move in together, the largest first."""
    for size in range(len(units), 0, -1):
        for chosen in combinations(units, size):
            if _refuse_moving_in(context, state, chosen, hex) is None:
                yield chosen
