"""The healing moment: one damage or wound of each character heals, and opponents profit.

Everybody who could heal is asked. The moment waits until all have said, on the table as it stands at each answer: a
choice that fits no longer is asked for again, and a moment that can no longer be (a later day, a round) is refused.
A game master may answer for a player who was asked and does not answer; the next player is still asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ledger.rules.intensity import accounts
from ledger.rules.intensity.choices import CloseMoment, Heal
from ledger.rules.intensity.consent import GAME_MASTER, whose
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.facts_of_healing import (
    ConflictLinksCleared,
    ConflictsCounted,
    HealingDeclined,
    HealingMomentClosed,
    HealingMomentHeld,
    HealingPassedOver,
    ImpactHealed,
    Pair,
)
from ledger.rules.intensity.guards import check_once, check_text
from ledger.rules.intensity.impact import gain
from ledger.rules.intensity.inputs_of_healing import HealingMoment
from ledger.rules.intensity.rest import CONFLICT, at_hand, check_pair, end_taxes, note_pair
from ledger.rules.intensity.sayings import people
from ledger.rules.intensity.state import Character, Scene, pair
from ledger.rules.kernel.moves import Among, Shape
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character, seat

MOMENT = "intensity.heal.moment"
ONE_EACH = "intensity.heal.one-each"
#: The pairs in conflict, as the campaign's state has them.
Links: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Healed:
    """One active impact that heals now. `worth`: advantage points it gives each opponent."""

    impact: str
    worth: int


@dataclass(slots=True)
class Moment:
    """What was said so far, by character: what heals, or None for nothing. `closed`: where a game master answered."""

    day: int
    said: dict[str, Healed | None] = field(default_factory=dict)
    closed: list[HealingMomentClosed] = field(default_factory=list)

    @property
    def healing(self) -> dict[str, Healed]:
        return {char: healed for char, healed in self.said.items() if healed is not None}

    @property
    def passed_over(self) -> dict[str, str]:
        """The reason, by character."""
        return {char: closed.reason for closed in self.closed for char in closed.passed_over}


def healing_moment(draft: Draft, do: HealingMoment) -> Asking[None]:
    """Everybody may heal one damage or wound; unharmed main characters gain against opponents who do."""
    day = _check_words(draft, do)
    _check_when(draft)
    _check_day(draft, day)
    moment = Moment(day)
    for choice in do.choices:
        _check_own(draft, choice.char)
        moment.said[choice.char] = _healed(draft, choice.char, choice.heal, choice.trait, day)
    links = _links(draft, do)
    hurt = [id for id in draft.everybody() if _is_hurt(draft.known(id)) and not draft.is_gone(id)]
    yield from _everybody_says(draft, moment, links)
    passed_over = moment.passed_over

    last = draft.campaign().healed_on
    for added in do.pairs:
        note_pair(draft, added)
    draft.campaign_wide(HealingMomentHeld(day, do.requested_by or draft.table.by.seat, do.fiction))
    draft.by("intensity.heal.when", do.fiction, in_open_scene=bool(draft.table.subjects("scene")))
    draft.by("intensity.heal.daily", day, last=last, scope=draft.dials.healing_once_a_day_scope)
    draft.by(MOMENT, list(moment.said), passed_over=list(passed_over))
    draft.campaign_wide(ConflictsCounted(tuple(Pair(*link) for link in links)))
    for closed in moment.closed:
        draft.campaign_wide(closed)
    healing = moment.healing
    for id, healed in healing.items():
        weight = draft.taken(accounts.impacts(id), 1)
        draft.about(id, ImpactHealed(healed.impact, id, day), weight)
        draft.by(ONE_EACH, healed.impact, char=id)
    for id in hurt:
        if id in passed_over:
            draft.about(id, HealingPassedOver(id, day, passed_over[id]))
        elif id not in healing:
            draft.about(id, HealingDeclined(id))
    _award(draft, healing, links)
    draft.campaign_wide(ConflictLinksCleared())
    if draft.dials.healing_counts_as_rest:
        end_taxes(draft, at_hand(draft), "intensity.heal.rest")


# --- whether it can be --------------------------------------------------------------------------------------------


def _check_words(draft: Draft, do: HealingMoment) -> int:
    """The day. Refuses `day`, `unknown-character`, `duplicate`, `text-blank`."""
    if type(do.day) is not int:
        raise Refused("intensity.heal.daily", "day", day=repr(do.day))
    for choice in do.choices:
        draft.known(choice.char)
    asker = do.requested_by
    if asker and not draft.table.has(seat(asker)) and not draft.table.has(character(asker)):
        raise Refused("intensity.heal.when", "unknown-character", requested_by=asker)
    check_once([choice.char for choice in do.choices], ONE_EACH)
    check_text("intensity.heal.when", "fiction", do.fiction)
    return do.day


def _check_when(draft: Draft) -> None:
    """intensity.heal.when: never during a round; in an open scene only where the table lets it be."""
    rule = "intensity.heal.when"
    scenes = draft.table.subjects("scene")
    if any(draft.table.get(scene, Scene).round is not None for scene in scenes):
        raise Refused(rule, "round-open")
    if scenes and not draft.dials.healing_in_open_scene:
        raise Refused(rule, "scene-open")


def _check_day(draft: Draft, day: int) -> None:
    """intensity.heal.daily: once a day for the campaign; or, for each character, days that do not go back."""
    rule = "intensity.heal.daily"
    last = draft.campaign().healed_on
    if last is None:
        return
    if draft.dials.healing_once_a_day_scope == "campaign" and day <= last:
        raise Refused(rule, "already-healed-today", day=day, last=last)
    if draft.dials.healing_once_a_day_scope == "character" and day < last:
        raise Refused(rule, "day-backwards", day=day, last=last)


def _links(draft: Draft, do: HealingMoment) -> Links:
    """intensity.heal.conflict: the pairs in conflict, with those that a game master adds. Refuses `not-game-master`."""
    if do.pairs and draft.table.by.role != "gm":
        raise Refused(CONFLICT, "not-game-master", seat=draft.table.by.seat)
    for added in do.pairs:
        check_pair(draft, added)
    links = {*draft.campaign().links, *(pair(added.a, added.b) for added in do.pairs)}
    return tuple(sorted(link for link in links if all(draft.table.has(character(id)) for id in link)))


def _check_own(draft: Draft, char: str) -> None:
    """Nobody but a game master says what the character of another heals. Refuses `not-your-character`."""
    if draft.table.by.role != "gm" and char not in draft.table.by.characters:
        raise Refused(MOMENT, "not-your-character", char=char, seat=draft.table.by.seat)


# --- who heals what -----------------------------------------------------------------------------------------------


def _everybody_says(draft: Draft, moment: Moment, links: Links) -> Asking[None]:
    """Everybody who could heal and was not spoken of is asked; a player for whom the moment is closed, no more."""
    waiting = _yet_to_say(draft, moment)
    for asked, char in waiting:
        if char in moment.passed_over:
            continue
        purpose = _asks(draft, char, links)
        said = yield from ask(
            asked, Heal, CloseMoment, slot=f"heal:{char}", purpose=purpose, within=_can_say(draft, char)
        )
        if isinstance(said, CloseMoment):
            left = tuple(other for seat, other in waiting if seat == asked and other not in moment.said)
            _close(draft, moment, left, said.reason)
            draft.by(MOMENT, "none", asked=asked, passed_over=list(left), spoken_for=said.reason)
            continue
        try:
            moment.said[char] = _healed(draft, char, said.heal, said.trait, moment.day)
        except Refused as no:
            raise Unfit(no.rule, no.code, **no.context) from None
        draft.by(MOMENT, said.heal, char=char, asked=asked, trait=said.trait)


def _close(draft: Draft, moment: Moment, left: tuple[str, ...], reason: str) -> None:
    """A game master answers that these heal nothing. Unfit: `text-blank`, `must-heal`."""
    if not reason.strip():
        raise Unfit(MOMENT, "text-blank", field="reason")
    if not draft.dials.healing_optional:
        raise Unfit(ONE_EACH, "must-heal", hurt=list(left))
    moment.closed.append(HealingMomentClosed(moment.day, reason, left))


def _asks(draft: Draft, char: str, links: Links) -> str:
    """What the character heals; and who is in conflict with it, for these may gain by that."""
    name = draft.table.name(character(char))
    opponents = [one for link in links if char in link for one in link if one != char]
    with_whom = f" In conflict with {name}: {people(draft, opponents)}." if opponents else ""
    return f"What does {name} heal?{with_whom}"


def _can_say(draft: Draft, char: str) -> Iterator[Shape]:
    """intensity.heal.one-each: a wound, a damage by its trait; nothing, and the moment closed, where that may be."""
    who = draft.known(char)
    hurts = [weight for weight in who.impacts.values() if weight.kind != "tax"]
    if draft.dials.healing_optional:
        yield Shape(Heal, {"heal": Among(("none",))})
    else:
        yield Shape(CloseMoment, {"reason": Among(())})
    if any(weight.kind == "wound" for weight in hurts):
        yield Shape(Heal, {"heal": Among(("wound",))})
    damaged = {weight.trait for weight in hurts if weight.kind == "damage"}
    if traits := tuple(trait.name for trait in who.traits if trait.name in damaged):
        yield Shape(Heal, {"heal": Among(("damage",)), "trait": Among(traits)})


def _yet_to_say(draft: Draft, moment: Moment) -> list[tuple[str, str]]:
    """(seat that is asked, character): the players as they sat down, then the game master for all the others."""
    able = [id for id in draft.everybody() if id not in moment.said and _could_heal(draft, id, moment.day)]
    if not able:
        return []
    seats = {one.id: place for place, one in enumerate(draft.table.subjects("seat")) if one.id != GAME_MASTER}
    asked = [(whose(draft, id), id) for id in able]
    return sorted(asked, key=lambda one: seats.get(one[0], len(seats) + 1))


def _could_heal(draft: Draft, id: str, day: int) -> bool:
    return _is_hurt(draft.known(id)) and not draft.is_gone(id) and not _healed_today(draft, id, day)


def _healed_today(draft: Draft, id: str, day: int) -> bool:
    """Only where the day is limited for each character."""
    last = draft.known(id).healed_on
    return draft.dials.healing_once_a_day_scope == "character" and last is not None and last >= day


def _healed(draft: Draft, char: str, heal: str, trait: str | None, day: int) -> Healed | None:
    """The oldest such impact; None where nothing is to heal, which anybody may say.

    Refuses `not-healable`, `no-trait-here`, `must-heal`, `subject-gone`, `unknown-trait`, `nothing-to-heal`,
    `already-healed-today`.
    """
    who = draft.known(char)
    if heal not in ("damage", "wound", "none"):
        raise Refused(ONE_EACH, "not-healable", char=char, heal=heal)
    if trait is not None and heal != "damage":
        raise Refused(ONE_EACH, "no-trait-here", char=char, heal=heal)
    if heal == "none":
        if not draft.dials.healing_optional and _could_heal(draft, char, day):
            raise Refused(ONE_EACH, "must-heal", hurt=[char])
        return None
    if draft.is_gone(char):
        raise Refused(ONE_EACH, "subject-gone", char=char)
    if heal == "damage" and trait not in [one.name for one in who.traits]:
        raise Refused(ONE_EACH, "unknown-trait", char=char, trait=trait)
    found = next((id for id, one in who.impacts.items() if one.kind == heal and one.trait == trait), None)
    if found is None:
        raise Refused(ONE_EACH, "nothing-to-heal", char=char, heal=heal, trait=trait)
    if _healed_today(draft, char, day):
        raise Refused("intensity.heal.daily", "already-healed-today", char=char, day=day)
    return Healed(found, 1 if heal == "damage" else 2)


def _is_hurt(who: Character) -> bool:
    return any(weight.kind != "tax" for weight in who.impacts.values())


def _award(draft: Draft, healing: Mapping[str, Healed], links: Links) -> None:
    """intensity.heal.opponents: 1 point against each linked opponent who heals a damage, 2 for a wound."""
    for main in draft.everybody():
        who = draft.known(main)
        if who.kind != "main" or draft.is_gone(main) or _is_hurt(who):
            continue
        for other, healed in healing.items():
            if pair(main, other) in links:
                draft.by("intensity.heal.opponents", healed.worth, unharmed=main, healing=other)
                gain(draft, main, other, healed.worth, f"healing:{draft.table.number}")
