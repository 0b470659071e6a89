"""The three levels of the suite: `scripts/test --quick`, `scripts/test` and `scripts/test --all`.

`--quick` leaves out the tests marked `slow` and the files in `SLOW`. A test marked `nightly` runs with `--all` only.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from random import Random
from typing import Any

import pytest

ROOT = Path(__file__).parent
#: Files and folders that `--quick` does not even import, below `tests`.
SLOW = (
    "api/clients",
    "api/hooks/test_deliveries.py",
    "api/hooks/test_documentation.py",
    "api/hooks/test_operator.py",
    "api/hooks/test_secrets_of_games.py",
    "api/hooks/test_trouble.py",
    "api/page",
    "api/test_amendments_mnemonic.py",
    "api/test_asking_at_once.py",
    "api/test_bouncer.py",
    "api/test_chronicles.py",
    "api/test_cli*.py",
    "api/test_connections.py",
    "api/test_consent.py",
    "api/test_consent_laws.py",
    "api/test_demonstration.py",
    "api/test_description.py",
    "api/test_documentation.py",
    "api/test_dossier.py",
    "api/test_entering_late.py",
    "api/test_environment.py",
    "api/test_evening*.py",
    "api/test_examples.py",
    "api/test_export.py",
    "api/test_feed_load.py",
    "api/test_followers.py",
    "api/test_following.py",
    "api/test_forms_of_answers.py",
    "api/test_invites.py",
    "api/test_lists.py",
    "api/test_logs.py",
    "api/test_one_moment.py",
    "api/test_operation.py",
    "api/test_outage.py",
    "api/test_playing.py",
    "api/test_rates.py",
    "api/test_retries.py",
    "api/test_revising.py",
    "api/test_rewinding.py",
    "api/test_search.py",
    "api/test_secrets_*.py",
    "api/test_session_*.py",
    "api/test_standby.py",
    "api/test_starting.py",
    "api/test_trouble.py",
    "api/test_twins*.py",
    "kernel/test_correctness.py",
    "kernel/test_database_check.py",
    "kernel/test_late_laws.py",
    "kernel/test_looking_back.py",
    "kernel/test_naming.py",
    "kernel/test_taking_back.py",
    "laws/test_amend_in_secret.py",
    "laws/test_presented.py",
    "laws/test_secret_dice.py",
    "laws/test_steps.py",
    "laws/test_words.py",
    "reliability",
    "rules/*/test_laws.py",
    "rules/test_reached.py",
    "shelves",
    "test_backup.py",
    "test_containers*.py",
    "test_embedded.py",
    "test_up.py",
    "versions",
    "views",
)
#: `scripts/test` sets it: "quick", "usual" or "all".
LEVEL = os.environ.get("LEDGER_TEST_LEVEL", "usual")
#: Which parameters `sampled` chooses. Every worker must choose the same ones, so this is no random number.
SEED = int(os.environ.get("LEDGER_TEST_SEED", "0"))


def is_left_out(path: Path) -> bool:
    """Whether this level leaves out the whole file or folder."""
    if LEVEL != "quick" or ROOT not in path.parents:
        return False
    return any(fnmatch(path.relative_to(ROOT).as_posix(), pattern) for pattern in SLOW)


def seeds(quick: int, usual: int, nightly: int) -> list[Any]:
    """Parameters 0, 1, 2 ... for a test of random play: so many of them at each level."""
    return [_marked(seed, seed < quick, seed < usual) for seed in range(nightly)]


def examples(quick: int, usual: int, nightly: int) -> int:
    """How many examples Hypothesis draws at this level."""
    return {"quick": quick, "usual": usual, "all": nightly}[LEVEL]


def sampled(
    items: Sequence[Any],
    usual: int,
    quick: int = 0,
    *,
    salt: str = "",
    group: Callable[[Any], object] = lambda item: None,
    several: bool = False,
) -> list[Any]:
    """All items as parameters of a test, most of them `nightly`: a sample is tried at the lower levels.

    The sample takes from each group in turn. Another `salt` gives another sample, so that different tests try different
    items; so does LEDGER_TEST_SEED. `several`: each item is a tuple of values for several parameters.
    """
    groups: dict[object, list[int]] = {}
    for place in Random(f"{SEED} {salt}").sample(range(len(items)), len(items)):
        groups.setdefault(group(items[place]), []).append(place)
    turns = sorted(
        (turn, order, place) for order, places in enumerate(groups.values()) for turn, place in enumerate(places)
    )
    rank = {place: index for index, (_, _, place) in enumerate(turns)}
    return [
        _marked(item, rank[place] < quick, rank[place] < usual, several=several) for place, item in enumerate(items)
    ]


def _marked(item: Any, is_quick: bool, is_usual: bool, *, several: bool = False) -> Any:
    if is_quick:
        return item
    values = item if several else (item,)
    return pytest.param(*values, marks=pytest.mark.slow if is_usual else pytest.mark.nightly)
