"""Traits: who has which, their current sizes, and which may be declared."""

from __future__ import annotations

from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.facts import CharacterCreated, Trait
from ledger.rules.intensity.inputs import Sheet
from ledger.rules.intensity.state import Character
from ledger.rules.intensity.tables import STEPS, TRAITS
from ledger.rules.intensity.terms import Kind, TraitSize, is_kind
from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.faults import Faults
from ledger.rules.kernel.refusals import Refused


def create(draft: Draft, do: Enrol[Sheet]) -> None:
    """A character joins: a main one with D10, D8, D8, or a minor one with D6, D6."""
    rule, sheet, faults = "intensity.trait.slots", do.sheet, Faults()
    bases = [line.base for line in sheet.traits]
    with faults.at("sheet", "kind"):
        kind = _kind(rule, sheet.kind)
        with faults.at("sheet", "traits"):
            _check_dice(rule, kind, bases)
    names = [line.name for line in sheet.traits]
    for place, name in enumerate(names):
        if not name.strip() or name in names[:place]:
            faults.note(Refused(rule, "trait-name", names=names), "sheet", "traits", place, "name")
    faults.tell()
    id = str(draft.table.number)
    traits = tuple(Trait(line.name, _size(line.base)) for line in sheet.traits)
    draft.about(id, CharacterCreated(id, kind, traits, do.seat))
    draft.by(rule, kind, dice=bases)


def _kind(rule: str, said: str) -> Kind:
    if not is_kind(said):
        raise Refused(rule, "unknown-kind", kind=said)
    return said


def _check_dice(rule: str, kind: Kind, bases: list[int]) -> None:
    if any(type(base) is not int for base in bases) or sorted(bases, reverse=True) != list(TRAITS[kind]):
        raise Refused(rule, "trait-dice", dice=bases, needed=list(TRAITS[kind]))


def _size(base: int) -> TraitSize:
    match base:
        case 10 | 8 | 6:
            return base
        case _:
            raise AssertionError(f"no character has a trait at D{base}")


def stepped(base: int, steps: int) -> int:
    """intensity.step.ladder: D10 > D8 > D6 > D4 > 0, and never below."""
    return STEPS[min(STEPS.index(base) + steps, len(STEPS) - 1)]


def steps_down(who: Character, trait: str, *, one_per_kind: bool) -> int:
    """intensity.step.stack: taxes and damages on the trait, wounds on the character."""
    felt = [weight.kind for weight in who.impacts.values() if weight.trait in (trait, None)]
    return len(set(felt)) if one_per_kind else len(felt)


def current_sizes(who: Character, *, one_per_kind: bool) -> dict[str, int]:
    """Every trait at its current size, 0 when unusable."""
    return {
        trait.name: stepped(trait.base, steps_down(who, trait.name, one_per_kind=one_per_kind)) for trait in who.traits
    }


def sizes_of(draft: Draft, id: str) -> dict[str, int]:
    """The character's traits at their current sizes, as the table counts impacts."""
    return current_sizes(draft.known(id), one_per_kind=draft.dials.stacking == "one_per_kind")


def explain_size(draft: Draft, id: str, trait: str) -> None:
    """Why a trait's die is smaller than on the sheet."""
    who, stacking = draft.known(id), draft.dials.stacking
    steps = steps_down(who, trait, one_per_kind=stacking == "one_per_kind")
    for one in who.traits:
        if one.name == trait and steps:
            draft.by("intensity.step.stack", steps, char=id, trait=trait, stacking=stacking)
            draft.by("intensity.step.ladder", stepped(one.base, steps), base=one.base, steps=steps)


def explain_trait(draft: Draft, id: str, trait: str | None) -> None:
    """Which die the trait declared brings; with none left, how the table has that."""
    if trait is None:
        draft.by("intensity.trait.none-left", 0, char=id, reading=draft.dials.no_usable_trait)
    else:
        draft.by("intensity.trait.one", sizes_of(draft, id)[trait], char=id, trait=trait)
        explain_size(draft, id, trait)


def check_declarable(draft: Draft, id: str, trait: str | None) -> None:
    """intensity.trait.one: a trait the character has, not at 0; none only when none is usable."""
    rule = "intensity.trait.one"
    sizes = sizes_of(draft, id)
    if trait is None:
        if any(sizes.values()):
            raise Refused(rule, "trait-required", char=id, usable=[name for name, size in sizes.items() if size])
    elif trait not in sizes:
        raise Refused(rule, "unknown-trait", char=id, trait=trait)
    elif sizes[trait] == 0:
        raise Refused(rule, "trait-unusable", char=id, trait=trait)


def check_can_act(draft: Draft, id: str, target: str | None) -> None:
    """intensity.trait.none-left: with no usable trait some tables let a participant only defend."""
    if target is None or draft.dials.no_usable_trait == "intensity_only":
        return
    if not any(sizes_of(draft, id).values()):
        raise Refused("intensity.trait.none-left", "cannot-act", char=id)
