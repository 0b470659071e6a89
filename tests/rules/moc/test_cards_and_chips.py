"""Hands, cards as beads, chips, awards, nominations, beads of a scene, sessions and arcs."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import CloseScene, OpenScene, SetDial
from ledger.rules.kernel.questions import Drawn
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import CAMPAIGN, seat
from ledger.rules.moc.beads import AllocateBeads, UseSessionBead
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import ExchangeCard, ShiftBeads
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.chips import ChipToPoint, ExchangeChip, GiveBack, Penalise, TradeDown, TradeUp
from ledger.rules.moc.deciding import ShiftFailure
from ledger.rules.moc.fate import AwardChip, CloseArc, EnlargePurse, Nominate, OpenArc, TallyNominations
from ledger.rules.moc.hands import DrawHand, DrawVillains, Keep
from ledger.rules.moc.own_tables import SetTableRow
from ledger.rules.moc.trading import Discard, ForceVortex
from ledger.rules.moc.trumps import Trump, TrumpByFiat
from ledger.rules.moc.words import DECK
from tests.rules.moc.game import Game, buys, kinds_of, the


def hand(game, id):
    return game.character(id).hand


def dealt(*cards, **dials):
    """Open a session in which Harry holds these two cards."""
    game = Game(**dials)
    game.session_begins()
    game.does(DrawHand(game.hero, cards, cards), by="ann")
    return game


def after_a_scene():
    """End the first scene, so that chips can be traded."""
    game = Game()
    game.scene_ends(game.scene_begins())
    return game


# --- hands ---


@pytest.mark.parametrize("card", DECK)
def test_no_card_typed_in_tells_what_the_ledger_dealt(card):
    """Every typed card is refused alike. Otherwise refusals would reveal, card by card, what others hold."""
    game = Game()
    game.session_begins()
    game.declare(DrawHand(game.hero), [Drawn(("8C", "9C"), "ledger")])
    other = "2D" if card != "2D" else "3D"
    for do, said in (
        (DrawHand(game.enigma, (card, other), (card, other)), ()),
        (DrawVillains(2, (card, other)), ()),
        (DrawHand(game.enigma), (Drawn((card, other)),)),
    ):
        if isinstance(do, DrawVillains):
            game.scene_begins(game.hero)
        with pytest.raises((Refused, Unfit)) as refused:
            conversation, _ = game.begin(do)
            for one in said:
                conversation.answer(one)
        assert (refused.value.code, refused.value.context) == ("dealt-by-the-ledger", {})


@pytest.mark.parametrize(
    ("archetype", "more", "drawing", "keeping"),
    [
        ("hero", (), 2, 2),
        ("wildcard", (), 4, 3),
        ("hero", ("hand-of-fate",), 3, 3),
        ("hero", ("fortune",), 3, 2),
        ("wildcard", ("hand-of-fate", "fortune"), 6, 4),
    ],
)
def test_how_many_are_drawn_and_kept(archetype, more, drawing, keeping):
    game = Game()
    id = game.enrol("Raphe", Sheet(archetype, purchases=tuple(buys(one) for one in more)), "ann")
    game.session_begins()
    cards = DECK[:drawing]
    assert game.refuses(DrawHand(id, cards[1:], cards[:keeping])) == "wrong-draw-count"
    assert game.refuses(DrawHand(id, cards, cards[: keeping - 1])) == "wrong-keep-count"
    game.does(DrawHand(id, cards, cards[:keeping]))
    assert hand(game, id) == cards[:keeping]
    assert game.balance("campaign/card:deck") == 52 - drawing
    assert game.balance("campaign/card:discard") == drawing - keeping
    assert game.balance(f"character:{id}/card:hand") == keeping


def test_hands_that_are_refused():
    game = Game()
    assert game.refuses(DrawHand(game.hero)) == "deck-empty", "no session, no deck"
    session = game.session_begins()
    for drawn, kept, code in (
        (("8C", "8C"), ("8C", "8C"), "duplicate-card"),
        (("8C", "1Z"), ("8C", "1Z"), "unknown-card"),
        (("8C", "9C"), ("8C", "7C"), "card-not-in-hand"),
        (("8C", "9C"), ("8C", "8C"), "duplicate-card"),
    ):
        assert game.refuses(DrawHand(game.hero, drawn, kept)) == code
    game.does(DrawHand(game.hero, ("8c", "9C"), ("8C", "9C")))
    assert game.refuses(DrawHand(game.hero, ("2C", "3C"), ("2C", "3C"))) == "already-drawn"
    assert game.refuses(DrawHand(game.villain)) == "villains-share-cards"
    game.session_ends(session)
    assert hand(game, game.hero) == () and game.balance("campaign/card:deck") == 0
    game.session_begins()
    game.does(DrawHand(game.hero, ("8C", "9C"), ("8C", "9C")))


def test_the_ruling_draws_and_asks():
    game = Game()
    id = game.enrol("Raphe", Sheet("wildcard"), "ann")
    game.session_begins()
    game.does(DrawHand(id), ("8C", "2D", "3S", "4H"), Keep(("8C", "3S", "4H")), by="ann")
    assert hand(game, id) == ("8C", "3S", "4H")
    assert game.refuses(DrawHand(game.hero), ("8C", "1Z")) == "card-not-there"


def test_villains_share_a_pool():
    game = dealt("8C", "9C")
    scene = game.scene_begins(game.hero, game.villain)
    assert game.refuses(DrawVillains(0)) == "wrong-draw-count"
    game.does(DrawVillains(3, ("KC", "2D", "3D")))
    action = game.acts(game.hero)
    game.does(ShiftFailure(action, game.villain, card="2D"))
    assert game.scene(scene).pool == ("KC", "3D")
    trump = game.new(Trump(action, game.villain, "roll", "3D", allowed=True))
    game.does(TrumpByFiat(action, trump))
    assert game.scene(scene).pool == ("KC", "3D") and game.balance(f"scene:{scene}/card:villains") == 2
    game.scene_ends(scene)
    assert game.balance(f"scene:{scene}/card:villains") == 0


def test_no_cards_where_there_are_only_beads():
    game = Game(beads_only="on")
    game.session_begins()
    assert game.refuses(DrawHand(game.hero)) == "beads-only"
    assert game.refuses(AwardChip(game.hero, {"white": 1})) == "no-chips-in-play"


@pytest.mark.parametrize(
    ("card", "interval", "flat", "element", "beads"),
    [
        ("8C", False, False, "action", 1),
        ("8C", True, False, "action", 3),
        ("8C", True, True, "action", 2),
        ("AH", False, False, "drama", 5),
        ("AH", True, False, "drama", 7),
        ("JS", True, False, "plot", 4),
        ("QD", False, True, "storytelling", 3),
    ],
)
def test_a_card_becomes_beads(card, interval, flat, element, beads):
    game = dealt(card, "2C", pre_scene_card="flat_two" if flat else "table_plus_two")
    if not interval:
        game.scene_begins(game.hero)
    before = game.beads(game.hero)
    assert before == ({} if interval else {"action": 10}), "every scene awards beads"
    game.does(ExchangeCard(game.hero, card), by="ann")
    assert game.beads(game.hero) == {**before, element: before.get(element, 0) + beads} and hand(game, game.hero) == (
        "2C",
    )
    assert game.refuses(ExchangeCard(game.hero, card)) == "card-not-in-hand"
    assert game.refuses(ExchangeCard(game.hero, "ZZ")) == "unknown-card"
    assert game.refuses(ExchangeCard(game.hero, "2C", "drama")) == "not-a-wildcard"


def test_a_wildcard_names_the_suit():
    game = Game()
    id = game.enrol("Raphe", Sheet("wildcard"), "ann")
    game.session_begins()
    game.does(DrawHand(id, ("8C", "2D", "3S", "4H"), ("8C", "3S", "4H")))
    game.does(ExchangeCard(id, "8C", "hearts"))
    assert game.beads(id) == {"drama": 3}


def test_a_card_shifts_beads_before_a_scene():
    game = dealt("9C", "2C")
    game.does(AllocateBeads(game.hero))
    told = {"character": game.hero, "card": "9C", "source": "action", "target": "drama"}
    for more, code in (
        ({"count": 6}, "shift-too-large"),
        ({"count": -1}, "negative-beads"),
        ({"count": 1, "target": "action"}, "same-element"),
        ({"count": 1, "source": "plot"}, "not-enough-beads"),
        ({"count": 1, "source": "earth"}, "unknown-element"),
        ({"count": 1, "card": "KC"}, "card-not-in-hand"),
    ):
        assert game.refuses(ShiftBeads(**{**told, **more})) == code
    game.does(ShiftBeads(**told, count=5))
    assert game.beads(game.hero) == {"action": 5, "drama": 5}
    game.scene_begins(game.hero)
    assert game.refuses(ShiftBeads(**{**told, "card": "2C"}, count=1)) == "not-in-interval"


def test_vortex_once_a_session():
    game = dealt("8C", "9C")
    game.does(Buy(game.enigma, buys("vortex")))
    assert game.refuses(ForceVortex(game.enigma, game.villain)) == "card-not-in-hand"
    game.does(ForceVortex(game.enigma, game.hero), Discard("9C"), by="bob")
    assert hand(game, game.hero) == ("8C",)
    assert game.refuses(ForceVortex(game.enigma, game.hero)) == "vortex-not-available"


# --- chips ---


@pytest.mark.parametrize(
    ("given", "taken", "code"),
    [
        ({"white": 4}, "red", None),
        ({"red": 2}, "blue", None),
        ({"red": 1, "white": 3}, "blue", None),
        ({"white": 6}, "blue", None),
        ({"white": 3}, "red", "wrong-trade-value"),
        ({"red": 1}, "red", "not-a-trade-up"),
        ({"blue": 1}, "red", "not-a-trade-up"),
        ({}, "red", "not-a-trade-up"),
        ({"white": -1}, "red", "negative-chips"),
        ({"green": 1}, "red", "unknown-chip"),
        ({"white": 4}, "green", "unknown-chip"),
        ({"white": 4}, "white", "not-a-trade-up"),
    ],
)
def test_trading_up(given, taken, code):
    game = after_a_scene()
    for colour, n in {"white": 6, "red": 2}.items():
        game.gives(game.hero, f"chip:{colour}", n)
    if code is not None:
        assert game.refuses(TradeUp(game.hero, given, taken)) == code
        return
    before = game.chips(game.hero)
    game.does(TradeUp(game.hero, given, taken))
    after = {
        colour: before.get(colour, 0) - given.get(colour, 0) + (colour == taken) for colour in ("white", "red", "blue")
    }
    assert game.chips(game.hero) == {colour: n for colour, n in after.items() if n}
    assert game.refuses(TradeUp(game.enigma, given, taken)) == "chips-not-held"


@pytest.mark.parametrize(
    ("given", "taken", "code"),
    [
        ("red", {"white": 3}, None),
        ("blue", {"white": 5}, None),
        ("blue", {"red": 1, "white": 2}, None),
        ("red", {"white": 2}, "wrong-trade-value"),
        ("red", {"red": 1}, "not-a-trade-down"),
        ("white", {"red": 1}, "not-a-trade-down"),
        ("red", {}, "not-a-trade-down"),
        ("green", {"white": 1}, "unknown-chip"),
    ],
)
def test_trading_down(given, taken, code):
    game = after_a_scene()
    for colour in ("red", "blue"):
        game.gives(game.hero, f"chip:{colour}", 1)
    if code is not None:
        assert game.refuses(TradeDown(game.hero, given, taken)) == code
        return
    game.does(TradeDown(game.hero, given, taken))
    assert game.balance(f"character:{game.hero}/chip:{given}") == (1 if given in taken else 0)
    assert game.refuses(TradeDown(game.enigma, given, taken)) == "chips-not-held"


def test_trades_wait_for_the_scenes_end_and_four_are_the_most():
    game = Game()
    game.gives(game.hero, "chip:white", 5)
    assert game.refuses(OpenScene("A hangar", (game.hero,))) == "too-many-chips"
    game.does(GiveBack(game.hero, {"white": 1}))
    assert game.refuses(GiveBack(game.hero, {})) == "nothing-declared"
    game.scene_begins(game.hero)
    assert game.refuses(TradeUp(game.hero, {"white": 4}, "red")) == "only-at-scene-end"
    assert game.refuses(TradeDown(game.hero, "red", {"white": 3})) == "only-at-scene-end"
    assert game.refuses(OpenScene("Another")) == "scene-running"
    game.gives(game.hero, "chip:white", 3)


def test_an_element_named_by_its_name_and_by_its_suit_gets_both():
    game = Game()
    game.gives(game.hero, "chip:white", 1)
    game.does(ExchangeChip(game.hero, "white", {"plot": 1, "spades": 1}))
    assert game.beads(game.hero) == {"plot": 2}


@pytest.mark.parametrize(("colour", "beads"), [("white", 2), ("red", 6), ("blue", 10)])
def test_a_chip_becomes_beads(colour, beads):
    game = Game()
    game.gives(game.hero, f"chip:{colour}", 1)
    assert game.refuses(ExchangeChip(game.hero, colour, {"plot": 1})) == "wrong-trade-value"
    assert game.refuses(ExchangeChip(game.hero, colour, {"plot": -1})) == "negative-beads"
    game.does(ExchangeChip(game.hero, colour, {"plot": beads - 1, "drama": 1}))
    assert game.beads(game.hero) == {"plot": beads - 1, "drama": 1} and game.chips(game.hero) == {}
    assert game.refuses(ExchangeChip(game.hero, colour, {"plot": beads})) == "chips-not-held"


def test_a_chip_becomes_cards():
    game = dealt("8C", "9C")
    game.gives(game.hero, "chip:red", 1)
    done = game.does(ExchangeChip(game.hero, "red"), ("2C", "3C", "4C"))
    assert kinds_of(done) == ["ChipSpentOnCards", "DeckCut", "ChipExchangedForCards"]
    assert hand(game, game.hero) == ("8C", "9C", "2C", "3C", "4C")


def test_cards_got_for_a_chip_stay_when_the_hand_is_drawn():
    game = Game()
    game.session_begins()
    game.gives(game.hero, "chip:white", 1)
    game.does(ExchangeChip(game.hero, "white"), ("2C",))
    game.does(DrawHand(game.hero, ("3C", "4C"), ("3C", "4C")))
    assert hand(game, game.hero) == ("2C", "3C", "4C")
    assert game.balance(f"character:{game.hero}/card:hand") == 3


def test_a_shift_of_nothing_and_a_primary_of_nothing_are_refused():
    game = dealt("8C", "9C")
    assert game.refuses(ShiftBeads(game.hero, "8C", "action", "plot", 0)) == "no-beads-played"
    assert game.refuses(AllocateBeads(game.hero, {"action": 0})) == "primary-takes-the-rest"


def test_villains_hold_no_chips():
    game = Game()
    game.does(OpenArc("I", 5))
    assert game.refuses(AwardChip(game.villain, {"white": 1})) == "not-a-players-character"
    game.scene_begins(game.hero, game.villain)
    action = game.acts(game.hero)
    game.gives(game.villain, "bead:storytelling", 1)
    play = game.new(PlayBeads(action, game.villain, "storytelling", element="storytelling", successes=-1))
    assert game.refuses(TrumpByFiat(action, play, "white")) == "not-a-players-character"
    game.does(TrumpByFiat(action, play))


def test_a_blue_chip_becomes_a_point_at_an_arcs_end():
    game = Game()
    for colour in ("red", "blue"):
        game.gives(game.hero, f"chip:{colour}", 1)
    before = game.points(game.hero)
    assert game.refuses(ChipToPoint(game.hero)) == "only-at-arc-end"
    game.does(OpenArc("an arc", 5))
    assert game.refuses(ChipToPoint(game.hero)) == "only-at-arc-end"
    game.does(CloseArc())
    assert game.refuses(ChipToPoint(game.hero, "red")) == "chips-not-held"
    assert game.refuses(ChipToPoint(game.hero, "pink")) == "unknown-chip"
    game.does(ChipToPoint(game.hero))
    assert game.points(game.hero) == before + 120
    assert game.character(game.hero).earned == 120
    assert game.refuses(ChipToPoint(game.hero)) == "chips-not-held"


def test_the_purse_of_an_arc():
    game = Game()
    assert game.refuses(AwardChip(game.hero, {"white": 1})) == "purse-empty"
    assert game.refuses(CloseArc()) == "no-arc"
    assert game.refuses(OpenArc("an arc", -1)) == "negative-chips"
    game.does(OpenArc("an arc", 4))
    assert game.refuses(OpenArc("an arc", 4)) == "arc-open"
    arc = game.state(CAMPAIGN).arc
    game.does(AwardChip(game.hero, {"red": 1}, "well done"))
    assert game.refuses(AwardChip(game.hero, {"red": 1})) == "purse-empty"
    assert game.refuses(AwardChip(game.hero, {})) == "nothing-declared"
    game.does(EnlargePurse(1, "more"))
    assert game.balance(f"campaign/xp:{arc}") == 2
    assert kinds_of(game.does(AwardChip(game.hero, {"red": 1}, "so", True))) == [
        "PurseEnlarged",
        "ChipAwarded",
    ]
    game.does(CloseArc())
    assert game.balance(f"campaign/xp:{arc}") == 0 and game.chips(game.hero) == {"red": 2}


def test_a_purse_that_is_not_enforced():
    game = Game(arc_purse_enforced=False)
    game.does(AwardChip(game.hero, {"blue": 3}))
    assert game.chips(game.hero) == {"blue": 3}


def test_penalties_take_what_is_held():
    game = Game()
    assert game.refuses(Penalise(game.hero, "selfish")) == "chips-not-held"
    game.gives(game.hero, "chip:white", 2)
    game.does(Penalise(game.hero, "selfish"))
    assert game.refuses(Penalise(game.hero, "selfish", {})) == "empty-penalty"
    assert game.refuses(Penalise(game.hero, "selfish", {"white": 0})) == "empty-penalty"
    assert game.refuses(Penalise(game.hero, "selfish", {"white": -1})) == "negative-chips"
    game.does(Penalise(game.hero, "selfish", {"white": 1}))
    assert game.chips(game.hero) == {}


@pytest.mark.parametrize(
    ("votes", "quorum", "colour", "winners"),
    [
        ((("ann", 1), ("cleo", 1)), 2, "white", [1]),
        ((("ann", 1),), 2, "white", []),
        ((("ann", 1),), 1, "red", [1]),
        ((("ann", 1), ("bob", 0), ("cleo", 0), ("cleo", 1)), 2, "blue", [0, 1]),
    ],
)
def test_nominations(votes, quorum, colour, winners):
    game = Game(nomination_quorum=quorum, nomination_chip=colour)
    game.does(OpenArc("an arc", 30))
    session = game.session_begins()
    game.session_ends(session)
    ids = [game.hero, game.enigma]
    assert game.refuses(Nominate("ann", game.hero), by="ann") == "no-self-nomination"
    for who, whom in votes:
        game.does(Nominate(who, ids[whom]), by=who)
    assert game.refuses(Nominate(votes[0][0], ids[votes[0][1]])) == "already-nominated"
    told = the(game.does(TallyNominations()), "NominationsTallied")
    assert list(told.winners) == sorted(ids[one] for one in winners)
    for place, id in enumerate(ids):
        assert game.chips(id) == ({colour: 1} if place in winners else {})
    assert game.refuses(TallyNominations()) == "already-tallied"


def test_a_nomination_is_hidden_and_so_is_that_there_was_one():
    game = Game()
    done = game.does(Nominate("ann", game.enigma), by="ann")
    assert done.audience == ("gm", "ann")
    assert all(about.audience == ("gm", "ann") for about in done.facts)
    assert game.view(seat("ann"), "bob") == {} and game.view(seat("ann"), "gm")["named"] == [game.enigma]


# --- beads of a scene ---


@pytest.mark.parametrize(
    ("archetype", "wanted", "more", "pools"),
    [
        ("hero", {}, (), {"action": 12}),
        ("hero", {"plot": 3}, (), {"action": 9, "plot": 3}),
        ("hero", {"plot": 4}, (), {"action": 7, "plot": 4}),
        ("hero", {"drama": 1}, (), {"action": 9, "drama": 1}),
        ("enigma", {"drama": 2}, (), {"storytelling": 10, "drama": 2}),
        ("protagonist", {}, (), {"plot": 12}),
        ("architect", {}, (), {"drama": 12}),
        ("wildcard", {"action": 4, "plot": 5}, (), {"action": 4, "plot": 5}),
        ("hero", {}, (buys("extra-bead-scene", level=2),), {"action": 14}),
        ("hero", {"drama": 5}, (buys("extra-primary", element="drama"),), {"action": 7, "drama": 5}),
        ("wildcard", {"action": 4}, (buys("extra-primary", element="plot"),), {"action": 4, "plot": 4}),
    ],
)
def test_laying_beads(archetype, wanted, more, pools):
    game = Game()
    id = game.enrol("Somebody", Sheet(archetype, {"body": 3, "mind": 3, "spirit": 3}, purchases=more), "ann")
    game.does(AllocateBeads(id, wanted))
    assert game.beads(id) == pools
    assert game.refuses(AllocateBeads(id, wanted)) == "already-allocated"


@pytest.mark.parametrize(
    ("archetype", "wanted", "code"),
    [
        ("hero", {"plot": 6}, None),
        ("hero", {"plot": 7}, "not-enough-beads"),
        ("hero", {"drama": 4}, "not-enough-beads"),
        ("hero", {"action": 1}, "primary-takes-the-rest"),
        ("hero", {"earth": 1}, "unknown-element"),
        ("hero", {"plot": -1}, "negative-beads"),
        ("wildcard", {"plot": 9}, None),
        ("wildcard", {"plot": 10}, "not-enough-beads"),
    ],
)
def test_what_beads_can_be_laid(archetype, wanted, code):
    game = Game()
    id = game.enrol("Somebody", Sheet(archetype, {"body": 3, "mind": 3, "spirit": 3}), "ann")
    if code is None:
        game.does(AllocateBeads(id, wanted))
    else:
        assert game.refuses(AllocateBeads(id, wanted)) == code


def test_a_wildcard_by_the_other_reading():
    game = Game(wildcard_allocation="third_then_two")
    id = game.enrol("Somebody", Sheet("wildcard", {"body": 3, "mind": 3, "spirit": 3}), "ann")
    assert game.refuses(AllocateBeads(id, {"plot": 7})) == "not-enough-beads"
    game.does(AllocateBeads(id, {"plot": 6}))
    other = game.enrol("Other", Sheet("wildcard", purchases=(buys("extra-bead-scene"),)), "ann")
    assert game.refuses(AllocateBeads(other)) == "no-primary-element"


@pytest.mark.parametrize(
    ("dials", "beads"),
    [
        ({"power_level": "heroic"}, 11),
        ({"power_level": "superheroic"}, 14),
        ({"power_level": "superheroic", "superheroic_bead_rate": "5/2"}, 18),
    ],
)
def test_power_levels(dials, beads):
    game = Game(begin=False, **dials)
    id = game.enrol("Landon", Sheet("enigma", {"body": 3, "spirit": 3}), "ann")
    assert the(game.does(AllocateBeads(id)), "BeadsAllocated").allowance == beads


def test_beads_end_with_the_scene():
    game = Game()
    game.does(AllocateBeads(game.hero))
    scene = game.scene_begins(game.hero)
    assert game.refuses(AllocateBeads(game.hero)) == "not-in-interval"
    game.does(CloseScene(scene))
    assert game.beads(game.hero) == {}
    game.does(AllocateBeads(game.hero))
    assert game.beads(game.hero) == {"action": 10}


def test_session_beads():
    game = Game()
    game.does(Buy(game.hero, buys("extra-bead-session")))
    session = game.session_begins()
    game.does(UseSessionBead(game.hero, "drama"))
    assert game.beads(game.hero) == {"drama": 1}
    assert game.refuses(UseSessionBead(game.hero, "drama")) == "not-enough-beads"
    game.session_ends(session)
    game.session_begins()
    game.does(UseSessionBead(game.hero, "drama"))


# --- dials and tables ---


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("superheroic_bead_rate", 1, "rate-below-two"),
        ("superheroic_bead_rate", "3/2", "rate-below-two"),
        ("superheroic_bead_rate", "x", "unknown-dial-value"),
        ("tn_floor", 0, "unknown-dial-value"),
        ("scene_recovery_steps", 2, "unknown-dial-value"),
        ("resolution", "odd", "unknown-dial-value"),
        ("nomination_quorum", 0, "unknown-dial-value"),
        ("primary_max", 6, "unknown-dial-value"),
        ("no_such", 1, "unknown-dial"),
    ],
)
def test_dials_that_are_refused(name, value, code):
    assert Game().refuses(SetDial(name, value, "ours")) == code


@pytest.mark.parametrize(
    ("table", "row", "values", "code"),
    [
        ("skills", "Juggling", {"element": "action", "primary": "body", "others": ["C"], "difficulty": 1}, None),
        ("skills", "Juggling", {"element": "storytelling", "primary": "body", "others": ["C"]}, "unknown-element"),
        ("skills", "Juggling", {"element": "action", "primary": "soul", "others": ["C"]}, "unknown-characteristic"),
        ("skills", "Juggling", {"element": "action", "primary": "body", "others": ["R"]}, "unknown-characteristic"),
        ("skills", "Juggling", {"element": "action", "primary": "body", "others": []}, "unknown-characteristic"),
        ("skills", "Juggling", {"element": "action", "primary": "body", "others": 5}, "unknown-characteristic"),
        ("skills", "Jug", {"element": "plot", "primary": "body", "others": "C", "difficulty": 3}, "unknown-difficulty"),
        ("weapons", "Spoon", {"damage": 1, "lethality": 9}, None),
        ("weapons", "Spoon", {"damage": -1, "lethality": 9}, "negative-dice"),
        ("weapons", "Spoon", {"damage": 1, "lethality": 0}, "value-not-positive"),
        ("weapons", "Spoon", {"damage": 1, "lethality": 9, "adds": "X"}, "unknown-characteristic"),
        ("locations", "tail", {"low": 10, "high": 10, "severity": -2}, None),
        ("locations", "tail", {"low": 10, "high": 11}, "face-out-of-range"),
        ("healing", "1", {"days": 3}, None),
        ("healing", "1", {"days": 0}, "time-not-positive"),
        ("healing", "7", {"days": 3}, "damage-above-six"),
        ("ag", "6", {"tn": 11}, None),
        ("ag", "6", {"tn": 1}, "tn-below-floor"),
        ("uses", "hero", {"text": "a second wind"}, None),
        ("uses", "ninja", {"text": "a second wind"}, "unknown-archetype"),
        ("spells", "x", {}, "unknown-table"),
    ],
)
def test_tables(table, row, values, code):
    game = Game()
    if code is None:
        assert kinds_of(game.does(SetTableRow(table, row, values))) == ["TableRowSet"]
        assert row in game.view(CAMPAIGN)[table]
    else:
        assert game.refuses(SetTableRow(table, row, values)) == code


def test_the_villains_cards_go_with_the_session():
    game = Game()
    session = game.session_begins()
    scene = game.scene_begins(game.villain)
    game.does(DrawVillains(2, ("KC", "2D")))
    game.session_ends(session)
    assert game.scene(scene).pool == () and game.balance(f"scene:{scene}/card:villains") == 0
    game.session_begins()
    assert game.balance("campaign/card:deck") == 52
