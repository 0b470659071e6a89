"""Hidden script immunity: what a player sees is the same whatever the rating is, as long as the Status is.

Two tables play the same, but for the rating and for Chances that make up for it. If a player could tell them apart
anywhere (a ruling, a fact, a step, a view, a what-if), the rating could be read or computed.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.rules.kernel.commands import OpenSession, SetDial
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.mnemonic import RULESET
from ledger.rules.mnemonic.checks import EnterRoll
from ledger.rules.mnemonic.immunity import RateImportance
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.recovery_checks import NameRecovery
from ledger.rules.mnemonic.referee import REFEREES, SeatReferee
from ledger.rules.mnemonic.words import SEVEN
from tests.rules.mnemonic.exits import outcomes, told
from tests.rules.mnemonic.game import Game

NAMES = [name for name, _ in SEVEN]
#: Chances from -12 to 12 in steps of one, so that they can make up for any rating.
CHANCES = [[f"C{number}", number] for number in range(-12, 13)]


def play(importance: str, approach: str, sums: list[int], faces: list[int], **dials: Any) -> Game:
    """Injuries and recovery checks whose rating and Chances add up to the given sums, rolled by their player."""
    game = Game(dramatic__source="important", dramatic__approach=approach, chances__ladder=CHANCES, **dials)
    rating = dict(SEVEN)[importance]
    if approach == "fixed":
        game.declare(RateImportance(game.hero, importance, f"{importance}: she is who the story is about."))
    named = {"importance": importance} if approach == "per_check" else {}
    for sum_, face in zip(sums, faces, strict=True):
        named["chances"] = f"C{sum_ - rating}"
        level, condition = game.status()
        if condition == "dead":
            break
        if level == 6 or sum_ % 2:
            check = game.injury(worst="unconscious", reason=f"{rating}", **named)
        else:
            check = game.recovery_check(reason=f"{rating}", **named)
        last = game.roll(check, face, by="ann").facts[-1].fact
        if dials.get("recovery__check_reading") == "referee" and getattr(last, "success", False):
            game.declare(NameRecovery(check, level + 1))
    return game


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    ratings=st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)),
    approach=st.sampled_from(["fixed", "per_check"]),
    rolls=st.lists(st.tuples(st.integers(0, 6), st.integers(1, 12)), max_size=6),
    reading=st.sampled_from(["mnemonic", "step", "referee"]),
)
def test_a_player_cannot_tell_one_rating_from_another(ratings, approach, rolls, reading):
    sums, faces = [one for one, _ in rolls], [face for _, face in rolls]
    one, other = (play(name, approach, sums, faces, recovery__check_reading=reading) for name in ratings)
    for seat in ("ann", "bob", "eve"):
        assert told(one, seat) == told(other, seat)
        for number in range(1, one.number, 4):
            assert outcomes(one, seat, number) == outcomes(other, seat, number)
    if ratings[0] != ratings[1] and (approach == "fixed" or rolls):
        assert told(one, "gm") != told(other, "gm")


@pytest.mark.parametrize("worst_of_two", [(1, 6), (3, 9)])
def test_by_how_much_a_victim_failed_is_not_told(worst_of_two):
    """Two failures of different size leave the same Status."""
    seen = []
    for rating in worst_of_two:
        game = play(NAMES[0], "per_check", [rating - 6], [12])
        seen.append(told(game, "ann"))
    assert seen[0] == seen[1]


def test_successes_beyond_the_status_are_not_told():
    """Hurt already: counting to Between or Smoking makes no difference to a Status of Run."""
    seen: list[str] = []
    for face in (5, 5):
        game = Game(dramatic__source="important", dramatic__approach="per_check", chances__ladder=CHANCES)
        game.roll(game.injury(importance="Not at All", chances="C0"), 2, by="ann")
        chances = "C5" if seen else "C7"
        game.roll(game.injury(importance="Not at All", chances=chances), face, by="ann")
        assert game.status() == (2, None)
        seen.append(told(game, "ann"))
    assert seen[0] == seen[1]


def test_the_player_still_sees_numbers_roll_fluke_and_status():
    game = Game(dramatic__source="important", flukes__on=True)
    game.declare(RateImportance(game.hero, "Very"))
    check = game.injury(worst="dead", chances="Poor")
    game.roll(check, 1, 1, 4, by="ann")
    verdict = game.fluke(check)
    (seen,) = game.view(game.there, "ann")["checks"]
    assert seen["entered"] == ["1", "1", "4"] and seen["roll"] == 1 and seen["fluke"] == "automatic_success"
    assert not {"traits", "aptitude", "chances", "total", "successes", "failures", "reason", "preview"} & set(seen)
    assert game.view(character(game.hero), "ann")["status"]["level"] == 6
    assert game.view(character(game.hero), "ann")["importance"] is None
    assert game.view(character(game.hero))["importance"]["rating"] == "Very"
    audiences = {about.fact.fact_kind: about.audience for about in verdict.facts}
    assert audiences["check-resolved@2"] == audiences["injury-resolved@2"] == REFEREES
    assert audiences["fluke-ruled@2"] is None


@pytest.mark.parametrize(
    ("dials", "hidden"),
    [
        ({"dramatic__source": "important"}, True),
        ({"dramatic__source": "important", "dramatic__visible": True}, False),
        ({"dramatic__source": "lucky"}, False),
        ({}, False),
    ],
)
def test_only_hidden_ratings_hide_resisting_checks(dials, hidden):
    game = Game(**dials)
    game.rate(game.hero, "Lucky", "Very")
    if dials.get("dramatic__source") == "important":
        rated = game.declare(RateImportance(game.hero, "Very"))
        assert (rated.facts[0].audience == REFEREES) is hidden
    check = game.injury()
    assert {about.audience for about in game.verdicts[-1].facts} == {REFEREES if hidden else None}
    game.roll(check, 3, by="ann")
    (seen,) = game.view(game.there, "ann")["checks"]
    assert ("aptitude" not in seen) is hidden
    (seen,) = game.view(game.there, "gm")["checks"]
    assert seen["aptitude"] == (8 if dials else 6)


def test_ordinary_checks_hide_nothing():
    game = Game(dramatic__source="important")
    game.roll(game.check(), 3)
    (seen,) = game.view(game.there, "bob")["checks"]
    assert seen["aptitude"] == 6 and seen["successes"] == 4


def test_refusals_of_hidden_rulings_name_nothing_to_players():
    """A ladder struck in a what-if: the rating's name is on it no more, and must not be said."""
    game = Game(dramatic__source="important")
    heroic = [*map(list, SEVEN), ["Heroic", 9]]
    ladder = game.number
    game.set_dial("traits.ladder", heroic)
    game.declare(RateImportance(game.hero, "Heroic"))
    game.injury()
    assert "Heroic" in json.dumps(outcomes(game, "gm", ladder))
    assert "Heroic" not in json.dumps(outcomes(game, "ann", ladder))


def test_turning_the_dial_shows_or_hides_the_fixed_rating():
    game = Game(dramatic__source="important")
    game.declare(RateImportance(game.hero, "Very"))
    for visible in (True, False, True):
        game.declare(SetDial("dramatic.visible", visible, "we talked"))
        assert (game.view(character(game.hero), "ann")["importance"] is not None) is visible
        assert game.view(character(game.hero), "gm")["importance"]["rating"] == "Very"


def test_turning_the_dial_shows_or_hides_the_ratings_of_single_checks():
    game = Game(dramatic__source="important", dramatic__approach="per_check")
    game.injury(importance="Very")
    for visible, shown in ((True, 1), (False, 0), (True, 2)):
        game.declare(SetDial("dramatic.visible", visible, "we talked"))
        assert len(game.view(character(game.hero), "ann")["importances"]) == shown
        if not visible:
            game.injury(importance="Fairly")
            assert game.view(character(game.hero), "ann")["importances"] == []
    assert len(game.view(character(game.hero), "gm")["importances"]) == 2


@pytest.mark.parametrize("approach", ["fixed", "per_check"])
def test_a_past_in_which_it_was_never_hidden_tells_no_more(approach):
    """The ruling that hid the ratings is struck in a what-if: what was rated since stays hidden in its views."""
    game = Game(dramatic__source="important", dramatic__approach=approach, dramatic__visible=True)
    hiding = game.number
    game.declare(SetDial("dramatic.visible", False, "they took advantage of it"))
    named = {"importance": "Very"} if approach == "per_check" else {}
    if approach == "fixed":
        game.declare(RateImportance(game.hero, "Very"))
    game.roll(game.injury(**named), 3, by="ann")
    then = game.without(hiding).then
    for subject in (character(game.hero), game.there):
        views = [
            json.dumps(RULESET.view(subject, then.told(subject).state, game.viewer(seat))) for seat in ("ann", "gm")
        ]
        assert "Very" not in views[0]
        assert "Very" in views[1]


def test_a_seated_referee_reads_what_players_may_not():
    game = Game(dramatic__source="important")
    game.declare(SeatReferee("bob"))
    game.declare(RateImportance(game.goon, "Fairly"), by="bob")
    game.declare(RuleInjury(game.goon, "referee", "dead", "Even", reason="A fall."), by="bob")
    assert game.view(character(game.goon), "bob")["importance"]["rating"] == "Fairly"
    assert "aptitude" in game.view(game.there, "bob")["checks"][0]
    assert "aptitude" not in game.view(game.there, "ann")["checks"][0]
    assert all(about.audience == REFEREES for about in game.verdicts[-1].facts)


def test_the_question_for_the_roll_says_nothing_of_the_check():
    game = Game(dramatic__source="important", dramatic__approach="per_check")
    asked = []
    for importance, chances in itertools.product(("Very", "Not at All"), ("Bad", "Good")):
        check = game.injury(importance=importance, chances=chances)
        conversation, _ = game.begin(EnterRoll(check), "ann")
        asked.append(conversation.question)
    assert len(set(map(repr, asked))) == 1


def test_a_player_who_rules_is_told_only_no():
    game = Game(dramatic__source="important")
    for rating in ("Very", "No such rating"):
        with pytest.raises(Refused) as caught:
            game.declare(RateImportance(game.hero, rating), by="ann")
        assert (caught.value.code, caught.value.context) == ("not-referee", {})
    assert caught.value.rule in RULESET.rules


def test_which_assigned_aptitude_a_hidden_check_took_cannot_be_seen():
    """With it, the roll and the Status that comes of it, the hidden Chances could be worked out."""

    def seen(taken: int, by: str) -> Any:
        game = Game(dramatic__source="important", feather__mode="hybrid", feather__calibration_sessions=0)
        game.declare(OpenSession())
        given = [game.assign(task, number) for task, number in (("Bearing pain", 5), ("Standing firm", 9))]
        check = game.injury(assigned=given[taken].assignment, chances=("Even", "Bad")[taken])
        game.roll(check, 4)
        return game.view(character(game.hero), by)["tasks"], game.view(game.there, by)

    for by in ("ann", "bob"):
        assert seen(0, by) == seen(1, by)
    ready = [[one["ready"] for log in seen(taken, "gm")[0].values() for one in log] for taken in (0, 1)]
    assert ready == [[False, True], [True, False]]


@pytest.mark.parametrize("reading", ["mnemonic", "referee"])
def test_a_hidden_check_records_as_much_whether_it_succeeds_or_not(reading):
    """Else it could be counted, by the versions of character and scene. The Status stays what it was in both."""

    def recorded(chances: str) -> tuple[bool, Any]:
        game = Game(dramatic__source="important", recovery__check_reading=reading, chances__ladder=CHANCES)
        game.declare(RateImportance(game.hero, "Fairly"))
        game.roll(game.injury(chances="C0"), 4)
        verdict = game.roll(game.recovery_check(chances=chances), 12, by="ann")
        seen = [about.subject for about in verdict.facts], game.status()
        return game.fact(verdict, "check-resolved").success, seen

    assert recorded("C5")[0] and not recorded("C0")[0]
    assert recorded("C5")[1] == recorded("C0")[1]
