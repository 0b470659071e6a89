"""Every refusal code with what meets it. Where several apply at once, any is right; each stands here alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.rules.kernel.commands import SetDial
from ledger.rules.kernel.dials import check_opening_dials
from ledger.rules.kernel.refusals import Refused
from ledger.rules.mnemonic import RULESET
from ledger.rules.mnemonic.actions import DeclareAction, RuleCertain, RuleImpossible, RuleOrder
from ledger.rules.mnemonic.characters import Sheet
from ledger.rules.mnemonic.checks import EnterRoll, Resolve, RuleFluke
from ledger.rules.mnemonic.consequences import NarrateConsequence
from ledger.rules.mnemonic.featherweight import AssignAptitude
from ledger.rules.mnemonic.immunity import RateImportance, RuleImmunity
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.recovery import DeclareRecovery, RuleRecoveryRate
from ledger.rules.mnemonic.recovery_checks import NameRecovery, RuleRecoveryCheck
from ledger.rules.mnemonic.referee import SeatReferee
from ledger.rules.mnemonic.rolls import Card
from ledger.rules.mnemonic.rulings import RuleCheck
from ledger.rules.mnemonic.sessions import TakePart
from ledger.rules.mnemonic.traits import RateTrait, RateTraits, TraitName, TraitRating
from tests.rules.mnemonic.game import Game

QUICK, TOUGH, ROLE = TraitName("talent", "Quick"), TraitName("talent", "Tough"), TraitName("primary")
Case = tuple[dict[str, Any], Callable[[Game], Any], str]
SOURCE = Path(__file__).parents[3] / "ledger" / "rules" / "mnemonic"


def ladder(which: str, *rungs: tuple[Any, Any]) -> Callable[[Game], Any]:
    return lambda game: SetDial(f"{which}.ladder", [list(one) for one in rungs], "ours")


def dial(name: str, value: Any) -> Callable[[Game], Any]:
    return lambda game: SetDial(name, value, "ours")


def check(*traits: TraitName, **more: Any) -> Callable[[Game], Any]:
    return lambda game: RuleCheck(game.hero, more.pop("chances", "Even"), traits, **more)


def injury(**more: Any) -> Callable[[Game], Any]:
    def build(game: Game) -> Any:
        given = {"cause": "referee", "worst": "dead", "chances": "Even", "reason": "A fall.", **more}
        return RuleInjury(game.hero, **{name: one(game) if callable(one) else one for name, one in given.items()})

    return build


def roll(*numbers: Any, **more: Any) -> Callable[[Game], Any]:
    return lambda game: EnterRoll(game.check(), numbers, **more)


def cards(*entered: Card) -> Callable[[Game], Any]:
    return lambda game: EnterRoll(game.check(), cards=entered)


def voices(*rounds: tuple[Any, ...]) -> Callable[[Game], Any]:
    return lambda game: EnterRoll(game.check(), voices=rounds)


def rolled(*numbers: int, **more: Any) -> Callable[[Game], str]:
    """A check of the hero's that was rolled."""

    def build(game: Game) -> str:
        id = game.check(**more)
        game.roll(id, *numbers)
        return id

    return build


def spectacular_failure(game: Game, **more: Any) -> str:
    id = game.check(**more)
    game.roll(id, 12, 12, 12)
    game.fluke(id)
    return id


def dead(game: Game) -> str:
    game.roll(game.injury(worst="dead"), 12)
    return game.hero


def named_death(game: Game) -> Any:
    return NarrateConsequence(spectacular_failure(game), "It falls on her.", game.hero)


def drift(game: Game) -> Any:
    game.session()
    game.assign(ref=7, player=7)
    return AssignAptitude(game.hero, "aiming", 8)


def in_session(*given: Any, **more: Any) -> Callable[[Game], Any]:
    def build(game: Game) -> Any:
        game.session()
        return AssignAptitude(game.hero, *given, **more)

    return build


def of_the_goon(**more: Any) -> Callable[[Game], Any]:
    def build(game: Game) -> Any:
        game.session()
        return AssignAptitude(game.goon, "Aiming", 7, **more)

    return build


def second_injury(game: Game) -> Any:
    attack = game.check(game.hero)
    game.roll(attack, 1)
    game.injury(game.goon, cause="attack", cause_check=attack)
    return RuleInjury(game.goon, "attack", "dead", "Even", attack)


def used_assignment(game: Game) -> Any:
    game.session()
    id = game.assign(player=7).assignment
    game.check(assigned=id)
    return RuleCheck(game.hero, "Even", assigned=id)


def changed_importance(game: Game) -> Any:
    game.declare(RateImportance(game.hero, "Very"))
    game.injury()
    return RateImportance(game.hero, "Fairly")


def named_recovery(level: Any, face: int = 3) -> Callable[[Game], Any]:
    def build(game: Game) -> Any:
        game.hurt_to(3)
        id = game.recovery_check()
        game.roll(id, face)
        return NameRecovery(id, level)

    return build


def hurt(do: Callable[[Game], Any]) -> Callable[[Game], Any]:
    def build(game: Game) -> Any:
        game.hurt_to(3)
        return do(game)

    return build


def laid_out(worst: str, do: Callable[[Game], Any]) -> Callable[[Game], Any]:
    def build(game: Game) -> Any:
        game.roll(game.injury(worst=worst), 12)
        return do(game)

    return build


def impossible_dodge(victim: str, cause: str = "avoidance") -> Callable[[Game], Any]:
    def build(game: Game) -> Any:
        action = game.fact(game.declare(DeclareAction(game.hero, "Dodge")), "action-declared").action
        game.declare(RuleImpossible(action))
        return RuleInjury(getattr(game, victim), cause, "dead", "Even", action)

    return build


def twice(game: Game) -> Any:
    id = game.check()
    game.roll(id, 3)
    return EnterRoll(id, (3,))


def died_since(game: Game) -> Any:
    first = game.injury()
    dead(game)
    return EnterRoll(first, (1,))


FLUKES = {"flukes__on": True}
FIXED = {"dramatic__source": "important"}
PER_CHECK = {**FIXED, "dramatic__approach": "per_check"}
FEATHER = {"feather__mode": "hybrid"}
THREE = {"random__default": "three_dice"}
CARD = {"random__default": "one_card"}
THREE_CARDS = {"random__default": "three_card"}
VERBAL = {"random__default": "verbal"}
SUMMED = {**VERBAL, "random__verbal_rule": "sum_mod_12"}
LUCKY = {"dramatic__source": "lucky", "traits__unrated": "Very"}
REFEREE = {"recovery__check_reading": "referee"}

CASES: list[Case] = [
    # --- ladders and dials
    ({}, ladder("traits", ("Moderately", 1)), "ladder-too-short"),
    ({}, ladder("traits"), "ladder-too-short"),
    ({}, ladder("chances", ("Even", 0)), "ladder-too-short"),
    ({}, ladder("traits", ("Moderately", 1), ("  ", 2)), "name-empty"),
    ({}, ladder("traits", ("Moderately", 1), (None, 2)), "name-empty"),
    ({}, ladder("traits", ("Moderately", 1), ("MODERATELY ", 2)), "ladder-duplicate-name"),
    ({}, ladder("chances", ("Even", 1), ("even", 2)), "ladder-duplicate-name"),
    ({}, ladder("traits", ("Moderately", 1), ("Very", 2.5)), "ladder-not-integer"),
    ({}, ladder("traits", ("Moderately", 1), ("Very", True)), "ladder-not-integer"),
    ({}, ladder("chances", ("Even", "0"), ("Good", 1)), "ladder-not-integer"),
    ({}, ladder("traits", ("Moderately", 2), ("Very", 1)), "ladder-not-ascending"),
    ({}, ladder("chances", ("Even", 2), ("Good", -1)), "ladder-not-ascending"),
    ({}, ladder("traits", ("Low", -1), ("Moderately", 1)), "ladder-negative-rating"),
    ({}, ladder("traits", ("Low", 0), ("High", 1)), "ladder-without-primary-rating"),
    ({}, dial("traits.primary_rating", "Mighty"), "bad-dial"),
    ({}, dial("traits.unrated", "Mighty"), "bad-dial"),
    ({}, dial("random.ways", []), "bad-dial"),
    ({}, dial("random.ways", ["verbal"]), "bad-dial"),
    ({"random__ways": ["one_dice"]}, dial("random.default", "verbal"), "bad-dial"),
    ({}, dial("flukes.solid", 0), "bad-dial"),
    ({}, dial("flukes.solid", 6), "bad-dial"),
    ({}, dial("flukes.spectacular", 5), "bad-dial"),
    ({"flukes__solid": 7, "flukes__spectacular": 8}, dial("flukes.spectacular", 7), "bad-dial"),
    ({}, dial("feather.calibration_sessions", -1), "bad-dial"),
    ({}, dial("feather.similarity", -1), "bad-dial"),
    ({}, dial("feather.drift_tolerance", -1), "bad-dial"),
    ({}, dial("resist.talent", " "), "bad-dial"),
    ({}, dial("dramatic.label", ""), "bad-dial"),
    ({}, dial("status.names", ["Fading"]), "six-names-needed"),
    ({}, dial("status.names", ["Faint", "Rocky", "Bad", "Hurt", "Sore", "fAINT"]), "status-duplicate-name"),
    ({}, dial("status.names", ["Faint", "Rocky", "Bad", "Pained", "Sore", "Fine"]), "status-initial"),
    # --- traits
    ({}, lambda game: RateTrait(game.hero, "Strong", "talent", "Mighty"), "unknown-rating"),
    ({}, lambda game: RateTrait(game.hero, "Strong", "talent", " "), "unknown-rating"),
    ({}, lambda game: RateTrait(game.hero, " ", "talent", "Very"), "name-empty"),
    ({}, lambda game: RateTrait(game.hero, "Human", "primary", "Very"), "unknown-kind"),
    ({}, lambda game: RateTrait(game.hero, "Strong", "Talent", "Very"), "unknown-kind"),
    ({}, lambda game: RateTrait("nobody", "Strong", "talent", "Very"), "unknown-character"),
    ({}, check(QUICK, TraitName("talent", "Strong")), "unrated"),
    ({}, check(QUICK, TraitName("life", "Quick")), "unrated"),
    ({}, check(QUICK, TraitName("talent", " ")), "name-empty"),
    ({}, injury(talent=""), "name-empty"),
    ({}, hurt(lambda game: RuleRecoveryCheck(game.hero, "Even", talent="")), "name-empty"),
    (LUCKY, injury(talent="lucky "), "two-traits-needed"),
    ({}, check(QUICK), "two-traits-needed"),
    ({}, check(), "two-traits-needed"),
    ({}, check(QUICK, ROLE, TOUGH), "two-traits-needed"),
    ({}, check(QUICK, TraitName("talent", " quick ")), "two-traits-needed"),
    ({}, check(ROLE, ROLE), "two-traits-needed"),
    ({}, check(QUICK, TraitName("hobby", "Chess")), "unknown-kind"),
    ({}, check(QUICK, ROLE, chances="Splendid"), "unknown-chances"),
    ({}, check(QUICK, ROLE, method="coin"), "unknown-method"),
    ({"random__ways": ["one_dice"]}, check(QUICK, ROLE, method="verbal"), "unknown-method"),
    # --- rolls
    ({}, roll(0), "face-out-of-range"),
    ({}, roll(13), "face-out-of-range"),
    ({}, roll(True), "face-out-of-range"),
    ({}, roll("3"), "face-out-of-range"),
    ({}, roll(3, 4), "too-many-faces"),
    ({}, roll(1, 1), "too-many-faces"),
    ({}, roll(), "roll-again-needed"),
    (FLUKES, roll(1), "roll-again-needed"),
    (FLUKES, roll(12, 12), "roll-again-needed"),
    (FLUKES, roll(1, 12, 1), "too-many-faces"),
    (FLUKES, roll(5, 5), "too-many-faces"),
    (FLUKES, roll(1, 1, 1, 1), "too-many-faces"),
    (THREE, roll(3, 4), "three-faces-needed"),
    (THREE, roll(), "three-faces-needed"),
    (THREE, roll(3, 4, 5, 6), "three-faces-needed"),
    (THREE, roll(3, 4, 13), "face-out-of-range"),
    (CARD, cards(Card("K")), "redraw-king"),
    (CARD, cards(Card("king", "hearts")), "redraw-king"),
    (CARD, cards(Card("Joker")), "unknown-card"),
    (CARD, cards(Card("1")), "unknown-card"),
    (CARD, cards(Card(11)), "unknown-card"),
    (CARD, cards(Card(None)), "unknown-card"),
    (CARD, cards(Card("Q"), Card("A")), "too-many-faces"),
    (CARD, cards(), "roll-again-needed"),
    (THREE_CARDS, cards(Card("Q", "hearts"), Card("2"), Card("queen", " HEARTS")), "card-drawn-twice"),
    (THREE_CARDS, cards(Card("Q"), Card("2")), "three-faces-needed"),
    (VERBAL, roll(), "roll-again-needed"),
    (VERBAL, lambda game: EnterRoll(game.check()), "roll-again-needed"),
    (SUMMED, lambda game: EnterRoll(game.check()), "roll-again-needed"),
    (SUMMED, voices(), "roll-again-needed"),
    (SUMMED, voices((7,)), "too-few-voices"),
    (SUMMED, roll(7), "too-few-voices"),
    (SUMMED, voices((7, 13)), "face-out-of-range"),
    (SUMMED, voices((7, 3), (2, 2)), "too-many-faces"),
    ({}, cards(Card("Q")), "other-method"),
    ({}, voices((3, 4)), "other-method"),
    (CARD, lambda game: EnterRoll(game.check(), (3,), (Card("3"),)), "other-method"),
    ({}, twice, "out-of-order"),
    ({}, lambda game: EnterRoll("nothing", (3,)), "out-of-order"),
    # --- flukes
    (FLUKES, lambda game: RuleFluke(rolled(5)(game), True), "no-fluke"),
    (FLUKES, lambda game: RuleFluke(rolled(1, 5)(game), True), "no-fluke"),
    (FLUKES, lambda game: RuleFluke(rolled(1, 1, 5)(game), False), "reason-needed"),
    (FLUKES, lambda game: RuleFluke(game.check(), True), "out-of-order"),
    (FLUKES, lambda game: RuleFluke(spectacular_failure(game), True), "out-of-order"),
    (FLUKES, lambda game: Resolve(rolled(1, 1, 5)(game)), "fluke-ruling-needed"),
    ({}, lambda game: Resolve(rolled(5)(game)), "out-of-order"),
    ({}, lambda game: Resolve(game.check()), "out-of-order"),
    (FLUKES, named_death, "death-not-at-stake"),
    ({}, lambda game: NarrateConsequence(rolled(5)(game), "It breaks."), "cause-not-spectacular"),
    (FLUKES, lambda game: NarrateConsequence(rolled(1, 1, 1)(game), "It flies."), "cause-not-spectacular"),
    ({}, lambda game: NarrateConsequence("nothing", "It flies."), "cause-not-spectacular"),
    # --- steps and who takes them
    ({}, lambda game: RuleImpossible("nothing"), "out-of-order"),
    ({}, lambda game: RuleCertain("nothing"), "out-of-order"),
    ({}, lambda game: RuleCheck(game.hero, "Even", (QUICK, ROLE), action="nothing"), "out-of-order"),
    ({}, lambda game: RuleOrder((game.hero, "nobody")), "unknown-character"),
    ({}, lambda game: SeatReferee("nobody"), "unknown-seat"),
    ({}, lambda game: SeatReferee("eve"), "observer-seat"),
    ({}, lambda game: RuleImmunity(game.hero, "lucky"), "dramatic-off"),
    ({"dramatic__source": "lucky"}, lambda game: RateImportance(game.hero, "Very", "", "henchman"), "not-of-preset"),
    # --- injuries
    ({}, injury(cause="bad luck"), "unknown-cause"),
    ({}, injury(reason=" "), "reason-needed"),
    ({}, injury(cause="attack"), "cause-missing"),
    ({}, injury(cause="attack", cause_check="nothing"), "cause-not-success"),
    ({}, injury(cause="attack", cause_check=rolled(12)), "cause-not-success"),
    ({}, injury(cause="attack", cause_check=lambda game: game.check()), "cause-not-success"),
    ({}, injury(cause="avoidance", cause_check=rolled(1)), "cause-not-failure"),
    ({}, injury(cause="avoidance", cause_check="nothing"), "cause-not-failure"),
    ({}, lambda game: RuleInjury(game.goon, "avoidance", "dead", "Even", rolled(12)(game)), "cause-not-victim"),
    ({}, impossible_dodge("goon"), "cause-not-victim"),
    ({}, impossible_dodge("hero", "attack"), "cause-not-success"),
    (FLUKES, injury(cause="spectacular", cause_check=rolled(5)), "cause-not-spectacular"),
    (FLUKES, injury(cause="spectacular", cause_check=rolled(12, 12, 12)), "cause-not-spectacular"),
    ({}, second_injury, "already-injured"),
    ({}, injury(worst="asleep"), "unknown-condition"),
    ({}, injury(worst=""), "unknown-condition"),
    ({}, injury(chances="Splendid"), "unknown-chances"),
    ({}, injury(method="coin"), "unknown-method"),
    ({}, injury(talent="Sturdy"), "unrated"),
    ({}, injury(role="Boxer"), "unrated"),
    ({}, injury(life_roles=("Boxer",)), "unrated"),
    ({}, laid_out("dead", injury()), "dead"),
    ({}, died_since, "dead"),
    ({}, laid_out("unconscious", lambda game: DeclareAction(game.hero, "Speak", False)), "inactive"),
    ({}, laid_out("dead", lambda game: DeclareAction(game.hero, "Speak", False)), "inactive"),
    ({}, laid_out("immobilized", lambda game: DeclareAction(game.hero, "Jump")), "inactive"),
    ({}, laid_out("immobilized", check(QUICK, ROLE)), "inactive"),
    (
        {"status__immobilized_may": False},
        laid_out("immobilized", lambda game: DeclareAction(game.hero, "Curse", False)),
        "inactive",
    ),
    # --- recovery
    ({}, lambda game: DeclareRecovery(game.hero, 6), "not-an-improvement"),
    ({}, hurt(lambda game: DeclareRecovery(game.hero, 3)), "not-an-improvement"),
    ({}, hurt(lambda game: DeclareRecovery(game.hero, 4, treated_by="1")), "no-treatment"),
    ({}, hurt(lambda game: DeclareRecovery(game.hero, 0)), "bad-status"),
    ({}, hurt(lambda game: DeclareRecovery(game.hero, 7)), "bad-status"),
    ({}, hurt(lambda game: DeclareRecovery(game.hero, "Fine")), "bad-status"),
    ({}, laid_out("dead", lambda game: DeclareRecovery(game.hero, 1)), "dead"),
    ({}, laid_out("dead", lambda game: RuleRecoveryCheck(game.hero, "Even")), "dead"),
    ({"recovery__ways": ["check"]}, hurt(lambda game: DeclareRecovery(game.hero, 6)), "way-not-allowed"),
    ({"recovery__ways": ["declared"]}, hurt(lambda game: RuleRecoveryCheck(game.hero, "Even")), "way-not-allowed"),
    ({}, lambda game: RuleRecoveryCheck(game.hero, "Even"), "already-fine"),
    (REFEREE, named_recovery(None), "bad-status"),
    (REFEREE, named_recovery(7), "bad-status"),
    (REFEREE, named_recovery(3), "not-an-improvement"),
    (REFEREE, named_recovery(5, 12), "out-of-order"),
    ({}, named_recovery(5), "out-of-order"),
    ({}, lambda game: NameRecovery(game.check(), 5), "out-of-order"),
    # --- script immunity
    ({}, injury(importance="Very"), "dramatic-off"),
    ({}, lambda game: RateImportance(game.hero, "Very"), "dramatic-off"),
    (FIXED, injury(importance="Very"), "importance-not-ruled-here"),
    (FIXED, injury(), "unrated"),
    ({**FIXED, "traits__unrated": "Very"}, injury(), "unrated"),
    (FIXED, lambda game: RateImportance(game.hero, "Mighty"), "unknown-rating"),
    (FIXED, changed_importance, "reason-needed"),
    (PER_CHECK, injury(), "importance-needed"),
    (PER_CHECK, injury(importance="Mighty"), "unknown-rating"),
    (PER_CHECK, lambda game: RuleRecoveryCheck(game.goon, "Even"), "already-fine"),
    ({"dramatic__source": "lucky"}, injury(importance="Very"), "importance-not-ruled-here"),
    ({"dramatic__source": "lucky"}, injury(), "unrated"),
    ({**PER_CHECK, **FEATHER}, injury(importance="Very", assigned="1"), "importance-not-ruled-here"),
    # --- Featherweight
    ({}, in_session("Aiming", 7), "feather-off"),
    ({}, check(assigned="1"), "feather-off"),
    ({}, injury(assigned="1"), "feather-off"),
    ({"feather__mode": "on"}, check(QUICK, ROLE), "sheetless"),
    ({"feather__mode": "on"}, injury(), "sheetless"),
    (FEATHER, check(QUICK, ROLE, assigned="1"), "aptitude-twice"),
    (FEATHER, injury(talent="Tough", assigned="1"), "aptitude-twice"),
    (FEATHER, check(assigned="1"), "no-standing-aptitude"),
    (FEATHER, used_assignment, "no-standing-aptitude"),
    (FEATHER, lambda game: AssignAptitude(game.hero, "Aiming", 7, session="99"), "bad-session"),
    (FEATHER, in_session("Aiming", 7, session="99"), "bad-session"),
    (FEATHER, lambda game: TakePart((game.hero,)), "bad-session"),
    (FEATHER, in_session("  ", 7), "name-empty"),
    (FEATHER, in_session("Aiming"), "no-standing-aptitude"),
    (FEATHER, of_the_goon(agreed=7), "player-judgement-needed"),
    (FEATHER, of_the_goon(ask=True), "player-judgement-needed"),
    (FEATHER, in_session("Aiming", 13), "aptitude-out-of-range"),
    (FEATHER, in_session("Aiming", -1), "aptitude-out-of-range"),
    (FEATHER, in_session("Aiming", 7, agreed=2.5), "aptitude-out-of-range"),
    (FEATHER, in_session("Aiming", True), "aptitude-out-of-range"),
    (FEATHER, drift, "reason-needed"),
]


@pytest.mark.parametrize(
    ("dials", "do", "code"), CASES, ids=[f"{code}-{place}" for place, (_, _, code) in enumerate(CASES)]
)
def test_is_refused(dials, do, code):
    game = Game(**dials)
    assert game.refused(do(game)) == code


RULED = [
    lambda game: SeatReferee("ann"),
    lambda game: TakePart((game.hero,)),
    lambda game: RateTrait(game.hero, "Strong", "talent", "Very"),
    lambda game: RateTraits(game.hero, (TraitRating("Strong", "talent", "Very"),)),
    lambda game: RateImportance(game.hero, "Very"),
    lambda game: AssignAptitude(game.hero, "Aiming", 7),
    lambda game: RuleImmunity(game.hero, "lucky"),
    lambda game: RuleOrder((game.hero,)),
    lambda game: RuleImpossible("1"),
    lambda game: RuleCertain("1"),
    lambda game: RuleCheck(game.hero, "Even", (QUICK, ROLE)),
    lambda game: RuleFluke("1", True),
    lambda game: NarrateConsequence("1", "It breaks."),
    lambda game: RuleInjury(game.hero, "referee", "dead", "Even", reason="A fall."),
    lambda game: DeclareRecovery(game.hero, 6),
    lambda game: RuleRecoveryRate(game.hero, "A level a day"),
    lambda game: RuleRecoveryCheck(game.hero, "Even"),
    lambda game: NameRecovery("1", 6),
    lambda game: SetDial("flukes.on", True, "ours"),
]


@pytest.mark.parametrize("do", RULED)
@pytest.mark.parametrize("by", ["ann", "bob"])
def test_only_the_referee_rules(do, by):
    game = Game()
    assert game.refused(do(game), by) == "not-referee"


@pytest.mark.parametrize(
    "do",
    [
        lambda game: DeclareAction(game.hero, "Jump"),
        lambda game: EnterRoll(game.check(), (3,)),
    ],
)
def test_who_plays_the_character_declares_and_rolls(do):
    game = Game()
    assert game.refused(do(game), "bob") == "not-referee"
    game.declare(do(game), by="ann")
    game.declare(do(game), by="gm")


def test_the_referees_chair_can_be_handed_on():
    game = Game()
    game.declare(SeatReferee("bob"))
    assert game.refused(RuleOrder((game.hero,))) == "not-referee"
    assert game.refused(SeatReferee("ann"), "ann") == "not-referee"
    game.declare(RuleOrder((game.goon, game.hero)), by="bob")
    game.declare(SeatReferee("gm"), by="bob")
    game.declare(RuleOrder((game.hero,)))
    assert game.refused(RuleOrder((game.hero,)), "bob") == "not-referee"


def test_nobody_rules_where_ratings_are_hidden_from_game_masters_and_nobody_is_the_referee():
    game = Game(begin=False, dramatic__seen_by_gm=False)
    hero = game.enrol("Hero", Sheet(), "ann")
    for by in ("gm", "ann"):
        assert game.refused(RuleOrder((hero,)), by) == "no-referee"


def test_the_kernel_refuses_what_the_type_of_a_dial_excludes():
    game = Game()
    for name, value in (("flukes.on", 1), ("random.default", "coin"), ("flukes.solid", 4.0), ("status.names", "Fine")):
        assert game.refused(SetDial(name, value, "ours")) == "bad-dial"
    assert game.refused(SetDial("flukes.none", 1, "ours")) == "unknown-dial"


def test_every_code_is_met():
    """Whatever the game has a sentence for is in a test above."""
    met = {code for _, _, code in CASES} | {"not-referee", "no-referee"}
    assert set(RULESET.phrases.refusals) - met == set()


def test_a_campaign_cannot_open_with_a_ladder_that_is_none():
    """The same refusals as for a dial turned later (kernel: `check_opening_dials`)."""
    for ladder, code in (([["Low", 1]], "ladder-too-short"), ([["Low", 1], ["High", 0]], "ladder-not-ascending")):
        with pytest.raises(Refused) as refusal:
            check_opening_dials(RULESET, {"traits.ladder": ladder})
        assert refusal.value.code == code
    check_opening_dials(RULESET, {"traits.ladder": "tied"})
