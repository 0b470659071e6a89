"""Rest, and what puts two characters in conflict."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.rules.intensity import accounts
from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.facts_of_healing import ConflictNoted, RestTaken, TaxEnded
from ledger.rules.intensity.ground import Ruling, check_once, check_text, everybody, is_gone, known
from ledger.rules.intensity.inputs_of_healing import NoteConflict, Rest
from ledger.rules.intensity.state import Campaign
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character

# --- rest ---------------------------------------------------------------------------------------------------------


def rest(table: Table[Dials], ruling: Ruling, do: Rest) -> None:
    """Five minutes after a scene end the taxes of those who rest."""
    rule = "intensity.rest.taxes"
    for id in do.characters:
        known(table, id)
    check_once(do.characters, rule)
    if table.subjects("scene"):
        raise Refused(rule, "scene-open")
    if table.get(CAMPAIGN, Campaign).last_scene is None:
        raise Refused(rule, "no-scene-to-rest-after")
    for id in do.characters:
        if is_gone(table, id):
            raise Refused(rule, "subject-gone", char=id)
    take_rest(table, ruling, do.characters)


def take_rest(table: Table[Dials], ruling: Ruling, named: tuple[str, ...] = ()) -> None:
    """Those named, else all not permanently out."""
    resting = named or at_hand(table)
    ruling.tell(CAMPAIGN, RestTaken(resting))
    ruling.by("intensity.rest.taxes", list(resting), rest=table.dials.rest)
    end_taxes(table, ruling, resting, "intensity.rest.taxes")


def end_taxes(table: Table[Dials], ruling: Ruling, characters: Iterable[str], rule: str) -> None:
    for char in characters:
        for id, weight in known(table, char).impacts.items():
            if weight.kind == "tax":
                ruling.tell(character(char), TaxEnded(id, char), ruling.taken(accounts.impacts(char), 1))
                ruling.by(rule, "ended", char=char, trait=weight.trait)


def at_hand(table: Table[Dials]) -> tuple[str, ...]:
    return tuple(id for id in everybody(table) if not is_gone(table, id))


# --- conflict -----------------------------------------------------------------------------------------------------


def note_conflict(table: Table[Dials], ruling: Ruling, do: NoteConflict) -> None:
    """The table rules that two characters were in conflict since the last healing moment."""
    rule = "intensity.heal.conflict"
    known(table, do.a)
    known(table, do.b)
    if do.a == do.b:
        raise Refused(rule, "self", char=do.a)
    check_text(rule, "reason", do.reason)
    ruling.tell(CAMPAIGN, ConflictNoted(do.a, do.b, do.reason))
    ruling.by(rule, [do.a, do.b], reason=do.reason)
