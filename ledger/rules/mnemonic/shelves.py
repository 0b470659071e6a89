"""Two collections that grow with the campaign: a log, and a shelf of named items. Applying a fact never copies a whole
collection.

A log is a forest of perfect binary trees; a new entry changes only the last few trees. A shelf has 64 small boxes; a
new item copies only its own box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, TypeVar, cast

from ledger.rules.kernel.kit import cached_by_record, quick

T = TypeVar("T")
BOXES = 64


@quick
@dataclass(frozen=True, slots=True)
class Log(Generic[T]):
    """Entries in order. `trees`: (number of entries, tree). A tree of one entry is the entry itself; any other tree is
    a pair of trees.

    The type gives trees the type of an entry, so that an amendment cannot replace a tree with anything else.
    """

    trees: tuple[tuple[int, T], ...] = ()

    def with_last(self, entry: T) -> Log[T]:
        trees, size, tree = self.trees, 1, entry
        while trees and trees[-1][0] == size:
            tree = cast(T, (trees[-1][1], tree))
            size *= 2
            trees = trees[:-1]
        return Log((*trees, (size, tree)))

    def __iter__(self) -> Iterator[T]:
        for size, tree in self.trees:
            yield from _list_entries(size, tree)

    def __len__(self) -> int:
        return sum(size for size, _ in self.trees)

    @property
    def last(self) -> T | None:
        """The latest entry, if there is one."""
        if not self.trees:
            return None
        size, tree = self.trees[-1]
        while size > 1:
            size, tree = size // 2, _split(tree)[1]
        return tree

    def list_latest(self, count: int) -> tuple[T, ...]:
        """Return this many of the latest entries, in order."""
        entries: tuple[T, ...] = ()
        for size, tree in reversed(self.trees):
            if len(entries) < count:
                entries = (*_list_entries(size, tree), *entries)
        return entries[-count:]


def _split(tree: T) -> tuple[T, T]:
    """Return the two trees that were joined into this one."""
    return cast(tuple[T, T], tree)


def _list_entries(size: int, tree: T) -> Iterator[T]:
    if size == 1:
        yield tree
    else:
        for half in _split(tree):
            yield from _list_entries(size // 2, half)


@quick
@dataclass(frozen=True, slots=True)
class Shelf(Generic[T]):
    """Items by name. `boxes` maps the number of each box, as text, to the items in the box, by name."""

    boxes: Mapping[str, Mapping[str, T]] = field(default_factory=dict)

    def find(self, name: str) -> T | None:
        box = self.boxes.get(_find_box_number(name))
        return box.get(name) if box is not None else None

    def put(self, name: str, item: T) -> Shelf[T]:
        box_number, boxes = _find_box_number(name), self.boxes
        box = boxes.get(box_number)
        return Shelf({**boxes, box_number: {name: item} if box is None else {**box, name: item}})

    def in_order(self) -> Sequence[T]:
        """Return the items in the order of the rulings that made them."""
        return _sort_items(self)

    def items(self) -> Iterator[tuple[str, T]]:
        """Yield the names and items in no particular order. The caller sorts them by their own values."""
        for box in self.boxes.values():
            yield from box.items()


@cached_by_record
def _sort_items(shelf: Shelf[T]) -> Sequence[T]:
    return [item for _, item in sorted(shelf.items(), key=lambda entry: make_sort_key(entry[0]))]


@lru_cache(maxsize=10_000)
def make_sort_key(id: str) -> tuple[int, int]:
    """Return the key by which ids are sorted: `147-2` comes after `147`, and `9` before `10`."""
    ruling_text, _, later_text = id.partition("-")
    return (_read_number(ruling_text), _read_number(later_text))


def _read_number(text: str) -> int:
    return int(text) if text.isdecimal() and text.isascii() else 0


def _find_box_number(name: str) -> str:
    """Return the number of the box for a name. It is the same in every process, so that a state can be stored."""
    return str(int.from_bytes(name.encode("utf-8", "surrogatepass"), "big") % 8191 % BOXES)
