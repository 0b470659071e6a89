"""What is checked again and again: who declares, and whether a character or an Aptitude may be used at all."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused, RuleId
from ledger.rules.kernel.subjects import Subject
from ledger.rules.mnemonic.authority import AUTHORITY, is_referee, referee_seat
from ledger.rules.mnemonic.boards import find_check, find_injury
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.facts import CheckRolled, CheckRuled
from ledger.rules.mnemonic.state import Check
from ledger.rules.mnemonic.tables import Ladder
from ledger.rules.mnemonic.terms import is_whole

#: What the referee decides is on record before the roll; the roll before its result.
STEPS = "mnemonic.ruling.before-roll"
#: How Aptitudes are come by: from sheets, assigned, or both.
MODE = "mnemonic.feather.mode"

# --- who declares -------------------------------------------------------------------------------------------------


def must_be_referee(draft: Draft) -> None:
    """`mnemonic.ruling.authority`. Says no more than no: a refusal must tell a player nothing."""
    must_have_referee(draft)
    if not is_referee(draft.table):
        raise Refused(AUTHORITY, "not-referee")


def must_have_referee(draft: Draft) -> str:
    """Return the seat that rules: `gm` for any game master. Refuses `no-referee`."""
    seat = referee_seat(draft.table)
    if seat is None:
        raise Refused(AUTHORITY, "no-referee")
    return seat


def must_play_or_be_referee(draft: Draft, id: str) -> None:
    """The player of the character, or the referee for the rest."""
    if id not in draft.table.by.characters:
        must_be_referee(draft)


# --- who may act, resist, recover ---------------------------------------------------------------------------------


def must_be_able(draft: Draft, id: str, physical: bool) -> None:
    """The unconscious and the dead attempt nothing; the immobilized nothing physical (`mnemonic.status.inactive`)."""
    condition = draft.character(id).condition
    may = condition is None or (condition == "immobilized" and not physical and draft.dials.status_immobilized_may)
    if not may:
        raise Refused("mnemonic.status.inactive", "inactive", character=id, condition=condition)


def must_live(draft: Draft, ruled: CheckRuled) -> None:
    """The dead neither resist nor recover: whoever died since the ruling rolls no more."""
    if ruled.purpose == "action":
        return
    if draft.character(ruled.character).condition == "dead":
        rule = "mnemonic.status.combine" if ruled.purpose == "resist" else "mnemonic.recovery.inactive"
        raise Refused(rule, "dead", character=ruled.character)
    if ruled.purpose == "resist" and find_injury(draft.table, ruled.injury or "") is None:
        raise Refused(STEPS, "out-of-order", check=ruled.check)


# --- how far a check has come -------------------------------------------------------------------------------------


def rolled_check(draft: Draft, id: str) -> tuple[Subject, Check, CheckRolled]:
    """A check that was rolled, where it is, and its roll. Refuses `out-of-order`."""
    found = find_check(draft.table, id)
    if found is None or found[1].rolled is None:
        raise Refused(STEPS, "out-of-order", check=id)
    return *found, found[1].rolled


# --- which Aptitude may be used -----------------------------------------------------------------------------------


def must_be_possible(ladder: Ladder, number: object) -> int:
    """Between twice the lowest and twice the highest rating, and whole (`mnemonic.aptitude.bounds`)."""
    if not is_whole(number) or not 2 * ladder[0][1] <= number <= 2 * ladder[-1][1]:
        raise Refused(
            "mnemonic.aptitude.bounds", "aptitude-out-of-range", lowest=2 * ladder[0][1], highest=2 * ladder[-1][1]
        )
    return number


def must_use_sheets(dials: Dials) -> None:
    """A check by traits is refused where every Aptitude is assigned (`mnemonic.feather.mode`)."""
    if dials.feather_mode == "on":
        raise Refused(MODE, "sheetless")


def must_be_one_way(rule: RuleId, assigned: str | None, named: object) -> None:
    """An Aptitude is assigned or comes from traits, never both."""
    if assigned is not None and named:
        raise Refused(rule, "aptitude-twice", assigned=assigned)
