"""What becomes true of Featherweight's aptitudes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, Title
from ledger.rules.mnemonic.terms import (
    AssignmentId,
    CheckId,
    Readers,
    SessionId,
)

#: The fields of a fact as they were stored.
Stored: TypeAlias = Mapping[str, object]


@fact("aptitude-assigned")
class AptitudeAssigned:
    """About the character: how good it is at one precise task, by the referee's, the player's and the agreed number.

    `gap`: the difference between the referee's and the player's number. `previous`: the previous assignment for the
    same task; `drift`: the difference from it. `tolerance`: how much drift needs no reason. `sheet_sum`: the sum of
    the named traits. `reported`: why a game master answered for the player. `session`: None outside any session;
    `session_count` is then the number of sessions played before, at least 1.
    """

    assignment: AssignmentId
    task: Title
    key: Title
    ref: int
    player: int | None
    agreed: int | None
    final: int
    gap: int | None
    previous: AssignmentId | None
    previous_final: int | None
    drift: int | None
    drifted: bool
    tolerance: int
    repeated: bool
    sheet_sum: int | None
    session: SessionId | None
    session_count: int
    reason: Reason
    reported: Reason


@fact("assignment-noted")
class AssignmentNoted:
    """About the campaign: the Aptitude assigned for a task, in the record that shows how numbers change."""

    assignment: AssignmentId
    character: CharacterId
    task: Title
    key: Title
    final: int
    tolerance: int
    reason: Reason


@fact("aptitude-used", version=2)
class AptitudeUsed:
    """About the character: this check uses the assigned Aptitude, which no other check can use. `seen_by`: as for the
    check.
    """

    assignment: AssignmentId
    check: CheckId
    seen_by: Readers | None = None
