"""Each condition of the offers of Moment of Clarity: the offer is there if it holds, and missing if not."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Amend, OpenScene, SetDial
from ledger.rules.kernel.offers import list_offers
from ledger.rules.kernel.seen import Seen
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.beads import AllocateBeads, AnnounceScene, UseSessionBead
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import ExchangeCard, ShiftBeads
from ledger.rules.moc.characters import InheritChips, Sacrifice, SetStatus, Sheet
from ledger.rules.moc.chips import ExchangeChip, GiveBack, Penalise
from ledger.rules.moc.damage import ApplyHarm, RollDamage
from ledger.rules.moc.deciding import DetermineAction
from ledger.rules.moc.fate import AwardChip, CloseArc, EnlargePurse, Nominate, OpenArc, TallyNominations
from ledger.rules.moc.hands import DrawHand, DrawVillains
from ledger.rules.moc.hits import ScoreHit, SetLocation
from ledger.rules.moc.negotiating import ApproveTrait, CounterTrait, LoseBackground, ProposeTrait
from ledger.rules.moc.other_dice import PlayBeadsOnDice
from ledger.rules.moc.own_dice import UseBit, UsePeriodDice
from ledger.rules.moc.pools import GrantDice, SpendToken
from ledger.rules.moc.recovery import CompleteRecovery, DeclareRecovery, GrantRecovery, Heal, LoseAction, RecoverScene
from ledger.rules.moc.resisting import ResistDamage
from ledger.rules.moc.resolving import TellConsequence
from ledger.rules.moc.rolling import RollDice
from ledger.rules.moc.scenes import EndTurn
from ledger.rules.moc.shown import fix
from ledger.rules.moc.story import AmendStory, ChangeStory, Narrate, UseBeads, UseCard, VetoStory
from ledger.rules.moc.trading import ForceDiscard, ForceVortex, TradeCards
from ledger.rules.moc.trumps import Trump, TrumpByFiat
from ledger.rules.moc.turns import Move, RollInitiative
from tests.rules.moc.book import takes
from tests.rules.moc.game import Game, buys
from tests.rules.moc.test_agreed_effects import agreed
from tests.rules.moc.test_moves import moves, offers, seen


def start(**dials: Any) -> Game:
    """Return a session and a scene with everybody."""
    game = Game(**dials)
    game.session_begins()
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


def buy(game: Game, id: str, purchase: Any) -> None:
    game.gives(id, "point", 2400)
    game.does(Buy(id, purchase))


def draw(game: Game) -> None:
    game.does(DrawHand(game.hero, ("8C", "9C")), by="ann")
    game.does(DrawHand(game.enigma, ("8D", "9D")), by="bob")


def score(game: Game) -> str:
    return game.new(ScoreHit(game.hero, game.enigma, net=2, damage=2, lethality=3, location="torso"))


def wound(game: Game) -> str:
    hit = score(game)
    game.does(RollDamage(hit, faces=(6, 6), raise_faces=(1,)))
    return hit


# --- without a scene, a character, cards or chips ---------------------------------------------------------------------

IN_A_SCENE = (DeclareAction, ChangeStory, DrawVillains, EndTurn, RollInitiative, ScoreHit)


@pytest.mark.parametrize("kind", IN_A_SCENE)
def test_a_scene_is_needed(kind: type[Any]) -> None:
    game = Game()
    game.session_begins()
    game.gives(game.hero, "bead:storytelling", 2)
    assert not moves(game, "gm", kind)
    game.scene_begins(game.hero, game.enigma, game.villain)
    assert moves(game, "gm", kind)


@pytest.mark.parametrize("kind", [SetStatus, GrantRecovery, ApplyHarm, ProposeTrait, Sacrifice, Buy, DeclareRecovery])
def test_a_character_is_needed(kind: type[Any]) -> None:
    game = Game(begin=False)
    assert not moves(game, "gm", kind)
    assert moves(Game(), "gm", kind)


def test_the_dead_cannot_be_sacrificed_or_allocate_beads() -> None:
    game = Game()
    for id in (game.hero, game.enigma, game.villain):
        assert offers(game, "gm", Sacrifice(id, "for them")) and offers(game, "gm", AllocateBeads(id))
        game.does(SetStatus(id, "dead"))
        assert not offers(game, "gm", Sacrifice(id, "for them")) and not offers(game, "gm", AllocateBeads(id))
    for kind in (Sacrifice, AllocateBeads, AnnounceScene, DeclareRecovery, Move):
        assert not moves(game, "gm", kind), kind


@pytest.mark.parametrize("value", ["off", "on"])
def test_without_cards_none_are_offered(value: str) -> None:
    game = start(beads_only=value)
    game.sets(game.hero, "hand", ["8C", "9C"])
    game.sets(game.hero, "seen_by", [f"character:{game.hero}", "gm"])
    game.gives(game.hero, "card:hand", 2)
    buy(game, game.enigma, buys("vortex"))
    offered = {"ann": (DrawHand, ExchangeCard, UseCard), "gm": (DrawVillains, ForceVortex)}
    for by, kinds in offered.items():
        assert [bool(moves(game, by, kind)) for kind in kinds] == [value == "off"] * len(kinds)


@pytest.mark.parametrize("chips", ["on", "off"])
def test_without_chips_none_are_offered(chips: str) -> None:
    game = start(advanced_chips=chips)
    game.does(OpenArc("an arc", 9))
    game.gives(game.hero, "chip:red", 1)
    for kind in (ExchangeChip, AwardChip, Penalise):
        assert bool(moves(game, "gm", kind)) == (chips == "on"), kind


# --- cards ------------------------------------------------------------------------------------------------------------


def test_villains_draw_no_more_than_the_deck_holds() -> None:
    game = start()
    assert offers(game, "gm", DrawVillains(52)) and not offers(game, "gm", DrawVillains(53))
    deck = tuple(f"{rank}{suit}" for suit in "CDHS" for rank in (*range(2, 11), *"JQKA"))
    game.does(DrawVillains(52, deck))
    assert not moves(game, "gm", DrawVillains) and not moves(game, "gm", DrawHand)
    assert game.refuses(DrawVillains(1)) == "deck-empty"


def test_a_hand_is_drawn_once() -> None:
    game = start()
    assert offers(game, "ann", DrawHand(game.hero)) and not offers(game, "gm", DrawHand(game.villain))
    draw(game)
    assert not moves(game, "ann", DrawHand)


@pytest.mark.parametrize(("begun", "offered"), [((), True), ((DrawHand,), False), ((DeclareAction,), True)])
def test_nobody_draws_while_another_player_has_to_choose(begun: tuple[type[Any], ...], offered: bool) -> None:
    game = start()
    waiting = Seen(game.ruleset, game.past, seen(game, "ann").viewer, begun=lambda: frozenset(begun))
    assert any(offer.move.do is DrawHand for offer in list_offers(game.ruleset, waiting)) == offered


@pytest.mark.parametrize("interval", [True, False])
def test_beads_are_shifted_between_scenes(interval: bool) -> None:
    game = Game()
    game.session_begins()
    draw(game)
    game.does(AllocateBeads(game.hero))
    if not interval:
        game.scene_begins(game.hero)
    do = ShiftBeads(game.hero, "8C", "action", "plot", 1)
    assert offers(game, "ann", do) == interval
    assert interval or game.refuses(do) == "not-in-interval"


def test_a_vortex_is_used_once_against_somebody_who_holds_cards() -> None:
    game = start()
    buy(game, game.enigma, buys("vortex"))
    force = ForceVortex(game.enigma, game.hero)
    assert not moves(game, "bob", ForceVortex), "nobody holds cards"
    draw(game)
    assert offers(game, "bob", force) and not moves(game, "ann", ForceVortex)
    assert not offers(game, "bob", ForceVortex(game.enigma, game.enigma))
    assert not offers(game, "bob", ForceVortex(game.enigma, game.villain))
    game.sets(game.enigma, "used", {"vortex:session": 1})
    assert not moves(game, "bob", ForceVortex)


@pytest.mark.parametrize(("of", "target"), [("one", True), ("all", False)])
def test_a_forced_discard_names_one_or_all(of: str, target: bool) -> None:
    game = start()
    trait = agreed(game, game.enigma, "forced-discard", 1, of)
    one, everybody = ForceDiscard(game.enigma, trait, game.hero), ForceDiscard(game.enigma, trait)
    assert not moves(game, "bob", ForceDiscard), "nobody holds cards"
    draw(game)
    assert (offers(game, "bob", one), offers(game, "bob", everybody)) == (target, not target)


def test_a_trade_needs_the_advantage_and_a_card_on_both_sides() -> None:
    game = start()
    trait = game.new(ProposeTrait(game.hero, "sleight of hand", "", 1, allows="card-trade"))
    game.gives(game.hero, "point", 240)
    draw(game)
    assert not moves(game, "ann", TradeCards)
    game.does(ApproveTrait(game.hero, trait))
    assert offers(game, "ann", TradeCards(game.hero, game.enigma)) and not moves(game, "bob", TradeCards)
    assert not offers(game, "ann", TradeCards(game.hero, game.hero))
    assert not offers(game, "ann", TradeCards(game.hero, game.villain))
    game.does(ExchangeCard(game.enigma, "8D"))
    game.does(ExchangeCard(game.enigma, "9D"))
    assert not moves(game, "ann", TradeCards), "nobody is left to trade with"


def test_a_trade_needs_a_card_of_the_own() -> None:
    game = start()
    trait = game.new(ProposeTrait(game.hero, "sleight of hand", "", 1, allows="card-trade"))
    game.gives(game.hero, "point", 240)
    game.does(ApproveTrait(game.hero, trait))
    game.does(DrawHand(game.enigma, ("8D", "9D")), by="bob")
    assert not moves(game, "ann", TradeCards)


@pytest.mark.parametrize("trumps", ["on", "off"])
def test_trumps_are_an_option(trumps: str) -> None:
    game = start(advanced_trump=trumps)
    draw(game)
    game.acts(game.enigma)
    assert bool(moves(game, "ann", Trump)) == (trumps == "on")
    assert moves(game, "gm", TrumpByFiat)


# --- actions ----------------------------------------------------------------------------------------------------------


def test_who_is_gone_rolls_nothing_and_spends_nothing() -> None:
    game = start()
    buy(game, game.hero, buys("bits", "locks", 3))
    action = game.acts(game.hero)
    kinds = (RollDice, SpendToken, UseBit, DetermineAction)
    does = (RollDice(action), SpendToken(action, "S", named=True), UseBit(action))
    assert all(offers(game, "gm", do) for do in does), [offers(game, "gm", do) for do in does]
    game.does(SetStatus(game.hero, "dead"))
    assert not any(offers(game, "gm", do) for do in does)
    assert {game.refuses(do) for do in does} == {"character-gone"}
    assert not any(moves(game, "ann", kind) for kind in kinds)


def test_an_action_is_rolled_once_and_not_where_beads_decide() -> None:
    game = start()
    rolled, decided = game.acts(game.hero), game.acts(game.enigma)
    game.gives(game.enigma, "bead:action", 1)
    assert offers(game, "gm", RollDice(rolled)) and offers(game, "gm", RollDice(decided))
    game.rolls(rolled, 7, 8, 9, 3, 4)
    game.does(DetermineAction(decided, game.enigma, "It works.", "action", approved=True))
    assert not moves(game, "gm", RollDice)
    assert game.refuses(RollDice(decided)) == "already-rolled"


def test_before_the_roll_only_dice_and_tokens_are_added() -> None:
    game = start()
    buy(game, game.hero, buys("bits", "locks", 3))
    action = game.acts(game.hero)
    before = (SpendToken(action, "S", named=True), UseBit(action), GrantDice(action, 1, "for the story"))
    assert all(offers(game, "gm", do) for do in before)
    game.rolls(action, 7, 8, 9, 3, 4)
    assert not any(offers(game, "gm", do) for do in before)
    assert {game.refuses(do) for do in before} == {"already-rolled"}
    assert not any(moves(game, "gm", type(do)) for do in before)


def test_a_consequence_needs_an_action() -> None:
    game = start()
    assert not moves(game, "gm", TellConsequence)
    game.acts(game.hero)
    assert moves(game, "gm", TellConsequence)


def test_floating_dice_are_for_who_is_in_the_scene_and_has_some() -> None:
    game = start()
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    do = {id: UsePeriodDice("", "floating-dice:scene", 1, whose=id) for id in (game.hero, game.enigma, anna)}
    buy(game, game.hero, buys("floating-dice", level=1, period="scene"))
    buy(game, anna, buys("floating-dice", level=1, period="scene"))
    assert [offers(game, "gm", one) for one in do.values()] == [True, False, False]
    assert not offers(game, "gm", UsePeriodDice("", "floating-dice:scene", 2, whose=game.hero))
    game.does(SetStatus(game.hero, "dead"))
    assert not moves(game, "gm", UsePeriodDice)


# --- beads on other dice ----------------------------------------------------------------------------------------------


@pytest.fixture
def thrown() -> Game:
    """Initiative was rolled. Harry and Rissh have beads of three Elements."""
    game = start()
    for id in (game.hero, game.enigma):
        for element in ("action", "plot", "storytelling"):
            game.gives(id, f"bead:{element}", 2)
    assert not moves(game, "ann", PlayBeadsOnDice), "nothing was rolled"
    faces = {game.hero: (3,) * 8, game.enigma: (3,) * 3, game.villain: (3,) * 5}
    game.does(RollInitiative(faces))
    return game


@pytest.mark.parametrize("gate", ["strict", "open"])
def test_beads_on_dice_are_of_its_element(thrown: Game, gate: str) -> None:
    game, id = thrown, thrown.hero
    game.does(SetDial("bead_element_gate", gate, "for the test"))
    for element, n, there in (("", 2, True), ("action", 2, True), ("plot", 1, gate == "open")):
        do = PlayBeadsOnDice(id, "initiative", number=n, element=element)
        assert offers(game, "ann", do) == there, element
        if not there:
            assert game.refuses(do) == "wrong-element"


def test_a_storytelling_bead_changes_the_dice_of_others_only(thrown: Game) -> None:
    game = thrown
    for fewer in (False, True):
        do = PlayBeadsOnDice(game.hero, "initiative", whose=game.enigma, element="storytelling", fewer=fewer)
        assert offers(game, "ann", do)
        assert not offers(game, "ann", PlayBeadsOnDice(game.hero, "initiative", element="storytelling", fewer=fewer))
        assert not offers(game, "ann", PlayBeadsOnDice(game.hero, "initiative", whose=game.enigma, fewer=True))


def test_beads_on_dice_name_the_roller_only_of_initiative_and_healing(thrown: Game) -> None:
    game = thrown
    assert offers(game, "ann", PlayBeadsOnDice(game.hero, "initiative", whose=game.hero))
    assert offers(game, "ann", PlayBeadsOnDice(game.hero, "initiative", whose=game.enigma))
    assert offers(game, "bob", PlayBeadsOnDice(game.enigma, "initiative"))
    hit = wound(game)
    assert offers(game, "bob", PlayBeadsOnDice(game.enigma, "damage", hit, element="storytelling"))
    assert not any(
        "whose" in move.fields for move in moves(game, "bob", PlayBeadsOnDice) if move.fields["hit"] == fix(hit)
    )


def test_initiative_is_rolled_by_who_is_in_play_and_counts_actions() -> None:
    game = start()
    for id in (game.hero, game.enigma):
        assert offers(game, "gm", RollInitiative(involved=(id,)))
    game.does(SetStatus(game.enigma, "dead"))
    assert not offers(game, "gm", RollInitiative(involved=(game.enigma,)))
    game.does(RollInitiative({game.hero: (3,) * 8, game.villain: (3,) * 5}))
    assert offers(game, "ann", Move(game.hero))
    game.acts(game.hero)
    assert not offers(game, "ann", Move(game.hero)) and game.refuses(Move(game.hero)) == "no-action-left"


# --- harm -------------------------------------------------------------------------------------------------------------


def test_damage_is_rolled_once_and_resisted_after_it() -> None:
    game = start()
    hit = score(game)
    assert offers(game, "gm", RollDamage(hit)) and offers(game, "gm", SetLocation(hit, "torso"))
    assert not moves(game, "gm", ResistDamage)
    game.does(RollDamage(hit, faces=(6, 6), raise_faces=(1,)))
    assert not moves(game, "gm", RollDamage) and not moves(game, "gm", SetLocation)
    assert offers(game, "bob", ResistDamage(hit))
    game.does(ResistDamage(hit, (2, 3)))
    assert not moves(game, "gm", ResistDamage)


def test_who_is_gone_does_not_resist() -> None:
    game = start()
    hit = wound(game)
    game.does(SetStatus(game.enigma, "dead"))
    assert not moves(game, "gm", ResistDamage) and not moves(game, "bob", ResistDamage)
    assert game.refuses(ResistDamage(hit)) == "character-gone"


def test_damage_of_somebody_whose_enrolment_was_overturned_is_not_offered() -> None:
    game = start()
    joined = game.number
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    hit = game.new(ScoreHit(anna, game.enigma, net=2, damage=2, lethality=3, location="torso"))
    assert offers(game, "gm", RollDamage(hit))
    game.past = game.without(joined).then
    assert not moves(game, "gm", RollDamage)


def test_hits_by_their_numbers_are_the_game_masters() -> None:
    game = start()
    do = ScoreHit(game.hero, game.enigma, net=2, damage=2, lethality=3)
    assert offers(game, "gm", do) and not moves(game, "ann", ScoreHit)
    for id in (game.hero, game.enigma, game.villain):
        game.does(SetStatus(id, "dead"))
    assert not moves(game, "gm", ScoreHit)


def test_healing_needs_damage_and_luck_a_token() -> None:
    game = start()
    assert not moves(game, "bob", Heal)
    game.sets(game.enigma, "damage", 3)
    plain, lucky = Heal(game.enigma, 99), Heal(game.enigma, 99, "spirit")
    assert not any("cards" in move.fields for move in moves(game, "bob", Heal))
    draw(game)
    assert any("cards" in move.fields for move in moves(game, "bob", Heal))
    assert offers(game, "bob", plain) and offers(game, "bob", lucky)
    assert not offers(game, "bob", Heal(game.enigma, 1))
    assert game.refuses(Heal(game.enigma, 1)) == "healing-period-not-over"
    takes(game, game.enigma, "token:spirit", game.tokens(game.enigma)[2])
    assert offers(game, "bob", plain) and not offers(game, "bob", lucky)
    game.does(SetStatus(game.enigma, "dead"))
    assert not moves(game, "gm", Heal)


def test_only_the_dazed_lose_an_action() -> None:
    game = start()
    assert not moves(game, "gm", LoseAction) and offers(game, "ann", Move(game.hero))
    game.sets(game.hero, "dazed", True)
    assert offers(game, "ann", LoseAction(game.hero)) and not offers(game, "gm", LoseAction(game.enigma))
    assert not offers(game, "ann", Move(game.hero)) and offers(game, "bob", Move(game.enigma))


# --- recovery ---------------------------------------------------------------------------------------------------------


def test_a_step_is_due_and_gives_a_token_only_to_the_rested() -> None:
    game = Game()
    game.sets(game.hero, "due", 1)
    assert not moves(game, "gm", RecoverScene), "nothing can come back"
    takes(game, game.hero, "token:body", 1)
    game.sets(game.hero, "due", 0)
    assert not moves(game, "gm", RecoverScene), "no step is due"
    game.sets(game.hero, "due", 1)
    assert offers(game, "ann", RecoverScene(game.hero, "body"))
    assert not offers(game, "ann", RecoverScene(game.hero, "mind")) and not offers(game, "ann", RecoverScene(game.hero))
    game.sets(game.hero, "fatigue", 1)
    for primary in (None, "body", "mind", "spirit"):
        assert offers(game, "ann", RecoverScene(game.hero, primary))


@pytest.mark.parametrize("restores", [True, False])
def test_a_rest_ends_a_turn_later(restores: bool) -> None:
    game = start(action_recovery_also_restores=restores)
    rest, end = DeclareRecovery(game.hero), CompleteRecovery(game.hero)
    assert offers(game, "ann", rest) and not moves(game, "ann", CompleteRecovery)
    game.does(rest)
    assert not moves(game, "ann", DeclareRecovery) and not moves(game, "ann", CompleteRecovery)
    game.does(EndTurn())
    assert offers(game, "ann", end)
    assert offers(game, "ann", CompleteRecovery(game.hero, "body")) != restores, "the pool is full"
    game.sets(game.hero, "fatigue", 1)
    assert offers(game, "ann", CompleteRecovery(game.hero, "body"))


# --- sessions, scenes, story ------------------------------------------------------------------------------------------


def test_a_turn_ends_while_the_scene_runs() -> None:
    game = start()
    assert offers(game, "gm", EndTurn())
    game.declare(Amend(f"scene:{game.place}", "phase", "ended", "for the test"))
    assert not moves(game, "gm", EndTurn) and game.refuses(EndTurn()) == "no-scene"


def test_a_scene_begins_while_none_runs() -> None:
    game = Game()
    assert moves(game, "gm", OpenScene)
    game.scene_begins(game.hero)
    assert not moves(game, "gm", OpenScene)


def test_people_narrate_of_their_own_and_revise_what_stands() -> None:
    game = start()
    assert not moves(game, "gm", VetoStory) and not moves(game, "gm", AmendStory)
    assert offers(game, "ann", Narrate("Rain.", game.hero)) and not offers(game, "ann", Narrate("Rain.", game.enigma))
    told = game.new(Narrate("Rain."))
    assert offers(game, "gm", VetoStory(told, "no")) and offers(game, "gm", AmendStory(told, "Snow."))
    game.does(VetoStory(told, "no"))
    assert not moves(game, "gm", VetoStory) and not moves(game, "gm", AmendStory)


def test_beads_outside_an_action_are_of_the_primary_element_if_none_is_named() -> None:
    game = Game()
    for element, n in (("action", 1), ("plot", 3)):
        game.gives(game.hero, f"bead:{element}", n)
    for element, n, there in (("", 1, True), ("action", 1, True), ("plot", 3, True), ("", 3, False)):
        do = UseBeads(game.hero, "A door opens.", element, n, approved=True)
        assert offers(game, "ann", do) == there, (element, n)


def test_beads_are_announced_until_everybody_has_allocated() -> None:
    game = Game()
    assert offers(game, "gm", AnnounceScene((game.hero,)))
    for id in (game.hero, game.enigma, game.villain):
        game.does(AllocateBeads(id))
        assert not offers(game, "gm", AnnounceScene((id,))) and not offers(game, "gm", AllocateBeads(id))
    assert not moves(game, "gm", AnnounceScene)


def test_a_wildcard_with_a_bought_bead_cannot_allocate() -> None:
    game = Game()
    kestrel = game.enrol("Kestrel", Sheet("wildcard"), "cleo")
    assert offers(game, "cleo", AllocateBeads(kestrel, {"plot": 1}))
    buy(game, kestrel, buys("extra-bead-scene"))
    assert not moves(game, "cleo", AllocateBeads)


def test_the_extra_bead_of_a_session_is_taken_once() -> None:
    game = Game()
    do = UseSessionBead(game.hero, "plot")
    assert not moves(game, "ann", UseSessionBead)
    buy(game, game.hero, buys("extra-bead-session"))
    assert offers(game, "ann", do)
    game.does(do)
    assert not moves(game, "ann", UseSessionBead)


# --- fate -------------------------------------------------------------------------------------------------------------


def test_an_arc_is_opened_and_closed_in_turn() -> None:
    game = Game()
    within = (CloseArc, EnlargePurse)
    assert moves(game, "gm", OpenArc) and not any(moves(game, "gm", kind) for kind in within)
    game.does(OpenArc("an arc", 9))
    assert not moves(game, "gm", OpenArc) and all(moves(game, "gm", kind) for kind in within)


def test_chips_are_taken_and_given_back_where_there_are_some() -> None:
    game = Game()
    assert not moves(game, "gm", Penalise) and not moves(game, "gm", GiveBack)
    game.gives(game.hero, "chip:red", 1)
    assert offers(game, "gm", Penalise(game.hero, "selfish", {"red": 1}))
    assert not offers(game, "gm", Penalise(game.hero, "selfish")), "the usual penalty is a white chip"
    assert offers(game, "ann", GiveBack(game.hero, {"red": 1}))
    assert not offers(game, "gm", GiveBack(game.enigma, {"red": 1}))
    game.gives(game.hero, "chip:white", 1)
    assert offers(game, "gm", Penalise(game.hero, "selfish"))


@pytest.mark.parametrize("deciders", ["gm", "all_players"])
def test_a_seat_nominates_the_characters_of_others(deciders: str) -> None:
    game = start(deciders=deciders)
    assert offers(game, "gm", Nominate("bob", game.hero)) and not offers(game, "ann", Nominate("bob", game.hero))
    assert not offers(game, "ann", Nominate("ann", game.hero)) and not moves(game, "dora", Nominate)
    for id in (game.hero, game.enigma):
        game.does(Nominate("cleo", id), by="cleo")
    assert not moves(game, "cleo", Nominate)


def test_nominations_are_counted_once() -> None:
    game = start(arc_purse_enforced=False)
    assert moves(game, "gm", TallyNominations)
    game.does(TallyNominations())
    assert not moves(game, "gm", TallyNominations)


@pytest.mark.parametrize(("how", "bonus"), [("dead", False), ("sacrificed", True)])
def test_an_heir_gets_chips_and_for_a_sacrifice_a_bonus(how: str, bonus: bool) -> None:
    game = Game()
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    game.gives(game.hero, "chip:white", 1)
    usual, more = InheritChips(anna, game.hero), InheritChips(anna, game.hero, {"red": 1})
    assert not moves(game, "gm", InheritChips), "nobody is gone"
    game.does(SetStatus(game.hero, "dead") if how == "dead" else Sacrifice(game.hero, "for them"))
    assert offers(game, "gm", usual) and offers(game, "gm", more) == bonus
    assert not offers(game, "gm", InheritChips(game.enigma, game.hero, {"red": 1} if bonus else {}))
    game.does(more if bonus else usual)
    assert not moves(game, "gm", InheritChips), "chips are inherited once"


def test_a_bonus_without_chips_is_offered_alone() -> None:
    game = Game()
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    game.does(Sacrifice(game.hero, "for them"))
    assert offers(game, "gm", InheritChips(anna, game.hero, {"red": 1}))
    assert not offers(game, "gm", InheritChips(anna, game.hero))
    assert game.refuses(InheritChips(anna, game.hero)) == "chips-not-held"


# --- traits -----------------------------------------------------------------------------------------------------------


def test_a_trait_is_approved_if_it_can_be_paid_and_settled_once() -> None:
    game = Game()
    assert not moves(game, "gm", CounterTrait) and not moves(game, "gm", ApproveTrait)
    trait = game.new(ProposeTrait(game.hero, "a gift", "as agreed", 3))
    takes(game, game.hero, "point", game.points(game.hero) - 359)
    approve = ApproveTrait(game.hero, trait)
    assert not moves(game, "gm", ApproveTrait) and game.refuses(approve) == "over-budget"
    assert moves(game, "gm", CounterTrait)
    game.gives(game.hero, "point", 1)
    assert offers(game, "gm", approve)
    game.does(approve)
    assert not moves(game, "gm", ApproveTrait) and not moves(game, "gm", CounterTrait)


def test_backgrounds_are_lost_and_advantages_are_not() -> None:
    game = Game()
    assert not moves(game, "gm", LoseBackground)
    buy(game, game.hero, buys("swiftness"))
    assert not moves(game, "gm", LoseBackground)
    buy(game, game.hero, buys("money"))
    assert offers(game, "gm", LoseBackground(game.hero, "money"))
    assert not offers(game, "gm", LoseBackground(game.hero, "swiftness"))
