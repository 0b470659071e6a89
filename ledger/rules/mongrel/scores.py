"""Which scores a character may be made with. Headings: Identity; Attributes. Pure: faults are codes, in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.tables import BEAST_FORMS, FORMS
from ledger.rules.mongrel.terms import (
    ATTRIBUTES,
    IDENTITIES,
    Number,
    is_age,
    is_identity,
    is_sex,
    is_whole,
    naturals,
)

Scores: TypeAlias = Mapping[str, int]
#: A code, and where on the sheet it points to.
Fault: TypeAlias = tuple[str, tuple[str | int, ...]]
#: As they were sent.
Sent: TypeAlias = Mapping[str, Number]
POINTS, LEAST, MOST = 6, 1, 7
SUM = 8
SOCIAL_WHEN_IGNORED, SPEED_WHEN_OLD_TOO = 4, 3
MAN_SCORE = 4


# --- Identity --------------------------------------------------------------------------------------------------------


def identity_faults(sent: Sent, primary: str) -> list[str]:
    """`mongrel.identity.split`, `mongrel.identity.primary`: every fault; no natural number, or no Identity, alone."""
    identity = naturals(sent, IDENTITIES)
    if identity is None:
        return ["identity-not-natural"]
    if not is_identity(primary):
        return ["identity-primary-unknown"]
    faults = []
    if sum(identity.values()) != POINTS:
        faults.append("identity-sum")
    if zeros(identity) > 1:
        faults.append("identity-two-zeros")
    if identity[primary] < max(identity.values()):
        faults.append("identity-primary-not-highest")
    return faults


def zeros(identity: Scores) -> int:
    return sum(1 for name in IDENTITIES if identity.get(name, 0) == 0)


def forms(identity: Scores, primary: str) -> tuple[str, ...]:
    """`mongrel.identity.body`: what bodies the Identity allows."""
    if primary == "man":
        return FORMS["man"]
    if primary == "beast":
        return BEAST_FORMS
    man, beast = identity.get("man", 0), identity.get("beast", 0)
    return (*(FORMS["man"] if man >= beast else ()), *(BEAST_FORMS if beast >= man else ()))


def body_faults(sent: Sent, primary: str, body: str, unnatural: Sequence[str]) -> list[str]:
    """A form outside the set, or a primary Demon that looks natural."""
    identity = naturals(sent, IDENTITIES)
    if not is_identity(primary) or identity is None:
        return []
    plain = primary == "demon" and not any(aspect.strip() for aspect in unnatural)
    return ["body-form"] if body not in forms(identity, primary) or plain else []


# --- attributes ------------------------------------------------------------------------------------------------------


def guideline_met(sex: str | None, scores: Scores) -> bool:
    """The guideline of the sexes; equal scores do not meet it. Who does not meet it has ignored it."""
    if sex == "male":
        return scores["physique"] > scores["beauty"]
    return scores["beauty"] > scores["physique"]


def unknown_words(sex: str, age: str) -> list[str]:
    """Without them, nobody knows what the scores must be to each other."""
    return [*(() if is_sex(sex) else ("sex-unknown",)), *(() if is_age(age) else ("age-unknown",))]


def unusable_attributes(scores: Sent, dials: Dials) -> list[Fault]:
    """What leaves nothing else to check: a score missing, one too many; else those out of range."""
    highest = dials.everything_max or MOST
    return _unusable_names(scores) or [
        ("attribute-range", ("attributes", name))
        for name in ATTRIBUTES
        if not (is_whole(score := scores[name]) and LEAST <= score <= highest)
    ]


def _unusable_names(scores: Sent) -> list[Fault]:
    if any(name not in scores for name in ATTRIBUTES):
        return [("attribute-missing", ("attributes",))]
    return [("attribute-unknown", ("attributes", name)) for name in scores if name not in ATTRIBUTES]


def attribute_faults(primary: str, sex: str, age: str, scores: Scores) -> list[str]:
    """Every fault of chosen attributes, in the order of the rules."""
    met = guideline_met(sex, scores)
    faults = _size_spirit_faults(primary, scores)
    if scores["physique"] + scores["beauty"] != SUM:
        faults.append("physique-beauty-sum")
    if not met and age == "old":
        return faults + _ignored_and_old_faults(scores)
    if scores["speed"] + scores["social"] != SUM:
        faults.append("speed-social-sum")
    if not met and scores["social"] > SOCIAL_WHEN_IGNORED:
        faults.append("social-over-4")
    return faults + _age_faults(age, scores)


def _size_spirit_faults(primary: str, scores: Scores) -> list[str]:
    faults = ["size-spirit-sum"] if scores["size"] + scores["spirit"] != SUM else []
    if primary == "man" and (scores["size"], scores["spirit"]) != (MAN_SCORE, MAN_SCORE):
        faults.append("size-spirit-man")
    return faults + _order_faults(primary, scores)


def _order_faults(primary: str, scores: Scores) -> list[str]:
    if primary == "beast" and scores["size"] <= scores["spirit"]:
        return ["size-spirit-beast"]
    if primary == "demon" and scores["spirit"] <= scores["size"]:
        return ["size-spirit-demon"]
    return []


def _age_faults(age: str, scores: Scores) -> list[str]:
    if age == "young" and scores["speed"] <= scores["social"]:
        return ["speed-social-young"]
    if age == "old" and scores["social"] <= scores["speed"]:
        return ["speed-social-old"]
    return []


def _ignored_and_old_faults(scores: Scores) -> list[str]:
    """`mongrel.attr.ignored-and-old`: instead of every other check of Speed and Social."""
    faults = ["social-must-be-4"] if scores["social"] != SOCIAL_WHEN_IGNORED else []
    return [*faults, "speed-over-3"] if scores["speed"] > SPEED_WHEN_OLD_TOO else faults


# --- lowering --------------------------------------------------------------------------------------------------------


def unusable_lowering(chosen: Scores, sent: Sent) -> list[Fault]:
    """Missing or unknown names; else what is no integer; else what is raised, or below 1."""
    if misnamed := _unusable_names(sent):
        return misnamed
    lowered = {name: score for name in ATTRIBUTES if is_whole(score := sent[name])}
    if len(lowered) < len(ATTRIBUTES):
        return [("attribute-range", ("attributes", name)) for name in ATTRIBUTES if name not in lowered]
    raised = [name for name in ATTRIBUTES if lowered[name] > chosen[name]]
    low = [name for name in ATTRIBUTES if lowered[name] < LEAST and name not in raised]
    found: list[Fault] = [("lowering-raises", ("attributes", name)) for name in raised]
    return found + [("attribute-range", ("attributes", name)) for name in low]


def lowering_faults(primary: str, sex: str, age: str, lowered: Scores) -> list[str]:
    """`lowering_keeps_constraints`: the orderings again, sums no longer."""
    faults = _order_faults(primary, lowered)
    if not guideline_met(sex, lowered) and lowered["social"] > SOCIAL_WHEN_IGNORED:
        faults.append("social-over-4")
    return faults + _age_faults(age, lowered)
