"""The history of a campaign, read from the record. Comparisons of two pasts use it."""

from __future__ import annotations

import logging
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Container, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from operator import attrgetter
from threading import Lock
from typing import Any, TypeAlias

from ledger.aggregates.campaign import name_journal_stream, parse_subject
from ledger.aggregates.rewinds import RecordedRewind, list_rewinds
from ledger.aggregates.ruling import Ruling, fold_ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.errors import Malformed
from ledger.events.envelope import Body, Event, Json
from ledger.events.journal_check import NOTHING, group_by_stream
from ledger.events.lineage import name_streams_here
from ledger.events.records import MARKS, Given
from ledger.rules.kernel.adjudication import Failed
from ledger.rules.kernel.answers import Said
from ledger.rules.kernel.as_known import AsKnown
from ledger.rules.kernel.chronicle import Chronicle
from ledger.rules.kernel.comparison import Comparison, Known, Other, compare_from
from ledger.rules.kernel.fold import Recorded
from ledger.rules.kernel.judging import Before, Judged, judge
from ledger.rules.kernel.subjects import SUBJECT_KINDS, Audience, Subject, Viewer, scene
from ledger.rules.kernel.upcasting import AsRecorded
from ledger.rules.kernel.world import Past, PastRuling

#: Ranges of streams with a campaign's subjects, rewinds and rulings. They leave out access, the journal, receipts and
#: waiting declarations.
RANGES = (("campaign", "journal"), ("rewinds", "waiting"))
KINDS = frozenset({*SUBJECT_KINDS, "rewinds", "ruling"})
StoredRow: TypeAlias = tuple[int, str, bytes]
#: The maximum number of histories kept in memory, and of rulings in all of them together. A ruling takes about 14 kB.
#: The latest history is always kept.
MOST_HISTORIES, MOST_RULINGS = 8, 10_000
log = logging.getLogger("ledger.rules")


@dataclass(slots=True)
class History:
    """Every recorded fact by ruling, and every ruling. The facts recorded before the first ruling have the number 0.

    - `standing_revisions`: for rulings with a decision, the revision that stands now.
    - `position`: the position when it was read; `versions`: the versions of the subjects' streams; `named_digests`:
      digests of their events that the journal names.
    - `facts_since`: facts about seats, recorded outside rulings since the last ruling. They are listed with the next
      ruling once it is made.
    - `recorded_rulings`: the same rulings as people see them.
    - `resting_numbers`: for each viewer and each ruling already checked, whether the ruling depends on something hidden
      from the viewer (`reading.veiling`); `unsure_facts`: for each viewer, the result of `find_unsure_adrift_facts`;
      `known_campaigns`: the campaign as the viewer may know it, or None for a viewer who may know everything.
    - `rewinds`: the rewinds, in order. `applied_rewind_count`: the number of rewinds already applied to the rulings.
    - `audiences`: the audiences of everything recorded or answered.
    - `chronicle`: the same history with an index; None until pasts are first compared. `decided_rulings`: the rulings
      with a decision since the last comparison, each with the revision that stood before.
    - `parsed_declarations`: rulings that are not in the history yet, with their declarations and answers as the audit
      has parsed them.
    - `known_to_all`: the campaign as everybody may know it, up to the ruling of this number. It is rebuilt after a
      decision or a late entry.
    - `has_late_rulings`: whether any ruling was entered late.
    """

    position: int = 0
    versions: dict[str, int] = field(default_factory=dict)
    named_digests: dict[str, int] = field(default_factory=dict)
    facts: dict[int, list[tuple[Subject, Recorded]]] = field(default_factory=lambda: defaultdict(list))
    facts_since: list[tuple[Subject, Body[object]]] = field(default_factory=list)
    rulings: dict[int, PastRuling] = field(default_factory=dict)
    standing_revisions: dict[int, int | None] = field(default_factory=dict)
    recorded_rulings: dict[int, Ruling] = field(default_factory=dict)
    resting_numbers: dict[Viewer, dict[int, bool]] = field(default_factory=dict)
    unsure_facts: dict[Viewer, frozenset[tuple[str, int, int]]] = field(default_factory=dict)
    known_campaigns: dict[Viewer, AsKnown | None] = field(default_factory=dict)
    audiences: set[Audience] = field(default_factory=set)
    rewinds: tuple[RecordedRewind, ...] = ()
    applied_rewind_count: int = 0
    known_to_all: tuple[int, AsKnown] | None = None
    chronicle: Chronicle | None = None
    decided_rulings: dict[int, int | None] = field(default_factory=dict)
    parsed_declarations: dict[int, tuple[object, tuple[Said, ...]]] = field(default_factory=dict)
    has_late_rulings: bool = False

    def list_in_play(self, entered: PastRuling | None = None) -> Collection[PastRuling]:
        """Return the rulings in order of play. `entered`: a ruling to include although it is not recorded yet."""
        rulings = self.rulings.values()
        if entered is None and not self.has_late_rulings:
            return rulings
        return sorted((*rulings, *((entered,) if entered is not None else ())), key=attrgetter("place"))

    def list_before(self, place: int) -> list[PastRuling]:
        """Return the rulings before this place, in order of play."""
        return [ruling for ruling in self.list_in_play() if ruling.place < place]


def load_history(book: Book) -> History:
    """Return the history as of the book's position. It is kept in memory, and what was saved since is added."""
    history = book.history
    if isinstance(history, History):
        _extend_history(book, history)
    else:
        book.history = history = _read_history(book)
    _forget_older_histories(book)
    return history


_latest_books: OrderedDict[int, Book] = OrderedDict()
_latest_books_lock = Lock()


def _forget_older_histories(book: Book) -> None:
    """Keep only the most recently used histories in memory, because histories are large."""
    with _latest_books_lock:
        _latest_books[id(book)] = book
        _latest_books.move_to_end(id(book))
        while len(_latest_books) > MOST_HISTORIES or (len(_latest_books) > 1 and count_kept_rulings() > MOST_RULINGS):
            _latest_books.popitem(last=False)[1].history = None


def count_kept_rulings() -> int:
    """Return the number of rulings in all histories that are kept in memory."""
    histories = [book.history for book in _latest_books.values()]
    return sum(len(history.rulings) for history in histories if isinstance(history, History))


def _read_history(book: Book) -> History:
    """Read the history in one pass over the record."""
    history, seen_streams = History(), set[str]()
    events_by_ruling: dict[int, list[Event]] = {}
    for first, end in RANGES:
        with closing(book.recorder.select_range_by_stream(f"{book.id}/{first}", f"{book.id}/{end}")) as rows:
            for stream, stream_rows in group_by_stream(rows):
                _add_stream(book, history, events_by_ruling, stream, stream_rows)
                seen_streams.add(stream)
    for stream in book.campaign.named_streams:
        if stream not in seen_streams and stream.split("/", 2)[1] in KINDS:
            _add_stream(book, history, events_by_ruling, stream, [])
    add_rulings(book, history, events_by_ruling)
    return history


def _extend_history(book: Book, history: History) -> None:
    """Add what was saved since the history was read. Read rulings with new decisions again."""
    if history.position == book.campaign.position:
        return
    entries = map(book.read_event, book.recorder.select_streams([(name_journal_stream(book.id), history.position)]))
    touched_streams = (stream for entry in entries for stream in name_streams_here(book.id, entry.body.fact.streams))
    streams = {stream for stream in touched_streams if stream.split("/", 2)[1] in KINDS}
    versions_read = [(stream, history.versions.get(stream, 0)) for stream in sorted(streams)]
    rows = dict(group_by_stream(book.recorder.select_streams(versions_read)))
    events_by_ruling: dict[int, list[Event]] = {}
    for stream, _ in versions_read:
        _add_stream(book, history, events_by_ruling, stream, rows.get(stream, []))
    add_rulings(book, history, events_by_ruling)


def _add_stream(
    book: Book, history: History, events_by_ruling: dict[int, list[Event]], stream: str, rows: list[StoredRow]
) -> None:
    """Add the events of a stream that count: facts to the history, and a ruling's events to `events_by_ruling`."""
    version_read, digest = history.versions.get(stream, 0), history.named_digests.get(stream, NOTHING)
    bodies = (book.read_event((stream, *row)).body for row in rows)
    events = [
        Event(stream, version, body)
        for version, body in enumerate(book.yield_named_bodies(stream, bodies, version_read, digest), version_read + 1)
    ]
    if not events:
        return
    _, kind, id = stream.split("/", 2)
    if kind == "ruling":
        events_by_ruling[int(id)] = events
        return
    history.versions[stream], history.named_digests[stream] = (
        version_read + len(events),
        book.campaign.named_streams[stream],
    )
    if kind == "rewinds":
        add_rewinds(history, events)
        return
    for event in events:
        add_fact(history, parse_subject(stream), event.body)


def add_rewinds(history: History, events: Iterable[Event]) -> None:
    """Add rewinds. `add_rulings` applies them."""
    history.rewinds += list_rewinds(events)


def add_fact(history: History, subject: Subject, body: Body[object]) -> None:
    """Add a fact about a subject."""
    if isinstance(body.fact, MARKS):
        history.known_to_all = None
        return
    (history.facts[body.ruling] if body.ruling else history.facts_since).append((subject, body))
    history.audiences.add(body.audience)


def add_rulings(book: Book, history: History, events_by_ruling: dict[int, list[Event]]) -> None:
    """Apply new rewinds, and then add or replace these rulings, each with all events of its stream. Add all their facts
    first.
    """
    history.facts_since.sort(key=lambda fact: fact[1].position)
    for recorded_rewind in history.rewinds[history.applied_rewind_count :]:
        _apply_rewind(history, recorded_rewind, events_by_ruling)
    history.applied_rewind_count = len(history.rewinds)
    for number in sorted(events_by_ruling):
        _add_ruling(book, history, number, events_by_ruling[number])
    history.position = book.campaign.position
    history.resting_numbers.clear()
    history.unsure_facts.clear()
    history.known_campaigns.clear()


def _apply_rewind(history: History, recorded_rewind: RecordedRewind, events_by_ruling: Container[int]) -> None:
    """Apply the rewind to its rulings, except those of `events_by_ruling`, which are folded again."""
    for number in range(recorded_rewind.rewind.first + 1, recorded_rewind.rewind.last + 1):
        ruling_before = history.recorded_rulings.get(number)
        if ruling_before is None or number in events_by_ruling:
            continue
        ruling = ruling_before.apply_rewind(recorded_rewind)
        if ruling is not ruling_before:
            history.decided_rulings.setdefault(number, history.standing_revisions.get(number, 0))
            history.standing_revisions[number] = ruling.standing
            history.recorded_rulings[number] = ruling
            if history.chronicle is not None:
                history.chronicle.replace_ruling(history.rulings[number])


def _add_ruling(book: Book, history: History, number: int, events: list[Event]) -> None:
    ruling = fold_ruling(number, events, history.rewinds)
    assert ruling is not None
    earlier_ruling = history.rulings.get(number)
    facts_before: tuple[tuple[Subject, Recorded], ...] = ()
    if earlier_ruling is not None:
        facts_before = earlier_ruling.before
    elif not ruling.ruled.after:
        facts_before = _take_facts_before(history, ruling)
    record = ruling.ruled
    parsed_declaration = history.parsed_declarations.pop(number, None)
    if ruling.change_count:
        parsed_declaration = None
        if (
            number not in history.recorded_rulings
            or history.recorded_rulings[number].change_count != ruling.change_count
        ):
            history.decided_rulings.setdefault(number, history.standing_revisions.get(number, 0))
        history.standing_revisions[number] = ruling.standing
    declaration, answers = parsed_declaration or read_declaration_as_of_today(
        book, record.declared, record.answers, record.edition
    )
    history.recorded_rulings[number] = ruling
    history.facts[number].sort(key=lambda fact: (fact[1].step, fact[0]))
    history.rulings[number] = PastRuling(
        number=number,
        declared=declaration,
        by=Viewer(record.seat, record.role, frozenset(record.plays)),
        scene=scene(record.scene) if record.scene is not None else None,
        said=answers,
        facts=tuple(history.facts[number]),
        reads=frozenset(record.reads) | (earlier_ruling.reads if earlier_ruling is not None else frozenset()),
        edition=record.edition,
        before=facts_before,
        revision=ruling.revision,
        refused=frozenset(revision for revision, refusal in enumerate(ruling.refusals) if refusal is not None),
        after=record.after,
    )
    history.audiences.update(answer.audience for answer in record.answers)
    if record.after and earlier_ruling is None:
        _note_late_ruling(history, number)
    if history.chronicle is not None:
        add_to_chronicle = history.chronicle.add_ruling if earlier_ruling is None else history.chronicle.replace_ruling
        add_to_chronicle(history.rulings[number])


def _note_late_ruling(history: History, number: int) -> None:
    """Treat this late entry as overturned until now, because it may change the results of later rulings."""
    history.has_late_rulings = True
    history.decided_rulings.setdefault(number, None)
    history.known_to_all = history.chronicle = None


def read_declaration_as_of_today(
    book: Book, declaration: Json, answers: Iterable[Given], edition: int
) -> tuple[Any, tuple[Said, ...]]:
    """Return a declaration with its answers, or `AsRecorded` without answers if the installed rules cannot read one of
    them.
    """
    try:
        return json_form.declaration_from_json(book.ruleset, declaration, edition), read_answers(book, answers, edition)
    except Malformed as problem:
        return AsRecorded(dict(declaration), problem.detail), ()


def read_answers(book: Book, recorded_answers: Iterable[Given], edition: int | None = None) -> tuple[Said, ...]:
    """Return answers with their questions: the answers that the revision uses, in order, then those set aside.

    `edition`: the edition that stored them, or None if they have the current form.
    """
    ordered_answers = sorted(recorded_answers, key=lambda recorded_answer: recorded_answer.set_aside)
    answers = (
        json_form.answer_from_json(book.ruleset, recorded_answer.answer, edition) for recorded_answer in ordered_answers
    )
    return tuple(
        Said(
            answer,
            recorded_answer.question,
            recorded_answer.set_aside,
            is_private=recorded_answer.set_aside and recorded_answer.withheld,
        )
        for answer, recorded_answer in zip(answers, ordered_answers, strict=True)
    )


def _take_facts_before(history: History, ruling: Ruling) -> tuple[tuple[Subject, Body[object]], ...]:
    """Return the facts recorded outside rulings before this ruling. For the first ruling, return none, because those
    facts belong to the opening.
    """
    facts_before = [fact for fact in history.facts_since if fact[1].position < ruling.position]
    del history.facts_since[: len(facts_before)]
    if ruling.number == 1:
        history.facts[0] = list(facts_before)
        return ()
    return tuple(facts_before)


def compare_pasts(
    book: Book,
    history: History,
    changed_numbers: Iterable[int],
    other_past: Other,
    known_comparison: Known | None = None,
) -> Comparison:
    """Compare the current past with `other_past`. They differ from the first ruling of `changed_numbers` on.

    `known_comparison`: the part of the comparison that the viewer may know, or None for all of it.
    """
    comparison = compare_from(
        load_chronicle(book, history),
        min(changed_numbers, key=book.campaign.find_place),
        history.standing_revisions,
        other_past,
        known=known_comparison,
    )
    end_comparison(book, history, comparison)
    return comparison


def end_comparison(book: Book, history: History, comparison: Comparison) -> None:
    """Add the facts recorded outside rulings after the last ruling, and log each error of the rules."""
    comparison.now.tell(history.facts_since)
    comparison.then.tell(history.facts_since)
    _log_failures(book, comparison)


def load_chronicle(book: Book, history: History) -> Chronicle:
    """Return the history's index. It is made on first use, and then extended."""
    judge_changed_rulings(book, history)
    assert history.chronicle is not None
    return history.chronicle


def judge_changed_rulings(
    book: Book, history: History, entry_only_subjects: Mapping[int, frozenset[str]] | None = None
) -> Mapping[int, Judged]:
    """Judge again each ruling whose result may have changed because of a decision since the last call. Return the new
    judgements.

    `entry_only_subjects`: for each ruling, the subjects that its last adjudication read without their state (only the
    kernel's entry). Pass it only if this function is called after every save with decisions, and no ruling was made
    since.
    """
    if history.chronicle is None:
        beginning = Past(book.ruleset, {})
        beginning.tell(history.facts[0])
        history.chronicle = Chronicle(beginning, history.list_in_play())
    if not history.decided_rulings:
        return {}
    chronicle = history.chronicle
    situation_before = (
        Before({**history.standing_revisions, **history.decided_rulings}, entry_only_subjects)
        if entry_only_subjects is not None
        else None
    )
    judgements = judge(chronicle, history.standing_revisions, history.decided_rulings, situation_before)
    for number, judgement in judgements.items():
        if further_reads := judgement.reads - history.rulings[number].reads:
            history.rulings[number] = chronicle.add_reads(number, further_reads)
    history.decided_rulings.clear()
    return judgements


def load_past_before(book: Book, history: History, place: int) -> Past:
    """Return the past up to this place in play, with the revisions that stand now."""
    past = Past(book.ruleset, history.standing_revisions)
    past.tell(history.facts[0])
    for ruling in history.list_before(place):
        past.tell((*ruling.before, *ruling.facts))
    return past


def _log_failures(book: Book, comparison: Comparison) -> None:
    """Log each error of the rules, without its message, which may be secret."""
    for row in comparison.rows:
        for outcome in (row.now, row.then):
            if isinstance(outcome, Failed):
                log_failure(book, row.number, outcome)


def log_failure(book: Book, number: int, failure: Failed) -> None:
    log_problem(book.id, f"ruling {number}", failure.problem)


def log_problem(campaign: str, task: str, problem: BaseException) -> None:
    """Log the place and the type of an error of the rules, without its message, which may be secret."""
    traceback = problem.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    location = f"{traceback.tb_frame.f_code.co_filename}:{traceback.tb_lineno}" if traceback is not None else "nowhere"
    log.error("The rules failed on %s of campaign %s: %s at %s", task, campaign, type(problem).__name__, location)
