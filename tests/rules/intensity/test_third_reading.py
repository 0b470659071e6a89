"""The third reading, by its points; T6 is in `test_ruleset.py`."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.attacks import ChooseImpact
from ledger.rules.intensity.draft import Agree, Decline, SpeakFor
from ledger.rules.intensity.fatals import FatalUsed, FatalWithheld, UseFatal
from ledger.rules.intensity.impact import Mutilation, TraitMutilated
from ledger.rules.intensity.negotiation import BargainDeclined, Negotiate, OutcomeNegotiated
from ledger.rules.intensity.out_of_play import BringBack, BroughtBack, CharacterTakenOut, FatalLapsed, FatalUse, Fate
from ledger.rules.intensity.rounds import OpenRound
from ledger.rules.kernel.adjudication import Waiting
from ledger.rules.kernel.declarations import GM, find_declarer
from ledger.rules.kernel.moves import Among
from ledger.rules.kernel.offers import list_offers
from ledger.rules.kernel.phrases import sentence
from ledger.rules.kernel.questions import Ask, question_json
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character
from ledger.rules.kernel.world import PastRuling
from projections.wording import Wording
from tests.rules.intensity import situations as at
from tests.rules.intensity.game import Game, asked, facts_of, given_to, of_kind, steps
from tests.rules.intensity.situations import COMA
from tests.rules.intensity.test_sentences import People
from tests.rules.moves import viewers

# --- T7: one question for each player -----------------------------------------------------------------------------


def test_t7_the_trait_of_a_fatal_is_its_subjects():
    assert RULESET.labels["trait_used"] == "Trait used"


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
    return Wording(RULESET).word_question(question_json(asked))


def test_t3_a_bargain_is_shown_with_all_that_each_party_gives():
    game = given_to(at.succeeded(), Bea="q", Dan="q")
    deal = Negotiate((game.bea, game.ann), "She leaves", game.round.attack.id, passes=(game.bea,))
    assert question(game, deal, by="p") == (
        "“She leaves”. Ann's attack on Bea has no impact. Bea gives up the action. Do Bea and Ann agree?"
    )


def test_t3_fatals_of_a_bargain_are_shown_with_subject_result_and_words():
    game = two_tokens()
    cut = FatalUse(game.answer, "cut", "tax", "B", mutilation=Mutilation("A", 4))
    uses = (cut, FatalUse(game.third, use_as="wound", out="none"))
    deal = Negotiate((game.ann, game.ed, game.dan), "All is paid.", uses=uses, releases=(game.fatal,))
    assert question(game, deal, by="p") == (
        "“All is paid.” Ann gives up the fatal impact on Bea."
        " Ed uses the fatal impact on Ann as a wound. Ann stays in play."
        " Dan uses the fatal impact on Bea as a tax on B: “cut”. Bea's A is now a D4 for good. Bea stays in play."
        " Do Ann, Ed and Dan agree?"
    )


def test_t3_a_fatal_is_shown_with_subject_result_and_words():
    game = given_to(at.stand_off(), Bea="q")
    uses = UseFatal((FatalUse(game.fatal, "Shot.", out="scene"), FatalUse(game.answer, "cut down", out="permanent")))
    ann = "Ann uses the fatal impact on Bea: “Shot.” Bea is out of play until the scene ends."
    bea = "Bea uses the fatal impact on Ann: “cut down”. Ann is out of play for good."
    assert question(game, uses, by="p") == f"{bea} At the same time: {ann} Do you agree?"
    assert question(game, uses, by="q") == f"{ann} At the same time: {bea} Do you agree?"


def test_t3_what_is_declared_says_its_terms():
    names = People()
    use = FatalUse("9", "cut", "damage", "Quick", "permanent", "1", Mutilation("Quick", 0))
    told = "Sarah uses a fatal impact as damage on Quick: “cut”. The victim's Quick is lost for good."
    told += " The victim is out of play for good."
    assert sentence(RULESET.phrases.inputs[UseFatal], UseFatal((use,)), names) == told
    deal = Negotiate(("1", "2"), "Peace", uses=(use,), releases=("7", "8"), passes=("2",))
    assert sentence(RULESET.phrases.inputs[Negotiate], deal, names) == (
        f"A bargain is proposed between Sarah and Steve: “Peace”. {told} 2 fatal impacts are given up."
        " Steve gives up the action."
    )


# --- T4: control over a fate --------------------------------------------------------------------------------------


def test_t4_a_fate_can_last_a_time_in_words():
    """Longer than the scene; shorter than for ever."""
    game = at.in_a_coma()
    bea = game.view(character(game.bea))
    assert (bea["out"], bea["out_for"]) == ("time", COMA)
    game.close_scene()
    game.scene_id = game.open_scene()
    assert game.refuses(OpenRound((game.ann, game.bea))) == "character-out"
    taken = next(one for verdict in game.verdicts for one in of_kind(verdict, CharacterTakenOut))
    assert taken == CharacterTakenOut(game.bea, "time", f"fatal:{game.fatal}", COMA)


def test_t4_a_game_master_rules_that_the_time_is_over():
    game = at.in_a_coma()
    number = game.number
    assert game.refuses(BringBack(game.ann, "It is over.")) == "not-out-for-a-time"
    assert game.refuses(BringBack(game.bea, " ")) == "text-blank"
    assert find_declarer(BringBack) is GM
    assert facts_of(game.does(BringBack(game.bea, "She wakes up."))) == [BroughtBack(game.bea, "She wakes up.")]
    back = game.character(game.bea)
    assert (back.out, back.out_for) == (None, "")
    game.open(game.ann, game.bea)
    assert game.had(character(game.bea), number).out == "time"


def test_t4_overturned_the_fate_leaves_nothing_to_come_back_from():
    game = at.in_a_coma()
    number = game.number - 1
    game.does(BringBack(game.bea, "She wakes up."))
    had = game.had(character(game.bea), number)
    assert had.out is None and had.adrift == (BroughtBack(game.bea, "She wakes up."),)


@pytest.mark.parametrize(
    ("first", "then", "stays"),
    [("time", "scene", "time"), ("scene", "time", "time"), ("time", "permanent", "permanent")],
)
def test_t4_a_longer_fate_is_not_undone_by_a_shorter_one(first, then, stays):
    game = at.in_a_scene()
    state = game.character(game.bea)
    for until in (first, then):
        words = COMA if until == "time" else ""
        state = RULESET.apply(state, CharacterTakenOut(game.bea, until, "fatal:9", words))
    assert (state.out, state.out_for) == (stays, COMA if stays == "time" else "")


@pytest.mark.parametrize(("out", "words"), [("time", ""), ("time", " "), ("scene", COMA), (None, COMA), ("none", " ")])
def test_t4_how_long_is_said_for_a_time_alone(out, words):
    game = at.holding()
    assert game.refuses(UseFatal((FatalUse(game.fatal, "A blow.", out=out, out_for=words),))) == "out-for"
    at_once = ChooseImpact("fatal", at_once=Fate("A blow.", out=out, out_for=words))
    assert at.all_hit().refuses(at_once) == "out-for"


def test_t4_the_fatals_of_a_holder_out_for_a_time_lapse():
    """As for the scene; a fatal on somebody out for a time is still held."""
    game = at.stand_off()
    verdict = game.does(UseFatal((FatalUse(game.fatal, "A blow.", out="time", out_for=COMA),)))
    assert of_kind(verdict, FatalLapsed) == [FatalLapsed(game.answer)]
    game = at.holding()
    other = game.holds(game.dan, game.bea)
    verdict = game.does(UseFatal((FatalUse(game.fatal, "A blow.", out="time", out_for=COMA),)))
    assert of_kind(verdict, FatalLapsed) == [] and list(game.now.fatals) == [other]


def test_t4_one_use_mutilates_several_traits():
    lost = (Mutilation("A", 6), Mutilation("C", 0))
    game = at.holding()
    verdict = game.does(UseFatal((FatalUse(game.fatal, "Both hands.", mutilations=lost),)))
    assert [(one.trait, one.base) for one in of_kind(verdict, TraitMutilated)] == [("A", 6), ("C", 0)]
    assert game.sizes(game.bea) == [6, 8, 0]
    game = at.all_hit()
    game.does(ChooseImpact("fatal", at_once=Fate("Both hands.", mutilation=Mutilation("B", 4), mutilations=lost)))
    assert game.sizes(game.bea) == [6, 4, 0]


@pytest.mark.parametrize("first", [Mutilation("A", 4), None])
def test_t4_no_trait_is_mutilated_twice_in_one_use(first):
    game = at.holding()
    lost = (Mutilation("A", 6), *(() if first else (Mutilation("A", 0),)))
    use = FatalUse(game.fatal, "His hand.", mutilation=first, mutilations=lost)
    assert game.refuses(UseFatal((use,))) == "duplicate"


def test_t4_consent_shows_the_time_and_every_trait():
    game = given_to(at.holding(), Ann="q")
    lost = (Mutilation("A", 6), Mutilation("C", 0))
    use = FatalUse(game.fatal, "A blow.", out="time", out_for=COMA, mutilations=lost)
    assert question(game, UseFatal((use,)), by="gm") == (
        "Ann uses the fatal impact on Bea: “A blow.” Bea's A is now a D6 for good."
        " Bea's C is lost for good. Bea is out of play until a game master ends this: “three weeks of coma”."
        " Do you agree?"
    )


def test_t4_who_is_out_for_a_time_can_be_brought_back_between_scenes_too():
    game = at.in_a_coma()
    game.close_scene()
    (by,) = (one for one in viewers(game.past) if one.role == "gm")
    moves = [one.move for one in list_offers(RULESET, Seen(RULESET, game.past, by))]
    assert [move.fields["char"] for move in moves if move.do is BringBack] == [Among((game.bea,))]


def test_t3_a_fatal_on_somebody_whose_joining_was_overturned_is_still_given_up():
    """Random play found it: the name that the question shows is no longer there."""
    game = given_to(at.holding(), Dan="q")
    deal = Negotiate((game.ann, game.dan), "Enough.", releases=(game.fatal,))
    assert question(game, deal, by="p") == "“Enough.” Ann gives up the fatal impact on Bea. Do Ann and Dan agree?"
    _, table = game.begin(deal, "p")
    waiting = PastRuling(game.number, deal, table.by, table.scene, (), (), frozenset(), 1)
    outcome = game.without(int(game.bea)).then.readjudicate(waiting)
    assert isinstance(outcome, Waiting) and outcome.question.purpose.startswith(
        "“Enough.” Ann gives up the fatal impact on somebody."
    )
