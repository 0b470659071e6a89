"""Who is gone: the dead, the sacrificed, the retired neither act nor play. What fell to them before counts.

Headings "Fate", "Chips".
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.subjects import character
from ledger.rules.moc import guards, inputs, inputs_of_actions, inputs_of_combat, inputs_of_modifiers, inputs_of_play
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.state import action_in
from ledger.rules.moc.terms import GONE

#: What is acting or playing, by the field that says whose character does it.
ACTING: Mapping[type, str] = {
    **dict.fromkeys(
        (
            inputs_of_modifiers.DrawHand,
            inputs_of_modifiers.ExchangeCard,
            inputs_of_modifiers.ShiftBeads,
            inputs_of_modifiers.ForceVortex,
            inputs_of_modifiers.TradeCards,
            inputs_of_modifiers.TradeUp,
            inputs_of_modifiers.TradeDown,
            inputs_of_modifiers.ExchangeChip,
            inputs_of_modifiers.ChipToPoint,
            inputs_of_modifiers.AllocateBeads,
            inputs_of_modifiers.UseSessionBead,
            inputs_of_play.ChangeStory,
            inputs.UseCard,
            inputs.RecoverScene,
            inputs.DeclareRecovery,
            inputs.CompleteRecovery,
            inputs.Heal,
            inputs.Move,
            inputs_of_actions.DeclareAction,
            inputs_of_play.PlayBeads,
            inputs_of_play.PlayCard,
            inputs_of_play.DetermineAction,
            inputs_of_play.Trump,
            inputs_of_play.ShiftFailure,
            inputs_of_play.ClaimSuccess,
            inputs_of_combat.PlayCardOnDamage,
            inputs_of_combat.PlayCardOnInitiative,
        ),
        "character",
    ),
    **dict.fromkeys(
        (
            inputs_of_actions.RollDice,
            inputs_of_actions.SpendToken,
            inputs_of_actions.UsePeriodDice,
            inputs_of_actions.UseBit,
        ),
        "action",
    ),
}


def check(draft: Draft, do: object) -> None:
    """Refuses `character-gone`."""
    named = ACTING.get(type(do))
    if named is None:
        return
    id: str = getattr(do, named)
    if named == "action":
        action = action_in(draft.scene(), id) if draft.table.scene is not None else None
        id = action.character if action is not None else ""
    if id and draft.table.has(character(id)):
        guards.in_play(draft, id)


def heir_of(draft: Draft, id: str) -> str:
    """Who gets what falls to the character now: the next one of its player, once it is gone and there is one."""
    table = draft.table
    if draft.who(id).status not in GONE:
        return id
    roster = [one.id for one in table.subjects("character")]
    later = roster[roster.index(id) + 1 :]
    own = table.owner(character(id))
    return next((one for one in later if table.owner(character(one)) == own and draft.who(one).status not in GONE), id)


def fell_this_evening(draft: Draft, id: str) -> bool:
    """Still in play, or gone since the session began that is going on, or just over."""
    who = draft.who(id)
    return who.status not in GONE or who.fell == draft.evening()
