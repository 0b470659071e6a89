"""Telling: by Storytelling beads, by a card, by words alone; and what the game master vetoes or amends.

Headings "Storytelling", "Cards", "A Shift of Perspective".
"""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, facts_told, guards, inputs, inputs_of_play, terms
from ledger.rules.moc.beads import not_dazed, tier_of
from ledger.rules.moc.cards_on_dice import class_of
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.effects import worth_of
from ledger.rules.moc.returns import give_back
from ledger.rules.moc.stacks import on_story
from ledger.rules.moc.state_of_actions import Play
from ledger.rules.moc.terms import SCOPES


def change_story(draft: Draft, do: inputs_of_play.ChangeStory) -> None:
    id = do.character
    beads = terms.whole(do.beads, "negative-beads", "moc.story.tiers")
    not_dazed(draft, id)
    tier = tier_of(draft, id, beads)
    scopes = [scope for reach, scope in SCOPES.items() if reach <= tier]
    if do.scope is not None and do.scope not in scopes:
        raise Refused("moc.story.tiers", "no-such-tier", scope=do.scope, scopes=scopes)
    moved = accounts.move(accounts.bead(id, "storytelling"), accounts.SPENT, beads)
    draft.here(facts_told.StoryChanged(draft.table.new_id(), id, beads, tier, do.scope or scopes[-1], do.text), moved)


def use_card(draft: Draft, do: inputs.UseCard) -> Asking[None]:
    """`moc.card.other`: a card used creatively, outside an action, as the game master approves."""
    rule, id = "moc.card.other", do.character
    card = guards.held(draft, id, do.card, rule)
    element = terms.element(do.element if do.element is not None else guards.suit_of(draft, id, card, None, rule), rule)
    rank = class_of(draft, id, card, None, [element])
    if do.scope not in SCOPES.values():
        raise Refused("moc.story.tiers", "no-such-tier", scope=do.scope, scopes=list(SCOPES.values()))
    if not do.text.strip():
        raise Refused(rule, "nothing-declared", card=card)
    if not (yield from draft.approved(do.approved, f"a creative use of a card ({do.scope}): {do.text}")):
        draft.veto(id, rule, do.approved, do.text)
        return
    change = draft.table.new_id()
    play = Play(
        change, id, "card", "story", 0, worth_of(draft.who(id), card), element, card, rank,
        origin=draft.discard(id, card), session=draft.table.session or "",
    )  # fmt: skip
    draft.tell(draft.stage(), facts_told.StoryChanged(change, id, 0, 0, do.scope, do.text, play))
    draft.by(rule, do.scope, card=card)


def use_beads(draft: Draft, do: inputs.UseBeads) -> Asking[None]:
    """`moc.bead.use`: beads used outside an action, as the game master approves."""
    rule, id = "moc.bead.use", do.character
    number = terms.whole(do.number, "negative-beads", rule)
    if number == 0:
        raise Refused(rule, "no-beads-played")
    element = terms.element(do.element or next(iter(draft.who(id).primaries), "action"), rule)
    not_dazed(draft, id)
    guards.has_beads(draft, id, element, number, rule)
    if do.scope not in SCOPES.values():
        raise Refused("moc.story.tiers", "no-such-tier", scope=do.scope, scopes=list(SCOPES.values()))
    if not do.text.strip():
        raise Refused(rule, "nothing-declared", character=id)
    beads = f"{number} {element.capitalize()} {'bead' if number == 1 else 'beads'}"
    if not (yield from draft.approved(do.approved, f"{beads} ({do.scope}): {do.text}")):
        draft.veto(id, rule, do.approved, do.text)
        return
    change = draft.table.new_id()
    play = Play(change, id, "beads", "story", 0, number, element)
    moved = accounts.move(accounts.bead(id, element), accounts.SPENT, number)
    draft.tell(draft.stage(), facts_told.StoryChanged(change, id, number, 0, do.scope, do.text, play), moved)
    draft.by(rule, number, element=element, use="other")


def narrate(draft: Draft, do: inputs.Narrate) -> None:
    """`moc.tell`: anybody tells, without beads and without numbers."""
    rule = "moc.tell"
    if do.character:
        draft.who(do.character)
        if draft.table.by.role != "gm" and draft.table.owner(character(do.character)) != draft.table.by.seat:
            raise Refused(rule, "not-own-character", character=do.character)
    if not do.text.strip():
        raise Refused(rule, "nothing-declared")
    told = facts_told.Narrated(draft.table.new_id(), draft.table.by.seat, do.character, do.text)
    draft.tell(draft.stage(), told)
    draft.by(rule, "told", character=do.character)


def veto_story(draft: Draft, do: inputs.VetoStory) -> None:
    """What changed it goes back."""
    told = draft.told(do.change)
    if told.vetoed:
        raise Refused("moc.story.tiers", "unknown-play", change=do.change)
    pile = on_story(draft, do.change)
    play = next(iter(told.plays), None)
    due = play is not None and not play.returned
    moved = None
    if play is not None and due and play.kind == "beads":
        moved = accounts.move(accounts.SPENT, accounts.bead(told.character, play.element), play.number)
    draft.tell(pile.subject, facts_told.StoryVetoed(do.change, do.reason), moved)
    if play is not None and due and play.kind == "card":
        give_back(draft, do.change, play)
    draft.by("moc.story.tiers", 0, change=do.change)


def amend_story(draft: Draft, do: inputs.AmendStory) -> None:
    told = draft.told(do.change)
    if told.vetoed:
        raise Refused("moc.story.tiers", "unknown-play", change=do.change)
    draft.tell(draft.teller(do.change), facts_told.StoryAmended(do.change, do.text))
    draft.by("moc.story.tiers", told.beads, change=do.change)
