"""Actions: pools, tokens, splits, beads and cards on them, trumps, levels, opposed rolls."""

from __future__ import annotations

import pytest

from ledger.rules.moc.actions import DeclareAction, Token
from ledger.rules.moc.beads import AllocateBeads
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import CardPoints
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.deciding import ClaimSuccess, ShiftFailure
from ledger.rules.moc.draft import Approve, Veto
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.own_dice import UseBit, UsePeriodDice
from ledger.rules.moc.own_tables import SetTableRow
from ledger.rules.moc.pools import GrantDice, SpendToken
from ledger.rules.moc.recovery import LoseAction
from ledger.rules.moc.resolving import Resolve, TellConsequence
from ledger.rules.moc.rolling import DeclareSuccesses, RollDice, TakeOffSuccesses
from ledger.rules.moc.stacks import SubPool
from ledger.rules.moc.story import AmendStory, ChangeStory, VetoStory
from ledger.rules.moc.trumps import Trump, TrumpByFiat
from tests.rules.moc.game import Game, buys, kinds_of, the


@pytest.fixture
def game():
    return begun()


def begun(cards=("8C", "KS"), **dials):
    """Return a running scene. Harry (Hero) has ten Action beads and two cards, Rissh (Enigma) eight Storytelling
    beads.
    """
    game = Game(**dials)
    game.session_begins()
    game.does(DrawHand(game.hero, cards, cards))
    game.does(AllocateBeads(game.hero))
    game.does(AllocateBeads(game.enigma))
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


def on(action, character, use, **more):
    return PlayBeads(action, character, use, **more)


def resolved(game, action, **more):
    return the(game.does(Resolve(action, **more)), "ActionResolved")


# --- declaring ---


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"tn": 1}, "tn-below-floor"),
        ({"tn": "7"}, "tn-below-floor"),
        ({"roll_kind": "dance"}, "unknown-roll-kind"),
        ({"required": "great"}, "unknown-level"),
        ({"skill": "Juggling"}, "unknown-skill"),
        ({"element": "earth"}, "unknown-element"),
        ({"primary": "soul"}, "unknown-characteristic"),
        ({"base_time": 30, "time": 29}, "time-too-short"),
        ({"base_time": 0, "time": 29}, "time-not-positive"),
        ({"base_time": 30, "time": 0}, "time-not-positive"),
        ({"extra_dice": -1}, "negative-dice"),
        ({"penalty": -1}, "negative-dice"),
        ({"parts": (SubPool(0),)}, "sub-pool-without-dice"),
        ({"parts": (SubPool(-1),)}, "negative-dice"),
        ({"parts": (SubPool(3), SubPool(2))}, "split-too-large"),
        ({"parts": (SubPool(1, skill="Dodge"),), "skill": "Juggling"}, "unknown-skill"),
        ({"parts": (SubPool(1, roll_kind="dodge"),), "roll_kind": "dance"}, "unknown-roll-kind"),
        ({"parts": (SubPool(1, required="near"),), "required": "great"}, "unknown-level"),
        ({"tokens": (Token("S"),)}, "characteristic-not-of-skill"),
        ({"skill": "Dodge", "tokens": (Token("Sp", "mind"),)}, "wrong-token-pool"),
        ({"skill": "Driving", "tokens": (Token("C"),)}, "wrong-token-pool"),
        ({"skill": "Dodge", "tokens": (Token("Sp"), Token("Sp"))}, "already-activated"),
        ({"martial_arts": "boxing"}, "unknown-purchase"),
        ({"character": "nobody"}, "unknown-character"),
    ],
)
def test_what_cannot_be_declared(game, more, code):
    assert game.refuses(DeclareAction(**{"character": game.hero, **more})) == code


def test_no_action_without_a_scene():
    game = Game()
    assert game.refuses(DeclareAction(game.hero)) == "no-scene"


def test_only_the_game_master_gives_dice(game):
    assert game.refuses(DeclareAction(game.hero, extra_dice=1), by="ann") == "gm-approval-needed"
    action = game.acts(game.hero)
    assert game.refuses(GrantDice(action, 0, "so")) == "nothing-declared"
    game.does(GrantDice(action, 2, "clever"))
    game.rolls(action, 1, 2, 3, 4, 5, 6, 7)
    assert game.refuses(GrantDice(action, 2, "late")) == "already-rolled"


@pytest.mark.parametrize(
    ("told", "dice", "tn"),
    [
        ({"skill": "Dodge"}, 5, 7),
        ({"skill": "Firearms"}, 4, 8),
        ({"skill": "Cryptography"}, 1, 9),
        ({"skill": "Cryptography", "extra_dice": 3}, 2, 9),
        ({"skill": "Melee Weapons"}, 7, 7),
        ({"skill": "Dodge", "tokens": (Token("Sp"),)}, 8, 7),
        ({"primary": "body", "tokens": (Token("Sp"),), "roll_kind": "movement"}, 8, 7),
        ({"base_time": 30, "time": 210}, 7, 7),
        ({"tn": 11}, 5, 11),
    ],
)
def test_pools_and_target_numbers(game, told, dice, tn):
    game.does(Buy(game.hero, buys("skill", "Melee Weapons", 2)))
    action = game.acts(game.hero, **told)
    assert game.refuses(RollDice(action, faces=(3,) * (dice + 1))) == "wrong-dice-count"
    game.rolls(action, *(3,) * dice)
    assert resolved(game, action).tn == tn


def test_tokens(game):
    action = game.acts(game.hero, skill="Driving")
    game.does(SpendToken(action, "C", "mind"))
    assert game.tokens(game.hero) == (5, 0, 1)
    assert game.character(game.hero).fatigue == 1, "the last token of a pool tires"
    other = game.acts(game.hero, skill="Driving")
    assert game.refuses(SpendToken(other, "C", "mind")) == "primary-at-zero"
    game.sets(game.hero, "fatigue", 0)
    assert game.refuses(SpendToken(other, "C", "mind")) == "no-token"
    assert game.refuses(SpendToken(other, "L")) == "characteristic-not-of-skill"
    game.does(SpendToken(other, "L", named=True))
    game.rolls(other, *(3,) * 5)
    assert game.refuses(SpendToken(other, "C", "body")) == "already-rolled"


def test_period_dice_and_bits(game):
    game.gives(game.hero, "point", 1200)
    for one in (buys("action-hero", level=2, period="scene"), buys("bits", level=1)):
        game.does(Buy(game.hero, one))
    action = game.acts(game.hero)
    plot = game.acts(game.hero, element="plot")
    told = {"action": action, "advantage": "action-hero:scene"}
    assert game.refuses(UsePeriodDice(plot, "action-hero:scene", 1)) == "wrong-element"
    assert game.refuses(UsePeriodDice(action, "action-hero:year", 1)) == "unknown-period"
    assert game.refuses(UsePeriodDice(**told, number=3)) == "not-enough-dice"
    assert game.refuses(UsePeriodDice(**told, number=0)) == "nothing-declared"
    assert game.refuses(UsePeriodDice(**told, number=-1)) == "negative-dice"
    game.does(UsePeriodDice(**told, number=2))
    game.does(UseBit(action))
    game.rolls(action, *(3,) * 10)
    assert game.refuses(UseBit(game.acts(game.enigma))) == "unknown-purchase"
    game.scene_ends(game.place)
    assert game.balance(f"character:{game.hero}/die:action-hero:scene") == 2


# --- splits ---


@pytest.mark.parametrize(
    ("dials", "parts", "penalty", "code"),
    [
        ({}, (SubPool(2), SubPool(2)), 1, None),
        ({}, (SubPool(2), SubPool(2, roll_kind="dodge")), 1, None),
        ({}, (SubPool(1), SubPool(1), SubPool(1, defence=True)), 1, None),
        ({}, (SubPool(1), SubPool(1), SubPool(1)), 2, None),
        ({"split_penalty": "all_subpools"}, (SubPool(1), SubPool(1), SubPool(1, defence=True)), 2, None),
        ({}, (SubPool(5),), 0, None),
        ({}, (SubPool(6),), 0, "split-too-large"),
        ({}, (SubPool(3), SubPool(2)), 1, "split-too-large"),
    ],
)
def test_what_a_split_costs(dials, parts, penalty, code):
    game = begun(**dials)
    told = DeclareAction(game.hero, parts=parts)
    if code is not None:
        assert game.refuses(told) == code
    else:
        assert the(game.does(told), "PoolSplit").penalty == penalty


def test_a_sub_pool_has_its_share_and_what_it_leaves_out_is_the_whole_actions(game):
    alone = game.acts(game.hero, parts=(SubPool(2),), tn=9, required="marginal")
    assert game.refuses(RollDice(alone, faces=(3,) * 5)) == "wrong-dice-count"
    game.rolls(alone, 9, 9)
    told = resolved(game, alone)
    assert (told.tn, told.net, told.required, told.passes) == (9, 2, 2, True)
    split = (SubPool(1), SubPool(1, element="plot"), SubPool(1, skill="Driving", tn=6))
    told = the(
        game.does(DeclareAction(game.hero, skill="Dodge", roll_kind="extended", parts=split)),
        "ActionDeclared",
    )
    rolls = [(part.roll.skill, part.roll.element, part.roll.kind, part.roll.tn) for part in told.what.parts]
    assert rolls == [
        ("Dodge", "action", "extended", 7),
        ("", "plot", "extended", 7),
        ("Driving", "action", "extended", 7),
    ]


@pytest.mark.parametrize(("dial", "dice"), [("own_action", 4), ("shared", 2)])
def test_skill_dice_in_a_split(dial, dice):
    game = begun(split_skill_dice=dial)
    game.does(Buy(game.hero, buys("skill", "Dodge", 2)))
    action = game.acts(game.hero, parts=(SubPool(2, skill="Dodge"), SubPool(2, skill="Driving")))
    game.rolls(action, *(3,) * dice)
    game.rolls(action, 3, part=1)


def test_what_fails_ends_the_rest_unless_it_is_waived(game):
    parts = (SubPool(1, "move"), SubPool(1, "lift"), SubPool(1, "throw"))
    action = game.acts(game.hero, parts=parts)
    assert game.refuses(Resolve(action, 1)) == "out-of-order"
    assert game.refuses(Resolve(action)) == "roll-not-completed"
    assert game.refuses(Resolve(action, 7)) == "unknown-part"
    game.does(on(action, game.hero, "free_marginal", part=1))
    game.does(PlayCard(action, game.hero, "8C", (CardPoints(0, 3, 2),)))
    game.rolls(action, 1)
    assert game.refuses(Resolve(action, waive=True), by="ann") == "gm-approval-needed"
    done = game.does(Resolve(action))
    told = the(done, "ActionsPreempted")
    assert told.parts == (1, 2) and len(told.returned) == 2
    assert game.beads(game.hero) == {"action": 10} and "8C" in game.character(game.hero).hand
    assert game.refuses(Resolve(action)) == "action-closed"
    again = game.acts(game.hero, parts=parts[:2])
    game.rolls(again, 1)
    assert "PreemptionWaived" in kinds_of(game.does(Resolve(again, waive=True, reason="a shot each")))
    game.rolls(again, 7, part=1)
    assert resolved(game, again).level == "near"


# --- beads ---


@pytest.mark.parametrize(
    ("use", "more", "rolled", "code"),
    [
        ("dance", {}, False, "unknown-bead-use"),
        ("add_dice", {"number": 0}, False, "no-beads-played"),
        ("add_dice", {"number": -1}, False, "negative-beads"),
        ("add_dice", {"number": 11}, False, "not-enough-beads"),
        ("add_dice", {"element": "earth"}, False, "unknown-element"),
        ("add_dice", {}, True, "already-rolled"),
        ("add_successes", {}, False, "roll-not-completed"),
        ("add_successes", {"element": "drama"}, True, "wrong-element"),
        ("reduce_difficulty", {"element": "drama"}, False, "wrong-element"),
        ("reduce_difficulty", {}, True, "already-rolled"),
        ("free_marginal", {"number": 2}, False, "one-bead-only"),
        ("free_marginal", {"element": "plot"}, False, "wrong-element"),
        ("storytelling", {"number": 1}, False, "not-enough-beads"),
        ("storytelling", {"element": "plot"}, False, "wrong-element"),
        ("storytelling", {"successes": 2}, False, "negative-successes"),
        ("archetype", {}, False, "unknown-bead-use"),
        ("other", {"approved": False}, False, "gm-approval-needed"),
        ("superhuman", {"characteristic": "S"}, False, "unknown-characteristic"),
        ("martial_arts", {"characteristic": "boxing"}, False, "unknown-purchase"),
        ("add_dice", {"part": 3}, False, "unknown-part"),
    ],
)
def test_beads_that_are_refused(game, use, more, rolled, code):
    action = game.acts(game.hero)
    if rolled:
        game.rolls(action, 2, 3, 4, 5, 6)
    assert game.refuses(on(action, game.hero, use, **more)) == code


def test_what_beads_do(game):
    action = game.acts(game.hero, tn=9)
    game.does(on(action, game.hero, "reduce_difficulty", number=2))
    game.does(on(action, game.hero, "add_dice", number=2))
    game.rolls(action, 1, 1, 2, 2, 3, 3, 4, 4, 8)
    game.does(on(action, game.hero, "add_successes", number=2))
    told = resolved(game, action)
    assert (told.tn, told.rolled, told.added, told.net, told.level) == (7, 2, 2, 4, "outstanding")
    assert game.beads(game.hero) == {"action": 4}


def test_a_target_is_eased_once_outside_the_primary_element(game):
    game.gives(game.hero, "bead:plot", 3)
    action = game.acts(game.hero, element="plot")
    assert game.refuses(on(action, game.hero, "reduce_difficulty", number=2)) == "one-bead-unless-primary"
    game.does(on(action, game.hero, "reduce_difficulty"))
    assert game.refuses(on(action, game.hero, "reduce_difficulty")) == "one-bead-unless-primary"


@pytest.mark.parametrize(
    ("element", "bead", "dice"),
    [
        ("action", "action", 2),
        ("action", "plot", 2),
        ("action", "drama", 1),
        ("plot", "plot", 2),
        ("plot", "action", 2),
        ("drama", "drama", 1),
        ("drama", "action", 1),
    ],
)
def test_how_many_dice_a_bead_is(game, element, bead, dice):
    game.gives(game.hero, f"bead:{bead}", 1)
    action = game.acts(game.hero, element=element)
    told = the(game.does(on(action, game.hero, "add_dice", element=bead)), "BeadsPlayed")
    assert told.what.dice == dice


def test_beads_for_who_is_exhausted_cost_double(game):
    game.sets(game.hero, "fatigue", 9)
    action = game.acts(game.hero)
    assert game.refuses(on(action, game.hero, "add_dice")) == "not-enough-beads"
    assert the(game.does(on(action, game.hero, "add_dice", number=4)), "BeadsPlayed").what.dice == 4


def test_an_open_gate():
    game = begun(bead_element_gate="open")
    action = game.acts(game.hero, element="drama")
    game.does(on(action, game.hero, "free_marginal", element="action"))


def test_a_superhuman_bead(game):
    game.gives(game.hero, "point", 1200)
    game.does(Buy(game.hero, buys("superhuman", "S", 1, element="action")))
    action = game.acts(game.hero)
    game.gives(game.hero, "bead:plot", 1)
    told = {"characteristic": "S"}
    assert game.refuses(on(action, game.hero, "superhuman", element="plot", **told)) == "wrong-element"
    game.does(on(action, game.hero, "superhuman", **told))
    game.rolls(action, *(3,) * 6)


def test_approval_is_asked_of_the_game_master(game):
    action = game.acts(game.hero)
    game.does(on(action, game.hero, "other", effect="a rope"), Approve(), by="ann")
    assert game.refuses(on(action, game.hero, "other", effect="a rope"), Veto(), by="ann") == "gm-approval-needed"
    game.does(SetTableRow("uses", "hero", {"text": "a second wind"}))
    game.does(on(action, game.hero, "archetype"))


def test_a_bead_buys_a_marginal_success(game):
    action = game.acts(game.hero)
    game.does(on(action, game.hero, "free_marginal"))
    game.rolls(action, 9, 9, 9, 9, 9)
    game.gives(game.hero, "chip:white", 1)
    assert game.refuses(on(action, game.hero, "add_successes")) == "free-success-fixed"
    assert game.refuses(ClaimSuccess(action, game.hero)) == "free-success-fixed"
    game.does(on(action, game.enigma, "storytelling", successes=-1))
    assert game.refuses(on(action, game.enigma, "storytelling", successes=1)) == "free-success-fixed"
    told = resolved(game, action)
    assert (told.level, told.net) == ("near", 1)


@pytest.mark.parametrize(
    ("beads", "held", "tier", "scope"),
    [
        (1, 8, 1, "turn"),
        (2, 8, 2, "scene"),
        (3, 8, 3, "session"),
        (8, 8, 4, "world"),
        (4, 8, 0, "must-spend-all"),
        (0, 8, 0, "no-such-tier"),
        (9, 8, 0, "not-enough-beads"),
        (-1, 8, 0, "negative-beads"),
    ],
)
def test_tiers_of_a_story(game, beads, held, tier, scope):
    assert game.beads(game.enigma) == {"storytelling": held}
    told = ChangeStory(game.enigma, beads, "The guards argue.")
    if not tier:
        assert game.refuses(told) == scope
        return
    done = the(game.does(told), "StoryChanged")
    assert (done.tier, done.scope) == (tier, scope)
    game.does(AmendStory(done.change, "The guards sleep."))
    game.does(VetoStory(done.change, "They do not."))
    assert game.beads(game.enigma) == {"storytelling": held}
    assert game.refuses(VetoStory(done.change, "no")) == "unknown-play"
    assert game.refuses(AmendStory("x", "no")) == "unknown-play"


def test_the_dazed_play_no_beads_and_lose_an_action(game):
    game.sets(game.hero, "dazed", True)
    action = game.acts(game.enigma)
    assert game.refuses(on(action, game.hero, "add_dice")) == "dazed-no-beads"
    assert game.refuses(ChangeStory(game.hero, 1, "x")) == "dazed-no-beads"
    assert game.refuses(ShiftFailure(action, game.hero, element="action")) == "dazed-no-beads"
    assert game.refuses(DeclareAction(game.hero)) == "next-action-lost"
    game.does(LoseAction(game.hero))
    assert game.refuses(LoseAction(game.hero)) == "not-dazed"


# --- cards on dice ---


@pytest.mark.parametrize(
    ("element", "lines", "code"),
    [
        ("action", ((0, 8),), None),
        ("action", ((0, 9),), "card-overspent"),
        ("plot", ((0, 4),), None),
        ("plot", ((0, 5),), "card-overspent"),
        ("drama", ((0, 2), (1, 2)), None),
        ("drama", ((0, 5),), "card-overspent"),
        ("action", ((5, 1),), "no-such-die"),
        ("action", ((-1, 1),), "no-such-die"),
        ("action", ((0, -1),), "negative-add"),
        ("action", (), "nothing-declared"),
    ],
)
def test_a_card_on_dice(game, element, lines, code):
    action = game.acts(game.hero, element=element)
    told = PlayCard(action, game.hero, "8C", tuple(CardPoints(die, points) for die, points in lines))
    if code is not None:
        assert game.refuses(told) == code
        return
    game.does(told)
    assert game.character(game.hero).hand == ("KS",)
    assert game.refuses(told) == "card-not-in-hand"


@pytest.mark.parametrize(
    ("dials", "element", "lines", "code"),
    [
        ({"offsuit_split": False}, "drama", ((0, 2), (1, 2)), "off-suit-not-split"),
        ({"offsuit_split": False}, "drama", ((0, 4),), None),
        ({"offsuit_split": False}, "action", ((0, 4), (1, 4)), None),
        ({"related_card_on_dice": "full"}, "plot", ((0, 8),), None),
        ({"related_card_on_dice": "full"}, "drama", ((0, 5),), "card-overspent"),
    ],
)
def test_cards_by_other_readings(dials, element, lines, code):
    game = begun(**dials)
    action = game.acts(game.hero, element=element)
    told = PlayCard(action, game.hero, "8C", tuple(CardPoints(die, points) for die, points in lines))
    if code is not None:
        assert game.refuses(told) == code
    else:
        game.does(told)


def test_cards_on_allies_and_other_uses(game):
    action = game.acts(game.enigma)
    told = PlayCard(action, game.hero, "8C", (CardPoints(0, 1),))
    assert game.refuses(told) == "not-own-dice"
    begun_ = begun(cards_on_allies=True)
    begun_.does(PlayCard(begun_.acts(begun_.enigma), begun_.hero, "8C", (CardPoints(0, 1),)))
    other = PlayCard(action, game.hero, "8C", other="the lights go out", approved=False)
    assert game.refuses(other) == "gm-approval-needed"
    game.does(PlayCard(action, game.hero, "8C", other="the lights go out"))


def test_a_one_that_was_raised_is_no_threat(game):
    action = game.acts(game.hero, parts=(SubPool(1), SubPool(2)))
    game.rolls(action, 1)
    game.does(PlayCard(action, game.hero, "8C", (CardPoints(0, 1),)))
    assert resolved(game, action).level == "failure"


def test_over_several_elements_a_card_has_its_lowest_class(game):
    action = game.acts(game.hero, parts=(SubPool(1, element="action"), SubPool(2, element="drama")))
    told = PlayCard(action, game.hero, "8C", (CardPoints(0, 3, 0), CardPoints(0, 2, 1)))
    assert game.refuses(told) == "card-overspent"


# --- levels ---


@pytest.mark.parametrize(
    ("faces", "bonus", "level"),
    [
        ((1, 2, 3, 4, 5), (), "spectacular_failure"),
        ((2, 3, 4, 5, 6), (), "failure"),
        ((1, 2, 3, 4, 7), (), "near"),
        ((1, 2, 3, 4, 8), (), "marginal"),
        ((1, 2, 3, 4, 9), (), "success"),
        ((1, 2, 3, 4, 10), (4,), "outstanding"),
        ((1, 1, 1, 7, 7), (), "marginal"),
    ],
)
def test_levels_of_a_task(game, faces, bonus, level):
    action = game.acts(game.hero)
    game.rolls(action, *faces, bonus=bonus)
    assert game.refuses(RollDice(action)) == "already-rolled"
    assert resolved(game, action).level == level


@pytest.mark.parametrize(
    ("faces", "bonus", "code"),
    [
        ((11, 1, 1, 1, 1), (), "face-out-of-range"),
        ((10, 1, 1, 1, 1), (), "bonus-die-missing"),
        ((9, 1, 1, 1, 1), (3,), "unearned-bonus-die"),
        ((1, 1), (), "wrong-dice-count"),
    ],
)
def test_dice_that_are_refused(game, faces, bonus, code):
    action = game.acts(game.hero)
    assert game.refuses(RollDice(action, 0, faces, bonus)) == code
    assert game.refuses(RollDice(action, sides=8)) == "unknown-die"
    assert game.refuses(RollDice("none")) == "unknown-action"


def test_the_ruling_rolls_and_opens_tens(game):
    action = game.acts(game.hero)
    done = game.does(RollDice(action), (10, 10, 3, 4, 5, 10, 2, 1))
    assert the(done, "DiceRolled").bonus == (10, 2, 1)


@pytest.mark.parametrize("required", ["failure", "near", "marginal", "success", "outstanding", 1, -1])
def test_the_level_that_passes(game, required):
    action = game.acts(game.hero, required=required)
    game.rolls(action, 1, 2, 3, 4, 8)
    assert resolved(game, action).passes is (required in ("failure", "near", "marginal", 1, -1))


def test_an_opponent_shifts_a_failure(game):
    game.gives(game.villain, "bead:plot", 1)
    action = game.acts(game.hero)
    game.rolls(action, 2, 3, 4, 5, 6)
    assert game.refuses(ShiftFailure(action, game.hero, element="action")) == "not-an-opponent"
    assert game.refuses(ShiftFailure(action, game.villain)) == "nothing-declared"
    assert game.refuses(ShiftFailure(action, game.villain, element="storytelling")) == "not-enough-beads"
    assert game.refuses(ShiftFailure(action, game.villain, chip="white")) == "chips-not-held"
    play = game.new(ShiftFailure(action, game.villain, element="plot"))
    game.does(Trump(action, game.hero, play, "8C"))
    assert resolved(game, action).level == "failure", "trumped, it shifts nothing"
    game.gives(game.villain, "chip:white", 1)
    again = game.acts(game.hero)
    game.rolls(again, 2, 3, 4, 5, 6)
    game.does(ShiftFailure(again, game.villain, chip="white"))
    assert resolved(game, again).level == "spectacular_failure"


# --- trumps ---


def test_a_card_cancels_beads_and_own_elements_come_back(game):
    game.gives(game.villain, "bead:action", 2)
    rival = game.enrol("Rival", Sheet("architect"), "cleo")
    game.does(DrawHand(rival, ("9C", "2D"), ("9C", "2D")))
    action = game.acts(game.hero)
    game.rolls(action, 2, 3, 4, 5, 7)
    beads = game.new(on(action, game.hero, "add_successes", number=3))
    assert game.beads(game.hero) == {"action": 7}
    first = game.new(Trump(action, rival, beads, "2D"))
    assert game.beads(game.hero) == {"action": 10}, "his own Element is not spent"
    game.does(Trump(action, game.hero, first, "8C"))
    assert game.beads(game.hero) == {"action": 7}, "restored, they are spent"
    assert game.refuses(Trump(action, rival, "nothing", "9C")) == "unknown-play"
    game.does(Trump(action, rival, beads, "9C"))
    assert game.beads(game.hero) == {"action": 10}, "laid on the top of the stack"
    assert resolved(game, action).net == 1


@pytest.mark.parametrize(
    ("element", "below", "above", "code"),
    [
        ("action", "8C", "9C", None),
        ("action", "8C", "7C", "cannot-trump"),
        ("action", "8C", "AS", "cannot-trump"),
        ("action", "AS", "2C", None),
        ("plot", "8C", "9C", None),
        ("action", "AH", "2S", None),
        ("drama", "8C", "9S", None),
        ("drama", "8C", "8S", "cannot-trump"),
        ("drama", "8C", "7S", "cannot-trump"),
    ],
)
def test_cards_on_cards(element, below, above, code):
    game = begun(cards=(below, "2D"))
    rival = game.enrol("Rival", Sheet("architect"), "cleo")
    game.does(DrawHand(rival, (above, "3D"), (above, "3D")))
    action = game.acts(game.hero, element=element)
    play = str(game.number)
    game.does(PlayCard(action, game.hero, below, (CardPoints(0, 1),)))
    told = Trump(action, rival, play, above)
    if code is not None:
        assert game.refuses(told) == code
    else:
        assert "PlayTrumped" in kinds_of(game.does(told))


@pytest.mark.parametrize(
    ("dial", "on_card", "on_beads", "on_roll"),
    [
        ("cards", None, "cannot-trump", "cannot-trump"),
        ("any", None, None, None),
        ("none", "cannot-trump", "cannot-trump", "cannot-trump"),
    ],
)
def test_chips_as_trumps(dial, on_card, on_beads, on_roll):
    for thing, code in (("card", on_card), ("beads", on_beads), ("roll", on_roll)):
        game = begun(chip_may_trump=dial)
        game.gives(game.villain, "chip:white", 1)
        action = game.acts(game.hero)
        play = str(game.number)
        if thing == "card":
            game.does(PlayCard(action, game.hero, "8C", (CardPoints(0, 1),)))
        elif thing == "beads":
            game.does(on(action, game.hero, "reduce_difficulty"))
        else:
            play = "roll"
        told = Trump(action, game.villain, play, chip="white")
        if code is not None:
            assert game.refuses(told) == code
        else:
            trump = game.new(told)
            assert game.chips(game.villain) == {}
            assert game.refuses(Trump(action, game.hero, trump, "KS")) == "cannot-trump"


def test_a_trumped_roll_fails_and_a_white_chip_saves_it(game):
    game.gives(game.hero, "chip:white", 2)
    game.gives(game.hero, "chip:red", 1)
    action = game.acts(game.hero)
    game.rolls(action, 1, 2, 3, 4, 9)
    assert game.refuses(ClaimSuccess(action, game.hero)) == "already-success"
    assert game.refuses(Trump(action, game.hero, "roll", "KS", allowed=False)) == "cannot-trump"
    game.does(Trump(action, game.hero, "roll", "KS", allowed=True))
    assert game.refuses(ClaimSuccess(action, game.hero, chip="red")) == "chips-not-held"
    assert game.refuses(ClaimSuccess(action, game.enigma)) == "chips-not-held"
    assert game.refuses(ClaimSuccess(action, game.hero, approved=False)) == "gm-approval-needed"
    assert kinds_of(game.does(ClaimSuccess(action, game.hero), Veto(), by="ann")) == ["AutomaticSuccessClaimed"]
    game.does(ClaimSuccess(action, game.hero), Approve(), by="ann")
    assert game.chips(game.hero) == {"white": 1, "red": 1}
    told = resolved(game, action)
    assert (told.level, told.net) == ("success", 3)
    other = game.acts(game.hero)
    game.rolls(other, 1, 2, 3, 4, 5)
    game.does(Trump(other, game.hero, "roll", "8C", allowed=True))
    assert resolved(game, other).level == "failure", "never spectacular"


def test_no_trumps_where_they_are_off():
    game = begun(advanced_trump="off")
    action = game.acts(game.hero)
    assert game.refuses(Trump(action, game.hero, "roll", "8C")) == "cannot-trump"


def test_the_game_master_trumps_without_a_card(game):
    action = game.acts(game.hero)
    play = str(game.number)
    game.does(PlayCard(action, game.hero, "8C", (CardPoints(0, 1),)))
    game.does(TrumpByFiat(action, play, "red", "captured"))
    assert game.character(game.hero).hand == ("KS", "8C") and game.chips(game.hero) == {"red": 1}
    beads = game.new(on(action, game.hero, "add_dice"))
    assert game.refuses(TrumpByFiat(action, "x", "red")) == "unknown-play"
    assert game.refuses(TrumpByFiat(action, beads, "green")) == "unknown-chip"
    assert "ChipAwarded" not in kinds_of(game.does(TrumpByFiat(action, beads)))
    assert game.beads(game.hero) == {"action": 10}


@pytest.mark.parametrize("resolving", [True, False])
def test_trumped_beads_may_stay_away_for_the_session(resolving):
    game = begun(trumped_beads_regenerate=False)
    game.gives(game.hero, "bead:drama", 2)
    action = game.acts(game.hero, element="drama")
    beads = game.new(on(action, game.hero, "reduce_difficulty", element="drama"))
    game.does(Trump(action, game.hero, beads, "8C"))
    game.rolls(action, 2, 3, 4, 5, 6)
    if resolving:
        assert "BeadsTrumped" in kinds_of(game.does(Resolve(action)))
    game.scene_ends(game.place)
    assert the(game.does(AllocateBeads(game.hero)), "BeadsAllocated").allowance == 6


# --- opposed ---


def test_an_opposed_action(game):
    attack = game.acts(game.hero, roll_kind="to_hit")
    rolled = game.rolls(attack, 7, 8, 9, 9, 3)
    assert all(about.audience == ("gm", f"character:{game.hero}") for about in rolled.facts)
    assert game.view(game.table().scene, "bob")["actions"][0]["parts"][0]["faces"] is None
    assert game.view(game.table().scene, "ann")["actions"][0]["parts"][0]["faces"] == (7, 8, 9, 9, 3)
    dodge = game.acts(game.villain, skill="Dodge", roll_kind="dodge")
    told = {"action": attack, "target": game.villain}
    assert game.refuses(DeclareSuccesses(**told, number=5)) == "declares-more-than-rolled"
    assert game.refuses(DeclareSuccesses(**told, number=1, beads=1)) == "declares-more-than-rolled"
    assert game.refuses(DeclareSuccesses(**told, number=0)) == "nothing-declared"
    assert game.refuses(DeclareSuccesses(**told, number=-1)) == "negative-successes"
    assert game.refuses(TakeOffSuccesses(**told, number=1)) == "nothing-declared"
    game.does(on(attack, game.hero, "add_successes"))
    game.does(DeclareSuccesses(**told, number=2, beads=1))
    assert game.refuses(TakeOffSuccesses(**told, number=1)) == "declares-more-than-rolled"
    assert game.refuses(TakeOffSuccesses(**told, number=1, defence=dodge)) == "roll-not-completed"
    game.rolls(dodge, 7, 2, 3)
    assert game.refuses(TakeOffSuccesses(**told, number=2, defence=dodge)) == "declares-more-than-rolled"
    assert the(game.does(TakeOffSuccesses(**told, number=1, defence=dodge)), "SuccessesTakenOff").net == 2
    assert game.refuses(TakeOffSuccesses(**told, number=1, defence=dodge)) == "declares-more-than-rolled"
    later = game.acts(game.villain)
    assert game.refuses(TakeOffSuccesses(**told, number=0, defence=dodge)) == "defence-over"
    assert game.refuses(TakeOffSuccesses(**told, number=0, defence=attack)) == "unknown-action"
    done = resolved(game, attack)
    assert (done.net, done.level, done.reserve) == (2, "marginal", 2)
    assert later


def test_what_a_storytelling_bead_takes_beyond_the_dice_beads_bear(game):
    attack = game.acts(game.hero, roll_kind="to_hit")
    game.rolls(attack, 2, 3, 4, 5, 6)
    game.does(on(attack, game.hero, "add_successes", number=2))
    game.does(on(attack, game.enigma, "storytelling", successes=-1))
    told = {"action": attack, "target": game.villain, "number": 0}
    assert game.refuses(DeclareSuccesses(**told, beads=2)) == "declares-more-than-rolled"
    game.does(DeclareSuccesses(**told, beads=1))
    assert resolved(game, attack).net == 1


@pytest.mark.parametrize(
    ("resolution", "split_rolls", "level"),
    [
        ("mixed", "own_kind", "marginal"),
        ("mixed", "count", "outstanding"),
        ("en", "own_kind", "marginal"),
        ("count", "own_kind", "outstanding"),
    ],
)
def test_how_a_sub_pool_is_read(resolution, split_rolls, level):
    game = begun(resolution=resolution, split_rolls=split_rolls)
    game.does(GrantDice(game.acts(game.hero), 1, "x"))
    action = game.acts(game.hero, extra_dice=4, reason="x", parts=(SubPool(7), SubPool(1)))
    game.rolls(action, 7, 8, 7, 7, 7, 3, 2) if resolution == "count" or split_rolls == "count" else game.rolls(
        action, 8, 4, 5, 6, 1, 3, 2
    )
    assert resolved(game, action, part=0).level == level


def test_a_consequence(game):
    action = game.acts(game.hero)
    assert game.refuses(TellConsequence(action, " "), by="ann") == "nothing-declared"
    told = the(game.does(TellConsequence(action, "It hurts."), Approve(), by="ann"), "ConsequenceTold")
    assert (told.author, told.approved) == ("player", True)
    game.rolls(action, 1, 2, 3, 4, 5)
    assert game.refuses(TellConsequence(action, "It hurts."), by="ann") == "gm-approval-needed"
    game.does(TellConsequence(action, "It hurts."))


def test_a_white_chip_counts_what_was_taken_off(game):
    """Four successes were rolled but the dodge cancelled them, so this is no Success yet."""
    game.gives(game.hero, "chip:white", 1)
    attack = game.acts(game.hero, roll_kind="to_hit")
    game.rolls(attack, 7, 8, 9, 3, 2)
    dodge = game.acts(game.villain, skill="Dodge", roll_kind="dodge")
    game.rolls(dodge, 7, 8, 9)
    game.does(DeclareSuccesses(attack, game.villain, 3))
    assert game.refuses(ClaimSuccess(attack, game.hero)) == "already-success"
    game.does(TakeOffSuccesses(attack, game.villain, 3, defence=dodge))
    game.does(ClaimSuccess(attack, game.hero))
    assert resolved(game, attack).targets == {game.villain: 3}


def test_a_white_chip_on_what_was_never_attempted_comes_back(game):
    game.gives(game.hero, "chip:white", 1)
    action = game.acts(game.hero, parts=(SubPool(1, "move"), SubPool(1, "lift")))
    game.rolls(action, 1)
    game.does(ClaimSuccess(action, game.hero, part=1))
    assert game.chips(game.hero) == {}
    game.does(Resolve(action))
    assert game.chips(game.hero) == {"white": 1}


def test_the_token_that_tires_does_not_lower_its_own_pool(game):
    action = game.acts(game.hero, skill="Driving", tokens=(Token("C", "mind"),))
    assert game.character(game.hero).fatigue == 1
    game.rolls(action, *(3,) * 6)
    game.rolls(game.acts(game.hero), *(3,) * 4)


def test_dice_of_beads_that_are_trumped_do_not_count(game):
    """The last dice rolled are the bead's, with their bonus dice."""
    action = game.acts(game.hero)
    beads = game.new(on(action, game.hero, "add_dice"))
    game.rolls(action, 2, 3, 4, 5, 6, 10, 9, bonus=(9,))
    game.does(Trump(action, game.hero, beads, "8C"))
    assert resolved(game, action).level == "failure"
