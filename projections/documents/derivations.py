"""Why a value is what it is: every fact that made it so, with the ruling, the rules and the dice behind each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ledger.application import bodies_at, json_form, shown_rulings
from ledger.errors import NotFound
from ledger.events.envelope import Body
from ledger.events.records import Restored, Struck
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from projections.documents.rulings import seen, stored
from projections.documents.subjects import Clock, home, unseen
from projections.redaction import Json, Sight, fact

ENTRY = ("name", "seat", "retired", "title", "cast", "open")
BEHIND = ("number", "status", "declared", "by", "at", "session", "scene", "answers", "because", "dials", "decisions")


class Absent:
    """There is no such field."""


@dataclass(frozen=True, slots=True)
class Link:
    """A fact that made the value something else, or would have, had it not been struck."""

    body: Body[Any]
    before: Any
    after: Any
    struck: bool


def why(sight: Sight, subject: Subject, field: str, clock: Clock) -> Json:
    """The chain behind a field: `traits/0/base` of the state, `balances/<account>`, or a field of the entry.

    NotFound when the subject never had such a field, or this viewer may not see it.
    """
    if subject not in sight.book.campaign.subjects:
        raise NotFound(f"There is no {subject.kind} {subject.id!r}.", code=f"{subject.kind}-not-found")
    moment = clock.moment(sight.book)
    bodies = bodies_at(sight.book, subject, moment)
    look = _Look(sight, subject, field, home(sight, CAMPAIGN, clock)[0])
    value, links = _chain(sight, subject, bodies, look)
    if isinstance(value, Absent) and not links:
        raise NotFound(f"There is no field {field!r}.", code="field-not-found")
    known = moment.position if clock.recorded else sight.book.campaign.position
    rulings = _rulings(sight, [link for link in links if sight.may_see(link.body.audience)], known)
    return {
        "subject": str(subject),
        "field": field,
        "value": _plain(value),
        "chain": [_told(sight, subject, link, rulings) for link in links],
        "at": clock.told,
        "as": "recorded" if clock.recorded else "corrected",
    }


class _Look:
    """What the viewer sees of one field of a subject."""

    def __init__(self, sight: Sight, subject: Subject, field: str, campaign: Folded[Any]) -> None:
        self.sight = sight
        self.campaign = campaign
        self.parts = [part.replace("~1", "/").replace("~0", "~") for part in field.split("/")]
        self.hidden = unseen(sight, subject)
        first = self.parts[0]
        self.account = "/".join(self.parts[1:]) if first == "balances" and len(self.parts) > 1 else None
        self.entry = first if len(self.parts) == 1 and first in ENTRY else None
        if first == "state" and len(self.parts) > 1:
            self.parts = self.parts[1:]

    def __call__(self, folded: Folded[Any]) -> Any:
        if self.account is not None:
            known = self.account in folded.purse and self.account not in self.hidden
            return folded.purse[self.account] if known else Absent()
        if self.entry is not None and folded.entry is not None and hasattr(folded.entry, self.entry):
            return json_form.plain(getattr(folded.entry, self.entry))
        return self._in(self.sight.view(folded, self.campaign)) if folded.entry is not None else Absent()

    def _in(self, value: Any) -> Any:
        for part in self.parts:
            if isinstance(value, dict) and part in value:
                value = value[part]
            elif isinstance(value, list) and part.isascii() and part.isdigit() and int(part) < len(value):
                value = value[int(part)]
            else:
                return Absent()
        return value


def _chain(sight: Sight, subject: Subject, bodies: list[Body[Any]], look: _Look) -> tuple[Any, list[Link]]:
    """The value at the end, and the facts that made it: those that stand, and in their place the struck ones."""
    revisions: dict[int, int | None] = {}
    for body in bodies:
        if isinstance(body.fact, Struck | Restored):
            revisions[body.fact.ruling] = body.fact.revision if isinstance(body.fact, Restored) else None
    facts = [body for body in bodies if not isinstance(body.fact, Struck | Restored)]
    facts.sort(key=lambda body: (body.ruling, body.step, body.revision))
    folded: Folded[Any] = Folded(sight.book.ruleset, subject)
    value, links = look(folded), []
    for body in facts:
        stands = revisions.get(body.ruling, 0) == body.revision
        if not stands and not sight.may_see(body.audience):
            continue  # what it would do here, as things are since, nobody was ever told
        at = folded if stands else folded.copy()
        state, entry, moved = at.state, at.entry, bool(body.postings)
        at.take(body)
        if at.state is state and at.entry is entry and not moved:
            continue
        after = look(at)
        if not _same(value, after):
            links.append(Link(body, value, after, not stands))
        if stands:
            value = after
    return value, links


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Absent) or isinstance(other, Absent):
        return isinstance(one, Absent) and isinstance(other, Absent)
    return bool(one == other)


def _plain(value: Any) -> Any:
    return None if isinstance(value, Absent) else value


def _rulings(sight: Sight, links: Iterable[Link], position: int) -> dict[int, Json]:
    """What was known of the rulings behind at a position of the record."""
    numbers = dict.fromkeys(link.body.ruling for link in links if link.body.ruling)
    book = sight.book
    shown = shown_rulings(book.recorder, book.codec, book.id, numbers, position)
    documents = [seen(sight, stored(book.codec, one)) for one in shown if sight.knows(one.ruling)]
    return {document["number"]: {name: document[name] for name in BEHIND} for document in documents}


def _told(sight: Sight, subject: Subject, link: Link, rulings: dict[int, Json]) -> Json:
    """A link; of a fact that the viewer may not see only what became of the value."""
    body = link.body
    told: Json = {"before": _plain(link.before), "after": _plain(link.after), "struck": link.struck}
    if not sight.may_see(body.audience):
        return {**told, "step": None, "fact": None, "by": None, "at": None, "ruling": None}
    made = fact(sight.book.codec, subject, body.fact, body.postings)
    return {
        **told,
        "step": body.step,
        "fact": made,
        "by": sight.person(body.by) if body.by else None,
        "at": body.at,
        "ruling": rulings.get(body.ruling),
    }
