"""Making a character. Heading: Character Creation.

The groups are checked in the order of the book (House, Identity, attributes, lowering, Expertise, Power, Vows), each as
far as nothing it needs is unusable. The first fault names the refusal, with all codes of its group in `faults`. A table
may import a sheet that breaks the steps (`sheet_validation`): what can be played is then taken as it stands, each
deviation on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.faults import Faults
from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.expertise import Picks, levels, picks_faults, power_faults
from ledger.rules.mongrel.facts import (
    CharacterCreated,
    CreditAccountsOpened,
    Described,
    WoundThreshold,
)
from ledger.rules.mongrel.scores import (
    Fault,
    attribute_faults,
    body_faults,
    forms,
    guideline_met,
    identity_faults,
    lowering_faults,
    unknown_words,
    unusable_attributes,
    unusable_lowering,
)
from ledger.rules.mongrel.sheet import Sheet
from ledger.rules.mongrel.tables import GOVERNED_BY, OPTIONS, POWERS
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


#: Where on the sheet a code points to; others say it themselves.
PLACE_OF: Mapping[str, tuple[str, ...]] = {
    "identity-sum": ("man",), "identity-two-zeros": ("man",), "identity-primary-unknown": ("primary",),
    "identity-primary-not-highest": ("primary",), "body-form": ("body",), "sex-unknown": ("sex",),
    "age-unknown": ("age",), "size-spirit-sum": ("attributes", "size"), "size-spirit-man": ("attributes", "size"),
    "size-spirit-beast": ("attributes", "size"), "size-spirit-demon": ("attributes", "size"),
    "physique-beauty-sum": ("attributes", "physique"), "social-over-4": ("attributes", "social"),
    "speed-social-sum": ("attributes", "speed"), "speed-social-young": ("attributes", "speed"),
    "speed-social-old": ("attributes", "speed"), "social-must-be-4": ("attributes", "social"),
    "speed-over-3": ("attributes", "speed"), "power-overspent": ("power",), "expertise-not-from-steps": ("expertise",),
}  # fmt: skip


class Check(Faults):
    """The groups of a sheet as they are checked."""

    def group(self, faults: Sequence[Fault], rule: str | None = None, **context: object) -> bool:
        """Each of them, all codes of the group in `faults`; whether they are taken all the same."""
        codes = list(dict.fromkeys(code for code, _ in faults))
        playable = not UNPLAYABLE & set(codes)
        found = [(Refused(rule or RULE_OF[code], code, None, faults=codes, **context), at) for code, at in faults]
        taken = [self.note(fault, "sheet", *at, playable=playable) for fault, at in found]
        return all(taken)

    def alone(self, faults: Sequence[Fault], *, playable: bool) -> bool:
        """Faults after which nothing else of their group is looked at. `playable`: whether the numbers can be taken."""
        told = faults[:1] if playable and self.warns else faults  # what is taken all the same has one deviation
        taken = [
            self.note(Refused(RULE_OF[code], code, faults=[code]), "sheet", *place, playable=playable)
            for code, place in told
        ]
        return all(taken)


def placed(codes: Iterable[str], attributes: str = "attributes") -> list[Fault]:
    """Codes with their places; those of scores, among these attributes."""
    found = [(code, PLACE_OF[code]) for code in codes]
    return [(code, (attributes, *place[1:]) if place[0] == "attributes" else place) for code, place in found]


def create(draft: Draft, do: Enrol[Sheet]) -> None:
    """A character of one of the Houses, as its player made it."""
    sheet, check = do.sheet, Check(warns=draft.dials.sheet_validation == "warn")
    with check.at("sheet", "house"):
        _check_house(sheet.house)
    identity = _identity(check, sheet)
    chosen = _chosen(draft, check, sheet)
    attributes = _lowered(draft, check, sheet, chosen)
    expertise = _expertise(check, sheet)
    power = _power(check, sheet, expertise)
    id = str(draft.table.number)
    vows = check.each(sheet.vows, lambda vow: check_vow(id, vow), "sheet", "vows")
    check.tell()
    assert is_house(sheet.house) and is_identity(sheet.primary) and is_sex(sheet.sex) and is_age(sheet.age)
    assert identity and chosen and attributes and expertise is not None and power is not None
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
    for vow in vows.values():
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


def _check_house(house: str) -> None:
    if not is_house(house):
        raise Refused("mongrel.house.membership", "house-unknown", house=house)


def _identity(check: Check, sheet: Sheet) -> dict[str, int] | None:
    sent = {"man": sheet.man, "beast": sheet.beast, "demon": sheet.demon}
    identity = naturals(sent, IDENTITIES)
    if identity is None:
        check.group([("identity-not-natural", (name,)) for name in IDENTITIES if not is_natural(sent[name])])
        return None
    codes = identity_faults(identity, sheet.primary)
    body = body_faults(identity, sheet.primary, sheet.body, sheet.unnatural)
    allowed: dict[str, Any] = {"forms": list(forms(identity, sheet.primary))} if body else {}
    check.group(placed(codes + body), **allowed)
    return identity


def _chosen(draft: Draft, check: Check, sheet: Sheet) -> dict[str, int] | None:
    """The scores, if they can be used; what they must be to each other follows from Identity, sex and age."""
    words = unknown_words(sheet.sex, sheet.age)
    check.alone(placed(words), playable=False)
    faults = unusable_attributes(sheet.attributes, draft.dials)
    scores = naturals(sheet.attributes, ATTRIBUTES)
    playable = scores is not None and {code for code, _ in faults} == {"attribute-range"}
    usable = check.alone(faults, playable=playable)
    if not usable or scores is None:
        return None
    if not words and is_identity(sheet.primary):
        check.group(placed(attribute_faults(sheet.primary, sheet.sex, sheet.age, scores)))
    return scores


def _lowered(draft: Draft, check: Check, sheet: Sheet, chosen: dict[str, int] | None) -> dict[str, int] | None:
    if sheet.lowered is None or chosen is None:
        return chosen
    faults = unusable_lowering(chosen, sheet.lowered)
    lowered = naturals(sheet.lowered, ATTRIBUTES)
    playable = lowered is not None and {code for code, _ in faults} <= {"lowering-raises", "attribute-range"}
    usable = check.alone([(code, ("lowered", *place[1:])) for code, place in faults], playable=playable)
    if not usable or lowered is None:
        return None
    if draft.dials.lowering_keeps_constraints and not unknown_words(sheet.sex, sheet.age):
        check.group(placed(lowering_faults(sheet.primary, sheet.sex, sheet.age, lowered), "lowered"))
    fell = [name for name in ATTRIBUTES if lowered[name] != chosen[name]]
    if fell:
        draft.by("mongrel.attr.lowering", fell)
    return lowered


def _expertise(check: Check, sheet: Sheet) -> dict[str, int] | None:
    """What the picks give; on an imported sheet, what is printed."""
    if not is_identity(sheet.primary):
        return None
    picks: Picks = (sheet.plus_three, sheet.plus_two, sheet.plus_one)
    faults = picks_faults(sheet.primary, picks)
    if check.warns:
        faults = faults[:1]  # what is taken all the same has one deviation
    taken = [check.group([(code, place)], rule) for rule, code, place in faults]
    printed = _printed(check, sheet)
    if not all(taken) or printed is None:
        return None
    given = levels(sheet.primary, picks)
    if sheet.expertise is None:
        return given
    if printed != given:
        differ = sorted(name for name in {*printed, *given} if printed.get(name) != given.get(name))
        check.group(placed(["expertise-not-from-steps"]), "mongrel.expertise.stack", differ=differ)
    return printed


def _printed(check: Check, sheet: Sheet) -> dict[str, int] | None:
    """The levels printed on the sheet, if all can be used."""
    sent = sheet.expertise or {}
    found = {}
    for name, level in sent.items():
        with check.at("sheet", "expertise", name):
            if name not in GOVERNED_BY:
                raise Refused("mongrel.expertise.stack", "expertise-unknown", expertise=name)
            if not is_natural(level):
                raise Refused("mongrel.expertise.stack", "bad-score", expertise=name, level=repr(level))
            found[name] = level
    return {name: level for name, level in found.items() if level} if len(found) == len(sent) else None


def _power(check: Check, sheet: Sheet, expertise: dict[str, int] | None) -> dict[str, int] | None:
    """The points of its options. Whether they are too many is looked at where the level is known."""
    points = naturals(sheet.power, sheet.power)
    if not is_identity(sheet.primary):
        return points
    power = POWERS[sheet.primary]
    level = expertise.get(power, 0) if expertise is not None else None
    places = {
        "power-option-unknown": [option for option in sheet.power if option not in OPTIONS[power]],
        "power-not-natural": [option for option, points in sheet.power.items() if not is_natural(points)],
    }
    faults: list[Fault] = []
    for code in power_faults(sheet.primary, level, sheet.power):
        faults += [(code, ("power", one)) for one in places[code]] if code in places else placed([code])
    known: dict[str, Any] = {"level": level} if level is not None else {}
    check.group(faults, **known)
    return points
