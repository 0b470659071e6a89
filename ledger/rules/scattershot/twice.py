"""What is kept twice: accounts count Hit Points and dice on the table, and a Resource's maximum is a Rating."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.contract import Twice
from ledger.rules.kernel.kept_twice import Places
from ledger.rules.kernel.subjects import Subject
from ledger.rules.scattershot.fold_of_characters import HIT_POINTS
from ledger.rules.scattershot.state import Character, Scene


def kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    state = places.state(subject)
    if isinstance(state, Character):
        if HIT_POINTS in state.resources:
            left = places.balance(subject, "resource", HIT_POINTS) - places.balance(subject, "shortfall", HIT_POINTS)
            yield Twice("hit_points", state.hit_points, left, account="resource")
        ratings = {name: state.ratings[name].value for name in state.resources if name in state.ratings}
        yield Twice("resources", {name: state.resources[name] for name in ratings}, ratings)
    if isinstance(state, Scene):
        dice = sum(len(one.dice) for one in state.resolutions.values())
        yield Twice("dice", dice, places.balance(subject, "xd"), account="xd")
