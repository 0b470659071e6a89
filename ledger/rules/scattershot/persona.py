"""How a Persona is created: its Ratings and traits, and their cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from ledger.rules.kernel.kit import (
    CharacterId,
    Enrol,
    Faults,
    Names,
    Reason,
    Refusal,
    Refused,
    Title,
    changed,
    changes,
    character,
    decides,
    fact,
    listed,
    once_created,
    rule,
    seat,
    words,
)
from ledger.rules.scattershot import accounts, chart, limits, listings, resources
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.ratings import ADVANTAGE
from ledger.rules.scattershot.state import (
    LISTED_ABILITY,
    Advantage,
    Character,
    EffectIndexed,
    PersonaSheet,
    Protection,
    Rated,
    Sheet,
    Skill,
)
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    BEYOND_THE_LISTING,
    IMPLIED_POINTS,
    RATING_BELOW_MINIMUM,
    STATISTIC_BASE,
    STATISTIC_START,
    STATISTICS,
    UNKNOWN_DIFFICULTY,
    UNKNOWN_STATISTIC,
    find_base,
    is_natural,
    is_whole,
    price_in_fives,
    read_statistic,
)

STATISTIC = rule(
    "scattershot.rating.statistic",
    "Every Character has six Statistics. Each is 8 plus the Development Points spent on it. The first 2 points"
    " are free, so it starts at 10. It cannot be lower than 9.",
    "Statistics",
)
SKILL = rule(
    "scattershot.rating.skill",
    "A Skill's Rating is a base plus its points of talent and training (at least 1 in all). The base depends on"
    " the Skill's difficulty, from 11 for Easy down to 4 for Legendary.",
    "Skills",
    step="{skill} is {out}: {base} for its difficulty, plus its points.",
)
SPECIAL_ABILITY = rule(
    "scattershot.rating.special-ability",
    "A Special Ability is bought like a Skill. How strong its effect is can be read from the UE Chart, a"
    " table of quantities by Rating.",
    "Special Abilities",
    step="{skill} is {out}: {base} for its difficulty, plus its points.",
)
CHARACTER_ELEMENT = rule(
    "scattershot.rating.character",
    "Elements of 'Character' are small traits, such as habits. Every five of them cost 1 Development Point,"
    " rounded up.",
    "'Character'",
)
DISADVANTAGE = rule(
    "scattershot.rating.disadvantage",
    "Every Disadvantage has a value. When the Character suffers from the Disadvantage, its value decides how"
    " many Experience Dice the Player gets.",
    "Disadvantages",
)
TOTAL_COST = rule(
    "scattershot.rating.total",
    "A Persona costs the sum of all its Development Points, minus the 12 that every Character has in"
    " Statistics for free.",
    "Development Points",
    step="The total cost is {out:Development Point|Development Points}.",
)
BEYOND_THE_LIMIT = Refusal(
    limits.LIMIT,
    "beyond-the-limit",
    "{player} has a limit of {limit:Development Point|Development Points} for a new Persona. This one costs {net}.",
)
PROTECTION_IS_STATIC_OR_BOUGHT = Refusal(
    resources.PROTECTION,
    "protection-is-static-or-bought",
    "Give either a static amount for {piece} or the ability it was bought with, but not both.",
)
PROTECTION_BELONGS_TO_NO_ABILITY = Refusal(
    resources.PROTECTION,
    "protection-belongs-to-no-ability",
    "{piece} cannot be bought with {ability}, because this Persona has no Skill or Special Ability of that name.",
)


def say_ready(fact: PersonaCreated, names: Names) -> str:
    point_phrase = "1 Development Point" if abs(fact.net) == 1 else f"{abs(fact.net) or 'no'} Development Points"
    cost_phrase = f"with {point_phrase} {'to spare' if fact.net < 0 else 'spent'}"
    return f"{names.name(character(fact.character))} is ready to play, {cost_phrase}."


@fact("persona-created", says=say_ready, headline=29)
class PersonaCreated:
    """A Persona is ready to play. `net`: how many Development Points it cost, not counting the 12 that every Character
    has for free.
    """

    character: CharacterId
    sheet: PersonaSheet
    net: int


@changes
def create_persona(state: Character, fact: PersonaCreated) -> Character:
    sheet = fact.sheet
    maxima = {name: sheet.ratings[name].value for name in sheet.resources if name in sheet.ratings}
    return changed(
        state,
        kind=sheet.kind,
        ratings=sheet.ratings,
        advantages=sheet.advantages,
        disadvantages=sheet.disadvantages,
        elements=sheet.elements,
        description=sheet.description,
        protection=sheet.protection,
        resources=maxima,
        net=fact.net,
        hit_points=maxima.get("hit-points", 0),
    )


def say_deviates(fact: SheetDeviates, names: Names) -> str:
    fault_list = listed(words(fault) for fault in fact.faults)
    name = names.name(character(fact.character))
    return f"{name} is accepted, although the Persona Sheet has these faults: {fault_list}."


@fact("sheet-deviates", says=say_deviates)
class SheetDeviates:
    """A sheet was accepted in spite of its faults. `faults`: the faults."""

    character: CharacterId
    faults: tuple[Reason, ...]


@changes
@once_created
def note_deviations(state: Character, fact: SheetDeviates) -> Character:
    return changed(state, deviations=fact.faults)


def say_shown(fact: LimitsShown, names: Names) -> str:
    point_noun = "Development Point" if fact.limit == 1 else "Development Points"
    limits_in_words = fact.words if fact.limit is None else (f"at most {fact.limit} {point_noun}", *fact.words)
    return f"{names.name(character(fact.character))} was made under these limits: {'; '.join(limits_in_words)}."


@fact("limits-shown", says=say_shown)
class LimitsShown:
    """The limits that applied when the Persona was created. `limit`: the number of points; empty if
    no number was set.
    """

    character: CharacterId
    limit: int | None
    words: tuple[Title, ...]


@changes
@once_created
def note_limits_shown(state: Character, fact: LimitsShown) -> Character:
    """Leave the Character as it is. The fact is only a record."""
    return state


ABILITIES_PATH = ("sheet", "special_abilities")


@decides
def create(draft: Draft, do: Enrol[Sheet]) -> None:
    """Check the whole sheet, work out its cost and create the Persona. All faults are reported together."""
    owner, sheet = do.seat, do.sheet
    char_id, faults = str(draft.table.number), Faults(warns=draft.dials.sheet_faults == "warn")
    ratings = make_ratings(draft, faults, sheet)
    advantages = check_traits(faults, sheet.advantages, ADVANTAGE, "advantages")
    disadvantages = check_traits(faults, sheet.disadvantages, DISADVANTAGE, "disadvantages")
    unusable_names = _list_unusable_abilities(sheet, ratings)
    usable_pieces = (piece if piece.bought not in unusable_names else None for piece in sheet.protection)
    faults.each(usable_pieces, lambda piece: check_protection(piece, ratings) if piece else None, "sheet", "protection")
    usable_names = (name if name not in unusable_names else None for name in sheet.resources)
    wanted_names = faults.each(
        usable_names, lambda name: _check_resource(ratings, name) if name is not None else None, "sheet", "resources"
    )
    drained_names = [name for name, rating in ratings.items() if rating.type == "resource"]
    resource_names = tuple(dict.fromkeys(("hit-points", "power", *filter(None, wanted_names.values()), *drained_names)))
    net = add_up_cost(draft, ratings, sheet, advantages, disadvantages)
    read_number = partial(resources.read_weapon_number, draft)
    weapon_numbers = faults.each(sheet.weapons, read_number, "sheet", "weapons")
    read_effect = partial(_read_effect, draft, char_id, ratings, unusable_names)
    effects_by_ability = faults.each(sheet.special_abilities, read_effect, *ABILITIES_PATH)
    if not draft.is_by_gm:
        _check_listings(draft, faults, ratings, (*advantages, *disadvantages))
        _check_weapons(draft, faults, sheet.weapons)
    limit = draft.find_limit(owner) if draft.table.has(seat(owner)) else None
    if limit is not None and net > limit:
        fault = BEYOND_THE_LIMIT(player=owner, limit=limit, net=net)
        faults.note(fault, "sheet", playable=True)
    _raise_faults(faults)
    persona_sheet = PersonaSheet(
        sheet.character,
        ratings,
        advantages,
        disadvantages,
        sheet.elements,
        sheet.protection,
        resource_names,
        sheet.description,
    )
    draft.about(
        char_id,
        PersonaCreated(char_id, persona_sheet, net),
        accounts.make_gain(accounts.name_invested(char_id), max(0, net + IMPLIED_POINTS)),
        *(accounts.make_gain(accounts.name_resource(char_id, name), ratings[name].value) for name in resource_names),
    )
    for effect in (effect for effects in effects_by_ability.values() for effect in effects):
        draft.about(char_id, effect)
    resources.note_first_damages(draft, char_id, ratings["strength"].value, weapon_numbers.values())
    if faults.deviations:
        draft.about(char_id, SheetDeviates(char_id, tuple(faults.deviations)))
    word_limits = draft.find_word_limits(owner)
    if limit is not None or word_limits:
        draft.about(char_id, LimitsShown(char_id, limit, word_limits))
    if limit is not None:
        draft.by(limits.LIMIT, net, limit=limit)
    if word_limits:
        draft.by(limits.LIMIT_IN_WORDS, list(word_limits))
    draft.by(TOTAL_COST, net, gross=net + IMPLIED_POINTS)


def make_ratings(draft: Draft, faults: Faults, sheet: Sheet) -> dict[str, Rated]:
    ratings: dict[str, Rated] = dict.fromkeys(STATISTICS, Rated("statistic", STATISTIC_BASE, 0, 2))
    for name, number in sheet.statistics.items():
        with faults.at("sheet", "statistics", name):
            ratings |= dict([_make_statistic(draft, name, number)])
    draft.by(STATISTIC, sum(ratings[name].points for name in STATISTICS))
    faults.each(sheet.skills, partial(_add_ability, draft, ratings, False), "sheet", "skills")
    faults.each(sheet.special_abilities, partial(_add_ability, draft, ratings, True), *ABILITIES_PATH)
    for name, level in sheet.free_skills.items():
        with faults.at("sheet", "free_skills", name):
            _add_free_skill(ratings, name, level)
    for name, raise_points in sheet.raises.items():
        with faults.at("sheet", "raises", name):
            _raise_free_skill(ratings, sheet, name, raise_points)
    return ratings


def check_traits(faults: Faults, traits: tuple[Advantage, ...], rule: str, field: str) -> tuple[Advantage, ...]:
    valid_traits = faults.each(traits, lambda trait: check_trait(trait, rule), "sheet", field)
    return tuple(valid_traits.values())


def _list_unusable_abilities(sheet: Sheet, ratings: Mapping[str, Rated]) -> set[str]:
    """Return the abilities that have a fault. Values that depend on one of them are not checked."""
    ability_names = {ability.name for ability in (*sheet.skills, *sheet.special_abilities)} | set(sheet.free_skills)
    return ability_names - set(ratings)


def _check_resource(ratings: Mapping[str, Rated], name: str) -> str:
    resource_name = read_statistic(name)
    if resource_name not in ratings:
        raise UNKNOWN_STATISTIC.under(resources.RESOURCE, resource=resource_name)
    return resource_name


def _read_effect(
    draft: Draft, char_id: str, ratings: Mapping[str, Rated], unusable: set[str], ability: Skill
) -> list[EffectIndexed]:
    """Return the effect of an ability, unless the ability or its Magnitude has a fault."""
    is_usable = ability.name in ratings and ratings[ability.name].magnitude not in unusable
    return read_effects(draft, char_id, ratings, (ability.name,)) if is_usable else []


def _check_listings(draft: Draft, faults: Faults, ratings: Mapping[str, Rated], traits: tuple[Advantage, ...]) -> None:
    """Note every ability and trait beyond the listings as a fault, because it needs the Gamemaster's approval."""
    unlisted = listings.list_traits_beyond_listings(draft, traits)
    if unlisted:
        faults.note(BEYOND_THE_LISTING.under(listings.LISTED_ADVANTAGE, advantages=unlisted), "sheet", playable=True)
    better_names = [name for name, rating in ratings.items() if listings.is_better_than_listed(draft, name, rating)]
    if better_names:
        faults.note(BEYOND_THE_LISTING.under(LISTED_ABILITY, abilities=better_names), "sheet", playable=True)


def _check_weapons(draft: Draft, faults: Faults, weapons: Iterable[object]) -> None:
    for weapon in weapons:
        try:
            listings.check_weapon(draft, weapon)
        except Refused as fault:
            faults.note(fault, "sheet", playable=True)


def _raise_faults(faults: Faults) -> None:
    """Refuse with the first fault. Its context has the codes and contexts of all faults: `faults`, `details`."""
    if faults.found:
        codes = [fault.code for fault in faults.found]
        details = [{"code": fault.code, **fault.context} for fault in faults.found]
        faults.found[0].context |= {"faults": codes, "details": details}
    faults.raise_found()


def _make_statistic(draft: Draft, name: str, number: object) -> tuple[str, Rated]:
    statistic = read_statistic(name)
    if statistic not in STATISTICS:
        raise UNKNOWN_STATISTIC.under(STATISTIC, statistic=name)
    if not is_whole(number) or number > 10**6:
        raise BAD_NUMBER.under(STATISTIC, statistic=name)
    least = STATISTIC_BASE + draft.dials.stat_minimum_points
    if number < least:
        raise RATING_BELOW_MINIMUM.under(STATISTIC, statistic=name, rating=number, least=least)
    return statistic, Rated("statistic", STATISTIC_BASE, 0, number - STATISTIC_BASE)


def _add_ability(draft: Draft, ratings: dict[str, Rated], is_special: bool, skill: Skill) -> None:
    _add_rating(ratings, skill.name, rate_ability(draft, skill, is_special))


def _add_rating(ratings: dict[str, Rated], name: str, rating: Rated) -> None:
    if name in ratings or read_statistic(name) in STATISTICS:
        raise BAD_NUMBER.under(listings.MINIMUM, rating=name)
    ratings[name] = rating


def _add_free_skill(ratings: dict[str, Rated], name: str, level: object) -> None:
    if not is_whole(level):
        raise BAD_NUMBER.under(listings.FREE_SKILL, free_skill=name)
    _add_rating(ratings, name, Rated("free-skill", level, 0, 0))


def _raise_free_skill(ratings: dict[str, Rated], sheet: Sheet, name: str, raise_points: object) -> None:
    if name in _list_unusable_abilities(sheet, ratings):
        return
    if name not in sheet.free_skills:
        raise listings.NO_SUCH_FREE_SKILL(free_skill=name)
    if not is_natural(raise_points):
        raise BAD_NUMBER.under(listings.FREE_SKILL, free_skill=name)
    ratings[name] = Rated("free-skill", ratings[name].base, 0, raise_points)


def rate_ability(draft: Draft, skill: Skill, is_special: bool) -> Rated:
    """Return the Rating of an ability: the base of its difficulty, talent and training, at least 1 point."""
    rule = SPECIAL_ABILITY if is_special else SKILL
    skill = listings.fill_in_listing(draft, skill)
    base = find_base(skill.difficulty)
    if base is None:
        raise UNKNOWN_DIFFICULTY.under(rule, difficulty=skill.difficulty)
    if not is_natural(skill.talent) or not is_natural(skill.training) or not is_natural(skill.power_cost):
        raise BAD_NUMBER.under(rule, skill=skill.name)
    if skill.talent + skill.training < 1:
        raise RATING_BELOW_MINIMUM.under(listings.MINIMUM, skill=skill.name)
    draft.by(rule, base + skill.talent + skill.training, skill=skill.name, base=base)
    magnitude = read_statistic(skill.magnitude) if is_special else None
    draft.by(listings.MINIMUM, skill.talent + skill.training, skill=skill.name)
    return Rated(
        "special-ability" if is_special else "skill",
        base,
        skill.talent,
        skill.training,
        skill.scope or "individual",
        skill.use,
        skill.script,
        magnitude,
        skill.facet if is_special else None,
        skill.difficulty,
        skill.ability_type,
        skill.duration or "immediate",
        skill.opportunity,
        skill.power_cost,
    )


def check_trait(trait: Advantage, rule: str) -> Advantage:
    if not is_whole(trait.value) or not is_whole(trait.modifier) or trait.value < 0:
        raise BAD_NUMBER.under(rule, name=trait.name)
    if trait.value < 1:
        raise RATING_BELOW_MINIMUM.under(listings.MINIMUM, name=trait.name)
    return trait


def check_protection(piece: Protection, ratings: Mapping[str, Rated]) -> None:
    """Check that the piece is static, or bought with an ability on the sheet.

    Refuses `protection-is-static-or-bought`, `bad-number`, `protection-belongs-to-no-ability`.
    """
    if (piece.static is None) == (piece.bought is None):
        raise PROTECTION_IS_STATIC_OR_BOUGHT(piece=piece.name)
    if piece.static is not None and not is_natural(piece.static):
        raise BAD_NUMBER.under(resources.PROTECTION, piece=piece.name)
    rating = ratings.get(piece.bought) if isinstance(piece.bought, str) else None
    if piece.bought is not None and (rating is None or rating.kind not in ("skill", "special-ability")):
        raise PROTECTION_BELONGS_TO_NO_ABILITY(piece=piece.name, ability=str(piece.bought))


def price_pieces(pieces: Iterable[Protection]) -> int:
    """Return the price of these pieces. The first piece bought with an ability is free; each further piece costs a
    point.
    """
    abilities = [piece.bought for piece in pieces if piece.bought is not None]
    return len(abilities) - len(set(abilities))


def add_up_cost(
    draft: Draft,
    ratings: Mapping[str, Rated],
    sheet: Sheet,
    advantages: tuple[Advantage, ...],
    disadvantages: tuple[Advantage, ...],
) -> int:
    """Return the Development Points that the sheet costs, not counting the 12 that every Character has for free."""
    statistic_points = sum(ratings[name].value - STATISTIC_START for name in STATISTICS)
    skill_points = sum(rating.points for rating in ratings.values() if rating.kind in ("skill", "special-ability"))
    raise_points = sum(rating.points for rating in ratings.values() if rating.kind == "free-skill")
    free_skill_points, element_points = price_in_fives(len(sheet.free_skills)), price_in_fives(len(sheet.elements))
    advantage_points = sum(int(advantage.value) for advantage in advantages)
    refunded_points = (
        sum(int(disadvantage.value) for disadvantage in disadvantages)
        if draft.dials.disadvantage_accounting == "refund"
        else 0
    )
    piece_points = price_pieces(piece for piece in sheet.protection if isinstance(piece.bought, str))
    if piece_points:
        draft.by(resources.PROTECTION, piece_points)
    if sheet.free_skills:
        draft.by(
            listings.FREE_SKILL, free_skill_points + raise_points, skills=len(sheet.free_skills), raises=raise_points
        )
    if sheet.elements:
        draft.by(CHARACTER_ELEMENT, element_points, elements=len(sheet.elements))
    if advantages:
        draft.by(ADVANTAGE, advantage_points)
    if disadvantages:
        draft.by(DISADVANTAGE, refunded_points)
    costs = (statistic_points, skill_points, free_skill_points, raise_points, element_points, piece_points)
    return sum(costs) + advantage_points - refunded_points


def list_indexed(ratings: Mapping[str, Rated], name: str) -> list[str]:
    """Return the abilities whose effect is read from the chart by this Rating, including the ability itself."""
    return [
        ability
        for ability, rating in ratings.items()
        if rating.facet is not None and rating.magnitude in ratings and name in (ability, rating.magnitude)
    ]


def may_index_anew(draft: Draft, char_state: Character, name: str, rating_after: Rated) -> Refused | None:
    """Refuse a change if the chart has no row for an effect or damage that depends on this Rating."""
    ratings = {**char_state.ratings, name: rating_after}
    for ability in list_indexed(ratings, name):
        facet, magnitude = ratings[ability].facet, ratings[ability].magnitude
        assert facet is not None and magnitude is not None, "`list_indexed` has checked this"
        if refused := chart.may_read(draft.dials, ratings[magnitude].value, facet):
            return refused
    if name != "strength" or not char_state.damages:
        return None
    return chart.may_read(draft.dials, rating_after.value, "multiplier")


def read_effects(draft: Draft, char_id: str, ratings: Mapping[str, Rated], names: Iterable[str]) -> list[EffectIndexed]:
    effects = []
    for name in names:
        ability = ratings[name]
        magnitude = ratings.get(ability.magnitude or "")
        if magnitude is None:
            raise UNKNOWN_STATISTIC.under(SPECIAL_ABILITY, magnitude=ability.magnitude)
        if ability.facet is not None:
            number = chart.read_facet(draft.dials, magnitude.value, ability.facet)
            effects.append(
                EffectIndexed(
                    character=char_id,
                    ability=name,
                    facet=ability.facet,
                    rating=magnitude.value,
                    numerator=number.numerator,
                    denominator=number.denominator,
                )
            )
    return effects
