"""Results: Factor, Residual, scalar; damage and protection; Resources. 3.8, 3.9."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ledger.rules.scattershot import accounts, deeds, facts, inputs
from ledger.rules.scattershot.application import own_side
from ledger.rules.scattershot.chart import facet, rounded
from ledger.rules.scattershot.deedinputs import ChooseResults, CloseApplication, Result
from ledger.rules.scattershot.ground import Ruling, check_positive, check_whole, no, rating_of
from ledger.rules.scattershot.resolution import scope_level
from ledger.rules.scattershot.state import Character, Reached, Resolution
from ledger.rules.scattershot.tables import TOO_SOON, WEAPONS, statistic_name
from ledger.rules.scattershot.terms import ACTOR, is_natural

# --- choosing --------------------------------------------------------------------------------------------------------


def choose(ruling: Ruling, do: ChooseResults) -> None:
    """`result.choose`: one or more, by the Actor's Player, or by a Resistor's who has a number of its own."""
    one = ruling.resolution(do.resolution)
    if one.phase != "results":
        raise no("result.choose", "wrong-phase", phase=one.phase)
    own_side(ruling, one, do.side, "result.choose")
    reached = _reached(one, do)
    remaining = reached.remaining
    if do.side != ACTOR:
        if reached.resistor_number is None:
            raise no("contest.resistor-results", "no-result-from-failure", side=do.side)
        remaining = reached.resistor_number
    for result in do.results:
        _apply(ruling, do, one, reached, remaining, result)
    ruling.by("result.choose", remaining, side=do.side)
    if do.close:
        ruling.here(deeds.ApplicationClosed(do.resolution))
        ruling.by("result.when", "closed")


def _reached(one: Resolution, do: ChooseResults) -> Reached:
    """The outcome the results follow from: of a contest with several, of the Resistor named."""
    wanted = do.side if do.side != ACTOR else do.against
    found = [each for each in one.reached if wanted is None or each.resistor == wanted]
    if len(found) != 1:
        raise no("contest.many", "no-such-roll", against=wanted)
    return found[0]


def _apply(
    ruling: Ruling, do: ChooseResults, one: Resolution, reached: Reached, remaining: int, result: Result
) -> None:
    other = (reached.resistor if reached.resistor is not None else one.subject) if do.side == ACTOR else one.actor
    target = result.character if result.character is not None else other
    match result.result:
        case "damage":
            loss = damage(ruling, _actor_of(ruling, one, do.side), ruling.who(target or ""), remaining, result)
            reduce(ruling, target or "", "hit-points", loss, result.wound)
        case "factor":
            actor = _actor_of(ruling, one, do.side)
            loss = factor(ruling, actor, result.magnitude or one.deed.magnitude, remaining)
            ruling.who(target or "")
            reduce(ruling, target or "", statistic_name(result.resource), loss, result.wound)
        case "residual":
            _residual(ruling, target or "", remaining, result)
        case "scalar":
            ruling.here(deeds.ScalarRecorded(do.resolution, remaining, result.text))
        case _:
            raise no("result.choose", "bad-number", result=result.result)


def _actor_of(ruling: Ruling, one: Resolution, side: str) -> Character:
    id = one.actor if side == ACTOR else side
    if id is None:
        raise no("result.factor", "no-such-roll", side=side)
    return ruling.who(id)


def multiplier(ruling: Ruling, who: Character, magnitude: str) -> Fraction:
    number = rating_of(who, magnitude)
    if number is None:
        raise no("result.factor", "unknown-statistic", magnitude=magnitude)
    return facet(ruling.dials, number, "multiplier")


def factor(ruling: Ruling, who: Character, magnitude: str, remaining: int) -> int:
    """`result.factor`: what a Resource loses; nothing where the number is below 0."""
    loss = rounded(remaining * multiplier(ruling, who, magnitude)) if remaining >= 0 else 0
    ruling.by("result.factor", loss, remaining=remaining, magnitude=magnitude)
    return loss


def damage(ruling: Ruling, who: Character, subject: Character, remaining: int, result: Result) -> int:
    """`damage.formula`: weapon before the multiplication, protection after it."""
    weapon = weapon_of(result.weapon)
    worn = protection(ruling, subject, result.protection)
    times = multiplier(ruling, who, result.magnitude or "strength")
    if remaining < 0:
        ruling.by("damage.formula", 0, remaining=remaining)
        return 0
    added = weapon if remaining > 0 or ruling.dials.weapon_adds_at_zero else 0
    loss = max(0, rounded((remaining + added) * times) - worn)
    if weapon == 0 and times == 1:
        ruling.by("damage.fists", loss, remaining=remaining)
    if weapon:
        ruling.by("damage.weapon", added)
    ruling.by("damage.formula", loss, remaining=remaining, weapon=added, protection=worn)
    return loss


def list_damage(ruling: Ruling, do: inputs.ListDamage) -> None:
    """`damage.table`: nothing lies above the Critical Juncture."""
    who, weapon = ruling.who(do.character), weapon_of(do.weapon)
    times = multiplier(ruling, who, "strength")
    at_zero = weapon if ruling.dials.weapon_adds_at_zero else 0
    numbers = range(ruling.dials.critical_juncture + 1)
    damages = tuple(rounded((number + (weapon if number else at_zero)) * times) for number in numbers)
    ruling.about(do.character, facts.DamageListed(do.character, weapon, damages))
    ruling.by("damage.table", list(damages), weapon=weapon)


def weapon_of(weapon: Any) -> int:
    """By name, or its number. Refuses `bad-number`."""
    number = WEAPONS.get(weapon.strip().lower().replace(" ", "-")) if isinstance(weapon, str) else weapon
    if not is_natural(number):
        raise no("damage.weapon", "bad-number", weapon=str(weapon))
    return number


def protection(ruling: Ruling, subject: Character, named: tuple[str, ...] | None) -> int:
    """`damage.protection`: pieces worn together add; a bought Rating counts its Bonus."""
    worn = 0
    if named is not None and not set(named) <= {piece.name for piece in subject.protection}:
        raise no("damage.protection", "bad-number", pieces=list(named))
    for piece in subject.protection:
        if named is None or piece.name in named:
            bought = piece.bought is not None
            worn += rounded(facet(ruling.dials, piece.bought, "bonus")) if bought else int(piece.static)
    if worn:
        ruling.by("damage.protection", worn)
    return worn


def _residual(ruling: Ruling, target: str, remaining: int, result: Result) -> None:
    """`result.residual`: as large as the Bonus of the number, signed by who chooses."""
    if remaining < 0:
        raise no("result.choose", "no-result-from-failure", remaining=remaining)
    if type(result.sign) is not int or result.sign not in (1, -1):
        raise no("result.residual", "bad-number", sign=str(result.sign))
    ruling.who(target)
    bonus = rounded(facet(ruling.dials, remaining, "bonus"))
    placed = facts.ResidualPlaced(
        ruling.table.new_id(), target, result.sign * bonus, result.scope, "result", result.until
    )
    ruling.about(target, placed)
    ruling.by("result.residual", result.sign * bonus, remaining=remaining)


def close(ruling: Ruling, do: CloseApplication) -> None:
    one = ruling.resolution(do.resolution)
    if one.phase != "results":
        raise no("resolve.phases", "wrong-phase", phase=one.phase)
    ruling.here(deeds.ApplicationClosed(do.resolution))
    ruling.by("result.when", "closed")


# --- Resources -------------------------------------------------------------------------------------------------------


def current(ruling: Ruling, id: str, name: str) -> int:
    return ruling.balance(accounts.resource(id, name)) - ruling.balance(accounts.shortfall(id, name))


def reduce(ruling: Ruling, id: str, name: str, loss: int, wound: str = "") -> None:
    """`resource.reduce`: to 0 at the lowest, unless the table lets it fall further."""
    if name not in ruling.who(id).resources:
        raise no("rating.resource", "unknown-statistic", resource=name)
    before, held = current(ruling, id, name), ruling.balance(accounts.resource(id, name))
    falls = ruling.dials.resource_floor == "none"
    taken = min(loss, held)
    after = before - loss if falls else before - taken
    mode = ruling.mode()
    fight = ruling.scene().fight if mode is not None else None
    losses = fight is not None and scope_level(fight.scope) > 0
    ruling.about(
        id,
        facts.ResourceReduced(id, name, loss, before, after, losses, wound if ruling.dials.wounds != "basic" else ""),
        accounts.lost(accounts.resource(id, name), taken),
        accounts.gained(accounts.shortfall(id, name), loss - taken) if falls else None,
    )
    ruling.by("resource.reduce", after, before=before, loss=loss)
    if losses:
        ruling.by("damage.scope", loss)
    if wound:
        ruling.by("damage.wounds", ruling.dials.wounds)
    _penalise(ruling, id, before, after)


def _penalise(ruling: Ruling, id: str, before: int, after: int) -> None:
    """`result.deferred-penalty`: until the next lull; outside Mechanical Play at once.

    What is restored first lifts what still waits.
    """
    more = _penalty(ruling, after) - _penalty(ruling, before)
    if more == 0:
        return
    most = more if ruling.mode() == "mechanical" else 0
    waits = most if more > 0 else max(more, -ruling.who(id).pending)
    if waits:
        ruling.about(id, facts.PenaltyDeferred(id, waits))
    if more != waits:
        ruling.about(id, facts.PenaltyTookEffect(id, more - waits, False))
    ruling.by("result.deferred-penalty", more, character=id)


def _penalty(ruling: Ruling, current: int) -> int:
    steps = ruling.dials.resource_penalty or ()
    return max((int(step["penalty"]) for step in steps if current <= step["at"]), default=0)


def use_resource(ruling: Ruling, do: inputs.UseResource) -> None:
    """`rating.resource`: a Rating some ability drains, as full as it is."""
    name = statistic_name(do.rating)
    number = rating_of(ruling.who(do.character), name)
    if number is None:
        raise no("rating.resource", "unknown-statistic", rating=do.rating)
    if name in ruling.who(do.character).resources:
        raise no("rating.resource", "bad-number", rating=do.rating)
    account = accounts.resource(do.character, name)
    ruling.about(
        do.character,
        facts.ResourceUsed(name, number),
        accounts.gained(account, number - ruling.balance(account)),
    )
    ruling.by("rating.resource", number, rating=name)


def spend_power(ruling: Ruling, do: inputs.SpendPower) -> None:
    """`resource.power`: no more than there is; a failed spell drains, where the table plays so."""
    rule = "resource.power"
    ruling.must_play(do.character, rule)
    amount, why = do.amount, do.why
    held = ruling.balance(accounts.resource(do.character, "power"))
    if do.missed_by is not None:
        missed = check_whole(do.missed_by, rule)
        drained = abs(missed) if ruling.dials.spell_failure_drain else 0
        amount, why = min(held, drained), why or "a failed spell"
    elif not is_natural(amount):
        raise no(rule, "bad-number", amount=str(amount))
    if amount > held:
        raise no(rule, "not-enough-power", amount=amount, held=held)
    before = current(ruling, do.character, "power")
    account = accounts.resource(do.character, "power")
    ruling.about(do.character, facts.PowerSpent(do.character, amount, why), accounts.lost(account, amount))
    ruling.by(rule, before - amount, amount=amount)
    _penalise(ruling, do.character, before, before - amount)


def restore(ruling: Ruling, do: inputs.RestoreResource) -> None:
    """`resource.restore`: by ruling, never above the maximum."""
    rule, id, name = "resource.restore", do.character, statistic_name(do.resource)
    who = ruling.who(id)
    if name not in who.resources:
        raise no(rule, "unknown-statistic", resource=name)
    amount = check_positive(do.amount, rule)
    before = current(ruling, id, name)
    given = min(amount, max(0, who.resources[name] - before))
    below = min(given, ruling.balance(accounts.shortfall(id, name)))
    ruling.about(
        id,
        facts.ResourceRestored(id, name, given, do.ruling),
        accounts.lost(accounts.shortfall(id, name), below),
        accounts.gained(accounts.resource(id, name), given - below),
    )
    ruling.by(rule, before + given, before=before)
    _penalise(ruling, id, before, before + given)


# --- Residual modifiers by ruling, Off-Guard -------------------------------------------------------------------------


def place_residual(ruling: Ruling, do: inputs.PlaceResidual) -> None:
    ruling.who(do.character)
    amount = check_whole(do.amount, "result.residual")
    if do.until.strip().lower() in TOO_SOON and do.source in ("telling-blow", "catastrophic-failure"):
        raise no("juncture.duration", "ends-too-soon", until=do.until)
    placed = facts.ResidualPlaced(ruling.table.new_id(), do.character, amount, do.scope, do.source, do.until)
    ruling.about(do.character, placed)
    ruling.by("result.residual", amount, character=do.character)


def end_residual(ruling: Ruling, do: inputs.EndResidual) -> None:
    if all(one.residual != do.residual for one in ruling.who(do.character).residuals):
        raise no("result.residual", "bad-number", residual=do.residual)
    ruling.about(do.character, facts.ResidualEnded(do.residual))
    ruling.by("result.residual", 0, residual=do.residual)


def set_off_guard(ruling: Ruling, do: inputs.SetOffGuard) -> None:
    ruling.must_play(do.character, "engage.off-guard")
    for id in (*do.towards, *((do.all_but,) if do.all_but is not None else ())):
        ruling.who(id)
    ruling.about(do.character, facts.OffGuardSet(do.towards, do.all_but))
    ruling.by("engage.off-guard", do.all_but or list(do.towards), character=do.character)
