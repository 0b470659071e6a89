"""The third reading, by its points; T6 is in `test_ruleset.py`."""

from __future__ import annotations

import pytest

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.choices import Agree, Decline, SpeakFor
from ledger.rules.intensity.facts_of_attacks import BargainDeclined, OutcomeNegotiated
from ledger.rules.intensity.facts_of_fatals import FatalUsed, FatalWithheld
from ledger.rules.intensity.inputs_of_fatals import FatalUse, Negotiate, UseFatal
from tests.rules.intensity import situations as at
from tests.rules.intensity.game import Game, asked, facts_of, given_to, of_kind, steps

# --- T7: one question for each player -----------------------------------------------------------------------------


def test_t7_the_trait_of_a_fatal_is_its_subjects():
    assert RULESET.labels["trait_used"] == "Hit through"


def test_t7_a_player_of_two_parties_is_asked_once():
    game = given_to(at.stand_off(), Bea="q", Dan="q")
    deal = Negotiate((game.ann, game.bea, game.dan), "Nobody shoots.", releases=(game.fatal, game.answer))
    assert asked(game, deal, by="p") == [("q", f"bargain:{game.bea}+{game.dan}")]
    declined = BargainDeclined(None, deal.parties, game.bea, deal.text)
    assert facts_of(game.says_to(deal, Decline(), by="p")) == [declined]
    verdict = game.says_to(deal, Agree(), by="p")
    assert of_kind(verdict, OutcomeNegotiated)
    assert steps(verdict, "intensity.negotiate.decline") == ["agreed", "agreed"]


def two_tokens(**dials: str) -> Game:
    """Ann (p) and Dan (q) each hold a fatal on Bea, and Ed (q) holds one on Ann."""
    game = given_to(at.holding(**dials), Bea="gm", Dan="q", Ed="q")
    game.answer = game.holds(game.dan, game.bea)
    game.third = game.holds(game.ed, game.ann)
    return game


@pytest.mark.parametrize(("word", "fact"), [(Agree(), FatalUsed), (SpeakFor(False, "He left."), FatalWithheld)])
def test_t7_a_player_of_two_tokens_is_asked_once(word, fact):
    game = two_tokens()
    uses = UseFatal((FatalUse(game.fatal, "shot"), FatalUse(game.answer, "cut"), FatalUse(game.third, "pushed")))
    slot = f"use:{game.answer}:{game.dan}+{game.third}:{game.ed}"
    assert asked(game, uses, by="p") == [("q", slot)]
    verdict = game.says_to(uses, word, by="p")
    assert [one.fatal for one in of_kind(verdict, fact)][-2:] == [game.answer, game.third]
    assert len(of_kind(verdict, FatalUsed)) == (3 if fact is FatalUsed else 1)


# --- T2: an answer falls with what it answers ---------------------------------------------------------------------


@pytest.mark.parametrize("by", ["q", "gm"])
@pytest.mark.parametrize("word", [Decline(), SpeakFor(False, "She would not.")])
def test_t2_when_the_first_use_is_declined_its_answers_do_not_happen(by, word):
    """The answer's fatal is still held, nobody is out, and nobody else is asked."""
    game = given_to(at.stand_off(), Bea="q")
    uses = UseFatal((FatalUse(game.fatal, "shot", out="scene"), FatalUse(game.answer, "shot too", out="scene")))
    assert asked(game, uses, word, by=by) == [("p", f"use:{game.fatal}:{game.ann}")]
    verdict = game.says_to(uses, word, by=by)
    assert facts_of(verdict) == [FatalWithheld(game.fatal), FatalWithheld(game.answer)]
    assert set(game.now.fatals) == {game.fatal, game.answer}
    assert "withheld" in steps(verdict, "intensity.fatal.use")


def test_t2_when_an_answer_is_declined_the_first_use_happens():
    game = two_tokens()
    uses = UseFatal((FatalUse(game.answer, "cut"), FatalUse(game.fatal, "shot"), FatalUse(game.third, "pushed")))
    assert asked(game, uses, Agree(), by="gm")[1] == ("p", f"use:{game.fatal}:{game.ann}")
    verdict = game.says_to(uses, Agree(), Decline(), by="gm")
    assert [one.fatal for one in of_kind(verdict, FatalUsed)] == [game.answer, game.third]
    assert of_kind(verdict, FatalWithheld) == [FatalWithheld(game.fatal)]
