"""A ruling as a view keeps it: all there is to it, each piece with its audience, if it has one."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.application import ShownRuling, Status
from ledger.events import records
from ledger.events.codec import Codec, plain
from ledger.events.envelope import Event
from ledger.events.records import Code, Decision, Settle
from projections.redaction import Json, MadeFact, Secret, fact, kept, open_fields

#: Decisions after which another revision stands.
REVISING: tuple[Decision, ...] = ("revised", "reruled", "recounted")


class StoredAnswer(Secret):
    """`question`: without its audience, which is the answer's."""

    question: Json
    answer: Json
    by: str
    at: str
    set_aside: bool


class StoredFact(MadeFact, Secret):
    step: int
    struck: bool


class StoredStep(Secret):
    rule: str
    given: Json
    out: object


class StoredRefusal(Secret):
    rule: str
    code: str
    context: Json


class StoredVerdict(Secret):
    """What was declared and answered, what became true and why, under which readings."""

    declared: Json
    answers: list[StoredAnswer]
    facts: list[StoredFact]
    because: list[StoredStep]
    refusal: StoredRefusal | None
    edition: int
    dials: Json


class StoredRevision(StoredVerdict):
    """One that was replaced."""

    revision: int
    by: str
    at: str


class StoredDecision(Secret):
    """`status`: the ruling's after it."""

    decision: Decision
    by: str
    at: str
    reason: str
    settle: Settle | None
    also: list[int]
    revision: int | None
    code: Code | None
    cause: int | None
    status: Status


class StoredRuling(StoredVerdict):
    """`by`: the seat that recorded it; `seat`: the one that declared it. `tellings`: the revisions before this one."""

    number: int
    status: Status
    version: int
    revision: int
    by: str
    seat: str
    at: str
    position: int
    session: str | None
    scene: str | None
    tellings: list[StoredRevision]
    decisions: list[StoredDecision]
    waited_as: str | None


def read(document: str) -> StoredRuling:
    """One that a view keeps."""
    found: StoredRuling = plain(document.encode())
    return found


def stored(codec: Codec, shown: ShownRuling) -> StoredRuling:
    """All there is to a ruling."""
    one, ruled = shown.ruling, shown.ruling.ruled
    document: StoredRuling = {
        "number": one.number,
        "status": one.status,
        "version": one.version,
        "revision": one.revision,
        **_verdict(codec, ruled, one.refused, shown.facts, struck=not one.stands),
        "by": one.by,
        "seat": ruled.seat,
        "at": one.at,
        "position": one.position,
        "session": one.session or None,
        "scene": ruled.scene,
        "tellings": [
            {
                "revision": revision,
                **_verdict(codec, was.ruled, was.refused, facts, struck=True),
                "by": was.by,
                "at": was.at,
            }
            for revision, (was, facts) in enumerate(zip(one.earlier, shown.earlier, strict=True))
        ],
        "decisions": _decisions(shown),
        "waited_as": ruled.waited_as,
    }
    return kept(document, one.audience)


def _decisions(shown: ShownRuling) -> list[StoredDecision]:
    found: list[StoredDecision] = []
    for made in shown.ruling.decisions:
        decision: StoredDecision = {
            "decision": made.decision,
            "by": made.by,
            "at": made.at,
            "reason": made.reason,
            "settle": made.settle,
            "also": list(made.also),
            "revision": made.revision,
            "code": made.code,
            "cause": made.cause,
            "status": made.status,
        }
        found.append(kept(decision, made.audience))
    return found


def _verdict(
    codec: Codec, ruled: records.Ruled, refused: records.Unsupported | None, facts: Iterable[Event], *, struck: bool
) -> StoredVerdict:
    return {
        "declared": ruled.declared,
        "answers": stored_answers(ruled.answers),
        "facts": [_fact(codec, event, struck=struck) for event in facts],
        "because": [_step(step) for step in ruled.because],
        "refusal": _refusal(refused) if refused is not None else None,
        "edition": ruled.edition,
        "dials": ruled.dials,
    }


def _fact(codec: Codec, event: Event, *, struck: bool) -> StoredFact:
    body = event.body
    made = fact(codec, _subject(event), body.fact, body.postings)
    piece: StoredFact = {
        "step": body.step,
        "subject": made["subject"],
        "kind": made["kind"],
        "version": made["version"],
        "fact": made["fact"],
        "postings": made["postings"],
        "struck": struck,
    }
    return kept(piece, body.audience)


def _subject(event: Event) -> str:
    """`character:12` from the stream's name."""
    _, kind, id = event.originator_id.split("/", 2)
    return kind if kind == "campaign" else f"{kind}:{id}"


def _step(step: records.Reason) -> StoredStep:
    piece: StoredStep = {"rule": step.rule, "given": step.given, "out": step.out}
    return kept(piece, step.audience)


def _refusal(refused: records.Unsupported) -> StoredRefusal:
    piece: StoredRefusal = {"rule": refused.rule, "code": refused.code, "context": refused.context}
    return kept(piece, refused.audience)


def stored_answers(answers: Iterable[records.Given]) -> list[StoredAnswer]:
    """Each with its question, who gave it and when; those set aside are marked."""
    return [_answer(one) for one in answers]


def _answer(one: records.Given) -> StoredAnswer:
    piece: StoredAnswer = {
        "question": open_fields(one.question),
        "answer": one.answer,
        "by": one.by,
        "at": one.at,
        "set_aside": one.set_aside,
    }
    return kept(piece, one.audience)
