"""What Play adds to a Persona Sheet and strikes from it, agreed by the Player and the Gamemaster."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot.agreement import Agree, Decline, SpeakFor
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.listings import ListAdvantage
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.ratings import Default
from ledger.rules.scattershot.results import ChooseResults, Result
from ledger.rules.scattershot.sheet_in_play import (
    DisadvantageTaken,
    SheetChangeDeclined,
    StrikeTrait,
    TakeDisadvantage,
    TraitStruck,
)
from ledger.rules.scattershot.state import Advantage, Protection, Sheet
from tests.rules.scattershot.game import CID as CID_SHEET
from tests.rules.scattershot.game import Game
from tests.rules.scattershot.offering import may

ANN, BOB, CID, OGRE = "1", "2", "3", "4"


def invested(game: Game, id: str) -> int:
    return game.balance(f"character:{id}/dp:invested")


def test_a_player_takes_a_disadvantage_if_the_gamemaster_agrees():
    game = Game()
    before = invested(game, BOB)
    fact = game.only(game.does(TakeDisadvantage(BOB, "One Eye", 2, "the fire"), Agree(), by="bob"), DisadvantageTaken)
    assert (fact.disadvantage, fact.reason) == (Advantage("One Eye", 2), "the fire")
    assert [(one.name, one.value) for one in game.character(BOB).disadvantages] == [("Slow", 1), ("One Eye", 2)]
    assert invested(game, BOB) == before


def test_a_disadvantage_taken_in_play_is_as_the_campaign_lists_it():
    game = Game()
    game.does(ListAdvantage("No Thumbs", 3, -2, "with the hands", "Rowing"))
    game.does(TakeDisadvantage(BOB, "No Thumbs"), Agree(), by="bob")
    (_, gained) = game.character(BOB).disadvantages
    assert (gained.value, gained.modifier, gained.scope, gained.bars) == (3, -2, "with the hands", "Rowing")
    assert game.refuses(DeclareAction(BOB, "row", default=Default("Rowing", difficulty="easy"))) == "default-barred"


@pytest.mark.parametrize(
    ("trait", "name", "id", "points"),
    [
        ("advantage", "Dexterity", ANN, 1),
        ("disadvantage", "Reckless", ANN, 0),
        ("element", "hums", CID, 0),
        ("protection", "leather", BOB, 0),
    ],
)
def test_what_play_takes_away_is_struck_from_the_sheet(trait: Any, name: str, id: str, points: int):
    game = Game()
    before = game.view(character(id))
    had = invested(game, id)
    assert name in str(before)
    assert game.only(game.does(StrikeTrait(id, trait, name, "lost"), Agree()), TraitStruck).name == name
    held = {"element": "elements", "protection": "protection"}.get(trait, f"{trait}s")
    assert len(game.view(character(id))[held]) == len(before[held]) - 1
    assert invested(game, id) == had - points
    assert game.xd("ann") == 0


def test_an_element_and_a_further_piece_of_protection_take_their_point_with_them():
    game = Game()
    scales = tuple(Protection(name, bought="Firebolt") for name in ("coat", "gloves"))
    game.does(
        Enrol(
            "Mage",
            "gm",
            Sheet(special_abilities=CID_SHEET.special_abilities, protection=scales, elements=tuple("abcdef")),
        )
    )
    mage = game.everybody()[-1]
    had = invested(game, mage)
    game.does(StrikeTrait(mage, "protection", "coat"))
    assert (invested(game, mage), game.character(mage).protection) == (had - 1, scales[1:])
    game.does(StrikeTrait(mage, "protection", "gloves"))
    game.does(StrikeTrait(mage, "element", "c"))
    assert (invested(game, mage), game.character(mage).elements) == (had - 2, tuple("abdef"))


def test_a_wound_that_heals_is_struck():
    game = Game(wounds="intermediate")
    id = game.basic(4, who=BOB, subject=ANN)
    game.does(ReachOutcome(id))
    game.does(ChooseResults(id, (Result("damage", ANN, wound="a cut"),)))
    assert game.character(ANN).wounds == ("a cut",)
    game.does(StrikeTrait(ANN, "wound", "a cut", "a week of rest"), Agree(), by="ann")
    assert game.character(ANN).wounds == ()


def test_nothing_changes_on_the_sheet_unless_both_agree():
    game = Game()
    declined = game.does(StrikeTrait(ANN, "disadvantage", "Reckless"), Decline(), by="ann")
    assert [about.fact for about in declined.facts] == [SheetChangeDeclined(ANN, "Reckless", "gm")]
    declined = game.does(TakeDisadvantage(ANN, "Lame"), Decline())
    assert [about.fact for about in declined.facts] == [SheetChangeDeclined(ANN, "Lame", "ann")]
    assert len(game.character(ANN).disadvantages) == 2


def test_nobody_is_asked_about_the_gamemasters_own_characters():
    game = Game()
    game.does(TakeDisadvantage(OGRE, "Blind"))
    game.does(StrikeTrait(OGRE, "disadvantage", "Blind"))
    assert game.character(OGRE).disadvantages == ()


def test_a_gamemaster_can_answer_for_a_player_who_is_away():
    game = Game()
    verdict = game.does(TakeDisadvantage(ANN, "Lame"), SpeakFor(True, "She wrote so."))
    assert [one.given["spoken_for"] for one in verdict.because if "spoken_for" in one.given] == ["She wrote so."]


def test_who_may_change_a_sheet_and_what():
    game = Game()
    assert may(game, TakeDisadvantage(ANN, "Lame")) == ["gm", "ann"]
    assert may(game, StrikeTrait(ANN, "disadvantage", "Reckless")) == ["gm", "ann"]
    assert may(game, StrikeTrait(ANN, "wound", "Reckless")) == []
    assert game.refuses(StrikeTrait(ANN, "wound", "Reckless")) == "not-on-the-sheet"
    assert game.refuses(TakeDisadvantage(ANN, "Lame", 0)) == "bad-number"
    assert game.refuses(TakeDisadvantage(ANN, "Lame"), by="bob") == "not-proprietor"
