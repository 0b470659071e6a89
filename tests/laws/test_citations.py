"""Law of every system: what a declaration or an answer names by its id exists, stands and is of the right kind.

Tried on the worked examples and on random play, each ruling adjudicated again at its place: with an id that does not
exist, with one of something else or of somebody else, and in a past without the ruling that made what it names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from api.http.examples import list_examples
from ledger.rules import systems
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.questions import Choice
from ledger.rules.kernel.world import Past, PastRuling
from tests.laws.citations import Named, named_in, ruling_in, with_other
from tests.levels import seeds
from tests.rules.anything import play
from tests.rules.examples import PurePlayer, world_for
from tests.rules.examples import play as play_example
from tests.rules.world import World

every_system = pytest.mark.parametrize("name", sorted(systems()))
MISSING = ("999", "999-1", "nobody")
#: References that the kernel checks, or that a table of the game lists by name: none of them is an id of something made
#: by a ruling of the game.
NO_CITATIONS = frozenset(
    {
        "character",
        "seat",
        "audience",
        "subject",
        "account",
        "ruling",
        "field",
        "fact",
        "asker",
        "table-row",  # of `healing` and `ag` a number
        "affected",  # words, too: whatever nobody introduced is the Gamemaster's
        "side",
        "roll-target",
        "expectation-scope",  # a character's id; of a resolution, of a die
    }
)
#: What else is named there: an impossible dodge causes an injury, as a check does; a story's id is that of its play.
ALSO = {
    "check": {"action"},
    "play-or-roll": {"play", "change"},
    "play-or-chip": {"play", "change"},
    "pile": {"action", "hit", "change"},
}
#: What stands without the ruling that made what it names, and why.
RESTS_ON_MORE = {
    "claim-payback.resolution": "it repays the dice spent, and these were spent in rulings that have findings of "
    "their own: with them it goes",
    "mark-features.session": "it counts for the session that was closed last; without its opening the closing has a "
    "finding of its own: with it it goes",
}


@dataclass(frozen=True)
class Cited:
    """An id of something that an earlier ruling made. `anew`: the ruling with another id in its place."""

    field: str
    named: Named
    made: int
    ruling: PastRuling
    anew: Callable[[str], PastRuling]

    @property
    def to(self) -> str:
        return self.named.to

    @property
    def id(self) -> str:
        return self.named.id


class Record:
    """A game told again ruling by ruling, with the kinds of all ids that were made so far."""

    def __init__(self, game: World) -> None:
        self.game, self.past = game, game.beginning()
        self.kinds: dict[str, set[str]] = {}
        #: Which characters were told of what has this id.
        self.owners: dict[str, set[str]] = {}

    def citations(self) -> Iterator[Cited]:
        """Each one while the record is told as far as its ruling."""
        for ruling in self.game.history:
            for cited in (*_declared(ruling), *_answered(ruling)):
                if cited.to not in NO_CITATIONS and cited.made < ruling.number:
                    yield cited
            for subject, done in ruling.facts:
                if subject.kind in ("character", "scene") and ruling_in(subject.id) == ruling.number:
                    self.kinds.setdefault(subject.id, set()).add(subject.kind)
                for named in named_in(done.fact):
                    if ruling_in(named.id) == ruling.number:
                        self.kinds.setdefault(named.id, set()).add(named.to)
                        if subject.kind == "character":
                            self.owners.setdefault(named.id, set()).add(subject.id)
            self.past.tell(ruling.facts)

    def others(self, cited: Cited) -> list[str]:
        """Ids of something else than what is named there, the last ones that were made."""
        fitting = {cited.to, *ALSO.get(cited.to, ())}
        return [id for id, kinds in self.kinds.items() if not kinds & fitting][-4:]

    def of_others(self, cited: Cited) -> list[str]:
        """Ids of the same kind that are somebody else's, where it must be the character's own."""
        owner = self.owners.get(cited.id)
        if not cited.named.is_own or owner is None:
            return []
        fitting = (id for id, kinds in self.kinds.items() if cited.to in kinds and id in self.owners)
        return [id for id in fitting if not self.owners[id] & owner][-4:]


def _declared(ruling: PastRuling) -> Iterator[Cited]:
    for named in named_in(ruling.declared):
        made = ruling_in(named.id)
        if made is not None:

            def anew(id: str, path: Any = named.path) -> PastRuling:
                return replace(ruling, declared=with_other(ruling.declared, path, id))

            yield Cited(f"{find_kind(ruling.declared)}.{named.field}", named, made, ruling, anew)


def _answered(ruling: PastRuling) -> Iterator[Cited]:
    for place, said in enumerate(ruling.said):
        if not isinstance(said.answer, Choice):
            continue
        value = said.answer.value
        for named in named_in(value):
            made = ruling_in(named.id)
            if made is not None:

                def anew(id: str, place: int = place, path: Any = named.path, value: Any = value) -> PastRuling:
                    other = replace(ruling.said[place], answer=Choice(with_other(value, path, id)))
                    return replace(ruling, said=(*ruling.said[:place], other, *ruling.said[place + 1 :]))

                field = f"{find_kind(ruling.declared)}/{find_kind(value)}.{named.field}"
                yield Cited(field, named, made, ruling, anew)


def broken(game: World) -> set[tuple[str, str]]:
    """The fields that take what they must not, each with why."""
    record, found = Record(game), set[tuple[str, str]]()
    for cited in record.citations():
        tried = (
            ("does not exist", MISSING),
            ("is something else", record.others(cited)),
            ("is somebody else's", record.of_others(cited)),
        )
        for why, ids in tried:
            for id in ids:
                if comes_out(record.past, cited.anew(id)):
                    found.add((cited.field, f"{id} {why}"))
        if cited.field not in RESTS_ON_MORE and stands_without(game, cited):
            found.add((cited.field, f"{cited.id} was overturned"))
    return found


def comes_out(past: Past, ruling: PastRuling) -> bool:
    """Whether it comes out with facts."""
    outcome = past.readjudicate(ruling)
    return isinstance(outcome, Verdict) and bool(outcome.facts)


def stands_without(game: World, cited: Cited) -> bool:
    """Whether it comes out as recorded without the ruling that made what it names."""
    rows = game.without(cited.made).rows
    return any(row.as_recorded for row in rows if row.number == cited.ruling.number)


@every_system
def test_the_examples_name_what_stands(name: str) -> None:
    for example in list_examples(name):
        game = world_for(systems()[name], example)
        play_example(PurePlayer(game), example, "gm")
        assert not broken(game), example["name"]


@every_system
@pytest.mark.parametrize("seed", seeds(2, 12, 300))
def test_random_play_names_what_stands(name: str, seed: int) -> None:
    assert not broken(play(name, seed, 100))
