"""Names that people and programs depend on: facts and declarations with their fields, as section 4 says."""

from __future__ import annotations

import dataclasses
import re

import pytest

from ledger.application import json_form
from ledger.rules.kernel.declarations import find_fact_kind, find_kind
from ledger.rules.scattershot import RULESET
from ledger.rules.scattershot.actions import ActionForfeited
from ledger.rules.scattershot.advantage import FoeChanged
from ledger.rules.scattershot.awards import CoolBeansGiven, VoteCast
from ledger.rules.scattershot.experience import ExperienceDieRolled
from ledger.rules.scattershot.game import PlayModeShifted, SpeakerChanged
from ledger.rules.scattershot.gimmes import PaybackPaid
from ledger.rules.scattershot.proprietorship import ProprietorshipTransferred

#: Each event with its fields. A field that is two in the specification's shorthand is one of the kinds here.
EVENTS = """
    ChartAdopted rows
    GenreExpectationListed name kind value scope
    GameBegun cj ei
    AttendanceNoted present
    LoanerLapsed holder borrower n
    PlayModeShifted from to
    SpeakerChanged from to
    PenaltyTookEffect character amount
    ElementIntroduced element proprietor
    ProprietorshipTransferred element from to
    ConsentAsked element change
    ConsentGiven consent
    ConsentRefused
    PersonaCreated sheet net
    DevelopmentPointsAllocated rating points
    RatingRaised rating
    VoteCast for
    ExperienceDiceAwarded to n reason
    CoolBeansGiven from to n
    CoolBeansReplaced gift n
    CoupCounted catcher owed_to owed
    GimmeTaken source value grade n
    PaybackPaid for spent interest n
    CharacteristicCashedIn rating points left
    DevelopmentRolled faces own loaners total points
    PlotDeviceRolled by target dice
    ActionDeclared actor text subject rating duration
    ActionExpended persona cost
    ResistorAnswered opposes action rating
    ActionForfeited for
    FreeActionTaken kind
    OffGuardReactionRolled dice mib engaged
    ModifierApplied amount why
    OpportunityClosed modified_rating
    MibRolled roll dice
    ExperienceDieRolled by kind face sign target against from to
    DecisionClosed basic_mibs rmib
    ExperienceDieHandedOver die to
    ChallengeTaken side kind
    BenefitTaken side kind automatic
    OutcomeReached adjusted remaining auto_benefits resistor_number resistor_auto_benefits outcome junctures
    JunctureConsequenceNamed author points excess_split until
    DisadvantageGained
    ResidualPlaced amount scope until
    AdvantageConverted
    ResourceReduced character resource loss before after
    ScalarRecorded
    PenaltyDeferred amount
    ApplicationClosed
    PowerSpent
    ResourceRestored ruling
    MechanicalPlayCalled caller order scope melee
    TurnStarted persona actions
    TurnEnded
    RoundEnded n
    MechanicalPlayEnded
    FreeCapacityRestored
    FlurryStarted script limit
    FlurryStepped n step
    FlurryEnded by
    AdvantageSeized holder foe cause
    AdvantageHeld holder foe cause
    AdvantageChecked holder foe cause
    AdvantageErased n cause
    FoeChanged from to
    RulingMade subject text
"""
BY_NAME = {cls.__name__: cls for cls in RULESET.facts}


def fields(cls: type) -> list[str]:
    return [field.name for field in dataclasses.fields(cls)]


@pytest.mark.parametrize("line", EVENTS.split("\n")[1:-1], ids=lambda line: line.split()[0])
def test_events_have_the_fields_of_the_specification(line):
    name, *wanted = line.split()
    cls = BY_NAME[name]
    assert set(wanted) <= set(fields(cls))
    assert find_fact_kind(cls) == re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower() + "@1"


#: What beside those of the specification is recorded, and which facts are ours.
OURS = {
    "chart-read",
    "players-seated",
    "attendance-noted",
    "element-changed",
    "effect-indexed",
    "point-limit-set",
    "residual-ended",
    "off-guard-set",
    "resource-used",
    "damage-listed",
    "gimme-declined",
    "roll-replaced",
    "outcome-held",
    "all-out-declared",
    "dice-declined",
    "mechanical-play-joined",
    "mechanical-play-left",
    "ability-listed",
    "advantage-listed",
    "listing-upheld",
    "trait-bought",
    "fight-left-ruled",
    "sheet-deviates",
    "limit-declined",
    "free-skill-listed",
    "free-action-accepted",
    "free-action-declined",
    "part-declined",
    "challenge-offered",
    "mechanical-play-goes-on",
    "roll-reported",
    "protection-declined",
    "act-declined",
    "word-limit-set",
    "word-limit-declined",
    "limits-shown",
    "trait-struck",
    "disadvantage-taken",
    "ability-use-listed",
    "scope-shifted",
    "sheet-change-declined",
    "weapon-listed",
    "consensus-reached",
    "consensus-failed",
}


def test_no_other_facts_but_ours():
    named = {re.sub(r"(?<!^)(?=[A-Z])", "-", line.split()[0]).lower() for line in EVENTS.split("\n")[1:-1]}
    kinds = {find_fact_kind(cls).partition("@")[0] for cls in RULESET.facts}
    assert kinds - named | {"attendance-noted"} == OURS
    assert named <= kinds


#: Each command with the fields of its input column; words of the specification that Python or JSON keeps are said once.
COMMANDS = """
    list-expectation name expectation value scope
    begin-game
    attend present
    shift-mode mode reason
    pass-word to
    introduce-element element
    transfer-proprietorship element to
    ask-consent element change
    answer-consent element change consent
    raise-rating rating points
    cast-vote for
    award-dice to n reason
    give-cool-beans to n
    replace-cool-beans gift n
    count-coup owed_to owed
    claim-gimme disadvantage expectation grade
    claim-payback resolution interest
    cash-in characteristic points
    develop own loaners faces character
    plot-device dice target
    declare-action character text subject rating default duration
    answer-engagement oppose passive
    react-off-guard faces
    apply-modifier amount why
    close-opportunity resolution
    roll-mib faces
    contribute-die die face sign target borrower
    close-decision resolution
    take-challenge challenge text n
    take-benefit benefit text n
    name-consequences consequences
    choose-results results
    spend-power amount why
    restore-resource amount
    call-mechanical-play caller characters scope
    take-free-action action
    restore-free-actions character
    forfeit-action resolution
    start-flurry script
    step-flurry step
    seize-advantage holder foe cause
    hold-advantage holder foe cause
    check-advantage holder foe cause
    erase-advantage holder foe cause
    change-foe character foe
    make-ruling subject text
"""


@pytest.mark.parametrize("line", COMMANDS.split("\n")[1:-1], ids=lambda line: line.split()[0])
def test_inputs_have_the_fields_of_the_specification(line):
    kind, *wanted = line.split()
    (cls,) = [one for one in RULESET.inputs if find_kind(one) == kind]
    assert set(wanted) <= set(fields(cls))


@pytest.mark.parametrize(
    ("done", "said"),
    [
        (VoteCast("ann", "the MVP"), {"voter": "ann", "for": "the MVP"}),
        (PlayModeShifted("general", "specific", ""), {"from": "general", "to": "specific", "reason": ""}),
        (SpeakerChanged(None, "ann"), {"from": None, "to": "ann"}),
        (CoolBeansGiven("7.1", "ann", "bob", 2), {"gift": "7.1", "from": "ann", "to": "bob", "n": 2}),
        (ProprietorshipTransferred("it", "ann", "bob"), {"element": "it", "from": "ann", "to": "bob"}),
        (
            PaybackPaid(player="ann", for_="9", spent=2, interest=1, n=3),
            {"player": "ann", "for": "9", "spent": 2, "interest": 1, "n": 3},
        ),
        (ActionForfeited("1", "9"), {"persona": "1", "for": "9"}),
        (FoeChanged("1", None, "2"), {"persona": "1", "from": None, "to": "2"}),
        (
            ExperienceDieRolled(
                resolution="9",
                die="9.1",
                by="ann",
                kind="own",
                face=4,
                sign=1,
                target="actor",
                against=None,
                borrower=None,
                use=None,
                from_="seat:ann/xd",
                to="scene:5/xd",
                final="bank/xd",
            ),
            {
                "resolution": "9",
                "die": "9.1",
                "by": "ann",
                "kind": "own",
                "face": 4,
                "sign": 1,
                "target": "actor",
                "against": None,
                "borrower": None,
                "use": None,
                "from": "seat:ann/xd",
                "to": "scene:5/xd",
                "final": "bank/xd",
            },
        ),
    ],
    ids=lambda one: type(one).__name__,
)
def test_as_they_are_told(done, said):
    assert json_form.to_json(done) == said
