"""Garbage is collected rarely while something large is read, and as usual afterwards, however readers overlap."""

from __future__ import annotations

import gc

from ledger.application.collecting import NEW_OBJECTS, collect_garbage_rarely


def test_the_usual_is_back_once_the_last_reader_has_finished() -> None:
    usual = gc.get_threshold()
    first, other = collect_garbage_rarely(), collect_garbage_rarely()
    for reader in (first, other):
        reader.__enter__()
        assert gc.get_threshold() == (NEW_OBJECTS, *usual[1:])
    first.__exit__(None, None, None)
    assert gc.get_threshold() == (NEW_OBJECTS, *usual[1:])
    other.__exit__(None, None, None)
    assert gc.get_threshold() == usual
