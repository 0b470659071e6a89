"""Sentences of the game that depend on a field, read aloud; every refusal in the words of each place that uses it."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from ledger.rules.kernel.phrases import fill_from_context, sentence
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, character
from ledger.rules.moc import RULESET
from ledger.rules.moc.actions import ActionDeclared, DeclareAction
from ledger.rules.moc.beads import Allocate, AllocateBeads, BeadsAllocated
from ledger.rules.moc.beads_used import BeadsPlayed, PlayBeads
from ledger.rules.moc.buying import Buy, LevelBought
from ledger.rules.moc.cards import CardExchangedForBeads, ExchangeCard, LaidCard, Lay, ShiftBeads
from ledger.rules.moc.cards_on_dice import CardPlayedOnDice, PlayCard
from ledger.rules.moc.characters import Sheet, StatusSet
from ledger.rules.moc.chips import ExchangeChip
from ledger.rules.moc.damage import ApplyHarm, DamageRolled, HarmApplied, TokensLost
from ledger.rules.moc.deciding import ActionDetermined, DetermineAction, ShiftFailure
from ledger.rules.moc.fate import ChipAwarded
from ledger.rules.moc.hands import DrawHand, DrawVillains
from ledger.rules.moc.hits import HitScored
from ledger.rules.moc.holdings import Purchase
from ledger.rules.moc.negotiating import BackgroundLost, ProposeTrait, TraitCountered, TraitProposed
from ledger.rules.moc.other_dice import PlayCardOnDamage, PlayCardOnInitiative
from ledger.rules.moc.own_dice import PeriodDiceGiven
from ledger.rules.moc.own_tables import TableRowSet
from ledger.rules.moc.recovery import HealingFailed
from ledger.rules.moc.resisting import DamageResisted, Ignore, ResistDamage
from ledger.rules.moc.resolving import ActionResolved
from ledger.rules.moc.rolling import DiceRolled, RollDice, SuccessesDeclared, SuccessesTakenOff
from ledger.rules.moc.scenes import DeckCounted
from ledger.rules.moc.stacks import EffectModifierReturned, PoolSplit, SubPool
from ledger.rules.moc.state import Action, Hit, Part, Play, Roll
from ledger.rules.moc.story import Narrated, StoryChanged, UseCard
from ledger.rules.moc.trumps import PlayTrumped, PlayTrumpedByFiat, Trump
from ledger.rules.moc.turns import InitiativeRolled, Move, MovementMade, SceneRecoveryDue
from ledger.rules.moc.types import Location, Skill, Weapon
from tests.rules.moc.chance import play_at_random
from tests.rules.moc.game import Game, buys
from tests.rules.refusals import find_sentence, heard


class People:
    def name(self, subject: Subject) -> str:
        return {"1": "Harry", "2": "Santana", "s1": "Gwen"}.get(subject.id, "somebody")


def read(record: Any) -> str:
    phrases = {**RULESET.phrases.inputs, **RULESET.phrases.choices, **RULESET.phrases.facts}
    return sentence(phrases[type(record)], record, People(), character("1"))


def bought(what: str, name: str = "", to: int = 1, cost: str = "2", **more: Any) -> LevelBought:
    return LevelBought(what, name, 0, to, cost, **more)


def action(*rolls: Roll, split: bool = False) -> ActionDeclared:
    return ActionDeclared("9", Action("9", "1", "", split, 0, tuple(Part(one) for one in rolls)))


def roll(kind: str = "skill", skill: str = "Dodge", required: int = 1, *, trained: bool = True) -> Roll:
    return Roll("", kind, "action", "body", 7, required, skill, trained=trained)


def resolved(**said: Any) -> ActionResolved:
    plain = ActionResolved("9", 0, 1, 0, 0, 1, "near", 1, 1, True, 0, 7, (7, 3), (), {})
    return dataclasses.replace(plain, **said)


CARD = Play("8", "2", "card", "dice", 0, 8, card="8C", rank="suited", points=((0, 0, 5), (0, 1, 2)))
BEADS = Play("8", "2", "beads", "add_dice", 0, 2, "action", dice=4)
FIAT = Play("8", "2", "fiat", "trump", 0, on="roll")


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (bought("characteristic", "S", 3, "15"), "Harry buys Strength 3 for 15 points."),
        (bought("characteristic", "W2", 2, "6"), "Harry buys W (Mind-Spirit) 2 for 6 points."),
        (
            bought("weapons-master", "arc", 2, "1/4", skills=("Firearms", "Melee Weapons")),
            "Harry buys 2 Weapons Master dice per arc (for Firearms and Melee Weapons) for 1/4 of a point.",
        ),
        (bought("floating-dice", "scene", 1, "3/2"), "Harry buys 1 floating die per scene for 1 1/2 points."),
        (bought("dice", "", 2), "Harry buys an Advantage that affects dice (level 2) for 2 points."),
        (
            bought("change-secondary", element="drama", instead="plot"),
            "Harry buys Drama as a secondary Element instead of Plot for 2 points.",
        ),
        (
            bought("extra-secondary", element="drama", cost="5"),
            "Harry buys Drama as another secondary Element for 5 points.",
        ),
        (bought("martial-arts", "boxing", 2, "6"), "Harry buys Martial Arts (boxing) 2 for 6 points."),
        (bought("hand-of-fate", cost="10"), "Harry buys a Hand of Fate for 10 points."),
        (bought("swiftness", to=2, cost="10"), "Harry buys Swiftness 2 for 10 points."),
        (bought("bits", "heraldry", 3, "1"), "Harry buys 3 Bits in heraldry for 1 point."),
        (Buy("1", Purchase("action-hero", level=1, period="arc")), "Harry buys 1 Action Hero die per arc."),
        (Buy("1", Purchase("money", level=2)), "Harry buys income level 2."),
        (
            TraitProposed("4", "disadvantage", "wanted", "By the GPR.", "-3"),
            "Harry proposes a Disadvantage (wanted) that gives back 3 points: By the GPR.",
        ),
        (ProposeTrait("1", "sleight of hand", "", 2), "Harry proposes an Advantage (sleight of hand) for 2 points."),
        (
            TraitCountered("4", "", "-1/2"),
            "The game master makes Harry a counter-offer that gives back 1/2 of a point.",
        ),
        (BackgroundLost("contacts:guards", "Betrayed."), "Harry loses the contacts (guards): Betrayed."),
        (BackgroundLost("17", ""), "Harry loses a Background."),
        (StatusSet("retired", "old"), "Harry is retired: old."),
        (
            TableRowSet("skills", "Cooking", skill=Skill("plot", "mind", ("P", "Co"), 1)),
            "Cooking is a skill: Plot, Mind with Perception and Co (Mind-Spirit), normal.",
        ),
        (
            TableRowSet("weapons", "Whip", weapon=Weapon(True, 1, 6, "S")),
            "Whip is a weapon: lethal, damage Strength + 1, lethality 6.",
        ),
        (
            TableRowSet("locations", "eye", location=Location(1, 1, 3)),
            "Eye is a hit location: 1 on the die, severity 3.",
        ),
        (TableRowSet("ag", "3", number=8), "AG 3 has target number 8."),
        (DeckCounted(("8C",)), "Somebody mistyped a card: the 8 of clubs came up twice."),
        (
            ChipAwarded({"white": 1, "red": 2}, "nominated", 7),
            "Harry gets 1 white chip and 2 red chips for being nominated.",
        ),
        (
            CardExchangedForBeads("AS", "plot", 5),
            "Harry exchanges a card for beads: the ace of spades for 5 Plot beads.",
        ),
        (PeriodDiceGiven("weapons-master:arc", 1), "Harry has 1 more Weapons Master die per arc."),
        (BeadsAllocated(3, 0, {}), "Harry has no beads for the scene."),
        (ExchangeChip("1", "red", {"plot": 6}), "Harry exchanges a red chip for 6 Plot beads."),
        (AllocateBeads("1", {"plot": 1, "drama": 0}), "Harry allocates beads: 1 Plot bead."),
        (TokensLost({"body": 2, "mind": 1}), "Harry loses 2 tokens of Body and 1 token of Mind."),
        (HarmApplied("3", 0, 0, 2), "Harry takes no harm, and 2 points of damage are removed."),
        (SceneRecoveryDue(3), "Harry can recover 3 times."),
        (MovementMade("flight", 20), "Harry moves 20 metres by flight."),
        (Move("1", "flight"), "Harry moves by flight."),
        (ApplyHarm("1", conversions=1, reason="a fall"), "Harry is hurt: a fall."),
    ],
)
def test_a_sentence_of_people(record: Any, text: str) -> None:
    assert read(record) == text


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (
            action(roll("to_hit", "Firearms", 3, trained=False)),
            "Harry attacks with Firearms, untrained, against TN 7 (needs a Success).",
        ),
        (action(roll("dodge")), "Harry dodges, against TN 7."),
        (action(roll("dodge", "")), "Harry dodges with Body, against TN 7."),
        (action(roll(required=-1)), "Harry uses Dodge, against TN 7 (any level is enough)."),
        (
            action(roll("to_hit"), roll("dodge"), split=True),
            "Harry splits a dice pool: an attack against TN 7; a dodge against TN 7.",
        ),
        (
            DeclareAction("1", "to the rescue", parts=(SubPool(1), SubPool(2))),
            "Harry splits a dice pool: to the rescue.",
        ),
        (PoolSplit("9", 5, 0, (2, 3)), "The pool of 5 dice is split into 2 and 3."),
        (DiceRolled("9", 1, (10, 3), (4,)), "The dice of the second part are rolled: 10 and 3, plus bonus die 4."),
        (DiceRolled("9", 0, (), ()), "The dice are rolled: no dice."),
        (resolved(), "The action is resolved: a Near Success, with 1 success against TN 7 (rolled: 7 and 3)."),
        (
            resolved(part=1, net=0, rolled=0, level="failure", number=0, required=0),
            "The action is resolved (second part): a Failure, which is enough, with no successes against TN 7 (rolled:"
            " 7 and 3).",
        ),
        (
            resolved(net=2, required=3, passes=False, level="marginal", number=2),
            "The action is resolved: a Marginal Success where a Success was needed, with 2 successes against TN 7"
            " (the dice score 1 success: 7 and 3).",
        ),
        (
            resolved(net=3, rolled=0, faces=(), level="success", number=3),
            "The action is resolved: a Success, with 3 successes.",
        ),
        (
            resolved(targets={"1": 2, "2": 0}, reserve=1),
            "The action is resolved: a Near Success, with 2 successes on Harry and no successes on Santana"
            " (the dice score 1 success: 7 and 3). 1 success is saved.",
        ),
        (SuccessesDeclared("9", 0, "2", 2, 1), "3 successes are declared on Santana, 1 from beads."),
        (
            SuccessesTakenOff("9", 0, "2", 2, 0, 0, "8", 0, 1),
            "Santana cancels 2 successes, but 1 of them does not count after the fumbled move: none are left.",
        ),
        (BeadsPlayed("9", "8", BEADS), "Santana plays 2 Action beads: 4 more dice."),
        (
            PlayBeads("9", "1", "storytelling", effect="they stand close"),
            "Harry plays 1 Storytelling bead: they stand close.",
        ),
        (CardPlayedOnDice("9", "8", CARD), "Santana plays a card on the dice: the 8 of clubs, suited, 7 points."),
        (
            CardPlayedOnDice("", "8", dataclasses.replace(CARD, use="resisting"), "1", "3"),
            "Santana plays a card on Harry's resistance dice: the 8 of clubs, suited, 7 points.",
        ),
        (CardPlayedOnDice("9", "8", dataclasses.replace(CARD, use="other")), "Santana uses the 8 of clubs."),
        (
            PlayTrumped("9", "8", dataclasses.replace(CARD, on="damage"), "hit"),
            "Santana trumps the damage with the 8 of clubs.",
        ),
        (
            PlayTrumped("9", "8", dataclasses.replace(CARD, on="9"), "story"),
            "Santana trumps the story change with the 8 of clubs.",
        ),
        (
            PlayTrumpedByFiat("9", "roll", "red", "You're captured!", "action", FIAT),
            "The game master trumps Santana's roll and gives a red chip for it: You're captured!",
        ),
        (
            ActionDetermined("9", "8", BEADS, 2, "It falls."),
            "Santana plays 2 Action beads instead of rolling, for a Marginal Success: It falls.",
        ),
        (EffectModifierReturned("9", "white chip"), "Harry gets back the white chip."),
        (
            InitiativeRolled((("1",), ("2", "3")), {}, 7, {}, {}),
            "The order is Harry, then Santana and somebody together.",
        ),
        (
            HitScored("3", Hit("3", "1", "2", 4, True, 6, 3, 10, 5)),
            "Harry hits Santana with 4 net successes: 6d10 damage and 3 raise dice; the attacker chooses the location.",
        ),
        (
            DamageRolled("3", 5, (5, 6), (), (10,), (2,), 2, 1),
            "Damage is rolled: 5 and 6; raise dice 10, plus bonus die 2. Dice of 5 or more score 3 points, 1"
            " of which cannot be resisted.",
        ),
        (
            DamageResisted("3", 7, (8, 2), (), 1, 1),
            "The damage is resisted (8 and 2): 1 point can become pain, and 1 is removed.",
        ),
        (HealingFailed(4, "7", 7, (2,)), "Harry does not heal (2 against TN 7); the next try is in 4 days."),
        (
            StoryChanged("4", "1", 0, 0, "world", "Peace.", CARD),
            "Harry changes the story with the 8 of clubs, beyond this session: Peace.",
        ),
        (Narrated("4", "s1", "", "It rains."), "Gwen narrates: It rains."),
        (Ignore((0, 2)), "The first and third dice remove a point."),
        (Ignore(), "Every 10 adds a bonus die."),
        (Lay((LaidCard("8c"),)), "The 8 of clubs is played on the dice."),
        (Allocate({"plot": 2}), "2 Plot beads."),
    ],
)
def test_a_sentence_of_play(record: Any, text: str) -> None:
    assert read(record) == text


# --- secrets ---


@pytest.mark.parametrize(
    "record",
    [
        DrawHand("1", ("8C", "2D"), ("8C",)),
        DrawVillains(2, ("8C", "2D")),
        ExchangeCard("1", "8C"),
        ShiftBeads("1", "8C", "plot", "drama", 1),
        UseCard("1", "8C", "It opens."),
        PlayCard("9", "1", "8C"),
        Trump("9", "1", "roll", card="8C"),
        ShiftFailure("9", "1", card="8C"),
        DetermineAction("9", "1", "It falls.", card="8C"),
        PlayCardOnInitiative("1", "8C"),
        PlayCardOnDamage("3", "1", "8C"),
        ResistDamage("3", cards=(LaidCard("8C"),)),
        RollDice("9", faces=(8, 2)),
    ],
    ids=lambda record: type(record).__name__,
)
def test_what_is_declared_tells_no_card_and_no_die(record: Any) -> None:
    """A card that the game master does not approve stays in the hand. Dice of an opposed roll are hidden."""
    assert not re.search(r"8|clubs|2D|diamonds", read(record))


# --- refusals ---


SAID: dict[str, Any] = {
    "given": "many",
    "number": 3,
    "beads": 5,
    "days": 2,
    "missing": 2,
    "expected": 3,
    "most": 4,
    "chips": 5,
    "cards": ["8C", "2D"],
    "parts": [3, 4],
}


def glued(text: str) -> bool:
    """Return whether two alternative parts of a phrase both appear in a sentence."""
    return re.search(r"[a-z\])][A-Z]|: [,:]|\s\.|^\W", text) is not None


def test_what_is_refused_reads_like_people_talk() -> None:
    with heard() as refusals:
        for seed in range(6):
            play_at_random(seed, 120, 5)
    assert len(refusals.codes) > 80
    for rule, code, context in refusals.told():
        said = {name: SAID.get(name, "1" if name in RULESET.phrases.people else "something") for name in context}
        text = fill_from_context(find_sentence(RULESET, rule, code) or "", said, RULESET.phrases, People())
        assert text.endswith(".") and "None" not in text and not glued(text), (code, text)


@pytest.mark.parametrize(
    ("purchase", "text"),
    [
        (buys("movement", "wings", 9, worth=-1), "Enter the agreed price in points: 0 or more, not -1."),
        (buys("movement", "wings", 9, worth="low"), "Enter the agreed price in points: 0 or more, not low."),
        (buys("contacts", "guards", worth="1/2"), "Enter a worth of 1 or more, not 1/2."),
    ],
)
def test_a_refused_number_is_told_which_are_allowed(purchase: Purchase, text: str) -> None:
    game = Game(begin=False)
    hero = game.enrol("Somebody", Sheet("hero"), "ann")
    with pytest.raises(Refused) as caught:
        game.begin(Buy(hero, purchase), "gm")
    no = caught.value
    assert (
        fill_from_context(find_sentence(RULESET, no.rule, no.code) or "", no.context, RULESET.phrases, People()) == text
    )


def test_parts_that_exclude_each_other_are_found_where_both_are_told() -> None:
    assert glued("Harry has no token leftNo token is left.") and glued(": nothing") and not glued("A d10: no.")
