"""Healing: what rest ends, and what a character can heal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.intensity.characters import gain
from ledger.rules.intensity.draft import SCENE_OPEN, SUBJECT_GONE, UNKNOWN_TRAIT, Draft, check_once, impacts
from ledger.rules.intensity.state import Character, ImpactId, once_created, pair, people, without
from ledger.rules.kernel.chapters import Refusal, changes, decides, declares, fact, offers, require, rule
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import CharacterId
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Domain, Move, Some
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen

# --- rest ------------------------------------------------------------------------------------------------------------

TAXES = rule(
    "intensity.rest.taxes",
    "A 5-minute rest after a scene ends the taxes on the characters who rest.",
    "Impact",
    outcome="character",
)
NO_SCENE_YET = Refusal(TAXES, "no-scene-to-rest-after", "No scene has closed yet. You can rest after a scene.")


def say_rested(fact: RestTaken, names: Names) -> str:
    verb = "takes" if len(fact.characters) == 1 else "take"
    return f"{people(names, fact.characters)} {verb} a rest." if fact.characters else "Nobody can rest."


@fact("rest-taken", says=say_rested, changes=None)
class RestTaken:
    """About the campaign."""

    characters: tuple[CharacterId, ...]


@fact("tax-ended", says="A tax on {char} ends.")
class TaxEnded:
    """About the character."""

    impact: ImpactId
    char: CharacterId


@changes
@once_created
def end_tax(state: Character, fact: TaxEnded) -> Character | None:
    return changed(state, impacts=without(state.impacts, fact.impact)) if fact.impact in state.impacts else None


def say_rests(do: Rest, names: Names) -> str:
    return f"A 5-minute rest for {people(names, do.characters) if do.characters else 'everybody'}."


@declares("rest", ANYONE, says=say_rests, records=(RestTaken, TaxEnded))
class Rest:
    """Take a 5-minute rest after a scene. `characters`: who rests. Default: everybody who is not out for good."""

    characters: tuple[CharacterId, ...] = ()


def may_rest(draft: Draft) -> Refused | None:
    """Only after a scene, and not in one."""
    if draft.table.subjects("scene"):
        return SCENE_OPEN.under(TAXES)
    return NO_SCENE_YET() if draft.campaign().last_scene is None else None


def may_join_rest(draft: Draft, char: str) -> Refused | None:
    return SUBJECT_GONE.under(TAXES, char=char) if draft.is_gone(char) else None


@decides
def rest(draft: Draft, do: Rest) -> None:
    """Five minutes after a scene end the taxes of those who rest."""
    for char in do.characters:
        draft.known(char)
    check_once(do.characters, TAXES)
    require(may_rest(draft))
    for char in do.characters:
        require(may_join_rest(draft, char))
    take_rest(draft, do.characters)


def take_rest(draft: Draft, named: tuple[str, ...] = ()) -> None:
    """Those named, else all not permanently out."""
    resting = named or still_in_play(draft)
    draft.campaign_wide(RestTaken(resting))
    draft.by(TAXES, list(resting), rest=draft.dials.rest)
    end_taxes(draft, resting, TAXES)


def end_taxes(draft: Draft, characters: Iterable[str], rule: str) -> None:
    for char in characters:
        for id, weight in draft.known(char).impacts.items():
            if weight.kind == "tax":
                draft.about(char, TaxEnded(id, char), draft.taken(impacts(char), 1))
                draft.by(rule, "ended", char=char, trait=weight.trait)


def still_in_play(draft: Draft) -> tuple[str, ...]:
    return tuple(char for char in draft.everybody() if not draft.is_gone(char))


@offers
def offer_rest(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rest(draft) is None:
        able = tuple(char for char in draft.present if may_join_rest(draft, char) is None)
        yield Move(Rest, {"characters": Some(Among(able))})


# --- what heals ------------------------------------------------------------------------------------------------------

DAILY = rule("intensity.heal.daily", "There is at most one healing moment on each day of the story.", "Healing")
ONE_EACH = rule(
    "intensity.heal.one-each",
    "In a healing moment, each character may heal one damage or one wound.",
    "Healing",
)
MUST_HEAL = Refusal(ONE_EACH, "must-heal", "At this table, {hurt} must heal something.")
NOT_HEALABLE = Refusal(ONE_EACH, "not-healable", "{char} cannot heal {heal}. Choose damage, wound or none.")
NO_TRAIT_HERE = Refusal(ONE_EACH, "no-trait-here", "Only damage names a trait. Leave it out.")
NOTHING_TO_HEAL = Refusal(ONE_EACH, "nothing-to-heal", "{char} has no {heal}[ on {trait}] to heal.")
HEALED_TODAY = Refusal(
    DAILY,
    "already-healed-today",
    "[{char} has already healed on day {day}.][Day {day} is too early. The last healing moment was on day {last}.]",
)


@fact("impact-healed", says="{char} heals on day {day}.", headline=9)
class ImpactHealed:
    """About the character."""

    impact: ImpactId
    char: CharacterId
    day: int


@changes
@once_created
def heal_impact(state: Character, fact: ImpactHealed) -> Character | None:
    if fact.impact not in state.impacts:
        return None
    return changed(state, impacts=without(state.impacts, fact.impact), healed_on=fact.day)


def is_hurt(who: Character) -> bool:
    return any(weight.kind != "tax" for weight in who.impacts.values())


def could_heal(draft: Draft, char: str, day: int | None) -> bool:
    return is_hurt(draft.known(char)) and not draft.is_gone(char) and not _healed_today(draft, char, day)


def _healed_today(draft: Draft, char: str, day: int | None) -> bool:
    """Only where the day is limited for each character. `day`: None for any that is still to come."""
    last = draft.known(char).healed_on
    is_limited = draft.dials.healing_once_a_day_scope == "character"
    return is_limited and last is not None and day is not None and last >= day


def may_heal(draft: Draft, char: str, heal: str, trait: str | None, day: int | None) -> Refused | None:
    """One damage, by its trait, or one wound that weighs on the character; nothing, where that may be."""
    who = draft.known(char)
    if heal not in ("damage", "wound", "none"):
        return NOT_HEALABLE(char=char, heal=heal)
    if trait is not None and heal != "damage":
        return NO_TRAIT_HERE.under(ONE_EACH, char=char, heal=heal)
    if heal == "none":
        is_bound = not draft.dials.healing_optional and could_heal(draft, char, day)
        return MUST_HEAL(hurt=[char]) if is_bound else None
    if draft.is_gone(char):
        return SUBJECT_GONE.under(ONE_EACH, char=char)
    if heal == "damage" and trait not in [own.name for own in who.traits]:
        return UNKNOWN_TRAIT.under(ONE_EACH, char=char, trait=trait)
    if oldest(who, heal, trait) is None:
        return NOTHING_TO_HEAL(char=char, heal=heal, trait=trait)
    return HEALED_TODAY(char=char, day=day) if _healed_today(draft, char, day) else None


def oldest(who: Character, heal: str, trait: str | None) -> str | None:
    return next((id for id, weight in who.impacts.items() if weight.kind == heal and weight.trait == trait), None)


def ways_to_heal(draft: Draft, char: str, day: int | None) -> Iterator[dict[str, Domain]]:
    """Nothing, a wound, or a damage by its trait, as far as the character may."""
    for heal in ("none", "wound"):
        if may_heal(draft, char, heal, None, day) is None:
            yield {"heal": Among((heal,))}
    traits = tuple(trait.name for trait in draft.known(char).traits)
    if healable := tuple(trait for trait in traits if may_heal(draft, char, "damage", trait, day) is None):
        yield {"heal": Among(("damage",)), "trait": Among(healable)}


@dataclass(frozen=True, slots=True)
class Healed:
    """One active impact that heals now. `worth`: advantage points it gives each opponent."""

    impact: str
    worth: int


def healed_by(draft: Draft, char: str, heal: str, trait: str | None, day: int) -> Healed | None:
    """The oldest such impact; None where nothing is to heal, which anybody may say."""
    require(may_heal(draft, char, heal, trait, day))
    impact = oldest(draft.known(char), heal, trait) if heal != "none" else None
    return Healed(impact, 1 if heal == "damage" else 2) if impact is not None else None


# --- opponents profit ----------------------------------------------------------------------------------------------

OPPONENTS = rule(
    "intensity.heal.opponents",
    "Each unharmed main character gains advantage points against every opponent who heals: 1 for a damage, 2 for a"
    " wound.",
    "Healing",
    step="{unharmed} is unharmed and {healing} heals: {out:advantage point|advantage points}.",
)
#: The pairs in conflict, as the campaign's state has them.
Links: TypeAlias = tuple[tuple[str, str], ...]


def award(draft: Draft, healing: Mapping[str, Healed], links: Links) -> None:
    """1 point against each linked opponent who heals a damage, 2 for a wound."""
    for main in draft.everybody():
        who = draft.known(main)
        if who.kind != "main" or draft.is_gone(main) or is_hurt(who):
            continue
        for other, healed in healing.items():
            if pair(main, other) in links:
                draft.by(OPPONENTS, healed.worth, unharmed=main, healing=other)
                gain(draft, main, other, healed.worth, f"healing:{draft.table.number}")
