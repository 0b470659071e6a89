"""The life of a check: it is ruled on, rolled, perhaps ruled a fluke, and resolved; then it has consequences.

| step | declared by | recorded | other modules |
|---|---|---|---|
| ruled | RuleCheck, RuleInjury, RuleRecoveryCheck | CheckRuled | `rulings`, `injuries`, `recovery_checks` |
| rolled | EnterRoll | CheckRolled | the numbers: `rolls` |
| a fluke counts or not | RuleFluke | FlukeRuled | the kind of fluke: `flukes` |
| resolved | with the roll or the fluke, or Resolve | CheckResolved | |
| resisted | with the result | InjuryResolved | `injuries` |
| recovered | with the result, or NameRecovery | RecoveryChecked | `recovery_checks` |
| consequences | NarrateConsequence | ConsequenceNarrated | `consequences` |

Each step is a ruling of its own, so that the referee's decisions are on record before the roll. A step is recorded
once, and counts for the roll that it names (`records.Rolled`): with a different roll it goes adrift.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    Fell,
    Move,
    Names,
    Reason,
    RecordedFacts,
    Refusal,
    Refused,
    Says,
    Seen,
    Story,
    Subject,
    Table,
    Thrown,
    changed,
    changes,
    character,
    decides,
    declares,
    guards,
    list_making_facts,
    offers,
    require,
    rule,
    throws,
)
from ledger.rules.mnemonic import flukes, injuries, recovery_checks
from ledger.rules.mnemonic.actions import BEFORE_ROLL, OUT_OF_ORDER, put_stage
from ledger.rules.mnemonic.boards import find_check, find_injury
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.immunity import REASON_NEEDED
from ledger.rules.mnemonic.records import (
    CheckResolved,
    CheckRolled,
    CheckRuled,
    FlukeRuled,
    refer_to_roll,
)
from ledger.rules.mnemonic.recovery import INACTIVE
from ledger.rules.mnemonic.referee import (
    REFEREE,
    find_player,
    list_represented_ids,
    may_rule,
    may_speak_for,
    offer_to_referees,
    referee_or_player_of,
)
from ledger.rules.mnemonic.resisting import ResistanceRolled, record_waiting_roll
from ledger.rules.mnemonic.rolls import TOTAL, Card, Typed, gather_numbers, list_ways
from ledger.rules.mnemonic.state import Board, Check, is_of_roll, of_its_check, on_its_board, with_checks
from ledger.rules.mnemonic.status import COMBINE, StatusChanged
from ledger.rules.mnemonic.words import (
    DICE,
    HIGHEST,
    CheckId,
    Face,
    Spoken,
    format_reason,
    format_unit,
)


@changes
@on_its_board
def put_check(board: Board, fact: CheckRuled) -> Board:
    new_board = with_checks(board, board.checks.put(fact.check, Check(fact)))
    return new_board if fact.action is None else put_stage(new_board, fact.action, "ruled") or new_board


@guards
def may_continue_check(draft: Draft, ruled_check: CheckRuled) -> Refused | None:
    """Refuse a check to resist or recover if the character has died since the ruling, and a check to resist an injury
    that was overturned.
    """
    if ruled_check.purpose == "action":
        return None
    if draft.character(ruled_check.character).condition == "dead":
        return injuries.DEAD.under(
            COMBINE if ruled_check.purpose == "resist" else INACTIVE, character=ruled_check.character
        )
    if ruled_check.purpose == "resist" and find_injury(draft.table, ruled_check.injury or "") is None:
        return OUT_OF_ORDER(check=ruled_check.check)
    return None


def _can_continue_check(draft: Draft, ruled_check: CheckRuled) -> bool:
    """Return whether the next step of the check can be offered. It cannot if the character's joining was overturned."""
    return (ruled_check.purpose == "action" or ruled_check.character in draft.roster) and may_continue_check(
        draft, ruled_check
    ) is None


# --- the roll ---------------------------------------------------------------------------------------------------------


@changes
@of_its_check
def put_roll(check: Check, fact: CheckRolled) -> Check | None:
    return changed(check, rolled=fact) if check.rolled is None else None


def _find_roller(table: Table[object], do: EnterRoll) -> str | None:
    place_and_check = find_check(table, do.check)
    return place_and_check[1].ruled.character if place_and_check is not None else None


@declares(
    "enter-roll",
    referee_or_player_of(_find_roller, "the player of the character that rolls"),
    says="The check is rolled[: {numbers}].",
    records=(
        CheckRolled,
        CheckResolved,
        injuries.InjuryResolved,
        recovery_checks.RecoveryChecked,
        recovery_checks.RecoveryAwaited,
        ResistanceRolled,
        StatusChanged,
    ),
    outlives_scene=True,
)
class EnterRoll:
    """Roll a check that the referee has ruled on. If you enter the roll yourself, enter every number, in order.

    `numbers`: the numbers on the dice or cards, or the number that the players agreed on. `cards`: the cards drawn.
    `voices`: the numbers that the players said, in each round. Leave out numbers, cards and spoken numbers to be asked
    for dice or cards.
    """

    check: CheckId
    numbers: tuple[Face, ...] | None = None
    cards: tuple[Annotated[Card, Fell(die=False)], ...] | None = None
    voices: Annotated[tuple[tuple[Spoken, ...], ...] | None, Says("Spoken numbers")] = None
    note: Story = ""
    resolve: Annotated[bool, Says("Work out the result immediately")] = True


@decides
def enter_roll(draft: Draft, do: EnterRoll) -> Asking[None]:
    """Record the numbers of a ruled check and, unless a fluke waits for the referee, its result."""
    place_and_check = find_check(draft.table, do.check)
    require(may_speak_for(draft, place_and_check[1].ruled.character if place_and_check is not None else ""))
    if place_and_check is None or place_and_check[1].rolled is not None:
        raise OUT_OF_ORDER(check=do.check)
    place, check = place_and_check
    ruled_check = check.ruled
    require(may_continue_check(draft, ruled_check))
    numbers = yield from gather_numbers(ruled_check, Typed(do.numbers, do.cards, do.voices))
    reading = flukes.read_faces(ruled_check, numbers.faces)
    spoken_text = "; ".join("+".join(map(str, voices)) for voices in do.voices or ())
    rolled = CheckRolled(
        do.check,
        ruled_check.method,
        numbers.entered,
        numbers.faces,
        draft.table.by.seat,
        reading.roll,
        reading.fluke,
        reading.run,
        do.note or spoken_text,
        str(draft.table.number),
    )
    draft.tell(place, rolled)
    draft.cite_steps(reading.because)
    draft.by(BEFORE_ROLL, "rolled", check=do.check)
    if reading.fluke is not None or not do.resolve:
        record_waiting_roll(draft, ruled_check, rolled)
    else:
        record_result(draft, place, check, rolled, None, is_at_once=True)


@throws
def list_thrown(do: EnterRoll, recorded: RecordedFacts) -> Iterator[Thrown]:
    """Yield the numbers that dice showed. Cards and spoken numbers are left out."""
    if do.numbers is None:
        return
    for about in recorded.facts:
        rolled = about.fact
        if isinstance(rolled, CheckRolled) and rolled.method in DICE:
            for earlier in list_making_facts(recorded, rolled.check):
                if isinstance(earlier.fact, CheckRuled) and earlier.fact.check == rolled.check:
                    yield Thrown(character(earlier.fact.character), HIGHEST, rolled.faces, about.audience)


@offers
def offer_to_roll(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer to roll ruled checks. The table waits for the player or the ruling seat; a seat that may speak for the
    character can roll too.
    """
    seat_id, represented_ids = seen.seat.seat, list_represented_ids(draft)
    for checks, awaits in ((draft.boards.checks, BEFORE_ROLL), (draft.boards.left_checks, None)):
        ruled_checks = [
            check.ruled for check in checks if check.rolled is None and _can_continue_check(draft, check.ruled)
        ]
        for character_id, its_checks in groupby(sorted(ruled_checks, key=_read_character_id), key=_read_character_id):
            checks_to_roll = list(its_checks)
            player, ways = find_player(draft.table, character_id), list(list_ways(checks_to_roll))
            awaited_ids = (player,) if player is not None else draft.referees
            only_check_id = checks_to_roll[0].check if len(checks_to_roll) == 1 and awaits else None
            for way in ways:
                is_bare = way.keys() == {"check", "resolve"}  # nothing is entered: the roller is asked for dice
                follows = EnterRoll(only_check_id) if only_check_id is not None and is_bare else None
                for awaited_id in awaited_ids:
                    yield Move(EnterRoll, way, awaits, awaited_id, seats=(awaited_id,), follows=follows)
            if seat_id not in awaited_ids and character_id in represented_ids:
                for way in ways:
                    yield Move(EnterRoll, way, None, seat_id, seats=(seat_id,))


def _read_character_id(ruled_check: CheckRuled) -> str:
    return ruled_check.character


# --- a fluke ----------------------------------------------------------------------------------------------------------

POSSIBLE = rule(
    "mnemonic.fluke.possible",
    "A fluke counts only if the referee rules that its success or failure was reasonably possible.",
    "flukes",
)
NO_FLUKE = Refusal(POSSIBLE, "no-fluke", "This roll is not a fluke, so there is nothing to rule on.")
FLUKE_FIRST = Refusal(
    POSSIBLE,
    "fluke-ruling-needed",
    "This roll is a fluke. The referee must first rule whether its success or failure was possible.",
)


@changes
@of_its_check
def put_fluke(check: Check, fact: FlukeRuled) -> Check | None:
    rolled = check.rolled
    is_this_fluke = rolled is not None and (rolled.fluke, rolled.run) == (fact.kind, fact.run)
    is_open = check.fluke is None and check.resolved is None
    return changed(check, fluke=fact) if is_this_fluke and is_of_roll(check, fact.rolled) and is_open else None


def say_fluke_ruling(do: RuleFluke, names: Names) -> str:
    return f"The fluke {'counts' if do.possible else 'does not count'}{format_reason(do.reason)}."


@declares(
    "rule-fluke",
    REFEREE,
    says=say_fluke_ruling,
    records=(
        FlukeRuled,
        CheckResolved,
        injuries.InjuryResolved,
        recovery_checks.RecoveryChecked,
        recovery_checks.RecoveryAwaited,
        StatusChanged,
    ),
)
class RuleFluke:
    """Rule whether a fluke counts: whether its success or failure was reasonably possible for the character who rolled.
    If it was not, give a reason.
    """

    check: CheckId
    possible: Annotated[bool, Says("The fluke's result was reasonably possible")]
    reason: Reason = ""


@guards
def may_rule_fluke(check: Check) -> Refused | None:
    """Refuse a check without a fluke, or with a fluke that has already been decided."""
    if check.rolled is None:
        return OUT_OF_ORDER(check=check.ruled.check)
    if check.rolled.fluke is None:
        return NO_FLUKE(check=check.ruled.check)
    return OUT_OF_ORDER(check=check.ruled.check) if check.fluke is not None or check.resolved is not None else None


@decides
def rule_fluke(draft: Draft, do: RuleFluke) -> None:
    """Decide whether the fluke's success or failure was possible for this character at all. The
    result follows at once.
    """
    require(may_rule(draft))
    place, check, rolled = read_rolled_check(draft, do.check)
    require(may_rule_fluke(check))
    if not do.possible and not do.reason.strip():
        raise REASON_NEEDED.under(POSSIBLE)
    require(may_continue_check(draft, check.ruled))
    assert rolled.fluke is not None, "`may_rule_fluke` has checked this"
    fluke_ruled = FlukeRuled(do.check, rolled.fluke, rolled.run, do.possible, do.reason, refer_to_roll(rolled))
    draft.tell(place, fluke_ruled)
    draft.by(POSSIBLE, rolled.fluke if do.possible else "void", possible=do.possible)
    record_result(draft, place, check, rolled, fluke_ruled)


@offers
def offer_to_rule_flukes(seen: Seen, draft: Draft) -> Iterator[Move]:
    for checks, awaits in ((draft.boards.checks, POSSIBLE), (draft.boards.left_checks, None)):
        check_ids = tuple(
            check.ruled.check
            for check in checks
            if check.resolved is None and may_rule_fluke(check) is None and _can_continue_check(draft, check.ruled)
        )
        if check_ids:
            move = Move(RuleFluke, {"check": Among(check_ids), "possible": Among((True, False))}, awaits)
            yield from offer_to_referees(draft, [move])


# --- the result -------------------------------------------------------------------------------------------------------


def say_outcome(given: Mapping[str, Any]) -> str:
    """Return the result in words. A result that is not a Failure is increased by 1."""
    if "total" not in given:
        return ""
    if given["out"] < 0:
        return f"A total of {{total}} is {format_unit(-given['out'], 'Failure', 'Failures')}."
    return f"A total of {{total}} succeeds. Add 1: {format_unit(given['out'], 'Success', 'Successes')}."


OUTCOME = rule(
    "mnemonic.check.outcome",
    "A total of 0 or more is a success. The number of Successes is the total plus one. A total below 0 is a "
    "failure: a total of -2 is 2 Failures.",
    "calculating status",
    step=say_outcome,
)


@changes
@of_its_check
def put_result(check: Check, fact: CheckResolved) -> Check | None:
    rolled = check.rolled
    is_same_roll = rolled is not None and (rolled.roll, rolled.fluke) == (fact.roll, fact.fluke_rolled)
    counted_fluke = check.fluke.kind if check.fluke is not None and check.fluke.possible else None
    is_fluke_settled = (fact.fluke_rolled is None or check.fluke is not None) and counted_fluke == fact.fluke
    is_open = not check.resolved
    return (
        changed(check, resolved=fact)
        if is_same_roll and is_of_roll(check, fact.rolled) and is_fluke_settled and is_open
        else None
    )


@declares(
    "resolve",
    ANYONE,
    says="The result of the roll is worked out.",
    records=(
        CheckResolved,
        injuries.InjuryResolved,
        recovery_checks.RecoveryChecked,
        recovery_checks.RecoveryAwaited,
        StatusChanged,
    ),
)
class Resolve:
    """Work out the result of a roll that was entered without one."""

    check: CheckId


def read_rolled_check(draft: Draft, check_id: str) -> tuple[Subject, Check, CheckRolled]:
    """Return the subject on whose board a rolled check is, the check, and its roll. Refuses `out-of-order`."""
    place_and_check = find_check(draft.table, check_id)
    if place_and_check is None:
        raise OUT_OF_ORDER(check=check_id)
    place, check = place_and_check
    if check.rolled is None:
        raise OUT_OF_ORDER(check=check_id)
    return place, check, check.rolled


@guards
def may_resolve(check: Check) -> Refused | None:
    """Refuse a check without a roll, with a result, or with a fluke that waits for the referee."""
    if check.rolled is None or check.resolved is not None:
        return OUT_OF_ORDER(check=check.ruled.check)
    return FLUKE_FIRST(check=check.ruled.check) if check.rolled.fluke is not None and check.fluke is None else None


@decides
def resolve(draft: Draft, do: Resolve) -> None:
    """Record the result of a roll that was entered without one."""
    place, check, rolled = read_rolled_check(draft, do.check)
    require(may_resolve(check))
    require(may_continue_check(draft, check.ruled))
    record_result(draft, place, check, rolled, check.fluke)


@offers
def offer_to_resolve(seen: Seen, draft: Draft) -> Iterator[Move]:
    for checks, awaits in ((draft.boards.checks, BEFORE_ROLL), (draft.boards.left_checks, None)):
        unresolved_checks = [
            check.ruled
            for check in checks
            if check.resolved is None and may_resolve(check) is None and _can_continue_check(draft, check.ruled)
        ]
        for character_id, checks_of_one in groupby(
            sorted(unresolved_checks, key=_read_character_id), key=_read_character_id
        ):
            yield Move(
                Resolve,
                {"check": Among(tuple(ruled_check.check for ruled_check in checks_of_one))},
                awaits,
                of=character_id,
            )


def record_result(
    draft: Draft,
    place: Subject,
    check: Check,
    rolled: CheckRolled,
    fluke_ruled: FlukeRuled | None,
    *,
    is_at_once: bool = False,
) -> None:
    """Record the result: Aptitude plus Chances minus roll, plus 1 for a success, or the result that a fluke gives.

    For a hidden check, all of this is hidden, but not its effect on Status. `is_at_once`: whether this is the ruling
    that entered the roll.
    """
    ruled_check, audience = check.ruled, check.ruled.seen_by
    total = ruled_check.aptitude - rolled.roll + ruled_check.chances_number
    outcome = flukes.read_total(total)
    draft.by(
        TOTAL, total, audience, aptitude=ruled_check.aptitude, roll=rolled.roll, chances=ruled_check.chances_number
    )
    draft.by(OUTCOME, outcome.success_count or -outcome.failure_count, audience, total=total)
    fluke_kind = fluke_ruled.kind if fluke_ruled is not None and fluke_ruled.possible else None
    if fluke_kind is not None:
        outcome = flukes.apply_fluke(ruled_check.readings, fluke_kind, outcome)
        draft.by(
            flukes.find_rule(fluke_kind), outcome.success_count or -outcome.failure_count, audience, fluke=fluke_kind
        )
    result = CheckResolved(
        ruled_check.check,
        rolled.roll,
        total,
        outcome.success_count > 0,
        outcome.success_count,
        outcome.failure_count,
        fluke_kind,
        rolled.fluke,
        refer_to_roll(rolled),
    )
    draft.tell(place, result, audience=audience)
    if ruled_check.purpose == "resist":
        injuries.resolve_injury(draft, ruled_check, result, is_at_once)
    if ruled_check.purpose == "recovery":
        recovery_checks.resolve_recovery(draft, ruled_check, result, is_at_once)
