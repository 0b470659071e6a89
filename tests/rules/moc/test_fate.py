"""Fate: the arc's purse, penalties, nominations, what is inherited; and villains: the rulebook's answer comes last."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol, Retire
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character, seat
from ledger.rules.moc import inputs, inputs_of_modifiers, inputs_of_play
from ledger.rules.moc.sheet import Sheet
from tests.rules.moc.book import answers, cites, refusing_rule
from tests.rules.moc.game import Game, buys, facts_of, kinds_of, the


def named(game: Game, name: str) -> str:
    return str(getattr(game, name, name))


# --- moc.fate.purse ---


@pytest.mark.parametrize(
    ("xp", "chips", "enlarge", "outcome"),
    [
        (5, {"blue": 1}, False, "0 left"), (4, {"blue": 1}, False, "purse-empty"), (6, {"blue": 1}, False, "1 left"),
        (3, {"red": 1}, False, "0 left"), (2, {"red": 1}, False, "purse-empty"), (1, {"white": 1}, False, "0 left"),
        (0, {"white": 1}, False, "purse-empty"), (9, {"white": 1, "red": 1, "blue": 1}, False, "0 left"),
        (8, {"white": 1, "red": 1, "blue": 1}, False, "purse-empty"), (2, {"red": 1}, True, "0 left"),
        (0, {"blue": 2}, True, "0 left"), (9, {"red": 1}, True, "6 left"), (9, {}, False, "nothing-declared"),
        (9, {"white": 0}, False, "nothing-declared"), (9, {"white": -1}, False, "negative-chips"),
        (9, {"gold": 1}, False, "unknown-chip"),
    ],
)  # fmt: skip
def test_awards_are_paid_at_their_value(xp: int, chips: dict[str, int], enlarge: bool, outcome: str) -> None:
    game = Game()
    game.does(inputs.OpenArc("an arc", xp))
    purse = f"campaign/xp:{game.state(CAMPAIGN).arc}"
    code = answers(game, inputs_of_modifiers.AwardChip(game.hero, chips, "well done", enlarge))
    assert (code or f"{game.balance(purse)} left") == outcome
    assert game.chips(game.hero) == ({} if code else chips)
    assert game.balance(purse) == (xp if code else int(outcome.split()[0]))


@pytest.mark.parametrize(("enforced", "code"), [(True, "purse-empty"), (False, "")])
def test_without_an_arc_there_is_no_purse(enforced: bool, code: str) -> None:
    game = Game(arc_purse_enforced=enforced)
    for enlarge in (False, True):
        assert answers(game, inputs_of_modifiers.AwardChip(game.hero, {"white": 1}, "", enlarge)) == code
    assert game.chips(game.hero) == ({} if code else {"white": 2})


@pytest.mark.parametrize(("xp", "code"), [(1, ""), (0, "value-not-positive"), (-1, "value-not-positive")])
def test_a_purse_is_enlarged_by_something(xp: int, code: str) -> None:
    game = Game()
    assert answers(game, inputs.EnlargePurse(max(1, xp))) == "no-arc"
    game.does(inputs.OpenArc("an arc", 1))
    assert answers(game, inputs.EnlargePurse(xp)) == code
    assert game.balance(f"campaign/xp:{game.state(CAMPAIGN).arc}") == 1 + (code == "")


def test_a_chip_for_a_play_cancelled_is_outside_the_purse() -> None:
    """moc.trump.fiat, moc.fate.purse: and what was played goes back."""
    game = Game()
    game.does(inputs.OpenArc("an arc", 1))
    game.scene_begins(game.hero, game.enigma)
    action = game.acts(game.hero)
    before = game.beads(game.hero)
    for colour in ("blue", "red", "white", None):
        play = game.new(inputs_of_play.PlayBeads(action, game.hero, "add_dice"))
        assert answers(game, inputs_of_play.TrumpByFiat(action, play, colour)) == ""
    assert game.chips(game.hero) == {"white": 1, "red": 1, "blue": 1} and game.beads(game.hero) == before
    assert game.balance(f"campaign/xp:{game.state(CAMPAIGN).arc}") == 1


# --- moc.fate.penalty ---


@pytest.mark.parametrize(
    ("held", "taken", "outcome"),
    [
        ({"white": 1}, None, {}), ({"white": 2}, None, {"white": 1}), ({}, None, "chips-not-held"),
        ({"red": 1}, None, "chips-not-held"), ({"red": 1, "white": 1}, {"red": 1}, {"white": 1}),
        ({"white": 1}, {"white": 2}, "chips-not-held"), ({"white": 1}, {"white": 1, "blue": 1}, "chips-not-held"),
        ({"blue": 2}, {"blue": 2}, {}), ({"white": 1}, {}, "empty-penalty"), ({"white": 1}, {"red": 0}, "empty-penalty"),
        ({"white": 1}, {"white": -1}, "negative-chips"), ({"white": 1}, {"gold": 1}, "unknown-chip"),
    ],
)  # fmt: skip
def test_no_debts(held: dict[str, int], taken: dict[str, int] | None, outcome: Any) -> None:
    game = Game()
    for colour, n in held.items():
        game.gives(game.hero, f"chip:{colour}", n)
    do = inputs_of_modifiers.Penalise(game.hero, "selfish", taken)
    code = answers(game, do)
    assert (code or game.chips(game.hero)) == outcome
    if code in ("chips-not-held", "empty-penalty"):
        assert refusing_rule(game, do) == "moc.fate.penalty" and game.chips(game.hero) == held


# --- moc.fate.nominate ---


@pytest.mark.parametrize(
    ("by", "seat_id", "nominee", "code"),
    [
        ("ann", "ann", "enigma", ""), ("gm", "ann", "enigma", ""), ("ann", "ann", "hero", "no-self-nomination"),
        ("bob", "bob", "enigma", "no-self-nomination"), ("bob", "bob", "hero", ""), ("cleo", "cleo", "hero", ""),
        ("ann", "bob", "hero", "not-own-nomination"), ("gm", "gm", "hero", "not-a-player"),
        ("dora", "dora", "hero", "not-a-player"), ("ann", "ann", "villain", "not-a-players-character"),
        ("ann", "ann", "99", "unknown-character"), ("gm", "nobody", "hero", "unknown-seat"),
    ],
)  # fmt: skip
def test_players_nominate_characters_of_others(by: str, seat_id: str, nominee: str, code: str) -> None:
    game = Game()
    do = inputs_of_modifiers.Nominate(seat_id, named(game, nominee))
    assert answers(game, do, by=by) == code
    if not code:
        assert answers(game, do, by=by) == "already-nominated" and refusing_rule(game, do) == "moc.fate.nominate"


@pytest.mark.parametrize(
    ("quorum", "votes", "winners"),
    [
        (2, "", ""), (2, "ann>enigma", ""), (2, "ann>enigma cleo>enigma", "enigma"),
        (2, "ann>enigma bob>hero", ""), (2, "ann>enigma bob>hero cleo>enigma cleo>hero", "enigma hero"),
        (1, "ann>enigma", "enigma"), (1, "ann>enigma bob>hero", "enigma hero"), (3, "ann>enigma cleo>enigma", ""),
        (3, "bob>hero cleo>hero", ""), (2, "bob>hero cleo>hero", "hero"),
    ],
)  # fmt: skip
def test_one_chip_however_many_named_it(quorum: int, votes: str, winners: str) -> None:
    game = Game(nomination_quorum=quorum)
    game.does(inputs.OpenArc("an arc", 9))
    game.session_ends(game.session_begins())
    for vote in votes.split():
        who, _, whom = vote.partition(">")
        game.does(inputs_of_modifiers.Nominate(who, named(game, whom)), by=who)
    done = game.does(inputs_of_modifiers.TallyNominations())
    chosen = {named(game, one) for one in winners.split()}
    assert set(the(done, "NominationsTallied").winners) == chosen
    for one in ("hero", "enigma"):
        assert game.chips(named(game, one)) == ({"white": 1} if named(game, one) in chosen else {})
    assert game.balance(f"campaign/xp:{game.state(CAMPAIGN).arc}") == 9 - len(chosen), "paid from the purse"
    assert answers(game, inputs_of_modifiers.TallyNominations()) == "already-tallied"


@pytest.mark.parametrize(
    ("dial", "said", "xp", "enlarge", "outcome"),
    [
        ("white", None, 1, False, {"white": 1}), ("red", None, 3, False, {"red": 1}), ("red", None, 2, False, "purse-empty"),
        ("white", "blue", 5, False, {"blue": 1}), ("white", "blue", 4, False, "purse-empty"),
        ("white", "blue", 4, True, {"blue": 1}), ("red", "white", 1, False, {"white": 1}),
        ("white", "gold", 9, False, "unknown-chip"), ("white", None, 0, False, "purse-empty"),
    ],
)  # fmt: skip
def test_the_colour_is_the_game_masters(dial: str, said: str | None, xp: int, enlarge: bool, outcome: Any) -> None:
    game = Game(nomination_chip=dial)
    game.does(inputs.OpenArc("an arc", xp))
    for who in ("ann", "cleo"):
        game.does(inputs_of_modifiers.Nominate(who, game.enigma), by=who)
    code = answers(game, inputs_of_modifiers.TallyNominations(said, enlarge))
    assert (code or game.chips(game.enigma)) == outcome


def test_a_new_session_begins_with_no_nominations() -> None:
    game = Game(arc_purse_enforced=False)
    for _ in range(2):
        session = game.session_begins()
        game.session_ends(session)
        game.does(inputs_of_modifiers.Nominate("ann", game.enigma), by="ann")
        done = game.does(inputs_of_modifiers.TallyNominations())
        assert the(done, "NominationsTallied").winners == (), "one vote each session is never two"


@pytest.mark.parametrize(
    ("viewer", "shown"), [("ann", True), ("gm", True), ("bob", False), ("cleo", False), ("dora", False)]
)
def test_who_named_whom_is_never_shown_to_players(viewer: str, shown: bool) -> None:
    game = Game(arc_purse_enforced=False)
    for who in ("ann", "cleo"):
        game.does(inputs_of_modifiers.Nominate(who, game.enigma), by=who)
    first = game.verdicts[-2]
    assert first.audience == ("gm", "ann") and {one.audience for one in first.facts} == {("gm", "ann")}
    assert len(first.facts) == 1, "of one size, whatever it says"
    assert bool(game.view(seat("ann"), viewer).get("named")) is shown
    told = game.does(inputs_of_modifiers.TallyNominations())
    assert "ann" not in str(facts_of(told)) and "cleo" not in str(facts_of(told))


@pytest.mark.parametrize("code", ["no-self-nomination", "already-nominated", "not-a-players-character"])
def test_what_is_refused_is_told_to_who_named_alone(code: str) -> None:
    game = Game()
    game.does(inputs_of_modifiers.Nominate("ann", game.enigma), by="ann")
    whom = {"no-self-nomination": game.hero, "already-nominated": game.enigma}.get(code, game.villain)
    with pytest.raises(Refused) as refused:
        game.begin(inputs_of_modifiers.Nominate("ann", whom), "ann")
    assert (refused.value.code, refused.value.audience) == (code, ("gm", "ann"))


# --- moc.fate.inherit ---


@pytest.mark.parametrize(
    ("how", "bonus", "outcome"),
    [
        ("sacrificed", {}, {"white": 1, "blue": 2}), ("sacrificed", {"red": 2}, {"white": 1, "red": 2, "blue": 2}),
        ("sacrificed", {"white": -1}, "negative-chips"), ("sacrificed", {"gold": 1}, "unknown-chip"),
        ("dead", {}, {"white": 1, "blue": 2}), ("dead", {"white": 1}, "bonus-needs-sacrifice"),
        ("dead", {"white": 0}, {"white": 1, "blue": 2}), ("retired", {"white": 1}, "bonus-needs-sacrifice"),
        ("retired", {}, {"white": 1, "blue": 2}), ("active", {}, "still-in-play"),
        ("active", {"white": 1}, "bonus-needs-sacrifice"), ("down", {}, "still-in-play"),
    ],
)  # fmt: skip
def test_all_its_chips_go_to_the_players_next_character(how: str, bonus: dict[str, int], outcome: Any) -> None:
    game = Game()
    game.gives(game.hero, "chip:white", 1)
    game.gives(game.hero, "chip:blue", 2)
    goes = {"sacrificed": inputs.Sacrifice(game.hero, "for them"), "retired": Retire(game.hero, "tired")}
    game.does(goes.get(how, inputs.SetStatus(game.hero, how)))
    assert game.chips(game.hero) == ({} if how in ("dead", "retired") else {"white": 1, "blue": 2})
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    do = inputs.InheritChips(anna, game.hero, bonus)
    code = answers(game, do)
    assert (code or game.chips(anna)) == outcome
    if not code:
        assert game.chips(game.hero) == {} and answers(game, inputs.InheritChips(anna, game.hero)) == "chips-not-held"
    elif code in ("bonus-needs-sacrifice", "still-in-play"):
        assert refusing_rule(game, do) == "moc.fate.inherit"


@pytest.mark.parametrize(
    ("heir", "source", "code"),
    [("enigma", "hero", "not-the-heir"), ("villain", "hero", "not-the-heir"), ("hero", "hero", "not-the-heir"),
     ("anna", "hero", ""), ("anna", "enigma", "not-the-heir"), ("99", "hero", "unknown-character")],
)  # fmt: skip
def test_whose_heir(heir: str, source: str, code: str) -> None:
    game = Game()
    game.gives(game.hero, "chip:red", 1)
    game.does(inputs.Sacrifice(game.hero, "for them"))
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    id = anna if heir == "anna" else named(game, heir)
    assert answers(game, inputs.InheritChips(id, named(game, source))) == code


# --- villains ---


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("an award", "not-a-players-character"),
        ("a hand", "villains-share-cards"),
        ("a purchase", ""),
        ("a nomination", "not-a-players-character"),
        ("beads", ""),
        ("a penalty", "chips-not-held"),
        ("a card trade", "advantage-needed"),
    ],
)
def test_villains_are_the_game_masters(what: str, code: str) -> None:
    """Characters like others, but for chips, which are held by players, and for cards, which they share."""
    game = Game()
    game.does(inputs.OpenArc("an arc", 9))
    game.session_begins()
    does = {
        "an award": inputs_of_modifiers.AwardChip(game.villain, {"white": 1}),
        "a hand": inputs_of_modifiers.DrawHand(game.villain, ("8C", "9C"), ("8C", "9C")),
        "a purchase": inputs.Buy(game.villain, buys("skill", "Dodge", 2)),
        "a nomination": inputs_of_modifiers.Nominate("ann", game.villain),
        "beads": inputs_of_modifiers.AllocateBeads(game.villain, {"storytelling": 1}),
        "a penalty": inputs_of_modifiers.Penalise(game.villain, "selfish"),
        "a card trade": inputs_of_modifiers.TradeCards(game.villain, game.hero),
    }
    assert answers(game, does[what]) == code


def test_a_villain_has_beads_tokens_and_a_body_of_its_own() -> None:
    game = Game()
    grun = game.enrol("Grun", Sheet("wildcard", {"body": 3, "T": 2, "L": 2}, villain=True), "gm")
    game.scene_begins(game.hero, grun)
    assert game.beads(grun) == {"action": 2, "storytelling": 1, "plot": 1, "drama": 1} and game.tokens(grun) == (
        3,
        1,
        1,
    )
    assert game.view(character(grun), "gm")["villain"] is True
    assert "VillainsDrew" not in [kind for verdict in game.verdicts for kind in kinds_of(verdict)]


# --- N15: who is gone ---


@pytest.mark.parametrize(
    ("status", "code"),
    [("active", ""), ("down", ""), ("dead", ""), ("retired", "unknown-status"), ("sacrificed", "unknown-status"),
     ("bored", "unknown-status")],
)  # fmt: skip
def test_which_states_a_game_master_sets(status: str, code: str) -> None:
    game = Game()
    done = answers(game, inputs.SetStatus(game.hero, status))
    assert done == code
    assert game.character(game.hero).status == ("active" if code else status)
    acts = answers(game, inputs_of_modifiers.AllocateBeads(game.hero))
    assert acts == ("character-gone" if status == "dead" else ""), "who is down is still in play"


def test_a_budget_of_points_is_not_given_to_who_is_gone() -> None:
    game = Game()
    game.gives(game.hero, "chip:blue", 1)
    game.does(inputs.OpenArc("an arc", 0))
    game.does(inputs.CloseArc())
    game.does(inputs.Sacrifice(game.hero, "for them"))
    do = inputs_of_modifiers.ChipToPoint(game.hero)
    assert answers(game, do) == "character-gone" and refusing_rule(game, do) == "moc.fate.inherit"
    done = game.does(Enrol("Anna", "ann", Sheet("hero")))
    anna = str(game.number - 1)
    game.does(inputs.InheritChips(anna, game.hero))
    assert answers(game, inputs_of_modifiers.ChipToPoint(anna)) == "" and cites(done, "moc.char.budget") != []
    assert game.points(anna) == 101 * 120
