"""Getting Action Points back, and getting tired of it. Headings: Complex task resolution, 5 and 6; Fatigue."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.conflict import end_turn
from ledger.rules.mongrel.damage import stand_up
from ledger.rules.mongrel.ground import Ruling, check_alive, check_at_leisure, conflict_of, physique_of, the_turn
from ledger.rules.mongrel.inputs import Recover, Rest
from ledger.rules.mongrel.strife import (
    ActionPointsRecovered,
    CharacterExhausted,
    FatigueCleared,
    Rested,
)
from ledger.rules.mongrel.tables import HOUR
from ledger.rules.mongrel.tasks import check_natural
from ledger.rules.mongrel.terms import is_whole

RECOVER = "mongrel.ap.recover"
OVER_MAX = "mongrel.ap.over-max"
LIMIT = "mongrel.fatigue.limit"
REST = "mongrel.fatigue.rest"


def recover(ruling: Ruling, do: Recover) -> None:
    """An action that leaves no room for another: 1 from nothing, else up to the maximum."""
    id = do.character
    ruling.who(id)
    place = conflict_of(ruling, id)
    if place is not None:
        place = the_turn(ruling, id, RECOVER)
    who = check_alive(ruling, id)
    check_natural(RECOVER, "bad-number", minute=do.minute)
    if who.refreshes and do.minute < max(who.refreshes):
        raise Refused(LIMIT, "time-backwards", minute=do.minute, last=max(who.refreshes))
    gained = _gain(ruling, id)
    refresh = ruling.ap(id) > 0
    counted = not who.exhausted and (refresh or ruling.dials.fatigue_counts == "all_recoveries")
    done = ActionPointsRecovered(id, gained, refresh, counted, do.minute, "recover")
    ruling.about(id, done, accounts.move(accounts.AP, accounts.ap(id), gained))
    ruling.by(RECOVER, ruling.ap(id), gained=gained, maximum=ruling.maximum(id), refresh=refresh)
    stand_up(ruling, id)
    if counted:
        _tire(ruling, id, do.minute)
    ruling.plays(id)
    if place is not None:
        end_turn(ruling, place, id)


def _gain(ruling: Ruling, id: str) -> int:
    """Refuses `ap-full`."""
    ap, maximum, tired = ruling.ap(id), ruling.maximum(id), ruling.who(id).exhausted
    over = ruling.dials.ap_refresh == "over_max" and not ruling.who(id).ap_imposed
    if (ap == maximum) if over else (ap >= maximum):
        raise Refused(OVER_MAX if over else RECOVER, "ap-full", ap=ap, maximum=maximum)
    if ap <= 0 or tired:
        return 1
    return _amount(ruling, id) if over else maximum - ap


def _amount(ruling: Ruling, id: str) -> int:
    """`mongrel.ap.over-max`: what a refresh adds, beyond the maximum too."""
    scores = ruling.who(id).attributes
    match ruling.dials.ap_refresh_amount:
        case "flat":
            amount = max(0, ruling.dials.ap_refresh_flat)
        case "half_speed":
            amount = (scores.get("speed", 0) + 1) // 2
        case "physique":
            amount = scores.get("physique", 0)
    ruling.by(OVER_MAX, amount, by=ruling.dials.ap_refresh_amount)
    return amount


def _tire(ruling: Ruling, id: str, minute: int) -> None:
    """`mongrel.fatigue.limit`: as many counted refreshes within the hour as Physique, and one is exhausted."""
    who = ruling.who(id)
    wounded = ruling.dials.fatigue_uses_damaged_physique
    physique = physique_of(who) if wounded else who.attributes.get("physique", 0)
    within = sum(1 for earlier in who.refreshes if minute - HOUR < earlier <= minute)
    ruling.by(LIMIT, within, physique=physique)
    if within >= physique:
        ruling.about(id, CharacterExhausted(id, minute))


def rest(ruling: Ruling, do: Rest) -> None:
    """`mongrel.fatigue.rest`: as long as the GM says it takes. Refuses `in-conflict`, `rest-range`."""
    check_alive(ruling, do.character)
    check_at_leisure(ruling, do.character)
    if not is_whole(do.required) or not 1 <= do.required <= 6:
        raise Refused(REST, "rest-range", required=repr(do.required))
    check_natural(REST, "bad-number", hours=do.hours)
    ruling.about(do.character, Rested(do.character, do.hours, do.required))
    enough = do.hours >= do.required
    ruling.by(REST, enough, hours=do.hours, required=do.required)
    if enough:
        ruling.about(do.character, FatigueCleared(do.character))
