"""Rulings, what waits to become one, and lists of them, for one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger.application import Pending, ShownRuling, json_form, rolled_by_ledger
from ledger.events.codec import Codec
from ledger.events.envelope import Event
from ledger.events.records import Given, Ruled, Unsupported
from ledger.rules.kernel.contract import Step
from ledger.rules.kernel.refusals import Refused
from projections.documents.systems import statement
from projections.redaction import Eyes, Json, Sight, fact, kept, told

RETELLING = ("revised", "reruled", "recounted")
#: What of a question follows from an answer to it.
OF_THE_ANSWER = ("ask", "who", "seat", "count", "sides", "slot", "form")


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
        revision=one.revision,
        **_stored_telling(codec, ruled, one.refused, shown.facts, struck=not one.stands),
        by=one.by,
        seat=ruled.seat,
        at=one.at,
        position=one.position,
        session=one.session or None,
        scene=ruled.scene,
        tellings=[
            {
                "revision": revision,
                **_stored_telling(codec, told.ruled, told.refused, facts, struck=True),
                "by": told.by,
                "at": told.at,
            }
            for revision, (told, facts) in enumerate(zip(one.earlier, shown.earlier, strict=True))
        ],
        decisions=[
            kept(
                made.audience,
                decision=made.decision,
                by=made.by,
                at=made.at,
                reason=made.reason,
                settle=made.settle,
                also=list(made.also),
                revision=made.revision,
                code=made.code,
                cause=made.cause,
                status=made.status,
            )
            for made in one.decisions
        ],
        waited_as=ruled.waited_as,
    )


def _stored_telling(
    codec: Codec, ruled: Ruled, refused: Unsupported | None, facts: Iterable[Event], *, struck: bool
) -> Json:
    """What one telling says: what was declared and answered, what became true and why, under which readings."""
    lost = {"rule": refused.rule, "code": refused.code, "context": refused.context} if refused is not None else None
    return {
        "declared": ruled.declared,
        "answers": stored_answers(ruled.answers),
        "facts": [_stored_fact(codec, event, struck=struck) for event in facts],
        "because": [kept(step.audience, rule=step.rule, given=step.given, out=step.out) for step in ruled.because],
        "refusal": kept(refused.audience, **lost) if refused is not None and lost is not None else None,
        "edition": ruled.edition,
        "dials": ruled.dials,
    }


def _stored_fact(codec: Codec, event: Event, *, struck: bool) -> Json:
    body = event.body
    told = fact(codec, _subject(event), body.fact, body.postings)
    return kept(body.audience, step=body.step, **told, struck=struck)


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
    *earlier, standing = _seen_tellings(eyes, ruling)
    made = _made(standing["facts"])
    decisions = _seen_decisions(eyes, ruling)
    revision = sum(one["decision"] in RETELLING for one in decisions)
    return {
        "number": ruling["number"],
        "status": seen_status(eyes, ruling),
        "version": ruling["version"] - len(ruling["decisions"]) + len(decisions),
        "revision": revision,
        "by": eyes.person(ruling["seat"]),
        "at": ruling["at"],
        "session": made.get("session") or ruling["session"],
        "scene": made.get("scene") or ruling["scene"],
        "character": made.get("character"),
        **standing,
        "tellings": [
            {**told, "revision": one["revision"], "by": eyes.person(one["by"]), "at": one["at"]}
            for told, one in list(zip(earlier, ruling["tellings"], strict=True))[:revision]
        ],
        "decisions": decisions,
        "leaning": list(leaning) if leaning is not None else None,
        "waited_as": ruling["waited_as"],
    }


def as_decided(ruling: Json, decisions: int) -> Json:
    """A stored ruling after its first so many decisions, as far as its gist goes."""
    kept = ruling["decisions"][:decisions]
    told = [*ruling["tellings"], ruling][sum(one["decision"] in RETELLING for one in kept)]
    return {**ruling, "declared": told["declared"], "decisions": kept}


def gist(eyes: Eyes, ruling: Json) -> Json | None:
    """What was declared by whom, and what became of it; nothing of a ruling the viewer may not know."""
    if not eyes.sees(ruling) and eyes.viewer.seat not in (ruling["by"], ruling["seat"]):
        return None
    decisions = [one for one in ruling["decisions"] if eyes.sees(one) and one["decision"] != "witnessed"]
    return {
        "number": ruling["number"],
        "kind": ruling["declared"]["kind"],
        "by": eyes.person(ruling["seat"]),
        "status": seen_status(eyes, ruling),
        "reason": decisions[-1]["reason"] if decisions else None,
    }


def seen_status(eyes: Eyes, ruling: Json) -> str:
    """After the last decision that the viewer may know of."""
    return next((str(one["status"]) for one in reversed(ruling["decisions"]) if eyes.sees(one)), "standing")


def _seen_decisions(eyes: Eyes, ruling: Json) -> list[Json]:
    """Those the viewer may know of, with the tellings numbered as if there were no others."""
    seen, revision = [], 0
    for one in filter(eyes.sees, ruling["decisions"]):
        revision += one["decision"] in RETELLING
        shown = {name: value for name, value in told(one).items() if name != "status"}
        stands = None if one["revision"] is None else revision
        seen.append({**shown, "by": eyes.person(one["by"]), "revision": stands})
    return seen


def said_by(ruling: Json) -> list[str]:
    """The seat that said each telling of a stored ruling: what is ruled or counted again, nobody says anew."""
    said: list[str] = [ruling["seat"]]
    for one in ruling["decisions"]:
        if one["decision"] in RETELLING:
            said.append(one["by"] if one["decision"] == "revised" else said[-1])
    return said


def _seen_tellings(eyes: Eyes, ruling: Json) -> Iterator[Json]:
    """Each telling, the one that stands last. One that records nothing is as secret as the one before it."""
    telltale: list[Json] = []
    for telling, by in zip((*ruling["tellings"], ruling), said_by(ruling), strict=True):
        telltale = telling["facts"] or telltale
        open_to = by == eyes.viewer.seat or not telltale or any(map(eyes.sees, telltale))
        lost = telling["refusal"] if open_to else None
        yield {
            "declared": eyes.declared(telling["declared"], open_to),
            "answers": seen_answers(eyes, telling["answers"]) if open_to else [],
            "facts": [told(one) for one in telling["facts"] if eyes.sees(one)],
            "because": [_with_statement(one) for one in telling["because"] if eyes.sees(one)] if open_to else [],
            "refusal": _seen_refusal(eyes, lost) if lost is not None else None,
            "edition": telling["edition"],
            "dials": telling["dials"],
        }


def _seen_refusal(eyes: Eyes, lost: Json) -> Json:
    context = lost["context"] if eyes.sees(lost) else {}
    return {"code": lost["code"], "rule": lost["rule"], "statement": statement(lost["rule"]), "context": context}


def seen_answers(eyes: Eyes, answers: Iterable[Json]) -> list[Json]:
    """What somebody said they know, though not all that it was said to; what the ledger rolled they may see or not."""
    seen = []
    for one in answers:
        if eyes.sees(one):
            seen.append({**told(one), "by": eyes.person(one["by"])})
        elif one["by"] == eyes.viewer.seat and not rolled_by_ledger(one["answer"]):
            seen.append({**told(one), "question": _bare(one["question"]), "by": eyes.person(one["by"])})
    return seen


def _bare(question: Json) -> Json:
    """A question that was heard by nobody who answered it, as far as the answer tells it: not the cards of a deck."""
    purpose = question["purpose"] if question.get("form") else ""
    return {**{name: question[name] for name in OF_THE_ANSWER if name in question}, "purpose": purpose}


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
        _with_statement({"rule": one.rule, "given": json_form.plain(one.given), "out": json_form.plain(one.out)})
        for one in steps
        if sight.may_see(one.audience)
    ]


def refusal(refused: Refused, *, seen: bool) -> Json:
    """Why the rules say no. `seen`: whether the viewer may see the numbers and names involved."""
    return {
        "code": refused.code,
        "rule": refused.rule,
        "statement": statement(refused.rule),
        "context": json_form.plain(refused.context) if seen else {},
    }


# --- what waits ---------------------------------------------------------------------------------------------------


def waiting(sight: Sight, pending: Pending) -> Json:
    """What waits, or waited. Its declaration is as secret as its question."""
    question = sight.question(pending.question, pending.seat)
    seen = pending.seat == sight.viewer.seat or question is not None or pending.question is None
    return {
        "id": pending.id,
        "status": pending.status,
        "version": pending.version_for(sight.viewer),
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
