"""What this game alone promises, tried on random campaigns. The laws of all systems are in tests/laws/test_play.py."""

from __future__ import annotations

import dataclasses
import json
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.application import json_form
from ledger.rules.kernel.commands import Amend
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.dials import list_dial_fields
from ledger.rules.kernel.purses import owner_of
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene, seat
from ledger.rules.mnemonic import RULESET
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.featherweight import AptitudeAssigned
from ledger.rules.mnemonic.shelves import Log, Shelf
from ledger.rules.mnemonic.state import Character
from ledger.rules.mnemonic.status import StatusChanged
from tests.levels import examples, sampled
from tests.rules.mnemonic.chance import DIAL_VALUES, Chance, play_at_random, try_out
from tests.rules.mnemonic.exits import told
from tests.rules.mnemonic.game import Game

SEEDS = st.integers(0, 2**32)
quickly = settings(max_examples=examples(10, 30, 150), deadline=None, suppress_health_check=list(HealthCheck))
slowly = settings(max_examples=examples(3, 8, 40), deadline=None, suppress_health_check=list(HealthCheck))


def books_balance(game: Game) -> None:
    """Status adds up over all accounts, and what is posted is what the states show."""
    total = 0
    for verdict in game.verdicts:
        for about in verdict.facts:
            for posting in about.postings:
                assert isinstance(about.fact, StatusChanged) and posting.unit == "status" and posting.amount > 0
                assert owner_of(posting.source) is None and owner_of(posting.target) == about.subject
                assert posting.amount == abs(about.fact.posting)
                total += posting.amount
    assert total == sum(game.balances().values())
    for id in game.roster:
        lost, regained = (game.balance(f"character:{id}/status:{way}") for way in ("lost", "regained"))
        assert 6 - lost + regained == game.character(id).level
        assert (game.character(id).level == 0) is (game.character(id).condition is not None)


@quickly
@given(SEEDS)
def test_the_books_balance(seed):
    game = play_at_random(seed, 120)
    books_balance(game)
    assert not [
        subject for subject, folded in game.past.folded.items() if folded.adrift or folded.find_overdrawn_accounts()
    ]


@quickly
@given(SEEDS)
def test_a_hidden_ruling_is_hidden_whole(seed):
    """Where one fact of a resisting check's ruling is the referee's, all are: a declaration is shown with any fact."""
    game = play_at_random(seed, 100)
    for ruling, verdict in zip(game.history, game.verdicts, strict=True):
        if ruling.declared.kind in ("rule-injury", "rule-recovery-check", "rate-importance"):
            assert len({about.audience for about in verdict.facts} | {one.audience for one in verdict.because}) == 1
    for by in ("ann", "eve"):
        assert isinstance(told(game, by), str)


@quickly
@given(SEEDS)
def test_after_a_strike_play_goes_on_or_is_refused(seed):
    """Whatever was struck, later declarations meet nothing but rulings and refusals, refusals before the first die."""
    game = play_at_random(seed, 70)
    rng = Random(seed)
    struck = rng.sample(range(1, len(game.history) + 1), 3)
    game.past = game.without(*struck).then
    chance = Chance(game, rng)
    for _ in range(60):
        try_out(game, chance.word(), rng)
    for subject, folded in game.past.folded.items():
        assert len(folded.adrift) >= len(folded.state.adrift), subject
        assert not folded.find_overdrawn_accounts()
        json.dumps(json_form.to_json(game.view(subject)))


BY_HAND = [
    ("character", "level", 99),
    ("character", "level", -3),
    ("character", "condition", "dead"),
    ("character", "condition", "immobilized"),
    ("character", "kind", None),
    ("character", "status_names", []),
    ("character", "ratings", {}),
    ("character", "ratings/talent:tough", {"kind": "talent", "name": "Tough", "rating": "Mighty", "number": 99}),
    ("character", "importance", {"label": "Important", "rating": "Mighty", "number": 9}),
    ("character", "open", 99),
    ("character", "resist_talent", " "),
    ("character", "ready", {"1": {"key": "aiming", "task": "Aiming", "final": 99}}),
    ("character", "tasks/boxes", {}),
    ("character", "importances/trees", []),
    ("character", "sessions", -1),
    ("scene", "board/order", ["nobody"]),
    ("scene", "board/checks/boxes", {}),
    ("scene", "board/injuries/boxes", {}),
    ("scene", "board/actions/boxes", {}),
    ("campaign", "referee", "bob"),
    ("campaign", "referee", "nobody"),
    ("campaign", "drifted/trees", []),
    ("campaign", "tasks/boxes", {}),
    ("campaign", "ladders", {"traits": [["Only", 1]]}),
]


@pytest.mark.parametrize("set_", sampled(BY_HAND, len(BY_HAND), 6))
@settings(max_examples=4, deadline=None)
@given(SEEDS)
def test_what_the_table_set_by_hand_is_played_on(set_, seed):
    what, field, value = set_
    game = play_at_random(seed, 50)
    rng = Random(seed)
    id = rng.choice(game.roster)
    if what == "scene":
        scenes = game.table().subjects("scene")
        subject = str(scenes[-1]) if scenes else None
    else:
        subject = "campaign" if what == "campaign" else str(character(id))
    if subject is not None:
        try:
            game.declare(Amend(subject, field, value, "the table prefers it"))
        except Refused as refused:  # a game master sets nothing within what is hidden from them
            if refused.code != "amend-value":
                raise
            return
    if value == "nobody" and what == "campaign":
        return
    chance = Chance(game, rng)
    for _ in range(50):
        try_out(game, chance.word(), rng)
    for folded in game.past.folded.values():
        json.dumps(json_form.to_json(game.view(folded.subject, "ann")))


def test_logs_and_shelves_are_emptied_by_hand_but_not_filled():
    game = Game()
    for field, value in (("importances/trees", [[2, 5]]), ("tasks/boxes", {"1": {"aiming": 3}})):
        assert game.refused(Amend(str(character(game.hero)), field, value, "ours")) == "amend-value"


# --- dials --------------------------------------------------------------------------------------------------------

PAIRS = [(name, value) for name, values in DIAL_VALUES.items() for value in values]


def test_every_dial_is_played_with():
    assert set(DIAL_VALUES) == set(list_dial_fields(Dials))
    defaults = Dials()
    for name, field in list_dial_fields(Dials).items():
        assert json_form.to_json(getattr(defaults, field.name)) in [
            json_form.to_json(value) for value in DIAL_VALUES[name]
        ]


@pytest.mark.parametrize(("name", "value"), PAIRS, ids=lambda one: str(one)[:30])
def test_every_value_of_a_dial_plays(name, value):
    game = Game(**{name.replace(".", "__"): value})
    rng = Random(f"{name}{value}")
    chance = Chance(game, rng)
    for _ in range(40):
        try_out(game, chance.word(), rng)
    books_balance(game)


# --- the two growing shapes ---------------------------------------------------------------------------------------


@given(st.lists(st.integers()))
def test_a_log_is_a_list(entries):
    log: Log[int] = Log()
    for entry in entries:
        log = log.with_last(entry)
        assert log.last == entry
    assert list(log) == entries and len(log) == len(entries)
    assert Log().last is None
    assert len(log.trees) == len(entries).bit_count()


@given(st.dictionaries(st.text(), st.integers()))
def test_a_shelf_is_a_mapping(things):
    shelf: Shelf[int] = Shelf()
    for name, thing in things.items():
        assert shelf.find(name) is None
        shelf = shelf.put(name, -1).put(name, thing)
    assert dict(shelf.items()) == things
    assert all(shelf.find(name) == thing for name, thing in things.items())


def test_neither_is_copied_whole():
    """A thousand assignments share their past: one more makes a few new trees and one new box."""
    game = Game(feather__mode="on")
    state = game.character(game.hero)
    for number in range(1000):
        task = f"task {number % 100}"
        done = AptitudeAssigned(
            str(number), task, task, 7, None, None, 7, None, None, None, None, False, 0, False, None, "s", 1, "", ""
        )
        before, state = state, RULESET.apply(state, done)
        assert isinstance(state, Character)
        same = sum(box is state.tasks.boxes.get(place) for place, box in before.tasks.boxes.items())
        assert same >= len(before.tasks.boxes) - 1
        state = dataclasses.replace(state, ready={})
    assert sum(len(log) for _, log in state.tasks.items()) == 1000


# --- who is told --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["character", "scene", "campaign", "seat"])
def test_blank_states_can_be_seen(kind):
    subject = {"character": character("1"), "scene": scene("1"), "campaign": CAMPAIGN, "seat": seat("1")}[kind]
    game = Game(begin=False)
    for by in ("gm", "ann", "eve"):
        json.dumps(json_form.to_json(game.view(subject, by)))


def test_verdicts_are_verdicts():
    game = play_at_random(7, 60)
    assert all(isinstance(one, Verdict) for one in game.verdicts)
    with pytest.raises(Refused):
        game.declare(Amend("character:none", "level", 1, "ours"))
