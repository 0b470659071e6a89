"""Script immunity and assigned Aptitudes: what they add up to, what they need, what is remembered of them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseSession, OpenScene
from ledger.rules.kernel.questions import Choice
from ledger.rules.kernel.subjects import CAMPAIGN, character
from ledger.rules.mnemonic.agreeing import Judge, ReportJudgement
from ledger.rules.mnemonic.characters import Sheet
from ledger.rules.mnemonic.featherweight import AssignAptitude
from ledger.rules.mnemonic.immunity import RateImportance
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.rulings import RuleCheck
from ledger.rules.mnemonic.sessions import TakePart
from ledger.rules.mnemonic.traits import TraitName
from ledger.rules.mnemonic.words import SEVEN
from tests.rules.mnemonic.game import Game

QUICK, ROLE = TraitName("talent", "Quick"), TraitName("primary")
FEATHER: dict[str, Any] = {"feather__mode": "hybrid", "feather__calibration_sessions": 0}

# --- script immunity ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["fixed", "per_check", "lucky"])
def test_importance_takes_the_place_of_the_role(source):
    """Importance and Tough, or a larger Life Role in place of Tough; a tie keeps Tough; never the Primary Role."""
    kind = "lucky" if source == "lucky" else "important"
    approach = "per_check" if source == "per_check" else "fixed"
    for (rating, important), (role, life) in product(SEVEN, SEVEN):
        game = Game(dramatic__source=kind, dramatic__approach=approach)
        game.rate(game.hero, "Boxer", role, kind="life")
        named = {}
        if source == "fixed":
            game.declare(RateImportance(game.hero, rating))
        elif source == "lucky":
            game.rate(game.hero, "lucky", rating)
        else:
            named["importance"] = rating
        plain = game.ruled(game.injury(**named))
        assert (plain.aptitude, plain.aptitude_source) == (important + 3, "dramatic")
        helped = game.ruled(game.injury(role="Boxer", **named))
        assert helped.aptitude == important + max(3, life)
        assert helped.traits[1].kind == ("life" if life > 3 else "talent")
        assert helped.traits[0].kind == ("talent" if source == "lucky" else "importance")


def test_a_goons_importance_drops_and_is_remembered():
    game = Game(dramatic__source="important", dramatic__approach="per_check", dramatic__label="Survivable")
    aptitudes = [
        game.ruled(game.injury(game.goon, importance=one)).aptitude for one in ("Fairly", "Not Very", "not at all")
    ]
    assert aptitudes == [7, 4, 3]
    kept = game.view(character(game.goon))["importances"]
    assert [(one["label"], one["rating"], one["number"]) for one in kept] == [
        ("Survivable", "Fairly", 4),
        ("Survivable", "Not Very", 1),
        ("Survivable", "Not at All", 0),
    ]
    assert len({one["check"] for one in kept}) == 3


def test_a_fixed_rating_changes_with_a_reason_once_it_was_used():
    game = Game(dramatic__source="important")
    game.declare(RateImportance(game.hero, "Very"))
    done = game.fact(game.declare(RateImportance(game.hero, "Fairly")), "importance-rated")
    assert (done.replaces, done.number) == ("Very", 4)
    ruled = game.number
    game.injury()
    assert game.refused(RateImportance(game.hero, "Very")) == "reason-needed"
    game.declare(RateImportance(game.hero, "Very", "She became the story."))
    assert not game.fold(character(game.hero), struck=[ruled]).state.resisted
    assert game.character(game.hero).resisted
    assert not game.character(game.goon).resisted


def test_a_first_rating_after_a_resisting_check_is_no_change():
    game = Game()
    game.injury()
    game.set_dial("dramatic.source", "important")
    game.declare(RateImportance(game.hero, "Very"))


def test_lucky_as_the_talent_counts_once_and_a_life_role_stands_beside_it():
    game = Game(dramatic__source="lucky", resist__talent="Lucky", traits__unrated="Not Very")
    game.rate(game.hero, "Boxer", "Very", "life")
    assert game.refused(RuleInjury(game.hero, "referee", "dead", "Even", reason="A fall.")) == "two-traits-needed"
    assert (
        game.fact(
            game.declare(RuleInjury(game.hero, "referee", "dead", "Even", life_roles=("Boxer",), reason="A fall.")),
            "check-ruled",
        ).aptitude
        == 6
    )


def test_lucky_may_be_unrated_where_the_table_says_so_importance_never():
    game = Game(dramatic__source="lucky", traits__unrated="Not Very")
    assert game.ruled(game.injury()).aptitude == 4
    game.set_dial("dramatic.source", "important")
    do = RuleInjury(game.hero, "referee", "dead", "Even", reason="A fall.")
    assert game.refused(do) == "unrated"


def test_recovery_checks_use_it_too():
    game = Game(dramatic__source="important", dramatic__approach="per_check")
    game.roll(game.injury(importance="Moderately"), 4)
    assert game.status() == (3, None)
    assert game.ruled(game.recovery_check(importance="Extremely")).aptitude == 9
    assert len(game.view(character(game.hero))["importances"]) == 2


def test_an_assigned_aptitude_is_complete():
    game = Game(dramatic__source="important", dramatic__approach="per_check", **FEATHER)
    game.session()
    id = game.assign(ref=2).assignment
    ruled = game.ruled(game.injury(assigned=id))
    assert (ruled.aptitude, ruled.traits, ruled.aptitude_source) == (2, (), "assigned")
    assert not game.facts(game.verdicts[-1], "importance-ruled")


# --- Featherweight ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["off", "on", "hybrid"])
def test_modes(mode):
    game = Game(feather__mode=mode, feather__calibration_sessions=0)
    game.session()
    by_sheet = RuleCheck(game.hero, "Even", (QUICK, ROLE))
    if mode == "off":
        assert game.refused(AssignAptitude(game.hero, "Aiming", 7)) == "feather-off"
        game.declare(by_sheet)
        return
    id = game.assign().assignment
    assert game.ruled(game.check(assigned=id)).aptitude == 7
    if mode == "on":
        assert game.refused(by_sheet) == "sheetless"
    else:
        game.declare(by_sheet)
    game.rate(game.hero, "Strong", "Very")


@pytest.mark.parametrize("similarity", [0, 1, 3])
def test_two_judgements_are_similar_or_talked_over(similarity):
    game = Game(feather__mode="on", feather__similarity=similarity, feather__drift_tolerance=12)
    game.session()
    for ref, player in product(range(0, 13, 2), range(0, 13, 3)):
        gap = abs(ref - player)
        do = AssignAptitude(game.hero, "Aiming", ref, True)
        if gap > similarity:
            done = game.assign(ref=ref, player=player, agreed=5)
            assert (done.final, done.agreed) == (5, 5)
        else:
            done = game.fact(game.declare(do, [Choice(Judge(player))]), "aptitude-assigned")
            assert (done.final, done.agreed) == (ref, None)
        assert (done.gap, done.ref, done.player) == (gap, ref, player)
    assert game.assign(ref=3, player=3, agreed=9).final == 9


@pytest.mark.parametrize("calibration", [0, 1, 2])
def test_the_player_judges_in_the_first_sessions_of_the_character(calibration):
    game = Game(feather__mode="on", feather__calibration_sessions=calibration)
    for count in (1, 2, 3):
        session = game.session()
        do = AssignAptitude(game.hero, f"Task {count}", 7)
        if count <= calibration:
            question: Any = game.begin(do)[0].question
            assert (question.seat, question.kinds) == ("ann", (Judge, ReportJudgement))
            assert game.assign(f"Task {count}", player=7).session_count == count
        else:
            assert game.fact(game.declare(do), "aptitude-assigned").session_count == count
        assert game.assign(f"Task {count}", id=game.goon).session_count == count
        game.declare(CloseSession(session))


@pytest.mark.parametrize("calibration", [0, 1, 2])
def test_an_aptitude_is_assigned_between_sessions_too(calibration):
    """The player judges as in the session before, and in the first one before any; no session is counted for it."""
    game = Game(feather__mode="on", feather__calibration_sessions=calibration)
    for sessions in (0, 1, 2):
        do = AssignAptitude(game.hero, f"Task {sessions}", 7)
        is_asked = max(sessions, 1) <= calibration
        assert (game.begin(do)[0].question is not None) is is_asked
        done = game.assign(f"Task {sessions}", player=7 if is_asked else None)
        assert (done.session, done.session_count) == (None, max(sessions, 1))
        assert game.character(game.hero).sessions == sessions
        game.roll(game.check(assigned=done.assignment), 5)
        session = game.session()
        game.declare(TakePart((game.hero,)))
        game.declare(CloseSession(session))
    assert game.refused(AssignAptitude(game.hero, "Aiming", 7, session=session)) == "bad-session"


def test_sessions_are_counted_for_each_character():
    """Present from the opening, brought in later, in a scene, or by being judged: each counts once."""
    game = Game(**FEATHER)
    first = game.session()
    game.declare(TakePart((game.hero, game.hero), first))
    game.declare(TakePart((game.hero,)))
    game.declare(OpenScene("Elsewhere", (game.goon, game.hero)))
    assert [game.character(id).sessions for id in (game.hero, game.goon)] == [1, 1]
    assert game.refused(TakePart((game.hero,), "99")) == "bad-session"
    game.declare(CloseSession(first))
    game.session()
    late = game.enrol("Late", Sheet(), "bob")
    assert game.assign(id=late).session_count == 1
    assert game.assign(id=game.hero, ref=7).session_count == 2
    assert game.character(late).sessions == 1


@pytest.mark.parametrize("tolerance", [0, 1, 4])
def test_drift_needs_a_reason(tolerance):
    game = Game(feather__drift_tolerance=tolerance, **FEATHER)
    game.session()
    last = game.assign(ref=6)
    assert (last.previous, last.drift, last.drifted) == (None, None, False)
    for ref in (6, 7, 5, 9, 3, 12, 0):
        drift = ref - last.final
        do = AssignAptitude(game.hero, "  AIMING", ref)
        if abs(drift) > tolerance:
            assert game.refused(do) == "reason-needed"
            done = game.assign(" Aiming ", ref, reason="on second thoughts")
        else:
            done = game.fact(game.declare(do), "aptitude-assigned")
        assert (done.previous, done.previous_final, done.drift) == (last.assignment, last.final, drift)
        assert done.drifted is (abs(drift) > tolerance)
        last = done


def test_repeating_without_a_number():
    game = Game(**FEATHER)
    game.session()
    assert game.refused(AssignAptitude(game.hero, "Aiming")) == "no-standing-aptitude"
    first = game.assign(ref=8)
    again = game.assign(ref=None)
    assert (again.ref, again.final, again.repeated, again.drift) == (8, 8, True, 0)
    assert again.assignment != first.assignment


def test_each_check_takes_an_assignment_of_its_own():
    game = Game(**FEATHER)
    game.session()
    one, other = game.assign().assignment, game.assign(ref=None).assignment
    first = game.number
    game.check(assigned=one)
    stranger = RuleCheck(game.goon, "Even", assigned=other)
    assert game.refused(stranger) == "no-standing-aptitude"
    game.injury(assigned=other)
    for id in (one, other):
        assert game.refused(RuleCheck(game.hero, "Even", assigned=id)) == "no-standing-aptitude"
    game.past = game.without(first).then
    game.check(assigned=one)


def test_an_assigned_aptitude_must_still_be_possible():
    game = Game(**FEATHER)
    game.session()
    id = game.assign(ref=12).assignment
    game.set_dial("traits.ladder", [["Moderately", 1], ["Very", 5]])
    assert game.refused(RuleCheck(game.hero, "Even", assigned=id)) == "aptitude-out-of-range"


def test_the_record_of_consistency():
    game = Game(**FEATHER)
    game.session()
    for ref in (7, 9, 8):
        game.assign(ref=ref, player=ref, reason="it depends", traits=(QUICK, ROLE))
    game.assign("Cooking", 3)
    tasks = game.view(character(game.hero))["tasks"]
    assert [(one["ref"], one["player"], one["final"], one["drift"], one["reason"]) for one in tasks["aiming"]] == [
        (7, 7, 7, None, "it depends"),
        (9, 9, 9, 2, "it depends"),
        (8, 8, 8, -1, "it depends"),
    ]
    assert {one["sheet_sum"] for one in tasks["aiming"]} == {6}
    assert [one["ready"] for one in tasks["cooking"]] == [True]
    drifted = game.view(CAMPAIGN)["drifted"]
    assert [(one["character"], one["task"], one["final"], one["drift"]) for one in drifted] == [
        (game.hero, "Aiming", 9, 2),
        (game.hero, "Aiming", 8, -1),
    ]


def test_drift_is_worked_out_anew_when_an_assignment_is_overturned():
    game = Game(**FEATHER)
    game.session()
    game.assign(ref=7)
    second = game.number
    game.assign(ref=9, reason="a new rifle")
    game.assign(ref=7, reason="the old one")
    compared = game.without(second)
    log = list(game.after(compared, character(game.hero)).tasks.find("aiming"))
    assert [(one.final, one.drift, one.drifted) for one in log] == [(7, None, False), (7, 0, False)]
    assert list(game.after(compared, CAMPAIGN).drifted) == []


def test_who_is_assigned_an_aptitude_took_part_even_where_the_first_assignment_is_overturned():
    game = Game(**FEATHER)
    game.session()
    first = game.number
    game.assign(ref=7)
    second = game.number
    game.assign(ref=7)
    assert game.character(game.hero).sessions == 1
    assert game.fold(character(game.hero), struck=[first]).state.sessions == 1
    assert game.fold(character(game.hero), struck=[first, second]).state.sessions == 0


def test_descriptions_are_kept_in_versions():
    game = Game()
    for version, text in enumerate(("Quick.", "Quick, and no fool."), 1):
        done = game.fact(game.describe(text), "abilities-described")
        assert (done.version, done.text, done.by) == (version, text, "ann")
    assert game.view(character(game.hero))["abilities"] == {"version": 2, "text": "Quick, and no fool."}
