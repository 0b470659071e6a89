"""Find unique things (cards of one deck) that are in two places at once.

A game lists what each subject's state holds, and who may know it (`Ruleset.things`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.contract import AnyRuleset, Held
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.subjects import Audience, Subject


@dataclass(frozen=True, slots=True)
class HeldTwice:
    """A thing held by two subjects, or twice by one. `holder`: the later subject, `other`: the earlier one.

    `audiences`: who may know each place.
    """

    thing: str
    holder: Subject
    other: Subject
    audiences: tuple[Audience, Audience]


def list_things_held_twice(
    ruleset: AnyRuleset,
    find: Callable[[Subject], Folded[Any] | None],
    subjects: Iterable[Subject],
    session: str | None,
) -> Iterator[HeldTwice]:
    """Yield each unique thing that is in two places, once for each pair. The later subject is the `holder`."""
    holders_by_thing: dict[str, list[tuple[Subject, Audience]]] = defaultdict(list)
    for subject in subjects if ruleset.things is not None else ():
        folded = find(subject)
        for held_thing in list_things(ruleset, subject, folded.state, session) if folded is not None else ():
            holders_by_thing[held_thing.thing].append((subject, held_thing.audience))
    for thing, holders in holders_by_thing.items():
        for index, (holder, audience) in enumerate(holders):
            for other_holder, other_audience in holders[:index]:
                yield HeldTwice(thing, holder, other_holder, (audience, other_audience))


_things_by_state: dict[int, tuple[Subject, str | None, object, tuple[Held, ...]]] = {}


def list_things(ruleset: AnyRuleset, subject: Subject, state: object, session: str | None) -> tuple[Held, ...]:
    """Return the unique things that a subject holds."""
    if ruleset.things is None:
        return ()
    cache_entry = _things_by_state.get(id(state))
    if cache_entry is None or cache_entry[:2] != (subject, session) or cache_entry[2] is not state:
        if len(_things_by_state) > 1000:
            _things_by_state.clear()
        cache_entry = _things_by_state[id(state)] = (
            subject,
            session,
            state,
            tuple(ruleset.things(subject, state, session)),
        )
    return cache_entry[3]
