"""Rest, and what puts two characters in conflict."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.rules.intensity import accounts
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.facts_of_healing import ConflictNoted, RestTaken, TaxEnded
from ledger.rules.intensity.guards import check_once, check_text
from ledger.rules.intensity.inputs_of_healing import InConflict, NoteConflict, Rest
from ledger.rules.kernel.refusals import Refused

CONFLICT = "intensity.heal.conflict"

# --- rest ---------------------------------------------------------------------------------------------------------


def rest(draft: Draft, do: Rest) -> None:
    """Five minutes after a scene end the taxes of those who rest."""
    rule = "intensity.rest.taxes"
    for id in do.characters:
        draft.known(id)
    check_once(do.characters, rule)
    if draft.table.subjects("scene"):
        raise Refused(rule, "scene-open")
    if draft.campaign().last_scene is None:
        raise Refused(rule, "no-scene-to-rest-after")
    for id in do.characters:
        if draft.is_gone(id):
            raise Refused(rule, "subject-gone", char=id)
    take_rest(draft, do.characters)


def take_rest(draft: Draft, named: tuple[str, ...] = ()) -> None:
    """Those named, else all not permanently out."""
    resting = named or at_hand(draft)
    draft.campaign_wide(RestTaken(resting))
    draft.by("intensity.rest.taxes", list(resting), rest=draft.dials.rest)
    end_taxes(draft, resting, "intensity.rest.taxes")


def end_taxes(draft: Draft, characters: Iterable[str], rule: str) -> None:
    for char in characters:
        for id, weight in draft.known(char).impacts.items():
            if weight.kind == "tax":
                draft.about(char, TaxEnded(id, char), draft.taken(accounts.impacts(char), 1))
                draft.by(rule, "ended", char=char, trait=weight.trait)


def at_hand(draft: Draft) -> tuple[str, ...]:
    return tuple(id for id in draft.everybody() if not draft.is_gone(id))


# --- conflict -----------------------------------------------------------------------------------------------------


def note_conflict(draft: Draft, do: NoteConflict) -> None:
    """The table rules that two characters were in conflict since the last healing moment."""
    check_pair(draft, do)
    note_pair(draft, do)


def check_pair(draft: Draft, do: NoteConflict | InConflict) -> None:
    """Refuses `unknown-character`, `self`, `text-blank`."""
    draft.known(do.a)
    draft.known(do.b)
    if do.a == do.b:
        raise Refused(CONFLICT, "self", char=do.a)
    check_text(CONFLICT, "reason", do.reason)


def note_pair(draft: Draft, do: NoteConflict | InConflict) -> None:
    draft.campaign_wide(ConflictNoted(do.a, do.b, do.reason))
    draft.by(CONFLICT, [do.a, do.b], reason=do.reason)
