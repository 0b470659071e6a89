"""One campaign in memory: what this process has read of it, brought up to date by the streams the journal names.

A book is only speed. It is used under its lock, advanced in place by every save and by the entries of other processes,
and thrown away whenever it is unclear whether a save came through. It shows the campaign as of one journal entry: what
others save while it is being read is passed over until their entry has been read too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from threading import RLock
from typing import Any

from ledger.aggregates.campaign import Campaign, journal_of, stream_of
from ledger.aggregates.home import Home
from ledger.aggregates.randomness import Randomness, randomness_of
from ledger.aggregates.ruling import Pending, Ruling, fold_pending, fold_ruling
from ledger.errors import Fault, NotFound
from ledger.events.codec import Codec
from ledger.events.envelope import Body, Event
from ledger.events.recorder import LedgerRecorder, Row
from ledger.events.records import Finding, TokenIssued
from ledger.rules import systems
from ledger.rules.contract import CAMPAIGN, Ruleset, Subject, Viewer, seat
from ledger.rules.housekeeping import CampaignCard, CampaignOpened
from ledger.rules.housekeeping import Dials as KernelDials
from ledger.rules.replay import Folded
from ledger.rules.table import campaign_card, dials_of, viewer_of

MOST_HOMES = 5000


class Book:
    """What is known of one campaign. `lock` is held around load and save; nothing here locks by itself."""

    def __init__(self, recorder: LedgerRecorder, codec: Codec, campaign: str) -> None:
        self.lock = RLock()
        self.recorder = recorder
        self.codec = codec
        self.id = campaign
        self.reset()

    def reset(self) -> None:
        """Forget everything; the next read starts from the record."""
        self.campaign = Campaign(self.id)
        self.homes: dict[Subject, Home] = {}
        self.behind: set[Subject] = set()
        self.tokens: dict[str, TokenIssued] = {}
        self._token_versions: dict[str, int] = {}
        self._ruleset: Ruleset[Any, Any] | None = None
        self._randomness: Randomness | None = None
        self._newly_random = False
        self.memory: Any = None
        self.quiet = 0

    # --- reading ---

    def forward(self, *more: tuple[str, int]) -> list[Event]:
        """Catch up with the journal, and read further streams in the same round trip: their events."""
        wanted = [(journal_of(self.id), self.campaign.position), *more]
        others: list[Event] = []
        for event in map(self._event, self.recorder.select_streams(wanted)):
            if event.originator_id == wanted[0][0]:
                self.quiet = 0
                self._entry(event)
            else:
                others.append(event)
        return others

    def _entry(self, event: Event) -> None:
        for stream in self.campaign.take(event.originator_version, event.body):
            _, kind, id = stream.split("/", 2)
            if kind in ("campaign", "character", "scene", "seat"):
                self.behind.add(Subject(kind, id))  # type: ignore[arg-type]
            elif kind == "randomness":
                self._newly_random = True

    def _event(self, row: Row) -> Event:
        stream, version, topic, state = row
        return Event(stream, version, self.codec.decode(topic, state))

    def read(self, *streams: str) -> list[Event]:
        """The streams' events as of the position."""
        events = map(self._event, self.recorder.select_streams([(stream, 0) for stream in streams]))
        return [event for event in events if event.body.position <= self.campaign.position]

    def _bodies(self, subject: Subject, after: int = 0) -> Callable[[], Iterator[Body[Any]]]:
        """Tells a subject's events as of the position, read once."""
        rows, position = self.recorder.select_stream(stream_of(self.id, subject), after), self.campaign.position
        return lambda: takewhile(lambda body: body.position <= position, self.codec.bodies(rows))

    # --- subjects: the `Homes` of a ruling's table ---

    @property
    def ruleset(self) -> Ruleset[Any, Any]:
        """The campaign's system. NotFound when there is no such campaign, Fault when its system is not installed."""
        if self._ruleset is None:
            self._ruleset = system_of(self.recorder, self.codec, self.id)
        return self._ruleset

    def home(self, subject: Subject) -> Home:
        """The subject's home, up to date with the journal as far as it was read; empty if nothing is recorded."""
        home = self.homes.get(subject)
        if home is not None and subject not in self.behind:
            return home
        self.homes.pop(subject, None)  # should this fail halfway, half a home is not kept
        if home is not None and not home.outdated:
            for body in self._bodies(subject, home.version)():
                home.take(home.version + 1, body)
        if home is None or home.outdated:
            home = Home.build(self.ruleset, subject, self._bodies(subject))
        self._keep(subject, home)
        return home

    def _keep(self, subject: Subject, home: Home) -> None:
        self.homes.pop(subject, None)
        self.homes[subject] = home
        self.behind.discard(subject)
        if len(self.homes) > MOST_HOMES:
            oldest = next(iter(self.homes))
            del self.homes[oldest]

    def find(self, subject: Subject) -> Folded[Any] | None:
        home = self.homes.get(subject)
        if home is None or subject in self.behind:
            if subject not in self.campaign.subjects:
                return None
            home = self.home(subject)
        return home.folded if home.version else None

    def seats(self) -> Sequence[Subject]:
        return [seat(id) for id in self.campaign.seats]

    def viewer(self, id: str) -> Viewer | None:
        return viewer_of(self, seat(id))

    @property
    def card(self) -> CampaignCard:
        return campaign_card(self)

    def kernel_dials(self) -> KernelDials:
        dials: KernelDials = dials_of(KernelDials, self.card)
        return dials

    # --- rulings and what waits ---

    def ruling(self, number: int) -> Ruling:
        """NotFound when no ruling has the number."""
        found = self.rulings([number])
        if not found:
            raise NotFound(f"There is no ruling {number}.", code="ruling-not-found", ruling=number)
        return found[0]

    def rulings(self, numbers: Iterable[int]) -> list[Ruling]:
        """Those of the numbers that are rulings, in the order asked for: one round trip."""
        known = {f"{self.id}/ruling/{number}": number for number in numbers if 0 < number <= self.campaign.rulings}
        events: dict[str, list[Event]] = {stream: [] for stream in known}
        for event in self.read(*known) if known else ():
            events[event.originator_id].append(event)
        folded = (fold_ruling(known[stream], told) for stream, told in events.items())
        return [ruling for ruling in folded if ruling is not None]

    def pending(self, id: str) -> Pending:
        """NotFound when nothing ever waited under the id."""
        ours = id.startswith("w") and id[1:].isdecimal() and id.isascii()
        pending = fold_pending(id, self.read(f"{self.id}/waiting/{id}")) if ours else None
        if pending is None:
            raise NotFound(f"Nothing waits under {id!r}.", code="waiting-not-found")
        return pending

    def finding(self, id: str) -> Finding:
        found = self.campaign.findings.get(id)
        if found is None:
            raise NotFound(f"There is no open finding {id!r}.", code="finding-not-found")
        return found

    @property
    def randomness(self) -> Randomness:
        """What the ledger's dice rest on, as of the position."""
        known = self._randomness
        if known is None or self._newly_random:
            known = known or Randomness()
            self._randomness = None  # should this fail halfway, half of it is not kept
            for body in self.codec.bodies(self.recorder.select_stream(randomness_of(self.id), known.version)):
                if body.position <= self.campaign.position:
                    known.take(known.version + 1, body)
            self._randomness, self._newly_random = known, False
        return known

    # --- after a save ---

    def took(self, events: Iterable[Event]) -> None:
        """Advance by what was just saved."""
        for event in events:
            _, kind, id = event.originator_id.split("/", 2)
            body: Body[Any] = event.body
            if kind == "journal":
                self.campaign.take(event.originator_version, body)
            elif kind == "access":
                self.know_token(id, event)
            elif kind == "randomness":
                self._take_randomness(event)
            elif kind in ("campaign", "character", "scene", "seat"):
                subject = Subject(kind, id)  # type: ignore[arg-type]
                home = self.homes.get(subject)
                if home is None and event.originator_version == 1:
                    home = Home(self.ruleset, subject)
                    self._keep(subject, home)
                if home is not None and subject not in self.behind:
                    home.take(event.originator_version, body)
                    if home.outdated:
                        self.behind.add(subject)

    def _take_randomness(self, event: Event) -> None:
        if self._randomness is None and event.originator_version == 1:
            self._randomness = Randomness()
        if self._randomness is not None and not self._newly_random:
            self._randomness.take(event.originator_version, event.body)

    def token_version(self, seat_id: str) -> int:
        return self._token_versions.get(seat_id, 0)

    def know_token(self, seat_id: str, event: Event) -> None:
        self.tokens[seat_id] = event.body.fact
        self._token_versions[seat_id] = event.originator_version


def system_of(recorder: LedgerRecorder, codec: Codec, campaign: str) -> Ruleset[Any, Any]:
    """What the campaign plays. NotFound when there is no such campaign, Fault when its system is not installed."""
    first = recorder.select_at([(stream_of(campaign, CAMPAIGN), 1)])
    if not first:
        raise NotFound("There is no such campaign.", code="campaign-not-found")
    _, _, topic, state = first[0]
    opened = codec.decode(topic, state).fact
    assert isinstance(opened, CampaignOpened)
    if opened.system not in systems():
        raise Fault(f"The system {opened.system!r} of this campaign is not installed.", code="system-missing")
    return systems()[opened.system]
