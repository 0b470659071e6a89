"""What a hit cites: a task that stands, its Effect, on its target, once. Third reading, T3."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.comparison import compare
from ledger.rules.kernel.moves import complete_fields, list_settled_values
from ledger.rules.kernel.offers import list_offers
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.table import find_viewer
from ledger.rules.mongrel.attacks import Attack
from ledger.rules.mongrel.damage import DamageCounted, DamageRolled, Shunt
from ledger.rules.mongrel.deeds import Reveal, RollTask
from ledger.rules.mongrel.hits import DefenceChosen, Defend, Stand, TakeHit
from ledger.rules.mongrel.possessions import GainItem
from ledger.rules.mongrel.sorcery import Occult, Resist
from ledger.rules.mongrel.tasks import TaskResolved
from ledger.rules.mongrel.turns import TurnEnded
from tests.rules.mongrel.game import Game, of_kind, the

EXPERT: dict[str, Any] = {"expertise": "rend", "side": "target", "attribute": "physique"}


def task(game: Game, target: str | None = None) -> tuple[str, int]:
    """A task of Vooruk's that succeeds: its number, and its Effect."""
    do = RollTask(game.vooruk, target=target or game.ahvia, faces=(1, 2, 3, 6), **EXPERT)
    effect = the(game.plays(do), TaskResolved).effect
    assert effect
    return str(len(game.history)), effect


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.mark.parametrize("kind", ["physical", "spiritual"])
def test_a_hit_takes_the_effect_of_its_task_once(game: Game, kind: str) -> None:
    number, effect = task(game)
    game.plays(TakeHit(game.ahvia, effect, kind, ruling=number))
    for by_hand in ("", "so I rule"):
        again = TakeHit(game.ahvia, effect, kind, ruling=number, reason=by_hand)
        assert game.refuses(again) == "cited-already"


@pytest.mark.parametrize("number", ["999", "0", "-1", "1", "01", "nonsense", ""])
def test_what_it_names_is_a_task(game: Game, number: str) -> None:
    """Not a ruling that never was, nor an enrolment."""
    task(game)
    assert game.refuses(TakeHit(game.ahvia, 3, shunt=0, ruling=number)) == "no-such-ruling"


def test_another_number_needs_a_reason(game: Game) -> None:
    number, effect = task(game)
    assert game.refuses(TakeHit(game.ahvia, effect + 1, shunt=0, ruling=number)) == "effect-differs"
    assert game.refuses(TakeHit(game.ahvia, effect + 1, shunt=0, ruling=number, reason=" ")) == "effect-differs"
    game.hit(game.ahvia, effect + 1, ruling=number, reason="it was in the back")


def test_another_target_needs_a_reason(game: Game) -> None:
    number, effect = task(game)
    assert game.refuses(TakeHit(game.giazza, effect, shunt=0, ruling=number)) == "character-differs"
    game.hit(game.giazza, effect, ruling=number, reason="she stepped between them")


def test_where_the_task_is_overturned_the_hit_loses_its_support(game: Game) -> None:
    number, effect = task(game)
    game.hit(game.ahvia, effect, ruling=number)
    compared = compare(game.beginning(), game.history, {}, {int(number): None})
    row = next(one for one in compared.rows if one.number == int(number) + 1)
    assert row.standpoint == "loses support"
    assert isinstance(row.then, Refused)
    assert row.then.code == "no-such-ruling"


def test_where_the_first_hit_is_overturned_the_task_is_free_again(game: Game) -> None:
    number, effect = task(game)
    game.hit(game.ahvia, effect, ruling=number)
    game.past = game.beginning().branch({len(game.history): None})
    for ruling in game.history:
        game.past.tell(ruling.facts)
    game.hit(game.ahvia, effect, ruling=number)


def test_what_a_task_revealed_names_a_task(game: Game) -> None:
    number, _ = task(game)
    game.does(Reveal(game.vooruk, "There is a door.", number))
    assert game.refuses(Reveal(game.vooruk, "There is a door.", "1")) == "no-such-ruling"


def test_the_latest_tasks_are_offered_to_be_cited_once(game: Game) -> None:
    number, effect = task(game)
    assert (number, effect) in offered_tasks(game)
    game.hit(game.ahvia, effect, ruling=number)
    assert (number, effect) not in offered_tasks(game)


def offered_tasks(game: Game) -> list[tuple[Any, ...]]:
    viewer = find_viewer(game.past, seat("gm"))
    assert viewer is not None
    moves = (one.move for one in list_offers(game.ruleset, Seen(game.ruleset, game.past, viewer)))
    hits = [complete_fields(one.do, one.fields) for one in moves if one.do is TakeHit]
    return [
        (*list_settled_values(one["ruling"]), *list_settled_values(one["effect"]))
        for one in hits
        if list_settled_values(one["effect"])
    ]


# --- what hits by itself ---------------------------------------------------------------------------------------------


def test_what_occult_did_cannot_be_cited_for_another_hit(game: Game) -> None:
    do = Occult(game.vooruk, 1, "rend", "own", "spirit", target=game.ahvia, faces=(3, 3))
    effect = the(game.plays(do), TaskResolved).effect
    assert effect and game.resolve(game.ahvia) < 6
    number = str(len(game.history))
    assert game.refuses(TakeHit(game.ahvia, effect, ruling=number, reason="so I rule")) == "no-such-ruling"
    assert number not in [cited for cited, _ in offered_tasks(game)]


def test_what_resisted_a_hit_cannot_be_cited() -> None:
    game = Game(resist_defends_chill=True)
    do = Attack(game.ahvia, game.vooruk, "chill", "spirit", faces=(1, 1))
    game.does(do, Stand(), Resist("spirit", faces=(1,)))
    number = str(len(game.history))
    assert game.refuses(TakeHit(game.ahvia, 9, ruling=number, reason="so I rule")) == "no-such-ruling"


# --- an attack outside a conflict is one declaration -----------------------------------------------------------------


def test_an_attack_outside_a_conflict_hits_with_what_was_rolled(game: Game) -> None:
    do = Attack(game.vooruk, game.ahvia, "rend", "physique", faces=(1, 2, 3, 6))
    assert game.asks(do, by="q").seat == "p" and game.asks(do, by="q").slot == "defend"
    verdict = game.does(do, Stand(), Shunt(2), by="q")
    effect = the(verdict, TaskResolved).effect
    assert the(verdict, DamageRolled).effect == effect == 8 and the(verdict, DamageCounted).counted == 6
    assert game.ap(game.vooruk) == 3 and not of_kind(verdict, TurnEnded)
    again = TakeHit(game.ahvia, effect, ruling=str(len(game.history)))
    assert game.refuses(again) == "no-such-ruling"


def test_a_defence_outside_a_conflict_costs_what_it_costs_inside(game: Game) -> None:
    do = Attack(game.vooruk, game.ahvia, "rend", "physique", faces=(1, 1, 1, 1))
    verdict = game.does(do, Defend(), by="q")
    assert the(verdict, DefenceChosen).side == "target" and the(verdict, TaskResolved).tn == 3
    assert (game.ap(game.ahvia), game.ap(game.vooruk)) == (6 - 1, 3 - 2)
    assert game.character(game.vooruk).adrift == game.character(game.ahvia).adrift == ()


def test_who_is_in_a_conflict_is_attacked_in_its_order(game: Game) -> None:
    game.conflict(game.ahvia, game.giazza)
    assert game.refuses(Attack(game.vooruk, game.ahvia, "rend", "physique"), by="q") == "bad-target"
    assert game.refuses(Attack(game.giazza, game.vooruk, "rend", "physique")) == "bad-target"


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ({"target": "vooruk"}, "bad-target"),
        ({"expertise": "occult"}, "too-slow"),
        ({"expertise": "luck"}, "expertise-unknown"),
        ({"weapon": -1}, "bad-score"),
        ({"faces": (1,)}, "dice-count"),
        ({"hit_kind": "spiritual"}, "hit-kind"),
    ],
)
def test_an_attack_outside_a_conflict_is_refused_as_inside(game: Game, new: dict[str, Any], code: str) -> None:
    fields = {"target": "ahvia", "expertise": "rend", "attribute": "physique", **new}
    fields["target"] = getattr(game, fields["target"])
    assert game.refuses(Attack(game.vooruk, **fields)) == code


def test_nobody_attacks_without_action_points_or_the_dead(game: Game) -> None:
    do = Attack(game.vooruk, game.ahvia, "rend", "physique")
    game.sets(game.ahvia, "dead", True)
    assert game.refuses(do) == "dead"
    game.sets(game.ahvia, "dead", False)
    game.gives(game.vooruk, "ap", -3)
    assert game.refuses(do) == "no-ap"
    game.sets(game.vooruk, "dying", True)
    assert game.refuses(do) == "decision-pending"


def test_attacks_outside_a_conflict_are_offered_to_who_can_act(game: Game) -> None:
    game.declare(GainItem(game.vooruk, "a blade", weapon=2))

    def attacks(by: str) -> list[tuple[Any, ...]]:
        viewer = find_viewer(game.past, seat(by))
        assert viewer is not None
        moves = (one.move for one in list_offers(game.ruleset, Seen(game.ruleset, game.past, viewer)))
        return [list_settled_values(complete_fields(one.do, one.fields)["actor"]) for one in moves if one.do is Attack]

    assert set(attacks("q")) == {(game.vooruk,)} and len(set(attacks("gm"))) == 3
    game.gives(game.vooruk, "ap", -3)
    assert attacks("q") == []
