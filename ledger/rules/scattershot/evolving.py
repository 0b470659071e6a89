"""How a Persona evolves: Development Points spent on Ratings and traits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from ledger.rules.kernel.kit import (
    ANYONE,
    OPEN,
    Among,
    Asking,
    Besides,
    Between,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Question,
    Refusal,
    Refused,
    Seen,
    Shape,
    Title,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    listed,
    offers,
    once_created,
    require,
    rule,
)
from ledger.rules.scattershot import accounts, chart, listings, persona, resources
from ledger.rules.scattershot.agreement import ask_to_agree
from ledger.rules.scattershot.draft import NO, NONE, YES, Draft, check_positive, group_alike
from ledger.rules.scattershot.ratings import ADVANTAGE
from ledger.rules.scattershot.state import (
    LISTED_ABILITY,
    AbilityUseListed,
    Advantage,
    Character,
    EffectIndexed,
    Protection,
    Rated,
    Skill,
)
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    BASES_BY_DIFFICULTY,
    BEYOND_THE_LISTING,
    STATISTICS,
    UNKNOWN_STATISTIC,
    Positive,
    Rating,
    Trait,
    Whole,
    find_base,
    is_whole,
    name_rating,
    price_in_fives,
    read_statistic,
    whether,
)

LATER_POINTS = rule(
    "scattershot.persona.later-points",
    "After creation, a Persona gets Development Points only from Experience Dice. Each point raises one"
    " Rating by 1, or pays for part of a trait.",
    "Creating/Evolving a Character",
)
NOT_ENOUGH_POINTS = Refusal(
    LATER_POINTS,
    "not-enough-points",
    "This costs {points:Development Point|Development Points}. The Character has {unspent} left to spend.",
)
WHICH_TRAIT = Refusal(LATER_POINTS, "which-trait", "Buy exactly 1 trait at a time, not {given}.")


@fact("development-points-allocated", says="{subject} puts {points:point|points} into {rating}.")
class DevelopmentPointsAllocated:
    """Unspent points were put into a Rating."""

    rating: Rating
    points: int


@changes
@once_created
def note_development_points_allocated(state: Character, fact: DevelopmentPointsAllocated) -> Character:
    """Leave the Character as it is. Accounts count the points."""
    return state


def put_points(state: Character, name: str, talent: int, training: int) -> Character:
    """Return the Character with these points in the Rating. If the Rating is a Resource, its maximum also changes."""
    rating = changed(state.ratings[name], talent=talent, training=training)
    maxima = {**state.resources, name: rating.value} if name in state.resources else state.resources
    hit_points = min(state.hit_points, rating.value) if name == resources.HIT_POINTS else state.hit_points
    return changed(state, ratings={**state.ratings, name: rating}, resources=maxima, hit_points=hit_points)


@fact(
    "rating-raised",
    says=whether(
        "new",
        "{subject} learns {rating}, with {points:point|points}.",
        "{subject}'s Rating in {rating} rises by {points}.",
    ),
)
class RatingRaised:
    """A Rating was raised. `new`: the entry for a new Rating, or None if the Rating is not new."""

    rating: Rating
    points: int
    talent: bool
    new: Rated | None


@changes
@once_created
def raise_rating_of_persona(state: Character, fact: RatingRaised) -> Character | None:
    rating = state.ratings.get(fact.rating)
    if rating is None:
        if fact.new is None:
            return None
        return changed(state, ratings={**state.ratings, fact.rating: fact.new})
    rating_after = _add_points(rating, fact.points, fact.talent)
    after = put_points(state, fact.rating, rating_after.talent, rating_after.training)
    return resources.add_hit_points(after, fact.points) if fact.rating == resources.HIT_POINTS else after


def _add_points(rating: Rated, points: int, is_talent: bool) -> Rated:
    added_talent, added_training = (points, 0) if is_talent else (0, points)
    return replace(rating, talent=rating.talent + added_talent, training=rating.training + added_training)


def say_raises(do: RaiseRating, names: Names) -> str:
    point_phrase = "1 point" if do.points == 1 else f"{do.points} points"
    new_kind_phrase = "a new Special Ability, " if do.special else "a new Skill, "
    target_phrase = f"{new_kind_phrase if do.skill is not None else ''}{name_rating(do.rating)}"
    return f"{names.name(character(do.character))} puts {point_phrase} into {target_phrase}."


@declares(
    "raise-rating",
    ANYONE,
    says=say_raises,
    records=(DevelopmentPointsAllocated, RatingRaised, EffectIndexed, resources.ResourceUsed, resources.DamageListed),
)
class RaiseRating:
    """Spend Development Points on a Rating, or on a new Skill or Special Ability.

    `rating`: the Rating to raise, or the name of the new ability. `talent`: whether the points are talent rather than
    training. `skill`: the new ability, with its difficulty. `special`: whether the new ability is a Special Ability.
    """

    character: CharacterId
    rating: Title
    points: Positive = 1
    talent: bool = False
    skill: Skill | None = None
    special: bool = False


def may_pay(draft: Draft, char_id: str, points: int) -> Refused | None:
    """Refuse more Development Points than are unspent."""
    unspent = draft.balance(accounts.name_unspent(char_id))
    return NOT_ENOUGH_POINTS(points=points, unspent=unspent) if points > max(0, unspent) else None


def _may_index_after_raise(draft: Draft, char_state: Character, name: str, points: int) -> Refused | None:
    return persona.may_index_anew(draft, char_state, name, _add_points(char_state.ratings[name], points, False))


@decides
def raise_rating(draft: Draft, do: RaiseRating) -> None:
    """Put unspent points into a Rating. Each point raises it by 1."""
    draft.check_plays(do.character, LATER_POINTS)
    char_state, char_id = draft.read_character(do.character), do.character
    name = read_statistic(do.rating)
    points = check_positive(do.points, LATER_POINTS)
    new_rating: Rated | None = None
    if name not in char_state.ratings:
        if do.skill is None:
            raise listings.NO_SUCH_FREE_SKILL(rating=do.rating)
        talent, training = (points, 0) if do.talent else (0, points)
        new_skill = replace(do.skill, name=name, talent=talent, training=training)
        new_rating = persona.rate_ability(draft, new_skill, do.special)
        if not draft.is_by_gm and listings.is_better_than_listed(draft, name, new_rating):
            raise BEYOND_THE_LISTING.under(LISTED_ABILITY, abilities=[name])
        if new_rating.facet is not None and read_statistic(new_rating.magnitude or "") not in char_state.ratings:
            raise UNKNOWN_STATISTIC.under(persona.SPECIAL_ABILITY, magnitude=new_rating.magnitude)
    require(may_pay(draft, char_id, points))
    rating_after = new_rating or _add_points(char_state.ratings[name], points, do.talent)
    require(persona.may_index_anew(draft, char_state, name, rating_after))
    investment = accounts.make_posting(accounts.name_unspent(char_id), accounts.name_invested(char_id), points)
    draft.about(char_id, DevelopmentPointsAllocated(name, points), investment)
    resource_gain = (
        accounts.make_gain(accounts.name_resource(char_id, name), points) if name in char_state.resources else None
    )
    draft.about(char_id, RatingRaised(name, points, do.talent, new_rating), resource_gain)
    if new_rating is not None and new_rating.type == "resource":
        account = accounts.name_resource(char_id, name)
        filling = accounts.make_gain(account, new_rating.value - draft.balance(account))
        draft.about(char_id, resources.ResourceUsed(name, new_rating.value), filling)
    record_indexed_values(draft, char_id, name)
    draft.by(LATER_POINTS, draft.read_character(char_id).ratings[name].value, rating=name, points=points)


BOUGHT_PHRASES = {
    "advantage": "the Advantage {}",
    "free-skill": "the Free Skill {}",
    "element": "an element of 'Character' ({})",
    "protection": "protection by {}",
}


def _name_bought(kind: str, name: str) -> str:
    return BOUGHT_PHRASES[kind].format(name.strip())


def say_bought(fact: TraitBought, names: Names) -> str:
    point_phrase = "1 point" if fact.points == 1 else f"{fact.points} points"
    price_phrase = f" for {point_phrase}" if fact.points else ""
    return f"{names.name(character(fact.character))} buys {_name_bought(fact.trait, fact.name)}{price_phrase}."


@fact("trait-bought", says=say_bought, headline=35, kw_only=True)
class TraitBought:
    """A trait was bought with unspent points. `advantage`, `rated` (a Free Skill), `protection`: the trait that was
    bought, if it is of this kind.
    """

    character: CharacterId
    trait: Trait
    name: Title
    points: int
    advantage: Advantage | None
    rated: Rated | None
    protection: Protection | None


@changes
@once_created
def add_trait(state: Character, fact: TraitBought) -> Character | None:
    match fact.trait:
        case "advantage" if fact.advantage is not None:
            return changed(state, advantages=(*state.advantages, fact.advantage))
        case "free-skill" if fact.rated is not None:
            return changed(state, ratings={**state.ratings, fact.name: fact.rated})
        case "element":
            return changed(state, elements=(*state.elements, fact.name))
        case "protection" if fact.protection is not None:
            return changed(state, protection=(*state.protection, fact.protection))
        case _:
            return None


@fact("protection-declined", says="The Gamemaster does not allow {character} this protection: {name}.", headline=2)
class ProtectionDeclined:
    """The Gamemaster did not allow a piece of static protection outside Solo Play."""

    character: CharacterId
    name: Title


@changes
@once_created
def note_protection_declined(state: Character, fact: ProtectionDeclined) -> Character:
    return state


def say_buys(do: BuyTrait, names: Names) -> str:
    advantage = do.advantage.name if do.advantage is not None else None
    protection = do.protection.name if do.protection is not None else None
    kinds_and_names = zip(BOUGHT_PHRASES, (advantage, do.free_skill, do.element, protection), strict=True)
    phrases = [_name_bought(kind, name) for kind, name in kinds_and_names if name is not None]
    return f"{names.name(character(do.character))} buys {listed(phrases) if phrases else 'nothing'}."


@declares("buy-trait", ANYONE, says=say_buys, records=(TraitBought, listings.ListingUpheld, ProtectionDeclined))
class BuyTrait:
    """Spend Development Points on an Advantage, a Free Skill, an element of 'Character' or a piece of protection. Buy
    only one of these at a time. The first piece of protection from an ability is included in the price of the ability;
    each further piece costs 1 point. The Gamemaster is asked about anything beyond a listing, and about static
    protection outside Solo Play.

    `level`: the Rating at which the Free Skill starts.
    """

    character: CharacterId
    advantage: Advantage | None = None
    free_skill: Title | None = None
    level: Whole | None = None
    element: Title | None = None
    protection: Protection | None = None


@decides
def buy_trait(draft: Draft, do: BuyTrait) -> Asking[None]:
    """Buy an Advantage, a Free Skill, an element or a piece of protection."""
    draft.check_plays(do.character, LATER_POINTS)
    char_id, trait = do.character, _make_trait_bought(draft, do)
    require(may_pay(draft, char_id, trait.points))
    posting = accounts.make_posting(accounts.name_unspent(char_id), accounts.name_invested(char_id), trait.points)
    draft.about(char_id, trait, posting)
    draft.by(LATER_POINTS, trait.points, trait=trait.name)
    is_beyond = do.advantage is not None and bool(listings.list_traits_beyond_listings(draft, (do.advantage,)))
    is_better = trait.rated is not None and listings.is_better_than_listed(draft, trait.name, trait.rated)
    if (is_beyond or is_better) and not draft.is_by_gm:
        yield from listings.ask_to_allow(draft, char_id, trait.name, f"{trait.name} would go beyond its listing")
    if do.protection is not None and do.protection.static is not None and draft.find_mode() != "solo":
        yield from _ask_for_static(draft, char_id, trait.name)


def _make_trait_bought(draft: Draft, do: BuyTrait) -> TraitBought:
    """Return the purchase and its price. Refuses `which-trait`, and the codes of the check for the kind of trait."""
    char_state = draft.read_character(do.character)
    make_fact = partial(TraitBought, character=do.character, advantage=None, rated=None, protection=None)
    given_traits = [trait for trait in (do.advantage, do.free_skill, do.element, do.protection) if trait is not None]
    if len(given_traits) != 1:
        raise WHICH_TRAIT(given=len(given_traits))
    if do.advantage is not None:
        advantage = persona.check_trait(do.advantage, ADVANTAGE)
        draft.by(ADVANTAGE, advantage.value, advantage=advantage.name)
        return make_fact(trait="advantage", name=advantage.name, points=int(advantage.value), advantage=advantage)
    if do.free_skill is not None:
        if not is_whole(do.level) or do.free_skill in char_state.ratings or read_statistic(do.free_skill) in STATISTICS:
            raise BAD_NUMBER.under(listings.FREE_SKILL, free_skill=do.free_skill)
        points = _price_free_skill(char_state)
        draft.by(listings.FREE_SKILL, points, free_skill=do.free_skill)
        new_rating = Rated("free-skill", do.level, 0, 0)
        return make_fact(trait="free-skill", name=do.free_skill, points=points, rated=new_rating)
    if do.element is not None:
        points = _price_next_item(len(char_state.elements))
        draft.by(persona.CHARACTER_ELEMENT, points, element=do.element)
        return make_fact(trait="element", name=do.element, points=points)
    assert do.protection is not None
    persona.check_protection(do.protection, char_state.ratings)
    points = persona.price_pieces((*char_state.protection, do.protection)) - persona.price_pieces(char_state.protection)
    draft.by(resources.PROTECTION, points, piece=do.protection.name)
    return make_fact(trait="protection", name=do.protection.name, points=points, protection=do.protection)


def _price_free_skill(char_state: Character) -> int:
    return _price_next_item(sum(1 for rating in char_state.ratings.values() if rating.kind == "free-skill"))


ASK_PROTECTION = Question("protection", "{purpose}. Do you allow it?")


def _ask_for_static(draft: Draft, char_id: str, piece_name: str) -> Asking[None]:
    """Ask the Gamemaster about static protection outside Solo Play. If the Gamemaster declines, record only the
    refusal.
    """
    if draft.is_by_gm:
        return
    purpose = f"Static protection outside Solo Play: {piece_name}"
    if not (yield from ask_to_agree(draft, draft.find_gm(), resources.PROTECTION, ASK_PROTECTION(), purpose)):
        draft.start_over()
        draft.about(char_id, ProtectionDeclined(char_id, piece_name))
        draft.by(resources.PROTECTION, 0, piece=piece_name)


def _price_next_item(count: int) -> int:
    """Return the price of one more item. Every five items, or part of five, cost 1 point."""
    return price_in_fives(count + 1) - price_in_fives(count)


def _count_unspent(draft: Draft, char_id: str) -> int:
    return max(0, draft.balance(accounts.name_unspent(char_id)))


FEW = 12


def find_points_domain(most: int, may_move: Callable[[int], Refused | None]) -> Domain | None:
    """Return the domain of how many points may be moved, from 1 to a few. Return None if no points may be moved."""
    movable_points = tuple(points for points in range(1, min(FEW, most) + 1) if may_move(points) is None)
    return Among(movable_points) if movable_points else None


def record_indexed_values(draft: Draft, char_id: str, name: str) -> None:
    """Record again the effects and the damage that depend on the changed Rating."""
    ratings = draft.read_character(char_id).ratings
    for effect in persona.read_effects(draft, char_id, ratings, persona.list_indexed(ratings, name)):
        draft.about(char_id, effect)
    for weapon_number in draft.read_character(char_id).damages if name == "strength" else ():
        resources.note_damages(draft, char_id, int(weapon_number))


@offers
def offer_to_raise(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that put unspent points into a Rating or a new ability."""
    for char_id in draft.filter_mine(draft.roster):
        unspent, char_state = _count_unspent(draft, char_id), draft.read_character(char_id)
        if not unspent:
            continue
        fields: dict[str, Domain] = {"character": Among((char_id,)), "talent": OPEN}
        known_fields: dict[str, Domain] = {**fields, "skill": OPEN, "special": OPEN}
        free_names = tuple(
            name for name in char_state.ratings if not chart.can_leave_chart(draft, char_state, name, unspent)
        )
        if free_names:
            yield Move(RaiseRating, {**known_fields, "rating": Among(free_names), "points": Between(1, unspent)})
        for name in char_state.ratings:
            may_raise = partial(_may_index_after_raise, draft, char_state, name)
            if name not in free_names and (domain := find_points_domain(unspent, may_raise)) is not None:
                yield Move(RaiseRating, {**known_fields, "rating": Among((name,)), "points": domain})
        new_fields: dict[str, Domain] = {**fields, "points": Between(1, unspent)}
        for name_domain, skill_fields in _list_new_abilities(draft, char_state):
            for special_domain, kind_fields in _list_kinds(draft, char_state, skill_fields):
                domains = {"rating": name_domain, "special": special_domain, "skill": Shape(Skill, kind_fields)}
                yield Move(RaiseRating, {**new_fields, **domains})


def _list_new_abilities(draft: Draft, char_state: Character) -> Iterator[tuple[Domain, dict[str, Domain]]]:
    """Yield new abilities with their fields. A Player must take a listed ability exactly as listed."""
    skill_fields: dict[str, Domain] = dict.fromkeys(
        ("difficulty", "talent", "training", "ability_type", "use", "scope", "duration", "script", "power_cost"), OPEN
    )
    magnitudes = [rating.magnitude or "" for rating in char_state.ratings.values() if rating.facet is not None]
    listings_by_name = {
        name: ability for name, ability in draft.read_campaign().abilities.items() if name not in char_state.ratings
    }
    missing_magnitudes = [name for name in magnitudes if name and name not in char_state.ratings]
    reserved_names = () if draft.is_by_gm else tuple(listings_by_name)
    taken_names = dict.fromkeys((*char_state.ratings, *STATISTICS, *missing_magnitudes, *reserved_names))
    yield Besides(tuple(taken_names)), skill_fields
    for name, listing in listings_by_name.items() if not draft.is_by_gm else ():
        highest = find_base(listing.difficulty)
        bases = BASES_BY_DIFFICULTY.items()
        difficulties = tuple(difficulty for difficulty, base in bases if highest is None or base <= highest)
        if difficulties and name not in missing_magnitudes:
            listed_fields: dict[str, Domain] = {
                "difficulty": Among(difficulties),
                "power_cost": Either((Among((0,)), Between(listing.power_cost))),
                "special": Among((listing.special,)),
                "scope": Among((None, listing.scope)),
                "duration": Among((None, listing.duration)),
                **_make_listed_fields(listings.find_use(draft, name)),
            }
            yield Among((name,)), {**skill_fields, **listed_fields}


def _list_kinds(
    draft: Draft, char_state: Character, fields: dict[str, Domain]
) -> Iterator[tuple[Domain, dict[str, Domain]]]:
    """Yield the fields of a Skill, and of a Special Ability whose facet needs a Rating that the Character has."""
    fields_without_special = {facet: domain for facet, domain in fields.items() if facet != "special"}
    special_domain = fields.get("special", OPEN)
    possible_values = special_domain.values if isinstance(special_domain, Among) else (False, True)
    if False in possible_values:
        yield NO, {**fields_without_special, "facet": OPEN, "magnitude": OPEN}
    if True not in possible_values:
        return
    yield YES, {**fields_without_special, "facet": NONE, "magnitude": OPEN}
    for facet in chart.list_facets(draft.dials):
        readable_names = tuple(
            name
            for name, rating in char_state.ratings.items()
            if chart.may_read(draft.dials, rating.value, facet) is None
        )
        if readable_names:
            yield YES, {**fields_without_special, "facet": Among((facet,)), "magnitude": Among(readable_names)}


def _make_listed_fields(use: AbilityUseListed) -> dict[str, Domain]:
    """Return the domains of Type, Application and script: the listed values, or any value if none is listed."""
    return {
        "ability_type": Among(("invoked", use.ability_type)) if use.ability_type != "invoked" else OPEN,
        "use": Among(("", use.use)) if use.use else OPEN,
        "script": Among(((), use.script)) if use.script else OPEN,
    }


@offers
def offer_traits(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield the traits that the Character can pay for, and protection."""
    own_ids = draft.filter_mine(draft.roster)
    read_character, open_level = draft.read_character, {"level": OPEN}
    for unspent, id_domain in group_alike(own_ids, lambda char_id: _count_unspent(draft, char_id) or None):
        advantage_shape = Shape(Advantage, {"value": Between(1, unspent), "modifier": OPEN, "bars": OPEN})
        yield Move(BuyTrait, {"character": id_domain, "advantage": advantage_shape, **open_level})
    if able_ids := tuple(
        char_id
        for char_id in own_ids
        if may_pay(draft, char_id, _price_next_item(len(read_character(char_id).elements))) is None
    ):
        yield Move(BuyTrait, {"character": Among(able_ids), "element": Besides(()), **open_level})

    def list_taken_names(char_id: str) -> tuple[str, ...] | None:
        can_pay = may_pay(draft, char_id, _price_free_skill(read_character(char_id))) is None
        return tuple(dict.fromkeys((*read_character(char_id).ratings, *STATISTICS))) if can_pay else None

    for taken_names, id_domain in group_alike(own_ids, list_taken_names):
        yield Move(BuyTrait, {"character": id_domain, "free_skill": Besides(taken_names), "level": Between()})
    if own_ids:
        static_piece = Shape(Protection, {"static": Between(0), "bought": NONE})
        yield Move(BuyTrait, {"character": Among(own_ids), "protection": static_piece, **open_level})
    for abilities, id_domain in group_alike(own_ids, lambda char_id: _list_protecting(draft, char_id) or None):
        bought_piece = Shape(Protection, {"static": NONE, "bought": Among(abilities)})
        yield Move(BuyTrait, {"character": id_domain, "protection": bought_piece, **open_level})


def _list_protecting(draft: Draft, char_id: str) -> tuple[str, ...]:
    """Return the abilities from which the Character can have another piece of protection. The first piece is free; each
    further piece costs a point.
    """
    char_state = draft.read_character(char_id)
    protecting_abilities = {piece.bought for piece in char_state.protection}
    abilities = (name for name, rating in char_state.ratings.items() if rating.kind in ("skill", "special-ability"))
    return tuple(name for name in abilities if name not in protecting_abilities or may_pay(draft, char_id, 1) is None)
