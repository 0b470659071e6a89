"""Skills, Extended Actions: tokens that add a characteristic, dice for time and from the game master."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import SetDial
from ledger.rules.kernel.moves import allows
from ledger.rules.moc.actions import DeclareAction, Token
from ledger.rules.moc.pools import GrantDice, SpendToken
from tests.rules.moc.antares import ABOVE, PRIMARIES, dice, table
from tests.rules.moc.cited import FINE, found, refusal, steps
from tests.rules.moc.game import Game, the
from tests.rules.moc.test_moves import moves

TOKENS, TIME, GIVEN = "moc.skill.tokens", "moc.skill.extended", "moc.skill.gm-dice"


# --- moc.skill.tokens ---


@pytest.mark.parametrize(("named", "above"), ABOVE.items())
def test_a_token_comes_of_a_primary_above(named: str, above: str) -> None:
    """The player chooses if there are several. With one, nothing has to be named."""
    game = table()
    pools = {pool: refusal(game, _names(game, Token(named, pool))) for pool in PRIMARIES}
    wrong = f"{TOKENS} wrong-token-pool"
    assert pools == {pool: FINE if pool in above.split() else wrong for pool in PRIMARIES}
    assert refusal(game, _names(game, Token(named))) == (wrong if " " in above else FINE)
    assert refusal(game, _names(game, Token(named, "soul"))) == f"{TOKENS} unknown-characteristic"


def _names(game: Game, *tokens: Token) -> DeclareAction:
    return DeclareAction(game.hero, tokens=tokens, names=tuple(one.characteristic for one in tokens))


@pytest.mark.parametrize(
    ("told", "named", "outcome"),
    [
        ({"skill": "Dodge"}, "Sp", FINE),
        ({"skill": "Dodge"}, "S", f"{TOKENS} characteristic-not-of-skill"),
        ({"skill": "Swimming"}, "T", FINE),
        ({"skill": "Swimming"}, "Sp", f"{TOKENS} characteristic-not-of-skill"),
        ({"skill": "Search"}, "P", FINE),
        ({"skill": "Search"}, "R", f"{TOKENS} characteristic-not-of-skill"),
        ({"roll_kind": "movement"}, "Sp", FINE),
        ({"roll_kind": "movement"}, "T", f"{TOKENS} characteristic-not-of-skill"),
        ({"roll_kind": "movement", "skill": "Climbing"}, "Sp", f"{TOKENS} characteristic-not-of-skill"),
        ({"roll_kind": "movement", "skill": "Climbing"}, "S", FINE),
        ({"roll_kind": "resisting"}, "T", FINE),
        ({"roll_kind": "resisting"}, "L", f"{TOKENS} characteristic-not-of-skill"),
        ({"roll_kind": "healing"}, "L", FINE),
        ({"roll_kind": "healing"}, "T", f"{TOKENS} characteristic-not-of-skill"),
        ({}, "Sp", f"{TOKENS} characteristic-not-of-skill"),
        ({}, "body", f"{TOKENS} characteristic-not-of-skill"),
        ({}, "mind", f"{TOKENS} characteristic-not-of-skill"),
        ({}, "X", f"{TOKENS} unknown-characteristic"),
        ({"names": ("Sp",)}, "Sp", FINE),
        ({"names": ("body",)}, "body", f"{TOKENS} characteristic-not-of-skill"),
    ],
)
def test_it_stands_in_the_entry_or_is_named_by_the_game_master(told: dict[str, Any], named: str, outcome: str) -> None:
    game = table()
    assert refusal(game, DeclareAction(game.hero, tokens=(Token(named),), **told)) == outcome
    plain = {key: value for key, value in told.items() if key != "names"}
    action = game.acts(game.hero, **plain)
    later = SpendToken(action, named, named="names" in told)
    assert refusal(game, later) == outcome
    if "names" in told:
        assert refusal(game, DeclareAction(game.hero, tokens=(Token(named),), **told), by="ann").startswith(TOKENS)
        assert refusal(game, later, by="ann").startswith(TOKENS)


def test_a_pool_holds_as_many_tokens_as_its_rating_and_the_last_tires() -> None:
    """`moc.char.tokens`: the last token causes 1 fatigue; after that, `no-token`."""
    game = table(fatigue_effects="off")
    assert game.tokens(game.hero) == (2, 3, 2)
    for left, tired in ((2, 0), (1, 0), (0, 1)):
        done = game.does(DeclareAction(game.hero, skill="Search", tokens=(Token("P"),)))
        assert (game.tokens(game.hero)[1], len(found(done, "FatigueGained"))) == (left, tired)
        assert steps(done, "moc.char.tokens") == [1] * tired
    assert game.character(game.hero).fatigue == 1
    assert refusal(game, DeclareAction(game.hero, skill="Search", tokens=(Token("P"),))) == f"{TOKENS} no-token"


@pytest.mark.parametrize(
    ("damage", "fatigue", "outcome"),
    [
        (0, 0, FINE),
        (5, 0, FINE),
        (6, 0, f"{TOKENS} primary-at-zero"),
        (0, 2, FINE),
        (0, 3, f"{TOKENS} primary-at-zero"),
        (3, 3, f"{TOKENS} primary-at-zero"),
        (4, 1, FINE),
        (4, 2, f"{TOKENS} primary-at-zero"),
    ],
)
def test_no_token_of_a_primary_at_zero(damage: int, fatigue: int, outcome: str) -> None:
    """Mind is 3."""
    game = table()
    game.sets(game.hero, "damage", damage)
    game.sets(game.hero, "fatigue", fatigue)
    assert refusal(game, DeclareAction(game.hero, skill="Search", tokens=(Token("P"),))) == outcome


# --- moc.skill.extended ---


@pytest.mark.parametrize(
    ("base", "time", "bonus"),
    [
        (30, 29, None),
        (30, 30, 0),
        (30, 89, 0),
        (30, 90, 1),
        (30, 91, 1),
        (30, 209, 1),
        (30, 210, 2),
        (30, 449, 2),
        (30, 450, 3),
        (30, 929, 3),
        (30, 930, 4),
        (5, 35, 2),
        (1, 1, 0),
        (1, 2, 0),
        (1, 3, 1),
        (1, 6, 1),
        (1, 7, 2),
    ],
)
def test_time_doubles_for_each_die_and_one(base: int, time: int, bonus: int | None) -> None:
    """1, 3, 7, 15, 31 times the base time: the highest that fits."""
    game = table()
    do = DeclareAction(game.hero, skill="Search", roll_kind="extended", base_time=base, time=time)
    if bonus is None:
        assert refusal(game, do) == f"{TIME} time-too-short"
        return
    done = game.does(do)
    assert steps(done, TIME) == [bonus]
    assert dice(game, the(done, "ActionDeclared").action) == 5 + bonus


@pytest.mark.parametrize(
    ("base", "time"), [(0, 30), (-1, 30), (30, 0), (30, -30), (None, 30), (30, None), ("30", 30), (30, 30.5), (True, 3)]
)
def test_time_is_whole_and_at_least_one(base: Any, time: Any) -> None:
    game = table()
    do = DeclareAction(game.hero, skill="Search", roll_kind="extended", base_time=base, time=time)
    assert refusal(game, do) == f"{TIME} time-not-positive"


# --- moc.skill.gm-dice ---


@pytest.mark.parametrize(
    ("number", "by", "declared", "granted"),
    [
        (1, "gm", FINE, FINE),
        (5, "gm", FINE, FINE),
        (0, "gm", FINE, f"{GIVEN} nothing-declared"),
        (-1, "gm", f"{GIVEN} negative-dice", FINE),
        (1.5, "gm", f"{GIVEN} negative-dice", f"{GIVEN} negative-dice"),
        (1, "ann", f"{GIVEN} gm-approval-needed", None),
        (0, "ann", FINE, None),
    ],
)
def test_the_game_master_adds_dice(number: Any, by: str, declared: str, granted: str | None) -> None:
    game = table()
    assert refusal(game, DeclareAction(game.hero, extra_dice=number, reason="well told"), by=by) == declared
    if granted is not None:
        assert refusal(game, GrantDice(game.acts(game.hero), number, "well told"), by=by) == granted


def test_their_number_and_reason_are_recorded() -> None:
    game = table()
    action = game.acts(game.hero)
    done = game.does(GrantDice(action, 3, "well told"))
    assert [(one.n, one.reason) for one in found(done, "GmDiceGranted")] == [(3, "well told")]
    assert steps(done, GIVEN) == [3] and dice(game, action) == 5


@pytest.mark.parametrize(("number", "count"), [(-1, 1), (-2, 0), (-9, 0)])
def test_the_game_master_takes_dice_away(number: int, count: int) -> None:
    game = table()
    action = game.acts(game.hero)
    do = GrantDice(action, number, "a trick")
    assert any(allows(move, do) for move in moves(game, "gm", GrantDice))
    done = game.does(do)
    assert [one.n for one in found(done, "GmDiceGranted")] == steps(done, GIVEN) == [number]
    assert dice(game, action) == count


def test_who_is_untrained_keeps_the_last_die() -> None:
    game = table()
    action = game.acts(game.hero, skill="Cryptography")
    game.does(GrantDice(action, -5, "a trick"))
    assert dice(game, action) == 1


@pytest.mark.parametrize(
    ("value", "outcome"), [("rating", FINE), ("half", "unknown-dial-value"), (3, "unknown-dial-value")]
)
def test_a_pool_of_tokens_is_of_the_rating(value: Any, outcome: str) -> None:
    assert refusal(table(), SetDial("tokens_per_primary", value, "ours")).rpartition(" ")[2] == outcome
