"""Why a value is what it is: every fact that made it so, with the ruling, the rules and the dice behind each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.application import bodies_at, json_form, shown_rulings
from ledger.errors import NotFound
from ledger.events.envelope import Body
from ledger.events.records import Restored, Struck
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.subjects import Subject
from projections.documents.rulings import Decree, Given, Ruling, Step, seen, stored_for
from projections.documents.shape import Document, like
from projections.documents.subjects import As, Clock, Then, not_found, unseen
from projections.redaction import Json, LiveLens, MadeFact, Person, fact

ENTRY = ("name", "seat", "retired", "title", "cast", "open")


class RulingBehind(Document):
    """The ruling behind a fact: its declaration, dice, derivation and what was decided about it."""

    number: int
    status: str
    declared: Json
    by: Person
    at: str
    session: str | None
    scene: str | None
    answers: list[Given]
    because: list[Step]
    dials: Json
    decisions: list[Decree]
    text: str


class Link(Document):
    """A fact that made the value something else. Struck: it would have. Without its fact where that is secret."""

    before: object
    after: object
    struck: bool
    step: int | None
    fact: MadeFact | None
    by: Person | None
    at: str | None
    ruling: RulingBehind | None


LINK: Link = {
    "before": None,
    "after": "Giazza",
    "struck": False,
    "step": 0,
    "fact": {
        "subject": "character:1",
        "kind": "ledger.character-enrolled",
        "version": 1,
        "fact": {"name": "Giazza", "seat": "s2"},
        "postings": [],
        "text": "Giazza joins, played by Ben.",
    },
    "by": {"seat": "s2", "name": "Ben"},
    "at": "2026-11-21T19:30:00.000000Z",
    "ruling": None,
}


@like(subject="character:1", field="name", value="Giazza", chain=[LINK], at=None, **{"as": "corrected"})
class Derivation(Document, As):
    """A value now, or as of the moment asked for, and everything that made it so, in the order in which it counts."""

    subject: str
    field: str
    value: object
    chain: list[Link]
    at: int | str | None


class Absent:
    """There is no such field."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A fact that made the value something else, or would have, had it not been struck."""

    body: Body[object]
    before: object
    after: object
    struck: bool


def why(lens: LiveLens, subject: Subject, field: str, clock: Clock) -> Derivation:
    """The chain behind a field: `traits/0/base` of the state, `balances/<account>`, or a field of the entry.

    NotFound when the subject never had such a field, or this viewer may not see it.
    """
    if subject not in lens.book.campaign.subjects:
        raise not_found(subject)
    moment = clock.moment(lens.book)
    bodies = bodies_at(lens.book, subject, moment)
    look = _Look(lens, subject, field, Then(lens, clock).campaign)
    value, causes = _chain(lens, subject, bodies, look)
    if isinstance(value, Absent) and not causes:
        raise NotFound(f"There is no field {field!r}.", code="field-not-found")
    known = moment.position if clock.recorded else lens.book.campaign.position
    rulings = _rulings(lens, [one for one in causes if lens.may_see(one.body.audience)], known)
    return {
        "subject": str(subject),
        "field": field,
        "value": _plain(value),
        "chain": [_link(lens, subject, cause, rulings) for cause in causes],
        "at": clock.said,
        "as": clock.known,
    }


class _Look:
    """What the viewer sees of one field of a subject."""

    def __init__(self, lens: LiveLens, subject: Subject, field: str, campaign: Folded[object]) -> None:
        self.lens = lens
        self.campaign = campaign
        self.parts = [part.replace("~1", "/").replace("~0", "~") for part in field.split("/")]
        self.hidden = unseen(lens, subject)
        first = self.parts[0]
        self.account = "/".join(self.parts[1:]) if first == "balances" and len(self.parts) > 1 else None
        self.entry = first if len(self.parts) == 1 and first in ENTRY else None
        if first == "state" and len(self.parts) > 1:
            self.parts = self.parts[1:]

    def __call__(self, folded: Folded[object]) -> object:
        if self.account is not None:
            known = self.account in folded.purse and self.account not in self.hidden
            return folded.purse[self.account] if known else Absent()
        if self.entry is not None and folded.entry is not None and hasattr(folded.entry, self.entry):
            return json_form.plain(getattr(folded.entry, self.entry))
        return self._in(self.lens.view(folded, self.campaign)) if folded.entry is not None else Absent()

    def _in(self, value: object) -> object:
        for part in self.parts:
            if isinstance(value, dict) and part in value:
                value = value[part]
            elif isinstance(value, list) and part.isascii() and part.isdigit() and int(part) < len(value):
                value = value[int(part)]
            else:
                return Absent()
        return value


def _chain(lens: LiveLens, subject: Subject, bodies: list[Body[object]], look: _Look) -> tuple[object, list[Cause]]:
    """The value at the end, and the facts that made it: those that stand, and in their place the struck ones."""
    revisions: dict[int, int | None] = {}
    for body in bodies:
        if isinstance(body.fact, Struck | Restored):
            revisions[body.fact.ruling] = body.fact.revision if isinstance(body.fact, Restored) else None
    facts = [body for body in bodies if not isinstance(body.fact, Struck | Restored)]
    facts.sort(key=lambda body: (body.ruling, body.step, body.revision))
    folded: Folded[object] = Folded(lens.book.ruleset, subject)
    value: object = look(folded)
    causes: list[Cause] = []
    for body in facts:
        stands = revisions.get(body.ruling, 0) == body.revision
        if not stands and not lens.may_see(body.audience):
            continue  # what it would do here, as things are since, nobody was ever told
        at = folded if stands else folded.copy()
        state, entry, moved = at.state, at.entry, bool(body.postings)
        at.take(body)
        if at.state is state and at.entry is entry and not moved:
            continue
        after = look(at)
        if not _same(value, after):
            causes.append(Cause(body, value, after, not stands))
        if stands:
            value = after
    return value, causes


def _same(one: object, other: object) -> bool:
    if isinstance(one, Absent) or isinstance(other, Absent):
        return isinstance(one, Absent) and isinstance(other, Absent)
    return bool(one == other)


def _plain(value: object) -> object:
    return None if isinstance(value, Absent) else value


def _rulings(lens: LiveLens, causes: Iterable[Cause], position: int) -> dict[int, RulingBehind]:
    """What was known of the rulings behind at a position of the record."""
    numbers = dict.fromkeys(one.body.ruling for one in causes if one.body.ruling)
    book = lens.book
    shown = shown_rulings(book.recorder, book.codec, book.id, numbers, position)
    documents = [seen(lens, stored_for(lens, one)) for one in shown if lens.knows(one.ruling)]
    return {document["number"]: _behind(document) for document in documents}


def _behind(document: Ruling) -> RulingBehind:
    return {
        "number": document["number"],
        "status": document["status"],
        "declared": document["declared"],
        "by": document["by"],
        "at": document["at"],
        "session": document["session"],
        "scene": document["scene"],
        "answers": document["answers"],
        "because": document["because"],
        "dials": document["dials"],
        "decisions": document["decisions"],
        "text": document["text"],
    }


def _link(lens: LiveLens, subject: Subject, cause: Cause, rulings: dict[int, RulingBehind]) -> Link:
    """A link; of a fact that the viewer may not see only what became of the value."""
    body = cause.body
    link: Link = {
        "before": _plain(cause.before),
        "after": _plain(cause.after),
        "struck": cause.struck,
        "step": None,
        "fact": None,
        "by": None,
        "at": None,
        "ruling": None,
    }
    if lens.may_see(body.audience):
        link["step"] = body.step
        made = fact(lens.book.codec, subject, body.fact, body.postings)
        link["fact"] = {**made, "text": lens.told(made["text"])}
        link["by"] = lens.person(body.by) if body.by else None
        link["at"] = body.at
        link["ruling"] = rulings.get(body.ruling)
    return link
