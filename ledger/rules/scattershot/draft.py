"""The verdict in the making: what the rules of this game ask again and again while they write it."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel import draft
from ledger.rules.kernel.contract import Step, Table
from ledger.rules.kernel.subjects import CAMPAIGN, Audience, Subject, character, seat
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.dials import Dials
from ledger.rules.scattershot.facts import Fact
from ledger.rules.scattershot.fold import FOLD
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.state import (
    Campaign,
    Character,
    Expectation,
    Fight,
    Resolution,
    Scene,
    Seat,
    State,
    element_of,
)
from ledger.rules.scattershot.there import with_those_there


class Draft(draft.Draft[Dials, State, Fact]):
    """Who the Players are, what a Character stands in, where dice lie."""

    fold = FOLD

    def __init__(self, table: Table[Dials]) -> None:
        super().__init__(table)
        self._spoken: list[Step] = []
        self._whole: tuple[Scene, Scene] | None = None
        self._here: Subject | None = None

    # --- writing -----------------------------------------------------------------------------------------------------

    def start_over(self) -> None:
        """Nothing was written, but who spoke for whom."""
        super().__init__(self.table)
        self._because += self._spoken

    def by(self, rule: str, out: object, /, audience: Audience = None, **given: object) -> None:
        """A step of the derivation: `rule` without the system's name."""
        super().by(f"scattershot.{rule}", out, audience, **given)

    def spoken_for(self, rule: str, player: str, agreed: bool, reason: str) -> None:
        """A Gamemaster said it for this Player: a step that stands, also where the ruling starts over."""
        self.by(rule, "agreed" if agreed else "declined", asked=player, spoken_for=reason)
        self._spoken.append(self._because[-1])

    # --- looking -----------------------------------------------------------------------------------------------------

    def who(self, id: str) -> Character:
        """The Character as it is by now. Refuses `unknown-character`."""
        return self.state(character(id), Character)

    def campaign(self) -> Campaign:
        return self.state(CAMPAIGN, Campaign)

    def place(self) -> Subject:
        """The scene it is declared in. Refuses `not-in-this-scene` where there is none."""
        found = self._open_scene()
        if found is None:
            raise no("mech.scope", "not-in-this-scene")
        return found

    def _open_scene(self) -> Subject | None:
        if self._here is None:
            found = self.table.scene
            if found is not None and self.table.has(found) and self.table.is_open(found):
                self._here = found
        return self._here

    def scene(self) -> Scene:
        return self.scene_of(self.place())

    def scene_of(self, place: Subject) -> Scene:
        """With the Characters that are there."""
        found = self.state(place, Scene)
        if self._whole is None or self._whole[0] is not found:
            self._whole = (found, with_those_there(found, self.is_character))
        return self._whole[1]

    def mode(self) -> str | None:
        """The mode of Play of the scene; None where there is no scene."""
        found = self._open_scene()
        return self.scene_of(found).mode if found is not None else None

    def fights(self) -> Mapping[str, Fight]:
        """Mechanical Play in the scene, by Scope."""
        found = self._open_scene()
        scene = self.scene_of(found) if found is not None else None
        return scene.fights if scene is not None and scene.mode == "mechanical" else {}

    def fight(self, id: str | None) -> Fight | None:
        """The one in which a Character stands."""
        return next((one for one in self.fights().values() if id in one.standing), None)

    def resolution(self, id: str) -> Resolution:
        """An open one of the scene. Refuses `wrong-phase` where it is closed, or never was."""
        found = self.scene().resolutions.get(id)
        if found is None:
            raise no("resolve.phases", "wrong-phase", resolution=id)
        return found

    # --- people ------------------------------------------------------------------------------------------------------

    def owner(self, id: str) -> str:
        """The seat that plays a Character."""
        return self.table.owner(character(id))

    def is_character(self, id: str) -> bool:
        return self.table.has(character(id))

    def is_open_character(self, id: str) -> bool:
        """Not retired."""
        return self.table.is_open(character(id))

    def is_gm(self, player: str) -> bool:
        return self.table.has(seat(player)) and self.table.role(seat(player)) == "gm"

    def words_of(self, player: str) -> tuple[str, ...]:
        """The limits in words on this Player's new Personae."""
        return self.state(seat(player), Seat).words if self.table.has(seat(player)) else ()

    def limit_of(self, player: str) -> int | None:
        """On the starting points of its Personae."""
        return self.state(seat(player), Seat).limit

    def players(self) -> tuple[str, ...]:
        """Every Player's seat, the Gamemaster's among them, clockwise."""
        here = tuple(
            one.id
            for one in self.table.subjects("seat")
            if self.table.is_open(one) and self.table.role(one) != "observer"
        )
        seated = self.campaign().clockwise
        first = tuple(id for id in seated if id in here)
        return (*first, *(id for id in here if id not in first))

    def gm(self) -> str:
        """The Gamemaster's seat: the first of them."""
        return next((id for id in self.players() if self.is_gm(id)), self.players()[0])

    def present(self, player: str) -> bool:
        """At the table: a Player, and where it was noted who is present in this Session, one of those."""
        if player not in self.players():
            return False
        campaign = self.campaign()
        noted = campaign.present_in is not None and campaign.present_in == self.table.session
        return not noted or player in campaign.present

    def group(self) -> tuple[str, ...]:
        """Every Player who is there."""
        return tuple(id for id in self.players() if self.present(id))

    def player(self, named: str | None) -> str:
        """Whose input it is: the seat named (a Gamemaster records for others), else who declares.

        Refuses `not-at-the-table`.
        """
        player = named if named is not None else self.table.by.seat
        if not self.present(player):
            raise no("mib.experience", "not-at-the-table", player=player)
        return player

    def must_play(self, id: str, rule: str) -> str:
        """The seat that plays the Character. Refuses `not-proprietor` to everybody else but a Gamemaster."""
        self.who(id)
        owner = self.owner(id)
        if self.table.by.role != "gm" and self.table.by.seat != owner:
            raise no(rule, "not-proprietor", character=id)
        return owner

    def proprietor(self, element: str | None) -> str | None:
        """Of a Character (by id) or an element (by name); of what nobody introduced, the Gamemaster. None: nothing."""
        if element is None:
            return None
        if self.table.has(character(element)):
            return self.owner(element)
        known = element_of(self.campaign(), element)
        return known.proprietor if known is not None and known.proprietor is not None else self.gm()

    def is_for(self, listed: Expectation, player: str, id: str) -> bool:
        """A personal Expectation names the seat or the Character it is for; any other scope is everybody's."""
        personal = self.table.has(seat(listed.scope)) or self.table.has(character(listed.scope))
        return not personal or listed.scope in (player, id)

    def is_served(self, listed: Expectation, player: str) -> bool:
        """Whether it gives Paybacks to this Player: it is everybody's, the seat's, or that of a Character they play."""
        return listed.kind == "payback" and (
            self.is_for(listed, player, "")
            or (self.table.has(character(listed.scope)) and self.owner(listed.scope) == player)
        )

    # --- dice --------------------------------------------------------------------------------------------------------

    def purse_of(self, player: str) -> str:
        """Where dice for a Player go: what reaches the Gamemaster's purse goes to the stock."""
        return accounts.STOCK if self.is_gm(player) else accounts.purse(player)

    def check_stock(self, n: int, rule: str) -> None:
        """Refuses `stock-empty` where the common stock is limited and has fewer."""
        left = self.in_stock()
        if left is not None and n > left:
            raise no(rule, "stock-empty", wanted=n)

    def in_stock(self) -> int | None:
        """Dice left in the common stock; None where there is no end of them."""
        size = self.dials.stock_size
        return size - self._out_of_stock() if size is not None else None

    def _out_of_stock(self) -> int:
        """Dice that are anywhere but in the stock or in the Players' karmic bank accounts."""
        seats = [one.id for one in self.table.subjects("seat")]
        out = 0
        for one in seats:
            out += self.balance(accounts.purse(one)) - self.balance(accounts.karmic(one))
            out += sum(self.balance(accounts.saved(one, other)) for other in seats)
        return out + sum(self.balance(accounts.table_of(one.id)) for one in self.table.subjects("scene"))

    def check_no_solo(self, rule: str) -> None:
        if self.mode() == "solo":
            raise no(rule, "not-in-solo-play")
