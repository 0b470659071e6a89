"""Character points: what raising a score costs, what it is limited by, and what follows from it."""

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
from ledger.rules.mongrel.sight import NONE, Sight, look
from ledger.rules.mongrel.state import Character, add_to_score, power_of
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

FIVE, TWO = 5, 2
#: The most Social may be while the guideline of the sexes is not met, and Size and Spirit of a primary Man.
FOUR = 4


@fact(
    "character-points-spent",
    says="{character} spends {cost:character point|character points} on {feature}.",
    changes=None,
)
class CharacterPointsSpent:
    """A character spends character points to raise a feature."""

    character: CharacterId
    cost: int
    feature: FeatureName


@fact("expertise-raised", says="{character}'s {expertise} rises by 1.")
class ExpertiseRaised:
    """An Expertise is raised by one level."""

    character: CharacterId
    expertise: ExpertiseName


@changes
@once_created
def raise_expertise(state: Character, fact: ExpertiseRaised) -> Character:
    return changed(state, expertise=add_to_score(state.expertise, fact.expertise, 1))


@fact("identity-raised", says="{character}'s {identity} rises by 1.")
class IdentityRaised:
    """An Identity is raised by one level."""

    character: CharacterId
    identity: Identity


@changes
@once_created
def raise_identity(state: Character, fact: IdentityRaised) -> Character:
    return changed(state, identity=add_to_score(state.identity, fact.identity, 1))


@fact("identity-reduced", says="{character}'s {identity} falls by 1.")
class IdentityReduced:
    """An Identity falls by 1, so that another one costs less to raise."""

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
    """An attribute is raised by one level."""

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
    """Raise a feature by one level: within its limits, used in the previous session, and paid for."""
    who = acting.check_alive(draft, do.character)
    sessions.check_feature(do.feature)
    if do.reduce is not None and not is_identity(do.feature):
        raise REDUCE_ANOTHER(faults=["reduce-another"], character=do.character, feature=do.feature)
    if is_identity(do.feature):
        rule, faults = RAISE_IDENTITY, list_identity_limits(who, do.feature, do.reduce, draft.dials)
    elif is_attribute(do.feature):
        rule, faults = RAISE_ATTRIBUTE, list_attribute_limits(who, do.feature, draft.dials)
    else:
        rule, faults = RAISE_EXPERTISE, list_expertise_limits(who, do.feature, draft.dials)
    if faults:
        raise Refused(rule, faults[0], faults=faults, character=do.character, feature=do.feature)
    _check_option(who, do)
    previous = draft.campaign().closed
    if not any(marks.session == previous and do.feature in marks.features for marks in who.used):
        raise FEATURE_NOT_USED(character=do.character, feature=do.feature, session=previous)
    cost = cost_of(level_of(who, do.feature), do.reduce if is_identity(do.feature) else None, draft.dials)
    held = draft.balance(accounts.cp(do.character))
    if cost > held:
        raise POINTS_SHORT.under(rule, character=do.character, cost=cost, points=held)
    spent = accounts.move(accounts.cp(do.character), accounts.POINTS, cost)
    draft.about(do.character, CharacterPointsSpent(do.character, cost, do.feature), spent)
    draft.by(rule, cost, level=level_of(who, do.feature), reduce=do.reduce)
    _raise(draft, do)


def level_of(who: Character, feature: str) -> int:
    if is_identity(feature):
        return who.identity.get(feature, 0)
    if is_attribute(feature):
        return who.attributes.get(feature, 0)
    return who.expertise.get(feature, 0)


def cost_of(level: int, reduce: str | None, dials: Dials) -> int:
    """Return five times the level, or ten times where another Identity falls. Level 0 counts as 1."""
    counted = max(level, 0 if dials.zero_level_cost == "literal" else 1)
    return counted * (FIVE if reduce is None else TWO)


# --- limits ----------------------------------------------------------------------------------------------------------


def list_expertise_limits(who: Character, expertise: str, dials: Dials) -> list[str]:
    faults = []
    if expertise in OPTIONS and expertise != power_of(who):
        faults.append("power-not-primary")
    if _beyond(who.expertise.get(expertise, 0) + 1, dials.everything_max):
        faults.append("everything-max")
    return faults


def list_identity_limits(who: Character, identity: str, reduce: str | None, dials: Dials) -> list[str]:
    """Return why the Identity cannot rise. `reduce-another` and `nothing-to-reduce` end the report."""
    after: dict[str, int] = {name: who.identity.get(name, 0) for name in IDENTITIES}
    after = {name: score + (name == identity) for name, score in after.items()}
    faults = ["everything-max"] if _beyond(level_of(who, identity) + 1, dials.everything_max) else []
    if reduce is not None:
        if reduce not in IDENTITIES or reduce == identity:
            return [*faults, "reduce-another"]
        if who.identity.get(reduce, 0) < 1:
            return [*faults, "nothing-to-reduce"]
        after = {name: score - (name == reduce) for name, score in after.items()}
    if identities.zeros(after) > 1:
        faults.append("identity-two-zeros")
    if dials.primary_must_stay_highest and after[who.primary] < max(after.values()):
        faults.append("identity-primary-not-highest")
    return faults


def list_attribute_limits(who: Character, attribute: str, dials: Dials) -> list[str]:
    """Return why the attribute cannot rise by Identity, sex and age. The score that must be larger is free."""
    scores: dict[str, int] = {name: who.attributes.get(name, 0) for name in ATTRIBUTES}
    scores[attribute] += 1
    new = scores[attribute]
    faults = []
    if _beyond(new, dials.attribute_max) or _beyond(new, dials.everything_max):
        faults.append("attribute-max")
    if who.primary == "man" and attribute in ("size", "spirit") and new > FOUR:
        faults.append("size-spirit-man")
    if who.primary == "beast" and attribute == "spirit" and new >= scores["size"]:
        faults.append("size-spirit-beast")
    if who.primary == "demon" and attribute == "size" and new >= scores["spirit"]:
        faults.append("size-spirit-demon")
    hinders = ("social", "beauty" if who.sex == "male" else "physique")
    if attribute in hinders and not identities.guideline_met(who.sex, scores) and scores["social"] > FOUR:
        faults.append("social-over-4")
    if who.age == "young" and attribute == "social" and new >= scores["speed"]:
        faults.append("speed-social-young")
    if who.age == "old" and attribute == "speed" and new >= scores["social"]:
        faults.append("speed-social-old")
    return faults


def _beyond(score: int, highest: int | None) -> bool:
    return highest is not None and score > highest


def _check_option(who: Character, do: RaiseFeature) -> None:
    if do.option is not None and (do.feature not in OPTIONS or do.option not in OPTIONS[do.feature]):
        raise powers.POWER_OPTION_UNKNOWN(option=do.option)


# --- consequences ----------------------------------------------------------------------------------------------------

CONSEQUENCES = rule(
    "mongrel.cp.consequences",
    "Raising Speed also raises the Action Point maximum. Raising Spirit raises the maximum of Infernal Resolve. "
    "Raising Social raises the Credit with the character's own House.",
    "Character points",
)


def _raise(draft: Draft, do: RaiseFeature) -> None:
    id = do.character
    if is_identity(do.feature):
        draft.about(id, IdentityRaised(id, do.feature))
        if is_identity(do.reduce):
            draft.about(id, IdentityReduced(id, do.reduce))
    elif is_attribute(do.feature):
        old = level_of(draft.who(id), do.feature)
        grown = accounts.move(accounts.BEAUTY, accounts.beauty(id), 1) if do.feature == "beauty" else None
        draft.about(id, AttributeRaised(id, do.feature), grown)
        _follow(draft, id, do.feature, old)
    else:
        draft.about(id, ExpertiseRaised(id, do.feature))
        if do.option is not None:
            draft.about(id, powers.PowerAllocated(id, do.option, 1))
            draft.by(powers.ALLOCATE, 1, option=do.option)


def _follow(draft: Draft, id: str, attribute: Attribute, old: int) -> None:
    match attribute:
        case "speed":
            draft.by(CONSEQUENCES, draft.maximum(id), of="action points")
        case "spirit":
            draft.by(CONSEQUENCES, old + 1, of="infernal resolve")
        case "social":
            draft.about(id, credit.SocialChanged(id, old, old + 1, 1, "improvement", ""))
            credit.follow_social(draft, id, 1)
            draft.by(CONSEQUENCES, old + 1, of="social")
        case _:
            pass


@offers
def offer_raising(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer to raise what was used in the previous session."""
    sight, previous = look(seen, draft), draft.campaign().closed
    for id in sight.alive:
        used = [name for marks in sight.people[id].used if marks.session == previous for name in marks.features]
        if used:
            yield from _list_rises(sight, id, tuple(dict.fromkeys(used)))


def _list_rises(sight: Sight, id: str, used: tuple[str, ...]) -> Iterator[Move]:
    """Yield what was used, can rise, and can be paid for."""
    own = Among((id,))
    plain = []
    for name in used:
        if is_identity(name):
            ways = tuple(other for other in (None, *IDENTITIES) if _can_rise(sight, id, name, other))
            if ways:
                yield Move(RaiseFeature, {"character": own, "feature": Among((name,)), "reduce": Among(ways)})
        elif not _can_rise(sight, id, name, None):
            continue
        elif name in OPTIONS:
            option = Among((None, *OPTIONS[name]))
            yield Move(RaiseFeature, {"character": own, "feature": Among((name,)), "option": option})
        else:
            plain.append(name)
    if plain:
        yield Move(RaiseFeature, {"character": own, "feature": Among(tuple(plain)), "reduce": NONE})


def _can_rise(sight: Sight, id: str, name: str, reduce: str | None) -> bool:
    who, dials = sight.people[id], sight.draft.dials
    if cost_of(level_of(who, name), reduce, dials) > sight.draft.balance(accounts.cp(id)):
        return False
    if is_identity(name):
        return not list_identity_limits(who, name, reduce, dials)
    return not (list_attribute_limits if is_attribute(name) else list_expertise_limits)(who, name, dials)
