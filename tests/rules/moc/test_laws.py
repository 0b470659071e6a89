"""Promises of this game alone, in random play: secrets in views and facts, limits of numbers."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.rules.kernel.contract import About
from ledger.rules.kernel.register import CharacterEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Viewer, character
from ledger.rules.moc import RULESET, holdings
from ledger.rules.moc.chips import ChipExchangedForCards
from ledger.rules.moc.fate import NominationMade
from ledger.rules.moc.hands import CardsDrawn, CardShown, CardsKept, DeckCut, VillainsDrew
from ledger.rules.moc.state import find_pain_capacity
from ledger.rules.moc.trading import CardSwapped
from ledger.rules.moc.words import DECK, GONE
from tests.levels import examples
from tests.rules.moc.chance import play_at_random

SEEDS = st.integers(0, 2**32)
often = settings(max_examples=examples(10, 20, 100), deadline=None, suppress_health_check=list(HealthCheck))
STRANGER = Viewer("dora", "observer")
SECRET = (
    CardsDrawn,
    CardsKept,
    ChipExchangedForCards,
    VillainsDrew,
    CardSwapped,
)


@often
@given(seed=SEEDS)
def test_nobody_sees_the_deck_and_only_its_player_a_hand(seed):
    game = play_at_random(seed, 60)
    told = {about.fact.card for about in open_facts(game) if isinstance(about.fact, CardShown)}
    for viewer in (STRANGER, Viewer("gm", "gm")):
        seen = dict(RULESET.view(CAMPAIGN, game.state(CAMPAIGN), viewer))
        assert set(seen.pop("shown")) <= told, "cards that everybody was told of"
        del seen["story"]  # contains cards that were played
        assert not any(f'"{card}"' in json.dumps(seen, default=str) for card in DECK)
    for subject in game.table().subjects("character"):
        who = game.state(subject)
        assert RULESET.view(subject, who, STRANGER)["hand"] is None
        owner = Viewer("x", "player", frozenset((subject.id,)))
        if who.hand and who.seen_by:
            assert RULESET.view(subject, who, owner)["hand"] == list(who.hand)


def open_facts(game):
    return [
        about
        for verdict in game.verdicts
        for about in verdict.facts
        if verdict.audience is None and about.audience is None
    ]


@often
@given(seed=SEEDS)
def test_what_is_secret_has_an_audience(seed):
    """Drawn cards are for their player, the deck for nobody, opposed dice for the roller and the game master."""
    game = play_at_random(seed, 60)
    for ruling, verdict in zip(game.history, game.verdicts, strict=True):
        for about in verdict.facts:
            if isinstance(about.fact, DeckCut):
                assert about.audience == ()
            elif isinstance(about.fact, NominationMade):
                assert about.audience == verdict.audience == ("gm", ruling.declared.seat)
            elif isinstance(about.fact, SECRET) and not _given_back(about):
                assert about.audience is not None and not STRANGER.may_see(about.audience)


def _given_back(about: About[Any]) -> bool:
    """Return whether a card that everybody saw went back to the villains' pool."""
    return any(one.source == holdings.DISCARD for one in about.postings)


@often
@given(seed=SEEDS)
def test_every_card_is_in_one_place(seed):
    """Hands and pools hold different cards of one deck, as many as the accounts say."""
    game = play_at_random(seed, 60)
    cards = []
    for subject in game.table().subjects("character"):
        hand = game.state(subject).hand
        assert game.balance(f"{subject}/card:hand") == len(hand)
        cards += hand
    for subject in game.table().subjects("scene"):
        pool = game.state(subject).pool
        assert game.balance(f"{subject}/card:villains") == len(pool)
        cards += pool
    out = game.state(CAMPAIGN).out
    assert len(cards) == len(set(cards)) and set(cards) <= set(out)
    if game.table().session is not None:
        assert game.balance("campaign/card:deck") == 52 - len(out)
        assert game.balance("campaign/card:discard") == len(out) - len(cards)


@often
@given(seed=SEEDS)
def test_bodies_stay_within_their_bounds(seed):
    game = play_at_random(seed, 80)
    for subject in game.table().subjects("character"):
        who = game.state(subject)
        assert 0 <= who.damage <= 6 and 0 <= who.pain <= find_pain_capacity(who.ratings) and who.fatigue >= 0
        assert who.pain_turn >= 0 and who.due >= 0
        for primary in ("body", "mind", "spirit"):
            assert 0 <= game.balance(f"{subject}/token:{primary}") <= who.ratings[primary]


@often
@given(seed=SEEDS)
def test_no_player_begins_a_scene_with_more_than_four_chips(seed):
    game = play_at_random(seed, 60)
    past = game.beginning()
    for ruling in game.history:
        if type(ruling.declared).__name__ == "OpenScene":
            held: Counter[str] = Counter()
            for subject in game.table().subjects("character"):
                folded = past.find(character(subject.id))
                if folded is not None and isinstance(folded.entry, CharacterEntry) and folded.state.status not in GONE:
                    held[folded.entry.seat] += sum(n for account, n in folded.purse.items() if "/chip:" in account)
            assert max(held.values(), default=0) <= 4
        past.tell(ruling.facts)
