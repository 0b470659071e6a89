"""What is kept twice: impacts, dice and fatals are counted in accounts, and a scene repeats its round's levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ledger.rules.intensity.state import Character, Participant, Round, Scene
from ledger.rules.kernel.contract import Twice
from ledger.rules.kernel.kept_twice import Places
from ledger.rules.kernel.subjects import Subject


def kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    state = places.state(subject)
    if isinstance(state, Character):
        yield Twice("impacts", len(state.impacts), places.balance(subject, "impact"), account="impact")
    if isinstance(state, Scene):
        held = Counter(fatal.holder for fatal in state.fatals.values())
        yield Twice("fatals", dict(held), dict(places.balances(subject, "fatal")), account="fatal")
        yield Twice("dice", _dice(state.round), dict(places.balances(subject, "die")), account="die")
        declared = _declared(state.round)
        yield Twice("levels", declared, {id: state.levels.get(id) for id in declared})


def _dice(round: Round | None) -> dict[str, int]:
    """How many dice lie on the table, as the accounts have them."""
    found: dict[str, int] = {}
    for id, one in round.participants.items() if round is not None else ():
        defending = sum(die.picked_up for die in one.dice.values())
        found |= {f"standing-{id}": len(one.dice) - defending, f"defence-{id}": defending}
    return {name: count for name, count in found.items() if count}


def _declared(round: Round | None) -> dict[str, object]:
    participants: dict[str, Participant] = dict(round.participants) if round is not None else {}
    return {id: one.level for id, one in participants.items() if one.level is not None}
