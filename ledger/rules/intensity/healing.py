"""Rest and healing: taxes end, one damage or wound heals, opponents profit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ledger.rules.contract import CAMPAIGN, Refused, Table, character
from ledger.rules.intensity import accounts
from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.facts import (
    ConflictLinksCleared,
    ConflictNoted,
    HealingDeclined,
    HealingMomentHeld,
    ImpactHealed,
    RestTaken,
    TaxEnded,
)
from ledger.rules.intensity.ground import Ruling, check_once, everybody, is_gone, known
from ledger.rules.intensity.impact import gain
from ledger.rules.intensity.inputs import HealingChoice, HealingMoment, NoteConflict, Rest
from ledger.rules.intensity.state import Campaign, Character, Scene, pair

# --- rest ---------------------------------------------------------------------------------------------------------


def rest(table: Table[Dials], ruling: Ruling, do: Rest) -> None:
    """Five minutes after a scene end the taxes of those who rest."""
    rule = "intensity.rest.taxes"
    for id in do.characters:
        known(table, id)
    check_once(do.characters, rule)
    if table.subjects("scene"):
        raise Refused(rule, "scene-open")
    if table.get(CAMPAIGN, Campaign).last_scene is None:
        raise Refused(rule, "no-scene-to-rest-after")
    take_rest(table, ruling, do.characters)


def take_rest(table: Table[Dials], ruling: Ruling, named: tuple[str, ...] = ()) -> None:
    """Those named, else all not permanently out."""
    resting = named or _at_hand(table)
    ruling.tell(CAMPAIGN, RestTaken(resting))
    end_taxes(table, ruling, resting, "intensity.rest.taxes")


def end_taxes(table: Table[Dials], ruling: Ruling, characters: Iterable[str], rule: str) -> None:
    for char in characters:
        for id, weight in known(table, char).impacts.items():
            if weight.kind == "tax":
                ruling.tell(character(char), TaxEnded(id, char), ruling.taken(accounts.impacts(char), 1))
                ruling.by(rule, "ended", char=char, trait=weight.trait)


def _at_hand(table: Table[Dials]) -> tuple[str, ...]:
    return tuple(id for id in everybody(table) if not is_gone(table, id))


# --- conflict -----------------------------------------------------------------------------------------------------


def note_conflict(table: Table[Dials], ruling: Ruling, do: NoteConflict) -> None:
    """The table rules that two characters were in conflict since the last healing moment."""
    rule = "intensity.heal.conflict"
    known(table, do.a)
    known(table, do.b)
    if do.a == do.b:
        raise Refused(rule, "self", char=do.a)
    ruling.tell(CAMPAIGN, ConflictNoted(do.a, do.b, do.reason))
    ruling.by(rule, [do.a, do.b], reason=do.reason)


# --- the healing moment -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Healed:
    """One active impact that heals now. `worth`: advantage points it gives each opponent."""

    impact: str
    worth: int


def healing_moment(table: Table[Dials], ruling: Ruling, do: HealingMoment) -> None:
    """Everybody may heal one damage or wound; unharmed main characters gain against opponents who do."""
    day = _check_day_is_one(do)
    for choice in do.choices:
        known(table, choice.char)
    check_once([choice.char for choice in do.choices], "intensity.heal.one-each")
    _check_when(table)
    _check_day(table, day)
    healing = _choices(table, do.choices, day)
    hurt = [id for id in everybody(table) if _is_hurt(known(table, id)) and not is_gone(table, id)]
    _check_must_heal(table, hurt, healing, day)

    requested_by = do.requested_by or table.by.seat
    ruling.tell(CAMPAIGN, HealingMomentHeld(day, requested_by, do.fiction))
    ruling.by("intensity.heal.daily", day, last=table.get(CAMPAIGN, Campaign).healed_on)
    for id, healed in healing.items():
        weight = ruling.taken(accounts.impacts(id), 1)
        ruling.tell(character(id), ImpactHealed(healed.impact, id, day), weight)
        ruling.by("intensity.heal.one-each", healed.impact, char=id)
    for id in hurt:
        if id not in healing:
            ruling.tell(character(id), HealingDeclined(id))
    _award(table, ruling, healing)
    ruling.tell(CAMPAIGN, ConflictLinksCleared())
    if table.dials.healing_counts_as_rest:
        end_taxes(table, ruling, _at_hand(table), "intensity.heal.rest")


def _check_day_is_one(do: HealingMoment) -> int:
    if type(do.day) is not int:
        raise Refused("intensity.heal.daily", "day", day=repr(do.day))
    return do.day


def _check_when(table: Table[Dials]) -> None:
    """intensity.heal.when: never during a round; in an open scene only where the table lets it be."""
    rule = "intensity.heal.when"
    scenes = table.subjects("scene")
    if any(table.get(scene, Scene).round is not None for scene in scenes):
        raise Refused(rule, "round-open")
    if scenes and not table.dials.healing_in_open_scene:
        raise Refused(rule, "scene-open")


def _check_day(table: Table[Dials], day: int) -> None:
    """intensity.heal.daily: once a day for the campaign; or, for each character, days that do not go back."""
    rule = "intensity.heal.daily"
    last = table.get(CAMPAIGN, Campaign).healed_on
    if last is None:
        return
    if table.dials.healing_once_a_day_scope == "campaign" and day <= last:
        raise Refused(rule, "already-healed-today", day=day, last=last)
    if table.dials.healing_once_a_day_scope == "character" and day < last:
        raise Refused(rule, "day-backwards", day=day, last=last)


def _healed_today(table: Table[Dials], id: str, day: int) -> bool:
    """Only where the day is limited for each character."""
    last = known(table, id).healed_on
    return table.dials.healing_once_a_day_scope == "character" and last is not None and last >= day


def _choices(table: Table[Dials], choices: Iterable[HealingChoice], day: int) -> dict[str, Healed]:
    """Who heals what, by character. Refuses `character-out`, `already-healed-today`, and what `_healed` refuses."""
    healing: dict[str, Healed] = {}
    for choice in choices:
        if is_gone(table, choice.char):
            raise Refused("intensity.heal.one-each", "character-out", char=choice.char)
        healed = _healed(known(table, choice.char), choice)
        if healed is None:
            continue
        if _healed_today(table, choice.char, day):
            raise Refused("intensity.heal.daily", "already-healed-today", char=choice.char, day=day)
        healing[choice.char] = healed
    return healing


def _healed(who: Character, choice: HealingChoice) -> Healed | None:
    """The oldest such impact. Refuses `not-healable`, `no-trait-here`, `unknown-trait`, `nothing-to-heal`."""
    rule = "intensity.heal.one-each"
    if choice.heal not in ("damage", "wound", "none"):
        raise Refused(rule, "not-healable", char=choice.char, heal=choice.heal)
    if choice.trait is not None and choice.heal != "damage":
        raise Refused(rule, "no-trait-here", char=choice.char, heal=choice.heal)
    if choice.heal == "none":
        return None
    if choice.heal == "damage" and choice.trait not in [trait.name for trait in who.traits]:
        raise Refused(rule, "unknown-trait", char=choice.char, trait=choice.trait)
    for id, weight in who.impacts.items():
        if weight.kind == choice.heal and weight.trait == choice.trait:
            return Healed(id, 1 if weight.kind == "damage" else 2)
    raise Refused(rule, "nothing-to-heal", char=choice.char, heal=choice.heal, trait=choice.trait)


def _is_hurt(who: Character) -> bool:
    return any(weight.kind != "tax" for weight in who.impacts.values())


def _check_must_heal(table: Table[Dials], hurt: list[str], healing: Mapping[str, Healed], day: int) -> None:
    """Where healing is a duty: nobody hurt goes without, unless healed already that day."""
    if table.dials.healing_optional:
        return
    left = [id for id in hurt if id not in healing and not _healed_today(table, id, day)]
    if left:
        raise Refused("intensity.heal.one-each", "must-heal", hurt=left)


def _award(table: Table[Dials], ruling: Ruling, healing: Mapping[str, Healed]) -> None:
    """intensity.heal.opponents: 1 point against each linked opponent who heals a damage, 2 for a wound."""
    links = table.get(CAMPAIGN, Campaign).links
    for main in everybody(table):
        who = known(table, main)
        if who.kind != "main" or is_gone(table, main) or _is_hurt(who):
            continue
        for other, healed in healing.items():
            if pair(main, other) in links:
                ruling.by("intensity.heal.opponents", healed.worth, unharmed=main, healing=other)
                gain(ruling, main, other, healed.worth, f"healing:{table.number}")
