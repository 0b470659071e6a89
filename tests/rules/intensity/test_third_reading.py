"""The third reading, by its points; T6 is in `test_ruleset.py`."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.choices import Agree, Decline, SpeakFor
from ledger.rules.intensity.facts_of_attacks import BargainDeclined, OutcomeNegotiated
from ledger.rules.intensity.facts_of_fatals import FatalUsed, FatalWithheld
from ledger.rules.intensity.inputs_of_fatals import FatalUse, Mutilation, Negotiate, UseFatal
from ledger.rules.kernel.phrases import sentence
from ledger.rules.kernel.questions import Ask, question_json
from projections.wording import Wording
from tests.rules.intensity import situations as at
from tests.rules.intensity.game import Game, asked, facts_of, given_to, of_kind, steps
from tests.rules.intensity.test_sentences import People

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


# --- T3: consent shows its terms ----------------------------------------------------------------------------------


def question(game: Game, do: Any, by: str) -> str:
    """The words of the first question."""
    asked = game.begin(do, by)[0].question
    assert isinstance(asked, Ask)
    return Wording(RULESET).question(question_json(asked))


def test_t3_a_bargain_is_shown_with_all_that_each_party_gives():
    game = given_to(at.succeeded(), Bea="q", Dan="q")
    deal = Negotiate((game.bea, game.ann), "She leaves", game.round.attack.id, passes=(game.bea,))
    assert question(game, deal, by="p") == (
        "Do Bea and Ann agree? “She leaves”. The attack of Ann on Bea has no impact. Bea gives up the action."
    )


def test_t3_fatals_of_a_bargain_are_shown_with_subject_result_and_words():
    game = two_tokens()
    cut = FatalUse(game.answer, "cut", "tax", "B", mutilation=Mutilation("A", 4))
    uses = (cut, FatalUse(game.third, use_as="wound", out="none"))
    deal = Negotiate((game.ann, game.ed, game.dan), "All is paid.", uses=uses, releases=(game.fatal,))
    assert question(game, deal, by="p") == (
        "Do Ann, Ed and Dan agree? “All is paid.” Ann gives up the fatal impact on Bea."
        " Ed uses the fatal impact on Ann as a wound. Ann stays in play."
        " Dan uses the fatal impact on Bea as a tax on B: “cut”. Bea's A is a D4 from now on. Bea stays in play."
    )


def test_t3_a_fatal_is_shown_with_subject_result_and_words():
    game = given_to(at.stand_off(), Bea="q")
    uses = UseFatal((FatalUse(game.fatal, "Shot.", out="scene"), FatalUse(game.answer, "cut down", out="permanent")))
    ann = "Ann uses the fatal impact on Bea: “Shot.” Bea is out of play until the scene ends."
    bea = "Bea uses the fatal impact on Ann: “cut down”. Ann is out of play for good."
    assert question(game, uses, by="p") == f"Agreed? {bea} At the same time: {ann}"
    assert question(game, uses, by="q") == f"Agreed? {ann} At the same time: {bea}"


def test_t3_what_is_declared_says_its_terms():
    names = People()
    use = FatalUse("9", "cut", "damage", "Quick", "permanent", "1", Mutilation("Quick", 0))
    told = "Sarah uses a fatal impact as damage on Quick: “cut”. The victim's Quick is lost for good."
    told += " The victim is out of play for good."
    assert sentence(RULESET.phrases.inputs[UseFatal], UseFatal((use,)), names) == told
    deal = Negotiate(("1", "2"), "Peace", uses=(use,), releases=("7", "8"), passes=("2",))
    assert sentence(RULESET.phrases.inputs[Negotiate], deal, names) == (
        f"A bargain is offered between Sarah and Steve: “Peace”. {told} 2 fatal impacts are given up."
        " Steve gives up the action."
    )
