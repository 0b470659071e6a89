"""The healing moment: one damage or wound of each character heals, and opponents profit.

Everybody who could heal is asked. The moment waits until all have said, on the table as it stands at each answer: a
choice that fits no longer is asked for again, and a moment that can no longer be (a later day, a round) is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ledger.rules.intensity import accounts
from ledger.rules.intensity.choices import CloseMoment, Heal
from ledger.rules.intensity.consent import GAME_MASTER, whose
from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.facts_of_healing import (
    ConflictLinksCleared,
    HealingDeclined,
    HealingMomentClosed,
    HealingMomentHeld,
    ImpactHealed,
)
from ledger.rules.intensity.ground import Ruling, check_once, check_text, everybody, is_gone, known
from ledger.rules.intensity.impact import gain
from ledger.rules.intensity.inputs_of_healing import HealingMoment
from ledger.rules.intensity.rest import at_hand, end_taxes
from ledger.rules.intensity.state import Campaign, Character, Scene, pair
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import CAMPAIGN, character, seat

MOMENT = "intensity.heal.moment"
ONE_EACH = "intensity.heal.one-each"


@dataclass(frozen=True, slots=True)
class Healed:
    """One active impact that heals now. `worth`: advantage points it gives each opponent."""

    impact: str
    worth: int


@dataclass(slots=True)
class Moment:
    """What was said so far, by character: what heals, or None for nothing. `closed`: why nobody is asked any more."""

    day: int
    said: dict[str, Healed | None] = field(default_factory=dict)
    closed: str = ""

    @property
    def healing(self) -> dict[str, Healed]:
        return {char: healed for char, healed in self.said.items() if healed is not None}


def healing_moment(table: Table[Dials], ruling: Ruling, do: HealingMoment) -> Asking[None]:
    """Everybody may heal one damage or wound; unharmed main characters gain against opponents who do."""
    day = _check_words(table, do)
    _check_when(table)
    _check_day(table, day)
    moment = Moment(day)
    for choice in do.choices:
        _check_own(table, choice.char)
        moment.said[choice.char] = _healed(table, choice.char, choice.heal, choice.trait, day)
    hurt = [id for id in everybody(table) if _is_hurt(known(table, id)) and not is_gone(table, id)]
    passed_over = yield from _everybody_says(table, ruling, moment)

    last = table.get(CAMPAIGN, Campaign).healed_on
    ruling.tell(CAMPAIGN, HealingMomentHeld(day, do.requested_by or table.by.seat, do.fiction))
    ruling.by("intensity.heal.when", do.fiction, in_open_scene=bool(table.subjects("scene")))
    ruling.by("intensity.heal.daily", day, last=last, scope=table.dials.healing_once_a_day_scope)
    ruling.by(MOMENT, list(moment.said), passed_over=list(passed_over))
    if moment.closed:
        ruling.tell(CAMPAIGN, HealingMomentClosed(day, moment.closed, passed_over))
    healing = moment.healing
    for id, healed in healing.items():
        weight = ruling.taken(accounts.impacts(id), 1)
        ruling.tell(character(id), ImpactHealed(healed.impact, id, day), weight)
        ruling.by(ONE_EACH, healed.impact, char=id)
    for id in hurt:
        if id not in healing:
            ruling.tell(character(id), HealingDeclined(id))
    _award(table, ruling, healing)
    ruling.tell(CAMPAIGN, ConflictLinksCleared())
    if table.dials.healing_counts_as_rest:
        end_taxes(table, ruling, at_hand(table), "intensity.heal.rest")


# --- whether it can be --------------------------------------------------------------------------------------------


def _check_words(table: Table[Dials], do: HealingMoment) -> int:
    """The day. Refuses `day`, `unknown-character`, `duplicate`, `text-blank`."""
    if type(do.day) is not int:
        raise Refused("intensity.heal.daily", "day", day=repr(do.day))
    for choice in do.choices:
        known(table, choice.char)
    if do.requested_by and not table.has(seat(do.requested_by)) and not table.has(character(do.requested_by)):
        raise Refused("intensity.heal.when", "unknown-character", requested_by=do.requested_by)
    check_once([choice.char for choice in do.choices], ONE_EACH)
    check_text("intensity.heal.when", "fiction", do.fiction)
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


def _check_own(table: Table[Dials], char: str) -> None:
    """Nobody but a game master says what the character of another heals. Refuses `not-your-character`."""
    if table.by.role != "gm" and char not in table.by.characters:
        raise Refused(MOMENT, "not-your-character", char=char, seat=table.by.seat)


# --- who heals what -----------------------------------------------------------------------------------------------


def _everybody_says(table: Table[Dials], ruling: Ruling, moment: Moment) -> Asking[tuple[str, ...]]:
    """Everybody who could heal and was not spoken of is asked; who is left when the moment is closed is returned."""
    waiting = _yet_to_say(table, moment)
    for place, (asked, char) in enumerate(waiting):
        purpose = f"What does {table.name(character(char))} heal?"
        said = yield from ask(asked, Heal, CloseMoment, slot=f"heal:{char}", purpose=purpose)
        if isinstance(said, CloseMoment):
            if not said.reason.strip():
                raise Unfit(MOMENT, "text-blank", field="reason")
            left = tuple(char for _, char in waiting[place:])
            if not table.dials.healing_optional:
                raise Unfit(ONE_EACH, "must-heal", hurt=list(left))
            moment.closed = said.reason
            return left
        try:
            moment.said[char] = _healed(table, char, said.heal, said.trait, moment.day)
        except Refused as no:
            raise Unfit(no.rule, no.code, **no.context) from None
        ruling.by(MOMENT, said.heal, char=char, asked=asked, trait=said.trait)
    return ()


def _yet_to_say(table: Table[Dials], moment: Moment) -> list[tuple[str, str]]:
    """(seat that is asked, character): the players as they sat down, then the game master for all the others."""
    able = [id for id in everybody(table) if id not in moment.said and _could_heal(table, id, moment.day)]
    if not able:
        return []
    seats = {one.id: place for place, one in enumerate(table.subjects("seat")) if one.id != GAME_MASTER}
    asked = [(whose(table, id), id) for id in able]
    return sorted(asked, key=lambda one: seats.get(one[0], len(seats) + 1))


def _could_heal(table: Table[Dials], id: str, day: int) -> bool:
    return _is_hurt(known(table, id)) and not is_gone(table, id) and not _healed_today(table, id, day)


def _healed_today(table: Table[Dials], id: str, day: int) -> bool:
    """Only where the day is limited for each character."""
    last = known(table, id).healed_on
    return table.dials.healing_once_a_day_scope == "character" and last is not None and last >= day


def _healed(table: Table[Dials], char: str, heal: str, trait: str | None, day: int) -> Healed | None:
    """The oldest such impact; None where nothing is to heal, which anybody may say.

    Refuses `not-healable`, `no-trait-here`, `must-heal`, `subject-gone`, `unknown-trait`, `nothing-to-heal`,
    `already-healed-today`.
    """
    who = known(table, char)
    if heal not in ("damage", "wound", "none"):
        raise Refused(ONE_EACH, "not-healable", char=char, heal=heal)
    if trait is not None and heal != "damage":
        raise Refused(ONE_EACH, "no-trait-here", char=char, heal=heal)
    if heal == "none":
        if not table.dials.healing_optional and _could_heal(table, char, day):
            raise Refused(ONE_EACH, "must-heal", hurt=[char])
        return None
    if is_gone(table, char):
        raise Refused(ONE_EACH, "subject-gone", char=char)
    if heal == "damage" and trait not in [one.name for one in who.traits]:
        raise Refused(ONE_EACH, "unknown-trait", char=char, trait=trait)
    found = next((id for id, one in who.impacts.items() if one.kind == heal and one.trait == trait), None)
    if found is None:
        raise Refused(ONE_EACH, "nothing-to-heal", char=char, heal=heal, trait=trait)
    if _healed_today(table, char, day):
        raise Refused("intensity.heal.daily", "already-healed-today", char=char, day=day)
    return Healed(found, 1 if heal == "damage" else 2)


def _is_hurt(who: Character) -> bool:
    return any(weight.kind != "tax" for weight in who.impacts.values())


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
