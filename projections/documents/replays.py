"""A session once more, ruling by ruling, as a viewer may see it: what was declared and rolled, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.application import history_of, past_before, shown_rulings
from ledger.errors import NotFound
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from ledger.rules.kernel.world import Past
from projections.documents.rulings import seen, stored
from projections.documents.subjects import flat, unseen_anywhere, whole
from projections.redaction import Json, Sight

FORMAT = "campaign-ledger/replay"


def replay(sight: Sight, session: str, *, first: int = 1, last: int | None = None) -> Iterator[Json]:
    """A header, a frame a ruling in order of play, a trailer. As it stands today: what was struck changes nothing.

    `first`, `last`: only rulings between these numbers. NotFound: there is no such session.
    """
    entry = sight.book.entry
    titles = dict(entry.sessions)
    if session not in titles:
        raise NotFound(f"There is no session {session!r}.", code="session-not-found")
    frames = list(_frames(sight, session, first, last))
    yield {
        "format": FORMAT,
        "version": 1,
        "campaign": sight.book.id,
        "name": entry.name,
        "system": entry.system,
        "session": session,
        "title": titles[session],
        "position": sight.book.campaign.position,
    }
    yield from frames
    yield {"frames": len(frames)}


def _frames(sight: Sight, session: str, first: int, last: int | None) -> Iterator[Json]:
    history = history_of(sight.book)
    numbers = [
        number
        for number, ruling in history.recorded.items()
        if (ruling.session == session or str(number) == session)
        and number >= first
        and (last is None or number <= last)
    ]
    if not numbers:
        return
    shown = shown_rulings(sight.book.recorder, sight.book.codec, sight.book.id, numbers, sight.book.campaign.position)
    documents = {one.ruling.number: stored(sight.book.codec, one) for one in shown if sight.knows(one.ruling)}
    past = past_before(sight.book, history, min(numbers))
    hidden = unseen_anywhere(sight)
    for number in range(min(numbers), max(numbers) + 1):
        ruling = history.rulings[number]
        past.tell(ruling.before)
        touched = list(dict.fromkeys(subject for subject, _ in ruling.facts))
        before = {subject: flat(whole(sight, _copy(past, subject), hidden, past.find(CAMPAIGN))) for subject in touched}
        past.tell(ruling.facts)
        if number in documents:
            changed = [_changed(sight, past, subject, before[subject], hidden) for subject in touched]
            yield {"ruling": seen(sight, documents[number]), "changed": [one for one in changed if one["fields"]]}


def _copy(past: Past, subject: Subject) -> Folded[Any] | None:
    folded = past.find(subject)
    return folded.copy() if folded is not None else None


def _changed(sight: Sight, past: Past, subject: Subject, before: Json, hidden: set[str]) -> Json:
    folded = past.find(subject)
    after = flat(whole(sight, folded, hidden, past.find(CAMPAIGN)))
    fields = [
        {"field": field, "before": before.get(field), "after": after.get(field)}
        for field in dict.fromkeys([*before, *after])
        if before.get(field) != after.get(field)
    ]
    return {"subject": str(subject), "name": sight.name(subject), "fields": fields}
