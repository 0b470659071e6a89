"""The verdict in the making: what the rules of this game ask again and again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, TypeVar

from ledger.rules.kernel import draft
from ledger.rules.kernel.chapters import rule
from ledger.rules.kernel.contract import Step, Table
from ledger.rules.kernel.moves import Among, Besides, Between, Domain, Either, Row, Some
from ledger.rules.kernel.refusals import Refused, RuleId
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character, seat
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.dials import Dials
from ledger.rules.scattershot.scene import Fight, Resolution, Scene, Standing, State, with_those_there
from ledger.rules.scattershot.state import Campaign, Character, Expectation, Seat, element_of
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    NOT_AT_THE_TABLE,
    NOT_IN_SOLO_PLAY,
    NOT_IN_THIS_SCENE,
    NOT_PROPRIETOR,
    NOT_YOUR_TURN,
    SCOPES,
    STOCK_EMPTY,
    WEAPONS,
    WHICH_SCOPE,
    WRONG_PHASE,
    Phase,
    statistic_name,
)

SCOPE = rule(
    "scattershot.mech.scope",
    "If there are at least twice as many Characters as Players, the Scope must be larger than Individual."
    " The Scope can shift during Mechanical Play.",
    "Scope/Duration",
)
PHASES = rule(
    "scattershot.resolve.phases",
    "A resolution has three Phases, in this order: Opportunity, Decision, Application.",
    "Resolution",
)
EXPERIENCE = rule(
    "scattershot.mib.experience",
    "Every Player present may add Experience Dice to a MIB, or subtract them from it, until the Decision Phase ends.",
    "Adding/Subtracting Experience Dice",
)
ENGAGE = rule(
    "scattershot.engage.player",
    "A Persona that an Action affects is Engaged. Before anybody rolls, its Player decides whether it"
    " opposes the Action or stays passive.",
    "'Rules of Engagement'",
)
ORDER = rule(
    "scattershot.mech.order",
    "The caller's Personae take the first Turns. Then Play passes to the Player on the right, and so on."
    " Each Player takes the Turns of all their Personae before Play passes on.",
    "Rounds/Turns",
    outcome="seat",
)
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
K = TypeVar("K", bound=Hashable)
D = TypeVar("D")


class Draft(draft.Draft[Dials, State, Any]):
    """Who the Players are, what a Character stands in, where dice lie.

    `by_gm`: whether a Gamemaster declares. `me`: the seat that declares. In an offer, the same of the seat whose moves
    are asked for.
    """

    def __init__(self, table: Table[Dials]) -> None:
        super().__init__(table)
        self._spoken: list[Step] = []
        self._whole: tuple[Scene, Scene] | None = None
        self._here: Subject | None = None
        self._players: tuple[Campaign, tuple[str, ...]] | None = None
        self._group: tuple[Campaign, tuple[str, ...]] | None = None
        self._masters: dict[str, bool] = {}

    # --- writing ------------------------------------------------------------------------------------------------------

    def start_over(self) -> None:
        """Keep nothing of what was written, but who spoke for whom."""
        super().__init__(self.table)
        self._because += self._spoken

    def spoken_for(self, rule: RuleId, player: str, agreed: bool, reason: str) -> None:
        """Record that a Gamemaster said it for this Player: a step that stands, also where the ruling starts over."""
        self.by(rule, "agreed" if agreed else "declined", asked=player, spoken_for=reason)
        self._spoken.append(self._because[-1])

    # --- who declares -------------------------------------------------------------------------------------------------

    @property
    def by_gm(self) -> bool:
        return self.table.by.role == "gm"

    @property
    def me(self) -> str:
        return self.table.by.seat

    # --- looking ------------------------------------------------------------------------------------------------------

    def who(self, id: str) -> Character:
        """Return the Character as it is by now. Refuses `unknown-character`."""
        return self.state(character(id), Character)

    def campaign(self) -> Campaign:
        return self.state(CAMPAIGN, Campaign)

    def place(self) -> Subject:
        """Return the scene it is declared in. Refuses `not-in-this-scene` where there is none."""
        found = self.open_place
        if found is None:
            raise NOT_IN_THIS_SCENE.under(SCOPE)
        return found

    @property
    def open_place(self) -> Subject | None:
        """The scene it is declared in; None where there is none."""
        if self._here is None:
            found = self.table.scene
            if found is not None and self.table.has(found) and self.table.is_open(found):
                self._here = found
        return self._here

    def scene(self) -> Scene:
        return self.scene_of(self.place())

    @property
    def open_scene(self) -> Scene | None:
        """The state of that scene; None where there is none."""
        place = self.open_place
        return self.scene_of(place) if place is not None else None

    def scene_of(self, place: Subject) -> Scene:
        """Return the scene with the Characters that are there."""
        found = self.state(place, Scene)
        if self._whole is None or self._whole[0] is not found:
            self._whole = (found, with_those_there(found, self.is_character))
        return self._whole[1]

    def mode(self) -> str | None:
        """Return the mode of Play of the scene; None where there is no scene."""
        scene = self.open_scene
        return scene.mode if scene is not None else None

    def fights(self) -> Mapping[str, Fight]:
        """Return the Mechanical Play in the scene, by Scope."""
        scene = self.open_scene
        return scene.fights if scene is not None and scene.mode == "mechanical" else {}

    def fight(self, id: str | None) -> Fight | None:
        """Return the Mechanical Play in which a Character stands."""
        return next((one for one in self.fights().values() if id in one.standing), None)

    def resolutions(self) -> Mapping[str, Resolution]:
        """Return the open resolutions of the scene; none where there is no scene."""
        scene = self.open_scene
        return scene.resolutions if scene is not None else {}

    def resolution(self, id: str) -> Resolution:
        """Return an open resolution of the scene. Refuses `wrong-phase` where it is closed, or never was."""
        found = self.scene().resolutions.get(id)
        if found is None:
            raise WRONG_PHASE.under(PHASES, resolution=id)
        return found

    # --- people -------------------------------------------------------------------------------------------------------

    def owner(self, id: str) -> str:
        """Return the seat that plays a Character."""
        return self.table.owner(character(id))

    def is_character(self, id: str) -> bool:
        return self.table.has(character(id))

    def is_open_character(self, id: str) -> bool:
        """Return whether the Character is not retired."""
        return self.table.is_open(character(id))

    def is_gm(self, player: str) -> bool:
        known = self._masters.get(player)
        if known is None:
            who = seat(player)
            known = self._masters[player] = self.table.has(who) and self.table.role(who) == "gm"
        return known

    def words_of(self, player: str) -> tuple[str, ...]:
        """Return the limits in words on this Player's new Personae."""
        return self.state(seat(player), Seat).words if self.table.has(seat(player)) else ()

    def limit_of(self, player: str) -> int | None:
        """Return the limit on the starting points of this Player's new Personae."""
        return self.state(seat(player), Seat).limit

    def players(self) -> tuple[str, ...]:
        """Return every Player's seat, the Gamemaster's among them, clockwise."""
        campaign = self.campaign()
        if self._players is None or self._players[0] is not campaign:
            here = tuple(
                one.id
                for one in self.table.subjects("seat")
                if self.table.is_open(one) and self.table.role(one) != "observer"
            )
            first = tuple(id for id in campaign.clockwise if id in here)
            self._players = (campaign, (*first, *(id for id in here if id not in first)))
        return self._players[1]

    def gm(self) -> str:
        """Return the Gamemaster's seat: the first of them."""
        return next((id for id in self.players() if self.is_gm(id)), self.players()[0])

    def present(self, player: str) -> bool:
        """Return whether somebody is at the table: a Player, and where it was noted who is present in this Session, one
        of those.
        """
        if player not in self.players():
            return False
        campaign = self.campaign()
        noted = campaign.present_in is not None and campaign.present_in == self.table.session
        return not noted or player in campaign.present

    def group(self) -> tuple[str, ...]:
        """Return every Player who is there."""
        campaign = self.campaign()
        if self._group is None or self._group[0] is not campaign:
            self._group = (campaign, tuple(id for id in self.players() if self.present(id)))
        return self._group[1]

    def player(self, named: str | None) -> str:
        """Return whose declaration it is: the seat named (a Gamemaster records for others), else who declares.

        Refuses `not-at-the-table`.
        """
        player = named if named is not None else self.me
        if not self.present(player):
            raise NOT_AT_THE_TABLE.under(EXPERIENCE, player=player)
        return player

    def must_play(self, id: str, rule: RuleId) -> str:
        """Return the seat that plays the Character. Refuses `not-proprietor` to everybody else but a Gamemaster."""
        self.who(id)
        owner = self.owner(id)
        if not self.by_gm and self.me != owner:
            raise NOT_PROPRIETOR.under(rule, character=id)
        return owner

    def proprietor(self, element: str | None) -> str | None:
        """Return the Proprietor of a Character (by id) or an element (by name); of what nobody introduced, the
        Gamemaster. None: of nothing.
        """
        if element is None:
            return None
        if self.table.has(character(element)):
            return self.owner(element)
        known = element_of(self.campaign(), element)
        return known.proprietor if known is not None and known.proprietor is not None else self.gm()

    def is_for(self, listed: Expectation, player: str, id: str) -> bool:
        """Return whether an Expectation is for a seat or its Character: a personal one names which; any other scope is
        everybody's.
        """
        personal = self.table.has(seat(listed.scope)) or self.table.has(character(listed.scope))
        return not personal or listed.scope in (player, id)

    def is_served(self, listed: Expectation, player: str) -> bool:
        """Return whether it gives Paybacks to this Player: it is everybody's, the seat's, or that of a Character they
        play.
        """
        return listed.kind == "payback" and (
            self.is_for(listed, player, "")
            or (self.table.has(character(listed.scope)) and self.owner(listed.scope) == player)
        )

    # --- dice ---------------------------------------------------------------------------------------------------------

    def purse_of(self, player: str) -> str:
        """Return where dice for a Player go: what reaches the Gamemaster's purse goes to the stock."""
        return accounts.STOCK if self.is_gm(player) else accounts.purse(player)

    def check_stock(self, n: int, rule: RuleId) -> None:
        """Refuses `stock-empty` where the common stock is limited and has fewer."""
        left = self.in_stock()
        if left is not None and n > left:
            raise STOCK_EMPTY.under(rule, wanted=n)

    def in_stock(self) -> int | None:
        """Return the dice left in the common stock; None where there is no end of them."""
        size = self.dials.stock_size
        return size - self._out_of_stock() if size is not None else None

    def _out_of_stock(self) -> int:
        """Return the dice that are anywhere but in the stock or in the Players' karmic bank accounts."""
        seats = [one.id for one in self.table.subjects("seat")]
        out = 0
        for one in seats:
            out += self.balance(accounts.purse(one)) - self.balance(accounts.karmic(one))
            out += sum(self.balance(accounts.saved(one, other)) for other in seats)
        return out + sum(self.balance(accounts.table_of(one.id)) for one in self.table.subjects("scene"))

    def check_no_solo(self, rule: RuleId) -> None:
        if self.mode() == "solo":
            raise NOT_IN_SOLO_PLAY.under(rule)

    # --- for offers ---------------------------------------------------------------------------------------------------

    @cached_property
    def known(self) -> tuple[str, ...]:
        """All Characters whose joining stands."""
        return tuple(one.id for one in self.table.subjects("character") if self.table.has(one))

    @cached_property
    def open(self) -> tuple[str, ...]:
        """Those that have not retired."""
        return tuple(id for id in self.known if self.is_open_character(id))

    @cached_property
    def masters(self) -> tuple[str, ...]:
        """The Gamemasters' seats."""
        seats = self.table.subjects("seat")
        return tuple(one.id for one in seats if self.table.is_open(one) and self.table.role(one) == "gm")

    @cached_property
    def stock(self) -> int | None:
        """The dice left in the common stock."""
        return self.in_stock()

    def speak_for(self, *ids: str) -> tuple[str, ...]:
        """Return the seats that say what these Characters do: their Players', and the Gamemasters'."""
        return tuple(dict.fromkeys((*map(self.owner, ids), *self.masters)))

    def mine(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return those of which the seat may say what they do."""
        return tuple(id for id in ids if self.by_gm or self.owner(id) == self.me)

    def players_spoken_for(self, seen: Seen, among: Iterable[str]) -> Iterator[tuple[str, Among]]:
        """Yield those of these Players for whom the seat may declare, with what `player` says then."""
        for one in among:
            if one == self.me:
                yield one, Among((None, one))
            elif seen.decides:
                yield one, Among((one,))

    def weapons(self, counts: bool) -> Domain:
        """Return weapons by name, or any number. `counts`: it is used now, so that a Player may need a listed name."""
        named = Among(tuple(dict.fromkeys((*WEAPONS, *self.campaign().weapons))))
        free = not counts or self.by_gm or self.dials.weapon_numbers == "free"
        return Either((named, Between(0) if free else Among((0,))))

    def actions_left(self, id: str) -> int:
        place = self.open_place
        return self.balance(accounts.actions(place.id, id)) if place is not None else 0

    def from_stock(self, most: int | None = None) -> Domain | None:
        """Return so many dice as the stock has, and no more than that; None: not one."""
        left = most if self.stock is None else self.stock if most is None else min(most, self.stock)
        return Between(1, left) if left is None or left >= 1 else None

    def stock_has(self, n: int) -> bool:
        return self.stock is None or n <= self.stock

    def loaners(self, player: str) -> int | None:
        """Return how many more Loaners this Player may have out; None: without limit."""
        limit = self.dials.loaner_limit
        return max(0, limit - self.balance(accounts.karmic(player))) if limit is not None else None

    def looking(self) -> Draft:
        """Return a draft for what a question only shows, as the table was: what it reads is not noted."""
        return Draft(self.aside().table)


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


# --- numbers ----------------------------------------------------------------------------------------------------------


def check_positive(n: object, rule: str) -> int:
    """Refuses `bad-number`."""
    if type(n) is not int or n < 1:
        raise BAD_NUMBER.under(rule, n=str(n))
    return n


def check_whole(n: object, rule: str) -> int:
    if type(n) is not int or abs(n) > 10**9:
        raise BAD_NUMBER.under(rule, n=str(n))
    return n


def rating_of(who: Character, name: str) -> int | None:
    """The number of a Rating it possesses."""
    found = who.ratings.get(statistic_name(name)) or who.ratings.get(name)
    return found.value if found is not None else None


def is_off_guard(who: Character, toward: str) -> bool:
    return toward in who.off_guard or (who.off_guard_but is not None and who.off_guard_but != toward)


def may_go_on(one: Resolution, phase: Phase, rule: str = PHASES) -> Refused | None:
    """It is in this Phase."""
    return WRONG_PHASE.under(rule, phase=one.phase) if one.phase != phase else None


# --- Mechanical Play --------------------------------------------------------------------------------------------------


def read_scope(name: str) -> str:
    scope = name.strip().lower()
    if scope not in SCOPES:
        raise BAD_NUMBER.under(SCOPE, scope=name)
    return scope


def fight_at(draft: Draft, scope: str | None, rule: str) -> Fight:
    """Of this Scope, or the only one. Refuses `which-scope`, `not-your-turn` where there is none."""
    fights = draft.fights()
    if scope is None and len(fights) > 1:
        raise WHICH_SCOPE.under(rule, scopes=list(fights))
    found = fights.get(read_scope(scope)) if scope is not None else next(iter(fights.values()), None)
    if found is None:
        raise NOT_YOUR_TURN.under(rule, scope=scope)
    return found


def fight_of(draft: Draft, id: str, rule: str = ORDER) -> Fight:
    """In which the Character stands. Refuses `not-your-turn` outside Mechanical Play, `not-in-this-scene`."""
    if not draft.fights():
        raise NOT_YOUR_TURN.under(rule, character=id)
    fight = draft.fight(id)
    if fight is None:
        raise NOT_IN_THIS_SCENE.under(rule, character=id)
    return fight


def standing_of(draft: Draft, id: str, rule: str = ORDER) -> Standing:
    """Refuses as `fight_of`."""
    return fight_of(draft, id, rule).standing[id]


def is_anothers_turn(draft: Draft, id: str) -> bool:
    """Whether somebody else's Turn is open, in whatever Scope, and not one's own."""
    turns = {fight.turn for fight in draft.fights().values() if fight.turn is not None}
    return bool(turns) and id not in turns


def among_scopes(draft: Draft, fight: Fight) -> Among:
    """It need not be said where there is but one."""
    return Among((None, fight.scope)) if len(draft.fights()) == 1 else Among((fight.scope,))
