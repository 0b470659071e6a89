"""Rulings, what waits to become one, and lists of them, for one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.application import Pending, Ruling, ShownRuling, wire, with_facts
from ledger.events.envelope import Event
from ledger.events.records import Reason
from ledger.rules.contract import Refused, Step
from ledger.rules.housekeeping import CharacterEnrolled, SceneOpened, SessionOpened
from projections.exit import Json, Sight
from projections.systems import statement

CHUNK = 200  # rulings read at a time when a list is searched


def ruling(sight: Sight, shown: ShownRuling, leaning: Sequence[int] | None = None) -> Json:
    """A ruling. `leaning`: None where it is not worked out. A scene or session it opened is the one it belongs to."""
    told, ruled = shown.ruling, shown.ruling.ruled
    made = _made(sight, shown.facts)
    bodies = [event.body for event in shown.facts]
    seen = sight.sees_declaration(ruled.seat, bodies)
    return {
        "number": told.number,
        "status": told.status,
        "version": told.version,
        "declared": sight.declared(ruled.declared, seen),
        "by": sight.person(ruled.seat),
        "at": told.at,
        "session": made.get("session") or told.session or None,
        "scene": made.get("scene") or ruled.scene,
        "character": made.get("character"),
        "answers": sight.answers(ruled.answers) if seen else [],
        "facts": _facts(sight, told, shown.facts),
        "because": because(sight, ruled.because) if seen else [],
        "edition": ruled.edition,
        "dials": ruled.dials,
        "decisions": [
            {
                "decision": one.decision,
                "by": sight.person(one.by),
                "at": one.at,
                "reason": one.reason,
                "also": list(one.also),
            }
            for one in told.decisions
        ],
        "leaning": list(leaning) if leaning is not None else None,
        "waited_as": ruled.waited_as,
    }


def _facts(sight: Sight, told: Ruling, facts: Iterable[Event]) -> list[Json]:
    found = []
    for event in facts:
        body = event.body
        if sight.may_see(body.audience):
            struck = not told.stands or body.revision != told.revision
            fact = sight.fact(_subject(event), body.fact, body.postings)
            found.append({"step": body.step, **fact, "struck": struck})
    return found


def _subject(event: Event) -> str:
    """`character:12` from the stream's name."""
    _, kind, id = event.originator_id.split("/", 2)
    return kind if kind == "campaign" else f"{kind}:{id}"


def _made(sight: Sight, facts: Iterable[Event]) -> dict[str, str]:
    """The ids of the character, scene or session that the ruling brought into being."""
    made: dict[str, str] = {}
    for event in facts:
        if sight.may_see(event.body.audience):
            match event.body.fact:
                case CharacterEnrolled():
                    made["character"] = _subject(event).partition(":")[2]
                case SceneOpened():
                    made["scene"] = _subject(event).partition(":")[2]
                case SessionOpened(session=id):
                    made["session"] = id
                case _:
                    pass
    return made


def because(sight: Sight, steps: Iterable[Reason | Step]) -> list[Json]:
    """The derivation, each step with the sentence of its rule."""
    return [
        {"rule": one.rule, "statement": statement(one.rule), "given": wire.plain(one.given), "out": wire.plain(one.out)}
        for one in steps
        if sight.may_see(one.audience)
    ]


def refusal(refused: Refused, *, seen: bool) -> Json:
    """Why the rules say no. `seen`: whether the viewer may see the numbers and names involved."""
    return {
        "code": refused.code,
        "rule": refused.rule,
        "statement": statement(refused.rule),
        "context": wire.plain(refused.context) if seen else {},
    }


# --- what waits ---------------------------------------------------------------------------------------------------


def waiting(sight: Sight, pending: Pending) -> Json:
    """What waits, or waited. Its declaration is as secret as its question."""
    question = sight.question(pending.question, pending.seat)
    seen = pending.seat == sight.viewer.seat or question is not None or pending.question is None
    return {
        "id": pending.id,
        "status": pending.status,
        "version": pending.version,
        "declared": sight.declared(pending.declared, seen),
        "by": sight.person(pending.seat),
        "at": pending.at,
        "scene": pending.scene,
        "dice": pending.dice,
        "question": question,
        "answers": sight.answers(pending.answers),
        "ruling": pending.ruling,
        "reason": pending.reason,
    }


def all_waiting(sight: Sight) -> list[Json]:
    """In the order in which they were declared."""
    found = [sight.book.pending(id) for id in sight.book.campaign.waiting]
    return [waiting(sight, one) for one in found if sight.pending(one)]


# --- lists --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rulings: all of what is given must fit. `after`: a number; `limit`: at most so many."""

    status: str | None = None
    character: str | None = None
    seat: str | None = None
    scene: str | None = None
    session: str | None = None
    kind: str | None = None
    rule: str | None = None
    after: int = 0
    limit: int = 50


def listed(sight: Sight, wanted: Wanted) -> tuple[list[Json], int | None]:
    """Rulings in order, and the number after which there are more, if there are."""
    found: list[Json] = []
    latest = sight.book.campaign.rulings
    for first in range(wanted.after + 1, latest + 1, CHUNK):
        numbers = range(first, min(first + CHUNK, latest + 1))
        candidates = [one for one in sight.book.rulings(numbers) if sight.knows(one) and _may_fit(one, wanted)]
        for shown in with_facts(sight.book, candidates):
            document = ruling(sight, shown)
            if _fits(document, wanted):
                if len(found) == wanted.limit:
                    return found, int(found[-1]["number"])
                found.append(document)
    return found, None


def _may_fit(one: Ruling, wanted: Wanted) -> bool:
    """What can be told before its facts are read."""
    return all(
        asked is None or asked == is_so
        for asked, is_so in (
            (wanted.status, one.status),
            (wanted.seat, one.ruled.seat),
            (wanted.kind, one.ruled.declared["kind"]),
        )
    )


def _fits(document: Json, wanted: Wanted) -> bool:
    """By what the viewer sees of it, so that a filter tells nothing that the document does not."""
    return (
        (wanted.scene is None or wanted.scene == document["scene"])
        and (wanted.session is None or wanted.session == document["session"])
        and (wanted.rule is None or any(step["rule"] == wanted.rule for step in document["because"]))
        and (wanted.character is None or _concerns(document, wanted.character))
    )


def _concerns(document: Json, id: str) -> bool:
    """Whether a fact is about the character or moves what it has, or the declaration names it."""
    owner = f"character:{id}"
    accounts = [posting[end] for fact in document["facts"] for posting in fact["postings"] for end in ("from", "to")]
    return (
        any(fact["subject"] == owner for fact in document["facts"])
        or any(account.startswith(f"{owner}/") for account in accounts)
        or any(_names(value, id) for value in document["declared"].values())
    )


def _names(value: Any, id: str) -> bool:
    return value == id or (isinstance(value, list) and id in value)
