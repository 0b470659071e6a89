"""What a seat may see of a subject. Where script immunity is hidden, players can neither read nor compute it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import assert_never

from ledger.rules.kernel.frozen import once_each
from ledger.rules.kernel.json_types import by_name
from ledger.rules.kernel.subjects import Subject, Viewer
from ledger.rules.mnemonic.drama import faces_by_level, faces_that_succeed, preview
from ledger.rules.mnemonic.facts_of_injuries import InjuryRuled, RecoveryRuled
from ledger.rules.mnemonic.shelves import Log
from ledger.rules.mnemonic.state import Assignment, Board, Campaign, Character, Check, Scene, Seat, State
from ledger.rules.mnemonic.status import name_of, status_of, word_of

Seen = dict[str, object]
#: So many of the scenes that were closed are shown to have been, the latest last: what was begun there can be finished.
LEFT = 3
#: So many of the rulings that began something in a closed scene are shown, each with its scene.
LATE = 12


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    """JSON-ready, for this seat."""
    match state:
        case Character():
            return _character(state, viewer)
        case Scene():
            return _board(state.board, viewer)
        case Campaign():
            return {
                "referee": state.referee,
                "ladders": {which: [list(row) for row in rows] for which, rows in state.ladders.items()},
                "drifted": [by_name(line) for line in state.drifted],
                "preview": preview(),
                **_closed(state),
                **_board(state.board, viewer),
            }
        case Seat():
            return {}
        case _:
            assert_never(state)


def _closed(state: Campaign) -> Seen:
    """The scenes closed last, and those in which something was begun afterwards, with the rulings that began it."""
    late = state.late.latest(LATE)
    scenes = [left.scene for left in (*late, *state.left.latest(LEFT))]
    return {"left": list(dict.fromkeys(scenes)), "late": [left.ruling for left in late]}


def _character(state: Character, viewer: Viewer) -> Seen:
    status = status_of(state)
    seen: Seen = {
        "kind": state.kind,
        "primary_role": state.primary_role,
        "resist_talent": state.resist_talent,
        "status": {
            "level": status.level,
            "name": name_of(status, state.status_names),
            "word": word_of(status.level),
            "condition": status.condition,
        },
        "ratings": [by_name(rating) for rating in state.ratings.values()],
        "session": state.session,
        "sessions": state.sessions,
        "tasks": {key: _task(log, state, viewer) for key, log in sorted(state.tasks.items())},
        "abilities": {"version": state.abilities_version, "text": state.abilities},
    }
    if state.recovery_rate:
        seen["recovery_rate"] = state.recovery_rate
    return seen | _importance(state, viewer)


def _importance(state: Character, viewer: Viewer) -> Seen:
    """The ratings of script immunity that this seat may read; not even that there are others."""
    fixed = state.importance
    opened = state.open if viewer.may_see(state.open_to) else 0
    ruled = [one for place, one in enumerate(state.importances) if place < opened or viewer.may_see(one.seen_by)]
    return {
        "immunity": {"source": state.source, "known_to": state.known_to},
        "importance": by_name(fixed) if fixed is not None and viewer.may_see(fixed.seen_by) else None,
        "importances": [by_name(one) for one in ruled],
    }


def _task(log: Log[Assignment], state: Character, viewer: Viewer) -> list[Seen]:
    """Every number given for a task, the latest last; `ready` while no check has used it that the viewer may know."""
    unknown = {id for id, readers in state.secretly.items() if not viewer.may_see(readers)}
    return [{**by_name(one), "ready": one.id in state.ready or one.id in unknown} for one in log]


def _board(board: Board, viewer: Viewer) -> Seen:
    checks = sorted(board.checks.items(), key=lambda one: _place(one[0]))
    actions = sorted(board.actions.items(), key=lambda one: _place(one[0]))
    injuries = sorted(board.injuries.items(), key=lambda one: _place(one[0]))
    recoveries = sorted(board.recoveries.items(), key=lambda one: _place(one[0]))
    return {
        "order": list(board.order),
        "actions": [
            {
                "id": id,
                "character": one.character,
                "text": one.text,
                "physical": one.physical,
                "stage": one.stage,
                "injured": list(one.injured),
            }
            for id, one in actions
        ],
        "checks": [_check(one, id, viewer.may_see(one.ruled.seen_by)) for id, one in checks],
        "injuries": [_injury(one, viewer) for _, one in injuries],
        "recoveries": [_recovery(one) for _, one in recoveries if viewer.may_see(one.seen_by)],
    }


@lru_cache(maxsize=10_000)
def _place(id: str) -> tuple[int, int]:
    """`147-2` comes after `147`, and `9` before `10`."""
    ruling, _, second = id.partition("-")
    return (_number(ruling), _number(second))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and text.isascii() else 0


def _stage(check: Check) -> str:
    if check.resolved is not None:
        return "resolved"
    if check.rolled is None:
        return "ruled"
    return "fluke" if check.rolled.fluke is not None and check.fluke is None else "rolled"


@once_each
def _check(check: Check, id: str, seen_whole: bool) -> Seen:
    """Of a hidden check only entered numbers, roll and fluke; the referee sees what each face would lead to as well."""
    ruled, rolled, result = check.ruled, check.rolled, check.resolved
    seen: Seen = {
        "id": id,
        "purpose": ruled.purpose,
        "character": ruled.character,
        "action": ruled.action,
        "injury": ruled.injury,
        "method": ruled.method,
        "stage": _stage(check),
        "entered": list(rolled.entered) if rolled is not None else None,
        "faces": list(rolled.faces) if rolled is not None else None,
        "roll": rolled.roll if rolled is not None else None,
        "fluke": rolled.fluke if rolled is not None else None,
        "fluke_possible": check.fluke.possible if check.fluke is not None else None,
        "readings": by_name(ruled.readings),
        "injured": list(check.injured),
    }
    if not seen_whole:
        return seen
    seen |= {
        "traits": [by_name(trait) for trait in ruled.traits],
        "assigned": ruled.assigned,
        "aptitude": ruled.aptitude,
        "chances": {"name": ruled.chances, "number": ruled.chances_number},
        "life_or_death": ruled.life_or_death,
        "reason": ruled.reason,
        "odds": faces_that_succeed(ruled.aptitude, ruled.chances_number),
        "total": result.total if result is not None else None,
        "success": result.success if result is not None else None,
        "successes": result.successes if result is not None else None,
        "failures": result.failures if result is not None else None,
        "recovered": check.recovered,
    }
    if ruled.purpose != "action":
        seen["preview"] = list(faces_by_level(ruled.aptitude, ruled.chances_number))
    return seen


def _recovery(ruled: RecoveryRuled) -> Seen:
    seen = by_name(ruled)
    del seen["seen_by"]
    return seen


def _injury(ruled: InjuryRuled, viewer: Viewer) -> Seen:
    seen: Seen = {
        "id": ruled.injury,
        "victim": ruled.victim,
        "cause": ruled.cause,
        "cause_check": ruled.cause_check,
        "check": ruled.check,
        "worst": ruled.worst,
    }
    if viewer.may_see(ruled.seen_by):
        seen |= {
            "seen_successes": ruled.seen_successes,
            "seen_failures": ruled.seen_failures,
            "primary_role": ruled.primary_role,
            "reason": ruled.reason,
        }
    return seen
