"""The table of hooks: a place only ever goes forward, from where it was, while the hook is on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from ledger.application import Ledger
from ledger.events.hooks import Hook, HookStore
from tests.api.hooks.conftest import Clock, Delivery


@pytest.fixture
def store(ledger: Ledger, delivery: Delivery) -> HookStore:
    return HookStore(ledger.store.datastore)


def made(store: HookStore, clock: Clock, id: str = "a" * 13) -> Hook:
    hook = Hook(id, "c" * 13, "https://bot.example/", ("fact",), None, 0, "s1", clock.now, "digest", "{}", "on", 3, 0)
    assert store.add(hook) == hook == store.get(id)
    return hook


def test_who_is_late_moves_nothing(store: HookStore, clock: Clock) -> None:
    """As a deliverer would that does not know yet that another has taken over."""
    hook = made(store, clock)
    moved = store.note_delivered(hook, (5, 1), clock.now)
    assert moved is not None and moved.reached_place == (5, 1)
    assert store.note_delivered(hook, (4, 1), clock.now) is store.note_skipped(hook, (9, 0)) is None
    assert store.note_failed(hook, "The address returned 500.", clock.now, clock.now) is None
    assert store.get(hook.id) == moved
    passed = store.note_skipped(moved, (6, 0))
    assert passed is not None and passed.reached_place == (6, 0)


def test_what_has_ended_stays_as_it_is(store: HookStore, clock: Clock) -> None:
    hook = made(store, clock)
    ended = store.end(hook.id, "dead", "The address returned 500.", clock.now)
    assert ended is not None and (ended.problem, ended.problem_at) == ("The address returned 500.", clock.now)
    late = clock.now + timedelta(hours=1)
    assert store.note_delivered(hook, (5, 1), late) is store.end(hook.id, "ended", "late") is None
    assert store.agree(replace(hook, generation=1, position=5, place=1)) is None and store.get(hook.id) == ended
    assert (
        store.delete(hook.id) is not None
        and store.delete(hook.id) is None
        and store.list_for_campaign(hook.campaign) == []
    )


def test_of_what_was_deleted_the_latest_are_remembered(
    store: HookStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.events.hooks.REMEMBERED", 2)
    ids = [letter * 13 for letter in "abcde"]
    for id in ids:
        clock.forward(seconds=1)
        made(store, clock, id)
        store.delete(id)
    assert [store.get(id) is not None for id in ids] == [False, False, True, True, True]
