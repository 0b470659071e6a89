"""3.1: who owns an element or plays a Persona, and what changes when that changes in the middle of something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.rules.kernel.commands import HandOver, OpenSession
from ledger.rules.kernel.subjects import scene
from ledger.rules.scattershot.awards import AwardDice
from ledger.rules.scattershot.challenges import TakeChallenge
from ledger.rules.scattershot.consequences import Consequences, NameConsequences
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.game import Attend, ShiftMode
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.proprietorship import (
    AnswerConsent,
    AskConsent,
    ChangeElement,
    IntroduceElement,
    TransferProprietorship,
)
from ledger.rules.scattershot.ratings import Modifier
from ledger.rules.scattershot.results import CloseApplication
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game, tried
from tests.rules.scattershot.story import Story

ANN, BOB, CID, OGRE = "1", "2", "3", "4"
BRIDGE = "the bridge"
#: Who does it, and what.
Step = tuple[str, Any]


def give(by: str, to: str, element: str = BRIDGE) -> Step:
    return by, TransferProprietorship(element, to)


def says(by: str, consent: str = "explicit", change: str = "burnt", element: str = BRIDGE) -> Step:
    return by, AnswerConsent(element, change, consent)


BOBS: Step = ("bob", IntroduceElement(BRIDGE))
BURNT = ChangeElement(BRIDGE, "burnt")
ASKED: Step = ("ann", AskConsent(BRIDGE, "burnt"))
YES, NO, TACIT = says("bob"), says("bob", "refused"), says("ann", "tacit")
TO_CID, BACK = give("bob", "cid"), give("cid", "bob")
SESSION: Step = ("gm", OpenSession())


def played(steps: tuple[Step, ...]) -> Game:
    game = Game()
    for by, do in steps:
        game.does(do, by=by)
    return game


# --- consent ---------------------------------------------------------------------------------------------------------

#: What was said about Bob's bridge; whether Ann may then burn it.
CONSENTS: tuple[tuple[tuple[Step, ...], str], ...] = (
    ((), "proprietor-not-asked"),
    ((ASKED,), "proprietor-not-asked"),
    ((ASKED, TACIT), "done"),
    ((SESSION, TACIT), "done"),  # present, and no objection
    ((YES,), "done"),
    ((ASKED, YES), "done"),
    ((ASKED, NO), "proprietor-refused"),
    ((NO,), "proprietor-refused"),
    ((NO, YES), "done"),
    ((YES, NO), "proprietor-refused"),
    ((ASKED, TACIT, NO), "proprietor-refused"),
    ((YES, NO, YES), "done"),
    ((says("bob", change="painted"),), "proprietor-not-asked"),
    ((YES, says("bob", "refused", "painted")), "done"),
    # who asks again takes nothing back
    ((NO, ASKED), "proprietor-refused"),
    ((YES, ASKED), "done"),
    ((ASKED, TACIT, ASKED), "done"),
    # an answer stands until answered anew, whoever is Proprietor by then
    ((TO_CID,), "proprietor-not-asked"),
    ((YES, TO_CID), "done"),
    ((NO, TO_CID), "proprietor-refused"),
    ((YES, TO_CID, says("cid", "refused")), "proprietor-refused"),
    ((NO, TO_CID, says("cid")), "done"),
    ((TO_CID, says("cid", "refused"), BACK), "proprietor-refused"),
    ((TO_CID, says("cid", "refused"), BACK, YES), "done"),
    # what is one's own by then needs no consent
    ((give("bob", "ann"),), "done"),
    ((NO, give("bob", "ann")), "done"),
    ((give("bob", "ann"), give("ann", "cid")), "proprietor-not-asked"),
    # alone, one changes nothing of another's
    ((YES, ("ann", ShiftMode("solo"))), "not-proprietor"),
    ((give("bob", "ann"), ("ann", ShiftMode("solo"))), "done"),
)


@pytest.mark.parametrize(("said", "expected"), CONSENTS)
def test_consent_given_withheld_and_withdrawn(said, expected):
    assert tried(played((BOBS, *said)), BURNT, "ann") == expected


#: What was done before; who tries what; how it ends.
WHOSE: tuple[tuple[tuple[Step, ...], Step, str], ...] = (
    ((), give("bob", "cid"), "done"),
    ((), give("ann", "cid"), "not-proprietor"),
    ((), give("gm", "cid"), "not-proprietor"),
    ((), give("bob", "gm"), "done"),
    ((), give("bob", "o"), "not-at-the-table"),
    ((TO_CID,), give("bob", "ann"), "not-proprietor"),
    ((TO_CID,), give("cid", "ann"), "done"),
    ((TO_CID, BACK), give("cid", "ann"), "not-proprietor"),
    ((TO_CID, BACK), give("bob", "ann"), "done"),
    ((TO_CID,), ("bob", BURNT), "proprietor-not-asked"),
    ((TO_CID,), ("cid", BURNT), "done"),
    ((), ("gm", BURNT), "proprietor-not-asked"),
    ((), says("ann"), "not-proprietor"),
    ((), says("gm"), "not-proprietor"),
    ((TO_CID,), says("bob"), "not-proprietor"),
    ((TO_CID,), says("bob", "refused"), "not-proprietor"),
    ((TO_CID,), says("cid", "refused"), "done"),
    ((), TACIT, "proprietor-not-asked"),
    ((SESSION, ("gm", Attend(("gm", "ann", "cid")))), TACIT, "proprietor-not-asked"),
    ((SESSION, ("gm", Attend(("gm", "ann", "cid"))), TO_CID), TACIT, "done"),
    ((NO,), TACIT, "proprietor-refused"),
    ((NO, ASKED), TACIT, "proprietor-refused"),  # the objection is still recorded
    ((NO, TO_CID), TACIT, "proprietor-refused"),
    # what belongs to somebody from the beginning
    ((("ann", IntroduceElement("the sword", persona=BOB)),), give("ann", "cid", "the sword"), "not-proprietor"),
    ((("ann", IntroduceElement("the sword", persona=BOB)),), give("bob", "cid", "the sword"), "done"),
    ((("ann", IntroduceElement("the club", persona=OGRE)),), give("gm", "ann", "the club"), "done"),
    ((("ann", IntroduceElement("the moon", world=True)),), give("ann", "bob", "the moon"), "not-proprietor"),
    ((), give("gm", "bob", "what nobody introduced"), "done"),
    ((("gm", AskConsent("the sword", "broken")),), ("ann", IntroduceElement("the sword")), "done"),
    ((says("gm", "refused", "broken", "the sword"),), ("ann", IntroduceElement("the sword")), "done"),
    ((give("gm", "bob", "the sword"),), ("ann", IntroduceElement("the sword")), "not-proprietor"),
    ((), ("ann", IntroduceElement(BRIDGE)), "not-proprietor"),
    # Personae
    ((), give("ann", "bob", ANN), "not-proprietor"),  # they change hands as Characters
    ((), ("ann", HandOver(ANN, "bob")), "done"),
    ((), ("bob", HandOver(ANN, "bob")), "not-proprietor"),
    ((), ("gm", HandOver(ANN, "bob")), "not-proprietor"),
    ((("ann", HandOver(ANN, "bob")),), ("ann", HandOver(ANN, "ann")), "not-proprietor"),
    ((("ann", HandOver(ANN, "bob")),), ("ann", DeclareAction(ANN, "run")), "not-proprietor"),
    ((("ann", HandOver(ANN, "bob")),), ("bob", DeclareAction(ANN, "run")), "done"),
    ((), ("bob", ChangeElement(ANN, "older")), "proprietor-not-asked"),
    ((says("ann", "explicit", "older", ANN),), ("bob", ChangeElement(ANN, "older")), "done"),
    ((("ann", HandOver(ANN, "bob")),), says("ann", "explicit", "older", ANN), "not-proprietor"),
)


@pytest.mark.parametrize(("before", "step", "expected"), WHOSE)
def test_only_the_proprietor(before, step, expected):
    by, do = step
    assert tried(played((BOBS, *before)), do, by) == expected


# --- in the middle of a resolution -----------------------------------------------------------------------------------

PHASES = ("before", "declared", "opportunity closed", "die rolled", "decision closed", "outcome reached")


def in_the_middle(when: str, *steps: Step, deed: DeclareAction, die: Step, answer: Any = None) -> tuple[Game, str]:
    """Return a resolution with one Experience Die in it, up to its outcome. The steps are taken at that moment."""
    game = Game()
    game.does(IntroduceElement(BRIDGE), by="bob")
    game.dice("cid", 1)

    def come_to(moment: str) -> None:
        if moment == when:
            for by, do in steps:
                game.does(do, by=by)

    come_to("before")
    id = str(game.number)
    game.does(deed)
    come_to("declared")
    if answer is not None:
        game.does(AnswerEngagement(id, BOB, answer))
        come_to("answered")
    game.does(CloseOpportunity(id))
    come_to("opportunity closed")
    by, given = die
    game.does(ContributeDie(id, **given), by=by)
    come_to("die rolled")
    for side in ("actor", BOB) if isinstance(answer, Oppose) else ("actor",):
        game.does(RollMib(id, side, (5, 5)))
    game.does(CloseDecision(id))
    come_to("decision closed")
    game.does(ReachOutcome(id))
    come_to("outcome reached")
    return game, id


def author(game: Game, id: str) -> str:
    (juncture,) = game.state(scene(game.scene_id)).resolutions[id].junctures
    return str(juncture.author)


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("before", ("cid", "cid")),
        ("declared", ("cid", "cid")),
        ("opportunity closed", ("cid", "cid")),
        ("die rolled", ("bob", "cid")),  # whom a die goes against is settled once it is rolled
        ("decision closed", ("bob", "cid")),
        ("outcome reached", ("bob", "bob")),  # whose consequences they are, once there are some
    ],
)
def test_a_subject_handed_over_in_the_middle(when, expected):
    """Who saves the Loaner that Ann borrows at the bridge, and who invents the consequences for it."""
    deed = DeclareAction(ANN, "a blow", subject=BRIDGE, modifiers=(Modifier(5),))
    game, id = in_the_middle(when, TO_CID, deed=deed, die=("ann", {"die": "loaner", "face": 3}))
    saver = next(one for one in ("gm", "bob", "cid") if game.saved(one, "ann"))
    assert (saver, author(game, id)) == expected
    other = {"bob": "cid", "cid": "bob"}[expected[1]]
    named = NameConsequences(id, 0, Consequences("it creaks"))
    assert [tried(game, named, by) for by in (other, "ann", expected[1])] == [
        "not-proprietor",
        "not-proprietor",
        "done",
    ]


@pytest.mark.parametrize("when", PHASES)
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((), "proprietor-not-asked"),
        ((YES,), "done"),
        ((NO,), "proprietor-refused"),
        ((YES, NO), "proprietor-refused"),
        ((NO, YES), "done"),
        ((YES, TO_CID, says("cid", "refused")), "proprietor-refused"),
    ],
)
def test_consent_in_the_middle(said, expected, when):
    """Dice are rolled without consent, but the result changes the element only with the consent there is then."""
    deed = DeclareAction(ANN, "set fire to it", subject=BRIDGE)
    game, id = in_the_middle(when, *said, deed=deed, die=("cid", {"face": 3}))
    assert tried(game, BURNT, "ann") == expected
    assert tried(game, CloseApplication(id), "ann") == "done"


@pytest.mark.parametrize(
    ("when", "expected"),
    [("before", "bob")] + [(moment, "ann") for moment in PHASES[1:]],
)
def test_the_actor_handed_over_in_the_middle(when, expected):
    """The Player who plays it in that resolution goes on: the die against it and the misfortune are theirs."""
    deed = DeclareAction(ANN, "a leap", modifiers=(Modifier(-6),))
    die = ("cid", {"face": 3, "sign": -1})
    game, id = in_the_middle(when, ("ann", HandOver(ANN, "bob")), deed=deed, die=die)
    assert {one for one in ("ann", "bob", "cid") if game.xd(one)} == {expected}
    assert author(game, id) == expected
    assert tried(game, DeclareAction(ANN, "the next one"), "bob") == "done"
    assert tried(game, DeclareAction(ANN, "the next one"), "ann") == "not-proprietor"


@pytest.mark.parametrize(
    ("when", "expected"),
    [("before", "ann"), ("declared", "ann"), *((moment, "bob") for moment in ("answered", *PHASES[2:]))],
)
def test_the_resistor_handed_over_in_the_middle(when, expected):
    """Bob's Persona goes to Ann before or after it answers."""
    deed = DeclareAction(CID, "a blow", engages=(BOB,), modifiers=(Modifier(6),))
    game, id = in_the_middle(
        when, ("bob", HandOver(BOB, "ann")), deed=deed, die=("cid", {"face": 2}), answer=Oppose("dodge", "agility")
    )
    assert {one for one in ("ann", "bob", "cid") if game.xd(one)} == {expected}
    assert author(game, id) == expected


@pytest.mark.parametrize(("by", "expected"), [("ann", "done"), ("bob", "not-proprietor"), ("gm", "done")])
def test_who_takes_challenges_for_an_actor_handed_over(by, expected):
    game = Game()
    id = game.basic(3)
    game.does(HandOver(ANN, "bob"), by="ann")
    assert tried(game, TakeChallenge(id), by) == expected


# --- and overturned afterwards ---------------------------------------------------------------------------------------


def a_bridge_sold() -> Story:
    """Bob's bridge goes to Cid while Ann strikes at it, then to the Gamemaster."""
    story = Story()
    story.tell("bridge", IntroduceElement(BRIDGE), by="bob")
    id = story.act("blow", subject=BRIDGE, modifiers=(Modifier(5),))
    story.tell("opportunity", CloseOpportunity(id))
    story.tell("sold", TO_CID[1], by="bob")
    story.tell("loaner", ContributeDie(id, "loaner", 3), by="ann")
    story.decide("blow", id)
    story.tell("outcome", ReachOutcome(id))
    story.tell("consequences", NameConsequences(id, 0, Consequences("it creaks")), by="cid")
    story.tell("end", CloseApplication(id))
    story.tell("consent", AnswerConsent(BRIDGE, "burnt"), by="cid")
    story.tell("burnt", BURNT, by="ann")
    story.tell("sold again", give("cid", "gm")[1], by="cid")
    story.tell("painted", ChangeElement(BRIDGE, "painted"))
    return story


def a_consent_withdrawn() -> Story:
    story = Story()
    story.tell("bridge", IntroduceElement(BRIDGE), by="bob")
    id = story.act("fire", subject=BRIDGE)
    story.tell("yes", YES[1], by="bob")
    story.tell("opportunity", CloseOpportunity(id))
    story.tell("lit", BURNT, by="ann")
    story.tell("no", NO[1], by="bob")
    story.decide("fire", id)
    story.tell("yes again", YES[1], by="bob")
    story.tell("burnt", BURNT, by="ann")
    return story


def a_persona_handed_over() -> Story:
    """A Persona is handed over in the middle of its leap. Ann finishes the leap; the next one is Bob's."""
    story = Story()
    story.tell("award", AwardDice("cid", 2))
    id = story.act("leap")
    story.tell("handed over", HandOver(ANN, "bob"), by="ann")
    story.tell("opportunity", CloseOpportunity(id), by="bob")
    story.tell("die", ContributeDie(id, face=3, sign=-1), by="cid")
    story.decide("leap", id)
    again = story.tell("second", DeclareAction(ANN, "again"), by="bob")
    story.tell("second: opportunity", CloseOpportunity(again))
    story.tell("second die", ContributeDie(again, face=3, sign=-1), by="cid")
    story.decide("second", again)
    return story


@pytest.mark.parametrize(
    ("story", "struck", "expected"),
    [
        (
            a_bridge_sold,
            "sold",
            {
                "loaner": "changes",  # who saves it
                "blow: decision": "changes",
                "outcome": "changes",  # who invents what becomes of it
                "consequences": "not-proprietor",
                "consent": "not-proprietor",
                "burnt": "proprietor-not-asked",
                "sold again": "not-proprietor",
                "painted": "proprietor-not-asked",
            },
        ),
        (a_bridge_sold, "sold again", {"painted": "proprietor-not-asked"}),
        (a_bridge_sold, "consent", {"burnt": "proprietor-not-asked"}),
        (a_bridge_sold, "loaner", {"blow: roll": "changes", "blow: decision": "changes", "outcome": "changes"}),
        (a_consent_withdrawn, "yes", {"lit": "proprietor-not-asked"}),
        (a_consent_withdrawn, "no", {}),
        (a_consent_withdrawn, "yes again", {"burnt": "proprietor-refused"}),
        (
            a_persona_handed_over,
            "handed over",
            {"second": "not-proprietor"}
            | {f"second{of}": "wrong-phase" for of in (": opportunity", " die", ": roll", ": decision")},
        ),
    ],
)
def test_overturned(story: Callable[[], Story], struck: str, expected: dict[str, str]):
    """Exactly these rulings are flagged, and come out like this."""
    told = story()
    assert {name: told.why(struck, name) for name in told.flagged(struck)} == expected
