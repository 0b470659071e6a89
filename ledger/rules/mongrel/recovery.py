"""Getting Action Points back, and getting tired of it. Headings: Complex task resolution, 5 and 6; Fatigue."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused, must_say
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.conflict import end_turn
from ledger.rules.mongrel.damage import stand_up
from ledger.rules.mongrel.draft import CLOCK, Draft
from ledger.rules.mongrel.facts_of_strife import (
    ActionPointsRecovered,
    CharacterExhausted,
    FatigueCleared,
    Rested,
)
from ledger.rules.mongrel.guards import check_alive, check_at_leisure, conflict_of, the_turn
from ledger.rules.mongrel.inputs import Recover, Rest, SetClock
from ledger.rules.mongrel.state import physique_of
from ledger.rules.mongrel.tables import HOUR
from ledger.rules.mongrel.tasks import check_natural
from ledger.rules.mongrel.terms import is_whole

RECOVER = "mongrel.ap.recover"
OVER_MAX = "mongrel.ap.over-max"
LIMIT = "mongrel.fatigue.limit"
REST = "mongrel.fatigue.rest"


def recover(draft: Draft, do: Recover) -> None:
    """An action that leaves no room for another: 1 from nothing, else up to the maximum. The collapsed stand up."""
    id = do.character
    draft.who(id)
    strife = conflict_of(draft, id)
    if strife is not None:
        strife = the_turn(draft, id, RECOVER)
    who = check_alive(draft, id)
    (minute,) = check_natural(RECOVER, "bad-number", minute=do.minute)
    if minute < draft.clock():
        raise Refused(CLOCK, "time-backwards", minute=minute, last=draft.clock())
    gained = gain(draft, id)
    draft.move_clock(minute, "recovering")
    refresh = draft.ap(id) > 0 and gained > 0
    counted = not who.exhausted and (refresh or draft.dials.fatigue_counts == "all_recoveries")
    done = ActionPointsRecovered(id, gained, refresh, counted, minute, "recover")
    draft.about(id, done, accounts.move(accounts.AP, accounts.ap(id), gained))
    draft.by(RECOVER, draft.ap(id), gained=gained, maximum=draft.maximum(id), refresh=refresh)
    stand_up(draft, id)
    if counted:
        _tire(draft, id, minute)
    draft.plays(id)
    if strife is not None:
        end_turn(draft, strife, id)


def is_later(draft: Draft, do: Recover) -> bool:
    """Return whether it moves the clock."""
    return is_whole(do.minute) and do.minute > draft.clock()


def set_clock(draft: Draft, do: SetClock) -> None:
    """On or back, by ruling. Refuses `bad-number`, `reason-blank`."""
    (minute,) = check_natural(CLOCK, "bad-number", minute=do.minute)
    must_say(CLOCK, reason=do.reason)
    draft.move_clock(minute, do.reason)


def gain(draft: Draft, id: str) -> int:
    """How many Action Points a recovery gives now. Refuses `ap-full`, but never keeps a collapsed character down."""
    ap, maximum, tired = draft.ap(id), draft.maximum(id), draft.who(id).exhausted
    over = draft.dials.ap_refresh == "over_max" and not draft.who(id).ap_imposed
    if (ap == maximum) if over else (ap >= maximum):
        if draft.who(id).collapsed:
            return 0
        raise Refused(OVER_MAX if over else RECOVER, "ap-full", character=id, ap=ap, maximum=maximum)
    if ap <= 0 or tired:
        return 1
    return _amount(draft, id) if over else maximum - ap


def _amount(draft: Draft, id: str) -> int:
    """`mongrel.ap.over-max`: what a refresh adds, beyond the maximum too."""
    scores = draft.who(id).attributes
    match draft.dials.ap_refresh_amount:
        case "flat":
            amount = max(0, draft.dials.ap_refresh_flat)
        case "half_speed":
            amount = (scores.get("speed", 0) + 1) // 2
        case "physique":
            amount = scores.get("physique", 0)
    draft.by(OVER_MAX, amount, by=draft.dials.ap_refresh_amount)
    return amount


def _tire(draft: Draft, id: str, minute: int) -> None:
    """`mongrel.fatigue.limit`: as many counted refreshes within the hour as Physique, and one is exhausted."""
    who = draft.who(id)
    wounded = draft.dials.fatigue_uses_damaged_physique
    physique = physique_of(who) if wounded else who.attributes.get("physique", 0)
    within = sum(1 for earlier in who.refreshes if minute - HOUR < earlier <= minute)
    draft.by(LIMIT, within, physique=physique)
    if within >= physique:
        draft.about(id, CharacterExhausted(id, minute))


def rest(draft: Draft, do: Rest) -> None:
    """`mongrel.fatigue.rest`: as long as the GM says it takes. Refuses `in-conflict`, `rest-range`, `time-ahead`."""
    check_alive(draft, do.character)
    check_at_leisure(draft, do.character)
    if not is_whole(do.required) or not 1 <= do.required <= 6:
        raise Refused(REST, "rest-range", required=repr(do.required))
    (hours,) = check_natural(REST, "bad-number", hours=do.hours)
    begun = draft.begun(do.since)
    draft.about(do.character, Rested(do.character, hours, do.required))
    enough = hours >= do.required
    draft.by(REST, enough, hours=hours, required=do.required)
    draft.pass_time(hours * HOUR, "rest", begun)
    if enough:
        draft.about(do.character, FatigueCleared(do.character))
