"""Recovering Action Points, and the fatigue that this causes. Headings: Complex task resolution, 5 and 6; Fatigue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Among,
    Between,
    CharacterId,
    Move,
    Refusal,
    Refused,
    Says,
    Seen,
    SharedRefusal,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    offers,
    once_created,
    require,
    rule,
)
from ledger.rules.mongrel import accounts, acting, clock, death, proposals, sessions, turns
from ledger.rules.mongrel.draft import BAD_NUMBER, Draft, check_natural
from ledger.rules.mongrel.sight import Sight, get_sight, group_ids
from ledger.rules.mongrel.state import Character, work_out_physique
from ledger.rules.mongrel.tables import HOUR
from ledger.rules.mongrel.terms import Natural, Number, Since, is_whole

NO_AUTOMATIC = rule(
    "mongrel.ap.no-automatic",
    "Action Points never return by themselves.",
    "Complex task resolution",
)
RECOVER = rule(
    "mongrel.ap.recover",
    "Recovering is an action. A character with 0 Action Points recovers 1 and can take no other action. A "
    "character with 1 or more recovers up to the maximum. A collapsed character who recovers gets up, even if "
    "their Action Points are already at the maximum. In a conflict, a character counts as recovering until their "
    "next turn. Outside a conflict, they count as recovering until their next roll, until the clock moves on, or "
    "until a conflict that they are in begins or ends (our reading).",
    "Complex task resolution",
)
OVER_MAX = rule(
    "mongrel.ap.over-max",
    "At some tables, when a character who has 1 or more Action Points recovers, the amount gained can take them"
    " above the maximum. A character who is exactly at the maximum cannot recover.",
    "Complex task resolution",
)
#: The rule that Action Points never come back automatically.
NEVER = (NO_AUTOMATIC,)
AP_FULL = SharedRefusal(
    "ap-full",
    "{character} has {ap:Action Point|Action Points}, and the maximum is {maximum}. There are none to recover.",
)
TIME_BACKWARDS = Refusal(
    clock.CLOCK,
    "time-backwards",
    "The clock is already at minute {last}. It cannot go back to minute {minute}.",
)


@fact("character-exhausted", says="{character} is exhausted.")
class CharacterExhausted:
    """A character became exhausted. `minute`: the minute of the clock."""

    character: CharacterId
    minute: int


@changes
@once_created
def put_exhausted(state: Character, fact: CharacterExhausted) -> Character:
    return changed(state, exhausted=True)


@declares(
    "recover",
    either("character"),
    says="{character} recovers.",
    records=(
        *proposals.PROPOSED,
        death.ActionPointsRecovered,
        *clock.TIME_FACTS,
        death.CharacterStoodUp,
        CharacterExhausted,
        sessions.SessionPlayed,
        turns.TurnEnded,
    ),
)
class Recover:
    """Recover Action Points. In a conflict, this takes the character's turn.

    `minute`: the current minute of the campaign's fictional clock. A later minute moves the clock forward.
    """

    character: CharacterId
    minute: Natural


def is_later(draft: Draft, do: Recover) -> bool:
    """Return whether the declaration moves the clock."""
    return is_whole(do.minute) and do.minute > draft.read_clock()


@decides
@proposals.ask_about_numbers_where(is_later)
def recover(draft: Draft, do: Recover) -> None:
    """Recover Action Points, as the only action of a turn: 1 point if the character has none, otherwise up to the
    maximum. Collapsed characters stand up.
    """
    character_id = do.character
    draft.read_character(character_id)
    strife = acting.find_strife(draft, character_id)
    if strife is not None:
        strife = acting.check_turn(draft, character_id, RECOVER)
    state = acting.check_alive(draft, character_id)
    (minute,) = check_natural(RECOVER, BAD_NUMBER, minute=do.minute)
    if minute < draft.read_clock():
        raise TIME_BACKWARDS(minute=minute, last=draft.read_clock())
    gained_points = count_recovered_points(draft, character_id)
    clock.move_clock(draft, minute, "recovering")
    is_refresh = draft.count_ap(character_id) > 0 and gained_points > 0
    counts_for_fatigue = not state.exhausted and (is_refresh or draft.dials.fatigue_counts == "all_recoveries")
    fact = death.ActionPointsRecovered(character_id, gained_points, is_refresh, counts_for_fatigue, minute, "recover")
    draft.about(character_id, fact, accounts.make_posting(accounts.AP, accounts.name_ap(character_id), gained_points))
    draft.by(
        RECOVER,
        draft.count_ap(character_id),
        gained=gained_points,
        maximum=draft.find_ap_maximum(character_id),
        refresh=is_refresh,
    )
    death.stand_up(draft, character_id)
    if counts_for_fatigue:
        _exhaust_if_tired(draft, character_id, minute)
    sessions.note_played(draft, character_id)
    if strife is not None:
        turns.end_turn(draft, strife, character_id)


def _is_over_max(draft: Draft, character_id: str) -> bool:
    """Return whether a recovery can raise the character's Action Points above the maximum."""
    return draft.dials.ap_refresh == "over_max" and not draft.read_character(character_id).ap_imposed


def may_recover(draft: Draft, character_id: str) -> Refused | None:
    """Refuse a recovery at the maximum, except for collapsed characters."""
    ap, maximum, may_exceed = (
        draft.count_ap(character_id),
        draft.find_ap_maximum(character_id),
        _is_over_max(draft, character_id),
    )
    if draft.read_character(character_id).collapsed or not ((ap == maximum) if may_exceed else (ap >= maximum)):
        return None
    return AP_FULL.under(OVER_MAX if may_exceed else RECOVER, character=character_id, ap=ap, maximum=maximum)


def count_recovered_points(draft: Draft, character_id: str) -> int:
    """Return how many Action Points a recovery gives now. Refuses `ap-full`."""
    require(may_recover(draft, character_id))
    ap, maximum, may_exceed = (
        draft.count_ap(character_id),
        draft.find_ap_maximum(character_id),
        _is_over_max(draft, character_id),
    )
    if (ap == maximum) if may_exceed else (ap >= maximum):
        return 0
    if ap <= 0 or draft.read_character(character_id).exhausted:
        return 1
    return _work_out_refresh(draft, character_id) if may_exceed else maximum - ap


def _work_out_refresh(draft: Draft, character_id: str) -> int:
    """Return how many points a refresh adds, even beyond the maximum (`mongrel.ap.over-max`)."""
    scores = draft.read_character(character_id).attributes
    match draft.dials.ap_refresh_amount:
        case "flat":
            amount = max(0, draft.dials.ap_refresh_flat)
        case "half_speed":
            amount = (scores.get("speed", 0) + 1) // 2
        case "physique":
            amount = scores.get("physique", 0)
    draft.by(OVER_MAX, amount, by=draft.dials.ap_refresh_amount)
    return amount


@offers
def offer_recovery(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight, minute = get_sight(seen, draft), draft.read_clock()
    for is_in_turn, characters in group_ids(
        sight.alive, lambda character_id: _is_recovery_in_turn(sight, character_id)
    ):
        awaited_rule = acting.QUEUE if is_in_turn else None
        yield Move(Recover, {"character": characters, "minute": Between(minute, usual=minute)}, awaited_rule)


def _is_recovery_in_turn(sight: Sight, character_id: str) -> bool | None:
    """Return whether a recovery takes a turn, as it always does in a conflict, or None if it is not possible."""
    strife = sight.strife_by_id.get(character_id)
    if (strife is not None and not sight.has_turn(character_id)) or may_recover(sight.draft, character_id) is not None:
        return None
    return strife is not None


# --- fatigue ---------------------------------------------------------------------------------------------------------

LIMIT = rule(
    "mongrel.fatigue.limit",
    "When a character who has 1 or more Action Points recovers, this is called a refresh. Once a character has"
    " refreshed as many times within one hour as their Physique score, they are exhausted: each later refresh"
    " gives only 1 Action Point.",
    "Fatigue",
)


def _exhaust_if_tired(draft: Draft, character_id: str, minute: int) -> None:
    """Exhaust the character if they have as many counted refreshes within the hour as points of Physique
    (`mongrel.fatigue.limit`).
    """
    state = draft.read_character(character_id)
    uses_damaged_physique = draft.dials.fatigue_uses_damaged_physique
    physique = work_out_physique(state) if uses_damaged_physique else state.attributes.get("physique", 0)
    recent_count = sum(1 for earlier in state.refreshes if minute - HOUR < earlier <= minute)
    draft.by(LIMIT, recent_count, physique=physique)
    if recent_count >= physique:
        draft.about(character_id, CharacterExhausted(character_id, minute))


REST = rule(
    "mongrel.fatigue.rest",
    "Exhaustion ends after a rest of 1 to 6 hours. The game master decides how many hours are needed.",
    "Fatigue",
)
REST_RANGE = Refusal(
    REST,
    "rest-range",
    "It takes 1 to 6 hours of rest to end exhaustion.",
)


@fact("rested", says="{character} rests for {hours:hour|hours}.", changes=None)
class Rested:
    """A character rested. `required`: how many hours of rest end exhaustion."""

    character: CharacterId
    hours: int
    required: int


@fact("fatigue-cleared", says="{character}'s fatigue is gone.")
class FatigueCleared:
    """A character is no longer exhausted. Earlier refreshes no longer count."""

    character: CharacterId


@changes
@once_created
def end_fatigue(state: Character, fact: FatigueCleared) -> Character:
    return changed(state, exhausted=False, refreshes=())


@declares(
    "rest",
    GM,
    says="{character} rests for {hours:hour|hours}. It takes {required:hour|hours} to end exhaustion.",
    records=(Rested, FatigueCleared, *clock.TIME_FACTS),
)
class Rest:
    """Record that a character rests, outside a conflict."""

    character: CharacterId
    hours: Annotated[Natural, Says("Hours of rest")]
    required: Annotated[Number, Between(1, 6), Says("Hours needed", "How many hours of rest end the exhaustion.")]
    since: Since | None = None


@decides
def rest(draft: Draft, do: Rest) -> None:
    """Record a rest, for as long as the game master says. Refuses `in-conflict`, `rest-range`, `time-ahead`."""
    acting.check_alive(draft, do.character)
    require(acting.may_take_time(draft, do.character))
    if not is_whole(do.required) or not 1 <= do.required <= 6:
        raise REST_RANGE(required=repr(do.required))
    (hours,) = check_natural(REST, BAD_NUMBER, hours=do.hours)
    beginning = clock.read_beginning(draft, do.since)
    draft.about(do.character, Rested(do.character, hours, do.required))
    ends_fatigue = hours >= do.required
    draft.by(REST, ends_fatigue, hours=hours, required=do.required)
    clock.pass_time(draft, hours * HOUR, "rest", beginning)
    if ends_fatigue:
        draft.about(do.character, FatigueCleared(do.character))


@offers
def offer_rest(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    if sight.free:
        yield Move(Rest, {"character": Among(sight.free), "hours": OPEN, "required": OPEN, **sight.make_since_field()})
