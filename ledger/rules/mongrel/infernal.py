"""Infernal Resolve: what hits it, what it buys, how it comes back. Heading: Sorcery Expertise and spiritual damage."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.damage import collapse, die, impose_maximum, stand_up, terminal
from ledger.rules.mongrel.ground import Ruling, check_alive, check_at_leisure, check_nobody_decides, conflict_of
from ledger.rules.mongrel.inputs import RefreshResolve, RefreshResolveByVow, SpendResolve
from ledger.rules.mongrel.state import Character
from ledger.rules.mongrel.strife import (
    ActionPointMaximumLifted,
    ActionPointsGained,
    InfernalResolveRefreshed,
    InfernalResolveSpent,
    ResolveDamaged,
)
from ledger.rules.mongrel.tables import HOUR, QUIET
from ledger.rules.mongrel.tasks import check_natural
from ledger.rules.mongrel.terms import ResolveUse, TerminalCause, is_whole

SPIRITUAL = "mongrel.resolve.spiritual"
ZERO = "mongrel.resolve.zero"
FOR_AP = "mongrel.resolve.for-ap"
BY_QUIET = "mongrel.resolve.refresh-quiet"
BY_VOW = "mongrel.resolve.refresh-vow"


def spiritual_hit(ruling: Ruling, id: str, effect: int) -> None:
    """`mongrel.resolve.spiritual`: the Effect comes off Infernal Resolve; no armour, weapon, shunt or table."""
    who = ruling.who(id)
    lost = max(0, min(effect, ruling.resolve(id)))
    taken = accounts.move(accounts.resolve(id), accounts.HELL, lost)
    ruling.about(id, ResolveDamaged(id, effect, lost), taken)
    ruling.by(SPIRITUAL, ruling.resolve(id), effect=effect)
    if effect < 1:
        return
    cause = _terminal_cause(ruling, who)
    if cause is not None:
        ruling.by("mongrel.resolve.collapsed-hit", cause)
        terminal(ruling, id, cause)
    else:
        check_zero(ruling, id, own=False)


def _terminal_cause(ruling: Ruling, who: Character) -> TerminalCause | None:
    """`mongrel.resolve.collapsed-hit`: by default only physical hits are terminal for the collapsed."""
    if ruling.dials.collapsed_hit_kinds != "any":
        return None
    return "collapsed" if who.collapsed else "stage" if who.terminal else None


def check_zero(ruling: Ruling, id: str, *, own: bool) -> None:
    """`mongrel.resolve.zero`: at 0 a character collapses, or in the terminal stage dies. `own`: by its own spending."""
    who = ruling.who(id)
    if ruling.resolve(id) > 0 or who.dead:
        return
    if who.terminal:
        ruling.by("mongrel.damage.terminal-stage", "dead", resolve=0)
        die(ruling, id, "resolve")
    elif own and ruling.dials.zero_resolve_collapse == "spiritual_only":
        ruling.by(ZERO, "nothing", cause="own spending")
    else:
        collapse(ruling, id, "resolve")
        impose_maximum(ruling, id)
        ruling.by(ZERO, "collapsed", maximum=1)


def spend(ruling: Ruling, id: str, amount: int, purpose: ResolveUse) -> None:
    spent = accounts.move(accounts.resolve(id), accounts.HELL, amount)
    ruling.about(id, InfernalResolveSpent(id, amount, purpose), spent)


def spend_for_ap(ruling: Ruling, do: SpendResolve) -> None:
    """One for one, at any time, and no action. The last point buys nothing, for then one collapses."""
    id = do.character
    place = conflict_of(ruling, id)
    if place is not None:
        check_nobody_decides(ruling, place)
    check_alive(ruling, id)
    if not is_whole(do.amount) or do.amount < 1:
        raise Refused(FOR_AP, "bad-amount", amount=repr(do.amount))
    if do.amount > ruling.resolve(id):
        raise Refused(FOR_AP, "no-resolve", amount=do.amount, resolve=ruling.resolve(id))
    over = ruling.ap(id) + do.amount > ruling.maximum(id)
    if over and not ruling.dials.resolve_ap_may_exceed_max:
        raise Refused(FOR_AP, "ap-over-max", amount=do.amount, ap=ruling.ap(id), maximum=ruling.maximum(id))
    ruling.plays(id)
    spend(ruling, id, do.amount, "action points")
    gained = accounts.move(accounts.AP, accounts.ap(id), do.amount)
    ruling.about(id, ActionPointsGained(id, do.amount), gained)
    ruling.by(FOR_AP, ruling.ap(id), spent=do.amount)
    if ruling.dials.resolve_ap_ends_collapse:
        stand_up(ruling, id)
    check_zero(ruling, id, own=True)


# --- refreshing ------------------------------------------------------------------------------------------------------


def refresh_quietly(ruling: Ruling, do: RefreshResolve) -> None:
    """An hour of meditation, simple tasks or calm company. Refuses `in-conflict`, `not-quiet`, `less-than-an-hour`."""
    check_alive(ruling, do.character)
    check_at_leisure(ruling, do.character)
    if do.activity not in QUIET:
        raise Refused(BY_QUIET, "not-quiet", activity=do.activity, quiet=list(QUIET))
    check_natural(BY_QUIET, "bad-number", minutes=do.minutes)
    if do.minutes < HOUR:
        raise Refused(BY_QUIET, "less-than-an-hour", minutes=do.minutes)
    _refresh(ruling, do.character, do.activity, BY_QUIET, minutes=do.minutes)
    ruling.plays(do.character)


def refresh_by_vow(ruling: Ruling, do: RefreshResolveByVow) -> None:
    """Events stand directly against a Vow. Refuses `no-vow`."""
    kept = [vow.object for vow in check_alive(ruling, do.character).vows if vow.ended is None]
    if not kept or (do.vow is not None and do.vow not in kept):
        raise Refused(BY_VOW, "no-vow", character=do.character, vow=do.vow)
    _refresh(ruling, do.character, do.circumstances, BY_VOW, vow=do.vow)


def _refresh(ruling: Ruling, id: str, reason: str, rule: str, **given: Any) -> None:
    amount = max(0, ruling.who(id).attributes.get("spirit", 0) - ruling.resolve(id))
    given_back = accounts.move(accounts.HELL, accounts.resolve(id), amount)
    ruling.about(id, InfernalResolveRefreshed(id, amount, reason), given_back)
    ruling.by(rule, ruling.resolve(id), **given)
    if ruling.who(id).ap_imposed:
        ruling.about(id, ActionPointMaximumLifted(id))
