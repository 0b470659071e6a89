"""Fate: the arc's purse, penalties, nominations, inheritance; and villains. The rulebook's answer comes last."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, seat
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.chips import Penalise
from ledger.rules.moc.fate import AwardChip, EnlargePurse, Nominate, OpenArc, TallyNominations
from ledger.rules.moc.trumps import TrumpByFiat
from tests.rules.moc.book import answers, refusing_rule
from tests.rules.moc.game import Game, facts_of, the


def named(game: Game, name: str) -> str:
    return str(getattr(game, name, name))


# --- moc.fate.purse ---


@pytest.mark.parametrize(
    ("xp", "chips", "enlarge", "outcome"),
    [
        (5, {"blue": 1}, False, "0 left"),
        (4, {"blue": 1}, False, "purse-empty"),
        (6, {"blue": 1}, False, "1 left"),
        (3, {"red": 1}, False, "0 left"),
        (2, {"red": 1}, False, "purse-empty"),
        (1, {"white": 1}, False, "0 left"),
        (0, {"white": 1}, False, "purse-empty"),
        (9, {"white": 1, "red": 1, "blue": 1}, False, "0 left"),
        (8, {"white": 1, "red": 1, "blue": 1}, False, "purse-empty"),
        (2, {"red": 1}, True, "0 left"),
        (0, {"blue": 2}, True, "0 left"),
        (9, {"red": 1}, True, "6 left"),
        (9, {}, False, "nothing-declared"),
        (9, {"white": 0}, False, "nothing-declared"),
        (9, {"white": -1}, False, "negative-chips"),
        (9, {"gold": 1}, False, "unknown-chip"),
    ],
)
def test_awards_are_paid_at_their_value(xp: int, chips: dict[str, int], enlarge: bool, outcome: str) -> None:
    game = Game()
    game.does(OpenArc("an arc", xp))
    purse = f"campaign/xp:{game.state(CAMPAIGN).arc}"
    code = answers(game, AwardChip(game.hero, chips, "well done", enlarge))
    assert (code or f"{game.balance(purse)} left") == outcome
    assert game.chips(game.hero) == ({} if code else chips)
    assert game.balance(purse) == (xp if code else int(outcome.split(maxsplit=1)[0]))


@pytest.mark.parametrize(("enforced", "code"), [(True, "purse-empty"), (False, "")])
def test_without_an_arc_there_is_no_purse(enforced: bool, code: str) -> None:
    game = Game(arc_purse_enforced=enforced)
    for enlarge in (False, True):
        assert answers(game, AwardChip(game.hero, {"white": 1}, "", enlarge)) == code
    assert game.chips(game.hero) == ({} if code else {"white": 2})


@pytest.mark.parametrize(("xp", "code"), [(1, ""), (0, "value-not-positive"), (-1, "value-not-positive")])
def test_a_purse_is_enlarged_by_something(xp: int, code: str) -> None:
    game = Game()
    assert answers(game, EnlargePurse(max(1, xp))) == "no-arc"
    game.does(OpenArc("an arc", 1))
    assert answers(game, EnlargePurse(xp)) == code
    assert game.balance(f"campaign/xp:{game.state(CAMPAIGN).arc}") == 1 + (code == "")


def test_a_chip_for_a_play_cancelled_is_outside_the_purse() -> None:
    """moc.trump.fiat, moc.fate.purse: the play goes back as well."""
    game = Game()
    game.does(OpenArc("an arc", 1))
    game.scene_begins(game.hero, game.enigma)
    action = game.acts(game.hero)
    before = game.beads(game.hero)
    for colour in ("blue", "red", "white", None):
        play = game.new(PlayBeads(action, game.hero, "add_dice"))
        assert answers(game, TrumpByFiat(action, play, colour)) == ""
    assert game.chips(game.hero) == {"white": 1, "red": 1, "blue": 1} and game.beads(game.hero) == before
    assert game.balance(f"campaign/xp:{game.state(CAMPAIGN).arc}") == 1


# --- moc.fate.penalty ---


@pytest.mark.parametrize(
    ("held", "taken", "outcome"),
    [
        ({"white": 1}, None, {}),
        ({"white": 2}, None, {"white": 1}),
        ({}, None, "chips-not-held"),
        ({"red": 1}, None, "chips-not-held"),
        ({"red": 1, "white": 1}, {"red": 1}, {"white": 1}),
        ({"white": 1}, {"white": 2}, "chips-not-held"),
        ({"white": 1}, {"white": 1, "blue": 1}, "chips-not-held"),
        ({"blue": 2}, {"blue": 2}, {}),
        ({"white": 1}, {}, "empty-penalty"),
        ({"white": 1}, {"red": 0}, "empty-penalty"),
        ({"white": 1}, {"white": -1}, "negative-chips"),
        ({"white": 1}, {"gold": 1}, "unknown-chip"),
    ],
)
def test_no_debts(held: dict[str, int], taken: dict[str, int] | None, outcome: Any) -> None:
    game = Game()
    for colour, n in held.items():
        game.gives(game.hero, f"chip:{colour}", n)
    do = Penalise(game.hero, "selfish", taken)
    code = answers(game, do)
    assert (code or game.chips(game.hero)) == outcome
    if code in ("chips-not-held", "empty-penalty"):
        assert refusing_rule(game, do) == "moc.fate.penalty" and game.chips(game.hero) == held


# --- moc.fate.nominate ---


@pytest.mark.parametrize(
    ("by", "seat_id", "nominee", "code"),
    [
        ("ann", "ann", "enigma", ""),
        ("gm", "ann", "enigma", ""),
        ("ann", "ann", "hero", "no-self-nomination"),
        ("bob", "bob", "enigma", "no-self-nomination"),
        ("bob", "bob", "hero", ""),
        ("cleo", "cleo", "hero", ""),
        ("ann", "bob", "hero", "not-own-nomination"),
        ("gm", "gm", "hero", "not-a-player"),
        ("dora", "dora", "hero", "not-a-player"),
        ("ann", "ann", "villain", "not-a-players-character"),
        ("ann", "ann", "99", "unknown-character"),
        ("gm", "nobody", "hero", "unknown-seat"),
    ],
)
def test_players_nominate_characters_of_others(by: str, seat_id: str, nominee: str, code: str) -> None:
    game = Game()
    do = Nominate(seat_id, named(game, nominee))
    assert answers(game, do, by=by) == code
    if not code:
        assert answers(game, do, by=by) == "already-nominated" and refusing_rule(game, do) == "moc.fate.nominate"


@pytest.mark.parametrize(
    ("quorum", "votes", "winners"),
    [
        (2, "", ""),
        (2, "ann>enigma", ""),
        (2, "ann>enigma cleo>enigma", "enigma"),
        (2, "ann>enigma bob>hero", ""),
        (2, "ann>enigma bob>hero cleo>enigma cleo>hero", "enigma hero"),
        (1, "ann>enigma", "enigma"),
        (1, "ann>enigma bob>hero", "enigma hero"),
        (3, "ann>enigma cleo>enigma", ""),
        (3, "bob>hero cleo>hero", ""),
        (2, "bob>hero cleo>hero", "hero"),
    ],
)
def test_one_chip_however_many_named_it(quorum: int, votes: str, winners: str) -> None:
    game = Game(nomination_quorum=quorum)
    game.does(OpenArc("an arc", 9))
    game.session_ends(game.session_begins())
    for vote in votes.split():
        who, _, whom = vote.partition(">")
        game.does(Nominate(who, named(game, whom)), by=who)
    done = game.does(TallyNominations())
    chosen = {named(game, one) for one in winners.split()}
    assert set(the(done, "NominationsTallied").winners) == chosen
    for one in ("hero", "enigma"):
        assert game.chips(named(game, one)) == ({"white": 1} if named(game, one) in chosen else {})
    assert game.balance(f"campaign/xp:{game.state(CAMPAIGN).arc}") == 9 - len(chosen), "paid from the purse"
    assert answers(game, TallyNominations()) == "already-tallied"


@pytest.mark.parametrize(
    ("dial", "said", "xp", "enlarge", "outcome"),
    [
        ("white", None, 1, False, {"white": 1}),
        ("red", None, 3, False, {"red": 1}),
        ("red", None, 2, False, "purse-empty"),
        ("white", "blue", 5, False, {"blue": 1}),
        ("white", "blue", 4, False, "purse-empty"),
        ("white", "blue", 4, True, {"blue": 1}),
        ("red", "white", 1, False, {"white": 1}),
        ("white", "gold", 9, False, "unknown-chip"),
        ("white", None, 0, False, "purse-empty"),
    ],
)
def test_the_colour_is_the_game_masters(dial: str, said: str | None, xp: int, enlarge: bool, outcome: Any) -> None:
    game = Game(nomination_chip=dial)
    game.does(OpenArc("an arc", xp))
    for who in ("ann", "cleo"):
        game.does(Nominate(who, game.enigma), by=who)
    code = answers(game, TallyNominations(said, enlarge))
    assert (code or game.chips(game.enigma)) == outcome


def test_a_new_session_begins_with_no_nominations() -> None:
    game = Game(arc_purse_enforced=False)
    for _ in range(2):
        session = game.session_begins()
        game.session_ends(session)
        game.does(Nominate("ann", game.enigma), by="ann")
        done = game.does(TallyNominations())
        assert the(done, "NominationsTallied").winners == (), "one vote each session is never two"


@pytest.mark.parametrize(
    ("viewer", "shown"), [("ann", True), ("gm", True), ("bob", False), ("cleo", False), ("dora", False)]
)
def test_who_named_whom_is_never_shown_to_players(viewer: str, shown: bool) -> None:
    game = Game(arc_purse_enforced=False)
    for who in ("ann", "cleo"):
        game.does(Nominate(who, game.enigma), by=who)
    first = game.verdicts[-2]
    assert first.audience == ("gm", "ann") and {one.audience for one in first.facts} == {("gm", "ann")}
    assert len(first.facts) == 1, "of one size, whatever it says"
    assert bool(game.view(seat("ann"), viewer).get("named")) is shown
    told = game.does(TallyNominations())
    assert "ann" not in str(facts_of(told)) and "cleo" not in str(facts_of(told))


@pytest.mark.parametrize("code", ["no-self-nomination", "already-nominated", "not-a-players-character"])
def test_what_is_refused_is_told_to_who_named_alone(code: str) -> None:
    game = Game()
    game.does(Nominate("ann", game.enigma), by="ann")
    whom = {"no-self-nomination": game.hero, "already-nominated": game.enigma}.get(code, game.villain)
    with pytest.raises(Refused) as refused:
        game.begin(Nominate("ann", whom), "ann")
    assert (refused.value.code, refused.value.audience) == (code, ("gm", "ann"))
