"""Hands, cards as beads and cards on dice, one table for each heading, with the rulebook's answer in the last
column.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.questions import Drawn
from ledger.rules.kernel.refusals import Unfit
from ledger.rules.kernel.subjects import character, scene
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import CardPoints, ExchangeCard, ShiftBeads
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.hands import DrawHand, DrawVillains
from ledger.rules.moc.rolling import RollDice
from ledger.rules.moc.trading import Discard, ForceVortex
from ledger.rules.moc.words import DECK
from tests.rules.moc.book import answers, cites, refusing_rule
from tests.rules.moc.game import Game, buys

FATE, FORTUNE = buys("hand-of-fate"), buys("fortune")


def holding(*cards: str, archetype: str = "hero", **dials: Any) -> Game:
    """Return a character of the archetype with these two cards (three for a Wildcard)."""
    game = Game(**dials)
    game.landon = game.enrol("Somebody", Sheet(archetype, {"body": 3}), "cleo")
    game.session_begins()
    drawn = (*cards, "2H") if archetype == "wildcard" else cards
    game.does(DrawHand(game.landon, drawn, cards), by="cleo")
    return game


# --- moc.card.hand ---


@pytest.mark.parametrize(
    ("archetype", "bought", "repeatable", "drawing", "keeping"),
    [
        ("hero", (), False, 2, 2),
        ("enigma", (), False, 2, 2),
        ("protagonist", (), False, 2, 2),
        ("architect", (), False, 2, 2),
        ("wildcard", (), False, 4, 3),
        ("hero", (FATE,), False, 3, 3),
        ("hero", (FORTUNE,), False, 3, 2),
        ("hero", (FATE, FORTUNE), False, 4, 3),
        ("wildcard", (FATE,), False, 5, 4),
        ("wildcard", (FORTUNE,), False, 5, 3),
        ("wildcard", (FATE, FORTUNE), False, 6, 4),
        ("hero", (buys("hand-of-fate", level=2),), True, 4, 4),
        ("hero", (buys("fortune", level=3),), True, 5, 2),
    ],
)
def test_drawn_and_kept(archetype: str, bought: Any, repeatable: bool, drawing: int, keeping: int) -> None:
    game = Game(begin=False, card_advantages_repeatable=repeatable)
    id = game.enrol("Somebody", Sheet(archetype, purchases=bought), "ann")
    game.session_begins()
    for wrong in (drawing - 1, drawing + 1):
        do = DrawHand(id, DECK[:wrong], DECK[:keeping])
        assert answers(game, do) == "wrong-draw-count" and refusing_rule(game, do) == "moc.card.hand"
    for wrong in (keeping - 1, keeping + 1):
        assert answers(game, DrawHand(id, DECK[:drawing], DECK[:wrong])) == "wrong-keep-count"
    kept = DECK[drawing - keeping : drawing]
    assert answers(game, DrawHand(id, DECK[:drawing], kept)) == ""
    assert game.character(id).hand == kept
    assert game.balance("campaign/card:deck") == 52 - drawing
    assert game.balance("campaign/card:discard") == drawing - keeping


@pytest.mark.parametrize(
    ("what", "level", "dial", "code"),
    [
        ("hand-of-fate", 1, False, ""),
        ("hand-of-fate", 2, False, "advantage-not-repeatable"),
        ("fortune", 1, False, ""),
        ("fortune", 2, False, "advantage-not-repeatable"),
        ("vortex", 2, False, "advantage-not-repeatable"),
        ("hand-of-fate", 2, True, ""),
        ("fortune", 2, True, ""),
        ("vortex", 2, True, ""),
    ],
)
def test_each_card_advantage_once(what: str, level: int, dial: bool, code: str) -> None:
    game = Game(card_advantages_repeatable=dial)
    do = Buy(game.villain, buys(what, level=level))
    assert answers(game, do) == code
    if code:
        assert refusing_rule(game, do) == "moc.card.hand"


@pytest.mark.parametrize(
    ("seat", "by_dial", "cards"),
    [
        ("cleo", False, ["8C", "9C"]),
        ("cleo", True, ["8C", "9C"]),
        ("gm", True, ["8C", "9C"]),
        ("gm", False, None),
        ("ann", True, None),
        ("ann", False, None),
        ("bob", False, None),
        ("dora", True, None),
    ],
)
def test_a_hand_is_its_owners(seat: str, by_dial: bool, cards: list[str] | None) -> None:
    """moc.card.secret: only the option lets the game master see it."""
    game = holding("8C", "9C", hands_seen_by_gm=by_dial)
    shown = game.view(character(game.landon), seat)
    assert (list(shown["hand"]) if shown.get("hand") else None) == cards
    audience = {about.audience for about in game.verdicts[-1].facts if type(about.fact).__name__ == "CardsDrawn"}
    own = f"character:{game.landon}"
    assert audience == {(own, "gm") if by_dial else (own,)}


@pytest.mark.parametrize(("open_after", "audience"), [(True, None), (False, "owner")])
def test_unplayed_cards_are_shown_once_the_session_is_over(open_after: bool, audience: str | None) -> None:
    game = Game(hands_open_after_session=open_after, hands_seen_by_gm=False)
    session = game.session_begins()
    game.does(DrawHand(game.hero, ("8C", "9C"), ("8C", "9C")), by="ann")
    game.session_ends(session)
    (told,) = [one for one in game.verdicts[-1].facts if type(one.fact).__name__ == "HandDiscarded"]
    assert told.audience == (None if audience is None else (f"character:{game.hero}",))
    assert game.character(game.hero).hand == () and game.balance("campaign/card:deck") == 0


# --- villains' cards ---


@pytest.mark.parametrize(
    ("size", "drawn", "code"),
    [
        (1, ("KC",), ""),
        (3, ("KC", "2D", "3D"), ""),
        (0, (), "wrong-draw-count"),
        (-1, (), "wrong-draw-count"),
        (2, ("KC",), "wrong-draw-count"),
        (2, ("KC", "2D", "3D"), "wrong-draw-count"),
        (2, ("KC", "KC"), "duplicate-card"),
        (1, ("1C",), "unknown-card"),
        (50, DECK[:50], ""),
        (51, DECK[:51], "deck-empty"),
    ],
)
def test_villains_draw_a_pool_of_the_size_stated(size: int, drawn: tuple[str, ...], code: str) -> None:
    game = holding("8C", "9C")
    place = game.scene_begins(game.hero, game.villain)
    do = DrawVillains(size, drawn)
    assert answers(game, do) == code
    if code:
        assert refusing_rule(game, do) == "moc.card.hand"
        return
    assert game.scene(place).pool == drawn and game.balance("campaign/card:deck") == 50 - size
    told = {type(one.fact).__name__: one.audience for one in game.verdicts[-1].facts}
    assert told == {"VillainsDrew": ("gm",), "DeckCut": ()}, "the order of the deck is nobody's"
    assert "pool" not in game.view(scene(place), "ann") or not game.view(scene(place), "ann")["pool"]


def test_the_pool_is_shared_by_villains_and_nobody_else() -> None:
    game = holding("8C", "9C")
    other = game.enrol("Grun", Sheet("hero", villain=True), "gm")
    place = game.scene_begins(game.hero, game.villain, other)
    game.does(DrawVillains(2, ("KC", "2D")))
    assert answers(game, DrawHand(game.villain)) == "villains-share-cards"
    for id, code in ((game.hero, "card-not-in-hand"), (other, ""), (game.villain, "card-not-in-hand")):
        action = game.acts(id)
        assert answers(game, PlayCard(action, id, "KC", (CardPoints(0, 1),))) == code, id
    assert game.scene(place).pool == ("2D",), "a used card does not come back"
    game.scene_ends(place)
    assert game.scene(place).pool == () and game.balance(f"scene:{place}/card:villains") == 0


# --- moc.card.to-beads ---

#: Card, beads in a scene, in the interval, in the interval by `flat_two`.
BEADS = """
2C 1 3 2, 3C 1 3 2, 4D 1 3 2, 5D 1 3 2, 6S 1 3 2, 7S 1 3 2, 8H 1 3 2, 9H 1 3 2, 10C 2 4 2, JD 2 4 2, QS 3 5 2,
KH 4 6 2, AC 5 7 2
"""
SUIT = {"C": "action", "D": "storytelling", "S": "plot", "H": "drama"}


@pytest.mark.parametrize("line", [" ".join(line.split()) for line in BEADS.split(",")])
def test_what_a_card_is_in_beads(line: str) -> None:
    card, *numbers = line.split()
    for (running, dial), beads in zip(
        ((True, "table_plus_two"), (False, "table_plus_two"), (False, "flat_two")), map(int, numbers), strict=True
    ):
        game = holding(card, "2C" if card != "2C" else "3C", pre_scene_card=dial)
        if running:
            game.scene_begins(game.landon)
        element = SUIT[card[-1]]
        before = game.beads(game.landon).get(element, 0)
        done = game.does(ExchangeCard(game.landon, card), by="cleo")
        assert game.beads(game.landon).get(element, 0) - before == beads
        assert cites(done, "moc.card.to-beads") == [beads]


@pytest.mark.parametrize(
    ("archetype", "card", "element", "code"),
    [
        ("hero", "8C", None, ""),
        ("hero", "8C", "action", ""),
        ("hero", "8C", "clubs", ""),
        ("hero", "8C", "plot", "not-a-wildcard"),
        ("hero", "8C", "earth", "unknown-element"),
        ("hero", "7C", None, "card-not-in-hand"),
        ("hero", "11C", None, "unknown-card"),
        ("wildcard", "8C", "drama", ""),
        ("wildcard", "8C", "hearts", ""),
        ("wildcard", "8C", None, ""),
        ("wildcard", "8C", "earth", "unknown-element"),
    ],
)
def test_a_wildcard_alone_names_the_element(archetype: str, card: str, element: str | None, code: str) -> None:
    cards = ("8C", "9D", "3S") if archetype == "wildcard" else ("8C", "9D")
    game = holding(*cards, archetype=archetype)
    assert answers(game, ExchangeCard(game.landon, card, element), by="cleo") == code
    meant = {"hearts": "drama", "clubs": "action", None: "action"}.get(element, element)
    assert game.beads(game.landon) == ({} if code else {meant: 3})


# --- moc.card.shift ---


@pytest.mark.parametrize(
    ("card", "most"),
    [("2C", 1), ("3C", 2), ("7D", 4), ("8D", 4), ("9S", 5), ("10S", 5), ("JH", 6), ("QH", 6), ("KC", 7), ("AC", 7)],
)
def test_half_its_value_rounded_up_is_the_most_it_shifts(card: str, most: int) -> None:
    for count, code in ((most + 1, "shift-too-large"), (0, "no-beads-played"), (-1, "negative-beads"), (most, "")):
        game = holding(card, "2H")
        game.gives(game.landon, "bead:plot", 20)
        do = ShiftBeads(game.landon, card, "plot", "drama", count)
        assert answers(game, do, by="cleo") == code
        assert game.beads(game.landon) == ({"plot": 20} if code else {"plot": 20 - most, "drama": most})
        assert (card in game.character(game.landon).hand) == bool(code)


@pytest.mark.parametrize(
    ("source", "target", "held", "code"),
    [
        ("plot", "drama", 2, ""),
        ("plot", "drama", 1, "not-enough-beads"),
        ("plot", "plot", 2, "same-element"),
        ("spades", "plot", 2, "same-element"),
        ("plot", "earth", 2, "unknown-element"),
        ("action", "drama", 2, "not-enough-beads"),
    ],
)
def test_one_for_one_from_one_element_to_another(source: str, target: str, held: int, code: str) -> None:
    game = holding("9C", "2H")
    game.gives(game.landon, "bead:plot", held)
    do = ShiftBeads(game.landon, "9C", source, target, 2)
    assert answers(game, do, by="cleo") == code
    if code:
        assert refusing_rule(game, do) == "moc.card.shift"


# --- moc.card.class, moc.card.value, moc.card.dice ---

ELEMENTS = ("action", "storytelling", "plot", "drama")


@pytest.mark.parametrize(
    ("card", "most"),
    [
        # points on an action of Action, Storytelling, Plot, Drama
        ("2C", (2, 1, 1, 1)),
        ("9C", (9, 5, 5, 5)),
        ("10C", (10, 5, 5, 5)),
        ("JC", (11, 6, 6, 6)),
        ("QC", (12, 6, 6, 6)),
        ("KC", (13, 7, 7, 7)),
        ("AC", (14, 7, 7, 7)),
        ("7D", (4, 7, 4, 4)),
        ("7S", (4, 4, 7, 4)),
        ("7H", (4, 4, 4, 7)),
        ("AD", (7, 14, 7, 7)),
    ],
)
def test_suited_its_value_else_half_rounded_up(card: str, most: tuple[int, ...]) -> None:
    for element, points in zip(ELEMENTS, most, strict=True):
        game = holding(card, "2H")
        game.scene_begins(game.landon)
        action = game.acts(game.landon, element=element)
        over = PlayCard(action, game.landon, card, (CardPoints(0, points), CardPoints(1, 1)))
        assert answers(game, over, by="cleo") == "card-overspent"
        assert refusing_rule(game, over, by="cleo") == "moc.card.dice"
        spread = (CardPoints(0, points - 1), CardPoints(2, 1))
        assert answers(game, PlayCard(action, game.landon, card, spread), by="cleo") == ""


@pytest.mark.parametrize(
    ("dials", "element", "points", "code"),
    [
        ({}, "plot", (5, 0), ""),
        ({}, "plot", (6, 0), "card-overspent"),
        ({}, "drama", (3, 2), ""),
        ({"related_card_on_dice": "full"}, "plot", (9, 0), ""),
        ({"related_card_on_dice": "full"}, "plot", (5, 4), ""),
        ({"related_card_on_dice": "full"}, "plot", (5, 5), "card-overspent"),
        ({"related_card_on_dice": "full"}, "drama", (6, 0), "card-overspent"),
        ({"offsuit_split": False}, "action", (5, 4), ""),
        ({"offsuit_split": False}, "plot", (5, 0), ""),
        ({"offsuit_split": False}, "plot", (3, 2), "off-suit-not-split"),
        ({"offsuit_split": False}, "drama", (3, 2), "off-suit-not-split"),
    ],
)
def test_cards_on_dice_by_the_dials(dials: dict[str, Any], element: str, points: tuple[int, int], code: str) -> None:
    game = holding("9C", "2H", **dials)
    game.scene_begins(game.landon)
    action = game.acts(game.landon, element=element)
    laid = tuple(CardPoints(die, n) for die, n in enumerate(points) if n)
    assert answers(game, PlayCard(action, game.landon, "9C", laid), by="cleo") == code


@pytest.mark.parametrize(
    ("rolled", "lines", "code"),
    [
        (False, ((2, 9),), ""),
        (False, ((3, 9),), "no-such-die"),
        (False, ((-1, 1),), "no-such-die"),
        (False, ((0, -1),), "negative-add"),
        (False, ((0, 1.5),), "negative-add"),
        (False, ((0, 3),), ""),
        (True, ((3, 9),), ""),
        (True, ((4, 1),), "no-such-die"),
        (True, ((0, 5), (3, 4)), ""),
    ],
)
def test_base_and_bonus_dice_before_the_roll_or_after(
    rolled: bool, lines: tuple[tuple[int, Any], ...], code: str
) -> None:
    """Three dice, and after the roll one bonus die. Points can be left unused."""
    game = holding("9C", "2H")
    game.scene_begins(game.landon)
    action = game.acts(game.landon)
    if rolled:
        game.does(RollDice(action, 0, (10, 2, 3), (4,)))
    laid = tuple(CardPoints(die, points) for die, points in lines)
    assert answers(game, PlayCard(action, game.landon, "9C", laid), by="cleo") == code


# --- moc.card.once: a card that everybody has seen ---


def played(how: str) -> Game:
    """Let Harry use the 8 of clubs openly."""
    game = Game(hands_seen_by_gm=False)
    game.session_begins()
    game.does(DrawHand(game.hero, ("8C", "KS")), by="ann")
    if how == "exchanged":
        game.does(ExchangeCard(game.hero, "8C"), by="ann")
    elif how == "shifted":
        game.gives(game.hero, "bead:action", 1)
        game.does(ShiftBeads(game.hero, "8C", "action", "plot", 1), by="ann")
    game.scene_begins(game.hero, game.enigma, game.villain)
    if how == "laid":
        action = game.acts(game.hero)
        game.does(PlayCard(action, game.hero, "8C", (CardPoints(0, 1),)), by="ann")
    return game


@pytest.mark.parametrize("how", ["exchanged", "shifted", "laid"])
def test_a_card_that_everybody_has_seen_is_not_drawn_again(how: str) -> None:
    game = played(how)
    hands = {"bob": game.enigma, "ann": game.hero}
    game.sets(game.hero, "drawn", None)
    said = {by: game.refuses(DrawHand(id, ("8C", "9D")), by=by) for by, id in hands.items()}
    said["gm"] = game.refuses(DrawVillains(1, ("8C",)))
    assert said == dict.fromkeys(said, "card-shown")
    conversation, _ = game.begin(DrawHand(game.enigma), "bob")
    with pytest.raises(Unfit, match="card-not-there"):
        conversation.answer(Drawn(("8C", "9D")))
    game.does(DrawHand(game.enigma, ("KS", "9D")), by="bob")


def test_a_card_may_be_typed_again_once_its_use_is_overturned_and_in_the_next_session() -> None:
    game = played("exchanged")
    again = DrawHand(game.enigma, ("8C", "9D"))
    assert game.refuses(again, by="bob") == "card-shown"
    past = game.past
    game.past = game.without(game.number - 2).then
    assert "8C" in game.character(game.hero).hand
    game.does(again, by="bob")
    game.past = past


def test_a_card_thrown_away_unseen_is_typed_as_before() -> None:
    game = Game(hands_seen_by_gm=False)
    game.session_begins()
    game.does(DrawHand(game.hero, ("8C", "KS")), by="ann")
    game.gives(game.enigma, "point", 1200)
    game.does(Buy(game.enigma, buys("vortex")))
    game.does(ForceVortex(game.enigma, game.hero), Discard("8C"), by="bob")
    game.does(DrawHand(game.enigma, ("8C", "9D")), by="bob")
