"""Injuries, Status, recovery: causes, Aptitude to resist, results, the fold and its postings."""

from __future__ import annotations

from itertools import product

import pytest

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.subjects import character
from ledger.rules.mnemonic.actions import DeclareAction
from ledger.rules.mnemonic.characters import Sheet
from ledger.rules.mnemonic.checks import EnterRoll
from ledger.rules.mnemonic.consequences import NarrateConsequence
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.recovery import DeclareRecovery, RuleRecoveryRate
from ledger.rules.mnemonic.recovery_checks import NameRecovery, RuleRecoveryCheck
from ledger.rules.mnemonic.rulings import RuleCheck
from ledger.rules.mnemonic.status import Status, apply_injury, count_off, find_word, name_status, rise_by_one, rise_to
from ledger.rules.mnemonic.traits import TraitName
from ledger.rules.mnemonic.words import MNEMONIC, SEVERITY, STATUS_NAMES
from tests.rules.mnemonic.game import Game

CONDITIONS = SEVERITY
RATE = "mnemonic.recovery.rate"
EVERY = [Status(0, one) for one in CONDITIONS] + [Status(level) for level in range(1, 7)]
QUICK, ROLE = TraitName("talent", "Quick"), TraitName("primary")


def lost_and_regained(game: Game, id: str) -> tuple[int, int]:
    return game.balance(f"character:{id}/status:lost"), game.balance(f"character:{id}/status:regained")


# --- Status and its names -----------------------------------------------------------------------------------------


def test_a_new_character_is_fine():
    game = Game()
    assert game.status() == (6, None)
    seen = game.view(character(game.hero))
    assert seen["status"] == {"level": 6, "name": "Fine", "word": "Fires", "condition": None}
    assert seen["primary_role"] == "Adult Female Human"


@pytest.mark.parametrize(
    ("level", "word", "name"),
    [(level, *both) for level, both in enumerate(zip(MNEMONIC, STATUS_NAMES, strict=True), 1)],
)
def test_words_and_names(level, word, name):
    assert find_word(level) == word and name_status(Status(level), STATUS_NAMES) == name
    assert word[0] == name[0]
    assert find_word(0) is None


def test_names_can_be_replaced_for_all_to_see():
    game = Game()
    game.hurt_to(4)
    game.set_dial("status.names", ["Faint", "Rocky", "Beaten", "hobbled", "Sore", "Fit"])
    assert game.view(character(game.hero))["status"]["name"] == "hobbled"
    later = game.enrol("Later", Sheet())
    assert game.view(character(later))["status"]["name"] == "Fit"
    game.roll(game.injury(worst="immobilized"), 12)
    assert game.view(character(game.hero))["status"]["name"] == "Inactive (immobilized)"


@pytest.mark.parametrize(("successes", "level"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 6), (19, 6)])
def test_successes_are_counted_off(successes, level):
    assert count_off(successes) == level
    game = Game(chances__ladder=[["None", 0], ["Sure", 13]])
    game.rate(game.hero, "Tough", "Moderately")
    check = game.injury(chances="Sure" if successes > 6 else "None")
    face = 19 - successes + 1 if successes > 6 else 7 - successes
    verdict = game.roll(check, min(face, 12)) if successes != 7 else game.roll(check, 12)
    assert game.fact(verdict, "injury-resolved").level == level


@pytest.mark.parametrize("worst", CONDITIONS)
@pytest.mark.parametrize("face", [7, 9, 12])
def test_failure_of_any_size_is_the_worst_possibility(worst, face):
    game = Game()
    check = game.injury(worst=worst)
    assert game.ruled(check).life_or_death is (worst == "dead")
    game.roll(check, face)
    assert game.status() == (0, worst)


@pytest.mark.parametrize(("word", "worst"), [("incapacitated", "immobilized"), ("death", "dead")])
def test_other_words_for_the_worst(word, worst):
    game = Game()
    game.injury(worst=word)
    assert game.fact(game.verdicts[-1], "injury-ruled").worst == worst


# --- causes -------------------------------------------------------------------------------------------------------


def test_an_attack_several_victims_one_injury_each():
    game = Game()
    attack = game.check()
    game.roll(attack, 2)
    for victim in (game.goon, game.hero):
        game.injury(victim, cause="attack", cause_check=attack, reason="")
        ruled = game.fact(game.verdicts[-1], "injury-ruled")
        assert (ruled.seen_successes, ruled.seen_failures) == (5, None)
    assert game.refused(RuleInjury(game.goon, "attack", "dead", "Even", attack)) == "already-injured"


def test_a_failure_to_avoid_is_seen_by_its_failures():
    game = Game()
    dodge = game.check()
    game.roll(dodge, 9)
    game.injury(cause="avoidance", cause_check=dodge, reason="")
    ruled = game.fact(game.verdicts[-1], "injury-ruled")
    assert (ruled.seen_successes, ruled.seen_failures, ruled.primary_role) == (None, 3, "Adult Female Human")


def test_a_spectacular_failure_can_injure_by_a_new_resisting_check():
    game = Game(flukes__on=True)
    fumble = game.check()
    game.roll(fumble, 12, 12, 12)
    game.fluke(fumble)
    check = game.injury(cause="spectacular", cause_check=fumble, worst="dead", reason="")
    assert game.fact(game.verdicts[-1], "injury-ruled").seen_failures == 6
    game.roll(check, 11)
    assert game.status() == (0, "dead")


def test_a_void_fluke_is_no_cause():
    game = Game(flukes__on=True)
    fumble = game.check()
    game.roll(fumble, 12, 12, 12)
    game.fluke(fumble, False, "no way")
    do = RuleInjury(game.hero, "spectacular", "dead", "Even", fumble)
    assert game.refused(do) == "cause-not-spectacular"
    assert game.refused(NarrateConsequence(fumble, "It breaks.")) == "cause-not-spectacular"


# --- Aptitude to resist -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tough", "role", "floor", "aptitude", "kind"),
    [
        ("Fairly", None, True, 7, "primary"),
        ("Fairly", None, False, 7, "primary"),
        ("Fairly", "Very", True, 9, "life"),
        ("Fairly", "Moderately", True, 7, "life"),
        ("Fairly", "Not Very", True, 7, "primary"),
        ("Fairly", "Not Very", False, 5, "life"),
        ("Very", "Not at All", False, 5, "life"),
    ],
)
def test_talent_and_role(tough, role, floor, aptitude, kind):
    game = Game(resist__life_role_floor=floor)
    game.rate(game.hero, "Tough", tough)
    if role is not None:
        game.rate(game.hero, "Professional Boxer", role, kind="life")
    named = {"role": "professional boxer"} if role is not None else {}
    ruled = game.ruled(game.injury(**named))
    assert ruled.aptitude == aptitude
    assert [one.kind for one in ruled.traits] == ["talent", kind]


def test_the_referees_choice_of_a_low_life_role_stands():
    game = Game()
    game.rate(game.hero, "Infantryman", "Not Very", kind="life")
    assert game.ruled(game.injury(role="Infantryman")).traits[1].name == "Infantryman"


@pytest.mark.parametrize("rating", ["Not Very", "Moderately", "Very"])
def test_a_table_that_prefers_the_better_role_says_which_one_it_replaced(rating):
    game = Game(resist__life_role_floor=True)
    game.rate(game.hero, "Infantryman", rating, kind="life")
    game.injury(role="Infantryman")
    (chosen,) = (one for one in game.verdicts[-1].because if one.rule == "mnemonic.injury.aptitude")
    assert chosen.given.get("instead_of") == ("Infantryman" if rating == "Not Very" else None)


def test_the_best_of_several_life_roles_counts():
    game = Game()
    for name, rating in (("Boxer", "Fairly"), ("Fakir", "Extremely"), ("Sailor", "Not Very")):
        game.rate(game.hero, name, rating, kind="life")
    ruled = game.ruled(game.injury(role="Boxer", life_roles=("Sailor", "Fakir")))
    assert (ruled.aptitude, ruled.traits[1].name) == (9, "Fakir")


def test_another_talent_by_ruling_sheet_or_dial():
    game = Game(resist__talent="Grit")
    game.rate(game.hero, "Grit", "Very")
    assert game.ruled(game.injury()).aptitude == 8
    assert game.ruled(game.injury(talent="Tough")).aptitude == 6
    ship = game.enrol("Argo", Sheet("non_player_character", "Ship", " Sturdy "))
    game.rate(ship, "sturdy", "Extremely")
    assert game.ruled(game.injury(ship)).aptitude == 9


# --- injury on injury ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combine", ["worst", "replace"])
def test_how_an_injury_meets_the_status(combine):
    order = {None: 3, "immobilized": 2, "unconscious": 1, "dead": 0}
    for now, result in product(EVERY, EVERY):
        after = apply_injury(now, result, combine)
        if now.condition == "dead":
            assert after == now
        elif combine == "replace":
            assert after == result
        else:
            assert after == min(now, result, key=lambda one: (order[one.condition], one.level))


@pytest.mark.parametrize(("combine", "level"), [("worst", 4), ("replace", 6)])
def test_six_successes_do_not_heal_unless_they_replace(combine, level):
    game = Game(status__combine=combine)
    game.hurt_to(4)
    verdict = game.roll(game.injury(), 1)
    assert game.fact(verdict, "injury-resolved").combine == combine
    assert game.status() == (level, None)
    assert len(game.facts(verdict, "status-changed")) == (level == 6)


def test_the_way_of_combining_is_the_injurys_own():
    game = Game()
    game.hurt_to(3)
    check = game.injury()
    game.set_dial("status.combine", "replace")
    game.roll(check, 1)
    assert game.status() == (3, None)


def test_only_the_condition_changes_and_nothing_is_posted():
    game = Game()
    game.roll(game.injury(worst="immobilized"), 12)
    verdict = game.roll(game.injury(worst="dead"), 12)
    changed = game.fact(verdict, "status-changed")
    assert (changed.from_condition, changed.to_condition, changed.posting) == ("immobilized", "dead", 0)
    assert verdict.facts[-1].postings == ()
    assert lost_and_regained(game, game.hero) == (6, 0)


def test_a_milder_condition_does_not_replace_a_worse_one():
    game = Game()
    game.roll(game.injury(worst="unconscious"), 12)
    verdict = game.roll(game.injury(worst="immobilized"), 12)
    assert game.status() == (0, "unconscious")
    assert not game.facts(verdict, "status-changed")


# --- who may act --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("may", [True, False])
@pytest.mark.parametrize("physical", [True, False])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_the_inactive_attempt(may, physical, condition):
    game = Game(status__immobilized_may=may)
    game.roll(game.injury(worst=condition), 12)
    allowed = condition == "immobilized" and not physical and may
    for do in (
        DeclareAction(game.hero, "Something", physical),
        RuleCheck(game.hero, "Even", (QUICK, ROLE), physical=physical),
    ):
        if allowed:
            game.declare(do)
        else:
            assert game.refused(do) == "inactive"


def test_resisting_and_recovering_are_not_actions():
    game = Game()
    game.roll(game.injury(worst="unconscious"), 12)
    game.roll(game.injury(worst="unconscious"), 12)
    game.roll(game.recovery_check(), 3)
    assert game.status() == (4, None)


def test_a_check_ruled_before_the_blow_may_still_be_rolled():
    game = Game()
    check = game.check()
    game.roll(game.injury(worst="unconscious"), 12)
    assert game.result(game.roll(check, 3)) == (3, 4, 0)


# --- recovery -----------------------------------------------------------------------------------------------------


def test_declared_recovery_keeps_what_it_was_judged_by():
    game = Game()
    game.hurt_to(1)
    verdict = game.declare(DeclareRecovery(game.hero, 4, "moments", "rest", "a boxer"))
    done = game.fact(verdict, "recovery-declared")
    assert (done.to, done.elapsed, done.treatment, done.reason) == (4, "moments", "rest", "a boxer")
    changed = game.fact(verdict, "status-changed")
    assert (changed.from_level, changed.to_level, changed.posting) == (1, 4, 3)
    assert changed.cause == f"recovery/{done.recovery}"
    assert lost_and_regained(game, game.hero) == (5, 3)


@pytest.mark.parametrize("condition", ["immobilized", "unconscious"])
@pytest.mark.parametrize("level", range(1, 7))
def test_the_inactive_recover_to_any_level(condition, level):
    game = Game()
    game.roll(game.injury(worst=condition), 12)
    game.recover(level)
    assert game.status() == (level, None)


def test_a_rate_of_recovery_stands_beside_every_recovery_until_the_character_is_fine():
    """A boxer on the canvas: Hurt in a few moments, Fine in a week at most."""
    game = Game()
    rate = "Hurt in a few moments, Fine in a week at most"
    assert game.refused(RuleRecoveryRate(game.hero, rate)) == "already-fine"
    game.hurt_to(1)
    assert game.refused(RuleRecoveryRate(game.hero, rate), by="ann") == "not-referee"
    verdict = game.declare(RuleRecoveryRate(game.hero, f" {rate} ", "He can clear his head."))
    told = game.fact(verdict, "recovery-rate-ruled")
    assert (told.rate, told.replaces, told.reason) == (rate, "", "He can clear his head.")
    assert game.view(character(game.hero), "ann")["recovery_rate"] == rate
    ruled = game.declare(RuleRecoveryCheck(game.hero, "Even"))
    for given in (
        next(one.given for one in verdict.because if one.rule == RATE) for verdict in (ruled, game.recover(4))
    ):
        assert given["rate"] == rate
    assert game.view(character(game.hero))["recovery_rate"] == rate
    healed = game.number
    game.recover(6)
    assert "recovery_rate" not in game.view(character(game.hero))
    assert game.after(game.without(healed), character(game.hero)).recovery_rate == rate
    game.hurt_to(3)
    verdict = game.recover(4)
    assert "rate" not in next(one.given for one in verdict.because if one.rule == RATE)


def test_a_rate_of_recovery_is_replaced_or_withdrawn():
    game = Game()
    game.hurt_to(1)
    game.declare(RuleRecoveryRate(game.hero, "A level a day"))
    assert game.fact(game.declare(RuleRecoveryRate(game.hero, "A level a week")), "recovery-rate-ruled").replaces
    game.declare(RuleRecoveryRate(game.hero))
    assert "recovery_rate" not in game.view(character(game.hero))
    game.roll(game.injury(worst="dead"), 12)
    assert game.refused(RuleRecoveryRate(game.hero, "Never")) == "dead"


def test_a_rate_of_recovery_loses_its_support_with_the_injury():
    game = Game()
    hurt = game.number
    game.hurt_to(1)
    game.declare(RuleRecoveryRate(game.hero, "A level a day"))
    assert game.after(game.without(hurt, hurt + 1), character(game.hero)).recovery_rate == ""


def test_risen_and_stepped():
    for now in EVERY:
        for to in range(7):
            expected = now if now.condition == "dead" or to <= now.level else Status(to)
            assert rise_to(now, to) == expected
        one_up = now if now.condition == "dead" or now.level == 6 else Status(now.level + 1)
        assert rise_by_one(now) == one_up


@pytest.mark.parametrize("reading", ["mnemonic", "step", "referee"])
@pytest.mark.parametrize(("before", "face"), list(product(range(6), (1, 2, 4, 5, 6, 7, 12))))
def test_recovery_by_a_check(reading, before, face):
    game = Game(recovery__check_reading=reading)
    game.hurt_to(before)
    check = game.recovery_check()
    verdict = game.roll(check, face)
    successes = max(0, 7 - face)
    checked = game.facts(verdict, "recovery-checked")
    level = before
    if reading == "referee" and successes:
        assert not checked
        named = game.declare(NameRecovery(check, 6))
        assert game.fact(named, "recovery-checked").to == level + (6 - before) == 6
        assert game.refused(NameRecovery(check, 6)) == "out-of-order"
        level = 6
    elif successes:
        to, step = (successes, False) if reading == "mnemonic" else (None, True)
        assert (checked[0].reading, checked[0].to, checked[0].step) == (reading, to, step)
        level = max(before, successes) if reading == "mnemonic" else before + 1
    elif reading == "referee":
        assert not checked and game.refused(NameRecovery(check, 6)) == "out-of-order"
    else:
        assert (checked[0].to, checked[0].step) == (None, False)
    assert game.status()[0] == level
    lost, regained = lost_and_regained(game, game.hero)
    assert 6 - lost + regained == level


def test_a_recovery_check_is_the_resisting_check_made_anew():
    game = Game()
    game.rate(game.hero, "Boxer", "Extremely", kind="life")
    game.hurt_to(2)
    ruled = game.ruled(game.recovery_check(role="boxer", chances="Bad"))
    assert (ruled.purpose, ruled.aptitude, ruled.chances_number, ruled.life_or_death) == ("recovery", 9, -4, False)


def test_fine_in_the_meantime_changes_nothing():
    game = Game()
    game.hurt_to(2)
    check = game.recovery_check()
    game.recover(6)
    verdict = game.roll(check, 1)
    assert game.status() == (6, None)
    assert not game.facts(verdict, "status-changed")


@pytest.mark.parametrize("at_stake", [True, False])
def test_a_recovery_check_can_be_a_matter_of_life_and_death(at_stake):
    game = Game(flukes__on=True)
    game.hurt_to(2)
    crisis = game.recovery_check(life_or_death=at_stake)
    game.roll(crisis, 12, 12, 12)
    game.fluke(crisis)
    do = NarrateConsequence(crisis, "The fever kills her.", game.hero)
    if at_stake:
        game.declare(do)
    else:
        assert game.refused(do) == "death-not-at-stake"
    assert game.status() == ((0, "dead") if at_stake else (2, None))


# --- deaths by Spectacular Failure --------------------------------------------------------------------------------


@pytest.mark.parametrize("guard", ["refuse", "warn", "off"])
@pytest.mark.parametrize("at_stake", [True, False])
def test_a_death_must_have_been_at_stake(guard, at_stake):
    game = Game(flukes__on=True, flukes__death_guard=guard)
    fumble = game.check(life_or_death=at_stake)
    game.roll(fumble, 12, 12, 12)
    game.fluke(fumble)
    do = NarrateConsequence(fumble, "The ceiling falls.", game.goon)
    if guard == "refuse" and not at_stake:
        assert game.refused(do) == "death-not-at-stake"
        return
    verdict = game.declare(do)
    narrated = game.fact(verdict, "consequence-narrated")
    assert (narrated.death, narrated.marked) == (game.goon, guard == "warn" and not at_stake)
    assert game.fact(verdict, "injury-resolved").condition == "dead"
    assert game.fact(verdict, "status-changed").posting == -6
    assert game.status(game.goon) == (0, "dead")
    again = game.declare(do)
    assert [one.fact.fact_kind for one in again.facts] == ["consequence-narrated@2"]
    assert game.refused(RuleInjury(game.goon, "spectacular", "dead", "Even", fumble)) == "dead"


def test_a_spectacular_success_kills_nobody():
    game = Game(flukes__on=True)
    feat = game.check(life_or_death=True)
    game.roll(feat, 1, 1, 1)
    game.fluke(feat)
    game.declare(NarrateConsequence(feat, "She lands in a haystack."))
    assert game.refused(NarrateConsequence(feat, "He dies.", game.goon)) == "cause-not-spectacular"


def test_who_was_injured_by_it_is_not_killed_by_it_as_well():
    game = Game(flukes__on=True, flukes__death_guard="off")
    fumble = game.check()
    game.roll(fumble, 12, 12, 12)
    game.fluke(fumble)
    game.injury(game.goon, cause="spectacular", cause_check=fumble)
    assert game.refused(NarrateConsequence(fumble, "It falls.", game.goon)) == "already-injured"
    game.declare(NarrateConsequence(fumble, "It falls.", game.hero))
    assert game.status() == (0, "dead")


def test_a_resisting_check_to_the_death_is_life_or_death():
    game = Game(flukes__on=True)
    check = game.injury(worst="dead")
    game.roll(check, 12, 12, 12)
    game.fluke(check)
    assert game.status() == (0, "dead")
    game.declare(NarrateConsequence(check, "And the goon with her.", game.goon))
    assert game.status(game.goon) == (0, "dead")


# --- overturning --------------------------------------------------------------------------------------------------


def bad_day() -> tuple[Game, dict[str, int]]:
    """Boulders (Hurt), a fall (unconscious), wakes to Fading, rests to Hurt."""
    game = Game()
    game.rate(game.hero, "Tough", "Fairly")
    rulings = {}
    game.roll(game.injury(worst="dead", chances="Poor"), 2)
    check = game.injury(worst="unconscious", chances="Poor")
    rulings["fall ruled"], rulings["fall"] = game.number - 1, game.number
    game.roll(check, 12)
    rulings["wakes"] = game.number
    game.recover(1)
    rulings["rests"] = game.number
    game.recover(4)
    return game, rulings


@pytest.mark.parametrize(
    ("struck_ones", "status"),
    [
        ((), (4, None)),
        (("fall",), (4, None)),
        (("fall ruled", "fall"), (4, None)),
        (("wakes", "rests"), (0, "unconscious")),
        (("rests",), (1, None)),
        (("wakes",), (4, None)),
    ],
)
def test_status_is_folded_again(struck_ones, status):
    game, rulings = bad_day()
    assert lost_and_regained(game, game.hero) == (6, 4)
    folded = game.fold(character(game.hero), struck=[rulings[one] for one in struck_ones])
    assert (folded.state.level, folded.state.condition) == status
    assert not folded.find_overdrawn_accounts()


def test_recoveries_that_rested_on_a_struck_injury_lose_their_support():
    game, rulings = bad_day()
    rows = {row.number: row.standpoint for row in game.without(rulings["fall"]).rows}
    assert rows[rulings["wakes"]] == rows[rulings["rests"]] == "loses support"
    stand = {row.number: row.standpoint for row in game.without(rulings["rests"]).rows}
    assert all(one == "stands" for one in stand.values())


def test_a_struck_death_lets_void_facts_count_again():
    game = Game()
    game.hurt_to(2)
    deadly = game.number + 1
    game.roll(game.injury(worst="dead"), 12)
    late = game.fold(character(game.hero)).ruleset
    state = game.character(game.hero)
    again = game.verdicts[-1].facts[-2].fact
    after = late.apply(state, again)
    assert (after.level, after.condition, after.adrift) == (state.level, state.condition, (again,))
    folded = game.fold(character(game.hero), struck=[deadly])
    assert (folded.state.level, folded.state.condition) == (2, None)


def test_a_struck_roll_can_be_entered_anew():
    game = Game()
    check = game.injury()
    wrong = game.number
    game.roll(check, 12)
    game.past = game.without(wrong).then
    assert game.status() == (6, None)
    game.roll(check, 2)
    assert game.status() == (5, None)


def test_facts_of_a_struck_ruling_leave_later_ones_adrift():
    game = Game()
    check = game.check()
    ruled = game.number - 1
    game.roll(check, 3)
    then = game.after(game.without(ruled), game.there)
    assert [one.fact_kind for one in then.adrift] == ["check-rolled@2", "check-resolved@2"]
    game.past = game.without(ruled).then
    assert game.refused(EnterRoll(check, (3,))) == "out-of-order"


def test_a_character_enrolled_by_its_player():
    game = Game()
    verdict = game.declare(Enrol("Friend", "bob", Sheet()), by="bob")
    assert game.fact(verdict, "character-created").player == "bob"
