"""Which words of a game were used already, so that now and then the newest of several possible words is chosen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from api.cli.playing.filling import Json
from api.cli.playing.table import Word

UNSAID = 0.6  # how often the least used is preferred
NOTHING, SEVERAL = "-", "+"  # not words of a game
CLOSED = re.compile(r"[a-z][a-z0-9_-]*")  # neither prose nor anybody's name


def choose_newest_index(scope: str, candidates: Sequence[Json], counts: Counter[Word], rng: Random) -> int:
    """Return the index of the one to send: mostly one with a word that was used least there."""
    if len(candidates) == 1 or rng.random() > UNSAID:
        return rng.randrange(len(candidates))
    lowest_counts = [
        min((counts[word] for word in list_words(scope, candidate)), default=max(counts.values(), default=0))
        for candidate in candidates
    ]
    least_count = min(lowest_counts)
    return rng.choice([index for index, count in enumerate(lowest_counts) if count == least_count])


def list_words(scope: str, value: object, name: str = "") -> Iterator[Word]:
    """Yield each word with its place: of what, in which field; also whether it is empty, one or several."""
    if value is None or value in ([], {}):
        yield scope, name, NOTHING
    elif isinstance(value, list) and len(value) > 1:
        yield scope, name, SEVERAL
    if isinstance(value, dict):
        for key, part in value.items():
            yield from list_words(scope, part, f"{name}/{key}")
    elif isinstance(value, list):
        for part in value:
            yield from list_words(scope, part, name)
    elif isinstance(value, bool) or (isinstance(value, str) and CLOSED.fullmatch(value)):
        yield scope, name, str(value)
