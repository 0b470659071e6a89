"""The fold: a subject's state after a fact. A fact whose round, attack, impact or fatal is gone goes adrift."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TypeAlias, TypeVar, get_args

from ledger.rules.intensity import (
    facts,
    facts_of_attacks,
    facts_of_fatals,
    facts_of_healing,
    facts_of_rounds,
    fold_attacks,
    fold_rounds,
)
from ledger.rules.intensity.state import Campaign, Character, Fatal, Scene, Seat, Weight, pair
from ledger.rules.intensity.terms import Out
from ledger.rules.kernel.fold import Fold, unchanged
from ledger.rules.kernel.frozen import changed

F = TypeVar("F")
V = TypeVar("V")
Testimony: TypeAlias = (
    facts_of_attacks.AdvantageGained | facts_of_healing.HealingDeclined | facts_of_healing.HealingPassedOver
)


def _without(kept: Mapping[str, V], id: str) -> dict[str, V]:
    return {other: one for other, one in kept.items() if other != id}


# --- a character --------------------------------------------------------------------------------------------------


def once_created(change: Callable[[Character, F], Character | None]) -> Callable[[Character, F], Character | None]:
    """Somebody whose creation was struck has nothing to change."""

    @wraps(change)
    def after(was: Character, done: F) -> Character | None:
        return change(was, done) if was.kind is not None else None

    return after


def created(was: Character, done: facts.CharacterCreated) -> Character:
    return changed(was, kind=done.kind, traits=done.traits)


@once_created
def taxed(was: Character, done: facts_of_attacks.TraitTaxed) -> Character:
    return changed(was, impacts={**was.impacts, done.impact: Weight("tax", done.trait, done.by, done.cause)})


@once_created
def damaged(was: Character, done: facts_of_attacks.TraitDamaged) -> Character:
    return changed(was, impacts={**was.impacts, done.impact: Weight("damage", done.trait, done.by, done.cause)})


@once_created
def wounded(was: Character, done: facts_of_attacks.CharacterWounded) -> Character:
    return changed(was, impacts={**was.impacts, done.impact: Weight("wound", None, done.by, done.cause)})


@once_created
def tax_ended(was: Character, done: facts_of_healing.TaxEnded) -> Character | None:
    return changed(was, impacts=_without(was.impacts, done.impact)) if done.impact in was.impacts else None


@once_created
def healed(was: Character, done: facts_of_healing.ImpactHealed) -> Character | None:
    if done.impact not in was.impacts:
        return None
    return changed(was, impacts=_without(was.impacts, done.impact), healed_on=done.day)


@once_created
def taken_out(was: Character, done: facts_of_fatals.CharacterTakenOut) -> Character:
    """A longer fate is not undone by a shorter one."""
    lengths = get_args(Out)
    if was.out is not None and lengths.index(was.out) > lengths.index(done.until):
        return was
    return changed(was, out=done.until, out_for=done.out_for)


@once_created
def brought_back(was: Character, done: facts_of_fatals.BroughtBack) -> Character | None:
    return changed(was, out=None, out_for="") if was.out == "time" else None


@once_created
def mutilated(was: Character, done: facts_of_fatals.TraitMutilated) -> Character | None:
    if done.trait not in [trait.name for trait in was.traits]:
        return None
    after = (changed(trait, base=done.base) if trait.name == done.trait else trait for trait in was.traits)
    return changed(was, traits=tuple(after))


@once_created
def returned(was: Character, done: facts.ReturnedToPlay) -> Character | None:
    return changed(was, out=None) if was.out == "scene" else None


@once_created
def as_it_was(was: Character, done: Testimony) -> Character:
    """It moves points, or is testimony."""
    return was


# --- the campaign -------------------------------------------------------------------------------------------------


def linked(was: Campaign, done: facts_of_rounds.ConflictLinked | facts_of_healing.ConflictNoted) -> Campaign:
    link = pair(done.a, done.b)
    return was if link in was.links else changed(was, links=(*was.links, link))


def links_cleared(was: Campaign, done: facts_of_healing.ConflictLinksCleared) -> Campaign:
    return changed(was, links=())


def moment_held(was: Campaign, done: facts_of_healing.HealingMomentHeld) -> Campaign:
    return changed(was, healed_on=done.day)


def rest_allowed(was: Campaign, done: facts.RestAllowed) -> Campaign:
    return changed(was, last_scene=done.scene)


# --- a scene's fatals ---------------------------------------------------------------------------------------------


def fatal_held(was: Scene, done: facts_of_fatals.FatalHeld) -> Scene:
    held = Fatal(done.holder, done.subject, done.trait_used, done.attack)
    return changed(was, fatals={**was.fatals, done.fatal: held})


def fatal_gone(
    was: Scene, done: facts_of_fatals.FatalUsed | facts_of_fatals.FatalReleased | facts_of_fatals.FatalLapsed
) -> Scene | None:
    return changed(was, fatals=_without(was.fatals, done.fatal)) if done.fatal in was.fatals else None


def fatal_withheld(was: Scene, done: facts_of_fatals.FatalWithheld) -> Scene | None:
    return was if done.fatal in was.fatals else None


FOLD = Fold(
    {"campaign": Campaign, "seat": Seat, "character": Character, "scene": Scene},
    {
        Character: {
            facts.CharacterCreated: created,
            facts.ReturnedToPlay: returned,
            facts_of_attacks.TraitTaxed: taxed,
            facts_of_attacks.TraitDamaged: damaged,
            facts_of_attacks.CharacterWounded: wounded,
            facts_of_attacks.AdvantageGained: as_it_was,
            facts_of_fatals.CharacterTakenOut: taken_out,
            facts_of_fatals.BroughtBack: brought_back,
            facts_of_fatals.TraitMutilated: mutilated,
            facts_of_healing.TaxEnded: tax_ended,
            facts_of_healing.ImpactHealed: healed,
            facts_of_healing.HealingDeclined: as_it_was,
            facts_of_healing.HealingPassedOver: as_it_was,
        },
        Campaign: {
            facts.RestAllowed: rest_allowed,
            facts_of_rounds.ConflictLinked: linked,
            facts_of_healing.RestTaken: unchanged,
            facts_of_healing.ConflictNoted: linked,
            facts_of_healing.ConflictsCounted: unchanged,
            facts_of_healing.HealingMomentHeld: moment_held,
            facts_of_healing.HealingMomentClosed: unchanged,
            facts_of_healing.ConflictLinksCleared: links_cleared,
        },
        Scene: {
            facts_of_rounds.RoundOpened: fold_rounds.opened,
            facts_of_rounds.ActionDeclared: fold_rounds.declared,
            facts_of_rounds.IntensityRaised: fold_rounds.raised,
            facts_of_rounds.DeclarationAmended: fold_rounds.amended,
            facts_of_rounds.RoundAbandoned: fold_rounds.over,
            facts_of_rounds.RoundLeft: fold_rounds.left,
            facts_of_rounds.DiceRolled: fold_rounds.rolled,
            facts_of_rounds.OrderEstablished: fold_rounds.ordered,
            facts_of_rounds.TieSettled: fold_rounds.tie_settled,
            facts_of_rounds.ActionPassed: fold_rounds.passed,
            facts_of_rounds.ActionForfeited: fold_rounds.forfeited,
            facts_of_rounds.ActionLapsed: fold_rounds.lapsed,
            facts_of_rounds.RoundClosed: fold_rounds.over,
            facts_of_attacks.AttackOpened: fold_attacks.opened,
            facts_of_attacks.DefenceChosen: fold_attacks.defence_chosen,
            facts_of_attacks.DefenceRolled: fold_attacks.defence_rolled,
            facts_of_attacks.AdvantageSpent: fold_attacks.bought,
            facts_of_attacks.DefenceDieRerolled: fold_attacks.die_rerolled,
            facts_of_attacks.AttackResolved: fold_attacks.resolved,
            facts_of_attacks.AttackLapsed: fold_attacks.closed,
            facts_of_attacks.ImpactChosen: fold_attacks.closed,
            facts_of_attacks.ImpactWaived: fold_attacks.closed,
            facts_of_attacks.OutcomeNegotiated: fold_attacks.negotiated,
            facts_of_attacks.BargainDeclined: fold_attacks.declined,
            facts_of_fatals.FatalHeld: fatal_held,
            facts_of_fatals.FatalUsed: fatal_gone,
            facts_of_fatals.FatalWithheld: fatal_withheld,
            facts_of_fatals.FatalReleased: fatal_gone,
            facts_of_fatals.FatalLapsed: fatal_gone,
        },
    },
)
