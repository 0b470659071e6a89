"""Rules N5 to N17: trumps on everything, EMs instead of dice, beads for every scene, characters who are gone."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseScene, CloseSession, OpenScene, Retire
from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.subjects import CAMPAIGN, scene
from ledger.rules.moc.actions import DeclareAction, Token
from ledger.rules.moc.beads import Allocate, AllocateBeads, AnnounceScene, LeaveAll
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import CardPoints, ExchangeCard, LaidCard
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import InheritChips, Sacrifice, SetStatus, Sheet
from ledger.rules.moc.chips import ExchangeChip, TradeUp
from ledger.rules.moc.damage import ApplyHarm, RollDamage
from ledger.rules.moc.deciding import ClaimSuccess, DetermineAction, ShiftFailure
from ledger.rules.moc.draft import Approve, Veto
from ledger.rules.moc.fate import AwardChip, Nominate, TallyNominations
from ledger.rules.moc.hands import DrawHand, DrawVillains
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.negotiating import ApproveTrait, ProposeTrait
from ledger.rules.moc.other_dice import PlayCardOnDamage, PlayCardOnInitiative
from ledger.rules.moc.own_dice import UsePeriodDice
from ledger.rules.moc.pools import SpendToken
from ledger.rules.moc.recovery import CompleteRecovery, DeclareRecovery, Heal
from ledger.rules.moc.resisting import ResistDamage
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import DeclareSuccesses, RollDice, TakeOffSuccesses
from ledger.rules.moc.scenes import EndTurn
from ledger.rules.moc.stacks import SubPool
from ledger.rules.moc.story import AmendStory, ChangeStory, Narrate, UseCard, VetoStory
from ledger.rules.moc.trading import Agree, Decline, Give, TradeCards
from ledger.rules.moc.trumps import Trump, TrumpByFiat
from ledger.rules.moc.turns import Move, RollInitiative
from tests.rules.moc.game import Game, buys, facts_of, kinds_of, the


def table(hero: tuple[str, ...] = ("8C", "KS"), **dials: Any) -> Game:
    """Return a session and a scene. Harry (ann) and Santana hold cards; Rissh (bob) takes part."""
    game = Game(**dials)
    game.session_begins()
    game.does(DrawHand(game.hero, hero, hero), by="ann")
    game.does(DrawHand(game.enigma, ("QC", "9C"), ("QC", "9C")), by="bob")
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


def dealt_to_santana(game: Game, *cards: str) -> None:
    game.does(DrawVillains(len(cards), cards))


def because(verdict: Any, rule: str) -> list[Any]:
    return [one.out for one in verdict.because if one.rule == rule]


# --- N5: one stack for all that can be trumped ---


def hit_on_villain(game: Game) -> str:
    """Score a hit with three damage dice and one raise die."""
    told: Any = {"damage": 3, "lethality": 5, "net": 2, "location": "torso"}
    return game.new(ScoreHit(game.hero, game.villain, **told))


def test_a_card_on_damage_is_trumped_and_the_trump_too():
    game = table()
    dealt_to_santana(game, "KC", "AC")
    hit = hit_on_villain(game)
    game.does(RollDamage(hit, faces=(4, 4, 1), raise_faces=(1,)))
    points = (CardPoints(0, 1), CardPoints(1, 1))
    play = game.new(PlayCardOnDamage(hit, game.hero, "8C", points), by="ann")
    scene = lambda: game.scene(game.place).hits[hit]  # noqa: E731
    assert scene().resistible == 2
    assert game.refuses(Trump("", game.enigma, play, "9S")) == "card-not-in-hand"
    trump = game.new(Trump("", game.villain, play, "KC"))
    assert scene().resistible == 0, "the dice count without the card"
    game.does(Trump("", game.villain, trump, "AC", hit=hit))
    assert scene().resistible == 2, "what cancels the trump restores it"
    game.does(ResistDamage(hit, faces=(1, 1, 1)))
    assert game.refuses(Trump("", game.enigma, play, "QC")) == "hit-not-ready"


def test_damage_dice_are_trumped_where_the_game_master_allows():
    game = table()
    hit = hit_on_villain(game)
    assert game.refuses(Trump("", game.enigma, "damage", "9C", hit=hit, allowed=True)) == "hit-not-ready"
    game.does(RollDamage(hit, faces=(5, 6, 6), raise_faces=(1,)))
    assert game.refuses(Trump("", game.enigma, "damage", "9C", hit=hit, allowed=False)) == "cannot-trump"
    game.does(Trump("", game.enigma, "damage", "9C", hit=hit), Approve(), by="bob")
    assert game.scene(game.place).hits[hit].resistible == 0


def body(game: Game, id: str) -> tuple[Any, ...]:
    who = game.character(id)
    return who.damage, who.pain, who.pain_turn, who.status, who.dazed, game.tokens(id)


def resisted(game: Game, *cards: LaidCard) -> str:
    """Let Santana take six points. Three of his dice nearly resist."""
    hit = game.new(ScoreHit(game.hero, game.villain, damage=6, lethality=2, net=2, location="torso"))
    game.does(RollDamage(hit, faces=(6,) * 6, raise_faces=(1,)))
    game.does(ResistDamage(hit, faces=(6, 6, 6), cards=cards))
    return hit


def test_a_card_that_resisted_is_trumped_and_the_harm_told_anew():
    game, bare = table(), table()
    for one in (game, bare):
        dealt_to_santana(one, "8S", "AC")
    resisted(bare)
    points = (CardPoints(0, 1), CardPoints(1, 1), CardPoints(2, 1))
    hit = resisted(game, LaidCard("8S", points))
    with_card = body(game, game.villain)
    assert with_card[:2] == (3, 3) and body(bare, bare.villain)[:2] == (6, 0)
    play = game.scene(game.place).damage[hit].plays[0].id
    told = game.does(Trump("", game.enigma, play, "9C"))
    assert body(game, game.villain) == body(bare, bare.villain), "as if the card had never been laid"
    assert body(game, game.villain)[3] == "down" and "HarmUndone" in kinds_of(told)
    game.does(Trump("", game.villain, the(told, "PlayTrumped").play, "AC"))
    assert body(game, game.villain) == with_card, "the trump is cancelled: the card stands, nobody is down"


def test_what_resisted_is_settled_once_more_befalls_the_body():
    game = table()
    dealt_to_santana(game, "8S")
    hit = resisted(game, LaidCard("8S", (CardPoints(0, 1),)))
    play = game.scene(game.place).damage[hit].plays[0].id
    game.does(ApplyHarm(game.villain, pain=1))
    assert game.refuses(Trump("", game.enigma, play, "9C")) == "settled"
    assert game.refuses(TrumpByFiat("", "resisting", hit=hit)) == "settled"


def test_the_dice_that_resist_are_trumped_as_a_whole():
    game, bare = table(), table()
    for one in (game, bare):
        hit = one.new(ScoreHit(one.hero, one.villain, damage=6, lethality=2, net=2, location="torso"))
        one.does(RollDamage(hit, faces=(6,) * 6, raise_faces=(1,)))
        one.does(ResistDamage(hit, faces=(8, 8, 1) if one is game else (1, 1, 1)))
    assert body(game, game.villain) != body(bare, bare.villain)
    game.does(TrumpByFiat("", "resisting", hit=hit))
    assert body(game, game.villain) == body(bare, bare.villain)


def test_what_the_game_master_cancels_on_damage_counts_no_more():
    game = table()
    hit = hit_on_villain(game)
    game.does(RollDamage(hit, faces=(4, 1, 1), raise_faces=(1,)))
    play = game.new(PlayCardOnDamage(hit, game.hero, "8C", (CardPoints(0, 1),)), by="ann")
    assert game.scene(game.place).hits[hit].resistible == 1
    game.does(TrumpByFiat("", play, "red"))
    assert game.scene(game.place).hits[hit].resistible == 0 and game.character(game.hero).hand == ("KS", "8C")
    assert game.refuses(TrumpByFiat("", play)) == "unknown-play", "it is back in the hand"


def test_initiative_is_trumped_card_or_dice():
    game = table()
    faces = {game.hero: (7, 1, 1, 1, 1, 1, 1, 1), game.enigma: (6, 6, 1), game.villain: (7, 7, 1, 1, 1)}
    game.does(RollInitiative(faces))
    game.does(PlayCardOnInitiative(game.enigma, "9C", (CardPoints(0, 1), CardPoints(1, 4))), by="bob")
    order = lambda: game.scene(game.place).order  # noqa: E731
    assert order()[0] == (game.enigma,)
    play = game.scene(game.place).initiative.plays[game.enigma][0].id
    dealt_to_santana(game, "KC")
    game.does(Trump("", game.villain, play, "KC"))
    assert order()[0] == (game.villain,)
    game.does(TrumpByFiat("", "initiative", "red", "he stumbles", whose=game.hero))
    assert order()[-1] == (game.hero,) and game.chips(game.hero) == {"red": 1}


def test_a_card_that_healed_is_trumped():
    game = table()
    game.sets(game.villain, "damage", 2)
    game.sets(game.hero, "damage", 2)
    game.does(Heal(game.hero, 2, faces=(6,), cards=(LaidCard("8C", (CardPoints(0, 1),)),)), by="ann")
    assert game.character(game.hero).damage == 1
    play = game.character(game.hero).healing.plays[0].id
    dealt_to_santana(game, "KC", "AC")
    trump = game.new(Trump("", game.villain, play, "KC", whose=game.hero))
    assert game.character(game.hero).damage == 2, "the die reads 6 again"
    game.does(Trump("", game.villain, trump, "AC", whose=game.hero))
    assert game.character(game.hero).damage == 1
    game.does(Trump("", game.enigma, "healing", "9C", whose=game.hero, allowed=True))
    assert game.character(game.hero).damage == 2
    game.does(ApplyHarm(game.hero, unresistible=1))
    assert game.refuses(TrumpByFiat("", "healing", whose=game.hero)) == "settled"


def test_beads_of_a_story_are_trumped_and_go_back_to_an_enigma():
    game = table()
    game.gives(game.hero, "bead:storytelling", 2)
    told = {}
    for id, beads in ((game.enigma, 2), (game.hero, 2)):
        had = game.beads(id)["storytelling"]
        change = game.new(ChangeStory(id, beads, "The guards argue."))
        trump = game.new(
            Trump(
                "",
                game.hero if id == game.enigma else game.enigma,
                change,
                "8C" if id == game.enigma else "9C",
                change=change,
            )
        )
        told[id] = (had, game.beads(id).get("storytelling", 0), change, trump)
    assert told[game.enigma][:2] == (8, 8), "of an own primary Element they are not spent"
    assert told[game.hero][:2] == (2, 0)
    dealt_to_santana(game, "KC")
    game.does(Trump("", game.villain, told[game.enigma][3], "KC"))
    assert game.beads(game.enigma)["storytelling"] == 6, "restored, they are out again"
    seen = game.view(scene(game.place))["story"]
    assert [seen[told[id][2]]["stands"] for id in (game.enigma, game.hero)] == [True, False]


def test_the_game_master_cancels_a_bare_action_and_pays_for_it():
    game = table()
    action = game.acts(game.hero)
    game.does(TrumpByFiat(action, "roll", "red", "You are captured."))
    assert game.chips(game.hero) == {"red": 1}
    assert game.level(action) == "failure", "never attempted with dice, and no Success"
    rolled = game.acts(game.hero)
    game.rolls(rolled, 9, 9, 9, 9, 9)
    assert game.refuses(TrumpByFiat(rolled, "nothing")) == "unknown-play"
    laid = game.new(TrumpByFiat(rolled, "roll"))
    assert game.refuses(Trump(rolled, game.hero, laid, "8C")) == "unknown-play", "nothing trumps it"
    assert game.refuses(Trump(rolled, game.hero, "roll", "8C", allowed=True)) == "cannot-trump"
    assert game.level(rolled) == "failure" and game.chips(game.hero) == {"red": 1}


# --- N6: EMs in place of dice ---


@pytest.mark.parametrize("em", [{"element": "plot", "number": 2}, {"card": "8C"}, {"chip": "red"}])
def test_an_em_decides_without_dice(em):
    game = table()
    game.gives(game.hero, "bead:plot", 2)
    game.gives(game.hero, "chip:red", 1)
    action = game.acts(game.hero, required="success")
    do = DetermineAction(action, game.hero, "He leaps across.", **em, consequence="He loses his gun.")
    told = game.does(do, Approve(), by="ann")
    assert [one.text for one in facts_of(told) if type(one).__name__ == "ConsequenceTold"] == ["He loses his gun."]
    assert game.refuses(RollDice(action, faces=(1,) * 5)) == "already-rolled"
    assert game.refuses(do, by="ann") in ("already-determined", "card-not-in-hand")
    done = the(game.does(Resolve(action), by="ann"), "ActionResolved")
    assert (done.level, done.passes, done.faces) == ("success", True, ())
    assert game.chips(game.hero) == ({} if "chip" in em else {"red": 1})


def test_what_the_game_master_does_not_approve_is_recorded_and_costs_nothing():
    game = table()
    action = game.acts(game.hero)
    do = DetermineAction(action, game.hero, "He flies.", card="8C")
    assert kinds_of(game.does(do, Veto(), by="ann")) == ["ProposalVetoed"]
    assert game.character(game.hero).hand == ("8C", "KS")
    assert game.refuses(DetermineAction(action, game.hero, " ", card="8C")) == "nothing-declared"
    assert game.refuses(DetermineAction(action, game.enigma, "I do.", card="9C")) == "not-own-action"
    assert game.refuses(Resolve(action)) == "roll-not-completed"


def test_what_was_rolled_is_not_decided_without_dice():
    game = table()
    action = game.acts(game.hero)
    game.does(RollDice(action, faces=(1,) * 5))
    assert game.refuses(DetermineAction(action, game.hero, "He leaps.", element="action")) == "already-rolled"


def test_one_part_of_a_split_is_decided_the_other_is_rolled():
    game = table()
    parts = (SubPool(1, "a leap"), SubPool(1, "a punch"))
    action = the(game.does(DeclareAction(game.hero, parts=parts)), "ActionDeclared").action
    game.does(DetermineAction(action, game.hero, "He leaps.", element="action", part=0))
    game.does(Resolve(action))
    assert game.refuses(Resolve(action)) == "roll-not-completed"
    game.does(RollDice(action, 1, (9,)))
    assert game.level(action) == "success"


def test_trumped_the_dice_have_to_decide():
    game = table()
    action = game.acts(game.hero)
    game.does(DetermineAction(action, game.hero, "He leaps.", element="action", level="outstanding"))
    play = game.scene(game.place).actions[action].plays[0].id
    game.does(Trump(action, game.enigma, play, "9C"))
    assert game.refuses(Resolve(action)) == "roll-not-completed"
    game.rolls(action, 1, 2, 3, 4, 5)
    assert game.level(action) == "spectacular_failure"


# --- N7: every scene awards beads ---


def test_who_says_nothing_has_all_in_the_primary_element():
    game = Game()
    raphe = game.enrol("Raphe", Sheet("wildcard"), "cleo")
    told = game.does(OpenScene("A hangar", (game.hero,)))
    assert game.beads(game.hero) == {"action": 10} and game.beads(game.enigma) == {"storytelling": 8}
    assert game.beads(game.villain) == {"drama": 8}
    assert game.beads(raphe) == {"action": 1, "storytelling": 1, "plot": 1}, "three, as evenly as they go"
    assert [one.by_default for one in facts_of(told) if type(one).__name__ == "BeadsAllocated"] == [True] * 4


def test_it_is_changed_once_until_the_first_bead_is_used():
    game = table()
    game.gives(game.hero, "chip:white", 1)
    game.does(ExchangeChip(game.hero, "white", {"drama": 2}))
    game.does(AllocateBeads(game.hero, {"plot": 2}), by="ann")
    assert game.beads(game.hero) == {"action": 8, "plot": 2, "drama": 2}
    assert game.refuses(AllocateBeads(game.hero, {"plot": 1}), by="ann") == "not-in-interval"
    action = game.acts(game.enigma)
    game.gives(game.enigma, "chip:white", 1)
    game.does(ExchangeChip(game.enigma, "white", {"storytelling": 2}))
    game.does(PlayBeads(action, game.enigma, "storytelling"), by="bob")
    assert game.refuses(AllocateBeads(game.enigma, {"drama": 1}), by="bob") == "bead-used"


def test_the_game_master_warns_and_each_is_asked():
    game = Game()
    game.does(AllocateBeads(game.villain))
    do = AnnounceScene()
    conversation, _ = game.begin(do)
    assert (
        isinstance(conversation.question, Ask)
        and conversation.question.seat == "ann"
        and conversation.question.slot == f"beads:{game.hero}"
    )
    game.does(do, Allocate({"plot": 2}), LeaveAll())
    assert game.beads(game.hero) == {"action": 8, "plot": 2} and game.beads(game.enigma) == {"storytelling": 8}
    assert game.refuses(do) == "already-allocated"
    game.scene_begins()
    assert game.refuses(AllocateBeads(game.hero, {"plot": 1})) == "not-in-interval", "ann has said it"
    assert game.refuses(do) == "not-in-interval"
    game.does(AllocateBeads(game.enigma, {"drama": 1}))
    assert game.beads(game.enigma) == {"storytelling": 7, "drama": 1}


def test_a_newcomer_has_beads_at_once():
    game = table()
    anna = game.enrol("Anna", Sheet("protagonist"), "ann")
    assert game.beads(anna) == {"plot": 6}


# --- N8: four chips a player, traded at a scene's end ---


def test_four_chips_are_counted_over_all_characters_of_a_player():
    game = Game()
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    game.gives(game.hero, "chip:white", 3)
    game.gives(anna, "chip:white", 2)
    assert game.refuses(TradeUp(game.hero, {"white": 4}, "red")) == "only-at-scene-end", "none was there yet"
    assert game.refuses(OpenScene("A hangar")) == "too-many-chips"
    game.does(Sacrifice(anna, "for them"))
    game.does(CloseScene(game.scene_begins()))
    game.gives(game.hero, "chip:white", 1)
    game.does(TradeUp(game.hero, {"white": 4}, "red"))
    assert game.chips(game.hero) == {"red": 1}


# --- N9: a fumbled move ---


def fumbles(game: Game, id: str, **more: Any) -> None:
    move = game.acts(id, roll_kind="movement", required="failure")
    game.does(RollDice(move, 0, (1,) * game.character(id).ratings["body"]))
    game.does(Resolve(move, **more))


def attacked(game: Game, dodge: str, number: int) -> int:
    attack = game.acts(game.hero, roll_kind="to_hit")
    game.rolls(attack, 9, 9, 1, 2, 3)
    game.does(DeclareSuccesses(attack, game.villain, 2))
    told = game.does(TakeOffSuccesses(attack, game.villain, number, defence=dodge))
    assert game.scene(game.place).actions[attack].parts[0].claims[0].taken == 2 - the(told, "SuccessesTakenOff").net
    return int(the(told, "SuccessesTakenOff").net)


def test_a_fumbled_move_lowers_what_is_taken_off_until_the_turn_is_over():
    game = table()
    fumbles(game, game.villain)
    dodge = game.acts(game.villain, roll_kind="dodge")
    game.does(RollDice(dodge, 0, (8, 8, 8)))
    assert attacked(game, dodge, 1) == 2, "one success less"
    assert attacked(game, dodge, 0) == 2, "never below none"
    game.does(EndTurn())
    assert attacked(game, dodge, 1) == 1


def test_another_penalty_leaves_the_dodge():
    game = table()
    fumbles(game, game.villain, penalty="He drops his gun.")
    dodge = game.acts(game.villain, roll_kind="dodge")
    game.does(RollDice(dodge, 0, (8, 8, 8)))
    assert attacked(game, dodge, 1) == 1


# --- N10: own actions ---


def test_a_superhuman_bead_raises_its_owners_actions_of_that_characteristic():
    game = table()
    game.gives(game.hero, "point", 6000)
    game.does(Buy(game.hero, buys("superhuman", "S", 2, element="action")))
    feat, shot = game.acts(game.hero, skill="Strength Feat"), game.acts(game.hero, skill="Firearms")
    told: Any = {"characteristic": "S"}
    assert game.refuses(PlayBeads(shot, game.hero, "superhuman", **told)) == "characteristic-not-of-skill"
    others = game.acts(game.enigma, skill="Strength Feat")
    assert game.refuses(PlayBeads(others, game.hero, "superhuman", **told)) == "not-own-action"
    game.does(PlayBeads(feat, game.hero, "superhuman", 2, **told))
    game.rolls(feat, *(3,) * 9)  # five of Body, and the level for each bead


@pytest.mark.parametrize("use", ["free_marginal", "add_dice", "martial_arts"])
def test_beads_serve_own_actions_unless_helping(use):
    told: Any = {"characteristic": "boxing"} if use == "martial_arts" else {}
    for helping in (False, True):
        game = table(helping=helping)
        game.gives(game.hero, "point", 6000)
        game.does(Buy(game.hero, buys("martial-arts", "boxing", 1)))
        game.gives(game.enigma, "point", 6000)
        game.does(Buy(game.enigma, buys("martial-arts", "boxing", 1)))
        arts = {"roll_kind": "to_hit", "martial_arts": "boxing"} if told else {}
        action = game.acts(game.enigma, **arts)
        do = PlayBeads(action, game.hero, use, **told)
        if helping:
            game.does(do)
        else:
            assert game.refuses(do) == "not-own-action"


def test_a_white_chip_serves_an_own_action_unless_helping():
    for helping in (False, True):
        game = table(helping=helping)
        game.gives(game.hero, "chip:white", 1)
        action = game.acts(game.enigma)
        game.does(RollDice(action, 0, (1, 1)))
        if helping:
            game.does(ClaimSuccess(action, game.hero))
        else:
            assert game.refuses(ClaimSuccess(action, game.hero)) == "not-own-action"


# --- N11: Weapons Master and floating dice ---


def test_a_weapons_masters_dice_are_for_the_skills_named():
    game = table()
    game.gives(game.hero, "point", 6000)
    unknown = buys("weapons-master", "", 2, period="scene", skills=("Whistling",))
    assert game.refuses(Buy(game.hero, unknown)) == "unknown-skill"
    game.does(Buy(game.hero, buys("weapons-master", "", 2, period="scene", skills=("Firearms",))))
    shot, punch = game.acts(game.hero, skill="Firearms"), game.acts(game.hero, skill="Brawling")
    assert game.refuses(UsePeriodDice(punch, "weapons-master:scene", 1)) == "wrong-skill"
    game.does(UsePeriodDice(shot, "weapons-master:scene", 1))
    more = buys("weapons-master", "", 3, period="scene", skills=("Firearms", "Brawling"))
    assert game.refuses(Buy(game.hero, more)) == "skills-named"


def test_floating_dice_are_laid_on_any_roll_and_return_with_their_period():
    game = table()
    game.gives(game.hero, "point", 60000)
    own = "floating-dice:scene"
    bought = the(
        game.does(Buy(game.hero, buys("floating-dice", "", 5, period="scene", multiplier="3/2"))), "LevelBought"
    )
    assert bought.cost == "45/2"
    talk = game.acts(game.hero, skill="Persuasion")
    game.does(UsePeriodDice(talk, own, 1))
    hit = hit_on_villain(game)
    game.does(RollDamage(hit, faces=(1, 1, 1, 1), raise_faces=(1,), floating={own: 1}))
    game.does(UsePeriodDice("", own, 1, whose=game.hero), by="ann")
    assert game.refuses(RollInitiative({game.hero: (1,) * 8})) == "wrong-dice-count"
    game.does(RollInitiative({game.hero: (1,) * 9, game.enigma: (1,) * 3, game.villain: (1,) * 5}))
    game.does(ApplyHarm(game.hero, unresistible=1))
    assert game.refuses(Heal(game.hero, 9, faces=(1, 1), floating={"action-hero:scene": 1})) == "not-floating"
    game.does(Heal(game.hero, 9, faces=(1, 1), floating={own: 1}))
    onto = game.new(ScoreHit(game.villain, game.hero, damage=1, lethality=5, net=2, location="torso"))
    game.does(RollDamage(onto, faces=(6,), raise_faces=(1,)))
    game.does(ResistDamage(onto, faces=(1,) * 6, floating={own: 1}))
    assert game.refuses(UsePeriodDice(talk, own, 1)) == "not-enough-dice"
    game.scene_ends(game.place)
    assert game.balance(f"character:{game.hero}/die:{own}") == 5


# --- N12: cards change hands, and are used creatively ---


def test_cards_are_traded_by_who_has_an_advantage_for_it():
    game = table()
    do = TradeCards(game.hero, game.enigma)
    assert game.refuses(do, by="ann") == "advantage-needed"
    trait = game.new(ProposeTrait(game.hero, "Sleight of hand", "", 2, allows="card-trade"), by="ann")
    assert game.refuses(do, by="ann") == "advantage-needed", "nobody has approved it"
    game.gives(game.hero, "point", 600)
    game.does(ApproveTrait(game.hero, trait))
    told = game.does(do, Agree(), Give("KS"), Give("QC"), by="ann")
    assert game.character(game.hero).hand == ("8C", "QC") and game.character(game.enigma).hand == ("9C", "KS")
    secret = [about for about in told.facts if type(about.fact).__name__ == "CardSwapped"]
    assert [about.audience for about in secret] == [(f"character:{id}", "gm") for id in (game.hero, game.enigma)]
    assert kinds_of(game.does(do, Decline(), by="ann")) == ["TradeDeclined"]
    conversation, _ = game.begin(do, "ann")
    assert isinstance(conversation.question, Ask) and conversation.question.seat == "bob"


def test_a_card_is_used_creatively_outside_an_action():
    game = table(("8C", "KS"))
    do = UseCard(game.hero, "8C", "An old friend works here.")
    assert kinds_of(game.does(do, Veto(), by="ann")) == ["ProposalVetoed"]
    change = the(game.does(do, Approve(), by="ann"), "StoryChanged").change
    assert game.character(game.hero).hand == ("KS",)
    game.does(Trump("", game.enigma, change, "9C"))
    game.scene_ends(game.place)
    later = the(game.does(UseCard(game.hero, "KS", "A year later."), Approve(), by="ann"), "StoryChanged")
    assert game.state(CAMPAIGN).story[later.change].text == "A year later.", "between scenes, too"
    game.does(VetoStory(later.change, "no"))
    assert game.character(game.hero).hand == ("KS",), "vetoed, it comes back"


# --- N13: recovery ---


def test_dodging_with_what_was_saved_breaks_a_recovery_off():
    game = table()
    dodge = game.acts(game.villain, roll_kind="dodge")
    game.does(RollDice(dodge, 0, (8, 8, 8)))
    game.does(DeclareRecovery(game.villain))
    assert attacked(game, dodge, 1) == 1
    assert game.refuses(CompleteRecovery(game.villain)) == "not-recovering"


def test_rolling_for_what_was_declared_before_breaks_it_off_and_is_not_refused():
    game = table()
    action = game.acts(game.hero)
    game.sets(game.hero, "pain", 2)
    game.does(DeclareRecovery(game.hero))
    assert "RecoveryPreEmpted" in kinds_of(game.rolls(action, 1, 2, 3, 4, 5))
    game.does(DeclareRecovery(game.hero))
    game.does(EndTurn())
    game.does(CompleteRecovery(game.hero))
    assert game.character(game.hero).pain == 1, "its T"


# --- N14: anybody narrates ---


@pytest.mark.parametrize("by", ["gm", "ann", "cleo"])
def test_anybody_narrates(by):
    game = Game()
    before = game.new(Narrate("The city never sleeps."), by=by)
    game.place = game.scene_begins()
    told = game.new(Narrate("It rains."), by=by)
    assert game.state(CAMPAIGN).story[before].seat == by
    game.does(AmendStory(told, "It pours."))
    game.does(VetoStory(before, "It is a village."))
    assert game.scene(game.place).story[told].text == "It pours." and game.state(CAMPAIGN).story[before].vetoed
    assert game.refuses(Narrate(" "), by=by) == "nothing-declared"
    if by != "gm":
        assert game.refuses(Narrate("He weeps.", game.villain), by=by) == "not-own-character"


# --- N15: who is gone ---


@pytest.mark.parametrize("how", ["dead", "retired", "sacrificed"])
def test_who_is_gone_neither_acts_nor_plays(how):
    game = table()
    game.gives(game.hero, "chip:white", 1)
    action, hit = game.acts(game.hero), hit_on_villain(game)
    leaves(game, game.hero, how)
    on, points = game.hero, (CardPoints(0, 1),)
    acts = [
        DeclareAction(on),
        RollDice(action, faces=(1,) * 5),
        PlayBeads(action, on, "add_dice"),
        PlayCard(action, on, "8C", points),
        Move(on),
        DeclareRecovery(on),
        ShiftFailure(action, on, element="action"),
        ExchangeChip(on, "white", {"plot": 2}),
        ChangeStory(on, 1, "x"),
        UseCard(on, "8C", "x"),
        ClaimSuccess(action, on),
        Trump(action, on, "roll", "8C"),
        SpendToken(action, "S"),
        ExchangeCard(on, "8C"),
    ]
    assert {game.refuses(do) for do in acts} == {"character-gone"}
    game.does(RollDamage(hit, faces=(6, 6, 1), raise_faces=(1,)))  # an earlier shot still hits


def leaves(game: Game, id: str, how: str) -> None:
    if how == "dead":
        game.does(SetStatus(id, "dead"))
    elif how == "retired":
        game.does(Retire(id, "tired"))
    else:
        game.does(Sacrifice(id, "for them"))


@pytest.mark.parametrize("how", ["dead", "retired", "sacrificed"])
def test_what_fell_to_them_goes_to_the_players_next_character(how):
    game = Game(nomination_quorum=1, arc_purse_enforced=False)
    session = game.session_begins()
    game.gives(game.hero, "chip:blue", 1)
    leaves(game, game.hero, how)
    game.does(AwardChip(game.hero, {"red": 1}, "for that"))
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    assert game.refuses(InheritChips(anna, game.enigma)) == "not-the-heir"
    bea = game.enrol("Bea", Sheet("hero"), "ann")
    assert game.refuses(InheritChips(bea, anna)) == "still-in-play"
    bonus = {"white": 1} if how == "sacrificed" else {}
    if not bonus:
        assert game.refuses(InheritChips(anna, game.hero, {"white": 1})) == "bonus-needs-sacrifice"
    game.does(InheritChips(anna, game.hero, bonus))
    assert game.chips(anna) == {"blue": 1, "red": 1, **bonus} and game.chips(game.hero) == {}
    assert game.refuses(InheritChips(anna, game.hero)) == "chips-not-held"
    if bonus:
        assert game.refuses(InheritChips(anna, game.hero, bonus)) == "already-inherited"
    game.does(CloseSession(session))
    game.does(Nominate("bob", game.hero), by="bob")
    game.does(TallyNominations())
    assert game.chips(anna)["white"] == 1 + len(bonus), "the session it fell in"
    later = game.session_begins()
    assert game.refuses(Nominate("bob", game.hero), by="bob") == "character-gone"
    assert game.refuses(AwardChip(game.hero, {"red": 1})) == "character-gone"
    game.session_ends(later)


def test_beads_that_buy_no_dice_are_refused():
    game = table()
    game.sets(game.hero, "fatigue", 5)
    action = game.acts(game.hero)
    assert game.refuses(PlayBeads(action, game.hero, "add_dice", 3)) == "no-dice-to-buy", "the third buys none"
    game.does(PlayBeads(action, game.hero, "add_dice", 2))
    game.does(RollDice(action, 0, (1, 1)))
    game.gives(game.enigma, "bead:drama", 3)
    code = game.acts(game.enigma, skill="Cryptography")
    worse = game.acts(game.enigma, skill="Cryptography")
    assert game.refuses(PlayBeads(worse, game.enigma, "add_dice", 1, "drama")) == "no-dice-to-buy"
    game.does(PlayBeads(worse, game.enigma, "add_dice", 2, "drama"))
    game.does(RollDice(code, 0, (1,)))


# --- N16: what decided a number is cited ---


def test_derivations_cite_active_values_and_the_one_pool():
    game = table()
    game.sets(game.hero, "damage", 3)
    told = game.rolls(game.acts(game.hero), 1, 2, 3)
    assert because(told, "moc.char.active") == [3]
    initiative = {game.hero: (1,) * 6, game.enigma: (1,) * 3, game.villain: (1,) * 5}
    assert because(game.does(RollInitiative(initiative)), "moc.char.active") == [3, 2, 3]
    assert because(game.does(Heal(game.hero, 9, faces=(1,))), "moc.char.active") == [1]
    onto = game.new(ScoreHit(game.villain, game.hero, damage=1, lethality=5, net=2, location="torso"))
    game.does(RollDamage(onto, faces=(1,), raise_faces=(1,)))
    assert because(game.does(ResistDamage(onto, faces=(1, 1, 1))), "moc.char.active") == [3]
    parts = (SubPool(1, "a leap", skill="Climbing"), SubPool(1, "a look", skill="Search"))
    split = the(game.does(DeclareAction(game.hero, parts=parts, tokens=(Token("S"),))), "ActionDeclared").action
    both = (CardPoints(0, 1, 0), CardPoints(0, 1, 1))
    laid = game.does(PlayCard(split, game.hero, "8C", both), by="ann")
    assert because(laid, "moc.split.one-pool") == ["related"]
