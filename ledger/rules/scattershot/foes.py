"""Whom one fights: turning to another gives up the Combat Advantage over everybody else. 3.13."""

from __future__ import annotations

from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_fights import AdvantageErased, FoeChanged


def turn_to(draft: Draft, id: str, *foes: str) -> None:
    """`advantage.switch`: told with the act that does it. The first of these is the foe, unless one of them was before.

    Nothing outside Melee, nor of who stands in none.
    """
    fight = draft.fight(id)
    standing = fight.standing.get(id) if fight is not None and fight.melee else None
    fought = [one for one in foes if fight is not None and one in fight.standing and one != id]
    if fight is None or standing is None or not fought or standing.foe in fought:
        return
    draft.here(FoeChanged(id, standing.foe, fought[0]))
    for other in fight.standing:
        account = accounts.advantage(draft.place().id, id, other)
        held = draft.balance(account) if other not in (id, *fought) else 0
        if held > 0:
            draft.here(AdvantageErased(id, other, held, "another foe"), accounts.lost(account, held))
    draft.by("advantage.switch", fought[0], before=standing.foe)
