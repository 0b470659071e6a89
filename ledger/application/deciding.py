"""What people decide about rulings: dispute, uphold, overturn, reinstate, see beforehand, settle what follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ledger.aggregates.ruling import Command, Ruling, fold_ruling
from ledger.application.book import Book
from ledger.application.declaring import decides, must_say
from ledger.application.past import compare_pasts, history_of
from ledger.application.saves import Act, Done
from ledger.application.shown import Present, ShownComparison, ShownDecision, ShownFinding, ShownRuling
from ledger.application.work import Work
from ledger.errors import Malformed, NotFound, NotYours, Stale
from ledger.events.codec import Codec
from ledger.events.envelope import Event
from ledger.events.recorder import LedgerRecorder
from ledger.events.records import Decided, Decision, Finding, FindingKind, Restored, Settled, Settlement, Struck
from ledger.rules.comparison import Comparison
from ledger.rules.contract import Subject, Viewer
from ledger.rules.housekeeping import Leg

FLAGGED: dict[str, FindingKind] = {"changes": "changes", "loses support": "loses support", "needs dice": "needs dice"}


def show_ruling(book: Book, number: int, viewer: Viewer) -> ShownRuling:
    """A ruling with its facts, for a seat that may know of it. NotFound otherwise."""
    ruling = book.ruling(number)
    if not may_know(viewer, ruling):
        raise NotFound(f"There is no ruling {number}.", code="ruling-not-found", ruling=number)
    return with_facts(book, [ruling])[0]


def may_know(viewer: Viewer, ruling: Ruling) -> bool:
    """Whether the seat may know that there is such a ruling. Who declared or recorded it knows."""
    return viewer.may_see(ruling.audience) or viewer.seat in (ruling.by, ruling.ruled.seat)


def with_facts(book: Book, rulings: Sequence[Ruling]) -> list[ShownRuling]:
    """Each with its facts as stored (legs left out): one round trip."""
    return _with_facts(book.recorder, book.codec, rulings)


def shown_rulings(
    recorder: LedgerRecorder, codec: Codec, campaign: str, numbers: Iterable[int], position: int
) -> list[ShownRuling]:
    """Rulings of a campaign with their facts as of a position, out of the record, in the order asked for."""
    events: dict[int, list[Event]] = {number: [] for number in numbers}
    rows = recorder.select_streams([(f"{campaign}/ruling/{number}", 0) for number in events])
    for stream, version, topic, state in rows:
        event = Event(stream, version, codec.decode(topic, state))
        if event.body.position <= position:
            events[int(stream.rpartition("/")[2])].append(event)
    folded = [fold_ruling(number, told) for number, told in events.items()]
    return _with_facts(recorder, codec, [ruling for ruling in folded if ruling is not None])


def _with_facts(recorder: LedgerRecorder, codec: Codec, rulings: Sequence[Ruling]) -> list[ShownRuling]:
    rows = recorder.select_at([(one.stream, one.version) for ruling in rulings for one in ruling.ruled.facts])
    events = iter([Event(stream, version, codec.decode(topic, state)) for stream, version, topic, state in rows])
    told = [(ruling, [next(events) for _ in ruling.ruled.facts]) for ruling in rulings]
    return [ShownRuling(one, [event for event in facts if not isinstance(event.body.fact, Leg)]) for one, facts in told]


def dispute(number: int, reason: str, if_match: int | None, present: Present) -> Act:
    """Any seat may; of an upheld ruling it is an appeal."""
    return _decide(number, "dispute", "disputed", reason, if_match, present, gm=False)


def uphold(number: int, reason: str, if_match: int | None, present: Present) -> Act:
    return _decide(number, "uphold", "upheld", reason, if_match, present, gm=True)


def _decide(
    number: int, command: Command, decision: Decision, reason: str, if_match: int | None, present: Present, *, gm: bool
) -> Act:
    def act(work: Work) -> Done:
        shown = _open(work, number, command, reason, if_match, gm=gm)
        after = _put_decision(work, shown.ruling, Decided(decision, reason, revision=shown.ruling.revision))
        work.note(decision, ruling=number)
        return Done(200, present(work.book, work.viewer, ShownDecision(replace(shown, ruling=after))))

    return act


def overturn(number: int, reason: str, also: Sequence[int], if_match: int | None, present: Present) -> Act:
    """Strike the ruling (and those named with it) out of the fold; later rulings it changes become findings."""

    def act(work: Work) -> Done:
        shown = _open(work, number, "overturn", reason, if_match, gm=True)
        numbers = _all_of(number, also)
        viewer = work.viewer
        assert viewer is not None
        others = [show_ruling(work.book, one, viewer).ruling for one in sorted(numbers - {number})]
        for ruling in others:
            ruling.must_allow("overturn")
        changed = without(work.book, numbers, position=work.position, cause=number)
        for ruling in (shown.ruling, *others):
            for stream in ruling.streams:
                _strike(work, stream, Struck(ruling.number))
        after, *_ = [
            _put_decision(work, one, Decided("overturned", reason, "flag", tuple(sorted(numbers - {one.number}))))
            for one in (shown.ruling, *others)
        ]
        settled = _settled_by(work.book, numbers, changed, f"ruling {number} was overturned")
        work.note("overturned", ruling=number, findings=changed.findings, settled=settled)
        return Done(200, present(work.book, viewer, ShownDecision(replace(shown, ruling=after), changed)))

    return act


def reinstate(number: int, reason: str, if_match: int | None, present: Present) -> Act:
    """Put an overturned ruling's facts back in their place; findings its overturning raised are cleared."""

    def act(work: Work) -> Done:
        shown = _open(work, number, "reinstate", reason, if_match, gm=True)
        changed = _with(work.book, number, shown.ruling.revision, work.position)
        for stream in shown.ruling.streams:
            _strike(work, stream, Restored(number, shown.ruling.revision))
        after = _put_decision(work, shown.ruling, Decided("reinstated", reason, revision=shown.ruling.revision))
        cleared = _cleared(work.book, changed, f"ruling {number} was reinstated")
        work.note("reinstated", ruling=number, findings=changed.findings, settled=cleared)
        return Done(200, present(work.book, work.viewer, ShownDecision(replace(shown, ruling=after), changed)))

    return act


def preview(
    book: Book, viewer: Viewer, number: int, also: Sequence[int], reason: str, if_match: int | None = None
) -> ShownComparison:
    """What overturning would change; nothing is saved. Refused as the overturning itself would be."""
    if not decides(book, viewer):
        raise NotYours("Only a game master decides about rulings.")
    must_match(show_ruling(book, number, viewer).ruling.version, if_match)
    for one in sorted(_all_of(number, also)):
        show_ruling(book, one, viewer).ruling.must_allow("overturn")
    must_say("reason", reason)
    return without(book, _all_of(number, also), position=book.campaign.position + 1, cause=number)


def what_if(book: Book, viewer: Viewer, numbers: Sequence[int]) -> ShownComparison:
    """As a preview, for any seat."""
    for number in numbers:
        if not show_ruling(book, number, viewer).ruling.stands:
            raise Malformed(f"Ruling {number} is overturned already.", code="already-overturned", ruling=number)
    return without(book, frozenset(numbers), position=book.campaign.position + 1)


def leaning(book: Book, ruling: Ruling) -> list[int]:
    """Later rulings that would not come out the same if this one were struck."""
    if not ruling.stands or ruling.number >= book.campaign.rulings:
        return []
    shown = without(book, frozenset({ruling.number}), position=book.campaign.position + 1)
    return [row.number for row in shown.comparison.rows if row.standpoint != "stands"]


def settle(id: str, how: Settled, reason: str, present: Present) -> Act:
    """Close a finding: something was done about it, or it is let stand, with the reason."""

    def act(work: Work) -> Done:
        assert work.viewer is not None
        if not decides(work.book, work.viewer):
            raise NotYours("Only a game master settles findings.")
        finding = work.book.finding(id)
        must_say("reason", reason)
        work.note("settled", ruling=finding.ruling, settled=[Settlement(id, how, reason)])
        return Done(200, present(work.book, work.viewer, ShownFinding(finding, how, reason)))

    return act


# --- what changes -------------------------------------------------------------------------------------------------


def without(book: Book, numbers: frozenset[int], *, position: int, cause: int | None = None) -> ShownComparison:
    """The campaign beside itself without these rulings, and the findings that would be raised at this position.

    `cause`: the ruling that is decided about; the first of them, if none is.
    """
    history = history_of(book)
    comparison = compare_pasts(book, history, numbers, {**history.standing, **dict.fromkeys(numbers)})
    findings = _findings(comparison, cause or min(numbers), position)
    return ShownComparison(tuple(sorted(numbers)), (), comparison, findings)


def _with(book: Book, number: int, revision: int, position: int) -> ShownComparison:
    history = history_of(book)
    comparison = compare_pasts(book, history, (number,), {**history.standing, number: revision})
    return ShownComparison((), (number,), comparison, _findings(comparison, number, position))


def _findings(comparison: Comparison, cause: int, position: int) -> tuple[Finding, ...]:
    """What somebody must settle afterwards: rulings that come out otherwise than recorded, debts, facts adrift."""
    found: list[Finding] = []

    def add(kind: FindingKind, **more: Any) -> None:
        found.append(Finding(f"{position}-{len(found) + 1}", kind, cause, **more))

    for row in comparison.rows:
        if row.standpoint in FLAGGED and not row.as_recorded:
            add(FLAGGED[row.standpoint], ruling=row.number, audience=row.audience())
    for subject in comparison.differing():
        now, then = comparison.now.told(subject), comparison.then.told(subject)
        before = now.overdrawn()
        for account, balance in then.overdrawn().items():
            if balance < before.get(account, 0):
                add("overdrawn", subject=str(subject), account=account, detail=str(balance))
        for ruling, step in then.adrift:
            if (ruling, step) not in now.adrift:
                add("adrift", subject=str(subject), ruling=ruling, detail=f"{ruling}.{step}")
    return tuple(found)


def _settled_by(book: Book, numbers: frozenset[int], changed: ShownComparison, reason: str) -> list[Settlement]:
    """Findings about the rulings overturned, and those that hold no longer without them."""
    findings = book.campaign.findings.values()
    overturned = [Settlement(one.id, "overturned", reason) for one in findings if one.ruling in numbers]
    done = {settlement.finding for settlement in overturned}
    return overturned + [one for one in _cleared(book, changed, reason) if one.finding not in done]


def _cleared(book: Book, changed: ShownComparison, reason: str) -> list[Settlement]:
    """Open findings that hold no longer: the ruling comes out as recorded, the debt is gone, the ground is back.

    Those too in the place of which a new one is raised: the ruling comes out otherwise again, the debt is greater.
    """
    comparison = changed.comparison
    anew = {_matter(finding) for finding in changed.findings}
    as_recorded = {row.number for row in comparison.rows if row.as_recorded}
    differing = {str(subject): comparison.then.told(subject) for subject in comparison.differing()}

    def gone(finding: Finding) -> bool:
        if _matter(finding) in anew:
            return True
        folded = differing.get(finding.subject or "")
        if finding.kind == "overdrawn":
            return folded is not None and finding.account not in folded.overdrawn()
        if finding.kind == "adrift":
            places = {f"{ruling}.{step}" for ruling, step in folded.adrift} if folded is not None else set()
            return folded is not None and finding.detail not in places
        return finding.ruling in as_recorded

    return [Settlement(one.id, "cleared", reason) for one in book.campaign.findings.values() if gone(one)]


def _matter(finding: Finding) -> tuple[object, ...]:
    """What a finding is about: how a ruling comes out, an account, a fact."""
    if finding.kind == "overdrawn":
        return (finding.subject, finding.account)
    return ("adrift", finding.subject, finding.detail) if finding.kind == "adrift" else (finding.ruling,)


# --- saving a decision --------------------------------------------------------------------------------------------


def _open(work: Work, number: int, command: Command, reason: str, if_match: int | None, *, gm: bool) -> ShownRuling:
    assert work.viewer is not None
    if gm and not decides(work.book, work.viewer):
        raise NotYours("Only a game master decides about rulings.")
    shown = show_ruling(work.book, number, work.viewer)
    must_match(shown.ruling.version, if_match)
    shown.ruling.must_allow(command)
    must_say("reason", reason)
    return shown


def must_match(version: int, if_match: int | None) -> None:
    """Stale (412) when the caller saw another version."""
    if if_match is not None and if_match != version:
        raise Stale("It has changed since you looked.", code="precondition-failed", version=version)


def _all_of(number: int, also: Sequence[int]) -> frozenset[int]:
    if len({number, *also}) != 1 + len(also):
        raise Malformed("`also` names each further ruling once.", code="also")
    return frozenset({number, *also})


def _strike(work: Work, stream: str, mark: Struck | Restored) -> None:
    _, kind, id = stream.split("/", 2)
    work.about(Subject(kind, id), mark)  # type: ignore[arg-type]


def _put_decision(work: Work, ruling: Ruling, decided: Decided) -> Ruling:
    """The decision in the ruling's stream; the ruling after it."""
    work.put(f"{work.book.id}/ruling/{ruling.number}", ruling.version, decided, audience=ruling.audience)
    return ruling.decided(decided, work.by, work.at, work.position)
