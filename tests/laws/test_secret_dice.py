"""A roll that not everybody may see is asked for as such, in every system: the seed of all others is revealed."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings

from ledger.rules import systems
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.table import RulingTable
from tests.laws.test_play import SEEDS, every_system
from tests.levels import examples
from tests.rules.anything import play


@every_system
@settings(max_examples=examples(5, 20, 100), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=SEEDS)
def test_what_is_rolled_openly_belongs_to_a_ruling_that_everybody_sees_something_of(name: str, seed: int) -> None:
    game = play(name, seed, 80)
    past = game.beginning()
    for ruling, verdict in zip(game.history, game.verdicts, strict=True):
        table = RulingTable(game.ruleset, past, ruling.number, ruling.by, ruling.scene)
        conversation = Conversation(game.ruleset, table, ruling.declared)
        rolled: list[Any] = []
        for answer in ruling.answers:
            if conversation.question is not None:
                rolled += [conversation.question] if not isinstance(conversation.question, Ask) else []
                conversation.answer(answer)
        secret = verdict.facts and all(about.audience is not None for about in verdict.facts)
        assert not secret or all(question.audience is not None for question in rolled), ruling.declared
        past.tell(ruling.facts)


@every_system
def test_a_game_that_keeps_something_from_anybody_says_so_to_the_table(name: str) -> None:
    """And one that says so does."""
    told = [
        about.audience for seed in range(12) for verdict in play(name, seed, 80).verdicts for about in verdict.facts
    ]
    assert bool(systems()[name].secrets) is any(audience is not None for audience in told)
