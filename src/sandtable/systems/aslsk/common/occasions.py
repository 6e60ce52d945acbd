"""3.0 Sequence of Play: what each action is and when it is taken, for those who take it at another time."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.common import actions as ac

__all__ = ["occasion"]

_UNDER_FIRE = "the enemy's MPh while he spends MF"
_OCCASIONS: dict[type, tuple[str, str]] = {
    ac.PlaceUnit: ("placing a unit", "the set-up"),
    ac.SetUpAsSuggested: ("a suggested set-up", "the set-up"),
    ac.RecoverWeapon: ("recovery", "the RPh"),
    ac.RepairWeapon: ("repair", "the RPh"),
    ac.TransferWeapon: ("a transfer", "the RPh and the APh"),
    ac.DropWeapon: ("dropping a weapon", "the MPh or the APh"),
    ac.DestroyWeapon: ("destroying a weapon", "the PFPh and the DFPh"),
    ac.SelfRally: ("a self rally", "the RPh"),
    ac.Rally: ("rallying", "the RPh"),
    ac.KeepDesperation: ("keeping DM", "the end of the RPh"),
    ac.Fire: ("fire", f"the fire phases and {_UNDER_FIRE}"),
    ac.FireOrdnance: ("ordnance fire", f"the fire phases and {_UNDER_FIRE}"),
    ac.HoldFire: ("holding fire", _UNDER_FIRE),
    ac.Move: ("a move", "the MPh, when nobody else is on the way"),
    ac.Continue: ("going on", "a move or rout that has halted"),
    ac.Rout: ("a rout", "the RtPh"),
    ac.Advance: ("an advance", "the APh"),
    ac.Exit: ("leaving the map", "the APh, or a step of a move in the MPh"),
    ac.ChooseCombat: ("choosing a close combat", "the CCPh"),
    ac.ArrangeLeaders: ("stacking leaders for close combat", "the CCPh"),
    ac.DeclareCloseCombat: ("close combat", "the CCPh"),
    ac.Done: ("having done", "what may be left undone"),
}


@rule("3.0")
def occasion(action: ac.Action) -> str:
    """What an action is, and when in the Sequence of Play it is taken (3.0)."""
    deed, when = _OCCASIONS[type(action)]
    return f"{deed} is for {when}"
