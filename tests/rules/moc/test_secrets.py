"""Refusals, answers and questions depend on nothing hidden: twins that differ in one secret."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.application import json_form
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.commands import Amend, CloseSession
from ledger.rules.kernel.contract import Underway, Verdict
from ledger.rules.kernel.questions import Choice, Dice, Roll, question_json
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character, scene
from ledger.rules.moc import RULESET
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.beads import AllocateBeads
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.cards import CardPoints, ExchangeCard, LaidCard, Lay
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.chips import ExchangeChip
from ledger.rules.moc.damage import ApplyHarm, RollDamage
from ledger.rules.moc.deciding import ClaimSuccess, ShiftFailure
from ledger.rules.moc.draft import Approve
from ledger.rules.moc.fate import Nominate
from ledger.rules.moc.hands import DrawHand, DrawVillains, Keep
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.other_dice import PlayCardOnInitiative
from ledger.rules.moc.pools import SpendToken
from ledger.rules.moc.recovery import Heal
from ledger.rules.moc.resisting import ResistDamage
from ledger.rules.moc.resolving import Resolve, TellConsequence
from ledger.rules.moc.rolling import DeclareSuccesses, RollDice, TakeOffSuccesses
from ledger.rules.moc.trumps import Trump
from ledger.rules.moc.words import DECK
from tests.rules.moc.game import Game, answer_to, facts_of, kinds_of, the


@pytest.fixture
def game() -> Game:
    game = Game(hands_seen_by_gm=False, helping=True)
    game.session_begins()
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


def attacks(game: Game, *faces: int, **more: Any) -> str:
    """Declare Harry's (ann's) open attack. His roll, if there is one, is hidden from all but her and the game
    master.
    """
    action = game.new(DeclareAction(game.hero, roll_kind="to_hit", **more), by="ann")
    if faces:
        game.does(RollDice(action), faces, by="ann")
    return action


# --- how often a hidden roll asks ---


@pytest.mark.parametrize(
    "faces", [(9, 1, 1, 1, 1), (10, 1, 1, 1, 1, 1), (10, 1, 1, 1, 10, 10, 10, 2, 10, 3), (10,) * 9 + (9,) * 5]
)
def test_a_hidden_roll_asks_once_whatever_falls(game: Game, faces: tuple[int, ...]) -> None:
    """Another question would be another save, and another of the ledger's rolls, which everybody can count."""
    conversation, _ = game.begin(RollDice(attacks(game)), "ann")
    question = conversation.question
    assert isinstance(question, Roll) and question.audience is not None
    conversation.answer(Dice(10, faces))
    assert conversation.verdict is not None, f"asks again: {conversation.question}"
    done = the(conversation.verdict, "DiceRolled")
    assert (done.faces, done.bonus) == (faces[:5], faces[5:])


@pytest.mark.parametrize(
    "faces", [(9, 1, 1, 1), (10, 1, 1, 1, 1), (9, 1, 1, 1, 1, 1), (10, 1, 1, 1, 1, 10), (1, 1, 1, 1, 1, 10, 1), ()]
)
def test_dice_typed_in_are_all_that_fell_and_no_more(game: Game, faces: tuple[int, ...]) -> None:
    conversation, _ = game.begin(RollDice(attacks(game)), "ann")
    with pytest.raises(Unfit, match="dice-count"):
        conversation.answer(Dice(10, faces))


def test_a_question_says_that_dice_open() -> None:
    asked = {"ask": "roll", "who": None, "count": 2, "sides": 10, "purpose": "", "slot": ""}
    assert question_json(Roll(None, 2, 10)) == asked, "as it always was"
    assert question_json(Roll(None, 2, 10, opens=10)) == {**asked, "opens": 10}


# --- what is refused, and what is not ---


def heard(game: Game, do: Any, *said: Any, by: str) -> object:
    """Return the refusal as the seat sees it, or that there is none."""
    viewer = game.table(by).by
    try:
        conversation, _ = game.begin(do, by)
        for one in said:
            conversation.answer(answer_to(conversation.question, one))
    except Refused as no:
        return type(no).__name__, no.rule, no.code, no.context if viewer.may_see(no.audience) else None
    return question_json(conversation.question) if conversation.question is not None else "taken"


def tried_on_a_hidden_roll(by: str, *faces: int) -> list[object]:
    """Yield what anybody else can try on Harry's open attack, at a table where all decide."""
    game = Game(hands_seen_by_gm=False, cards_on_allies=True, helping=True)
    game.session_begins()
    game.does(DrawHand(game.enigma, ("8C", "9C"), ("8C", "9C")), by="bob")
    game.does(AllocateBeads(game.enigma))
    game.gives(game.enigma, "chip:white", 1)
    game.scene_begins(game.hero, game.enigma)
    attack, own = attacks(game, *faces), game.enigma
    card = [(CardPoints(die, 1),) for die in range(14)]
    uses = ("add_successes", "add_dice", "storytelling", "reduce_difficulty", "free_marginal")
    told: list[Any] = [
        *(PlayCard(attack, own, "8C", points, other=other) for points in card for other in ("", "a look")),
        *(ClaimSuccess(attack, own, approved=approved) for approved in (None, True, False)),
        *(DeclareSuccesses(attack, own, number, beads) for number in range(7) for beads in (0, 1)),
        *(PlayBeads(attack, own, use, 1, one) for use in uses for one in ("action", "storytelling")),
        ScoreHit(game.hero, own, "Club", None, action=attack),
        Trump(attack, own, "roll", "8C"),
        ShiftFailure(attack, own, card="8C"),
        TellConsequence(attack, "He falls."),
        RollDice(attack),
        RollDice(attack, 0, (1,)),
        SpendToken(attack, "S"),
        TakeOffSuccesses(attack, own, 1, defence=attack),
        TakeOffSuccesses(attack, own, 0),
    ]
    return [heard(game, do, by=by) for do in told]


@pytest.mark.parametrize("by", ["bob", "cleo"])
def test_no_try_tells_a_hidden_roll(by: str) -> None:
    told = tried_on_a_hidden_roll(by, 1, 1, 1, 1, 1)
    assert len({str(one) for one in told}) > 8 and (by == "cleo" or "taken" in told), "all sorts of things are said"
    for faces in ((7, 1, 1, 1, 1), (7, 8, 9, 1, 1), (9,) * 5, (10, 1, 1, 1, 1, 2), (10, 10, 7, 8, 9, 10, 9, 8)):
        assert tried_on_a_hidden_roll(by, *faces) == told


def test_who_rolled_is_told_what_there_is(game: Game) -> None:
    game.gives(game.hero, "chip:white", 1)
    game.does(DrawHand(game.hero, ("8C", "9C"), ("8C", "9C")), by="ann")
    attack = attacks(game, 10, 7, 8, 1, 1, 9)
    assert game.refuses(ClaimSuccess(attack, game.hero), by="ann") == "already-success"
    assert game.refuses(PlayCard(attack, game.hero, "8C", (CardPoints(6, 1),)), by="ann") == "no-such-die"
    game.does(PlayCard(attack, game.hero, "8C", (CardPoints(5, 1),)), by="ann")


def test_that_it_was_rolled_is_for_all_to_see_and_the_dice_are_not(game: Game) -> None:
    attacks(game, 10, 7, 8, 1, 1, 9)
    for by, faces in (("ann", [10, 7, 8, 1, 1]), ("gm", [10, 7, 8, 1, 1]), ("bob", None), ("dora", None)):
        (action,) = game.view(scene(game.place), by)["actions"]
        (part,) = action["parts"]
        assert part["rolled"] is True and part["faces"] == (tuple(faces) if faces else None), by


# --- a white chip on a roll nobody else sees ---


@pytest.mark.parametrize(
    ("faces", "kept", "level"),
    [
        ((7, 1, 1, 1, 1), False, "success"),
        ((1,) * 5, False, "success"),
        ((7, 8, 9, 1, 1), True, "success"),
        ((9,) * 5, True, "outstanding"),
    ],
)
def test_a_chip_that_was_not_needed_comes_back_when_the_roll_is_told(
    game: Game, faces: tuple[int, ...], kept: bool, level: str
) -> None:
    game.gives(game.enigma, "chip:white", 2)
    attack = attacks(game, *faces)
    game.does(ClaimSuccess(attack, game.enigma), Approve(), by="bob")
    assert game.chips(game.enigma) == {"white": 1}
    assert game.refuses(ClaimSuccess(attack, game.enigma), by="bob") == "already-success"
    told = game.number
    done = game.does(Resolve(attack), by="ann")
    assert the(done, "ActionResolved").level == level
    assert ("AutomaticSuccessReturned" in kinds_of(done)) is kept
    assert game.chips(game.enigma) == {"white": 1 + kept}
    assert {row.standpoint for row in game.without(told).rows} == {"stands"}
    refolded = game.fold(character(game.enigma), struck=[told])
    assert refolded.purse[f"character:{game.enigma}/chip:white"] == 1, "overturned, nothing came back"


def test_a_chip_on_what_was_taken_off_stays_used(game: Game) -> None:
    """Four were rolled and the dodge cancelled three: without the chip it is Near."""
    game.gives(game.enigma, "chip:white", 1)
    attack = attacks(game, 7, 8, 9, 7, 2)
    game.does(ClaimSuccess(attack, game.enigma), Approve(), by="bob")
    dodge = game.acts(game.villain, skill="Dodge", roll_kind="dodge")
    game.rolls(dodge, 7, 8, 9)
    game.does(DeclareSuccesses(attack, game.villain, 4), by="ann")
    game.does(TakeOffSuccesses(attack, game.villain, 3, defence=dodge))
    done = game.does(Resolve(attack), by="ann")
    assert the(done, "ActionResolved").targets == {game.villain: 3} and game.chips(game.enigma) == {}


def test_a_chip_that_came_back_lifts_no_other_target(game: Game) -> None:
    game.gives(game.enigma, "chip:white", 1)
    attack = attacks(game, 7, 8, 9, 7, 2)
    game.does(ClaimSuccess(attack, game.enigma), Approve(), by="bob")
    game.does(DeclareSuccesses(attack, game.villain, 3), by="ann")
    game.does(DeclareSuccesses(attack, game.enigma, 1), by="ann")
    done = game.does(Resolve(attack), by="ann")
    assert the(done, "ActionResolved").targets == {game.villain: 3, game.enigma: 1}
    assert game.chips(game.enigma) == {"white": 1}


# --- a deck of the table's own ---


def drawn_by_ann(*cards: str) -> Game:
    """Let Harry (ann) hold these. Rissh and the Wildcard Raphe (`landon`) are bob's, and have drawn nothing."""
    game = Game(hands_seen_by_gm=False, helping=True)
    game.landon = game.enrol("Raphe", Sheet("wildcard"), "bob")
    game.session_begins()
    game.does(DrawHand(game.hero, cards, cards), by="ann")
    game.scene_begins(game.hero, game.enigma)
    return game


def typed_against(*cards: str) -> list[object]:
    """Try all 52 cards one by one, in every way to type cards, against Ann's hand."""
    game = drawn_by_ann(*cards)
    game.gives(game.enigma, "chip:white", 1)
    raphe = game.landon
    told = []
    for card in (*DECK, "1Z", "8c"):
        other = "KD" if card != "KD" else "QD"
        two, four = (card, other), (card, other, "JD", "10D")
        told += [
            heard(game, DrawHand(game.enigma, (card,), (card,)), by="bob"),
            heard(game, DrawHand(game.enigma, two, two), by="bob"),
            heard(game, DrawHand(game.enigma), two, by="bob"),
            heard(game, DrawHand(game.enigma), (card,), by="bob"),
            heard(game, DrawHand(raphe), four, Keep(four[:3]), by="bob"),
            heard(game, ExchangeChip(game.enigma, "white"), (card,), by="bob"),
            heard(game, DrawVillains(1, (card,)), by="gm"),
            heard(game, DrawVillains(2, (card,)), by="gm"),
            heard(game, DrawVillains(1), (card,), by="gm"),
            *(heard(game, DrawHand(game.enigma, two, one), by="gm") for one in (two, (card,))),
        ]
    return told


def test_no_card_typed_in_tells_what_others_hold() -> None:
    told = typed_against("8C", "9C")
    assert {"taken"} < {one if isinstance(one, str) else "refused" for one in told}
    assert typed_against("KD", "AS") == typed_against("2H", "8C") == told


@pytest.mark.parametrize("by", ["gm", "bob", "cleo"])
def test_no_play_by_another_tells_what_somebody_holds(by: str) -> None:
    """A seat that cannot see a hand plays nothing from it, whatever it holds. This includes the game master."""

    def tried(*cards: str) -> list[object]:
        game = drawn_by_ann(*cards)
        game.does(DrawVillains(2, ("2D", "3D") if "8C" in cards else ("4D", "5D")))
        game.does(ApplyHarm(game.hero, unresistible=1))
        action, hit = (
            attacks(game),
            game.new(ScoreHit(game.villain, game.hero, "Club", 3, location="torso")),
        )
        game.does(RollDamage(hit, (6,) * 3, (), (1, 1)))
        told = []
        for card in DECK:
            laid = (LaidCard(card, (CardPoints(0, 1),)),)
            told += [
                PlayCard(action, game.hero, card, (CardPoints(0, 1),)),
                ExchangeCard(game.hero, card),
                Trump(action, game.hero, "roll", card, allowed=True),
                Heal(game.hero, 9, cards=laid),
                ShiftFailure(action, game.hero, card=card),
                ResistDamage(hit, cards=laid),
                PlayCardOnInitiative(game.hero, card, (CardPoints(0, 1),), coming=True),
            ]
            told += [] if by == "gm" else [ShiftFailure(action, game.villain, card=card)]
        return [heard(game, do, by=by) for do in told]

    told = tried("8C", "9C")
    assert tried("KD", "AS") == told
    codes = [one[2] for one in told if isinstance(one, tuple)]
    assert len(codes) == len(told) and set(codes) == {"not-own-card", "not-an-opponent"}


def test_cards_named_late_are_asked_of_who_holds_them_and_of_nobody_else() -> None:
    game = drawn_by_ann("8C", "9C")
    game.does(ApplyHarm(game.hero, unresistible=1))
    conversation, _ = game.begin(Heal(game.hero, 9, ask_cards=True), "gm")
    conversation.answer(answer_to(conversation.question, (6,)))
    question = conversation.question
    assert question is not None and question.audience == (f"character:{game.hero}",)
    conversation.answer(Choice(Lay((LaidCard("8C", (CardPoints(0, 1),), "action"),))))
    assert conversation.verdict is not None


def test_who_was_dealt_cards_holds_them_until_it_is_said_which_stay() -> None:
    """Otherwise another draw could take some, and being dealt new ones would show that they are in another hand."""
    game = drawn_by_ann("8C", "9C")
    raphe = game.landon
    for do in (
        DrawHand(game.enigma),
        DrawHand(game.enigma, ("2C", "3C"), ("2C", "3C")),
        DrawVillains(1),
        DrawVillains(1, ("2C",)),
    ):
        for other, answered, refused in (
            (DrawHand(raphe), True, True),
            (DrawHand(raphe), False, False),
            (Heal(game.hero, 9), True, False),
        ):
            assert _refused(game, do, Underway(other, None, answered)) == ("draw-underway" if refused else None)


def _refused(game: Game, do: Any, waits: Underway) -> str | None:
    table = game.table()
    table.underway = lambda: (waits,)
    try:
        Conversation(RULESET, table, do)
    except Refused as no:
        return no.code
    return None


@pytest.mark.parametrize("open_", [True, False])
@pytest.mark.parametrize(
    ("cards", "twice"), [(("2C", "3C"), ()), (("8C", "9C"), ("8C", "9C")), (("9C", "2D"), ("9C",))]
)
def test_a_card_typed_in_twice_is_told_when_the_session_is_over(
    cards: tuple[str, ...], twice: tuple[str, ...], open_: bool
) -> None:
    game = Game(hands_seen_by_gm=False, hands_open_after_session=open_)
    session = game.session_begins()
    game.does(DrawHand(game.hero, ("8C", "9C"), ("8C", "9C")), by="ann")
    game.does(DrawHand(game.enigma, cards, cards), by="bob")
    assert game.balance("campaign/card:deck") == 48 and game.character(game.enigma).hand == cards
    done = game.does(CloseSession(session))
    last = done.facts[-1]
    assert kinds_of(done)[-1] == "DeckCounted" and last.fact.twice == twice
    assert last.audience == (None if open_ else ("gm",))
    assert game.balance("campaign/card:deck") == 0


# --- nominations ---


def nominated(nominee: int) -> tuple[Verdict[Any], list[object]]:
    game = Game()
    people = [game.hero, game.enigma, game.enrol("Landon", Sheet("hero"), "cleo")]
    game.session_begins()
    done = game.does(Nominate("ann", people[nominee]), by="ann")
    tries: list[Any] = [Nominate("ann", one) for one in (*people, game.villain, "99")]
    told = [heard(game, do, by=by) for do in tries for by in ("bob", "cleo")]
    return done, told


def test_a_nomination_is_alike_whomever_it_names() -> None:
    """Even where all players decide, nobody nominates for another seat or learns whom it named."""
    (one, told), (other, told_other) = nominated(1), nominated(2)
    assert told == told_other and {said[2] for said in told if isinstance(said, tuple)} == {"not-own-nomination"}
    assert [type(fact) for fact in facts_of(one)] == [type(fact) for fact in facts_of(other)]
    assert one.audience == other.audience == ("gm", "ann")
    assert {about.audience for about in (*one.facts, *other.facts)} == {("gm", "ann")}


def test_what_is_amended_beside_a_hidden_roll_does_not_tell_it(game: Game) -> None:
    """The fact of an amendment holds the whole value, here with hidden dice."""
    attacks(game, 9, 8, 7, 6, 5)
    about = f"scene:{game.place}"

    def seen_of(field: str, value: Any) -> Any:
        conversation, _ = game.begin(Amend(about, field, value, "another name for it"))
        assert conversation.verdict is not None
        return conversation.verdict.facts[0].audience

    ((action, one),) = json_form.to_json(game.scene(game.place).actions).items()
    assert seen_of(f"actions/{action}", {**one, "text": "a shot in the dark"}) == ("gm",)
    assert seen_of(f"actions/{action}/text", "a shot in the dark") is None, "alone it is everybody's, as before"
