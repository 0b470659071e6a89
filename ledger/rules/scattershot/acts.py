"""The act that Combat Advantage and All-Out need: a declared Action, or the Gamemaster's ruling. 3.12, 3.13."""

from __future__ import annotations

from collections.abc import Callable

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot.agreement import agrees
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_fights import ActDeclined
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.state import Resolution
from ledger.rules.scattershot.terms import ACTOR


def is_between(resolution: Resolution, id: str, other: str) -> bool:
    """Whether one of these two acts, and the other is its subject or engaged."""
    pair = {id, other}
    aimed = {resolution.subject, *resolution.engaged}
    return resolution.actor in pair and bool((pair - {resolution.actor}) & aimed)


def is_all_out(resolution: Resolution, id: str, mode: str, foe: str | None) -> bool:
    """Whether the Persona attacks in it; or defends itself or moves; or, focusing, acts against the foe."""
    match mode:
        case "attack":
            return resolution.actor == id and resolution.deed.nature == "attack"
        case "defense":
            nature = resolution.deed.nature if resolution.actor == id else _nature_of(resolution, id)
            return nature in ("defense", "movement")
        case _:
            return resolution.actor == id and foe is not None and is_between(resolution, id, foe)


def _nature_of(resolution: Resolution, id: str) -> str:
    side = resolution.sides.get(id) if id != ACTOR else None
    return side.nature if side is not None else ""


def check_act(draft: Draft, rule: str, act: str | None, is_act: Callable[[Resolution], bool]) -> None:
    """Refuses `not-the-act`; `wrong-phase` where that resolution is closed."""
    if act is not None and not is_act(draft.resolution(act)):
        raise no(rule, "not-the-act", resolution=act)


def ruled(draft: Draft, rule: str, id: str, act: str | None, what: str) -> Asking[None]:
    """Without an act the Gamemaster is asked; declined, only that is recorded."""
    if act is not None or draft.table.by.role == "gm":
        return
    if not (
        yield from agrees(
            draft, draft.gm(), rule, "act", f"For {draft.table.name(character(id))}, without a declared Action: {what}"
        )
    ):
        draft.start_over()
        draft.here(ActDeclined(id, what))
        draft.by(rule, False, character=id)
