"""A ruling, for one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from ledger.application import ShownRuling, Status, json_form
from ledger.rules.kernel import contract, sentences
from ledger.rules.kernel.refusals import Refused
from projections.documents.answers import Given, seen_answers
from projections.documents.decisions import Decree, decrees
from projections.documents.shape import Document, like
from projections.documents.stored_rulings import (
    REVISING,
    StoredFact,
    StoredRefusal,
    StoredRuling,
    StoredVerdict,
    stored,
)
from projections.redaction import Json, Lens, LiveLens, Person, Proposed, Question
from projections.wording import plain_refusal, statement, summary

AT = "2026-03-01T19:30:00.000000Z"


class Fact(Proposed):
    """What became true. `struck`: it counts no longer."""

    struck: bool


class Step(Document):
    """A step of the derivation: the rule in one sentence, what went in, what came out; `text`: with its numbers."""

    rule: str
    statement: str
    given: Json
    out: object
    text: str


class Refusal(Document):
    """Why the rules say no; `text`: about whom and what."""

    code: str
    rule: str
    statement: str
    context: Json
    text: str


class _Verdict(Document):
    text: str
    declared: Json
    answers: list[Given]
    facts: list[Fact]
    because: list[Step]
    refusal: Refusal | None
    edition: int
    dials: Json


class Telling(_Verdict):
    """A revision: what was declared and answered, what became true and why, under which readings. By whom, when.

    `refusal`: it was ruled again, found no support then, and records nothing.
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
                    "text": "Roll to hit. Giazza rolls 1d6: to hit.",
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
            "text": "Kiro is hurt by 4 points.",
            "struck": False,
        }
    ],
    "because": [
        {
            "rule": "system.hit",
            "statement": "A hit does what the die shows.",
            "given": {"die": 4},
            "out": 4,
            "text": "The die shows 4: so many points of harm.",
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


#: Its facts before they are recorded.
PROPOSED = [cast(Proposed, {name: value for name, value in one.items() if name != "struck"}) for one in RULING["facts"]]


@like(**RULING)
class Ruling(_Verdict):
    """A ruling, in the revision that stands. `text`: what was declared and came of it, in a sentence.

    `character`, `scene`, `session`: also those it brought into being. `revision`: which one that is (0: as first
    ruled); `tellings`: those it replaced, in order. `refusal`: it was ruled again, found no support then, and records
    nothing. `leaning`: later rulings that would not come out the same without it; null where it was not asked for.
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


@like(number=7, status="standing", text=RULING["text"], by=RULING["by"], at=AT)
class Brief(Document):
    """A ruling in a sentence, with what became of it."""

    number: int
    status: Status
    text: str
    by: Person
    at: str


class Behind(Document):
    """The ruling behind a fact: what was declared by whom, what became of it, and the reason decided last."""

    number: int
    kind: str
    by: Person
    status: str
    reason: str | None
    text: str


def ruling(lens: LiveLens, shown: ShownRuling, leaning: Sequence[int] | None = None) -> Ruling:
    """A ruling. `leaning`: None where it is not worked out."""
    return seen(lens, stored_for(lens, shown), leaning)


def stored_for(lens: LiveLens, shown: ShownRuling) -> StoredRuling:
    """All there is to a ruling of the lens' campaign."""
    return stored(lens.book.codec, lens.wording, shown)


def seen(lens: Lens, ruling: StoredRuling, leaning: Sequence[int] | None = None) -> Ruling:
    """A stored ruling as the viewer may see it. A scene or session it opened is the one it belongs to."""
    *earlier, standing = _verdicts(lens, ruling)
    made = _made(standing["facts"])
    decisions = decrees(lens, ruling)
    revision = sum(one["decision"] in REVISING for one in decisions)
    return {
        "number": ruling["number"],
        "status": seen_status(lens, ruling),
        "version": ruling["version"] - len(ruling["decisions"]) + len(decisions),
        "revision": revision,
        "by": lens.person(ruling["seat"]),
        "at": ruling["at"],
        "session": made.get("session") or ruling["session"],
        "scene": made.get("scene") or ruling["scene"],
        "character": made.get("character"),
        **standing,
        "tellings": [
            {**verdict, "revision": one["revision"], "by": lens.person(one["by"]), "at": one["at"]}
            for verdict, one in list(zip(earlier, ruling["tellings"], strict=True))[:revision]
        ],
        "decisions": decisions,
        "leaning": list(leaning) if leaning is not None else None,
        "waited_as": ruling["waited_as"],
    }


def brief(ruling: Ruling) -> Brief:
    """Only that of it."""
    return {
        "number": ruling["number"],
        "status": ruling["status"],
        "text": ruling["text"],
        "by": ruling["by"],
        "at": ruling["at"],
    }


def as_decided(ruling: StoredRuling, decisions: int) -> StoredRuling:
    """A stored ruling after its first so many decisions, as far as its gist goes."""
    made = ruling["decisions"][:decisions]
    revisions: list[StoredVerdict] = [*ruling["tellings"], ruling]
    turned = sum(one["decision"] in REVISING for one in made)
    then = revisions[turned]
    return {
        **ruling,
        "text": then["text"],
        "declared": then["declared"],
        "facts": then["facts"],
        "tellings": ruling["tellings"][:turned],
        "decisions": made,
    }


def gist(lens: Lens, ruling: StoredRuling) -> Behind | None:
    """What was declared by whom, and what became of it; nothing of a ruling the viewer may not know."""
    if not lens.sees(ruling) and lens.viewer.seat not in (ruling["by"], ruling["seat"]):
        return None
    decisions = [one for one in ruling["decisions"] if lens.sees(one) and one["decision"] != "witnessed"]
    known = all(open_to for _, open_to in _revisions(lens, ruling))
    return {
        "number": ruling["number"],
        "kind": str(ruling["declared"]["kind"]),
        "by": lens.person(ruling["seat"]),
        "status": seen_status(lens, ruling),
        "reason": decisions[-1]["reason"] if decisions else None,
        "text": lens.told(ruling["text"]) if known else sentences.HIDDEN_DECLARATION,
    }


def seen_status(lens: Lens, ruling: StoredRuling) -> Status:
    """After the last decision that the viewer may know of."""
    return next((one["status"] for one in reversed(ruling["decisions"]) if lens.sees(one)), "standing")


def said_by(ruling: StoredRuling) -> list[str]:
    """The seat that said each revision of a stored ruling: what is ruled or counted again, nobody says anew."""
    said: list[str] = [ruling["seat"]]
    for one in ruling["decisions"]:
        if one["decision"] in REVISING:
            said.append(one["by"] if one["decision"] == "revised" else said[-1])
    return said


def _verdicts(lens: Lens, ruling: StoredRuling) -> Iterator[_Verdict]:
    """Of each revision, the one that stands last."""
    for one, open_to in _revisions(lens, ruling):
        lost = one["refusal"] if open_to else None
        steps = [step for step in one["because"] if lens.sees(step)] if open_to else []
        facts = [fact for fact in one["facts"] if lens.sees(fact)]
        yield {
            "text": lens.told(summed_up(one["text"], [(fact["weight"], fact["text"]) for fact in facts]))
            if open_to
            else sentences.HIDDEN_DECLARATION,
            "declared": lens.declared(one["declared"], open_to),
            "answers": seen_answers(lens, one["answers"]) if open_to else [],
            "facts": [_fact(lens, fact) for fact in facts],
            "because": [_step(step["rule"], step["given"], step["out"], lens.told(step["text"])) for step in steps],
            "refusal": _refusal(lens, lost) if lost is not None else None,
            "edition": one["edition"],
            "dials": one["dials"],
        }


def _revisions(lens: Lens, ruling: StoredRuling) -> Iterator[tuple[StoredVerdict, bool]]:
    """Each with whether its declaration is for this viewer. One that records nothing is as secret as the one before."""
    telltale: list[StoredFact] = []
    revisions: list[StoredVerdict] = [*ruling["tellings"], ruling]
    for one, by in zip(revisions, said_by(ruling), strict=True):
        telltale = one["facts"] or telltale
        yield one, by == lens.viewer.seat or not telltale or any(map(lens.sees, telltale))


def summed_up(declared: str, weighed: Iterable[tuple[int | None, str]]) -> str:
    """What was declared, and the weightiest of what became of it: facts with their weights."""
    told = [(weight, text) for weight, text in weighed if weight is not None]
    least = min((weight for weight, _ in told), default=None)
    return summary(declared, [text for weight, text in told if weight == least])


def _fact(lens: Lens, fact: StoredFact) -> Fact:
    return {
        "step": fact["step"],
        "subject": fact["subject"],
        "kind": fact["kind"],
        "version": fact["version"],
        "fact": fact["fact"],
        "postings": fact["postings"],
        "text": lens.told(fact["text"]),
        "struck": fact["struck"],
    }


def _step(rule: str, given: Json, out: object, text: str) -> Step:
    """A step of a derivation, with the sentence of its rule; `text`: empty where there is no other."""
    stated = statement(rule)
    return {"rule": rule, "statement": stated, "given": given, "out": out, "text": text or stated}


def _refusal(lens: Lens, lost: StoredRefusal) -> Refusal:
    return _refused(lost["rule"], lost["code"], lost["context"], lens.told(lost["text"]), seen=lens.sees(lost))


def _refused(rule: str, code: str, context: Json, text: str, *, seen: bool) -> Refusal:
    return {
        "code": code,
        "rule": rule,
        "statement": statement(rule),
        "context": context if seen else {},
        "text": text if seen and text else plain_refusal(code),
    }


#: The facts that bring a character, scene or session into being.
MAKING: Mapping[str, str] = {
    "ledger.character-enrolled": "character",
    "ledger.scene-opened": "scene",
    "ledger.session-opened": "session",
}


def _made(facts: Iterable[Fact]) -> dict[str, str]:
    """The ids of the character, scene or session that the ruling brought into being, as far as they are seen."""
    return {
        made: str(fact["fact"]["session"]) if made == "session" else fact["subject"].partition(":")[2]
        for fact in facts
        if (made := MAKING.get(fact["kind"])) is not None
    }


def because(lens: LiveLens, steps: Iterable[contract.Step]) -> list[Step]:
    """The derivation of what is not recorded."""
    wording = lens.wording
    return [
        _step(one.rule, given, out, lens.told(wording.step(one.rule, given, out) or ""))
        for one in steps
        if lens.may_see(one.audience)
        for given, out in [(json_form.plain(one.given), json_form.plain(one.out))]
    ]


def refusal_outside(refused: Refused) -> Refusal:
    """Of somebody who sits at no table yet."""
    context = json_form.plain(refused.context)
    return _refused(refused.rule, refused.code, context, "", seen=refused.audience is None)


def refusal(lens: LiveLens, refused: Refused) -> Refusal:
    """Why the rules say no; without the numbers and names where the viewer may not see them."""
    context = json_form.plain(refused.context)
    said = lens.told(lens.wording.refusal(refused.code, context) or "")
    return _refused(refused.rule, refused.code, context, said, seen=lens.may_see(refused.audience))
