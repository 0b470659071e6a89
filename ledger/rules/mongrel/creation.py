"""Making a character. Heading: Character Creation.

The groups are checked in the order of the book (House, Identity, attributes, lowering, Expertise, Power); a group that
has faults is refused with its first code, and all of them in `faults`. A table may import a sheet that breaks the steps
(`sheet_validation`): what can be played is then taken as it stands, each deviation on record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.expertise import Picks, levels, picks_fault, power_faults
from ledger.rules.mongrel.facts import (
    CharacterCreated,
    CreditAccountsOpened,
    Described,
    WoundThreshold,
)
from ledger.rules.mongrel.scores import (
    attribute_faults,
    body_faults,
    forms,
    guideline_met,
    identity_faults,
    lowering_faults,
    unusable_attributes,
    unusable_lowering,
)
from ledger.rules.mongrel.sheet import Sheet
from ledger.rules.mongrel.tables import GOVERNED_BY, POWERS
from ledger.rules.mongrel.terms import (
    ATTRIBUTES,
    HOUSES,
    IDENTITIES,
    House,
    is_age,
    is_house,
    is_identity,
    is_natural,
    is_sex,
    naturals,
)
from ledger.rules.mongrel.vows import check_vow

RANGE = "mongrel.attr.range"
#: The rule a code of creation belongs to.
RULE_OF: Mapping[str, str] = {
    "identity-not-natural": "mongrel.identity.split",
    "identity-sum": "mongrel.identity.split",
    "identity-two-zeros": "mongrel.identity.split",
    "identity-primary-unknown": "mongrel.identity.primary",
    "identity-primary-not-highest": "mongrel.identity.primary",
    "body-form": "mongrel.identity.body",
    "sex-unknown": "mongrel.attr.physique-beauty",
    "age-unknown": "mongrel.attr.speed-social",
    "attribute-missing": RANGE,
    "attribute-unknown": RANGE,
    "attribute-range": RANGE,
    "size-spirit-sum": "mongrel.attr.size-spirit",
    "size-spirit-man": "mongrel.attr.size-spirit",
    "size-spirit-beast": "mongrel.attr.size-spirit",
    "size-spirit-demon": "mongrel.attr.size-spirit",
    "physique-beauty-sum": "mongrel.attr.physique-beauty",
    "social-over-4": "mongrel.attr.physique-beauty",
    "speed-social-sum": "mongrel.attr.speed-social",
    "speed-social-young": "mongrel.attr.speed-social",
    "speed-social-old": "mongrel.attr.speed-social",
    "social-must-be-4": "mongrel.attr.ignored-and-old",
    "speed-over-3": "mongrel.attr.ignored-and-old",
    "lowering-raises": "mongrel.attr.lowering",
    "power-option-unknown": "mongrel.power.allocate",
    "power-not-natural": "mongrel.power.allocate",
    "power-overspent": "mongrel.power.allocate",
}
#: Nothing can be played on these, whoever printed the sheet.
UNPLAYABLE = frozenset(
    {
        "identity-not-natural", "identity-primary-unknown", "sex-unknown", "age-unknown", "attribute-missing",
        "attribute-unknown", "power-option-unknown", "power-not-natural", "expertise-unknown",
    }
)  # fmt: skip


class Check:
    """The groups of a sheet as they are checked: refused, or where the table imports, kept as deviations."""

    def __init__(self, *, imports: bool) -> None:
        self._imports = imports
        self.deviations: list[str] = []

    def group(self, faults: list[str], rule: str | None = None, **context: object) -> None:
        """Refuses with the first code, and all of the group in `faults`."""
        if not faults:
            return
        if self._imports and not UNPLAYABLE & set(faults):
            self.deviations += faults
            return
        raise Refused(rule or RULE_OF[faults[0]], faults[0], None, faults=faults, **context)

    def alone(self, fault: str | None, *, playable: bool) -> None:
        """A fault after which nothing else of its group is looked at. `playable`: whether the numbers can be taken."""
        if fault is not None and not (self._imports and playable):
            raise Refused(RULE_OF[fault], fault, faults=[fault])
        if fault is not None:
            self.deviations.append(fault)


def create(draft: Draft, do: Enrol[Sheet]) -> None:
    """A character of one of the Houses, as its player made it."""
    sheet = do.sheet
    if not is_house(sheet.house):
        raise Refused("mongrel.house.membership", "house-unknown", house=sheet.house)
    check = Check(imports=draft.dials.sheet_validation == "warn")
    identity = _identity(check, sheet)
    chosen = _chosen(draft, check, sheet)
    attributes = _lowered(draft, check, sheet, chosen)
    expertise = _expertise(check, sheet)
    assert is_identity(sheet.primary) and is_sex(sheet.sex) and is_age(sheet.age)
    level = expertise.get(POWERS[sheet.primary], 0)
    check.group(power_faults(sheet.primary, level, sheet.power), level=level)
    power = naturals(sheet.power, sheet.power)
    assert power is not None
    id = str(draft.table.number)
    vows = [check_vow(id, vow) for vow in sheet.vows]
    action_points = attributes["speed"] + max(0, draft.dials.starting_ap_bonus)
    size, physique = attributes["size"], attributes["physique"]
    done = CharacterCreated(
        id, sheet.house, sheet.sex, sheet.age, identity, sheet.primary, sheet.body, sheet.unnatural, chosen,
        attributes, sheet.plus_three, sheet.plus_two, sheet.plus_one, expertise, power, action_points,
        attributes["spirit"], WoundThreshold(size, size + physique, size + 2 * physique), sheet.npc,
        attributes["social"] if draft.dials.house_status else None, tuple(check.deviations),
    )  # fmt: skip
    draft.about(
        id,
        done,
        accounts.move(accounts.AP, accounts.ap(id), action_points),
        accounts.move(accounts.HELL, accounts.resolve(id), attributes["spirit"]),
        accounts.move(accounts.BEAUTY, accounts.beauty(id), attributes["beauty"]),
    )
    _explain(draft, done)
    _open_accounts(draft, id, sheet.house, attributes["social"])
    for vow in vows:
        draft.about(id, vow)
    if sheet.description:
        draft.about(id, Described(id, sheet.description))


def _explain(draft: Draft, done: CharacterCreated) -> None:
    draft.by("mongrel.house.membership", done.house)
    draft.by("mongrel.identity.primary", done.primary, None, **done.identity)
    draft.by("mongrel.identity.body", done.body, forms=list(forms(done.identity, done.primary)))
    draft.by("mongrel.identity.split", sum(done.identity.values()))
    _explain_attributes(draft, done)
    draft.by("mongrel.expertise.step1", 1, of=done.primary)
    for place, picks in enumerate((done.plus_three, done.plus_two, done.plus_one), 2):
        draft.by(f"mongrel.expertise.step{place}", list(picks))
    draft.by("mongrel.expertise.stack", dict(done.expertise), step1=done.primary)
    draft.by("mongrel.power.allocate", sum(done.power.values()), power=POWERS[done.primary])
    draft.by("mongrel.derived.ap", done.action_points, speed=done.attributes["speed"])
    draft.by("mongrel.derived.resolve", done.infernal_resolve, spirit=done.attributes["spirit"])
    wound = done.wound_threshold
    draft.by("mongrel.derived.wound", [wound.size, wound.clear, wound.gray])


def _explain_attributes(draft: Draft, done: CharacterCreated) -> None:
    chosen = done.chosen
    met = guideline_met(done.sex, chosen)
    draft.by("mongrel.attr.range", dict(chosen))
    draft.by("mongrel.attr.size-spirit", chosen["size"] + chosen["spirit"], primary=done.primary)
    draft.by("mongrel.attr.physique-beauty", chosen["physique"] + chosen["beauty"], sex=done.sex, guideline=met)
    rule = "mongrel.attr.speed-social" if met or done.age != "old" else "mongrel.attr.ignored-and-old"
    draft.by(rule, chosen["speed"] + chosen["social"], age=done.age)


def _open_accounts(draft: Draft, id: str, own: House, social: int) -> None:
    """`mongrel.credit.start`."""
    credit: dict[str, int] = {house: social if house == own else 1 for house in HOUSES}
    opened = [accounts.move(accounts.issuer(house), accounts.credit(id, house), n) for house, n in credit.items()]
    draft.about(id, CreditAccountsOpened(credit), *opened)
    draft.by("mongrel.credit.start", social, house=own)


# --- the groups ------------------------------------------------------------------------------------------------------


def _identity(check: Check, sheet: Sheet) -> dict[str, int]:
    sent = {"man": sheet.man, "beast": sheet.beast, "demon": sheet.demon}
    faults = identity_faults(sent, sheet.primary)
    body = body_faults(sent, sheet.primary, sheet.body, sheet.unnatural)
    allowed: dict[str, Any] = {"forms": list(forms(naturals(sent, IDENTITIES) or {}, sheet.primary))} if body else {}
    check.group(faults + body, **allowed)
    identity = naturals(sent, IDENTITIES)
    assert identity is not None
    return identity


def _chosen(draft: Draft, check: Check, sheet: Sheet) -> dict[str, int]:
    fault = unusable_attributes(sheet.primary, sheet.sex, sheet.age, sheet.attributes, draft.dials)
    scores = naturals(sheet.attributes, ATTRIBUTES)
    check.alone(fault, playable=fault == "attribute-range" and scores is not None)
    assert scores is not None
    check.group(attribute_faults(sheet.primary, sheet.sex, sheet.age, scores))
    return scores


def _lowered(draft: Draft, check: Check, sheet: Sheet, chosen: dict[str, int]) -> dict[str, int]:
    if sheet.lowered is None:
        return chosen
    fault = unusable_lowering(chosen, sheet.lowered)
    lowered = naturals(sheet.lowered, ATTRIBUTES)
    check.alone(fault, playable=fault in ("lowering-raises", "attribute-range") and lowered is not None)
    assert lowered is not None
    if draft.dials.lowering_keeps_constraints:
        check.group(lowering_faults(sheet.primary, sheet.sex, sheet.age, lowered))
    fell = [name for name in ATTRIBUTES if lowered[name] != chosen[name]]
    if fell:
        draft.by("mongrel.attr.lowering", fell)
    return lowered


def _expertise(check: Check, sheet: Sheet) -> dict[str, int]:
    """What the picks give; on an imported sheet, what is printed."""
    assert is_identity(sheet.primary)
    picks: Picks = (sheet.plus_three, sheet.plus_two, sheet.plus_one)
    fault = picks_fault(sheet.primary, picks)
    if fault is not None:
        check.group([fault[1]], fault[0])
    given = levels(sheet.primary, picks)
    if sheet.expertise is None:
        return given
    printed: dict[str, int] = {}
    for name, level in sheet.expertise.items():
        if name not in GOVERNED_BY:
            raise Refused("mongrel.expertise.stack", "expertise-unknown", expertise=name)
        if not is_natural(level):
            raise Refused("mongrel.expertise.stack", "bad-score", expertise=name, level=repr(level))
        if level:
            printed[name] = level
    if printed != given:
        differ = sorted(name for name in {*printed, *given} if printed.get(name) != given.get(name))
        check.group(["expertise-not-from-steps"], "mongrel.expertise.stack", differ=differ)
    return printed
