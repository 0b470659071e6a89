"""What two sides settle together: asked of the other side's seat, never claimed. Heading: featherweight mnemonic."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.mnemonic.answers import judging
from ledger.rules.mnemonic.choices import Assent, Explain, Judge, Object, ReportJudgement, SettleOn, SpeakFor
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.guards import must_be_possible
from ledger.rules.mnemonic.ladders import ratings

ASSIGN = "mnemonic.feather.assign"


@dataclass(frozen=True, slots=True)
class Said:
    """What a side said. `reported`: why a game master said it for it."""

    number: int = 0
    assents: bool = True
    reported: str = ""


def judgement(dials: Dials, player: str, task: str) -> Asking[Said]:
    """The player's own. Unfit: `aptitude-out-of-range`, `reason-needed`."""
    said = yield from ask(
        player,
        Judge,
        ReportJudgement,
        slot="judgement",
        purpose=f"your own judgement of the Aptitude for this task: “{task.strip()}”",
        within=judging(dials),
    )
    reported = _reason(said.reason) if isinstance(said, ReportJudgement) else ""
    return Said(_possible(dials, said.aptitude), True, reported)


def agreement(draft: Draft, player: str, own: Said, proposed: int | None, task: str) -> Asking[Said]:
    """The number both can live with: the referee puts one to the player, as often as it takes."""
    reported = own.reported
    while True:
        if proposed is None:
            said = yield from ask(
                draft.table.by.seat,
                SettleOn,
                slot="agreed",
                purpose=f"for “{task.strip()}”",
                within=judging(draft.dials),
            )
            proposed = _possible(draft.dials, said.aptitude)
        if proposed == own.number:
            return Said(proposed, True, reported)
        answer = yield from assent(player, ASSIGN, f"on an Aptitude of {proposed} for “{task.strip()}”?")
        reported = reported or answer.reported
        if answer.assents:
            return Said(proposed, True, reported)
        proposed = None


def assent(seat: str, rule: str, purpose: str) -> Asking[Said]:
    """Whether the seat assents. Unfit: `reason-needed`, where a game master speaks for it without saying why."""
    said = yield from ask(seat, Assent, Object, SpeakFor, slot="assent", purpose=purpose)
    if isinstance(said, SpeakFor):
        return Said(0, said.assents, _reason(said.reason, rule))
    return Said(0, isinstance(said, Assent))


def explanation(draft: Draft, task: str) -> Asking[str]:
    """The referee's, where the number they agreed on drifts from the one before. Unfit: `reason-needed`."""
    said = yield from ask(
        draft.table.by.seat, Explain, slot="reason", purpose=f"why the Aptitude for “{task.strip()}” has changed"
    )
    return _reason(said.reason)


def _reason(reason: str, rule: str = ASSIGN) -> str:
    if not reason.strip():
        raise Unfit(rule, "reason-needed")
    return reason


def _possible(dials: Dials, number: object) -> int:
    try:
        return must_be_possible(ratings(dials), number)
    except Refused as no:
        raise Unfit(no.rule, no.code, **no.context) from None
