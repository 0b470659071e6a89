"""Actions: order, attack and defence."""

from __future__ import annotations

import pytest

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.advantage_points import SpendAdvantage
from ledger.rules.intensity.attacks import Attack, AttackResolved, Resolve, Waive
from ledger.rules.intensity.defence import (
    ActionForfeited,
    DefenceChosen,
    DefenceDie,
    DefenceRolled,
    Defend,
    RolledDefence,
)
from ledger.rules.intensity.draft import Faces
from ledger.rules.intensity.fatals import UseFatal
from ledger.rules.intensity.opponents import ConflictLinked
from ledger.rules.intensity.out_of_play import ActionLapsed, AttackLapsed, FatalUse
from ledger.rules.intensity.rolling import RollDice
from ledger.rules.intensity.rounds import CloseRound
from ledger.rules.intensity.turns import OrderEstablished, Pass, SettleTie, Thrown, TieSettled, make_order_key_of_faces
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import scene
from projections.wording import Wording
from tests.rules.intensity import situations as at
from tests.rules.intensity.game import facts_of, of_kind, steps

# --- order --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "key"), [((3, 9), (9, 3)), ((9, 3), (9, 3)), ((6,), (6, 0)), ((5, 5), (5, 5)), ((), (0, 0))]
)
def test_the_key(faces, key):
    """intensity.order.key: which die shows the face is irrelevant; a missing die is 0."""
    assert make_order_key_of_faces(faces) == key


def test_the_second_die_breaks_ties():
    """intensity.order.key (Example 3: Sarah's 6/5 before Crystal's 6/4)."""
    game = at.declared()
    verdict = game.rolls((game.ann, 4, 6), (game.bea, 6, 5), (game.dan, 1, 1))
    assert of_kind(verdict, OrderEstablished)[0].groups == ((game.bea,), (game.ann,), (game.dan,))


def test_a_lone_die_comes_behind():
    """A lone 6 is (6, 0), behind 6/1."""
    game = at.worn_out()
    game.fight((game.dan, game.ann, "calm", None, 6), (game.ann, game.dan, "calm", "A", 1, 6))
    assert game.round.groups == ((game.ann,), (game.dan,))


def test_the_tied_stand_in_name_order():
    game = at.tied()
    assert game.round.groups == ((game.ann, game.bea), (game.dan,))


def test_the_table_decides_a_tie():
    """intensity.order.full-tie"""
    game = at.tied()
    verdict = game.does(SettleTie((game.bea, game.ann)))
    assert facts_of(verdict) == [TieSettled(game.round.id, (game.bea, game.ann), "table_choice", ())]
    game.does(Pass(game.bea))
    game.does(Pass(game.ann))
    game.does(CloseRound())


def test_a_tie_of_three_is_decided_once():
    """A decision stands for all it ranked: the two who are left are not tied again."""
    game = at.in_a_scene()
    chars = (game.cleo, game.bea, game.ann)
    game.fight(*((char, game.dan, "calm", "A", 5, 5) for char in chars), (game.dan, None, "calm", "A", 1, 1))
    assert game.round.groups == ((game.ann, game.bea, game.cleo), (game.dan,))
    assert game.refuses(SettleTie((game.ann, game.bea))) == "tie-ranking"
    game.does(SettleTie((game.cleo, game.ann, game.bea)))
    game.does(Pass(game.cleo))
    assert game.refuses(SettleTie((game.ann, game.bea))) == "no-tie"
    assert game.refuses(Pass(game.bea)) == "not-your-turn"
    game.does(Pass(game.ann))
    game.does(Pass(game.bea))


def test_who_forfeited_is_not_in_the_tie():
    """Only pending participants tied at the front are ranked."""
    game = at.in_a_scene()
    game.fight(
        (game.ann, game.bea, "calm", "A", 6, 6),
        (game.bea, game.ann, "calm", "A", 5, 5),
        (game.cleo, game.ann, "calm", "A", 5, 5),
    )
    game.attack(game.ann)
    game.defend(("intensity", 6), ("trait", 8))
    game.resolve()
    assert game.refuses(SettleTie((game.bea, game.cleo))) == "no-tie"
    game.does(Pass(game.cleo))


def test_a_roll_off_as_typed():
    """intensity.order.full-tie, roll_off: all dice of the start roll, for order only; who is equal rolls again."""
    game = at.in_a_scene(full_tie="roll_off")
    chars = (game.ann, game.bea, game.cleo)
    game.fight(*((char, game.dan, "calm", "A", 5, 5) for char in chars), (game.dan, None, "calm", "A", 1, 1))
    first = (Faces(game.bea, 3, 2), Faces(game.ann, 3, 2), Faces(game.cleo, 1, 9))
    second = (Faces(game.ann, 1, 1), Faces(game.bea, 2, 1))
    assert game.refuses(SettleTie(faces=(first,))) == "roll-off-short"
    verdict = game.does(SettleTie(faces=(first, second)))
    (settled,) = facts_of(verdict)
    assert settled.ranking == (game.cleo, game.bea, game.ann)
    assert settled.how == "roll_off"
    assert settled.faces[1] == (Thrown(game.ann, 1, 1), Thrown(game.bea, 2, 1))
    assert game.round.participants[game.ann].dice["trait"].face == 5
    game.does(Pass(game.cleo))
    game.does(Pass(game.bea))


def test_a_roll_off_as_asked():
    """Still equal: asked again, only those."""
    game = at.tied(full_tie="roll_off")
    verdict = game.does(SettleTie(), 4, 4, 4, 4, 2, 1, 3, 1)
    assert facts_of(verdict)[0].ranking == (game.bea, game.ann)
    assert len(facts_of(verdict)[0].faces) == 2


def test_two_ties_within_a_roll_off():
    """Two pairs still equal after the first throw roll together in the second; neither overtakes the other pair."""
    game = at.in_a_scene(full_tie="roll_off")
    chars = (game.ann, game.bea, game.cleo, game.dan)
    game.fight(*((char, game.ed, "calm", "A", 5, 5) for char in chars), (game.ed, None, "calm", "A", 1, 1))
    first = (Faces(game.ann, 6, 1), Faces(game.bea, 2, 1), Faces(game.cleo, 6, 1), Faces(game.dan, 2, 1))
    second = (Faces(game.ann, 1, 1), Faces(game.bea, 5, 5), Faces(game.cleo, 2, 1), Faces(game.dan, 6, 6))
    (settled,) = facts_of(game.does(SettleTie(faces=(first, second))))
    assert settled.ranking == (game.cleo, game.ann, game.dan, game.bea)


@pytest.mark.parametrize(("dial", "first"), [("fixed_at_roll", "Bea"), ("standing_dice", "Dan")])
def test_the_place_of_who_picked_up_the_high_die(dial, first):
    """intensity.order.basis: Bea 7/2 picks up the 7; Dan stands at 3/1."""
    game = at.in_a_scene(initiative_basis=dial)
    game.fight(
        (game.ann, game.bea, "passionate", "A", 9, 1),
        (game.bea, game.ann, "passionate", "A", 7, 2),
        (game.dan, game.ann, "passionate", "A", 3, 1),
    )
    game.attack(game.ann)
    game.defend(("intensity", 10))
    game.resolve()
    game.does(Pass(game.ids[first]))


def test_a_tie_of_standing_dice_needs_its_own_decision():
    """intensity.order.full-tie under standing_dice: names not all ranked by one decision are tied anew."""
    game = at.in_a_scene(initiative_basis="standing_dice")
    game.fight(
        (game.ann, game.bea, "calm", "A", 6, 6),
        (game.bea, game.ann, "calm", "A", 4, 2),
        (game.cleo, game.ann, "calm", "A", 2, 1),
        (game.dan, game.ann, "calm", "A", 2, 1),
    )
    game.attack(game.ann)
    game.defend(("intensity", 6))
    game.resolve()  # Bea stands at (2, 0): now Cleo and Dan, both (2, 1), are in front
    game.does(SettleTie((game.dan, game.cleo)))
    game.does(Pass(game.dan))
    game.does(Pass(game.cleo))
    game.does(Pass(game.bea))


def test_passing_keeps_the_dice():
    """intensity.order.pass: free to defend with, as after acting."""
    game = at.rolled()
    game.does(Pass(game.ann))
    game.attack(game.bea)
    verdict = game.defend(("intensity", 1), ("trait", 1))
    assert not of_kind(verdict, ActionForfeited)
    assert steps(verdict, "intensity.defence.after-acting") == ["passed"]


# --- attack and defence -------------------------------------------------------------------------------------------


def test_the_best_standing_die_attacks():
    """intensity.action.attack: the attacker does not choose; the turn is spent."""
    game = at.rolled()
    (opened,) = facts_of(game.does(Attack(game.ann)))
    assert (opened.attacker, opened.defender, opened.standing) == (game.ann, game.bea, (9, 2))
    assert game.round.participants[game.ann].turn == "acted"


def test_naming_the_declared_target_is_no_new_one():
    game = at.rolled()
    game.does(Attack(game.ann, game.bea))


@pytest.mark.parametrize(
    ("dice", "value", "success"),
    [((), 0, True), ((8,), 8, True), ((9,), 9, False), ((10,), 10, False), ((3, 9), 9, False), ((8, 8), 8, True)],
)
def test_equality_fails(dice, value, success):
    """intensity.action.success: 9 against the best defence face, 0 when the dice stand."""
    game = at.attacked()
    game.defend(*zip(("intensity", "trait"), dice, strict=False))
    resolved = game.resolve()
    assert (resolved.attack_value, resolved.defence_value, resolved.success) == (9, value, success)
    assert resolved.rating == (19 if success else None)
    assert (game.round.attack is None) == (not success)


def test_standing_faces_never_defend():
    """intensity.defence.let-stand: Sarah's 9 on the table does not stop a 5."""
    game = at.in_a_scene()
    game.fight((game.bea, game.ann, "calm", "A", 5, 4), (game.ann, None, "calm", "A", 6, 9))
    game.attack(game.bea)
    assert facts_of(game.defend()) == [
        DefenceChosen(attack=game.round.attack.id, picked_up=(), rerolled=(), let_stand=True)
    ]
    assert game.resolve().success


def test_a_die_picked_up_is_lost_to_offence():
    """intensity.defence.pick-up, intensity.action.attack"""
    game = at.attacked()
    game.defend(("intensity", 10))
    game.resolve()
    (opened,) = facts_of(game.does(Attack(game.bea)))
    assert opened.standing == (5,)


def test_both_dice_forfeit_the_action():
    """intensity.defence.forfeit"""
    game = at.attacked()
    attack = game.round.attack.id
    verdict = game.defend(("trait", 1), ("intensity", 10))
    assert facts_of(verdict) == [
        DefenceChosen(attack=attack, picked_up=("trait", "intensity"), rerolled=(), let_stand=False),
        DefenceRolled(attack, (RolledDefence("trait", 10, 1), RolledDefence("intensity", 10, 10))),
        ActionForfeited(game.round.id, game.bea, attack),
    ]
    game.resolve()
    assert game.refuses(Attack(game.bea)) == "not-your-turn"


def test_the_second_die_forfeits_too():
    """One die against the first attack, the other against the second: nothing stands any more."""
    game = at.in_a_scene()
    game.fight(
        (game.ann, game.dan, "calm", "A", 6, 9),
        (game.bea, game.dan, "calm", "A", 6, 8),
        (game.dan, game.ann, "calm", "A", 4, 3),
    )
    game.attack(game.ann)
    assert not of_kind(game.defend(("intensity", 1)), ActionForfeited)
    game.resolve()
    game.does(Waive())
    game.attack(game.bea)
    verdict = game.defend(("trait", 6), ("intensity", 5))
    assert of_kind(verdict, DefenceChosen)[0].picked_up == ("trait",)
    assert of_kind(verdict, DefenceChosen)[0].rerolled == ("intensity",)
    assert of_kind(verdict, ActionForfeited)


@pytest.mark.parametrize(("dial", "value"), [("fresh_roll", 0), ("keep_or_reroll", 10)])
def test_an_old_defence_face(dial, value):
    """intensity.defence.reroll: Dan rolled 10 against Ann, then lets stand against Bea."""
    game = at.in_a_scene(defence_carryover=dial)
    game.fight(
        (game.ann, game.dan, "passionate", "A", 9, 1),
        (game.bea, game.dan, "passionate", "A", 4, 1),
        (game.dan, None, "passionate", "A", 2, 2),
    )
    game.attack(game.ann)
    game.defend(("intensity", 10))
    game.resolve()
    game.attack(game.bea)
    game.defend()
    assert game.resolve().defence_value == value


@pytest.mark.parametrize(("dial", "value"), [("fresh_roll", 2), ("keep_or_reroll", 10)])
def test_an_old_face_beside_a_new_one(dial, value):
    """keep_or_reroll: every die that is not rolled again keeps its face."""
    game = at.in_a_scene(defence_carryover=dial)
    game.fight(
        (game.ann, game.dan, "passionate", "A", 9, 1),
        (game.bea, game.dan, "passionate", "A", 4, 1),
        (game.dan, None, "passionate", "A", 2, 2),
    )
    game.attack(game.ann)
    game.defend(("intensity", 10))
    game.resolve()
    game.attack(game.bea)
    game.defend(("trait", 2))
    assert game.resolve().defence_value == value


def test_a_kept_face_carries_points():
    """intensity.ap.defence4 under keep_or_reroll: a kept die suffices, also to be rerolled."""
    game = at.in_a_scene(defence_carryover="keep_or_reroll")
    game.gives(game.dan, game.bea, 4)
    game.fight(
        (game.ann, game.dan, "passionate", "A", 9, 1),
        (game.bea, game.dan, "passionate", "A", 8, 1),
        (game.dan, None, "passionate", "A", 2, 2),
    )
    game.attack(game.ann)
    game.defend(("intensity", 9))
    game.resolve()
    game.attack(game.bea)
    game.defend()
    game.does(SpendAdvantage(game.dan, "reroll", "intensity"), 1)
    game.does(SpendAdvantage(game.dan, "defence4"))
    assert game.resolve().defence_value == 5


def test_adding_a_die_after_seeing_the_first():
    """intensity.defence.commit, after_seeing: dice not yet rolled against this attack may be added."""
    game = at.defended(defence_second_pick="after_seeing")
    verdict = game.defend(("trait", 9))
    assert of_kind(verdict, ActionForfeited)
    assert game.refuses(Defend((DefenceDie("trait", 1),))) == "already-responded"
    assert game.resolve().defence_value == 9


def test_defence_dice_are_asked_for_at_the_size_rolled():
    """intensity.impact.immediate, locked_for_round (Example 3: both of his D8)."""
    game = at.in_a_scene()
    fatal = game.holds(game.cleo, game.bea)
    game.fight((game.ann, game.bea, "calm", "A", 6, 9), (game.bea, None, "invested", "B", 1, 1))
    game.does(UseFatal((FatalUse(fatal, "cut", "wound"),)))
    game.attack(game.ann)
    assert game.asks(Defend((DefenceDie("trait"),))).sides == 8


def test_defence_dice_shrink_where_impacts_reach_the_table():
    """intensity.impact.immediate, immediate: the trait die has its new size, the intensity die never changes."""
    game = at.in_a_scene(impact_on_dice_in_play="immediate")
    fatal = game.holds(game.cleo, game.bea)
    game.fight((game.ann, game.bea, "calm", "A", 6, 9), (game.bea, None, "invested", "B", 1, 8))
    game.does(UseFatal((FatalUse(fatal, "cut", "wound"),)))
    game.attack(game.ann)
    assert game.refuses(Defend((DefenceDie("trait", 7),))) == "face-range"
    verdict = game.does(Defend((DefenceDie("trait"), DefenceDie("intensity"))), 6, 8)
    assert of_kind(verdict, DefenceRolled)[0].faces == (
        RolledDefence("trait", 6, 6),
        RolledDefence("intensity", 8, 8),
    )
    assert game.round.participants[game.bea].dice["trait"].size == 8  # as rolled at the start


@pytest.mark.parametrize("dial", ["lapse", "retarget"])
def test_with_a_character_go_its_action_and_its_attack(dial):
    """intensity.action.target-gone: no impact from an attack by or on who goes out."""
    game = at.in_a_scene(retarget_when_target_gone=dial)
    fatal = game.holds(game.cleo, game.bea)
    game.fight(
        (game.ann, game.bea, "passionate", "A", 9, 2),
        (game.bea, game.ann, "passionate", "A", 7, 5),
        (game.dan, game.bea, "passionate", "A", 3, 1),
    )
    game.attack(game.ann)
    verdict = game.does(UseFatal((FatalUse(fatal, "falls asleep", out="scene"),)))
    lapsed = [game.bea, game.dan] if dial == "lapse" else [game.bea]
    assert [one.char for one in of_kind(verdict, ActionLapsed)] == lapsed
    assert len(of_kind(verdict, AttackLapsed)) == 1
    assert game.round.attack is None
    if dial == "retarget":
        verdict = game.does(Attack(game.dan, game.ann))
        assert [(one.a, one.b) for one in of_kind(verdict, ConflictLinked)] == [(game.ann, game.dan)]
        assert game.round.participants[game.dan].target == game.ann
        return
    game.does(CloseRound())


def test_an_action_without_target_may_be_passed():
    game = at.in_a_scene(retarget_when_target_gone="retarget")
    fatal = game.holds(game.cleo, game.dan)
    game.fight((game.ann, game.dan, "calm", "A", 6, 5), (game.dan, None, "calm", "A", 1, 1))
    game.does(UseFatal((FatalUse(fatal, "asleep", out="scene"),)))
    game.does(Pass(game.ann))
    game.does(CloseRound())


def test_a_struck_forfeit_gives_the_action_back():
    """Section 7: the defence overturned, Bea's action is pending again and both her dice stand."""
    game = at.attacked()
    number = game.number
    game.defend(("intensity", 1), ("trait", 1))
    after = game.had(scene(game.scene_id), number).round
    assert after.participants[game.bea].turn == "pending"
    assert not any(die.picked_up for die in after.participants[game.bea].dice.values())
    assert not after.attack.answered


def test_a_roll_off_needs_the_roll_that_made_the_tie():
    """With that roll overturned, the dice to roll again are unknown."""
    game = at.in_a_scene(full_tie="roll_off")
    game.open(game.ann, game.bea)
    game.says(game.ann, game.bea)
    game.says(game.bea, game.ann)
    first = game.number
    game.does(RollDice((Faces(game.ann, 5, 4),)))
    game.does(RollDice((Faces(game.bea, 5, 4),)))
    settled = game.number
    game.does(SettleTie(), 3, 3, 2, 2)
    then = {row.number: row.then for row in game.without(first).rows}[settled]
    assert isinstance(then, Refused) and then.code == "roll-dice"


def test_the_open_attack_shows_what_it_comes_to():
    """Before points are spent: both values, the rating if it succeeds, and what that allows."""
    game = at.attacked()
    shown = game.view(scene(game.scene_id))["round"]["attack"]
    assert (shown["attack_value"], shown["defence_value"]) == (9, None)
    assert (shown["rating"], shown["allowed"]) == (19, ["tax", "advantage", "damage", "wound"])
    game.defend(("intensity", 4))
    game.does(SpendAdvantage(game.ann, "attack4"))
    game.does(SpendAdvantage(game.bea, "defence4"))
    shown = game.view(scene(game.scene_id))["round"]["attack"]
    assert (shown["attack_value"], shown["defence_value"], shown["rating"]) == (13, 8, 23)
    assert "fatal" in shown["allowed"]
    (resolved,) = of_kind(game.does(Resolve()), AttackResolved)
    assert (resolved.attack_value, resolved.defence_value, resolved.rating) == (13, 8, 23)


def test_old_defence_dice_show_in_the_value_where_they_count():
    game = at.in_a_scene(defence_carryover="keep_or_reroll")
    game.fight(
        (game.ann, game.bea, "calm", "A", 6, 5),
        (game.cleo, game.bea, "calm", "A", 4, 3),
        (game.bea, game.ann, "calm", "A", 1, 1),
    )
    game.attack(game.ann)
    game.defend(("trait", 6))
    game.does(Resolve())
    game.attack(game.cleo)
    game.defend()
    assert game.view(scene(game.scene_id))["round"]["attack"]["defence_value"] == 6


def test_advantage_points_are_spent_with_words():
    game = at.attacked()
    spends = SpendAdvantage(game.ann, "maximum", text="I know where it hurts.")
    game.does(spends)
    assert Wording(RULESET).word_input(spends).endswith(": “I know where it hurts.”")
