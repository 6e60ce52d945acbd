"""1.3 Groups of the set-up: those that jump and are scattered by dice, and those that a side chooses in secret.

Counters of a group that is divided join one of two others. Each MMC of these is a stack, with a SMC and a SW at most; a
SMC may jump alone. The first group lands when its side has set up, the second when the other side has. A side that
chooses among groups says for each when and where it enters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Pick
from sandtable.core.errors import Refusal
from sandtable.geo.hex import DIRECTIONS, Hex, distance
from sandtable.systems.aslsk.common.actions import Action, PlaceUnit
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_dr
from sandtable.systems.aslsk.common.facts.group_events import (
    GroupBrought,
    GroupJoined,
    GroupsMustered,
    JumpArranged,
    RendezvousChosen,
    StackDropped,
    UnitHeldBack,
)
from sandtable.systems.aslsk.common.menu import LazyBranch, Spread
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.common.refusals import refuse_off_map
from sandtable.systems.aslsk.common.stacking import fits
from sandtable.systems.aslsk.group_actions import BringGroup, ChooseRendezvous, JoinGroup, JumpTogether
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, WeaponId, Whereabouts
from sandtable.systems.aslsk.scenario.draft import Drop, Muster

__all__ = [
    "GROUP_ANSWERS",
    "apply_group",
    "arrange_as_suggested",
    "follow_set_up",
    "group_ways",
    "is_arranging",
    "refuse_arranged",
    "refuse_group",
    "refuse_load_of_stack",
    "refuse_suggested_groups",
]

GROUP_ANSWERS = (JoinGroup, JumpTogether, ChooseRendezvous, BringGroup)
NEVER = 99
"""The turn of those that stay away."""


def _drop(context: Context, seat: str) -> Drop | None:
    drop = context.scenario.draft.drop
    return drop if drop is not None and drop.side == seat else None


def _muster(context: Context, seat: str) -> Muster | None:
    muster = context.scenario.draft.muster
    return muster if muster is not None and muster.side == seat else None


def is_arranging(context: Context, seat: str) -> bool:
    """Whether a side has groups that jump or that it chooses from, or units that choose their force."""
    if _drop(context, seat) is not None or _muster(context, seat) is not None:
        return True
    return any(context.side_of(unit_id) == seat for unit_id in context.scenario.joins)


# --- what is refused --------------------------------------------------------------------------------------------


def refuse_group(context: Context, state: State, seat: str, action: Action) -> Refusal | None:
    """Why groups may not be arranged so (1.3)."""
    match action:
        case JoinGroup():
            return _refuse_join(context, state, seat, action)
        case JumpTogether():
            return _refuse_jump(context, state, seat, action)
        case ChooseRendezvous():
            return _refuse_rendezvous(context, state, seat, action)
        case BringGroup():
            return _refuse_bring(context, state, seat, action)
        case _:
            return None


@rule("1.3")
def _refuse_join(context: Context, state: State, seat: str, action: JoinGroup) -> Refusal | None:
    """Why a counter may not join a group: it is set up or divided already, or goes with its owner (1.3)."""
    if forces := context.scenario.joins.get(UnitId(action.piece)):
        free = _is_free(state, seat, UnitId(action.piece))
        return None if free and action.force in forces else _not_joining(action, forces)
    drop = _drop(context, seat)
    if drop is None or action.force not in drop.groups:
        return Refusal("1.3", f"{action.force!r} is no group of {seat} that jumps", "name a group of the drop")
    unit, weapon = state.units.get(UnitId(action.piece)), state.weapons.get(WeaponId(action.piece))
    piece = unit or weapon
    if piece is None or piece.force != drop.divided:
        return Refusal("1.3", f"{action.piece!r} waits for no group", "a counter of the group that is divided")
    if weapon is not None and weapon.owner:
        return Refusal("1.3", f"{weapon.id} goes with {weapon.owner}", "let its owner join a group")
    return None


def _is_free(state: State, seat: str, unit_id: UnitId) -> bool:
    unit = state.units[unit_id]
    return unit.side == seat and unit.place is Whereabouts.TO_SET_UP


def _not_joining(action: JoinGroup, forces: tuple[str, ...]) -> Refusal:
    return Refusal(
        "1.3", f"{action.piece} may not join {action.force!r} now", f"before it sets up: {', '.join(forces)}"
    )


@rule("1.3")
def _refuse_jump(context: Context, state: State, seat: str, action: JumpTogether) -> Refusal | None:
    """Why a SMC may not jump with a MMC: one SMC and one SW at most in a stack, all of one group (1.3)."""
    drop, leader = _drop(context, seat), state.units.get(action.leader)
    if drop is None or leader is None or leader.force not in drop.groups or not context.card(leader).is_leader:
        return Refusal("1.3", f"{action.leader!r} is no SMC of a group that jumps", "name a leader of one")
    if state.companions.get(leader.id, UnitId("")) == action.unit:
        return Refusal("1.3", f"{leader.id} jumps so already", "name another MMC, or none")
    if not action.unit:
        return None
    unit = state.units.get(action.unit)
    if unit is None or unit.force != leader.force or context.card(unit).is_leader:
        return Refusal("1.3", f"{action.unit!r} is no MMC of its group", "name a MMC of the leader's group")
    if unit.id in state.companions.values():
        return Refusal("1.3", f"another SMC jumps with {unit.id}", "one SMC in a stack")
    if weapons_of(context, state, leader.id) and weapons_of(context, state, unit.id):
        return Refusal("1.3", f"both {leader.id} and {unit.id} have a SW", "one SW in a stack")
    return None


@rule("1.3")
def refuse_load_of_stack(context: Context, state: State, unit: Unit, action: PlaceUnit) -> Refusal | None:
    """Why a unit that jumps may not have these weapons: one SW in a stack (1.3)."""
    drop = _drop(context, unit.side)
    if drop is None or unit.force not in drop.groups or not action.weapons:
        return None
    stack = next((stack for stack in _stacks(context, state, unit.force) if unit in stack), ())
    others = [weapon for one in stack if one.id != unit.id for weapon in weapons_of(context, state, one.id)]
    if len(action.weapons) + len(others) > 1:
        return Refusal("1.3", f"the stack of {unit.id} would have {len(action.weapons) + len(others)} SW", "one SW")
    return None


@rule("1.3")
def _refuse_rendezvous(context: Context, state: State, seat: str, action: ChooseRendezvous) -> Refusal | None:
    """Why a group may not have its rendezvous there: each has another (1.3)."""
    drop = _drop(context, seat)
    if drop is None or action.force not in drop.groups:
        return Refusal("1.3", f"{action.force!r} is no group of {seat} that jumps", "name a group of the drop")
    if action.hex not in context.game_map.hexes:
        return refuse_off_map("1.3")
    if action.hex in state.rendezvous.values():
        return Refusal("1.3", f"{context.label(action.hex)} is a rendezvous already", "another hex for each group")
    return None


def _is_enough(muster: Muster, now: int, later: int) -> bool:
    """Whether so many groups may come: those put off each bring another along at most; or one first (1.3)."""
    if muster.one_first:
        return now == 1
    put_off = muster.count - now
    return 0 <= put_off < muster.count and put_off <= later <= 2 * put_off


def _counted(muster: Muster, state: State) -> tuple[int, int]:
    turns = [one.turn for one in state.brought.values()]
    return turns.count(muster.turns[0]), turns.count(muster.turns[1])


@rule("1.3")
def _refuse_bring(context: Context, state: State, seat: str, action: BringGroup) -> Refusal | None:
    """Why a group may not be chosen, for that turn and hex (1.3)."""
    muster = _muster(context, seat)
    if muster is None or action.force not in muster.groups:
        return Refusal(
            "1.3", f"{action.force!r} is no group that {seat} may choose", "name one that the scenario lists"
        )
    if not action.turn:
        return (
            None
            if action.force in state.brought
            else Refusal("1.3", f"{action.force} is not chosen", "choose it first")
        )
    if action.force in state.brought:
        return Refusal("1.3", f"{action.force} is chosen already", "a group is picked once")
    if muster.one_first:
        return _refuse_first(muster, state, action)
    if action.turn not in muster.turns or action.hex not in context.scenario.entry[action.force]:
        return Refusal(
            "1.3", "no turn and edge hex for it", f"turn {muster.turns[0]} or {muster.turns[1]}, an edge hex"
        )
    return None if _leads_on(muster, state, action.turn) else Refusal("1.3", "too many groups for that turn", _TURNS)


def _refuse_first(muster: Muster, state: State, action: BringGroup) -> Refusal | None:
    """Why a group may not be the one that comes first; all others follow (1.3)."""
    if action.turn != muster.turns[0] or action.hex is not None:
        return Refusal("1.3", "only the group that comes first is named", f"turn {muster.turns[0]}, without a hex")
    if state.brought:
        return Refusal("1.3", f"{next(iter(state.brought))} comes first", "leave it out before you name another")
    return None


_TURNS = "one more in the later turn for each group that is put off to it"


def _leads_on(muster: Muster, state: State, turn: int) -> bool:
    """Whether a group more in a turn leaves a choice that is allowed."""
    now, later = _counted(muster, state)
    least = (now + (turn == muster.turns[0]), later + (turn == muster.turns[1]))
    whole = range(len(muster.groups) + 1)
    return any(_is_enough(muster, a, b) for a in whole for b in whole if a >= least[0] and b >= least[1])


@rule("1.3")
def refuse_arranged(context: Context, state: State, seat: str) -> Refusal | None:
    """Why the groups are not arranged yet (1.3)."""
    drop, muster = _drop(context, seat), _muster(context, seat)
    if drop is not None:
        if waiting := _waiting(state, drop):
            return Refusal("1.3", f"{waiting[0]} is in no group that jumps", "divide the whole group first")
        for force in drop.groups:
            if force not in state.rendezvous:
                return Refusal("1.3", f"{force} has no rendezvous", "choose a hex for each group")
    if muster is not None and not _is_enough(muster, *_counted(muster, state)):
        if muster.one_first:
            return Refusal("1.3", "no group is chosen to come first", "choose one")
        return Refusal("1.3", "these groups may not come together", f"{muster.count} groups; {_TURNS}")
    return None


def _waiting(state: State, drop: Drop) -> list[str]:
    """Counters of the divided group that have joined none."""
    units = [unit.id for unit in state.units.values() if unit.force == drop.divided]
    return [*units, *(one.id for one in state.weapons.values() if one.force == drop.divided and not one.owner)]


# --- what is offered --------------------------------------------------------------------------------------------


def group_ways(context: Context, state: State, seat: str) -> Iterator[LazyBranch]:
    """All that may be arranged."""
    drop, muster = _drop(context, seat), _muster(context, seat)
    for unit_id, forces in context.scenario.joins.items():
        if _is_free(state, seat, unit_id):
            yield partial(_join_branch, context, forces, unit_id)
    if drop is not None:
        for piece in _waiting(state, drop):
            yield partial(_join_branch, context, drop.groups, piece)
        for force in drop.groups:
            yield partial(_rendezvous_branch, context, state, force)
            for unit in state.units.values():
                if unit.force == force and any(_companions(context, state, unit)):
                    yield partial(_jump_branch, context, state, unit)
    if muster is not None:
        yield from _muster_ways(context, state, muster)


def _muster_ways(context: Context, state: State, muster: Muster) -> Iterator[LazyBranch]:
    """Groups that may be chosen, or left out again."""
    if muster.one_first:
        yield from [partial(_first_branch, context, muster, one) for one in muster.groups if not state.brought]
    elif any(_leads_on(muster, state, turn) for turn in muster.turns):
        for force in [force for force in muster.groups if force not in state.brought]:
            yield partial(_bring_branch, context, state, muster, force)
    if state.brought:
        yield partial(_leave_branch, context, state)


def _title(context: Context, force: str) -> str:
    return context.scenario.forces[force].title or force


def _join_branch(context: Context, forces: Sequence[str], piece: str) -> Branch[Action]:
    def ways() -> Iterator[Branch[Action]]:
        for force in forces:
            yield Branch(force, "order", f"To {_title(context, force)}", Leaf[Action](JoinGroup(piece, force)))

    return Branch(f"divide {piece}", "order", f"{piece} joins a group", Pick(ways), piece)


def _rendezvous_branch(context: Context, state: State, force: str) -> Branch[Action]:
    def hexes() -> list[Hex]:
        return sorted(context.game_map.hexes - {*state.rendezvous.values()})

    def branch(hex: Hex) -> Branch[Action]:
        label = context.label(hex)
        leaf = Leaf[Action](ChooseRendezvous(force, hex))
        return Branch(label, "hex", f"In {label}", leaf, label, is_hex=True)

    return Branch(f"rendezvous {force}", "order", f"Rendezvous of {_title(context, force)}", Spread(hexes, branch))


def _companions(context: Context, state: State, leader: Unit) -> Iterator[JumpTogether]:
    """How a SMC may jump otherwise."""
    if not context.card(leader).is_leader:
        return
    for unit_id in (UnitId(""), *(unit.id for unit in state.units.values() if unit.force == leader.force)):
        action = JumpTogether(leader.id, unit_id)
        if _refuse_jump(context, state, leader.side, action) is None:
            yield action


def _jump_branch(context: Context, state: State, leader: Unit) -> Branch[Action]:
    def ways() -> Iterator[Branch[Action]]:
        for action in _companions(context, state, leader):
            label = f"With {action.unit}" if action.unit else "Alone"
            yield Branch(action.unit or "alone", "order", label, Leaf[Action](action), action.unit)

    return Branch(f"jump {leader.id}", "order", f"{leader.id} jumps", Pick(ways), leader.id)


def _bring_branch(context: Context, state: State, muster: Muster, force: str) -> Branch[Action]:
    def ways() -> Iterator[Branch[Action]]:
        for turn in muster.turns:
            if _leads_on(muster, state, turn):
                then = Spread(
                    lambda: sorted(context.scenario.entry[force]), partial(_gate_branch, context, force, turn)
                )
                yield Branch(f"turn {turn}", "order", f"In turn {turn}", then)

    return Branch(f"bring {force}", "order", f"Bring {_title(context, force)}", Pick(ways))


def _first_branch(context: Context, muster: Muster, force: str) -> Branch[Action]:
    leaf = Leaf[Action](BringGroup(force, muster.turns[0]))
    return Branch(f"first {force}", "order", f"{_title(context, force)} comes first", leaf)


def _leave_branch(context: Context, state: State) -> Branch[Action]:
    def ways() -> Iterator[Branch[Action]]:
        for force in state.brought:
            yield Branch(force, "order", _title(context, force), Leaf[Action](BringGroup(force)))

    return Branch("leave", "order", "Leave a group out", Pick(ways))


def _gate_branch(context: Context, force: str, turn: int, hex: Hex) -> Branch[Action]:
    label = context.label(hex)
    return Branch(label, "hex", f"At {label}", Leaf[Action](BringGroup(force, turn, hex)), label, is_hex=True)


# --- what happens -----------------------------------------------------------------------------------------------


def apply_group(context: Context, play: Play, action: Action) -> None:
    """A group is arranged."""
    match action:
        case JoinGroup():
            play.emit(GroupJoined(action.piece, action.force))
            entry = context.scenario.forces[action.force].enters
            if UnitId(action.piece) in context.scenario.joins and entry is not None:
                play.emit(UnitHeldBack(UnitId(action.piece), entry.turn))
        case JumpTogether():
            play.emit(JumpArranged(action.leader, action.unit))
        case ChooseRendezvous():
            play.emit(RendezvousChosen(action.force, action.hex))
        case BringGroup():
            play.emit(GroupBrought(action.force, action.turn, action.hex))
        case _:
            return


def refuse_suggested_groups(context: Context, state: State, seat: str) -> Refusal | None:
    """Why the groups cannot be arranged as the author suggests: he does not (1.3)."""
    drop, muster = _drop(context, seat), _muster(context, seat)
    if drop is not None and any(force not in {**state.rendezvous, **drop.rendezvous} for force in drop.groups):
        return Refusal("1.3", "the scenario suggests no rendezvous", "choose a hex for each group yourself")
    if muster is not None and not muster.suggested and not _is_enough(muster, *_counted(muster, state)):
        return Refusal("1.3", "the scenario suggests no groups", "choose the groups yourself")
    return None


def arrange_as_suggested(context: Context, play: Play, seat: str) -> None:
    """Groups as the author suggests: what is divided goes to either in turn, SMC to the first MMC without one (1.3)."""
    drop, muster = _drop(context, seat), _muster(context, seat)
    label = context.game_map.hex
    if drop is not None:
        for number, piece in enumerate(_waiting(play.state, drop)):
            play.emit(GroupJoined(piece, drop.groups[number % 2]))
        for force in drop.groups:
            meant = label(drop.rendezvous[force]) if force in drop.rendezvous else None
            if (
                meant is not None
                and _refuse_rendezvous(context, play.state, seat, ChooseRendezvous(force, meant)) is None
            ):
                play.emit(RendezvousChosen(force, meant))
            for leader in [unit for unit in play.state.units.values() if unit.force == force]:
                ways = [way for way in _companions(context, play.state, leader) if way.unit]
                if ways and leader.id not in play.state.companions:
                    play.emit(JumpArranged(leader.id, ways[0].unit))
    if muster is not None and not _is_enough(muster, *_counted(muster, play.state)):
        for force in play.state.brought:
            play.emit(GroupBrought(force, 0, None))
        # In the order of the groups: a log keeps a mapping by its keys, not as the author wrote it.
        for force in muster.groups:
            one = muster.suggested.get(force)
            if one is not None:
                play.emit(GroupBrought(force, one.turn, label(one.hex) if one.hex else None))


@rule("1.3")
def follow_set_up(context: Context, play: Play, seat: str) -> None:
    """A side has set up: its chosen groups are fixed, and the group lands whose time has come (1.3)."""
    muster, drop = _muster(context, seat), context.scenario.draft.drop
    if muster is not None:
        state = play.state
        others = muster.turns[1] if muster.one_first else NEVER
        due = {force: state.brought[force].turn if force in state.brought else others for force in muster.groups}
        units = {unit.id: due[unit.force] for unit in state.units.values() if unit.force in due}
        vehicles = {one.id: due[one.force] for one in state.vehicles.values() if one.force in due}
        play.emit(GroupsMustered(units, vehicles))
    if drop is not None:
        _land(context, play, drop.groups[seat != drop.side])


def _stacks(context: Context, state: State, force: str) -> list[tuple[Unit, ...]]:
    """The stacks of a group: each MMC with its SMC, then each SMC that jumps alone."""
    units = [unit for unit in state.units.values() if unit.force == force and unit.place is Whereabouts.DUE_LATER]
    with_whom = {unit: state.units[leader] for leader, unit in state.companions.items()}
    stacks = [
        (unit, *((with_whom[unit.id],) if unit.id in with_whom else ()))
        for unit in units
        if not context.card(unit).is_leader
    ]
    alone = [(unit,) for unit in units if context.card(unit).is_leader and unit.id not in state.companions]
    return [*stacks, *alone]


@rule("1.3")
def _land(context: Context, play: Play, force: str) -> None:
    """Each stack of a group lands by two dice: the coloured one is the direction, the white one the distance (1.3)."""
    start = play.state.rendezvous[force]
    for stack in _stacks(context, play.state, force):
        roll = roll_dr(play, f"{stack[0].id} lands")
        way, far = roll.faces
        step = DIRECTIONS[way - 1]
        meant = Hex(start.q + step.q * far, start.r + step.r * far)
        hexes = [hex for hex in context.game_map.hexes if fits(context, play.state, hex, stack[0].side, stack)]
        hex = min(hexes, key=lambda hex: (distance(meant, hex), hex))
        strayed = meant not in context.game_map.hexes
        play.emit(StackDropped(tuple(unit.id for unit in stack), roll.faces, hex, strayed))
