"""Infernal Resolve: what hits it, what it buys, how it comes back. Heading: Sorcery Expertise and spiritual damage."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.damage import collapse, die, impose_maximum, stand_up, terminal
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts_of_strife import (
    ActionPointMaximumLifted,
    ActionPointsGained,
    InfernalResolveRefreshed,
    InfernalResolveSpent,
    ResolveDamaged,
)
from ledger.rules.mongrel.guards import (
    check_alive,
    check_at_leisure,
    check_nobody_decides,
    check_stands,
    conflict_of,
)
from ledger.rules.mongrel.inputs import RefreshResolve, RefreshResolveByVow, SpendResolve
from ledger.rules.mongrel.state import Character
from ledger.rules.mongrel.tables import HOUR, QUIET
from ledger.rules.mongrel.tasks import check_natural
from ledger.rules.mongrel.terms import ResolveUse, TerminalCause, is_whole

SPIRITUAL = "mongrel.resolve.spiritual"
ZERO = "mongrel.resolve.zero"
FOR_AP = "mongrel.resolve.for-ap"
BY_QUIET = "mongrel.resolve.refresh-quiet"
BY_VOW = "mongrel.resolve.refresh-vow"


def spiritual_hit(draft: Draft, id: str, effect: int) -> None:
    """`mongrel.resolve.spiritual`: the Effect comes off Infernal Resolve; no armour, weapon, shunt or table."""
    who = draft.who(id)
    lost = max(0, min(effect, draft.resolve(id)))
    taken = accounts.move(accounts.resolve(id), accounts.HELL, lost)
    draft.about(id, ResolveDamaged(id, effect, lost), taken)
    draft.by(SPIRITUAL, draft.resolve(id), effect=effect)
    if effect < 1:
        return
    cause = _terminal_cause(draft, who)
    if cause is not None:
        draft.by("mongrel.resolve.collapsed-hit", cause)
        terminal(draft, id, cause)
    else:
        check_zero(draft, id, own=False)


def _terminal_cause(draft: Draft, who: Character) -> TerminalCause | None:
    """`mongrel.resolve.collapsed-hit`: by default only physical hits are terminal for the collapsed."""
    if draft.dials.collapsed_hit_kinds != "any":
        return None
    return "collapsed" if who.collapsed else "stage" if who.terminal else None


def check_zero(draft: Draft, id: str, *, own: bool) -> None:
    """`mongrel.resolve.zero`: at 0 a character collapses, or in the terminal stage dies. `own`: by its own spending."""
    who = draft.who(id)
    if draft.resolve(id) > 0 or who.dead:
        return
    if who.terminal:
        draft.by("mongrel.damage.terminal-stage", "dead", resolve=0)
        die(draft, id, "resolve")
    elif own and draft.dials.zero_resolve_collapse == "spiritual_only":
        draft.by(ZERO, "nothing", cause="own spending")
    else:
        collapse(draft, id, "resolve")
        impose_maximum(draft, id)
        draft.by(ZERO, "collapsed", maximum=1)


def spend(draft: Draft, id: str, amount: int, purpose: ResolveUse) -> None:
    spent = accounts.move(accounts.resolve(id), accounts.HELL, amount)
    draft.about(id, InfernalResolveSpent(id, amount, purpose), spent)


def spend_for_ap(draft: Draft, do: SpendResolve) -> None:
    """One for one, at any time, and no action. The last point buys nothing, for then one collapses."""
    id = do.character
    strife = conflict_of(draft, id)
    if strife is not None:
        check_nobody_decides(draft, strife)
    check_alive(draft, id)
    if not is_whole(do.amount) or do.amount < 1:
        raise Refused(FOR_AP, "bad-amount", amount=repr(do.amount))
    if do.amount > draft.resolve(id):
        raise Refused(FOR_AP, "no-resolve", character=id, amount=do.amount, resolve=draft.resolve(id))
    over = draft.ap(id) + do.amount > draft.maximum(id)
    if over and not draft.dials.resolve_ap_may_exceed_max:
        raise Refused(FOR_AP, "ap-over-max", character=id, amount=do.amount, ap=draft.ap(id), maximum=draft.maximum(id))
    draft.plays(id)
    spend(draft, id, do.amount, "action points")
    gained = accounts.move(accounts.AP, accounts.ap(id), do.amount)
    draft.about(id, ActionPointsGained(id, do.amount), gained)
    draft.by(FOR_AP, draft.ap(id), spent=do.amount)
    if draft.dials.resolve_ap_ends_collapse:
        stand_up(draft, id)
    check_zero(draft, id, own=True)


# --- refreshing ------------------------------------------------------------------------------------------------------


def refresh_quietly(draft: Draft, do: RefreshResolve) -> None:
    """An hour of meditation, simple tasks or calm company.

    Refuses `in-conflict`, `not-quiet`, `collapsed` for tasks, `less-than-an-hour`, `time-ahead`.
    """
    check_alive(draft, do.character)
    check_at_leisure(draft, do.character)
    if do.activity not in QUIET:
        raise Refused(BY_QUIET, "not-quiet", activity=do.activity, quiet=list(QUIET))
    if do.activity == "simple-tasks":
        check_stands(draft, do.character)
    (minutes,) = check_natural(BY_QUIET, "bad-number", minutes=do.minutes)
    if minutes < HOUR:
        raise Refused(BY_QUIET, "less-than-an-hour", minutes=minutes)
    begun = draft.begun(do.since)
    _refresh(draft, do.character, do.activity)
    draft.by(BY_QUIET, draft.resolve(do.character), minutes=minutes)
    draft.pass_time(minutes, do.activity, begun)
    draft.plays(do.character)


def refresh_by_vow(draft: Draft, do: RefreshResolveByVow) -> None:
    """Events stand directly against a Vow. Refuses `no-vow`."""
    kept = [vow.object for vow in check_alive(draft, do.character).vows if vow.ended is None]
    if not kept or (do.vow is not None and do.vow not in kept):
        raise Refused(BY_VOW, "no-vow", character=do.character, vow=do.vow)
    _refresh(draft, do.character, do.circumstances)
    draft.by(BY_VOW, draft.resolve(do.character), vow=do.vow)


def _refresh(draft: Draft, id: str, reason: str) -> None:
    amount = max(0, draft.who(id).attributes.get("spirit", 0) - draft.resolve(id))
    given_back = accounts.move(accounts.HELL, accounts.resolve(id), amount)
    draft.about(id, InfernalResolveRefreshed(id, amount, reason), given_back)
    if draft.who(id).ap_imposed:
        draft.about(id, ActionPointMaximumLifted(id))
