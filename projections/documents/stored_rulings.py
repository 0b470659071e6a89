"""A ruling as a view keeps it: complete, each piece with its audience, if it has one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from ledger.application import ShownRuling, Status, json_form
from ledger.events import records
from ledger.events.codec import plain
from ledger.events.envelope import Body, Event
from ledger.events.records import Code, Decision, Settle
from projections.redaction import Json, MadeFact, Secret, add_audience, drop_audience
from projections.wording import Wording

MakeFact: TypeAlias = Callable[[str, Body[Any]], MadeFact]
#: Decisions that change which revision stands.
REVISING: tuple[Decision, ...] = ("revised", "reruled", "recounted")


class StoredAnswer(Secret):
    """`question`: without its audience, which is the answer's. `text`: with names left open, like all texts here.

    `whose`: the name of the owner of the dice, left open, too; empty if they have none.
    """

    question: Json
    answer: Json
    by: str
    at: str
    set_aside: bool
    whose: str
    text: str


class StoredFact(MadeFact, Secret):
    """`weight`: the rank of a fact that can stand for the whole ruling."""

    step: int
    weight: int | None
    struck: bool


class StoredStep(Secret):
    """`text`: empty if the rule's statement stands for it."""

    rule: str
    given: Json
    out: object
    text: str


class StoredRefusal(Secret):
    """`text`: empty if the game has no sentence for it."""

    rule: str
    code: str
    context: Json
    text: str


class StoredVerdict(Secret):
    """The declaration and answers, the facts and why, under which options. `text`: of the declaration."""

    text: str
    declared: Json
    answers: list[StoredAnswer]
    facts: list[StoredFact]
    because: list[StoredStep]
    refusal: StoredRefusal | None
    edition: int
    dials: Json


class StoredRevision(StoredVerdict):
    """An earlier revision."""

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
    consent: Json | None


class StoredRuling(StoredVerdict):
    """`by`: the seat that recorded it; `seat`: the one that declared it. `tellings`: the earlier revisions."""

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


def parse_stored_ruling(document: str | bytes) -> StoredRuling:
    """Return a stored ruling from its text."""
    ruling: StoredRuling = plain(document if isinstance(document, bytes) else document.encode())
    return ruling


def restore_as_made(ruling: StoredRuling) -> StoredRuling:
    """Return the ruling before any decision about it."""
    revisions: list[StoredVerdict] = [*ruling["tellings"], ruling]
    first = revisions[0]
    facts: list[StoredFact] = [{**fact, "struck": False} for fact in first["facts"]]
    return {
        **ruling,
        "status": "standing",
        "version": 1,
        "revision": 0,
        "tellings": [],
        "decisions": [],
        "text": first["text"],
        "declared": first["declared"],
        "answers": first["answers"],
        "facts": facts,
        "because": first["because"],
        "refusal": first["refusal"],
        "edition": first["edition"],
        "dials": first["dials"],
    }


def list_texts(ruling: StoredRuling) -> Iterator[str]:
    """Yield every sentence of ours in it."""
    revisions: list[StoredVerdict] = [ruling, *ruling["tellings"]]
    for revision in revisions:
        yield revision["text"]
        for answer in revision["answers"]:
            yield answer["text"]
            yield answer["whose"]
            yield str(answer["question"]["text"])
        yield from (step["text"] for step in revision["because"])
        yield from (fact["text"] for fact in revision["facts"])
        if revision["refusal"] is not None:
            yield revision["refusal"]["text"]


def make_stored_ruling(make_fact: MakeFact, wording: Wording, shown: ShownRuling) -> StoredRuling:
    """Return the complete ruling. `make_fact`: puts a fact about a subject in a sentence."""
    ruling, ruled = shown.ruling, shown.ruling.ruled
    document: StoredRuling = {
        "number": ruling.number,
        "status": ruling.status,
        "version": ruling.version,
        "revision": ruling.revision,
        **_make_verdict(
            make_fact, wording, ruled, ruling.refused, shown.facts, struck=not ruling.stands, declared=shown.declared
        ),
        "by": ruling.by,
        "seat": ruled.seat,
        "at": ruling.at,
        "position": ruling.position,
        "session": ruling.session or None,
        "scene": ruled.scene,
        "tellings": [
            {
                "revision": revision,
                **_make_verdict(make_fact, wording, telling.ruled, telling.refused, facts, struck=True),
                "by": telling.by,
                "at": telling.at,
            }
            for revision, (telling, facts) in enumerate(zip(ruling.earlier, shown.earlier, strict=True))
        ],
        "decisions": _make_decisions(shown),
        "waited_as": ruled.waited_as,
    }
    return add_audience(document, ruling.audience)


def _make_decisions(shown: ShownRuling) -> list[StoredDecision]:
    decisions: list[StoredDecision] = []
    for decree in shown.ruling.decisions:
        decision: StoredDecision = {
            "decision": decree.decision,
            "by": decree.by,
            "at": decree.at,
            "reason": decree.reason,
            "settle": decree.settle,
            "also": list(decree.also),
            "revision": decree.revision,
            "code": decree.code,
            "cause": decree.cause,
            "status": decree.status,
            "consent": json_form.to_json(decree.consent),
        }
        decisions.append(add_audience(decision, decree.audience))
    return decisions


def _make_verdict(
    make_fact: MakeFact,
    wording: Wording,
    ruled: records.Ruled,
    refused: records.Unsupported | None,
    facts: Iterable[Event],
    *,
    struck: bool,
    declared: object = None,
) -> StoredVerdict:
    return {
        "text": wording.word_input(declared)
        if declared is not None
        else wording.word_stored_declaration(ruled.declared, ruled.edition),
        "declared": ruled.declared,
        "answers": make_stored_answers(wording, ruled.answers, ruled.edition),
        "facts": [_make_fact(make_fact, wording, event, struck=struck) for event in facts],
        "because": [_make_step(wording, step) for step in ruled.because],
        "refusal": _make_refusal(wording, refused) if refused is not None else None,
        "edition": ruled.edition,
        "dials": ruled.dials,
    }


def _make_fact(make_fact: MakeFact, wording: Wording, event: Event, *, struck: bool) -> StoredFact:
    body = event.body
    fact_document = make_fact(read_subject(event), body)
    piece: StoredFact = {
        "step": body.step,
        "subject": fact_document["subject"],
        "kind": fact_document["kind"],
        "version": fact_document["version"],
        "fact": fact_document["fact"],
        "postings": fact_document["postings"],
        "text": fact_document["text"],
        "struck": struck,
        "weight": wording.weigh(body.fact),
    }
    return add_audience(piece, body.audience)


def read_subject(event: Event) -> str:
    """Return `character:12` from the stream's name."""
    _, kind, id = event.originator_id.split("/", 2)
    return kind if kind == "campaign" else f"{kind}:{id}"


def _make_step(wording: Wording, step: records.Reason) -> StoredStep:
    sentence = wording.word_step(step.rule, step.given, step.out)
    piece: StoredStep = {"rule": step.rule, "given": step.given, "out": step.out, "text": sentence or ""}
    return add_audience(piece, step.audience)


def _make_refusal(wording: Wording, refused: records.Unsupported) -> StoredRefusal:
    sentence = wording.word_refusal(refused.rule, refused.code, refused.context)
    piece: StoredRefusal = {
        "rule": refused.rule,
        "code": refused.code,
        "context": refused.context,
        "text": sentence or "",
    }
    return add_audience(piece, refused.audience)


def make_stored_answers(
    wording: Wording, answers: Iterable[records.Given], edition: int | None = None
) -> list[StoredAnswer]:
    """Return each answer with its question, its seat and its time; those set aside are marked. `edition`: of the rules
    then.
    """
    return [_make_stored_answer(wording, answer, edition) for answer in answers]


def _make_stored_answer(wording: Wording, answer: records.Given, edition: int | None) -> StoredAnswer:
    piece: StoredAnswer = {
        "question": {**drop_audience(answer.question), "text": wording.word_question(answer.question)},
        "answer": answer.answer,
        "by": answer.by,
        "at": answer.at,
        "set_aside": answer.set_aside,
        "whose": wording.name_roller(answer.question),
        "text": wording.word_answer(answer.question, answer.answer, edition),
    }
    return add_audience(piece, answer.audience)
