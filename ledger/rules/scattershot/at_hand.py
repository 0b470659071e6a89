"""What moves are made of: who sits at the table, who plays whom, and the domains that come again and again.

Nothing is secret in this game, so moves look at its state and use the rules' own functions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from typing import Any, Final, TypeVar

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.moves import Among, Besides, Between, Domain, Either, Row, Shape, Some
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.chart import OWN_FACETS, WIDEST, facet
from ledger.rules.scattershot.dials import Dials
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.inputs_of_deeds import Modifier
from ledger.rules.scattershot.state import Fight
from ledger.rules.scattershot.tables import WEAPONS

K = TypeVar("K", bound=Hashable)
D = TypeVar("D")
NONE: Final = Among((None,))
NO: Final = Among((False,))
YES: Final = Among((True,))
#: A reason, a name: something must stand there.
SAID: Final = Besides(("",))
#: What `check_whole` lets pass.
WHOLE: Final = Between(-(10**9), 10**9)
#: Typed in, or asked for.
FACE: Final = Either((NONE, Between(1, 6)))
TWO_D10: Final = Either((NONE, Row((Between(1, 10), Between(1, 10)))))
MODIFIERS: Final = Some(Shape(Modifier, {"amount": WHOLE}), repeats=True)


class Looked:
    """The table as moves and answers look at it. `draft`: to look at, never written on."""

    def __init__(self, table: Table[Dials]) -> None:
        self.table = table
        self.draft = Draft(table)
        self.dials = self.draft.dials
        self.fights = self.draft.fights()
        self._balances: dict[str, int] = {}

    def balance(self, account: str) -> int:
        found = self._balances.get(account)
        if found is None:
            found = self._balances[account] = self.draft.balance(account)
        return found

    def left_of(self, id: str, resource: str) -> int:
        """Of a Resource: below 0 where the table lets it fall further."""
        return self.balance(accounts.resource(id, resource)) - self.balance(accounts.shortfall(id, resource))

    def fresh(self) -> Draft:
        """To try something on."""
        return Draft(self.table)

    def accepts(self, rule: Callable[[Draft, D], Generator[Any, Any, None] | None], do: D) -> bool:
        """Whether the rules refuse it before they ask anything."""
        try:
            asking = rule(self.fresh(), do)
            if asking is not None:
                next(asking, None)
        except Refused:
            return False
        return True

    def fight_of(self, id: str) -> Fight | None:
        return next((one for one in self.fights.values() if id in one.standing), None)


class AtHand(Looked):
    """The table as it is looked at for one seat's moves.

    `by`: the seat. `rules`: whether it is a Gamemaster's. `known`: every Character; `open`: those not retired.
    """

    def __init__(self, seen: Seen) -> None:
        super().__init__(seen.table)
        self.seen = seen
        self.by, self.rules = seen.seat.seat, seen.seat.role == "gm"
        self.masters = tuple(id for id, entry in seen.seats.items() if entry.role == "gm")
        self.players, self.group = self.draft.players(), self.draft.group()
        self.known = tuple(id for id in seen.roster if self.table.has(character(id)))
        self.open = seen.characters
        here = seen.scene
        there = here is not None and self.table.has(here) and self.table.is_open(here)
        self.place = here if there else None
        self.scene = self.draft.scene_of(self.place) if self.place is not None else None
        self.in_stock = self.draft.in_stock()

    # --- people ------------------------------------------------------------------------------------------------------

    def speak_for(self, *ids: str) -> tuple[str, ...]:
        """The seats that say what these Characters do: their Players', and the Gamemasters'."""
        return tuple(dict.fromkeys((*map(self.draft.owner, ids), *self.masters)))

    def mine(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Those of which the seat may say what they do."""
        return tuple(id for id in ids if self.rules or self.draft.owner(id) == self.by)

    def players_spoken_for(self, among: Iterable[str]) -> Iterator[tuple[str, Among]]:
        """Those of these Players for whom the seat may declare, with what `player` says then."""
        for one in among:
            if one == self.by:
                yield one, Among((None, one))
            elif self.seen.decides:
                yield one, Among((one,))

    def on_chart(self, rating: int, name: str) -> bool:
        """Whether the UE Chart has this facet of a Rating."""
        if self.dials.ue_chart is None and name in OWN_FACETS:
            return abs(rating) <= WIDEST
        try:
            facet(self.dials, rating, name)
        except Refused:
            return False
        return True

    def weapons(self, counts: bool) -> Domain:
        """Weapons by name, or any number. `counts`: it is used now, so that a Player may need a listed name."""
        named = Among(tuple(dict.fromkeys((*WEAPONS, *self.draft.campaign().weapons))))
        free = not counts or self.rules or self.dials.weapon_numbers == "free"
        return Either((named, Between(0) if free else Among((0,))))

    def actions_left(self, id: str) -> int:
        return self.balance(accounts.actions(self.place.id, id)) if self.place is not None else 0

    # --- dice --------------------------------------------------------------------------------------------------------

    def from_stock(self, most: int | None = None) -> Domain | None:
        """So many dice as the stock has, and no more than that; None: not one."""
        left = most if self.in_stock is None else self.in_stock if most is None else min(most, self.in_stock)
        return Between(1, left) if left is None or left >= 1 else None

    def stock_has(self, n: int) -> bool:
        return self.in_stock is None or n <= self.in_stock

    def loaners(self, player: str) -> int | None:
        """How many more this Player may have out; None: without limit."""
        limit = self.dials.loaner_limit
        return max(0, limit - self.balance(accounts.karmic(player))) if limit is not None else None


def some(values: Iterable[object]) -> Domain:
    """A list of any of these, the same one twice, too."""
    there = tuple(values)
    return Some(Among(there), repeats=True) if there else Among(((),))


def grouped(ids: Iterable[str], key: Callable[[str], K | None]) -> Iterator[tuple[K, Among]]:
    """The Characters of which the same is true, together; None: left out."""
    found: dict[K, list[str]] = {}
    for id in ids:
        of = key(id)
        if of is not None:
            found.setdefault(of, []).append(id)
    for of, those in found.items():
        yield of, Among(tuple(those))
