"""Random play of every game, forked at random: the fork goes on as its origin did from there, and leaves it alone."""

from __future__ import annotations

import copy
import json
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from ledger.application import Book, Call, Ledger, Shown, ShownFork, audit, list_sealed_leaves
from ledger.errors import LedgerError
from ledger.events.codec import encode
from ledger.events.lineage import name_stream_here
from ledger.events.merkle import compute_root
from ledger.rules import systems
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, SUBJECT_KINDS, Viewer
from projections.documents import seals
from projections.views.pages import Views
from projections.views.projector import Projector
from tests.desk import Desk, present
from tests.levels import examples, sampled
from tests.rules.anything import play
from tests.views.conftest import ViewDatabase
from tests.views.test_every_game import Retold
from tests.views.test_views import everything

some = settings(max_examples=examples(1, 2, 10), deadline=None, suppress_health_check=list(HealthCheck))
every_system = pytest.mark.parametrize("name", sampled(sorted(systems()), 2, salt="forks"))


def presented(book: Book, viewer: Viewer | None, shown: Shown) -> str:
    assert isinstance(shown, ShownFork)
    return json.dumps({"id": book.id, "token": shown.gm.token, "unclaimed": shown.unclaimed})


def forked(ledger: Ledger, desk: Desk, at: int) -> Desk:
    """The fork, with every seat of it claimed."""
    made = json.loads(ledger.fork(desk.call(), at, None, presented).body)
    fork = copy.copy(desk)
    fork.campaign, fork.token = made["id"], made["token"]
    for seat in made["unclaimed"]:
        claimed = ledger.claim_seat(Call(fork.campaign, ledger.keys.make_token(desk.campaign, seat, 1)), present)
        assert claimed.token == ledger.keys.make_token(fork.campaign, seat, 1)
    return fork


def goes_on(retold: Retold, first: int) -> list[Any]:
    """What is said from ruling `first` on, and what comes of each."""
    found: list[Any] = []
    for past in retold.game.history[first - 1 :]:
        try:
            found.append(retold._said(past))
        except (LedgerError, KeyError) as problem:
            found.append(type(problem).__name__)
    return found


def facts(ledger: Ledger, campaign: str, after: int = 0) -> list[Any]:
    """All that became true after a position, in stored order, without salts, times and positions."""
    found = []
    for stream, _, topic, state in ledger.store.select_range(f"{campaign}/", f"{campaign}0"):
        kind = stream.split("/", 2)[1]
        body = ledger.codec.decode(topic, bytes(state))
        if kind in SUBJECT_KINDS and body.position > after:
            found.append(
                (name_stream_here("", stream), topic, body.ruling, body.step, body.revision, encode(body.fact))
            )
    return found


def record(ledger: Ledger, campaign: str) -> list[Any]:
    rows = ledger.store.select_range(f"{campaign}/", f"{campaign}0")
    return [(stream, version, topic, bytes(state)) for stream, version, topic, state in rows]


@every_system
@some
@given(seed=st.integers(0, 2**32))
def test_a_fork_goes_on_like_a_campaign_that_was_only_played_so_far(
    name: str, seed: int, ledger: Ledger, projector: Projector, database: ViewDatabase
) -> None:
    game, rng = play(name, seed, 50), Random(seed)
    try:
        origin = Retold(ledger, game)
    except Refused:
        reject()
    at = rng.randint(1, len(game.history))
    played, game.history = game.history, game.history[:at]
    origin.tell()
    if not origin.told:
        reject()
    at = origin.told
    origin.decide(rng)
    stood, position = origin.desk.everything(), origin.desk.position
    game.history = played
    went_on = goes_on(origin, at + 1)
    if origin.desk.position == position:
        reject()
    before = record(ledger, origin.desk.campaign)
    fork = copy.copy(origin)
    fork.desk = forked(ledger, origin.desk, at)
    assert record(ledger, origin.desk.campaign) == before, "the origin is as it was"
    stands = fork.desk.everything()
    assert stands.keys() == stood.keys()
    for subject in stood:
        same = stands[subject].same_as(stood[subject])
        assert same or subject == CAMPAIGN, subject
        assert stands[subject].state == stood[subject].state
    own = fork.desk.position
    assert goes_on(fork, at + 1) == went_on
    assert facts(ledger, fork.desk.campaign, own) == facts(ledger, origin.desk.campaign, position)
    sound(ledger, projector, database, fork.desk)


def sound(ledger: Ledger, projector: Projector, database: ViewDatabase, desk: Desk) -> None:
    """Its audit finds nothing, its views are what they are built anew, and its first leaves are its origin's."""
    projector.catch_up()
    kept = everything(database)
    projector.rebuild()
    assert everything(database) == kept
    with ledger.open_for_seat(desk.call()) as (book, _):
        assert not audit(book).differences
        position = book.campaign.position
        with Views(ledger.shelves.get_shelf(0)).open_reader(desk.campaign) as reader:
            assert not [*seals.compare_with_record(book, reader, position), *seals.compare_with_origins(book, reader)]
        leaves = [leaf for _, _, leaf in list_sealed_leaves(book, position)]
        for one in book.forks:
            assert compute_root(leaves[: one.events]).hex() == one.root


def test_the_ledgers_dice_of_a_fork_are_its_own(ledger: Ledger) -> None:
    """Neither the origin's next ones nor another fork's; and none is rolled a second time."""
    desk = Desk(ledger)
    ada, bo = desk.enrol("Ada"), desk.enrol("Bo")
    desk("open-session", title="One")
    rolls(desk, ada, bo, 3)
    at = desk.ledger.get_book(desk.campaign).campaign.rulings
    forks = [forked(ledger, desk, at) for _ in range(2)]
    forks.append(forked(ledger, forks[0], at))
    told = [rolls(one, ada, bo, 20) for one in (desk, *forks)]
    assert len({tuple(faces) for faces, _ in told}) == 4, "twenty dice alike: once in 6 ** 20"
    for one, (_, numbers) in zip((desk, *forks), told, strict=True):
        assert numbers == list(range(4, 24))
        one("close-session", session="3")
        with ledger.open_for_seat(one.call()) as (book, _):
            assert not audit(book).differences
            assert book.campaign.rolls == 23
            seeds = [epoch.seed for epoch in book.randomness.epochs]
            inherited = epochs_of_others(book)
            assert [place for place, seed in enumerate(seeds[:-1]) if seed is None] == inherited


def epochs_of_others(book: Book) -> list[int]:
    """Those that lasted where it was forked: their origin went on with them, and tells their seeds itself."""
    lineage = book.campaign.lineage
    return [
        place
        for place, (one, other) in enumerate(pairwise(book.randomness.epochs))
        if lineage.find_home(one.position) != lineage.find_home(other.position)
    ]


def rolls(desk: Desk, char: str, target: str, count: int) -> tuple[list[int], list[int]]:
    """What the ledger rolls, and the number of each roll."""
    faces, numbers = [], []
    for _ in range(count):
        number = desk("hit", {"choice": {"kind": "stand"}}, char=char, target=target)
        (dice,) = [one.answer["dice"] for one in desk.ruling(number).ruled.answers if "dice" in one.answer]
        faces += dice["faces"]
        numbers.append(int(dice["proof"].split("roll=")[1].split()[0]))
    return faces, numbers
