"""Combat Advantage: only in Melee. Causes are recorded; the act they name is declared, or ruled. 3.13."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.acts import check_act, is_between, ruled
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_fights import AdvantageChecked, AdvantageErased, AdvantageHeld, AdvantageSeized
from ledger.rules.scattershot.foes import turn_to
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.inputs_of_fights import (
    ChangeFoe,
    CheckAdvantage,
    EraseAdvantage,
    HoldAdvantage,
    SeizeAdvantage,
)
from ledger.rules.scattershot.melee import standing_of
from ledger.rules.scattershot.state import Fight


def _in_melee(draft: Draft, rule: str, holder: str, foe: str) -> str:
    """The account of the pair. Refuses `not-in-melee`, `not-in-this-scene`, `advantage-against-self`."""
    fight = draft.fight(holder)
    if not any(one.melee for one in draft.fights().values()) or (fight is not None and not fight.melee):
        raise no(rule, "not-in-melee")
    for id in (holder, foe):
        draft.who(id)
        standing_of(draft, id, rule)
    if fight is None or foe not in fight.standing:
        raise no(rule, "not-in-this-scene", character=foe)
    if holder == foe:
        raise no(rule, "advantage-against-self", holder=holder)
    return accounts.advantage(draft.place().id, holder, foe)


def room_for(draft: Draft, holder: str, foe: str) -> int:
    """`advantage.cap`: how many more there may be, of the pair or in the scene."""
    fight, place = draft.fight(holder), draft.place().id
    if fight is None:
        return 0
    if draft.dials.advantage_cap == "per-pair":
        held = draft.balance(accounts.advantage(place, holder, foe))
    else:
        held = sum(draft.balance(accounts.advantage(place, a, b)) for a, b in _pairs(fight))
    return max(0, draft.dials.epic_index - held)


def _check_says(draft: Draft, rule: str, *ids: str) -> None:
    """Refuses `not-proprietor` to who plays none of these, and is no Gamemaster."""
    by = draft.table.by
    if by.role != "gm" and by.seat not in [draft.owner(id) for id in ids]:
        raise no(rule, "not-proprietor", characters=list(ids))


def _check_act(draft: Draft, rule: str, do: SeizeAdvantage | HoldAdvantage | CheckAdvantage | EraseAdvantage) -> None:
    check_act(draft, rule, do.act, lambda resolution: is_between(resolution, do.holder, do.foe))


def _pairs(fight: Fight) -> list[tuple[str, str]]:
    return [(a, b) for a in fight.standing for b in fight.standing if a != b]


def seize(draft: Draft, do: SeizeAdvantage) -> Asking[None]:
    """`advantage.seize`: from none to 1; by who takes it, or by the foe, who Yields."""
    rule = "advantage.seize"
    account = _in_melee(draft, rule, do.holder, do.foe)
    _check_says(draft, rule, do.holder, do.foe)
    _check_act(draft, rule, do)
    if draft.balance(account) > 0:
        raise no(rule, "advantage-already-held", holder=do.holder, foe=do.foe)
    other = accounts.advantage(draft.place().id, do.foe, do.holder)
    if draft.dials.seize_requires == "none-either-way" and draft.balance(other) > 0:
        raise no(rule, "advantage-held-by-foe", holder=do.holder, foe=do.foe)
    _check_room(draft, do.holder, do.foe)
    draft.here(AdvantageSeized(do.holder, do.foe, do.cause), accounts.gained(account, 1))
    draft.by(rule, 1, cause=do.cause)
    yields = draft.table.by.seat == draft.owner(do.foe) != draft.owner(do.holder)
    if not yields:
        yield from ruled(draft, rule, do.holder, do.act, do.cause)


def hold(draft: Draft, do: HoldAdvantage) -> Asking[None]:
    """`advantage.hold`: 1 more, where there is one."""
    rule = "advantage.hold"
    account = _in_melee(draft, rule, do.holder, do.foe)
    _check_says(draft, rule, do.holder)
    _check_act(draft, rule, do)
    if draft.balance(account) < 1:
        raise no(rule, "no-advantage-held", holder=do.holder, foe=do.foe)
    _check_room(draft, do.holder, do.foe)
    draft.here(AdvantageHeld(do.holder, do.foe, do.cause), accounts.gained(account, 1))
    draft.by(rule, draft.balance(account), cause=do.cause)
    yield from ruled(draft, rule, do.holder, do.act, do.cause)


def _check_room(draft: Draft, holder: str, foe: str) -> None:
    if room_for(draft, holder, foe) < 1:
        raise no("advantage.cap", "advantage-cap", holder=holder, foe=foe)


def check(draft: Draft, do: CheckAdvantage) -> Asking[None]:
    """`advantage.check`: the Subject removes 1."""
    rule = "advantage.check"
    account = _in_melee(draft, rule, do.holder, do.foe)
    _check_says(draft, rule, do.foe)
    _check_act(draft, rule, do)
    if draft.balance(account) < 1:
        raise no(rule, "no-advantage-held", holder=do.holder, foe=do.foe)
    draft.here(AdvantageChecked(do.holder, do.foe, do.cause), accounts.lost(account, 1))
    draft.by(rule, draft.balance(account), cause=do.cause)
    yield from ruled(draft, rule, do.foe, do.act, do.cause)


def erase(draft: Draft, do: EraseAdvantage) -> Asking[None]:
    """`advantage.erase`: an Upset or a Trick takes all that holder has on the Subject."""
    rule = "advantage.erase"
    account = _in_melee(draft, rule, do.holder, do.foe)
    _check_says(draft, rule, do.foe)
    _check_act(draft, rule, do)
    held = draft.balance(account)
    if held < 1:
        raise no(rule, "no-advantage-held", holder=do.holder, foe=do.foe)
    draft.here(AdvantageErased(do.holder, do.foe, held, do.cause), accounts.lost(account, held))
    draft.by(rule, held, cause=do.cause)
    yield from ruled(draft, rule, do.foe, do.act, do.cause)


def change_foe(draft: Draft, do: ChangeFoe) -> None:
    """`advantage.switch`: by word alone; what is held against one stays."""
    rule = "advantage.switch"
    draft.must_play(do.character, rule)
    _in_melee(draft, rule, do.character, do.foe)
    turn_to(draft, do.character, do.foe)
