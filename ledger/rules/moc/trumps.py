"""Cancelling what others played, and what goes back to its player (headings "Trump", "Chips")."""

from __future__ import annotations

from typing import Any

from ledger.rules.contract import Asking, Posting, Refused, Table, Verdict
from ledger.rules.moc import accounts, facts, inputs, numbers, terms
from ledger.rules.moc.cards_on_dice import class_of
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.stacks import settle, top_of
from ledger.rules.moc.state import Action, Part, Play
from ledger.rules.moc.terms import CHIPS, CLASSES


def trump(table: Table[Dials], do: inputs.Trump) -> Asking[Verdict[Any]]:
    """`moc.trump.order`, `moc.trump.stack`, `moc.trump.effect`."""
    rule, ruling, id = "moc.trump.order", Ruling(table), do.character
    ruling.who(id)
    if ruling.dials.advanced_trump == "off":
        raise Refused(rule, "cannot-trump", trump="off")
    action = ruling.action(do.action)
    place, part = _thing(ruling, action, do)
    below = top_of(action, do.on, place)
    if do.chip is not None:
        return (yield from _chip_trump(ruling, action, do, place, below))
    if do.card is None:
        raise Refused(rule, "nothing-declared")
    card = ruling.held(id, do.card, rule)
    rank = class_of(ruling, id, card, do.suit, [part.roll.element], do.card_class)
    value = numbers.card_value(card)
    if below is None:
        if not (yield from ruling.approved(do.allowed, "a card cancels a roll")):
            raise Refused(rule, "cannot-trump", on="roll")
    elif below.kind == "card":
        if (CLASSES[rank], value) <= (CLASSES[below.rank], below.number):
            raise Refused(rule, "cannot-trump", rank=rank, value=value, on=[below.rank, below.number])
    elif below.kind != "beads":
        raise Refused(rule, "cannot-trump", on=below.kind)
    origin = ruling.discard(id, card)
    play = Play(
        table.new_id(), id, "card", "trump", place, value, card=card, rank=rank, origin=origin,
        session=table.session or "", on=below.id if below is not None else "roll",
    )  # fmt: skip
    _lay(ruling, action, play)
    return ruling.verdict()


def _thing(ruling: Ruling, action: Action, do: inputs.Trump) -> tuple[int, Part]:
    """The part the thing trumped is on. Refuses `unknown-play`, and `cannot-trump` a roll not yet made."""
    if do.on == "roll":
        return ruling.part(action, do.part)
    play = next((one for one in action.plays if one.id == do.on), None)
    if play is None or play.fiat:
        raise Refused("moc.trump.order", "unknown-play", play=do.on)
    return ruling.part(action, play.part)


def _chip_trump(
    ruling: Ruling, action: Action, do: inputs.Trump, place: int, below: Play | None
) -> Asking[Verdict[Any]]:
    rule, id, may = "moc.trump.order", do.character, ruling.dials.chip_may_trump
    ruling.chips_on(rule)
    colour = terms.chip(do.chip, rule)
    kind = below.kind if below is not None else "roll"
    if may == "none" or kind == "chip" or (may == "cards" and kind != "card"):
        raise Refused(rule, "cannot-trump", on=kind, chip=colour)
    ruling.holds(id, {colour: 1}, rule)
    if kind == "roll" and not (yield from ruling.approved(do.allowed, "a chip cancels a roll")):
        raise Refused(rule, "cannot-trump", on="roll")
    play = Play(
        ruling.table.new_id(), id, "chip", "trump", place, CHIPS[colour], colour=colour,
        on=below.id if below is not None else "roll",
    )  # fmt: skip
    _lay(ruling, action, play, *accounts.chips(id, {colour: 1}, to_bank=True))
    return ruling.verdict()


def _lay(ruling: Ruling, action: Action, play: Play, *moved: Posting | None) -> None:
    ruling.here(facts.PlayTrumped(action.id, play.id, play), *moved)
    ruling.by("moc.trump.order", play.on, kind=play.kind, rank=play.rank, value=play.number)
    settle(ruling, action)


def fiat(table: Table[Dials], do: inputs.TrumpByFiat) -> Verdict[Any]:
    """`moc.trump.fiat`: the play goes back to its player, who should get a chip for it."""
    rule, ruling = "moc.trump.fiat", Ruling(table)
    action = ruling.action(do.action)
    play = next((one for one in action.plays if one.id == do.play), None)
    if play is None or play.fiat:
        raise Refused(rule, "unknown-play", play=do.play)
    colour = terms.chip(do.chip, rule) if do.chip is not None else ""
    if colour:
        ruling.chips_on(rule)
        if ruling.who(play.by).villain:
            raise Refused("moc.chip.value", "not-a-players-character", character=play.by)
    ruling.here(facts.PlayTrumpedByFiat(action.id, play.id, colour, do.reason))
    ruling.by(rule, colour or "no chip", play=play.id)
    if not play.returned:
        give_back(ruling, action.id, play)
    if colour:
        given = accounts.chips(play.by, {colour: 1}, to_bank=False)
        ruling.about(play.by, facts.ChipAwarded({colour: 1}, "trumped by fiat", 0), *given)
    settle(ruling, action)
    return ruling.verdict()


def give_back(ruling: Ruling, action: str, play: Play) -> None:
    """An EM goes back to its player: a card to the hand, beads and chips to where they came from."""
    match play.kind:
        case "card":
            if play.session != (ruling.table.session or ""):
                return  # gone with all cards of its session
            if play.origin == "villains":
                shared = accounts.villains(ruling.place().id)
                ruling.about(play.by, facts.EffectModifierReturned(action, play.id))
                ruling.here(facts.VillainsDrew((play.card,)), accounts.move(accounts.DISCARD, shared, 1))
                ruling.by("moc.story.action-beads", play.id, kind=play.kind)
                return
            moved = accounts.move(accounts.DISCARD, accounts.hand(play.by), 1)
        case "beads":
            moved = accounts.move(accounts.SPENT, accounts.bead(play.by, play.element), play.number)
        case _:
            moved = accounts.move(accounts.bank(play.colour), accounts.chip(play.by, play.colour), 1)
    ruling.about(play.by, facts.EffectModifierReturned(action, play.id, play.card), moved)
    ruling.by("moc.story.action-beads", play.id, kind=play.kind)
