"""What a ruling reads once something earlier was decided about, and what it may cite."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import pytest

from ledger.rules.kernel.as_known import AsKnown
from ledger.rules.kernel.chronicle import Chronicle
from ledger.rules.kernel.comparison import compare_from
from ledger.rules.kernel.contract import About, Table, Verdict
from ledger.rules.kernel.declarations import declares, either
from ledger.rules.kernel.domains import CharacterId, Cites
from ledger.rules.kernel.judging import Before, judge
from ledger.rules.kernel.questions import Choice, Dice
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Viewer, character
from ledger.rules.kernel.veils import Veiled
from tests.rules.world import World
from tests.systems import toy

ANN, BEN = "1", "2"


# --- reading ---------------------------------------------------------------------------------------------------------


def in_the_dark(table: Table[Any], do: object) -> Any:
    """Whoever is not hidden is seen by who is unhurt. Only then does it matter, so only then is it looked at."""
    if not isinstance(do, toy.Look):
        return (yield from toy.RULESET.adjudicate(table, do))
    hidden = sum(table.get(character(do.at), toy.Being).hidden) >= 5
    seen = not hidden and table.get(character(do.char), toy.Being).harm == 0
    fact = toy.Seen(do.char) if seen else toy.Overlooked(do.char)
    return Verdict((About(character(do.at), fact),))


def looked() -> World:
    """Ben hides (3), Ann is hurt (4), and overlooks him (5)."""
    rules: Any = toy.RULESET
    game = World(replace(rules, adjudicate=in_the_dark))
    for name in ("Ann", "Ben"):
        game.enrol(name, toy.Sheet(9))
    game.declare(toy.Sneak(BEN), [Dice(6, (5,))])
    game.declare(toy.Hit(BEN, ANN), [Choice(toy.Stand()), Dice(6, (2,))])
    game.declare(toy.Look(ANN, BEN))
    return game


def test_a_ruling_on_another_branch_reads_something_else() -> None:
    """Without Ben's hiding it is Ann's wound that counts; the ruling says the same, and rests on something else."""
    game = looked()
    chronicle = Chronicle(game.beginning(), game.history)
    judged = judge(chronicle, {3: None}, {3})[5]
    assert judged.as_recorded
    assert f"character:{ANN}" in judged.reads - game.history[4].reads


@pytest.mark.parametrize("anew", [True, False])
def test_it_is_found_only_where_that_is_known(anew: bool) -> None:
    game = looked()
    chronicle = Chronicle(game.beginning(), game.history)
    if anew:
        chronicle.add_reads(5, judge(chronicle, {3: None}, {3})[5].reads)
    compared = compare_from(chronicle, 4, {3: None}, {3: None, 4: None})
    assert compared.rows[-1].number == 5
    assert compared.rows[-1].standpoint == ("changes" if anew else "stands")


# --- judging again ---------------------------------------------------------------------------------------------------


def judged_after(number: int, entries: dict[int, frozenset[str]]) -> set[int]:
    """Return the rulings that are judged again when this one is overturned and nothing was decided before."""
    game = looked()
    chronicle = Chronicle(game.beginning(), game.history)
    return {*judge(chronicle, {number: None}, {number}, Before({}, entries))}


def test_a_ruling_is_judged_again_if_something_it_reads_changed() -> None:
    assert judged_after(3, {}) == {4, 5}


def test_a_ruling_that_read_only_an_entry_is_skipped_while_the_entry_is_the_same() -> None:
    """Hiding changes Ben's state, not his entry."""
    assert judged_after(3, {5: frozenset({f"character:{BEN}"})}) == {4}


def test_a_ruling_that_read_only_an_entry_is_judged_again_if_the_entry_changed() -> None:
    """Ben's enrolment is overturned."""
    assert 5 in judged_after(2, {5: frozenset({f"character:{BEN}"})})


def test_a_ruling_is_skipped_if_nothing_it_reads_changed() -> None:
    """Somebody decided about a ruling, but the same facts stand."""
    game = looked()
    chronicle = Chronicle(game.beginning(), game.history)
    assert {*judge(chronicle, {}, {3}, Before({}, {}))} == {3}
    assert {*judge(chronicle, {}, {3})} == {3, 4, 5}


# --- citing ----------------------------------------------------------------------------------------------------------


@declares("praise", either("char"), records=("seen",))
class Praise:
    """Somebody is praised for coins that were minted."""

    char: CharacterId
    ruling: Annotated[str, Cites(facts=("coins-moved",))]


def praising(table: Table[Any], do: object) -> Any:
    if isinstance(do, Praise):
        return Verdict((About(character(do.char), toy.Seen(do.char)),))
    return (yield from toy.RULESET.adjudicate(table, do))


def minted(*, hidden: bool) -> World:
    """Coins are minted for Ben in ruling 3."""
    rules: Any = toy.RULESET
    ruleset = replace(rules, inputs=(*toy.INPUTS, Praise), adjudicate=praising)
    game = World(ruleset, people={"gm": "gm", "ann": "player", "ben": "player"})
    game.enrol("Ann", toy.Sheet(9), "ann")
    game.enrol("Ben", toy.Sheet(9), "ben")
    game.declare(toy.Mint(BEN, 4, hidden))
    return game


def refusal(game: World, number: str, by: str) -> str:
    with pytest.raises(Refused) as refused:
        game.declare(Praise(ANN, number), by=by)
    assert refused.value.context == {"ruling": number, "given": number}
    return refused.value.code


def test_who_may_not_see_a_ruling_is_told_that_there_is_none() -> None:
    """In the same words as for one that never was; who may see it cites it."""
    game = minted(hidden=True)
    assert refusal(game, "3", "ann") == refusal(game, "999", "ann") == "no-such-ruling"
    game.declare(Praise(ANN, "3"), by="ben")


def test_whether_a_hidden_ruling_can_be_cited_rests_on_what_is_hidden() -> None:
    game = minted(hidden=True)
    known = AsKnown(game.beginning(), Viewer("ann", "player", frozenset({ANN})))
    for ruling in game.history:
        known.tell(ruling.facts)
    with pytest.raises(Veiled):
        known.cited(3)


def test_an_open_one_is_cited_by_anybody_while_it_stands() -> None:
    game = minted(hidden=False)
    game.declare(Praise(ANN, "3"), by="ann")
    chronicle = Chronicle(game.beginning(), game.history)
    compared = compare_from(chronicle, 3, {}, {3: None})
    assert compared.rows[-1].standpoint == "loses support"
