"""The replay of a session for one viewer, ruling by ruling: declarations, rolls, and changes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, cast

from ledger.application import (
    Moment,
    ShownRuling,
    Stretch,
    find_moment,
    list_facts_of_ruling,
    load_journal_entries,
    load_rulings_at,
    load_stretches,
    load_subjects_at,
)
from ledger.errors import NotFound
from ledger.events.records_of_journal import Entry
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.places import place_of_end
from ledger.rules.kernel.register import CampaignEntry
from ledger.rules.kernel.subjects import CAMPAIGN, SUBJECT_KINDS, Subject
from projections.documents.rulings import Ruling, make_stored_ruling_for_lens, show_ruling
from projections.documents.shape import Document
from projections.documents.subjects import (
    As,
    Changed,
    describe_for_comparison,
    flatten,
    list_differing_leaves,
    list_hidden_accounts_of,
)
from projections.redaction import Json, LiveLens

FORMAT: Literal["campaign-ledger/replay"] = "campaign-ledger/replay"
Did: TypeAlias = Literal[
    "ruled",
    "disputed",
    "upheld",
    "witnessed",
    "overturned",
    "reinstated",
    "revised",
    "set-aside",
    "taken-back",
    "rewound",
]
AT_ONCE = 50  # the number of frames read together


class Header(Document, As):
    """The first line: the session that is replayed. `position`: the number of the last save included.

    `as`: as the session was played (`recorded`), or as it stands today (`corrected`).
    """

    format: Literal["campaign-ledger/replay"]
    version: Literal[1]
    campaign: str
    name: str
    system: str
    session: str
    title: str
    position: int


class Frame(Document):
    """A ruling, and what it changed. `position`: the campaign's position after this save.

    As recorded, each ruling is shown with its first result, and each decision made in the session has a frame of its
    own, in its place: `did` names the decision, and `ruling` is the ruling after it. As corrected, there are only
    rulings, as they are today.
    """

    did: Did
    position: int
    ruling: Ruling
    changed: list[Changed]


class Trailer(Document):
    """The last line: how many frames there were."""

    frames: int


@dataclass(frozen=True, slots=True)
class Replay:
    """The replay of a session in order of play: as it is today, or as it was played."""

    header: Header
    frames: list[Frame]

    def list_lines(self) -> list[Header | Frame | Trailer]:
        """Return the lines of the file."""
        return [self.header, *self.frames, {"frames": len(self.frames)}]


class Selection(NamedTuple):
    """The part to replay: from ruling `first` to `last`. `recorded`: as it was at the time."""

    first: int = 1
    last: int | None = None
    recorded: bool = False


class _Act(NamedTuple):
    """The basis of a frame. `did`: what a save did. `number`: the ruling it is about. `place`: its place in play.
    `known_with`: the frame shows the seats as of this position.
    """

    position: int
    did: Did
    number: int
    place: int
    known_with: int

    def find_moment_before(self, *, recorded: bool) -> Moment:
        if not recorded:
            return Moment(self.place - 1, self.known_with - 1, recorded)
        place = place_of_end(self.number - 1) if self.did == "ruled" else self.place
        return Moment(place, self.known_with - 1, recorded)

    def find_moment_after(self, *, recorded: bool) -> Moment:
        return Moment(self.place, self.known_with, recorded)


def make_replay(lens: LiveLens, session: str, selection: Selection) -> Replay:
    """Return a session's replay. Raise NotFound if there is no such session."""
    recorded = selection.recorded
    entry = lens.book.entry
    header: Header = {
        "format": FORMAT,
        "version": 1,
        "campaign": lens.book.id,
        "name": entry.name,
        "system": entry.system,
        "session": session,
        "title": _find_title(lens, session, recorded=recorded),
        "as": "recorded" if recorded else "corrected",
        "position": lens.book.campaign.position,
    }
    return Replay(header, list(list_frames(lens, session, selection)))


def list_frames(lens: LiveLens, session: str, selection: Selection) -> Iterator[Frame]:
    """Yield the frames of a session. An empty id means the time between sessions."""
    acts = _list_acts(lens, session, selection)
    for start in range(0, len(acts), AT_ONCE):
        yield from _make_frames(lens, acts[start : start + AT_ONCE], recorded=selection.recorded)


def is_short_replay(lens: LiveLens, session: str, selection: Selection) -> bool:
    """Return whether the replay is short enough to delay nobody at the table."""
    return len(_list_acts(lens, session, selection)) <= AT_ONCE


def _find_title(lens: LiveLens, session: str, *, recorded: bool) -> str:
    """Return the session's title. Raise NotFound if there is no such session."""
    book = lens.book
    titles = dict(book.entry.sessions)
    if recorded and session not in titles and session in book.campaign.rulings_by_session and session.isdecimal():
        entry_at_opening = load_subjects_at(book, [CAMPAIGN], find_moment(book, int(session), recorded=True))[CAMPAIGN][
            0
        ].entry
        titles |= dict(entry_at_opening.sessions) if isinstance(entry_at_opening, CampaignEntry) else {}
    if session not in titles:
        raise NotFound(f"There is no session {session!r}.", code="session-not-found")
    return titles[session]


def _list_acts(lens: LiveLens, session: str, selection: Selection) -> list[_Act]:
    """Return the rulings of the session, including its opening. As recorded, also return the decisions made in the
    session.
    """
    first_number, last_selected_number, is_as_recorded = selection
    campaign = lens.book.campaign
    last_number = min(last_selected_number or campaign.rulings, campaign.rulings)
    spans = [(int(session), int(session))] if session.isdecimal() else []
    spans += campaign.rulings_by_session.get(session, ())
    in_session = {number for low, high in spans for number in range(low, high + 1)}
    positions = campaign.ruling_positions
    if not is_as_recorded:
        first_place = campaign.find_place(first_number)
        last_place = campaign.find_end(last_selected_number) if last_selected_number else place_of_end(campaign.rulings)
        return [
            _Act(positions[number - 1], "ruled", number, place, positions[campaign.bases.get(number, number) - 1])
            for number in campaign.sort_in_play(in_session)
            if number <= campaign.rulings and first_place <= (place := campaign.find_place(number)) <= last_place
        ]
    acts = [
        _Act(positions[number - 1], "ruled", number, place_of_end(number), positions[number - 1])
        for number in in_session
        if first_number <= number <= last_number
    ]
    acts += [
        _Act(position, cast(Did, decision.did), decision.ruling, place_of_end(decision.after), position)
        for decision in campaign.decisions
        for position in [decision.position]
        if decision.session == session and first_number <= decision.after <= last_number
    ]
    return sorted(acts)


def _make_frames(lens: LiveLens, acts: Sequence[_Act], *, recorded: bool) -> Iterator[Frame]:
    if not acts:
        return
    book, position_now = lens.book, lens.book.campaign.position
    shown_rulings = load_rulings_at(book, [(act.number, act.position if recorded else position_now) for act in acts])
    acts_and_rulings = [
        (act, shown_ruling)
        for act, shown_ruling in zip(acts, shown_rulings, strict=True)
        if _may_be_shown(lens, act, shown_ruling)
    ]
    if not acts_and_rulings:
        return
    entries = load_journal_entries(book, [act.position for act, _ in acts_and_rulings if act.did != "ruled"])
    subjects_by_act = {act: _list_subjects(act, shown_ruling, entries) for act, shown_ruling in acts_and_rulings}
    concerned_subjects = dict.fromkeys(
        [CAMPAIGN, *(subject for subjects in subjects_by_act.values() for subject in subjects)]
    )
    start = acts_and_rulings[0][0].find_moment_before(recorded=recorded)
    change_finder = _ChangeFinder(lens, load_stretches(book, concerned_subjects, start, max(act.place for act in acts)))
    for act, shown_ruling in acts_and_rulings:
        yield {
            "did": act.did,
            "position": act.position,
            "ruling": show_ruling(lens, make_stored_ruling_for_lens(lens, shown_ruling)),
            "changed": change_finder.list_changed_subjects(act, subjects_by_act[act], recorded=recorded),
        }


def _may_be_shown(lens: LiveLens, act: _Act, shown_ruling: ShownRuling) -> bool:
    if not lens.may_know(shown_ruling.ruling):
        return False
    decisions = [decision for decision in shown_ruling.ruling.decisions if decision.position == act.position]
    return act.did == "ruled" or any(lens.may_see(decision.audience) for decision in decisions)


def _list_subjects(act: _Act, shown_ruling: ShownRuling, entries: Mapping[int, Entry]) -> list[Subject]:
    """Return the subjects that the save changed."""
    streams = shown_ruling.ruling.streams if act.did == "ruled" else entries[act.position].streams
    parts = [stream.split("/", 2) for stream in streams]
    return [Subject(kind, id) for _, kind, id in parts if kind in SUBJECT_KINDS]


class _ChangeFinder:
    """Finds the visible changes of subjects, at one place after another.

    A subject with the same state and entry objects is not shown again, because these objects never change.
    """

    def __init__(self, lens: LiveLens, streams: Mapping[Subject, Stretch]) -> None:
        self.lens = lens
        self.streams = streams
        self._cached_leaves: dict[Subject, tuple[tuple[object, ...], Json]] = {}

    def index_leaves_by_subject(self, moment: Moment, subjects: Iterable[Subject]) -> dict[Subject, Json]:
        """Return the visible leaves of each subject at the moment."""
        campaign, _ = self.streams[CAMPAIGN].fold_at(moment)
        return {
            subject: self._index_leaves_of(subject, self.streams[subject].fold_at(moment)[0], campaign)
            for subject in subjects
        }

    def _index_leaves_of(self, subject: Subject, folded: Folded[object], campaign: Folded[object]) -> Json:
        entry = campaign.entry
        dials = entry.dials if isinstance(entry, CampaignEntry) else None
        fingerprint = (folded.state, folded.entry, dials, dict(folded.purse), tuple(folded.adrift))
        cache_entry = self._cached_leaves.get(subject)
        if cache_entry is None or not _is_unchanged(cache_entry[0], fingerprint):
            has_content = folded.entry is not None or folded.purse or folded.adrift
            document = describe_for_comparison(
                self.lens, folded if has_content else None, list_hidden_accounts_of(self.lens, subject), campaign
            )
            cache_entry = self._cached_leaves[subject] = fingerprint, flatten(document)
        return cache_entry[1]

    def list_changed_subjects(self, act: _Act, subjects: Iterable[Subject], *, recorded: bool) -> list[Changed]:
        """Return each subject with visible changes, in order of appearance."""
        leaves_before = self.index_leaves_by_subject(act.find_moment_before(recorded=recorded), subjects)
        leaves_after = self.index_leaves_by_subject(act.find_moment_after(recorded=recorded), subjects)
        sorted_subjects = sorted(
            subjects, key=lambda subject: (_find_first_step(self.streams[subject], act.number), subject)
        )
        fields_by_subject = {
            subject: list_differing_leaves(leaves_before[subject], leaves_after[subject]) for subject in sorted_subjects
        }
        return [
            {"subject": str(subject), "name": self.lens.name(subject), "fields": fields}
            for subject, fields in fields_by_subject.items()
            if fields
        ]


def _is_unchanged(fingerprint: tuple[object, ...], other_fingerprint: tuple[object, ...]) -> bool:
    """Return whether state, entry and options are the same objects, and balances and adrift facts are equal."""
    return (
        all(a is b for a, b in zip(fingerprint[:3], other_fingerprint[:3], strict=True))
        and fingerprint[3:] == other_fingerprint[3:]
    )


def _find_first_step(stretch: Stretch, number: int) -> int:
    return min((body.step for _, body in list_facts_of_ruling(stretch, number)), default=sys.maxsize)
