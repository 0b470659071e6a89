"""Character Creation: a sheet, checked in the order of the source, and the values that a new character starts with.

The groups are House, Identity, attributes, lowering, Expertise, Power and Vows. A group is checked unless a value that
it needs is unusable. The refusal has the code of the first fault, and its `faults` lists all codes of that fault's
group. A table may import a sheet that breaks the steps (`sheet_validation`). Everything that can be played is then
accepted as it is, and each deviation is recorded.
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
    read_naturals,
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
    """The three thresholds of the damage table: Size, Size + Physique, and Size + 2 x Physique."""

    size: int
    clear: int
    gray: int


@fact(
    "character-created",
    says="{character} of House {house} is {age} and {sex}. Primary Identity: {primary}. Body: {body}.",
)
class CharacterCreated:
    """A character was created.

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
    """A character's Credit accounts were opened. `credit`: the Credit with each House."""

    credit: Mapping[HouseName, int]


#: The rule that each fault code belongs to.
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

#: Faults with which a sheet cannot be played, even if it is imported.
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
#: The place on the sheet for each fault code. Other faults name their own place.
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


class SheetReport(Faults):
    """The report on a sheet while its groups are checked."""

    def note_group(self, faults: Sequence[identities.Fault], rule: str | None = None, **context: object) -> bool:
        """Report the faults of a group, with all their codes in `faults`. Return whether the sheet is accepted all the
        same.
        """
        codes = list(dict.fromkeys(code for code, _ in faults))
        is_playable = not UNPLAYABLE & set(codes)
        refusals = [
            (Refused(rule or RULE_OF[code], code, None, faults=codes, **context), place) for code, place in faults
        ]
        are_accepted = [self.note(fault, "sheet", *place, playable=is_playable) for fault, place in refusals]
        return all(are_accepted)

    def note_alone(self, faults: Sequence[identities.Fault], *, is_playable: bool) -> bool:
        """Report faults that stop the check of the rest of their group. `is_playable`: whether the numbers can be used
        all the same.
        """
        reported = faults[:1] if is_playable and self.warns else faults  # one deviation per accepted fault
        results = [
            self.note(Refused(RULE_OF[code], code, faults=[code]), "sheet", *place, playable=is_playable)
            for code, place in reported
        ]
        return all(results)


def place_codes(codes: Iterable[str], attributes: str = "attributes") -> list[identities.Fault]:
    """Return the codes with their places on the sheet. `attributes`: the group in which faults of scores are placed."""
    places = [(code, PLACE_OF[code]) for code in codes]
    return [(code, (attributes, *place[1:]) if place[0] == "attributes" else place) for code, place in places]


@decides
def create(draft: Draft, do: Enrol[Sheet]) -> None:
    """Create a character of one of the Houses from the player's sheet."""
    sheet, report = do.sheet, SheetReport(warns=draft.dials.sheet_validation == "warn")
    with report.at("sheet", "house"):
        _check_house(sheet.house)
    identity = _check_identity(report, sheet)
    chosen = _check_attributes(draft, report, sheet)
    attributes = _check_lowered(draft, report, sheet, chosen)
    expertise = _check_expertise(report, sheet)
    power = _check_power(report, sheet, expertise)
    character_id = str(draft.table.number)
    vows = report.each(sheet.vows, lambda vow: houses.check_vow(character_id, vow), "sheet", "vows")
    report.raise_found()
    assert is_house(sheet.house) and is_identity(sheet.primary) and is_sex(sheet.sex) and is_age(sheet.age)
    assert identity and chosen and attributes and expertise is not None and power is not None
    action_points = attributes["speed"] + max(0, draft.dials.starting_ap_bonus)
    size, physique = attributes["size"], attributes["physique"]
    fact = CharacterCreated(
        character_id,
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
        tuple(report.deviations),
    )
    draft.about(
        character_id,
        fact,
        accounts.make_posting(accounts.AP, accounts.name_ap(character_id), action_points),
        accounts.make_posting(accounts.HELL, accounts.name_resolve(character_id), attributes["spirit"]),
        accounts.make_posting(accounts.BEAUTY, accounts.name_beauty(character_id), attributes["beauty"]),
    )
    _explain_sheet(draft, fact)
    _open_accounts(draft, character_id, sheet.house, attributes["social"])
    for vow in vows.values():
        draft.about(character_id, vow)
    if sheet.description:
        draft.about(character_id, identities.Described(character_id, sheet.description))


def _explain_sheet(draft: Draft, fact: CharacterCreated) -> None:
    draft.by(houses.HOUSE, fact.house)
    draft.by(identities.PRIMARY, fact.primary, None, **fact.identity)
    draft.by(identities.BODY, fact.body, forms=list(identities.list_forms(fact.identity, fact.primary)))
    draft.by(identities.SPLIT, sum(fact.identity.values()))
    _explain_attributes(draft, fact)
    draft.by(powers.STEP_1, 1, of=fact.primary)
    for step_rule, picks in zip(powers.STEP_RULES, (fact.plus_three, fact.plus_two, fact.plus_one), strict=True):
        draft.by(step_rule, list(picks))
    draft.by(powers.STACK, dict(fact.expertise), step1=fact.primary)
    draft.by(powers.ALLOCATE, sum(fact.power.values()), power=POWERS[fact.primary])
    draft.by(START_AP, fact.action_points, speed=fact.attributes["speed"])
    draft.by(START_RESOLVE, fact.infernal_resolve, spirit=fact.attributes["spirit"])
    threshold = fact.wound_threshold
    draft.by(WOUND_THRESHOLD, [threshold.size, threshold.clear, threshold.gray])


def _explain_attributes(draft: Draft, fact: CharacterCreated) -> None:
    chosen = fact.chosen
    is_met = identities.is_guideline_met(fact.sex, chosen)
    draft.by(identities.RANGE, dict(chosen))
    draft.by(identities.SIZE_SPIRIT, chosen["size"] + chosen["spirit"], primary=fact.primary)
    draft.by(identities.PHYSIQUE_BEAUTY, chosen["physique"] + chosen["beauty"], sex=fact.sex, guideline=is_met)
    rule = identities.SPEED_SOCIAL if is_met or fact.age != "old" else identities.IGNORED_AND_OLD
    draft.by(rule, chosen["speed"] + chosen["social"], age=fact.age)


def _open_accounts(draft: Draft, character_id: str, own_house: House, social: int) -> None:
    credit_by_house: dict[str, int] = {house: social if house == own_house else 1 for house in HOUSES}
    postings = [
        accounts.make_posting(accounts.name_issuer(house), accounts.name_credit(character_id, house), amount)
        for house, amount in credit_by_house.items()
    ]
    draft.about(character_id, CreditAccountsOpened(credit_by_house), *postings)
    draft.by(START_CREDIT, social, house=own_house)


# --- the groups ------------------------------------------------------------------------------------------------------


def _check_house(house: str) -> None:
    if not is_house(house):
        raise houses.HOUSE_UNKNOWN.under(houses.HOUSE, house=house)


def _check_identity(report: SheetReport, sheet: Sheet) -> dict[str, int] | None:
    sent_scores = {"man": sheet.man, "beast": sheet.beast, "demon": sheet.demon}
    identity = read_naturals(sent_scores, IDENTITIES)
    if identity is None:
        report.note_group(
            [("identity-not-natural", (name,)) for name in IDENTITIES if not is_natural(sent_scores[name])]
        )
        return None
    codes = identities.list_identity_faults(identity, sheet.primary)
    body_codes = identities.list_body_faults(identity, sheet.primary, sheet.body, sheet.unnatural)
    context_values: dict[str, Any] = (
        {"forms": list(identities.list_forms(identity, sheet.primary))} if body_codes else {}
    )
    report.note_group(place_codes(codes + body_codes), **context_values)
    return identity


def _check_attributes(draft: Draft, report: SheetReport, sheet: Sheet) -> dict[str, int] | None:
    """Return the scores if they can be used. Identity, sex and age decide how the scores must relate to each other."""
    unknown_codes = identities.list_word_faults(sheet.sex, sheet.age)
    report.note_alone(place_codes(unknown_codes), is_playable=False)
    faults = identities.list_unusable_attributes(sheet.attributes, draft.dials)
    scores = read_naturals(sheet.attributes, ATTRIBUTES)
    is_playable = scores is not None and {code for code, _ in faults} == {"attribute-range"}
    is_usable = report.note_alone(faults, is_playable=is_playable)
    if not is_usable or scores is None:
        return None
    if not unknown_codes and is_identity(sheet.primary):
        report.note_group(place_codes(identities.list_attribute_faults(sheet.primary, sheet.sex, sheet.age, scores)))
    return scores


def _check_lowered(
    draft: Draft, report: SheetReport, sheet: Sheet, chosen: dict[str, int] | None
) -> dict[str, int] | None:
    if sheet.lowered is None or chosen is None:
        return chosen
    faults = identities.list_unusable_lowering(chosen, sheet.lowered)
    lowered = read_naturals(sheet.lowered, ATTRIBUTES)
    is_playable = lowered is not None and {code for code, _ in faults} <= {"lowering-raises", "attribute-range"}
    is_usable = report.note_alone([(code, ("lowered", *place[1:])) for code, place in faults], is_playable=is_playable)
    if not is_usable or lowered is None:
        return None
    if draft.dials.lowering_keeps_constraints and not identities.list_word_faults(sheet.sex, sheet.age):
        report.note_group(
            place_codes(identities.list_lowering_faults(sheet.primary, sheet.sex, sheet.age, lowered), "lowered")
        )
    lowered_names = [name for name in ATTRIBUTES if lowered[name] != chosen[name]]
    if lowered_names:
        draft.by(identities.LOWERING, lowered_names)
    return lowered


def _check_expertise(report: SheetReport, sheet: Sheet) -> dict[str, int] | None:
    """Return the levels that the picks give or, on an imported sheet, the printed levels."""
    if not is_identity(sheet.primary):
        return None
    picks: powers.Picks = (sheet.plus_three, sheet.plus_two, sheet.plus_one)
    faults = powers.list_picks_faults(sheet.primary, picks)
    if report.warns:
        faults = faults[:1]  # one deviation per accepted fault
    results = [report.note_group([(code, place)], rule) for rule, code, place in faults]
    printed_levels = _check_printed_levels(report, sheet)
    if not all(results) or printed_levels is None:
        return None
    step_levels = powers.work_out_levels(sheet.primary, picks)
    if sheet.expertise is None:
        return step_levels
    if printed_levels != step_levels:
        differing_names = sorted(
            name for name in {*printed_levels, *step_levels} if printed_levels.get(name) != step_levels.get(name)
        )
        report.note_group(place_codes(["expertise-not-from-steps"]), powers.STACK, differ=differing_names)
    return printed_levels


def _check_printed_levels(report: SheetReport, sheet: Sheet) -> dict[str, int] | None:
    """Return the levels printed on the sheet, or None if any of them cannot be used."""
    sent_levels = sheet.expertise or {}
    levels = {}
    for name, level in sent_levels.items():
        with report.at("sheet", "expertise", name):
            if name not in GOVERNED_BY:
                raise powers.EXPERTISE_UNKNOWN.under(powers.STACK, expertise=name)
            if not is_natural(level):
                raise BAD_SCORE.under(powers.STACK, expertise=name, level=repr(level))
            levels[name] = level
    return {name: level for name, level in levels.items() if level} if len(levels) == len(sent_levels) else None


def _check_power(report: SheetReport, sheet: Sheet, expertise: dict[str, int] | None) -> dict[str, int] | None:
    """Return the points in each option of the Power, or None if they cannot be used. Their sum is checked only if the
    level of the Power is known.
    """
    points = read_naturals(sheet.power, sheet.power)
    if not is_identity(sheet.primary):
        return points
    power = POWERS[sheet.primary]
    level = expertise.get(power, 0) if expertise is not None else None
    options_by_code = {
        "power-option-unknown": [option for option in sheet.power if option not in OPTIONS[power]],
        "power-not-natural": [option for option, points in sheet.power.items() if not is_natural(points)],
    }
    faults: list[identities.Fault] = []
    for code in powers.list_power_faults(sheet.primary, level, sheet.power):
        faults += (
            [(code, ("power", option)) for option in options_by_code[code]]
            if code in options_by_code
            else place_codes([code])
        )
    context: dict[str, Any] = {"level": level} if level is not None else {}
    report.note_group(faults, **context)
    return points
