"""Threads that read a stored type for the first time at once: the process lives, and all read the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.levels import examples, sampled

ROOT = Path(__file__).parents[2]
ROUNDS = examples(2, 2, 12)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="each round is a fork")
@pytest.mark.parametrize("way", sampled(["shared", "own"], 1))
def test_threads_may_read_every_topic_for_the_first_time_together(way: str) -> None:
    program = [sys.executable, "-m", "tests.kernel.first_reads", way, str(ROUNDS)]
    done = subprocess.run(program, cwd=ROOT, check=True, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == str({0: ROUNDS}), done.stderr
