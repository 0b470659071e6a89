"""What a game master found in play: words that say less than the rules do, and rules that did less than they say."""

from __future__ import annotations

from ledger.rules.mongrel.attacks import hit_kind
from ledger.rules.mongrel.inputs_of_strife import Attack, Pass
from ledger.rules.mongrel.tables import EXPERTISE
from ledger.rules.mongrel.terms import called
from projections.documents.systems import about
from tests.rules.mongrel.game import Game

# --- words -----------------------------------------------------------------------------------------------------------


def test_the_words_for_passing_say_that_it_costs_nothing() -> None:
    game = Game()
    game.conflict()
    before, head = game.ap(game.vooruk), game.queue[0]
    assert head == game.vooruk
    game.does(Pass(head, "looks around"))
    assert game.ap(head) == before
    assert "must have an Action Point left, but it costs none" in about(Pass)


def test_the_words_for_attacking_name_every_expertise_that_wounds() -> None:
    words = about(Attack).partition("`hit_kind`")[2].partition("`defend`")[0]
    named = {expertise for expertise in EXPERTISE if called(expertise) in words}
    assert named == {expertise for expertise in EXPERTISE if hit_kind(expertise, None) != "none"}
