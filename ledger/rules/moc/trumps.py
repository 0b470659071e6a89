"""Cancelling what others played or rolled, and what goes back to its player (headings "Trump", "Chips").

One way for all that can be trumped: on actions, damage, what resists it, initiative, healing and told changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.contract import Posting, Table, Verdict
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts, harming, inputs, numbers, recovery, terms
from ledger.rules.moc.cards_on_dice import class_of
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.piles import ROLLS, top_of
from ledger.rules.moc.returns import give_back
from ledger.rules.moc.stacks import Pile, everywhere, on_action, on_healing, on_initiative, on_story, settle
from ledger.rules.moc.state import Play
from ledger.rules.moc.terms import CHIPS, CLASSES

ORDER = "moc.trump.order"


@dataclass(frozen=True, slots=True)
class Target:
    """What is trumped: a play (None: the dice themselves) in a pile. `on`: its id, or the roll's name.

    `element`: whose suit is suited here; `whose`: who rolls those dice, or played that.
    """

    pile: Pile
    play: Play | None
    on: str
    place: int
    element: str
    whose: str


def trump(table: Table[Dials], do: inputs.Trump) -> Asking[Verdict[Any]]:
    """`moc.trump.order`, `moc.trump.stack`, `moc.trump.effect`."""
    ruling, id = Ruling(table), do.character
    ruling.who(id)
    if ruling.dials.advanced_trump == "off":
        raise Refused(ORDER, "cannot-trump", trump="off")
    target = _target(ruling, do, do.on)
    below = top_of(target.pile.plays(ruling), target.on, target.place)
    if do.chip is not None:
        return (yield from _chip_trump(ruling, do, target, below))
    if do.card is None:
        raise Refused(ORDER, "nothing-declared")
    card = ruling.held(id, do.card, ORDER)
    rank = class_of(ruling, id, card, do.suit, [target.element], do.card_class)
    value = numbers.card_value(card)
    if below is None:
        if not (yield from ruling.approved(do.allowed, "a card cancels a roll")):
            raise Refused(ORDER, "cannot-trump", on="roll")
    elif below.kind == "card":
        if (CLASSES[rank], value) <= (CLASSES[below.rank], below.number):
            raise Refused(ORDER, "cannot-trump", rank=rank, value=value, on=[below.rank, below.number])
    elif below.kind != "beads":
        raise Refused(ORDER, "cannot-trump", on=below.kind)
    origin = ruling.discard(id, card)
    play = Play(
        table.new_id(), id, "card", "trump", target.place, value, card=card, rank=rank, origin=origin,
        session=table.session or "", on=below.id if below is not None else target.on,
    )  # fmt: skip
    _lay(ruling, target, play)
    return ruling.verdict()


def _chip_trump(ruling: Ruling, do: inputs.Trump, target: Target, below: Play | None) -> Asking[Verdict[Any]]:
    id, may = do.character, ruling.dials.chip_may_trump
    ruling.chips_on(ORDER)
    colour = terms.chip(do.chip, ORDER)
    kind = below.kind if below is not None else "roll"
    if may == "none" or kind in ("chip", "fiat") or (may == "cards" and kind != "card"):
        raise Refused(ORDER, "cannot-trump", on=kind, chip=colour)
    ruling.holds(id, {colour: 1}, ORDER)
    if kind == "roll" and not (yield from ruling.approved(do.allowed, "a chip cancels a roll")):
        raise Refused(ORDER, "cannot-trump", on="roll")
    play = Play(
        ruling.table.new_id(), id, "chip", "trump", target.place, CHIPS[colour], colour=colour,
        on=below.id if below is not None else target.on,
    )  # fmt: skip
    _lay(ruling, target, play, *accounts.chips(id, {colour: 1}, to_bank=True))
    return ruling.verdict()


def _lay(ruling: Ruling, target: Target, play: Play, *moved: Posting | None) -> None:
    pile, was = target.pile, target.pile.plays(ruling)
    ruling.tell(pile.subject, facts.PlayTrumped(pile.id, play.id, play, pile.kind), *moved)
    ruling.by(ORDER, play.on, kind=play.kind, rank=play.rank, value=play.number)
    _come_of_it(ruling, target, was)


def _come_of_it(ruling: Ruling, target: Target, was: tuple[Play, ...]) -> None:
    settle(ruling, target.pile)
    if target.pile.kind == "healing":
        recovery.reconsider(ruling, target.pile.subject.id)
    elif target.pile.kind == "hit":
        harming.reconsider(ruling, target.pile.id, was)


# --- what is trumped ---


def _target(ruling: Ruling, do: inputs.Trump | inputs.TrumpByFiat, on: str) -> Target:
    """Refuses `unknown-play`, and as what it is on does when it is too late."""
    if on in ROLLS:
        return _roll(ruling, do, on)
    for pile in _piles(ruling, do):
        plays = pile.plays(ruling)
        play = next((one for one in plays if one.id == on), None)
        if play is not None and not play.fiat and play.kind != "fiat":
            element = _open(ruling, pile, play.use if play.use != "trump" else _under(plays, play), play.part)
            return Target(pile, play, on, play.part, element or _element(plays, play), play.by)
    raise Refused(ORDER, "unknown-play", play=on)


def _piles(ruling: Ruling, do: inputs.Trump | inputs.TrumpByFiat) -> list[Pile]:
    """Where the play may lie: on what is named, else anywhere."""
    found: list[Pile] = []
    if do.action:
        found.append(on_action(ruling, ruling.action(do.action)))
    if do.hit:
        ruling.hit(do.hit, "scored", "rolled", "applied")
        found.append(Pile(ruling.place(), "hit", do.hit))
    if do.change:
        found.append(on_story(ruling, do.change))
    if do.whose:
        if ruling.table.scene is not None:
            found += [on_initiative(ruling, do.whose), on_initiative(ruling, do.whose, coming=True)]
        if ruling.who(do.whose).healing is not None:
            found.append(on_healing(ruling, do.whose))
    return found or list(everywhere(ruling))


def _roll(ruling: Ruling, do: inputs.Trump | inputs.TrumpByFiat, on: str) -> Target:
    """The dice themselves."""
    match on:
        case "damage" | "resisting":
            hit = ruling.hit(do.hit, "rolled" if on == "damage" else "applied")
            pile = Pile(ruling.place(), "hit", hit.id)
            element = _open(ruling, pile, on, 0)
            return Target(pile, None, on, 0, element or "action", hit.attacker if on == "damage" else hit.target)
        case "initiative":
            if do.whose not in ruling.scene().initiative.faces:
                raise Refused(ORDER, "unknown-play", play=on, whose=do.whose)
            return Target(on_initiative(ruling, do.whose), None, on, 0, "action", do.whose)
        case "healing":
            pile = on_healing(ruling, do.whose)
            _open(ruling, pile, on, 0)
            return Target(pile, None, on, 0, "action", do.whose)
        case _:
            action = ruling.action(do.action)
            place, part = ruling.part(action, do.part)
            return Target(on_action(ruling, action), None, on, place, part.roll.element, action.character)


def _under(plays: tuple[Play, ...], play: Play) -> str:
    """What is at the bottom of the stack a trump lies in: the use of a play, or a roll."""
    while play.use == "trump":
        below = next((one for one in plays if one.id == play.on), None)
        if below is None:
            return play.on
        play = below
    return play.use


def _open(ruling: Ruling, pile: Pile, use: str, place: int) -> str:
    """Refuses what can be trumped no more. The Element of what it is on; empty where that has none of its own."""
    match pile.kind:
        case "action":
            return ruling.part(ruling.action(pile.id), place)[1].roll.element
        case "hit":
            hit = ruling.hit(pile.id, *(("scored", "rolled") if use == "damage" else ("applied",)))
            harm = ruling.who(hit.target).harm
            if use != "damage" and (harm is None or harm.hit != hit.id):
                raise Refused("moc.combat.resist", "settled", hit=hit.id)
            return hit.element
        case "healing":
            recovery.unsettled(ruling, pile.subject.id)
            return ""
        case "story":
            if ruling.told(pile.id).vetoed:
                raise Refused(ORDER, "unknown-play", change=pile.id)
            return ""
        case _:
            return ""


def _element(plays: tuple[Play, ...], play: Play) -> str:
    """Of dice and stories without an Element of their own: the one that was named for what lies at the bottom."""
    while play.use == "trump":
        below = next((one for one in plays if one.id == play.on), None)
        if below is None:
            break
        play = below
    return play.element or "action"


# --- the game master's own ---


def fiat(table: Table[Dials], do: inputs.TrumpByFiat) -> Verdict[Any]:
    """`moc.trump.fiat`: a play goes back to its player, who should get a chip for it; so for an action or a roll."""
    rule, ruling = "moc.trump.fiat", Ruling(table)
    target = _target(ruling, do, do.play)
    pile, play = target.pile, target.play
    colour = terms.chip(do.chip, rule) if do.chip is not None else ""
    if colour:
        ruling.chips_on(rule)
        if ruling.who(target.whose).villain:
            raise Refused("moc.chip.value", "not-a-players-character", character=target.whose)
    laid, was = None, pile.plays(ruling)
    if play is None:
        laid = Play(table.new_id(), target.whose, "fiat", "trump", target.place, colour=colour, on=target.on)
    ruling.tell(pile.subject, facts.PlayTrumpedByFiat(pile.id, do.play, colour, do.reason, pile.kind, laid))
    ruling.by(rule, colour or "no chip", play=do.play)
    if play is not None and not play.returned:
        give_back(ruling, pile.id, play)
    if colour:
        given = accounts.chips(target.whose, {colour: 1}, to_bank=False)
        ruling.about(target.whose, facts.ChipAwarded({colour: 1}, "trumped by fiat", 0), *given)
    _come_of_it(ruling, target, was)
    return ruling.verdict()
