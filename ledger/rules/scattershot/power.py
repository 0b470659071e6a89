"""Power and Hit Points: how they are spent and restored, and whether a Character can still fight."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import (
    ANYONE,
    GM,
    OPEN,
    Among,
    Between,
    CharacterId,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Seen,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    once_created,
    require,
    rule,
)
from ledger.rules.scattershot import accounts, resources
from ledger.rules.scattershot.draft import SOME_TEXT, WHOLE, Draft, check_positive, check_whole, group_alike
from ledger.rules.scattershot.state import LISTED_ABILITY, Character
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    NO_REASON,
    UNKNOWN_STATISTIC,
    OwnResource,
    Whole,
    is_natural,
    name_rating,
    read_statistic,
    say,
    say_reason,
)

FIGHT_LEFT = rule(
    "scattershot.stat.hit-points",
    "A Persona with no Hit Points left cannot attack, unless the Gamemaster rules otherwise.",
    "Hit Points",
)


NO_FIGHT_LEFT = Refusal(
    FIGHT_LEFT,
    "no-fight-left",
    "{character} has no Hit Points left and cannot attack, unless the Gamemaster rules otherwise.",
)


HAS_FIGHT_LEFT = Refusal(FIGHT_LEFT, "has-fight-left", "{character} can still attack, so no ruling is needed.")


POWER = rule(
    "scattershot.resource.power",
    "A Character cannot spend more Power than it has left.",
    "Power",
)


NOT_ENOUGH_POWER = Refusal(POWER, "not-enough-power", "This costs {amount} Power. The Character has only {held} left.")


RESTORE = rule(
    "scattershot.resource.restore",
    "The Gamemaster can restore a Resource, up to its maximum.",
)


def say_spent_power(fact: PowerSpent, names: Names) -> str:
    return f"{names.name(character(fact.character))} spends {fact.amount} Power{say_reason(name_rating(fact.why))}."


@fact("power-spent", says=say_spent_power, headline=34)
class PowerSpent:
    """A Character spent Power."""

    character: CharacterId
    amount: int
    why: Reason


@changes
@once_created
def note_power_spent(state: Character, fact: PowerSpent) -> Character:
    """Leave the Character as it is. An account counts the Power."""
    return state


def say_spends_power(do: SpendPower, names: Names) -> str:
    if do.missed_by is not None:
        return say(f"{{character}}'s spell fails by {str(do.missed_by).removeprefix('-')}[: {{why}}].", do, names)
    return say("{character} spends {amount} Power[: {why}].", do, names)


@declares(
    "spend-power",
    ANYONE,
    says=say_spends_power,
    records=(PowerSpent, resources.PenaltyDeferred, resources.PenaltyTookEffect),
)
class SpendPower:
    """Spend a Character's Power.

    `why`: the use of the Power. `missed_by`: by how much a spell failed. Give this instead of the amount if failed
    spells drain Power at your table.
    """

    character: CharacterId
    amount: Whole = 0
    why: Reason = ""
    missed_by: Whole | None = None


@decides
def spend_power(draft: Draft, do: SpendPower) -> None:
    """Spend Power, at most as much as is left. A failed spell drains Power if the table plays that way."""
    draft.check_plays(do.character, POWER)
    amount, reason = do.amount, do.why
    power_left = draft.balance(accounts.name_resource(do.character, "power"))
    if do.missed_by is not None:
        missed_by = check_whole(do.missed_by, POWER)
        drained_power = abs(missed_by) if draft.dials.spell_failure_drain else 0
        amount, reason = min(max(0, power_left), drained_power), reason or "a failed spell"
    elif not is_natural(amount):
        raise BAD_NUMBER.under(POWER, amount=str(amount))
    record_spent_power(draft, do.character, amount, reason)


def charge_power(draft: Draft, char_id: str, name: str) -> None:
    """Spend the Power that a use of the ability costs."""
    rating = draft.read_character(char_id).ratings.get(name)
    if rating is not None and rating.power_cost:
        record_spent_power(draft, char_id, rating.power_cost, name)
        draft.by(LISTED_ABILITY, rating.power_cost, ability=name)


def may_spend_power(draft: Draft, char_id: str, amount: int) -> Refused | None:
    """Refuse to spend more Power than is left."""
    power_left = draft.balance(accounts.name_resource(char_id, "power"))
    return NOT_ENOUGH_POWER(amount=amount, held=power_left) if amount > max(0, power_left) else None


def record_spent_power(draft: Draft, char_id: str, amount: int, reason: str) -> None:
    require(may_spend_power(draft, char_id, amount))
    amount_before = resources.count_resource_left(draft, char_id, "power")
    draft.about(
        char_id,
        PowerSpent(char_id, amount, reason),
        accounts.make_loss(accounts.name_resource(char_id, "power"), amount),
    )
    draft.by(POWER, amount_before - amount, amount=amount)
    resources.change_penalty(draft, char_id, amount_before, amount_before - amount)


@fact("resource-restored", says="{character} regains {amount} {resource}[: {ruling}].", headline=33)
class ResourceRestored:
    """The Gamemaster restored a Resource. `ruling`: the ruling in words, if there was one."""

    character: CharacterId
    resource: OwnResource
    amount: int
    ruling: Reason


@changes
@once_created
def restore_hit_points(state: Character, fact: ResourceRestored) -> Character:
    return resources.add_hit_points(state, fact.amount) if fact.resource == resources.HIT_POINTS else state


@declares(
    "restore-resource",
    GM,
    says="{character} regains {amount} {resource}[: {ruling}].",
    records=(ResourceRestored, resources.PenaltyTookEffect),
)
class RestoreResource:
    """Restore a Resource, up to its maximum. The game has no rule for recovery, so this is a Gamemaster's ruling.

    `ruling`: why the Resource is restored.
    """

    character: CharacterId
    resource: OwnResource
    amount: Whole
    ruling: Reason = ""


@decides
def restore_resource(draft: Draft, do: RestoreResource) -> None:
    """Restore a Resource up to its maximum, as a Gamemaster decides."""
    rule, char_id, name = RESTORE, do.character, read_statistic(do.resource)
    char_state = draft.read_character(char_id)
    if name not in char_state.resources:
        raise UNKNOWN_STATISTIC.under(rule, resource=name)
    amount = check_positive(do.amount, rule)
    amount_before = resources.count_resource_left(draft, char_id, name)
    restored_amount = min(amount, max(0, char_state.resources[name] - amount_before))
    shortfall = min(restored_amount, max(0, draft.balance(accounts.name_shortfall(char_id, name))))
    draft.about(
        char_id,
        ResourceRestored(char_id, name, restored_amount, do.ruling),
        accounts.make_loss(accounts.name_shortfall(char_id, name), shortfall),
        accounts.make_gain(accounts.name_resource(char_id, name), restored_amount - shortfall),
    )
    draft.by(rule, amount_before + restored_amount, before=amount_before)
    resources.change_penalty(draft, char_id, amount_before, amount_before + restored_amount)


@fact("fight-left-ruled", says="{character} may fight on: {reason}.")
class FightLeftRuled:
    """The Gamemaster ruled that the Character may attack without Hit Points, until it has some again."""

    character: CharacterId
    reason: Reason


@changes
@once_created
def fight_on(state: Character, fact: FightLeftRuled) -> Character:
    return changed(state, fights_on=fact.reason)


@declares("rule-fight-left", GM, says="{character} may fight on: {reason}.", records=(FightLeftRuled,))
class RuleFightLeft:
    """Rule that a Character with no Hit Points left may still attack. The ruling ends when the Character has Hit Points
    again.
    """

    character: CharacterId
    reason: Reason


def may_fight(draft: Draft, char_id: str, nature: str = "attack") -> Refused | None:
    """Refuse an attack by a Character without Hit Points, unless a ruling allows it."""
    is_out = (
        nature == "attack"
        and draft.read_character(char_id).fights_on is None
        and resources.count_resource_left(draft, char_id, resources.HIT_POINTS) <= 0
    )
    return NO_FIGHT_LEFT(character=char_id) if is_out else None


def may_be_allowed_to_fight(draft: Draft, char_id: str) -> Refused | None:
    """Refuse a ruling for a Character that can attack without it."""
    return HAS_FIGHT_LEFT(character=char_id) if may_fight(draft, char_id) is None else None


@decides
def rule_fight_left(draft: Draft, do: RuleFightLeft) -> None:
    reason = do.reason.strip()
    draft.read_character(do.character)
    if not reason:
        raise NO_REASON.under(FIGHT_LEFT, character=do.character)
    require(may_be_allowed_to_fight(draft, do.character))
    draft.about(do.character, FightLeftRuled(do.character, reason))
    draft.by(FIGHT_LEFT, reason, character=do.character)


@offers
def offer_power(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that spend at most the Power that is left."""
    own_ids = draft.filter_mine(draft.roster)
    for power_left, id_domain in group_alike(
        own_ids, lambda char_id: max(0, draft.balance(accounts.name_resource(char_id, "power")))
    ):
        yield Move(SpendPower, {"character": id_domain, "amount": Between(0, power_left)})
    if own_ids:
        yield Move(SpendPower, {"character": Among(own_ids), "amount": OPEN, "missed_by": WHOLE})


@offers
def offer_rulings(seen: Seen, draft: Draft) -> Iterator[Move]:
    if not seen.decides:
        return
    for resource_names, id_domain in group_alike(
        draft.roster, lambda char_id: tuple(draft.read_character(char_id).resources) or None
    ):
        yield Move(RestoreResource, {"character": id_domain, "resource": Among(resource_names), "amount": Between(1)})
    beaten_ids = tuple(char_id for char_id in draft.roster if may_be_allowed_to_fight(draft, char_id) is None)
    if beaten_ids:
        yield Move(RuleFightLeft, {"character": Among(beaten_ids), "reason": SOME_TEXT})
