"""Success Checks: declared, ruled, rolled, resolved. Headings: calculating status, flukes.

Each step is a ruling of its own, so that what the referee decided is on record before the roll.
"""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject
from ledger.rules.mnemonic import flukes, ladders, randoms
from ledger.rules.mnemonic.aptitudes import SUM, Aptitude, by_traits
from ledger.rules.mnemonic.boards import find_action, find_check
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.facts import (
    ActionDeclared,
    ActionOrderRuled,
    ActionRuledCertain,
    ActionRuledImpossible,
    CheckResolved,
    CheckRolled,
    CheckRuled,
    FlukeRuled,
)
from ledger.rules.mnemonic.facts_of_aptitudes import AptitudeUsed
from ledger.rules.mnemonic.feather import assigned_aptitude
from ledger.rules.mnemonic.guards import (
    STEPS,
    must_be_able,
    must_be_one_way,
    must_be_referee,
    must_live,
    must_play_or_be_referee,
    must_use_sheets,
    rolled_check,
)
from ledger.rules.mnemonic.inputs import (
    DeclareAction,
    EnterRoll,
    Resolve,
    RuleCertain,
    RuleCheck,
    RuleFluke,
    RuleImpossible,
    RuleOrder,
)
from ledger.rules.mnemonic.outcomes import follow, leave
from ledger.rules.mnemonic.parts import Readings
from ledger.rules.mnemonic.rolls import the_roll
from ledger.rules.mnemonic.state import Action, Character, Check
from ledger.rules.mnemonic.terms import Method

POSSIBLE = "mnemonic.fluke.possible"


# --- before the roll ----------------------------------------------------------------------------------------------


def declare_action(draft: Draft, do: DeclareAction) -> None:
    """What a character attempts, in the player's words."""
    must_play_or_be_referee(draft, do.character)
    must_be_able(draft, do.character, do.physical)
    done = ActionDeclared(draft.table.new_id(), do.character, do.text, do.physical)
    draft.here(done)
    draft.by(STEPS, "declared", action=done.action)


def rule_order(draft: Draft, do: RuleOrder) -> None:
    """Who acts before whom (`mnemonic.ruling.order`)."""
    must_be_referee(draft)
    for id in do.order:
        draft.character(id)
    draft.here(ActionOrderRuled(do.order, do.reason))
    draft.by("mnemonic.ruling.order", list(do.order))


def rule_impossible(draft: Draft, do: RuleImpossible) -> None:
    """A declared action fails without a roll or a number of Failures (`mnemonic.check.impossible`)."""
    must_be_referee(draft)
    where, action = _declared(draft, do.action)
    draft.tell(where, ActionRuledImpossible(action.id, do.reason))
    draft.by("mnemonic.check.impossible", "impossible", action=action.id)


def rule_certain(draft: Draft, do: RuleCertain) -> None:
    """A declared action succeeds without a roll or a number of Successes (`mnemonic.check.certain`)."""
    must_be_referee(draft)
    where, action = _declared(draft, do.action)
    must_be_able(draft, action.character, action.physical)
    draft.tell(where, ActionRuledCertain(action.id, do.reason))
    draft.by("mnemonic.check.certain", "certain", action=action.id)


def _declared(draft: Draft, id: str) -> tuple[Subject, Action]:
    """A declared action nothing was ruled about yet."""
    found = find_action(draft.table, id)
    if found is None or found[1].stage != "declared":
        raise Refused(STEPS, "out-of-order", action=id)
    return found


def rule_check(draft: Draft, do: RuleCheck) -> None:
    """The referee picks two traits (or takes an assigned Aptitude), Chances and the method, before the roll."""
    must_be_referee(draft)
    being = draft.character(do.character)
    where, physical = draft.place(), do.physical
    if do.action is not None:
        where, action = _declared(draft, do.action)
        physical = action.physical
        if action.character != do.character:
            raise Refused(STEPS, "out-of-order", action=do.action)
    must_be_able(draft, do.character, physical)
    must_be_one_way(SUM, do.assigned, do.traits)
    dials = draft.dials
    found = _aptitude(dials, being, do)
    chances = ladders.chance(dials, do.chances)
    method = randoms.method_of(dials, do.method)
    ruled = CheckRuled(
        draft.table.new_id(), "action", do.character, found.traits, found.number, found.source, found.assigned,
        *chances, method, do.life_or_death, readings(dials, method), do.reason, action=do.action,
    )  # fmt: skip
    draft.put_on(where, ruled)
    use_up(draft, ruled)
    draft.steps(found.because)
    stand_ruled(draft, ruled)


def _aptitude(dials: Dials, being: Character, do: RuleCheck) -> Aptitude:
    if do.assigned is not None:
        return assigned_aptitude(dials, being, do.assigned)
    must_use_sheets(dials)
    return by_traits(dials, being, do.traits)


def readings(dials: Dials, method: Method) -> Readings:
    """The dials a check is ruled under: it keeps them, whatever is turned later."""
    return Readings(
        flukes.flukes_in(dials, method), dials.flukes_normal_uses, dials.random_three_reading,
        dials.random_verbal_rule, dials.flukes_automatic_reading, dials.flukes_solid, dials.flukes_spectacular,
        dials.flukes_death_guard, dials.status_combine, dials.recovery_check_reading,
    )  # fmt: skip


def use_up(draft: Draft, ruled: CheckRuled) -> None:
    """An assigned Aptitude serves one check."""
    if ruled.assigned is not None:
        draft.about(ruled.character, AptitudeUsed(ruled.assigned, ruled.check, ruled.seen_by))


def stand_ruled(draft: Draft, ruled: CheckRuled) -> None:
    """Bounds kept, Chances looked up, and the check stands ruled."""
    draft.by("mnemonic.aptitude.bounds", ruled.aptitude)
    draft.by("mnemonic.chances.rating", ruled.chances_number, chances=ruled.chances)
    draft.by(STEPS, "ruled", check=ruled.check, method=ruled.method)


# --- the roll -----------------------------------------------------------------------------------------------------


def enter_roll(draft: Draft, do: EnterRoll) -> Asking[None]:
    """The numbers of a ruled check, and its result unless there is a fluke for the referee to rule on."""
    found = find_check(draft.table, do.check)
    if found is None or found[1].rolled is not None:
        must_play_or_be_referee(draft, found[1].ruled.character if found is not None else "")
        raise Refused(STEPS, "out-of-order", check=do.check)
    where, check = found
    must_play_or_be_referee(draft, check.ruled.character)
    must_live(draft, check.ruled)
    numbers = yield from randoms.numbers_of(check.ruled, do)
    seen = flukes.read(check.ruled, numbers.faces)
    spoken = "; ".join("+".join(map(str, one)) for one in do.voices or ())
    rolled = CheckRolled(
        do.check, check.ruled.method, numbers.entered, numbers.faces, draft.table.by.seat, seen.roll, seen.fluke,
        seen.run, do.note or spoken, str(draft.table.number),
    )  # fmt: skip
    draft.tell(where, rolled)
    draft.steps(seen.because)
    draft.by(STEPS, "rolled", check=do.check)
    if seen.fluke is not None or not do.resolve:
        leave(draft, check.ruled, rolled)
    else:
        come_out(draft, where, check, rolled, None, at_once=True)


def rule_fluke(draft: Draft, do: RuleFluke) -> None:
    """Whether success (or failure) was at all possible for this character; the result follows at once."""
    must_be_referee(draft)
    where, check, rolled = rolled_check(draft, do.check)
    if rolled.fluke is None:
        raise Refused(POSSIBLE, "no-fluke", check=do.check)
    if check.fluke is not None or check.resolved is not None:
        raise Refused(STEPS, "out-of-order", check=do.check)
    if not do.possible and not do.reason.strip():
        raise Refused(POSSIBLE, "reason-needed")
    must_live(draft, check.ruled)
    ruled = FlukeRuled(do.check, rolled.fluke, rolled.run, do.possible, do.reason, the_roll(rolled))
    draft.tell(where, ruled)
    draft.by(POSSIBLE, rolled.fluke if do.possible else "void", possible=do.possible)
    come_out(draft, where, check, rolled, ruled)


def resolve(draft: Draft, do: Resolve) -> None:
    """The result of a roll that was entered and left."""
    where, check, rolled = rolled_check(draft, do.check)
    if check.resolved is not None:
        raise Refused(STEPS, "out-of-order", check=do.check)
    if rolled.fluke is not None and check.fluke is None:
        raise Refused(POSSIBLE, "fluke-ruling-needed", check=do.check)
    must_live(draft, check.ruled)
    come_out(draft, where, check, rolled, check.fluke)


# --- the result ---------------------------------------------------------------------------------------------------


def come_out(
    draft: Draft, where: Subject, check: Check, rolled: CheckRolled, ruled: FlukeRuled | None, *, at_once: bool = False
) -> None:
    """Aptitude less roll and Chances; then the one more of a success, or what a possible fluke makes of it.

    Of a hidden check all of that is hidden, but not what it does to the Status.
    """
    told, audience = check.ruled, check.ruled.seen_by
    total = told.aptitude - rolled.roll + told.chances_number
    result = flukes.normal(total)
    draft.by(
        "mnemonic.check.total", total, audience,
        aptitude=told.aptitude, roll=rolled.roll, chances=told.chances_number,
    )  # fmt: skip
    draft.by("mnemonic.check.outcome", result.successes or -result.failures, audience, total=total)
    fluke = ruled.kind if ruled is not None and ruled.possible else None
    if fluke is not None:
        result = flukes.with_fluke(told.readings, fluke, result)
        draft.by(flukes.rule_of(fluke), result.successes or -result.failures, audience, fluke=fluke)
    done = CheckResolved(
        told.check, rolled.roll, total, result.successes > 0, result.successes, result.failures, fluke, rolled.fluke,
        the_roll(rolled),
    )  # fmt: skip
    draft.tell(where, done, audience=audience)
    follow(draft, told, done, at_once=at_once)
