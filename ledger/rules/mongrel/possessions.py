"""What characters have: it is bought, found or given, used by its name, and parted with.

Headings: Character wealth and social status; Physical damage. The source names no possession; these fill the gap.
"""

from __future__ import annotations

from typing import Literal

from ledger.rules.kernel.refusals import Refused, must_say
from ledger.rules.mongrel.damage import check_weapon
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts_of_dealings import ItemAcquired, ItemPartedWith
from ledger.rules.mongrel.guards import check_alive, check_stands
from ledger.rules.mongrel.inputs_of_dealings import GainItem, MoveItem, PartWithItem
from ledger.rules.mongrel.state import Possession
from ledger.rules.mongrel.terms import Number

HAD = "mongrel.item.had"
USE = "mongrel.item.use"


def possession_of(draft: Draft, id: str, possession: str, rule: str = HAD) -> Possession:
    """Refuses `possession-unknown`."""
    had = draft.who(id).possessions
    if possession not in had:
        raise Refused(rule, "possession-unknown", possession=possession, character=id, has=list(had))
    return had[possession]


def value_of(draft: Draft, id: str, named: str | None, use: Literal["weapon", "armour"], number: int) -> int:
    """`mongrel.item.use`: of the possession named, else the number.

    Refuses `possession-unknown`, `number-and-possession`, `no-weapon` or `no-armour`.
    """
    if named is None:
        return number
    had = possession_of(draft, id, named, USE)
    if number != 0:
        raise Refused(USE, "number-and-possession", number=number, possession=named)
    value = had.weapon if use == "weapon" else had.armour
    if value is None:
        raise Refused(USE, f"no-{use}", possession=named, item=had.item)
    draft.by(USE, value, item=had.item, use=use)
    return value


def check_values(draft: Draft, weapon: Number, armour: Number) -> tuple[int | None, int | None]:
    """Of something acquired: None where it is no such thing. Refuses `bad-score`, `weapon-cap`."""
    adds, stops = check_weapon(draft, 0 if weapon is None else weapon, 0 if armour is None else armour)
    return None if weapon is None else adds, None if armour is None else stops


def gain_item(draft: Draft, do: GainItem) -> None:
    """By ruling. Refuses `item-blank`, `bad-score`, `weapon-cap`."""
    check_alive(draft, do.character)
    must_say(HAD, item=do.item)
    weapon, armour = check_values(draft, do.weapon, do.armour)
    gained = ItemAcquired(
        do.character, draft.table.new_id(), do.item, 0, None, weapon, armour, do.reason
    )  # fmt: skip
    draft.about(do.character, gained)
    draft.by(HAD, do.item, character=do.character, reason=do.reason)


def part_with_item(draft: Draft, do: PartWithItem) -> None:
    """Lost, or given to `to`. The dead and the collapsed part with nothing.

    Refuses `dead`, `collapsed`, `possession-unknown`; `bad-target` for giving to oneself.
    """
    check_alive(draft, do.character)
    check_stands(draft, do.character)
    _move(draft, do)


def move_item(draft: Draft, do: MoveItem) -> None:
    """By ruling, of the dead too. Refuses `possession-unknown`, `bad-target`, `reason-blank`."""
    draft.who(do.character)
    must_say(HAD, reason=do.reason)
    _move(draft, do)


def _move(draft: Draft, do: PartWithItem | MoveItem) -> None:
    item = possession_of(draft, do.character, do.possession)
    if do.to is not None:
        if do.to == do.character:
            raise Refused(HAD, "bad-target", to=do.to)
        check_alive(draft, do.to)
    part(draft, do.character, do.possession, do.to, do.reason)
    if do.to is not None:
        given = ItemAcquired(
            do.to, draft.table.new_id(), item.item, 0, None, item.weapon, item.armour, do.reason
        )  # fmt: skip
        draft.about(do.to, given)
    draft.by(HAD, item.item, was=do.character, character=do.to, reason=do.reason)


def part(draft: Draft, id: str, possession: str, to: str | None, reason: str) -> None:
    item = possession_of(draft, id, possession)
    draft.about(id, ItemPartedWith(id, possession, item.item, to, reason))
