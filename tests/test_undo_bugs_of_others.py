"""Bugs that undo has in other programs for tables, told in our systems: here none of them can be.

Five of them: undoing damage clears a condition that had another cause; forgets a structure or trait that was lost with
it; heals what had been absorbed; revives twice; and stops half-way through what was one action.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from ledger.application.reading.pasts import load_history
from ledger.errors import WrongStatus
from ledger.events.records import Decided, Restored, Struck
from ledger.rules.intensity.fatals import UseFatal
from ledger.rules.intensity.healing import HealingChoice, HealingMoment
from ledger.rules.intensity.out_of_play import FatalUse
from ledger.rules.kernel.comparison import Comparison, Other, compare
from ledger.rules.kernel.fold import Folded, fold
from ledger.rules.kernel.purses import owner_of
from ledger.rules.kernel.questions import Roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character, scene
from ledger.rules.moc.damage import ApplyHarm
from ledger.rules.moc.recovery import Heal as HealMoc
from ledger.rules.mongrel.damage import Heal
from ledger.rules.mongrel.death import AnswerTerminal
from tests.desk import Desk, present
from tests.kernel.conftest import database, desk, ledger  # noqa: F401  (fixtures)
from tests.laws.test_play import SEEDS, every_system, slowly
from tests.rules.anything import play
from tests.rules.intensity import situations
from tests.rules.mnemonic.game import Game as Mnemonic
from tests.rules.moc.game import Game as Moc
from tests.rules.mongrel.game import Game as Mongrel
from tests.rules.world import World


def undo(game: World, *numbers: int, settle: str = "flag") -> Comparison:
    return compare(game.beginning(), game.history, {}, Other(dict.fromkeys(numbers), rerule=settle == "rerule"))


def undone(game: World, id: str, *numbers: int, settle: str = "flag") -> Folded[Any]:
    """The character as it is once these rulings are undone."""
    return undo(game, *numbers, settle=settle).then.told(character(id))


def last(game: World) -> int:
    """The number of the latest ruling."""
    return len(game.history)


# --- undoing damage must not clear a condition that had another cause ---------------------------------------------


def test_intensity_out_by_two_fatals_is_out_while_one_of_them_stands() -> None:
    game = situations.in_a_scene()
    first, second = game.holds(game.ann, game.bea), game.holds(game.cleo, game.bea)
    used = []
    for fatal in (first, second):
        game.does(UseFatal((FatalUse(fatal, "senseless", out="scene"),)))
        used.append(last(game))
    for one in used:
        assert undone(game, game.bea, one).state.out == "scene"
    assert undone(game, game.bea, *used).state.out is None


def test_intensity_two_wounds_weigh_each_for_itself() -> None:
    game = situations.in_a_scene()
    wounds = []
    for _ in range(2):
        game.duel("wound")
        wounds.append(last(game) - 1)
    both, (first, second) = game.character(game.bea), game.character(game.bea).impacts
    assert list(undone(game, game.bea, wounds[0]).state.impacts) == [second]
    assert list(undone(game, game.bea, wounds[1]).state.impacts) == [first]
    assert undone(game, game.bea, *wounds).state.impacts == {} != both.impacts


@pytest.mark.parametrize("order", [("unconscious", "immobilized"), ("immobilized", "unconscious")])
def test_mnemonic_unconscious_and_immobilized_by_two_injuries(order: tuple[str, str]) -> None:
    game = Mnemonic()
    injuries = {}
    checks = {worst: game.injury(worst=worst) for worst in order}
    for worst, check in checks.items():
        game.roll(check, 12)
        injuries[worst] = last(game)
    for worst, other in (order, order[::-1]):
        state = undone(game, game.hero, injuries[worst]).state
        assert (state.level, state.condition) == (0, other)


def test_mongrel_collapsed_by_a_second_hit_too() -> None:
    """What only the first hit recorded, the second does once it is ruled again; until then it is a finding."""
    game = Mongrel()
    game.hit(game.ahvia, 6)
    first = last(game)
    game.hit(game.ahvia, 9)
    row = undo(game, first).rows[-1]
    assert row.standpoint == "changes"
    who = undone(game, game.ahvia, first, settle="rerule").state
    assert who.collapsed and who.dying and who.damage == 9
    assert undone(game, game.ahvia, last(game)).state.collapsed, "by the first"


def test_moc_dazed_by_pain_of_two_harms() -> None:
    game, hero = moc()
    harms = []
    for pain in (9, 9):
        game.does(ApplyHarm(hero, pain=pain))
        harms.append(last(game))
    assert game.character(hero).dazed
    for one in harms:
        assert undone(game, hero, one, settle="rerule").state.dazed
    assert not undone(game, hero, *harms).state.dazed


def moc() -> tuple[Moc, str]:
    """A scene has begun, and the hero's beads are given out."""
    game = Moc()
    game.scene_begins(game.hero)
    return game, game.hero


# --- it must give back a structure or trait that was lost with it -------------------------------------------------


def test_intensity_traits_and_held_tokens_come_back() -> None:
    game = situations.stand_off()
    sizes, before = game.sizes(game.bea), game.character(game.bea)
    held = dict(game.now.fatals)
    game.does(UseFatal((FatalUse(game.fatal, "a lost hand", use_as="wound", out="permanent"),)))
    assert game.sizes(game.bea) != sizes and not game.now.fatals
    then = undo(game, last(game)).then
    assert then.told(character(game.bea)).state == before
    assert dict(then.told(scene(game.scene_id)).state.fatals) == held
    purse = then.told(scene(game.scene_id)).purse
    assert {account: n for account, n in purse.items() if n} == {
        account: 1 for account in purse if account.rpartition(":")[2] in (game.ann, game.bea)
    }


def test_mongrel_the_place_in_the_queue_physique_beauty_and_points_come_back() -> None:
    game = Mongrel()
    game.conflict()
    game.chill(game.vooruk, 9)
    before, queue, purse = game.character(game.vooruk), game.queue, game.balances()
    game.hit(game.vooruk, 40, shunt=1)
    assert game.character(game.vooruk).dead and game.vooruk not in game.queue
    then = undo(game, last(game)).then
    assert then.told(scene(game.scene_id)).state.conflict.queue == queue
    assert then.told(character(game.vooruk)).state == before
    assert {account: n for one in then.folded.values() for account, n in one.purse.items() if n} == purse


def test_mnemonic_every_level_comes_back() -> None:
    game = Mnemonic()
    game.hurt_to(5)
    game.roll(game.injury(worst="dead"), 12)
    assert game.status() == (0, "dead")
    state = undone(game, game.hero, last(game)).state
    assert (state.level, state.condition) == (5, None)


def test_moc_tokens_come_back_and_who_was_down_stands() -> None:
    game, hero = moc()
    before, tokens = game.character(hero), game.tokens(hero)
    game.does(ApplyHarm(hero, unresistible=9))
    assert game.character(hero).status == "down" and game.tokens(hero) == (0, 0, 0) != tokens
    folded = undone(game, hero, last(game))
    assert folded.state == before
    game.past = undo(game, last(game)).then
    assert game.tokens(hero) == tokens


# --- it must not heal what was absorbed ---------------------------------------------------------------------------


def test_mongrel_armour_and_beauty_took_their_share() -> None:
    game = Mongrel()
    game.hit(game.ahvia, 2)
    game.hit(game.ahvia, 6, armour=2, shunt=2)
    first, second = last(game) - 1, last(game)
    assert game.character(game.ahvia).damage == 4
    folded = undone(game, game.ahvia, second)
    assert (folded.state.damage, folded.purse[f"character:{game.ahvia}/beauty"]) == (2, 5)
    assert undone(game, game.ahvia, first).state.damage == 2


def test_mongrel_a_hit_wholly_absorbed_gives_nothing_back() -> None:
    game = Mongrel()
    game.hit(game.ahvia, 4)
    before = game.character(game.ahvia).damage
    game.hit(game.ahvia, 3, armour=5)
    assert undone(game, game.ahvia, last(game)).state.damage == before == 4


def test_intensity_an_attack_that_was_defended_gives_nothing_back() -> None:
    game = situations.attacked()
    game.defend(("intensity", 10))
    defence = last(game)
    game.resolve()
    hurt = game.character(game.bea).impacts
    assert undone(game, game.bea, last(game)).state.impacts == hurt == {}
    assert undone(game, game.bea, defence, settle="rerule").state.impacts == {}


def test_mnemonic_an_injury_that_changed_nothing_changes_nothing_undone() -> None:
    game = Mnemonic()
    game.hurt_to(2)
    first = last(game)
    game.hurt_to(4)
    assert game.status() == (2, None), "the worse of the two stands"
    assert undone(game, game.hero, last(game)).state.level == 2
    assert undone(game, game.hero, first).state.level == 4, "and the milder one comes out from under it"


def test_moc_what_was_resisted_was_no_damage() -> None:
    game, hero = moc()
    game.does(ApplyHarm(hero, 1))
    game.does(ApplyHarm(hero, 3, 1, 2, 2))
    assert game.character(hero).damage == 2, "one of three got through"
    assert undone(game, hero, last(game)).state.damage == 1
    assert undone(game, hero, last(game) - 1).state.damage == 1


# --- it must not revive twice -------------------------------------------------------------------------------------


def test_mongrel_who_was_saved_is_not_saved_again() -> None:
    """The hit that was answered with a point of Resolve: undone, the point and all Action Points are there once."""
    game = Mongrel()
    before = game.character(game.ahvia), game.ap(game.ahvia), game.resolve(game.ahvia)
    game.hit(game.ahvia, 9)
    hit = last(game)
    game.does(AnswerTerminal(game.ahvia, True, True))
    folded = undone(game, game.ahvia, hit, settle="rerule")
    own = f"character:{game.ahvia}"
    assert (folded.state.dying, folded.purse[f"{own}/ap"], folded.purse[f"{own}/resolve"]) == (False, *before[1:])


def test_mongrel_what_was_healed_is_not_healed_again() -> None:
    game = Mongrel()
    game.hit(game.ahvia, 5)
    hit = last(game)
    game.does(Heal(game.ahvia, 4, 1))
    row = undo(game, hit).rows[-1]
    assert row.standpoint == "loses support" and not row.as_recorded, "a finding until somebody settles it"
    who = undone(game, game.ahvia, hit, settle="rerule").state
    assert (who.damage, who.physique_loss) == (0, 0)


def test_intensity_a_healed_wound_undone_leaves_nobody_better_than_whole() -> None:
    game = situations.in_a_scene()
    whole = game.sizes(game.bea)
    game.duel("wound")
    wound = last(game) - 1
    game.close_scene()
    game.does(HealingMoment(1, "a quiet night", (HealingChoice(game.bea, "wound"),)))
    flagged = undone(game, game.bea, wound)
    assert (flagged.state.impacts, len(flagged.adrift)) == ({}, 1), "the healing finds no wound"
    assert flagged.purse[f"character:{game.bea}/impact"] == -1, "and that is a finding, too"
    anew = undone(game, game.bea, wound, settle="rerule")
    assert (anew.state.impacts, anew.adrift, anew.find_overdrawn_accounts()) == ({}, [], {})
    assert game.sizes(game.bea) == whole


def test_mnemonic_who_woke_up_does_not_wake_up_twice() -> None:
    game = Mnemonic()
    game.roll(game.injury(worst="unconscious"), 12)
    fall = last(game)
    game.recover(3)
    folded = undone(game, game.hero, fall, settle="rerule")
    assert (folded.state.level, folded.state.condition) == (6, None)
    own = f"character:{game.hero}/status"
    assert folded.purse.get(f"{own}:lost", 0) == folded.purse.get(f"{own}:regained", 0) == 0


def test_moc_what_was_healed_is_not_healed_again() -> None:
    game, hero = moc()
    game.does(ApplyHarm(hero, 1))
    harm = last(game)
    question = game.begin(HealMoc(hero, 9))[0].question
    assert isinstance(question, Roll)
    game.does(HealMoc(hero, 9), (9,) * question.count)
    assert game.character(hero).damage == 0
    assert undone(game, hero, harm, settle="rerule").state.damage == 0


def test_the_dead_come_back_once_and_go_once(desk: Desk) -> None:  # noqa: F811
    a, b = desk.enrol("A", health=4), desk.enrol("B", health=4)
    desk.hit(a, b, 6)
    with pytest.raises(Refused, match="already-down"):
        desk.hit(a, b, 1)
    for _ in range(2):
        desk.ledger.overturn(desk.call(), 3, "a miss", present)
        assert desk.state(b).harm == 0
        with pytest.raises(WrongStatus):
            desk.ledger.overturn(desk.call(), 3, "a miss", present)
        desk.ledger.reinstate(desk.call(), 3, "a hit", present)
        assert desk.state(b).harm == 6


# --- an action undone half-way must be impossible -----------------------------------------------------------------


@every_system
@slowly
@given(seed=SEEDS)
def test_whatever_is_undone_is_undone_on_every_side(name: str, seed: int) -> None:
    """Every ruling of a random campaign, undone: nothing it moved is left with one owner and missing from another."""
    game = play(name, seed, 40)
    for ruling in game.history:
        then = undo(game, ruling.number).then
        units: Counter[str] = Counter()
        for verdict in (verdict for place, verdict in enumerate(game.verdicts, 1) if place != ruling.number):
            for posting in (posting for about in verdict.facts for posting in about.postings):
                units[posting.unit] += (owner_of(posting.target) is not None) * posting.amount
                units[posting.unit] -= (owner_of(posting.source) is not None) * posting.amount
        held: Counter[str] = Counter()
        for folded in then.folded.values():
            for account, balance in folded.purse.items():
                held[account.partition("/")[2].partition(":")[0]] += balance
        assert {unit: n for unit, n in held.items() if n} == {unit: n for unit, n in units.items() if n}


def test_all_of_an_undoing_is_one_save(desk: Desk) -> None:  # noqa: F811
    """Whoever reads up to any position sees both sides of a gift, or neither."""
    a, b = desk.enrol("A"), desk.enrol("B")
    desk("mint", to=a, coins=5)
    desk("give", char=a, to=b, coins=4)
    desk.ledger.overturn(desk.call(), 4, "never given", present)
    desk.ledger.reinstate(desk.call(), 4, "given after all", present)
    desk.ledger.overturn(desk.call(), 4, "no", present, also=[3])
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        events = [event for id in (a, b) for event in book.read(f"{book.id}/character/{id}")]
        decisions = book.read(f"{book.id}/ruling/4")
        assert load_history(book).standing_revisions == {3: None, 4: None}
    marks = {event.body.position for event in events if isinstance(event.body.fact, Struck)}
    decided = {event.body.position for event in decisions if isinstance(event.body.fact, Decided)}
    assert marks < decided and len(decided) == 3
    for position in range(desk.position + 1):
        held = [coins_at(desk, id, position) for id in (a, b)]
        assert sum(held) in (0, 5), "nothing is lost on the way from one to the other"


def coins_at(desk: Desk, id: str, position: int) -> int:  # noqa: F811
    """Somebody's coins as of a position."""
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        bodies = [event.body for event in book.read(f"{book.id}/character/{id}") if event.body.position <= position]
    marks = [body.fact for body in bodies if isinstance(body.fact, Struck | Restored)]
    revisions = {mark.ruling: mark.revision if isinstance(mark, Restored) else None for mark in marks}
    facts = [body for body in bodies if not isinstance(body.fact, Struck | Restored)]
    return fold(desk.ruleset, character(id), facts, revisions).purse.get(f"character:{id}/coin", 0)


def test_an_undoing_of_several_that_cannot_all_be_undone_undoes_none(desk: Desk) -> None:  # noqa: F811
    a = desk.enrol("A")
    for coins in (1, 2):
        desk("mint", to=a, coins=coins)
    desk.ledger.overturn(desk.call(), 3, "no", present)
    before = desk.position
    with pytest.raises(WrongStatus):
        desk.ledger.overturn(desk.call(), 2, "no", present, also=[3])
    assert (desk.position, desk.coins(a)) == (before, 1)
