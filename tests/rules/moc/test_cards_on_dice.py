"""Cards on dice that belong to no action: damage and raises, resisting, initiative, healing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.application import json_form
from ledger.application.roller import answer_by_chance
from ledger.rules.kernel.commands import HandOver
from ledger.rules.kernel.comparison import Other, compare
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.moves import holds
from ledger.rules.kernel.questions import Ask, Choice
from ledger.rules.kernel.refusals import Unfit
from ledger.rules.kernel.subjects import Subject, scene
from ledger.rules.kernel.world import Past
from ledger.rules.moc.cards import CardPoints, LaidCard, Lay
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.damage import ApplyHarm, RollDamage
from ledger.rules.moc.hands import DrawHand, DrawVillains
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.other_dice import PlayCardOnDamage, PlayCardOnInitiative
from ledger.rules.moc.piles import compute_standings, count_damage, list_groups
from ledger.rules.moc.recovery import Heal
from ledger.rules.moc.resisting import DamageResisted, Ignore, ResistDamage
from ledger.rules.moc.state import Scene
from ledger.rules.moc.turns import RollInitiative
from tests.rules.moc.chance import play_at_random
from tests.rules.moc.game import Game, answer_to, facts_of, kinds_of, the

#: The rolls on which a card can be played: with the roll, before it or after it.
USES = ("damage", "before damage", "after damage", "resisting", "initiative", "next initiative", "healing")


def begun(*cards: str, **dials: Any) -> Game:
    """Let Harry hold these two cards and face Landon (Body 3, T 2). Both are hurt."""
    game = Game(**dials)
    game.landon = game.enrol("Landon", Sheet("enigma", {"body": 3, "spirit": 3, "T": 2, "Sp": 2, "L": 2}), "cleo")
    game.session_begins()
    if dials.get("beads_only") != "on":
        game.does(DrawHand(game.hero, cards or ("8C", "KS"), cards or ("8C", "KS")), by="ann")
    game.sets(game.hero, "ratings/spirit", 3)
    game.sets(game.hero, "damage", 1)
    game.place = game.scene_begins(game.hero, game.landon, game.villain)
    return game


def lines(*points: tuple[Any, ...]) -> tuple[CardPoints, ...]:
    return tuple(CardPoints(*one) for one in points)


def strikes(game: Game, net: int | None = 1, attacker: str = "", target: str = "", **more: Any) -> str:
    """Score a hit on the torso with threshold 5: three d6 with a net of 1, otherwise four and raise dice."""
    who, at = attacker or game.hero, target or game.landon
    return game.new(ScoreHit(who, at, None, net, damage=4, lethality=5, location="torso", **more))


def hurts(game: Game, points: int, **more: Any) -> str:
    """Score a hit whose damage roll gave this many points."""
    hit = strikes(game, **more)
    game.does(RollDamage(hit, (5,) * points + (1,) * (3 - points)))
    return hit


def laying(game: Game, use: str) -> tuple[int, Callable[..., Any]]:
    """Return how many dice Harry has (at least three), and the declaration that plays a card on them."""

    def one(points: tuple[CardPoints, ...] = lines((0, 1)), card: str = "8C", **more: Any) -> tuple[LaidCard, ...]:
        return (LaidCard(card, points, **more),)

    def own(points: tuple[CardPoints, ...] = lines((0, 1)), card: str = "8C", **more: Any) -> dict[str, Any]:
        return {"card": card, "points": points, "character": game.hero, **more}

    match use:
        case "damage":
            hit = strikes(game)
            return 3, lambda *a, **k: RollDamage(hit, (4, 3, 1), cards=one(*a, **k))
        case "before damage" | "after damage":
            hit = strikes(game) if use == "before damage" else hurts(game, 0)
            return 3, lambda *a, **k: PlayCardOnDamage(hit, **own(*a, **k))
        case "resisting":
            hit = hurts(game, 3, attacker=game.landon, target=game.hero)
            return 5, lambda *a, **k: ResistDamage(hit, (6, 6, 1, 1, 1), cards=one(*a, **k))
        case "initiative" | "next initiative":
            if use == "initiative":
                game.does(rolled(game))
            return 8, lambda *a, **k: PlayCardOnInitiative(**own(*a, **k))
        case _:
            return 3, lambda *a, **k: Heal(game.hero, 1, faces=(6, 6, 1), cards=one(*a, **k))


def rolled(game: Game, *harry: int, landon: tuple[int, ...] = (7, 7, 1, 1, 1)) -> RollInitiative:
    """Roll for Harry with 8 dice, Landon and Santana with 5."""
    dice = (*harry, *(1,) * (8 - len(harry)))
    return RollInitiative({game.hero: dice, game.landon: landon, game.villain: (1,) * 5})


# --- what a card does ---


@pytest.mark.parametrize(
    ("points", "faces", "resistible"),
    [
        ((), (4, 3, 1), 0),
        (((0, 1),), (4, 3, 1), 1),
        (((0, 1), (1, 2), (2, 4)), (4, 3, 1), 3),
        (((0, 3),), (6, 4, 4), 1),
    ],
)
def test_a_card_with_the_damage(points, faces, resistible):
    """A die can exceed its six, and no bonus dice are added."""
    game = begun()
    cards = (LaidCard("8C", lines(*points)),) if points else ()
    done = game.does(RollDamage(strikes(game), faces, cards=cards), by="ann")
    told = the(done, "DamageRolled")
    assert (told.resistible, told.unresistible, told.faces) == (resistible, 0, faces)
    expected = ["CardDiscarded", "CardShown", "CardPlayedOnDice"] if points else []
    assert kinds_of(done) == [*expected, "DamageRolled"]


def test_a_card_goes_from_the_hand_to_the_discard():
    game = begun()
    done = game.does(RollDamage(strikes(game), (4, 4, 1), cards=(LaidCard("8C", lines((0, 1), (1, 1))),)))
    assert [posting.target for about in done.facts for posting in about.postings] == ["campaign/card:discard"]
    told = the(done, "CardPlayedOnDice")
    assert (told.action, told.whose, told.what.use, told.what.rank) == ("", game.hero, "damage", "suited")
    assert told.what.points == ((0, 0, 1), (0, 1, 1)) and told.what.element == "action"
    assert game.character(game.hero).hand == ("KS",) and game.balance("campaign/card:discard") == 1
    steps = {(one.rule, one.out) for one in done.because}
    assert {("moc.card.value", 8), ("moc.card.class", "suited"), ("moc.card.dice", 2)} <= steps


def test_the_dice_of_raises_are_part_one():
    """Their points cannot be resisted."""
    game = begun()
    hit = strikes(game, 3)
    told = RollDamage(hit, (1, 1, 1, 10), (2,), (10, 2), (1,), (LaidCard("8C", lines((4, 3), (1, 2, 1), (2, 3, 1))),))
    assert game.refuses(replace(told, cards=(LaidCard("8C", lines((0, 1), (3, 1, 1))),))) == "no-such-die"
    assert game.refuses(replace(told, cards=(LaidCard("8C", lines((0, 1, 2))),))) == "unknown-part"
    done = the(game.does(told), "DamageRolled")
    assert (done.resistible, done.unresistible) == (2, 2), "the bonus die 2 is 5; the raise's bonus 1 reads 2 and is 5"


@pytest.mark.parametrize(("part", "points"), [(0, (1, 0)), (1, (0, 1))])
def test_a_die_of_the_damage_is_none_of_the_raises(part, points):
    game = begun()
    hit = strikes(game, 2)
    told = RollDamage(hit, (4, 1, 1, 1), raise_faces=(4,), cards=(LaidCard("8C", lines((0, 1, part))),))
    done = the(game.does(told), "DamageRolled")
    assert (done.resistible, done.unresistible) == points


def test_without_raise_dice_there_is_no_part_one_to_lay_on():
    game = begun(raise_effect="flat_levels")
    hit = strikes(game, 3)
    assert game.refuses(PlayCardOnDamage(hit, game.hero, "8C", lines((0, 1, 1)))) == "no-such-die"
    game.does(PlayCardOnDamage(hit, game.hero, "8C", lines((0, 4))))
    done = the(game.does(RollDamage(hit, (1, 1, 1, 1))), "DamageRolled")
    assert (done.resistible, done.unresistible) == (1, 2)


def test_the_ruling_rolls_after_the_card_is_laid():
    """Bonus dice are not there yet, and a 9 raised to 10 adds none."""
    game = begun()
    hit = strikes(game, 3)
    assert game.refuses(RollDamage(hit, cards=(LaidCard("8C", lines((4, 1))),))) == "no-such-die"
    told = RollDamage(hit, cards=(LaidCard("8C", lines((0, 1), (1, 3, 1))),))
    done = the(game.does(told, (9, 1, 1, 1), (9, 2)), "DamageRolled")
    assert (done.bonus, done.raise_bonus, done.resistible, done.unresistible) == ((), (), 1, 2)


def test_a_card_after_the_damage_until_it_is_resisted():
    game = begun()
    hit = hurts(game, 1)
    done = game.does(PlayCardOnDamage(hit, game.hero, "8C", lines((1, 4))), by="ann")
    assert ("moc.combat.damage-roll", 2) in [(one.rule, one.out) for one in done.because]
    assert game.scene(game.place).hits[hit].resistible == 2
    game.does(PlayCardOnDamage(hit, game.hero, "KS", lines((2, 4))))
    assert the(game.does(ResistDamage(hit, (1, 1, 1))), "HarmApplied").damage == 3
    assert game.refuses(PlayCardOnDamage(hit, game.hero, "8C", lines((0, 1)))) == "hit-not-ready"
    assert game.refuses(PlayCardOnDamage("none", game.hero, "8C", lines((0, 1)))) == "unknown-hit"
    seen = game.view(scene(game.place), "dora")["hits"][0]["rolled"]
    assert seen["faces"] == (5, 1, 1) and [one["card"] for one in seen["plays"]] == ["8C", "KS"]


def test_a_card_before_the_damage_waits_for_it():
    game = begun()
    hit = strikes(game)
    game.does(PlayCardOnDamage(hit, game.hero, "8C", lines((0, 3), (2, 4))))
    told = the(game.does(RollDamage(hit), (2, 5, 1)), "DamageRolled")
    assert told.resistible == 3 == game.scene(game.place).hits[hit].resistible


@pytest.mark.parametrize(
    ("told", "points", "outcome"),
    [
        ({"faces": (6, 6, 1, 1, 1)}, (), (0, 0)),
        ({"faces": (6, 6, 1, 1, 1)}, ((0, 1), (1, 1)), (2, 0)),
        ({"faces": (9, 9, 9, 1, 1)}, ((0, 1),), (3, 0)),
        ({"faces": (9, 1, 1, 1, 1), "ignore": (0,)}, ((0, 1),), "not-a-ten"),
        ({"faces": (9, 1, 1, 1, 1), "bonus": (2,)}, ((0, 1),), "unearned-bonus-die"),
        ({"faces": (10, 1, 1, 1, 1), "bonus": (1,)}, ((5, 5),), (2, 0)),
        ({"faces": (10, 1, 1, 1, 1), "ignore": (0,)}, ((0, 3), (1, 5)), (0, 1)),
        ({"faces": (10, 1, 1, 1, 1), "ignore": (0,)}, ((0, 2), (1, 6)), (1, 1)),
        ({"faces": (6, 1, 1, 1, 1, 1), "token": "body"}, ((5, 6),), (1, 0)),
    ],
)
def test_a_card_when_resisting(told, points, outcome):
    """Changed values count. Only natural 10s add bonus dice or remove points."""
    game = begun()
    hit = hurts(game, 3, attacker=game.landon, target=game.hero)
    do = ResistDamage(hit, **told, cards=(LaidCard("8C", lines(*points)),) if points else ())
    if isinstance(outcome, str):
        assert game.refuses(do) == outcome
        return
    done = game.does(do, by="ann")
    told = the(done, "DamageResisted")
    assert (told.conversions, told.removals) == outcome
    assert the(done, "HarmApplied").pain == outcome[0]


def test_a_card_that_resists_is_on_no_dice_of_the_damage():
    game = begun()
    hit = hurts(game, 2, attacker=game.landon, target=game.hero)
    game.does(ResistDamage(hit, (1, 1, 1, 1, 1), cards=(LaidCard("8C", lines((2, 4))),)))
    assert game.scene(game.place).hits[hit].resistible == 2
    assert game.character(game.hero).damage == 3


def test_the_ruling_rolls_what_resists_after_the_card_is_laid():
    game = begun()
    hit = hurts(game, 3, attacker=game.landon, target=game.hero)
    assert game.refuses(ResistDamage(hit, cards=(LaidCard("8C", lines((5, 1))),))) == "no-such-die"
    do = ResistDamage(hit, cards=(LaidCard("8C", lines((0, 1), (1, 4), (2, 3))),))
    done = the(game.does(do, (9, 10, 10, 1, 1), Ignore((1,)), (3,)), "DamageResisted")
    assert (done.bonus, done.conversions, done.removals) == ((3,), 2, 1)


def test_a_card_after_the_initiative_makes_its_groups_anew():
    game = begun("8C", "AC")
    game.does(rolled(game, 6, 6))
    order = lambda: game.scene(game.place).order  # noqa: E731
    assert order() == ((game.landon,), (game.hero,), (game.villain,))
    done = game.does(PlayCardOnInitiative(game.hero, "8C", lines((0, 1), (1, 1))), by="ann")
    assert order() == ((game.hero,), (game.landon,), (game.villain,)), "two each, and 20 is more than 17"
    assert done.because[-1].given["groups"] == [[game.hero], [game.landon], [game.villain]]
    game.does(PlayCardOnInitiative(game.hero, "AC", lines((2, 9))))
    assert order()[0] == (game.hero,)
    game.does(rolled(game, 6, 6))
    assert order()[0] == (game.landon,), "cards are on one roll"


def test_a_card_for_the_initiative_to_come():
    game = begun("8C", "9C")
    game.does(PlayCardOnInitiative(game.hero, "8C", lines((0, 8))))
    assert game.scene(game.place).order == ()
    told = the(game.does(rolled(game, 1, 8)), "InitiativeRolled")
    assert told.results[game.hero] == (2, 23) and told.groups[0] == (game.hero,)
    assert told.faces[game.hero] == (1, 8, 1, 1, 1, 1, 1, 1) and told.tn == 7
    game.does(PlayCardOnInitiative(game.hero, "9C", lines((0, 6), (1, 1)), coming=True))
    assert game.scene(game.place).order == told.groups
    told = the(game.does(rolled(game, 1, 6)), "InitiativeRolled")
    assert told.results[game.hero] == (2, 20)
    assert the(game.does(rolled(game, 1, 6)), "InitiativeRolled").results[game.hero] == (0, 13)


def test_points_on_dice_that_do_not_fall_are_lost():
    """Between the card and the roll, Harry was hurt and lost dice."""
    game = begun()
    game.does(PlayCardOnInitiative(game.hero, "8C", lines((0, 1), (7, 7))))
    game.does(ApplyHarm(game.hero, unresistible=2))
    dice = {game.hero: (6, 1, 1, 1, 1, 1), game.landon: (1,) * 5, game.villain: (1,) * 5}
    assert the(game.does(RollInitiative(dice)), "InitiativeRolled").results[game.hero] == (1, 12)


@pytest.mark.parametrize(
    ("faces", "points", "outcome"),
    [
        ((6, 6, 1), (), "HealingFailed"),
        ((6, 6, 1), ((0, 1),), "DamageHealed"),
        ((1, 1, 1), ((0, 3), (1, 5)), "HealingFailed"),
        ((1, 1, 1), ((2, 6),), "DamageHealed"),
    ],
)
def test_a_card_when_healing(faces, points, outcome):
    game = begun()
    cards = (LaidCard("8C", lines(*points)),) if points else ()
    done = game.does(Heal(game.hero, 1, faces=faces, cards=cards), by="ann")
    assert kinds_of(done)[-1] == outcome
    assert ("CardPlayedOnHealing" in kinds_of(done)) is bool(points)
    assert game.character(game.hero).hand == (("KS",) if points else ("8C", "KS"))


def test_healing_needs_no_scene():
    game = begun()
    game.scene_ends(game.place)
    done = game.does(Heal(game.hero, 1, cards=(LaidCard("8C", lines((1, 2))),)), (1, 5, 1), by="ann")
    assert the(done, "DamageHealed").successes == 1
    assert the(done, "CardPlayedOnHealing").what.points == ((0, 1, 2),)


def test_cards_are_named_once_the_ruling_has_rolled_where_that_is_asked_for():
    """For resisting and healing, the roller's player is asked after the roll, when there are bonus dice."""
    game = begun("8C", "9C")
    hit = hurts(game, 3, attacker=game.landon, target=game.hero)
    do = ResistDamage(hit, cards=(LaidCard("9C", lines((1, 6))),), ask_cards=True)
    late = Lay((LaidCard("8C", lines((5, 5))),))
    done = the(game.does(do, (10, 1, 1, 1, 1), Ignore(), (2,), late, by="ann"), "DamageResisted")
    assert (done.conversions, done.faces, done.bonus) == (3, (10, 1, 1, 1, 1), (2,))
    assert game.character(game.hero).hand == ()
    heal = Heal(game.hero, 9, ask_cards=True)
    assert kinds_of(game.does(heal, (1, 1), Lay(), by="ann")) == ["HealingFailed"]
    conversation, _ = game.begin(heal, "gm")
    conversation.answer(answer_to(conversation.question, (1, 6)))
    asked = conversation.question
    assert isinstance(asked, Ask) and (asked.seat, asked.kinds) == ("ann", (Lay,))
    with pytest.raises(Unfit, match="card-not-in-hand"):
        conversation.answer(Choice(late))


@pytest.mark.parametrize(
    ("points", "element", "code"),
    [
        (((4, 1),), None, "no-such-die"),
        (((0, 9),), None, "card-overspent"),
        (((3, 5),), "plot", "card-overspent"),
        ((), None, "nothing-declared"),
        (((3, 5),), None, ""),
    ],
)
def test_a_card_named_late_fits_the_dice_or_is_asked_for_again(points, element, code):
    game = begun()
    heal = Heal(game.hero, 1, ask_cards=True)
    told = ((10, 1, 1, 1), Lay((LaidCard("8C", lines(*points), element),)))
    if code:
        assert game.refuses(heal, *told) == code
    else:
        assert the(game.does(heal, *told), "DamageHealed").successes == 2


def test_nobody_is_asked_for_cards_on_dice_that_are_typed_in():
    game = begun()
    game.does(Heal(game.hero, 1, faces=(7, 1, 1), ask_cards=True))
    game.does(ResistDamage(hurts(game, 1), (7, 1, 1), ask_cards=True))


def test_several_cards_on_one_roll():
    game = begun("8C", "9C")
    both = (LaidCard("8C", lines((0, 1), (1, 4))), LaidCard("9C", lines((1, 2), (2, 4))))
    hit = strikes(game)
    assert game.refuses(RollDamage(hit, (4, 1, 1), cards=(both[0], both[0]))) == "card-not-in-hand"
    assert the(game.does(RollDamage(hit, (4, 1, 1), cards=both)), "DamageRolled").resistible == 3
    assert game.character(game.hero).hand == ()


# --- refusals, the same for every roll ---


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"card": "1Z"}, "unknown-card"),
        ({"card": "7H"}, "card-not-in-hand"),
        ({"points": ()}, "nothing-declared"),
        ({"points": lines((0, -1))}, "negative-add"),
        ({"points": lines((0, "two"))}, "negative-add"),
        ({"points": lines((99, 1))}, "no-such-die"),
        ({"points": lines((-1, 1))}, "no-such-die"),
        ({"points": lines((True, 1))}, "no-such-die"),
        ({"points": lines((0, 1, 9))}, "unknown-part"),
        ({"points": lines((0, 5), (1, 4))}, "card-overspent"),
        ({"points": lines((0, 5)), "element": "plot"}, "card-overspent"),
        ({"points": lines((0, 5)), "element": "drama"}, "card-overspent"),
        ({"element": "earth"}, "unknown-element"),
        ({"suit": "earth"}, "unknown-element"),
        ({"suit": "drama"}, "not-a-wildcard"),
        ({"card_class": "royal"}, "unknown-card-class"),
        ({"card_class": "off"}, "wrong-card-class"),
        ({"card_class": "suited", "element": "hearts"}, "wrong-card-class"),
    ],
)
def test_what_is_refused(use, told, code):
    game = begun()
    _, lay = laying(game, use)
    before = game.balances()
    assert game.refuses(lay(**told)) == code
    assert game.balances() == before
    game.does(lay())


@pytest.mark.parametrize("use", USES)
def test_each_die_of_the_roll_and_no_further(use):
    game = begun()
    dice, lay = laying(game, use)
    assert game.refuses(lay(lines((dice, 1)))) == "no-such-die"
    game.does(lay(lines((dice - 1, 1))), by="ann")


def test_nobody_rolls_before_a_card_is_refused():
    """The ruling asks for dice only after accepting every card."""
    game = begun()
    for do in (
        RollDamage(strikes(game), cards=(LaidCard("8C", lines((0, 9))),)),
        ResistDamage(hurts(game, 1), cards=(LaidCard("8C", lines((0, 9)), character=game.hero),)),
        Heal(game.hero, 1, cards=(LaidCard("8C", lines((0, 9))),)),
    ):
        assert game.refuses(do) in ("card-overspent", "not-own-dice")


@pytest.mark.parametrize("allies", [False, True])
def test_who_fell_since_the_hit_is_not_asked_for_a_card(allies):
    """They are not asked for dice either, because they cannot resist."""
    game = begun(cards_on_allies=allies)
    hit = hurts(game, 1, attacker=game.landon, target=game.hero)

    def can_say(said: Lay) -> bool:
        conversation, _ = game.begin(ResistDamage(hit, ask_cards=True), "ann")
        conversation.answer(answer_to(conversation.question, (1,) * 5))
        assert isinstance(conversation.question, Ask)
        return any(holds(shape, said) for shape in conversation.question.within)

    one, none = Lay((LaidCard("8C", lines((0, 1))),)), Lay(())
    assert can_say(one) and can_say(none)
    game.sets(game.hero, "status", "sacrificed")
    assert game.refuses(ResistDamage(hit, ask_cards=True)) == "character-gone", "it does nothing more"


# --- whose card, and of which class ---


@pytest.mark.parametrize("use", ["before damage", "after damage", "initiative", "next initiative"])
def test_a_card_on_an_allys_dice(use):
    """Harry's player plays a card on Landon's roll."""
    for allowed in (False, True):
        game = begun(cards_on_allies=allowed)
        if use.endswith("initiative"):
            if use == "initiative":
                game.does(rolled(game))
            do: Any = PlayCardOnInitiative(game.hero, "8C", lines((0, 1)), game.landon)
        else:
            does = strikes if use == "before damage" else lambda game, **who: hurts(game, 0, **who)
            hit = does(game, attacker=game.landon, target=game.villain)
            do = PlayCardOnDamage(hit, game.hero, "8C", lines((0, 1)))
        if allowed:
            assert the(game.does(do, by="ann"), "CardPlayedOnDice").whose == game.landon
        else:
            assert game.refuses(do, by="ann") == "not-own-dice"


@pytest.mark.parametrize("use", ["damage", "resisting", "healing"])
def test_who_rolls_lays_no_card_of_anothers(use):
    """Only a seat that plays both characters can, or the game master."""
    for allowed in (False, True):
        game = begun(cards_on_allies=allowed)
        game.sets(game.landon, "damage", 1)
        cards = (LaidCard("8C", lines((0, 1)), character=game.hero),)
        match use:
            case "damage":
                hit = strikes(game, attacker=game.landon, target=game.villain)
                do: Any = RollDamage(hit, (1, 1, 1), cards=cards)
            case "resisting":
                do = ResistDamage(hurts(game, 1), (1, 1, 1), cards=cards)
            case _:
                do = Heal(game.landon, 1, faces=(1, 1, 1)[:3], cards=cards)
        assert game.refuses(do, by="cleo") == "not-own-card"
        if not allowed:
            assert game.refuses(do) == "not-own-dice"
            continue
        game.does(HandOver(game.hero, "cleo"))
        assert kinds_of(game.does(do, by="cleo"))[0] == "CardDiscarded"


def test_a_hand_is_not_sounded_out_by_another():
    """Another player gets the same answer whether or not the card is there. Only the owner sees the refusal."""
    game = begun(cards_on_allies=True)
    hit = strikes(game, attacker=game.landon, target=game.villain)
    for card in ("8C", "7H"):
        do = RollDamage(hit, cards=(LaidCard(card, lines((0, 1)), character=game.hero),))
        assert game.refuses(do, by="cleo") == "not-own-card"
    assert game.refuses(PlayCardOnInitiative(game.hero, "8C", lines((0, 1)), "99")) == "unknown-character"


@pytest.mark.parametrize(
    ("element", "named", "most", "code"),
    [
        ("action", None, 8, None),
        ("plot", None, 4, None),
        ("drama", None, 4, None),
        ("drama", "drama", 4, None),
        ("drama", "action", 4, "wrong-element"),
    ],
)
def test_a_hit_of_an_action_is_of_its_element(element, named, most, code):
    game = begun()
    attack = game.acts(game.hero, roll_kind="to_hit", element=element)
    game.rolls(attack, 7, 1, 1, 1, 1)
    hit = strikes(game, None, action=attack)
    assert game.scene(game.place).hits[hit].element == element
    do = PlayCardOnDamage(hit, game.hero, "8C", lines((0, most)), named)
    if code is not None:
        assert game.refuses(do) == code
        return
    assert game.refuses(replace(do, points=lines((0, most + 1)))) == "card-overspent"
    game.does(do)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    ("dials", "element", "points", "code"),
    [
        ({"offsuit_split": False}, "drama", ((0, 2), (1, 2)), "off-suit-not-split"),
        ({"offsuit_split": False}, "drama", ((0, 2), (0, 2), (1, 0)), None),
        ({"offsuit_split": False}, "plot", ((0, 2), (1, 2)), "off-suit-not-split"),
        ({"offsuit_split": False}, "action", ((0, 4), (1, 4)), None),
        ({"offsuit_split": True}, "drama", ((0, 2), (1, 2)), None),
        ({"related_card_on_dice": "full"}, "plot", ((0, 8),), None),
        ({"related_card_on_dice": "full"}, "drama", ((0, 5),), "card-overspent"),
        ({"related_card_on_dice": "half"}, "plot", ((0, 4),), None),
        ({"related_card_on_dice": "half"}, "plot", ((0, 5),), "card-overspent"),
        ({"beads_only": "on"}, "action", ((0, 1),), "beads-only"),
    ],
)
def test_cards_by_other_readings(use, dials, element, points, code):
    game = begun(**dials)
    _, lay = laying(game, use)
    do = lay(lines(*points), element=element)
    if code is not None:
        assert game.refuses(do) == code
    else:
        game.does(do)


def test_a_wildcards_card_is_of_the_suit_it_names():
    game = begun()
    id = game.enrol("Raphe", Sheet("wildcard", {"spirit": 2}), "bob")
    game.does(DrawHand(id, ("2D", "3D", "4D", "8D"), ("3D", "4D", "8D")), by="bob")
    game.sets(id, "damage", 1)
    heal = Heal(id, 1, faces=(1, 1), cards=(LaidCard("8D", lines((0, 8))),))
    apart = Heal(id, 1, faces=(1, 1), cards=(LaidCard("8D", lines((0, 8)), suit="hearts"),))
    assert game.refuses(apart) == "card-overspent"
    assert the(game.does(heal, by="bob"), "CardPlayedOnHealing").what.rank == "suited"


def test_villains_share_their_pool_here_too():
    game = begun()
    game.does(DrawVillains(3, ("9C", "2C", "3C")))
    hit = strikes(game, attacker=game.villain)
    assert game.refuses(PlayCardOnDamage(hit, game.hero, "9C", lines((0, 1)))) == "card-not-in-hand"
    done = game.does(RollDamage(hit, (4, 1, 1), cards=(LaidCard("9C", lines((0, 9))),)))
    assert kinds_of(done) == ["VillainCardUsed", "CardShown", "CardPlayedOnDice", "DamageRolled"]
    assert the(done, "CardPlayedOnDice").what.origin == "villains"
    game.does(PlayCardOnDamage(hit, game.villain, "2C", lines((1, 2))))
    game.does(PlayCardOnInitiative(game.villain, "3C", lines((1, 2))))
    assert game.scene(game.place).pool == () and game.balance("campaign/card:discard") == 3


def test_who_is_dazed_may_still_play_cards():
    game = begun()
    game.sets(game.hero, "dazed", True)
    game.does(PlayCardOnDamage(strikes(game), game.hero, "8C", lines((0, 1))))


def test_played_cards_are_public_and_nothing_else_shows():
    for use in USES:
        game = begun()
        _, lay = laying(game, use)
        done = game.does(lay(), by="ann")
        assert all(about.audience is None for about in done.facts)
        assert '"KS"' not in json.dumps(json_form.to_json(facts_of(done)))
        for subject in (*game.table().subjects("scene"), *game.table().subjects("character")):
            assert "KS" not in json.dumps(game.view(subject, "dora"), default=str)


# --- overturning ---


def after(past: Past, subject: Subject) -> Folded[Any]:
    found = past.find(subject)
    assert found is not None
    return found


@pytest.mark.parametrize("rolled_before", [True, False])
def test_overturning_the_card_gives_it_back_and_changes_the_harm(rolled_before):
    game = begun()
    hit = hurts(game, 1) if rolled_before else strikes(game)
    card = game.number
    game.does(PlayCardOnDamage(hit, game.hero, "8C", lines((1, 4), (2, 4))))
    if not rolled_before:
        game.does(RollDamage(hit, (5, 1, 1)))
    resisted = game.number
    assert the(game.does(ResistDamage(hit, (7, 1, 1))), "HarmApplied").damage == 2
    compared = game.without(card)
    rows = {row.number: row for row in compared.rows}
    assert rows[resisted].standpoint == "changes"
    then = rows[resisted].then
    assert isinstance(then, Verdict) and the(then, "HarmApplied").damage == 0
    for subject in game.table().subjects("character"):
        if subject.id == game.hero:
            assert set(after(compared.then, subject).state.hand) == {"8C", "KS"}
    assert after(compared.then, scene(game.place)).state.hits[hit].resistible == 1
    ruled_again = compare(game.beginning(), game.history, {}, Other({card: None}, rerule=True))
    (landon,) = [one for one in game.table().subjects("character") if one.id == game.landon]
    assert (game.state(landon).damage, after(ruled_again.then, landon).state.damage) == (2, 0)


def test_overturning_a_card_on_initiative_puts_the_order_back():
    game = begun()
    waiting = game.number
    game.does(PlayCardOnInitiative(game.hero, "KS", lines((0, 6)), element="plot"))
    game.does(rolled(game, 1, 6))
    card = game.number
    game.does(PlayCardOnInitiative(game.hero, "8C", lines((1, 1))))
    place = scene(game.place)
    assert game.state(place).order[0] == (game.hero,)
    for struck, order in (((card,), 1), ((waiting,), 1), ((card, waiting), 1)):
        compared = game.without(*struck)
        assert after(compared.then, place).state.order.index((game.hero,)) == order
        assert not after(compared.then, place).adrift
    compared = game.without(waiting, card)
    assert compute_standings(after(compared.then, place).state.initiative)[game.hero] == (0, 13)


def test_overturning_a_card_that_waited_puts_the_order_back():
    game = begun()
    waiting = game.number
    game.does(PlayCardOnInitiative(game.hero, "8C", lines((0, 1))))
    game.does(rolled(game, 6, 7))
    place = scene(game.place)
    assert game.state(place).order[0] == (game.hero,)
    assert after(game.without(waiting).then, place).state.order[0] == (game.landon,)


def test_a_card_on_a_hit_that_is_gone_goes_adrift():
    game = begun()
    scored = game.number
    hit = hurts(game, 1)
    game.does(PlayCardOnDamage(hit, game.hero, "8C", lines((1, 4))))
    then = after(game.without(scored).then, scene(game.place)).state
    assert [type(one).__name__ for one in then.adrift] == ["DamageRolled", "CardPlayedOnDice"]


# --- on any dice ---

SEEDS = st.integers(0, 2**32)
often = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@often
@given(seed=SEEDS, use=st.sampled_from(USES))
def test_a_card_changes_nothing_but_the_points(seed, use):
    """With and without a card, the same dice fall, and no more of them count than got points."""
    rng = Random(seed)
    dials = {"related_card_on_dice": rng.choice(("half", "full")), "ten_ignores": rng.choice(("point", "all"))}
    card, element = rng.choice(("8C", "KS", "AD", "9H")), rng.choice(("action", "plot", "drama", "storytelling"))
    spread = tuple((rng.randrange(3), rng.choice((0, 1, 2))) for _ in range(rng.choice((1, 2))))
    played = []
    for laid in (False, True):
        game = begun(card, "3C", **dials)
        _, lay = laying(game, use)
        do = lay(lines(*spread), card, element=element)
        if use in ("damage", "resisting", "healing"):
            by_chance(game, replace(do, faces=None, cards=do.cards if laid else ()), Random(seed))
        elif laid:
            game.does(do)
        if use == "before damage":
            by_chance(game, RollDamage(do.hit), Random(seed))
        if use == "next initiative":
            by_chance(game, RollInitiative(), Random(seed))
        played.append(game)
    without, laid_on = played
    most = len({die for die, points in spread if points})
    assert laid_on.balance("campaign/card:discard") == without.balance("campaign/card:discard") + 1
    assert total(laid_on) == total(without)
    same_scene(without.scene(without.place), laid_on.scene(laid_on.place), most)
    if use == "resisting":
        same_scene(without.scene(without.place), laid_on.scene(laid_on.place), 0)
    if use not in ("after damage", "initiative"):
        assert laid_on.history[-1].answers == without.history[-1].answers
        for now, then in zip(resisted(laid_on), resisted(without), strict=True):
            assert 0 <= now.conversions - then.conversions <= most
            assert replace(now, conversions=0) == replace(then, conversions=0)
    others = [one for one in laid_on.table().subjects("character") if one.id != laid_on.hero]
    assert all(laid_on.state(one) == without.state(one) for one in others)


def same_scene(then: Scene, now: Scene, most: int) -> None:
    """Check that two scenes differ only in cards, points and order, with at most `most` more dice that count."""
    assert {id: dice_of(one) for id, one in then.damage.items()} == {id: dice_of(one) for id, one in now.damage.items()}
    assert (then.initiative.faces, then.initiative.bonus) == (now.initiative.faces, now.initiative.bonus)
    assert (then.actions, then.cast, then.turn) == (now.actions, now.cast, now.turn)
    assert {*chain(*then.order)} == {*chain(*now.order)}
    for id, hit in now.hits.items():
        before = then.hits[id]
        assert replace(hit, resistible=0) == replace(before, resistible=0)
        assert 0 <= hit.resistible - before.resistible <= most
    results, earlier = compute_standings(now.initiative), compute_standings(then.initiative)
    assert all(0 <= results[id][0] - earlier[id][0] <= most for id in results)


def resisted(game: Game) -> list[Any]:
    return [one for one in facts_of(game.verdicts[-1]) if isinstance(one, DamageResisted)]


def by_chance(game: Game, do: Any, rng: Random) -> Verdict[Any]:
    """Declare and roll at random. No 10 removes a point."""
    conversation, table = game.begin(do)
    answers: list[Any] = []
    while (question := conversation.question) is not None:
        answers.append(Choice(Ignore()) if isinstance(question, Ask) else answer_by_chance(question, rng))
        conversation.answer(answers[-1])
    assert conversation.verdict is not None
    return game.record(do, table, answers, conversation.verdict)


def total(game: Game) -> int:
    return sum(n for account, n in game.balances().items() if "/card" in account)


def dice_of(damage: Any) -> Any:
    return replace(damage, plays=())


@pytest.mark.slow
@often
@given(seed=SEEDS)
def test_points_and_order_are_those_of_the_dice_and_cards(seed):
    """In random play, the state matches its dice, and every verdict can be reproduced."""
    game = play_at_random(seed, 90)
    past = game.beginning()
    for ruling, verdict in zip(game.history, game.verdicts, strict=True):
        assert past.readjudicate(ruling) == verdict
        past.tell(ruling.facts)
        here = ruling.facts[-1][0] if ruling.facts else None
        if here is None or here.kind != "scene":
            continue
        now = after(past, here).state
        if now.initiative.faces:
            assert now.order == list_groups(now.cast, compute_standings(now.initiative))
        for id, dice in now.damage.items():
            hit = now.hits[id]
            if hit.stage != "scored":
                assert (hit.resistible, hit.unresistible - hit.flat) == count_damage(dice)


@pytest.mark.nightly
def test_random_play_lays_cards_on_every_kind_of_dice():
    told = set()
    for seed in range(120):
        for verdict in play_at_random(seed, 120).verdicts:
            told |= {one.what.use for one in facts_of(verdict) if type(one).__name__.startswith("CardPlayedOn")}
    assert {"dice", "damage", "resisting", "initiative", "healing"} <= told
