"""Combat Advantage: only in Melee. Causes are recorded, not computed. 3.13."""

from __future__ import annotations

from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.facts_of_fights import AdvantageChecked, AdvantageErased, AdvantageHeld, AdvantageSeized
from ledger.rules.scattershot.foes import turn_to
from ledger.rules.scattershot.ground import Ruling, no
from ledger.rules.scattershot.inputs_of_fights import (
    ChangeFoe,
    CheckAdvantage,
    EraseAdvantage,
    HoldAdvantage,
    SeizeAdvantage,
)
from ledger.rules.scattershot.melee import standing_of
from ledger.rules.scattershot.state import Fight


def _in_melee(ruling: Ruling, rule: str, holder: str, foe: str) -> str:
    """The account of the pair. Refuses `not-in-melee`, `not-in-this-scene`, `advantage-against-self`."""
    fight = ruling.fight(holder)
    if not any(one.melee for one in ruling.fights().values()) or (fight is not None and not fight.melee):
        raise no(rule, "not-in-melee")
    for id in (holder, foe):
        ruling.who(id)
        standing_of(ruling, id, rule)
    if fight is None or foe not in fight.standing:
        raise no(rule, "not-in-this-scene", character=foe)
    if holder == foe:
        raise no(rule, "advantage-against-self", holder=holder)
    return accounts.advantage(ruling.place().id, holder, foe)


def room_for(ruling: Ruling, holder: str, foe: str) -> int:
    """`advantage.cap`: how many more there may be, of the pair or in the scene."""
    fight, place = ruling.fight(holder), ruling.place().id
    if fight is None:
        return 0
    if ruling.dials.advantage_cap == "per-pair":
        held = ruling.balance(accounts.advantage(place, holder, foe))
    else:
        held = sum(ruling.balance(accounts.advantage(place, a, b)) for a, b in _pairs(fight))
    return max(0, ruling.dials.epic_index - held)


def _check_says(ruling: Ruling, rule: str, *ids: str) -> None:
    """Refuses `not-proprietor` to who plays none of these, and is no Gamemaster."""
    by = ruling.table.by
    if by.role != "gm" and by.seat not in [ruling.owner(id) for id in ids]:
        raise no(rule, "not-proprietor", characters=list(ids))


def _pairs(fight: Fight) -> list[tuple[str, str]]:
    return [(a, b) for a in fight.standing for b in fight.standing if a != b]


def seize(ruling: Ruling, do: SeizeAdvantage) -> None:
    """`advantage.seize`: from none to 1; by who takes it, or by the foe, who Yields."""
    rule = "advantage.seize"
    account = _in_melee(ruling, rule, do.holder, do.foe)
    _check_says(ruling, rule, do.holder, do.foe)
    if ruling.balance(account) > 0:
        raise no(rule, "advantage-already-held", holder=do.holder, foe=do.foe)
    other = accounts.advantage(ruling.place().id, do.foe, do.holder)
    if ruling.dials.seize_requires == "none-either-way" and ruling.balance(other) > 0:
        raise no(rule, "advantage-held-by-foe", holder=do.holder, foe=do.foe)
    _check_room(ruling, do.holder, do.foe)
    ruling.here(AdvantageSeized(do.holder, do.foe, do.cause), accounts.gained(account, 1))
    ruling.by(rule, 1, cause=do.cause)


def hold(ruling: Ruling, do: HoldAdvantage) -> None:
    """`advantage.hold`: 1 more, where there is one."""
    rule = "advantage.hold"
    account = _in_melee(ruling, rule, do.holder, do.foe)
    _check_says(ruling, rule, do.holder)
    if ruling.balance(account) < 1:
        raise no(rule, "no-advantage-held", holder=do.holder, foe=do.foe)
    _check_room(ruling, do.holder, do.foe)
    ruling.here(AdvantageHeld(do.holder, do.foe, do.cause), accounts.gained(account, 1))
    ruling.by(rule, ruling.balance(account), cause=do.cause)


def _check_room(ruling: Ruling, holder: str, foe: str) -> None:
    if room_for(ruling, holder, foe) < 1:
        raise no("advantage.cap", "advantage-cap", holder=holder, foe=foe)


def check(ruling: Ruling, do: CheckAdvantage) -> None:
    """`advantage.check`: the Subject removes 1."""
    rule = "advantage.check"
    account = _in_melee(ruling, rule, do.holder, do.foe)
    _check_says(ruling, rule, do.foe)
    if ruling.balance(account) < 1:
        raise no(rule, "no-advantage-held", holder=do.holder, foe=do.foe)
    ruling.here(AdvantageChecked(do.holder, do.foe, do.cause), accounts.lost(account, 1))
    ruling.by(rule, ruling.balance(account), cause=do.cause)


def erase(ruling: Ruling, do: EraseAdvantage) -> None:
    """`advantage.erase`: an Upset or a Trick takes all that holder has on the Subject."""
    rule = "advantage.erase"
    account = _in_melee(ruling, rule, do.holder, do.foe)
    _check_says(ruling, rule, do.foe)
    held = ruling.balance(account)
    if held < 1:
        raise no(rule, "no-advantage-held", holder=do.holder, foe=do.foe)
    ruling.here(AdvantageErased(do.holder, do.foe, held, do.cause), accounts.lost(account, held))
    ruling.by(rule, held, cause=do.cause)


def change_foe(ruling: Ruling, do: ChangeFoe) -> None:
    """`advantage.switch`: by word alone; what is held against one stays."""
    rule = "advantage.switch"
    ruling.must_play(do.character, rule)
    _in_melee(ruling, rule, do.character, do.foe)
    turn_to(ruling, do.character, do.foe)
