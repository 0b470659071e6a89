"""Success Checks: declared, ruled, rolled, resolved. Headings: calculating status, flukes.

Each step is a ruling of its own, so that what the referee decided is on record before the roll.
"""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import About, Step, Table, Verdict, step
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Audience, Subject, character
from ledger.rules.mnemonic import flukes, ladders, randoms
from ledger.rules.mnemonic.aptitudes import SUM, Aptitude, by_traits
from ledger.rules.mnemonic.authority import must_be_referee, must_play_or_be_referee
from ledger.rules.mnemonic.boards import find_action, find_check, here
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.facts import (
    ActionDeclared,
    ActionOrderRuled,
    ActionRuledImpossible,
    AptitudeUsed,
    CheckResolved,
    CheckRolled,
    CheckRuled,
    Fact,
    FlukeRuled,
)
from ledger.rules.mnemonic.feather import assigned_aptitude, must_be_one_way, must_use_sheets
from ledger.rules.mnemonic.inputs import (
    DeclareAction,
    EnterRoll,
    Resolve,
    RuleCheck,
    RuleFluke,
    RuleImpossible,
    RuleOrder,
)
from ledger.rules.mnemonic.outcomes import follow, left, must_live, the_roll
from ledger.rules.mnemonic.parts import Readings
from ledger.rules.mnemonic.state import Action, Character, Check

STEPS = "mnemonic.ruling.before-roll"
POSSIBLE = "mnemonic.fluke.possible"


# --- before the roll ----------------------------------------------------------------------------------------------


def declare_action(table: Table[Dials], do: DeclareAction) -> Verdict[Fact]:
    """What a character attempts, in the player's words."""
    must_play_or_be_referee(table, do.character)
    must_be_able(table, table.get(character(do.character), Character), do.physical)
    done = ActionDeclared(table.new_id(), do.character, do.text, do.physical)
    return Verdict((About(here(table), done),), (step(STEPS, "declared", action=done.action),))


def must_be_able(table: Table[Dials], being: Character, physical: bool) -> None:
    """The unconscious and the dead attempt nothing; the immobilized nothing physical (`mnemonic.status.inactive`)."""
    condition = being.condition
    may = condition is None or (condition == "immobilized" and not physical and table.dials.status_immobilized_may)
    if not may:
        raise Refused("mnemonic.status.inactive", "inactive", condition=condition)


def rule_order(table: Table[Dials], do: RuleOrder) -> Verdict[Fact]:
    """Who acts before whom (`mnemonic.ruling.order`)."""
    must_be_referee(table)
    for id in do.order:
        table.get(character(id), Character)
    ruled = ActionOrderRuled(do.order, do.reason)
    return Verdict((About(here(table), ruled),), (step("mnemonic.ruling.order", list(do.order)),))


def rule_impossible(table: Table[Dials], do: RuleImpossible) -> Verdict[Fact]:
    """A declared action fails without a roll or a number of Failures (`mnemonic.check.impossible`)."""
    must_be_referee(table)
    where, action = _declared(table, do.action)
    ruled = ActionRuledImpossible(action.id, do.reason)
    return Verdict((About(where, ruled),), (step("mnemonic.check.impossible", "impossible", action=action.id),))


def _declared(table: Table[Dials], id: str) -> tuple[Subject, Action]:
    """A declared action nothing was ruled about yet."""
    found = find_action(table, id)
    if found is None or found[1].stage != "declared":
        raise Refused(STEPS, "out-of-order", action=id)
    return found


def rule_check(table: Table[Dials], do: RuleCheck) -> Verdict[Fact]:
    """The referee picks two traits (or takes an assigned Aptitude), Chances and the method, before the roll."""
    must_be_referee(table)
    being = table.get(character(do.character), Character)
    where, physical = here(table), do.physical
    if do.action is not None:
        where, action = _declared(table, do.action)
        physical = action.physical
        if action.character != do.character:
            raise Refused(STEPS, "out-of-order", action=do.action)
    must_be_able(table, being, physical)
    found = _aptitude(table, being, do)
    chances = ladders.chance(table.dials, do.chances)
    method = randoms.method_of(table.dials, do.method)
    ruled = CheckRuled(
        table.new_id(), "action", do.character, found.traits, found.number, found.source, found.assigned, *chances,
        method, do.life_or_death, readings(table.dials, method), do.reason, action=do.action,
    )  # fmt: skip
    return Verdict((About(where, ruled), *used_up(ruled)), (*found.because, *ruling_steps(ruled)))


def _aptitude(table: Table[Dials], being: Character, do: RuleCheck) -> Aptitude:
    must_be_one_way(SUM, do.assigned, do.traits)
    if do.assigned is not None:
        return assigned_aptitude(table, being, do.assigned)
    must_use_sheets(table.dials)
    return by_traits(table, being, do.traits)


def readings(dials: Dials, method: Any) -> Readings:
    """The dials a check is ruled under: it keeps them, whatever is turned later."""
    return Readings(
        flukes.flukes_in(dials, method), dials.flukes_normal_uses, dials.random_three_reading,
        dials.random_verbal_rule, dials.flukes_automatic_reading, dials.flukes_solid, dials.flukes_spectacular,
        dials.flukes_death_guard, dials.status_combine, dials.recovery_check_reading,
    )  # fmt: skip


def used_up(ruled: CheckRuled, audience: Audience = None) -> tuple[About[Fact], ...]:
    """An assigned Aptitude serves one check."""
    if ruled.assigned is None:
        return ()
    return (About(character(ruled.character), AptitudeUsed(ruled.assigned, ruled.check, audience), (), audience),)


def ruling_steps(ruled: CheckRuled, audience: Audience = None) -> tuple[Step, ...]:
    """Bounds kept, Chances looked up, and the check stands ruled."""
    return (
        step("mnemonic.aptitude.bounds", ruled.aptitude, audience),
        step("mnemonic.chances.rating", ruled.chances_number, audience, chances=ruled.chances),
        step(STEPS, "ruled", audience, check=ruled.check, method=ruled.method),
    )


# --- the roll -----------------------------------------------------------------------------------------------------


def enter_roll(table: Table[Dials], do: EnterRoll) -> Asking[Verdict[Fact]]:
    """The numbers of a ruled check, and its result unless there is a fluke for the referee to rule on."""
    found = find_check(table, do.check)
    if found is None or found[1].rolled is not None:
        must_play_or_be_referee(table, found[1].ruled.character if found is not None else "")
        raise Refused(STEPS, "out-of-order", check=do.check)
    where, check = found
    must_play_or_be_referee(table, check.ruled.character)
    must_live(table, check.ruled)
    numbers = yield from randoms.numbers_of(check.ruled, do)
    seen = flukes.read(check.ruled, numbers.faces)
    spoken = "; ".join("+".join(map(str, one)) for one in do.voices or ())
    rolled = CheckRolled(
        do.check, check.ruled.method, numbers.entered, numbers.faces, table.by.seat, seen.roll, seen.fluke, seen.run,
        do.note or spoken,
    )  # fmt: skip
    recorded: About[Fact] = About(where, rolled)
    because = (*seen.because, step(STEPS, "rolled", check=do.check))
    if seen.fluke is not None or not do.resolve:
        return Verdict((recorded, *left(check.ruled, rolled)), because)
    facts, more = resolved(table, where, check, rolled, None, at_once=True)
    return Verdict((recorded, *facts), (*because, *more))


def rule_fluke(table: Table[Dials], do: RuleFluke) -> Verdict[Fact]:
    """Whether success (or failure) was at all possible for this character; the result follows at once."""
    must_be_referee(table)
    found = find_check(table, do.check)
    if found is None or (rolled := found[1].rolled) is None:
        raise Refused(STEPS, "out-of-order", check=do.check)
    where, check = found
    if rolled.fluke is None:
        raise Refused(POSSIBLE, "no-fluke", check=do.check)
    if check.fluke is not None or check.resolved is not None:
        raise Refused(STEPS, "out-of-order", check=do.check)
    if not do.possible and not do.reason.strip():
        raise Refused(POSSIBLE, "reason-needed")
    must_live(table, check.ruled)
    ruled = FlukeRuled(do.check, rolled.fluke, rolled.run, do.possible, do.reason)
    facts, because = resolved(table, where, check, rolled, ruled)
    effect = rolled.fluke if do.possible else "void"
    return Verdict((About(where, ruled), *facts), (step(POSSIBLE, effect, possible=do.possible), *because))


def resolve(table: Table[Dials], do: Resolve) -> Verdict[Fact]:
    """The result of a roll that was entered and left."""
    found = find_check(table, do.check)
    if found is None or (rolled := found[1].rolled) is None or found[1].resolved is not None:
        raise Refused(STEPS, "out-of-order", check=do.check)
    where, check = found
    if rolled.fluke is not None and check.fluke is None:
        raise Refused(POSSIBLE, "fluke-ruling-needed", check=do.check)
    must_live(table, check.ruled)
    facts, because = resolved(table, where, check, rolled, check.fluke)
    return Verdict(facts, because)


# --- the result ---------------------------------------------------------------------------------------------------


def resolved(
    table: Table[Dials],
    where: Subject,
    check: Check,
    rolled: CheckRolled,
    ruled: FlukeRuled | None,
    *,
    at_once: bool = False,
) -> tuple[tuple[About[Fact], ...], tuple[Step, ...]]:
    """Aptitude less roll and Chances; then the one more of a success, or what a possible fluke makes of it."""
    told, audience = check.ruled, check.ruled.seen_by
    total = told.aptitude - rolled.roll + told.chances_number
    result = flukes.normal(total)
    given = {"aptitude": told.aptitude, "roll": rolled.roll, "chances": told.chances_number}
    because = [
        Step("mnemonic.check.total", given, total, audience),
        step("mnemonic.check.outcome", result.successes or -result.failures, audience, total=total),
    ]
    fluke = ruled.kind if ruled is not None and ruled.possible else None
    if fluke is not None:
        result = flukes.with_fluke(told.readings, fluke, result)
        because.append(step(flukes.rule_of(fluke), result.successes or -result.failures, audience, fluke=fluke))
    done = CheckResolved(
        told.check, rolled.roll, total, result.successes > 0, result.successes, result.failures, fluke, rolled.fluke
    )
    facts, more = follow(table, told, done, None if at_once else the_roll(rolled))
    return (About(where, done, (), audience), *facts), (*because, *more)
