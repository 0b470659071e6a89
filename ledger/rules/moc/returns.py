"""What goes back to its player: of actions never attempted, of what the game master cancels, of stories vetoed."""

from __future__ import annotations

from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, facts_of_modifiers, facts_of_scenes
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.state_of_actions import Play


def give_back(draft: Draft, action: str, play: Play) -> None:
    """An EM goes back to its player: a card to the hand, beads and chips to where they came from.

    Nothing goes to who is not there any more, whose enrolment was overturned.
    """
    if not draft.table.has(character(play.by)):
        return
    match play.kind:
        case "card":
            if play.session != (draft.table.session or ""):
                return  # gone with all cards of its session
            if play.origin == "villains":
                shared = accounts.villains(draft.place().id)
                draft.about(play.by, facts_of_scenes.EffectModifierReturned(action, play.id))
                draft.here(facts_of_modifiers.VillainsDrew((play.card,)), accounts.move(accounts.DISCARD, shared, 1))
                draft.by("moc.story.action-beads", play.id, kind=play.kind)
                return
            moved = accounts.move(accounts.DISCARD, accounts.hand(play.by), 1)
        case "beads":
            moved = accounts.move(accounts.SPENT, accounts.bead(play.by, play.element), play.number)
        case _:
            moved = accounts.move(accounts.bank(play.colour), accounts.chip(play.by, play.colour), 1)
    draft.about(play.by, facts_of_scenes.EffectModifierReturned(action, play.id, play.card), moved)
    draft.by("moc.story.action-beads", play.id, kind=play.kind)
