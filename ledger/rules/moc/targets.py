"""What can be trumped: plays and dice (heading "Trump")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.kit import Among, Refused, character
from ledger.rules.moc import recovery, resisting, stacks
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.piles import ROLLS, find_top
from ledger.rules.moc.shown import Fields, Offering, fix
from ledger.rules.moc.state import Play
from ledger.rules.moc.words import SETTLED, UNKNOWN_PLAY, Number


@dataclass(frozen=True, slots=True)
class Target:
    """What is trumped: a play, or the dice themselves (`play` is None). `on`: the play's id, or the roll's name.

    `element`: the Element for which cards are suited. `whose`: who rolled or played.
    """

    pile: stacks.Pile
    play: Play | None
    on: str
    place: int
    element: str
    whose: str


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the thing to be trumped is, as declared: an action or its part, a hit, a change of the story, or a
    character's initiative or healing.
    """

    action: str = ""
    part: Number = 0
    hit: str = ""
    change: str = ""
    whose: str = ""


def find_target(draft: Draft, where: Spot, on: str) -> Target:
    """Return what is trumped. Refuses `unknown-play`, and as its pile does when it is too late."""
    if on in ROLLS:
        return _find_roll(draft, where, on)
    for pile in _list_piles_named(draft, where):
        plays = pile.list_plays(draft)
        play = next((play for play in plays if play.id == on), None)
        if play is not None and not play.fiat and play.kind != "fiat":
            element = _find_open_element(
                draft, pile, play.use if play.use != "trump" else _find_bottom(plays, play), play.part
            )
            return Target(pile, play, on, play.part, element or _find_element_below(plays, play), play.by)
    raise UNKNOWN_PLAY.under(stacks.TRUMP_ORDER, play=on)


def _list_piles_named(draft: Draft, where: Spot) -> list[stacks.Pile]:
    """Return the piles that the declaration names, else all."""
    candidates: list[stacks.Pile] = []
    if where.action:
        candidates.append(stacks.find_action_pile(draft, draft.get_action(where.action)))
    if where.hit:
        draft.get_hit(where.hit, "scored", "rolled", "applied")
        candidates.append(stacks.Pile(draft.get_place(), "hit", where.hit))
    if where.change:
        candidates.append(stacks.find_story_pile(draft, where.change))
    if where.whose:
        if draft.table.scene is not None:
            candidates += [
                stacks.find_initiative_pile(draft, where.whose),
                stacks.find_initiative_pile(draft, where.whose, coming=True),
            ]
        if not _has_only_plays(draft, where.whose) and draft.get_character(where.whose).healing is not None:
            candidates.append(stacks.find_healing_pile(draft, where.whose))
    return candidates or list(stacks.list_piles(draft))


def _has_only_plays(draft: Draft, id: str) -> bool:
    """Return whether the character's enrolment was overturned but plays on initiative are left."""
    if draft.table.has(character(id)) or draft.table.scene is None:
        return False
    dice = draft.get_scene().initiative
    return id in {*dice.plays, *dice.waiting, *dice.faces}


def _find_roll(draft: Draft, where: Spot, on: str) -> Target:
    """Return the dice to be trumped."""
    match on:
        case "damage" | "resisting":
            hit = draft.get_hit(where.hit, "rolled" if on == "damage" else "applied")
            pile = stacks.Pile(draft.get_place(), "hit", hit.id)
            element = _find_open_element(draft, pile, on, 0)
            return Target(pile, None, on, 0, element or "action", hit.attacker if on == "damage" else hit.target)
        case "initiative":
            if where.whose not in draft.get_scene().initiative.faces:
                raise UNKNOWN_PLAY.under(stacks.TRUMP_ORDER, play=on, whose=where.whose)
            return Target(stacks.find_initiative_pile(draft, where.whose), None, on, 0, "action", where.whose)
        case "healing":
            pile = stacks.find_healing_pile(draft, where.whose)
            _find_open_element(draft, pile, on, 0)
            return Target(pile, None, on, 0, "action", where.whose)
        case _:
            action = draft.get_action(where.action)
            place, part = draft.get_part(action, where.part)
            return Target(stacks.find_action_pile(draft, action), None, on, place, part.roll.element, action.character)


def _find_open_element(draft: Draft, pile: stacks.Pile, use: str, place: int) -> str:
    """Return the Element of the pile's thing, or "" if it has none. Refuses what can no longer be trumped."""
    match pile.kind:
        case "action":
            return draft.get_part(draft.get_action(pile.id), place)[1].roll.element
        case "hit":
            hit = draft.get_hit(pile.id, *(("scored", "rolled") if use == "damage" else ("applied",)))
            harm = draft.get_character(hit.target).harm if draft.table.has(character(hit.target)) else None
            if use != "damage" and (harm is None or harm.hit != hit.id):
                raise SETTLED.under(resisting.RESIST, hit=hit.id)
            return hit.element
        case "healing":
            recovery.find_unsettled(draft, pile.subject.id)
            return ""
        case "story":
            if draft.get_story(pile.id).vetoed:
                raise UNKNOWN_PLAY.under(stacks.TRUMP_ORDER, change=pile.id)
            return ""
        case _:
            return ""


def _find_bottom(plays: tuple[Play, ...], play: Play) -> str:
    """Return what is at the bottom of a trump's stack: the use of a play, or a roll."""
    while play.use == "trump":
        below = next((other for other in plays if other.id == play.on), None)
        if below is None:
            return play.on
        play = below
    return play.use


def _find_element_below(plays: tuple[Play, ...], play: Play) -> str:
    """Return the Element named for the play at the bottom, for dice and stories that have none of their own."""
    while play.use == "trump":
        below = next((other for other in plays if other.id == play.on), None)
        if below is None:
            break
        play = below
    return play.element or "action"


@dataclass(frozen=True, slots=True)
class Found:
    """Something that can be trumped. `named`: the fields that say where it is. `bare`: whether it is the dice
    themselves.
    """

    target: Target
    named: Fields
    bare: bool

    def find_below(self, now: Offering) -> Play | None:
        return find_top(self.target.pile.list_plays(now.draft), self.target.on, self.target.place)


def list_trumpable(now: Offering) -> Iterator[Found]:
    """Yield everything that can still be trumped."""
    piles = list(stacks.list_piles(now.draft))
    if now.scene is not None:
        laid = now.scene.initiative
        piles += [stacks.find_initiative_pile(now.draft, id) for id in laid.faces if id not in laid.plays]
    piles += [stacks.find_healing_pile(now.draft, id) for id in now.roster if now.get_character(id).healing is not None]
    for pile in piles:
        named = _name_pile(pile)
        for play in pile.list_plays(now.draft):
            yield from _find_trumpable(now, play.id, named, bare=False)
        for on, dice in _list_dice(now, pile):
            yield from _find_trumpable(now, on, {**_take_last(named), **dice}, bare=True)


def _name_pile(pile: stacks.Pile) -> Fields:
    """Return the fields that name a pile. Only healing must be named."""
    match pile.kind:
        case "action":
            return {"action": Among(("", pile.id))}
        case "hit":
            return {"action": fix(""), "hit": Among(("", pile.id))}
        case "story":
            return {"action": fix(""), "change": Among(("", pile.id))}
        case "healing":
            return {"action": fix(""), "whose": fix(pile.subject.id)}
        case _:
            return {"action": fix(""), "whose": Among(("", pile.id))}


def _list_dice(now: Offering, pile: stacks.Pile) -> Iterator[tuple[str, Fields]]:
    match pile.kind:
        case "action":
            action = now.draft.get_action(pile.id, closed=True)
            for place, part in enumerate(action.parts):
                if part.stage == "declared" and action.stage == "open":
                    yield "roll", {"part": fix(place)}
        case "hit":
            yield "damage", {}
            yield "resisting", {}
        case "initiative":
            yield "initiative", {}
        case "healing":
            yield "healing", {}


def _find_trumpable(now: Offering, on: str, named: Fields, *, bare: bool) -> Iterator[Found]:
    named_values: dict[str, Any] = {
        name: domain.values[-1] for name, domain in named.items() if isinstance(domain, Among)
    }
    try:
        target = find_target(now.draft, Spot(**named_values), on)
    except Refused:
        return
    yield Found(target, named, bare)


def _take_last(named: Fields) -> Fields:
    """Return the fields, each with only its last value."""
    return {name: fix(domain.values[-1]) for name, domain in named.items() if isinstance(domain, Among)}


def list_values_named(trumpable: Found) -> dict[str, object]:
    return {name: domain.values[-1] for name, domain in trumpable.named.items() if isinstance(domain, Among)}
