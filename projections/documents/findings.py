"""What somebody must settle, for one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.application import Ruling, SettledThen, ShownRuling, with_facts
from ledger.events import records_of_journal as journal
from ledger.events.records_of_journal import FindingKind
from ledger.rules.kernel.sentences import FINDINGS
from ledger.rules.kernel.subjects import Audience, parse_subject
from projections.documents.shape import Document, like
from projections.documents.subjects import unseen
from projections.redaction import LiveLens, Person
from projections.wording import of_frame

#: Findings that a ruling would come out otherwise: as secret as the ruling.
OTHERWISE = ("changes", "loses support", "needs dice")


@like(
    id="14-1", kind="loses support", cause=5, ruling=7, subject=None, name=None, account=None, detail="", settled=None,
    reason=None, by=None, at=None, text="Ruling 7 could not have been ruled since ruling 5 was decided.",
)  # fmt: skip
class Finding(Document):
    """Something that needs attention. `cause`: the overturned or reinstated ruling that caused it.

    `settled`, `reason`, `by`, `at`: how, why, by whom and when it was resolved.
    """

    id: str
    kind: FindingKind
    cause: int
    ruling: int | None
    subject: str | None
    name: str | None
    account: str | None
    detail: str
    settled: str | None
    reason: str | None
    by: Person | None
    at: str | None
    text: str


@like(findings=[])
class Findings(Document):
    findings: list[Finding]


def finding(lens: LiveLens, one: journal.Finding, made: SettledThen | None = None) -> Finding:
    """A finding; `made`: what somebody made of it."""
    name = (lens.name(parse_subject(one.subject)) or None) if one.subject is not None else None
    return {
        "id": one.id,
        "kind": one.kind,
        "cause": one.cause,
        "ruling": one.ruling,
        "subject": one.subject,
        "name": name,
        "account": one.account,
        "detail": one.detail,
        "settled": made.how if made is not None else None,
        "reason": made.reason if made is not None else None,
        "by": lens.person(made.by) if made is not None else None,
        "at": made.at if made is not None else None,
        "text": _said(lens, one),
    }


def _said(lens: LiveLens, one: journal.Finding) -> str:
    about = parse_subject(one.subject) if one.subject is not None else None
    named = {"character": about.id} if about is not None and about.kind == "character" else {}
    given = {"ruling": one.ruling, "cause": one.cause, "account": one.account, **named, **_held_twice(lens, one)}
    return lens.told(of_frame(FINDINGS[one.kind], given))


def _held_twice(lens: LiveLens, one: journal.Finding) -> dict[str, str]:
    """The thing that is held twice, and its holders by name."""
    if one.kind != "held twice":
        return {}
    thing, _, other = one.detail.rpartition(", ")
    holder, other = (lens.name(parse_subject(id)) or "the campaign" for id in (one.subject or "campaign", other))
    return {"thing": thing, "holder": holder, "other": other}


def open_findings(lens: LiveLens, ruling: int | None = None, until: int | None = None) -> list[Finding]:
    """Those still open that the viewer may see, in the order in which they were raised. `ruling`: only what is about
    it, or came of a decision about it; `until`: or about the rulings after it, up to this one.
    """
    return [finding(lens, one) for one in visible(lens, _of(lens.book.campaign.findings.values(), ruling, until))]


def settled_findings(lens: LiveLens, ruling: int | None = None, until: int | None = None) -> list[Finding]:
    """Likewise those that somebody settled, in the order in which they were, with how and why."""
    return [finding(lens, one.finding, one) for one in settled(lens, ruling, until)]


def settled(lens: LiveLens, ruling: int | None = None, until: int | None = None) -> list[SettledThen]:
    there = lens.book.campaign.settled
    return [there[one.id] for one in visible(lens, _of((one.finding for one in there.values()), ruling, until))]


def _of(findings: Iterable[journal.Finding], ruling: int | None, until: int | None = None) -> Iterator[journal.Finding]:
    if ruling is None:
        return iter(findings)
    last = until or ruling
    return (one for one in findings if any(ruling <= number <= last for number in (one.ruling, one.cause) if number))


def visible(lens: LiveLens, findings: Iterable[journal.Finding]) -> list[journal.Finding]:
    """Without those about a ruling, an account or a fact that is hidden from the viewer."""
    known = list(findings)
    numbers = {number for one in known for number in (one.cause, one.ruling) if number}
    rulings = {ruling.number: ruling for ruling in lens.book.rulings(sorted(numbers))}
    concerned = [rulings[one.ruling] for one in known if one.kind in OTHERWISE and one.ruling in rulings]
    secret = {shown.ruling.number for shown in with_facts(lens.book, concerned) if _is_secret(lens, shown)}
    seen = [one for one in known if one.kind not in OTHERWISE or one.ruling not in secret]
    return [one for one in seen if _may_see(lens, one, rulings)]


def _is_secret(lens: LiveLens, shown: ShownRuling) -> bool:
    """Whether the viewer sees nothing of it: then whether it would come out otherwise tells what it was."""
    return not lens.sees_declaration(shown.ruling.said_by, [event.body for event in shown.telltale])


def _may_see(lens: LiveLens, one: journal.Finding, rulings: dict[int, Ruling]) -> bool:
    if not lens.may_see(one.audience):
        return False
    concerned = [rulings[number] for number in (one.cause, one.ruling) if number in rulings]
    if not all(lens.knows(ruling) for ruling in concerned):
        return False
    if one.kind == "overdrawn" and one.account is not None and one.subject is not None:
        return one.account not in unseen(lens, parse_subject(one.subject))
    if one.kind == "adrift" and one.ruling in rulings:
        return lens.may_see(_audience(lens, rulings[one.ruling], int(one.detail.rpartition(".")[2])))
    return True


def _audience(lens: LiveLens, ruling: Ruling, step: int) -> Audience:
    shown = with_facts(lens.book, [ruling])[0]
    return next((event.body.audience for event in shown.facts if event.body.step == step), None)
