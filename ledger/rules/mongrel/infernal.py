"""Infernal Resolve: how hits reduce it, what it can buy, and how it is refreshed. Heading: Sorcery Expertise and
spiritual damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    GM,
    Among,
    Between,
    CharacterId,
    Move,
    Reason,
    Ref,
    Refusal,
    Seen,
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
from ledger.rules.mongrel import accounts, acting, clock, damage, death, houses, proposals, sessions
from ledger.rules.mongrel.draft import BAD_AMOUNT, BAD_NUMBER, Draft, check_natural
from ledger.rules.mongrel.sight import Fields, Sight, get_sight, group_ids
from ledger.rules.mongrel.state import Character
from ledger.rules.mongrel.tables import HOUR, QUIET
from ledger.rules.mongrel.terms import (
    Activity,
    Natural,
    ResolvePoints,
    ResolveUse,
    Since,
    TerminalCause,
    by_value,
    drop_repeats,
    is_whole,
)

SPIRITUAL = rule(
    "mongrel.resolve.spiritual",
    "Chill and Occult attacks lower the target's Infernal Resolve by their Effect. Weapons, armour and shunting"
    " make no difference. At some tables, an Occult attack does the kind of damage that the imitated Expertise"
    " would do.",
    "Sorcery Expertise and spiritual damage",
)
COLLAPSED_HIT = rule(
    "mongrel.resolve.collapsed-hit",
    "A spiritual hit (by Chill or Occult) on a collapsed character is not terminal (our reading).",
    "Sorcery Expertise and spiritual damage",
)
ZERO_RESOLVE = rule(
    "mongrel.resolve.zero",
    "A character whose Infernal Resolve reaches 0 collapses. While it stays at 0, their Action Point maximum is 1."
    " If they are in the terminal stage, they die.",
    "Sorcery Expertise and spiritual damage",
)


@fact(
    "resolve-damaged",
    says="{character} takes a spiritual hit and loses {lost:point|points} of Infernal Resolve.",
    changes=None,
)
class ResolveDamaged:
    """A character took a spiritual hit. `lost`: how much Infernal Resolve they lost."""

    character: CharacterId
    effect: int
    lost: int


HIT_FACTS = drop_repeats(
    damage.DamageRolled,
    damage.DamageShunted,
    damage.DamageCounted,
    damage.PhysiqueReduced,
    death.TerminalDamageTaken,
    *death.COLLAPSE_FACTS,
    ResolveDamaged,
    death.ActionPointMaximumImposed,
    *death.DEATH_FACTS,
)


def land_spiritual_hit(draft: Draft, character_id: str, effect: int) -> None:
    """Subtract the Effect from Infernal Resolve. Armour, weapon, shunts and the damage table do not apply."""
    state = draft.read_character(character_id)
    lost_points = max(0, min(effect, draft.count_resolve(character_id)))
    posting = accounts.make_posting(accounts.name_resolve(character_id), accounts.HELL, lost_points)
    draft.about(character_id, ResolveDamaged(character_id, effect, lost_points), posting)
    draft.by(SPIRITUAL, draft.count_resolve(character_id), effect=effect)
    if effect < 1:
        return
    cause = _find_terminal_cause(draft, state)
    if cause is not None:
        draft.by(COLLAPSED_HIT, cause)
        death.take_terminal_damage(draft, character_id, cause)
    else:
        collapse_at_zero(draft, character_id, is_own_spending=False)


def _find_terminal_cause(draft: Draft, state: Character) -> TerminalCause | None:
    """Return why a spiritual hit is terminal for a collapsed character, or None. By default, only physical hits are."""
    if draft.dials.collapsed_hit_kinds != "any":
        return None
    return "collapsed" if state.collapsed else "stage" if state.terminal else None


def collapse_at_zero(draft: Draft, character_id: str, *, is_own_spending: bool) -> None:
    """Make a character without Infernal Resolve collapse or, in the terminal stage, die. `is_own_spending`: whether
    their own spending caused this.
    """
    state = draft.read_character(character_id)
    if draft.count_resolve(character_id) > 0 or state.dead:
        return
    if state.terminal:
        draft.by(death.TERMINAL_STAGE, "dead", resolve=0)
        death.die(draft, character_id, "resolve")
    elif is_own_spending and draft.dials.zero_resolve_collapse == "spiritual_only":
        draft.by(ZERO_RESOLVE, "nothing", cause="own spending")
    else:
        death.collapse(draft, character_id, "resolve")
        death.impose_maximum(draft, character_id)
        draft.by(ZERO_RESOLVE, "collapsed", maximum=1)


# --- buying Action Points --------------------------------------------------------------------------------------------

FOR_AP = rule(
    "mongrel.resolve.for-ap",
    "At any time, a character can turn points of Infernal Resolve into the same number of Action Points.",
    "Complex task resolution",
)
AP_OVER_MAX = Refusal(
    FOR_AP,
    "ap-over-max",
    "{character} has {ap:Action Point|Action Points} and cannot go above {maximum}.",
)
SPENT_FACTS = drop_repeats(
    death.InfernalResolveSpent, *death.COLLAPSE_FACTS, death.ActionPointMaximumImposed, *death.DEATH_FACTS
)


@fact("action-points-gained", says="{character} gains {amount:Action Point|Action Points}.", changes=None)
class ActionPointsGained:
    """A character gained Action Points in exchange for Infernal Resolve."""

    character: CharacterId
    amount: int


@declares(
    "spend-resolve",
    either("character"),
    says="{character} turns {amount:point|points} of Infernal Resolve into Action Points.",
    records=(*SPENT_FACTS, ActionPointsGained, death.CharacterStoodUp, sessions.SessionPlayed),
)
class SpendResolve:
    """Turn points of Infernal Resolve into the same number of Action Points. This takes no turn."""

    character: CharacterId
    amount: ResolvePoints


def spend(draft: Draft, character_id: str, amount: int, purpose: ResolveUse) -> None:
    posting = accounts.make_posting(accounts.name_resolve(character_id), accounts.HELL, amount)
    draft.about(character_id, death.InfernalResolveSpent(character_id, amount, purpose), posting)


@decides
def spend_for_ap(draft: Draft, do: SpendResolve) -> None:
    """Buy Action Points, one for one, at any time. The last point buys nothing, because the
    character then collapses.
    """
    character_id = do.character
    strife = acting.find_strife(draft, character_id)
    if strife is not None:
        require(acting.may_go_on(draft, strife))
    acting.check_alive(draft, character_id)
    if not is_whole(do.amount) or do.amount < 1:
        raise BAD_AMOUNT.under(FOR_AP, amount=repr(do.amount))
    if do.amount > draft.count_resolve(character_id):
        raise death.NO_RESOLVE.under(
            FOR_AP, character=character_id, amount=do.amount, resolve=draft.count_resolve(character_id)
        )
    exceeds_maximum = draft.count_ap(character_id) + do.amount > draft.find_ap_maximum(character_id)
    if exceeds_maximum and not draft.dials.resolve_ap_may_exceed_max:
        raise AP_OVER_MAX(
            character=character_id,
            amount=do.amount,
            ap=draft.count_ap(character_id),
            maximum=draft.find_ap_maximum(character_id),
        )
    sessions.note_played(draft, character_id)
    spend(draft, character_id, do.amount, "action points")
    posting = accounts.make_posting(accounts.AP, accounts.name_ap(character_id), do.amount)
    draft.about(character_id, ActionPointsGained(character_id, do.amount), posting)
    draft.by(FOR_AP, draft.count_ap(character_id), spent=do.amount)
    if draft.dials.resolve_ap_ends_collapse:
        death.stand_up(draft, character_id)
    collapse_at_zero(draft, character_id, is_own_spending=True)


@offers
def offer_action_points(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    for limit, owners in group_ids(sight.alive, lambda character_id: _find_limit(sight, character_id)):
        yield Move(SpendResolve, {"character": owners, "amount": Between(1, limit)})


def _find_limit(sight: Sight, character_id: str) -> int | None:
    """Return the most points that can be spent (`mongrel.resolve.for-ap`)."""
    strife, draft = sight.strife_by_id.get(character_id), sight.draft
    if strife is not None and not sight.is_settled(strife):
        return None
    most_points = sight.count_resolve(character_id)
    if not draft.dials.resolve_ap_may_exceed_max:
        most_points = min(most_points, draft.find_ap_maximum(character_id) - draft.count_ap(character_id))
    return most_points if most_points > 0 else None


# --- refreshing Infernal Resolve -------------------------------------------------------------------------------------

BY_QUIET = rule(
    "mongrel.resolve.refresh-quiet",
    "An hour of meditation, simple tasks or calm company restores all Infernal Resolve.",
    "Sorcery Expertise and spiritual damage",
)
BY_VOW = rule(
    "mongrel.resolve.refresh-vow",
    "Events that directly oppose a character's Vow restore all Infernal Resolve at once.",
    "Sorcery Expertise and spiritual damage",
)
LESS_THAN_AN_HOUR = Refusal(
    BY_QUIET,
    "less-than-an-hour",
    "Restoring Infernal Resolve takes at least 60 minutes, not {minutes}.",
)
NOT_QUIET = Refusal(
    BY_QUIET,
    "not-quiet",
    "{activity} does not restore Infernal Resolve. These activities do: {quiet}.",
)


@fact("infernal-resolve-refreshed", says="{character} regains {amount:point|points} of Infernal Resolve.", changes=None)
class InfernalResolveRefreshed:
    """A character regained all of their Infernal Resolve."""

    character: CharacterId
    amount: int
    reason: Reason


@fact("action-point-maximum-lifted", says="{character}'s Action Point maximum is back to normal.")
class ActionPointMaximumLifted:
    """A character's Action Point maximum went back to normal."""

    character: CharacterId


@changes
@once_created
def lift_maximum(state: Character, fact: ActionPointMaximumLifted) -> Character | None:
    return changed(state, ap_imposed=False) if state.ap_imposed else None


def _restore_resolve(draft: Draft, character_id: str, reason: str) -> None:
    """Restore all Infernal Resolve, and lift a lowered maximum of Action Points. `reason`: the activity or the
    circumstances.
    """
    amount = max(0, draft.read_character(character_id).attributes.get("spirit", 0) - draft.count_resolve(character_id))
    posting = accounts.make_posting(accounts.HELL, accounts.name_resolve(character_id), amount)
    draft.about(character_id, InfernalResolveRefreshed(character_id, amount, reason), posting)
    if draft.read_character(character_id).ap_imposed:
        draft.about(character_id, ActionPointMaximumLifted(character_id))


@declares(
    "refresh-resolve",
    either("character"),
    says=by_value(
        "activity",
        {
            "meditating": "{character} meditates for {minutes:minute|minutes}.",
            "simple-tasks": "{character} does simple tasks for {minutes:minute|minutes}.",
            "calm-company": "{character} spends {minutes:minute|minutes} in calm company.",
        },
    ),
    records=(
        *proposals.PROPOSED,
        InfernalResolveRefreshed,
        ActionPointMaximumLifted,
        *clock.TIME_FACTS,
        sessions.SessionPlayed,
    ),
)
class RefreshResolve:
    """Restore all of a character's Infernal Resolve after a quiet time outside a conflict.

    `activity`: what the character does. `minutes`: how many minutes the quiet time lasts, at least 60.
    """

    character: CharacterId
    activity: Activity
    minutes: Natural
    since: Since | None = None


@decides
@proposals.ask_about_numbers
def refresh_quietly(draft: Draft, do: RefreshResolve) -> None:
    """Restore Infernal Resolve by an hour of meditation, simple tasks or calm company.

    Refuses `in-conflict`, `not-quiet`, `collapsed` for a collapsed character's tasks, `less-than-an-hour`,
    `time-ahead`.
    """
    acting.check_alive(draft, do.character)
    require(acting.may_take_time(draft, do.character))
    if do.activity not in QUIET:
        raise NOT_QUIET(activity=do.activity, quiet=list(QUIET))
    if do.activity == "simple-tasks":
        require(acting.may_be_active(draft, do.character))
    (minutes,) = check_natural(BY_QUIET, BAD_NUMBER, minutes=do.minutes)
    if minutes < HOUR:
        raise LESS_THAN_AN_HOUR(minutes=minutes)
    beginning = clock.read_beginning(draft, do.since)
    _restore_resolve(draft, do.character, do.activity)
    draft.by(BY_QUIET, draft.count_resolve(do.character), minutes=minutes)
    clock.pass_time(draft, minutes, do.activity, beginning)
    sessions.note_played(draft, do.character)


@declares(
    "refresh-resolve-by-vow",
    GM,
    says="Events directly oppose {character}'s Vow[: {circumstances}].",
    records=(InfernalResolveRefreshed, ActionPointMaximumLifted),
)
class RefreshResolveByVow:
    """Restore all of a character's Infernal Resolve because events directly oppose one of their Vows.

    `circumstances`: which events oppose the Vow. `vow`: leave it out if the character has only one Vow.
    """

    character: CharacterId
    circumstances: Reason
    vow: Annotated[str, Ref("vow", of="character")] | None = None


@decides
def refresh_by_vow(draft: Draft, do: RefreshResolveByVow) -> None:
    """Restore Infernal Resolve because events directly oppose a Vow. Refuses `no-vow`."""
    kept_objects = [vow.object for vow in acting.check_alive(draft, do.character).vows if vow.ended is None]
    if not kept_objects or (do.vow is not None and do.vow not in kept_objects):
        raise houses.NO_VOW.under(BY_VOW, character=do.character, vow=do.vow)
    _restore_resolve(draft, do.character, do.circumstances)
    draft.by(BY_VOW, draft.count_resolve(do.character), vow=do.vow)


#: Quiet activities that are possible even for a collapsed character.
RESTFUL = tuple(activity for activity in QUIET if activity != "simple-tasks")


@offers
def offer_refreshing(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    for activities, idle_characters in group_ids(
        sight.free, lambda character_id: QUIET if sight.can_be_active(character_id) else RESTFUL
    ):
        quiet_fields: Fields = {"activity": Among(activities), "minutes": Between(HOUR), **sight.make_since_field()}
        yield Move(RefreshResolve, {"character": idle_characters, **quiet_fields})
    for kept_objects, owners in group_ids(
        sight.alive, lambda character_id: houses.list_kept_vows(sight.people[character_id]) or None
    ):
        yield Move(RefreshResolveByVow, {"character": owners, "vow": Among((None, *kept_objects))})
