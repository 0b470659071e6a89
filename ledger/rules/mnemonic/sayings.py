"""Sentences that have to choose their words: for what a template over fields cannot say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.rules.kernel.phrases import About, Names, listed, words
from ledger.rules.kernel.subjects import character
from ledger.rules.mnemonic import choices as c
from ledger.rules.mnemonic import facts as f
from ledger.rules.mnemonic import facts_of_injuries, inputs_of_injuries
from ledger.rules.mnemonic import inputs as i
from ledger.rules.mnemonic.terms import FINE, FLUKE_WORDS, MNEMONIC, OTHER_WORDS


def ladder(done: f.LadderSet, names: Names) -> str:
    rows = listed(f"{name} ({number})" for name, number in done.rows)
    return f"{'Ratings' if done.which == 'traits' else 'Chances'} are, from low to high: {rows}."


def order(done: i.RuleOrder | f.ActionOrderRuled, names: Names) -> str:
    """Who acts before whom."""
    who = [names.name(character(id)) for id in done.order]
    if not who:
        return "Everybody acts at the same time."
    sentence = f"{who[0]} acts first, then {', then '.join(who[1:])}" if len(who) > 1 else f"Only {who[0]} acts"
    return f"{sentence}{because(done.reason)}."


def because(reason: str) -> str:
    """A reason, where one was given."""
    return f" (“{reason.strip()}”)" if reason.strip() else ""


def tries(done: i.DeclareAction | f.ActionDeclared, names: Names) -> str:
    """What somebody attempts, in the words of who plays it."""
    return f"{names.name(character(done.character))} attempts this: {quoted(done.text)}"


def quoted(text: str) -> str:
    """Return people's own words in quotation marks, or that there are none."""
    return f"“{text.strip()}”" if text.strip() else "(no description)."


def check(done: f.CheckRuled, names: Names) -> str:
    who = names.name(character(done.character))
    does = {"action": "makes a Success Check", "resist": "tries to resist the injury", "recovery": "tries to recover"}[
        done.purpose
    ]
    of = f", from {listed(_traits(done))}," if done.traits else ""
    return f"{who} {does} with Aptitude {done.aptitude:+}{of} and Chances {done.chances} ({done.chances_number:+})."


def _traits(done: f.CheckRuled) -> Iterable[str]:
    for trait in done.traits:
        yield f"{trait.name} ({trait.rating})" if trait.name and trait.kind != "primary" else "the Primary Role"


def rolled(done: f.CheckRolled, names: Names) -> str:
    shown = f" ({', '.join(done.entered)})" if len(done.entered) > 1 else ""
    fluke = f", {FLUKE_WORDS[done.fluke]}" if done.fluke is not None else ""
    return f"The roll is {done.roll}{shown}{fluke}."


def fluke(done: f.FlukeRuled, names: Names) -> str:
    counts = "counts" if done.possible else "does not count"
    return f"The {words(done.kind).title()} {counts}{because(done.reason)}."


def fluke_ruled(do: i.RuleFluke, names: Names) -> str:
    return f"The fluke {'counts' if do.possible else 'does not count'}{because(do.reason)}."


def resolved(done: f.CheckResolved, names: Names) -> str:
    size = done.successes if done.success else done.failures
    unit = ("Success" if done.success else "Failure") + ("" if size == 1 else "es" if done.success else "s")
    special = f": {FLUKE_WORDS[done.fluke]}" if done.fluke is not None else ""
    return f"The check {'succeeds' if done.success else 'fails'} with {size} {unit}{special}."


def consequence(done: i.NarrateConsequence | f.ConsequenceNarrated, names: Names) -> str:
    dies = f" {names.name(character(done.death))} dies." if done.death is not None else ""
    return f"Consequence: {quoted(done.text)}{dies}"


def injury(do: inputs_of_injuries.RuleInjury, names: Names) -> str:
    """Without what may be hidden: Chances and traits."""
    return f"{names.name(character(do.victim))} must resist an injury or end up {OTHER_WORDS.get(do.worst, do.worst)}."


def recovers(done: facts_of_injuries.RecoveryChecked, names: Names) -> str:
    if done.step:
        return "The recovery check raises Status by one level."
    return (
        "The recovery check changes nothing."
        if done.to is None
        else f"The recovery check raises Status to {level(done.to)}."
    )


def level(number: int, condition: str | None = None) -> str:
    """By its word of the mnemonic, since a table may name its levels; or what has become of somebody who has none."""
    if condition or number == FINE:
        return condition or "Fine"
    return f"level {number} ({MNEMONIC[number - 1]})" if 1 <= number < FINE else f"level {number}"


def rate(do: inputs_of_injuries.RuleRecoveryRate, names: Names) -> str:
    return _rate(names.name(character(do.character)), do.rate, do.reason)


def rate_ruled(done: facts_of_injuries.RecoveryRateRuled, names: Names) -> str:
    return _rate(_about(names), done.rate, done.reason)


def _rate(who: str, rate: str, reason: str) -> str:
    """How fast somebody recovers, in the referee's words."""
    if not rate.strip():
        return f"The referee no longer says how fast {who} recovers{because(reason)}."
    return f"The referee says how fast {who} recovers: {quoted(rate)}{because(reason)}{'.' * bool(reason.strip())}"


def recovery(do: inputs_of_injuries.DeclareRecovery, names: Names) -> str:
    return f"{_recovers(names.name(character(do.character)), do.level, do.elapsed, do.treatment)}."


def recovered(done: facts_of_injuries.RecoveryDeclared, names: Names) -> str:
    to = _recovers(_about(names), done.to, done.elapsed, done.treatment)
    return f"{to}{_treated(done)}{because(done.reason)}."


def tries_to_recover(done: facts_of_injuries.RecoveryRuled, names: Names) -> str:
    how = _circumstances(done.elapsed, done.treatment)
    return f"{names.name(character(done.character))} tries to recover{how}{_treated(done)}{because(done.reason)}."


def _treated(done: facts_of_injuries.RecoveryRuled | facts_of_injuries.RecoveryDeclared) -> str:
    """The result of the check that treated the injury."""
    if done.treated_by is None:
        return ""
    if done.seen_successes:
        return f", treated with {_of(done.seen_successes, 'Success', 'Successes')}"
    return f", treated with {_of(done.seen_failures or 0, 'Failure', 'Failures')}"


def _recovers(who: str, to: object, elapsed: str, treatment: str) -> str:
    how = _circumstances(elapsed, treatment)
    return f"{who} recovers to {level(to) if isinstance(to, int) else f'level {to}'}{how}"


def _circumstances(elapsed: str, treatment: str) -> str:
    after = f" after {elapsed.strip()}" if elapsed.strip() else ""
    return after + (f", with {treatment.strip()}" if treatment.strip() else "")


def recovery_named(do: inputs_of_injuries.NameRecovery, names: Names) -> str:
    return (
        f"The referee decides how far the Status rises{f': to {level(do.level)}' if isinstance(do.level, int) else ''}."
    )


def named(done: facts_of_injuries.RecoveryNamed, names: Names) -> str:
    return f"The recovery raises Status to {level(done.to)}."


def rated(done: f.TraitRated, names: Names) -> str:
    before = f" instead of {done.replaces}" if done.replaces not in (None, done.rating) else ""
    return f"{_about(names)}'s {done.trait} is rated {done.rating}{before}{because(done.reason)}."


def rating_together(do: i.RateTraits, names: Names) -> str:
    traits = listed(f"{one.trait} ({one.rating})" for one in do.ratings)
    return f"{names.name(character(do.character))}'s traits are rated: {traits}{because(do.reason)}."


def important(done: f.ImportanceRated, names: Names) -> str:
    before = f" and no longer {done.replaces}" if done.replaces not in (None, done.rating) else ""
    return f"{_about(names)} is {done.rating} {done.label}{before}{because(done.reason)}."


def called(done: f.ResistanceCalled, names: Names) -> str:
    return f"{_about(names)} must make a check {'to resist the injury' if done.injury is not None else 'to recover'}."


def injured(done: facts_of_injuries.InjuryResolved, names: Names) -> str:
    """What the injury does by itself; the Status it meets may be worse already."""
    return f"The injury alone would leave {_about(names)} {_at(done.level, done.condition)}."


def status(done: facts_of_injuries.StatusChanged, names: Names) -> str:
    came, goes = level(done.from_level, done.from_condition), level(done.to_level, done.to_condition)
    return f"{_about(names)}'s Status changes from {came} to {goes}."


def _at(number: int, condition: str | None) -> str:
    return ("" if condition or number == FINE else "at ") + level(number, condition)


def _about(names: Names) -> str:
    return names.name(names.subject) if isinstance(names, About) else "somebody"


# --- steps of a derivation: which template, by what was given ---


def total(given: Mapping[str, Any]) -> str:
    if "chances" not in given:
        return ""
    with_chances = f"minus {-given['chances']}" if given["chances"] < 0 else "plus {chances}"
    return f"Aptitude {{aptitude}} minus the roll of {{roll}} {with_chances} for the Chances is {{out}}."


def outcome(given: Mapping[str, Any]) -> str:
    """One is added to what does not fail."""
    if "total" not in given:
        return ""
    if given["out"] < 0:
        return f"A total of {{total}} is {_of(-given['out'], 'Failure', 'Failures')}."
    return f"A total of {{total}} succeeds. Add 1: {_of(given['out'], 'Success', 'Successes')}."


def _of(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def chances(given: Mapping[str, Any]) -> str:
    return f"The Chances are {{chances}}: {given['out']:+}." if "chances" in given else ""


def said_beforehand(given: Mapping[str, Any]) -> str:
    """The rate of recovery that a recovery can be held against."""
    return "The referee said beforehand how fast the character recovers: “{rate}”" if given.get("rate") else ""


def resisting(given: Mapping[str, Any]) -> str:
    """Which Life Role gave way to the Primary Role, if one did."""
    return (
        "The Primary Role counts instead of the Life Role {instead_of}, which has a lower rating."
        if "instead_of" in given
        else ""
    )


def combined(given: Mapping[str, Any]) -> str:
    if "before" not in given:
        return ""
    now = level(given["out"], given.get("condition"))
    then = level(given["before"]) if given["before"] else ""
    return f"The Status was {then} and is now {now}." if then not in ("", now) else f"The Status is {now}."


def spoken_for(do: c.SpeakFor, names: Names) -> str:
    return f"A game master answers {'yes' if do.assents else 'no'} for the person asked{because(do.reason)}."


def part(do: c.TakePreset, names: Names) -> str:
    rating = f", {do.rating.strip()}" if do.rating and do.rating.strip() else ""
    return f"Part in the story: {words(do.preset)}{rating}."
