"""Sentences of this game: those that choose their words, and refusals that name their cause."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.dials import list_dial_fields
from ledger.rules.kernel.phrases import fill_from_context, list_fields, sentence
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, character
from ledger.rules.scattershot import RULESET
from ledger.rules.scattershot.actions import ActionForfeited
from ledger.rules.scattershot.awards import VoteCast
from ledger.rules.scattershot.challenges import ChallengeOffered
from ledger.rules.scattershot.conditions import OffGuardSet
from ledger.rules.scattershot.declaring import ActionDeclared
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.evolving import RatingRaised, TraitBought
from ledger.rules.scattershot.gimmes import PaybackPaid
from ledger.rules.scattershot.listings import GenreExpectationListed
from ledger.rules.scattershot.proprietorship import ProprietorshipTransferred
from ledger.rules.scattershot.reactions import OffGuardReactionRolled
from ledger.rules.scattershot.resources import ResourceReduced
from ledger.rules.scattershot.rolls import MibRolled, RollReported
from ledger.rules.scattershot.state import Advantage, Sheet, Skill
from ledger.rules.scattershot.totals import DecisionClosed, ExperienceDieHandedOver, OutcomeHeld
from tests.laws.test_phrases import unfit
from tests.rules.scattershot.game import Game
from tests.rules.scattershot.test_refusals import REFUSALS
from tests.rules.world import World

PHRASES = RULESET.phrases


class People:
    def name(self, subject: Subject) -> str:
        known = {
            "1": "Aria",
            "2": "Brom",
            "3": "Cora",
            "4": "the Ogre",
            "ann": "Ann",
            "bob": "Bob",
            "cid": "Cid",
            "o": "Olga",
            "s2": "Bob",
        }
        return known.get(subject.id, "the Gamemaster" if subject.id == "gm" else f"unknown {subject}")


@pytest.mark.parametrize(
    ("minimum", "sheet", "text"),
    [
        (1, Sheet(statistics={"strength": 8}), "Strength cannot be lower than 9."),
        (0, Sheet(statistics={"hit-points": 7}), "Hit Points cannot be lower than 8."),
        (1, Sheet(skills=(Skill("Fencing", "easy"),)), "Fencing needs at least 1 point of Training or Talent."),
        (1, Sheet(advantages=(Advantage("Famous", 0),)), "The Value of Famous must be at least 1."),
    ],
)
def test_what_is_too_low_says_how_low_it_can_be(minimum: int, sheet: Sheet, text: str) -> None:
    no = Game(stat_minimum_points=minimum).refusal(Enrol("Somebody", "ann", sheet))
    assert fill_from_context(PHRASES.refusals[no.code], no.context, PHRASES, People()) == text


def test_where_only_observers_are_left_nobody_can_be_asked() -> None:
    draft = Draft(World(RULESET, people={"o": "observer"}).table("o"))
    with pytest.raises(Refused) as no:
        draft.find_gm()
    assert no.value.code == "not-at-the-table"
    text = fill_from_context(PHRASES.refusals[no.value.code], no.value.context, PHRASES, People())
    assert text == "There is no Gamemaster at the table."


@pytest.mark.parametrize(("dials", "before", "do", "by", "rule", "code"), REFUSALS, ids=[row[-1] for row in REFUSALS])
def test_a_refusal_reads_like_people_talk(
    dials: dict[str, Any], before: tuple[Any, ...], do: Any, by: str, rule: str, code: str
) -> None:
    game = Game(**dials)
    for step in before:
        game.does(step)
    no = game.refusal(do, by=by)
    if code in PHRASES.refusals:
        said = fill_from_context(PHRASES.refusals[code], no.context, PHRASES, People())
        assert unfit(said, no) == [] and "unknown" not in said, said
        assert not said.endswith((" .", "]", ": .")) and said[0].isupper() | said[0].isdigit(), said


def test_no_dial_is_told_by_the_sentence_of_a_step() -> None:
    """A step that cites an option's rule has none of the numbers that the option's sentence needs."""
    dials = {field.metadata["rule"] for field in list_dial_fields(RULESET.dials).values()}
    assert PHRASES.steps and set(PHRASES.steps) <= set(RULESET.rules)
    for rule in dials & set(PHRASES.steps):
        told = PHRASES.steps[rule]
        assert isinstance(told, str) and set(list_fields(told)) - {"out", "dial"}, rule


SAID: list[tuple[Any, str]] = [
    (MibRolled("7", "actor", (5, 6)), "The roll for the Action shows 5 and 6: 11."),
    (
        RollReported(resolution="7", roll="actor", mib=3, rmib={}, outcomes={"actor": "success"}, actor="2"),
        "Brom makes the roll by 3, a success.",
    ),
    (
        RollReported(resolution="7", roll="actor", mib=3, rmib={}, outcomes={"actor": "success"}),
        "The Actor makes the roll by 3, a success.",
    ),
    (
        RollReported(resolution="7", roll="actor", mib=0, rmib={}, outcomes={}),
        "The Actor makes the roll exactly. Others still have to roll.",
    ),
    (
        RollReported(resolution="7", roll="2", mib=-2, rmib={"2": 5}, outcomes={"2": "success"}),
        "Brom misses the roll by 2: the Actor is ahead of Brom by 5, a success.",
    ),
    (MibRolled("7", "2", (5, 6)), "Brom rolls 5 and 6: 11."),
    (
        ActionDeclared(
            resolution="7",
            actor="1",
            player="ann",
            text="a leap",
            subject="a bridge",
            ability="agility",
            rating=12,
            magnitude="strength",
            duration="immediate",
            nature="other",
            flurry=False,
            engaged={},
        ),
        "Aria uses Agility (12 or less) against a bridge: “a leap”",
    ),
    (
        ActionDeclared(
            resolution="7",
            actor="1",
            player="ann",
            text="a leap",
            subject="2",
            ability="Fencing",
            rating=12,
            magnitude="strength",
            duration="immediate",
            nature="other",
            flurry=False,
            engaged={},
        ),
        "Aria uses Fencing (12 or less) against Brom: “a leap”",
    ),
    (
        PaybackPaid(player="ann", for_="12-2", spent=2, interest=1, n=3),
        "Ann gets 3 dice of Payback for the dice of a resolution, including 1 as interest.",
    ),
    (PaybackPaid(player="ann", for_="a cue", spent=0, interest=0, n=1), "Ann gets 1 die of Payback for a cue."),
    (ActionForfeited("1", "12"), "Aria forfeits an Action in the next Turn."),
    (ProprietorshipTransferred("2", "ann", "bob"), "Ann hands Brom to Bob, who is now the Proprietor."),
    (
        ProprietorshipTransferred("the [old] bridge", "ann", "bob"),
        "Ann hands the [old] bridge to Bob, who is now the Proprietor.",
    ),
    (ExperienceDieHandedOver("7", "8", "bank/xd"), "The die goes back to the common stock."),
    (ExperienceDieHandedOver("7", "8", "seat:bob/xd:saved:ann"), "Bob saves the Loaner for use against Ann."),
    (ExperienceDieHandedOver("7", "8", "seat:ann/karmic"), "Ann's Loaner is paid back."),
    (
        DecisionClosed("7", {"actor": 5, "2": 1, "3": -2}, {"2": 4, "3": 5}),
        "The Actor's MIB is 5, Brom's MIB is 1 and Cora's MIB is -2, so the RMIB is 4 against Brom and 5 against Cora.",
    ),
    (
        GenreExpectationListed("doomed", "gimme", 1, "3"),
        "A Genre Expectation for Cora: doomed, worth a Gimme of 1 die.",
    ),
    (VoteCast("ann", "s2"), "Ann votes for Bob."),
    (OffGuardSet(("2",), None), "The Ogre is Off-Guard towards Brom."),
    (OffGuardSet((), "3"), "The Ogre is Off-Guard towards everybody but Cora."),
    (OffGuardSet((), None), "The Ogre is on guard again."),
    (
        OffGuardReactionRolled(
            resolution="7", character="1", player="ann", dice=(5, 6), experience=(-2,), mib=-3, engaged=False
        ),
        "Aria is Off-Guard and makes a Reaction roll: 5 and 6, -2 with Experience Dice, a MIB of -3. Aria does not"
        " notice the Action in time.",
    ),
    (
        TraitBought(character="1", trait="element", name="hums", points=1, advantage=None, rated=None, protection=None),
        "Aria buys an element of 'Character' (hums) for 1 point.",
    ),
    (
        ChallengeOffered(resolution="7", side="actor", by="ann", kind="time", text="slowly", n=2, taken=False),
        "Ann offers the Actor 2 Challenges (time), and the Actor does not take them: “slowly”",
    ),
    (RatingRaised("hit-points", 1, False, None), "The Ogre's Rating in Hit Points rises by 1."),
    (
        ResourceReduced(character="1", resource="hit-points", loss=1, before=10, after=9, losses=False, wound=""),
        "Aria loses 1 Hit Point and has 9 left.",
    ),
    (OutcomeHeld("7", ("bob",)), "Bob wants to do something before the outcome."),
    (OutcomeHeld("7", ("ann", "bob", "cid")), "Ann, Bob and Cid want to do something before the outcome."),
]


@pytest.mark.parametrize(("record", "text"), SAID, ids=[text for _, text in SAID])
def test_what_became_true_is_said(record: Any, text: str) -> None:
    assert sentence(PHRASES.facts[type(record)], record, People(), character("4")) == text
