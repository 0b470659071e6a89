"""What a table lists and agrees on: its weapons, and whatever the rules leave to the Group."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol, OpenSession
from ledger.rules.kernel.subjects import CAMPAIGN, character
from ledger.rules.scattershot.agreement import (
    Agree,
    ConsensusFailed,
    ConsensusReached,
    Decline,
    SeekConsensus,
    SpeakFor,
)
from ledger.rules.scattershot.flurries import StartFlurry
from ledger.rules.scattershot.game import Attend
from ledger.rules.scattershot.listings import ListAbility, ListWeapon
from ledger.rules.scattershot.mechanical_play import StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.resources import ListDamage, ResourceReduced
from ledger.rules.scattershot.results import ChooseResults, Result
from ledger.rules.scattershot.state import Sheet, Skill
from tests.rules.scattershot.game import Game
from tests.rules.scattershot.offering import may, offers

ANN, BOB, CID, OGRE = "1", "2", "3", "4"


# --- weapons ---------------------------------------------------------------------------------------------------------


def struck(game: Game, result: Result) -> int:
    id = game.basic(2, who=ANN, subject=OGRE)
    game.does(ReachOutcome(id))
    do = ChooseResults(id, (result,))
    assert not offers(game, do, "bob")
    return int(game.only(game.does(do, by="gm"), ResourceReduced).loss)


def test_a_listed_weapon_adds_what_the_campaign_says():
    game = Game()
    game.does(ListWeapon("war hammer", 4))
    game.does(ListWeapon("dagger", 2))
    assert game.view(CAMPAIGN)["weapons"] == {"war hammer": 4, "dagger": 2}
    assert [struck(game, Result("damage", OGRE, name)) for name in ("war hammer", "dagger", "long-sword")] == [6, 4, 5]
    game.does(ListDamage(ANN, "war hammer"))
    assert game.character(ANN).damages["4"][:3] == (4, 5, 6)
    game.does(Enrol("Smith", "ann", Sheet(weapons=("war hammer",))), by="ann")
    assert set(game.character(game.everybody()[-1]).damages) == {"0", "4"}


def test_a_weapon_is_listed_with_a_whole_number_from_0():
    assert Game().refuses(ListWeapon("spoon", -1)) == "bad-number"


@pytest.mark.parametrize(
    ("dial", "weapon", "who"),
    [
        ("free", 7, ["gm", "ann"]),
        ("listed", 7, ["gm"]),
        ("listed", 0, ["gm", "ann"]),
        ("listed", "dagger", ["gm", "ann"]),
        ("listed", "war hammer", ["gm", "ann"]),
        ("free", "spoon", []),
    ],
)
def test_who_may_strike_with_what(dial: str, weapon: object, who: list[str]):
    game = Game(weapon_numbers=dial)
    game.does(ListWeapon("war hammer", 4))
    id = game.basic(2, {OGRE: -3}, who=ANN)
    game.does(ReachOutcome(id))
    assert may(game, ChooseResults(id, (Result("damage", OGRE, weapon),))) == who


def test_a_sheet_carries_listed_weapons_where_the_table_says_so():
    armed = Enrol("Guard", "ann", Sheet(weapons=(7,)))
    assert Game(weapon_numbers="listed").refuses(armed, by="ann") == "beyond-the-listing"
    Game(weapon_numbers="listed").does(armed)
    Game().does(armed, by="ann")
    game = Game(weapon_numbers="listed", sheet_faults="warn")
    game.does(armed, by="ann")
    assert game.character(game.everybody()[-1]).deviations


# --- the Group -------------------------------------------------------------------------------------------------------

PRICE = SeekConsensus("magic", "Magic always has a price.")


def test_what_the_whole_group_agrees_on_is_kept():
    game = Game()
    verdict = game.does(PRICE, Agree(), Agree(), SpeakFor(True, "Cid wrote so."), by="ann")
    assert game.only(verdict, ConsensusReached) == ConsensusReached("magic", "Magic always has a price.", "")
    game.does(SeekConsensus("magic", "Magic is free.", True, "All three nod."))
    assert game.view(CAMPAIGN)["agreements"] == {"magic": "Magic is free."}


def test_one_player_who_declines_is_enough():
    game = Game()
    verdict = game.does(PRICE, Agree(), Decline(), by="ann")
    assert [about.fact for about in verdict.facts] == [ConsensusFailed("magic", "Magic always has a price.", "bob")]
    assert game.view(CAMPAIGN)["agreements"] == {}


def test_only_players_present_are_asked():
    game = Game()
    game.does(OpenSession())
    game.does(Attend(("gm", "ann")))
    assert game.only(game.does(PRICE, Agree(), by="ann"), ConsensusReached).subject == "magic"


@pytest.mark.parametrize(
    ("do", "by", "code"),
    [
        (SeekConsensus(" ", "text"), "ann", "no-agreement"),
        (SeekConsensus("magic", ""), "ann", "no-agreement"),
        (SeekConsensus("magic", "text", True, "so"), "ann", "not-proprietor"),
        (SeekConsensus("magic", "text", True), "gm", "no-reason"),
    ],
)
def test_what_is_not_asked_of_the_group(do: SeekConsensus, by: str, code: str):
    assert Game().refuses(do, by=by) == code


# --- abilities -------------------------------------------------------------------------------------------------------

JUDO = ListAbility("Judo", "easy", use="reactive", script=("block", "throw"))


def test_an_ability_has_the_application_and_the_script_of_its_listing():
    game = Game()
    game.does(JUDO)
    game.does(Enrol("Guard", "ann", Sheet(skills=(Skill("Judo", "easy", 1),))), by="ann")
    listed = game.view(character(game.everybody()[-1]))["listings"]["Judo"]
    assert (listed["use"], listed["script"]) == ("reactive", ["block", "throw"])


@pytest.mark.parametrize("own", [{"use": "instantaneous"}, {"script": ("throw", "throw")}])
def test_a_player_cannot_change_what_is_listed(own: dict[str, Any]):
    game = Game()
    game.does(JUDO)
    do = Enrol("Guard", "ann", Sheet(skills=(Skill("Judo", "easy", 1, **own),)))
    assert game.refuses(do, by="ann") == "beyond-the-listing"
    game.does(do)


def test_a_listed_type_is_kept_too():
    game = Game()
    game.does(ListAbility("Mana", "easy", special=True, ability_type="resource"))
    game.does(Enrol("Mage", "ann", Sheet(special_abilities=(Skill("Mana", "easy", 2),))), by="ann")
    assert "Mana" in game.view(character(game.everybody()[-1]))["resources"]
    do = Enrol("Mage", "ann", Sheet(special_abilities=(Skill("Mana", "easy", 2, ability_type="magnitude"),)))
    assert game.refuses(do, by="ann") == "beyond-the-listing"


def test_a_flurry_follows_the_script_that_is_listed():
    game = Game()
    game.does(ListAbility("Fencing", "intermediate", script=("riposte", "parry", "step")))
    game.fight(ANN, BOB, by="ann")
    game.does(StartTurn(ANN))
    assert may(game, StartFlurry(ANN, BOB, "Fencing", ("lunge", "lunge"))) == ["gm"]
    assert game.refuses(StartFlurry(ANN, BOB, "Fencing", ("lunge",)), by="ann") == "beyond-the-listing"
    assert may(game, StartFlurry(ANN, BOB, "Fencing", ("riposte", "parry", "step"))) == ["gm", "ann"]
    assert may(game, StartFlurry(ANN, BOB, "Fencing")) == ["gm", "ann"]
    assert may(game, StartFlurry(ANN, BOB, "Kicking", ("kick",))) == ["gm", "ann"]


def test_a_listing_takes_back_what_it_said():
    game = Game()
    game.does(JUDO)
    game.does(ListAbility("Judo", "easy"))
    assert game.view(CAMPAIGN)["uses"]["Judo"]["script"] == []
    game.does(Enrol("Guard", "ann", Sheet(skills=(Skill("Judo", "easy", 1, script=("throw",)),))), by="ann")
