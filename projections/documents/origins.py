"""The origin of a fork, which anybody with a seal of the original campaign can check."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.application import Book, Seal, Sealer
from ledger.rules.kernel.facts import CampaignForked
from projections.documents.shape import Document, give_example

SEALER = Sealer(bytes(32))
ROOT = bytes(range(32))
ORIGIN: Origin = {
    "campaign": "q2mzt5a4ck3v7",
    "name": "The Long Winter",
    "at": 12,
    "position": 31,
    "count": 57,
    "root": ROOT.hex(),
    "checkpoint": SEALER.sign(Seal("q2mzt5a4ck3v7", 57, ROOT)).checkpoint,
    "public_key": SEALER.public_key.hex(),
    "unclaimed": ["s2"],
}


@give_example(**ORIGIN)
class Origin(Document):
    """The campaign that a fork continues. `at`: the last ruling that the fork took over. `position`: the last save that
    it took over.

    `count`: the number of sealed events in these saves, which are the first events of the fork. `root`: the root of the
    tree over these events, the same in both campaigns. `checkpoint`: the original campaign's seal of these events;
    `/seal/since/{count}` proves that the fork's record begins with them. An event that was taken over is hashed under
    its stream's name in the campaign where it was written. `unclaimed`: the seats that nobody has claimed yet.
    """

    campaign: str
    name: str
    at: int
    position: int
    count: int
    root: str
    checkpoint: str
    public_key: str
    unclaimed: list[str]


def find_origin(book: Book) -> Origin | None:
    """Return the origin of a fork, or None for a campaign that is not a fork."""
    return describe_origin(book.forks[-1], book.list_unclaimed_seats()) if book.forks else None


def describe_origin(fork: CampaignForked, unclaimed_seats: Sequence[str]) -> Origin:
    return {
        "campaign": fork.campaign,
        "name": fork.campaign_name,
        "at": fork.at,
        "position": fork.position,
        "count": fork.events,
        "root": fork.root,
        "checkpoint": fork.checkpoint,
        "public_key": fork.public_key,
        "unclaimed": list(unclaimed_seats),
    }
