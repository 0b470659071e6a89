"""Characters: how a character joins, and how it is shown to viewers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.kernel.kit import (
    Asking,
    Enrol,
    Faults,
    Maker,
    Making,
    Option,
    Says,
    SeatId,
    Story,
    Title,
    Viewer,
    by_name,
    changed,
    changes,
    decides,
    fact,
    require,
)
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.immunity import may_have_immunity, rate_at_enrolment, record_shown_as
from ledger.rules.mnemonic.shelves import Log
from ledger.rules.mnemonic.state import Assignment, Character
from ledger.rules.mnemonic.status import DEFAULT, find_word, name_status, read_status
from ledger.rules.mnemonic.words import FINE, CharacterKind, TraitTitle, collapse_spaces


@dataclass(frozen=True, slots=True)
class Sheet:
    """A new character. `primary_role`: who the character is, in a few words."""

    kind: CharacterKind = "player_character"
    primary_role: Story = ""
    resist_talent: Annotated[
        Title | None,
        Says("Talent that resists injuries", "Leave it out to use the Talent in `resist.talent`."),
    ] = None
    rate_importance: Annotated[
        bool, Says("Rate script immunity", "If true, the referee is asked for the rating when the character joins.")
    ] = False


#: Ready-made characters. The referee rates their traits at the table.
PEOPLE: Mapping[str, Sheet] = {
    "Andrea Kovac": Sheet(primary_role="Adult Female Human, deputy of a small frontier town"),
    "Charakodax": Sheet(primary_role="Young Male Dragon, long-winded and easily offended", resist_talent="Armoured"),
    "Boris the Hammer": Sheet(primary_role="Adult Male Human, a boxer past his best years"),
    "Old Meg": Sheet(primary_role="Elderly Female Human, blind, who reads fortunes"),
    "The Brave Lucinda": Sheet(
        kind="non_player_character", primary_role="Merchant ship of three masts", resist_talent="Sturdy"
    ),
}


# --- creating a character step by step --------------------------------------------------------------------------------


def _list_resist_talents(making: Making) -> Iterator[Option]:
    dials: Dials = making.table.dials
    yield Option(f"Talent against injuries, instead of {dials.resist_talent}", {"resist_talent": ""})


def _list_ways_to_immunity(making: Making) -> Iterator[Option]:
    """Yield the ways to rate script immunity when a character is created, or nothing if the table plays without it."""
    dials: Dials = making.table.dials
    if dials.dramatic_source != "off":
        yield Option("No rating now", {"rate_importance": False}, "A rating can be given later")
        yield Option("Ask the referee", {"rate_importance": True}, "The referee answers before the character joins")


MAKER = Maker(
    lambda making: {"kind": "player_character", "rate_importance": False, **making.sheet},
    {"resisting": _list_resist_talents, "immunity": _list_ways_to_immunity},
)


@fact("character-created", says="{subject} is Fine[. Primary Role: {primary_role}].")
class CharacterCreated:
    """Subject: the character. The character joined the campaign with the Status Fine."""

    kind: CharacterKind
    player: SeatId
    primary_role: Story
    resist_talent: TraitTitle | None


@changes
def create(state: Character, fact: CharacterCreated) -> Character:
    return changed(
        state,
        kind=fact.kind,
        primary_role=fact.primary_role,
        resist_talent=fact.resist_talent,
        level=FINE,
        condition=None,
    )


@decides
def enrol(draft: Draft, do: Enrol[Sheet]) -> Asking[None]:
    """Create a character with the Status Fine. If the sheet says so, the referee is asked how important the character
    is.
    """
    sheet, character_id, faults = do.sheet, str(draft.table.number), Faults()
    if sheet.rate_importance:
        with faults.at("sheet", "rate_importance"):
            require(may_have_immunity(draft.dials))
    faults.raise_found()
    talent = collapse_spaces(sheet.resist_talent) if sheet.resist_talent and sheet.resist_talent.strip() else None
    draft.about(character_id, CharacterCreated(sheet.kind, do.seat, sheet.primary_role, talent))
    record_shown_as(draft, draft.dials, character_id, None)
    draft.by(DEFAULT, FINE)
    if sheet.rate_importance:
        yield from rate_at_enrolment(draft, character_id, do.name)


# --- views ------------------------------------------------------------------------------------------------------------


def view_character(state: Character, viewer: Viewer) -> dict[str, object]:
    status = read_status(state)
    shown_values: dict[str, object] = {
        "kind": state.kind,
        "primary_role": state.primary_role,
        "resist_talent": state.resist_talent,
        "status": {
            "level": status.level,
            "name": name_status(status, state.status_names),
            "word": find_word(status.level),
            "condition": status.condition,
        },
        "ratings": [by_name(rating) for rating in state.ratings.values()],
        "session": state.session,
        "sessions": state.sessions,
        "tasks": {key: _view_task(log, state, viewer) for key, log in sorted(state.tasks.items())},
        "abilities": {"version": state.abilities_version, "text": state.abilities},
    }
    if state.recovery_rate:
        shown_values["recovery_rate"] = state.recovery_rate
    return shown_values | _view_importance(state, viewer)


def _view_importance(state: Character, viewer: Viewer) -> dict[str, object]:
    """Return the ratings of script immunity that this seat may read, and nothing that reveals the existence of other
    ratings.
    """
    importance = state.importance
    open_count = state.open if viewer.may_see(state.open_to) else 0
    shown_ratings = [
        rating for index, rating in enumerate(state.importances) if index < open_count or viewer.may_see(rating.seen_by)
    ]
    return {
        "immunity": {"source": state.source, "known_to": state.known_to},
        "importance": by_name(importance) if importance is not None and viewer.may_see(importance.seen_by) else None,
        "importances": [by_name(rating) for rating in shown_ratings],
    }


def _view_task(log: Log[Assignment], state: Character, viewer: Viewer) -> list[dict[str, object]]:
    """Return every number given for a task, the latest last. A number is shown as `ready` unless the viewer may know of
    a check that used it.
    """
    hidden_ids = {assignment_id for assignment_id, readers in state.secretly.items() if not viewer.may_see(readers)}
    ready_ids = {*state.ready, *hidden_ids}
    return [{**by_name(assignment), "ready": assignment.id in ready_ids} for assignment in log]
