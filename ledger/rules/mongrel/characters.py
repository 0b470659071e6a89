"""Character Creation: a sheet, checked in the order of the book, and what a new character starts with.

The groups (House, Identity, attributes, lowering, Expertise, Power, Vows) are checked each as far as nothing it needs
is unusable. The first fault names the refusal, with all codes of its group in `faults`. A table may import a sheet that
breaks the steps (`sheet_validation`): what can be played is then taken as it stands, each deviation on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    CharacterId,
    Enrol,
    Faults,
    Refused,
    RuleId,
    Says,
    Story,
    Title,
    changed,
    changes,
    decides,
    fact,
    rule,
)
from ledger.rules.mongrel import accounts, houses, identities, powers
from ledger.rules.mongrel.draft import BAD_SCORE, Draft
from ledger.rules.mongrel.state import Character
from ledger.rules.mongrel.tables import GOVERNED_BY, OPTIONS, POWERS
from ledger.rules.mongrel.terms import (
    ATTRIBUTES,
    HOUSES,
    IDENTITIES,
    Age,
    AgeName,
    AttributeName,
    BodyForm,
    ExpertiseName,
    House,
    HouseName,
    Identity,
    IdentityName,
    Natural,
    OptionName,
    Sex,
    SexName,
    is_age,
    is_house,
    is_identity,
    is_natural,
    is_sex,
    naturals,
)

START_AP = rule(
    "mongrel.derived.ap",
    "A character's Action Point maximum is their Speed. Some tables add a bonus to it. A character starts at the "
    "maximum.",
    "Derived scores",
)
START_RESOLVE = rule(
    "mongrel.derived.resolve",
    "A character's maximum Infernal Resolve is their Spirit. A character starts at the maximum.",
    "Derived scores",
)
WOUND_THRESHOLD = rule(
    "mongrel.derived.wound",
    "The Wound Threshold is three numbers: Size, Size plus Physique, and Size plus twice Physique (our reading: "
    "the source names the Wound Threshold but never uses it). Physique lost to wounds lowers the second and third "
    "numbers.",
    "Derived scores",
)
START_CREDIT = rule(
    "mongrel.credit.start",
    "A character's Credit with their own House starts equal to their Social. Their Credit with each of the other "
    "six Houses starts at 1.",
    "Character wealth and social status",
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A new character.

    `attributes`: all six attributes, before any of them is lowered. `lowered`: all six attributes after lowering, if
    any of them is lowered.
    `unnatural`: what is visibly unnatural about the body, if the primary Identity is Demon. `power`: how many points
    each option of the Power has.
    `plus_three`: the two Expertises picked in step 2. `plus_two`: the two Expertises picked in step 3. `plus_one`: the
    two Expertises picked in step 4. `expertise`: the levels printed on a sheet that you import, instead of those that
    the steps give.
    `description`: what the character looks like, in your own words.
    """

    house: HouseName
    man: Natural
    beast: Natural
    demon: Natural
    primary: Annotated[IdentityName, Says("Primary Identity")]
    body: BodyForm
    sex: SexName
    age: AgeName
    attributes: Mapping[AttributeName, Natural]
    plus_three: Annotated[tuple[ExpertiseName, ...], Says("Expertises raised by 3")] = ()
    plus_two: Annotated[tuple[ExpertiseName, ...], Says("Expertises raised by 2")] = ()
    plus_one: Annotated[tuple[ExpertiseName, ...], Says("Expertises raised by 1")] = ()
    unnatural: Annotated[tuple[Title, ...], Says("Unnatural features")] = ()
    lowered: Annotated[Mapping[AttributeName, Natural] | None, Says("Attributes after lowering")] = None
    power: Annotated[Mapping[OptionName, Natural], Says("Points in each Power option")] = field(default_factory=dict)
    vows: tuple[houses.VowLine, ...] = ()
    expertise: Annotated[Mapping[ExpertiseName, Natural] | None, Says("Expertise levels on an imported sheet")] = None
    npc: Annotated[bool, Says("Played by the game master")] = False
    description: Story = ""


@dataclass(frozen=True, slots=True)
class WoundThreshold:
    """Size, Size + Physique, Size + 2 x Physique."""

    size: int
    clear: int
    gray: int


@fact(
    "character-created",
    says="{character} of House {house} is {age} and {sex}. Primary Identity: {primary}. Body: {body}.",
)
class CharacterCreated:
    """A character is created.

    `chosen`: attributes before lowering. `deviations`: codes of the rules that the sheet breaks.
    """

    character: CharacterId
    house: House
    sex: Sex
    age: Age
    identity: Mapping[IdentityName, int]
    primary: Identity
    body: BodyForm
    unnatural: tuple[Title, ...]
    chosen: Mapping[AttributeName, int]
    attributes: Mapping[AttributeName, int]
    plus_three: tuple[ExpertiseName, ...]
    plus_two: tuple[ExpertiseName, ...]
    plus_one: tuple[ExpertiseName, ...]
    expertise: Mapping[ExpertiseName, int]
    power: Mapping[OptionName, int]
    action_points: int
    infernal_resolve: int
    wound_threshold: WoundThreshold
    npc: bool
    status: int | None
    deviations: tuple[Title, ...]


@changes
def put_character(state: Character, fact: CharacterCreated) -> Character:
    return changed(
        state,
        house=fact.house,
        sex=fact.sex,
        age=fact.age,
        npc=fact.npc,
        identity=fact.identity,
        primary=fact.primary,
        body=fact.body,
        unnatural=fact.unnatural,
        chosen=fact.chosen,
        lowered=fact.attributes,
        attributes=fact.attributes,
        expertise=fact.expertise,
        picks=(*fact.plus_three, *fact.plus_two, *fact.plus_one),
        power=fact.power,
        status=fact.status,
        deviations=fact.deviations,
    )


@fact("credit-accounts-opened", says="{subject} has a Credit account with each of the seven Houses.", changes=None)
class CreditAccountsOpened:
    """A character's Credit accounts are opened. `credit`: the Credit with each House."""

    credit: Mapping[HouseName, int]


#: The rule a code of creation belongs to.
RULE_OF: Mapping[str, RuleId] = {
    **{
        refusal.code: refusal.rule
        for refusal in (
            *identities.IDENTITY_FAULTS,
            identities.BODY_FORM,
            *identities.ATTRIBUTE_FAULTS,
            *powers.POWER_FAULTS,
        )
    },
    "attribute-unknown": identities.RANGE,
}

#: Nothing can be played on these, whoever printed the sheet.
UNPLAYABLE = frozenset(
    {
        "identity-not-natural",
        "identity-primary-unknown",
        "sex-unknown",
        "age-unknown",
        "attribute-missing",
        "attribute-unknown",
        "power-option-unknown",
        "power-not-natural",
        "expertise-unknown",
    }
)
#: Where on the sheet a code points to; others say it themselves.
PLACE_OF: Mapping[str, tuple[str, ...]] = {
    "identity-sum": ("man",),
    "identity-two-zeros": ("man",),
    "identity-primary-unknown": ("primary",),
    "identity-primary-not-highest": ("primary",),
    "body-form": ("body",),
    "sex-unknown": ("sex",),
    "age-unknown": ("age",),
    "size-spirit-sum": ("attributes", "size"),
    "size-spirit-man": ("attributes", "size"),
    "size-spirit-beast": ("attributes", "size"),
    "size-spirit-demon": ("attributes", "size"),
    "physique-beauty-sum": ("attributes", "physique"),
    "social-over-4": ("attributes", "social"),
    "speed-social-sum": ("attributes", "speed"),
    "speed-social-young": ("attributes", "speed"),
    "speed-social-old": ("attributes", "speed"),
    "social-must-be-4": ("attributes", "social"),
    "speed-over-3": ("attributes", "speed"),
    "power-overspent": ("power",),
    "expertise-not-from-steps": ("expertise",),
}


class Check(Faults):
    """The groups of a sheet as they are checked."""

    def group(self, faults: Sequence[identities.Fault], rule: str | None = None, **context: object) -> bool:
        """Report the faults of a group, all codes in `faults`. Return whether the numbers are taken all the same."""
        codes = list(dict.fromkeys(code for code, _ in faults))
        playable = not UNPLAYABLE & set(codes)
        refusals = [(Refused(rule or RULE_OF[code], code, None, faults=codes, **context), at) for code, at in faults]
        taken = [self.note(fault, "sheet", *at, playable=playable) for fault, at in refusals]
        return all(taken)

    def alone(self, faults: Sequence[identities.Fault], *, playable: bool) -> bool:
        """Report faults after which the rest of their group is not checked. `playable`: the numbers can be used."""
        reported = faults[:1] if playable and self.warns else faults  # what is taken all the same has one deviation
        taken = [
            self.note(Refused(RULE_OF[code], code, faults=[code]), "sheet", *place, playable=playable)
            for code, place in reported
        ]
        return all(taken)


def placed(codes: Iterable[str], attributes: str = "attributes") -> list[identities.Fault]:
    """Return the codes with their places. Codes of scores have a place among these attributes."""
    places = [(code, PLACE_OF[code]) for code in codes]
    return [(code, (attributes, *place[1:]) if place[0] == "attributes" else place) for code, place in places]


@decides
def create(draft: Draft, do: Enrol[Sheet]) -> None:
    """Create a character of one of the Houses, as the player made it."""
    sheet, check = do.sheet, Check(warns=draft.dials.sheet_validation == "warn")
    with check.at("sheet", "house"):
        _check_house(sheet.house)
    identity = _identity(check, sheet)
    chosen = _chosen(draft, check, sheet)
    attributes = _lowered(draft, check, sheet, chosen)
    expertise = _expertise(check, sheet)
    power = _power(check, sheet, expertise)
    id = str(draft.table.number)
    vows = check.each(sheet.vows, lambda vow: houses.check_vow(id, vow), "sheet", "vows")
    check.raise_found()
    assert is_house(sheet.house) and is_identity(sheet.primary) and is_sex(sheet.sex) and is_age(sheet.age)
    assert identity and chosen and attributes and expertise is not None and power is not None
    action_points = attributes["speed"] + max(0, draft.dials.starting_ap_bonus)
    size, physique = attributes["size"], attributes["physique"]
    fact = CharacterCreated(
        id,
        sheet.house,
        sheet.sex,
        sheet.age,
        identity,
        sheet.primary,
        sheet.body,
        sheet.unnatural,
        chosen,
        attributes,
        sheet.plus_three,
        sheet.plus_two,
        sheet.plus_one,
        expertise,
        power,
        action_points,
        attributes["spirit"],
        WoundThreshold(size, size + physique, size + 2 * physique),
        sheet.npc,
        attributes["social"] if draft.dials.house_status else None,
        tuple(check.deviations),
    )
    draft.about(
        id,
        fact,
        accounts.move(accounts.AP, accounts.ap(id), action_points),
        accounts.move(accounts.HELL, accounts.resolve(id), attributes["spirit"]),
        accounts.move(accounts.BEAUTY, accounts.beauty(id), attributes["beauty"]),
    )
    _explain(draft, fact)
    _open_accounts(draft, id, sheet.house, attributes["social"])
    for vow in vows.values():
        draft.about(id, vow)
    if sheet.description:
        draft.about(id, identities.Described(id, sheet.description))


def _explain(draft: Draft, fact: CharacterCreated) -> None:
    draft.by(houses.HOUSE, fact.house)
    draft.by(identities.PRIMARY, fact.primary, None, **fact.identity)
    draft.by(identities.BODY, fact.body, forms=list(identities.forms(fact.identity, fact.primary)))
    draft.by(identities.SPLIT, sum(fact.identity.values()))
    _explain_attributes(draft, fact)
    draft.by(powers.STEP_1, 1, of=fact.primary)
    for step, picks in zip(powers.STEP_RULES, (fact.plus_three, fact.plus_two, fact.plus_one), strict=True):
        draft.by(step, list(picks))
    draft.by(powers.STACK, dict(fact.expertise), step1=fact.primary)
    draft.by(powers.ALLOCATE, sum(fact.power.values()), power=POWERS[fact.primary])
    draft.by(START_AP, fact.action_points, speed=fact.attributes["speed"])
    draft.by(START_RESOLVE, fact.infernal_resolve, spirit=fact.attributes["spirit"])
    wound = fact.wound_threshold
    draft.by(WOUND_THRESHOLD, [wound.size, wound.clear, wound.gray])


def _explain_attributes(draft: Draft, fact: CharacterCreated) -> None:
    chosen = fact.chosen
    met = identities.guideline_met(fact.sex, chosen)
    draft.by(identities.RANGE, dict(chosen))
    draft.by(identities.SIZE_SPIRIT, chosen["size"] + chosen["spirit"], primary=fact.primary)
    draft.by(identities.PHYSIQUE_BEAUTY, chosen["physique"] + chosen["beauty"], sex=fact.sex, guideline=met)
    rule = identities.SPEED_SOCIAL if met or fact.age != "old" else identities.IGNORED_AND_OLD
    draft.by(rule, chosen["speed"] + chosen["social"], age=fact.age)


def _open_accounts(draft: Draft, id: str, own: House, social: int) -> None:
    """Open the Credit accounts (`mongrel.credit.start`)."""
    held: dict[str, int] = {house: social if house == own else 1 for house in HOUSES}
    opened = [accounts.move(accounts.issuer(house), accounts.credit(id, house), n) for house, n in held.items()]
    draft.about(id, CreditAccountsOpened(held), *opened)
    draft.by(START_CREDIT, social, house=own)


# --- the groups ------------------------------------------------------------------------------------------------------


def _check_house(house: str) -> None:
    if not is_house(house):
        raise houses.HOUSE_UNKNOWN.under(houses.HOUSE, house=house)


def _identity(check: Check, sheet: Sheet) -> dict[str, int] | None:
    sent = {"man": sheet.man, "beast": sheet.beast, "demon": sheet.demon}
    identity = naturals(sent, IDENTITIES)
    if identity is None:
        check.group([("identity-not-natural", (name,)) for name in IDENTITIES if not is_natural(sent[name])])
        return None
    codes = identities.identity_faults(identity, sheet.primary)
    body = identities.body_faults(identity, sheet.primary, sheet.body, sheet.unnatural)
    allowed: dict[str, Any] = {"forms": list(identities.forms(identity, sheet.primary))} if body else {}
    check.group(placed(codes + body), **allowed)
    return identity


def _chosen(draft: Draft, check: Check, sheet: Sheet) -> dict[str, int] | None:
    """Return the scores if they can be used. Identity, sex and age say how they must relate to each other."""
    words = identities.unknown_words(sheet.sex, sheet.age)
    check.alone(placed(words), playable=False)
    faults = identities.unusable_attributes(sheet.attributes, draft.dials)
    scores = naturals(sheet.attributes, ATTRIBUTES)
    playable = scores is not None and {code for code, _ in faults} == {"attribute-range"}
    usable = check.alone(faults, playable=playable)
    if not usable or scores is None:
        return None
    if not words and is_identity(sheet.primary):
        check.group(placed(identities.attribute_faults(sheet.primary, sheet.sex, sheet.age, scores)))
    return scores


def _lowered(draft: Draft, check: Check, sheet: Sheet, chosen: dict[str, int] | None) -> dict[str, int] | None:
    if sheet.lowered is None or chosen is None:
        return chosen
    faults = identities.unusable_lowering(chosen, sheet.lowered)
    lowered = naturals(sheet.lowered, ATTRIBUTES)
    playable = lowered is not None and {code for code, _ in faults} <= {"lowering-raises", "attribute-range"}
    usable = check.alone([(code, ("lowered", *place[1:])) for code, place in faults], playable=playable)
    if not usable or lowered is None:
        return None
    if draft.dials.lowering_keeps_constraints and not identities.unknown_words(sheet.sex, sheet.age):
        check.group(placed(identities.lowering_faults(sheet.primary, sheet.sex, sheet.age, lowered), "lowered"))
    fell = [name for name in ATTRIBUTES if lowered[name] != chosen[name]]
    if fell:
        draft.by(identities.LOWERING, fell)
    return lowered


def _expertise(check: Check, sheet: Sheet) -> dict[str, int] | None:
    """Return the levels that the picks give; on an imported sheet, the printed levels."""
    if not is_identity(sheet.primary):
        return None
    picks: powers.Picks = (sheet.plus_three, sheet.plus_two, sheet.plus_one)
    faults = powers.picks_faults(sheet.primary, picks)
    if check.warns:
        faults = faults[:1]  # what is taken all the same has one deviation
    taken = [check.group([(code, place)], rule) for rule, code, place in faults]
    printed = _printed(check, sheet)
    if not all(taken) or printed is None:
        return None
    given = powers.levels(sheet.primary, picks)
    if sheet.expertise is None:
        return given
    if printed != given:
        differ = sorted(name for name in {*printed, *given} if printed.get(name) != given.get(name))
        check.group(placed(["expertise-not-from-steps"]), powers.STACK, differ=differ)
    return printed


def _printed(check: Check, sheet: Sheet) -> dict[str, int] | None:
    """Return the levels printed on the sheet, if all can be used."""
    sent = sheet.expertise or {}
    levels = {}
    for name, level in sent.items():
        with check.at("sheet", "expertise", name):
            if name not in GOVERNED_BY:
                raise powers.EXPERTISE_UNKNOWN.under(powers.STACK, expertise=name)
            if not is_natural(level):
                raise BAD_SCORE.under(powers.STACK, expertise=name, level=repr(level))
            levels[name] = level
    return {name: level for name, level in levels.items() if level} if len(levels) == len(sent) else None


def _power(check: Check, sheet: Sheet, expertise: dict[str, int] | None) -> dict[str, int] | None:
    """Return the points of the options. Once the level is known, their sum is checked."""
    points = naturals(sheet.power, sheet.power)
    if not is_identity(sheet.primary):
        return points
    power = POWERS[sheet.primary]
    level = expertise.get(power, 0) if expertise is not None else None
    places = {
        "power-option-unknown": [option for option in sheet.power if option not in OPTIONS[power]],
        "power-not-natural": [option for option, points in sheet.power.items() if not is_natural(points)],
    }
    faults: list[identities.Fault] = []
    for code in powers.power_faults(sheet.primary, level, sheet.power):
        faults += [(code, ("power", option)) for option in places[code]] if code in places else placed([code])
    known: dict[str, Any] = {"level": level} if level is not None else {}
    check.group(faults, **known)
    return points
