"""Count how often each word of a game was used, so that rare words are chosen more often."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from api.cli.playing.filling import Json
from api.cli.playing.table import Word

UNSAID = 0.6  # how often the least used words are preferred
NOTHING, SEVERAL = "-", "+"  # words that stand for an empty value and for several values
CLOSED = re.compile(r"[a-z][a-z0-9_-]*")  # a word of the game, neither prose nor a name


def choose_least_used_index(scope: str, candidates: Sequence[Json], counts: Counter[Word], rng: Random) -> int:
    """Return the index of the candidate to send, usually one with the least-used word."""
    if len(candidates) == 1 or rng.random() > UNSAID:
        return rng.randrange(len(candidates))
    lowest_counts = [
        min((counts[word] for word in list_words(scope, candidate)), default=max(counts.values(), default=0))
        for candidate in candidates
    ]
    least_count = min(lowest_counts)
    return rng.choice([index for index, count in enumerate(lowest_counts) if count == least_count])


def list_words(scope: str, value: object, name: str = "") -> Iterator[Word]:
    """Yield each word in a value with its scope and field. An empty value and a list of several items also count as
    words.
    """
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
