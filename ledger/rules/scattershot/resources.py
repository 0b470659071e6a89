"""Resources and damage: how Resources are reduced, and how weapons and protection count."""

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
from ledger.rules.scattershot.ratings import read_scope_level
from ledger.rules.scattershot.state import Character
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    NUMBERS_BY_WEAPON,
    UNKNOWN_STATISTIC,
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


def add_hit_points(state: Character, gained: int) -> Character:
    """Return the Character with more Hit Points. A Character with Hit Points left needs no ruling to fight on."""
    hit_points = state.hit_points + gained
    return _with_hit_points(state, hit_points, None if hit_points > 0 else state.fights_on)


_with_hit_points = changing(Character, "hit_points", "fights_on")


def say_reduced(fact: ResourceReduced, names: Names) -> str:
    loss_noun = "losses" if fact.losses else name_rating(fact.resource)
    loss_noun = loss_noun.removesuffix("s") if loss_noun == "Hit Points" and fact.loss == 1 else loss_noun
    loss_phrase = f"takes losses of {fact.loss}" if fact.losses else f"loses {fact.loss or 'no'} {loss_noun}"
    rest_phrase = f" and has {fact.after or 'none'} left" if fact.loss else f" and still has {fact.after or 'none'}"
    return f"{names.name(character(fact.character))} {loss_phrase}{rest_phrase}{say_reason(fact.wound)}."


@fact("resource-reduced", says=say_reduced, headline=7, kw_only=True)
class ResourceReduced:
    """A Resource was reduced. `losses`: whether the number means losses in a unit, as it does at
    Squad Scope and above.
    """

    character: CharacterId
    resource: OwnResource
    loss: int
    before: int
    after: int
    losses: bool
    wound: Reason


@changes
@once_created
def note_reduction(state: Character, fact: ResourceReduced) -> Character:
    wounded_state = changed(state, wounds=(*state.wounds, fact.wound)) if fact.wound else state
    if fact.resource != HIT_POINTS:
        return wounded_state
    return add_hit_points(wounded_state, fact.after - fact.before)


def say_deferred(fact: PenaltyDeferred, names: Names) -> str:
    name = names.name(character(fact.character))
    if fact.amount < 0:
        return f"{name}'s penalty from the next lull on falls by {-fact.amount}."
    return f"{name} will have a penalty of {fact.amount} on all rolls from the next lull on."


@fact("penalty-deferred", says=say_deferred)
class PenaltyDeferred:
    """A penalty was deferred until the next lull."""

    character: CharacterId
    amount: int


@changes
@once_created
def defer_penalty(state: Character, fact: PenaltyDeferred) -> Character:
    return changed(state, pending=state.pending + fact.amount)


def say_penalty(fact: PenaltyTookEffect, names: Names) -> str:
    name = names.name(character(fact.character))
    if fact.amount < 0:
        return f"{name}'s penalty falls by {-fact.amount}."
    return f"{name} has a penalty of {fact.amount} on all rolls from now on."


@fact("penalty-took-effect", says=say_penalty)
class PenaltyTookEffect:
    """A penalty took effect. `deferred`: whether it had to wait for a lull."""

    character: CharacterId
    amount: int
    deferred: bool


@changes
@once_created
def apply_penalty(state: Character, fact: PenaltyTookEffect) -> Character:
    deferred_amount = fact.amount if fact.deferred else 0
    return changed(state, pending=state.pending - deferred_amount, penalty=state.penalty + fact.amount)


def count_resource_left(draft: Draft, char_id: str, name: str) -> int:
    return draft.balance(accounts.name_resource(char_id, name)) - draft.balance(accounts.name_shortfall(char_id, name))


def reduce_resource(draft: Draft, char_id: str, name: str, loss: int, wound: str = "") -> None:
    """Reduce a Resource. It does not fall below 0, unless the table allows this."""
    if name not in draft.read_character(char_id).resources:
        raise UNKNOWN_STATISTIC.under(RESOURCE, resource=name)
    amount_before, amount_left = (
        count_resource_left(draft, char_id, name),
        draft.balance(accounts.name_resource(char_id, name)),
    )
    can_fall_below_zero = draft.dials.resource_floor == "none"
    posted_loss = min(loss, max(0, amount_left))
    amount_after = amount_before - loss if can_fall_below_zero else amount_before - posted_loss
    fight = draft.find_fight(char_id)
    is_unit_loss = fight is not None and read_scope_level(fight.scope) > 0
    draft.about(
        char_id,
        ResourceReduced(
            character=char_id,
            resource=name,
            loss=loss,
            before=amount_before,
            after=amount_after,
            losses=is_unit_loss,
            wound=wound if draft.dials.wounds != "basic" else "",
        ),
        accounts.make_loss(accounts.name_resource(char_id, name), posted_loss),
        accounts.make_gain(accounts.name_shortfall(char_id, name), loss - posted_loss) if can_fall_below_zero else None,
    )
    draft.by(REDUCE, amount_after, before=amount_before, loss=loss)
    if is_unit_loss:
        draft.by(LOSSES, loss)
    if wound:
        draft.by(WOUNDS, draft.dials.wounds)
    change_penalty(draft, char_id, amount_before, amount_after)


def change_penalty(draft: Draft, char_id: str, amount_before: int, amount_after: int) -> None:
    """Change the penalty for a changed Resource: at the next lull or, outside Mechanical Play, at once.

    A restored Resource first reduces the penalty that is still pending.
    """
    penalty_change = _find_penalty(draft, amount_after) - _find_penalty(draft, amount_before)
    if penalty_change == 0:
        return
    deferrable_change = penalty_change if draft.find_mode() == "mechanical" else 0
    deferred_change = (
        deferrable_change if penalty_change > 0 else max(penalty_change, -draft.read_character(char_id).pending)
    )
    if deferred_change:
        draft.about(char_id, PenaltyDeferred(char_id, deferred_change))
    if penalty_change != deferred_change:
        draft.about(char_id, PenaltyTookEffect(char_id, penalty_change - deferred_change, False))
    draft.by(conditions.DEFERRED_PENALTY, penalty_change, character=char_id)


def _find_penalty(draft: Draft, amount_left: int) -> int:
    steps = draft.dials.resource_penalty or ()
    return max((int(step["penalty"]) for step in steps if amount_left <= step["at"]), default=0)


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


def may_be_resource(draft: Draft, char_id: str, name: str, typed_name: str) -> Refused | None:
    return BAD_NUMBER.under(RESOURCE, rating=typed_name) if name in draft.read_character(char_id).resources else None


@decides
def make_rating_a_resource(draft: Draft, do: UseResource) -> None:
    """Turn a Rating into a Resource, which starts full, because an ability drains it."""
    name = read_statistic(do.rating)
    maximum = find_rating(draft.read_character(do.character), name)
    if maximum is None:
        raise UNKNOWN_STATISTIC.under(RESOURCE, rating=do.rating)
    require(may_be_resource(draft, do.character, name, do.rating))
    account = accounts.name_resource(do.character, name)
    draft.about(
        do.character,
        ResourceUsed(name, maximum),
        accounts.make_gain(account, maximum - draft.balance(account)),
    )
    draft.by(RESOURCE, maximum, rating=name)


@offers
def offer_use_resource(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield a move for each group of Characters that can turn the same Ratings into Resources."""
    if seen.decides:
        for ratings, id_domain in group_alike(
            draft.roster, lambda char_id: _list_possible_resources(draft, char_id) or None
        ):
            yield Move(UseResource, {"character": id_domain, "rating": Among(ratings)})


def _list_possible_resources(draft: Draft, char_id: str) -> tuple[str, ...]:
    char_state = draft.read_character(char_id)
    return tuple(name for name in char_state.ratings if may_be_resource(draft, char_id, name, name) is None)


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


def read_multiplier(draft: Draft, char_state: Character, magnitude: str) -> Fraction:
    rating = find_rating(char_state, magnitude)
    if rating is None:
        raise UNKNOWN_STATISTIC.under(FACTOR, magnitude=magnitude)
    return chart.read_facet(draft.dials, rating, "multiplier")


def work_out_factor(draft: Draft, actor_state: Character, magnitude: str, remaining: int) -> int:
    """Return how much a Resource is reduced, which is 0 if the remaining number is below 0."""
    loss = chart.round_half_up(remaining * read_multiplier(draft, actor_state, magnitude)) if remaining >= 0 else 0
    draft.by(FACTOR, loss, remaining=remaining, magnitude=magnitude)
    return loss


def read_weapon_number(draft: Draft, name_or_number: object) -> int:
    """Return the number that a weapon adds, as listed by the campaign or else by the game. A number is returned as it
    is.

    Refuses `bad-number`.
    """
    number = _find_weapon_number(draft, name_or_number) if isinstance(name_or_number, str) else name_or_number
    if not is_natural(number):
        raise BAD_NUMBER.under(WEAPON, weapon=str(name_or_number))
    return number


def _find_weapon_number(draft: Draft, name: str) -> int | None:
    number = draft.read_campaign().weapons.get(name)
    return number if number is not None else NUMBERS_BY_WEAPON.get(name.strip().lower().replace(" ", "-"))


def add_up_protection(draft: Draft, wearer: Character, piece_names: tuple[str, ...] | None) -> int:
    """Return the total protection of these pieces, or of all pieces. An ability's Bonus counts once
    for all its pieces.
    """
    if piece_names is not None and not set(piece_names) <= {piece.name for piece in wearer.protection}:
        raise BAD_NUMBER.under(PROTECTION, pieces=list(piece_names))
    pieces = [piece for piece in wearer.protection if piece_names is None or piece.name in piece_names]
    abilities = {piece.bought for piece in pieces if piece.bought is not None}
    protection = sum(int(piece.static or 0) for piece in pieces if piece.bought is None)
    protection += sum(_read_bonus(draft, wearer, ability) for ability in sorted(abilities))
    if protection:
        draft.by(PROTECTION, protection)
    return protection


def _read_bonus(draft: Draft, wearer: Character, ability: str) -> int:
    """Return the Bonus of the ability that the protection belongs to, or 0 if Play removed it."""
    rating = find_rating(wearer, ability)
    return chart.round_half_up(chart.read_facet(draft.dials, rating, "bonus")) if rating is not None else 0


def _say_damage(char_id: str, weapon: object, names: Names) -> str:
    if weapon in (0, "fists"):
        return f"{names.name(character(char_id))}'s bare-handed damage"
    weapon_phrase = f"with a {words(weapon)}" if isinstance(weapon, str) else f"with a weapon of {show_sign(weapon)}"
    return f"{names.name(character(char_id))}'s damage {weapon_phrase}"


def say_listed_damage(fact: DamageListed, names: Names) -> str:
    damages = ", ".join(map(str, fact.damages))
    return f"{_say_damage(fact.character, fact.weapon, names)} for an RMIB of 0 and up: {damages}."


@fact("damage-listed", says=say_listed_damage, headline=30)
class DamageListed:
    """The damage of a weapon was listed, for every RMIB from 0 to the Critical Juncture."""

    character: CharacterId
    weapon: int
    damages: tuple[int, ...]


@changes
@once_created
def list_damage_of_weapon(state: Character, fact: DamageListed) -> Character:
    return changed(state, damages={**state.damages, str(fact.weapon): fact.damages})


def say_lists_damage(do: ListDamage, names: Names) -> str:
    return f"{_say_damage(do.character, do.weapon, names)} is listed on the Persona Sheet."


@declares("list-damage", ANYONE, says=say_lists_damage, records=(DamageListed,))
class ListDamage:
    """Note on the Persona Sheet how much damage a weapon does at each RMIB from 0 to the Critical Juncture.

    `weapon`: the name of the weapon, or the number that it adds to an RMIB.
    """

    character: CharacterId
    weapon: Weapon = 0


@decides
def note_weapon_damage(draft: Draft, do: ListDamage) -> None:
    """List the damage of a weapon, up to the Critical Juncture."""
    note_damages(draft, do.character, read_weapon_number(draft, do.weapon))


def note_first_damages(draft: Draft, char_id: str, strength: int, weapon_numbers: Iterable[int]) -> None:
    """List the damage without a weapon and with each weapon. Do nothing if the UE Chart has no row
    for this Strength.
    """
    try:
        multiplier = chart.read_facet(draft.dials, strength, "multiplier")
    except Refused:
        return
    for weapon_number in dict.fromkeys((0, *weapon_numbers)):
        _note_damages(draft, char_id, weapon_number, multiplier)


def _note_damages(draft: Draft, char_id: str, weapon_number: int, multiplier: Fraction) -> None:
    added_at_zero = weapon_number if draft.dials.weapon_adds_at_zero else 0
    numbers = range(draft.dials.critical_juncture + 1)
    damages = tuple(
        chart.round_half_up((number + (weapon_number if number else added_at_zero)) * multiplier) for number in numbers
    )
    draft.about(char_id, DamageListed(char_id, weapon_number, damages))
    draft.by(DAMAGE_TABLE, list(damages), weapon=weapon_number)


def note_damages(draft: Draft, char_id: str, weapon_number: int) -> None:
    _note_damages(draft, char_id, weapon_number, read_multiplier(draft, draft.read_character(char_id), "strength"))


@offers
def offer_damage_list(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that list damage. Any seat can make them."""
    able_ids = tuple(char_id for char_id in draft.roster if _has_damage(draft, char_id))
    if able_ids:
        yield Move(ListDamage, {"character": Among(able_ids), "weapon": draft.make_weapon_domain(is_used_now=False)})


def _has_damage(draft: Draft, char_id: str) -> bool:
    strength = find_rating(draft.read_character(char_id), "strength")
    return strength is not None and chart.may_read(draft.dials, strength, "multiplier") is None
