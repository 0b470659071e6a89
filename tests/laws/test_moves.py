"""What is offered is accepted, what is accepted was offered; nothing hidden decides about it; who is awaited is named.

A system that says no moves is offered by its types, and held to none of it but the last two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, example, given, settings

from ledger.rules import systems
from ledger.rules.kernel import commands
from ledger.rules.kernel.blocked import list_blocked_declarations
from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.declarations import find_declarer, find_kind
from ledger.rules.kernel.facts import Adjusted, Amended
from ledger.rules.kernel.moves import Among, Domain, Either, Move, Some, complete_fields
from ledger.rules.kernel.offers import Awaited, Offer, list_awaited_now, list_offers, list_offers_to_all
from ledger.rules.kernel.purses import unit_of
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import Subject, Viewer, character
from ledger.rules.kernel.world import Past
from tests.laws.test_amend_in_secret import differs, pieces
from tests.laws.test_play import SEEDS, every_system
from tests.levels import examples, sampled
from tests.rules.anything import Anything, play
from tests.rules.moves import Filling, hollow, looked_at, refusal, steps, viewers
from tests.rules.world import Told, World

WITH_MOVES = sorted(name for name, one in systems().items() if one.moves is not None)
BEGINNINGS = (commands.Enrol, commands.OpenScene, commands.OpenSession)
seldom = settings(max_examples=examples(1, 1, 20), deadline=None, suppress_health_check=list(HealthCheck))
with_moves = pytest.mark.parametrize("name", WITH_MOVES)


def seen_by(past: Past, viewer: Viewer) -> Seen:
    return Seen(past.ruleset, past, viewer)


# --- sound, complete ---


@with_moves
@seldom
@given(seed=SEEDS)
def test_what_is_offered_is_accepted_and_what_is_accepted_was_offered(name: str, seed: int) -> None:
    found = looked_at(play(name, seed, 50), Random(seed), 0.5)
    assert not found.unsound and not found.incomplete, found.examples


@with_moves
@seldom
@given(seed=SEEDS)
def test_also_where_anything_is_tried(name: str, seed: int) -> None:
    found = looked_at(Anything(name, Random(seed)).play(40), Random(seed), 0.3)
    assert not found.unsound and not found.incomplete, found.examples


@pytest.mark.parametrize("name", sampled(WITH_MOVES, 1, salt="every kind"))
def test_every_kind_is_offered_and_most_are_accepted(name: str) -> None:
    """Over as many seeds as it takes; so that the laws above say something of each kind."""
    kinds = list(map(find_kind, systems()[name].inputs))
    offers, accepted = Counter[str](), Counter[str]()
    for seed in range(60):
        found = looked_at(play(name, seed, 60), Random(seed), 0.0)
        assert not found.incomplete, found.examples
        accepted += found.accepted
        offers += found.offered
        seldom_offered = [kind for kind in kinds if offers[kind] < 3]
        if not seldom_offered and sum(accepted[kind] > 0 for kind in kinds) >= 0.9 * len(kinds):
            return
    raise AssertionError((seldom_offered, accepted))


@every_system
def test_everybody_is_offered_something_he_may_declare_and_a_watcher_nothing(name: str) -> None:
    past = play(name, 1, 20).past
    for by in viewers(past):
        offers = list_offers(past.ruleset, seen_by(past, by))
        assert bool(offers) == (by.role != "observer")
        if by.role != "gm":
            assert all(find_declarer(one.move.do).who != "gm" for one in offers)


@every_system
@pytest.mark.parametrize("seed", range(3))
def test_what_can_be_declared_is_told_whatever_was_overturned(name: str, seed: int) -> None:
    """Also where somebody who fights, or a scene that is played, never began: what else there is goes on."""
    game = play(name, seed, 40)
    began = [number for number, one in enumerate(game.history, 1) if type(one.declared) in BEGINNINGS]
    for struck in (*began[:3], Random(seed).randint(1, len(game.history))):
        past = game.beginning()
        for number, ruling in enumerate(game.history, 1):
            past.tell(ruling.before)
            past.tell(ruling.facts if number != struck else ())
        for viewer in viewers(past):
            everything(past, viewer)


@every_system
@pytest.mark.parametrize("left", [0, -2])
def test_what_is_offered_can_be_said_whatever_is_left_of_a_purse(name: str, left: int) -> None:
    """A strike can leave it below zero: then no number is between 1 and what it holds."""
    for seed in range(3):
        overdrawn(play(name, seed, 60), left)


def overdrawn(game: World, left: int) -> None:
    """AssertionError where something is offered that nobody can say, once so much is left in every purse."""
    past = game.past.branch(game.past.revisions)
    for subject, folded in list(past.folded.items()):
        for account, held in folded.purse.items():
            bank = f"bank/{account.partition('/')[2]}"
            way = (account, bank) if held > left else (bank, account)
            posting = Posting(*way, unit_of(account), abs(held - left))
            past.tell([(subject, Told(game.number, 0, Adjusted("so it is"), (posting,)))])
    for viewer in viewers(past):
        offers = list_offers(past.ruleset, seen_by(past, viewer))
        assert [one.move for one in offers if any(map(hollow, one.move.fields.values()))] == []


# --- secret ---


def twin(game: World, viewer: Viewer, rng: Random) -> Past:
    """The same campaign where something is otherwise that this viewer does not see: of any state, and of an account."""
    past = game.past.branch(game.past.revisions)
    number = game.number
    secrets = bool(game.ruleset.secrets)
    for subject, field, value in pieces(game, rng) if secrets else ():
        if not differs(game, subject, field, value, viewer):
            past.tell([(subject, Told(number, 0, Amended(field, value, "so it is"), audience=()))])
    return past


def with_hidden(past: Past, number: int, owners: list[Subject], amount: int) -> None:
    """Every account of these is moved in secret, but those that everybody can count."""
    counted = {one.form.partition("/")[2] for one in past.ruleset.accounts if one.counted}
    for subject in owners:
        folded = past.folded[subject]
        for account in [one for one in folded.purse if one.partition("/")[2] not in counted]:
            unit = account.partition("/")[2].partition(":")[0]
            posting = Posting(f"bank/{unit}", account, unit, amount)
            past.tell([(subject, Told(number, 0, Adjusted("so it is"), (posting,), audience=("nobody",)))])


def everything(past: Past, viewer: Viewer) -> list[Any]:
    seen = seen_by(past, viewer)
    refusals = [
        (one.do, one.tried, one.refusal and one.refusal.code) for one in list_blocked_declarations(past.ruleset, seen)
    ]
    return [list_offers(past.ruleset, seen), refusals, list_awaited_now(past.ruleset, seen)]


@every_system
@seldom
@given(seed=SEEDS)
def test_what_is_hidden_from_somebody_changes_nothing_of_what_he_is_offered(name: str, seed: int) -> None:
    told_apart(play(name, seed, 50), Random(seed))


def told_apart(game: World, rng: Random) -> None:
    """AssertionError where twins can be told apart."""
    for viewer in viewers(game.past):
        other = twin(game, viewer, rng)
        views = [
            [game.ruleset.view(one, past.told(one).state, viewer) for one in past.folded] for past in (game.past, other)
        ]
        if views[0] == views[1]:
            assert everything(game.past, viewer) == everything(other, viewer)
        owners = [one for one in game.past.folded if one.kind == "character"]
        both = [game.past.branch(game.past.revisions) for _ in range(2)]
        for past, amount in zip(both, (1, 90), strict=True):
            with_hidden(past, game.number, owners, amount)
        assert everything(both[0], viewer) == everything(both[1], viewer)


# --- awaited ---


@every_system
@seldom
@given(seed=SEEDS)
@example(seed=114)  # somebody hands over who is in the middle of something
def test_who_is_awaited_can_do_it_and_who_can_is_awaited(name: str, seed: int) -> None:
    check_awaited(play(name, seed, 60), Random(seed))


def check_awaited(game: World, rng: Random) -> None:
    """Tried on the rules themselves: what the game waits for is accepted of who is awaited, of no other player.

    But who sits in a chair of the game's may do it for another, as a game master may.
    """
    for past, ruling in steps(game):
        if rng.random() < 0.7:
            continue
        filling = Filling(past.ruleset, past, rng)
        for by in viewers(past):
            seen = seen_by(past, by)
            waits = list_awaited_now(past.ruleset, seen)
            assert waits, "nobody is awaited"
            mine = [one for one in waits if one.seat == by.seat]
            for one in mine:
                found = [offer for offer in list_offers(past.ruleset, seen) if one.do is None or matches(one, offer)]
                assert found, f"awaited, and offered nothing: {one}"
                tried = [refusal(past, ruling.number, filling.of(offer.move), by, offer.scene, rng) for offer in found]
                assert one.do is None or None in tried, f"awaited, and refused: {one}, {tried}"
            for offer in list_offers_to_all(past.ruleset, seen):
                if by.chairs and offer.move.of not in (None, by.seat):
                    continue
                if (
                    by.role == "player"
                    and offer.move.awaits is not None
                    and find_declarer(offer.move.do).who != "anyone"
                ):
                    do = filling.of(offer.move)
                    if refusal(past, ruling.number, do, by, offer.scene, rng) is None and not seen.decides:
                        assert any(one.do is type(do) for one in mine), f"not awaited: {by.seat}, {do}"


def matches(one: Awaited, offer: Offer) -> bool:
    return (
        offer.move.do is one.do
        and offer.move.awaits == one.rule
        and (one.of is None or offer.move.of == one.of or one.of in named(offer.move))
    )


def named(move: Move) -> tuple[object, ...]:
    field = find_declarer(move.do).field
    domain = complete_fields(move.do, move.fields)[field] if field is not None else None
    return domain.values if isinstance(domain, Among) else ()


def test_a_system_that_says_no_moves_is_held_to_what_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """It drives nobody, so its game masters are awaited; and its types tell nothing hidden."""
    monkeypatch.setitem(systems(), "toy", replace(systems()["toy"], moves=None))
    for seed in range(3):
        game = play("toy", seed, 40)
        told_apart(game, Random(seed))
        check_awaited(game, Random(seed))
        assert [one.seat for one in list_awaited_now(game.ruleset, seen_by(game.past, next(viewers(game.past))))] == [
            "gm"
        ]


# --- planted faults ---


Fault: TypeAlias = Callable[[Seen, Iterator[Move]], Iterator[Move]]


def faulty(name: str, seed: int, fault: Fault) -> World:
    """A campaign whose system says other moves from now on."""
    game = play(name, seed, 50)
    own = game.ruleset.moves
    assert own is not None
    game.ruleset = game.past.ruleset = replace(game.ruleset, moves=lambda seen: fault(seen, iter(own(seen))))
    return game


def widened(seen: Seen, moves: Iterator[Move]) -> Iterator[Move]:
    """Every field that names a character of some names any, and a number any."""
    for move in moves:
        yield replace(move, fields={name: _wide(seen, domain) for name, domain in move.fields.items()})


def _wide(seen: Seen, domain: Domain) -> Domain:
    if isinstance(domain, Among) and set(domain.values) & set(seen.roster):
        return Among((*seen.roster, "nobody"))
    return domain


def thinned(seen: Seen, moves: Iterator[Move]) -> Iterator[Move]:
    """Of every field the first value only."""
    for move in moves:
        yield replace(move, fields={name: _thin(domain) for name, domain in move.fields.items()})


def _thin(domain: Domain) -> Domain:
    match domain:
        case Among(values=values) if len(values) > 1:
            return Among(values[:1])
        case Either(parts=parts):
            return parts[0]
        case Some(least=0):
            return Among(((),))
    return domain


def telling(seen: Seen, moves: Iterator[Move]) -> Iterator[Move]:
    """Looks behind the curtain: as many moves as the accounts of the table hold."""
    yield from moves
    purses = (found.purse for one in seen.roster if (found := seen._subjects.find(character(one))) is not None)
    held = sum(sum(purse.values()) for purse in purses)
    yield Move(commands.OpenSession, {"title": Among((str(held),))})


def waiting_for_nobody(seen: Seen, moves: Iterator[Move]) -> Iterator[Move]:
    """What is of a character is awaited, and of another one."""
    for move in moves:
        field = find_declarer(move.do).field
        others = [one for one in seen.roster if field is not None and Among((one,)) != move.fields.get(field)]
        yield replace(move, of=others[0], awaits="a.rule") if others and move.of is None else move


@pytest.mark.nightly
@with_moves
def test_moves_that_are_too_wide_are_found(name: str) -> None:
    assert any(looked_at(faulty(name, seed, widened), Random(seed), 0.4).unsound for seed in range(8))


@pytest.mark.nightly
@with_moves
def test_moves_that_are_too_narrow_are_found(name: str) -> None:
    assert any(looked_at(faulty(name, seed, thinned), Random(seed), 0.0).incomplete for seed in range(8))


@with_moves
def test_moves_that_tell_what_is_hidden_are_found(name: str) -> None:
    with pytest.raises(AssertionError, match="At index"):
        for seed in range(8):
            told_apart(faulty(name, seed, telling), Random(seed))


@with_moves
def test_somebody_else_who_is_awaited_is_found(name: str) -> None:
    with pytest.raises(AssertionError, match=r"[aA]waited"):
        for seed in range(8):
            check_awaited(faulty(name, seed, waiting_for_nobody), Random(seed))
