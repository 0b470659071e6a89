"""Impact, advantage points, fatals and negotiation."""

from __future__ import annotations

import pytest

from ledger.rules.intensity.advantage_points import AdvantageGained, AdvantageSpent, DefenceDieRerolled, SpendAdvantage
from ledger.rules.intensity.attacks import ChooseImpact, ImpactChosen, ImpactWaived, Waive
from ledger.rules.intensity.fatals import FatalHeld, FatalReleased, FatalUsed, ReleaseFatal, UseFatal
from ledger.rules.intensity.impact import CharacterWounded, TraitDamaged, TraitTaxed
from ledger.rules.intensity.levels_and_traits import Raise
from ledger.rules.intensity.negotiation import ImpactAgreed, Negotiate, OutcomeNegotiated
from ledger.rules.intensity.out_of_play import (
    ActionLapsed,
    AttackLapsed,
    CharacterTakenOut,
    FatalLapsed,
    FatalUse,
    Fate,
)
from ledger.rules.intensity.rounds import CloseRound, OpenRound
from ledger.rules.intensity.scenes_and_rest import RestAllowed, ReturnedToPlay
from ledger.rules.intensity.state import INTENSITY
from ledger.rules.intensity.turns import ActionPassed, Pass
from ledger.rules.kernel.commands import CloseScene
from ledger.rules.kernel.subjects import character, scene
from tests.rules.intensity import situations as at
from tests.rules.intensity.game import Game, facts_of, of_kind, steps

IMPACTS = ["tax", "advantage", "damage", "wound", "fatal"]

# --- the rating ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "advantage", "damage", "wound", "fatal"),
    [("calm", 6, 8, 10, 14), ("invested", 4, 6, 8, 12), ("passionate", 2, 4, 6, 10), ("fanatical", 1, 2, 4, 8)],
)
def test_what_each_face_allows(level, advantage, damage, wound, fatal):
    """intensity.impact.ladder: the lowest counted die for each impact, by the defender's level."""
    for face in range(1, 13):
        game = Game()
        game.fight((game.ann, game.bea, "fanatical", "A", face, 1), (game.bea, None, level, "A", 1, 1))
        game.attack(game.ann)
        game.defend()
        verdict = game.declare_resolve()
        least = {"tax": 1, "advantage": advantage, "damage": damage, "wound": wound, "fatal": fatal}
        allowed = [impact for impact in IMPACTS if face >= least[impact]]
        assert steps(verdict, "intensity.impact.ladder") == [allowed]
        assert facts_of(verdict)[0].rating == face + INTENSITY[level]


def test_the_level_finally_declared_counts():
    """intensity.level.max-for-rating: after a raise; whatever the die shows, wherever it lies."""
    game = at.declared()
    game.does(Raise(game.bea, "fanatical"))
    game.rolls((game.ann, 9, 2), (game.bea, 7, 5), (game.dan, 3, 1))
    game.attack(game.ann)
    game.defend(("intensity", 3))
    assert game.resolve().rating == 21


def test_only_standing_dice_count_for_the_rating():
    """intensity.impact.rating: an attacker who picked up a 7 and keeps a 2 has 2 + maximum."""
    game = at.attacked()
    game.defend(("intensity", 9))
    game.resolve()
    game.does(Pass(game.bea))
    game.does(CloseRound())
    game.fight((game.ann, game.bea, "calm", "A", 6, 8), (game.bea, game.ann, "calm", "A", 2, 7))
    game.attack(game.ann)
    game.defend(("trait", 8))
    game.resolve()
    game.attack(game.bea)
    game.defend()
    resolved = game.resolve()
    assert (resolved.attack_value, resolved.rating) == (2, 8)


# --- what impacts do ----------------------------------------------------------------------------------------------


def test_a_tax_falls_on_any_trait():
    """intensity.impact.tax: used or not."""
    game = at.succeeded()
    attack = game.round.attack.id
    verdict = game.does(ChooseImpact("tax", "C", "she stammers"))
    impact = str(game.number - 1)
    assert facts_of(verdict) == [
        ImpactChosen(attack, "tax", "she stammers"),
        TraitTaxed(impact=impact, char=game.bea, trait="C", by=game.ann, cause=f"attack:{attack}"),
    ]
    assert game.sizes(game.bea) == [10, 8, 6]
    assert game.round.attack is None


def test_a_tax_on_the_trait_used():
    """tax_scope = trait_used"""
    game = at.succeeded(tax_scope="trait_used")
    game.does(ChooseImpact("tax", "A"))
    assert game.sizes(game.bea) == [8, 8, 8]


@pytest.mark.parametrize("named", [None, "A"])
def test_damage_falls_on_the_trait_rolled(named):
    """intensity.impact.damage: though its die was not picked up."""
    game = at.succeeded()
    verdict = game.does(ChooseImpact("damage", named))
    assert of_kind(verdict, TraitDamaged)[0].trait == "A"
    assert game.sizes(game.bea) == [8, 8, 8]


def test_a_wound_weighs_on_every_trait():
    game = at.succeeded()
    game.does(ChooseImpact("wound"))
    assert game.sizes(game.bea) == [8, 6, 6]


def test_advantage_belongs_to_the_pair():
    """intensity.ap.pair: the defender suffers nothing; minor characters gain too."""
    game = Game()
    game.fight((game.dan, game.ann, "fanatical", "A", 12, 1), (game.ann, None, "calm", "A", 1, 1))
    game.hit(game.dan, "advantage")
    assert (game.ap(game.dan, game.ann), game.ap(game.ann, game.dan)) == (1, 0)
    assert game.character(game.ann).impacts == {}


def test_an_impact_can_be_spent_at_once():
    """intensity.impact.immediate: a point gained serves the very next action."""
    game = Game()
    game.fight((game.ann, game.bea, "passionate", "A", 9, 1), (game.bea, game.ann, "invested", "A", 7, 2))
    game.hit(game.ann, "advantage")
    game.attack(game.bea)
    game.defend()
    assert game.refuses(SpendAdvantage(game.ann, "reroll")) == "no-defence-die"
    game.resolve()
    game.does(Waive())
    assert game.ap(game.ann, game.bea) == 1


def test_an_impact_may_be_waived():
    """intensity.impact.ladder [gap]"""
    game = at.succeeded()
    attack = game.round.attack.id
    assert facts_of(game.does(Waive("mercy"))) == [ImpactWaived(attack, "mercy")]
    assert game.round.attack is None


def test_a_struck_impact_leaves_the_sizes_as_they_were():
    game = at.succeeded()
    number = game.number
    game.does(ChooseImpact("wound"))
    assert game.had(character(game.bea), number).impacts == {}
    assert game.had(scene(game.scene_id), number).round.attack.success  # to be chosen again


# --- special effects ----------------------------------------------------------------------------------------------


def test_four_points_for_the_attack():
    """intensity.ap.spend: attack4 adds to attack and rating; twice adds eight."""
    game = at.attacked()
    game.gives(game.ann, game.bea, 2)
    first = game.does(SpendAdvantage(game.ann, "attack4"))
    assert facts_of(first) == [
        AdvantageSpent(
            holder=game.ann, against=game.bea, amount=4, effect="attack4", attack=game.round.attack.id, rating=None
        )
    ]
    game.does(SpendAdvantage(game.ann, "attack4"))
    game.defend(("intensity", 10), ("trait", 10))
    resolved = game.resolve()
    assert (resolved.attack_value, resolved.success, resolved.rating) == (17, True, 27)


def test_points_after_the_success_serve_the_rating():
    """ap_rating_deadline = outcome: worked out anew, the success stays."""
    game = at.succeeded()
    (spent,) = facts_of(game.does(SpendAdvantage(game.ann, "attack4")))
    assert spent.rating == 23
    (spent,) = facts_of(game.does(SpendAdvantage(game.ann, "maximum")))
    assert spent.rating == 24
    game.does(ChooseImpact("fatal"))


def test_points_without_effect_are_spent_all_the_same():
    game = at.attacked()
    game.does(SpendAdvantage(game.ann, "attack4"))
    game.defend(("intensity", 1))
    game.does(SpendAdvantage(game.bea, "defence4"))
    game.resolve()
    assert (game.ap(game.ann, game.bea), game.ap(game.bea, game.ann)) == (2, 3)


@pytest.mark.parametrize(
    ("intensity", "trait", "counted"), [(4, 6, 10), (6, 6, 12), (6, 4, 12), (12, 1, 12), (1, 10, 10)]
)
def test_the_maximum_of_the_highest_rolled(intensity, trait, counted):
    """intensity.ap.maximum: D12 and D10; of two equal faces the larger die."""
    game = Game()
    game.gives(game.ann, game.bea, 2)
    game.fight((game.ann, game.bea, "fanatical", "A", intensity, trait), (game.bea, None, "calm", "A", 1, 1))
    game.attack(game.ann)
    game.does(SpendAdvantage(game.ann, "maximum"))
    game.defend()
    resolved = game.resolve()
    assert (resolved.attack_value, resolved.rating) == (max(intensity, trait), counted + 6)


def test_a_reroll_replaces_the_face():
    """intensity.ap.reroll: better or worse, again and again."""
    game = at.defended()
    attack = game.round.attack.id
    verdict = game.does(SpendAdvantage(game.bea, "reroll", "intensity", 9))
    assert facts_of(verdict) == [
        AdvantageSpent(holder=game.bea, against=game.ann, amount=1, effect="reroll", attack=attack, rating=None),
        DefenceDieRerolled(attack, "intensity", 4, 9),
    ]
    game.does(SpendAdvantage(game.bea, "reroll"), 2)
    assert game.resolve().defence_value == 2
    assert game.ap(game.bea, game.ann) == 4


def test_the_attacker_may_force_a_reroll_where_the_table_has_it_so():
    """ap_force_reroll"""
    game = at.defended(ap_force_reroll=True)
    game.does(SpendAdvantage(game.ann, "reroll", "intensity", 1))
    assert game.resolve().defence_value == 1
    assert game.ap(game.ann, game.bea) == 5


def test_a_die_to_reroll_must_be_named_among_several():
    game = at.attacked()
    game.defend(("intensity", 4), ("trait", 3))
    assert game.refuses(SpendAdvantage(game.bea, "reroll")) == "no-such-die"
    game.does(SpendAdvantage(game.bea, "reroll", "trait", 9))
    assert game.resolve().defence_value == 9


def test_four_points_for_the_defence():
    """intensity.ap.defence4"""
    game = at.defended()
    game.does(SpendAdvantage(game.bea, "defence4"))
    game.does(SpendAdvantage(game.bea, "defence4"))
    resolved = game.resolve()
    assert (resolved.defence_value, resolved.success) == (12, False)


def test_four_points_on_nothing_where_the_table_has_it_so():
    """ap_defence_bonus_needs_roll = false"""
    game = at.let_stand(ap_defence_bonus_needs_roll=False)
    game.does(SpendAdvantage(game.bea, "defence4"))
    assert game.resolve().defence_value == 4


# --- fatals -------------------------------------------------------------------------------------------------------


def test_a_fatal_is_held():
    """intensity.fatal.achieve, hold: it binds the subject in no way."""
    game = at.all_hit()
    attack = game.round.attack.id
    verdict = game.does(ChooseImpact("fatal"))
    fatal = str(game.number - 1)
    assert of_kind(verdict, FatalHeld) == [
        FatalHeld(fatal=fatal, holder=game.ann, subject=game.bea, trait_used="A", attack=attack)
    ]
    game.attack(game.bea)
    game.does(UseFatal((FatalUse(fatal, "stopped", by=game.ann),)))
    assert game.round.attack is not None  # a free fate that takes nobody out


def test_a_fatal_used_in_the_ruling_that_achieved_it():
    """intensity.fatal.achieve: the books show it come and go."""
    game = at.all_hit()
    verdict = game.does(ChooseImpact("fatal", at_once=Fate("dead", out="permanent")))
    kinds = [type(fact) for fact in facts_of(verdict)]
    assert kinds == [
        ImpactChosen,
        FatalHeld,
        FatalUsed,
        CharacterTakenOut,
        ActionLapsed,
    ]
    assert game.balance(f"scene:{game.scene_id}/fatal:{game.ann}") == 0
    assert game.character(game.bea).out == "permanent"


@pytest.mark.parametrize(
    ("use_as", "trait", "sizes"),
    [("fate", None, [10, 8, 8]), ("tax", "B", [10, 6, 8]), ("damage", None, [8, 8, 8]), ("wound", None, [8, 6, 6])],
)
def test_a_fatal_as_a_lower_impact(use_as, trait, sizes):
    """intensity.fatal.use: without a rating check; damage on the trait used when it was achieved."""
    game = at.holding()
    verdict = game.does(UseFatal((FatalUse(game.fatal, "so it goes", use_as, trait),)))
    assert facts_of(verdict)[0] == FatalUsed(game.fatal, use_as, "so it goes", None)
    assert game.sizes(game.bea) == sizes
    assert game.now.fatals == {}
    if use_as != "fate":
        assert facts_of(verdict)[1].cause == f"fatal:{game.fatal}"


def test_a_fatal_as_an_advantage():
    game = at.holding()
    game.does(UseFatal((FatalUse(game.fatal, "she owes her", "advantage", out="none"),)))
    assert game.ap(game.ann, game.bea) == 1
    assert game.character(game.bea).out is None


def test_a_fatal_as_a_tax_where_only_the_trait_used_is_taxed():
    game = at.holding(tax_scope="trait_used")
    assert game.refuses(UseFatal((FatalUse(game.fatal, "x", "tax", "B"),))) == "not-the-trait-used"
    game.does(UseFatal((FatalUse(game.fatal, "x", "tax", "A"),)))


def test_a_holder_about_to_go_answers():
    """intensity.fatal.holder-out, answer_or_lapse: both are checked before either happens."""
    game = at.stand_off()
    uses = (FatalUse(game.fatal, "shot", out="permanent"), FatalUse(game.answer, "shot too", out="scene"))
    verdict = game.does(UseFatal(uses))
    assert len(of_kind(verdict, CharacterTakenOut)) == 2
    assert (game.character(game.bea).out, game.character(game.ann).out) == ("permanent", "scene")
    assert game.now.fatals == {}


@pytest.mark.parametrize(
    ("dial", "until", "left"),
    [
        ("answer_or_lapse", "scene", 0),
        ("lapse", "scene", 0),
        ("survive", "scene", 1),
        ("answer_or_lapse", "permanent", 0),
        ("survive", "permanent", 1),
    ],
)
def test_what_becomes_of_the_fatals_of_who_goes_out(dial, until, left):
    """intensity.fatal.holder-out: Bea goes out; what she holds on Ann lapses, or survives her."""
    game = at.stand_off(held_fatal_when_holder_out=dial)
    verdict = game.does(UseFatal((FatalUse(game.fatal, "shot", out=until),)))
    assert len(of_kind(verdict, FatalLapsed)) == 1 - left
    assert len(game.now.fatals) == left
    if left:
        game.does(UseFatal((FatalUse(game.answer, "her last wish", "wound"),)))


@pytest.mark.parametrize(("until", "left"), [("scene", 1), ("permanent", 0)])
def test_fatals_on_who_is_gone_for_good_lapse(until, left):
    """Always, whatever the dial: Cleo's fatal on Bea."""
    game = at.holding(held_fatal_when_holder_out="survive")
    other = game.holds(game.cleo, game.bea)
    game.does(UseFatal((FatalUse(game.fatal, "gone", out=until),)))
    assert list(game.now.fatals) == [other][:left]


def test_out_for_good_is_not_shortened():
    """intensity.fatal.out: two fates in one instant; the longer one counts."""
    game = at.holding()
    other = game.holds(game.cleo, game.bea)
    game.does(UseFatal((FatalUse(game.fatal, "dead", out="permanent"), FatalUse(other, "asleep", out="scene"))))
    assert game.character(game.bea).out == "permanent"


def test_the_scene_ends_being_out_for_it():
    """intensity.fatal.out, intensity.scene.close"""
    game = at.holding()
    game.does(UseFatal((FatalUse(game.fatal, "asleep", out="scene"),)))
    assert game.refuses(OpenRound((game.ann, game.bea))) == "character-out"
    verdict = game.close_scene()
    assert of_kind(verdict, ReturnedToPlay) == [ReturnedToPlay(game.bea)]
    assert game.character(game.bea).out is None
    assert at.gone().close_scene().facts[-1].fact == RestAllowed(game.scene_id)


@pytest.mark.parametrize("dial", ["must_settle", "lapses"])
def test_fatals_at_the_end_of_the_scene(dial):
    """intensity.fatal.scene-end"""
    game = at.holding(held_fatal_at_scene_end=dial)
    if dial == "must_settle":
        assert game.refuses(CloseScene(game.scene_id)) == "held-fatal-open"
        game.does(ReleaseFatal(game.fatal, game.ann))
        game.close_scene()
        return
    assert of_kind(game.close_scene(), FatalLapsed) == [FatalLapsed(game.fatal)]
    assert game.character(game.bea).out is None


# --- negotiation --------------------------------------------------------------------------------------------------


def test_an_impact_is_declined():
    """intensity.negotiate.decline: the attack is closed; other actions still come."""
    game = at.succeeded()
    attack = game.round.attack.id
    verdict = game.does(Negotiate((game.bea, game.ann, game.dan), "She leaves.", attack))
    assert facts_of(verdict) == [OutcomeNegotiated(attack, (game.bea, game.ann, game.dan), "She leaves.")]
    assert steps(verdict, "intensity.negotiate.fiction") == ["She leaves."]
    game.attack(game.bea)


def test_an_impact_can_be_part_of_a_bargain():
    """intensity.negotiate.impact, Example 3: Steve's and Louise's players decide, and he holds the fatal."""
    game = at.all_hit()
    attack = game.round.attack.id
    deal = Negotiate((game.ann, game.bea), "Ann uses her as a shield.", attack, impact="fatal")
    verdict = game.does(deal)
    assert facts_of(verdict)[:2] == [OutcomeNegotiated(attack, deal.parties, deal.text), ImpactAgreed(attack, "fatal")]
    (held,) = of_kind(verdict, FatalHeld)
    assert (held.holder, held.subject, held.trait_used) == (game.ann, game.bea, "A")
    assert game.round.attack is None


@pytest.mark.parametrize(
    ("impact", "trait", "made"),
    [
        ("tax", "B", TraitTaxed),
        ("damage", None, TraitDamaged),
        ("wound", None, CharacterWounded),
        ("advantage", None, AdvantageGained),
    ],
)
def test_a_lower_impact_can_be_agreed_on(impact, trait, made):
    game = at.succeeded()
    verdict = game.does(Negotiate((game.ann, game.bea), "She talks.", game.round.attack.id, impact=impact, trait=trait))
    assert [about.cause for about in of_kind(verdict, made)]
    assert steps(verdict, "intensity.negotiate.impact") == [impact]


def test_what_is_agreed_on_must_fit_the_attack():
    game = at.succeeded()  # rating 19
    both, attack = (game.ann, game.bea), game.round.attack.id
    assert game.refuses(Negotiate(both, "x", attack, impact="fatal")) == "above-rating"
    assert game.refuses(Negotiate(both, "x", attack, impact="kiss")) == "unknown-impact"
    assert game.refuses(Negotiate(both, "x", attack, impact="wound", trait="A")) == "no-trait-here"
    assert game.refuses(Negotiate(both, "x", attack, impact="damage", trait="B")) == "not-the-trait-used"
    assert game.refuses(Negotiate(both, "x", attack, trait="B")) == "no-trait-here"
    assert game.refuses(Negotiate(both, "x", passes=(game.bea,), impact="tax", trait="A")) == "no-impact-here"


def test_a_fatal_agreed_on_is_lost_with_a_holder_who_goes():
    """As part of the same bargain the attacker is taken out of play: what the attacker achieved is lost."""
    game = Game()
    fatal = game.holds(game.cleo, game.ann)
    game.fight((game.ann, game.bea, "fanatical", "A", 12, 1), (game.bea, game.ann, "fanatical", "A", 3, 2))
    game.attack(game.ann)
    game.defend()
    game.resolve()
    deal = Negotiate(
        (game.ann, game.bea, game.cleo),
        "Ann falls asleep.",
        game.round.attack.id,
        (FatalUse(fatal, "asleep", out="scene"),),
        impact="fatal",
    )
    verdict = game.does(deal)
    (held,) = of_kind(verdict, FatalHeld)
    assert [lost.fatal for lost in of_kind(verdict, FatalLapsed)] == [held.fatal]
    assert game.now.fatals == {} and game.balance(f"scene:{game.scene_id}/fatal:{game.ann}") == 0


def test_two_of_three_who_are_still_to_act_can_agree_without_the_third():
    game = at.in_a_scene()
    game.open(game.ann, game.bea, game.dan)
    game.says(game.ann, game.bea)
    game.says(game.bea, game.dan)
    game.says(game.dan, game.ann)
    game.rolls((game.ann, 9, 2), (game.bea, 7, 5), (game.dan, 3, 1))
    game.does(Negotiate((game.ann, game.bea), "Both hold back.", passes=(game.ann, game.bea)))
    assert [who.turn for who in game.scene(game.scene_id).round.participants.values()] == [
        "passed",
        "passed",
        "pending",
    ]


def test_a_bargain_leaves_an_open_attack_open():
    """intensity.negotiate.terms: at any other time; giving up a pending action is a part of it."""
    game = at.attacked()
    verdict = game.does(Negotiate((game.bea, game.dan), "Bea holds back.", passes=(game.bea,)))
    assert facts_of(verdict)[1:] == [ActionPassed(game.round.id, game.bea)]
    assert game.round.attack is not None
    assert game.round.participants[game.bea].turn == "passed"


def test_a_bargain_may_take_out_the_attacked():
    """The attack it leaves open lapses when it takes a side of it out."""
    game = Game()
    fatal = game.holds(game.cleo, game.bea)
    game.fight((game.ann, game.bea, "calm", "A", 5, 5), (game.bea, game.ann, "calm", "A", 1, 1))
    game.attack(game.ann)
    deal = Negotiate((game.cleo, game.dan), "Bea goes.", uses=(FatalUse(fatal, "asleep", out="scene"),))
    verdict = game.does(deal)
    assert of_kind(verdict, AttackLapsed)
    assert [one.char for one in of_kind(verdict, ActionLapsed)] == [game.bea]


def test_a_bargain_on_a_success_closes_it_once():
    """A fatal used on the attacker as part of it: the attack is closed by the bargain and does not lapse as well."""
    game = Game()
    fatal = game.holds(game.bea, game.ann)
    game.fight((game.ann, game.bea, "calm", "A", 5, 5), (game.bea, game.ann, "calm", "A", 1, 1))
    game.attack(game.ann)
    game.defend()
    game.resolve()
    deal = Negotiate(
        (game.ann, game.bea),
        "Ann sleeps, Bea stops.",
        game.round.attack.id,
        (FatalUse(fatal, "asleep", out="scene"),),
        passes=(game.bea,),
    )
    verdict = game.does(deal)
    assert not of_kind(verdict, AttackLapsed)
    assert not of_kind(verdict, ActionLapsed)  # given up, so it cannot lapse
    assert of_kind(verdict, ActionPassed)


def test_fatals_are_traded():
    """Example 4: both give up what they hold, and neither lapses."""
    game = at.stand_off()
    verdict = game.does(Negotiate((game.ann, game.bea), "Nobody shoots.", releases=(game.fatal, game.answer)))
    assert [type(fact) for fact in facts_of(verdict)[1:]] == [FatalReleased, FatalReleased]
    assert game.now.fatals == {}


def test_a_released_fatal_does_not_lapse_too():
    game = at.stand_off()
    deal = Negotiate(
        (game.ann, game.bea),
        "Bea goes, and lets Ann live.",
        uses=(FatalUse(game.fatal, "gone", out="permanent"),),
        releases=(game.answer,),
    )
    verdict = game.does(deal)
    assert not of_kind(verdict, FatalLapsed)
    assert len(of_kind(verdict, FatalReleased)) == 1


def test_a_struck_bargain_returns_the_fatals():
    """Section 7: released tokens return, the declined impact is open again."""
    game = at.stand_off()
    number = game.number
    game.does(Negotiate((game.ann, game.bea), "Nobody shoots.", releases=(game.fatal, game.answer)))
    assert set(game.had(scene(game.scene_id), number).fatals) == {game.fatal, game.answer}


# --- double entry -------------------------------------------------------------------------------------------------


def moved(verdict):
    """(source, target, amount), with ids left out."""
    return [(posting.source, posting.target, posting.amount) for about in verdict.facts for posting in about.postings]


def test_every_row_of_the_double_entry():
    game = at.succeeded()
    here, ann, bea = f"scene:{game.scene_id}", f"character:{game.ann}", f"character:{game.bea}"
    assert moved(game.verdicts[-4]) == [  # the roll
        ("bank/die", f"{here}/die:standing-{char}", 2) for char in (game.ann, game.bea, game.dan)
    ]
    assert moved(game.verdicts[-2]) == [(f"{here}/die:standing-{game.bea}", f"{here}/die:defence-{game.bea}", 1)]
    assert moved(game.does(SpendAdvantage(game.ann, "attack4"))) == [(f"{ann}/ap:{game.bea}", "bank/ap", 4)]
    verdict = game.does(ChooseImpact("fatal"))
    fatal = next(iter(game.now.fatals))
    assert moved(verdict) == [("bank/fatal", f"{here}/fatal:{game.ann}", 1)]
    assert moved(game.does(UseFatal((FatalUse(fatal, "cut", "wound"),)))) == [
        (f"{here}/fatal:{game.ann}", "bank/fatal", 1),
        ("bank/impact", f"{bea}/impact", 1),
    ]
    game.does(Pass(game.bea))
    assert set(moved(game.does(CloseRound()))) == {
        (f"{here}/die:standing-{game.ann}", "bank/die", 2),
        (f"{here}/die:standing-{game.bea}", "bank/die", 1),
        (f"{here}/die:defence-{game.bea}", "bank/die", 1),
        (f"{here}/die:standing-{game.dan}", "bank/die", 2),
    }


@pytest.mark.parametrize("impact", ["tax", "damage", "wound", "advantage"])
def test_what_an_impact_moves(impact):
    game = at.all_hit()
    verdict = game.does(ChooseImpact(impact, "A" if impact == "tax" else None))
    ann, bea = f"character:{game.ann}", f"character:{game.bea}"
    expected = ("bank/ap", f"{ann}/ap:{game.bea}", 1) if impact == "advantage" else ("bank/impact", f"{bea}/impact", 1)
    assert moved(verdict) == [expected]


@pytest.mark.parametrize("how", ["released", "lapsed"])
def test_a_fatal_goes_back_to_the_supply(how):
    game = at.holding(held_fatal_at_scene_end="lapses")
    verdict = game.does(ReleaseFatal(game.fatal, game.ann)) if how == "released" else game.close_scene()
    assert (f"scene:{game.scene_id}/fatal:{game.ann}", "bank/fatal", 1) in moved(verdict)
