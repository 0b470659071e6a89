"""The amendments N3 to N6: one award for a session, agreed prices, Vows that end, possessions."""

from __future__ import annotations

import dataclasses

import pytest

from ledger.rules.kernel.commands import CloseSession, OpenSession
from ledger.rules.kernel.declarations import find_chooser
from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.subjects import CAMPAIGN, character
from ledger.rules.mongrel.attacks import Attack, CarryOut, DeclareAttack
from ledger.rules.mongrel.bargains import Sacrifice, SaleDeclined
from ledger.rules.mongrel.conflict import CloseConflict
from ledger.rules.mongrel.credit import Accept, AdjustCredit, NoDeal, SpeakFor
from ledger.rules.mongrel.damage import DamageRolled, Shunt
from ledger.rules.mongrel.deeds import Act, RollTask
from ledger.rules.mongrel.hits import DefenceChosen, Defend, Stand, TakeHit
from ledger.rules.mongrel.houses import EndVow, MakeVow, VowEnded
from ledger.rules.mongrel.infernal import RefreshResolve, RefreshResolveByVow, SpendResolve
from ledger.rules.mongrel.possessions import GainItem, ItemAcquired, PartWithItem
from ledger.rules.mongrel.purchases import OccultPurchase, Purchase
from ledger.rules.mongrel.recovery import Recover
from ledger.rules.mongrel.sessions import AwardSession, AwardVow, CharacterPointsAwarded, NotePresent
from ledger.rules.mongrel.sorcery import Occult, Submit
from ledger.rules.mongrel.state import ActionDeclared
from ledger.rules.mongrel.turns import Pass
from tests.rules.mongrel.game import GIAZZA, Game, but, kinds_of, of_kind, steps, the

TRADER = but(GIAZZA, plus_two=("negotiate", "sense"), plus_one=("lie", "melee"), plus_three=("rend", "bureaucrat"))
HIT, MISS = (1, 2, 3, 6), (6, 6, 6, 6)


def task(game, **new):
    return RollTask(**{"actor": game.vooruk, "expertise": "rend", "side": "own", "attribute": "physique", **new})


# --- N3: one award for a session -------------------------------------------------------------------------------------


def evening(game):
    """An open session's id."""
    session = str(game.number)
    game.declare(OpenSession("an evening"))
    return session


def played(game):
    """Whom an award of a point goes to, just now."""
    verdict = game.does(AwardSession(1))
    return [one.character for one in of_kind(verdict, CharacterPointsAwarded)]


def test_n3_one_award_for_everybody_who_played():
    game = Game()
    session = evening(game)
    assert game.refuses(AwardSession(2)) == "nobody-played"
    game.does(task(game, faces=HIT))
    game.does(NotePresent((game.ahvia,)))
    verdict = game.does(AwardSession(2))
    awarded = of_kind(verdict, CharacterPointsAwarded)
    assert [one.character for one in awarded] == [game.ahvia, game.vooruk]
    assert (game.cp(game.ahvia), game.cp(game.vooruk), game.cp(game.giazza)) == (2, 2, 0)
    assert game.refuses(AwardSession(2)) == "already-awarded"
    assert game.refuses(AwardSession(1)) == "award-differs"
    game.declare(CloseSession(session))
    game.does(NotePresent((game.giazza,), session))
    assert game.refuses(AwardSession(1)) == "award-differs"
    game.does(AwardSession(2))
    assert (game.cp(game.vooruk), game.cp(game.giazza)) == (2, 2), "who was noted late gets the same, nobody twice"
    assert game.view(CAMPAIGN)["awards"] == [{"session": session, "points": 2}]


@pytest.mark.parametrize("points", [0, 3, "1", True])
def test_n3_one_or_two_points(points):
    game = Game()
    evening(game)
    assert game.refuses(AwardSession(points)) == "award-range"


def test_n3_notes_of_who_was_there():
    game = Game()
    assert game.refuses(NotePresent((game.ahvia,))) == "session-unknown"
    evening(game)
    assert game.refuses(NotePresent((game.ahvia, game.ahvia))) == "duplicate"
    assert game.refuses(NotePresent(())) == "nobody-played"
    assert game.refuses(NotePresent(("77",))) == "unknown-character"
    assert game.refuses(NotePresent((game.ahvia,), "nonsense")) == "session-unknown"
    noted = game.does(NotePresent((game.vooruk, game.ahvia)))
    assert steps(noted, "mongrel.cp.session") == [[game.vooruk, game.ahvia]]


ACTS = [
    lambda g: RollTask(g.vooruk, "rend", "own", "physique", faces=HIT),
    lambda g: SpendResolve(g.vooruk, 1),
    lambda g: RefreshResolve(g.vooruk, "meditating", 60),
    lambda g: Purchase(g.vooruk, "a lamp", "mekag", "rend", social=2, faces=HIT),
]
MOVES = [
    lambda g: Pass(g.vooruk),
    lambda g: DeclareAttack(g.vooruk, g.ahvia, "rend", "physique"),
    lambda g: Act(g.vooruk, "rend", "physique", faces=HIT),
    lambda g: Recover(g.vooruk, 3),
]


@pytest.mark.parametrize("act", ACTS)
def test_n3_who_acts_has_played(act):
    game = Game()
    evening(game)
    game.plays(act(game))
    assert played(game) == [game.vooruk]


@pytest.mark.parametrize("act", MOVES)
def test_n3_who_makes_a_move_in_a_conflict_has_played(act):
    game = Game()
    evening(game)
    game.conflict()
    game.gives(game.vooruk, "ap", -1)
    game.plays(act(game))
    assert played(game) == [game.vooruk]


def test_n3_who_defends_has_played_and_who_is_only_hit_has_not():
    game = Game()
    evening(game)
    game.conflict()
    game.hit(game.giazza, 3)
    game.does(Attack(game.vooruk, game.ahvia, "rend", "physique"), Defend(), MISS, Shunt(0))
    assert played(game) == [game.ahvia, game.vooruk]


def test_n3_an_npc_that_acts_has_not_played_and_an_earlier_session_is_another():
    game = Game()
    npc = game.enrol("Guard", but(GIAZZA, npc=True), "gm")
    session = evening(game)
    game.does(task(game, actor=npc, expertise="melee", faces=HIT))
    assert game.refuses(AwardSession(1)) == "nobody-played"
    game.does(task(game, faces=HIT))
    game.declare(CloseSession(session))
    evening(game)
    game.does(RollTask(game.ahvia, "lie", "own", "social", faces=HIT))
    assert played(game) == [game.ahvia]
    last = game.does(AwardSession(2, session))
    assert [one.character for one in of_kind(last, CharacterPointsAwarded)] == [game.vooruk]


def test_n3_overturning_the_first_act_of_an_evening_takes_nobody_out_of_it():
    game = Game()
    evening(game)
    first = game.number
    game.does(SpendResolve(game.vooruk, 1))
    game.does(SpendResolve(game.vooruk, 1))
    game.past = game.without(first).then
    assert played(game) == [game.vooruk]


def test_n3_an_award_overturned_can_be_given_anew():
    game = Game()
    evening(game)
    game.does(task(game, faces=HIT))
    award = game.number
    game.does(AwardSession(2))
    game.past = game.without(award).then
    assert game.cp(game.vooruk) == 0
    game.does(AwardSession(1))
    assert game.cp(game.vooruk) == 1


# --- N4: the price of a sacrifice is agreed --------------------------------------------------------------------------


def shop():
    """Trader: Negotiate 3, Credit 4 with the Nuin, played by p. Vooruk is q's, Giazza the game master's.

    No game master is asked whether something can be bought.
    """
    game = Game(player_numbers="trusted")
    return game, game.enrol("Trader", TRADER, "p")


def test_n4_the_sellers_player_agrees_to_the_price():
    game, trader = shop()
    do = Purchase(trader, "a lamp", "nuin", seller=game.vooruk, faces=(1, 1, 1), sacrifice=2)
    question = game.asks(do, by="p")
    assert isinstance(question, Ask)
    kinds = (Accept, NoDeal, SpeakFor)
    assert (question.seat, question.kinds, question.slot) == ("q", kinds, "price:nuin")
    assert "2" in question.purpose and "a lamp" in question.purpose
    verdict = game.does(do, NoDeal(), by="p")
    assert "CreditSacrificed" not in kinds_of(verdict) and not of_kind(verdict, ItemAcquired)
    assert steps(verdict, "mongrel.credit.sacrifice") == ["no deal"]
    verdict = game.does(do, Accept(), by="p")
    assert kinds_of(verdict)[3:5] == ["CreditSacrificed", "ItemAcquired"]
    assert (game.credit(trader, "nuin"), game.credit(game.vooruk, "nuin")) == (2, 3)


def test_n4_a_game_master_agrees_for_who_is_nobodys_character():
    game, trader = shop()
    do = Purchase(trader, "a lamp", "nuin", social=6, faces=(1, 1, 1), sacrifice=2)
    question = game.asks(do, by="p")
    assert isinstance(question, Ask) and question.seat == "gm"
    game.does(do, Accept(), by="p")
    assert game.credit(trader, "nuin") == 2
    game.does(Purchase(trader, "a lamp", "nuin", social=6, faces=(1, 1, 1), sacrifice=1), by="gm")
    assert game.credit(trader, "nuin") == 1, "a game master who says it need not be asked"


def test_n4_the_offer_comes_first_and_who_declares_is_not_asked_again():
    game, trader = shop()
    do = Purchase(trader, "a lamp", "nuin", seller=game.vooruk, faces=(1, 1, 1))
    offer = game.asks(do, by="p")
    assert (offer.seat, offer.slot) == ("p", "sacrifice:nuin")
    answer = game.asks(do, Sacrifice(3), by="p")
    assert (answer.seat, answer.slot) == ("q", "price:nuin")
    assert game.refuses(do, Sacrifice(5), by="p") == "credit-short"
    own = game.enrol("Own", TRADER, "p")
    verdict = game.does(Purchase(trader, "a lamp", "nuin", seller=own, faces=(1, 1, 1), sacrifice=1), by="p")
    assert of_kind(verdict, ItemAcquired), "who plays both has said so"
    by_gm = game.asks(Purchase(trader, "a lamp", "nuin", seller=game.vooruk, faces=(1, 1, 1), sacrifice=1), by="gm")
    assert by_gm.seat == "q", "nobody claims it for another"


def test_n4_a_game_master_claims_it_for_another_with_a_reason_and_nobody_else_does():
    game, trader = shop()
    bids = {"seller": game.vooruk, "faces": (1, 1, 1), "sacrifice": 2}
    assert game.refuses(Purchase(trader, "a lamp", "nuin", **bids, agreed="He nodded."), by="p") == "not-yours"
    assert game.refuses(Purchase(trader, "a lamp", "nuin", **bids, agreed="He nodded."), by="q") == "not-yours"
    assert game.refuses(Purchase(trader, "a lamp", "nuin", **bids, agreed=" ")) == "agreed-blank"
    verdict = game.does(Purchase(trader, "a lamp", "nuin", **bids, agreed="Ben left early, and had said so."))
    assert of_kind(verdict, ItemAcquired) and game.credit(trader, "nuin") == 2
    (given,) = [one.given for one in verdict.because if one.rule == "mongrel.credit.sacrifice"]
    assert given["agreed"] == "Ben left early, and had said so."


@pytest.mark.parametrize("kind", [Accept, NoDeal, Sacrifice])
def test_n4_what_is_agreed_is_said_by_who_is_asked_and_nobody_else(kind):
    assert find_chooser(kind) == "asked"
    assert find_chooser(SpeakFor) == "gm"


def test_n4_a_game_master_answers_for_who_is_asked_only_with_a_reason():
    game, trader = shop()
    do = Purchase(trader, "a lamp", "nuin", seller=game.vooruk, faces=(1, 1, 1))
    for question in (game.asks(do, by="p"), game.asks(do, Sacrifice(2), by="p")):
        assert SpeakFor in question.kinds
    assert game.refuses(do, SpeakFor(True, " ", 2), by="p") == "reason-blank"
    assert game.refuses(do, SpeakFor(True, "He left.", 9), by="p") == "credit-short"
    assert game.refuses(do, SpeakFor(True, "He left."), by="p") == "bad-amount"
    assert game.refuses(do, Sacrifice(2), SpeakFor(True, "He nodded.", 1), by="p") == "bad-amount"
    assert game.refuses(do, Sacrifice(2), SpeakFor(True, " "), by="p") == "reason-blank"
    for said in ((SpeakFor(False, "He left."),), (Sacrifice(2), SpeakFor(False, "He shook his head."))):
        assert not of_kind(game.does(do, *said, by="p"), ItemAcquired)
    verdict = game.does(do, SpeakFor(True, "He left.", 2), SpeakFor(True, "He nodded."), by="p")
    assert of_kind(verdict, ItemAcquired) and game.credit(trader, "nuin") == 2
    spoken = [one.given["spoken_for"] for one in verdict.because if "spoken_for" in one.given]
    assert spoken == ["He left.", "He nodded."]


def test_n4_where_a_player_has_left_or_nobody_plays_the_seller_any_game_master_is_asked():
    game, trader = shop()
    lone = game.enrol("Lone", TRADER, "o")
    for seller in (game.giazza, lone, None):
        do = Purchase(trader, "a lamp", "nuin", seller=seller, social=6, faces=(1, 1, 1), sacrifice=1)
        assert game.asks(do, by="p").seat == "gm"


def test_n4_what_a_player_has_is_for_sale_only_if_that_player_says_so():
    """Before the dice, which might win it outright; who plays the seller, or says why it is agreed, is not asked."""
    game, trader = shop()
    blade = the(game.does(GainItem(game.vooruk, "a blade", 2)), ItemAcquired).possession
    do = Purchase(trader, "a blade", "nuin", seller=game.vooruk, possession=blade, faces=(4, 5, 6))
    game.does(AdjustCredit(trader, "nuin", 2))
    question = game.asks(do, by="p")
    assert (question.seat, question.slot) == ("q", f"sale:{blade}")
    verdict = game.does(do, NoDeal(), by="p")
    assert kinds_of(verdict) == ["SaleDeclined"] and blade in game.character(game.vooruk).possessions
    assert the(verdict, SaleDeclined).possession == blade
    spoken = game.does(do, SpeakFor(False, "He never would."), by="p")
    assert kinds_of(spoken) == ["SaleDeclined"]
    assert not isinstance(game.asks(dataclasses.replace(do, faces=None), Accept(), by="p"), Ask)
    assert of_kind(game.does(dataclasses.replace(do, agreed="He said so."), by="gm"), ItemAcquired)
    blade = the(game.does(GainItem(game.vooruk, "a blade", 2)), ItemAcquired).possession
    assert of_kind(game.does(dataclasses.replace(do, possession=blade), Accept(), by="p"), ItemAcquired)


@pytest.mark.parametrize("make", [Purchase, OccultPurchase])
def test_n4_a_sale_declined_costs_neither_turn_nor_resolve(make):
    game, trader = shop()
    blade = the(game.does(GainItem(game.vooruk, "a blade", 2)), ItemAcquired).possession
    if make is Purchase:
        game.conflict(trader, game.vooruk)
        game.does(Pass(game.vooruk))
    points = {"points": 1} if make is OccultPurchase else {}
    do = make(buyer=trader, item="a blade", house="nuin", seller=game.vooruk, possession=blade, **points)
    assert kinds_of(game.does(do, NoDeal(), by="p")) == ["SaleDeclined"]
    assert points or game.queue[0] == trader
    assert game.resolve(trader) == 4 and game.ap(trader) == 4


def test_n4_what_was_agreed_falls_with_its_ruling():
    game, trader = shop()
    number = game.number
    do = Purchase(trader, "a lamp", "nuin", seller=game.vooruk, faces=(1, 1, 1), sacrifice=2)
    game.does(do, Accept(), by="p")
    assert game.without(number).then.told(character(trader)).purse["character:5/credit:nuin"] == 4
    assert not game.had(character(trader), number).possessions


# --- N5: Vows end ----------------------------------------------------------------------------------------------------


def test_n5_a_vow_is_fulfilled_or_ended():
    game = Game()
    id = game.ahvia
    end = EndVow(id, "revenge", "fulfilled", "He is dead.")
    assert game.refuses(end) == "no-vow"
    game.does(MakeVow(id, "revenge"))
    game.does(MakeVow(id, "nuin", "house"))
    assert game.refuses(EndVow(id, "revenge", "forgotten", "so")) == "outcome-unknown"
    assert game.refuses(EndVow(id, "revenge", "ended", " ")) == "reason-blank"
    game.chill(id, 2)
    game.does(RefreshResolveByVow(id, "He laughs.", "revenge"))
    verdict = game.does(end)
    done = the(verdict, VowEnded)
    assert (done.object, done.outcome, done.reason) == ("revenge", "fulfilled", "He is dead.")
    assert game.resolve(id) == 6, "what it gave stays"
    assert [(one["object"], one["ended"]) for one in game.view(character(id))["vows"]] == [
        ("revenge", "fulfilled"),
        ("nuin", None),
    ]
    assert game.refuses(end) == game.refuses(RefreshResolveByVow(id, "He laughs.", "revenge")) == "no-vow"
    assert game.does(RefreshResolveByVow(id, "Nuin laughs.")).facts
    game.does(EndVow(id, "nuin", "ended", "She left them."))
    assert game.refuses(RefreshResolveByVow(id, "Nuin laughs.")) == "no-vow"
    game.does(MakeVow(id, "revenge"))
    assert game.does(RefreshResolveByVow(id, "He had a son.", "revenge")).facts


def test_n5_the_point_for_a_vow_is_for_the_session_it_was_kept_in():
    game = Game()
    id = game.ahvia
    game.does(MakeVow(id, "revenge"))
    session = evening(game)
    game.does(EndVow(id, "revenge", "fulfilled", "She went in first."))
    game.declare(CloseSession(session))
    game.does(AwardVow(id))
    assert game.cp(id) == 1
    evening(game)
    assert game.refuses(AwardVow(id)) == "no-vow"


def test_n5_the_end_of_a_vow_never_made_goes_adrift():
    game = Game()
    vow = game.number
    game.does(MakeVow(game.ahvia, "revenge"))
    game.does(EndVow(game.ahvia, "revenge", "ended", "She forgave him."))
    found = game.without(vow).then.told(character(game.ahvia))
    assert found.state.vows == () and found.adrift == [(vow + 1, 0)]


# --- N6: possessions -------------------------------------------------------------------------------------------------


def test_n6_what_is_bought_is_had():
    game, trader = shop()
    number = str(game.number)
    verdict = game.does(Purchase(trader, "a blade", "nuin", social=3, weapon=2, faces=(3, 4, 6)))
    done = the(verdict, ItemAcquired)
    assert (done.possession, done.item, done.credit, done.house) == (number, "a blade", 0, None)
    mail = str(game.number)
    game.does(Purchase(trader, "mail", "nuin", social=6, armour=3, faces=(1, 1, 1), sacrifice=2))
    assert game.view(character(trader))["possessions"] == [
        {"id": number, "item": "a blade", "credit": 0, "house": None, "weapon": 2, "armour": None},
        {"id": mail, "item": "mail", "credit": 2, "house": "nuin", "weapon": None, "armour": 3},
    ]
    capped = Game(weapon_bonus_cap=1)
    assert capped.refuses(Purchase(capped.giazza, "x", "nuin", social=3, weapon=2)) == "weapon-cap"
    assert capped.refuses(Purchase(capped.giazza, "x", "nuin", social=3, weapon=-1)) == "bad-score"
    assert capped.refuses(Purchase(capped.giazza, "x", "nuin", social=3, armour="2")) == "bad-score"


def armed(**dials):
    """Vooruk has a blade (2), Giazza mail (3) and a hat; they fight."""
    game = Game(**dials)
    had = []
    for id, item, values in (
        (game.vooruk, "a blade", {"weapon": 2}),
        (game.giazza, "mail", {"armour": 3}),
        (game.giazza, "a hat", {}),
    ):
        had.append(str(game.number))
        game.does(GainItem(id, item, reason="always had it", **values))
    game.conflict()
    return game, *had


def test_n6_attack_and_defence_name_what_they_use():
    game, blade, mail, _ = armed()
    do = Attack(game.vooruk, game.giazza, "rend", "physique", weapon_used=blade, armour_worn=mail, faces=HIT)
    verdict = game.does(do, Stand(), Shunt(0))
    declared, done = the(verdict, ActionDeclared), the(verdict, DamageRolled)
    assert (declared.weapon_used, declared.armour_worn) == (blade, mail)
    assert (done.weapon, done.armour, done.net) == (2, 3, 8 + 2 - 3)
    assert steps(verdict, "mongrel.item.use") == [2, 3]


@pytest.mark.parametrize("choice", [Defend, Stand])
def test_n6_who_is_attacked_names_what_it_wears(choice):
    game, _, mail, hat = armed()
    do = Attack(game.vooruk, game.giazza, "rend", "physique", faces=(6, 6, 1, 2))
    assert game.refuses(do, choice(armour_worn="77")) == "possession-unknown"
    assert game.refuses(do, choice(armour_worn=hat)) == "no-armour"
    given = Attack(game.vooruk, game.giazza, "rend", "physique", armour=1, faces=(6, 6, 1, 2))
    assert game.refuses(given, choice(armour_worn=mail)) == "number-and-possession"
    verdict = game.does(do, choice(armour_worn=mail), *([Shunt(0)] if choice is Defend else []))
    assert the(verdict, DefenceChosen).armour_worn == mail
    assert [one.armour for one in of_kind(verdict, DamageRolled)] == ([3] if choice is Defend else [])


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ({"weapon_used": "77"}, "possession-unknown"),
        ({"weapon_used": "blade", "weapon": 1}, "number-and-possession"),
        ({"armour_worn": "hat"}, "no-armour"),
        ({"armour_worn": "blade"}, "possession-unknown"),
        ({"armour_worn": "mail", "armour": 1}, "number-and-possession"),
    ],
)
def test_n6_named_wrongly(new, code):
    game, blade, mail, hat = armed()
    ids = {"blade": blade, "mail": mail, "hat": hat}
    given = {name: ids.get(value, value) for name, value in new.items()}
    assert game.refuses(Attack(game.vooruk, game.giazza, "rend", "physique", **given)) == code
    assert game.refuses(DeclareAttack(game.vooruk, game.giazza, "rend", "physique", **given)) == code
    assert game.refuses(Attack(game.giazza, game.vooruk, "melee", "physique", weapon_used=hat)) == "not-your-turn"
    game.does(Pass(game.vooruk))
    assert game.refuses(Attack(game.giazza, game.vooruk, "melee", "physique", weapon_used=hat)) == "no-weapon"


def test_n6_armour_named_where_a_hit_comes_from_elsewhere():
    game, _, mail, hat = armed()
    assert game.refuses(TakeHit(game.giazza, 5, armour_worn=hat)) == "no-armour"
    assert game.refuses(TakeHit(game.giazza, 5, armour=1, armour_worn=mail)) == "number-and-possession"
    assert the(game.plays(TakeHit(game.giazza, 5, armour_worn=mail)), DamageRolled).net == 2


def test_n6_what_is_named_where_occult_does_what_a_weapon_does():
    game, blade, mail, hat = armed(occult_attack_hits="mimicked")
    game.does(CloseConflict())
    given = {"target": game.giazza, "faces": (1, 1), "weapon_used": blade}
    strike = Occult(game.vooruk, 1, "rend", "own", "spirit", **given, armour_worn=mail)
    verdict = game.does(strike, Submit())
    assert (the(verdict, DamageRolled).weapon, the(verdict, DamageRolled).armour) == (2, 3)
    assert game.refuses(Occult(game.vooruk, 1, "rend", "own", "spirit", **given, armour_worn=hat)) == "no-armour"
    assert game.refuses(Occult(game.vooruk, 1, "rend", "own", "spirit", **given, weapon=1)) == "number-and-possession"


def test_n6_a_declared_attack_keeps_what_was_declared():
    game, blade, _, _ = armed()
    game.does(DeclareAttack(game.vooruk, game.giazza, "rend", "physique", weapon_used=blade))
    game.does(PartWithItem(game.vooruk, blade, to=game.ahvia, reason="thrown"))
    verdict = game.plays(CarryOut(faces=HIT))
    assert the(verdict, DamageRolled).weapon == 2


def test_n6_possessions_change_hands():
    game, blade, _, _ = armed()
    game.does(CloseConflict())
    assert game.refuses(PartWithItem(game.giazza, blade)) == "possession-unknown"
    assert game.refuses(PartWithItem(game.vooruk, blade, to=game.vooruk)) == "bad-target"
    assert game.refuses(PartWithItem(game.vooruk, blade, to="77")) == "unknown-character"
    verdict = game.does(PartWithItem(game.vooruk, blade, to=game.ahvia, reason="a gift"))
    assert kinds_of(verdict) == ["ItemPartedWith", "ItemAcquired"]
    assert not game.character(game.vooruk).possessions
    (own,) = game.view(character(game.ahvia))["possessions"]
    assert (own["item"], own["weapon"], own["credit"]) == ("a blade", 2, 0)
    assert kinds_of(game.does(PartWithItem(game.ahvia, own["id"], reason="lost"))) == ["ItemPartedWith"]
    assert game.refuses(GainItem(game.ahvia, " ")) == "item-blank"
    assert game.refuses(GainItem(game.ahvia, "x", weapon=-1)) == "bad-score"


def test_n6_a_possession_can_be_bought_from_who_has_it():
    game, blade, _, _ = armed()
    game.does(CloseConflict())
    trader = game.enrol("Trader", TRADER, "p")
    do = Purchase(trader, "a blade", "nuin", seller=game.vooruk, possession=blade, faces=(1, 1, 1), sacrifice=2)
    assert game.refuses(Purchase(trader, "x", "nuin", social=2, possession=blade)) == "possession-unknown"
    assert game.refuses(Purchase(trader, "x", "nuin", seller=game.giazza, possession=blade)) == "possession-unknown"
    twice = Purchase(trader, "x", "nuin", seller=game.vooruk, possession=blade, weapon=1)
    assert game.refuses(twice) == "number-and-possession"
    verdict = game.does(do, Accept(), Accept(), by="p")
    assert kinds_of(verdict)[3:6] == ["CreditSacrificed", "ItemPartedWith", "ItemAcquired"]
    assert not game.character(game.vooruk).possessions
    (own,) = game.view(character(trader))["possessions"]
    assert (own["weapon"], own["credit"]) == (2, 2)


def test_n6_what_was_never_had_cannot_be_parted_with():
    game, blade, _, _ = armed()
    game.does(PartWithItem(game.vooruk, blade))
    found = game.without(int(blade)).then.told(character(game.vooruk))
    assert found.adrift and not found.state.possessions


# --- T1: no consent to a price named later ---------------------------------------------------------------------------


def test_t1_a_game_masters_declaration_does_not_consent_to_a_price_named_later():
    game, trader = shop()
    do = Purchase(trader, "a lamp", "nuin", social=6, faces=(1, 1, 1))
    assert game.asks(do, by="gm").seat == "p"
    question = game.asks(do, Sacrifice(1), by="gm")
    assert isinstance(question, Ask) and (question.seat, question.slot) == ("gm", "price:nuin")
    assert not of_kind(game.does(do, Sacrifice(1), NoDeal(), by="gm"), ItemAcquired)
    assert game.credit(trader, "nuin") == 4
    assert of_kind(game.does(do, Sacrifice(1), Accept(), by="gm"), ItemAcquired)
    assert game.credit(trader, "nuin") == 3


def test_t1_a_claimed_agreement_without_a_price_does_not_consent_to_one():
    game, trader = shop()
    do = Purchase(trader, "a lamp", "nuin", seller=game.vooruk, faces=(1, 1, 1), agreed="He nodded.")
    question = game.asks(do, Sacrifice(3), by="gm")
    assert isinstance(question, Ask) and (question.seat, question.slot) == ("q", "price:nuin")


def test_t1_the_player_of_both_sides_is_asked_once_the_price_is_known():
    game, trader = shop()
    own = game.enrol("Own", TRADER, "p")
    do = Purchase(trader, "a lamp", "nuin", seller=own, faces=(1, 1, 1))
    question = game.asks(do, SpeakFor(True, "Away.", 3), by="p")
    assert isinstance(question, Ask) and (question.seat, question.slot) == ("p", "price:nuin")
