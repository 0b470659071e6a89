"""What people decide about rulings: dispute, uphold, overturn, reinstate, see beforehand, settle what follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ledger.aggregates.ruling import Command, Ruling, fold_ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.commands.consequences import (
    cleared,
    decide,
    must_know_what_follows,
    rule_anew,
    settled_by,
    turn,
    with_again,
    without,
)
from ledger.application.commands.declaring import by_ledger, decides, must_say
from ledger.application.reading.shown import Present, ShownComparison, ShownDecision, ShownFinding, ShownRuling
from ledger.application.reading.veiling import may_know
from ledger.application.save import Save
from ledger.application.saves import Act, Done
from ledger.errors import Fault, Malformed, NotFound, NotYours, Stale, WrongStatus
from ledger.events.codec import Codec
from ledger.events.envelope import Event
from ledger.events.recorder import LedgerRecorder
from ledger.events.records import Address, Decided, Decision, Restored, Settle, Settled, Settlement, Struck
from ledger.rules.kernel.dials import check_dial, dial_fields, hides, turned
from ledger.rules.kernel.facts import Leg
from ledger.rules.kernel.subjects import Viewer


def show_ruling(book: Book, number: int, viewer: Viewer) -> ShownRuling:
    """A ruling with its facts, for a seat that may know of it. NotFound otherwise."""
    ruling = book.ruling(number)
    if not may_know(viewer, ruling):
        raise NotFound(f"There is no ruling {number}.", code="ruling-not-found", ruling=number)
    return with_facts(book, [ruling])[0]


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
    told = [[*(one.ruled.facts for one in ruling.earlier), ruling.ruled.facts] for ruling in rulings]
    addresses = [(one.stream, one.version) for tellings in told for facts in tellings for one in facts]
    rows = recorder.select_at(addresses)
    if len(rows) < len(addresses):
        raise Fault("Facts that a ruling names are missing from the record.", code="event-missing")
    events = iter([Event(stream, version, codec.decode(topic, state)) for stream, version, topic, state in rows])
    shown = []
    for ruling, tellings in zip(rulings, told, strict=True):
        *earlier, facts = [without_legs([next(events) for _ in places]) for places in tellings]
        shown.append(ShownRuling(ruling, facts, earlier))
    return shown


def without_legs(facts: Iterable[Event]) -> list[Event]:
    return [event for event in facts if not isinstance(event.body.fact, Leg)]


def dispute(number: int, reason: str, if_match: int | None, present: Present) -> Act:
    """Any seat may; of an upheld ruling it is an appeal."""
    return _decide(number, "dispute", "disputed", reason, if_match, present, gm=False)


def uphold(number: int, reason: str, if_match: int | None, present: Present) -> Act:
    return _decide(number, "uphold", "upheld", reason, if_match, present, gm=True)


def _decide(
    number: int, command: Command, decision: Decision, reason: str, if_match: int | None, present: Present, *, gm: bool
) -> Act:
    def act(save: Save) -> Done:
        shown = opened(save, number, command, reason, if_match, gm=gm)
        after = decide(save, shown.ruling, Decided(decision, reason, revision=shown.ruling.revision))
        save.note(decision, ruling=number)
        return Done(200, present(save.book, save.viewer, ShownDecision(replace(shown, ruling=after))))

    return act


def witness(number: int, if_match: int | None, present: Present) -> Act:
    """A seat says that it saw the dice which another typed in, as they stand now. Nothing else changes by it."""

    def act(save: Save) -> Done:
        assert save.viewer is not None
        shown = show_ruling(save.book, number, save.viewer)
        must_match(shown.ruling.version_for(save.viewer), if_match)
        if not _to_witness(shown, save.viewer):
            raise NotYours("Nobody else typed in dice here that this seat may see.", code="nothing-to-witness")
        shown.ruling.must_allow("witness")
        revision = shown.ruling.revision
        told = [(one.decision, one.by, one.revision) for one in shown.ruling.decisions]
        if ("witnessed", save.by, revision) in told:
            raise WrongStatus("This seat has said so already.", code="witnessed-already")
        after = decide(save, shown.ruling, Decided("witnessed", "", revision=revision))
        save.note("witnessed", ruling=number)
        return Done(200, present(save.book, save.viewer, ShownDecision(replace(shown, ruling=after))))

    return act


def _to_witness(shown: ShownRuling, viewer: Viewer) -> bool:
    """Whether dice were typed in by somebody else, and the seat may see them."""
    seen = not shown.telltale or any(viewer.may_see(event.body.audience) for event in shown.telltale)
    return (seen or viewer.seat == shown.ruling.said_by) and any(
        next(iter(one.answer)) in json_form.ANSWERS
        and not (one.set_aside or by_ledger(one) or one.by == viewer.seat)
        and viewer.may_see(one.audience)
        for one in shown.ruling.ruled.answers
    )


def overturn(
    number: int, reason: str, also: Sequence[int], settle: Settle, if_match: int | None, present: Present
) -> Act:
    """Strike the ruling (and those named with it) out of the fold.

    Later rulings it changes become findings; with `rerule` they are ruled again in this save, as far as they can be.
    """

    def act(save: Save) -> Done:
        shown = opened(save, number, "overturn", reason, if_match, gm=True)
        numbers = _all_of(number, also)
        viewer = save.viewer
        assert viewer is not None
        others = [show_ruling(save.book, one, viewer).ruling for one in sorted(numbers - {number})]
        for ruling in others:
            ruling.must_allow("overturn")
        changed = without(save.book, numbers, position=save.position, cause=number, settle=settle)
        for ruling in (shown.ruling, *others):
            turn(save, ruling, Struck(ruling.number))
        after, *_ = [
            decide(save, one, Decided("overturned", reason, settle, tuple(sorted(numbers - {one.number}))))
            for one in (shown.ruling, *others)
        ]
        rule_anew(save, changed, number, reason)
        settled = settled_by(save.book, numbers, changed, f"ruling {number} was overturned")
        save.note("overturned", ruling=number, findings=changed.findings, settled=settled)
        return Done(200, present(save.book, viewer, ShownDecision(replace(shown, ruling=after), changed)))

    return act


def reinstate(number: int, reason: str, settle: Settle, if_match: int | None, present: Present) -> Act:
    """Put an overturned ruling's facts back in their place; findings its overturning raised are cleared."""

    def act(save: Save) -> Done:
        shown = opened(save, number, "reinstate", reason, if_match, gm=True)
        revision = shown.ruling.revision
        changed = with_again(save.book, number, revision, save.position, settle)
        turn(save, shown.ruling, Restored(number, revision))
        after = decide(save, shown.ruling, Decided("reinstated", reason, settle, revision=revision))
        after = rule_anew(save, changed, number, reason, after) or after
        settled = cleared(save.book, changed, f"ruling {number} was reinstated")
        save.note("reinstated", ruling=number, findings=changed.findings, settled=settled)
        told = set(after.ruled.facts)
        counted = [one for one in save.events if Address(one.originator_id, one.originator_version) in told]
        if counted:
            shown = replace(shown, facts=without_legs(counted), earlier=[*shown.earlier, shown.facts])
        return Done(200, present(save.book, save.viewer, ShownDecision(replace(shown, ruling=after), changed)))

    return act


def preview(
    book: Book,
    viewer: Viewer,
    number: int,
    also: Sequence[int],
    reason: str,
    if_match: int | None = None,
    settle: Settle = "flag",
) -> ShownComparison:
    """What overturning would change; nothing is saved. Refused as the overturning itself would be."""
    allowed(book, viewer, number, "overturn", reason, if_match, gm=True)
    for one in sorted(_all_of(number, also) - {number}):
        show_ruling(book, one, viewer).ruling.must_allow("overturn")
    position = book.campaign.position + 1
    changed = without(book, _all_of(number, also), position=position, cause=number, settle=settle, viewer=viewer)
    must_know_what_follows(book, viewer, changed)
    return changed


def what_if(
    book: Book, viewer: Viewer, numbers: Sequence[int], dials: Mapping[str, object] | None = None
) -> ShownComparison:
    """As a preview, for any seat; also as if the campaign had been played with these dials from the start."""
    for number in numbers:
        if not show_ruling(book, number, viewer).ruling.stands:
            raise Malformed(f"Ruling {number} is overturned already.", code="already-overturned", ruling=number)
    held = {**book.entry.in_force(), **(dials or {})}
    for name, value in (dials or {}).items():
        rule = check_dial(book.ruleset, name, value)
        if hides(book.ruleset, name) and not decides(book, viewer):
            raise NotYours(f"The dial {name} says who may see what: only who decides asks what would be otherwise.",
                           code="dial-hides", dial=name)  # fmt: skip
        if name in dial_fields(book.ruleset.dials):
            book.ruleset.check_dials(turned(book.ruleset.dials, held), name, rule)
    position = book.campaign.position + 1
    return without(book, frozenset(numbers), position=position, held=dials, findings="bare", viewer=viewer)


def leaning(book: Book, ruling: Ruling) -> list[int]:
    """Later rulings that would not come out the same if this one were struck."""
    if not ruling.stands or ruling.number >= book.campaign.rulings:
        return []
    shown = without(book, frozenset({ruling.number}), position=book.campaign.position + 1, findings="none")
    return [row.number for row in shown.comparison.rows if row.standpoint != "stands"]


def settle(id: str, how: Settled, reason: str, present: Present) -> Act:
    """Close a finding: something was done about it, or it is let stand, with the reason."""

    def act(save: Save) -> Done:
        assert save.viewer is not None
        if not decides(save.book, save.viewer):
            raise NotYours("Only a game master settles findings.")
        must_say("reason", reason)  # first: of a finding that is not for this seat nothing is told but that it is not
        finding = save.book.finding(id)
        save.note("settled", ruling=finding.ruling, settled=[Settlement(id, how, reason)])
        return Done(200, present(save.book, save.viewer, ShownFinding(finding, how, reason)))

    return act


# --- saving a decision --------------------------------------------------------------------------------------------


def opened(save: Save, number: int, command: Command, reason: str, if_match: int | None, *, gm: bool) -> ShownRuling:
    assert save.viewer is not None
    return allowed(save.book, save.viewer, number, command, reason, if_match, gm=gm)


def allowed(
    book: Book, viewer: Viewer, number: int, command: Command, reason: str, if_match: int | None, *, gm: bool
) -> ShownRuling:
    """The ruling to decide about, once nothing speaks against deciding."""
    if gm and not decides(book, viewer):
        raise NotYours("Only a game master decides about rulings.")
    shown = show_ruling(book, number, viewer)
    must_match(shown.ruling.version_for(viewer), if_match)
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
