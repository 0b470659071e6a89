"""Special cases: who approves, names and inherits; numbers of levels, classes of cards, half moves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.rules.kernel.commands import Enrol, SetDial
from ledger.rules.kernel.subjects import character
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.beads import AllocateBeads
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import CardPoints
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import InheritChips, Sacrifice, Sheet
from ledger.rules.moc.chips import ExchangeChip, GiveBack, Penalise
from ledger.rules.moc.deciding import ShiftFailure
from ledger.rules.moc.draft import Approve, Veto
from ledger.rules.moc.fate import Nominate
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.pools import GrantDice
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import DeclareSuccesses, RollDice, TakeOffSuccesses
from ledger.rules.moc.stacks import SubPool
from ledger.rules.moc.story import ChangeStory
from ledger.rules.moc.trumps import Trump, TrumpByFiat
from ledger.rules.moc.turns import Move
from tests.rules.moc.game import Game, buys, facts_of, kinds_of, the


@pytest.fixture
def game():
    """A session and a scene with Harry, Rissh and Santana."""
    game = Game()
    game.session_begins()
    for id in (game.hero, game.enigma, game.villain):
        game.does(AllocateBeads(id))
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


# --- what a player buys ---


def test_what_a_player_buys_is_approved_by_a_game_master():
    game = Game()
    dodge = buys("skill", "Dodge", 2)
    assert game.refuses(Buy(game.enigma, dodge), Veto(), by="bob") == "gm-approval-needed"
    assert game.refuses(Buy(game.enigma, dodge, False), by="bob") == "gm-approval-needed"
    assert game.points(game.enigma) == 80 * 120 and not game.character(game.enigma).skills
    game.does(Buy(game.enigma, dodge), Approve(), by="bob")
    assert game.character(game.enigma).skills == {"Dodge": 2}
    game.does(Buy(game.enigma, buys("skill", "Dodge", 3)))
    assert game.character(game.enigma).skills == {"Dodge": 3}


def test_a_character_a_player_builds_is_approved_by_a_game_master():
    game = Game()
    asked = Enrol("Landon", "ann", Sheet("hero", disadvantages={"wanted": 10}))
    assert game.refuses(asked, Veto(), by="bob") == "gm-approval-needed"
    id = game.new(asked, Approve(), by="ann")
    assert game.points(id) == 110 * 120
    for sheet in (Sheet("hero", villain=True), Sheet("hero", budget=100), Sheet("hero", purchases=(buys("money"),))):
        assert game.refuses(Enrol("Landon", "ann", sheet), Veto(), by="ann") == "gm-approval-needed"
    game.does(Enrol("Raphe", "ann", Sheet("wildcard", {"body": 2}, {"Dodge": 1})), by="ann")


def test_a_purchase_is_refused_before_anybody_is_asked():
    game = Game()
    assert game.refuses(Buy(game.enigma, buys("skill", "Dodge", 90)), by="bob") == "over-budget"
    assert game.refuses(Buy(game.enigma, buys("skill", "Whistling")), by="bob") == "unknown-purchase"


def test_a_level_is_bought_from_one_to_another():
    game = Game()
    bought = the(game.does(Buy(game.enigma, buys("characteristic", "mind", 4))), "LevelBought")
    assert (bought.what, bought.name, bought.from_, bought.to, bought.cost) == ("characteristic", "mind", 2, 4, "35")


# --- fate ---


def test_only_players_nominate_and_only_players_characters_are_nominated():
    game = Game()
    assert game.refuses(Nominate("gm", game.hero)) == "not-a-player"
    assert game.refuses(Nominate("dora", game.hero)) == "not-a-player"
    assert game.refuses(Nominate("cleo", game.villain), by="cleo") == "not-a-players-character"
    game.does(Nominate("cleo", game.hero), by="cleo")


def test_the_heir_is_a_character_of_the_same_player():
    game = Game()
    landon = game.enrol("Landon", Sheet("hero"), "ann")
    game.gives(game.hero, "chip:red", 2)
    game.does(Sacrifice(game.hero, "for them"))
    for other in (game.enigma, game.hero):
        assert game.refuses(InheritChips(other, game.hero, {"white": 1})) == "not-the-heir"
    game.does(InheritChips(landon, game.hero, {"white": 1}))
    assert game.chips(landon) == {"white": 1, "red": 2} and game.chips(game.hero) == {}


@pytest.mark.parametrize("dial", [{"advanced_chips": "off"}, {"beads_only": "on"}])
def test_a_fiat_trump_gives_no_chip_where_there_are_none(dial):
    game = Game(**dial)
    game.does(AllocateBeads(game.hero))
    game.scene_begins(game.hero)
    action = game.acts(game.hero)
    play = game.new(PlayBeads(action, game.hero, "add_dice"))
    assert game.refuses(TrumpByFiat(action, play, "white")) == "no-chips-in-play"
    assert "ChipAwarded" not in kinds_of(game.does(TrumpByFiat(action, play)))


# --- names and numbers ---


def test_a_power_level_nobody_knows():
    game = Game()
    assert game.refuses(SetDial("power_level", "epic", "ours")) == "unknown-power-level"
    assert game.refuses(SetDial("resolution", "epic", "ours")) == "unknown-dial-value"


@pytest.mark.parametrize(
    ("required", "needed", "tn"), [("near", 7, 7), ("marginal", 7, 6), ("success", 8, 6), ("outstanding", 9, 6)]
)
def test_the_number_a_level_takes_tells_the_target_number(game, required, needed, tn):
    action = game.acts(game.hero, required=required, needed=needed)
    assert game.scene(game.place).actions[action].parts[0].roll.tn == tn


@pytest.mark.parametrize(
    ("required", "needed", "code"),
    [
        ("failure", 7, "no-number-for-level"),
        ("spectacular_failure", 7, "no-number-for-level"),
        ("near", 1, "tn-below-floor"),
        ("outstanding", 4, "tn-below-floor"),
        ("near", "seven", "tn-below-floor"),
    ],
)
def test_levels_without_a_number(game, required, needed, code):
    assert game.refuses(DeclareAction(game.hero, required=required, needed=needed)) == code


def dealt(game, id, *cards):
    game.does(DrawHand(id, cards, cards), by="ann")


@pytest.mark.parametrize(
    ("said", "code"), [("royal", "unknown-card-class"), ("related", "wrong-card-class"), ("off", "wrong-card-class")]
)
def test_the_class_a_card_is_taken_for(game, said, code):
    dealt(game, game.hero, "8C", "9C")
    action = game.acts(game.hero)
    points = (CardPoints(0, 2),)
    assert game.refuses(PlayCard(action, game.hero, "8C", points, card_class=said)) == code
    assert game.refuses(Trump(action, game.hero, "roll", "8C", allowed=True, card_class=said)) == code
    assert (
        the(game.does(PlayCard(action, game.hero, "8C", points, card_class="suited")), "CardPlayedOnDice").what.rank
        == "suited"
    )


def test_all_points_of_a_card_on_one_die_are_no_split():
    game = Game(offsuit_split=False)
    game.session_begins()
    dealt(game, game.hero, "8H", "9H")
    game.scene_begins(game.hero)
    action = game.acts(game.hero)
    apart = (CardPoints(0, 2), CardPoints(1, 2))
    assert game.refuses(PlayCard(action, game.hero, "8H", apart)) == "off-suit-not-split"
    game.does(PlayCard(action, game.hero, "8H", (CardPoints(0, 2), CardPoints(0, 2), CardPoints(1, 0))))


def test_no_dice_of_a_pool_are_no_roll(game):
    assert game.refuses(RollDice(game.acts(game.hero), 0, ())) == "empty-pool"


def test_dice_of_the_game_master_are_n(game):
    action = game.acts(game.hero)
    assert the(game.does(GrantDice(action, 2, "clever")), "GmDiceGranted").n == 2


# --- opposed ---


def shot(game):
    action = game.acts(game.hero, roll_kind="to_hit", opposed=True)
    game.rolls(action, 8, 8, 8, 1, 1)
    game.does(DeclareSuccesses(action, game.enigma, 3))
    return action


def test_a_trumped_defence_takes_nothing_off(game):
    dealt(game, game.hero, "8C", "9C")
    action, dodge = shot(game), game.acts(game.enigma, roll_kind="dodge")
    game.rolls(dodge, 9, 9)
    off = TakeOffSuccesses(action, game.enigma, 2, 0, dodge)
    game.does(Trump(dodge, game.hero, "roll", "8C", allowed=True))
    assert game.refuses(off) == "declares-more-than-rolled"
    game.does(TakeOffSuccesses(action, game.enigma, 0, 0, dodge))


def test_a_free_marginal_success_takes_two_off_without_dice(game):
    game.gives(game.enigma, "bead:action", 1)
    action, dodge = shot(game), game.acts(game.enigma, roll_kind="dodge")
    assert game.refuses(TakeOffSuccesses(action, game.enigma, 1, 0, dodge)) == "roll-not-completed"
    game.does(PlayBeads(dodge, game.enigma, "free_marginal"))
    assert game.refuses(TakeOffSuccesses(action, game.enigma, 3, 0, dodge)) == "declares-more-than-rolled"
    taken = the(game.does(TakeOffSuccesses(action, game.enigma, 2, 0, dodge)), "SuccessesTakenOff")
    assert taken.net == 1


def test_martial_arts_add_their_level_once_a_roll():
    game = Game()
    boxer = game.enrol("Landon", Sheet("hero", {"body": 3}, purchases=(buys("martial-arts", "boxing", 2),)), "ann")
    game.does(AllocateBeads(boxer))
    game.scene_begins(boxer, game.enigma)
    action = game.acts(boxer, roll_kind="to_hit", martial_arts="boxing")
    do = PlayBeads(action, boxer, "martial_arts", 1, characteristic="boxing")
    assert game.refuses(replace(do, number=2)) == "one-bead-only"
    game.does(do)
    assert game.refuses(do) == "already-activated"
    game.rolls(action, 8, 8, 1, 1, 1)
    hit = the(game.does(ScoreHit(boxer, game.enigma, "Club", action=action)), "HitScored").what
    assert (hit.net, hit.dice) == (2, 2 + 1 + 2)


# --- moves ---


def test_a_half_move_works_unless_fumbled(game):
    move = game.acts(game.hero, roll_kind="movement")
    game.rolls(move, 6, 2, 2, 2, 2)
    done = game.does(Resolve(move))
    assert the(done, "ActionResolved").level == "failure"
    assert (the(done, "MovementMade").metres, the(done, "MovementMade").penalty) == (11, "")


@pytest.mark.parametrize(
    ("named", "said", "penalty"),
    [
        ("", (), "-1 level of dodge"),
        ("a torn coat", (Approve(),), "a torn coat"),
        ("a torn coat", (Veto(),), "-1 level of dodge"),
    ],
)
def test_a_fumbled_half_move_costs_a_level_of_dodge_or_what_is_agreed(game, named, said, penalty):
    move = game.acts(game.hero, roll_kind="movement")
    game.rolls(move, 1, 2, 2, 2, 2)
    done = game.does(Resolve(move, penalty=named), *said, by="ann")
    assert the(done, "MovementMade").penalty == penalty
    assert done.because[-1].rule == "moc.move.half-action"


def test_a_fumbled_move_that_an_opponent_plays_on_is_the_game_masters(game):
    move = game.acts(game.hero, roll_kind="movement")
    game.rolls(move, 1, 2, 2, 2, 2)
    game.gives(game.villain, "bead:drama", 1)
    game.does(ShiftFailure(move, game.villain, "drama"))
    assert "MovementMade" not in kinds_of(game.does(Resolve(move, penalty="a torn coat")))


def test_a_dazed_character_does_not_move(game):
    game.sets(game.hero, "dazed", True)
    assert game.refuses(Move(game.hero)) == "next-action-lost"


# --- stories and splits ---


@pytest.mark.parametrize(
    ("beads", "scope", "reaches"),
    [
        (1, None, "turn"),
        (3, None, "session"),
        (3, "scene", "scene"),
        (5, None, "world"),
        (5, "turn", "turn"),
        (2, "session", "no-such-tier"),
        (1, "galaxy", "no-such-tier"),
    ],
)
def test_a_change_reaches_as_far_as_its_beads_or_less(game, beads, scope, reaches):
    game.gives(game.hero, "bead:storytelling", 5)
    change = ChangeStory(game.hero, beads, "The door is open.", scope)
    if reaches == "no-such-tier":
        assert game.refuses(change) == reaches
    else:
        assert the(game.does(change), "StoryChanged").scope == reaches


def test_a_chip_trumps_by_the_dial_on_the_action_of_a_split(game):
    """A play on one part of a split does not affect the others."""
    game.gives(game.enigma, "chip:white", 1)
    dealt(game, game.hero, "8C", "9C")
    action = game.acts(game.hero, parts=(SubPool(2, "a leap"), SubPool(2, "a shout")))
    play = game.new(PlayCard(action, game.hero, "8C", (CardPoints(0, 3, 1),)))
    done = game.does(Trump(action, game.enigma, play, chip="white"))
    assert [one.part for one in game.scene(game.place).actions[action].plays] == [1, 1]
    assert facts_of(done)[0].what.on == play and game.chips(game.enigma) == {}
    assert game.state(character(game.hero)).hand == ("9C",)


# --- nobody ---


@pytest.mark.parametrize("nobody", ["", "99"])
def test_nobody_holds_nothing(game, nobody):
    """An empty id is refused like any other unknown id."""
    four = {"white": 4}
    for do, code in (
        (GiveBack(nobody, four), "chips-not-held"),
        (Penalise(nobody, "selfish", four), "chips-not-held"),
        (ExchangeChip(nobody, "white"), "chips-not-held"),
    ):
        assert game.refuses(do) == code
