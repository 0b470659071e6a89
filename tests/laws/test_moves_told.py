"""What is kept of a move, because another said the same, is what would be told of it."""

from __future__ import annotations

import pytest

from ledger.events.codec import encode
from ledger.rules.kernel.moves import Move
from ledger.rules.kernel.offers import list_offers
from ledger.rules.kernel.seen import Seen
from projections.documents import moves as documents
from projections.wording import Wording
from tests.laws.test_play import every_system
from tests.rules.anything import play
from tests.rules.moves import steps, viewers


def check_kept(name: str) -> None:
    game = play(name, 3, 40)
    wording, count = Wording(game.ruleset), 0
    for past, ruling in steps(game):
        for by in viewers(past) if ruling.number % 3 == 0 else ():
            for offer in list_offers(game.ruleset, Seen(game.ruleset, past, by)):
                told = documents.make_describer(wording)(offer.move)
                assert encode(told) == encode(documents.describe_move(wording, offer.move)), offer.move
                count += 1
    assert count > 100


@every_system
def test_what_is_kept_of_a_move_is_what_would_be_told(name: str) -> None:
    check_kept(name)


def test_what_is_kept_by_less_than_a_move_says_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_describers", {})
    monkeypatch.setattr(Move, "__hash__", lambda self: hash(self.do))
    monkeypatch.setattr(Move, "__eq__", lambda self, other: self.do is other.do)
    with pytest.raises(AssertionError, match="Move"):
        check_kept("toy")
