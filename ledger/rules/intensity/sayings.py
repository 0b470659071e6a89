"""Sentences that depend on what happened: a target or none, one die or two, a text or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from ledger.rules.intensity import choices as c
from ledger.rules.intensity import facts, inputs_of_attacks, inputs_of_fatals, inputs_of_healing, inputs_of_rounds
from ledger.rules.intensity import facts_of_attacks as of_attacks
from ledger.rules.intensity import facts_of_fatals as of_fatals
from ledger.rules.intensity import facts_of_healing as of_healing
from ledger.rules.intensity import facts_of_rounds as of_rounds
from ledger.rules.intensity.terms import UNTOUCHED
from ledger.rules.kernel.phrases import ENDS, Names, listed
from ledger.rules.kernel.subjects import character

IMPACTS: Mapping[str, str] = {
    "tax": "a tax",
    "advantage": "an advantage point",
    "damage": "damage",
    "wound": "a wound",
    "fatal": "a fatal impact",
    "fate": "a fate",
}
EFFECTS: Mapping[str, str] = {
    "reroll": "a reroll of a defence die",
    "maximum": "counting the highest die at its size",
    "defence4": "a bonus of 4 to the defence",
    "attack4": "a bonus of 4 to the attack",
}


def said(sentence: str, text: str) -> str:
    """Return the sentence with the text that somebody added."""
    return f"{sentence}: “{text.strip()}”" if text.strip() else f"{sentence}."


def together(parts: Iterable[str]) -> str:
    """Join sentences. A quotation at the end of one gets a full stop if another sentence follows."""
    *before, last = [*parts] or [""]
    ended = (f"{part}." if part.endswith("”") and part[-2:-1] not in ENDS else part for part in before)
    return " ".join([*ended, last])


def people(names: Names, ids: Iterable[str]) -> str:
    return listed(names.name(character(id)) for id in ids)


def one_by_one(names: Names, ids: Iterable[str]) -> str:
    return ", then ".join(names.name(character(id)) for id in ids)


def dice(words: Iterable[str]) -> str:
    return listed(f"the {word} die" for word in words)


# --- rounds -------------------------------------------------------------------------------------------------------


def declared(done: inputs_of_rounds.Declare | of_rounds.ActionDeclared, names: Names) -> str:
    who = names.name(character(done.char))
    aim = f"acts against {names.name(character(done.target))}" if done.target is not None else "only defends"
    trait = f", with {done.trait}" if done.trait else ""
    return said(f"{who} {aim} at {done.level} intensity{trait}", done.text)


class Restating(Protocol):
    """The changed parts of a declaration; a blank part has not changed."""

    @property
    def target(self) -> str | None: ...
    @property
    def trait(self) -> str | None: ...
    @property
    def text(self) -> str: ...


def _restated(char: str, anew: Restating, names: Names) -> str:
    parts = []
    if anew.target != UNTOUCHED:
        parts.append(f"acts against {names.name(character(anew.target))}" if anew.target else "only defends")
    if anew.trait != UNTOUCHED:
        parts.append(f"rolls {anew.trait}" if anew.trait else "rolls no trait")
    change = f"{listed(parts)} instead" if parts else "changes the declaration"
    return said(f"{names.name(character(char))} {change}", anew.text)


def restates(done: inputs_of_rounds.AmendDeclaration, names: Names) -> str:
    return _restated(done.char, done, names)


def restated(done: of_rounds.DeclarationAmended, names: Names) -> str:
    return _restated(done.char, done.after, names)


def roll(done: inputs_of_rounds.RollDice, names: Names) -> str:
    rolling = [one.char for one in done.faces] or done.participants
    if not rolling:
        return "The dice are rolled."
    return f"{people(names, rolling)} {'roll' if rolling[1:] else 'rolls'} the dice."


def rolled(done: of_rounds.DiceRolled, names: Names) -> str:
    shown = f"{names.name(character(done.char))} rolls {done.intensity.face} on the D{done.intensity.size}"
    trait = done.trait
    return f"{shown} and {trait.face} on the D{trait.size} of {trait.name}." if trait else f"{shown}."


def order(done: of_rounds.OrderEstablished, names: Names) -> str:
    together = (f"{people(names, group)}{' together' if group[1:] else ''}" for group in done.groups)
    return f"The order is {', then '.join(together)}."


def settles(done: inputs_of_rounds.SettleTie, names: Names) -> str:
    return f"The table resolves the tie: {one_by_one(names, done.ranking)}." if done.ranking else "The tied roll again."


def settled(done: of_rounds.TieSettled, names: Names) -> str:
    how = "rolled off" if done.how == "roll_off" else "resolved by the table"
    return f"The tie is {how}: {one_by_one(names, done.ranking)}."


def raises(do: inputs_of_rounds.Raise, names: Names) -> str:
    return said(f"{names.name(character(do.char))} raises the level to {do.level}", do.text)


def raised(done: of_rounds.IntensityRaised, names: Names) -> str:
    who = names.name(character(done.char))
    return said(f"{who} raises the level from {done.from_level} to {done.to_level}", done.text)


def passes(done: inputs_of_rounds.Pass | of_rounds.ActionPassed, names: Names) -> str:
    return said(f"{names.name(character(done.char))} passes", done.text)


# --- attacks ------------------------------------------------------------------------------------------------------


def attacks(done: inputs_of_attacks.Attack, names: Names) -> str:
    at = f" {names.name(character(done.target))}" if done.target else ""
    return said(f"{names.name(character(done.char))} attacks{at}", done.text)


def attacked(done: of_attacks.AttackOpened, names: Names) -> str:
    who, at = names.name(character(done.attacker)), names.name(character(done.defender))
    standing = (
        f"with {listed(map(str, sorted(done.standing, reverse=True)))} on the table"
        if done.standing
        else "with no die on the table"
    )
    return said(f"{who} attacks {at} {standing}", done.text)


def defends(done: inputs_of_attacks.Defend, names: Names) -> str:
    what = f"rolls {dice(one.die for one in done.dice)}" if done.dice else "lets the dice stand"
    return said(f"The defender {what}", done.text)


def defence_chosen(done: of_attacks.DefenceChosen, names: Names) -> str:
    parts = [f"picks up {dice(done.picked_up)}"] if done.picked_up else []
    parts += [f"rolls {dice(done.rerolled)} again"] if done.rerolled else []
    return said(f"The defender {listed(parts or ['lets the dice stand'])}", done.text)


def defence_rolled(done: of_attacks.DefenceRolled, names: Names) -> str:
    return f"{listed(f'{one.face} on the D{one.size}' for one in done.faces)} in defence."


def spends(done: inputs_of_attacks.SpendAdvantage, names: Names) -> str:
    return f"{names.name(character(done.holder))} spends advantage points on {EFFECTS.get(done.effect, 'an effect')}."


def spent(done: of_attacks.AdvantageSpent, names: Names) -> str:
    who, against = names.name(character(done.holder)), names.name(character(done.against))
    points = "1 advantage point" if done.amount == 1 else f"{done.amount} advantage points"
    then = f": impact rating {done.rating}" if done.rating is not None else ""
    return f"{who} spends {points} against {against} on {EFFECTS[done.effect]}{then}."


def resolves(do: inputs_of_attacks.Resolve, names: Names) -> str:
    return said("No more points are spent: the attack is resolved", do.text)


def resolved(done: of_attacks.AttackResolved, names: Names) -> str:
    against = f"{done.attack_value} against {done.defence_value}"
    result = f"succeeds, {against}, with an impact rating of {done.rating}" if done.success else f"fails, {against}"
    return said(f"The attack {result}", done.text)


def chooses(done: inputs_of_attacks.ChooseImpact, names: Names) -> str:
    on = f" on {done.trait}" if done.trait else ""
    once = ", used at once" if done.at_once else ""
    return said(f"The attacker chooses {IMPACTS.get(done.impact, 'an impact')}{on}{once}", done.text)


def chosen(done: of_attacks.ImpactChosen, names: Names) -> str:
    return said(f"The result of the attack is {IMPACTS[done.impact]}", done.text)


def waived(done: inputs_of_attacks.Waive | of_attacks.ImpactWaived, names: Names) -> str:
    return said("The attacker chooses no impact", done.text)


# --- bargains and fatals ------------------------------------------------------------------------------------------


def offered(done: inputs_of_fatals.Negotiate, names: Names) -> str:
    """Return the terms, then everything that the parties give."""
    parts = [said(f"A bargain is proposed between {people(names, done.parties)}", done.text)]
    parts += [_use(use, names) for use in done.uses]
    if done.releases:
        several = f"{len(done.releases)} fatal impacts are" if done.releases[1:] else "A fatal impact is"
        parts.append(f"{several} given up.")
    parts += [gives_up_action(char, names) for char in done.passes]
    return together(parts)


def gives_up_action(char: str, names: Names) -> str:
    return f"{names.name(character(char))} gives up the action."


def agreed(done: of_attacks.OutcomeNegotiated, names: Names) -> str:
    return said(f"{people(names, done.parties)} agree", done.terms)


def refused(done: of_attacks.BargainDeclined, names: Names) -> str:
    return said(f"{names.name(character(done.by))} does not agree", done.terms)


def uses(done: inputs_of_fatals.UseFatal, names: Names) -> str:
    return together(_use(one, names) for one in done.uses) or "No fatal impact is used."


def _use(use: inputs_of_fatals.FatalUse, names: Names) -> str:
    who = names.name(character(use.by)) if use.by else "The holder"
    parts = [said(f"{who} uses a fatal impact{as_what(use.use_as, use.trait)}", use.text)]
    mutilations = (*((use.mutilation,) if use.mutilation is not None else ()), *use.mutilations)
    parts += [trait_left("The victim", one.trait, one.base) for one in mutilations]
    if use.out is not None and use.out != "none":
        parts.append(out_of_play("The victim", use.out, use.out_for))
    return together(parts)


def as_what(use_as: str, trait: str | None) -> str:
    on = f" on {trait}" if trait else ""
    return f" as {IMPACTS.get(use_as, 'an impact')}{on}" if use_as != "fate" else ""


def trait_left(whose: str, trait: str, base: object) -> str:
    return f"{whose}'s {trait} {f'is now a D{base} for good' if base else 'is lost for good'}."


def out_of_play(who: str, out: str, out_for: str) -> str:
    if out == "time":
        return said(f"{who} is out of play until a game master ends it", out_for)
    return f"{who} is out of play {'for good' if out == 'permanent' else 'until the scene ends'}."


def gives_up(do: inputs_of_fatals.ReleaseFatal, names: Names) -> str:
    return said(f"{names.name(character(do.by))} gives up a fatal impact", do.text)


def given_up(done: of_fatals.FatalReleased, names: Names) -> str:
    return said("The fatal impact is given up", done.text)


def used(done: of_fatals.FatalUsed, names: Names) -> str:
    as_what = f" as {IMPACTS[done.use_as]}" if done.use_as != "fate" else ""
    return said(f"The fatal impact is used{as_what}", done.fate)


def held(done: of_fatals.FatalHeld, names: Names) -> str:
    return f"{names.name(character(done.holder))} holds a fatal impact on {names.name(character(done.subject))}."


def taken_out(done: of_fatals.CharacterTakenOut, names: Names) -> str:
    return out_of_play(names.name(character(done.char)), done.until, done.out_for)


def back(done: inputs_of_fatals.BringBack | of_fatals.BroughtBack, names: Names) -> str:
    return said(f"{names.name(character(done.char))} is back in play", done.reason)


def mutilated(done: of_fatals.TraitMutilated, names: Names) -> str:
    return trait_left(names.name(character(done.char)), done.trait, done.base)


# --- people, rest and healing -------------------------------------------------------------------------------------


def created(done: facts.CharacterCreated, names: Names) -> str:
    traits = listed(f"{one.name} D{one.base}" for one in done.traits)
    return f"{names.name(character(done.id))} is a {done.kind} character with {traits}."


def rests(done: inputs_of_healing.Rest, names: Names) -> str:
    who = people(names, done.characters) if done.characters else "everybody"
    return f"A 5-minute rest for {who}."


def rested(done: of_healing.RestTaken, names: Names) -> str:
    verb = "takes" if len(done.characters) == 1 else "take"
    return f"{people(names, done.characters)} {verb} a rest." if done.characters else "Nobody can rest."


def in_conflict(done: inputs_of_healing.NoteConflict | of_healing.ConflictNoted, names: Names) -> str:
    return said(f"The table rules that {people(names, (done.a, done.b))} were in conflict", done.reason)


def conflicts_counted(done: of_healing.ConflictsCounted, names: Names) -> str:
    pairs = "; ".join(people(names, (pair.a, pair.b)) for pair in done.pairs)
    return f"In conflict with each other: {pairs}." if pairs else "Nobody was in conflict."


def moment(done: inputs_of_healing.HealingMoment, names: Names) -> str:
    noted = [
        said(f"The table rules that {people(names, (pair.a, pair.b))} were in conflict", pair.reason)
        for pair in done.pairs
    ]
    return together([said(f"Somebody asks for a healing moment on day {done.day}", done.fiction), *noted])


def moment_held(done: of_healing.HealingMomentHeld, names: Names) -> str:
    return said(f"A healing moment takes place on day {done.day}", done.fiction)


def no_longer(choice: c.CloseMoment, names: Names) -> str:
    return said("A game master no longer waits for the answer", choice.reason)


def moment_closed(done: of_healing.HealingMomentClosed, names: Names) -> str:
    return said(f"A game master no longer waits for an answer for {people(names, done.passed_over)}", done.reason)


def passed_over(done: of_healing.HealingPassedOver, names: Names) -> str:
    who = names.name(character(done.char))
    return said(f"{who} heals nothing on day {done.day}, because a game master answered for the player", done.reason)


def spoken_for(said_so: c.SpeakFor, names: Names) -> str:
    return said(f"A game master {'agrees' if said_so.agreed else 'declines'} for the player", said_so.reason)


def heals(choice: c.Heal, names: Names) -> str:
    if choice.heal == "none":
        return "Nothing is healed."
    what = IMPACTS.get(choice.heal, "an impact").capitalize()
    return f"{what}{f' to {choice.trait}' if choice.trait else ''} heals."


# --- steps of a derivation ----------------------------------------------------------------------------------------


def rating(given: Mapping[str, Any]) -> str:
    """Return the template for a rating. It mentions bought points only if there are some."""
    bought = ", {attack4} bought" if given.get("attack4") else ""
    return f"The impact rating is {{out}}: {{counted}} on the die{bought} and {{maximum}} for the defender's intensity."
