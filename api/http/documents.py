"""What answers say of rulings and what follows from them: the shape of each document, with an example.

`projections` makes the documents; the API's description shows these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

Status: TypeAlias = Literal["standing", "disputed", "upheld", "overturned", "revised"]
Standpoint: TypeAlias = Literal["stands", "changes", "loses support", "needs dice", "rests on what is hidden from you"]
Role: TypeAlias = Literal["gm", "player", "observer"]
AT = "2026-03-01T19:30:00.000000Z"


class Told(BaseModel):
    model_config = ConfigDict(extra="forbid")


def like(**example: Any) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


def examples_of(model: type[BaseModel]) -> Iterator[tuple[str, list[Any]]]:
    """By name, of all models made from this one. FastAPI leaves nulls out of examples, which then fit no more."""
    for made in model.__subclasses__():
        if "examples" in (schema := made.model_json_schema()):
            yield made.__name__, schema["examples"]
        yield from examples_of(made)


class Person(Told):
    """A seat with its name."""

    seat: str
    name: str


# --- rulings ---


class Posting(BaseModel):
    """What a fact moves."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "properties": {
                "from": {"type": "string"},
                "to": {"type": "string"},
                "unit": {"type": "string"},
                "amount": {"type": "integer"},
            },
            "required": ["from", "to", "unit", "amount"],
            "examples": [{"from": "bank/coin", "to": "character:1/coin", "unit": "coin", "amount": 5}],
        },
    )


class Proposed(Told):
    """A fact of a verdict: what would become true of the subject."""

    step: int
    subject: str
    kind: str
    version: int
    fact: dict[str, Any]
    postings: list[Posting]


class Fact(Proposed):
    """What became true. `struck`: it counts no longer."""

    struck: bool


class Step(Told):
    """A step of the derivation: the rule in one sentence, what went in, what came out."""

    rule: str
    statement: str
    given: dict[str, Any]
    out: Any


class Question(BaseModel):
    """What is asked, with what it takes to answer. `asked`: whose answer it is.

    `slot`: what it is asked for within its ruling, in the rules' own word. With whom it asks and the sides of a die it
    tells whose an answer is when the ruling is told again; rulings from before there were slots have none.
    """

    model_config = ConfigDict(extra="allow")
    ask: Literal["roll", "draw", "shuffle", "flip", "choice"]
    purpose: str
    slot: str | None = None


class Asked(Question):
    asked: Person | None


class Given(Told):
    """An answer. `set_aside`: it did not fit any more when its turn came."""

    question: Question
    answer: dict[str, Any]
    by: Person
    at: str
    set_aside: bool


class Decree(Told):
    """A decision about the ruling. `also`: rulings overturned with it. `revision`: the telling that stands after it.

    `code`: of a revision, a typo or a wrong judgement. `cause`: the ruling because of which this one was ruled again;
    or recounted: what it decided stays, and what follows from that (levels lost, posted) was worked out anew.
    """

    decision: Literal["disputed", "upheld", "overturned", "reinstated", "revised", "reruled", "recounted", "witnessed"]
    by: Person
    at: str
    reason: str
    settle: Literal["flag", "rerule"] | None
    also: list[int]
    revision: int | None
    code: Literal["entry", "ruling"] | None
    cause: int | None


class Refusal(Told):
    """Why the rules say no."""

    code: str
    rule: str
    statement: str
    context: dict[str, Any]


class Telling(Told):
    """What was declared and answered, what became true and why, under which readings. By whom it was told, when.

    `refusal`: it was ruled again, found no support then, and records nothing.
    """

    revision: int
    by: Person
    at: str
    declared: dict[str, Any]
    answers: list[Given]
    facts: list[Fact]
    because: list[Step]
    refusal: Refusal | None
    edition: int
    dials: dict[str, Any]


RULING: dict[str, Any] = {
    "number": 7,
    "status": "standing",
    "version": 1,
    "declared": {"kind": "hit", "char": "1", "target": "2"},
    "by": {"seat": "s2", "name": "Ben"},
    "at": AT,
    "session": "3",
    "scene": None,
    "character": None,
    "answers": [
        {
            "question": {
                "ask": "roll",
                "who": "character:1",
                "count": 1,
                "sides": 6,
                "purpose": "to hit",
                "slot": "hit",
            },
            "answer": {"dice": {"sides": 6, "faces": [4], "source": "table"}},
            "by": {"seat": "s2", "name": "Ben"},
            "at": AT,
            "set_aside": False,
        }
    ],
    "facts": [
        {
            "step": 0,
            "subject": "character:2",
            "kind": "system.hurt",
            "version": 1,
            "fact": {"amount": 4},
            "postings": [],
            "struck": False,
        }
    ],
    "because": [{"rule": "system.hit", "statement": "A hit does what the die shows.", "given": {"die": 6}, "out": 4}],
    "refusal": None,
    "edition": 1,
    "dials": {},
    "revision": 0,
    "tellings": [],
    "decisions": [],
    "leaning": [],
    "waited_as": None,
}


class Ruling(Told):
    """A ruling, in the telling that stands. `character`, `scene`, `session`: also those it brought into being.

    `revision`: which telling that is (0: as first ruled); `tellings`: those it replaced, in order. `refusal`: it was
    ruled again, found no support then, and records nothing. `leaning`: later rulings that would not come out the same
    without it; null where it was not worked out.
    """

    model_config = like(**RULING)
    number: int
    status: Status
    version: int
    declared: dict[str, Any]
    by: Person
    at: str
    session: str | None
    scene: str | None
    character: str | None
    answers: list[Given]
    facts: list[Fact]
    because: list[Step]
    refusal: Refusal | None
    edition: int
    dials: dict[str, Any]
    revision: int
    tellings: list[Telling]
    decisions: list[Decree]
    leaning: list[int] | None
    waited_as: str | None


class Rulings(Told):
    """A page of rulings, in order. More of them: the `Link` header with rel=next."""

    model_config = like(rulings=[RULING])
    rulings: list[Ruling]


WAITING: dict[str, Any] = {
    "id": "w9",
    "status": "waiting",
    "version": 1,
    "declared": {"kind": "hit", "char": "1", "target": "2"},
    "by": {"seat": "s2", "name": "Ben"},
    "at": AT,
    "scene": None,
    "dice": "ledger",
    "question": {
        "ask": "choice",
        "seat": "s3",
        "choices": [{"kind": "dodge", "fields": []}, {"kind": "stand", "fields": []}],
        "purpose": "",
        "slot": "dodge",
        "asked": {"seat": "s3", "name": "Cleo"},
    },
    "answers": [],
    "ruling": None,
    "reason": None,
}


class Waiting(Told):
    """What was declared and waits for an answer; the ruling it became; or the reason it was withdrawn."""

    model_config = like(**WAITING)
    id: str
    status: Literal["waiting", "withdrawn", "standing"]
    version: int
    declared: dict[str, Any]
    by: Person
    at: str
    scene: str | None
    dice: Literal["ledger", "table"]
    question: Asked | None
    answers: list[Given]
    ruling: int | None
    reason: str | None


class AllWaiting(Told):
    model_config = like(waiting=[WAITING])
    waiting: list[Waiting]


# --- what would be different ---


class Outcome(Told):
    """How a ruling comes out: facts and derivation, or a refusal, or a question nobody has answered."""

    facts: list[Proposed] | None
    because: list[Step] | None
    refusal: Refusal | None
    question: Asked | None


class Row(Told):
    """A later ruling (or the revised one) beside itself. `now` and `then` only where they differ.

    One that `rests on what is hidden from you` is told alike, however it comes out: without `now` and `then`.
    `reruled`: it takes what it comes out as `then`. `older_edition`: it was ruled under an earlier edition of the
    rules, and is never ruled again unasked.
    """

    number: int
    standpoint: Standpoint
    older_edition: bool
    reruled: bool
    now: Outcome | None
    then: Outcome | None


class Field(Told):
    """`field`: a path into what is shown of the subject: `state/...`, `card/...`, `balances/...`."""

    field: str
    before: Any
    after: Any


class Changed(Told):
    subject: str
    name: str
    fields: list[Field]


class Finding(Told):
    """What somebody must settle. `cause`: the ruling whose overturning (or return) raised it."""

    model_config = like(
        id="14-1", kind="loses support", cause=5, ruling=7, subject=None, name=None, account=None, detail="",
        settled=None, reason=None,
    )  # fmt: skip
    id: str
    kind: Literal["changes", "loses support", "needs dice", "overdrawn", "adrift"]
    cause: int
    ruling: int | None
    subject: str | None
    name: str | None
    account: str | None
    detail: str
    settled: str | None
    reason: str | None


class Findings(Told):
    model_config = like(findings=[])
    findings: list[Finding]


COMPARISON: dict[str, Any] = {
    "without": [5],
    "restored": [],
    "revised": [],
    "dials": {},
    "rulings": [
        {"number": 6, "standpoint": "stands", "older_edition": False, "reruled": False, "now": None, "then": None},
    ],
    "counts": {
        "stands": 1,
        "changes": 0,
        "loses support": 0,
        "needs dice": 0,
        "rests on what is hidden from you": 0,
    },
    "subjects": [
        {"subject": "character:2", "name": "Cleo", "fields": [{"field": "state/harm", "before": 4, "after": 0}]}
    ],
    "findings": [],
}


class Comparison(Told):
    """The campaign as it stands beside itself: without some rulings, or with them again, or with one revised.

    `dials`: as if it had been played with these from the start.
    """

    model_config = like(**COMPARISON)
    without: list[int]
    restored: list[int]
    revised: list[int]
    dials: dict[str, Any]
    rulings: list[Row]
    counts: dict[Standpoint, int]
    subjects: list[Changed]
    findings: list[Finding]


class Decided(Ruling):
    """The ruling after the decision, and what that changed."""

    model_config = like(**RULING, changed=None)
    changed: Comparison | None
