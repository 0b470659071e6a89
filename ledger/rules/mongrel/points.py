"""Character points: the price of raising a score, its limits, and its consequences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    Among,
    CharacterId,
    Move,
    Refusal,
    Refused,
    Says,
    Seen,
    SharedRefusal,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    offers,
    once_created,
    rule,
)
from ledger.rules.mongrel import accounts, acting, credit, identities, powers, sessions
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.sight import NONE, Sight, get_sight
from ledger.rules.mongrel.state import Character, add_to_score, find_power
from ledger.rules.mongrel.tables import OPTIONS
from ledger.rules.mongrel.terms import (
    ATTRIBUTES,
    IDENTITIES,
    Attribute,
    ExpertiseName,
    FeatureName,
    Identity,
    IdentityName,
    OptionName,
    is_attribute,
    is_identity,
)

RAISE_EXPERTISE = rule(
    "mongrel.cp.expertise",
    "To raise an Expertise by one level, a character pays five times its present level in character points. Level "
    "0 counts as 1 (our reading).",
    "Character points",
)
RAISE_IDENTITY = rule(
    "mongrel.cp.identity",
    "To raise an Identity by one level, a character pays five times its present level in character points, or "
    "twice its present level if another Identity falls by 1. Level 0 counts as 1 (our reading).",
    "Character points",
)
RAISE_ATTRIBUTE = rule(
    "mongrel.cp.attribute",
    "To raise an attribute by one level, a character pays five times its present level in character points. The "
    "limits of Identity, sex and age still apply.",
    "Character points",
)
EVERYTHING_MAX = Refusal(
    RAISE_EXPERTISE,
    "everything-max",
    "{character}'s {feature} is already as high as any score can be at this table.",
)
ATTRIBUTE_MAX = Refusal(
    RAISE_ATTRIBUTE,
    "attribute-max",
    "{character}'s {feature} is already as high as an attribute can be at this table.",
)
NOTHING_TO_REDUCE = Refusal(
    RAISE_IDENTITY,
    "nothing-to-reduce",
    "The Identity that you want to lower is already 0.",
)
FEATURE_NOT_USED = Refusal(
    sessions.USED,
    "feature-not-used",
    "{character} did not use {feature} in the previous session. Only used features can be raised.",
)
POINTS_SHORT = SharedRefusal(
    "points-short",
    "{character} has {points:character point|character points}; this costs {cost}.",
)
REDUCE_ANOTHER = Refusal(
    RAISE_IDENTITY,
    "reduce-another",
    "Only an Identity can be raised by lowering another one. Choose two different Identities.",
)

#: The price by current level, and the price of raising an Identity if another one falls.
COST_OF_LEVEL, COST_WITH_REDUCTION = 5, 2


@fact(
    "character-points-spent",
    says="{character} spends {cost:character point|character points} on {feature}.",
    changes=None,
)
class CharacterPointsSpent:
    """A character spent character points to raise a feature."""

    character: CharacterId
    cost: int
    feature: FeatureName


@fact("expertise-raised", says="{character}'s {expertise} rises by 1.")
class ExpertiseRaised:
    """An Expertise was raised by one level."""

    character: CharacterId
    expertise: ExpertiseName


@changes
@once_created
def raise_expertise(state: Character, fact: ExpertiseRaised) -> Character:
    return changed(state, expertise=add_to_score(state.expertise, fact.expertise, 1))


@fact("identity-raised", says="{character}'s {identity} rises by 1.")
class IdentityRaised:
    """An Identity was raised by one level."""

    character: CharacterId
    identity: Identity


@changes
@once_created
def raise_identity(state: Character, fact: IdentityRaised) -> Character:
    return changed(state, identity=add_to_score(state.identity, fact.identity, 1))


@fact("identity-reduced", says="{character}'s {identity} falls by 1.")
class IdentityReduced:
    """An Identity was lowered by 1, so that another Identity cost less to raise."""

    character: CharacterId
    identity: Identity


@changes
@once_created
def reduce_identity(state: Character, fact: IdentityReduced) -> Character | None:
    if state.identity.get(fact.identity, 0) < 1:
        return None
    return changed(state, identity=add_to_score(state.identity, fact.identity, -1))


@fact("attribute-raised", says="{character}'s {attribute} rises by 1.")
class AttributeRaised:
    """An attribute was raised by one level."""

    character: CharacterId
    attribute: Attribute


@changes
@once_created
def raise_attribute(state: Character, fact: AttributeRaised) -> Character:
    return changed(state, attributes=add_to_score(state.attributes, fact.attribute, 1))


@declares(
    "raise-feature",
    either("character"),
    says="{character} raises {feature}[ and lowers {reduce}][, putting the point into {option}].",
    records=(
        CharacterPointsSpent,
        ExpertiseRaised,
        IdentityRaised,
        IdentityReduced,
        AttributeRaised,
        powers.PowerAllocated,
        credit.SocialChanged,
        credit.CreditFollowedSocial,
    ),
)
class RaiseFeature:
    """Spend character points to raise an Identity, an attribute or an Expertise by one level.

    `reduce`: for an Identity, another Identity that falls by 1. Raising then costs less. `option`: for a Power, the
    option that gets the new point.
    """

    character: CharacterId
    feature: FeatureName
    reduce: Annotated[IdentityName | None, Says("Identity to lower")] = None
    option: Annotated[OptionName | None, Says("Power option")] = None


@decides
def raise_feature(draft: Draft, do: RaiseFeature) -> None:
    """Raise a feature by one level, if its limits allow it, it was used in the previous session, and the character has
    enough points.
    """
    state = acting.check_alive(draft, do.character)
    sessions.check_feature(do.feature)
    if do.reduce is not None and not is_identity(do.feature):
        raise REDUCE_ANOTHER(faults=["reduce-another"], character=do.character, feature=do.feature)
    if is_identity(do.feature):
        rule, faults = RAISE_IDENTITY, list_identity_limits(state, do.feature, do.reduce, draft.dials)
    elif is_attribute(do.feature):
        rule, faults = RAISE_ATTRIBUTE, list_attribute_limits(state, do.feature, draft.dials)
    else:
        rule, faults = RAISE_EXPERTISE, list_expertise_limits(state, do.feature, draft.dials)
    if faults:
        raise Refused(rule, faults[0], faults=faults, character=do.character, feature=do.feature)
    _check_option(state, do)
    previous_number = draft.read_campaign().closed
    if not any(marks.session == previous_number and do.feature in marks.features for marks in state.used):
        raise FEATURE_NOT_USED(character=do.character, feature=do.feature, session=previous_number)
    cost = work_out_cost(read_level(state, do.feature), do.reduce if is_identity(do.feature) else None, draft.dials)
    points_held = draft.balance(accounts.name_cp(do.character))
    if cost > points_held:
        raise POINTS_SHORT.under(rule, character=do.character, cost=cost, points=points_held)
    posting = accounts.make_posting(accounts.name_cp(do.character), accounts.POINTS, cost)
    draft.about(do.character, CharacterPointsSpent(do.character, cost, do.feature), posting)
    draft.by(rule, cost, level=read_level(state, do.feature), reduce=do.reduce)
    _raise_feature(draft, do)


def read_level(state: Character, feature: str) -> int:
    if is_identity(feature):
        return state.identity.get(feature, 0)
    if is_attribute(feature):
        return state.attributes.get(feature, 0)
    return state.expertise.get(feature, 0)


def work_out_cost(level: int, reduce: str | None, dials: Dials) -> int:
    """Return five times the level, or twice the level if another Identity falls. Level 0 counts as 1 at most tables."""
    counted_level = max(level, 0 if dials.zero_level_cost == "literal" else 1)
    return counted_level * (COST_OF_LEVEL if reduce is None else COST_WITH_REDUCTION)


# --- limits ----------------------------------------------------------------------------------------------------------


def list_expertise_limits(state: Character, expertise: str, dials: Dials) -> list[str]:
    """Return the reasons why the Expertise cannot rise. A Power can rise only if it is that of the primary Identity."""
    faults = []
    if expertise in OPTIONS and expertise != find_power(state):
        faults.append("power-not-primary")
    if _is_above_maximum(state.expertise.get(expertise, 0) + 1, dials.everything_max):
        faults.append("everything-max")
    return faults


def list_identity_limits(state: Character, identity: str, reduce: str | None, dials: Dials) -> list[str]:
    """Return the reasons why the Identity cannot rise. After `reduce-another` or `nothing-to-reduce`, nothing more is
    checked.
    """
    new_scores: dict[str, int] = {name: state.identity.get(name, 0) for name in IDENTITIES}
    new_scores = {name: score + (name == identity) for name, score in new_scores.items()}
    faults = ["everything-max"] if _is_above_maximum(read_level(state, identity) + 1, dials.everything_max) else []
    if reduce is not None:
        if reduce not in IDENTITIES or reduce == identity:
            return [*faults, "reduce-another"]
        if state.identity.get(reduce, 0) < 1:
            return [*faults, "nothing-to-reduce"]
        new_scores = {name: score - (name == reduce) for name, score in new_scores.items()}
    if identities.count_zeros(new_scores) > 1:
        faults.append("identity-two-zeros")
    if dials.primary_must_stay_highest and new_scores[state.primary] < max(new_scores.values()):
        faults.append("identity-primary-not-highest")
    return faults


def list_attribute_limits(state: Character, attribute: str, dials: Dials) -> list[str]:
    """Return the reasons why the attribute cannot rise, given Identity, sex and age. Of two scores, the one that must
    be larger can always rise.
    """
    scores: dict[str, int] = {name: state.attributes.get(name, 0) for name in ATTRIBUTES}
    scores[attribute] += 1
    new_score = scores[attribute]
    faults = []
    if _is_above_maximum(new_score, dials.attribute_max) or _is_above_maximum(new_score, dials.everything_max):
        faults.append("attribute-max")
    if state.primary == "man" and attribute in ("size", "spirit") and new_score > identities.MAN_SCORE:
        faults.append("size-spirit-man")
    if state.primary == "beast" and attribute == "spirit" and new_score >= scores["size"]:
        faults.append("size-spirit-beast")
    if state.primary == "demon" and attribute == "size" and new_score >= scores["spirit"]:
        faults.append("size-spirit-demon")
    hindering_names = ("social", "beauty" if state.sex == "male" else "physique")
    is_met = identities.is_guideline_met(state.sex, scores)
    if attribute in hindering_names and not is_met and scores["social"] > identities.SOCIAL_WHEN_IGNORED:
        faults.append("social-over-4")
    if state.age == "young" and attribute == "social" and new_score >= scores["speed"]:
        faults.append("speed-social-young")
    if state.age == "old" and attribute == "speed" and new_score >= scores["social"]:
        faults.append("speed-social-old")
    return faults


def _is_above_maximum(score: int, highest: int | None) -> bool:
    return highest is not None and score > highest


def _check_option(state: Character, do: RaiseFeature) -> None:
    if do.option is not None and (do.feature not in OPTIONS or do.option not in OPTIONS[do.feature]):
        raise powers.POWER_OPTION_UNKNOWN(option=do.option)


# --- consequences ----------------------------------------------------------------------------------------------------

CONSEQUENCES = rule(
    "mongrel.cp.consequences",
    "Raising Speed also raises the Action Point maximum. Raising Spirit raises the maximum of Infernal Resolve. "
    "Raising Social raises the Credit with the character's own House.",
    "Character points",
)


def _raise_feature(draft: Draft, do: RaiseFeature) -> None:
    character_id = do.character
    if is_identity(do.feature):
        draft.about(character_id, IdentityRaised(character_id, do.feature))
        if is_identity(do.reduce):
            draft.about(character_id, IdentityReduced(character_id, do.reduce))
    elif is_attribute(do.feature):
        old_score = read_level(draft.read_character(character_id), do.feature)
        posting = (
            accounts.make_posting(accounts.BEAUTY, accounts.name_beauty(character_id), 1)
            if do.feature == "beauty"
            else None
        )
        draft.about(character_id, AttributeRaised(character_id, do.feature), posting)
        _follow_attribute(draft, character_id, do.feature, old_score)
    else:
        draft.about(character_id, ExpertiseRaised(character_id, do.feature))
        if do.option is not None:
            draft.about(character_id, powers.PowerAllocated(character_id, do.option, 1))
            draft.by(powers.ALLOCATE, 1, option=do.option)


def _follow_attribute(draft: Draft, character_id: str, attribute: Attribute, old_score: int) -> None:
    match attribute:
        case "speed":
            draft.by(CONSEQUENCES, draft.find_ap_maximum(character_id), of="action points")
        case "spirit":
            draft.by(CONSEQUENCES, old_score + 1, of="infernal resolve")
        case "social":
            draft.about(
                character_id, credit.SocialChanged(character_id, old_score, old_score + 1, 1, "improvement", "")
            )
            credit.follow_social(draft, character_id, 1)
            draft.by(CONSEQUENCES, old_score + 1, of="social")
        case _:
            pass


@offers
def offer_raising(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer to raise features that were used in the previous session."""
    sight, previous_number = get_sight(seen, draft), draft.read_campaign().closed
    for character_id in sight.alive:
        used_names = [
            name
            for marks in sight.people[character_id].used
            if marks.session == previous_number
            for name in marks.features
        ]
        if used_names:
            yield from _list_rises(sight, character_id, tuple(dict.fromkeys(used_names)))


def _list_rises(sight: Sight, character_id: str, used_names: tuple[str, ...]) -> Iterator[Move]:
    """Yield moves for the features that were used, can rise, and are affordable."""
    character_domain = Among((character_id,))
    plain_names = []
    for name in used_names:
        if is_identity(name):
            reduced_names = tuple(
                reduced_name
                for reduced_name in (None, *IDENTITIES)
                if _can_rise(sight, character_id, name, reduced_name)
            )
            if reduced_names:
                yield Move(
                    RaiseFeature,
                    {"character": character_domain, "feature": Among((name,)), "reduce": Among(reduced_names)},
                )
        elif not _can_rise(sight, character_id, name, None):
            continue
        elif name in OPTIONS:
            option = Among((None, *OPTIONS[name]))
            yield Move(RaiseFeature, {"character": character_domain, "feature": Among((name,)), "option": option})
        else:
            plain_names.append(name)
    if plain_names:
        yield Move(RaiseFeature, {"character": character_domain, "feature": Among(tuple(plain_names)), "reduce": NONE})


def _can_rise(sight: Sight, character_id: str, name: str, reduce: str | None) -> bool:
    state, dials = sight.people[character_id], sight.draft.dials
    if work_out_cost(read_level(state, name), reduce, dials) > sight.draft.balance(accounts.name_cp(character_id)):
        return False
    if is_identity(name):
        return not list_identity_limits(state, name, reduce, dials)
    return not (list_attribute_limits if is_attribute(name) else list_expertise_limits)(state, name, dials)
