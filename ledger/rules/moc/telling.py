"""Telling: by Storytelling beads, by a card, by words alone; and what the game master vetoes or amends.

Headings "Storytelling", "Cards", "A Shift of Perspective".
"""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, facts, inputs, numbers, terms
from ledger.rules.moc.beads import SCOPES, not_dazed, tier_of
from ledger.rules.moc.cards_on_dice import class_of
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.returns import give_back
from ledger.rules.moc.stacks import on_story
from ledger.rules.moc.state import Play


def change_story(table: Table[Dials], do: inputs.ChangeStory) -> Verdict[Any]:
    ruling, id = Ruling(table), do.character
    beads = terms.whole(do.beads, "negative-beads", "moc.story.tiers")
    not_dazed(ruling, id)
    tier = tier_of(ruling, id, beads)
    scopes = [scope for reach, scope in SCOPES.items() if reach <= tier]
    if do.scope is not None and do.scope not in scopes:
        raise Refused("moc.story.tiers", "no-such-tier", scope=do.scope, scopes=scopes)
    moved = accounts.move(accounts.bead(id, "storytelling"), accounts.SPENT, beads)
    ruling.here(facts.StoryChanged(table.new_id(), id, beads, tier, do.scope or scopes[-1], do.text), moved)
    return ruling.verdict()


def use_card(table: Table[Dials], do: inputs.UseCard) -> Asking[Verdict[Any]]:
    """`moc.card.other`: a card used creatively, outside an action, as the game master approves."""
    rule, ruling, id = "moc.card.other", Ruling(table), do.character
    card = ruling.held(id, do.card, rule)
    element = terms.element(do.element if do.element is not None else ruling.suit_of(id, card, None, rule), rule)
    rank = class_of(ruling, id, card, None, [element])
    if do.scope not in SCOPES.values():
        raise Refused("moc.story.tiers", "no-such-tier", scope=do.scope, scopes=list(SCOPES.values()))
    if not do.text.strip():
        raise Refused(rule, "nothing-declared", card=card)
    if not (yield from ruling.approved(do.approved, f"a card: {do.text} ({do.scope})")):
        return ruling.vetoed(id, rule, do.approved, do.text)
    change = table.new_id()
    play = Play(
        change, id, "card", "story", 0, numbers.card_value(card), element, card, rank,
        origin=ruling.discard(id, card), session=table.session or "",
    )  # fmt: skip
    ruling.tell(ruling.stage(), facts.StoryChanged(change, id, 0, 0, do.scope, do.text, play))
    ruling.by(rule, do.scope, card=card)
    return ruling.verdict()


def narrate(table: Table[Dials], do: inputs.Narrate) -> Verdict[Any]:
    """`moc.tell`: anybody tells, without beads and without numbers."""
    rule, ruling = "moc.tell", Ruling(table)
    if do.character:
        ruling.who(do.character)
        if table.by.role != "gm" and table.owner(character(do.character)) != table.by.seat:
            raise Refused(rule, "not-own-character", character=do.character)
    if not do.text.strip():
        raise Refused(rule, "nothing-declared")
    told = facts.Narrated(table.new_id(), table.by.seat, do.character, do.text)
    ruling.tell(ruling.stage(), told)
    ruling.by(rule, "told", character=do.character)
    return ruling.verdict()


def veto_story(table: Table[Dials], do: inputs.VetoStory) -> Verdict[Any]:
    """What changed it goes back."""
    ruling = Ruling(table)
    told = ruling.told(do.change)
    if told.vetoed:
        raise Refused("moc.story.tiers", "unknown-play", change=do.change)
    pile = on_story(ruling, do.change)
    play = next(iter(told.plays), None)
    due = play is not None and not play.returned
    moved = None
    if play is not None and due and play.kind == "beads":
        moved = accounts.move(accounts.SPENT, accounts.bead(told.character, "storytelling"), told.beads)
    ruling.tell(pile.subject, facts.StoryVetoed(do.change, do.reason), moved)
    if play is not None and due and play.kind == "card":
        give_back(ruling, do.change, play)
    ruling.by("moc.story.tiers", 0, change=do.change)
    return ruling.verdict()


def amend_story(table: Table[Dials], do: inputs.AmendStory) -> Verdict[Any]:
    ruling = Ruling(table)
    told = ruling.told(do.change)
    if told.vetoed:
        raise Refused("moc.story.tiers", "unknown-play", change=do.change)
    ruling.tell(ruling.teller(do.change), facts.StoryAmended(do.change, do.text))
    ruling.by("moc.story.tiers", told.beads, change=do.change)
    return ruling.verdict()
