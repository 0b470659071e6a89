"""The numbers that are rolled against: Ratings, Defaults for abilities that a Character lacks, and modifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Among,
    Besides,
    Domain,
    Either,
    Move,
    Names,
    Reason,
    Refusal,
    Seen,
    Shape,
    Some,
    changed,
    changes,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
)
from ledger.rules.scattershot.draft import (
    NO,
    NONE,
    SCOPE,
    WHOLE,
    YES,
    Draft,
    check_whole,
    find_rating,
    make_any_of,
    may_act_in,
)
from ledger.rules.scattershot.scene import Resolution, in_its_resolution, put_side
from ledger.rules.scattershot.state import Character
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    BASES_BY_DIFFICULTY,
    LEVELS_BY_SCOPE,
    NO_SUCH_EXPECTATION,
    NO_SUCH_ROLL,
    UNKNOWN_DIFFICULTY,
    UNKNOWN_STATISTIC,
    Difficulty,
    Rating,
    ResolutionId,
    Scope,
    SideName,
    Whole,
    find_base,
    name_rating,
    name_side,
    say_reason,
    show_sign,
)

DECLARE = rule(
    "scattershot.resolve.declare",
    "An Action begins when a Player states what their Character (the Actor) does, to whom, and with which Rating.",
    "Choose",
)
ADVANTAGE = rule(
    "scattershot.rating.advantage",
    "An Advantage costs as many Development Points as its value. It can give a modifier in certain"
    " situations, specialize a Rating, or rule out a Default.",
    "Advantages",
)


# --- Defaults ---------------------------------------------------------------------------------------------------------


RELATED_DEFAULT = rule(
    "scattershot.default.related",
    "A Character who lacks an ability can Default, that is, use a related Rating instead. The listing gives"
    " the modifier for this.",
    "Defaulting",
    step="{ability} by Default from {related}: {out} or less.",
)
DEFAULT_SCOPE = rule(
    "scattershot.default.scope",
    "A Default takes an extra -1 if the ability and the related Rating have different Scopes.",
    "Defaulting",
    step="A Default between {own} and {scope} Scope has an extra {out}.",
)
UNTRAINED = rule(
    "scattershot.default.untrained",
    "A Character who lacks an ability can Default to the base for the ability's difficulty, unless a Default to a"
    " related Rating is better. The base is between 11 for Easy and 4 for Legendary.",
    "Defaulting",
    step="{ability} by Default, untrained: {out} or less.",
)
BARRED_DEFAULT = rule(
    "scattershot.default.barred",
    "An Advantage or Disadvantage can rule out Defaults for an ability. Nobody can use a Default for a"
    " Special Ability, unless its listing or an option allows it.",
    "Defaulting",
)
DEFAULT_BARRED = Refusal(
    BARRED_DEFAULT,
    "default-barred",
    "An Advantage or Disadvantage of this Character rules out Defaults for {ability}. Choose another Rating.",
)
NO_DEFAULT_FOR_SPECIAL_ABILITY = Refusal(
    BARRED_DEFAULT,
    "no-default-for-special-ability",
    "{ability} is a Special Ability, for which nobody can use a Default. Choose another Rating.",
)


@dataclass(frozen=True, slots=True)
class Default:
    """The Rating that a Character rolls against instead of an ability that it lacks: a `related` Rating with a
    `modifier`, or the base of the `difficulty`. If the ability is listed, its name is enough.

    `ability`: the ability that the Character lacks. `related`: the Rating that is used instead. `modifier`: the number
    added to the related Rating. `difficulty`: how difficult the ability is. `scope`: the Scope of the ability.
    `related_scope`: the Scope of the related Rating. `special`: whether the ability is a Special Ability. `allowed`:
    whether the listing of a Special Ability allows a Default.
    """

    ability: Rating
    related: Rating | None = None
    modifier: Whole | None = None
    difficulty: Difficulty | None = None
    scope: Scope | None = None
    related_scope: Scope | None = None
    special: bool = False
    allowed: bool = False


class Choosing(Protocol):
    """A declaration or choice that names a Rating, or a Default in its place."""

    @property
    def rating(self) -> str: ...
    @property
    def default(self) -> Default | None: ...


def find_rolled_name(do: Choosing) -> str:
    """Return the name of the Rating that is used. For a Default, that is the related Rating or the ability itself."""
    if do.default is None:
        return do.rating
    return do.default.related if do.default.related is not None else do.default.ability


def read_ability_and_rating(draft: Draft, char_state: Character, name: str, default: Default | None) -> tuple[str, int]:
    """Return the ability and the number to roll against.

    Refuses `unknown-statistic`, and the codes of `work_out_default`.
    """
    if default is not None:
        return default.ability, work_out_default(draft, char_state, default)
    rating = find_rating(char_state, name)
    if rating is None:
        raise UNKNOWN_STATISTIC.under(DECLARE, rating=name)
    return name, rating


def fill_in_default(draft: Draft, char_state: Character, default: Default | None) -> Default | None:
    """Return the Default with its blanks filled in from the listing of the ability.

    If the Default has neither a related Rating nor a difficulty, use the best listed Rating that the Persona has.
    """
    listing = draft.read_campaign().abilities.get(default.ability) if default is not None else None
    if default is None or listing is None:
        return default
    modifiers_by_rating = {
        listed_default.related: listed_default.modifier for listed_default in reversed(listing.defaults)
    }
    filled_default = replace(
        default,
        difficulty=default.difficulty if default.difficulty is not None else listing.difficulty,
        scope=default.scope if default.scope is not None else listing.scope,
    )
    if default.related is None and default.difficulty is None:
        defaults = [
            replace(filled_default, related=name)
            for name in modifiers_by_rating
            if find_rating(char_state, name) is not None
        ]
        defaults = [_fill_in_modifier(possible_default, modifiers_by_rating) for possible_default in defaults]
        return max(
            reversed(defaults),
            key=lambda possible_default: _work_out_related(draft, char_state, possible_default)[0],
            default=filled_default,
        )
    return _fill_in_modifier(filled_default, modifiers_by_rating)


def _fill_in_modifier(default: Default, modifiers_by_rating: Mapping[str, int]) -> Default:
    """Return the Default with the listed modifier of its related Rating, unless it already has a modifier."""
    if default.related is None or default.modifier is not None:
        return default
    return replace(default, modifier=modifiers_by_rating.get(default.related))


def _work_out_related(draft: Draft, char_state: Character, default: Default) -> tuple[int, int, str]:
    """Return the number that the related Rating gives, the penalty for another Scope, and the Scope of that Rating."""
    name = default.related or ""
    related_rating = find_rating(char_state, name)
    if related_rating is None:
        raise UNKNOWN_STATISTIC.under(RELATED_DEFAULT, rating=name)
    modifier = check_whole(default.modifier if default.modifier is not None else 0, RELATED_DEFAULT)
    rating = char_state.ratings.get(name)
    related_scope = default.related_scope or (rating.scope if rating is not None else "individual")
    scope = default.scope if default.scope is not None else "individual"
    levels_apart = abs(read_scope_level(scope) - read_scope_level(related_scope))
    penalty = levels_apart if draft.dials.default_scope_penalty == "per-level" else min(levels_apart, 1)
    return related_rating + modifier - penalty, penalty, related_scope


def work_out_default(draft: Draft, char_state: Character, default: Default) -> int:
    """Return the number that a Character without the ability rolls against (heading 3.4).

    This is the related Rating, with its modifier and the penalty for another Scope, or the base of the difficulty. If
    both are known, an option decides: the related Rating, or the larger number.
    """
    if any(trait.bars == default.ability for trait in (*char_state.advantages, *char_state.disadvantages)):
        raise DEFAULT_BARRED(ability=default.ability)
    listing = draft.read_campaign().abilities.get(default.ability)
    is_special = default.special or (listing is not None and listing.special)
    is_allowed = default.allowed or (listing is not None and listing.may_default)
    if is_special and not is_allowed and not draft.dials.default_special_abilities:
        raise NO_DEFAULT_FOR_SPECIAL_ABILITY(ability=default.ability)
    base = find_base(default.difficulty) if default.difficulty is not None else None
    if default.difficulty is not None and base is None:
        raise UNKNOWN_DIFFICULTY.under(UNTRAINED, difficulty=default.difficulty)
    related_number = _cite_related(draft, char_state, default) if default.related is not None else None
    if related_number is None and base is None:
        raise UNKNOWN_DIFFICULTY.under(UNTRAINED, difficulty=None)
    if related_number is not None and (
        base is None or draft.dials.default_choice == "related-only" or related_number >= base
    ):
        draft.by(RELATED_DEFAULT, related_number, ability=default.ability, related=default.related)
        return related_number
    assert base is not None
    draft.by(UNTRAINED, base, ability=default.ability, difficulty=default.difficulty)
    return base


def _cite_related(draft: Draft, char_state: Character, default: Default) -> int:
    number, penalty, related_scope = _work_out_related(draft, char_state, default)
    if penalty:
        draft.by(DEFAULT_SCOPE, -penalty, scope=default.scope or "individual", own=related_scope)
    return number


def read_scope_level(scope: str) -> int:
    """Return the level of a Scope. Refuses `bad-number` for an unknown Scope."""
    level = LEVELS_BY_SCOPE.get(scope.strip().lower())
    if level is None:
        raise BAD_NUMBER.under(SCOPE, scope=scope)
    return level


def say_rating_used(do: Choosing) -> str:
    default = do.default
    if default is None:
        return name_rating(do.rating)
    related_phrase = f" from {name_rating(default.related)}" if default.related is not None else ""
    return f"{name_rating(default.ability)} by Default{related_phrase}"


def make_default_domain(draft: Draft, char_id: str, ratings: tuple[str, ...], is_sight_limited: bool) -> Either:
    """Return the domain of related Ratings and difficulties (heading 3.4).

    Barred abilities, and Special Abilities without a Default, are left out.

    `ratings`: the Ratings that can be used. `is_sight_limited`: whether there are Characters that this one cannot look
    at.
    """
    char_state, listings_by_name = draft.read_character(char_id), draft.read_campaign().abilities
    barred_names = [
        trait.bars for trait in (*char_state.advantages, *char_state.disadvantages) if trait.bars is not None
    ]
    unusable_names = [
        name for name in char_state.ratings if name not in ratings or (is_sight_limited and name == "observation")
    ]
    sight_names = ["observation"] if is_sight_limited else []
    excluded_names = tuple(dict.fromkeys((*barred_names, *unusable_names, *sight_names)))
    may_default_specials = draft.dials.default_special_abilities
    barred_specials = tuple(
        name
        for name, ability in listings_by_name.items()
        if ability.special and not ability.may_default and not may_default_specials
    )
    granted_names = tuple(
        name for name, ability in listings_by_name.items() if ability.may_default and name not in excluded_names
    )
    ability_field_sets: list[dict[str, Domain]] = [
        {"ability": Besides(excluded_names), "special": OPEN, "allowed": OPEN if may_default_specials else YES}
    ]
    if not may_default_specials:
        ability_field_sets.append(
            {"ability": Besides((*excluded_names, *barred_specials)), "special": NO, "allowed": NO}
        )
        if granted_names:
            ability_field_sets.append({"ability": Among(granted_names), "special": YES, "allowed": NO})
    open_fields: dict[str, Domain] = {"modifier": OPEN, "scope": OPEN, "related_scope": OPEN}
    base_field_sets: list[dict[str, Domain]] = [{**open_fields, "difficulty": Among(tuple(BASES_BY_DIFFICULTY))}]
    if ratings:
        related_fields: dict[str, Domain] = {
            "related": Among(ratings),
            "difficulty": Among((None, *BASES_BY_DIFFICULTY)),
        }
        base_field_sets.append({**open_fields, **related_fields, "modifier": Either((NONE, WHOLE))})
    shapes = [
        Shape(Default, {**fields, **more_fields}) for fields in ability_field_sets for more_fields in base_field_sets
    ]
    usable_names = tuple(
        name
        for name in listings_by_name
        if name not in excluded_names and find_related(draft, char_state, name) in (None, *ratings)
    )
    fields_and_names = (
        (fields, tuple(name for name in usable_names if _is_among(fields["ability"], name)))
        for fields in ability_field_sets
    )
    shapes += [
        Shape(Default, {**fields, **open_fields, "ability": Among(names), "difficulty": NONE})
        for fields, names in fields_and_names
        if names
    ]
    return Either(tuple(shapes))


def _is_among(domain: Domain, name: str) -> bool:
    return name not in domain.values if isinstance(domain, Besides) else name in getattr(domain, "values", ())


def find_related(draft: Draft, char_state: Character, ability: str) -> str | None:
    """Return the related Rating that a Default to this listed ability uses."""
    filled_default = fill_in_default(draft, char_state, Default(ability))
    return filled_default.related if filled_default is not None else None


# --- modifiers --------------------------------------------------------------------------------------------------------


MODIFIERS = rule(
    "scattershot.resolve.modifiers",
    "All modifiers to a Rating are added up when the Opportunity Phase ends. They cannot change after that.",
    "Modifiers",
    step="A Rating of {rating}, modified by {modifiers}: {out} or less.",
)


@dataclass(frozen=True, slots=True)
class Modifier:
    """A modifier with its reason. `amount`: the number that the modifier adds to the Rating. `why`: the reason for the
    modifier.
    """

    amount: Whole
    why: Reason = ""


ANY_MODIFIERS: Final = Some(Shape(Modifier, {"amount": WHOLE}), repeats=True)


def say_modified(fact: ModifierApplied, names: Names) -> str:
    return f"{name_side(fact.side, names)}'s Rating is modified by {show_sign(fact.amount)}{say_reason(fact.why)}."


@fact("modifier-applied", says=say_modified)
class ModifierApplied:
    """A modifier was applied to one side of a resolution."""

    resolution: ResolutionId
    side: SideName
    amount: int
    why: Reason


@changes
@in_its_resolution
def modify_side(resolution: Resolution, fact: ModifierApplied) -> Resolution | None:
    side = resolution.sides.get(fact.side)
    return (
        put_side(resolution, fact.side, changed(side, modifier=side.modifier + fact.amount))
        if side is not None
        else None
    )


def say_modifies(do: ApplyModifier, names: Names) -> str:
    return f"{name_side(do.side, names)}'s Rating is modified by {show_sign(do.amount)}{say_reason(do.why)}."


@declares("apply-modifier", GM, says=say_modifies, records=(ModifierApplied,))
class ApplyModifier:
    """Modify the Rating of the Actor or of a Resistor. A Gamemaster does this in the Opportunity Phase.

    `amount`: the number added to the Rating. `why`: the reason for the modifier. `side`: `actor`, or the id of a
    Resistor.
    """

    resolution: ResolutionId
    amount: Whole
    why: Reason = ""
    side: SideName = "actor"


@decides
def apply_modifier(draft: Draft, do: ApplyModifier) -> None:
    resolution = draft.require_resolution(do.resolution)
    require(may_act_in(resolution, "opportunity", MODIFIERS))
    amount = check_whole(do.amount, MODIFIERS)
    if do.side not in resolution.sides:
        raise NO_SUCH_ROLL.under(MODIFIERS, side=do.side)
    draft.here(ModifierApplied(do.resolution, do.side, amount, do.why))
    draft.by(MODIFIERS, amount, side=do.side)


def list_modifiers(
    draft: Draft,
    char_state: Character,
    modifiers: tuple[Modifier, ...],
    advantages: tuple[str, ...],
    residuals: tuple[str, ...],
) -> list[tuple[int, str]]:
    """Return all modifiers that were named. Each Advantage, Disadvantage and Residual counts once.

    Refuses `bad-number`.
    """
    modifiers_and_reasons = [(check_whole(modifier.amount, MODIFIERS), modifier.why) for modifier in modifiers]
    for name in dict.fromkeys(advantages):
        traits = [trait for trait in (*char_state.advantages, *char_state.disadvantages) if trait.name == name]
        if not traits:
            raise NO_SUCH_EXPECTATION.under(ADVANTAGE, advantage=name)
        modifiers_and_reasons.append((int(traits[0].modifier), name))
    residual_modifiers: dict[str, tuple[int, str]] = {}
    for name in residuals:
        residuals_named = [residual for residual in char_state.residuals if name in (residual.residual, residual.scope)]
        if not residuals_named:
            raise BAD_NUMBER.under(MODIFIERS, residual=name)
        residual_modifiers[residuals_named[0].residual] = (residuals_named[0].amount, residuals_named[0].scope)
    return [*modifiers_and_reasons, *residual_modifiers.values()]


def make_modifier_fields(draft: Draft, char_id: str) -> dict[str, Domain]:
    """Return the fields for the modifiers of a roll of this Character: situations, traits and Residuals."""
    char_state = draft.read_character(char_id)
    residual_names = dict.fromkeys(
        name for residual in char_state.residuals for name in (residual.residual, residual.scope)
    )
    trait_names = dict.fromkeys(trait.name for trait in (*char_state.advantages, *char_state.disadvantages))
    return {
        "modifiers": ANY_MODIFIERS,
        "advantages": make_any_of(trait_names),
        "residuals": make_any_of(residual_names),
    }


@offers
def offer_modifiers(seen: Seen, draft: Draft) -> Iterator[Move]:
    for resolution_id, resolution in draft.read_resolutions().items():
        if may_act_in(resolution, "opportunity", MODIFIERS) is None:
            yield Move(
                ApplyModifier,
                {"resolution": Among((resolution_id,)), "amount": WHOLE, "side": Among(tuple(resolution.sides))},
            )
