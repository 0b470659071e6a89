"""What can be declared about Combat Advantage: only in Melee, between two who stand in it. 3.13."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ledger.rules.kernel.moves import Among, Domain, Move
from ledger.rules.kernel.subjects import scene
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.acts import is_between
from ledger.rules.scattershot.at_hand import AtHand, grouped
from ledger.rules.scattershot.inputs_of_fights import (
    ChangeFoe,
    CheckAdvantage,
    EraseAdvantage,
    HoldAdvantage,
    SeizeAdvantage,
)
from ledger.rules.scattershot.state import Fight


def of_advantage(at: AtHand, fight: Fight) -> Iterator[Move]:
    """Of whom it is said in the rules: the holder's Player, the foe's who Yields, the foe's who suffers it."""
    if not fight.melee or at.place is None:
        return
    mine, held = at.mine(fight.standing), _held(at, fight)
    for id in mine:
        foes = tuple(one for one in fight.standing if one != id)
        if foes:
            yield Move(ChangeFoe, {"character": Among((id,)), "foe": Among(foes)})
    cap, per_pair = at.dials.epic_index, at.dials.advantage_cap == "per-pair"
    room = cap >= 1 and (per_pair or sum(held.values()) < cap)

    def seized(holder: str) -> tuple[str, ...]:
        foes = (one for one in fight.standing if one != holder and (holder in mine or one in mine))
        return tuple(one for one in foes if (holder, one) not in held and not _answered(at, held, holder, one))

    for foes, those in grouped(fight.standing if room else (), lambda id: seized(id) or None):
        yield Move(SeizeAdvantage, {"holder": those, "foe": Among(foes)})
        for holder, foe in product(those.values, foes):
            if between := _acts(at, str(holder), foe):
                pair: dict[str, Domain] = {"holder": Among((holder,)), "foe": Among((foe,))}
                yield Move(SeizeAdvantage, {**pair, "act": Among(between)})
    for (holder, foe), n in held.items():
        pair = {"holder": Among((holder,)), "foe": Among((foe,))}
        acts: dict[str, Domain] = {"act": Among((None, *_acts(at, holder, foe)))}
        if holder in mine and room and (not per_pair or n < cap):
            yield Move(HoldAdvantage, {**pair, **acts})
        if foe in mine:
            yield Move(CheckAdvantage, {**pair, **acts})
            yield Move(EraseAdvantage, {**pair, **acts})


def _acts(at: AtHand, holder: str, foe: str) -> tuple[str, ...]:
    """Open resolutions of an Action between these two."""
    deeds = at.scene.resolutions if at.scene is not None else {}
    return tuple(id for id, one in deeds.items() if is_between(one, holder, foe))


def _held(at: AtHand, fight: Fight) -> dict[tuple[str, str], int]:
    """By holder and foe, where there is some."""
    assert at.place is not None
    start, found = accounts.advantage(at.place.id, "", "").rstrip(":"), dict[tuple[str, str], int]()
    for account, n in at.seen.accounts(scene(at.place.id)).items():
        if account.startswith(start) and n > 0:
            holder, _, foe = account.removeprefix(f"{start}:").partition(":")
            if holder in fight.standing and foe in fight.standing:
                found[holder, foe] = n
    return found


def _answered(at: AtHand, held: dict[tuple[str, str], int], holder: str, foe: str) -> bool:
    """`seize-requires`: at some tables not while the foe holds some."""
    return bool(at.dials.seize_requires == "none-either-way" and (foe, holder) in held)
