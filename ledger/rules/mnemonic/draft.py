"""The verdict in the making, as this game's rules write it: for whom, of what place, and how a Status moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ledger.rules.kernel import draft, subjects
from ledger.rules.kernel.contract import Step
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Audience, Subject
from ledger.rules.mnemonic.boards import here
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.facts import BegunLate, Fact
from ledger.rules.mnemonic.fold import FOLD
from ledger.rules.mnemonic.state import Character, State
from ledger.rules.mnemonic.status import Status, posted, status_of


class Draft(draft.Draft[Dials, State, Fact]):
    """`readers`: whom alone what is written now is for; None: everybody."""

    fold = FOLD
    readers: Audience = None

    @contextmanager
    def secretly(self, readers: Audience) -> Iterator[None]:
        """What is written in here is for these readers only, and so are the names and numbers of a refusal: a rating
        could be read from them.
        """
        facts, because, self.readers = len(self._facts), len(self._because), readers
        try:
            yield
        except Refused as no:
            if readers is None:
                raise
            raise type(no)(no.rule, no.code, readers, **no.context) from None
        if readers is not None:
            self._facts[facts:] = [changed(one, audience=readers) for one in self._facts[facts:]]
            self._because[because:] = [changed(one, audience=readers) for one in self._because[because:]]
            self.readers = None

    def put_on(self, where: Subject, done: Fact) -> None:
        """Put what begins on this board. The campaign keeps where it is, if that is a closed scene."""
        self.tell(where, done)
        if where != subjects.CAMPAIGN and not self.table.is_open(where):
            self.campaign_wide(BegunLate(where.id, self.table.number))

    def steps(self, because: Iterable[Step]) -> None:
        """Steps of what was worked out apart from any ruling."""
        self._because += because

    def status_moved_by(self, id: str, done: Fact, cause: str, audience: Audience = None) -> tuple[Status, Status]:
        """Tell this fact about a character, and post how the fold moves its Status. Return the Status before and after.

        The account cannot drift from the Status: what is posted is what the fold made of the fact.
        """
        before = status_of(self.character(id))
        self.about(id, done, audience=audience)
        after = status_of(self.character(id))
        for about in posted(id, before, after, cause):
            self.tell(about.subject, about.fact, *about.postings)
        return before, after

    def place(self) -> Subject:
        """The scene it is declared in; the campaign for what happens outside any."""
        return here(self.table)

    def character(self, id: str) -> Character:
        """Refuses `unknown-character`."""
        return self.state(subjects.character(id), Character)
