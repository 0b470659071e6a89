"""Identity and Attributes: Man, Beast and Demon, the body that they allow, and how scores must relate to each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, TypeAlias

from ledger.rules.kernel.kit import (
    Among,
    CharacterId,
    Move,
    Refusal,
    Says,
    Seen,
    SharedRefusal,
    Story,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    offers,
    once_created,
    rule,
    words,
)
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.sight import get_sight
from ledger.rules.mongrel.state import Character
from ledger.rules.mongrel.tables import BEAST_FORMS, FORMS
from ledger.rules.mongrel.terms import (
    ATTRIBUTES,
    IDENTITIES,
    Number,
    is_age,
    is_identity,
    is_sex,
    is_whole,
    read_naturals,
    whether,
)

SPLIT = rule(
    "mongrel.identity.split",
    "Man, Beast and Demon add up to 6. At most one of them is 0.",
    "Identity",
)
PRIMARY = rule(
    "mongrel.identity.primary",
    "The primary Identity is the highest one. If several are tied for highest, the player chooses.",
    "Identity",
)
IDENTITY_ADDS = rule(
    "mongrel.identity.use",
    "Identity scores add to the Effect of tasks, decide the order of actions in conflicts and limit attributes. "
    "The primary Identity also decides which Power a character can have.",
    "Identity",
)
#: The faults that a sheet's Identities can have.
IDENTITY_FAULTS = (
    Refusal(
        SPLIT,
        "identity-not-natural",
        "Man, Beast and Demon must be whole numbers, 0 or more.",
    ),
    Refusal(
        SPLIT,
        "identity-sum",
        "Man, Beast and Demon must add up to 6.",
    ),
    Refusal(
        SPLIT,
        "identity-two-zeros",
        "Only one of Man, Beast and Demon can be 0.",
    ),
    Refusal(
        PRIMARY,
        "identity-primary-unknown",
        "The primary Identity must be Man, Beast or Demon.",
    ),
    Refusal(
        PRIMARY,
        "identity-primary-not-highest",
        "The primary Identity must be the highest of Man, Beast and Demon.",
    ),
)

Scores: TypeAlias = Mapping[str, int]
#: Scores as they were sent.
Sent: TypeAlias = Mapping[str, Number]

POINTS = 6


def list_identity_faults(sent_scores: Sent, primary: str) -> list[str]:
    """Return every fault of the Identities; an unusable number or an unknown primary Identity hides the others."""
    identity = read_naturals(sent_scores, IDENTITIES)
    if identity is None:
        return ["identity-not-natural"]
    if not is_identity(primary):
        return ["identity-primary-unknown"]
    faults = []
    if sum(identity.values()) != POINTS:
        faults.append("identity-sum")
    if count_zeros(identity) > 1:
        faults.append("identity-two-zeros")
    if identity[primary] < max(identity.values()):
        faults.append("identity-primary-not-highest")
    return faults


def count_zeros(identity: Scores) -> int:
    return sum(1 for name in IDENTITIES if identity.get(name, 0) == 0)


# --- the body --------------------------------------------------------------------------------------------------------

BODY = rule(
    "mongrel.identity.body",
    "The primary Identity decides the form of the body. If it is Demon, the body takes its form from Man or Beast,"
    " whichever score is higher (the player chooses if they are tied), and something about it is visibly "
    "unnatural. Each of the other two Identities shows in details, unless its score is 0.",
    "Identity",
)
BODY_FORMS = rule(
    "mongrel.identity.forms",
    f"If the primary Identity is Man, the body is {', '.join(FORMS['man'])}. If it is Beast, the body is one of these:"
    f" {', '.join(map(words, BEAST_FORMS))}.",
    "Identity",
)
#: A rule that only lists words. It decides nothing.
WORDS_OF_BODIES = (BODY_FORMS,)
BODY_FORM = Refusal(
    BODY,
    "body-form",
    "That body does not fit this Identity. Possible forms: {forms}. If Demon is the primary Identity, the"
    " character also needs an unnatural feature.",
)


def list_forms(identity: Scores, primary: str) -> tuple[str, ...]:
    """Return the bodies that the Identity allows (`mongrel.identity.body`)."""
    if primary == "man":
        return FORMS["man"]
    if primary == "beast":
        return BEAST_FORMS
    man, beast = identity.get("man", 0), identity.get("beast", 0)
    return (*(FORMS["man"] if man >= beast else ()), *(BEAST_FORMS if beast >= man else ()))


def list_body_faults(sent_scores: Sent, primary: str, body: str, unnatural: Sequence[str]) -> list[str]:
    """Return the faults of the body: a form that is not allowed, or a primary Demon that looks natural."""
    identity = read_naturals(sent_scores, IDENTITIES)
    if not is_identity(primary) or identity is None:
        return []
    looks_natural = primary == "demon" and not any(aspect.strip() for aspect in unnatural)
    return ["body-form"] if body not in list_forms(identity, primary) or looks_natural else []


@fact("described", says=whether("text", "{character}'s description: {text}.", "{character} has no description."))
class Described:
    """A character's looks were described, in addition to what their scores say about the body."""

    character: CharacterId
    text: Story


@changes
@once_created
def put_description(state: Character, fact: Described) -> Character:
    return changed(state, description=fact.text)


@declares(
    "describe",
    either("character"),
    says=whether("text", "{character}'s description: {text}.", "{character} has no description."),
    records=(Described,),
)
class Describe:
    """Describe what the character looks like."""

    character: CharacterId
    text: Annotated[Story, Says("Description")]


@decides
def describe(draft: Draft, do: Describe) -> None:
    """Replace the description. Nothing else changes."""
    state = draft.read_character(do.character)
    draft.about(do.character, Described(do.character, do.text))
    draft.by(BODY, state.body, description=do.text)


@offers
def offer_to_describe(seen: Seen, draft: Draft) -> Iterator[Move]:
    if roster := get_sight(seen, draft).roster:
        yield Move(Describe, {"character": Among(roster)})


# --- attributes ------------------------------------------------------------------------------------------------------

RANGE = rule(
    "mongrel.attr.range",
    "Each attribute is a number from 1 to 7 (our reading). At some tables, no score can be higher than 6.",
    "Attributes",
)
SIZE_SPIRIT = rule(
    "mongrel.attr.size-spirit",
    "Size and Spirit add up to 8. If the primary Identity is Man, both are 4. If it is Beast, Size is higher than "
    "Spirit. If it is Demon, Spirit is higher than Size.",
    "Attributes",
)
PHYSIQUE_BEAUTY = rule(
    "mongrel.attr.physique-beauty",
    "Physique and Beauty add up to 8. As a guideline, male characters have more Physique than Beauty, and female "
    "characters have more Beauty than Physique. A character who does not follow this guideline cannot have a "
    "Social above 4.",
    "Attributes",
)
SPEED_SOCIAL = rule(
    "mongrel.attr.speed-social",
    "Speed and Social add up to 8. A young character has more Speed than Social. An elderly character has more"
    " Social than Speed. An adult can divide the 8 points freely.",
    "Attributes",
)
IGNORED_AND_OLD = rule(
    "mongrel.attr.ignored-and-old",
    "An elderly character whose Physique and Beauty do not follow the guideline for their sex has Social 4 and"
    " Speed 3 or less. For such a character, Speed and Social need not add up to 8.",
    "Attributes",
)
LOWERING = rule(
    "mongrel.attr.lowering",
    "After the attributes are chosen, the player may lower any of them, but not below 1 (our reading). The player "
    "gains nothing for this.",
    "Attributes",
)
#: The faults that a sheet's attributes can have, in the order in which they are checked.
ATTRIBUTE_FAULTS = (
    Refusal(
        PHYSIQUE_BEAUTY,
        "sex-unknown",
        "Sex must be male or female.",
    ),
    Refusal(
        SPEED_SOCIAL,
        "age-unknown",
        "Age must be young, adult or old.",
    ),
    Refusal(
        RANGE,
        "attribute-missing",
        "Give all six attributes: Size, Spirit, Physique, Beauty, Speed and Social.",
    ),
    Refusal(
        RANGE,
        "attribute-range",
        "An attribute must be from 1 to 7, and no higher than this table's maximum for all scores.",
    ),
    Refusal(
        SIZE_SPIRIT,
        "size-spirit-sum",
        "Size and Spirit must add up to 8.",
    ),
    Refusal(
        SIZE_SPIRIT,
        "size-spirit-man",
        "If Man is the primary Identity, Size and Spirit are both 4.",
    ),
    Refusal(
        SIZE_SPIRIT,
        "size-spirit-beast",
        "If Beast is the primary Identity, Size must be higher than Spirit.",
    ),
    Refusal(
        SIZE_SPIRIT,
        "size-spirit-demon",
        "If Demon is the primary Identity, Spirit must be higher than Size.",
    ),
    Refusal(
        PHYSIQUE_BEAUTY,
        "physique-beauty-sum",
        "Physique and Beauty must add up to 8.",
    ),
    Refusal(
        PHYSIQUE_BEAUTY,
        "social-over-4",
        "A character who ignores the guideline for their sex must have Social 4 or less.",
    ),
    Refusal(
        SPEED_SOCIAL,
        "speed-social-sum",
        "Speed and Social must add up to 8.",
    ),
    Refusal(
        SPEED_SOCIAL,
        "speed-social-young",
        "Young characters must have more Speed than Social.",
    ),
    Refusal(
        SPEED_SOCIAL,
        "speed-social-old",
        "Elderly characters must have more Social than Speed.",
    ),
    Refusal(
        IGNORED_AND_OLD,
        "social-must-be-4",
        "An elderly character who ignores the guideline for their sex must have Social 4.",
    ),
    Refusal(
        IGNORED_AND_OLD,
        "speed-over-3",
        "An elderly character who ignores the guideline for their sex must have Speed 3 or less.",
    ),
    Refusal(
        LOWERING,
        "lowering-raises",
        "After lowering, an attribute can be lower than before, but not higher.",
    ),
)
ATTRIBUTE_UNKNOWN = SharedRefusal(
    "attribute-unknown",
    "There is no such attribute[: {attribute}]. Choose Size, Spirit, Physique, Beauty, Speed or Social.",
)
LEAST, MOST = 1, 7

#: A fault code, and its place on the sheet.
Fault: TypeAlias = tuple[str, tuple[str | int, ...]]
SUM = 8


SOCIAL_WHEN_IGNORED, SPEED_WHEN_OLD_TOO = 4, 3
MAN_SCORE = 4


def is_guideline_met(sex: str | None, scores: Scores) -> bool:
    """Return whether the scores meet the guideline for the character's sex. Equal scores do not."""
    if sex == "male":
        return scores["physique"] > scores["beauty"]
    return scores["beauty"] > scores["physique"]


def list_word_faults(sex: str, age: str) -> list[str]:
    """Return the faults of sex and age. If either is unknown, the relations between scores cannot be checked."""
    return [*(() if is_sex(sex) else ("sex-unknown",)), *(() if is_age(age) else ("age-unknown",))]


def list_unusable_attributes(scores: Sent, dials: Dials) -> list[Fault]:
    """Return the faults that hide all others: missing or unknown scores or, if there are none, scores out of range."""
    highest = dials.everything_max or MOST
    return _list_unusable_names(scores) or [
        ("attribute-range", ("attributes", name))
        for name in ATTRIBUTES
        if not (is_whole(score := scores[name]) and LEAST <= score <= highest)
    ]


def _list_unusable_names(scores: Sent) -> list[Fault]:
    if any(name not in scores for name in ATTRIBUTES):
        return [("attribute-missing", ("attributes",))]
    return [("attribute-unknown", ("attributes", name)) for name in scores if name not in ATTRIBUTES]


def list_attribute_faults(primary: str, sex: str, age: str, scores: Scores) -> list[str]:
    """Return every fault of chosen attributes, in the order of the rules."""
    is_met = is_guideline_met(sex, scores)
    faults = _list_size_spirit_faults(primary, scores)
    if scores["physique"] + scores["beauty"] != SUM:
        faults.append("physique-beauty-sum")
    if not is_met and age == "old":
        return faults + _list_ignored_and_old_faults(scores)
    if scores["speed"] + scores["social"] != SUM:
        faults.append("speed-social-sum")
    if not is_met and scores["social"] > SOCIAL_WHEN_IGNORED:
        faults.append("social-over-4")
    return faults + _list_age_faults(age, scores)


def _list_size_spirit_faults(primary: str, scores: Scores) -> list[str]:
    faults = ["size-spirit-sum"] if scores["size"] + scores["spirit"] != SUM else []
    if primary == "man" and (scores["size"], scores["spirit"]) != (MAN_SCORE, MAN_SCORE):
        faults.append("size-spirit-man")
    return faults + _list_order_faults(primary, scores)


def _list_order_faults(primary: str, scores: Scores) -> list[str]:
    if primary == "beast" and scores["size"] <= scores["spirit"]:
        return ["size-spirit-beast"]
    if primary == "demon" and scores["spirit"] <= scores["size"]:
        return ["size-spirit-demon"]
    return []


def _list_age_faults(age: str, scores: Scores) -> list[str]:
    if age == "young" and scores["speed"] <= scores["social"]:
        return ["speed-social-young"]
    if age == "old" and scores["social"] <= scores["speed"]:
        return ["speed-social-old"]
    return []


def _list_ignored_and_old_faults(scores: Scores) -> list[str]:
    """Return only the faults of Speed and Social under `mongrel.attr.ignored-and-old`."""
    faults = ["social-must-be-4"] if scores["social"] != SOCIAL_WHEN_IGNORED else []
    return [*faults, "speed-over-3"] if scores["speed"] > SPEED_WHEN_OLD_TOO else faults


# --- lowering --------------------------------------------------------------------------------------------------------


def list_unusable_lowering(chosen: Scores, sent_scores: Sent) -> list[Fault]:
    """Return the first kind of fault found: missing or unknown names, scores that are not integers, or scores that were
    raised or are below 1.
    """
    if name_faults := _list_unusable_names(sent_scores):
        return name_faults
    lowered = {name: score for name in ATTRIBUTES if is_whole(score := sent_scores[name])}
    if len(lowered) < len(ATTRIBUTES):
        return [("attribute-range", ("attributes", name)) for name in ATTRIBUTES if name not in lowered]
    raised_names = [name for name in ATTRIBUTES if lowered[name] > chosen[name]]
    low_names = [name for name in ATTRIBUTES if lowered[name] < LEAST and name not in raised_names]
    faults: list[Fault] = [("lowering-raises", ("attributes", name)) for name in raised_names]
    return faults + [("attribute-range", ("attributes", name)) for name in low_names]


def list_lowering_faults(primary: str, sex: str, age: str, lowered: Scores) -> list[str]:
    """Return the faults of lowered attributes: the orderings are checked again, but not the sums
    (`lowering_keeps_constraints`).
    """
    faults = _list_order_faults(primary, lowered)
    if not is_guideline_met(sex, lowered) and lowered["social"] > SOCIAL_WHEN_IGNORED:
        faults.append("social-over-4")
    return faults + _list_age_faults(age, lowered)
