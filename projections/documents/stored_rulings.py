"""A ruling as a view keeps it: complete, with the audience of each secret piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NotRequired, TypeAlias

from ledger.application import ShownRuling, Status, json_form
from ledger.events import records
from ledger.events.codec import plain
from ledger.events.envelope import Body, Event
from ledger.events.records import Code, Decision, Settle
from ledger.rules.kernel.places import name_place
from projections.redaction import Json, MadeFact, Secret, add_audience, drop_audience
from projections.wording import Wording

MakeFact: TypeAlias = Callable[[str, Body[Any]], MadeFact]
#: Decisions that change the standing revision.
REVISING: tuple[Decision, ...] = ("revised", "reruled", "recounted")


class StoredAnswer(Secret):
    """An answer. Its audience is also the audience of `question`. `whose`: the owner of the dice, or empty if there is
    none.

    Names are left open in every text of this module.
    """

    question: Json
    answer: Json
    by: str
    at: str
    set_aside: bool
    whose: str
    text: str


class StoredFact(MadeFact, Secret):
    """A fact. `weight`: its rank among facts that can sum up the ruling."""

    step: int
    weight: int | None
    struck: bool


class StoredStep(Secret):
    """A step of a derivation. `text`: empty if the rule's statement is used instead."""

    rule: str
    given: Json
    out: object
    text: str


class StoredRefusal(Secret):
    """A refusal. `text`: empty if the game has no sentence for it."""

    rule: str
    code: str
    context: Json
    text: str


class StoredVerdict(Secret):
    """The declaration, the answers, the facts, the steps that led to them, and the options in force. `text`: the
    declaration in a sentence.
    """

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
    """A decision. `status`: the ruling's status after it."""

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
    through: NotRequired[int]


class StoredRuling(StoredVerdict):
    """A complete ruling. `by`: the seat that recorded it. `seat`: the seat that declared it. `tellings`: the earlier
    revisions.

    `after`, `place`: for a ruling entered late, the ruling that it follows in play, and its place (`12a`).
    """

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
    follows: int | None
    after: NotRequired[int]
    place: NotRequired[str]


def parse_stored_ruling(document: str | bytes) -> StoredRuling:
    """Parse a stored ruling."""
    ruling: StoredRuling = plain(document if isinstance(document, bytes) else document.encode())
    return ruling


def restore_as_made(ruling: StoredRuling) -> StoredRuling:
    """Return the ruling before any decision about it."""
    revisions: list[StoredVerdict] = [*ruling["tellings"], ruling]
    first_verdict = revisions[0]
    facts: list[StoredFact] = [{**fact, "struck": False} for fact in first_verdict["facts"]]
    as_made: StoredRuling = {
        **ruling,
        "status": "standing",
        "version": 1,
        "revision": 0,
        "tellings": [],
        "decisions": [],
        "text": first_verdict["text"],
        "declared": first_verdict["declared"],
        "answers": first_verdict["answers"],
        "facts": facts,
        "because": first_verdict["because"],
        "refusal": first_verdict["refusal"],
        "edition": first_verdict["edition"],
        "dials": first_verdict["dials"],
    }
    return as_made


def list_texts(ruling: StoredRuling) -> Iterator[str]:
    """Yield those texts of the ruling that leave names open."""
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


def make_stored_ruling(make_fact: MakeFact, wording: Wording, shown_ruling: ShownRuling) -> StoredRuling:
    """Return the complete ruling. `make_fact`: a function that returns the document of a fact."""
    ruling, record = shown_ruling.ruling, shown_ruling.ruling.ruled
    document: StoredRuling = {
        "number": ruling.number,
        "status": ruling.status,
        "version": ruling.version,
        "revision": ruling.revision,
        **_make_verdict(  # type: ignore[typeddict-item]  # it has no `after`
            make_fact,
            wording,
            record,
            ruling.refused,
            shown_ruling.events,
            is_struck=not ruling.stands,
            declaration=shown_ruling.declared,
        ),
        "by": ruling.by,
        "seat": record.seat,
        "at": ruling.at,
        "position": ruling.position,
        "session": ruling.session or None,
        "scene": record.scene,
        "tellings": [
            {
                "revision": revision,
                **_make_verdict(make_fact, wording, telling.ruled, telling.refused, events, is_struck=True),
                "by": telling.by,
                "at": telling.at,
            }
            for revision, (telling, events) in enumerate(zip(ruling.earlier, shown_ruling.earlier, strict=True))
        ],
        "decisions": _make_decisions(shown_ruling),
        "waited_as": record.waited_as,
        "follows": record.follows,
    }
    if record.after:
        document["after"] = record.after
        document["place"] = name_place(ruling.number, record.after, record.ordinal)
    return add_audience(document, ruling.audience)


def _make_decisions(shown_ruling: ShownRuling) -> list[StoredDecision]:
    decisions: list[StoredDecision] = []
    for decree in shown_ruling.ruling.decisions:
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
        if decree.through is not None:
            decision["through"] = decree.through
        decisions.append(add_audience(decision, decree.audience))
    return decisions


def _make_verdict(
    make_fact: MakeFact,
    wording: Wording,
    record: records.Ruled,
    refusal: records.Unsupported | None,
    events: Iterable[Event],
    *,
    is_struck: bool,
    declaration: object = None,
) -> StoredVerdict:
    return {
        "text": wording.word_input(declaration)
        if declaration is not None
        else wording.word_stored_declaration(record.declared, record.edition),
        "declared": record.declared,
        "answers": make_stored_answers(wording, record.answers, record.edition),
        "facts": [_make_fact(make_fact, wording, event, is_struck=is_struck) for event in events],
        "because": [_make_step(wording, step) for step in record.because],
        "refusal": _make_refusal(wording, refusal) if refusal is not None else None,
        "edition": record.edition,
        "dials": record.dials,
    }


def _make_fact(make_fact: MakeFact, wording: Wording, event: Event, *, is_struck: bool) -> StoredFact:
    body = event.body
    fact_document = make_fact(read_subject(event), body)
    stored_fact: StoredFact = {
        "step": body.step,
        "subject": fact_document["subject"],
        "kind": fact_document["kind"],
        "version": fact_document["version"],
        "fact": fact_document["fact"],
        "postings": fact_document["postings"],
        "text": fact_document["text"],
        "struck": is_struck,
        "weight": wording.weigh(body.fact),
    }
    return add_audience(stored_fact, body.audience)


def read_subject(event: Event) -> str:
    """Return the event's subject, such as `character:12`."""
    _, kind, id = event.originator_id.split("/", 2)
    return kind if kind == "campaign" else f"{kind}:{id}"


def _make_step(wording: Wording, step: records.Reason) -> StoredStep:
    sentence = wording.word_step(step.rule, step.given, step.out)
    stored_step: StoredStep = {"rule": step.rule, "given": step.given, "out": step.out, "text": sentence or ""}
    return add_audience(stored_step, step.audience)


def _make_refusal(wording: Wording, refusal: records.Unsupported) -> StoredRefusal:
    sentence = wording.word_refusal(refusal.rule, refusal.code, refusal.context)
    stored_refusal: StoredRefusal = {
        "rule": refusal.rule,
        "code": refusal.code,
        "context": refusal.context,
        "text": sentence or "",
    }
    return add_audience(stored_refusal, refusal.audience)


def make_stored_answers(
    wording: Wording, answers: Iterable[records.Given], edition: int | None = None
) -> list[StoredAnswer]:
    """Return the answers as they are stored. `edition`: the edition of the rules at that time."""
    return [_make_stored_answer(wording, answer, edition) for answer in answers]


def _make_stored_answer(wording: Wording, answer: records.Given, edition: int | None) -> StoredAnswer:
    stored_answer: StoredAnswer = {
        "question": {**drop_audience(answer.question), "text": wording.word_question(answer.question)},
        "answer": answer.answer,
        "by": answer.by,
        "at": answer.at,
        "set_aside": answer.set_aside,
        "whose": wording.name_roller(answer.question),
        "text": wording.word_answer(answer.question, answer.answer, edition),
    }
    return add_audience(stored_answer, answer.audience)
