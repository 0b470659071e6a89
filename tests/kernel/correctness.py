"""The law of correct rulings, worked out from the record alone and the hard way: every ruling judged after every save.

A standing ruling comes out today as it is recorded; or an open finding says that it does not; or somebody let such a
finding stand, or amended it, and no decision changed since then how the ruling comes out. So it is for every account
below zero and every fact that finds no ground. And a finding is only open while what it says is true.
"""

from __future__ import annotations

from typing import Any

from ledger.application import Book, audit
from ledger.application.reading.pasts import load_history
from ledger.errors import Fault
from ledger.rules.kernel.adjudication import Waiting
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.facts import Leg
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import parse_subject
from ledger.rules.kernel.things import list_things_held_twice
from ledger.rules.kernel.world import Past
from tests.desk import Desk

OTHERWISE = ("changes", "loses support", "needs dice")
KEPT = ("let-stand", "amended")


class Correctness:
    """Look after every save. `wrong`: what broke the law, in words; `judged`: how many rulings were looked at."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.judged = 0
        self.otherwise = 0
        self.excused: dict[Any, Any] = {}

    def look(self) -> list[str]:
        with self.desk.ledger.open_for_seat(self.desk.call()) as (book, _):
            position = book.campaign.position
            try:
                return [f"position {position}: {one}" for one in self._wrong(book)]
            except Fault as fault:
                return [f"position {position}: {fault}"]

    def _wrong(self, book: Book) -> list[str]:
        untrue = self._untrue(book)
        self.otherwise += len(untrue)
        findings = list(book.campaign.open_findings.values())
        about = [matter(one) for one in findings]
        single = [matter(one) for one in findings if not (one.audience is None and paid_in_secret(book, one))]
        wrong = [f"{one} has two findings" for one in set(single) if single.count(one) > 1]
        for done in book.campaign.settled_findings.values():
            if done.how in KEPT and done.position == book.campaign.position:
                self.excused[matter(done.finding)] = untrue.get(matter(done.finding))
        for what in [*self.excused]:
            if what not in untrue or not alike(untrue[what], self.excused[what]):
                del self.excused[what]
        wrong += [
            f"{what} is otherwise, and no finding says so: {outcome}"
            for what, outcome in untrue.items()
            if what not in about and what not in self.excused
        ]
        wrong += [
            f"a finding is open that is not true: {one}"
            for one in findings
            if matter(one) not in untrue and not paid_in_secret(book, one)
        ]
        wrong += [f"kind of {one}" for one in findings if not is_kind(one.kind, untrue.get(matter(one)))]
        return wrong

    def _untrue(self, book: Book) -> dict[Any, Any]:
        """All that is not as it should be: rulings, accounts below zero, facts adrift, things in two places."""
        history = load_history(book)
        past = Past(book.ruleset, history.standing_revisions)
        past.tell(history.facts[0])
        found: dict[Any, Any] = {}
        in_play = sorted(history.rulings.values(), key=lambda ruling: (ruling.after or ruling.number, ruling.number))
        for ruling in in_play:
            number = ruling.number
            past.tell(ruling.before)
            if past.stands(number) and ruling.edition == book.ruleset.edition:
                self.judged += 1
                outcome = past.readjudicate(ruling)
                if not as_recorded(past, ruling, outcome):
                    found["ruling", number] = outcome
            past.tell(ruling.facts)
        past.tell(history.facts_since)
        for subject, folded in past.folded.items():
            assert folded.same_as(book.load_stream(subject).folded), f"{subject} is folded otherwise"
            for account, balance in folded.purse.items():
                if balance < 0:
                    found["account", account] = balance
            for place in folded.adrift:
                found["adrift", str(subject), *place] = history.standing_revisions.get(place[0], 0)
        for one in list_things_held_twice(book.ruleset, past.find, past.folded, book.entry.session):
            found["held twice", one.thing, frozenset({str(one.holder), str(one.other)})] = None
        return found


def as_recorded(past: Past, ruling: Any, outcome: Any) -> bool:
    revision = past.revisions.get(ruling.number, 0)
    if revision in ruling.refused:
        return isinstance(outcome, Refused)
    if not isinstance(outcome, Verdict):
        return False
    recorded = [
        (subject, body.step, body.fact, body.postings)
        for subject, body in ruling.facts
        if body.revision == revision and not isinstance(body.fact, Leg)
    ]
    return recorded == [(one.subject, step, one.fact, one.postings) for step, one in enumerate(outcome.facts)]


def matter(finding: Any) -> Any:
    """What a finding is about."""
    if finding.kind in OTHERWISE:
        return ("ruling", finding.ruling)
    if finding.kind == "overdrawn":
        return ("account", finding.account)
    if finding.kind == "held twice":
        thing, _, other = finding.detail.rpartition(", ")
        return ("held twice", thing, frozenset({finding.subject, other}))
    return ("adrift", finding.subject, finding.ruling, int(finding.detail.rpartition(".")[2]))


def paid_in_secret(book: Book, finding: Any) -> bool:
    """A debt of an account in which something was moved in secret: that its finding closed would tell of that."""
    return (
        finding.kind == "overdrawn"
        and finding.account in book.load_stream(parse_subject(finding.subject)).audiences_by_account
    )


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, Refused):
        return isinstance(other, Refused) and one.same_as(other)
    if isinstance(one, Verdict) and isinstance(other, Verdict):
        return facts_of(one) == facts_of(other)
    return bool(one == other)


def facts_of(verdict: Verdict[Any]) -> list[Any]:
    return [(one.subject, one.fact, one.postings) for one in verdict.facts]


def is_kind(kind: str, outcome: Any) -> bool:
    """Whether the finding says how it comes out."""
    match outcome:
        case Waiting():
            return kind == "needs dice"
        case Refused():
            return kind == "loses support"
        case Verdict():
            return kind == "changes"
        case _:
            return kind not in OTHERWISE


def audited(desk: Desk) -> list[str]:
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        return [f"{one.what}: {one.detail}" for one in audit(book).differences]
