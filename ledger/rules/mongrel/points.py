"""Character points: spent on what was used. Heading: Character points."""

from __future__ import annotations

from collections.abc import Callable

from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.awards import number_of, session_of
from ledger.rules.mongrel.credit import follow_social
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts_of_dealings import (
    AttributeRaised,
    CharacterPointsSpent,
    ExpertiseRaised,
    IdentityRaised,
    IdentityReduced,
    PowerAllocated,
    SocialChanged,
)
from ledger.rules.mongrel.guards import check_alive
from ledger.rules.mongrel.inputs_of_dealings import AllocatePower, MarkFeatures, RaiseFeature
from ledger.rules.mongrel.scores import guideline_met, zeros
from ledger.rules.mongrel.state import Character, power_of
from ledger.rules.mongrel.tables import GOVERNED_BY, OPTIONS
from ledger.rules.mongrel.terms import (
    ATTRIBUTES,
    IDENTITIES,
    is_attribute,
    is_identity,
    is_natural,
)

USED = "mongrel.cp.used-only"
EXPERTISE = "mongrel.cp.expertise"
IDENTITY = "mongrel.cp.identity"
ATTRIBUTE = "mongrel.cp.attribute"
CONSEQUENCES = "mongrel.cp.consequences"
ALLOCATE = "mongrel.power.allocate"
FIVE, TWO = 5, 2
#: The most Social may be while the guideline of the sexes is not met, and Size and Spirit of a primary Man.
FOUR = 4


# --- what was used --------------------------------------------------------------------------------------------------


def mark_features(draft: Draft, do: MarkFeatures) -> None:
    """The GM says what else was used. Refuses `session-unsaid`, `session-unknown`, `feature-unknown`."""
    check_alive(draft, do.character)
    if do.session is None and draft.table.session is None:
        raise Refused("mongrel.cp.session", "session-unsaid")
    number = number_of(draft, session_of(draft, do.session))
    for feature in do.features:
        _check_feature(feature)
    if do.features:
        draft.mark(do.character, *do.features)
    draft.tell_used(number)


def _check_feature(feature: str) -> None:
    if feature not in (*IDENTITIES, *ATTRIBUTES, *GOVERNED_BY):
        raise Refused(USED, "feature-unknown", feature=feature)


# --- raising ---------------------------------------------------------------------------------------------------------


def raise_feature(draft: Draft, do: RaiseFeature) -> None:
    """One level: within its limits, used in the previous session, and paid for."""
    who = check_alive(draft, do.character)
    _check_feature(do.feature)
    if do.reduce is not None and not is_identity(do.feature):
        raise Refused(IDENTITY, "reduce-another", faults=["reduce-another"], character=do.character, feature=do.feature)
    if is_identity(do.feature):
        rule, faults = IDENTITY, identity_faults(who, do.feature, do.reduce, draft.dials)
    elif is_attribute(do.feature):
        rule, faults = ATTRIBUTE, attribute_faults(who, do.feature, draft.dials)
    else:
        rule, faults = EXPERTISE, expertise_faults(who, do.feature, draft.dials)
    if faults:
        raise Refused(rule, faults[0], faults=faults, character=do.character, feature=do.feature)
    _check_option(who, do)
    previous = draft.campaign().closed
    if not any(one.session == previous and do.feature in one.features for one in who.used):
        raise Refused(USED, "feature-not-used", character=do.character, feature=do.feature, session=previous)
    cost = cost_of(level_of(who, do.feature), do.reduce if is_identity(do.feature) else None, draft.dials)
    held = draft.balance(accounts.cp(do.character))
    if cost > held:
        raise Refused(rule, "points-short", character=do.character, cost=cost, points=held)
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
    """Five times the level; an Identity for which another falls, twice. Level 0 counts as 1."""
    counted = max(level, 0 if dials.zero_level_cost == "literal" else 1)
    return counted * (FIVE if reduce is None else TWO)


def expertise_faults(who: Character, expertise: str, dials: Dials) -> list[str]:
    faults = []
    if expertise in OPTIONS and expertise != power_of(who):
        faults.append("power-not-primary")
    if _beyond(who.expertise.get(expertise, 0) + 1, dials.everything_max):
        faults.append("everything-max")
    return faults


def identity_faults(who: Character, identity: str, reduce: str | None, dials: Dials) -> list[str]:
    """`reduce-another` and `nothing-to-reduce` end the report."""
    after: dict[str, int] = {name: who.identity.get(name, 0) for name in IDENTITIES}
    after = {name: score + (name == identity) for name, score in after.items()}
    faults = ["everything-max"] if _beyond(level_of(who, identity) + 1, dials.everything_max) else []
    if reduce is not None:
        if reduce not in IDENTITIES or reduce == identity:
            return [*faults, "reduce-another"]
        if who.identity.get(reduce, 0) < 1:
            return [*faults, "nothing-to-reduce"]
        after = {name: score - (name == reduce) for name, score in after.items()}
    if zeros(after) > 1:
        faults.append("identity-two-zeros")
    if dials.primary_must_stay_highest and after[who.primary] < max(after.values()):
        faults.append("identity-primary-not-highest")
    return faults


def attribute_faults(who: Character, attribute: str, dials: Dials) -> list[str]:
    """`mongrel.cp.attribute`: what Identity, sex and age leave open. The score that has to be larger is always free."""
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
    if attribute in hinders and not guideline_met(who.sex, scores) and scores["social"] > FOUR:
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
        raise Refused(ALLOCATE, "power-option-unknown", option=do.option)


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
        _CONSEQUENCE.get(do.feature, _nothing)(draft, id, old)
    else:
        draft.about(id, ExpertiseRaised(id, do.feature))
        if do.option is not None:
            draft.about(id, PowerAllocated(id, do.option, 1))
            draft.by(ALLOCATE, 1, option=do.option)


def _nothing(draft: Draft, id: str, old: int) -> None:
    pass


def _speed(draft: Draft, id: str, old: int) -> None:
    draft.by(CONSEQUENCES, draft.maximum(id), of="action points")


def _spirit(draft: Draft, id: str, old: int) -> None:
    draft.by(CONSEQUENCES, old + 1, of="infernal resolve")


def _social(draft: Draft, id: str, old: int) -> None:
    draft.about(id, SocialChanged(id, old, old + 1, 1, "improvement", ""))
    follow_social(draft, id, 1)
    draft.by(CONSEQUENCES, old + 1, of="social")


_CONSEQUENCE: dict[str, Callable[[Draft, str, int], None]] = {"speed": _speed, "spirit": _spirit, "social": _social}


# --- Power -----------------------------------------------------------------------------------------------------------


def allocate_power(draft: Draft, do: AllocatePower) -> None:
    """Points not yet allocated. Refuses `power-option-unknown`, `power-not-natural`, `power-overspent`."""
    who = check_alive(draft, do.character)
    if do.option not in OPTIONS[power_of(who)]:
        raise Refused(ALLOCATE, "power-option-unknown", option=do.option)
    if not is_natural(do.points):
        raise Refused(ALLOCATE, "power-not-natural", points=repr(do.points))
    free = who.expertise.get(power_of(who), 0) - sum(who.power.values())
    if do.points > free:
        raise Refused(ALLOCATE, "power-overspent", points=do.points, free=free)
    draft.about(do.character, PowerAllocated(do.character, do.option, do.points))
    draft.by(ALLOCATE, do.points, option=do.option)
