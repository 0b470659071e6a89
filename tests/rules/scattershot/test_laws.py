"""Laws of this game alone, in random play. Those of every game are in tests/laws."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.rules.scattershot.outcomes import OutcomeReached
from ledger.rules.scattershot.resources import ResourceReduced
from tests.levels import examples
from tests.rules.scattershot.chance import play_at_random

quickly = settings(max_examples=examples(10, 30, 150), deadline=None, suppress_health_check=list(HealthCheck))
games = st.builds(play_at_random, st.integers(0, 2**32), st.just(120))
SEATS = ("gm", "ann", "bob", "cid", "o")


def lying(game):
    """Return every die on a table."""
    scenes = [one for one in game.past.folded if one.kind == "scene"]
    return [die for one in scenes for deed in game.state(one).resolutions.values() for die in deed.dice]


@quickly
@given(games)
def test_the_gamemaster_keeps_no_dice(game):
    assert game.xd("gm") == 0 and game.xd("o") == 0


@quickly
@given(games)
def test_what_a_karmic_account_owes_somebody_saves(game):
    """Or the die is on a table."""
    for borrower in SEATS:
        saved = sum(game.saved(holder, borrower) for holder in SEATS)
        out = sum(1 for die in lying(game) if die.kind == "loaner" and die.by == borrower)
        coming_back = sum(1 for die in lying(game) if die.kind == "saved" and die.borrower == borrower)
        assert -game.karmic(borrower) == saved + out + coming_back


@quickly
@given(games)
def test_the_table_holds_the_dice_that_lie_on_it(game):
    on_tables = sum(n for account, n in game.balances().items() if account.startswith("scene:") and "/xd" in account)
    assert on_tables == len(lying(game))


@quickly
@given(games)
def test_outcomes_are_capped_and_results_follow(game):
    for verdict in game.verdicts:
        for about in verdict.facts:
            if isinstance(about.fact, OutcomeReached):
                done = about.fact
                assert done.remaining == min(done.adjusted, done.cj)
                assert done.auto_benefits == max(0, done.adjusted - done.cj)
                assert done.resistor_number is None or (done.adjusted < 0 <= done.resistor_number <= done.cj)
            if isinstance(about.fact, ResourceReduced):
                assert about.fact.loss >= 0 and about.fact.after <= about.fact.before


@quickly
@given(games)
def test_the_hit_points_shown_are_those_of_the_accounts(game):
    for id in game.everybody():
        left, below = (game.balance(f"character:{id}/{unit}:hit-points") for unit in ("resource", "shortfall"))
        assert game.character(id).hit_points == left - below


@quickly
@given(games)
def test_no_resource_is_above_its_maximum_and_no_persona_without_points(game):
    for id in game.everybody():
        who = game.character(id)
        for name, most in who.resources.items():
            assert 0 <= game.balance(f"character:{id}/resource:{name}") <= most
        for one in who.ratings.values():
            assert one.kind == "free-skill" or one.points >= 1 or one.kind == "statistic"
