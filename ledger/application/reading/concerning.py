"""Find the seats that a decision concerns. A seat is concerned if it sees a change to something of its own.

This depends on which facts are recorded about the seats' characters, and never on the values in these facts. So whether
a decision waits for consent reveals nothing hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from ledger.aggregates.ruling import Ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.reading.pasts import History, load_history
from ledger.application.reading.veiling import NOBODY
from ledger.events.codec import encode
from ledger.events.envelope import Event
from ledger.events.records import MARKS, Restored, Rewind, Struck
from ledger.rules.kernel.commands import Adjust, Amend, Enrol, HandOver, Retire
from ledger.rules.kernel.comparison import Comparison
from ledger.rules.kernel.dials import Dials
from ledger.rules.kernel.fold import Folded, Recorded
from ledger.rules.kernel.register import CharacterEntry, SeatEntry
from ledger.rules.kernel.subjects import SUBJECT_KINDS, Subject, Viewer, character
from ledger.rules.kernel.table import Subjects, load_campaign_entry, load_dials
from ledger.rules.kernel.world import Past

SubjectFact: TypeAlias = tuple[Subject, Recorded]
#: The seats concerned. The value is True if everybody may know that the decision concerns the seat.
Concerned: TypeAlias = dict[str, bool]


def list_playing_seats(subjects: Subjects) -> frozenset[str]:
    """Return the seats that play: those at the table with a character in play.

    A game master's seat counts only if all players decide (option `deciders`). Otherwise, a game master's characters do
    not give the game master a vote.
    """
    entry = load_campaign_entry(subjects)
    all_decide = load_dials(Dials, entry).deciders == "all_players"

    def is_playing(id: str, seat: str) -> bool:
        folded_character, folded_seat = subjects.find(character(id)), subjects.find(Subject("seat", seat))
        is_active = (
            folded_character is not None
            and isinstance(folded_character.entry, CharacterEntry)
            and not folded_character.entry.retired
        )
        member_entry = folded_seat.entry if folded_seat is not None else None
        return (
            is_active
            and isinstance(member_entry, SeatEntry)
            and not member_entry.removed
            and (all_decide or member_entry.role != "gm")
        )

    return frozenset(seat for id, seat in entry.roster.items() if is_playing(id, seat))


def list_owners(subject: Subject, *rosters: Mapping[str, str]) -> set[str]:
    """Return the seats that own a subject: the character's player in each of the rosters, or the seat itself."""
    if subject.kind == "seat":
        return {subject.id}
    return {roster[subject.id] for roster in rosters if subject.kind == "character" and subject.id in roster}


def find_seats_concerned_by_facts(
    facts_before: Iterable[SubjectFact],
    facts_after: Iterable[SubjectFact],
    get_owners: Callable[[Subject], Iterable[str]],
    get_viewer: Callable[[str], Viewer | None],
) -> Concerned:
    """Return the seats concerned if the facts `facts_after` stand in place of `facts_before`."""
    bodies_before, bodies_after = _group_by_subject(facts_before), _group_by_subject(facts_after)
    concerned_seats: Concerned = {}
    for subject in {*bodies_before, *bodies_after}:
        is_openly_concerned = _count_open_facts(bodies_before.get(subject, ())) != _count_open_facts(
            bodies_after.get(subject, ())
        )
        audiences = [
            body.audience
            for body in (*bodies_before.get(subject, ()), *bodies_after.get(subject, ()))
            if body.audience is not None
        ]
        for seat in get_owners(subject):
            viewer = get_viewer(seat)
            if viewer is not None and (is_openly_concerned or any(map(viewer.may_see, audiences))):
                concerned_seats[seat] = concerned_seats.get(seat, False) or is_openly_concerned
    return concerned_seats


def _group_by_subject(facts: Iterable[SubjectFact]) -> dict[Subject, list[Recorded]]:
    bodies_by_subject: dict[Subject, list[Recorded]] = {}
    for subject, body in facts:
        bodies_by_subject.setdefault(subject, []).append(body)
    return bodies_by_subject


def _count_open_facts(bodies: Iterable[Recorded]) -> Counter[bytes]:
    return Counter(
        encode((type(body.fact).__name__, body.fact, body.postings)) for body in bodies if body.audience is None
    )


def index_new_revisions(
    events: Iterable[Event], find_rewound: Callable[[Rewind], Mapping[int, int]]
) -> dict[int, int | None]:
    """Return the new standing revision of each ruling that these events change. None means that no revision stands.

    `find_rewound`: returns the rulings that a rewind strikes or reinstates, with their revisions.
    """
    revisions: dict[int, int | None] = {}
    for event in events:
        match event.body.fact:
            case Rewind() as rewind:
                rewound_revisions = find_rewound(rewind)
                revisions |= dict.fromkeys(rewound_revisions) if rewind.decision == "rewound" else rewound_revisions
            case Struck(ruling=number):
                revisions.setdefault(number, None)
            case Restored(ruling=number, revision=revision):
                revisions[number] = revision
            case _:
                pass
    return revisions


def list_subject_facts(events: Iterable[Event]) -> Iterator[SubjectFact]:
    """Yield the facts recorded in the streams of subjects."""
    for event in events:
        _, kind, id = event.originator_id.split("/", 2)
        if kind in SUBJECT_KINDS and not isinstance(event.body.fact, MARKS):
            yield Subject(kind, id), event.body


def find_seats_concerned_by_decision(book: Book, events: Sequence[Event], roster_then: Mapping[str, str]) -> Concerned:
    """Return the seats that these events concern. `roster_then`: the roster after these events."""
    is_about_past = any(isinstance(event.body.fact, MARKS) for event in events)
    history = load_history(book) if is_about_past else History()
    return find_seats_concerned_by_revisions(
        events,
        book.entry.roster,
        roster_then,
        lambda number: history.facts.get(number, ()),
        lambda number: history.standing_revisions.get(number, 0),
        book.load_viewer,
        lambda rewind: find_rewound_revisions(history.recorded_rulings, rewind),
    )


def find_rewound_revisions(rulings: Mapping[int, Ruling], rewind: Rewind) -> dict[int, int]:
    """Return the rulings that a rewind strikes or reinstates, with their revisions. `rulings`: the rulings before the
    rewind.
    """
    candidates = (rulings[number] for number in range(rewind.first, rewind.last + 1))
    return {
        ruling.number: ruling.revision
        for ruling in candidates
        if (ruling.stands if rewind.decision == "rewound" else ruling.rewound_with == rewind.first)
    }


def find_seats_concerned_by_revisions(
    events: Sequence[Event],
    roster: Mapping[str, str],
    roster_then: Mapping[str, str],
    get_facts: Callable[[int], Iterable[SubjectFact]],
    get_standing_revision: Callable[[int], int | None],
    get_viewer: Callable[[str], Viewer | None],
    find_rewound: Callable[[Rewind], Mapping[int, int]],
) -> Concerned:
    """Return the seats that a change of revisions concerns. `get_facts`: returns facts recorded earlier.
    `get_standing_revision`: returns the revision that stood before these events.
    """
    new_revisions = index_new_revisions(events, find_rewound)
    new_facts = list(list_subject_facts(events))
    facts_before: list[SubjectFact] = []
    facts_after = [
        fact
        for fact in new_facts
        if fact[1].ruling not in new_revisions or fact[1].revision == new_revisions[fact[1].ruling]
    ]
    for number, revision in new_revisions.items():
        facts, former_revision = list(get_facts(number)), get_standing_revision(number)
        facts_before += [fact for fact in facts if former_revision is not None and fact[1].revision == former_revision]
        facts_after += [fact for fact in facts if revision is not None and fact[1].revision == revision]
    return find_seats_concerned_by_facts(
        facts_before, facts_after, lambda subject: list_owners(subject, roster, roster_then), get_viewer
    )


def needs_consent(subjects: Subjects, do: Any, dials: Dials, by: str) -> bool:
    """Return whether this declaration needs consent because it could be used to avoid asking for consent.

    If the majority decides, this includes changes to who plays, because only the seats that play have a vote.
    """
    roster, is_majority = load_campaign_entry(subjects).roster, dials.consent == "majority"
    match do:
        case Amend() | Adjust():
            return True
        case HandOver(character=id):
            return is_majority or roster.get(id) != by
        case Retire(character=id):
            return roster.get(id) != by
        case Enrol(seat=seat):
            return is_majority and seat not in list_playing_seats(subjects)
        case _:
            return False


def find_seats_concerned_by_sight(book: Book, comparison: Comparison) -> Concerned:
    """Return the seats that would see something of theirs change in the other past, whatever the cause."""
    now, then = comparison.now, comparison.then
    entry_now, entry_then = load_campaign_entry(now), load_campaign_entry(then)
    subjects = comparison.list_differing_subjects()
    if entry_now.read_dials_in_force() != entry_then.read_dials_in_force():
        subjects = list(dict.fromkeys([*subjects, *map(character, {**entry_now.roster, **entry_then.roster})]))
    concerned_seats: Concerned = {}
    for subject in subjects:
        for seat in list_owners(subject, entry_now.roster, entry_then.roster):
            viewer = book.load_viewer(seat)
            if viewer is not None and _sees_change(book, viewer, subject, now, then):
                concerned_seats[seat] = concerned_seats.get(seat, False) or _sees_change(
                    book, NOBODY, subject, now, then
                )
    return concerned_seats


def _sees_change(book: Book, viewer: Viewer, subject: Subject, now: Past, then: Past) -> bool:
    return _collect_visible_parts(book, viewer, subject, now) != _collect_visible_parts(book, viewer, subject, then)


def _collect_visible_parts(book: Book, viewer: Viewer, subject: Subject, past: Past) -> object:
    """Return everything about a subject in this past that the viewer sees."""
    folded: Folded[Any] | None = past.find(subject)
    if folded is None:
        return None
    dials = load_dials(book.ruleset.dials, load_campaign_entry(past))
    state = book.ruleset.view(subject, folded.state, replace(viewer, dials=dials)) if folded.entry is not None else {}
    audiences_by_account = book.load_stream(subject).audiences_by_account if subject in book.campaign.subjects else {}
    purse = {
        account: amount
        for account, amount in folded.purse.items()
        if amount and all(map(viewer.may_see, audiences_by_account.get(account, ())))
    }
    return json_form.to_json(dict(state)), folded.entry, purse


def load_kernel_dials_of_other_past(comparison: Comparison) -> Dials:
    """Return the kernel's options in the other past."""
    dials: Dials = load_dials(Dials, load_campaign_entry(comparison.then))
    return dials
