"""Cancelling what others played or rolled, and what goes back to its player (headings "Trump", "Chips").

One way for all that can be trumped: on actions, damage, what resists it, initiative, healing and told changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import (
    accounts,
    facts_of_modifiers,
    facts_of_scenes,
    guards,
    harming,
    inputs_of_play,
    recovery,
    terms,
)
from ledger.rules.moc.cards_on_dice import class_of
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.effects import worth_of
from ledger.rules.moc.piles import ROLLS, top_of
from ledger.rules.moc.returns import give_back
from ledger.rules.moc.stacks import Pile, everywhere, on_action, on_healing, on_initiative, on_story, settle
from ledger.rules.moc.state_of_actions import Play
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


def trump(draft: Draft, do: inputs_of_play.Trump) -> Asking[None]:
    """`moc.trump.order`, `moc.trump.stack`, `moc.trump.effect`."""
    id = do.character
    draft.who(id)
    if draft.dials.advanced_trump == "off":
        raise Refused(ORDER, "cannot-trump", trump="off")
    target = _target(draft, do, do.on)
    below = top_of(target.pile.plays(draft), target.on, target.place)
    if do.chip is not None:
        yield from _chip_trump(draft, do, target, below)
        return
    if do.card is None:
        raise Refused(ORDER, "nothing-declared")
    card = guards.held(draft, id, do.card, ORDER)
    rank = class_of(draft, id, card, do.suit, [target.element], do.card_class)
    value = worth_of(draft.who(id), card)
    if below is None:
        if not (yield from draft.approved(do.allowed, "a card that cancels a roll")):
            raise draft.no(ORDER, "cannot-trump", do.allowed, on="roll")
    elif below.kind == "card":
        if (CLASSES[rank], value) <= (CLASSES[below.rank], below.number):
            raise Refused(ORDER, "cannot-trump", rank=rank, value=value, on=f"{below.rank} {below.number}")
    elif below.kind != "beads":
        raise Refused(ORDER, "cannot-trump", on=below.kind)
    origin = draft.discard(id, card)
    play = Play(
        draft.table.new_id(), id, "card", "trump", target.place, value, card=card, rank=rank, origin=origin,
        session=draft.table.session or "", on=below.id if below is not None else target.on,
    )  # fmt: skip
    _lay(draft, target, play)


def _chip_trump(draft: Draft, do: inputs_of_play.Trump, target: Target, below: Play | None) -> Asking[None]:
    id, may = do.character, draft.dials.chip_may_trump
    guards.chips_on(draft, ORDER)
    colour = terms.chip(do.chip, ORDER)
    kind = below.kind if below is not None else "roll"
    if may == "none" or kind in ("chip", "fiat") or (may == "cards" and kind != "card"):
        raise Refused(ORDER, "cannot-trump", on=kind, chip=colour)
    guards.holds(draft, id, {colour: 1}, ORDER)
    if kind == "roll" and not (yield from draft.approved(do.allowed, "a chip that cancels a roll")):
        raise draft.no(ORDER, "cannot-trump", do.allowed, on="roll")
    play = Play(
        draft.table.new_id(), id, "chip", "trump", target.place, CHIPS[colour], colour=colour,
        on=below.id if below is not None else target.on,
    )  # fmt: skip
    _lay(draft, target, play, *accounts.chips(id, {colour: 1}, to_bank=True))


def _lay(draft: Draft, target: Target, play: Play, *moved: Posting | None) -> None:
    pile, was = target.pile, target.pile.plays(draft)
    draft.tell(pile.subject, facts_of_scenes.PlayTrumped(pile.id, play.id, play, pile.kind), *moved)
    draft.by(ORDER, play.on, kind=play.kind, rank=play.rank, value=play.number)
    _come_of_it(draft, target, was)


def _come_of_it(draft: Draft, target: Target, was: tuple[Play, ...]) -> None:
    settle(draft, target.pile)
    if target.pile.kind == "healing":
        recovery.reconsider(draft, target.pile.subject.id)
    elif target.pile.kind == "hit":
        harming.reconsider(draft, target.pile.id, was)


# --- what is trumped ---


def _target(draft: Draft, do: inputs_of_play.Trump | inputs_of_play.TrumpByFiat, on: str) -> Target:
    """Refuses `unknown-play`, and as what it is on does when it is too late."""
    if on in ROLLS:
        return _roll(draft, do, on)
    for pile in _piles(draft, do):
        plays = pile.plays(draft)
        play = next((one for one in plays if one.id == on), None)
        if play is not None and not play.fiat and play.kind != "fiat":
            element = _open(draft, pile, play.use if play.use != "trump" else _under(plays, play), play.part)
            return Target(pile, play, on, play.part, element or _element(plays, play), play.by)
    raise Refused(ORDER, "unknown-play", play=on)


def _piles(draft: Draft, do: inputs_of_play.Trump | inputs_of_play.TrumpByFiat) -> list[Pile]:
    """Where the play may lie: on what is named, else anywhere."""
    found: list[Pile] = []
    if do.action:
        found.append(on_action(draft, draft.action(do.action)))
    if do.hit:
        draft.hit(do.hit, "scored", "rolled", "applied")
        found.append(Pile(draft.place(), "hit", do.hit))
    if do.change:
        found.append(on_story(draft, do.change))
    if do.whose:
        if draft.table.scene is not None:
            found += [on_initiative(draft, do.whose), on_initiative(draft, do.whose, coming=True)]
        if not _only_left_plays(draft, do.whose) and draft.who(do.whose).healing is not None:
            found.append(on_healing(draft, do.whose))
    return found or list(everywhere(draft))


def _only_left_plays(draft: Draft, id: str) -> bool:
    """Return whether its joining was overturned, so that it is unknown, but its plays on initiative are there."""
    if draft.table.has(character(id)) or draft.table.scene is None:
        return False
    dice = draft.scene().initiative
    return id in {*dice.plays, *dice.waiting, *dice.faces}


def _roll(draft: Draft, do: inputs_of_play.Trump | inputs_of_play.TrumpByFiat, on: str) -> Target:
    """The dice themselves."""
    match on:
        case "damage" | "resisting":
            hit = draft.hit(do.hit, "rolled" if on == "damage" else "applied")
            pile = Pile(draft.place(), "hit", hit.id)
            element = _open(draft, pile, on, 0)
            return Target(pile, None, on, 0, element or "action", hit.attacker if on == "damage" else hit.target)
        case "initiative":
            if do.whose not in draft.scene().initiative.faces:
                raise Refused(ORDER, "unknown-play", play=on, whose=do.whose)
            return Target(on_initiative(draft, do.whose), None, on, 0, "action", do.whose)
        case "healing":
            pile = on_healing(draft, do.whose)
            _open(draft, pile, on, 0)
            return Target(pile, None, on, 0, "action", do.whose)
        case _:
            action = draft.action(do.action)
            place, part = draft.part(action, do.part)
            return Target(on_action(draft, action), None, on, place, part.roll.element, action.character)


def _under(plays: tuple[Play, ...], play: Play) -> str:
    """What is at the bottom of the stack a trump lies in: the use of a play, or a roll."""
    while play.use == "trump":
        below = next((one for one in plays if one.id == play.on), None)
        if below is None:
            return play.on
        play = below
    return play.use


def _open(draft: Draft, pile: Pile, use: str, place: int) -> str:
    """Refuses what can be trumped no more. The Element of what it is on; empty where that has none of its own."""
    match pile.kind:
        case "action":
            return draft.part(draft.action(pile.id), place)[1].roll.element
        case "hit":
            hit = draft.hit(pile.id, *(("scored", "rolled") if use == "damage" else ("applied",)))
            harm = draft.who(hit.target).harm if draft.table.has(character(hit.target)) else None
            if use != "damage" and (harm is None or harm.hit != hit.id):
                raise Refused("moc.combat.resist", "settled", hit=hit.id)
            return hit.element
        case "healing":
            recovery.unsettled(draft, pile.subject.id)
            return ""
        case "story":
            if draft.told(pile.id).vetoed:
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


def fiat(draft: Draft, do: inputs_of_play.TrumpByFiat) -> None:
    """`moc.trump.fiat`: a play goes back to its player, who should get a chip for it; so for an action or a roll."""
    rule = "moc.trump.fiat"
    target = _target(draft, do, do.play)
    pile, play = target.pile, target.play
    colour = terms.chip(do.chip, rule) if do.chip is not None else ""
    if colour:
        guards.chips_on(draft, rule)
        if draft.who(target.whose).villain:
            raise Refused("moc.chip.value", "not-a-players-character", character=target.whose)
    laid, was = None, pile.plays(draft)
    if play is None:
        laid = Play(draft.table.new_id(), target.whose, "fiat", "trump", target.place, colour=colour, on=target.on)
    draft.tell(pile.subject, facts_of_scenes.PlayTrumpedByFiat(pile.id, do.play, colour, do.reason, pile.kind, laid))
    draft.by(rule, colour or "no chip", play=do.play)
    if play is not None and not play.returned:
        give_back(draft, pile.id, play)
    if colour:
        given = accounts.chips(target.whose, {colour: 1}, to_bank=False)
        draft.about(target.whose, facts_of_modifiers.ChipAwarded({colour: 1}, "trumped by fiat", 0), *given)
    _come_of_it(draft, target, was)
