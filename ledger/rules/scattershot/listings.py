"""Listings: the campaign's abilities, Advantages and weapons, and the approval needed to go beyond them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Asking,
    Between,
    CharacterId,
    Domain,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Seen,
    Shape,
    Some,
    Title,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    once_created,
    rule,
    seat,
)
from ledger.rules.scattershot import ratings, state
from ledger.rules.scattershot.agreement import ask_to_agree
from ledger.rules.scattershot.draft import WHOLE, Draft, check_whole
from ledger.rules.scattershot.state import (
    LISTED_ABILITY,
    AbilityListed,
    AbilityUseListed,
    Advantage,
    AdvantageListed,
    Campaign,
    Character,
    Expectation,
    Rated,
    Skill,
    say_ability,
    say_advantage,
)
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    BEYOND_THE_LISTING,
    ID_PATTERN,
    RATING_BELOW_MINIMUM,
    SEAT_PATTERN,
    UNKNOWN_DIFFICULTY,
    AbilityType,
    Barred,
    Difficulty,
    Duration,
    ExpectationKind,
    ExpectationScope,
    FlurryStep,
    Natural,
    Positive,
    Rating,
    Scope,
    Situation,
    Use,
    Whole,
    find_base,
    is_natural,
    is_whole,
)

LISTED_ADVANTAGE = rule(
    "scattershot.listing.advantage",
    "The campaign can list Advantages and Disadvantages, each with its value and modifier. Only the"
    " Gamemaster can let a Character's trait go beyond its listing.",
    "Advantages/Disadvantages/'Character'",
)
LISTED_WEAPON = rule(
    "scattershot.listing.weapon",
    "The campaign can list weapons besides those that the game names. Each has a number that it adds when"
    " damage is calculated.",
    "Damage",
)
FREE_SKILL = rule(
    "scattershot.rating.free-skill",
    "Free Skills cost 1 Development Point for every five of them, rounded up. Raising a Free Skill by 1 costs 1 point.",
    "Free Skills",
)
NO_SUCH_FREE_SKILL = Refusal(
    FREE_SKILL,
    "no-such-free-skill",
    "This Persona has no Rating called [{free_skill}][{rating}]. Choose a Rating that it has, or add a new Skill.",
)
MINIMUM = rule(
    "scattershot.rating.minimum",
    "A Skill or Special Ability must have at least 1 Development Point in it. A Free Skill needs none.",
    "Development Points",
)
GENRE_GIMME = rule(
    "scattershot.xd.gimme-genre",
    "A Genre Expectation is something that usually happens in stories of the genre. A Player whose Persona"
    " loses out because of one gets the number of dice listed for it.",
    "Freebies",
)


@fact("free-skill-listed", says="The campaign lists the Free Skill {name}, starting at {level}.")
class FreeSkillListed:
    """A Free Skill of the campaign was listed, with the level at which it starts."""

    name: Title
    level: int


@changes
def put_free_skill(state: Campaign, fact: FreeSkillListed) -> Campaign:
    return changed(state, free_skills={**state.free_skills, fact.name: fact.level})


@fact("weapon-listed", says="The campaign lists the weapon {name}, which adds {adds} to an RMIB.")
class WeaponListed:
    """A weapon of the campaign was listed, with the number that it adds to an RMIB."""

    name: Title
    adds: int


@changes
def put_weapon(state: Campaign, fact: WeaponListed) -> Campaign:
    return changed(state, weapons={**state.weapons, fact.name: fact.adds})


@fact(
    "listing-upheld", says="The Gamemaster does not allow {character} to go beyond the listing of {name}.", headline=4
)
class ListingUpheld:
    """The Gamemaster did not allow the Character to go beyond the listing of `name`."""

    character: CharacterId
    name: Title


@changes
@once_created
def note_listing_upheld(state: Character, fact: ListingUpheld) -> Character:
    """Leave the Character as it is. The fact is only a record."""
    return state


def say_expectation(do_or_fact: ListExpectation | GenreExpectationListed, names: Names) -> str:
    """Put into words the dice that the Expectation gives, and its scope."""
    kind = do_or_fact.expectation if isinstance(do_or_fact, ListExpectation) else do_or_fact.kind
    dice_phrase = f"a {kind.title()} of {do_or_fact.value} {'die' if do_or_fact.value == 1 else 'dice'}"
    gift_phrase = (
        f"a Payback of at least {do_or_fact.value} {'die' if do_or_fact.value == 1 else 'dice'}"
        if kind == "payback"
        else dice_phrase
    )
    return f"A Genre Expectation for {_name_scope(do_or_fact.scope, names)}: {do_or_fact.name}, worth {gift_phrase}."


def _name_scope(scope: str, names: Names) -> str:
    if scope == "global":
        return "everybody"
    if ID_PATTERN.fullmatch(scope):
        return names.name(character(scope))
    return names.name(seat(scope)) if SEAT_PATTERN.fullmatch(scope) else scope.strip()


@fact("genre-expectation-listed", says=say_expectation)
class GenreExpectationListed:
    """A Genre Expectation of the campaign was listed, with the number of dice that it gives and the scope in which it
    applies.
    """

    name: Title
    kind: ExpectationKind
    value: int
    scope: ExpectationScope


@changes
def put_expectation(state: Campaign, fact: GenreExpectationListed) -> Campaign:
    listing = Expectation(fact.kind, fact.value, fact.scope)
    return changed(state, expectations={**state.expectations, fact.name: listing})


@declares("list-expectation", GM, says=say_expectation, records=(GenreExpectationListed,))
class ListExpectation:
    """List a Genre Expectation: something that stories of this genre lead people to expect. The Group should agree on
    it.

    `expectation`: the kind of dice that Players get when the expectation comes true. `value`: how many dice Players
    get. For a Payback, this is the minimum. `scope`: `global` for every Player, or the id of the seat or Character that
    the expectation is for.
    """

    name: Title
    expectation: ExpectationKind
    value: Natural = 1
    scope: ExpectationScope = "global"


@decides
def add_expectation(draft: Draft, do: ListExpectation) -> None:
    if not is_natural(do.value) or do.value > 10**9:
        raise BAD_NUMBER.under(GENRE_GIMME, value=str(do.value))
    draft.campaign_wide(GenreExpectationListed(do.name, do.expectation, do.value, do.scope))


@declares("list-ability", GM, says=say_ability, records=(AbilityListed, AbilityUseListed))
class ListAbility:
    """List a Skill or Special Ability, so that it is the same on every Persona Sheet.

    `special`: whether the ability is a Special Ability. `duration`: how long an Action with the ability takes.
    `opportunity`: limits on when the ability can be used. `power_cost`: the Power that each use costs. `defaults`: the
    related Ratings that Characters without the ability may use. `may_default`: whether Characters may use a Default for
    the ability, even though it is a Special Ability. `ability_type`: the Type of the Rating. `use`: the Application of
    the Rating, if it has only one. `script`: the steps of the ability's Flurry, if it has one.
    """

    name: Title
    difficulty: Difficulty
    special: bool = False
    scope: Scope = "individual"
    duration: Duration = "immediate"
    opportunity: Reason = ""
    power_cost: Natural = 0
    defaults: tuple[ListedDefault, ...] = ()
    may_default: bool = False
    ability_type: AbilityType = "invoked"
    use: Use = ""
    script: tuple[FlurryStep, ...] = ()


@dataclass(frozen=True, slots=True)
class ListedDefault:
    """A Default that uses a related Rating.

    `related`: the Rating that a Character may use instead. `modifier`: the number added to the related Rating, usually
    a penalty.
    """

    related: Rating
    modifier: Whole = 0


@decides
def add_ability(draft: Draft, do: ListAbility) -> None:
    """List an ability. Refuses `unknown-difficulty`, `bad-number`."""
    if find_base(do.difficulty) is None:
        raise UNKNOWN_DIFFICULTY.under(LISTED_ABILITY, difficulty=do.difficulty)
    if not is_natural(do.power_cost):
        raise BAD_NUMBER.under(LISTED_ABILITY, power_cost=str(do.power_cost))
    ratings.read_scope_level(do.scope)
    listed_defaults = tuple(
        state.ListedDefault(default.related, check_whole(default.modifier, LISTED_ABILITY)) for default in do.defaults
    )
    draft.campaign_wide(
        AbilityListed(
            name=do.name,
            difficulty=do.difficulty,
            special=do.special,
            scope=do.scope,
            duration=do.duration,
            opportunity=do.opportunity,
            power_cost=do.power_cost,
            defaults=listed_defaults,
            may_default=do.may_default,
        )
    )
    use = AbilityUseListed(do.name, do.ability_type, do.use, do.script)
    if do.name in draft.read_campaign().uses or use != AbilityUseListed(do.name, "invoked", "", ()):
        draft.campaign_wide(use)
    draft.by(LISTED_ABILITY, do.name, difficulty=do.difficulty)


@declares(
    "list-free-skill",
    GM,
    says="The campaign lists the Free Skill {name}, starting at {level}.",
    records=(FreeSkillListed,),
)
class ListFreeSkill:
    """List a Free Skill.

    `level`: the Rating at which every Character starts.
    """

    name: Title
    level: Whole


@decides
def add_free_skill(draft: Draft, do: ListFreeSkill) -> None:
    """List a Free Skill. Refuses `bad-number`."""
    draft.campaign_wide(FreeSkillListed(do.name, check_whole(do.level, FREE_SKILL)))
    draft.by(FREE_SKILL, do.level, free_skill=do.name)


@declares("list-advantage", GM, says=say_advantage, records=(AdvantageListed,))
class ListAdvantage:
    """List an Advantage or Disadvantage.

    `value`: the Development Points that an Advantage costs or a Disadvantage is worth. `modifier`: the number that the
    trait adds to a roll in the situations of its scope. `scope`: the situations in which the modifier counts. `bars`:
    an ability that the Character then cannot use by Default.
    """

    name: Title
    value: Positive
    modifier: Whole = 0
    scope: Situation = ""
    bars: Barred | None = None


@decides
def add_advantage(draft: Draft, do: ListAdvantage) -> None:
    """List an Advantage or Disadvantage. Refuses `bad-number`, `rating-below-minimum`."""
    if not is_natural(do.value) or not is_whole(do.modifier):
        raise BAD_NUMBER.under(LISTED_ADVANTAGE, advantage=do.name)
    if do.value < 1:
        raise RATING_BELOW_MINIMUM.under(MINIMUM, advantage=do.name)
    draft.campaign_wide(
        AdvantageListed(name=do.name, value=do.value, modifier=do.modifier, scope=do.scope, bars=do.bars)
    )
    draft.by(LISTED_ADVANTAGE, do.value, advantage=do.name)


@declares(
    "list-weapon",
    GM,
    says="The campaign lists the weapon {name}, which adds {adds} to an RMIB.",
    records=(WeaponListed,),
)
class ListWeapon:
    """List a weapon. A weapon called `dagger`, `short-sword` or `long-sword` replaces the one that the game names.

    `adds`: the number that the weapon adds to the remaining RMIB when damage is calculated.
    """

    name: Title
    adds: Natural


@decides
def add_weapon(draft: Draft, do: ListWeapon) -> None:
    """List a weapon. Refuses `bad-number`."""
    if not is_natural(do.adds):
        raise BAD_NUMBER.under(LISTED_WEAPON, weapon=do.name)
    draft.campaign_wide(WeaponListed(do.name, do.adds))
    draft.by(LISTED_WEAPON, do.adds, weapon=do.name)


@offers
def offer_listings(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield listings, which a Gamemaster can make at any time."""
    yield Move(ListExpectation, {"expectation": OPEN, "value": Between(0, 10**9), "scope": OPEN})
    defaults_domain = Some(Shape(ListedDefault, {"related": OPEN, "modifier": WHOLE}), repeats=True)
    open_fields: dict[str, Domain] = dict.fromkeys(
        ("difficulty", "special", "scope", "power_cost", "may_default", "ability_type", "use", "script"), OPEN
    )
    yield Move(ListAbility, {**open_fields, "defaults": defaults_domain})
    yield Move(ListFreeSkill, {"level": WHOLE})
    yield Move(ListAdvantage, {"value": OPEN, "modifier": OPEN, "bars": OPEN})
    yield Move(ListWeapon, {"adds": Between(0)})


# --- beyond a listing -------------------------------------------------------------------------------------------------


def check_weapon(draft: Draft, weapon: object) -> None:
    """Refuse a Player's weapon given as a number if only named weapons may be used: `beyond-the-listing`."""
    may_use_any_number = draft.dials.weapon_numbers == "free" or draft.is_by_gm
    if not may_use_any_number and not isinstance(weapon, str) and weapon != 0:
        raise BEYOND_THE_LISTING.under(LISTED_WEAPON, weapon=str(weapon))


def check_script(draft: Draft, char_state: Character, name: str, script: tuple[str, ...]) -> None:
    """Refuse a Player's script that differs from the listed one: `beyond-the-listing`."""
    listed_use = find_use(draft, name)
    if not listed_use.script or not script or draft.is_by_gm:
        return
    rating = char_state.ratings.get(name)
    if rating is None or rating.script != script:
        raise BEYOND_THE_LISTING.under(LISTED_ABILITY, abilities=[name])


def find_use(draft: Draft, name: str) -> AbilityUseListed:
    """Return the listed use of the ability, or the default use."""
    return draft.read_campaign().uses.get(name) or AbilityUseListed(name, "invoked", "", ())


def fill_in_listing(draft: Draft, skill: Skill) -> Skill:
    """Return the ability, with the values of its listing where the sheet has none."""
    listing = draft.read_campaign().abilities.get(skill.name)
    if listing is None:
        return skill
    use = find_use(draft, skill.name)
    power_cost = skill.power_cost if skill.power_cost != 0 else listing.power_cost
    return replace(
        skill,
        scope=skill.scope if skill.scope is not None else listing.scope,
        duration=skill.duration if skill.duration is not None else listing.duration,
        opportunity=skill.opportunity or listing.opportunity,
        power_cost=power_cost,
        ability_type=skill.ability_type if skill.ability_type != "invoked" else use.ability_type,
        use=skill.use or use.use,
        script=skill.script or use.script,
    )


def is_better_than_listed(draft: Draft, name: str, rating: Rated) -> bool:
    """Return whether an ability goes beyond its listing. An ability without a listing does not go beyond it, unless it
    is a Free Skill.

    An ability goes beyond its listing if it is easier, cheaper in Power, of another kind, Scope or Duration, or differs
    from the listed Type, Application or script. A Free Skill does if it starts higher than listed or is not listed.
    """
    if rating.kind == "free-skill":
        level = draft.read_campaign().free_skills.get(name)
        return level is None or rating.base > level
    listing = draft.read_campaign().abilities.get(name)
    if listing is None:
        return False
    if (rating.scope, rating.duration) != (listing.scope, listing.duration):
        return True
    use = find_use(draft, name)
    if use.ability_type not in ("invoked", rating.type) or use.use not in ("", rating.use):
        return True
    if use.script not in ((), rating.script):
        return True
    is_special = rating.kind == "special-ability"
    base = find_base(listing.difficulty)
    return (
        is_special != listing.special
        or rating.power_cost < listing.power_cost
        or (base is not None and rating.base > base)
    )


def is_default_listed(draft: Draft, char_state: Character, default: ratings.Default) -> bool:
    """Return whether the whole Default agrees with the listing of the ability. `default`: the Default, with its blanks
    filled in.
    """
    listing = draft.read_campaign().abilities.get(default.ability)
    if listing is None or default.scope != listing.scope:
        return False
    if (default.special and not listing.special) or (default.allowed and not listing.may_default):
        return False
    if default.difficulty is not None and find_base(default.difficulty) != find_base(listing.difficulty):
        return False
    if default.related is None:
        return True
    listed_modifiers = [
        listed_default.modifier for listed_default in listing.defaults if listed_default.related == default.related
    ]
    related_rating = char_state.ratings.get(default.related)
    is_own_scope = default.related_scope in (None, related_rating.scope if related_rating is not None else "individual")
    return bool(listed_modifiers) and is_own_scope and default.modifier == listed_modifiers[0]


def list_traits_beyond_listings(draft: Draft, traits: tuple[Advantage, ...]) -> list[str]:
    """Return the names of the traits that have a larger modifier than listed, or a different value."""
    listings_by_name = draft.read_campaign().advantages
    names = []
    for trait in traits:
        listing = listings_by_name.get(trait.name)
        is_other_value = listing is not None and trait.value != listing.value
        if is_other_value or int(trait.modifier) > (listing.modifier if listing is not None else 0):
            names.append(trait.name)
    return names


def ask_for_default(draft: Draft, char_id: str, default: ratings.Default | None, is_said_by_gm: bool) -> Asking[bool]:
    """Ask the Gamemaster about a Default that goes beyond its listing. If the Gamemaster declines, record only the
    refusal.
    """
    if default is None or is_said_by_gm or is_default_listed(draft, draft.read_character(char_id), default):
        return True
    purpose = f"A Default for {default.ability} that goes beyond its listing"
    return (yield from ask_to_allow(draft, char_id, default.ability, purpose))


def ask_for_duration(draft: Draft, char_id: str, ability: str, duration: str) -> Asking[bool]:
    """Ask the Gamemaster about a Duration that differs from the listed one."""
    if draft.is_by_gm or ability not in draft.read_campaign().abilities:
        return True
    return (
        yield from ask_to_allow(
            draft, char_id, ability, f"A Duration for {ability} that differs from its listing: {duration}"
        )
    )


ASK_LISTING = Question("listing", "{purpose}. Do you allow it?")


def ask_to_allow(draft: Draft, char_id: str, name: str, purpose: str) -> Asking[bool]:
    if (yield from ask_to_agree(draft, draft.find_gm(), LISTED_ABILITY, ASK_LISTING(), purpose)):
        return True
    draft.start_over()
    draft.about(char_id, ListingUpheld(char_id, name))
    draft.by(LISTED_ABILITY, name, character=char_id)
    return False
