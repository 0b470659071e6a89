"""The tree over a campaign's sealed events, grown leaf by leaf: every proof needs O(log n) rows.

Each leaf has the roots of the subtrees that it completes. A row never changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ledger.application import name_journal_stream
from ledger.events.lineage import find_home, name_stream_here
from ledger.events.merkle import SIZE, Frontier, Node, hash_leaf, list_nodes
from ledger.events.sealing import encode_leaf
from projections.views.saves import Saved
from projections.views.view import View, ViewTransaction, Written

MOST_REMEMBERED = 10_000
COLUMNS = ("campaign", "number", "position", "stream", "version", "nodes")


class Seals(View):
    """The view of sealed events. `number`: the leaf's number, from 0. `stream`: the event's stream, without the
    campaign. `nodes`: the roots of the subtrees that the leaf completes, 32 bytes for each level.
    """

    name = "seal"
    tables: ClassVar[Mapping[str, str]] = {
        "seal": """
            campaign text COLLATE "C" NOT NULL,
            number bigint NOT NULL,
            position bigint NOT NULL,
            stream text COLLATE "C" NOT NULL,
            version bigint NOT NULL,
            nodes bytea NOT NULL,
            PRIMARY KEY (campaign, number);
            CREATE INDEX ON {table} (campaign, stream, version)""",
    }

    def __init__(self) -> None:
        self._frontiers: dict[str, Frontier] = {}
        self._homes: dict[str, str] = {}

    def apply_saves(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        if len(self._frontiers) > MOST_REMEMBERED:
            self._frontiers.clear()
            self._homes.clear()
        rows: list[Written] = []
        for save in saves:
            if save.position == 1:
                self._frontiers[save.campaign] = Frontier()
            frontier = self._frontiers.get(save.campaign) or self._load_frontier(transaction, save.campaign)
            home = self._find_home(transaction, save)
            for stream, version, topic, state in save.stored_rows:
                number = frontier.count
                original_stream = stream if home == save.campaign else name_stream_here(home, stream)
                completed_nodes = frontier.append(hash_leaf(encode_leaf(original_stream, version, topic, state)))
                stream_here = stream.partition("/")[2]
                rows.append((save.campaign, number, save.position, stream_here, version, b"".join(completed_nodes)))
        transaction.copy_rows("seal", COLUMNS, rows)

    def _find_home(self, transaction: ViewTransaction, save: Saved) -> str:
        """Return the campaign where the save was written."""
        home, position = find_home(save.entry.streams) or self._homes.get(save.campaign), save.position
        while home is None and (position := position - 1):
            ((_, _, topic, state),) = transaction.recorder.select_at([(name_journal_stream(save.campaign), position)])
            home = find_home(transaction.codec.decode(topic, state).fact.streams)
        self._homes[save.campaign] = home = home or save.campaign
        return home

    def _load_frontier(self, transaction: ViewTransaction, campaign: str) -> Frontier:
        """Load the tree so far, and keep it in memory, because new leaves are not written at once."""
        ((count,),) = transaction.select(
            "SELECT coalesce(max(number) + 1, 0) FROM seal WHERE campaign = %(campaign)s", {"campaign": campaign}
        )
        peaks = list_nodes((0, int(count)))
        nodes: dict[int, bytes] = dict(
            transaction.select(
                "SELECT number, nodes FROM seal WHERE campaign = %(campaign)s AND number = ANY(%(numbers)s)",
                {"campaign": campaign, "numbers": [find_completing_leaf(peak) for peak in peaks]},
            )
        )
        frontier = Frontier(int(count), [find_hash_in(nodes[find_completing_leaf(peak)], peak) for peak in peaks])
        self._frontiers[campaign] = frontier
        return frontier


def find_completing_leaf(node: Node) -> int:
    """Return the number of the leaf that completes a subtree."""
    level, place = node
    return ((place + 1) << level) - 1


def find_hash_in(nodes: bytes, node: Node) -> bytes:
    """Return the root of a subtree, from the nodes of the leaf that completes it."""
    level, _ = node
    return bytes(nodes[level * SIZE : (level + 1) * SIZE])
