"""The targets of trumps: plays and dice (heading "Trump")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.kit import Among, Refused, character
from ledger.rules.moc import recovery, resisting, stacks
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.piles import ROLLS, find_top_play
from ledger.rules.moc.shown import Fields, Offering, fix
from ledger.rules.moc.state import Play
from ledger.rules.moc.words import SETTLED, UNKNOWN_PLAY, Sent


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a trump: a play, or the dice themselves (`play` is None). `on`: the play's id, or the roll's name.

    `element`: the Element for which cards are suited. `whose`: the character who rolled or played.
    """

    pile: stacks.Pile
    play: Play | None
    on: str
    index: int
    element: str
    whose: str


@dataclass(frozen=True, slots=True)
class Spot:
    """The declared place of a trump's target: an action or its part, a hit, a change of the story, or a character's
    initiative or healing.
    """

    action: str = ""
    part: Sent = 0
    hit: str = ""
    change: str = ""
    whose: str = ""


def read_target(draft: Draft, spot: Spot, target_id: str) -> Target:
    """Return the target of a trump. Refuses `unknown-play`, and the codes with which its pile refuses a trump that
    comes too late.
    """
    if target_id in ROLLS:
        return _read_roll_target(draft, spot, target_id)
    for pile in _list_piles_named(draft, spot):
        plays = pile.list_plays(draft)
        play = next((play for play in plays if play.id == target_id), None)
        if play is not None and not play.fiat and play.kind != "fiat":
            element = _read_open_element(
                draft, pile, play.use if play.use != "trump" else _find_bottom_use(plays, play), play.part
            )
            return Target(pile, play, target_id, play.part, element or _find_element_below(plays, play), play.by)
    raise UNKNOWN_PLAY.under(stacks.TRUMP_ORDER, play=target_id)


def _list_piles_named(draft: Draft, spot: Spot) -> list[stacks.Pile]:
    """Return the piles that the declaration names, or all piles if it names none."""
    piles: list[stacks.Pile] = []
    if spot.action:
        piles.append(stacks.find_action_pile(draft, draft.get_action(spot.action)))
    if spot.hit:
        draft.get_hit(spot.hit, "scored", "rolled", "applied")
        piles.append(stacks.Pile(draft.get_place(), "hit", spot.hit))
    if spot.change:
        piles.append(stacks.find_story_pile(draft, spot.change))
    if spot.whose:
        if draft.table.scene is not None:
            piles += [
                stacks.find_initiative_pile(draft, spot.whose),
                stacks.find_initiative_pile(draft, spot.whose, is_coming=True),
            ]
        if not _has_only_plays(draft, spot.whose) and draft.get_character(spot.whose).healing is not None:
            piles.append(stacks.find_healing_pile(draft, spot.whose))
    return piles or list(stacks.list_piles(draft))


def _has_only_plays(draft: Draft, char_id: str) -> bool:
    """Return whether the character's enrolment was overturned but plays on initiative remain."""
    if draft.table.has(character(char_id)) or draft.table.scene is None:
        return False
    initiative = draft.get_scene().initiative
    return char_id in {*initiative.plays, *initiative.waiting, *initiative.faces}


def _read_roll_target(draft: Draft, spot: Spot, roll_name: str) -> Target:
    match roll_name:
        case "damage" | "resisting":
            hit = draft.get_hit(spot.hit, "rolled" if roll_name == "damage" else "applied")
            pile = stacks.Pile(draft.get_place(), "hit", hit.id)
            element = _read_open_element(draft, pile, roll_name, 0)
            return Target(
                pile, None, roll_name, 0, element or "action", hit.attacker if roll_name == "damage" else hit.target
            )
        case "initiative":
            if spot.whose not in draft.get_scene().initiative.faces:
                raise UNKNOWN_PLAY.under(stacks.TRUMP_ORDER, play=roll_name, whose=spot.whose)
            return Target(stacks.find_initiative_pile(draft, spot.whose), None, roll_name, 0, "action", spot.whose)
        case "healing":
            pile = stacks.find_healing_pile(draft, spot.whose)
            _read_open_element(draft, pile, roll_name, 0)
            return Target(pile, None, roll_name, 0, "action", spot.whose)
        case _:
            action = draft.get_action(spot.action)
            part_index, part = draft.locate_part(action, spot.part)
            return Target(
                stacks.find_action_pile(draft, action), None, roll_name, part_index, part.roll.element, action.character
            )


def _read_open_element(draft: Draft, pile: stacks.Pile, use: str, part_index: int) -> str:
    """Return the Element of the action, hit or other thing that the pile is on, or "" if it has none. Refuses a pile
    that can no longer be trumped.
    """
    match pile.kind:
        case "action":
            return draft.locate_part(draft.get_action(pile.id), part_index)[1].roll.element
        case "hit":
            hit = draft.get_hit(pile.id, *(("scored", "rolled") if use == "damage" else ("applied",)))
            harm = draft.get_character(hit.target).harm if draft.table.has(character(hit.target)) else None
            if use != "damage" and (harm is None or harm.hit != hit.id):
                raise SETTLED.under(resisting.RESIST, hit=hit.id)
            return hit.element
        case "healing":
            recovery.read_unsettled_healing(draft, pile.subject.id)
            return ""
        case "story":
            if draft.get_story_part(pile.id).vetoed:
                raise UNKNOWN_PLAY.under(stacks.TRUMP_ORDER, change=pile.id)
            return ""
        case _:
            return ""


def _find_bottom_use(plays: tuple[Play, ...], play: Play) -> str:
    """Return the bottom of a trump's stack: the use of the play there, or the name of the roll."""
    while play.use == "trump":
        play_below = next((other_play for other_play in plays if other_play.id == play.on), None)
        if play_below is None:
            return play.on
        play = play_below
    return play.use


def _find_element_below(plays: tuple[Play, ...], play: Play) -> str:
    """Return the Element named for the play at the bottom of the stack, for dice and stories without an Element of
    their own.
    """
    while play.use == "trump":
        play_below = next((other_play for other_play in plays if other_play.id == play.on), None)
        if play_below is None:
            break
        play = play_below
    return play.element or "action"


@dataclass(frozen=True, slots=True)
class Trumpable:
    """A target that can be trumped. `fields`: the fields that name its place. `is_bare`: whether the target is the dice
    themselves.
    """

    target: Target
    fields: Fields
    is_bare: bool

    def find_below(self, offering: Offering) -> Play | None:
        return find_top_play(self.target.pile.list_plays(offering.draft), self.target.on, self.target.index)


def list_trumpable(offering: Offering) -> Iterator[Trumpable]:
    """Yield every target that can still be trumped."""
    piles = list(stacks.list_piles(offering.draft))
    if offering.scene is not None:
        initiative = offering.scene.initiative
        piles += [
            stacks.find_initiative_pile(offering.draft, char_id)
            for char_id in initiative.faces
            if char_id not in initiative.plays
        ]
    piles += [
        stacks.find_healing_pile(offering.draft, char_id)
        for char_id in offering.roster
        if offering.get_character(char_id).healing is not None
    ]
    for pile in piles:
        pile_fields = _make_pile_fields(pile)
        for play in pile.list_plays(offering.draft):
            yield from _list_targets(offering, play.id, pile_fields, is_bare=False)
        for roll_name, roll_fields in _list_rolls(offering, pile):
            yield from _list_targets(
                offering, roll_name, {**_fix_last_values(pile_fields), **roll_fields}, is_bare=True
            )


def _make_pile_fields(pile: stacks.Pile) -> Fields:
    """Return the fields that name a pile. Only the field that names a healing roll cannot be left out."""
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


def _list_rolls(offering: Offering, pile: stacks.Pile) -> Iterator[tuple[str, Fields]]:
    match pile.kind:
        case "action":
            action = offering.draft.get_action(pile.id, may_be_closed=True)
            for part_index, part in enumerate(action.parts):
                if part.stage == "declared" and action.stage == "open":
                    yield "roll", {"part": fix(part_index)}
        case "hit":
            yield "damage", {}
            yield "resisting", {}
        case "initiative":
            yield "initiative", {}
        case "healing":
            yield "healing", {}


def _list_targets(offering: Offering, target_id: str, fields: Fields, *, is_bare: bool) -> Iterator[Trumpable]:
    named_values: dict[str, Any] = {
        name: domain.values[-1] for name, domain in fields.items() if isinstance(domain, Among)
    }
    try:
        target = read_target(offering.draft, Spot(**named_values), target_id)
    except Refused:
        return
    yield Trumpable(target, fields, is_bare)


def _fix_last_values(fields: Fields) -> Fields:
    """Return the fields, each with only the last of its values."""
    return {name: fix(domain.values[-1]) for name, domain in fields.items() if isinstance(domain, Among)}


def read_last_values(trumpable: Trumpable) -> dict[str, object]:
    return {name: domain.values[-1] for name, domain in trumpable.fields.items() if isinstance(domain, Among)}
