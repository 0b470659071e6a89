"""Traits: their ratings, and the sum of two of them, which is an Aptitude."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Row,
    RuleId,
    Seen,
    Shape,
    SharedRefusal,
    Some,
    Step,
    Title,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    guards,
    listed,
    offers,
    once_created,
    require,
    rule,
    step,
)
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Being, Draft
from ledger.rules.mnemonic.records import RatedTrait
from ledger.rules.mnemonic.referee import REFEREE, may_rule, offer_to_referees
from ledger.rules.mnemonic.state import Character, Rating, make_rating_key
from ledger.rules.mnemonic.words import (
    AptitudeSource,
    Ladder,
    RateableWord,
    RatingName,
    TraitKindWord,
    TraitTitle,
    collapse_spaces,
    format_reason,
    is_rateable,
    is_trait_kind,
    name_subject,
    normalize_name,
)

UNKNOWN_KIND = SharedRefusal("unknown-kind", "{kind} is not possible here. Choose a Talent or a Life Role.")

# --- ratings ----------------------------------------------------------------------------------------------------------

RATE = rule(
    "mnemonic.trait.rate",
    "The referee rates a character's Talents and Life Roles. A new rating counts only in later checks.",
    "calculating status",
)
UNRATED = SharedRefusal("unrated", "{trait} has no rating. The referee must give it one first.")


def say_rated(fact: TraitRated, names: Names) -> str:
    replaced_phrase = f" instead of {fact.replaces}" if fact.replaces not in (None, fact.rating) else ""
    return f"{name_subject(names)}'s {fact.trait} is rated {fact.rating}{replaced_phrase}{format_reason(fact.reason)}."


@fact("trait-rated", says=say_rated)
class TraitRated:
    """Subject: the character. A Talent or Life Role was rated. `number`: the rating's number on the ladder at that
    time. `replaces`: the previous rating.
    """

    trait: TraitTitle
    kind: Literal["talent", "life"]
    rating: RatingName
    number: int
    replaces: RatingName | None
    reason: Reason


@changes
@once_created
def put_rating(state: Character, fact: TraitRated) -> Character | None:
    rating = Rating(fact.kind, fact.trait, fact.rating, fact.number)
    return changed(state, ratings={**state.ratings, make_rating_key(fact.kind, fact.trait): rating})


@declares("rate-trait", REFEREE, says="{character}'s {trait} is rated {rating}[ (“{reason}”)].", records=(TraitRated,))
class RateTrait:
    """Rate one of a character's Talents or Life Roles. The rating counts in later checks.

    `trait`: the name of the Talent or Life Role.
    """

    character: CharacterId
    trait: Title
    trait_kind: RateableWord
    rating: RatingName
    reason: Reason = ""


@dataclass(frozen=True, slots=True)
class TraitRating:
    """A Talent or Life Role and its rating. `trait`: the name of the Talent or Life Role."""

    trait: Title
    trait_kind: RateableWord
    rating: RatingName


def say_ratings(do: RateTraits, names: Names) -> str:
    traits = listed(f"{rating.trait} ({rating.rating})" for rating in do.ratings)
    return f"{names.name(character(do.character))}'s traits are rated: {traits}{format_reason(do.reason)}."


@declares("rate-traits", REFEREE, says=say_ratings, records=(TraitRated,))
class RateTraits:
    """Rate several of a character's Talents and Life Roles at once, for example for a new sheet."""

    character: CharacterId
    ratings: tuple[TraitRating, ...]
    reason: Reason = ""


@decides
def rate_trait(draft: Draft, do: RateTrait) -> None:
    """Rate a Talent or Life Role; the new rating counts in later checks."""
    require(may_rule(draft))
    _record_rating(draft, do.character, do, do.reason)


@decides
def rate_traits(draft: Draft, do: RateTraits) -> None:
    require(may_rule(draft))
    draft.character(do.character)
    for rating in do.ratings:
        _record_rating(draft, do.character, rating, do.reason)


def _record_rating(draft: Draft, character_id: str, rating_line: RateTrait | TraitRating, reason: str) -> None:
    state = draft.character(character_id)
    if not is_rateable(rating_line.trait_kind):
        raise UNKNOWN_KIND.under(RATE, kind=rating_line.trait_kind)
    if not rating_line.trait.strip():
        raise ladders.NAME_EMPTY.under(ladders.RATING)
    name, number = ladders.read_rating_row(ladders.read_ratings(draft.dials), rating_line.rating)
    previous_rating = state.ratings.get(make_rating_key(rating_line.trait_kind, rating_line.trait))
    replaces = previous_rating.rating if previous_rating is not None else None
    draft.about(
        character_id,
        TraitRated(collapse_spaces(rating_line.trait), rating_line.trait_kind, name, number, replaces, reason),
    )
    draft.by(ladders.RATING, number, rating=name)
    draft.by(RATE, name, replaces=replaces)


@offers
def offer_to_rate(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rule(draft) is None:
        yield from offer_to_referees(draft, list_rating_moves(draft, draft.roster))


def list_rating_moves(draft: Draft, characters: tuple[str, ...], awaits: RuleId | None = None) -> Iterator[Move]:
    """Yield moves that rate traits of these characters. `awaits`: the rule for which the table waits."""
    if characters and draft.ladder:
        kinds, ratings = Among(("talent", "life")), Among(draft.ratings)
        yield Move(RateTrait, {"character": Among(characters), "trait_kind": kinds, "rating": ratings}, awaits)
        if awaits is None:
            rating_shape = Shape(TraitRating, {"trait_kind": kinds, "rating": ratings})
            yield Move(RateTraits, {"character": Among(characters), "ratings": Some(rating_shape, repeats=True)})


# --- an Aptitude: the sum of two traits -------------------------------------------------------------------------------

SUM = rule(
    "mnemonic.aptitude.sum",
    "An Aptitude is the sum of the ratings of two different traits, which the referee chooses.",
    "calculating status",
)
TWO_TRAITS = Refusal(SUM, "two-traits-needed", "[{trait} cannot count twice. ]Choose two different traits.")
APTITUDE_TWICE = SharedRefusal("aptitude-twice", "Use an assigned Aptitude or two traits, not both.")


@dataclass(frozen=True, slots=True)
class TraitName:
    """A trait of a character: a Talent (`talent`) or a Life Role (`life`) by its name, or the Primary Role (`primary`)
    without a name.
    """

    kind: TraitKindWord
    name: TraitTitle = ""


@dataclass(frozen=True, slots=True)
class Aptitude:
    """A number, the traits or the assignment it comes from, and the steps that led there."""

    number: int
    source: AptitudeSource
    traits: tuple[RatedTrait, ...]
    assigned: str | None
    because: tuple[Step, ...]
    importance: RatedTrait | None = None


@guards
def may_name_traits(rule: RuleId, assignment_id: str | None, named: object) -> Refused | None:
    """Refuse traits together with an assigned Aptitude."""
    return APTITUDE_TWICE.under(rule, assigned=assignment_id) if assignment_id is not None and named else None


def read_trait(dials: Dials, ladder: Ladder, state: Character, kind: str, name: str) -> RatedTrait:
    """Return a trait with its rating on the current ladder. Refuses `name-empty`, `unrated`."""
    if not name.strip():
        raise ladders.NAME_EMPTY.under(ladders.RATING)
    rating = state.ratings.get(make_rating_key(kind, name))
    if rating is not None:
        return RatedTrait(kind, rating.name, *ladders.read_rating_row(ladder, rating.rating))
    if dials.traits_unrated == "refuse":
        raise UNRATED.under(RATE, trait=name, kind=kind)
    return RatedTrait(kind, collapse_spaces(name), *ladders.read_rating_row(ladder, dials.traits_unrated))


def read_primary_role(dials: Dials, ladder: Ladder, state: Character) -> RatedTrait:
    """Return the Primary Role with the rating that it counts as."""
    return RatedTrait("primary", state.primary_role, *ladders.read_primary_row(dials, ladder))


def add_traits(dials: Dials, state: Character, names: Sequence[TraitName]) -> Aptitude:
    """Return the sum of exactly two traits. Refuses `unknown-kind`, `two-traits-needed`."""
    for name in names:
        if not is_trait_kind(name.kind):
            raise UNKNOWN_KIND.under(SUM, kind=name.kind)
    if len(names) != 2 or _is_same_trait(*names):
        raise TWO_TRAITS(given=len(names))
    ladder = ladders.read_ratings(dials)
    first, second = (
        read_primary_role(dials, ladder, state)
        if name.kind == "primary"
        else read_trait(dials, ladder, state, name.kind, name.name)
        for name in names
    )
    return add_up(ladder, "traits", first, second)


def _is_same_trait(first: TraitName, second: TraitName) -> bool:
    if first.kind != second.kind:
        return False
    return first.kind == "primary" or normalize_name(first.name) == normalize_name(second.name)


def add_up(ladder: Ladder, source: AptitudeSource, first: RatedTrait, second: RatedTrait) -> Aptitude:
    number = ladders.read_aptitude(ladder, first.number + second.number)
    steps = [step(ladders.PRIMARY, trait.number) for trait in (first, second) if trait.kind == "primary"]
    numbers_by_trait = {f"{trait.kind} {trait.name}".strip(): trait.number for trait in (first, second)}
    return Aptitude(number, source, (first, second), None, (*steps, Step(SUM, numbers_by_trait, number)))


# --- possible traits --------------------------------------------------------------------------------------------------

_PRIMARY = Shape(TraitName, {"kind": Among(("primary",)), "name": Among(("",))})


def list_pairs(being: Being) -> tuple[Domain, ...]:
    """Return the pairs of different traits that can be used, in either order."""
    shapes = tuple(_list_name_shapes(being))
    if not shapes:
        return ()
    is_any_name_possible = any(being.can_take_any_name(kind) for kind in being.numbers_by_kind)
    trait_domain = shapes[0] if len(shapes) == 1 else Either(shapes)
    can_pair = is_any_name_possible or sum(len(being.list_names(kind)) for kind in being.numbers_by_kind) > 1
    pair_domains = (Some(trait_domain, 2, 2),) if can_pair else ()
    return (*pair_domains, Row((trait_domain, _PRIMARY)), Row((_PRIMARY, trait_domain)))


def _list_name_shapes(being: Being) -> Iterator[Domain]:
    """Yield, for each kind, the rated traits, and any name if the table lets unrated traits count."""
    for kind in being.numbers_by_kind:
        if names := being.list_names(kind):
            yield Shape(TraitName, {"kind": Among((kind,)), "name": Among(names)})
        if being.can_take_any_name(kind):
            yield Shape(TraitName, {"kind": Among((kind,)), "name": OPEN})
