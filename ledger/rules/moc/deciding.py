"""EMs that decide in place of dice, or make a failure worse (headings "Dice Rolling", "Levels of success")."""

from __future__ import annotations

from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts_of_scenes, guards, inputs_of_play, terms
from ledger.rules.moc.beads import not_dazed
from ledger.rules.moc.cards_on_dice import class_of
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.effects import worth_of
from ledger.rules.moc.outcomes import outcome_of
from ledger.rules.moc.playing import own_action
from ledger.rules.moc.state_of_actions import Part, Play
from ledger.rules.moc.terms import CHIPS, LEVEL_NAMES


def determine(draft: Draft, do: inputs_of_play.DetermineAction) -> Asking[None]:
    """`moc.action.by-em`: an approved EM decides the action in place of dice; its player tells what happens."""
    rule, id = "moc.action.by-em", do.character
    draft.who(id)
    action = draft.action(do.action)
    place, part = draft.part(action, do.part)
    own_action(draft, action, id)
    if part.rolled:
        raise Refused(rule, "already-rolled", part=place)
    if outcome_of(draft, action, place).sure:
        raise Refused(rule, "already-determined", part=place)
    level = part.roll.required if do.level is None else terms.level_of(do.level, rule)
    if not do.text.strip():
        raise Refused(rule, "nothing-declared", text=do.text)
    play = _em(draft, do, "determine", place, part, rule)
    told = f"{do.text} ({LEVEL_NAMES[level]})" + (f" But: {do.consequence}" if do.consequence else "")
    if not (yield from draft.approved(do.approved, f"an action decided without dice: {told}")):
        draft.veto(id, rule, do.approved, do.text)
        return
    play, moved = _spent(draft, play, level)
    draft.here(facts_of_scenes.ActionDetermined(action.id, play.id, play, level, do.text), *moved)
    draft.by(rule, LEVEL_NAMES[level], kind=play.kind, part=place)
    if do.consequence:
        draft.here(facts_of_scenes.ConsequenceTold(action.id, "player", do.consequence, True))
        draft.by("moc.level.meaning", True, author="player")


def _em(
    draft: Draft,
    do: inputs_of_play.DetermineAction | inputs_of_play.ShiftFailure,
    use: str,
    place: int,
    part: Part,
    rule: str,
) -> Play:
    """The one EM that is spent: beads, a card or a chip. Refuses `nothing-declared`, and as each does."""
    id = do.character
    if sum(one is not None for one in (do.element, do.card, do.chip)) != 1:
        raise Refused(rule, "nothing-declared")
    new = draft.table.new_id()
    if do.element is not None:
        sent = do.number if isinstance(do, inputs_of_play.DetermineAction) else 1
        number = terms.whole(sent, "negative-beads", rule)
        if number == 0:
            raise Refused(rule, "no-beads-played")
        element = terms.element(do.element, rule)
        not_dazed(draft, id)
        guards.has_beads(draft, id, element, number, rule)
        return Play(new, id, "beads", use, place, number, element)
    if do.card is not None:
        card = guards.held(draft, id, do.card, rule)
        rank = class_of(draft, id, card, None, [part.roll.element])
        value, session = worth_of(draft.who(do.character), card), draft.table.session or ""
        return Play(new, id, "card", use, place, value, card=card, rank=rank, session=session)
    guards.chips_on(draft, rule)
    colour = terms.chip(do.chip, rule)
    guards.holds(draft, id, {colour: 1}, rule)
    return Play(new, id, "chip", use, place, CHIPS[colour], colour=colour)


def _spent(draft: Draft, play: Play, successes: int = 0) -> tuple[Play, list[Posting | None]]:
    """The play as it is recorded, and what it moves."""
    moved: list[Posting | None] = []
    origin = ""
    if play.kind == "beads":
        moved = [accounts.move(accounts.bead(play.by, play.element), accounts.SPENT, play.number)]
    elif play.kind == "card":
        origin = draft.discard(play.by, play.card)
    else:
        moved = list(accounts.chips(play.by, {play.colour: 1}, to_bank=True))
    return changed(play, origin=origin, successes=successes), moved


def shift(draft: Draft, do: inputs_of_play.ShiftFailure) -> None:
    """`moc.level.resolve`, step 3: an opponent spends one EM."""
    rule, id = "moc.level.resolve", do.character
    draft.who(id)
    action = draft.action(do.action)
    place, part = draft.part(action, do.part)
    if action.character == id:
        raise Refused(rule, "not-an-opponent", character=id)
    play, moved = _spent(draft, _em(draft, do, "shift", place, part, rule))
    draft.here(facts_of_scenes.FailureShifted(action.id, play.id, play), *moved)
    draft.by(rule, "shifted", kind=play.kind)
