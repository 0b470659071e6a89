"""Resources: what is left of them, how they go down, what comes back. 3.9."""

from __future__ import annotations

from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_characters import (
    FightLeftRuled,
    PenaltyDeferred,
    PenaltyTookEffect,
    PowerSpent,
    ResourceReduced,
    ResourceRestored,
    ResourceUsed,
)
from ledger.rules.scattershot.guards import check_positive, check_whole, no, rating_of
from ledger.rules.scattershot.inputs_of_characters import RestoreResource, RuleFightLeft, SpendPower, UseResource
from ledger.rules.scattershot.ratings import scope_level
from ledger.rules.scattershot.tables import statistic_name
from ledger.rules.scattershot.terms import is_natural


def current(draft: Draft, id: str, name: str) -> int:
    return draft.balance(accounts.resource(id, name)) - draft.balance(accounts.shortfall(id, name))


def reduce(draft: Draft, id: str, name: str, loss: int, wound: str = "") -> None:
    """`resource.reduce`: to 0 at the lowest, unless the table lets it fall further."""
    if name not in draft.who(id).resources:
        raise no("rating.resource", "unknown-statistic", resource=name)
    before, held = current(draft, id, name), draft.balance(accounts.resource(id, name))
    falls = draft.dials.resource_floor == "none"
    taken = min(loss, max(0, held))
    after = before - loss if falls else before - taken
    fight = draft.fight(id)
    losses = fight is not None and scope_level(fight.scope) > 0
    draft.about(
        id,
        ResourceReduced(id, name, loss, before, after, losses, wound if draft.dials.wounds != "basic" else ""),
        accounts.lost(accounts.resource(id, name), taken),
        accounts.gained(accounts.shortfall(id, name), loss - taken) if falls else None,
    )
    draft.by("resource.reduce", after, before=before, loss=loss)
    if losses:
        draft.by("damage.scope", loss)
    if wound:
        draft.by("damage.wounds", draft.dials.wounds)
    _penalise(draft, id, before, after)


def _penalise(draft: Draft, id: str, before: int, after: int) -> None:
    """`result.deferred-penalty`: until the next lull; outside Mechanical Play at once.

    What is restored first lifts what still waits.
    """
    more = _penalty(draft, after) - _penalty(draft, before)
    if more == 0:
        return
    most = more if draft.mode() == "mechanical" else 0
    waits = most if more > 0 else max(more, -draft.who(id).pending)
    if waits:
        draft.about(id, PenaltyDeferred(id, waits))
    if more != waits:
        draft.about(id, PenaltyTookEffect(id, more - waits, False))
    draft.by("result.deferred-penalty", more, character=id)


def _penalty(draft: Draft, current: int) -> int:
    steps = draft.dials.resource_penalty or ()
    return max((int(step["penalty"]) for step in steps if current <= step["at"]), default=0)


def use_resource(draft: Draft, do: UseResource) -> None:
    """`rating.resource`: a Rating some ability drains, as full as it is."""
    name = statistic_name(do.rating)
    number = rating_of(draft.who(do.character), name)
    if number is None:
        raise no("rating.resource", "unknown-statistic", rating=do.rating)
    if name in draft.who(do.character).resources:
        raise no("rating.resource", "bad-number", rating=do.rating)
    account = accounts.resource(do.character, name)
    draft.about(
        do.character,
        ResourceUsed(name, number),
        accounts.gained(account, number - draft.balance(account)),
    )
    draft.by("rating.resource", number, rating=name)


def spend_power(draft: Draft, do: SpendPower) -> None:
    """`resource.power`: no more than there is; a failed spell drains, where the table plays so."""
    rule = "resource.power"
    draft.must_play(do.character, rule)
    amount, why = do.amount, do.why
    held = draft.balance(accounts.resource(do.character, "power"))
    if do.missed_by is not None:
        missed = check_whole(do.missed_by, rule)
        drained = abs(missed) if draft.dials.spell_failure_drain else 0
        amount, why = min(max(0, held), drained), why or "a failed spell"
    elif not is_natural(amount):
        raise no(rule, "bad-number", amount=str(amount))
    spend(draft, do.character, amount, why)


def charge(draft: Draft, id: str, name: str) -> None:
    """`rating.special-ability`: what using an ability is listed to cost."""
    used = draft.who(id).ratings.get(name)
    if used is not None and used.power_cost:
        spend(draft, id, used.power_cost, name)
        draft.by("listing.ability", used.power_cost, ability=name)


def spend(draft: Draft, id: str, amount: int, why: str) -> None:
    """Refuses `not-enough-power`."""
    rule = "resource.power"
    account = accounts.resource(id, "power")
    if amount > max(0, draft.balance(account)):
        raise no(rule, "not-enough-power", amount=amount, held=draft.balance(account))
    before = current(draft, id, "power")
    draft.about(id, PowerSpent(id, amount, why), accounts.lost(account, amount))
    draft.by(rule, before - amount, amount=amount)
    _penalise(draft, id, before, before - amount)


def restore(draft: Draft, do: RestoreResource) -> None:
    """`resource.restore`: by ruling, never above the maximum."""
    rule, id, name = "resource.restore", do.character, statistic_name(do.resource)
    who = draft.who(id)
    if name not in who.resources:
        raise no(rule, "unknown-statistic", resource=name)
    amount = check_positive(do.amount, rule)
    before = current(draft, id, name)
    given = min(amount, max(0, who.resources[name] - before))
    below = min(given, max(0, draft.balance(accounts.shortfall(id, name))))
    draft.about(
        id,
        ResourceRestored(id, name, given, do.ruling),
        accounts.lost(accounts.shortfall(id, name), below),
        accounts.gained(accounts.resource(id, name), given - below),
    )
    draft.by(rule, before + given, before=before)
    _penalise(draft, id, before, before + given)


def check_fight_left(draft: Draft, id: str, nature: str = "attack") -> None:
    """`stat.hit-points`: nobody attacks without any. Refuses `no-fight-left`."""
    who = draft.who(id)
    if nature == "attack" and who.fights_on is None and current(draft, id, "hit-points") <= 0:
        raise no("stat.hit-points", "no-fight-left", character=id)


def rule_fight_left(draft: Draft, do: RuleFightLeft) -> None:
    """Refuses `no-reason`, `has-fight-left`."""
    rule, reason = "stat.hit-points", do.reason.strip()
    who = draft.who(do.character)
    if not reason:
        raise no(rule, "no-reason", character=do.character)
    if who.fights_on is not None or current(draft, do.character, "hit-points") > 0:
        raise no(rule, "has-fight-left", character=do.character)
    draft.about(do.character, FightLeftRuled(do.character, reason))
    draft.by(rule, reason, character=do.character)
