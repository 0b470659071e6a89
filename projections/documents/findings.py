"""Findings, for one viewer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ledger.application import Ruling, SettledThen, ShownRuling, attach_facts
from ledger.events import records_of_journal as journal
from ledger.events.records_of_journal import FindingKind
from ledger.rules.kernel.phrases import words
from ledger.rules.kernel.purses import unit_of
from ledger.rules.kernel.sentences import FINDINGS
from ledger.rules.kernel.subjects import Audience, character, parse_subject
from projections.documents.shape import Document, give_example
from projections.documents.subjects import list_hidden_accounts_of
from projections.redaction import LiveLens, Person
from projections.wording import fill_frame

#: A placeholder in the form or title of an account, such as `<against>`.
PLACE = re.compile(r"<(\w+)>")
SHARES = re.compile(r"(.*), in ([1-9][0-9]*)ths")
#: The kinds of findings that say that a ruling would have a different result. They are as secret as the ruling.
OTHERWISE = ("changes", "loses support", "needs dice")


@give_example(
    id="14-1",
    kind="loses support",
    cause=5,
    ruling=7,
    subject=None,
    name=None,
    account=None,
    detail="",
    settled=None,
    reason=None,
    by=None,
    at=None,
    text="Ruling 7 is no longer possible now that ruling 5 has changed.",
)
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


@give_example(findings=[])
class Findings(Document):
    findings: list[Finding]


def describe_finding(lens: LiveLens, finding: journal.Finding, settlement: SettledThen | None = None) -> Finding:
    """Return a finding. `settlement`: how it was settled, if it was."""
    name = (lens.name(parse_subject(finding.subject)) or None) if finding.subject is not None else None
    return {
        "id": finding.id,
        "kind": finding.kind,
        "cause": finding.cause,
        "ruling": finding.ruling,
        "subject": finding.subject,
        "name": name,
        "account": finding.account,
        "detail": finding.detail,
        "settled": settlement.how if settlement is not None else None,
        "reason": settlement.reason if settlement is not None else None,
        "by": lens.name_person(settlement.by) if settlement is not None else None,
        "at": settlement.at if settlement is not None else None,
        "text": _make_sentence(lens, finding),
    }


def _make_sentence(lens: LiveLens, finding: journal.Finding) -> str:
    subject = parse_subject(finding.subject) if finding.subject is not None else None
    character_values = {"character": subject.id} if subject is not None and subject.kind == "character" else {}
    frame_values = {
        "ruling": finding.ruling,
        "cause": finding.cause,
        **character_values,
        **_name_holders(lens, finding),
        **_describe_debt(lens, finding),
    }
    return lens.fill_in_names(fill_frame(FINDINGS[finding.kind], frame_values))


def _name_holders(lens: LiveLens, finding: journal.Finding) -> dict[str, str]:
    """Return the thing that is held twice, and its holders by name."""
    if finding.kind != "held twice":
        return {}
    thing, _, other_id = finding.detail.rpartition(", ")
    holder, other_holder = (
        lens.name(parse_subject(id)) or "the campaign" for id in (finding.subject or "campaign", other_id)
    )
    return {"thing": thing, "holder": holder, "other": other_holder}


def _describe_debt(lens: LiveLens, finding: journal.Finding) -> dict[str, str]:
    """Return the owner of a debt, its amount, and what is owed: the account's title, or else its unit."""
    if finding.kind != "overdrawn" or finding.account is None:
        return {}
    title, names = _find_title(lens, finding.account)
    shares = SHARES.fullmatch(title)
    balance = Fraction(int(finding.detail), int(shares[2]) if shares else 1)
    parts = PLACE.split(shares[1] if shares else title)
    parts[1::2] = [names[placeholder] for placeholder in parts[1::2]]
    owner = lens.name(parse_subject(finding.account.partition("/")[0])) or "the table"
    return {"holder": owner, "short": str(-balance), "holding": _lower_title("".join(parts))}


def _find_title(lens: LiveLens, account: str) -> tuple[str, dict[str, str]]:
    """Return the title of an account, or else its unit, and the values for the title's placeholders."""
    for account_kind in lens.book.ruleset.accounts:
        form_parts = PLACE.split(account_kind.form)
        form_parts[::2] = map(re.escape, form_parts[::2])
        form_parts[1::2] = [f"(?P<{placeholder}>[^/:]+)" for placeholder in form_parts[1::2]]
        if account_kind.title and (match := re.fullmatch("".join(form_parts), account)):
            return account_kind.title, {
                placeholder: lens.name(character(id)) or words(id) for placeholder, id in match.groupdict().items()
            }
    return words(unit_of(account)), {}


def _lower_title(title: str) -> str:
    """Return a title as it is written within a sentence: in lower case, unless it is a name."""
    remainder = title.partition(" ")[2]
    return title if remainder[:1].isupper() else title[:1].lower() + title[1:]


def list_open_findings(
    lens: LiveLens, ruling_number: int | None = None, last_number: int | None = None
) -> list[Finding]:
    """Return the open findings that the viewer may see, the oldest first. `ruling_number`: only findings about this
    ruling, or caused by a decision about it. `last_number`: also for later rulings, up to this one.
    """
    return [
        describe_finding(lens, finding)
        for finding in select_visible(
            lens, _select_findings(lens.book.campaign.open_findings.values(), ruling_number, last_number)
        )
    ]


def list_settled_findings(
    lens: LiveLens, ruling_number: int | None = None, last_number: int | None = None
) -> list[Finding]:
    """Return the settled findings that the viewer may see, in the order they were settled."""
    return [
        describe_finding(lens, settlement.finding, settlement)
        for settlement in select_settlements(lens, ruling_number, last_number)
    ]


def select_settlements(
    lens: LiveLens, ruling_number: int | None = None, last_number: int | None = None
) -> list[SettledThen]:
    settlements_by_id = lens.book.campaign.settled_findings
    return [
        settlements_by_id[finding.id]
        for finding in select_visible(
            lens,
            _select_findings(
                (settlement.finding for settlement in settlements_by_id.values()), ruling_number, last_number
            ),
        )
    ]


def _select_findings(
    findings: Iterable[journal.Finding], ruling_number: int | None, last_number: int | None = None
) -> Iterator[journal.Finding]:
    if ruling_number is None:
        return iter(findings)
    end_number = last_number or ruling_number
    return (
        finding
        for finding in findings
        if any(ruling_number <= number <= end_number for number in (finding.ruling, finding.cause) if number)
    )


def select_visible(lens: LiveLens, findings: Iterable[journal.Finding]) -> list[journal.Finding]:
    """Return the findings, except those about something that is hidden from the viewer."""
    all_findings = list(findings)
    numbers = {number for finding in all_findings for number in (finding.cause, finding.ruling) if number}
    rulings_by_number = {ruling.number: ruling for ruling in lens.book.load_rulings(sorted(numbers))}
    concerned_rulings = [
        rulings_by_number[finding.ruling]
        for finding in all_findings
        if finding.kind in OTHERWISE and finding.ruling in rulings_by_number
    ]
    secret_numbers = {
        shown_ruling.ruling.number
        for shown_ruling in attach_facts(lens.book, concerned_rulings)
        if _is_secret(lens, shown_ruling)
    }
    visible_findings = [
        finding for finding in all_findings if finding.kind not in OTHERWISE or finding.ruling not in secret_numbers
    ]
    return [finding for finding in visible_findings if _may_see(lens, finding, rulings_by_number)]


def _is_secret(lens: LiveLens, shown_ruling: ShownRuling) -> bool:
    """Return whether the ruling's declaration is hidden from the viewer."""
    return not lens.may_see_declaration(
        shown_ruling.ruling.responsible_seat, [event.body for event in shown_ruling.revealing_events]
    )


def _may_see(lens: LiveLens, finding: journal.Finding, rulings_by_number: dict[int, Ruling]) -> bool:
    if not lens.may_see(finding.audience):
        return False
    concerned_rulings = [
        rulings_by_number[number] for number in (finding.cause, finding.ruling) if number in rulings_by_number
    ]
    if not all(lens.may_know(ruling) for ruling in concerned_rulings):
        return False
    if finding.kind == "overdrawn" and finding.account is not None and finding.subject is not None:
        return finding.account not in list_hidden_accounts_of(lens, parse_subject(finding.subject))
    if finding.kind == "adrift" and finding.ruling in rulings_by_number:
        return lens.may_see(
            _find_audience(lens, rulings_by_number[finding.ruling], int(finding.detail.rpartition(".")[2]))
        )
    return True


def _find_audience(lens: LiveLens, ruling: Ruling, step_number: int) -> Audience:
    shown_ruling = attach_facts(lens.book, [ruling])[0]
    return next((event.body.audience for event in shown_ruling.events if event.body.step == step_number), None)
