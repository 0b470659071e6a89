"""What can be declared in Mnemonic, where random play seldom comes or the laws do not look."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseScene, SetDial
from ledger.rules.kernel.facts import SeatRemoved
from ledger.rules.kernel.moves import Among, Move, allows
from ledger.rules.kernel.offers import list_awaited_now, list_offers
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.world import Past
from ledger.rules.mnemonic.actions import DeclareAction, RuleCertain, RuleImpossible
from ledger.rules.mnemonic.characters import Sheet
from ledger.rules.mnemonic.checks import EnterRoll, Resolve, RuleFluke, may_resolve
from ledger.rules.mnemonic.consequences import NarrateConsequence
from ledger.rules.mnemonic.featherweight import AssignAptitude
from ledger.rules.mnemonic.immunity import RateImportance
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.recovery import DeclareRecovery
from ledger.rules.mnemonic.recovery_checks import NameRecovery, RuleRecoveryCheck
from ledger.rules.mnemonic.referee import SeatReferee
from ledger.rules.mnemonic.rolls import Card
from ledger.rules.mnemonic.rulings import RuleCheck
from ledger.rules.mnemonic.sessions import TakePart
from ledger.rules.mnemonic.traits import RateTrait, TraitName
from tests.rules.mnemonic.game import Game
from tests.rules.world import Told

STEPS = "mnemonic.ruling.before-roll"
OF_THE_REFEREE = (RateTrait, RuleCheck, RuleInjury, TakePart)


def seen(game: Game, by: str, past: Past | None = None) -> Seen:
    return Seen(game.ruleset, past or game.past, game.viewer(by))


def said(game: Game, by: str, do: type[Any]) -> list[Move]:
    """The moves of this kind that a seat is offered."""
    return [one.move for one in list_offers(game.ruleset, seen(game, by)) if one.move.do is do]


def offers(game: Game, do: Any, by: str = "gm") -> bool:
    return any(allows(one, do) for one in said(game, by, type(do)))


def waits(game: Game, by: str = "gm") -> set[tuple[str, Any]]:
    """Who is awaited to do what, as a seat sees it."""
    return {(one.seat, one.do) for one in list_awaited_now(game.ruleset, seen(game, by))}


# --- who ----------------------------------------------------------------------------------------------------------


def test_the_player_is_awaited_with_the_roll_and_the_referee_can_enter_it():
    game = Game()
    check = game.check()
    for by in ("gm", "ann", "bob", "eve"):
        assert waits(game, by) == {("ann", EnterRoll)}
    assert [one.awaits for one in said(game, "ann", EnterRoll)] == [STEPS, STEPS]
    assert [one.awaits for one in said(game, "gm", EnterRoll)] == [None, None]
    assert said(game, "bob", EnterRoll) == []
    game.roll(check, 5, by="ann")
    assert waits(game) == {("gm", None)}


def test_a_game_master_who_plays_while_somebody_else_referees_is_awaited_with_the_roll():
    game = Game()
    played = game.enrol("Hunter", Sheet(), "gm")
    game.rate(played, "Quick", "Very")
    game.declare(SeatReferee("bob"))
    traits = (TraitName("talent", "Quick"), TraitName("primary"))
    check = game.id_of(game.declare(RuleCheck(played, "Even", traits), by="bob"), "check-ruled")
    for by in ("gm", "ann", "bob"):
        assert waits(game, by) == {("gm", EnterRoll)}
    assert offers(game, EnterRoll(check, (5,)), "gm") and offers(game, EnterRoll(check, (5,)), "bob")


def test_of_the_referees_own_characters_the_referee_is_awaited():
    game = Game()
    game.check(game.goon, traits=(TraitName("talent", "Tough"), TraitName("primary")))
    assert waits(game, "ann") == {("gm", EnterRoll)} and said(game, "ann", EnterRoll) == []


def test_a_player_in_the_chair_has_the_referees_moves_and_the_game_master_has_not():
    game = Game()
    game.session()
    game.declare(SeatReferee("bob"))
    game.declare(DeclareAction(game.hero, "Over the fence"), by="ann")
    tough = (TraitName("talent", "Tough"), TraitName("primary"))
    mine = game.id_of(game.declare(RuleCheck(game.goon, "Even", tough), by="bob"), "check-ruled")
    assert not any(said(game, "gm", one) for one in OF_THE_REFEREE)
    assert all(said(game, "bob", one) for one in OF_THE_REFEREE)
    for by in ("gm", "ann", "bob"):
        assert waits(game, by) == {("bob", kind) for kind in (RuleImpossible, RuleCertain, RuleCheck, EnterRoll)}
    assert offers(game, EnterRoll(mine), "gm"), "who plays it rolls as well"
    assert offers(game, SeatReferee("ann"), "gm") and not said(game, "ann", SeatReferee)


def test_where_the_referee_has_left_the_table_another_one_is_awaited():
    game = Game()
    game.session()
    game.declare(SeatReferee("bob"))
    game.past.tell([(seat("bob"), Told(game.number, 0, SeatRemoved()))])
    assert waits(game) == {("gm", SeatReferee)} == waits(game, "ann")
    assert not any(said(game, "gm", one) for one in OF_THE_REFEREE)
    assert (
        not offers(game, SeatReferee("bob"))
        and not offers(game, SeatReferee("eve"))
        and offers(game, SeatReferee("ann"))
    )


def test_of_a_newcomer_whom_nobody_rated_the_rating_is_awaited_and_then_the_check():
    """Aptitude takes two different traits, and the Primary Role is but one of them."""
    game = Game()
    boris = game.enrol("Boris", Sheet("player_character", "Adult Male Human"), "bob")
    tried = game.declare(DeclareAction(boris, "Over the fence"), by="bob")
    action = game.fact(tried, "action-declared").action
    for by in ("gm", "ann", "bob"):
        assert waits(game, by) == {("gm", RuleImpossible), ("gm", RuleCertain), ("gm", RateTrait)}
    awaited_ = [one for one in said(game, "gm", RateTrait) if one.awaits == STEPS]
    assert [one.fields["character"] for one in awaited_] == [Among((boris,))]
    game.rate(boris, "Boxer", "Very", "life")
    assert waits(game) == {("gm", RuleImpossible), ("gm", RuleCertain), ("gm", RuleCheck)}
    traits = (TraitName("life", "Boxer"), TraitName("primary"))
    assert offers(game, RuleCheck(boris, "Even", traits, action=action))


def test_where_no_sheets_are_used_an_aptitude_for_it_is_awaited():
    game = Game(feather__mode="on")
    game.session()
    game.declare(DeclareAction(game.hero, "Over the fence"), by="ann")
    assert waits(game) == {("gm", RuleImpossible), ("gm", RuleCertain), ("gm", AssignAptitude)}


def test_a_roll_that_was_left_waits_for_its_player_and_anybody_can_work_it_out():
    game = Game()
    check = game.check()
    game.roll(check, 5, resolve=False)
    assert waits(game, "bob") == {("ann", Resolve)}
    assert offers(game, Resolve(check), "bob") and offers(game, Resolve(check), "ann")


# --- the roll -----------------------------------------------------------------------------------------------------

FITTING = [(5,), (2,), (1, 5), (12, 1), (1, 12), (1, 1, 7), (1, 1, 1), (12, 12, 12)]
UNFITTING = [(), (1,), (12,), (5, 5), (1, 1), (1, 5, 5), (5, 1), (1, 1, 1, 1), (13,), (0,)]


@pytest.mark.parametrize("numbers", FITTING)
def test_as_many_numbers_can_be_typed_as_a_fluke_needs(numbers):
    game = Game(flukes__on=True)
    assert offers(game, EnterRoll(game.check(), numbers))


@pytest.mark.parametrize("numbers", UNFITTING)
def test_and_no_more_and_no_fewer(numbers):
    game = Game(flukes__on=True)
    check = game.check()
    assert not offers(game, EnterRoll(check, numbers))
    assert game.refused(EnterRoll(check, numbers))


def test_three_cards_are_three_and_voices_count_round():
    game = Game(random__verbal_rule="sum_mod_12", flukes__on=True)
    cards = game.check(method="three_card")
    hearts, plain = Card("7", "hearts"), Card("7")
    assert offers(game, EnterRoll(cards, cards=(hearts, plain, plain)))
    assert not offers(game, EnterRoll(cards, cards=(hearts, plain, hearts)))
    assert not offers(game, EnterRoll(cards, cards=(hearts, plain)))
    voices = game.check(method="verbal")
    assert offers(game, EnterRoll(voices, voices=((7, 7),))) and offers(game, EnterRoll(voices, (7, 7)))
    assert offers(game, EnterRoll(voices, voices=((7, 6), (1, 12), (3, 3))))
    assert not offers(game, EnterRoll(voices, voices=((7, 6),))) and not offers(game, EnterRoll(voices))


def test_a_roll_is_typed_as_its_check_was_ruled_whatever_dials_say_by_now():
    game = Game()
    check = game.check()
    game.declare(SetDial("flukes.on", True, "ours"))
    assert offers(game, EnterRoll(check, (1,))) and not offers(game, EnterRoll(check, (1, 1, 1)))


def test_a_method_that_the_table_does_not_use_is_not_the_usual_one():
    game = Game(random__ways=["three_dice"])
    quick = (TraitName("talent", "Quick"), TraitName("primary"))
    assert not offers(game, RuleCheck(game.hero, "Even", quick))
    assert offers(game, RuleCheck(game.hero, "Even", quick, method="three_dice"))


# --- flukes, consequences -----------------------------------------------------------------------------------------


def test_a_fluke_waits_for_the_referee_and_kills_only_where_that_was_at_stake():
    game = Game(flukes__on=True)
    harmless, deadly = game.check(), game.check(life_or_death=True)
    for check in (harmless, deadly):
        game.roll(check, 12, 12, 12)
    assert waits(game, "ann") == {("gm", RuleFluke)} and not said(game, "ann", RuleFluke)
    for check in (harmless, deadly):
        game.fluke(check)
    assert offers(game, NarrateConsequence(harmless, "It breaks."))
    assert not offers(game, NarrateConsequence(harmless, "It breaks.", game.hero))
    assert offers(game, NarrateConsequence(deadly, "It breaks.", game.hero))
    assert offers(game, RuleInjury(game.hero, "spectacular", "dead", "Even", harmless))


# --- injuries -----------------------------------------------------------------------------------------------------


def test_an_injury_is_offered_once_for_each_victim_of_a_check_it_could_come_of():
    game = Game()
    hit, missed = game.check(), game.check()
    game.roll(hit, 2)
    game.roll(missed, 12)
    of = {check: RuleInjury(game.goon, "attack", "dead", "Even", check) for check in (hit, missed)}
    assert offers(game, of[hit]) and not offers(game, of[missed])
    dodged = RuleInjury(game.hero, "avoidance", "dead", "Even", missed)
    assert offers(game, dodged) and not offers(game, RuleInjury(game.goon, "avoidance", "dead", "Even", missed))
    game.declare(of[hit])
    assert not offers(game, of[hit]) and offers(game, RuleInjury(game.hero, "attack", "dead", "Even", hit))


def test_nobody_waits_for_what_the_dead_resist():
    game = Game()
    game.injury()
    game.roll(game.injury(worst="dead", chances="Terrible"), 12)
    assert waits(game) == {("gm", None)} and said(game, "ann", EnterRoll) == []
    assert not any(Among((game.hero,)) in one.fields.values() for one in said(game, "gm", RuleInjury))
    assert not offers(game, DeclareRecovery(game.hero, 3)) and not offers(
        game, DeclareAction(game.hero, "Curse", False)
    )


def test_who_is_immobilized_may_do_what_is_not_physical():
    game = Game()
    game.roll(game.injury(worst="immobilized", chances="Terrible"), 12)
    assert offers(game, DeclareAction(game.hero, "Curse", False), "ann")
    assert not offers(game, DeclareAction(game.hero, "Run"), "ann")
    assert offers(game, DeclareRecovery(game.hero, 1)) and not offers(game, DeclareRecovery(game.hero, 0))


@pytest.mark.parametrize("unrated", ["", "Moderately"])
def test_several_life_roles_that_nobody_rated_help_only_where_such_traits_count(unrated):
    game = Game(traits__unrated=unrated)
    fall = RuleInjury(game.hero, "referee", "unconscious", "Even", life_roles=("Sailor", "Climber"), reason="A fall.")
    assert offers(game, fall) == bool(unrated)
    if not unrated:
        game.refused(fall)


def test_lucky_is_never_the_other_trait_but_beside_a_larger_life_role():
    game = Game(dramatic__source="lucky")
    injury = RuleInjury(game.hero, "referee", "dead", "Even", reason="A fall.")
    assert not offers(game, injury), "nobody rated it"
    game.rate(game.hero, "Lucky", "Fairly")
    lucky = RuleInjury(game.hero, "referee", "dead", "Even", talent="Lucky", reason="A fall.")
    assert offers(game, injury) and not offers(game, lucky)
    game.rate(game.hero, "Boxer", "Very", "life")
    game.rate(game.hero, "Scout", "Not Very", "life")
    boxer, scout = (RuleInjury(game.hero, "referee", "dead", "Even", None, one, "Lucky") for one in ("Boxer", "Scout"))
    assert offers(game, boxer) and not offers(game, scout)


# --- what is hidden -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", [1, 12])
def test_how_a_hidden_recovery_came_out_is_in_nobodys_moves_but_the_referees(face):
    """Won or lost, the player is offered and awaits the same."""
    game = Game(dramatic__source="important", recovery__check_reading="referee")
    game.declare(RateImportance(game.hero, "Moderately"))
    game.roll(game.injury(), 5)
    game.roll(game.recovery_check(), face)
    assert waits(game, "ann") == {("gm", None)} and said(game, "ann", NameRecovery) == []
    assert (("gm", NameRecovery) in waits(game)) == (face == 1) == bool(said(game, "gm", NameRecovery))


def test_only_a_higher_level_can_be_named_for_a_recovery():
    game = Game(recovery__check_reading="referee")
    game.roll(game.injury(), 5)
    check = game.recovery_check()
    game.roll(check, 1)
    level, _ = game.status()
    assert level < 6
    assert [number for number in range(8) if offers(game, NameRecovery(check, number))] == [*range(level + 1, 7)]


def test_a_fixed_rating_that_nobody_gave_leaves_no_check_to_rule():
    game = Game(dramatic__source="important")
    injury = RuleInjury(game.hero, "referee", "dead", "Even", reason="A fall.")
    assert not offers(game, injury)
    game.declare(RateImportance(game.hero, "Moderately"))
    assert offers(game, injury) and not said(game, "ann", RuleInjury)
    named = RuleInjury(game.hero, "referee", "dead", "Even", importance="Very", reason="A fall.")
    assert not offers(game, named)
    game.declare(SetDial("dramatic.approach", "per_check", "ours"))
    assert offers(game, named) and not offers(game, injury)


# --- assigned Aptitudes, and what was overturned ------------------------------------------------------------------


def test_an_assigned_aptitude_serves_once_and_only_a_player_can_be_asked():
    game = Game(feather__mode="on")
    asked, again = AssignAptitude(game.goon, "Aiming", 7, True), AssignAptitude(game.hero, "Aiming")
    assert not offers(game, asked) and offers(game, AssignAptitude(game.hero, "Aiming", 7, True))
    assert not offers(game, again)
    found = game.assign(player=7).assignment
    assert offers(game, again)
    check = RuleCheck(game.hero, "Even", assigned=found)
    assert offers(game, check) and not offers(game, RuleCheck(game.goon, "Even", assigned=found))
    game.declare(check)
    assert not offers(game, check)
    quick = (TraitName("talent", "Quick"), TraitName("primary"))
    assert not offers(game, RuleCheck(game.hero, "Even", quick)), "no sheets here"


def test_of_two_assigned_aptitudes_the_used_one_is_not_offered_again():
    game = Game(feather__mode="on")
    used, ready = (game.assign(task, player=7).assignment for task in ("Aiming", "Sneaking"))
    game.check(assigned=used)
    assert not offers(game, RuleCheck(game.hero, "Even", assigned=used))
    assert offers(game, RuleCheck(game.hero, "Even", assigned=ready))


def test_a_fluke_that_was_ruled_no_longer_holds_up_a_result_that_went_adrift():
    """mnemonic.fluke.possible"""
    game = Game(flukes__on=True)
    check = game.check()
    game.roll(check, 1, 1, 5)
    waiting = game.state(game.there).board.checks.find(check)
    assert may_resolve(waiting) is not None
    game.fluke(check)
    ruled = game.state(game.there).board.checks.find(check)
    assert may_resolve(ruled) is not None and may_resolve(replace(ruled, resolved=None)) is None


def test_what_somebody_unconscious_had_declared_can_only_be_ruled_impossible():
    """mnemonic.status.inactive"""
    game = Game()
    action = game.fact(game.declare(DeclareAction(game.hero, "Over the fence")), "action-declared").action
    quick = (TraitName("talent", "Quick"), TraitName("primary"))
    check, certain = RuleCheck(game.hero, "Even", quick, action=action), RuleCertain(action)
    assert offers(game, check) and offers(game, certain)
    game.hurt_to(0)
    assert not offers(game, check) and not offers(game, certain) and offers(game, RuleImpossible(action))
    assert game.refused(check) == game.refused(certain)


def test_a_check_that_came_out_is_offered_as_the_treatment():
    game = Game()
    game.hurt_to(3)
    treated = game.check()
    for do in (
        DeclareRecovery(game.hero, 4, treated_by=treated),
        RuleRecoveryCheck(game.hero, "Even", treated_by=treated),
    ):
        assert not offers(game, do)
    game.roll(treated, 3)
    for do in (
        DeclareRecovery(game.hero, 4, treated_by=treated),
        RuleRecoveryCheck(game.hero, "Even", treated_by=treated),
    ):
        assert offers(game, do)


def test_between_sessions_an_aptitude_can_be_assigned():
    game = Game(feather__mode="on")
    assert offers(game, AssignAptitude(game.hero, "Aiming", 7)), "no session is open"
    assert not offers(game, AssignAptitude(game.hero, "Aiming", 7, session="99"))


def test_moves_are_said_where_overturning_left_a_ladder_without_the_primary_role():
    game = Game()
    ladder = game.number
    game.declare(SetDial("traits.ladder", [["Low", 1], ["Moderately", 2], ["Huge", 9]], "ours"))
    game.declare(SetDial("traits.primary_rating", "Huge", "ours"))
    past = game.without(ladder).then
    found = {one.move.do for one in list_offers(game.ruleset, seen(game, "gm", past))}
    assert not found & {RuleCheck, RuleInjury, RuleRecoveryCheck, RateTrait} and DeclareAction in found


def test_what_was_begun_in_a_scene_closed_of_late_can_be_finished_and_nobody_waits_for_it():
    game = Game(flukes__on=True)
    check = game.check()
    game.declare(CloseScene(game.place))
    assert waits(game) == {("gm", None)}
    assert offers(game, EnterRoll(check, (5,)), "ann") and not offers(game, EnterRoll(check, (1,)), "ann")
    game.roll(check, 1, 1, 4)
    assert offers(game, RuleFluke(check, True)) and waits(game) == {("gm", None)}
    for _ in range(3):
        game.declare(CloseScene(game.open_scene()))
    assert not offers(game, RuleFluke(check, True)), "that was long ago"


def test_what_was_declared_in_a_scene_closed_of_late_is_offered_like_the_rest():
    game = Game(flukes__on=True)
    tried = game.fact(game.declare(DeclareAction(game.hero, "Dodge"), by="ann"), "action-declared").action
    blow = game.check()
    game.roll(blow, 12, 12, 12)
    game.fluke(blow)
    game.declare(CloseScene(game.place))
    quick = (TraitName("talent", "Quick"), TraitName("primary"))
    assert offers(game, RuleImpossible(tried)) and offers(game, RuleCheck(game.hero, "Even", quick, action=tried))
    assert offers(game, NarrateConsequence(blow, "It breaks."))
    do = RuleInjury(game.hero, "avoidance", "dead", "Even", blow)
    assert offers(game, do) and offers(game, replace(do, cause="spectacular")) and waits(game) == {("gm", None)}
    game.declare(RuleImpossible(tried))
    assert offers(game, replace(do, cause_check=tried))


def test_an_action_is_offered_to_be_certain_and_then_as_the_cause_of_an_injury():
    game = Game()
    action = game.fact(game.declare(DeclareAction(game.hero, "Tie him up"), by="ann"), "action-declared").action
    asleep = game.fact(game.declare(DeclareAction(game.goon, "Snore", False)), "action-declared").action
    hit = RuleInjury(game.goon, "attack", "immobilized", "Even", action)
    assert offers(game, RuleCertain(action)) and not offers(game, RuleCertain(action), "ann")
    assert not offers(game, hit)
    game.declare(RuleCertain(action))
    assert not offers(game, RuleCertain(action)) and offers(game, hit) and not offers(game, hit, "ann")
    game.hurt_to(0, game.goon)
    assert not offers(game, RuleCertain(asleep)) and offers(game, RuleImpossible(asleep))


def test_an_injury_ruled_after_its_scene_was_closed_is_awaited_however_many_scenes_were_closed_since():
    game = Game()
    blow = game.check()
    game.roll(blow, 3)
    game.declare(CloseScene(game.place))
    hurt = game.injury(cause="attack", cause_check=blow)
    for _ in range(4):
        game.declare(CloseScene(game.open_scene()))
    assert waits(game) == {("ann", EnterRoll)} and offers(game, EnterRoll(hurt, (5,)), "ann")
    game.roll(hurt, 5, by="ann")
    assert waits(game) == {("gm", None)}


def test_an_injury_whose_scene_was_closed_before_its_roll_is_still_awaited():
    """The source lets an injury last: it lowers Status until somebody recovers, whatever scene is open."""
    game = Game()
    hurt = game.injury()
    game.declare(CloseScene(game.place))
    assert waits(game) == {("ann", EnterRoll)} and offers(game, EnterRoll(hurt, (5,)), "ann")
    game.open_scene("Another")
    game.roll(hurt, 5, by="ann")
    assert game.status() == (2, None) and not offers(game, EnterRoll(hurt, (5,)), "ann")


def test_moves_that_ask_for_no_scene_are_said_once_however_many_are_open():
    game = Game()
    said_for: list[Seen] = []
    own = game.ruleset.moves
    assert own is not None
    for _ in range(2):
        game.open_scene()
    for asks, times in ((lambda there: None, 1), (lambda there: there.scene, 4)):
        said_for.clear()

        def moves(there, asks=asks):
            asks(there)
            said_for.append(there)
            return own(there)

        list_offers(replace(game.ruleset, moves=moves), seen(game, "gm"))
        assert len(said_for) == times
