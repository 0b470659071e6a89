"""The facts that a check stores: its ruling, its roll, the decision about a fluke, its result, and the injury or
recovery that it is for.

A check is ruled on, rolled, perhaps ruled a fluke, and resolved; `checks` defines these steps. Each later fact names
the roll that it depends on, by the number of the ruling that entered the roll. If a roll is corrected, decisions about
the first roll do not count for the new one, even if both show the same numbers.

`seen_by` lists the seats that may read the parts of a hidden resisting check (None for everybody). Views leave them out
for all others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ledger.rules.kernel.kit import CharacterId, Names, Reason, SeatId, Story, Title, character, fact, listed, words
from ledger.rules.mnemonic.words import (
    FLUKE_WORDS,
    ActionId,
    AptitudeSource,
    AssignmentId,
    Cause,
    ChancesName,
    CheckId,
    CheckReading,
    Combine,
    Condition,
    FlukeKind,
    InjuryId,
    Method,
    PartKind,
    Purpose,
    RatingName,
    Readers,
    RulingNumber,
    TraitTitle,
    format_reason,
    format_unit,
)


@dataclass(frozen=True, slots=True)
class RatedTrait:
    """A part of an Aptitude. `kind`: `talent`, `life`, `primary`, or `importance` for script immunity."""

    kind: PartKind
    name: TraitTitle
    rating: RatingName
    number: int


@dataclass(frozen=True, slots=True)
class Readings:
    """The options under which a check was ruled. Later changes do not affect the check. `flukes`: whether flukes happen
    in it.
    """

    flukes: bool
    normal_uses: Literal["first", "last"]
    three_reading: Literal["median", "mean"]
    verbal_rule: Literal["entered", "sum_mod_12"]
    automatic: Literal["at_least", "exact"]
    solid: int
    spectacular: int
    death_guard: Literal["refuse", "warn", "off"]
    combine: Combine
    recovery: CheckReading


# --- the roll and the result, as later facts refer to them ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rolled:
    """The roll that a decision is about. `fluke`: the fluke that was rolled, with its `run`.

    `ruling`: the number of the ruling that entered the roll. `entered`: the numbers as entered. `ruling` and `entered`
    are empty in records of edition 1.
    """

    roll: int
    fluke: FlukeKind | None
    run: int
    ruling: RulingNumber = ""
    entered: tuple[Title, ...] = ()

    def is_same(self, other: Rolled | None) -> bool:
        """Return whether both are the same roll. The same number rolled in another ruling is a different roll."""
        if other is not None and self.ruling and other.ruling:
            return self == other
        return other is not None and (self.roll, self.fluke, self.run) == (other.roll, other.fluke, other.run)


@dataclass(frozen=True, slots=True)
class CameOut:
    """The result that a decision is about. `fluke`: the fluke that took effect. `rolled`: None in edition 1."""

    roll: int
    fluke: FlukeKind | None
    successes: int
    rolled: Rolled | None = None

    def is_same(self, other: CameOut | None) -> bool:
        """Return whether both are the same result of the same roll."""
        if other is None or (self.roll, self.fluke, self.successes) != (other.roll, other.fluke, other.successes):
            return False
        return self.rolled is None or other.rolled is None or self.rolled.is_same(other.rolled)


# --- the four steps of a check ----------------------------------------------------------------------------------------


def say_check(fact: CheckRuled, names: Names) -> str:
    name = names.name(character(fact.character))
    verb_phrases = {
        "action": "makes a Success Check",
        "resist": "tries to resist the injury",
        "recovery": "tries to recover",
    }
    check_phrase = f"{verb_phrases[fact.purpose]} with Aptitude {fact.aptitude:+}"
    traits_phrase = f", from {listed(_name_traits(fact))}," if fact.traits else ""
    return f"{name} {check_phrase}{traits_phrase} and Chances {fact.chances} ({fact.chances_number:+})."


def _name_traits(fact: CheckRuled) -> Iterable[str]:
    for trait in fact.traits:
        yield f"{trait.name} ({trait.rating})" if trait.name and trait.kind != "primary" else "the Primary Role"


@fact("check-ruled", says=say_check)
class CheckRuled:
    """Everything that was decided about a check before its roll. `assigned`: the assigned Aptitude that it uses."""

    check: CheckId
    purpose: Purpose
    character: CharacterId
    traits: tuple[RatedTrait, ...]
    aptitude: int
    aptitude_source: AptitudeSource
    assigned: AssignmentId | None
    chances: ChancesName
    chances_number: int
    method: Method
    life_or_death: bool
    readings: Readings
    reason: Reason
    action: ActionId | None = None
    injury: InjuryId | None = None
    seen_by: Readers | None = None


def say_roll(fact: CheckRolled, names: Names) -> str:
    entered_phrase = f" ({', '.join(fact.entered)})" if len(fact.entered) > 1 else ""
    fluke_phrase = f", {FLUKE_WORDS[fact.fluke]}" if fact.fluke is not None else ""
    return f"The roll is {fact.roll}{entered_phrase}{fluke_phrase}."


@fact("check-rolled", 2, says=say_roll, headline=10)
class CheckRolled:
    """A check was rolled. `entered`: the numbers, cards or voices as they were entered. `faces`: the numbers that they
    stand for, in order. `run`: how many times the number of the fluke was rolled. `ruling`: the number of this ruling,
    by which later decisions refer to the roll.
    """

    check: CheckId
    method: Method
    entered: tuple[Title, ...]
    faces: tuple[int, ...]
    entered_by: SeatId
    roll: int
    fluke: FlukeKind | None
    run: int
    note: Story = ""
    ruling: RulingNumber = ""


def say_fluke(fact: FlukeRuled, names: Names) -> str:
    verb_phrase = "counts" if fact.possible else "does not count"
    return f"The {words(fact.kind).title()} {verb_phrase}{format_reason(fact.reason)}."


@fact("fluke-ruled", 2, says=say_fluke)
class FlukeRuled:
    """The referee ruled whether a fluke counts. `rolled`: the roll that was a fluke."""

    check: CheckId
    kind: FlukeKind
    run: int
    possible: bool
    reason: Reason
    rolled: Rolled | None = None


def say_result(fact: CheckResolved, names: Names) -> str:
    count = fact.successes if fact.success else fact.failures
    unit = ("Success" if fact.success else "Failure") + ("" if count == 1 else "es" if fact.success else "s")
    fluke_phrase = f": {FLUKE_WORDS[fact.fluke]}" if fact.fluke is not None else ""
    return f"The check {'succeeds' if fact.success else 'fails'} with {count} {unit}{fluke_phrase}."


@fact("check-resolved", 2, says=say_result, headline=4)
class CheckResolved:
    """The result of a check was worked out. `fluke`: the fluke that counts. `fluke_rolled`: the fluke that was rolled,
    whether it counts or not. `rolled`: the roll that led to this result.
    """

    check: CheckId
    roll: int
    total: int
    success: bool
    successes: int
    failures: int
    fluke: FlukeKind | None
    fluke_rolled: FlukeKind | None
    rolled: Rolled | None = None


def refer_to_roll(fact: CheckRolled) -> Rolled:
    """Return the reference to the roll that decisions store."""
    return Rolled(fact.roll, fact.fluke, fact.run, fact.ruling, fact.entered)


def refer_to_result(fact: CheckResolved) -> CameOut:
    """Return the reference to the result that decisions store. The level of a recovery is named for one particular
    result.
    """
    return CameOut(fact.roll, fact.fluke, fact.successes, fact.rolled)


# --- what a resisting check is for ------------------------------------------------------------------------------------


@fact("injury-ruled", 2, says="{victim} must resist an injury or end up {worst}[ (“{reason}”)].", headline=8)
class InjuryRuled:
    """The referee's decisions about an injury, before the victim rolled. `check`: the check to resist.
    `seen_successes`, `seen_failures`: the result of the `cause_check` at that time. `rolled`: the roll of the
    `cause_check`; empty if no roll caused the injury.
    """

    injury: InjuryId
    check: CheckId
    victim: CharacterId
    cause: Cause
    cause_check: CheckId | None
    seen_successes: int | None
    seen_failures: int | None
    worst: Condition
    primary_role: Story
    combine: Combine
    reason: Reason
    seen_by: Readers | None = None
    rolled: Rolled | None = None


def say_tries_to_recover(fact: RecoveryRuled, names: Names) -> str:
    circumstances = say_circumstances(fact.elapsed, fact.treatment)
    treatment = say_treated(fact.treated_by, fact.seen_successes, fact.seen_failures)
    name = names.name(character(fact.character))
    return f"{name} tries to recover{circumstances}{treatment}{format_reason(fact.reason)}."


def say_circumstances(elapsed: str, treatment: str) -> str:
    elapsed_phrase = f" after {elapsed.strip()}" if elapsed.strip() else ""
    return elapsed_phrase + (f", with {treatment.strip()}" if treatment.strip() else "")


def say_treated(treated_by: str | None, success_count: int | None, failure_count: int | None) -> str:
    """Put into words the result of the check that treated the injury."""
    if treated_by is None:
        return ""
    if success_count:
        return f", treated with {format_unit(success_count, 'Success', 'Successes')}"
    return f", treated with {format_unit(failure_count or 0, 'Failure', 'Failures')}"


@fact("recovery-ruled", 2, says=say_tries_to_recover)
class RecoveryRuled:
    """The circumstances that the referee took into account for a recovery check, before the roll. `treated_by`: the
    check that treated the injury, with its result and its roll.
    """

    check: CheckId
    character: CharacterId
    elapsed: Title
    treatment: Story
    primary_role: Story
    reason: Reason
    seen_by: Readers | None = None
    treated_by: CheckId | None = None
    seen_successes: int | None = None
    seen_failures: int | None = None
    rolled: Rolled | None = None
