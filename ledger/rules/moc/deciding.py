"""EMs that decide in place of dice, or make a failure worse (headings "Dice Rolling", "Levels of success")."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import Posting, Table, Verdict
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts, inputs, numbers, terms
from ledger.rules.moc.beads import not_dazed
from ledger.rules.moc.cards_on_dice import class_of
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.outcomes import outcome_of
from ledger.rules.moc.playing import own_action
from ledger.rules.moc.state import Part, Play
from ledger.rules.moc.terms import CHIPS, LEVEL_NAMES


def determine(table: Table[Dials], do: inputs.DetermineAction) -> Asking[Verdict[Any]]:
    """`moc.action.by-em`: an approved EM decides the action in place of dice; its player tells what happens."""
    rule, ruling, id = "moc.action.by-em", Ruling(table), do.character
    ruling.who(id)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    own_action(ruling, action, id)
    if part.rolled:
        raise Refused(rule, "already-rolled", part=place)
    if outcome_of(ruling, action, place).sure:
        raise Refused(rule, "already-determined", part=place)
    level = part.roll.required if do.level is None else terms.level_of(do.level, rule)
    if not do.text.strip():
        raise Refused(rule, "nothing-declared", text=do.text)
    play = _em(ruling, do, "determine", place, part, rule)
    told = f"{do.text} ({LEVEL_NAMES[level]})" + (f" But: {do.consequence}" if do.consequence else "")
    if not (yield from ruling.approved(do.approved, f"decided without dice: {told}")):
        return ruling.vetoed(id, rule, do.approved, do.text)
    play, moved = _spent(ruling, play, level)
    ruling.here(facts.ActionDetermined(action.id, play.id, play, level, do.text), *moved)
    ruling.by(rule, LEVEL_NAMES[level], kind=play.kind, part=place)
    if do.consequence:
        ruling.here(facts.ConsequenceTold(action.id, "player", do.consequence, True))
        ruling.by("moc.level.meaning", True, author="player")
    return ruling.verdict()


def _em(ruling: Ruling, do: Any, use: str, place: int, part: Part, rule: str) -> Play:
    """The one EM that is spent: beads, a card or a chip. Refuses `nothing-declared`, and as each does."""
    id = do.character
    if sum(one is not None for one in (do.element, do.card, do.chip)) != 1:
        raise Refused(rule, "nothing-declared")
    new = ruling.table.new_id()
    if do.element is not None:
        number = terms.whole(getattr(do, "number", 1), "negative-beads", rule)
        if number == 0:
            raise Refused(rule, "no-beads-played")
        element = terms.element(do.element, rule)
        not_dazed(ruling, id)
        ruling.has_beads(id, element, number, rule)
        return Play(new, id, "beads", use, place, number, element)
    if do.card is not None:
        card = ruling.held(id, do.card, rule)
        rank = class_of(ruling, id, card, None, [part.roll.element])
        value, session = numbers.card_value(card), ruling.table.session or ""
        return Play(new, id, "card", use, place, value, card=card, rank=rank, session=session)
    ruling.chips_on(rule)
    colour = terms.chip(do.chip, rule)
    ruling.holds(id, {colour: 1}, rule)
    return Play(new, id, "chip", use, place, CHIPS[colour], colour=colour)


def _spent(ruling: Ruling, play: Play, successes: int = 0) -> tuple[Play, list[Posting | None]]:
    """The play as it is recorded, and what it moves."""
    moved: list[Posting | None] = []
    origin = ""
    if play.kind == "beads":
        moved = [accounts.move(accounts.bead(play.by, play.element), accounts.SPENT, play.number)]
    elif play.kind == "card":
        origin = ruling.discard(play.by, play.card)
    else:
        moved = list(accounts.chips(play.by, {play.colour: 1}, to_bank=True))
    return changed(play, origin=origin, successes=successes), moved


def shift(table: Table[Dials], do: inputs.ShiftFailure) -> Verdict[Any]:
    """`moc.level.resolve`, step 3: an opponent spends one EM."""
    rule, ruling, id = "moc.level.resolve", Ruling(table), do.character
    ruling.who(id)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    if action.character == id:
        raise Refused(rule, "not-an-opponent", character=id)
    play, moved = _spent(ruling, _em(ruling, do, "shift", place, part, rule))
    ruling.here(facts.FailureShifted(action.id, play.id, play), *moved)
    ruling.by(rule, "shifted", kind=play.kind)
    return ruling.verdict()
