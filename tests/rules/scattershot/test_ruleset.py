"""The game as published: every rule, option, refusal, declaration and fact of the specification."""

from __future__ import annotations

import json
import re

import pytest

from ledger.application import json_form
from ledger.rules.kernel.commands import SetDial
from ledger.rules.kernel.declarations import find_fact_kind, find_kind, list_recorded_kinds
from ledger.rules.kernel.dials import check_dial, check_opening_dials, list_dial_fields
from ledger.rules.kernel.questions import Choice
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Viewer, scene, seat
from ledger.rules.scattershot import RULESET
from ledger.rules.scattershot.chart import ReadChart
from ledger.rules.scattershot.dials import Dials
from ledger.rules.scattershot.game import BeginGame
from ledger.rules.scattershot.state import Seat
from tests.rules.refusals import unmet, unsaid
from tests.rules.scattershot.chance import DIAL_VALUES, many, play_at_random, refused_in_many
from tests.rules.scattershot.game import Game


def test_every_rule_has_a_statement_of_its_own():
    assert len(RULESET.rules) == 121
    assert len({text.statement for text in RULESET.rules.values()}) == 121
    gaps = {"contest.many", "resource.restore"} | {
        f"chart.{name}" for name in ("band", "multiplier", "points", "bonus", "quantity")
    }
    assert {rule for rule, text in RULESET.rules.items() if not text.heading} == {f"scattershot.{one}" for one in gaps}


def test_every_dial_and_value():
    assert list(list_dial_fields(Dials)) == list(DIAL_VALUES)
    for name, values in DIAL_VALUES.items():
        assert getattr(Dials(), name.replace("-", "_")) == values[0]
        for value in values:
            assert check_dial(RULESET, name, json_form.to_json(value)) in RULESET.rules
            check_opening_dials(RULESET, {name: value})
        with pytest.raises(Refused, match="bad-number"):
            check_dial(RULESET, name, "no such value")
    assert Game().refuses(SetDial("no-such", 1, "x")) == "unknown-dial"


@pytest.mark.parametrize(
    ("dial", "value", "code"),
    [
        ("critical-juncture", 0, "bad-number"),
        ("critical-juncture", 7, "juncture-plus-index-over-10"),
        ("epic-index", -1, "bad-number"),
        ("epic-index", 5, "juncture-plus-index-over-10"),
        ("stock-size", -1, "bad-number"),
        ("loaner-limit", -1, "bad-number"),
        ("coup-extra", -1, "bad-number"),
        ("ue-chart", [{"from": 1, "to": 0, "facets": {}}], "bad-number"),
        ("ue-chart", [{"from": 1, "to": 2}], "bad-number"),
        ("ue-chart", [{"from": 1, "to": 2, "facets": {"bonus": "1/0"}}], "bad-number"),
        ("ue-chart", [{"from": 1, "to": 2, "facets": {"bonus": 1.5}}], "bad-number"),
        ("ue-chart", [{"from": 1, "to": 2, "facets": {}}, {"from": 2, "to": 3, "facets": {}}], "bad-number"),
        ("resource-penalty", [{"at": 3}], "bad-number"),
        ("resource-penalty", [{"at": "3", "penalty": 1}], "bad-number"),
        ("resource-penalty", [{"at": 3, "penalty": -1}], "bad-number"),
    ],
)
def test_dials_that_types_cannot_judge(dial, value, code):
    with pytest.raises(Refused, match=code):
        check_opening_dials(RULESET, {dial: value})
    assert Game().refuses(SetDial(dial, value, "try it")) == code


def test_critical_juncture_and_epic_index_stay_once_the_game_began():
    game = Game()
    game.does(SetDial("critical-juncture", 5, "grittier"))
    game.does(BeginGame())
    assert (game.state(scene("x")).mode, game.view(_campaign())["cj"]) == ("specific", 5)
    assert game.refuses(SetDial("critical-juncture", 6, "back")) == "game-has-begun"
    assert game.refuses(BeginGame()) == "game-has-begun"
    game.does(SetDial("cinematic", True, "wilder"))


def _campaign():
    from ledger.rules.kernel.subjects import CAMPAIGN

    return CAMPAIGN


def test_a_chart_adopted_is_in_the_record():
    game = Game()
    rows = ({"from": 0, "to": 9, "facets": {"multiplier": "1/3", "bonus": 4}},)
    assert "chart-adopted" in kinds(game.does(SetDial("ue-chart", rows, "ours")))
    read = game.does(ReadChart(3)).facts[0].fact
    assert (read.numerator, read.denominator, read.rounded) == (1, 3, 0)
    assert game.refuses(ReadChart(10)) == "rating-off-chart"
    assert game.refuses(ReadChart(3, "points")) == "unknown-facet"


def kinds(verdict):
    return [type(about.fact).fact_kind.partition("@")[0] for about in verdict.facts]


PENALTY = "takes the dial `resource-penalty`, a Resource that falls below a step, and this input before the next lull"
FOCUS = "takes a Persona that goes on Focusing until then; test_turns: off guard to all but the foe"
LIMIT = "takes as many steps as the Epic Index without a hit; test_amendments: the limit ends it"
FLOWS = "takes a Flurry under way and an Action that it pays for; test_amendments: as an answer is a step"
#: What an input can record and random play need not come to, and why; everything else it comes to.
SELDOM: dict[str, dict[str, str]] = {
    "shift-mode": {"off-guard-set": FOCUS, "penalty-took-effect": PENALTY},
    "end-mechanical-play": {"off-guard-set": FOCUS, "penalty-took-effect": PENALTY},
    "leave-mechanical-play": {"off-guard-set": FOCUS, "penalty-took-effect": PENALTY},
    "start-turn": {"off-guard-set": FOCUS},
    "restore-resource": {"penalty-took-effect": PENALTY},
    "spend-power": {"penalty-deferred": PENALTY, "penalty-took-effect": PENALTY},
    "choose-results": {"penalty-deferred": PENALTY, "penalty-took-effect": PENALTY},
    "declare-action": {
        "flurry-stepped": FLOWS,
        "flurry-ended": LIMIT,
        "penalty-deferred": PENALTY,
        "penalty-took-effect": PENALTY,
    },
    "answer-engagement": {
        "flurry-stepped": FLOWS,
        "flurry-ended": LIMIT,
        "penalty-deferred": PENALTY,
        "penalty-took-effect": PENALTY,
    },
    "step-flurry": {"flurry-ended": LIMIT},
    "raise-rating": {
        "effect-indexed": "takes points rolled for and put into Power by a mage; test_amendments_last: noted anew",
        "damage-listed": "takes a damage list, and points rolled for and put into Strength",
        "resource-used": "takes points rolled for and put into a new ability that is a Resource; test_persona",
    },
    "cash-in": {
        "damage-listed": "takes a damage list, and Strength given up; test_amendments_last: noted anew",
        "effect-indexed": "takes a mage's ability, given up in part, and a grant",
    },
    "buy-trait": {"listing-upheld": "takes points rolled for, and a Gamemaster who declines; test_consent"},
}


def told_by_input() -> dict[str, set[str]]:
    """Return the facts that random play recorded for each declaration."""
    seen: dict[str, set[str]] = {}
    for game in many():
        for ruling, verdict in zip(game.history, game.verdicts, strict=True):
            kinds_told = seen.setdefault(find_kind(ruling.declared), set())
            kinds_told.update(find_fact_kind(about.fact).partition("@")[0] for about in verdict.facts)
    return seen


@pytest.mark.nightly
def test_random_play_comes_to_every_input_and_all_it_can_record():
    seen = told_by_input()
    assert {find_kind(cls) for cls in RULESET.inputs} <= set(seen)
    for cls in RULESET.inputs:
        kind, can = find_kind(cls), set(list_recorded_kinds(cls))
        assert can - seen[kind] <= set(SELDOM.get(kind, {})), kind
        assert seen[kind] <= can, kind
        assert set(SELDOM.get(kind, {})) <= can, f"{kind}: a reason for what it never records"
    assert set(SELDOM) <= set(seen)
    told = {type(about.fact) for game in many() for verdict in game.verdicts for about in verdict.facts}
    assert set(RULESET.facts) <= told


@pytest.mark.nightly
def test_random_play_is_refused_in_every_way_there_is():
    """And each refusal has a sentence made from its context."""
    assert unmet(RULESET, refused_in_many()) == set()
    assert unsaid(RULESET, refused_in_many()) == []


@pytest.mark.nightly
def test_random_play_says_all_that_can_be_said_and_cites_every_rule():
    said = {
        type(one.answer.value)
        for game in many()
        for past in game.history
        for one in past.said
        if isinstance(one.answer, Choice)
    }
    assert set(RULESET.choices) <= said
    cited = {one.rule for game in many() for verdict in game.verdicts for one in verdict.because}
    assert set(RULESET.rules) <= cited


def test_views_are_the_same_for_everybody():
    game = play_at_random(3, 100)
    for subject in game.past.folded:
        if subject.kind in ("character", "scene", "campaign"):
            seen = game.view(subject, "gm")
            assert seen == game.view(subject, "o") and json.dumps(json_form.to_json(seen))
    assert RULESET.view(seat("o"), Seat(limit=4), Viewer("o", "observer")) == {"limit": 4, "words": []}
    assert game.state(seat("ann")).adrift == ()


def test_the_facts_of_the_specification_are_there():
    named = (
        "GameBegun ChartAdopted GenreExpectationListed LoanerLapsed PlayModeShifted SpeakerChanged "
        "PenaltyTookEffect ElementIntroduced ProprietorshipTransferred ConsentAsked ConsentGiven ConsentRefused "
        "PersonaCreated DevelopmentPointsAllocated RatingRaised VoteCast ExperienceDiceAwarded CoolBeansGiven "
        "CoolBeansReplaced CoupCounted GimmeTaken PaybackPaid CharacteristicCashedIn DevelopmentRolled "
        "PlotDeviceRolled ActionDeclared ActionExpended ResistorAnswered ActionForfeited FreeActionTaken "
        "OffGuardReactionRolled ModifierApplied OpportunityClosed MibRolled ExperienceDieRolled DecisionClosed "
        "ExperienceDieHandedOver ChallengeTaken BenefitTaken OutcomeReached JunctureConsequenceNamed "
        "DisadvantageGained ResidualPlaced AdvantageConverted ResourceReduced ScalarRecorded PenaltyDeferred "
        "ApplicationClosed PowerSpent ResourceRestored MechanicalPlayCalled TurnStarted TurnEnded RoundEnded "
        "MechanicalPlayEnded FreeCapacityRestored FlurryStarted FlurryStepped FlurryEnded AdvantageSeized "
        "AdvantageHeld AdvantageChecked AdvantageErased FoeChanged RulingMade"
    )
    classes = {cls.__name__: cls for cls in RULESET.facts}
    for name in named.split():
        kebab = re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
        assert find_fact_kind(classes[name]) == f"{kebab}@1"
