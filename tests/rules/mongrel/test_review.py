"""What a game master found in play: words that say less than the rules do, and rules that did less than they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ledger.rules.mongrel import RULESET
from ledger.rules.mongrel.attacks import Attack, read_hit_kind
from ledger.rules.mongrel.clock import SetClock
from ledger.rules.mongrel.conflict import CloseConflict
from ledger.rules.mongrel.damage import DamageRolled, find_zone
from ledger.rules.mongrel.death import ActionPointsRecovered
from ledger.rules.mongrel.deeds import RollTask
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.hits import TakeHit
from ledger.rules.mongrel.infernal import RefreshResolve, ResolveDamaged, SpendResolve
from ledger.rules.mongrel.purchases import Purchase
from ledger.rules.mongrel.recovery import Recover, Rest
from ledger.rules.mongrel.sorcery import Occult
from ledger.rules.mongrel.tables import CATEGORIES, EXPERTISE
from ledger.rules.mongrel.tasks import TaskResolved
from ledger.rules.mongrel.terms import Identity, write_word
from ledger.rules.mongrel.turns import Pass
from projections.documents.systems import get_docstring, list_option_values
from tests.rules.mongrel.game import Game, character, kinds_of, of_kind, the

# --- words -----------------------------------------------------------------------------------------------------------


def test_the_words_for_passing_say_that_it_costs_nothing() -> None:
    game = Game()
    game.conflict()
    before, head = game.ap(game.vooruk), game.queue[0]
    assert head == game.vooruk
    game.does(Pass(head, "looks around"))
    assert game.ap(head) == before
    assert "They need at least 1 Action Point for this, but do not spend" in get_docstring(Pass)


def test_the_words_for_attacking_name_every_expertise_that_wounds() -> None:
    words = get_docstring(Attack).partition("`hit_kind`")[2].partition("`defend`")[0]
    named = {expertise for expertise in EXPERTISE if write_word(expertise) in words}
    assert named == {expertise for expertise in EXPERTISE if read_hit_kind(expertise, None) != "none"}


@pytest.mark.parametrize(
    ("dial", "values"),
    [
        ("everything_max", [6, None]),
        ("attribute_max", [7, None]),
        ("weapon_bonus_cap", [2, 1, None]),
        ("damage_track", ["cumulative", "per_hit"]),
        ("low_longshot", [True, False]),
        ("ap_refresh_flat", None),
    ],
)
def test_the_guide_lists_all_values_of_an_option(dial: str, values: list[object] | None) -> None:
    assert list_option_values(Dials, dial) == values


@pytest.mark.parametrize(("identity", "category"), [("demon", "Sorcery"), ("man", "Tech"), ("beast", "Bestial")])
def test_the_rules_say_which_identity_governs_what(identity: Identity, category: str) -> None:
    statement = RULESET.rules[f"mongrel.expertise.identity.{identity}"].statement
    assert write_word(identity) in statement and category in statement
    named = {expertise for expertise in EXPERTISE if write_word(expertise) in statement}
    assert named == set(CATEGORIES[identity])


# --- what is shown ---------------------------------------------------------------------------------------------------


def test_the_wound_threshold_shown_is_what_a_hit_is_judged_by() -> None:
    game = Game()
    game.hit(game.ahvia, 5)
    assert game.character(game.ahvia).physique_loss == 1
    shown = game.view(character(game.ahvia))
    row, clear, gray = shown["wound_threshold"]
    assert (row, clear, gray) == (2, 4, 6)
    zones = [find_zone(total, 2, shown["physique"], Dials()) for total in (row, clear, gray, gray + 1)]
    assert zones == ["row", "clear", "gray", "terminal"]


# --- recovering ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("refresh", ["to_max", "over_max"])
def test_recovering_stands_a_collapsed_character_up_with_all_action_points(refresh: str) -> None:
    game = Game(resolve_ap_ends_collapse=False, ap_refresh=refresh)
    game.hit(game.giazza, 11)
    game.gives(game.giazza, "resolve", 4)
    game.does(SpendResolve(game.giazza, 4))
    assert game.character(game.giazza).collapsed and game.ap(game.giazza) == 4
    verdict = game.does(Recover(game.giazza, 0))
    recovered = the(verdict, ActionPointsRecovered)
    assert (recovered.amount, recovered.refresh, recovered.counted) == (0, False, False)
    assert not game.character(game.giazza).collapsed and game.ap(game.giazza) == 4
    assert game.refuses(Recover(game.giazza, 0)) == "ap-full"


@pytest.mark.parametrize(
    ("do", "by_others_too"),
    [
        (lambda g: RollTask(g.ahvia, "lie", "own", "social"), False),
        (lambda g: Purchase(g.ahvia, "a lamp", "mekag", "negotiate", social=2), False),
        (lambda g: Attack(g.ahvia, g.vooruk, "chill", "spirit"), False),
        (lambda g: Occult(g.ahvia, 1, "lie", "own", "social"), True),
        (lambda g: SetClock(1, "a minute later"), True),
        (lambda g: Rest(g.vooruk, 1, 1), True),
        (lambda g: RefreshResolve(g.vooruk, "meditating", 60), True),
        (lambda g: Recover(g.vooruk, 5), True),
    ],
)
def test_outside_a_conflict_recovering_ends(do: Callable[[Game], object], by_others_too: bool) -> None:
    """By what the character does next, and for everybody when the clock moves on."""
    game = Game()
    for id in (game.ahvia, game.vooruk, game.giazza):
        game.gives(id, "ap", -2)
    for id in (game.ahvia, game.giazza):
        game.does(Recover(id, 0))
    assert game.character(game.ahvia).recovering
    game.plays(do(game))
    assert not game.character(game.ahvia).recovering
    assert game.character(game.giazza).recovering is not by_others_too


def test_setting_the_clock_back_ends_no_recovery_nor_does_time_in_a_conflict() -> None:
    game = Game()
    game.does(SetClock(10, "it is ten"))
    for id in (game.ahvia, game.vooruk, game.giazza):
        game.gives(id, "ap", -2)
    game.does(Recover(game.ahvia, 10))
    game.does(SetClock(5, "it was not"))
    assert game.character(game.ahvia).recovering
    game.conflict()
    for id in (game.vooruk, game.giazza):
        game.does(Recover(id, 20 if id == game.vooruk else 30))
    assert game.character(game.vooruk).recovering and game.character(game.giazza).recovering
    game.does(CloseConflict())
    assert not game.character(game.vooruk).recovering and not game.character(game.giazza).recovering


# --- sorcery ---------------------------------------------------------------------------------------------------------


def test_a_caster_who_dies_of_the_last_infernal_resolve_does_not_roll() -> None:
    game = Game()
    game.sets(game.ahvia, "terminal", True)
    game.gives(game.ahvia, "resolve", -5)
    verdict = game.does(Occult(game.ahvia, 1, "rend", "own", "spirit", target=game.vooruk))
    assert "CharacterDied" in kinds_of(verdict)
    assert not {"RitualTimed", "TaskDeclared", "DiceRolled"} & {*kinds_of(verdict)}
    assert game.resolve(game.vooruk) == 3


@pytest.mark.parametrize(
    ("hits", "imitates", "kind"),
    [
        ("resolve", "rend", "physical"),
        ("resolve", "burn", "physical"),
        ("mimicked", "burn", "spiritual"),
        ("mimicked", "chill", "physical"),
    ],
)
def test_an_occult_attack_that_would_hit_something_else_is_refused(hits: str, imitates: str, kind: str) -> None:
    game = Game(occult_attack_hits=hits)
    do = Occult(game.ahvia, 1, imitates, "own", "spirit", target=game.vooruk, hit_kind=kind, weapon=3)
    refused = game.refusal(do)
    assert refused.code == "hit-kind"
    game.plays(replace(do, hit_kind=refused.context["only"]))


# --- conflicts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["gm", "q"])
def test_a_thing_in_a_conflict_is_never_rolled_against(by: str) -> None:
    """And a game master is asked for no number that would not count."""
    game = Game()
    do = RollTask(game.vooruk, "rend", "target", "size", thing="a door", score=3, faces=(1, 2, 3, 6))
    game.conflict()
    assert game.refuses(do, by=by) == "own-side-only"
    resolved = the(game.does(replace(do, side="own", attribute="physique"), by=by), TaskResolved)
    assert resolved.tn == 7


# --- hits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expertise", "hit"), [("chill", ResolveDamaged), ("burn", DamageRolled), ("lie", DamageRolled)]
)
def test_a_hit_does_what_the_task_it_cites_does(expertise: str, hit: type[object]) -> None:
    game = Game()
    rolled = game.plays(RollTask(game.ahvia, expertise, "target", "speed", target=game.vooruk))
    effect = the(rolled, TaskResolved).effect
    do = TakeHit(game.vooruk, effect, ruling=str(len(game.history)))
    verdict = game.plays(do)
    assert [kind for kind in (ResolveDamaged, DamageRolled) if of_kind(verdict, kind)] == [hit]
    assert not of_kind(game.plays(TakeHit(game.giazza, 1)), ResolveDamaged), "no task is cited"
