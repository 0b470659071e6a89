"""The draft of a ruling, with methods that many rules of this game need."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, TypeVar

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    Among,
    BaseDraft,
    Besides,
    Between,
    Domain,
    Either,
    Refused,
    Row,
    RuleId,
    Seen,
    Some,
    Step,
    Subject,
    Table,
    character,
    require,
    rule,
    seat,
)
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.dials import Dials
from ledger.rules.scattershot.scene import Fight, Resolution, Scene, Standing, State, leave_out_absent
from ledger.rules.scattershot.state import Campaign, Character, Expectation, Seat, find_element
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    LEVELS_BY_SCOPE,
    NOT_AT_THE_TABLE,
    NOT_IN_SOLO_PLAY,
    NOT_IN_THIS_SCENE,
    NOT_PROPRIETOR,
    NOT_YOUR_TURN,
    NUMBERS_BY_WEAPON,
    STOCK_EMPTY,
    WHICH_SCOPE,
    WRONG_PHASE,
    Phase,
    read_statistic,
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
#: A domain of any text that is not empty, for example a reason or a name.
SOME_TEXT: Final = Besides(("",))
#: The numbers that `check_whole` accepts.
WHOLE: Final = Between(-(10**9), 10**9)
#: The domain of a face: a typed number, or None to be asked for it.
FACE: Final = Either((NONE, Between(1, 6)))
TWO_D10: Final = Either((NONE, Row((Between(1, 10), Between(1, 10)))))
K = TypeVar("K", bound=Hashable)
D = TypeVar("D")


class Draft(BaseDraft[Dials, State, Any]):
    """A draft that can find the Players, Mechanical Play and the accounts of the dice.

    `is_by_gm`: whether a Gamemaster declares. `me`: the declaring seat. In an offer, the seat whose moves are listed.
    """

    def __init__(self, table: Table[Dials]) -> None:
        super().__init__(table)
        self._steps_for_players: list[Step] = []
        self._stored_and_cleaned_scene: tuple[Scene, Scene] | None = None
        self._open_place: Subject | None = None
        self._players_in_campaign: tuple[Campaign, tuple[str, ...]] | None = None
        self._group_in_campaign: tuple[Campaign, tuple[str, ...]] | None = None
        self._is_gm_by_seat: dict[str, bool] = {}

    # --- writing ------------------------------------------------------------------------------------------------------

    def start_over(self) -> None:
        """Discard everything written, except the steps that record the answers of Gamemasters for Players."""
        super().__init__(self.table)
        self._because += self._steps_for_players

    def note_answer_for_player(self, rule: RuleId, player: str, has_agreed: bool, reason: str) -> None:
        """Record the answer of a Gamemaster for this Player. This step stays if the ruling starts over."""
        self.by(rule, "agreed" if has_agreed else "declined", asked=player, spoken_for=reason)
        self._steps_for_players.append(self._because[-1])

    # --- the declaring seat -------------------------------------------------------------------------------------------

    @property
    def is_by_gm(self) -> bool:
        return self.table.by.role == "gm"

    @property
    def me(self) -> str:
        return self.table.by.seat

    # --- reading ------------------------------------------------------------------------------------------------------

    def read_character(self, char_id: str) -> Character:
        """Return the Character in its current state. Refuses `unknown-character`."""
        return self.state(character(char_id), Character)

    def read_campaign(self) -> Campaign:
        return self.state(CAMPAIGN, Campaign)

    def place(self) -> Subject:
        """Return the open scene of the declaration. Refuses `not-in-this-scene` if there is none."""
        place = self.open_place
        if place is None:
            raise NOT_IN_THIS_SCENE.under(SCOPE)
        return place

    @property
    def open_place(self) -> Subject | None:
        if self._open_place is None:
            subject = self.table.scene
            if subject is not None and self.table.has(subject) and self.table.is_open(subject):
                self._open_place = subject
        return self._open_place

    def read_scene(self) -> Scene:
        return self.read_scene_at(self.place())

    @property
    def open_scene(self) -> Scene | None:
        """The state of that scene, or None."""
        place = self.open_place
        return self.read_scene_at(place) if place is not None else None

    def read_scene_at(self, subject: Subject) -> Scene:
        """Return the state of a scene, without Characters whose joining was overturned."""
        scene = self.state(subject, Scene)
        if self._stored_and_cleaned_scene is None or self._stored_and_cleaned_scene[0] is not scene:
            self._stored_and_cleaned_scene = (scene, leave_out_absent(scene, self.is_character))
        return self._stored_and_cleaned_scene[1]

    def find_mode(self) -> str | None:
        """Return the scene's mode of Play, or None if there is no scene."""
        scene = self.open_scene
        return scene.mode if scene is not None else None

    def read_fights(self) -> Mapping[str, Fight]:
        """Return the Mechanical Play in the scene, by Scope."""
        scene = self.open_scene
        return scene.fights if scene is not None and scene.mode == "mechanical" else {}

    def find_fight(self, char_id: str | None) -> Fight | None:
        """Return the Mechanical Play that a Character takes part in, or None."""
        return next((fight for fight in self.read_fights().values() if char_id in fight.standing), None)

    def read_resolutions(self) -> Mapping[str, Resolution]:
        """Return the scene's open resolutions. There are none if there is no scene."""
        scene = self.open_scene
        return scene.resolutions if scene is not None else {}

    def require_resolution(self, resolution_id: str) -> Resolution:
        """Return an open resolution of the scene. Refuses `wrong-phase` if it is closed or unknown."""
        resolution = self.read_scene().resolutions.get(resolution_id)
        if resolution is None:
            raise WRONG_PHASE.under(PHASES, resolution=resolution_id)
        return resolution

    # --- people -------------------------------------------------------------------------------------------------------

    def find_owner(self, char_id: str) -> str:
        """Return the seat that plays a Character."""
        return self.table.owner(character(char_id))

    def is_character(self, char_id: str) -> bool:
        return self.table.has(character(char_id))

    def is_open_character(self, char_id: str) -> bool:
        """Return whether the Character is not retired."""
        return self.table.is_open(character(char_id))

    def is_gm(self, player: str) -> bool:
        is_gm = self._is_gm_by_seat.get(player)
        if is_gm is None:
            subject = seat(player)
            is_gm = self._is_gm_by_seat[player] = self.table.has(subject) and self.table.role(subject) == "gm"
        return is_gm

    def find_word_limits(self, player: str) -> tuple[str, ...]:
        """Return the limits in words on this Player's new Personae."""
        return self.state(seat(player), Seat).words if self.table.has(seat(player)) else ()

    def find_limit(self, player: str) -> int | None:
        """Return the limit on the starting points of this Player's new Personae."""
        return self.state(seat(player), Seat).limit

    def list_players(self) -> tuple[str, ...]:
        """Return the seats of all Players clockwise, including the Gamemasters'."""
        campaign = self.read_campaign()
        if self._players_in_campaign is None or self._players_in_campaign[0] is not campaign:
            seats = filter(self.table.is_open, self.table.subjects("seat"))
            seat_ids = tuple(subject.id for subject in seats if self.table.role(subject) != "observer")
            seated_ids = tuple(seat_id for seat_id in campaign.clockwise if seat_id in seat_ids)
            self._players_in_campaign = (
                campaign,
                (*seated_ids, *(seat_id for seat_id in seat_ids if seat_id not in seated_ids)),
            )
        return self._players_in_campaign[1]

    def find_gm(self) -> str:
        """Return the seat of the first Gamemaster, or else of the first Player. Refuses `not-at-the-table`."""
        players = self.list_players()
        if not players:
            raise NOT_AT_THE_TABLE.under(ORDER, role="Gamemaster")
        return next(filter(self.is_gm, players), players[0])

    def is_present(self, player: str) -> bool:
        """Return whether this seat is a Player's and present in the Session.

        If attendance was not noted, every Player is present.
        """
        if player not in self.list_players():
            return False
        campaign = self.read_campaign()
        is_attendance_noted = campaign.present_in is not None and campaign.present_in == self.table.session
        return not is_attendance_noted or player in campaign.present

    def list_group(self) -> tuple[str, ...]:
        campaign = self.read_campaign()
        if self._group_in_campaign is None or self._group_in_campaign[0] is not campaign:
            self._group_in_campaign = (
                campaign,
                tuple(seat_id for seat_id in self.list_players() if self.is_present(seat_id)),
            )
        return self._group_in_campaign[1]

    def require_player(self, named_seat: str | None) -> str:
        """Return the seat that a Gamemaster names, or else the declaring seat. Refuses `not-at-the-table`."""
        player = named_seat if named_seat is not None else self.me
        if not self.is_present(player):
            raise NOT_AT_THE_TABLE.under(EXPERIENCE, player=player)
        return player

    def check_plays(self, char_id: str, rule: RuleId) -> str:
        """Return the seat that plays the Character. Refuses `not-proprietor` unless that seat or a
        Gamemaster declares.
        """
        self.read_character(char_id)
        owner = self.find_owner(char_id)
        if not self.is_by_gm and self.me != owner:
            raise NOT_PROPRIETOR.under(rule, character=char_id)
        return owner

    def find_proprietor(self, id_or_name: str | None) -> str | None:
        """Return the Proprietor of a Character (by id) or an element (by name). Return None if no element is named.

        An element that was not introduced belongs to the Gamemaster.
        """
        if id_or_name is None:
            return None
        if self.table.has(character(id_or_name)):
            return self.find_owner(id_or_name)
        element = find_element(self.read_campaign(), id_or_name)
        return element.proprietor if element is not None and element.proprietor is not None else self.find_gm()

    def is_for(self, expectation: Expectation, player: str, char_id: str) -> bool:
        """Return whether an Expectation applies to this seat or Character.

        It applies to every Player unless its scope is an id.
        """
        is_personal = self.table.has(seat(expectation.scope)) or self.table.has(character(expectation.scope))
        return not is_personal or expectation.scope in (player, char_id)

    def is_payback_for(self, expectation: Expectation, player: str) -> bool:
        """Return whether this Expectation gives this Player Paybacks: its scope is everybody, the seat, or a Character
        that the Player plays.
        """
        return expectation.kind == "payback" and (
            self.is_for(expectation, player, "")
            or (self.table.has(character(expectation.scope)) and self.find_owner(expectation.scope) == player)
        )

    # --- dice ---------------------------------------------------------------------------------------------------------

    def find_purse(self, player: str) -> str:
        """Return the account for a Player's dice. A Gamemaster's is the common stock."""
        return accounts.STOCK if self.is_gm(player) else accounts.name_purse(player)

    def check_stock(self, count: int, rule: RuleId) -> None:
        """Check that the stock has this many dice. Refuses `stock-empty`."""
        require(self.may_take_from_stock(count, rule))

    def may_take_from_stock(self, count: int, rule: RuleId) -> Refused | None:
        """Refuse more dice than a limited common stock has."""
        dice_left = self.count_stock()
        return STOCK_EMPTY.under(rule, wanted=count) if dice_left is not None and count > dice_left else None

    def count_stock(self) -> int | None:
        """Return the dice left in the common stock, or None if it is unlimited."""
        size = self.dials.stock_size
        return size - self._count_out_of_stock() if size is not None else None

    def _count_out_of_stock(self) -> int:
        """Return the number of dice outside the stock and the Players' karmic bank accounts."""
        seat_ids = [subject.id for subject in self.table.subjects("seat")]
        count = 0
        for player in seat_ids:
            count += self.balance(accounts.name_purse(player)) - self.balance(accounts.name_karmic(player))
            count += sum(self.balance(accounts.name_saved(player, other)) for other in seat_ids)
        return count + sum(self.balance(accounts.name_table(subject.id)) for subject in self.table.subjects("scene"))

    def check_no_solo(self, rule: RuleId) -> None:
        if self.find_mode() == "solo":
            raise NOT_IN_SOLO_PLAY.under(rule)

    # --- for offers ---------------------------------------------------------------------------------------------------

    @cached_property
    def roster(self) -> tuple[str, ...]:
        """All Characters that have joined."""
        return tuple(subject.id for subject in self.table.subjects("character") if self.table.has(subject))

    @cached_property
    def active_roster(self) -> tuple[str, ...]:
        """The Characters that have not retired."""
        return tuple(char_id for char_id in self.roster if self.is_open_character(char_id))

    @cached_property
    def gm_seats(self) -> tuple[str, ...]:
        seats = filter(self.table.is_open, self.table.subjects("seat"))
        return tuple(subject.id for subject in seats if self.table.role(subject) == "gm")

    @cached_property
    def stock_left(self) -> int | None:
        """The dice left in the common stock, or None if it is unlimited."""
        return self.count_stock()

    def list_speakers(self, *ids: str) -> tuple[str, ...]:
        """Return the seats that speak for these Characters: their Players' and the Gamemasters'."""
        return tuple(dict.fromkeys((*map(self.find_owner, ids), *self.gm_seats)))

    def filter_mine(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return the Characters that this seat speaks for."""
        return tuple(char_id for char_id in ids if self.is_by_gm or self.find_owner(char_id) == self.me)

    def list_players_spoken_for(self, seen: Seen, players: Iterable[str]) -> Iterator[tuple[str, Among]]:
        """Yield the Players for whom this seat can declare, with the values of the field `player`."""
        for player in players:
            if player == self.me:
                yield player, Among((None, player))
            elif seen.decides:
                yield player, Among((player,))

    def make_weapon_domain(self, is_used_now: bool) -> Domain:
        """Return the domain of weapons, by name or by number.

        `is_used_now`: whether the weapon is used now. A Player may then have to choose a listed weapon by name.
        """
        listed_names = Among(tuple(dict.fromkeys((*NUMBERS_BY_WEAPON, *self.read_campaign().weapons))))
        may_use_any_number = not is_used_now or self.is_by_gm or self.dials.weapon_numbers == "free"
        return Either((listed_names, Between(0) if may_use_any_number else Among((0,))))

    def count_actions_left(self, char_id: str) -> int:
        place = self.open_place
        return self.balance(accounts.name_actions(place.id, char_id)) if place is not None else 0

    def make_scope_domain(self, fight: Fight) -> Among:
        """Return the domain of the Scope, which can be left out if there is only one."""
        return Among((None, fight.scope)) if len(self.read_fights()) == 1 else Among((fight.scope,))

    def find_stock_domain(self, most: int | None = None) -> Domain | None:
        """Return the domain from 1 to the number of dice in the stock, at most `most`, or None if
        the stock is empty.
        """
        limit = most if self.stock_left is None else self.stock_left if most is None else min(most, self.stock_left)
        return Between(1, limit) if limit is None or limit >= 1 else None

    def has_in_stock(self, count: int) -> bool:
        return self.stock_left is None or count <= self.stock_left

    def count_loaners_left(self, player: str) -> int | None:
        """Return how many more Loaners this Player may have out, or None if there is no limit."""
        limit = self.dials.loaner_limit
        return max(0, limit - self.balance(accounts.name_karmic(player))) if limit is not None else None

    def copy_for_looking(self) -> Draft:
        """Return a draft that reads the same table without recording what was read. Questions use
        it to show options.
        """
        return Draft(self.aside().table)


def make_any_of(values: Iterable[object]) -> Domain:
    """Return the domain of any list of these values, with repeats."""
    options = tuple(values)
    return Some(Among(options), repeats=True) if options else Among(((),))


def group_alike(ids: Iterable[str], key: Callable[[str], K | None]) -> Iterator[tuple[K, Among]]:
    """Yield each key with the Characters that share it. A Character whose key is None is left out."""
    groups: dict[K, list[str]] = {}
    for char_id in ids:
        group_key = key(char_id)
        if group_key is not None:
            groups.setdefault(group_key, []).append(char_id)
    for group_key, members in groups.items():
        yield group_key, Among(tuple(members))


# --- numbers ----------------------------------------------------------------------------------------------------------


def check_positive(n: object, rule: str) -> int:
    """Return the number, which must be at least 1. Refuses `bad-number`."""
    if type(n) is not int or n < 1:
        raise BAD_NUMBER.under(rule, n=str(n))
    return n


def check_whole(n: object, rule: str) -> int:
    if type(n) is not int or abs(n) > 10**9:
        raise BAD_NUMBER.under(rule, n=str(n))
    return n


def find_rating(char_state: Character, name: str) -> int | None:
    """Return the number of the Character's Rating, or None if it does not have this Rating."""
    rating = char_state.ratings.get(read_statistic(name)) or char_state.ratings.get(name)
    return rating.value if rating is not None else None


def is_off_guard(char_state: Character, other: str) -> bool:
    return other in char_state.off_guard or (char_state.off_guard_but is not None and char_state.off_guard_but != other)


def may_act_in(resolution: Resolution, phase: Phase, rule: str = PHASES) -> Refused | None:
    """Refuse a resolution that is not in this Phase."""
    return WRONG_PHASE.under(rule, phase=resolution.phase) if resolution.phase != phase else None


# --- Mechanical Play --------------------------------------------------------------------------------------------------


def read_scope(name: str) -> str:
    scope = name.strip().lower()
    if scope not in LEVELS_BY_SCOPE:
        raise BAD_NUMBER.under(SCOPE, scope=name)
    return scope


def require_fight_at(draft: Draft, scope: str | None, rule: str) -> Fight:
    """Return the Mechanical Play at this Scope, or the only one.

    Refuses `which-scope`, and `not-your-turn` if there is no Mechanical Play.
    """
    fights = draft.read_fights()
    if scope is None and len(fights) > 1:
        raise WHICH_SCOPE.under(rule, scopes=list(fights))
    fight = fights.get(read_scope(scope)) if scope is not None else next(iter(fights.values()), None)
    if fight is None:
        raise NOT_YOUR_TURN.under(rule, scope=scope)
    return fight


def require_fight(draft: Draft, char_id: str, rule: str = ORDER) -> Fight:
    """Return the Character's Mechanical Play. Refuses `not-your-turn` outside Mechanical Play, and
    `not-in-this-scene`.
    """
    if not draft.read_fights():
        raise NOT_YOUR_TURN.under(rule, character=char_id)
    fight = draft.find_fight(char_id)
    if fight is None:
        raise NOT_IN_THIS_SCENE.under(rule, character=char_id)
    return fight


def require_standing(draft: Draft, char_id: str, rule: str = ORDER) -> Standing:
    """Return the Character's part in Mechanical Play. Refuses the codes of `require_fight`."""
    return require_fight(draft, char_id, rule).standing[char_id]


def is_anothers_turn(draft: Draft, char_id: str) -> bool:
    """Return whether a Turn of another Character is open at any Scope, and no Turn of this Character."""
    turns = {fight.turn for fight in draft.read_fights().values() if fight.turn is not None}
    return bool(turns) and char_id not in turns
