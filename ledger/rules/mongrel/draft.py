"""The verdict in the making, with what every rule of Mongrel asks: characters as they are by now, and their scores."""

from __future__ import annotations

from ledger.rules.kernel import draft
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character, scene
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.facts import Fact, FeaturesUsed
from ledger.rules.mongrel.facts_of_dealings import SessionPlayed
from ledger.rules.mongrel.facts_of_strife import ClockMoved, RecoveryEnded
from ledger.rules.mongrel.fold import FOLD
from ledger.rules.mongrel.state import Campaign, Character, Scene, State, physique_of
from ledger.rules.mongrel.terms import is_natural

CLOCK = "mongrel.time.clock"


class Draft(draft.Draft[Dials, State, Fact]):
    """`under_way`: an action is being carried out, so it no longer lapses."""

    fold = FOLD

    def __init__(self, table: Table[Dials]) -> None:
        super().__init__(table)
        self.under_way = False
        self._used: dict[str, dict[str, None]] = {}

    # --- looking -----------------------------------------------------------------------------------------------------

    def who(self, id: str) -> Character:
        """The character as it is by now. Refuses `unknown-character`."""
        return self.state(character(id), Character)

    def scene(self, subject: Subject) -> Scene:
        return self.state(subject, Scene)

    def campaign(self) -> Campaign:
        return self.state(CAMPAIGN, Campaign)

    def place(self, named: str | None = None) -> Subject:
        """The scene named, else the one it is declared in. Refuses `no-scene`, also for one that is closed."""
        here = scene(named) if named is not None else self.table.scene
        if here is None or not self.table.has(here) or not self.table.is_open(here):
            raise Refused("mongrel.conflict.order", "no-scene")
        return here

    def ap(self, id: str) -> int:
        return self.balance(accounts.ap(id))

    def resolve(self, id: str) -> int:
        return self.balance(accounts.resolve(id))

    def maximum(self, id: str) -> int:
        """`mongrel.derived.ap`: of Action Points, as the score now stands; 1 while that is imposed."""
        who = self.who(id)
        return 1 if who.ap_imposed else who.attributes.get("speed", 0) + max(0, self.dials.starting_ap_bonus)

    def score(self, id: str, attribute: str) -> int:
        """The current value: wounds lower Physique, shunted hits Beauty.

        The account of Beauty holds more than there can be where a hit was struck and its healing stands.
        """
        who = self.who(id)
        if attribute == "beauty":
            return min(self.balance(accounts.beauty(id)), who.attributes.get("beauty", 0) - who.beauty_temp)
        if attribute == "physique":
            return physique_of(who)
        return who.attributes.get(attribute, 0)

    # --- time ---------------------------------------------------------------------------------------------------------

    def clock(self) -> int:
        """The minute of the campaign's clock; before it was kept, the latest in which anybody recovered."""
        clock = self.campaign().clock
        if clock is not None:
            return clock
        return max((self.who(subject.id).minute or 0 for subject in self.table.subjects("character")), default=0)

    def move_clock(self, minute: int, reason: str) -> None:
        """`mongrel.time.clock`"""
        before = self.clock()
        if minute != before:
            self.campaign_wide(ClockMoved(minute, before, reason))
            self.by(CLOCK, minute, before=before)
        if minute > before:
            self._end_recoveries()

    def _end_recoveries(self) -> None:
        """`mongrel.ap.recover`: of everybody outside a conflict; within one only a turn ends it."""
        conflicts = [self.scene(subject).conflict for subject in self.table.subjects("scene")]
        fighting = {id for conflict in conflicts if conflict is not None for id in conflict.queue}
        for subject in self.table.subjects("character"):
            if subject.id not in fighting:
                self.end_recovery(subject.id)

    def end_recovery(self, id: str) -> None:
        if self.who(id).recovering:
            self.about(id, RecoveryEnded(id))

    def begun(self, since: object) -> int:
        """The minute at which something began: as said, or now. Refuses `bad-number`, `time-ahead`."""
        now = self.clock()
        if since is None:
            return now
        if not is_natural(since):
            raise Refused(CLOCK, "bad-number", what="since", given=repr(since))
        if since > now:
            raise Refused(CLOCK, "time-ahead", minute=since, last=now)
        return since

    def pass_time(self, minutes: int, reason: str, since: int | None = None) -> None:
        """From now on, or from when it began: what has passed by now is not counted again."""
        begun = self.clock() if since is None else since
        self.move_clock(max(self.clock(), begun + minutes), reason)

    # --- features used -----------------------------------------------------------------------------------------------

    def mark(self, id: str, *features: str) -> None:
        """To be told at the end of the ruling (`tell_used`)."""
        self._used.setdefault(id, {}).update(dict.fromkeys(features))

    def tell_used(self, session: int | None = None) -> None:
        """`mongrel.cp.used-only`: for the session of this number, or the open one; between sessions for none."""
        if session is None and self.table.session is not None:
            session = self.campaign().closed + 1
        if session is not None:
            for id, features in self._used.items():
                self.about(id, FeaturesUsed(id, tuple(features), session))
                self.by("mongrel.cp.used-only", list(features), character=id, session=session)
        self._used = {}

    def plays(self, id: str) -> None:
        """`mongrel.cp.session`: acts in the open session, without a roll that says so (`features-used`)."""
        if self.table.session is not None and not self.who(id).npc:
            self.about(id, SessionPlayed(id, self.campaign().closed + 1))
