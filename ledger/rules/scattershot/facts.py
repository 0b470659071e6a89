"""What can become true: all of it."""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.scattershot import (
    facts_of_characters,
    facts_of_deeds,
    facts_of_fights,
    facts_of_play,
    facts_of_rewards,
)

Fact: TypeAlias = (
    facts_of_play.Fact | facts_of_characters.Fact | facts_of_rewards.Fact | facts_of_deeds.Fact | facts_of_fights.Fact
)
FACTS: tuple[type[Fact], ...] = get_args(Fact)
