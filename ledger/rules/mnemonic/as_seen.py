"""The game as a viewer is shown it, read from the views: all that moves may be made of.

Nothing here looks at a state: what is hidden from the viewer cannot decide about a move.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.boards import ruling_of
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.tables import Ladder
from ledger.rules.mnemonic.terms import same_name

#: One item of a view, as it is shown.
Shown = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Being:
    """A character. `numbers`: kind -> a rated trait's name -> its number, None where the ladder has no such rating."""

    id: str
    shown: Shown
    numbers: Mapping[str, Mapping[str, int | None]]

    @property
    def level(self) -> int:
        return int(self.shown["status"]["level"])

    @property
    def condition(self) -> str | None:
        found: str | None = self.shown["status"]["condition"]
        return found

    @property
    def dead(self) -> bool:
        return self.condition == "dead"

    def names(self, kind: str) -> tuple[str, ...]:
        """The traits of a kind that count now."""
        return tuple(name for name, number in self.numbers[kind].items() if number is not None)

    def assignments(self) -> Iterator[Shown]:
        """Every Aptitude assigned to it."""
        for numbers in self.shown["tasks"].values():
            yield from numbers


def _ladder(dials: Dials) -> Ladder:
    """The rating ladder; none where it lacks the Primary Role's rating, as it can when a dial's turn is overturned."""
    try:
        return ladders.ratings(dials)
    except Refused:
        return ()


class AsSeen:
    """`referees`: the seats that rule now. `rules`: whether the seat that is asked about is one of them.

    `seated`: whether somebody sits in the referee's chair. `unruled`: whether nobody rules, because nobody does.
    """

    def __init__(self, seen: Seen) -> None:
        self.seen, self.dials, self.seats = seen, seen.dials, seen.seats
        campaign = seen.view(CAMPAIGN)
        boards = [campaign, *(seen.view(scene(id)) for id in seen.scenes)]
        closed = [scene(id) for id in campaign["left"] if id not in seen.scenes and seen.has(scene(id))]
        left = [seen.view(place) for place in closed]
        of_closed: list[Shown] = [check for board in left for check in board["checks"]]
        late = {check["id"] for check in of_closed if ruling_of(check["id"]) in campaign["late"]}
        #: Of open scenes, of the campaign, and those begun in a closed scene since it was closed.
        self.checks: list[Shown] = [check for board in boards for check in board["checks"]]
        self.checks += [check for check in of_closed if check["id"] in late]
        #: What was begun in scenes closed of late, before they were: it can be finished, and nobody waits for it.
        self.left = [check for check in of_closed if check["id"] not in late]
        self.left_actions: list[Shown] = [action for board in left for action in board["actions"]]
        self.actions: list[Shown] = [one for board in boards for one in board["actions"]]
        self.injuries = {one["id"] for board in (*boards, *left) for one in board["injuries"]}
        self.ladder = _ladder(self.dials)
        self.chances = tuple(name for name, _ in ladders.chances(self.dials))
        usual = (None,) if self.dials.random_default in self.dials.random_ways else ()
        self.methods: tuple[str | None, ...] = (*usual, *self.dials.random_ways)
        self._counted: dict[str, int | None] = {}
        self.unrated = self._unrated()
        self.beings = {id: self._being(id) for id in seen.roster}
        #: Those of whom the same can be ruled, together.
        self.alike = self._alike()
        seated = campaign["referee"]
        self.seated = seated is not None
        self.unruled = seated is None and not self.dials.dramatic_seen_by_gm
        masters = tuple(id for id, one in self.seats.items() if one.role == "gm" and not self.unruled)
        self.referees = masters if seated is None else (seated,) if seated in self.seats else ()
        self.rules = seen.seat.seat in self.referees

    def _unrated(self) -> int | None:
        """What a trait nobody rated counts as; None where it is refused."""
        return None if self.dials.traits_unrated == "refuse" else self.counts(self.dials.traits_unrated)

    def counts(self, rating: str) -> int | None:
        """The number of a rating on the ladder in force, if it is on it."""
        if rating not in self._counted:
            known = ladders.has_rating(self.ladder, rating)
            self._counted[rating] = ladders.rating(self.ladder, rating)[1] if known else None
        return self._counted[rating]

    def _being(self, id: str) -> Being:
        shown = self.seen.view(character(id))
        numbers: dict[str, dict[str, int | None]] = {"talent": {}, "life": {}}
        for one in shown["ratings"]:
            if one["kind"] in numbers:
                numbers[one["kind"]][one["name"]] = self.counts(one["rating"])
        return Being(id, shown, numbers)

    def _alike(self) -> list[list[Being]]:
        groups: dict[Hashable, list[Being]] = {}
        for being in self.beings.values():
            shown, rated = being.shown, being.shown["importance"]
            traits = tuple((kind, *numbers.items()) for kind, numbers in being.numbers.items())
            own = (shown["resist_talent"], shown["immunity"]["source"], rated and rated["rating"], self.ready(being))
            groups.setdefault((being.level, being.condition, traits, own), []).append(being)
        return list(groups.values())

    # --- traits ---------------------------------------------------------------------------------------------------

    @property
    def ratings(self) -> tuple[str, ...]:
        """Names of ratings, from low to high."""
        return tuple(name for name, _ in self.ladder)

    def number(self, being: Being, kind: str, name: str) -> int | None:
        """What a trait counts as, if it may be used."""
        for own, number in being.numbers[kind].items():
            if same_name(own) == same_name(name):
                return number
        return self.unrated

    def any_name(self, being: Being, kind: str) -> bool:
        """Whether a trait of this kind that nobody rated can be used: any name but those rated by an old ladder."""
        return self.unrated is not None and None not in being.numbers[kind].values()

    def possible(self, number: int) -> bool:
        """Whether two ratings of the ladder could make this Aptitude."""
        return bool(self.ladder) and 2 * self.ladder[0][1] <= number <= 2 * self.ladder[-1][1]

    def ready(self, being: Being) -> tuple[str, ...]:
        """Assigned Aptitudes that a check could use."""
        if self.dials.feather_mode == "off":
            return ()
        return tuple(one["id"] for one in being.assignments() if one["ready"] and self.possible(one["final"]))

    # --- who ------------------------------------------------------------------------------------------------------

    def player_of(self, id: str) -> str | None:
        """The seat at which a character's player is asked; None where the referee speaks for it."""
        owner = self.seen.owner(id)
        if owner is None or owner not in self.seats or owner in self.referees:
            return None
        role = self.seats[owner].role
        plays = self.seated and role == "gm" and self.beings[id].shown["kind"] == "player_character"
        return owner if role == "player" or plays else None

    @property
    def mine(self) -> tuple[str, ...]:
        """Characters the seat may speak for: those it plays; the referee for all."""
        return tuple(id for id in self.beings if self.rules or id in self.seen.seat.characters)

    def able(self, id: str, physical: bool) -> bool:
        """mnemonic.status.inactive: the immobilized attempt what is not physical, where the table lets them."""
        condition = self.beings[id].condition
        still = condition == "immobilized" and not physical and self.dials.status_immobilized_may
        return condition is None or bool(still)

    # --- checks ---------------------------------------------------------------------------------------------------

    def goes_on(self, check: Shown) -> bool:
        """Whether a check can come out: the dead neither resist nor recover, and there is what it resists."""
        if check["purpose"] == "action":
            return True
        being = self.beings.get(check["character"])
        there = check["purpose"] == "recovery" or check["injury"] in self.injuries
        return being is not None and not being.dead and there
