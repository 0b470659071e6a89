"""What can be accepted in this game and is no move: by kind, which ones, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ledger.rules.kernel.world import Past
from ledger.rules.mongrel.attacks import Attack, CarryOut
from ledger.rules.mongrel.conflict import OpenConflict
from ledger.rules.mongrel.damage import Heal
from ledger.rules.mongrel.deeds import Act, Reveal, RollTask
from ledger.rules.mongrel.hits import TakeHit
from ledger.rules.mongrel.powers import AllocatePower
from ledger.rules.mongrel.purchases import OccultPurchase, Purchase
from ledger.rules.mongrel.sorcery import Occult
from ledger.rules.mongrel.tables import OPTIONS
from ledger.rules.mongrel.turns import Pass
from tests.rules.moves import Unoffered

DICE = "How many dice are typed in depends on Expertise and Power together; left out, they are asked for."


NAMED = "A possession is offered by its own name."


def _renamed(do: Purchase | OccultPurchase) -> bool:
    return do.possession is not None and bool(do.item)


def typed(do: Any) -> bool:
    return do.faces is not None


def _shunted(do: TakeHit) -> bool:
    """What the Effect alone does not leave to shunt, or armour takes something of."""
    effect = do.effect if isinstance(do.effect, int) else 0
    return bool(
        do.shunt and isinstance(do.shunt, int) and (effect < do.shunt or do.armour or do.armour_worn or do.weapon_used)
    )


def _named(do: TakeHit) -> bool:
    """Both a weapon and armour are named, or somebody with no weapon named."""
    return (do.weapon_used is not None and do.armour_worn is not None) or (
        do.weapon_used is None and do.wielder is not None
    )


UNOFFERED: Unoffered = {
    RollTask: (typed, DICE),
    Act: (typed, DICE),
    Attack: (
        lambda do: typed(do) or bool(do.shunt) or do.armour_worn is not None,
        f"{DICE} Outside a conflict the target says what it wears when it is asked to defend.",
    ),
    CarryOut: (lambda do: bool(do.shunt), "How much there is to shunt depends on what the dice show."),
    Occult: (
        lambda do: typed(do) or do.weapon_used is not None or do.armour_worn is not None or bool(do.others),
        f"{DICE} Who else is meant is the caster's to say. Arms change nothing of what Infernal Resolve loses;"
        " where Occult wounds, their numbers say the same.",
    ),
    Purchase: (
        lambda do: typed(do) or do.sacrifice is not None or do.expertise in OPTIONS or _renamed(do),
        f"{DICE} {NAMED} What is sacrificed is asked when it comes to that; a Power buys nothing by itself.",
    ),
    OccultPurchase: (
        lambda do: typed(do) or do.sacrifice is not None or _renamed(do),
        f"{DICE} {NAMED} What is sacrificed is asked when it comes to that.",
    ),
    TakeHit: (
        lambda do: _shunted(do) or do.ruling is not None or _named(do),
        "How much can go to Beauty depends on what is left of Effect, weapon and armour. The latest tasks are offered,"
        " and arms one at a time.",
    ),
    Reveal: (lambda do: do.ruling is not None, "The latest tasks of the character are offered."),
    OpenConflict: (lambda do: do.coins is not None, "Which coins are needed depends on who ties; they are asked for."),
    Heal: (lambda do: not (do.damage or do.physique or do.beauty), "Nothing heals."),
    AllocatePower: (lambda do: not do.points, "Nothing is allocated."),
}


def plainly(past: Past, do: Any) -> Any:
    """Blank words say nothing, and who has no Action Point left is offered none."""
    return replace(do, text=do.text.strip()) if isinstance(do, Pass) else do
