"""Unique things are in one place in random play; and who a game says may know a place is whoever does."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import given

from ledger.rules.kernel.as_known import AsKnown
from ledger.rules.kernel.contract import Held
from ledger.rules.kernel.register import CampaignEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from ledger.rules.kernel.things import list_things, list_things_held_twice
from ledger.rules.kernel.veils import Veiled
from ledger.rules.kernel.world import Past
from tests.laws.test_play import SEEDS, every_system, quickly, slowly
from tests.rules.anything import play
from tests.rules.moves import viewers


@every_system
@quickly
@given(seed=SEEDS)
def test_nothing_is_held_twice_as_long_as_everything_stands(name: str, seed: int) -> None:
    game = play(name, seed, 60)
    past = game.beginning()
    for ruling in game.history:
        past.tell(ruling.facts)
        assert not list(list_things_held_twice(past.ruleset, past.find, past.folded, session(past)))


@every_system
@slowly
@given(seed=SEEDS)
def test_who_may_know_a_place_is_who_knows_it_as_far_as_all_is_told_them(name: str, seed: int) -> None:
    game = play(name, seed, 60)
    standing = dict.fromkeys(Random(seed).sample(range(1, len(game.history) + 1), min(2, len(game.history))))
    for overturned in ({}, standing):
        past = Past(game.ruleset, overturned)
        past.tell(game.told())
        for viewer in viewers(past):
            beginning = Past(game.ruleset, overturned)
            known = AsKnown(beginning, viewer)
            known.tell(game.told())
            for subject in past.folded:
                shown = {held.thing for held in as_known(known, subject, session(past))}
                told = {held.thing for held in holds(past, subject) if viewer.may_see(held.audience)}
                assert told == shown, (viewer, subject)


def holds(past: Past, subject: Subject) -> tuple[Held, ...]:
    return list_things(past.ruleset, subject, past.folded[subject].state, session(past))


def as_known(known: AsKnown, subject: Subject, in_session: str | None) -> Iterator[Held]:
    """What the subject holds, as far as the viewer may know: what comes before a veil."""
    things, folded = known.ruleset.things, known.find(subject)
    if things is None or folded is None:
        return
    try:
        yield from things(folded.subject, folded.state, in_session)  # `list_things` has all of them, or none
    except Veiled:
        return


def session(past: Past) -> str | None:
    folded = past.find(CAMPAIGN)
    entry = folded.entry if folded is not None else None
    return entry.session if isinstance(entry, CampaignEntry) else None
