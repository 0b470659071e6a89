"""A session once more, ruling by ruling, as a viewer may see it: what was declared and rolled, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ledger.application import history_of, past_before, shown_rulings
from ledger.errors import NotFound
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from ledger.rules.kernel.world import Past
from projections.documents.rulings import Ruling, seen, stored_for
from projections.documents.shape import Document
from projections.documents.subjects import Changed, Whole, differing, unseen_anywhere, whole
from projections.redaction import LiveLens

FORMAT: Literal["campaign-ledger/replay"] = "campaign-ledger/replay"


class Header(Document):
    """The first line: what is shown once more. `position`: of the campaign, as of which it stands so."""

    format: Literal["campaign-ledger/replay"]
    version: Literal[1]
    campaign: str
    name: str
    system: str
    session: str
    title: str
    position: int


class Frame(Document):
    """A ruling, and what it changed."""

    ruling: Ruling
    changed: list[Changed]


class Trailer(Document):
    """The last line: how many frames there were."""

    frames: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A session as it stands today: what was struck changes nothing. A frame a ruling, in order of play."""

    header: Header
    frames: list[Frame]

    def lines(self) -> list[Header | Frame | Trailer]:
        """As a file has them."""
        return [self.header, *self.frames, {"frames": len(self.frames)}]


def replay(lens: LiveLens, session: str, *, first: int = 1, last: int | None = None) -> Replay:
    """`first`, `last`: only rulings between these numbers. NotFound: there is no such session."""
    entry = lens.book.entry
    titles = dict(entry.sessions)
    if session not in titles:
        raise NotFound(f"There is no session {session!r}.", code="session-not-found")
    frames = list(_frames(lens, session, first, last))
    header: Header = {
        "format": FORMAT,
        "version": 1,
        "campaign": lens.book.id,
        "name": entry.name,
        "system": entry.system,
        "session": session,
        "title": titles[session],
        "position": lens.book.campaign.position,
    }
    return Replay(header, frames)


def _frames(lens: LiveLens, session: str, first: int, last: int | None) -> Iterator[Frame]:
    history = history_of(lens.book)
    numbers = [
        number
        for number, ruling in history.recorded.items()
        if (ruling.session == session or str(number) == session)
        and number >= first
        and (last is None or number <= last)
    ]
    if not numbers:
        return
    shown = shown_rulings(lens.book.recorder, lens.book.codec, lens.book.id, numbers, lens.book.campaign.position)
    documents = {one.ruling.number: stored_for(lens, one) for one in shown if lens.knows(one.ruling)}
    past = past_before(lens.book, history, min(numbers))
    hidden = unseen_anywhere(lens)
    for number in range(min(numbers), max(numbers) + 1):
        ruling = history.rulings[number]
        past.tell(ruling.before)
        touched = list(dict.fromkeys(subject for subject, _ in ruling.facts))
        before = {subject: whole(lens, _copy(past, subject), hidden, past.find(CAMPAIGN)) for subject in touched}
        past.tell(ruling.facts)
        if number in documents:
            changed = [_changed(lens, past, subject, before[subject], hidden) for subject in touched]
            yield {"ruling": seen(lens, documents[number]), "changed": [one for one in changed if one["fields"]]}


def _copy(past: Past, subject: Subject) -> Folded[object] | None:
    folded = past.find(subject)
    return folded.copy() if folded is not None else None


def _changed(lens: LiveLens, past: Past, subject: Subject, before: Whole, hidden: set[str]) -> Changed:
    after = whole(lens, past.find(subject), hidden, past.find(CAMPAIGN))
    return {"subject": str(subject), "name": lens.name(subject), "fields": differing(before, after)}
