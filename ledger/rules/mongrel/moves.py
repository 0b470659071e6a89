"""What can be declared now. Nothing is secret in this game, so its moves are made with the rules' own functions."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.commands import CloseScene, Retire
from ledger.rules.kernel.moves import OPEN, Among, Move
from ledger.rules.kernel.offers import list_kernel_moves
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import scene
from ledger.rules.mongrel.guards import Strife
from ledger.rules.mongrel.moves_of_characters import answers, awards, over_time, raising, words
from ledger.rules.mongrel.moves_of_dealings import dealings
from ledger.rules.mongrel.moves_of_strife import attacks, conflicts
from ledger.rules.mongrel.moves_of_tasks import hits, occult, tasks
from ledger.rules.mongrel.sight import Sight


def moves(seen: Seen) -> Iterator[Move]:
    sight = Sight(seen)
    for some in (answers, conflicts, tasks, attacks, occult, hits, over_time, words, dealings, awards, raising):
        yield from some(sight)
    yield from list_kernel_moves(seen, but=(CloseScene, Retire))
    yield from _endings(sight)


def _endings(sight: Sight) -> Iterator[Move]:
    """`mongrel.damage.terminal`: whether somebody dies is answered before they retire, or the scene of it ends."""
    leaving = tuple(id for id in sight.seen.characters if not sight.people[id].dying)
    if leaving:
        yield Move(Retire, {"character": Among(leaving), "reason": OPEN})
    if ending := tuple(id for id in sight.seen.scenes if _can_end(sight, id)):
        yield Move(CloseScene, {"scene": Among(ending)})


def _can_end(sight: Sight, id: str) -> bool:
    conflict = sight.draft.scene(scene(id)).conflict
    return conflict is None or sight.settled(Strife(scene(id), conflict))
