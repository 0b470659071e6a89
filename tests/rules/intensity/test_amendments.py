"""The amendments of the second reading, by their numbers; N2, the healing moment, is in `test_healing_moment.py`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.attacks import Attack, AttackOpened, AttackResolved, ChooseImpact, Resolve, Waive
from ledger.rules.intensity.defence import DefenceChosen, Defend
from ledger.rules.intensity.draft import Agree, Decline, SpeakFor
from ledger.rules.intensity.fatals import FatalReleased, FatalUsed, FatalWithheld, ReleaseFatal, UseFatal
from ledger.rules.intensity.healing import (
    HealingChoice,
    HealingDeclined,
    HealingMoment,
    HealingMomentClosed,
    HealingPassedOver,
)
from ledger.rules.intensity.impact import Mutilation, TraitMutilated
from ledger.rules.intensity.levels_and_traits import IntensityRaised, Raise
from ledger.rules.intensity.negotiation import BargainDeclined, Negotiate, OutcomeNegotiated
from ledger.rules.intensity.opponents import NoteConflict
from ledger.rules.intensity.out_of_play import BroughtBack, FatalLapsed, FatalUse, Fate
from ledger.rules.intensity.rolling import DiceRolled, RollDice
from ledger.rules.intensity.rounds import CloseRound, Declare
from ledger.rules.intensity.scenes_and_rest import Rest
from ledger.rules.intensity.turns import ActionPassed, Pass
from ledger.rules.kernel import json_types
from ledger.rules.kernel.commands import Amend
from ledger.rules.kernel.declarations import find_chooser, find_kind
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene
from ledger.rules.kernel.world import PastRuling
from tests.rules.intensity import situations as at
from tests.rules.intensity.chance import reached
from tests.rules.intensity.game import Game, asked, facts_of, given_to, of_kind, steps, unfit

NIGHT = "a quiet night"


def moment(day: Any, *choices: tuple[Any, ...], **more: Any) -> HealingMoment:
    return HealingMoment(day, NIGHT, tuple(HealingChoice(*choice) for choice in choices), **more)


# --- N1: every use of a fatal by its own holder -------------------------------------------------------------------


def test_n1_a_use_by_another_than_its_holder_is_refused_wherever_it_stands():
    game = at.stand_off()
    first, other = FatalUse(game.fatal, "shot"), FatalUse(game.answer, "shot too", by=game.dan)
    assert game.refuses(UseFatal((first, other))) == "not-the-holder"
    assert game.refuses(UseFatal((replace(first, by=game.bea), FatalUse(game.answer, "x")))) == "not-the-holder"


def test_n1_the_players_of_the_other_holders_are_asked():
    game = given_to(at.stand_off(), Bea="q")
    uses = UseFatal((FatalUse(game.fatal, "shot", out="scene"), FatalUse(game.answer, "shot too")))
    assert asked(game, uses, by="p") == [("q", f"use:{game.answer}:{game.bea}")]
    assert asked(game, uses, by="q") == [("p", f"use:{game.fatal}:{game.ann}")]
    assert asked(game, uses, Agree(), by="gm") == [
        ("p", f"use:{game.fatal}:{game.ann}"),
        ("q", f"use:{game.answer}:{game.bea}"),
    ]
    verdict = game.says_to(uses, Agree(), by="p")
    assert [one.fatal for one in of_kind(verdict, FatalUsed)] == [game.fatal, game.answer]


def test_n1_a_holder_who_declines_uses_nothing():
    """The other use happens all the same, and what the holder who goes out keeps lapses as ever."""
    game = given_to(at.stand_off(), Bea="q")
    uses = UseFatal((FatalUse(game.fatal, "shot", out="scene"), FatalUse(game.answer, "shot too", out="scene")))
    verdict = game.says_to(uses, Decline(), by="p")
    assert of_kind(verdict, FatalWithheld) == [FatalWithheld(game.answer)]
    assert of_kind(verdict, FatalLapsed) == [FatalLapsed(game.answer)]
    assert (game.character(game.bea).out, game.character(game.ann).out) == ("scene", None)
    assert "declined" in steps(verdict, "intensity.fatal.use")


def test_n1_a_fatal_withheld_is_still_held():
    game = at.holding()
    verdict = game.says_to(UseFatal((FatalUse(game.fatal, "shot"),)), Decline())
    assert facts_of(verdict) == [FatalWithheld(game.fatal)]
    assert list(game.now.fatals) == [game.fatal]


def test_n1_a_game_master_speaks_for_the_holders_with_a_reason():
    game = at.stand_off()
    uses = (FatalUse(game.fatal, "shot"), FatalUse(game.answer, "shot too"))
    verdict = game.says_to(UseFatal(uses, "They said so before they left."), by="gm")
    assert len(of_kind(verdict, FatalUsed)) == 2
    assert game.refuses(UseFatal((), "They agree."), by="p") == "not-game-master"


def test_n1_nobody_is_asked_for_what_he_declares():
    """A player for the own characters; a game master for those nobody else plays."""
    game = given_to(at.stand_off(), Bea="gm")
    assert asked(game, UseFatal((FatalUse(game.fatal, "x"),)), by="p") == []
    assert asked(game, UseFatal((FatalUse(game.answer, "x"),)), by="gm") == []


def the_other_way_round(do: Any, other: dict[str, str]) -> Any:
    """The declaration with the two characters in each other's place."""
    match do:
        case Declare():
            return replace(do, char=other[do.char], target=other[do.target] if do.target else None)
        case RollDice():
            return replace(do, faces=tuple(replace(one, char=other[one.char]) for one in do.faces))
        case Attack():
            return replace(do, char=other[do.char])
    return do


def otherwise_held(game: Game, opened: int, one: str, another: str) -> None:
    """The hit that achieved the fatal in the round opened by that ruling was the other's, as told again."""
    past = game.beginning()
    for ruling in game.history:
        do = ruling.declared
        do = the_other_way_round(do, {one: another, another: one}) if ruling.number > opened else do
        past.tell(past.rule_again(replace(ruling, declared=do), 0).facts)
    game.past = past


@pytest.mark.parametrize("bargain", [False, True])
def test_n1_told_again_with_another_holder_it_is_nobodys_token(bargain):
    """The use that says no holder meant Ann; had Bea hit in her place, it is not Bea's token that is used."""
    game = Game()
    opened = game.number
    fatal = game.holds(game.ann, game.bea)
    uses = (FatalUse(fatal, "a lesson", "advantage"),)
    game.does(Negotiate((game.ann, game.bea), "so be it", uses=uses) if bargain else UseFatal(uses))
    assert game.history[-1].declared.uses[0].by == game.ann, "the holder is recorded"
    used: PastRuling = game.history.pop()
    otherwise_held(game, opened, game.ann, game.bea)
    assert game.now.fatals[fatal].holder == game.bea
    outcome = game.past.readjudicate(used)
    assert isinstance(outcome, Refused) and outcome.code == "not-the-holder"


# --- N3: consent is given, not claimed ----------------------------------------------------------------------------


def deal(game: Game, **more: Any) -> Negotiate:
    attack = game.round.attack.id
    return Negotiate((game.ann, game.bea, game.dan), "She leaves.", attack, **more)


def test_n3_the_player_of_each_party_is_asked():
    game = given_to(at.succeeded(), Bea="q", Dan="gm")
    consent = {name: f"bargain:{id}" for name, id in game.ids.items()}
    assert asked(game, deal(game), Agree(), by="p") == [("q", consent["Bea"]), ("gm", consent["Dan"])]
    assert asked(game, deal(game), Agree(), by="gm") == [("p", consent["Ann"]), ("q", consent["Bea"])]
    verdict = game.says_to(deal(game), Agree(), Agree(), by="p")
    assert [type(one) for one in facts_of(verdict)] == [OutcomeNegotiated]
    assert steps(verdict, "intensity.negotiate.decline") == ["agreed"] * 3


def test_n3_a_refusal_leaves_the_success_as_it_was():
    game = given_to(at.succeeded(), Bea="q", Dan="gm")
    before = game.now
    verdict = game.says_to(deal(game), Decline(), by="p")
    (declined,) = facts_of(verdict)
    assert declined == BargainDeclined(game.round.attack.id, deal(game).parties, game.bea, "She leaves.")
    assert game.now == before
    game.does(ChooseImpact("wound"))


def test_n3_a_game_master_says_so_with_a_reason():
    game = given_to(at.succeeded(), Bea="q", Dan="gm")
    told = deal(game, reason="They nodded.")
    assert asked(game, told, by="gm") == []
    assert game.refuses(told, by="p") == "not-game-master"
    assert unfit(game, deal(game), SpeakFor(True, " "), by="p") == "text-blank"
    verdict = game.says_to(deal(game), SpeakFor(True, "He is on the phone."), Agree(), by="p")
    assert of_kind(verdict, OutcomeNegotiated)
    spoken = [one.given.get("spoken_for") for one in verdict.because if one.rule == "intensity.negotiate.decline"]
    assert "He is on the phone." in spoken


def test_n3_consent_is_its_players_own():
    """Over the store nobody else says it: `find_chooser` is what the service goes by."""
    words = {find_kind(one): find_chooser(one) for one in RULESET.choices}
    assert words == {"agree": "asked", "decline": "asked", "speak-for": "gm", "heal": "asked", "close-moment": "gm"}


def test_n3_a_bargain_at_another_time_is_consented_to_as_well():
    game = given_to(at.stand_off(), Bea="q")
    trade = Negotiate((game.ann, game.bea), "Nobody shoots.", releases=(game.fatal, game.answer))
    assert asked(game, trade, by="q") == [("p", f"bargain:{game.ann}")]
    assert facts_of(game.says_to(trade, Decline(), by="q")) == [
        BargainDeclined(None, (game.ann, game.bea), game.ann, "Nobody shoots.")
    ]
    assert set(game.now.fatals) == {game.fatal, game.answer}


def test_n3_struck_the_consent_goes_with_its_bargain():
    game = given_to(at.succeeded(), Bea="q", Dan="gm")
    number = game.number
    game.says_to(deal(game), Agree(), Agree(), by="p")
    assert game.round.attack is None
    assert game.had(scene(game.scene_id), number).round.attack.success
    told = game.without(number).then.readjudicate(game.history[number - 1])
    assert told == game.verdicts[-1], "on the answers that were given"


# --- N4: mutilation -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("base", "sizes"), [(0, [0, 8, 8]), (4, [4, 8, 8]), (6, [6, 8, 8]), (10, [10, 8, 8])])
def test_n4_a_fatal_gives_a_trait_another_die_for_good(base, sizes):
    game = at.holding()
    number = game.number
    use = FatalUse(game.fatal, "his hand is crushed", mutilation=Mutilation("A", base))
    verdict = game.does(UseFatal((use,)))
    assert of_kind(verdict, TraitMutilated) == [TraitMutilated(game.bea, "A", base, f"fatal:{game.fatal}")]
    assert game.sizes(game.bea) == sizes
    assert game.character(game.bea).impacts == {}, "nothing that could heal"
    assert steps(verdict, "intensity.fatal.mutilation") == [base]
    assert game.had(character(game.bea), number).traits[0].base == 10


def test_n4_impacts_step_down_from_what_is_left():
    game = at.holding()
    game.does(UseFatal((FatalUse(game.fatal, "cut", "wound", mutilation=Mutilation("A", 6)),)))
    assert game.sizes(game.bea) == [4, 6, 6]
    game.duel("wound")
    assert game.sizes(game.bea) == [0, 4, 4]


def test_n4_in_the_ruling_that_achieved_it_and_in_a_bargain():
    game = at.all_hit()
    game.does(ChooseImpact("fatal", at_once=Fate("the eye", mutilation=Mutilation("B", 4))))
    assert game.sizes(game.bea) == [10, 4, 8]
    game.does(Pass(game.bea))
    game.does(CloseRound())
    fatal = game.holds(game.ann, game.dan)
    use = FatalUse(fatal, "a finger", mutilation=Mutilation("A", 0))
    game.does(Negotiate((game.ann, game.bea), "He pays.", uses=(use,)))
    assert game.sizes(game.dan) == [0, 6]


def test_n4_a_trait_at_none_cannot_be_declared():
    game = at.holding()
    game.does(UseFatal((FatalUse(game.fatal, "x", mutilation=Mutilation("A", 0)),)))
    game.open(game.ann, game.bea)
    assert game.refuses(Declare(game.bea, "calm", game.ann, "A")) == "trait-unusable"


@pytest.mark.parametrize("base", [4, 0])
def test_n4_the_table_may_set_a_base_too(base):
    game = Game()
    game.declare(Amend(f"character:{game.ann}", "traits/0/base", base, "an accident between scenes"))
    assert game.sizes(game.ann)[0] == base
    with pytest.raises(json_types.Misshapen):
        json_types.replace_at(game.character(game.ann), "traits/0/base", 12)


def test_n4_a_trait_that_is_not_there_is_mutilated_adrift():
    done = TraitMutilated("1", "Z", 4, "fatal:9")
    game = Game()
    assert RULESET.apply(game.character(game.ann), done).adrift == (done,)


# --- N5: words ----------------------------------------------------------------------------------------------------


def text_of(game: Game, do: Any, cls: type[Any]) -> str:
    return str(of_kind(game.does(do), cls)[0].text)


def test_n5_every_act_may_carry_words():
    game = at.declared()
    assert text_of(game, Raise(game.bea, "fanatical", "She snaps."), IntensityRaised) == "She snaps."
    game.rolls((game.ann, 9, 2), (game.bea, 7, 5), (game.dan, 3, 1))
    assert text_of(game, Attack(game.ann, text="A shove."), AttackOpened) == "A shove."
    assert text_of(game, Defend((), "She does not see it."), DefenceChosen) == "She does not see it."
    assert text_of(game, Resolve("It lands."), AttackResolved) == "It lands."
    game.does(Waive())
    assert text_of(game, Pass(game.bea, "Enough."), ActionPassed) == "Enough."


def test_n5_a_failed_attack_has_its_words():
    game = at.attacked()
    game.defend(("intensity", 10))
    (done,) = facts_of(game.does(Resolve("He ducks.")))
    assert (done.success, done.text) == (False, "He ducks.")


def test_n5_a_fatal_given_up_has_its_words():
    game = at.holding()
    assert text_of(game, ReleaseFatal(game.fatal, game.ann, "Not today."), FatalReleased) == "Not today."


@pytest.mark.parametrize("use_as", ["tax", "advantage", "damage", "wound"])
def test_n5_a_fatal_used_as_a_lower_impact_needs_no_words(use_as):
    game = at.holding()
    game.does(UseFatal((FatalUse(game.fatal, use_as=use_as, trait="A" if use_as == "tax" else None),)))
    game = at.all_hit()
    game.does(ChooseImpact("fatal", at_once=Fate(use_as=use_as, trait="A" if use_as == "tax" else None)))


def test_n5_blank_words_where_words_are_needed():
    game = at.hurt()
    assert game.refuses(HealingMoment(1, "  ")) == "text-blank"
    assert game.refuses(NoteConflict(game.ann, game.bea, "")) == "text-blank"
    assert game.refuses(HealingMoment(1, NIGHT, requested_by="Tilda")) == "unknown-character"


# --- N6: one size -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dial", "size"), [("all", 4), ("one_per_kind", 8)])
def test_n6_the_size_shown_is_the_die_that_is_rolled(dial, size):
    game = Game(stacking=dial)
    for _ in range(3):
        game.duel("wound")
    trait = game.view(character(game.bea))["traits"][0]
    assert trait == {"name": "A", "base": 10, "size": size}
    game.open(game.ann, game.bea)
    game.says(game.ann, game.bea)
    game.says(game.bea)
    (rolled,) = of_kind(game.does(RollDice(participants=(game.bea,)), 1, 1), DiceRolled)
    assert rolled.trait.size == size


# --- N7: derivations ----------------------------------------------------------------------------------------------


def test_n7_what_decides_is_cited():
    game = at.in_a_scene()
    cited = [one.rule for verdict in game.verdicts for one in verdict.because]
    assert "intensity.scene.open" in cited
    game.open(game.ann, game.bea)
    verdict = game.does(Declare(game.ann, "calm", game.bea, "A"))
    assert steps(verdict, "intensity.round.declare") == [game.ann]
    assert steps(verdict, "intensity.trait.one") == [10]
    game.says(game.bea, None, "fanatical")
    game.rolls((game.ann, 6, 9), (game.bea, 1, 1))
    assert steps(game.does(Attack(game.ann)), "intensity.order.turn") == [game.ann]


@pytest.mark.parametrize("impact", ["tax", "damage", "wound"])
def test_n7_the_impact_is_cited(impact):
    game = at.succeeded()
    verdict = game.does(ChooseImpact(impact, "A" if impact == "tax" else None))
    assert steps(verdict, f"intensity.impact.{impact}") == [str(game.number - 1)]


def test_n7_the_moment_is_cited():
    game = at.hurt()
    verdict = game.does(moment(1, (game.bea, "wound")))
    assert steps(verdict, "intensity.heal.when") == [NIGHT]
    assert steps(verdict, "intensity.heal.moment") == [[game.bea]]


# --- N8: readings -------------------------------------------------------------------------------------------------


def test_n8_where_fatals_lapse_one_holder_may_use_two():
    game = at.holding(held_fatal_when_holder_out="lapse")
    other = game.holds(game.ann, game.dan)
    game.does(UseFatal((FatalUse(game.fatal, "x", out="permanent"), FatalUse(other, "y", out="scene"))))
    assert game.now.fatals == {}


@pytest.mark.parametrize("bargain", [False, True])
@pytest.mark.parametrize(("out", "code"), [("permanent", "no-answer"), ("scene", "no-answer"), (None, "")])
def test_n8_where_fatals_lapse_nobody_answers_who_goes_out(bargain, out, code):
    game = at.stand_off(held_fatal_when_holder_out="lapse")
    uses = (FatalUse(game.fatal, "x", out=out), FatalUse(game.answer, "y"))
    do = Negotiate((game.ann, game.bea), "both", uses=uses) if bargain else UseFatal(uses)
    if code:
        assert game.refuses(do) == code
    else:
        assert len(of_kind(game.does(do), FatalUsed)) == 2


def test_n8_the_gone_neither_rest_nor_heal():
    game = at.gone()
    game.close_scene()
    assert game.refuses(Rest((game.bea,))) == "subject-gone"
    assert game.refuses(moment(1, (game.bea, "wound"))) == "subject-gone"
    verdict = game.does(moment(1, (game.bea, "none"), (game.ann, "none")))
    assert not of_kind(verdict, HealingDeclined)
    assert game.state(CAMPAIGN).healed_on == 1


# --- random play --------------------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_random_play_meets_what_is_new():
    new = {BargainDeclined, FatalWithheld, TraitMutilated, HealingMomentClosed, HealingPassedOver, BroughtBack}
    assert new - reached().told == set()
    codes = {
        "not-game-master",
        "not-your-character",
        "text-blank",
        "trait-base",
        "subject-gone",
        "not-the-holder",
        "out-for",
        "duplicate",
        "not-out-for-a-time",
        "must-heal",
        "not-healable",
        "nothing-to-heal",
        "unknown-character",
        "fate-text",
    }
    assert codes - reached().heard.codes == set()
