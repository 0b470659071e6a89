"""3.4, 3.5: Defaults, Engagement, the Decision Phase."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import Retire
from ledger.rules.kernel.questions import Ask, Roll
from ledger.rules.kernel.subjects import scene
from ledger.rules.scattershot.conditions import PlaceResidual, SetOffGuard
from ledger.rules.scattershot.declaring import ActionDeclared, DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose, ResistorAnswered, StayPassive
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.ratings import ApplyModifier, Default, Modifier
from ledger.rules.scattershot.reactions import ExtraDie, OffGuardReactionRolled, ReactOffGuard
from ledger.rules.scattershot.rolls import CloseOpportunity, OpportunityClosed, ReplaceRoll, RollMib
from ledger.rules.scattershot.scene import find_resultant
from ledger.rules.scattershot.totals import CloseDecision, DecisionClosed
from tests.rules.scattershot.game import Game


def state(game: Game, id: str):
    return game.state(scene(game.scene_id)).resolutions[id]


# --- Defaults --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("default", "dials", "rating"),
    [
        (Default("Strategy", "Tactics", -2, None, "mob"), {}, 11),
        (Default("Strategy", "Tactics", -2, None, "mob"), {"default_scope_penalty": "per-level"}, 10),
        (Default("Strategy", "Tactics", -2, None, "squad"), {"default_scope_penalty": "per-level"}, 11),
        (Default("Strategy", "Tactics", -2, None, "mob", "mob"), {}, 12),
        (Default("Strategy", "Tactics", -6, "intermediate", "mob"), {}, 10),
        (Default("Strategy", "Tactics", -6, "intermediate", "mob"), {"default_choice": "related-only"}, 7),
        (Default("Rowing", difficulty="Nigh Impossible"), {}, 5),
        (Default("Magic", difficulty="easy", special=True, allowed=True), {}, 11),
        (Default("Magic", difficulty="easy", special=True), {"default_special_abilities": True}, 11),
    ],
)
def test_defaults(default, dials, rating):
    game = Game(**dials)
    declared = game.only(game.does(DeclareAction(game.bob, "try", default=default)), ActionDeclared)
    assert (declared.rating, declared.ability) == (rating, default.ability)


@pytest.mark.parametrize(
    ("default", "code"),
    [
        (Default("Cooking", difficulty="easy"), "default-barred"),
        (Default("Magic", difficulty="easy", special=True), "no-default-for-special-ability"),
        (Default("Rowing", difficulty="simple"), "unknown-difficulty"),
        (Default("Rowing"), "unknown-difficulty"),
        (Default("Rowing", "Sailing"), "unknown-statistic"),
        (Default("Rowing", "agility", "x"), "bad-number"),
        (Default("Rowing", "agility", 0, None, "huge"), "bad-number"),
    ],
)
def test_defaults_that_are_refused(default, code):
    game = Game()
    assert game.refuses(DeclareAction(game.ann, "try", default=default)) == code


# --- declaring and engaging ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("do", "by", "code"),
    [
        (DeclareAction("1", "run"), "bob", "not-proprietor"),
        (DeclareAction("99", "run"), "ann", "unknown-character"),
        (DeclareAction("1", "run", "Riding"), "ann", "unknown-statistic"),
        (DeclareAction("1", "run", magnitude="luck"), "ann", "unknown-statistic"),
        (DeclareAction("1", "run", modifiers=(Modifier("2"),)), "ann", "bad-number"),
        (DeclareAction("1", "run", advantages=("Wings",)), "ann", "no-such-expectation"),
        (DeclareAction("1", "run", residuals=("7",)), "ann", "bad-number"),
        (DeclareAction("1", "run", engages=("1",)), "ann", "not-in-this-scene"),
    ],
)
def test_declarations_that_are_refused(do, by, code):
    assert Game().refuses(do, by=by) == code


def test_a_regular_character_played_by_somebody_else():
    game = Game()
    id = game.act(game.ogre, player="ann")
    game.does(CloseOpportunity(id))
    assert game.refuses(RollMib(id), by="bob") == "not-proprietor"
    game.does(RollMib(id), (5, 5), by="ann")
    die = game.does(ContributeDie(id, "loaner", 3, -1), by="bob").facts[0].fact
    assert die.against == "ann"
    assert game.refuses(DeclareAction(game.ogre, "run", player="o")) == "not-at-the-table"


def test_who_left_play_does_not_act():
    game = Game()
    game.does(Retire(game.ann, "enough"), by="ann")
    assert game.refuses(DeclareAction(game.ann, "run")) == "not-in-this-scene"
    assert game.refuses(DeclareAction(game.bob, "run", engages=(game.ann,))) == "not-in-this-scene"


def test_nothing_resolves_outside_a_scene():
    assert Game(scene=False).refuses(DeclareAction("1", "run"), by="ann") == "not-in-this-scene"


def test_every_modifier_is_summed():
    game = Game()
    game.does(PlaceResidual(game.ann, -1, "uphill", "a ruling"))
    residual = game.character(game.ann).residuals[0].residual
    id = game.act(game.ann, advantages=("Dexterity",), residuals=(residual,), modifiers=(Modifier(-2, "dark"),))
    game.does(ApplyModifier(id, 4, "a rope"))
    assert game.refuses(ApplyModifier(id, 4, side="7")) == "no-such-roll"
    closed = game.only(game.does(CloseOpportunity(id)), OpportunityClosed)
    assert closed.modified_rating == 12 + 1 - 1 - 2 + 4
    assert game.refuses(ApplyModifier(id, 4)) == "wrong-phase"
    assert game.refuses(CloseOpportunity(id)) == "wrong-phase"


def test_the_players_of_the_engaged_are_asked():
    game = Game()
    id = game.act(game.ann, engages=(game.bob,))
    assert state(game, id).subject == game.bob
    assert game.refuses(CloseOpportunity(id)) == "resistor-has-not-answered"
    assert game.refuses(AnswerEngagement(id, game.bob, passive=True), by="ann") == "not-proprietor"
    assert game.refuses(AnswerEngagement(id, game.cid, passive=True)) == "not-engaged-on-anothers-turn"
    question = game.asks(AnswerEngagement(id, game.bob), by="ann")
    assert isinstance(question, Ask) and question.seat == "bob"
    answered = game.does(AnswerEngagement(id, game.bob), Oppose("dodge", "Brawl"), by="ann")
    assert game.only(answered, ResistorAnswered).rating == 14
    assert game.refuses(AnswerEngagement(id, game.bob, passive=True)) == "wrong-phase"


def test_a_passive_resistor_does_not_roll():
    game = Game()
    id = game.act(game.ann, engages=(game.bob,))
    game.does(AnswerEngagement(id, game.bob), StayPassive())
    game.does(CloseOpportunity(id))
    assert game.refuses(RollMib(id, game.bob, (5, 5))) == "no-such-roll"
    assert game.refuses(ContributeDie(id, "loaner", 3, 1, game.bob), by="cid") == "no-such-roll"
    game.does(RollMib(id, "actor", (5, 5)))
    assert game.only(game.does(CloseDecision(id)), DecisionClosed).rmib == {}


# --- Off-Guard -------------------------------------------------------------------------------------------------------


def unaware(game: Game) -> str:
    game.does(SetOffGuard(game.bob, all_but=game.cid))
    return game.act(game.ann, engages=(game.bob,))


def test_who_is_off_guard_is_not_engaged():
    game = Game()
    id = unaware(game)
    assert game.refuses(AnswerEngagement(id, game.bob, Oppose("dodge", "agility"))) == "off-guard"
    looking = DeclareAction(game.bob, "look", "observation", game.ann)
    assert game.refuses(looking) == "off-guard"
    assert game.does(DeclareAction(game.bob, "look", "observation", game.cid)).facts
    assert game.does(CloseOpportunity(id)).facts


def test_a_reaction_obliges():
    game = Game()
    id = unaware(game)
    assert isinstance(game.asks(ReactOffGuard(id, game.bob)), Roll)
    reacted = game.does(ReactOffGuard(id, game.bob), (4, 4), by="bob")
    done = game.only(reacted, OffGuardReactionRolled)
    assert (done.mib, done.engaged) == (0, True)
    assert game.refuses(CloseOpportunity(id)) == "resistor-has-not-answered"
    assert game.refuses(AnswerEngagement(id, game.bob, passive=True)) == "resistor-has-not-answered"
    assert game.does(DeclareAction(game.bob, "look", "observation", game.ann)).facts
    game.does(AnswerEngagement(id, game.bob, Oppose("dodge", "agility")))
    assert game.refuses(ReactOffGuard(id, game.bob, (5, 5))) == "wrong-phase"


def test_dice_into_a_reaction():
    game = Game()
    game.dice("bob", 2)
    id = unaware(game)
    dice = (ExtraDie(3), ExtraDie(2, -1))
    done = game.only(game.does(ReactOffGuard(id, game.bob, (5, 5), (Modifier(1),), dice)), OffGuardReactionRolled)
    assert (done.mib, done.experience) == (10 + 1 - 2 - 10 + 1, (3, -2))
    assert game.xd("bob") == 1
    assert game.balance(f"seat:bob/spent:{id}") == 2


@pytest.mark.parametrize(
    ("do", "code"),
    [
        ({"faces": [0, 5]}, "bad-d10"),
        ({"faces": [5]}, "bad-d10"),
        ({"experience": (ExtraDie(7),)}, "bad-d6"),
        ({"experience": (ExtraDie(6, 2),)}, "bad-number"),
        ({"experience": (ExtraDie(6),)}, "not-enough-dice"),
        ({"modifiers": (Modifier(None),)}, "bad-number"),
    ],
)
def test_reactions_that_are_refused(do, code):
    game = Game()
    assert game.refuses(ReactOffGuard(unaware(game), game.bob, **do)) == code


def test_the_gamemaster_has_no_dice_for_a_reaction():
    game = Game()
    game.does(SetOffGuard(game.ogre, (game.ann,)))
    id = game.act(game.ann, engages=(game.ogre,))
    assert game.refuses(ReactOffGuard(id, game.ogre, (5, 5), (), (ExtraDie(3),))) == "gm-holds-no-dice"


# --- the Decision Phase ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "code"), [([0, 5], "bad-d10"), ([11, 5], "bad-d10"), ([5], "bad-d10"), (["5", 5], "bad-d10")]
)
def test_faces_that_are_refused(faces, code):
    game = Game()
    assert game.refuses(RollMib(game.decision(game.ann), "actor", faces)) == code


def test_typed_or_rolled():
    game = Game()
    id = game.decision(game.ann)
    assert game.refuses(CloseDecision(id)) == "dice-missing"
    assert game.refuses(RollMib(id), by="bob") == "not-proprietor"
    game.does(RollMib(id), (10, 10), by="ann")
    assert game.refuses(RollMib(id), by="ann") == "wrong-phase"
    assert game.only(game.does(CloseDecision(id)), DecisionClosed).basic_mibs == {"actor": 12 - 20}
    assert game.refuses(RollMib(id)) == "wrong-phase"
    assert game.refuses(CloseOpportunity("7")) == "wrong-phase"


def test_dice_in_place_of_the_roll():
    game = Game(preempt="replace")
    id = game.decision(game.ann)
    assert game.refuses(ReplaceRoll(id)) == "cannot-replace-the-roll"
    game.does(ContributeDie(id, "loaner", 5, player="bob"))
    game.does(ReplaceRoll(id))
    game.does(ContributeDie(id, "loaner", 2, -1, player="cid"))
    assert game.only(game.does(CloseDecision(id)), DecisionClosed).basic_mibs == {"actor": 3}
    other = Game()
    id = other.decision(other.ann)
    other.does(ContributeDie(id, "loaner", 5, player="bob"))
    assert other.refuses(ReplaceRoll(id)) == "cannot-replace-the-roll"


@pytest.mark.parametrize(("actor", "resistor", "rmib"), [(5, -4, 5), (5, 3, 2), (5, 0, 5), (-3, 4, -7), (-3, -1, -3)])
def test_the_resultant(actor, resistor, rmib):
    assert find_resultant(actor, resistor) == rmib


def test_several_resistors():
    game = Game()
    id = game.decision(game.ann, oppose={game.bob: "agility", game.cid: "agility"})
    assert game.refuses(ContributeDie(id, "loaner", 3, player="ann")) == "no-such-roll"
    assert game.refuses(ContributeDie(id, "loaner", 3, against="7", player="ann")) == "no-such-roll"
    die = game.does(ContributeDie(id, "loaner", 3, against=game.cid, player="ann")).facts[0].fact
    assert die.against == "cid"
    for side in ("actor", game.bob, game.cid):
        game.does(RollMib(id, side, (3, 5)))
    closed = game.only(game.does(CloseDecision(id)), DecisionClosed)
    assert closed.rmib == {game.bob: 5, game.cid: 5}
    assert game.saved("cid", "ann") == 1
