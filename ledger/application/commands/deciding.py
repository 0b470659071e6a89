"""Decisions that leave a ruling's results unchanged (dispute, uphold, witness), and the settling of findings."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ledger.aggregates.campaign import SettledThen
from ledger.aggregates.ruling import Command, Ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.calls import Act, Done
from ledger.application.commands.consequences import record_decision
from ledger.application.commands.declaring import check_not_blank
from ledger.application.reading.rights import may_decide
from ledger.application.reading.rulings import load_visible_ruling
from ledger.application.reading.shown import Present, ShownDecision, ShownFinding, ShownRuling
from ledger.application.reading.waiting import is_answered_by_ledger
from ledger.application.save import Save
from ledger.errors import NotYours, Stale, WrongStatus
from ledger.events.records import Decided, Decision
from ledger.events.records_of_journal import Settled, Settlement
from ledger.rules.kernel.subjects import Viewer


def dispute(number: int, reason: str, if_match: int | None, present: Present) -> Act:
    """Return the act that disputes a ruling. Any seat can do this. Disputing an upheld ruling is an appeal."""
    return _make_decision_act(number, "dispute", "disputed", reason, if_match, present, gm_only=False)


def uphold(number: int, reason: str, if_match: int | None, present: Present) -> Act:
    return _make_decision_act(number, "uphold", "upheld", reason, if_match, present, gm_only=True)


def _make_decision_act(
    number: int,
    command: Command,
    decision: Decision,
    reason: str,
    if_match: int | None,
    present: Present,
    *,
    gm_only: bool,
) -> Act:
    def act(save: Save) -> Done:
        shown_ruling = load_ruling_to_decide(save, number, command, reason, if_match, gm_only=gm_only)
        decided_ruling = record_decision(
            save, shown_ruling.ruling, Decided(decision, reason, revision=shown_ruling.ruling.revision)
        )
        save.note_for_journal(decision, ruling=number)
        return Done(200, present(save.book, save.viewer, ShownDecision(replace(shown_ruling, ruling=decided_ruling))))

    return act


def witness(number: int, if_match: int | None, present: Present) -> Act:
    """Return the act by which this seat confirms that it saw another seat's dice."""

    def act(save: Save) -> Done:
        assert save.viewer is not None
        shown_ruling = load_visible_ruling(save.book, number, save.viewer)
        must_match_version(shown_ruling.ruling.count_version_for(save.viewer), if_match)
        if not _has_dice_to_witness(shown_ruling, save.viewer):
            raise NotYours("This ruling has no dice that this seat can confirm.", code="nothing-to-witness")
        shown_ruling.ruling.check_allows("witness")
        revision = shown_ruling.ruling.revision
        decisions = [(decision.decision, decision.by, decision.revision) for decision in shown_ruling.ruling.decisions]
        if ("witnessed", save.by, revision) in decisions:
            raise WrongStatus("This seat has already confirmed these dice.", code="witnessed-already")
        witnessed_ruling = record_decision(save, shown_ruling.ruling, Decided("witnessed", "", revision=revision))
        save.note_for_journal("witnessed", ruling=number)
        return Done(200, present(save.book, save.viewer, ShownDecision(replace(shown_ruling, ruling=witnessed_ruling))))

    return act


def _has_dice_to_witness(shown_ruling: ShownRuling, viewer: Viewer) -> bool:
    """Return whether another seat entered dice that this seat may see."""
    is_visible = not shown_ruling.revealing_events or any(
        viewer.may_see(event.body.audience) for event in shown_ruling.revealing_events
    )
    return (is_visible or viewer.seat == shown_ruling.ruling.responsible_seat) and any(
        next(iter(answer.answer)) in json_form.ANSWER_CLASSES
        and not (answer.set_aside or is_answered_by_ledger(answer) or answer.by == viewer.seat)
        and viewer.may_see(answer.audience)
        for answer in shown_ruling.ruling.ruled.answers
    )


def settle_finding(id: str, how: Settled, reason: str, present: Present) -> Act:
    """Return the act that settles a finding: somebody fixed the problem, or it can stay as it is."""

    def act(save: Save) -> Done:
        assert save.viewer is not None
        if not may_decide(save.book, save.viewer):
            raise NotYours("Only a game master can resolve findings.")
        # check this first, so that the refusal of a finding hidden from this seat has no details
        check_not_blank("reason", reason)
        finding = save.book.find_finding(id)
        save.note_for_journal("settled", ruling=finding.ruling, settlements=[Settlement(id, how, reason)])
        settled_finding = SettledThen(finding, how, reason, save.by, save.at, save.position, alone=True)
        return Done(200, present(save.book, save.viewer, ShownFinding(settled_finding)))

    return act


# --- saving a decision --------------------------------------------------------------------------------------------


def load_ruling_to_decide(
    save: Save, number: int, command: Command, reason: str, if_match: int | None, *, gm_only: bool
) -> ShownRuling:
    assert save.viewer is not None
    return load_decidable_ruling(save.book, save.viewer, number, command, reason, if_match, gm_only=gm_only)


def load_decidable_ruling(
    book: Book, viewer: Viewer, number: int, command: Command, reason: str, if_match: int | None, *, gm_only: bool
) -> ShownRuling:
    """Return the ruling, after checking that a decision about it is allowed."""
    if gm_only and not may_decide(book, viewer):
        raise NotYours("Only a game master can decide on rulings.")
    shown_ruling = load_visible_ruling(book, number, viewer)
    must_match_version(shown_ruling.ruling.count_version_for(viewer), if_match)
    shown_ruling.ruling.check_allows(command)
    check_not_blank("reason", reason)
    return shown_ruling


def must_be_changeable_alone(ruling: Ruling, verb: Literal["reinstate", "correct"]) -> None:
    """Raise WrongStatus if a rewind overturned the ruling. The rulings of a rewind can only be reinstated together."""
    first = ruling.rewound_with
    if first is not None and (verb == "correct" or first != ruling.number):
        raise WrongStatus(
            f"Ruling {ruling.number} was overturned when the game was rewound to before ruling {first}."
            f" Reinstate ruling {first}: that reinstates all of them.",
            code="rewound-together",
            ruling=ruling.number,
            first=first,
        )


def must_match_version(version: int, if_match: int | None) -> None:
    """Raise Stale (412) if the caller saw another version."""
    if if_match is not None and if_match != version:
        raise Stale("This has changed since you last loaded it.", code="precondition-failed", version=version)
