"""Rulings, what waits to become one, and lists of them, for one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.application import Pending, Ruling, ShownRuling, wire, with_facts
from ledger.events.codec import Codec
from ledger.events.envelope import Event
from ledger.events.records import Given
from ledger.rules.contract import Refused, Step
from projections.exit import Eyes, Json, Sight, fact, kept, told
from projections.systems import statement

CHUNK = 200  # rulings read at a time when a list is searched


def ruling(sight: Sight, shown: ShownRuling, leaning: Sequence[int] | None = None) -> Json:
    """A ruling. `leaning`: None where it is not worked out."""
    return seen(sight, stored(sight.book.codec, shown), leaning)


def stored(codec: Codec, shown: ShownRuling) -> Json:
    """All there is to a ruling, as a view keeps it: each piece with its audience, if it has one."""
    one, ruled = shown.ruling, shown.ruling.ruled
    return kept(
        one.audience,
        number=one.number,
        status=one.status,
        version=one.version,
        declared=ruled.declared,
        by=one.by,
        seat=ruled.seat,
        at=one.at,
        position=one.position,
        session=one.session or None,
        scene=ruled.scene,
        answers=stored_answers(ruled.answers),
        facts=[_stored_fact(codec, one, event) for event in shown.facts],
        because=[kept(step.audience, rule=step.rule, given=step.given, out=step.out) for step in ruled.because],
        edition=ruled.edition,
        dials=ruled.dials,
        decisions=[
            {"decision": made.decision, "by": made.by, "at": made.at, "reason": made.reason, "also": list(made.also)}
            for made in one.decisions
        ],
        waited_as=ruled.waited_as,
    )


def _stored_fact(codec: Codec, one: Ruling, event: Event) -> Json:
    body = event.body
    struck = not one.stands or body.revision != one.revision
    return kept(body.audience, step=body.step, **fact(codec, _subject(event), body.fact, body.postings), struck=struck)


def stored_answers(answers: Iterable[Given]) -> list[Json]:
    """Each with its question, who gave it and when; those set aside are marked."""
    return [
        kept(
            one.audience, question=told(one.question), answer=one.answer, by=one.by, at=one.at, set_aside=one.set_aside
        )
        for one in answers
    ]


def seen(eyes: Eyes, ruling: Json, leaning: Sequence[int] | None = None) -> Json:
    """A stored ruling as the viewer may see it. A scene or session it opened is the one it belongs to."""
    facts = [told(one) for one in ruling["facts"] if eyes.sees(one)]
    made = _made(facts)
    open_to = bool(facts) or not ruling["facts"] or ruling["seat"] == eyes.viewer.seat
    return {
        "number": ruling["number"],
        "status": ruling["status"],
        "version": ruling["version"],
        "declared": eyes.declared(ruling["declared"], open_to),
        "by": eyes.person(ruling["seat"]),
        "at": ruling["at"],
        "session": made.get("session") or ruling["session"],
        "scene": made.get("scene") or ruling["scene"],
        "character": made.get("character"),
        "answers": seen_answers(eyes, ruling["answers"]) if open_to else [],
        "facts": facts,
        "because": [_with_statement(one) for one in ruling["because"] if eyes.sees(one)] if open_to else [],
        "edition": ruling["edition"],
        "dials": ruling["dials"],
        "decisions": [{**one, "by": eyes.person(one["by"])} for one in ruling["decisions"]],
        "leaning": list(leaning) if leaning is not None else None,
        "waited_as": ruling["waited_as"],
    }


def seen_answers(eyes: Eyes, answers: Iterable[Json]) -> list[Json]:
    return [
        {**told(one), "by": eyes.person(one["by"])}
        for one in answers
        if one["by"] == eyes.viewer.seat or eyes.sees(one)
    ]


def _with_statement(step: Json) -> Json:
    """A step of a derivation, with the sentence of its rule."""
    return {"rule": step["rule"], "statement": statement(step["rule"]), "given": step["given"], "out": step["out"]}


def _subject(event: Event) -> str:
    """`character:12` from the stream's name."""
    _, kind, id = event.originator_id.split("/", 2)
    return kind if kind == "campaign" else f"{kind}:{id}"


#: The facts that bring a character, scene or session into being.
MAKING = {"ledger.character-enrolled": "character", "ledger.scene-opened": "scene", "ledger.session-opened": "session"}


def _made(facts: Iterable[Json]) -> dict[str, str]:
    """The ids of the character, scene or session that the ruling brought into being, as far as they are seen."""
    return {
        made: fact["fact"]["session"] if made == "session" else fact["subject"].partition(":")[2]
        for fact in facts
        if (made := MAKING.get(fact["kind"])) is not None
    }


def because(sight: Sight, steps: Iterable[Step]) -> list[Json]:
    """The derivation of what is not recorded."""
    return [
        _with_statement({"rule": one.rule, "given": wire.plain(one.given), "out": wire.plain(one.out)})
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
        "answers": seen_answers(sight, stored_answers(pending.answers)),
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
