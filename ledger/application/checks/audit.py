"""An audit of a campaign: it replays the record save by save, and adjudicates every ruling again with its recorded
answers.

Each ruling is judged on the campaign as it was known when the ruling was made. So later decisions make no difference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from ledger.aggregates.campaign import name_journal_stream, parse_subject
from ledger.application.book import Book
from ledger.application.checks.as_known import KnownCampaign
from ledger.application.checks.audit_report import Audit, RulingSetAside
from ledger.application.checks.consent_check import ConsentCheck
from ledger.application.checks.correctness import CorrectnessCheck
from ledger.application.checks.dice_check import check_dice
from ledger.application.checks.places_check import check_places
from ledger.application.checks.snapshot_check import SnapshotCheck
from ledger.application.collecting import collect_garbage_rarely
from ledger.application.reading.pasts import load_chronicle, log_failure, log_problem, read_declaration_as_of_today
from ledger.application.reading.verdicts import list_reasons
from ledger.errors import Fault
from ledger.events.codec import encode
from ledger.events.envelope import Body, Event
from ledger.events.journal_check import Misfit, list_misfits, make_unreadable_error
from ledger.events.lineage import name_streams_here
from ledger.events.records import MARKS, Decided, Retold, Ruled, RuledLate, SetAside
from ledger.events.records_of_journal import Entry
from ledger.events.sealing import is_sealed_stream
from ledger.rules.kernel import purses
from ledger.rules.kernel.adjudication import Failed, Outcome, replay
from ledger.rules.kernel.chronicle import Shared, get_point_of
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.facts import Leg
from ledger.rules.kernel.recounting import recount
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import SUBJECT_KINDS, Subject, Viewer, scene
from ledger.rules.kernel.table import RulingTable, Subjects
from ledger.rules.kernel.world import list_recorded

Progress: TypeAlias = Callable[[int, int], None]


def audit(book: Book, progress: Progress = lambda count, total: None) -> Audit:
    """Replay the whole record. `progress`: called with the number of rulings checked so far and the total number."""
    with collect_garbage_rarely():
        return _Auditor(book, progress).run()


class _Auditor:
    def __init__(self, book: Book, progress: Progress) -> None:
        self.book = book
        self.progress = progress
        self.result = Audit(is_installed=book.is_installed)
        self.known_campaign = KnownCampaign(book.ruleset)
        self.consent_check = ConsentCheck(self.known_campaign)
        self.correctness_check = CorrectnessCheck(book, self.known_campaign)
        self.snapshot_check = SnapshotCheck(book, self.known_campaign)
        self.versions_by_stream: dict[str, int] = defaultdict(int)
        self.first_records: dict[int, tuple[Ruled, int]] = {}
        self.revision_counts: dict[int, int] = defaultdict(int)
        self.has_decisions = False

    def run(self) -> Audit:
        events_by_save = self._group_by_save()
        self._check_dice(events_by_save)
        self.result.position = self.book.campaign.position
        for position in range(1, self.book.campaign.position + 1):
            try:
                self._check_save(position, events_by_save.pop(position, []))
            except Exception as problem:  # noqa: BLE001  (a record that no rules made can raise anything)
                log_problem(self.book.id, f"save {position}", problem)
                self.result.add_difference(
                    "journal", f"Save {position} can't be read, so later saves were not checked."
                )
                return self.result
        self.result.subjects = self.known_campaign.subjects
        if self.snapshot_check.fault is not None:
            self.result.add_difference("snapshot", self.snapshot_check.fault)
        self._report_breakages()
        self._check_balances()
        if self.book.is_installed:
            check_places(self.book, self.known_campaign, self.result)
        return self.result

    def _report_breakages(self) -> None:
        """Report each standing fact that makes the game's fold raise an error."""
        for subject, known_subject in self.result.subjects.items():
            for breakage in known_subject.folded.broken_facts:
                problem = f"The rules fail on a result of ruling {breakage.ruling} about {subject}: {breakage.why}"
                self.result.add_difference(
                    "state", f"{problem} To set the ruling aside, use campaign-ledger repair.", breakage.ruling
                )

    def _check_dice(self, events_by_save: dict[int, list[Event]]) -> None:
        try:
            fault = check_dice(event for events in events_by_save.values() for event in events)
        except Exception as problem:  # noqa: BLE001
            log_problem(self.book.id, "the dice", problem)
            self.result.add_difference("dice", "The dice can't be checked, because their records are out of order.")
            return
        if fault is not None:
            self.result.add_difference("dice", f"{fault.detail} This is in save {fault.position}.")

    def _group_by_save(self) -> dict[int, list[Event]]:
        """Group the events that the journal names by save. Report missing events, and events that the journal does not
        name.
        """
        recorder, codec, id = self.book.recorder, self.book.codec, self.book.id
        events: list[Event] = []
        unread_places: set[tuple[str, int]] = set()
        for stream, version, topic, state in recorder.select_range(f"{id}/", f"{id}0"):
            if not is_sealed_stream(stream):
                continue
            try:
                events.append(Event(stream, version, codec.decode(topic, bytes(state))))
            except Fault as problem:
                unread_places.add((stream, version))
                self.result.add_difference("journal", make_unreadable_error(stream, version, problem).detail)
        self.has_decisions = any(type(event.body.fact) in (Decided, RuledLate) for event in events)
        unnamed_places = self._report_misfits(events, unread_places)
        events_by_save: dict[int, list[Event]] = defaultdict(list)
        for event in events:
            place = (event.originator_id, event.originator_version)
            if event.body.position <= self.book.campaign.position and place not in unnamed_places:
                events_by_save[event.body.position].append(event)
                self.result.event_count += 1
        return events_by_save

    def _report_misfits(self, events: Sequence[Event], unread_places: set[tuple[str, int]]) -> set[tuple[str, int]]:
        """Report missing events, and events that no journal entry names. Return the places of the latter."""
        journal_stream = name_journal_stream(self.book.id)
        named_versions: dict[str, list[tuple[int, int]]] = defaultdict(list)
        bodies_by_stream: dict[str, dict[int, Body[object]]] = defaultdict(dict)
        misfits: list[tuple[str, Misfit]] = []
        for event in events:
            stream, version, body = event.originator_id, event.originator_version, event.body
            if stream != journal_stream:
                bodies_by_stream[stream][version] = body
            elif isinstance(body.fact, Entry) and body.position == version:
                for named_stream, latest_version in name_streams_here(self.book.id, body.fact.streams).items():
                    named_versions[named_stream].append((version, latest_version))
            else:
                misfits.append((stream, Misfit(version, "unnamed", body.position)))
        for stream in sorted({*named_versions, *bodies_by_stream}):
            misfits += [
                (stream, misfit) for misfit in list_misfits(sorted(named_versions[stream]), bodies_by_stream[stream])
            ]
        for stream, misfit in misfits:
            if misfit.what == "unnamed" or (stream, misfit.version) not in unread_places:
                self.result.add_difference("journal", misfit.make_unsound(stream).detail)
        return {(stream, misfit.version) for stream, misfit in misfits if misfit.what == "unnamed"}

    # --- one save ---

    def _check_save(self, position: int, events: list[Event]) -> None:
        entries = [event for event in events if isinstance(event.body.fact, Entry)]
        other_events = [event for event in events if not isinstance(event.body.fact, Entry)]
        if [event.originator_version for event in entries] != [position]:
            self.result.add_difference("journal", f"Save {position} must have exactly one journal entry.")
        for event in events:
            self.versions_by_stream[event.originator_id] += 1
            if event.originator_version != self.versions_by_stream[event.originator_id]:
                self.result.add_difference("numbering", f"{_name_place(event)} is out of order in its stream.")
        records = list(_list_ruling_records(other_events))
        facts_by_revision = _group_facts_by_revision(other_events) if records else {}
        if self.book.is_installed:
            self.consent_check.note_proposals(other_events)
        decision = self.consent_check.find_decision(other_events) if self.book.is_installed else None
        for number, record, _ in records:
            if isinstance(record, Ruled):
                self._check_first_record(number, record, position, facts_by_revision)
        for event in other_events:
            _, kind, id = event.originator_id.split("/", 2)
            if kind in SUBJECT_KINDS:
                self.known_campaign.apply_event(Subject(kind, id), event.body)
            elif isinstance(event.body.fact, SetAside):
                self.result.set_aside.append(RulingSetAside(int(id), event.body.at, event.body.fact.reason))
        if self.book.is_installed and entries:
            for concerned_number, sentence in self.correctness_check.check_save(other_events, entries[0].body.fact):
                self.result.add_difference("finding", sentence, concerned_number)
        self.consent_check.note_standing(other_events)
        self.snapshot_check.check_save(position, other_events, entries)
        past_records = [record for record in records if isinstance(record[1], Retold) or record[1].after]
        self._check_past_records(past_records, facts_by_revision)
        fault = self.consent_check.check_consent(decision, other_events) if decision is not None else None
        if decision is not None and fault is not None:
            self.result.add_difference("consent", fault, decision.number)

    def _check_first_record(
        self, number: int, record: Ruled, position: int, facts_by_revision: FactsByRevision
    ) -> None:
        if number != self.result.ruling_count + 1:
            self.result.add_difference(
                "numbering", f"Ruling {number} is out of order: it follows ruling {self.result.ruling_count}.", number
            )
        self.result.ruling_count = number
        self.first_records[number] = (record, position)
        if not record.after:
            self._judge_revision(number, record, self.known_campaign, 0, facts_by_revision)
        if number % 100 == 0:
            self.progress(number, self.book.campaign.rulings)

    def _check_past_records(self, records: Sequence[RulingRecord], facts_by_revision: FactsByRevision) -> None:
        """Check the rulings that one save entered late, ruled again or recounted. Each is judged on the state before
        its place in play.
        """
        if not records:
            return
        history = self.correctness_check.update_history()
        past = Shared(load_chronicle(self.book, history), history.standing_revisions, 0, starts_from_kept=True)
        find_place = self.book.campaign.find_place
        for number, record, is_recount in sorted(records, key=lambda numbered: find_place(numbered[0])):
            first_record, _ = self.first_records[number]
            past.point = get_point_of(find_place(number))
            if isinstance(record, Ruled):
                self._judge_revision(number, first_record, past, 0, facts_by_revision)
                continue
            self.revision_counts[number] += 1
            if is_recount:
                self._check_recount(number, past, self.revision_counts[number], facts_by_revision, record)
            else:
                self._judge_revision(
                    number, first_record, past, self.revision_counts[number], facts_by_revision, record
                )
        past.keep()

    def _check_recount(
        self,
        number: int,
        subjects: Subjects,
        revision_number: int,
        facts_by_revision: FactsByRevision,
        retold_record: Retold,
    ) -> None:
        """Compare the recorded consequences of a recounted ruling with those that the rules give."""
        ruleset = self.book.ruleset
        self.result.note_judgement(number, retold_record.edition, was_judged=retold_record.edition == ruleset.edition)
        if retold_record.edition != ruleset.edition:
            return
        facts_before = self.correctness_check.update_history().facts[number]
        replaced_facts = [(subject, body) for subject, body in facts_before if body.revision == revision_number - 1]
        verdict = recount(ruleset, subjects.find, replaced_facts)
        self.result.readjudicated_count += 1
        facts = facts_by_revision.get((number, revision_number), [])
        if verdict is None or sorted(_list_facts(verdict, number, revision_number), key=_make_sort_key) != facts:
            self.result.add_difference(
                "ruling", f"The recorded consequences of ruling {number} do not follow from it.", number
            )

    def _judge_revision(
        self,
        number: int,
        first_record: Ruled,
        subjects: Subjects,
        revision_number: int,
        facts_by_revision: FactsByRevision,
        retold_record: Retold | None = None,
    ) -> None:
        """Compare a revision with the result that the rules give on the campaign as it was known."""
        ruleset, record = self.book.ruleset, retold_record or first_record
        self.result.note_judgement(number, record.edition, was_judged=record.edition == ruleset.edition)
        if record.edition != ruleset.edition:
            return
        declarer = Viewer(first_record.seat, first_record.role, frozenset(first_record.plays))
        named_scene = scene(first_record.scene) if first_record.scene is not None else None
        table = RulingTable(ruleset, subjects, number, declarer, named_scene, after=first_record.after)
        do, answers = read_declaration_as_of_today(self.book, record.declared, record.answers, record.edition)
        outcome = replay(ruleset, table, do, answers).outcome
        if retold_record is None:
            self.correctness_check.entry_only_subjects[number] = table.entries
            if self.has_decisions and not first_record.after:
                self.correctness_check.history.parsed_declarations[number] = (do, answers)
        self.result.readjudicated_count += 1
        if isinstance(outcome, Failed):
            log_failure(self.book, number, outcome)
        facts = facts_by_revision.get((number, revision_number), [])
        if retold_record is not None and retold_record.refused is not None:
            if not isinstance(outcome, Refused) or isinstance(outcome, Failed) or facts:
                self.result.add_difference(
                    "ruling", f"Ruling {number} is recorded as refused, but the rules allow it.", number
                )
        elif sorted(_list_facts(outcome, number, revision_number), key=_make_sort_key) != facts:
            self.result.add_difference(
                "ruling", f"Ruling {number} has a different result than recorded: {_describe_outcome(outcome)}.", number
            )
        elif isinstance(outcome, Verdict) and encode(list_reasons(outcome)) != encode(record.because):
            self.result.add_difference(
                "because", f"Ruling {number} has the recorded result, but for different reasons.", number
            )

    # --- the end ---

    def _check_balances(self) -> None:
        """Check that each balance is the sum of the postings of standing facts, and that each unit adds up to 0."""
        expected_balances: dict[str, int] = defaultdict(int)
        for known_subject in self.result.subjects.values():
            revisions = known_subject.revisions
            for body in known_subject.bodies:
                is_standing = revisions.get(body.ruling, 0) == body.revision
                if body.postings and is_standing and not isinstance(body.fact, Leg):
                    for posting in body.postings:
                        expected_balances[posting.source] -= posting.amount
                        expected_balances[posting.target] += posting.amount
        held_balances = {
            account: amount
            for known_subject in self.result.subjects.values()
            for account, amount in known_subject.folded.purse.items()
        }
        for account in sorted({*held_balances, *expected_balances}):
            if purses.owner_of(account) is not None and held_balances.get(account, 0) != expected_balances[account]:
                self.result.add_difference(
                    "balance",
                    f"An account has {held_balances.get(account, 0)}, but its entries add up to a different balance.",
                )
        totals: dict[str, int] = defaultdict(int)
        for account, amount in expected_balances.items():
            totals[purses.unit_of(account)] += amount
        for unit, total in totals.items():
            if total:
                self.result.add_difference(
                    "balance", f"All changes of {unit!r} add up to {total}. They must add up to 0."
                )
        self.result.balances = dict(expected_balances)


RulingRecord: TypeAlias = tuple[int, Ruled | Retold, bool]
FactAt: TypeAlias = tuple[Subject, int, object, object]
#: The facts of each revision, by the numbers of the ruling and the revision.
FactsByRevision: TypeAlias = dict[tuple[int, int], list[FactAt]]


def _list_ruling_records(events: Iterable[Event]) -> Iterator[RulingRecord]:
    """Yield the rulings that were made, ruled again or recounted, by number. The last value of each item is True for a
    recounted ruling.
    """
    records: list[RulingRecord] = []
    for event in events:
        fact = event.body.fact
        record = fact.retold if isinstance(fact, Decided) else fact if isinstance(fact, Ruled) else None
        is_recount = isinstance(fact, Decided) and fact.decision == "recounted"
        if record is not None:
            records.append((int(event.originator_id.rpartition("/")[2]), record, is_recount))
    yield from sorted(records, key=lambda item: item[0])


def _group_facts_by_revision(events: Iterable[Event]) -> FactsByRevision:
    """Return the facts that a save recorded for each revision, in order."""
    facts_by_revision: FactsByRevision = defaultdict(list)
    for event in events:
        body = event.body
        if body.ruling and not isinstance(body.fact, MARKS):
            fact_at = (parse_subject(event.originator_id), body.step, body.fact, body.postings)
            facts_by_revision[body.ruling, body.revision].append(fact_at)
    for facts in facts_by_revision.values():
        facts.sort(key=_make_sort_key)
    return facts_by_revision


def _list_facts(outcome: Outcome, number: int, revision_number: int) -> Iterator[FactAt]:
    if isinstance(outcome, Verdict):
        for subject, fact in list_recorded(number, revision_number, outcome):
            yield (subject, fact.step, fact.fact, fact.postings)


def _make_sort_key(fact_at: FactAt) -> tuple[int, Subject]:
    return fact_at[1], fact_at[0]


def _describe_outcome(outcome: Outcome) -> str:
    if isinstance(outcome, Failed):
        return "the rules failed"
    if isinstance(outcome, Refused):
        return "the rules refuse it"
    return "the facts are different" if isinstance(outcome, Verdict) else "the rules need another answer"


def _name_place(event: Event) -> str:
    """Return the event's stream (without the campaign) and its version."""
    return f"{event.originator_id.partition('/')[2]} version {event.originator_version}"
