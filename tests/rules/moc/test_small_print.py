"""Small print: rules of one line, which no usual story would reach."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import CloseSession, Enrol, SetDial
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import CardPoints
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.damage import RollDamage
from ledger.rules.moc.deciding import ClaimSuccess, DetermineAction
from ledger.rules.moc.draft import Approve
from ledger.rules.moc.hands import DrawHand, DrawVillains
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.other_dice import PlayCardOnDamage
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import RollDice
from ledger.rules.moc.scenes import EndTurn
from ledger.rules.moc.stacks import SubPool
from ledger.rules.moc.trading import ForceVortex
from ledger.rules.moc.trumps import Trump
from tests.rules.moc.game import Game, buys, kinds_of, the


@pytest.fixture
def game():
    """A session and a scene with Harry, Rissh and Santana."""
    game = Game()
    game.session_begins()
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


def test_turns_are_counted(game):
    for turn in (1, 2, 3):
        assert game.view(game.table().scene, "ann")["turn"] == turn
        assert the(game.does(EndTurn()), "TurnEnded").turn == turn


def test_who_approves_is_told_what_happens_and_what_it_costs(game):
    """`moc.level.meaning`: the player also names the negative consequences, which a game master approves."""
    action = game.acts(game.hero)
    for consequence, purpose in (
        ("", "an action decided without dice: He leaps. (near)"),
        ("He limps.", "an action decided without dice: He leaps. (near) But: He limps."),
    ):
        told = DetermineAction(action, game.hero, "He leaps.", element="action", consequence=consequence)
        conversation, _ = game.begin(told, by="ann")
        assert conversation.question.purpose == purpose
    assert "ConsequenceTold" in kinds_of(game.does(told, Approve(), by="ann"))


def test_a_deck_in_the_tables_own_hands_stays_there(game):
    """A table that draws from its own deck once can still type all later cards."""
    game.does(DrawVillains(2, ("AS", "KS")))
    game.does(DrawHand(game.hero, ("8C", "9D"), ("8C", "9D")))
    game.does(DrawHand(game.enigma, ("2C", "3D"), ("2C", "3D")))
    game.does(DrawVillains(1, ("QS",)))


def test_between_sessions_no_card_is_out(game):
    game.does(DrawHand(game.hero, ("8C", "9D"), ("8C", "9D")))
    assert game.state(CAMPAIGN).out == ("8C", "9D")
    done = game.does(CloseSession(str(game.table().session)))
    assert game.state(CAMPAIGN).out == () and the(done, "HandDiscarded").cards == ("8C", "9D")


def test_only_who_bought_a_vortex_forces_one(game):
    game.does(DrawHand(game.hero, ("8C", "9D"), ("8C", "9D")))
    assert game.refuses(ForceVortex(game.enigma, game.hero)) == "vortex-not-available"


def test_a_card_after_the_damage_cites_all_its_points(game):
    """Raise dice score points that cannot be resisted. They are counted, too."""
    game.does(DrawHand(game.hero, ("8C", "9D"), ("8C", "9D")))
    hit = game.new(ScoreHit(game.hero, game.villain, None, 2, damage=3, lethality=5, location="torso"))
    game.does(RollDamage(hit, (5, 1, 1), raise_faces=(6,)))
    done = game.does(PlayCardOnDamage(hit, game.hero, "8C", (CardPoints(1, 4),)))
    assert [step.out for step in done.because if step.rule == "moc.combat.damage-roll"] == [3]


@pytest.mark.parametrize(("level", "most"), [("standard", 1), ("heroic", 3), ("superheroic", 3)])
def test_only_heroes_recover_in_several_steps(level, most):
    """`moc.recover.scene`: one step is allowed at every level of power."""
    for steps in (1, 2, 3):
        game = Game(power_level=level)
        if steps > most:
            assert game.refuses(SetDial("scene_recovery_steps", steps, "ours")) == "unknown-dial-value"
            continue
        game.does(SetDial("scene_recovery_steps", steps, "ours"))
        game.scene_ends(game.scene_begins(game.hero))
        assert game.character(game.hero).due == steps


def test_where_the_action_is_trumped_a_white_chip_saves_what_a_bead_had_made_marginal(game):
    """`moc.level.resolve`, steps 4 to 6: while the bead's Marginal Success counts, no chip improves it."""
    game.does(DrawHand(game.enigma, ("8C", "9D"), ("8C", "9D")))
    game.gives(game.hero, "chip:white", 1)
    action = game.acts(game.hero)
    game.does(PlayBeads(action, game.hero, "free_marginal"))
    chip = ClaimSuccess(action, game.hero)
    assert game.refuses(chip) == "free-success-fixed"
    game.does(Trump(action, game.enigma, "roll", "8C", allowed=True))
    game.does(chip, Approve(), by="ann")
    told = the(game.does(Resolve(action)), "ActionResolved")
    assert (told.level, told.net) == ("success", 3)


@pytest.mark.parametrize(
    ("told", "dice"),
    [
        ({"skill": "Running"}, (7,)),
        ({"roll_kind": "movement"}, (7,)),
        ({"skill": "Dodge"}, (5,)),
        ({"skill": "Climbing", "roll_kind": "movement"}, (5,)),
        ({}, (5,)),
        ({"parts": (SubPool(2, skill="Running"), SubPool(2, skill="Dodge"))}, (4, 2)),
        ({"parts": (SubPool(2, skill="Dodge"), SubPool(2, roll_kind="movement"))}, (2, 4)),
    ],
)
def test_the_swift_have_two_dice_more_for_running_only(game, told, dice):
    """In a split pool, these dice are the running part's own, whatever is shared."""
    game.gives(game.hero, "point", 1200)
    game.does(Buy(game.hero, buys("swiftness")))
    action = game.acts(game.hero, **told)
    for part, count in enumerate(dice):
        assert game.refuses(RollDice(action, part, (3,) * (count + 1))) == "wrong-dice-count"
        game.rolls(action, *(3,) * count, part=part)


@pytest.mark.parametrize(("parts", "penalty"), [((), 0), ((SubPool(1), SubPool(1)), 1), ((SubPool(1),) * 3, 2)])
def test_the_penalty_of_a_split_is_shown_and_there_is_none_without(game, parts, penalty):
    game.acts(game.hero, parts=parts)
    assert [one["penalty"] for one in game.view(game.table().scene, "ann")["actions"]] == [penalty]


@pytest.mark.parametrize(("told", "dice"), [({}, 0), ({"skill": "Dodge"}, 1), ({"skill": "Firearms"}, 1)])
def test_who_has_no_active_body_left_rolls_no_dice_but_the_untrained_ones_last(game, told, dice):
    """A pool of no dice has no success and no 1: it fails, never spectacularly."""
    game.sets(game.hero, "damage", 6)
    action = game.acts(game.hero, **told)
    assert game.refuses(RollDice(action, faces=(3,) * (dice + 1))) == "wrong-dice-count"
    game.rolls(action, *(3,) * dice)
    assert game.level(action) == "failure"


@pytest.mark.parametrize(
    ("archetype", "bought", "codes"),
    [
        ("jester", ("wings", "extra-primary"), ["unknown-archetype", "unknown-purchase"]),
        ("hero", ("extra-secondary", "extra-secondary", "wings"), ["not-a-raise", "unknown-purchase"]),
        ("hero", ("wings", "extra-secondary"), ["unknown-purchase", "not-a-raise"]),
    ],
)
def test_all_faults_of_a_sheet_but_those_that_another_one_leaves_open(archetype, bought, codes):
    """A Hero already has the Action Element. The Elements of an unknown archetype are not guessed."""
    sheet = Sheet(archetype, purchases=tuple(buys(what, element="action") for what in bought))
    with pytest.raises(Refused) as refused:
        Game().begin(Enrol("Somebody", "ann", sheet))
    assert [one.code for one in (refused.value, *refused.value.others)] == codes
