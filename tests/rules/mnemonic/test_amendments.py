"""The rules, read again: N3 to N10 of the specification."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.commands import CloseScene, CloseSession, Enrol, SetDial
from ledger.rules.kernel.comparison import Other, compare
from ledger.rules.kernel.declarations import find_declarer, find_fact_kind, find_kind
from ledger.rules.kernel.facts import SeatRemoved
from ledger.rules.kernel.questions import Choice
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import CAMPAIGN, character, seat
from ledger.rules.mnemonic import RULESET
from ledger.rules.mnemonic.actions import DeclareAction, RuleImpossible, RuleOrder
from ledger.rules.mnemonic.agreeing import Assent, Explain, Judge, Object, ReportJudgement, SettleOn, SpeakFor
from ledger.rules.mnemonic.characters import Sheet
from ledger.rules.mnemonic.checks import EnterRoll
from ledger.rules.mnemonic.consequences import NarrateConsequence
from ledger.rules.mnemonic.featherweight import AssignAptitude, DescribeAbilities
from ledger.rules.mnemonic.immunity import NameRating, RateImportance, RuleImmunity, TakePreset
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.recovery import DeclareRecovery
from ledger.rules.mnemonic.recovery_checks import NameRecovery, RuleRecoveryCheck
from ledger.rules.mnemonic.referee import REFEREES, SeatReferee
from ledger.rules.mnemonic.rulings import RuleCheck
from ledger.rules.mnemonic.traits import TraitName
from tests.rules.mnemonic.chance import play_at_random
from tests.rules.mnemonic.exits import told
from tests.rules.mnemonic.game import Game
from tests.rules.world import Told

HIDDEN: dict[str, Any] = {"dramatic__source": "important"}


# --- N3: the referee's chair --------------------------------------------------------------------------------------


def whose(game: Game, do: Any, by: str) -> Any:
    """What the service asks an input: whose it is, seen from this seat."""
    declarer = find_declarer(do)
    assert declarer.of is not None
    return declarer.who, declarer.of(game.table(by), do)


def test_a_players_seat_referees():
    game = Game()
    game.session()
    game.declare(SeatReferee("bob"))
    assert whose(game, RuleOrder((game.hero,)), "bob") == ("seat", "bob")
    assert whose(game, RuleOrder((game.hero,)), "ann") == ("seat", "bob")
    check = game.fact(
        game.declare(RuleInjury(game.goon, "referee", "dead", "Even", reason="A fall."), by="bob"), "check-ruled"
    ).check
    assert whose(game, EnterRoll(check, (3,)), "bob") == ("seat", "bob"), "the referee rolls for the rest"
    assert game.refused(RuleOrder((game.hero,)), "gm") == "not-referee"
    assert game.refused(EnterRoll(game_check(game, "bob"), (3,)), "gm") == "not-referee"
    game.declare(EnterRoll(check, (3,)), by="bob")
    game.declare(DeclareAction(game.hero, "Jump"), by="ann")


def game_check(game: Game, by: str) -> str:
    traits = (TraitName("talent", "Quick"), TraitName("primary"))
    return str(game.fact(game.declare(RuleCheck(game.hero, "Even", traits), by=by), "check-ruled").check)


def test_while_nobody_sits_there_no_player_may():
    game = Game()
    assert whose(game, RuleOrder((game.hero,)), "bob") == ("seat", "")


def test_nothing_else_comes_with_the_chair():
    game = Game()
    game.declare(SeatReferee("bob"))
    for kernel in (SetDial("flukes.on", True, "ours"), CloseScene(game.place), Enrol("X", "gm", Sheet())):
        declarer = find_declarer(kernel)
        assert declarer.who != "anyone"
        assert declarer.of is None or declarer.of(game.table("bob"), kernel) != "bob"
    assert find_declarer(SeatReferee("ann")).who == "gm"
    game.declare(SetDial("flukes.on", True, "ours"), by="gm")
    game.declare(SeatReferee("gm"))
    assert game.refused(SetDial("flukes.on", False, "ours"), by="bob") == "not-referee"


def test_the_referee_sees_what_a_referee_must_see_for_that_session_only():
    game = Game(**HIDDEN)
    game.declare(RateImportance(game.hero, "Very"))
    game.roll(game.injury(), 3, by="ann")
    session = game.session()

    def sees(by: str) -> tuple[bool, bool, bool]:
        own = game.view(character(game.hero), by)["importance"] is not None
        return own, "aptitude" in game.view(game.there, by)["checks"][0], "Very" in told(game, by)

    assert sees("bob") == (False, False, False)
    game.declare(SeatReferee("bob"))
    assert sees("bob") == (True, True, True), "what was rated before he sat there, too"
    assert sees("ann") == (False, False, False)
    assert sees("gm") == (True, True, True), "who keeps the record"
    game.declare(CloseSession(session))
    assert game.view(CAMPAIGN)["referee"] is None
    assert sees("bob") == (False, False, False)
    game.declare(RuleOrder((game.hero,)))


def test_the_chair_is_handed_on_and_what_it_sees_with_it():
    game = Game(**HIDDEN)
    game.declare(SeatReferee("bob"))
    game.declare(RateImportance(game.goon, "Fairly"), by="bob")
    assert all(about.audience == REFEREES for about in game.verdicts[-1].facts)
    game.declare(SeatReferee("ann"))
    assert game.view(character(game.goon), "bob")["importance"] is None
    assert game.view(character(game.goon), "ann")["importance"]["rating"] == "Fairly"


def test_who_was_removed_or_only_watches_does_not_referee():
    game = Game()
    game.past.tell([(seat("bob"), Told(0, 99, SeatRemoved()))])
    assert game.refused(SeatReferee("bob")) == "seat-removed"
    assert game.refused(SeatReferee("eve")) == "observer-seat"


# --- N4: a corrected roll is the roll -----------------------------------------------------------------------------


def corrected(game: Game, number: int, *numbers: int) -> Any:
    """The roll of that ruling entered otherwise: both pasts, and the campaign as it then is."""
    ruling = game.history[number - 1]
    past = game.beginning()
    for one in game.history[: number - 1]:
        past.tell(one.facts)
    anew = past.rule_again(replace(ruling, declared=replace(ruling.declared, numbers=numbers)), 1)
    other = Other({number: 1}, {number: anew}, counts=True)
    return compare(game.beginning(), game.history, {}, other)


def fluke_on_resisting(*numbers: int, **dials: Any) -> tuple[Game, str, int, int]:
    """A fluke on a resisting check that was ruled possible: the game, the check, the rulings of roll and fluke."""
    game = Game(flukes__on=True, **dials)
    check = game.injury()
    rolled = game.number
    game.roll(check, *numbers, by="ann")
    ruled = game.number
    game.fluke(check)
    return game, check, rolled, ruled


def test_what_was_decided_about_a_fluke_goes_with_the_roll():
    game, check, rolled, ruled = fluke_on_resisting(12, 12, 12)
    assert game.status() == (0, "unconscious")
    then = game.without(rolled).then
    board = then.told(game.there).state.board.checks.find(check)
    assert (board.rolled, board.fluke, board.resolved) == (None, None, None)
    assert then.told(character(game.hero)).state.level == 6
    assert {number for number, _ in then.told(game.there).adrift} == {ruled}
    game.past = then
    game.roll(check, 4, by="ann")
    assert game.status() == (3, None), "the new roll is the roll"


@pytest.mark.parametrize(
    ("numbers", "stage", "status"),
    [((5,), "resolved", 2), ((1, 1, 1), "fluke", 6), ((1, 1, 5), "fluke", 6), ((12, 12, 5), "fluke", 6)],
)
def test_a_corrected_roll_is_followed_by_flukes_result_and_status(numbers, stage, status):
    game, _, rolled, ruled = fluke_on_resisting(12, 12, 7)
    then = corrected(game, rolled, *numbers).then
    (seen,) = RULESET.view(game.there, then.told(game.there).state, game.viewer("gm"))["checks"]
    assert (seen["stage"], seen["faces"]) == (stage, list(numbers))
    assert then.told(character(game.hero)).state.level == status
    lost = [number for number, _ in then.told(game.there).adrift]
    assert ruled in lost, "what was decided about another roll is a finding, also where the number is the same"


def test_a_corrected_roll_that_is_a_fluke_waits_for_the_referee():
    game = Game(flukes__on=True)
    check = game.injury(chances="Bad")
    rolled = game.number
    game.roll(check, 12, 5)
    assert game.status() == (0, "unconscious")
    game.past = corrected(game, rolled, 1, 1, 7).then
    assert game.status() == (6, None)
    game.fluke(check)
    assert game.status() == (4, None)


def test_a_recovery_named_for_another_result_does_not_count():
    game = Game(recovery__check_reading="referee")
    game.hurt_to(2)
    check = game.recovery_check()
    rolled = game.number
    game.roll(check, 3)
    game.declare(NameRecovery(check, 5))
    then = corrected(game, rolled, 12).then
    assert then.told(character(game.hero)).state.level == 2
    assert corrected(game, rolled, 3).then.told(character(game.hero)).state.level == 5


def test_a_consequence_of_a_fluke_that_was_none_is_a_finding():
    game = Game(flukes__on=True)
    check = game.check(life_or_death=True)
    rolled = game.number
    game.roll(check, 12, 12, 12)
    game.fluke(check)
    narrated = game.number
    game.declare(NarrateConsequence(check, "It falls.", game.goon))
    compared = corrected(game, rolled, 5)
    assert narrated in {number for number, _ in compared.then.told(game.there).adrift}
    assert {row.number: row.standpoint for row in compared.rows}[narrated] == "loses support"


# --- N5: a closed scene -------------------------------------------------------------------------------------------


def test_a_check_can_be_finished_after_its_scene_was_closed():
    game = Game(flukes__on=True)
    action = game.fact(game.declare(DeclareAction(game.hero, "Dodge"), by="ann"), "action-declared").action
    dodge, hurt = game.check(action=action), game.injury()
    other = game.fact(game.declare(DeclareAction(game.hero, "Fly"), by="ann"), "action-declared").action
    old = game.there
    game.declare(CloseScene(game.place))
    game.place = game.open_scene("Another")
    game.roll(dodge, 12, 12, 5, by="ann")
    game.fluke(dodge)
    game.roll(hurt, 4, by="ann")
    assert game.status() == (3, None)
    game.declare(RuleImpossible(other, "She cannot."))
    game.declare(RuleInjury(game.hero, "avoidance", "dead", "Even", dodge))
    game.declare(RuleInjury(game.hero, "avoidance", "dead", "Even", other))
    seen = {one["id"]: one["stage"] for one in game.view(old)["checks"]}
    assert seen[dodge] == seen[hurt] == "resolved"
    assert [one["cause_check"] for one in game.view(old)["injuries"]][1:] == [dodge, other]
    assert game.refused(EnterRoll("999", (3,))) == "out-of-order"


def test_what_is_begun_in_a_scene_after_it_was_closed_can_be_finished():
    """An injury that a check of the scene caused, an impossible dodge, and a check on an action declared there."""
    game = Game()
    tried, dodged = (
        game.fact(game.declare(DeclareAction(game.hero, text), by="ann"), "action-declared").action
        for text in ("Climb", "Dodge")
    )
    blow = game.check()
    game.roll(blow, 3)
    old = game.there
    game.declare(CloseScene(game.place))
    game.place = game.open_scene("Another")
    hurt = game.injury(game.goon, cause="attack", cause_check=blow)
    game.roll(hurt, 4)
    assert game.status(game.goon) == (3, None)
    game.declare(RuleImpossible(dodged))
    caught = game.injury(cause="avoidance", cause_check=dodged)
    game.roll(caught, 2, by="ann")
    assert game.status() == (5, None)
    game.roll(game.check(action=tried), 5, by="ann")
    stages = [check["stage"] for check in game.view(old)["checks"]]
    assert stages == ["resolved"] * 4 and game.view(CAMPAIGN)["left"] == [old.id]


def test_what_is_begun_late_goes_with_the_ruling_that_began_it():
    game = Game()
    blow = game.check()
    game.roll(blow, 3)
    game.declare(CloseScene(game.place))
    ruled = game.number
    hurt = game.injury(game.goon, cause="attack", cause_check=blow)
    game.past = game.without(ruled).then
    assert game.view(CAMPAIGN)["late"] == [] and game.refused(EnterRoll(hurt, (4,))) == "out-of-order"


def test_a_roll_overturned_after_the_scene_was_closed_is_made_again():
    game = Game()
    check = game.injury()
    rolled = game.number
    game.roll(check, 12)
    game.declare(CloseScene(game.place))
    game.past = game.without(rolled).then
    game.roll(check, 6)
    assert game.status() == (1, None)


# --- N6: one injury, and its account ------------------------------------------------------------------------------


def agrees(game: Game, past: Any) -> bool:
    """Whether account and Status agree, for everybody."""
    for id in game.roster:
        folded = past.told(character(id))
        lost, regained = (folded.purse.get(f"character:{id}/status:{way}", 0) for way in ("lost", "regained"))
        if 6 - lost + regained != folded.state.level:
            return False
    return True


def counted(game: Game, *numbers: int) -> Any:
    return compare(game.beginning(), game.history, {}, Other(dict.fromkeys(numbers), counts=True))


@pytest.mark.parametrize("numbers", [(5,), (12, 12, 7)])
def test_overturning_what_called_an_injury_takes_its_status_with_it(numbers):
    game = Game(flukes__on=True)
    called = game.number
    check = game.injury()
    rolled = game.number
    game.roll(check, *numbers)
    if len(numbers) > 1:
        game.fluke(check)
    assert game.status() != (6, None)
    compared = counted(game, called)
    assert compared.then.told(character(game.hero)).state.level == 6
    assert compared.then.told(character(game.hero)).state.condition is None
    assert agrees(game, compared.then)
    points = {row.number: row.standpoint for row in compared.rows if row.number >= rolled}
    assert set(points.values()) == {"loses support"}


def test_the_example_of_the_boulders_and_the_fall():
    """Section 7: without the fall -2, 0, 0; without both recoveries the fall alone; account and Status agree."""
    game = Game()
    game.hurt_to(4)
    fall = game.number
    game.hurt_to(0)
    woke, rest = game.number, game.number + 1
    game.recover(1)
    game.recover(4)
    assert game.status() == (4, None)
    for struck, level, moved in (
        ((fall,), 4, (2, 0)),
        ((fall + 1,), 4, (2, 0)),
        ((fall, fall + 1), 4, (2, 0)),
        ((woke, rest), 0, (6, 0)),
        ((woke,), 4, (6, 4)),
        ((rest,), 1, (6, 1)),
        ((2, 3, *range(4, fall)), 4, (6, 4)),
    ):
        then = counted(game, *struck).then.told(character(game.hero))
        assert then.state.level == level
        assert tuple(then.purse.get(f"character:{game.hero}/status:{way}", 0) for way in ("lost", "regained")) == moved


def test_put_back_it_is_counted_again():
    game = Game()
    first = game.number
    game.hurt_to(4)
    game.hurt_to(2)
    now = counted(game, first)
    assert agrees(game, now.then)
    reruled = {one.number: one for one in now.reruled}
    assert list(reruled) == [first + 1, first + 3] and all(one.counted for one in reruled.values())
    history = [
        replace(one, facts=(*one.facts, *reruled[one.number].facts), revision=1) if one.number in reruled else one
        for one in game.history
    ]
    as_counted = {first + 1: 1, first + 3: 1}
    back = compare(game.beginning(), history, {first: None, **as_counted}, Other({first: 0, **as_counted}, counts=True))
    assert agrees(game, back.then)
    assert back.then.told(character(game.hero)).state.level == 2
    assert [(one.number, one.revision) for one in back.reruled] == [(first + 1, 2), (first + 3, 2)]


# --- N7: judged and assented to -----------------------------------------------------------------------------------

FEATHER: dict[str, Any] = {"feather__mode": "on"}


def begun(game: Game, do: Any, *said: Any, by: str = "gm") -> Any:
    conversation, _ = game.begin(do, by)
    for one in said:
        conversation.answer(Choice(one))
    return conversation


def test_the_player_is_asked_and_his_judgement_stands_beside_the_refs():
    game = Game(**FEATHER)
    game.session()
    conversation = begun(game, AssignAptitude(game.hero, "Aiming", 7))
    assert conversation.question.seat == "ann"
    assert conversation.question.kinds == (Judge, ReportJudgement)
    done = game.fact(game.declare(AssignAptitude(game.hero, "Aiming", 7), [Choice(Judge(8))]), "aptitude-assigned")
    assert (done.ref, done.player, done.final, done.reported) == (7, 8, 7, "")
    (kept,) = game.view(character(game.hero), "bob")["tasks"]["aiming"]
    assert (kept["ref"], kept["player"]) == (7, 8)


@pytest.mark.parametrize("said", [Judge(13), Judge("7"), ReportJudgement(7, " "), ReportJudgement(-1, "she nods")])
def test_a_judgement_that_is_none_is_asked_for_again(said):
    game = Game(**FEATHER)
    game.session()
    with pytest.raises(Unfit):
        begun(game, AssignAptitude(game.hero, "Aiming", 7), said)


def test_apart_they_talk_until_both_can_live_with_it():
    game = Game(**FEATHER)
    game.session()
    do = AssignAptitude(game.hero, "Aiming", 9)
    conversation = begun(game, do, Judge(5))
    assert (conversation.question.seat, conversation.question.kinds) == ("gm", (SettleOn,))
    conversation = begun(game, do, Judge(5), SettleOn(8))
    assert (conversation.question.seat, conversation.question.kinds) == ("ann", (Assent, Object, SpeakFor))
    said = (Judge(5), SettleOn(8), Object(), SettleOn(7), Assent())
    done = game.fact(game.declare(do, map(Choice, said)), "aptitude-assigned")
    assert (done.ref, done.player, done.agreed, done.final, done.gap) == (9, 5, 7, 7, 4)
    given = game.declare(AssignAptitude(game.hero, "Lying", 9, agreed=5), [Choice(Judge(5))])
    assert game.fact(given, "aptitude-assigned").final == 5, "their own number needs no assent"
    spoken = [Choice(Judge(5)), Choice(SpeakFor(True, "She had to leave."))]
    done = game.fact(game.declare(AssignAptitude(game.hero, "Riding", 9, agreed=8), spoken), "aptitude-assigned")
    assert (done.final, done.reported) == (8, "She had to leave.")


def test_what_they_agree_on_is_explained_where_it_drifts():
    game = Game(**FEATHER)
    game.session()
    game.declare(AssignAptitude(game.hero, "Aiming", 7), [Choice(Judge(7))])
    said = (Judge(3), SettleOn(5), Assent(), Explain("A bad leg."))
    done = game.fact(game.declare(AssignAptitude(game.hero, "Aiming", 7), map(Choice, said)), "aptitude-assigned")
    assert (done.drift, done.drifted, done.reason) == (-2, True, "A bad leg.")
    with pytest.raises(Unfit):
        begun(game, AssignAptitude(game.hero, "Aiming", 5), Judge(9), SettleOn(9), Explain(" "))


def test_a_player_who_referees_asks_the_others_and_nobody_for_the_goon():
    game = Game(**FEATHER)
    game.session()
    game.declare(SeatReferee("ann"))
    game.declare(AssignAptitude(game.hero, "Aiming", 7), by="ann")
    game.declare(AssignAptitude(game.goon, "Aiming", 7), by="ann")
    other = game.enrol("Other", Sheet(), "bob")
    assert begun(game, AssignAptitude(other, "Aiming", 7), by="ann").question.seat == "bob"


@pytest.mark.parametrize(("by", "asked"), [("ann", "gm"), ("gm", "ann")])
def test_a_description_is_assented_to_by_the_other_side(by, asked):
    game = Game()
    do = DescribeAbilities(game.hero, "She is quick.")
    assert begun(game, do, by=by).question.seat == asked
    objected = game.declare(do, [Choice(Object())], by)
    assert game.fact(objected, "abilities-objected").objected == asked
    assert game.view(character(game.hero))["abilities"] == {"version": 0, "text": ""}
    done = game.fact(game.declare(do, [Choice(Assent())], by), "abilities-described")
    assert (done.by, done.assented, done.version, done.reported) == (by, asked, 1, "")
    spoken = game.fact(game.declare(do, [Choice(SpeakFor(True, "He called."))], by), "abilities-described")
    assert (spoken.version, spoken.reported) == (2, "He called.")
    with pytest.raises(Unfit):
        begun(game, do, SpeakFor(True, ""), by=by)


def test_the_referees_own_are_described_without_asking():
    game = Game()
    assert game.fact(game.declare(DescribeAbilities(game.goon, "Slow.")), "abilities-described").assented is None


# --- N8: for one character ----------------------------------------------------------------------------------------


def test_lucky_stands_in_for_one_character():
    game = Game(**HIDDEN)
    for id in (game.hero, game.goon):
        game.declare(RateImportance(id, "Very"))
        game.rate(id, "Lucky", "Extremely")
    game.declare(RuleImmunity(game.hero, "lucky", reason="Born so."))
    assert game.ruled(game.injury(game.hero)).traits[0].name == "Lucky"
    assert {about.audience for about in game.verdicts[-1].facts} == {None}, "Lucky is an ordinary Talent"
    assert game.ruled(game.injury(game.goon)).traits[0].name == "Important"
    game.declare(RuleImmunity(game.hero))
    assert game.ruled(game.injury(game.hero)).traits[0].name == "Important"
    game.set_dial("dramatic.source", "lucky")
    game.declare(RuleImmunity(game.hero, "important"))
    assert game.ruled(game.injury(game.hero)).traits[0].name == "Important"


@pytest.mark.parametrize(
    ("known_to", "readers"),
    [("everybody", {"ann", "bob", "gm"}), ("player", {"ann", "gm"}), ("referee", {"gm"}), (None, {"gm"})],
)
@pytest.mark.parametrize("approach", ["fixed", "per_check"])
def test_what_players_may_know_is_set_for_one_character(known_to, readers, approach):
    game = Game(dramatic__approach=approach, **HIDDEN)
    named = {"importance": "Very"} if approach == "per_check" else {}

    def rated(by: str) -> bool:
        seen = game.view(character(game.hero), by)
        return seen["importance"] is not None or bool(seen["importances"])

    def checks(by: str) -> int:
        return sum("aptitude" in one for one in game.view(game.there, by)["checks"])

    if not named:
        game.declare(RateImportance(game.hero, "Very"))
    game.injury(**named)
    game.declare(RuleImmunity(game.hero, None, known_to))
    assert {by for by in ("ann", "bob", "gm") if rated(by)} == readers, "the ratings so far"
    game.injury(**named)
    assert {by for by in ("ann", "bob", "gm") if rated(by)} == readers
    assert {by for by in ("ann", "bob", "gm") if checks(by) == 2} == {"gm"}, "checks keep who could read them"
    assert {by for by in ("ann", "bob", "gm") if checks(by)} == readers


def test_the_dial_moves_only_who_goes_by_it():
    game = Game(**HIDDEN)
    for id in (game.hero, game.goon):
        game.declare(RateImportance(id, "Very"))
    game.declare(RuleImmunity(game.hero, None, "referee"))
    game.set_dial("dramatic.visible", True)
    assert game.view(character(game.hero), "bob")["importance"] is None
    assert game.view(character(game.goon), "bob")["importance"] is not None


def test_presets_are_offered_by_name_when_somebody_is_enrolled():
    game = Game(**HIDDEN)
    do = Enrol("Late", "ann", Sheet(rate_importance=True))
    question = begun(game, do, by="ann").question
    assert (question.seat, question.kinds, question.audience) == ("gm", (TakePreset, NameRating), REFEREES)
    assert "player character: Very or Extremely" in question.purpose
    for said, rating in (
        (TakePreset("player_character"), "Very"),
        (TakePreset("major_villain", "extremely"), "Extremely"),
        (TakePreset("henchman"), "Moderately"),
        (TakePreset("extra"), "Not at All"),
        (NameRating("Fairly"), "Fairly"),
    ):
        id = str(game.number)
        verdict = game.declare(do, [Choice(said)], by="ann")
        assert game.fact(verdict, "importance-rated").rating == rating
        assert [about.audience for about in verdict.facts][-1] == REFEREES
        assert game.view(character(id), "ann")["importance"] is None
    for said in (TakePreset("henchman", "Extremely"), NameRating("Mighty")):
        with pytest.raises(Unfit):
            begun(game, do, said)
    with pytest.raises(Refused) as no:
        Game().declare(do)
    assert no.value.code == "dramatic-off"


def test_a_rating_goes_by_its_preset_too():
    game = Game(**HIDDEN)
    done = game.fact(game.declare(RateImportance(game.goon, preset="extra", rating="Somewhat")), "importance-rated")
    assert done.rating == "Somewhat"
    assert game.fact(game.declare(RateImportance(game.goon, preset="henchman")), "importance-rated").number == 3


# --- N9: what a recovery is judged by -----------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [True, False])
def test_a_recovery_check_says_elapsed_time_and_treatment_and_keeps_the_primary_role(hidden):
    game = Game(**(HIDDEN if hidden else {}))
    if hidden:
        game.declare(RateImportance(game.hero, "Moderately"))
    game.hurt_to(2)
    do = RuleRecoveryCheck(game.hero, "Even", elapsed="a week", treatment="bed", reason="She is sturdy.")
    done = game.fact(game.declare(do), "recovery-ruled")
    assert (done.elapsed, done.treatment, done.primary_role) == ("a week", "bed", "Adult Female Human")
    (seen,) = game.view(game.there)["recoveries"]
    assert (seen["check"], seen["elapsed"], seen["reason"]) == (done.check, "a week", "She is sturdy.")
    assert len(game.view(game.there, "bob")["recoveries"]) == (not hidden)
    (rate,) = [one for one in game.verdicts[-1].because if one.rule == "mnemonic.recovery.rate"]
    assert (rate.given["elapsed"], rate.audience) == ("a week", REFEREES if hidden else None)


def test_a_recovery_names_the_check_that_treated_and_shows_its_successes():
    game = Game()
    game.hurt_to(1)
    rolled = str(game.number + 1)
    treated = game.check(game.goon, traits=(TraitName("talent", "Tough"), TraitName("primary")))
    assert game.refused(RuleRecoveryCheck(game.hero, "Even", treated_by=treated)) == "no-treatment"
    game.roll(treated, 3)
    check = game.recovery_check(treated_by=treated)
    (seen,) = game.view(game.there)["recoveries"]
    assert (seen["treated_by"], seen["seen_successes"], seen["seen_failures"]) == (treated, 4, 0)
    assert seen["rolled"]["ruling"] == rolled
    assert game.refused(DeclareRecovery(game.hero, 4, treated_by=check)) == "no-treatment", "that one treated nobody"
    number = game.number
    told = game.fact(game.declare(DeclareRecovery(game.hero, 4, treated_by=treated)), "recovery-declared")
    assert (told.treated_by, told.seen_successes) == (treated, 4)
    rows = {row.number: row for row in game.without(int(rolled)).rows}
    assert rows[number].standpoint == "loses support" and rows[number - 1].standpoint == "loses support"


# --- T3: a game master who plays ------------------------------------------------------------------------------------


def asked(conversation: Conversation) -> tuple[str, str]:
    """Who is asked, and what for."""
    question: Any = conversation.question
    return question.seat, question.slot


def test_a_game_master_who_plays_while_somebody_else_referees_is_asked_like_any_player():
    """Its judgement, its assent to a number, its assent to a description; and it is awaited with its rolls."""
    game = Game(feather__mode="hybrid", feather__similarity=0)
    game.session()
    played = game.enrol("Hunter", Sheet(), "gm")
    asked_of_the_referee = game.begin(AssignAptitude(played, "Aiming", 7))[0]
    assert asked_of_the_referee.question is None, "while it rules itself nobody else is there to be asked"
    game.declare(SeatReferee("ann"))
    conversation, _ = game.begin(AssignAptitude(played, "Aiming", 7), "ann")
    assert asked(conversation) == ("gm", "judgement")
    conversation.answer(Choice(Judge(9)))
    conversation.answer(Choice(SettleOn(8)))
    assert asked(conversation) == ("gm", "assent")
    described, _ = game.begin(DescribeAbilities(played, "Sees far."), "ann")
    assert asked(described) == ("gm", "assent")
    own, _ = game.begin(DescribeAbilities(played, "Sees far."), "gm")
    assert asked(own) == ("ann", "assent")
    of_nobody, _ = game.begin(AssignAptitude(game.goon, "Aiming", 7), "ann")
    assert of_nobody.question is None, "a game master's other characters are the referee's"


# --- N10: a reason only where ratings are fixed -------------------------------------------------------------------


@pytest.mark.parametrize(("approach", "refused"), [("fixed", True), ("per_check", False)])
def test_a_reason_is_needed_for_a_fixed_rating_only(approach, refused):
    game = Game(dramatic__approach=approach, **HIDDEN)
    game.declare(RateImportance(game.hero, "Very"))
    game.injury(**({} if refused else {"importance": "Very"}))
    do = RateImportance(game.hero, "Fairly")
    if refused:
        assert game.refused(do) == "reason-needed"
    else:
        game.declare(do)


@pytest.mark.parametrize("for_one", [True, False])
def test_no_reason_is_needed_where_lucky_stands_in(for_one: bool):
    game = Game(dramatic__source="important" if for_one else "lucky")
    if for_one:
        game.declare(RuleImmunity(game.hero, "lucky"))
    game.rate(game.hero, "Lucky", "Very")
    game.declare(RateImportance(game.hero, "Very"))
    game.injury()
    assert game.fact(game.declare(RateImportance(game.hero, "Fairly")), "importance-rated").replaces == "Very"


def test_a_reason_is_needed_where_important_stands_for_one_character_beside_the_dial():
    game = Game(dramatic__source="lucky")
    game.declare(RuleImmunity(game.hero, "important"))
    game.declare(RateImportance(game.hero, "Very"))
    game.injury()
    assert game.refused(RateImportance(game.hero, "Fairly")) == "reason-needed"


# --- random tables ------------------------------------------------------------------------------------------------


def hurting(game: Game) -> list[int]:
    """Rulings that called injuries or made them: where Status would be another without them."""
    kinds = ("injury-ruled", "injury-resolved")
    return [number for number, one in enumerate(game.verdicts, 1) if any(game.facts(one, kind) for kind in kinds)]


@pytest.mark.slow
def test_random_tables_meet_all_of_it():
    """Every new input, choice, fact and finding is played; overturned, account and Status agree again."""
    facts: set[str] = set()
    chosen: set[str] = set()
    recounts = 0
    for seed in range(120):
        game = play_at_random(seed, 100)
        facts |= {find_fact_kind(about.fact).partition("@")[0] for verdict in game.verdicts for about in verdict.facts}
        chosen |= {find_kind(one.value) for ruling in game.history for one in ruling.answers if isinstance(one, Choice)}
        if seed % 4 == 0:
            for number in hurting(game):
                compared = counted(game, number)
                recounts += len(compared.reruled)
                assert agrees(game, compared.then), (seed, number)
    assert {find_fact_kind(one).partition("@")[0] for one in RULESET.facts} <= facts
    assert {find_kind(one) for one in RULESET.choices} <= chosen
    assert recounts > 20
