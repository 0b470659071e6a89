"""Resources and damage: what is left, how a Resource is reduced, weapons and protection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from ledger.rules.kernel.kit import (
    ANYONE,
    GM,
    Among,
    CharacterId,
    Move,
    Names,
    Reason,
    Refused,
    Seen,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    fact,
    offers,
    once_created,
    require,
    rule,
    words,
)
from ledger.rules.scattershot import accounts, chart, conditions
from ledger.rules.scattershot.draft import Draft, find_rating, group_alike
from ledger.rules.scattershot.ratings import find_scope_level
from ledger.rules.scattershot.state import Character
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    UNKNOWN_STATISTIC,
    WEAPONS,
    OwnRating,
    OwnResource,
    Resource,
    Weapon,
    is_natural,
    name_rating,
    read_statistic,
    say_reason,
    show_sign,
)

RESOURCE = rule(
    "scattershot.rating.resource",
    "A Resource is an amount that can be lost and restored. Hit Points and Power are Resources, and so is"
    " any Rating that an ability drains.",
    "Resource",
)
LOSSES = rule(
    "scattershot.damage.scope",
    "At Squad Scope and above, damage means losses to a unit.",
    "Squad-Level Scope",
)
WOUNDS = rule(
    "scattershot.damage.wounds",
    "A wound is described in words. It has no other effect.",
    "Damage",
)
REDUCE = rule(
    "scattershot.resource.reduce",
    "A Resource cannot fall below 0. At 0 it is used up.",
    "Hit Points",
    step="A loss of {loss} from {before} leaves {out}.",
)
HIT_POINTS = "hit-points"


def add_hit_points(state: Character, more: int) -> Character:
    """Return the Character with more Hit Points. With some left, it needs no ruling to fight on."""
    left = state.hit_points + more
    return _with_left(state, left, None if left > 0 else state.fights_on)


_with_left = changing(Character, "hit_points", "fights_on")


def say_reduced(fact: ResourceReduced, names: Names) -> str:
    what = "losses" if fact.losses else name_rating(fact.resource)
    what = what.removesuffix("s") if what == "Hit Points" and fact.loss == 1 else what
    lost = f"takes losses of {fact.loss}" if fact.losses else f"loses {fact.loss or 'no'} {what}"
    left = f" and has {fact.after or 'none'} left" if fact.loss else f" and still has {fact.after or 'none'}"
    return f"{names.name(character(fact.character))} {lost}{left}{say_reason(fact.wound)}."


@fact("resource-reduced", says=say_reduced, headline=7, kw_only=True)
class ResourceReduced:
    """A Resource was reduced. `losses`: true at Squad Scope and above, where the number means losses to a unit."""

    character: CharacterId
    resource: OwnResource
    loss: int
    before: int
    after: int
    losses: bool
    wound: Reason


@changes
@once_created
def reduce_resource(state: Character, fact: ResourceReduced) -> Character:
    after = changed(state, wounds=(*state.wounds, fact.wound)) if fact.wound else state
    return add_hit_points(after, fact.after - fact.before) if fact.resource == HIT_POINTS else after


def say_deferred(fact: PenaltyDeferred, names: Names) -> str:
    who = names.name(character(fact.character))
    if fact.amount < 0:
        return f"{who}'s penalty from the next lull on falls by {-fact.amount}."
    return f"{who} will have a penalty of {fact.amount} on all rolls from the next lull on."


@fact("penalty-deferred", says=say_deferred)
class PenaltyDeferred:
    """A penalty that waits for the next lull."""

    character: CharacterId
    amount: int


@changes
@once_created
def defer_penalty(state: Character, fact: PenaltyDeferred) -> Character:
    return changed(state, pending=state.pending + fact.amount)


def say_penalty(fact: PenaltyTookEffect, names: Names) -> str:
    who = names.name(character(fact.character))
    if fact.amount < 0:
        return f"{who}'s penalty falls by {-fact.amount}."
    return f"{who} has a penalty of {fact.amount} on all rolls from now on."


@fact("penalty-took-effect", says=say_penalty)
class PenaltyTookEffect:
    """A penalty counts from now on. `deferred`: whether it had to wait for a lull."""

    character: CharacterId
    amount: int
    deferred: bool


@changes
@once_created
def apply_penalty(state: Character, fact: PenaltyTookEffect) -> Character:
    waited = fact.amount if fact.deferred else 0
    return changed(state, pending=state.pending - waited, penalty=state.penalty + fact.amount)


def count_left(draft: Draft, id: str, name: str) -> int:
    return draft.balance(accounts.resource(id, name)) - draft.balance(accounts.shortfall(id, name))


def reduce(draft: Draft, id: str, name: str, loss: int, wound: str = "") -> None:
    """Reduce a Resource to 0 at the lowest, unless the table lets it fall further."""
    if name not in draft.who(id).resources:
        raise UNKNOWN_STATISTIC.under(RESOURCE, resource=name)
    before, held = count_left(draft, id, name), draft.balance(accounts.resource(id, name))
    falls = draft.dials.resource_floor == "none"
    taken = min(loss, max(0, held))
    after = before - loss if falls else before - taken
    fight = draft.fight(id)
    losses = fight is not None and find_scope_level(fight.scope) > 0
    draft.about(
        id,
        ResourceReduced(
            character=id,
            resource=name,
            loss=loss,
            before=before,
            after=after,
            losses=losses,
            wound=wound if draft.dials.wounds != "basic" else "",
        ),
        accounts.lose(accounts.resource(id, name), taken),
        accounts.gain(accounts.shortfall(id, name), loss - taken) if falls else None,
    )
    draft.by(REDUCE, after, before=before, loss=loss)
    if losses:
        draft.by(LOSSES, loss)
    if wound:
        draft.by(WOUNDS, draft.dials.wounds)
    penalise(draft, id, before, after)


def penalise(draft: Draft, id: str, before: int, after: int) -> None:
    """Change the penalty for a reduced Resource: at the next lull, or at once outside Mechanical Play.

    A restored Resource first reduces the penalty that is still pending.
    """
    more = _find_penalty(draft, after) - _find_penalty(draft, before)
    if more == 0:
        return
    most = more if draft.mode() == "mechanical" else 0
    waits = most if more > 0 else max(more, -draft.who(id).pending)
    if waits:
        draft.about(id, PenaltyDeferred(id, waits))
    if more != waits:
        draft.about(id, PenaltyTookEffect(id, more - waits, False))
    draft.by(conditions.DEFERRED_PENALTY, more, character=id)


def _find_penalty(draft: Draft, current: int) -> int:
    steps = draft.dials.resource_penalty or ()
    return max((int(step["penalty"]) for step in steps if current <= step["at"]), default=0)


@fact("resource-used", says="{subject}'s {resource} is now a Resource with a maximum of {maximum}.")
class ResourceUsed:
    """A Rating that an ability drains became a Resource."""

    resource: Resource
    maximum: int


@changes
@once_created
def use_rating_as_resource(state: Character, fact: ResourceUsed) -> Character:
    return changed(state, resources={**state.resources, fact.resource: fact.maximum})


@declares("use-resource", GM, says="{character}'s {rating} becomes a Resource.", records=(ResourceUsed,))
class UseResource:
    """Make a Rating a Resource, because an ability drains it. The Resource starts full."""

    character: CharacterId
    rating: OwnRating


def may_be_resource(draft: Draft, id: str, name: str, rating: str) -> Refused | None:
    """Refuse a Rating that is a Resource already."""
    return BAD_NUMBER.under(RESOURCE, rating=rating) if name in draft.who(id).resources else None


@decides
def use_resource(draft: Draft, do: UseResource) -> None:
    """Make a Rating that an ability drains a full Resource."""
    name = read_statistic(do.rating)
    number = find_rating(draft.who(do.character), name)
    if number is None:
        raise UNKNOWN_STATISTIC.under(RESOURCE, rating=do.rating)
    require(may_be_resource(draft, do.character, name, do.rating))
    account = accounts.resource(do.character, name)
    draft.about(
        do.character,
        ResourceUsed(name, number),
        accounts.gain(account, number - draft.balance(account)),
    )
    draft.by(RESOURCE, number, rating=name)


@offers
def offer_to_use(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield the Ratings that can become Resources."""
    if seen.decides:
        for ratings, characters in group_alike(draft.known, lambda id: _list_possible(draft, id) or None):
            yield Move(UseResource, {"character": characters, "rating": Among(ratings)})


def _list_possible(draft: Draft, id: str) -> tuple[str, ...]:
    """Return the Ratings that are no Resources."""
    who = draft.who(id)
    return tuple(name for name in who.ratings if may_be_resource(draft, id, name, name) is None)


# --- damage -----------------------------------------------------------------------------------------------------------

FISTS = rule(
    "scattershot.damage.fists",
    "A Character who has a Strength of 9 to 11 and uses no weapon does damage equal to the remaining RMIB.",
    "Damage",
)
DAMAGE = rule(
    "scattershot.damage.formula",
    "To calculate damage, add the weapon's number to the remaining RMIB, multiply by the Multiplier for the"
    " Character's Strength, and subtract protection. Damage is never below 0.",
    "Damage",
    step=(
        "Add {weapon} for the weapon to {remaining}, multiply by the Multiplier, and subtract {protection}"
        " for protection: {out} damage."
    ),
)
WEAPON = rule(
    "scattershot.damage.weapon",
    "Fists add 0 to the RMIB, a dagger 1, a short sword 2 and a long sword 3.",
    "Damage",
)
PROTECTION = rule(
    "scattershot.damage.protection",
    "A piece of protection reduces damage by a fixed amount, or by the Bonus for the ability it was bought"
    " with. Each ability counts only once.",
    "Protection",
)
DAMAGE_TABLE = rule(
    "scattershot.damage.table",
    "The Persona Sheet lists the damage of each weapon for every RMIB from 0 to the Critical Juncture.",
    "Damage",
)
FACTOR = rule(
    "scattershot.result.factor",
    "A Factor result reduces a Resource. The loss is the remaining MIB or RMIB, times the Multiplier that"
    " the UE Chart gives for the Action's Magnitude.",
    "Results",
    step="{remaining} times the Multiplier of {magnitude} is {out}.",
)


def read_multiplier(draft: Draft, who: Character, magnitude: str) -> Fraction:
    number = find_rating(who, magnitude)
    if number is None:
        raise UNKNOWN_STATISTIC.under(FACTOR, magnitude=magnitude)
    return chart.read_facet(draft.dials, number, "multiplier")


def work_out_factor(draft: Draft, who: Character, magnitude: str, remaining: int) -> int:
    """Return what a Resource loses: nothing if the number is below 0."""
    loss = chart.round_half_up(remaining * read_multiplier(draft, who, magnitude)) if remaining >= 0 else 0
    draft.by(FACTOR, loss, remaining=remaining, magnitude=magnitude)
    return loss


def find_weapon(draft: Draft, weapon: object) -> int:
    """Return the number of a weapon: as the campaign lists it, as the game knows it, or as given.

    Refuses `bad-number`.
    """
    number = _find_listed(draft, weapon) if isinstance(weapon, str) else weapon
    if not is_natural(number):
        raise BAD_NUMBER.under(WEAPON, weapon=str(weapon))
    return number


def _find_listed(draft: Draft, weapon: str) -> int | None:
    listed = draft.campaign().weapons.get(weapon)
    return listed if listed is not None else WEAPONS.get(weapon.strip().lower().replace(" ", "-"))


def add_up_protection(draft: Draft, subject: Character, named: tuple[str, ...] | None) -> int:
    """Return the protection of these pieces, or of all. An ability's Bonus counts once for all its pieces."""
    if named is not None and not set(named) <= {piece.name for piece in subject.protection}:
        raise BAD_NUMBER.under(PROTECTION, pieces=list(named))
    pieces = [piece for piece in subject.protection if named is None or piece.name in named]
    abilities = {piece.bought for piece in pieces if piece.bought is not None}
    worn = sum(int(piece.static or 0) for piece in pieces if piece.bought is None)
    worn += sum(_read_bonus(draft, subject, ability) for ability in sorted(abilities))
    if worn:
        draft.by(PROTECTION, worn)
    return worn


def _read_bonus(draft: Draft, subject: Character, ability: str) -> int:
    """Return the Bonus of the ability that the protection belongs to, or 0 if Play removed it."""
    number = find_rating(subject, ability)
    return chart.round_half_up(chart.read_facet(draft.dials, number, "bonus")) if number is not None else 0


def _say_damage(id: str, weapon: object, names: Names) -> str:
    if weapon in (0, "fists"):
        return f"{names.name(character(id))}'s bare-handed damage"
    armed = f"with a {words(weapon)}" if isinstance(weapon, str) else f"with a weapon of {show_sign(weapon)}"
    return f"{names.name(character(id))}'s damage {armed}"


def say_listed_damage(fact: DamageListed, names: Names) -> str:
    damages = ", ".join(map(str, fact.damages))
    return f"{_say_damage(fact.character, fact.weapon, names)} for an RMIB of 0 and up: {damages}."


@fact("damage-listed", says=say_listed_damage, headline=30)
class DamageListed:
    """The damage of a weapon for every RMIB from 0 to the Critical Juncture."""

    character: CharacterId
    weapon: int
    damages: tuple[int, ...]


@changes
@once_created
def list_damage_of_weapon(state: Character, fact: DamageListed) -> Character:
    return changed(state, damages={**state.damages, str(fact.weapon): fact.damages})


def say_lists_damage(do: ListDamage, names: Names) -> str:
    return f"Noted on the Persona Sheet: {_say_damage(do.character, do.weapon, names)}."


@declares("list-damage", ANYONE, says=say_lists_damage, records=(DamageListed,))
class ListDamage:
    """Note on the Persona Sheet how much damage a weapon does at each RMIB from 0 to the Critical Juncture.

    `weapon`: the name of the weapon, or the number that it adds to an RMIB.
    """

    character: CharacterId
    weapon: Weapon = 0


@decides
def list_damage(draft: Draft, do: ListDamage) -> None:
    """List the damage of a weapon, up to the Critical Juncture."""
    note_damages(draft, do.character, find_weapon(draft, do.weapon))


def note_first_damages(draft: Draft, id: str, strength: int, weapons: Iterable[int]) -> None:
    """List the damage without a weapon and with each weapon. Does nothing if the UE Chart lacks this Strength."""
    try:
        times = chart.read_facet(draft.dials, strength, "multiplier")
    except Refused:
        return
    for weapon in dict.fromkeys((0, *weapons)):
        _note(draft, id, weapon, times)


def _note(draft: Draft, id: str, weapon: int, times: Fraction) -> None:
    at_zero = weapon if draft.dials.weapon_adds_at_zero else 0
    numbers = range(draft.dials.critical_juncture + 1)
    damages = tuple(chart.round_half_up((number + (weapon if number else at_zero)) * times) for number in numbers)
    draft.about(id, DamageListed(id, weapon, damages))
    draft.by(DAMAGE_TABLE, list(damages), weapon=weapon)


def note_damages(draft: Draft, id: str, weapon: int) -> None:
    _note(draft, id, weapon, read_multiplier(draft, draft.who(id), "strength"))


@offers
def offer_damage_list(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield damage lists, which anybody can add."""
    able = tuple(id for id in draft.known if _has_damage(draft, id))
    if able:
        yield Move(ListDamage, {"character": Among(able), "weapon": draft.allow_weapons(counts=False)})


def _has_damage(draft: Draft, id: str) -> bool:
    strength = find_rating(draft.who(id), "strength")
    return strength is not None and chart.may_read(draft.dials, strength, "multiplier") is None
