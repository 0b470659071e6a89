"""How the referee and the player agree: the other side's seat is asked, and the declaring side cannot state the answer
itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.kernel.kit import (
    Asking,
    Between,
    Names,
    Question,
    Reason,
    Refused,
    RuleId,
    Says,
    Shape,
    Unfit,
    ask,
    choice,
    rule,
)
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.immunity import REASON_NEEDED
from ledger.rules.mnemonic.words import AptitudeNumber, format_reason

ASSIGN = rule(
    "mnemonic.feather.assign",
    "The referee and the player each judge the Aptitude. If their numbers are too far apart, they agree on one. A "
    "change from the previous number needs a reason.",
    "featherweight mnemonic",
    outcome="id",
)
ASK_JUDGEMENT = Question("judgement", "Give {purpose}")
ASK_AGREED = Question("agreed", "Propose an Aptitude {purpose}. You must both accept it.")
ASK_ASSENT = Question("assent", "Do you agree {purpose}")
ASK_REASON = Question("reason", "Explain {purpose}.")


@dataclass(frozen=True, slots=True)
class Judgement:
    """One side's answer. `report_reason`: why a game master answered for that side."""

    aptitude: int = 0
    has_agreed: bool = True
    report_reason: str = ""


# --- the player's own judgement ---------------------------------------------------------------------------------------


@choice("judge", by="asked", says="The player judges the Aptitude to be {aptitude}.")
class Judge:
    """Give your own judgement of the character's Aptitude for the task, as a whole number."""

    aptitude: AptitudeNumber


@choice(
    "report-judgement",
    by="gm",
    says="A game master reports that the player judges the Aptitude to be {aptitude}: “{reason}”",
)
class ReportJudgement:
    """As a game master, report the player's judgement. `reason`: why the player does not answer."""

    aptitude: AptitudeNumber
    reason: Reason


def ask_judgement(dials: Dials, player: str, task: str) -> Asking[Judgement]:
    """Return the player's own judgement of the Aptitude. The question stays open after an unfit answer:
    `aptitude-out-of-range` or `reason-needed`.
    """
    answer = yield from ask(
        player,
        Judge,
        ReportJudgement,
        slot=ASK_JUDGEMENT(),
        purpose=f"your own judgement of the Aptitude for this task: “{task.strip()}”",
        within=_list_answer_shapes(dials),
    )
    report_reason = _read_reason(answer.reason) if isinstance(answer, ReportJudgement) else ""
    return Judgement(_read_aptitude(dials, answer.aptitude), True, report_reason)


def _list_answer_shapes(dials: Dials) -> Iterator[Shape]:
    """Yield every possible Aptitude."""
    ladder = ladders.read_ratings(dials)
    possible_aptitudes = Between(2 * ladder[0][1], 2 * ladder[-1][1])
    for answer_class in (Judge, ReportJudgement, SettleOn):
        yield Shape(answer_class, {"aptitude": possible_aptitudes})


def _read_aptitude(dials: Dials, aptitude: object) -> int:
    try:
        return ladders.read_aptitude(ladders.read_ratings(dials), aptitude)
    except Refused as refusal:
        raise Unfit(refusal.rule, refusal.code, **refusal.context) from None


def _read_reason(reason: str, rule: RuleId = ASSIGN) -> str:
    if not reason.strip():
        raise REASON_NEEDED.unfit(rule)
    return reason


# --- agreeing on a number ---------------------------------------------------------------------------------------------


@choice("settle-on", by="asked", says="After talking it over, the referee proposes an Aptitude of {aptitude}.")
class SettleOn:
    """Propose an Aptitude after you have talked it over with the player."""

    aptitude: AptitudeNumber


def ask_agreement(
    draft: Draft, player: str, judgement: Judgement, proposal: int | None, task: str
) -> Asking[Judgement]:
    """Return the Aptitude that both sides accept. The referee proposes numbers until the player agrees to one."""
    report_reason = judgement.report_reason
    while True:
        if proposal is None:
            answer = yield from ask(
                draft.table.by.seat,
                SettleOn,
                slot=ASK_AGREED(),
                purpose=f"for “{task.strip()}”",
                within=_list_answer_shapes(draft.dials),
            )
            proposal = _read_aptitude(draft.dials, answer.aptitude)
        if proposal == judgement.aptitude:
            return Judgement(proposal, True, report_reason)
        reply = yield from ask_assent(player, ASSIGN, f"on an Aptitude of {proposal} for “{task.strip()}”?")
        report_reason = report_reason or reply.report_reason
        if reply.has_agreed:
            return Judgement(proposal, True, report_reason)
        proposal = None


@choice("explain", by="asked", says="The Aptitude has changed. Reason: “{reason}”")
class Explain:
    """Explain why the Aptitude for the task has changed."""

    reason: Reason


def ask_explanation(draft: Draft, task: str) -> Asking[str]:
    """Return the referee's explanation of why the Aptitude differs from the previous one. An answer without a reason is
    unfit: `reason-needed`.
    """
    answer = yield from ask(
        draft.table.by.seat, Explain, slot=ASK_REASON(), purpose=f"why the Aptitude for “{task.strip()}” has changed"
    )
    return _read_reason(answer.reason)


# --- assent -----------------------------------------------------------------------------------------------------------


@choice("assent", by="asked", says="Agreed.")
class Assent:
    """Agree. Only the person asked can do this."""


@choice("object", by="asked", says="Declined.")
class Object:
    """Disagree. Only the person asked can do this."""


def say_spoken_for(do: SpeakFor, names: Names) -> str:
    return f"A game master answers {'yes' if do.assents else 'no'} for the person asked{format_reason(do.reason)}."


@choice("speak-for", by="gm", says=say_spoken_for)
class SpeakFor:
    """As a game master, agree or disagree for the person asked, with a reason."""

    assents: Annotated[bool, Says("The answer is yes")]
    reason: Reason


def ask_assent(seat_id: str, rule: RuleId, purpose: str) -> Asking[Judgement]:
    """Return whether the seat agrees. If a game master answers for it without a reason, that answer is unfit:
    `reason-needed`.
    """
    answer = yield from ask(seat_id, Assent, Object, SpeakFor, slot=ASK_ASSENT(), purpose=purpose)
    if isinstance(answer, SpeakFor):
        return Judgement(0, answer.assents, _read_reason(answer.reason, rule))
    return Judgement(0, isinstance(answer, Assent))
