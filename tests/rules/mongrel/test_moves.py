"""What the laws of moves cannot show of this game: whose turn it is, whose defence, and what is narrowed to what."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseScene, Retire
from ledger.rules.kernel.moves import allows, holds
from ledger.rules.kernel.offers import Offer, list_awaited_now, list_offers
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import Subject, scene, seat
from ledger.rules.kernel.table import find_viewer
from ledger.rules.mongrel.attacks import Attack, CarryOut, DeclareAttack
from ledger.rules.mongrel.conflict import OpenConflict
from ledger.rules.mongrel.credit import TransferCredit
from ledger.rules.mongrel.damage import Heal
from ledger.rules.mongrel.death import AnswerTerminal
from ledger.rules.mongrel.deeds import Act, RollTask
from ledger.rules.mongrel.houses import EndVow, MakeVow, SetStatus
from ledger.rules.mongrel.infernal import RefreshResolve
from ledger.rules.mongrel.points import RaiseFeature
from ledger.rules.mongrel.possessions import GainItem, PartWithItem
from ledger.rules.mongrel.purchases import Purchase
from ledger.rules.mongrel.recovery import Recover, Rest
from ledger.rules.mongrel.sessions import AwardSession
from ledger.rules.mongrel.sorcery import Occult
from ledger.rules.mongrel.turns import Pass, TakeFront
from tests.rules.mongrel.game import AHVIA, Game, but
from tests.rules.moves import refusal

TURN = "mongrel.conflict.queue"


def seen(game: Game, by: str = "gm", here: Subject | None = None) -> Seen:
    viewer = find_viewer(game.past, seat(by))
    assert viewer is not None
    return Seen(game.ruleset, game.past, viewer, here)


def offers(game: Game, by: str = "gm") -> list[Offer]:
    return list_offers(game.ruleset, seen(game, by))


def kinds(game: Game, by: str = "gm") -> set[type[Any]]:
    return {one.move.do for one in offers(game, by)}


def can(game: Game, do: Any, by: str = "gm") -> bool:
    """Whether it lies in a move. AssertionError where the rules say otherwise."""
    viewer = find_viewer(game.past, seat(by))
    assert viewer is not None
    said = any(allows(one.move, do) for one in offers(game, by))
    why = refusal(game.past, game.number, do, viewer, None, Random(0))
    assert said == (why is None), f"{do}: offered {said}, refused {why}"
    return said


def waits(game: Game) -> set[tuple[str, type[Any] | None, str | None]]:
    return {(one.seat, one.do, one.of) for one in list_awaited_now(game.ruleset, seen(game))}


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.fixture
def fight() -> Game:
    """Vooruk is next, then Giazza, then Ahvia."""
    found = Game()
    found.conflict()
    return found


# --- whose turn it is ------------------------------------------------------------------------------------------------


def test_whoever_is_next_is_awaited_and_the_others_can_only_go_before(fight: Game) -> None:
    assert waits(fight) == {("q", do, fight.vooruk) for do in (Attack, DeclareAttack, Act, Pass)}
    assert {Attack, DeclareAttack, Act, Pass} & kinds(fight, "p") == set()
    assert can(fight, TakeFront(fight.ahvia), "p")
    assert not can(fight, TakeFront(fight.vooruk), "q")
    fight.gives(fight.ahvia, "ap", -6)
    assert not can(fight, TakeFront(fight.ahvia), "p")


def test_who_has_no_action_points_recovers_or_passes(fight: Game) -> None:
    fight.gives(fight.vooruk, "ap", -3)
    assert waits(fight) == {("q", Recover, fight.vooruk), ("q", Pass, fight.vooruk)}
    assert not can(fight, RollTask(fight.vooruk, "rend", "own", "size"), "q")


def test_what_was_declared_is_carried_out_with_its_dice_or_taken_back(fight: Game) -> None:
    fight.does(DeclareAttack(fight.vooruk, fight.giazza, "rend", "physique"), by="q")
    assert waits(fight) == {("q", CarryOut, fight.vooruk)}
    assert can(fight, CarryOut(faces=(1, 2, 3, 4)), "q") and not can(fight, CarryOut(faces=(1, 2, 3)), "q")
    assert can(fight, Pass(fight.vooruk), "q") and can(fight, TakeFront(fight.ahvia), "p")
    assert not can(fight, DeclareAttack(fight.vooruk, fight.ahvia, "rend", "size"), "q")
    fight.gives(fight.vooruk, "ap", -3)
    assert waits(fight) == {("q", Pass, fight.vooruk)}


def test_where_two_scenes_are_open_what_belongs_to_one_says_which(fight: Game) -> None:
    twin = fight.enrol("Twin", AHVIA, "p")
    there = fight.open_scene("Elsewhere")
    (conflict,) = [one for one in offers(fight) if one.move.do is OpenConflict]
    assert conflict.scene == there
    fight.does(DeclareAttack(fight.vooruk, fight.giazza, "rend", "physique"))
    (carried,) = [one for one in offers(fight) if one.move.do is CarryOut]
    assert carried.scene == fight.scene_id
    assert [one.scene for one in offers(fight) if one.move.do is Pass] == [None]
    assert waits(fight) == {("q", CarryOut, fight.vooruk)}
    assert not can(fight, Purchase(fight.vooruk, "a lamp", "mekag", seller=twin))


def test_no_conflict_is_opened_in_a_scene_that_is_closed(game: Game) -> None:
    def opens(here: str) -> bool:
        offered = list_offers(game.ruleset, seen(game, here=scene(here)))
        return OpenConflict in {offer.move.do for offer in offered}

    there = game.open_scene("Elsewhere")
    assert opens(there)
    game.does(CloseScene(there))
    assert not opens(there) and not opens("77") and opens(game.scene_id)


# --- attacks ---------------------------------------------------------------------------------------------------------


def test_a_defence_is_the_targets_to_say_and_only_where_there_is_one(fight: Game) -> None:
    def attack(defend: bool | None, by: str) -> bool:
        return can(fight, Attack(fight.vooruk, fight.giazza, "rend", "physique", defend=defend), by)

    assert attack(None, "q") and not attack(False, "q") and attack(True, "gm")
    fight.gives(fight.giazza, "ap", -4)
    assert attack(False, "gm") and not attack(True, "gm")


def test_dice_come_with_a_defence_only_from_a_seat_that_speaks_for_the_target() -> None:
    """mongrel.conflict.attack: at this table no dice are known before the target chooses."""
    game = Game(dice_before_defence=False)
    game.conflict()
    game.does(DeclareAttack(game.vooruk, game.giazza, "rend", "physique"), by="q")

    def carries_out(by: str, **more: Any) -> bool:
        return can(game, CarryOut(**more), by)

    dice = {"faces": (1, 2, 3, 4)}
    assert carries_out("q") and not carries_out("q", **dice) and not carries_out("q", **dice, defend=True)
    assert carries_out("gm", defend=True) and not carries_out("gm", **dice) and carries_out("gm", **dice, defend=True)


def test_burn_wounds_and_chill_does_not_and_neither_is_a_task_on_somebody(fight: Game) -> None:
    def attack(expertise: str, kind: str) -> bool:
        return can(fight, Attack(fight.vooruk, fight.ahvia, expertise, "size", hit_kind=kind), "q")

    assert [attack("burn", kind) for kind in ("physical", "spiritual", "none")] == [True, False, False]
    assert [attack("chill", kind) for kind in ("physical", "spiritual", "none")] == [False, True, False]
    assert [attack("rend", kind) for kind in ("physical", "spiritual", "none")] == [True, False, True]
    assert not can(fight, RollTask(fight.vooruk, "burn", "own", "size", target=fight.ahvia), "q")
    assert can(fight, RollTask(fight.vooruk, "burn", "own", "size"), "q")
    assert not attack("resist", "none") and not attack("occult", "none")


def test_arms_are_numbers_or_possessions_of_either_side(fight: Game) -> None:
    fight.set_dial("weapon_bonus_cap", 2)
    blade, mail = str(fight.number), str(fight.number + 1)
    fight.declare(GainItem(fight.vooruk, "a blade", weapon=2))
    fight.declare(GainItem(fight.giazza, "mail", armour=1))

    def attack(**more: Any) -> bool:
        return can(fight, Attack(fight.vooruk, fight.giazza, "rend", "size", **more))

    assert attack(weapon_used=blade, armour_worn=mail) and attack(weapon=2, armour=9)
    assert not attack(weapon_used=blade, weapon=1) and not attack(weapon=3) and not attack(weapon_used=mail)
    assert not can(fight, Attack(fight.vooruk, fight.ahvia, "rend", "size", armour_worn=mail))
    fight.set_dial("weapon_bonus_cap", 1)
    assert not attack(weapon_used=blade)


# --- out of it -------------------------------------------------------------------------------------------------------


def test_a_conflict_leaves_no_time(fight: Game) -> None:
    assert {Rest, RefreshResolve, Occult} & kinds(fight, "p") == set()
    assert not can(fight, RollTask(fight.ahvia, "lie", "own", "size"), "p")
    rena = fight.enrol("Rena", AHVIA, "p")
    assert can(fight, RefreshResolve(rena, "meditating", 60), "p")
    assert not can(fight, RefreshResolve(rena, "meditating", 59), "p")


def test_nothing_goes_on_while_somebody_is_dying(fight: Game) -> None:
    fight.hit(fight.giazza, 40)
    assert waits(fight) == {("gm", AnswerTerminal, fight.giazza)}
    assert {Attack, Pass, TakeFront} & kinds(fight) == set()
    assert not can(fight, CloseScene(fight.scene_id)) and not can(fight, Retire(fight.giazza, "enough"))
    assert can(fight, AnswerTerminal(fight.giazza, spend=True))
    fight.gives(fight.giazza, "resolve", -4, "bank")
    assert not can(fight, AnswerTerminal(fight.giazza, spend=True))
    fight.does(AnswerTerminal(fight.giazza, spend=False))
    assert fight.giazza not in fight.queue and not can(fight, Heal(fight.giazza, 1))


def test_npcs_act_where_they_do_not_roll_by_passing() -> None:
    game = Game(npc_rolls=False)
    brute = game.enrol("Brute", but(AHVIA, npc=True))
    game.does(OpenConflict((brute, game.ahvia)), "heads")
    assert waits(game) == {("gm", Pass, brute)}


def test_occult_at_somebody_is_offered_once_whether_they_are_alive_or_dead(game: Game) -> None:
    """mongrel.sorcery.occult"""
    game.sets(game.vooruk, "dead", True)

    def count(target: str) -> int:
        given = {"actor": game.ahvia, "target": target, "imitates": "lie", "hit_kind": "none"}
        moves = [offer.move.fields for offer in offers(game) if offer.move.do is Occult]
        return sum(all(holds(fields[name], value) for name, value in given.items()) for fields in moves)

    assert [count(game.giazza), count(game.vooruk)] == [1, 1]


# --- dealings --------------------------------------------------------------------------------------------------------


def test_nobody_buys_of_himself_and_a_possession_is_bought_of_who_has_it(game: Game) -> None:
    lamp = str(game.number)
    game.declare(GainItem(game.giazza, "a lamp"))

    def buys(seller: str, possession: str | None = None) -> bool:
        return can(
            game,
            Purchase(game.ahvia, "" if possession else "a lamp", "mekag", seller=seller, possession=possession),
            "p",
        )

    assert buys(game.giazza) and buys(game.giazza, lamp) and buys(game.vooruk)
    assert not buys(game.ahvia) and not buys(game.vooruk, lamp)
    assert can(game, PartWithItem(game.giazza, lamp, game.ahvia))
    assert not can(game, PartWithItem(game.giazza, lamp, game.giazza))


@pytest.mark.parametrize(("do", "who"), [(RollTask, "actor"), (Purchase, "buyer")])
def test_only_the_collapsed_are_offered_only_words(do: type[Any], who: str) -> None:
    """mongrel.damage.collapse: at some tables they may still speak."""
    game = Game(collapsed_may_speak=True)
    game.sets(game.ahvia, "collapsed", True)

    def offered(id: str) -> set[tuple[bool, bool]]:
        moves = [offer.move.fields for offer in offers(game) if offer.move.do is do]
        pools = [fields["expertise"] for fields in moves if holds(fields[who], id)]
        return {(holds(pool, "lie"), holds(pool, "rend")) for pool in pools if holds(pool, "lie")}

    assert offered(game.ahvia) == {(True, False)} and offered(game.vooruk) == {(True, True)}


def test_credit_is_moved_at_half(game: Game) -> None:
    def moves(source: str, credited: int) -> bool:
        return can(game, TransferCredit(game.vooruk, source, "nuin", credited), "q")

    assert [moves("mekag", credited) for credited in (1, 2, 3)] == [True, True, False]
    assert not moves("sfere", 1) and not moves("nuin", 1)


def test_what_was_used_last_can_rise_if_it_can_be_paid_for(game: Game) -> None:
    game.session((game.giazza, ("melee", "man", "size")))
    game.gives(game.giazza, "cp", 19)

    def raises(feature: str, reduce: str | None = None) -> bool:
        return can(game, RaiseFeature(game.giazza, feature, reduce))

    assert not raises("melee")  # 4 of it costs 20
    assert raises("man", "beast") is False  # there would be two without a score
    game.gives(game.giazza, "cp", 1)
    assert raises("melee") and not raises("melee", "beast") and not raises("lie")
    assert not raises("size")  # a primary Man is as large as that


def test_an_award_is_given_once_and_is_the_same_for_everybody(game: Game) -> None:
    game.session((game.ahvia, ("lie",)))
    assert can(game, AwardSession(1)) and can(game, AwardSession(2)) and not can(game, AwardSession(3))
    game.does(AwardSession(2))
    assert AwardSession not in kinds(game)


def test_a_power_by_itself_needs_an_option_that_has_points(game: Game) -> None:
    def flies(*options: str) -> bool:
        return can(game, RollTask(game.ahvia, "diabolic_power", "own", "speed", power=options), "p")

    assert flies("wings") and flies("tail", "wings", "wings")
    assert not flies() and not flies("tail") and not flies("wings", "horns")
    assert not can(game, RollTask(game.ahvia, "borg_power", "own", "speed", power=("wings",)), "p")


def test_time_goes_on_and_nobody_recovers_beyond_the_maximum(game: Game) -> None:
    assert not can(game, Recover(game.ahvia, 10), "p")
    game.gives(game.ahvia, "ap", -2)
    assert can(game, Recover(game.ahvia, 10), "p")
    game.does(Recover(game.ahvia, 10))
    game.gives(game.ahvia, "ap", -2)
    assert not can(game, Recover(game.ahvia, 9), "p") and can(game, Recover(game.ahvia, 10), "p")


@pytest.mark.parametrize("kept", [True, False])
def test_status_is_set_only_where_the_table_keeps_it(kept: bool) -> None:
    """mongrel.house.membership"""
    game = Game(house_status=kept)
    assert can(game, SetStatus(game.ahvia, 4)) is kept


def test_a_vow_that_has_ended_is_not_ended_again() -> None:
    """mongrel.vow.end"""
    game = Game()
    game.does(MakeVow(game.ahvia, "revenge"))
    end = EndVow(game.ahvia, "revenge", "ended", "she has forgiven them")
    assert can(game, end)
    game.does(end)
    assert not can(game, end)
