"""4.4.3.2 AP fire that was announced: shot after shot, and what the target's owner has to say of it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.geo.hex import distance, in_arc, on_arc_edge
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.ap_fire import Effect, effect_of, penetration_margin
from sandtable.systems.panzer.frames import AspectChoice, Attack, CommandReveal
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, ChooseAspect
from sandtable.systems.panzer.hex.combat.fire import number_of
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.unit import Aspect, Spot

__all__ = ["AspectChoiceHandler", "AttackHandler", "aspect_of"]


def _resolve_shot(context: Context, play: Play, attack: Attack) -> bool:
    """Roll for the next announced shot; whether it hit (4.4.3.2.3)."""
    shot = attack.shots[0]
    state = play.state
    firer, target = state.units[shot.firer], state.units[attack.target]
    weapon = context.cards[firer.card].weapons[shot.weapon]
    facts, number = number_of(context, state, attack, shot)
    roll = play.dice.roll(D100, f"{firer.id} fires on {target.id}", (number.total,)).total
    assert firer.hex is not None  # noqa: S101
    assert target.hex is not None  # noqa: S101
    play.emit(
        shared.ShotResolved(
            firer=firer.id,
            target=target.id,
            weapon=weapon.name,
            ammo=weapon.ammo[shot.ammo].type,
            range_hexes=distance(firer.hex, target.hex),
            range_factor=facts.range_factor,
            number=number,
            roll=roll,
            hit=roll <= number.total,
        )
    )
    play.emit(shared.SpotMarked(firer.id, Spot.FIRE))
    return roll <= number.total


@rule("3.3", "4.4.3.2.4")
def aspect_of(firer: Unit, target: Unit) -> Aspect:
    """The aspect that faces the firer; on the dividing line the target's owner chooses (4.4.3.2.4)."""
    assert firer.hex is not None  # noqa: S101
    assert target.hex is not None  # noqa: S101
    if firer.hex == target.hex or on_arc_edge(target.hex, target.facing, firer.hex, 90):
        return Aspect.EITHER
    return Aspect.FRONT if in_arc(target.hex, target.facing, firer.hex, 90) else Aspect.REAR


def _resolve_hit(context: Context, play: Play, attack: Attack, aspect: Aspect) -> None:
    """Penetration, damage and wrecks of a hit (4.4.3.2.5, 4.4.3.2.6)."""
    shot = attack.shots[0]
    firer, target = play.state.units[shot.firer], play.state.units[attack.target]
    assert firer.hex is not None  # noqa: S101
    assert target.hex is not None  # noqa: S101
    weapon = context.cards[firer.card].weapons[shot.weapon]
    penetration = weapon.penetration(shot.ammo, distance(firer.hex, target.hex))
    assert penetration is not None  # noqa: S101
    armor = context.cards[target.card].armor
    factor = armor.front if aspect is Aspect.FRONT else armor.rear
    margin = penetration_margin(penetration, factor, aspect.value)
    effect = effect_of(margin.total, target.damaged, context.tables)
    play.emit(shared.ArmourStruck(firer.id, target.id, aspect, penetration, factor, margin, effect))
    if effect is Effect.DAMAGED:
        play.emit(shared.VehicleDamaged(target.id))
    elif effect is Effect.KO:
        play.emit(ev.VehicleKnockedOut(target.id, target.hex))
    elif effect is Effect.BU:
        play.emit(ev.VehicleBrewedUp(target.id, target.hex))


def _finish_shot(context: Context, play: Play, frame: Attack, aspect: Aspect) -> None:
    """Resolve a hit on the aspect and go on to the next shot."""
    _resolve_hit(context, play, frame, aspect)
    _next_shot(play, frame)


def _next_shot(play: Play, frame: Attack) -> None:
    """A shot is done: the next one, or the attack is over."""
    shots = frame.shots[1:]
    play.emit(Changed(replace(frame, shots=shots)) if shots else Closed())


def _attack_below(play: Play) -> Attack:
    """The attack that the settled question belongs to."""
    attack = play.state.stack[-1]
    assert isinstance(attack, Attack)  # noqa: S101 - these questions are asked inside an attack only
    return attack


class AttackHandler(Handler[Attack]):
    """4.4.3.2: announced fire goes on by itself."""

    frame = Attack

    def advance(self, play: Play, frame: Attack) -> bool:
        """The next thing in announced fire: the moving question, a shot, or the end (4.4.3.2)."""
        target = play.state.units[frame.target]
        if not target.in_play:
            wasted = frame.shots[0].firer
            play.emit(shared.ShotWasted(wasted, frame.target))
            play.emit(shared.SpotMarked(wasted, Spot.FIRE))
            _next_shot(play, frame)
        elif frame.moving is None:
            play.emit(Opened(CommandReveal(frame.target)))
        else:
            self._fire(play, frame, target)
        return True

    def _fire(self, play: Play, frame: Attack, target: Unit) -> None:
        firer = play.state.units[frame.shots[0].firer]
        if not _resolve_shot(self.context, play, frame):
            _next_shot(play, frame)
            return
        aspect = aspect_of(firer, target)
        if aspect is Aspect.EITHER:
            play.emit(Opened(AspectChoice(frame.target, firer.id)))
        else:
            _finish_shot(self.context, play, frame, aspect)


class AspectChoiceHandler(Handler[AspectChoice]):
    """4.4.3.2.4: the target's owner picks the aspect on the dividing line."""

    frame = AspectChoice
    answers = (ChooseAspect,)

    def question(self, state: State, frame: AspectChoice) -> Asking:
        """The target's owner."""
        return Asking("4.4.3.2.4", "Choose the aspect that is struck", (state.units[frame.target].side,))

    def options(self, state: State, frame: AspectChoice, seat: Seat) -> Node[Action]:
        """Front or rear."""
        return Pick(_aspect_ways)

    def refusal(self, state: State, frame: AspectChoice, seat: Seat, action: Action) -> Refusal | None:
        """No aspect, or both."""
        assert isinstance(action, ChooseAspect)  # noqa: S101 - the only answer
        if action.aspect is Aspect.EITHER:
            return Refusal("4.4.3.2.4", "one aspect is struck", "Front or Rear")
        return None

    def apply(self, play: Play, frame: AspectChoice, seat: Seat, action: Action) -> None:
        """The hit is resolved on the aspect."""
        assert isinstance(action, ChooseAspect)  # noqa: S101 - the only answer
        play.emit(Closed())
        _finish_shot(self.context, play, _attack_below(play), action.aspect)


def _aspect_ways() -> Iterator[Branch[Action]]:
    for aspect in (Aspect.FRONT, Aspect.REAR):
        yield Branch(aspect.value, "answer", f"{aspect.value} aspect", Leaf[Action](ChooseAspect(aspect)))
