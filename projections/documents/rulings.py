"""A ruling, for one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NotRequired, cast

from ledger.application import ShownRuling, Status, json_form
from ledger.rules.kernel import contract, sentences
from projections.documents.answers import Given, show_answers
from projections.documents.decisions import Decree, list_decrees
from projections.documents.refusals import Refusal, describe_recorded_refusal
from projections.documents.rolls import ROLL, RollResult, list_rolls
from projections.documents.shape import Document, give_example
from projections.documents.stored_rulings import REVISING, StoredFact, StoredRuling, StoredVerdict, make_stored_ruling
from projections.redaction import Json, Lens, LiveLens, Person, Proposed, Question, make_fact_maker
from projections.wording import find_statement, sum_up

AT = "2026-03-01T19:30:00.000000Z"


class Fact(Proposed):
    """A result of a ruling. `struck`: it no longer counts."""

    struck: bool


class Ended(Document):
    """A waiting question that the declaration cancels. `text`: what was declared, in one sentence."""

    waiting: str
    text: str


class Followed(Document):
    """A step that followed automatically: a ruling, or a declaration that is waiting. `text`: the step in one
    sentence.
    """

    ruling: int | None
    waiting: str | None
    text: str


class Step(Document):
    """A step of the derivation: the rule (`statement`), its inputs (`given`) and its result (`out`). `text`: the step
    in one sentence, with the numbers."""

    rule: str
    statement: str
    given: Json
    out: object
    text: str


class _Verdict(Document):
    text: str
    declared: Json
    answers: list[Given]
    facts: list[Fact]
    rolls: list[RollResult]
    because: list[Step]
    refusal: Refusal | None
    edition: int
    dials: Json


class Telling(_Verdict):
    """A revision of a ruling: its declaration, answers, results, derivation and options, and who made it and when.

    `refusal`: why the ruling has no result, if it was ruled again and is no longer possible.
    """

    revision: int
    by: Person
    at: str


RULING: Ruling = {
    "number": 7,
    "status": "standing",
    "version": 1,
    "text": "Giazza hits Kiro.",
    "declared": {"kind": "hit", "char": "1", "target": "2"},
    "by": {"seat": "s2", "name": "Ben"},
    "at": AT,
    "session": "3",
    "scene": None,
    "character": None,
    "answers": [
        {
            "question": cast(
                Question,
                {
                    "ask": "roll",
                    "who": "character:1",
                    "count": 1,
                    "sides": 6,
                    "purpose": "to hit",
                    "slot": "hit",
                    "text": "Giazza rolls 1d6: to hit.",
                },
            ),
            "answer": {"dice": {"sides": 6, "faces": [4], "source": "table"}},
            "source": "table",
            "whose": {"subject": "character:1", "name": "Giazza"},
            "by": {"seat": "s2", "name": "Ben"},
            "at": AT,
            "set_aside": False,
            "text": "Giazza rolls 4 (to hit).",
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
            "text": "Kiro takes 4 points of harm.",
            "struck": False,
        }
    ],
    "rolls": [ROLL],
    "because": [
        {
            "rule": "system.hit",
            "statement": "A hit does as much harm as the die shows.",
            "given": {"die": 4},
            "out": 4,
            "text": "The die shows 4, so Kiro takes 4 points of harm.",
        }
    ],
    "refusal": None,
    "edition": 1,
    "dials": {},
    "revision": 0,
    "tellings": [],
    "decisions": [],
    "leaning": [],
    "waited_as": None,
}


#: The facts of the example, as they are before they are recorded.
PROPOSED = [
    cast(Proposed, {name: value for name, value in fact.items() if name != "struck"}) for fact in RULING["facts"]
]


@give_example(**RULING)
class Ruling(_Verdict):
    """A ruling in its current revision. `text`: the declaration and its result, in one sentence.

    `character`, `scene`, `session`: what the ruling belongs to, or what it created. `revision`: the number of the
    current revision (0: as first made); `tellings`: the previous revisions, in order. `rolls`: dice and results, as the
    facts report them. `refusal`: why the ruling has no result, if it was ruled again and is no longer possible.
    `leaning`: later rulings that depend on it; null unless you asked for them. `ends`: for a new ruling, the waiting
    questions it cancelled.

    `after`, `place`: if this ruling was entered late, the ruling that it follows in play, and its place (`12a`). Its
    dice were entered together with it.

    `follows`: if this ruling followed automatically, the ruling that began the automatic steps. `followed`: for a new
    ruling, the steps that followed from it.
    """

    number: int
    status: Status
    version: int
    by: Person
    at: str
    session: str | None
    scene: str | None
    character: str | None
    revision: int
    tellings: list[Telling]
    decisions: list[Decree]
    leaning: list[int] | None
    waited_as: str | None
    follows: NotRequired[int]
    after: NotRequired[int]
    place: NotRequired[str]
    ends: NotRequired[list[Ended]]
    followed: NotRequired[list[Followed]]


def describe_ruling(lens: LiveLens, shown_ruling: ShownRuling, dependents: Sequence[int] | None = None) -> Ruling:
    """Return a ruling. `dependents`: the rulings that depend on it, or None if they were not computed."""
    return show_ruling(lens, make_stored_ruling_for_lens(lens, shown_ruling), dependents)


def make_stored_ruling_for_lens(lens: LiveLens, shown_ruling: ShownRuling) -> StoredRuling:
    """Return the complete ruling, as stored."""
    return make_stored_ruling(make_fact_maker(lens.book.codec), lens.wording, shown_ruling)


def show_ruling(lens: Lens, ruling: StoredRuling, dependents: Sequence[int] | None = None) -> Ruling:
    """Return a stored ruling as the viewer may see it."""
    *earlier_verdicts, verdict = _list_visible_verdicts(lens, ruling)
    created_ids = _find_created_ids(verdict["facts"])
    decisions = list_decrees(lens, ruling)
    revision = sum(decision["decision"] in REVISING for decision in decisions)
    document: Ruling = {
        "number": ruling["number"],
        "status": find_status(lens, ruling),
        "version": ruling["version"] - len(ruling["decisions"]) + len(decisions),
        "revision": revision,
        "by": lens.name_person(ruling["seat"]),
        "at": ruling["at"],
        "session": created_ids.get("session") or ruling["session"],
        "scene": created_ids.get("scene") or ruling["scene"],
        "character": created_ids.get("character"),
        **verdict,  # type: ignore[typeddict-item]  # it has no `ends`
        "tellings": [
            {
                **earlier_verdict,
                "revision": telling["revision"],
                "by": lens.name_person(telling["by"]),
                "at": telling["at"],
            }
            for earlier_verdict, telling in list(zip(earlier_verdicts, ruling["tellings"], strict=True))[:revision]
        ],
        "decisions": decisions,
        "leaning": list(dependents) if dependents is not None else None,
        "waited_as": ruling["waited_as"],
    }
    if ruling["follows"] is not None:
        document["follows"] = ruling["follows"]
    if "after" in ruling:
        document["after"], document["place"] = ruling["after"], ruling["place"]
    return document


def find_status(lens: Lens, ruling: StoredRuling) -> Status:
    """Return the status after the last decision that the viewer may know of."""
    return next(
        (decision["status"] for decision in reversed(ruling["decisions"]) if lens.may_see_stored(decision)), "standing"
    )


def list_responsible_seats(ruling: StoredRuling) -> list[str]:
    """Return the seat responsible for each revision of a stored ruling."""
    seats: list[str] = [ruling["seat"]]
    for decision in ruling["decisions"]:
        if decision["decision"] in REVISING:
            seats.append(decision["by"] if decision["decision"] == "revised" else seats[-1])
    return seats


def _list_visible_verdicts(lens: Lens, ruling: StoredRuling) -> Iterator[_Verdict]:
    """Yield the verdict of each revision, as the viewer may see it."""
    for telling, is_declaration_visible in list_revisions(lens, ruling):
        refusal = telling["refusal"] if is_declaration_visible else None
        steps = [step for step in telling["because"] if lens.may_see_stored(step)] if is_declaration_visible else []
        facts = [fact for fact in telling["facts"] if lens.may_see_stored(fact)]
        yield {
            "text": lens.fill_in_names(
                sum_up_ruling(telling["text"], [(fact["weight"], fact["text"]) for fact in facts])
            )
            if is_declaration_visible
            else sentences.HIDDEN_DECLARATION,
            "declared": lens.show_declaration(telling["declared"], is_declaration_visible),
            "answers": show_answers(lens, telling["answers"]) if is_declaration_visible else [],
            "facts": [_make_fact(lens, fact) for fact in facts],
            "rolls": list_rolls(facts),
            "because": [
                _make_step(step["rule"], step["given"], step["out"], lens.fill_in_names(step["text"])) for step in steps
            ],
            "refusal": describe_recorded_refusal(lens, refusal) if refusal is not None else None,
            "edition": telling["edition"],
            "dials": telling["dials"],
        }


def list_revisions(lens: Lens, ruling: StoredRuling) -> Iterator[tuple[StoredVerdict, bool]]:
    """Yield each revision, and whether this viewer may see its declaration. A revision without facts is as secret as
    the one before.
    """
    revealing_facts: list[StoredFact] = []
    revisions: list[StoredVerdict] = [*ruling["tellings"], ruling]
    for revision, responsible_seat in zip(revisions, list_responsible_seats(ruling), strict=True):
        revealing_facts = revision["facts"] or revealing_facts
        yield (
            revision,
            responsible_seat == lens.viewer.seat
            or not revealing_facts
            or any(map(lens.may_see_stored, revealing_facts)),
        )


def sum_up_ruling(declaration_text: str, weighed_texts: Iterable[tuple[int | None, str]]) -> str:
    """Return the declaration and its most important results in a sentence. `weighed_texts`: the rank and text of each
    fact.
    """
    headlines = [(weight, text) for weight, text in weighed_texts if weight is not None]
    least_weight = min((weight for weight, _ in headlines), default=None)
    return sum_up(declaration_text, [text for weight, text in headlines if weight == least_weight])


def _make_fact(lens: Lens, fact: StoredFact) -> Fact:
    return {
        "step": fact["step"],
        "subject": fact["subject"],
        "kind": fact["kind"],
        "version": fact["version"],
        "fact": fact["fact"],
        "postings": fact["postings"],
        "text": lens.fill_in_names(fact["text"]),
        "struck": fact["struck"],
    }


def _make_step(rule: str, given: Json, out: object, text: str) -> Step:
    """Return a step of a derivation, with its rule's statement. `text`: the step in a sentence, or empty if there is
    none.
    """
    statement = find_statement(rule)
    return {"rule": rule, "statement": statement, "given": given, "out": out, "text": text or statement}


#: The facts that create a character, scene or session.
MAKING: Mapping[str, str] = {
    "ledger.character-enrolled": "character",
    "ledger.scene-opened": "scene",
    "ledger.session-opened": "session",
}


def _find_created_ids(facts: Iterable[Fact]) -> dict[str, str]:
    """Return the ids of the character, scene or session that the ruling created, if the viewer may see them."""
    return {
        kind: str(fact["fact"]["session"]) if kind == "session" else fact["subject"].partition(":")[2]
        for fact in facts
        if (kind := MAKING.get(fact["kind"])) is not None
    }


def list_steps(lens: LiveLens, steps: Iterable[contract.Step]) -> list[Step]:
    """Return the derivation of an outcome that is not recorded."""
    wording = lens.wording
    return [
        _make_step(step.rule, given, out, lens.fill_in_names(wording.word_step(step.rule, given, out) or ""))
        for step in steps
        if lens.may_see(step.audience)
        for given, out in [(json_form.to_json(step.given), json_form.to_json(step.out))]
    ]
