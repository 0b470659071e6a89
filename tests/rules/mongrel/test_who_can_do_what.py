"""What is offered to whom: not to who does not roll, not before who is dying has answered. What things are worth."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseScene
from ledger.rules.mongrel.acting import Strife, find_strife
from ledger.rules.mongrel.attacks import Attack
from ledger.rules.mongrel.conflict import CloseConflict, JoinConflict, LeaveConflict, OpenConflict
from ledger.rules.mongrel.deeds import Act, RollTask
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.infernal import SpendResolve
from ledger.rules.mongrel.possessions import GainItem, ItemAcquired
from ledger.rules.mongrel.purchases import Purchase
from ledger.rules.mongrel.recovery import Recover
from ledger.rules.mongrel.sight import Sight, get_sight
from ledger.rules.mongrel.sorcery import Occult
from ledger.rules.mongrel.turns import Pass, TakeFront
from tests.rules.mongrel.game import AHVIA, Game, but, the
from tests.rules.mongrel.test_moves import can, kinds, seen

OCCULTIST = but(AHVIA, plus_two=("occult", "resist"), power={})


def look_at(game: Game) -> Sight:
    """What offers to a game master look at."""
    shown = seen(game)
    return get_sight(shown, Draft(shown.make_shown_table()))


# --- npc_rolls -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("npc", "dial", "rolls"), [(True, False, False), (True, True, True), (False, False, True)])
def test_characters_without_a_player_roll_by_the_dial(npc: bool, dial: bool, rolls: bool) -> None:
    """At leisure: a task, a purchase, Occult. What has no dice stays theirs."""
    game = Game(npc_rolls=dial)
    id = game.enrol("Brute", but(OCCULTIST, npc=npc))
    assert look_at(game).can_roll(id) is rolls
    assert can(game, RollTask(id, "lie", "own", "size")) is rolls
    assert can(game, RollTask(id, "lie", "target", "social", target=game.giazza)) is rolls
    assert can(game, Purchase(id, "a lamp", "mekag", social=3)) is rolls
    assert can(game, Occult(id, 1, "chill", "own", "spirit")) is rolls
    assert can(game, RollTask(game.ahvia, "lie", "target", "social", target=id)), "they supply numbers"
    game.gives(id, "ap", -1)
    assert can(game, SpendResolve(id, 1)), "that takes no dice"


@pytest.mark.parametrize(("dial", "kinds_there"), [(False, {Pass}), (True, {Pass, Act})])
def test_whose_turn_it_is_without_rolling(dial: bool, kinds_there: set[type[Any]]) -> None:
    game = Game(npc_rolls=dial)
    brute = game.enrol("Brute", but(AHVIA, npc=True))
    game.does(OpenConflict((brute, game.ahvia)), "heads")
    assert {Pass, Act} & kinds(game) == kinds_there
    assert can(game, Attack(brute, game.ahvia, "lie", "social")) is dial


# --- mongrel.damage.terminal: answered first -------------------------------------------------------------------------


@pytest.mark.parametrize(("dying", "open_"), [(True, False), (False, True)])
def test_nothing_of_a_conflict_before_who_is_dying_has_answered(dying: bool, open_: bool) -> None:
    """Vooruk is next, with an Action Point and more to get; Ahvia could go before him."""
    game = Game()
    outside = game.enrol("Rena", AHVIA, "p")
    game.conflict()
    game.gives(game.vooruk, "ap", -2)
    if dying:
        game.hit(game.giazza, 40)
    strife = find_strife(look_at(game).draft, game.vooruk)
    assert isinstance(strife, Strife)
    sight = look_at(game)
    assert [sight.is_settled(strife) for _ in range(2)] == [open_, open_], "asked twice, the same"
    assert sight.has_turn(game.vooruk) is open_ and not sight.has_turn(game.ahvia)
    assert can(game, Recover(game.vooruk, 1)) is open_
    assert can(game, Pass(game.vooruk)) is open_
    assert can(game, TakeFront(game.ahvia)) is open_
    assert can(game, LeaveConflict(game.ahvia)) is open_
    assert can(game, JoinConflict(outside)) is open_
    assert can(game, CloseConflict()) is open_
    assert can(game, CloseScene(game.scene_id)) is open_
    assert can(game, SpendResolve(game.vooruk, 1)) is open_
    assert can(game, RollTask(outside, "lie", "own", "size")), "who is in no conflict goes on"


# --- mongrel.item.had ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cap", "weapon", "armour", "outcome"),
    [
        (None, None, None, (None, None)),
        (None, 0, None, (0, None)),
        (None, None, 0, (None, 0)),
        (None, 0, 0, (0, 0)),
        (None, 9, 1, (9, 1)),
        (None, 1, 9, (1, 9)),
        (1, None, None, (None, None)),
        (1, None, 9, (None, 9)),
        (1, 1, 9, (1, 9)),
        (1, 2, None, "weapon-cap"),
        (2, 2, 3, (2, 3)),
        (2, 3, None, "weapon-cap"),
        (None, -1, None, "bad-score"),
        (None, None, -1, "bad-score"),
        (None, None, "2", "bad-score"),
        (None, True, None, "bad-score"),
        (None, 1.5, None, "bad-score"),
    ],
)
def test_what_a_thing_is_worth_as_weapon_and_armour(cap: int | None, weapon: Any, armour: Any, outcome: Any) -> None:
    """Nothing said is not none: a hat is no armour, mail of 0 is. The cap is of weapons."""
    game = Game(weapon_bonus_cap=cap)
    do = GainItem(game.giazza, "a thing", weapon, armour)
    if isinstance(outcome, str):
        assert game.refuses(do) == outcome
        return
    had = the(game.does(do), ItemAcquired)
    assert (had.weapon, had.armour) == outcome
