"""Sentences of characters, of what they buy and suffer, and of the campaign's own data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.rules.kernel.phrases import Names, listed, words
from ledger.rules.kernel.subjects import seat
from ledger.rules.moc import facts_of_bodies as fb
from ledger.rules.moc import facts_of_campaign as fc
from ledger.rules.moc import facts_of_people as fp
from ledger.rules.moc import facts_told as ft
from ledger.rules.moc import inputs
from ledger.rules.moc import inputs_of_combat as ic
from ledger.rules.moc import inputs_of_play as ip
from ledger.rules.moc.sayings import (
    ADVANTAGES,
    SCOPES,
    beads,
    called,
    card,
    chips,
    counted,
    dice_of,
    points,
    said,
    who,
    whom,
)
from ledger.rules.moc.sheet import Purchase
from ledger.rules.moc.tables import Location, Skill, Weapon

DIFFICULTIES = ("easy", "normal", "difficult")
#: Kinds of roll; any other pool of dice is a skill.
ROLLS: Mapping[str, str] = {
    "movement": "each movement roll", "dodge": "each dodge", "to_hit": "each roll to hit",
    "resisting": "each roll to resist damage",
}  # fmt: skip
EXTRA_BEADS: Mapping[str, str] = {
    "extra-bead-scene": "extra beads per scene", "extra-bead-session": "extra beads per session",
}  # fmt: skip


# --- the campaign's own data ---


def row(done: fc.TableRowSet, names: Names) -> str:
    """Return a row of a table in words."""
    if done.skill is not None:
        return f"{done.row} is a skill: {_skill(done.skill)}."
    if done.weapon is not None:
        return f"{done.row} is a weapon: {_weapon(done.weapon)}."
    if done.location is not None:
        return f"{done.row.capitalize()} is a hit location: {_location(done.location)}."
    match done.table:
        case "healing":
            return f"Damage level {done.row} takes {counted(done.number, 'day', 'days')} to heal."
        case "ag":
            return f"AG {done.row} has target number {done.number}."
        case _:
            return said(f"{_archetype(done.row)} has a special use for beads", done.text)


def _skill(skill: Skill) -> str:
    others = listed(map(called, skill.others))
    return f"{called(skill.element)}, {called(skill.primary)} with {others}, {DIFFICULTIES[skill.difficulty]}"


def _weapon(weapon: Weapon) -> str:
    adds = f"{called(weapon.adds)} + " if weapon.adds else ""
    return f"{'lethal, ' if weapon.lethal else ''}damage {adds}{weapon.damage}, lethality {weapon.lethality}"


def _location(place: Location) -> str:
    faces = str(place.low) if place.low == place.high else f"{place.low} to {place.high}"
    return f"{faces} on the die, severity {place.severity}"


def costs(given: Mapping[str, Any]) -> str:
    """Which levels are paid for: a Characteristic is called by its full name."""
    what, name = str(given.get("what")), str(given.get("name") or "")
    known = called(name) if what == "characteristic" else ""
    raised = known or EXTRA_BEADS.get(what) or ("{name}" if name else "{what}")
    return f"Raising {raised} from {{old}} to {{to}} costs {{out:point|points}}."


def _archetype(name: str) -> str:
    return f"{'an' if name[:1] in 'ae' else 'a'} {called(name)}"


# --- characters ---


def created(done: fp.CharacterCreated, names: Names) -> str:
    kind = f"{_archetype(done.archetype)}{', run by the game master' if done.villain else ''}"
    return f"{whom(names)} is {kind}, built on {points(f'{done.budget}/120')}."


def bought(done: fp.LevelBought, names: Names) -> str:
    """Levels, dice, advantages, and for how much."""
    what = _purchase(done.what, done.name, done.to, done.element, done.instead)
    skills = f" (for {listed(done.skills)})" if done.skills else ""
    return f"{whom(names)} buys {what}{skills} for {points(done.cost)}."


def buying(done: inputs.Buy, names: Names) -> str:
    want: Purchase = done.purchase
    name = want.period if want.what in ADVANTAGES else want.name
    return f"{who(names, done.character)} buys {_purchase(want.what, name, want.level, want.element, want.instead)}."


def _purchase(what: str, name: str, to: object, element: str, instead: str) -> str:
    match what:
        case "characteristic" | "skill":
            return f"{called(name)} {to}"
        case "action-hero" | "weapons-master" | "floating-dice":
            return f"{counted(to, *dice_of(what))} per {name.partition(':')[0]}"
        case "dice":
            return f"{f'dice for {called(name)}' if name else 'an Advantage that affects dice'} (level {to})"
        case "martial-arts":
            return f"Martial Arts{f' ({name})' if name else ''} {to}"
        case "superhuman":
            return f"Superhuman {called(name)} {to} (with {called(element)} beads)"
        case "extra-secondary":
            return f"{called(element)} as another secondary Element"
        case "change-secondary":
            return f"{called(element)} as a secondary Element{f' instead of {called(instead)}' if instead else ''}"
        case "extra-primary":
            return f"{called(element)} as another primary Element"
        case "extra-bead-scene" | "extra-bead-session":
            return f"{counted(to, 'extra bead', 'extra beads')} per {what.rpartition('-')[2]}"
        case "movement":
            return f"a way to move ({name}, {counted(to, 'metre', 'metres')} a turn)"
        case "bits":
            return f"{counted(to, 'Bit', 'Bits')}{f' in {name}' if name else ''}"
        case "contacts":
            return f"contacts{f' ({name})' if name else ''}"
        case "money":
            return f"income level {to}"
        case "hand-of-fate":
            return "a Hand of Fate"
        case _:
            return f"{words(what).title()}{f' {to}' if to not in (None, 1) else ''}"


def proposing(done: inputs.ProposeTrait, names: Names) -> str:
    return said(f"{who(names, done.character)} proposes {_trait(done.what, done.name, str(done.cost))}", done.effect)


def proposed(done: fp.TraitProposed, names: Names) -> str:
    allows = "; it allows trading cards" if done.allows else ""
    return said(f"{whom(names)} proposes {_trait(done.what, done.name, done.cost)}{allows}", done.effect)


def _trait(what: str, name: str, cost: str) -> str:
    article = "an Advantage" if what == "advantage" else f"a {what.title()}"
    return f"{article} ({name}) {_price(cost)}"


def _price(cost: str) -> str:
    return f"that gives back {points(cost)}" if cost.strip().startswith("-") else f"for {points(cost)}"


def countering(done: inputs.CounterTrait, names: Names) -> str:
    begins = f"The game master makes {who(names, done.character)} a counter-offer {_price(str(done.cost))}"
    return said(begins, done.effect)


def countered(done: fp.TraitCountered, names: Names) -> str:
    return said(f"The game master makes {whom(names)} a counter-offer {_price(done.cost)}", done.effect)


def approved(done: fp.TraitApproved, names: Names) -> str:
    price = _price(done.cost).replace("that gives", "and gives")
    return f"{whom(names)}'s proposal is approved, {price}."


def background(done: inputs.LoseBackground | fp.BackgroundLost) -> str:
    """`money`, `contacts:guards`; one that was approved is called by an id, which nobody says."""
    named = str(getattr(done, "background", None) or getattr(done, "what", ""))
    what, _, of = named.partition(":")
    if what == "contacts":
        return f"the contacts ({of})" if of else "the contacts"
    return "the money" if what == "money" else "a Background"


def losing(done: inputs.LoseBackground, names: Names) -> str:
    return said(f"{who(names, done.character)} loses {background(done)}", done.reason)


def lost(done: fp.BackgroundLost, names: Names) -> str:
    return said(f"{whom(names)} loses {background(done)}", done.reason)


def status(done: fp.StatusSet, names: Names) -> str:
    is_ = {"dead": "is dead", "down": "is down", "active": "is up again", "retired": "is retired"}
    return said(f"{whom(names)} {is_.get(done.status, f'is {done.status}')}", done.reason)


def inherited(done: fp.ChipsInherited, names: Names) -> str:
    bonus = f", with a bonus of {chips(done.bonus)}" if any(done.bonus.values()) else ""
    return f"{whom(names)} inherits {who(names, done.source)}'s chips{bonus}."


# --- bodies ---


def harmed(done: fb.HarmApplied, names: Names) -> str:
    suffered = [f"{number} {what}" for number, what in ((done.damage, "damage"), (done.pain, "pain")) if number]
    removed = (
        f", and {counted(done.removed, 'point of damage is', 'points of damage are')} removed" if done.removed else ""
    )
    return said(f"{whom(names)} takes {listed(suffered) if suffered else 'no harm'}{removed}", done.reason)


def harming(done: ic.ApplyHarm, names: Names) -> str:
    """As a game master tells it by its numbers."""
    parts = (
        (done.resistible, "resistible damage"), (done.unresistible, "unresistible damage"), (done.pain, "pain"),
        (done.fatigue, "fatigue"),
    )  # fmt: skip
    suffered = listed(f"{number} {what}" for number, what in parts if number)
    told = f"{who(names, done.character)} is hurt{f' ({suffered})' if suffered != 'none' else ''}"
    return said(told, done.reason)


def due(done: fb.SceneRecoveryDue, names: Names) -> str:
    often = {1: "once", 2: "twice"}.get(done.steps, f"{done.steps} times")
    return f"{whom(names)} can recover {often}." if done.steps else f"{whom(names)} cannot recover again."


def recovered(done: fb.SceneRecoveryTaken, names: Names) -> str:
    if done.primary:
        return f"{whom(names)} gets back a token of {called(done.primary)}."
    return f"{whom(names)} loses a level of fatigue."


def action_used(done: fb.ActionTaken, names: Names) -> str:
    return f"{whom(names)} has used {'half' if done.halves == 1 else 'all'} of this turn's action."


def moved(done: fb.MovementMade, names: Names) -> str:
    mode = "" if done.mode in ("primary", "secondary") else f" by {done.mode}"
    if done.penalty:
        return said(f"{whom(names)} fumbles the move of {done.metres} metres{mode}", done.penalty)
    return f"{whom(names)} moves {done.metres} metres{mode}."


def moving(done: inputs.Move, names: Names) -> str:
    return f"{who(names, done.character)} moves{'' if done.mode in ('primary', 'secondary') else f' by {done.mode}'}."


# --- story ---


def story_to_change(done: ip.ChangeStory, names: Names) -> str:
    with_ = counted(done.beads, "Storytelling bead", "Storytelling beads")
    return said(f"{who(names, done.character)} changes the story with {with_}{_scope(done.scope)}", done.text)


def story_changed(done: ft.StoryChanged, names: Names) -> str:
    what = done.what
    with_ = card(what.card) if what is not None and what.card else beads({"storytelling": done.beads})
    if what is not None and what.kind == "beads":
        with_ = beads({what.element: what.number})
    return said(f"{who(names, done.character)} changes the story with {with_}{_scope(done.scope)}", done.text)


def beads_to_use(done: inputs.UseBeads, names: Names) -> str:
    with_ = f"{counted(done.number, 'bead', 'beads')}{f' of {called(done.element)}' if done.element else ''}"
    return said(f"{who(names, done.character)} wants to use {with_} outside an action{_scope(done.scope)}", done.text)


def _scope(scope: str | None) -> str:
    return f", {SCOPES.get(scope, scope)}" if scope else ""


def narrating(done: inputs.Narrate, names: Names) -> str:
    return said(f"Narration{f' about {who(names, done.character)}' if done.character else ''}", done.text)


def narrated(done: ft.Narrated, names: Names) -> str:
    about = f" about {who(names, done.character)}" if done.character else ""
    return said(f"{names.name(seat(done.seat))} narrates{about}", done.text)


def status_to_set(done: inputs.SetStatus, names: Names) -> str:
    is_ = {"dead": "dies", "down": "goes down", "active": "gets up again"}
    return said(f"{who(names, done.character)} {is_.get(done.status, f'is {done.status} now')}", done.reason)


def _effect(does: str, number: object, of: str) -> str:
    """What a trait does in numbers, without its owner."""
    named, amount = called(of) or "any Element", number if type(number) is int else 0
    more = f"{abs(amount)} {'fewer' if amount < 0 else 'more'}"
    match does:
        case "dice":
            return f"{more} {'die' if abs(amount) == 1 else 'dice'} on {_each_roll(of)}"
        case "difficulty":
            return f"the target number of {_each_roll(of)} is {abs(amount)} {'lower' if amount < 0 else 'higher'}"
        case "scene-beads":
            return f"{more} {named} {'bead' if abs(amount) == 1 else 'beads'} at the start of each scene"
        case "bead-price":
            return f"each {named} bead costs {counted(number, 'bead', 'beads')} of the allowance"
        case "bead-return":
            return f"up to {number} used {named} beads come back at the end of each turn"
        case "forced-discard":
            whom_ = "everybody else" if of == "all" else "one other character"
            return f"once a session, {whom_} discards {counted(number, 'card', 'cards')}"
        case _:
            return f"each card of {named} counts {number} more when it is played"


def _each_roll(of: str) -> str:
    return ROLLS.get(of, f"each {of} roll" if of else "each roll")


def setting_effect(done: inputs.SetTraitEffect, names: Names) -> str:
    return f"{who(names, done.character)}'s proposal now means: {_effect(done.does, done.number, done.of)}."


def effect_set(done: fp.TraitEffectSet, names: Names) -> str:
    return f"Once {whom(names)}'s proposal is approved: {_effect(done.does, done.number, done.of)}."
