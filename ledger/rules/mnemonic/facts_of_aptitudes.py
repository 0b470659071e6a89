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
    """Subject: the character. An Aptitude was assigned for one precise task. `ref`, `player`, `agreed`: the referee's,
    the player's and the agreed number. `gap`: the difference between the first two. `previous`: the previous assignment
    for the same task. `drift`: the difference from it. `tolerance`: how much drift needs no reason. `sheet_sum`: the
    sum of the named traits. `reported`: why a game master answered for the player. `session`: empty outside sessions;
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
    """Subject: the campaign. An Aptitude was assigned for a task. This is the record that shows how the
    numbers change.
    """

    assignment: AssignmentId
    character: CharacterId
    task: Title
    key: Title
    final: int
    tolerance: int
    reason: Reason


@fact("aptitude-used", version=2)
class AptitudeUsed:
    """Subject: the character. This check uses the assigned Aptitude, which no other check can use. `seen_by`: who can
    see this, as for the check.
    """

    assignment: AssignmentId
    check: CheckId
    seen_by: Readers | None = None
