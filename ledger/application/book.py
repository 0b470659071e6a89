"""One campaign in memory, up to the last event that this process has read.

A book only saves time. Every save advances it, and so do the journal entries of other processes. Drop it whenever it is
unclear whether a save succeeded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from threading import RLock

from ledger.aggregates.campaign import Campaign, Misnamed, name_journal_stream, name_subject_stream, parse_subject
from ledger.aggregates.proposal import Proposal, fold_proposal
from ledger.aggregates.randomness import Randomness, name_randomness_stream
from ledger.aggregates.rewinds import RecordedRewind, list_rewinds, name_rewinds_stream
from ledger.aggregates.ruling import Pending, Ruling, fold_pending, fold_ruling
from ledger.aggregates.subject_stream import SubjectStream
from ledger.application.editions import check_edition, upcast_pending
from ledger.application.known_subjects import MOST_STREAMS, KnownSubjects
from ledger.application.rulesets import find_ruleset
from ledger.application.snapshots import Snapshot, Snapshots, find_next_snapshot_position, hash_entry
from ledger.errors import Fault, GameAtFault, NotFound, Unsound
from ledger.events.codec import Codec
from ledger.events.envelope import Body, Event
from ledger.events.journal_check import NOTHING, Misfit, group_by_stream, list_misfits, make_unreadable_error
from ledger.events.lineage import name_stream_here, name_streams_here
from ledger.events.read_transaction import ReadTransaction
from ledger.events.recorder import LedgerRecorder, Row
from ledger.events.records import Declared, TokenIssued
from ledger.events.records_of_journal import Finding
from ledger.events.sealing import is_sealed_stream
from ledger.rules.kernel.citations import is_citable
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.dials import Dials as KernelDials
from ledger.rules.kernel.facts import CampaignForked
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.register import CampaignEntry
from ledger.rules.kernel.subjects import CAMPAIGN, SUBJECT_KINDS, Subject, Viewer, seat
from ledger.rules.kernel.table import find_viewer, load_campaign_entry, load_dials


class Book:
    """One campaign as this process knows it. Callers hold `lock` while they load and save.

    `is_installed`: whether the campaign's game is installed. `snapshots`: the store of snapshots. `trusts_snapshots`:
    whether to start from a snapshot. `is_guarded`: whether to refuse a subject if the game's fold raised an error for
    it. Only checks turn this off.
    """

    is_installed = True
    is_guarded = True

    def __init__(
        self,
        recorder: LedgerRecorder,
        codec: Codec,
        campaign_id: str,
        snapshots: Snapshots | None = None,
        *,
        trusts_snapshots: bool = True,
    ) -> None:
        self.lock = RLock()
        self.recorder = recorder
        self.codec = codec
        self.id = campaign_id
        self.snapshots, self.trusts_snapshots = snapshots, trusts_snapshots
        self.is_proved = False
        self._mark = ""
        self.reset()

    def reset(self) -> None:
        """Forget everything. The next read starts from the record."""
        self.campaign = Campaign(self.id)
        self.known_subjects = KnownSubjects()
        self.snapshot_due = find_next_snapshot_position(0)
        self.tokens: dict[str, TokenIssued] = {}
        self._token_places: dict[str, tuple[int, int]] = {}
        self._ruleset: AnyRuleset | None = None
        self._randomness: Randomness | None = None
        self._randomness_digest_behind: int | None = None
        self._pendings: dict[str, tuple[int, Pending]] = {}
        self._forks: list[CampaignForked] = []
        self._are_all_claimed = False
        self.history: object = None
        self.own_saves_in_a_row = 0

    @contextmanager
    def use_transaction(self, transaction: ReadTransaction | None) -> Iterator[None]:
        """Within the block, read everything in `transaction`, unless it is None. The transaction must be unused."""
        assert transaction is None or not transaction.has_begun
        usual_recorder = self.recorder
        self.recorder = usual_recorder if transaction is None else usual_recorder.bind_to(transaction)
        try:
            yield
        finally:
            self.recorder = usual_recorder

    # --- reading ---

    def catch_up(self, *streams: str) -> list[Event]:
        """Read the new journal entries, and return the new events of `streams`. All are read in one round trip.

        If events were removed or changed since the last call, forget everything read so far.
        """
        rows_after_snapshot = None if self.campaign.position else self._begin_from_snapshot(streams)
        if rows_after_snapshot is not None:
            return self._apply_journal(rows_after_snapshot)
        journal = name_journal_stream(self.id)
        while True:
            places = [(journal, self.campaign.position), *((stream, self._get_version(stream)) for stream in streams)]
            mark, rows = self.recorder.select_news(places)
            if self._mark not in ("", mark):
                self.reset()
            if mark != self._mark:
                self._mark, self.is_proved = mark, mark.startswith("0")
                if places[0][1]:
                    continue  # the rows continue from the last known entry
            break
        return self._apply_journal(rows)

    def _apply_journal(self, rows: Iterable[Row]) -> list[Event]:
        """Apply the journal entries among these rows. Return the events of all other rows."""
        journal, other_events = name_journal_stream(self.id), list[Event]()
        for event in map(self.read_event, rows):
            if event.originator_id == journal:
                self.own_saves_in_a_row = 0
                self._apply_journal_entry(event)
            else:
                other_events.append(event)
        return other_events

    def _begin_from_snapshot(self, streams: Sequence[str]) -> list[Row] | None:
        """Start from a snapshot. Return the journal's rows after the snapshot and the rows of `streams`, or None if
        there is no trusted snapshot.
        """
        snapshot = self.snapshots.load_snapshot(self.id) if self.snapshots and self.trusts_snapshots else None
        if snapshot is None:
            return None
        journal, position = name_journal_stream(self.id), snapshot.campaign.position
        mark, rows = self.recorder.select_news([(journal, position - 1), *((stream, 0) for stream in streams)])
        is_confirmed = bool(rows) and rows[0][:2] == (journal, position) and hash_entry(rows[0]) == snapshot.entry
        if not is_confirmed or not mark.startswith("0") or self._mark not in ("", mark):
            return None
        self._mark, self.is_proved = mark, True
        self.restore(snapshot)
        return rows[1:]

    def read_to(self, position: int) -> None:
        """Read the campaign from its first save up to this position."""
        self._apply_journal(self.recorder.select_spans([(name_journal_stream(self.id), 0, position)]))

    def restore(self, snapshot: Snapshot) -> None:
        self.campaign, self._randomness = snapshot.campaign, snapshot.randomness
        self._randomness_digest_behind = snapshot.randomness_digest_behind
        self.known_subjects = KnownSubjects(snapshot.subjects, snapshot.digests_behind)
        self.snapshot_due = find_next_snapshot_position(self.campaign.position)

    def make_snapshot(self) -> Snapshot:
        """Return a snapshot of the campaign now, with the subjects read so far."""
        subjects, digests_behind = self.known_subjects.freeze_subjects()
        (entry,) = self.recorder.select_at([(name_journal_stream(self.id), self.campaign.position)])
        return Snapshot(
            self.campaign, hash_entry(entry), subjects, digests_behind, self._randomness, self._randomness_digest_behind
        )

    def _get_version(self, stream: str) -> int:
        _, kind, id = stream.split("/", 2)
        return self.get_token_version(id) if kind == "access" else 0

    def prove(self) -> None:
        """Raise Unsound if the events differ from those that the journal names. Nothing is checked if no event was ever
        removed or changed.
        """
        if self.is_proved:
            return
        seen_streams = {name_journal_stream(self.id)}
        with closing(self.recorder.select_range_by_stream(f"{self.id}/", f"{self.id}0")) as stored_rows:
            for stream, rows in group_by_stream(stored_rows):
                if is_sealed_stream(stream) and stream not in seen_streams:
                    seen_streams.add(stream)
                    self._read_counted_events(stream, rows)
        for stream in self.campaign.named_streams:
            if stream not in seen_streams:
                self._read_counted_events(stream, [])
        self.is_proved = True

    def _apply_journal_entry(self, event: Event) -> None:
        for stream, digest_before in self.campaign.apply_entry(event.originator_version, event.body).items():
            _, kind, id = stream.split("/", 2)
            if kind in SUBJECT_KINDS:
                self.known_subjects.note_news(Subject(kind, id), digest_before)
            elif kind == "randomness" and self._randomness_digest_behind is None:
                self._randomness_digest_behind = digest_before

    def read_event(self, row: Row) -> Event:
        stream, version, topic, state = row
        try:
            return Event(stream, version, self.codec.decode(topic, state))
        except Fault as problem:
            raise make_unreadable_error(stream, version, problem) from problem

    def read(self, *streams: str) -> list[Event]:
        """Return the streams' events as of the campaign's position. Raise Unsound if they differ from those that the
        journal names.
        """
        rows = dict(group_by_stream(self.recorder.select_streams([(stream, 0) for stream in streams])))
        return [event for stream in streams for event in self._read_counted_events(stream, rows.get(stream, []))]

    def _read_counted_events(self, stream: str, rows: Iterable[tuple[int, str, bytes]]) -> list[Event]:
        events = [self.read_event((stream, *row)) for row in rows]
        if is_sealed_stream(stream):
            bodies = self.yield_named_bodies(stream, [event.body for event in events])
            return [Event(stream, version, body) for version, body in enumerate(bodies, 1)]
        return [event for event in events if event.body.position <= self.campaign.position]

    def yield_named_bodies(
        self, stream: str, bodies: Iterable[Body[object]], after: int = 0, digest: int = NOTHING
    ) -> Iterator[Body[object]]:
        """Yield the events that count (`Campaign.yield_named_bodies`). Raise Unsound at the first event that does not
        match the journal.
        """
        try:
            yield from self.campaign.yield_named_bodies(stream, bodies, after, digest)
        except Misnamed:
            raise self.make_mismatch_error(stream) from None

    def make_mismatch_error(self, stream: str) -> Unsound:
        """Read the stream and the journal again from the beginning, and return the error that describes how they
        differ.
        """
        rows = self.recorder.select_streams([(name_journal_stream(self.id), 0), (stream, 0)])
        position, named_versions, bodies = self.campaign.position, list[tuple[int, int]](), dict[int, Body[object]]()
        for event in map(self.read_event, rows):
            version, body = event.originator_version, event.body
            if event.originator_id == stream:
                if body.position <= position:
                    bodies[version] = body
            elif version <= position and stream in (streams := name_streams_here(self.id, body.fact.streams)):
                named_versions.append((version, streams[stream]))
        misfit = next(list_misfits(named_versions, bodies), None)
        if misfit is not None:
            return misfit.make_unsound(stream)
        return Unsound(f"{stream.partition('/')[2]} does not match the journal.")

    def _make_reader(self, subject: Subject, after: int, digest: int) -> Callable[[], Iterator[Body[object]]]:
        """Read a subject's events once. Return a function that yields those up to the campaign's position."""
        stream = name_subject_stream(self.id, subject)
        rows = self.recorder.select_stream(stream, after)
        return lambda: self.yield_named_bodies(stream, self.codec.decode_bodies(rows), after, digest)

    def check_edition(self) -> None:
        """Raise Newer if something was saved under a later edition of the game's rules than the one installed."""
        if self.is_installed and self.campaign.position:
            check_edition(self.ruleset, self.campaign.edition)

    # --- subjects: the `Subjects` of a ruling's table ---

    @property
    def ruleset(self) -> AnyRuleset:
        """The campaign's game. Raise NotFound if there is no such campaign, Fault if its game is not installed."""
        if self._ruleset is None:
            try:
                self._ruleset = find_ruleset(self.recorder, self.codec, self.id)
            except NotFound:
                self._check_soundness(name_subject_stream(self.id, CAMPAIGN))
                raise
        return self._ruleset

    def load_stream(self, subject: Subject) -> SubjectStream:
        """Return the subject's stream as of the last journal entry read. It is empty if nothing is recorded."""
        stream = self.known_subjects.find_current_stream(subject)
        if stream is None:
            try:
                stream = self.known_subjects.read_on(subject, self.ruleset, partial(self._make_reader, subject))
            except Unsound:
                raise
            except Exception:  # a record that did not come from the rules can break any of their functions
                self._check_soundness(name_subject_stream(self.id, subject))
                raise
        if stream.folded.broken_facts and self.is_guarded:
            raise self._make_game_error(stream)
        return stream

    def _make_game_error(self, stream: SubjectStream) -> GameAtFault:
        """Return the error to raise for a subject if the game's fold raised an error for it."""
        self._check_soundness(name_subject_stream(self.id, stream.subject))
        ruling, _, failure_text = stream.folded.broken_facts[0]
        problem = (
            f"The rules of {self.ruleset.title} fail on the results of ruling {ruling}, so its results are not applied."
        )
        remedy = f"The operator can set the ruling aside: campaign-ledger repair {self.id} {ruling} --reason TEXT."
        return GameAtFault(f"{problem} {remedy}", failure_text, system=self.ruleset.name, ruling=ruling)

    def _check_soundness(self, stream: str) -> None:
        """Raise Unsound if the journal does not name the event that broke the fold, or if the event cannot be read."""
        self.read(stream)

    def find(self, subject: Subject) -> Folded[object] | None:
        stream = self.known_subjects.find_current_stream(subject)
        if stream is None:
            if subject not in self.campaign.subjects:
                return None
            stream = self.load_stream(subject)
        elif stream.folded.broken_facts and self.is_guarded:
            raise self._make_game_error(stream)
        return stream.folded if stream.version else None

    def seats(self) -> Sequence[Subject]:
        return [seat(id) for id in self.campaign.seats]

    def load_viewer(self, id: str) -> Viewer | None:
        return find_viewer(self, seat(id))

    @property
    def entry(self) -> CampaignEntry:
        return load_campaign_entry(self)

    def load_kernel_dials(self) -> KernelDials:
        dials: KernelDials = load_dials(KernelDials, self.entry)
        return dials

    # --- rulings and waiting declarations ---

    def load_ruling(self, number: int) -> Ruling:
        """Return a ruling. Raise NotFound if no ruling has this number."""
        rulings = self.load_rulings([number])
        if not rulings:
            raise NotFound(f"There is no ruling {number}.", code="ruling-not-found", ruling=number)
        return rulings[0]

    def load_rulings(self, numbers: Iterable[int]) -> list[Ruling]:
        """Return the rulings with these numbers, in the given order, without unknown numbers. All are read in one round
        trip.
        """
        numbers_by_stream = {
            f"{self.id}/ruling/{number}": number for number in numbers if 0 < number <= self.campaign.rulings
        }
        rewinds_stream = name_rewinds_stream(self.id)
        streams = [*numbers_by_stream, *([rewinds_stream] if self.campaign.named_streams[rewinds_stream] else [])]
        events_by_stream: dict[str, list[Event]] = {stream: [] for stream in streams}
        for event in self.read(*streams) if numbers_by_stream else ():
            events_by_stream[event.originator_id].append(event)
        rewinds = list_rewinds(events_by_stream.pop(rewinds_stream, ()))
        rulings = (
            fold_ruling(numbers_by_stream[stream], own_events, rewinds)
            for stream, own_events in events_by_stream.items()
        )
        return [ruling for ruling in rulings if ruling is not None]

    def list_rewinds(self) -> tuple[RecordedRewind, ...]:
        """Return the rewinds and their reinstatements, in order."""
        stream = name_rewinds_stream(self.id)
        return list_rewinds(self.read(stream)) if self.campaign.named_streams[stream] else ()

    def cited(self, number: int) -> list[tuple[Subject, Body[object]]]:
        """Return the ruling's facts that a declaration can cite: none if the ruling does not stand."""
        rulings = self.load_rulings([number])
        if not rulings or not rulings[0].stands:
            return []
        addresses = [(name_stream_here(self.id, address.stream), address.version) for address in rulings[0].ruled.facts]
        facts = [(parse_subject(row[0]), self.read_event(row).body) for row in self.recorder.select_at(addresses)]
        return [(subject, body) for subject, body in facts if is_citable(self.ruleset, body.fact)]

    def load_pending(self, id: str) -> Pending:
        """Return the declaration with this id, even if it no longer waits. Raise NotFound if no declaration ever had
        the id.
        """
        events = self.read(f"{self.id}/waiting/{id}") if _is_waiting_id(id) else []
        pending = fold_pending(id, events) if not events or isinstance(events[0].body.fact, Declared) else None
        if pending is None:
            raise NotFound(f"There is no waiting declaration with the id {id!r}.", code="waiting-not-found")
        return self._upcast_if_waiting(pending)

    def load_pendings(self, ids: Iterable[str]) -> list[Pending]:
        """Return the declarations with these ids, even those that no longer wait. All new events are read in one round
        trip.
        """
        if len(self._pendings) > MOST_STREAMS:
            self._pendings.clear()
        digests = {id: self.campaign.named_streams[f"{self.id}/waiting/{id}"] for id in ids}
        ids_by_stream = {
            f"{self.id}/waiting/{id}": id for id, digest in digests.items() if self._pendings.get(id, (0,))[0] != digest
        }
        events_by_stream: dict[str, list[Event]] = {stream: [] for stream in ids_by_stream}
        for event in self.read(*ids_by_stream) if ids_by_stream else ():
            events_by_stream[event.originator_id].append(event)
        for stream, id in ids_by_stream.items():
            pending = fold_pending(id, events_by_stream[stream])
            assert pending is not None, f"{id} was never declared"
            self._pendings[id] = (digests[id], self._upcast_if_waiting(pending))
        return [self._pendings[id][1] for id in digests]

    def _upcast_if_waiting(self, pending: Pending) -> Pending:
        """Return the declaration. If it still waits, convert it to the form of the installed edition."""
        edition = self.campaign.find_edition(pending.position)
        if pending.status != "waiting" or edition == self.ruleset.edition or not self.is_installed:
            return pending
        return upcast_pending(self.ruleset, pending, edition)

    def list_waiting(self) -> list[Pending]:
        """Return the waiting declarations, the oldest first."""
        return self.load_pendings(self.campaign.waiting_ids)

    def find_proposal(self, id: str) -> Proposal | None:
        """Return the decision that waits, or waited, for consent under the id, or None."""
        return fold_proposal(id, self.read(f"{self.id}/waiting/{id}")) if _is_waiting_id(id) else None

    def list_proposals(self) -> list[Proposal]:
        """Return the decisions that wait for consent, in order."""
        proposals = (self.find_proposal(id) for id in self.campaign.proposal_ids)
        return [proposal for proposal in proposals if proposal is not None]

    def find_finding(self, id: str) -> Finding:
        finding = self.campaign.open_findings.get(id)
        if finding is None:
            raise NotFound(f"There is no open finding {id!r}.", code="finding-not-found")
        return finding

    @property
    def randomness(self) -> Randomness:
        """Return the commitments behind the ledger's dice, as of the campaign's position."""
        randomness = self._randomness
        if randomness is None or self._randomness_digest_behind is not None:
            randomness, digest = (
                (randomness, self._randomness_digest_behind) if randomness is not None else (Randomness(), NOTHING)
            )
            self._randomness = None  # if this fails halfway, nothing is kept
            stream = name_randomness_stream(self.id)
            bodies = self.codec.decode_bodies(self.recorder.select_stream(stream, randomness.version))
            for body in self.yield_named_bodies(stream, bodies, randomness.version, digest or NOTHING):
                randomness.apply_event(randomness.version + 1, body)
            self._randomness, self._randomness_digest_behind = randomness, None
        return randomness

    # --- forks ---

    @property
    def forks(self) -> Sequence[CampaignForked]:
        """The forks that led to this campaign, the oldest first."""
        versions = self.campaign.fork_versions
        if len(self._forks) < len(versions):
            stream = name_subject_stream(self.id, CAMPAIGN)
            rows = self.recorder.select_at([(stream, version) for version in versions.values()])
            facts = (self.read_event(row).body.fact for row in rows)
            self._forks = [fact for fact in facts if type(fact) is CampaignForked]
        return self._forks

    def list_unclaimed_seats(self) -> list[str]:
        """Return, in order, the seats that came with a fork and are still unclaimed."""
        if not self.campaign.fork_versions or self._are_all_claimed:
            return []
        seat_ids = [subject.id for subject in self.seats() if self.load_viewer(subject.id) is not None]
        ids_by_stream = {f"{self.id}/access/{id}": id for id in seat_ids}
        for event in self.read(*ids_by_stream):
            ids_by_stream.pop(event.originator_id, None)
        self._are_all_claimed = not ids_by_stream
        return list(ids_by_stream.values())

    # --- after a save ---

    def advance(self, events: Iterable[Event]) -> None:
        """Apply the events that were just saved."""
        subjects: set[Subject] = set()
        for event in events:
            _, kind, id = event.originator_id.split("/", 2)
            body: Body[object] = event.body
            if kind == "journal":
                self.campaign.apply_entry(event.originator_version, body)
            elif kind == "access":
                self._note_token(id, event)
            elif kind == "randomness":
                self._apply_randomness_event(event)
            elif kind in SUBJECT_KINDS:
                subjects.add(subject := Subject(kind, id))
                self.known_subjects.apply_saved_event(subject, event.originator_version, body, self.ruleset)
        self.known_subjects.forget_lookaheads(subjects)

    def _apply_randomness_event(self, event: Event) -> None:
        if self._randomness is None and event.originator_version == 1:
            self._randomness = Randomness()
        if self._randomness is not None and self._randomness_digest_behind is None:
            self._randomness.apply_event(event.originator_version, event.body)

    def get_generation(self, seat_id: str) -> int:
        """Return the generation of the seat's token, or 0 if no token is known here."""
        token = self.tokens.get(seat_id)
        return token.generation if token is not None else 0

    def get_token_version(self, seat_id: str) -> int:
        return self._token_places.get(seat_id, (0, 0))[0]

    def note_token(self, seat_id: str, event: Event) -> None:
        """Remember the token that the event issued. Raise Unsound if no save can have written the event: a copied event
        gives no access.
        """
        version, position = self._token_places.get(seat_id, (0, 0))
        if event.originator_version != version + 1 or not position < event.body.position <= self.campaign.position:
            raise Misfit(event.originator_version, "unnamed", event.body.position).make_unsound(event.originator_id)
        self._note_token(seat_id, event)

    def _note_token(self, seat_id: str, event: Event) -> None:
        self.tokens[seat_id] = event.body.fact
        self._token_places[seat_id] = (event.originator_version, event.body.position)


def _is_waiting_id(id: str) -> bool:
    """Return whether the id has the form of a waiting declaration's id."""
    return id.startswith("w") and id[1:].isdecimal() and id.isascii()
