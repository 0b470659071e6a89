"""Levels of Intensity, Traits, and Actions up to the roll."""

from __future__ import annotations

import pytest

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.attacks import Attack, Waive
from ledger.rules.intensity.defence import ActionForfeited
from ledger.rules.intensity.fatals import UseFatal
from ledger.rules.intensity.impact import step_down
from ledger.rules.intensity.levels_and_traits import CharacterCreated, IntensityRaised, Raise, Sheet, TraitLine
from ledger.rules.intensity.opponents import ConflictLinked
from ledger.rules.intensity.out_of_play import FatalUse, RoundLeft
from ledger.rules.intensity.rolling import DiceRolled, RollDice, RolledDie
from ledger.rules.intensity.rounds import (
    AbandonRound,
    AmendDeclaration,
    CloseRound,
    DeclarationAmended,
    Declare,
    JoinRound,
    OpenRound,
    RoundAbandoned,
    RoundJoined,
)
from ledger.rules.intensity.state import INTENSITY, Restated, Trait
from ledger.rules.intensity.turns import OrderEstablished, Pass
from ledger.rules.kernel.commands import Amend, Enrol
from ledger.rules.kernel.subjects import character, scene
from projections.wording import Wording
from tests.rules.intensity import situations as at
from tests.rules.intensity.game import MAIN, MINOR, facts_of, of_kind, steps


@pytest.mark.parametrize(("level", "die"), [("calm", 6), ("invested", 8), ("passionate", 10), ("fanatical", 12)])
def test_level_dice(level, die):
    """intensity.level.dice"""
    game = at.opened()
    verdict = game.does(Declare(game.ann, level, game.bea, "A"))
    assert steps(verdict, "intensity.level.dice") == [die]
    game.says(game.bea)
    game.says(game.dan)
    (rolled,) = of_kind(game.rolls((game.ann, die, 1)), DiceRolled)
    assert rolled.intensity == RolledDie(die, die)


@pytest.mark.parametrize("sheet", [MAIN, MINOR, Sheet("main", tuple(reversed(MAIN.traits)))])
def test_a_character_is_created(sheet):
    """intensity.trait.slots: main D10, D8, D8; minor D6, D6; in any order."""
    game = at.before_any_scene()
    id = str(game.number)
    verdict = game.declare(Enrol("Fay", "p", sheet))
    traits = tuple(Trait(line.name, line.base) for line in sheet.traits)
    assert of_kind(verdict, CharacterCreated) == [CharacterCreated(id, sheet.kind, traits, "p")]
    assert verdict.facts[-1].subject == character(id)
    assert game.character(id).kind == sheet.kind
    assert game.sizes(id) == [line.base for line in sheet.traits]


def test_levels_rise_in_answer_to_others():
    """intensity.level.raise-only: any number of times, any number of steps; later declarations count too."""
    game = at.opened()
    game.says(game.ann, game.bea, "calm")
    game.says(game.bea, game.ann, "calm")
    assert facts_of(game.does(Raise(game.ann, "invested"))) == [
        IntensityRaised(round=game.round.id, char=game.ann, from_level="calm", to_level="invested")
    ]
    game.does(Raise(game.ann, "fanatical"))
    assert game.round.participants[game.ann].level == "fanatical"


def test_levels_rise_freely_where_the_table_has_it_so():
    """intensity_raise_gate = free"""
    game = at.opened(intensity_raise_gate="free")
    game.says(game.ann, game.bea, "calm")
    game.does(Raise(game.ann, "passionate"))
    assert game.round.participants[game.ann].level == "passionate"


@pytest.mark.parametrize(("dial", "lower"), [("round", "calm"), ("scene_ratchet", "passionate")])
def test_how_long_a_level_binds(dial, lower):
    """intensity.level.scope: a raised level is the last one declared."""
    game = at.declared(intensity_scope=dial)
    game.does(AbandonRound())
    game.open(game.ann, game.bea)
    game.does(Declare(game.ann, lower, game.bea, "A"))
    assert game.now.levels[game.ann] == lower


def test_a_new_scene_forgets_levels():
    """intensity.level.scope: the ratchet holds for the scene."""
    game = at.declared(intensity_scope="scene_ratchet")
    game.does(AbandonRound())
    game.close_scene()
    game.scene_id = game.open_scene()
    game.open(game.ann, game.bea)
    game.does(Declare(game.ann, "calm", game.bea, "A"))


def test_two_dice_at_their_sizes_now():
    """intensity.trait.one, intensity.round.roll: one intensity die, one trait die at its current size."""
    game = at.hurt()
    game.scene_id = game.open_scene()
    assert game.sizes(game.bea) == [6, 4, 6]  # damage and wound on A; tax and wound on B; wound on C
    game.fight((game.bea, game.ann, "calm", "B", 1, 4), (game.ann, None, "calm", "A", 1, 10))
    assert game.round.participants[game.bea].dice["trait"].size == 4


def test_a_smaller_trait_die_says_why():
    """intensity.step.stack, intensity.step.ladder: B stands at D8 on the sheet; a tax and a wound weigh on it."""
    game = at.hurt()
    game.scene_id = game.open_scene()
    game.open(game.bea, game.ann)
    game.says(game.bea, game.ann, "calm", "B")
    game.says(game.ann)
    verdict = game.rolls((game.bea, 1, 4), (game.ann, 1, 10))
    assert steps(verdict, "intensity.step.stack") == [2]  # nothing weighs on Ann, so nothing is said of her die
    assert steps(verdict, "intensity.step.ladder") == [4]


@pytest.mark.parametrize("dial", ["intensity_only", "cannot_act"])
def test_without_a_usable_trait(dial):
    """intensity.trait.none-left: the intensity die alone, with an action or without."""
    game = at.worn_out(no_usable_trait=dial)
    game.open(game.ann, game.dan)
    game.does(Declare(game.dan, "calm", game.ann if dial == "intensity_only" else None))
    game.says(game.ann, game.dan)
    verdict = game.rolls((game.ann, 5, 1), (game.dan, 6))
    assert of_kind(verdict, DiceRolled)[1].trait is None
    assert steps(verdict, "intensity.order.key") == [[6, 0], [5, 1]]
    if dial == "cannot_act":
        game.does(Attack(game.ann))
        assert game.round.participants[game.dan].turn == "none"
        return
    game.does(Pass(game.dan))


def test_one_die_is_all_there_is_to_forfeit():
    """intensity.trait.none-left: picking up the lone die forfeits a pending action."""
    game = at.worn_out()
    game.fight((game.ann, game.dan, "passionate", "A", 9, 1), (game.dan, game.ann, "calm", None, 6))
    game.attack(game.ann)
    assert of_kind(game.defend(("intensity", 1)), ActionForfeited)


def test_a_participant_may_act_against_nobody():
    """intensity.round.declare [gap]: no action, but dice to defend with."""
    game = at.rolled()
    assert game.round.participants[game.dan].turn == "none"
    assert len(game.round.participants[game.dan].dice) == 2


def test_restating_touches_only_what_is_named():
    """intensity.round.amend: overturn the one, and the other still stands."""
    game = at.declared()
    first = game.number
    game.does(AmendDeclaration(game.ann, game.dan))
    verdict = game.does(AmendDeclaration(game.ann, trait="B"))
    assert facts_of(verdict) == [DeclarationAmended(game.round.id, game.ann, Restated("", "A"), Restated("", "B"))]
    one = game.round.participants[game.ann]
    assert (one.target, one.trait, one.level) == (game.dan, "B", "passionate")
    struck = game.had(scene(game.scene_id), first).round.participants[game.ann]
    assert (struck.target, struck.trait) == (game.bea, "B")


def test_who_turns_on_somebody_else_says_what_for():
    """Without words of its own the intent of before stands; words alone may be restated, too."""
    game = at.in_a_scene()
    game.open(game.ann, game.bea, game.dan)
    game.does(Declare(game.ann, "calm", game.bea, "A", "to get past her"))
    game.does(AmendDeclaration(game.ann, target=game.dan))
    assert game.round.participants[game.ann].text == "to get past her"
    (done,) = facts_of(game.does(AmendDeclaration(game.ann, target=game.bea, text="to hold him")))
    assert (done.before.text, done.after.text) == ("to get past her", "to hold him")
    game.does(AmendDeclaration(game.ann, text="to hold her"))
    shown = game.view(scene(game.scene_id))["round"]["participants"][0]
    assert (shown["text"], shown["target"], shown["trait"]) == ("to hold her", game.bea, "A")
    assert game.refuses(AmendDeclaration(game.ann, text="")) == "amend-what"


def test_a_target_can_be_taken_back():
    """intensity.round.amend: null is no target."""
    game = at.declared()
    game.does(AmendDeclaration(game.ann, None))
    assert game.round.participants[game.ann].target is None
    game.does(AmendDeclaration(game.ann, game.bea, "C"))
    assert game.round.participants[game.ann].target == game.bea


def test_an_abandoned_round_leaves_no_link():
    """intensity.round.abandon: dice already on the table go back."""
    game = at.half_rolled()
    assert game.balance(f"scene:{game.scene_id}/die:standing-{game.ann}") == 2
    round = game.round.id
    assert facts_of(game.does(AbandonRound())) == [RoundAbandoned(round)]
    assert game.round is None
    assert game.view(game.table().subjects("campaign")[0])["in_conflict"] == []
    assert not [account for account in game.balances() if "/die:" in account]


def test_dice_can_be_entered_one_by_one():
    """intensity.round.roll: order comes with the last."""
    game = at.declared()
    for char, faces in ((game.bea, (7, 5)), (game.dan, (3, 1))):
        assert not of_kind(game.rolls((char, *faces)), OrderEstablished)
        assert game.refuses(Raise(game.ann, "fanatical")) == "wrong-stage"
    verdict = game.rolls((game.ann, 9, 2))
    assert of_kind(verdict, OrderEstablished)[0].groups == ((game.ann,), (game.bea,), (game.dan,))
    assert of_kind(verdict, ConflictLinked) == [ConflictLinked(game.ann, game.bea, game.round.id)]


def test_dice_are_asked_for_when_they_are_not_typed():
    """intensity.round.roll: one question for each die, the participants in the round's order."""
    game = at.declared()
    question = game.asks(RollDice(participants=(game.dan, game.ann)))
    assert (question.who, question.count, question.sides) == (character(game.ann), 1, 10)
    verdict = game.does(RollDice(participants=(game.dan, game.ann)), 10, 9, 1, 2)
    assert [(one.char, one.intensity.face, one.trait.face) for one in of_kind(verdict, DiceRolled)] == [
        (game.ann, 10, 9),
        (game.dan, 1, 2),
    ]
    assert of_kind(game.does(RollDice(), 7, 5), OrderEstablished)


def test_closing_puts_all_dice_away():
    """intensity.round.close"""
    game = at.defended()
    game.resolve()
    game.does(Waive())
    game.attack(game.bea)
    game.defend(("trait", 10), ("intensity", 10))
    game.resolve()
    verdict = game.does(CloseRound())
    assert sorted(posting.amount for posting in verdict.facts[0].postings) == [1, 1, 2, 2]
    assert not [account for account in game.balances() if "/die:" in account]
    game.open(game.ann, game.bea)


def test_a_participant_taken_out_before_the_roll_leaves():
    """intensity.action.target-gone: nobody's target any more; the others go on."""
    game = at.in_a_scene()
    fatal = game.holds(game.cleo, game.bea)
    game.open(game.ann, game.bea, game.dan)
    game.says(game.ann, game.bea)
    game.says(game.bea, game.ann)
    game.says(game.dan, game.ann)
    verdict = game.does(UseFatal((FatalUse(fatal, "asleep", out="scene"),)))
    assert of_kind(verdict, RoundLeft) == [RoundLeft(game.round.id, game.bea)]
    assert list(game.round.participants) == [game.ann, game.dan]
    assert game.round.participants[game.ann].target is None
    game.does(AmendDeclaration(game.ann, game.dan))
    game.rolls((game.ann, 9, 2), (game.dan, 1, 1))


def test_who_leaves_may_complete_the_roll():
    """intensity.action.target-gone: everybody else had rolled already, so the order is there."""
    game = at.in_a_scene()
    fatal = game.holds(game.cleo, game.bea)
    game.open(game.ann, game.bea, game.dan)
    game.says(game.ann, game.bea)
    game.says(game.bea, game.ann)
    game.says(game.dan, game.ann)
    game.rolls((game.ann, 9, 2), (game.dan, 3, 1))
    verdict = game.does(UseFatal((FatalUse(fatal, "asleep", out="scene"),)))
    assert of_kind(verdict, OrderEstablished)[0].groups == ((game.ann,), (game.dan,))
    assert [(one.a, one.b) for one in of_kind(verdict, ConflictLinked)] == [(game.ann, game.dan)]
    assert game.round.participants[game.ann].turn == "none"
    game.does(Attack(game.dan))


def test_who_leaves_takes_the_dice_along():
    game = at.in_a_scene()
    fatal = game.holds(game.cleo, game.bea)
    game.open(game.ann, game.bea, game.dan)
    game.says(game.ann, game.bea)
    game.says(game.bea, game.ann)
    game.says(game.dan, game.ann)
    game.rolls((game.bea, 9, 2))
    game.does(UseFatal((FatalUse(fatal, "asleep", out="permanent"),)))
    assert not [account for account in game.balances() if "/die:" in account]
    assert game.round.groups is None


@pytest.mark.parametrize(
    ("base", "sizes"), [(10, [10, 8, 6, 4, 0, 0]), (8, [8, 6, 4, 0, 0, 0]), (6, [6, 4, 0, 0, 0, 0])]
)
def test_the_ladder(base, sizes):
    """intensity.step.ladder"""
    assert [step_down(base, steps) for steps in range(6)] == sizes


@pytest.mark.parametrize(("dial", "sizes"), [("all", [4, 6, 6]), ("one_per_kind", [6, 6, 6])])
def test_what_stacks(dial, sizes):
    """intensity.step.stack: two damages on A and a wound."""
    game = at.in_a_scene(stacking=dial)
    for impact in ("damage", "damage", "wound"):
        game.duel(impact)
    game.open(game.bea, game.ann)
    game.says(game.bea, game.ann)
    game.says(game.ann)
    (rolled,) = of_kind(game.rolls((game.bea, 1, 1)), DiceRolled)
    assert rolled.trait.size == sizes[0]
    shown = game.view(character(game.bea))["traits"]
    assert [trait["size"] for trait in shown] == sizes


def test_impacts_beyond_the_floor_are_still_recorded():
    """intensity.step.stack"""
    game = at.worn_out()
    game.fight((game.ann, game.dan, "fanatical", "A", 12, 1), (game.dan, None, "calm", None, 1))
    game.hit(game.ann, "wound")
    assert game.sizes(game.dan) == [0, 0]
    assert game.balance(f"character:{game.dan}/impact") == 3


def test_only_who_is_named_takes_part():
    """intensity.round.open: the others neither roll nor can be attacked."""
    game = at.in_a_scene()
    fay = game.enrol("Fay", Sheet("minor", (TraitLine("A", 6), TraitLine("B", 6))))
    game.open(game.ann, fay)
    assert list(game.round.participants) == [game.ann, fay]
    assert game.refuses(Declare(game.ann, "calm", game.bea, "A")) == "target-not-in-round"


def test_the_levels_are_ordered():
    assert list(INTENSITY.values()) == sorted(INTENSITY.values())


def test_a_character_joins_before_the_roll():
    """intensity.round.join: what the others declared stays, and the level they cannot lower with it."""
    game = at.declared()
    verdict = game.does(JoinRound(game.cleo), by="p")
    assert facts_of(verdict) == [RoundJoined(game.round.id, game.cleo)]
    assert game.round.participants[game.ann].level == "passionate"
    assert game.refuses(RollDice()) == "undeclared"
    game.says(game.cleo, game.ann)
    game.rolls((game.ann, 9, 2), (game.bea, 7, 5), (game.dan, 3, 1), (game.cleo, 8, 1))
    assert game.round.groups == ((game.ann,), (game.cleo,), (game.bea,), (game.dan,))


def test_who_cannot_join():
    game = at.declared()
    assert game.refuses(JoinRound(game.ann)) == "already-in-round"
    assert game.refuses(JoinRound("99")) == "unknown-character"
    game.declare(Amend(f"character:{game.cleo}", "out", "scene", "asleep"))
    assert game.refuses(JoinRound(game.cleo)) == "character-out"
    assert at.half_rolled().refuses(JoinRound(game.ed)) == "wrong-stage"
    assert at.in_a_scene().refuses(JoinRound(game.ed)) == "no-round"
    assert at.after_a_scene().refuses(JoinRound(game.ed)) == "no-scene"


def test_a_round_says_what_it_is_about():
    game = at.in_a_scene()
    opens = OpenRound((game.ann, game.bea), "Both want the key.")
    game.does(opens)
    assert Wording(RULESET).word_input(opens).endswith(": “Both want the key.”")
